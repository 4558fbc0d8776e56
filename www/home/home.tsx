// The first screen: what this is, one button that starts a run, presets, and what was left open.
import type { ComponentChildren } from "preact";
import { Button, drawing } from "../elements.tsx";
import { moment, t } from "../i18n.js";
import { Avatar } from "../participants.tsx";
import { openRooms, tableOf } from "../rooms/stored-rooms.js";
import { loadPresets, localised, needsKey, presetsFor, presetText, presetTitle, protocolOf } from "./presets.js";

type Engine = typeof import("../engine.js");
interface Preset {
  id: string;
  config: { protocol?: string; agents: { name: string }[] };
}
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
type Begin = (preset: Preset | null) => void;

/** What is there so far: presets and the stored are listed when they have arrived. */
interface Shown {
  message: ComponentChildren;
  isBad?: boolean;
  presets?: Preset[];
  sessions?: Session[];
  rooms?: Room[];
}

const TableArt = () => (
  <div class="table-art" aria-hidden="true">
    <span class="table-top" />
    {["A", "B", "C", "D", "E"].map((name, index) => (
      <span class={`art-seat art-${index}`}>
        <Avatar person={{ name, index }} size="large" />
      </span>
    ))}
  </div>
);

/** Rooms, and sessions that are no table's in one of them. */
function Unfinished({ sessions, rooms }: { sessions: Session[]; rooms: Room[] }) {
  const open = sessions.filter((one) => one.state === "unfinished" && !tableOf(rooms, one.id)).slice(0, 3);
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

function Card({ preset, begin }: { preset: Preset; begin: Begin }) {
  const title = presetTitle(preset);
  const agents: Preset["config"]["agents"] = localised(preset).agents;
  return (
    <li class="card">
      <h4>{title}</h4>
      <p>{presetText(preset)}</p>
      <p class="faces" aria-hidden="true">
        {agents.slice(0, 10).map(({ name }, index) => <Avatar person={{ name, index }} size="small" />)}
      </p>
      <div class="row">
        {!needsKey(preset) && (
          <Button icon="play" aria-label={`${t("home.run")}: ${title}`} data-testid={`preset-${preset.id}`}
            onClick={() => begin(preset)}>
            {t("home.run")}
          </Button>
        )}
        <a class="button button-quiet" href={`#/setup/${encodeURIComponent(preset.id)}`}
          aria-label={`${t("home.change")}: ${title}`}>
          {t("home.change")}
        </a>
      </div>
    </li>
  );
}

const Presets = ({ presets, begin }: { presets: Preset[]; begin: Begin }) => (
  <section aria-labelledby="presets-title">
    <h2 id="presets-title">{t("home.presets")}</h2>
    {[...new Set(presets.map(protocolOf))].map((protocol) => (
      <>
        <h3 class="protocol eyebrow">{t(`home.presets.${protocol}`)}</h3>
        <ul class="cards plain">
          {presets.filter((one) => protocolOf(one) === protocol).map((one) => (
            <Card key={one.id} preset={one} begin={begin} />
          ))}
        </ul>
      </>
    ))}
  </section>
);

function Home(
  { message, isBad, presets, sessions, rooms, begin, withClass }: Shown & { begin: Begin; withClass: () => void },
) {
  return (
    <div class="page home">
      <section class="hero">
        <div>
          <p class="eyebrow">{t("home.eyebrow")}</p>
          <h1>{t("home.title")}</h1>
          <p class="lead">{t("home.lead")}</p>
          <div class="row">
            <Button kind="primary" icon="play" more="button-large" data-testid="start" onClick={() => begin(null)}>
              {t("home.start")}
            </Button>
            <a class="button button-large" href="#/setup" data-testid="open-setup">{t("home.own")}</a>
            <Button icon="people" more="button-large" data-testid="class" onClick={withClass}>{t("home.class")}</Button>
          </div>
          <p class="quiet">{t("home.startnote")}</p>
          <p class="said" role="alert" data-ok={isBad ? "false" : undefined}>{message}</p>
        </div>
        <TableArt />
      </section>
      {sessions && rooms && <Unfinished sessions={sessions} rooms={rooms} />}
      <section aria-labelledby="how-title">
        <h2 id="how-title">{t("home.how")}</h2>
        <ol class="how">
          {[1, 2, 3].map((n) => (
            <li>
              <h3>{t(`home.how${n}`)}</h3>
              <p>{t(`home.how${n}.text`)}</p>
            </li>
          ))}
        </ol>
      </section>
      {presets && <Presets presets={presets} begin={begin} />}
      <p>
        <a href="#/library">{t("home.library")}</a>
      </p>
    </div>
  );
}

/** Shown before the engine is there: Start waits for it, and what is stored is listed after. */
export async function view({ starting }: { starting: Promise<Engine> }) {
  const listed: Promise<Session[] | null> = starting.then(({ Library }) => Library.list()).catch(() => null);
  let shown: Shown = { message: null };
  const component = () => <Home {...shown} begin={begin} withClass={withClass} />;
  const show = (change: Shown | Partial<Shown>) => {
    shown = { ...shown, ...change };
    page.show(component());
  };
  let isBeginning = false;
  async function begin(preset: Preset | null) {
    if (isBeginning) return;
    isBeginning = true;
    try {
      const waiting = setTimeout(() => show({ message: t("loading") }), 200);
      const [engine, all, presets] = await Promise.all([starting, listed, loadPresets()]).finally(() =>
        clearTimeout(waiting)
      );
      const config = localised(preset ?? presetsFor(presets)[0]);
      // The first run is the same everywhere; further ones differ.
      if (all?.length) delete config.seed;
      const id = await engine.create(config);
      engine.Library.persist().catch(() => {});
      location.hash = `#/run/${id}`;
    } catch (error) {
      const { code, message } = error as { code?: string; message: string };
      const why = code === "storage" || code === "quota" ? t(`trouble.${code}`) : t("home.failed");
      show({ message: (
        <>
          {why} <span lang="en">{message}</span>
        </>
      ), isBad: true });
    }
    isBeginning = false;
  }
  /** Everybody at the table is a person with a device of their own. */
  async function withClass() {
    const [engine, presets] = await Promise.all([starting, loadPresets()]);
    const config = localised(presetsFor(presets)[0]);
    delete config.seed;
    config.agents = config.agents.map(({ name, personality }: { name: string; personality: string }) => ({ name,
      personality, kind: "human" })
    );
    const { inviteTo } = await import("../rooms/hosted-rooms.js");
    await inviteTo(config, engine);
  }
  const page = drawing(component());
  const fill = async () => {
    show({ presets: presetsFor(await loadPresets()) });
    await starting;
    const [sessions, rooms] = await Promise.all([listed, openRooms()]);
    show({ sessions: sessions ?? [], rooms });
  };
  const filled = fill();
  // Who cannot start the engine is told by the page.
  filled.catch(() => {});
  return { node: page.node, leave: page.leave, title: "", filled };
}
