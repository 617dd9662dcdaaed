"use strict";
// The list of the Paper's rules, as it can be changed, and how a changed list does against the worksheet's.

const about = (name) => book.rules.find((rule) => rule.name === name);

function swap(at, other) {
  [state.list[at], state.list[other]] = [state.list[other], state.list[at]];
}

/// Draws the list. After a change it tells so, and puts the focus where the rule went.
function drawRules(changed, focus) {
  const last = state.list.length - 1;
  part("list").replaceChildren(...state.list.map((name, at) => {
    const line = element("li");
    line.dataset.rule = name;
    line.append(element("span", `${at + 1}. ${name}: ${about(name).text}`));
    const buttons = element("span", undefined, "buttons");
    const one = (sign, words, off, change) => {
      const made = button(sign, () => { change(); drawRules(`${name}: ${words}.`, [name, words]); });
      made.setAttribute("aria-label", `${name}: ${words}`);
      made.dataset.does = words;
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
  part("more").replaceChildren(...others.map((rule) => option(rule.name, `${rule.name}: ${rule.text}`)));
  part("add").disabled = others.length === 0;
  if (changed) part("changed").textContent = `${changed} The game starts anew when you play again.`;
  if (focus) {
    const [name, words] = focus;
    const line = part("list").querySelector(`[data-rule="${name}"]`) || part("list").firstElementChild;
    const there = line.querySelector(`[data-does="${words}"]`);
    (there.disabled ? line.querySelector("button:enabled") || part("add") : there).focus();
  }
  part("compare").disabled = same(state.list, book.worksheet);
}

part("ties").textContent = `Of several moves that are left, ${book.ties}, is played.`;
part("change").addEventListener("click", () => {
  const open = part("rules").hidden;
  part("rules").hidden = !open;
  part("change").setAttribute("aria-expanded", String(open));
  if (open) part("rules").scrollIntoView({ block: "nearest" });
});
part("add").addEventListener("click", () => {
  const name = part("more").value;
  state.list.push(name);
  drawRules(`${name}: added at the end.`);
});
part("worksheet").addEventListener("click", () => {
  state.list = [...book.worksheet];
  drawRules("These are the worksheet's rules.");
});
part("again").addEventListener("click", () => {
  state.game = 1;
  forgetGames();
  begin();
  part("say").scrollIntoView({ block: "nearest" });
});

part("against").append(...told.opponents.map((bot) => option(bot, bot)));
part("compare").addEventListener("click", async () => {
  const [a, against, matches] = [[...state.list], part("against").value, Number(part("matches").value)];
  part("compare").disabled = true;
  part("compared").hidden = true;
  part("verdict").textContent = "The matches are being played …";
  try {
    const result = await ask("/paper/compare", { a, b: book.worksheet, against, matches });
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
    part("verdict").textContent = `That did not work: ${error.message}`;
  }
  part("compare").disabled = same(state.list, book.worksheet);
});

drawRules();
