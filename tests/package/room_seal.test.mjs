// What travels is sealed: nobody else opens it, alters it, or turns it to another end; links and codes are read exactly.
import assert from "node:assert/strict";
import { createPrivateKey, createPublicKey, diffieHellman } from "node:crypto";
import { test } from "node:test";
import { brokerAddress, codeOf, codePlace, findCode, makeLink, newRoom, offerCode, readCode, readLink } from "../../src/web/room/link.js";
import { findLink } from "../../src/web/room/link_text.js";
import { LIMITS } from "../../src/web/room/limits.js";
import { fingerprint, guestId, guestKeys, guestTopic, hostKeys, hostTopic, isTagged, open, openAtGuest, openAtHost, OVERHEAD, seal, sealToGuest, sealToHost, x25519 } from "../../src/web/room/seal.js";
import { tabs } from "../../src/web/room/tabs.js";

const host = hostKeys();
const link = { ...newRoom(), host: host.public, meeting: { kind: "own" } };
const guest = guestKeys();
const other = guestKeys();
const says = { type: "answer", n: 1, values: { text: "Añadir 一万 ✓" } };

test("what a guest seals the host opens, and the other way round", () => {
  const opened = openAtHost(host, link, sealToHost(guest, link, says));
  assert.deepEqual(opened, { id: guestId(guest.public), guest: guest.public, message: says });
  assert.match(opened.id, /^[0-9a-f]{16}$/);
  assert.deepEqual(openAtGuest(guest, link, sealToGuest(host, link, guest.public, says)), says);
  assert.equal(hostTopic(link), `quorate/${link.room}/host`);
  assert.equal(guestTopic(link, guest.public), `quorate/${link.room}/guest/${opened.id}`);
});

test("X25519 is that of RFC 7748, and of OpenSSL for any keys; a point of low order is no key", () => {
  const bytes = (hex) => Uint8Array.from(Buffer.from(hex, "hex"));
  const scalar = bytes("a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4");
  const point = bytes("e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c");
  assert.equal(Buffer.from(x25519.getSharedSecret(scalar, point)).toString("hex"), "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552");
  const jwk = ({ secret, public: own }) => ({ kty: "OKP", crv: "X25519", d: Buffer.from(secret).toString("base64url"), x: Buffer.from(own).toString("base64url") });
  for (let count = 0; count < 40; count += 1) {
    const [one, two] = [guestKeys(), hostKeys()];
    const theirs = diffieHellman({ privateKey: createPrivateKey({ key: jwk(one), format: "jwk" }), publicKey: createPublicKey({ key: jwk(two), format: "jwk" }) });
    assert.deepEqual(Buffer.from(x25519.getSharedSecret(one.secret, two.public)), theirs);
    assert.deepEqual(Buffer.from(x25519.getSharedSecret(two.secret, one.public)), theirs);
  }
  for (const low of [new Uint8Array(32), Uint8Array.of(1, ...new Uint8Array(31))]) assert.throws(() => x25519.getSharedSecret(guest.secret, low));
});

test("kept keys are the same after a reload", () => {
  const again = guestKeys(guest.secret);
  assert.deepEqual(again.public, guest.public);
  assert.deepEqual(openAtGuest(again, link, sealToGuest(host, link, guest.public, says)), says);
});

test("no one else opens it: another guest, another host, another room, another secret, another way", () => {
  const toGuest = sealToGuest(host, link, guest.public, says);
  const toHost = sealToHost(guest, link, says);
  assert.equal(openAtGuest(other, link, toGuest), null);
  assert.equal(openAtHost(hostKeys(), link, toHost), null);
  assert.equal(openAtHost(host, { ...link, room: newRoom().room }, toHost), null);
  assert.equal(openAtHost(host, { ...link, secret: newRoom().secret }, toHost), null);
  assert.equal(openAtGuest(guest, link, toHost), null);
  assert.equal(openAtHost(host, link, toGuest), null);
  assert.equal(openAtGuest(guest, { ...link, host: hostKeys().public }, toGuest), null);
});

test("any altered byte, and any shorter piece, is refused", () => {
  const bytes = sealToHost(guest, link, says);
  for (let at = 0; at < bytes.length; at += 1) {
    const altered = bytes.slice();
    altered[at] ^= 1;
    assert.equal(openAtHost(host, link, altered), null, `byte ${at}`);
  }
  for (const length of [0, 1, 56, 57, 73, 89, bytes.length - 1]) assert.equal(openAtHost(host, link, bytes.slice(0, length)), null);
  for (const nothing of [null, undefined, "text", new Uint8Array(500)]) assert.equal(openAtHost(host, link, nothing), null);
});

test("nobody writes under another's key, be the envelope the same otherwise", () => {
  const bytes = sealToHost(other, link, says);
  bytes.set(guest.public, 1);
  assert.equal(openAtHost(host, link, bytes), null);
  // The bit that X25519 takes no notice of: the same secret, but another guest.
  const twin = sealToHost(other, link, says);
  twin[32] ^= 128;
  assert.equal(openAtHost(host, link, twin), null);
  // A key of low order makes a secret that everybody knows.
  const low = sealToHost(other, link, says);
  low.fill(0, 1, 33);
  assert.equal(openAtHost(host, link, low), null);
});

test("sealed twice it looks different; sent twice it opens as the same, which its number tells", () => {
  const first = sealToHost(guest, link, says);
  assert.notDeepEqual(first, sealToHost(guest, link, says));
  assert.deepEqual(openAtHost(host, link, first), openAtHost(host, link, first));
});

test("whoever does not have the link makes no tag: junk is refused before any key is derived", () => {
  const topic = hostTopic(link);
  const bytes = sealToHost(guest, link, says);
  assert.ok(isTagged(link, topic, bytes));
  assert.ok(!isTagged(link, topic, sealToHost(guest, { ...link, secret: newRoom().secret }, says)));
  assert.ok(!isTagged(link, guestTopic(link, guest.public), bytes));
  // The head of a message that was recorded, before another body.
  const other = sealToHost(guest, link, says);
  assert.ok(!isTagged(link, topic, Uint8Array.from([...bytes.slice(0, OVERHEAD - 16), ...other.slice(OVERHEAD - 16)])));
  assert.ok(!isTagged(link, topic, new Uint8Array(bytes.length).fill(2)));
});

test("sizes tell little: 256, 512 … 64 kB, then steps of 64 kB, and no more, the same both ways", () => {
  const toGuest = (message, least) => sealToGuest(host, link, guest.public, message, least);
  const toHost = (message, least) => sealToHost(guest, link, message, least);
  for (const way of [toGuest, toHost]) {
    const size = (letters, least) => way({ t: "x".repeat(letters) }, least).length - OVERHEAD;
    assert.equal(size(0), 256);
    assert.equal(size(256 - 4 - 8), 256);
    assert.equal(size(256 - 4 - 7), 512);
    assert.equal(size(30_000), 32_768);
    assert.equal(size(65_536 - 4 - 8), 65_536);
    assert.equal(size(65_536 - 4 - 7), 131_072);
    assert.equal(size(140_000), 196_608);
    assert.equal(size(0, 600), 1024);
    assert.equal(size(0, 2_000_000), LIMITS.message);
    assert.throws(() => size(LIMITS.message), RangeError);
  }
  // A text of the greatest length opens whatever its characters are, and several.
  for (const character of ["a", "好", "\u0001", "😀", "\""]) {
    const text = character.repeat(LIMITS.text);
    for (const values of [{ text }, { a: text, b: text, c: text, d: text }]) {
      assert.deepEqual(openAtHost(host, link, toHost({ values })).message, { values });
    }
  }
});

test("a host's fingerprint: two words, the same for the same key", () => {
  assert.match(fingerprint(host.public), /^[bdfghjklmnprstvz][aiou][bdfghjklmnprstvz][aiou][bdfghjklmnprstvz] [a-z]{5}$/);
  assert.equal(fingerprint(host.public), fingerprint(host.public.slice()));
  const all = new Set(Array.from({ length: 100 }, () => fingerprint(hostKeys().public)));
  assert.equal(all.size, 100);
});

test("links: there and back, and nothing else is one", () => {
  const meetings = [{ kind: "tabs" }, { kind: "own" }, { kind: "broker", address: "wss://broker.example:8084/mqtt" }, { kind: "broker", address: "wss://class:pass@broker.example/" }];
  for (const meeting of meetings) {
    const text = makeLink({ ...link, meeting });
    assert.deepEqual(readLink(text), { ...link, meeting });
    assert.deepEqual(readLink(`https://lab.example/join.html?PROLIFIC_PID=5#${text}`), { ...link, meeting });
  }
  const whole = makeLink(link);
  assert.match(whole, /^2\.[\w-]{22}\.[\w-]{22}\.[\w-]{43}\.o$/);
  const parts = whole.split(".");
  const wrong = ["", "2", whole.slice(1), `1${whole.slice(1)}`, `${whole}.x`, whole.replace(/o$/, "q"), parts.with?.(2, "short").join(".") ?? "", whole.replace(/o$/, "b.aHR0cHM6Ly9hLmI"), `${whole}.b.c`, whole.replace(parts[1], "../../etc/passwd")];
  for (const text of [...wrong, null, undefined, 5]) assert.equal(readLink(text), null, String(text));
  assert.equal(brokerAddress("https://a.b"), null);
  assert.equal(brokerAddress("javascript:alert(1)"), null);
});

test("links are found in a text as people get it, with the parameters appended to them", () => {
  for (const meeting of [{ kind: "own" }, { kind: "tabs" }, { kind: "broker", address: "wss://class:pass@broker.example:8084/mqtt" }]) {
    const text = makeLink({ ...link, meeting });
    const address = `https://lab.example/join.html#${text}`;
    const folded = (at, by) => address.slice(0, at) + by + address.slice(at);
    const escaped = encodeURIComponent(address);
    const around = [["", ","], ["", "."], ["", "!"], ["", "。"], ["", "，"], ["", "’"], ["", "…"], ["(", ")"], ["<", ">"], ["“", "”"], ["「", "」"], ["（", "）"], ["*", "*"], ["_", "_"], ["**", "**"], ["\u2066", "\u2069"], ["\ufeff", "\u200b"], ["", "%E3%80%82"], ["", "%E2%80%8B"], ["Join: ", " at ten"], ["Join: ", "\nSee you there"], ["请打开", "进入"], ["[x](", ")"]];
    const forms = [text, `#${text}`, ...around.map((pair) => pair.join(address)), ...["\n", "\r\n", "=\r\n", "\r\n ", "\n> "].map((by) => folded(76, by)), ...[40, 60, 100].flatMap((at) => [folded(at, "\n"), folded(at, "\u200b"), folded(at, "\u00ad")]), folded(70, " "), address.replace("#", "%23"), escaped, `https://guard.example/?url=${escaped}&data=05%7C01`, `${address}\n${address}`];
    for (const form of forms) assert.deepEqual(readLink(form), { ...link, meeting }, JSON.stringify(form));
    for (const [form, params] of [
      [`${address}?PROLIFIC_PID=5f&STUDY_ID=s1`, { PROLIFIC_PID: "5f", STUDY_ID: "s1" }], [`${address}&utm_source=x`, { utm_source: "x" }], [`${address}/?a=1`, { a: "1" }], [`${address}&amp;a=1&amp;b=2`, { a: "1", b: "2" }],
      [address.replace("#", "?a=1&b=%26#"), { a: "1", b: "&" }], [`${address.replace("#", "?a=1#")}?b=2`, { a: "1", b: "2" }], [`(${address}?a=1).`, { a: "1" }], [`${address}?n=%E6%9D%8E。`, { n: "李" }], [`${address}%3FPID=7`, { PID: "7" }], [address, {}],
    ]) {
      const found = findLink(form);
      assert.deepEqual([readLink(form), found.page, Object.fromEntries(found.params)], [{ ...link, meeting }, "https://lab.example/join.html", params], form);
    }
  }
});

test("codes: eight letters that are not mistaken, read as people type them", () => {
  for (const text of [" bcdf-ghjk ", "ＢＣＤＦＧＨＪＫ", "ｂｃｄｆ－ｇｈｊｋ", "BCDF.GHJK", "BCDF–GHJK", "B.C.D.F.G.H.J.K.", "BCDF、GHJK。", "BCDF·GHJK", "BCDF_GHJK", "\u200bBCDF\u00a0GHJK", "«bcdf ghjk»"]) assert.equal(readCode(text), "BCDFGHJK", text);
  for (const text of ["", "BCDFGHJ", "BCDFGHJKL", "BCDFGHJA", "BCDFGHJ1"]) assert.equal(readCode(text), null, text);
});

test("a code follows from its link, and neither can be read off where it is kept", async () => {
  const code = await codeOf(link);
  assert.match(code, /^[BCDFGHJKLMNPQRSTVWXZ]{8}$/);
  assert.equal(await codeOf({ ...link }), code);
  for (const other of [{ room: newRoom().room }, { secret: newRoom().secret }, { host: hostKeys().public }, { meeting: { kind: "tabs" } }]) {
    assert.notEqual(await codeOf({ ...link, ...other }), code);
  }
  const { topic, key } = await codePlace("BCDFGHJK");
  assert.match(topic, /^quorate\/code\/[0-9a-f]{32}$/);
  assert.equal(key.length, 32);
  assert.notEqual((await codePlace("BCDFGHJL")).topic, topic);
});

test("tabs: both ways, and a code while the tab is there that offers it", async (t) => {
  const [one, two] = [tabs(), tabs()];
  t.after(() => [one, two].forEach((post) => post.close()));
  const got = new Promise((done) => two.subscribe("quorate/a/host", done));
  one.publish("quorate/b/host", Uint8Array.of(1));
  one.publish("quorate/a/host", Uint8Array.of(2));
  assert.deepEqual([...(await got)], [2]);
  const offer = await offerCode(one, link);
  assert.deepEqual(await findCode(two, offer.code), link);
  offer.withdraw();
  assert.equal(await findCode(two, offer.code, { seconds: 0.3 }), null);
});

test("who knows a code cannot lead it elsewhere, and one that has expired leads nowhere", async (t) => {
  const [thief, device] = [tabs(), tabs()];
  t.after(() => [thief, device].forEach((post) => post.close()));
  const code = await codeOf(link);
  const { topic, key } = await codePlace(code);
  const leads = (more, until = Date.now() + 60_000) => thief.publish(topic, seal(key, topic, { link: makeLink({ ...link, ...more }), until }), { retain: true });
  for (const more of [{ ...newRoom(), host: hostKeys().public }, { secret: newRoom().secret }, { meeting: { kind: "broker", address: "wss://thief.example/" } }]) {
    leads(more);
    assert.equal(await findCode(device, code, { seconds: 1.5 }), null, Object.keys(more).join());
  }
  leads({}, Date.now() - 1);
  assert.equal(await findCode(device, code, { seconds: 1.5 }), null);
  leads({});
  assert.deepEqual(await findCode(device, code), link);
  assert.equal(open(key, "quorate/code/other", seal(key, topic, {})), null);
});

test("half a character comes as one that stands for it, so that the host can go on with the text", () => {
  const { message } = openAtHost(host, link, sealToHost(guest, link, { v: 1, values: { text: "a\ud800b", list: ["😀\udc00"] } }));
  assert.deepEqual(message, { v: 1, values: { text: "a\ufffdb", list: ["😀\ufffd"] } });
});
