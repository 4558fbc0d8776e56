// quorate verify: whether a bundle is what its study and its records give. Each thing that differs is a line. A folder of a study
// that is no bundle yet has neither sums nor tables to compare.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify, isDeepStrictEqual } from "node:util";
import { gunzip } from "node:zlib";
import { LabError, Session, study, version } from "quorate";
import { attemptOf, isVoid } from "../web/study/attempts.js";
import { contentsOf, RECORD_END, RECORDS, sumOf, SUMS, tablePath, WITHHELD } from "../web/study/contents.js";
import { rowsOf } from "../web/study/csv.js";
import { guideOf } from "../web/study/guide.js";
import { tablesOf } from "../web/study/tables.js";
import { fileSpool } from "./spool.js";
import { Trouble } from "./trouble.js";
import { openBundle } from "./unzip.js";

const unpacked = promisify(gunzip);
/** Bytes of the largest record; engines allow texts of about this length. */
const LARGEST = 2 ** 29;
const RUNS = "runs/";
const MISSING = ": is missing";
/** Files beside the tables that follow from the records too, not from the study alone. */
const OF_RECORDS = new Set(["codebook.csv", "datapackage.json", "dataset_description.json", "guide-llm.md"]);

class Check {
  #bundle;
  /** Whether each run has ended and whether it is void, by id. */
  #runs = new Map();
  /** What differs, a line each, once. */
  faults = new Set();
  notes = [];
  file = null;
  plan = null;
  #names;
  #place;

  constructor(bundle) {
    this.#bundle = bundle;
    this.#names = new Set(bundle.names);
    this.isBundle = this.#names.has(SUMS) || !bundle.names.some((name) => name.startsWith(RUNS));
    this.#place = this.isBundle ? { begin: RECORDS, end: RECORD_END } : { begin: RUNS, end: ".jsonl" };
  }

  /** The bytes of a file, or null with a fault. */
  async #read(name) {
    if (!this.#names.has(name)) {
      this.faults.add(name + MISSING);
      return null;
    }
    try {
      return await this.#bundle.read(name);
    } catch (error) {
      this.faults.add(`${name}: cannot be read (${error.message})`);
      return null;
    }
  }

  async #text(name) {
    return (await this.#read(name))?.toString() ?? null;
  }

  async sums() {
    const lines = ((await this.#text(SUMS)) ?? "").split("\n").filter(Boolean);
    const sums = new Map(lines.map((line) => [line.slice(66), line.slice(0, 64)]));
    for (const [name, sum] of sums) {
      const bytes = await this.#read(name);
      if (bytes && sumOf(bytes) !== sum) this.faults.add(`${name}: has another sum than in ${SUMS}`);
    }
    for (const name of this.#names) if (name !== SUMS && !sums.has(name)) this.faults.add(`${name}: is not in ${SUMS}`);
  }

  /** Makes the plan again. Returns whether that is possible. */
  async study() {
    const text = await this.#text("study.json");
    const engine = this.isBundle ? await this.#text("engine.json") : "{}";
    if (text === null || engine === null) return false;
    try {
      const { engine: made = version() } = JSON.parse(engine);
      if (made !== version()) this.faults.add(`engine.json: made with ${made}, and this is ${version()}; verify it with that version`);
      this.file = this.isBundle ? JSON.parse(text) : JSON.parse(text).study;
      this.plan = study.plan(this.file);
      return true;
    } catch (error) {
      this.faults.add(`study.json or engine.json: ${error.message}`);
      return false;
    }
  }

  async registration() {
    if (!this.#names.has("registration.json")) return;
    try {
      const { id } = JSON.parse(await this.#text("registration.json"));
      if (id === this.plan.id) return;
      const changes = (await this.#text("CHANGES.md")) ?? "";
      if (id && changes.includes(id) && changes.includes(this.plan.id)) this.notes.push("the study was changed after its registration: see CHANGES.md");
      else this.faults.add("registration.json: is of another study");
    } catch (error) {
      this.faults.add(`registration.json: ${error.message}`);
    }
  }

  /** The text of a record, or null with a fault. */
  async record(name) {
    const bytes = await this.#read(name);
    if (!bytes) return null;
    try {
      if (this.isBundle) return (await unpacked(bytes, { maxOutputLength: LARGEST })).toString();
      // A kill may have torn the last line.
      return bytes.subarray(0, bytes.lastIndexOf("\n") + 1).toString();
    } catch (error) {
      this.faults.add(`${name}: cannot be unpacked (${error.message})`);
      return null;
    }
  }

  /** Replays the records and compares their heads with the plan. `isWhole`: there is none that cannot be read. */
  async records() {
    const planned = new Map(this.plan.runs.map((run) => [run.id, run]));
    const right = [];
    const { begin, end } = this.#place;
    const names = [...this.#names].filter((name) => name.startsWith(begin) && name.endsWith(end));
    // As bundles sort: an id may begin with another one.
    for (const id of names.map((name) => name.slice(begin.length, -end.length)).sort()) {
      const name = begin + id + end;
      const text = await this.record(name);
      if (text === null) continue;
      try {
        const session = await Session.import(text, { store: "memory" });
        if (session.onlyFor) this.faults.add(`${name}: written by ${session.onlyFor}, which this version cannot replay`);
        const entries = session.entries(0);
        // The replay adds the end to a record from which it was cut.
        const isEnded = session.status.state === "ended" && entries.length === text.trimEnd().split("\n").length;
        this.#runs.set(id, { isEnded, isVoid: isVoid(entries) });
        session.free();
        right.push({ id, read: () => this.record(name) });
        const [{ what: head }] = entries;
        await this.#compareHead(name, id, head, this.file.people ? study.table(this.file, id, head.config.agents) : planned.get(id)?.config);
      } catch (error) {
        if (!(error instanceof LabError)) throw error;
        this.faults.add(`${name}: ${error.message}`);
      }
    }
    return { right, isWhole: right.length === names.length && ![...this.faults].some((fault) => fault.startsWith(RECORDS) && fault.endsWith(MISSING)) };
  }

  /** `config`: what the plan gives; for people with the names in the record. */
  async #compareHead(name, id, head, config) {
    if (!config) {
      this.faults.add(`${name}: is not in the plan`);
      return;
    }
    const session = await Session.create(config, { id, store: "memory" });
    const [{ what }] = session.entries(0);
    session.free();
    const fields = Object.keys({ ...what, ...head }).filter((field) => !isDeepStrictEqual(what[field], head[field]));
    if (fields.length) this.faults.add(`${name}: its head differs from the plan in ${fields.join(", ")}`);
  }

  /** The ids of the runs whose records were left out, since people took part. Those count as ended of which the table says so. */
  async withheld() {
    const ids = new Set(this.#names.has(WITHHELD) ? rowsOf((await this.#text(WITHHELD)) ?? "").slice(1).map(([id]) => id) : []);
    const planned = new Set(this.plan.runs.map(({ id }) => id));
    for (const id of ids) {
      if (!planned.has(attemptOf(id).run)) this.faults.add(`${WITHHELD}: ${id} is not in the plan`);
      if (this.#names.has(RECORDS + id + RECORD_END)) this.faults.add(`${WITHHELD}: the record of ${id} is not left out`);
    }
    if (!ids.size) return ids;
    const [header = [], ...rows] = rowsOf((await this.#text(this.#path("runs"))) ?? "");
    const [session, state, ofVoid] = ["session", "state", "void"].map((name) => header.indexOf(name));
    for (const row of rows) {
      if (ids.has(row[session])) this.#runs.set(row[session], { isEnded: row[state] === "ended", isVoid: row[ofVoid] === "true" });
    }
    return ids;
  }

  /** Makes tables and all that follows from study and codebook again, and compares; without the records of some runs, what does not need these. */
  async contents(runs, withheld) {
    const place = await mkdtemp(join(tmpdir(), "quorate-verify-"));
    try {
      const { tables, beside } = await tablesOf(runs, fileSpool(place));
      for (const [table, blob] of Object.entries(tables)) {
        const made = Buffer.from(await blob.arrayBuffer());
        await (withheld.size ? this.#compareRows(this.#path(table), made, withheld) : this.#compare(this.#path(table), made));
      }
      const made = contentsOf(this.file, this.plan, beside, withheld.size ? "" : await guideOf(this.file, this.plan, runs));
      for (const [name, text] of Object.entries(made)) if (!withheld.size || !OF_RECORDS.has(name)) await this.#compare(name, Buffer.from(text));
    } catch (error) {
      if (!(error instanceof LabError)) throw error;
      this.faults.add(error.message);
    } finally {
      await rm(place, { recursive: true, force: true });
    }
  }

  #path(table) {
    return tablePath(this.file.id, table);
  }

  async #compare(name, made) {
    const found = await this.#read(name);
    if (!found || found.equals(made)) return;
    this.faults.add(`${name}: ${name.endsWith(".csv") ? firstDifference(found, made) : "differs from what the study gives"}`);
  }

  /** Compares the rows of all runs but those whose records were left out. These may have more columns. */
  async #compareRows(name, made, withheld) {
    const [header = [], ...rows] = rowsOf((await this.#text(name)) ?? "");
    const [columns, ...others] = rowsOf(made.toString());
    const session = header.indexOf("session");
    const cells = (row) => Object.fromEntries(columns.map((column) => [column, row[header.indexOf(column)] ?? ""]));
    const found = rows.flatMap((row, at) => (withheld.has(row[session]) ? [] : [[at + 2, row]]));
    for (const [at, [line, row]] of found.entries()) {
      const [one, other] = [cells(row), others[at]];
      const column = other ? columns.find((column, place) => one[column] !== other[place]) : "session";
      if (!column) continue;
      return void this.faults.add(`${name}: line ${line}${other ? `, column ${column} should be ${JSON.stringify(other[columns.indexOf(column)])}` : " should not be there"}`);
    }
    if (found.length < others.length) this.faults.add(`${name}: lines of ${others[found.length][columns.indexOf("session")]} are missing`);
  }

  #counts(id) {
    const { isEnded, isVoid } = this.#runs.get(id);
    return isEnded && !isVoid;
  }

  /** A run is held again only if what was held before does not count, and is there. */
  attempts() {
    for (const id of this.#runs.keys()) {
      const { run, attempt } = attemptOf(id);
      for (let before = 1; before < attempt; before += 1) {
        const earlier = before === 1 ? run : `${run}.${before}`;
        if (!this.#runs.has(earlier)) this.faults.add(`${id}: ${earlier}${MISSING}`);
        else if (this.#counts(earlier)) this.faults.add(`${id}: ${earlier} counts already`);
      }
    }
  }

  /** Compares the number of ended runs of each cell with that of the study. Void ones do not count. */
  cells() {
    const ended = new Set([...this.#runs.keys()].filter((id) => this.#counts(id)).map((id) => attemptOf(id).run));
    for (const { name } of this.plan.cells) {
      const left = this.plan.runs.filter(({ id, cell }) => cell === name && !ended.has(id)).map(({ id }) => id);
      if (left.length) this.faults.add(`cell ${name}: ${this.file.n - left.length} of ${this.file.n} runs ended; left are ${left.join(", ")}`);
    }
  }
}

/** Where a table differs first from the one made again. */
function firstDifference(found, made) {
  const [lines, others] = [found, made].map((bytes) => rowsOf(bytes.toString()));
  const row = others.findIndex((line, at) => !isDeepStrictEqual(line, lines[at]));
  if (row < 0) return lines.length > others.length ? `line ${others.length + 1} should not be there` : "has the same cells in other bytes";
  if (!lines[row]) return `line ${row + 1} is missing`;
  const column = others[row].findIndex((cell, at) => cell !== lines[row][at]);
  if (column < 0) return `line ${row + 1} has too many cells`;
  return `line ${row + 1}, column ${others[0][column]} should be ${JSON.stringify(others[row][column])}`;
}

export default async function verify([path]) {
  if (!path) throw new Trouble("name a bundle");
  const bundle = await openBundle(path);
  const check = new Check(bundle);
  let [count, left, tables] = [0, 0, ""];
  try {
    if (check.isBundle) await check.sums();
    if (await check.study()) {
      await check.registration();
      const { right, isWhole } = await check.records();
      count = right.length;
      const withheld = await check.withheld();
      left = withheld.size;
      if (!check.isBundle) check.notes.push("there are no sums and tables to check before `quorate bundle`");
      else if (isWhole) {
        await check.contents(right, withheld);
        if (withheld.size) check.notes.push(`the tables were not made again: the records of ${withheld.size} runs with people are left out`);
        else tables = ", their tables";
      }
      check.attempts();
      check.cells();
    }
  } finally {
    await bundle.close();
  }
  for (const note of check.notes) console.log(note);
  for (const fault of check.faults) console.log(fault.replace(/\p{Cc}/gu, "?"));
  if (check.faults.size) return 1;
  console.log(`verified: ${count} records${tables} and the plan${left ? `; NOT checked: ${left} records that are left out` : ""}`);
  return 0;
}
