// A lesson in three questions: what, how many, names. The room opens with what fits the lesson.
import { useState } from "preact/hooks";
import { Button, drawing, Icon } from "../elements.tsx";
import { language, number, t } from "../i18n.js";
import { classPresets, loadPresets, localised } from "../home/presets.js";
import { ConnectionPicker, useConnection } from "../rooms/connection-picker.tsx";
import { chosenBroker } from "../rooms/connection-service.tsx";
import { inviteTo, openRoom } from "../rooms/hosted-rooms.js";
import type { RoomPlan } from "../pkg/room.js";
import type { Engine } from "../view-types.ts";
import { AT_TABLE, fitted, minutesOf, partsOf, tablesFor } from "./lesson.js";
import { LessonArt } from "./lesson-art.tsx";

type Config = NonNullable<RoomPlan["session"]>;
interface Preset {
  id: string;
  config: Config;
}
/** Procedures in the order of the cards, with the age that they suit. */
const AGES = { justice: 13, discussion: 10, debate: 14, delphi: 10 };
type What = keyof typeof AGES;
const LESSONS = [25, 45];
const MOST = 200;
/** Tables for pupils who were not counted. */
const SPARE = 2;

/** What was chosen, until the tab is closed. */
interface Lesson {
  what: What;
  people: number;
  names: "pseudonyms" | "own";
  minutes: number;
  title: string;
}
const STORE = "quorate.lesson";
function stored(): Lesson {
  const usual: Lesson = { what: "justice", people: 23, names: "pseudonyms", minutes: 45, title: "" };
  try {
    return { ...usual, ...JSON.parse(sessionStorage.getItem(STORE) ?? "{}") };
  } catch {
    return usual;
  }
}
function store(lesson: Lesson) {
  try {
    sessionStorage.setItem(STORE, JSON.stringify(lesson));
  } catch {
    // Storage is not available: it is asked again.
  }
}

/** A choice of two, as radio buttons. */
function Two<Value extends string | number>(
  { label, name, options, value, word, onPick }: { label: string; name: string; options: readonly Value[]; value: Value;
    word: (one: Value) => string; onPick: (one: Value) => void },
) {
  return (
    <fieldset class="two">
      <legend class="sr-only">{label}</legend>
      {options.map((one) => (
        <label key={one}>
          <input type="radio" class="sr-only" name={name} checked={one === value} data-testid={`${name}-${one}`}
            onChange={() => onPick(one)} />
          <span>{word(one)}</span>
        </label>
      ))}
    </fieldset>
  );
}

function Teach({ presets, engine }: { presets: Preset[]; engine: Engine }) {
  const [lesson, setLesson] = useState(stored);
  const [trouble, setTrouble] = useState("");
  const connection = useConnection();
  const change = (more: Partial<Lesson>) => {
    const next = { ...lesson, ...more };
    store(next);
    setLesson(next);
  };
  const { what, people, names, minutes, title } = lesson;
  const fit = (one: What): Config =>
    fitted(localised(presets.find(({ id }) => id === `class-${one}`)), minutes) as Config;
  const config = fit(what);
  const parts: { part: string; minutes: number }[] = partsOf(config);
  const total = minutesOf(config);
  const longest = Math.max(...parts.map((one) => one.minutes));
  const { tables, free } = tablesFor(people);
  const given = (): Partial<RoomPlan> => ({ title: title.trim() || (config.title ?? ""), people: AT_TABLE,
    tables: Math.min(100, tables + SPARE), names, fill: true, absence: { after: 60, then: "skip" },
    patience: { after: 180, then: "skip" } });
  const open = async () => {
    const broker = chosenBroker();
    const plan: RoomPlan = { ...given(), language: language() as NonNullable<RoomPlan["language"]>, session: config };
    await openRoom({ plan, place: broker && { transport: broker }, expected: people }, engine).catch((error: Error) =>
      setTrouble(error.message)
    );
  };
  const count = (by: number) => change({ people: Math.max(1, Math.min(MOST, people + by)) });
  return (
    <div class="page teach">
      <h1 class="sr-only">{t("teach.title")}</h1>
      <div class="teach-grid">
        <div>
          <section aria-labelledby="teach-what">
            <h2 id="teach-what">
              <b class="teach-number">{number(1)}</b> {t("teach.what")}
            </h2>
            <div class="lessons" role="radiogroup" aria-labelledby="teach-what">
              {(Object.keys(AGES) as What[]).map((one) => (
                <label class="lesson" key={one}>
                  <input type="radio" name="what" class="sr-only" checked={one === what} data-testid={`teach-${one}`}
                    onChange={() => change({ what: one })} />
                  <LessonArt of={one} />
                  <span>
                    <span class="eyebrow">{t(`teach.${one}`)}</span>
                    <strong>{t(`teach.${one}.name`)}</strong>
                    <span class="lesson-line">{t(`teach.${one}.text`)}</span>
                    <span class="row">
                      <span class="pill">{t("teach.minutes", { n: minutesOf(fit(one)) })}</span>
                      <span class="pill">{t("teach.age", { age: AGES[one] })}</span>
                    </span>
                  </span>
                </label>
              ))}
            </div>
          </section>
          <div class="teach-two">
            <section aria-labelledby="teach-many">
              <h2 id="teach-many">
                <b class="teach-number">{number(2)}</b> {t("teach.many")}
              </h2>
              <div class="counter">
                <Button aria-label={t("teach.fewer")} data-testid="teach-fewer" onClick={() => count(-1)}>−</Button>
                <input type="number" min={1} max={MOST} value={people} aria-labelledby="teach-many"
                  data-testid="teach-people" onInput={({ currentTarget }) =>
                  currentTarget.valueAsNumber > 0
                  && change({ people: Math.min(MOST, Math.round(currentTarget.valueAsNumber)) })} />
                <Button aria-label={t("teach.more-people")} data-testid="teach-more-people" onClick={() => count(1)}>
                  +
                </Button>
              </div>
              <p class="quiet" role="status" data-testid="teach-tables">
                {t("teach.tables", { n: tables })} {t(free ? "teach.free" : "teach.full", { n: free })}
              </p>
            </section>
            <section aria-labelledby="teach-names">
              <h2 id="teach-names">
                <b class="teach-number">{number(3)}</b> {t("teach.names")}
              </h2>
              <Two label={t("teach.names")} name="names" options={["pseudonyms", "own"] as const} value={names}
                word={(one) => t(`teach.names.${one}`)} onPick={(one) => change({ names: one })} />
              <p class="quiet">{t(`teach.names.${names}.text`)}</p>
            </section>
          </div>
        </div>
        <aside class="teach-side" aria-label={t("teach.lesson")}>
          <label for="teach-title">{t("teach.wall")}</label>
          <input id="teach-title" type="text" maxLength={80} value={title} placeholder={config.title ?? ""}
            data-testid="teach-title" onInput={({ currentTarget }) => change({ title: currentTarget.value })} />
          <Two label={t("teach.lesson")} name="lesson" options={LESSONS} value={minutes}
            word={(one) => t("teach.minutes", { n: one })} onPick={(one) => change({ minutes: one })} />
          <p class="teach-total" data-testid="teach-total">
            <strong>{t("teach.minutes", { n: total })}</strong> {total <= minutes
              ? (
                <span class="good">
                  <Icon name="check" /> {t("teach.fits")}
                </span>
              )
              : <span class="note">{t("teach.long")}</span>}
          </p>
          <ul class="plain teach-parts">
            {parts.map((one, at) => (
              <li key={one.part}>
                <span>{t(`teach.part.${one.part}`)}</span>
                <span class={`teach-bar art-step-${(at % 5) + 1}`} aria-hidden="true"
                  style={{ width: `${(100 * one.minutes) / longest}%` }} />
                <b>{number(one.minutes)}</b>
              </li>
            ))}
          </ul>
          <p class="quiet">{t("teach.skip")}</p>
          {connection.address === null
            ? (
              <div class="banner" data-testid="teach-unreachable">
                <p>{t("teach.unreachable")}</p>
              </div>
            )
            : (
              <Button kind="primary" more="button-large" data-testid="teach-open"
                disabled={connection.address === undefined} onClick={() => void open()}>
                {t("teach.open")}
              </Button>
            )}
          <p class="said bad" role="alert">{trouble}</p>
          <details class="more" open={connection.address === null || undefined}>
            <summary data-testid="teach-connection">{t("network.connection")}</summary>
            <ConnectionPicker connection={connection} />
          </details>
          <p class="row">
            <Button kind="quiet" data-testid="teach-more"
              onClick={() => void inviteTo(config, engine, given(), people)}>
              {t("teach.more")}
            </Button>
            <a class="button button-quiet" href="#/network" data-testid="teach-network">{t("network.title")}</a>
          </p>
        </aside>
      </div>
    </div>
  );
}

export async function view({ engine }: { engine: Engine }) {
  const page = drawing(<Teach presets={classPresets(await loadPresets())} engine={engine} />);
  return { node: page.node, leave: page.leave, title: t("teach.title") };
}
