// A list that people put in order: with arrows, with numbers, or with Alt and the arrow keys. No dragging.
import { h, put, button } from "./dom.js";
import { t } from "./i18n.js";

/** `order` holds ids, `name(id)` says what they are called; `onChange(order)` after each move. `set(order)` draws another order. */
export function sortable({ order: begin, name, onChange }) {
  let order = [...begin];
  const list = h("ol", { class: "sortable" });
  const status = h("p", { class: "sr-only", role: "status" });
  const move = (from, to, focus) => {
    if (to < 0 || to >= order.length || from === to) return;
    const [id] = order.splice(from, 1);
    order.splice(to, 0, id);
    draw(to, focus);
    put(status, t("human.moved", { what: name(id), n: to + 1 }));
    onChange([...order]);
  };
  const draw = (at = -1, focus = "") => {
    put(list, order.map((id, index) => h("li", { on: { keydown: (event) => {
      if (!event.altKey || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
      event.preventDefault();
      move(index, index + (event.key === "ArrowUp" ? -1 : 1), "select");
    } } },
      h("select", { "aria-label": t("human.place", { what: name(id) }), on: { change: (event) => move(index, Number(event.target.value), "select") } }, order.map((_, place) => h("option", { value: place, selected: place === index }, String(place + 1)))),
      h("span", { class: "sortable-name" }, name(id)),
      button("", () => move(index, index - 1, "up"), { class: "button button-icon up", icon: "up", "aria-label": t("human.up", { what: name(id) }), disabled: index === 0 }),
      button("", () => move(index, index + 1, "down"), { class: "button button-icon down", icon: "down", "aria-label": t("human.down", { what: name(id) }), disabled: index === order.length - 1 }))));
    if (at < 0) return;
    const target = list.children[at].querySelector(focus === "select" ? "select" : `.${focus}`);
    (target.disabled ? list.children[at].querySelector("select") : target).focus();
  };
  draw();
  const set = (next) => {
    order = [...next];
    draw();
  };
  return { nodes: [list, status], set };
}
