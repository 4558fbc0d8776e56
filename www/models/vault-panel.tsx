// Where keys are stored: in this tab, or optionally on this device, encrypted with a passphrase. With its dialogs.
import { useEffect, useRef, useState } from "preact/hooks";
import { confirmDialog, openDialog } from "../dialog.tsx";
import { Button, Icon } from "../elements.tsx";
import { number, t } from "../i18n.js";
import { Select } from "../inputs.tsx";
import { keysFor } from "../keys.js";
import { type Message, Notice, useMessage } from "../notice.tsx";
import { inUse, unuse } from "../origins.js";
import * as vault from "../vault.js";

export function VaultPanel() {
  const [, draw] = useState({});
  // Not with every key: what is being pressed below must not move.
  useEffect(() => {
    const stop = vault.onVault(() => draw({}));
    return () => void stop();
  }, []);
  const heading = useRef<HTMLHeadingElement>(null);
  const state = vault.state();
  const hasKeys = Object.keys(keysFor()).length > 0;
  const act = (work: () => unknown) => async () => {
    await work();
    draw({});
    heading.current?.focus();
  };
  const forget = async () => {
    if (!(await confirmDialog(t("vault.forget"), t("vault.forget.text"), t("vault.forget")))) return;
    await vault.forgetAll();
    unuse(inUse());
  };
  return (
    <section class="vault" aria-labelledby="vault-title">
      <h2 ref={heading} id="vault-title" tabIndex={-1}>
        <Icon name="lock" /> {t("vault.title")}
      </h2>
      <p data-testid="vault-state" data-state={state}>{t(`vault.${state}`)}</p>
      <div class="row">
        {state === "none" && vault.canKeep() && (
          <Button data-testid="vault-keep" onClick={act(keepDialog)}>{t("vault.keep")}</Button>
        )}
        {state === "locked" && (
          <Button kind="primary" data-testid="vault-unlock" onClick={act(unlockDialog)}>{t("vault.unlock")}</Button>
        )}
        {state === "open" && (
          <>
            <Button data-testid="vault-lock" onClick={act(vault.lock)}>{t("vault.lock")}</Button>
            <span class="inline">
              <label for="vault-minutes">{t("vault.after")}</label>
              <Select id="vault-minutes" value={String(vault.lockAfter())} options={vault.MINUTES.map(String)}
                name={(n) => t("vault.minutes", { n: Number(n) })} onPick={(n) => vault.setLockAfter(Number(n))}
                data-testid="vault-minutes" />
            </span>
            <Button kind="quiet" data-testid="vault-discard" onClick={act(vault.discard)}>{t("vault.discard")}</Button>
          </>
        )}
        {(hasKeys || state !== "none") && (
          <Button kind="quiet" data-testid="vault-forget" onClick={act(forget)}>{t("vault.forget")}</Button>
        )}
      </div>
      {state === "none" && !vault.canKeep() && <p class="help">{t("vault.cannot")}</p>}
    </section>
  );
}

const HIDDEN = { type: "password", spellcheck: false, autocapitalize: "off" } as const;
const wrong = (key: string, values = {}): Message => ({ text: t(key, values), isGood: false });
type Close = (isDone?: true | null) => void;

function KeepForm({ close }: { close: Close }) {
  const [message, setMessage] = useMessage();
  const [isBusy, setBusy] = useState(false);
  const first = useRef<HTMLInputElement>(null);
  const again = useRef<HTMLInputElement>(null);
  const judge = () => {
    const { length } = [...first.current!.value];
    setMessage({ text: length >= vault.LEAST && length < vault.GOOD ? t("vault.weak") : "" });
  };
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const passphrase = first.current!.value;
    if ([...passphrase].length < vault.LEAST) {
      return setMessage(wrong("vault.short", { least: number(vault.LEAST) }));
    }
    if (vault.isGuessable(passphrase)) return setMessage(wrong("vault.guessable"));
    if (passphrase !== again.current!.value) return setMessage(wrong("vault.differ"));
    setBusy(true);
    first.current!.value = again.current!.value = "";
    try {
      await vault.keep(passphrase);
      close(true);
    } catch {
      setBusy(false);
      setMessage(wrong("vault.failed"));
    }
  };
  return (
    <form class="stack" onSubmit={submit}>
      <p>{t("vault.explain")}</p>
      <p class="help" id="passphrase-help">{t("vault.explain.lost")}</p>
      <label for="passphrase">{t("vault.passphrase")}</label>
      <input ref={first} id="passphrase" autocomplete="new-password" {...HIDDEN} aria-describedby="passphrase-help"
        data-testid="passphrase" onInput={judge} />
      <label for="passphrase-again">{t("vault.again")}</label>
      <input ref={again} id="passphrase-again" autocomplete="new-password" {...HIDDEN} data-testid="passphrase-again" />
      <Notice message={message} role="status" testid="passphrase-said" />
      <div class="row end">
        <Button onClick={() => close()}>{t("cancel")}</Button>
        <button class="button button-primary" type="submit" disabled={isBusy} data-testid="passphrase-save">
          {t("vault.save")}
        </button>
      </div>
    </form>
  );
}

/** Asks for a passphrase, twice, and stores the keys under it. */
const keepDialog = () =>
  openDialog<true>(t("vault.keep"), (close) => <KeepForm close={close} />, { testid: "keep-dialog" });

function UnlockForm({ close }: { close: Close }) {
  const [message, setMessage] = useMessage();
  const [isBusy, setBusy] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current!.focus(), []);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const passphrase = field.current!.value;
    field.current!.value = "";
    setBusy(true);
    setMessage({ text: t("vault.opening") });
    const fits = await vault.unlock(passphrase).catch(() => null);
    if (fits) return close(true);
    setBusy(false);
    setMessage(wrong(fits === null ? "vault.failed" : "vault.wrong"));
    field.current!.focus();
  };
  return (
    <form class="stack" onSubmit={submit}>
      <label for="unlock-passphrase">{t("vault.passphrase")}</label>
      <input ref={field} id="unlock-passphrase" autocomplete="current-password" {...HIDDEN}
        data-testid="unlock-passphrase" />
      <Notice message={message} role="status" testid="unlock-said" />
      <div class="row end">
        <Button onClick={() => close()}>{t("cancel")}</Button>
        <button class="button button-primary" type="submit" disabled={isBusy} data-testid="unlock-do">
          {t("vault.unlock")}
        </button>
      </div>
    </form>
  );
}

/** Asks for the passphrase; resolves with true once the keys are unlocked. */
export const unlockDialog = () =>
  openDialog<true>(t("vault.unlock"), (close) => <UnlockForm close={close} />, { testid: "unlock-dialog" });
