// The side panels of a run: its steps, and the participants with bank, memory and activity.
import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { roleTag } from "./chat.js";
import { roleOf } from "./debate/role.js";
import { Button, Made } from "./elements.tsx";
import { badge } from "./explain.js";
import { dollars, t } from "./i18n.js";
import { MOMENTS } from "./justice.js";
import { Avatar, KindTag, Name, orderOf, principleName } from "./participants.tsx";
import type { DebaterView, Status, StepView } from "./pkg/quorate.js";
import type { Participant, View } from "./view-types.ts";
import { activity, isOver, isSecret } from "./view.js";

/** The name of a step. */
export function stepLabel({ kinds, round, extended, step }: StepView) {
  if (!kinds) return step === "round" ? t("round", { n: round }) : t(`step.${step}`);
  return `${round} · ${extended ? t("debate.extended") : kinds.map((kind) => t(`debate.kind.${kind}`)).join(", ")}`;
}

/** What happens in the present round. */
const roundStep = (step: StepView, view: View) =>
  step.state === "current" && step.step === "round" && view.roundStep && t(`step.${view.roundStep}`);

function Step({ step, view, onGo }: { step: StepView; view: View; onGo: (key: string) => void }) {
  const { key, state, phase, finished, of } = step;
  const now = roundStep(step, view);
  return (
    <li class={`step step-${state}`} aria-current={state === "current" ? "step" : undefined}>
      <button type="button" data-key={key} disabled={state === "coming" || state === "skipped"}
        onClick={() => onGo(key)}>
        <span class="step-mark" aria-hidden="true" />
        <span>
          {stepLabel(step)}
          {now && <small>{now}</small>}
          {phase === 1 && state !== "done" && finished! > 0 && <small>{t("step.count", { n: finished, of })}</small>}
          <span class="sr-only">{` ${t(`step.state.${state}`)}`}</span>
        </span>
      </button>
    </li>
  );
}

/** The stepper. `onGo(key)` is called when a step is chosen. */
export function Steps({ view, onGo }: { view: View; onGo: (key: string) => void }) {
  const { steps, head } = view;
  const current = steps.find((step) => step.state === "current");
  const isDebate = Boolean(steps[0]?.kinds);
  const title = (phase: number | null) =>
    phase && !isDebate ? t(`phase${phase}`) : t(head?.protocol === "debate" ? "debate.rounds" : "rounds");
  const now = current
    && [current.phase && !current.kinds && t(`phase${current.phase}`), stepLabel(current), roundStep(current, view)];
  return (
    <nav class="stepper" aria-label={t("steps")}>
      <p class="step-now" data-testid="step-now">{now?.filter(Boolean).join(" · ")}</p>
      <div class="steps-all">
        {[...new Set(steps.map((step) => step.phase))].map((phase) => (
          <section key={phase}>
            <h2>{title(phase)}</h2>
            <ol>
              {steps.filter((step) => step.phase === phase).map((step) => (
                <Step key={step.key} step={step} view={view} onGo={onGo} />
              ))}
            </ol>
          </section>
        ))}
      </div>
    </nav>
  );
}

/**
 * Why a seat's calls are delayed (`limit`, `minute`, `retry`), or null. The run's bar has the countdown. Hidden in a
 * secret ballot.
 */
function waitingFor(view: View, status: Status | undefined, name: string) {
  if (status?.state !== "running") return null;
  const open = status.open.find((ask) =>
    ask.seat === name && ask.waiting && view.asks.has(ask.id) && !isSecret(view, view.asks.get(ask.id))
  );
  return open?.waiting?.why ?? null;
}

/** Activities that do not go on at the moment. */
const STILL = ["queued", "failed", "next", "left", "turn"];

function Doing({ doing }: { doing: string }) {
  return (
    <>
      {t(`activity.${doing}`)}
      {!STILL.includes(doing) && (
        <span class="dots" aria-hidden="true">
          <i />
          <i />
          <i />
        </span>
      )}
    </>
  );
}

/** The role of a participant of a discussion. */
const SpeakerRole = ({ person: { role } }: { person: Participant }) => {
  const tag = useMemo(() => roleTag(role), [role]);
  return tag && <Made as="span" node={tag} />;
};

/** The principle that a participant is for. */
const Favored = ({ id }: { id: string }) => {
  const node = useMemo(() => badge(id, null, false), [id]);
  return <Made as="span" node={node} />;
};

/** What is known of a participant, by procedure. */
function Standing({ person, isDebate }: { person: Participant; isDebate: boolean }) {
  if (person.memory !== undefined) {
    return (
      <>
        <dl>
          <div>
            <dt>{t("bank")}</dt>
            <dd>{dollars(person.bank)}</dd>
          </div>
          <div>
            <dt>{t("memory")}</dt>
            <dd>{t("characters", { n: [...person.memory].length })}</dd>
          </div>
        </dl>
        <p class="stands">
          {person.favored && (
            <>
              {t("favors")} <Favored id={person.favored} />
            </>
          )}
        </p>
      </>
    );
  }
  return (
    <p class="stands">
      {isDebate
        ? [roleOf(person as DebaterView), person.edition ? ` · ${t("debate.version", { n: person.edition })}` : ""]
        : person.said !== undefined && (
          <>
            <SpeakerRole person={person} /> {t("contributions", { n: person.said })}
          </>
        )}
    </p>
  );
}

function Card(
  { person, view, status, onOpen }: { person: Participant; view: View; status: Status | undefined;
    onOpen: (name: string) => void },
) {
  const { name } = person;
  const isDebate = view.head?.protocol === "debate";
  const doing: string | null = activity(view, name);
  const waits = waitingFor(view, status, name);
  const open = isDebate ? "debate.person.open" : person.memory !== undefined ? "person.open" : "person.about";
  return (
    <li class="person" data-doing={waits ? "waits" : doing ?? ""}>
      <Avatar person={person} size="small" />
      <div>
        <h3>
          <Name person={person} />
        </h3>
        <p class="doing">
          {!isOver(view)
            && (waits
              ? t(`activity.waits.${waits}`)
              : doing
              ? <Doing doing={doing} />
              : t("activity.none"))}
        </p>
        <Standing person={person} isDebate={isDebate} />
        <Button kind="quiet" aria-label={t(`${open}.of`, { name })} data-testid="person-open"
          onClick={() => onOpen(name)}>
          {t(open)}
        </Button>
      </div>
    </li>
  );
}

/** All participants; `status` of a running session. */
export const People = ({ view, status, onOpen }: { view: View; status?: Status; onOpen: (name: string) => void }) => (
  <div>
    <h2>{t("people")}</h2>
    <ul class="people plain">
      {[...view.people.values()].map((person) => (
        <Card key={person.name} person={person} view={view} status={status} onOpen={onOpen} />
      ))}
    </ul>
  </div>
);

/** `onAsks(ids)` opens the requests behind what is shown. */
interface Details {
  view: View;
  person: Participant;
  onAsks: (ids: string[]) => void;
}

const Fact = ({ name, children }: { name: string; children: ComponentChildren }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

/** The details of one participant. */
export function PersonDetails({ view, person, onAsks }: Details) {
  const isDebate = view.head?.protocol === "debate";
  return (
    <div class="person-details">
      <p class="row">
        <Avatar person={person} />
        <KindTag kind={person.kind} />
        {person.model && <code>{person.model}</code>}
      </p>
      {isDebate && <p>{roleOf(person as DebaterView)}</p>}
      {person.personality && <p class="quiet">{person.personality}</p>}
      {isDebate
        ? <Versions view={view} person={person} onAsks={onAsks} />
        : (
          <>
            {person.said !== undefined && (
              <dl class="facts">
                {person.role && (
                  <Fact name={t("seat.role")}>
                    <SpeakerRole person={person} />
                  </Fact>
                )}
                <Fact name={t("chat.said")}>{t("contributions", { n: person.said })}</Fact>
              </dl>
            )}
            {person.manipulator && (
              <p>
                {person.target
                  ? t("target", { name: person.name, principle: principleName(person.target) })
                  : t("person.manipulator")}
              </p>
            )}
            {person.memory !== undefined && <MemoryAndRankings person={person} onAsks={onAsks} />}
          </>
        )}
    </div>
  );
}

function MemoryAndRankings({ person: { bank, memory = "", memoryAsk, rankings = {} }, onAsks }: Omit<Details, "view">) {
  return (
    <>
      <dl class="facts">
        <Fact name={t("bank")}>{dollars(bank)}</Fact>
        <Fact name={t("memory")}>{t("characters", { n: [...memory].length })}</Fact>
      </dl>
      <h3>{t("memory")}</h3>
      <div class="memory pre" tabIndex={0} role="region" aria-label={t("memory")} data-testid="memory">
        {memory || <span class="quiet">{t("memory.empty")}</span>}
      </div>
      {memoryAsk && (
        <p>
          <Button kind="quiet" onClick={() => onAsks([memoryAsk])}>{t("memory.details")}</Button>
        </p>
      )}
      <h3>{t("rankings")}</h3>
      <dl class="facts">
        {MOMENTS.filter((moment) => moment in rankings).map((moment) => {
          const ranking = rankings[moment] ?? null;
          return (
            <Fact name={t(`moment.${moment}`)}>
              <Made node={orderOf(ranking)} />
              {ranking?.certainty && <span class="quiet">{t(`certainty.${ranking.certainty}`)}</span>}
            </Fact>
          );
        })}
      </dl>
    </>
  );
}

/** The versions of a debater's proposal. */
function Versions({ view, person, onAsks }: Details) {
  const asks = [...view.asks.values()].filter((ask) => ask.seat === person.name).map((ask) => ask.id);
  return (
    <>
      {asks.length > 0 && (
        <p>
          <Button kind="quiet" onClick={() => onAsks(asks)}>{t("debate.person.asks", { n: asks.length })}</Button>
        </p>
      )}
      {person.versions!.map(({ version, round, text }) => (
        <details>
          <summary>
            {t("debate.version", { n: version })}
            <span class="quiet">{` · ${t("round", { n: round })}`}</span>
          </summary>
          <div class="pre">{text}</div>
        </details>
      ))}
    </>
  );
}
