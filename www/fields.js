// What the form offers for a configuration, by its protocol, and how values are read and written by path. What is not
// offered here can be set in the configuration as text.
import * as debate from "./fields/debate.js";
import * as discussion from "./fields/discussion.js";
import * as justice from "./fields/justice.js";
import { PROVIDERS } from "./models/providers.js";

/** The protocols in the order in which they are offered. */
export const PROTOCOLS = { justice, discussion, debate };
export const protocolOf = (config) => (config?.protocol in PROTOCOLS ? config.protocol : "justice");
const of = (config) => PROTOCOLS[protocolOf(config)];

/** The groups for a configuration: those whose settings have an effect in its protocol. */
export const groupsFor = (config) => of(config).groups;
/** The same for a participant. */
export const agentFieldsFor = (config) => of(config).agents;

/** A configuration that an engine has nothing to say about, to try keys on. */
export const plain = (config) => ({
  protocol: protocolOf(config), agents: ["A", "B", "C", "D"].map((name) => ({ name, personality: "-" })), ...(protocolOf(config) === "debate" && { question: "-" }),
});

/** Whether an engine that finds `faults` and `warnings` in a configuration takes the key at `path`. */
export const takes = ({ faults, warnings }, path) => ![...faults, ...warnings].some((one) => parts(one.path)[0] === path);

/** Base URLs of the providers that the page knows. */
export const ENDPOINTS = [...new Set(PROVIDERS.map(({ baseUrl }) => baseUrl).filter(Boolean))];

/** Parts of a path as faults and fields write it: `agents[2].name`, `agents.2.name`. */
export const parts = (path) => String(path).replace(/\[(\w+)\]/g, ".$1").replace(/^[$.]+/, "").split(".").filter(Boolean);

/** The value at a path; undefined if there is none. */
export const read = (config, path) => parts(path).reduce((value, key) => value?.[key], config);

/** Sets the value at a path; `undefined` takes it out, and objects that become empty with it. */
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
