// A run: controls, stepper, conversation, participants, questions to people, and what to do when it halts.
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { privacyScreen } from "./answer/privacy-screen.tsx";
import { conversation } from "./conversation.js";
import { Button, drawing, Icon, Made } from "./elements.tsx";
import { Composer, NextSpeaker, Topic } from "./floor.tsx";
import { behind, EndedBanner, ForeignNote, HaltBanner, StoppedBanner, StorageBanner,
  TroubleBanner } from "./halt-banners.tsx";
import { t } from "./i18n.js";
import { inspect, openBranch } from "./inspector.tsx";
import { openPerson, People, Steps } from "./panels.tsx";
import type { ItemView, OpenAsk } from "./pkg/quorate.js";
import { question } from "./question-panel.tsx";
import { roleSwitch } from "./role-switch.tsx";
import { withRoom } from "./rooms/stored-rooms.js";
import { isResting, pausesOf, RunBar } from "./run-bar.tsx";
import type { Engine, Lab } from "./view-types.ts";

type Seated = { room: { id: string }; table: number } | null;
interface Panel {
  node: HTMLElement;
  focus: () => void;
}

interface Shown {
  lab: Lab;
  engine: Engine;
  seated: Seated;
  /** Hand-made parts. */
  role: Node;
  talk: Node;
  /** The open questions to people, by ask. */
  questions: [ask: string, panel: Panel][];
  /** There is something new below what is seen. */
  isBehind: boolean;
  toStep: (key: string) => void;
  toEnd: () => void;
}

const titleOf = ({ view }: Lab) => view.head?.config.title || t("untitled");

function SimulatedNote({ lab }: { lab: Lab }) {
  const kinds = [...lab.view.people.values()].map(({ kind }) => kind);
  if (!kinds.includes("scripted")) return null;
  const isAll = kinds.every((kind) => kind === "scripted");
  return <p class="simulated">{t(isAll ? "simulated.all" : "simulated.some")}</p>;
}

/** Goes on before the time to read what was said is over. */
function GoOn({ lab }: { lab: Lab }) {
  const [, tick] = useState(0);
  useEffect(() => {
    const clock = setInterval(() => tick((n) => n + 1), 500);
    return () => clearInterval(clock);
  }, []);
  return (
    <Button more="go-on" icon="step" data-testid="go-on" hidden={!lab.isHeld} title={t("run.on.help")}
      onClick={() => lab.hold(0)}>
      {t("run.on")}
    </Button>
  );
}

/** What keeps the run from going on. */
function Banners({ lab }: { lab: Lab }): ComponentChildren {
  const { status, error, role } = lab;
  const troubled = role === "owner" && status.state === "running" ? status.open.filter(({ trouble }) => trouble) : [];
  return (
    <>
      {lab.unstored && (
        <div class="banner">
          <Icon name="warn" />
          <p>{t("storage.none")}</p>
        </div>
      )}
      {status.storage && <StorageBanner lab={lab} storage={status.storage} />}
      {status.state === "halted" && !isResting(lab) && <HaltBanner lab={lab} halt={status.halt} />}
      {troubled.map((ask) => <TroubleBanner key={ask.id} lab={lab} ask={ask} />)}
      {error && (
        <div class="banner bad">
          <p>
            {t("run.error")} <span lang="en">{error.message}</span>
          </p>
        </div>
      )}
    </>
  );
}

function Run({ lab, engine, seated, role, talk, questions, isBehind, toStep, toEnd }: Shown) {
  const { view, status } = lab;
  const isDiscussion = view.head?.protocol === "discussion";
  return (
    <div class="run">
      <RunBar lab={lab} engine={engine} />
      <div class="run-grid">
        <aside class="run-steps" aria-label={t("steps")}>
          <Steps view={view} onGo={toStep} />
        </aside>
        <div class="run-main">
          {seated && (
            <p>
              <a href={`#/room/${encodeURIComponent(seated.room.id)}`} data-testid="to-room">{t("room.title")}</a>
              {` · ${t("room.table", { n: seated.table })}`}
            </p>
          )}
          <h1 class="run-title">{titleOf(lab)}</h1>
          <ForeignNote lab={lab} />
          <SimulatedNote lab={lab} />
          <Made node={role} />
          {isDiscussion && <Topic view={view} />}
          <Made node={talk} />
          <div class="end-place">
            {status.state === "stopped" && !lab.session.onlyFor && <StoppedBanner lab={lab} />}
            {status.state === "ended" && <EndedBanner lab={lab} />}
          </div>
          {isDiscussion && <NextSpeaker lab={lab} />}
          <div class="asking">
            {questions.map(([ask, { node }]) => <Made key={ask} node={node} />)}
          </div>
          {isDiscussion && <Composer lab={lab} engine={engine} />}
          <div class="banner-place" role="region" aria-live="polite" aria-label={t("banner")}>
            <Banners lab={lab} />
          </div>
          <GoOn lab={lab} />
          <Button more="newest" icon="down" hidden={!isBehind || status.state !== "running"} onClick={toEnd}>
            {t("run.newest")}
          </Button>
        </div>
        <aside class="run-people" aria-label={t("people")}>
          <People view={view} status={status} onOpen={(name) => openPerson(view, name, behind(lab))} />
        </aside>
      </div>
    </div>
  );
}

/** Longest speech that is announced in full, in characters. */
const LONG = 1500;

/** What is announced of a finished item. */
function newsOf({ seat, isSpeech, blocks }: ItemView) {
  for (const one of blocks) {
    if (seat === null && one.block === "text" && one.tone !== "quiet") return one.text;
    if (seat !== null && isSpeech && one.block === "quote") {
      return one.text.length > LONG ? t("said.long", { name: seat }) : t("said", { name: seat, text: one.text });
    }
  }
  return undefined;
}

/** Announces news to screen readers: one statement in full, several as their number. */
function announcer(lab: Lab, announce: (text: string) => void) {
  let state = "";
  let pauses: string[] = [];
  const items = () => [...lab.view.items.values()];
  const known = new Set(items().filter(({ done }) => done).map(({ key }) => key));
  return () => {
    const fresh = items().filter(({ key, done }) => done && !known.has(key));
    for (const { key } of fresh) known.add(key);
    const news = fresh.map(newsOf).filter((text) => text !== undefined);
    const parts = news.length > 1 ? [t("said.many", { n: news.length })] : news;
    const paused = pausesOf(lab).map(({ host }) => host);
    for (const host of paused) if (!pauses.includes(host)) parts.push(t("run.waits.begin", { host }));
    pauses = paused;
    const now = lab.status.state;
    if (now !== state) {
      if (state && !isResting(lab)) parts.push(t(`state.${now}`));
      state = now;
    }
    if (parts.length) announce(parts.join(" "));
  };
}

const nearEnd = () => window.innerHeight + window.scrollY > document.documentElement.scrollHeight - 240;

export async function view(
  { args: [id], engine, announce }: { args: string[]; engine: Engine; announce: (text: string) => void },
) {
  const seated: Seated = await withRoom(id, engine);
  const lab: Lab = await engine.acquire(id);
  const onBranch = (seq: number, answer: string | null) => openBranch(engine, id!, seq, answer);
  const talk = conversation({
    onInspect: (item: Parameters<typeof inspect>[0]) =>
      inspect(item, lab.view, { ...behind(lab), ...(lab.role === "owner" && { onBranch }) }),
  });
  const between = privacyScreen(lab, { redraw: () => draw(), role: () => role });
  const role = roleSwitch(lab, between.seat);
  const speak = announcer(lab, announce);

  let follows = true;
  let isBehind = false;
  let banners = "";
  const questions = new Map<string, Panel | null>();
  const setBehind = (is: boolean) => {
    if (is === isBehind) return;
    isBehind = is;
    redraw();
  };
  const toEnd = () => {
    setBehind(false);
    const down = () => window.scrollTo({ top: document.documentElement.scrollHeight, behavior: "instant" });
    down();
    // Folds what has scrolled out of sight.
    talk.settle();
    down();
  };
  const toNewest = () => {
    follows = true;
    toEnd();
  };
  const toStep = (key: string) => {
    const part = document.getElementById(`part-${key.replaceAll("/", "-")}`);
    if (!part) return;
    follows = false;
    talk.open(key);
    part.scrollIntoView({ block: "start",
      behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth" });
    part.focus({ preventScroll: true });
  };
  const component = () => (
    <Run lab={lab} engine={engine} seated={seated} role={role.node} talk={talk.node} isBehind={isBehind}
      questions={[...questions].flatMap(([ask, panel]) => (panel ? [[ask, panel]] : []))} toStep={toStep}
      toEnd={toNewest} />
  );
  const page = drawing(component());
  const redraw = () => page.show(component());

  function draw() {
    role.update();
    const height = document.documentElement.scrollHeight;
    talk.update(lab.view, lab.streams);
    askPeople();
    redraw();
    speak();
    scrollOn(height);
  }

  /** Stays at the end, or shows that there is something new; `height` is that of the page before. */
  function scrollOn(height: number) {
    const text = page.node.querySelector(".banner-place")!.textContent!;
    if (follows && text && text !== banners) toEnd();
    banners = text;
    if (document.documentElement.scrollHeight === height) return;
    const isGoing = lab.running && questions.size === 0;
    if (follows && (isGoing || lab.status.state === "ended")) toEnd();
    else if (!follows && !nearEnd() && isGoing) setBehind(true);
  }

  /** Shows a panel for each question to a person here. */
  function askPeople() {
    const open: OpenAsk[] = between.of(lab.status.open.filter((ask) => ask.seatKind === "human"));
    for (const ask of questions.keys()) if (!open.some(({ id }) => id === ask)) questions.delete(ask);
    for (const ask of open) {
      if (questions.has(ask.id) || !lab.view.asks.has(ask.id)) continue;
      questions.set(ask.id, null);
      const onSent = () => document.getElementById("main")?.focus({ preventScroll: true });
      void question({ lab, ask, engine, onSent }).then((panel: Panel) => {
        if (!questions.has(ask.id)) return;
        questions.set(ask.id, panel);
        redraw();
        announce(t("human.title", { name: ask.seat }));
        if ([...questions.values()].filter(Boolean).length === 1 && !document.querySelector("dialog[open]")) {
          panel.focus();
        }
      });
    }
  }

  const onScroll = () => {
    follows = nearEnd();
    if (follows) setBehind(false);
  };
  /** Focuses the first of these that exists and can take it; announces it if there is none. */
  const focusOn = (...selectors: string[]) => {
    const found = selectors.flatMap((selector) => [...page.node.querySelectorAll<HTMLElement>(selector)])
      .find((one) => one.checkVisibility());
    if (!found) return announce(t("shortcut.nothing"));
    found.focus({ preventScroll: true });
    found.scrollIntoView({ block: found.closest(".run-bar") ? "nearest" : "center" });
  };
  const stop = lab.listen(draw);
  window.addEventListener("scroll", onScroll, { passive: true });
  return {
    node: page.node,
    title: titleOf(lab),
    shortcuts: [
      { key: "q", says: "shortcut.question",
        go: () => focusOn(".human h2", "[data-testid=floor-text]", "[data-testid=floor-go]") },
      { key: "c", says: "shortcut.controls", go: () => {
        page.node.querySelector(".run-owner")?.toggleAttribute("open", true);
        focusOn(".run-owner button", ".run-controls button");
      } },
      { key: "r", says: "shortcut.results", go: () => focusOn(".end-place a") },
      ...talk.shortcuts,
      { key: "ArrowRight", says: "run.on", go: () => lab.hold(0) },
      { key: "p", says: "shortcut.present", go: () => (location.hash = `#/present/${encodeURIComponent(id!)}`) },
    ],
    entered() {
      draw();
      if (lab.status.state !== "stopped") lab.run();
    },
    leave() {
      stop();
      window.removeEventListener("scroll", onScroll);
      talk.leave?.();
      between.leave();
      questions.clear();
      page.leave();
      lab.show("owner");
      void engine.release(lab);
    },
  };
}
