// One key from anywhere in a view to where one wants to be, and a dialog that lists the keys. Letters do nothing while
// somebody types, and can be switched off altogether: speech input and a shaky hand press them unmeant.
import { h, button } from "./dom.js";
import { t } from "./i18n.js";
import { openDialog } from "./dialog.js";

/** @typedef {{ key: string, says: string, go: () => unknown }} Shortcut `says` is the key of its text. */

const STORE = "quorate.shortcuts";
/** What takes letters as text. */
const TYPED =
  "textarea, select, [contenteditable], input:not([type=checkbox], [type=radio], [type=range], [type=button])";
let off = false;
try {
  off = localStorage.getItem(STORE) === "off";
} catch {
  // Then they are on, and stay off for this visit where somebody switches them off.
}

function switchOff(isOff) {
  off = isOff;
  try {
    localStorage.setItem(STORE, isOff ? "off" : "on");
  } catch {
    // Said above.
  }
}

const ARROWS = { ArrowRight: "→", ArrowLeft: "←", ArrowDown: "↓", ArrowUp: "↑" };
const shown = (key) => ({ " ": t("key.space"), Escape: t("key.escape"), ...ARROWS })[key] ?? key;

/** The keys of the view that is shown, and the switch. */
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

/** Takes keys for the view that is shown: `current()` gives its shortcuts. */
export function listen(/** @type {() => Shortcut[]} */ current) {
  addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.altKey || event.metaKey) return;
    if (document.querySelector("dialog[open]") || !(target instanceof Element) || target.closest(TYPED)) return;
    const isLetter = [...key].length === 1 && key !== " ";
    if (off && isLetter) return;
    // A key on a control that is for that control stays there.
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

/** What opens the list where keys do not. */
export const helpButton = (/** @type {() => Shortcut[]} */ current) =>
  button(t("shortcuts"), () => help(current()), { kind: "quiet", testid: "shortcuts-open" });
