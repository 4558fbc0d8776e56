// The question to a person at this page.
import { AnswerForm, type Refusal } from "./answer/answer-form.tsx";
import type { FormValues, OpenAsk } from "./pkg/quorate.d.ts";
import { uid } from "./dom.js";
import { draftKeeper } from "./draft.js";
import { drawing } from "./elements.tsx";
import type { acquire } from "./engine.js";
import { t } from "./i18n.js";
import { Avatar, seatOf } from "./participants.tsx";
import { Face } from "./pictures/people.tsx";

type Lab = Awaited<ReturnType<typeof acquire>>;

/** The panel for one open ask. */
export async function question(
  { lab, ask, engine, onSent }: { lab: Lab; ask: OpenAsk; engine: typeof import("./engine.js"); onSent: () => void },
) {
  const form = ask.form!;
  const stored: string | null = await engine.Library.draft(lab.session.id, ask.id).catch(() => null);
  const person = lab.view.people.get(ask.seat);
  const id = uid("ask");
  const [only] = form.fields;
  const isSingle = form.fields.length === 1;
  const isText = isSingle && only!.name === "text";
  const kept = { value: "" };
  const keep = draftKeeper(engine.Library, lab.session.id, ask.id, kept, stored ?? "");
  /** Returns why values do not fit. */
  const attempt = (act: () => Refusal | null): Refusal | null => {
    try {
      return act();
    } catch (error) {
      const { code, message, detail } = error as { code?: string; message: string; detail?: { field?: string } };
      if (code !== "form") throw error;
      return { message: <span class="bad" lang={form.language}>{message}</span>, field: detail?.field };
    }
  };
  const changed = (values: FormValues) => {
    kept.value = isText ? String(values.text ?? "") : Object.keys(values).length ? JSON.stringify(values) : "";
    void keep();
  };
  const send = (values: FormValues) =>
    attempt(() => {
      if (!lab.session.answer(ask.id, values)) return { message: t("human.late") };
      kept.value = "";
      void keep();
      onSent();
      return null;
    });
  const check = (values: FormValues) =>
    attempt(() => {
      lab.session.previewAnswer(ask.id, values);
      return null;
    });
  // The heading says everything about a turn in a discussion.
  const hasQuestion = ask.kind !== "turn";
  const { node, leave } = drawing(
    <section class={`human ${seatOf(person)}`} role="group"
      aria-labelledby={`${id}-title${hasQuestion ? ` ${id}-question` : ""}`} data-testid="human" data-ask={ask.id}
      data-kind={ask.kind}>
      <header class="human-head">
        <Avatar person={person} />
        <h2 tabIndex={-1} id={`${id}-title`}>{t("human.title", { name: ask.seat })}</h2>
      </header>
      <AnswerForm form={form} id={id} hasQuestion={hasQuestion} draft={draftIn(stored, isText)} decides={form.decides}
        describe={(what) => t("human.shown", { what })} testid={(name) => `human-${name}`} changed={changed}
        check={check} send={send} face={(seat) => {
        const who = lab.view.people.get(seat);
        return who ? <Face index={who.index} kind={who.kind} size={26} label={who.name} /> : null;
      }} />
    </section>,
  );
  return { node, leave, focus() {
    // Focuses a single text field; otherwise the heading, so that the question is read first.
    const typed = isSingle && node.querySelector<HTMLElement>("textarea, .amount input");
    (typed || node.querySelector("h2")!).focus({ preventScroll: true });
    const bar = document.querySelector(".run-bar")?.clientHeight ?? 0;
    window.scrollBy({ top: node.getBoundingClientRect().top - bar - 4, behavior: "instant" });
  } };
}

/** The values of a stored draft; null if there is none, or one of another form. */
function draftIn(stored: string | null, isText: boolean): FormValues | null {
  if (!stored) return null;
  if (isText) return { text: stored };
  try {
    return JSON.parse(stored);
  } catch {
    return null;
  }
}
