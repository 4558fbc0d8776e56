// Keys kept on the device: encrypted, unlocked by the passphrase alone, bound to their place, locked when not used. And
// OpenRouter's sign-in, by which a key comes without pasting one.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { after, before, test } from "node:test";
import { assertFine } from "../support/access.mjs";
import { startModelServer } from "../support/model_server.mjs";
import { made, openPage, ready, runIs, small, view } from "../support/page.mjs";

const KEY = "sk-canary-0123456789";
const PASSPHRASE = "correct horse battery";
/** What the catalogue prefers of OpenRouter's. */
const [, FIRST] = /^\[openrouter\]\t([^\t\n]+)/m.exec(readFileSync(new URL("../../src/providers/catalogue.tsv", import.meta.url), "utf8"));

let lab;
let models;
before(async () => {
  lab = await openPage();
  models = await startModelServer({ key: KEY, answer: () => "1. Maximizing the floor income. Certainty: sure" });
});
after(async () => {
  await lab?.close();
  await models?.close();
});

const state = (page) => page.getByTestId("vault-state").getAttribute("data-state");
const stateIs = (page, name) => page.locator(`[data-testid=vault-state][data-state=${name}]`).waitFor();
const setKey = (page, place, key) => page.evaluate(async ([place, key]) => (await import(new URL("keys.js", document.baseURI).href)).setKey(place, key), [place, key]);
const keys = (page) => page.evaluate(async () => (await import(new URL("keys.js", document.baseURI).href)).keysFor());
/** The records as they are stored, bytes as arrays of numbers. */
const records = (page) => page.evaluate(async () => {
  const wait = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  const database = await wait(indexedDB.open("quorate-vault"));
  const all = database.objectStoreNames.contains("keys") ? await wait(database.transaction("keys").objectStore("keys").getAll()) : [];
  database.close();
  return all.map((one) => Object.fromEntries(Object.entries(one).map(([name, value]) => [name, ArrayBuffer.isView(value) ? [...value] : value])));
});
async function keep(page, passphrase = PASSPHRASE) {
  await page.getByTestId("vault-keep").click();
  await page.getByTestId("passphrase").fill(passphrase);
  await page.getByTestId("passphrase-again").fill(passphrase);
  await page.getByTestId("passphrase-save").click();
  await stateIs(page, "open");
}
async function unlock(page, passphrase = PASSPHRASE) {
  await page.getByTestId("unlock-passphrase").fill(passphrase);
  await page.getByTestId("unlock-do").click();
}

test("kept under a passphrase, locked after a reload, unlocked by it alone, forgotten", async () => {
  const { page, context, problems } = await lab.visit("#/models");
  await setKey(page, models.origin, KEY);
  await setKey(page, `${models.origin}#Ada`, `${KEY}-ada`);
  await page.getByTestId("vault-keep").click();
  await page.getByTestId("passphrase").fill("short");
  await page.getByTestId("passphrase-again").fill("short");
  await page.getByTestId("passphrase-save").click();
  await page.getByText("Too short: it needs at least 8 characters.").waitFor();
  await page.getByTestId("passphrase").fill("eight888");
  await page.getByText("This is short: somebody who has the device could guess it.").waitFor();
  await page.getByTestId("passphrase-save").click();
  await page.getByText("The two passphrases are not the same.").waitFor();
  await assertFine(page, "a passphrase");
  await page.keyboard.press("Escape");
  await keep(page);
  await assertFine(page, "keys kept", { widths: [1280, 360], themes: ["light"] });

  const all = await records(page);
  assert.deepEqual(all.map(({ place }) => place).sort(), [models.origin, `${models.origin}#Ada`]);
  for (const { kdf, salt, iterations, iv, ciphertext, ...rest } of all) {
    assert.equal(kdf, "PBKDF2-SHA-256");
    assert.equal(salt.length, 16);
    assert.ok(iterations >= 600_000);
    assert.equal(iv.length, 12);
    assert.ok(ciphertext.length >= KEY.length + 16);
    assert.deepEqual(Object.keys(rest), ["place"]);
    assert.ok(!Buffer.from(ciphertext).toString("latin1").includes("canary"));
  }
  assert.notDeepEqual(all[0].iv, all[1].iv);
  // What is entered while it is open is kept as well, and what is forgotten goes.
  await setKey(page, "https://api.groq.com", "gsk-123456789012");
  await setKey(page, `${models.origin}#Ada`, null);
  await page.waitForFunction(async () => (await (await import(new URL("vault.js", document.baseURI).href)).isKept("https://api.groq.com")));
  assert.deepEqual((await records(page)).map(({ place }) => place).sort(), [models.origin, "https://api.groq.com"].sort());

  await page.reload();
  await ready(page);
  await stateIs(page, "locked");
  assert.deepEqual(await keys(page), {});
  await page.getByTestId("vault-unlock").click();
  await unlock(page, "wrong passphrase");
  await page.getByText("Wrong passphrase. Try again.").waitFor();
  for (let tries = 0; tries < 3; tries += 1) await unlock(page, `wrong ${tries}`);
  await assertFine(page, "a wrong passphrase", { themes: ["dark"] });
  await unlock(page);
  await stateIs(page, "open");
  assert.deepEqual(await keys(page), { [models.origin]: KEY, "https://api.groq.com": "gsk-123456789012" });
  await page.getByTestId("state-groq").getByText("•••• 9012 · kept on this device").waitFor();

  await page.getByTestId("vault-lock").click();
  await stateIs(page, "locked");
  assert.deepEqual(await keys(page), {});
  // Entered while it is locked: newer than what is kept.
  await setKey(page, "https://api.groq.com", "gsk-newer-000000");
  await page.getByTestId("vault-unlock").click();
  await unlock(page);
  await stateIs(page, "open");
  assert.equal((await keys(page))["https://api.groq.com"], "gsk-newer-000000");
  await page.reload();
  await ready(page);
  await page.getByTestId("vault-unlock").click();
  await unlock(page);
  await stateIs(page, "open");
  assert.equal((await keys(page))["https://api.groq.com"], "gsk-newer-000000");

  await page.getByTestId("vault-forget").click();
  await page.getByTestId("confirm").click();
  await stateIs(page, "none");
  assert.deepEqual(await keys(page), {});
  assert.deepEqual(await records(page), []);
  assert.equal(await page.evaluate(() => localStorage.getItem("quorate.origins")), null);
  assert.deepEqual(problems, []);
  await context.close();
});

test("a record belongs to its place: moved to another, it cannot be read", async () => {
  const { page, context } = await lab.visit("#/models");
  await setKey(page, "https://api.groq.com", KEY);
  await keep(page);
  await page.getByTestId("vault-lock").click();
  await stateIs(page, "locked");
  await page.evaluate(async () => {
    const wait = (request) => new Promise((resolve) => (request.onsuccess = () => resolve(request.result)));
    const database = await wait(indexedDB.open("quorate-vault"));
    const store = database.transaction("keys", "readwrite").objectStore("keys");
    const [record] = await wait(store.getAll());
    await wait(store.delete(record.place));
    await wait(store.put({ ...record, place: "https://evil.example" }));
    database.close();
  });
  await page.getByTestId("vault-unlock").click();
  await unlock(page);
  await page.getByText("Wrong passphrase.").waitFor();
  assert.deepEqual(await keys(page), {});
  // What the browser holds cannot be taken out.
  const extractable = await page.evaluate(async () => {
    const seen = [];
    const derive = crypto.subtle.deriveKey;
    crypto.subtle.deriveKey = async (...all) => {
      const key = await derive.apply(crypto.subtle, all);
      seen.push(key.extractable, key.algorithm.name, key.algorithm.length, all[0].hash, all[0].iterations);
      return key;
    };
    await (await import(new URL("vault.js", document.baseURI).href)).keep("another passphrase");
    return seen;
  });
  assert.deepEqual(extractable, [false, "AES-GCM", 256, "SHA-256", 600_000]);
  await context.close();
});

test("two tabs: neither writes over what the other keeps, nor brings back what it removed", async () => {
  const { page, context } = await lab.visit("#/models");
  const vault = (tab, work, ...args) => tab.evaluate(async ([work, args]) => {
    const vault = await import(new URL("vault.js", document.baseURI).href);
    return vault[work](...args);
  }, [work, args]);
  const { page: unaware } = await lab.secondTab(context, "#/models");
  await setKey(page, "https://api.groq.com", KEY);
  await keep(page);
  await assert.rejects(vault(unaware, "keep", "another passphrase"), /kept already/);
  await stateIs(unaware, "locked");

  // Removed, and kept anew under another passphrase, by the other tab.
  await vault(unaware, "discard");
  await setKey(page, "https://api.mistral.ai", "too late");
  await stateIs(page, "none");
  assert.deepEqual(await records(page), []);
  await keep(page);
  const { page: other } = await lab.secondTab(context, "#/models");
  await vault(other, "discard");
  await setKey(other, "https://api.x.ai", "key-of-the-other");
  await vault(other, "keep", "another passphrase");
  await setKey(page, "https://api.deepseek.com", "later still");
  await stateIs(page, "locked");
  assert.deepEqual((await records(page)).map(({ place }) => place), ["https://api.x.ai"]);
  assert.equal(await vault(page, "unlock", PASSPHRASE), false);
  assert.equal(await vault(page, "unlock", "another passphrase"), true);
  // What this tab had goes there as well, now that it knows the passphrase.
  assert.equal((await records(page)).length, 4);
  assert.equal(Object.keys(await keys(page)).length, 4);
  await context.close();
});

test("it locks by itself; a run then halts and goes on after unlocking", async () => {
  const { page, context } = await lab.newPage({ locale: "en-US", reducedMotion: "reduce" });
  await page.clock.install();
  await page.goto(`${lab.url}#/models`);
  await ready(page);
  await setKey(page, models.origin, KEY);
  await keep(page);
  await page.getByTestId("vault-minutes").selectOption("5");
  await page.clock.fastForward("04:30");
  assert.equal(await state(page), "open");
  await page.mouse.click(5, 5);
  await page.clock.fastForward("04:30");
  assert.equal(await state(page), "open", "somebody was there");
  await page.clock.fastForward("00:45");
  await stateIs(page, "locked");
  assert.deepEqual(await keys(page), {});

  // Out of sight for an hour, whatever goes on there.
  await page.getByTestId("vault-unlock").click();
  await unlock(page);
  await stateIs(page, "open");
  const hide = (hidden) => page.evaluate((hidden) => {
    Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  }, hidden);
  const answered = () => page.evaluate(async () => (await import(new URL("vault.js", document.baseURI).href)).touch());
  await hide(true);
  for (let at = 0; at < 14; at += 1) {
    await answered();
    await page.clock.fastForward("04:10");
  }
  assert.equal(await state(page), "open");
  await answered();
  await page.clock.fastForward("02:00");
  await stateIs(page, "locked");
  await hide(false);

  await page.getByTestId("vault-unlock").click();
  await unlock(page);
  await stateIs(page, "open");
  const agents = small().agents.map((agent) => ({ ...agent, kind: "model", provider: "compatible", model: "test", base_url: models.url }));
  const id = await made(page, small({ agents, phase2_rounds: 30 }), { run: false });
  await view(page, `#/run/${id}`, "pause");
  await page.waitForFunction(() => Number(document.querySelector("[data-testid=calls]")?.textContent) >= 2);
  await page.evaluate(async () => (await import(new URL("vault.js", document.baseURI).href)).lock());
  await runIs(page, "halted");
  assert.match(await page.getByTestId("banner").textContent(), /Your keys are locked, so the run is paused\. Unlock them to continue\./);
  const before = Number(await page.getByTestId("calls").textContent());
  await page.getByTestId("halt-unlock").click();
  await unlock(page);
  await page.waitForFunction((least) => Number(document.querySelector("[data-testid=calls]")?.textContent) > least + 1, before);
  await page.getByTestId("stop").click();
  await runIs(page, "stopped");
  await context.close();
});

/** A page whose OpenRouter is this test: `back(callback)` is where the sign-in leads, `exchange` what the key's address answers. */
async function signingIn({ back, exchange }) {
  const opened = await lab.newPage({ locale: "en-US", reducedMotion: "reduce" });
  const { page, context } = opened;
  const seen = { auth: [], exchanges: [] };
  await context.route("https://openrouter.ai/**", async (route) => {
    const request = route.request();
    const url = new URL(request.url());
    const headers = { "access-control-allow-origin": "*", "access-control-allow-headers": "content-type, authorization" };
    if (request.method() === "OPTIONS") return route.fulfill({ status: 204, headers });
    if (url.pathname === "/auth") {
      seen.auth.push(url.searchParams);
      return route.fulfill({ contentType: "text/html", body: `<!doctype html><title>Sign in</title><a href="${back(url.searchParams.get("callback_url")).replaceAll("&", "&amp;")}">on</a>` });
    }
    if (url.pathname === "/api/v1/auth/keys") {
      seen.exchanges.push({ body: request.postDataJSON(), headers: request.headers() });
      return exchange === null ? route.abort() : route.fulfill({ headers, ...exchange });
    }
    return route.fulfill({ headers, json: { data: [{ id: "a/b" }, { id: FIRST, name: "Preferred", context_length: 2000000 }] } });
  });
  await page.goto(`${lab.url}#/models`);
  await ready(page);
  // Whoever uses another provider so far may sign in as well.
  await page.evaluate(() => localStorage.setItem("quorate.origins", JSON.stringify(["https://api.groq.com"])));
  await page.locator("[data-provider=openrouter] > summary").click();
  await page.getByTestId("signin").click();
  await page.getByRole("link", { name: "on" }).waitFor();
  return { page, context, seen };
}
const said = (page) => page.getByTestId("signin-said").textContent();

test("OpenRouter's sign-in brings a key; its code is out of the address before anything else runs", async () => {
  const { page, context, seen } = await signingIn({ back: (url) => `${url}?code=the-code`, exchange: { json: { key: "sk-or-v1-0123456789abcdef", user_id: "u" } } });
  const addresses = [];
  await page.exposeFunction("saw", (text) => addresses.push(text));
  // Each script that is loaded tells the address at that time.
  await page.route(/\/a\/[^/]*\.js$/, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, body: `globalThis.saw?.(location.href);${await answer.text()}` });
  });
  await page.getByRole("link", { name: "on" }).click();
  await ready(page);
  assert.match(await said(page), /^You are signed in/);
  assert.equal(page.url(), `${lab.url}#/models`);
  assert.ok(addresses.length > 0 && addresses.every((one) => !one.includes("code")), addresses.join());
  assert.ok(!(await page.evaluate(() => JSON.stringify(performance.getEntriesByType("resource").map(({ name }) => name)))).includes("the-code"));
  const [{ body, headers }] = seen.exchanges;
  assert.equal(seen.exchanges.length, 1);
  assert.deepEqual(Object.keys(body).sort(), ["code", "code_challenge_method", "code_verifier"]);
  assert.deepEqual([body.code, body.code_challenge_method], ["the-code", "S256"]);
  assert.match(body.code_verifier, /^[\w-]{86}$/);
  const [auth] = seen.auth;
  assert.equal(auth.get("code_challenge"), createHash("sha256").update(body.code_verifier).digest("base64url"));
  assert.equal(auth.get("code_challenge_method"), "S256");
  assert.equal(auth.get("callback_url"), lab.url);
  assert.equal(headers.referer, undefined);
  assert.deepEqual(await keys(page), { "https://openrouter.ai": "sk-or-v1-0123456789abcdef" });
  assert.equal(await page.evaluate(() => sessionStorage.length), 0);
  await assertFine(page, "signed in", { themes: ["light"] });
  await page.getByTestId("test-openrouter").click();
  await page.getByTestId("begin-openrouter").waitFor();
  assert.equal(await page.getByTestId("model-openrouter").inputValue(), FIRST);
  assert.deepEqual(await page.evaluate(() => JSON.parse(localStorage.getItem("quorate.origins"))), ["https://api.groq.com", "https://openrouter.ai"]);
  // A reload does not fetch again.
  await page.reload();
  await ready(page);
  assert.equal(seen.exchanges.length, 1);
  assert.equal(await said(page), "");
  await context.close();
});

test("a sign-in that fails says why, in each way, and leaves nothing behind", async () => {
  for (const [name, back, exchange, sentence] of [
    ["cancelled", (url) => `${url}?error=access_denied`, {}, /^The sign-in was not finished/],
    ["without a code", (url) => url, {}, /^The sign-in was not finished/],
    ["refused", (url) => `${url}?code=c`, { status: 403, json: { error: { message: "Invalid code" } } }, /^OpenRouter did not accept the sign-in/],
    ["unreachable", (url) => `${url}?code=c`, null, /^OpenRouter could not be reached/],
    ["no key", (url) => `${url}?code=c`, { json: { user_id: "u" } }, /^OpenRouter answered without a key/],
  ]) {
    const { page, context } = await signingIn({ back: (url) => (name === "without a code" ? `${back(url)}#/models` : back(url)), exchange });
    await page.getByRole("link", { name: "on" }).click();
    await ready(page);
    assert.match(await said(page), sentence, name);
    assert.equal(page.url(), `${lab.url}#/models`, name);
    assert.deepEqual(await keys(page), {}, name);
    assert.equal(await page.evaluate(() => localStorage.getItem("quorate.origins")), '["https://api.groq.com"]', name);
    assert.equal(await page.evaluate(() => sessionStorage.length), 0, name);
    assert.equal(await page.getByTestId("signin-again").isVisible(), true, name);
    await context.close();
  }
});

test("a code that nobody here asked for is dropped", async () => {
  const { page, context } = await lab.newPage({ locale: "en-US" });
  const called = [];
  page.on("request", (request) => called.push(request.url()));
  await page.goto(`${lab.url}?code=stolen&x=1#/setup`);
  await ready(page);
  assert.equal(page.url(), `${lab.url}#/models`);
  assert.match(await said(page), /^This sign-in was not started in this tab/);
  assert.ok(called.slice(1).every((url) => url.startsWith(lab.url) && !url.includes("stolen")));
  assert.deepEqual(await keys(page), {});
  await context.close();
});
