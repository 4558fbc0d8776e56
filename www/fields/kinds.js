// How a setting is described, and the groups that every protocol has. `path` names the key in the configuration,
// `type` the control (form.js), `name` the words where they are not found by the path. `more` folds a field away,
// `when` tells whether it has an effect in a configuration, `probe` is a value that an engine which knows the key takes,
// `more` may be a function of the participant. `unset` are words for what holds where nothing is given. `maybe` are options that the engine may not know yet, `others` tells that it takes more than is offered.

export const flag = (path, otherwise, extra = {}) => ({ path, type: "flag", otherwise, ...extra });
export const whole = (path, otherwise, extra = {}) => ({ path, type: "number", step: 1, min: 0, otherwise, ...extra });
export const real = (path, otherwise, min, max, extra = {}) => ({ path, type: "number", step: "any", min, max, otherwise, ...extra });
export const choice = (path, options, extra = {}) => ({ path, type: "choice", options, otherwise: options[0], ...extra });

export const LANGUAGE = choice("language", ["English", "Spanish", "Mandarin"]);
export const TITLE = { path: "title", type: "text" };
export const CONDITION = { path: "condition", type: "text", more: true };
export const SEED = whole("seed", null, { max: 2147483647 });
/** How models are asked; engines that do not know it do without. */
export const ANSWERS = choice("answers", ["free", "structured"], { keep: true, probe: "structured" });
export const BACKOFF = real("retry_backoff_factor", 1.5, 1, 3, { more: true });

export const PARTICIPANTS = { id: "participants", open: true, fields: [] };

/** The last groups of every form. */
export const LAST_GROUPS = [
  { id: "limits", fields: [
    whole("limits.max_calls", null, { min: 1 }),
    whole("limits.max_tokens", null, { min: 1 }),
    real("limits.max_cost", null, 0.0001, 1000000),
    whole("limits.max_answer_tokens", 2000, { min: 1 }),
    { path: "limits.calls_at_once", type: "origins" },
    { path: "limits.calls_per_minute", type: "origins" },
  ] },
];
export const PROMPTS = { id: "prompts", fields: [] };

/**
 * Fields of a participant, with what a protocol asks besides between name and personality. `model` and `temperature` are
 * what the engine takes where nothing is given.
 */
export const agentFields = (between, { personality = {}, more = [], model = "o3-mini", temperature = 0.7 } = {}) => [
  { path: "name", type: "text", required: true },
  choice("kind", ["scripted", "model", "human", "custom", "recorded"], { keep: true }),
  ...between,
  { path: "personality", type: "long", wide: true, ...personality },
  { path: "provider", type: "provider", only: "model" },
  { path: "model", type: "model", only: "model", placeholder: model },
  { path: "base_url", type: "url", only: "model", list: "endpoints", more: (agent) => !agent?.base_url && agent?.provider !== "compatible" },
  real("temperature", temperature, 0, 2, { only: "model" }),
  { path: "fallback", type: "fallback", only: "model", more: true },
  { path: "plays", type: "plays", only: "recorded" },
  choice("program", ["", "builtin", "gguf", "webllm"], { only: "custom", others: true }),
  { path: "model", name: "model.inpage", type: "text", only: "custom", placeholder: "https://…/model.gguf" },
  choice("reasoning_effort", ["", "none", "minimal", "low", "medium", "high"], { only: "model", more: true }),
  { ...whole("seed", null, { max: 2147483647, only: "model", more: true }), name: "model_seed", unset: "field.notsent" },
  choice("language", ["", "english", "spanish", "mandarin"], { more: true }),
  ...more,
];

/** Keys of a participant that mean the same in every protocol. */
export const AGENT_SHARED = ["name", "kind", "personality", "program", "provider", "model", "base_url", "temperature", "reasoning_effort", "seed", "fallback", "plays", "language"];
