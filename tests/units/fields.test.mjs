// What the form offers is what the engine describes: every setting has a control, its bounds and its options are those that
// the engine takes, and all of it has words in every language.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { before, test } from "node:test";
import { ENGINE, ENGINE_WASM } from "../support/paths.mjs";
import { pageWords } from "../../scripts/words.mjs";
import { agentFieldsFor, counts, groupsFor, kindOf, protocolOf, protocols, settingAt, usualAt, wordsOf, write } from "../../www/fields.js";
import { LOOK } from "../../www/fields/presentation.js";
import { switched, tableOf } from "../../www/fields/switch-protocol.js";
import { LANGUAGES } from "../../www/languages.js";

const { default: init, check, spec, presets } = await import(ENGINE);
const words = Object.fromEntries(Object.keys(LANGUAGES).map((code) => [code, pageWords(code)]));
before(async () => {
  // Node.js fetches no files.
  globalThis.fetch = async (url) => new Response(readFileSync(url), { headers: { "Content-Type": "application/wasm" } });
  await init({ module_or_path: readFileSync(ENGINE_WASM) });
});

/** A configuration that an engine has nothing to say about. */
const plain = (protocol) => ({ protocol, agents: ["A", "B", "C", "D"].map((name) => ({ name, personality: "-" })), ...(["debate", "delphi"].includes(protocol) && { question: "-" }),
  ...(protocol === "jury" && { charge: "-", prosecution: "-", defence: "-", evidence: [{ text: "-" }] }) });
const offered = (protocol) => [...groupsFor({ protocol }).flatMap(({ fields }) => fields), ...agentFieldsFor({ protocol }).map((field) => ({ ...field, path: `agents.${field.path}` }))];

test("the page has words for every field and group in each language", () => {
  for (const [code, table] of Object.entries(words)) {
    const missing = [];
    const need = (key) => key in table || missing.push(key);
    for (const protocol of protocols()) {
      need(`protocol.${protocol}`);
      for (const { id } of groupsFor({ protocol })) [`group.${id}`, `group.${id}.text`].forEach(need);
      for (const field of offered(protocol)) {
        const { kind, name, path, unit } = field;
        [wordsOf(field), `${wordsOf(field)}.help`].forEach(need);
        if (unit) need(`unit.${unit}`);
        const options = LOOK[path]?.options ?? (LOOK[path]?.type ? [] : kind.words ?? []);
        // Providers stand by their names, which are the same everywhere.
        if (name !== "provider") for (const option of options) need(`option.${name}.${option || "same"}`);
      }
    }
    assert.deepEqual(missing, [], code);
  }
});

test("what is told apart from the engine is told of settings that there are", () => {
  const all = protocols().flatMap(offered).map(({ path }) => path);
  assert.deepEqual(Object.keys(LOOK).filter((path) => !all.includes(path)), []);
});

test("every setting of the engine is in a group of the form or known not to be", () => {
  const elsewhere = ["protocol", "$schema", "agents", "participants", "prices", "prompts", "study"];
  for (const protocol of protocols()) {
    const groups = groupsFor({ protocol });
    const tops = new Set(groups.flatMap(({ fields }) => fields.map(({ path }) => path.split(".")[0])));
    const left = spec(protocol).settings.filter(({ name, effect }) => effect !== false && !tops.has(name) && !elsewhere.includes(name)).map(({ name }) => name);
    assert.deepEqual(left, { justice: ["randomize_finisher", "memory_guidance_style", "utility_agent_model", "utility_agent_temperature"], discussion: [], debate: ["domain_patterns"], delphi: [], jury: [] }[protocol], protocol);
  }
});

test("what holds where nothing is given is taken by the engine, and what counts goes by what else is set", () => {
  for (const protocol of protocols()) {
    for (const { path, kind } of offered(protocol)) {
      const at = path.replace(/^agents\./, "agents.0.");
      const value = usualAt(plain(protocol), at);
      if (value === undefined || ["fallback", "plays"].includes(path.split(".")[1])) continue;
      const config = plain(protocol);
      write(config, at, kind.type === "either" && Array.isArray(value) ? [...value] : value);
      if (path === "agents.model") config.agents[0].base_url = "https://example.org/v1";
      const wrong = check(config).faults.filter((fault) => fault.path !== "embeddings.model" && fault.path !== "embeddings.base_url");
      assert.deepEqual(wrong, [], `${protocol} ${path}: ${JSON.stringify(value)}`);
    }
  }
  const compat = { profile: "compat" };
  assert.equal(usualAt({}, "phase2_settings.statement_timeout"), 30);
  assert.equal(usualAt(compat, "phase2_settings.statement_timeout"), 600);
  assert.equal(usualAt(compat, "phase2_settings.memory_management.guidance_style"), "structured");
  assert.equal(usualAt({ memory_guidance_style: "structured" }, "phase2_settings.memory_management.guidance_style"), "structured");
  assert.equal(usualAt({ protocol: "debate", schedule: "classic" }, "convergence_metric"), "self_stability");
  assert.equal(usualAt({ protocol: "discussion", agents: [{ kind: "human" }] }, "agents.0.role"), "user");
  assert.equal(counts({ protocol: "debate" }, "topology_hub_agent"), false);
  assert.equal(counts({ protocol: "debate", topology: "star" }, "topology_hub_agent"), true);
  assert.equal(counts({ protocol: "debate" }, "convergence_threshold"), true);
  assert.equal(counts({ protocol: "debate", convergence_detection: false }, "convergence_threshold"), false);
  assert.equal(counts({ agents: [{ model: "gpt-5" }] }, "agents.0.temperature"), true);
  assert.equal(counts({ agents: [{}] }, "agents.0.temperature"), false);
});

test("paths lead to settings, whichever way they are written", () => {
  assert.equal(settingAt({ protocol: "debate" }, "schedule[3].kind").kind.words.length, 7);
  assert.equal(settingAt({}, "agents[1].temperature").kind.max, 2);
  assert.equal(settingAt({}, "nonsense"), undefined);
  assert.equal(kindOf({ model: ["a"] }), "model");
  for (const { config } of presets()) assert.ok(protocols().includes(protocolOf(config)));
});

test("from one protocol to another", () => {
  const origin = { title: "Preset", language: "English", agents: [{ name: "A", memory_character_limit: 9 }], phase2_rounds: 3 };
  const base = { protocol: "debate", title: "Base", question: "q", agents: [{ name: "A", stance: "negative", personality: "x" }, { name: "J", role: "judge" }] };
  assert.deepEqual(switched(origin, origin, base), { config: { ...base, language: "English" }, kept: [], behind: [] }, "what nobody wrote does not replace what suits the protocol");
  const mine = { ...origin, agents: [{ name: "A", kind: "human", memory_character_limit: 9 }, { name: "B" }], limits: { max_calls: 5 }, phase2_rounds: 4 };
  assert.deepEqual(switched(mine, origin, base), {
    config: { ...base, language: "English", limits: { max_calls: 5 }, agents: [{ stance: "negative", name: "A", kind: "human" }, { name: "B" }] },
    kept: ["limits", "agents"], behind: ["phase2_rounds"],
  });
});

test("the table in the order of speaking", () => {
  assert.deepEqual(tableOf({ agents: [{ name: "A", sequence_order: 2 }, { name: "B", sequence_order: 1 }] }), [{ name: "B" }, { name: "A" }]);
  assert.deepEqual(tableOf({ agents: [{ name: "A" }], participants: [{ role: "user" }, { role: "leader", agent: "A" }, { role: "leader", agent: "nobody" }] }, "Guest"), [{ name: "Guest", kind: "human", role: "user" }, { name: "A", role: "leader" }]);
  assert.deepEqual(tableOf({}), []);
});
