// The settings of a protocol, as the engine describes them, in groups; and access to values by path. Settings missing
// here can be set in the configuration as text.
import { protocols as protocolsOfEngine, spec } from "./pkg/quorate.js";
import { PROVIDERS } from "./models/providers.js";

/** @type {ReturnType<typeof protocolsOfEngine> | undefined} */
let listed;
/** The protocols of the engine, asked for once: the form needs them for every field. */
export const protocols = () => (listed ??= protocolsOfEngine());
export const protocolOf = (config) => (protocols().includes(config?.protocol) ? config.protocol : "justice");

const known = new Map();
/** The groups of a protocol, and every setting by its path without indices (`agents.kind`). */
function described(protocol) {
  if (!known.has(protocol)) {
    const { groups, settings } = spec(protocol);
    const all = new Map();
    const collect = (some, prefix) => {
      for (const setting of some) {
        const path = prefix + setting.name;
        all.set(path, { ...setting, path });
        collect(inside(setting.kind), `${path}.`);
      }
    };
    collect(settings, "");
    known.set(protocol, { groups, all });
  }
  return known.get(protocol);
}

/** The settings of the objects that a kind may hold. */
const inside = (/** @type {any} */ kind) =>
  kind.settings ?? (Array.isArray(kind.of) ? kind.of.flatMap(inside) : kind.of ? inside(kind.of) : []);

const bare = (path) => parts(path).filter((part) => !/^\d+$/.test(part)).join(".");

/** The setting at a path of a configuration. */
export const settingAt = (config, path) => described(protocolOf(config)).all.get(bare(path));

/** The values of an enumerated setting; for a list see its entries. */
export const wordsAt = (config, path) => settingAt(config, path).kind.words;

/** The i18n key of a setting. */
export const wordsOf = ({ words, path }) =>
  words ?? (path.startsWith("agents.") ? `agent.${path.slice(7)}` : `field.${path}`);

const isOffered = (protocol, agents) =>
  [...described(protocol).all.values()].filter(({ path, group }) => group && path.startsWith("agents.") === agents);

/**
 * The groups for a configuration, with their settings in order.
 * @returns {{ id: string, open: boolean, fields: any[] }[]}
 */
export function groupsFor(config) {
  const protocol = protocolOf(config);
  const offered = isOffered(protocol, false);
  return described(protocol).groups.map(({ id, open }) => ({ id, open,
    fields: offered.filter(({ group }) => group === id) })
  );
}

/** The settings of a participant. */
export const agentFieldsFor = (config) =>
  isOffered(protocolOf(config), true).map((field) => ({ ...field, path: field.path.slice(7), words: wordsOf(field) }));

/** Settings of a participant that mean the same in every protocol. */
export function sharedOfAgents() {
  const keys = protocols().map((protocol) =>
    inside(spec(protocol).settings.find(({ name }) => name === "agents").kind).map(({ name }) => name)
  );
  return keys[0].filter((key) => keys.every((some) => some.includes(key)));
}

/** The kind of a participant that does not state it. */
export const kindOf = (agent) => agent?.kind ?? (agent?.model ? "model" : "scripted");

/** The value of a setting beside the one at `path`, or at the top. */
function siblingValue(config, path, name) {
  const beside = [...parts(path).slice(0, -1), name].join(".");
  const at = settingAt(config, beside) ? beside : name;
  if (/^agents\.\d+\.kind$/.test(at)) return kindOf(read(config, at.slice(0, -5)));
  return read(config, at) ?? usualAt(config, at);
}

/** The default at a path; undefined if it depends on more than the page knows. */
export function usualAt(config, path) {
  const { usual } = settingAt(config, path) ?? {};
  if (!usual?.by) return usual?.is;
  const held = String(siblingValue(config, path, usual.by.setting));
  return (usual.by.when.find(([value]) => value === held) ?? ["", usual.by.otherwise])[1];
}

/** Returns whether a setting takes effect with the other settings. */
export const counts = (config, path) =>
  (settingAt(config, path)?.when ?? []).every(([name, values]) =>
    values.includes(String(siblingValue(config, path, name)))
  );

/** Base URLs of the known providers. */
export const ENDPOINTS = [...new Set(PROVIDERS.map(({ baseUrl }) => baseUrl).filter(Boolean))];

/** Parts of a path as faults and fields write it: `agents[2].name`, `agents.2.name`. */
export const parts = (path) =>
  String(path).replace(/\[(\w+)\]/g, ".$1").replace(/^[$.]+/, "").split(".").filter(Boolean);

/** The value at a path, or undefined. */
export const read = (config, path) => parts(path).reduce((value, key) => value?.[key], config);

/** Sets the value at a path; `undefined` removes it, and objects that become empty. */
export function write(config, path, value) {
  const keys = parts(path);
  const last = keys.pop();
  const way = [config];
  for (const key of keys) {
    const here = way.at(-1);
    if (typeof here[key] !== "object" || here[key] === null) {
      if (value === undefined) return;
      here[key] = {};
    }
    way.push(here[key]);
  }
  if (value !== undefined) {
    way.at(-1)[last] = value;
    return;
  }
  delete way.at(-1)[last];
  for (let at = way.length - 1; at > 0; at -= 1) {
    if (Array.isArray(way[at]) || Array.isArray(way[at - 1]) || Object.keys(way[at]).length) break;
    delete way[at - 1][keys[at - 1]];
  }
}
