// The page's texts: in every language, all that is named exists, and none is read as HTML.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pageWords } from "../../scripts/words.mjs";
import { LANGUAGES } from "../../www/languages.js";
import { root } from "../support/package.mjs";
import { WWW } from "../support/paths.mjs";

/** The page's own code: neither the built module nor guests' pages, which have words of their own. */
const CODE = readdirSync(WWW, { recursive: true }).filter((name) => /\.(js|tsx?)$/.test(name) && !/^(pkg|join|libraries)\//.test(name));

test("all languages have the same keys, and the same variables in each", () => {
  const english = pageWords("en");
  for (const language of Object.keys(LANGUAGES)) {
    const other = pageWords(language);
    assert.deepEqual(Object.keys(other), Object.keys(english), language);
    for (const [key, text] of Object.entries(english)) {
      const variables = (from) => [...from.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();
      assert.deepEqual(variables(other[key]), variables(text), `${language}: ${key}`);
      assert.ok(other[key].trim(), `${language}: ${key} is empty`);
    }
  }
});

test("every text that the page names exists", () => {
  const english = pageWords("en");
  for (const file of CODE) {
    const source = readFileSync(new URL(file, WWW), "utf8");
    for (const [, key] of source.matchAll(/\b(?:t|say)\(\s*"([^"]+)"/g)) {
      assert.ok(key in english || `${key}.other` in english, `${file}: ${key}`);
    }
    for (const [, start] of source.matchAll(/\b(?:t|say)\(\s*`([a-z_]+\.)\$\{/g)) {
      assert.ok(Object.keys(english).some((key) => key.startsWith(start)), `${file}: ${start}…`);
    }
  }
});

test("no module of the page parses HTML", () => {
  for (const file of CODE) {
    const source = readFileSync(new URL(file, WWW), "utf8");
    assert.doesNotMatch(source, /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function/, file);
  }
});

test("Spanish says usted throughout", () => {
  const spanish = pageWords("es");
  const familiar = /(?<![\p{L}])(tú|tu|tus|ti|contigo|tuy[oa]s?|te|puedes|tienes|quieres|eres|estás|debes|verás|podrás|harías|elige tu|di qué|discute las)(?![\p{L}])/iu;
  assert.deepEqual(Object.entries(spanish).filter(([, text]) => familiar.test(text)), []);
});

test("each warning of a run has its sentence", () => {
  const folder = join(root, "src/procedures/justice");
  const code = readdirSync(folder).filter((name) => name.endsWith(".rs")).map((name) => readFileSync(join(folder, name), "utf8")).join("\n");
  const warned = [...code.matchAll(/\blab\s*\.warn\(\s*"(\w+)"/g)].map(([, one]) => `view.warning.${one}`);
  const words = JSON.parse(readFileSync(join(folder, "words/view/en.json"), "utf8"));
  const known = Object.keys(words).filter((key) => key.startsWith("view.warning."));
  assert.deepEqual(warned.filter((one, at) => warned.indexOf(one) === at).sort(), known.sort());
});
