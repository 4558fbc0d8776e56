// A canary for a key, through everything that can happen to a call, with keys kept on the device as well: it is looked for in
// records, exports, every database, storage, addresses, the console, errors, and all that the page shows.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { kept, openPage, ready, runIs, small, unfold, view } from "../support/page.mjs";
import { startProviders } from "../support/providers.mjs";

/** The key that the double's 401 repeats. */
const CANARY = "sk-canary-12345678";
const SEAT = "sk-canary-of-one-seat";
const FAULTS = ["none", "401", "403", "400", "html", "html-502", "broken", "error", "cut", "refusal", "429-quota", "utf8", "no-cors", "redirect"];
const WIRES = ["openai", "anthropic", "gemini", "ollama", "compatible"];
let lab;
let server;
before(async () => {
  lab = await openPage();
  server = await startProviders({ answer: () => "1. Maximizing the floor income. Certainty: sure", chunk: 200 });
});
after(async () => {
  await lab?.close();
  await server?.close();
});

const shown = (page) => page.evaluate(() => document.documentElement.outerHTML + [...document.querySelectorAll("input, textarea, select")].map((one) => one.value).join("\n"));

test("a key is nowhere but in its calls, whatever comes of them", async () => {
  const { page, context } = await lab.visit("#/models");
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
  await look("the key's dialog");
  await page.keyboard.press("Escape");

  // The vault.
  await view(page, "#/models", "vault-keep");
  await page.getByTestId("vault-keep").click();
  await page.getByTestId("passphrase").fill("a passphrase-canary");
  await page.getByTestId("passphrase-again").fill("a passphrase-canary");
  await page.getByTestId("passphrase-save").click();
  await page.locator("[data-testid=vault-state][data-state=open]").waitFor();
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
      for (let waited = 0; waited < 60 && !["ended", "halted"].includes(session.status.state); waited += 1) await new Promise((done) => setTimeout(done, 250));
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
  await context.close();
});
