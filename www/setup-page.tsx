// The page on which a run is set up, as it is shown. What it does is in setup.tsx.
import { Fragment } from "preact";
import { recorded, setRecorded } from "./answer-reuse.js";
import type { TypedNumber } from "./answer/number-field.tsx";
import { openDialog } from "./dialog.tsx";
import { Button, drawn } from "./elements.tsx";
import { protocolOf, protocols } from "./fields.js";
import { agentsOf, type Config, NumberHere } from "./fields/controls.tsx";
import { type Fault, goTo, labelOf } from "./fields/places.ts";
import { ForecastLine, ForecastPanel, type RunsForecast, hasModels } from "./forecast.tsx";
import { ConfigForm } from "./form.tsx";
import { presetTitle } from "./home/presets.js";
import { has, list, number, t } from "./i18n.js";
import { keysDialog } from "./key-fields.tsx";
import { endpoints, keysMissing, masked, nameOf } from "./keys.js";
import { FileButton, type Message, Notice } from "./notice.tsx";
import type { Forecast } from "./pkg/quorate.d.ts";
import { keeps, state as vaultState } from "./vault.js";

export type Engine = typeof import("./engine.js");
export type Mode = "form" | "yaml" | "json";
export type Parse = (text: string) => Promise<Config>;
/** A configuration being edited. */
export interface Draft {
  /** The id of its preset, or empty. */
  from: string;
  config: Config;
  /** As it began. */
  origin: Config;
  /** A seed that was not typed. */
  seed?: number;
}
export interface Preset {
  id: string;
  config: Config;
}
/** A fault or a warning; `cause` has the words of a parser, in English. */
export type Finding = Fault & { cause?: unknown };
export interface CheckResult {
  faults: Finding[];
  warnings: Finding[];
}

/** Most runs of one configuration at once. */
const MOST_RUNS = 200;

/** All that the view shows. */
export interface Shown {
  draft: Draft;
  mode: Mode;
  /** The number of the drawing: what is typed into an earlier form is not in a later one. */
  drawing: number;
  /** The configuration as text, if that is edited; `parse` reads the last of several at once. */
  text: { typed: string; parse: Parse } | null;
  checked: CheckResult;
  /** The number of the check; its result is announced anew. */
  check: number;
  /** What was read last had faults, and is not what was checked. */
  isStale: boolean;
  message: Message;
  /** Settings that another protocol has taken over, and those that it has not. */
  switched: { kept: string[]; behind: string[]; from: string } | null;
  runs: TypedNumber;
  /** The limit for all runs: in money, or in calls if the price of a model is unknown. */
  cap: TypedNumber;
  forecast: RunsForecast | null;
  /** The last one, for a single run: by it the payer and the unit of the limit are shown. */
  lastForecast: Forecast | null;
  /** The name of a preset that does not exist. */
  unknown: string | null;
  /** The page that a configuration came from. */
  guest: string | null;
}
export interface Actions {
  changed(): void;
  start(): void;
  invite(): void;
  load(file: File): void;
  save(): void;
  rewrite(typed: string): void;
  pickMode(mode: Mode): void;
  pickPreset(preset: Preset): void;
  pickProtocol(protocol: string): void;
  setRuns(runs: TypedNumber): void;
  setCap(cap: TypedNumber): void;
  keepResult(): void;
}
interface Part {
  shown: Shown;
  actions: Actions;
}

/** People at the table would have to be present for each run. */
const canRepeat = ({ config }: Draft) =>
  !agentsOf(config).some((agent) => agent?.kind === "human")
  && (protocolOf(config) !== "discussion" || config.start === "at_once");
/** The number of runs; null if it is invalid. */
export function runsOf({ draft, runs }: Shown) {
  if (!canRepeat(draft)) return 1;
  return typeof runs === "number" && Number.isInteger(runs) && runs >= 1 && runs <= MOST_RUNS ? runs : null;
}
export const canCap = (shown: Shown) => (runsOf(shown) ?? 0) > 1 && hasModels(shown.draft.config);

/** The form's name of a setting, or its key. */
const settingName = (key: string) => (has(`field.${key}`) ? t(`field.${key}`) : key);

/** Protocols to choose from. */
const Procedures = ({ shown: { draft, switched }, actions }: Part) => (
  <fieldset class="protocols">
    <legend>{t("setup.what")}</legend>
    <div class="protocol-cards">
      {protocols().map((protocol) => (
        <label key={protocol} class="protocol-card">
          <input type="radio" name="protocol" value={protocol} data-testid={`protocol-${protocol}`}
            checked={protocol === protocolOf(draft.config)} onChange={() => actions.pickProtocol(protocol)} />
          <span>
            <b>{t(`protocol.${protocol}`)}</b>
            <span class="quiet">{t(`protocol.${protocol}.text`)}</span>
          </span>
        </label>
      ))}
    </div>
    <div class="told" role="status" data-testid="told">
      {switched && switched.kept.length > 0 && (
        <p>{t("setup.carried", { list: list(switched.kept.map(settingName)) })}</p>
      )}
      {switched && switched.behind.length > 0 && (
        <p>
          {t("setup.behind", { list: list(switched.behind.map(settingName)),
            protocol: t(`protocol.${switched.from}`) })}
        </p>
      )}
    </div>
  </fieldset>
);

function Bar({ shown: { draft, mode }, actions, presets }: Part & { presets: Preset[] }) {
  const offered = presets.filter(({ config }) => protocolOf(config) === protocolOf(draft.config));
  const pick = (id: string) => {
    const preset = presets.find((one) => one.id === id);
    if (preset) actions.pickPreset(preset);
  };
  return (
    <div class="setup-bar">
      <div class="field">
        <label for="preset">{t("setup.preset")}</label>
        <select id="preset" data-testid="preset" value={offered.some(({ id }) => id === draft.from) ? draft.from : ""}
          onChange={({ currentTarget }) => pick(currentTarget.value)}>
          <option value="">{t("setup.ownconfig")}</option>
          {offered.map((one) => <option key={one.id} value={one.id}>{presetTitle(one)}</option>)}
        </select>
      </div>
      <div class="tabs" role="group" aria-label={t("setup.how")}>
        {(["form", "yaml", "json"] as const).map((name) => (
          <button key={name} type="button" class="tab" data-mode={name} data-testid={`mode-${name}`}
            aria-pressed={name === mode} onClick={() => actions.pickMode(name)}>
            {t(`setup.${name}`)}
          </button>
        ))}
      </div>
      <div class="row">
        <FileButton id="config-file" accept=".yaml,.yml,.json" kind="quiet" onPick={actions.load}>
          {t("setup.load")}
        </FileButton>
        <Button kind="quiet" data-testid="config-save" onClick={actions.save}>{t("setup.save")}</Button>
      </div>
    </div>
  );
}

const TextEditor = ({ shown: { text, mode }, actions }: Part) => (
  <div class="stack">
    <label for="config-text">{t(`setup.${mode}.label`)}</label>
    <p class="help" id="config-text-help">{t("setup.text.help")}</p>
    <textarea id="config-text" class="code" rows={26} spellcheck={false} autocapitalize="off" data-testid="config-text"
      aria-describedby="config-text-help" value={text!.typed}
      onInput={({ currentTarget }) => actions.rewrite(currentTarget.value)} />
  </div>
);

/** How often it is run, and the limit for all runs. */
function Runs({ shown, actions }: Part) {
  const isValid = runsOf(shown) !== null;
  const { lastForecast } = shown;
  return (
    <>
      <label class="tickbox again" hidden={!hasModels(shown.draft.config)}>
        <input type="checkbox" defaultChecked={recorded() === "use"} data-testid="recorded"
          onChange={({ currentTarget }) => setRecorded(currentTarget.checked)} />
        <span>
          {t("recorded.use")} <span class="quiet">{t("recorded.use.text")}</span>
        </span>
      </label>
      <div class="field again" hidden={!canRepeat(shown.draft)}>
        <label for="repeat">{t("setup.repeat")}</label>
        <NumberHere value={shown.runs} isWhole onValue={actions.setRuns}
          attributes={{ id: "repeat", "data-testid": "repeat", "aria-describedby": "repeat-help repeat-fault",
            "aria-invalid": !isValid }} />
        <p class="help" id="repeat-help">{t("setup.repeat.help")}</p>
        <p class="fault" id="repeat-fault" role="status">{!isValid && t("setup.repeat.fault", { most: MOST_RUNS })}</p>
      </div>
      <div class="field again" hidden={!canCap(shown)}>
        <label for="repeat-cap">
          {lastForecast?.cost ? `${t("setup.repeat.cap")} (${lastForecast.currency})` : t("setup.repeat.capcalls")}
        </label>
        <NumberHere value={shown.cap} onValue={actions.setCap} placeholder={t("field.nolimit")} attributes={{
          id: "repeat-cap",
          "data-testid": "repeat-cap",
          "aria-describedby": "repeat-cap-help",
        }} />
        <p class="help" id="repeat-cap-help">{t("setup.repeat.cap.help")}</p>
      </div>
    </>
  );
}

/** The message of an error, with the parser's message in folded details. */
export const ErrorText = ({ of: { message, cause } }: { of: { message: string; cause?: unknown } }) => (
  <>
    {message}
    {cause instanceof Error && (
      <details>
        <summary>{t("details")}</summary>
        <span lang="en">{cause.message}</span>
      </details>
    )}
  </>
);

/** The result of the check. */
function Checks({ shown }: { shown: Shown }) {
  const { faults, warnings } = shown.checked;
  const listed = (found: Finding[]) => (
    <ul>
      {found.map((one) => (
        <li>
          {one.path && [<SettingLink shown={shown} path={one.path} />, ": "]}
          <ErrorText of={one} />
        </li>
      ))}
    </ul>
  );
  const missing: string[] = keysMissing(shown.draft.config);
  return (
    <>
      {faults.length > 0 && (
        <>
          <p class="bad">{t("setup.faults", { n: faults.length })}</p>
          {listed(faults)}
        </>
      )}
      {!faults.length && missing.length > 0 && <Keyless config={shown.draft.config} missing={missing} />}
      {!faults.length && !missing.length && !shown.isStale && (
        <p class="good" hidden={runsOf(shown) === null}>{t("setup.nofaults")}</p>
      )}
      {warnings.length > 0 && (
        <>
          <p>{t("setup.warnings", { n: warnings.length })}</p>
          {listed(warnings)}
        </>
      )}
    </>
  );
}

/** A setting as a link to its field in the form. */
function SettingLink({ shown: { draft: { config }, mode }, path }: { shown: Shown; path: string }) {
  const label = labelOf(config, path);
  const name = label || <code>{path}</code>;
  const title = label ? path : undefined;
  return mode === "form"
    ? <button class="link" type="button" title={title} onClick={() => goTo(config, path)}>{name}</button>
    : <b title={title}>{name}</b>;
}

/** A note on missing keys: not a fault, since keys can be entered during the run. */
function Keyless({ config, missing }: { config: Config; missing: string[] }) {
  const isLocked = vaultState() === "locked" && missing.some(keeps);
  const enter = () => void keysDialog(config, t("close"));
  const unlock = () => void import("./models/vault-panel.tsx").then(({ unlockDialog }) => unlockDialog());
  return (
    <p data-testid="keyless">
      {t(isLocked ? "setup.locked" : "setup.nokey", { list: list(missing.map(nameOf)) })}{" "}
      <button class="link" type="button" onClick={isLocked ? unlock : enter}>
        {t(isLocked ? "vault.unlock" : "halt.key")}
      </button>
    </p>
  );
}

/** Whose key pays for a configuration from another page, and for how many calls at most. */
function payer(shown: Shown) {
  const { draft: { config }, lastForecast } = shown;
  const hosts = [...endpoints(config).keys()];
  if (!lastForecast || !hosts.length) return t("launch.free");
  const most = config.limits?.max_calls;
  const n = most ?? lastForecast.seats.reduce((sum, { kind, calls }) => sum + (kind === "model" ? calls.high : 0), 0);
  return t(most ? "launch.pays" : "launch.pays.open", {
    list: list(hosts.map((origin) => `${origin} (${masked(origin) || t("launch.nokey")})`)),
    n: number(n * (runsOf(shown) ?? 1)),
  });
}

export function Setup({ shown, actions, engine, presets }: Part & { engine: Engine; presets: Preset[] }) {
  const { draft, mode, checked: { faults, warnings }, unknown, guest } = shown;
  const runs = runsOf(shown);
  return (
    <div class="page setup">
      {guest && (
        <p class="guest" data-testid="guest">
          {t("launch.from", { origin: guest })} <span data-testid="guest-pays">{payer(shown)}</span>{" "}
          <Button kind="quiet" onClick={actions.keepResult}>{t("launch.keep")}</Button>
        </p>
      )}
      <div class="page-head">
        <div>
          <h1>{t("setup.title")}</h1>
          <p class="lead">{t("setup.lead")}</p>
        </div>
      </div>
      {unknown && (
        <Notice message={{ text: t("setup.unknown", { name: unknown }), isGood: false }} testid="unknown-preset" />
      )}
      <Procedures shown={shown} actions={actions} />
      <Bar shown={shown} actions={actions} presets={presets} />
      <div class="setup-place">
        {mode === "form"
          ? (
            <ConfigForm key={shown.drawing} config={draft.config} engine={engine} faults={faults}
              onChange={actions.changed} />
          )
          : <TextEditor shown={shown} actions={actions} />}
      </div>
      <ForecastPanel forecast={shown.forecast} />
      <Runs shown={shown} actions={actions} />
      <div class="setup-foot">
        {/* Focusable, so that a long list can be scrolled by keyboard. */}
        <div class="checks" role="status" aria-live="polite" data-testid="faults"
          tabIndex={faults.length + warnings.length ? 0 : undefined}>
          <Fragment key={shown.check}>
            <Checks shown={shown} />
          </Fragment>
        </div>
        <Notice message={shown.message} />
        <div class="setup-go">
          <ForecastLine forecast={shown.forecast} />
          <Button icon="people" more="button-large" data-testid="setup-invite" onClick={actions.invite}>
            {t("setup.invite")}
          </Button>
          <Button kind="primary" icon="play" more="button-large" data-testid="setup-start"
            disabled={faults.length > 0 || !runs} onClick={actions.start}>
            {runs && runs > 1 ? t("setup.repeat.start", { n: runs }) : t("setup.start")}
          </Button>
        </div>
      </div>
    </div>
  );
}
