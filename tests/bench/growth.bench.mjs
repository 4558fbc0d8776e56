// How times grow with rounds and seats, a crowd of sessions, and what runs leave behind.
import init, * as quorate from "../../dist/node.js";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { inChromium } from "./in_page.mjs";
import { measureGrowth, measureMemory } from "./measure.mjs";

export async function measure() {
  setFlagsFromString("--expose-gc");
  globalThis.gc = runInNewContext("gc");
  await init();
  const rows = [...(await measureGrowth(quorate, "Node")), ...(await measureMemory(quorate, "Node"))];
  await inChromium(async (evaluate) => {
    rows.push(...(await evaluate(async () => {
      const [quorate, { measureCrowd, measureLongRecord }] = await Promise.all([import("/dist/quorate.js"), import("/measure.mjs")]);
      await quorate.default();
      return [...(await measureCrowd(quorate)), ...(await measureLongRecord(quorate))];
    })));
  });
  return rows;
}
