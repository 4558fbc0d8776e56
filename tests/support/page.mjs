// What the tests of the page share: the page in Chromium, ways to get to a state, and to read what is stored there.
// Waits are for states, never for a time.
import assert from "node:assert/strict";
import { after, afterEach, before } from "node:test";
import { open, watch } from "./browser.mjs";
import { SITE } from "./paths.mjs";

export { SITE };

/** Two seats, one round: a whole run in about a hundred calls. */
export const small = (changes = {}) => ({
  title: "Two at a table",
  language: "English",
  seed: 11,
  phase2_rounds: 1,
  agents: [
    { name: "Ada", personality: "A teacher. Warm, thinks of the poor." },
    { name: "Bo", personality: "A trader. Bold, likes efficient solutions." },
  ],
  ...changes,
});

/** The page for all tests of a file; what a test opened is closed after it. See `openPage` for what the object has. */
export function usePage() {
  const lab = {};
  before(async () => Object.assign(lab, await openPage()));
  afterEach(() => lab.closeContexts());
  after(() => lab.close?.());
  return lab;
}

/**
 * Serves the page and starts the browser. `visit(hash, options)` opens it in a context of its own (options as of
 * Playwright's `newContext`) and resolves to `{ page, context, problems }` once the first view stands.
 */
export async function openPage() {
  const lab = await open(SITE);
  return {
    ...lab,
    async visit(hash = "#/", options = {}) {
      const opened = await lab.newPage({ acceptDownloads: true, locale: "en-US", reducedMotion: "reduce", ...options });
      await go(opened.page, lab.url + hash);
      return opened;
    },
    /** A second tab of the same browser profile. */
    async secondTab(context, hash) {
      const page = await context.newPage();
      const problems = await watch(page);
      await go(page, lab.url + hash);
      return { page, problems };
    },
  };
}

async function go(page, url) {
  await page.goto(url);
  await ready(page);
}

/** Waits until the page has booted; also after a reload. */
export const ready = (page) => page.locator("html[data-ready=true]").waitFor();

/** Goes to another view as a link does, until the one before is gone. */
export const leaveFor = (page, hash) =>
  page.evaluate((to) => new Promise((resolve) => {
    if (location.hash === to) return resolve();
    addEventListener("hashchange", () => resolve(), { once: true });
    location.hash = to;
  }), hash);

/** Unfolds what the results have for researchers. */
export const research = (page) => page.getByTestId("research").evaluate((summary) => (summary.parentNode.open = true));

/** From the first screen to all settings of a room for a class. */
export async function invites(page) {
  await page.getByTestId("class").click();
  await page.getByTestId("teach-more").click();
  await page.getByTestId("invite-open").waitFor();
}

/** Goes to another view, and waits for its heading or what is named. */
export async function view(page, hash, testid = null) {
  await leaveFor(page, hash);
  if (hash.startsWith("#/results/") && testid && testid !== "trouble") await research(page);
  await page.locator(testid ? `[data-testid=${testid}]` : "main h1").first().waitFor();
}

/** The id of the session that the address names. */
export const sessionId = (page) => decodeURIComponent(new URL(page.url()).hash.split("/")[2] ?? "");

/** Where people sit at the table, controls and figures are unfolded by who runs it. */
export async function asOwner(page) {
  const owner = page.getByTestId("owner");
  if (await owner.count()) await owner.evaluate((node) => (node.open = true));
}

/** @param {string} name */
export async function pace(page, name) {
  await page.getByTestId("state").waitFor();
  // It may stand in the folded part for the owner.
  await page.getByTestId("pace").selectOption(name, { force: true });
}

/** Unfolds the rounds of a transcript, of which those that are over are folded. */
export async function unfold(page) {
  if (await page.locator(".turns[hidden]").count()) await page.getByTestId("fold-all").click();
}

/** Waits until the run is `running`, `paused`, `halted`, `stopped` or `ended`. */
export const runIs = (page, state) => page.locator(`[data-testid=state][data-state=${state}]`).waitFor();

/** Waits until at least so many calls are done. */
export const callsDone = (page, count) =>
  page.waitForFunction((least) => Number(document.querySelector("[data-testid=calls]")?.textContent.replace(/\D/g, "")) >= least, count);

/** The events of a type in a record. */
export const events = (entries, type) => entries.map(({ what }) => what.event).filter((event) => event?.type === type);

/** Simulated participants take no time. */
export const atOnce = (page) => page.evaluate(async () => (await import(new URL("engine.js", document.baseURI).href)).setPace("instant"));

/** The record as it is stored. */
export const stored = (page, id) =>
  page.evaluate(async (session) => (await import(new URL("engine.js", document.baseURI).href)).Library.entries(session), id);

/** Makes a session without the page's controls and runs it to its end, where a test is about something else. */
export const made = (page, config, { run = true } = {}) =>
  page.evaluate(
    async ([wanted, whole]) => {
      const { Session } = await import(new URL("engine.js", document.baseURI).href);
      const session = await Session.create(wanted, {});
      if (whole) await session.run();
      await session.close();
      return session.id;
    },
    [config, run],
  );

/** Everything in this origin's storage, as one text; bytes as the characters they might be. */
export const kept = (page) =>
  page.evaluate(async () => {
    const all = [JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage }), document.cookie];
    for (const name of await globalThis.caches?.keys() ?? []) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) all.push(`${name} ${request.url}`, await (await cache.match(request))?.text());
    }
    const wait = (request) => new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    const plain = (key, value) => (ArrayBuffer.isView(value) || value instanceof ArrayBuffer ? `${new TextDecoder("latin1").decode(value)} ${new TextDecoder("utf-16").decode(value)}` : value);
    for (const { name } of await indexedDB.databases()) {
      const database = await wait(indexedDB.open(name));
      for (const store of database.objectStoreNames) {
        const source = database.transaction(store).objectStore(store);
        all.push(`${name}/${store}`, JSON.stringify(await wait(source.getAllKeys())), JSON.stringify(await wait(source.getAll()), plain));
      }
      database.close();
    }
    return all.join("\n");
  });

/** Presses something that saves a file; resolves to its name, bytes and text. */
export async function saved(page, press) {
  const [download] = await Promise.all([page.waitForEvent("download"), press()]);
  const pieces = [];
  for await (const piece of await download.createReadStream()) pieces.push(piece);
  const bytes = Buffer.concat(pieces);
  return { name: download.suggestedFilename(), bytes, text: bytes.toString("utf8") };
}

/** Holds a record to "nothing asked twice": each question was put once and answered at most once. */
export function assertAskedOnce(entries) {
  assert.deepEqual(entries.map((entry) => entry.seq), entries.map((_, index) => index), "the record has no gaps");
  for (const type of ["asked", "answered"]) {
    const ids = entries.filter(({ what }) => what.type === type).map(({ what }) => what.ask.id ?? what.ask);
    assert.deepEqual(ids.filter((id, index) => ids.indexOf(id) !== index), [], `nothing is ${type} twice`);
  }
}

/** What was answered and what followed from it, without times. */
export const course = (entries) =>
  entries.filter(({ what }) => ["answered", "event"].includes(what.type)).map(({ what }) => (what.type === "event" ? what.event : [what.ask, what.reply.text]));
