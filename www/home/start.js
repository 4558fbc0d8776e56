// Starts ready-made sessions: those of the doors, and those of the list.
import { localised, loadPresets, presetsFor } from "./presets.js";

const forClass = (presets) => localised(presets.find(({ id }) => id === "class-justice"));
/** The first run agrees after one round, so that all of it is seen in some minutes. */
const FIRST = { English: 3, Spanish: 3, Mandarin: 4 };

/** Five programs with the short experiment of classes. */
export function watched(presets) {
  const { agents, title, language } = localised(presetsFor(presets)[0]);
  return { ...forClass(presets), agents, title, language, seed: FIRST[language] };
}

/** One seat for the person at the screen; programs take the others. */
export function played(presets) {
  const config = forClass(presets);
  config.agents.forEach((agent, at) => at > 0 && delete agent.kind);
  return config;
}

/**
 * Makes a session and opens it. `choose(presets)` returns its configuration.
 * @param {Promise<typeof import("../engine.js")>} starting
 */
export async function start(starting, choose) {
  const [engine, presets] = await Promise.all([starting, loadPresets()]);
  const config = choose(presets);
  // The first run is the same everywhere; further ones differ.
  if ((await engine.Library.list().catch(() => [])).length) delete config.seed;
  const id = await engine.create(config);
  engine.Library.persist().catch(() => {});
  location.hash = `#/run/${id}`;
}
