// Keeps the screen on while somebody takes part, if the device allows it (https only).
export const canKeepAwake = "wakeLock" in navigator;
let wanted = false;
let lock = null;
/** True from the request of a lock until its release. */
let isRequested = false;

async function hold() {
  if (!wanted || isRequested || document.visibilityState !== "visible") return;
  isRequested = true;
  try {
    lock = (await navigator.wakeLock?.request("screen")) ?? null;
    lock?.addEventListener("release", () => {
      isRequested = false;
      lock = null;
      // The next question may have come meanwhile.
      void hold();
    });
    if (!wanted) lock?.release();
  } catch {
    // Refused, for instance in a power-saving mode.
    isRequested = false;
  }
}
document.addEventListener("visibilitychange", hold);

export function keepAwake(is) {
  const was = wanted;
  wanted = is;
  if (is) void hold();
  else if (was) lock?.release();
}
