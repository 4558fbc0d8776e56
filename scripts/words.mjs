// The texts of the page in a language: its own, and those of the settings, which stand beside the procedures.
import { readFileSync } from "node:fs";

const FOLDERS = ["www/i18n", ...["spec", "justice", "discussion", "debate", "delphi", "jury"].map((name) => `src/procedures/${name}/words/settings`)];

/** @returns {Record<string, string>} */
export function pageWords(code) {
  const tables = FOLDERS.map((folder) => JSON.parse(readFileSync(new URL(`../${folder}/${code}.json`, import.meta.url), "utf8")));
  return Object.assign({}, ...tables);
}
