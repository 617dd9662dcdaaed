"use strict";
// The board of the Paper's page: its squares as buttons, what is drawn upon them, and who has the focus when they are drawn anew.

// What had the focus last before it was drawn anew: a square's middle, or a button's text.
let lately = {};

const squares = () => [...part("board").querySelectorAll(".target")];

/// To be called before squares or buttons go away: whoever has the focus there keeps it, on the board.
function keepFocus() {
  const focused = document.activeElement;
  if (part("actions").contains(focused)) lately = { text: focused.textContent };
  else if (part("board").contains(focused)) lately = focused.matches(".target") ? { middle: middle(focused) } : lately;
  else return;
  part("board").focus({ preventScroll: true });
}

/// Passes the focus that the board keeps on to what can be done now: whoever chose a square gets the nearest one, whoever pressed a button
/// the one in its place.
function passFocus() {
  if (document.activeElement !== part("board")) return;
  const buttons = [...part("actions").children];
  const away = (square) => Math.hypot(...middle(square).map((at, axis) => at - lately.middle[axis]));
  const open = squares().filter((square) => square.hasAttribute("role"));
  if (lately.middle) open.sort((a, b) => away(a) - away(b));
  const pressed = buttons.find((one) => one.textContent === lately.text);
  const next = lately.middle ? open[0] || buttons[0] : pressed || buttons[0] || open[0];
  if (next) next.focus({ preventScroll: next === open[0] });
}

function drawBoard(markup, words) {
  keepFocus();
  part("board").innerHTML = markup;
  // Its squares can be chosen: it is no longer one picture.
  part("board").firstElementChild.setAttribute("role", "none");
  part("board").firstElementChild.removeAttribute("aria-label");
  part("board").setAttribute("aria-label", words);
}

/// Makes the squares buttons.
function openBoard() {
  part("board").classList.remove("busy");
  for (const square of squares()) {
    square.setAttribute("tabindex", "0");
    square.setAttribute("role", "button");
    square.setAttribute("aria-label", label(keyOf(square)));
  }
  passFocus();
}

const keyOf = (square) => JSON.parse(square.dataset.key);

/// The square that an event meets, where it can be chosen.
const squareAt = (event) => event.target.closest(".target[role]");

part("board").addEventListener("click", (event) => {
  const square = squareAt(event);
  if (square) choose(keyOf(square));
});
part("board").addEventListener("keydown", (event) => {
  const [square, towards] = [squareAt(event), ARROWS[event.key]];
  if (!square) return;
  if (towards) neighbour(square, squares(), towards)?.focus({ preventScroll: true });
  else if (event.key === "Enter" || event.key === " ") choose(keyOf(square));
  else return;
  event.preventDefault();
});

/// What is on its way is not to be chosen twice.
function closeBoard() {
  keepFocus();
  part("board").classList.toggle("busy", state.mode === "play");
  for (const square of squares()) {
    square.removeAttribute("role");
    square.removeAttribute("tabindex");
  }
}

const find = (key) => squares().find((one) => same(keyOf(one), key));

/// Crosses a square off: with the number of the rule that does so, where one does, and with why in words for whoever cannot see it.
function cross(key, rule, why) {
  const [x, y, width, height] = box(find(key));
  const [left, right, top, bottom] = [x + 0.2 * width, x + 0.6 * width, y + 0.2 * height, y + 0.6 * height];
  mark(shape("g", { class: "cross", role: "img", "aria-label": why }, [
    shape("circle", { cx: x + width / 2, cy: y + height / 2, r: 0.45 * width }),
    shape("line", { x1: left, y1: top, x2: right, y2: bottom }),
    shape("line", { x1: left, y1: bottom, x2: right, y2: top }),
    ...(rule ? [shape("text", { x: x + 0.73 * width, y: y + 0.84 * height, "font-size": 0.36 * width }, [String(rule)])] : []),
  ]));
}

function ring(key) {
  const [cx, cy] = middle(find(key));
  mark(shape("circle", { class: "ring", cx, cy, r: 0.36 * box(find(key))[2] }));
}

const mark = (made) => part("board").firstElementChild.append(made);

function unmark() {
  for (const old of part("board").querySelectorAll(".cross, .ring")) old.remove();
}
