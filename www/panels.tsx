// The side panels of a run: its steps, and the participants with what is known of them and their activity.
import { PersonBlocks } from "./block-item.tsx";
import { openDialog } from "./dialog.tsx";
import { Button } from "./elements.tsx";
import { t } from "./i18n.js";
import { asksIn, type Behind, inspectAsks } from "./inspector.tsx";
import { Avatar, KindTag, Name } from "./participants.tsx";
import type { Status, StepView } from "./pkg/quorate.js";
import type { Participant, View } from "./view-types.ts";
import { activity, isOver, isSecret } from "./view.js";

/** What a step is called. */
export function stepName({ kinds, round, extended, step }: StepView) {
  if (extended) return t("debate.extended");
  if (kinds) return kinds.map((kind) => t(`debate.kind.${kind}`)).join(", ");
  return step === "round" ? t("round", { n: round }) : t(`step.${step}`, { n: round });
}
/** The same, with the number of a debate's round. */
const stepLabel = (step: StepView) => step.kinds ? `${step.round} · ${stepName(step)}` : stepName(step);

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

/** Whether notes of participants are shown: to the owner, if a model writes any. */
const showsMemory = ({ role, people }: View) =>
  role === "owner" && [...people.values()].some(({ kind }) => kind === "model");

/** What is shown of a participant besides name and kind; sections only in the details. */
const Shown = ({ person: { name, blocks }, isWhole }: { person: Participant; isWhole: boolean }) => (
  <PersonBlocks name={name} blocks={blocks.filter((one) =>
    one.block !== "section" || (isWhole && one.blocks.length > 0)
  )} />
);

function Card(
  { person, view, status, onOpen }: { person: Participant; view: View; status: Status | undefined;
    onOpen: (name: string) => void },
) {
  const { name } = person;
  const doing: string | null = activity(view, name);
  const waits = waitingFor(view, status, name);
  const open = person.memory !== undefined && showsMemory(view) ? "person.open" : "person.about";
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
        <Shown person={person} isWhole={false} />
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

/** Opens the details of one participant. */
export function openPerson(view: View, name: string, behind: Behind) {
  const onAsks = (ids: string[]) => void inspectAsks(asksIn(view, ids), view, behind);
  return openDialog(name, () => <PersonDetails view={view} person={view.people.get(name)!} onAsks={onAsks} />, {
    wide: true,
    testid: "person",
  });
}

/** The details of one participant. `onAsks(ids)` opens the requests behind what is shown. */
function PersonDetails(
  { view, person, onAsks }: { view: View; person: Participant; onAsks: (ids: string[]) => void },
) {
  const { memory, memoryAsk } = person;
  const asks = [...view.asks.values()].filter((ask) => ask.seat === person.name).map((ask) => ask.id);
  return (
    <div class="person-details">
      <p class="row">
        <Avatar person={person} />
        <KindTag kind={person.kind} />
        {person.model && <code>{person.model}</code>}
      </p>
      {person.personality && <p class="quiet">{person.personality}</p>}
      {asks.length > 0 && (
        <p>
          <Button kind="quiet" onClick={() => onAsks(asks)}>{t("person.asks", { n: asks.length })}</Button>
        </p>
      )}
      <Shown person={person} isWhole />
      {memory !== undefined && showsMemory(view) && (
        <>
          <h3>{t("memory")}</h3>
          <div class="memory pre" tabIndex={0} role="region" aria-label={t("memory")} data-testid="memory">
            {memory || <span class="quiet">{t("memory.empty")}</span>}
          </div>
          {memoryAsk && (
            <p>
              <Button kind="quiet" onClick={() => onAsks([memoryAsk])}>{t("memory.details")}</Button>
            </p>
          )}
        </>
      )}
    </div>
  );
}
