// Buttons that save a session as a file.
import { h, button, put } from "./dom.js";
import { t } from "./i18n.js";
import { download } from "./engine.js";

export const FORMATS = ["json", "jsonl", "csv", "md", "published"];

/** One button per format; `make(format)` gives the file. */
export function exportButtons(make, protocol = "justice") {
  const said = h("p", { class: "said", role: "status" });
  return h("div", { class: "exports" }, h("div", { class: "row" }, FORMATS.filter((format) => format !== "published" || protocol === "justice").map((format) => button(t(`export.${format}`), async () => {
    try {
      const file = await make(format);
      download(file);
      put(said, t("export.done", { name: file.name }));
    } catch (error) {
      put(said, t("export.failed"), " ", h("span", { lang: "en" }, error.message));
    }
  }, { testid: `export-${format}`, title: t(`export.${format}.help`) }))), said);
}

/** The same behind one word. */
export function exportMenu(make, protocol) {
  const menu = h("details", { class: "menu", on: {
    keydown: (event) => {
      if (event.key !== "Escape" || !menu.open) return;
      menu.open = false;
      menu.firstChild.focus();
    },
    focusout: (event) => {
      if (event.relatedTarget && !menu.contains(event.relatedTarget)) menu.open = false;
    },
  } }, h("summary", { class: "button" }, t("export")), exportButtons(make, protocol));
  return menu;
}
