// A budget of money holds over shards, by the sum of a server that has prices of its own. Calls to this machine cost nothing, so it is
// named by its host name, where it has one that leads to it.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { lookup } from "node:dns/promises";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { built } from "../../support/package.mjs";

const SHARDS = 4;
/** Dollars for a million tokens. */
const PRICE = { input: 40, output: 4 };
const ANSWER = "My estimate: 7";

const root = mkdtempSync(join(tmpdir(), "quorate-budget-"));
after(() => rmSync(root, { recursive: true, force: true }));

/** A server of models that counts what its answers cost. */
async function startServer() {
  const bill = { calls: 0, cost: 0 };
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const usage = { prompt_tokens: Math.ceil(body.length / 4), completion_tokens: 8 };
    bill.calls += 1;
    bill.cost += (usage.prompt_tokens * PRICE.input + usage.completion_tokens * PRICE.output) / 1e6;
    const choices = [{ index: 0, message: { role: "assistant", content: ANSWER }, finish_reason: "stop" }];
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ model: "m-1", choices, usage }));
  });
  server.listen(0, "0.0.0.0");
  await once(server, "listening");
  after(() => server.close());
  return { bill, base: `http://${hostname()}:${server.address().port}/v1` };
}

const isReachable = hostname() !== "localhost" && (await lookup(hostname()).then(() => true, () => false));

test("a budget of money holds over shards, and more of it goes on", { skip: !isReachable && "this machine has no host name" }, async () => {
  const { bill, base } = await startServer();
  const agents = ["Ada", "Bo"].map((name) => ({ name, personality: "A person.", kind: "model", provider: "openai", model: "m-1", base_url: base }));
  const path = join(root, "study.json");
  const out = join(root, "out");
  const write = (cost) => writeFileSync(path, JSON.stringify({ study: 1, id: "money", n: 40, seed: 7, budget: { cost }, base: {
    protocol: "delphi", language: "English", question: "How many?", rounds: 3, answers: "free", agents,
    prices: { currency: "USD", date: "2026-01-01", models: { "m-1": PRICE } } } }));
  const shards = () => Promise.all(Array.from({ length: SHARDS }, async (_, shard) => {
    const child = spawn(process.execPath, [built("cli.js"), "run", path, "--out", out, "--shard", `${shard}/${SHARDS}`], { stdio: ["ignore", "ignore", "pipe"] });
    child.stderr.pipe(process.stderr);
    const [code] = await once(child, "close");
    return code;
  }));
  const ended = () => readdirSync(join(out, "runs")).filter((name) => name.endsWith(".jsonl") && readFileSync(join(out, "runs", name), "utf8").includes('"type":"ended"')).length;

  write(1);
  assert.deepEqual(await shards(), Array(SHARDS).fill(4));
  assert.ok(bill.cost > 0.4 && bill.cost <= 1, `${bill.calls} calls, ${bill.cost} dollars`);
  assert.ok(ended() > 0 && ended() < 40, String(ended()));
  console.log(`${ended()} runs, ${bill.calls} calls, ${bill.cost.toFixed(3)} dollars of 1.00`);
  write(100);
  assert.deepEqual(await shards(), Array(SHARDS).fill(0));
  assert.equal(ended(), 40);
});
