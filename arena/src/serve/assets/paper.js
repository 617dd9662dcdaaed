"use strict";
// The page of the Paper. It holds the moves and the rules, and asks the server what comes of them: the rules of the game and those of the
// Paper are told, never known here.

const part = (id) => document.getElementById(id);
const told = JSON.parse(part("told").dataset.told);
const book = told.book;
// The Paper has the first seat, also where a pupil moves for it.
const PAPER = 0;
// So long a move of the program, or a step that goes on by itself, is waited for.
const PAUSE = 1200;
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
  // What was tried in vain where a pupil moves for the Paper.
  tried: [],
  // Whether an answer is awaited, and what happens by itself if nothing else does.
  waiting: false,
  timer: 0,
  // Counts what was asked, so that an answer that nobody waits for any more is left alone.
  asked: 0,
};

const about = (name) => book.rules.find((rule) => rule.name === name);
const words = (rule) => `${rule}: ${about(rule).text}`;
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
  const sent = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(question) };
  const answer = await fetch(address, sent).catch(() => {
    throw new Error("the arena does not answer.");
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

/// Whether the second game swaps the jobs: between two pupils, one of whom moves for the Paper.
const swaps = () => state.mode === "be" && opponent() === null;
const isSwapped = () => swaps() && state.game === 2;

/// Begins a game, the first or the second one of a pair.
function begin(game, mode) {
  state.mode = mode || state.mode;
  state.game = game;
  Object.assign(state, { moves: [], rules: [...state.list], mistakes: 0, running: false, seed: Math.floor(Math.random() * 2 ** 40) });
  for (const one of document.querySelectorAll("[data-mode]")) {
    one.setAttribute("aria-current", String(one.dataset.mode === state.mode));
  }
  part("watching").hidden = state.mode === "play";
  part("sheet").hidden = true;
  part("why").open = state.mode === "watch";
  part("why").hidden = state.mode === "be";
  part("orders").hidden = state.mode !== "be";
  part("orders-list").replaceChildren(...state.rules.map((rule) => element("li", words(rule))));
  look(isSwapped() ? "Game 2: swap the jobs, not the colours. " : "");
  part("board").scrollIntoView({ block: "nearest" });
}

async function look(before) {
  const mine = ++state.asked;
  clearTimeout(state.timer);
  state.waiting = true;
  closeBoard();
  try {
    const question = { moves: state.moves, rules: state.rules, opponent: opponent(), seed: state.seed };
    const position = await ask("/paper/position", question);
    if (mine !== state.asked) return;
    Object.assign(state, { position, waiting: false, shown: 0, tried: [] });
    draw();
    go(before || "");
  } catch (error) {
    if (mine !== state.asked) return;
    state.waiting = false;
    say(`That did not work: ${error.message}`, "wrong");
    actions(["Try again", () => look(before)]);
  }
}

function play(move, before) {
  state.moves.push(move);
  look(before);
}

function later(action) {
  state.timer = setTimeout(action, PAUSE);
}

/// Offers these buttons. While an answer is awaited they do nothing, so that none is pressed twice; to stop is always possible.
function actions(...buttons) {
  keepFocus();
  part("actions").replaceChildren(...buttons.map(([text, action]) => button(text, () => (!state.waiting || action === stop) && action())));
  if (buttons.length) passFocus();
}

/// Says what is to be done now, and offers it.
function go(before) {
  const { next, seat, explanation, reply, names } = state.position;
  if (!state.running) actions();
  if (next === "over") return over();
  if (next === "pass") {
    const person = isPerson(seat) && state.mode !== "watch";
    const whose = state.mode === "play" && person ? "You have no move, so you must pass." : `${name(seat)} has no move and must pass.`;
    say(`${before}${whose}`);
    const pass = () => play(null, "");
    return state.running ? runOn(pass) : actions([person ? "Pass" : "Go on", pass]);
  }
  if (isPerson(seat)) {
    openBoard();
    if (seat === PAPER) return say(`${before}You are the Paper (${names[PAPER]}). Which square do the rules choose?`);
    const who = state.mode === "play" ? `Your turn! You are ${names[seat]}` : `${names[seat]}, it is your turn`;
    return say(`${before}${who}: click a square with a dot.`);
  }
  if (seat !== PAPER) {
    say(`${before}${names[seat]} (${opponent()}) is about to move.`);
    const move = () => play(reply, `${names[seat]} played ${label(reply)}. `);
    if (state.mode !== "watch") return later(move);
    return state.running ? runOn(move) : actions(["Next move", move], ["Play on", run]);
  }
  const move = () => play(explanation.chosen, `The Paper played ${label(explanation.chosen)}. `);
  if (state.mode === "play") {
    say(`${before}The Paper is moving …`);
    showSteps(explanation.steps.length);
    return later(move);
  }
  // Whoever stopped what went on by itself may have seen some of the rules.
  if (state.shown > 0) say(shownLast());
  else say(before ? `${before}Now the Paper moves.` : "What does the Paper do? Look at its rules one by one.");
  watchOn(move);
}

/// What the rule did that is told last, or how it ended.
function shownLast() {
  const { steps, decision } = state.position.explanation;
  return state.shown > steps.length ? decision : steps[state.shown - 1].says;
}

/// The buttons of whoever watches the Paper's move come about. They stay in their places, for whoever presses one again and again.
function watchOn(move) {
  const { steps } = state.position.explanation;
  const done = state.shown > steps.length;
  const step = () => {
    state.shown += 1;
    showSteps(state.shown);
    say(shownLast());
    watchOn(move);
  };
  if (state.running) return runOn(done ? move : step);
  actions(["Next move", move], ["Play on", run], ...(done ? [] : [["Next rule", step]]));
}

function run() {
  state.running = true;
  go("");
}

function runOn(action) {
  // It stays while all goes on, so that it is not drawn anew under whoever presses it.
  if (part("actions").textContent !== "Stop") actions(["Stop", stop]);
  later(action);
}

function stop() {
  state.running = false;
  clearTimeout(state.timer);
  if (!state.waiting) go("");
}

const label = (key) => (state.position.choices.find(([choice]) => same(choice, key)) || [key, String(key)])[1];

function draw() {
  const { board, caption, facts, played, scores, names } = state.position;
  drawBoard(board, [caption, ...facts.map(([label, value]) => `${label} ${value}`)].join(". "));
  const rival = state.mode === "play" ? `You (${names[1]})` : names[1];
  part("score").textContent = `The Paper (${names[PAPER]}) ${scores[0]} · ${rival} ${scores[1]}`;
  part("played").replaceChildren(...played.map(([seat, text]) => element("li", `${names[seat]} ${text}`)));
  if (state.mode === "watch") showSteps(0);
}

function choose(key) {
  const { seat, explanation, names } = state.position;
  if (seat !== PAPER) return play(key, state.mode === "play" ? "" : `${names[seat]} played ${label(key)}. `);
  if (same(key, explanation.chosen)) return play(key, `Right! ${explanation.decision} `);
  const { rule, says } = against(key);
  // Whoever clicks twice has made one mistake.
  if (!state.tried.some((one) => same(one, key))) {
    state.tried.push(key);
    state.mistakes += 1;
    cross(key, rule, says);
  }
  say(`${says}${rule ? " That rule was overlooked." : ""} Try again.`, "wrong");
}

const against = (key) => state.position.explanation.instead.find((one) => same(one.key, key));

/// Tells the first so many rules of the Paper's present move, and crosses off what they cross off. Beyond them comes the move.
function showSteps(count) {
  const { explanation } = state.position;
  if (!explanation) return;
  const { steps, decision, chosen } = explanation;
  part("steps").replaceChildren(...steps.slice(0, count).map((step, at) => {
    const line = element("li", step.says);
    line.append(element("span", words(state.rules[at]), "text"));
    return line;
  }));
  const ended = state.mode === "play" || count > steps.length;
  // Where one move is left, the last rule has said so.
  part("decision").textContent = ended && decision !== steps[steps.length - 1].says ? decision : count === 0 ? "Press “Next rule”." : "";
  unmark();
  part("legend").hidden = state.mode === "play" || !steps.slice(0, count).some((step) => step.crossed_off.length);
  if (state.mode === "play") return;
  for (const key of steps.slice(0, count).flatMap((step) => step.crossed_off)) cross(key, against(key).rule, against(key).says);
  if (ended) ring(chosen);
}

function over() {
  const { scores, winner, names } = state.position;
  state.running = false;
  const you = state.mode === "play";
  const result = `The Paper ${scores[0]}, ${you ? "you" : names[1]} ${scores[1]}.`;
  const won = winner === null ? "It is a draw." : winner !== PAPER ? (you ? "You have won!" : `${names[1]} has won!`) : "The Paper has won.";
  const mistakes = state.mode === "be" ? ` Mistakes: ${state.mistakes}.` : "";
  say(`${won} ${result}${mistakes}`, winner === PAPER ? "" : "good");
  keepGame();
  const text = state.game === 2 ? "Play once more" : swaps() ? "Game 2: swap the jobs" : "Play again";
  actions([text, () => begin(3 - state.game)], ["Result sheet", showSheet]);
}

for (const one of document.querySelectorAll("[data-mode]")) {
  one.addEventListener("click", () => begin(1, one.dataset.mode));
}

function option(value, text) {
  const made = element("option", text);
  made.value = value;
  return made;
}
part("opponent").append(option(FRIEND, "a friend at this screen"), ...told.opponents.map((bot) => option(bot, bot)));
part("opponent").value = told.opponents.find((bot) => bot === "random") || FRIEND;
part("opponent").addEventListener("change", () => begin(1));

document.addEventListener("DOMContentLoaded", () => begin(1, "play"));
