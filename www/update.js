// Registers the service worker, which caches the page for offline visits, and shows a notice when a newer version is
// ready.
import { h, button, put } from "./dom.js";
import { t } from "./i18n.js";
import { workerUrl } from "./workers.js";

/** Starts, if the browser has service workers; the notice appears in `place`. */
export async function keepUpToDate(place) {
  const workers = navigator.serviceWorker;
  if (!workers) return;
  const isFirst = !workers.controller;
  let changes = 0;
  workers.addEventListener("controllerchange", () => {
    changes += 1;
    if (isFirst && changes === 1) return;
    put(place,
      h("div", { class: "banner", "data-testid": "update" }, h("p", { class: "banner-text" }, t("update")),
        button(t("update.reload"), () => location.reload(), { testid: "update-reload" })));
  });
  await workers.register(workerUrl(new URL("service-worker.js", document.baseURI).href));
}
