// Keys of an origin and keys of one seat there, and keys that are forgotten while a session is open.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { root } from "../support/package.mjs";
import { startProviders } from "../support/providers.mjs";

const { default: init, Session } = await import(join(root, "dist/node.js"));
let server;
before(async () => {
  await init();
  server = await startProviders({ answer: () => "OK. 1. Maximizing the floor income" });
});
after(() => server.close());

const config = (tag, fault) => ({
  protocol: "discussion", topic: "Tea or coffee?", start: "at_once", rounds: 2,
  agents: ["Ada", "Bo", "A#b"].map((name) => ({ name, personality: "A person.", role: "specialist", kind: "model", provider: "openai", model: "m-1", base_url: server.base("openai", tag, fault) })),
});
const used = (tag) => server.requests(tag).map(({ headers }) => headers.authorization);
async function halted(session) {
  session.run().catch(() => {});
  while (!["halted", "ended"].includes(session.status.state)) await new Promise((done) => setTimeout(done, 20));
  return session.status.state;
}

test("a seat's own key goes before its origin's", async () => {
  const session = await Session.create(config("own", "none"), { store: "memory", keys: { [server.origin]: "key-of-all", [`${server.origin.toUpperCase()}/v1#Bo`]: "key-of-bo", [`${server.origin}#A#b`]: "key-of-ab" } });
  assert.equal(await halted(session), "ended");
  assert.deepEqual(used("own"), ["all", "bo", "ab", "all", "bo", "ab"].map((whose) => `Bearer key-of-${whose}`));
  await session.close();
});

test("null forgets a key; what is left is used, and what is no key says nothing", async () => {
  const { origin } = server;
  const session = await Session.create(config("forgotten", "401"), { store: "memory", keys: { [origin]: "key-1", [`${origin}#Ada`]: "key-2", "https://x.example": null } });
  const again = async (keys) => {
    const before = used("forgotten").length;
    session.setKeys(keys);
    session.resume();
    while (used("forgotten").length === before || session.status.state !== "halted") await new Promise((done) => setTimeout(done, 20));
    return used("forgotten").at(-1);
  };
  assert.equal(await halted(session), "halted");
  assert.deepEqual(used("forgotten"), ["Bearer key-2"]);
  assert.equal(await again({ [`${origin}#Ada`]: "", [origin]: undefined }), "Bearer key-2");
  assert.equal(await again({ [`${origin}#Ada`]: null }), "Bearer key-1");
  assert.equal(await again({ [origin]: null }), undefined);
  assert.equal(await again({ [`${origin}#Ada`]: " key-3 " }), "Bearer key-3");
  assert.ok(!JSON.stringify(session.entries()).includes("key-"));
  session.stop();
  await session.close();
});

test("an endpoint that sends the key back in its answer, model and reason to end gets it nowhere", async () => {
  const KEY = "class-of-2026";
  const echo = createServer((request, response) => {
    const key = request.headers.authorization.slice("Bearer ".length);
    const said = { id: "c", model: `m ${key}`, system_fingerprint: key, usage: { prompt_tokens: 1, completion_tokens: 1, note: key } };
    response.writeHead(200, { "content-type": "application/json", "x-key": key });
    const words = { role: "assistant", content: `Tea, says ${key}.`, reasoning_content: `I was given ${key}.` };
    if (request.url.startsWith("/plain")) return response.end(JSON.stringify({ ...said, choices: [{ message: words, finish_reason: `stop ${key}` }] }));
    response.write(`data: ${JSON.stringify({ ...said, choices: [{ delta: words, finish_reason: null }] })}\n\n`);
    response.end(`data: ${JSON.stringify({ ...said, choices: [{ delta: {}, finish_reason: `stop ${key}` }] })}\n\ndata: [DONE]\n\n`);
  });
  await new Promise((done) => echo.listen(0, "127.0.0.1", done));
  const origin = `http://127.0.0.1:${echo.address().port}`;
  const told = [];
  const log = Object.fromEntries(["log", "warn", "error"].map((name) => [name, console[name]]));
  for (const name of Object.keys(log)) console[name] = (...given) => told.push(given.map(String).join(" "));
  try {
    for (const way of ["plain", "stream"]) {
      const agents = ["Ada", "Bo"].map((name) => ({ name, personality: "A person.", role: "specialist", kind: "model", model: "m-1", base_url: `${origin}/${way}/v1` }));
      const session = await Session.create({ protocol: "discussion", topic: "Tea?", start: "at_once", rounds: 1, agents }, {
        store: "memory", keys: { [origin]: KEY }, onEvent: (event) => told.push(JSON.stringify(event)),
      });
      const result = await session.run();
      const replies = session.entries().filter(({ what }) => what.type === "answered").map(({ what }) => what.reply);
      assert.deepEqual(replies.map(({ text, model, finish, reasoning }) => [text, model, finish, reasoning]), Array(2).fill(["Tea, says [removed].", "m [removed]", "stop [removed]", "I was given [removed]."]));
      told.push(JSON.stringify([result, session.entries(), session.status, session.config, session.view("owner"), session.view("audience"), session.view("seat:Ada"), await session.verify()]));
      for (const format of ["json", "jsonl", "runs", "seats", "utterances", "asks", "md", "published"]) told.push(JSON.stringify(await session.export(format).catch(({ code }) => code)));
      await session.close();
    }
  } finally {
    Object.assign(console, log);
    echo.close();
  }
  assert.ok(told.length > 20 && told.some((text) => text.includes("[removed]")));
  assert.deepEqual(told.filter((text) => text.includes(KEY)), []);
});
