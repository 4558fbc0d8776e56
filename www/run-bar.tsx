// The bar at the top of a run: controls, state and figures.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { costText } from "./costs.js";
import { Button } from "./elements.tsx";
import { number, span, t } from "./i18n.js";
import { Select } from "./inputs.tsx";
import { progressOf } from "./progress.js";
import type { Engine, Lab } from "./view-types.ts";

/** Returns whether the protocol itself halted: the floor then shows what it needs. */
export const isResting = ({ status }: Lab) => status.state === "halted" && status.halt.because === "rests";

/** Hosts that ask for a pause, until when, and how many calls are delayed. */
export function pausesOf(lab: Lab) {
  const all: { origin: string; until?: number }[] = lab.status.state === "running" ? [...lab.waits.values()] : [];
  const hosts = Map.groupBy(all, ({ origin }) => new URL(origin).host);
  return [...hosts].map(([host, here]) => ({ host, until: Math.max(...here.map(({ until = 0 }) => until)),
    n: here.length })
  ).filter(({ until }) => until > lab.session.now());
}

/** The link to the projector view. */
export const PresentLink = ({ id }: { id: string }) => (
  <a class="button button-quiet" href={`#/present/${encodeURIComponent(id)}`} data-testid="present">{t("present")}</a>
);

/** Delayed providers with number of calls and time. The run announces them once. */
function Waits({ lab }: { lab: Lab }) {
  const pauses = pausesOf(lab).map(({ host, until, n }) =>
    t("run.waits", { host, time: span(Math.ceil((until - lab.session.now()) / 1000) * 1000), n })
  );
  return <p class="waits" role="timer" data-testid="waits" hidden={!pauses.length}>{pauses.join(" · ")}</p>;
}

/** The pace of what participants say; those that are not simulated have their own. */
function Pace({ lab, engine, isHidden }: { lab: Lab; engine: Engine; isHidden: boolean }) {
  const hasScripted = [...lab.view.people.values()].some(({ kind }) => kind === "scripted");
  return (
    <label class="pace" hidden={isHidden}>
      <span>{t("run.pace")}</span>
      <Select value={engine.paceName()} options={hasScripted ? Object.keys(engine.PACES) : ["calm", "aloud"]}
        name={(name) => t(`pace.${name}`)} onPick={(name) => engine.setPace(name)} data-testid="pace" />
    </label>
  );
}

/** Returns when the run began. In a branch: its first message, since a replaced answer keeps the original's time. */
function beginningOf(lab: Lab) {
  const fork = lab.view.head?.forked_from;
  const opened = lab.session.now();
  let own: number | null = null;
  return (isRunning: boolean) => {
    if (!fork) return lab.view.startedAt;
    own ??= lab.session.entries().slice(fork.seq).find(({ at }, _, [first]) => at > first!.at)?.at ?? null;
    return own ?? (isRunning ? opened : lab.view.startedAt);
  };
}

/** The cost so far. It is counted from the record, so at most once per finished call. */
function useCost(lab: Lab) {
  const counted = useRef<{ settled: number | undefined; text: string }>({ settled: -1, text: "" });
  if (lab.role === "owner" && counted.current.settled !== lab.view.settled) {
    const { run, currency } = lab.session.costs();
    counted.current = { settled: lab.view.settled, text: costText(run, currency ?? undefined) };
  }
  return counted.current.text;
}

const Figure = (
  { name, value, testid, isHidden }: { name: string; value: string; testid: string; isHidden?: boolean },
) => (
  <div hidden={isHidden}>
    <dt>{name}</dt>
    <dd data-testid={testid}>{value}</dd>
  </div>
);

const Cost = ({ lab }: { lab: Lab }) => <Figure name={t("run.cost")} value={useCost(lab)} testid="cost" />;

function Figures({ lab, begun, left }: { lab: Lab; begun: (isRunning: boolean) => number | null; left: string }) {
  const { usage, view, session, status } = lab;
  const total = usage.inputTokens + usage.outputTokens;
  const isRunning = status.state === "running" && lab.running;
  const since = view.startedAt ? begun(isRunning) : null;
  const now = isRunning ? session.now() : view.lastAt;
  // A record that is only shown has no current figures.
  const hasModels = [...view.people.values()].some(({ kind }) => kind === "model");
  return (
    <dl class="figures" hidden={lab.role !== "owner" || Boolean(session.onlyFor)}>
      <Figure name={t("run.calls")} value={number(usage.calls)} testid="calls" isHidden={!hasModels} />
      <Figure name={t("run.tokens")} testid="tokens" isHidden={!hasModels}
        value={(usage.estimated ? "≈ " : "") + number(total, { notation: total > 9999 ? "compact" : "standard" })} />
      {hasModels && <Cost lab={lab} />}
      <Figure name={t("run.elapsed")} value={span(since === null ? null : Math.max(0, now! - since))}
        testid="elapsed" />
      <Figure name={t("run.left")} value={left} testid="left" isHidden={status.state === "ended"} />
    </dl>
  );
}

export function RunBar({ lab, engine }: { lab: Lab; engine: Engine }) {
  const { session, status, view } = lab;
  const { state } = status;
  const [begun] = useState(() => beginningOf(lab));
  const [ahead] = useState(() => progressOf(lab));
  const [, tick] = useState(0);
  useEffect(() => {
    const clock = setInterval(() => tick((n) => n + 1), 1000);
    return () => clearInterval(clock);
  }, []);
  const place = useRef<HTMLDivElement>(null);
  /** The control that had the focus last; a browser drops the focus of one that is hidden. */
  const last = useRef<HTMLElement | null>(null);
  useLayoutEffect(() => {
    const { activeElement } = document;
    if (!last.current?.hidden || ![document.body, last.current].includes(activeElement as HTMLElement)) return;
    const next = ["resume", "pause", "results"].map((one) =>
      place.current!.querySelector<HTMLElement>(`[data-testid=${one}]:not([hidden])`)
    );
    next.find((one) => one !== null)?.focus();
  });

  const isGoing = state === "running" && lab.running;
  const isOpening = state === "running" && !lab.running;
  const canResume = !session.onlyFor && !isResting(lab)
    && (isOpening || ["paused", "halted", "stopped"].includes(state));
  const doStep = () => {
    session.step();
    if (!lab.running) lab.run();
  };
  const resume = (
    <Button key="resume" kind="primary" icon="play" data-testid="resume" hidden={!canResume} onClick={() => lab.go()}>
      {t("run.resume")}
    </Button>
  );
  const results = (
    <a key="results" class="button button-primary" href={`#/results/${session.id}`} data-testid="results"
      hidden={state !== "ended"}>
      {t("run.results")}
    </a>
  );
  const steps = (
    <>
      <Button icon="pause" data-testid="pause" hidden={!isGoing} onClick={() => session.pause()}>
        {t("run.pause")}
      </Button>
      <Button icon="step" data-testid="step" hidden={state !== "paused"} title={t("run.step.help")} onClick={doStep}>
        {t("run.step")}
      </Button>
      <Button icon="stop" data-testid="stop" hidden={!(isGoing || state === "paused" || state === "halted")}
        onClick={() => session.stop()}>
        {t("run.stop")}
      </Button>
    </>
  );
  const further = (
    <>
      <Pace lab={lab} engine={engine} isHidden={state === "ended" || Boolean(session.onlyFor)} />
      <PresentLink id={session.id} />
    </>
  );
  const now = (
    <p class="state" data-testid="state" data-state={state} data-rests={isResting(lab) ? "" : undefined}>
      {t(isOpening ? "state.opening" : `state.${state}`)}
    </p>
  );
  const figures = <Figures lab={lab} begun={begun} left={isGoing ? ahead.left() : "–"} />;
  const group = { class: "run-controls", role: "group" as const, "aria-label": t("run.controls") };
  // Participants see the progress; calls and tokens are for the owner, folded.
  const withPeople = [...view.people.values()].some(({ kind }) => kind === "human");
  return (
    <div ref={place} class="run-bar" onFocusIn={({ target }) => (last.current = target as HTMLElement)}
      onFocusOut={({ relatedTarget }) => relatedTarget && (last.current = null)}>
      <div class="run-bar-in">
        {withPeople
          ? (
            <>
              <div {...group}>{resume}{results}</div>
              {now}
              <details class="run-owner" data-testid="owner">
                <summary>{t("run.owner")}</summary>
                <div {...group}>{steps}{further}</div>
                {figures}
              </details>
            </>
          )
          : (
            <>
              <div {...group}>{resume}{steps}{results}{further}</div>
              {now}
              {figures}
            </>
          )}
      </div>
      <Waits lab={lab} />
      <progress max={100} aria-label={t("run.progress")} value={state === "ended" ? 100 : 100 * ahead.share()} />
    </div>
  );
}
