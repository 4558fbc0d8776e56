// quorate bundle: everything of a study in one archive, for others.
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, mkdtemp, open, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { version } from "quorate";
import { archive } from "../web/zip.js";
import { contentsOf, json, RECORD_END, RECORDS, sumOf, SUMS, TABLES, tablePath, WITHHELD } from "./contents.js";
import { csvOf } from "./csv.js";
import { guideOf } from "./guide.js";
import { findsIn, hasPeople } from "./privacy.js";
import { refuseUnderWay, runsOf } from "./runs.js";
import { studyOf, textIfAny } from "./study-file.js";
import { writeTables } from "./tables.js";
import { Trouble } from "./trouble.js";

const FOUND = 3;

/** The one registration of all folders, if any. */
async function registrationOf(dirs) {
  const texts = new Set((await Promise.all(dirs.map((dir) => textIfAny(join(dir, "registration.json"))))).filter((text) => text !== null));
  if (texts.size > 1) throw new Trouble("the folders have different files registration.json");
  return [...texts][0] ?? null;
}

async function changesOf(dirs) {
  const texts = await Promise.all(dirs.map((dir) => textIfAny(join(dir, "CHANGES.md"))));
  const lines = new Set(texts.flatMap((text) => (text ?? "").split("\n").filter(Boolean)));
  return `${lines.size ? [...lines].sort().join("\n") : "No changes since the first run."}\n`;
}

/** What `archive` takes for a Blob: a file that is read when it is its turn. */
const fileBlob = async (path) => ({ size: (await stat(path)).size, stream: () => Readable.toWeb(createReadStream(path)) });

async function sumOfFile(path) {
  const hash = createHash("sha256");
  for await (const piece of createReadStream(path)) hash.update(piece);
  return hash.digest("hex");
}

/** All files of the bundle, and the list of their sums at the end. */
async function* filesOf(texts, tables, runs, withRecords) {
  const sums = [];
  const ofText = (name, text) => {
    sums.push([name, sumOf(text)]);
    return { name, text };
  };
  for (const [name, text] of Object.entries(texts)) yield ofText(name, text);
  for (const [name, path] of Object.entries(tables)) {
    sums.push([name, await sumOfFile(path)]);
    yield { name, blob: await fileBlob(path) };
  }
  const withheld = [];
  for (const run of runs) {
    const text = await run.read();
    if (hasPeople(run, text) && !withRecords) {
      withheld.push([run.id, sumOf(text)]);
      continue;
    }
    const name = `${RECORDS}${run.id}${RECORD_END}`;
    const bytes = gzipSync(text);
    sums.push([name, sumOf(bytes)]);
    yield { name, blob: new Blob([bytes]) };
  }
  if (withheld.length) yield ofText(WITHHELD, csvOf([["run", "sha256"], ...withheld]));
  yield { name: SUMS, text: sums.sort(([one], [other]) => (one < other ? -1 : 1)).map(([name, sum]) => `${sum}  ${name}\n`).join("") };
}

async function write(path, files) {
  const file = await open(path, "w");
  try {
    for await (const part of archive(files)) await file.appendFile(part instanceof Blob ? Buffer.from(await part.arrayBuffer()) : part);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new Trouble(error.message);
  } finally {
    await file.close();
  }
}

/** Lists what may identify people. Returns the number of finds. */
async function search(runs, path) {
  const finds = [];
  for (const run of runs) {
    const text = await run.read();
    if (hasPeople(run, text)) finds.push(...(await findsIn(run, text)));
  }
  if (finds.length) await writeFile(path, csvOf([["run", "entry", "seat", "what", "found"], ...finds]));
  return finds.length;
}

export default async function bundle(dirs, { out, "with-records": withRecords = false, accept = false }) {
  if (!dirs.length) throw new Trouble("name the folders of a study");
  if (!out) throw new Trouble("name the archive: --out X.zip");
  await mkdir(dirname(resolve(out)), { recursive: true });
  await refuseUnderWay(dirs);
  const { file, plan } = await studyOf(dirs);
  const runs = await runsOf(dirs);
  const privacy = join(dirname(resolve(out)), "privacy.csv");
  const finds = await search(runs, privacy);
  if (finds && !accept) {
    throw new Trouble(`${finds} places in texts of people may identify somebody: see ${privacy}. To write the archive as it is: --accept`, FOUND);
  }
  const place = await mkdtemp(`${resolve(out)}.`).catch((error) => {
    throw new Trouble(`cannot write ${out}: ${error.message}`);
  });
  try {
    await mkdir(join(place, "data"));
    const pathOf = (table) => tablePath(file.id, table);
    const beside = await writeTables(runs, place, { pathOf });
    const registration = await registrationOf(dirs);
    const module = await readFile(new URL("engine_bg.wasm", import.meta.url));
    const texts = {
      ...contentsOf(file, plan, beside, await guideOf(file, plan, runs)),
      "CHANGES.md": await changesOf(dirs),
      ...(registration && { "registration.json": registration }),
      "engine.json": json({ engine: version(), module: sumOf(module) }),
    };
    const tables = Object.fromEntries(TABLES.map((table) => [pathOf(table), join(place, pathOf(table))]));
    await write(join(place, "bundle.zip"), filesOf(texts, tables, runs, withRecords));
    await rename(join(place, "bundle.zip"), out);
  } finally {
    await rm(place, { recursive: true, force: true });
  }
  console.log(`wrote ${out}: ${runs.length} runs`);
  return 0;
}
