// Runs as files, for Node.js: `folder("DIR")` is a store. The record of a run is DIR/ID.jsonl, to which lines are appended;
// DIR/ID.lock names the process that has the run open.
import { link, mkdir, open, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { join, resolve } from "node:path";
import { LabError } from "./intake.js";

const RECORD = ".jsonl";
/** Names of files on all systems; none leads out of the folder. */
const ID = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,199}$/;

/** Milliseconds between two touches of a lock, and after which one that was not touched is left behind. */
const TOUCH = 10_000;
const STALE = 60_000;

/** Files looked at at once. */
const AT_ONCE = 64;

/** Bytes read at an end of a file at once. */
const BLOCK = 65_536;
const LINE_END = 10;

const folders = new Map();

/** Returns the store of a folder, which is made when a run is stored. */
export function folder(path) {
  if (typeof path !== "string" || !path) throw new LabError("input", "folder: path must be a string that is not empty");
  const whole = resolve(path);
  if (!folders.has(whole)) folders.set(whole, new Folder(whole));
  return folders.get(whole);
}

/** Returns `otherwise` for a file that does not exist. */
const unlessMissing = (otherwise) => (error) => {
  if (error.code !== "ENOENT") throw error;
  return otherwise;
};

class Folder {
  #path;
  /** Summaries by id, with the size and time of the file that they are of. */
  #known = new Map();
  /** Ids of the runs that this program has open; once one is being closed, with the promise that it is. */
  #held = new Map();

  constructor(path) {
    this.#path = path;
  }

  #file(id, end) {
    if (!ID.test(id)) throw new LabError("input", `the id ${JSON.stringify(id)} cannot be the name of a file: use letters, digits, ".", "_" and "-", at most 200`);
    return join(this.#path, id + end);
  }

  /** The whole lines of a record; a last line without its end is left out. */
  async read(id) {
    const bytes = await readFile(this.#file(id, RECORD)).catch(unlessMissing(Buffer.alloc(0)));
    return bytes.subarray(0, bytes.lastIndexOf(LINE_END) + 1).toString();
  }

  /** Writes lines at the end of a record, which has `at` bytes, to the disk. What is left there of a torn line is cut off. */
  async append(id, lines, at) {
    const file = await open(this.#file(id, RECORD), at ? "r+" : "a+");
    try {
      const { size } = await file.stat();
      if (size !== at) {
        const rest = Buffer.alloc(Math.max(size - at, 0));
        await file.read(rest, 0, rest.length, at);
        if (size < at || rest.includes(LINE_END)) throw Object.assign(new Error(`the file of run ${id} was altered`), { code: "altered" });
        await file.truncate(at);
      }
      const bytes = Buffer.from(lines);
      for (let done = 0; done < bytes.length; ) done += (await file.write(bytes, done, bytes.length - done, at + done)).bytesWritten;
      await file.datasync();
    } finally {
      await file.close();
    }
    if (!at) await this.#sync();
  }

  /** Writes the names of files to the disk, where the system lets folders be opened. */
  async #sync() {
    const names = await open(this.#path).catch(() => null);
    await names?.sync().catch(() => {});
    await names?.close();
  }

  /** What the first and last lines of all records say: `{ id, head, entries, ended, updated }`. */
  async summaries() {
    const files = await readdir(this.#path, { withFileTypes: true }).catch(unlessMissing([]));
    const names = files.filter((one) => !one.isDirectory() && one.name.endsWith(RECORD)).map(({ name }) => name.slice(0, -RECORD.length));
    const ids = names.filter((id) => ID.test(id));
    const found = [];
    for (let at = 0; at < ids.length; at += AT_ONCE) {
      found.push(...await Promise.all(ids.slice(at, at + AT_ONCE).map((id) => this.#summary(id).catch(unlessMissing(null)))));
    }
    return found.filter(Boolean);
  }

  async #summary(id) {
    const path = this.#file(id, RECORD);
    const { size, mtimeMs } = await stat(path);
    const known = this.#known.get(id);
    if (known?.size === size && known.mtimeMs === mtimeMs) return known.summary;
    const summary = await summaryOf(path, size);
    if (summary) Object.assign(summary, { id, updated: Math.round(mtimeMs) });
    this.#known.set(id, { size, mtimeMs, summary });
    return summary;
  }

  async remove(id) {
    await rm(this.#file(id, RECORD), { force: true });
    this.#known.delete(id);
  }

  /** Takes the lock of a run. Returns the function that releases it, at once or after a promise; or who holds it. */
  async lock(id) {
    const path = this.#file(id, ".lock");
    await this.#held.get(id);
    if (this.#held.has(id)) return "this session is open in this program already: use that Session object, or close() it first";
    this.#held.set(id, null);
    const own = JSON.stringify({ pid: process.pid, host: HOST, since: Date.now() });
    try {
      await mkdir(this.#path, { recursive: true });
      const holder = await take(path, own);
      if (holder) {
        this.#held.delete(id);
        return `this session is open in another program (${holder}); close it there first`;
      }
    } catch (error) {
      this.#held.delete(id);
      throw error;
    }
    const isOwn = async () => (await readFile(path, "utf8").catch(() => null)) === own;
    const touch = setInterval(async () => {
      const now = new Date();
      if (await isOwn()) await utimes(path, now, now).catch(() => {});
      else clearInterval(touch);
    }, TOUCH);
    touch.unref();
    return (after) => {
      const free = Promise.resolve(after).catch(() => {}).then(async () => {
        clearInterval(touch);
        if (await isOwn()) await rm(path, { force: true });
      }).catch(() => {}).then(() => this.#held.delete(id));
      this.#held.set(id, free);
      return free;
    };
  }
}

/** What the first and last lines of a record say; null if it has none. */
async function summaryOf(path, size) {
  const file = await open(path);
  /** Whole lines of the file from or up to a place. */
  const linesAt = async (from, to) => {
    const bytes = Buffer.alloc(to - from);
    const { bytesRead } = await file.read(bytes, 0, bytes.length, from);
    return bytes.subarray(0, bytes.subarray(0, bytesRead).lastIndexOf(LINE_END) + 1).toString().split("\n").slice(0, -1);
  };
  try {
    let head;
    for (let length = BLOCK; head === undefined; length *= 2) {
      [head] = await linesAt(0, Math.min(length, size));
      // A part of a text keeps the whole of it in memory.
      if (head !== undefined) head = Buffer.from(head).toString();
      if (length >= size && head === undefined) return null;
    }
    for (let length = BLOCK; ; length *= 2) {
      const from = Math.max(size - length, 0);
      const lines = (await linesAt(from, size)).slice(from ? 1 : 0).map((line) => JSON.parse(line));
      // Late answers and commands may follow the end.
      const last = lines.findLast(({ what }) => !["late", "commanded"].includes(what.type));
      if (last) return { head, entries: lines.at(-1).seq + 1, ended: last.what.type === "ended" };
      if (!from) return null;
    }
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return null;
    throw error;
  } finally {
    await file.close();
  }
}

/** This machine; a process id means another process in another namespace. */
const HOST = (() => {
  try {
    return `${hostname()} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return hostname();
  }
})();

/** Writes a lock. Returns who holds it, or null if it is this process now. */
async function take(path, own) {
  for (;;) {
    try {
      await writeFile(path, own, { flag: "wx" });
      return null;
    } catch (error) {
      if (error.code !== "EEXIST") throw error;
    }
    const left = await readFile(path, "utf8").catch(unlessMissing(null));
    const touched = await stat(path).then(({ mtimeMs }) => mtimeMs).catch(unlessMissing(null));
    if (left === null || touched === null) continue;
    const holder = holderOf(left, touched);
    if (holder) return holder;
    // Of several processes that find it left behind, one renames it; a lock that was taken meanwhile is put back.
    const aside = `${path}.${process.pid}`;
    if (await rename(path, aside).then(() => true).catch(unlessMissing(false))) {
      if ((await readFile(aside, "utf8")) !== left) await link(aside, path).catch(() => {});
      await rm(aside);
    }
  }
}

/** Returns who holds a lock, or null if it was left behind. */
function holderOf(text, touched) {
  if (Date.now() - touched > STALE) return null;
  let lock = {};
  try {
    lock = JSON.parse(text);
  } catch {
    // It is being written.
  }
  if (lock.host === HOST && !isRunning(lock.pid, touched)) return null;
  return lock.pid ? `process ${lock.pid} on ${lock.host}` : "a process that is starting";
}

function isRunning(pid, touched) {
  // A process that had this one's id, as the first in a container has.
  if (pid === process.pid) return touched > Date.now() - process.uptime() * 1000;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code !== "ESRCH";
  }
}
