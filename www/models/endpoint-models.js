// Tests endpoints and lists their models. Lists are cached while the page is open.
import { h, button } from "../dom.js";
import { t, has } from "../i18n.js";
import { testConnection, listModels } from "../pkg/quorate.js";
import { allows, canBeAllowed, originOf } from "../origins.js";
import { providerAt } from "./providers.js";

const known = new Map();
const baseOf = ({ provider, baseUrl }) => `${provider ?? ""} ${(baseUrl ?? "").replace(/\/+$/, "")}`;
const options = ({ provider, baseUrl, key }) => ({ ...(provider && { provider }), ...(baseUrl && { baseUrl }),
  ...(key && { key }) });

/** The cached models of an endpoint, or null. */
export const cachedModels = (endpoint) => known.get(baseOf(endpoint)) ?? null;

/** The models of an endpoint, fetched once. Throws like `listModels`. */
export async function models(endpoint) {
  if (!cachedModels(endpoint)) known.set(baseOf(endpoint), await listModels(options(endpoint)));
  return cachedModels(endpoint);
}

/** Tests a connection: `{ ok, problem, node, models }`. */
export async function checkConnection(endpoint) {
  const origin = originOf(endpoint.baseUrl);
  if (origin && !allows(origin)) return { ok: false, problem: "blocked", node: problem("blocked", null, endpoint) };
  const { ok, problem: what, message } = await testConnection(options(endpoint));
  if (!ok) return { ok, problem: what, node: problem(what, message, endpoint) };
  let found = null;
  try {
    known.delete(baseOf(endpoint));
    found = await models(endpoint);
  } catch {
    // It answers but lists no models: names can be typed.
  }
  return { ok, node: h("p", null, found ? t("keys.works", { n: found.length }) : t("keys.works.none")), models: found };
}

/** The problem in the page's words, with the engine's message as detail. */
function problem(what, message, { provider, baseUrl }) {
  const origin = originOf(baseUrl);
  const own = provider ?? (origin && providerAt(origin)?.id);
  const help = ["cors", "network", "blocked"].includes(what) && own && has(`models.allow.${own}`)
    ? h("p", null, t(`models.allow.${own}`, { page: location.origin }))
    : null;
  return [
    h("p", null, t(has(`models.problem.${what}`) ? `models.problem.${what}` : "models.problem.other")),
    what !== "blocked" && help,
    what === "blocked" && origin
    && (canBeAllowed(origin)
      ? button(t("allow.do"), () => import("../allow-origins.js").then(({ allowOrigins }) => allowOrigins([origin])), {
        testid: "allow",
      })
      : h("p", null, t("allow.never"))),
    message
    && h("details", { class: "detail" }, h("summary", null, t("models.detail")),
      h("p", { class: "quiet", lang: "en" }, message)),
  ];
}
