// Begins a run with one model in all seats, or opens set-up with it.
import { localised, presetsFor } from "../home.js";

/** What a seat needs to be this model. */
export const seatOf = ({ provider, model, baseUrl }) => ({ kind: "model", provider, model,
  ...(baseUrl && { base_url: baseUrl }) });

/** The first preset of the page's language with the model in every seat that is not a person's. */
async function config(engine, choice) {
  const made = localised(presetsFor(engine.presets())[0]);
  made.agents = made.agents.map((agent) => (agent.kind === "human" ? agent : { ...agent, ...seatOf(choice) }));
  // What seats were allowed to say is the same each time only for programs.
  delete made.seed;
  return made;
}

export async function begin(engine, choice) {
  const id = await engine.create(await config(engine, choice));
  engine.Library.persist().catch(() => {});
  location.hash = `#/run/${id}`;
}

export async function prepare(engine, choice) {
  const { takeDraft } = await import("../setup.js");
  takeDraft(await config(engine, choice));
  location.hash = "#/setup";
}
