// The form for the eight-letter code of a room, used if there is no link.
import { Component, createRef } from "preact";
import { findCode, makeLink, meet, readCode, readLink } from "../../src/web/room/guest.js";
import { brokerAddress } from "../../src/web/room/link.js";
import { isComposing } from "../dom.js";
import { Button } from "../elements.tsx";
import { t } from "./words.js";

/**
 * `code`: one that was typed on the page before, which is looked up at once. `isBroken`: the page was opened with an
 * invalid link; `found(link)` gets the text of the link.
 */
interface Props {
  code: string | null;
  isBroken: boolean;
  found(link: string): void;
}
/** The message as the key of a text, and whether something is wrong. */
interface State {
  message: string | null;
  isBad: boolean;
  isSearching: boolean;
}

export class EnterCode extends Component<Props, State> {
  override state: State = { message: this.props.isBroken ? "link.broken" : null, isBad: true, isSearching: false };
  #code = createRef<HTMLInputElement>();
  #address = createRef<HTMLInputElement>();

  #complain = (message: string) => this.setState({ message, isBad: true, isSearching: false });

  override componentDidMount() {
    if (this.props.code) void this.#lookUp();
  }

  async #lookUp() {
    const { found } = this.props;
    const text = this.#code.current!.value;
    const pasted = readLink(text);
    if (pasted) return found(makeLink(pasted));
    const code = readCode(text);
    if (!code) return this.#complain("code.wrong");
    const typed = this.#address.current!.value.trim();
    const place = typed ? brokerAddress(typed) : null;
    if (typed && !place) return this.#complain("code.address.wrong");
    this.setState({ message: "code.searching", isBad: false, isSearching: true });
    // Lets the text be drawn before the key derivation blocks.
    await new Promise((done) => setTimeout(done, 30));
    const places = place ? [meet({ kind: "broker", address: place })] : [meet({ kind: "own" }), meet({ kind: "tabs" })];
    const reached = new Set();
    for (const one of places) one.onState(({ state }: { state: string }) => state === "open" && reached.add(one));
    const link = await findCode(places, code);
    for (const one of places) one.close();
    if (link) {
      this.setState({ isSearching: false });
      return found(makeLink(link));
    }
    this.#complain(reached.has(places[0]) ? "code.none" : "code.offline");
    this.#code.current!.focus();
  }

  override render({ code }: Props, { message, isBad, isSearching }: State) {
    const enter = (event: KeyboardEvent) => {
      if (event.key === "Enter" && !isComposing(event) && !isSearching) void this.#lookUp();
    };
    return (
      <section class="join-card">
        <h2>{t("code.title")}</h2>
        <p>
          <label for="code">{t("code.label")}</label>
          <input ref={this.#code} id="code" type="text" defaultValue={code ?? ""} autocomplete="off"
            autocapitalize="characters" spellcheck={false} maxLength={2000} aria-describedby="code-help"
            class="join-code" data-testid="code" onKeyDown={enter} />
        </p>
        <p class="quiet" id="code-help">{t("code.help")}</p>
        <p class="said" role="status" data-testid="code-said">
          {message && (isBad ? <span class="bad">{t(message)}</span> : t(message))}
        </p>
        <Button kind="primary" data-testid="code-go" disabled={isSearching} onClick={() => void this.#lookUp()}>
          {t("code.go")}
        </Button>
        <details>
          <summary>{t("code.other")}</summary>
          <p>
            <label for="address">{t("code.address")}</label>
            <input ref={this.#address} id="address" type="text" inputMode="url" autocomplete="off" spellcheck={false}
              onKeyDown={enter} />
          </p>
        </details>
      </section>
    );
  }
}
