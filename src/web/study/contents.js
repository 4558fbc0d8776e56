// What a bundle consists of beside records and tables: files that follow from the study and the codebook alone, so that
// `quorate verify` can make them again.
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { version } from "quorate";
import { csvOf, rowsOf } from "./csv.js";
import { literal } from "./guide.js";

export const TABLES = ["runs", "seats", "decisions", "utterances", "asks"];
export const RECORDS = "records/";
export const RECORD_END = ".jsonl.gz";
export const WITHHELD = `${RECORDS}withheld.csv`;
export const SUMS = "SHA256SUMS";

/** The name that Psych-DS gives a table: its values have letters and digits alone. */
export const tablePath = (id, table) => `data/study-${id.replaceAll("-", "")}_table-${table}_data.csv`;

/** SHA-256 of a text or of bytes. */
export const sumOf = (content) => bytesToHex(sha256(typeof content === "string" ? utf8ToBytes(content) : content));

export const json = (value) => `${JSON.stringify(value, null, 2)}\n`;

/** The runs of a plan, a line each. */
export function planCsv({ factors = {} }, { runs }) {
  const names = Object.keys(factors);
  const rows = runs.map(({ id, cell, repetition, config }) => [id, cell, repetition, config.seed, ...names.map((name) => config.study.cell[name])]);
  return csvOf([["run", "cell", "repetition", "seed", ...names.map((name) => `factor_${name}`)], ...rows]);
}

const TYPES = { text: "string", json: "string", time: "datetime", integer: "integer", number: "number", boolean: "boolean" };

/** The lines of a codebook as objects. */
function columnsOf(codebook) {
  const [header, ...rows] = rowsOf(codebook);
  return rows.map((row) => Object.fromEntries(header.map((name, at) => [name, row[at]])));
}

/** `beside`: the files that go with the tables, by name. `guide`: what the records say for GUIDE-LLM. */
export function contentsOf(file, plan, beside, guide) {
  const columns = columnsOf(beside["codebook.csv"]);
  return {
    "study.json": json(file),
    "plan.csv": planCsv(file, plan),
    "codebook.csv": beside["codebook.csv"],
    "datapackage.json": json(dataPackage(file, columns)),
    "dataset_description.json": json(description(file, columns)),
    "README.md": readme(file, plan),
    "guide-llm.md": guide,
    "analysis/load.py": beside["load.py"],
    "analysis/load.R": beside["load.R"],
  };
}

const titleOf = ({ id, title }) => title ?? id;

/** Frictionless Data Package 1 with Table Schema. */
function dataPackage(file, columns) {
  const field = ({ column, type, unit, values, meaning }) => ({
    name: column, type: TYPES[type], ...(type === "time" && { format: "any" }), description: unit ? `${meaning} (${unit})` : meaning,
    ...(values && { constraints: { enum: values.split(" ") } }),
  });
  return {
    name: file.id, title: titleOf(file), profile: "tabular-data-package",
    resources: TABLES.map((table) => ({
      name: table, path: tablePath(file.id, table), profile: "tabular-data-resource", format: "csv", mediatype: "text/csv", encoding: "utf-8",
      schema: { fields: columns.filter((column) => column.table === table).map(field), missingValues: [""] },
    })),
  };
}

/** Psych-DS: a schema.org dataset. A column that several tables have is one variable. */
function description(file, columns) {
  const meanings = new Map();
  for (const { column, meaning } of columns) meanings.set(column, (meanings.get(column) ?? new Set()).add(meaning));
  return {
    "@context": "https://schema.org/", "@type": "Dataset", schemaVersion: "Psych-DS 1.5.0",
    name: titleOf(file), description: `Runs of the study ${file.id}, made with ${version()}.`,
    variableMeasured: [...meanings].map(([name, texts]) => ({ "@type": "PropertyValue", name, description: [...texts].join("; ") })),
  };
}

function readme(file, { id, cells, runs }) {
  return `# ${literal(titleOf(file))}

${cells.length} ${cells.length === 1 ? "cell" : "cells"} with ${file.n} ${file.n === 1 ? "run" : "runs"} each, ${runs.length} in all, made with ${version()}. Registration id: \`${id}\`.

| File | Content |
|---|---|
| \`study.json\` | the study; all runs follow from it |
| \`plan.csv\` | the runs that follow, in their order |
| \`registration.json\` | the registration id as it was before the first run, if it was written then |
| \`CHANGES.md\` | what changed after the first run |
| \`data/\` | five tables, under names of Psych-DS |
| \`codebook.csv\` | each column: its table, type, unit, values and meaning |
| \`datapackage.json\` | the same for Frictionless |
| \`dataset_description.json\` | the same for Psych-DS |
| \`guide-llm.md\` | the items of the checklist GUIDE-LLM for language models, as far as records answer them |
| \`records/\` | the record of each run, a line for each thing that happened; without people's runs, which \`withheld.csv\` lists, unless they were asked for |
| \`engine.json\` | the version that made all this |
| \`analysis/\` | \`load.py\` and \`load.R\` read the tables |
| \`SHA256SUMS\` | the sums of all files |

An empty cell is missing. \`session\` joins the tables.${file.people ? ` A table of people that more guests left than the study allows has \`true\` in the
column \`void\` and does not count; the one that was held in its place has the same id with a number behind it.` : ""} To check all of it, with the version in \`engine.json\`:

    npx quorate verify BUNDLE.zip

To load the tables, in this folder:

    python analysis/load.py
    Rscript analysis/load.R
`;
}
