// Starts a run with one model in all seats, or opens the set-up with it.
import { localised, presetsFor } from "../home/presets.js";

/** The settings of a seat with this model. */
export const seatOf = ({ provider, model, baseUrl }) => ({ kind: "model", provider, model,
  ...(baseUrl && { base_url: baseUrl }) });

/** The first preset in the page's language with the model in every seat that is not a person's. */
async function config(engine, choice) {
  const made = localised(presetsFor(engine.presets())[0]);
  made.agents = made.agents.map((agent) => (agent.kind === "human" ? agent : { ...agent, ...seatOf(choice) }));
  // A seed makes only scripted seats repeatable.
  delete made.seed;
  return made;
}

export async function startRun(engine, choice) {
  const id = await engine.create(await config(engine, choice));
  engine.Library.persist().catch(() => {});
  location.hash = `#/run/${id}`;
}

export async function prepare(engine, choice) {
  const { takeDraft } = await import("../setup.tsx");
  takeDraft(await config(engine, choice));
  location.hash = "#/setup";
}
