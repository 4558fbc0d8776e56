// The script of a capsule: which runs there are, what came of them, each as a text, and whether the engine makes them again.

const { title, registration, version, n, cells, records } = JSON.parse(document.getElementById("study").textContent);
const engine = URL.createObjectURL(new Blob([document.getElementById("engine").textContent], { type: "text/javascript" }));
const main = document.querySelector("main");

/** An element with attributes and children; text is always text. */
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) key.startsWith("on") ? made.addEventListener(key.slice(2), value) : made.setAttribute(key, value);
  made.append(...children);
  return made;
}

async function textOf({ gzip }) {
  const bytes = Uint8Array.from(atob(gzip), (char) => char.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
}

const state = element("p", { role: "status" });
main.append(
  element("h1", {}, title),
  element("p", {}, `${records.length} runs. Registration ${registration}. The engine that made them, ${version}, is inside: nothing here needs a network.`),
  state,
);
state.textContent = "Loading the engine …";
const { default: init, Session, outcomeText } = await import(engine);
await init();

/** Hands a run to a function, as a session in memory. */
async function withRun(run, use) {
  const session = await Session.import(await textOf(run), { store: "memory" });
  try {
    return await use(session);
  } finally {
    await session.close();
    session.free();
  }
}

const shown = element("pre", { tabindex: "0", "aria-label": "The run" });
shown.hidden = true;
const rows = new Map();
for (const run of records) {
  const outcome = element("td", {});
  const verdict = element("td", {});
  const show = element("button", { type: "button", onclick: async () => {
    shown.textContent = await withRun(run, async (session) => (await session.export("md")).text).catch((error) => error.message);
    shown.hidden = false;
    shown.focus();
  } }, run.id);
  rows.set(run, { outcome, verdict, row: element("tr", {}, element("th", { scope: "row" }, show), element("td", {}, run.cell), outcome, verdict) });
}

/** Shows what came of a run. Returns whether it has ended. */
async function readOutcome(run) {
  const { outcome } = rows.get(run);
  try {
    return await withRun(run, (session) => {
      const isEnded = session.status.state === "ended";
      outcome.textContent = isEnded ? outcomeText(session.config.protocol ?? "justice", session.view().result) : "not ended";
      return isEnded;
    });
  } catch (error) {
    outcome.textContent = error.message;
    return false;
  }
}

async function verifyAll() {
  let verified = 0;
  for (const [at, run] of records.entries()) {
    state.textContent = `Verifying ${at + 1} of ${records.length} …`;
    const { verdict } = rows.get(run);
    try {
      const report = await withRun(run, (session) => session.verify());
      verdict.textContent = report.verified ? "verified" : `differs at entry ${report.seq}`;
      if (report.verified) verified += 1;
    } catch (error) {
      verdict.textContent = error.message;
    }
  }
  state.textContent = `${verified} of ${records.length} runs were made again by the engine and are the same.`;
}

const summary = element("tbody", {});
main.append(
  element("button", { type: "button", onclick: verifyAll }, "Verify all"),
  element("table", {}, element("caption", {}, "Cells"), element("thead", {}, element("tr", {}, ...["Cell", "Runs", "Ended"].map((name) => element("th", { scope: "col" }, name)))), summary),
  element("table", {}, element("caption", {}, "Runs"), element("thead", {}, element("tr", {}, ...["Run", "Cell", "Outcome", "Verified"].map((name) => element("th", { scope: "col" }, name)))),
    element("tbody", {}, ...[...rows.values()].map(({ row }) => row))),
  shown,
);
const ended = new Map(cells.map((name) => [name, 0]));
for (const run of records) if (await readOutcome(run)) ended.set(run.cell, (ended.get(run.cell) ?? 0) + 1);
for (const [name, count] of ended) {
  const all = records.filter(({ cell }) => cell === name).length;
  summary.append(element("tr", {}, element("th", { scope: "row" }, name), element("td", {}, `${all} of ${n}`), element("td", {}, `${count}`)));
}
state.textContent = "";
