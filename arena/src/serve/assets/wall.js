"use strict";

// Goes round by itself: after a while to the next page, once the arena answers that it is there. Each page takes the place of the one
// before it, in the browser's history as well, so that nothing gathers.
(() => {
  const round = document.getElementById("round");
  const pause = document.getElementById("pause");
  const away = document.getElementById("away");
  const RETRY = 5;
  let timer = null;

  const later = (seconds) => { timer = setTimeout(goOn, seconds * 1000); };

  /** Whether a page is there: one that cannot be had must not take the place of one that tries again. */
  async function isThere(address) {
    const answer = await fetch(address, { signal: AbortSignal.timeout(20000) }).catch(() => null);
    await answer?.body?.cancel().catch(() => {});
    return answer !== null && answer.ok;
  }

  async function goOn() {
    const own = timer;
    // A match may have been thrown away meanwhile: then it begins anew.
    for (const address of [round.dataset.next, round.dataset.begin]) {
      const there = await isThere(address);
      // It was stopped meanwhile.
      if (timer !== own) return;
      if (there) {
        location.replace(address);
        return;
      }
    }
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
