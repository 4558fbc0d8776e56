// A text field with a filtered list of suggestions; other values are allowed. Follows the ARIA pattern "combobox with
// list autocompletion".
import { h, put, uid, isComposing } from "./dom.js";
import { t, number } from "./i18n.js";

/** Most options drawn. */
const MOST = 60;

/**
 * `options()` returns the list, or a promise of it: `{ id, name, context }`. `onInput(value)` is called after each
 * change. Returns `{ node, input }`.
 */
export function combobox({ value = "", options, onInput = (_) => {}, testid = null, ...attributes }) {
  const listId = uid("list");
  const list = h("ul", { id: listId, role: "listbox", class: "options plain", "aria-label": t("combobox.list") });
  const count = h("span", { class: "sr-only", role: "status" });
  const input = h("input", { id: uid("combo"), type: "text", value, role: "combobox", autocomplete: "off",
    spellcheck: "false", autocapitalize: "off", "aria-autocomplete": "list", "aria-expanded": "false",
    "aria-controls": listId, "data-testid": testid, ...attributes, on: { input: () => {
      onInput(input.value);
      show(true);
    }, click: () => show(false), keydown, blur: () => hide() } });
  list.hidden = true;
  let shown = [];
  let at = -1;
  let turn = 0;

  /** Opens the list; `narrow` filters it by the typed text. */
  async function show(narrow) {
    const mine = ++turn;
    const all = await Promise.resolve(options()).catch(() => []);
    if (mine !== turn || document.activeElement !== input) return;
    const words = narrow ? input.value.toLowerCase().split(/\s+/).filter(Boolean) : [];
    const fitting = all.filter(({ id, name }) =>
      words.every((word) => `${id} ${name ?? ""}`.toLowerCase().includes(word))
    );
    shown = fitting.slice(0, MOST);
    at = narrow ? -1 : shown.findIndex(({ id }) => id === input.value);
    put(list,
      shown.map((one, index) =>
        h("li", { role: "option", id: `${listId}-${index}`, "aria-selected": "false", on: { pointerdown: (event) =>
          event.preventDefault(), click: () => take(index) } }, h("span", null, one.id),
          one.name && one.name !== one.id && h("span", { class: "quiet" }, one.name), one.context
          && h("span", { class: "quiet" }, t("combobox.context", { n: number(one.context, { notation: "compact" }) })))
      ));
    list.hidden = !shown.length;
    input.setAttribute("aria-expanded", String(!list.hidden));
    put(count, all.length ? t("combobox.count", { n: fitting.length }) : "");
    if (fitting.length > shown.length) {
      list.append(
        h("li", { role: "presentation", class: "quiet more-options" },
          t("combobox.more", { n: fitting.length - shown.length })),
      );
    }
    mark();
  }

  function mark() {
    [...list.querySelectorAll("[role=option]")].forEach((one, index) =>
      one.setAttribute("aria-selected", String(index === at))
    );
    const active = at >= 0 ? document.getElementById(`${listId}-${at}`) : null;
    if (active) {
      input.setAttribute("aria-activedescendant", active.id);
      active.scrollIntoView({ block: "nearest" });
    } else input.removeAttribute("aria-activedescendant");
  }

  function hide() {
    turn += 1;
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
    put(count);
  }

  function take(index) {
    input.value = shown[index].id;
    hide();
    onInput(input.value);
  }

  function keydown(event) {
    if (isComposing(event)) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      if (list.hidden) return show(false);
      at = shown.length ? (at + step + shown.length) % shown.length : -1;
      mark();
    } else if (event.key === "Enter" && !list.hidden && at >= 0) {
      event.preventDefault();
      take(at);
    } else if (event.key === "Escape" && !list.hidden) {
      // The first press of Escape closes the list, not the dialog around it.
      event.preventDefault();
      event.stopPropagation();
      hide();
    }
  }
  return { node: h("div", { class: "combobox" }, input, list, count), input };
}
