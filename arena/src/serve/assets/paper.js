"use strict";
// The page of the Paper. It holds the moves and the rules, and asks the server what comes of them: the rules of the game and those of the
// Paper are told, never known here.

const part = (id) => document.getElementById(id);
const told = JSON.parse(part("told").dataset.told);
const book = told.book;
const SVG = "http://www.w3.org/2000/svg";
// The Paper has the first seat, also where a pupil moves for it.
const PAPER = 0;
// So long a move of the program, or a step that goes on by itself, is waited for.
const PAUSE = 800;
const FRIEND = "friend";

const state = {
  mode: "play",
  // The rules of this game, and those of the next one: the list as it was changed meanwhile.
  rules: [],
  list: [...book.worksheet],
  moves: [],
  position: null,
  // Of the Paper's present move so many rules are told.
  shown: 0,
  // Whether it goes on by itself.
  running: false,
  mistakes: 0,
  game: 1,
  seed: 0,
  // Counts what was asked, so that an answer that nobody waits for any more is left alone.
  asked: 0,
};

const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

function element(name, text, classes) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (classes) made.className = classes;
  return made;
}

function button(text, action) {
  const made = element("button", text);
  made.type = "button";
  made.addEventListener("click", action);
  return made;
}

async function ask(address, question) {
  const answer = await fetch(address, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(question),
  });
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
}

function say(text, kind) {
  part("say").textContent = text;
  part("say").className = kind || "";
}

/// Whoever plays in the other seat: a bot's name, or nobody's where a person does.
function opponent() {
  return state.mode === "play" || part("opponent").value === FRIEND ? null : part("opponent").value;
}

const isPerson = (seat) => (seat === PAPER ? state.mode === "be" : opponent() === null);
const name = (seat) => (seat === PAPER ? "The Paper" : state.position.names[seat]);

function begin(mode) {
  state.mode = mode || state.mode;
  Object.assign(state, { moves: [], rules: [...state.list], mistakes: 0, running: false, seed: Math.floor(Math.random() * 2 ** 40) });
  for (const one of document.querySelectorAll("[data-mode]")) {
    one.setAttribute("aria-current", String(one.dataset.mode === state.mode));
  }
  part("watching").hidden = state.mode === "play";
  part("sheet").hidden = true;
  part("why").open = state.mode === "watch";
  part("why").hidden = state.mode === "be";
  look();
}

async function look(before) {
  const mine = ++state.asked;
  // What is on its way is not to be clicked twice.
  for (const place of part("board").querySelectorAll("[role=button]")) {
    place.removeAttribute("role");
    place.removeAttribute("tabindex");
  }
  try {
    const question = { moves: state.moves, rules: state.rules, opponent: opponent(), seed: state.seed };
    const position = await ask("/paper/position", question);
    if (mine !== state.asked) return;
    state.position = position;
    state.shown = 0;
    draw();
    go(before || "");
  } catch (error) {
    if (mine !== state.asked) return;
    say(`That did not work: ${error.message}`, "wrong");
    actions(["Try again", () => look(before)]);
  }
}

function play(move, before) {
  state.moves.push(move);
  look(before);
}

function later(action) {
  const mine = state.asked;
  setTimeout(() => mine === state.asked && action(), PAUSE);
}

function actions(...buttons) {
  const had = part("actions").contains(document.activeElement);
  part("actions").replaceChildren(...buttons.map(([text, action]) => button(text, action)));
  // Whoever goes on by key must not search for the button that took the other one's place.
  if (had && buttons.length) part("actions").firstChild.focus();
}

/// Says what is to be done now, and offers it.
function go(before) {
  const { next, seat, explanation, reply, names } = state.position;
  actions();
  if (next === "over") return over();
  if (next === "pass") {
    const person = isPerson(seat) && state.mode !== "watch";
    const whose = state.mode === "play" && person ? "You have no move, so you must pass." : `${name(seat)} has no move and must pass.`;
    say(`${before}${whose}`);
    actions([person ? "Pass" : "Go on", () => play(null, "")]);
    if (state.running) later(() => play(null, ""));
    return;
  }
  if (isPerson(seat)) {
    clickable();
    if (seat === PAPER) return say(`${before}You are the Paper (${names[PAPER]}). Which square do the rules choose?`);
    const who = state.mode === "play" ? `Your turn! You are ${names[seat]}` : `${names[seat]}, it is your turn`;
    return say(`${before}${who}: click a square with a dot.`);
  }
  if (seat !== PAPER) {
    say(`${before}${names[seat]} (${opponent()}) is about to move.`);
    const move = () => play(reply, `${names[seat]} played ${label(reply)}. `);
    return state.mode === "watch" && !state.running ? actions(["Next move", move], ["Play on", run]) : later(move);
  }
  const move = () => play(explanation.chosen, `The Paper played ${label(explanation.chosen)}. `);
  if (state.mode === "play") {
    say(`${before}The Paper is moving …`);
    showSteps(explanation.steps.length);
    return later(move);
  }
  say(before ? `${before}Now the Paper moves.` : "What does the Paper do? Look at its rules one by one.");
  watchOn(move);
}

/// The buttons of whoever watches the Paper's move come about.
function watchOn(move) {
  const { steps, decision } = state.position.explanation;
  const done = state.shown > steps.length;
  const step = () => {
    state.shown += 1;
    showSteps(state.shown);
    say(state.shown > steps.length ? decision : steps[state.shown - 1].says);
    watchOn(move);
  };
  if (state.running) {
    actions(["Stop", () => { state.running = false; state.asked += 1; watchOn(move); }]);
    return later(done ? move : step);
  }
  actions(...(done ? [] : [["Next rule", step]]), ["Next move", move], ["Play on", run]);
}

function run() {
  state.running = true;
  go("");
}

const label = (key) => (state.position.choices.find(([choice]) => same(choice, key)) || [key, String(key)])[1];

function draw() {
  const { board, caption, facts, played, scores, names } = state.position;
  part("board").innerHTML = board;
  // Its places can be chosen: it is no longer one picture.
  const svg = part("board").firstElementChild;
  svg.setAttribute("role", "group");
  svg.setAttribute("aria-label", [caption, ...facts.map(([label, value]) => `${label} ${value}`)].join(". "));
  part("score").textContent = `The Paper (${names[PAPER]}) ${scores[0]} · ${names[1]} ${scores[1]}`;
  part("played").textContent = played.map(([seat, text], at) => `${at + 1}. ${names[seat]} ${text}`).join(", ") || "None yet.";
  if (state.mode === "watch") showSteps(0);
}

function clickable() {
  for (const place of part("board").querySelectorAll(".target")) {
    const key = JSON.parse(place.dataset.key);
    place.setAttribute("tabindex", "0");
    place.setAttribute("role", "button");
    place.setAttribute("aria-label", label(key));
    const chosen = () => place.hasAttribute("role") && choose(key);
    place.addEventListener("click", chosen);
    place.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      chosen();
    });
  }
}

function choose(key) {
  const { seat, explanation, names } = state.position;
  if (seat !== PAPER) return play(key, state.mode === "play" ? "" : `${names[seat]} played ${label(key)}. `);
  if (same(key, explanation.chosen)) return play(key, `Right! ${explanation.decision} `);
  state.mistakes += 1;
  say(`${explanation.instead.find((one) => same(one.key, key)).says} Try again.`, "wrong");
}

/// Tells the first so many rules of the Paper's present move, and crosses off what they cross off. Beyond them comes the move.
function showSteps(count) {
  const { explanation } = state.position;
  if (!explanation) return;
  const { steps, decision, chosen } = explanation;
  const rules = state.rules.map((rule) => book.rules.find((one) => one.name === rule));
  part("steps").replaceChildren(...steps.slice(0, count).map((step, at) => {
    const line = element("li", step.says);
    line.append(element("span", `${rules[at].name}: ${rules[at].text}`, "text"));
    return line;
  }));
  const ended = state.mode === "play" || count > steps.length;
  part("decision").textContent = ended ? decision : "";
  for (const old of part("board").querySelectorAll(".cross, .ring")) old.remove();
  if (state.mode === "play") return;
  steps.slice(0, count).flatMap((step) => step.crossed_off).forEach(cross);
  if (ended) ring(chosen);
}

function place(key) {
  const found = [...part("board").querySelectorAll(".target")].find((one) => same(JSON.parse(one.dataset.key), key));
  return ["x", "y", "width", "height"].map((side) => Number(found.getAttribute(side)));
}

function shape(parent, name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  parent.append(made);
  return made;
}

function cross(key) {
  const [x, y, width, height] = place(key);
  const group = shape(part("board").firstElementChild, "g", { class: "cross" });
  const [left, right, top, bottom] = [x + 0.25 * width, x + 0.75 * width, y + 0.25 * height, y + 0.75 * height];
  shape(group, "circle", { cx: x + width / 2, cy: y + height / 2, r: 0.4 * width });
  shape(group, "line", { x1: left, y1: top, x2: right, y2: bottom });
  shape(group, "line", { x1: left, y1: bottom, x2: right, y2: top });
}

function ring(key) {
  const [x, y, width, height] = place(key);
  shape(part("board").firstElementChild, "circle", { class: "ring", cx: x + width / 2, cy: y + height / 2, r: 0.36 * width });
}

function over() {
  const { scores, winner, names } = state.position;
  state.running = false;
  const you = state.mode === "play";
  const result = `The Paper ${scores[0]}, ${you ? "you" : names[1]} ${scores[1]}.`;
  const won = winner === null ? "It is a draw." : winner !== PAPER ? (you ? "You have won!" : `${names[1]} has won!`) : "The Paper has won.";
  const mistakes = state.mode === "be" ? ` Mistakes: ${state.mistakes}.` : "";
  say(`${won} ${result}${mistakes}`, winner === PAPER ? "" : "good");
  keepGame(result);
  const again = () => { state.game = 3 - state.game; begin(); };
  const text = state.game === 2 ? "Play once more" : state.mode === "be" ? "Game 2: swap the jobs" : "Play again";
  actions([text, again], ["Result sheet", showSheet]);
}

for (const one of document.querySelectorAll("[data-mode]")) {
  one.addEventListener("click", () => {
    state.game = 1;
    forgetGames();
    begin(one.dataset.mode);
  });
}

function option(value, text) {
  const made = element("option", text);
  made.value = value;
  return made;
}
part("opponent").append(option(FRIEND, "a friend at this screen"), ...told.opponents.map((bot) => option(bot, bot)));
part("opponent").value = told.opponents.find((bot) => bot === "random") || FRIEND;
part("opponent").addEventListener("change", () => begin());

document.addEventListener("DOMContentLoaded", () => begin("play"));
