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

/** Where prices are listed for everybody, without a key; in US dollars for a token. */
export const LIST = "https://openrouter.ai/api/v1/models";

/** Rows of that list by model; what is no price there is left out. */
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

/** Takes over today's list: rows that are other than the table's, and those that it has not. Resolves with how many of each, or throws. */
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
