// The last seconds before a question is closed: asks whether its person is there.
import { Component, createRef } from "preact";
import type { Guest, Question } from "../../src/web/guest.d.ts";
import { Button, Filled, Verbatim } from "../elements.tsx";
import { Face } from "../pictures/people.tsx";
import { ownFace } from "./table.tsx";
import { t } from "./words.js";

/** Milliseconds after a touch or a key in which somebody is surely there. */
const RECENT = 10_000;

export class StillThere extends Component<{ guest: Guest; questions: Question[] }, { isShown: boolean }> {
  #button = createRef<HTMLButtonElement>();
  #timer = 0;
  #touched = -RECENT;
  /** The deadline that was moved already. */
  #told: number | null = null;

  #touch = () => (this.#touched = performance.now());
  override componentDidMount() {
    this.#timer = window.setInterval(() => this.setState({}), 500);
    for (const event of ["pointerdown", "keydown", "input"]) addEventListener(event, this.#touch);
  }
  override componentWillUnmount() {
    clearInterval(this.#timer);
    for (const event of ["pointerdown", "keydown", "input"]) removeEventListener(event, this.#touch);
  }
  override componentDidUpdate() {
    const button = this.#button.current;
    if (button && !button.dataset.focused) {
      button.dataset.focused = "yes";
      button.focus();
    }
  }

  #here = (deadline: number) => {
    this.#told = deadline;
    this.props.guest.here();
    this.setState({});
  };

  override render() {
    const { guest, questions } = this.props;
    const now = guest.now();
    const due = questions.find(({ warnsAt, deadline }) => warnsAt && deadline && now >= warnsAt && now < deadline);
    if (!due || this.#told === due.deadline) return null;
    if (performance.now() - this.#touched < RECENT) {
      this.#here(due.deadline!);
      return null;
    }
    const { state } = guest;
    const left = due.deadline! - now;
    const me = ownFace(state);
    const name = me?.name ?? state.you?.name ?? state.you?.pseudonym ?? "";
    const kind = due.then ?? "skip";
    return (
      <div class="still" role="alertdialog" aria-modal="true" aria-labelledby="still-title"
        aria-describedby="still-text" data-testid="still-there">
        <svg viewBox="0 0 200 200" width="190" aria-hidden="true">
          <circle class="still-ring" cx="100" cy="100" r="90" />
          <circle class="still-left" cx="100" cy="100" r="90" pathLength="100" transform="rotate(-90 100 100)"
            stroke-dasharray={`${Math.max(0, (left / (due.deadline! - due.warnsAt!)) * 100)} 100`} />
          <g transform="translate(56 56)">
            <Face index={me?.index ?? 0} size={88} />
          </g>
        </svg>
        <h2 id="still-title">
          <Filled text={t("still")} with={{ name: <Verbatim>{name}</Verbatim> }} />
        </h2>
        <p id="still-text">{t(`still.${kind}`, { n: Math.max(1, Math.ceil(left / 1000)), name })}</p>
        {kind === "skip" && <p class="quiet">{t("still.nobody")}</p>}
        <Button place={this.#button} kind="primary" more="button-wide" data-testid="here"
          onClick={() => this.#here(due.deadline!)}>
          {t("still.here")}
        </Button>
      </div>
    );
  }
}
