// The receipt of a finished debate, and the deliveries of its result.
import { h, put, button } from "../dom.js";
import { t, has, moment } from "../i18n.js";
import { receiptCard } from "../memory/receipt.tsx";
import { settle, send, share, canShare } from "../deliver.js";
import { Memory } from "../engine.js";
import { allowOrigins } from "../allow-origins.js";
import { allows, originOf } from "../origins.js";

const whereTo = ({ kind, origin, url }) => t(`deliver.${kind}`, { to: origin ?? url ?? "" });

function deliveries(rows) {
  if (!rows.length) return h("p", { class: "quiet" }, t("deliver.none"));
  return h("ul", { class: "plain list", "data-testid": "deliveries" },
    rows.map((row) =>
      h("li", null, whereTo(row.target),
        h("span", { class: "quiet" },
          [t(`deliver.status.${row.status}`), row.delivered_at && moment(row.delivered_at)].filter(Boolean).join(" · "),
          row.error && row.status !== "delivered" ? [" · ", h("span", { lang: "en" }, row.error)] : null))
    ));
}

function sending(id) {
  const place = h("div");
  const notice = h("p", { class: "said", role: "alert" });
  const draw = async () =>
    put(place, deliveries((await Memory.items("outbox")).map(({ value }) =>
      value
    ).filter((row) => row.debate_id === id)));
  const act = (work) => async () => {
    try {
      put(notice);
      await work();
    } catch (error) {
      if (error.name === "AbortError") return;
      notice.dataset.ok = "false";
      put(notice, t("memory.failed"), " ", h("span", { lang: "en" }, error.message));
    }
    await draw();
  };
  const url = h("input", { type: "url", id: "hook", placeholder: "https://", autocomplete: "off" });
  draw();
  return [h("p", { class: "quiet" }, t("deliver.text")), place,
    h("div", { class: "row" },
      button(t("deliver.send"), act(() => send(id, { kind: "broadcast" })), { testid: "send-tabs" }),
      canShare() ? button(t("deliver.share.do"), act(() => share(id))) : null),
    h("details", { class: "add" }, h("summary", null, t("deliver.hook")),
      h("label", { for: "hook" }, t("deliver.hook.url")),
      h("div", { class: "row" }, url, button(t("deliver.hook"), act(async () => {
        const origin = originOf(url.value.trim());
        if (origin && !allows(origin)) return allowOrigins([origin]);
        await send(id, { kind: "webhook", url: url.value.trim() });
      }))), h("p", { class: "help" }, t("deliver.hook.text"))), notice];
}

/** The section of the results; null if this browser stores no receipt. */
export async function afterDebate(lab) {
  const { id } = lab.session;
  const report = await settle(id).catch(() => null);
  const receipt = report && (await Memory.receipt(id).catch(() => null));
  if (!receipt) return null;
  const why = report.parts.find(({ store, status }) => store === "knowledge" && status === "skipped");
  return h("div", { class: "left" },
    h("section", null, h("h2", null, t("receipt.title")), h("p", { class: "quiet" }, t("receipt.text")),
      receiptCard({ receipt, engine: { Memory }, record: () => lab.session.entries(), hasQuestion: false }),
      why && has(`memory.skipped.${why.reason}`)
        ? h("p", { class: "quiet" }, t(`memory.skipped.${why.reason}`))
        : null), h("section", { class: "no-print" }, h("h2", null, t("deliver.title")), sending(id)));
}
