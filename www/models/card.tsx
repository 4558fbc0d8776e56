// One provider: where to get a key, a field for it, a test, and its models.
import { useState } from "preact/hooks";
import { Combobox } from "../combobox.tsx";
import { Button, Made } from "../elements.tsx";
import { has, t } from "../i18n.js";
import { useUid } from "../inputs.tsx";
import { KeyField, useKeys } from "../key-fields.tsx";
import { keyAt, masked } from "../keys.js";
import { failed, type Message } from "../notice.tsx";
import { allows, inUse, originOf, unuse } from "../origins.js";
import { catalogue } from "../pkg/quorate.js";
import type { Model, ProviderId } from "../pkg/quorate.js";
import { canSignIn, signIn } from "../signin.js";
import { isKept } from "../vault.js";
import type { Engine } from "../view-types.ts";
import { Allow, ConnectionResult, type Result } from "./connection-result.tsx";
import { checkConnection } from "./endpoint-models.js";
import { firstModel, type PROVIDERS } from "./providers.js";
import { prepare, startRun } from "./start-run.js";

export type Provider = (typeof PROVIDERS)[number];
interface CardProps {
  provider: Provider;
  engine: Engine;
  isOpen?: boolean;
  /** Of a provider that has none of its own. */
  address?: string;
}

/** Whether there is a key, and where it is stored. */
function KeyState({ id, origin }: { id: string; origin: string | null }) {
  useKeys();
  const mask = origin && masked(origin);
  const isUsed = origin && inUse().includes(origin);
  return (
    <span class="quiet" data-testid={`state-${id}`}>
      {mask ? `${mask}${isKept(origin) ? ` · ${t("vault.kept")}` : ""}` : isUsed && t("models.inuse")}
    </span>
  );
}

/** The field for the address; a change counts when the field is left. */
function Address(
  { provider: { id, baseUrl }, address, setAddress }: { provider: Provider; address: string;
    setAddress: (address: string) => void },
) {
  const field = useUid("address");
  return (
    <div class="field">
      <label for={field}>{t(baseUrl ? "models.address" : "models.address.other")}</label>
      <input id={field} type="url" defaultValue={address} spellcheck={false} autocapitalize="off"
        placeholder={baseUrl || "https://example.org/v1"} data-testid={`address-${id}`}
        onChange={({ currentTarget }) => setAddress(currentTarget.value.trim())} />
    </div>
  );
}

/** A choice among the models, and how to start with one. */
function Offer(
  { provider: { id }, models, baseUrl, engine, fail }: { provider: Provider; models: Model[] | null;
    baseUrl: string | null; engine: Engine; fail: (error: unknown) => void },
) {
  const [model, setModel] = useState(() => models?.length ? firstModel(catalogue(id as ProviderId).first, models) : "");
  const field = useUid();
  const seat = { provider: id, model, baseUrl };
  return (
    <>
      <label for={field}>{t("models.model")}</label>
      <Combobox value={model} options={() => models ?? []} onValue={(value) => setModel(value.trim())}
        attributes={{ id: field, "data-testid": `model-${id}` }} />
      <p class="help">{t("models.begin.text")}</p>
      <div class="row">
        <Button kind="primary" icon="play" disabled={!model} data-testid={`begin-${id}`}
          onClick={() => startRun(engine, seat).catch(fail)}>
          {t("models.begin")}
        </Button>
        <Button kind="quiet" disabled={!model} data-testid={`prepare-${id}`} onClick={() => prepare(engine, seat)}>
          {t("models.prepare")}
        </Button>
      </div>
    </>
  );
}

export function Card({ provider, engine, isOpen = false, address: given = "" }: CardProps) {
  const { id, local, keyPage } = provider;
  // A provider at a typed address.
  const isOther = !provider.baseUrl;
  const name = provider.name || t("models.other.name");
  const [address, setTyped] = useState(provider.baseUrl || given);
  const [result, setResult] = useState<Result | "testing" | null>(null);
  const [trouble, setTrouble] = useState<Message | null>(null);
  const baseUrl = address || provider.baseUrl;
  const origin: string | null = originOf(baseUrl);
  const [startsOpen] = useState(() =>
    isOpen || (isOther && given !== "") || Boolean(origin && inUse().includes(origin) && keyAt(origin))
  );
  const clear = () => {
    setResult(null);
    setTrouble(null);
  };
  const setAddress = (text: string) => {
    setTyped(text);
    clear();
  };
  const keyChanged = () => {
    if (keyAt(origin)) return;
    unuse([origin]);
    clear();
  };
  const test = async () => {
    setTrouble(null);
    setResult("testing");
    setResult(await checkConnection({ provider: id, baseUrl, key: keyAt(origin) }));
  };
  const fail = (error: unknown) => setTrouble(failed("home.failed", error));
  const addressField = <Address provider={provider} address={address} setAddress={setAddress} />;
  const known = result === "testing" ? null : result;
  const isGood = trouble ? false : known?.ok;
  return (
    <details class="provider" data-provider={id} open={startsOpen}>
      <summary>
        <h3>{name}</h3>
        <KeyState id={id} origin={origin} />
      </summary>
      <div class="provider-body">
        {has(`models.about.${id}`) && <p class="quiet">{t(`models.about.${id}`)}</p>}
        {keyPage && (
          <p>
            <a href={`https://${keyPage}`} target="_blank" rel="noreferrer noopener">
              {t("models.keypage", { page: keyPage })}
            </a>
          </p>
        )}
        {id === "openrouter" && canSignIn() && (
          <>
            <p class="signin">
              <Button data-testid="signin" onClick={() => signIn()}>{t("models.signin")}</Button>
            </p>
            <p class="help">{t("models.signin.text")}</p>
          </>
        )}
        {isOther && (
          <>
            {addressField}
            <p class="help">{t("models.address.help")}</p>
          </>
        )}
        {local && (
          <>
            <p>{t(`models.allow.${id}`, { page: location.origin })}</p>
            <details class="more">
              <summary>{t("models.address.more")}</summary>
              {addressField}
            </details>
          </>
        )}
        <div>
          {!origin
            ? !(isOther && !address) && <p class="fault">{t("models.problem.address")}</p>
            : !allows(origin)
            ? (
              <>
                <p>{t("models.problem.blocked")}</p>
                <Allow origin={origin} testid={`allow-${id}`} />
              </>
            )
            : (
              <KeyField key={origin} place={origin} label={t(local || isOther ? "models.key.maybe" : "models.key")}
                name={name} testid={`key-${id}`} onChange={keyChanged}
                test={{ label: t("models.test"), testid: `test-${id}`, kind: "primary", run: test }} />
            )}
        </div>
        <div class="said" role="status" data-ok={isGood === undefined ? undefined : String(isGood)}
          data-testid={`said-${id}`}>
          {trouble
            ? (
              <p>
                {trouble.text} <span lang="en">{(trouble.error as Error).message}</span>
              </p>
            )
            : result === "testing"
            ? <p>{t("keys.testing")}</p>
            : result && <ConnectionResult of={result} endpoint={{ provider: id, baseUrl }} />}
        </div>
        <div class="offer">
          {known?.ok && (
            <Offer provider={provider} models={known.models} engine={engine} fail={fail}
              baseUrl={baseUrl === provider.baseUrl ? null : baseUrl} />
          )}
        </div>
      </div>
    </details>
  );
}
