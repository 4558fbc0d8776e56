// The few things of the browser that are shorter in its own language than through bindings.

/** What a request comes to. */
const settled = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/**
 * One change of what is stored: `steps`, each `[store, method, ...arguments]`, and, where `summary` is
 * `[store, key, summarize]`, what `summarize` makes of the value there (undefined: nothing). `after` is the `[store, key]`
 * of something that has to be there, or null. Everything is asked for at once, so that only the end is waited for.
 *
 * Resolves to true when all is stored and to false where `after` is missing; rejects with the reason otherwise (null if
 * there is none). Unless it resolves to true, nothing of it is stored.
 */
export function change(database, stores, durability, after, steps, summary) {
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(stores, "readwrite", { durability });
    let fits = true;
    let cause = null;
    const undo = (error) => {
      cause ??= error;
      try {
        transaction.abort();
      } catch {
        // The browser has undone it already.
      }
    };
    const careful = (step) => () => {
      try {
        step();
      } catch (error) {
        undo(error);
      }
    };
    transaction.oncomplete = () => resolve(true);
    transaction.onabort = () => (fits ? reject(transaction.error ?? cause) : resolve(false));
    careful(() => {
      if (after) {
        const request = transaction.objectStore(after[0]).getKey(after[1]);
        request.onsuccess = () => {
          fits = request.result !== undefined;
          if (!fits) undo(null);
        };
      }
      if (summary) {
        const [name, key, summarize] = summary;
        const store = transaction.objectStore(name);
        const request = store.get(key);
        request.onsuccess = careful(() => {
          const next = summarize(request.result);
          if (next !== undefined) store.put(next, key);
        });
      }
      for (const [name, method, ...args] of steps) transaction.objectStore(name)[method](...args);
    })();
  });
}

/** What is stored at a key, or undefined. */
export const value = async (database, store, key) => settled(database.transaction(store).objectStore(store).get(key));

/** All keys and all values of some stores, of one session or of all: `[keys, values, keys, values, …]`. */
export async function all(database, stores, session) {
  const range = session === undefined ? undefined : ofSession(session);
  const transaction = database.transaction(stores);
  const asked = stores.map((name) => transaction.objectStore(name)).flatMap((store) => [store.getAllKeys(range), store.getAll(range)]);
  return Promise.all(asked.map(settled));
}

/** The last key and value that each of these stores has for a session: `[key, value]` or null. */
export async function last(database, stores, session) {
  const transaction = database.transaction(stores);
  const asked = stores.map((name) => transaction.objectStore(name).openCursor(ofSession(session), "prev"));
  return Promise.all(asked.map((request) => settled(request).then((cursor) => cursor && [cursor.key, cursor.value])));
}

/** Every key `[session, anything]`: an array sorts after numbers and texts. */
export const ofSession = (session) => IDBKeyRange.bound([session], [session, []]);

const encoder = new TextEncoder();
/** A long text as UTF-8: faster than what bindings do for any text. */
export const bytes = (text) => encoder.encode(text);

/** Lines of JSON as data. */
export const parsed = (lines) => JSON.parse(`[${lines.replaceAll("\n", ",")}]`);

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
