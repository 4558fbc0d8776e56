// Keeps the screen on while a question is open, if the device allows it (https only).
let wanted = false;
let lock = null;
/** True from the request of a lock until its release. */
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
    // Refused, for instance in a power-saving mode.
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
