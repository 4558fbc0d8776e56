// Buttons that save sessions as files. What is stored, a worker reads and writes: tables of a long run are a hundred
// megabytes, and the page stays at hand.
import { h, button, put } from "./dom.js";
import { t } from "./i18n.js";
import { acquire, download, release } from "./engine.js";
import { file } from "./files.js";
import { work } from "./workers.js";
import { confirmDialog } from "./dialog.js";
import { isHidden, lookedAt } from "./visibility.js";

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
/** An open session as the library has it. */
const summary = ({ session, status, view }) => ({ id: session.id, state: status.state, protocol: view.head?.protocol,
  seats: [...view.people.values()] });

/** Whether these may be written to a file: what people at a table keep to themselves is looked at by that, and so noted. */
async function mayWrite(all) {
  const hidden = all.filter(isHidden);
  if (!hidden.length) return true;
  if (!(await confirmDialog(t("export.hidden"), t("export.hidden.text"), t("export")))) return false;
  for (const { id } of hidden) {
    const lab = await acquire(id);
    lookedAt(lab);
    await release(lab);
  }
  return true;
}

/** One button per format; `make(format)` gives the file of what `chosen()` tells. */
function buttons(formats, make, said, chosen) {
  return h("div", { class: "row" }, formats.map((format) =>
    button(t(`export.${format}`), async () => {
      try {
        if (!(await mayWrite(chosen()))) return;
        const file = await make(format);
        download(file);
        put(said, t("export.done", { name: file.name }));
      } catch (error) {
        put(said, t("export.failed"), " ", h("span", { lang: "en" }, error.message));
      }
    }, { testid: `export-${format}`, title: t(`export.${format}.help`) })
  ));
}

/** All formats of a session: an open one, or what the library knows of a stored one. */
export function exportButtons(one) {
  const chosen = () => [one.session ? summary(one) : one];
  const [{ protocol = "justice" }] = chosen();
  const make = one.session ? ofOpen(one) : ofStored(one.id);
  const said = h("p", { class: "said", role: "status" });
  return h("div", { class: "exports" },
    buttons(WHOLE.filter((format) => format !== "published" || protocol === "justice"), make, said, chosen),
    h("p", { class: "quiet" }, t("export.tables")), buttons(TABLES, make, said, chosen), said);
}

/** The same behind one word. */
export const exportMenu = (one) => menu(t("export"), exportButtons(one));

/** The tables of any number of sessions behind a word; `what` says of which. */
export function tablesMenu(chosen, what) {
  const said = h("p", { class: "said", role: "status" });
  return menu(t("export.these"),
    h("div", { class: "exports" }, what,
      buttons(TABLES, (format) => ofStored(chosen().map(({ id }) => id))(format), said, chosen), said), "export-these");
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
