// Runs tests of the page, all files in one Chromium and with one site server.
//
//   node tests/page/run.mjs           the quick tier: tests/page/*.test.mjs
//   node tests/page/run.mjs all       that and tests/page/all/*.test.mjs
//   node tests/page/run.mjs FILE...   some files
import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { serve } from "../../scripts/serve.mjs";
import { chromiumOptions } from "../support/browser.mjs";
import { SITE } from "../support/paths.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const filesIn = (folder) => readdirSync(folder).filter((name) => name.endsWith(".test.mjs")).map((name) => join(folder, name));
const asked = process.argv.slice(2);
const files = asked.length && asked[0] !== "all" ? asked : [...filesIn(here), ...(asked.length ? filesIn(join(here, "all")) : [])];

const site = await serve(SITE);
const browser = await chromium.launchServer(chromiumOptions());
// What a test waits for has limits of its own; this one, in milliseconds, is for a whole file. Much of what tests do is waiting, so
// two files run at once.
const run = spawn(process.execPath, ["--test", "--test-timeout=3600000", "--test-concurrency=2", "--test-reporter=spec", ...files], {
  stdio: "inherit",
  env: { ...process.env, QUORATE_TEST_BROWSER: browser.wsEndpoint(), QUORATE_TEST_SITE: site.url },
});
const code = await new Promise((resolve) => run.once("close", resolve));
await browser.close();
await site.close();
process.exitCode = code ?? 1;
