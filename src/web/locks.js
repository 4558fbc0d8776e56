// Locks of sessions and rooms: Web Locks, or over plain http, where browsers have none, leases.

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
 * Takes a lock. Returns a function that releases it, at once or after a promise; or a message that names its holder. A
 * lease may be lost while the page is frozen: then `lost` is called.
 */
export async function lock(name, lost) {
  await leaving.get(name);
  const here = () => held.has(name) && "this session is open in this page already: use that Session object, or close() it first";
  const ELSEWHERE = "this session is open in another tab, window or worker; close it there first";
  const leased = async () => {
    const release = here() ? null : await lease(name, lost);
    if (release && !held.has(name)) return hold(name, (after) => Promise.resolve(after).finally(release));
    return here() || ELSEWHERE;
  };
  const locks = globalThis.navigator?.locks;
  if (!locks?.request) return leased();
  return new Promise((resolve) => {
    const over = locks.request(name, { ifAvailable: true }, (had) => {
      if (!had) return resolve(here() || ELSEWHERE);
      return new Promise((done) => resolve(hold(name, (after) => (done(after), over))));
    });
    // Pages without an origin have the interface but may not use it.
    over.catch(() => resolve(leased()));
  });
}

/** Waits for a lock, then takes it; returns a function that releases it. */
export function turn(name) {
  const locks = globalThis.navigator?.locks;
  const leased = async () => {
    for (;;) {
      const release = await lease(name);
      if (release) return release;
    }
  };
  if (!locks?.request) return leased();
  return new Promise((resolve) => {
    const held = () => new Promise((release) => resolve(release));
    locks.request(name, held).catch(() => resolve(leased()));
  });
}

// Leases: a row in IndexedDB names the page that holds a lock, since its transactions cannot overlap. That page says so
// when it is asked, and no clock is involved: a row whose page does not answer was left behind by a crash.

const DATABASE = "quorate-leases";
const ROWS = "leases";
/** Milliseconds in which a page that holds a lease answers, and between two questions. */
const PATIENCE = 1_500;
const AGAIN = 250;

/** Leases of this page: `{ owner, isHeld, lost }` by name. */
const leases = new Map();
let database;
let channel;

async function connect() {
  const request = indexedDB.open(DATABASE, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(ROWS);
  const opened = await new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  opened.onversionchange = opened.onclose = () => {
    opened.close();
    database = undefined;
  };
  channel ??= new BroadcastChannel(DATABASE);
  channel.onmessage = ({ data }) => {
    if (data?.asks && leases.get(data.asks)?.isHeld) channel.postMessage({ held: data.asks });
    if (data?.taken) void check(data.taken);
  };
  return opened;
}

/** Sets the owner of a lease from the present one, in one transaction; resolves to the owner then. */
async function change(name, next) {
  database ??= connect().catch((error) => {
    database = undefined;
    throw error;
  });
  const rows = (await database).transaction(ROWS, "readwrite").objectStore(ROWS);
  return new Promise((resolve, reject) => {
    const request = rows.get(name);
    let owner;
    request.onsuccess = () => {
      owner = next(request.result ?? null);
      if (owner === null) rows.delete(name);
      else rows.put(owner, name);
    };
    rows.transaction.oncomplete = () => resolve(owner);
    rows.transaction.onabort = () => reject(rows.transaction.error);
  });
}

/** Asks all pages whether one of them holds a lease. */
function isAnswered(name) {
  return new Promise((resolve) => {
    const line = new BroadcastChannel(DATABASE);
    const ask = () => line.postMessage({ asks: name });
    const timers = [setInterval(ask, AGAIN), setTimeout(() => finish(false), PATIENCE)];
    const finish = (is) => {
      timers.forEach(clearTimeout);
      line.close();
      resolve(is);
    };
    line.onmessage = ({ data }) => data?.held === name && finish(true);
    ask();
  });
}

/** Reports a lease that another page has taken while this one was frozen. */
async function check(name) {
  const own = leases.get(name);
  if (!own?.isHeld || await change(name, (owner) => owner ?? own.owner) === own.owner) return;
  leases.delete(name);
  own.lost?.();
}

/** Takes a lease; resolves to the function that releases it, or to null if another page holds it. */
async function lease(name, lost) {
  const owner = `${Math.random()} ${Date.now()}`;
  const own = { owner, isHeld: false, lost };
  try {
    let now = await change(name, (before) => before ?? owner);
    if (now !== owner) {
      if (await isAnswered(name)) return null;
      const left = now;
      now = await change(name, (before) => (before === left ? owner : before ?? owner));
      if (now !== owner) return null;
      channel.postMessage({ taken: name });
    }
  } catch {
    // Neither IndexedDB nor a channel, as in Node.js: this page is alone.
    return async () => {};
  }
  own.isHeld = true;
  leases.set(name, own);
  return async () => {
    if (leases.get(name) === own) leases.delete(name);
    await change(name, (before) => (before === owner ? null : before)).catch(() => {});
  };
}

const checkAll = () => [...leases.keys()].forEach((name) => void check(name).catch(() => {}));
// A page that is left gives its leases back at once; one that is shown again takes them, if they are still there.
globalThis.addEventListener?.("pagehide", () => {
  for (const [name, { owner }] of leases) void change(name, (before) => (before === owner ? null : before)).catch(() => {});
});
globalThis.addEventListener?.("pageshow", ({ persisted }) => persisted && checkAll());
globalThis.document?.addEventListener("resume", checkAll);
