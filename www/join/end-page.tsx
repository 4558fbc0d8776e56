// The last page for a participant: how it ended, the result, the earnings, the way back, and their own data.
import { Component } from "preact";
import type { Guest, GuestState } from "../../src/web/guest.d.ts";
import { Button } from "../elements.tsx";
import { drafts } from "./drafts.js";
import { Result } from "./result.tsx";
import { Transcript } from "./transcript.tsx";
import { t } from "./words.js";

/** The address if it is safe to link: a host's text is not trusted. */
function address(text: string | null | undefined) {
  try {
    const url = new URL(text ?? "");
    return ["https:", "http:"].includes(url.protocol) ? url : null;
  } catch {
    return null;
  }
}

function download(name: string, value: unknown) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([JSON.stringify(value, null, 2)], { type: "application/json" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** The participant's own data: view, answers and end. */
const ownData = ({ room, you, table, view, answers, end }: GuestState) => ({ room, you, table, view, answers, end });

/** Gives participants their data, and removes it from the device. */
class OwnData extends Component<{ state: GuestState; guest: Guest }, { isForgotten: boolean }> {
  override render() {
    const { state, guest } = this.props;
    const forget = () => {
      guest.forget();
      drafts(guest.link.room).remove();
      this.setState({ isForgotten: true });
    };
    return (
      <details class="join-data no-print">
        <summary data-testid="own-data">{t("data")}</summary>
        <p class="quiet">{t("data.text")}</p>
        <p class="row">
          <Button data-testid="data" onClick={() => download("quorate.json", ownData(state))}>{t("data.get")}</Button>
          <Button kind="quiet" data-testid="forget" onClick={forget}>{t("data.forget")}</Button>
        </p>
        <p role="status" class="quiet">{this.state.isForgotten && t("data.forgotten")}</p>
      </details>
    );
  }
}

const WAYS = ["complete", "declined", "waited", "dropped", "trouble"];

export function EndPage({ state, guest }: { state: GuestState; guest: Guest }) {
  const { end, view } = state;
  const way = end && WAYS.includes(end.way) ? end.way : "complete";
  const back = address(end?.url);
  return (
    <>
      <section class="join-end" data-testid="over">
        <Result state={state} />
        <h2>{t(`over.${way}`)}</h2>
        <p>{t(`over.${way}.text`)}</p>
        {end?.earned && (
          <p class="join-earned">
            {t("earned")}
            <strong>{String(end.earned)}</strong>
          </p>
        )}
        {end?.code && (
          <p class="join-earned">
            {t("code.yours")}
            <strong class="code" translate={false} data-testid="end-code">{end.code}</strong>
          </p>
        )}
        {back && (
          <p>
            <a class="button button-primary" href={back.href} rel="noreferrer noopener" data-testid="return">
              {t("return")}
            </a>
            <span class="quiet">{` ${back.host}`}</span>
          </p>
        )}
      </section>
      {view && (
        <details class="join-seen">
          <summary data-testid="seen-open">{t("seen")}</summary>
          <Transcript state={state} />
        </details>
      )}
      <OwnData state={state} guest={guest} />
    </>
  );
}
