// Items and results of blocks, made by hand, under the page's security policy: every kind is drawn, and hostile texts stay texts.
import assert from "node:assert/strict";
import { test } from "node:test";
import { WebSocket } from "ws";
import { broker } from "../../src/web/room/broker.js";
import { pageWords } from "../../scripts/words.mjs";
import { eventually } from "../support/eventually.mjs";
import { bundled } from "../support/page_code.mjs";
import { usePage } from "../support/page.mjs";
import { stubRoom } from "../support/stub_room.mjs";

const HOSTILE = "<img src=x onerror=\"window.harmed = 1\"><script>window.harmed = 1</script> [link](javascript:window.harmed=1) \u202Eright to left\u202C";
const LONG = "wörd ".repeat(2000);
const TONES = ["strong", "quiet", "tag", "note", "private", "good", "bad"];
const kinds = (text) => [
  { block: "text", text },
  ...TONES.map((tone) => ({ block: "text", text, tone })),
  { block: "quote", text: `**bold** ${text}\n\n> ${text}\n\n| a | b |\n| ${text.replaceAll("|", "")} | 1 |`, seat: "Bo" },
  { block: "list", items: [`*Because* ${text}`], quoted: true },
  { block: "list", items: [`*plain* ${text}`] },
  { block: "measure", text },
  { block: "choices", items: [{ name: text, about: text, number: 1 }, { name: "B" }] },
  { block: "choices", label: text, items: [{ name: text, about: text }] },
  { block: "votes", votes: [{ seat: "Ada", choice: { name: text, about: text } }, { seat: "Bo", choice: { name: text, isMissing: true } }] },
  { block: "table", title: text, columns: ["", text], rows: [[text, "1"]], column: 1, row: 0 },
  { block: "table", title: text, columns: ["", text], rows: [["Ada", text]], hasSeats: true },
  { block: "fold", title: text, blocks: [{ block: "fold", title: "Deeper", blocks: [{ block: "quote", text }] }] },
  ...["lines", "places", "bars", "stacked"].map((shape) => ({ block: "chart", shape, title: text, text, unit: text, x: ["Round 1", text],
    band: { lower: { label: "Lower", values: [1, 2] }, upper: { label: "Upper", values: [3, null] } },
    lines: [{ label: text, strong: true, number: 2, values: [2, 2.5] }, { label: "Ada", seat: "Ada", values: [null, 1] }] })),
  { block: "of another version" },
];
const item = (changes) => ({ key: "i", section: "s", version: 1, seq: 1, done: true, asks: [], type: "report", seat: null, isSpeech: false, blocks: [], ...changes });

const lab = usePage();

/** A page on which `window.blocks` draws as the lab does. */
async function drawing() {
  const { page, problems } = await lab.visit();
  const code = `export { drawBlocks } from "./block-item.tsx"; export { use } from "./i18n.js";
    import { h } from "preact"; import { drawing } from "./elements.tsx"; import { ResultBlocks } from "./block-item.tsx";
    export const results = (properties) => drawing(h(ResultBlocks, properties));`;
  const js = await bundled(null, code);
  await page.route("**/blocks-alone.js", (route) => route.fulfill({ contentType: "text/javascript", body: js }));
  await page.route("**/i18n/en.json", (route) => route.fulfill({ json: pageWords("en") }));
  await page.evaluate(async () => {
    const blocks = await import(new URL("blocks-alone.js", document.baseURI).href);
    await blocks.use("en");
    const people = new Map(["Ada", "Bo"].map((name, index) => [name, { name, index, kind: "model" }]));
    const asks = new Map();
    const place = document.createElement("ol");
    place.className = "turns";
    document.querySelector("main").replaceChildren(place);
    const context = { person: (name) => people.get(name), ask: (id) => asks.get(id), inspect: (shown) => (window.inspected = shown.key) };
    let node;
    Object.assign(window, { blocks, people, asks, show(shown) {
      node = blocks.drawBlocks(shown, context, node);
      if (!node.isConnected) place.append(node);
    } });
  });
  return { page, problems, show: (shown) => page.evaluate((one) => window.show(one), shown) };
}

/** No text has become an element, an address or a script. */
const assertHarmless = async (page, place) => {
  assert.equal(await page.evaluate(() => window.harmed), undefined);
  assert.equal(await page.locator(place).locator("img, script, a, iframe, object, embed, form, style, link").count(), 0);
};

for (const [name, text] of [["plain", "43 days"], ["hostile", HOSTILE], ["long", LONG]]) {
  test(`every kind of block is drawn from ${name} texts, in an item and in results`, async () => {
    const { page, problems, show } = await drawing();
    await show(item({ blocks: kinds(text) }));
    const drawn = page.getByTestId("report");
    const counts = { "strong": 3, ".note .icon": 1, ".verdict-line .icon": 2, ".tag": 1, ".prose": 3, ".prose table:not([class])": 1, "table.numbers": 3, "td.chosen.drawn": 1, "th .avatar": 1, ".reasons": 2, "ol.order > li": 2, ".chain .quiet": 1, ".badge-button": 3, ".principle.p1": 1, ".ballots > li": 2, ".missing": 1, "details details": 1, canvas: 4 };
    for (const [selector, least] of Object.entries(counts)) assert.ok(await drawn.locator(selector).count() >= least, selector);
    assert.ok((await drawn.textContent()).includes(text.trim()), "the text as it came");
    await assertHarmless(page, "[data-testid=report]");
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing is wider than the page");
    await drawn.locator("figure details summary").first().evaluate((summary) => summary.click());
    await eventually.equal(() => drawn.locator("figure").first().locator("tbody tr").count(), 4);
    await drawn.locator(".ballots .badge-button").click();
    assert.ok((await page.getByTestId("about").textContent()).includes(text.trim()));
    await assertHarmless(page, "[data-testid=explanation]");
    await page.keyboard.press("Escape");

    await page.evaluate((results) => {
      const { node, leave } = window.blocks.results({ results, people: window.people });
      document.querySelector("main").replaceChildren(node);
      window.leave = leave;
    }, kinds(text));
    const results = page.getByTestId("result-blocks");
    assert.equal(await results.locator("figure").count(), 4);
    await assertHarmless(page, "[data-testid=result-blocks]");
    await page.evaluate(() => window.leave());
    assert.equal(await results.count(), 0);
    assert.deepEqual(problems, []);
  });
}

test("a row has its participant, measures at its side, and the details; drawn again it keeps the focus and what is unfolded", async () => {
  const { page, problems, show } = await drawing();
  const row = item({ type: "estimate", seat: "Ada", done: false, asks: ["a"] });
  await page.evaluate(() => window.asks.set("a", { id: "a", state: "sent", kind: "estimate", structured: false }));
  await show(row);
  const drawn = page.getByTestId("estimate");
  assert.match(await drawn.getAttribute("class"), /row-turn.*open/);
  assert.equal(await drawn.locator("[data-stream=a]").count(), 1);
  await drawn.getByTestId("details").focus();
  const blocks = [{ block: "quote", text: "I *count*." }, { block: "measure", text: "43 days" }, { block: "fold", title: "More", blocks: [{ block: "text", text: "A." }] }];
  await show({ ...row, done: true, blocks });
  assert.equal(await page.evaluate(() => document.activeElement.dataset.testid), "details");
  assert.equal(await drawn.locator(".row-body .prose em").textContent(), "count");
  assert.equal(await drawn.locator(".row-side .figure").textContent(), "43 days");
  assert.equal(await drawn.locator(".row-body .figure, [data-stream]").count(), 0);
  await drawn.locator("summary").click();
  await show({ ...row, done: true, blocks: [{ ...blocks[0], text: "I *reckon*." }, ...blocks.slice(1)] });
  assert.equal(await drawn.locator("em").textContent(), "reckon");
  assert.ok(await drawn.locator("details").evaluate((details) => details.open));
  await drawn.getByTestId("details").click();
  assert.equal(await page.evaluate(() => window.inspected), "i");
  assert.deepEqual(problems, []);
});

test("a speech is a bubble under the name, with what goes with it around", async () => {
  const { page, problems, show } = await drawing();
  const speech = item({ type: "statement", seat: "Ada", isSpeech: true, done: false, asks: ["a"] });
  const ask = (changes) => page.evaluate((one) => window.asks.set("a", one), { id: "a", state: "sent", kind: "statement", ...changes });
  await show(speech);
  assert.ok(await page.locator(".turns > li").isHidden(), "nothing is said and nobody is asked");
  await ask({ kind: "internal_reasoning" });
  await show(speech);
  assert.equal(await page.locator(".private[data-stream=a]").count(), 1, "thoughts are no speech");
  await ask({});
  await show(speech);
  assert.equal(await page.locator(".bubble [data-stream=a]").count(), 1);
  assert.equal(await page.getByTestId("statement").count(), 0, "it is not said yet");
  const text = (tone, of) => ({ block: "text", tone, text: of });
  await show({ ...speech, done: true, blocks: [text("tag", "critic"), text("plain", "before"), { block: "quote", text: "I *say*." }, text("note", "after"), { block: "measure", text: "9 characters" }] });
  const drawn = page.getByTestId("statement");
  assert.equal(await drawn.locator(".bubble em").textContent(), "say");
  assert.equal(await drawn.locator(".who .tag").last().textContent(), "critic");
  assert.deepEqual(await drawn.locator("article > *").evaluateAll((all) => all.map((one) => one.className)), ["who", "pre", "bubble", "note", "under"]);
  assert.match(await drawn.locator(".under").textContent(), /^9 characters /);
  assert.deepEqual(problems, []);
});

test("a guest reads the same blocks, with the names that people chose", async (own) => {
  const { page, problems } = await lab.visit();
  await page.close();
  const host = broker(`${lab.url.replace("http", "ws")}room`, { WebSocket });
  own.after(() => host.close());
  const room = stubRoom(host);
  const items = [
    item({ key: "a", type: "estimate", seat: "Ada", blocks: [{ block: "measure", text: "43 days" }, { block: "quote", text: "**Why** not" }] }),
    item({ key: "b", type: "estimate", seat: "Bo", done: false }),
    item({ key: "c", blocks: kinds(HOSTILE) }),
  ];
  const view = { role: "seat:Ada", number: 1, whole: true, run: "ended", people: [], asks: [], doing: {}, next: [], steps: [], items, outcome: `So be it. ${HOSTILE}`,
    results: [], sections: [{ key: "s", place: 0, phase: null, step: "round", round: 1, kinds: [], title: "The first round", items: ["a", "b", "c"], version: 1 }] };
  const state = { you: { number: 1, pseudonym: "Ada", name: "Zoe" }, table: { number: 1, seat: "Ada", stoodIn: false, participants: [{ seat: "Ada", name: "Zoe", kind: "human" }, { seat: "Bo", name: "Yan", kind: "human" }] }, view };
  room.on = (message, id) => message.type === "hello" && room.tell(id, { stage: "over", end: { code: null, way: "complete", earned: null, url: null }, ...state });
  const guest = await lab.newPage({ viewport: { width: 360, height: 740 } });
  await guest.page.goto(`${lab.url}join.html#${room.text}`);
  await guest.page.getByTestId("seen-open").click();
  const seen = guest.page.locator(".seen");
  await seen.waitFor();
  assert.equal(await seen.locator("h3").textContent(), "The first round");
  assert.deepEqual(await seen.locator(".seen-said.mine .seen-who").allTextContents(), ["Zoe (you)"]);
  assert.equal(await seen.locator(".seen-said .prose strong").textContent(), "Why");
  assert.equal(await seen.locator("> ul > li").count(), 2, "what is not done is not shown");
  const notice = seen.locator(".seen-note");
  assert.deepEqual(await notice.locator(".ballots li span:first-child").allTextContents(), ["Zoe (you)", "Yan"]);
  assert.equal(await notice.locator("canvas").count(), 0, "charts are for the lab");
  assert.equal(await notice.locator("details table").count(), 4, "but not what they show");
  assert.ok((await guest.page.locator(".join-result").textContent()).startsWith("So be it. <img"));
  await notice.locator(".badge-button").first().click();
  assert.ok((await guest.page.getByTestId("about").textContent()).includes("<img"));
  await guest.page.keyboard.press("Escape");
  await assertHarmless(guest.page, "body > #app");
  assert.ok(await guest.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  assert.deepEqual([...problems, ...guest.problems], []);
});
