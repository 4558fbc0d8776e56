// A study as a file: YAML or JSON; its base may be a file of its own.
import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { parse } from "yaml";
import { LabError, study } from "quorate";
import { Trouble } from "./trouble.js";

/** YAML holds JSON. Merge keys (`<<`) are of YAML 1.1. */
async function read(path) {
  const bytes = await readFile(path).catch((error) => {
    throw new Trouble(`cannot read ${path}: ${error.message}`);
  });
  const text = (() => {
    try {
      return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    } catch {
      throw new Trouble(`${path} is not in UTF-8: save it in this encoding`);
    }
  })();
  try {
    return parse(text, { merge: true });
  } catch (error) {
    throw new Trouble(`${path}: ${error.message}`);
  }
}

/** Reads a study and makes its plan. */
export async function planOf(path) {
  if (!path) throw new Trouble("name the file of a study");
  const file = await read(path);
  if (typeof file?.base === "string") file.base = await read(resolve(dirname(path), file.base));
  try {
    return { file, plan: study.plan(file) };
  } catch (error) {
    if (!(error instanceof LabError) || error.code !== "config") throw error;
    throw new Trouble([`${path} has faults:`, ...error.detail.map(({ cell, path: at, message }) => `  ${[cell, at, message].filter(Boolean).join(": ")}`)].join("\n"));
  }
}
