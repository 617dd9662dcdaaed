"use strict";

// Goes round by itself: after a while to the next page, once the arena answers that it is there.
(() => {
  const round = document.getElementById("round");
  const pause = document.getElementById("pause");
  const away = document.getElementById("away");
  const RETRY = 5;
  let timer = null;

  const later = (seconds) => { timer = setTimeout(goOn, seconds * 1000); };

  async function goOn() {
    try {
      // A page that cannot be had must not take the place of one that tries again.
      const answer = await fetch(round.dataset.next, { signal: AbortSignal.timeout(20000) });
      if (answer.ok && timer !== null) {
        location.replace(round.dataset.next);
        return;
      }
    } catch { /* It is told below. */ }
    if (timer === null) return;
    away.hidden = false;
    later(RETRY);
  }

  pause.addEventListener("click", () => {
    const pauses = timer !== null;
    clearTimeout(timer);
    timer = null;
    pause.setAttribute("aria-pressed", String(pauses));
    pause.textContent = pauses ? "Go on" : "Pause";
    if (!pauses) later(1);
  });

  later(Number(round.dataset.seconds));
})();
