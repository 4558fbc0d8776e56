// Controls of a seat that is a model: whose model, and which one, with a search in what the provider offers.
import { h } from "../dom.js";
import { t } from "../i18n.js";
import { parts, read, write } from "../fields.js";
import { combobox } from "../combobox.js";
import { baseUrl, keyAt, originOf, placeOf, isLocal } from "../keys.js";
import { allows } from "../origins.js";
import { PROVIDERS } from "../models/providers.js";
import { models, offered } from "../models/lists.js";
import { setter } from "./controls.js";

const seatAt = (config, path) => read(config, parts(path).slice(0, -1).join("."));

/** What a provider is called where OpenAI is there twice. */
export const labelOf = ({ id, name }) => (id === "compatible" ? t("models.other.name") : id === "openai_responses" ? `${name} (Responses)` : name);

function provider(field, path, context, attributes) {
  const value = read(context.config, path) ?? "";
  const group = (label, some) => h("optgroup", { label }, some.map((one) => h("option", { value: one.id, selected: one.id === value }, labelOf(one))));
  const input = h("select", { ...attributes, on: { change: () => {
    const seat = seatAt(context.config, path);
    // The address and the model were another provider's.
    delete seat.base_url;
    if (value && input.value) delete seat.model;
    setter(path, context)(input.value);
    context.redraw(`[data-path="${path}"] select`);
  } } }, h("option", { value: "" }, t("agent.provider.told")), group(t("models.cloud"), PROVIDERS.filter(({ local, id }) => !local && id !== "compatible")),
    group(t("models.local"), PROVIDERS.filter(({ local }) => local)), group(t("models.other"), PROVIDERS.filter(({ id }) => id === "compatible")));
  return { input };
}

/** The models of the seat's endpoint: those known, else asked for where that needs nothing or the key is there. */
async function list(context, path) {
  const seat = seatAt(context.config, path);
  const base = baseUrl({ ...seat, kind: "model" }, context.config.protocol);
  const origin = base && originOf(base);
  if (!origin || !allows(origin)) return [];
  const endpoint = { provider: seat.provider, baseUrl: base, key: keyAt(placeOf(origin, seat.name ?? "")) ?? keyAt(origin) };
  if (offered(endpoint)) return offered(endpoint);
  return endpoint.key || isLocal(origin) ? models(endpoint) : [];
}

function model(field, path, context, attributes) {
  const set = setter(path, context);
  const { node, input } = combobox({ value: read(context.config, path) ?? "", placeholder: read(seatAt(context.config, path), "provider") ? "" : field.placeholder, options: () => list(context, path), onInput: set, ...attributes });
  return { node, input };
}

export const MODEL = { provider, model };

/** Gives every other model seat the provider, the model and the way to ask of this one. */
export function alike(config, index) {
  const seats = config.agents;
  for (const seat of seats) {
    if (seat === seats[index] || (seat?.kind ?? (seat?.model ? "model" : "scripted")) !== "model") continue;
    for (const key of ["provider", "model", "base_url", "reasoning_effort"]) write(seat, key, seats[index][key]);
  }
}
