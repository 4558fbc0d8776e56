// The transport over MQTT: with the broker beside the page and with mosquitto, through breaks.
import assert from "node:assert/strict";
import { test } from "node:test";
import { WebSocket } from "ws";
import { broker, isMixed } from "../../src/web/room/broker.js";
import { findCode, makeCode, newRoom, offerCode } from "../../src/web/room/link.js";
import { hostKeys } from "../../src/web/room/seal.js";
import { aedes, hasMosquitto, mosquitto } from "../support/brokers.mjs";

const text = (bytes) => new TextDecoder().decode(bytes);
const bytes = (string) => new TextEncoder().encode(string);
const ROOM = "AAAAAAAAAAAAAAAAAAAAAA";
const HOST = `quorate/${ROOM}/host`;
const GUEST = `quorate/${ROOM}/guest/0123456789abcdef`;

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

for (const [name, begin] of Object.entries(BROKERS)) {
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
    const code = makeCode();
    const offer = await offerCode(host, code, link);
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

test("a page that came by https uses encrypted brokers only", () => {
  const page = { protocol: "https:" };
  assert.ok(isMixed("ws://192.168.1.5:8080/room", page));
  assert.ok(!isMixed("wss://broker.example/mqtt", page));
  assert.ok(!isMixed("ws://localhost:9001/", page));
  assert.ok(!isMixed("ws://192.168.1.5:8080/room", { protocol: "http:" }));
});
