// What transcripts are made of: sections in the order of the procedure, with items that have a key each and a version
// that grows with every change. What the items are is for the protocols' own files beside this one.

/** What one seat did in an item that concerns several. */
export function member(shown, seat) {
  let found = shown.members.find((one) => one.seat === seat);
  if (!found) {
    found = { seat, answer: undefined, done: false, asks: [], ballots: [], voting: null };
    shown.members.push(found);
  }
  bump(shown);
  return found;
}

/** The item of that key, made if there is none, with `values` taken in. */
export function item(view, home, key, type, values = {}) {
  let found = view.items.get(key);
  if (!found) {
    found = { key, type, version: 0, asks: [], members: [], done: false, section: home.key };
    view.items.set(key, found);
    home.items.push(key);
  }
  Object.assign(found, values);
  bump(found);
  return found;
}

export const bump = (shown) => {
  shown.version += 1;
};

export function touch(view, record) {
  const shown = record.item && view.items.get(record.item);
  if (shown) bump(shown);
}

/** The section of that key, made if there is none, where `place` (a number) puts it; `values` are phase, step and round. */
export function section(view, key, place, values) {
  let found = view.sections.find((one) => one.key === key);
  if (!found) {
    found = { key, place, items: [], ...values };
    const before = view.sections.findIndex((one) => one.place > place);
    view.sections.splice(before < 0 ? view.sections.length : before, 0, found);
  }
  return found;
}
