// The role with which a run is viewed: a participant at this page sees what their seat may see, and nothing else. The
// owner may look behind, which the record notes.
import { h, put, button, icon } from "./dom.js";
import { t } from "./i18n.js";
import { confirmDialog } from "./dialog.tsx";

/**
 * `update()` applies the present role; `node` shows it if people take part.
 * @param {any} lab
 * @param {() => string | null} here the seat at the device, null while it is unknown
 */
export function roleSwitch(lab, here) {
  const people = [...lab.view.people.values()].filter((person) => person.kind === "human").map((person) => person.name);
  const node = h("div", { class: "sight", role: "status", "data-testid": "sight", hidden: !people.length });
  let isLooking = false;
  let drawn = null;
  const turn = (behind) => {
    isLooking = behind;
    if (behind) recordLook(lab);
    lab.changed();
  };
  /** Asks first, since it is recorded. */
  const lookBehind = async () => {
    const isMeant = await confirmDialog(t("sight.look"), t("sight.look.help"), t("sight.look"));
    if (isMeant) turn(true);
    return isMeant;
  };
  function update() {
    if (!people.length) return;
    const seat = people.length === 1 ? people[0] : people.find((name) => name === here()) ?? null;
    lab.show(isLooking ? "owner" : seat ? { seat } : "audience");
    const key = isLooking ? "behind" : seat ?? "";
    if (key === drawn) return;
    drawn = key;
    put(node,
      h("p", null, icon(isLooking ? "warn" : "lock"), " ",
        isLooking ? t("sight.owner") : seat ? t("sight.seat", { name: seat }) : t("sight.audience")), isLooking
      ? button(t("sight.back"), () => turn(false), { kind: "quiet", testid: "sight-back" })
      : button(t("sight.look"), lookBehind, { kind: "quiet", testid: "sight-look", title: t("sight.look.help") }));
  }
  return { node, update, isOwner: () => isLooking, look: lookBehind };
}

/** Records that the owner has seen the participants' private data. */
export function recordLook({ view, role, session }) {
  for (const name of view.people.keys()) if (name !== role.seat) session.look(name);
}

/** Returns whether a record contains private data of people at the table. Everything in a discussion is public. */
export const isHidden = ({ state, protocol, seats }) =>
  state !== "ended" && protocol !== "discussion" && seats.some(({ kind }) => kind === "human");

/** The role for a projector: private data of people stay hidden until the run has ended. */
export function wallRole({ people, run }) {
  const withPeople = [...people.values()].some((person) => person.kind === "human");
  return withPeople && run !== "ended" ? "audience" : "owner";
}
