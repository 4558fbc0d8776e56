// A study as a file: YAML or JSON, whose base may be a file of its own; and study.json in the folder of its runs.
import { readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { parse } from "yaml";
import { LabError, study, version } from "quorate";
import { answeredBy } from "./answering.js";
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

const faultText = ({ cell, path, message }) => [cell, path, message].filter(Boolean).join(": ");

export function showWarnings(file) {
  for (const warning of study.check(file).warnings) console.error(`warning: ${faultText(warning)}`);
}

/** Reads a study and makes its plan. `answering`: the options `scripted` and `model`. */
export async function planOf(path, answering) {
  if (!path) throw new Trouble("name the file of a study");
  const given = await read(path);
  if (typeof given?.base === "string") given.base = await read(resolve(dirname(path), given.base));
  const file = answeredBy(given, answering);
  try {
    return { file, plan: study.plan(file) };
  } catch (error) {
    if (!(error instanceof LabError) || error.code !== "config") throw error;
    throw new Trouble([`${path} has faults:`, ...error.detail.map((fault) => `  ${faultText(fault)}`)].join("\n"));
  }
}

export const textIfAny = (path) => readFile(path, "utf8").catch((error) => {
  if (error.code !== "ENOENT") throw error;
  return null;
});

/** The value of a JSON file. */
export function parsed(path, text) {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Trouble(`${path} is damaged: ${error.message}`);
  }
}

/** The study that all folders hold, with its plan; the one with the most runs, since `n` may grow. */
export async function studyOf(dirs) {
  const studies = await Promise.all(dirs.map(async (dir) => {
    const path = join(dir, "study.json");
    const text = await textIfAny(path);
    if (text === null) throw new Trouble(`${dir} is no folder of a study: it has no study.json`);
    return { dir, ...parsed(path, text) };
  }));
  const [first] = studies.sort((one, other) => other.study.n - one.study.n);
  const other = studies.find(({ registration }) => registration !== first.registration);
  if (other) throw new Trouble(`${first.dir} and ${other.dir} hold studies with other settings`);
  const plan = study.plan(first.study);
  if (plan.id !== first.registration) throw new Trouble(`${first.dir} was made with another version of Quorate; this is ${version()}`);
  return { file: first.study, plan };
}
