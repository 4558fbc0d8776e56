// The engine's forecast of a configuration. It rehearses whole runs, so a worker does it, and the page stays at hand.
import { file } from "./files.js";
import { workerUrl } from "./workers.js";

/** What a run may come to (`Forecast`); rejects where the configuration has faults or there are no workers. */
export function foretell(config) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(workerUrl(file("rehearsal_worker.js")), { type: "module" });
    worker.addEventListener("message", ({ data: { forecast, error } }) => {
      worker.terminate();
      if (forecast) resolve(forecast);
      else reject(new Error(error));
    });
    worker.addEventListener("error", (event) => reject(new Error(event.message)));
    worker.postMessage(config);
  });
}
