// Keys stored on this device, optionally: each as AES-GCM ciphertext in IndexedDB, under a key that PBKDF2 derives from
// a passphrase. The passphrase is not stored, the derived key is not extractable, and both are dropped on locking.
// Offers no protection against code that runs within the open page.
import { elapsed } from "../src/web/room/elapsed.js";
import { keysFor, onKeys, setKeys } from "./keys.js";

export { GOOD, isGuessable, LEAST } from "./passphrase.js";

const DATABASE = "quorate-vault";
const STORE = "keys";
/** OWASP's number for PBKDF2 with SHA-256 (2023 and since). */
const ITERATIONS = 600_000;
const LOCK = "quorate.lock";
/** Choices of minutes without use until the vault locks. */
export const MINUTES = [5, 15, 60];
/** Minutes after which a hidden tab locks, even during a run. */
const HIDDEN = 60;
/** While unlocked: `{ key, salt, iterations }`. */
let open = null;
/** Places that have a stored record. */
let kept = new Set();
let used = elapsed();
/** @type {(() => number) | null} */
let hidden = null;
const listeners = new Set();

export const canKeep = () => Boolean(globalThis.indexedDB && globalThis.crypto?.subtle);
/** `none`, `locked` or `open`. */
export const state = () => (open ? "open" : kept.size ? "locked" : "none");
export const isKept = (place) => kept.has(place);
export const keeps = (origin) => [...kept].some((place) => place.split("#")[0] === origin);
export function onVault(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
const changed = () => {
  for (const listener of [...listeners]) listener(state());
};

const asked = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** Runs a transaction; resolves when it is written. */
async function within(mode, work) {
  const opening = indexedDB.open(DATABASE, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE, { keyPath: "place" });
  const database = await asked(opening);
  try {
    const transaction = database.transaction(STORE, mode);
    const over = new Promise((resolve, reject) => {
      transaction.oncomplete = resolve;
      transaction.onerror = transaction.onabort = () => reject(transaction.error);
    });
    const result = await work(transaction.objectStore(STORE));
    await over;
    return result;
  } finally {
    database.close();
  }
}

const records = () => within("readonly", (store) => asked(store.getAll()));
const placesOf = (all) => new Set(all.map(({ place }) => place));

async function derive(passphrase, salt, iterations) {
  const material = await crypto.subtle.importKey("raw", new TextEncoder().encode(passphrase.normalize("NFKC")),
    "PBKDF2", false, ["deriveKey"]);
  return crypto.subtle.deriveKey({ name: "PBKDF2", hash: "SHA-256", salt, iterations }, material, { name: "AES-GCM",
    length: 256 }, false, ["encrypt", "decrypt"]);
}

/** Binds a record to its provider and this page. */
const bound = (place) => new TextEncoder().encode(`quorate.key/1\n${place}\n${location.origin}`);

async function seal(place, text, by = open) {
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const ciphertext = await crypto.subtle.encrypt({ name: "AES-GCM", iv, additionalData: bound(place) }, by.key,
    new TextEncoder().encode(text));
  return { place, kdf: "PBKDF2-SHA-256", salt: by.salt, iterations: by.iterations, iv,
    ciphertext: new Uint8Array(ciphertext) };
}

const unseal = async ({ place, iv, ciphertext }, key) =>
  new TextDecoder().decode(
    await crypto.subtle.decrypt({ name: "AES-GCM", iv, additionalData: bound(place) }, key, ciphertext),
  );

/** Serializes writes, so that the last change wins. */
let writing = Promise.resolve();
const inTurn = (work) => (writing = writing.then(work, work));

/** Writes changes to the device, if unlocked. */
const write = (changes) =>
  inTurn(async () => {
    if (!open) return;
    // Another tab deleted the keys, or uses another passphrase: do not write what it cannot decrypt.
    const there = await records();
    if (there.some(({ salt }) => String(salt) !== String(open.salt)) || (kept.size && !there.length)) {
      open = null;
      kept = placesOf(there);
      return changed();
    }
    for (const [place, key] of Object.entries(changes)) {
      const record = key && (await seal(place, key));
      await within("readwrite", (store) => asked(record ? store.put(record) : store.delete(place)));
      if (record) kept.add(place);
      else kept.delete(place);
    }
    if (!kept.size) open = null;
    changed();
  });

onKeys((changes) => {
  touch();
  if (open) write(changes).catch(() => {});
});

/** Reads which keys are stored; once, at the start of the page. */
export async function begin() {
  if (!canKeep()) return;
  const names = (await indexedDB.databases?.())?.map(({ name }) => name);
  if (names && !names.includes(DATABASE)) return;
  kept = placesOf(await records());
  changed();
}

/** Stores the keys of this tab, and those entered later, under a passphrase. */
export async function keep(passphrase) {
  const salt = crypto.getRandomValues(new Uint8Array(16));
  const next = { key: await derive(passphrase, salt, ITERATIONS), salt, iterations: ITERATIONS };
  await inTurn(async () => {
    // Do not overwrite keys that another tab has stored since.
    const there = await records();
    if (!kept.size && !open && there.length) {
      kept = placesOf(there);
      changed();
      throw new Error("keys are kept already");
    }
    const made = await Promise.all(Object.entries(keysFor()).map(([place, key]) => seal(place, key, next)));
    await within("readwrite", (store) => {
      store.clear();
      return Promise.all(made.map((record) => asked(store.put(record))));
    });
    kept = placesOf(made);
    open = next;
  });
  touch();
  changed();
}

/** Loads the stored keys into memory. False if the passphrase is wrong. */
export async function unlock(passphrase) {
  const all = await records();
  if (!all.length) {
    kept = new Set();
    changed();
    return true;
  }
  const { salt, iterations } = all[0];
  const key = await derive(passphrase, salt, iterations);
  let found;
  try {
    found = await Promise.all(all.map(async (record) => [record.place, await unseal(record, key)]));
  } catch {
    return false;
  }
  kept = placesOf(all);
  open = { key, salt, iterations };
  touch();
  // A key entered since the vault was locked is newer.
  const now = keysFor();
  setKeys(Object.fromEntries(found.filter(([place]) => !(place in now))));
  if (Object.keys(now).length) await write(now);
  changed();
  return true;
}

/** Removes all keys from memory; stored ones stay on the device. */
export async function lock() {
  if (!open) return;
  await writing.catch(() => {});
  open = null;
  setKeys(Object.fromEntries(Object.keys(keysFor()).map((place) => [place, null])));
  changed();
}

/** Deletes the stored keys; those in memory stay. */
export async function discard() {
  await writing.catch(() => {});
  open = null;
  kept = new Set();
  if (canKeep()) await asked(indexedDB.deleteDatabase(DATABASE));
  changed();
}

/** Removes every key, in memory and on the device. */
export async function forgetAll() {
  await discard();
  setKeys(Object.fromEntries(Object.keys(keysFor()).map((place) => [place, null])));
}

/** Minutes without use until it locks. */
export function lockAfter() {
  try {
    const minutes = Number(localStorage.getItem(LOCK));
    return MINUTES.includes(minutes) ? minutes : 15;
  } catch {
    return 15;
  }
}
export function setLockAfter(minutes) {
  try {
    localStorage.setItem(LOCK, String(minutes));
  } catch {
    // Storage is not available: the default applies.
  }
  touch();
}

/** Restarts the time: a user action, or an answer in a run. */
export function touch() {
  used = elapsed();
}

/** Locks when due. Reads clocks instead of a timer, since devices sleep. */
function look() {
  if (!open) return;
  const minutes = (since) => since() / 60_000;
  if (minutes(used) >= lockAfter() || (hidden && minutes(hidden) >= HIDDEN)) lock();
}

if (globalThis.document) {
  for (const kind of ["pointerdown", "keydown"]) {
    addEventListener(kind, () => {
      look();
      touch();
    }, { capture: true, passive: true });
  }
  document.addEventListener("visibilitychange", () => {
    look();
    hidden = document.hidden ? elapsed() : null;
    if (!document.hidden) touch();
  });
  setInterval(look, 15_000);
}
