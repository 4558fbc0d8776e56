// The first screen: four doors, and what was left open.
import type { ComponentChildren } from "preact";
import { Button, drawing } from "../elements.tsx";
import { moment, t } from "../i18n.js";
import { FileButton, Notice, useMessage } from "../notice.tsx";
import { openRooms, tableOf } from "../rooms/stored-rooms.js";
import { studyIds, studyOfRun } from "../study/stored-studies.js";
import { textOf } from "../text-file.js";
import { JoinArt, PlayArt, TeachArt, WatchArt } from "./art.tsx";
import { loadPresets } from "./presets.js";
import { played, watched } from "./start.js";
import { useStart } from "./starting.tsx";

type Engine = typeof import("../engine.js");
interface Session {
  id: string;
  state: string;
  title?: string;
  updated: number;
}
interface Room {
  id: string;
  title?: string;
  opened: number;
}
/** What is stored, once it is known. */
interface Stored {
  sessions: Session[];
  rooms: Room[];
}

/** Rooms, and sessions that are no table's in one of them. */
function Unfinished({ sessions, rooms }: Stored) {
  const studies = studyIds();
  const open = sessions.filter((one) =>
    one.state === "unfinished" && !tableOf(rooms, one.id)
    && !studyOfRun(studies, one.id)
  ).slice(0, 3);
  if (!open.length && !rooms.length) return null;
  const line = (href: string, title: string | undefined, kind: string, at: number) => (
    <li key={href}>
      <a href={href}>{title || t("untitled")}</a> <span class="quiet">{kind}{moment(at)}</span>
    </li>
  );
  return (
    <section aria-labelledby="open-title" data-testid="unfinished">
      <h2 id="open-title">{t("home.unfinished")}</h2>
      <ul class="plain list">
        {rooms.slice(0, 3).map(({ id, title, opened }) =>
          line(`#/room/${encodeURIComponent(id)}`, title, `${t("room.title")} · `, opened)
        )}
        {open.map(({ id, title, updated }) => line(`#/run/${id}`, title, "", updated))}
      </ul>
    </section>
  );
}

/** A picture, a name, a line and how long it takes. */
const Face = ({ name, art, minutes }: { name: string; art: ComponentChildren; minutes?: string }) => (
  <>
    <span class="door-art">{art}</span>
    <span class="door-text">
      <strong class="door-name">{t(`home.${name}`)}</strong>
      <span class="door-line">{t(`home.${name}.text`)}</span>
      {minutes && <span class="pill door-time">{minutes}</span>}
    </span>
  </>
);

/** The door to a room: on a phone it leads to the guests' page, elsewhere the code is typed here. */
function JoinDoor() {
  const go = (event: SubmitEvent) => {
    event.preventDefault();
    const code = new FormData(event.currentTarget as HTMLFormElement).get("code");
    location.href = `join.html#${encodeURIComponent(String(code).trim())}`;
  };
  return (
    <li class="door door-join">
      <a href="join.html" class="door-link" data-testid="join">
        <Face name="join" art={<JoinArt />} />
      </a>
      <form class="door-code" onSubmit={go}>
        <input type="text" name="code" required maxLength={2000} autocomplete="off" autocapitalize="characters"
          spellcheck={false} placeholder="BCDF GHJK" aria-label={t("home.join.code")} data-testid="join-code" />
        <button type="submit" class="button" data-testid="join-go">{t("home.join.go")}</button>
      </form>
    </li>
  );
}

function Home({ starting, stored }: { starting: Promise<Engine>; stored: Stored | null }) {
  const [begin, message] = useStart(starting);
  const [unread, setUnread] = useMessage();
  const openFile = async (file: File) => {
    const { openReplay } = await import("../replay-file.ts");
    await textOf(file).then(openReplay).catch(() =>
      setUnread({ text: t("replay.unread", { name: file.name }), isGood: false })
    );
  };
  return (
    <div class="page home">
      <header class="home-head">
        <h1>{t("home.title")}</h1>
        <p class="lead">{t("home.lead")}</p>
      </header>
      <ul class="doors plain">
        <JoinDoor />
        <li class="door">
          <button type="button" class="door-link" data-testid="start" onClick={() => begin(watched)}>
            <Face name="watch" art={<WatchArt />} minutes={t("home.minutes", { n: 5 })} />
          </button>
        </li>
        <li class="door">
          <button type="button" class="door-link" data-testid="play" onClick={() => begin(played)}>
            <Face name="play" art={<PlayArt />} minutes={t("home.minutes", { n: 10 })} />
          </button>
        </li>
        <li class="door">
          <a href="#/teach" class="door-link" data-testid="class">
            <Face name="teach" art={<TeachArt />} minutes={t("home.lesson")} />
          </a>
        </li>
      </ul>
      {message}
      <Notice message={unread} testid="replay-unread" />
      <p class="home-more">
        <a href="#/for/researchers" data-testid="researchers">{t("home.researchers")}</a>
        <a href="#/for/developers" data-testid="developers">{t("home.developers")}</a>
        <a href="#/presets" data-testid="open-presets">{t("home.more")}</a>
        <a href="#/library">{t("home.library")}</a>
        <FileButton id="open-replay" kind="quiet" accept=".json,application/json" testid="open-replay"
          onPick={openFile}>
          {t("replay.open")}
        </FileButton>
      </p>
      {stored && <Unfinished {...stored} />}
    </div>
  );
}

/** Shown before the engine is there: a door waits for it, and what is stored is listed after. */
export async function view({ starting }: { starting: Promise<Engine> }) {
  const page = drawing(<Home starting={starting} stored={null} />);
  const fill = async () => {
    void loadPresets().catch(() => {});
    const { Library } = await starting;
    const [sessions, rooms] = await Promise.all([Library.list().catch(() => []), openRooms()]);
    page.show(<Home starting={starting} stored={{ sessions, rooms }} />);
  };
  const filled = fill();
  // Who cannot start the engine is told by the page.
  filled.catch(() => {});
  return { node: page.node, leave: page.leave, title: "", filled };
}
