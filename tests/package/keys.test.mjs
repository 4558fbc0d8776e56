// Keys of an origin and keys of one seat there, and keys that are forgotten while a session is open.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { root } from "../support/package.mjs";
import { startProviders } from "../support/providers.mjs";

const { default: init, Session } = await import(join(root, "pkg/node.js"));
let server;
before(async () => {
  await init();
  server = await startProviders({ answer: () => "OK. 1. Maximizing the floor income" });
});
after(() => server.close());

const config = (tag, fault) => ({
  protocol: "discussion", topic: "Tea or coffee?", start: "at_once", rounds: 2,
  agents: ["Ada", "Bo", "A#b"].map((name) => ({ name, personality: "A person.", role: "specialist", kind: "model", provider: "openai", model: "m-1", base_url: server.base("openai", tag, fault) })),
});
const used = (tag) => server.requests(tag).map(({ headers }) => headers.authorization);
async function halted(session) {
  session.run().catch(() => {});
  while (!["halted", "ended"].includes(session.status.state)) await new Promise((done) => setTimeout(done, 20));
  return session.status.state;
}

test("a seat's own key goes before its origin's", async () => {
  const session = await Session.create(config("own", "none"), { store: "memory", keys: { [server.origin]: "key-of-all", [`${server.origin.toUpperCase()}/v1#Bo`]: "key-of-bo", [`${server.origin}#A#b`]: "key-of-ab" } });
  assert.equal(await halted(session), "ended");
  assert.deepEqual(used("own"), ["all", "bo", "ab", "all", "bo", "ab"].map((whose) => `Bearer key-of-${whose}`));
  await session.close();
});

test("null forgets a key; what is left is used, and what is no key says nothing", async () => {
  const { origin } = server;
  const session = await Session.create(config("forgotten", "401"), { store: "memory", keys: { [origin]: "key-1", [`${origin}#Ada`]: "key-2", "https://x.example": null } });
  const again = async (keys) => {
    const before = used("forgotten").length;
    session.setKeys(keys);
    session.resume();
    while (used("forgotten").length === before || session.status.state !== "halted") await new Promise((done) => setTimeout(done, 20));
    return used("forgotten").at(-1);
  };
  assert.equal(await halted(session), "halted");
  assert.deepEqual(used("forgotten"), ["Bearer key-2"]);
  assert.equal(await again({ [`${origin}#Ada`]: "", [origin]: undefined }), "Bearer key-2");
  assert.equal(await again({ [`${origin}#Ada`]: null }), "Bearer key-1");
  assert.equal(await again({ [origin]: null }), undefined);
  assert.equal(await again({ [`${origin}#Ada`]: " key-3 " }), "Bearer key-3");
  assert.ok(!JSON.stringify(session.entries()).includes("key-"));
  session.stop();
  await session.close();
});
