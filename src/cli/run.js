// quorate run: runs what is left of a study, or of a shard of it.
import { randomUUID } from "node:crypto";
import { appendFile, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { folder, Library, study } from "quorate";
import { Study } from "quorate/study";
import { keysFrom } from "./keys.js";
import { showProgress } from "./progress.js";
import { parsed, planOf, showWarnings } from "./study-file.js";
import { Trouble } from "./trouble.js";

const EXIT = { standing: 3, overBudget: 4, stopped: 130 };

/** Part `[i, n]` of the runs: `--shard I/N`, or what a Slurm array or an indexed job of Kubernetes says. */
function shardOf(text, env) {
  const given = text
    ?? (env.SLURM_ARRAY_TASK_ID && `${env.SLURM_ARRAY_TASK_ID - (env.SLURM_ARRAY_TASK_MIN ?? 0)}/${env.SLURM_ARRAY_TASK_COUNT}`)
    ?? (env.JOB_COMPLETION_INDEX && env.QUORATE_SHARDS && `${env.JOB_COMPLETION_INDEX}/${env.QUORATE_SHARDS}`)
    ?? "0/1";
  const [index, of] = /^(\d+)\/(\d+)$/.exec(given)?.slice(1).map(Number) ?? [];
  if (!(index < of)) throw new Trouble(`the shard is ${given}; it must be I/N with I from 0 to N - 1 (--shard, or the variables of Slurm or Kubernetes)`);
  return [index, of];
}

function countOf(text, name) {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1 || count > 1000) throw new Trouble(`--${name} is ${text}; it must be a whole number from 1 to 1000`);
  return count;
}

/** What was made is never counted as a run of other settings. */
async function refuseOldRuns(out, before, after) {
  const settings = ({ runs }) => new Map(runs.map(({ id, config }) => [id, JSON.stringify(config)]));
  const [old, now] = [settings(before), settings(after)];
  const made = (await Library.list({ store: folder(join(out, "runs")) })).map(({ id }) => id).sort();
  const others = made.filter((id) => now.get(id) !== old.get(id));
  if (!others.length) return;
  throw new Trouble(`${others.length} runs in ${join(out, "runs")} have other settings or are no longer planned, such as ${others[0]}: `
    + "move them away, or take another folder");
}

/** The id in registration.json, if the folder has one. */
async function registered(out) {
  const path = join(out, "registration.json");
  const text = await readFile(path, "utf8").catch(() => null);
  const id = text === null ? null : parsed(path, text)?.id;
  return typeof id === "string" ? id : null;
}

/** A folder holds one study. `amend`: why it goes on under a changed one, which CHANGES.md says from then on. */
async function claim(out, { file, plan }, amend) {
  const { id } = plan;
  const path = join(out, "study.json");
  const text = `${JSON.stringify({ registration: id, study: file }, null, 2)}\n`;
  const before = await readFile(path, "utf8").catch(() => null);
  if (before === text) return;
  showWarnings(file);
  const old = before === null ? null : parsed(path, before);
  const registration = old?.registration ?? await registered(out) ?? id;
  if (registration !== id && !amend) {
    throw new Trouble(`${out} holds a study with other settings (registration ${registration.slice(0, 12)}, now ${id.slice(0, 12)}); `
      + "take another folder, or say why it changed: --amend WHY");
  }
  if (old) await refuseOldRuns(out, study.plan(old.study), plan);
  const changes = [registration !== id && `${registration} → ${id}: ${amend}`, old && old.study.n !== file.n && `n ${old.study.n} → ${file.n}`];
  for (const what of changes.filter(Boolean)) {
    await appendFile(join(out, "CHANGES.md"), `- ${new Date().toISOString()}: ${what}\n`);
  }
  // Shards that begin at once write the same, and never read half of it.
  const fresh = `${path}.${randomUUID()}`;
  await writeFile(fresh, text);
  await rename(fresh, path);
}

export default async function run([path], { out, shard, "at-once": atOnce = "16", keys, amend, ...answering }) {
  if (!out) throw new Trouble("name the folder for the runs: --out DIR");
  const part = shardOf(shard, process.env);
  const given = await planOf(path, answering);
  await mkdir(join(out, "runs"), { recursive: true });
  await claim(out, given, amend);
  const show = showProgress(process.stdout);
  const runner = await Study.open(given.file, { store: folder(join(out, "runs")), shard: part, atOnce: countOf(atOnce, "at-once"),
    keys: await keysFrom(keys, process.env), onChange: () => show(() => runner.progress) });
  let isStopped = false;
  const stop = () => {
    if (isStopped) return;
    isStopped = true;
    console.error("stopping: waiting for calls in flight, 20 seconds at most");
    runner.stop();
  };
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, stop);
  const done = await runner.run();
  show(() => done, true);
  for (const { id, why } of done.standing) console.error(`${id}: ${why}`);
  if (isStopped) return EXIT.stopped;
  if (done.elsewhere) console.error(`${done.elsewhere} runs are open in another process: run this again when it is done`);
  if (done.standing.length || done.elsewhere) return EXIT.standing;
  return done.isOverBudget ? EXIT.overBudget : 0;
}
