// Seats that are models, asked from a page in Chromium: whole runs end, trouble halts a run with a sentence or is
// overcome, nothing is asked twice, and a key goes to its own origin alone.
import assert from "node:assert/strict";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { open } from "../../support/browser.mjs";
import { startModelServer } from "../../support/model_server.mjs";
import { installPackage } from "../../support/package.mjs";

const KEY = "sk-canary-0123456789abcdef";
const PAGE = new URL("../../fixtures/models/", import.meta.url);

let installed;
let web;
let page;

before(async () => {
  installed = installPackage();
  for (const name of ["index.html", "page.js"]) copyFileSync(new URL(name, PAGE), join(installed.folder, name));
  web = await open(installed.folder);
  ({ page } = await web.newPage());
  await page.goto(web.url);
  await page.waitForFunction("globalThis.ready");
});

after(async () => {
  await web?.close();
  installed?.remove();
});

const seats = (servers) =>
  servers.map((url, index) => ({ name: ["Ana", "Ben", "Cleo"][index], personality: "A student.", kind: "model", model: "test", base_url: url }));
const begin = (...args) => page.evaluate((args) => globalThis.lab.begin(...args), args);
const look = (name) => page.evaluate((name) => globalThis.lab.look(name), name);
const resume = (name) => page.evaluate((name) => globalThis.lab.resume(name), name);
/** The record holds, and is as long as it is told. */
async function verified(name, entries) {
  const { hash, ...report } = await page.evaluate((name) => globalThis.lab.verify(name), name);
  assert.deepEqual(report, { verified: true, intact: true, signature: null, entries: entries.length }, name);
  assert.match(hash, /^[0-9a-f]{64}$/, name);
}
const of = (entries, type) => entries.map(({ what }) => what).filter((what) => what.type === type);

/** Answers as a model that understands what it is asked. */
function sensible(messages) {
  const asked = messages.at(-1).content.toLowerCase();
  if (/\brank/.test(asked)) return "My ranking:\n1. Principle 1\n2. Principle 3\n3. Principle 2\n4. Principle 4\nCertainty: sure";
  if (/yes or no|\byes\b.*\bno\b/s.test(asked)) return "Yes.";
  return "I choose principle 1, maximizing the floor. I am sure.";
}

test("what the rules do not understand is put to the reading model, with a key of its own", async () => {
  const said = "Whatever my grandmother would have taken, God rest her.";
  /** What a reading model makes of it: the first of all that there is to choose from. */
  const reads = (messages, { response_format: form }) => {
    const { properties } = form.json_schema.schema;
    const first = ([name, { anyOf: [value] = [{}] }], place) => [name, value.enum ? value.enum[name === "certainty" ? 0 : place % value.enum.length] : null];
    return JSON.stringify({ ...Object.fromEntries(Object.entries(properties).map(first)), ...rank(properties), quote: "whatever my GRANDMOTHER would have taken", says: true });
  };
  const rank = (properties) => Object.fromEntries(["first", "second", "third", "fourth"].filter((name) => properties[name]).map((name, place) => [name, properties[name].anyOf[0].enum[place]]));
  const [seated, reading] = [await startModelServer({ answer: () => said, key: KEY }), await startModelServer({ answer: reads, key: "sk-reads-0123456789abcdef" })];
  try {
    const config = { language: "English", agents: seats([seated.url, seated.url]), seed: 1, phase2_rounds: 1, reader: { model: "reads", base_url: reading.url } };
    await begin("read", config, { [seated.origin]: KEY, [reading.origin]: "sk-reads-0123456789abcdef" }, "memory");
    const { status, entries, usage } = await look("read");
    assert.deepEqual(status, { state: "ended", open: [] });
    const readings = of(entries, "read").filter(({ reading }) => reading.how === "model");
    assert.ok(readings.length > 10);
    for (const { reading } of readings) assert.deepEqual(said.slice(...reading.span), "Whatever my grandmother would have taken");
    assert.equal(of(entries, "asked").filter(({ ask }) => ask.seat === "source:reader").length, reading.requests.length);
    assert.equal(usage.calls, seated.requests.length + reading.requests.length);
    assert.ok(reading.requests.every(({ body }) => body.model === "reads" && body.messages.at(-1).content.includes(`> ${said}`)));
    await verified("read", entries);
  } finally {
    await Promise.all([seated.close(), reading.close()]);
  }
});

test("whole runs with models end, whether their answers can be read or not", async () => {
  for (const [name, answer] of Object.entries({ sensible, garbage: () => "Lorem ipsum dolor sit amet 选 🙂." })) {
    const server = await startModelServer({ answer, key: KEY, chunk: 40 });
    try {
      const config = { language: "English", agents: seats([server.url, server.url, server.url]), seed: 1, phase2_rounds: 2, limits: { calls_at_once: { [server.origin]: 6 } } };
      await begin(name, config, { [server.origin]: KEY, "https://other.example": "other-canary" }, "indexeddb");
      const { status, entries, usage } = await look(name);
      assert.deepEqual(status, { state: "ended", open: [] });
      // Each call is one request, and each reply is recorded.
      assert.equal(server.requests.length, of(entries, "sent").length);
      assert.equal(server.requests.length, of(entries, "answered").length);
      assert.equal(usage.calls, server.requests.length);
      assert.equal(usage.estimated, false);
      const { reply } = of(entries, "answered")[0];
      assert.equal(reply.finish, "stop");
      assert.equal(reply.model, "test");
      assert.ok(reply.usage.input > 10 && reply.first_piece_at >= reply.sent_at);
      const result = entries.at(-1).what.result;
      if (name === "sensible") assert.deepEqual([result.consensus_reached, result.chosen_principle], [true, "maximizing_floor"]);
      else assert.equal(result.consensus_reached, false);
      // What streamed in is what was answered.
      const texts = {};
      for (const { ask, text } of await page.evaluate((name) => globalThis.lab.pieces(name), name)) texts[ask] = (texts[ask] ?? "") + text;
      for (const { ask, reply } of of(entries, "answered")) assert.equal(texts[ask], reply.text, ask);
      await verified(name, entries);
      // The key: in this header, here, and nowhere else.
      for (const { headers, text } of server.requests) {
        assert.equal(headers.authorization, `Bearer ${KEY}`);
        assert.doesNotMatch(JSON.stringify({ ...headers, authorization: "" }) + text, /canary/);
      }
      for (const { asked } of server.preflights) assert.deepEqual(asked.filter((header) => !["authorization", "content-type"].includes(header)), []);
      for (const text of await page.evaluate((name) => globalThis.lab.everything(name), name)) assert.doesNotMatch(text, /canary/);
    } finally {
      await server.close();
    }
  }
});

test("two models, two origins: each gets its own key", async () => {
  const [one, two] = [await startModelServer({ answer: sensible, key: "key-one-1" }), await startModelServer({ answer: sensible })];
  try {
    const config = { language: "English", agents: seats([one.url, two.url]), seed: 2, phase2_rounds: 1 };
    await begin("two", config, { [one.origin]: "key-one-1" });
    assert.equal((await look("two")).status.state, "ended");
    assert.ok(one.requests.length > 10 && two.requests.length > 10);
    for (const { headers, text } of two.requests) {
      assert.equal(headers.authorization, undefined);
      assert.doesNotMatch(text, /key-one/);
    }
  } finally {
    await one.close();
    await two.close();
  }
});

// How each trouble shows: what kind of failure halts the run and what its sentence says, or that it is overcome.
const TROUBLES = [
  { fault: "401", kind: "key", says: /key/i, tries: 1 },
  { fault: "403", kind: "key", says: /key|allow/i, tries: 1 },
  { fault: "404", kind: "request", says: /model|address/i, tries: 1 },
  { fault: "quota", kind: "quota", says: /quota|credit|plan/i, tries: 1 },
  { fault: "no-cors", kind: "unreachable", says: /CORS/, tries: 4 },
  { fault: "refused", kind: "unreachable", says: /server runs at this address/, tries: 4 },
  { fault: "429", kind: "rate_limit", says: /too many|rate|wait/i, tries: 4 },
  { fault: "500", kind: "server", says: /500|server/i, tries: 4 },
  { fault: "cut", kind: "cut", says: /broke off|cut|ended/i, tries: 4 },
  { fault: "html", kind: "format", says: /web page/, tries: 4 },
  { fault: "invalid-json", kind: "format", says: /which provider.s format it speaks/, tries: 4 },
  { fault: "empty-choices", kind: "format", says: /which provider.s format it speaks/, tries: 4 },
  { fault: "429", once: true, kind: "rate_limit" },
  { fault: "500", once: true, kind: "server" },
  { fault: "cut", once: true, kind: "cut" },
  { fault: "hang", once: true },
  { fault: "stall", once: true },
];
/** Which request meets the trouble, from 1. */
const MEETS = 4;

async function trouble({ fault, once, kind, says, tries }) {
  const name = `trouble ${fault}${once ? " once" : ""}`;
  let isOn = true;
  let count = 0;
  const wants = () => {
    count += 1;
    if (!isOn || count < MEETS) return undefined;
    if (once) isOn = false;
    return fault === "refused" ? "no-cors" : fault;
  };
  const answer = () => "I choose principle 1. Sure.";
  let server = await startModelServer({ answer, fault: wants });
  const agents = [...seats([server.url]), { name: "Ben", personality: "A student.", kind: "scripted" }];
  const config = { language: "English", agents, seed: 3, phase2_rounds: 1, phase2_settings: { statement_timeout_seconds: 10 }, limits: { retry_for: 0 } };
  try {
    if (fault === "refused") {
      // The server goes away after some answers, and comes back at the same port.
      const port = Number(new URL(server.origin).port);
      await server.close();
      await begin(name, config, { [server.origin]: KEY });
      const { status, entries } = await look(name);
      check(status, entries);
      isOn = false;
      server = await startModelServer({ answer, port });
      await resume(name);
    } else {
      await begin(name, config, { [server.origin]: KEY });
      const { status, entries } = await look(name);
      if (!once) {
        check(status, entries);
        assert.equal(server.requests.length, MEETS - 1 + tries, name);
        isOn = false;
        await resume(name);
      }
    }
    const { status, entries } = await look(name);
    assert.equal(status.state, "ended", name);
    const failed = [...of(entries, "failed"), ...of(entries, "timed_out")];
    assert.equal(failed.length, once ? 1 : tries, name);
    if (once && kind) assert.equal(failed[0].failure.kind, kind, name);
    if (once && !kind) assert.equal(failed[0].type, "timed_out", name);
    // No answered ask was asked again: as many good requests as answers.
    const answered = of(entries, "answered").filter(({ ask }) => ask.includes("Ana"));
    assert.equal(new Set(answered.map(({ ask }) => ask)).size, answered.length, name);
    const expected = fault === "refused" ? answered.length : answered.length + failed.length;
    assert.equal(server.requests.length, expected, name);
    assert.equal(of(entries, "late").length, 0, name);
    await verified(name, entries);
    for (const text of await page.evaluate((name) => globalThis.lab.everything(name), name)) assert.doesNotMatch(text, /canary|sk-wrong/, name);
  } finally {
    await server.close();
  }

  function check(status, entries) {
    assert.equal(status.state, "halted", name);
    assert.equal(status.halt.because, "call_failed", name);
    const { failure } = status.halt;
    assert.equal(failure.kind, kind, `${name}: ${failure.message}`);
    assert.match(failure.message, says, name);
    assert.match(failure.message, /^(No |The |http:).*[.”]$/s, `${name}: ${failure.message}`);
    assert.equal(of(entries, "failed").length, tries, name);
    const waits = of(entries, "retrying").map(({ wait }) => wait);
    assert.equal(waits.length, tries - 1, name);
    if (fault === "429") assert.ok(waits.every((wait) => wait === 1000), `${name}: ${waits}`);
  }
}

test("every trouble halts the run with a sentence or is overcome; then the run ends", async () => {
  const ended = await Promise.allSettled(TROUBLES.map(trouble));
  const wrong = ended.filter(({ status }) => status === "rejected").map(({ reason }) => reason);
  assert.equal(wrong.length, 0, wrong.map((error) => error.stack ?? error.message).join("\n\n"));
});
