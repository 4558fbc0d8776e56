// A text field with a filtered list of suggestions; other values are allowed. Follows the ARIA pattern "combobox with
// list autocompletion".
import { Component, createRef } from "preact";
import type { JSX } from "preact";
import { isComposing, uid } from "./dom.js";
import { number, t } from "./i18n.js";

/** Most options drawn. */
const MOST = 60;

export interface Suggestion {
  id: string;
  name?: string;
  /** Tokens. */
  context?: number | undefined;
}
interface Props {
  value: string;
  onValue: (value: string) => void;
  options: () => Suggestion[] | Promise<Suggestion[]>;
  /** Of the input. */
  attributes?: JSX.InputHTMLAttributes<HTMLInputElement> & { "data-testid"?: string };
}
interface State {
  /** Those that fit; null while the list is closed. */
  fitting: Suggestion[] | null;
  isEmpty: boolean;
  /** The position of the active option, or -1. */
  at: number;
}

const CLOSED: State = { fitting: null, isEmpty: true, at: -1 };

export class Combobox extends Component<Props, State> {
  #id = uid("combo");
  #input = createRef<HTMLInputElement>();
  #list = createRef<HTMLUListElement>();
  #turn = 0;
  override state = CLOSED;

  override componentDidUpdate() {
    this.#list.current!.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }

  /** Opens the list; `isNarrow` filters it by the typed text. */
  async #open(isNarrow: boolean) {
    const turn = ++this.#turn;
    const all = await Promise.resolve(this.props.options()).catch(() => []);
    const input = this.#input.current!;
    if (turn !== this.#turn || document.activeElement !== input) return;
    const words = isNarrow ? input.value.toLowerCase().split(/\s+/).filter(Boolean) : [];
    const fitting = all.filter(({ id, name }) =>
      words.every((word) => `${id} ${name ?? ""}`.toLowerCase().includes(word))
    );
    const at = isNarrow ? -1 : fitting.slice(0, MOST).findIndex(({ id }) => id === input.value);
    this.setState({ fitting, isEmpty: !all.length, at });
  }

  #close() {
    this.#turn += 1;
    this.setState(CLOSED);
  }

  #take({ id }: Suggestion) {
    this.#close();
    this.props.onValue(id);
  }

  #press = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    const { fitting, at } = this.state;
    const shown = fitting?.slice(0, MOST) ?? [];
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      if (!shown.length) void this.#open(false);
      else this.setState({ at: (at + step + shown.length) % shown.length });
    } else if (event.key === "Enter" && shown[at]) {
      event.preventDefault();
      this.#take(shown[at]);
    } else if (event.key === "Escape" && shown.length) {
      // The first press of Escape closes the list, not the dialog around it.
      event.preventDefault();
      event.stopPropagation();
      this.#close();
    }
  };

  override render({ value, onValue, attributes }: Props, { fitting, isEmpty, at }: State) {
    const id = this.#id;
    const all = fitting ?? [];
    const shown = all.slice(0, MOST);
    return (
      <div class="combobox">
        <input ref={this.#input} id={id} type="text" role="combobox" autocomplete="off" spellcheck={false}
          autocapitalize="off" aria-autocomplete="list" aria-expanded={shown.length > 0} aria-controls={`${id}-list`}
          aria-activedescendant={at >= 0 ? `${id}-${at}` : undefined} {...attributes} value={value}
          onInput={({ currentTarget }) => {
            onValue(currentTarget.value);
            void this.#open(true);
          }} onClick={() => void this.#open(false)} onKeyDown={this.#press} onBlur={() => this.#close()} />
        <ul id={`${id}-list`} ref={this.#list} role="listbox" class="options plain" aria-label={t("combobox.list")}
          hidden={!shown.length}>
          {shown.map((one, place) => (
            <li key={place} role="option" id={`${id}-${place}`} aria-selected={place === at}
              onPointerDown={(event) => event.preventDefault()} onClick={() => this.#take(one)}>
              <span>{one.id}</span>
              {one.name && one.name !== one.id && <span class="quiet">{one.name}</span>}
              {one.context && (
                <span class="quiet">
                  {t("combobox.context", { n: number(one.context, { notation: "compact" }) })}
                </span>
              )}
            </li>
          ))}
          {all.length > MOST && (
            <li role="presentation" class="quiet more-options">{t("combobox.more", { n: all.length - MOST })}</li>
          )}
        </ul>
        <span class="sr-only" role="status">{!isEmpty && t("combobox.count", { n: all.length })}</span>
      </div>
    );
  }
}
