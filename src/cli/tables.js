// quorate tables: the tables of all runs of a folder, and the outcomes by cell.
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { summaryOf } from "../web/study/summary.js";
import { tablesOf } from "../web/study/tables.js";
import { runsOf } from "./runs.js";
import { fileSpool } from "./spool.js";
import { studyOf, textIfAny } from "./study-file.js";
import { Trouble } from "./trouble.js";

const percent = (share) => `${(100 * share).toFixed(0)} %`;

/** An outcome in words. */
function outcomeText(outcome) {
  if (!outcome) return "no value";
  const { n, count, share, low, high, mean, deviation } = outcome;
  if (share !== undefined) return `${count} of ${n} (${percent(share)}, 95 % interval ${percent(low)} to ${percent(high)})`;
  return `mean ${mean.toPrecision(4)}${deviation === null ? "" : `, standard deviation ${deviation.toPrecision(3)}`}, ${n} runs`;
}

export default async function tables([dir], { prompts }) {
  if (!dir) throw new Trouble("name the folder of a study");
  const runs = await runsOf([dir]);
  const target = join(dir, "tables");
  await mkdir(target, { recursive: true });
  const place = await mkdtemp(join(target, ".making-"));
  try {
    const { tables: made, beside } = await tablesOf(runs, fileSpool(place), { prompts });
    for (const table of Object.keys(made)) await rename(join(place, `${table}.csv`), join(target, `${table}.csv`));
    for (const [name, text] of Object.entries(beside)) await writeFile(join(target, name), text);
  } finally {
    await rm(place, { recursive: true, force: true });
  }
  console.log(`wrote the tables of ${runs.length} runs to ${target}`);
  // Other runs than those of a study have no cells.
  if ((await textIfAny(join(dir, "study.json"))) === null) return 0;
  const { file, plan } = await studyOf([dir]);
  const { seats, simulated, outcomes, cells } = summaryOf(file, plan, await readFile(join(target, "runs.csv"), "utf8"));
  if (simulated) console.log(`${simulated} of ${seats} seats are simulated participants`);
  for (const outcome of outcomes) {
    console.log(`\n${outcome}`);
    for (const cell of cells) console.log(`  ${cell.name}: ${outcomeText(cell.outcomes[outcome])}`);
  }
  return 0;
}
