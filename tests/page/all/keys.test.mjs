// Keys: in no other place than their calls, gone with the page or kept under a passphrase, or brought by OpenRouter's sign-in.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { eventually } from "../../support/eventually.mjs";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { startModelServer } from "../../support/model_server.mjs";
import { assertAskedOnce, callsDone, kept, made, ready, runIs, sessionId, small, stored, unfold, usePage, view } from "../../support/page.mjs";
import { startProviders } from "../../support/providers.mjs";

const lab = usePage();

/** The key that the double's 401 repeats. */
const CANARY = "sk-canary-12345678";
const SEAT = "sk-canary-of-one-seat";
const FAULTS = ["none", "401", "403", "400", "html", "html-502", "broken", "error", "cut", "refusal", "429-quota", "utf8", "no-cors", "redirect"];
const WIRES = ["openai", "anthropic", "gemini", "ollama", "compatible"];
const KEY = "sk-canary-0123456789";
const PASSPHRASE = "correct horse battery";
/** What the catalogue prefers of OpenRouter's. */
const [, FIRST] = /^\[openrouter\]\t([^\t\n]+)/m.exec(readFileSync(new URL("../../../src/providers/catalogue.tsv", import.meta.url), "utf8"));
const ANSWER = "1. Maximizing the floor income. Certainty: sure";
let server;
let models;
before(async () => {
  server = await startProviders({ answer: () => ANSWER, chunk: 200 });
  models = await startModelServer({ key: KEY, answer: () => ANSWER });
});
after(async () => {
  await server?.close();
  await models?.close();
});

const shown = (page) => page.evaluate(() => document.documentElement.outerHTML + [...document.querySelectorAll("input, textarea, select")].map((one) => one.value).join("\n"));

test("a key is nowhere but in its calls, whatever comes of them", async () => {
  const { page } = await lab.visit("#/models");
  const heard = [];
  const addresses = [];
  const strayed = [];
  page.on("console", (message) => heard.push(message.text()));
  page.on("pageerror", (error) => heard.push(String(error.stack ?? error)));
  page.on("framenavigated", (frame) => addresses.push(frame.url()));
  page.on("request", (request) => {
    addresses.push(request.url());
    if (!request.url().startsWith(server.origin) && JSON.stringify([request.headers(), request.postData()]).includes("canary")) strayed.push(request.url());
  });
  const looked = new Map();
  const look = async (where) => {
    looked.set(`storage, ${where}`, await kept(page));
    looked.set(`page, ${where}`, await shown(page));
  };

  // By hand, as people do: entered, tested, refused.
  await page.locator("[data-provider=compatible] > summary").click();
  await page.getByTestId("address-compatible").fill(server.base("compatible", "card", "401"));
  await page.getByTestId("address-compatible").press("Tab");
  await page.getByTestId("key-compatible").fill(CANARY);
  await page.getByTestId("test-compatible").click();
  await page.getByTestId("begin-compatible").waitFor();
  await look("after a test");
  await page.getByTestId("begin-compatible").click();
  await runIs(page, "halted");
  await look("a run that is refused");
  await unfold(page);
  await page.getByTestId("details").first().click();
  await page.getByTestId("inspector").waitFor();
  await page.evaluate(() => document.querySelectorAll("dialog details").forEach((one) => (one.open = true)));
  await look("the inspector");
  await page.keyboard.press("Escape");
  await page.getByTestId("halt-key").click();
  await page.getByTestId("halt-again").waitFor();
  await look("the key's dialog");
  await page.keyboard.press("Escape");

  // The vault.
  await view(page, "#/models", "vault-keep");
  await page.getByTestId("vault-keep").click();
  await page.getByTestId("passphrase").fill("a passphrase-canary");
  await page.getByTestId("passphrase-again").fill("a passphrase-canary");
  await page.getByTestId("passphrase-save").click();
  await page.locator("[data-testid=vault-state][data-state=open]").waitFor();
  await eventually.match(() => kept(page), /PBKDF2-SHA-256/);
  await look("kept on the device");

  // Everything that can come of a call, at once.
  const runs = WIRES.flatMap((provider) => FAULTS.map((fault) => ({ provider, fault, base_url: server.base(provider, `${provider}-${fault}`, fault) })));
  const agents = ({ provider, base_url, fault }) => [{ ...small().agents[0], kind: "model", provider, model: "m-1", base_url }, { ...small().agents[1], kind: fault === "none" ? "custom" : "scripted" }];
  const texts = await page.evaluate(async ([configs, origin, seat]) => {
    const { Session } = await import(new URL("engine.js", document.baseURI).href);
    const { keysFor, setKey } = await import(new URL("keys.js", document.baseURI).href);
    setKey(`${origin}#Ada`, seat);
    const texts = [];
    let asked = 0;
    await Promise.all(configs.map(async (config, at) => {
      const events = [];
      const answer = ({ kind }) => {
        asked += 1;
        // A program that speaks of what it should not.
        if (asked % 3 === 0) throw new Error(`Authorization: Bearer ${keysFor()[origin]} of ${seat} was refused`);
        if (asked % 3 === 1) return Promise.reject(`key ${seat} at ${kind}`);
        return "1. Maximizing the floor income";
      };
      const session = await Session.create(config, { keys: keysFor(), answer, onEvent: (event) => events.push(event), id: `canary-${at}` });
      const over = session.run().then(() => "ended", (error) => `${error.code} ${error.message} ${error.stack} ${JSON.stringify(error.detail)}`);
      const isSettled = () => ["ended", "halted"].includes(session.status.state) || session.entries().some(({ what }) => what.type === "failed");
      for (let waited = 0; waited < 240 && !isSettled(); waited += 1) await new Promise((done) => setTimeout(done, 250));
      texts.push([`status ${config.title}`, JSON.stringify([session.status, session.usage])]);
      session.stop();
      texts.push([`error ${config.title}`, await over], [`events ${config.title}`, JSON.stringify(events)], [`record ${config.title}`, JSON.stringify(session.entries())]);
      for (const format of ["json", "jsonl", "runs", "seats", "decisions", "utterances", "asks", "md", "published"]) texts.push([`${format} ${config.title}`, await session.export(format).then(({ text }) => text, ({ message }) => message)]);
      await session.close();
    }));
    return texts;
  }, [runs.map((run) => small({ title: `${run.provider} ${run.fault}`, agents: agents(run) })), server.origin, SEAT]);
  const failures = new Set(texts.filter(([where]) => where.startsWith("record")).flatMap(([, text]) => [...text.matchAll(/"failure":\{"kind":"(\w+)"/g)].map(([, kind]) => kind)));
  for (const kind of ["key", "request", "format", "unreachable", "quota", "callback"]) assert.ok(failures.has(kind), `no call failed by ${kind}`);
  for (const [where, text] of texts) looked.set(where, text);
  await look("after all runs");
  await page.getByTestId("vault-lock").click();
  await page.locator("[data-testid=vault-state][data-state=locked]").waitFor();
  await look("locked");
  await page.reload();
  await ready(page);
  await look("after a reload");
  await view(page, "#/library", "session");
  await look("the library");
  looked.set("console", heard.join("\n"));
  looked.set("addresses", `${addresses.join("\n")}\n${page.url()}`);

  assert.ok(looked.get("storage, kept on the device").includes("PBKDF2-SHA-256") && looked.get("storage, after all runs").includes("canary-3"), "the databases were really read");
  assert.deepEqual([...looked].filter(([, text]) => /sk-canary|passphrase-canary/.test(text)).map(([where, text]) => `${where}: ${text.slice(Math.max(0, text.search(/sk-canary|passphrase-canary/) - 120)).slice(0, 200)}`), []);
  assert.deepEqual(strayed, []);
  for (const { provider, fault } of runs) {
    for (const { headers, body } of server.requests(`${provider}-${fault}`)) {
      assert.ok(!JSON.stringify(body).includes("canary"), `in a body: ${provider} ${fault}`);
      assert.ok(JSON.stringify(headers).includes(SEAT), `the seat's own key is used: ${provider} ${fault}`);
    }
  }
});

test("a key is gone with the page; the run halts for it, and what was answered is not paid for again", async () => {
  const { page } = await lab.visit("#/setup");
  const agents = [{ name: "Ada", kind: "model", model: "test", base_url: models.url, personality: "A teacher." }, small().agents[1]];
  await page.getByTestId("mode-json").click();
  await page.getByTestId("config-text").fill(JSON.stringify(small({ agents, phase2_rounds: 30 })));
  await page.getByTestId("mode-form").click();
  await page.getByTestId("key").fill(KEY);
  await page.getByTestId("key-test").click();
  await page.locator(".key .said[data-ok=true]").waitFor();
  await view(page, "#/library");
  await view(page, "#/setup", "setup-start");
  await eventually.equal(() => page.getByTestId("key").inputValue(), "", "the field is empty again");
  await page.getByTestId("setup-start").click();
  await callsDone(page, 6);
  await page.getByTestId("pause").click();
  await runIs(page, "paused");
  const id = sessionId(page);
  const before = models.requests.length;
  await page.reload();
  await ready(page);
  await runIs(page, "paused");
  assert.equal(models.requests.length, before);
  await page.getByTestId("resume").click();
  await runIs(page, "halted");
  await page.getByTestId("halt-key").click();
  await page.getByTestId("key").fill(KEY);
  await page.getByTestId("halt-again").click();
  await page.locator("dialog").waitFor({ state: "detached" });
  await callsDone(page, Number((await page.getByTestId("calls").textContent()).replace(/\D/g, "")) + 4);
  await page.getByTestId("stop").click();
  await runIs(page, "stopped");
  const entries = await stored(page, id);
  assertAskedOnce(entries);
  const accepted = models.requests.filter(({ path, headers }) => path.endsWith("/chat/completions") && headers.authorization);
  const asked = entries.filter(({ what }) => what.type === "asked" && what.ask.seat === "Ada").length;
  assert.ok(accepted.length <= asked, `${accepted.length} paid calls for ${asked} questions`);
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
  const { page, problems } = await lab.visit("#/models");
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
  await page.keyboard.press("Escape");
  await keep(page);

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
  await eventually.deepEqual(async () => (await records(page)).map(({ place }) => place).sort(), [models.origin, "https://api.groq.com"].sort());

  await page.reload();
  await ready(page);
  await stateIs(page, "locked");
  await eventually.deepEqual(() => keys(page), {});
  await page.getByTestId("vault-unlock").click();
  await unlock(page, "wrong passphrase");
  await page.getByText("Wrong passphrase. Try again.").waitFor();
  for (let tries = 0; tries < 3; tries += 1) await unlock(page, `wrong ${tries}`);
  await unlock(page);
  await stateIs(page, "open");
  await eventually.deepEqual(() => keys(page), { [models.origin]: KEY, "https://api.groq.com": "gsk-123456789012" });
  await page.getByTestId("state-groq").getByText("•••• 9012 · kept on this device").waitFor();

  await page.getByTestId("vault-lock").click();
  await stateIs(page, "locked");
  await eventually.deepEqual(() => keys(page), {});
  // Entered while it is locked: newer than what is kept.
  await setKey(page, "https://api.groq.com", "gsk-newer-000000");
  await page.getByTestId("vault-unlock").click();
  await unlock(page);
  await stateIs(page, "open");
  await eventually.equal(async () => (await keys(page))["https://api.groq.com"], "gsk-newer-000000");
  await page.reload();
  await ready(page);
  await page.getByTestId("vault-unlock").click();
  await unlock(page);
  await stateIs(page, "open");
  await eventually.equal(async () => (await keys(page))["https://api.groq.com"], "gsk-newer-000000");

  await page.getByTestId("vault-forget").click();
  await page.getByTestId("confirm").click();
  await stateIs(page, "none");
  await eventually.deepEqual(() => keys(page), {});
  await eventually.deepEqual(() => records(page), []);
  await eventually.equal(() => page.evaluate(() => localStorage.getItem("quorate.origins")), null);
  assert.deepEqual(problems, []);
});

test("a record belongs to its place: moved to another, it cannot be read", async () => {
  const { page } = await lab.visit("#/models");
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
  await eventually.deepEqual(() => keys(page), {});
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
  await eventually.deepEqual(() => records(page), []);
  await keep(page);
  const { page: other } = await lab.secondTab(context, "#/models");
  await vault(other, "discard");
  await setKey(other, "https://api.x.ai", "key-of-the-other");
  await vault(other, "keep", "another passphrase");
  await setKey(page, "https://api.deepseek.com", "later still");
  await stateIs(page, "locked");
  await eventually.deepEqual(async () => (await records(page)).map(({ place }) => place), ["https://api.x.ai"]);
  assert.equal(await vault(page, "unlock", PASSPHRASE), false);
  assert.equal(await vault(page, "unlock", "another passphrase"), true);
  // What this tab had goes there as well, now that it knows the passphrase.
  await eventually.equal(async () => (await records(page)).length, 4);
  await eventually.equal(async () => Object.keys(await keys(page)).length, 4);
});

test("it locks by itself; a run then halts and goes on after unlocking", async () => {
  const { page } = await lab.newPage({ locale: "en-US", reducedMotion: "reduce" });
  await page.clock.install();
  await page.goto(`${lab.url}#/models`);
  await ready(page);
  await setKey(page, models.origin, KEY);
  await keep(page);
  await page.getByTestId("vault-minutes").selectOption("5");
  await page.clock.fastForward("04:30");
  await eventually.equal(() => state(page), "open");
  await page.mouse.click(5, 5);
  await page.clock.fastForward("04:30");
  await eventually.equal(() => state(page), "open", "somebody was there");
  await page.clock.fastForward("00:45");
  await stateIs(page, "locked");
  await eventually.deepEqual(() => keys(page), {});

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
  await eventually.equal(() => state(page), "open");
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
  await callsDone(page, 2);
  await page.evaluate(async () => (await import(new URL("vault.js", document.baseURI).href)).lock());
  await runIs(page, "halted");
  await eventually.match(() => page.getByTestId("banner").textContent(), /Your keys are locked, so the run is paused\. Unlock them to continue\./);
  const before = Number(await page.getByTestId("calls").textContent());
  await page.getByTestId("halt-unlock").click();
  await unlock(page);
  await callsDone(page, before + 2);
  await page.getByTestId("stop").click();
  await runIs(page, "stopped");
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
  await eventually.match(() => said(page), /^You are signed in/);
  assert.equal(page.url(), `${lab.url}#/models`);
  assert.ok(addresses.length > 0 && addresses.every((one) => !one.includes("code")), addresses.join());
  await eventually.ok(async () => !(await page.evaluate(() => JSON.stringify(performance.getEntriesByType("resource").map(({ name }) => name)))).includes("the-code"));
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
  await eventually.deepEqual(() => keys(page), { "https://openrouter.ai": "sk-or-v1-0123456789abcdef" });
  await eventually.equal(() => page.evaluate(() => sessionStorage.length), 0);
  await page.getByTestId("test-openrouter").click();
  await page.getByTestId("begin-openrouter").waitFor();
  await eventually.equal(() => page.getByTestId("model-openrouter").inputValue(), FIRST);
  await eventually.deepEqual(() => page.evaluate(() => JSON.parse(localStorage.getItem("quorate.origins"))), ["https://api.groq.com", "https://openrouter.ai"]);
  // A reload does not fetch again.
  await page.reload();
  await ready(page);
  assert.equal(seen.exchanges.length, 1);
  await eventually.equal(() => said(page), "");
});

test("a sign-in that fails says why, in each way, and leaves nothing behind", async () => {
  for (const [name, back, exchange, sentence] of [
    ["cancelled", (url) => `${url}?error=access_denied`, {}, /^The sign-in was not finished/],
    ["without a code", (url) => url, {}, /^The sign-in was not finished/],
    ["refused", (url) => `${url}?code=c`, { status: 403, json: { error: { message: "Invalid code" } } }, /^OpenRouter did not accept the sign-in/],
    ["unreachable", (url) => `${url}?code=c`, null, /^OpenRouter could not be reached/],
    ["no key", (url) => `${url}?code=c`, { json: { user_id: "u" } }, /^OpenRouter answered without a key/],
  ]) {
    const { page } = await signingIn({ back: (url) => (name === "without a code" ? `${back(url)}#/models` : back(url)), exchange });
    await page.getByRole("link", { name: "on" }).click();
    await ready(page);
    await eventually.match(() => said(page), sentence, name);
    assert.equal(page.url(), `${lab.url}#/models`, name);
    await eventually.deepEqual(() => keys(page), {}, name);
    await eventually.equal(() => page.evaluate(() => localStorage.getItem("quorate.origins")), '["https://api.groq.com"]', name);
    await eventually.equal(() => page.evaluate(() => sessionStorage.length), 0, name);
    await eventually.equal(() => page.getByTestId("signin-again").isVisible(), true, name);
  }
});

test("a code that nobody here asked for is dropped", async () => {
  const { page } = await lab.newPage({ locale: "en-US" });
  const called = [];
  page.on("request", (request) => called.push(request.url()));
  await page.goto(`${lab.url}?code=stolen&x=1#/setup`);
  await ready(page);
  assert.equal(page.url(), `${lab.url}#/models`);
  await eventually.match(() => said(page), /^This sign-in was not started in this tab/);
  assert.ok(called.slice(1).every((url) => url.startsWith(lab.url) && !url.includes("stolen")));
  await eventually.deepEqual(() => keys(page), {});
});
