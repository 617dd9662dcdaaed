"use strict";
// The result sheet: what two pupils played, to be printed and written on.

// The games of this sheet, by number.
let games = {};

function forgetGames() {
  games = {};
}

/// Keeps a game that is over.
function keepGame() {
  const { mode, game, mistakes, position } = state;
  games[game] = { mode, result: position.scores.join(" : "), mistakes, rules: [...state.rules], played: position.played, board: position.board, names: position.names, opponent: opponent() };
}

/// Who moved in both seats of a game: in the second one the jobs are swapped, not the colours.
function players(game, number) {
  const names = [0, 1].map((at) => part(`name-${at}`).value.trim() || "________________");
  const [one, other] = number === 2 ? [names[1], names[0]] : names;
  if (game.mode === "be") return [one, game.opponent ?? other];
  return ["program", game.opponent ?? one];
}

function drawSheet() {
  const kept = Object.entries(games);
  if (!kept.length) return;
  const [, last] = kept[kept.length - 1];
  part("of-first").textContent = `The Paper (${last.names[PAPER]})`;
  part("of-second").textContent = last.names[1];
  part("games").tBodies[0].replaceChildren(...kept.map(([number, game]) => {
    const row = element("tr");
    const mistakes = game.mode === "be" ? String(game.mistakes) : "–";
    const cells = [...players(game, Number(number)), game.result, mistakes];
    row.append(element("th", number), ...cells.map((cell) => element("td", cell)));
    row.firstChild.scope = "row";
    return row;
  }));
  drawUsed(kept);
  part("last-board").innerHTML = last.board;
  part("all-moves").replaceChildren(...kept.map(([number, game]) => {
    const line = element("li", game.played.map(([, text]) => text).join(" "));
    line.value = Number(number);
    return line;
  }));
}

/// The rules of all games, or of each one where they differ.
function drawUsed(kept) {
  const list = ([, game]) => {
    const made = element("ol");
    made.append(...game.rules.map((rule) => element("li", words(rule))));
    return made;
  };
  const differ = kept.some(([, game]) => !same(game.rules, kept[0][1].rules));
  const lists = differ ? kept.flatMap((one) => [element("h4", `Game ${one[0]}`), list(one)]) : [list(kept[0])];
  part("used").replaceChildren(...lists);
}

function showSheet() {
  part("sheet").hidden = false;
  drawSheet();
  part("sheet-title").focus({ preventScroll: true });
  part("sheet").scrollIntoView({ block: "nearest" });
}

for (const at of [0, 1]) part(`name-${at}`).addEventListener("input", drawSheet);
part("print").addEventListener("click", () => window.print());
