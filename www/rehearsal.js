// The engine's forecast of a configuration or a study. It simulates whole runs, so a worker does it to keep the page responsive.
import { file } from "./files.js";
import { runWorker } from "./workers.js";

/** The forecast (`Forecast`); rejects if the configuration has faults or there are no workers. */
export const foretell = (config) => runWorker(file("rehearsal_worker.js"), { config });
/** The forecast of a study (`StudyForecast`). */
export const foretellStudy = (study) => runWorker(file("rehearsal_worker.js"), { study });
