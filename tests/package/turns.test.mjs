// Long work lets others have their turn. The clock of these tests goes on by a second at each look at it, so that work
// which asks whether it is time for others is told so each time: how often others are let in is then exact.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import init, { Session } from "../../dist/node.js";
import { open } from "../support/browser.mjs";
import { root } from "../support/package.mjs";

const CONFIG = { seed: 3, phase2_rounds: 2, agents: ["Ana", "Ben", "Cleo"].map((name) => ({ name, personality: "a student" })) };

/** What work comes to, and how many turns others had meanwhile: `others` calls back after one. */
const counted = async (work, others) => {
  let turns = 0;
  let isOver = false;
  const turn = () => {
    if (isOver) return;
    turns += 1;
    others(turn);
  };
  others(turn);
  const { now } = performance;
  let moment = 0;
  performance.now = () => (moment += 1000);
  try {
    return [await work(), turns];
  } finally {
    isOver = true;
    performance.now = now;
  }
};

let record;
let length;
before(async () => {
  await init();
  const session = await Session.create(CONFIG, { store: "memory" });
  await session.run();
  record = Object.fromEntries(await Promise.all(["json", "jsonl"].map(async (format) => [format, (await session.export(format)).text])));
  length = session.entries().length;
  assert.ok(length > 200);
  await session.close();
});

for (const format of ["json", "jsonl"]) {
  test(`${format} is taken in, verified and written entry by entry`, async () => {
    const [session, read] = await counted(() => Session.import(record[format], { store: "memory" }), setImmediate);
    assert.ok(read >= length, `${read} turns while ${length} entries were read`);
    const [{ verified }, compared] = await counted(() => session.verify(), setImmediate);
    assert.equal(verified, true);
    assert.ok(compared >= length, `${compared} turns while ${length} entries were compared`);
    const [{ text }, written] = await counted(() => session.export(format), setImmediate);
    assert.equal(text, record[format]);
    assert.ok(written >= length, `${written} turns while ${length} entries were written`);
    await session.close();
  });
}

test("in a page it is stored entry by entry", async () => {
  const web = await open(root);
  try {
    const { page } = await web.newPage();
    await page.goto(`${web.url}README.md`);
    const [same, turns] = await page.evaluate(`(async () => {
      const { default: init, Session, Library } = await import("/dist/quorate.js");
      await init();
      const counted = ${counted};
      const { port1, port2 } = new MessageChannel();
      let next;
      port1.onmessage = () => next();
      const others = (turn) => {
        next = turn;
        port2.postMessage(null);
      };
      const text = ${JSON.stringify(record.jsonl)};
      const [session, turns] = await counted(() => Session.import(text), others);
      await session.close();
      return [(await Library.export(session.id, "jsonl")).text === text, turns];
    })()`);
    assert.equal(same, true);
    assert.ok(turns >= 2 * length, `${turns} turns while ${length} entries were read and written`);
  } finally {
    await web.close();
  }
});
