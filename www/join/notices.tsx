// Messages of the host to all: the newest, until it is closed.
import { Component } from "preact";
import type { GuestState } from "../../src/web/guest.d.ts";
import { Button } from "../elements.tsx";
import { t } from "./words.js";

export class Notices extends Component<{ notices: GuestState["notices"] | undefined }, { closed: number }> {
  override render() {
    const newest = this.props.notices?.at(-1);
    if (!newest || newest.at <= (this.state.closed ?? 0)) return null;
    return (
      <div class="join-notice" role="status" data-testid="notice">
        <p>
          <b>{t("notice")}</b> <span>{newest.text}</span>
        </p>
        <Button kind="quiet" aria-label={t("close")} data-testid="notice-close"
          onClick={() => this.setState({ closed: newest.at })}>
          ✕
        </Button>
      </div>
    );
  }
}
