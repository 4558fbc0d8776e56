// Locks of sessions, by Web Locks where the browser has them.

/** Locks of this page on their way back: who wants one of them waits for it. */
const leaving = new Map();

/** Locks that this page holds. */
const held = new Set();

/** What gives a lock of this page back, at once or after a promise; `release(after)` promises that it is free. */
function mine(name, release) {
  held.add(name);
  return (after) => {
    const free = release(after).catch(() => {}).then(() => {
      held.delete(name);
      leaving.delete(name);
    });
    leaving.set(name, free);
  };
}

/**
 * A function that gives the lock back, at once or after a promise; or a sentence that says who holds it. Where the browser
 * has no locks, only this page is looked at.
 */
export async function lock(name) {
  await leaving.get(name);
  const here = () => held.has(name) && "this session is open in this page already: use that Session object, or close() it first";
  const alone = () => here() || mine(name, (after) => Promise.resolve(after));
  const locks = globalThis.navigator?.locks;
  if (!locks?.request) return alone();
  return new Promise((resolve) => {
    const over = locks.request(name, { ifAvailable: true }, (had) => {
      if (!had) return resolve(here() || "this session is open in another tab, window or worker; close it there first");
      return new Promise((done) => resolve(mine(name, (after) => (done(after), over))));
    });
    // Pages without an origin have the interface but may not use it.
    over.catch(() => resolve(alone()));
  });
}

/** Waits until nobody else holds a lock, then takes it: a function that gives it back. */
export function turn(name) {
  const locks = globalThis.navigator?.locks;
  return new Promise((resolve) => {
    const held = () => new Promise((release) => resolve(release));
    const none = () => resolve(() => {});
    if (locks?.request) locks.request(name, held).catch(none);
    else none();
  });
}
