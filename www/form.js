// The configuration as a form. Writes straight into the configuration object: what is left empty is not in it, so that
// the engine's default holds (shown as the field's placeholder).
import { h, put, button, uid } from "./dom.js";
import { t, has, languageCode, language } from "./i18n.js";
import { avatar } from "./people.js";
import { groupsFor, agentFieldsFor, ENDPOINTS, read, write, parts } from "./fields.js";
import { PRINCIPLES, CLASSES } from "./transcript.js";
import { keyFields } from "./keys.js";

/** The form for `config`; `onChange` after each change. `showFaults(faults)` marks fields. */
export function configForm({ config, engine, onChange }) {
  const models = h("datalist", { id: "models" });
  const node = h("div", { class: "form" }, h("datalist", { id: "endpoints" }, ENDPOINTS.map((url) => h("option", { value: url }))), models);
  const marks = new Map();
  let faults = [];
  const context = { config, engine, changed, redraw, marks };
  const keyPlace = h("div");
  let drawnKeys = "";

  function changed() {
    drawKeys();
    onChange();
  }

  function drawKeys() {
    const needed = JSON.stringify((config.agents ?? []).map((agent) => [agent.kind, agent.base_url, agent.model]));
    if (needed === drawnKeys) return;
    drawnKeys = needed;
    put(keyPlace, keyFields(config, (names) => put(models, names.map((name) => h("option", { value: name })))));
  }

  function redraw(focus) {
    marks.clear();
    const open = new Set([...node.querySelectorAll("details[open][data-group]")].map((one) => one.dataset.group));
    const first = !node.querySelector("[data-group]");
    node.querySelectorAll("[data-group]").forEach((one) => one.remove());
    for (const group of groupsFor(config)) {
      const content = group.id === "participants" ? participants(context, keyPlace) : group.id === "prompts" ? prompts(context) : h("div", { class: "fields" }, group.fields.map((field) => fieldRow(field, context)));
      node.append(h("details", { class: "group", "data-group": group.id, open: first ? group.open : open.has(group.id) },
        h("summary", null, h("h2", null, t(`group.${group.id}`)), h("span", { class: "quiet" }, t(`group.${group.id}.text`)), h("span", { class: "fault-count", "data-count": group.id })), content));
    }
    drawKeys();
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
      mark.place.append(h("span", { lang: "en" }, fault.message));
      mark.input.setAttribute("aria-invalid", "true");
    }
    for (const count of node.querySelectorAll("[data-count]")) {
      const inside = found.filter((fault) => markFor(fault.path)?.input.closest("[data-group]")?.dataset.group === count.dataset.count).length;
      put(count, inside ? t("setup.faults", { n: inside }) : "");
    }
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

/** A label, a control, help and a place for faults. */
function fieldRow(field, context, prefix = "") {
  const path = prefix + field.path;
  const id = uid();
  const name = prefix ? `agent.${field.path}` : `field.${field.path}`;
  const place = h("p", { class: "fault", id: `${id}-fault` });
  const help = has(`${name}.help`) ? h("p", { class: "help", id: `${id}-help` }, t(`${name}.help`)) : null;
  const described = [help && `${id}-help`, `${id}-fault`].filter(Boolean).join(" ");
  const control = (CONTROLS[field.type] ?? CONTROLS.text)(field, path, context, { id, "aria-describedby": described });
  context.marks.set(parts(path).join("."), { place, input: control.input });
  const group = ["pair", "classes", "principles"].includes(field.type);
  const title = t(name) + (field.unit ? ` (${t(`unit.${field.unit}`)})` : "");
  return h(group ? "fieldset" : "div", { class: ["field", `field-${field.type}`, field.wide && "field-wide"], "data-path": path },
    group ? h("legend", null, title) : h("label", { for: id }, title), control.node ?? control.input, help, place);
}

const setter = (path, { config, changed }) => (value) => {
  write(config, path, value === "" || value === null ? undefined : value);
  changed();
};

const numeric = (text) => {
  if (text.trim() === "") return undefined;
  const value = Number(text);
  return Number.isNaN(value) ? text : value;
};

const CONTROLS = {
  text(field, path, context, attributes) {
    const set = setter(path, context);
    const input = h("input", { type: field.type === "url" ? "url" : "text", value: read(context.config, path) ?? "", list: field.list, spellcheck: "false", required: field.required, ...attributes, on: { input: () => set(input.value) } });
    return { input };
  },
  url: (...all) => CONTROLS.text(...all),
  long(field, path, context, attributes) {
    const set = setter(path, context);
    const input = h("textarea", { rows: "2", value: read(context.config, path) ?? "", required: field.required, ...attributes, on: { input: () => set(input.value) } });
    return { input };
  },
  number(field, path, context, attributes) {
    const set = setter(path, context);
    const value = read(context.config, path);
    const input = h("input", { type: "number", inputmode: "decimal", step: field.step, min: field.min, max: field.max, value: value ?? "", placeholder: field.otherwise ?? t("field.nolimit"), ...attributes, on: { input: () => set(numeric(input.value)) } });
    if (path === "seed") input.placeholder = t("field.random");
    return { input };
  },
  flag(field, path, context, attributes) {
    const input = h("input", { type: "checkbox", checked: Boolean(read(context.config, path) ?? field.otherwise), ...attributes, on: { change: () => setter(path, context)(input.checked === field.otherwise ? undefined : input.checked) } });
    return { input };
  },
  choice(field, path, context, attributes) {
    const given = read(context.config, path);
    const value = String(given ?? field.otherwise);
    const code = languageCode(value);
    const current = field.path === "language" && code ? field.options.find((option) => languageCode(option) === code) ?? value : value;
    const key = field.path.split(".").at(-1);
    const options = field.options.includes(current) ? field.options : [...field.options, current];
    const input = h("select", { ...attributes, on: { change: () => {
      setter(path, context)(input.value === field.otherwise && field.path !== "language" && field.path !== "kind" ? undefined : input.value);
      if (field.path === "kind") context.redraw(`[data-path="${path}"] select`);
    } } }, options.map((option) => h("option", { value: option, selected: option === current }, has(`option.${key}.${option || "same"}`) ? t(`option.${key}.${option || "same"}`) : option)));
    return { input };
  },
  pair(field, path, context, attributes) {
    const value = read(context.config, path);
    const inputs = [0, 1].map((at) => h("input", { type: "number", step: "any", min: "0", value: value?.[at] ?? "", placeholder: field.otherwise[at], "aria-label": t(at ? "field.to" : "field.from"), ...(at ? {} : attributes), on: { input: set } }));
    function set() {
      const both = inputs.map((input) => numeric(input.value));
      setter(path, context)(both.every((one) => one === undefined) ? undefined : both.map((one, at) => one ?? field.otherwise[at]));
    }
    return { input: inputs[0], node: h("div", { class: "row tight" }, inputs[0], h("span", { "aria-hidden": "true" }, "–"), inputs[1]) };
  },
  classes(field, path, context, attributes) {
    const value = read(context.config, path);
    const inputs = CLASSES.map((name, at) => h("input", { type: "number", step: "any", min: "0", max: "1", value: value?.[name] ?? "", placeholder: "0.2", ...(at ? {} : attributes), on: { input: set } }));
    function set() {
      const given = CLASSES.map((name, at) => [name, numeric(inputs[at].value)]).filter(([, one]) => one !== undefined);
      setter(path, context)(given.length ? Object.fromEntries(given) : undefined);
    }
    return { input: inputs[0], node: h("div", { class: "classes" }, CLASSES.map((name, at) => h("label", null, h("span", null, t(`class.${name}`)), inputs[at]))) };
  },
  seat(field, path, context, attributes) {
    const names = (context.config.agents ?? []).map((agent) => agent.name).filter(Boolean);
    const value = read(context.config, path) ?? "";
    const input = h("select", { ...attributes, on: { change: () => {
      if (!input.value) write(context.config, "manipulator", undefined);
      else if (!context.config.manipulator?.target_strategy) write(context.config, "manipulator", { ...context.config.manipulator, target_strategy: "least_popular_after_round1" });
      setter(path, context)(input.value);
    } } }, h("option", { value: "" }, t("field.nobody")), [...new Set([...names, value].filter(Boolean))].map((name) => h("option", { value: name, selected: name === value }, name)));
    return { input };
  },
  principles(field, path, context, attributes) {
    const value = read(context.config, path) ?? [];
    const selects = [0, 1, 2, 3].map((at) => h("select", { "aria-label": t("field.place", { n: at + 1 }), ...(at ? {} : attributes), on: { change: () => {
      const chosen = selects.map((one) => one.value).filter(Boolean);
      setter(path, context)(chosen.length ? chosen : undefined);
    } } }, h("option", { value: "" }, "–"), PRINCIPLES.map((id) => h("option", { value: id, selected: value[at] === id }, t(`principle.${id}.short`)))));
    return { input: selects[0], node: h("div", { class: "quad" }, selects) };
  },
  origins(field, path, context, attributes) {
    const value = read(context.config, path) ?? {};
    const text = Object.entries(value).map(([origin, count]) => `${origin} ${count}`).join("\n");
    const input = h("textarea", { rows: "2", value: text, placeholder: "https://openrouter.ai 4", spellcheck: "false", ...attributes, on: { input: () => {
      const pairs = input.value.split("\n").map((line) => line.trim().split(/\s+/)).filter(([origin]) => origin);
      setter(path, context)(pairs.length ? Object.fromEntries(pairs.map(([origin, count]) => [origin, numeric(count ?? "1")])) : undefined);
    } } });
    // Origins hold dots, so the whole object is set at once and never by path.
    return { input };
  },
};

function participants(context, keyPlace) {
  const { config, changed, redraw } = context;
  const agents = Array.isArray(config.agents) ? config.agents : (config.agents = []);
  const free = () => {
    let n = agents.length + 1;
    const taken = new Set(agents.map((agent) => agent.name));
    while (taken.has(t("agent.new", { n: String(n) }))) n += 1;
    return t("agent.new", { n: String(n) });
  };
  const fieldsOf = (fields, index, kind) => h("div", { class: "fields" }, fields.map((field) => fieldRow(field.path === "kind" ? { ...field, otherwise: kind } : field, context, `agents.${index}.`)));
  const place = h("p", { class: "fault" });
  const add = button(t("agent.add"), () => {
    const last = agents.at(-1);
    const next = { name: free(), kind: last?.kind ?? "scripted", personality: last?.personality ?? t("agent.personality.new") };
    for (const key of ["model", "base_url", "temperature", "language"]) if (last?.[key] !== undefined) next[key] = last[key];
    agents.push(next);
    changed();
    redraw(`[data-path="agents.${agents.length - 1}.name"] input`);
  }, { testid: "add-agent" });
  context.marks.set("agents", { place, input: add });
  return h("div", null,
    h("ol", { class: "agents plain" }, agents.map((agent, index) => {
      const kind = agent.kind ?? (agent.model ? "model" : "scripted");
      const move = (to) => {
        agents.splice(to, 0, ...agents.splice(index, 1));
        changed();
        redraw(`[data-path="agents.${to}.name"] input`);
      };
      return h("li", { class: "agent" }, h("div", { role: "group", "aria-label": agent.name || t("agent.new", { n: String(index + 1) }) },
        h("div", { class: "agent-head" }, avatar({ name: agent.name ?? "", index }),
          h("div", { class: "row tight" },
            button("", () => move(index - 1), { class: "button button-icon button-quiet", icon: "up", disabled: index === 0, "aria-label": t("agent.up", { name: agent.name ?? "" }) }),
            button("", () => move(index + 1), { class: "button button-icon button-quiet", icon: "down", disabled: index === agents.length - 1, "aria-label": t("agent.down", { name: agent.name ?? "" }) }),
            button("", () => {
              agents.splice(index, 1);
              changed();
              redraw("[data-testid=add-agent]");
            }, { class: "button button-icon button-quiet", icon: "cross", "aria-label": t("agent.remove", { name: agent.name ?? "" }) }))),
        fieldsOf(agentFieldsFor(context.config).filter((field) => !field.more && (!field.only || field.only === kind)), index, kind),
        ["scripted", "human"].includes(kind) && h("p", { class: "help" }, t(`agent.${kind}`)),
        h("details", { class: "more" }, h("summary", null, t("agent.more")), fieldsOf(agentFieldsFor(context.config).filter((field) => field.more), index, kind))));
    })),
    place, h("p", null, add),
    h("div", { class: "keys-place" }, h("h3", null, t("keys")), h("p", { class: "quiet" }, t("keys.text")), keyPlace));
}

function prompts(context) {
  const { config, engine, changed } = context;
  const code = languageCode(config.language ?? "English") ?? language();
  let known = [];
  try {
    // What people see in exports is not put to participants.
    known = engine.prompts(code).filter(({ key }) => !key.startsWith("export."));
  } catch {
    // Without the list there is the configuration as text.
  }
  const family = ({ key }) => key.split(".").slice(0, -1).join(".") || key;
  const place = h("p", { class: "fault" });
  const body = h("div", { class: "stack" });
  const own = () => config.prompts?.[code] ?? {};
  const mark = (key) => (own()[key] === undefined ? key : `${key} •`);
  const select = h("select", { id: "prompt-key", on: { change: () => show(select.value) } },
    [...new Set(known.map(family))].map((name) => h("optgroup", { label: name }, known.filter((one) => family(one) === name).map(({ key }) => h("option", { value: key }, mark(key))))));
  context.marks.set("prompts", { place, input: select });
  function show(key) {
    const prompt = known.find((one) => one.key === key);
    if (!prompt) return put(body);
    const field = h("textarea", { id: "prompt-text", rows: "10", value: own()[key] ?? prompt.text, lang: code, on: { input: () => {
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
    put(body, h("p", { class: "quiet" }, t("prompts.variables"), " ", prompt.variables.length ? prompt.variables.map((name) => [h("code", null, `{${name}}`), " "]) : "–"),
      h("label", { for: "prompt-text" }, t("prompts.wording")), field,
      h("p", null, button(t("prompts.reset"), () => {
        field.value = prompt.text;
        field.dispatchEvent(new Event("input"));
      }, { kind: "quiet" })));
  }
  if (known.length) show(known[0].key);
  return h("div", { class: "stack" }, h("label", { for: "prompt-key" }, t("prompts.which", { language: t(`language.${code}`) })), select, place, body);
}
