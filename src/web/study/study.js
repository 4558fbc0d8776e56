// Runs what is left of a study, on the command line and in a page.
import { Budget } from "./budget.js";
import { costsOf, LabError, Library, Session, study } from "quorate";

export { summaryOf } from "./summary.js";
export { bundle, privacyCsv, privacyFinds, storedRuns, tablesProgress } from "./bundle.js";

/** Milliseconds that calls in flight may take when a study is stopped. */
const PATIENCE = 20_000;
const AT_ONCE = 4;

/** Caps that a configuration sets, as `session.limit` takes them. */
const ownCaps = ({ limits = {} }) => ({ maxCalls: limits.max_calls, maxTokens: limits.max_tokens, maxCost: limits.max_cost });
const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

export class Study {
  #runs;
  /** Ids of runs by cell. */
  #cells;
  /** Null without one. */
  #budget = null;
  #options;
  #ended = new Set();
  #begun = new Set();
  #standing = new Map();
  #elsewhere = new Set();
  /** The sessions that run, by run. */
  #open = new Map();
  #isStopped = false;
  #isOverBudget = false;
  plan;

  /**
   * Reads from the store what has ended. `shard`: `[i, n]`, this is part i of n, from 0; limits and budget are divided by n.
   * `onChange` is called when a run begins, ends or stands still. `session`: further options of the sessions. Throws `LabError` code `config`.
   */
  static async open(file, { store, shard = [0, 1], atOnce = AT_ONCE, keys, onChange = () => {}, session = {} } = {}) {
    const one = new Study();
    one.plan = study.plan(file);
    const withPeople = one.plan.cells.find(({ config }) => file.people || config.agents?.some(({ kind }) => kind === "human"));
    if (withPeople) throw new LabError("config", `cell ${withPeople.name} has seats for people, who need a room`, []);
    const [index, of] = shard;
    const ownPart = (limits = {}) => Object.fromEntries(Object.entries(limits).map(([host, limit]) => [host, Math.max(1, Math.floor(limit / of))]));
    const callLimits = { atOnce: ownPart(file.limits?.calls_at_once), perMinute: ownPart(file.limits?.calls_per_minute) };
    one.#runs = one.plan.runs.filter((_, at) => at % of === index);
    one.#options = { atOnce, onChange, session: { ...session, store, callLimits, ...(keys && { keys }) } };
    one.#cells = new Map(one.plan.cells.map(({ name }) => [name, []]));
    for (const { id, cell } of one.#runs) one.#cells.get(cell).push(id);
    const own = new Set(one.#runs.map(({ id }) => id));
    for (const { id, state } of await Library.list({ store })) {
      if (own.has(id)) (state === "ended" ? one.#ended : one.#begun).add(id);
    }
    if (file.budget?.cost || file.budget?.calls) await one.#readBudget(file.budget, study.forecast(file), of);
    return one;
  }

  /** What is done: of all runs of this shard, of each cell, and which stand still and why. */
  get progress() {
    const ended = this.#ended.size;
    const cells = [...this.#cells].map(([name, ids]) => {
      const [ended, running, standing] = [this.#ended, this.#open, this.#standing].map((some) => ids.filter((id) => some.has(id)).length);
      return { name, runs: ids.length, ended, running, standing };
    });
    return { runs: this.#runs.length, begun: new Set([...this.#begun, ...this.#ended]).size, ended, running: this.#open.size, cells, used: this.#budget?.used ?? null,
      standing: [...this.#standing].map(([id, why]) => ({ id, why })), elsewhere: this.#elsewhere.size,
      isOverBudget: this.#isOverBudget };
  }

  /** Runs what is left. Resolves when nothing more can be done, or when it was stopped and no call is in flight. */
  async run() {
    this.#isStopped = this.#isOverBudget = false;
    this.#standing.clear();
    this.#elsewhere.clear();
    const left = this.#runs.filter(({ id }) => !this.#ended.has(id));
    let busy = 0;
    const waiting = [];
    const work = async () => {
      while (left.length && !this.#isStopped) {
        if (!this.#budget || this.#budget.reserve(left[0])) {
          busy += 1;
          await this.#runOne(left.shift());
          busy -= 1;
          for (const goOn of waiting.splice(0)) goOn();
        } else if (busy) {
          // What the others have set aside and do not use comes back when they end.
          await new Promise((goOn) => waiting.push(goOn));
        } else {
          left.length = 0;
          this.#isOverBudget = true;
        }
      }
    };
    await Promise.all(Array.from({ length: this.#options.atOnce }, work));
    return this.progress;
  }

  /** Changes the keys, by origin; null removes one. */
  setKeys(changes) {
    const { session } = this.#options;
    session.keys = Object.fromEntries(Object.entries({ ...session.keys, ...changes }).filter(([, key]) => key !== null));
    for (const one of this.#open.values()) one.setKeys(changes);
  }

  /** Starts no new call, waits for those in flight, and closes the runs. */
  async stop() {
    this.#isStopped = true;
    await Promise.all([...this.#open].map(async ([id, session]) => {
      session.setPace(0, Date.now() + 2 * PATIENCE);
      // A run may end meanwhile; its session is gone then.
      const isOpen = () => this.#open.get(id) === session;
      const isBusy = () => session.status.open.some(({ since, waiting }) => since !== null && !waiting);
      for (const end = Date.now() + PATIENCE; isOpen() && isBusy() && Date.now() < end;) await wait(50);
      if (isOpen()) await session.close();
    }));
  }

  async #runOne(run) {
    const { session: options, onChange } = this.#options;
    let session;
    try {
      session = this.#begun.has(run.id) ? await Session.open(run.id, options) : await Session.create(run.config, { ...options, id: run.id });
      this.#begun.add(run.id);
      this.#open.set(run.id, session);
      if (this.#isStopped) return;
      onChange();
      const isHeld = !["running", "ended"].includes(session.status.state);
      if (this.#budget || isHeld) session.limit({ ...ownCaps(run.config), ...this.#budget?.capsOf(run) });
      if (isHeld) session.resume();
      await session.run();
      this.#ended.add(run.id);
    } catch (error) {
      if (!(error instanceof LabError)) throw error;
      if (error.code === "locked") this.#elsewhere.add(run.id);
      else if (error.code !== "closed") this.#standing.set(run.id, error.message);
    } finally {
      this.#open.delete(run.id);
      if (session) this.#budget?.settle(run.id, session.costs());
      session?.free();
    }
    onChange();
  }

  async #readBudget({ cost, calls }, { cells, unknown }, of) {
    const isPriced = this.plan.cells.every(({ config }) => Object.keys(config.prices?.models ?? {}).length > 0);
    if (cost && (unknown.length || !isPriced)) {
      throw new LabError("config", `a budget of money needs prices: set "prices" in the base${unknown.length ? `; none is known for ${unknown.join(", ")}` : ""}`, []);
    }
    const most = { ...(cost && { cost: cost / of }), ...(calls && { calls: Math.floor(calls / of) }) };
    this.#budget = new Budget(most, new Map(cells.map(({ name, forecast }) => [name, forecast])));
    const { store } = this.#options.session;
    for (const id of [...this.#ended, ...this.#begun]) this.#budget.settle(id, costsOf(await Library.entries(id, { store })));
  }
}
