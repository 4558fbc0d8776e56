// quorate tables: the tables of all runs of a folder.
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { tablesOf } from "../web/study/tables.js";
import { runsOf } from "./runs.js";
import { fileSpool } from "./spool.js";
import { Trouble } from "./trouble.js";

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
  return 0;
}
