// Shows one step of a match at a time. What is told of the match lies in the page as JSON; text from it is only ever set
// as text. It knows no game: boards come as drawings.
"use strict";
(() => {
  const root = document.documentElement;
  const $ = (id) => document.getElementById(id);
  const trouble = (text) => {
    root.dataset.trouble = text;
    $("trouble").textContent = "This page does not work as it should: " + text;
    $("trouble").hidden = false;
  };
  window.addEventListener("error", (event) => trouble(event.message));
  window.addEventListener("unhandledrejection", (event) => trouble(String(event.reason)));
  document.addEventListener("securitypolicyviolation", (event) => trouble("refused: " + event.violatedDirective));

  const match = JSON.parse($("match").textContent);
  const steps = match.steps;
  const boards = readBoards();
  const kinds = {
    note: "note",
    stderr: "stderr",
    stray: "a line on stdout that is no answer",
    stale: "an answer that nobody waited for",
    invalid: "ignored by the rules",
    fault: "fault",
  };
  let shown = -1;
  let playing = 0;
  let addressing = 0;

  /** A drawing is a list of numbers of parts; a pair stands for so many parts of the drawing before it. */
  function readBoards() {
    let before = [];
    return steps.map((step) => {
      before = step.board.flatMap((part) => (Array.isArray(part) ? before.slice(part[0], part[0] + part[1]) : part));
      return before;
    });
  }

  function element(name, properties = {}, children = []) {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  }

  /** Control characters, and those that turn the direction of text around, are made visible. */
  function visible(text) {
    return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f\ufeff]/g, (character) => {
      const code = character.charCodeAt(0);
      return code < 256 ? "\\x" + code.toString(16).padStart(2, "0") : "\\u" + code.toString(16);
    });
  }

  function time(us) {
    if (us < 1e3) return us + " µs";
    if (us < 1e6) return (us / 1e3).toFixed(us < 1e4 ? 1 : 0) + " ms";
    return us < 6e7 ? (us / 1e6).toFixed(2) + " s" : Math.floor(us / 6e7) + " min " + Math.floor((us % 6e7) / 1e6) + " s";
  }

  const name = (seat) => visible(match.players[seat].name);
  const mark = (seat) => element("span", { className: "mark " + (seat === 0 ? "is-first" : "is-second"), ariaHidden: "true" });
  const faults = (step) => step.heard.filter((heard) => heard[0] === "fault");

  /** What a step is called, in a line. */
  function heading(step) {
    if (step.kind === "start") return "The start";
    if (step.kind === "turn") return `Turn ${step.turn}: ${name(step.seat)} ${step.pass ? "passes" : "plays " + visible(step.move)}`;
    const guilty = faults(step)[0];
    return guilty ? `Turn ${step.turn}: fault of ${name(guilty[1])}` : match.result.kind === "unfinished" ? "No more is recorded" : "The end";
  }

  function drawBoard() {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    const [width, height] = match.size;
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    svg.setAttribute("class", "arena-board");
    svg.setAttribute("role", "img");
    // The smallest letters stay readable: where the page is too narrow for that, the board scrolls.
    const letters = match.parts.flatMap((part) => [...part.matchAll(/font-size="([\d.]+)"/g)].map((found) => Number(found[1])));
    const smallest = Math.min(width, ...letters);
    svg.style.minWidth = Math.min(760, Math.round((8 * width) / smallest)) + "px";
    $("board").append(svg);
    const fit = () => {
      const scrolls = $("board").scrollWidth > $("board").clientWidth + 1;
      if (scrolls) $("board").tabIndex = 0;
      else $("board").removeAttribute("tabindex");
    };
    new ResizeObserver(fit).observe($("board"));
    return svg;
  }

  function buildPlayers() {
    $("players").append(...match.players.map((player, seat) => {
      const facts = element("dl");
      const card = element("article", { className: "player" }, [
        element("h2", {}, [mark(seat), element("bdi", { textContent: name(seat) }), element("span", { className: "seat", textContent: "seat " + seat })]),
        facts,
        element("p", { className: "command", textContent: visible(player.command), title: visible(player.command) }),
      ]);
      return card;
    }), element("dl", { id: "facts" }));
  }

  function showFacts(step) {
    const entry = ([label, value]) => element("div", {}, [element("dt", { textContent: label }), element("dd", { textContent: value })]);
    const lastTook = (seat) => {
      for (let at = shown; at > 0; at--) if (steps[at].seat === seat && steps[at].took !== undefined) return time(steps[at].took);
      return "–";
    };
    document.querySelectorAll(".player").forEach((card, seat) => {
      const own = step.facts.filter((fact) => fact[0] === seat).map((fact) => [fact[1], fact[2]]);
      const clock = [["time used", time(step.used[seat])], ["last move", lastTook(seat)]];
      if (step.left[seat] !== null) clock.push(["time left", time(step.left[seat])]);
      clock.push(["limit", match.players[seat].limits]);
      card.querySelector("dl").replaceChildren(...[...own, ...clock].map(entry));
      card.classList.toggle("moved", step.seat === seat);
    });
    $("facts").replaceChildren(...step.facts.filter((fact) => fact[0] === null).map((fact) => entry([fact[1], fact[2]])));
  }

  function buildMoves() {
    const rows = steps.map((step, index) => {
      const label = element("span", { className: "move" });
      const signs = [...new Set(step.heard.map((heard) => heard[0]))];
      const button = element("button", { type: "button", tabIndex: -1 }, [
        element("span", { className: "number", textContent: step.turn ?? "" }),
        ...(step.kind === "turn" ? [mark(step.seat)] : [element("span", { className: "mark" })]),
        label,
      ]);
      if (step.kind === "turn") {
        label.textContent = step.pass ? "passes" : visible(step.move);
      } else {
        label.textContent = step.kind === "start" ? "start" : faults(step).length ? "fault" : "end";
      }
      button.setAttribute("aria-label", [heading(step), ...signs].join(", "));
      for (const kind of signs) {
        button.append(element("span", { className: "sign " + kind, textContent: kind, title: kinds[kind] }));
      }
      if (step.took !== undefined) button.append(element("span", { className: "took", textContent: time(step.took) }));
      button.addEventListener("click", () => show(index));
      return element("li", {}, [button]);
    });
    $("list").append(...rows);
    return rows.map((row) => row.firstChild);
  }

  function showHeard(step) {
    const item = ([kind, seat, text]) => element("li", { className: kind }, [
      element("h3", {}, [mark(seat), element("bdi", { textContent: name(seat) }), ": " + kinds[kind]]),
      element("pre", { textContent: visible(text), dir: "auto" }),
    ]);
    $("heard").replaceChildren(...step.heard.map(item));
    $("said").hidden = step.heard.length === 0;
  }

  function show(index) {
    const next = Math.max(0, Math.min(steps.length - 1, index));
    if (next === shown) return;
    const step = steps[next];
    rows[shown]?.removeAttribute("aria-current");
    if (rows[shown]) rows[shown].tabIndex = -1;
    shown = next;
    svg.innerHTML = boards[shown].map((part) => match.parts[part]).join("");
    svg.setAttribute("aria-label", visible(step.caption));
    $("now").setAttribute("aria-live", playing ? "off" : "polite");
    $("heading").textContent = heading(step);
    $("caption").textContent = visible(step.caption);
    $("slider").value = shown;
    $("slider").setAttribute("aria-valuetext", heading(step));
    for (const id of ["first", "previous"]) $(id).setAttribute("aria-disabled", shown === 0);
    for (const id of ["next", "last"]) $(id).setAttribute("aria-disabled", shown === steps.length - 1);
    showFacts(step);
    showHeard(step);
    showRow(rows[shown]);
    showLast();
    root.dataset.step = shown;
    clearTimeout(addressing);
    addressing = setTimeout(address, 200);
  }

  /** Scrolls the list, and never the page. */
  function showRow(row) {
    row.setAttribute("aria-current", "step");
    row.tabIndex = 0;
    const list = $("list");
    const [inside, outside] = [row.getBoundingClientRect(), list.getBoundingClientRect()];
    if (inside.top < outside.top || inside.bottom > outside.bottom) {
      list.scrollTop += (inside.top + inside.bottom - outside.top - outside.bottom) / 2;
    }
  }

  /** Where the board is broader than its place, what was moved last is brought into view. */
  function showLast() {
    const board = $("board");
    const last = svg.querySelector(".last, .stroke-last");
    if (board.scrollWidth <= board.clientWidth + 1 || last === null) return;
    const [inside, outside] = [last.getBoundingClientRect(), board.getBoundingClientRect()];
    if (inside.left < outside.left + 24 || inside.right > outside.right - 24) {
      board.scrollLeft += (inside.left + inside.right - outside.left - outside.right) / 2;
    }
  }

  /** The address names the step; browsers refuse to be told so too often. */
  function address() {
    const step = steps[shown];
    const hash = step.kind === "turn" ? "#turn=" + (step.turn + 1) : "#" + step.kind;
    if (location.hash !== hash && !(shown === 0 && location.hash === "")) history.replaceState(null, "", hash);
  }

  /** The position before turn N is what came of the turns before it; after the last turn comes the end. */
  function stepOfAddress() {
    if (location.hash === "#end") return steps.length - 1;
    const turn = /^#turn=(\d+)$/.exec(location.hash);
    if (turn === null) return 0;
    const next = Number(turn[1]);
    return steps.some((step) => step.kind === "turn" && step.turn >= next) ? next : steps.length - 1;
  }

  function play(on) {
    clearInterval(playing);
    playing = 0;
    if (on) {
      if (shown === steps.length - 1) show(0);
      playing = setInterval(() => {
        show(shown + 1);
        if (shown === steps.length - 1) play(false);
      }, 1000 / Number($("speed").value));
    }
    root.classList.toggle("playing", on);
    $("play").setAttribute("aria-label", on ? "Pause" : "Play");
  }

  const go = {
    first: () => show(0),
    previous: () => show(shown - 1),
    next: () => show(shown + 1),
    last: () => show(steps.length - 1),
    play: () => play(!playing),
  };
  const keys = { ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last", " ": "play" };

  function onKey(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const at = event.target;
    const inList = at.closest("#list") !== null;
    const own = { ArrowUp: "previous", ArrowDown: "next" };
    const what = keys[event.key] ?? (inList ? own[event.key] : undefined);
    const takesIt = at.matches("select, #board[tabindex]") || (event.key === " " ? at.matches("button") : at.matches("input"));
    if (what === undefined || takesIt) return;
    event.preventDefault();
    if (what !== "play") play(false);
    go[what]();
    if (inList) rows[shown].focus({ preventScroll: true });
  }

  document.title = visible(match.title);
  $("title").textContent = visible(match.title);
  $("about").textContent = match.about.join(" · ");
  $("result").className = match.result.kind;
  $("headline").textContent = visible(match.result.headline);
  $("detail").textContent = visible(match.result.detail);
  $("slider").max = steps.length - 1;
  root.classList.toggle("wide", match.size[0] > 2.5 * match.size[1]);
  const svg = drawBoard();
  buildPlayers();
  const rows = buildMoves();
  for (const id of Object.keys(go)) $(id).addEventListener("click", () => { if (id !== "play") play(false); go[id](); });
  $("slider").addEventListener("input", () => { play(false); show(Number($("slider").value)); });
  $("speed").addEventListener("change", () => { if (playing) play(true); });
  const faulty = steps.findIndex((step) => faults(step).length > 0);
  $("to-fault").hidden = faulty < 0;
  $("to-fault").addEventListener("click", () => { play(false); show(faulty); });
  document.addEventListener("keydown", onKey);
  window.addEventListener("hashchange", () => { play(false); show(stepOfAddress()); });
  show(stepOfAddress());
})();
