// The transport over MQTT: with the broker beside the page and with mosquitto, through breaks.
import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { WebSocket, WebSocketServer } from "ws";
import { broker, isMixed } from "../../../src/web/room/broker.js";
import { codePlace, findCode, newRoom, offerCode } from "../../../src/web/room/link.js";
import { hostKeys } from "../../../src/web/room/seal.js";
import { aedes, hasMosquitto, mosquitto } from "../../support/brokers.mjs";

const text = (bytes) => new TextDecoder().decode(bytes);
const bytes = (string) => new TextEncoder().encode(string);
const ROOM = "AAAAAAAAAAAAAAAAAAAAAA";
const HOST = `quorate/${ROOM}/host`;
const GUEST = `quorate/${ROOM}/guest/0123456789abcdef`;

/** Messages of one device, whose version and key are their first 33 bytes. */
const early = (one) => `${"early".padEnd(33)}${one}`;

/** Resolves when `find()` is true; fails after so many seconds. */
async function until(find, seconds = 20) {
  const end = Date.now() + seconds * 1000;
  while (!find()) {
    assert.ok(Date.now() < end, `not within ${seconds} s: ${find}`);
    await new Promise((done) => setTimeout(done, 20));
  }
}
const stateOf = (transport) => {
  const states = [];
  transport.onState(({ state }) => states.push(state));
  return states;
};

const BROKERS = { aedes, ...(hasMosquitto && { mosquitto }) };
if (!hasMosquitto) console.log("WARNING: NOT TESTED WITH MOSQUITTO, WHICH IS NOT INSTALLED (Debian: apt-get install mosquitto)");

/** A WebSocket that notes its messages, by the type of their MQTT packets. */
const noted = (notes) => class extends WebSocket {
  constructor(...given) {
    super(...given);
    this.on("message", (data) => notes.push(`got ${typeOf(data)}`));
  }
  send(data) {
    notes.push(`said ${typeOf(data)}`);
    super.send(data);
  }
};
const TYPES = { 1: "connect", 2: "connack", 3: "publish", 4: "puback", 8: "subscribe", 9: "suback", 14: "disconnect" };
const typeOf = (data) => TYPES[new Uint8Array(data)[0] >> 4];

for (const [name, begin] of Object.entries(BROKERS)) {
  test(`${name}: topics and what waits go out behind CONNECT, before it is answered; more than a few after it`, { timeout: 60_000 }, async (t) => {
    const server = await begin();
    const host = broker(server.address, { WebSocket });
    let guest;
    t.after(async () => {
      for (const one of [host, guest]) one?.close();
      await server.stop();
      server.remove?.();
    });
    const got = [];
    host.subscribe(HOST, (one) => got.push(text(one)));
    const hostStates = stateOf(host);
    await until(() => hostStates.at(-1) === "open");
    const notes = [];
    guest = broker(server.address, { WebSocket: noted(notes) });
    const answered = [];
    guest.subscribe(GUEST, (one) => answered.push(text(one)));
    for (let one = 0; one < 100; one += 1) guest.publish(HOST, bytes(early(one)));
    await until(() => got.length === 100);
    const before = notes.slice(0, notes.indexOf("got connack"));
    assert.deepEqual(before, ["said connect", "said subscribe", ...Array(19).fill("said publish")]);
    assert.equal(notes.filter((one) => one === "said subscribe").length, 1);
    assert.deepEqual(got.toSorted(), Array.from({ length: 100 }, (_, one) => early(one)).toSorted());
    host.publish(GUEST, bytes("heard"));
    await until(() => answered.length);
  });

  test(`${name}: messages both ways, unsubscribing, a will`, async () => {
    const server = await begin();
    const host = broker(server.address, { WebSocket });
    const guest = broker(server.address, { WebSocket, will: { topic: HOST, bytes: bytes("gone") } });
    // Debian 12's mosquitto takes a second for each 40 kB of one message.
    const size = name === "aedes" ? 900_000 : 20_000;
    const got = { host: [], guest: [] };
    host.subscribe(HOST, (one) => got.host.push(text(one)));
    const stop = guest.subscribe(GUEST, (one) => got.guest.push(text(one)));
    const states = stateOf(guest);
    await until(() => states.at(-1) === "open");
    await until(() => got.host.length || guest.publish(HOST, bytes("first")));
    host.publish(GUEST, bytes("answer"));
    host.publish(GUEST, bytes("x".repeat(size)));
    await until(() => got.guest.length === 2);
    assert.equal(got.guest[0], "answer");
    assert.equal(got.guest[1].length, size);
    stop();
    guest.publish(HOST, bytes("fleeting"), { fleeting: true });
    await until(() => got.host.includes("fleeting"));
    host.publish(GUEST, bytes("unheard"));
    guest.publish(HOST, bytes("after"));
    await until(() => got.host.includes("after"));
    assert.equal(got.guest.length, 2);
    assert.ok(!got.host.includes("gone"));
    guest.close();
    const other = broker(server.address, { WebSocket, will: { topic: HOST, bytes: bytes("gone") } });
    let isOpen = false;
    other.onState(({ state }) => (isOpen = state === "open"));
    await until(() => isOpen);
    assert.ok(!got.host.includes("gone"), "who closes leaves no will");
    other.breakOff();
    await until(() => got.host.includes("gone"));
    host.close();
    other.close();
    await server.stop();
    server.remove?.();
  });

  test(`${name}: a broker that stops and starts again loses nothing that waits, three times`, async () => {
    const server = await begin();
    const host = broker(server.address, { WebSocket });
    const guest = broker(server.address, { WebSocket });
    const got = new Set();
    const states = stateOf(guest);
    const hostStates = stateOf(host);
    host.subscribe(HOST, (one) => got.add(text(one)));
    await until(() => states.at(-1) === "open" && hostStates.at(-1) === "open");
    for (let time = 0; time < 3; time += 1) {
      await server.stop();
      await until(() => states.at(-1) === "lost" && hostStates.at(-1) === "lost");
      await server.start();
      await until(() => states.at(-1) === "open" && hostStates.at(-1) === "open");
      // The host is there again before the message is.
      guest.publish(HOST, bytes(`back ${time}`));
      await until(() => got.has(`back ${time}`));
    }
    await server.stop();
    await until(() => states.at(-1) === "lost");
    for (let one = 0; one < 50; one += 1) guest.publish(GUEST, bytes(`kept ${one}`));
    const heard = new Set();
    const third = broker(server.address, { WebSocket });
    third.subscribe(GUEST, (one) => heard.add(text(one)));
    guest.breakOff({ pause: 2000 });
    await server.start();
    await until(() => heard.size === 50);
    for (const one of [host, guest, third]) one.close();
    await server.stop();
    server.remove?.();
  });

  test(`${name}: a code finds the link while it is offered`, async () => {
    const server = await begin();
    const host = broker(server.address, { WebSocket });
    const link = { ...newRoom(), host: hostKeys().public, meeting: { kind: "own" } };
    const offer = await offerCode(host, link);
    const { code } = offer;
    const guest = broker(server.address, { WebSocket });
    assert.deepEqual(await findCode(guest, code), link);
    offer.withdraw();
    const late = broker(server.address, { WebSocket });
    assert.equal(await findCode(late, code, { seconds: 1 }), null);
    for (const one of [host, guest, late]) one.close();
    await server.stop();
    server.remove?.();
  });
}

test("the broker beside the page carries rooms' topics and nothing else", async () => {
  const server = await aedes();
  const spy = broker(server.address, { WebSocket });
  const states = [];
  spy.onState((now) => states.push(now));
  const heard = [];
  spy.subscribe("quorate/#", (one) => heard.push(one));
  await until(() => states.some(({ state }) => state === "refused"));
  assert.equal(states.find(({ state }) => state === "refused").reason, "subscription");
  spy.close();
  await server.stop();
});

test("the broker beside the page: junk under codes takes nobody's place, and a code belongs to who published it first", async (t) => {
  const server = await aedes();
  const post = () => {
    const one = broker(server.address, { WebSocket });
    t.after(() => one.close());
    return one;
  };
  t.after(() => server.stop());
  const junk = post();
  for (let count = 0; count < 1000; count += 1) junk.publish(`quorate/code/${count.toString(16).padStart(32, "0")}`, bytes("junk"), { retain: true });
  const host = post();
  const states = stateOf(host);
  const link = { ...newRoom(), host: hostKeys().public, meeting: { kind: "own" } };
  const { code, again } = await offerCode(host, link);
  const { topic } = await codePlace(code);
  assert.deepEqual(await findCode(post(), code), link);
  // Others can neither replace nor remove it.
  junk.publish(topic, bytes("junk"), { retain: true });
  junk.publish(topic, new Uint8Array(), { retain: true });
  const got = [];
  junk.subscribe(HOST, (one) => got.push(text(one)));
  junk.publish(HOST, bytes("through"));
  await until(() => got.length);
  assert.deepEqual(await findCode(post(), code), link);
  assert.deepEqual(states.filter((state) => state !== "connecting"), ["open"], "the host was never disconnected");
  // It ends with the host's connection, and comes back with it.
  host.breakOff({ pause: 2000 });
  await until(() => states.at(-1) === "lost");
  assert.equal(await findCode(post(), code, { seconds: 1 }), null);
  await until(() => states.at(-1) === "open");
  again();
  assert.deepEqual(await findCode(post(), code), link);
});

test("the broker beside the page: one connection speaks for few devices, and so many times a second", async (t) => {
  const server = await aedes();
  t.after(() => server.stop());
  const [junk, other, host] = [0, 1, 2].map(() => broker(server.address, { WebSocket }));
  t.after(() => [junk, other, host].forEach((one) => one.close()));
  const got = [];
  host.subscribe(HOST, (one) => got.push(one));
  const states = stateOf(host);
  await until(() => states.at(-1) === "open");
  const envelope = (device) => Uint8Array.from([2, ...new Uint8Array(32).fill(device), ...new Uint8Array(100)]);
  for (let device = 1; device < 200; device += 1) junk.publish(HOST, envelope(device));
  for (let count = 0; count < 2000; count += 1) junk.publish(HOST, envelope(1));
  other.publish(HOST, envelope(250));
  await until(() => got.some((one) => one[1] === 250));
  assert.equal(new Set(got.map((one) => one[1])).size, 5);
  assert.ok(got.length < 800, `${got.length} of 2200`);
});

/**
 * A broker of a few lines: `takes(topic, payload, retain)` says what it takes, and it closes the connection for the
 * rest. Counts its connections.
 */
async function strict(takes) {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1", handleProtocols: () => "mqtt" });
  await once(server, "listening");
  const sockets = new Map();
  const told = { connections: 0, taken: [] };
  server.on("connection", (socket) => {
    told.connections += 1;
    sockets.set(socket, new Set());
    socket.on("close", () => sockets.delete(socket));
    socket.on("message", (data) => {
      if (socket.readyState !== 1) return;
      const type = typeOf(data);
      if (type === "connect") socket.send(Uint8Array.of(0x20, 2, 0, 0));
      let head = 1;
      while (data[head] & 128) head += 1;
      head += 1;
      if (type === "subscribe") {
        for (let at = head + 2; at < data.length; at += 3 + data.readUInt16BE(at)) sockets.get(socket).add(data.toString("utf8", at + 2, at + 2 + data.readUInt16BE(at)));
        return socket.send(Uint8Array.of(0x90, 3, data[head], data[head + 1], 1));
      }
      if (type !== "publish") return;
      const length = data.readUInt16BE(head);
      const topic = data.toString("utf8", head + 2, head + 2 + length);
      const qos = (data[0] >> 1) & 3;
      const payload = data.subarray(head + 2 + length + (qos ? 2 : 0));
      if (!takes(topic, payload, Boolean(data[0] & 1))) return socket.terminate();
      told.taken.push(text(payload));
      if (qos) socket.send(Uint8Array.of(0x40, 2, data[head + 2 + length], data[head + 3 + length]));
      for (const [one, topics] of sockets) {
        const packet = Buffer.from(data.subarray());
        packet[0] = 0x30;
        if (topics.has(topic) && !qos) one.send(packet);
      }
    });
  });
  return { told, address: `ws://127.0.0.1:${server.address().port}/`, close() {
    for (const socket of server.clients) socket.terminate();
    server.close();
  } };
}

const REFUSALS = {
  "what is retained": [(topic, payload, retain) => !retain, [GUEST, bytes("code"), { retain: true }]],
  "what is large": [(topic, payload) => payload.length < 100_000, [GUEST, new Uint8Array(200_000)]],
  "a topic": [(topic) => topic !== GUEST, [GUEST, bytes("hello")]],
};
for (const [what, [takes, refused]] of Object.entries(REFUSALS)) {
  test(`a broker that refuses ${what}: that message is given up and says so, all others arrive, and it is not asked on and on`, { timeout: 60_000 }, async (t) => {
    const server = await strict(takes);
    const one = broker(server.address, { WebSocket });
    t.after(() => {
      one.close();
      server.close();
    });
    const states = stateOf(one);
    await until(() => states.at(-1) === "open");
    const reasons = [];
    const refuse = () => one.publish(refused[0], refused[1], { ...refused[2], onRefused: (reason) => reasons.push(reason) });
    for (let count = 0; count < 20; count += 1) one.publish(HOST, bytes(`before ${count}`));
    refuse();
    for (let count = 0; count < 20; count += 1) one.publish(HOST, bytes(`after ${count}`));
    await until(() => reasons.length, 40);
    assert.match(reasons[0], /does not take this message/);
    await until(() => states.at(-1) === "open");
    await until(() => new Set(server.told.taken).size === 40);
    const { connections } = server.told;
    assert.ok(connections <= 6, `${connections} connections`);
    // The same once more is refused at once, without another break.
    refuse();
    await until(() => reasons.length === 2, 1);
    one.publish(HOST, bytes("last"));
    await until(() => server.told.taken.includes("last"));
    assert.equal(server.told.connections, connections);
    assert.equal(states.at(-1), "open");
  });
}

test("mosquitto with a password: refused without it, with the reason", { skip: !hasMosquitto }, async () => {
  const server = await mosquitto({ user: "class", password: "se:cret" });
  const stranger = broker(server.address, { WebSocket });
  const told = [];
  stranger.onState((now) => told.push(now));
  await until(() => told.some(({ state }) => state === "refused"));
  assert.match(told.at(-1).reason, /authori[sz]ed|password/);
  stranger.close();
  const known = broker(server.address.replace("ws://", "ws://class:se%3Acret@"), { WebSocket });
  const states = stateOf(known);
  await until(() => states.at(-1) === "open");
  known.close();
  await server.stop();
  server.remove();
});

test("what was said to a broker that lets nobody in is said again once it does", { timeout: 60_000 }, async (t) => {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1", handleProtocols: () => "mqtt" });
  await once(server, "listening");
  const notes = [];
  let tries = 0;
  server.on("connection", (socket) => {
    const isIn = (tries += 1) > 1;
    notes.push([]);
    socket.on("message", (data) => {
      const type = typeOf(data);
      notes.at(-1).push(type === "publish" ? `${type}${data[0] & 8 ? " again" : ""}` : type);
      if (type === "connect") socket.send(Uint8Array.of(0x20, 2, 0, isIn ? 0 : 5));
    });
  });
  t.after(() => {
    guest?.close();
    for (const socket of server.clients) socket.terminate();
    server.close();
  });
  const guest = broker(`ws://127.0.0.1:${server.address().port}/`, { WebSocket });
  const states = stateOf(guest);
  guest.subscribe(GUEST, () => {});
  guest.publish(HOST, bytes("hello"));
  await until(() => states.at(-1) === "open");
  assert.deepEqual(states, ["connecting", "refused", "open"]);
  await until(() => notes[1]?.length === 3);
  assert.deepEqual(notes, [["connect", "subscribe", "publish"], ["connect", "subscribe", "publish again"]]);
});

test("a page that came by https uses encrypted brokers only", () => {
  const page = { protocol: "https:" };
  assert.ok(isMixed("ws://192.168.1.5:8080/room", page));
  assert.ok(!isMixed("wss://broker.example/mqtt", page));
  assert.ok(!isMixed("ws://localhost:9001/", page));
  assert.ok(!isMixed("ws://192.168.1.5:8080/room", { protocol: "http:" }));
});
