// What every view of the page must hold: no fault by axe, and nothing that scrolls sideways.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
/** Wide and narrow, light and dark. */
export const LOOKS = [[1280, "light"], [1280, "dark"], [360, "light"], [360, "dark"]];

/** All of axe's rules in each of `looks`; the page is wide and light afterwards. QUORATE_SHOTS names a folder for a picture of each. */
export async function assertFine(page, name, looks = LOOKS) {
  // A page behind another may draw nothing, and is not told of another theme.
  await page.bringToFront();
  await page.evaluate(AXE);
  for (const [width, colorScheme] of looks) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    await page.waitForFunction((scheme) => (document.documentElement.dataset.theme ?? scheme) === scheme, colorScheme);
    const found = await page.evaluate(async () => {
      // A CSS transition that has just begun would be measured half way.
      await Promise.all(document.getAnimations().filter((one) => one.effect?.getTiming().iterations !== Infinity).map((one) => one.finished.catch(() => {})));
      const over = document.documentElement.scrollWidth - document.documentElement.clientWidth;
      const { violations } = await window.axe.run(document, { preload: false, resultTypes: ["violations"] });
      return [...(over ? [`scrolls sideways by ${over} px`] : []),
        ...violations.map(({ id, impact, nodes }) => `${id} (${impact}): ${nodes.slice(0, 3).map((node) => `${node.html.slice(0, 160)} ${node.failureSummary?.split("\n")[1] ?? ""}`).join(" | ")}`)];
    });
    assert.deepEqual(found, [], `${name}, ${colorScheme}, ${width} px`);
    if (process.env.QUORATE_SHOTS) await page.screenshot({ path: `${process.env.QUORATE_SHOTS}/${name}-${width}-${colorScheme}.png`, fullPage: true });
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.emulateMedia({ colorScheme: "light" });
}
