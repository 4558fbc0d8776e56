// What tokens cost: the engine's table with the rows that were changed or added here, which this browser keeps. The rows
// that a run needs go into its configuration, so that its record tells by which prices it was counted.
const STORE = "quorate.prices";

/** Rows of one's own by model: { input, output, cached? } for a million tokens; null where a row was taken out. */
export function own() {
  try {
    const kept = JSON.parse(localStorage.getItem(STORE));
    return kept && typeof kept === "object" && !Array.isArray(kept) ? kept : {};
  } catch {
    return {};
  }
}

/** Keeps rows; false where the browser keeps nothing. */
export function keep(rows) {
  try {
    if (Object.keys(rows).length) localStorage.setItem(STORE, JSON.stringify(rows));
    else localStorage.removeItem(STORE);
    return true;
  } catch {
    return false;
  }
}

/** The table that counts here. The date is that of today once something was changed. */
export function table(engine) {
  const base = engine.prices();
  const mine = own();
  if (!Object.keys(mine).length) return base;
  const models = Object.fromEntries(Object.entries({ ...base.models, ...mine }).filter(([, row]) => row));
  return { ...base, date: new Date().toISOString().slice(0, 10), models };
}

/** A configuration with the prices of its models; its own, where it has some. */
export const priced = (engine, config) => (config.prices ? config : engine.priced(config, table(engine)));
