// The studies of the repository: each is planned, run with simulated participants, bundled, verified and analysed. The notebooks of the
// published study run on its bundles where QUORATE_THESIS names its repository (a git directory or a clone) and python3 has their libraries.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { built, root } from "../../support/package.mjs";
import { bySchema, startProviders } from "../../support/providers.mjs";

const STUDIES = join(root, "studies");
const ANALYSIS = join(STUDIES, "analysis");
const FILES = readdirSync(STUDIES).filter((name) => name.endsWith(".yaml"));

let place;
const at = (...path) => join(place, ...path);
before(() => {
  place = mkdtempSync(join(tmpdir(), "quorate-replication-"));
});
after(() => rmSync(place, { recursive: true, force: true }));

function run(program, args, cwd = place) {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, encoding: "utf8", env: { ...process.env, MPLBACKEND: "Agg" }, maxBuffer: 2 ** 26 });
  return { status, error, stdout: stdout ?? "", text: `${stdout}${stderr}` };
}
/** Runs the command line, which must succeed. Returns its output. */
function quorate(...args) {
  const { status, stdout, text } = run(process.execPath, [built("cli.js"), ...args]);
  assert.equal(status, 0, text);
  return stdout;
}
function python(...args) {
  const { status, stdout, text } = run("python3", args);
  assert.equal(status, 0, text);
  return stdout;
}
const without = (...modules) => (run("python3", ["-c", ["pass", ...modules.map((name) => `import ${name}`)].join("; ")], tmpdir()).status === 0 ? false : `no python3 with ${modules.join(", ") || "its library"}`);

/** Runs a study with simulated participants and bundles it. `changes`: other values of keys of the file. Returns the name of the archive. */
function bundled(file, changes = {}) {
  const text = Object.entries(changes).reduce((text, [key, value]) => text.replace(new RegExp(`^${key}: .*$`, "m"), `${key}: ${value}`), readFileSync(join(STUDIES, file), "utf8"));
  writeFileSync(at(file), text);
  rmSync(at(`${file}.d`), { recursive: true, force: true });
  quorate("run", file, "--scripted", "--out", `${file}.d`);
  const archive = file.replace(".yaml", ".zip");
  quorate("bundle", `${file}.d`, "--out", archive);
  return archive;
}
const analysed = (archive) => python(join(ANALYSIS, "consensus.py"), archive);
/** The folder with the unpacked files of an archive. */
function unpacked(archive) {
  const folder = archive.replace(".zip", "");
  rmSync(at(folder), { recursive: true, force: true });
  python("-m", "zipfile", "-e", archive, folder);
  return folder;
}

/** Cells of each study, and lines of the analysis of two runs a cell; seeds fix them. */
const EXPECTED = {
  "majority-or-unanimity.yaml": [2, ["majority 2 of 2 (100 %, 34 to 100 %) Ada 1, Ben 1", "unanimity 0 of 2 (0 %, 0 to 66 %) none 2"]],
  "thesis-1-groups.yaml": [3, ["runs 4 of 6 (67 %, 30 to 90 %) maximizing_average_floor_constraint 4, none 2"]],
  "thesis-2-origin.yaml": [6, ["american 6 of 6 (100 %, 61 to 100 %) maximizing_average_floor_constraint 6", "chinese.t075 2 of 2 (100 %, 34 to 100 %) maximizing_average_floor_constraint 2"]],
  "thesis-3-manipulator.yaml": [6, ["low 0 of 6 (0 %, 0 to 39 %) 0 of 6 (0 %, 0 to 39 %) none 6"]],
  "thesis-5-rounds.yaml": [3, ["r15 2 of 2 (100 %, 34 to 100 %) maximizing_average_floor_constraint 2"]],
  "thesis-6-language.yaml": [9, ["spanish 6 of 6 (100 %, 61 to 100 %) maximizing_average 3, maximizing_average_floor_constraint 3"]],
};

test("each study file has its expectation", () => assert.deepEqual(FILES, Object.keys(EXPECTED)));

for (const [file, [cells, lines]] of Object.entries(EXPECTED)) {
  test(`${file} is run, bundled, verified and analysed`, { skip: without() }, () => {
    const archive = bundled(file, { n: 2 });
    assert.equal(quorate("verify", archive), `verified: ${2 * cells} records, their tables and the plan\n`);
    const found = analysed(archive).replace(/ +/g, " ");
    for (const line of lines) assert.ok(found.includes(`\n ${line}\n`), `${line}\n\n${found}`);
  });
}

test("the flag that chooses who answers is a property of the study", () => {
  const file = "majority-or-unanimity.yaml";
  cpSync(join(STUDIES, file), at(file));
  const ids = [[], ["--scripted"], ["--model", "ollama/some"], ["--model", "ollama/other"]].map((flags, index) => {
    quorate("plan", file, "--register", "--out", `registered${index}`, ...flags);
    const { id, study } = JSON.parse(readFileSync(at(`registered${index}`, "registration.json"), "utf8"));
    assert.deepEqual([...new Set(study.base.agents.map(({ kind, model = "" }) => `${kind} ${model}`))], [flags[1] ? `model ${flags[1]}` : "scripted "]);
    return id;
  });
  // All seats of this file are simulated.
  assert.equal(ids[0], ids[1]);
  assert.equal(new Set(ids).size, 3);
  quorate("run", file, "--out", "flagged", "--shard", "0/40");
  const refused = run(process.execPath, [built("cli.js"), "run", file, "--model", "ollama/some", "--out", "flagged"]);
  assert.deepEqual([refused.status, /other settings/.test(refused.text)], [2, true], refused.text);
});

test("a model takes all seats of a study by a flag", { skip: without() }, async () => {
  const server = await startProviders({ answer: (question, tag, schema) => (schema ? JSON.stringify(bySchema(schema)) : "The first proposal, since it serves more people.") });
  try {
    cpSync(join(STUDIES, "majority-or-unanimity.yaml"), at("models.yaml"));
    // The server of tests takes the place of Ollama.
    const redirect = `const real = fetch; globalThis.fetch = (request) => real(new Request(request.url.replace("http://127.0.0.1:11434", "${server.base("ollama", "flag")}"), request));`;
    const args = ["--import", `data:text/javascript,${encodeURIComponent(redirect)}`, built("cli.js"), "run", "models.yaml", "--model", "ollama/some", "--out", "models", "--shard", "0/10"];
    const child = spawn(process.execPath, args, { cwd: place, stdio: "inherit", timeout: 60_000 });
    const [code] = await once(child, "close");
    assert.equal(code, 0);
    assert.ok(server.requests("flag").length > 0);
    quorate("bundle", "models", "--out", "models.zip");
    assert.match(analysed("models.zip"), /^4 runs ended; 0 of 20 seats are simulated\.$/m);
  } finally {
    await server.close();
  }
});

test("the class's study shows the effect of the rule on the same debates", { skip: without() }, () => {
  const archive = bundled("majority-or-unanimity.yaml");
  const text = analysed(archive);
  assert.match(text, /majority {3}20 of 20 \(100 %, 84 to 100 %\) +Ada 9, Ben 11\n/);
  assert.match(text, /unanimity {2}8 of 20 \(40 %, 22 to 61 %\) +Ada 4, Ben 4, none 12\n/);
  assert.equal(analysed(unpacked(archive)), text);
  assert.match(text, /in 20 pairs: consensus under majority alone 12, under unanimity alone 0, p = 0\.00049 \(McNemar\)/);
});

test("statistics are those of R and of the literature", { skip: without() }, () => {
  // The published outcomes of the first hypothesis against those of people: R 4 gives p = 0.03308723.
  const code = "import consensus as c; a, b = [5, 1, 23, 2, 7], [0, 1, 29, 0, 3]; print(c.fisher(a, b), c.cramer(a, b), *c.wilson(81, 263), *c.wilson(0, 10), c.mcnemar(12, 0), c.fisher([3, 1], [1, 3]))";
  const { status, stdout, text } = run("python3", ["-B", "-c", code], ANALYSIS);
  assert.equal(status, 0, text);
  // Wilson: example of Newcombe (1998), 81 of 263. The last: Fisher's lady tasting tea, both sides.
  const expected = [0.03308723, 0.26534658, 0.2553, 0.3662, 0, 0.2775, 2 ** -11, 34 / 70];
  stdout.trim().split(" ").forEach((value, index) => assert.ok(Math.abs(value - expected[index]) < 5e-5, `${index}: ${value}`));
});

const THESIS = process.env.QUORATE_THESIS;
const NEEDED = ["numpy", "scipy", "pandas", "yaml", "matplotlib", "seaborn", "IPython"];
const missing = THESIS && existsSync(THESIS) ? without(...NEEDED) : "QUORATE_THESIS names no repository";

/** Runs notebooks of a hypothesis on a bundle. `factor`: its levels are the notebooks' groups. Returns what each prints. */
function published(number, archive, factor, names) {
  const thesis = at(`thesis${number}`);
  const folder = join(thesis, "hypothesis_testing", `hypothesis_${number}`);
  const git = (...args) => spawnSync("git", ["-C", THESIS, ...args], { maxBuffer: 2 ** 26 }).stdout;
  const utilities = git("ls-tree", "-r", "--name-only", "HEAD", "hypothesis_testing/utils_hypothesis_testing").toString().trim().split("\n");
  for (const path of [...utilities, ...names.map((name) => `hypothesis_testing/hypothesis_${number}/${name}.ipynb`)]) {
    mkdirSync(dirname(join(thesis, path)), { recursive: true });
    writeFileSync(join(thesis, path), git("show", `HEAD:${path}`));
  }
  // Notebooks find the top of their repository by these.
  writeFileSync(join(thesis, "main.py"), "");
  mkdirSync(join(thesis, "config"));
  mkdirSync(at("node_modules"), { recursive: true });
  if (!existsSync(at("node_modules", "quorate"))) symlinkSync(built(), at("node_modules", "quorate"));
  cpSync(join(ANALYSIS, "published.mjs"), at("published.mjs"));
  const adapted = run(process.execPath, ["published.mjs", unpacked(archive), join(folder, "results"), ...factor]);
  assert.equal(adapted.status, 0, adapted.text);
  return names.map((name) => {
    const { status, text } = run("python3", [join(root, "tests/support/notebook.py"), `${name}.ipynb`], folder);
    assert.equal(status, 0, `${name}\n${text}`);
    return text;
  });
}

test("published configurations are bases of studies as they are", { skip: missing }, () => {
  const paths = ["1/configs/hypothesis_1_condition_20", "2/configs/chinese/hypothesis_2_chinese_condition_12", "3/configs/high/hypothesis_3_high_condition_12", "6/configs/mandarin/hypothesis_6_mandarin_condition_2"];
  for (const [index, path] of paths.entries()) {
    writeFileSync(at("published.yaml"), spawnSync("git", ["-C", THESIS, "show", `HEAD:hypothesis_testing/hypothesis_${path}_config.yaml`]).stdout);
    writeFileSync(at(`base${index}.yaml`), `study: 1\nid: base\nbase: published.yaml\nn: 1\n`);
    quorate("plan", `base${index}.yaml`);
    quorate("run", `base${index}.yaml`, "--scripted", "--out", `base${index}`);
  }
});

const isNear = (one, other) => assert.ok(Math.abs(one - other) < 1e-4, `${one} is not ${other}`);
/** Compares p and V of a notebook with those of the analysis of the same runs. */
function agree(notebook, analysis, what) {
  const [, p, v] = new RegExp(`  ${what}: outcomes p = (\\S+) \\(Fisher\\), V = (\\S+)`).exec(analysis);
  // Without R there is no p.
  const own = /exact test p-value: ([\d.]+)/.exec(notebook);
  if (own) isNear(own[1], p);
  isNear(/(?:Bias-corrected Cramér's V|Cramér's V \(bias-corrected\)): ([\d.]+)/.exec(notebook)[1], v);
}

test("the published notebooks of groups and people run on the bundle", { skip: missing }, () => {
  const archive = bundled("thesis-1-groups.yaml");
  const [main] = published(1, archive, [], ["Hypothesis_1_main", "hypothesis1_descriptive_analysis"]);
  agree(main, analysed(archive), "runs and people");
});

// With paired seeds simulated participants would answer alike under all levels, and all p would be 1.
test("the published notebook of the origin of models runs on the bundle", { skip: missing }, () => {
  const archive = bundled("thesis-2-origin.yaml", { seeds: "independent" });
  const [main] = published(2, archive, ["group"], ["Hypothesis_2_main"]);
  agree(main, analysed(archive), "american and chinese");
});

test("the published notebooks of the manipulator run on the bundle", { skip: missing }, () => {
  const archive = bundled("thesis-3-manipulator.yaml", { seeds: "independent" });
  const [main] = published(3, archive, ["manipulator"], ["Hypothesis_3_main", "hypothesis3_descriptive_analysis", "discussion_history_viewer"]);
  const successes = [...analysed(archive).matchAll(/^ {2}(?:low|high) .*%\) +(\d+) of 33 /gm)].map(([, count]) => Number(count));
  const [, low, high] = /'low': \{'success': (\d+).*'high': \{'success': (\d+)/.exec(main);
  assert.deepEqual([Number(low), Number(high)], successes);
});

test("the published notebook of languages runs on the bundle", { skip: missing }, () => {
  const archive = bundled("thesis-6-language.yaml", { seeds: "independent", n: 2 });
  const [main] = published(6, archive, ["language"], ["Hypothesis_6_main"]);
  const analysis = analysed(archive);
  for (const [one, other] of [["english", "spanish"], ["english", "mandarin"], ["spanish", "mandarin"]]) {
    agree(main.slice(main.indexOf(`Sub-contingency for ${one} vs ${other}`)), analysis, `${one} and ${other}`);
  }
});
