// What a run says when it cannot go on as it is: a call that fails, a limit, storage; what can be done; and its end.
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { money } from "./costs.js";
import { Button, Icon } from "./elements.tsx";
import { clock, t } from "./i18n.js";
import { asksIn, type Behind, inspectAsks } from "./inspector.tsx";
import { NumberInput } from "./inputs.tsx";
import type { TypedNumber } from "./answer/number-field.tsx";
import { keysDialog } from "./key-fields.tsx";
import { baseUrl, endpoints, originOf } from "./keys.js";
import { ExportMenu } from "./library/exports.tsx";
import { allows } from "./origins.js";
import { outcomeSentence } from "./outcome.js";
import type { Failure, Halt, OpenAsk, StorageTrouble } from "./pkg/quorate.js";
import { agreementOf } from "./results/agreement.ts";
import { keeps, state as vaultState } from "./vault.js";
import type { Lab } from "./view-types.ts";

/** What the inspector may show besides: requests as far as the role may see them, costs for the owner. */
export const behind = (lab: Lab): Behind => ({ asked: (ask) => lab.session.asked(ask, lab.role),
  ...(lab.role === "owner" && { costs: () => lab.session.costs() }) });

const Banner = (
  { kind, text, detail, children }: { kind?: "bad"; text: ComponentChildren; detail?: ComponentChildren;
    children: ComponentChildren },
) => (
  <div class={kind ? `banner ${kind}` : "banner"} data-testid="banner">
    <Icon name="warn" />
    <div>
      <p class="banner-text">{text}</p>
      {detail}
      <div class="row">{children}</div>
    </div>
  </div>
);

/** Why the run halts. */
export const HaltBanner = ({ lab, halt }: { lab: Lab; halt: Halt }) =>
  halt.because === "call_failed"
    ? <CallBanner lab={lab} ask={halt.ask} failure={halt.failure} />
    : "limit" in halt && <LimitBanner lab={lab} halt={halt} />;

/** A call that fails while the run goes on: since when, and whether it is retried automatically. */
export function TroubleBanner({ lab, ask: { id, trouble } }: { lab: Lab; ask: OpenAsk }) {
  const { since, until, failure } = trouble!;
  return (
    <CallBanner lab={lab} ask={id} failure={failure}>
      <p data-testid="trouble">
        {t(until === null ? "trouble.held" : "trouble.again", { since: clock(since), until: clock(until ?? since) })}
      </p>
    </CallBanner>
  );
}

async function enterKeys(lab: Lab) {
  if (await keysDialog(lab.session.config, t("halt.tryagain"), "halt-again")) lab.go();
}
async function unlock(lab: Lab) {
  const { unlockDialog } = await import("./models/vault-panel.tsx");
  if (await unlockDialog()) lab.go();
}
const allow = async (origin: string) => (await import("./allow-origins.js")).allowOrigins([origin]);

function CallBanner(
  { lab, ask: id, failure, children }: { lab: Lab; ask: string; failure: Failure; children?: ComponentChildren },
) {
  const { config } = lab.session;
  const [ask] = asksIn(lab.view, [id]);
  const agent = (config.agents ?? []).find((one) => one?.name === ask?.seat);
  const origin: string | null = originOf(baseUrl(agent, config.protocol ?? undefined) ?? "");
  const isBlocked = failure.kind === "unreachable" && origin && !allows(origin);
  const isLocked = failure.kind === "key" && vaultState() === "locked" && (!origin || keeps(origin));
  const needsKey = ["key", "quota", "unavailable"].includes(failure.kind) && endpoints(config).size > 0;
  const text = isLocked
    ? t("halt.locked")
    : isBlocked
    ? t("halt.blocked", { origin })
    : t(failure.kind === "key" && !failure.status ? "failure.nokey" : `failure.${failure.kind}`)
      + (failure.status ? ` (${failure.status})` : "");
  const detail = (
    <>
      {children}
      <p class="quiet">
        {ask ? `${ask.seat} · ${t(`kind_of_ask.${ask.kind}`)}: ` : ""}
        <span lang="en">{failure.message}</span>
      </p>
    </>
  );
  const primary = { kind: "primary" as const };
  return (
    <Banner kind="bad" text={text} detail={detail}>
      {isLocked && (
        <Button kind="primary" data-testid="halt-unlock" onClick={() => unlock(lab)}>{t("vault.unlock")}</Button>
      )}
      {isBlocked && (
        <Button kind="primary" data-testid="halt-allow" onClick={() => allow(origin)}>{t("allow.do")}</Button>
      )}
      {needsKey && (
        <Button {...(!isLocked && primary)} data-testid="halt-key" onClick={() => enterKeys(lab)}>
          {t("halt.key")}
        </Button>
      )}
      <Button {...(!needsKey && !isBlocked && primary)} icon="play" data-testid="halt-resume" onClick={() => lab.go()}>
        {t("run.resume")}
      </Button>
      {ask && <Button onClick={() => inspectAsks([ask], lab.view, behind(lab))}>{t("details")}</Button>}
    </Banner>
  );
}

const CAPS = { max_calls: "maxCalls", max_tokens: "maxTokens", max_cost: "maxCost" } as const;

function LimitBanner({ lab, halt }: { lab: Lab; halt: Extract<Halt, { limit: number }> }) {
  const { because, limit } = halt;
  const { session } = lab;
  const inMoney = because === "max_cost";
  const twice = inMoney ? limit * 2 : Math.round(limit * 2);
  const next = useRef<TypedNumber>(twice);
  const raise = () => {
    if (typeof next.current !== "number") return document.getElementById("cap")!.focus();
    const caps = lab.view.caps;
    const others = Object.entries(CAPS).map(([key, name]) => [name, caps?.[key as keyof typeof CAPS] ?? undefined]);
    session.limit({ ...Object.fromEntries(others), [CAPS[because]]: next.current });
    lab.go();
  };
  const shown = inMoney ? money(limit, session.config.prices?.currency) : limit;
  return (
    <Banner kind="bad" text={t(`halt.${because}`, { limit: shown })}>
      <label class="inline">
        {t("halt.newcap")}
        <NumberInput id="cap" isWhole={!inMoney} value={twice} onChange={(value) => (next.current = value)}
          data-testid="cap" />
      </label>
      <Button kind="primary" data-testid="raise" onClick={raise}>{t("halt.raise")}</Button>
    </Banner>
  );
}

export const StorageBanner = ({ lab, storage: { state, message } }: { lab: Lab; storage: StorageTrouble }) => (
  <Banner kind="bad" text={t(`storage.${state}`)} detail={<p class="quiet" lang="en">{message}</p>}>
    {!["silent", "elsewhere"].includes(state) && (
      <Button data-testid="store-again" onClick={() => lab.session.storeAgain()}>{t("storage.again")}</Button>
    )}
    <ExportMenu of={lab} />
  </Banner>
);

const Replay = ({ lab }: { lab: Lab }) => (
  <a class="button" href={`#/replay/${lab.session.id}`}>{t("library.replay")}</a>
);

export const StoppedBanner = ({ lab }: { lab: Lab }) => (
  <Banner text={t("stopped")}>
    <ExportMenu of={lab} />
    <Replay lab={lab} />
  </Banner>
);

/** Green and a tick only where the group did not disagree. */
export const EndedBanner = ({ lab }: { lab: Lab }) => (
  <div class={agreementOf(lab.view) === false ? "banner" : "banner good"} data-testid="ended">
    {agreementOf(lab.view) !== false && <Icon name="check" />}
    <div>
      <p class="banner-text" data-testid="outcome">{outcomeSentence(lab.view)}</p>
      <div class="row">
        <a class="button button-primary" href={`#/results/${lab.session.id}`}>{t("run.results")}</a>
        <Replay lab={lab} />
      </div>
    </div>
  </div>
);

/** Why a record of another version cannot go on here, and what can be done with it. */
export function ForeignNote({ lab }: { lab: Lab }) {
  if (!lab.session.onlyFor) return null;
  return (
    <div class="banner" data-testid="foreign">
      <div>
        <p class="banner-text">{t("foreign", { engine: lab.session.onlyFor })}</p>
        <div class="row">
          <ExportMenu of={lab} />
          <Replay lab={lab} />
        </div>
      </div>
    </div>
  );
}
