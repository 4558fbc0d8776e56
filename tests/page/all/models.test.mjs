// Models: a provider's card, the choice of models per seat, models inside the page, and which addresses the page may call.
import assert from "node:assert/strict";
import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { openFirefox } from "../../support/browser.mjs";
import { eventually } from "../../support/eventually.mjs";
import { startModelServer } from "../../support/model_server.mjs";
import { made, ready, runIs, sessionId, small, stored, usePage, view } from "../../support/page.mjs";
import { startProviders } from "../../support/providers.mjs";
import { writeConfig } from "../../support/setup.mjs";

const lab = usePage();

const KEY = "sk-test-0123456789abcdef";
let server;
before(async () => (server = await startProviders({ answer: () => "The floor matters most to me. 1. Maximizing the floor income", chunk: 40 })));
after(() => server?.close());

test("of the levels of effort those are offered that the model takes", async () => {
  const { page, problems } = await lab.visit("#/setup/quick");
  const field = (path) => page.locator(`[data-path="${path}"]`).locator("input, select").first();
  await field("agents.0.kind").selectOption("model");
  await field("agents.0.provider").selectOption("openai");
  await page.locator("[data-agent='0'] details.more summary").click();
  const effort = field("agents.0.reasoning_effort");
  const offers = async (model, levels, message) => {
    await field("agents.0.model").fill(model);
    await effort.focus();
    await eventually.deepEqual(() => effort.locator("option").evaluateAll((all) => all.map(({ value }) => value)), levels, message);
  };
  await offers("nobody-knows-it", ["", "none", "minimal", "low", "medium", "high", "xhigh", "max"]);
  await offers("gpt-5", ["", "minimal", "low", "medium", "high"]);
  await offers("gpt-5-2025-08-07", ["", "minimal", "low", "medium", "high"], "a dated version of it");
  await effort.selectOption("minimal");
  await offers("o3", ["", "low", "medium", "high", "minimal"], "what is set stays");
  await page.getByText("is minimal, by the catalogue o3 takes: low, medium, high").waitFor();
  assert.deepEqual(problems, []);
});

/** Counts presses of the mouse, and of keys that press. */
const counting = (page) => page.evaluate(() => {
  window.clicks = 0;
  addEventListener("click", () => (window.clicks += 1), true);
});

const openCard = async (page, id) => {
  const card = page.locator(`[data-provider=${id}]`);
  if (!(await card.evaluate((node) => node.open))) await card.locator("> summary").click();
  return card;
};

test("from a pasted key to the first answer in three clicks at most", async () => {
  const { page, problems } = await lab.visit("#/models");
  const card = await openCard(page, "compatible");
  await card.getByTestId("address-compatible").fill(server.base("compatible", "clicks"));
  await card.getByTestId("address-compatible").press("Tab");
  await page.evaluate((key) => {
    const field = document.querySelector("[data-testid=key-compatible]");
    field.focus();
    document.execCommand("insertText", false, key);
  }, KEY);
  await counting(page);
  await card.getByTestId("test-compatible").click();
  await card.getByTestId("begin-compatible").waitFor();
  await eventually.equal(() => card.getByTestId("model-compatible").inputValue(), "m-1");
  await eventually.match(() => card.getByTestId("state-compatible").textContent(), /^•••• cdef/);
  await eventually.equal(() => card.getByTestId("key-compatible").inputValue(), "");
  await card.getByTestId("begin-compatible").click();
  // In the page, not in sight: a run that is quicker than who looks has folded its first round by then.
  await page.getByText("The floor matters most").first().waitFor({ state: "attached" });
  const clicks = await page.evaluate(() => window.clicks);
  assert.ok(clicks <= 3, `${clicks} clicks`);
  assert.equal(clicks, 2);
  const [first] = server.requests("clicks");
  assert.equal(first.headers.authorization, `Bearer ${KEY}`);
  assert.equal(first.body.model, "m-1");
  assert.equal(first.body.stream, true);
  const entries = await stored(page, sessionId(page));
  const { config } = entries[0].what;
  assert.ok(config.agents.length > 2 && config.agents.every(({ kind, provider, model, base_url }) => kind === "model" && provider === "compatible" && model === "m-1" && base_url.endsWith("/clicks/none")));
  assert.ok(!JSON.stringify(entries).includes("sk-test"));
  assert.deepEqual(server.problems, []);
  await page.getByTestId("stop").click();
  await runIs(page, "stopped");
  assert.deepEqual(problems.filter((one) => !one.includes(server.origin)), []);
});

test("what is wrong is said in the page's words, the engine's sentence below", async () => {
  const { page } = await lab.visit("#/models");
  const card = await openCard(page, "compatible");
  const said = page.getByTestId("said-compatible");
  const tells = async (sentence, address, key) => {
    await card.getByTestId("address-compatible").fill(address);
    await card.getByTestId("address-compatible").press("Tab");
    if (key) await card.getByTestId("key-compatible").fill(key);
    await card.getByTestId("test-compatible").click();
    await eventually.match(() => said.textContent(), sentence);
  };
  await tells(/^The key is missing or was not accepted\./, server.base("compatible", "wrong"), "wrong-key-0000");
  await eventually.ok(async () => !(await said.innerHTML()).includes("wrong-key"));
  await eventually.match(() => said.locator("details p").textContent(), /did not accept the API key\..*removed/s);
  await tells(/^The server is running, but does not accept calls from this page/, server.base("compatible", "cors", "no-cors"));
  await tells(/^No answer from this address\./, "http://127.0.0.1:9/v1");
  // An address that the policy does not have is not tried.
  await card.getByTestId("address-compatible").fill("https://models.example/v1");
  await card.getByTestId("address-compatible").press("Tab");
  await card.getByText("This page may not call this address yet").waitFor();
  await eventually.equal(() => card.getByTestId("key-compatible").count(), 0, "no key is asked for where it could not go");
  await card.getByTestId("address-compatible").fill("nonsense");
  await card.getByTestId("address-compatible").press("Tab");
  await card.getByText("This is not the address of a server").waitFor();
  await page.getByTestId("language").selectOption("es");
  await openCard(page, "compatible");
  await tells(/^La clave falta o no se aceptó\./, server.base("compatible", "wrong"), "wrong-key-0000");
});

test("seats choose their model from what the provider offers, by keyboard, or name another", async () => {
  const { page, problems } = await lab.visit("#/setup/quick");
  const field = (path, tag = "input, select") => page.locator(`[data-path="${path}"]`).locator(tag).first();
  for (const at of [0, 1]) await field(`agents.${at}.kind`).selectOption("model");
  await field("agents.0.provider").selectOption("compatible");
  await eventually.equal(() => field("agents.0.base_url").evaluate((node) => node.closest("details.more") === null), true, "an address of one's own is asked for at once");
  await field("agents.0.base_url").fill(server.base("compatible", "seats"));
  const model = field("agents.0.model");
  await model.click();
  await page.locator("[data-path='agents.0.model'] [role=option]").waitFor();
  await eventually.equal(() => model.getAttribute("aria-expanded"), "true");
  await eventually.match(() => page.locator("[data-path='agents.0.model'] [role=status]").textContent(), /1 model matches/);
  await model.press("ArrowDown");
  await eventually.equal(async () => page.locator(`#${await model.getAttribute("aria-activedescendant")}`).getAttribute("aria-selected"), "true");
  await model.press("Enter");
  await eventually.equal(() => model.inputValue(), "m-1");
  await eventually.equal(() => model.getAttribute("aria-expanded"), "false");
  await page.locator("[data-agent='0'] details.more summary").click();
  await field("agents.0.reasoning_effort").selectOption("low");
  await page.locator("[data-agent='0']").getByTestId("alike").click();
  // A key of its own for one of them.
  await page.locator(".key-seats summary").click();
  await page.getByTestId("key").first().fill("sk-of-all-000000");
  await page.getByTestId("key-seat").nth(1).fill("sk-of-one-111111");
  await page.getByTestId("key-seat").nth(1).press("Tab");
  await page.getByTestId("mode-json").click();
  const config = JSON.parse(await page.getByTestId("config-text").inputValue());
  for (const at of [0, 1]) {
    const { kind, provider, model: name, base_url, reasoning_effort } = config.agents[at];
    assert.deepEqual([kind, provider, name, base_url, reasoning_effort], ["model", "compatible", "m-1", server.base("compatible", "seats"), "low"]);
  }
  assert.ok(!JSON.stringify(config).includes("sk-of"));
  assert.notEqual(config.agents[2].kind, "model");
  await page.getByTestId("setup-start").click();
  await page.getByText("The floor matters most").nth(1).waitFor({ state: "attached" });
  await eventually.deepEqual(() => [...new Set(server.requests("seats").map(({ headers }) => headers.authorization))].sort(), ["Bearer sk-of-all-000000", "Bearer sk-of-one-111111"]);
  for (const { headers, body } of server.requests("seats")) {
    const isSecond = JSON.stringify(body).includes(config.agents[1].personality.slice(0, 20));
    assert.equal(headers.authorization.includes("of-one"), isSecond);
  }
  await page.getByTestId("stop").click();
  await runIs(page, "stopped");
  assert.deepEqual(problems.filter((one) => !one.includes(server.origin)), []);
});

test("models are asked for answers in a fixed form unless the configuration says otherwise", async () => {
  const { page, problems } = await lab.visit("#/setup/quick");
  await page.locator("[data-path=answers]").waitFor();
  const field = (path) => page.locator(`[data-path="${path}"]`).locator("input, select").first();
  const config = async () => {
    await page.getByTestId("mode-json").click();
    const text = await page.getByTestId("config-text").inputValue();
    await page.getByTestId("mode-form").click();
    await field("agents.0.kind").waitFor();
    return JSON.parse(text);
  };
  await eventually.equal(() => field("answers").inputValue(), "structured");
  await field("agents.0.kind").selectOption("model");
  assert.equal("answers" in (await config()), false);
  await field("answers").selectOption("free");
  await field("agents.1.kind").selectOption("model");
  assert.equal((await config()).answers, "free");
  await field("answers").selectOption("structured");
  assert.equal("answers" in (await config()), false);
  assert.deepEqual(problems, []);
});

/** A model file, where there is one. */
const GGUF = process.env.QUORATE_GGUF ?? "";
const card = (page, runner) => page.getByTestId(`inpage-${runner}`);
const unfold = (page, runner) => card(page, runner).locator("> summary").click();

/** A browser with a model of its own, which says what it was asked. */
const withModel = () => {
  const asked = [];
  globalThis.LanguageModel = class {
    static async availability() {
      return globalThis.downloaded ? "available" : "downloadable";
    }
    static async create({ initialPrompts, monitor } = {}) {
      if (monitor) {
        const target = new EventTarget();
        monitor(target);
        for (const loaded of [0.25, 1]) target.dispatchEvent(Object.assign(new Event("downloadprogress"), { loaded, total: 1 }));
        globalThis.downloaded = true;
      }
      const model = new LanguageModel();
      model.before = initialPrompts ?? [];
      return model;
    }
    promptStreaming(text, { responseConstraint } = {}) {
      asked.push({ before: this.before, text, responseConstraint });
      globalThis.asked = asked;
      return new ReadableStream({ start(controller) {
        for (const piece of ["I would ", "measure the waste ", "for a week."]) controller.enqueue(piece);
        controller.close();
      } });
    }
    destroy() {}
  };
};

test("what this browser cannot run is told, not offered", async () => {
  const { page, problems } = await lab.visit("#/models");
  await unfold(page, "webllm");
  await card(page, "webllm").getByTestId("inpage-trouble").waitFor();
  await eventually.match(() => card(page, "webllm").textContent(), /graphics card/);
  await eventually.equal(() => card(page, "webllm").getByTestId("inpage-get").count(), 0);
  assert.deepEqual(problems, []);
});

test("the browser's own model holds a whole discussion without a key", async () => {
  const { page, context, problems } = await lab.visit();
  await context.addInitScript(withModel);
  await page.reload();
  // What was still on its way to the page before is cut off.
  problems.length = 0;
  await view(page, "#/models", "inpage-builtin");
  await unfold(page, "builtin");
  await card(page, "builtin").getByTestId("inpage-get").click();
  await card(page, "builtin").locator(".said[data-ok=true]").waitFor();
  await card(page, "builtin").getByTestId("inpage-start").click();
  await runIs(page, "ended");
  const entries = await stored(page, sessionId(page));
  const answers = entries.filter(({ what }) => what.type === "answered").map(({ what }) => what.reply);
  assert.equal(answers.length, 9, "three seats in three rounds");
  for (const reply of answers) {
    assert.equal(reply.text, "I would measure the waste for a week.");
    assert.equal(reply.model, "builtin");
  }
  const [first] = entries.filter(({ what }) => what.type === "asked").map(({ what }) => what.request);
  const put = await page.evaluate(() => globalThis.asked[0]);
  assert.equal(first.model, "builtin/default");
  assert.deepEqual(put.before[0], { role: "system", content: first.system });
  assert.equal(put.text, first.messages.at(-1).content);
  assert.deepEqual(problems, []);
});

test("where the browser lacks something, no code is fetched from elsewhere instead", async () => {
  const { page, context } = await lab.visit("#/models");
  const elsewhere = [];
  await context.route((url) => url.protocol === "https:", (route) => {
    elsewhere.push(route.request().url());
    return route.abort();
  });
  await page.route("**/a/worker-*.js", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: `delete WebAssembly.Suspending;${await response.text()}` });
  });
  const said = await page.evaluate(async () => {
    const { call } = await import(new URL("inpage/remote.js", document.baseURI).href);
    const file = new File([new Uint8Array([0x47, 0x47, 0x55, 0x46, 3, ...Array(19).fill(0)])], "a.gguf");
    return call({ do: "load", runner: "gguf", model: "file:a.gguf", file }).then(() => "loaded", (error) => error.message);
  });
  assert.equal(said, "loaded", "what lies here is enough");
  assert.deepEqual(elsewhere, []);
});

test("a GGUF file is loaded, kept over a reload, and answers", { skip: !existsSync(GGUF) && "QUORATE_GGUF names no file" }, async () => {
  const { page, problems } = await lab.visit("#/models");
  const files = [];
  page.on("request", (request) => files.push(new URL(request.url()).pathname));
  await card(page, "gguf").waitFor();
  assert.deepEqual(files.filter((path) => /wllama|webllm/.test(path)), [], "no library before one is chosen");
  await unfold(page, "gguf");
  await card(page, "gguf").getByTestId("inpage-file").setInputFiles(GGUF);
  await card(page, "gguf").locator(".said[data-ok=true]").waitFor({ timeout: 300_000 });
  await page.reload();
  await view(page, "#/models", "inpage-gguf");
  await unfold(page, "gguf");
  const kept = card(page, "gguf").getByTestId("inpage-kept");
  await kept.waitFor();
  const name = await kept.locator("code").textContent();
  const id = await page.evaluate(async (model) => {
    const engine = await import(new URL("engine.js", document.baseURI).href);
    const seat = (who) => ({ name: who, kind: "custom", program: "gguf", model, personality: "Brief." });
    return engine.create({ protocol: "discussion", topic: "Bread or rice?", rounds: 1, start: "at_once", turn_timeout: 600, limits: { max_answer_tokens: 6 }, agents: [seat("Ada"), seat("Bo")] });
  }, name);
  await view(page, `#/run/${id}`);
  await page.locator("[data-testid=state][data-state=ended]").waitFor({ timeout: 300_000 });
  const replies = (await stored(page, id)).filter(({ what }) => what.type === "answered").map(({ what }) => what.reply);
  assert.equal(replies.length, 2);
  for (const reply of replies) {
    assert.equal(reply.model, name);
    assert.ok(reply.usage.input > 10 && reply.usage.output <= 6);
  }
  await view(page, "#/models", "inpage-gguf");
  await unfold(page, "gguf");
  await card(page, "gguf").getByTestId("inpage-kept").getByRole("button", { name: /^Remove/ }).click();
  await card(page, "gguf").getByTestId("inpage-kept").waitFor({ state: "detached" });
  assert.deepEqual(problems, []);
});

/** A host of weights that lets other pages fetch them. */
async function host(file) {
  const { size } = statSync(file);
  const seen = [];
  const server = createServer((request, response) => {
    seen.push(request.method);
    response.writeHead(200, { "Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": "*", "Content-Length": size, ETag: '"1"' });
    if (request.method === "HEAD") response.end();
    else createReadStream(file).pipe(response);
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return { url: `http://127.0.0.1:${server.address().port}/model.gguf`, seen, close: () => (server.closeAllConnections(), server.close()) };
}

test("weights are fetched once, beside a policy that lets the page itself reach nobody", { skip: !existsSync(GGUF) && "QUORATE_GGUF names no file" }, async () => {
  const { url, seen, close } = await host(GGUF);
  const { page } = await lab.visit();
  await page.evaluate(() => localStorage.setItem("quorate.origins", JSON.stringify(["https://api.openai.com"])));
  await page.reload();
  await view(page, "#/models", "inpage-gguf");
  assert.equal(await page.evaluate((address) => fetch(address).then(() => "fetched", () => "blocked"), url), "blocked");
  const get = async () => {
    await unfold(page, "gguf");
    await card(page, "gguf").getByTestId("inpage-url").fill(url);
    await card(page, "gguf").getByTestId("inpage-get").click();
    await card(page, "gguf").locator(".said[data-ok=true]").waitFor({ timeout: 300_000 });
  };
  await get();
  assert.ok(seen.includes("GET"));
  seen.length = 0;
  await page.reload();
  await view(page, "#/models", "inpage-gguf");
  await get();
  assert.deepEqual(seen, [], "nothing is fetched again");
  close();
});

let models;
let elsewhere;
/** What came there. */
const reached = [];
before(async () => {
  models = await startModelServer({ answer: () => "1. Maximizing the floor income. Certainty: sure" });
  elsewhere = createServer((request, response) => reached.push(request.url) && response.writeHead(200, { "access-control-allow-origin": "*" }).end("reached"));
  await new Promise((resolve) => elsewhere.listen(0, "127.0.0.1", resolve));
});
after(async () => {
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

test("Chromium keeps to the script's policy: before a choice, after one, and with a list that makes no sense", async () => {
  const { page } = await lab.visit("#/");
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
  const { page } = await lab.visit("#/");
  assert.equal(await page.evaluate(call, otherOrigin()), "opaque");
  const id = await made(page, seated(models.url), { run: false });
  await view(page, `#/run/${id}`, "conversation");
  await page.getByTestId("statement").first().waitFor({ state: "attached" });
  await eventually.equal(() => used(page), JSON.stringify([models.origin]));
  assert.equal(await page.evaluate(call, otherOrigin()), "connect-src");
  assert.equal(await page.evaluate(call, "https://api.openai.com/v1/models"), "connect-src");

  // Another run, elsewhere: it halts with what to do, and goes on by itself after the reload.
  const next = await startModelServer({ answer: () => "1. Maximizing the floor income. Certainty: sure" });
  const second = await made(page, seated(next.url), { run: false });
  await view(page, `#/run/${second}`, "halt-allow");
  await eventually.match(() => page.getByTestId("banner").textContent(), /This page may not call http:\/\/127\.0\.0\.1:\d+ yet/);
  assert.equal(next.requests.length, 0);
  await page.getByTestId("halt-allow").click();
  await page.getByTestId("allow-dialog").waitFor();
  await eventually.equal(() => page.getByText("The keys in this tab will be lost").count(), 0, "there are none");
  await Promise.all([page.waitForEvent("load"), page.getByTestId("allow-do").click()]);
  await ready(page);
  await eventually.ok(async () => (await used(page)).includes(next.origin));
  // What held it is gone: nobody has to press anything. Calls in vain count as calls, so it is the server that is asked whether any came.
  await eventually.ok(() => next.requests.length >= 2);
  await next.close();
});

test("the models that a seat falls back on are among those that a run calls", async () => {
  const { page } = await lab.visit("#/");
  const seat = { name: "Ada", kind: "model", provider: "groq", model: "m", fallback: [{ provider: "ollama", model: "m" }, { model: "gpt-4o" }, { model: "m", base_url: "https://x.example/v1" }, {}, null] };
  const found = await page.evaluate(async (agents) => {
    const { endpoints } = await import(new URL("keys.js", document.baseURI).href);
    return [...endpoints({ agents }).values()].map(({ origin, seats }) => [origin, seats]);
  }, [seat, { name: "Bo", kind: "scripted", fallback: [{ model: "gpt-4o" }] }]);
  assert.deepEqual(found, ["https://api.groq.com", "http://127.0.0.1:11434", "https://api.openai.com", "https://x.example"].map((origin) => [origin, ["Ada"]]));
});

test("set-up asks before it starts what the page may not call, and begins after the reload", async () => {
  const { page } = await lab.visit("#/");
  await page.evaluate(() => localStorage.setItem("quorate.origins", JSON.stringify(["https://api.groq.com"])));
  await page.reload();
  await ready(page);
  await view(page, "#/setup", "mode-json");
  await page.getByTestId("mode-json").click();
  await writeConfig(page, JSON.stringify(seated(models.url)));
  await page.locator("[data-testid=faults] .good").waitFor();
  await page.getByTestId("setup-start").click();
  await page.getByTestId("allow-dialog").waitFor();
  const before = models.requests.length;
  await Promise.all([page.waitForEvent("load"), page.getByTestId("allow-do").click()]);
  await page.getByTestId("statement").first().waitFor({ state: "attached" });
  assert.ok(models.requests.length > before);
  await eventually.deepEqual(async () => JSON.parse(await used(page)), ["https://api.groq.com", models.origin]);
});

test("forgetting a key forgets its origin; without any left the page is as in the beginning", async () => {
  const { page } = await lab.visit("#/models");
  const groq = page.locator("[data-provider=groq]");
  await groq.locator("> summary").click();
  await page.getByTestId("key-groq").fill("gsk-000000000000");
  await page.getByTestId("key-groq").press("Tab");
  await page.getByTestId("state-groq").getByText("••••").waitFor();
  await eventually.equal(() => used(page), '["https://api.groq.com"]');
  await groq.getByRole("button", { name: /^Forget/ }).click();
  await eventually.equal(() => used(page), null);
  await eventually.equal(() => page.getByTestId("state-groq").textContent(), "");
});
