// The page's scripts as workers, for long work while the page stays responsive. The page's policy requires that their
// addresses come from here.
const policy = globalThis.trustedTypes?.createPolicy("quorate-worker", { createScriptURL: (url) => url });

/** The address in the form that workers take. */
export const workerUrl = (url) => (policy ? policy.createScriptURL(url) : url);

/**
 * Posts one message to a worker and resolves with its answer: `{ made }`, or `{ error }` in words. The worker is used
 * once.
 */
export function runWorker(url, message) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(workerUrl(url), { type: "module" });
    worker.addEventListener("message", ({ data: { made, error } }) => {
      worker.terminate();
      if (error === undefined) resolve(made);
      else reject(new Error(error));
    });
    worker.addEventListener("error", (event) => {
      worker.terminate();
      reject(new Error(event.message));
    });
    worker.postMessage(message);
  });
}
