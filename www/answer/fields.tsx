// The fields of a form. Each shows its answer (values.ts) and hands on every change of it.
import { Component, createRef } from "preact";
import type { ComponentChildren, TargetedKeyboardEvent, VNode } from "preact";
import type { FormChoice, FormField } from "../../src/web/quorate.d.ts";
import { Button } from "../elements.tsx";
import { number, t } from "../i18n.js";
import { RulePicture, ruleOf } from "../pictures/rules.tsx";
import { NumberField } from "./number-field.tsx";
import { type Answers, formatAmount, isAsked, type Of, optionsOf } from "./values.ts";

interface FieldsProps {
  fields: FormField[];
  answers: Answers;
  change: (answers: Answers) => void;
  /** Prefix of ids. */
  id: string;
  /** Of the question. */
  language: string;
  /** The name of a field whose answer does not fit. */
  wrong?: string | undefined;
  /** The amounts between which an answer is likely, for a slider. */
  range?: ((field: FormField) => Range | undefined) | undefined;
  face?: FaceOf | undefined;
}
/** Draws who has argued for an option in public. */
export type FaceOf = (seat: string) => VNode | null;
/** Ends and step of a slider. */
export interface Range {
  least: number;
  most: number;
  step: number;
}
interface FieldProps<Field = FormField> {
  field: Field;
  answer: any;
  change: (answer: unknown) => void;
  id: string;
  language: string;
  isWrong?: boolean;
  hidden?: boolean;
  range?: FieldsProps["range"];
  face?: FaceOf | undefined;
}

/** All fields of a form. A field that depends on another one takes the focus when it appears, if it is typed in. */
export class Fields extends Component<FieldsProps> {
  #place = createRef<HTMLDivElement>();

  override componentDidUpdate(before: FieldsProps) {
    const { fields, answers } = this.props;
    for (const field of fields) {
      if (isAsked(field, fields, before.answers) || !isAsked(field, fields, answers)) continue;
      fieldIn(this.#place.current!, field.name)
        ?.querySelector<HTMLElement>(":scope > textarea, :scope > .amount input")?.focus({ preventScroll: true });
    }
  }

  override render({ fields, answers, change, id, language, wrong, range, face }: FieldsProps) {
    // Optional texts come after required fields.
    const isLast = (field: FormField) => field.input === "text" && field.optional;
    const places = [...fields.keys()];
    const ordered = [...places.filter((at) => !isLast(fields[at]!)), ...places.filter((at) => isLast(fields[at]!))];
    return (
      <div class="ask-fields" ref={this.#place}>
        {ordered.map((at) => {
          const field = fields[at]!;
          return (
            <Field key={at} field={field} answer={answers[at]} id={`${id}-${at}`} language={language}
              isWrong={wrong === field.name} range={range} face={face} hidden={!isAsked(field, fields, answers)}
              change={(answer) => change(replaced(answers, at, answer))} />
          );
        })}
      </div>
    );
  }
}

/** The element of a field that is asked, among all fields of a form. */
export const fieldIn = (fields: Element, name: string) =>
  [...fields.children].find((one) => {
    const { dataset, hidden } = one as HTMLElement;
    return dataset.field === name && !hidden;
  });

const replaced = <One,>(list: One[], at: number, by: One) => list.map((one, place) => (place === at ? by : one));

/** Most steps of a slider; beyond that a number is typed. */
const PLACES = 100;

function Field({ field, ...props }: FieldProps): VNode {
  switch (field.input) {
    case "order":
      return <Order {...props} field={field} />;
    case "amount":
      return <Figure {...props} field={field} />;
    case "scale":
      return (field.most - field.least) / field.step > PLACES
        ? <Figure {...props} field={field} />
        : <Scale {...props} field={field} />;
    case "text":
    case "texts":
      return <Text {...props} field={field} />;
    case "group":
      return (
        <Group field={field} hidden={props.hidden}>
          <Fields {...props} fields={field.fields} answers={props.answer} />
        </Group>
      );
    case "each":
      return <Each {...props} field={field} />;
    case "certainty":
      return <Sure {...props} field={field} />;
    default:
      return <Choice {...props} field={field} />;
  }
}

const Help = ({ field: { help } }: { field: FormField }) => (help ? <p class="quiet">{help}</p> : null);

/** A field with several controls. */
const Group = (
  { field, hidden, children }: { field: FormField; hidden: boolean | undefined; children: ComponentChildren },
) => (
  <fieldset class="ask-field" data-field={field.name} hidden={hidden}>
    <legend>{field.label}</legend>
    <Help field={field} />
    {children}
  </fieldset>
);

/** A field with one control, which has the id. */
const Single = (
  { field, hidden, id, note, children }: { field: FormField; hidden: boolean | undefined; id: string; note?: string;
    children: ComponentChildren },
) => (
  <div class="ask-field" data-field={field.name} hidden={hidden}>
    <label for={id}>{field.label}</label>
    {note && <p class="quiet">{note}</p>}
    <Help field={field} />
    {children}
  </div>
);

/** Most characters of an explanation that stands beside a rule's name. */
const SHORT = 90;
const isInline = ({ value, about }: FormChoice) =>
  ruleOf(value) !== undefined && about !== undefined && about.length <= SHORT;
/** Whether all options are rules that have a picture. */
const areRules = (options: FormChoice[]) => options.every(({ value }) => ruleOf(value) || value === "null");

/** A rule's picture and name, or the name alone. */
const OptionName = ({ option }: { option: FormChoice }) => {
  const rule = ruleOf(option.value);
  return (
    <>
      {rule && <RulePicture rule={rule} />}
      <span>
        {rule ? <b>{option.name}</b> : option.name}
        {isInline(option) && <small>{option.about}</small>}
      </span>
    </>
  );
};

/** An option, with a button that shows its explanation. */
class OptionItem
  extends Component<{ option: FormChoice; id: string; children: ComponentChildren }, { isOpen: boolean }> {
  override render() {
    const { option: { name, about, value }, id, children } = this.props;
    const { isOpen = false } = this.state;
    if (!about || isInline({ name, about, value })) return <li>{children}</li>;
    return (
      <li>
        <div class="ask-option">
          {children}
          <button type="button" class="why" aria-expanded={isOpen} aria-controls={id}
            aria-label={t("human.about", { what: name })} onClick={() => this.setState({ isOpen: !isOpen })}>
            ?
          </button>
        </div>
        <p class="about" id={id} hidden={!isOpen}>{about}</p>
      </li>
    );
  }
}

/** A scale of five steps beside its question. */
function Sure({ field, answer, change, id, hidden }: FieldProps<Of<"certainty">>) {
  const options = field.options;
  const chosen = options.find(({ value }) => value === answer);
  return (
    <div class="ask-field sure" role="radiogroup" aria-labelledby={`${id}-label`} data-field={field.name}
      hidden={hidden}>
      <b id={`${id}-label`}>{field.label}</b>
      <div>
        <div>
          {options.map(({ value, name }, at) => (
            <label key={value} title={name} style={{ "--n": at }}>
              <input type="radio" name={id} data-value={value} checked={value === answer} aria-label={name}
                onChange={() => change(value)} />
              <i />
            </label>
          ))}
        </div>
        <p aria-hidden="true">
          {chosen ? <b>{chosen.name}</b> : [options[0], options.at(-1)].map((one) => <span>{one?.name}</span>)}
        </p>
      </div>
    </div>
  );
}

function Choice({ field, answer, change, id, hidden, face }: FieldProps<Of<"choice" | "yes_no">>) {
  const options = optionsOf(field);
  const isNarrow = options.every(({ about, name }) => (!about || about.length <= SHORT) && name.length < 26);
  const isShort = options.every(({ about, name }) => !about && name.length < 18);
  return (
    <Group field={field} hidden={hidden}>
      <ul
        class={`ask-options${
          areRules(options) ? ` ask-rules ${isNarrow ? "ask-pick" : "ask-list"}` : isShort ? " ask-options-short" : ""
        }`}>
        {options.map((option, at) => (
          <OptionItem key={at} option={option} id={`${id}-about-${at}`}>
            <label class={`radio p${ruleOf(option.value)}`}>
              <input type="radio" name={id} value={at} data-value={option.value} checked={answer === option.answer}
                onChange={() => change(option.answer)} />
              <OptionName option={option} />
              {option.by && face && <span class="advocates">{option.by.map(face)}</span>}
            </label>
          </OptionItem>
        ))}
      </ul>
    </Group>
  );
}

/**
 * A ranking by taps; the last option left takes the last place. A tap on a placed option removes it and those after it.
 */
class Order extends Component<FieldProps<Of<"order">>> {
  #list = createRef<HTMLUListElement>();
  #dragged: { value: string; button: HTMLElement } | null = null;

  /** An element that is moved loses the focus. */
  override getSnapshotBeforeUpdate() {
    const { activeElement } = document;
    return this.#list.current!.contains(activeElement) ? activeElement : null;
  }
  override componentDidUpdate(_: unknown, __: unknown, focused: HTMLElement | null) {
    focused?.focus({ preventScroll: true });
  }

  #take(ranking: string[]) {
    const left = this.props.field.options.map(({ value }) => value).filter((one) => !ranking.includes(one));
    this.props.change(left.length === 1 ? [...ranking, ...left] : ranking);
  }

  #tap(value: string) {
    const ranking: string[] = this.props.answer;
    this.#take(ranking.includes(value) ? ranking.slice(0, ranking.indexOf(value)) : [...ranking, value]);
  }

  #move(value: string, to: number) {
    const ranking: string[] = this.props.answer;
    if (to < 0 || to >= ranking.length) return;
    const next = ranking.filter((other) => other !== value);
    next.splice(to, 0, value);
    this.#take(next);
  }

  #moveByKey(event: TargetedKeyboardEvent<HTMLElement>, value: string) {
    const at = this.props.answer.indexOf(value);
    if (!event.altKey || at < 0 || !["ArrowUp", "ArrowDown"].includes(event.key)) return;
    event.preventDefault();
    this.#move(value, at + (event.key === "ArrowUp" ? -1 : 1));
  }

  #drop(event: DragEvent, value: string) {
    event.preventDefault();
    const ranking: string[] = this.props.answer;
    if (this.#dragged && ranking.includes(this.#dragged.value)) {
      this.#dragged.button.focus();
      this.#move(this.#dragged.value, ranking.indexOf(value));
    }
    this.#dragged = null;
  }

  override render() {
    const { field, id, hidden } = this.props;
    const ranking: string[] = this.props.answer;
    const placed = ranking.flatMap((value) => field.options.find((option) => option.value === value) ?? []);
    const rows = [...placed, ...field.options.filter((option) => !placed.includes(option))];
    return (
      <Group field={field} hidden={hidden}>
        <ul class={areRules(field.options) ? "ask-options ask-rules" : "ask-options"} ref={this.#list}>
          {rows.map((option) => {
            const { value } = option;
            const place = ranking.indexOf(value);
            return (
              <OptionItem key={value} option={option} id={`${id}-about-${field.options.indexOf(option)}`}>
                <button type="button" class={`place p${ruleOf(value)}`} data-value={value} draggable
                  aria-pressed={place >= 0} onClick={() => this.#tap(value)}
                  onKeyDown={(event) => this.#moveByKey(event, value)}
                  onDragStart={({ currentTarget }) => (this.#dragged = { value, button: currentTarget })}
                  onDragOver={(event) => this.#dragged && place >= 0 && event.preventDefault()}
                  onDrop={(event) => this.#drop(event, value)}>
                  <b class="badge">{place < 0 ? "" : place + 1}</b>
                  <OptionName option={option} />
                </button>
              </OptionItem>
            );
          })}
        </ul>
        <p class="sr-only" role="status">{placed.map(({ name }, at) => `${at + 1}. ${name}`).join(" ")}</p>
      </Group>
    );
  }
}

/** Where − and + begin if nothing is known of the amount: a low income. */
const USUAL = 15_000;

/** A typed number, in whole units for an amount. */
class Figure extends Component<FieldProps<Of<"amount" | "scale">>> {
  #input = createRef<HTMLInputElement>();

  override componentDidUpdate({ answer }: { answer: unknown }) {
    if (answer !== this.props.answer) this.#input.current!.scrollIntoView({ block: "nearest" });
  }

  override render() {
    const { field, answer, change, id, language, isWrong, hidden, range } = this.props;
    const amount = field.input === "amount" ? field : null;
    const slides = range?.(field);
    const by = (step: number) => {
      const from = typeof answer === "number" ? answer + step : slides ? (slides.least + slides.most) / 2 : USUAL;
      const to = amount ? Math.round(from / amount.step) * amount.step : from;
      change(Math.min(field.most, Math.max(field.least, to)));
    };
    const stepper = (sign: 1 | -1) =>
      amount && (
        <Button more="amount-step" aria-label={t(sign < 0 ? "amount.less" : "amount.more")} onClick={() =>
          by(sign * amount.step)}>
          {sign < 0 ? "−" : "+"}
        </Button>
      );
    return (
      <Single field={field} hidden={hidden} id={id}>
        <p class="amount">
          {stepper(-1)}
          {amount && <span>{amount.unit}</span>}
          <NumberField place={this.#input} language={language} value={answer} onValue={change}
            isWhole={field.input === "amount" || field.isWhole}
            format={amount ? (value) => formatAmount(amount.unit, value) : undefined}
            attributes={{ id, "data-testid": amount ? "human-amount" : undefined,
              "aria-invalid": isWrong || undefined }} />
          {stepper(1)}
        </p>
        {slides && (
          <input class="amount-slide" type="range" min={slides.least} max={slides.most} step={slides.step}
            aria-label={field.label} value={typeof answer === "number" ? answer : (slides.least + slides.most) / 2}
            aria-valuetext={formatAmount(amount!.unit, answer)} onInput={({ currentTarget }) =>
            change(Number(currentTarget.value))} />
        )}
      </Single>
    );
  }
}

function Scale({ field, answer, change, id, hidden }: FieldProps<Of<"scale">>) {
  const { least, most, step, ends } = field;
  const shown = answer === undefined ? "–" : number(answer, most === 1 ? { style: "percent" } : {});
  const take = ({ currentTarget }: { currentTarget: HTMLInputElement }) => change(Number(currentTarget.value));
  return (
    <Single field={field} hidden={hidden} id={id}>
      <div class="scale">
        {/* A click on the place where it stands is an answer, too. */}
        <input id={id} type="range" min={least} max={most} step={step} value={answer ?? least} aria-valuetext={shown}
          onInput={take} onClick={take} />
        <output for={id}>{shown}</output>
      </div>
      <p class="ends quiet">{ends.map((end) => <span>{end}</span>)}</p>
    </Single>
  );
}

const Text = ({ field, answer, change, id, hidden }: FieldProps<Of<"text" | "texts">>) => (
  <Single field={field} hidden={hidden} id={id}
    {...field.input === "texts" && { note: t("human.points", { n: field.most }) }}>
    <textarea id={id} rows={field.input === "text" ? field.lines : 3} value={answer}
      data-testid={field.input === "texts" ? `human-${field.name}` : "human-answer"}
      onInput={({ currentTarget }) => change(currentTarget.value)} />
  </Single>
);

/** The same fields for each of several options. */
const Each = ({ field, answer, change, id, language, hidden }: FieldProps<Of<"each">>) => (
  <Group field={field} hidden={hidden}>
    {field.options.map((option, at) => (
      <fieldset key={option.value} class="each">
        <legend>{option.name}</legend>
        <Fields fields={field.fields} answers={answer[at]} id={`${id}-${at}`} language={language}
          change={(one) => change(replaced(answer, at, one))} />
      </fieldset>
    ))}
  </Group>
);
