// Buttons that save sessions as files. What is stored, a worker reads and writes: tables of a long run are a hundred
// megabytes, and the page stays at hand.
import { h, button, put } from "./dom.js";
import { t } from "./i18n.js";
import { download } from "./engine.js";
import { file } from "./files.js";
import { work } from "./workers.js";

/** The tables for statistics, all in one archive first. */
const TABLES = ["zip", "runs", "seats", "decisions", "utterances", "asks"];
const WHOLE = ["json", "jsonl", "md", "published"];

/** A stored session by its id, or several, as a file of a format. */
const ofStored = (which) => (format) => work(file("exports_worker.js"), [which, format]);
/** An open session as a file; one that is not stored, or not to its end, as this tab has it. */
const ofOpen = (lab) =>
(
  format,
) => (lab.unstored || lab.status.storage ? lab.session.export(format) : ofStored(lab.session.id)(format));
/** An open session, or the id of a stored one. */
const maker = (one) => (typeof one === "string" ? ofStored(one) : ofOpen(one));

/** One button per format; `make(format)` gives the file. */
function buttons(formats, make, said) {
  return h("div", { class: "row" }, formats.map((format) =>
    button(t(`export.${format}`), async () => {
      try {
        const file = await make(format);
        download(file);
        put(said, t("export.done", { name: file.name }));
      } catch (error) {
        put(said, t("export.failed"), " ", h("span", { lang: "en" }, error.message));
      }
    }, { testid: `export-${format}`, title: t(`export.${format}.help`) })
  ));
}

/** All formats of a session: an open one, or the id of a stored one. */
export function exportButtons(one, protocol = "justice") {
  const make = maker(one);
  const said = h("p", { class: "said", role: "status" });
  return h("div", { class: "exports" },
    buttons(WHOLE.filter((format) => format !== "published" || protocol === "justice"), make, said),
    h("p", { class: "quiet" }, t("export.tables")), buttons(TABLES, make, said), said);
}

/** The same behind one word. */
export const exportMenu = (one, protocol) => menu(t("export"), exportButtons(one, protocol));

/** The tables of any number of sessions behind a word; `what` says of which. */
export function tablesMenu(chosen, what) {
  const said = h("p", { class: "said", role: "status" });
  return menu(t("export.these"),
    h("div", { class: "exports" }, what, buttons(TABLES, (format) => ofStored(chosen())(format), said), said),
    "export-these");
}

function menu(word, content, testid) {
  const node = h("details", { class: "menu", on: {
    keydown: (event) => {
      if (event.key !== "Escape" || !node.open) return;
      node.open = false;
      node.firstChild.focus();
    },
    focusout: (event) => {
      if (event.relatedTarget && !node.contains(event.relatedTarget)) node.open = false;
    },
  } }, h("summary", { class: "button", "data-testid": testid }, word), content);
  return node;
}
