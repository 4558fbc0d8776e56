// How a setting is described, and the groups that every protocol has. `path` names the key in the configuration,
// `type` the control (form.js), `name` the words where they are not found by the path. `more` folds a field away,
// `when` tells whether it has an effect in a configuration, `probe` is a value that an engine which knows the key takes,
// `maybe` are options that the engine may not know yet.

export const flag = (path, otherwise, extra = {}) => ({ path, type: "flag", otherwise, ...extra });
export const whole = (path, otherwise, extra = {}) => ({ path, type: "number", step: 1, min: 0, otherwise, ...extra });
export const real = (path, otherwise, min, max, extra = {}) => ({ path, type: "number", step: "any", min, max, otherwise, ...extra });
export const choice = (path, options, extra = {}) => ({ path, type: "choice", options, otherwise: options[0], ...extra });

export const LANGUAGE = choice("language", ["English", "Spanish", "Mandarin"]);
export const TITLE = { path: "title", type: "text" };
export const SEED = whole("seed", null, { max: 2147483647 });
export const BACKOFF = real("retry_backoff_factor", 1.5, 1, 3, { more: true });

export const ANSWERS = choice("answers", ["free", "structured"], { probe: "structured", more: true });

export const PARTICIPANTS = { id: "participants", open: true, fields: [] };

/** The last groups of every form. */
export const LAST_GROUPS = [
  { id: "limits", fields: [
    whole("limits.max_calls", null, { min: 1 }),
    whole("limits.max_tokens", null, { min: 1 }),
    whole("limits.max_answer_tokens", 2000, { min: 1 }),
    { path: "limits.calls_at_once", type: "origins" },
  ] },
];
export const PROMPTS = { id: "prompts", fields: [] };

/**
 * Fields of a participant, with what a protocol asks besides between name and personality. `model` and `temperature` are
 * what the engine takes where nothing is given.
 */
export const agentFields = (between, { personality = {}, more = [], model = "o3-mini", temperature = 0.7 } = {}) => [
  { path: "name", type: "text", required: true },
  choice("kind", ["scripted", "model", "human"], { keep: true }),
  ...between,
  { path: "personality", type: "long", wide: true, ...personality },
  { path: "model", type: "text", only: "model", list: "models", placeholder: model },
  { path: "base_url", type: "url", only: "model", list: "endpoints" },
  real("temperature", temperature, 0, 2, { only: "model" }),
  choice("language", ["", "english", "spanish", "mandarin"], { more: true }),
  ...more,
];

/** Keys of a participant that mean the same in every protocol. */
export const AGENT_SHARED = ["name", "kind", "personality", "model", "base_url", "temperature", "language"];
