// One open question, with the time left. A draft stays on the device.
import { AnswerForm, type Refusal } from "../answer/answer-form.tsx";
import type { Answered, Guest, Question as OpenQuestion } from "../../src/web/guest.d.ts";
import type { FormValues } from "../../src/web/quorate.d.ts";
import { Face } from "../pictures/people.tsx";
import { drafts } from "./drafts.js";
import { seatedAt } from "./table.tsx";
import { Ticking } from "./ticking.tsx";
import { clock, languageCode, languageTag, t } from "./words.js";

/** Characters of a question in small letters. */
const LONG = 70;
/** Milliseconds left from which the time is short. */
const SHORT = 15_000;

export function TimeLeft({ milliseconds }: { milliseconds: number | null }) {
  const isShort = milliseconds !== null && milliseconds < SHORT;
  return (
    <p class={isShort ? "join-left short" : "join-left"} role="timer" aria-live="off" hidden={milliseconds === null}>
      {milliseconds !== null && (milliseconds > 0 ? t("left", { time: clock(milliseconds) }) : t("left.none"))}
    </p>
  );
}

/** Why the previous answer to a question was not taken. */
export function refusalOf(answered: Answered | undefined, lang: string): Refusal | null {
  if (answered?.state !== "refused" && answered?.state !== "late") return null;
  const { state, reason, message, field } = answered;
  const text = state === "late"
    ? t("late")
    : reason
    ? t(reason === "long" ? "toolong" : "untaken")
    : message;
  return { message: <span class="bad" lang={lang}>{text}</span>, field: state === "refused" ? field : null };
}

/** `isFirst`: there was no earlier question, so no tap can have been meant for it. */
export function Question({ guest, question, isFirst }: { guest: Guest; question: OpenQuestion; isFirst: boolean }) {
  const { ask, form, deadline } = question;
  const draft = drafts(guest.link.room);
  const lang = languageTag(languageCode(form.language));
  const id = "ask";
  const send = (values: FormValues): Refusal | null => {
    try {
      void guest.answer(ask, values).then(({ state }) => state === "kept" && draft.remove());
      return null;
    } catch (fault) {
      return { message: <span class="bad" lang={lang}>{(fault as Error).message}</span> };
    }
  };
  return (
    <section class="human join-question" aria-labelledby={`${id}-title`} data-testid="question" data-ask={ask}>
      <header class="human-head" lang={lang}>
        <h2 tabIndex={-1} id={`${id}-title`} class={form.question.length > LONG ? "long" : undefined}>
          {form.question}
        </h2>
        <Ticking>{() => <TimeLeft milliseconds={deadline === null ? null : deadline - guest.now()} />}</Ticking>
      </header>
      <AnswerForm form={form} id={id} hasQuestion={false} draft={draft.read(ask)}
        decides={question.decides ?? form.decides} describe={(what) => t("shown", { what })}
        testid={(name) => (name === "send" || name === "skip" ? name : `send-${name}`)}
        changed={(values) => draft.write(ask, values)} send={send} refusal={refusalOf(guest.state.answers[ask], lang)}
        isFirst={isFirst} face={(seat) => {
        const who = seatedAt(guest.state).find((one) => one.seat === seat);
        return who ? <Face index={who.index} kind={who.kind} size={26} label={who.name} /> : null;
      }} />
    </section>
  );
}
