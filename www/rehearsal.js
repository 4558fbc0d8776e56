// The engine's forecast of a configuration. It rehearses whole runs, so a worker does it, and the page stays at hand.
import { file } from "./files.js";
import { work } from "./workers.js";

/** What a run may come to (`Forecast`); rejects where the configuration has faults or there are no workers. */
export const foretell = (config) => work(file("rehearsal_worker.js"), config);
