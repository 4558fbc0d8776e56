// Whoever records what travels can say it again, at any time, as often as they like: nothing comes of it. And whoever is
// cut off, or gave an answer that is too long, goes on.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { built, entry } from "../support/package.mjs";
import { filled } from "../support/guests.mjs";

const { default: init } = await import(entry);
const { Room, memoryShelf } = await import(built("room.js"));
const { join } = await import(built("guest.js"));
before(() => init());

const people = ["One", "Two"].map((name) => ({ name, personality: "A student.", kind: "human" }));
const talk = { protocol: "discussion", topic: "Bread?", rounds: 2, start: "at_once", agents: people.map((one) => ({ ...one, role: "specialist" })), seed: 3 };
const times = { here: 300, silent: 3000, again: 100 };
const memory = (kept = new Map()) => ({ getItem: (key) => kept.get(key) ?? null, setItem: (key, text) => kept.set(key, text), removeItem: (key) => kept.delete(key), kept });

async function until(is, what) {
  for (let tries = 0; tries < 1500; tries += 1, await pause(10)) if (await is()) return;
  throw new Error(`${what} does not happen`);
}

/** A connection service inside this program that records everything. */
function tapped() {
  const heard = new Map();
  const recorded = [];
  const says = (topic, bytes) => setTimeout(() => [...(heard.get(topic) ?? [])].forEach((on) => on(bytes)), 1);
  const meet = () => {
    let isClosed = false;
    return {
      publish(topic, bytes) {
        if (isClosed) return;
        recorded.push([topic, bytes]);
        says(topic, bytes);
      },
      subscribe(topic, on) {
        if (!heard.has(topic)) heard.set(topic, new Set());
        heard.get(topic).add(on);
        return () => heard.get(topic).delete(on);
      },
      onState: (on) => (on({ state: "open" }), () => {}),
      close: () => (isClosed = true),
    };
  };
  /** Says everything that was recorded once more, or what `is` chooses, as often as asked. */
  const replay = async (times, is = () => true, from = recorded.slice()) => {
    for (let time = 0; time < times; time += 1, await pause(1)) for (const [topic, bytes] of from) if (is(topic)) says(topic, bytes);
    await pause(80);
  };
  return { meet, recorded, replay };
}

function opens(t, plan = {}, pace = times) {
  const { meet, recorded, replay } = tapped();
  const store = memoryShelf();
  const options = () => ({ transport: meet(), store, base: "https://lab.example/join.html", session: { store: "memory" } });
  const all = { meet, recorded, replay, room: null };
  all.open = async () => {
    all.room = await Room.open({ title: "T", people: 2, tables: 1, start: "hand", seed: 4, session: talk, ...plan }, options());
    t.after(() => all.room.close());
    return all.room;
  };
  all.reload = async () => {
    await all.room.close();
    all.room = await Room.reopen(all.room.id, options());
    return all.room;
  };
  all.guest = (storage = memory(), onState) => {
    const one = join(all.room.link, { transport: meet(), storage, language: "en", times: pace, ...(onState && { onState }) });
    t.after(() => one.close());
    return one;
  };
  return all;
}
const answers = (guest, ask, form, more = {}) => guest.answer(ask, { ...filled(form.fields), ...more });
const asked = (guest) => guest.state.questions.find(({ ask }) => !["sending", "kept"].includes(guest.state.answers[ask]?.state));
/** What the host sees of its guests, but for when they were heard. */
const seen = (room) => room.view().guests.map(({ heard, ...guest }) => guest);

test("everything that travelled, said again 61 times in each state, changes nothing for host and guests", { timeout: 120_000 }, async (t) => {
  // The host's heartbeats are 10 s apart.
  const all = opens(t, { names: "own", absence: { after: 5, then: "end" } }, { ...times, here: 3000, silent: 30_000 });
  let room = await all.open();
  const storage = memory();
  let one = all.guest(storage);
  const two = all.guest();
  const both = () => [one, two];
  await until(() => both().every((guest) => asked(guest)), "the name");
  for (const guest of both()) await guest.answer("room/name", { name: guest === one ? "Ana" : "Ben" });
  await until(() => room.view().waiting === 2 && both().every(({ state }) => state.stage === "lobby"), "the lobby");
  const quiet = async (where) => {
    const [before, entries] = [seen(room), room.session(1)?.entries().length];
    const states = both().map(({ state }) => JSON.stringify([state.stage, state.trouble, state.host, state.end, state.answers, state.questions]));
    await all.replay(61);
    assert.deepEqual(seen(room), before, where);
    assert.equal(room.session(1)?.entries().length, entries, where);
    assert.deepEqual(both().map(({ state }) => JSON.stringify([state.stage, state.trouble, state.host, state.end, state.answers, state.questions])), states, where);
  };
  await quiet("in the lobby");
  // A page that is left and comes back: its `bye` was recorded.
  one.close();
  await until(() => seen(room).some(({ here }) => !here), "away");
  one = all.guest(storage);
  await until(() => seen(room).every(({ here }) => here) && one.state.stage === "lobby", "back");
  await quiet("after a guest was loaded anew");
  assert.equal(room.view().waiting, 2);
  room.start();
  await until(() => both().every(({ state }) => state.stage === "table") && both().some((guest) => asked(guest)), "a question");
  await quiet("at the table");
  // Without a database its tables begin anew, so nobody has answered yet.
  const numbers = both().map(({ state }) => state.number);
  room = await all.reload();
  await until(() => both().every(({ state }, at) => state.number > numbers[at]) && both().some((guest) => asked(guest)) && seen(room).every(({ here }) => here), "the host is back");
  await quiet("after the host was loaded anew");
  const first = both().find((guest) => asked(guest));
  const { ask, form } = asked(first);
  assert.equal((await answers(first, ask, form)).state, "kept");
  await until(() => both().some((guest) => asked(guest) && asked(guest).ask !== ask), "the next question");
  await quiet("after an answer");
  for (const guest of both()) assert.equal(guest.state.trouble, null);
  for (let count = 0; count < 20 && !both().every(({ state }) => state.stage === "over"); count += 1) {
    await until(() => both().some((guest) => asked(guest)) || both().every(({ state }) => state.stage === "over"), "what comes next");
    for (const guest of both()) {
      const open = asked(guest);
      if (open) await answers(guest, open.ask, open.form);
    }
  }
  await until(() => both().every(({ state }) => state.stage === "over"), "the end");
  await quiet("after the end");
  assert.ok((await room.session(1).verify()).verified);
  const asks = room.session(1).entries().filter(({ what }) => what.type === "answered").map(({ what }) => what.ask);
  assert.equal(new Set(asks).size, asks.length);
});

test("who is cut off is told so, keeps the answers, and goes on once let in again, also after a reload", { timeout: 60_000 }, async (t) => {
  const all = opens(t);
  const room = await all.open();
  const storage = memory();
  let one = all.guest(storage);
  const two = all.guest();
  await until(() => room.view().waiting === 2, "the lobby");
  room.start();
  await until(() => asked(one) || asked(two), "a question");
  const isOne = Boolean(asked(one));
  const cutOff = async () => {
    for (let count = 0; count < 100; count += 1) one.back();
    await until(() => one.state.trouble?.kind === "cut", "the cut");
    assert.equal(room.view().guests.find(({ cut }) => cut).cut, "messages");
  };
  await cutOff();
  const question = isOne ? asked(one) : null;
  const given = question && answers(one, question.ask, question.form);
  const { number } = room.view().guests.find(({ cut }) => cut);
  assert.equal(room.admit(number), true);
  await until(() => one.state.trouble === null && one.state.stage === "table", "the page goes on");
  if (given) assert.equal((await given).state, "kept");
  await cutOff();
  one.close();
  one = all.guest(storage);
  await until(() => one.state.trouble?.kind === "cut", "a page that is loaded anew is told so");
  await pause(500);
  room.admit(number);
  await until(() => one.state.trouble === null && one.state.stage === "table", "it goes on as well");
  assert.equal(two.state.trouble, null);
});

test("the longest allowed answers are kept whatever their characters; a longer one is refused beside its field", { timeout: 60_000 }, async (t) => {
  for (const character of ["好", "😀", "a", "\n\"", "\u0001a"]) {
    const all = opens(t);
    const room = await all.open();
    const both = [all.guest(), all.guest()];
    await until(() => room.view().waiting === 2, "the lobby");
    room.start();
    await until(() => both.some((guest) => asked(guest)), "a question");
    const one = both.find((guest) => asked(guest));
    const { ask, form } = asked(one);
    const field = form.fields.find(({ input }) => input === "text");
    const count = Math.floor(field.most / [...character].length);
    const long = await answers(one, ask, form, { [field.name]: character.repeat(field.most + 1) });
    assert.deepEqual([long.state, long.field], ["refused", field.name]);
    assert.match(long.message, /at most/);
    const huge = await answers(one, ask, form, { [field.name]: character.repeat(1_000_000) });
    assert.deepEqual([huge.state, huge.reason, huge.field], ["refused", "long", field.name]);
    assert.equal((await answers(one, ask, form, { [field.name]: character.repeat(count) })).state, "kept", JSON.stringify(character));
    assert.deepEqual([one.state.trouble, room.view().guests.map(({ cut }) => cut)], [null, [null, null]]);
    await room.close();
  }
});

test("an answer that this device stored too long to be sent is refused here, and holds up nothing", async (t) => {
  const all = opens(t);
  const room = await all.open();
  const storage = memory();
  all.guest(storage).close();
  const [[key, text]] = [...storage.kept];
  storage.kept.set(key, JSON.stringify({ ...JSON.parse(text), n: 7, unsent: [{ n: 7, ask: "old", values: { text: "x".repeat(1_000_000) } }] }));
  const one = all.guest(storage);
  await until(() => one.state.answers.old?.state === "refused" && one.state.stage === "lobby", "a refusal");
  assert.deepEqual(JSON.parse(storage.kept.get(key)).unsent, []);
  assert.equal(room.view().guests[0].cut, null);
});

test("junk without the link, and under many keys with it, holds up nobody", { timeout: 60_000 }, async (t) => {
  const all = opens(t);
  const room = await all.open();
  const one = all.guest();
  await until(() => room.view().waiting === 1, "one");
  const { guestKeys, hostTopic, sealToHost } = await import("../../src/web/room/seal.js");
  const { readLink } = await import("../../src/web/room/link.js");
  const link = readLink(room.link);
  const post = all.meet();
  const sample = sealToHost(guestKeys(), { ...link, secret: new Uint8Array(16) }, { type: "hello" });
  for (let count = 0; count < 5000; count += 1) {
    const junk = sample.slice();
    crypto.getRandomValues(junk.subarray(1));
    post.publish(hostTopic(link), junk);
  }
  for (let count = 0; count < 300; count += 1) post.publish(hostTopic(link), sealToHost(guestKeys(), link, { v: 2, type: "hello", from: [1, 1], to: 0 }));
  const two = all.guest();
  await until(() => two.state.stage === "lobby" && room.view().waiting === 2, "another");
  assert.equal(room.view().guests.length, 2);
  assert.equal(one.state.trouble, null);
});

test("all choices to a question are of one size as answers, and so are the words about them", async (t) => {
  const poll = { protocol: "delphi", question: "How many?", minimum: 0, maximum: 1_000_000, agents: people };
  const sizes = { answers: new Set(), outcomes: new Set() };
  for (const [session, kind] of [[{ agents: people, phase2_rounds: 1, seed: 3 }, "order"], [poll, "scale"]]) {
    for (const last of [false, true]) {
      const all = opens(t, { session });
      const room = await all.open();
      const both = [all.guest(), all.guest()];
      await until(() => room.view().waiting === 2, "the lobby");
      room.start();
      await until(() => both.every((guest) => asked(guest)), "questions");
      const { ask, form } = asked(both[0]);
      const values = filled(form.fields);
      for (const { name, input, options, places, most, isWhole } of form.fields) {
        if (!last) continue;
        if (input === "certainty" || input === "choice") values[name] = options.at(-1).value;
        if (input === "scale") values[name] = isWhole ? most : most - 0.123456;
        if (input === "order" && !places.length) values[name] = options.map(({ value }) => value).reverse();
        if (input === "order") places.forEach((place, at) => (values[place] = options.at(-1 - at).value));
      }
      const from = all.recorded.length;
      assert.equal((await both[0].answer(ask, values)).state, "kept");
      const said = all.recorded.slice(from);
      sizes.answers.add(`${kind} ${said.find(([topic, bytes]) => topic.endsWith("/host") && bytes.length > 400)[1].length}`);
      await room.close();
    }
  }
  assert.equal(sizes.answers.size, 2, [...sizes.answers].join());
});
