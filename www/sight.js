// Whose eyes a run is seen with: whoever sits at the table in this page sees what their seat may see, and nothing else.
// Whoever runs the session may look behind, which the record notes.
import { h, put, button, icon } from "./dom.js";
import { t } from "./i18n.js";

/**
 * `update()` shows what is to be seen now; `node` says whose view it is, where somebody sits at the table.
 * @param {any} lab
 * @param {() => string | null} here who sits at the device now, null while nobody has said so
 */
export function sight(lab, here) {
  const people = [...lab.view.people.values()].filter((person) => person.kind === "human").map((person) => person.name);
  const node = h("div", { class: "sight", role: "status", "data-testid": "sight", hidden: !people.length });
  let looks = false;
  let drawn = "";
  const turn = (behind) => {
    looks = behind;
    // What all others keep to themselves is seen now.
    if (behind) { for (const name of lab.view.people.keys()) if (name !== lab.role.seat) lab.session.look(name); }
    lab.changed();
  };
  function update() {
    if (!people.length) return;
    const seat = people.length === 1 ? people[0] : people.find((name) => name === here()) ?? null;
    lab.show(looks ? "owner" : seat ? { seat } : "audience");
    const key = looks ? "behind" : seat ?? "";
    if (key === drawn) return;
    drawn = key;
    put(node,
      h("p", null, icon(looks ? "warn" : "lock"),
        looks ? t("sight.owner") : seat ? t("sight.seat", { name: seat }) : t("sight.audience")), looks
      ? button(t("sight.back"), () => turn(false), { kind: "quiet", testid: "sight-back" })
      : button(t("sight.look"), () => turn(true), { kind: "quiet", testid: "sight-look",
        title: t("sight.look.help") }));
  }
  return { node, update, isOwner: () => looks, look: () => turn(true) };
}

/** Whose view of a record may be on the wall: until the run has ended, what people at the table keep to themselves stays so. */
export function wallRole({ people, run }) {
  const withPeople = [...people.values()].some((person) => person.kind === "human");
  return withPeople && run !== "ended" ? "audience" : "owner";
}
