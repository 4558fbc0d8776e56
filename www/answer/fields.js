// The fields of a form, built from its data. Each is `{ node, read, write }`: `read()` returns its value, undefined
// while empty; `write(value)` fills it in, from a draft.
import { h, put, button, uid } from "../dom.js";
import { t, number } from "../i18n.js";
import { isBlank } from "./blank.js";
import { numberField } from "./number-field.js";

/** Builds a field of a form in `language`; `changed()` is called after every change. */
export const draw = (field, changed, language) => (DRAWN[field.input] ?? DRAWN.choice)(field, changed, language);

/** Formats a value of a field. */
export function formatValue(field, value) {
  const name = (one) => field.options?.find((option) => option.value === one)?.name ?? field.none ?? one;
  if (field.input === "order") return value.map((one, at) => `${at + 1}. ${name(one)}`).join(" ");
  if (field.input === "amount") return amount(field.unit, value);
  if (field.input === "yes_no") {
    return [field.yes, field.no].find((side) => side.value === String(value))?.name
      ?? (value ? field.yes : field.no).name;
  }
  if (field.input === "choice" || field.input === "certainty") return name(value);
  return typeof value === "number" ? number(value, { maximumFractionDigits: 20 }) : String(value);
}

/** Formats a whole number with its unit; empty for other values. */
const amount = (unit, value) => (!Number.isInteger(value)
  ? ""
  : unit === "$"
  ? `$${value.toLocaleString("en-US")}`
  : `${number(value)} ${unit}`);

const help = (field) => field.help && h("p", { class: "quiet" }, field.help);
const set = (field, ...inside) =>
  h("fieldset", { class: "ask-field", "data-field": field.name }, h("legend", null, field.label), help(field), inside);

/** An option, with a button that shows its explanation. */
function withExplanation(option, control) {
  if (!option.about) return h("li", null, control);
  const about = h("p", { class: "about", id: uid("about"), hidden: true }, option.about);
  const why = h("button", { type: "button", class: "why", "aria-expanded": "false", "aria-controls": about.id,
    "aria-label": t("human.about", { what: option.name }), on: { click: () => {
      about.hidden = !about.hidden;
      why.setAttribute("aria-expanded", String(!about.hidden));
    } } }, "?");
  return h("li", null, h("div", { class: "ask-option" }, control, why), about);
}

function choice(field, changed) {
  const options = [...(field.options ?? [field.yes, field.no]),
    ...(field.none ? [{ value: null, name: field.none }] : [])];
  const value = (option) => (field.isFlag ? option === field.yes : option.value);
  const name = uid("choice");
  const inputs = options.map((option, at) =>
    h("input", { type: "radio", name, value: String(at), "data-value": String(option.value), on: { change: changed } })
  );
  const short = options.every((option) => !option.about && option.name.length < 18);
  return {
    node: set(field,
      h("ul", { class: ["ask-options", short && "ask-options-short"] },
        options.map((option, at) =>
          withExplanation(option, h("label", { class: "radio" }, inputs[at], h("span", null, option.name)))
        ))),
    read: () => {
      const at = inputs.findIndex((input) => input.checked);
      return at < 0 ? undefined : value(options[at]);
    },
    write: (given) => options.forEach((option, at) => (inputs[at].checked = value(option) === given)),
  };
}

/**
 * A ranking by taps; the last option left takes the last place. A tap on a placed option removes it and those after it.
 */
function order(field, changed) {
  let ranking = [];
  let dragged = null;
  const list = h("ul", { class: "ask-options" });
  const status = h("p", { class: "sr-only", role: "status" });
  const all = field.options.map((option) => option.value);
  const take = (next, focus) => {
    ranking = next.length === all.length - 1 ? [...next, all.find((one) => !next.includes(one))] : next;
    show();
    if (focus) buttons.get(focus).focus();
    put(status,
      ranking.map((one, at) => `${at + 1}. ${field.options.find((option) => option.value === one).name}`).join(" "));
    changed();
  };
  const move = (one, to) => {
    if (to < 0 || to >= ranking.length) return;
    const next = ranking.filter((other) => other !== one);
    next.splice(to, 0, one);
    take(next, one);
  };
  const buttons = new Map();
  const rows = new Map(field.options.map((option) => {
    const one = option.value;
    const tap = h("button", { type: "button", class: "place", "data-value": one, draggable: "true", on: {
      click: () => take(ranking.includes(one) ? ranking.slice(0, ranking.indexOf(one)) : [...ranking, one]),
      keydown: (event) => {
        if (!event.altKey || !ranking.includes(one) || !["ArrowUp", "ArrowDown"].includes(event.key)) return;
        event.preventDefault();
        move(one, ranking.indexOf(one) + (event.key === "ArrowUp" ? -1 : 1));
      },
      dragstart: () => (dragged = one),
      dragover: (event) => dragged && ranking.includes(one) && event.preventDefault(),
      drop: (event) => {
        event.preventDefault();
        if (ranking.includes(dragged)) move(dragged, ranking.indexOf(one));
        dragged = null;
      },
    } }, h("b", { class: "badge" }), h("span", null, option.name));
    buttons.set(one, tap);
    return [one, withExplanation(option, tap)];
  }));
  const show = () => {
    const focused = document.activeElement;
    for (const one of all) {
      const at = ranking.indexOf(one);
      buttons.get(one).setAttribute("aria-pressed", String(at >= 0));
      buttons.get(one).firstChild.textContent = at < 0 ? "" : String(at + 1);
    }
    list.replaceChildren(...[...ranking, ...all.filter((one) => !ranking.includes(one))].map((one) => rows.get(one)));
    if (list.contains(focused)) /** @type {HTMLElement} */ (focused).focus({ preventScroll: true });
  };
  show();
  return {
    node: set(field, list, status),
    read: () => (ranking.length === all.length ? ranking : undefined),
    write: (given) => {
      ranking = (given ?? []).filter((one) => all.includes(one));
      show();
    },
  };
}

/** A typed number, in whole units for an amount. */
function figure(field, changed, language) {
  const id = uid("figure");
  const isAmount = field.input === "amount";
  const typed = numberField({ language, id, isWhole: isAmount || field.isWhole, "data-testid": isAmount
    ? "human-amount"
    : null, ...(isAmount && { format: (value) => amount(field.unit, value) }), changed: () => {
      changed();
      typed.input.scrollIntoView({ block: "nearest" });
    } });
  return {
    ...typed,
    node: h("div", { class: "ask-field", "data-field": field.name }, h("label", { for: id }, field.label), help(field),
      h("p", { class: "amount" }, isAmount && [field.unit, " "], typed.node)),
    focus: () => typed.input.focus(),
  };
}

/** Most steps of a slider; beyond that a number is typed. */
const PLACES = 100;

function scale(field, changed, language) {
  if ((field.most - field.least) / field.step > PLACES) return figure(field, changed, language);
  const id = uid("scale");
  const output = h("output", { for: id }, "–");
  let given;
  const show = () => {
    output.textContent = given === undefined ? "–" : number(given, field.most === 1 ? { style: "percent" } : {});
    input.setAttribute("aria-valuetext", output.textContent);
  };
  const input = h("input", { id, type: "range", min: field.least, max: field.most, step: field.step, value: field.least,
    on: { input: () => {
      given = Number(input.value);
      show();
      changed();
    }, click: () => input.dispatchEvent(new Event("input")) } });
  return {
    node: h("div", { class: "ask-field", "data-field": field.name }, h("label", { for: id }, field.label), help(field),
      h("div", { class: "scale" }, input, output),
      h("p", { class: "ends quiet" }, h("span", null, field.ends[0]), h("span", null, field.ends[1]))),
    read: () => given,
    write: (value) => {
      given = value;
      input.value = String(value ?? field.least);
      show();
    },
  };
}

function text(field, changed) {
  const id = uid("text");
  const area = h("textarea", { id, rows: field.lines ?? 3,
    "data-testid": field.input === "texts" ? `human-${field.name}` : "human-answer", on: { input: changed } });
  const lines = () =>
    area.value.split("\n").map((line) => line.replace(/^\s*[-•*]\s*/, "").trim()).filter((line) => !isBlank(line));
  const isList = field.input === "texts";
  return {
    node: h("div", { class: "ask-field", "data-field": field.name }, h("label", { for: id }, field.label),
      isList && h("p", { class: "quiet" }, t("human.points", { n: field.most })), help(field), area),
    read: () => {
      if (isList) return isBlank(area.value) ? undefined : lines();
      // A text that shows nothing goes to the engine, which says so.
      return area.value === "" ? undefined : area.value;
    },
    write: (given) => (area.value = isList ? (given ?? []).join("\n") : given ?? ""),
    focus: () => area.focus({ preventScroll: true }),
  };
}

/** Several fields under one name. */
function group(field, changed, language) {
  const inner = fieldsOf(field.fields, changed, language);
  return { node: set(field, inner.node), read: inner.read, write: inner.write, isUnclear: () => !!inner.unclear() };
}

/** The same fields for each of several options. */
function each(field, changed, language) {
  const all = field.options.map((option) => ({ option, inner: fieldsOf(field.fields, changed, language) }));
  return {
    isUnclear: () => all.some(({ inner }) => inner.unclear()),
    node: set(field,
      all.map(({ option, inner }) => h("fieldset", { class: "each" }, h("legend", null, option.name), inner.node))),
    read: () => {
      const read = all.map(({ option, inner }) => ({ [field.of]: option.value, ...inner.read() }));
      return read.some((one) => Object.keys(one).length > 1) ? read : undefined;
    },
    write: (given) =>
      all.forEach(({ option, inner }) =>
        inner.write((given ?? []).find((one) => one[field.of] === option.value) ?? {})
      ),
  };
}

const DRAWN = { choice, certainty: choice, yes_no: choice, order, amount: figure, scale, text, texts: text, group,
  each };

/**
 * All fields of a form: `read()` returns their values by name, `unclear()` the name of a field whose number is still to
 * be settled.
 */
export function fieldsOf(fields, changed, language) {
  const drawn = fields.map((field) => ({ field, ...draw(field, () => update(true), language) }));
  const isAsked = ({ field }) => !field.when || field.when.values.includes(String(byName()[field.when.field]));
  const byName = () =>
    Object.fromEntries(drawn.filter(({ field }) => !field.when).map((one) => [one.field.name, one.read()]));
  const update = (byHand) => {
    for (const one of drawn) {
      const was = one.node.hidden;
      one.node.hidden = !isAsked(one);
      if (byHand && was && !one.node.hidden) one.focus?.();
    }
    changed();
  };
  const read = () => {
    const values = {};
    for (const one of drawn.filter(isAsked)) {
      const value = one.read();
      if (value === undefined) continue;
      if (one.field.places?.length) one.field.places.forEach((place, at) => (values[place] = value[at]));
      else values[one.field.name] = value;
    }
    return values;
  };
  const write = (values) => {
    for (const one of drawn) {
      one.write(one.field.places?.length
        ? one.field.places.map((place) => values[place]).filter(Boolean)
        : values[one.field.name]);
    }
    for (const one of drawn) one.node.hidden = !isAsked(one);
  };
  write({});
  // Optional texts come after required fields.
  const last = ({ field }) => field.input === "text" && field.optional;
  return {
    node: h("div", { class: "ask-fields" }, drawn.filter((one) => !last(one)).map((one) => one.node),
      drawn.filter(last).map((one) => one.node)),
    read,
    write,
    unclear: () => drawn.find((one) => isAsked(one) && one.isUnclear?.())?.field.name ?? null,
    texts: () =>
      drawn.filter(isAsked).map((one) => [one.field, one.read()]).filter(([, value]) => value !== undefined).map((
        [field, value],
      ) => formatValue(field, value)).filter(Boolean),
    goTo: (name) => {
      const one = drawn.find((other) => other.field.name === name);
      /** @type {HTMLElement | undefined} */ (one?.node.querySelector("input, textarea, button.place"))?.focus();
    },
  };
}
