// The few things of the browser that are shorter in its own language than through bindings.

/** A transaction with the durability that bindings cannot ask for yet. */
export function begin(database, stores, mode, durability) {
  return database.transaction(stores, mode, { durability });
}

/** Resolves when the transaction is stored; rejects with the reason (null if there is none) when it is undone. */
export function finished(transaction) {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
  });
}

/**
 * Calls `lost` once when the connection has to go, and closes it: another tab upgrades the database or it was removed.
 */
export function watch(database, lost) {
  database.onversionchange = () => {
    database.close();
    lost();
  };
  database.onclose = () => lost();
}

/** Nobody watches any longer. */
export function unwatch(database) {
  database.onversionchange = null;
  database.onclose = null;
}

/** Locks of this page on their way back: who wants one of them waits for it. */
const leaving = new Map();

/**
 * A function that gives the lock back, at once or after a promise; or null where somebody else holds it. Where there
 * are no locks, one is had.
 */
export async function lock(name) {
  const locks = globalThis.navigator?.locks;
  if (!locks?.request) return () => {};
  await leaving.get(name);
  return new Promise((resolve) => {
    const over = locks
      .request(name, { ifAvailable: true }, (held) => {
        if (held === null) return resolve(null);
        return new Promise((release) =>
          resolve((after) => {
            leaving.set(name, over);
            release(after);
          }),
        );
      })
      // Pages without an origin have the interface but may not use it.
      .catch(() => resolve(() => {}))
      .then(() => {
        if (leaving.get(name) === over) leaving.delete(name);
      });
  });
}

/** The origin of an address as the browser sees it; the address itself where it is none. */
export function origin(address) {
  try {
    return new URL(address).origin;
  } catch {
    return address;
  }
}

/** Asks the browser to keep the data; false where it will not or cannot say. */
export async function persist() {
  try {
    return (await navigator.storage.persisted()) || (await navigator.storage.persist());
  } catch {
    return false;
  }
}

/** `[usage, quota]` in bytes, undefined where the browser does not tell. */
export async function estimate() {
  try {
    const { usage, quota } = await navigator.storage.estimate();
    return [usage, quota];
  } catch {
    return [];
  }
}

/** Gives an object a property whose value is made when it is first looked at. */
export function lazily(object, name, make) {
  const settle = (value) => {
    Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
    return value;
  };
  Object.defineProperty(object, name, { get: () => settle(make()), set: settle, enumerable: true, configurable: true });
}
