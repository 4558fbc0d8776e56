// A run as the engine shows it, updated by changes: maps by key of the lists in `session.view`. Computes nothing
// itself.

/** A view before the first update. */
export const emptyView = () => ({
  number: 0,
  head: null,
  people: new Map(),
  asks: new Map(),
  items: new Map(),
  sections: [],
  steps: [],
  doing: {},
  run: "running",
  halt: null,
  result: null,
  warnings: [],
});

/** Applies a view, or the changes since `view.number`. Returns the view. */
export function take(view, { whole, people, asks, items, sections, ...rest }) {
  if (whole) { for (const all of [view.people, view.asks, view.items]) all.clear(); }
  if (whole) view.sections.length = 0;
  Object.assign(view, rest);
  for (const one of people) view.people.set(one.name, one);
  for (const one of asks) view.asks.set(one.id, one);
  for (const one of items) view.items.set(one.key, one);
  for (const one of sections) {
    const known = view.sections.find(({ key }) => key === one.key);
    if (known) Object.assign(known, one);
    else view.sections.push(one);
  }
  if (sections.length) view.sections.sort((a, b) => a.place - b.place);
  return view;
}

/** Why a call is delayed (`limit`, `minute`, `retry`), or null: known of a running session, not of a record. */
export function wait(view, { ask, why }) {
  const record = view.asks.get(ask);
  if (!record || (record.waits ?? null) === why) return;
  record.waits = why;
  const shown = view.items.get(record.item);
  if (shown) shown.version += 0.5;
}

/** Returns whether the run is over; open asks then have no activity. */
export const isOver = (view) => view.run === "ended" || view.run === "stopped";

/** A seat's activity in a word (`speaking`, `thinking`, `queued`, `failed` …), or null. */
export const activity = (view, name) => (isOver(view) ? null : view.doing[name] ?? null);

/** Returns whether the answer is still secret from the owner; its author knows it. */
export const isSecret = (view, ask) => Boolean(ask.sealed) && view.role === "owner";
