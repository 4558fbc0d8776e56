// Configurations as text: read from YAML or JSON of a limited size, and written.
import { t } from "./i18n.js";
import { file } from "./files.js";
import { workerUrl } from "./workers.js";

const loadYaml = () => import("./libraries/yaml.js");
/** Limits: characters, lines, and values with all aliases expanded. */
const LARGEST = 2_000_000;
const LINES = 20_000;
/** YAML of more characters or lines is parsed by a worker: a few kinds take the library time by their square. */
const SMALL = 8_000;
const FEW_LINES = 400;
/** Milliseconds after which the worker is stopped. */
const PATIENCE = 10_000;
const MOST = 100_000;
const DEEPEST = 40;

/** Orders the keys for readers: what it is, who takes part, the rest. */
export function orderKeys(config) {
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

/** Parses YAML in a worker. */
function parseApart(text) {
  const worker = new Worker(workerUrl(file("yaml_worker.js")), { type: "module" });
  const made = new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(t("setup.toolarge"))), PATIENCE);
    worker.addEventListener("message", ({ data }) => {
      clearTimeout(timer);
      resolve(data);
    });
    worker.addEventListener("error", () => reject(new Error(t("setup.toolarge"))));
    worker.postMessage(text);
  }).finally(() => worker.terminate());
  return { worker, made };
}

/** A function that parses texts of a format; it rejects with errors with messages for people. */
export async function parserFor(format) {
  const yaml = format === "json" ? null : await loadYaml();
  let worker = null;
  /** Merge keys (`<<`) of YAML 1.1 occur in files of the published program. The library limits the expansion of aliases. */
  async function parseYaml(text) {
    // A later text replaces the one before.
    worker?.terminate();
    if (text.length <= SMALL && text.split("\n", FEW_LINES + 1).length <= FEW_LINES) {
      return () => yaml.parse(text, { merge: true });
    }
    const apart = parseApart(text);
    worker = apart.worker;
    const { made, fault } = await apart.made;
    return () => {
      if (fault) throw fault;
      return made;
    };
  }
  return async (text) => {
    if (text.length > LARGEST || (yaml && text.split("\n", LINES + 1).length > LINES)) {
      throw new Error(t("setup.toolarge"));
    }
    const config = parseText(yaml ? await parseYaml(text) : () => JSON.parse(text), text, format);
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

/** Kinds of YAML errors, by the library's code or message. */
const UNREAD = { tab: /^TAB_AS_INDENT/, bracket: /end with a [\]}]|flow-\w+-end/, quote: /Missing closing/,
  duplicate: /^DUPLICATE_KEY/, alias: /alias/i, indent: /^(BAD_INDENT|BLOCK_|MULTILINE_)/, other: /^/ };

/** Parses a text. Errors get a message with the reason and place; the parser's own error is their cause. */
function parseText(parse, text, format) {
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

/** Writes a configuration as text. */
export async function writeConfig(config, format, { schema = "" } = {}) {
  if (format === "json") return JSON.stringify(orderKeys(config), null, 2);
  // A comment by which editors find the schema for checks and completion.
  return (schema && `# yaml-language-server: $schema=${schema}\n`) + (await loadYaml()).stringify(orderKeys(config));
}

/** The address of the configuration schema. */
export const schema = () => new URL("pkg/quorate.schema.json", document.baseURI).href;
