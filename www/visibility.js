// What a run shows to whom: a participant at this page sees what their seat may see, and nothing else. That the owner
// has looked behind is recorded.

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
