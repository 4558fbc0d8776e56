// The runs of folders of studies, by id.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { folder, Library } from "quorate";
import { Trouble } from "./trouble.js";

const END = ".jsonl";
const LOCK_END = ".lock";

/**
 * The runs `[{ id, people, read() }]` of several folders, by id; `people` are the names of people's seats. A run that lies in
 * several is the longest of its records.
 */
export async function runsOf(dirs) {
  const runs = new Map();
  for (const dir of dirs) {
    const path = join(dir, "runs");
    const names = await readdir(path).catch(() => {
      throw new Trouble(`${dir} is no folder of a study: it has no folder runs`);
    });
    const store = folder(path);
    const seats = new Map((await Library.list({ store })).map(({ id, seats }) => [id, seats]));
    for (const name of names.filter((name) => name.endsWith(END))) {
      const id = name.slice(0, -END.length);
      // A kill before the first line leaves an empty file.
      if (!seats.has(id) && !(await store.read(id))) continue;
      if (!seats.has(id)) throw new Trouble(`${join(path, name)} cannot be read`);
      const run = runs.get(id) ?? { id, people: [], stores: [] };
      run.people.push(...seats.get(id).filter(({ kind }) => kind === "human").map(({ name }) => name));
      run.stores.push(store);
      runs.set(id, run);
    }
  }
  if (!runs.size) throw new Trouble(`there is no run in ${dirs.join(", ")}`);
  return [...runs.values()].sort((one, other) => (one.id < other.id ? -1 : 1))
    .map(({ id, people, stores }) => ({ id, people, read: () => longest(id, stores) }));
}

async function longest(id, stores) {
  const texts = await Promise.all(stores.map((store) => store.read(id)));
  const [first, ...rest] = texts.sort((one, other) => other.length - one.length);
  if (rest.some((text) => !first.startsWith(text))) throw new Trouble(`${id} lies in several folders with different records`);
  const { session } = JSON.parse(first.slice(0, first.indexOf("\n"))).what;
  if (session !== id) throw new Trouble(`${id}${END} holds the record of another run, ${session}`);
  return first;
}

/** A record that grows meanwhile would not be what its tables say. */
export async function refuseUnderWay(dirs) {
  for (const dir of dirs) {
    const path = join(dir, "runs");
    const names = (await readdir(path).catch(() => [])).filter((name) => name.endsWith(LOCK_END));
    for (const id of names.map((name) => name.slice(0, -LOCK_END.length))) {
      // What a killed process left behind can be taken.
      const release = await folder(path).lock(id);
      if (typeof release === "string") throw new Trouble(`${id} is under way: ${release}`);
      await release();
    }
  }
}
