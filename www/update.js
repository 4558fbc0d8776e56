// Registers the service worker, which caches the page for offline visits.
import { workerUrl } from "./workers.js";

/** Starts, if the browser has service workers; `onNewer` is called when a newer version is ready. */
export async function keepUpToDate(onNewer) {
  const workers = navigator.serviceWorker;
  if (!workers) return;
  const isFirst = !workers.controller;
  let changes = 0;
  workers.addEventListener("controllerchange", () => {
    changes += 1;
    if (!isFirst || changes > 1) onNewer();
  });
  await workers.register(workerUrl(new URL("service-worker.js", document.baseURI).href));
}
