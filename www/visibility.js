// Whose eyes a run is seen with: whoever sits at the table in this page sees what their seat may see, and nothing else.
// Whoever runs the session may look behind, which the record notes.
import { h, put, button, icon } from "./dom.js";
import { t } from "./i18n.js";
import { confirmDialog } from "./dialog.js";

/**
 * `update()` shows what is to be seen now; `node` says whose view it is, where somebody sits at the table.
 * @param {any} lab
 * @param {() => string | null} here who sits at the device now, null while nobody has said so
 */
export function sight(lab, here) {
  const people = [...lab.view.people.values()].filter((person) => person.kind === "human").map((person) => person.name);
  const node = h("div", { class: "sight", role: "status", "data-testid": "sight", hidden: !people.length });
  let looks = false;
  let drawn = null;
  const turn = (behind) => {
    looks = behind;
    if (behind) lookedAt(lab);
    lab.changed();
  };
  /** Asks first: it stays in the record. */
  const look = async () => {
    const isMeant = await confirmDialog(t("sight.look"), t("sight.look.help"), t("sight.look"));
    if (isMeant) turn(true);
    return isMeant;
  };
  function update() {
    if (!people.length) return;
    const seat = people.length === 1 ? people[0] : people.find((name) => name === here()) ?? null;
    lab.show(looks ? "owner" : seat ? { seat } : "audience");
    const key = looks ? "behind" : seat ?? "";
    if (key === drawn) return;
    drawn = key;
    put(node,
      h("p", null, icon(looks ? "warn" : "lock"), " ",
        looks ? t("sight.owner") : seat ? t("sight.seat", { name: seat }) : t("sight.audience")), looks
      ? button(t("sight.back"), () => turn(false), { kind: "quiet", testid: "sight-back" })
      : button(t("sight.look"), look, { kind: "quiet", testid: "sight-look", title: t("sight.look.help") }));
  }
  return { node, update, isOwner: () => looks, look };
}

/** Notes that all were seen of what the others keep to themselves. */
export function lookedAt({ view, role, session }) {
  for (const name of view.people.keys()) if (name !== role.seat) session.look(name);
}

/** Whether people at the table keep something to themselves that the record of a run holds. In a discussion all is said to all. */
export const isHidden = ({ state, protocol, seats }) =>
  state !== "ended" && protocol !== "discussion" && seats.some(({ kind }) => kind === "human");

/** Whose view of a record may be on the wall: until the run has ended, what people at the table keep to themselves stays so. */
export function wallRole({ people, run }) {
  const withPeople = [...people.values()].some((person) => person.kind === "human");
  return withPeople && run !== "ended" ? "audience" : "owner";
}
