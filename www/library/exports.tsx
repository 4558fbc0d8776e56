// Buttons that save sessions as files. A worker reads and writes stored sessions: tables of a long run are a hundred
// megabytes, and the page must stay responsive.
import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { confirmDialog } from "../dialog.tsx";
import { Button } from "../elements.tsx";
import { acquire, download, release } from "../engine.js";
import { file } from "../files.js";
import { t } from "../i18n.js";
import { failed, Notice, type Message, useMessage } from "../notice.tsx";
import { isHidden, recordLook } from "../visibility.js";
import { runWorker } from "../workers.js";

type Lab = Awaited<ReturnType<typeof acquire>>;
/** What is known of a stored session. */
export interface Summary {
  id: string;
  state: string;
  protocol: string | undefined;
  seats: { name: string; kind?: string }[];
}
type Options = { [name: string]: unknown };
/** Makes a file in a format. */
type Make = (format: string, options: Options) => Promise<Parameters<typeof download>[0]>;

/** The tables for statistics, all in one archive first. */
const TABLES = ["zip", "runs", "seats", "decisions", "utterances", "asks"];
const WHOLE = ["json", "jsonl", "md", "published"];

/** Of stored sessions: an id, or several. */
const ofStored = (which: string | string[]): Make => (format, options) =>
  runWorker(file("exports_worker.js"), [which, format, options]);
/** Of an open session; from this tab's memory if it is not stored completely. */
const ofOpen = (lab: Lab): Make => (format, options) =>
  lab.unstored || lab.status.storage
    ? lab.session.export(format, options)
    : ofStored(lab.session.id)(format, options);
/** The library's summary of an open session. */
const summaryOf = ({ session, status, view }: Lab): Summary => ({ id: session.id, state: status.state,
  protocol: view.head?.protocol, seats: [...view.people.values()] });

/** Asks before private data of people at the table is exported, which the record then notes. */
async function mayWrite(all: Summary[]) {
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

interface Formats {
  formats: string[];
  make: Make;
  chosen: () => Summary[];
  setMessage: (message: Message) => void;
  options?: Options;
}

/** One button per format. */
function Formats({ formats, make, chosen, setMessage, options = {} }: Formats) {
  const save = async (format: string) => {
    try {
      if (!(await mayWrite(chosen()))) return;
      const made = await make(format, options);
      download(made);
      setMessage({ text: t("export.done", { name: made.name }) });
    } catch (error) {
      setMessage({ ...failed("export.failed", error), isGood: undefined });
    }
  };
  return (
    <div class="row">
      {formats.map((format) => (
        <Button key={format} data-testid={`export-${format}`} title={t(`export.${format}.help`)}
          onClick={() => save(format)}>
          {t(`export.${format}`)}
        </Button>
      ))}
    </div>
  );
}

/** The tables of sessions, and how they are written. */
function Tables(formats: Omit<Formats, "formats" | "options">) {
  const [{ spreadsheet, prompts }, choose] = useState({ spreadsheet: false, prompts: false });
  const options = { blob: true, ...(spreadsheet && { spreadsheet: navigator.language }),
    ...(prompts && { prompts: true }) };
  const tick = (name: "spreadsheet" | "prompts") => (
    <label class="tickbox">
      <input type="checkbox" data-testid={`export-${name}`}
        onChange={({ currentTarget }) => choose((now) => ({ ...now, [name]: currentTarget.checked }))} />
      <span>{t(`export.${name}`)}</span>
    </label>
  );
  return (
    <>
      <Formats {...formats} formats={TABLES} options={options} />
      <div class="row">{tick("spreadsheet")}{tick("prompts")}</div>
    </>
  );
}

/** All formats of a session: an open one, or the summary of a stored one. */
export function Exports({ of }: { of: Lab | Summary }) {
  const [message, setMessage] = useMessage();
  const isOpen = "session" in of;
  const chosen = () => [isOpen ? summaryOf(of) : of];
  const isJustice = (chosen()[0]?.protocol ?? "justice") === "justice";
  const formats = { make: isOpen ? ofOpen(of) : ofStored(of.id), chosen, setMessage };
  return (
    <div class="exports">
      <Formats {...formats} formats={WHOLE.filter((format) => format !== "published" || isJustice)} />
      <p class="quiet">{t("export.tables")}</p>
      <Tables {...formats} />
      <Notice message={message} role="status" />
    </div>
  );
}

/** The same in a menu. */
export const ExportMenu = ({ of }: { of: Lab | Summary }) => (
  <Menu word={t("export")}>
    <Exports of={of} />
  </Menu>
);

/** A menu with tables of several sessions. */
export function TablesMenu({ sessions }: { sessions: Summary[] }) {
  const [message, setMessage] = useMessage();
  return (
    <Menu word={t("export.these")} testid="export-these">
      <div class="exports">
        <p class="quiet">{t("export.shown", { n: sessions.length })}</p>
        <Tables make={ofStored(sessions.map(({ id }) => id))} chosen={() => sessions} setMessage={setMessage} />
        <Notice message={message} role="status" />
      </div>
    </Menu>
  );
}

function Menu({ word, testid, children }: { word: string; testid?: string; children: ComponentChildren }) {
  const place = useRef<HTMLDetailsElement>(null);
  const close = () => (place.current!.open = false);
  const closeByKey = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || !place.current!.open) return;
    close();
    place.current!.querySelector("summary")!.focus();
  };
  const closeBehind = ({ relatedTarget: to }: FocusEvent) => {
    if (to instanceof Element && !place.current!.contains(to) && !to.closest("dialog")) close();
  };
  return (
    <details ref={place} class="menu" onKeyDown={closeByKey} onFocusOut={closeBehind}>
      <summary class="button" data-testid={testid}>{word}</summary>
      {children}
    </details>
  );
}
