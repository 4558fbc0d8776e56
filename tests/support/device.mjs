// Somebody at a device: fills in whatever the guest's page asks, by taps and keys.
import assert from "node:assert/strict";

export const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, locale: "en-US", reducedMotion: "reduce", acceptDownloads: true };

/** What somebody writes. */
export const thought = (at) => `What I think, number ${at}: it depends on who pays for it in the end, and how.`;

/** Fills in whatever is asked, as somebody in a hurry would, and sends it. `at`: who it is; `words(ask)`: what they write. */
export async function reply(page, at, words = () => thought(at)) {
  const panel = page.getByTestId("question");
  const ask = await panel.getAttribute("data-ask");
  for (const field of await panel.locator(".ask-fields [data-field]").all()) {
    if (!(await field.isVisible())) continue;
    const places = field.locator(".place[aria-pressed=false]");
    while (await places.count()) await places.first().click();
    const radios = field.locator("input[type=radio]");
    if ((await radios.count()) && !(await field.locator("input[type=radio]:checked").count())) await radios.nth(at % (await radios.count())).check({ force: true });
    const scale = field.locator("input[type=range]:not(.amount-slide)");
    if (await scale.count()) await scale.first().press("ArrowRight");
    const texts = field.locator("textarea, input[type=text]");
    for (const input of await texts.all()) if (!(await input.inputValue())) await input.fill((await input.getAttribute("inputmode")) ? "13000" : words(ask));
  }
  await panel.locator(".sends .button-primary").last().click();
  const gone = page.locator(`[data-testid=question][data-ask="${ask}"]`).waitFor({ state: "detached" });
  await gone.catch(async () => assert.fail(`${ask} is not settled: ${await page.locator("main").innerText()}`));
}

/** The same until it is over for this device. */
export async function plays(page, at, words) {
  for (;;) {
    await page.locator("[data-testid=question], [data-testid=over]").first().waitFor();
    if (await page.getByTestId("over").count()) return;
    await reply(page, at, words);
  }
}

/** Opens what is one tap away: settings, what has happened, the way out. */
export const openMenu = async (page) => (await page.locator(".join-menu[open]").count()) || page.getByTestId("menu").click();
