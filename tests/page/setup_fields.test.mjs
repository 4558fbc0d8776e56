// What the form offers and what the engine takes are the same: keys, bounds, defaults, options; and all of it has words
// in three languages. Runs without a browser.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { before, test } from "node:test";
import init, { check } from "../../pkg/quorate.js";
import { PROTOCOLS, plain, takes, write } from "../../www/fields.js";
import { switched, tableOf } from "../../www/fields/switch.js";

const WWW = new URL("../../www/", import.meta.url);
const words = Object.fromEntries(["en", "es", "zh"].map((code) => [code, JSON.parse(readFileSync(new URL(`i18n/${code}.json`, WWW), "utf8"))]));
before(() => init({ module_or_path: readFileSync(new URL("../../pkg/engine_bg.wasm", import.meta.url)) }));

const fieldsOf = (protocol) => PROTOCOLS[protocol].groups.flatMap(({ fields }) => fields);
/** Faults and warnings of a value at a path. */
const told = (protocol, path, value, { agent = false } = {}) => {
  const config = plain({ protocol });
  write(config, agent ? `agents.0.${path}` : path, value);
  const { faults, warnings } = check(config);
  const full = agent ? `agents[0].${path}` : path;
  return [...faults, ...warnings].filter((one) => one.path === full || one.path.startsWith(`${full}.`) || one.path.startsWith(`${full}[`) || full.startsWith(`${one.path}.`)).map(({ message }) => message);
};

test("every field and group has a label and a line of help in each language", () => {
  for (const [code, table] of Object.entries(words)) {
    const missing = [];
    const need = (key) => key in table || missing.push(key);
    for (const protocol of Object.keys(PROTOCOLS)) {
      need(`protocol.${protocol}`);
      for (const { id } of PROTOCOLS[protocol].groups) [`group.${id}`, `group.${id}.text`].forEach(need);
      for (const [from, fields] of [["field", fieldsOf(protocol)], ["agent", PROTOCOLS[protocol].agents]]) {
        for (const { path, name = path, options = [], maybe = [], type, unit } of fields) {
          [`${from}.${name}`, `${from}.${name}.help`].forEach(need);
          if (unit) need(`unit.${unit}`);
          if (type === "choice") for (const option of [...options, ...maybe]) need(`option.${path.split(".").at(-1)}.${option || "same"}`);
        }
      }
    }
    assert.deepEqual(missing, [], code);
  }
});

test("the engine takes what the form offers, within its bounds and no further", () => {
  const wrong = [];
  const taken = (found, name) => found.length && wrong.push(`${name} is refused: ${found[0]}`);
  const refused = (found, name) => found.length || wrong.push(`${name} is taken`);
  for (const protocol of Object.keys(PROTOCOLS)) {
    for (const [agent, fields] of [[false, fieldsOf(protocol)], [true, PROTOCOLS[protocol].agents]]) {
      for (const { path, type, options = [], others, min, max, otherwise, probe } of fields) {
        if (probe !== undefined && told(protocol, path, probe).length) continue;
        const at = (value) => told(protocol, path, value, { agent });
        const name = `${protocol} ${path}`;
        // No limit, or whatever the engine draws, has no value of its own.
        if (otherwise !== undefined && otherwise !== null && otherwise !== "" && typeof otherwise !== "function") taken(at(otherwise), `${name}: ${otherwise}`);
        for (const option of options.filter(Boolean)) taken(at(option), `${name}: ${option}`);
        if (type === "choice" && !others) refused(at("no such thing"), `${name}: no such thing`);
        if (type === "flag") refused(at("perhaps"), `${name}: perhaps`);
        if (type !== "number" && type !== "range") continue;
        for (const bound of [min, max]) if (bound !== undefined) taken(at(bound), `${name}: ${bound}`);
        refused(at(min - 1), `${name}: ${min - 1}`);
        if (max !== undefined) refused(at(max + 1), `${name}: ${max + 1}`);
      }
    }
  }
  assert.deepEqual(wrong, []);
});

test("what keys are tried on has no fault of its own", () => {
  for (const protocol of Object.keys(PROTOCOLS)) assert.deepEqual(check(plain({ protocol })), { faults: [], warnings: [] }, protocol);
});

test("a key that the engine does not know is told apart from one whose value it refuses elsewhere", () => {
  assert.equal(takes(check({ protocol: "debate", nonsense: 1 }), "nonsense"), false);
  assert.equal(takes(check({ protocol: "debate", seed: 1 }), "seed"), true);
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
