// Sessions that are opened, run, closed and freed by the hundred leave no memory behind, in the heap or in the module.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { root } from "../support/package.mjs";

const { default: init, Session, presets } = await import(join(root, "dist/node.js"));
await init();
setFlagsFromString("--expose_gc");
const collect = runInNewContext("gc");
const preset = (id) => presets().find((preset) => preset.id === id).config;
const poll = { protocol: "delphi", question: "How many?", agents: ["Ana", "Ben"].map((name) => ({ name, kind: "scripted" })) };

/** Megabytes in the heap, and in buffers with the module's memory, when all that can go is gone. */
async function held() {
  for (let time = 0; time < 3; time += 1) {
    collect();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  const { heapUsed, external } = process.memoryUsage();
  return [heapUsed / 1e6, external / 1e6];
}

for (const [what, config, times] of [["polls", poll, 1000], ["experiments", preset("quick"), 60], ["debates", preset("debate-quick"), 60]]) {
  test(`${times} ${what} leave no memory behind`, async () => {
    const one = async (seed) => {
      const session = await Session.create({ ...config, seed }, { store: "memory", id: `${what}-${seed}`, onEvent: () => session.status });
      await session.run();
      session.view();
      await session.close();
      session.free();
    };
    for (let seed = 0; seed < 10; seed += 1) await one(seed);
    const before = await held();
    for (let seed = 10; seed < 10 + times; seed += 1) await one(seed);
    const more = (await held()).map((now, at) => now - before[at]);
    assert.ok(more.every((megabytes) => megabytes < 3), `heap and module grew by ${more.map((one) => one.toFixed(1))} MB`);
  });
}

test("a freed session says so, and the others go on", async () => {
  const [freed, other] = await Promise.all(["freed", "other"].map((id) => Session.create(poll, { store: "memory", id })));
  await freed.close();
  freed.free();
  assert.throws(() => freed.status);
  assert.equal(Object.keys(await other.run()).length > 0, true);
  await other.close();
});

test("a hundred sessions at once let others have their turn", async () => {
  let turns = 0;
  const other = setInterval(() => {
    turns += 1;
  }, 1);
  const all = Array.from({ length: 100 }, async (_, seed) => {
    const session = await Session.create({ ...preset("quick"), seed }, { store: "memory" });
    const { consensus } = await session.run();
    await session.close();
    session.free();
    return consensus;
  });
  assert.equal((await Promise.all(all)).length, 100);
  clearInterval(other);
  assert.ok(turns > 10, `others had ${turns} turns`);
});
