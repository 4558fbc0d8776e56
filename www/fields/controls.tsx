// Simple controls of the form: each writes its value into the configuration at its path. Empty values are removed, so
// that the engine's default (the placeholder) applies.
import { h } from "../dom.js";
import { t, has, language, languageCode } from "../i18n.js";
import { numberField } from "../answer/number-field.tsx";
import { readNumber } from "../answer/number.js";
import { read, write } from "../fields.js";
import { PRINCIPLES, CLASSES } from "../justice.js";
import { PROVIDERS, provider } from "../models/providers.js";

export const setter = (path, { config, changed }) => (value) => {
  write(config, path, value === "" || value === null ? undefined : value);
  changed();
};

/** A field for a number in the page's language. */
export const numberHere = (options) => numberField({ language: language(), ...options });

export const namesOf = (config) =>
  (Array.isArray(config.agents) ? config.agents : []).map((agent) => agent?.name).filter(Boolean);

/** The name of a provider; with its id if the name is not unique. */
function providerName(id) {
  const name = provider(id)?.name ?? id;
  return PROVIDERS.filter((one) => one.name === name).length > 1 ? `${name} (${id})` : name;
}

/** Escapes by which a line of text can contain invisible characters. */
const escaped = (text) => String(text).replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll("\t", "\\t");
const unescape = (text) => text.replace(/\\([nt\\])/g, (_, mark) => ({ n: "\n", t: "\t", "\\": "\\" })[mark]);

export const CONTROLS = {
  text(field, path, context, attributes) {
    const set = setter(path, context);
    const input = h("input", { type: field.type === "url" ? "url" : "text", value: read(context.config, path) ?? "",
      list: field.list, placeholder: field.placeholder, spellcheck: field.list ? "false" : null,
      required: field.required, ...attributes, on: { input: () => set(input.value) } });
    return { input };
  },
  url: (...all) => CONTROLS.text(...all),
  long(field, path, context, attributes) {
    const set = setter(path, context);
    const input = h("textarea", { rows: field.rows ?? 2, class: field.big && "big",
      value: read(context.config, path) ?? "", required: field.required, ...attributes,
      on: { input: () => set(input.value) } });
    return { input };
  },
  lines(field, path, context, attributes) {
    const [out, into] = field.escaped ? [escaped, unescape] : [String, (line) => line.trim()];
    const value = read(context.config, path) ?? [];
    const input = h("textarea", { rows: field.rows ?? 3, spellcheck: field.escaped ? "false" : null,
      value: Array.isArray(value) ? value.map(out).join("\n") : String(value),
      placeholder: field.otherwise?.map(out).join("\n"), ...attributes, on: { input: () => {
        const lines = input.value.split("\n").filter((line) => line.trim()).map(into);
        setter(path, context)(lines.length ? lines : undefined);
      } } });
    return { input };
  },
  number(field, path, context, attributes) {
    const set = setter(path, context);
    const value = read(context.config, path);
    const typed = numberHere({ value, isWhole: field.step === 1,
      placeholder: field.otherwise ?? t(field.unset ?? "field.nolimit"), ...attributes,
      changed: () => set(typed.read()) });
    return typed;
  },
  range(field, path, context, attributes) {
    const value = read(context.config, path) ?? field.otherwise;
    const says = h("output", { for: attributes.id }, String(value));
    const input = h("input", { type: "range", min: field.min, max: field.max, step: 1, value, ...attributes,
      on: { input: () => {
        says.textContent = input.value;
        setter(path, context)(Number(input.value) === field.otherwise ? undefined : Number(input.value));
      } } });
    const end = (name) => h("span", { class: "quiet" }, t(`field.${path}.${name}`));
    return { input, node: h("div", { class: "scale" }, end(field.ends[0]), input, end(field.ends[1]), says) };
  },
  flag(field, path, context, attributes) {
    const input = h("input", { type: "checkbox", checked: Boolean(read(context.config, path) ?? field.otherwise),
      ...attributes,
      on: { change: () => setter(path, context)(input.checked === field.otherwise ? undefined : input.checked) } });
    return { input };
  },
  choice(field, path, context, attributes) {
    const given = read(context.config, path);
    const value = String(given ?? field.otherwise ?? "");
    const code = languageCode(value);
    const isLanguage = field.path === "language";
    const current = isLanguage && code ? field.options.find((option) => languageCode(option) === code) ?? value : value;
    const key = field.path.split(".").at(-1);
    const options = field.options.includes(current) ? field.options : [...field.options, current];
    const input = h("select", { ...attributes, on: { change: () => {
      setter(path, context)(input.value === field.otherwise && !isLanguage && !field.keep ? undefined : input.value);
      if (field.path !== "kind") return;
      context.kindChanged(path, input.value);
      context.changed();
      context.redraw(`[data-path="${path}"] select`);
    } } },
      options.map((option) =>
        h("option", { value: option, selected: option === current },
          has(`option.${key}.${option || "same"}`) ? t(`option.${key}.${option || "same"}`) : providerName(option))
      ));
    return { input };
  },
  /** One of the participants, or none. */
  member(field, path, context, attributes) {
    const value = read(context.config, path) ?? "";
    const input = h("select", { ...attributes, on: { change: () => setter(path, context)(input.value) } },
      h("option", { value: "" }, t("field.byname")),
      [...new Set([...namesOf(context.config), value].filter(Boolean))].map((name) =>
        h("option", { value: name, selected: name === value }, name)
      ));
    return { input };
  },
  pair(field, path, context, attributes) {
    const value = read(context.config, path);
    const typed = [0, 1].map((at) =>
      numberHere({ value: value?.[at], placeholder: field.otherwise[at],
        "aria-label": t(at ? "field.to" : "field.from"), ...(at ? {} : attributes), changed: set })
    );
    function set() {
      const both = typed.map((one) => one.read());
      setter(path, context)(
        both.every((one) => one === undefined) ? undefined : both.map((one, at) => one ?? field.otherwise[at]),
      );
    }
    return { input: typed[0].input,
      node: h("div", { class: "row tight" }, typed[0].node, h("span", { "aria-hidden": "true" }, "–"), typed[1].node) };
  },
  classes(field, path, context, attributes) {
    const value = read(context.config, path);
    const typed = CLASSES.map((name, at) =>
      numberHere({ value: value?.[name], placeholder: 0.2, ...(at ? {} : attributes), changed: set })
    );
    function set() {
      const given = CLASSES.map((name, at) => [name, typed[at].read()]).filter(([, one]) => one !== undefined);
      setter(path, context)(given.length ? Object.fromEntries(given) : undefined);
    }
    return { input: typed[0].input,
      node: h("div", { class: "classes" },
        CLASSES.map((name, at) => h("label", null, h("span", null, t(`class.${name}`)), typed[at].node))) };
  },
  /** A number for each participant. Names may contain dots, so the whole object is set at once. */
  ratings(field, path, context, attributes) {
    const given = { ...read(context.config, path) };
    const names = [...new Set([...namesOf(context.config), ...Object.keys(given)])];
    const typed = names.map((name, at) =>
      numberHere({ value: typeof given[name] === "object" ? given[name]?.elo : given[name], placeholder: "–",
        ...(at ? {} : attributes), changed() {
        const value = typed[at].read();
        // A rating may have more members: uncertainty and number of debates.
        if (typeof given[name] === "object") {
          given[name] = Object.fromEntries(
            Object.entries({ ...given[name], elo: value }).filter(([, one]) => one !== undefined),
          );
        } else if (value === undefined) delete given[name];
        else given[name] = value;
        setter(path, context)(Object.keys(given).length ? { ...given } : undefined);
      } })
    );
    return { input: typed[0]?.input ?? h("span"),
      node: h("div", { class: "classes" },
        names.map((name, at) => h("label", null, h("span", null, name), typed[at].node))) };
  },
  seat(field, path, context, attributes) {
    const value = read(context.config, path) ?? "";
    const input = h("select", { ...attributes, on: { change: () => {
      if (!input.value) write(context.config, "manipulator", undefined);
      else if (!context.config.manipulator?.target_strategy) {
        write(context.config, "manipulator", { ...context.config.manipulator,
          target_strategy: "least_popular_after_round1" });
      }
      setter(path, context)(input.value);
    } } }, h("option", { value: "" }, t("field.nobody")),
      [...new Set([...namesOf(context.config), value].filter(Boolean))].map((name) =>
        h("option", { value: name, selected: name === value }, name)
      ));
    return { input };
  },
  principles(field, path, context, attributes) {
    const value = read(context.config, path) ?? [];
    const selects = [0, 1, 2, 3].map((at) =>
      h("select", { "aria-label": t("field.place", { n: at + 1 }), ...(at ? {} : attributes), on: { change: () => {
        const chosen = selects.map((one) => one.value).filter(Boolean);
        setter(path, context)(chosen.length ? chosen : undefined);
      } } }, h("option", { value: "" }, "–"), PRINCIPLES.map((id) =>
        h("option", { value: id, selected: value[at] === id }, t(`principle.${id}.short`))
      ))
    );
    return { input: selects[0], node: h("div", { class: "quad" }, selects) };
  },
  origins(field, path, context, attributes) {
    const value = read(context.config, path) ?? {};
    const text = Object.entries(value).map(([origin, count]) => `${origin} ${count}`).join("\n");
    const input = h("textarea", { rows: "2", value: text, placeholder: "https://openrouter.ai 4", spellcheck: "false",
      ...attributes, on: { input: () => {
        const pairs = input.value.split("\n").map((line) => line.trim().split(/\s+/)).filter(([origin]) => origin);
        setter(path, context)(
          pairs.length
            ? Object.fromEntries(pairs.map(([origin, count = "1"]) => {
              const values = readNumber(count, [language()], true);
              return [origin, values.length === 1 ? values[0] : count];
            }))
            : undefined,
        );
      } } });
    // Origins contain dots, so the whole object is set at once and never by path.
    return { input };
  },
};

/** Types whose control has several inputs under one legend. */
export const GROUPED = new Set(["pair", "classes", "principles", "ratings", "materials", "sources", "after",
  "schedule"]);
