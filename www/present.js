// A run on a projector: one thing at a time in large type, at a pace for reading aloud; keys go on and back. A running
// session adopts that pace and is shown up to the present; a stored one from its beginning.
import { h, put, button, icon } from "./dom.js";
import { t, has, language, languageCode } from "./i18n.js";
import { avatar, seatOf, kindTag } from "./participants.tsx";
import { activity } from "./view.js";
import { chosen } from "./block-item.tsx";
import { contextOf, drawItem } from "./conversation.js";
import { chaptersOf, deck } from "./slides.js";
import { readingTime } from "./reading-time.js";
import { wordsIn } from "./text.js";
import { wallRole } from "./visibility.js";
import { outcomeSentence } from "./outcome.js";
import { withRoom } from "./rooms/stored-rooms.js";
import { apply as applyTheme, theme } from "./theme.js";

/** Words a minute; a person reads about two hundred aloud. */
const PACES = [120, 160, 200, 240, 300];
const STORE = "quorate.words";

/** The session that runs in this tab, or its record if another tab has it. */
async function source(engine, id) {
  try {
    await withRoom(id, engine);
    const lab = await engine.acquire(id);
    lab.show(wallRole(lab.view));
    return lab;
  } catch (error) {
    if (!["locked", "differs", "altered"].includes(error?.code)) throw error;
    const entries = await engine.entriesOf(id);
    return { view: engine.viewer(entries, wallRole(engine.viewer(entries).at())).at(), isRecord: true,
      listen: () => () => {} };
  }
}

export async function view({ args: [id], engine }) {
  const lab = await source(engine, id);
  const { head } = lab.view;
  const code = languageCode(head?.config?.language) ?? language();
  const name = head?.config?.title || t("untitled");
  const chapterOf = ({ chapter, key }) => chapter ?? key;
  const titleOf = ({ chapter }) => lab.view.sections.find((part) => part.key === chapter).title;
  const context = contextOf(() => lab.view);

  let slides = [];
  let at = 0;
  let timer = 0;
  let isPlaying = false;
  let perMinute = Number(localStorage.getItem(STORE)) || 200;
  let drawn = "";
  /** The pace of the session before the presentation. */
  let paceBefore = null;

  const stage = h("div", { class: "stage", tabindex: "-1", role: "region", "aria-label": t("present.slide"),
    "aria-live": "polite", "data-testid": "slide",
    on: { click: ({ target }) => String(getSelection()) || target.closest("summary, a, button") || step(1) } });
  const chapters = h("select", { "data-testid": "present-chapter", "aria-label": t("present.chapter"),
    on: { change: () => go(slides.findIndex((slide) => chapterOf(slide) === chapters.value)) } });
  const pace = h("select", { "data-testid": "present-pace", on: { change: () => setPace(Number(pace.value)) } },
    PACES.map((words) =>
      h("option", { value: words, selected: words === perMinute }, t("present.words", { n: words }))
    ));
  const where = h("output", { class: "quiet", "data-testid": "present-where" });
  const clock = h("span", { class: "reading", "aria-hidden": "true" });
  const play = button(t("present.play"), () => (isPlaying ? pause() : start()), { icon: "play",
    testid: "present-play" });
  const back = button(t("present.back"), () => step(-1), { testid: "present-back" });
  const on = button(t("present.on"), () => step(1), { kind: "primary", testid: "present-on" });
  const full = button(t("present.full"), toggleFull, { kind: "quiet", testid: "present-full" });
  const leaveTo = () => (location.hash = `#/${lab.isRecord ? "replay" : "run"}/${encodeURIComponent(id)}`);
  const bar = h("div", { class: "present-bar", role: "group", "aria-label": t("run.controls") }, back, on, play,
    h("label", { class: "pace" }, h("span", { class: "sr-only" }, t("run.pace")), pace), chapters, where, full,
    button(t("present.leave"), leaveTo, { kind: "quiet", icon: "cross", testid: "present-leave" }));
  const node = h("div", { class: "present" }, h("h1", { class: "sr-only" }, t("present.title", { title: name })), clock,
    stage, bar);

  /** The people who are to answer. */
  function waitingFor() {
    const { status } = lab;
    const asked = status?.open?.find((ask) => ask.seatKind === "human");
    if (asked) return t("present.asked", { name: asked.seat });
    const state = status?.state ?? lab.view.run;
    if (state !== "running") return t(`state.${state}`);
    const busy = [...lab.view.people.values()].filter((person) => activity(lab.view, person.name));
    return busy.length
      ? busy.map((person) => `${person.name}: ${t(`activity.${activity(lab.view, person.name)}`)}`).join(" · ")
      : t("loading");
  }

  const speaker = (slide) => {
    const person = slide.seat && context.person(slide.seat);
    return person
      && h("header", { class: "speaker" }, avatar(person, "large"),
        h("p", null, h("b", null, person.name), " ", kindTag(person.kind),
          slide.tags?.map((tag) => h("span", { class: "quiet" }, ` ${tag}`))));
  };
  const SHOW = {
    title:
      () => [h("p", { class: "eyebrow" }, t(`home.presets.${head?.protocol ?? "justice"}`)), h("h2", null, name),
        (lab.view.topic || lab.view.question) && h("p", { class: "matter" }, lab.view.topic || lab.view.question),
        h("ul", { class: "players plain" },
          [...lab.view.people.values()].map((person) =>
            h("li", null, avatar(person, "large"), h("span", null, h("b", null, person.name), kindTag(person.kind)))
          )), h("p", { class: "quiet no-full" }, t("present.hint"))],
    chapter: (
      slide,
    ) => [h("p", { class: "eyebrow" }, slide.part.phase ? t(`phase${slide.part.phase}`) : name),
      h("h2", null, titleOf(slide)), slide.looks.some(has)
      && h("div", { class: "look" }, h("p", { class: "eyebrow" }, t("present.look")),
        slide.looks.filter(has).map((key) => h("p", null, t(key))))],
    text: (
      slide,
    ) => [slide.seat
      ? speaker(slide)
      : slide.heading && h("h2", { class: "small" }, slide.heading),
      h("div", { class: "aloud", lang: code }, slide.paragraphs.map((one) => h("p", null, one))),
      h("p", { class: "under" },
        slide.pages > 1 && h("span", { class: "quiet" }, t("present.page", { at: slide.page + 1, of: slide.pages })),
        slide.favored && h("span", { class: "favors" }, slide.favored.label, " ", chosen(slide.favored.items[0])))],
    items: (
      slide,
    ) => [h("h2", { class: "small" }, titleOf(slide)),
      h("ol", { class: "turns" }, slide.items.map((key) => drawItem(lab.view.items.get(key), context)))],
    end:
      () => [h("p", { class: "eyebrow" }, t("present.outcome")),
        h("h2", { "data-testid": "outcome" }, outcomeSentence(lab.view)),
        h("p", null,
          h("a", { class: "button button-primary", href: `#/results/${encodeURIComponent(id)}` }, t("run.results")))],
    wait: () => [h("p", { class: "matter", "data-testid": "present-wait" }, waitingFor())],
  };

  function update() {
    const before = slides[at];
    const had = slides.length;
    slides = deck(lab.view, code);
    // Stays on the same slide wherever it moves; a waiting slide moves on to what came.
    const same = slides.findIndex((slide) => slide.key === before?.key);
    at = before?.kind === "wait" && slides.length > had ? had - 1 : same >= 0 ? same : Math.min(at, slides.length - 1);
    if (paceBefore && slides.length !== had) lab.hold(timeLeft());
    render();
  }

  function render() {
    const slide = slides[at];
    const fresh = slide.kind === "wait" ? `wait ${waitingFor()}` : `${slide.key} ${slide.items?.length}`;
    if (fresh !== drawn) {
      drawn = fresh;
      put(stage,
        h("div", { class: ["slide", `slide-${slide.kind}`, slide.seat && seatOf(context.person(slide.seat))],
          "data-key": slide.key }, SHOW[slide.kind](slide)));
      stage.scrollTop = 0;
      schedule();
    }
    back.disabled = at === 0;
    on.disabled = at >= slides.length - 1;
    put(where, t("present.where", { at: at + 1, of: slides.length }), lab.view.result && at < slides.length - 1
      ? ` · ${t("present.left", { n: Math.ceil(timeLeft() / 60_000) })}`
      : "");
    const marks = chaptersOf(slides).map((place) => slides[place]).filter((one) => one.kind !== "wait");
    if (chapters.children.length !== marks.length) {
      put(chapters, marks.map((one) =>
        h("option", { value: chapterOf(one) },
          one.kind === "title" ? name : one.kind === "end" ? t("present.outcome") : titleOf(one))
      ));
    }
    chapters.value = chapterOf(slides.slice(0, at + 1).findLast((one) => one.kind !== "wait"));
  }

  const wordsOf = (
    slide,
  ) => (slide.kind === "text"
    ? wordsIn(slide.paragraphs.join(" "), code)
    : slide.kind === "items"
    ? 12 * slide.items.length
    : 20);
  /** Milliseconds for the slides from here on. */
  const timeLeft = () =>
    slides.slice(at).reduce((sum, slide) => slide.kind === "wait" ? sum : sum + readingTime(wordsOf(slide), perMinute),
      0);

  /** Schedules the next slide, if they advance automatically. */
  function schedule() {
    clearTimeout(timer);
    clock.getAnimations().forEach((one) => one.cancel());
    if (!isPlaying || slides[at].kind === "wait") return;
    if (at >= slides.length - 1) return pause();
    const time = readingTime(wordsOf(slides[at]), perMinute);
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches) {
      clock.animate([{ transform: "scaleX(0)" }, { transform: "scaleX(1)" }], { duration: time, fill: "forwards" });
    }
    timer = window.setTimeout(() => go(at + 1), time);
  }
  function go(to) {
    at = Math.max(0, Math.min(slides.length - 1, to));
    if (paceBefore && slides[at].kind === "wait") lab.hold(0);
    render();
  }
  /** A step by hand stops the automatic advance. */
  function step(by) {
    pause();
    go(at + by);
  }
  const chapter = (by) => {
    pause();
    const marks = chaptersOf(slides);
    go((by > 0 ? marks.find((place) => place > at) : marks.findLast((place) => place < at)) ?? at);
  };
  const playing = (now) => {
    isPlaying = now;
    put(play, icon(now ? "pause" : "play"), h("span", null, t(now ? "run.pause" : "present.play")));
    play.setAttribute("aria-pressed", String(now));
    schedule();
  };
  const start =
    () => (at >= slides.length - 1 && lab.view.result ? ((at = 0), render(), playing(true)) : playing(true));
  const pause = () => isPlaying && playing(false);
  function setPace(words) {
    perMinute = words;
    pace.value = String(words);
    localStorage.setItem(STORE, String(words));
    if (paceBefore) engine.setPace("aloud", words);
    drawn = "";
    render();
  }
  const faster = (by) => setPace(PACES[Math.max(0, Math.min(PACES.length - 1, PACES.indexOf(perMinute) + by))] ?? 200);
  function toggleFull() {
    (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen()).catch(
      () => {},
    );
  }

  const quiet = lab.listen(update);
  const shortcut = (says, go, ...keys) => keys.map((key, place) => ({ key, says: place ? "" : says, go }));
  return {
    node,
    title: t("present.title", { title: name }),
    shortcuts: [
      ...shortcut("present.on", () => step(1), " ", "ArrowRight", "PageDown"),
      ...shortcut("present.back", () => step(-1), "ArrowLeft", "PageUp", "Backspace"),
      ...shortcut("present.chapter.next", () => chapter(1), "ArrowDown"),
      ...shortcut("present.chapter.before", () => chapter(-1), "ArrowUp"),
      ...shortcut("present.first", () => (pause(), go(0)), "Home"),
      ...shortcut("present.last", () => (pause(), go(slides.length - 1)), "End"),
      ...shortcut("present.play", () => play.click(), "p"),
      ...shortcut("present.faster", () => faster(1), "+"),
      ...shortcut("present.slower", () => faster(-1), "-"),
      ...shortcut("present.full", toggleFull, "f"),
      ...shortcut("present.leave", leaveTo, "Escape"),
    ],
    entered() {
      document.documentElement.classList.add("presenting");
      // A bright room needs dark text on white, unless the user has chosen a theme.
      if (theme() === "auto") applyTheme("light");
      update();
      if (lab.isRecord || lab.status.state !== "running") return;
      paceBefore = engine.paceName();
      engine.setPace("aloud", perMinute);
      // Starts at the present chapter.
      at = chaptersOf(slides).findLast((place) => slides[place].chapter) ?? 0;
      lab.run();
      playing(true);
    },
    leave() {
      quiet();
      clearTimeout(timer);
      if (paceBefore) engine.setPace(paceBefore);
      document.documentElement.classList.remove("presenting");
      applyTheme();
      if (document.fullscreenElement) document.exitFullscreen().catch(() => {});
      if (lab.isRecord) return;
      lab.show("owner");
      engine.release(lab);
    },
  };
}
