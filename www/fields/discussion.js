// The settings of a discussion that the form offers, in groups.
import { flag, whole, real, choice, agentFields, LANGUAGE, TITLE, CONDITION, SEED, ANSWERS, BACKOFF, PARTICIPANTS, LAST_GROUPS, PROMPTS } from "./kinds.js";

export const groups = [
  { id: "topic", open: true, fields: [
    { path: "topic", type: "long", rows: 2, wide: true },
    { path: "rules", type: "lines", rows: 3, wide: true },
    TITLE, CONDITION, LANGUAGE,
    choice("start", ["message", "at_once"]),
    { ...ANSWERS, more: true },
    { ...SEED, more: true },
  ] },
  PARTICIPANTS,
  { id: "turns", fields: [
    whole("rounds", 3, { min: 1, max: 1000 }),
    whole("turns_per_call", 20, { min: 1, max: 10000 }),
    flag("require_closing_message", false),
    whole("max_lines", null, { max: 10000 }),
    whole("history_window", 10, { max: 10000 }),
    { path: "stop_sequences", type: "lines", rows: 3, escaped: true, otherwise: ["[", "\n\n", "Speaker:"], more: true, wide: true },
  ] },
  { id: "patience", fields: [
    real("turn_timeout", 60, 10, 600, { unit: "seconds" }),
    whole("timeout_tries", 3, { min: 1, max: 10 }),
    { ...BACKOFF, more: false },
  ] },
  ...LAST_GROUPS,
  PROMPTS,
];

export const agents = agentFields([{ path: "role", name: "role.discussion", type: "choice", options: ["manager", "leader", "specialist", "user"], otherwise: (kind) => (kind === "human" ? "user" : "specialist"), keep: true }], { model: "llama-3.1-8b-instant", temperature: 0.2 });
