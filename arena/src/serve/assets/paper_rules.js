"use strict";
// The list of the Paper's rules, as it can be changed, and how a changed list does against the worksheet's.

// Counts what was to be compared, so that the result of another list is left alone; and whether a result is awaited.
let comparison = 0;
let comparing = false;

function swap(at, other) {
  [state.list[at], state.list[other]] = [state.list[other], state.list[at]];
}

/// Draws the list. After a change it tells so, and puts the focus where the rule went.
function drawRules(changed, focus) {
  const last = state.list.length - 1;
  part("list").replaceChildren(...state.list.map((name, at) => {
    const line = element("li");
    line.dataset.rule = name;
    line.append(element("span", "⠿", "grip"), element("span", `${at + 1}. ${words(name)}`));
    line.firstChild.setAttribute("aria-hidden", "true");
    line.addEventListener("pointerdown", (event) => drag(event, line));
    const buttons = element("span", undefined, "buttons");
    const one = (sign, does, off, change) => {
      const made = button(sign, () => { change(); drawRules(place(name), [name, does]); });
      made.setAttribute("aria-label", `${name}: ${does}`);
      made.dataset.does = does;
      made.disabled = off;
      buttons.append(made);
    };
    one("▲", "up", at === 0, () => swap(at, at - 1));
    one("▼", "down", at === last, () => swap(at, at + 1));
    one("✕", "take out", last === 0, () => state.list.splice(at, 1));
    line.append(buttons);
    return line;
  }));
  const others = book.rules.filter((rule) => !state.list.includes(rule.name));
  part("more").replaceChildren(...others.map((rule) => option(rule.name, words(rule.name))));
  part("add").disabled = others.length === 0;
  if (changed) {
    part("changed").textContent = `${changed} That counts when you play again.`;
    // What was compared was another list, and so it is where that still goes on.
    comparison += 1;
    comparing = false;
    part("verdict").textContent = "";
    part("compared").hidden = true;
  }
  if (focus) {
    const [name, does] = focus;
    const line = part("list").querySelector(`[data-rule="${name}"]`) || part("list").firstElementChild;
    const there = line.querySelector(`[data-does="${does}"]`);
    (there.disabled ? line.querySelector("button:enabled") || part("add") : there).focus();
  }
  offerCompare();
}

function offerCompare() {
  const unchanged = same(state.list, book.worksheet);
  part("compare").disabled = comparing || unchanged;
  part("hint").hidden = !unchanged;
}

/// Where a rule is now.
function place(name) {
  const at = state.list.indexOf(name);
  return at < 0 ? `${name} is taken out.` : `${name} is now rule ${at + 1}.`;
}

/// Lets a rule be dragged to another place: by mouse at its words too, by finger at its grip, as a finger on the words scrolls the page.
function drag(down, line) {
  const held = down.target.matches(".grip") || (down.pointerType === "mouse" && !down.target.closest("button"));
  if (!held || down.button !== 0) return;
  down.preventDefault();
  const list = part("list");
  // The list hears where the pointer goes: a line that changes its place would lose it.
  list.setPointerCapture(down.pointerId);
  line.classList.add("dragged");
  const rules = () => [...list.children].map((one) => one.dataset.rule);
  const move = (event) => {
    const above = (one) => event.clientY < one.getBoundingClientRect().top + one.offsetHeight / 2;
    const others = [...list.children].filter((one) => one !== line);
    const next = others.find(above) || null;
    if (line.nextElementSibling !== next) list.insertBefore(line, next);
  };
  const end = (event) => {
    list.removeEventListener("pointermove", move);
    for (const kind of ["pointerup", "pointercancel"]) list.removeEventListener(kind, end);
    const changed = event.type === "pointerup" && !same(rules(), state.list);
    if (changed) state.list = rules();
    drawRules(changed && place(line.dataset.rule));
  };
  list.addEventListener("pointermove", move);
  for (const kind of ["pointerup", "pointercancel"]) list.addEventListener(kind, end);
}

for (const ties of document.querySelectorAll(".ties")) ties.textContent = `Of several moves that are left, ${book.ties}, is played.`;
part("change").addEventListener("click", () => {
  const open = part("rules").hidden;
  part("rules").hidden = !open;
  part("change").setAttribute("aria-expanded", String(open));
  if (open) part("rules").scrollIntoView({ block: "nearest" });
});
part("add").addEventListener("click", () => {
  const name = part("more").value;
  state.list.push(name);
  drawRules(place(name));
});
part("worksheet").addEventListener("click", () => {
  state.list = [...book.worksheet];
  drawRules("These are the worksheet's rules.");
});
part("again").addEventListener("click", () => {
  begin(1, "play");
});

part("against").append(...told.opponents.map((bot) => option(bot, bot)));
part("compare").addEventListener("click", async () => {
  const [a, against, matches] = [[...state.list], part("against").value, Number(part("matches").value)];
  const mine = ++comparison;
  comparing = true;
  offerCompare();
  part("compared").hidden = true;
  part("verdict").textContent = "The matches are being played. Where others compare, too, it is one after the other …";
  try {
    const result = await ask("/paper/compare", { a, b: book.worksheet, against, matches });
    if (mine !== comparison) return;
    const row = (title, record) => {
      const made = element("tr");
      const cells = [record.won, record.drawn, record.lost, `${record.mean[0]} : ${record.mean[1]}`];
      made.append(element("th", title), ...cells.map((cell) => element("td", String(cell))));
      made.firstChild.scope = "row";
      return made;
    };
    const rows = [row(`Yours: ${a.join(", ")}`, result.a), row(`Worksheet: ${book.worksheet.join(", ")}`, result.b)];
    part("compared").tBodies[0].replaceChildren(...rows);
    part("compared").hidden = false;
    part("verdict").textContent = result.says;
  } catch (error) {
    if (mine !== comparison) return;
    part("verdict").textContent = `That did not work: ${error.message}`;
  }
  comparing = false;
  offerCompare();
});

drawRules();
