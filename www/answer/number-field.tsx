// The one field for numbers. A number field of the browser drops the comma, takes a point for a decimal sign in every
// language and changes with the wheel; so this is a text. What was understood is shown beside it, and two possible
// readings are asked about.
import { Component, createRef } from "preact";
import type { JSX, RefObject } from "preact";
import { t } from "../i18n.js";
import { isBlank } from "./blank.js";
import { readNumber } from "./number.js";

/** A number, undefined while the field is empty, or the text if it is no number or may be two. */
export type TypedNumber = number | string | undefined;

interface Props {
  /** Of the page or the question. */
  language: string;
  value: unknown;
  onValue: (value: TypedNumber) => void;
  /** Only whole numbers fit. */
  isWhole?: boolean | undefined;
  /** Words what was understood. */
  format?: ((value: number) => string) | undefined;
  placeholder?: unknown;
  /** Of the input. */
  attributes?: Attributes;
  /** Gets the input. */
  place?: RefObject<HTMLInputElement> | undefined;
}
type Attributes = JSX.InputHTMLAttributes<HTMLInputElement> & { [data: `data-${string}`]: string | undefined };

interface State {
  text: string;
  /** One of two readings, as chosen or as stored. */
  picked: number | null;
  /** What the text stands for. */
  value: unknown;
}

/** A number as the language writes it, without separators of thousands. */
const written = (value: number, language: string) =>
  new Intl.NumberFormat(language, { useGrouping: false, maximumFractionDigits: 20 }).format(value);

function readings(text: string, { language, isWhole }: Props): number[] {
  const languages = [language, globalThis.navigator?.language ?? language];
  return isBlank(text) ? [] : readNumber(text, languages, isWhole);
}

export class NumberField extends Component<Props, State> {
  #input = this.props.place ?? createRef<HTMLInputElement>();
  override state: State = { text: "", picked: null, value: undefined };

  /** Shows another value than the one that was typed. */
  static override getDerivedStateFromProps({ value, language }: Props, state: State): State | null {
    if (Object.is(value, state.value)) return null;
    const picked = typeof value === "number" ? value : null;
    return { text: picked === null ? String(value ?? "") : written(picked, language), picked, value };
  }

  #take(text: string, picked: number | null) {
    const found = readings(text, this.props);
    const value = picked ?? (isBlank(text) ? undefined : found.length === 1 ? found[0] : text);
    this.setState({ text, picked, value });
    this.props.onValue(value);
  }

  #pick(value: number) {
    this.#take(this.state.text, value);
    this.#input.current!.focus({ preventScroll: true });
  }

  override render() {
    const { language, format, placeholder, attributes } = this.props;
    const { text, picked } = this.state;
    const shown = format
      ?? ((value: number) => new Intl.NumberFormat(language, { maximumFractionDigits: 20 }).format(value));
    const found = picked === null ? readings(text, this.props) : [picked];
    const [only, other] = found;
    const read = only !== undefined && other === undefined ? shown(only) : "";
    return (
      <span class="number-field">
        <input ref={this.#input} type="text" inputMode="decimal" autocomplete="off" spellcheck={false}
          placeholder={typeof placeholder === "number" ? written(placeholder, language) : placeholder as string}
          {...attributes} value={text} onInput={({ currentTarget }) => this.#take(currentTarget.value, null)} />
        <span class="number-read" role="status">
          {other !== undefined
            ? [t("number.which"), " ",
              found.map((value) => (
                <button key={value} type="button" class="button number-pick" data-value={value}
                  onClick={() => this.#pick(value)}>
                  {shown(value)}
                </button>
              ))]
            : read && read !== text.trim() && `= ${read}`}
        </span>
      </span>
    );
  }
}
