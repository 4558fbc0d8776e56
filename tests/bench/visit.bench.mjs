// What a visit of the page loads and how long it takes: the first and the second, on a fast and on a slow line with a slow
// processor, and what is asked for in which wave.
import { fileURLToPath } from "node:url";
import { open } from "../support/browser.mjs";

const SITE = fileURLToPath(new URL("../../site", import.meta.url));
/** Bits a second and milliseconds there and back. */
const LINES = { "9 Mbit/s, 60 ms, CPU ÷ 4": [9e6, 60, 1000], "1.6 Mbit/s, 150 ms, CPU ÷ 4": [1.6e6, 150, 4000] };

export async function measure() {
  const lab = await open(SITE);
  try {
    const rows = await bytes(lab);
    for (const [name, [bits, delay, aim]] of Object.entries(LINES)) rows.push({ what: `from the address to a moving run, ${name}`, value: await median(3, () => moving(lab, bits, delay)), unit: "ms", aim });
    return rows;
  } finally {
    await lab.close();
  }
}

async function median(times, take) {
  const all = [];
  for (let i = 0; i < times; i += 1) all.push(await take());
  return all.toSorted((a, b) => a - b)[Math.floor(times / 2)];
}

/** What goes over the line from now on, until it is asked. */
async function meter(page) {
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  const [begun, files] = [new Map(), []];
  session.on("Network.requestWillBeSent", ({ requestId, request }) => begun.set(requestId, request.url));
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => files.push({ url: begun.get(requestId), bytes: encodedDataLength }));
  return { session, take: () => files.splice(0) };
}

const sum = (files) => files.reduce((all, { bytes }) => all + bytes, 0) / 1000;

/** The first screen, the default run, and the second visit. */
async function bytes(lab) {
  const { page, context } = await lab.newPage();
  const { take } = await meter(page);
  // Without the service worker's copies of the same files, and what is fetched ahead.
  await context.route("**/service-worker.js", (route) => route.abort());
  await page.goto(lab.url);
  await page.locator("[data-testid=start]:enabled").waitFor();
  const first = take();
  await page.getByTestId("start").click();
  await page.locator("[data-testid=statement], [data-testid=turn], .turn").first().waitFor();
  const run = take();
  await context.close();
  const again = await lab.newPage();
  await again.page.goto(lab.url);
  await again.page.locator("html[data-ready=true]").waitFor();
  await again.page.waitForFunction(() => navigator.serviceWorker.controller);
  const second = await meter(again.page);
  await again.page.reload();
  await again.page.locator("html[data-ready=true]").waitFor();
  const later = second.take().filter(({ bytes: size }) => size > 0);
  await again.context.close();
  return [
    { what: "first screen: over the line", value: sum(first), unit: "kB" },
    { what: "first screen: of it WebAssembly", value: sum(first.filter(({ url }) => /\.(wasm|bin)$/.test(url))), unit: "kB" },
    { what: "first screen: files", value: first.length, unit: "" },
    { what: "default run: over the line, with the first screen", value: sum([...first, ...run]), unit: "kB" },
    { what: "default run: of it WebAssembly", value: sum([...first, ...run].filter(({ url }) => /\.(wasm|bin)$/.test(url))), unit: "kB" },
    { what: "second visit: over the line", value: sum(later), unit: "kB", aim: 0 },
  ];
}

/** Milliseconds from the address to the first words of a run that somebody starts as soon as that can be done. */
async function moving(lab, bits, delay) {
  const { page, context } = await lab.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", { offline: false, latency: delay, downloadThroughput: bits / 8, uploadThroughput: bits / 8 });
  await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  // By the page's own clock: what asks from outside is slowed down with it.
  await page.addInitScript(() => {
    const look = () => (document.querySelector("[data-testid=statement], .turn") ? (globalThis.movingAt = performance.now()) : requestAnimationFrame(look));
    look();
  });
  await page.goto(lab.url, { waitUntil: "commit" });
  await page.getByTestId("start").click();
  const taken = await page.waitForFunction(() => globalThis.movingAt).then((at) => at.jsonValue());
  await context.close();
  return taken;
}
