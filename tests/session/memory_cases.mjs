// What a page does with the memory of debates.
import { caseName, equal, Library, Memory, NOW, ok, rejected, Session } from "./lab.mjs";

export const onIndexedDb = {};
const define = (name, act) => {
  onIndexedDb[`memory: ${name}`] = async () => {
    await forget();
    await act();
  };
};

/** A debate of three, the last of them the judge. */
function config(changes = {}) {
  const agents = ["Alice", "Ben", "Chloe"].map((name) => ({ name, kind: "scripted" }));
  agents.push({ name: "David", kind: "scripted", role: "judge" });
  const question = "Should a city of 200,000 close its centre to private cars within five years?";
  return { protocol: "debate", language: "English", question, agents, seed: 3, ...changes };
}

/** The database of the page, while `act` has it. */
async function database(act) {
  await Library.list();
  const request = indexedDB.open("quorate");
  const opened = await new Promise((resolve) => (request.onsuccess = () => resolve(request.result)));
  try {
    return await act(opened);
  } finally {
    opened.close();
  }
}
const settled = (request) => new Promise((resolve, reject) => Object.assign(request, { onsuccess: () => resolve(request.result), onerror: () => reject(request.error) }));
/** Nothing is kept any longer, and no session is stored. */
async function forget() {
  await database((opened) => settled(opened.transaction("kept", "readwrite").objectStore("kept").clear()));
  // What a case that failed has left open is left to itself.
  for (const { id } of await Library.list()) await Library.delete(id).catch(() => {});
}
const kept = () => database((opened) => settled(opened.transaction("kept").objectStore("kept").getAllKeys()));
const count = async (kind) => (await kept()).filter(([of]) => of === kind).length;

/** While it acts, time goes by so much faster. */
async function later(milliseconds, act) {
  const now = Date.now;
  Date.now = () => now() + milliseconds;
  try {
    return await act();
  } finally {
    Date.now = now;
  }
}

let made = 0;
const fresh = () => `${caseName}-${(made += 1)}`;
/** A debate that is over; its session is open. */
async function over(changes = {}, options = {}) {
  const session = await Session.create(config(changes), { id: fresh(), now: () => NOW + made, ...options });
  await session.run();
  return session;
}
/** The id of a debate that is over, stored and closed. */
async function stored(changes) {
  const session = await over(changes);
  await session.close();
  return session.id;
}

define("a debate is remembered once", async () => {
  const session = await over();
  const report = await Memory.remember(session, { targets: [{ kind: "download" }] });
  equal(report.debate, session.id);
  equal(report.parts.map(({ store }) => store), ["match", "memory", "consensus", "debate", "knowledge", "receipt"]);
  ok(report.parts.every(({ status }) => status === "success" || status === "skipped"), JSON.stringify(report.parts));
  const rows = await kept();
  for (const { store, rows: made } of report.parts) equal(rows.filter(([kind]) => kind === store).length, made, store);
  equal([await count("journal"), await count("outbox"), await count("receipt")], [1, 1, 1]);
  equal(await Memory.remember(session.id), report, "again, by its id");
  await session.close();
  equal(await Memory.remember(session), report, "closed");
  equal(await Memory.rememberAll(), { remembered: [], failed: [] });
  equal(await kept(), rows);
  const journal = await Memory.items("journal");
  equal(journal[0].value.rows.length, rows.length - 1, "the journal names all others");
});

define("many ask at once", async () => {
  const id = await stored();
  const other = await stored({ seed: 4 });
  const asked = [id, other, id, other, id].map((one) => Memory.remember(one));
  const reports = await Promise.all([...asked, Memory.rememberAll()]);
  equal(reports[0], reports[2]);
  equal(reports[1], reports[3]);
  equal([await count("journal"), await count("receipt"), await count("debate")], [2, 2, 2]);
  const [newer, older] = (await Memory.receipts()).sort((a, b) => (a.prev_hash === null) - (b.prev_hash === null));
  equal([older.prev_hash, newer.prev_hash], [null, older.content_hash]);
});

define("what was missed is caught up", async () => {
  const ids = [await stored(), await stored({ seed: 5 })];
  await Memory.remember(ids[0]);
  const unfinished = await Session.create(config(), { id: fresh() });
  const { remembered, failed } = await Memory.rememberAll();
  equal([remembered.map(({ debate }) => debate), failed], [[ids[1]], []]);
  equal(await count("journal"), 2);
  await unfinished.close();
});

define("a session that is not stored", async () => {
  const open = await over({}, { store: "memory" });
  equal((await Memory.remember(open)).debate, open.id);
  const closed = await over({ seed: 6 }, { store: "memory" });
  await closed.close();
  equal((await Memory.remember(closed)).debate, closed.id);
  await rejected(Memory.remember(fresh()), "unknown");
  await rejected(Memory.remember(7), "input");
});

define("nothing to remember", async () => {
  const begun = await Session.create(config(), { id: fresh() });
  equal(await Memory.remember(begun), null);
  const agents = [{ name: "Ana", personality: "A nurse.", kind: "scripted" }, { name: "Ben", personality: "Runs a shop.", kind: "scripted" }];
  const justice = await Session.create({ title: "Two", language: "English", agents, seed: 1, phase2_rounds: 1 }, { id: fresh() });
  await justice.run();
  equal(await Memory.remember(justice), null);
  await Promise.all([begun.close(), justice.close()]);
  equal(await Memory.rememberAll(), { remembered: [], failed: [] });
  equal(await kept(), []);
  equal([await Memory.receipts(), await Memory.receipt("x"), await Memory.ratings()], [[], null, []]);
});

define("receipts form a chain", async () => {
  const ids = [];
  for (const seed of [1, 2, 3]) {
    ids.push(await stored({ seed }));
    await later(60_000 * seed, () => Memory.remember(ids.at(-1)));
  }
  const receipts = await Memory.receipts();
  equal(receipts.map(({ debate_id }) => debate_id), ids.toReversed());
  equal(receipts.map(({ prev_hash }) => prev_hash), [receipts[1].content_hash, receipts[2].content_hash, null]);
  equal(await Memory.receipt(ids[1]), receipts[1]);
});

define("a receipt is checked field by field", async () => {
  const id = await stored();
  await Memory.remember(id);
  const receipt = await Memory.receipt(id);
  const record = await Library.entries(id);
  const valid = await Memory.verifyReceipt(receipt, record);
  equal([valid.valid, valid.signed, valid.problems], [true, true, []]);
  equal(await Memory.verifyReceipt(JSON.stringify(receipt, null, 1), (await Library.export(id, "jsonl")).text), valid, "as texts");
  const other = (value) => {
    if (typeof value === "string") return `${value}x`;
    if (typeof value === "number") return value / 2 + 1;
    if (typeof value === "boolean") return !value;
    if (value === null) return "x";
    return Array.isArray(value) ? [...value, "x"] : {};
  };
  const names = Object.keys(receipt).filter((name) => name !== "signature");
  ok(names.length > 15, names.join());
  for (const name of names) {
    for (const changed of [{ ...receipt, [name]: other(receipt[name]) }, { ...receipt, [name]: undefined }]) {
      if (changed[name] === undefined && receipt[name] === null) continue;
      const { valid, signed, problems } = await Memory.verifyReceipt(changed);
      ok(!valid && !signed, name);
      ok(problems.some(({ code }) => code === "signature"), name);
      ok(problems.every(({ message }) => message.endsWith(".")), JSON.stringify(problems));
    }
  }
  const wrong = await Memory.verifyReceipt(receipt, await Library.entries(await stored({ seed: 9 })));
  ok(wrong.signed && !wrong.valid && wrong.problems.some(({ code }) => code === "other_debate"), JSON.stringify(wrong));
  for (const nothing of [null, "{}", [], 5, { schema: "other" }]) {
    equal((await Memory.verifyReceipt(nothing === null ? "null" : nothing)).problems.map(({ code }) => code), ["unknown_schema"], JSON.stringify(nothing));
  }
  await rejected(Memory.verifyReceipt("no JSON"), "input");
  await rejected(Memory.verifyReceipt(receipt, [1]), "input");
});

define("signatures", async () => {
  const id = await stored();
  await Memory.remember(id);
  const receipt = await Memory.receipt(id);
  const { signature, ...unsigned } = receipt;
  equal([signature.algorithm, Object.keys(signature.public_key)], ["Ed25519", ["crv", "kty", "x"]]);
  const bare = await Memory.verifyReceipt(unsigned);
  equal([bare.valid, bare.signed, bare.key], [true, false, null], "unsigned");
  const codes = async (changes) => {
    const { valid, signed, problems } = await Memory.verifyReceipt({ ...receipt, signature: changes === null ? 5 : { ...signature, ...changes } });
    ok(!valid && !signed, JSON.stringify(changes));
    return problems.map(({ code }) => code).join();
  };
  const flipped = (signature.value[0] === "A" ? "B" : "A") + signature.value.slice(1);
  for (const changes of [{ value: flipped }, { value: "" }, { value: "*" }, { value: `${signature.value}=` }, { algorithm: "none" }, { algorithm: "ES256" },
    { algorithm: "constructor" }, { public_key: {} }, { public_key: null }, { public_key: { ...signature.public_key, crv: "P-256" } }, null]) {
    equal(await codes(changes), "signature", JSON.stringify(changes));
  }
  // Somebody else's receipt, signed with the other kind of key.
  const text = (value) => {
    if (Array.isArray(value)) return `[${value.map(text)}]`;
    if (value === null || typeof value !== "object") return JSON.stringify(value);
    return `{${Object.keys(value).sort().map((key) => `${JSON.stringify(key)}:${text(value[key])}`)}}`;
  };
  const pair = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, false, ["sign"]);
  const { crv, kty, x, y } = await crypto.subtle.exportKey("jwk", pair.publicKey);
  const bytes = await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, pair.privateKey, new TextEncoder().encode(text(unsigned)));
  const value = btoa(String.fromCharCode(...new Uint8Array(bytes))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  const theirs = await Memory.verifyReceipt({ ...unsigned, signature: { algorithm: "ES256", public_key: { kty, crv, x, y }, value } });
  const own = await Memory.verifyReceipt(receipt);
  equal([theirs.valid, theirs.signed, own.signed, theirs.key.length, own.key.length], [true, true, true, 43, 43]);
  ok(theirs.key !== own.key);
});

/** While it acts, something of the page is not there. */
async function without(object, name, act) {
  const own = Object.getOwnPropertyDescriptor(object, name);
  Object.defineProperty(object, name, { value: undefined, configurable: true });
  try {
    return await act();
  } finally {
    if (own) Object.defineProperty(object, name, own);
    else delete object[name];
  }
}

define("without a store", async () => {
  const id = await stored();
  await Memory.remember(id);
  const receipt = await Memory.receipt(id);
  await without(globalThis, "indexedDB", async () => {
    equal((await Memory.verifyReceipt(receipt)).signed, true);
    equal((await Memory.verifyReceipt({ ...receipt, answer: "Other" })).valid, false);
    await rejected(Memory.receipts(), "storage");
    await rejected(Memory.remember(id), "storage");
  });
});

define("without keys", async () => {
  const session = await over();
  await without(Crypto.prototype, "subtle", async () => {
    await database((opened) => settled(opened.transaction("signing", "readwrite").objectStore("signing").clear()));
    await Memory.remember(session);
  });
  const receipt = await Memory.receipt(session.id);
  equal(receipt.signature, undefined);
  const told = await Memory.verifyReceipt(receipt);
  equal([told.valid, told.signed], [true, false]);
  await session.close();
});

define("ratings are made anew", async () => {
  const ids = [];
  for (const seed of [1, 2, 3]) ids.push(await stored({ seed, domain: "cities", convergence_detection: false, max_extended_rounds: 0 }));
  await Memory.rememberAll();
  const ratings = await Memory.ratings();
  equal(ratings.map(({ name }) => name).sort(), ["Alice", "Ben", "Chloe"]);
  ok(ratings.every(({ elo }, at) => at === 0 || elo <= ratings[at - 1].elo), JSON.stringify(ratings.map(({ elo }) => elo)));
  ok(ratings.every(({ games, history }) => games === 3 && history.length === 3));
  equal((await Memory.ratings("cities")).map(({ name, elo }) => [name, elo]), ratings.map(({ name, elo }) => [name, elo]));
  equal(await Memory.ratings("tea"), []);
  const same = await Memory.recomputed();
  equal([same.same, same.withoutRecord, same.notRemembered, same.unreadable], [true, [], [], []]);
  equal(same.ratings, ratings);
  await Library.delete(ids[0]);
  const [match] = (await Memory.items("match")).filter(({ id }) => id === ids[1]);
  await Memory.remove("match", match.id);
  const other = await Memory.recomputed();
  equal([other.same, other.withoutRecord, other.notRemembered], [false, [ids[0]], [ids[1]]]);
});

define("a configuration gets its ratings", async () => {
  const plain = config();
  equal(await Memory.prepare(plain), plain, "nothing is known");
  // Who agrees before the vote leaves no points.
  await Memory.remember(await stored({ convergence_detection: false, max_extended_rounds: 0 }));
  const prepared = await Memory.prepare(plain);
  equal(Object.keys(prepared.ratings).sort(), ["Alice", "Ben", "Chloe"]);
  equal(plain.ratings, undefined);
  const [best] = await Memory.ratings();
  equal(prepared.ratings[best.name].elo, best.elo);
  const own = { ...plain, ratings: { Alice: 1200 } };
  equal(await Memory.prepare(own), own);
  const justice = { ...plain, protocol: "justice" };
  equal(await Memory.prepare(justice), justice);
  await rejected(Memory.prepare(undefined), "input");
  const session = await Session.create(prepared, { store: "memory" });
  ok(session.config.ratings.Alice !== undefined);
});

define("what a person knows", async () => {
  const row = await Memory.add({ title: "Trams", text: " Trams carry 200 people each. ", confidence: 0.9, tags: ["city"] });
  equal([row.kind, row.value.text, row.value.level, row.value.source, row.value.about.tags], ["knowledge", "Trams carry 200 people each.", "verified", "user", ["city"]]);
  equal((await Memory.add({ title: "Trams", text: "Trams carry 200 people each." })).id, row.id);
  await Memory.add({ title: "茶", text: "绿茶比红茶更苦" });
  equal(await count("knowledge"), 2);
  const [hit] = await Memory.search("How many people do trams carry?", { limit: 1 });
  equal([hit.id, hit.source, hit.trust], [row.id, "knowledge", "untrusted"]);
  equal((await Memory.search("绿茶")).length, 1);
  equal(await Memory.search("trams", { kinds: ["debate"] }), []);
  equal(await Memory.search(""), []);
  for (const wrong of [{}, { text: " " }, { text: "a", confidence: 2 }, { text: "a".repeat(2001) }, { title: "a".repeat(301), text: "a" }]) {
    await rejected(Memory.add(wrong), "input");
  }
  await rejected(Memory.search("trams", { kinds: 5 }), "input");
  await rejected(Memory.items("nothing"), "input");
  await Memory.remove("knowledge", row.id);
  await Memory.remove("knowledge", "none");
  await rejected(Memory.remove("journal", "x"), "input");
  equal((await Memory.items("knowledge")).map(({ value }) => value.title), ["茶"]);
  // Old debates are not looked at.
  const session = await over({}, { store: "memory", now: undefined });
  await Memory.remember(session);
  const hits = await Memory.search("Should cars leave the centre of the city?", { kinds: ["debate", "receipt"] });
  ok(hits.length > 0 && hits.every(({ source }) => source !== "knowledge"), JSON.stringify(hits));
});

define("out and in again", async () => {
  const id = await stored();
  await Memory.remember(id, { targets: [{ kind: "download" }] });
  await Memory.add({ title: "Trams", text: "Trams carry people." });
  const before = (await kept()).filter(([kind]) => kind !== "outbox");
  const { text, name, type } = await Memory.export();
  equal([name, type, text.trimEnd().split("\n").length], ["quorate-memory.jsonl", "application/x-ndjson", before.length]);
  equal(await Memory.import(text), { added: 0, kept: before.length });
  await forget();
  equal(await Memory.import(`${text}\n${text}`), { added: before.length, kept: before.length });
  equal(await kept(), before);
  equal((await Memory.export()).text, text);
  equal((await Memory.verifyReceipt(await Memory.receipt(id))).signed, true);
  const outbox = { kind: "outbox", id: "x", value: { status: "pending", expires: 9e15, target: { kind: "webhook" } } };
  equal(await Memory.import(JSON.stringify(outbox)), { added: 0, kept: 0 });
  const rows = await kept();
  for (const wrong of ["{", "[]", '{"kind":"other","id":"a","value":{}}', '{"kind":"match","id":"","value":{}}', '{"kind":"match","id":"a","value":5}']) {
    const error = await rejected(Memory.import(`{"kind":"match","id":"new","value":{}}\n\n${wrong}`), "import");
    equal(error.detail.line, 3);
  }
  equal(await kept(), rows);
});

define("results are delivered once", async () => {
  const target = { kind: "webhook", url: "https://example.org/hook" };
  const row = await Memory.queue("d", target);
  equal([row.debate_id, row.target, row.status, row.attempts, row.expires - row.created], ["d", target, "pending", 0, 86_400_000]);
  equal(await Memory.queue("d", target), row, "the same target");
  ok((await Memory.queue("d", { kind: "opener", origin: "https://example.org" })).id !== row.id);
  equal((await Memory.outbox()).length, 2);
  const taken = await Promise.all([1, 2, 3].map(() => Memory.take(row.id)));
  equal(taken.filter((one) => one !== null).map(({ id, attempts, status }) => [id, attempts, status]), [[row.id, 1, "sending"]]);
  equal(await Memory.take(row.id), null, "it is being delivered");
  await Memory.done(row.id);
  equal(await Memory.take(row.id), null, "it was delivered");
  equal((await Memory.queue("d", target)).status, "delivered");
  equal((await Memory.outbox()).map(({ target }) => target.kind), ["opener"]);
  await rejected(Memory.done(row.id), "input");
  await rejected(Memory.failed("none", "x"), "input");
  equal(await Memory.take("none"), null);
  for (const wrong of [{}, { kind: "post" }, { kind: "webhook" }, { kind: "webhook", url: "http://example.org" }, { kind: "opener" }, { kind: "opener", origin: "*" }]) {
    await rejected(Memory.queue("d", wrong), "input");
  }
  equal((await Memory.queue("d", { kind: "webhook", url: "http://localhost/hook" })).status, "pending");
});

define("deliveries are tried again", async () => {
  const { id, created } = await Memory.queue("d", { kind: "webhook", url: "https://example.org" });
  let time = created - Date.now();
  const pauses = [];
  for (let tries = 1; ; tries += 1) {
    const row = await later(time, () => Memory.take(id));
    if (row === null) break;
    equal(row.attempts, tries);
    await later(time, () => Memory.failed(id, "Status 500, key sk-abcdefghijklmnopqrstuvwx."));
    const [{ value }] = await Memory.items("outbox");
    equal(value.status === "failed", value.next_at >= value.expires);
    ok(value.error.startsWith("Status 500") && !value.error.includes("sk-abc"), value.error);
    equal(await later(time, () => Memory.take(id)), null, "not yet due");
    pauses.push(Math.round((value.next_at - Date.now() - time) / 1000));
    time = value.next_at - Date.now() + 10;
  }
  equal(pauses.map((pause) => Math.round(pause / 10) * 10), [30, 120, 480, 1920, 7680, 21600, 21600, 21600, 21600].slice(0, pauses.length));
  ok(pauses.length > 6, String(pauses));
  equal(await Memory.outbox(), []);
  // Somebody wants it again.
  equal((await later(time, () => Memory.queue("d", { kind: "webhook", url: "https://example.org" }))).attempts, 0);
  // Who is long over makes room.
  await later(4 * 86_400_000, () => Memory.queue("e", { kind: "share" }));
  equal((await kept()).map(([, id]) => id.split("/")[0]), ["e"]);
});

/** What a debate has gathered from these sources: `[kind, note, message, items]` each. */
async function gathered(sources, options = {}) {
  const session = await over({ sources }, { store: "memory", ...options });
  const { event } = session.entries().find(({ what }) => what.event?.type === "gathered").what;
  return event.sources.map(({ kind, note, message, items }) => [kind, note ?? null, message ?? null, items]);
}

define("sources answer", async () => {
  const [[, , , none]] = await gathered([{ kind: "knowledge" }]);
  equal(none, []);
  const row = await Memory.add({ title: "Cars in the centre of a city", text: "Half of the cars in the city centre look for a place.", confidence: 0.9 });
  const id = await stored();
  await Memory.remember(id);
  const program = async ({ kind, seat, messages }) => (kind === "context" ? JSON.stringify({ items: [{ text: `asked ${JSON.parse(messages.at(-1).content).source.kind}` }] }) : seat);
  const all = await gathered([{ kind: "knowledge" }, { kind: "debates" }, { kind: "program" }], { answer: program });
  equal(all.map(([kind, note]) => [kind, note]), [["knowledge", null], ["debates", null], ["program", null]]);
  // It has gone into a decision, which makes it a little surer.
  ok(all[0][3].some((item) => item.id === row.id && item.origin === "user" && item.confidence === 0.91), JSON.stringify(all[0]));
  ok(all[1][3].some((item) => item.id === id && item.at > 0), JSON.stringify(all[1]));
  equal(all[2][3].map(({ text }) => text), ["asked program"]);
  const [[, , , [plain]]] = await gathered([{ kind: "program" }], { answer: async () => "Just a text." });
  equal(plain.text, "Just a text.");
  const [[, note, message]] = await gathered([{ kind: "program" }], { answer: async () => { throw new Error("no luck"); } });
  ok(note === "unavailable" && message.includes("no luck"), `${note} ${message}`);
  const [[, absent, why]] = await gathered([{ kind: "program" }]);
  ok(absent === "unavailable" && why.includes("No `answer` callback was provided for seat source:program"), `${absent} ${why}`);
});

define("feeds answer", async () => {
  const asked = [];
  const real = globalThis.fetch;
  const item = (title) => `<item><title>${title}</title><link>https://example.org/${encodeURIComponent(title)}</link><pubDate>Tue, 15 Jul 2025 11:00 CEST</pubDate></item>`;
  const feed = `<rss><channel>${["Tea", "Cars leave the city centre", "Coffee", "Milk"].map(item).join("")}</channel></rss>`;
  const answers = {
    "/rss": () => new Response(feed, { headers: { "content-type": "text/xml" } }),
    "/latin": () => new Response(Uint8Array.from('<?xml version="1.0" encoding="ISO-8859-1"?><rss><item><title>Caf\xe9s without cars</title></item></rss>', (c) => c.charCodeAt(0))),
    "/page": () => new Response("<!doctype html><html></html>"),
    "/empty": () => new Response(""),
    "/large": () => new Response(new Uint8Array(1_200_000)),
    "/missing": () => new Response("", { status: 404 }),
    "/down": () => Promise.reject(new TypeError("Failed to fetch")),
    "/blocked": () => {
      const event = new SecurityPolicyViolationEvent("securitypolicyviolation", { bubbles: true, effectiveDirective: "connect-src", blockedURI: "https://news.example/blocked" });
      setTimeout(() => document.dispatchEvent(event));
      return Promise.reject(new TypeError("Failed to fetch"));
    },
  };
  globalThis.fetch = async (request) => {
    asked.push(request);
    return answers[new URL(request.url).pathname]();
  };
  try {
    const told = async (url) => {
      const [[, note, message, items]] = await gathered([{ kind: "feed", url }]);
      return note === null ? items.map(({ title, at }) => at ? `${title}, ${new Date(at).toISOString()}` : title) : message;
    };
    const url = (path) => `https://news.example${path}`;
    equal(await told(url("/rss")), ["Cars leave the city centre, 2025-07-15T09:00:00.000Z"]);
    equal(await told(url("/latin")), ["Cafés without cars"]);
    for (const [path, part] of [
      ["/page", "is a web page"], ["/empty", "is empty"], ["/large", "larger than 1 MB"], ["/missing", "status 404"],
      ["/down", "CORS"], ["/blocked", "connect-src"],
    ]) {
      const message = await told(url(path));
      ok(typeof message === "string" && message.includes(part) && message.includes("https://news.example"), `${path}: ${message}`);
    }
    const [{ credentials, referrerPolicy, signal }] = asked;
    equal([credentials, referrerPolicy, signal instanceof AbortSignal], ["omit", "no-referrer", true]);
  } finally {
    globalThis.fetch = real;
  }
});
