// Studies whose processes are killed: by a test at any moment, and by what schedules them. Slurm and Snakemake are skipped where they are not.
import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { built, installPackage, root } from "../../support/package.mjs";
import { startProviders } from "../../support/providers.mjs";

const KILLS = 30;
const CALLS_AT_ONCE = 4;

let place;
let installed;
before(() => {
  place = mkdtempSync(join(tmpdir(), "quorate-engines-"));
  installed = installPackage();
});
after(() => {
  installed?.remove();
  rmSync(place, { recursive: true, force: true });
});

const records = (dir) => readdirSync(join(dir, "runs")).filter((name) => name.endsWith(".jsonl")).map((name) => readFileSync(join(dir, "runs", name), "utf8"));
const ended = (dir) => (existsSync(join(dir, "runs")) ? records(dir).filter((text) => text.includes('"type":"ended"')).length : 0);
function verified(dir) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [built("cli.js"), "verify", dir], { encoding: "utf8" });
  assert.equal(status, 0, stdout + stderr);
}
async function until(what, seconds) {
  for (const end = Date.now() + seconds * 1000; !what(); ) {
    assert.ok(Date.now() < end, `not within ${seconds} s: ${what}`);
    await pause(100);
  }
}

test("killed again and again it ends, verifies, and pays twice for no more than was on its way", async () => {
  const server = await startProviders({ answer: async () => {
    await pause(20);
    return "My estimate: 7";
  } });
  after(() => server.close());
  const agents = ["Ada", "Bo"].map((name) => ({ name, personality: "A person.", kind: "model", provider: "openai", model: "m-1", base_url: server.base("openai", "kills") }));
  const [path, out] = [join(place, "kills.json"), join(place, "kills")];
  writeFileSync(path, JSON.stringify({ study: 1, id: "kills", n: 200, seed: 7, limits: { calls_at_once: { [new URL(server.origin).host]: CALLS_AT_ONCE } },
    base: { protocol: "delphi", language: "English", question: "How many?", rounds: 3, answers: "free", agents } }));
  const start = () => spawn(process.execPath, [built("cli.js"), "run", path, "--out", out, "--at-once", "8"], { stdio: "ignore" });
  const requests = () => server.requests("kills").length;
  for (let kill = 0; kill < KILLS; kill += 1) {
    const [child, before] = [start(), requests()];
    const over = once(child, "close");
    // Somewhere in its work.
    await Promise.race([over, until(() => requests() > before + (kill % 7), 60)]);
    await pause(7 * (kill % 11));
    child.kill("SIGKILL");
    await over;
  }
  const [code] = await once(start(), "close");
  assert.equal(code, 0);
  assert.equal(ended(out), 200);
  verified(out);
  const answers = records(out).join("").split('"type":"answered"').length - 1;
  const lost = requests() - answers;
  console.log(`${requests()} requests, ${answers} answers, ${lost} lost at ${KILLS} kills`);
  // What is on its way, and what has come and is not on the disk yet.
  assert.ok(lost <= KILLS * 2 * CALLS_AT_ONCE, `${lost} lost`);
});

const STUDY = { study: 1, id: "scheduled", n: 30, seed: 7, seeds: "paired",
  base: { protocol: "justice", language: "English", phase2_rounds: 2, agents: ["Ana", "Ben"].map((name) => ({ name, personality: "A student." })) },
  factors: { rule: { strict: { "phase2_settings.strict": true }, tolerant: { "phase2_settings.strict": false } } } };
const has = (program, ...args) => spawnSync(program, args).status === 0;
/** Kills a process of the study that runs. Returns whether there was one. */
const killOne = (out) => spawnSync("pkill", ["-9", "-n", "-f", `quorate run .*${out}`]).status === 0;

test("a Slurm array makes all runs, submitted again after a kill", { skip: !has("sinfo") && "no Slurm here" }, async () => {
  const { folder } = installed;
  writeFileSync(join(folder, "study.json"), JSON.stringify(STUDY));
  copyFileSync(join(root, "docs/studies/slurm.sh"), join(folder, "slurm.sh"));
  const submit = () => execFileSync("sbatch", ["--wait", "slurm.sh", "study.json", "by-slurm"], { cwd: folder, stdio: "ignore" });
  const first = spawn("sbatch", ["--wait", "slurm.sh", "study.json", "by-slurm"], { cwd: folder, stdio: "ignore" });
  const over = once(first, "close");
  await until(() => ended(join(folder, "by-slurm")) > 2, 120);
  assert.ok(killOne("by-slurm"));
  await over;
  const before = records(join(folder, "by-slurm"));
  submit();
  assert.equal(ended(join(folder, "by-slurm")), 60);
  // What had ended is what it was.
  const now = new Set(records(join(folder, "by-slurm")));
  assert.deepEqual(before.filter((text) => text.includes('"type":"ended"') && !now.has(text)), []);
  verified(join(folder, "by-slurm"));
});

test("Snakemake makes all runs and the bundle, and tries again what was killed", { skip: !has("snakemake", "--version") && "no Snakemake here" }, async () => {
  const { folder } = installed;
  writeFileSync(join(folder, "study.json"), JSON.stringify(STUDY));
  copyFileSync(join(root, "docs/studies/Snakefile"), join(folder, "Snakefile"));
  const all = spawn("snakemake", ["--cores", "2", "--config", "study=study.json", "out=by-snakemake"], { cwd: folder, stdio: "ignore" });
  const over = once(all, "close");
  await until(() => ended(join(folder, "by-snakemake")) > 2, 120);
  assert.ok(killOne("by-snakemake"));
  assert.deepEqual(await over, [0, null]);
  assert.equal(ended(join(folder, "by-snakemake")), 60);
  verified(join(folder, "by-snakemake", "bundle.zip"));
});

test("a bundle is a valid data package", { skip: !has("frictionless", "--version") && "no frictionless here" }, () => {
  const [path, out, zip, whole] = [join(place, "package.json"), join(place, "package"), join(place, "package.zip"), join(place, "whole")];
  writeFileSync(path, JSON.stringify({ ...STUDY, n: 2 }));
  for (const args of [["run", path, "--out", out], ["bundle", out, "--out", zip]]) execFileSync(process.execPath, [built("cli.js"), ...args], { stdio: "ignore" });
  execFileSync("unzip", ["-q", zip, "-d", whole]);
  const { status, stdout } = spawnSync("frictionless", ["validate", "datapackage.json"], { cwd: whole, encoding: "utf8" });
  assert.equal(status, 0, stdout);
});
