// From a folder of runs to tables, a bundle, and whether it is what the study and its records give.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { gunzipSync, gzipSync, inflateRawSync } from "node:zlib";
import { rowsOf } from "../../src/web/study/csv.js";
import { archive } from "../../src/web/zip.js";
import { built, entry, version } from "../support/package.mjs";
import { startProviders } from "../support/providers.mjs";

const { default: init, folder, Library, Session } = await import(entry);

const STUDY = {
  study: 1, id: "un-animity", title: "Rules, and \"two\" cells", n: 2, seed: 7,
  base: { protocol: "justice", phase2_rounds: 2, agents: ["Ana", "Ben"].map((name) => ({ name, personality: "A nurse." })) },
  factors: { rule: { strict: { "phase2_settings.strict": true }, tolerant: { "phase2_settings.strict": false } } },
};
const RECORD = "records/un-animity.strict.0002.jsonl.gz";
const PEOPLE = { study: 1, id: "people", n: 1, base: { protocol: "delphi", question: "How many?", rounds: 2, answers: "free", agents: [{ name: "Ana", kind: "human", personality: "" }, { name: "Ben", kind: "human", personality: "" }] } };

let root;
const at = (...path) => join(root, ...path);
/** Runs the command line. Returns its exit code and output. */
function quorate(...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [built("cli.js"), ...args], { cwd: root, encoding: "utf8" });
  return { status, stdout, stderr };
}
function studyOf(name, file, more = []) {
  writeFileSync(at(`${name}.json`), JSON.stringify(file));
  assert.deepEqual(quorate("run", `${name}.json`, "--out", name, ...more).status, 0);
}
/** The files of an archive by name, read by their local headers. */
function unzipped(path) {
  const bytes = readFileSync(path);
  const files = {};
  for (let place = 0; bytes.readUInt32LE(place) === 0x04034b50; ) {
    const [packed, title, extra] = [bytes.readUInt32LE(place + 18), bytes.readUInt16LE(place + 26), bytes.readUInt16LE(place + 28)];
    const begin = place + 30 + title + extra;
    files[bytes.toString("utf8", place + 30, place + 30 + title)] = inflateRawSync(bytes.subarray(begin, begin + packed));
    place = begin + packed;
  }
  return files;
}
function unpack(files, name) {
  for (const [path, bytes] of Object.entries(files)) {
    mkdirSync(dirname(at(name, path)), { recursive: true });
    writeFileSync(at(name, path), bytes);
  }
}
/** Writes the sums anew, as somebody who wants an alteration to stay unseen would. */
function sumAgain(name) {
  const files = readdirSync(at(name), { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
    .map((one) => join(one.parentPath ?? one.path, one.name).slice(at(name).length + 1)).filter((path) => path !== "SHA256SUMS");
  writeFileSync(at(name, "SHA256SUMS"), files.sort().map((path) => `${createHash("sha256").update(readFileSync(at(name, path))).digest("hex")}  ${path}\n`).join(""));
}

before(async () => {
  await init();
  root = mkdtempSync(join(tmpdir(), "quorate-bundle-"));
  studyOf("study", STUDY);
  assert.equal(quorate("plan", "study.json", "--register", "--out", "study").status, 0);
  assert.equal(quorate("bundle", "study", "--out", "x.zip").status, 0);
  unpack(unzipped(at("x.zip")), "whole");
});
after(() => rmSync(root, { recursive: true, force: true }));

test("streamed tables are those of an export, to the byte", async () => {
  // Another procedure, whose columns are added after rows were written.
  const store = folder(at("mixed", "runs"));
  for (const [id, config] of [["a", STUDY.base], ["b", { protocol: "delphi", question: "How many?", rounds: 2, answers: "free", agents: STUDY.base.agents }], ["c", STUDY.base]]) {
    const session = await Session.create({ seed: 1, language: "English", ...config }, { store, id });
    await session.run();
    await session.close();
    session.free();
  }
  for (const prompts of [false, true]) {
    assert.deepEqual(quorate("tables", "mixed", ...(prompts ? ["--prompts"] : [])).stderr, "");
    const { bytes } = await Library.export(["a", "b", "c"], "zip", { store, prompts });
    writeFileSync(at("tables.zip"), bytes);
    const files = unzipped(at("tables.zip"));
    assert.deepEqual(readdirSync(at("mixed", "tables")).sort(), Object.keys(files).sort());
    for (const [name, text] of Object.entries(files)) assert.ok(readFileSync(at("mixed", "tables", name)).equals(text), name);
  }
});

test("a bundle has the study, its plan, its data under names of standards, and its records", () => {
  const files = unzipped(at("x.zip"));
  assert.deepEqual(Object.keys(files).sort(), [
    "CHANGES.md", "README.md", "SHA256SUMS", "analysis/load.R", "analysis/load.py", "codebook.csv",
    ...["asks", "decisions", "runs", "seats", "utterances"].map((table) => `data/study-unanimity_table-${table}_data.csv`),
    "datapackage.json", "dataset_description.json", "engine.json", "guide-llm.md", "plan.csv",
    ...["strict.0001", "strict.0002", "tolerant.0001", "tolerant.0002"].map((id) => `records/un-animity.${id}.jsonl.gz`),
    "registration.json", "study.json",
  ]);
  const of = (name) => JSON.parse(files[name]);
  assert.deepEqual(of("study.json"), STUDY);
  assert.equal(of("engine.json").engine, `quorate ${version}`);
  assert.match(files["plan.csv"].toString(), /^run,cell,repetition,seed,factor_rule\r\nun-animity\.(strict|tolerant)\.0001,\1,1,\d+,\1\r\n/);
  const record = readFileSync(at("study", "runs", "un-animity.strict.0002.jsonl"));
  assert.ok(gunzipSync(files[RECORD]).equals(record));
  const { resources } = of("datapackage.json");
  const variables = new Set(of("dataset_description.json").variableMeasured.map(({ name }) => name));
  for (const { path, schema } of resources) {
    const header = files[path].toString().split("\r\n", 1)[0].split(",");
    assert.deepEqual(schema.fields.map(({ name }) => name), header);
    assert.ok(header.every((name) => variables.has(name)));
    assert.match(path, /^data\/[a-z]+-[a-zA-Z0-9]+(_[a-z]+-[a-zA-Z0-9]+)*_data\.csv$/);
  }
  assert.deepEqual(resources[0].schema.fields.find(({ name }) => name === "state").constraints, { enum: ["ended", "unfinished"] });
  const again = quorate("bundle", "study", "--out", "again.zip");
  assert.deepEqual([again.status, readFileSync(at("again.zip")).equals(readFileSync(at("x.zip")))], [0, true]);
});

test("a bundle is verified as an archive and as a folder", () => {
  for (const path of ["x.zip", "whole", "./study/../whole/"]) assert.deepEqual(quorate("verify", path), { status: 0, stdout: "verified: 4 records, their tables and the plan\n", stderr: "" });
  const { status, stdout } = quorate("verify", "study");
  assert.deepEqual([status, stdout.split("\n").at(-2)], [0, "verified: 4 records and the plan"]);
});

/** Alterations: what is done to an unpacked bundle, and the lines then, whether or not the sums are written anew. */
const alter = (name, change) => (place) => writeFileSync(join(place, name), change(readFileSync(join(place, name))));
const text = (change) => (bytes) => Buffer.from(change(bytes.toString()));
const record = (change) => alter(RECORD, (bytes) => gzipSync(change(gunzipSync(bytes))));
const ALTERATIONS = {
  "a byte in a record": [record(text((lines) => lines.replace("A nurse", "A norse"))), RECORD, RECORD],
  "a byte in a packed record": [alter(RECORD, (bytes) => Buffer.concat([bytes.subarray(0, 99), Buffer.from([bytes[99] ^ 1]), bytes.subarray(100)])), RECORD, RECORD],
  "a record cut": [record(text((lines) => `${lines.split("\n").slice(0, 20).join("\n")}\n`)), RECORD, "cell strict: 1 of 2 runs ended; left are un-animity.strict.0002"],
  "the end of a record cut": [record(text((lines) => `${lines.split("\n").slice(0, -2).join("\n")}\n`)), RECORD, "cell strict: 1 of 2 runs ended; left are un-animity.strict.0002"],
  "a record left out": [(place) => rmSync(join(place, RECORD)), RECORD, "cell strict: 1 of 2 runs ended; left are un-animity.strict.0002"],
  "a record of no run": [(place) => cpSync(join(place, RECORD), join(place, "records/other.jsonl.gz")), "records/other.jsonl.gz", "records/other.jsonl.gz: is not in the plan"],
  "a cell in a table": [alter("data/study-unanimity_table-seats_data.csv", text((rows) => rows.replace(",Ben,", ",Bob,"))),
    "data/study-unanimity_table-seats_data.csv", 'data/study-unanimity_table-seats_data.csv: line 3, column seat should be "Ben"'],
  "a list of records left out that names no run": [(place) => writeFileSync(join(place, "records/withheld.csv"), "run,sha256\r\nnone,00\r\n"), "records/withheld.csv", "records/withheld.csv: none is not in the plan"],
  "a list of records left out that names a record": [(place) => writeFileSync(join(place, "records/withheld.csv"), "run,sha256\r\nun-animity.strict.0002,00\r\n"), "records/withheld.csv", "records/withheld.csv: the record of un-animity.strict.0002 is not left out"],
  "a cell of a run whose record is there, where another is left out": [(place) => {
    rmSync(join(place, RECORD));
    writeFileSync(join(place, "records/withheld.csv"), "run,sha256\r\nun-animity.strict.0002,00\r\n");
    alter("data/study-unanimity_table-seats_data.csv", text((rows) => rows.replace(",Ben,", ",Bob,")))(place);
  }, "data/study-unanimity_table-seats_data.csv", 'data/study-unanimity_table-seats_data.csv: line 3, column seat should be "Ben"'],
  "a line of the plan": [alter("plan.csv", text((rows) => rows.replace(/strict,2,\d+/, "strict,2,5"))), "plan.csv", /^plan\.csv: line \d, column seed should be "\d+"$/m],
  "the study": [alter("study.json", text((file) => file.replace('"phase2_rounds": 2', '"phase2_rounds": 3'))), "study.json", `${RECORD}: its head differs from the plan in config, config_hash`],
  "the registration": [alter("registration.json", text((file) => file.replace(/"id": "../, '"id": "zz'))), "registration.json", "registration.json: is of another study"],
  "the answers to a checklist": [alter("guide-llm.md", text((file) => file.replace("scripted", "honest"))), "guide-llm.md", "guide-llm.md: differs from what the study gives"],
  "a script": [alter("analysis/load.R", text((file) => `${file}#`)), "analysis/load.R", "analysis/load.R: differs from what the study gives"],
};
for (const [name, [change, summed, found]] of Object.entries(ALTERATIONS)) {
  test(`verify names ${name}`, () => {
    rmSync(at("altered"), { recursive: true, force: true });
    cpSync(at("whole"), at("altered"), { recursive: true });
    change(at("altered"));
    const { status, stdout } = quorate("verify", "altered");
    assert.ok(status === 1 && stdout.split("\n").some((line) => line.startsWith(`${summed}: `)), stdout);
    sumAgain("altered");
    const again = quorate("verify", "altered");
    assert.equal(again.status, 1, again.stdout);
    if (found instanceof RegExp) assert.match(again.stdout, found);
    else assert.ok(again.stdout.includes(found), again.stdout);
  });
}

for (const [program, probe, script] of [["python3", ["-c", "import pandas"], "load.py"], ["Rscript", ["--version"], "load.R"]]) {
  test(`${script} loads the tables`, { skip: spawnSync(program, probe).status !== 0 && `no ${program} with what it takes here` }, () => {
    const { status, stdout, stderr } = spawnSync(program, [join("analysis", script)], { cwd: at("whole"), encoding: "utf8" });
    assert.equal(status, 0, stderr);
    const sizes = Object.fromEntries(stdout.trim().split("\n").map((line) => line.split(/\s+/)).map(([name, rows, columns]) => [name, [Number(rows), Number(columns)]]));
    const { resources } = JSON.parse(readFileSync(at("whole", "datapackage.json"), "utf8"));
    assert.deepEqual(Object.keys(sizes).sort(), resources.map(({ name }) => name).sort());
    for (const { name, schema } of resources) assert.equal(sizes[name][1], schema.fields.length, name);
    assert.deepEqual([sizes.runs[0], sizes.seats[0]], [4, 8]);
  });
}

test("GUIDE-LLM: simulated answers are not those of a model, and what no record says is left to the authors", () => {
  const guide = unzipped(at("x.zip"))["guide-llm.md"].toString();
  const items = [...guide.matchAll(/^## (.\S*) .*\n\n(.*)/gm)].map(([, item, text]) => [item, text]);
  assert.deepEqual(items.slice(0, -1).map(([item]) => item), ["A.1", "A.2", "B.1", "B.2", "B.3", "B.4", "B.5", "C.1", "C.2", "D.1", "E.1", "E.2", "F.1", "G.1"]);
  const open = items.filter(([, text]) => text === "**To be filled by the authors.**").map(([item]) => item);
  assert.deepEqual(open, ["A.1", "D.1", "E.1", "G.1"]);
  assert.match(guide, /\*\*No language model was called in these runs\.\*\*/);
  const [, asked, answered] = /^\| scripted participants.* \| (\d+) \| (\d+) \|$/m.exec(guide);
  const rows = readFileSync(at("whole", "data", "study-unanimity_table-asks_data.csv"), "utf8").match(/^un-animity\./gm);
  assert.deepEqual([asked, answered], Array(2).fill(String(rows.length)));
});

test("GUIDE-LLM: models are those that were asked and that answered, and their names are no Markdown", async (own) => {
  const server = await startProviders({ answer: ({ system }) => (system.includes("Ben") ? "No idea." : "Because.\nEstimate: 7") });
  own.after(() => server.close());
  const seat = (name, fault, more) => ({ name, personality: "A nurse.", kind: "model", provider: "openai", model: "a|<b>*x*", base_url: server.base("openai", name, fault), ...more });
  const file = { study: 1, id: "models", title: "A | <b>title</b>", n: 1, base: { protocol: "delphi", language: "English", question: "How many?", rounds: 2, answers: "free", agents: [
    seat("Ana", "none", { temperature: 0, seed: 3 }), seat("Ben", "none"), seat("Cleo", "404", { fallback: [{ model: "other", provider: "openai", base_url: server.base("openai", "Cleo", "none") }] }),
  ] } };
  const { study } = await import(entry);
  const { id: registration, runs: [{ id, config }] } = study.plan(file);
  const session = await Session.create(config, { store: folder(at("models", "runs")), id, keys: { [new URL(server.base("openai", "Ana")).origin]: "sk-1" } });
  await session.run();
  await session.close();
  writeFileSync(at("models", "study.json"), JSON.stringify({ registration, study: file }));
  assert.equal(quorate("bundle", "models", "--out", "models.zip").stderr, "");
  assert.equal(quorate("verify", "models.zip").stdout, "verified: 1 records, their tables and the plan\n");
  const files = unzipped(at("models.zip"));
  for (const { path, schema } of JSON.parse(files["datapackage.json"]).resources) {
    for (const row of rowsOf(files[path].toString()).slice(1)) {
      for (const [column, { name, constraints }] of schema.fields.entries()) {
        assert.ok(row[column] === "" || (constraints?.enum ?? [row[column]]).includes(row[column]), `${path}: ${name} is ${row[column]}`);
      }
    }
  }
  const guide = files["guide-llm.md"].toString();
  assert.match(guide, /^# GUIDE-LLM: A \\\| &lt;b\\>title&lt;\/b\\>$/m);
  assert.match(files["README.md"].toString(), /^# A \\\| &lt;b\\>title&lt;\/b\\>\n/);
  const rows = guide.split("\n").filter((line) => /^\| M\d /.test(line)).map((line) => line.split(/(?<!\\)\|/).slice(1, -1).map((cell) => cell.trim()));
  const day = new Date(JSON.parse(readFileSync(at("models", "runs", `${id}.jsonl`), "utf8").split("\n", 1)[0]).at).toISOString().slice(0, 10);
  const hostile = "a\\|&lt;b\\>\\*x\\*";
  assert.deepEqual(rows.slice(0, 4).map(([, , name, , answered, days]) => [name, answered, days]),
    [[hostile, "m-1 (2)", day], [hostile, "m-1 (6)", day], [hostile, "none", "none"], ["other", "m-1 (2)", day]]);
  assert.deepEqual(rows[4].slice(1), ["0 (2)", "not sent (2)", "2000 (2)", "not sent (2)", "3 (2)", "not sent (2)", "none", "none"]);
  assert.deepEqual(rows.slice(8).map(([, input, output]) => [input, output]), [["18", "10"], ["54", "30"], ["0", "0"], ["18", "10"]]);
  assert.match(guide, /^- Read, by rule: label \(4\)\n- Missing, by reason: not readable: no\\_amount\\_found \(6\)\n- Failed calls.*: request \(2\)$/m);
});

test("a cut archive is no archive, and what is no study has no bundle", () => {
  writeFileSync(at("cut.zip"), readFileSync(at("x.zip")).subarray(0, -30));
  assert.equal(quorate("verify", "cut.zip").status, 2);
  assert.match(quorate("bundle", "mixed", "--out", "y.zip").stderr, /mixed is no folder of a study: it has no study\.json/);
  assert.ok(!existsSync(at("y.zip")));
});

test("an archive that unpacks to other files than it shows is refused", async () => {
  const packed = async (path, files) => {
    const parts = [];
    for await (const part of archive(files)) parts.push(part instanceof Blob ? Buffer.from(await part.arrayBuffer()) : part);
    writeFileSync(at(path), Buffer.concat(parts));
  };
  for (const [names, why] of [[["study.json", "study.json"], /"study\.json" is in it twice/], [["study.json", "STUDY.JSON"], /"STUDY\.JSON" is in it twice/],
    [["../x"], /"\.\.\/x" leads out of it/], [["a/../../x"], /leads out of it/], [["/x"], /leads out of it/], [["C:\\x"], /leads out of it/]]) {
    await packed("odd.zip", names.map((name) => ({ name, text: "{}" })));
    const { status, stderr } = quorate("verify", "odd.zip");
    assert.deepEqual([status, why.test(stderr)], [2, true], stderr);
  }
  // A size beyond the archive is not believed.
  const bytes = readFileSync(at("x.zip"));
  bytes.writeUInt32LE(0xfffffff0, bytes.indexOf(Buffer.from([0x50, 0x4b, 1, 2])) + 20);
  writeFileSync(at("large.zip"), bytes);
  assert.match(quorate("verify", "large.zip").stdout, /^study\.json: cannot be read \(the archive is cut\)$/m);
});

test("a run that is under way is not bundled", () => {
  const lock = at("study", "runs", "some.lock");
  writeFileSync(lock, "");
  const { status, stderr } = quorate("bundle", "study", "--out", "early.zip");
  assert.deepEqual([status, /^some is under way/.test(stderr)], [2, true], stderr);
  rmSync(lock);
  // A killed process leaves its lock behind.
  const script = `import { folder } from ${JSON.stringify(pathToFileURL(built("node.js")).href)};
    await folder("study/runs").lock("some");
    process.kill(process.pid, "SIGKILL");`;
  assert.equal(spawnSync(process.execPath, ["--input-type=module", "-e", script], { cwd: root }).signal, "SIGKILL");
  assert.ok(existsSync(lock));
  assert.equal(quorate("bundle", "study", "--out", "after.zip").status, 0);
  assert.ok(!existsSync(lock));
});

test("a record under the name of another run is not taken for that run's", () => {
  cpSync(at("study"), at("renamed"), { recursive: true });
  cpSync(at("study", "runs", "un-animity.strict.0001.jsonl"), at("renamed", "runs", "un-animity.strict.0002.jsonl"));
  const { status, stderr } = quorate("bundle", "renamed", "--out", "renamed.zip");
  assert.deepEqual([status, stderr], [2, "un-animity.strict.0002.jsonl holds the record of another run, un-animity.strict.0001\n"]);
});

test("what no archive holds is refused before it is read", async () => {
  const blob = { size: 2 ** 32, stream: () => assert.fail("read") };
  await assert.rejects(archive([{ name: "large", blob }]).next(), { name: "RangeError", message: /^large makes the archive larger than 4 GB/ });
});

test("folders of shards are merged, and a run that both have must be one", () => {
  for (const shard of ["0", "1"]) studyOf(`shard${shard}`, STUDY, ["--shard", `${shard}/2`]);
  assert.equal(quorate("bundle", "shard0", "shard1", "study", "--out", "merged.zip").status, 2);
  assert.equal(quorate("bundle", "shard0", "shard1", "--out", "merged.zip").status, 0);
  assert.equal(quorate("verify", "merged.zip").status, 0);
  assert.equal(quorate("bundle", "shard0", "--out", "half.zip").status, 0);
  const { status, stdout } = quorate("verify", "half.zip");
  assert.ok(status === 1 && /^cell \w+: \d of 2 runs ended; left are un-animity\./m.test(stdout), stdout);
  writeFileSync(at("other.json"), JSON.stringify({ ...STUDY, seed: 8 }));
  studyOf("other", { ...STUDY, seed: 8 });
  assert.match(quorate("bundle", "study", "other", "--out", "no.zip").stderr, /hold studies with other settings/);
});

test("texts of people stop the bundle until they are accepted, and their records stay out unless asked for", async () => {
  writeFileSync(at("people.json"), JSON.stringify(PEOPLE));
  const { study } = await import(entry);
  const [{ id, config }] = study.plan(PEOPLE).runs;
  const session = await Session.create(config, { store: folder(at("people", "runs")), id });
  const over = session.run();
  const said = { Ana: ["Ask ben, or anne@mail.example, or 0176 123-4567.\nEstimate: 12"], Ben: ["As Benita says.\nEstimate: 14"] };
  while (session.status.state !== "ended") {
    for (const { id, seat } of session.status.open) session.answer(id, said[seat].shift() ?? "I stay.\nEstimate: 13");
    await new Promise((done) => setTimeout(done, 5));
  }
  await over;
  await session.close();
  writeFileSync(at("people", "study.json"), JSON.stringify({ registration: study.plan(PEOPLE).id, study: PEOPLE }));
  const stopped = quorate("bundle", "people", "--out", "people.zip");
  assert.deepEqual([stopped.status, existsSync(at("people.zip"))], [3, false], stopped.stderr);
  assert.match(readFileSync(at("privacy.csv"), "utf8"), /^run,entry,seat,what,found\r\npeople\.all\.0001,\d+,Ana,mail,anne@mail\.example\r\npeople\.all\.0001,\d+,Ana,digits,0176 123-4567\r\npeople\.all\.0001,\d+,Ana,name,ben\r\n$/);
  assert.equal(quorate("bundle", "people", "--out", "people.zip", "--accept").status, 0);
  const names = Object.keys(unzipped(at("people.zip"))).filter((name) => name.startsWith("records/"));
  assert.deepEqual(names, ["records/withheld.csv"]);
  const { status, stdout } = quorate("verify", "people.zip");
  assert.equal(status, 0, stdout);
  assert.match(unzipped(at("people.zip"))["guide-llm.md"].toString(), /^\| people \| 4 \| 4 \|$/m);
  assert.match(stdout, /^the tables were not made again: the records of 1 runs with people are left out$/m);
  assert.equal(quorate("bundle", "people", "--out", "all.zip", "--accept", "--with-records").status, 0);
  assert.deepEqual(quorate("verify", "all.zip").stdout, "verified: 1 records, their tables and the plan\n");
});
