// What came of the test of a connection, in words, with what can be done.
import { Button } from "../elements.tsx";
import { has, t } from "../i18n.js";
import { canBeAllowed, originOf } from "../origins.js";
import type { checkConnection } from "./endpoint-models.js";
import { providerAt } from "./providers.js";

export type Result = Awaited<ReturnType<typeof checkConnection>>;
/** `provider` is its id, if one is named. */
export interface Endpoint {
  provider: string | null;
  baseUrl: string;
}

/** A button that lets the page call an origin, where it may be allowed. */
export const Allow = ({ origin, testid }: { origin: string; testid: string }) =>
  canBeAllowed(origin)
    ? (
      <Button data-testid={testid} onClick={async () => (await import("../allow-origins.js")).allowOrigins([origin])}>
        {t("allow.do")}
      </Button>
    )
    : <p>{t("allow.never")}</p>;

export function ConnectionResult(
  { of: { ok, problem, message, models }, endpoint }: { of: Result; endpoint: Endpoint },
) {
  if (ok) return <p>{models ? t("keys.works", { n: models.length }) : t("keys.works.none")}</p>;
  const origin = originOf(endpoint.baseUrl);
  const own = endpoint.provider ?? (origin && providerAt(origin)?.id);
  return (
    <>
      <p>{t(has(`models.problem.${problem}`) ? `models.problem.${problem}` : "models.problem.other")}</p>
      {["cors", "network"].includes(problem!) && has(`models.allow.${own}`) && (
        <p>{t(`models.allow.${own}`, { page: location.origin })}</p>
      )}
      {problem === "blocked" && origin && <Allow origin={origin} testid="allow" />}
      {message && (
        <details class="detail">
          <summary>{t("models.detail")}</summary>
          <p class="quiet" lang="en">{message}</p>
        </details>
      )}
    </>
  );
}
