// Thoughts that a model or program writes into its answer, and what a server refuses in its own way: whole runs.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { before, test } from "node:test";
import { entry } from "../support/package.mjs";

const { default: init, Session, check } = await import(entry);
before(() => init());

const SECRET = "SECRET: I will pretend to agree.";
const ANSWER = "Tea is cheaper than coffee, so tea it is.";
const people = (seat) => ["Ana", "Ben", "Cleo"].map((name) => ({ name, personality: "A person.", ...seat(name) }));
const CUSTOM = people(() => ({ kind: "custom" }));
const debaters = CUSTOM.map(({ name, kind }) => ({ name, kind }));
const talk = (agents, more) => ({ protocol: "discussion", topic: "Tea?", rounds: 1, start: "at_once", agents, ...more });
const CONFIGS = {
  justice: { answers: "free", agents: CUSTOM, phase2_rounds: 1, seed: 3 },
  discussion: talk(CUSTOM.map((agent) => ({ ...agent, role: "specialist" }))),
  debate: { protocol: "debate", question: "Tea?", answers: "free", sources: [], agents: debaters, schedule: [{ kind: "propose" }, { kind: "revise" }, { kind: "vote" }] },
  delphi: { protocol: "delphi", question: "How many?", answers: "free", rounds: 2, agents: CUSTOM },
};
/** What each kind of question is answered with. */
const ANSWERS = {
  initial_ranking: "1. Maximizing the floor income\n2. Maximizing the average income\n3. Maximizing the average with a floor constraint\n4. Maximizing the average with a range constraint\nI am sure.",
  application: "I choose principle 1, maximizing the floor income.", vote_initiation: "0",
  vote: "CHOICE: Ben\nCONFIDENCE: 0.8\nCONTINUE: no\nREASONING: Clear.",
  estimate: `ESTIMATE: 5\nREASON: ${ANSWER}`,
};
const FORMS = {
  element: (text) => `<think>\n${SECRET}\n\nThen this.\n</think>\n\n${text}`,
  "an end alone": (text) => `${SECRET}\n</think>\n\n${text}`,
  square: (text) => `[THINK]${SECRET}[/THINK]${text}`,
  channels: (text) => `<|channel|>analysis<|message|>${SECRET}<|end|><|start|>assistant<|channel|>final<|message|>${text}`,
  tokens: (text) => `<|im_start|>assistant\n<think>${SECRET}</think>${text}<|im_end|>`,
};

for (const [protocol, config] of Object.entries(CONFIGS)) {
  test(`${protocol}: thoughts are the reply's reasoning and nobody else's`, async () => {
    for (const [form, write] of Object.entries(FORMS)) {
      const session = await Session.create(config, { store: "memory", answer: ({ kind }) => write(ANSWERS[kind] ?? ANSWER) });
      await session.run();
      const entries = session.entries().map(({ what }) => what);
      const replies = entries.filter(({ type }) => type === "answered").map(({ reply }) => reply);
      assert.ok(replies.length > 1 && replies.every(({ text, reasoning }) => !text.includes("SECRET") && reasoning.includes(SECRET)), `${protocol} ${form}`);
      assert.ok(!/[<[]\W?(im_|think|channel|end|message)/i.test(replies.map(({ text }) => text).join()), `${protocol} ${form}`);
      const asked = JSON.stringify(entries.filter(({ type }) => type === "asked"));
      const others = JSON.stringify([session.view("audience"), session.view("seat:Ben").items.filter(({ seat }) => seat !== "Ben")]);
      assert.ok(!asked.includes("SECRET") && !others.includes("SECRET"), `${protocol} ${form}`);
      assert.ok(others.includes(ANSWER), `${protocol} ${form}`);
      await session.close();
    }
  });
}

test("a text about a tag keeps it, and so does what a person writes", async () => {
  const about = "Models write <think> before they speak, and `</think>` after it.";
  const agents = [{ name: "Ana", kind: "custom", role: "specialist" }, { name: "Ben", kind: "human", role: "specialist" }].map((agent) => ({ ...agent, personality: "A person." }));
  const written = "<think>This is what I typed</think> and nothing else.";
  const session = await Session.create(talk(agents), { store: "memory", answer: () => about, onEvent: () => {
    for (const { id, seat } of session?.status.open ?? []) if (seat === "Ben") session.answer(id, written);
  } });
  await session.run({ attended: true });
  const said = session.entries().filter(({ what }) => what.type === "answered").map(({ what }) => what.reply.text);
  assert.deepEqual(said, [about, written]);
  await session.close();
});

/** A server that `answer`s (path, body) with a status and a text; `pieces` streams texts. */
async function serve(answer) {
  const bodies = [];
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const piece of request) text += piece;
    const body = JSON.parse(text);
    bodies.push(body);
    const { status = 200, error, pieces, finish = "stop" } = answer(body, bodies.length);
    if (error) return void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify({ error: { message: error } }));
    if (!body.stream) {
      const choices = [{ index: 0, message: { role: "assistant", content: pieces.join("") }, finish_reason: finish }];
      return void response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ choices, usage: { prompt_tokens: 1, completion_tokens: 1 } }));
    }
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const content of pieces) response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`);
    response.end(`data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: finish }], usage: { prompt_tokens: 1, completion_tokens: 1 } })}\n\ndata: [DONE]\n\n`);
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const base_url = `http://127.0.0.1:${server.address().port}/v1`;
  return { bodies, base_url, close: () => (server.closeAllConnections(), server.close()) };
}

/** Runs a discussion of two models and returns the replies and what was shown while they streamed, by question. */
async function discuss(answer, more = {}) {
  const server = await serve(answer);
  const agents = ["Ana", "Ben"].map((name) => ({ name, personality: "A person.", role: "specialist", kind: "model", provider: "compatible", model: "m", base_url: server.base_url }));
  const shown = {};
  const steps = [];
  const onEvent = (event) => {
    if (event.type !== "piece") return;
    shown[event.ask] = (event.startsOver ? "" : shown[event.ask] ?? "") + event.text;
    steps.push([event.ask, shown[event.ask]]);
  };
  const session = await Session.create(talk(agents, more), { store: "memory", onEvent });
  await session.run();
  const replies = session.entries().filter(({ what }) => what.type === "answered").map(({ what }) => what);
  const said = session.view("audience").items.map(({ text }) => text).filter(Boolean);
  await session.close();
  server.close();
  return { bodies: server.bodies, replies, said, shown, steps };
}

test("while an answer streams, its thoughts are not shown", async () => {
  const whole = `<think>${SECRET} It goes on.</think>\n\n${ANSWER}`;
  const { replies, shown, steps } = await discuss(() => ({ pieces: whole.match(/.{1,3}/gs) }));
  assert.ok(steps.length > 2 && steps.every(([, text]) => ANSWER.startsWith(text.trim())));
  for (const { ask, reply } of replies) assert.deepEqual([shown[ask].trim(), reply.text, reply.reasoning], [ANSWER, ANSWER, `${SECRET} It goes on.`]);
});

test("after an end of thought alone the stream starts over, and later ones begin there", async () => {
  const whole = `${SECRET}</think>${ANSWER}`;
  const { replies, shown, steps } = await discuss(() => ({ pieces: whole.match(/.{1,9}/gs) }), { rounds: 2 });
  for (const { ask, reply } of replies) assert.deepEqual([shown[ask], reply.text], [ANSWER, ANSWER]);
  const [first, ...later] = [...new Set(replies.map(({ ask }) => ask))].filter((ask) => ask.includes("Ana"));
  assert.ok(steps.some(([ask, text]) => ask === first && text.includes("SECRET")));
  assert.ok(later.length > 0 && steps.every(([ask, text]) => !later.includes(ask) || ANSWER.startsWith(text)));
});

test("a stop text within a thought does not cost the answer", async () => {
  const { bodies, replies, said } = await discuss(({ stop }) => (stop ? { pieces: ["<think>", SECRET] } : { pieces: [`<think>${SECRET}\n\nMore.</think>`, ANSWER, "\n\nAnother paragraph."] }));
  assert.deepEqual(bodies.map(({ stop }) => Boolean(stop)), [true, false, false]);
  assert.deepEqual(replies.map(({ reply }) => [reply.text, reply.requests, reply.left_out?.join()]), [[ANSWER, 2, "stop"], [ANSWER, undefined, "stop"]]);
  assert.deepEqual(said, [ANSWER, ANSWER]);
});

test("a server that does not stream is asked for the whole, one that wants less for less", async () => {
  const { bodies, replies } = await discuss((body) => {
    if (body.stream) return { status: 400, error: "Your organization must be verified to stream this model." };
    if (body.max_tokens > 900) return { status: 400, error: `max_tokens is too large: ${body.max_tokens}. This model supports at most 900 completion tokens.` };
    return { pieces: [ANSWER] };
  });
  assert.deepEqual(bodies.map(({ stream, max_tokens }) => [stream, max_tokens]), [[true, 2000], [false, 2000], [false, 900], [false, 900]]);
  assert.deepEqual(replies.map(({ reply }) => [reply.text, reply.requests, reply.allowed_tokens]), [[ANSWER, 3, 900], [ANSWER, undefined, 900]]);
});

test("a short key and a key in Base64 get nowhere", async () => {
  for (const key of ["s3cret", "class-of-2026"]) {
    const echoes = [key, `Bearer ${key}`, `user:${key}`].map((text) => Buffer.from(text).toString("base64"));
    const server = await serve((body, count) => (count === 1 ? { pieces: [`${ANSWER} ${key} ${echoes.join(" ")}`] } : { status: 401, error: `Wrong key ${key}, ${echoes.join(", ")}` }));
    const agents = ["Ana", "Ben"].map((name) => ({ name, personality: "A person.", role: "specialist", kind: "model", provider: "compatible", model: "m", base_url: server.base_url }));
    const session = await Session.create(talk(agents), { store: "memory", keys: { [new URL(server.base_url).origin]: key } });
    session.run().catch(() => {});
    while (session.status.state === "running") await new Promise((done) => setTimeout(done, 20));
    const record = JSON.stringify([session.entries(), session.status, (await session.export("jsonl")).text]);
    assert.ok(record.includes("[removed]") && record.includes("Wrong key"));
    for (const text of [key, ...echoes]) assert.ok(!record.includes(text), `${key}: ${text}`);
    session.stop();
    await session.close();
    server.close();
  }
});

test("a limit counts for a host, an origin and a base URL, and one that matches nothing is told", () => {
  const of = (limits, language) => check({ ...talk(["Ana", "Ben"].map((name) => ({ name, personality: "p", kind: "model", provider: "compatible", model: "m", base_url: "https://api.example.org/v1" }))), limits }, language).warnings;
  for (const place of ["api.example.org", "API.example.org:443", "https://api.example.org", "https://api.example.org/v1"]) {
    assert.deepEqual(of({ calls_at_once: { [place]: 2 }, calls_per_minute: { [place]: 9 } }), [], place);
  }
  const [at_once, per_minute] = of({ calls_at_once: { "example.org": 2 }, calls_per_minute: { openai: 9 } });
  assert.deepEqual([at_once.path, per_minute.path], ["limits.calls_at_once.example.org", "limits.calls_per_minute.openai"]);
  assert.match(at_once.message, /api\.example\.org/);
});
