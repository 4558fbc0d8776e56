// Buttons that save sessions as files. A worker reads and writes stored sessions: tables of a long run are a hundred
// megabytes, and the page must stay responsive.
import { h, button, put } from "./dom.js";
import { t } from "./i18n.js";
import { acquire, download, release } from "./engine.js";
import { file } from "./files.js";
import { runWorker } from "./workers.js";
import { confirmDialog } from "./dialog.js";
import { isHidden, recordLook } from "./visibility.js";

/** The tables for statistics, all in one archive first. */
const TABLES = ["zip", "runs", "seats", "decisions", "utterances", "asks"];
const WHOLE = ["json", "jsonl", "md", "published"];

/** Makes a file of stored sessions: an id, or several. */
const ofStored = (which) => (format, options) => runWorker(file("exports_worker.js"), [which, format, options]);
/** Makes a file of an open session; from this tab's memory if it is not stored completely. */
const ofOpen = (lab) => (format, options) => (lab.unstored || lab.status.storage
  ? lab.session.export(format, options)
  : ofStored(lab.session.id)(format, options));
/** The library's summary of an open session. */
const summary = ({ session, status, view }) => ({ id: session.id, state: status.state, protocol: view.head?.protocol,
  seats: [...view.people.values()] });

/** Asks before private data of people at the table is exported, which the record then notes. */
async function mayWrite(all) {
  const hidden = all.filter(isHidden);
  if (!hidden.length) return true;
  if (!(await confirmDialog(t("export.hidden"), t("export.hidden.text"), t("export")))) return false;
  for (const { id } of hidden) {
    const lab = await acquire(id);
    recordLook(lab);
    await release(lab);
  }
  return true;
}

/** Options of tables: `{ node, read }`. */
function tableOptions() {
  const tick = (name) => {
    const box = h("input", { type: "checkbox", "data-testid": `export-${name}` });
    return [box, h("label", { class: "tickbox" }, box, h("span", null, t(`export.${name}`)))];
  };
  const [spreadsheet, forSheets] = tick("spreadsheet");
  const [prompts, withPrompts] = tick("prompts");
  return { node: h("div", { class: "row" }, forSheets, withPrompts),
    read: () => ({ blob: true, ...(spreadsheet.checked && { spreadsheet: navigator.language }),
      ...(prompts.checked && { prompts: true }) }) };
}

/** One button per format; `make(format, options)` makes the file of the sessions in `chosen()`. */
function buttons(formats, make, notice, chosen, options = () => ({})) {
  return h("div", { class: "row" }, formats.map((format) =>
    button(t(`export.${format}`), async () => {
      try {
        if (!(await mayWrite(chosen()))) return;
        const file = await make(format, options());
        download(file);
        put(notice, t("export.done", { name: file.name }));
      } catch (error) {
        put(notice, t("export.failed"), " ", h("span", { lang: "en" }, error.message));
      }
    }, { testid: `export-${format}`, title: t(`export.${format}.help`) })
  ));
}

/** All formats of a session: an open one, or the summary of a stored one. */
export function exportButtons(one) {
  const chosen = () => [one.session ? summary(one) : one];
  const [{ protocol = "justice" }] = chosen();
  const make = one.session ? ofOpen(one) : ofStored(one.id);
  const notice = h("p", { class: "said", role: "status" });
  const ofTables = tableOptions();
  return h("div", { class: "exports" },
    buttons(WHOLE.filter((format) => format !== "published" || protocol === "justice"), make, notice, chosen),
    h("p", { class: "quiet" }, t("export.tables")), buttons(TABLES, make, notice, chosen, ofTables.read), ofTables.node,
    notice);
}

/** The same in a menu. */
export const exportMenu = (one) => menu(t("export"), exportButtons(one));

/** A menu with tables of several sessions; `what` describes them. */
export function tablesMenu(chosen, what) {
  const notice = h("p", { class: "said", role: "status" });
  const options = tableOptions();
  const make = (format, given) => ofStored(chosen().map(({ id }) => id))(format, given);
  return menu(t("export.these"),
    h("div", { class: "exports" }, what, buttons(TABLES, make, notice, chosen, options.read), options.node, notice),
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
      const to = event.relatedTarget;
      if (to && !node.contains(to) && !to.closest("dialog")) node.open = false;
    },
  } }, h("summary", { class: "button", "data-testid": testid }, word), content);
  return node;
}
