// A question as a form, for owners and guests: material, fields, and the buttons that send the answer, which stay in
// sight. Yes and no are buttons that send.
import { Component, createRef } from "preact";
import type { ComponentChildren } from "preact";
import type { Form, FormField, FormValues } from "../../src/web/quorate.d.ts";
import { Button } from "../elements.tsx";
import { languageCode, languageTag } from "../languages.js";
import { t } from "../i18n.js";
import { type FaceOf, fieldIn, Fields } from "./fields.tsx";
import { type Drawn, Materials, rangeIn } from "./material.tsx";
import { ruleOf } from "../pictures/rules.tsx";
import { StickyButtons } from "./sticky-buttons.tsx";
import { type Answers, answersOf, inWords, type Of, optionsOf, unclearField, valuesOf } from "./values.ts";

/** Why an answer was not taken. `field`: the name of the one to be corrected. */
export interface Refusal {
  message: ComponentChildren;
  field?: string | null | undefined;
}

interface Props {
  form: Form;
  /** Prefix of ids; the heading above has the id `ID-title`. */
  id: string;
  /** The question is not the heading. */
  hasQuestion: boolean;
  /** Values of a draft. */
  draft: FormValues | null;
  /** The answer counts for money: it is repeated while it is being filled in. */
  decides: boolean;
  describe: (answer: string) => string;
  testid: (button: string) => string;
  changed: (values: FormValues) => void;
  /** Checks a number when its field is left. */
  check?: (values: FormValues) => Refusal | null;
  send: (values: FormValues) => Refusal | null;
  /** Why the previous answer was not taken. */
  refusal?: Refusal | null;
  face: FaceOf;
  /** There was no previous question, so no delay is needed. */
  isFirst?: boolean;
}
interface State {
  answers: Answers;
  message: ComponentChildren;
  /** The name of a field whose number does not fit. */
  wrong?: string | undefined;
  isSettled: boolean;
  /** What fields had before each change, to go back step by step. */
  past: [at: number, answer: unknown][];
}

/** Milliseconds in which nothing is sent: a second tap on the previous question must not answer this one. */
const SETTLES = 350;
/** Fields that change in many small steps, which count as one. */
const GRADUAL = ["amount", "scale"];
/** Fields without steps to go back: browsers undo typing. */
const TYPED = ["text", "texts", "group", "each"];

export class AnswerForm extends Component<Props, State> {
  #content = createRef<HTMLDivElement>();
  #foot = createRef<HTMLDivElement>();
  #settling = 0;
  /** Yes and no, whose buttons send the answer. */
  #sending = this.props.form.fields.find((field) => field.sends && field.input === "yes_no") as
    | Of<"yes_no">
    | undefined;
  #fields = this.props.form.fields.filter((field) => field !== this.#sending);

  override state: State = { answers: answersOf(this.#fields, this.props.draft ?? {}),
    message: this.props.refusal?.message, isSettled: this.props.isFirst ?? false, past: [] };

  override componentDidMount() {
    const { id, hasQuestion, refusal } = this.props;
    this.#content.current!.querySelector("textarea, .amount input")
      ?.setAttribute("aria-describedby", `${id}-${hasQuestion ? "question" : "title"}`);
    this.#settling = window.setTimeout(() => this.setState({ isSettled: true }), SETTLES);
    this.#goTo(refusal?.field);
  }
  override componentWillUnmount() {
    clearTimeout(this.#settling);
  }

  #goTo(field: string | null | undefined) {
    const fields = this.#content.current!.querySelector(".ask-fields")!;
    if (field) fieldIn(fields, field)?.querySelector<HTMLElement>("input, textarea, button.place")?.focus();
  }

  #change = (answers: Answers) => {
    const { answers: before, past } = this.state;
    const at = answers.findIndex((one, place) => one !== before[place]);
    const input = this.#fields[at]?.input ?? "text";
    const isSameStep = TYPED.includes(input) || (GRADUAL.includes(input) && past.at(-1)?.[0] === at);
    this.#take(answers, isSameStep ? past : [...past, [at, before[at]]]);
  };
  #take(answers: Answers, past: State["past"]) {
    this.setState({ answers, past, message: null, wrong: undefined });
    this.props.changed(valuesOf(this.#fields, answers));
  }
  /** Takes the last step back. */
  #back = () => {
    const { answers, past } = this.state;
    const [at, answer] = past.at(-1)!;
    this.#take(answers.map((one, place) => (place === at ? answer : one)), past.slice(0, -1));
    // The button goes with the last step.
    if (past.length === 1) this.#goTo(this.#fields[at]!.name);
  };

  /** Sends once every number is settled. */
  #send(more: FormValues = {}) {
    const { answers } = this.state;
    const unclear = unclearField(this.#fields, answers);
    if (!unclear) return this.#submit({ ...valuesOf(this.#fields, answers), ...more });
    const isAsking = this.#content.current!.querySelector(".number-pick");
    this.#refuse({ message: <span class="bad">{t(isAsking ? "number.which" : "number.unclear")}</span>,
      field: unclear });
  }

  #submit(values: FormValues) {
    const refusal = this.props.send(values);
    if (refusal) this.#refuse(refusal);
  }

  #refuse({ message, field }: Refusal) {
    this.setState({ message });
    this.#goTo(field);
  }

  /** A pressed button reports its own problems, and a number with two readings asks about them. */
  #check = ({ target, relatedTarget }: FocusEvent) => {
    const place = (target as HTMLElement).closest<HTMLElement>(".ask-field:has(.amount)");
    const name = place?.dataset.field;
    const values = valuesOf(this.#fields, this.state.answers);
    if (name === undefined || values[name] === undefined || place!.querySelector(".number-pick")) return;
    if (this.#foot.current!.contains(relatedTarget as Node | null)) return;
    const refusal = this.props.check?.(values);
    if (refusal?.field === name) this.setState({ message: refusal.message, wrong: name });
  };

  override render() {
    const { form, id, hasQuestion, decides, describe } = this.props;
    const { answers, message, wrong } = this.state;
    const code = languageCode(form.language) ?? "en";
    const words = decides ? inWords(this.#fields, answers) : [];
    return (
      <>
        <div lang={languageTag(code)} ref={this.#content} onFocusOut={this.#check}>
          {hasQuestion && <p class="human-question" id={`${id}-question`}>{form.question}</p>}
          <Materials material={form.material} drawn={this.#drawn()} />
          <Fields fields={this.#fields} answers={answers} change={this.#change} id={id} language={code} wrong={wrong}
            range={(field) => rangeIn(form.material, field)} face={this.props.face} />
        </div>
        <StickyButtons lang={languageTag(code)} place={this.#foot}>
          <p class="said" role="status">{message ?? (words.length > 0 && describe(words.join(" · ")))}</p>
          {this.#buttons()}
        </StickyButtons>
      </>
    );
  }

  /** The rule and amount that are filled in. */
  #drawn(): Drawn {
    const values = valuesOf(this.#fields, this.state.answers);
    const { principle, amount } = values;
    return { rule: ruleOf(String(principle)), amount: typeof amount === "number" ? amount : undefined };
  }

  #buttons() {
    const { form, id, testid } = this.props;
    const disabled = !this.state.isSettled;
    const sending = this.#sending;
    const back = this.state.past.length > 0 && (
      <Button kind="quiet" data-testid={testid("back")} onClick={this.#back}>{t("human.back")}</Button>
    );
    if (!sending) {
      return (
        <div class="sends">
          {back}
          {form.skip && (
            <Button data-testid={testid("skip")} disabled={disabled} onClick={() => this.#submit({})}>
              {form.skip}
            </Button>
          )}
          <Button kind="primary" data-testid={testid("send")} disabled={disabled} onClick={() => this.#send()}>
            {form.send}
          </Button>
        </div>
      );
    }
    const options = optionsOf(sending);
    return (
      <>
        <p class="sends-label" id={`${id}-sends`}>{sending.label}</p>
        <div class="sends sends-two" role="group" aria-labelledby={`${id}-sends`}>
          {back}
          {options.map(({ value, name, answer }) => (
            <Button key={value} kind="primary" data-testid={testid(value)} disabled={disabled}
              onClick={() => this.#send({ [sending.name]: answer })}>
              {name}
            </Button>
          ))}
        </div>
      </>
    );
  }
}
