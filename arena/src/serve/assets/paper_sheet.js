"use strict";
// The result sheet: what two pupils played, to be printed and written on.

// All games that were ended since the page was opened.
const games = [];

/// Keeps a game that is over.
function keepGame() {
  const { mode, mistakes, position } = state;
  const { played, board, names, scores } = position;
  games.push({ mode, isSwapped: isSwapped(), result: scores.join(" : "), mistakes, rules: [...state.rules], played, board, names, opponent: opponent() });
}

/// Who moved in both seats of a game.
function players(game) {
  const names = [0, 1].map((at) => part(`name-${at}`).value.trim() || "________________");
  const [one, other] = game.isSwapped ? [names[1], names[0]] : names;
  if (game.mode === "be") return [one, game.opponent ?? other];
  return ["program", game.opponent ?? one];
}

function drawSheet() {
  const last = games.at(-1);
  if (last === undefined) return;
  part("of-first").textContent = `The Paper (${last.names[PAPER]})`;
  part("of-second").textContent = last.names[1];
  part("games").tBodies[0].replaceChildren(...games.map((game, at) => {
    const row = element("tr");
    const mistakes = game.mode === "be" ? String(game.mistakes) : "–";
    const cells = [...players(game), game.result, mistakes];
    row.append(element("th", String(at + 1)), ...cells.map((cell) => element("td", cell)));
    row.firstChild.scope = "row";
    return row;
  }));
  drawUsed();
  part("last-board").innerHTML = last.board;
  part("all-moves").replaceChildren(...games.map((game) => element("li", game.played.map(([, text]) => text).join(" "))));
}

/// The rules of the games: every list once, with the games that were played by it where there are several.
function drawUsed() {
  const lists = new Map();
  games.forEach(({ rules }, at) => lists.set(rules.join(), [...(lists.get(rules.join()) || []), at + 1]));
  part("used").replaceChildren(...[...lists].flatMap(([rules, numbers]) => {
    const list = element("ol");
    list.append(...rules.split(",").map((rule) => element("li", words(rule))));
    return lists.size === 1 ? [list] : [element("h4", `Game ${numbers.join(", ")}`), list];
  }));
}

function showSheet() {
  part("sheet").hidden = false;
  drawSheet();
  part("sheet-title").focus({ preventScroll: true });
  part("sheet").scrollIntoView({ block: "nearest" });
}

for (const at of [0, 1]) part(`name-${at}`).addEventListener("input", drawSheet);
part("print").addEventListener("click", () => window.print());
