// A finished or stopped record, replayed entry by entry with a slider; branches start here.
import { h, put, button, icon } from "./dom.js";
import { t, number, clock } from "./i18n.js";
import { conversation } from "./conversation.js";
import { inspect, inspectAsks } from "./inspector.js";
import { openDialog } from "./dialog.tsx";
import { wallRole } from "./visibility.js";
import { stepBar, peoplePanel, personDetails } from "./panels.js";
import { presentLink } from "./run.js";

/** Entries that change what is visible. */
const SEEN = new Set(["answered", "event", "halted", "ended"]);

export async function view({ args: [id], engine }) {
  const entries = await engine.entriesOf(id);
  if (!entries.length) throw Object.assign(new Error(id), { code: "unknown" });
  const stops = entries.filter((entry) => SEEN.has(entry.what.type)).map((entry) => entry.seq + 1);
  const viewer = engine.viewer(entries, wallRole(engine.viewer(entries).at()));
  let shown = viewer.at(1);
  const costs = () => engine.costsOf(entries);
  let at = 0;
  let timer = 0;
  const onBranch = async (seq, answer) => {
    try {
      location.hash = `#/run/${await engine.branch(id, seq, answer)}`;
    } catch (error) {
      openDialog(t("branch.failed"), () => h("p", { lang: "en" }, error.message));
    }
  };
  const show = entries[0]?.what.protocol === "debate" ? (await import("./board.js")).board : conversation;
  const talk = show({ onInspect: (item) => inspect(item, shown, { onBranch, costs, asked: viewer.asked }) });
  const steps = stepBar((key) => {
    talk.open(key);
    document.getElementById(`part-${key.replaceAll("/", "-")}`)?.scrollIntoView();
  });
  const people = peoplePanel((name) =>
    openDialog(name, () =>
      personDetails(shown, shown.people.get(name), (ids) =>
        inspectAsks(ids.map((one) =>
          shown.asks.get(one)
        ).filter(Boolean), shown, { costs, asked: viewer.asked })), { wide: true })
  );
  const slider = h("input", { id: "replay-at", type: "range", min: "0", max: String(stops.length),
    value: String(stops.length), "data-testid": "replay-slider", on: { input: () => {
      pause();
      go(Number(slider.value));
    } } });
  const where = h("output", { for: "replay-at", class: "quiet" });
  const play = button(t("replay.play"), () => (timer ? pause() : start()), { icon: "play", testid: "replay-play" });
  const plays = (image, label) => put(play, icon(image), h("span", null, t(label)));
  const pause = () => {
    clearInterval(timer);
    timer = 0;
    plays("play", "replay.play");
  };
  const start = () => {
    if (at >= stops.length) go(0);
    plays("pause", "run.pause");
    timer = setInterval(() => (at >= stops.length ? pause() : go(at + 1)), 180);
  };
  function go(place) {
    const next = Math.max(0, Math.min(stops.length, place));
    const count = next === 0 ? 1 : next === stops.length ? entries.length : stops[next - 1];
    shown = viewer.at(count, next < at || at === 0 ? null : shown);
    at = next;
    slider.value = String(at);
    slider.setAttribute("aria-valuetext", t("replay.where", { n: count, of: entries.length }));
    put(where, t("replay.where", { n: count, of: entries.length }), shown.lastAt ? ` · ${clock(shown.lastAt)}` : "");
    talk.update(shown);
    steps.update(shown);
    people.update(shown);
    if (timer) window.scrollTo({ top: document.documentElement.scrollHeight, behavior: "instant" });
  }
  const node = h("div", { class: "run replay" },
    h("div", { class: "run-bar" },
      h("div", { class: "run-bar-in" },
        h("div", { class: "run-controls", role: "group", "aria-label": t("run.controls") }, play,
          button(t("replay.back"), () => (pause(), go(at - 1)), { class: "button", testid: "replay-back" }),
          button(t("replay.on"), () => (pause(), go(at + 1)), { class: "button", testid: "replay-on" }),
          presentLink(id)),
        h("div", { class: "slider" }, h("label", { for: "replay-at", class: "sr-only" }, t("replay.slider")), slider),
        where)),
    h("div", { class: "run-grid" }, h("aside", { class: "run-steps", "aria-label": t("steps") }, steps.node),
      h("div", { class: "run-main" },
        h("h1", { class: "run-title" }, t("replay.title", { title: entries[0]?.what.config?.title || t("untitled") })),
        h("p", { class: "simulated" }, t("replay.text")), talk.node),
      h("aside", { class: "run-people", "aria-label": t("people") }, people.node)));
  return {
    node,
    title: t("library.replay"),
    shortcuts: [
      { key: "c", says: "shortcut.controls", go: () => play.focus() },
      ...talk.shortcuts,
      { key: "p", says: "shortcut.present", go: () => (location.hash = `#/present/${encodeURIComponent(id)}`) },
    ],
    entered: () => go(stops.length),
    leave() {
      pause();
      talk.leave?.();
    },
  };
}
