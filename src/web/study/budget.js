// What a study may spend. Before a run begins, the most that it can spend is set aside, so the sum never exceeds the budget.

const sum = (of) => [...of].reduce((all, one) => all + one, 0);

export class Budget {
  #most;
  #forecasts;
  #used = new Map();

  /** `most`: `{ cost, calls }`, both optional. `forecasts`: of a run, by cell. */
  constructor(most, forecasts) {
    this.#most = most;
    this.#forecasts = forecasts;
  }

  /** Caps of a run, as `session.limit` takes them: its own, or else what the forecast says at most; of calls, which it says less surely, twice that. */
  capsOf({ cell, config: { limits = {} } }) {
    const { cost, calls } = this.#forecasts.get(cell);
    const maxCost = limits.max_cost ?? cost?.most;
    return {
      // A model of one's own hardware costs nothing.
      ...(this.#most.cost !== undefined && maxCost && { maxCost }),
      ...(this.#most.calls !== undefined && { maxCalls: limits.max_calls ?? 2 * calls.high }),
    };
  }

  /** Whether a run can begin; then its caps are set aside. */
  reserve(run) {
    const { maxCost = 0, maxCalls = 0 } = this.capsOf(run);
    const others = [...this.#used].flatMap(([id, used]) => (id === run.id ? [] : [used]));
    const fits = sum(others.map(({ cost }) => cost)) + maxCost <= (this.#most.cost ?? Infinity)
      && sum(others.map(({ calls }) => calls)) + maxCalls <= (this.#most.calls ?? Infinity);
    if (fits) this.#used.set(run.id, { cost: maxCost, calls: maxCalls });
    return fits;
  }

  /** Notes what a run has used by its costs, in place of what was set aside for it. */
  settle(id, { run }) {
    this.#used.set(id, { cost: run.cost, calls: run.tries });
  }

  /** What is used or set aside. */
  get used() {
    const all = [...this.#used.values()];
    return { cost: sum(all.map(({ cost }) => cost)), calls: sum(all.map(({ calls }) => calls)) };
  }
}
