// A mixed table of each procedure in the host's own page, from the link to the results: two people on pages of their own,
// two models of a server beside, one simulated participant.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { readLink } from "../../src/web/room/link.js";
import { assertFine } from "../support/access.mjs";
import { PHONE, plays } from "../support/device.mjs";
import { assertAskedOnce, openPage, stored } from "../support/page.mjs";
import { bySchema, startProviders } from "../support/providers.mjs";
import { host } from "../support/trial.mjs";

let lab;
let server;
before(async () => {
  lab = await openPage();
  server = await startProviders({ answer: (question, tag, schema) => (schema ? JSON.stringify(bySchema(schema)) : `As ${tag} sees it, it depends on who pays for it in the end.`) });
});
after(async () => {
  await lab?.close();
  await server?.close();
});

const SESSIONS = {
  justice: { phase2_rounds: 1 },
  discussion: { topic: "Should bread be free?", rounds: 1, start: "at_once" },
  debate: { question: "Tea or coffee?", schedule: [{ kind: "propose" }, { kind: "critique" }, { kind: "vote" }], consensus: "majority" },
  delphi: { question: "How many people live in Berlin?", unit: "people", rounds: 2 },
};

for (const [protocol, more] of Object.entries(SESSIONS)) {
  test(`two people, two models and a simulated participant at a table: ${protocol}`, { timeout: 240_000 }, async () => {
    const model = (name) => ({ name, kind: "model", provider: "compatible", model: name.toLowerCase(), base_url: server.base("compatible", `${protocol}-${name}`) });
    const agents = [{ name: "One", kind: "human" }, model("Max"), { name: "Two", kind: "human" }, model("Mia"), { name: "Sim", kind: "scripted" }];
    const session = { protocol, title: "A mixed table", language: "English", seed: 3, agents: agents.map((agent) => ({ ...agent, personality: "A neighbour." })), ...more };
    const { page, context, problems, link } = await host(lab, { title: "A mixed room", session, people: 2, tables: 1, deal: "arrival", start: "full" });
    const guests = [await lab.newPage(PHONE), await lab.newPage(PHONE)];
    for (const guest of guests) {
      guest.page.setDefaultTimeout(60_000);
      await guest.page.goto(link);
    }
    await page.getByTestId("room-table").waitFor();
    // The card tells of all five: two people with what they do, and who sits there beside them.
    assert.equal(await page.locator(".room-seat").count(), 5);
    const beside = await page.getByTestId("room-other").allInnerTexts();
    assert.deepEqual(beside.map((text) => text.split("\n").join(" ").match(/(Max|Mia|Sim)\s+(model|simulated)/)?.slice(1)), [["Max", "model"], ["Mia", "model"], ["Sim", "simulated"]]);
    if (protocol === "delphi") await assertFine(page, "tables-mixed", { widths: [360] });
    await Promise.all(guests.map((guest, at) => plays(guest.page, at)));
    await page.locator("[data-testid=room-table] .tag[data-state=ended]").waitFor();
    assert.equal(await page.getByTestId("table-cost").textContent(), "Cost: nothing");

    const id = `${readLink(link).room}-1`;
    const entries = await stored(page, id);
    assertAskedOnce(entries);
    const of = (type) => entries.filter(({ what }) => what.type === type).map(({ what }) => what);
    const { agents: seats } = of("started")[0].config;
    assert.deepEqual(seats.map(({ kind }) => kind), ["human", "model", "human", "model", "scripted"]);
    const seatOf = new Map(of("asked").map(({ ask }) => [ask.id, ask.seat]));
    for (const { name, kind } of seats) {
      const answered = of("answered").filter(({ ask }) => seatOf.get(ask) === name);
      assert.ok(answered.length, `${name} was asked`);
      // People answer by form, under the ids of their devices; of the others nobody stands in.
      for (const { reply } of answered) assert.deepEqual([reply.answered_as === "form", Boolean(reply.request_id), reply.stood_in ?? false], [kind === "human", kind === "human", false], name);
      if (kind === "model") assert.equal(server.requests(`${protocol}-${name}`).length, of("sent").filter(({ ask }) => seatOf.get(ask) === name).length, name);
    }
    await page.evaluate((to) => (location.hash = to), `#/results/${id}`);
    await page.getByTestId("verify").click();
    const verdict = page.locator("[data-testid=verified][data-ok]");
    await verdict.waitFor();
    assert.equal(await verdict.getAttribute("data-ok"), "true");
    for (const guest of guests) {
      assert.match(await guest.page.getByTestId("over").innerText(), /Thank you for taking part/);
      assert.deepEqual(guest.problems, []);
      await guest.context.close();
    }
    // A stream that has said all is let go of before its end.
    assert.deepEqual(problems.filter((one) => !one.includes("/chat/completions net::ERR_ABORTED")), []);
    await context.close();
  });
}
