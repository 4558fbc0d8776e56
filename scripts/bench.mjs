// Runs the measurements in tests/bench/*.bench.mjs and prints them as one table: node scripts/bench.mjs [NAME...]
// Each file exports an async function `measure()` that returns rows `{ what, value, unit, aim?, least? }`;
// `aim`, if any, is the largest value that is good enough, `least` the smallest of several of which `value` is the median.
// What was measured stays in tests/bench/last.json, with which the next time is compared.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";

const folder = new URL("../tests/bench/", import.meta.url);
const LAST = new URL("last.json", folder);
const wanted = process.argv.slice(2);
const last = existsSync(LAST) ? JSON.parse(readFileSync(LAST, "utf8")) : { values: {} };
const measured = [];
for (const file of readdirSync(fileURLToPath(folder)).filter((name) => name.endsWith(".bench.mjs")).sort()) {
  if (wanted.length && !wanted.some((name) => file.startsWith(name))) continue;
  const { measure } = await import(new URL(file, folder));
  measured.push(...(await measure()));
}

const figure = (value) => value.toLocaleString("en", { maximumSignificantDigits: 4 });
const rows = [["measured", "value", "unit", "least", "aim", "", "to the last time"]];
for (const { what, value, unit, aim, least } of measured) {
  const before = last.values[what];
  rows.push([
    what, figure(value), unit, least === undefined ? "" : figure(least),
    aim === undefined ? "" : `≤ ${aim}`, aim === undefined ? "" : value <= aim ? "met" : "MISSED",
    before ? `${(value / before).toFixed(2)} ×` : "",
  ]);
}
const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
const line = (row) => row.map((cell, i) => ([1, 3, 4, 6].includes(i) ? cell.padStart(widths[i]) : cell.padEnd(widths[i]))).join("  ").trimEnd();
console.log([line(rows[0]), widths.map((width) => "-".repeat(width)).join("  "), ...rows.slice(1).map(line)].join("\n"));

const values = { ...last.values, ...Object.fromEntries(measured.map(({ what, value }) => [what, Number(value.toPrecision(4))])) };
const cores = cpus();
writeFileSync(LAST, `${JSON.stringify({ on: `Node.js ${process.version}, ${cores.length} × ${cores[0].model}`, values }, null, 1)}\n`);
