// Keys kept on this device, at wish: each as AES-GCM ciphertext in IndexedDB, under a key that PBKDF2 makes of a passphrase.
// The passphrase is not kept, the derived key cannot be taken out of the browser's hands, and both are gone once locked.
// What this does not help against: a program that runs within this page while it is open.
import { keysFor, onKeys, setKeys } from "./keys.js";

const DATABASE = "quorate-vault";
const STORE = "keys";
/** OWASP's number for PBKDF2 with SHA-256 (2023 and since). */
const ITERATIONS = 600_000;
const LOCK = "quorate.lock";
/** Minutes without use after which the vault locks. */
export const MINUTES = [5, 15, 60];
/** A tab that is out of sight for so long locks, whatever runs in it. */
const HIDDEN = 60;
/** Characters of a passphrase: fewer are refused; fewer than good are told as weak. */
export const LEAST = 8;
export const GOOD = 10;

/** While unlocked: `{ key, salt, iterations }`. */
let open = null;
/** Places for which there is a record. */
let kept = new Set();
let used = Date.now();
let hiddenAt = null;
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

/** Does something with the store and resolves when it is written. */
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

/** A record cannot be moved to another provider or another page. */
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

/** One after the other, so that what is kept is what was set last. */
let writing = Promise.resolve();
const inTurn = (work) => (writing = writing.then(work, work));

/** Brings changes to the device, while it is unlocked. */
const write = (changes) =>
  inTurn(async () => {
    if (!open) return;
    // Another tab removed what was kept, or keeps under another passphrase: then nothing is written that the one there does not open.
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

/** Looks what is kept; once, when the page begins. */
export async function begin() {
  if (!canKeep()) return;
  const names = (await indexedDB.databases?.())?.map(({ name }) => name);
  if (names && !names.includes(DATABASE)) return;
  kept = placesOf(await records());
  changed();
}

/** Keeps the keys of this tab, and those entered from now on, under a passphrase. */
export async function keep(passphrase) {
  const salt = crypto.getRandomValues(new Uint8Array(16));
  const next = { key: await derive(passphrase, salt, ITERATIONS), salt, iterations: ITERATIONS };
  await inTurn(async () => {
    // Another tab may keep keys since this one looked: they are not thrown away.
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

/** Takes the kept keys into memory. False for a wrong passphrase. */
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
  // What was entered since the vault was locked is newer.
  const now = keysFor();
  setKeys(Object.fromEntries(found.filter(([place]) => !(place in now))));
  if (Object.keys(now).length) await write(now);
  changed();
  return true;
}

/** Takes all keys out of memory; those that are kept stay on the device. */
export async function lock() {
  if (!open) return;
  await writing.catch(() => {});
  open = null;
  setKeys(Object.fromEntries(Object.keys(keysFor()).map((place) => [place, null])));
  changed();
}

/** Removes what is kept on the device; keys in memory stay there. */
export async function discard() {
  await writing.catch(() => {});
  open = null;
  kept = new Set();
  if (canKeep()) await asked(indexedDB.deleteDatabase(DATABASE));
  changed();
}

/** Removes every key, here and on the device. */
export async function forgetAll() {
  await discard();
  setKeys(Object.fromEntries(Object.keys(keysFor()).map((place) => [place, null])));
}

/** Minutes without use after which it locks. */
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
    // Then it is the usual time.
  }
  touch();
}

/** Somebody is there, or a run had an answer. */
export function touch() {
  used = Date.now();
}

/** Locks when its time has come. The clock is read rather than waited for: devices sleep. */
function look() {
  if (!open) return;
  const minutes = (since) => (Date.now() - since) / 60_000;
  if (minutes(used) >= lockAfter() || (hiddenAt !== null && minutes(hiddenAt) >= HIDDEN)) lock();
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
    hiddenAt = document.hidden ? Date.now() : null;
    if (!document.hidden) touch();
  });
  setInterval(look, 15_000);
}
