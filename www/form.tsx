// The configuration as a form. It writes directly into the configuration object.
import { h, put, button, uid } from "./dom.js";
import { t, has, number, languageCode, language } from "./i18n.js";
import { avatar } from "./participants.tsx";
import { groupsFor, agentFieldsFor, protocolOf, read, counts, kindOf, settingAt, usualAt, wordsOf, ENDPOINTS,
  parts } from "./fields.js";
import { CONTROLS, GROUPED } from "./fields/controls.js";
import { LISTS } from "./fields/lists.js";
import { LOOK, IN_PAGE } from "./fields/presentation.js";
import { tableOf } from "./fields/switch-protocol.js";
import { MODEL, alike } from "./fields/model.js";
import { keyFields } from "./keys.js";
import { keyedOrigins } from "./origins.js";

/** The form for `config`; `onChange` is called after each change. `showFaults(faults)` marks fields. */
export function configForm({ config, engine, onChange }) {
  return frame({ config, engine, onChange }, (context) => {
    const { node } = context;
    const open = new Set([...node.querySelectorAll("details[open][data-group]")].map((one) => one.dataset.group));
    const first = !node.querySelector("[data-group]");
    node.querySelectorAll("[data-group]").forEach((one) => one.remove());
    for (const group of groupsFor(config)) {
      const content = group.id === "participants"
        ? participants(context)
        : group.id === "prompts"
        ? prompts(context)
        : fieldsOf(group.fields, context);
      node.append(
        h("details", { class: "group", "data-group": group.id, open: first ? group.open : open.has(group.id) },
          h("summary", null, h("h2", null, t(`group.${group.id}`)),
            h("span", { class: "quiet" }, t(wordFor(`group.${group.id}.text`, config))),
            h("span", { class: "fault-count", "data-count": group.id })), content),
      );
    }
  });
}

/** The i18n key of a text; a protocol may have its own. */
const wordFor = (key, config) => (has(`${key}.${protocolOf(config)}`) ? `${key}.${protocolOf(config)}` : key);

/** Only the participants. */
export function tableForm({ config, engine, onChange }) {
  return frame({ config, engine, onChange }, (context) => {
    context.node.querySelector("[data-group]")?.remove();
    context.node.append(h("div", { "data-group": "participants" }, participants(context)));
  });
}

/** The shared parts of forms: marks of faults, keys for models, conditional fields. */
function frame({ config, engine, onChange }, build) {
  const node = h("div", { class: "form" },
    h("datalist", { id: "endpoints" }, ENDPOINTS.map((url) => h("option", { value: url }))));
  const context = { config, engine, node, changed, redraw, marks: new Map(), rows: [], keyPlace: h("div") };
  const { marks, keyPlace } = context;
  let faults = [];
  let drawnKeys = "";

  function changed() {
    refresh();
    onChange();
  }

  function refresh() {
    for (const { node: row, path } of context.rows) {
      row.hidden = !counts(config, path) && !faults.some((fault) => parts(fault.path).join(".") === path);
    }
    const needed = JSON.stringify([keyedOrigins(config), config.embeddings?.base_url, config.reader,
      (Array.isArray(config.agents) ? config.agents : []).map((
        agent,
      ) => [agent?.name, agent?.kind, agent?.provider, agent?.base_url, agent?.model])]);
    if (needed === drawnKeys) return;
    drawnKeys = needed;
    put(keyPlace, keyFields(config));
  }

  function redraw(focus) {
    marks.clear();
    context.rows = [];
    const unfolded = [...node.querySelectorAll("details.more[open]")].map((one) => one.dataset.more);
    build(context);
    for (const one of node.querySelectorAll("details.more")) one.open = unfolded.includes(one.dataset.more);
    refresh();
    showFaults(faults);
    if (focus) node.querySelector(focus)?.focus();
  }

  function showFaults(found) {
    faults = found;
    for (const { place, input } of marks.values()) {
      put(place);
      input.removeAttribute("aria-invalid");
    }
    for (const fault of found) {
      const mark = markFor(fault.path);
      if (!mark) continue;
      mark.place.append(h("span", null, fault.message));
      if (mark.input.matches("input, select, textarea")) mark.input.setAttribute("aria-invalid", "true");
    }
    for (const count of node.querySelectorAll("[data-count]")) {
      const inside = found.filter((fault) =>
        markFor(fault.path)?.input.closest("[data-group]")?.dataset.group === count.dataset.count
      ).length;
      put(count, inside ? t("setup.faults", { n: inside }) : "");
    }
    refresh();
  }

  /** The field of a path, or the nearest one above it. */
  function markFor(path) {
    const keys = parts(path);
    for (let length = keys.length; length > 0; length -= 1) {
      const found = marks.get(keys.slice(0, length).join("."));
      if (found) return found;
    }
    return null;
  }

  function goTo(path) {
    const mark = markFor(path);
    if (!mark) return;
    for (let up = mark.input.closest("details"); up; up = up.parentElement.closest("details")) up.open = true;
    mark.input.focus();
  }

  redraw();
  return { node, showFaults, goTo };
}

/** The name of the setting at a path, with its participant; empty if the form has no name for it. */
export function labelOf(config, path) {
  const setting = path && settingAt(config, path);
  if (!setting || !has(wordsOf(setting))) return "";
  const [, agent] = /^agents\[(\d+)\]/.exec(path) ?? [];
  const whose = agent && (read(config, `agents.${agent}.name`) || t("agent.new", { n: String(Number(agent) + 1) }));
  const [which] = parts(path).slice(agent ? 2 : 0).filter((part) => /^\d+$/.test(part));
  return [whose, t(wordsOf(setting)) + (which ? ` (${Number(which) + 1})` : "")].filter(Boolean).join(" · ");
}

const ENDLESS = 4294967295;

/** How a setting is shown: by its kind and by presentation.js. */
function presentationOf(setting, path, config) {
  const { kind, usual } = setting;
  const look = { ...LOOK[parts(path).filter((part) => !/^\d+$/.test(part)).join(".")] };
  if (path.endsWith(".model") && kindOf(read(config, path.slice(0, -6))) === "custom") Object.assign(look, IN_PAGE);
  const type = look.type
    ?? { flag: "flag", whole: "number", number: "number", one_of: "choice", lines: "lines", pair: "pair",
      address: "url" }[kind.type]
    ?? "text";
  const otherwise = usualAt(config, path);
  return {
    ...setting,
    ...look,
    type,
    otherwise,
    min: kind.min ?? undefined,
    max: kind.max === null || kind.max === ENDLESS ? undefined : kind.max,
    step: kind.type === "whole" ? 1 : "any",
    options: look.options ?? (kind.words && (usual || look.keep ? kind.words : ["", ...kind.words])),
    placeholder: look.placeholder ?? (typeof otherwise === "string" ? otherwise : undefined),
    name: look.name ?? wordsOf(setting),
    keep: look.keep && !usual?.is,
  };
}

/** Rows of fields; those with `more` are folded. */
function fieldsOf(fields, context, { prefix = "", label = "group.more" } = {}) {
  // Of a participant only the settings in effect are shown, which its kind decides.
  const offered = fields.filter(({ path }) => !prefix || counts(context.config, prefix + path));
  const rows = (some) => h("div", { class: "fields" }, some.map((field) => fieldRow(field, context, prefix)));
  const isMore = ({ path, more }) =>
    LOOK[prefix ? `agents.${path}` : path]?.more?.(read(context.config, prefix)) ?? more;
  const more = offered.filter(isMore);
  return [rows(offered.filter((field) => !isMore(field))), more.length
    ? h("details", { class: "more", "data-more": prefix + more[0].path }, h("summary", null, t(label)), rows(more))
    : null];
}

/** A label, a control, help and a place for faults. */
function fieldRow(given, context, prefix) {
  const path = prefix + given.path;
  const field = presentationOf(given, path, context.config);
  const isKind = prefix && given.path === "kind";
  const kind = prefix ? kindOf(read(context.config, prefix)) : null;
  if (isKind) field.otherwise = kind;
  const { name } = field;
  const id = uid();
  const place = h("p", { class: "fault", id: `${id}-fault` });
  // The help on the chosen kind is more specific than that on all kinds.
  const text = isKind && kind !== "model" && has(`agent.${kind}`)
    ? `agent.${kind}`
    : wordFor(`${name}.help`, context.config);
  const help = has(text)
    ? h("p", { class: "help", id: `${id}-help` }, [t(text), bounds(field)].filter(Boolean).join(" "))
    : null;
  const described = [help && `${id}-help`, `${id}-fault`].filter(Boolean).join(" ");
  const control = (CONTROLS[field.type] ?? LISTS[field.type] ?? MODEL[field.type])(field, path, context, { id,
    "aria-describedby": described });
  context.marks.set(parts(path).join("."), { place, input: control.input });
  const group = GROUPED.has(field.type);
  const title = t(name) + (field.unit ? ` (${t(`unit.${field.unit}`)})` : "");
  const row = h(group ? "fieldset" : "div", {
    class: ["field", `field-${field.type}`, field.wide && "field-wide",
      ((prefix && given.when) || (isKind && kind === "human")) && "needed"],
    "data-path": path,
  }, group ? h("legend", null, title) : h("label", { for: id }, title), group && help, control.node ?? control.input,
    !group && help, place);
  if (field.when && !prefix) context.rows.push({ node: row, path });
  return row;
}

/** The range of a number. */
const bounds = (
  { type, min, max },
) => (type === "number" && max !== undefined ? t("field.bounds", { min: number(min), max: number(max) }) : "");

function participants(context) {
  const { config, changed, redraw, keyPlace } = context;
  const agents = Array.isArray(config.agents) ? config.agents : (config.agents = []);
  const speak = protocolOf(config) === "discussion";
  if (speak && agents.some((agent) => agent?.sequence_order !== undefined) && !config.participants) {
    agents.splice(0, agents.length, ...tableOf({ agents, participants: [] }));
  }
  const free = () => {
    let n = agents.length + 1;
    const taken = new Set(agents.map((agent) => agent?.name));
    while (taken.has(t("agent.new", { n: String(n) }))) n += 1;
    return t("agent.new", { n: String(n) });
  };
  // A person has the role of a user.
  context.kindChanged = (path, kind) => {
    const agent = agents[parts(path)[1]];
    if (speak && kind === "human") agent.role = "user";
    else if (speak && agent.role === "user") delete agent.role;
    // Settings that have no meaning, or another, for the new kind.
    if (kind !== "recorded") delete agent.plays;
    if (kind === "custom" || agent.program !== undefined) delete agent.model;
    if (kind !== "custom") delete agent.program;
    else agent.program ??= "gguf";
  };
  const models = agents.filter((agent) => kindOf(agent) === "model").length;
  const place = h("p", { class: "fault" });
  const add = button(t("agent.add"), () => {
    const last = agents.at(-1);
    const next = { name: free(), kind: last?.kind ?? "scripted",
      personality: (protocolOf(config) === "justice" && last?.personality) || t("agent.personality.new") };
    for (const key of ["program", "provider", "model", "base_url", "temperature", "reasoning_effort", "language"]) {
      if (last?.[key] !== undefined) next[key] = last[key];
    }
    // The new participant is not another person at this page.
    if (speak && next.kind === "human") next.kind = "scripted";
    agents.push(next);
    changed();
    redraw(`[data-path="agents.${agents.length - 1}.name"] input`);
  }, { testid: "add-agent" });
  context.marks.set("agents", { place, input: add });
  const fold = () => {
    config.agents = tableOf(config, t("floor.guest"));
    delete config.participants;
    changed();
    redraw("[data-testid=add-agent]");
  };
  return h("div", null, speak && h("p", { class: "help" }, t("agent.order")), Array.isArray(config.participants)
    && h("div", { class: "banner" },
      h("div", null, h("p", null, t("agent.participants")),
        h("p", null, button(t("agent.participants.fold"), fold, { testid: "fold-participants" })))),
    h("ol", { class: "agents plain" }, agents.slice(0, settingAt(config, "agents").kind.most).map((agent, index) => {
      const kind = kindOf(agent);
      const name = agent?.name || t("agent.new", { n: String(index + 1) });
      const move = (to, which) => {
        agents.splice(to, 0, ...agents.splice(index, 1));
        changed();
        redraw(`[data-agent="${to}"] .${which}:not(:disabled), [data-path="agents.${to}.name"] input`);
        put(context.node.querySelector("[data-moved]"), t("human.moved", { what: name, n: to + 1 }));
      };
      return h("li", { class: "agent", "data-agent": index },
        h("div", { role: "group", "aria-label": name },
          h("div", { class: "agent-head" }, avatar({ name: agent?.name ?? "", index }),
            h("div", { class: "row tight" },
              button("", () => move(index - 1, "up"), { class: "button button-icon button-quiet up", icon: "up",
                disabled: index === 0, "aria-label": t("agent.up", { name }) }),
              button("", () => move(index + 1, "down"), { class: "button button-icon button-quiet down", icon: "down",
                disabled: index === agents.length - 1, "aria-label": t("agent.down", { name }) }), button("", () => {
                agents.splice(index, 1);
                changed();
                redraw("[data-testid=add-agent]");
              }, { class: "button button-icon button-quiet cross", icon: "cross",
                "aria-label": t("agent.remove", { name }) }))),
          fieldsOf(agentFieldsFor(config), context, { prefix: `agents.${index}.`, label: kind === "model"
            ? "agent.more.model"
            : protocolOf(config) === "justice"
            ? "agent.more"
            : "agent.more.language" }),
          kind === "model" && models > 1 && h("p", { class: "alike" }, button(t("agent.alike"), () => {
            alike(config, index);
            changed();
            redraw(`[data-agent="${index}"] .alike button`);
            put(context.node.querySelector("[data-moved]"), t("agent.alike.done", { n: models }));
          }, { kind: "quiet", testid: "alike", "aria-label": `${t("agent.alike")} (${name})` }))));
    })), h("p", { class: "sr-only", role: "status", "data-moved": "" }), place, h("p", null, add),
    h("div", { class: "keys-place" }, h("h3", null, t("keys")), h("p", { class: "quiet" }, t("keys.text")), keyPlace));
}

function prompts(context) {
  const { config, engine, changed } = context;
  const code = languageCode(config.language ?? "English") ?? language();
  let known = [];
  try {
    known = engine.prompts(code).filter(({ protocol }) => protocol === protocolOf(config));
  } catch {
    // Without the list, prompts can be set in the configuration as text.
  }
  const family = ({ key }) => key.split(".").slice(0, -1).join(".") || t("group.prompts");
  const place = h("p", { class: "fault" });
  const body = h("div", { class: "stack" });
  const own = () => config.prompts?.[code] ?? {};
  const mark = (key) => (own()[key] === undefined ? key : `${key} •`);
  const select = h("select", { id: "prompt-key", on: { change: () => show(select.value) } },
    [...new Set(known.map(family))].map((name) =>
      h("optgroup", { label: name }, known.filter((one) =>
        family(one) === name
      ).map(({ key }) => h("option", { value: key }, mark(key))))
    ));
  context.marks.set("prompts", { place, input: select });
  function show(key) {
    const prompt = known.find((one) => one.key === key);
    if (!prompt) return put(body);
    const field = h("textarea", { id: "prompt-text", rows: "10", value: own()[key] ?? prompt.text, lang: code,
      on: { input: () => {
        const next = { ...own() };
        if (field.value === prompt.text) delete next[key];
        else next[key] = field.value;
        const all = { ...config.prompts, [code]: next };
        if (!Object.keys(next).length) delete all[code];
        if (Object.keys(all).length) config.prompts = all;
        else delete config.prompts;
        select.selectedOptions[0].textContent = mark(key);
        changed();
      } } });
    put(body,
      h("p", { class: "quiet" }, t("prompts.variables"), " ",
        prompt.variables.length ? prompt.variables.map((name) => [h("code", null, `{${name}}`), " "]) : "–"),
      h("label", { for: "prompt-text" }, t("prompts.wording")), field, h("p", null, button(t("prompts.reset"), () => {
        field.value = prompt.text;
        field.dispatchEvent(new Event("input"));
      }, { kind: "quiet" })));
  }
  if (known.length) show(known[0].key);
  return h("div", { class: "stack" },
    h("label", { for: "prompt-key" }, t("prompts.which", { language: t(`language.${code}`) })), select, place, body);
}
