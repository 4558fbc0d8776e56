// Controls of a model seat: provider and model, with a search in the provider's models.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Combobox, type Suggestion } from "../combobox.tsx";
import { Button } from "../elements.tsx";
import { parts, read } from "../fields.js";
import { moment, t } from "../i18n.js";
import { baseUrl, isLocal, keyAt, originOf, placeOf } from "../keys.js";
import { cachedModels, models } from "../models/endpoint-models.js";
import { providerAt, PROVIDERS } from "../models/providers.js";
import { allows } from "../origins.js";
import { catalogue } from "../pkg/quorate.js";
import { Choice, type Config, type Control, type ControlProps, setter } from "./controls.tsx";
import { useFocus } from "./focus.ts";

const seatAt = (config: Config, path: string): Config => read(config, parts(path).slice(0, -1).join("."));

/** The label of a provider; OpenAI is listed twice. */
const labelOf = ({ id, name }: { id: string; name: string }) =>
  id === "compatible" ? t("models.other.name") : id === "openai_responses" ? `${name} (Responses)` : name;

function Provider({ path, form, attributes }: ControlProps) {
  const value = read(form.config, path) ?? "";
  const take = (id: string) => {
    const seat = seatAt(form.config, path);
    // Address and model belonged to the previous provider.
    delete seat.base_url;
    if (value && id) delete seat.model;
    setter(path, form)(id);
  };
  const group = (label: string, isIn: (one: (typeof PROVIDERS)[number]) => boolean) => (
    <optgroup label={label}>
      {PROVIDERS.filter(isIn).map((one) => <option key={one.id} value={one.id}>{labelOf(one)}</option>)}
    </optgroup>
  );
  return (
    <select {...attributes} value={value} onChange={({ currentTarget }) => take(currentTarget.value)}>
      <option value="">{t("agent.provider.told")}</option>
      {group(t("models.cloud"), ({ local, id }) => !local && id !== "compatible")}
      {group(t("models.local"), ({ local }) => local)}
      {group(t("models.other"), ({ id }) => id === "compatible")}
    </select>
  );
}

/** The catalogue's facts on the models of a seat's endpoint, or on one of them. */
function knownAt(seat: Config, protocol: string, model?: string) {
  const base = baseUrl({ ...seat, kind: "model" }, protocol);
  const origin = base && originOf(base);
  return catalogue(seat.provider ?? (origin && providerAt(origin)?.id) ?? "compatible", model).models;
}

/** The models of the seat's endpoint: its own list if it needs no key or the key is there, else the catalogue's. */
async function modelsOf(seat: Config, protocol: string): Promise<Suggestion[]> {
  const base = baseUrl({ ...seat, kind: "model" }, protocol);
  const origin = base && originOf(base);
  if (!origin || !allows(origin)) return [];
  const endpoint = { provider: seat.provider, baseUrl: base,
    key: keyAt(placeOf(origin, seat.name ?? "")) ?? keyAt(origin) };
  const cached = cachedModels(endpoint);
  if (cached) return cached;
  if (endpoint.key || isLocal(origin)) return models(endpoint);
  return knownAt(seat, protocol).map(({ model: id, context }) => ({ id, context }));
}

function Model({ field, path, form, attributes }: ControlProps) {
  const { config } = form;
  const seat = seatAt(config, path);
  return (
    <Combobox value={read(config, path) ?? ""} onValue={setter(path, form)}
      options={() => modelsOf(seat, config.protocol)}
      attributes={{ placeholder: seat.provider ? "" : field.placeholder, ...attributes }} />
  );
}

/** The reasoning efforts of the seat's model; all of them if the catalogue has none. */
function Effort({ field, path, form, attributes }: ControlProps) {
  const seat = seatAt(form.config, path);
  const { protocol } = form.config;
  const efforts = useMemo(() => knownAt(seat, protocol, seat.model ?? "")[0]?.efforts ?? [], [seat.provider,
    seat.base_url, seat.model, protocol]);
  const options = efforts.length ? ["", ...efforts] : field.options;
  return <Choice field={{ ...field, options }} path={path} form={form} attributes={attributes} />;
}

interface Reserve {
  provider: string;
  model: string;
  base_url?: string;
}

/** The models that a seat falls back to, in order, when its own fails for good. */
function Fallback({ path, form, attributes: { "aria-invalid": _, ...attributes } }: ControlProps) {
  const place = useRef<HTMLDivElement>(null);
  const focus = useFocus(place);
  const given = read(form.config, path);
  const rows: Reserve[] = Array.isArray(given) ? given : [];
  const save = (next = rows) => setter(path, form)(next.length ? next : undefined);
  const changeProvider = (row: Reserve, id: string) => {
    row.provider = id;
    delete row.base_url;
    save();
  };
  const changeModel = (row: Reserve, model: string) => {
    row.model = model;
    save();
  };
  return (
    <div class="stack" ref={place}>
      <ol class="plain fallbacks">
        {rows.map((row, at) => (
          <li key={at} class="row tight">
            <select aria-label={t("fallback.provider", { n: at + 1 })} value={row.provider}
              onChange={({ currentTarget }) => changeProvider(row, currentTarget.value)}>
              {PROVIDERS.filter(({ id }) => id !== "compatible" || row.provider === id).map((one) => (
                <option key={one.id} value={one.id}>{labelOf(one)}</option>
              ))}
            </select>
            <Combobox value={row.model ?? ""} onValue={(model) => changeModel(row, model)} options={() => knownOf(row)}
              attributes={{ "aria-label": t("fallback.model", { n: at + 1 }) }} />
            <Button kind="quiet" more="button-icon" icon="cross"
              aria-label={t("agent.remove", { name: row.model || String(at + 1) })} onClick={() => {
              focus("[data-testid=fallback-add]");
              save(rows.filter((other) => other !== row));
            }} />
          </li>
        ))}
      </ol>
      <p>
        <Button kind="quiet" data-testid="fallback-add" {...attributes} onClick={() => {
          focus("li:last-child select");
          save([...rows, { provider: PROVIDERS[0]!.id, model: "" }]);
        }}>
          {t("fallback.add")}
        </Button>
      </p>
    </div>
  );
}

/** The models of a fallback's provider, if known. */
function knownOf({ provider: id, base_url: own }: Reserve): Suggestion[] {
  const base = own ?? PROVIDERS.find((one) => one.id === id)?.baseUrl;
  return cachedModels({ provider: id, baseUrl: base, key: keyAt(originOf(base)) }) ?? [];
}

interface Session {
  id: string;
  title?: string;
  updated: number;
  seats: { name: string }[];
}

/** The saved session, and the seat in it, whose answers are replayed. */
function Plays({ path, form, attributes }: ControlProps) {
  const [sessions, setSessions] = useState<Session[]>([]);
  useEffect(() => void form.engine.Library.list().then(setSessions, () => {}), []);
  const { session = "", seat = "" }: { session?: string; seat?: string } = read(form.config, path) ?? {};
  const own = seatAt(form.config, path).name;
  const seatsOf = (id: string) => (sessions.find((one) => one.id === id)?.seats ?? []).map(({ name }) => name);
  const save = (id: string, name: string | undefined) =>
    setter(path, form)(id ? { session: id, ...name && { seat: name } } : undefined);
  const pick = (id: string) => save(id, seatsOf(id).includes(own) ? "" : seatsOf(id)[0]);
  return (
    <div class="stack">
      <select {...attributes} data-testid="plays" value={session}
        onChange={({ currentTarget }) => pick(currentTarget.value)}>
        <option value="">{t(sessions.length ? "plays.which" : "plays.none")}</option>
        {session && !sessions.some(({ id }) => id === session) && <option value={session}>{session}</option>}
        {sessions.map(({ id, title, updated }) => (
          <option key={id} value={id}>{`${title || t("untitled")} · ${moment(updated)}`}</option>
        ))}
      </select>
      {/* An unknown seat stays: its session may be deleted. */}
      <select aria-label={t("plays.seat")} data-testid="plays-seat" hidden={!session} value={seat}
        onChange={({ currentTarget }) => save(session, currentTarget.value)}>
        <option value="">{t("plays.same")}</option>
        {[...new Set([...seatsOf(session), seat].filter(Boolean))].map((name) => (
          <option key={name} value={name}>{name}</option>
        ))}
      </select>
    </div>
  );
}

export const MODEL: { [type: string]: Control } = { provider: Provider, model: Model, fallback: Fallback,
  effort: Effort, plays: Plays };
