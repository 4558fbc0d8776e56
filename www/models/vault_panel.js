// Where keys are stored: in this tab, or optionally on this device, encrypted with a passphrase. With its dialogs.
import { h, put, button, icon } from "../dom.js";
import { t, number } from "../i18n.js";
import { openDialog, confirmDialog } from "../dialog.tsx";
import { keysFor } from "../keys.js";
import { inUse, unuse } from "../origins.js";
import * as vault from "../vault.js";

/** The panel: `{ node, draw }`. */
export function vaultPanel({ onChange }) {
  const node = h("section", { class: "vault", "aria-labelledby": "vault-title" });
  function draw() {
    const state = vault.state();
    const any = Object.keys(keysFor()).length > 0;
    const act = (work) => async () => {
      await work();
      draw();
      onChange();
      node.querySelector("h2").focus();
    };
    const minutes = h("select", { id: "vault-minutes", "data-testid": "vault-minutes",
      on: { change: () => vault.setLockAfter(Number(minutes.value)) } },
      vault.MINUTES.map((n) =>
        h("option", { value: n, selected: n === vault.lockAfter() }, t("vault.minutes", { n }))
      ));
    put(node, h("h2", { id: "vault-title", tabindex: "-1" }, icon("lock"), " ", t("vault.title")),
      h("p", { "data-testid": "vault-state", "data-state": state }, t(`vault.${state}`)),
      h("div", { class: "row" },
        state === "none" && vault.canKeep() && button(t("vault.keep"), act(keepDialog), { testid: "vault-keep" }),
        state === "locked" && button(t("vault.unlock"), act(unlockDialog), { kind: "primary", testid: "vault-unlock" }),
        state === "open" && button(t("vault.lock"), act(vault.lock), { testid: "vault-lock" }), state === "open"
        && h("span", { class: "inline" }, h("label", { for: "vault-minutes" }, t("vault.after")), minutes),
        state === "open" && button(t("vault.discard"), act(vault.discard), { kind: "quiet", testid: "vault-discard" }),
        (any || state !== "none") && button(t("vault.forget"), act(async () => {
          if (!(await confirmDialog(t("vault.forget"), t("vault.forget.text"), t("vault.forget")))) return;
          await vault.forgetAll();
          unuse(inUse());
        }), { kind: "quiet", testid: "vault-forget" })),
      state === "none" && !vault.canKeep() && h("p", { class: "help" }, t("vault.cannot")));
  }
  draw();
  return { node, draw };
}

const secret = (id, label, autocomplete,
  more) => [h("label", { for: id }, label),
  h("input", { id, type: "password", autocomplete, spellcheck: "false", autocapitalize: "off", ...more })];

/** Asks for a passphrase, twice, and stores the keys under it. */
export function keepDialog() {
  const notice = h("p", { class: "said", role: "status", "data-testid": "passphrase-said" });
  const [firstLabel, first] = secret("passphrase", t("vault.passphrase"), "new-password", { "data-testid": "passphrase",
    "aria-describedby": "passphrase-help", on: { input: () => judge() } });
  const [againLabel, again] = secret("passphrase-again", t("vault.again"), "new-password", {
    "data-testid": "passphrase-again",
  });
  function judge() {
    const length = [...first.value].length;
    delete notice.dataset.ok;
    put(notice, length >= vault.LEAST && length < vault.GOOD ? t("vault.weak") : "");
  }
  return openDialog(t("vault.keep"), (close) => {
    const save = h("button", { class: "button button-primary", type: "submit", "data-testid": "passphrase-save" },
      t("vault.save"));
    const wrong = (text) => {
      notice.dataset.ok = false;
      put(notice, text);
      return null;
    };
    return h("form", { class: "stack", on: { submit: async (event) => {
      event.preventDefault();
      if ([...first.value].length < vault.LEAST) return wrong(t("vault.short", { least: number(vault.LEAST) }));
      if (vault.isGuessable(first.value)) return wrong(t("vault.guessable"));
      if (first.value !== again.value) return wrong(t("vault.differ"));
      save.disabled = true;
      try {
        await vault.keep(first.value);
        close(true);
      } catch (error) {
        save.disabled = false;
        wrong(t("vault.failed"));
      }
      first.value = again.value = "";
    } } }, h("p", null, t("vault.explain")), h("p", { class: "help", id: "passphrase-help" }, t("vault.explain.lost")),
      firstLabel, first, againLabel, again, notice,
      h("div", { class: "row end" }, button(t("cancel"), () => close(null)), save));
  }, { testid: "keep-dialog" });
}

/** Asks for the passphrase; resolves with true once the keys are unlocked. */
export function unlockDialog() {
  const notice = h("p", { class: "said", role: "status", "data-testid": "unlock-said" });
  const [label, field] = secret("unlock-passphrase", t("vault.passphrase"), "current-password", {
    "data-testid": "unlock-passphrase",
  });
  return openDialog(t("vault.unlock"), (close) => {
    const go = h("button", { class: "button button-primary", type: "submit", "data-testid": "unlock-do" },
      t("vault.unlock"));
    queueMicrotask(() => field.isConnected && field.focus());
    return h("form", { class: "stack", on: { submit: async (event) => {
      event.preventDefault();
      const passphrase = field.value;
      field.value = "";
      go.disabled = true;
      delete notice.dataset.ok;
      put(notice, t("vault.opening"));
      const fits = await vault.unlock(passphrase).catch(() => null);
      go.disabled = false;
      if (fits) return close(true);
      notice.dataset.ok = false;
      put(notice, t(fits === null ? "vault.failed" : "vault.wrong"));
      field.focus();
    } } }, label, field, notice, h("div", { class: "row end" }, button(t("cancel"), () => close(null)), go));
  }, { testid: "unlock-dialog" });
}
