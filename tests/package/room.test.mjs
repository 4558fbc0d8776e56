// Rooms as programs open them: tables to their end over a connection service inside one program, a host that is loaded anew,
// and what the host does by hand.
import assert from "node:assert/strict";
import { join } from "node:path";
import { before, test } from "node:test";
import { LANGUAGES } from "../../www/languages.js";
import { bus, guest } from "../support/guests.mjs";
import { PACKAGE, built, entry } from "../support/package.mjs";

const { default: init } = await import(entry);
const { Room, checkRoom, memoryShelf } = await import(built("room.js"));
const { join: enter } = await import(built("guest.js"));

before(() => init());

const agents = ["One", "Two", "Three"].map((name) => ({ name, personality: "A neighbour." }));
const talk = { protocol: "discussion", topic: "Trees", rounds: 2, start: "at_once", agents: agents.map((agent) => ({ ...agent, role: "specialist" })) };
const poll = { protocol: "delphi", question: "How many?", minimum: 0, maximum: 100, agents };
const plan = (session, more = {}) => ({ title: "Class 4b", session, people: 3, tables: 2, start: "full", seed: 4, ...more });
const options = (transport, more = {}) => ({ transport, store: "memory", base: "https://lab.example/join.html", session: { store: "memory" }, ...more });

async function until(is, what) {
  for (let tries = 0; tries < 2000; tries += 1) {
    if (await is()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`${what} does not happen`);
}
const isOver = ({ state }) => state?.stage === "over";

/** Rooms and guests that are gone when the test is over, however it ends: whoever stayed would keep this program from ending. */
const stays = (t) => ({
  async opened(opening) {
    const room = await opening;
    t.after(() => room.close());
    return room;
  },
  joins(...given) {
    const one = guest(...given);
    t.after(one.leave);
    return one;
  },
});

test("two tables of three come to their end, whatever is lost or doubled, and their records verify", async (t) => {
  const { opened, joins } = stays(t);
  for (const [name, session] of Object.entries({ talk, poll, justice: { agents, phase2_rounds: 1 } })) {
    let count = 0;
    // What the host says and is lost is found out by its next beat, which would take this test too long.
    const { transport, seen } = bus({ spoil: (topic) => (topic.endsWith("/host") ? [1, 0, 2, 1, 1] : [1, 2])[(count += 1) % (topic.endsWith("/host") ? 5 : 2)] });
    const room = await opened(Room.open(plan(session, { ways: { complete: { code: "C1" } } }), options(transport())));
    assert.match(room.link, /^https:\/\/lab\.example\/join\.html#2\./);
    const guests = Array.from({ length: 6 }, (_, index) => joins(room.link, transport(), { params: { PROLIFIC_PID: `canary ${index}` } }));
    await until(() => guests.every(isOver), `the end of ${name}`);
    assert.deepEqual(room.view().tables.map(({ over, seats }) => [over, seats.length]), [[true, 3], [true, 3]]);
    for (const table of [1, 2]) {
      const { verified, entries } = await room.session(table).verify();
      assert.ok(verified && entries > 20, name);
      assert.ok(!JSON.stringify(room.session(table).entries()).includes("canary"));
    }
    for (const { state } of guests) assert.deepEqual([state.end.way, state.end.code], ["complete", "C1"]);
    assert.deepEqual(room.names.export().map(({ params }) => params.PROLIFIC_PID).sort(), [0, 1, 2, 3, 4, 5].map((index) => `canary ${index}`));
    assert.ok(seen.every((bytes) => !Buffer.from(bytes).includes("canary")), "it travels sealed");
  }
});

test("a host that is loaded anew goes on under the same link", async (t) => {
  const { opened, joins } = stays(t);
  const { transport } = bus();
  const store = memoryShelf();
  const room = await opened(Room.open(plan(talk, { tables: 1, people: 2, before: [{ label: "How old are you?", kind: "number" }] }), options(transport(), { store })));
  const first = joins(room.link, transport());
  await until(() => first.state?.stage === "lobby", "the lobby");
  const { link } = room;
  await assert.rejects(Room.reopen(room.id, options(transport(), { store })), { code: "locked", retryable: true });
  await assert.rejects(Room.remove(room.id, { store }), { code: "locked" });
  await room.close();
  const again = await opened(Room.reopen(room.id, options(transport(), { store })));
  assert.equal(again.link, link);
  assert.deepEqual((await Room.list({ store })).map(({ id, title, closed }) => [id, title, closed]), [[room.id, "Class 4b", false]]);
  assert.deepEqual(again.view().guests.map(({ pseudonym, stage }) => [pseudonym, stage]), [[first.state.you.pseudonym, "lobby"]]);
  const second = joins(link, transport());
  await until(() => isOver(first) && isOver(second), "the end");
  await again.close();
  await Room.remove(room.id, { store });
  await assert.rejects(Room.reopen(room.id, options(transport(), { store })), { code: "unknown" });
});

test("what comes while the room is being kept is kept as well, before anything follows from it", async (t) => {
  const { opened, joins } = stays(t);
  const { transport } = bus();
  const shelf = memoryShelf();
  let kept = Promise.resolve();
  const store = { ...shelf, put: (room) => kept.then(() => shelf.put(room)) };
  const room = await opened(Room.open(plan(talk, { tables: 1, people: 2 }), options(transport(), { store })));
  let goesOn;
  kept = new Promise((resolve) => (goesOn = resolve));
  const guests = [joins(room.link, transport()), joins(room.link, transport())];
  await until(() => room.view().tables[0]?.begun, "the beginning");
  assert.equal(room.session(1), null);
  goesOn();
  await until(() => room.session(1), "the session");
  const { snapshot } = await shelf.get(room.id);
  assert.equal(JSON.parse(snapshot).tables.length, 1);
});

test("the host acts by hand: deals, stands in, takes back, answers for somebody, pauses, ends", async (t) => {
  const { opened, joins } = stays(t);
  const { transport } = bus();
  const room = await opened(Room.open(plan(poll, { deal: "hand", start: "hand", people: 2, tables: 1 }), options(transport())));
  const silent = { answers: new Proxy({}, { get: (_, ask) => (ask.startsWith("room/") ? undefined : { nonsense: true }) }) };
  const guests = [joins(room.link, transport(), silent), joins(room.link, transport(), silent), joins(room.link, transport(), silent)];
  await until(() => room.view().waiting === 3, "the lobby");
  assert.equal(room.start(), false);
  assert.equal(room.deal(2, 1, "One"), true);
  assert.equal(room.deal(1, 1, "Two"), true);
  assert.equal(room.start(), true);
  await until(() => room.view().tables[0].seats.every(({ awaited }) => awaited.length === 1), "questions");
  const [one, two] = room.view().tables[0].seats;
  assert.deepEqual([one.guest, two.guest], [2, 1]);
  await until(() => guests[0].got.some(({ type }) => type === "refused"), "a refusal");
  room.pause();
  await until(() => room.view().tables[0].state === "paused", "a pause");
  room.resume(1);
  assert.equal(room.actFor(1, two.seat, one.awaited[0].ask, "40"), false);
  assert.throws(() => room.actFor(1, one.seat, one.awaited[0].ask, { nonsense: 1 }), { code: "form" });
  const { form } = room.session(1).status.open.find(({ id }) => id === one.awaited[0].ask);
  const values = Object.fromEntries(form.fields.map(({ name, input }) => [name, input === "scale" ? 40 : "Because."]));
  assert.equal(room.actFor(1, one.seat, one.awaited[0].ask, values), true);
  assert.equal(room.standIn(1, two.seat), true);
  const isNew = ({ ask }) => ask !== one.awaited[0].ask;
  await until(() => room.view().tables[0].seats[0].awaited.some(isNew), "the next round");
  assert.equal(room.takeBack(1, two.seat), true);
  await until(() => room.view().tables[0].seats[1].standsIn === null, "the seat");
  assert.equal(room.standIn(1, "Nobody"), false);
  assert.equal(room.remind(2), true);
  await until(() => guests.some(({ got }) => got.some(({ type }) => type === "remind")), "a reminder");
  assert.equal(room.end(), true);
  await until(() => guests.every(isOver), "the end");
  assert.ok(guests.every(({ state }) => state.end.way === "trouble"));
  const late = joins(room.link, transport());
  await until(() => late.got.some(({ type }) => type === "ended"), "word that it is over");
  const record = room.session(1).entries();
  assert.ok(record.some(({ what }) => what.type === "answered" && what.reply.stood_in));
  assert.ok(record.some(({ what }) => what.type === "answered" && what.reply.request_id === "host"));
  assert.ok((await room.session(1).verify()).verified);
  assert.equal(room.names.delete(), true);
});

test("guests and the host call everybody by name, and the host gives time, skips and tells", async (t) => {
  const { opened } = stays(t);
  const { transport } = bus();
  const room = await opened(Room.open(plan(poll, { tables: 1, people: 2, names: "own", patience: { after: 60 } }), options(transport())));
  const guests = ["Ana", "Ben"].map((name) => {
    const one = enter(room.link, { transport: transport(), storage: null, params: {} });
    t.after(() => one.close());
    return { name, one };
  });
  for (const { name, one } of guests) {
    await until(() => one.state.questions[0]?.ask === "room/name", "the question for a name");
    assert.deepEqual(one.state.room.programs, [{ name: "Three", kind: "scripted" }]);
    assert.equal((await one.answer("room/name", { name })).state, "kept");
  }
  const [ana, ben] = guests.map(({ one }) => one);
  await until(() => ana.state.questions[0]?.deadline && ben.state.questions[0]?.deadline, "the first question");
  const { table, questions: [first] } = ana.state;
  assert.deepEqual(table.participants.map(({ name, kind }) => [name, kind]), [["Ana", "human"], ["Ben", "human"], ["Three", "scripted"]]);
  assert.deepEqual([first.then, first.deadline - first.warnsAt], ["skip", 20_000]);
  assert.deepEqual([room.extend(30), room.extend(30, 2)], [true, false]);
  await until(() => ana.state.questions[0].deadline === first.deadline + 30_000, "more time");
  await new Promise((resolve) => setTimeout(resolve, 20));
  ana.here();
  await until(() => ana.state.questions[0].deadline > first.deadline + 30_000, "the time that begins again");
  assert.equal(room.tell(" Two more minutes. "), true);
  await until(() => ben.state.notices[0]?.text === "Two more minutes.", "the message");
  assert.deepEqual(room.view().tables[0].answered, { done: 0, of: 2 });

  room.standIn(1, table.seat);
  const name = "Computer (for Ana)";
  await until(() => ben.state.table.participants[0].name === name && ana.state.table.stoodIn, "the stand-in");
  assert.deepEqual(ben.state.table.participants[0], { seat: table.seat, name, kind: "scripted", standsIn: true });
  assert.equal(room.view().tables[0].seats[0].name, name);
  assert.equal(room.skip(), true);
  const isOwn = ({ seat, done }) => done && seat === table.seat;
  await until(() => room.session(1).view("owner").items.some(isOwn), "an estimate");
  assert.deepEqual(room.session(1).view("owner").items.filter(isOwn).map(({ called, standsIn }) => [called, standsIn])[0], [name, true]);
  assert.ok(!JSON.stringify(room.session(1).entries()).includes("Ana"));
  assert.throws(() => room.tell(5), { code: "input" });
});

test("while a browser holds a hidden page's timers back, what guests say keeps the host going", async (t) => {
  const { opened, joins } = stays(t);
  const { transport } = bus();
  let ahead = 0;
  const room = await opened(Room.open(plan(poll, { tables: 1, people: 2 }), options(transport(), { now: () => Date.now() + ahead })));
  const one = joins(room.link, transport());
  const other = joins(room.link, transport());
  await until(() => room.view().guests.length === 2, "both");
  other.leave();
  // Those of the room stand still from now on.
  const { setTimeout: real } = globalThis;
  t.after(() => (globalThis.setTimeout = real));
  globalThis.setTimeout = (act, wait, ...more) => (new Error().stack.split("\n")[2].includes(`${PACKAGE}/room.js`) ? real(() => {}, 0) : real(act, wait, ...more));
  const beats = () => one.got.filter(({ type }) => type === "here").length;
  for (let count = 0; count < 5; count += 1) {
    const before = beats();
    ahead += 10_001;
    // Heard late it may count as asleep: what is said next wakes it.
    await until(() => beats() > before || (one.say({ type: "here" }), false), "a beat");
  }
  assert.deepEqual(room.view().guests.map(({ here }) => here), [true, false]);
});

test("a host whose clock is set back by an hour goes on at once", async (t) => {
  const { opened, joins } = stays(t);
  const { transport } = bus();
  let ahead = 0;
  // Waits as long as it likes, but no longer than a moment.
  const { setTimeout: real } = globalThis;
  t.after(() => (globalThis.setTimeout = real));
  globalThis.setTimeout = (act, wait, ...more) => real(act, new Error().stack.split("\n")[2].includes(`${PACKAGE}/room.js`) ? Math.min(wait, 20) : wait, ...more);
  const room = await opened(Room.open(plan(poll, { tables: 1, people: 2 }), options(transport(), { now: () => Date.now() + ahead })));
  const one = joins(room.link, transport());
  await until(() => room.view().guests.length === 1, "one");
  const beats = () => one.got.filter(({ type }) => type === "here").length;
  const before = beats();
  ahead = -3_600_000;
  await until(() => beats() > before, "a beat");
  assert.deepEqual(room.view().guests.map(({ here }) => here), [true]);
});

test("faults of a plan are told in every language, and thrown", async () => {
  const told = Object.keys(LANGUAGES).map((language) => checkRoom({ ...plan(poll), people: 9 }, language));
  for (const [{ path, code }] of told) assert.deepEqual([path, code], ["people", "room_people"]);
  assert.equal(new Set(told.map(([{ message }]) => message)).size, told.length);
  const { transport } = bus();
  await assert.rejects(Room.open({ ...plan(poll), people: 9 }, options(transport())), { code: "config" });
  await assert.rejects(Room.open(plan(poll), options(undefined)), { code: "input" });
});
