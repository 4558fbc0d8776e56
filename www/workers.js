// This page's own scripts as workers, which do what takes long while the page stays at hand. The page's policy wants
// their addresses to come from here.
const policy = globalThis.trustedTypes?.createPolicy("quorate-worker", { createScriptURL: (url) => url });

/** The address as workers take it. */
export const workerUrl = (url) => (policy ? policy.createScriptURL(url) : url);

/** What a worker says to the one thing that it is given: `{ made }`, or `{ error }` in words. It is for this once. */
export function work(url, given) {
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
    worker.postMessage(given);
  });
}
