// Light, dark, or as the system. The choice is stored; the style sheets read `data-theme`.
const STORE = "quorate.theme";
export const THEMES = ["auto", "light", "dark"];
const dark = matchMedia("(prefers-color-scheme: dark)");
const listeners = new Set();

/** @returns {string} */
export function theme() {
  try {
    const kept = localStorage.getItem(STORE);
    return THEMES.includes(kept) ? kept : "auto";
  } catch {
    return "auto";
  }
}

export function setTheme(name) {
  try {
    localStorage.setItem(STORE, name);
  } catch {
    // Storage is not available: it applies to this visit only.
  }
  apply(name);
}

export function apply(name = theme()) {
  document.documentElement.dataset.theme = name === "auto" ? (dark.matches ? "dark" : "light") : name;
  for (const listener of listeners) listener();
}

/** Calls back when colours change; returns a function that stops it. */
export function onTheme(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

dark.addEventListener("change", () => apply());
