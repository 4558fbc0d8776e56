// Models that run inside the page: offered where the browser can, loaded when chosen, seated like anybody else. The file of
// a model is tested where there is one (QUORATE_GGUF names it); the browser's own model is a stand-in that has its API.
import assert from "node:assert/strict";
import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { assertFine } from "../support/access.mjs";
import { openPage, runIs, sessionId, stored, view } from "../support/page.mjs";

const GGUF = process.env.QUORATE_GGUF ?? "";
let lab;
before(async () => (lab = await openPage()));
after(() => lab.close());

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
  const { page, context, problems } = await lab.visit("#/models");
  await unfold(page, "webllm");
  await card(page, "webllm").getByTestId("inpage-trouble").waitFor();
  assert.match(await card(page, "webllm").textContent(), /WebGPU/);
  assert.equal(await card(page, "webllm").getByTestId("inpage-get").count(), 0);
  await assertFine(page, "models-inpage");
  assert.deepEqual(problems, []);
  await context.close();
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
  await context.close();
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
  await context.close();
});

test("a GGUF file is loaded, kept over a reload, and answers", { skip: !existsSync(GGUF) && "QUORATE_GGUF names no file" }, async () => {
  const { page, context, problems } = await lab.visit("#/models");
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
  await context.close();
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
  const { page, context } = await lab.visit();
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
  await context.close();
  close();
});
