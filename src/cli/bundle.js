// quorate bundle: everything of a study in one archive, for others.
import { mkdir, mkdtemp, open, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { archive } from "../web/zip.js";
import { bundleFiles, privacyCsv, privacyFinds } from "../web/study/bundle.js";
import { refuseUnderWay, runsOf } from "./runs.js";
import { fileSpool } from "./spool.js";
import { studyOf, textIfAny } from "./study-file.js";
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
  return [...new Set(texts.flatMap((text) => (text ?? "").split("\n").filter(Boolean)))].sort();
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

export default async function bundle(dirs, { out, "with-records": withRecords = false, accept = false }) {
  if (!dirs.length) throw new Trouble("name the folders of a study");
  if (!out) throw new Trouble("name the archive: --out X.zip");
  await mkdir(dirname(resolve(out)), { recursive: true });
  await refuseUnderWay(dirs);
  const { file, plan } = await studyOf(dirs);
  const runs = await runsOf(dirs);
  const privacy = join(dirname(resolve(out)), "privacy.csv");
  const finds = await privacyFinds(runs);
  if (finds.length) await writeFile(privacy, privacyCsv(finds));
  if (finds.length && !accept) {
    throw new Trouble(`${finds.length} places in texts of people may identify somebody: see ${privacy}. To write the archive as it is: --accept`, FOUND);
  }
  const place = await mkdtemp(`${resolve(out)}.`).catch((error) => {
    throw new Trouble(`cannot write ${out}: ${error.message}`);
  });
  try {
    const module = new Blob([await readFile(new URL("engine_bg.wasm", import.meta.url))]);
    const files = bundleFiles({ file, plan, runs, module, spool: fileSpool(place), withRecords, changes: await changesOf(dirs), registration: await registrationOf(dirs) });
    await write(join(place, "bundle.zip"), files);
    await rename(join(place, "bundle.zip"), out);
  } finally {
    await rm(place, { recursive: true, force: true });
  }
  console.log(`wrote ${out}: ${runs.length} runs`);
  return 0;
}
