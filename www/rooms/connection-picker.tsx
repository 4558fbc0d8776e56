// The host's choice of a connection service for rooms of this page, with a test by two clients.
import { useEffect, useState } from "preact/hooks";
import { Button } from "../elements.tsx";
import { number, t } from "../i18n.js";
import { Field } from "../inputs.tsx";
import { chooseBroker, chosenBroker, originOf } from "./connection-service.tsx";
import { allowBroker, localBroker } from "./hosted-rooms.js";

/** Public brokers that speak wss. None is used unless the host chooses it. */
const PUBLIC = ["wss://test.mosquitto.org:8081/mqtt", "wss://broker.hivemq.com:8884/mqtt",
  "wss://broker.emqx.io:8084/mqtt"];
/** Set while the page is loaded anew to allow an address, which is then tested. */
const AGAIN = "quorate.test";
export const isTestDue = () => sessionStorage.getItem(AGAIN) !== null;

interface Result {
  milliseconds?: number;
  trouble?: string;
  reason?: string;
}

const Verdict = ({ result: { milliseconds, trouble, reason } }: { result: Result }) =>
  milliseconds === undefined
    ? (
      <span class="bad">
        {t(`network.${trouble}`)} {reason && <span lang="en">{reason}</span>}
      </span>
    )
    : <span class="good">{t("network.meets", { time: number(Math.max(1, Math.round(milliseconds))) })}</span>;

/**
 * The address of the connection service that rooms use now: the broker that was chosen, else that of the page's own server,
 * else null. `undefined` while that is not known.
 */
export function useConnection() {
  const [own, setOwn] = useState<string | null | undefined>(undefined);
  const [chosen, setChosen] = useState<string | null>(chosenBroker);
  useEffect(() => {
    void localBroker().then((found) => setOwn(found?.address ?? null));
  }, []);
  const choose = (address: string | null) => {
    chooseBroker(address);
    setChosen(address);
  };
  return { own, chosen, address: chosen ?? own, choose };
}

/** The choice and the test. `onLeave` is called before the page is loaded anew. */
export function ConnectionPicker(
  { connection: { own, chosen, address, choose }, testsAtOnce = false }: {
    connection: ReturnType<typeof useConnection>;
    testsAtOnce?: boolean;
  },
) {
  const [result, setResult] = useState<Result | null>(null);
  const [isTesting, setTesting] = useState(false);
  const [typed, setTyped] = useState(chosen && !PUBLIC.includes(chosen) ? chosen : "");
  const [isOther, setOther] = useState(Boolean(typed));
  const pick = (next: string | null, other = false) => {
    setOther(other);
    setResult(null);
    choose(next);
  };
  const test = async () => {
    if (!address) return setResult({ trouble: "none" });
    const origin = originOf(address);
    setTesting(true);
    // The policy of this page is widened by a reload only.
    if (chosen && origin && !(await allowBroker(origin)) && !isTestDue()) {
      sessionStorage.setItem(AGAIN, "1");
      return location.reload();
    }
    sessionStorage.removeItem(AGAIN);
    const { testConnection } = await import("./test-connection.js");
    setResult(chosen && !origin ? { trouble: "wrong" } : await testConnection(address));
    setTesting(false);
  };
  useEffect(() => {
    if (own !== undefined && (testsAtOnce || isTestDue())) void test();
  }, [own]);
  const option = (value: string | null, label: string, isPicked: boolean, other = false) => (
    <label class="tickbox">
      <input type="radio" name="connection" checked={isPicked} onChange={() => pick(value, other)} />
      <span>{label}</span>
    </label>
  );
  return (
    <div class="stack" data-testid="connection">
      <fieldset class="stack">
        <legend>{t("network.service")}</legend>
        {own !== null && option(null, t("network.beside"), !chosen && !isOther)}
        {PUBLIC.map((one) => option(one, new URL(one).host, chosen === one))}
        {option(typed || null, t("network.other"), isOther, true)}
      </fieldset>
      {isOther && (
        <Field label={t("meeting.address")} help={t("meeting.address.help")}>
          {(attributes) => (
            <input type="text" inputMode="url" autocomplete="off" spellcheck={false} placeholder="wss://"
              defaultValue={typed} data-testid="connection-address" onInput={({ currentTarget }) => {
              setTyped(currentTarget.value.trim());
              pick(currentTarget.value.trim() || null, true);
            }} {...attributes} />
          )}
        </Field>
      )}
      {chosen && <p class="help">{t("network.sees")}</p>}
      <div class="row">
        <Button data-testid="connection-test" disabled={isTesting || own === undefined} onClick={() => void test()}>
          {t("network.test")}
        </Button>
        <span class="said" role="status" data-testid="connection-said">
          {isTesting ? t("network.testing") : result && <Verdict result={result} />}
        </span>
      </div>
    </div>
  );
}
