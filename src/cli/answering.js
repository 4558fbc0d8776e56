// Who answers in a study. `--scripted` and `--model NAME` change the study itself, so that its registration and its folder name
// who answered.
import { Trouble } from "./trouble.js";

/** Options of the commands that read a study. */
export const ANSWERING = { scripted: { type: "boolean" }, model: { type: "string" } };

/** Kinds of seats that stay as they are. */
const STAY = ["human", "custom", "recorded"];
/** Settings that choose a model, in a seat or in a level. */
const CHOICES = ["kind", "model", "provider", "base_url", "fallback"];
const CHOICE = /^agents(\[.*\])?\.(model|provider|base_url|fallback)$/;

const isObject = (value) => typeof value === "object" && value !== null;
const filtered = (object, keep) => Object.fromEntries(Object.entries(object).filter(([key]) => keep(key)));
const mapped = (object, change) => (isObject(object) ? Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)])) : object);

/**
 * The study with simulated participants, or one model, in all seats but those of people, programs and recordings. Faults of its
 * form are left to its check.
 */
export function answeredBy(file, { scripted, model }) {
  if (scripted && model !== undefined) throw new Trouble("--scripted and --model exclude each other");
  if (!scripted && model === undefined || !isObject(file?.base)) return file;
  const answering = scripted ? { kind: "scripted" } : { kind: "model", model };
  const seat = (one) => (isObject(one) && !STAY.includes(one.kind) ? { ...filtered(one, (key) => !CHOICES.includes(key)), ...answering } : one);
  const seats = (list) => (Array.isArray(list) ? list.map(seat) : list);
  // A level that chose nothing but a model becomes empty; its cell is kept.
  const level = (settings) => {
    if (!isObject(settings)) return settings;
    const left = filtered(settings, (path) => !CHOICE.test(path));
    return "agents" in left ? { ...left, agents: seats(left.agents) } : left;
  };
  const { reader, utility_agent_model, ...base } = file.base;
  return { ...file, base: { ...base, ...(reader && model && { reader: { model } }), agents: seats(base.agents) },
    ...(file.factors && { factors: mapped(file.factors, (levels) => mapped(levels, level)) }) };
}
