// Runs the measurements in tests/bench/*.bench.mjs and prints them as one table: node scripts/bench.mjs [NAME...]
// Each file exports an async function `measure()` that returns rows `{ what, value, unit, aim? }`;
// `aim`, if any, is the largest value that is good enough.
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = new URL("../tests/bench/", import.meta.url);
const wanted = process.argv.slice(2);
const rows = [["measured", "value", "unit", "aim", ""]];
for (const file of readdirSync(fileURLToPath(folder)).filter((name) => name.endsWith(".bench.mjs")).sort()) {
  if (wanted.length && !wanted.some((name) => file.startsWith(name))) continue;
  const { measure } = await import(new URL(file, folder));
  for (const { what, value, unit, aim } of await measure()) {
    const met = aim === undefined ? "" : value <= aim ? "met" : "MISSED";
    rows.push([what, value.toLocaleString("en", { maximumSignificantDigits: 4 }), unit, aim === undefined ? "" : `≤ ${aim}`, met]);
  }
}

const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
const line = (row) => row.map((cell, i) => (i === 1 || i === 3 ? cell.padStart(widths[i]) : cell.padEnd(widths[i]))).join("  ").trimEnd();
console.log([line(rows[0]), widths.map((width) => "-".repeat(width)).join("  "), ...rows.slice(1).map(line)].join("\n"));
