// One study: its cells and how far each is, what its runs gave, what it will cost, and what leaves. #/study/ID
import { useEffect, useMemo, useState } from "preact/hooks";
import type { TypedNumber } from "../answer/number-field.tsx";
import { allowOrigins } from "../allow-origins.js";
import { writeConfig } from "../configtext.js";
import { money } from "../costs.js";
import { confirmDialog } from "../dialog.tsx";
import { Button, Filled, Table } from "../elements.tsx";
import { download } from "../engine.js";
import { file as addressOf } from "../files.js";
import { ForecastPanel, hasModels } from "../forecast.tsx";
import { language, number, t } from "../i18n.js";
import { Field, NumberInput } from "../inputs.tsx";
import { keysDialog } from "../key-fields.tsx";
import { endpoints, keysMissing, nameOf } from "../keys.js";
import { failed, type Message, Notice } from "../notice.tsx";
import { allows, otherOrigins } from "../origins.js";
import type { Language, StudyForecast } from "../pkg/quorate.d.ts";
import type { MeanOutcome, ShareOutcome, StudySummary } from "../pkg/study.d.ts";
import { pricesOf } from "../prices.js";
import { foretellStudy } from "../rehearsal.js";
import type { Engine } from "../view-types.ts";
import type { openStudy } from "./studies.js";

type KeptStudy = NonNullable<Awaited<ReturnType<typeof openStudy>>>;
interface Part {
  study: KeptStudy;
  setMessage: (message: Message) => void;
}

const MOST_AT_ONCE = 32;

/** The origins that the models of all cells need. */
const originsOf = ({ plan: { cells } }: KeptStudy) => [
  ...new Set(cells.flatMap(({ config }) => [...endpoints(config).keys(), ...otherOrigins(config)])),
];
/** Origins whose keys are missing. */
const missingOf = ({ keyless }: KeptStudy) => [...new Set(keyless.flatMap(({ config }) => keysMissing(config)))];
/** All models of all cells, as one configuration for the fields of their keys. */
const allModels = ({ plan: { cells } }: KeptStudy) => ({ ...cells[0]!.config,
  agents: cells.flatMap(({ config }) => (config as { agents?: unknown[] }).agents ?? []) });

/** How far it is, in a line. */
function state(study: KeptStudy) {
  const { progress, isRunning, isStopping, isElsewhere, isGoing } = study;
  if (!progress) return "";
  const { runs, ended, standing, isOverBudget } = progress;
  if (study.isOver) return t("study.over", { n: runs });
  const far = t("study.ended", { n: ended, of: runs });
  if (study.file.people) return far;
  const why = isStopping
    ? t("study.stopping")
    : isRunning
    ? t("study.running", { n: progress.running })
    : isElsewhere
    ? t("study.elsewhere")
    : isOverBudget
    ? t("study.overbudget")
    : standing.length
    ? t("study.standing", { n: standing.length })
    : isGoing && study.keyless.length
    ? t("study.nokey")
    : t(progress.begun ? "study.paused" : "study.ready");
  return `${far} ${why}`;
}

/** This host, from 1, and how many there are. */
type Hosts = [host: number, hosts: number];

/** Opens the room for this host's part of the tables of people. */
function OpenRoom({ study, engine, hosts: [host, hosts], setMessage }: Part & { engine: Engine; hosts: Hosts }) {
  const open = async () => {
    setMessage({});
    try {
      await (await import("../rooms/hosted-rooms.js")).openStudy(study.file, [host - 1, hosts], engine);
    } catch (error) {
      setMessage(failed("study.noroom", error));
    }
  };
  return <Button kind="primary" more="button-large" data-testid="study-room" onClick={open}>{t("study.room")}</Button>;
}

function Go({ study, setMessage }: Part) {
  const { progress, isRunning, isStopping } = study;
  const go = async () => {
    setMessage({});
    try {
      const blocked = originsOf(study).filter((origin) => !allows(origin));
      if (blocked.length
        && (await allowOrigins(blocked, { before: async () => void study.goAfterReload() })) !== "without") return;
      if (study.keyless.length && !(await keysDialog(allModels(study), t("study.go"), "study-keys-go"))) return;
      await study.go();
    } catch (error) {
      setMessage(failed("study.failed", error));
    }
  };
  if (study.isOver) return null;
  if (isRunning) {
    return (
      <Button more="button-large" data-testid="study-pause" disabled={isStopping} onClick={() => void study.pause()}>
        {t("study.pause")}
      </Button>
    );
  }
  const isBegun = Boolean(progress?.begun);
  return (
    <Button kind="primary" icon="play" more="button-large" data-testid="study-go" disabled={!progress} onClick={go}>
      {t(isBegun ? "study.goon" : "study.go")}
    </Button>
  );
}

/** Cells × (ended, running, left, standing still). */
function Cells({ study: { plan, progress } }: { study: KeptStudy }) {
  const rows = plan.cells.map(({ name }) => {
    const cell = progress?.cells.find((one) => one.name === name);
    if (!cell) return [name, "–", "–", "–", "–"];
    const { runs, ended, running, standing } = cell;
    return [name, <Bar ended={ended} of={runs} />, number(running), number(runs - ended - running - standing),
      standing ? <b class="bad">{number(standing)}</b> : number(0)];
  });
  return (
    <div data-testid="study-cells">
      <Table label={t("study.cells")} name="study-cells"
        head={[t("study.cell"), t("study.col.ended"), t("study.col.running"), t("study.col.left"),
          t("study.col.standing")]} rows={rows} />
    </div>
  );
}
const Bar = ({ ended, of }: { ended: number; of: number }) => (
  <span class="study-bar">
    <progress value={ended} max={of} aria-hidden="true" />
    <span>{t("study.of", { n: number(ended), of: number(of) })}</span>
  </span>
);

/** Runs that need help, with the reason. */
function Standing({ study: { progress } }: { study: KeptStudy }) {
  const standing = progress?.standing ?? [];
  if (!standing.length) return null;
  return (
    <div class="banner bad" data-testid="study-standing">
      <div>
        <p class="banner-text">{t("study.standing.text")}</p>
        <ul class="plain">
          {standing.slice(0, 5).map(({ id, why }) => (
            <li key={id}>
              <a href={`#/run/${id}`}>{id}</a>: <span lang="en">{why}</span>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

const at = (share: number) => `${100 * share}%`;
/** A share on a line from nothing to all, with its interval. */
const Interval = ({ of: { share, low, high } }: { of: ShareOutcome }) => (
  <span class="interval" aria-hidden="true">
    <span class="interval-range" style={{ left: at(low), width: at(high - low) }} />
    <span class="interval-share" style={{ left: at(share) }} />
  </span>
);

const percent = (share: number) => number(share, { style: "percent", maximumFractionDigits: 0 });
function Outcome({ of: outcome }: { of: ShareOutcome | MeanOutcome | null | undefined }) {
  if (!outcome) return <>–</>;
  if ("share" in outcome) {
    const { count, n, share, low, high } = outcome;
    const values = { n: count, of: n, share: percent(share), low: percent(low), high: percent(high) };
    return (
      <span class="study-bar">
        <Interval of={outcome} />
        <span>{t("study.share", values)}</span>
      </span>
    );
  }
  const { mean, deviation, n } = outcome;
  const values = { mean: number(mean, { maximumSignificantDigits: 4 }), of: n,
    deviation: number(deviation ?? 0, { maximumSignificantDigits: 3 }) };
  return <>{t(deviation === null ? "study.mean.single" : "study.mean", values)}</>;
}

/** What the ended runs gave, by cell. */
function Outcomes({ study }: { study: KeptStudy }) {
  const [summary, setSummary] = useState<StudySummary | null>(null);
  const { ended = 0 } = study.progress ?? {};
  useEffect(() => {
    // While runs end, the table follows at the end or at a pause: making it takes all records.
    if (study.isRunning || !ended) return;
    let isCurrent = true;
    study.summary().then((made) => isCurrent && setSummary(made)).catch(() => {});
    return () => void (isCurrent = false);
  }, [study.isRunning, ended]);
  if (!summary?.outcomes.length) return null;
  const { seats, simulated, outcomes, cells } = summary;
  return (
    <section aria-labelledby="study-outcomes" data-testid="study-outcomes">
      <h2 id="study-outcomes">{t("study.outcomes")}</h2>
      <Table label={t("study.outcomes")} name="study-outcomes"
        head={[t("study.cell"), ...outcomes.map((name) => <code>{name}</code>)]} rows={cells.map((
          { name, outcomes: of },
        ) => [name, ...outcomes.map((outcome) => <Outcome of={of[outcome]} />)])} />
      {simulated > 0 && (
        <p class="note" data-testid="study-simulated">
          <span>{t("study.simulated", { n: number(simulated), of: number(seats) })}</span>
        </p>
      )}
      <p class="quiet">
        <Filled text={t("study.outcomes.help")} with={{ outcomes: <code>outcomes</code> }} />
      </p>
    </section>
  );
}

/** A number that is taken when its field is left. */
function Number({ label, help, value, onPick, ...attributes }: {
  label: string;
  help?: string;
  value: number | null | undefined;
  onPick: (value: number | undefined) => void;
  isWhole?: boolean;
  placeholder?: string;
  "data-testid": string;
}) {
  const [typed, setTyped] = useState<TypedNumber>(value ?? undefined);
  const pick = () => {
    if (typed === undefined) onPick(undefined);
    else if (typeof typed === "number" && typed > 0) onPick(typed);
  };
  return (
    <Field label={label} help={help}>
      {(described) => (
        <NumberInput {...described} {...attributes} value={value ?? undefined} onChange={setTyped} onBlur={pick} />
      )}
    </Field>
  );
}

/** The runs of a cell; the budget and the runs at once, or hosts of people. */
function Settings({ study, hosts: [host, hosts], setHosts, setMessage }: Part & {
  hosts: Hosts;
  setHosts: (hosts: Hosts) => void;
}) {
  const { file, isRunning, isElsewhere } = study;
  const change = (changes: object) =>
    study.change({ ...file, ...changes }).then(() => setMessage({}), (error: Error) =>
      setMessage({ text: error.message, isGood: false }));
  const budget = (name: "cost" | "calls") => (value: number | undefined) => {
    if ((file.budget?.[name] ?? undefined) !== value) void change({ budget: { ...file.budget, [name]: value } });
  };
  return (
    <fieldset class="study-settings fields" disabled={isRunning || isElsewhere}>
      <legend class="sr-only">{t("study.settings")}</legend>
      <Number label={t("study.n")} value={file.n} isWhole data-testid="study-n"
        onPick={(n) => n !== undefined && n !== file.n && void change({ n })} />
      {file.people
        ? (
          <>
            <Number label={t("study.hosts")} help={t("study.hosts.help")} value={hosts} isWhole
              data-testid="study-parts" onPick={(n) => n !== undefined && setHosts([Math.min(host, n), n])} />
            <Number label={t("study.host")} value={host} isWhole data-testid="study-part"
              onPick={(n) => n !== undefined && n <= hosts && setHosts([n, hosts])} />
          </>
        )
        : (
          <>
            <Number label={t("study.atonce")} value={study.atOnce} isWhole data-testid="study-at-once"
              onPick={(n) => n !== undefined && n <= MOST_AT_ONCE && study.setAtOnce(n)} />
            <Number label={t("study.budget.calls")} help={t("study.budget.help")} value={file.budget?.calls} isWhole
              placeholder={t("field.nolimit")} data-testid="study-calls" onPick={budget("calls")} />
            <Number label={t("study.budget.cost")} value={file.budget?.cost} placeholder={t("field.nolimit")}
              data-testid="study-cost" onPick={budget("cost")} />
          </>
        )}
    </fieldset>
  );
}

/** What its check warns of. */
function Warnings({ study: { file }, engine }: { study: KeptStudy; engine: Engine }) {
  const { warnings } = useMemo(() => engine.study.check(file, language() as Language), [file]);
  if (!warnings.length) return null;
  return (
    <div data-testid="study-warnings">
      <p>{t("setup.warnings", { n: warnings.length })}</p>
      <ul>
        {warnings.map(({ cell, path, message }) => <li>{[cell, path, message].filter(Boolean).join(": ")}</li>)}
      </ul>
    </div>
  );
}

/** Why it cannot be opened; the prices that a budget of money needs can be added here. */
function Trouble({ study, engine, setMessage }: Part & { engine: Engine }) {
  if (!study.error) return null;
  const needsPrices = study.file.budget?.cost && !(study.file.base as { prices?: unknown }).prices;
  const add = () =>
    void study.change({ ...study.file,
      base: { ...study.file.base, prices: pricesOf(engine, study.plan.cells.map(({ config }) => config)) } })
      .catch((error: Error) => setMessage({ text: error.message, isGood: false }));
  return (
    <div class="banner bad" role="alert" data-testid="study-trouble">
      <div>
        <p class="banner-text">{t(needsPrices ? "study.unpriced" : "study.failed")}</p>
        {!needsPrices && <p lang="en">{(study.error as Error).message}</p>}
        {needsPrices && <Button data-testid="study-prices" onClick={add}>{t("study.prices")}</Button>}
      </div>
    </div>
  );
}

function Forecast({ study }: { study: KeptStudy }) {
  const [forecast, setForecast] = useState<StudyForecast | null>(null);
  const { file, atOnce, plan } = study;
  useEffect(() => {
    if (!plan.cells.some(({ config }) => hasModels(config))) return;
    let isCurrent = true;
    foretellStudy(file).then((made: StudyForecast) => isCurrent && setForecast(made), () => {});
    return () => void (isCurrent = false);
  }, [file]);
  return <ForecastPanel forecast={forecast && { all: forecast, runs: forecast.runs, atOnce }} />;
}

/** One archive of everything. */
function Bundle({ study, setMessage }: Part) {
  const { file, isRunning, progress } = study;
  const [isMaking, setMaking] = useState(false);
  const bundle = async () => {
    setMaking(true);
    setMessage({});
    try {
      const { runs, finds, csv } = await study.leaving();
      if (finds.length) {
        download({ name: "privacy.csv", type: "text/csv", text: csv });
        const text = t("study.privacy.text", { n: finds.length });
        if (!(await confirmDialog(t("study.privacy"), text, t("study.bundle")))) return;
      }
      const module = await (await fetch(addressOf("pkg/engine_bg.wasm"))).blob();
      download({ name: `${file.id}.zip`, type: "application/zip", blob: await study.bundle(runs, module) });
    } catch (error) {
      setMessage(failed("study.notbundled", error));
    } finally {
      setMaking(false);
    }
  };
  return (
    <Button {...(study.isOver && { kind: "primary" as const })} more="button-large" data-testid="study-bundle"
      disabled={isRunning || isMaking || !progress?.begun} onClick={bundle}>
      {t(isMaking ? "study.bundling" : "study.bundle")}
    </Button>
  );
}

/** The file itself, and its end. */
function Files({ study, engine, setMessage }: Part & { engine: Engine }) {
  const { file, plan, isRunning, isElsewhere } = study;
  const save = async () =>
    download({ name: `${file.id}.yaml`, type: "application/yaml", text: await writeConfig(file, "yaml") });
  const register = () =>
    download({ name: "registration.json", type: "application/json",
      text: `${
        JSON.stringify({ id: plan.id, engine: engine.version(), date: new Date().toISOString(), study: file }, null, 2)
      }\n` });
  const remove = async () => {
    const made = study.progress?.begun ?? 0;
    if (!(await confirmDialog(t("study.delete"), t("study.delete.text", { n: made }), t("library.delete")))) return;
    try {
      await study.remove();
      location.hash = "#/study";
    } catch (error) {
      setMessage(failed("library.notdeleted", error));
    }
  };
  return (
    <section aria-labelledby="study-files">
      <h2 id="study-files">{t("study.files")}</h2>
      <div class="row">
        <Button kind="quiet" data-testid="study-save" onClick={save}>{t("study.save")}</Button>
        <Button kind="quiet" data-testid="study-register" onClick={register}>{t("study.register")}</Button>
        <Button kind="quiet" data-testid="study-delete" disabled={isRunning || isElsewhere} onClick={remove}>
          {t("study.delete")}
        </Button>
      </div>
      <p class="quiet">
        {t("study.registration")} <code class="hash">{plan.id}</code>
      </p>
      <p>
        <a href={`#/library/${encodeURIComponent(`${file.id}.`)}`} data-testid="study-runs">{t("study.runs")}</a>
      </p>
    </section>
  );
}

export function StudyPage({ study, engine }: { study: KeptStudy; engine: Engine }) {
  const [, draw] = useState({});
  const [message, setMessage] = useState<Message>({});
  const [hosts, setHosts] = useState<Hosts>([1, 1]);
  useEffect(() => study.listen(() => draw({})), [study]);
  const { file: { id, title }, plan: { cells, runs }, progress } = study;
  const missing = missingOf(study);
  return (
    <div class="page study">
      <div class="page-head">
        <div>
          <h1>
            <bdi>{title || id}</bdi>
          </h1>
          <p class="lead">{t("study.size", { n: runs.length, cells: number(cells.length) })}</p>
        </div>
        <div class="row">
          {study.file.people
            ? <OpenRoom study={study} engine={engine} hosts={hosts} setMessage={setMessage} />
            : <Go study={study} setMessage={setMessage} />}
          <Bundle study={study} setMessage={setMessage} />
        </div>
      </div>
      <p class="study-state" role="status" data-testid="study-state">{state(study)}</p>
      {study.isOver && <p class="quiet">{t(study.file.people ? "study.bundle.people" : "study.bundle.help")}</p>}
      <Warnings study={study} engine={engine} />
      <Trouble study={study} engine={engine} setMessage={setMessage} />
      {missing.length > 0 && (
        <p class="note" data-testid="study-keyless">
          <span>
            {t("setup.nokey", { list: missing.map(nameOf).join(", ") })}{" "}
            <button class="link" type="button" onClick={() => void keysDialog(allModels(study), t("close"))}>
              {t("halt.key")}
            </button>
          </span>
        </p>
      )}
      <Standing study={study} />
      <Notice message={message} testid="study-message" />
      <Cells study={study} />
      {progress?.used && (
        <p class="quiet" data-testid="study-used">
          {t("study.used", { calls: number(progress.used.calls), cost: money(progress.used.cost, study.currency) })}
        </p>
      )}
      <Outcomes study={study} />
      <Settings study={study} hosts={hosts} setHosts={setHosts} setMessage={setMessage} />
      <Forecast study={study} />
      <Files study={study} engine={engine} setMessage={setMessage} />
    </div>
  );
}
