// A study with people: rooms of several hosts hold its tables, and what they leave is one bundle.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { rowsOf } from "../../src/web/study/csv.js";
import { bus, guest } from "../support/guests.mjs";
import { built, entry } from "../support/package.mjs";

const { default: init, folder, study } = await import(entry);
const { Room, checkRoom, memoryShelf } = await import(built("room.js"));
const { Study } = await import(built("study.js"));

const STUDY = {
  study: 1, id: "tables", n: 3, seed: 7,
  base: { protocol: "delphi", question: "How many?", minimum: 0, maximum: 100, agents: ["One", "Two", "Three"].map((name) => ({ name, personality: "A neighbour." })) },
  factors: { length: { short: { rounds: 2 }, long: { rounds: 3 } } },
  people: { title: "An hour of estimates", people: 3, start: "full", consent: "Do you take part?", ways: { waited: { code: "W" } } },
};
const PLACES = 6;

let root;
const at = (...path) => join(root, ...path);
const quorate = (...args) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [built("cli.js"), ...args], { cwd: root, encoding: "utf8" });
  return { status, stdout, stderr };
};

before(async () => {
  await init();
  root = mkdtempSync(join(tmpdir(), "quorate-room-study-"));
});
after(() => rmSync(root, { recursive: true, force: true }));

async function until(is, what) {
  for (let tries = 0; tries < 3000; tries += 1) {
    if (await is()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`${what} does not happen`);
}

/** What a program prepares so that `quorate bundle` takes the folder. */
function prepare(name) {
  mkdirSync(at(name));
  writeFileSync(at(name, "study.json"), JSON.stringify({ registration: study.plan(STUDY).id, study: STUDY }));
  return { store: folder(at(name, "runs")) };
}

/** A room that holds part `[i, n]` of the study, and its guests. */
class Host {
  guests = [];

  static async open(t, name, shard) {
    const host = new Host();
    Object.assign(host, { t, bus: bus(), store: memoryShelf(), session: prepare(name) });
    host.room = await Room.open({ study: STUDY, shard }, host.options());
    t.after(() => host.room.close());
    return host;
  }

  options() {
    return { transport: this.bus.transport(), store: this.store, base: "https://lab.example/join.html", session: this.session };
  }

  async reload() {
    await this.room.close();
    this.room = await Room.reopen(this.room.id, this.options());
  }

  /** `leaves`: this guest goes away for good from the table, without an answer. */
  joins(leaves = false) {
    const consent = { "room/consent": { consent: "yes" } };
    const answers = leaves ? new Proxy(consent, { get: (own, ask) => own[ask] ?? null }) : consent;
    const one = guest(this.room.link, this.bus.transport(), { answers });
    this.t.after(one.leave);
    this.guests.push(one);
    return one;
  }

  async leaves() {
    const one = this.joins(true);
    await until(() => one.state?.stage === "lobby" || one.state?.stage === "table", "the lobby");
    return async () => {
      await until(() => one.state.stage === "table", "a table");
      one.say({ type: "leave" });
      await until(() => one.state.stage === "over", "the end of who left");
      assert.equal(one.state.end.way, "dropped");
    };
  }

  get runs() {
    return this.room.view().tables.map(({ run }) => run);
  }

  get valid() {
    return this.room.view().study.cells.map(({ name, tables, ended }) => [name, tables, ended]);
  }
}

/** Three at a table come, and that many of them leave. */
async function comes(host, leavers) {
  const leave = [];
  for (let count = 0; count < leavers; count += 1) leave.push(await host.leaves());
  for (let count = leavers; count < 3; count += 1) host.joins();
  for (const one of leave) await one();
}

test("two hosts hold the tables of two cells; void ones are held again, and the merged bundle verifies", async (t) => {
  const hosts = [await Host.open(t, "one", [0, 2]), await Host.open(t, "two", [1, 2])];
  // Eighteen come, four leave: at the first table of each host, two of them at one table.
  await Promise.all([comes(hosts[0], 2), comes(hosts[1], 1)]);
  await Promise.all([comes(hosts[0], 1), comes(hosts[1], 0)]);
  await Promise.all(hosts.map((host) => comes(host, 0)));
  const leftOfVoid = () => hosts.map(({ runs }) => runs.filter((run) => run.void).map(({ left }) => left));
  await until(() => hosts.every(({ runs }) => runs.length === 3) && isDeepStrictEqual(leftOfVoid(), [[2, 1], [1]]), "six tables, three of them void");
  assert.equal(hosts.flatMap(({ guests }) => guests).length, 18);
  // Nine more are needed for the three tables that do not count.
  const before = hosts[0].runs;
  await hosts[0].reload();
  assert.deepEqual(hosts[0].runs, before);
  for (const [host, times] of [[hosts[0], 2], [hosts[1], 1]]) for (let count = 0; count < times; count += 1) await comes(host, 0);
  await until(() => hosts.every(({ room }) => room.view().tables.every(({ over }) => over)), "the end of all tables");
  const cells = hosts.flatMap(({ valid }) => valid);
  for (const cell of ["short", "long"]) {
    const own = cells.filter(([name]) => name === cell);
    assert.deepEqual(own.map(([, tables, ended]) => tables - ended), own.map(() => 0));
    assert.equal(own.reduce((sum, [, , ended]) => sum + ended, 0), 3, cell);
  }
  // Whoever comes now is not needed.
  const late = hosts[0].joins();
  await until(() => late.state?.stage === "over", "the end of who comes too late");
  assert.deepEqual([late.state.end.way, late.state.end.code], ["waited", "W"]);

  const ids = hosts.map(({ runs }) => runs.map(({ id }) => id));
  const open = hosts.flatMap(({ room }) => room.view().tables.map(({ number }) => room.session(number)));
  for (const { id } of open) assert.ok(ids.flat().includes(id));
  assert.deepEqual((await Room.list({ store: hosts[0].store })).map(({ title, sessions }) => [title, sessions]), [[STUDY.people.title, ids[0]]]);
  const guests = JSON.stringify(hosts.flatMap((host) => host.guests.map(({ got }) => got)));
  for (const word of ["short", "long", "tables.", "length"]) assert.ok(!guests.includes(word), word);
  const [ended] = hosts.map(({ valid }) => valid.map(([, , count]) => count));
  await Promise.all(hosts.map(({ room }) => room.close()));
  // A room of the next day would find nothing to do.
  const next = await Room.open({ study: STUDY, shard: [0, 2] }, hosts[0].options());
  assert.deepEqual([next.view().mostTables, next.view().study.cells.map(({ ended }) => ended)], [0, ended]);
  await next.close();

  const bundled = quorate("bundle", "one", "two", "--out", "x.zip", "--with-records", "--accept");
  assert.deepEqual([bundled.status, bundled.stdout], [0, `wrote x.zip: ${PLACES + 3} runs\n`], bundled.stderr);
  assert.deepEqual(quorate("verify", "x.zip"), { status: 0, stdout: `verified: ${PLACES + 3} records, their tables and the plan\n`, stderr: "" });
  assert.equal(quorate("bundle", "one", "two", "--out", "withheld.zip", "--accept").status, 0);
  const { status, stdout } = quorate("verify", "withheld.zip");
  assert.deepEqual([status, stdout.split("\n").at(-2)], [0, `verified: 0 records and the plan; NOT checked: ${PLACES + 3} records that are left out`], stdout);
  // One host alone has the half of it, and says which runs are missing.
  const half = quorate("verify", "one");
  assert.equal(half.status, 1);
  for (const id of ids[1].filter((id) => /\.\d{4}$/.test(id))) assert.ok(half.stdout.includes(id), half.stdout);

  // All records in one folder, of which one at a time is altered.
  cpSync(at("one"), at("all"), { recursive: true });
  for (const name of readdirSync(at("two", "runs"))) cpSync(at("two", "runs", name), at("all", "runs", name));
  assert.equal(quorate("verify", "all").status, 0);
  const second = ids[1].find((id) => id.endsWith(".2"));
  const first = second.slice(0, -2);
  const path = (id) => at("all", "runs", `${id}.jsonl`);
  renameSync(path(first), at("void.jsonl"));
  assert.deepEqual(quorate("verify", "all").stdout.split("\n").slice(1), [`${second}: ${first}: is missing`, ""]);
  renameSync(at("void.jsonl"), path(first));
  renameSync(path(second), at("valid.jsonl"));
  assert.match(quorate("verify", "all").stdout, new RegExp(`2 of 3 runs ended; left are ${first.replaceAll(".", "\\.")}\n`));
  renameSync(at("valid.jsonl"), path(second));
  // A table under the name of a run of another cell.
  const other = ids.flat().find((id) => id.endsWith(first.includes("short") ? "long.0002" : "short.0002"));
  renameSync(path(other), at("other.jsonl"));
  cpSync(path(first), path(other));
  assert.match(quorate("verify", "all").stdout, new RegExp(`${other.replaceAll(".", "\\.")}\\.jsonl: its head differs from the plan in .*config`));
  renameSync(at("other.jsonl"), path(other));
  assert.equal(quorate("verify", "all").status, 0);
  assert.equal(quorate("tables", "all").status, 0);
  const [header, ...rows] = rowsOf(readFileSync(at("all", "tables", "runs.csv"), "utf8"));
  const isVoid = Object.fromEntries(rows.map((row) => [row[0], row[header.indexOf("void")]]));
  assert.deepEqual([isVoid[first], isVoid[second]], ["true", "false"]);
});

test("a room has either a session or a study, and the runner leaves people to rooms", async () => {
  const codes = (plan) => checkRoom(plan).map(({ path, code }) => `${path} ${code}`);
  assert.deepEqual(codes({ study: STUDY }), []);
  assert.deepEqual(codes({ study: STUDY, session: STUDY.base }), ["session room_source"]);
  assert.deepEqual(codes({ study: STUDY, consent: "Yes?" }), ["consent room_in_study"]);
  const other = { ...STUDY, factors: { length: { short: { rounds: 2 }, long: { "agents[Two].name": "Dan" } } } };
  assert.deepEqual(codes({ study: other }), ["study[long].agents study_seats"]);
  assert.deepEqual(study.check(other).faults.map(({ cell, path, code }) => [cell, path, code]), [["long", "agents", "study_seats"]]);
  await assert.rejects(Study.open(STUDY, { store: folder(at("none")) }), ({ code, message }) => code === "config" && message.includes("a room"));
});
