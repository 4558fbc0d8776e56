// The settings of the justice experiment that the form offers, in groups.
import { flag, whole, real, choice, agentFields, LANGUAGE, TITLE, CONDITION, SEED, ANSWERS, PARTICIPANTS, LAST_GROUPS, PROMPTS } from "./kinds.js";

const seconds = (name, otherwise) => real(`phase2_settings.${name}`, otherwise, 10, 600, { unit: "seconds" });

export const groups = [
  { id: "experiment", open: true, fields: [
    TITLE, CONDITION, LANGUAGE,
    choice("profile", ["default", "compat"]),
    SEED,
    flag("include_experiment_explanation", true),
    flag("include_experiment_explanation_each_turn", false),
    { ...ANSWERS, when: ({ profile }) => profile !== "compat" },
  ] },
  PARTICIPANTS,
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
    real("phase2_settings.constraint_tolerance", 0.05, 0, 1),
    choice("phase2_settings.initiation_order", ["configuration", "speaking_order"]),
    whole("phase2_settings.voting_retry_limit", 3, { min: 1, max: 10 }),
    whole("phase2_settings.principle_extraction_retries", 3, { min: 1, max: 10 }),
    whole("phase2_settings.amount_extraction_retries", 3, { min: 1, max: 10 }),
    whole("phase2_settings.amount_min", 1000, { min: 1 }),
    whole("phase2_settings.amount_max", 1000000, { min: 1001 }),
  ] },
  { id: "time", fields: [
    seconds("statement_timeout", 30),
    seconds("reasoning_timeout", 30),
    seconds("voting_initiation_timeout", 30),
    seconds("voting_confirmation_timeout", 30),
    seconds("voting_secret_ballot_timeout", 45),
    real("phase2_settings.voting_retry_backoff_factor", 1.5, 1, 3),
  ] },
  ...LAST_GROUPS,
  { id: "manipulator", fields: [
    { path: "manipulator.name", type: "seat" },
    { path: "manipulator.tiebreak_order", type: "principles" },
  ] },
  PROMPTS,
];

export const agents = agentFields([], { personality: { required: true }, more: [
  whole("memory_character_limit", 50000, { min: 1, more: true }),
  flag("reasoning_enabled", true, { more: true }),
] });
