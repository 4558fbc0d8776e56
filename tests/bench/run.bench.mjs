// Whole runs, readers and storage, in Node.js and in Chromium; and how soon the page can be used.
import init, * as quorate from "../../dist/node.js";
import { open } from "../support/browser.mjs";
import { inChromium } from "./in_page.mjs";
import { measureReaders, measureRecords, measureRuns, measureTalks } from "./measure.mjs";

export async function measure() {
  await init();
  const rows = [
    ...(await measureRuns(quorate, "Node")),
    ...(await measureRecords(quorate)),
    ...(await measureTalks(quorate, "Node")),
    ...measureReaders(quorate, "Node"),
  ];
  await inChromium(async (evaluate) => {
    rows.push(...(await evaluate(async () => {
      const quorate = await import("/dist/quorate.js");
      const { measureReaders, measureRuns, measureStore, measureTalks } = await import("/measure.mjs");
      await quorate.default();
      return [
        ...(await measureRuns(quorate, "Chromium")),
        ...(await measureTalks(quorate, "Chromium")),
        ...measureReaders(quorate, "Chromium"),
        ...(await measureStore(quorate)),
      ];
    })));
  });
  rows.push({ what: "from navigation to a page that can be used, Chromium", value: await usable(), unit: "ms", aim: 300 });
  return rows;
}

/** Median of five loads, until Start is there and enabled. */
async function usable() {
  const lab = await open("site");
  const taken = [];
  for (let i = 0; i < 5; i += 1) {
    const { page, context } = await lab.newPage();
    await page.goto(lab.url, { waitUntil: "commit" });
    await page.locator("[data-testid=start]:enabled").waitFor();
    taken.push(await page.evaluate(() => performance.now()));
    await context.close();
  }
  await lab.close();
  return taken.toSorted((a, b) => a - b)[2];
}
