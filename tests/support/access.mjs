// What every view of the page must hold: no fault by axe, and nothing that scrolls sideways.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const WIDTHS = [1280, 360];
const THEMES = ["light", "dark"];

/**
 * All of axe's rules, wide and narrow, light and dark; the page is wide and light afterwards. With QUORATE_SHOTS, a
 * folder, each look is kept there as a picture.
 */
export async function assertFine(page, name, { widths = WIDTHS, themes = THEMES } = {}) {
  // A page behind another may draw nothing, and then hears nothing of another theme.
  await page.bringToFront();
  await page.evaluate(AXE);
  for (const [width, colorScheme] of widths.flatMap((width) => themes.map((theme) => [width, theme]))) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    await page.locator(`html[data-theme=${colorScheme}]`).waitFor();
    const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.equal(over, 0, `${name} at ${width} px scrolls sideways by ${over} px`);
    const found = await page.evaluate(async () => {
      // A CSS transition that has just begun would be measured half way.
      await Promise.all(document.getAnimations().filter((one) => one.effect?.getTiming().iterations !== Infinity).map((one) => one.finished.catch(() => {})));
      const { violations } = await window.axe.run(document, { preload: false, resultTypes: ["violations"] });
      return violations.map(({ id, impact, nodes }) => `${id} (${impact}): ${nodes.slice(0, 3).map((node) => `${node.html.slice(0, 160)} ${node.failureSummary?.split("\n")[1] ?? ""}`).join(" | ")}`);
    });
    assert.deepEqual(found, [], `${name}, ${colorScheme}, ${width} px`);
    if (process.env.QUORATE_SHOTS) await page.screenshot({ path: `${process.env.QUORATE_SHOTS}/${name}-${width}-${colorScheme}.png`, fullPage: true });
  }
  await page.setViewportSize({ width: WIDTHS[0], height: 800 });
  await page.emulateMedia({ colorScheme: THEMES[0] });
}
