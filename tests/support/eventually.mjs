// Assertions on what a page shows: repeated until they hold, since a page draws after what was done to it.
import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";

/** Repeats `check` until it throws no more, and resolves to what it returns; after `seconds` its error is thrown. */
export async function eventually(check, seconds = 60) {
  for (const end = Date.now() + seconds * 1000; ; await pause(50)) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > end) throw error;
    }
  }
}

// `eventually.equal(() => locator.textContent(), "4")`: as assert.equal, of what is read anew each time.
for (const name of ["equal", "notEqual", "deepEqual", "match", "ok"]) {
  eventually[name] = (read, ...wanted) => eventually(async () => assert[name](await read(), ...wanted));
}
