// Writes the runs of an unpacked bundle as result files of the published program, with the names that its notebooks look for:
//   node published.mjs BUNDLE hypothesis_testing/hypothesis_N/results [FACTOR]
// With a factor, each level has a folder. Needs the package: npm install quorate
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import init, { Session } from "quorate";

const END = ".jsonl.gz";
const [bundle, results, factor] = process.argv.slice(2);
await init();
const counts = {};
for (const name of readdirSync(join(bundle, "records")).filter((name) => name.endsWith(END)).sort()) {
  const session = await Session.import(gunzipSync(readFileSync(join(bundle, "records", name))).toString(), { store: "memory" });
  const { id, cell } = session.config.study;
  const level = factor ? cell[factor] : "";
  counts[level] = (counts[level] ?? 0) + 1;
  const parts = [id.replace("thesis-", "hypothesis_"), level, "condition", counts[level], "config_results.json"];
  mkdirSync(join(results, level), { recursive: true });
  writeFileSync(join(results, level, parts.filter(Boolean).join("_")), (await session.export("published")).text);
  session.free();
}
