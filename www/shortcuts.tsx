// Single-key shortcuts in all views, and a dialog that lists them. Letters are ignored while typing and can be switched
// off: speech input and shaky hands press them by accident.
import { openDialog } from "./dialog.tsx";
import { isComposing } from "./dom.js";
import { t } from "./i18n.js";

export interface Shortcut {
  key: string;
  /** The key of its text. */
  says: string;
  go: () => unknown;
}

const STORE = "quorate.shortcuts";
/** Elements that take letters as text. */
const TYPED =
  "textarea, select, [contenteditable], input:not([type=checkbox], [type=radio], [type=range], [type=button])";
let isOff = false;
try {
  isOff = localStorage.getItem(STORE) === "off";
} catch {
  // Storage is not available: on, or off for this visit.
}

function switchOn(isOn: boolean) {
  isOff = !isOn;
  try {
    localStorage.setItem(STORE, isOn ? "on" : "off");
  } catch {
    // See above.
  }
}

const ARROWS: { [key: string]: string } = { ArrowRight: "→", ArrowLeft: "←", ArrowDown: "↓", ArrowUp: "↑" };
const shown = (key: string) => key === " " ? t("key.space") : key === "Escape" ? t("key.escape") : ARROWS[key] ?? key;

/** Lists the shortcuts of the present view, with the switch. */
export const help = (shortcuts: Shortcut[]) =>
  openDialog(t("shortcuts"), () => (
    <>
      <dl class="key-list">
        {[{ key: "?", says: "shortcut.help" }, ...shortcuts].filter(({ says }) => says).map(({ key, says }) => (
          <div>
            <dt>
              <kbd>{shown(key)}</kbd>
            </dt>
            <dd>{t(says)}</dd>
          </div>
        ))}
      </dl>
      <label class="tickbox">
        <input type="checkbox" checked={!isOff} data-testid="shortcuts-on"
          onChange={({ currentTarget }) => switchOn(currentTarget.checked)} />
        <span>{t("shortcuts.on")}</span>
      </label>
      <p class="quiet">{t("shortcuts.text")}</p>
    </>
  ), { testid: "shortcuts" });

/** Handles keys for the present view: `current()` returns its shortcuts. */
export function listen(current: () => Shortcut[]) {
  addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (event.defaultPrevented || isComposing(event) || event.ctrlKey || event.altKey || event.metaKey) return;
    if (document.querySelector("dialog[open]") || !(target instanceof Element) || target.closest(TYPED)) return;
    const isLetter = [...key].length === 1 && key !== " ";
    if (isOff && isLetter) return;
    // Keys that a focused control uses itself.
    if (key === " " && target.closest("button, a, summary, input")) return;
    if (key.startsWith("Arrow") && target.closest("input, [role=slider], [tabindex='0']")) return;
    if (key === "?") void help(current());
    else {
      const found = current().find((one) => one.key === key);
      if (!found) return;
      found.go();
    }
    event.preventDefault();
  });
}
