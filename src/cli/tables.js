// quorate tables: the tables of all runs of a folder. Rows go to the disk run by run, so memory does not grow with the runs.
import { mkdir, open, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { LabError, TableStream } from "quorate";
import { runsOf } from "./runs.js";
import { Trouble } from "./trouble.js";

/**
 * Writes the tables of runs `[{ id, read() }]` into a folder. `pathOf`: the path of a table in it. Returns the files that go with
 * them, by name.
 */
export async function writeTables(runs, folder, { prompts = false, pathOf = (table) => `${table}.csv` } = {}) {
  const stream = new TableStream({ prompts });
  const tables = Object.keys(stream.headers()).map((name) => ({ name, path: join(folder, pathOf(name)), pieces: [] }));
  try {
    for (const table of tables) table.rows = await open(`${table.path}.rows`, "w+");
    for (const { id, read } of runs) await addRun(stream, tables, id, await read());
    const headers = stream.headers();
    for (const table of tables) await writeTable(stream, table, headers[table.name]);
    return Object.fromEntries(stream.filesBeside().map(({ name, text }) => [name, text]));
  } finally {
    for (const { rows, path } of tables) {
      await rows?.close();
      await rm(`${path}.rows`, { force: true });
    }
    stream.free();
  }
}

async function addRun(stream, tables, id, text) {
  const pieces = (() => {
    try {
      return stream.add(text);
    } catch (error) {
      if (!(error instanceof LabError)) throw error;
      throw new Trouble(`${id}: ${error.message}`);
    }
  })();
  for (const { table: name, columns, rows } of pieces) {
    const table = tables.find((one) => one.name === name);
    const bytes = Buffer.from(rows);
    await table.rows.appendFile(bytes);
    table.pieces.push({ columns, length: bytes.length });
  }
}

/** Writes the header and the rows, which get the columns that later runs added. */
async function writeTable(stream, { name, path, rows, pieces }, { header, columns }) {
  const file = await open(path, "w");
  try {
    await file.appendFile(header);
    let at = 0;
    for (const piece of pieces) {
      const bytes = Buffer.alloc(piece.length);
      await rows.read(bytes, 0, piece.length, at);
      at += piece.length;
      await file.appendFile(piece.columns === columns ? bytes : stream.filled(name, piece.columns, bytes.toString()));
    }
  } finally {
    await file.close();
  }
}

export default async function tables([dir], { prompts }) {
  if (!dir) throw new Trouble("name the folder of a study");
  const runs = await runsOf([dir]);
  const target = join(dir, "tables");
  await mkdir(target, { recursive: true });
  const beside = await writeTables(runs, target, { prompts });
  for (const [name, text] of Object.entries(beside)) await writeFile(join(target, name), text);
  console.log(`wrote the tables of ${runs.length} runs to ${target}`);
  return 0;
}
