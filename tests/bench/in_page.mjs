// A page in Chromium that may import the package and measure.mjs.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { open } from "../support/browser.mjs";

const MEASURES = fileURLToPath(new URL("measure.mjs", import.meta.url));

/** Calls `work` with a function that evaluates in a fresh page, as Playwright's `page.evaluate` does. */
export async function inChromium(work) {
  const lab = await open(".");
  try {
    await work(async (run, given) => {
      const { page, context } = await lab.newPage();
      await page.route("**/measure.mjs", (route) => route.fulfill({ contentType: "text/javascript", body: readFileSync(MEASURES, "utf8") }));
      await page.goto(`${lab.url}README.md`);
      const told = await page.evaluate(run, given);
      await context.close();
      return told;
    });
  } finally {
    await lab.close();
  }
}
