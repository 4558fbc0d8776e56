// Writes the runs of an unpacked bundle as result files of the published program, for its notebooks:
//   node published.mjs BUNDLE RESULTS [FACTOR]
// With a factor, each level has a folder. Needs the package: npm install quorate
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import init, { Session } from "quorate";

const [bundle, results, factor] = process.argv.slice(2);
await init();
const records = join(bundle, "records");
for (const name of readdirSync(records).filter((name) => name.endsWith(".jsonl.gz"))) {
  const session = await Session.import(gunzipSync(readFileSync(join(records, name))).toString(), { store: "memory" });
  const folder = factor ? join(results, session.config.study.cell[factor]) : results;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name.replace(".jsonl.gz", "_results.json")), (await session.export("published")).text);
  session.free();
}
