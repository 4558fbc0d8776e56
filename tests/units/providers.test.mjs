// The page's table of providers, and the security policy that follows from it.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { SITE, WWW } from "../support/paths.mjs";
import { PROVIDERS, firstModel, providerAt } from "../../www/models/providers.js";

test("the page's table of providers is the engine's", () => {
  const source = readFileSync(new URL("../../src/seat/provider.rs", import.meta.url), "utf8");
  const rows = [...source.matchAll(/^ {4}profile\(Provider::\w+, "(.*?)", "(.*?)", "(.*?)", "(.*?)"\),$/gm)].map(([, id, name, baseUrl, keyPage]) => ({ id, name, baseUrl, keyPage }));
  assert.equal(rows.length, 28);
  assert.deepEqual(PROVIDERS.map(({ id, name, baseUrl, keyPage }) => ({ id, name, baseUrl, keyPage })), rows);
  assert.equal(providerAt("http://localhost:11434").id, "ollama");
  assert.equal(providerAt("https://example.org"), null);
  assert.equal(firstModel(["m-2", "m-1"], [{ id: "a" }, { id: "m-1" }, { id: "m-2" }]), "m-2");
  assert.equal(firstModel(["gone"], [{ id: "text-embedding-3-small" }, { id: "llama-guard-4" }, { id: "whisper-1" }, { id: "talks" }]), "talks");
  assert.equal(firstModel(["gone"], [{ id: "text-embedding-3-small" }]), "");
  assert.equal(firstModel([], []), "");
  // Of everything that the catalogue knows of a provider, beside what guards, embeds or speaks, the one that it prefers is taken.
  const sections = readFileSync(new URL("../../src/providers/catalogue.tsv", import.meta.url), "utf8").split(/^\[/m).slice(1);
  const special = ["text-embedding-9", "llama-guard-9", "gpt-oss-safeguard-9", "omni-moderation-9", "whisper-9", "davinci-002"].map((id) => ({ id }));
  for (const section of sections) {
    const [[id, ...first], ...rows] = section.trim().split("\n").map((line) => line.replace("]", "").split("\t"));
    const offered = rows.map(([name]) => ({ id: name }));
    assert.equal(firstModel(first, [...special, ...offered]), first[0], id);
    assert.ok(!special.some((one) => one.id === firstModel([], [...special, ...offered])), id);
  }
  assert.ok(sections.length >= 18);
});

test("policy.js lets in the providers of the table and this machine, within the bound of index.html", () => {
  const script = readFileSync(new URL("policy.js", WWW), "utf8");
  const [known] = script.match(/\[("https:[^\]]*)\]/g);
  const cloud = PROVIDERS.filter(({ local, baseUrl }) => !local && baseUrl).map(({ baseUrl }) => new URL(baseUrl).origin);
  assert.deepEqual(JSON.parse(known), [...new Set(cloud), "http://localhost:*", "http://127.0.0.1:*"]);
  const page = readFileSync(new URL("index.html", WWW), "utf8");
  assert.match(page, /connect-src 'self' https: http:\/\/localhost:\* http:\/\/127\.0\.0\.1:\* wss: ws:\/\/localhost:\* ws:\/\/127\.0\.0\.1:\*;/);
  const scripts = [...page.matchAll(/<script [^>]*src="(.*?)"/g)].map(([whole, name]) => [name, /module|async|defer/.test(whole)]);
  assert.deepEqual(scripts[0], ["policy.js", false], "the policy is there before any other script");
});

for (const name of ["index.html", "join.html"]) test(`${name} has its script of the policy within it, before anything else, and the policy lets no other such script run`, () => {
  const page = readFileSync(join(SITE, name), "utf8");
  const inside = [...page.matchAll(/<script>([^]*?)<\/script>/g)];
  assert.equal(inside.length, 1);
  const [[, script]] = inside;
  assert.match(script, /connect-src/);
  assert.ok(page.includes(`script-src 'self' 'sha256-${createHash("sha256").update(script).digest("base64")}'${name === "index.html" ? " 'wasm-unsafe-eval'" : ""};`));
  assert.ok(page.indexOf("<meta http-equiv") < page.indexOf(script) && page.indexOf(script) < page.search(/<link|<script [^>]*src/));
});
