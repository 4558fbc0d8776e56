// Numbers as people type them, in the languages of the question and of the device. Two values: both are possible and the
// field asks; none: it cannot be read.
import assert from "node:assert/strict";
import { test } from "node:test";
import { readNumber } from "../../www/answer/number.js";

const EN = ["en", "en-US"];
const ES = ["es", "es-ES"];
const ZH = ["zh", "zh-CN"];

/** Asserts the readings of texts, as `{ text: values }`. */
const reads = (languages, expected, isWhole = false) => {
  const found = Object.fromEntries(Object.keys(expected).map((text) => [text, readNumber(text, languages, isWhole)]));
  assert.deepEqual(found, expected);
};

test("a comma and a point are read by the language", () => {
  reads(EN, { "1,500": [1500], "1,500,000": [1500000], "1,500.75": [1500.75], "1500.50": [1500.5], "3.5": [3.5], ".5": [0.5], "0.125": [0.125] });
  reads(ES, { "1.500": [1500], "1.500.000": [1500000], "1.500,75": [1500.75], "1500,50": [1500.5], "3,5": [3.5], ",5": [0.5], "0,125": [0.125] });
  reads(ZH, { "1,500": [1500], "3.5": [3.5], "12,000.50": [12000.5] });
});

test("a sign of the other language is read where it can mean one thing only", () => {
  reads(EN, { "3,5": [3.5], "12.000,50": [12000.5], "1.500.000": [1500000], "0,500": [0.5] });
  reads(ES, { "3.5": [3.5], "1,500.75": [1500.75], "3.1416": [3.1416] });
});

test("what may be thousands or decimals is asked", () => {
  reads(EN, { "1.500": [1.5, 1500] });
  reads(ES, { "1,500": [1.5, 1500] });
  reads(["es", "es-MX"], { "1.500": [1500, 1.5], "1,500": [1.5, 1500] });
  reads(["en", "de-DE"], { "1,500": [1500, 1.5], "1.500": [1.5, 1500] });
});

test("a field for whole numbers has no decimals to mistake", () => {
  reads(EN, { "1.500": [1500], "15,000": [15000], "15.000": [15000], "1500.50": [1500.5], "12.000,50": [12000.5] }, true);
  reads(ES, { "1,500": [1500], "15,000": [15000] }, true);
});

test("digits of every width and script, and other separators", () => {
  reads(ZH, { "１５０００": [15000], "１，５００": [1500], "３．５": [3.5], "1万5千": [15000], "1.5万": [15000], "1万5000": [15000], "2亿3000万": [230000000] });
  reads(EN, { "١٥٠٠": [1500], "१५००": [1500], "1 500": [1500], "1 500 000": [1500000], "1'500": [1500], "12 000,50": [12000.5], "1,50,000": [150000] });
  reads(ES, { "15 mil": [15000], "1,5 millones": [1500000], "1 500": [1500] });
});

test("signs, currencies, shares and powers", () => {
  reads(EN, { "-5": [-5], "−5": [-5], "+5": [5], "$1,500": [1500], "€ 20": [20], "20 €": [20], "20%": [20], "２０％": [20], "1e3": [1000], "0": [0], "-0": [0], " 7 ": [7], "\u200b7": [7] });
});

test("what is no number is not read", () => {
  reads(EN, Object.fromEntries(["", "abc", "1.2.3", "1,2,3", "1,5000", "1 5", "1.500.00", "1-2", "1,234.567.890", "five", "1万5", "3 000 00", "1/2", "--5", "Infinity", "NaN", "0x10"].map((text) => [text, []])));
});
