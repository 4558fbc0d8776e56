// Registers the service worker, which keeps the page for visits without network, and tells when a newer version of the
// page has come in beside the one that is shown.
import { h, button, put } from "./dom.js";
import { t } from "./i18n.js";
import { workerUrl } from "./workers.js";

/** Begins, where the browser has such workers; a newer version is told of in `place`. */
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
