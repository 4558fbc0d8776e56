// A finished or stopped record, or a file without names, replayed step by step with a slider; branches of records start here.
import { conversation } from "./conversation.js";
import { Button, drawing, Made } from "./elements.tsx";
import { clock, t } from "./i18n.js";
import { type Behind, inspect, openBranch } from "./inspector.tsx";
import { openPerson, People, Steps } from "./panels.tsx";
import type { Entry } from "./pkg/quorate.js";
import { OPENED, openedReplay } from "./replay-file.ts";
import { PresentLink } from "./run-bar.tsx";
import type { Engine, View } from "./view-types.ts";
import { wallRole } from "./visibility.js";

/** Entries that change what is visible. */
const SEEN = new Set(["answered", "event", "halted", "ended"]);
/** Milliseconds between two entries of a record, and between two items of a file. */
const PACE = 180;
const READING = 2500;

interface Shown {
  id: string;
  title: string;
  view: View;
  talk: Node;
  /** Which of the `stops` is shown: so many entries of all. */
  at: number;
  stops: number;
  entries: { shown: number; all: number };
  isPlaying: boolean;
  play: () => void;
  /** Shows a stop; the replay pauses. */
  go: (to: number) => void;
  toStep: (key: string) => void;
  openPerson: (name: string) => void;
}

function Bar({ id, view, at, stops, entries, isPlaying, play, go }: Shown) {
  const where = t("replay.where", { n: entries.shown, of: entries.all });
  return (
    <div class="run-bar">
      <div class="run-bar-in">
        <div class="run-controls" role="group" aria-label={t("run.controls")}>
          <Button icon={isPlaying ? "pause" : "play"} data-testid="replay-play" onClick={play}>
            {t(isPlaying ? "run.pause" : "replay.play")}
          </Button>
          <Button data-testid="replay-back" onClick={() => go(at - 1)}>{t("replay.back")}</Button>
          <Button data-testid="replay-on" onClick={() => go(at + 1)}>{t("replay.on")}</Button>
          {id !== OPENED && <PresentLink id={id} />}
        </div>
        <div class="slider">
          <label for="replay-at" class="sr-only">{t("replay.slider")}</label>
          <input id="replay-at" type="range" min="0" max={stops} value={at} aria-valuetext={where}
            data-testid="replay-slider" onInput={({ currentTarget }) => go(Number(currentTarget.value))} />
        </div>
        <output for="replay-at" class="quiet">
          {where}
          {view.lastAt ? ` · ${clock(view.lastAt)}` : ""}
        </output>
      </div>
    </div>
  );
}

function Replay(shown: Shown) {
  const { id, title, view, talk, toStep, openPerson } = shown;
  return (
    <div class="run replay">
      <Bar {...shown} />
      <div class="run-grid">
        <aside class="run-steps" aria-label={t("steps")}>
          <Steps view={view} onGo={toStep} />
        </aside>
        <div class="run-main">
          <h1 class="run-title">{t("replay.title", { title })}</h1>
          <p class="simulated">{t(id === OPENED ? "replay.file.text" : "replay.text")}</p>
          <Made node={talk} />
        </div>
        <aside class="run-people" aria-label={t("people")}>
          <People view={view} onOpen={openPerson} />
        </aside>
      </div>
    </div>
  );
}

/** What is replayed. */
interface Source {
  title: string;
  /** How much is shown at each stop, of all that there is: entries of a record, or items of a file. */
  stops: number[];
  all: number;
  /** The view after so much; `before` is one of less to go on from. */
  viewAt: (count: number, before: View | null) => View;
  behind: Behind;
  /** Milliseconds between two stops. */
  pace: number;
}

async function ofRecord(id: string, engine: Engine): Promise<Source> {
  const entries: Entry[] = await engine.entriesOf(id);
  if (!entries.length) throw Object.assign(new Error(id), { code: "unknown" });
  const head = entries[0]!.what as Extract<Entry["what"], { type: "started" }>;
  const viewer = engine.viewer(entries, wallRole(engine.viewer(entries).at()));
  const behind: Behind = { costs: () => engine.costsOf(entries), asked: viewer.asked,
    onBranch: (seq, answer) => openBranch(engine, id, seq, answer) };
  return { title: head.config.title ?? "", all: entries.length, viewAt: viewer.at, behind, pace: PACE,
    stops: entries.filter((entry) => SEEN.has(entry.what.type)).map((entry) => entry.seq + 1) };
}

function ofFile(): Source {
  const { title, count, viewAt } = openedReplay();
  return { title, all: count, viewAt, behind: {},
    stops: Array.from({ length: Math.max(0, count - 1) }, (_, at) => at + 2), pace: READING };
}

export async function view({ args: [id = ""], engine }: { args: string[]; engine: Engine }) {
  const { title, stops, all, viewAt, behind, pace } = id === OPENED ? ofFile() : await ofRecord(id, engine);
  const talk = conversation({
    onInspect: (item: Parameters<typeof inspect>[0]) => inspect(item, shown, behind),
  });
  let shown = viewAt(1, null);
  let count = 1;
  let at = 0;
  let timer = 0;

  const toStep = (key: string) => {
    talk.open(key);
    document.getElementById(`part-${key.replaceAll("/", "-")}`)?.scrollIntoView();
  };
  const pause = () => {
    clearInterval(timer);
    timer = 0;
  };
  const play = () => {
    if (timer) {
      pause();
      return redraw();
    }
    timer = window.setInterval(() => {
      if (at >= stops.length) pause();
      go(at + 1);
    }, pace);
    go(at >= stops.length ? 0 : at);
  };
  const component = () => (
    <Replay id={id} title={title || t("untitled")} view={shown} talk={talk.node} at={at} stops={stops.length}
      entries={{ shown: count, all }} isPlaying={timer !== 0} play={play} go={(to) => {
      pause();
      go(to);
    }} toStep={toStep} openPerson={(name) => openPerson(shown, name, behind)} />
  );
  const page = drawing(component());
  const redraw = () => page.show(component());
  function go(place: number) {
    const next = Math.max(0, Math.min(stops.length, place));
    count = next === 0 ? 1 : next === stops.length ? all : stops[next - 1]!;
    shown = viewAt(count, next < at || at === 0 ? null : shown);
    at = next;
    talk.update(shown);
    redraw();
    if (timer) window.scrollTo({ top: document.documentElement.scrollHeight, behavior: "instant" });
  }
  return {
    node: page.node,
    title: t("library.replay"),
    shortcuts: [
      { key: "c", says: "shortcut.controls",
        go: () => page.node.querySelector<HTMLElement>("[data-testid=replay-play]")!.focus() },
      ...talk.shortcuts,
      ...id === OPENED
        ? []
        : [{ key: "p", says: "shortcut.present", go: () => (location.hash = `#/present/${encodeURIComponent(id)}`) }],
    ],
    entered: () => (id === OPENED ? play() : go(stops.length)),
    leave() {
      pause();
      talk.leave?.();
      page.leave();
    },
  };
}
