// The configuration as a form. It writes directly into the configuration object.
import { useMemo, useReducer, useRef, useState } from "preact/hooks";
import { Button, Made } from "./elements.tsx";
import { agentFieldsFor, ENDPOINTS, groupsFor, kindOf, protocolOf, write } from "./fields.js";
import { agentsOf, type Config, type Form } from "./fields/controls.tsx";
import { useFocus } from "./fields/focus.ts";
import { moveIn, Movers } from "./movers.tsx";
import { type Fault, fieldAt, groupAt, idOf, mostAgents, nameOfNew } from "./fields/places.ts";
import { Faults, Fields, wordFor } from "./fields/rows.tsx";
import { tableOf } from "./fields/switch-protocol.js";
import { language, languageCode, t } from "./i18n.js";
import { KeyFields } from "./key-fields.tsx";
import { keyedOrigins } from "./origins.js";
import { Avatar } from "./participants.tsx";
import type { Language } from "./pkg/quorate.d.ts";

interface FormProps {
  config: Config;
  engine: Form["engine"];
  faults: Fault[];
  /** Called after each change. */
  onChange: () => void;
}
/** The form for a configuration; another one needs another `key`. */
export function ConfigForm(props: FormProps) {
  const form = useForm(props);
  const { config, faults } = props;
  return (
    <div class="form">
      <Endpoints />
      {groupsFor(config).map(({ id, open, fields }) => {
        const count = faults.filter(({ path }) => groupAt(config, fieldAt(config, path)) === id).length;
        return (
          <details key={id} class="group" data-group={id} open={open}>
            <summary>
              <h2>{t(`group.${id}`)}</h2>
              <span class="quiet">{t(wordFor(`group.${id}.text`, config))}</span>
              <span class="fault-count" data-count={id}>{count > 0 && t("setup.faults", { n: count })}</span>
            </summary>
            {id === "participants"
              ? <Participants form={form} />
              : id === "prompts"
              ? <Prompts form={form} />
              : <Fields fields={fields} form={form} />}
          </details>
        );
      })}
    </div>
  );
}

/** Only the participants. */
export function TableForm(props: FormProps) {
  const form = useForm(props);
  return (
    <div class="form">
      <Endpoints />
      <div data-group="participants">
        <Participants form={form} />
      </div>
    </div>
  );
}

function useForm({ config, engine, faults, onChange }: FormProps): Form {
  const [, redraw] = useReducer((n: number, _: void) => n + 1, 0);
  const changed = () => {
    redraw();
    onChange();
  };
  const placed = Map.groupBy(faults, ({ path }) => fieldAt(config, path));
  return { config, engine, changed, faultsAt: (path) => (placed.get(path) ?? []).map(({ message }) => message) };
}

const Endpoints = () => <datalist id="endpoints">{ENDPOINTS.map((url) => <option value={url} />)}</datalist>;

/** Puts the participants in a list, in the order in which they speak. */
function arrange(config: Config) {
  const agents = agentsOf(config);
  const isOrdered = protocolOf(config) === "discussion" && !config.participants
    && agents.some((agent) => agent?.sequence_order !== undefined);
  config.agents = isOrdered ? tableOf({ agents, participants: undefined }) : agents;
}

/** A participant like the last one, under another name. */
function nextAgent(config: Config) {
  const agents = agentsOf(config);
  const last = agents.at(-1);
  let n = agents.length + 1;
  while (agents.some((agent) => agent?.name === nameOfNew(n))) n += 1;
  const next: Config = { name: nameOfNew(n), kind: last?.kind ?? "scripted",
    personality: (protocolOf(config) === "justice" && last?.personality) || t("agent.personality.new") };
  for (const key of ["program", "provider", "model", "base_url", "temperature", "reasoning_effort", "language"]) {
    if (last?.[key] !== undefined) next[key] = last[key];
  }
  // The new participant is not another person at this page.
  if (protocolOf(config) === "discussion" && next.kind === "human") next.kind = "scripted";
  return next;
}

/** Copies provider, model and request settings of a seat to every other model seat. */
function makeAlike(seats: Config[], seat: Config) {
  for (const other of seats) {
    if (other === seat || kindOf(other) !== "model") continue;
    for (const key of ["provider", "model", "base_url", "reasoning_effort"]) write(other, key, seat[key]);
  }
}

function Participants({ form }: { form: Form }) {
  const { config, changed } = form;
  useState(() => arrange(config));
  const place = useRef<HTMLDivElement>(null);
  const focus = useFocus(place);
  const [moved, setMoved] = useState("");
  const agents = agentsOf(config);
  const models = agents.filter((agent) => kindOf(agent) === "model").length;
  const isDiscussion = protocolOf(config) === "discussion";
  const add = () => {
    agents.push(nextAgent(config));
    focus(`[data-path="agents.${agents.length - 1}.name"] input`);
    changed();
  };
  const fold = () => {
    config.agents = tableOf({ agents, participants: config.participants }, t("floor.guest"));
    delete config.participants;
    focus("[data-testid=add-agent]");
    changed();
  };
  const move = (at: number, to: number, which: string, name: string) => {
    moveIn(agents, at, to);
    focus(`[data-agent="${to}"] .${which}:enabled`, `[data-path="agents.${to}.name"] input`);
    setMoved(t("human.moved", { what: name, n: to + 1 }));
    changed();
  };
  const remove = (at: number) => {
    agents.splice(at, 1);
    focus("[data-testid=add-agent]");
    changed();
  };
  const alike = (agent: Config) => {
    makeAlike(agents, agent);
    setMoved(t("agent.alike.done", { n: models }));
    changed();
  };
  return (
    <div ref={place}>
      {isDiscussion && <p class="help">{t("agent.order")}</p>}
      {Array.isArray(config.participants) && (
        <div class="banner">
          <div>
            <p>{t("agent.participants")}</p>
            <p>
              <Button data-testid="fold-participants" onClick={fold}>{t("agent.participants.fold")}</Button>
            </p>
          </div>
        </div>
      )}
      <ol class="agents plain">
        {agents.slice(0, mostAgents(config)).map((agent, at) => {
          const name = agent?.name || nameOfNew(at + 1);
          const isModel = kindOf(agent) === "model";
          const more = isModel
            ? "agent.more.model"
            : protocolOf(config) === "justice"
            ? "agent.more"
            : "agent.more.language";
          return (
            <li key={at} class="agent" data-agent={at}>
              <div role="group" aria-label={name}>
                <div class="agent-head">
                  <Avatar person={{ name: agent?.name ?? "", index: at }} />
                  <Movers name={name} at={at} count={agents.length} remove={() => remove(at)}
                    move={(to, which) => move(at, to, which, name)} />
                </div>
                <Fields fields={agentFieldsFor(config)} form={form} prefix={`agents.${at}.`} label={more} />
                {isModel && models > 1 && (
                  <p class="alike">
                    <Button kind="quiet" data-testid="alike" aria-label={`${t("agent.alike")} (${name})`} onClick={() =>
                      alike(agent)}>
                      {t("agent.alike")}
                    </Button>
                  </p>
                )}
              </div>
            </li>
          );
        })}
      </ol>
      <p class="sr-only" role="status" data-moved="">{moved}</p>
      <Faults messages={form.faultsAt("agents")} />
      <p>
        <Button id={idOf("agents")} data-testid="add-agent" onClick={add}>{t("agent.add")}</Button>
      </p>
      <div class="keys-place">
        <h3>{t("keys")}</h3>
        <p class="quiet">{t("keys.text")}</p>
        <KeyFields config={config} />
      </div>
    </div>
  );
}

function Prompts({ form }: { form: Form }) {
  const { config, engine, changed } = form;
  const code = (languageCode(config.language ?? "English") ?? language()) as Language;
  const known = useMemo(() => {
    try {
      return engine.prompts(code).filter(({ protocol }) => protocol === protocolOf(config));
    } catch {
      // Without the list, prompts can be set in the configuration as text.
      return [];
    }
  }, [code]);
  const [key, choose] = useState(known[0]?.key);
  const prompt = known.find((one) => one.key === key);
  const own: { [key: string]: string } = config.prompts?.[code] ?? {};
  const familyOf = (one: { key: string }) => one.key.split(".").slice(0, -1).join(".") || t("group.prompts");
  const change = (text: string) => {
    const next = { ...own };
    if (text === prompt!.text) delete next[key!];
    else next[key!] = text;
    const all = { ...config.prompts, [code]: next };
    if (!Object.keys(next).length) delete all[code];
    if (Object.keys(all).length) config.prompts = all;
    else delete config.prompts;
    changed();
  };
  const id = idOf("prompts");
  return (
    <div class="stack">
      <label for={id}>{t("prompts.which", { language: t(`language.${code}`) })}</label>
      <select id={id} value={key} onChange={({ currentTarget }) => choose(currentTarget.value)}>
        {[...new Set(known.map(familyOf))].map((family) => (
          <optgroup key={family} label={family}>
            {known.filter((one) => familyOf(one) === family).map((one) => (
              <option key={one.key} value={one.key}>{own[one.key] === undefined ? one.key : `${one.key} •`}</option>
            ))}
          </optgroup>
        ))}
      </select>
      <Faults messages={form.faultsAt("prompts")} />
      <div class="stack">
        {prompt && (
          <>
            <p class="quiet">
              {t("prompts.variables")}{" "}
              {prompt.variables.length ? prompt.variables.map((name) => [<code>{`{${name}}`}</code>, " "]) : "–"}
            </p>
            <label for={`${id}-text`}>{t("prompts.wording")}</label>
            <textarea id={`${id}-text`} rows={10} value={own[prompt.key] ?? prompt.text} lang={code}
              onInput={({ currentTarget }) => change(currentTarget.value)} />
            <p>
              <Button kind="quiet" onClick={() => change(prompt.text)}>{t("prompts.reset")}</Button>
            </p>
          </>
        )}
      </div>
    </div>
  );
}
