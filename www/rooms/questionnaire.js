// The editor for questionnaires of a room: before, as a comprehension check, and after; for payment, and for return
// links. The format is in docs/rooms.md. Each control edits one list or object of the plan.
import { h, put, button, uid } from "../dom.js";
import { t } from "../i18n.js";
import { movers } from "../fields/lists.tsx";
import { numberHere } from "../fields/controls.tsx";

/** The settings of a question by kind of answer; others must be absent. */
const OF_KIND = { scale: ["least", "most", "ends"], choice: ["options"], number: ["least", "most"], text: [],
  yes_no: [] };
/** Kinds that can have a right answer. */
const CHECKED = ["choice", "yes_no", "number"];
/** Most entries of a list. */
const MOST = 24;

/** A labelled control: an input, or `{ input, node }`. */
export function field(label, control, help = null) {
  const { input, node } = control.node ? control : { input: control, node: control };
  input.id = uid("room");
  const about = help && h("p", { class: "help", id: `${input.id}-help` }, help);
  if (about) input.setAttribute("aria-describedby", about.id);
  return h("div", { class: "field" }, h("label", { for: input.id }, label), node, about);
}

/** A control for one key of `of`; empty values are removed. */
export function line(of, key, attributes = {}, /** @type {(text: string) => unknown} */ read = (text) => text) {
  const input = h(attributes.rows ? "textarea" : "input", { ...(!attributes.rows && { type: "text" }),
    value: Array.isArray(of[key]) ? of[key].join("\n") : String(of[key] ?? ""), ...attributes, on: { input: () => {
      if (input.value.trim()) of[key] = read(input.value);
      else delete of[key];
    } } });
  return input;
}
/** A number for one key of `of`. */
export function figure(of, key, attributes = {}) {
  const typed = numberHere({ value: of[key], ...attributes, changed() {
    const value = typed.read();
    if (value === undefined) delete of[key];
    else of[key] = value;
  } });
  return typed;
}
const lines = (text) => text.split("\n").map((one) => one.trim()).filter(Boolean);
const pick = (values, value, name, on, attributes = {}) =>
  h("select", { ...attributes, on: { change: (event) => on(event.target.value) } }, values.map((one) =>
    h("option", { value: one, selected: one === value }, name(one))
  ));

/** The editor of a list of questions. `isCheck`: each has a right answer. `testid` is the prefix for tests. */
export function questions(list, { isCheck = false, testid }) {
  const node = h("ol", { class: "room-questions plain" });
  const add = button(t("ask.add"), () => {
    list.push(isCheck ? { label: "", kind: "choice", options: [] } : { label: "", kind: "scale" });
    draw();
    node.lastElementChild.querySelector("input").focus();
  }, { testid: `${testid}-add` });
  const after = (to, which) => {
    draw();
    const target = node.children[to]?.querySelector(`.${which}`);
    (target && !target.disabled ? target : node.children[to]?.querySelector("input") ?? add).focus();
  };

  function right(question) {
    const choose = (values, name) =>
      pick(["", ...values], question.right ?? "", (one) => (one ? name(one) : "–"), (value) => {
        if (value) question.right = value;
        else delete question.right;
      });
    if (question.kind === "choice" && !question.options?.includes(question.right)) delete question.right;
    if (question.kind === "number") return figure(question, "right");
    return question.kind === "yes_no"
      ? choose(["yes", "no"], (one) => t(`ask.${one}`))
      : choose(question.options ?? [], (one) => one);
  }

  function row(question, at) {
    const kinds = isCheck ? CHECKED : Object.keys(OF_KIND);
    const rights = h("div");
    const showRight = () => isCheck && put(rights, field(t("ask.right"), right(question)));
    const kind = pick(kinds, question.kind, (one) => t(`ask.kind.${one}`), (value) => {
      for (const key of ["least", "most", "ends", "options", "right"]) {
        if (key === "right" || !OF_KIND[value].includes(key)) delete question[key];
      }
      question.kind = value;
      draw();
      node.children[at].querySelector("select").focus();
    });
    const options = () => line(question, "options", { rows: 3 }, lines);
    const own = OF_KIND[question.kind];
    const end = (place) => {
      const input = h("input", { type: "text", maxlength: 60, value: question.ends?.[place] ?? "", on: { input: () => {
        question.ends ??= ["", ""];
        question.ends[place] = input.value;
        if (!question.ends.some(Boolean)) delete question.ends;
      } } });
      return input;
    };
    const listed = own.includes("options") && options();
    listed && listed.addEventListener("input", showRight);
    showRight();
    return h("li", { "data-testid": `${testid}-question` },
      h("fieldset", { class: "stack" }, h("legend", null, t("ask.n", { n: at + 1 })),
        field(t("ask.label"), line(question, "label", { maxlength: 2000, "data-testid": `${testid}-label` })),
        h("div", { class: "fields" }, field(t("ask.kind"), kind), listed && field(t("ask.options"), listed),
          own.includes("least")
            && field(t("ask.least"), figure(question, "least", { placeholder: question.kind === "scale" ? 1 : "" })),
          own.includes("ends") && field(t("ask.end.least"), end(0)), own.includes("most")
          && field(t("ask.most"), figure(question, "most", { placeholder: question.kind === "scale" ? 7 : "" })),
          own.includes("ends") && field(t("ask.end.most"), end(1)), isCheck && rights),
        h("div", { class: "row" }, !isCheck
          && h("label", { class: "tickbox" },
            h("input", { type: "checkbox", checked: question.optional === true, on: { change: (event) => {
              if (event.target.checked) question.optional = true;
              else delete question.optional;
            } } }), h("span", null, t("ask.optional"))), movers(list, at, t("ask.n", { n: at + 1 }), after))));
  }
  function draw() {
    put(node, list.map(row));
    add.disabled = list.length >= MOST;
  }
  draw();
  return h("div", { class: "stack" }, node, h("p", null, add));
}

const WAYS = ["complete", "declined", "waited", "dropped", "trouble"];

/** The return link and completion code for each kind of ending. */
export function returnLinks(plan) {
  plan.ways ??= {};
  return h("div", { class: "stack" },
    h("p", { class: "help" },
      t("ways.help", { names: "{PROLIFIC_PID}, {STUDY_ID}, {SESSION_ID}", own: "{code}, {way}, {earned}" })),
    WAYS.map((way) => {
      const one = plan.ways[way] ??= {};
      return h("fieldset", { class: "room-way" }, h("legend", null, t(`ways.${way}`)),
        h("div", { class: "fields" },
          field(t("ways.url"),
            line(one, "url", { inputmode: "url", spellcheck: "false", placeholder: "https://",
              "data-testid": `way-${way}-url` }, (text) => text.trim())),
          field(t("ways.code"),
            line(one, "code", { maxlength: 100, spellcheck: "false", "data-testid": `way-${way}-code` },
              (text) => text.trim()))));
    }));
}

/** What participants are paid. */
export function payment(plan) {
  plan.earned ??= {};
  const money = (key, attributes) => figure(plan.earned, key, { "data-testid": `pay-${key}`, ...attributes });
  return h("div", { class: "stack" }, h("p", { class: "help" }, t("pay.help", { own: "{earned}" })),
    h("div", { class: "fields" },
      field(t("pay.unit"), line(plan.earned, "unit", { maxlength: 10, placeholder: "€", "data-testid": "pay-unit" })),
      field(t("pay.fixed"), money("fixed")), field(t("pay.rate"), money("rate"), t("pay.rate.help"))));
}

/**
 * Number of the first comprehension question without a right answer, which any answer would pass; 0 if there is none.
 */
export const firstUnchecked = ({ comprehension = [] }) =>
  comprehension.findIndex(({ right }) => right === undefined) + 1;

/** A plan without empty parts. */
export function withoutEmpty(plan) {
  const next = { ...plan };
  for (const key of ["before", "comprehension", "after"]) if (!next[key]?.length) delete next[key];
  if (next.earned?.fixed === undefined && next.earned?.rate === undefined) delete next.earned;
  const named = Object.entries(next.ways ?? {}).filter(([, one]) => one.url || one.code);
  if (named.length) next.ways = Object.fromEntries(named);
  else delete next.ways;
  return next;
}
