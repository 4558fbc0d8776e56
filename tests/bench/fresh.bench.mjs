// First use: a process or a page that has done nothing before.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { inChromium } from "./in_page.mjs";

const FILE = fileURLToPath(new URL("first.mjs", import.meta.url));
const WHAT = { experiment: ["experiment of 5 × 10", 50], debate: ["debate of 8 × 9", 60] };

const row = (what, values, aim) => {
  const sorted = values.toSorted((one, other) => one - other);
  return { what, value: sorted[sorted.length >> 1], least: sorted[0], unit: "ms", ...(aim && { aim }) };
};

export async function measure() {
  const rows = [];
  for (const [name, [what, aim]] of Object.entries(WHAT)) {
    const taken = Array.from({ length: 9 }, () => JSON.parse(execFileSync(process.execPath, [FILE, name], { encoding: "utf8" })));
    rows.push(row(`${what}, first in a fresh process`, taken.map(({ first }) => first), aim));
    if (name === "experiment") rows.push(row("the module, loaded and ready in a fresh process", taken.map(({ ready }) => ready)));
  }
  await inChromium(async (evaluate) => {
    for (const [name, [what, aim]] of Object.entries(WHAT)) {
      const taken = [];
      for (let n = 0; n < 5; n += 1) taken.push(await evaluate(firstInPage, name));
      rows.push(row(`${what}, first in a fresh page, Chromium`, taken, aim));
    }
  });
  return rows;
}

async function firstInPage(name) {
  const [quorate, { experiment, nineRounds }] = await Promise.all([import("/dist/quorate.js"), import("/measure.mjs")]);
  await quorate.default();
  const before = performance.now();
  await { experiment, debate: nineRounds }[name](quorate);
  return performance.now() - before;
}
