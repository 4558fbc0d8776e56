// The first screen: what this is, one button that starts a run, presets, and what was left open.
import { h, button, put } from "./dom.js";
import { t, has, language, CONFIG_LANGUAGES, moment } from "./i18n.js";
import { avatar } from "./participants.tsx";
import { openRooms, tableOf } from "./rooms/stored-rooms.js";
import { file } from "./files.js";

/** The same groups in each language: only the ones in the page's language, or else in English, are offered on it. */
const NATIVE = { five: "en", cinco: "es", wu: "zh", "round-table": "en", "mesa-redonda": "es", yuanzhuo: "zh" };

/** A preset in the language of the page; seats that have a language of their own keep it. */
export function localised(preset) {
  const config = structuredClone(preset.config);
  if (!(preset.id in NATIVE)) {
    config.language = CONFIG_LANGUAGES[language()];
    if (language() !== "en") config.title = presetTitle(preset);
  }
  const own = (part) => (has(`preset.${preset.id}.${part}`) ? t(`preset.${preset.id}.${part}`) : null);
  for (const matter of ["topic", "question"]) {
    if (own(matter)) Object.assign(config, { title: presetTitle(preset), [matter]: own(matter) });
  }
  if (own("rules")) config.rules = own("rules").split("\n");
  const people = own("agents")?.split("\n") ?? [];
  const names = new Map();
  config.agents.forEach((agent, at) => {
    if (people.length !== config.agents.length) return;
    const [name, ...personality] = people[at].split(/:\s*/);
    names.set(agent.name, name);
    Object.assign(agent, { name }, personality.length ? { personality: personality.join(": ") } : {});
  });
  if (names.has(config.topology_hub_agent)) config.topology_hub_agent = names.get(config.topology_hub_agent);
  return config;
}

/** Presets for the page's language, the plainest first. */
export function presetsFor(all, code = language()) {
  const own = Object.values(NATIVE).includes(code) ? code : "en";
  const fitting = all.filter((preset) => !(preset.id in NATIVE) || NATIVE[preset.id] === own);
  const isFirst = ({ id, config }) => id in NATIVE && (config.protocol ?? "justice") === "justice";
  return fitting.sort((a, b) => Number(isFirst(b)) - Number(isFirst(a)));
}

export function presetTitle(preset) {
  return has(`preset.${preset.id}`) ? t(`preset.${preset.id}`) : (preset.config.title ?? preset.id);
}
export const presetText = (
  preset,
) => (has(`preset.${preset.id}.text`)
  ? t(`preset.${preset.id}.text`)
  : t("home.preset.seats", { n: preset.config.agents.length }));

/** The presets, which the build took from the engine. */
let loading;
const loadPresets = () =>
  loading ??= fetch(file("presets.json")).then((response) => response.json()).catch((error) => {
    loading = undefined;
    throw error;
  });

/** Shown before the engine is there: Start waits for it, and what is stored is listed after. */
export async function view({ starting }) {
  const said = h("p", { class: "said", role: "alert" });
  const listed = starting.then(({ Library }) => Library.list()).catch(() => null);
  let beginning = false;
  const begin = async (preset) => {
    if (beginning) return;
    beginning = true;
    try {
      const waiting = setTimeout(() => put(said, t("loading")), 200);
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
      said.dataset.ok = "false";
      put(said, ["storage", "quota"].includes(error.code) ? t(`trouble.${error.code}`) : t("home.failed"), " ",
        h("span", { lang: "en" }, error.message));
    }
    beginning = false;
  };
  /** Everybody at the table is a person with a device of their own. */
  const withClass = async () => {
    const [engine, presets] = await Promise.all([starting, loadPresets()]);
    const config = localised(presetsFor(presets)[0]);
    delete config.seed;
    config.agents = config.agents.map(({ name, personality }) => ({ name, personality, kind: "human" }));
    const { inviteTo } = await import("./rooms/hosted-rooms.js");
    await inviteTo(config, engine);
  };
  const unfinished = h("div");
  const offered = h("div");
  const table = h("div", { class: "table-art", "aria-hidden": "true" }, h("span", { class: "table-top" }),
    ["A", "B", "C", "D", "E"].map((name, index) =>
      h("span", { class: `art-seat art-${index}` }, avatar({ name, index }, "large"))
    ));
  const node = h("div", { class: "page home" },
    h("section", { class: "hero" },
      h("div", null, h("p", { class: "eyebrow" }, t("home.eyebrow")), h("h1", null, t("home.title")),
        h("p", { class: "lead" }, t("home.lead")),
        h("div", { class: "row" },
          button(t("home.start"), () => begin(null), { kind: "primary", icon: "play", testid: "start",
            class: "button button-primary button-large" }),
          h("a", { class: "button button-large", href: "#/setup", "data-testid": "open-setup" }, t("home.own")),
          button(t("home.class"), () => withClass(), { icon: "people", testid: "class",
            class: "button button-large" })), h("p", { class: "quiet" }, t("home.startnote")), said), table),
    unfinished,
    h("section", { "aria-labelledby": "how-title" }, h("h2", { id: "how-title" }, t("home.how")),
      h("ol", { class: "how" },
        [1, 2, 3].map((n) => h("li", null, h("h3", null, t(`home.how${n}`)), h("p", null, t(`home.how${n}.text`)))))),
    offered, h("p", null, h("a", { href: "#/library" }, t("home.library"))));
  const fill = async () => {
    offered.replaceWith(presetList(presetsFor(await loadPresets()), begin));
    await starting;
    const [all, rooms] = await Promise.all([listed, openRooms()]);
    unfinished.replaceWith(...unfinishedList(all ?? [], rooms));
  };
  const filled = fill();
  // Who cannot start the engine is told by the page.
  filled.catch(() => {});
  return { node, title: "", filled };
}

/** Rooms, and sessions that are no table's in one of them. */
function unfinishedList(all, rooms) {
  const open = all.filter((one) => one.state === "unfinished" && !tableOf(rooms, one.id)).slice(0, 3);
  if (!open.length && !rooms.length) return [];
  const line = (href, name, kind, at) =>
    h("li", null, h("a", { href }, name), " ", h("span", { class: "quiet" }, kind, moment(at)));
  return [
    h("section", { "aria-labelledby": "open-title", "data-testid": "unfinished" },
      h("h2", { id: "open-title" }, t("home.unfinished")),
      h("ul", { class: "plain list" },
        rooms.slice(0, 3).map(({ id, title, opened }) =>
          line(`#/room/${encodeURIComponent(id)}`, title || t("untitled"), `${t("room.title")} · `, opened)
        ), open.map((one) => line(`#/run/${one.id}`, one.title || t("untitled"), null, one.updated)))),
  ];
}

function presetList(presets, begin) {
  const protocols = [...new Set(presets.map(({ config }) => config.protocol ?? "justice"))];
  return h("section", { "aria-labelledby": "presets-title" }, h("h2", { id: "presets-title" }, t("home.presets")),
    protocols.map((
      protocol,
    ) => [h("h3", { class: "protocol eyebrow" }, t(`home.presets.${protocol}`)),
      cards(presets.filter(({ config }) => (config.protocol ?? "justice") === protocol), begin)]
    ));
}

function cards(presets, begin) {
  return h("ul", { class: "cards plain" },
    presets.map((preset) =>
      h("li", { class: "card" }, h("h4", null, presetTitle(preset)), h("p", null, presetText(preset)),
        h("p", { class: "faces", "aria-hidden": "true" }, localised(preset).agents.slice(0, 10).map((agent, index) =>
          avatar({ name: agent.name, index }, "small")
        )), h("div", { class: "row" }, needsKey(preset)
          ? null
          : button(t("home.run"), () => begin(preset), { icon: "play",
            "aria-label": `${t("home.run")}: ${presetTitle(preset)}`, testid: `preset-${preset.id}` }),
          h("a", { class: "button button-quiet", href: `#/setup/${encodeURIComponent(preset.id)}`,
            "aria-label": `${t("home.change")}: ${presetTitle(preset)}` }, t("home.change"))))
    ));
}

const needsKey = (preset) => preset.config.agents.some((agent) => agent.kind === "model");
