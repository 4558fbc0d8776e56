// Somebody who has the link and means harm: messages of 10 MB and a thousand in a second, over each broker. The others at the
// table come to their end meanwhile. One device with the room open twice, which is one participant. 20 s without a network,
// for a guest and for the host; a broker that is gone for an hour, and a host that sleeps for one.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { WebSocket } from "ws";
import { broker } from "../../../src/web/room/broker.js";
import { join } from "../../../src/web/room/guest.js";
import { readLink } from "../../../src/web/room/link.js";
import { guestKeys, guestTopic, hostTopic, openAtGuest, sealToHost, VERSION } from "../../../src/web/room/seal.js";
import { aedes, hasMosquitto, line, mosquitto } from "../../support/brokers.mjs";
import { filled } from "../../support/guests.mjs";
import { built, entry } from "../../support/package.mjs";
import { assertAskedOnce } from "../../support/page.mjs";

const { default: init } = await import(entry);
const { Room } = await import(built("room.js"));

before(() => init());

const agents = ["One", "Two"].map((name) => ({ name, personality: "A neighbour." }));
const poll = { protocol: "delphi", question: "How many?", minimum: 0, maximum: 100, rounds: 3, agents };
const storage = (kept = new Map()) => ({ getItem: (key) => kept.get(key) ?? null, setItem: (key, text) => kept.set(key, text), removeItem: (key) => kept.delete(key) });

async function until(holds, what, seconds = 60) {
  for (const end = Date.now() + seconds * 1000; Date.now() < end; await pause(20)) if (holds()) return;
  throw new Error(`given up after ${seconds} s: ${what}`);
}

/** A room at a broker with a table of two, and what goes when the test is over. */
async function opens(t, begin, plan = {}, now = Date.now) {
  const server = await begin();
  t.after(async () => {
    await server.stop();
    server.remove?.();
  });
  const transport = (address = server.address) => {
    const post = broker(address, { WebSocket });
    t.after(() => post.close());
    return post;
  };
  const host = await line(server.address);
  t.after(() => host.close());
  const room = await Room.open({ title: "Harm", session: poll, people: 2, tables: 1, start: "hand", seed: 4, ...plan }, { transport: transport(host.address), store: "memory", base: "https://lab.example/join.html", session: { store: "memory" }, now });
  t.after(() => room.close());
  /** Answers after a moment whatever is asked; `isSlow()` while not. */
  const joins = (kept, asked = new Set(), waits = () => false) => {
    const guest = join(room.link, { transport: transport(), storage: kept, language: "en", onState: async ({ questions }) => {
      for (const { ask, form } of questions) {
        if (asked.has(ask)) continue;
        asked.add(ask);
        while (waits()) await pause(20);
        void guest.answer(ask, filled(form.fields));
      }
    } });
    t.after(() => guest.close());
    return guest;
  };
  return { room, server, host, transport, joins };
}
const isOver = (guest) => guest.state.stage === "over";

// What docs/rooms.md asks of a broker: no packet above 1 MB. As it comes, this mosquitto takes half a minute for 10 MB.
const limited = () => mosquitto({ more: ["message_size_limit 1000000"] });
for (const [name, begin] of Object.entries({ aedes, ...(hasMosquitto && { mosquitto: limited }) })) {
  test(`${name}: messages of 10 MB and a thousand in a second harm nobody else`, { timeout: 180_000 }, async (t) => {
    const { room, transport, joins } = await opens(t, begin);
    let isHarmed = false;
    const guests = [joins(storage(), new Set(), () => !isHarmed), joins(storage(), new Set(), () => !isHarmed)];
    await until(() => room.view().waiting === 2, "the lobby");
    assert.equal(room.start(), true);
    await until(() => guests.every(({ state }) => state.questions.length), "questions");

    const link = readLink(room.link);
    const keys = guestKeys();
    const many = transport();
    let session = 0;
    let number = 0;
    const hello = () => many.publish(hostTopic(link), sealToHost(keys, link, { v: VERSION, type: "hello", language: "en", since: 0, params: {}, from: [1, number += 1], to: session }));
    many.subscribe(guestTopic(link, keys.public), (bytes) => (session = openAtGuest(keys, link, bytes)?.from[0] ?? session));
    hello();
    await until(() => session, "the host's session");
    for (let count = 0; count < 1000; count += 1) hello();
    const large = transport();
    for (let count = 0; count < 3; count += 1) large.publish(hostTopic(link), new Uint8Array(10_000_000).fill(1), { fleeting: count > 0 });
    await until(() => room.view().guests.some(({ cut }) => cut === "messages"), "who sends a thousand is cut off");
    isHarmed = true;
    await until(() => guests.every(isOver), "the end");
    assert.ok((await room.session(1).verify()).verified);
    assert.equal(room.view().guests.length, 3);
    assert.equal(guests.filter(({ state }) => state.connection === "open").length, 2);
  });

  test(`${name}: a room that is open twice on a device is one participant, on two devices two`, { timeout: 120_000 }, async (t) => {
    const { room, joins } = await opens(t, begin);
    const kept = storage();
    // Both pages answer each question.
    const twice = [joins(kept), joins(kept)];
    const other = joins(storage());
    await until(() => room.view().waiting === 2, "the lobby");
    assert.equal(room.view().guests.length, 2);
    assert.equal(room.start(), true);
    await until(() => [...twice, other].every(isOver), "the end");
    const { verified } = await room.session(1).verify();
    assert.ok(verified);
    const asks = room.session(1).entries().filter(({ what }) => what.type === "answered").map(({ what }) => what.ask);
    assert.equal(new Set(asks).size, asks.length, "each question has one answer");
    assert.equal(room.view().guests.length, 2);
  });
}

for (const [name, begin] of Object.entries({ aedes, ...(hasMosquitto && { mosquitto }) })) {
  for (const fault of ["is stopped for an hour", "goes on while the host sleeps for an hour"]) {
    test(`${name} ${fault}: nobody counts as away or late, and who answered meanwhile is heard`, { timeout: 120_000 }, async (t) => {
      let ahead = 0;
      const policies = { absence: { after: 5, then: "end" }, patience: { after: 60, then: "skip" } };
      const { room, server, joins } = await opens(t, begin, policies, () => Date.now() + ahead);
      let isThinking = true;
      const guests = [joins(storage(), new Set(), () => isThinking), joins(storage(), new Set(), () => isThinking)];
      await until(() => room.view().waiting === 2, "the lobby");
      assert.equal(room.start(), true);
      await until(() => guests.every(({ state }) => state.questions.length), "questions");
      const [{ deadline }] = guests[0].state.questions;
      const isStopped = fault.startsWith("is stopped");
      if (isStopped) {
        await server.stop();
        await until(() => [room.connection, ...guests.map(({ state }) => ({ state: state.connection }))].every(({ state }) => state === "lost"), "the break");
        // They answer while nobody hears it.
        isThinking = false;
        await until(() => guests.every(({ state }) => Object.keys(state.answers).length), "answers");
      }
      ahead = 3_600_000;
      // A wish makes it look at the clock.
      assert.equal(room.admit(1), true);
      await pause(500);
      if (isStopped) await server.start();
      else {
        await until(() => guests[0].state.questions[0].deadline > deadline + 3_000_000, "all the time to answer");
        isThinking = false;
      }
      await until(() => guests.every(isOver), "the end");
      assert.deepEqual(room.view().guests.map(({ here, way }) => [here, way]), Array(2).fill([true, "complete"]));
      const entries = room.session(1).entries();
      assertAskedOnce(entries);
      assert.deepEqual(entries.filter(({ what }) => what.type === "unanswered" || what.command?.is === "away"), []);
      assert.equal(entries.filter(({ what }) => what.type === "answered" && !what.reply.stood_in).length, 6);
      assert.ok((await room.session(1).verify()).verified);
    });
  }
}

/** Milliseconds without a network, as a train has them in a tunnel. */
const BREAK = 20_000;
const BREAKS = ["guest held", "guest cut", "host held", "host cut"];
const brokers = Object.entries({ aedes, ...(hasMosquitto && { mosquitto }) });

test("offline for 20 s", { timeout: 120_000, concurrency: 8 }, async (whole) => {
  await Promise.all(brokers.flatMap(([name, begin]) => BREAKS.map((fault) => whole.test(`${name}, ${fault}: what was answered meanwhile is kept, and so is what is answered after it`, async (t) => {
    const [who, how] = fault.split(" ");
    // Whoever is away for longer than the break would be skipped.
    const { room, server, host } = await opens(t, begin, { absence: { after: 40, then: "skip" } });
    const own = await line(server.address);
    t.after(() => own.close());
    const joins = (address) => {
      const guest = join({ ...readLink(room.link), meeting: { kind: "broker", address } }, { storage: storage(), language: "en", WebSocket });
      t.after(() => guest.close());
      return guest;
    };
    const away = joins(own.address);
    const other = joins(server.address);
    await until(() => room.view().waiting === 2, "the lobby");
    room.start();
    const isAsked = (guest, round) => guest.state.questions.find(({ ask }) => ask.startsWith(`round/${round}`));
    const answers = async (guest, text, round) => {
      await until(() => isAsked(guest, round), `round ${round}`);
      const { ask, form } = isAsked(guest, round);
      const values = filled(form.fields);
      for (const { name, input } of form.fields) if (input === "text") values[name] = text;
      return guest.answer(ask, values);
    };
    await until(() => isAsked(away, 1) && isAsked(other, 1), "questions");
    const broken = who === "guest" ? own : host;
    broken[how === "held" ? "hold" : "cut"]();
    const given = [answers(other, "said by the other", 1)];
    await pause(BREAK / 2);
    given.push(answers(away, "said without a network", 1));
    await pause(BREAK / 2);
    const isKept = (text) => JSON.stringify(room.session(1).entries()).includes(text);
    assert.equal(isKept("said without a network"), false, "it could not get through");
    broken.heal();
    const healed = performance.now();
    const outcomes = await Promise.all(given);
    const took = performance.now() - healed;
    assert.ok(took < 15_000, `kept ${took} ms after the break`);
    for (const round of [2, 3]) outcomes.push(...await Promise.all([answers(away, `said after it, ${round}`, round), answers(other, `the other, ${round}`, round)]));
    assert.deepEqual(outcomes.map(({ state }) => state), Array(6).fill("kept"));
    await until(() => [away, other].every(isOver), "the end");
    for (const text of ["said by the other", "said without a network", "said after it, 2", "said after it, 3"]) assert.ok(isKept(text), text);
    const entries = room.session(1).entries();
    assertAskedOnce(entries);
    assert.equal(entries.filter(({ what }) => what.type === "answered").length, 6);
    assert.deepEqual(entries.filter(({ what }) => what.type === "unanswered"), []);
    assert.ok((await room.session(1).verify()).verified);
    t.diagnostic(`kept ${Math.round(took)} ms after the break`);
  }))));
});
