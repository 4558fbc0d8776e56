// Configurations as people write them: read from YAML or JSON of a size that can be worked with, and written back.
import { h } from "./dom.js";
import { t } from "./i18n.js";

const loadYaml = () => import("./libraries/yaml.js");
/** Characters and lines of a text at most, and values in it with all that refers to others written out. */
const LARGEST = 2_000_000;
const LINES = 20_000;
const MOST = 100_000;
const DEEPEST = 40;

/** The configuration as people write it: what it is first, then who takes part, then the rest. */
export function inOrder(config) {
  const first = ["title", "condition", "protocol", "profile", "language", "topic", "question", "context", "rules",
    "seed", "agents", "phase2_rounds"];
  const keys = [...first.filter((key) => key in config), ...Object.keys(config).filter((key) => !first.includes(key))];
  const agent = (
    one,
  ) => (one && typeof one === "object"
    ? { ...("name" in one && { name: one.name }), ...("kind" in one && { kind: one.kind }), ...one }
    : one);
  return Object.fromEntries(
    keys.map((key) => [key, key === "agents" && Array.isArray(config.agents) ? config.agents.map(agent) : config[key]]),
  );
}

/** A function that reads texts of a format; it throws with a sentence for people. */
export async function reader(format) {
  const yaml = format === "json" ? null : await loadYaml();
  return (text) => {
    if (text.length > LARGEST || (yaml && text.split("\n", LINES + 1).length > LINES)) {
      throw new Error(t("setup.toolarge"));
    }
    // Where one mapping takes in another (`<<`), as YAML 1.1 has it and files of the published program may.
    // The library counts what aliases write out, and gives up on too many.
    const config = parsed(() => (yaml ? yaml.parse(text, { merge: true }) : JSON.parse(text)), text, format);
    if (config === null || typeof config !== "object" || Array.isArray(config)) throw new Error(t("setup.notobject"));
    let values = 0;
    const walk = (value, depth) => {
      if ((values += 1) > MOST) throw new Error(t("setup.toolarge"));
      if (typeof value === "number" && !Number.isFinite(value)) {
        throw new Error(t("setup.notfinite", { value: String(value) }));
      }
      if (depth > DEEPEST) throw new Error(t("setup.endless"));
      if (value && typeof value === "object") { for (const one of Object.values(value)) walk(one, depth + 1); }
    };
    walk(config, 0);
    return config;
  };
}

/** What keeps YAML from being read, by what the library says of it. */
const UNREAD = { tab: /^TAB_AS_INDENT/, bracket: /end with a [\]}]|flow-\w+-end/, quote: /Missing closing/,
  duplicate: /^DUPLICATE_KEY/, alias: /alias/i, indent: /^(BAD_INDENT|BLOCK_|MULTILINE_)/, other: /^/ };

/** What the parser makes of it; where that is nothing, a sentence of ours says why and where, and the parser's words are its cause. */
function parsed(parse, text, format) {
  try {
    return parse();
  } catch (error) {
    const { code = "", message, linePos: [at] = [] } = error;
    const kind = format === "json"
      ? "json"
      : Object.entries(UNREAD).find(([, words]) => words.test(`${code} ${message}`))[0];
    const before = Number(/position (\d+)/.exec(message)?.[1]);
    const [, line, column] = at
      ? [null, at.line, at.col]
      : /line (\d+) column (\d+)/.exec(message)
        ?? (before
          ? [null, text.slice(0, before).split("\n").length, before - text.lastIndexOf("\n", before - 1)]
          : []);
    const place = line && t("setup.unread.place", { line: String(line), column: String(column) });
    throw new Error([t(`setup.unread.${kind}`), place].filter(Boolean).join(" "), { cause: error });
  }
}

/** The sentence of an error, and what a program said of it for who wants to know. */
export const toldOf = ({ message, cause }) => [message, cause
  && h("details", null, h("summary", null, t("details")), h("span", { lang: "en" }, cause.message))];

/** The text of a configuration. */
export async function written(config, format, { schema = "" } = {}) {
  if (format === "json") return JSON.stringify(inOrder(config), null, 2);
  // Editors that know the comment check what is typed, and tell what may be.
  return (schema && `# yaml-language-server: $schema=${schema}\n`) + (await loadYaml()).stringify(inOrder(config));
}

/** Where the page has the schema of configurations. */
export const schema = () => new URL("pkg/quorate.schema.json", document.baseURI).href;
