// Single-key shortcuts in all views, and a dialog that lists them. Letters are ignored while typing and can be switched
// off: speech input and shaky hands press them by accident.
import { h, button, isComposing } from "./dom.js";
import { t } from "./i18n.js";
import { openDialog } from "./dialog.tsx";

/** @typedef {{ key: string, says: string, go: () => unknown }} Shortcut `says` is the key of its text. */

const STORE = "quorate.shortcuts";
/** Elements that take letters as text. */
const TYPED =
  "textarea, select, [contenteditable], input:not([type=checkbox], [type=radio], [type=range], [type=button])";
let off = false;
try {
  off = localStorage.getItem(STORE) === "off";
} catch {
  // Storage is not available: on, or off for this visit.
}

function switchOff(isOff) {
  off = isOff;
  try {
    localStorage.setItem(STORE, isOff ? "off" : "on");
  } catch {
    // See above.
  }
}

const ARROWS = { ArrowRight: "→", ArrowLeft: "←", ArrowDown: "↓", ArrowUp: "↑" };
const shown = (key) => ({ " ": t("key.space"), Escape: t("key.escape"), ...ARROWS })[key] ?? key;

/** The shortcuts of the present view, and the switch. */
export function help(/** @type {Shortcut[]} */ shortcuts) {
  const all = [{ key: "?", says: "shortcut.help" }, ...shortcuts];
  return openDialog(t("shortcuts"), () => [
    h("dl", { class: "key-list" },
      all.filter(({ says }) => says).map(({ key, says }) =>
        h("div", null, h("dt", null, h("kbd", null, shown(key))), h("dd", null, t(says)))
      )),
    h("label", { class: "tickbox" },
      h("input", { type: "checkbox", checked: !off, "data-testid": "shortcuts-on",
        on: { change: (event) => switchOff(!event.target.checked) } }), h("span", null, t("shortcuts.on"))),
    h("p", { class: "quiet" }, t("shortcuts.text")),
  ], { testid: "shortcuts" });
}

/** Handles keys for the present view: `current()` returns its shortcuts. */
export function listen(/** @type {() => Shortcut[]} */ current) {
  addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (event.defaultPrevented || isComposing(event) || event.ctrlKey || event.altKey || event.metaKey) return;
    if (document.querySelector("dialog[open]") || !(target instanceof Element) || target.closest(TYPED)) return;
    const isLetter = [...key].length === 1 && key !== " ";
    if (off && isLetter) return;
    // Keys that a focused control uses itself.
    if (key === " " && target.closest("button, a, summary, input")) return;
    if (key.startsWith("Arrow") && target.closest("input, [role=slider], [tabindex='0']")) return;
    if (key === "?") help(current());
    else {
      const found = current().find((one) => one.key === key);
      if (!found) return;
      found.go();
    }
    event.preventDefault();
  });
}

/** The button that opens the list. */
export const helpButton = (/** @type {() => Shortcut[]} */ current) =>
  button(t("shortcuts"), () => help(current()), { kind: "quiet", testid: "shortcuts-open" });
