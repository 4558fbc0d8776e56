// Controls of a seat that is a model: whose model, and which one, with a search in what the provider offers.
import { h, put, button } from "../dom.js";
import { t, moment } from "../i18n.js";
import { kindOf, parts, read, write } from "../fields.js";
import { combobox } from "../combobox.js";
import { baseUrl, keyAt, originOf, placeOf, isLocal } from "../keys.js";
import { allows } from "../origins.js";
import { PROVIDERS, providerAt } from "../models/providers.js";
import { catalogue } from "../pkg/quorate.js";
import { models, offered } from "../models/endpoint-models.js";
import { CONTROLS, setter } from "./controls.js";

const seatAt = (config, path) => read(config, parts(path).slice(0, -1).join("."));

/** What a provider is called where OpenAI is there twice. */
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
    // The address and the model were another provider's.
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

/** The models of the seat's endpoint: those offered, asked for where that needs nothing or the key is there, else those of the catalogue. */
async function list(context, path) {
  const seat = seatAt(context.config, path);
  const base = baseUrl({ ...seat, kind: "model" }, context.config.protocol);
  const origin = base && originOf(base);
  if (!origin || !allows(origin)) return [];
  const endpoint = { provider: seat.provider, baseUrl: base,
    key: keyAt(placeOf(origin, seat.name ?? "")) ?? keyAt(origin) };
  if (offered(endpoint)) return offered(endpoint);
  if (endpoint.key || isLocal(origin)) return models(endpoint);
  return knownAt(seat, context).map(({ model: id, context }) => ({ id, context }));
}

/** What the catalogue knows of the models at a seat's endpoint, or of one of them. */
function knownAt(seat, context, model) {
  const base = baseUrl({ ...seat, kind: "model" }, context.config.protocol);
  const origin = base && originOf(base);
  return catalogue(seat.provider ?? (origin && providerAt(origin)?.id) ?? "compatible", model).models;
}

/** The levels of effort that the seat's model takes; all of them where the catalogue does not say. */
function effort(field, path, context, attributes) {
  const offer = () => {
    const seat = seatAt(context.config, path);
    const [{ efforts = [] } = {}] = knownAt(seat, context, seat.model ?? "");
    return { ...field, options: efforts.length ? ["", ...efforts] : field.options };
  };
  const { input } = CONTROLS.choice(offer(), path, context, attributes);
  // The model may be another one since.
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

/** Models that a seat goes on with when its own fails for good, in this order. */
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

/** What the provider of a fallback offers, where that is known. */
function known({ provider: id, base_url: own }) {
  const base = own ?? PROVIDERS.find((one) => one.id === id)?.baseUrl;
  return offered({ provider: id, baseUrl: base, key: keyAt(originOf(base)) }) ?? [];
}

/** A saved session from which a seat is played back, and whose answers. */
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
  /** The seats of the session; one that nobody knows (its session may be gone) stays as it is. */
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

/** Gives every other model seat the provider, the model and the way to ask of this one. */
export function alike(config, index) {
  const seats = config.agents;
  for (const seat of seats) {
    if (seat === seats[index] || kindOf(seat) !== "model") continue;
    for (const key of ["provider", "model", "base_url", "reasoning_effort"]) write(seat, key, seats[index][key]);
  }
}
