// Types of `quorate/study`: runs what is left of a study.
import type { Folder, SessionOptions, StudyFile, StudyPlan } from "./quorate.js";

/** Options of `Study.open`. */
export interface StudyOptions {
  /** Where the runs are stored; default `indexeddb`. */
  store?: "indexeddb" | Folder;
  /** Part `[i, n]` of the runs, `i` from 0: every n-th run. Budget is divided by n. Default all. */
  shard?: [number, number];
  /** Runs at once; default 4. */
  atOnce?: number;
  /** API keys by origin, as `Session.create` takes them. */
  keys?: Record<string, string>;
  /** Further options of the sessions, such as `answer` and `recorded`. */
  session?: Omit<SessionOptions, "id" | "store" | "keys" | "callLimits">;
  /** Called when a run begins, ends or stands still. */
  onChange?: () => void;
}
/** Counts are of this shard. `begun`: with those that have ended. `standing`: runs that need help, with the reason. `used`: what was spent or is set aside; null without a budget. */
export interface StudyProgress {
  runs: number; begun: number; ended: number; running: number;
  cells: { name: string; runs: number; ended: number; running: number; standing: number }[];
  standing: { id: string; why: string }[];
  /** Runs that another process has open. */
  elsewhere: number;
  used: { cost: number; calls: number } | null;
  isOverBudget: boolean;
}
/** A study that is run, or a shard of it. */
export class Study {
  /** Makes the plan and reads from the store which runs have ended. Throws `LabError` code `config` with all faults of the file. */
  static open(file: StudyFile, options?: StudyOptions): Promise<Study>;
  readonly plan: StudyPlan;
  readonly progress: StudyProgress;
  /** Runs what is left. Resolves when nothing more can be done: all ended or stand still, the budget is used up, or `stop()` was called. */
  run(): Promise<StudyProgress>;
  /** Changes the keys, by origin; null removes one. */
  setKeys(changes: Record<string, string | null>): void;
  /** Starts no new call, waits for those in flight (20 seconds at most) and closes the runs, which go on with the next `run()`. */
  stop(): Promise<void>;
}

/** A stored run: the names of people's seats, and a function that reads its record. */
export interface StoredRun { id: string; people: string[]; read(): Promise<string> }
/** The runs of a plan that are stored, by id. */
export function storedRuns(plan: StudyPlan, options?: { store?: "indexeddb" | Folder }): Promise<StoredRun[]>;
/** How far the tables of people are that are stored. `begun`: all tables; `ended` and `running`: without void ones. */
export function tablesProgress(plan: StudyPlan, options?: { store?: "indexeddb" | Folder }): Promise<StudyProgress>;
/** A place in what people wrote that may identify them. `what`: `mail`, `digits` or `name`. */
export type PrivacyFind = [run: string, entry: number, seat: string, what: string, found: string];
/** Searches what people wrote in runs. */
export function privacyFinds(runs: StoredRun[]): Promise<PrivacyFind[]>;
/** The finds as a CSV file. */
export function privacyCsv(finds: PrivacyFind[]): string;
/**
 * The bundle of a study, as `quorate bundle` writes it. `module`: the engine's file `engine_bg.wasm`. `changes`: lines of CHANGES.md. `registration`:
 * the text of registration.json. Records of runs with people are left out unless `withRecords`.
 */
export function bundle(file: StudyFile, runs: StoredRun[], options: { module: Blob; changes?: string[]; registration?: string; withRecords?: boolean }): Promise<Blob>;

/** A yes-or-no outcome: the number of runs and of yes, their share, and Wilson's interval of 95 %. */
export interface ShareOutcome { n: number; count: number; share: number; low: number; high: number }
/** A number as outcome; its standard deviation needs two runs. */
export interface MeanOutcome { n: number; mean: number; deviation: number | null }
/** Outcomes of ended runs by cell; null where no run has a value. `seats`: of all these runs; `simulated`: those of scripted participants. */
export interface StudySummary { seats: number; simulated: number; outcomes: string[]; cells: { name: string; outcomes: Record<string, ShareOutcome | MeanOutcome | null> }[] }
/**
 * Returns the outcomes by cell from the table `runs` (`csv`). They are the columns `outcomes` of the study; by default those of its procedure that
 * are yes or no, or if there are none, numbers.
 */
export function summaryOf(file: StudyFile, plan: StudyPlan, csv: string): StudySummary;
