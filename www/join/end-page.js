// The last page for a participant: how it ended, the result, the earnings, the way back, and their own data.
import { button, h, put } from "../dom.js";
import { drafts } from "./question.js";
import { outcome, transcript } from "./transcript.js";
import { t } from "./words.js";

/** The address if it is safe to link: a host's text is not trusted. */
function address(text) {
  try {
    const url = new URL(text);
    return ["https:", "http:"].includes(url.protocol) ? url : null;
  } catch {
    return null;
  }
}

function download(name, value) {
  const url = URL.createObjectURL(new Blob([JSON.stringify(value, null, 2)], { type: "application/json" }));
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** The participant's own data: view, answers and end. */
export const ownData = ({ room, you, table, view, answers, end }) => ({ room, you, table, view, answers, end });

const WAYS = ["complete", "declined", "waited", "dropped", "trouble"];

export function endPage(state, { link, guest }) {
  const { end, view, table } = state;
  const way = WAYS.includes(end?.way) ? end.way : "complete";
  const back = end?.url ? address(end.url) : null;
  const result = view && outcome(view, table?.seat, table?.people);
  const forgotten = h("p", { role: "status", class: "quiet" });
  return [
    h("section", { class: "join-card", "data-testid": "over" }, h("h2", null, t(`over.${way}`)),
      h("p", null, t(`over.${way}.text`)), result && h("div", { class: "join-result" }, result),
      end?.earned && h("p", { class: "join-earned" }, t("earned"), h("strong", null, String(end.earned))), end?.code
      && h("p", { class: "join-earned" }, t("code.yours"),
        h("strong", { class: "code", translate: "no", "data-testid": "end-code" }, end.code)), back
      && h("p", null,
        h("a", { class: "button button-primary", href: back.href, rel: "noreferrer noopener", "data-testid": "return" },
          t("return")), h("span", { class: "quiet" }, ` ${back.host}`))),
    h("section", { class: "join-card" }, h("h2", null, t("data")), h("p", { class: "quiet" }, t("data.text")),
      h("p", { class: "row" },
        button(t("data.get"), () => download("quorate.json", ownData(state)), { testid: "data" }),
        button(t("data.forget"), () => {
          guest.forget();
          drafts(link.room).remove();
          put(forgotten, t("data.forgotten"));
        }, { kind: "quiet", testid: "forget" })), forgotten),
    view
    && h("section", { class: "join-seen" }, h("h2", null, t("seen")), transcript(view, table?.seat, table?.people)),
  ];
}
