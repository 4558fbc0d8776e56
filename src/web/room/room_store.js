// Storage of the host's rooms: a database of its own, since names and ids of people are kept out of the records.

import { lock } from "../locks.js";
import { LabError } from "./intake.js";

const DATABASE = "quorate-rooms";
/** Milliseconds to wait for the browser to open it. */
const PATIENCE = 5_000;
const ROOMS = "rooms";

const settled = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** Opens the store of this browser. */
export async function openStore() {
  const request = indexedDB.open(DATABASE, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(ROOMS, { keyPath: "id" });
  let timer;
  const silent = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new LabError("storage", `the browser did not open the stored rooms within ${PATIENCE / 1000} seconds: close other tabs of this page, then try again`)), PATIENCE);
  });
  const database = await Promise.race([settled(request), silent]).finally(() => clearTimeout(timer));
  // Another tab may want to delete it.
  database.onversionchange = () => database.close();
  const rooms = (mode) => database.transaction(ROOMS, mode).objectStore(ROOMS);
  return {
    put: (room) =>
      new Promise((resolve, reject) => {
        const transaction = database.transaction(ROOMS, "readwrite");
        transaction.oncomplete = () => resolve();
        transaction.onabort = () => reject(transaction.error);
        transaction.objectStore(ROOMS).put(room);
      }),
    get: (id) => settled(rooms("readonly").get(id)),
    all: () => settled(rooms("readonly").getAll()),
    remove: (id) => settled(rooms("readwrite").delete(id)),
    hold,
  };
}

/**
 * Takes the lock of a room, since two hosts would both answer its guests. Resolves to a function that releases it, or
 * to null if the room is open elsewhere. `lost` is called if another tab takes it while this one is frozen.
 */
async function hold(id, lost) {
  const release = await lock(`quorate.room.${id}`, lost);
  return typeof release === "function" ? release : null;
}

/** The same store in memory. */
export function memoryStore() {
  const rooms = new Map();
  const held = new Set();
  return {
    put: async (room) => void rooms.set(room.id, structuredClone(room)),
    get: async (id) => structuredClone(rooms.get(id)),
    all: async () => [...rooms.values()].map((room) => structuredClone(room)),
    remove: async (id) => void rooms.delete(id),
    hold: async (id) => {
      if (held.has(id)) return null;
      held.add(id);
      return () => void held.delete(id);
    },
  };
}
