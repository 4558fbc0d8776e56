// A run as the engine shows it, kept up to date by what changed: maps by key of what `session.view` gives in lists.
// Nothing is worked out here.

/** A view that has been told nothing yet. */
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

/** Takes in a view, or the changes since `view.number`. Returns the view. */
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

/** How a question waits for its provider (`limit`, `minute`, `retry`, or null): known of a run under way, not of a record. */
export function wait(view, { ask, why }) {
  const record = view.asks.get(ask);
  if (!record || (record.waits ?? null) === why) return;
  record.waits = why;
  const shown = view.items.get(record.item);
  if (shown) shown.version += 0.5;
}

/** Whether nothing goes on any more: nobody is at anything, whatever was open when it came to that. */
export const isOver = (view) => view.run === "ended" || view.run === "stopped";

/** What a seat is doing, in a word (`speaking`, `thinking`, `queued`, `failed` …), or null. */
export const activity = (view, name) => (isOver(view) ? null : view.doing[name] ?? null);

/** Whether what was answered may not be shown yet: to whoever runs the session, as the one who answered knows it. */
export const isSecret = (view, ask) => Boolean(ask.sealed) && view.role === "owner";
