// The settings of a debate that the form offers, in groups. Fields with a `probe` wait for an engine that knows them.
import { flag, whole, real, choice, agentFields, LANGUAGE, TITLE, CONDITION, SEED, ANSWERS, BACKOFF, PARTICIPANTS, LAST_GROUPS, PROMPTS } from "./kinds.js";

const detects = (config) => config.convergence_detection !== false;
const counts = ({ consensus }) => !["any", "none", "unanimous"].includes(consensus);
const isSparse = ({ topology }) => ["sparse", "random-graph", "adaptive"].includes(topology);

export const groups = [
  { id: "question", open: true, fields: [
    { path: "question", type: "long", rows: 4, wide: true, required: true, big: true },
    TITLE, CONDITION, LANGUAGE,
    { path: "domain", type: "text", probe: "general" },
    { path: "context", type: "materials", wide: true },
    whole("context_tokens", 4500, { min: 500, max: 50000, more: true, probe: 4500 }),
    { path: "sources", type: "sources", wide: true, probe: [{ kind: "knowledge" }] },
    { ...ANSWERS, more: true },
    { ...SEED, more: true },
  ] },
  PARTICIPANTS,
  { id: "schedule", fields: [
    { path: "schedule", type: "schedule", wide: true },
    whole("max_extended_rounds", 3, { max: 12 }),
    flag("recritique_each_revision", true),
    choice("topology", ["all-to-all", "sparse", "round-robin", "ring", "star", "random-graph", "adaptive"]),
    real("topology_sparsity", 0.5, 0, 1, { when: isSparse }),
    { path: "topology_hub_agent", type: "member", when: ({ topology }) => topology === "star" },
    whole("team_size", null, { min: 2, probe: 2 }),
  ] },
  { id: "convergence", fields: [
    flag("convergence_detection", true),
    real("convergence_threshold", 0.85, 0, 1, { when: detects }),
    choice("convergence_metric", ["inter_agent", "self_stability", "both"], { when: detects, otherwise: ({ schedule }) => (schedule === "classic" ? "self_stability" : "inter_agent") }),
    real("divergence_threshold", 0.4, 0, 1, { when: detects, more: true }),
    flag("early_stopping", true, { probe: true }),
    { path: "embeddings.model", type: "text", when: detects, more: true },
    { path: "embeddings.base_url", type: "text", when: detects, more: true },
  ] },
  { id: "decision", fields: [
    choice("consensus", ["judge", "majority", "supermajority", "unanimous", "weighted", "any", "none", "byzantine"]),
    real("consensus_threshold", 0.6, 0, 1, { when: counts }),
    choice("judge_selection", ["random", "last", "elo_ranked", "calibrated"], { maybe: ["voted"] }),
    flag("failed_is_dissent", true, { more: true }),
    real("min_participation_ratio", 0.5, 0, 1, { more: true }),
    whole("min_participation_count", 2, { max: 100, more: true }),
    { path: "ratings", type: "ratings", more: true, wide: true },
  ] },
  { id: "manner", fields: [
    { path: "agreement_intensity", type: "range", min: 0, max: 10, otherwise: 5, ends: ["contradict", "agree"] },
    flag("role_rotation", true),
    flag("enable_trickster", true),
    real("trickster_sensitivity", 0.7, 0, 1, { when: ({ enable_trickster }) => enable_trickster !== false }),
    flag("enable_rhetorical_observer", true),
  ] },
  { id: "after", fields: [{ path: "after", type: "after", wide: true }] },
  { id: "patience", fields: [
    real("timeout_seconds", 120, 10, 600, { unit: "seconds" }),
    BACKOFF,
    whole("at_once.proposals", 5, { min: 1, max: 100, more: true }),
    whole("at_once.critiques", 15, { min: 1, max: 100, more: true }),
    whole("at_once.revisions", 5, { min: 1, max: 100, more: true }),
  ] },
  ...LAST_GROUPS,
  PROMPTS,
];

export const agents = agentFields([
  choice("role", ["proposer", "synthesizer", "critic", "judge"], { name: "role.debate" }),
  choice("stance", ["neutral", "affirmative", "negative"]),
]);

/** What is done in a round, in the order of the usual schedule. */
export const ROUND_KINDS = ["context", "propose", "critique", "revise", "refine", "vote", "judge"];
