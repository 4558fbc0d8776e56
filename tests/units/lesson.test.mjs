// Lessons: tables, and minutes by the questions of a configuration.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fitted, minutesOf, partsOf, tablesFor } from "../../www/teach/lesson.js";

const presets = JSON.parse(readFileSync(new URL("../../src/procedures/classes.json", import.meta.url), "utf8"));

test("a class sits at tables of four, and computers take the free seats", () => {
  assert.deepEqual(tablesFor(23), { tables: 6, free: 1 });
  assert.deepEqual(tablesFor(24), { tables: 6, free: 0 });
  assert.deepEqual(tablesFor(2), { tables: 1, free: 2 });
});

test("every procedure for classes fits 25 and 45 minutes, with more rounds in the longer lesson or as many", () => {
  for (const { id, config } of presets) {
    for (const minutes of [25, 45]) assert.ok(minutesOf(fitted(config, minutes)) <= minutes, `${id}, ${minutes}`);
    assert.ok(minutesOf(fitted(config, 45)) >= minutesOf(fitted(config, 25)), id);
  }
});

test("talk takes longer with more rounds, and in turns with more people, and all parts add up", () => {
  const { config } = presets.find(({ id }) => id === "class-justice");
  const talk = (one) => partsOf(one).find(({ part }) => part === "talk").minutes;
  assert.ok(talk({ ...config, phase2_rounds: 3 }) > talk({ ...config, phase2_rounds: 1 }));
  assert.equal(talk(config), config.phase2_rounds * config.phase2_settings.minutes);
  const inTurns = { ...config, phase2_settings: { ...config.phase2_settings, turns: "order" } };
  assert.ok(talk(inTurns) > talk({ ...inTurns, agents: config.agents.slice(1) }));
  assert.equal(partsOf(config).reduce((sum, { minutes }) => sum + minutes, 0), minutesOf(config));
});
