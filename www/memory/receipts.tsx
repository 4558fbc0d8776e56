// The stored receipts, newest first, and a check of receipts from elsewhere.
import { useState } from "preact/hooks";
import type { Receipt } from "../../src/web/quorate.d.ts";
import { moment, t } from "../i18n.js";
import { FileButton, Notice, useMessage } from "../notice.tsx";
import { textOf } from "../text-file.js";
import type { Place } from "./memory.tsx";
import { ReceiptCard, Verdict } from "./receipt.tsx";

function Receipts({ all, engine }: { all: Receipt[]; engine: Place["engine"] }) {
  const [picked, setPicked] = useState<{ name: string; receipt: Receipt } | null>(null);
  const [message, setMessage] = useMessage();
  const check = async (file: File) => {
    setMessage({});
    const receipt: Receipt | null = await textOf(file).then(JSON.parse).catch(() => null);
    if (receipt) setPicked({ name: file.name, receipt });
    else setMessage({ text: t("receipt.notread", { name: file.name }), isGood: false });
  };
  return (
    <section>
      <h2 class="sr-only">{t("memory.receipts")}</h2>
      <p class="quiet">{t("receipt.text")}</p>
      <div class="row">
        <FileButton id="receipt-file" accept=".json,application/json" testid="receipt-file" onPick={check}>
          {t("receipt.check")}
        </FileButton>
      </div>
      <Notice message={message} />
      {picked && (
        <div>
          <h3>{picked.name}</h3>
          <ReceiptCard receipt={picked.receipt} engine={engine} isChecked />
        </div>
      )}
      {!all.length && <p class="empty">{t("receipt.empty")}</p>}
      {all.length > 0 && (
        <ul class="plain items">
          {all.map((receipt) => (
            <li key={receipt.receipt_id} class="card item" data-testid="receipt">
              <details>
                <summary>
                  <span class="receipt-question">{receipt.question}</span> <Verdict receipt={receipt} />{" "}
                  <span class="quiet">{moment(receipt.issued_at)}</span>
                </summary>
                <ReceiptCard receipt={receipt} engine={engine} hasQuestion={false} />
              </details>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

export const receipts = async ({ engine }: Place) => <Receipts all={await engine.Memory.receipts()} engine={engine} />;
