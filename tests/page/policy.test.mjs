// Whom the page may call: the providers that it knows until somebody chose, then the origins in use and nobody else; a run
// with models narrows that at once; another address is let in by a reload that is asked for.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { openFirefox } from "../support/browser.mjs";
import { assertFine } from "../support/access.mjs";
import { startModelServer } from "../support/model_server.mjs";
import { made, openPage, ready, small, view } from "../support/page.mjs";
import { PROVIDERS } from "../../www/models/providers.js";

let lab;
let models;
let elsewhere;
/** What came there. */
const reached = [];
before(async () => {
  lab = await openPage();
  models = await startModelServer({ answer: () => "1. Maximizing the floor income. Certainty: sure" });
  elsewhere = createServer((request, response) => reached.push(request.url) && response.writeHead(200, { "access-control-allow-origin": "*" }).end("reached"));
  await new Promise((resolve) => elsewhere.listen(0, "127.0.0.1", resolve));
});
after(async () => {
  await lab?.close();
  await models?.close();
  elsewhere?.closeAllConnections();
  elsewhere?.close();
});
const otherOrigin = () => `http://127.0.0.1:${elsewhere.address().port}`;

/** What becomes of a call from the page: its status, or the directive that forbade it. */
const call = async (url) => {
  const violated = new Promise((resolve) => addEventListener("securitypolicyviolation", ({ effectiveDirective }) => resolve(effectiveDirective), { once: true }));
  try {
    return (await fetch(url, { mode: "no-cors" })).type;
  } catch {
    return Promise.race([violated, new Promise((resolve) => setTimeout(resolve, 3000, "failed"))]);
  }
};
const used = (page) => page.evaluate(() => localStorage.getItem("quorate.origins"));

test("policy.js lets in the providers of the table and this machine, within the bound of index.html", () => {
  const script = readFileSync(new URL("../../www/policy.js", import.meta.url), "utf8");
  const [known] = script.match(/\[("https:[^\]]*)\]/g);
  const cloud = PROVIDERS.filter(({ local, baseUrl }) => !local && baseUrl).map(({ baseUrl }) => new URL(baseUrl).origin);
  assert.deepEqual(JSON.parse(known), [...new Set(cloud), "http://localhost:*", "http://127.0.0.1:*"]);
  const page = readFileSync(new URL("../../www/index.html", import.meta.url), "utf8");
  assert.match(page, /connect-src 'self' https: http:\/\/localhost:\* http:\/\/127\.0\.0\.1:\* wss: ws:\/\/localhost:\* ws:\/\/127\.0\.0\.1:\*;/);
  const scripts = [...page.matchAll(/<script [^>]*src="(.*?)"/g)].map(([whole, name]) => [name, /module|async|defer/.test(whole)]);
  assert.deepEqual(scripts[0], ["policy.js", false], "the policy is there before any other script");
});

for (const name of ["index.html", "join.html"]) test(`${name} has its script of the policy within it, before anything else, and the policy lets no other such script run`, () => {
  const page = readFileSync(new URL(`../../site/${name}`, import.meta.url), "utf8");
  const inside = [...page.matchAll(/<script>([^]*?)<\/script>/g)];
  assert.equal(inside.length, 1);
  const [[, script]] = inside;
  assert.match(script, /connect-src/);
  assert.ok(page.includes(`script-src 'self' 'sha256-${createHash("sha256").update(script).digest("base64")}'${name === "index.html" ? " 'wasm-unsafe-eval'" : ""};`));
  assert.ok(page.indexOf("<meta http-equiv") < page.indexOf(script) && page.indexOf(script) < page.search(/<link|<script [^>]*src/));
});

test("Chromium keeps to the script's policy: before a choice, after one, and with a list that makes no sense", async () => {
  const { page, context } = await lab.visit("#/");
  assert.equal(await page.evaluate(call, "https://evil.example/x"), "connect-src");
  assert.equal(await page.evaluate(call, otherOrigin()), "opaque", "this machine may be called before anybody chose");
  await page.evaluate(() => localStorage.setItem("quorate.origins", JSON.stringify(["https://api.groq.com", "x; script-src *", "https://*", 5])));
  await page.reload();
  await ready(page);
  const policies = await page.evaluate(() => [...document.querySelectorAll("meta[http-equiv=Content-Security-Policy]")].map(({ content }) => content));
  assert.equal(policies.length, 2);
  assert.equal(policies[1], policies[0].replace(/connect-src [^;]*/, "connect-src 'self' https://api.groq.com"));
  for (const url of [otherOrigin(), "https://api.openai.com/v1/models", "https://evil.example/x"]) assert.equal(await page.evaluate(call, url), "connect-src", url);
  // Neither ahead of a visit nor past the policy.
  const before = reached.length;
  const hints = await page.evaluate(async (url) => {
    const asked = ["prefetch", "preload", "modulepreload", "prerender", "dns-prefetch", "preconnect", "stylesheet", "icon", "manifest"].map((rel) => {
      const link = Object.assign(document.createElement("link"), { rel, href: `${url}/${rel}` });
      if (rel === "preload") link.as = "fetch";
      return new Promise((resolve) => {
        link.onload = link.onerror = resolve;
        document.head.append(link);
        setTimeout(resolve, 1000);
      });
    });
    await Promise.all(asked);
    return typeof RTCPeerConnection;
  }, otherOrigin());
  assert.deepEqual([reached.slice(before), hints], [[], "undefined"]);
  await context.close();
});

test("Firefox keeps to it as well", async (t) => {
  const browser = await openFirefox();
  if (!browser) return t.skip("no Firefox here");
  try {
    const page = await browser.newPage();
    await page.goto(lab.url);
    await page.waitForSelector("html[data-ready=true]");
    assert.equal(await page.evaluate(call, "https://evil.example/x"), "connect-src");
    assert.equal(await page.evaluate(call, otherOrigin()), "opaque");
    await page.evaluate(() => localStorage.setItem("quorate.origins", JSON.stringify(["https://api.groq.com"])));
    await page.reload();
    await page.waitForSelector("html[data-ready=true]");
    assert.equal(await page.evaluate(call, otherOrigin()), "connect-src");
    // And to one that is tightened while the page is open.
    await page.evaluate(() => localStorage.removeItem("quorate.origins"));
    await page.reload();
    await page.waitForSelector("html[data-ready=true]");
    assert.equal(await page.evaluate(call, otherOrigin()), "opaque");
    await page.evaluate(async () => (await import(new URL("origins.js", document.baseURI).href)).tighten(["https://api.groq.com"]));
    assert.equal(await page.evaluate(call, otherOrigin()), "connect-src");
  } finally {
    await browser.close();
  }
});

const seated = (base_url, more = {}) => small({ phase2_rounds: 30, agents: small().agents.map((agent) => ({ ...agent, kind: "model", provider: "compatible", model: "test", base_url })), ...more });

test("a run with models narrows the policy to those in use, at once", async () => {
  const { page, context } = await lab.visit("#/");
  assert.equal(await page.evaluate(call, otherOrigin()), "opaque");
  const id = await made(page, seated(models.url), { run: false });
  await view(page, `#/run/${id}`, "conversation");
  await page.getByTestId("statement").first().waitFor({ state: "attached" });
  assert.equal(await used(page), JSON.stringify([models.origin]));
  assert.equal(await page.evaluate(call, otherOrigin()), "connect-src");
  assert.equal(await page.evaluate(call, "https://api.openai.com/v1/models"), "connect-src");

  // Another run, elsewhere: it halts with what to do, and goes on by itself after the reload.
  const next = await startModelServer({ answer: () => "1. Maximizing the floor income. Certainty: sure" });
  const second = await made(page, seated(next.url), { run: false });
  await view(page, `#/run/${second}`, "halt-allow");
  assert.match(await page.getByTestId("banner").textContent(), /This page may not call http:\/\/127\.0\.0\.1:\d+ yet/);
  await assertFine(page, "a run whose address is not allowed", { themes: ["light"] });
  assert.equal(next.requests.length, 0);
  await page.getByTestId("halt-allow").click();
  await page.getByTestId("allow-dialog").waitFor();
  assert.equal(await page.getByText("The keys in this tab are lost").count(), 0, "there are none");
  await Promise.all([page.waitForEvent("load"), page.getByTestId("allow-do").click()]);
  await ready(page);
  assert.ok((await used(page)).includes(next.origin));
  // What held it is gone: nobody has to press anything. Calls in vain count as calls, so it is the server that is asked whether any came.
  for (let tries = 0; tries < 400 && next.requests.length < 2; tries += 1) await page.waitForTimeout(50);
  assert.ok(next.requests.length >= 2);
  await next.close();
  await context.close();
});

test("the models that a seat falls back on are among those that a run calls", async () => {
  const { page, context } = await lab.visit("#/");
  const seat = { name: "Ada", kind: "model", provider: "groq", model: "m", fallback: [{ provider: "ollama", model: "m" }, { model: "gpt-4o" }, { model: "m", base_url: "https://x.example/v1" }, {}, null] };
  const found = await page.evaluate(async (agents) => {
    const { endpoints } = await import(new URL("keys.js", document.baseURI).href);
    return [...endpoints({ agents }).values()].map(({ origin, seats }) => [origin, seats]);
  }, [seat, { name: "Bo", kind: "scripted", fallback: [{ model: "gpt-4o" }] }]);
  assert.deepEqual(found, ["https://api.groq.com", "http://127.0.0.1:11434", "https://api.openai.com", "https://x.example"].map((origin) => [origin, ["Ada"]]));
  await context.close();
});

test("set-up asks before it starts what the page may not call, and begins after the reload", async () => {
  const { page, context } = await lab.visit("#/");
  await page.evaluate(() => localStorage.setItem("quorate.origins", JSON.stringify(["https://api.groq.com"])));
  await page.reload();
  await ready(page);
  await view(page, "#/setup", "mode-json");
  await page.getByTestId("mode-json").click();
  await page.getByTestId("config-text").fill(JSON.stringify(seated(models.url)));
  await page.locator("[data-testid=faults] .good").waitFor();
  await page.getByTestId("setup-start").click();
  await page.getByTestId("allow-dialog").waitFor();
  await assertFine(page, "a question before the reload");
  const before = models.requests.length;
  await Promise.all([page.waitForEvent("load"), page.getByTestId("allow-do").click()]);
  await page.getByTestId("statement").first().waitFor({ state: "attached" });
  assert.ok(models.requests.length > before);
  assert.deepEqual(JSON.parse(await used(page)), ["https://api.groq.com", models.origin]);
  await context.close();
});

test("forgetting a key forgets its origin; without any left the page is as in the beginning", async () => {
  const { page, context } = await lab.visit("#/models");
  const groq = page.locator("[data-provider=groq]");
  await groq.locator("> summary").click();
  await page.getByTestId("key-groq").fill("gsk-000000000000");
  await page.getByTestId("key-groq").press("Tab");
  await page.getByTestId("state-groq").getByText("••••").waitFor();
  assert.equal(await used(page), '["https://api.groq.com"]');
  await groq.getByRole("button", { name: /^Forget/ }).click();
  assert.equal(await used(page), null);
  assert.equal(await page.getByTestId("state-groq").textContent(), "");
  await context.close();
});
