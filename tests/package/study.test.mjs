// Studies in JavaScript: the same plan to the byte as natively, faults with their cells, and forecasts.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { entry, root } from "../support/package.mjs";

const { default: init, LabError, Session, study } = await import(entry);
before(() => init());

const text = (name) => readFileSync(join(root, "tests/native", name), "utf8");
const file = () => JSON.parse(text("study_2x2.json"));

test("gives the plan that the engine gives natively, to the byte", () => {
  assert.equal(JSON.stringify(study.plan(file()), null, 2) + "\n", text("study_2x2.plan.json"));
});

test("keeps the order of keys for names alone", () => {
  const turned = file();
  turned.factors = Object.fromEntries(Object.entries(turned.factors).reverse());
  const [one, other] = [file(), turned].map((of) => study.plan(of));
  assert.equal(one.runs[0].id, "unanimity.strict.mixed.0001");
  assert.equal(other.runs[0].id, "unanimity.mixed.strict.0001");
  assert.deepEqual(one.runs.map(({ config }) => config.study), other.runs.map(({ config }) => config.study));
});

test("has every fault with cell and path, in a language", () => {
  const faulty = file();
  delete faulty.n;
  faulty.factors.rule.tolerant = { "phase2_settings.strict": "perhaps" };
  const { faults } = study.check(faulty);
  assert.deepEqual(faults.map(({ cell, path, code }) => [cell, path, code]), [
    [undefined, "n", "missing"],
    ["tolerant.small", "phase2_settings.strict", "flag"],
  ]);
  assert.match(study.check(faulty, "es").faults[0].message, /^falta/);
  for (const call of ["plan", "forecast"]) {
    assert.throws(() => study[call](faulty), (error) => {
      assert.deepEqual([error instanceof LabError, error.code, error.detail], [true, "config", faults]);
      assert.match(error.message, /tolerant\.small phase2_settings\.strict: /);
      return true;
    });
  }
  assert.deepEqual(study.check(file()), { faults: [], warnings: [] });
  assert.deepEqual(study.check("text").faults.map(({ code }) => code), ["object"]);
});

test("forecasts all runs with the built-in prices", () => {
  const { runs, calls, cost, currency, cells, complete } = study.forecast(file());
  assert.deepEqual([runs, currency, complete, cells.map(({ name }) => name)], [9, "USD", true, ["strict.small", "strict.mixed", "tolerant.small"]]);
  assert.equal(calls.high, cells.reduce((sum, cell) => sum + cell.runs * cell.forecast.calls.high, 0));
  assert.ok(cost.low > 0 && cost.low <= cost.high && cost.high <= cost.most);
});

test("planned runs run, and their tables have the columns of the study", async () => {
  const scripted = file();
  scripted.base.agents.forEach((agent) => delete agent.model);
  scripted.base.phase2_rounds = 2;
  scripted.factors.model = { one: { "agents[Ana].personality": "A doctor." }, two: {} };
  delete scripted.exclude;
  const [{ config }] = study.plan(scripted).runs;
  const session = await Session.create(config);
  await session.run();
  assert.deepEqual((await session.verify()).verified, true);
  const { text: runs } = await session.export("runs");
  const [header, row] = runs.split("\r\n").map((line) => line.split(","));
  assert.ok(["study", "repetition", "factor_model", "factor_rule"].every((name) => header.includes(name)), header.join());
  assert.ok(row.join().includes(",unanimity,1,"), row.join());
  session.free();
});
