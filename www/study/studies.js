// Runs studies: one goes on while other views are shown, and after a reload.
import { Library, forget, narrow, study, studyOptions } from "../engine.js";
import { file as addressOf } from "../files.js";
import { t } from "../i18n.js";
import { keysMissing, onKeys } from "../keys.js";
import { runWorker } from "../workers.js";
import { AT_ONCE, forgetStudy, isOf, storedStudy, storeStudy, studyIds } from "./stored-studies.js";

const tools = () => import("../pkg/study.js");
/** @type {Map<string, KeptStudy>} */
const open = new Map();
const watchers = new Set();
/** Calls the watcher when a study begins or stops to run. */
export const onStudies = (watcher) => void watchers.add(watcher);
/** The ids of the studies that run. */
export const goingStudies = () => [...open.values()].filter(({ isRunning }) => isRunning).map(({ file }) => file.id);

onKeys((changes) => {
  for (const one of open.values()) one.setKeys(changes);
});

addEventListener("storage", ({ key }) => {
  for (const one of open.values()) if (isOf(one.file.id, key)) one.follow().catch(() => {});
});

/** The study with that id, or null. */
export async function openStudy(id) {
  const kept = storedStudy(id);
  if (!open.has(id) && kept) open.set(id, new KeptStudy(kept));
  await open.get(id)?.load();
  return open.get(id) ?? null;
}

/** Goes on with the studies that were running when the page was left. */
export function goOn() {
  for (const id of studyIds()) if (storedStudy(id)?.isGoing) openStudy(id).then((one) => one.go()).catch(() => {});
}

function keep(kept) {
  try {
    storeStudy(kept.file.id, kept);
  } catch (error) {
    throw new Error(t("study.notkept"), { cause: error });
  }
}

/** Keeps a new study, or more of one that is kept. Throws if its runs here have other settings. */
export async function keepStudy(file, isGoing = false) {
  if (storedStudy(file.id)) await (await openStudy(file.id)).change(file);
  else keep({ file, isGoing, atOnce: AT_ONCE, changes: [] });
}

class KeptStudy {
  /** As storedStudy returns it. */
  #kept;
  /**
   * The `Study` whose progress is shown; null if it cannot be opened.
   * @type {import("../pkg/study.d.ts").Study | null}
   */
  #study = null;
  /** How far its tables of people are. */
  #tables = null;
  #listeners = new Set();
  /** The last change of its file. */
  #changing = Promise.resolve();
  isRunning = false;
  isStopping = false;
  /** Another tab runs it. */
  isElsewhere = false;
  /** Why it cannot be run. */
  error = null;

  constructor(kept) {
    this.#kept = kept;
    this.plan = study.plan(kept.file);
  }

  get file() {
    return this.#kept.file;
  }
  get atOnce() {
    return this.#kept.atOnce;
  }
  get isGoing() {
    return this.#kept.isGoing;
  }
  get progress() {
    return this.#study?.progress ?? this.#tables;
  }

  /** Whether all its runs have ended. */
  get isOver() {
    return this.progress !== null && this.progress.ended === this.progress.runs;
  }

  listen(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
  #changed() {
    for (const listener of [...this.#listeners]) listener();
    for (const watcher of watchers) watcher();
  }

  #keep(changes) {
    const kept = { ...this.#kept, ...changes };
    keep(kept);
    this.#kept = kept;
    this.#changed();
  }

  /** Takes what another tab has stored of it; while that one runs it, this one waits for its turn. */
  async follow() {
    const kept = storedStudy(this.file.id);
    if (this.isRunning) return;
    if (!kept) return this.#forgotten();
    this.#kept = kept;
    this.plan = study.plan(kept.file);
    await this.load();
    // It may have been paused meanwhile.
    if (storedStudy(this.file.id)?.isGoing) await this.go();
  }

  /** After another tab has deleted it. */
  #forgotten() {
    open.delete(this.file.id);
    this.#study = this.#tables = null;
    this.error = new Error(t("study.gone"));
    this.#changed();
  }

  /** Reads how far it is. */
  async load() {
    if (!this.isRunning) await this.#read();
    this.#changed();
  }
  async #read() {
    try {
      const { Study, tablesProgress } = await tools();
      const options = { ...studyOptions(), atOnce: this.atOnce, onChange: () => this.#changed() };
      if (this.file.people) this.#tables = await tablesProgress(this.plan);
      else this.#study = await Study.open(this.file, options);
      this.error = null;
    } catch (error) {
      this.error = error;
    }
  }

  /** Cells whose models lack a key. */
  get keyless() {
    return this.plan.cells.filter(({ config }) => keysMissing(config).length > 0);
  }

  /** From the next load of the page on it goes on. */
  goAfterReload() {
    this.#keep({ isGoing: true });
  }

  /** Runs what is left, until it is paused. */
  async go() {
    await this.#changing;
    this.#keep({ isGoing: true });
    if (this.isRunning || this.isElsewhere || this.keyless.length) return;
    const { locks } = navigator;
    if (!locks) return this.#run();
    // In one tab at a time: each counts what it spends.
    const name = `quorate study ${this.file.id}`;
    await locks.request(name, { ifAvailable: true }, (lock) => {
      this.isElsewhere = !lock;
      return lock && this.#run();
    });
    if (!this.isElsewhere) return;
    this.#changed();
    void locks.request(name, () => {}).then(() => this.#takeOver());
  }

  /** After another tab has run it. */
  async #takeOver() {
    this.isElsewhere = false;
    this.#kept = storedStudy(this.file.id) ?? this.#kept;
    await this.load();
    if (this.isGoing) await this.go();
  }

  async #run() {
    this.isRunning = true;
    this.#changed();
    await this.#read();
    for (const { config } of this.plan.cells) narrow(config);
    try {
      // It may have been paused meanwhile.
      if (this.error || !this.isGoing) return;
      const { runs, ended, isOverBudget } = await this.#study.run();
      if (ended === runs || isOverBudget) this.#keep({ isGoing: false });
      if (this.plan.cells.some(({ config }) => config.protocol === "debate")) {
        await (await import("../deliver.js")).catchUp();
      }
    } catch (error) {
      this.error = error;
    } finally {
      this.isRunning = this.isStopping = false;
      this.#changed();
    }
  }

  /** Begins no new call; resolves when none is in flight. */
  async pause() {
    this.#keep({ isGoing: false });
    if (!this.isRunning) return;
    this.isStopping = true;
    this.#changed();
    await this.#study.stop();
  }

  setKeys(changes) {
    this.#study?.setKeys(changes);
    if (this.isGoing && !this.isRunning) void this.go();
    this.#changed();
  }

  setAtOnce(atOnce) {
    this.#keep({ atOnce });
  }

  /** Takes more runs, another budget or another title; other settings only before there are runs. */
  change(file) {
    const done = this.#changing.then(() => this.#change(file));
    this.#changing = done.catch(() => {});
    return done;
  }
  async #change(file) {
    const plan = study.plan(file);
    const settings = new Map(plan.runs.map(({ id, config }) => [id, JSON.stringify(config)]));
    const { storedRuns } = await tools();
    const made = new Set((await storedRuns(this.plan)).map(({ id }) => id));
    const beyond = this.plan.runs.filter(({ id }) => made.has(id) && !settings.has(id));
    if (plan.id === this.plan.id && beyond.length) {
      throw new Error(t("study.fewer", { n: beyond.length, run: beyond[0].id }));
    }
    const others = this.plan.runs.filter(({ id, config }) =>
      made.has(id) && settings.get(id) !== JSON.stringify(config)
    );
    if (others.length) throw new Error(t("study.others", { n: others.length, id: file.id, run: others[0].id }));
    const what = this.file.n !== file.n && made.size > 0 && `n ${this.file.n} → ${file.n}`;
    const changes = [...this.#kept.changes, ...(what ? [`- ${new Date().toISOString()}: ${what}`] : [])];
    this.#keep({ file, changes });
    this.plan = plan;
    await this.load();
  }

  /** The outcomes of its runs, by cell. */
  async summary() {
    const { storedRuns, summaryOf } = await tools();
    const ids = (await storedRuns(this.plan)).map(({ id }) => id);
    const { blob } = await runWorker(addressOf("exports_worker.js"), [ids, "runs", {}]);
    return summaryOf(this.file, this.plan, await blob.text());
  }

  /** Its currency; dollars without prices. */
  get currency() {
    return this.plan.cells[0].config.prices?.currency ?? "USD";
  }

  /** What leaves: `{ runs, finds, csv }`, the stored runs, and what may identify people in them. */
  async leaving() {
    const { privacyCsv, privacyFinds, storedRuns } = await tools();
    const runs = await storedRuns(this.plan);
    const finds = await privacyFinds(runs);
    return { runs, finds, csv: privacyCsv(finds) };
  }
  async bundle(runs, module) {
    return (await tools()).bundle(this.file, runs, { module, changes: this.#kept.changes });
  }

  /** Deletes it with its runs. */
  async remove() {
    const { storedRuns } = await tools();
    for (const { id } of await storedRuns(this.plan)) {
      forget(id);
      await Library.delete(id);
    }
    forgetStudy(this.file.id);
    open.delete(this.file.id);
  }
}
