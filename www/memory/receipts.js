// The stored receipts, newest first, and a check of receipts from elsewhere.
import { textOf } from "../text-file.js";
import { h, put } from "../dom.js";
import { t, moment } from "../i18n.js";
import { receiptCard, verdictTag } from "../receipt.js";

export async function receipts({ engine }) {
  const all = await engine.Memory.receipts();
  const place = h("div");
  const notice = h("p", { class: "said", role: "alert" });
  const file = h("input", { type: "file", id: "receipt-file", class: "sr-only", accept: ".json,application/json",
    "data-testid": "receipt-file", on: { change: async () => {
      const [picked] = file.files;
      file.value = "";
      if (!picked) return;
      try {
        put(notice);
        const card = receiptCard(JSON.parse(await textOf(picked)), { engine });
        put(place, h("h3", null, picked.name), card);
        card.querySelector("[data-testid=verify-receipt]")?.click();
      } catch {
        notice.dataset.ok = "false";
        put(notice, t("receipt.notread", { name: picked.name }));
      }
    } } });
  return h("section", null, h("h2", { class: "sr-only" }, t("memory.receipts")),
    h("p", { class: "quiet" }, t("receipt.text")),
    h("div", { class: "row" }, file, h("label", { for: "receipt-file", class: "button" }, t("receipt.check"))), notice,
    place, all.length
    ? h("ul", { class: "plain items" },
      all.map((receipt) =>
        h("li", { class: "card item", "data-testid": "receipt" },
          h("details", null,
            h("summary", null, h("span", { class: "receipt-question" }, receipt.question), " ", verdictTag(receipt),
              " ", h("span", { class: "quiet" }, moment(receipt.issued_at))),
            receiptCard(receipt, { engine, question: false })))
      ))
    : h("p", { class: "empty" }, t("receipt.empty")));
}
