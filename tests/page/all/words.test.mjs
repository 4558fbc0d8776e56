// Every text of the pages comes from their words: the main views are drawn with words in which no letter is plain
// (the pseudo-language below), and whatever has plain letters in them is the engine's, a name, or a code.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { WebSocket } from "ws";
import { broker } from "../../../src/web/room/broker.js";
import { readLink } from "../../../src/web/room/link.js";
import { fingerprint } from "../../../src/web/room/seal.js";
import { PROVIDERS } from "../../../www/models/providers.js";
import { open } from "../../support/browser.mjs";
import { PHONE, reply, thought } from "../../support/device.mjs";
import { made, ready, small, stored, view } from "../../support/page.mjs";
import { root } from "../../support/package.mjs";
import { NODE } from "../../support/paths.mjs";
import { table } from "../../support/stub_table.mjs";

const quorate = await import(NODE);
const FOLDER = mkdtempSync(join(tmpdir(), "quorate-words-"));
const files = readdirSync(join(root, "src"), { recursive: true }).map(String);
/** Whether a file has words of settings, which the page takes along with its own. */
const isOfPage = (name) => /words[\\/]settings[\\/]en\.json$/.test(name);
let lab;
before(async () => {
  await quorate.default();
  // The page is built as ever, from English in other letters. What is the same in both is taken from the built one.
  for (const path of ["www", "site", "dist", "scripts", "src", "Cargo.toml", "Cargo.lock", "LICENSE", "package.json"]) if (existsSync(join(root, path))) cpSync(join(root, path), join(FOLDER, path), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(FOLDER, "node_modules"));
  const settings = files.filter(isOfPage).map((name) => join("src", name));
  for (const file of ["www/i18n/en.json", "www/join/words/en.json", ...settings]) {
    const path = join(FOLDER, file);
    writeFileSync(path, JSON.stringify(pseudo(JSON.parse(readFileSync(path, "utf8")))));
  }
  execFileSync("node", ["scripts/site.mjs"], { cwd: FOLDER, stdio: "inherit" });
  lab = await open(join(FOLDER, "site"));
});
after(async () => {
  await lab?.close();
  rmSync(FOLDER, { recursive: true, force: true });
});

// The pseudo-language: English by a rule that leaves no letter as it was, so that whatever still has plain letters did not
// come from the words. What stands in braces is kept.
const PLAIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
const OTHER = [..."áƀćđéƒǵĥíĵķĺɱńóṕɋŕśţúṽŵẋýźÁƁĆĐÉƑǴĤÍĴĶĹṀŃÓṔɊŔŚŢÚṼŴẊÝŹ"];
const letter = (char) => OTHER[PLAIN.indexOf(char)] ?? char;
const translated = (text) => `⟦${text.split(/(\{[a-z0-9_]+\})/i).map((part, at) => (at % 2 ? part : [...part].map(letter).join(""))).join("")}⟧`;
/** A table of words in it; lists stay as they are. */
const pseudo = (table) => Object.fromEntries(Object.entries(table).map(([key, value]) => [key, typeof value === "string" ? translated(value) : value]));

/** All strings of a value. */
const strings = (value) => typeof value === "string" ? [value] : value && typeof value === "object" ? Object.values(value).flatMap(strings) : [];
const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** The engine's own words, which a page shows as they come: as what they become once their variables are filled in. */
const tables = files.filter((name) => /(^|[\\/])en\.json$/.test(name) && !name.includes("reading") && !isOfPage(name));
/** The paragraphs of prompts, without their conditions. */
const paragraphs = (text) => text.split(/\n\n/).map((one) => one.replaceAll(/\{\?!?\w+\}/g, "").trim());
const words = [
  ...tables.flatMap((name) => strings(JSON.parse(readFileSync(join(root, "src", name), "utf8")))),
  ...files.filter((name) => /prompts[\\/]en\.txt$/.test(name)).flatMap((name) => paragraphs(readFileSync(join(root, "src", name), "utf8"))),
];
const engine = new RegExp(`^(${words.filter((text) => /\w{2}/.test(text.replaceAll(/\{\w+\}/g, ""))).map((text) => text.split(/\{\w+\}/).map(escaped).join("[^]*")).join("|")})$`);

/** What is the same in every language, or written by the browser as a language has it. */
const SAME = new RegExp([
  /Quorate|quorate [\d.]+/,
  // Who sits where, in a sign.
  /^[A-Z]\d?$/,
  // Dates and times, numbers cut short, and lists.
  /[A-Z][a-z]{2} \d+, \d{4}|\d+:\d+(:\d+)? [AP]M|^≈ \d+K$|^\W*and\W*$/,
  // Addresses, what is said to a program, and names of models.
  /https?:\/\/\S*|\b([\w-]+\.)+(com|ai|co|io)\b[\w/#-]*|^[a-z]+\/[\w.-]+(?=:|$)|(?<=⟦)[a-z]+\/[\w.-]+(?=:)|USD/,
  // Hashes and keys, and how they are made.
  /\b[0-9a-f]{16,}\b|^[\w-]{16,}…?$|Ed25519/,
  // Keys and variables of wordings, and what was drawn by lot.
  /^\w+(\.\w+)+$|\{\w+\}|^\{".*\}$/,
].map(({ source }) => source).join("|"), "g");

/** What is seen or read out in a page: texts, and attributes that are. */
const seen = (page) => page.evaluate(() => {
  const all = [document.title];
  const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!node.parentElement.closest("script, style, noscript, [data-testid=language]")) all.push(node.data);
  }
  for (const name of ["aria-label", "aria-description", "aria-roledescription", "title", "placeholder", "alt"]) {
    for (const node of document.querySelectorAll(`[${name}]`)) all.push(node.getAttribute(name));
  }
  return [...new Set(all.map((text) => text.trim()))].filter((text) => /\p{L}/u.test(text));
});

/** Texts with plain letters that are neither the engine's nor among what was `given`. */
function leaks(texts, given) {
  const own = [...new Set(given)].filter((text) => /[A-Za-z]/.test(text)).sort((one, other) => other.length - one.length);
  return texts.filter((text) => {
    // What the page adds to a title of the engine is its own.
    if (!/[A-Za-z]/.test(text) || engine.test(text.replace(/\. ⟦[^⟧]*⟧$/, "")) || own.includes(text)) return false;
    const rest = own.reduce((rest, name) => rest.includes(name) ? rest.replace(new RegExp(`(?<![A-Za-z])${escaped(name)}(?![A-Za-z])`, "g"), "") : rest, text.replace(SAME, ""));
    return /[A-Za-z]/.test(rest.replace(SAME, ""));
  });
}

let looked = 0;
async function assertWords(page, name, given) {
  const texts = await seen(page);
  looked += texts.length;
  assert.ok(texts.some((text) => text.includes("⟦")), `${name} has no words`);
  assert.deepEqual(leaks(texts, given), [], name);
}

test("a word that is not among the words is found", () => {
  assert.deepEqual(leaks(["Sailing", "⟦á⟧ of Ada", "⟦á⟧ Ada", "3.5"], ["Ada"]), ["Sailing", "⟦á⟧ of Ada"]);
});

const CONFIG = small({ title: "Zwei" });

test("the lab's views", async () => {
  const { page } = await lab.newPage({ locale: "en-US", reducedMotion: "reduce" });
  await page.goto(lab.url);
  await ready(page);
  const presets = strings(quorate.presets());
  const wrong = {};
  const look = async (name, given) => {
    const texts = await seen(page);
    looked += texts.length;
    wrong[name] = leaks(texts, given);
    if (!texts.some((text) => text.includes("⟦"))) wrong[name].push("no words");
  };
  // A code as an example.
  await look("home", [...presets, "BCDF GHJK"]);
  await view(page, "#/setup");
  await look("setup", [...presets, ...quorate.prompts().map(({ key }) => key), ...PROVIDERS.flatMap(({ id, name }) => [`${name} (${id})`, name])]);
  for (const config of [CONFIG, { protocol: "discussion", topic: "Tea?", rounds: 1, start: "at_once" }, { protocol: "delphi", question: "How many?", rounds: 2 }, { protocol: "debate", question: "Tea?", sources: [], schedule: [{ kind: "propose" }, { kind: "critique" }, { kind: "vote" }] }]) {
    const name = config.protocol ?? "justice";
    const id = await made(page, { ...CONFIG, ...config, ...(name !== "justice" && { phase2_rounds: undefined }) });
    const entries = await stored(page, id);
    // What the engine puts into words, the page shows as it is.
    const given = [...strings(entries), ...strings(new quorate.Viewer(entries, "owner").at())];
    for (const shown of ["run", "results", "replay"]) {
      await view(page, `#/${shown}/${encodeURIComponent(id)}`);
      await look(`${shown}: ${name}`, given);
    }
    await view(page, "#/library");
    await look(`library: ${name}`, given);
  }
  await view(page, "#/models");
  await look("models", PROVIDERS.map(({ name }) => name));
  await view(page, "#/memory");
  await look("memory", [...strings(CONFIG)]);
  assert.deepEqual(Object.fromEntries(Object.entries(wrong).filter(([, found]) => found.length)), {});
});

test("the guest's page", async (t) => {
  const host = broker(lab.url.replace("http", "ws") + "room", { WebSocket });
  const config = { protocol: "delphi", title: "Zwei", language: "English", question: "How many?", unit: "Stück", rounds: 2, agents: ["Ada", "Bo"].map((name) => ({ name, kind: "human" })), seed: 3 };
  const { room, finished, stop } = table(quorate, host, config, { deadline: 90_000 });
  t.after(() => {
    stop();
    host.close();
  });
  const given = [...strings(config), ...[0, 1].map(thought), "QKRT-7714", fingerprint(readLink(room.text).host)];
  const pages = await Promise.all(["", room.text, room.text].map(async (link) => {
    const { page } = await lab.newPage(PHONE);
      await page.goto(`${lab.url}join.html${link ? `#${link}` : ""}`);
    return page;
  }));
  await pages[0].getByTestId("code").waitFor();
  await assertWords(pages[0], "code", given);
  await Promise.all(pages.slice(1).map(async (page, at) => {
    for (;;) {
      await page.locator("[data-testid=question], [data-testid=over]").first().waitFor();
      await assertWords(page, "table", given);
      if (await page.getByTestId("over").count()) return;
      await reply(page, at);
    }
  }));
  await finished;
  console.log(`${looked} texts`);
});
