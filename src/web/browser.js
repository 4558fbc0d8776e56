// Browser APIs that are shorter in JavaScript than through bindings: IndexedDB, locks, fetch, signatures.

/** The result of an IndexedDB request, as a promise. */
const toPromise = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** Requests made before the transaction yields to others. */
const PORTION = 256;

/**
 * Makes the requests of some changes, in order. Yields a request whose result is needed to go on, and one after each
 * `PORTION`. Calls `misfits()` if a condition of a change is not met.
 */
function* runSteps(transaction, changes, misfits) {
  let count = 0;
  for (const { after, steps, summary } of changes) {
    if (after) {
      const [name, key, there] = after;
      const request = transaction.objectStore(name).getKey(key);
      request.onsuccess = () => (request.result !== undefined) !== there && misfits();
    }
    if (summary) {
      const [name, key, summarize] = summary;
      const store = transaction.objectStore(name);
      const request = store.get(key);
      yield request;
      const next = summarize(request.result);
      if (next !== undefined) store.put(next, key);
    }
    for (const [name, method, ...args] of steps) {
      const request = transaction.objectStore(name)[method](...args);
      count += 1;
      if (count % PORTION === 0) yield request;
    }
  }
}

/** Runs several changes in one transaction, over the connection of the first. Resolves like `change`. */
function runTransaction(changes) {
  const stores = [...new Set(changes.flatMap(({ stores }) => stores))];
  const durability = changes.some((one) => one.durability === "strict") ? "strict" : "relaxed";
  return new Promise((resolve, reject) => {
    const transaction = changes[0].database.transaction(stores, "readwrite", { durability });
    let fits = true;
    let cause = null;
    const undo = (error) => {
      cause ??= error;
      try {
        transaction.abort();
      } catch {
        // Already aborted by the browser.
      }
    };
    transaction.oncomplete = () => resolve(true);
    transaction.onabort = () => (fits ? reject(transaction.error ?? cause) : resolve(false));
    const work = runSteps(transaction, changes, () => {
      fits = false;
      undo(null);
    });
    const runNext = () => {
      try {
        const { value: request } = work.next();
        if (request) request.onsuccess = runNext;
      } catch (error) {
        undo(error);
      }
    };
    runNext();
  });
}

/** Queued changes by database name, while another change is being stored there. */
const waiting = new Map();

/** Stores changes, then those queued meanwhile. */
async function storeAll(name, changes) {
  for (; changes.length; changes = waiting.get(name).splice(0)) {
    const isStored = changes.length > 1 && (await runTransaction(changes).catch(() => false));
    for (const one of changes) {
      if (isStored) one.resolve(true);
      else await runTransaction([one]).then(one.resolve, one.reject);
    }
  }
  waiting.delete(name);
}

/**
 * Changes what is stored: `steps`, each `[store, method, ...arguments]`, and, where `summary` is `[store, key,
 * summarize]`, the result of `summarize` on the value there (undefined: no change); `summarize` may be called twice.
 * `after` is null or a condition `[store, key, there]`: the key must exist (`there` true) or must not.
 *
 * Changes that arrive while another is being stored are queued and share one transaction, so that many sessions do not
 * wait for each other. If that transaction fails, each change is stored alone.
 *
 * Resolves to true when all is stored, to false if `after` is not met; rejects with the reason otherwise (null if there
 * is none). Unless it resolves to true, none of it is stored.
 */
export function change(database, stores, durability, after, steps, summary) {
  return new Promise((resolve, reject) => {
    const one = { database, stores, durability, after, steps, summary, resolve, reject };
    const { name } = database;
    if (waiting.has(name)) return void waiting.get(name).push(one);
    waiting.set(name, []);
    void storeAll(name, [one]);
  });
}

/** The value stored at a key, or undefined. */
export const value = async (database, store, key) => toPromise(database.transaction(store).objectStore(store).get(key));

/** All keys and values of some stores, of one session or of all: `[keys, values, keys, values, …]`. */
export async function all(database, stores, session) {
  const range = session === undefined ? undefined : ofSession(session);
  const transaction = database.transaction(stores);
  const requests = stores.map((name) => transaction.objectStore(name)).flatMap((store) => [store.getAllKeys(range), store.getAll(range)]);
  return Promise.all(requests.map(toPromise));
}

/** The last key and value that each store has for a session: `[key, value]` or null. */
export async function last(database, stores, session) {
  const transaction = database.transaction(stores);
  const requests = stores.map((name) => transaction.objectStore(name).openCursor(ofSession(session), "prev"));
  return Promise.all(requests.map((request) => toPromise(request).then((cursor) => cursor && [cursor.key, cursor.value])));
}

/** All values that an index of a store has at a key. */
export const valuesAt = async (database, store, index, key) => toPromise(database.transaction(store).objectStore(store).index(index).getAll(key));

/** `[number, value]` of the last key of a session up to a number; empty if there is none. */
export async function before(database, store, session, number) {
  const range = IDBKeyRange.bound([session], [session, number]);
  const cursor = await toPromise(database.transaction(store).objectStore(store).openCursor(range, "prev"));
  return cursor ? [cursor.key[1], cursor.value] : [];
}

/** Milliseconds to wait for the database before it is reported as `silent`. */
const PATIENCE = 5000;

/**
 * Opens a database. `added[version]` are the stores that the step from that version to the next adds, written `store`
 * or `store:index`. Rejects with the browser's reason, or with `missing`, `blocked` (another connection holds an older
 * version) or `silent`.
 */
export const open = (name, added) =>
  new Promise((resolve, reject) => {
    if (!globalThis.indexedDB) return reject("missing");
    const request = indexedDB.open(name, added.length);
    const timer = setTimeout(giveUp, PATIENCE, "silent");
    function giveUp(why) {
      clearTimeout(timer);
      reject(why);
      // It may still open later: close it then.
      request.onsuccess = () => request.result.close();
    }
    request.onblocked = () => giveUp("blocked");
    request.onupgradeneeded = ({ oldVersion }) => {
      for (const [store, index] of added.slice(oldVersion).flat().map((one) => one.split(":"))) {
        const made = request.result.createObjectStore(store);
        if (index) made.createIndex(index, index);
      }
    };
    toPromise(request).then(resolve, reject).finally(() => clearTimeout(timer));
  });

/** The range of all keys `[session, …]`: an array sorts after numbers and texts. */
export const ofSession = (session) => IDBKeyRange.bound([session], [session, []]);

const encoder = new TextEncoder();
/** UTF-8 of a long text; faster than the bindings' own conversion. */
export const bytes = (text) => encoder.encode(text);

/** The settings of a request, without its texts. */
const settings = ({ system, messages, ...settings }) => settings;

/**
 * Reads the lines of a record from the first on (format: `core/codec.rs`). Texts are concatenated with `+`, which
 * browsers do without copying, so shared pieces are kept once.
 */
export class Pages {
  #entries = [];
  #texts = [];

  #known(number) {
    const text = this.#texts[number];
    if (text === undefined) throw new Error(`the record refers to text ${number}, which it does not contain`);
    return text;
  }

  #text(form) {
    if (typeof form === "number") return this.#known(form);
    const text = typeof form === "string" ? form : form.reduce((text, part) => text + this.#text(part), "");
    this.#texts.push(text);
    return text;
  }

  #value(value) {
    if (value === null || typeof value !== "object") return value;
    if (Array.isArray(value)) return value.map((item) => this.#value(item));
    if (Object.hasOwn(value, "=")) return this.#text(value["="]);
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name.replace(/^=/, ""), this.#value(item)]));
  }

  #entry({ seq, at = this.#entries.at(-1)?.at, like, ...entry }) {
    const what = entry.what ?? {};
    if (what.type === "asked") {
      const { request } = what;
      request.system = this.#text(request.system);
      for (const message of request.messages) message.content = this.#text(message.content);
      if (like !== undefined) {
        const known = this.#entries[like].what;
        Object.assign(request, settings(known.request));
        what.time_limits ??= known.time_limits;
      }
    }
    if (what.reply) what.reply.text = this.#text(what.reply.text);
    for (const name of ["reading", "value", "event", "result"]) if (name in what) what[name] = this.#value(what[name]);
    return { seq, at, ...entry };
  }

  /** Reads the next lines. Returns the number of entries so far. */
  read(lines) {
    for (const line of lines.split("\n")) this.#entries.push(this.#entry(JSON.parse(line)));
    return this.#entries.length;
  }

  /** The entries from `from` up to, not including, `to`. */
  slice(from, to) {
    return this.#entries.slice(from, to);
  }
}

/** Closes the connection and calls `lost` once when another tab upgrades the database or the database is removed. */
export function watch(database, lost) {
  database.onversionchange = () => {
    database.close();
    lost();
  };
  database.onclose = () => lost();
}

export function unwatch(database) {
  database.onversionchange = null;
  database.onclose = null;
}

/** Locks of this page that are being released, as promises. */
const releasing = new Map();

const held = new Set();

/**
 * A function that releases a lock of this page, at once or after a promise. `release(after)` resolves when it is free.
 */
function makeReleaser(name, release) {
  held.add(name);
  return (after) => {
    const free = release(after).catch(() => {}).then(() => {
      held.delete(name);
      releasing.delete(name);
    });
    releasing.set(name, free);
  };
}

/**
 * Takes a lock. Resolves to a function that releases it, at once or after a promise, or to a sentence about the present
 * holder. Without browser locks only this page is checked.
 */
export async function lock(name) {
  await releasing.get(name);
  const here = () => held.has(name) && "this session is open in this page already: use that Session object, or close() it first";
  const alone = () => here() || makeReleaser(name, (after) => Promise.resolve(after));
  const locks = globalThis.navigator?.locks;
  if (!locks?.request) return alone();
  return new Promise((resolve) => {
    const over = locks.request(name, { ifAvailable: true }, (had) => {
      if (!had) return resolve(here() || "this session is open in another tab, window or worker; close it there first");
      return new Promise((done) => resolve(makeReleaser(name, (after) => (done(after), over))));
    });
    // Pages without an origin have the interface but may not use it.
    over.catch(() => resolve(alone()));
  });
}

/** The decoder for the charset that a response declares; UTF-8 if it declares none or an unknown one. */
function decoder(response, start) {
  const declared = response.headers.get("content-type")?.match(/charset="?([\w-]+)/i) ?? start.match(/^<\?xml[^>]*encoding=["']([\w-]+)/);
  try {
    return new TextDecoder(declared?.[1] ?? "utf-8");
  } catch {
    return new TextDecoder();
  }
}

/**
 * Fetches the text at an address, of `most` bytes at most, without credentials or referrer: `{ text }`, or `{ problem,
 * status }` with `cancelled`, `blocked` (by the page's policy), `unreachable`, `status` or `too_large`.
 */
export async function text(url, most, signal) {
  let blocked = false;
  const origins = new Set([new URL(url).origin]);
  const notice = ({ effectiveDirective, blockedURI }) => {
    blocked ||= effectiveDirective === "connect-src" && origins.has(URL.parse?.(blockedURI)?.origin ?? blockedURI);
  };
  globalThis.document?.addEventListener("securitypolicyviolation", notice);
  try {
    const response = await fetch(url, { credentials: "omit", referrerPolicy: "no-referrer", cache: "no-store", signal });
    if (!response.ok) {
      response.body?.cancel().catch(() => {});
      return { problem: "status", status: response.status };
    }
    const pieces = [];
    let size = 0;
    const reader = response.body.getReader();
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      size += piece.value.length;
      if (size > most) {
        reader.cancel().catch(() => {});
        return { problem: "too_large" };
      }
      pieces.push(piece.value);
    }
    const bytes = new Uint8Array(await new Blob(pieces).arrayBuffer());
    return { text: decoder(response, new TextDecoder("latin1").decode(bytes.subarray(0, 200))).decode(bytes) };
  } catch {
    if (signal.aborted) return { problem: "cancelled" };
    // The policy violation event follows the rejection.
    await new Promise((resolve) => setTimeout(resolve, 50));
    return { problem: blocked ? "blocked" : "unreachable" };
  } finally {
    globalThis.document?.removeEventListener("securitypolicyviolation", notice);
  }
}

/** Waits for a lock and takes it. Resolves to a function that releases it. */
export function turn(name) {
  const locks = globalThis.navigator?.locks;
  return new Promise((resolve) => {
    const held = () => new Promise((release) => resolve(release));
    const none = () => resolve(() => {});
    if (locks?.request) locks.request(name, held).catch(none);
    else none();
  });
}

/**
 * Algorithms that sign receipts and records: parameters of the key, parameters of the signature. The first that the
 * browser supports is used.
 */
const SIGNATURES = {
  Ed25519: [{ name: "Ed25519" }, { name: "Ed25519" }],
  ES256: [
    { name: "ECDSA", namedCurve: "P-256" },
    { name: "ECDSA", hash: "SHA-256" },
  ],
};

const base64url = (bytes) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
const unbase64url = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
/** The members of a public key, in the order of RFC 7638. */
const publicKey = ({ crv, kty, x, y }) => ({ crv, kty, x, ...(y === undefined ? {} : { y }) });

async function makeKey(subtle) {
  for (const [algorithm, [making]] of Object.entries(SIGNATURES)) {
    try {
      const pair = await subtle.generateKey(making, false, ["sign", "verify"]);
      return { algorithm, private: pair.privateKey, public: publicKey(await subtle.exportKey("jwk", pair.publicKey)) };
    } catch {
      // Not supported by this browser: try the next one.
    }
  }
  return null;
}

/** The stored signing key, created if there is none; null if the browser cannot create one. */
async function signingKey(database, store) {
  const subtle = globalThis.crypto?.subtle;
  const kept = await value(database, store, "key");
  if (kept || !subtle) return kept ?? null;
  const made = await makeKey(subtle);
  if (!made) return null;
  try {
    await toPromise(database.transaction(store, "readwrite").objectStore(store).add(made, "key"));
  } catch {
    // Another tab was first, or keys cannot be stored here.
  }
  return (await value(database, store, "key")) ?? null;
}

/**
 * Signs a text with the key of this browser profile, whose private half cannot be exported: `{ algorithm, public_key,
 * value }`, or null if the browser cannot sign. `makes`: creates a missing key.
 */
export async function sign(database, store, text, makes) {
  try {
    const key = makes ? await signingKey(database, store) : await value(database, store, "key");
    if (!key) return null;
    const signed = await crypto.subtle.sign(SIGNATURES[key.algorithm][1], key.private, encoder.encode(text));
    return { algorithm: key.algorithm, public_key: key.public, value: base64url(signed) };
  } catch {
    return null;
  }
}

/** The thumbprint of a public key (RFC 7638), or null. */
export async function thumbprint(key) {
  try {
    return base64url(await crypto.subtle.digest("SHA-256", encoder.encode(JSON.stringify(publicKey(key)))));
  } catch {
    return null;
  }
}

/** Returns whether the signature matches the text and key; null if this browser cannot check it. */
export async function isSigned(text, algorithm, key, value) {
  const [importing, signing] = (Object.hasOwn(SIGNATURES, algorithm) && SIGNATURES[algorithm]) || [];
  const subtle = globalThis.crypto?.subtle;
  if (!subtle) return null;
  if (!importing) return false;
  let bytes, imported;
  try {
    bytes = unbase64url(value);
    const { crv, kty, x, y } = key;
    const fits = algorithm === "Ed25519" ? kty === "OKP" && crv === "Ed25519" : kty === "EC" && crv === "P-256";
    if (!fits || base64url(bytes) !== value) return false;
    imported = await subtle.importKey("jwk", { kty, crv, x, y }, importing, false, ["verify"]);
  } catch (error) {
    return error?.name === "NotSupportedError" ? null : false;
  }
  return subtle.verify(signing, imported, bytes, encoder.encode(text)).catch(() => false);
}

/** The origin of an address as the browser sees it; the text itself if it is not an address. */
export function origin(address) {
  try {
    return new URL(address).origin;
  } catch {
    return address;
  }
}

/** Asks the browser to keep the data; false if it refuses or cannot answer. */
export async function persist() {
  try {
    return (await navigator.storage.persisted()) || (await navigator.storage.persist());
  } catch {
    return false;
  }
}

/** `[usage, quota]` in bytes, undefined if the browser does not report them. */
export async function estimate() {
  try {
    const { usage, quota } = await navigator.storage.estimate();
    return [usage, quota];
  } catch {
    return [];
  }
}

/**
 * Builds the ask for a callback from JSON (`json`: small members and the roles of its messages) and the members beside
 * it.
 */
export function question(json, system, contents, schema, abort, make) {
  const [id, session, seat, protocol, kind, phase, round, attempt, language, stop, maxTokens, model, temperature, topP, roles] = JSON.parse(json);
  const messages = roles.map((role, place) => ({ role, content: contents[place] }));
  const ask = { id, session, seat, protocol, kind, phase, round, attempt, language, stop, maxTokens, model, temperature, topP, messages, system };
  if (schema) ask.schema = JSON.parse(schema);
  lazily(ask, "signal", () => abort.signal);
  lazily(ask, "facts", () => make(false));
  lazily(ask, "form", () => make(true));
  return ask;
}

/** Defines a property whose value is made on first access. */
function lazily(object, name, make) {
  const settle = (value) => {
    Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
    return value;
  };
  Object.defineProperty(object, name, { get: () => settle(make()), set: settle, enumerable: true, configurable: true });
}

/**
 * Checks whether an address answers, for addresses whose responses this page may not read. `local`: on this machine.
 * `blocked`: by the policy of this page.
 * @returns {Promise<"offline" | "blocked" | "answers" | "silent">}
 */
export async function probe(origin, local) {
  if (!local && globalThis.navigator?.onLine === false) return "offline";
  let blocked = false;
  const violated = ({ blockedURI }) => {
    blocked ||= String(blockedURI).startsWith(origin);
  };
  // Bubbles from the document up to the window; in a worker it is dispatched on the worker.
  globalThis.addEventListener?.("securitypolicyviolation", violated);
  try {
    await fetch(origin, {
      mode: "no-cors", credentials: "omit", cache: "no-store", referrerPolicy: "no-referrer", redirect: "follow",
      signal: AbortSignal.timeout(8000),
    });
    return "answers";
  } catch {
    // The violation event comes in a task of its own.
    await new Promise((resolve) => setTimeout(resolve, 50));
    return blocked ? "blocked" : "silent";
  } finally {
    globalThis.removeEventListener?.("securitypolicyviolation", violated);
  }
}
