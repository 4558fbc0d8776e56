// Session locks, by Web Locks if available.

/** Locks of this page that are being released; a new request waits for them. */
const leaving = new Map();

/** Locks that this page holds. */
const held = new Set();

/** Returns the function that releases a lock of this page, at once or after a promise. */
function hold(name, release) {
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
 * Takes a lock. Returns a function that releases it, at once or after a promise; or a message that names its holder. In a
 * browser without locks only this page is checked.
 */
export async function lock(name) {
  await leaving.get(name);
  const here = () => held.has(name) && "this session is open in this page already: use that Session object, or close() it first";
  const alone = () => here() || hold(name, (after) => Promise.resolve(after));
  const locks = globalThis.navigator?.locks;
  if (!locks?.request) return alone();
  return new Promise((resolve) => {
    const over = locks.request(name, { ifAvailable: true }, (had) => {
      if (!had) return resolve(here() || "this session is open in another tab, window or worker; close it there first");
      return new Promise((done) => resolve(hold(name, (after) => (done(after), over))));
    });
    // Pages without an origin have the interface but may not use it.
    over.catch(() => resolve(alone()));
  });
}

/** Waits for a lock, then takes it; returns a function that releases it. */
export function turn(name) {
  const locks = globalThis.navigator?.locks;
  return new Promise((resolve) => {
    const held = () => new Promise((release) => resolve(release));
    const none = () => resolve(() => {});
    if (locks?.request) locks.request(name, held).catch(none);
    else none();
  });
}
