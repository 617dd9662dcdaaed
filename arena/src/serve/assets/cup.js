"use strict";

// Keeps the page of a cup as it is: the arena tells which parts have changed, and they are fetched and put in their places.
(() => {
  const cup = document.getElementById("cup");
  const line = document.getElementById("line");
  const parts = new Map([...cup.querySelectorAll(".part")].map((part) => [part.dataset.part, part]));
  const wanted = new Map();
  const RETRY = 2000;
  let busy = false;

  function listen() {
    const events = new EventSource(cup.dataset.live);
    events.addEventListener("open", () => { line.hidden = true; });
    events.addEventListener("error", () => {
      line.hidden = false;
      // The browser tries again by itself only where nobody answered.
      if (events.readyState === EventSource.CLOSED) setTimeout(listen, RETRY);
    });
    events.addEventListener("parts", (event) => {
      for (const [name, hash] of Object.entries(JSON.parse(event.data))) wanted.set(name, hash);
      catchUp();
    });
  }

  const hasChanged = ([name, part]) => wanted.has(name) && wanted.get(name) !== part.dataset.hash;

  async function catchUp() {
    if (busy) return;
    busy = true;
    try {
      // More may be told while a part is on its way.
      for (let next = [...parts].find(hasChanged); next; next = [...parts].find(hasChanged)) {
        const [name, part] = next;
        const answer = await fetch(part.dataset.from);
        if (!answer.ok) throw new Error(answer.statusText);
        const hash = answer.headers.get("x-part-hash");
        put(part, await answer.text());
        part.dataset.hash = hash;
        // What came may be newer than what was told.
        wanted.set(name, hash);
        line.hidden = true;
      }
    } catch {
      // Nothing more may be told of a cup that has ended: what is missing is asked for again.
      line.hidden = false;
      setTimeout(catchUp, RETRY);
    } finally {
      busy = false;
    }
  }

  // Puts new content into a part; what is in focus, open, or scrolled stays so, and so does what is in view.
  function put(part, markup) {
    const boxes = [...part.querySelectorAll(".scroll")].map((box) => [box.scrollLeft, box.scrollTop]);
    const focused = part.contains(document.activeElement) ? keyOf(part, document.activeElement) : null;
    const anchor = [...parts.values()].find((other) => other !== part && other.getBoundingClientRect().bottom > 0 &&
      other.getBoundingClientRect().height > 0);
    const before = anchor?.getBoundingClientRect().top;
    part.innerHTML = markup;
    part.querySelectorAll(".scroll").forEach((box, place) => {
      if (boxes[place]) [box.scrollLeft, box.scrollTop] = boxes[place];
    });
    if (focused) find(part, focused)?.focus({ preventScroll: true });
    const isAbove = anchor && (anchor.compareDocumentPosition(part) & Node.DOCUMENT_POSITION_PRECEDING);
    if (isAbove) window.scrollBy(0, anchor.getBoundingClientRect().top - before);
  }

  const focusable = (part) => [...part.querySelectorAll("a, summary, button, [tabindex]")];

  // By what an element is found again: where its link leads, else its place.
  function keyOf(part, element) {
    const same = focusable(part).filter((other) => other.getAttribute("href") === element.getAttribute("href"));
    return { href: element.getAttribute("href"), place: same.indexOf(element) };
  }

  function find(part, { href, place }) {
    const same = focusable(part).filter((other) => other.getAttribute("href") === href);
    return same[place] ?? same[0];
  }

  listen();
})();
