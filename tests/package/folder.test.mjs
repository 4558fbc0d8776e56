// A folder as store: records as files that are appended to, locks beside them, and processes that are killed.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { entry } from "../support/package.mjs";
import { startProviders } from "../support/providers.mjs";

const { default: init, Library, Session, folder } = await import(entry);
let server;
let root;
before(async () => {
  await init();
  root = mkdtempSync(join(tmpdir(), "quorate-folder-"));
  server = await startProviders({
    answer: async () => {
      await new Promise((done) => setTimeout(done, 5 + 25 * Math.random()));
      return "OK. 1. Maximizing the floor income. I think that it is 7.";
    },
  });
});
after(async () => {
  await server.close();
  rmSync(root, { recursive: true, force: true });
});

let count = 0;
/** An empty folder that does not exist yet: its path, its store, and the path of a file in it. */
function fresh() {
  const path = join(root, String(count++), "runs");
  return { path, store: folder(path), file: (name) => join(path, name), text: (id) => readFileSync(join(path, `${id}.jsonl`), "utf8") };
}

const scripted = { seed: 3, phase2_rounds: 2, agents: ["Ana", "Ben"].map((name) => ({ name, personality: "a student" })) };
const talk = (tag, rounds = 2) => ({
  protocol: "discussion", language: "English", topic: "Tea or coffee?", start: "at_once", rounds, limits: { calls_at_once: { [server.origin]: 3 } },
  agents: ["Ada", "Bo", "Cy"].map((name) => ({ name, personality: "A person.", role: "specialist", kind: "model", provider: "ollama", model: "m-1", base_url: server.base("ollama", tag) })),
});
const poll = (tag, rounds) => ({
  protocol: "delphi", language: "English", question: "How many?", rounds, answers: "free", limits: { calls_at_once: { [server.origin]: 3 } },
  agents: ["Ada", "Bo", "Cy", "Di", "Ed"].map((name) => ({ name, personality: "A person.", kind: "model", provider: "ollama", model: "m-1", base_url: server.base("ollama", tag) })),
});
const of = (entries, type) => entries.filter(({ what }) => what.type === type);

/** Runs code in another process, with `init`, `Session` and `store` in scope. Resolves with its exit code, signal and output. */
function start(path, code) {
  const program = `import init, { Session, folder } from ${JSON.stringify(entry)}; await init(); const store = folder(${JSON.stringify(path)}); ${code}`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program], { stdio: ["ignore", "pipe", "inherit"] });
  child.stdout.setEncoding("utf8");
  let text = "";
  child.stdout.on("data", (piece) => (text += piece));
  child.over = once(child, "close").then(([code, signal]) => ({ code, signal, text }));
  return child;
}
/** Resolves when it has printed something; rejects if it ends before. */
const printed = (child) => Promise.race([once(child.stdout, "data"), child.over.then(({ code, signal }) => Promise.reject(new Error(`the process ended with ${code ?? signal}`)))]);

test("a run is a file that grows, and goes on where it stopped", async () => {
  const { store, file, text } = fresh();
  const id = "unanimity.strict.small.0007";
  let session = await Session.create(talk("goes-on", 4), { store, id });
  assert.equal(text(id).split("\n").length, session.entries().length + 1);
  assert.ok(existsSync(file(`${id}.lock`)));
  const over = assert.rejects(session.run(), { code: "closed" });
  while (of(session.entries(), "answered").length < 3) await new Promise((done) => setTimeout(done, 5));
  await session.close();
  await over;
  assert.ok(!existsSync(file(`${id}.lock`)));
  const before = text(id);
  session = await Session.open(id, { store });
  await session.run();
  assert.ok(text(id).startsWith(before) && text(id).length > before.length);
  const { verified, entries } = await session.verify();
  assert.deepEqual([verified, entries], [true, session.entries().length]);
  assert.equal((await session.export("jsonl")).text, text(id));
  await session.close();

  session = await Session.open(id, { store });
  assert.equal(session.status.state, "ended");
  await session.close();
  await assert.rejects(Session.create(scripted, { store, id }), { code: "exists", message: /in this folder/ });
  await assert.rejects(Session.open("other", { store }), { code: "unknown", message: /in this folder/ });
});

test("the folder is listed from first and last lines, exported as the library is, and emptied", async () => {
  const { path, store, file } = fresh();
  assert.deepEqual(await Library.list({ store }), []);
  assert.equal(folder(path), store);
  const sessions = [];
  for (const id of ["a", "b"]) sessions.push(await Session.create({ ...scripted, title: `Run ${id}`, condition: id }, { store, id }));
  await sessions[0].run();
  writeFileSync(file("notes.jsonl"), "no record\n");
  writeFileSync(file("torn.jsonl"), '{"seq":0,"what":');
  const summaries = await Library.list({ store });
  const listed = summaries.map(({ id, title, condition, state, entries }) => [id, title, condition, state, entries]).sort();
  assert.deepEqual(listed, [["a", "Run a", "a", "ended", sessions[0].entries().length], ["b", "Run b", "b", "unfinished", sessions[1].entries().length]]);
  assert.deepEqual((await Library.list({ store })).map(({ id }) => id).sort(), ["a", "b"]);

  assert.deepEqual(await Library.entries("a", { store }), sessions[0].entries());
  const { text } = await Library.export(["a", "b"], "runs", { store });
  assert.equal(text.trim().split("\n").length, 3);
  assert.equal((await Library.export("a", "jsonl", { store })).text, (await sessions[0].export("jsonl")).text);
  await assert.rejects(Library.export("a", "jsonl", { store: "memory" }), { code: "input" });
  await assert.rejects(Library.list({ stores: store }), { code: "input" });

  await assert.rejects(Library.delete("a", { store }), { code: "locked", message: /in this program already/ });
  for (const session of sessions) await session.close();
  await Library.delete("a", { store });
  assert.deepEqual(readdirSync(path).sort(), ["b.jsonl", "notes.jsonl", "torn.jsonl"]);
  // A file whose first line was torn holds no run.
  await (await Session.create(scripted, { store, id: "torn" })).close();
});

test("a late answer after the end leaves the run ended, however long it is", async () => {
  const { store, file } = fresh();
  const session = await Session.create(scripted, { store, id: "a" });
  await session.run();
  const length = session.entries().length;
  await session.close();
  const late = (seq) => `${JSON.stringify({ seq, what: { type: "late", ask: "x", attempt: 1, reply: { text: "é".repeat(50_000) } } })}\n`;
  appendFileSync(file("a.jsonl"), late(length) + late(length + 1));
  const [{ state, entries }] = await Library.list({ store });
  assert.deepEqual([state, entries], ["ended", length + 2]);
});

test("an id that leads out of the folder or is no name of a file is refused", async () => {
  const { store, path } = fresh();
  for (const id of ["../x", "a/b", "a\\b", "..", ".hidden", "a b", "é", "x".repeat(201), "a\0"]) {
    for (const refused of [() => Session.create(scripted, { store, id }), () => Session.open(id, { store }), () => Library.entries(id, { store }), () => Library.delete(id, { store })]) {
      await assert.rejects(refused(), { code: "input", message: /cannot be the name of a file/ }, id);
    }
  }
  assert.ok(!existsSync(path));
  assert.throws(() => folder(""), { code: "input" });
  assert.throws(() => folder(), { code: "input" });
});

test("a torn last line is cut off when the run goes on; anything else that was altered is not", async () => {
  const { store, file, text } = fresh();
  const session = await Session.create(scripted, { store, id: "a" });
  await session.run();
  await session.close();
  const whole = text("a");
  const lines = whole.split("\n");
  for (const cut of [whole.length - 1, whole.length - 20, whole.lastIndexOf("\n", whole.length - 2) + 3, Math.floor(whole.length / 2), lines[0].length + 2]) {
    truncateSync(file("a.jsonl"), cut);
    const again = await Session.open("a", { store });
    await again.run();
    assert.equal((await again.verify()).verified, true);
    await again.close();
    const what = (one) => one.split("\n").slice(0, -1).map((line) => JSON.parse(line).what);
    assert.deepEqual(what(text("a")).filter(({ type }) => type === "event"), what(whole).filter(({ type }) => type === "event"));
    writeFileSync(file("a.jsonl"), whole);
  }
  writeFileSync(file("a.jsonl"), whole.replace("a student", "a teacher"));
  await assert.rejects(Session.open("a", { store }), { code: "altered" });
  assert.equal((await Library.export("a", "jsonl", { store })).text, text("a"));
});

test("what is appended to the file meanwhile is not written over", async () => {
  const { store, file, text } = fresh();
  const session = await Session.create(scripted, { store, id: "a" });
  appendFileSync(file("a.jsonl"), "another line\n");
  const before = text("a");
  const run = session.run().catch(() => {});
  while (session.status.storage === undefined) await new Promise((done) => setTimeout(done, 5));
  assert.equal(session.status.storage.state, "elsewhere");
  await session.close();
  await run;
  assert.equal(text("a"), before);
});

test("of two processes on one run the second is refused, until the first is gone", async () => {
  const { path, store, file } = fresh();
  await (await Session.create(scripted, { store, id: "a" })).close();
  const child = start(path, `await Session.open("a", { store }); console.log("open"); setInterval(() => {}, 1000)`);
  await printed(child);
  const refused = { code: "locked", message: new RegExp(`process ${child.pid} on ${hostname()}`) };
  await assert.rejects(Session.open("a", { store }), refused);
  await assert.rejects(Library.delete("a", { store }), refused);
  assert.equal((await Library.list({ store })).length, 1);
  child.kill("SIGKILL");
  await child.over;
  assert.ok(existsSync(file("a.lock")));
  const session = await Session.open("a", { store });
  await assert.rejects(Session.open("a", { store }), { code: "locked", message: /in this program already/ });
  await session.close();
  assert.deepEqual(readdirSync(path), ["a.jsonl"]);
});

test("a lock of another host counts for a minute after its last touch", async () => {
  const { store, file } = fresh();
  await (await Session.create(scripted, { store, id: "a" })).close();
  writeFileSync(file("a.lock"), JSON.stringify({ pid: 1, host: "other", since: 1 }));
  const touched = (ago) => utimesSync(file("a.lock"), new Date(), new Date(Date.now() - ago));
  touched(50_000);
  await assert.rejects(Session.open("a", { store }), { code: "locked", message: /process 1 on other/ });
  touched(61_000);
  await (await Session.open("a", { store })).close();
  // One that is being written.
  writeFileSync(file("a.lock"), "");
  await assert.rejects(Session.open("a", { store }), { code: "locked", message: /a process that is starting/ });
});

test("of many processes that find a lock left behind one takes it", async () => {
  const { path, store, file } = fresh();
  await (await Session.create(scripted, { store, id: "a" })).close();
  writeFileSync(file("a.lock"), JSON.stringify({ pid: 1, host: "other", since: 1 }));
  utimesSync(file("a.lock"), new Date(0), new Date(0));
  const at = Date.now() + 1500;
  const code = `await new Promise((done) => setTimeout(done, ${at} - Date.now()));
    const session = await Session.open("a", { store }).catch(({ code }) => console.log(code));
    if (session) { console.log("open"); await new Promise((done) => setTimeout(done, 1500)); await session.close(); }`;
  const children = Array.from({ length: 4 }, () => start(path, code));
  const texts = await Promise.all(children.map(async ({ over }) => (await over).text.trim()));
  assert.deepEqual(texts.sort(), ["locked", "locked", "locked", "open"]);
  assert.deepEqual(readdirSync(path), ["a.jsonl"]);
});

test("a run that is killed ten times ends, and pays only for calls in flight again", async () => {
  const { path, store } = fresh();
  const tag = "killed";
  const code = `
    const session = await Session.open("a", { store }).catch(() => Session.create(${JSON.stringify(poll(tag, 20))}, { store, id: "a" }));
    console.log("open"); await session.run(); await session.close(); console.log("ended");`;
  const requests = () => server.requests(tag).length;
  /** Calls at the server, and those whose answers may not be stored yet, at each kill. */
  const inFlight = [];
  let child = start(path, code);
  for (let kill = 0; kill < 10; kill += 1) {
    await printed(child);
    const aim = requests() + Math.ceil(12 * Math.random());
    while (requests() < aim && child.exitCode === null) await new Promise((done) => setTimeout(done, 1));
    await new Promise((done) => setTimeout(done, 20 * Math.random()));
    child.kill("SIGKILL");
    const { signal } = await child.over;
    assert.equal(signal, "SIGKILL", "the run is long enough for all kills");
    const answered = of((await Library.entries("a", { store })), "answered").length;
    inFlight.push(requests() - answered - inFlight.reduce((sum, one) => sum + one, 0));
    child = start(path, code);
  }
  assert.match((await child.over).text, /ended/);
  assert.ok(inFlight.every((count) => count >= 0 && count <= 3), `in flight at the kills: ${inFlight}`);
  assert.ok(inFlight.some((count) => count > 0), "some kills came amid calls");
  const session = await Session.open("a", { store });
  assert.equal(session.status.state, "ended");
  assert.equal((await session.verify()).verified, true);
  const answered = of(session.entries(), "answered").length;
  assert.equal(requests() - answered, inFlight.reduce((sum, one) => sum + one, 0), `${requests()} requests for ${answered} answers`);
  await session.close();
});

test("recorded answers come from the runs of the folder, also those that another process adds", async () => {
  const { path, store } = fresh();
  const tag = "recorded";
  const run = async (id, options = {}) => {
    const session = await Session.create({ ...talk(tag), seed: 1 }, { store, id, ...options });
    await session.run();
    const answers = of(session.entries(), "answered").map(({ what }) => what.reply);
    await session.close();
    return answers;
  };
  const first = await run("a");
  const paid = server.requests(tag).length;
  assert.ok(paid >= 6);
  const again = await run("b", { recorded: "only" });
  assert.deepEqual(again.map(({ text }) => text), first.map(({ text }) => text));
  assert.ok(again.every(({ recorded }) => recorded.session === "a"));
  const child = start(path, `const session = await Session.create({ ...${JSON.stringify(talk(tag))}, topic: "Cake?" }, { store, id: "c" }); await session.run(); await session.close();`);
  assert.equal((await child.over).code, 0);
  const both = server.requests(tag).length;
  assert.ok(both > paid);
  const cake = await Session.create({ ...talk(tag), topic: "Cake?" }, { store, id: "d", recorded: "use" });
  await cake.run();
  await cake.close();
  assert.equal(server.requests(tag).length, both);
});
