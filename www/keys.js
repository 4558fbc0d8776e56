// API keys: one per origin of an endpoint, or per seat there (`origin#seat`), in this tab's memory. Lost with the page
// unless stored under a passphrase (vault.js). Only this module holds keys; others get copies.
import { originOf, use } from "./origins.js";
import { provider, providerAt } from "./models/providers.js";

export { originOf };
const keys = new Map();
const listeners = new Set();

export const placeOf = (origin,
  seat = /** @type {string | null} */ (null)) => (seat === null ? origin : `${origin}#${seat}`);
export const originOfPlace = (place) => place.split("#")[0];

/** A copy, by place. */
export const keysFor = () => Object.fromEntries(keys);
/** Calls the listener with changes by place: a key, or null if removed. Returns a function that stops it. */
export function onKeys(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
export const keyAt = (place) => keys.get(place) ?? null;
/** The visible end of a key. */
export const masked = (
  place,
) => (keys.has(place) ? `•••• ${keys.get(place).length >= 12 ? keys.get(place).slice(-4) : ""}`.trim() : null);

/** Sets several at once; null removes one. */
export function setKeys(changes) {
  const changed = {};
  for (const [place, key] of Object.entries(changes)) {
    if ((keys.get(place) ?? null) === key) continue;
    if (key) keys.set(place, key);
    else keys.delete(place);
    changed[place] = key || null;
  }
  if (Object.keys(changed).length) { for (const listener of listeners) listener(changed); }
}

export function setKey(place, key) {
  setKeys({ [place]: key });
  if (key) use([originOfPlace(place)]);
}

/** The base URL of a model seat: its own, its provider's, or that of the model's name (the engine's rule). */
export function baseUrl(agent, protocol = "justice") {
  const { kind, base_url: own, model = "", provider: named } = agent ?? {};
  if ((kind ?? (model ? "model" : "scripted")) !== "model") return null;
  if (own) return own;
  if (named) return provider(named)?.baseUrl || null;
  // A model seat without a model uses the engine's default.
  if (!model) {
    return protocol === "discussion" && agent.ai_model_config?.provider !== "openai"
      ? "https://api.groq.com/openai/v1"
      : "https://api.openai.com/v1";
  }
  if (model.startsWith("ollama/")) return "http://127.0.0.1:11434/v1";
  if (model.includes("gemini")) return "https://generativelanguage.googleapis.com/v1beta/openai";
  if (model.includes("/") || model.startsWith("gemma")) return "https://openrouter.ai/api/v1";
  return /^(gpt|o1|o3)/.test(model) ? "https://api.openai.com/v1" : null;
}

/** The endpoints of a configuration's models, one per origin: `{ origin, baseUrl, provider, seats }`. */
export function endpoints(config) {
  const found = new Map();
  const add = (base, named, seat) => {
    const origin = base && originOf(base);
    if (!origin) return;
    if (!found.has(origin)) found.set(origin, { origin, baseUrl: base, provider: named ?? null, seats: [] });
    if (seat) found.get(origin).seats.push(seat);
  };
  for (const agent of Array.isArray(config?.agents) ? config.agents : []) {
    add(baseUrl(agent, config.protocol), agent?.provider, agent?.name);
    const isModel = (agent?.kind ?? (agent?.model ? "model" : "scripted")) === "model";
    for (const one of isModel && Array.isArray(agent.fallback) ? agent.fallback : []) {
      if (one?.model) add(baseUrl({ ...one, kind: "model" }, config.protocol), one.provider, agent.name);
    }
  }
  // The models for embeddings and for reading unclear answers count too.
  add(config?.embeddings?.base_url, null, null);
  const reader = config?.reader ?? { model: [config?.utility_agent_model ?? []].flat()[0] };
  const isRead = found.size > 0
    || (Array.isArray(config?.agents) && config.agents.some((agent) => agent?.kind === "custom"));
  if (reader.model && isRead && config.profile !== "compat") {
    add(baseUrl({ ...reader, kind: "model" }), reader.provider, null);
  }
  return found;
}

export const isLocal = (origin) => /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:|$)/.test(origin);
export const nameOf = (origin) => providerAt(origin)?.name ?? origin.replace(/^https?:\/\//, "");

/** Origins of a configuration's endpoints whose key is missing. */
export const keysMissing = (config) =>
  [...endpoints(config).values()].filter(({ origin, seats }) =>
    origin.startsWith("https://") && !isLocal(origin) && !keys.has(origin)
    && !(seats.length && seats.every((seat) => keys.has(placeOf(origin, seat))))
  ).map(({ origin }) => origin);
