// A receipt: the decision of a debate as a document that can be checked independently.
import { h, put, button } from "./dom.js";
import { t, has, moment, number, list, language } from "./i18n.js";
import { download } from "./engine.js";

/** By convergence nobody votes: the figure says how alike the proposals were. */
const isConverged = ({ method }) => method === "convergence";
export function verdictTag(receipt) {
  const verdict = isConverged(receipt) ? "converged" : receipt.verdict;
  return h("span", { class: ["tag", verdict === "approved" ? "tag-good" : "tag-open"] },
    has(`receipt.verdict.${verdict}`) ? t(`receipt.verdict.${verdict}`) : String(verdict));
}
const short = (hash) => (hash ? h("code", { class: "hash", title: hash }, `${String(hash).slice(0, 16)}…`) : "–");
const when = (at) => (Number.isNaN(new Date(at).getTime()) ? "–" : moment(at));
const text = (value) => (typeof value === "string" ? value : "");

/** The receipt with buttons to check and to save it; `record` returns the record to check it against, if available. */
export function receiptCard(receipt, { engine, record = null, question = true }) {
  const notice = h("div", { class: "said", role: "status", "data-testid": "receipt-verified" });
  const facts = [
    [t("receipt.issued"), receipt.issued_at && when(receipt.issued_at)],
    [t("debate.result.status"), verdictTag(receipt)],
    [t(isConverged(receipt) ? "debate.result.likeness" : "memory.col.confidence"),
      typeof receipt.confidence === "number" ? number(receipt.confidence, { style: "percent" }) : null],
    [t("receipt.supporting"), Array.isArray(receipt.supporting) ? list(receipt.supporting.map(String)) : null],
    [t("receipt.dissenting"), Array.isArray(receipt.dissenting) && receipt.dissenting.length
      ? list(receipt.dissenting.map(String))
      : t("none")],
    [t("receipt.hash"), short(receipt.content_hash)],
    [t("receipt.before"), receipt.prev_hash ? short(receipt.prev_hash) : t("receipt.first")],
    [t("receipt.root"), short(receipt.messages_root)],
    [t("receipt.key"), receipt.signature
      ? [String(receipt.signature.algorithm ?? ""), " ", short(receipt.signature.public_key?.x)]
      : t("receipt.unsigned")],
  ].filter(([, value]) => value);
  const check = button(t("receipt.verify"), async () => {
    put(notice, t("verify.running"));
    try {
      const { valid, signed, problems } = await engine.Memory.verifyReceipt(receipt,
        record ? await record() : undefined);
      notice.dataset.ok = String(valid);
      put(notice, h("p", null, valid ? t(signed ? "receipt.valid" : "receipt.valid.unsigned") : t("receipt.invalid")),
        problems.length
          ? h("ul", null, problems.map(({ code, message }) =>
            h("li", null,
              has(`receipt.problem.${code}`) ? t(`receipt.problem.${code}`) : h("span", { lang: "en" }, message))
          ))
          : null);
    } catch (error) {
      notice.dataset.ok = "false";
      put(notice, t("verify.failed"), " ", h("span", { lang: "en" }, error.message));
    }
  }, { kind: "primary", testid: "verify-receipt" });
  const save = ["json", "html", "md"].map((format) =>
    button(t(`receipt.save.${format}`), () => {
      try {
        download(engine.Memory.receiptFile(receipt, format, language()));
      } catch (error) {
        notice.dataset.ok = "false";
        put(notice, t("export.failed"), " ", h("span", { lang: "en" }, error.message));
      }
    }, { testid: `receipt-${format}` })
  );
  return h("div", { class: "receipt" }, question && h("p", { class: "question" }, text(receipt.question)),
    h("details", null, h("summary", null, t("receipt.answer")),
      h("div", { class: "prose receipt-answer" }, text(receipt.answer))),
    h("dl", { class: "facts" },
      facts.map(([name, value]) => h("div", null, h("dt", null, name), h("dd", null, value)))),
    h("div", { class: "row" }, check, save), notice);
}
