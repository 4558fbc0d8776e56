// Connection services: every option and method of brokers and tabs with every type of value, in every state, and whatever a
// transport of a program's own does. Each call returns or throws `LabError` with a sentence, and nothing breaks later.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { aedes } from "../../support/brokers.mjs";
import { bus, guest as device } from "../../support/guests.mjs";
import { given, intake, VALUES } from "../../support/intake.mjs";
import { built, entry } from "../../support/package.mjs";

const { default: init, LabError } = await import(entry);
const { Room, ...room } = await import(built("room.js"));
const guest = await import(built("guest.js"));
const FACES = { room: [room, LabError], guest: [guest, guest.LabError] };
const BYTES = new Uint8Array([1]);

/** What broke outside of any call, and what was reported of a program's own callbacks. */
const broken = [];
const { error: shown } = console;
let server;
before(async () => {
  await init();
  server = await aedes();
  console.error = () => {};
  for (const event of ["uncaughtException", "unhandledRejection"]) process.on(event, (error) => broken.push(`${event}: ${error?.stack ?? error}`));
});
after(async () => {
  console.error = shown;
  await server.stop();
});

/** A WebSocket by whose means a test says what comes in: it opens at once, and is let in unless told otherwise. */
function sockets({ opens = true, connack = [0x20, 2, 0, 0] } = {}) {
  const all = [];
  class Socket {
    readyState = 0;
    constructor() {
      all.push(this);
      if (opens) setImmediate(() => {
        this.readyState = 1;
        this.onopen?.({});
        if (connack) this.onmessage?.({ data: Uint8Array.from(connack).buffer });
      });
    }
    send() {
      if (this.readyState !== 1) throw new DOMException("not open", "InvalidStateError");
    }
    close() {
      this.readyState = 3;
    }
  }
  return { Socket, all };
}
const settle = () => pause(5);

const { call, wrong, tries } = intake(LabError);
const other = intake(guest.LabError);
const of = { room: call, guest: other.call };
const finds = () => [...wrong.splice(0), ...other.wrong.splice(0), ...broken.splice(0)];
const count = (what, from) => console.log(`intake: ${tries() + other.tries() - from} tries at ${what}`);
const now = () => tries() + other.tries();

test("every option of a broker with every type of value, and what comes of it once it is connected", { timeout: 120_000 }, async () => {
  const from = now();
  for (const [face, [{ broker }]] of Object.entries(FACES)) {
    const ends = [];
    const look = async (where, run) => {
      const came = await of[face](`${face} ${where}`, run);
      if (typeof came?.publish === "function") ends.push(came);
    };
    for (const [kind, make] of Object.entries(VALUES)) {
      await look(`broker(${kind})`, () => broker(make(), { WebSocket: sockets().Socket }));
      await look(`broker(address, ${kind})`, () => broker(server.address, make()));
      for (const option of ["user", "password", "will", "WebSocket", "other"]) await look(`broker with ${option} ${kind}`, () => broker(server.address, { WebSocket: sockets().Socket, [option]: make() }));
      for (const [topic, bytes] of [[make(), BYTES], ["t", make()], [make(), make()]]) await look(`broker with a will of ${kind}`, () => broker(server.address, { WebSocket: sockets().Socket, will: { topic, bytes } }));
    }
    for (const address of ["", "ws:", "wss://", "ws://%zz@h/", "ws://a:%E0%A4%A@h/", "http://h/", "javascript:1", "ws://h/#a", "ws://[::1", "ws://h:99999/", "ws://\u{1f600}.example/"]) {
      await look(`broker(${address})`, () => broker(address, { WebSocket: sockets().Socket }));
    }
    await settle();
    for (const one of ends) await of[face](`${face} close`, () => one.close());
  }
  const { meet } = guest;
  for (const [kind, make] of Object.entries(VALUES)) {
    for (const meeting of [{ kind: make() }, { kind: "broker", address: make() }, { kind: "own", address: make() }, { kind: "tabs", address: make() }]) {
      const came = await other.call(`meet of ${kind}`, () => meet(meeting, { WebSocket: sockets().Socket, page: "https://h.example/join.html" }));
      if (typeof came?.close === "function") came.close();
    }
    for (const option of ["page", "user", "password", "will", "WebSocket"]) {
      const came = await other.call(`meet with ${option} ${kind}`, () => meet({ kind: "own" }, { WebSocket: sockets().Socket, page: "https://h.example/join.html", [option]: make() }));
      if (typeof came?.close === "function") came.close();
    }
  }
  assert.deepEqual(finds(), []);
  count("options of brokers", from);
});

test("every method of a broker and of tabs with every type of value, in every state", { timeout: 280_000 }, async () => {
  const from = now();
  const connected = async ({ broker }, how) => {
    const { Socket, all } = sockets(how);
    const one = broker("ws://h.example/", { WebSocket: Socket });
    await settle();
    return { one, all };
  };
  const STATES = {
    connecting: (face) => connected(face, { opens: false }),
    open: (face) => connected(face),
    refused: (face) => connected(face, { connack: [0x20, 2, 0, 5] }),
    async lost(face) {
      const made = await connected(face);
      made.all[0].onclose?.({});
      return made;
    },
    async closed(face) {
      const made = await connected(face);
      made.one.close();
      return made;
    },
    tabs: async ({ tabs }) => ({ one: tabs(), all: [] }),
    async "closed tabs"({ tabs }) {
      const one = tabs();
      one.close();
      return { one, all: [] };
    },
  };
  const throws = () => {
    throw new TypeError("mine");
  };
  for (const [face, [functions]] of Object.entries(FACES)) {
    for (const [state, make] of Object.entries(STATES)) {
      const { one: sample } = await make(functions);
      const methods = Object.keys(sample);
      sample.close();
      for (const name of methods) {
        const { one, all } = await make(functions);
        const look = (kind, ...values) => of[face](`${face} ${state} ${name}(${kind})`, () => one[name](...values));
        for (const [kind, values] of given()) await look(kind, ...values());
        for (const [kind, value] of Object.entries(VALUES)) {
          await look(`"t", bytes, ${kind}`, "t", BYTES, value());
          for (const option of ["retain", "fleeting", "pause"]) await look(`"t", bytes, { ${option}: ${kind} }`, "t", BYTES, { [option]: value() });
        }
        for (const topic of ["", "a/#", "a/+/b", "a\0b", "\ud800", "x".repeat(70_000)]) await look(JSON.stringify(topic.slice(0, 9)), topic, name === "publish" ? BYTES : throws);
        await look("what throws", name === "onState" ? throws : "t", throws);
        const last = all.at(-1);
        // What the other end sends, and what is no MQTT at all.
        for (const data of [[0x30, 5, 0, 1, 0x74, 1, 2], [0x32, 7, 0, 1, 0x74, 0, 1, 1, 2], [0x90, 3, 0, 1, 0x80], [0xff, 0xff, 0xff, 0xff, 0xff], [0x40, 2, 0, 1], [], [0]]) last?.onmessage?.({ data: Uint8Array.from(data).buffer });
        await look("close", ...(name === "close" ? [] : [() => {}, () => {}]));
        one.close();
      }
    }
  }
  // What another page of the origin says at the channel of tabs.
  const channel = new BroadcastChannel("quorate rooms");
  const heard = [];
  const tab = room.tabs();
  tab.subscribe("t", (bytes) => heard.push(bytes));
  for (const [kind, make] of Object.entries(VALUES)) {
    for (const data of [make, () => ({ topic: make(), bytes: make() }), () => ({ topic: "t", bytes: make() }), () => ({ wanted: make() })]) {
      await call(`at the channel ${kind}`, () => {
        try {
          channel.postMessage(data());
        } catch {
          // What cannot be sent reaches nobody.
        }
      });
    }
  }
  channel.postMessage({ topic: "t", bytes: BYTES });
  while (!heard.some((bytes) => bytes.length === 1)) await settle();
  assert.ok(heard.every((bytes) => bytes instanceof Uint8Array));
  channel.close();
  tab.close();
  assert.deepEqual(finds(), []);
  count("methods of brokers and tabs", from);
});

const agents = ["One", "Two"].map((name) => ({ name, personality: "A neighbour." }));
const PLAN = { title: "Class", people: 2, tables: 1, start: "hand", deal: "hand", seed: 4, session: { protocol: "delphi", question: "How many?", minimum: 0, maximum: 100, agents } };
const options = (more) => ({ store: "memory", session: { store: "memory" }, ...more });

test("whatever a transport of a program's own is, gives, throws and hands in", { timeout: 280_000 }, async () => {
  const from = now();
  const METHODS = ["publish", "subscribe", "onState", "close"];
  /** One whose method is, or gives, or calls back with a value of that type. */
  function* spoilt(make) {
    for (const name of METHODS) {
      yield [`${name} is`, { ...bus().transport(), [name]: make() }];
      yield [`${name} gives`, { ...bus().transport(), [name]: () => make() }];
      yield [`${name} throws`, { ...bus().transport(), [name]: () => {
        throw make();
      } }];
      yield [`${name} rejects with`, { ...bus().transport(), [name]: () => Promise.reject(make()) }];
    }
    const at = (name, call) => ({ ...bus().transport(), [name]: (...given) => {
      call(given.at(-1), make);
      return () => make();
    } });
    yield ["it is", make()];
    yield ["subscribe hands in", at("subscribe", (on, value) => on(value()))];
    yield ["onState says", at("onState", (on, value) => on(value()))];
    yield ["the state is", at("onState", (on, value) => on({ state: value() }))];
    yield ["the reason is", at("onState", (on, value) => on({ state: "open", reason: value() }))];
  }
  const host = await Room.open(PLAN, options({ transport: bus().transport() }));
  for (const [kind, make] of Object.entries(VALUES)) {
    for (const [how, transport] of spoilt(make)) {
      let one;
      const opening = Room.open(PLAN, options({ transport })).then((room) => (one = room));
      await call(`Room.open: ${how} ${kind}`, () => opening);
      await opening.catch(() => {});
      if (one) {
        for (const name of ["view", "end", "close"]) await call(`room: ${how} ${kind}: ${name}`, () => one[name]());
      }
      const come = await other.call(`join: ${how} ${kind}`, () => guest.join(host.link, { transport, storage: null }));
      if (typeof come?.close === "function") for (const name of ["back", "leave", "close"]) await other.call(`guest: ${how} ${kind}: ${name}`, () => come[name]());
    }
    for (const [how, transport] of spoilt(make)) if (how.startsWith("subscribe") || how === "it is") await other.call(`findCode: ${how} ${kind}`, () => guest.findCode([transport], "BCDFGHJK", { seconds: 0 }));
    await other.call(`findCode in ${kind}`, () => guest.findCode([bus().transport()], "BCDFGHJK", { seconds: make() }));
  }
  await pause(100);
  await host.close();
  assert.deepEqual(finds(), []);
  count("transports of a program's own", from);
});

test("a room goes on with a transport that fails now and then", { timeout: 60_000 }, async () => {
  const { transport } = bus();
  let fails = 0;
  const shaky = { ...transport() };
  const { publish } = shaky;
  shaky.publish = (...given) => {
    fails += 1;
    if (fails === 2) throw new TypeError("mine");
    publish(...given);
  };
  const one = await Room.open(PLAN, options({ transport: shaky }));
  const devices = agents.map(() => device(one.link, transport(), { again: 50 }));
  while (one.view().waiting < agents.length) await pause(5);
  agents.forEach(({ name }, at) => one.deal(at + 1, 1, name));
  assert.equal(one.start(), true);
  while (devices.some(({ got }) => !got.some(({ type }) => type === "kept"))) await pause(5);
  devices.forEach(({ leave }) => leave());
  await one.close();
  assert.ok(fails > 4);
  assert.deepEqual(finds(), []);
});
