// What is in a page's memory: the strings of its heap, and, where the machine lets one look, all that its browser's processes
// hold. For tests that look for what must not be there.
import { closeSync, openSync, readFileSync, readSync } from "node:fs";

/** Strings in a heap snapshot are whole with this flag, else they end after 1,024 characters. */
export const WHOLE_STRINGS = "--js-flags=--heap-snapshot-string-limit=100000000";
const PIECE = 1 << 24;

/** All strings of a page's JavaScript, as one text. */
export async function heapOf(page) {
  const session = await page.context().newCDPSession(page);
  const pieces = [];
  session.on("HeapProfiler.addHeapSnapshotChunk", ({ chunk }) => pieces.push(chunk));
  await session.send("HeapProfiler.takeHeapSnapshot");
  await session.detach();
  return JSON.parse(pieces.join("")).strings.join("\n");
}

/** The processes of a browser: the numbers of all, or of those of one kind (`renderer`). */
export async function processesOf(browser, kind) {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  await session.detach();
  return processInfo.filter(({ type }) => !kind || type === kind).map(({ id }) => id);
}

/** Whether this machine lets one look into the memory of processes. */
export function canLook(pid) {
  try {
    closeSync(openSync(`/proc/${pid}/mem`));
    return true;
  } catch {
    return false;
  }
}

/** Which of `{ name: text or bytes }` are in the memory of processes: texts as UTF-8 or UTF-16. */
export function remembered(pids, needles) {
  const wanted = Object.entries(needles).map(([name, one]) => [name, typeof one === "string" ? [Buffer.from(one), Buffer.from(one, "utf16le")] : [Buffer.from(one)]]);
  const longest = Math.max(...wanted.flatMap(([, all]) => all.map(({ length }) => length)));
  const found = new Set();
  let bytes = 0;
  const buffer = Buffer.alloc(PIECE + longest);
  for (const pid of pids) {
    let file, maps;
    try {
      file = openSync(`/proc/${pid}/mem`);
      maps = readFileSync(`/proc/${pid}/maps`, "utf8");
    } catch (error) {
      if (["ESRCH", "ENOENT"].includes(error.code)) continue; // the process has ended
      throw error;
    }
    for (const line of maps.split("\n")) {
      const [, from, to] = /^(\w+)-(\w+) rw/.exec(line) ?? [];
      if (!from) continue;
      const end = parseInt(to, 16);
      for (let at = parseInt(from, 16); at < end; at += PIECE) {
        let length;
        try {
          length = readSync(file, buffer, 0, Math.min(buffer.length, end - at), at);
        } catch {
          // What is mapped may be gone by now.
          break;
        }
        bytes += length;
        const piece = buffer.subarray(0, length);
        for (const [name, all] of wanted) if (!found.has(name) && all.some((one) => piece.includes(one))) found.add(name);
      }
    }
    closeSync(file);
  }
  return { found, bytes };
}
