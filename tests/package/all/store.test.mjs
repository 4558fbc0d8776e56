// What sessions write at the same moment goes into one transaction (src/web/browser.js), and fails or holds for each alone.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { open } from "../../support/browser.mjs";
import { root } from "../../support/package.mjs";

let web;
before(async () => (web = await open(root)));
after(() => web?.close());

/**
 * Runs `work({ change, connections, stored })` in a page, where `connections` are so many to one database with the stores `a` and
 * `b`; tells what it returns, and how many transactions were begun to write.
 */
async function inPage(count, work) {
  const { page, context } = await web.newPage();
  await page.goto(`${web.url}README.md`);
  const told = await page.evaluate(`(async () => {
    const { change } = await import("/src/web/browser.js");
    const done = (request) => new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    const connections = [];
    for (let at = 0; at < ${count}; at += 1) {
      const request = indexedDB.open("one", 1);
      request.onupgradeneeded = () => ["a", "b"].forEach((name) => request.result.createObjectStore(name));
      connections.push(await done(request));
    }
    const stored = async (name) => {
      const store = connections[0].transaction(name).objectStore(name);
      const [keys, values] = await Promise.all([done(store.getAllKeys()), done(store.getAll())]);
      return Object.fromEntries(keys.map((key, at) => [key, values[at]]));
    };
    const { transaction } = IDBDatabase.prototype;
    let writes = 0;
    IDBDatabase.prototype.transaction = function (stores, mode, options) {
      if (mode === "readwrite") writes += 1;
      return transaction.call(this, stores, mode, options);
    };
    const all = (changes) => Promise.all(changes.map((one) => one.catch((error) => error?.name ?? String(error))));
    const came = await (${work})({ change, connections, stored, all });
    return { came, writes };
  })()`);
  await context.close();
  return told;
}

test("what waits while something is stored goes into one transaction", async () => {
  const { came, writes } = await inPage(40, async ({ change, connections, stored, all }) => {
    const told = await all(connections.map((one, at) => change(one, ["a"], "relaxed", null, [["a", "put", `value ${at}`, at]])));
    return [told.every((one) => one === true), Object.keys(await stored("a")).length];
  });
  assert.deepEqual(came, [true, 40]);
  assert.equal(writes, 2);
});

test("one that fails, does not fit or has lost its connection does so alone", async () => {
  const { came } = await inPage(6, async ({ change, connections, stored, all }) => {
    const put = (at, store = "a") => change(connections[at], [store], "relaxed", null, [[store, "add", at, at]]);
    await put(0);
    connections[5].close();
    const told = await all([
      put(5),
      put(1),
      change(connections[2], ["a", "b"], "strict", null, [["b", "put", "half", 2], ["a", "add", "again", 0]]),
      change(connections[3], ["b"], "relaxed", ["b", 99, true], [["b", "put", "unfit", 3]]),
      change(connections[4], ["b"], "relaxed", null, [], ["b", 4, () => {
        throw new RangeError("no summary");
      }]),
      put(4, "b"),
      change(connections[0], ["nowhere"], "relaxed", null, []),
    ]);
    return [told, await stored("a"), await stored("b")];
  });
  assert.deepEqual(came, [["InvalidStateError", true, "ConstraintError", false, "RangeError", true, "NotFoundError"], { 0: 0, 1: 1 }, { 4: 4 }]);
});

test("changes see those before them", async () => {
  const { came, writes } = await inPage(2, async ({ change, connections: [one, other], stored, all }) => {
    const adds = (what) => (before) => `${before ?? ""}${what}`;
    const told = await all([
      change(one, ["b"], "relaxed", null, [["b", "put", "first", 1]]),
      change(one, ["a"], "relaxed", null, [], ["a", "sum", adds("x")]),
      change(other, ["a"], "relaxed", null, [["a", "put", "piece", "p"]], ["a", "sum", adds("y")]),
      change(one, ["a"], "relaxed", ["a", "p", true], [["a", "delete", "p"]], ["a", "gone", adds("z")]),
      change(other, ["a"], "relaxed", ["a", "p", false], [["a", "delete", "gone"]], ["a", "sum", () => undefined]),
    ]);
    return [told, await stored("a")];
  });
  assert.deepEqual(came, [[true, true, true, true, true], { sum: "xy" }]);
  assert.equal(writes, 2);
});

test("more steps than are asked for at once are stored as a whole", async () => {
  const { came } = await inPage(2, async ({ change, connections, stored, all }) => {
    const many = (from) => Array.from({ length: 1000 }, (_, at) => ["a", "add", "", from + at]);
    const told = await all([change(connections[0], ["a"], "relaxed", null, many(0)), change(connections[1], ["a"], "relaxed", null, many(1000)), change(connections[0], ["a"], "relaxed", null, many(1999))]);
    return [told, Object.keys(await stored("a")).length];
  });
  assert.deepEqual(came, [[true, true, "ConstraintError"], 2000]);
});
