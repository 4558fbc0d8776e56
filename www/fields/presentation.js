// How the form shows settings whose kind does not say enough: control, size, label.

const LONG = { type: "long", wide: true };

/** By path without indices. */
export const LOOK = {
  topic: LONG,
  question: { ...LONG, rows: 4, big: true },
  charge: { ...LONG, big: true },
  prosecution: { ...LONG, rows: 4 },
  defence: { ...LONG, rows: 4 },
  evidence: { type: "materials", wide: true },
  rules: { wide: true },
  stop_sequences: { wide: true, escaped: true },
  context: { type: "materials", wide: true },
  sources: { type: "sources", wide: true },
  schedule: { type: "schedule", wide: true },
  ratings: { type: "ratings", wide: true },
  after: { type: "after", wide: true },
  topology_hub_agent: { type: "member" },
  agreement_intensity: { type: "range", ends: ["contradict", "agree"] },
  income_class_probabilities: { type: "classes" },
  "manipulator.name": { type: "seat" },
  "manipulator.tiebreak_order": { type: "principles" },
  "limits.calls_at_once": { type: "origins" },
  "limits.calls_per_minute": { type: "origins" },
  "embeddings.base_url": { type: "text" },
  seed: { unset: "field.random" },
  // Stays visible once set, whatever else changes.
  "agents.kind": { keep: true },
  "agents.role": { keep: true },
  "agents.personality": LONG,
  "agents.provider": { type: "provider" },
  "agents.model": { type: "model" },
  "agents.base_url": { list: "endpoints", more: (agent) => !agent?.base_url && agent?.provider !== "compatible" },
  "agents.fallback": { type: "fallback" },
  "agents.reasoning_effort": { type: "effort" },
  "agents.plays": { type: "plays" },
  // A page that embeds this one may offer further programs.
  "agents.program": { type: "choice", options: ["", "builtin", "gguf", "webllm"] },
  "agents.seed": { unset: "field.notsent" },
};

/** The model of a seat that a program of the page answers for. */
export const IN_PAGE = { type: "text", name: "agent.model.inpage", placeholder: "https://…/model.gguf" };
