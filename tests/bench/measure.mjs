// The measurements themselves, as they run in Node.js and in a page alike: they get the package and give rows.

const SEATS = ["Ana", "Ben", "Cleo", "Dora", "Emil"];

const config = (kind, seats = 5, rounds = 10) => ({
  seed: 42,
  phase2_rounds: rounds,
  agents: Array.from({ length: seats }, (_, seat) => ({ name: SEATS[seat] ?? `Seat${seat}`, personality: "a student", kind })),
});

const RANKING = "1. Maximizing the floor\n2. Maximizing the average with a floor constraint\n3. Maximizing the average with a range constraint\n4. Maximizing the average\n\nOverall certainty: sure";
const STATEMENT = "I would like to hear from everybody before we vote. In my rounds the floor mattered more than the average, since nobody knows their class yet; still, a constraint of $14,000 may be a fair middle.";

/** An instant answer that keeps the group from agreeing, so that all rounds are held: each votes for another principle. */
const instant = ({ kind, seat }) => {
  switch (kind) {
    case "initial_ranking": case "post_explanation_ranking": case "final_ranking": case "results_ranking": return RANKING;
    case "application": return "I choose principle 3 with a constraint of $13,000. I am sure.";
    case "constraint_retry": case "ballot_amount": return "13000";
    case "vote_initiation": case "vote_confirmation": return "1";
    case "ballot_principle": return String((SEATS.indexOf(seat) % 2) + 1);
    case "memory_update": return "I keep to the floor. The group has not agreed yet.";
    default: return STATEMENT;
  }
};

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

/** Median of `times` runs in milliseconds, after one to warm up. */
async function timed(times, run) {
  const taken = [];
  for (let i = 0; i <= times; i += 1) {
    const before = performance.now();
    await run();
    if (i > 0) taken.push(performance.now() - before);
  }
  return median(taken);
}

/** Median time of one call in microseconds. */
function perCall(call) {
  const taken = [];
  for (let batch = 0; batch < 15; batch += 1) {
    const before = performance.now();
    for (let i = 0; i < 200; i += 1) call();
    taken.push(((performance.now() - before) * 1000) / 200);
  }
  return median(taken);
}

/** Rounds of five seats that come to ten thousand entries. */
const LONG = 80;

/** A whole experiment with instant answers. */
export async function experiment({ Session }, seats = 5, rounds = 10, kind = "custom") {
  const session = await Session.create(config(kind, seats, rounds), { answer: instant, store: "memory" });
  await session.run();
  return session;
}

/** Records of so many seats and rounds: how large they are. */
export async function measureRecords({ Session }) {
  const rows = [];
  for (const [seats, rounds, aim] of [[5, 10], [5, 20], [5, 40], [5, 80, 3000], [10, 10], [50, 10, 6000]]) {
    const session = await experiment({ Session }, seats, rounds);
    const { text } = await session.export("jsonl");
    rows.push({ what: `record of ${seats} seats, ${rounds} rounds, ${session.entries().length} entries`, value: text.length / 1000, unit: "kB", ...(aim && { aim }) });
    await session.close();
  }
  return rows;
}

export async function measureRuns(quorate, where) {
  const whole = (kind) => experiment(quorate, 5, 10, kind);
  const custom = await timed(9, () => whole("custom"));
  const session = await whole("custom");
  const record = await session.export("jsonl");
  const entries = session.entries().length;
  const calls = session.usage.calls;
  const verify = await timed(5, () => session.verify());
  const scripted = await timed(9, () => whole("scripted"));
  return [
    { what: `whole run, instant answers (5 seats × 10 rounds, ${calls} calls, ${entries} entries), ${where}`, value: custom, unit: "ms", aim: 10 },
    { what: `whole run, scripted participants, ${where}`, value: scripted, unit: "ms" },
    { what: `that record run again and compared, ${where}`, value: verify, unit: "ms" },
    { what: `record of that run as JSONL, ${where}`, value: record.text.length / 1000, unit: "kB" },
  ];
}

const PLACES = [...SEATS, "Fay", "Gus", "Hal"];

/** An instant answer in a debate that goes through all nine rounds: proposals that share hardly a word. */
const debater = ({ kind, seat, facts }) => {
  switch (kind) {
    case "critique": return "ISSUES:\n- it does not say who pays\n- no figures\nSUGGESTIONS:\n- name the cost\nSEVERITY: 4\nREASONING: thin";
    case "vote": return "CHOICE: Ben\nCONFIDENCE: 0.8\nCONTINUE: no\nREASONING: the clearest";
    case "judgement": return JSON.stringify({ scores: facts.proposals.map(({ label }, place) => ({ proposal: label, score: 9 - place })), synthesis: "Both.", conclusive: true, confidence: 0.9 });
    default: return Array.from({ length: 120 }, (_, n) => `${kind}${seat}${n}`.toLowerCase()).join(" ");
  }
};

async function talk({ Session }, settings, agents, answer) {
  const session = await Session.create({ seed: 42, ...settings, agents: agents.map((name) => ({ name, kind: "custom" })) }, { store: "memory", answer });
  await session.run();
  return session;
}

/** A whole debate of nine rounds with instant answers. */
export const nineRounds = (quorate, seats = 8) =>
  talk(quorate, { protocol: "debate", question: "Who should pay for the bridge?" }, Array.from({ length: seats }, (_, seat) => PLACES[seat] ?? `Seat${seat}`), debater);

const tenRounds = (quorate) => talk(quorate, { protocol: "discussion", start: "at_once", rounds: 10, turns_per_call: 1000 }, SEATS, () => STATEMENT);

/** A debate of 8 seats through nine rounds, and a discussion of 5 seats through 10 rounds. */
export async function measureTalks(quorate, where) {
  const calls = (await nineRounds(quorate)).usage.calls;
  const turns = (await tenRounds(quorate)).usage.calls;
  return [
    { what: `debate of 8 seats, nine rounds, instant answers (${calls} calls), ${where}`, value: await timed(5, () => nineRounds(quorate)), unit: "ms", aim: 10 },
    { what: `discussion of 5 seats, ten rounds, instant answers (${turns} turns), ${where}`, value: await timed(5, () => tenRounds(quorate)), unit: "ms" },
  ];
}

/** How time grows with rounds and seats: each time, and the exponent that fits them (1 is linear). */
export async function measureGrowth(quorate, where) {
  const series = [
    ["experiment of 5 seats", "rounds", [10, 20, 40, 80], (rounds) => experiment(quorate, 5, rounds)],
    ["experiment of 10 rounds", "seats", [5, 10, 25, 50], (seats) => experiment(quorate, seats, 10)],
    ["debate of nine rounds", "seats", [3, 8, 16, 32], (seats) => nineRounds(quorate, seats), { 32: 150 }],
  ];
  const rows = [];
  for (const [name, unit, sizes, run, aims = {}] of series) {
    const points = [];
    for (const size of sizes) {
      const value = await timed(3, () => run(size).then((session) => session.free()));
      points.push([Math.log(size), Math.log(value)]);
      rows.push({ what: `${name}, ${size} ${unit}, ${where}`, value, unit: "ms", ...(aims[size] && { aim: aims[size] }) });
    }
    rows.push({ what: `${name}: exponent by ${unit}, ${where}`, value: slope(points), unit: "" });
  }
  return rows;
}

/** Of the line that fits points best. */
function slope(points) {
  const mean = (place) => points.reduce((all, point) => all + point[place], 0) / points.length;
  const [x, y] = [mean(0), mean(1)];
  return points.reduce((all, point) => all + (point[0] - x) * (point[1] - y), 0) / points.reduce((all, point) => all + (point[0] - x) ** 2, 0);
}

/** What work in a page comes to, how long it takes, and the longest task meanwhile. */
async function watched(work) {
  // What was done before ends its task.
  await new Promise((resolve) => setTimeout(resolve));
  const tasks = [];
  const observer = new PerformanceObserver((list) => tasks.push(...list.getEntries().map((entry) => entry.duration)));
  observer.observe({ entryTypes: ["longtask"] });
  const before = performance.now();
  const made = await work();
  const taken = performance.now() - before;
  await new Promise((resolve) => setTimeout(resolve, 200));
  observer.disconnect();
  return { made, taken, longest: Math.max(0, ...tasks) };
}

/** A hundred simulated sessions side by side, in a page: how long they take, and the longest task. */
export async function measureCrowd({ Session }) {
  const rows = [];
  for (const [store, aim] of [["memory"], ["indexeddb", 4000]]) {
    const { taken, longest } = await watched(() => Promise.all(Array.from({ length: 100 }, async (_, n) => {
      const session = await Session.create({ ...config("scripted", 3, 3), seed: n }, { store });
      await session.run();
      await session.close();
      session.free();
    })));
    rows.push(
      { what: `100 simulated sessions at once, store ${store}, Chromium`, value: taken, unit: "ms", ...(aim && { aim }) },
      { what: `their longest task, store ${store}, Chromium`, value: longest, unit: "ms", aim: 50 });
  }
  return rows;
}

/** A record of ten thousand entries in a page: taken in, verified, written; how long each takes, and the longest task. */
export async function measureLongRecord(quorate) {
  const run = await experiment(quorate, 5, LONG);
  const { text } = await run.export("jsonl");
  const entries = run.entries().length;
  run.free();
  const rows = [];
  const add = async (what, work) => {
    const { made, taken, longest } = await watched(work);
    rows.push(
      { what: `${what}, ${entries} entries, Chromium`, value: taken, unit: "ms" },
      { what: `its longest task, ${what}, Chromium`, value: longest, unit: "ms", aim: 50 });
    return made;
  };
  const session = await add("import", () => quorate.Session.import(text));
  await add("verification", () => session.verify());
  for (const format of ["json", "jsonl"]) await add(`export as ${format}`, () => session.export(format));
  await session.close();
  return rows;
}

/** What runs leave behind that were freed: 300 after as many to warm up. */
export async function measureMemory(quorate, where) {
  const some = async () => {
    for (let n = 0; n < 300; n += 1) (await experiment(quorate, 3, 2)).free();
    globalThis.gc?.();
    return globalThis.process?.memoryUsage();
  };
  const before = await some();
  const after = await some();
  if (!before) return [];
  return [{ what: `memory kept of a run that was freed, ${where}`, value: Math.max(0, after.heapUsed + after.arrayBuffers + after.external - before.heapUsed - before.arrayBuffers - before.external) / 300 / 1000, unit: "kB" }];
}

const PROPOSALS = [
  "Close the centre to private cars in three steps: first the two squares, then the ring of shops, at last the old town. Buses every six minutes come before each step, since shops lost 4% of their trade where they came after it (Meyer 2021). Residents keep one permit a household. Who delivers does so before ten in the morning. If air and trade are no better after a year, the step is taken back.",
  "I would not close the centre at once. A charge of three dollars a day, free for the disabled and for deliveries, brings a third fewer cars, according to the city's own count. The money pays for the buses. In the old town, where the lanes are narrow, only residents may drive. Granted, a charge is harder on the poor than a ban; so whoever earns little gets it back. After two years we look again.",
];

export function measureReaders({ parse, debate }, where) {
  const readers = {
    principle: () => parse.principle("I vote for principle 3, with a floor of $14,000."),
    agreement: () => parse.agreement("1 - yes, let us vote"),
    amount: () => parse.amount("My constraint is $14,000."),
    ranking: () => parse.ranking(RANKING),
    choice: () => parse.choice("I choose maximizing the average with a floor constraint of $13,000. I am very sure."),
    vote: () => parse.vote("CHOICE: Ben\nCONFIDENCE: 0.8\nCONTINUE: no\nREASONING: the clearest of all", "en", PLACES),
    critique: () => parse.critique("ISSUES:\n- it does not say who pays\nSUGGESTIONS:\n- name the cost\nSEVERITY: 4\nREASONING: thin"),
  };
  return [
    ...Object.entries(readers).map(([name, call]) => ({ what: `parse.${name}, per call, ${where}`, value: perCall(call), unit: "µs", aim: 10 })),
    { what: `debate.similarity of two proposals of 75 words, per call, ${where}`, value: perCall(() => debate.similarity(...PROPOSALS)), unit: "µs" },
    { what: `debate.rhetoric of one of them, per call, ${where}`, value: perCall(() => debate.rhetoric(PROPOSALS[1])), unit: "µs" },
  ];
}

/** A record of some 10,000 entries, written to and opened from IndexedDB (in a page only). */
export async function measureStore({ Library, Session }) {
  const long = { ...config("custom"), phase2_rounds: 70 };
  const before = performance.now();
  const session = await Session.create(long, { answer: instant, store: "indexeddb" });
  await session.run();
  const stored = performance.now() - before;
  const entries = session.entries().length;
  const inMemory = await timed(1, async () => (await Session.create(long, { answer: instant, store: "memory" })).run());
  const { id } = session;
  await session.close();
  const read = await timed(3, () => Library.entries(id));
  const open = await timed(3, async () => (await Session.open(id)).close());
  const again = await Session.open(id);
  const verify = await timed(3, () => again.verify());
  await again.close();
  await Library.delete(id);
  return [
    { what: `a run of ${entries} entries with IndexedDB, Chromium`, value: stored, unit: "ms" },
    { what: "the same without storage, Chromium", value: inMemory, unit: "ms" },
    { what: "entries stored in a second, Chromium", value: entries / (stored / 1000), unit: "1/s" },
    { what: `reading a record of ${entries} entries, Chromium`, value: read, unit: "ms", aim: 200 },
    { what: `opening it, a run that has ended, Chromium`, value: open, unit: "ms", aim: 200 },
    { what: `verifying it, that is running it again and comparing, Chromium`, value: verify, unit: "ms" },
  ];
}
