// Every function of the package, with every type of value, in every state of a session: each call returns, throws `LabError`
// or rejects with it, with a sentence; nothing breaks the module, which plays a run to its end afterwards.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { before, test } from "node:test";
import { given, intake } from "../../support/intake.mjs";
import { entry } from "../../support/package.mjs";

const quorate = await import(entry);
const { default: init, LabError, Session } = quorate;

const CONFIG = { protocol: "delphi", language: "English", question: "How many?", agents: [{ name: "Ana", kind: "human", personality: "p" }, { name: "Ben", kind: "scripted", personality: "p" }] };
const HELD = { ...CONFIG, agents: [{ name: "Ana", kind: "custom", personality: "p" }, CONFIG.agents[1]] };
const OVER = { ...CONFIG, agents: ["Ana", "Ben"].map((name) => ({ name, kind: "scripted", personality: "p" })) };

const { call, wrong, tries } = intake(LabError);

/** Every function that the package has, by name: those of its face, of what it groups, and static ones. */
function* functions() {
  for (const [name, value] of Object.entries(quorate)) {
    if (name === "LabError" || name === "default") continue;
    if (typeof value === "object") for (const [own, inner] of Object.entries(value)) yield [`${name}.${own}`, (...given) => inner(...given)];
    else if (!value.prototype || !Object.hasOwn(value.prototype, "free")) yield [name, (...given) => value(...given)];
    else {
      yield [`new ${name}`, (...given) => new value(...given)];
      for (const own of Object.getOwnPropertyNames(value)) if (typeof value[own] === "function" && !own.startsWith("_")) yield [`${name}.${own}`, (...given) => value[own](...given)];
    }
  }
}
const methods = Object.entries(Object.getOwnPropertyDescriptors(Session.prototype)).filter(([name]) => !name.startsWith("_") && !["constructor", "free", "close"].includes(name));

async function plays() {
  const session = await Session.create(OVER, { store: "memory" });
  const result = await session.run();
  assert.equal((await session.verify()).verified, true);
  await session.close();
  return result.rounds;
}

test("before init() every function says what it needs", () => {
  const program = `
    import * as quorate from ${JSON.stringify(entry)};
    const told = [];
    const look = async (name, run) => {
      try { await run(); told.push(name + " gave something"); } catch (error) { if (!(error instanceof quorate.LabError) || error.code !== "init") told.push(name + ": " + error); }
    };
    const { Session, Library, Memory, Viewer, parse, justice, debate } = quorate;
    for (const [name, run] of Object.entries({
      create: () => Session.create({}), open: () => Session.open("a"), list: () => Library.list(), items: () => Memory.items("a"), viewer: () => new Viewer([]),
      amount: () => parse.amount("1", "en"), apply: () => justice.apply({ principle: 1 }, []), similarity: () => debate.similarity("a", "b"), check: () => quorate.check({}),
      version: () => quorate.version(), get: () => quorate.getDiscussion("a"), presets: () => quorate.presets(),
    })) await look(name, run);
    console.log(JSON.stringify(told));
  `;
  assert.deepEqual(JSON.parse(execFileSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8" })), []);
});

before(() => init());

test("every function with every type of value returns or throws LabError, and the module goes on working", { timeout: 280_000 }, async () => {
  const rounds = await plays();
  const opened = [];
  for (const [name, run] of functions()) {
    for (const [kind, make] of given()) {
      const came = await call(`${name}${kind}`, () => run(...make()));
      if (came instanceof Session) opened.push(came);
    }
  }
  await Promise.all(opened.map((session) => session.close()));
  assert.deepEqual(wrong.splice(0), []);
  assert.equal(await plays(), rounds);
  console.log(`intake: ${tries()} tries at functions`);
});

test("every method in every state with every type of value, and free() is final", { timeout: 280_000 }, async () => {
  const rounds = await plays();
  const begun = tries();
  const STATES = {
    fresh: () => Session.create(CONFIG, { store: "memory" }),
    async running() {
      const session = await Session.create(CONFIG, { store: "memory" });
      session.run().catch(() => {});
      while (!session.waitsFor) await new Promise((resolve) => setTimeout(resolve, 1));
      return session;
    },
    async halted() {
      const session = await Session.create(HELD, { store: "memory" });
      session.run().catch(() => {});
      while (session.status.state !== "halted") await new Promise((resolve) => setTimeout(resolve, 1));
      return session;
    },
    async ended() {
      const session = await Session.create(OVER, { store: "memory" });
      await session.run();
      return session;
    },
    async closed() {
      const session = await STATES.running();
      await session.close();
      return session;
    },
    async freed() {
      const session = await STATES.running();
      session.free();
      return session;
    },
    stranger: async () => Object.create(Session.prototype),
  };
  for (const [state, make] of Object.entries(STATES)) {
    for (const [name, { value }] of methods) {
      const session = await make();
      if (!value) {
        await call(`${state} ${name}`, () => session[name]);
        continue;
      }
      // Asks that are open and seats that there are, too.
      const { id = "none" } = ["fresh", "running"].includes(state) ? session.status.open[0] ?? {} : {};
      for (const [kind, values] of given()) {
        for (const first of ["text", id, "Ana"]) {
          const all = values();
          if (all[0] === "text") all[0] = first;
          else if (first !== "text") continue;
          const came = await call(`${state} ${name}${kind}`, () => session[name](...all));
          if (came instanceof Session) await came.close();
        }
      }
      await call(`${state} close`, () => session.close());
      await call(`${state} free`, () => session.free());
      await call(`${state} free again`, () => session.free());
    }
  }
  assert.deepEqual(wrong.splice(0), []);
  assert.equal(await plays(), rounds);
  console.log(`intake: ${tries() - begun} tries at methods`);
});

test("a number that is none is said to be so, where it stands, and does not count as not given", async () => {
  for (const seed of [NaN, Infinity]) {
    await assert.rejects(Session.create({ ...OVER, seed }, { store: "memory" }), { code: "input", message: `Session.create: config.seed must be a finite number, not ${seed}` });
  }
  assert.throws(() => quorate.check({ ...OVER, seed: NaN }), { message: "check: config.seed must be a finite number, not NaN" });
  assert.throws(() => quorate.justice.apply({ principle: 1 }, "none"), { message: /^justice\.apply: distributions: / });
  assert.throws(() => quorate.parse.amount(1), { message: "parse.amount: text must be a string, not number" });
  const agents = [OVER.agents[0], { ...OVER.agents[1], temperature: NaN }];
  await assert.rejects(Session.create({ ...OVER, agents }, { store: "memory" }), /config\.agents\.1\.temperature must be a finite number, not NaN/);
});

test("what would be taken for something else is refused: data that JSON has not, numbers below 0, a seat that nobody has", async () => {
  for (const [value, kind] of [[() => "en", "function"], [Symbol("en"), "symbol"], [5n, "bigint"]]) {
    await assert.rejects(Session.create({ ...OVER, language: value }, { store: "memory" }), { code: "input", message: `Session.create: config.language must be JSON data, not a ${kind}` });
  }
  const session = await Session.create(OVER, { store: "memory" });
  const [{ name }] = OVER.agents;
  await assert.rejects(session.fork(-1), { code: "input", message: "Session.fork: seq must be a finite number from 0 up, not -1" });
  assert.throws(() => session.setPace(-0.5), { code: "input", message: /milliseconds must be .* not -0\.5/ });
  assert.throws(() => session.view("owner", -1), { code: "input" });
  for (const role of ["seat:Nobody", { seat: "Nobody" }]) {
    assert.throws(() => session.view(role), { code: "input", message: 'no participant has the seat "Nobody"' });
  }
  assert.equal(session.view({ seat: name }).number, session.view(`seat:${name}`).number);
  await session.close();
});

test("callbacks that call back in, and answers of 50 MB", async () => {
  const config = { ...HELD, rounds: 2, answers: "free", agents: [HELD.agents[0], CONFIG.agents[1]] };
  const session = await Session.create(config, {
    store: "memory",
    answer: ({ id }) => {
      session.pause();
      session.resume();
      session.answer(id, "I think that it is 7.");
      session.view();
      return "x".repeat(50_000_000);
    },
    onEvent: () => session.status,
  });
  const result = await session.run();
  assert.equal(result.rounds, 2);
  assert.equal((await session.verify()).verified, true);
  const mute = await Session.create({ ...config, attempts: 1 }, { store: "memory", answer: () => "y".repeat(50_000_000) });
  await mute.run();
  await session.close();
  await mute.close();
});
