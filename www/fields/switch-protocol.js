// Converts a configuration to another protocol: settings with the same meaning are copied, the others are listed.
import { sharedOfAgents } from "../fields.js";

/** Keys that mean the same in every protocol. */
const SHARED = ["language", "seed", "limits"];
/** The subject, by protocol. */
const MATTER = { discussion: "topic", debate: "question" };

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
const filled = (value) =>
  value !== undefined && value !== null && value !== "" && !(typeof value === "object" && !Object.keys(value).length);

/** Agents of `from`, with other settings from the agent of the same name in `base`. */
function seated(from, base) {
  const shared = sharedOfAgents();
  return from.map((agent) => {
    const before = base.find((one) => one?.name === agent?.name) ?? {};
    const own = Object.fromEntries(Object.entries(before).filter(([key]) => !shared.includes(key)));
    return { ...own,
      ...Object.fromEntries(shared.filter((key) => agent?.[key] !== undefined).map((key) => [key, agent[key]])) };
  });
}

/**
 * `base` with the changes made to `config`: `origin` is what that began as. Returns the new configuration, the copied
 * keys and the dropped ones.
 */
export function switched(config, origin, base) {
  const next = structuredClone(base);
  const changed = (key) => filled(config[key]) && !same(config[key], origin?.[key]);
  const kept = [];
  const keep = (key, to = key) => {
    next[to] = structuredClone(config[key]);
    kept.push(key);
  };
  if (changed("title")) keep("title");
  if (changed("condition")) keep("condition");
  if (filled(config.language)) next.language = config.language;
  for (const key of SHARED) if (changed(key)) keep(key);
  const [from, to] = [MATTER[config.protocol], MATTER[base.protocol]];
  if (from && to && from !== to && changed(from)) keep(from, to);
  if (changed("agents") && Array.isArray(config.agents)) {
    next.agents = seated(config.agents, base.agents ?? []);
    kept.push("agents");
  }
  const behind = Object.keys(config).filter((key) => key !== "protocol" && !kept.includes(key) && changed(key));
  return { config: next, kept, behind };
}

/**
 * Agents in the speaking order of a discussion, with their roles; `participants` or `sequence_order` take precedence.
 * `nameless` is the name of a person without one.
 */
export function tableOf({ agents, participants }, nameless = "") {
  const known = Array.isArray(agents) ? agents : [];
  const inOrder = (list) =>
    list.map((one, place) => ({ one, at: one?.sequence_order ?? place })).sort((a, b) => a.at - b.at).map(({ one }) =>
      one
    );
  const bare = ({ sequence_order, ...rest }) => rest;
  if (!Array.isArray(participants)) {
    return inOrder(known).map((one) => (one && typeof one === "object" ? bare(one) : one));
  }
  return inOrder(participants).map((place) => {
    const name = place?.agent ?? place?.agent_id;
    const agent = known.find((one) => one?.name === name);
    if (agent) return { ...bare(agent), role: place.role };
    // A place without an agent is a person's; any other cannot be seated.
    return place?.role === "user" ? { name: name || nameless, kind: "human", role: "user" } : null;
  }).filter(Boolean);
}
