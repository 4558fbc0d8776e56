// Who answers in a study: the options --scripted and --model change the seats and the levels that choose models.
import assert from "node:assert/strict";
import { test } from "node:test";
import { answeredBy } from "../../src/cli/answering.js";

const STUDY = {
  study: 1, id: "a", n: 1,
  base: {
    protocol: "delphi", reader: { model: "m", provider: "groq" },
    agents: [
      { name: "Ana", model: "m", provider: "groq", fallback: [{ model: "f" }], temperature: 1 }, { name: "Ben", kind: "scripted" },
      { name: "Cleo", kind: "human" }, { name: "Dan", kind: "custom", model: "w" },
    ],
  },
  factors: { model: { small: { "agents[Ana].model": "s", rounds: 2 }, large: { "agents.model": "l", "agents.temperature": 0 } } },
};
const agents = (study) => study.base.agents;
const LEVELS = { small: { rounds: 2 }, large: { "agents.temperature": 0 } };

test("simulated participants take the seats of models alone", () => {
  const study = answeredBy(STUDY, { scripted: true });
  assert.deepEqual(agents(study), [{ name: "Ana", temperature: 1, kind: "scripted" }, ...STUDY.base.agents.slice(1)]);
  assert.deepEqual(study.factors, { model: LEVELS });
  assert.equal(study.base.reader, undefined);
});

test("one model takes the seats of models and simulated participants, and reads", () => {
  const study = answeredBy(STUDY, { model: "ollama/q" });
  const by = { kind: "model", model: "ollama/q" };
  assert.deepEqual(agents(study), [{ name: "Ana", temperature: 1, ...by }, { name: "Ben", ...by }, ...STUDY.base.agents.slice(2)]);
  assert.deepEqual([study.factors, study.base.reader], [{ model: LEVELS }, { model: "ollama/q" }]);
});

test("without the options, and where the form is at fault, nothing changes", () => {
  assert.equal(answeredBy(STUDY, {}), STUDY);
  for (const file of [null, [], { base: 1 }]) assert.equal(answeredBy(file, { scripted: true }), file);
  const odd = { base: { agents: [null, 1] }, factors: { one: null, two: { a: 1, b: { agents: [{ name: "Ana", model: "m" }] } } } };
  assert.deepEqual(answeredBy(odd, { scripted: true }), { base: { agents: [null, 1] }, factors: { one: null, two: { a: 1, b: { agents: [{ name: "Ana", kind: "scripted" }] } } } });
  assert.throws(() => answeredBy(STUDY, { scripted: true, model: "m" }), { message: /exclude/, code: 2 });
});
