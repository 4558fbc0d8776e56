// Nobody looks after the run: a server that is down for a while, one that wants a long pause, a seat whose calls fail for good;
// and a promise of run() that always comes to an end.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { before, test } from "node:test";
import { entry } from "../../support/package.mjs";

const { default: init, LabError, Session } = await import(entry);
before(() => init());

/** A server that answers, or does what `does(call)` says of the call of that number: a status with headers. */
async function serve(does = () => null, port = 0) {
  let calls = 0;
  const http = createServer((request, response) => {
    request.resume();
    calls += 1;
    const [status, headers] = does(calls, request) ?? [200, {}];
    const choices = [{ index: 0, message: { role: "assistant", content: "I think that it is 7." }, finish_reason: "stop" }];
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify(status === 200 ? { choices } : { error: { message: "Not now." } }));
  });
  await new Promise((resolve, reject) => http.on("error", reject).listen(port, "127.0.0.1", resolve));
  const close = () => new Promise((resolve) => {
    http.close(resolve);
    http.closeAllConnections();
  });
  return { origin: `http://127.0.0.1:${http.address().port}`, port: http.address().port, calls: () => calls, close };
}
const model = (name, base_url) => ({ name, personality: "p", kind: "model", provider: "compatible", model: "m", base_url });
const talk = (base_url) => ({ protocol: "discussion", language: "English", topic: "Tea", rounds: 2, start: "at_once", agents: ["Ana", "Ben"].map((name) => model(name, base_url)) });
const poll = (ana, limits = {}) => ({ protocol: "delphi", language: "English", question: "How many?", rounds: 2, answers: "free", limits, agents: [model("Ana", ana), { name: "Ben", personality: "p", kind: "scripted" }, { name: "Cleo", personality: "p", kind: "scripted" }] });
const of = (session, type) => session.entries().filter(({ what }) => what.type === type).map(({ what }) => what);
async function until(is) {
  while (!(await is())) await new Promise((resolve) => setTimeout(resolve, 20));
}

test("a server that is gone for a while and comes back at the same address: the run goes on by itself", async () => {
  const first = await serve();
  const told = [];
  const onEvent = ({ type, status }) => type === "status" && told.push(...status.open.map(({ trouble }) => trouble).filter(Boolean));
  const session = await Session.create(talk(`${first.origin}/v1`), { store: "memory", onEvent });
  const run = session.run();
  await until(() => first.calls() >= 1);
  await first.close();
  await until(() => session.status.open[0]?.trouble);
  const { since, until: again, failure } = session.status.open[0].trouble;
  assert.equal(failure.kind, "unreachable");
  assert.ok(again > since && again <= since + 600_000, `${again - since}`);
  assert.equal(session.waitsFor, null);
  const second = await serve(undefined, first.port);
  await run;
  assert.deepEqual([of(session, "answered").length, of(session, "halted").length], [4, 0]);
  assert.ok(of(session, "failed").length >= 4 && told.length > 0);
  assert.equal((await session.verify()).verified, true);
  await second.close();
});

test("a server in trouble for several tries: the run goes on by itself", async () => {
  const server = await serve((call) => (call > 1 && call < 7 ? [call % 2 ? 503 : 502] : null));
  const session = await Session.create(talk(`${server.origin}/v1`), { store: "memory" });
  await session.run();
  assert.deepEqual([of(session, "answered").length, of(session, "failed").length, of(session, "halted").length], [4, 5, 0]);
  await server.close();
});

test("a refusal that asks for 90 seconds halts nothing, says until when, and whoever helps need not wait", async () => {
  const server = await serve((call) => (call === 2 ? [429, { "retry-after": "90" }] : null));
  const session = await Session.create(talk(`${server.origin}/v1`), { store: "memory" });
  const run = session.run();
  await until(() => session.status.open[0]?.trouble);
  const [{ trouble, waiting }] = session.status.open;
  assert.deepEqual([session.status.state, trouble.until - trouble.since, trouble.failure.kind], ["running", 90_000, "rate_limit"]);
  assert.ok(waiting.until >= trouble.until, JSON.stringify([waiting, trouble]));
  session.resume();
  await run;
  assert.deepEqual([of(session, "answered").length, of(session, "halted").length], [4, 0]);
  await server.close();
});

test("a seat that fails for good: the others go on, and run() says whom it waits for; or what the configuration says", async () => {
  const server = await serve(() => [401]);
  const waits = await Session.create(poll(`${server.origin}/v1`), { store: "memory" });
  const error = await waits.run().then(() => null, (error) => error);
  assert.ok(error instanceof LabError);
  assert.equal(error.code, "waiting");
  assert.match(error.message, /^the run is suspended for Ana \(estimate, round 1\): .*API key.*resume\(\) tries again$/);
  assert.equal(error.detail.state, "halted");
  assert.equal(of(waits, "answered").length, 2, "the others have answered");
  assert.equal(server.calls(), 1);
  waits.seating({ do: "stand_in", seat: "Ana" });
  const result = await waits.run();
  assert.equal(result.rounds > 0, true);
  assert.equal(waits.usage.calls, of(waits, "answered").length - of(waits, "answered").filter(({ reply }) => reply.stood_in).length + 1);
  for (const [on_failure, code] of [["skip", null], ["stand_in", null], ["end", "stopped"]]) {
    const session = await Session.create(poll(`${server.origin}/v1`, { on_failure }), { store: "memory" });
    const over = await session.run().then(() => null, (error) => error);
    assert.equal(over?.code ?? null, code, `${on_failure}: ${over?.message}`);
    if (over) assert.match(over.message, /^the run was stopped \(Ana \(estimate, round 1\): .*\); resume\(\) goes on$/);
    assert.equal(of(session, "answered").some(({ reply }) => reply.stood_in), on_failure === "stand_in");
    assert.equal((await session.verify()).verified, true);
  }
  await server.close();
});

test("a session that is closed or given back settles its runs", async () => {
  const people = { ...poll("http://127.0.0.1:9/v1"), agents: [{ name: "Ana", kind: "human", personality: "p" }, { name: "Ben", kind: "scripted", personality: "p" }] };
  for (const end of ["close", "free"]) {
    const session = await Session.create(people, { store: "memory" });
    const refused = assert.rejects(session.run({ attended: true }), { name: "LabError", code: "closed" });
    await until(() => session.waitsFor);
    assert.match(session.waitsFor, /^the run waits for Ana \(estimate, round 1\)/);
    session[end]();
    await refused;
  }
});
