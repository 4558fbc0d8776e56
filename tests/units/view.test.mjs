// What the page keeps of views, and paths of settings.
import assert from "node:assert/strict";
import test from "node:test";
import { activity, emptyView, isSecret, take, wait } from "../../www/view.js";
import { parts, read, write } from "../../www/fields.js";

test("what changed is put where it was, and what is whole in place of it", () => {
  const view = take(emptyView(), { whole: true, number: 2, people: [{ name: "Ann" }], asks: [{ id: "a", item: "i" }], items: [{ key: "i", version: 1, done: false }], sections: [{ key: "2", place: 2, items: ["i"] }], doing: { Ann: "speaking" }, role: "owner" });
  const [section] = view.sections;
  take(view, { whole: false, number: 3, people: [{ name: "Bo" }], asks: [], items: [{ key: "i", version: 3, done: true }], sections: [{ key: "1", place: 1, items: [] }, { key: "2", place: 2, items: ["i", "k"] }], doing: {} });
  assert.deepEqual([view.number, [...view.people.keys()], view.items.get("i").done, activity(view, "Ann")], [3, ["Ann", "Bo"], true, null]);
  assert.deepEqual(view.sections.map(({ key }) => key), ["1", "2"]);
  assert.equal(view.sections[1], section);
  assert.deepEqual(section.items, ["i", "k"]);
  take(view, { whole: true, number: 1, people: [], asks: [], items: [], sections: [] });
  assert.deepEqual([view.people.size, view.asks.size, view.items.size, view.sections.length], [0, 0, 0, 0]);
});

test("how a question waits for its provider redraws the item that it stands in", () => {
  const view = take(emptyView(), { whole: true, people: [], asks: [{ id: "a", item: "i" }], items: [{ key: "i", version: 1 }], sections: [] });
  wait(view, { ask: "a", why: "limit" });
  assert.deepEqual([view.asks.get("a").waits, view.items.get("i").version], ["limit", 1.5]);
  wait(view, { ask: "a", why: "limit" });
  wait(view, { ask: "unknown", why: "limit" });
  assert.equal(view.items.get("i").version, 1.5);
});

test("a sealed answer is secret to whoever runs the session, not to whoever gave it", () => {
  assert.equal(isSecret({ role: "owner" }, { sealed: true }), true);
  assert.equal(isSecret({ role: "owner" }, { sealed: false }), false);
  assert.equal(isSecret({ role: "seat:Ann" }, { sealed: true }), false);
});

test("settings are read and written by path, and emptied objects go", () => {
  assert.deepEqual(parts("agents[2].name"), ["agents", "2", "name"]);
  const config = { agents: [{ name: "A" }] };
  write(config, "phase2_settings.memory_management.statement_max_length", 10);
  assert.equal(read(config, "phase2_settings.memory_management.statement_max_length"), 10);
  write(config, "phase2_settings.memory_management.statement_max_length", undefined);
  assert.deepEqual(config, { agents: [{ name: "A" }] });
  write(config, "agents.0.name", undefined);
  assert.deepEqual(config, { agents: [{}] });
});
