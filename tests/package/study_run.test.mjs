// The command line runs what is left of a study: again, in shards, stopped on the way, and within a budget.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { built } from "../support/package.mjs";
import { startProviders } from "../support/providers.mjs";

let root;
let server;
const UNCLEAR = "OK. I think that it is 7.";
/** What the server does while it answers, and what it answers then, if not that. */
let during = () => {};
before(async () => {
  root = mkdtempSync(join(tmpdir(), "quorate-study-"));
  server = await startProviders({ answer: async (request) => {
    const [said] = await Promise.all([during(request), pause(20)]);
    return said ?? UNCLEAR;
  } });
});
after(async () => {
  await server.close();
  rmSync(root, { recursive: true, force: true });
});

const scripted = { protocol: "justice", language: "English", phase2_rounds: 2, agents: ["Ana", "Ben"].map((name) => ({ name, personality: "A student." })) };
const FACTORS = { rule: { strict: { "phase2_settings.strict": true }, tolerant: { "phase2_settings.strict": false } } };
/** A poll of models at the test's server. */
const poll = (tag, more = {}) => ({
  protocol: "delphi", language: "English", question: "How many?", rounds: 2, answers: "free",
  agents: ["Ada", "Bo"].map((name) => ({ name, personality: "A person.", kind: "model", provider: "openai", model: "m-1", base_url: server.base("openai", tag) })), ...more,
});

let count = 0;
/** A study file with a folder beside it. `more`: what the file says besides. */
function fresh(base, more = {}) {
  const name = `study${(count += 1)}`;
  const path = join(root, `${name}.yaml`);
  const out = join(root, name);
  const write = (changes = {}) => writeFileSync(path, JSON.stringify({ study: 1, id: name, base, n: 3, seed: 7, seeds: "paired", ...more, ...changes }));
  write();
  const records = () => Object.fromEntries(readdirSync(join(out, "runs")).filter((file) => file.endsWith(".jsonl")).sort().map((file) => [file, readFileSync(join(out, "runs", file), "utf8")]));
  return { path, out, write, records };
}

function start(args, env = {}) {
  const child = spawn(process.execPath, [built("cli.js"), ...args], { env: { PATH: process.env.PATH, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (piece) => (text += piece));
  child.over = once(child, "close").then(([code]) => ({ code, text }));
  return child;
}
const quorate = (...args) => start(args).over;
const lines = (text) => text.trim().split("\n").map((line) => JSON.parse(line));
const hasEnded = (text) => lines(text).some(({ what }) => what.type === "ended");
/** What a record says, without its times. */
const timeless = (text) => lines(text).map(({ what }) => JSON.stringify(what).replace(/"timestamp":"[^"]*"/g, ""));

test("the plan is shown and registered once", async () => {
  const { path, out } = fresh(scripted, { factors: FACTORS, title: "Rules" });
  const { code, text } = await quorate("plan", path);
  assert.equal(code, 0, text);
  assert.match(text, /^Rules: 6 runs\n {2}strict: 3\n {2}tolerant: 3\ncalls: \d+ to \d+\n[^]*registration: [0-9a-f]{64}\n$/);
  assert.equal((await quorate("run", path, "--out", out)).code, 0);
  assert.equal((await quorate("plan", path, "--register", "--out", out)).code, 0);
  assert.match(text, new RegExp(JSON.parse(readFileSync(join(out, "registration.json"), "utf8")).id));
  const again = await quorate("plan", path, "--register", "--out", out);
  assert.deepEqual([again.code, /registration\.json/.test(again.text)], [2, true]);
});

test("faults name cell and path, and nothing is begun", async () => {
  const { path, out } = fresh({ ...scripted, phase2_rounds: 0 }, { factors: FACTORS });
  const { code, text } = await quorate("run", path, "--out", out);
  assert.equal(code, 2);
  assert.match(text, /has faults:\n[^]*phase2_rounds/);
  assert.throws(() => statSync(join(out, "runs")), { code: "ENOENT" });
  for (const [args, why] of [[["run", path], /--out DIR/], [["run", path, "--out", out, "--shard", "4/4"], /shard is 4\/4/], [["walk"], /no command "walk"/], [["run", "none.yaml", "--out", out], /cannot read none\.yaml/]]) {
    const refused = await quorate(...args);
    assert.deepEqual([refused.code, why.test(refused.text)], [2, true], refused.text);
  }
});

test("all runs are made once; another study needs another folder or a reason", async () => {
  const { path, out, write, records } = fresh(scripted, { factors: FACTORS });
  const { code, text } = await quorate("run", path, "--out", out);
  assert.equal(code, 0, text);
  const before = records();
  assert.equal(Object.keys(before).length, 6);
  for (const record of Object.values(before)) assert.ok(hasEnded(record));
  assert.equal((await quorate("run", path, "--out", out)).code, 0);
  assert.deepEqual(records(), before);
  write({ n: 4 });
  assert.equal((await quorate("run", path, "--out", out)).code, 0);
  assert.equal(Object.keys(records()).length, 8);
  assert.match(readFileSync(join(out, "CHANGES.md"), "utf8"), /n 3 → 4/);
  write({ n: 4, seed: 8 });
  const refused = await quorate("run", path, "--out", out);
  assert.deepEqual([refused.code, /other settings/.test(refused.text)], [2, true]);
  // What was made under other settings is not taken for a run of these.
  const amended = await quorate("run", path, "--out", out, "--amend", "Another seed.");
  assert.deepEqual([amended.code, /8 runs in .* have other settings .*such as study\d+\.strict\.0001:/.test(amended.text)], [2, true], amended.text);
  write({ n: 3 });
  assert.equal((await quorate("run", path, "--out", out)).code, 2);
  assert.deepEqual(records(), { ...records(), ...before });
  const other = fresh(scripted, { factors: FACTORS });
  assert.equal((await quorate("run", other.path, "--out", other.out, "--shard", "0/100")).code, 0);
  for (const file of Object.keys(other.records())) rmSync(join(other.out, "runs", file));
  other.write({ seed: 8 });
  assert.equal((await quorate("run", other.path, "--out", other.out, "--amend", "Another seed.")).code, 0);
  assert.match(readFileSync(join(other.out, "CHANGES.md"), "utf8"), /: Another seed\.\n$/);
});

test("a registered folder runs what was registered", async () => {
  const { path, out, write } = fresh(scripted, { factors: FACTORS });
  assert.equal((await quorate("plan", path, "--register", "--out", out)).code, 0);
  write({ seed: 8 });
  const refused = await quorate("run", path, "--out", out);
  assert.deepEqual([refused.code, /other settings/.test(refused.text)], [2, true], refused.text);
  assert.equal((await quorate("run", path, "--out", out, "--amend", "Another seed.")).code, 0);
  assert.match(readFileSync(join(out, "CHANGES.md"), "utf8"), /: [0-9a-f]{64} → [0-9a-f]{64}: Another seed\.\n$/);
  const verified = await quorate("verify", out);
  assert.deepEqual([verified.code, /changed after its registration/.test(verified.text)], [0, true], verified.text);
});

test("shards make the same records as one process", async () => {
  const one = fresh(scripted, { factors: FACTORS, id: "same" });
  const four = fresh(scripted, { factors: FACTORS, id: "same" });
  const done = await Promise.all([
    quorate("run", one.path, "--out", one.out),
    quorate("run", four.path, "--out", four.out, "--shard", "0/4"),
    quorate("run", four.path, "--out", four.out, "--shard", "1/4"),
    start(["run", four.path, "--out", four.out], { SLURM_ARRAY_TASK_ID: "7", SLURM_ARRAY_TASK_MIN: "5", SLURM_ARRAY_TASK_COUNT: "4" }).over,
    start(["run", four.path, "--out", four.out], { JOB_COMPLETION_INDEX: "3", QUORATE_SHARDS: "4" }).over,
  ]);
  assert.deepEqual(done.map(({ code }) => code), [0, 0, 0, 0, 0], JSON.stringify(done));
  const [whole, parts] = [one.records(), four.records()];
  assert.deepEqual(Object.keys(parts), Object.keys(whole));
  for (const [name, record] of Object.entries(whole)) assert.deepEqual(timeless(parts[name]), timeless(record), name);
});

test("stopped by a signal it waits for calls in flight, and pays for nothing twice", async () => {
  const { path, out, records } = fresh(poll("stopped"), { n: 6 });
  const child = start(["run", path, "--out", out, "--at-once", "2"], { OPENAI_API_KEY: "unused" });
  while (server.requests("stopped").length < 6) await pause(5);
  child.kill("SIGTERM");
  const { code, text } = await child.over;
  assert.equal(code, 130, text);
  assert.ok(!Object.values(records()).every(hasEnded));
  const keys = join(root, "keys.json");
  writeFileSync(keys, JSON.stringify({ [server.origin]: "sk-right" }));
  assert.equal((await quorate("run", path, "--out", out, "--keys", keys)).code, 0);
  assert.ok(Object.values(records()).length === 6 && Object.values(records()).every(hasEnded));
  assert.ok(!JSON.stringify(records()).includes("sk-right"));
  const answers = Object.values(records()).flatMap(lines).filter(({ what }) => what.type === "answered");
  assert.equal(server.requests("stopped").length, answers.length);
});

test("runs that end while a stop waits for others do not end the wait", async () => {
  const runs = 8;
  const host = new URL(server.origin).host;
  const factors = { pace: { quick: {}, slow: { "agents.personality": "Slow." } } };
  const { path, out, records } = fresh(poll("ends"), { n: runs, factors, limits: { calls_at_once: { [host]: 4 * runs } } });
  let stop;
  const stopped = new Promise((done) => (stop = done));
  let [last, held] = [0, 0];
  // The last calls of the ones are answered one after the other after the signal, the first ones of the others later.
  during = async ({ system, messages }) => {
    if (system.includes("Slow.")) {
      held += 1;
      await stopped;
      await pause(800);
    } else if (system.includes("Bo") && messages.at(-1)[1].includes("Round 2")) {
      const turn = (last += 1);
      await stopped;
      await pause(17 * turn);
    }
    return "Estimate: 7";
  };
  const child = start(["run", path, "--out", out, "--at-once", String(2 * runs)], { OPENAI_API_KEY: "unused" });
  while (last < runs || held < runs) await pause(5);
  child.kill("SIGTERM");
  await pause(100);
  stop();
  const { code, text } = await child.over;
  during = () => {};
  assert.equal(code, 130, text);
  assert.equal(Object.values(records()).filter(hasEnded).length, runs);
  assert.equal(Object.values(records()).flatMap(lines).filter(({ what }) => what.type === "answered").length, server.requests("ends").length);
});

test("a run that stands still holds up no other", async () => {
  const wrong = { agents: ["Ada", "Bo"].map((name) => ({ name, personality: "A person.", kind: "model", provider: "openai", model: "no-such-model", base_url: server.base("openai", "wrong") })) };
  const { path, out, records } = fresh(poll("right"), { factors: { model: { right: {}, wrong: { agents: wrong.agents } } }, n: 2 });
  const { code, text } = await quorate("run", path, "--out", out, "--at-once", "1");
  assert.equal(code, 3, text);
  assert.equal(text.match(/^study\d+\.wrong\.000[12]: /gm)?.length, 2, text);
  assert.deepEqual(Object.entries(records()).filter(([, record]) => hasEnded(record)).map(([name]) => name.split(".")[1]), ["right", "right"]);
});

test("a run that stood still for its key goes on with the right one", async () => {
  const { path, out, records } = fresh(poll("key"), { n: 1 });
  const keys = join(root, "own.json");
  writeFileSync(keys, JSON.stringify({ [server.origin]: "wrong-key-0000" }));
  assert.equal((await quorate("run", path, "--out", out, "--keys", keys)).code, 3);
  writeFileSync(keys, JSON.stringify({ [server.origin]: "sk-right" }));
  const { code, text } = await quorate("run", path, "--out", out, "--keys", keys);
  assert.equal(code, 0, text);
  assert.ok(Object.values(records()).every(hasEnded));
});

test("files that cannot be used are named", async () => {
  const { path, out } = fresh(scripted);
  const latin = join(root, "latin.yaml");
  writeFileSync(latin, Buffer.from("title: \xc4rztin", "latin1"));
  const keys = join(root, "no-keys.json");
  writeFileSync(keys, "[1]");
  for (const [args, why] of [[["plan", latin], /latin\.yaml is not in UTF-8/], [["run", path, "--out", path], /^ENOTDIR[^\n]*\n$/], [["run", path, "--out", out, "--keys", keys], /no-keys\.json must hold keys by address/], [["plan", path, "more"], /more is one argument too many/]]) {
    const { code, text } = await quorate(...args);
    assert.deepEqual([code, why.test(text)], [2, true], text);
  }
});

test("people need a room, and money needs prices", async () => {
  const person = { ...scripted, agents: [...scripted.agents, { name: "Cy", kind: "human", personality: "A student." }] };
  for (const [base, more, why] of [[person, {}, /cell all has seats for people, who need a room/], [poll("unpriced"), { budget: { cost: 1 } }, /needs prices: set "prices" in the base/]]) {
    const { path, out } = fresh(base, more);
    const { code, text } = await quorate("run", path, "--out", out);
    assert.deepEqual([code, why.test(text)], [2, true], text);
  }
});

test("limits of calls are divided among shards", async () => {
  const host = new URL(server.origin).host;
  const { path, out } = fresh(poll("limits"), { n: 4, limits: { calls_at_once: { [host]: 4 } } });
  let [busy, most] = [0, 0];
  // The first are answered when both shards have sent all that they may.
  during = async () => {
    most = Math.max(most, (busy += 1));
    while (most < 4) await pause(10);
    await pause(50);
    busy -= 1;
  };
  const done = await Promise.all([0, 1].map((shard) => quorate("run", path, "--out", out, "--shard", `${shard}/2`)));
  during = () => {};
  assert.deepEqual([done.map(({ code }) => code), most], [[0, 0], 4]);
});

test("a folder in the place of a record holds up no other run", async () => {
  const { path, out } = fresh(scripted, { id: "place" });
  mkdirSync(join(out, "runs", "place.all.0002.jsonl"), { recursive: true });
  const { code, text } = await quorate("run", path, "--out", out);
  assert.deepEqual([code, /^place\.all\.0002: /m.test(text), text.match(/^place/gm).length], [3, true, 1], text);
  assert.deepEqual(readdirSync(join(out, "runs")).sort(), ["place.all.0001.jsonl", "place.all.0002.jsonl", "place.all.0003.jsonl"]);
});

test("a budget is never exceeded, and more of it goes on", async () => {
  const { path, out, write, records } = fresh(poll("budget", { limits: { max_calls: 12 } }), { n: 4, budget: { calls: 30 } });
  const first = await quorate("run", path, "--out", out);
  assert.equal(first.code, 4, first.text);
  const spent = server.requests("budget").length;
  assert.ok(spent <= 30 && spent >= 12, String(spent));
  write({ budget: { calls: 100 } });
  assert.equal((await quorate("run", path, "--out", out)).code, 0);
  assert.ok(Object.values(records()).length === 4 && Object.values(records()).every(hasEnded));
});

test("what runs set aside and do not use is there for others", async () => {
  const { path, out, records } = fresh(poll("aside"), { n: 4, budget: { calls: 20 } });
  during = () => "Estimate: 7";
  const { code, text } = await quorate("run", path, "--out", out);
  during = () => {};
  assert.deepEqual([code, Object.values(records()).filter(hasEnded).length, server.requests("aside").length], [0, 4, 16], text);
});
