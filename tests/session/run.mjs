// All cases by name, as `async () => {}`; in Node.js and in any browser.
import * as sessions from "./cases.mjs";
import { use } from "./lab.mjs";
import * as memories from "./memory_cases.mjs";

/** Cases that run without IndexedDB. */
export const { inMemory } = sessions;
export const cases = { ...inMemory, ...sessions.onIndexedDb, ...memories.onIndexedDb };

/** Runs a case with the package's module; rejects with what is wrong. */
export async function runCase(name, module) {
  use(module, name);
  try {
    await cases[name]();
  } catch (error) {
    const detail = JSON.stringify(error?.detail ?? null).slice(0, 600);
    throw new Error(`${name}: ${error?.code ?? ""} ${error?.message ?? error} ${detail}\n${error?.stack ?? ""}`, { cause: error });
  }
}
