// Allows the page to call further origins. A content security policy cannot be widened while the page is open, so the
// page is reloaded; the dialog states what that costs.
import { h, button } from "./dom.js";
import { t, list } from "./i18n.js";
import { openDialog } from "./dialog.tsx";
import { keysFor } from "./keys.js";
import { state } from "./vault.js";
import { canBeAllowed, use } from "./origins.js";

/** The text about what a reload loses, or null. */
const cost = () => (Object.keys(keysFor()).length && state() === "none" ? t("allow.lost") : null);

/**
 * Asks, stores the origins and reloads the page (at `hash`, if given). `without`: label of a button to go on without
 * them. Resolves with "without", or null if the user cancels.
 */
export async function allowOrigins(origins,
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
  // Not by assigning the address: that would start a view before the reload.
  if (at ?? hash) history.replaceState(null, "", at ?? hash);
  location.reload();
  return new Promise(() => {});
}
