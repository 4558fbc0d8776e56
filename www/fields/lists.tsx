// Controls for settings that are lists: sources, what happens with a result, the rounds of a debate.
import type { RefObject } from "preact";
import { useRef, useState } from "preact/hooks";
import type { TypedNumber } from "../answer/number-field.tsx";
import { Button } from "../elements.tsx";
import { read, wordsAt } from "../fields.js";
import { has, t } from "../i18n.js";
import { type Control, type ControlProps, linesOf, NumberHere, setter, TypedText } from "./controls.tsx";
import { moveIn, Movers } from "../movers.tsx";
import { useFocus } from "./focus.ts";

const TickBox = (
  { word, checked, onChange, testid, attributes }: { word: string; checked: boolean;
    onChange: (isChecked: boolean) => void; testid?: string; attributes?: ControlProps["attributes"] },
) => (
  <label class="tickbox">
    <input type="checkbox" checked={checked} data-testid={testid} {...attributes}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)} />
    <span>{word}</span>
  </label>
);

type Source = { kind?: string; url?: string };
/** The default: a debate searches the stores of this browser; an empty list searches nothing. */
const USUAL_SOURCES: Source[] = [{ kind: "debates" }, { kind: "knowledge" }];
const listAt = (config: ControlProps["form"]["config"], path: string) => {
  const given = read(config, path);
  return Array.isArray(given) ? given : null;
};

/** Checkboxes for the stores of this browser, and feeds by address; other entries of the list are kept. */
function Sources({ path, form, attributes }: ControlProps) {
  const [first] = useState<Source[]>(() => listAt(form.config, path) ?? USUAL_SOURCES);
  const now: Source[] = listAt(form.config, path) ?? USUAL_SOURCES;
  const has = (kind: string) => now.some((one) => one?.kind === kind);
  const feeds = now.filter((one) => one?.kind === "feed").map((one) => one.url!);
  const others = now.filter((one) => !["knowledge", "debates", "feed"].includes(one?.kind ?? ""));
  /** With what else it held at first. */
  const source = (kind: string, url?: string): Source => ({
    ...first.find((one) => one?.kind === kind && (!url || one.url === url)),
    kind,
    ...url && { url },
  });
  const save = (stores: string[], urls: string[]) => {
    const all = [...stores.map((kind) => source(kind)), ...urls.map((url) => source("feed", url)), ...others];
    setter(path, form)(JSON.stringify(all) === JSON.stringify(USUAL_SOURCES) ? undefined : all);
  };
  const stores = ["debates", "knowledge"];
  const feedsId = `${attributes.id}-feeds`;
  return (
    <div class="stack">
      {stores.map((kind, at) => (
        <TickBox key={kind} word={t(`sources.${kind}`)} checked={has(kind)} testid={`source-${kind}`}
          onChange={(isChecked) => save(stores.filter((one) => (one === kind ? isChecked : has(one))), feeds)}
          {...at === 0 && { attributes }} />
      ))}
      <label for={feedsId}>{t("sources.feeds")}</label>
      <TypedText value={feeds} write={(urls) => urls.join("\n")} read={linesOf}
        onValue={(urls) => save(stores.filter(has), urls as string[])}
        attributes={{ id: feedsId, rows: 2, spellcheck: false, "data-testid": "source-feeds",
          placeholder: "https://example.org/feed.xml" }} />
    </div>
  );
}

type Rule = { do?: string; url?: string; when?: { consensus?: boolean; min_confidence?: unknown } };
const TICKED = ["broadcast", "download", "notify"];
const CONSENSUS: { [when: string]: boolean | undefined } = { always: undefined, with: true, without: false };

/** The simple rules for the result, with one condition for all; rules that refer to other windows are kept. */
function After({ path, form, attributes }: ControlProps) {
  const all: Rule[] = listAt(form.config, path) ?? [];
  const isSimple = (rule: Rule) => [...TICKED, "webhook"].includes(rule?.do ?? "");
  const has = (what: string) => all.some((rule) => rule?.do === what);
  const hooks = all.filter((rule) => rule?.do === "webhook").map(({ url }) => url!);
  /** The condition may be set before there is a rule; `share` in percent. */
  const [{ consensus, share }, setCondition] = useState((): { consensus: boolean | undefined; share: TypedNumber } => {
    const { consensus, min_confidence: least } = all.find((rule) => isSimple(rule) && rule.when)?.when ?? {};
    return { consensus, share: least === undefined ? undefined : Math.round(Number(least) * 100) };
  });
  const save = ({ ticked = TICKED.filter(has), urls = hooks, condition = { consensus, share } }) => {
    const when = { ...condition.consensus !== undefined && { consensus: condition.consensus },
      ...condition.share !== undefined
        && { min_confidence: typeof condition.share === "number" ? condition.share / 100 : condition.share } };
    const rule = (what: string, more = {}): Rule => ({ do: what, ...more,
      ...Object.keys(when).length > 0 && { when } });
    const rules = [...ticked.map((what) => rule(what)), ...urls.map((url) => rule("webhook", { url })),
      ...all.filter((one) => !isSimple(one))];
    setCondition(condition);
    setter(path, form)(rules.length ? rules : undefined);
  };
  const tick = (what: string, isTicked: boolean) => {
    // Browsers ask for permission only after a press, and there is none later.
    if (what === "notify" && isTicked && globalThis.Notification?.permission === "default") {
      void Notification.requestPermission();
    }
    save({ ticked: TICKED.filter((one) => (one === what ? isTicked : has(one))) });
  };
  const id = (name: string) => `${attributes.id}-${name}`;
  return (
    <div class="stack">
      {TICKED.map((what, at) => (
        <TickBox key={what} word={t(`after.${what}`)} checked={has(what)} testid={`after-${what}`}
          onChange={(isTicked) => tick(what, isTicked)} {...at === 0 && { attributes }} />
      ))}
      <label for={id("hook")}>{t("after.webhook")}</label>
      <TypedText value={hooks} write={(urls) => urls.join("\n")} read={linesOf}
        onValue={(urls) => save({ urls: urls as string[] })}
        attributes={{ id: id("hook"), rows: 2, spellcheck: false, "data-testid": "after-webhook",
          placeholder: "https://example.org/results" }} />
      <div class="fields">
        <div class="field">
          <label for={id("when")}>{t("after.when")}</label>
          <select id={id("when")} data-testid="after-when"
            value={Object.keys(CONSENSUS).find((when) => CONSENSUS[when] === consensus)}
            onChange={({ currentTarget }) => save({ condition: { consensus: CONSENSUS[currentTarget.value], share } })}>
            {Object.keys(CONSENSUS).map((when) => <option key={when} value={when}>{t(`after.when.${when}`)}</option>)}
          </select>
        </div>
        <div class="field">
          <label for={id("sure")}>{t("after.sure")}</label>
          <NumberHere value={share} onValue={(typed) => save({ condition: { consensus, share: typed } })}
            attributes={{ id: id("sure"), "data-testid": "after-sure" }} />
        </div>
      </div>
    </div>
  );
}

const USUAL_ROUNDS = ["context", "propose", "critique", "revise", "vote", "judge"];

interface Round {
  kind?: string;
  number?: number;
  converge?: boolean;
}
/** Kinds of rounds that may be repeated until the proposals converge. */
const canConverge = (kind?: string) => kind === "revise" || kind === "refine";

/** One of the two known schedules, or a custom list of rounds. */
function Schedule({ path, form, attributes }: ControlProps) {
  const set = setter(path, form);
  const given = read(form.config, path);
  const rounds: Round[] | null = Array.isArray(given) ? given : null;
  const schedules: { [name: string]: () => unknown } = { nine_rounds: () => undefined, classic: () => "classic",
    own: () => USUAL_ROUNDS.map((kind) => ({ kind })) };
  const place = useRef<HTMLDivElement>(null);
  return (
    <div class="stack" ref={place}>
      <select {...attributes} aria-label={t("field.schedule")} data-testid="schedule"
        value={rounds ? "own" : given ?? "nine_rounds"}
        onChange={({ currentTarget }) => set(schedules[currentTarget.value]!())}>
        {Object.keys(schedules).map((name) => <option key={name} value={name}>{t(`option.schedule.${name}`)}</option>)}
      </select>
      {rounds && (
        <Rounds rounds={rounds} kinds={wordsAt(form.config, `${path}.kind`)} id={attributes.id} place={place}
          faultsAt={(at) => form.faultsAt(`${path}.${at}`)} changed={() => set(rounds)} />
      )}
    </div>
  );
}

function Rounds(
  { rounds, kinds, id, place, faultsAt, changed }: { rounds: Round[]; kinds: string[]; id: string;
    place: RefObject<HTMLDivElement>; faultsAt: (at: number) => string[]; changed: () => void },
) {
  const focus = useFocus(place);
  const [moved, setMoved] = useState("");
  const nameOf = (kind?: string) => (has(`debate.kind.${kind}`) ? t(`debate.kind.${kind}`) : String(kind));
  const row = (at: number) => `li:nth-child(${at + 1})`;
  const renumber = () => {
    // Explicit numbers would no longer be consecutive.
    for (const round of rounds) delete round.number;
    changed();
  };
  const move = (at: number, to: number, which: string) => {
    moveIn(rounds, at, to);
    focus(`${row(to)} .${which}:enabled`, `${row(to)} select`);
    setMoved(t("human.moved", { what: nameOf(rounds[to]!.kind), n: to + 1 }));
    renumber();
  };
  const remove = (at: number) => {
    rounds.splice(at, 1);
    focus("[data-testid=schedule-add]");
    renumber();
  };
  const change = (round: Round, kind: string) => {
    round.kind = kind;
    if (!canConverge(kind)) delete round.converge;
    changed();
  };
  const converge = (round: Round, isOn: boolean) => {
    if (isOn === (round.kind === "revise")) delete round.converge;
    else round.converge = isOn;
    changed();
  };
  return (
    <>
      <ol class="own-rounds plain">
        {rounds.map((round, at) => {
          const faults = faultsAt(at);
          return (
            <li key={at}>
              <span class="round-number" aria-hidden="true">{String(round?.number ?? at)}</span>
              <select id={`${id}-${at}`} aria-label={t("schedule.round", { n: at + 1 })}
                aria-invalid={faults.length > 0 || undefined} value={round?.kind}
                onChange={({ currentTarget }) => change(round, currentTarget.value)}>
                {[...new Set([...kinds, round?.kind].filter(Boolean))].map((kind) => (
                  <option key={kind} value={kind}>{nameOf(kind)}</option>
                ))}
              </select>
              {canConverge(round?.kind) && (
                <TickBox word={t("schedule.converge")} checked={round.converge ?? round.kind === "revise"}
                  onChange={(isOn) => converge(round, isOn)} />
              )}
              <Movers name={`${at + 1}. ${nameOf(round?.kind)}`} at={at} count={rounds.length} more="movers"
                move={(to, which) => move(at, to, which)} remove={() => remove(at)} />
              <p class="fault">{faults.map((message) => <span>{message}</span>)}</p>
            </li>
          );
        })}
      </ol>
      <p class="sr-only" role="status">{moved}</p>
      <p>
        <Button data-testid="schedule-add" onClick={() => {
          rounds.push({ kind: "revise" });
          focus("li:last-child select");
          changed();
        }}>
          {t("schedule.add")}
        </Button>
      </p>
    </>
  );
}

export const LISTS: { [type: string]: Control } = { sources: Sources, after: After, schedule: Schedule };
