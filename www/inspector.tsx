// The details of an item of the transcript: requests, replies, how they were read; and branching from it.
import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { callFacts } from "./cost-tables.tsx";
import { openDialog } from "./dialog.tsx";
import { Button } from "./elements.tsx";
import { clock, has, number, span, t } from "./i18n.js";
import { Select } from "./inputs.tsx";
import { reasonText } from "./participants.tsx";
import type { Costs, Reply, Request } from "./pkg/quorate.js";
import type { Ask, Engine, View } from "./view-types.ts";
import { isSecret } from "./view.js";

/** What may be shown besides the view. */
export interface Behind {
  /** An ask with its exact question. */
  asked?: (ask: string) => { request: Request } | null;
  /** The costs of calls. */
  costs?: () => Costs | null;
  /** Branches at the answer in entry `seq`, which is asked again or replaced by `answer`. */
  onBranch?: (seq: number, answer: string | null) => void;
}

interface Item {
  asks: string[];
  members?: { asks: string[]; ballots?: string[] }[];
}

/** Ids of all asks of an item, in order. */
export const asksOf = (item: Item) => [
  ...new Set([...item.asks, ...(item.members ?? []).flatMap((one) => [...one.asks, ...(one.ballots ?? [])])]),
];

/** The asks with these ids. */
export const asksIn = (view: View, ids: string[]) =>
  ids.map((id) => view.asks.get(id)).filter((ask) => ask !== undefined);

/** Opens the details of an item. */
export function inspect(item: Item, view: View, behind: Behind) {
  const all = asksIn(view, asksOf(item));
  // The number of asks would reveal a secret vote: only voters for a constraint are asked for an amount.
  const asks = all.filter((ask, at) =>
    !isSecret(view, ask) || all.findIndex((one) => one.seat === ask.seat && isSecret(view, one)) === at
  );
  return inspectAsks(asks, view, behind);
}

/** The same for a list of asks. */
export const inspectAsks = (asks: Ask[], view: View, behind: Behind = {}) =>
  openDialog(t("inspect.title"), (close) => (
    asks.length
      ? <Inspector asks={asks} view={view} behind={behind} close={() => close()} />
      : <p class="quiet">{t("inspect.empty")}</p>
  ), { wide: true, testid: "inspector" });

function Inspector({ asks, view, behind, close }: { asks: Ask[]; view: View; behind: Behind; close: () => void }) {
  const last = asks.findLast((ask) => ask.reply && !isSecret(view, ask)) ?? asks[0]!;
  const [at, setAt] = useState(asks.indexOf(last));
  const [costs] = useState(() => behind.costs?.());
  const ask = asks[at]!;
  const nameOf = ({ seat, kind, attempt }: Ask) =>
    `${seat} · ${t(`kind_of_ask.${kind}`)}${attempt > 1 ? ` · ${t("attempt", { n: attempt })}` : ""}`;
  const branch = behind.onBranch && ((seq: number, answer: string | null) => {
    close();
    behind.onBranch!(seq, answer);
  });
  return (
    <>
      {asks.length > 1 && (
        <label class="stack">
          {t("inspect.which", { n: asks.length })}
          <Select value={String(at)} options={asks.map((_, index) => String(index))} name={(one) =>
            nameOf(asks[Number(one)]!)} onPick={(one) => setAt(Number(one))} data-testid="inspect-ask" />
        </label>
      )}
      <div class="inspect">
        <AskDetails key={ask.id} ask={ask} request={ask.request ?? behind.asked!(ask.id)!.request}
          isSecret={isSecret(view, ask)}
          costs={callFacts(costs?.calls.find((call) => call.ask === ask.id), costs?.currency ?? undefined)}
          close={close} branch={branch} />
      </div>
    </>
  );
}

type Fact = [name: string, value: ComponentChildren];
const Facts = ({ pairs }: { pairs: Fact[] }) => (
  <dl class="facts">
    {pairs.filter(([, value]) => value !== null && value !== undefined && value !== "" && value !== false).map((
      [name, value],
    ) => (
      <div>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);

const Part = ({ title, children }: { title: string; children: ComponentChildren }) => (
  <section class="inspect-block">
    <h3>{title}</h3>
    {children}
  </section>
);
const Raw = ({ text, label }: { text: string; label: string }) => (
  <pre class="raw" tabIndex={0} role="region" aria-label={label}>{text}</pre>
);
const Folded = ({ text, label }: { text: string; label: string }) => (
  <details>
    <summary>{label}</summary>
    <Raw text={text} label={label} />
  </details>
);

function AskDetails({ ask, request, isSecret, costs, close, branch }: {
  ask: Ask;
  request: Request;
  isSecret: boolean;
  costs: Fact[];
  close: () => void;
  branch: Behind["onBranch"];
}) {
  const { reply } = ask;
  const hasTries = ask.fellBack.length > 0 || ask.tries.length > 1
    || ask.tries.some((one) => one.outcome && one.outcome !== "answered");
  return (
    <>
      <Facts
        pairs={[[t("inspect.seat"), ask.seat], [t("inspect.kind"), t(`kind_of_ask.${ask.kind}`)], [t("inspect.round"),
          ask.round && number(ask.round)], [t("inspect.attempt"), ask.attempt > 1 && number(ask.attempt)], [
          t("inspect.id"),
          <code>{ask.id}</code>,
        ]]} />
      <Part title={t("inspect.asked")}>
        <Question ask={ask} request={request} />
      </Part>
      <Part title={t("inspect.answer")}>
        {isSecret
          ? <p class="missing">{t("inspect.secret")}</p>
          : reply
          ? <Answer ask={ask} reply={reply} costs={costs} close={close} />
          : <p class="missing">{t(`inspect.state.${ask.state}`)}</p>}
      </Part>
      {!isSecret && (
        <Part title={t("inspect.read")}>
          <Reading ask={ask} />
        </Part>
      )}
      {hasTries && (
        <Part title={t("inspect.tries")}>
          <Tries ask={ask} costs={reply ? [] : costs} />
        </Part>
      )}
      {branch && reply && ask.repliedSeq !== null && !isSecret && (
        <Branch reply={reply} go={(answer) => branch(ask.repliedSeq!, answer)} />
      )}
    </>
  );
}

const Question = ({ ask: { timeLimits }, request }: { ask: Ask; request: Request }) => (
  <>
    <Folded text={request.system} label={t("inspect.system")} />
    {request.messages.map(({ role, content }) => (
      <div class="message">
        <p class="quiet">{t(`role.${role}`)}</p>
        <Raw text={content} label={t(`role.${role}`)} />
      </div>
    ))}
    {request.schema && <Folded text={JSON.stringify(request.schema, null, 1)} label={t("inspect.schema")} />}
    <Facts
      pairs={[[t("inspect.model"), request.model], [t("inspect.url"), request.base_url], [t("inspect.temperature"),
        request.temperature !== undefined && number(request.temperature)], [t("inspect.max"),
        number(request.max_tokens)], [t("inspect.stop"), request.stop?.length ? JSON.stringify(request.stop) : null], [
        t("inspect.limits"),
        timeLimits.length ? timeLimits.map(span).join(" · ") : t("inspect.nolimit"),
      ]]} />
  </>
);

function Answer({ ask, reply, costs, close }: { ask: Ask; reply: Reply; costs: Fact[]; close: () => void }) {
  const sent = reply.sent_at ?? ask.tries.at(-1)?.sentAt ?? ask.at;
  const used: Fact[] = costs.length && !reply.recorded
    ? costs
    : [[t("inspect.tokens"), reply.usage && t("inspect.inout", { i: reply.usage.input, o: reply.usage.output })]];
  return (
    <>
      {reply.recorded && <SavedNote of={reply.recorded} close={close} />}
      <Raw text={reply.text} label={t("inspect.answer")} />
      {reply.reasoning && <Folded text={reply.reasoning} label={t("inspect.reasoning")} />}
      <Facts
        pairs={[[t("inspect.answeredby"), reply.model], [t("inspect.finish"), reply.finish], [t("inspect.form"),
          reply.answered_as && t(`inspect.form.${reply.answered_as}`)], ...used, [t("inspect.sent"), clock(sent)], [
          t("inspect.first"),
          reply.first_piece_at && reply.sent_at && span(reply.first_piece_at - reply.sent_at),
        ], [t("inspect.took"), span(ask.repliedAt! - sent)]]} />
    </>
  );
}

/** Where a reused answer comes from. */
const SavedNote = ({ of: { session, seq }, close }: { of: { session: string; seq: number }; close: () => void }) => (
  <p class="note" data-testid="recorded-note">
    {t("inspect.recorded")} <a href={`#/replay/${session}`} onClick={close}>{t("inspect.recorded.session")}</a>
    {` · ${t("inspect.recorded.entry", { n: seq })}`}
  </p>
);

/** All attempts, and changes of model between them; `costs` if no answer has them. */
function Tries({ ask: { tries, fellBack }, costs }: { ask: Ask; costs: Fact[] }) {
  const changes = (place: number) =>
    fellBack.filter((one) => one.after === place).map((one) => (
      <li class="change" data-testid="try-fellback">{one.text}</li>
    ));
  return (
    <>
      <ol class="tries">
        {tries.map(({ sentAt, endedAt, outcome, failure }, place) => (
          <>
            {changes(place)}
            <li>
              {sentAt && clock(sentAt)}
              {" · "}
              {outcome ? t(`outcome.${outcome}`) : t("outcome.open")}
              {sentAt && endedAt && ` · ${span(endedAt - sentAt)}`}
              {failure && (
                <p>
                  {t(`failure.${failure.kind}`)}
                  {failure.status ? ` (${failure.status})` : ""}
                  <br />
                  <span class="quiet" lang="en">{failure.message}</span>
                </p>
              )}
              {failure?.body && <Raw text={failure.body} label={t("inspect.body")} />}
            </li>
          </>
        ))}
        {changes(tries.length)}
      </ol>
      {costs.length > 0 && <Facts pairs={costs} />}
    </>
  );
}

function Reading({ ask: { reading, reply } }: { ask: Ask }) {
  if (!reading) return <p class="quiet">{t("inspect.unparsed")}</p>;
  if ("reason" in reading) {
    return (
      <p class="missing">
        {t("inspect.unread")} {reasonText(reading.reason)}
      </p>
    );
  }
  const words = reading.span && reply?.text.slice(...reading.span);
  return (
    <Facts
      pairs={[[t("inspect.value"), <code>{JSON.stringify(reading.value)}</code>], [t("inspect.how"),
        has(`how.${reading.how}`) ? t(`how.${reading.how}`) : <code>{reading.how}</code>], [t("inspect.words"),
        words && <q data-testid="decided">{words}</q>]]} />
  );
}

function Branch({ reply, go }: { reply: Reply; go: (answer: string | null) => void }) {
  const field = useRef<HTMLTextAreaElement>(null);
  return (
    <section class="inspect-block branch">
      <h3>{t("branch.title")}</h3>
      <p class="quiet">{t("branch.text")}</p>
      <details>
        <summary>{t("branch.change")}</summary>
        <label for="branch-answer" class="sr-only">{t("branch.answer")}</label>
        <textarea ref={field} id="branch-answer" rows={4} defaultValue={reply.text} />
        <p class="row">
          <Button kind="primary" data-testid="branch-with" onClick={() => go(field.current!.value)}>
            {t("branch.with")}
          </Button>
        </p>
      </details>
      <p class="row">
        <Button data-testid="branch" onClick={() => go(null)}>{t("branch.again")}</Button>
      </p>
    </section>
  );
}

/** Branches a session at the answer in entry `seq`, and leads to the branch. */
export async function openBranch(engine: Engine, id: string, seq: number, answer: string | null) {
  try {
    location.hash = `#/run/${await engine.branch(id, seq, answer)}`;
  } catch (error) {
    void openDialog(t("branch.failed"), () => <p lang="en">{(error as Error).message}</p>);
  }
}
