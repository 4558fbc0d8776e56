// Lets the page call further addresses. A policy cannot be widened while the page is open, so the page loads anew; what
// that costs is said before.
import { h, button } from "./dom.js";
import { t, list } from "./i18n.js";
import { openDialog } from "./dialog.js";
import { keysFor } from "./keys.js";
import { state } from "./vault.js";
import { canBeAllowed, use } from "./origins.js";

/** What a reload costs here, in a sentence; null where it costs nothing. */
const cost = () => (Object.keys(keysFor()).length && state() === "none" ? t("allow.lost") : null);

/**
 * Asks, notes the origins and loads the page anew (at `hash`, if told). `without`: words for going on without them.
 * Resolves with "without" or null where it does not.
 */
export async function allow(origins,
  /** @type {{ hash?: string, without?: string, before?: () => Promise<string | undefined> }} */ { hash = null,
    without = null, before = async () => undefined } = {}) {
  const possible = origins.filter(canBeAllowed);
  const answer = await openDialog(t("allow.title"), (close) => [
    h("p", null, t("allow.text", { list: list(origins) })),
    origins.length > possible.length && h("p", null, t("allow.never")),
    cost() && h("p", { class: "bad" }, cost()),
    h("div", { class: "row end" }, button(t("cancel"), () => close(null)),
      without && button(without, () => close("without"), { testid: "allow-without" }),
      possible.length > 0 && button(t("allow.do"), () => close("allow"), { kind: "primary", testid: "allow-do" })),
  ], { testid: "allow-dialog" });
  if (answer !== "allow") return answer;
  if (!use(possible)) {
    await openDialog(t("allow.title"), () => h("p", null, t("allow.nostorage")));
    return null;
  }
  const at = await before();
  // Not by the address's own change: nothing is to begin here any more.
  if (at ?? hash) history.replaceState(null, "", at ?? hash);
  location.reload();
  return new Promise(() => {});
}
