// The screen stays on while a question is open, where the device allows it (by https only).
let wanted = false;
let lock = null;
/** From when a lock is asked for until it is gone. */
let isAsked = false;

async function hold() {
  if (!wanted || isAsked || document.visibilityState !== "visible") return;
  isAsked = true;
  try {
    lock = (await navigator.wakeLock?.request("screen")) ?? null;
    lock?.addEventListener("release", () => {
      isAsked = false;
      lock = null;
      // The next question may have come meanwhile.
      void hold();
    });
    if (!wanted) lock?.release();
  } catch {
    // A device that saves power says no.
    isAsked = false;
  }
}
document.addEventListener("visibilitychange", hold);

export function awake(is) {
  const was = wanted;
  wanted = is;
  if (is) void hold();
  else if (was) lock?.release();
}
