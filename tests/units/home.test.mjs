// The presets of the first screen.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

// The module starts to load its texts in the language of the browser; Node.js has neither.
globalThis.navigator ??= { languages: [] };
globalThis.fetch = async () => Response.json({});
const { classPresets, localised, presetsFor } = await import("../../www/home/presets.js");
const folder = new URL("../../src/procedures/", import.meta.url);
const presets = ["justice", "discussion"].flatMap((name) => JSON.parse(readFileSync(new URL(`${name}/presets.json`, folder), "utf8")));
const offered = (code) => presetsFor([...presets], code).map(({ id }) => id);

test("Start takes the group of the page's language, or the English one", () => {
  assert.deepEqual(["en", "es", "zh", "fr"].map((code) => offered(code)[0]), ["five", "cinco", "wu", "five"]);
  assert.deepEqual(offered("fr"), offered("en"));
  assert.ok(offered("es").includes("mesa-redonda") && !offered("es").includes("round-table"));
});

test("Presets for classes are found by themselves, in the words of the page, and not offered among the others", () => {
  const classes = JSON.parse(readFileSync(new URL("classes.json", folder), "utf8"));
  const all = [...presets, ...classes];
  assert.deepEqual(classPresets(all), classes);
  assert.deepEqual(presetsFor(all, "en").filter((preset) => preset.class), []);
  for (const preset of classes) assert.equal(localised(preset).agents.length, preset.config.agents.length);
});
