// The form in which a match against a bot is begun: what belongs to another game is hidden, and what was chosen is sent as JSON.
"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const form = $("wish");

  function choose() {
    const game = form.elements.game.value;
    document.querySelectorAll(".params").forEach((fields) => { fields.hidden = fields.dataset.game !== game; });
    const bots = [...$("bot").options];
    bots.forEach((bot) => { bot.hidden = bot.disabled = !bot.dataset.games.split(" ").includes(game); });
    const filled = [...document.querySelectorAll(`.params[data-game="${game}"] input`)].filter((input) => input.value.trim() !== "");
    const words = filled.map((input) => `${input.dataset.name} ${input.value}`).join(", ");
    $("unfold").textContent = "Parameters of the game" + (words === "" ? "" : ": " + words);
    if ($("bot").selectedOptions[0]?.disabled ?? true) $("bot").value = bots.find((bot) => !bot.disabled).value;
  }

  function problem(text) {
    $("problem").textContent = text;
    $("problem").hidden = text === "";
  }

  /** A number or a list, as JSON has it; what is neither goes as text, and the arena says what is wrong with it. */
  function value(text) {
    try {
      return JSON.parse(text);
    } catch {
      return text;
    }
  }

  function wish() {
    const game = form.elements.game.value;
    const params = {};
    document.querySelectorAll(`.params[data-game="${game}"] input`).forEach((input) => {
      if (input.value.trim() !== "") params[input.dataset.name] = value(input.value);
    });
    const wish = { game, params, bot: $("bot").value, side: $("side").value, warn: $("warn").checked };
    if ($("seconds").value !== "") wish.seconds = Number($("seconds").value);
    if ($("seed").value !== "") wish.seed = Number($("seed").value);
    return wish;
  }

  form.addEventListener("change", choose);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    problem("");
    $("start").disabled = true;
    try {
      const body = JSON.stringify(wish());
      const answer = await fetch("/play", { method: "POST", headers: { "content-type": "application/json" }, body });
      if (answer.ok) return location.assign((await answer.json()).address);
      problem(await answer.text());
    } catch {
      problem("The arena does not answer: is it still running?");
    }
    $("start").disabled = false;
  });
  // Whoever comes back finds the form as it was left.
  window.addEventListener("pageshow", () => { $("start").disabled = false; choose(); });
  choose();
})();
