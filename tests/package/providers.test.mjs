// Whole sessions against a server that speaks every provider's format: every protocol through every format, and every
// fault at every provider. The table of faults is printed.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { writeFileSync, mkdtempSync, cpSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { open } from "../support/browser.mjs";
import { root } from "../support/package.mjs";
import { FAULTS, PROVIDERS, bySchema, startProviders } from "../support/providers.mjs";

const { default: init, Session, catalogue, check, listModels, presets, testConnection } = await import(join(root, "dist/node.js"));
const KEY = "canary-key-1234567890";
/** One provider of each format. */
const FORMATS = ["groq", "openai_responses", "anthropic", "gemini", "ollama"];
const preset = (id) => structuredClone(presets().find((preset) => preset.id === id).config);

/** What was answered to a question by the scripted seats of a run, tag by tag. */
const scripts = new Map();
let server;

function answer(question, tag, schema) {
  if (tag.startsWith("formed")) return schema ? JSON.stringify(bySchema(schema)) : words(question);
  const asked = JSON.stringify(question);
  // A seat that is asked by a form is told of what it may say beside its words.
  const left = scripts.get(tag).get(asked) ?? scripts.get(tag).get(asked.replace(/\\n\\nBeside the statement, .*? with your statement\./, ""));
  // Put once more after an answer that was lost on its way: the last is said again.
  return left.length > 1 ? left.shift() : left[0];
}

before(async () => {
  await init();
  server = await startProviders({ answer });
});
after(() => server.close());

/** Free text, another for each who is asked. */
function words({ system }) {
  const digest = createHash("sha512").update(system).digest("hex").replace(/\d/g, "");
  return digest.match(/.{3}/g).join(" ");
}

/** A run of scripted seats: its result, and what was answered to what. */
async function scripted(config) {
  const session = await Session.create(config, { store: "memory", id: "scripted", now: () => 0 });
  const result = await session.run();
  const asked = new Map();
  const answers = new Map();
  for (const { what } of session.entries()) {
    if (what.type === "asked") {
      asked.set(what.ask.id, JSON.stringify({ system: what.request.system, messages: what.request.messages.map(({ role, content }) => [role, content]) }));
    }
    if (what.type === "answered") {
      const question = asked.get(what.ask);
      answers.set(question, [...(answers.get(question) ?? []), what.reply.text]);
    }
  }
  await session.close();
  return { result, answers };
}

const copy = (answers) => new Map([...answers].map(([question, list]) => [question, [...list]]));

/** The same table with models at a provider; `fault` as the server takes it. */
function seated(config, provider, tag, fault, more = {}, at = server) {
  const endpoint = { kind: "model", provider, model: "m-1", base_url: at.base(provider, tag, fault), ...more };
  return { ...config, agents: config.agents.map((agent) => ({ ...agent, ...endpoint })) };
}

const withoutTimes = (value) =>
  JSON.parse(JSON.stringify(value, (key, inner) => (["timestamp", "at", "seconds"].includes(key) ? undefined : inner)));

for (const [protocol, id] of [["justice", "quick"], ["discussion", "round-table"], ["debate", "debate-quick"]]) {
  test(`a whole ${protocol} through every format comes to what it comes to with scripted seats`, async () => {
    // In words, as the scripted seats were asked: a form is put where a provider takes one, else written below the question.
    const config = { ...preset(id), answers: "free" };
    const expected = await scripted(config);
    for (const provider of FORMATS) {
      const tag = `${protocol}-${provider}`;
      scripts.set(tag, copy(expected.answers));
      const settings = { seed: 7, reasoning_effort: "low", temperature: 0.5 };
      const session = await Session.create(seated(config, provider, tag, "none", settings), { store: "memory", keys: { [server.origin]: KEY } });
      const result = await session.run();
      assert.deepEqual(withoutTimes(result), withoutTimes(expected.result), provider);
      const entries = session.entries().map(({ what }) => what);
      // What a debate's sources give is nobody's call to a model.
      const called = new Set(entries.filter(({ type, request }) => type === "asked" && request.provider === provider).map(({ ask }) => ask.id));
      const replies = entries.filter(({ type, ask }) => type === "answered" && called.has(ask)).map(({ reply }) => reply);
      assert.ok(replies.length > 5, provider);
      for (const reply of replies) {
        assert.deepEqual([reply.usage.input, reply.usage.output], [9, 5], provider);
        assert.equal(reply.reasoning, "hm", provider);
        assert.equal(reply.model, "m-1", provider);
      }
      const { request } = entries.find(({ type, ask }) => type === "asked" && called.has(ask.id));
      assert.deepEqual([request.provider, request.seed, request.reasoning_effort], [provider, 7, "low"]);
      const noted = { openai_responses: ["seed"], anthropic: ["seed"] }[provider];
      const leftOut = [...new Set(replies.flatMap((reply) => reply.left_out ?? []))].sort();
      assert.deepEqual(leftOut.filter((name) => name !== "stop"), noted ?? [], provider);
      assert.equal(entries.filter(({ type }) => type === "failed").length, 0, provider);
      assert.equal((await session.verify()).verified, true, provider);
      assert.ok(!JSON.stringify(session.entries()).includes(KEY));
      await session.close();
    }
    assert.deepEqual(server.problems, []);
  });
}

/** Kinds of questions with a form that a run has at least. */
const FORMED = { justice: ["initial_ranking", "application", "statement", "vote_initiation"], debate: ["critique", "vote"], discussion: [] };

for (const [protocol, id] of [["justice", "quick"], ["discussion", "round-table"], ["debate", "debate-quick"]]) {
  test(`a whole ${protocol} with structured answers`, async () => {
    const config = { ...preset(id), answers: "structured" };
    // Refused at every format; asked for in words where the provider takes none.
    const cases = [...FORMATS.map((provider) => [provider, "none", "native"]), ...FORMATS.map((provider) => [provider, "unformed", "text"]), ["deepseek", "none", "text"]];
    for (const [provider, fault, form] of cases) {
      const tag = `formed-${protocol}-${provider}-${fault}`;
      const session = await Session.create(seated(config, provider, tag, fault), { store: "memory", keys: { [server.origin]: KEY } });
      await session.run();
      const entries = session.entries().map(({ what }) => what);
      assert.deepEqual(entries.filter(({ type }) => type === "failed"), [], tag);
      const asked = new Map(entries.filter(({ type }) => type === "asked").map(({ ask, request }) => [ask.id, { kind: ask.kind, schema: request.schema }]));
      const kinds = new Set();
      for (const { type, ask, reply, reading } of entries) {
        const { kind, schema } = asked.get(ask) ?? {};
        if (type === "answered") {
          if (schema) kinds.add(kind);
          assert.equal(reply.answered_as, schema && form, `${tag} ${ask}`);
          assert.equal(reply.left_out?.includes("json_schema") ?? false, schema !== undefined && form === "text", `${tag} ${ask}`);
        }
        // What has lists within does not fit a line.
        const how = fault === "unformed" && !["critique", "judgement"].includes(kind) ? "line" : "schema";
        if (type === "read" && schema) assert.deepEqual([reading.how, reading.value === null], [how, false], `${tag} ${ask}`);
      }
      for (const kind of FORMED[protocol]) assert.ok(kinds.has(kind), `${tag}: ${[...kinds]}`);
      assert.equal(kinds.size > 0, protocol !== "discussion", tag);
      assert.equal((await session.verify()).verified, true, tag);
      const { text } = await session.export("asks");
      assert.equal(text.split(`,${form},`).length > kinds.size, true, tag);
      await session.close();
    }
    assert.deepEqual(server.problems, []);
  });
}

test("free words in place of a form are read as such, and noted", async () => {
  const config = { ...preset("quick"), answers: "structured" };
  const expected = await scripted(preset("quick"));
  scripts.set("freely", copy(expected.answers));
  const session = await Session.create(seated(config, "groq", "freely", "none"), { store: "memory", keys: { [server.origin]: KEY } });
  const result = await session.run();
  assert.deepEqual(withoutTimes(result), withoutTimes(expected.result));
  const forms = session.entries().filter(({ what }) => what.type === "answered").map(({ what }) => what.reply.answered_as);
  assert.deepEqual([...new Set(forms)].sort(), ["free", undefined]);
  await session.close();
});

test("programs are handed the schema, its reasons first", async () => {
  const config = { ...preset("quick"), answers: "structured" };
  config.agents = config.agents.map(({ name, personality }) => ({ name, personality, kind: "custom" }));
  const firsts = new Set();
  const answer = (ask) => {
    if (!ask.schema) return words({ system: ask.id });
    firsts.add(Object.keys(ask.schema.properties)[0]);
    return ask.kind === "final_ranking" ? "1. 3\n2. 1\n3. 2\n4. 4\nCertainty: sure" : JSON.stringify(bySchema(ask.schema));
  };
  const session = await Session.create(config, { store: "memory", answer });
  await session.run();
  assert.ok(firsts.has("reason"));
  for (const { what } of session.entries()) {
    if (what.type !== "answered") continue;
    const { request, ask } = session.entries().find((entry) => entry.what.type === "asked" && entry.what.ask.id === what.ask).what;
    assert.equal(what.reply.answered_as, request.schema && (ask.kind === "final_ranking" ? "free" : "native"), ask.id);
  }
  await session.close();
});

/** What is expected of each fault: `goes on` by itself, `waits` for people, `answers` as if nothing were. */
const WAITS = ["400", "401", "402", "403", "404", "413", "422", "429-quota", "redirect", "refusal"];
const ANSWERS = ["json", "type", "utf8", "length", "hot"];
const KINDS = {
  400: "request", 401: "key", 402: "quota", 403: "key", 404: "request", 408: "server", 413: "request", 422: "request", 429: "rate_limit",
  "429-date": "rate_limit", "429-ms": "rate_limit", "429-words": "rate_limit", "429-quota": "quota", 500: "server", 502: "server",
  503: "server", 529: "server", html: "format", "html-502": "server", redirect: "request", cut: "cut", broken: "format",
  refusal: "refused", error: "server",
};

test("every fault at every provider: the run goes on or waits, nothing is lost, a sentence is shown", { timeout: 280_000 }, async () => {
  const config = { ...preset("round-table"), max_discussion_rounds: 1, turn_timeout: 10 };
  const expected = await scripted(config);
  const providers = Object.keys(PROVIDERS);
  const cases = providers.flatMap((provider) => FAULTS.map((fault) => [provider, fault]));
  const sentences = new Map();
  const outcomes = new Map();
  async function one([provider, fault]) {
    // Ollama has no way to refuse.
    if (provider === "ollama" && fault === "refusal") return outcomes.set(`${provider} ${fault}`, "-");
    const tag = `fault-${provider}-${fault}`;
    scripts.set(tag, copy(expected.answers));
    let halted = 0;
    // A host of its own: what one wants to be left in peace for is no other's affair.
    const own = await startProviders({ answer });
    const session = await Session.create(seated(config, provider, tag, `${fault}~2`, { temperature: 0.5 }, own), {
      store: "memory",
      keys: { [own.origin]: KEY },
      onEvent: (event) => {
        if (event.type === "status" && event.status?.state === "halted") halted += 1;
      },
    });
    const run = session.run({ attended: true });
    let done = false;
    run.then(() => (done = true), () => (done = true));
    // A run that waits is let go on, as a person would after reading the sentence.
    while (!done) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      if (!done && session.status.state === "halted") {
        halted += 1;
        session.resume();
      }
    }
    const result = await run;
    const where = `${provider} ${fault}`;
    assert.deepEqual(withoutTimes(result), withoutTimes(expected.result), where);
    const entries = session.entries().map(({ what }) => what);
    const failures = entries.filter(({ type }) => type === "failed").map(({ failure }) => failure);
    const replies = entries.filter(({ type }) => type === "answered").map(({ reply }) => reply);
    assert.equal((await session.verify()).verified, true, where);
    assert.ok(!JSON.stringify(session.entries()).includes("canary"), where);
    assert.equal(replies.length, [...expected.answers.values()].flat().length, where);
    let outcome = "goes on";
    if (ANSWERS.includes(fault)) {
      outcome = "answers";
      assert.deepEqual(failures.map(({ kind }) => kind), fault === "length" ? ["starved"] : [], `${where}: ${failures[0]?.message}`);
      const made = replies.filter(({ requests }) => requests === 2);
      assert.equal(made.length, fault === "hot" ? 1 : 0, where);
      if (fault === "length") {
        // Thought through to the end, and asked once more by the session, with room.
        const wide = replies.filter(({ allowed_tokens }) => allowed_tokens);
        assert.deepEqual(wide.map(({ allowed_tokens }) => allowed_tokens), [8000], where);
        assert.deepEqual([failures[0].usage.output, wide[0].usage.output], [5, 5], where);
      }
      if (fault === "hot") assert.ok(replies.slice(1).every((reply) => reply.left_out.includes("temperature")), where);
    } else if (fault === "hang") {
      assert.equal(entries.filter(({ type }) => type === "timed_out").length, 1, where);
    } else {
      assert.equal(failures.length, 1, where);
      const [{ kind, message, status }] = failures;
      if (KINDS[fault]) assert.equal(kind, KINDS[fault], `${where}: ${message}`);
      if (status && fault !== "redirect") assert.equal(String(status), fault.match(/\d{3}/)[0], where);
      assert.match(message, /^\S.*[.”]$/s, where);
      assert.ok(message.includes(own.origin), `${where}: ${message}`);
      if (fault === "429-words") assert.equal(failures[0].retry_after_ms, 400, where);
      if (fault === "429-ms") assert.equal(failures[0].retry_after_ms, 300, where);
      if (fault === "429") assert.equal(failures[0].retry_after_ms, 1000, where);
      if (fault === "429-date") assert.ok(failures[0].retry_after_ms <= 2000, where);
      if (!sentences.has(fault)) sentences.set(fault, message);
      if (WAITS.includes(fault)) outcome = "waits";
      assert.equal(halted > 0, outcome === "waits", where);
    }
    assert.deepEqual(own.problems, [], where);
    outcomes.set(where, outcome);
    await session.close();
    await own.close();
  }
  const troubles = [];
  const queue = [...cases].sort((one, two) => (two[1] === "hang") - (one[1] === "hang"));
  const worker = async () => {
    while (queue.length > 0) {
      const next = queue.shift();
      await one(next).catch((error) => {
        outcomes.set(next.join(" "), "FAILS");
        troubles.push(`${next.join(" ")}: ${error.message}`);
      });
    }
  };
  await Promise.all(Array.from({ length: 40 }, worker));

  const marks = { "goes on": "goes on", waits: "waits", answers: "answers", "-": "-" };
  const short = (provider) => provider.replace("openai_responses", "oa_resp").slice(0, 10);
  console.log(`\n${"fault".padEnd(10)} ${providers.map((provider) => short(provider).padEnd(10)).join(" ")}`);
  for (const fault of FAULTS) {
    const row = providers.map((provider) => (marks[outcomes.get(`${provider} ${fault}`)] ?? "FAILS").padEnd(10));
    console.log(`${fault.padEnd(10)} ${row.join(" ")}`);
  }
  console.log("\nwhat is shown (of the first provider):");
  for (const [fault, sentence] of sentences) console.log(`  ${fault}: ${sentence}`);
  assert.deepEqual(troubles, []);
  assert.deepEqual(server.problems, []);
});

test("answers cut into single bytes", async () => {
  const bytes = await startProviders({ answer: () => "Ich wähle 选 😀.", chunk: 1 });
  try {
    for (const provider of FORMATS) {
      const config = { ...preset("round-table"), max_discussion_rounds: 1 };
      config.agents = config.agents.map((agent) => ({ ...agent, kind: "model", provider, model: "m-1", base_url: bytes.base(provider, `byte-${provider}`) }));
      const pieces = [];
      const session = await Session.create(config, {
        store: "memory", keys: { [bytes.origin]: KEY }, onEvent: (event) => event.type === "piece" && pieces.push(event.text),
      });
      await session.run();
      const replies = session.entries().filter(({ what }) => what.type === "answered").map(({ what }) => what.reply.text);
      assert.deepEqual([...new Set(replies)], ["Ich wähle 选 😀."], provider);
      assert.equal(pieces.join(""), replies.join(""), provider);
      await session.close();
    }
    assert.deepEqual(bytes.problems, []);
  } finally {
    await bytes.close();
  }
});

test("provider and model are all that a seat needs", () => {
  const base = preset("round-table");
  const of = (agent) => check({ ...base, agents: [{ name: "Mara", role: "manager", ...agent }, ...base.agents.slice(1)] });
  for (const provider of Object.keys(PROVIDERS)) {
    const own = ["compatible", "azure", "vertex", "bedrock"].includes(provider); // An address of one's own is all that they have.
    assert.deepEqual(of({ provider, model: "m" }).faults.map(({ path }) => path), own ? ["agents[0].base_url"] : [], provider);
  }
  assert.deepEqual(of({ kind: "model", provider: "groq" }).faults.map(({ path }) => path), ["agents[0].model"]);
  assert.deepEqual(of({ provider: "nobody", model: "m", base_url: "http://h.example/v1" }).faults.map(({ path }) => path), ["agents[0].provider"]);
  assert.deepEqual(of({ provider: "groq", model: "m", seed: -1, reasoning_effort: "some" }).faults.map(({ path }) => path).sort(), ["agents[0].reasoning_effort", "agents[0].seed"]);
});

test("an effort that the model does not take is told, and a dated version is what it is a version of", () => {
  const of = (model, reasoning_effort, language) => check({ agents: ["Ana", "Ben"].map((name) => ({ name, personality: "p", provider: "openai", model, reasoning_effort })) }, language);
  const told = (model, effort, language) => of(model, effort, language).warnings.map(({ path, message }) => [path, message]);
  for (const [language, message] of [
    ["en", "is xhigh, by the catalogue gpt-5-2025-08-07 takes: minimal, low, medium, high"],
    ["es", "es xhigh; según el catálogo, gpt-5-2025-08-07 admite: minimal, low, medium, high"],
    ["zh", "为 xhigh；据目录，gpt-5-2025-08-07 可用：minimal, low, medium, high"],
  ]) assert.deepEqual(told("gpt-5-2025-08-07", "xhigh", language), [0, 1].map((at) => [`agents[${at}].reasoning_effort`, message]));
  assert.deepEqual([told("gpt-5", "high"), told("nobody-knows-it", "max"), told("gpt-5", undefined)], [[], [], []]);
  // Every model of the catalogue: what the form offers is what passes the check.
  let tried = 0;
  for (const provider of Object.keys(PROVIDERS)) {
    for (const { model, efforts } of catalogue(provider).models) {
      if (["azure", "openai_responses"].includes(provider)) continue;
      assert.deepEqual(catalogue(provider, `${model}-2026-03-05`).models[0]?.efforts, efforts, model);
      assert.deepEqual(catalogue(provider, model).models[0]?.efforts, efforts, model);
      for (const reasoning_effort of ["none", "minimal", "low", "medium", "high", "xhigh", "max"]) {
        const { warnings } = check({ agents: ["Ana", "Ben"].map((name) => ({ name, personality: "p", ...(name === "Ana" && { provider, model, reasoning_effort }) })) });
        assert.equal(warnings.some(({ code }) => code === "effort"), efforts.length > 0 && !efforts.includes(reasoning_effort), `${model} ${reasoning_effort}`);
        tried += 1;
      }
    }
  }
  assert.ok(tried > 1_000, `${tried}`);
  assert.deepEqual(catalogue("openai", "nobody-knows-it").models, []);
});

test("models are listed, and connections tested", async () => {
  for (const provider of Object.keys(PROVIDERS)) {
    const baseUrl = server.base(provider, "list");
    const models = await listModels({ provider, baseUrl, key: KEY });
    assert.deepEqual(models.map(({ id }) => id), ["m-1"], provider);
    const of = (more) => testConnection({ provider, baseUrl: server.base(provider, `test-${provider}`), key: KEY, ...more });
    assert.equal((await of({})).ok, true, provider);
    scripts.set(`test-${provider}`, { get: () => ["OK"] });
    const fine = await of({ model: "m-1" });
    assert.deepEqual([fine.ok, fine.problem], [true, undefined], `${provider}: ${fine.message}`);
    const problem = async (more) => (await of(more)).problem;
    assert.equal(await problem({ key: "wrong-key-0000" }), "key", provider);
    assert.equal(await problem({ key: "wrong-key-0000", model: "m-1" }), "key", provider);
    assert.equal(await problem({ model: "no-such-model" }), "model", provider);
    assert.equal(await problem({ baseUrl: "http://127.0.0.1:9", model: "m-1" }), "network", provider);
    assert.equal(await problem({ baseUrl: "ftp://x" }), "address", provider);
  }
  await assert.rejects(listModels({ provider: "groq", baseUrl: server.base("groq", "list"), key: "wrong-key-0000" }), (error) => {
    assert.deepEqual([error.name, error.code, error.detail.kind, error.retryable], ["LabError", "provider", "key", false]);
    return !error.message.includes("wrong-key");
  });
  await assert.rejects(listModels({ provider: "nobody" }), { code: "input" });
});

test("a page can tell why it gets no answer", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "quorate-connection-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(join(root, "dist"), join(folder, "pkg"), { recursive: true });
  const page = (connect) => `<!doctype html><meta charset="utf-8"><title>page</title><link rel="icon" href="data:,">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self' ${connect}; img-src data:">
    <script type="module" src="page.js"></script>`;
  writeFileSync(join(folder, "open.html"), page("http://127.0.0.1:*"));
  writeFileSync(join(folder, "closed.html"), page(""));
  writeFileSync(join(folder, "page.js"), `import init, { testConnection } from "./pkg/quorate.js"; globalThis.told = init().then(() => testConnection);`);
  const web = await open(folder);
  t.after(() => web.close());
  const ask = async (name, endpoint) => {
    const { page: tab } = await web.newPage();
    await tab.goto(new URL(name, web.url).href);
    const told = await tab.evaluate(async (endpoint) => (await globalThis.told)(endpoint), endpoint);
    await tab.close();
    return told;
  };
  for (const provider of FORMATS) {
    scripts.set(`page-${provider}`, { get: () => ["OK"] });
    const at = (fault) => ({ provider, baseUrl: server.base(provider, `page-${provider}`, fault), key: KEY, model: "m-1" });
    const fine = await ask("open.html", at("none"));
    assert.equal(fine.ok, true, `${provider}: ${fine.message}`);
    const cors = await ask("open.html", at("no-cors"));
    assert.equal(cors.problem, provider === "openai_responses" ? "key" : "cors", `${provider}: ${cors.message}`);
    assert.equal((await ask("closed.html", at("none"))).problem, "blocked", provider);
  }
  assert.equal((await ask("open.html", { provider: "groq", baseUrl: "http://127.0.0.1:9", key: KEY })).problem, "network");
});
