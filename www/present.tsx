// A run on a projector: one thing at a time in large type, at a pace for reading aloud; keys go on and back. A running
// session adopts that pace and is shown up to the present; a stored one from its beginning.
import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { contextOf, drawItem } from "./conversation.js";
import { h } from "./dom.js";
import { Button, drawing, Made } from "./elements.tsx";
import { has, language, languageCode, t } from "./i18n.js";
import { Select } from "./inputs.tsx";
import { outcomeSentence } from "./outcome.js";
import { Chosen } from "./blocks.tsx";
import { Avatar, KindTag, type Person, seatOf } from "./participants.tsx";
import { readingTime } from "./reading-time.js";
import { withRoom } from "./rooms/stored-rooms.js";
import { chaptersOf, deck } from "./slides.js";
import { wordsIn } from "./text.js";
import { apply as applyTheme, theme } from "./theme.js";
import type { Engine, Lab, View } from "./view-types.ts";
import { activity } from "./view.js";
import { wallRole } from "./visibility.js";

type Slide = ReturnType<typeof deck>[number];
/** An open session, or the record of one that another tab has. */
interface Stored {
  view: View;
  isRecord: true;
  listen: Lab["listen"];
}
type Source = Lab | Stored;
const isRecord = (source: Source): source is Stored => "isRecord" in source;
/** Indices of the slides that begin chapters. */
const chapters = (slides: Slide[]): number[] => chaptersOf(slides);

/** Words a minute; a person reads about two hundred aloud. */
const PACES = [120, 160, 200, 240, 300];
const STORE = "quorate.words";

async function open(engine: Engine, id: string): Promise<Source> {
  try {
    await withRoom(id, engine);
    const lab: Lab = await engine.acquire(id);
    lab.show(wallRole(lab.view));
    return lab;
  } catch (error) {
    if (!["locked", "differs", "altered"].includes((error as { code: string }).code)) throw error;
    const entries = await engine.entriesOf(id);
    return { view: engine.viewer(entries, wallRole(engine.viewer(entries).at())).at(), isRecord: true,
      listen: () => () => true };
  }
}

/** What a slide needs of its run. */
interface Stage {
  id: string;
  source: Source;
  name: string;
  /** The run's language. */
  code: string;
  draw: (key: string) => Node;
}

const personOf = ({ source: { view } }: Stage, name: string): Person =>
  view.people.get(name) ?? { name, index: 0, kind: "scripted" };
const titleOf = ({ source: { view } }: Stage, { chapter }: Slide) =>
  view.sections.find((part) => part.key === chapter)!.title;

/** The people who are to answer, or what else the run waits for. */
function waitingFor(source: Source) {
  const status = isRecord(source) ? null : source.status;
  const asked = status?.open.find((ask) => ask.seatKind === "human");
  if (asked) return t("present.asked", { name: asked.seat });
  const state = status?.state ?? source.view.run;
  if (state !== "running") return t(`state.${state}`);
  const busy = [...source.view.people.values()].map(({ name }) => [name, activity(source.view, name)])
    .filter(([, doing]) => doing);
  return busy.length ? busy.map(([name, doing]) => `${name}: ${t(`activity.${doing}`)}`).join(" · ") : t("loading");
}

function Title({ source: { view }, name }: Stage) {
  return (
    <>
      <p class="eyebrow">{t(`home.presets.${view.head?.protocol ?? "justice"}`)}</p>
      <h2>{name}</h2>
      {(view.topic || view.question) && <p class="matter">{view.topic || view.question}</p>}
      <ul class="players plain">
        {[...view.people.values()].map((person) => (
          <li>
            <Avatar person={person} size="large" />
            <span>
              <b>{person.name}</b>
              <KindTag kind={person.kind} />
            </span>
          </li>
        ))}
      </ul>
      <p class="quiet no-full">{t("present.hint")}</p>
    </>
  );
}

function Chapter({ slide, stage }: { slide: Slide; stage: Stage }) {
  const looks = slide.looks!.filter(has);
  return (
    <>
      <p class="eyebrow">{slide.part.phase ? t(`phase${slide.part.phase}`) : stage.name}</p>
      <h2>{titleOf(stage, slide)}</h2>
      {looks.length > 0 && (
        <div class="look">
          <p class="eyebrow">{t("present.look")}</p>
          {looks.map((key) => <p>{t(key)}</p>)}
        </div>
      )}
    </>
  );
}

function Speaker({ slide, person }: { slide: Slide; person: Person }) {
  return (
    <header class="speaker">
      <Avatar person={person} size="large" />
      <p>
        <b>{person.name}</b> <KindTag kind={person.kind} />
        {slide.tags?.map((tag) => <span class="quiet">{` ${tag}`}</span>)}
      </p>
    </header>
  );
}

function Text({ slide, stage }: { slide: Slide; stage: Stage }) {
  const { seat, heading, paragraphs, page = 0, pages = 0, favored } = slide;
  return (
    <>
      {seat
        ? <Speaker slide={slide} person={personOf(stage, seat)} />
        : heading && <h2 class="small">{heading}</h2>}
      <div class="aloud" lang={stage.code}>{paragraphs!.map((one) => <p>{one}</p>)}</div>
      <p class="under">
        {pages > 1 && <span class="quiet">{t("present.page", { at: page + 1, of: pages })}</span>}
        {favored && (
          <span class="favors">
            {favored.label} <Chosen choice={favored.items[0]} isShort />
          </span>
        )}
      </p>
    </>
  );
}

function Items({ slide, stage }: { slide: Slide; stage: Stage }) {
  const list = useMemo(() => h("ol", { class: "turns" }, slide.items!.map(stage.draw)), []);
  return (
    <>
      <h2 class="small">{titleOf(stage, slide)}</h2>
      <Made node={list} />
    </>
  );
}

const End = ({ id, source }: Stage) => (
  <>
    <p class="eyebrow">{t("present.outcome")}</p>
    <h2 data-testid="outcome">{outcomeSentence(source.view)}</h2>
    <p>
      <a class="button button-primary" href={`#/results/${encodeURIComponent(id)}`}>{t("run.results")}</a>
    </p>
  </>
);

const SHOW: { [kind in Slide["kind"]]: (slide: Slide, stage: Stage) => ComponentChildren } = {
  title: (_, stage) => <Title {...stage} />,
  chapter: (slide, stage) => <Chapter slide={slide} stage={stage} />,
  text: (slide, stage) => <Text slide={slide} stage={stage} />,
  items: (slide, stage) => <Items slide={slide} stage={stage} />,
  end: (_, stage) => <End {...stage} />,
  wait: (_, { source }) => <p class="matter" data-testid="present-wait">{waitingFor(source)}</p>,
};

/** What is shown on a slide: where it changes, the slide is a new one. */
const faceOf = (slide: Slide, { source }: Stage) =>
  slide.kind === "wait" ? `wait ${waitingFor(source)}` : `${slide.key} ${slide.items?.length}`;

const chapterOf = ({ chapter, key }: Slide) => chapter ?? key;
const isMark = ({ kind }: Slide) => kind !== "wait";

interface Shown {
  stage: Stage;
  slides: Slide[];
  at: number;
  isPlaying: boolean;
  perMinute: number;
  /** Milliseconds for the slides from here on. */
  timeLeft: number;
  actions: Actions;
}
interface Actions {
  step(by: number): void;
  go(to: number): void;
  play(): void;
  setPace(words: number): void;
  toggleFull(): void;
  leave(): void;
}

function Bar({ stage, slides, at, isPlaying, perMinute, timeLeft, actions }: Shown) {
  const marks = chapters(slides).map((place) => slides[place]!).filter(isMark);
  const nameOf = (key: string) => {
    const mark = marks.find((one) => chapterOf(one) === key)!;
    return mark.kind === "title" ? stage.name : mark.kind === "end" ? t("present.outcome") : titleOf(stage, mark);
  };
  const isLast = at >= slides.length - 1;
  const left = stage.source.view.result && !isLast
    ? ` · ${t("present.left", { n: Math.ceil(timeLeft / 60_000) })}`
    : "";
  return (
    <div class="present-bar" role="group" aria-label={t("run.controls")}>
      <Button data-testid="present-back" disabled={at === 0} onClick={() => actions.step(-1)}>
        {t("present.back")}
      </Button>
      <Button kind="primary" data-testid="present-on" disabled={isLast} onClick={() => actions.step(1)}>
        {t("present.on")}
      </Button>
      <Button icon={isPlaying ? "pause" : "play"} aria-pressed={isPlaying} data-testid="present-play"
        onClick={() => actions.play()}>
        {t(isPlaying ? "run.pause" : "present.play")}
      </Button>
      <label class="pace">
        <span class="sr-only">{t("run.pace")}</span>
        <Select value={String(perMinute)} options={PACES.map(String)}
          name={(words) => t("present.words", { n: Number(words) })} onPick={(words) => actions.setPace(Number(words))}
          data-testid="present-pace" />
      </label>
      <Select value={chapterOf(slides.slice(0, at + 1).findLast(isMark)!)} options={marks.map(chapterOf)} name={nameOf}
        onPick={(key) => actions.go(slides.findIndex((slide) => chapterOf(slide) === key))}
        data-testid="present-chapter" aria-label={t("present.chapter")} />
      <output class="quiet" data-testid="present-where">
        {t("present.where", { at: at + 1, of: slides.length })}
        {left}
      </output>
      <Button kind="quiet" data-testid="present-full" onClick={() => actions.toggleFull()}>{t("present.full")}</Button>
      <Button kind="quiet" icon="cross" data-testid="present-leave" onClick={() => actions.leave()}>
        {t("present.leave")}
      </Button>
    </div>
  );
}

function Presentation(shown: Shown) {
  const { stage, slides, at, actions } = shown;
  const slide = slides[at]!;
  const goOn = (event: MouseEvent) => {
    if (String(getSelection()) || (event.target as Element).closest("summary, a, button")) return;
    actions.step(1);
  };
  const seat = slide.seat && seatOf(personOf(stage, slide.seat));
  return (
    <div class="present">
      <h1 class="sr-only">{t("present.title", { title: stage.name })}</h1>
      <span class="reading" aria-hidden="true" />
      <div class="stage" tabIndex={-1} role="region" aria-label={t("present.slide")} aria-live="polite"
        data-testid="slide" onClick={goOn}>
        <div key={faceOf(slide, stage)} class={["slide", `slide-${slide.kind}`, seat].filter(Boolean).join(" ")}
          data-key={slide.key}>
          {SHOW[slide.kind](slide, stage)}
        </div>
      </div>
      <Bar {...shown} />
    </div>
  );
}

export async function view({ args: [id = ""], engine }: { args: string[]; engine: Engine }) {
  const source = await open(engine, id);
  const lab = isRecord(source) ? null : source;
  const { head } = source.view;
  const code = languageCode(head?.config.language) ?? language();
  const context = contextOf(() => source.view);
  const stage: Stage = { id, source, name: head?.config.title || t("untitled"), code,
    draw: (key) => drawItem(source.view.items.get(key), context) };

  let slides: Slide[] = deck(source.view, code);
  let at = 0;
  let timer = 0;
  let isPlaying = false;
  let perMinute = Number(localStorage.getItem(STORE)) || 200;
  let face = "";
  /** The pace of the session before the presentation. */
  let paceBefore: ReturnType<Engine["paceName"]> | null = null;

  const wordsOf = ({ kind, paragraphs = [], items = [] }: Slide) =>
    kind === "text" ? wordsIn(paragraphs.join(" "), code) : kind === "items" ? 12 * items.length : 20;
  const timeFor = (slide: Slide): number => readingTime(wordsOf(slide), perMinute);
  const timeLeft = () => slides.slice(at).filter(isMark).reduce((sum, slide) => sum + timeFor(slide), 0);

  const actions: Actions = {
    go(to) {
      at = Math.max(0, Math.min(slides.length - 1, to));
      if (paceBefore && slides[at]!.kind === "wait") lab!.hold(0);
      render();
    },
    /** A step by hand stops the automatic advance. */
    step(by) {
      setPlaying(false);
      actions.go(at + by);
    },
    play() {
      if (!isPlaying && at >= slides.length - 1 && source.view.result) actions.go(0);
      setPlaying(!isPlaying);
    },
    setPace(words) {
      perMinute = words;
      localStorage.setItem(STORE, String(words));
      if (paceBefore) engine.setPace("aloud", words);
      face = "";
      render();
    },
    toggleFull() {
      (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen()).catch(
        () => {},
      );
    },
    leave() {
      location.hash = `#/${lab ? "run" : "replay"}/${encodeURIComponent(id)}`;
    },
  };
  const component = () => (
    <Presentation stage={stage} slides={slides} at={at} isPlaying={isPlaying} perMinute={perMinute}
      timeLeft={timeLeft()} actions={actions} />
  );
  const page = drawing(component());
  const clock = page.node.querySelector(".reading")!;

  function update() {
    const before = slides[at];
    const had = slides.length;
    slides = deck(source.view, code);
    // Stays on the same slide wherever it moves; a waiting slide moves on to what came.
    const same = slides.findIndex((slide) => slide.key === before?.key);
    at = before?.kind === "wait" && slides.length > had ? had - 1 : same >= 0 ? same : Math.min(at, slides.length - 1);
    if (paceBefore && slides.length !== had) lab!.hold(timeLeft());
    render();
  }

  function render() {
    page.show(component());
    const next = faceOf(slides[at]!, stage);
    if (next === face) return;
    face = next;
    page.node.querySelector(".stage")!.scrollTop = 0;
    schedule();
  }

  /** Schedules the next slide, if they advance automatically. */
  function schedule() {
    clearTimeout(timer);
    clock.getAnimations().forEach((one) => one.cancel());
    const slide = slides[at]!;
    if (!isPlaying || slide.kind === "wait") return;
    if (at >= slides.length - 1) return setPlaying(false);
    const duration = timeFor(slide);
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches) {
      clock.animate([{ transform: "scaleX(0)" }, { transform: "scaleX(1)" }], { duration, fill: "forwards" });
    }
    timer = window.setTimeout(() => actions.go(at + 1), duration);
  }

  function setPlaying(is: boolean) {
    if (is === isPlaying) return;
    isPlaying = is;
    page.show(component());
    schedule();
  }
  const toChapter = (by: number) => {
    setPlaying(false);
    const marks = chapters(slides);
    actions.go((by > 0 ? marks.find((place) => place > at) : marks.findLast((place) => place < at)) ?? at);
  };
  const faster = (by: number) =>
    actions.setPace(PACES[Math.max(0, Math.min(PACES.length - 1, PACES.indexOf(perMinute) + by))] ?? 200);

  const stop = source.listen(update);
  const shortcut = (says: string, go: () => void, ...keys: string[]) =>
    keys.map((key, place) => ({ key, says: place ? "" : says, go }));
  const to = (place: () => number) => () => {
    setPlaying(false);
    actions.go(place());
  };
  return {
    node: page.node,
    title: t("present.title", { title: stage.name }),
    shortcuts: [
      ...shortcut("present.on", () => actions.step(1), " ", "ArrowRight", "PageDown"),
      ...shortcut("present.back", () => actions.step(-1), "ArrowLeft", "PageUp", "Backspace"),
      ...shortcut("present.chapter.next", () => toChapter(1), "ArrowDown"),
      ...shortcut("present.chapter.before", () => toChapter(-1), "ArrowUp"),
      ...shortcut("present.first", to(() => 0), "Home"),
      ...shortcut("present.last", to(() => slides.length - 1), "End"),
      ...shortcut("present.play", () => actions.play(), "p"),
      ...shortcut("present.faster", () => faster(1), "+"),
      ...shortcut("present.slower", () => faster(-1), "-"),
      ...shortcut("present.full", () => actions.toggleFull(), "f"),
      ...shortcut("present.leave", () => actions.leave(), "Escape"),
    ],
    entered() {
      document.documentElement.classList.add("presenting");
      // A bright room needs dark text on white, unless the user has chosen a theme.
      if (theme() === "auto") applyTheme("light");
      update();
      if (lab?.status.state !== "running") return;
      paceBefore = engine.paceName();
      lab.isPresented = true;
      engine.setPace("aloud", perMinute);
      // Starts at the present chapter.
      at = chapters(slides).findLast((place) => slides[place]!.chapter) ?? 0;
      lab.run();
      setPlaying(true);
    },
    leave() {
      stop();
      clearTimeout(timer);
      page.leave();
      if (lab) lab.isPresented = false;
      if (paceBefore) engine.setPace(paceBefore);
      document.documentElement.classList.remove("presenting");
      applyTheme();
      if (document.fullscreenElement) document.exitFullscreen().catch(() => {});
      lab?.show("owner");
      if (lab) void engine.release(lab);
    },
  };
}
