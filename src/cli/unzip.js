// Reads bundles: an archive (APPNOTE 6.3.3, stored or deflated), or its folder. Nothing is unpacked.
import { open, readdir, readFile, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { promisify } from "node:util";
import { inflateRaw } from "node:zlib";
import { Trouble } from "./trouble.js";

const inflate = promisify(inflateRaw);
/** The record at the end has 22 bytes and a comment of at most 65,535. */
const END = 22;
const LONGEST_COMMENT = 0xffff;

/** `{ names, read(name), close() }` of an archive or folder. */
export async function openBundle(path) {
  const found = await stat(path).catch((error) => {
    throw new Trouble(`cannot read ${path}: ${error.message}`);
  });
  return found.isDirectory() ? folderOf(path) : archiveOf(path, found.size);
}

async function folderOf(path) {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile()).map((entry) => relative(path, join(entry.parentPath ?? entry.path, entry.name)).replaceAll(sep, "/"));
  return { names, read: (name) => readFile(join(path, name)), close: async () => {} };
}

async function archiveOf(path, size) {
  const file = await open(path);
  const bytesAt = async (at, length) => {
    const bytes = Buffer.alloc(length);
    const { bytesRead } = await file.read(bytes, 0, length, at);
    if (bytesRead < length) throw new Error("the archive is cut");
    return bytes;
  };
  try {
    const files = await listed(bytesAt, size);
    const read = async (name) => {
      const { method, packed, whole, at } = files.get(name);
      if (at + packed > size) throw new Error("the archive is cut");
      const head = await bytesAt(at, 30);
      const bytes = await bytesAt(at + 30 + head.readUInt16LE(26) + head.readUInt16LE(28), packed);
      return method === 0 ? bytes : inflate(bytes, { maxOutputLength: Math.max(whole, 1) });
    };
    return { names: [...files.keys()], read, close: () => file.close() };
  } catch (error) {
    await file.close();
    throw new Trouble(`${path} is no archive that can be read: ${error.message}`);
  }
}

/** The directory of an archive: its files by name. */
async function listed(bytesAt, size) {
  const length = Math.min(size, END + LONGEST_COMMENT);
  const tail = await bytesAt(size - length, length);
  const end = tail.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  if (end < 0) throw new Error("it has no directory");
  const directory = await bytesAt(tail.readUInt32LE(end + 16), tail.readUInt32LE(end + 12));
  const files = new Map();
  // Two names that differ in case alone are one file on many disks.
  const taken = new Set();
  for (let at = 0; at < directory.length; ) {
    const [title, extra, comment] = [28, 30, 32].map((place) => directory.readUInt16LE(at + place));
    const name = directory.toString("utf8", at + 46, at + 46 + title);
    if (!name.endsWith("/")) {
      if (/^[/\\]|^[a-z]:|(?:^|[/\\])\.\.(?:[/\\]|$)/i.test(name)) throw new Error(`${JSON.stringify(name)} leads out of it`);
      if (taken.has(name.toLowerCase())) throw new Error(`${JSON.stringify(name)} is in it twice`);
      taken.add(name.toLowerCase());
      files.set(name, { method: directory.readUInt16LE(at + 10), packed: directory.readUInt32LE(at + 20), whole: directory.readUInt32LE(at + 24), at: directory.readUInt32LE(at + 42) });
    }
    at += 46 + title + extra + comment;
  }
  return files;
}
