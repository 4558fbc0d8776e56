// Tests endpoints and lists their models. Lists are cached while the page is open.
import { testConnection, listModels } from "../pkg/quorate.js";
import { allows, originOf } from "../origins.js";

const known = new Map();
const baseOf = ({ provider, baseUrl }) => `${provider ?? ""} ${(baseUrl ?? "").replace(/\/+$/, "")}`;
const options = ({ provider, baseUrl, key }) => ({ ...(provider && { provider }), ...(baseUrl && { baseUrl }),
  ...(key && { key }) });

/** The cached models of an endpoint, or null. */
export const cachedModels = (endpoint) => known.get(baseOf(endpoint)) ?? null;

/** The models of an endpoint, fetched once. Throws like `listModels`. */
export async function models(endpoint) {
  if (!cachedModels(endpoint)) known.set(baseOf(endpoint), await listModels(options(endpoint)));
  return cachedModels(endpoint);
}

/** Tests a connection: `{ ok, problem, message, models }`; `models` is null if it lists none. */
export async function checkConnection(endpoint) {
  const origin = originOf(endpoint.baseUrl);
  if (origin && !allows(origin)) return { ok: false, problem: "blocked", message: null, models: null };
  const { ok, problem, message } = await testConnection(options(endpoint));
  if (!ok) return { ok, problem, message, models: null };
  known.delete(baseOf(endpoint));
  // Where it answers but lists no models, names can be typed.
  return { ok, problem: null, message: null, models: await models(endpoint).catch(() => null) };
}
