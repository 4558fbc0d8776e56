// Every function of `quorate/room` and `quorate/guest`, and every method of what they give, with every type of value, in every
// state: each call returns, throws `LabError` or rejects with it, with a sentence; and a room goes on afterwards.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { before, test } from "node:test";
import { bus, guest as device } from "../../support/guests.mjs";
import { given, intake, VALUES } from "../../support/intake.mjs";
import { built, entry } from "../../support/package.mjs";

const { default: init, LabError } = await import(entry);
const room = await import(built("room.js"));
const guest = await import(built("guest.js"));
const { Room } = room;

const agents = ["One", "Two"].map((name) => ({ name, personality: "A neighbour." }));
const PLAN = { title: "Class", people: 2, tables: 1, start: "hand", deal: "hand", seed: 4, session: { protocol: "delphi", question: "How many?", minimum: 0, maximum: 100, agents } };
const options = (more = {}) => ({ transport: bus().transport(), store: "memory", session: { store: "memory" }, ...more });
const opened = (more) => Room.open(PLAN, options(more));
const isClass = (value) => typeof value === "function" && /^class\b/.test(Function.prototype.toString.call(value));
const NOTHING = ["offerCode", "withdrawCode", "close", "start", "end", "view"];
const pause = () => new Promise((resolve) => setTimeout(resolve, 1));

/** Methods of an object and of its class, and what is read of it. */
function* faces(object) {
  for (const place of [object, Object.getPrototypeOf(object)]) {
    if (place === Object.prototype) continue;
    for (const [name, { value, get }] of Object.entries(Object.getOwnPropertyDescriptors(place))) {
      if (["constructor", "onChange"].includes(name) || (!get && typeof value !== "function")) continue;
      yield [name, Boolean(get)];
    }
  }
}

test("before init() rooms say what they need", () => {
  const program = `
    import { Room, checkRoom } from ${JSON.stringify(built("room.js"))};
    const told = [];
    for (const run of [() => Room.open({}, { transport: "tabs" }), () => Room.reopen("a"), () => checkRoom({})])
      try { await run(); told.push("nothing"); } catch (error) { told.push([error.name, error.code].join()); }
    console.log(JSON.stringify(told));
  `;
  assert.deepEqual(JSON.parse(execFileSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8" })), Array(3).fill("LabError,init"));
});

before(() => init());

test("every function and option of rooms with every type of value", { timeout: 280_000 }, async () => {
  const { call, wrong, tries } = intake(LabError);
  const rooms = [];
  const look = async (where, run) => {
    const came = await call(where, run);
    if (came instanceof Room) rooms.push(came);
    else if (typeof came?.publish === "function") came.close();
  };
  for (const [kind, make] of given()) {
    for (const [name, value] of Object.entries(room)) {
      if (!isClass(value)) await look(`${name}${kind}`, () => value(...make()));
    }
    await look(`new Room${kind}`, () => new Room(...make()));
    for (const name of ["open", "reopen", "list", "remove"]) await look(`Room.${name}${kind}`, () => Room[name](...make()));
  }
  for (const [kind, make] of Object.entries(VALUES)) {
    await look(`open(plan, ${kind})`, () => Room.open(PLAN, make()));
    for (const option of ["transport", "own", "user", "password", "isSilent", "base", "store", "session", "onChange", "now"]) {
      await look(`open with ${option} ${kind}`, () => Room.open(PLAN, options({ [option]: make() })));
    }
    for (const field of ["people", "session", "before", "ways", "absence", "deal"]) await look(`open of ${field} ${kind}`, () => Room.open({ ...PLAN, [field]: make() }, options()));
  }
  for (const one of rooms) await one.close();
  assert.deepEqual(wrong, []);
  console.log(`intake: ${tries()} tries at functions of rooms`);
});

test("every method of a room in every state with every type of value", { timeout: 280_000 }, async () => {
  const { call, wrong, tries } = intake(LabError);
  const STATES = {
    lobby: opened,
    async begun() {
      const { transport } = bus();
      const one = await opened({ transport: transport() });
      const devices = agents.map(() => device(one.link, transport()));
      while (one.view().waiting < agents.length) await pause();
      agents.forEach(({ name }, at) => one.deal(at + 1, 1, name));
      assert.equal(one.start(), true);
      devices.forEach(({ leave }) => leave());
      return one;
    },
    async ended() {
      const one = await opened();
      one.end();
      await pause();
      return one;
    },
    async closed() {
      const one = await opened();
      await one.close();
      return one;
    },
    stranger: async () => Object.create(Room.prototype),
  };
  const sample = await opened();
  const methods = [...faces(sample)];
  await sample.close();
  for (const [state, make] of Object.entries(STATES)) {
    for (const [name, isRead] of methods) {
      const one = await make();
      // What takes nothing is called once; a code takes a good part of a second.
      const kinds = isRead || NOTHING.includes(name) ? [["()", () => []]] : given();
      for (const [kind, values] of kinds) await call(`${state} ${name}${kind}`, () => (isRead ? one[name] : one[name](...values())));
      await call(`${state} names`, () => one.names?.export());
      await call(`${state} names`, () => one.names?.delete());
      await call(`${state} close`, () => one.close());
      await call(`${state} close again`, () => one.close());
    }
  }
  assert.deepEqual(wrong, []);
  console.log(`intake: ${tries()} tries at methods of rooms`);
});

test("every function of guests and every method of a guest with every type of value, before, in and after a room", { timeout: 280_000 }, async (own) => {
  const { call, wrong, tries } = intake(guest.LabError);
  const ends = [];
  const look = async (where, run) => {
    const came = await call(where, run);
    if (typeof came?.close === "function") ends.push(came);
  };
  const { transport } = bus();
  const host = await opened({ transport: transport() });
  own.after(() => host.close());
  for (const [kind, make] of given()) {
    for (const [name, value] of Object.entries(guest)) if (!isClass(value)) await look(`${name}${kind}`, () => value(...make()));
  }
  for (const [kind, make] of Object.entries(VALUES)) {
    await look(`join(link, ${kind})`, () => guest.join(host.link, make() ?? { transport: transport() }));
    for (const option of ["transport", "storage", "onState", "language", "params", "times"]) {
      await look(`join with ${option} ${kind}`, () => guest.join(host.link, { transport: transport(), storage: null, [option]: make() }));
    }
    for (const part of ["room", "secret", "host", "meeting"]) {
      await look(`join with ${part} ${kind}`, () => guest.join({ ...guest.readLink(host.link), [part]: make() }, { transport: transport(), storage: null }));
    }
  }
  for (const [kind, make] of given()) {
    for (const method of ["publish", "subscribe", "onState"]) {
      const one = guest.tabs();
      await look(`tabs ${method}${kind}`, () => one[method](...make()));
      one.close();
    }
  }
  const STATES = {
    fresh: () => guest.join(host.link, { transport: transport(), storage: null }),
    async joined() {
      const one = STATES.fresh();
      while (!one.state.stage) await pause();
      return one;
    },
    closed() {
      const one = STATES.fresh();
      one.close();
      return one;
    },
  };
  const sample = STATES.fresh();
  const methods = [...faces(sample)];
  sample.close();
  for (const [state, make] of Object.entries(STATES)) {
    for (const [name, isRead] of methods) {
      const one = await make();
      for (const [kind, values] of isRead ? [["", () => []]] : given()) await call(`${state} ${name}${kind}`, () => (isRead ? one[name] : one[name](...values())));
      one.close();
    }
  }
  ends.forEach((one) => one.close());
  assert.deepEqual(wrong, []);
  // The host goes on, whatever came.
  assert.equal(host.start(), false);
  assert.ok(host.view().guests.length > 0);
  console.log(`intake: ${tries()} tries at guests`);
});
