// Whether answers that earlier runs were given are taken again where exactly the same is asked: the choice of this browser.
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
    // Then every question is put.
  }
}
