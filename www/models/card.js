// One provider: where to get a key, a field for it, a test, and its models.
import { h, put, button, uid, isComposing } from "../dom.js";
import { t, has } from "../i18n.js";
import { combobox } from "../combobox.tsx";
import { keyAt, keyEntry, masked, originOf } from "../keys.js";
import { allows, canBeAllowed, inUse, unuse } from "../origins.js";
import { isKept } from "../vault.js";
import { canSignIn, signIn } from "../signin.js";
import { checkConnection } from "./endpoint-models.js";
import { catalogue } from "../pkg/quorate.js";
import { firstModel } from "./providers.js";
import { startRun, prepare } from "./start-run.js";

/** The card of a provider: `{ node, refresh }`. `address`: for one that has none of its own. */
export function card(provider, { engine, open = false, address = "" }) {
  const { id, local } = provider;
  // A provider at a typed address.
  const other = !provider.baseUrl;
  const name = provider.name || t("models.other.name");
  const state = h("span", { class: "quiet", "data-testid": `state-${id}` });
  const place = h("div");
  const notice = h("div", { class: "said", role: "status", "data-testid": `said-${id}` });
  const offer = h("div", { class: "offer" });
  const addressId = uid("address");
  const url = h("input", { id: addressId, type: "url", value: provider.baseUrl || address, spellcheck: "false",
    autocapitalize: "off", placeholder: other ? "https://example.org/v1" : provider.baseUrl,
    "data-testid": `address-${id}`, on: { change: () => draw() } });
  const base = () => url.value.trim() || provider.baseUrl;
  const endpoint = () => ({ provider: id, baseUrl: base(), key: keyAt(originOf(base())) });
  let entry = null;

  function refresh() {
    const origin = originOf(base());
    const mask = origin && masked(origin);
    put(state, mask
      ? [mask, isKept(origin) && [" · ", t("vault.kept")]]
      : origin && inUse().includes(origin)
      ? t("models.inuse")
      : "");
    entry?.refresh();
  }

  /** The part for the key, which depends on the address. */
  function draw() {
    const origin = originOf(base());
    put(notice);
    put(offer);
    entry = null;
    if (!origin) put(place, other && !url.value ? null : h("p", { class: "fault" }, t("models.problem.address")));
    else if (!allows(origin)) {
      put(place, h("p", null, t("models.problem.blocked")), canBeAllowed(origin)
        ? button(t("allow.do"), () => import("../allow-origins.js").then(({ allowOrigins }) => allowOrigins([origin])),
          {
            testid: `allow-${id}`,
          })
        : h("p", null, t("allow.never")));
    } else put(place, keyPart(origin));
    refresh();
  }

  function keyPart(origin) {
    entry = keyEntry(origin, { label: name, testid: `key-${id}`, onChange: () => {
      if (!keyAt(origin)) {
        unuse([origin]);
        put(notice);
        put(offer);
      }
      refresh();
    } });
    const test = button(t("models.test"), async () => {
      entry.keep();
      test.disabled = true;
      delete notice.dataset.ok;
      put(notice, h("p", null, t("keys.testing")));
      const { ok, node, models } = await checkConnection(endpoint());
      notice.dataset.ok = ok;
      put(notice, node);
      put(offer, ok && choose(models));
      test.disabled = false;
    }, { testid: `test-${id}`, kind: "primary" });
    entry.input.addEventListener("keydown", (event) => event.key === "Enter" && !isComposing(event) && test.click());
    return [
      h("div", { class: "key" },
        h("label", { for: entry.id }, local || other ? t("models.key.maybe") : t("models.key")),
        h("div", { class: "row" }, entry.input, test, entry.forget), entry.shown),
    ];
  }

  function choose(models) {
    const field = combobox({ value: models?.length ? firstModel(catalogue(id).first, models) : "",
      options: () => models ?? [], testid: `model-${id}`, onInput: () => {
        go.disabled = prepareIt.disabled = !field.input.value.trim();
      } });
    const seat = () => ({ provider: id, model: field.input.value.trim(),
      baseUrl: base() === provider.baseUrl ? null : base() });
    const trouble = (error) => {
      notice.dataset.ok = false;
      put(notice, h("p", null, t("home.failed"), " ", h("span", { lang: "en" }, error.message)));
    };
    const go = button(t("models.begin"), () => startRun(engine, seat()).catch(trouble), { kind: "primary", icon: "play",
      testid: `begin-${id}` });
    const prepareIt = button(t("models.prepare"), () => prepare(engine, seat()), { kind: "quiet",
      testid: `prepare-${id}` });
    go.disabled = prepareIt.disabled = !field.input.value;
    return [h("label", { for: field.input.id }, t("models.model")), field.node,
      h("p", { class: "help" }, t("models.begin.text")), h("div", { class: "row" }, go, prepareIt)];
  }

  const addressField = h("div", { class: "field" },
    h("label", { for: addressId }, t(other ? "models.address.other" : "models.address")), url);
  const keyPage = provider.keyPage
    && h("a", { href: `https://${provider.keyPage}`, target: "_blank", rel: "noreferrer noopener" },
      t("models.keypage", { page: provider.keyPage }));
  const node = h("details", { class: "provider", "data-provider": id, open: open || (other && address !== "")
    || (inUse().includes(originOf(base())) && Boolean(keyAt(originOf(base())))) },
    h("summary", null, h("h3", null, name), state),
    h("div", { class: "provider-body" },
      has(`models.about.${id}`) && h("p", { class: "quiet" }, t(`models.about.${id}`)),
      keyPage && h("p", null, keyPage), id === "openrouter" && canSignIn()
      && [h("p", { class: "signin" }, button(t("models.signin"), () => signIn(), { testid: "signin" })),
        h("p", { class: "help" }, t("models.signin.text"))],
      other && [addressField, h("p", { class: "help" }, t("models.address.help"))], local
      && [h("p", null, t(`models.allow.${id}`, { page: location.origin })),
        h("details", { class: "more" }, h("summary", null, t("models.address.more")), addressField)], place, notice,
      offer));
  draw();
  return { node, refresh };
}
