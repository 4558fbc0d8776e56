// Headless browsers and a static server for tests, and what goes wrong in a page.
import { launch as puppeteer } from "puppeteer-core";
import { chromium } from "playwright-core";
import { CHROMIUM_FLAGS, findChromium, findFirefox } from "../../scripts/browsers.mjs";
import { serve } from "../../scripts/serve.mjs";
import { SITE } from "./paths.mjs";

/** How tests start Chromium; `flags` beside the usual ones. */
export function chromiumOptions(...flags) {
  const executablePath = findChromium();
  if (!executablePath) throw new Error("no Chromium found: install one, or name it in CHROMIUM");
  return { executablePath, args: [...CHROMIUM_FLAGS, ...flags] };
}

/** Milliseconds until a page that does not do what is waited for is given up. */
export const PATIENCE = 240_000;

/** The Chromium that tests/page/run.mjs started for all files; without it one of this file's own. */
const { QUORATE_TEST_BROWSER, QUORATE_TEST_SITE } = process.env;

/**
 * Serves `folder` and connects to Chromium. Resolves to `{ url, browser, newPage, closeContexts, close }`: `newPage(options)`
 * opens a page in a context of its own (options as of Playwright's `newContext`, such as `viewport` or `colorScheme`) and
 * resolves to `{ page, context, problems }`, with what `watch` collects.
 */
export async function open(folder) {
  const server = folder === SITE && QUORATE_TEST_SITE ? { url: QUORATE_TEST_SITE, close() {} } : await serve(folder);
  let browser;
  try {
    browser = await (QUORATE_TEST_BROWSER ? chromium.connect(QUORATE_TEST_BROWSER) : chromium.launch(chromiumOptions()));
  } catch (error) {
    await server.close();
    throw error;
  }
  return {
    url: server.url,
    browser,
    async newPage(options) {
      const context = await browser.newContext(options);
      context.setDefaultTimeout(PATIENCE);
      const page = await context.newPage();
      return { page, context, problems: await watch(page) };
    },
    closeContexts: () => Promise.all(browser.contexts().map((context) => context.close())),
    async close() {
      await browser.close();
      await server.close();
    },
  };
}

/** Starts Firefox; resolves to Puppeteer's browser, or to null where there is none. */
export async function openFirefox() {
  const executablePath = findFirefox();
  return executablePath ? puppeteer({ browser: "firefox", executablePath, headless: true }) : null;
}

/**
 * Collects from now on what goes wrong in `page`, also after a reload: errors and warnings on the console, uncaught
 * exceptions, violations of the security policy, failed requests, and requests to any other host than the page's.
 * Returns the list, to be compared with `[]` at the end of a test.
 */
export async function watch(page) {
  const problems = [];
  // What the browser says of the machine it runs on, when it is asked for a graphics card or a model of its own.
  const ofTheMachine = /No available adapters|the service is not running/;
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type()) && !ofTheMachine.test(message.text())) problems.push(`${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => problems.push(`uncaught: ${error.stack ?? error}`));
  page.on("requestfailed", (request) => problems.push(`request failed: ${request.url()} ${request.failure()?.errorText}`));
  page.on("request", (request) => {
    const { hostname, protocol } = new URL(request.url());
    if (protocol.startsWith("http") && hostname !== "127.0.0.1") problems.push(`request to another host: ${request.url()}`);
  });
  await page.exposeFunction("reportViolation", (text) => problems.push(`security policy: ${text}`));
  await page.addInitScript(() => {
    addEventListener("securitypolicyviolation", (event) =>
      window.reportViolation(`${event.violatedDirective} ${event.blockedURI} ${event.sourceFile ?? ""}:${event.lineNumber}`),
    );
  });
  return problems;
}
