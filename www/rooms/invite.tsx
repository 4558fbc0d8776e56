// From a set-up to a room: number of tables, seats, absences, questionnaires before and after, connection service.
// Further settings are edited as YAML.
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { parserFor } from "../configtext.js";
import { openDialog } from "../dialog.tsx";
import { Button } from "../elements.tsx";
import { kindOf } from "../fields.js";
import { has, t } from "../i18n.js";
import { Field, Select } from "../inputs.tsx";
import type { ConfigFault } from "../pkg/quorate.js";
import type { RoomPlan, RoomQuestion, Then } from "../pkg/room.js";
import { chosenService, ConnectionService, originOf, placeOf, type Service } from "./connection-service.tsx";
import { Figure, firstUnchecked, Line, Payment, Questions, ReturnLinks, withoutEmpty } from "./questionnaire.tsx";

/** Seconds until something is done about a guest who does not answer. */
const PATIENCE = 180;
const AWAY = 60;

type Config = NonNullable<RoomPlan["session"]>;
/** What was chosen: `place` as connection-service.tsx gives it. */
export interface Invitation {
  plan: RoomPlan;
  place: ReturnType<typeof placeOf>;
}
/** Resolves with the faults of a plan. */
type Check = (plan: RoomPlan) => ConfigFault[] | Promise<ConfigFault[]>;

/** The number of people among the participants; if there are none, all of them. */
const peopleOf = ({ agents }: Config) =>
  agents?.filter((agent) => kindOf(agent) === "human").length || agents?.length || 1;

/** The default plan of a room, with all parts that are edited. */
const defaultPlan = (config: Config) => ({
  ...(config.title && { title: config.title }),
  ...(config.language && { language: config.language as NonNullable<RoomPlan["language"]> }),
  session: config,
  tables: 12,
  people: peopleOf(config),
  names: "pseudonyms" as RoomPlan["names"],
  start: "hand" as RoomPlan["start"],
  deal: "arrival" as RoomPlan["deal"],
  fill: true,
  absence: { after: AWAY, then: "stand_in" as Then },
  patience: { after: PATIENCE, then: "remind" as Then },
  before: [] as RoomQuestion[],
  comprehension: [] as RoomQuestion[],
  after: [] as RoomQuestion[],
  earned: {} as NonNullable<RoomPlan["earned"]>,
  ways: {} as NonNullable<RoomPlan["ways"]>,
});
type Plan = ReturnType<typeof defaultPlan> & RoomPlan;

/** A part that is folded at first. */
const Part = ({ name, children }: { name: string; children: ComponentChildren }) => (
  <details class="more" data-testid={`part-${name}`}>
    <summary>{t(`invite.${name}`)}</summary>
    {children}
  </details>
);

const Faults = ({ all }: { all: ConfigFault[] }) => (
  <>
    <p>{t("setup.faults", { n: all.length })}</p>
    <ul>
      {all.map(({ path, message }) => (
        <li>
          {has(`invite.${path}`) ? `${t(`invite.${path}`)}: ` : path && [<code>{path}</code>, " "]}
          {message}
        </li>
      ))}
    </ul>
  </>
);

function Invite(
  { config, given, check, close }: { config: Config; given: Partial<RoomPlan>; check: Check;
    close: (result?: Invitation | null) => void },
) {
  const [plan] = useState<Plan>(() => ({ ...defaultPlan(config), ...given }) as Plan);
  const [service] = useState<Service>(chosenService);
  const [faults, setFaults] = useState<ComponentChildren>(null);
  const further = useRef<HTMLTextAreaElement>(null);
  const notice = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (faults) notice.current!.scrollIntoView({ block: "center" });
  }, [faults]);

  const open = async () => {
    let more: unknown = {};
    try {
      const text = further.current!.value;
      more = text.trim() ? await (await parserFor("yaml"))(text) : {};
    } catch (error) {
      return setFaults(<p lang="en">{(error as Error).message}</p>);
    }
    const whole: RoomPlan = { ...withoutEmpty(plan), ...(more && typeof more === "object" ? more : {}) };
    const unchecked = firstUnchecked(whole);
    if (unchecked) return setFaults(<p>{t("ask.right.missing", { n: unchecked })}</p>);
    const place = placeOf(service);
    if (place && !originOf(place.transport)) return setFaults(<p>{t("meeting.wrong")}</p>);
    const found = await check(whole);
    if (found.length) return setFaults(<Faults all={found} />);
    close({ plan: whole, place });
  };

  const figure = (name: "people" | "tables", help: string) => (
    <Field label={t(`invite.${name}`)} help={help}>
      {(attributes) => <Figure of={plan} name={name} isWhole data-testid={`invite-${name}`} {...attributes} />}
    </Field>
  );
  /** A choice for one key of `of`. */
  const choice = <Name extends string>(
    name: string,
    of: { [key in Name]?: unknown },
    key: Name,
    options: string[],
    help?: string,
  ) => (
    <Field label={t(`invite.${name}`)} help={help}>
      {(attributes) => (
        <Select value={String(of[key])} options={options} name={(one) => t(`invite.${key}.${one}`)}
          onPick={(value) => (of[key] = value)} data-testid={`invite-${name}`} {...attributes} />
      )}
    </Field>
  );
  return (
    <>
      <p class="quiet">{t("invite.text")}</p>
      <div class="fields">
        {figure("people", t("invite.people.help", { n: config.agents?.length ?? 1 }))}
        {figure("tables", t("invite.tables.help"))}
        {choice("names", plan, "names", ["pseudonyms", "own"])}
        {choice("start", plan, "start", ["hand", "full"])}
        {choice("deal", plan, "deal", ["arrival", "random", "hand"])}
        {choice("absence", plan.absence, "then", ["wait", "remind", "skip", "stand_in", "end"],
          t("invite.absence.help", { n: AWAY }))}
        {choice("patience", plan.patience, "then", ["wait", "remind", "skip", "stand_in"],
          t("invite.patience.help", { n: PATIENCE }))}
      </div>
      <Part name="arriving">
        <Field label={t("invite.consent")} help={t("invite.consent.help")}>
          {(attributes) => <Line of={plan} name="consent" rows={3} data-testid="invite-consent" {...attributes} />}
        </Field>
        <h3>{t("invite.before")}</h3>
        <Questions list={plan.before} testid="before" />
        <h3>{t("invite.comprehension")}</h3>
        <p class="help">{t("invite.comprehension.help")}</p>
        <Questions list={plan.comprehension} isCheck testid="comprehension" />
        <div class="fields">
          <Field label={t("invite.tries")}>
            {(attributes) => <Figure of={plan} name="tries" isWhole placeholder={3} {...attributes} />}
          </Field>
          <Field label={t("invite.wait")} help={t("invite.wait.help")}>
            {(attributes) => <Figure of={plan} name="wait" isWhole {...attributes} />}
          </Field>
        </div>
      </Part>
      <Part name="after">
        <Questions list={plan.after} testid="after" />
      </Part>
      <Part name="pay">
        <Payment earned={plan.earned} />
      </Part>
      <Part name="ways">
        <ReturnLinks ways={plan.ways} />
      </Part>
      <Part name="meeting">
        <ConnectionService service={service} />
      </Part>
      <Part name="more">
        <Field label={t("invite.more.label")} help={t("invite.more.help")}>
          {(attributes) => (
            <textarea ref={further} rows={6} spellcheck={false} class="code" placeholder={t("invite.more.example")}
              data-testid="invite-more" {...attributes} />
          )}
        </Field>
      </Part>
      <div ref={notice} class="said bad" role="alert">{faults}</div>
      <div class="dialog-foot">
        <div class="row">
          <Button onClick={() => close()}>{t("cancel")}</Button>
          <Button kind="primary" data-testid="invite-open" onClick={open}>{t("invite.open")}</Button>
        </div>
      </div>
    </>
  );
}

/** Asks for the settings of a room for tables of that configuration; resolves with null if it is cancelled. */
export const invite = (config: Config, check: Check, given: Partial<RoomPlan> = {}) =>
  openDialog<Invitation>(t("invite.title"),
    (close) => <Invite config={config} given={given} check={check} close={close} />, { wide: true, testid: "invite" });
