// The sessions stored in this browser: open, resume, replay, branch, export, rename, delete; and import of files.
import type { ComponentChildren } from "preact";
import { confirmDialog, promptDialog } from "../dialog.tsx";
import { Button, drawing } from "../elements.tsx";
import { protocols } from "../fields.js";
import { list as listOf, moment, number, t } from "../i18n.js";
import { FileButton, Notice, type Message } from "../notice.tsx";
import { outcomeOf } from "../outcome.js";
import { Avatar } from "../participants.tsx";
import { keptRooms, tableOf } from "../rooms/stored-rooms.js";
import { storedStudy, studyIds, studyOfRun } from "../study/stored-studies.js";
import { folded } from "../text.js";
import { textOf } from "../text-file.js";
import { ExportMenu, type Summary, TablesMenu } from "./exports.tsx";

type Engine = typeof import("../engine.js");
interface Session extends Summary {
  title?: string;
  condition?: string;
  seed?: unknown;
  config_hash?: string;
  language: string;
  updated: number;
  entries: number;
  engine?: string;
  outcome?: unknown;
}
interface Room {
  id: string;
  title?: string;
  opened: number;
  closed?: boolean;
}
/** What is sought: `text` as it is typed. */
interface Wanted {
  protocol: string;
  state: string;
  text: string;
}

/** Bytes in storage. */
interface Space {
  usage?: number | null;
  quota?: number | null;
}

/** All that the view shows. */
interface Shown {
  sessions: Session[];
  /** Including closed ones, which still store names and ids. */
  rooms: Room[];
  /** Why nothing can be read. */
  trouble?: unknown;
  space?: Space;
  wanted: Wanted;
  /** Ids of selected sessions. */
  picked: Set<string>;
  message: Message;
}
interface Actions {
  change(change: Partial<Shown>): void;
  take(file: File): void;
  rename(session: Session): void;
  remove(session: Session): void;
  removeRoom(room: Room): void;
  version: string;
}

const titleOf = ({ title }: { title?: string }) => title || t("untitled");
const wordsOf = (one: Session) =>
  folded(
    [one.id, one.title, one.condition, one.seed, outcomeOf(one), ...one.seats.map((seat) => seat.name), one.config_hash]
      .filter((part) => part !== undefined && part !== null).join("\n"),
  );

function found(sessions: Session[], { protocol, state, text }: Wanted) {
  const words = folded(text).split(/\s+/).filter(Boolean);
  const studies = studyIds();
  return sessions.filter((one) =>
    isShown(one, studies, words) && (!protocol || one.protocol === protocol) && (!state || one.state === state)
    && words.every((word) => wordsOf(one).includes(word))
  );
}

/** The runs of studies are shown where they are sought by the name of the study. */
const isShown = ({ id }: Session, studies: string[], words: string[]) => {
  const study = studyOfRun(studies, id);
  return !study || words.some((word) => word.startsWith(study));
};

/** The filters, and what is done with the sessions that are shown or selected. */
function Filters(
  { shown: { sessions, wanted, picked }, seen, actions }: { shown: Shown; seen: Session[]; actions: Actions },
) {
  const chosen = picked.size ? seen.filter(({ id }) => picked.has(id)) : seen;
  const want = (change: Partial<Wanted>) => actions.change({ wanted: { ...wanted, ...change } });
  const choice = (name: "protocol" | "state", options: string[], word: (option: string) => string) => (
    <select aria-label={t(`library.by.${name}`)} data-testid={`library-${name}`} value={wanted[name]}
      onChange={({ currentTarget }) =>
        want({ [name]: currentTarget.value })}>
      <option value="">{t(`library.by.${name}`)}</option>
      {options.map((option) => <option key={option} value={option}>{word(option)}</option>)}
    </select>
  );
  return (
    <div class="row filters" role="search" hidden={sessions.length < 2}>
      <label for="library-find" class="sr-only">{t("library.find")}</label>
      <input type="search" id="library-find" placeholder={t("library.find")} data-testid="library-find"
        value={wanted.text} onInput={({ currentTarget }) => want({ text: currentTarget.value })} />
      {choice("protocol", protocols(), (name) => t(`protocol.${name}`))}
      {choice("state", ["ended", "unfinished"], (name) => t(`library.${name}`))}
      <output class="quiet" data-testid="library-count">
        {seen.length < sessions.length && t("library.found", { n: seen.length, of: sessions.length })}
      </output>
      {chosen.length > 0 && <TablesMenu sessions={chosen} />}
      <span class="quiet" role="status">{picked.size > 0 && t("library.picked", { n: picked.size })}</span>
    </div>
  );
}

const Rooms = ({ rooms, remove }: { rooms: Room[]; remove: (room: Room) => void }) => (
  <ul class="plain list" hidden={!rooms.length}>
    {rooms.map((room) => (
      <li key={room.id} data-testid="kept-room">
        <a href={`#/room/${encodeURIComponent(room.id)}`}>{titleOf(room)}</a>{" "}
        <span class="quiet">
          {[t("room.title"), moment(room.opened), room.closed && t("room.over")].filter(Boolean).join(" · ")}
        </span>
        {room.closed && <Delete title={titleOf(room)} onClick={() => remove(room)} />}
      </li>
    ))}
  </ul>
);

const Studies = () => {
  const ids = studyIds();
  return (
    <ul class="plain list" hidden={!ids.length}>
      {ids.map((id) => (
        <li key={id} data-testid="kept-study">
          <a href={`#/study/${id}`}>{storedStudy(id)?.file.title || id}</a> <span class="quiet">{t("study.kind")}</span>
        </li>
      ))}
    </ul>
  );
};

const Delete = ({ title, onClick }: { title: string; onClick: () => void }) => (
  <Button kind="quiet" data-testid="delete" aria-label={`${t("library.delete")}: ${title}`} onClick={onClick}>
    {t("library.delete")}
  </Button>
);

function Card(
  { one, shown: { sessions, rooms, picked, wanted }, isHidden, actions }: { one: Session; shown: Shown;
    isHidden: boolean; actions: Actions },
) {
  const alike = one.config_hash ? sessions.filter((other) => other.config_hash === one.config_hash).length : 1;
  const title = titleOf(one);
  const isOver = one.state === "ended";
  const at: { room: Room; table: number } | null | undefined = tableOf(rooms, one.id);
  const goesOn = !isOver && (!one.engine || one.engine === actions.version);
  const pick = (is: boolean) => {
    const next = new Set(picked);
    if (is) next.add(one.id);
    else next.delete(one.id);
    actions.change({ picked: next });
  };
  const facts = [t(`protocol.${one.protocol}`), one.condition && t("library.condition", { condition: one.condition }),
    one.seed !== undefined && t("library.seed", { seed: String(one.seed) }), t(`language.${one.language}`),
    moment(one.updated), t("library.entries", { n: one.entries })];
  return (
    <li class="session" data-testid="session" data-id={one.id} hidden={isHidden}>
      <div class="session-main">
        <h2>
          <input type="checkbox" aria-label={t("library.pick", { title })} checked={picked.has(one.id)}
            data-testid="pick" onChange={({ currentTarget }) => pick(currentTarget.checked)} />{" "}
          <a href={isOver ? `#/results/${one.id}` : `#/run/${one.id}`}>{title}</a>
        </h2>
        {at && (
          <p>
            <a href={`#/room/${encodeURIComponent(at.room.id)}`}>{t("room.title")}</a>
            {" · "}
            {t("room.table", { n: at.table })}
          </p>
        )}
        <p>
          <span class={`tag ${isOver ? "tag-good" : "tag-open"}`}>{t(`library.${one.state}`)}</span>{" "}
          <span data-testid="card-outcome">{outcomeOf(one)}</span>
        </p>
        <p class="quiet facts-line" data-testid="facts">
          {facts.filter(Boolean).join(" · ")}
          {alike > 1 && (
            <>
              {" · "}
              <button type="button" class="link" data-testid="alike" onClick={() =>
                actions.change({ wanted: { ...wanted, text: one.config_hash! } })}>
                {t("library.alike", { n: alike })}
              </button>
            </>
          )}
        </p>
        <p class="faces" aria-label={listOf(one.seats.map(({ name }) => name))} role="img">
          {one.seats.map((seat, index) => <Avatar person={{ ...seat, index }} size="small" />)}
        </p>
      </div>
      <div class="session-actions">
        <a class="button button-primary" href={`#/run/${one.id}`} data-testid="open">
          {t(goesOn ? "library.resume" : "library.open")}
        </a>
        <a class="button" href={`#/replay/${one.id}`} data-testid="replay">{t("library.replay")}</a>
        <ExportMenu of={one} />
        <Button kind="quiet" data-testid="rename" aria-label={`${t("library.rename")}: ${title}`}
          onClick={() => actions.rename(one)}>
          {t("library.rename")}
        </Button>
        <Delete title={title} onClick={() => actions.remove(one)} />
      </div>
    </li>
  );
}

function Sessions({ shown, seen, actions }: { shown: Shown; seen: Session[]; actions: Actions }) {
  if (shown.trouble) {
    return (
      <>
        <p class="lead">{t("trouble.storage")}</p>
        <p class="quiet" lang="en">{(shown.trouble as Error).message}</p>
      </>
    );
  }
  if (!shown.sessions.length) {
    return (
      <div class="empty">
        <p>{t("library.empty")}</p>
        <a class="button button-primary" href="#/">{t("library.begin")}</a>
      </div>
    );
  }
  return (
    <ul class="sessions plain">
      {shown.sessions.map((one) => (
        <Card key={one.id} one={one} shown={shown} isHidden={!seen.includes(one)} actions={actions} />
      ))}
    </ul>
  );
}

function space({ usage, quota }: Space): ComponentChildren {
  const digits = { maximumFractionDigits: 1 };
  return usage
    && t("library.space", { used: number(usage / 1e6, digits), quota: quota ? number(quota / 1e9, digits) : "?" });
}

function Library({ shown, actions }: { shown: Shown; actions: Actions }) {
  const seen = found(shown.sessions, shown.wanted);
  const isFiltered = Object.values(shown.wanted).some(Boolean);
  return (
    <div class="page">
      <div class="page-head">
        <div>
          <h1>{t("library.title")}</h1>
          <p class="lead">{t("library.lead")}</p>
        </div>
        <div class="row">
          <FileButton id="import" accept=".json,.jsonl,application/json,application/x-ndjson" testid="import"
            onPick={actions.take}>
            {t("library.import")}
          </FileButton>
        </div>
      </div>
      <Filters shown={shown} seen={seen} actions={actions} />
      <Notice message={shown.message} />
      <Rooms rooms={shown.rooms} remove={actions.removeRoom} />
      <Studies />
      <div class="shelf">
        <Sessions shown={shown} seen={seen} actions={actions} />
      </div>
      <p class="empty quiet" role="status" data-testid="library-nothing"
        hidden={!shown.sessions.length || !isFiltered || seen.length > 0}>
        {t("library.nothing")}
      </p>
      <p class="quiet">{shown.space && space(shown.space)}</p>
    </div>
  );
}

export async function view(
  { args: [sought], engine, announce }: { args: (string | undefined)[]; engine: Engine;
    announce: (text: string) => void },
) {
  let shown: Shown = { sessions: [], rooms: [], wanted: { protocol: "", state: "", text: sought ?? "" },
    picked: new Set(), message: {} };
  const change = (changes: Partial<Shown>) => {
    shown = { ...shown, ...changes };
    page.show(component());
  };
  const setMessage = (text: string, isGood: boolean, error?: unknown) =>
    change({ message: { text, isGood, ...(error !== undefined && { error }) } });

  async function load() {
    try {
      const [sessions, rooms]: [Session[], Room[]] = await Promise.all([engine.Library.list(), keptRooms()]);
      const picked = new Set([...shown.picked].filter((id) => sessions.some((one) => one.id === id)));
      change({ sessions, rooms, picked });
    } catch (trouble) {
      return change({ trouble });
    }
    change({ space: await engine.Library.estimate().catch(() => ({})) });
  }

  async function remove(question: string, text: string, title: string, act: () => unknown) {
    if (!(await confirmDialog(t(question), t(text, { title }), t("library.delete")))) return;
    try {
      await act();
      announce(t("library.deleted"));
    } catch (error) {
      setMessage(t("library.notdeleted"), false, error);
    }
    await load();
    document.getElementById("main")?.focus({ preventScroll: true });
  }

  const actions: Actions = {
    change,
    version: engine.version(),
    async take(file) {
      try {
        await engine.importText(await textOf(file));
        setMessage(t("library.imported", { name: file.name }), true);
        await load();
      } catch (error) {
        if ((error as { code?: string }).code === "exists") setMessage(t("library.exists"), true);
        else setMessage(t("library.notimported", { name: file.name }), false, error);
      }
    },
    async rename(one) {
      const name = await promptDialog(t("library.rename"), t("library.newtitle"), titleOf(one));
      if (!name) return;
      await engine.Library.rename(one.id, String(name)).catch((error: unknown) =>
        setMessage(t("trouble.storage"), false, error)
      );
      await load();
    },
    remove: (one) =>
      remove("library.delete.title", "library.delete.text", titleOf(one), () => {
        engine.forget(one.id);
        return engine.Library.delete(one.id);
      }),
    removeRoom: (room) =>
      remove("room.delete.title", "room.people.delete.text", titleOf(room), async () =>
        (await import("../rooms/hosted-rooms.js")).remove(room.id)),
  };
  const component = () => <Library shown={shown} actions={actions} />;
  const page = drawing(component());

  await load();
  return { node: page.node, title: t("library.title"), leave: page.leave,
    shortcuts: [{ key: "/", says: "library.find", go: () => document.getElementById("library-find")?.focus() }] };
}
