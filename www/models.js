// Models and keys: which providers there are, a key for each, what they offer, and how to begin with one of their models.
import { h, put, button } from "./dom.js";
import { t } from "./i18n.js";
import { PROVIDERS } from "./models/providers.js";
import { card } from "./models/card.js";
import { vaultPanel } from "./models/vault_panel.js";
import { canSignIn, finish, signIn } from "./signin.js";
import { pricesPanel } from "./models/prices.js";
import { inUse } from "./origins.js";
import { onVault, state } from "./vault.js";

export async function view({ engine, announce }) {
  const said = h("div", { class: "said", role: "status", "data-testid": "signin-said" });
  const cards = [];
  const make = (provider, more) => {
    const one = card(provider, { engine, ...more });
    cards.push(one);
    return one.node;
  };
  const refresh = () => cards.forEach((one) => one.refresh());
  const vault = vaultPanel({ onChange: refresh });

  const ended = await finish();
  if (ended) {
    said.dataset.ok = ended === "done";
    const again = ended !== "done" && canSignIn()
      && button(t("models.signin"), () => signIn(), { testid: "signin-again" });
    put(said, h("p", null, t(`models.signin.${ended}`)), again);
  }
  // Two ways to speak with OpenAI, one key for both.
  const cloud = PROVIDERS.filter(({ id, local, baseUrl }) => !local && baseUrl && id !== "openai_responses");
  const used = inUse();
  const others = used.filter((origin) =>
    !PROVIDERS.some(({ baseUrl }) => baseUrl && new URL(baseUrl).origin === origin)
  );
  const other = PROVIDERS.find(({ id }) => id === "compatible");
  const inside = h("div", { "data-testid": "in-page" });
  const inPage = section("in-page", inside);
  inPage.hidden = true;
  import("./inpage.js").then(({ inPageModels }) => inPageModels()).then((node) => {
    put(inside, node);
    inPage.hidden = !inside.firstElementChild;
  }, () => {});

  const node = h("div", { class: "page models" },
    h("div", { class: "page-head" },
      h("div", null, h("h1", null, t("models.title")), h("p", { class: "lead" }, t("models.lead")))), said, vault.node,
    section("cloud",
      h("div", { class: "providers" },
        cloud.map((one) => make(one, { open: ended === "done" && one.id === "openrouter" })))),
    section("local", h("p", { class: "help" }, t("models.local.permission")),
      h("div", { class: "providers" }, PROVIDERS.filter(({ local }) => local).map((one) => make(one)))),
    section("other",
      h("div", { class: "providers" }, make(other, { address: others[0] ?? "" }),
        PROVIDERS.filter(({ id, local, baseUrl }) => !local && !baseUrl && id !== other.id).map((one) => make(one)))),
    inPage, section("prices", pricesPanel({ engine })));
  let before = state();
  const quiet = onVault((now) => {
    vault.draw();
    if (now !== before) announce(t(`vault.${now}`));
    before = now;
    refresh();
  });
  return { node, title: t("models.title"), leave: quiet };
}

const section = (id, ...content) =>
  h("section", { "aria-labelledby": `models-${id}` }, h("h2", { id: `models-${id}` }, t(`models.${id}`)),
    h("p", { class: "quiet" }, t(`models.${id}.text`)), content);
