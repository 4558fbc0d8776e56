// A guest in a page of another library: the example of docs/rooms.md, as it stands there, in jsPsych, from the link to the
// data that jsPsych saves. The other person at the table is a light device.
import assert from "node:assert/strict";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { join } from "node:path";
import { WebSocket } from "ws";
import { broker } from "../../../src/web/room/broker.js";
import { open } from "../../support/browser.mjs";
import { guest } from "../../support/guests.mjs";
import { built, entry, installPackage, root } from "../../support/package.mjs";

const { default: init } = await import(entry);
const { Room } = await import(built("room.js"));

const [, example] = /jsPsych it is a trial.*?```js\n(.*?)```/s.exec(readFileSync(join(root, "docs/rooms.md"), "utf8"));
const PAGE = `<!doctype html><meta charset="utf-8"><title>A study</title><link rel="icon" href="data:,">
<script type="importmap">{ "imports": { "quorate/guest": "./node_modules/quorate/guest.js" } }</script>
<script src="jspsych.js"></script><script type="module" src="study.js"></script>`;
const STUDY = `${example}
const jsPsych = initJsPsych({ on_finish: () => (globalThis.data = jsPsych.data.get().values()) });
await jsPsych.run([{ type: AtTheTable }]);`;

let installed;
let web;
before(async () => {
  await init();
  installed = installPackage();
  writeFileSync(join(installed.folder, "index.html"), PAGE);
  writeFileSync(join(installed.folder, "study.js"), STUDY);
  copyFileSync(join(root, "node_modules/jspsych/dist/index.browser.min.js"), join(installed.folder, "jspsych.js"));
  web = await open(installed.folder);
});
after(async () => {
  await web?.close();
  installed?.remove();
});

test("the guest of the documentation takes part in jsPsych, from the link to its data", async (own) => {
  const address = new URL("room", web.url).href.replace("http", "ws");
  const posts = [broker(address, { WebSocket }), broker(address, { WebSocket })];
  const agents = ["One", "Two"].map((name) => ({ name, personality: "A neighbour.", kind: "human" }));
  const session = { protocol: "delphi", question: "How many trees?", unit: "trees", minimum: 0, maximum: 500, rounds: 2, agents, seed: 3 };
  const plan = { title: "Trees", session, people: 2, tables: 1, start: "full", names: "own", ways: { complete: { code: "TREES-1" } }, earned: { unit: "€", fixed: 2 } };
  const room = await Room.open(plan, { transport: posts[0], own: true, base: `${web.url}index.html`, store: "memory", session: { store: "memory" } });
  const other = guest(room.link, posts[1], { answers: { "room/name": { name: "Ben" } } });
  own.after(async () => {
    other.leave();
    await room.close();
    posts.forEach((post) => post.close());
  });
  const { page, problems } = await web.newPage();
  await page.goto(room.link.replace("#", "?PROLIFIC_PID=p1#"));
  const asks = (label) => page.getByPlaceholder(label, { exact: true });
  await asks("Name").fill("Ana");
  await page.getByRole("button").click();
  for (const [number, reason] of [[120, "I counted my street."], [140, "The park as well."]]) {
    await asks("Your reasons").waitFor();
    await asks("Your estimate (trees)").fill(String(number));
    await asks("Your reasons").fill(reason);
    await page.getByRole("button").click();
    await page.waitForFunction((text) => ![...document.querySelectorAll("input")].some(({ value }) => value === text), reason);
  }
  await page.waitForFunction(() => globalThis.data);
  const [{ trial_type, code, way, earned }] = await page.evaluate(() => globalThis.data);
  assert.deepEqual({ trial_type, code, way, earned }, { trial_type: "at-the-table", code: "TREES-1", way: "complete", earned: "€2.00" });
  const [{ seat }] = room.names.export().filter(({ params }) => params.PROLIFIC_PID === "p1");
  const estimated = room.session(1).entries().filter(({ what }) => what.type === "event" && what.event.type === "estimated" && what.event.seat === seat);
  assert.deepEqual(estimated.map(({ what: { event } }) => [event.estimate, event.reason]), [[120, "I counted my street."], [140, "The park as well."]]);
  assert.ok((await room.session(1).verify()).verified);
  assert.deepEqual(problems, []);
});
