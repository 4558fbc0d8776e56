// A receipt: the decision of a debate as a document that can be checked independently. It may be anything that a file held.
import { useEffect } from "preact/hooks";
import type { ComponentChildren } from "preact";
import type { Entry, Language, Receipt } from "../../src/web/quorate.d.ts";
import { Button, drawn } from "../elements.tsx";
import { download, type Memory } from "../engine.js";
import { has, language, list, moment, number, t } from "../i18n.js";
import { failed, Notice, useMessage } from "../notice.tsx";

type Claimed = { [key in keyof Receipt]?: unknown } & {
  signature?: { algorithm?: unknown; public_key?: { x?: unknown } };
};

/** By convergence nobody votes: the figure says how alike the proposals were. */
const isConverged = ({ method }: Claimed) => method === "convergence";

export function Verdict({ receipt }: { receipt: Claimed }) {
  const verdict = isConverged(receipt) ? "converged" : String(receipt.verdict);
  return (
    <span class={`tag ${verdict === "approved" ? "tag-good" : "tag-open"}`}>
      {has(`receipt.verdict.${verdict}`) ? t(`receipt.verdict.${verdict}`) : verdict}
    </span>
  );
}

const text = (value: unknown) => (typeof value === "string" ? value : "");
const names = (value: unknown) => (Array.isArray(value) && value.length ? list(value.map(String)) : null);
const when = (at: unknown) => (Number.isNaN(new Date(String(at)).getTime()) ? "–" : moment(String(at)));
const Short = ({ hash }: { hash: unknown }) =>
  hash ? <code class="hash" title={String(hash)}>{`${String(hash).slice(0, 16)}…`}</code> : <>–</>;

const factsOf = (receipt: Claimed): [string, ComponentChildren][] => [
  [t("receipt.issued"), receipt.issued_at ? when(receipt.issued_at) : null],
  [t("receipt.status"), <Verdict receipt={receipt} />],
  [t(isConverged(receipt) ? "receipt.likeness" : "memory.col.confidence"),
    typeof receipt.confidence === "number" ? number(receipt.confidence, { style: "percent" }) : null],
  [t("receipt.supporting"), Array.isArray(receipt.supporting) ? list(receipt.supporting.map(String)) : null],
  [t("receipt.dissenting"), names(receipt.dissenting) ?? t("none")],
  [t("receipt.hash"), <Short hash={receipt.content_hash} />],
  [t("receipt.before"), receipt.prev_hash ? <Short hash={receipt.prev_hash} /> : t("receipt.first")],
  [t("receipt.root"), <Short hash={receipt.messages_root} />],
  [t("receipt.key"), receipt.signature
    ? (
      <>
        {String(receipt.signature.algorithm ?? "")} <Short hash={receipt.signature.public_key?.x} />
      </>
    )
    : t("receipt.unsigned")],
];

interface Props {
  receipt: Claimed;
  engine: { Memory: typeof Memory };
  /** The record to check it against, if there is one. */
  record?: () => Entry[];
  /** Whether the question is shown; checked at once. */
  hasQuestion?: boolean;
  isChecked?: boolean;
}

/** The receipt with buttons to check and to save it. */
export function ReceiptCard({ receipt, engine: { Memory }, record, hasQuestion = true, isChecked = false }: Props) {
  const [message, setMessage] = useMessage();
  const check = async () => {
    setMessage({ text: t("verify.running") });
    try {
      const { valid, signed, problems } = await Memory.verifyReceipt(receipt, record?.());
      setMessage({ isGood: valid, text: (
        <>
          <p>{valid ? t(signed ? "receipt.valid" : "receipt.valid.unsigned") : t("receipt.invalid")}</p>
          {problems.length > 0 && (
            <ul>
              {problems.map(({ code, message }) => (
                <li>
                  {has(`receipt.problem.${code}`) ? t(`receipt.problem.${code}`) : <span lang="en">{message}</span>}
                </li>
              ))}
            </ul>
          )}
        </>
      ) });
    } catch (error) {
      setMessage(failed("verify.failed", error));
    }
  };
  const save = (format: "json" | "html" | "md") => {
    try {
      download(Memory.receiptFile(receipt, format, language() as Language));
    } catch (error) {
      setMessage(failed("export.failed", error));
    }
  };
  useEffect(() => {
    if (isChecked) void check();
  }, [receipt]);
  return (
    <div class="receipt">
      {hasQuestion && <p class="question">{text(receipt.question)}</p>}
      <details>
        <summary>{t("receipt.answer")}</summary>
        <div class="prose receipt-answer">{text(receipt.answer)}</div>
      </details>
      <dl class="facts">
        {factsOf(receipt).filter(([, value]) => value).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <div class="row">
        <Button kind="primary" data-testid="verify-receipt" onClick={check}>{t("receipt.verify")}</Button>
        {(["json", "html", "md"] as const).map((format) => (
          <Button key={format} data-testid={`receipt-${format}`} onClick={() => save(format)}>
            {t(`receipt.save.${format}`)}
          </Button>
        ))}
      </div>
      <Notice message={message} role="status" testid="receipt-verified" as="div" />
    </div>
  );
}
export const receiptCard = (props: Props) => drawn(<ReceiptCard {...props} />);
