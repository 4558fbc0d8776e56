// Proposals compared by the vectors of a model, over real HTTP: what is sent, what comes of it, what happens without.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { join } from "node:path";
import { before, test } from "node:test";
import { root } from "../support/package.mjs";

const { default: init, Session } = await import(join(root, "dist/node.js"));
const KEY = "canary-key-1234567890";
before(() => init());

/** A server for vectors that answers by `answer(texts)`, a status or a body; resolves with its base URL and what it was sent. */
async function vectors(own, answer) {
  const sent = [];
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (piece) => (text += piece));
    request.on("end", () => {
      const body = JSON.parse(text);
      sent.push({ path: request.url, key: request.headers.authorization, body });
      const told = answer(body.input);
      if (typeof told === "number") return response.writeHead(told, { "Content-Type": "application/json" }).end('{"error":{"message":"no"}}');
      response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(told));
    });
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  own.after(() => server.close());
  return { base: `http://127.0.0.1:${server.address().port}/v1`, sent };
}

async function debate(base_url) {
  const config = {
    protocol: "debate", question: "Should lessons begin at nine?", seed: 5, enable_trickster: false, embeddings: { model: "small", base_url, timeout_seconds: 5 },
    agents: ["Ana", "Ben", "Cleo"].map((name) => ({ name, kind: "scripted" })),
  };
  const session = await Session.create(config, { store: "memory", keys: { [new URL(base_url).origin]: KEY } });
  const result = await session.run();
  const { verified } = await session.verify();
  assert.equal(verified, true);
  const { text } = await session.export("jsonl");
  assert.ok(!text.includes(KEY));
  return { result, entries: session.entries() };
}

test("a model's vectors decide whether the proposals are one", async (own) => {
  const same = await vectors(own, (texts) => ({ data: texts.map((_, index) => ({ index, embedding: [0.6, 0.8] })) }));
  const { result } = await debate(same.base);
  assert.equal(same.sent.length, 1);
  const [{ path, key, body }] = same.sent;
  assert.deepEqual([path, key, body.model, body.encoding_format], ["/v1/embeddings", `Bearer ${KEY}`, "small", "float"]);
  assert.equal(result.status, "converged");
  assert.deepEqual(result.convergence.map(({ round, measure, score }) => [round, measure, score]), [[3, "embedding", 1]]);

  const apart = await vectors(own, (texts) => ({ data: texts.map((_, index) => ({ index, embedding: texts.map((_, place) => (place === index ? 1 : 0)) })) }));
  const { result: other } = await debate(apart.base);
  // In the end the words may be the very same; before, nothing but the vectors counts.
  assert.deepEqual(other.convergence.slice(0, 2).map(({ measure, score, status }) => [measure, score, status]), Array(2).fill(["embedding", 0, "diverging"]));
});

test("without vectors the words are compared, and the record says why", async (own) => {
  for (const [answer, why] of [[() => 500, /server|500/], [() => ({ data: [] }), /no list of vectors, one for each text/], [(texts) => ({ data: texts.map(() => ({ embedding: [0, 0] })) }), /no direction/]]) {
    const { base } = await vectors(own, answer);
    const { result, entries } = await debate(base);
    assert.ok(result.convergence.length && result.convergence.every(({ measure }) => measure === "tfidf"));
    const told = entries.find(({ what }) => what.type === "answered" && what.ask.includes("/similarity/")).what.reply.text;
    assert.match(JSON.parse(told).unavailable, why);
  }
});
