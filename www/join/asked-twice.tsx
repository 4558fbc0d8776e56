// A button that asks once more before it acts. The focus goes to the button that changes nothing.
import { Component, createRef } from "preact";
import { Button } from "../elements.tsx";
import { t } from "./words.js";

interface Props {
  id: string;
  label: string;
  question: string;
  yes: string;
  go: () => void;
}

export class AskedTwice extends Component<Props, { isAsking: boolean }> {
  #safe = createRef<HTMLButtonElement>();

  override componentDidUpdate(_: Props, { isAsking }: { isAsking: boolean }) {
    if (isAsking !== this.state.isAsking) this.#safe.current?.focus();
  }

  override render({ id, label, question, yes, go }: Props, { isAsking }: { isAsking: boolean }) {
    const ask = (is: boolean) => this.setState({ isAsking: is });
    if (!isAsking) {
      return (
        <Button key="ask" place={this.#safe} kind="quiet" data-testid={id} onClick={() => ask(true)}>{label}</Button>
      );
    }
    const sure = () => {
      ask(false);
      go();
    };
    return (
      <p key="sure" role="alert">
        {question} <Button kind="danger" data-testid={`${id}-sure`} onClick={sure}>{yes}</Button>{" "}
        <Button place={this.#safe} data-testid={`${id}-stay`} onClick={() => ask(false)}>{t("leave.no")}</Button>
      </p>
    );
  }
}
