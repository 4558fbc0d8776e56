// The screen stays on while a question is open, where the device allows it (by https only).
let wanted = false;
let lock = null;

async function hold() {
  if (!wanted || lock || document.visibilityState !== "visible") return;
  try {
    lock = await navigator.wakeLock?.request("screen") ?? null;
    lock?.addEventListener("release", () => {
      lock = null;
      // The next question may have come meanwhile.
      void hold();
    });
    if (!wanted) lock?.release();
  } catch {
    // A device that saves power says no.
  }
}
document.addEventListener("visibilitychange", hold);

export function awake(is) {
  wanted = is;
  if (is) void hold();
  else lock?.release();
}
