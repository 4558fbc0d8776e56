// Models and keys: the providers, a key for each, their models, and how to start a run with one.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Button, drawing } from "./elements.tsx";
import { t } from "./i18n.js";
import { InPageModels } from "./inpage.tsx";
import { Card, type Provider } from "./models/card.tsx";
import { PricesPanel } from "./models/prices.tsx";
import { PROVIDERS } from "./models/providers.js";
import { VaultPanel } from "./models/vault-panel.tsx";
import { inUse } from "./origins.js";
import { canSignIn, finish, signIn } from "./signin.js";
import { onVault, state } from "./vault.js";
import type { Engine } from "./view-types.ts";

// Two APIs of OpenAI share one key.
const CLOUD = PROVIDERS.filter(({ id, local, baseUrl }) => !local && baseUrl && id !== "openai_responses");
const LOCAL = PROVIDERS.filter(({ local }) => local);
/** At an address that is typed: any compatible one, and those of one's own cloud. */
const OTHER = PROVIDERS.find(({ id }) => id === "compatible")!;
const OWN_CLOUD = PROVIDERS.filter((one) => !one.local && !one.baseUrl && one !== OTHER);

/** The first address in use that is no provider's own. */
const otherInUse = () =>
  inUse().find((origin: string) => !PROVIDERS.some(({ baseUrl }) => baseUrl && new URL(baseUrl).origin === origin))
    ?? "";

const Section = ({ id, hidden, children }: { id: string; hidden?: boolean; children: ComponentChildren }) => (
  <section aria-labelledby={`models-${id}`} hidden={hidden}>
    <h2 id={`models-${id}`}>{t(`models.${id}`)}</h2>
    <p class="quiet">{t(`models.${id}.text`)}</p>
    {children}
  </section>
);

/** How a sign-in ended. */
const SignedIn = ({ ended }: { ended: string | null }) => (
  <div class="said" role="status" data-ok={ended ? String(ended === "done") : undefined} data-testid="signin-said">
    {ended && <p>{t(`models.signin.${ended}`)}</p>}
    {ended && ended !== "done" && canSignIn() && (
      <Button data-testid="signin-again" onClick={() => signIn()}>{t("models.signin")}</Button>
    )}
  </div>
);

function Models({ engine, ended }: { engine: Engine; ended: string | null }) {
  const [hasInPage, setInPage] = useState(false);
  const [address] = useState(otherInUse);
  const card = (provider: Provider) => (
    <Card key={provider.id} provider={provider} engine={engine}
      isOpen={ended === "done" && provider.id === "openrouter"} />
  );
  return (
    <div class="page models">
      <div class="page-head">
        <div>
          <h1>{t("models.title")}</h1>
          <p class="lead">{t("models.lead")}</p>
        </div>
      </div>
      <SignedIn ended={ended} />
      <VaultPanel />
      <Section id="cloud">
        <div class="providers">{CLOUD.map(card)}</div>
      </Section>
      <Section id="local">
        <p class="help">{t("models.local.permission")}</p>
        <div class="providers">{LOCAL.map(card)}</div>
      </Section>
      <Section id="other">
        <div class="providers">
          <Card provider={OTHER} engine={engine} address={address} />
          {OWN_CLOUD.map(card)}
        </div>
      </Section>
      <Section id="in-page" hidden={!hasInPage}>
        <div data-testid="in-page">
          <InPageModels onReady={() => setInPage(true)} />
        </div>
      </Section>
      <Section id="prices">
        <PricesPanel engine={engine} />
      </Section>
    </div>
  );
}

export async function view({ engine, announce }: { engine: Engine; announce: (text: string) => void }) {
  const page = drawing(<Models engine={engine} ended={await finish()} />);
  let before = state();
  const stop = onVault((now: string) => {
    if (now !== before) announce(t(`vault.${now}`));
    before = now;
  });
  return { node: page.node, title: t("models.title"), leave() {
    stop();
    page.leave();
  } };
}
