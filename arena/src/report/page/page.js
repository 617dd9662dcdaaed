// Shows one step of a match at a time. What is told of the match lies in the page as JSON, or comes piece by piece as server-sent
// events while it is played; text from it is only ever set as text. It knows no game: boards come as drawings.
//
// Other scripts of the page hear `arena-opening` and `arena-result` when those are told, and `arena-shown` when a step is shown,
// `arena-grown` when there are more of them. They say `arena-follow` for it to go on with the match, from the newest step where that is
// wanted, and `arena-stay` for it to stay where it is.
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

  /** Where it comes from while it is played; null where the whole of it lies in the page. */
  const live = $("live");
  /** What was told before this long after the opening, in milliseconds, had been played before somebody looked. */
  const BACKLOG = 400;
  const GOING_ON = { kind: "live", headline: "The match is going on", detail: "" };
  let source = null;
  let again = 0;
  let match = { title: "", about: [], players: [], size: [1, 1], result: GOING_ON };
  let steps = [];
  let parts = [];
  let boards = [];
  let rows = [];
  let svg = null;
  let letters = Infinity;
  const kinds = {
    note: "note",
    stderr: "stderr",
    stray: "a line on stdout that is no answer",
    stale: "an answer that nobody waited for",
    invalid: "ignored by the rules",
    fault: "fault",
  };
  let shown = -1;
  /** `still`, `playing` on at the chosen pace, or staying at the `newest` step. */
  let mode = "still";
  let over = true;
  /** Whether what had been played before is told. */
  let caughtUp = false;
  /** When the newest step came, where that was seen. */
  let newestAt = null;
  let shownAt = 0;
  let advancing = 0;
  let settling = 0;
  let addressing = 0;
  const last = () => steps.length - 1;

  /** A drawing is a list of numbers of parts; a pair stands for so many parts of the drawing before it. */
  function readBoard(board, before) {
    return board.flatMap((part) => (Array.isArray(part) ? before.slice(part[0], part[0] + part[1]) : part));
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
    svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    const [width, height] = match.size;
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    svg.setAttribute("class", "arena-board");
    svg.setAttribute("role", "img");
    $("board").replaceChildren(svg);
    root.classList.toggle("wide", width > 2.5 * height);
  }

  /** The smallest letters stay readable: where the page is too narrow for that, the board scrolls. */
  function keepReadable(parts) {
    const sizes = parts.flatMap((part) => [...part.matchAll(/font-size="([\d.]+)"/g)].map((found) => Number(found[1])));
    letters = Math.min(letters, match.size[0], ...sizes);
    svg.style.minWidth = Math.min(760, Math.round((8 * match.size[0]) / letters)) + "px";
  }

  function fitBoard() {
    const scrolls = $("board").scrollWidth > $("board").clientWidth + 1;
    if (scrolls) $("board").tabIndex = 0;
    else $("board").removeAttribute("tabindex");
  }

  function buildPlayers() {
    const bar = (kind) => element("div", { className: "bar " + kind, ariaHidden: "true" }, [element("span")]);
    $("players").replaceChildren(...match.players.map((player, seat) => element("article", { className: "player" }, [
      element("h2", {}, [mark(seat), element("bdi", { textContent: name(seat) }), element("span", { className: "seat", textContent: "seat " + seat })]),
      element("dl"),
      ...(player.bank === null ? [] : [bar("bank")]),
      ...(player.move === null ? [] : [bar("of-move")]),
      element("p", { className: "command", textContent: visible(player.command), title: visible(player.command) }),
    ])), element("dl", { id: "facts" }));
  }

  /** How long the turn after the newest step has been going on, in microseconds, where its seat thinks and that was seen. */
  function thinking(seat) {
    const runs = !over && shown === last() && steps[shown].asked === seat && newestAt !== null;
    if (!runs) return null;
    // After a turn the arena may pause: nobody is asked yet.
    const pause = steps[shown].kind === "turn" ? Number(live.dataset.pause ?? 0) : 0;
    const ms = performance.now() - newestAt - pause;
    return ms < 0 ? null : Math.round(ms * 1e3);
  }

  function lastTook(seat) {
    for (let at = shown; at > 0; at--) if (steps[at].seat === seat && steps[at].took !== undefined) return steps[at].took;
    return null;
  }

  function showFacts(step) {
    const entry = ([label, value]) => element("div", {}, [element("dt", { textContent: label }), element("dd", { textContent: value })]);
    document.querySelectorAll(".player").forEach((card, seat) => {
      const { bank, move, limits } = match.players[seat];
      const own = step.facts.filter((fact) => fact[0] === seat).map((fact) => [fact[1], fact[2]]);
      const [now, took] = [thinking(seat), lastTook(seat)];
      const left = step.left[seat] === null ? null : Math.max(0, step.left[seat] - (now ?? 0));
      const clock = [["time used", time(step.used[seat])], now === null ? ["last move", took === null ? "–" : time(took)] : ["this move", tenths(now)]];
      if (left !== null) clock.push(["time left", now === null ? time(left) : tenths(left)]);
      clock.push(["limit", limits]);
      card.querySelector("dl").replaceChildren(...[...own, ...clock].map(entry));
      fill(card.querySelector(".bank span"), left, bank);
      fill(card.querySelector(".of-move span"), now ?? took, move);
      card.classList.toggle("moved", step.seat === seat);
      card.classList.toggle("thinks", now !== null);
    });
    $("facts").replaceChildren(...step.facts.filter((fact) => fact[0] === null).map((fact) => entry([fact[1], fact[2]])));
  }

  const tenths = (us) => (us < 6e7 ? (us / 1e6).toFixed(1) + " s" : time(us));

  function fill(bar, part, whole) {
    if (bar !== null) bar.style.width = Math.min(100, (100 * (part ?? 0)) / Math.max(1, whole)) + "%";
  }

  function addMoves(from) {
    rows.splice(from).forEach((row) => row.parentElement.remove());
    const made = steps.slice(from).map((step, at) => {
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
      button.addEventListener("click", () => { setMode("still"); show(from + at); });
      rows.push(button);
      return element("li", {}, [button]);
    });
    $("list").append(...made);
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
    const next = Math.max(0, Math.min(last(), index));
    if (next === shown) return;
    const step = steps[next];
    rows[shown]?.removeAttribute("aria-current");
    if (rows[shown]) rows[shown].tabIndex = -1;
    shown = next;
    svg.innerHTML = boards[shown].map((part) => parts[part]).join("");
    svg.setAttribute("aria-label", visible(step.caption));
    // What changes faster than it can be said is not said.
    const hurries = mode === "playing" || (mode === "newest" && performance.now() - shownAt < 1000);
    $("now").setAttribute("aria-live", hurries ? "off" : "polite");
    shownAt = performance.now();
    $("heading").textContent = heading(step);
    $("caption").textContent = visible(step.caption);
    showFacts(step);
    showHeard(step);
    showRow(rows[shown]);
    showPlace();
    showLast();
    root.dataset.step = shown;
    clearTimeout(addressing);
    addressing = setTimeout(address, 200);
    // Whether it plays on is told as it is when somebody looks.
    tell("arena-shown", { step, last: shown === last(), over, svg, get playing() { return mode === "playing"; } });
  }

  const tell = (name, detail) => document.dispatchEvent(new CustomEvent(name, { detail }));

  /** Where among all steps this one is. */
  function showPlace() {
    $("slider").max = last();
    $("slider").value = shown;
    $("slider").setAttribute("aria-valuetext", heading(steps[shown]));
    for (const id of ["first", "previous"]) $(id).setAttribute("aria-disabled", shown === 0);
    for (const id of ["next", "last"]) $(id).setAttribute("aria-disabled", shown === last());
    const behind = last() - shown;
    $("to-live").hidden = over;
    $("to-live").textContent = behind === 0 ? "Live" : `Live · ${behind} behind`;
    $("to-live").setAttribute("aria-label", behind === 0 ? "Live" : `Live: this is ${behind} ${behind === 1 ? "turn" : "turns"} behind`);
    $("to-live").setAttribute("aria-pressed", mode === "newest");
    $("to-fault").hidden = !steps.some((step) => faults(step).length > 0);
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
    // Whoever follows a match goes on to do so when the page is loaded anew.
    const follows = !over && mode !== "still";
    const hash = follows ? "" : step.kind === "turn" ? "#turn=" + (step.turn + 1) : "#" + step.kind;
    if (location.hash === hash || (!follows && shown === 0 && location.hash === "")) return;
    history.replaceState(null, "", hash || location.pathname + location.search);
  }

  /** The position before turn N is what came of the turns before it; after the last turn comes the end. */
  function stepOfAddress() {
    if (location.hash === "#end") return last();
    const turn = /^#turn=(\d+)$/.exec(location.hash);
    if (turn === null) return 0;
    const next = Number(turn[1]);
    return steps.some((step) => step.kind === "turn" && step.turn >= next) ? next : last();
  }

  function setMode(to) {
    mode = to;
    clearTimeout(advancing);
    root.classList.toggle("playing", mode === "playing");
    $("play").setAttribute("aria-label", mode === "playing" ? "Pause" : "Play");
    if (mode === "newest") show(last());
    if (mode === "playing") advance();
    if (shown >= 0) showPlace();
  }

  /** Plays on: the next step at its time, or as soon as it comes. */
  function advance() {
    clearTimeout(advancing);
    // Whoever was told of a step may have stopped there.
    if (mode !== "playing") return;
    if (shown === last()) {
      if (over) setMode("still");
      return;
    }
    const due = shownAt + 1000 / Number($("speed").value) - performance.now();
    if (due > 0) {
      advancing = setTimeout(advance, due);
      return;
    }
    show(shown + 1);
    advance();
  }

  function play() {
    if (mode !== "playing" && over && shown === last()) show(0);
    setMode(mode === "playing" ? "still" : "playing");
  }

  const by = (index) => { setMode("still"); show(index); };
  const go = {
    first: () => by(0),
    previous: () => by(shown - 1),
    next: () => by(shown + 1),
    last: () => (over ? by(last()) : setMode("newest")),
    play,
  };
  const keys = { ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last", " ": "play" };

  function onKey(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const at = event.target;
    const inList = at.closest("#list") !== null;
    const own = { ArrowUp: "previous", ArrowDown: "next" };
    const what = keys[event.key] ?? (inList ? own[event.key] : undefined);
    const takesIt = at.matches("select, #board[tabindex]") || (event.key === " " ? at.matches("button") : at.matches("input"));
    if (what === undefined || takesIt || shown < 0) return;
    event.preventDefault();
    go[what]();
    if (inList) rows[shown].focus({ preventScroll: true });
  }

  /** A match begins to be told. It does so once more when the arena was started anew. */
  function open(opening) {
    match = { ...opening, result: opening.result ?? GOING_ON };
    [steps, parts, boards, shown, letters, newestAt] = [[], [], [], -1, Infinity, null];
    addMoves(0);
    document.title = visible(match.title);
    $("title").textContent = visible(match.title);
    $("about").textContent = match.about.join(" · ");
    drawBoard();
    buildPlayers();
    showResult();
    tell("arena-opening", opening);
  }

  function showResult() {
    $("result").className = match.result.kind;
    $("headline").textContent = visible(match.result.headline);
    $("detail").textContent = visible(match.result.detail);
  }

  /** Steps from `from` on; those that were there are told anew, and what came after them counts no more. */
  function add(piece) {
    parts.push(...piece.parts);
    keepReadable(piece.parts);
    steps.splice(piece.from);
    boards.splice(piece.from);
    for (const step of piece.steps) {
      boards.push(readBoard(step.board, boards.at(-1) ?? []));
      steps.push(step);
    }
    if (piece.result) {
      match.result = piece.result;
      showResult();
      tell("arena-result", piece.result);
    }
    const returnTo = shown >= piece.from ? Math.min(shown, last()) : null;
    addMoves(piece.from);
    if (returnTo !== null) {
      shown = -1;
      show(returnTo);
    }
    newestAt = caughtUp ? performance.now() : null;
    if (shown < 0) return;
    showPlace();
    if (mode === "newest") show(last());
    if (mode === "playing") advance();
    if (shown === last()) showFacts(steps[shown]);
    tell("arena-grown", { last: shown === last(), following: mode !== "still" });
  }

  /** All that had been played is told: what is shown first? */
  function settle() {
    clearTimeout(settling);
    caughtUp = true;
    if (steps.length === 0) return;
    const named = location.hash !== "" && location.hash !== "#end";
    show(over || named ? stepOfAddress() : last());
    if (over ? root.classList.contains("wall") : !named) setMode(live.dataset.follow === "newest" ? "newest" : "playing");
    else setMode("still");
  }

  /** Listens for as long as the match goes on; the browser takes up a broken line by itself, where it may. */
  function listen() {
    source?.close();
    source = new EventSource(live.dataset.live);
    const on = (name, hear) => source.addEventListener(name, (event) => {
      $("line").hidden = true;
      hear(JSON.parse(event.data));
    });
    on("opening", (opening) => {
      [over, caughtUp] = [false, false];
      setMode("still");
      open(opening);
      clearTimeout(settling);
      settling = setTimeout(settle, BACKLOG);
    });
    on("piece", (piece) => {
      add(piece);
      // The first of it was long in coming.
      if (caughtUp && shown < 0) settle();
    });
    on("trouble", (why) => {
      $("trouble").textContent = "The match cannot be shown: " + visible(String(why));
      $("trouble").hidden = false;
    });
    on("over", () => {
      source.close();
      over = true;
      if (!caughtUp) settle();
      else if (shown >= 0) finish();
      askForNext();
    });
    source.addEventListener("open", () => { $("line").hidden = true; });
    source.addEventListener("error", () => {
      $("line").hidden = false;
      if (source.readyState === EventSource.CLOSED) again = setTimeout(listen, 1000 + 2000 * Math.random());
    });
  }

  // A page that was left may be kept to be come back to, and its line with it: after a few of those a browser opens no more to the arena.
  window.addEventListener("pagehide", () => {
    clearTimeout(again);
    source?.close();
  });
  window.addEventListener("pageshow", ({ persisted }) => { if (persisted && live !== null && !over) listen(); });

  /** Who follows goes on to the end, at the pace that was chosen. */
  function finish() {
    if (mode === "newest") setMode("still");
    else if (mode === "playing") advance();
    showFacts(steps[shown]);
    showPlace();
    address();
  }

  /** Whoever plays several matches shows them one after the other. */
  function askForNext() {
    if (live.dataset.next === undefined || !$("newer").hidden) return;
    setTimeout(async () => {
      let next = null;
      try {
        const answer = await fetch(live.dataset.next);
        // The arena knows no more of this match.
        if (answer.status === 404) return;
        if (answer.status === 200) next = await answer.json();
      } catch {
        // The arena is not there for a moment, or its answer broke off.
      }
      if (next === null) return askForNext();
      $("newer").href = next;
      $("newer").hidden = false;
      // A wall goes on for a day, and nobody goes back there.
      if (root.classList.contains("wall")) location.replace(next + location.search);
    }, 2000 + 1000 * Math.random());
  }

  new ResizeObserver(fitBoard).observe($("board"));
  for (const id of Object.keys(go)) $(id).addEventListener("click", () => { if (shown >= 0) go[id](); });
  $("slider").addEventListener("input", () => { if (shown >= 0) by(Number($("slider").value)); });
  $("speed").addEventListener("change", () => { if (mode === "playing") advance(); });
  $("to-live").addEventListener("click", () => setMode("newest"));
  $("to-fault").addEventListener("click", () => by(steps.findIndex((step) => faults(step).length > 0)));
  document.addEventListener("arena-follow", ({ detail }) => {
    if (shown < 0) return;
    if (detail.newest) setMode("newest");
    if (mode !== "playing" && !(over && shown === last())) setMode("playing");
  });
  document.addEventListener("arena-stay", () => { if (mode === "playing") setMode("still"); });
  document.addEventListener("keydown", onKey);
  window.addEventListener("hashchange", () => { if (shown >= 0) by(stepOfAddress()); });
  if (live === null) {
    const whole = JSON.parse($("match").textContent);
    open(whole);
    add({ from: 0, ...whole });
    show(stepOfAddress());
  } else {
    root.classList.toggle("wall", new URLSearchParams(location.search).has("wall"));
    if (live.dataset.transcript !== undefined) {
      $("download").href = live.dataset.transcript;
      $("download").hidden = false;
    }
    over = false;
    $("headline").textContent = "The match has not begun yet";
    listen();
    setInterval(() => { if (!over && shown >= 0 && shown === last() && newestAt !== null) showFacts(steps[shown]); }, 200);
  }
})();
