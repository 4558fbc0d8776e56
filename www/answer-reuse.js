// The setting whether stored answers of earlier runs are reused for identical requests; kept in this browser.
const STORE = "quorate.recorded";

/** @returns {"use" | undefined} undefined: every question is put */
export function recorded() {
  try {
    return localStorage.getItem(STORE) === "use" ? "use" : undefined;
  } catch {
    return undefined;
  }
}

export function setRecorded(used) {
  try {
    if (used) localStorage.setItem(STORE, "use");
    else localStorage.removeItem(STORE);
  } catch {
    // Storage is not available: nothing is reused.
  }
}
