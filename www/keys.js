// API keys: one per origin of an endpoint, in this tab's memory and nowhere else. Gone with the page.
import { h, button, put, uid } from "./dom.js";
import { t } from "./i18n.js";

const keys = new Map();
const listeners = new Set();

/** A copy, by origin. */
export const keysFor = () => Object.fromEntries(keys);
export const onKeys = (listener) => listeners.add(listener);

function set(origin, key) {
  if (key) keys.set(origin, key);
  else keys.delete(origin);
  for (const listener of listeners) listener(keysFor());
}

/** The origin of a base URL; null if it is none. */
export function originOf(url) {
  try {
    const { origin, protocol } = new URL(url);
    return protocol === "https:" || protocol === "http:" ? origin : null;
  } catch {
    return null;
  }
}

/** Base URL of a model seat: its own, or the provider that the model's name tells (as the engine takes it). */
export function baseUrl(agent, protocol = "justice") {
  const { kind, base_url: own, model = "" } = agent ?? {};
  if ((kind ?? (model ? "model" : "scripted")) !== "model") return null;
  if (own) return own;
  // A model without a name is one all the same: the engine has a usual one.
  if (!model) return protocol === "discussion" && agent.ai_model_config?.provider !== "openai" ? "https://api.groq.com/openai/v1" : "https://api.openai.com/v1";
  if (model.startsWith("ollama/")) return "http://127.0.0.1:11434/v1";
  if (model.includes("gemini")) return "https://generativelanguage.googleapis.com/v1beta/openai";
  if (model.includes("/") || model.startsWith("gemma")) return "https://openrouter.ai/api/v1";
  return /^(gpt|o1|o3)/.test(model) ? "https://api.openai.com/v1" : null;
}

/** Base URLs of a configuration's model seats, one per origin. */
export function endpoints(config) {
  const found = new Map();
  for (const agent of Array.isArray(config?.agents) ? config.agents : []) {
    const base = baseUrl(agent, config.protocol);
    const origin = base && originOf(base);
    if (origin && !found.has(origin)) found.set(origin, base);
  }
  // The model that compares proposals is asked too.
  const comparing = originOf(config?.embeddings?.base_url ?? "");
  if (comparing && !found.has(comparing)) found.set(comparing, config.embeddings.base_url);
  return found;
}

const isLocal = (origin) => /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:|$)/.test(origin);

/** Asks the endpoint for its models and says in a sentence what came of it. */
export async function testConnection(base) {
  const key = keys.get(originOf(base));
  const stop = AbortSignal.timeout(15_000);
  try {
    const answer = await fetch(`${base.replace(/\/+$/, "")}/models`, { signal: stop, headers: key ? { Authorization: `Bearer ${key}` } : {} });
    if (answer.status === 401 || answer.status === 403) return { ok: false, text: t(key ? "keys.refused" : "keys.needed", { status: String(answer.status) }) };
    if (answer.status === 404) return { ok: false, text: t("keys.notfound") };
    if (answer.status === 429) return { ok: false, text: t("keys.limited") };
    if (!answer.ok) return { ok: false, text: t("keys.status", { status: String(answer.status) }) };
    const body = await answer.json().catch(() => null);
    if (!body) return { ok: false, text: t("keys.notjson") };
    const models = (body.data ?? body.models ?? []).map((model) => model.id ?? model.name).filter(Boolean);
    return { ok: true, text: t("keys.works", { n: models.length }), models };
  } catch (error) {
    return { ok: false, text: t(error.name === "TimeoutError" ? "keys.slow" : "keys.unreachable") };
  }
}

/** Fields for the keys that a configuration needs. `onModels` gets the names a test brought. */
export function keyFields(config, onModels = () => {}) {
  const needed = endpoints(config);
  if (!needed.size) return h("p", { class: "quiet" }, t("keys.none"));
  return h("div", { class: "keys" }, [...needed].map(([origin, base]) => field(origin, base, onModels)));
}

function field(origin, base, onModels) {
  const id = uid("key");
  const shown = h("p", { class: "quiet" });
  const said = h("p", { class: "said", role: "status" });
  const input = h("input", { id, type: "password", autocomplete: "off", spellcheck: "false", autocapitalize: "off", "data-testid": "key", placeholder: isLocal(origin) ? t("keys.optional") : "" });
  const refresh = () => {
    const key = keys.get(origin);
    put(shown, key ? t("keys.kept", { last: key.slice(-4) }) : isLocal(origin) ? t("keys.local") : t("keys.missing"));
    // Not hidden: the button to test must not move away under the press that takes the key over.
    forget.disabled = !key;
  };
  const keep = () => {
    if (!input.value.trim()) return;
    set(origin, input.value.trim());
    input.value = "";
    refresh();
  };
  const forget = button(t("keys.forget"), () => {
    set(origin, null);
    refresh();
  }, { kind: "quiet" });
  const test = button(t("keys.test"), async () => {
    keep();
    test.disabled = true;
    put(said, t("keys.testing"));
    const { ok, text, models } = await testConnection(base);
    said.dataset.ok = ok;
    put(said, text);
    test.disabled = false;
    if (models) onModels(models);
  }, { testid: "key-test" });
  input.addEventListener("change", keep);
  refresh();
  return h("div", { class: "key" },
    h("label", { for: id }, t("keys.for", { origin })),
    h("div", { class: "row" }, input, test, forget),
    shown, said);
}
