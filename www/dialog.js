// Modal dialogs on <dialog>: the browser keeps the focus inside and returns it.
import { h, button } from "./dom.js";
import { t } from "./i18n.js";

/** Opens a dialog. `content` gets a function that closes it with a value; resolves with that value. */
export function openDialog(title, content,
  /** @type {{ wide?: boolean, testid?: string, danger?: boolean }} */ { wide = false, testid, danger = false } = {}) {
  return new Promise((resolve) => {
    let value = null;
    const opener = /** @type {HTMLElement | null} */ (document.activeElement);
    const place = opener?.closest("[data-key]")?.getAttribute("data-key");
    const close = (result = null) => {
      value = result;
      node.close();
    };
    // A dialog closes with the view that opened it.
    const leave = () => close();
    addEventListener("hashchange", leave);
    const heading = h("h2", { id: "dialog-title", tabindex: "-1" }, title);
    const node = h("dialog", { class: ["dialog", wide && "dialog-wide", danger && "dialog-danger"],
      "aria-labelledby": "dialog-title", "data-testid": testid, on: {
        close: () => {
          removeEventListener("hashchange", leave);
          node.remove();
          // The run went on behind the dialog, so the button that opened it may have been redrawn.
          if (place && !opener.isConnected) {
            /** @type {HTMLElement | null} */ (document.querySelector(`[data-key="${CSS.escape(place)}"] .details`))
              ?.focus();
          }
          resolve(value);
        },
        click: (event) => event.target === node && close(),
      } },
      h("div", { class: "dialog-body" },
        h("header", { class: "dialog-head" }, heading,
          button(t("close"), () => close(), { kind: "quiet", icon: "cross", class: "button button-quiet button-icon",
            "aria-label": t("close") })), content(close)));
    document.body.append(node);
    node.showModal();
    heading.focus();
  });
}

/** A question with two answers. Resolves with true or false. */
export function confirmDialog(title, text, action) {
  return openDialog(title, (close) => [
    h("p", null, text),
    h("div", { class: "row end" }, button(t("cancel"), () => close(false)),
      button(action, () => close(true), { kind: "danger", testid: "confirm" })),
  ], { danger: true }).then(Boolean);
}

/** Asks for one line of text. Resolves with it, or null. */
export function promptDialog(title, label, value) {
  const input = h("input", { id: "dialog-input", type: "text", value, maxlength: "200" });
  return openDialog(title, (close) => [
    h("form", { class: "stack", on: { submit: (event) => {
      event.preventDefault();
      close(input.value.trim() || null);
    } } }, h("label", { for: "dialog-input" }, label), input,
      h("div", { class: "row end" }, button(t("cancel"), () => close(null)),
        h("button", { class: "button button-primary", type: "submit" }, t("save")))),
  ]);
}
