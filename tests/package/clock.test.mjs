// Clocks that are set back, or that were ahead when a record was made: runs go on, and the times in a record never go back.
import assert from "node:assert/strict";
import { afterEach, before, test } from "node:test";
import { steadyClock } from "../../src/web/clock.js";
import { entry } from "../support/package.mjs";

const { default: init, Session } = await import(entry);
const HOUR = 3_600_000;
const { now: real } = Date;
before(() => init());
afterEach(() => (Date.now = real));

const poll = { protocol: "delphi", question: "How many?", rounds: 3, agents: ["Ana", "Ben", "Cleo"].map((name) => ({ name, kind: "scripted" })), seed: 3 };
const isInOrder = (session) => session.entries().every(({ at }, index, all) => index === 0 || at >= all[index - 1].at);
/** Calls back once the run has asked something. */
const onceAsked = (act) => ({ type, entries }) => type === "entries" && act && entries.some(({ what }) => what.type === "answered") && (act(), (act = null));

test("a clock goes on from where it was when the date is set back, and follows the date again once that has caught up", () => {
  let [date, even] = [5_000, 100];
  const { performance } = globalThis;
  Date.now = () => date;
  Object.defineProperty(globalThis, "performance", { value: { now: () => even }, configurable: true });
  try {
    const clock = steadyClock();
    assert.equal(clock(), 5_000);
    date -= HOUR;
    even += 700;
    assert.equal(clock(), 5_700);
    date += HOUR + 800;
    even += 100;
    assert.equal(clock(), 5_800);
    // While the device sleeps the date goes on, and the other may not.
    date += HOUR;
    assert.equal(clock(), 5_800 + HOUR);
    assert.equal(clock(9_000 + HOUR), 9_000 + HOUR);
    even += 5;
    assert.equal(clock(), 9_005 + HOUR);
  } finally {
    Object.defineProperty(globalThis, "performance", { value: performance, configurable: true });
  }
});

test("of a program's clock its steps forward count", () => {
  let date = 100;
  const clock = steadyClock(() => date);
  assert.equal(clock(), 100);
  date = 40;
  assert.equal(clock(), 100);
  date = 60;
  assert.equal(clock(), 120);
  for (const wrong of [() => NaN, () => "soon", () => { throw new Error("no clock"); }]) assert.ok(Math.abs(steadyClock(wrong)() - real()) < HOUR);
});

test("a run whose clock is set back by an hour goes on at once", async () => {
  for (const how of ["the date", "a program's clock"]) {
    let ahead = 0;
    const setsBack = () => (how === "the date" ? (Date.now = () => real() - HOUR) : (ahead = -HOUR));
    const session = await Session.create(poll, { store: "memory", pace: 20, ...(how !== "the date" && { now: () => real() + ahead }), onEvent: onceAsked(setsBack) });
    await session.run();
    Date.now = real;
    assert.ok(isInOrder(session), how);
    assert.ok((await session.verify()).verified);
    await session.close();
  }
});

test("an unfinished record from a clock that was ahead goes on at once", async () => {
  const stops = new AbortController();
  const ahead = await Session.create(poll, { store: "memory", pace: 20, now: () => real() + HOUR, onEvent: onceAsked(() => stops.abort()) });
  await assert.rejects(ahead.run({ signal: stops.signal }), { code: "stopped" });
  const { text } = await ahead.export("jsonl");
  await ahead.close();
  const session = await Session.import(text, { store: "memory", pace: 20 });
  session.resume();
  await session.run();
  assert.ok(isInOrder(session));
  assert.ok(session.now() > real() + HOUR / 2);
  await session.close();
});
