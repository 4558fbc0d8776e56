// A program in Node.js that waits for a run which nothing will bring to its end is told so, and ends with an error.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { entry } from "../support/package.mjs";

const program = (config, then) => `
  import init, { Session } from ${JSON.stringify(`file://${entry}`)};
  await init();
  const session = await Session.create(${JSON.stringify(config)}, { store: "memory" });
  ${then}
`;
const runs = (config, then) => spawnSync(process.execPath, ["--input-type=module", "-e", program(config, then)], { encoding: "utf8", timeout: 60_000 });
const poll = (kind) => ({ protocol: "delphi", question: "How many?", agents: [{ name: "Ana", kind }, { name: "Ben", kind: "scripted" }] });

test("a run that waits for a person rejects with who that is", () => {
  const { status, stderr } = runs(poll("human"), "await session.run();");
  assert.equal(status, 1, stderr);
  assert.match(stderr, /the run waits for Ana \(estimate, round 1\)/);
});

test("a run that stands still rejects with what for, once", () => {
  const { status, stdout } = runs(poll("custom"), "console.log(await session.run().catch(({ code, message, detail }) => [code, message, detail.state]));");
  assert.equal(status, 0);
  assert.match(stdout, /'waiting'/);
  assert.match(stdout, /the run is suspended/);
  assert.match(stdout, /'halted'/);
});

test("a run that a cap holds rejects with which, and how it goes on", () => {
  const { status, stdout } = runs(poll("scripted"), `session.limit({ maxCalls: 1 });
    console.log(await session.run().catch(({ code, message, detail }) => JSON.stringify([code, message, detail.state, session.waitsFor])));`);
  assert.equal(status, 0);
  const says = "the run is suspended (max_calls): limit() raises the cap, then resume() goes on";
  assert.deepEqual(JSON.parse(stdout), ["waiting", says, "halted", says]);
});

test("a run that comes to its end does not", () => {
  const { status, stdout } = runs(poll("scripted"), "console.log(Object.keys(await session.run()).length > 0);");
  assert.deepEqual([status, stdout], [0, "true\n"]);
});
