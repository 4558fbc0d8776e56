// The view in which a run is set up, by form, YAML or JSON.
import { readFileSync } from "node:fs";

export const text = (page) => page.getByTestId("config-text");
export const faults = (page) => page.getByTestId("faults");

/** Goes on as `form`, `yaml` or `json`. */
export async function mode(page, name) {
  await page.getByTestId(`mode-${name}`).click();
  await page.locator(`[data-testid=mode-${name}][aria-pressed=true]`).waitFor();
  await (name === "form" ? page.locator("[data-group=participants]") : text(page)).waitFor();
}

/** Writes a configuration as text. What was said of the one before is gone then: what is wrong is said after a moment. */
export async function writeConfig(page, content) {
  await faults(page).evaluate((node) => node.replaceChildren());
  await text(page).fill(content);
}

/** Takes in a file. */
export const load = (page, name, content) => page.locator("#config-file").setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from(content) });
/** A file of tests/fixtures/setup. */
export const fixture = (name) => readFileSync(new URL(`../fixtures/setup/${name}`, import.meta.url), "utf8");
