// Controls of a model seat: provider and model, with a search in the provider's models.
import { h, put, button } from "../dom.js";
import { t, moment } from "../i18n.js";
import { kindOf, parts, read, write } from "../fields.js";
import { combobox } from "../combobox.js";
import { baseUrl, keyAt, originOf, placeOf, isLocal } from "../keys.js";
import { allows } from "../origins.js";
import { PROVIDERS, providerAt } from "../models/providers.js";
import { catalogue } from "../pkg/quorate.js";
import { models, cachedModels } from "../models/endpoint-models.js";
import { CONTROLS, setter } from "./controls.js";

const seatAt = (config, path) => read(config, parts(path).slice(0, -1).join("."));

/** The label of a provider; OpenAI is listed twice. */
export const labelOf = (
  { id, name },
) => (id === "compatible" ? t("models.other.name") : id === "openai_responses" ? `${name} (Responses)` : name);

function provider(field, path, context, attributes) {
  const value = read(context.config, path) ?? "";
  const group = (label, some) =>
    h("optgroup", { label }, some.map((one) =>
      h("option", { value: one.id, selected: one.id === value }, labelOf(one))
    ));
  const input = h("select", { ...attributes, on: { change: () => {
    const seat = seatAt(context.config, path);
    // Address and model belonged to the previous provider.
    delete seat.base_url;
    if (value && input.value) delete seat.model;
    setter(path, context)(input.value);
    context.redraw(`[data-path="${path}"] select`);
  } } }, h("option", { value: "" }, t("agent.provider.told")),
    group(t("models.cloud"), PROVIDERS.filter(({ local, id }) => !local && id !== "compatible")),
    group(t("models.local"), PROVIDERS.filter(({ local }) => local)),
    group(t("models.other"), PROVIDERS.filter(({ id }) => id === "compatible")));
  return { input };
}

/** The models of the seat's endpoint: its own list if it needs no key or the key is there, else the catalogue's. */
async function list(context, path) {
  const seat = seatAt(context.config, path);
  const base = baseUrl({ ...seat, kind: "model" }, context.config.protocol);
  const origin = base && originOf(base);
  if (!origin || !allows(origin)) return [];
  const endpoint = { provider: seat.provider, baseUrl: base,
    key: keyAt(placeOf(origin, seat.name ?? "")) ?? keyAt(origin) };
  if (cachedModels(endpoint)) return cachedModels(endpoint);
  if (endpoint.key || isLocal(origin)) return models(endpoint);
  return knownAt(seat, context).map(({ model: id, context }) => ({ id, context }));
}

/** The catalogue's facts on the models of a seat's endpoint, or on one of them. */
function knownAt(seat, context, model) {
  const base = baseUrl({ ...seat, kind: "model" }, context.config.protocol);
  const origin = base && originOf(base);
  return catalogue(seat.provider ?? (origin && providerAt(origin)?.id) ?? "compatible", model).models;
}

/** The reasoning efforts of the seat's model; all of them if the catalogue has none. */
function effort(field, path, context, attributes) {
  const offer = () => {
    const seat = seatAt(context.config, path);
    const [{ efforts = [] } = {}] = knownAt(seat, context, seat.model ?? "");
    return { ...field, options: efforts.length ? ["", ...efforts] : field.options };
  };
  const { input } = CONTROLS.choice(offer(), path, context, attributes);
  // The model may have changed.
  input.addEventListener("focus",
    () => input.replaceChildren(...CONTROLS.choice(offer(), path, context, {}).input.children));
  return { input };
}

function model(field, path, context, attributes) {
  const set = setter(path, context);
  const { node, input } = combobox({ value: read(context.config, path) ?? "",
    placeholder: read(seatAt(context.config, path), "provider") ? "" : field.placeholder,
    options: () => list(context, path), onInput: set, ...attributes });
  return { node, input };
}

/** The models that a seat falls back to, in order, when its own fails for good. */
function fallback(field, path, context, attributes) {
  const given = read(context.config, path);
  const rows = Array.isArray(given) ? given : [];
  const list = h("ol", { class: "plain fallbacks" });
  const save = () => setter(path, context)(rows.length ? rows : undefined);
  const add = button(t("fallback.add"), () => {
    rows.push({ provider: PROVIDERS[0].id, model: "" });
    save();
    draw();
    list.lastElementChild.querySelector("select").focus();
  }, { kind: "quiet", testid: "fallback-add", ...attributes });
  function draw() {
    put(list,
      rows.map((row, at) =>
        h("li", { class: "row tight" },
          h("select", { "aria-label": t("fallback.provider", { n: at + 1 }), on: { change: (event) => {
            row.provider = event.target.value;
            delete row.base_url;
            save();
          } } }, PROVIDERS.filter(({ id }) =>
            id !== "compatible" || row.provider === id
          ).map((one) => h("option", { value: one.id, selected: one.id === row.provider }, labelOf(one)))),
          combobox({ value: row.model ?? "", options: () =>
            known(row), "aria-label": t("fallback.model", { n: at + 1 }), onInput: (value) => {
              row.model = value;
              save();
            } }).node, button("", () => {
            rows.splice(at, 1);
            save();
            draw();
            add.focus();
          }, { class: "button button-icon button-quiet", icon: "cross",
            "aria-label": t("agent.remove", { name: row.model || String(at + 1) }) }))
      ));
  }
  draw();
  return { input: add, node: h("div", { class: "stack" }, list, h("p", null, add)) };
}

/** The models of a fallback's provider, if known. */
function known({ provider: id, base_url: own }) {
  const base = own ?? PROVIDERS.find((one) => one.id === id)?.baseUrl;
  return cachedModels({ provider: id, baseUrl: base, key: keyAt(originOf(base)) }) ?? [];
}

/** The saved session, and the seat in it, whose answers are replayed. */
function plays(field, path, context, attributes) {
  const value = read(context.config, path) ?? {};
  const name = seatAt(context.config, path)?.name;
  const seat = h("select", { "aria-label": t("plays.seat"), "data-testid": "plays-seat", on: { change: save } });
  const session = h("select", { ...attributes, "data-testid": "plays", on: { change: () => {
    offer();
    save();
  } } });
  let known = [];
  function save() {
    setter(path, context)(
      session.value ? { session: session.value, ...(seat.value && { seat: seat.value }) } : undefined,
    );
  }
  /** The seats of the session; an unknown one (its session may be deleted) is kept. */
  function offer(chosen = "") {
    const seats = known.find((one) => one.id === session.value)?.seats ?? [];
    const names = [...new Set([...seats.map((one) => one.name), chosen].filter(Boolean))];
    put(seat, h("option", { value: "" }, t("plays.same")),
      names.map((one) =>
        h("option", { value: one, selected: one === (chosen || (seats.some((other) => other.name === name)
          ? ""
          : seats[0]?.name)) }, one)
      ));
    seat.hidden = !session.value;
  }
  function draw() {
    const isGone = value.session && !known.some((one) => one.id === value.session);
    put(session, h("option", { value: "" }, known.length ? t("plays.which") : t("plays.none")),
      isGone && h("option", { value: value.session, selected: true }, value.session),
      known.map((one) =>
        h("option", { value: one.id, selected: one.id === value.session },
          `${one.title || t("untitled")} · ${moment(one.updated)}`)
      ));
    offer(value.seat);
  }
  draw();
  context.engine.Library.list().then((all) => {
    known = all;
    draw();
  }, () => {});
  return { input: session, node: h("div", { class: "stack" }, session, seat) };
}

export const MODEL = { provider, model, fallback, effort, plays };

/** Copies provider, model and request settings of a seat to every other model seat. */
export function alike(config, index) {
  const seats = config.agents;
  for (const seat of seats) {
    if (seat === seats[index] || kindOf(seat) !== "model") continue;
    for (const key of ["provider", "model", "base_url", "reasoning_effort"]) write(seat, key, seats[index][key]);
  }
}
