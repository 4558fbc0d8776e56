// The presets: those for the page's language, in its words.
import { file } from "../files.js";
import { t, has, language, CONFIG_LANGUAGES } from "../i18n.js";

/** The same groups in each language: only the ones in the page's language, or else in English, are offered on it. */
const NATIVE = { five: "en", cinco: "es", wu: "zh", "round-table": "en", "mesa-redonda": "es", yuanzhuo: "zh",
  hamster: "en", "hamster-es": "es", "hamster-zh": "zh", robot: "en", "robot-es": "es", "robot-zh": "zh" };

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

/** Presets for classes. */
export const classPresets = (all) => all.filter((preset) => preset.class);

/** Presets for the page's language, the plainest first; without those for classes. */
export function presetsFor(all, code = language()) {
  const own = Object.values(NATIVE).includes(code) ? code : "en";
  const fitting = all.filter((preset) => !preset.class && (!(preset.id in NATIVE) || NATIVE[preset.id] === own));
  const isFirst = (preset) => preset.id in NATIVE && protocolOf(preset) === "justice";
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
export const loadPresets = () =>
  loading ??= fetch(file("presets.json")).then((response) => response.json()).catch((error) => {
    loading = undefined;
    throw error;
  });

export const protocolOf = ({ config }) => config.protocol ?? "justice";
export const needsKey = ({ config }) => config.agents.some((agent) => agent.kind === "model");
