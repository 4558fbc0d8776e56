// Many sessions at one endpoint: limits at once and in a minute, refusals with a wait, and what the page is told of it. And
// other models of a seat, each at its own endpoint with its own key.
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
  server = await startProviders();
});
after(() => server.close());

/** A discussion of two models. */
const talk = (base_url, more = {}, seat = {}) => ({
  protocol: "discussion", language: "English", topic: "Tea", rounds: 2, start: "at_once", ...more,
  agents: ["Ana", "Ben"].map((name) => ({ name, personality: "p", kind: "model", provider: "compatible", model: "m", base_url, ...seat })),
});
const count = (session, type) => session.entries().filter(({ what }) => what.type === type).length;
async function until(is, what) {
  for (let tries = 0; tries < 1500; tries += 1) {
    if (await is()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`${what} does not happen`);
}

/** A server that answers when it is told to, and knows how many wait for it. */
async function gate() {
  const open = [];
  const seen = { requests: 0, most: 0, let_go: false };
  const http = createServer((request, response) => {
    request.resume();
    const answer = () => {
      open.splice(open.indexOf(answer), 1);
      const choices = [{ index: 0, message: { role: "assistant", content: "I think so." }, finish_reason: "stop" }];
      response.writeHead(200, { "content-type": "application/json", ...seen.headers });
      response.end(JSON.stringify({ choices }));
    };
    open.push(answer);
    seen.requests += 1;
    seen.most = Math.max(seen.most, open.length);
    if (seen.let_go) setTimeout(answer, 5);
  });
  await new Promise((resolve) => http.listen(0, "127.0.0.1", resolve));
  return {
    seen,
    open,
    origin: `http://127.0.0.1:${http.address().port}`,
    async close() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

test("all sessions together keep to the calls at once, and none loses or repeats a call", async () => {
  const at = await gate();
  const events = [];
  const limits = { calls_at_once: { [at.origin]: 2 } };
  const sessions = await Promise.all(
    Array.from({ length: 8 }, () => Session.create(talk(`${at.origin}/v1`, { limits }), { store: "memory", onEvent: (event) => event.type === "waiting" && events.push(event) })),
  );
  const runs = sessions.map((session) => session.run());
  await until(() => at.open.length === 2 && events.length >= 6, "two on their way and six that wait");
  const waiting = sessions.map((session) => session.status.open[0].waiting).filter((one) => one !== null);
  assert.deepEqual(waiting.map(({ ahead }) => ahead).sort(), [0, 1, 2, 3, 4, 5]);
  assert.ok(waiting.every(({ why, until }) => why === "limit" && until === null));
  // The time of one that waits does not run.
  for (const { status } of sessions) assert.equal(status.open[0].deadline === null, status.open[0].waiting !== null);
  // One that is stopped while it waits has made no call.
  const stopped = sessions.findIndex(({ status }) => status.open[0].waiting?.ahead === 5);
  const refused = assert.rejects(runs[stopped], { code: "stopped" });
  sessions[stopped].stop();
  await refused;
  at.seen.let_go = true;
  [...at.open].forEach((answer) => answer());
  await Promise.all(runs.filter((_, index) => index !== stopped));
  assert.equal(at.seen.requests, 7 * 4);
  sessions[stopped].resume();
  await sessions[stopped].run();
  assert.equal(at.seen.requests, 8 * 4);
  assert.equal(at.seen.most, 2);
  for (const session of sessions) {
    assert.deepEqual([count(session, "answered"), count(session, "failed"), count(session, "timed_out")], [4, 0, 0]);
    assert.equal((await session.verify()).verified, true);
  }
  // Whatever was told to wait was told when that was over.
  const last = new Map(events.map((event) => [`${event.seat} ${event.ask}`, event.why]));
  assert.ok([...last.values()].every((why) => why === null));
  assert.ok(events.every(({ origin }) => origin === at.origin));
  await Promise.all(sessions.map((session) => session.close()));
  await at.close();
});

test("a minute has as many calls as may be; a pause takes what waits out of the queue", async () => {
  const at = await gate();
  at.seen.let_go = true;
  const events = [];
  const began = Date.now();
  const limits = { calls_per_minute: { [at.origin]: 3 } };
  const session = await Session.create(talk(`${at.origin}/v1`, { limits }), { store: "memory", onEvent: (event) => event.type === "waiting" && events.push(event) });
  const run = session.run();
  await until(() => session.status.open[0]?.waiting, "the fourth call waits");
  assert.equal(at.seen.requests, 3);
  const { why, until: moment, ahead } = session.status.open[0].waiting;
  assert.deepEqual([why, ahead], ["minute", 0]);
  assert.ok(moment >= began + 59_995 && moment <= Date.now() + 60_005, String(moment - began));
  session.pause();
  assert.equal(session.status.open[0].waiting, null);
  assert.equal(events.at(-1).why, null);
  session.resume();
  await until(() => session.status.open[0].waiting, "it waits again");
  const later = session.status.open[0].waiting;
  assert.deepEqual([later.ahead, later.why, Math.abs(later.until - moment) <= 5], [0, "minute", true]);
  // A step lets it through, to where it waits for its minute.
  session.pause();
  session.step();
  await until(() => session.status.open[0].waiting, "it waits again");
  const refused = assert.rejects(run, { code: "closed" });
  await session.close();
  await refused;
  assert.equal(at.seen.requests, 3);
  await at.close();
});

for (const fault of ["429-date~2", "429-ms~2", "429~2", "429-words~2"]) {
  test(`${fault}: all sessions wait as long as the endpoint asks for, then go on`, async () => {
    const events = [];
    const tag = fault.replace("~", "-");
    const limits = { calls_at_once: { [server.origin]: 4 } };
    const config = talk(server.base("compatible", tag, fault), { limits });
    const sessions = await Promise.all([1, 2].map(() => Session.create(config, { store: "memory", onEvent: (event) => events.push(event) })));
    await Promise.all(sessions.map((session) => session.run()));
    const failures = sessions.flatMap((session) => session.entries()).filter(({ what }) => what.type === "failed");
    assert.deepEqual(failures.map(({ what }) => what.failure.kind), ["rate_limit"]);
    assert.equal(server.requests(tag).length, 2 * 4 + 1);
    const told = events.filter(({ type, why }) => type === "waiting" && why === "retry");
    const { at, what } = failures[0];
    assert.ok(told.length > 0 && told.some(({ until }) => until >= at + what.failure.retry_after_ms - 5), JSON.stringify([failures, told]));
    // Nothing was sent to the endpoint while it was held; a call that had its turn before may be stamped a little later.
    const sent = sessions.flatMap((session) => session.entries()).filter(({ what }) => what.type === "answered").map(({ what }) => what.reply.sent_at);
    const held = sent.filter((moment) => moment > at + what.failure.retry_after_ms / 3 && moment < at + what.failure.retry_after_ms - 20);
    assert.deepEqual(held, []);
    for (const session of sessions) assert.equal((await session.verify()).verified, true);
  });
}

test("another model is asked at its own endpoint with its own key, and that is told", async () => {
  const at = await startProviders();
  const fallback = [{ provider: "anthropic", model: "claude", base_url: at.base("anthropic", "fallback") }];
  const config = talk(server.base("compatible", "first", "401"), {}, { fallback, temperature: 0.5 });
  const keys = { [server.origin]: "first-key-123456", [at.origin]: "second-key-123456" };
  const session = await Session.create(config, { store: "memory", keys });
  await session.run();
  assert.deepEqual([count(session, "answered"), count(session, "fell_back"), count(session, "halted")], [4, 4, 0]);
  const first = session.entries().find(({ what }) => what.type === "fell_back").what;
  assert.deepEqual(
    { ...first, ask: null },
    { type: "fell_back", ask: null, seat: "Ana", model: "claude", provider: "anthropic", base_url: fallback[0].base_url, because: "failed" },
  );
  const headers = (of, tag) => JSON.stringify(of.requests(tag).map(({ headers }) => headers));
  assert.ok(headers(at, "fallback").includes("second-key") && !headers(at, "fallback").includes("first-key"));
  assert.ok(headers(server, "first").includes("first-key") && !headers(server, "first").includes("second-key"));
  assert.equal(at.requests("fallback")[0].body.model, "claude");
  assert.equal((await session.verify()).verified, true);
  const { text } = await session.export("md");
  assert.ok(text.includes("| Ana | model claude | 2 |"), text);
  await at.close();
});

test("without a store there is nothing to play back and nothing recorded, and that is said", async () => {
  const config = talk("http://127.0.0.1:9/v1");
  config.agents = config.agents.map(({ name }) => ({ name, personality: "p", kind: "recorded", plays: { session: "x" } }));
  const played = await Session.create(config, { store: "memory" });
  played.run().catch(() => {});
  await until(() => played.status.state === "halted", "the halt");
  assert.equal(played.status.halt.failure.kind, "unavailable");
  assert.match(played.status.halt.failure.message, /no IndexedDB here/);
  played.stop();
  const only = await Session.create(talk("http://127.0.0.1:9/v1"), { store: "memory", recorded: "only" });
  only.run().catch(() => {});
  await until(() => only.status.state === "halted", "the halt");
  assert.match(only.status.halt.failure.message, /no IndexedDB here/);
  only.stop();
  await assert.rejects(Session.create(talk("http://127.0.0.1:9/v1"), { recorded: "always" }), { code: "input" });
});
