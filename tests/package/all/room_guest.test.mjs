// A guest's side of a room against a stub of the host: nothing is lost, nothing is taken twice.
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { WebSocket } from "ws";
import { broker } from "../../../src/web/room/broker.js";
import { join, merged } from "../../../src/web/room/guest.js";
import { aedes, hasMosquitto, mosquitto } from "../../support/brokers.mjs";
import { stubRoom } from "../../support/stub_room.mjs";

const times = { here: 200, silent: 600, again: 60 };

const opened = [];
afterEach(() => opened.splice(0).forEach((guest) => guest.close()));

async function until(find, seconds = 20) {
  const end = Date.now() + seconds * 1000;
  while (!find()) {
    assert.ok(Date.now() < end, `not within ${seconds} s: ${find}`);
    await new Promise((done) => setTimeout(done, 10));
  }
}

/** What a wire has taken so far has come: it takes a millisecond, in the order of saying. */
const arrived = () => new Promise((done) => setTimeout(done, 1));

/** All in one process; `lose(topic, bytes)` decides what does not arrive. */
function wire() {
  const heard = new Map();
  const ends = new Set();
  const all = { isUp: true, lose: () => false, sent: [], set(isUp) {
    all.isUp = isUp;
    for (const on of ends) on({ state: isUp ? "open" : "lost" });
  } };
  all.end = () => ({
    publish(topic, bytes) {
      all.sent.push({ topic, bytes });
      if (!all.isUp || all.lose(topic, bytes)) return;
      setTimeout(() => (heard.get(topic) ?? []).forEach((on) => on(bytes)), 1);
    },
    subscribe(topic, on) {
      heard.set(topic, [...(heard.get(topic) ?? []), on]);
      return () => heard.set(topic, heard.get(topic).filter((one) => one !== on));
    },
    onState(on) {
      ends.add(on);
      on({ state: all.isUp ? "open" : "lost" });
    },
    close() {},
  });
  return all;
}
const storage = (kept = new Map()) => ({ getItem: (key) => kept.get(key) ?? null, setItem: (key, text) => kept.set(key, text), removeItem: (key) => kept.delete(key), kept });

function begin(options = {}) {
  const net = wire();
  const room = stubRoom(net.end());
  const device = storage();
  const states = [];
  const open = () => {
    const guest = join(room.text, { transport: net.end(), storage: device, times, params: { PROLIFIC_PID: "5" }, language: "es", onState: (state) => states.push(state.host), ...options });
    opened.push(guest);
    return guest;
  };
  return { net, room, device, open, states };
}
const id = (room) => [...room.guests.keys()][0];
const hellos = (room) => room.said.filter(({ type }) => type === "hello");

test("hello, a whole state, changes, an answer until it is kept", async () => {
  const { room, open } = begin();
  const guest = open();
  await until(() => hellos(room).length);
  assert.deepEqual(hellos(room)[0], { id: id(room), type: "hello", language: "es", since: 0, params: { PROLIFIC_PID: "5" } });
  room.tell(id(room), { stage: "table", view: { whole: true, items: [{ key: "a", text: "one" }], sections: [{ key: "s", place: 1 }], people: [], asks: [] }, questions: [{ ask: "q1", form: {}, deadline: 5 }] });
  await until(() => guest.state.number === 1);
  room.tell(id(room), { since: 1, stage: "table", view: { whole: false, items: [{ key: "b", text: "two" }, { key: "a", text: "1" }], sections: [{ key: "r", place: 0 }], people: [], asks: [], run: "running" } });
  await until(() => guest.state.number === 2);
  assert.deepEqual(guest.state.view.items.map(({ text }) => text), ["1", "two"]);
  assert.deepEqual(guest.state.view.sections.map(({ key }) => key), ["r", "s"]);
  assert.deepEqual(guest.state.questions, []);
  const settled = guest.answer("q1", { text: "yes" });
  assert.equal(guest.state.answers.q1.state, "sending");
  await until(() => room.said.filter(({ type }) => type === "answer").length > 2);
  room.send(id(room), { type: "kept", n: 1 });
  assert.deepEqual(await settled, { n: 1, state: "kept", values: { text: "yes" } });
  await arrived();
  const count = room.said.filter(({ type }) => type === "answer").length;
  await new Promise((done) => setTimeout(done, 200));
  assert.equal(room.said.filter(({ type }) => type === "answer").length, count, "what is kept is not said again");
});

test("states that come twice, late or with a gap: none is taken twice, and a gap is asked for", async () => {
  const { net, room, open } = begin();
  const guest = open();
  await until(() => hellos(room).length);
  room.tell(id(room), { stage: "lobby", lobby: { here: 1, seats: 3, startsAt: null } });
  await until(() => guest.state.number === 1);
  const first = net.sent.at(-1);
  room.tell(id(room), { stage: "lobby", lobby: { here: 2, seats: 3, startsAt: null } });
  await until(() => guest.state.number === 2);
  net.end().publish(first.topic, first.bytes);
  await new Promise((done) => setTimeout(done, 50));
  assert.equal(guest.state.lobby.here, 2);
  await new Promise((done) => setTimeout(done, 1000));
  const before = hellos(room).length;
  room.guests.get(id(room)).number = 7;
  room.tell(id(room), { since: 7, stage: "table", view: { whole: false, items: [], sections: [], people: [], asks: [] } });
  await until(() => hellos(room).length > before);
  assert.equal(hellos(room).at(-1).since, 2);
  assert.equal(guest.state.stage, "lobby");
});

test("an answer outlives a reload and a broken net, under the same number and key", async () => {
  const { net, room, device, open } = begin();
  const guest = open();
  await until(() => hellos(room).length);
  room.tell(id(room), { stage: "table", questions: [{ ask: "q1", form: {}, deadline: null }] });
  await until(() => guest.state.number === 1);
  net.set(false);
  void guest.answer("q1", { text: "kept here" });
  guest.close();
  const again = open();
  assert.equal(again.state.answers.q1.state, "sending");
  assert.ok(!room.said.some(({ type }) => type === "answer"));
  net.set(true);
  await until(() => room.said.some(({ type }) => type === "answer"));
  assert.equal(room.guests.size, 1);
  const said = room.said.find(({ type }) => type === "answer");
  assert.deepEqual([said.n, said.ask, said.values], [1, "q1", { text: "kept here" }]);
  room.send(id(room), { type: "late", n: 1 });
  await until(() => again.state.answers.q1.state === "late");
  void again.answer("q2", { text: "next" });
  await until(() => room.said.some(({ n }) => n === 2));
  assert.deepEqual([...device.kept.keys()], [`quorate.guest.${room.link.room}`]);
  again.forget();
  assert.equal(device.kept.size, 0);
});

test("refused says why, and the next answer counts on", async () => {
  const { room, open } = begin();
  const guest = open();
  await until(() => hellos(room).length);
  room.tell(id(room), { stage: "table", questions: [{ ask: "q1", form: {}, deadline: null }] });
  room.on = (message, from) => message.type === "answer" && room.send(from, message.n === 1 ? { type: "refused", n: 1, message: "too much", field: "amount" } : { type: "kept", n: message.n });
  const answered = await guest.answer("q1", { amount: 1e9 });
  assert.deepEqual(answered, { n: 1, state: "refused", message: "too much", field: "amount", values: { amount: 1e9 } });
  assert.equal((await guest.answer("q1", { amount: 5 })).state, "kept");
  const long = await guest.answer("q1", { short: "x", text: "x".repeat(1_000_000) });
  assert.deepEqual([long.state, long.reason, long.field, long.message], ["refused", "long", "text", ""]);
  assert.equal((await guest.answer("q1", { text: "x".repeat(100_000) })).state, "kept", "the host decides");
});

test("the host away and back, its clock, a reminder, an end", async () => {
  const { room, open } = begin();
  const guest = open();
  await until(() => guest.state.host === "away");
  assert.ok(hellos(room).length > 1, "hello until somebody answers");
  // A guest for whom the host is away says hello as a new connection, to which the host answers.
  const asked = hellos(room).length;
  await until(() => hellos(room).length > asked);
  room.tell(id(room), { at: Date.now() + 3_600_000, stage: "table", questions: [{ ask: "q1", form: {}, deadline: null }] });
  await until(() => guest.state.host === "here");
  assert.ok(Math.abs(guest.now() - Date.now() - 3_600_000) < 5000);
  await until(() => guest.state.host === "away");
  const before = hellos(room).length;
  room.send(id(room), { type: "here", at: Date.now(), number: 9 });
  await until(() => hellos(room).length > before);
  room.send(id(room), { type: "remind", ask: "q1" });
  await until(() => guest.state.reminded === "q1");
  room.send(id(room), { type: "nonsense" });
  room.send(id(room), { type: "constructor" });
  room.send(id(room), { type: "ended" });
  await until(() => guest.state.trouble?.kind === "ended");
  await arrived();
  const count = room.said.length;
  await new Promise((done) => setTimeout(done, 300));
  assert.equal(room.said.length, count, "nothing is said to a room that is over");
});

test("a device whose clock is wrong by an hour, and is set while the page is open", async (t) => {
  const real = Date.now;
  const HOUR = 3_600_000;
  for (const wrong of [HOUR, -HOUR]) {
    let by = wrong;
    const mocked = t.mock.method(Date, "now", () => real() + by);
    const { net, room, open } = begin();
    const guest = open();
    await until(() => hellos(room).length);
    const asked = { stage: "table", questions: [{ ask: "q1", form: {}, deadline: real() + 60_000 }] };
    room.tell(id(room), { at: real(), ...asked });
    await until(() => guest.state.number === 1);
    const isRight = () => Math.abs(guest.now() - real()) < 60_000;
    assert.ok(isRight(), `${guest.now() - real()} ms off`);
    // Set to what is right by whoever owns it: until the host is heard again, a clock that was set on shows too late a time.
    by = 0;
    assert.ok(wrong < 0 || isRight(), "set back, the countdown goes on");
    net.lose = (topic) => topic.endsWith("/host");
    const settled = guest.answer("q1", { text: "on time" });
    room.send(id(room), { type: "here", at: real(), number: 5 });
    await until(() => room.guests.size && isRight());
    const before = net.sent.length;
    await until(() => net.sent.length > before + 3);
    net.lose = () => false;
    const said = hellos(room).length;
    await until(() => hellos(room).length > said + 1);
    await until(() => room.said.some(({ type }) => type === "answer"));
    room.send(id(room), { type: "kept", n: 1 });
    assert.equal((await settled).state, "kept");
    await until(() => guest.state.host === "away");
    mocked.mock.restore();
  }
});

test("a device that closes its storage to the page takes part all the same", async () => {
  const closed = { getItem: () => assert.fail(), setItem: () => assert.fail(), removeItem: () => assert.fail() };
  for (const storage of [null, closed]) {
    const { room, open } = begin({ storage });
    const guest = open();
    await until(() => hellos(room).length);
    void guest.answer("q1", {});
    void guest.answer("q2", {});
    await until(() => room.said.some(({ n }) => n === 2));
    guest.forget();
  }
});

test("over a real broker: it goes down and comes back, the page vanishes and leaves its will", async () => {
  const server = await aedes();
  const host = broker(server.address, { WebSocket });
  const room = stubRoom(host, { meeting: { kind: "broker", address: server.address } });
  globalThis.WebSocket ??= WebSocket;
  const guest = join(room.text, { storage: null, times });
  await until(() => hellos(room).length);
  room.tell(id(room), { stage: "table", questions: [{ ask: "q1", form: {}, deadline: null }] });
  await until(() => guest.state.number === 1);
  await server.stop();
  await until(() => guest.state.connection === "lost");
  const settled = guest.answer("q1", { text: "while it was away" });
  room.on = (message, from) => message.type === "answer" && room.send(from, { type: "kept", n: message.n });
  await server.start();
  assert.equal((await settled).state, "kept");
  guest.close();
  await until(() => room.said.some(({ type }) => type === "bye"));
  host.close();
  await server.stop();
});

for (const [name, begins] of Object.entries({ aedes, ...(hasMosquitto && { mosquitto }) })) {
  test(`${name}: hello goes out with what connects, once; after a break it is said again`, { timeout: 60_000 }, async (t) => {
    const server = await begins();
    const host = broker(server.address, { WebSocket });
    let guest;
    t.after(async () => {
      for (const one of [guest, host]) one?.close();
      await server.stop();
      server.remove?.();
    });
    let connection;
    host.onState(({ state }) => (connection = state));
    const room = stubRoom(host, { meeting: { kind: "broker", address: server.address } });
    room.on = (message, from) => message.type === "hello" && !message.since && room.tell(from, { stage: "lobby" });
    await until(() => connection === "open");
    const said = [];
    class Noted extends WebSocket {
      send(data) {
        said.push([new Uint8Array(data)[0] >> 4, guest?.state.connection ?? "connecting"]);
        super.send(data);
      }
    }
    guest = join(room.text, { storage: null, WebSocket: Noted, times: { ...times, again: 3000, here: 3000 } });
    await until(() => guest.state.number === 1);
    await new Promise((done) => setTimeout(done, 300));
    assert.deepEqual(said.slice(0, 3), [[1, "connecting"], [8, "connecting"], [3, "connecting"]], "CONNECT, SUBSCRIBE, hello");
    assert.equal(hellos(room).length, 1);
    await server.stop();
    await until(() => guest.state.connection === "lost" && connection === "lost");
    await server.start();
    await until(() => hellos(room).length > 1 && guest.state.connection === "open");
    assert.equal(hellos(room)[1].since, 1);
  });
}

test("what is no link is refused at once", () => {
  for (const text of ["", "2.a.b", "https://lab.example/join.html"]) assert.throws(() => join(text), TypeError);
  assert.deepEqual(merged(null, { whole: true, items: [] }), { whole: true, items: [] });
});
