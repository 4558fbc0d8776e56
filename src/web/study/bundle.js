// Everything of a study for others, as files of an archive. The command line and pages make the same.
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { Library, study, version } from "quorate";
import { attemptOf, isVoid } from "./attempts.js";
import { contentsOf, json, RECORD_END, RECORDS, sumOf, SUMS, tablePath, WITHHELD } from "./contents.js";
import { csvOf } from "./csv.js";
import { guideOf } from "./guide.js";
import { findsIn, hasPeople } from "./privacy.js";
import { zipped } from "../zip.js";
import { blobSpool, tablesOf } from "./tables.js";

async function sumOfBlob(blob) {
  const hash = sha256.create();
  for await (const piece of blob.stream()) hash.update(piece);
  return bytesToHex(hash.digest());
}

const gzipped = (text) => new Response(new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"))).blob();

/**
 * The files `{ name, text }` or `{ name, blob }` of a bundle, with the list of their sums at the end. `runs`: `[{ id, people, read() }]`,
 * `people` are the names of people's seats. `module`: the engine. `changes`: lines of CHANGES.md. `registration`: the
 * text of registration.json, or null.
 */
export async function* bundleFiles({ file, plan, runs, module, spool, changes, registration = null, withRecords = false }) {
  const sums = [];
  const ofText = (name, text) => {
    sums.push([name, sumOf(text)]);
    return { name, text };
  };
  const ofBlob = async (name, blob) => {
    sums.push([name, await sumOfBlob(blob)]);
    return { name, blob };
  };
  const { tables, beside } = await tablesOf(runs, spool);
  const texts = {
    ...contentsOf(file, plan, beside, await guideOf(file, plan, runs)),
    "CHANGES.md": `${changes.length ? changes.join("\n") : "No changes since the first run."}\n`,
    ...(registration !== null && { "registration.json": registration }),
    "engine.json": json({ engine: version(), module: await sumOfBlob(module) }),
  };
  for (const [name, text] of Object.entries(texts)) yield ofText(name, text);
  for (const [table, blob] of Object.entries(tables)) yield await ofBlob(tablePath(file.id, table), blob);
  const withheld = [];
  for (const run of runs) {
    const text = await run.read();
    if (hasPeople(run, text) && !withRecords) withheld.push([run.id, sumOf(text)]);
    else yield await ofBlob(`${RECORDS}${run.id}${RECORD_END}`, await gzipped(text));
  }
  if (withheld.length) yield ofText(WITHHELD, csvOf([["run", "sha256"], ...withheld]));
  yield { name: SUMS, text: sums.sort(([one], [other]) => (one < other ? -1 : 1)).map(([name, sum]) => `${sum}  ${name}\n`).join("") };
}

/** The lines of a record without the signature of this browser, which an export has behind them. */
const unsigned = (text) => text.replace(/^\{"signature":.*\n/m, "");

/** The stored runs of a plan, as `bundleFiles` takes them. */
export async function storedRuns(plan, options = {}) {
  const planned = new Set(plan.runs.map(({ id }) => id));
  const stored = (await Library.list(options)).filter(({ id }) => planned.has(attemptOf(id).run)).sort((one, other) => (one.id < other.id ? -1 : 1));
  return stored.map(({ id, seats }) => ({
    id,
    people: seats.filter(({ kind }) => kind === "human").map(({ name }) => name),
    read: async () => unsigned((await Library.export(id, "jsonl", options)).text),
  }));
}

/** How far the tables of people are that are stored, as `Study.progress`; void ones do not count. */
export async function tablesProgress(plan, options = {}) {
  const held = await Promise.all((await storedRuns(plan, options)).map(async ({ id }) => {
    const entries = await Library.entries(id, options);
    const isEnded = entries.at(-1).what.type === "ended";
    return { run: attemptOf(id).run, isEnded, counts: !isVoid(entries) };
  }));
  const of = (isEnded) => new Set(held.filter((one) => one.counts && one.isEnded === isEnded).map(({ run }) => run));
  const [ended, running] = [of(true), of(false)];
  const count = (runs, ids) => runs.filter(({ id }) => ids.has(id)).length;
  const cells = plan.cells.map(({ name }) => {
    const runs = plan.runs.filter(({ cell }) => cell === name);
    return { name, runs: runs.length, ended: count(runs, ended), running: count(runs, running), standing: 0 };
  });
  return { runs: plan.runs.length, begun: held.length, ended: ended.size, running: running.size, cells, standing: [], elsewhere: 0, used: null, isOverBudget: false };
}

/** The bundle as one archive. */
export const bundle = (file, runs, options) => zipped(bundleFiles({ changes: [], ...options, file, plan: study.plan(file), runs, spool: blobSpool }));

/** What may identify people in texts that they wrote: the rows of privacy.csv, without its header. */
export async function privacyFinds(runs) {
  const finds = [];
  for (const run of runs) {
    const text = await run.read();
    if (hasPeople(run, text)) finds.push(...(await findsIn(run, text)));
  }
  return finds;
}

export const privacyCsv = (finds) => csvOf([["run", "entry", "seat", "what", "found"], ...finds]);
