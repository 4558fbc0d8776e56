// The script of a capsule: the runs with their outcomes, each as a text, tables of all, and whether the engine makes
// them again.

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
const { default: init, Session, TableStream, outcomeText } = await import(engine);
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

const text = element("pre", { tabindex: "0" });
const heading = element("h2", { id: "heading" });
const shown = element("dialog", { "aria-labelledby": "heading" }, element("form", { method: "dialog" }, heading, element("button", {}, "Close")), text);
const rows = new Map();
for (const run of records) {
  const outcome = element("td", {});
  const verdict = element("td", {});
  const show = element("button", { type: "button", onclick: async () => {
    heading.textContent = run.id;
    text.textContent = await withRun(run, async (session) => (await session.export("md")).text).catch((error) => error.message);
    shown.showModal();
    text.scrollTop = 0;
  } }, run.id);
  rows.set(run, { outcome, verdict, row: element("tr", {}, element("th", { scope: "row" }, show), outcome, verdict) });
}

/** Shows the outcome of a run. Returns whether it has ended. */
async function readOutcome(run) {
  const { outcome } = rows.get(run);
  try {
    return await withRun(run, (session) => {
      const isEnded = session.status.state === "ended";
      const { people, result } = session.view();
      const simulated = people.filter(({ kind }) => kind === "scripted").length;
      outcome.textContent = isEnded ? outcomeText(session.config.protocol ?? "justice", result) : "not ended";
      if (simulated) outcome.append(` (${simulated} of ${people.length} participants are simulated)`);
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

/** All tables as files by name, made once. */
let made;
async function makeTables() {
  const stream = new TableStream();
  const pieces = [];
  for (const [at, run] of records.entries()) {
    state.textContent = `Making tables: ${at + 1} of ${records.length} …`;
    pieces.push(...stream.add(await textOf(run)));
  }
  // Columns that later runs added are empty in earlier rows.
  const files = Object.entries(stream.headers()).map(([table, { header, columns }]) => {
    const rows = pieces.filter((piece) => piece.table === table).map((piece) => (piece.columns === columns ? piece.rows : stream.filled(table, piece.columns, piece.rows)));
    return [`${table}.csv`, new Blob([header, ...rows], { type: "text/csv" })];
  });
  files.push(...stream.filesBeside().filter(({ name }) => name.endsWith(".csv")).map(({ name, text }) => [name, new Blob([text], { type: "text/csv" })]));
  stream.free();
  return new Map(files);
}

async function save(name) {
  try {
    made ??= makeTables();
    const address = URL.createObjectURL((await made).get(name));
    element("a", { href: address, download: name }).click();
    URL.revokeObjectURL(address);
    state.textContent = `${name} was saved.`;
  } catch (error) {
    state.textContent = error.message;
  }
}

const summary = element("tbody", {});
const tables = ["runs", "seats", "decisions", "utterances", "asks", "codebook"].map((table) => `${table}.csv`);
main.append(
  element("p", { class: "buttons" }, element("button", { type: "button", onclick: verifyAll }, "Verify all")),
  element("p", { class: "buttons", role: "group", "aria-label": "Tables" }, "Save tables: ", ...tables.map((name) => element("button", { type: "button", onclick: () => save(name) }, name))),
  element("table", {}, element("caption", {}, "Cells"), element("thead", {}, element("tr", {}, ...["Cell", "Runs", "Ended"].map((name) => element("th", { scope: "col" }, name)))), summary),
  element("table", {}, element("caption", {}, "Runs"), element("thead", {}, element("tr", {}, ...["Run", "Outcome", "Verified"].map((name) => element("th", { scope: "col" }, name)))),
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
