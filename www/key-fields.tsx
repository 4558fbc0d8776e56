// Fields for API keys. Only the end of a stored key is shown.
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { isComposing } from "./dom.js";
import { openDialog } from "./dialog.tsx";
import { Button } from "./elements.tsx";
import { t } from "./i18n.js";
import { useUid } from "./inputs.tsx";
import { endpoints, isLocal, keyAt, masked, nameOf, onKeys, originOfPlace, placeOf, setKey } from "./keys.js";
import { ConnectionResult, type Result } from "./models/connection-result.tsx";
import { checkConnection } from "./models/endpoint-models.js";
import { keyedOrigins } from "./origins.js";
import { onVault } from "./vault.js";

/** Draws a component again when keys change, or where they are stored. */
export function useKeys() {
  const [, draw] = useState({});
  useEffect(() => {
    const changed = () => draw({});
    const stops = [onKeys(changed), onVault(changed)];
    return () => stops.forEach((stop) => stop());
  }, []);
}

interface KeyFieldProps {
  place: string;
  label: ComponentChildren;
  /** Names the place where the label does not. */
  name: string;
  testid?: string;
  onChange?: () => void;
  /** A button that tests the key. */
  test?: { label: string; testid: string; kind?: "primary"; run: () => Promise<void> };
  children?: ComponentChildren;
}

/** A field for one key. */
export function KeyField({ place, label, name, testid = "key", onChange, test, children }: KeyFieldProps) {
  useKeys();
  const id = useUid("key");
  const input = useRef<HTMLInputElement>(null);
  const [isTesting, setTesting] = useState(false);
  const origin = originOfPlace(place);
  const mask = masked(place);
  const set = (key: string | null) => {
    setKey(place, key);
    input.current!.value = "";
    onChange?.();
  };
  const keep = () => {
    const key = input.current!.value.trim();
    if (key) set(key);
  };
  const forget = () => {
    set(null);
    input.current!.focus();
  };
  const run = async () => {
    keep();
    setTesting(true);
    await test!.run();
    setTesting(false);
  };
  const state = mask
    ? t("keys.kept", { last: mask })
    : t(place !== origin ? "keys.seat.none" : isLocal(origin) ? "keys.local" : "keys.missing");
  return (
    <div class="key">
      <label for={id}>{label}</label>
      <div class="row">
        <input ref={input} id={id} type="password" autocomplete="off" spellcheck={false} autocapitalize="off"
          placeholder={!mask && isLocal(origin) ? t("keys.optional") : ""} data-testid={testid} onChange={keep}
          onKeyDown={(event) => test && event.key === "Enter" && !isComposing(event) && !isTesting && void run()} />
        {test && (
          <Button {...(test.kind && { kind: test.kind })} data-testid={test.testid} disabled={isTesting} onClick={run}>
            {test.label}
          </Button>
        )}
        {/* Disabled, not hidden: the test button must not move while it is being pressed. */}
        <Button kind="quiet" disabled={!mask} aria-label={`${t("keys.forget")}: ${name}`} onClick={forget}>
          {t("keys.forget")}
        </Button>
      </div>
      <p class="quiet">{state}</p>
      {children}
    </div>
  );
}

/** Gets an origin and the models found by a test. */
type OnModels = (origin: string, models: unknown[]) => void;
interface Endpoint {
  origin: string;
  baseUrl: string;
  provider: string | null;
  seats: string[];
}

function EndpointKey({ endpoint, onModels }: { endpoint: Endpoint; onModels: OnModels | undefined }) {
  const { origin, seats } = endpoint;
  const [result, setResult] = useState<Result | "testing" | null>(null);
  const run = async () => {
    setResult("testing");
    const found = await checkConnection({ ...endpoint, key: keyAt(origin) });
    setResult(found);
    if (found.models) onModels?.(origin, found.models);
  };
  const label = t("keys.for", { origin: nameOf(origin) });
  const own = [...new Set(seats)];
  return (
    <KeyField place={origin} label={label} name={label} test={{ label: t("keys.test"), testid: "key-test", run }}>
      <div class="said" role="status" data-ok={result && result !== "testing" ? String(result.ok) : undefined}>
        {result === "testing" ? t("keys.testing") : result && <ConnectionResult of={result} endpoint={endpoint} />}
      </div>
      {own.length > 1 && (
        <details class="key-seats" open={own.some((seat) => keyAt(placeOf(origin, seat)) !== null)}>
          <summary>{t("keys.seats")}</summary>
          <p class="help">{t("keys.seats.text")}</p>
          {own.map((seat) => (
            <KeyField key={seat} place={placeOf(origin, seat)} label={t("keys.seat", { name: seat })} name={seat}
              testid="key-seat" />
          ))}
        </details>
      )}
    </KeyField>
  );
}

/** Fields for the keys that a configuration needs. */
export function KeyFields({ config, onModels }: { config: unknown; onModels?: OnModels }) {
  const needed: Endpoint[] = [...endpoints(config).values()];
  const keyed: string[] = keyedOrigins(config).filter((origin) => !needed.some((one) => one.origin === origin));
  if (!needed.length && !keyed.length) return <p class="quiet">{t("keys.none")}</p>;
  return (
    <div class="keys">
      {needed.map((endpoint) => <EndpointKey key={endpoint.origin} endpoint={endpoint} onModels={onModels} />)}
      {keyed.map((origin) => {
        const label = t("keys.for", { origin: nameOf(origin) });
        return <KeyField key={origin} place={origin} label={label} name={label} testid="key-address" />;
      })}
    </div>
  );
}

/** Asks for the keys that a configuration needs. Resolves with true if the button labelled `done` is pressed. */
export const keysDialog = (config: unknown, done: string, testid?: string) =>
  openDialog<true>(t("keys"), (close) => (
    <>
      <KeyFields config={config} />
      <p class="row end">
        <Button kind="primary" data-testid={testid} onClick={() => close(true)}>{done}</Button>
      </p>
    </>
  ));
