// Prices of tokens: the engine's table with the rows changed or added in this browser. The rows that a run needs are
// copied into its configuration, so that its record contains them.
const STORE = "quorate.prices";

/** Custom rows by model: { input, output, cached? } for a million tokens; null for a removed row. */
export function own() {
  try {
    const kept = JSON.parse(localStorage.getItem(STORE));
    return kept && typeof kept === "object" && !Array.isArray(kept) ? kept : {};
  } catch {
    return {};
  }
}

/** Stores rows; false if the browser stores nothing. */
export function keep(rows) {
  try {
    if (Object.keys(rows).length) localStorage.setItem(STORE, JSON.stringify(rows));
    else localStorage.removeItem(STORE);
    return true;
  } catch {
    return false;
  }
}

/** A public price list that needs no key; US dollars per token. */
export const LIST = "https://openrouter.ai/api/v1/models";

/** Rows of that list by model, without invalid prices. */
export function listed(list) {
  const each = (
    price,
  ) => (/^\d+(\.\d+)?(e-?\d+)?$/i.test(String(price ?? "")) ? Number((Number(price) * 1e6).toPrecision(12)) : null);
  const row = ({ prompt, completion, input_cache_read }) => {
    const [input, output, cached] = [prompt, completion, input_cache_read].map(each);
    return input === null || output === null ? null : { input, output, ...(cached !== null && { cached }) };
  };
  const isName = (id) => typeof id === "string" && id.length <= 200 && /^[\w.:/@~+-]+$/.test(id);
  const models = Array.isArray(list?.data) ? list.data : [];
  return Object.fromEntries(
    models.filter((one) => isName(one?.id) && one.pricing).map((one) => [one.id, row(one.pricing)]).filter(([, row]) =>
      row
    ),
  );
}

/** Copies changed and new rows of today's list. Resolves with the number of each, or throws. */
export async function refresh(engine) {
  const answer = await fetch(LIST, { credentials: "omit", referrerPolicy: "no-referrer", redirect: "error",
    signal: AbortSignal.timeout(20_000) });
  if (!answer.ok) throw new Error(`${new URL(LIST).host}: ${answer.status}`);
  const rows = listed(await answer.json());
  if (!Object.keys(rows).length) throw new Error(`${new URL(LIST).host}: –`);
  const { models } = table(engine);
  const isSame = (one, other) =>
    ["input", "output", "cached"].every((key) =>
      one[key] === other[key] || (key === "cached" && one[key] === undefined)
    );
  const added = Object.keys(rows).filter((model) => !models[model]);
  const changed = Object.keys(rows).filter((model) => models[model] && !isSame(rows[model], models[model]));
  const taken = Object.fromEntries(
    [...added, ...changed].map((model) => [model, { ...models[model], ...rows[model] }]),
  );
  return { added: added.length, changed: changed.length, isKept: keep({ ...own(), ...taken }) };
}

/** The effective table, dated today if it was changed. */
export function table(engine) {
  const base = engine.prices();
  const mine = own();
  if (!Object.keys(mine).length) return base;
  const models = Object.fromEntries(Object.entries({ ...base.models, ...mine }).filter(([, row]) => row));
  return { ...base, date: new Date().toISOString().slice(0, 10), models };
}

/** The prices of the models of several configurations. */
export function pricesOf(engine, configs) {
  const all = configs.map((config) => priced(engine, config).prices);
  return { ...all[0], models: Object.assign({}, ...all.map(({ models }) => models)) };
}

/** The configuration with prices of its models, unless it has its own. */
export const priced = (engine, config) => (config.prices ? config : engine.priced(config, table(engine)));
