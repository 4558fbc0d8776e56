// Answers in a form and their values, both ways.
import assert from "node:assert/strict";
import { test } from "node:test";
import { imported } from "../support/page_code.mjs";

// Node.js 20 has none.
globalThis.navigator ??= { languages: ["en"] };

const { answersOf, inWords, unclearField, valuesOf } = await imported("answer/values.ts");

const named = (...values) => values.map((value) => ({ value, name: value.toUpperCase() }));
const rule = { name: "rule", label: "Rule", input: "choice", options: named("floor", "range", "average") };
const amount = (of) => ({ name: "amount", label: "At least", input: "amount", unit: "$", when: { field: "rule", values: [of] } });

test("two fields of one name, of which one is asked, have answers of their own", () => {
  const fields = [rule, amount("floor"), amount("range")];
  assert.deepEqual(valuesOf(fields, ["floor", 12000, 500]), { rule: "floor", amount: 12000 });
  assert.deepEqual(valuesOf(fields, ["range", 12000, 500]), { rule: "range", amount: 500 });
  assert.deepEqual(valuesOf(fields, ["average", 12000, 500]), { rule: "average" });
  assert.deepEqual(inWords(fields, ["floor", 12000, 500]), ["FLOOR", "$12,000"]);
});

test("a number that may be two is named, also within fields, and not where it is not asked", () => {
  const fields = [rule, amount("floor"), { name: "more", label: "More", input: "group", fields: [{ name: "share", label: "Share", input: "scale", least: 0, most: 1, step: 0 }] }];
  assert.equal(unclearField(fields, ["floor", "1.500", [undefined]]), "amount");
  assert.equal(unclearField(fields, ["range", "1.500", [undefined]]), undefined);
  assert.equal(unclearField(fields, ["range", undefined, ["half"]]), "more");
});

test("values of a draft are read back as they were filled in", () => {
  const options = named("a", "b", "c");
  const fields = [
    { name: "order", label: "", input: "order", options, places: ["first", "second", "third"] },
    { name: "agree", label: "", input: "yes_no", yes: named("yes")[0], no: named("no")[0], isFlag: true },
    { name: "none", label: "", input: "choice", options, none: "None" },
    { name: "points", label: "", input: "texts", most: 3 },
    { name: "scores", label: "", input: "each", of: "who", options, fields: [{ name: "score", label: "", input: "scale", least: 0, most: 10, step: 1 }] },
    { name: "text", label: "", input: "text", lines: 2 },
  ];
  const values = { first: "b", second: "a", third: "c", agree: false, none: null, points: ["one", "two"], scores: [{ who: "a" }, { who: "b", score: 3 }, { who: "c" }], text: "Words" };
  assert.deepEqual(valuesOf(fields, answersOf(fields, values)), values);
  assert.deepEqual(valuesOf(fields, answersOf(fields, {})), {});
  // A ranking counts once it is complete.
  assert.deepEqual(valuesOf(fields.slice(0, 1), [["b", "a"]]), {});
});
