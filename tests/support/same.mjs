// The run whose record is the same everywhere (tests/same_record.json).
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root, version } from "./package.mjs";

/** A whole run: the version, and the SHA-256 of its record. */
export const RUN = `
  export async function run(same, { Session, version }, options) {
    const session = await Session.create(same.config, { id: same.id, now: () => same.now, ...options });
    await session.run();
    const { text } = await session.export("jsonl");
    await session.close();
    const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
    const hex = Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, "0")).join("");
    return [version(), hex];
  }`;

/** A run and the SHA-256 of its record, on every platform. */
export const same = JSON.parse(readFileSync(join(root, "tests/same_record.json"), "utf8"));
export const expected = [`quorate ${version}`, same.sha256];
