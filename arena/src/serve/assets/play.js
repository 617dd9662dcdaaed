// Lets a person play the match that the page shows: what can be chosen is asked of the arena, and laid over the board. It knows no game:
// there are places, buttons beside the board, and directions around a point.
"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const panel = $("turn");
  const { at, seat: seatText } = panel.dataset;
  const seat = Number(seatText);
  /** So many pixels around a place belong to it where nothing else is: a finger is broad. */
  const FINGER = 24;
  /** The least radius of a ring, in pixels. */
  const RING = 48;
  /** A place that is smaller, in pixels, is enlarged before a finger chooses it; then it is at least so large. */
  const [SMALL, LARGE] = [24, 44];
  /** So near, in radians, a barred direction is taken for the next that is allowed. */
  const NEAR = 0.1;
  const TAU = 2 * Math.PI;

  /** What can be chosen lies over the board, in the units of its drawing. */
  const overlay = shape("svg", { class: "choices", id: "choices" });
  let svg = null;
  let shown = null;
  let size = [1, 1];
  let players = [];
  /** What was chosen so far of the move in the making; `turn` is null where nothing is to be chosen. */
  let turn = null;
  let path = [];
  /** The paths that lead here, to step back on. */
  let trail = [];
  /** What was chosen on the way to a path, by its JSON. */
  const picks = new Map();
  let targets = [];
  /** The drawing that belongs to what can be chosen. */
  let drawn = "";
  /** What is to be chosen, in words. */
  let asked = "";
  let ring = null;
  let angle = 0;
  /** What was asked before this counts no more. */
  let asking = 0;
  /** The move that was warned of, with its turn. */
  let unsure = null;
  /** The turn whose move is on its way. */
  let sent = null;
  /** Whether it was last chosen by key: then what comes next takes the focus. */
  let byKey = false;
  /** The last of the person's passes that need not be announced any more. */
  let confirmed = null;
  let finished = false;

  function say(text) {
    $("ask").textContent = text;
  }

  function problem(text) {
    $("problem").textContent = text;
    $("problem").hidden = text === "";
  }

  async function call(what, body) {
    try {
      const answer = await fetch(at + "/" + what, body === undefined ? {} : {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      if (answer.ok) return await answer.json();
      problem(await answer.text());
    } catch {
      problem("The arena does not answer: is it still running?");
    }
    return null;
  }

  /** Nothing can be chosen. */
  function clear() {
    asking += 1;
    [turn, path, trail, targets, ring, unsure] = [null, [], [], [], null, null];
    picks.clear();
    overlay.replaceChildren();
    $("hand").replaceChildren();
    for (const id of ["sure", "passed", "back", "to-game"]) $(id).hidden = true;
    $("typing").hidden = true;
    panel.classList.remove("mine");
  }

  /** Asks what can be chosen after a path, and shows it. True when it could be had. */
  async function ask(next, wait = 50) {
    const number = ++asking;
    const told = await call("targets?path=" + encodeURIComponent(JSON.stringify(next)));
    if (number !== asking) return false;
    if (told === null || told.turn === null) {
      // The board is there before the arena asks; or the match has just ended; or the arena was not there for a moment.
      setTimeout(() => { if (number === asking && !finished) ask(next, Math.min(2 * wait, 2000)); }, wait);
      return false;
    }
    if (told.move !== undefined) return false;
    [turn, path, targets, ring, drawn] = [told.turn, next, told.targets, null, told.svg];
    if (next.length === 0) trail = [];
    svg.innerHTML = drawn;
    const last = picked().at(-1);
    asked = told.ask;
    offer(next.length === 0 ? `Your move. ${asked}` : last === undefined ? asked : `Chosen: ${last.label}. ${asked}`);
    return true;
  }

  const picked = () => picks.get(JSON.stringify(path)) ?? [];

  function offer(words) {
    say(words);
    panel.classList.add("mine");
    $("typing").hidden = false;
    $("back").hidden = path.length === 0 && ring === null;
    overlay.replaceChildren();
    $("hand").replaceChildren();
    overlay.classList.toggle("further", path.length > 0);
    if (ring !== null) return drawRing();
    for (const { at } of picked()) {
      if (at !== null) overlay.append(shape("rect", { x: at[0], y: at[1], width: at[2], height: at[3], rx: 4, class: "picked" }));
    }
    const placed = targets.filter((target) => target.at !== null);
    placed.forEach((target, index) => {
      const [x, y, width, height] = target.at;
      const rect = shape("rect", {
        x, y, width, height, rx: 4, class: "choice", role: "button", "aria-label": target.label,
        "data-key": JSON.stringify(target.key), tabindex: placed.length > 60 && index > 0 ? -1 : 0,
      }, [shape("title")]);
      rect.firstChild.textContent = target.label;
      rect.addEventListener("keydown", (event) => onPlaceKey(event, target, rect));
      overlay.append(rect);
    });
    for (const target of targets.filter((target) => target.at === null)) {
      const button = Object.assign(document.createElement("button"), { type: "button", textContent: target.label });
      button.dataset.key = JSON.stringify(target.key);
      button.addEventListener("click", (event) => { byKey = event.detail === 0; choose(target); });
      $("hand").append(button);
    }
    $("enlarge").hidden = !isEnlarged() && smallest() >= SMALL;
    bringIntoView();
    if (byKey) (overlay.querySelector("rect") ?? $("hand").querySelector("button"))?.focus({ preventScroll: true });
  }

  /** Where the board is broader than its place, and shows what the rival did: something that can be chosen is brought into view. */
  function bringIntoView() {
    const board = $("board").getBoundingClientRect();
    const places = [...overlay.querySelectorAll(".choice")].map((place) => place.getBoundingClientRect());
    const isInView = ({ left, right, top, bottom }) => left >= board.left && right <= board.right && top >= board.top && bottom <= board.bottom;
    if (places.length === 0 || places.some(isInView)) return;
    const [{ left, top, width, height }] = places;
    $("board").scrollBy(left + (width - board.width) / 2 - board.left, top + (height - board.height) / 2 - board.top);
  }

  function choose(target) {
    problem("");
    if (target.next === "move") return move({ path: [...path, target.key] });
    if (target.next === "more") {
      const next = [...path, target.key];
      picks.set(JSON.stringify(next), [...picked(), target]);
      return goTo(next);
    }
    const pixel = 1 / overlay.getScreenCTM().a;
    // Where the way is short, the ring stands further out: a direction is to be met, and the thing itself to be seen.
    ring = { ...target.next, key: target.key, shown: Math.max(target.next.radius, RING * pixel), half: target.at === null ? 0 : target.at[2] / 2 };
    angle = nearest(Math.PI / 2, Infinity) ?? 0;
    offer(`Chosen: ${target.label}. Choose a direction: click on the ring, or turn with the arrow keys and press Enter.`);
  }

  function back() {
    problem("");
    if (ring !== null) {
      ring = null;
      offer(asked);
    } else if (path.length > 0) ask(trail.pop() ?? []);
  }

  function goTo(next) {
    trail.push(path);
    return ask(next);
  }

  async function move(made) {
    const mine = turn;
    if (mine === null || sent === mine) return;
    sent = mine;
    $("sure").hidden = true;
    const told = await call("move", { turn, ...made });
    sent = null;
    if (told === null) {
      // What is wrong is said; the move is made anew.
      const said = $("problem").textContent;
      if (turn === mine && mine !== null) await ask([]);
      // Perhaps it was made in another window: what came of it is shown.
      follow();
      return problem(said);
    }
    if (told.loses !== undefined) {
      // Somebody else has moved meanwhile, or somebody looks elsewhere: this move is no longer to be made.
      if (turn !== mine) return;
      unsure = { turn: mine, ...made };
      $("sure-text").textContent = `This move loses at once: ${told.loses}`;
      $("sure").hidden = false;
      return $("not-sure").focus({ preventScroll: true });
    }
    $("typed").value = "";
    // What came of it may have been shown before this was told, and the next move be in the making.
    if (turn === mine) {
      clear();
      say("Your move is made.");
    }
    goOn();
  }

  /** Goes on to what was played meanwhile, where the page does not show it yet. */
  function follow() {
    if (shown !== null && !shown.last) goOn();
  }

  /** Goes on showing what is played, as it comes, or from the newest step on. */
  function goOn(newest = false) {
    document.dispatchEvent(new CustomEvent("arena-follow", { detail: { newest } }));
  }

  // Places.

  /** Where an event is, in the units of the drawing, and how many of them a pixel is. */
  function point(event) {
    const matrix = overlay.getScreenCTM();
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    return { x, y, pixel: 1 / matrix.a };
  }

  /** The target that is there, or else the nearest one within a finger's width. */
  function hit({ x, y, pixel }) {
    let [best, least] = [null, FINGER * pixel];
    for (const target of targets) {
      if (target.at === null) continue;
      const [left, top, width, height] = target.at;
      const outside = Math.hypot(Math.max(left - x, 0, x - left - width), Math.max(top - y, 0, y - top - height));
      const middle = Math.hypot(left + width / 2 - x, top + height / 2 - y);
      // Where places overlap the one whose middle is nearer is meant.
      const distance = outside > 0 ? outside : middle * 1e-6;
      if (distance < least) [best, least] = [target, distance];
    }
    return best;
  }

  // Boards that are too small for a finger.

  const isEnlarged = () => $("board").classList.contains("enlarged");

  /** The least side of a place, in pixels as they are seen. */
  function smallest() {
    const sides = targets.filter((target) => target.at !== null).map(({ at: [, , width, height] }) => Math.min(width, height));
    return Math.min(...sides) * overlay.getScreenCTM().a * (window.visualViewport?.scale ?? 1);
  }

  /** Makes the board so large that every place can be met, and brings a point of it into the middle; or as it was. */
  function enlarge(on, { x, y } = { x: size[0] / 2, y: size[1] / 2 }) {
    const board = $("board");
    if (on) board.style.setProperty("--broad", Math.ceil((overlay.getBoundingClientRect().width * LARGE) / smallest()) + "px");
    board.classList.toggle("enlarged", on);
    $("enlarge").setAttribute("aria-pressed", on);
    if (!on) return;
    const spot = new DOMPoint(x, y).matrixTransform(overlay.getScreenCTM());
    const { left, top, width, height } = board.getBoundingClientRect();
    board.scrollBy(spot.x - left - width / 2, spot.y - top - height / 2);
  }

  $("enlarge").addEventListener("click", () => enlarge(!isEnlarged()));

  overlay.addEventListener("click", async (event) => {
    if (turn === null) return;
    byKey = false;
    const where = point(event);
    if (event.pointerType === "touch" && ring === null && !isEnlarged() && smallest() < SMALL) {
      enlarge(true, where);
      return say("The board is enlarged: choose now, or move it with a finger.");
    }
    if (ring !== null) {
      const direction = aimed(where);
      if (direction !== null) return take(direction);
      ring = null;
      offer(asked);
    }
    let target = hit(where);
    // A click elsewhere changes one's mind, and may be a new beginning.
    if (target === null && path.length > 0 && (await ask([]))) target = hit(where);
    if (target !== null) choose(target);
  });

  function onPlaceKey(event, target, rect) {
    if (event.key === "Enter" || event.key === " ") {
      byKey = true;
      choose(target);
    } else if (ARROWS[event.key] !== undefined) {
      neighbour(rect, overlay.querySelectorAll("rect.choice"), ARROWS[event.key])?.focus({ preventScroll: true });
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  // Directions.

  /** The number by which an allowed direction is known; null where it is barred. */
  function allowed(direction) {
    const turned = ((direction % TAU) + TAU) % TAU;
    for (const number of [turned, turned + TAU]) {
      if (ring.arcs.some(([from, to]) => from <= number && number <= to)) return number;
    }
    return null;
  }

  /** The allowed direction next to this one, no further away than that. */
  function nearest(direction, within) {
    const here = allowed(direction);
    if (here !== null) return here;
    let [best, least] = [null, within];
    for (const end of ring.arcs.flat()) {
      const away = Math.abs(((end - direction + Math.PI) % TAU + TAU) % TAU - Math.PI);
      if (away < least) [best, least] = [end, away];
    }
    return best;
  }

  /** The direction that a click means; null for one that is away from the ring. */
  function aimed({ x, y, pixel }) {
    const [dx, dy] = [x - ring.centre[0], y - ring.centre[1]];
    const away = Math.hypot(dx, dy);
    if (away < ring.shown * 0.25 || away > ring.shown + FINGER * pixel) return null;
    return Math.atan2(-dy, dx);
  }

  function take(direction) {
    const number = nearest(direction, NEAR);
    if (number === null) return problem("That direction is barred: choose one where the ring is strong.");
    problem("");
    const next = [...path, ring.key, number];
    return ring.ends ? move({ path: next }) : goTo(next);
  }

  const spot = (direction, radius = ring.shown) => [ring.centre[0] + radius * Math.cos(direction), ring.centre[1] - radius * Math.sin(direction)];

  function arc([from, to]) {
    const [start, end] = [spot(from), spot(to)];
    const r = ring.shown;
    if (to - from >= TAU - 1e-9) return `M${spot(0)} A${r} ${r} 0 1 0 ${spot(Math.PI)} A${r} ${r} 0 1 0 ${spot(TAU)}`;
    return `M${start} A${r} ${r} 0 ${to - from > Math.PI ? 1 : 0} 0 ${end}`;
  }

  function drawRing() {
    const [cx, cy] = ring.centre;
    overlay.append(
      shape("circle", { cx, cy, r: ring.shown, class: "barred" }),
      ...ring.arcs.map((ends) => shape("path", { d: arc(ends), class: "allowed" })),
      shape("line", { class: "aim", x1: cx, y1: cy }),
      shape("circle", { class: "landing", r: ring.half }),
      shape("circle", { class: "aim-end", r: ring.shown / 6, role: "slider", tabindex: 0, "aria-label": "Direction", "aria-valuemin": 0, "aria-valuemax": 360 }),
    );
    aim();
    const end = overlay.querySelector(".aim-end");
    end.addEventListener("keydown", onRingKey);
    end.focus({ preventScroll: true });
  }

  function aim() {
    const [x, y] = spot(angle);
    const [line, end] = [overlay.querySelector(".aim"), overlay.querySelector(".aim-end")];
    line.setAttribute("x2", x);
    line.setAttribute("y2", y);
    end.setAttribute("cx", x);
    end.setAttribute("cy", y);
    const landing = overlay.querySelector(".landing");
    const [landingX, landingY] = spot(angle, ring.radius);
    landing.setAttribute("cx", landingX);
    landing.setAttribute("cy", landingY);
    const degrees = Math.round((((angle % TAU) + TAU) % TAU) * 360 / TAU);
    end.setAttribute("aria-valuenow", degrees);
    end.setAttribute("aria-valuetext", `${degrees} degrees from the right, counter-clockwise`);
  }

  /** Turns by so much, over what is barred to the next direction that is allowed. */
  function turnBy(by) {
    const degree = TAU / 360;
    for (let tried = angle + by, steps = 0; steps < 360; tried += Math.sign(by) * degree, steps += 1) {
      const found = allowed(tried) ?? nearest(tried, degree / 2);
      if (found === null || Math.abs(found - angle) < 1e-9) continue;
      angle = found;
      return aim();
    }
  }

  function onRingKey(event) {
    const by = { ArrowLeft: 1, ArrowUp: 1, ArrowRight: -1, ArrowDown: -1 }[event.key];
    if (by !== undefined) turnBy((by * (event.shiftKey ? 10 : 1) * TAU) / 360);
    else if (event.key === "Enter" || event.key === " ") {
      byKey = true;
      take(angle);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  overlay.addEventListener("pointermove", (event) => {
    if (ring === null) return;
    const direction = aimed(point(event));
    const found = direction === null ? null : nearest(direction, NEAR);
    if (found === null) return;
    angle = found;
    aim();
  });

  // What the page shows.

  document.addEventListener("arena-opening", ({ detail }) => {
    [size, players] = [detail.size, detail.players];
    overlay.setAttribute("viewBox", `0 0 ${size[0]} ${size[1]}`);
    $("board").append(overlay);
  });

  document.addEventListener("arena-shown", ({ detail }) => {
    shown = detail;
    // What was passed before somebody looked is known.
    confirmed ??= detail.over ? Infinity : (detail.step.turn ?? -1);
    // The seats take turns.
    if ((detail.step.turn ?? -1) >= seat) $("undo").hidden = false;
    svg = detail.svg;
    overlay.style.minWidth = svg.style.minWidth;
    if (turn !== null && detail.last && !detail.over && turn === (detail.step.turn ?? -1) + 1) {
      // Told anew of the position in which somebody is choosing: that goes on.
      svg.innerHTML = drawn;
      return;
    }
    clear();
    look();
  });

  document.addEventListener("arena-grown", ({ detail }) => {
    if (shown === null) return;
    const was = shown.last;
    shown.last = detail.last;
    // Who stood at the newest step goes on with the match.
    if (was && !detail.last && !detail.following && $("passed").hidden && $("sure").hidden) goOn();
  });

  /** What is to be done where the page is. */
  function look() {
    const { step, last, playing } = shown;
    const over = shown.over || finished;
    say("");
    if (step.pass && step.seat === seat && step.turn > confirmed) {
      $("passed").hidden = false;
      document.dispatchEvent(new Event("arena-stay"));
      if (byKey) $("pass-ok").focus({ preventScroll: true });
    } else if (!last && !playing) {
      say("You are looking back.");
      $("to-game").hidden = over;
    } else if (last && !over && step.asked === seat) {
      say("Your move …");
      ask([]);
    } else if (last && !over && step.asked !== null) {
      say(`${players[1 - seat].name} is to move …`);
    }
  }

  document.addEventListener("arena-result", async () => {
    finished = true;
    $("resign").hidden = true;
    for (const id of ["again", "swap"]) $(id).hidden = false;
    if (shown !== null && $("passed").hidden) {
      clear();
      look();
    }
    // It may go on elsewhere: a move was taken back in another window.
    const told = await call("state");
    if (told?.next) location.replace(told.next);
  });

  async function leaveFor(what, body, button) {
    problem("");
    button.disabled = true;
    const told = await call(what, body);
    button.disabled = false;
    if (told?.address) location.assign(told.address);
  }

  $("pass-ok").addEventListener("click", (event) => {
    byKey = event.detail === 0;
    confirmed = shown.step.turn;
    $("passed").hidden = true;
    look();
    goOn();
  });
  $("is-sure").addEventListener("click", () => { if (unsure !== null) move({ ...unsure, sure: true }); });
  $("not-sure").addEventListener("click", (event) => {
    byKey = event.detail === 0;
    unsure = null;
    $("sure").hidden = true;
    ask([]);
  });
  $("typing").addEventListener("submit", (event) => {
    event.preventDefault();
    problem("");
    if (turn !== null && $("typed").value.trim() !== "") move({ typed: $("typed").value });
  });
  $("back").addEventListener("click", back);
  $("to-game").addEventListener("click", () => goOn(true));
  $("undo").addEventListener("click", (event) => leaveFor("undo", {}, event.target));
  $("again").addEventListener("click", (event) => leaveFor("again", { swap: false }, event.target));
  $("swap").addEventListener("click", (event) => leaveFor("again", { swap: true }, event.target));
  $("resign").addEventListener("click", async ({ target }) => {
    if (target.dataset.sure === undefined) {
      target.dataset.sure = "";
      target.textContent = "Give up? Click once more";
      return;
    }
    if (await call("resign", {})) {
      clear();
      say("You give the match up.");
    }
  });
  $("resign").addEventListener("blur", ({ target }) => {
    delete target.dataset.sure;
    target.textContent = "Give up";
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && turn !== null && $("sure").hidden) {
      byKey = true;
      back();
    } else if (event.key === "Escape" && !$("sure").hidden) $("not-sure").click();
  });
  // In the panel the arrow keys go from button to button, and not through the match.
  panel.addEventListener("keydown", (event) => {
    if (ARROWS[event.key] === undefined && event.key !== " ") return;
    event.stopPropagation();
    const buttons = [...$("hand").children];
    const here = buttons.indexOf(event.target);
    if (here < 0 || event.key === " ") return;
    event.preventDefault();
    buttons.at((here + (ARROWS[event.key][0] + ARROWS[event.key][1])) % buttons.length).focus();
  });

  for (const id of ["again", "swap"]) $(id).hidden = true;
  $("now").after(panel);
  clear();
  say("The match is about to begin.");
})();
