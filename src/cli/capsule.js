// quorate capsule: one page with engine and records, which shows and verifies the runs of a study from the disk, without a network.
import { readFile, writeFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { version } from "quorate";
import { hasPeople } from "../web/study/privacy.js";
import { refuseUnderWay, runsOf } from "./runs.js";
import { studyOf } from "./study-file.js";
import { Trouble } from "./trouble.js";

/** Bytes above which browsers take long to open a page. */
const LARGE = 50_000_000;

const beside = (name) => readFile(new URL(name, import.meta.url), "utf8");
/** Text within a script element, which it must not end. */
const inScript = (text) => text.replace(/<(?=\/script|!--)/gi, "\\x3c");
const data = (value) => JSON.stringify(value).replaceAll("<", "\\u003c");
const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

export default async function capsule([dir], { out }) {
  if (!dir) throw new Trouble("name the folder of a study");
  if (!out) throw new Trouble("name the page: --out X.html");
  await refuseUnderWay([dir]);
  const { file, plan } = await studyOf([dir]);
  const cells = new Map(plan.runs.map(({ id, cell }) => [id, cell]));
  const records = [];
  for (const run of await runsOf([dir])) {
    const text = await run.read();
    if (hasPeople(run, text)) throw new Trouble(`${run.id} has people, whose records do not leave the folder this way`);
    records.push({ id: run.id, cell: cells.get(run.id) ?? "", gzip: gzipSync(text).toString("base64") });
  }
  const [engine, script, style] = await Promise.all(["inline.js", "capsule_page.js", "capsule_page.css"].map(beside));
  const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval' blob:; worker-src blob:; style-src 'unsafe-inline'">
<title>${escaped(file.title ?? file.id)}</title>
<style>${style}</style>
<main></main>
<script type="application/json" id="study">${data({ title: file.title ?? file.id, registration: plan.id, version: version(), n: file.n, cells: plan.cells.map(({ name }) => name), records })}</script>
<script type="text/plain" id="engine">${inScript(engine)}</script>
<script type="module">${inScript(script)}</script>
</html>
`;
  await writeFile(out, page);
  console.log(`wrote ${out}: ${records.length} runs, ${(page.length / 1e6).toFixed(1)} MB`);
  if (page.length > LARGE) console.error("so large a page takes browsers long to open; a bundle may serve better");
  return 0;
}
