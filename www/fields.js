// The settings that the form offers, in groups. A path names the key in the configuration; what is not offered here
// can be set in the configuration as text.

const flag = (path, otherwise) => ({ path, type: "flag", otherwise });
const whole = (path, otherwise, extra = {}) => ({ path, type: "number", step: 1, min: 0, otherwise, ...extra });
const choice = (path, options, otherwise = options[0]) => ({ path, type: "choice", options, otherwise });
const seconds = (name, otherwise) => ({ path: `phase2_settings.${name}`, type: "number", step: "any", min: 10, max: 600, otherwise, unit: "seconds" });

export const GROUPS = [
  { id: "experiment", open: true, fields: [
    { path: "title", type: "text" },
    choice("language", ["English", "Spanish", "Mandarin"]),
    choice("profile", ["default", "compat"]),
    whole("seed", null, { max: 2147483647 }),
    flag("include_experiment_explanation", true),
    flag("include_experiment_explanation_each_turn", false),
  ] },
  { id: "participants", open: true, fields: [] },
  { id: "phase1", fields: [
    flag("original_values_mode.enabled", false),
    { path: "distribution_range_phase1", type: "pair", otherwise: [0.5, 2] },
    { path: "income_class_probabilities", type: "classes" },
    whole("max_participant_retries", 2, { max: 5 }),
    choice("retry_feedback_detail", ["concise", "detailed"]),
  ] },
  { id: "phase2", fields: [
    whole("phase2_rounds", 10, { min: 1 }),
    { path: "distribution_range_phase2", type: "pair", otherwise: [0.5, 2] },
    flag("phase2_settings.use_fixed_speaking_order", false),
    flag("phase2_settings.finisher_restrictions_active", true),
    choice("phase2_settings.finisher_rule", ["not_last", "neither"]),
    whole("phase2_settings.statement_min_length", 50, { min: 1 }),
    whole("phase2_settings.statement_min_length_cjk", 25, { min: 1 }),
    whole("phase2_settings.statement_validation_retries", 3, { min: 1, max: 10 }),
    whole("phase2_settings.public_history_max_length", 100000, { min: 10000 }),
    whole("phase2_settings.history_statement_max_chars", 300),
    flag("phase2_settings.history_full_last_round", false),
    choice("phase2_settings.no_consensus", ["individual_distribution", "group_distribution", "random_principle"]),
  ] },
  { id: "memory", fields: [
    choice("phase2_settings.memory_management.guidance_style", ["narrative", "structured"]),
    whole("phase2_settings.memory_management.statement_max_length", 300, { min: 1 }),
    flag("phase2_settings.memory_management.enable_truncation", true),
    choice("phase2_settings.discussion_memory_mode", ["append", "llm"]),
    choice("phase2_settings.memory_update_timing", ["per_round", "per_speaker"]),
    flag("selective_memory_updates", true),
    flag("phase2_include_internal_reasoning_in_memory", false),
    whole("phase2_settings.memory_management.reasoning_max_length", 200, { min: 1 }),
  ] },
  { id: "voting", fields: [
    flag("phase2_settings.strict", true),
    { path: "phase2_settings.constraint_tolerance", type: "number", step: "any", min: 0, max: 1, otherwise: 0.05 },
    choice("phase2_settings.initiation_order", ["configuration", "speaking_order"]),
    whole("phase2_settings.voting_retry_limit", 3, { min: 1, max: 10 }),
    whole("phase2_settings.principle_extraction_retries", 3, { min: 1, max: 10 }),
    whole("phase2_settings.amount_extraction_retries", 3, { min: 1, max: 10 }),
    whole("phase2_settings.amount_min", 1000, { min: 1 }),
    whole("phase2_settings.amount_max", 1000000, { min: 100 }),
  ] },
  { id: "time", fields: [
    seconds("statement_timeout", 30),
    seconds("reasoning_timeout", 30),
    seconds("voting_initiation_timeout", 30),
    seconds("voting_confirmation_timeout", 30),
    seconds("voting_secret_ballot_timeout", 45),
    { path: "phase2_settings.voting_retry_backoff_factor", type: "number", step: "any", min: 1, max: 3, otherwise: 1.5 },
  ] },
  { id: "limits", fields: [
    whole("limits.max_calls", null, { min: 1 }),
    whole("limits.max_tokens", null, { min: 1 }),
    whole("limits.max_answer_tokens", 2000, { min: 1 }),
    { path: "limits.calls_at_once", type: "origins" },
  ] },
  { id: "manipulator", fields: [
    { path: "manipulator.name", type: "seat" },
    { path: "manipulator.tiebreak_order", type: "principles" },
  ] },
  { id: "prompts", fields: [] },
];

export const AGENT_FIELDS = [
  { path: "name", type: "text", required: true },
  choice("kind", ["scripted", "model", "human"]),
  { path: "personality", type: "long", required: true, wide: true },
  { path: "model", type: "text", only: "model", list: "models" },
  { path: "base_url", type: "url", only: "model", list: "endpoints" },
  { path: "temperature", type: "number", step: "any", min: 0, max: 2, otherwise: 0.7, only: "model" },
  whole("memory_character_limit", 50000, { min: 1, more: true }),
  { path: "language", type: "choice", options: ["", "english", "spanish", "mandarin"], otherwise: "", more: true },
  { ...flag("reasoning_enabled", true), more: true },
];

/** What the form offers for every protocol; the rest is the justice experiment's. */
const SHARED = new Set(["participants", "limits", "prompts", "title", "language", "seed", ...["max_calls", "max_tokens", "max_answer_tokens", "calls_at_once"].map((name) => `limits.${name}`)]);
const isJustice = (config) => (config.protocol ?? "justice") === "justice";
/** The groups for a configuration: those whose settings have an effect in its protocol. */
export const groupsFor = (config) =>
  isJustice(config) ? GROUPS : GROUPS.map((group) => ({ ...group, fields: group.fields.filter(({ path }) => SHARED.has(path)) })).filter(({ id, fields }) => SHARED.has(id) || fields.length);
/** The same for a participant. */
export const agentFieldsFor = (config) => (isJustice(config) ? AGENT_FIELDS : AGENT_FIELDS.filter(({ path }) => !["memory_character_limit", "reasoning_enabled"].includes(path)));

/** Base URLs of endpoints that can be called from a page and that the page's security policy allows. */
export const ENDPOINTS = ["https://api.openai.com/v1", "https://openrouter.ai/api/v1", "https://generativelanguage.googleapis.com/v1beta/openai",
  "https://api.anthropic.com/v1", "https://api.mistral.ai/v1", "https://api.groq.com/openai/v1", "https://api.deepseek.com/v1", "https://api.x.ai/v1",
  "https://api.together.xyz/v1", "http://localhost:11434/v1", "http://127.0.0.1:8080/v1"];

/** Parts of a path as faults and fields write it: `agents[2].name`, `agents.2.name`. */
export const parts = (path) => String(path).replace(/\[(\w+)\]/g, ".$1").replace(/^[$.]+/, "").split(".").filter(Boolean);

/** The value at a path; undefined if there is none. */
export const read = (config, path) => parts(path).reduce((value, key) => value?.[key], config);

/** Sets the value at a path; `undefined` takes it out, and objects that become empty with it. */
export function write(config, path, value) {
  const keys = parts(path);
  const last = keys.pop();
  const way = [config];
  for (const key of keys) {
    const here = way.at(-1);
    if (typeof here[key] !== "object" || here[key] === null) {
      if (value === undefined) return;
      here[key] = {};
    }
    way.push(here[key]);
  }
  if (value !== undefined) {
    way.at(-1)[last] = value;
    return;
  }
  delete way.at(-1)[last];
  for (let at = way.length - 1; at > 0; at -= 1) {
    if (Array.isArray(way[at]) || Array.isArray(way[at - 1]) || Object.keys(way[at]).length) break;
    delete way[at - 1][keys[at - 1]];
  }
}
