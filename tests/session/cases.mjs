// What a page does with sessions.
import same from "../same_record.json" with { type: "json" };
import { caseName, equal, LabError, Library, NOW, ok, rejected, Session, until, wait } from "./lab.mjs";

/** Cases that run without IndexedDB. */
export const inMemory = {};
export const onIndexedDb = {};

const CANARY = "sk-canary-0123456789abcdef";
const KINDS = ["initial_ranking", "explanation", "post_explanation_ranking", "application", "final_ranking"];

/** A run of two seats, `ana` being the first one's kind. */
function config(ana = "scripted", changes = {}) {
  const agents = [
    { name: "Ana", personality: "A nurse. Warm, thinks of the worst-off.", kind: ana },
    { name: "Ben", personality: "Runs a shop. Bold and direct.", kind: "scripted" },
  ];
  return { title: "Two", language: "English", agents, seed: 11, phase2_rounds: 2, ...changes };
}

let made = 0;
const fresh = () => `${caseName}-${Date.now()}-${(made += 1)}`;
const options = (more = {}) => ({ id: fresh(), now: () => NOW, ...more });
const memory = (more) => options({ store: "memory", ...more });
const text = async (session) => (await session.export("jsonl")).text;
const types = (session) => session.entries().map(({ what }) => what.type);
const count = (session, type) => types(session).filter((one) => one === type).length;
const commands = (session) => session.entries().filter(({ what }) => what.type === "commanded").map(({ what }) => what.command.do);

/** Every ask was answered, failed or cancelled as often as it was sent, and answered at most once. */
function asked_nothing_twice(session) {
  const answered = session.entries().filter(({ what }) => what.type === "answered").map(({ what }) => what.ask);
  equal(new Set(answered).size, answered.length, "answers");
  equal(count(session, "late"), 0, "late answers");
}

/** Nobody is at work any longer, and all is stored. */
async function at_rest(session) {
  const is_stored = async () => (await Library.export(session.id, "jsonl")).text === (await text(session));
  for (let before = -1; before !== session.entries().length; await wait(150)) {
    before = session.entries().length;
    // On a machine with much to do a transaction takes longer.
    for (let tries = 0; tries < 20 && !(await is_stored()); tries += 1) await wait(50);
  }
  equal((await Library.export(session.id, "jsonl")).text, await text(session), "stored");
}

/** The whole record of a run that nothing happened to. */
async function whole(id, of = config()) {
  const session = await Session.create(of, memory({ id }));
  await session.run();
  return text(session);
}

async function sha256(text) {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Everything that this origin has in IndexedDB, as text. */
async function dump() {
  const opened = await new Promise((resolve, reject) => {
    const request = indexedDB.open("quorate");
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  const parts = [];
  for (const name of opened.objectStoreNames) {
    const store = opened.transaction(name).objectStore(name);
    for (const request of [store.getAllKeys(), store.getAll()]) {
      parts.push(await new Promise((resolve) => (request.onsuccess = () => resolve(JSON.stringify(request.result)))));
    }
  }
  opened.close();
  return parts.join("\n");
}

/** Puts something else in the place of what a session's record has, piece by piece, the last one first; null removes it. */
async function tamper(id, change) {
  const request = indexedDB.open("quorate");
  const database = await new Promise((resolve) => (request.onsuccess = () => resolve(request.result)));
  const transaction = database.transaction("entries", "readwrite");
  let isLast = true;
  transaction.objectStore("entries").openCursor(IDBKeyRange.bound([id], [id, []]), "prev").onsuccess = ({ target: { result: cursor } }) => {
    if (!cursor) return;
    const changed = change(cursor.value, isLast);
    if (changed === null) cursor.delete();
    else if (changed !== cursor.value) cursor.update(changed);
    isLast = false;
    cursor.continue();
  };
  await new Promise((resolve) => (transaction.oncomplete = resolve));
  database.close();
}

onIndexedDb["the same record as everywhere"] = async () => {
  for (const store of ["memory", "indexeddb"]) {
    const session = await Session.create(same.config, { id: same.id, now: () => same.now, store });
    await session.run();
    const record = await text(session);
    equal(await sha256(record), same.sha256, `SHA-256 of ${record.length} characters in ${store}`);
    await session.close();
  }
  const stored = (await Library.export(same.id, "jsonl")).text;
  equal(await sha256(stored), same.sha256, "from the store");
  await Library.delete(same.id);
};

onIndexedDb["a run that is closed at any entry and opened again ends the same"] = async () => {
  const id = fresh();
  const expected = await whole(id);
  const length = expected.trimEnd().split("\n").length;
  let reloads = 0;
  let session = await Session.create(config(), { id, now: () => NOW });
  for (;;) {
    // Closed with nothing said, after fewer and more entries, within events and beside them.
    let told = 0;
    let over = false;
    const onEvent = ({ type, entries }) => {
      if (type !== "entries") return;
      equal(entries[0].seq + entries.length, entries.at(-1).seq + 1, "seq");
      told += entries.length;
      if (told > 3 + (reloads % 17) && !over) {
        over = true;
        if (reloads % 2) session.close();
        else queueMicrotask(() => session.close());
      }
    };
    session.close();
    session = await Session.open(id, { now: () => NOW, onEvent });
    const end = await session.run().then(
      () => "ended",
      (error) => error.code,
    );
    if (end === "ended") break;
    equal(end, "closed");
    equal(session.answer("phase1/initial_ranking/Ana#1", "no"), false);
    reloads += 1;
    ok(reloads < length, "does not come to its end");
  }
  ok(reloads > 10, `${reloads} reloads`);
  equal(await text(session), expected);
  await session.close();
  equal((await Library.export(id, "jsonl")).text, expected, "in the store");
  const [summary] = (await Library.list()).filter((one) => one.id === id);
  equal([summary.state, summary.entries, summary.title], ["ended", length, "Two"]);
  // At its end it can be run again, and says the same.
  const again = await Session.open(id, { now: () => NOW });
  equal(again.status.state, "ended");
  equal(JSON.stringify(await again.run()), JSON.stringify(session.entries().at(-1).what.result));
  equal(await text(again), expected);
  await again.close();
};

onIndexedDb["an open session is locked"] = async () => {
  const session = await Session.create(config("human"), options());
  for (const open of [Session.open(session.id), Session.create(config(), { id: session.id }), Library.delete(session.id)]) {
    const { message } = await rejected(open, "locked");
    ok(message.includes("open in this page already"), message);
  }
  session.close();
  // Twice at once, as a component that is mounted twice does: the first has it, and the second is told so.
  const both = await Promise.allSettled([Session.open(session.id), Session.open(session.id)]);
  equal(both.map(({ status, reason }) => reason?.code ?? status), ["fulfilled", "locked"]);
  const second = both[0].value;
  await rejected(Session.open(session.id), "locked");
  second.close();
  await rejected(Session.create(config(), { id: session.id }), "exists");
  await rejected(Session.open(fresh()), "unknown");
  await Library.delete(session.id);
  await rejected(Session.open(session.id), "unknown");
};

inMemory["pause and step and resume"] = async () => {
  const session = await Session.create(config(), memory());
  session.pause();
  const run = session.run();
  // The first questions were asked before the pause.
  await until(() => session.status.state === "paused" && count(session, "answered") === 2, "pause");
  await wait(20);
  equal(count(session, "sent"), 2);
  for (let steps = 1; steps <= 3; steps += 1) {
    session.step();
    await until(() => count(session, "answered") === 2 + steps, `step ${steps}`);
    equal([session.status.state, count(session, "sent")], ["paused", 2 + steps]);
  }
  ok(session.status.open.every(({ since }) => since === null));
  session.resume();
  const result = await run;
  equal(session.status, { state: "ended", open: [] });
  equal(result, session.entries().at(-1).what.result);
  equal(commands(session), ["pause", "step", "step", "step", "resume"]);
  equal((await session.verify()).verified, true);
};

onIndexedDb["stop ends the calls and resume goes on"] = async () => {
  const signals = [];
  let hangs = true;
  const answer = ({ signal }) => {
    signals.push(signal);
    return hangs ? new Promise(() => {}) : "1";
  };
  const session = await Session.create(config("custom"), options({ answer }));
  const run = session.run();
  await until(() => signals.length === 1, "the first call");
  session.stop();
  await rejected(run, "stopped");
  equal([session.status.state, signals[0].aborted], ["stopped", true]);
  ok(session.status.open.length > 0 && session.status.open.every(({ since }) => since === null));
  await rejected(session.run(), "stopped");
  equal(session.answer(session.status.open[0].id, "too late"), false);
  // Stopped is stopped, after a reload too.
  await session.close();
  const again = await Session.open(session.id, { now: () => NOW, answer });
  await rejected(again.run(), "stopped");
  hangs = false;
  again.resume();
  await again.run();
  asked_nothing_twice(again);
  equal(signals.length, 1 + again.entries().filter(({ what }) => what.type === "answered" && what.ask.includes("Ana")).length);
  equal((await again.verify()).verified, true);
  await again.close();
};

onIndexedDb["commands before the run put no call twice"] = async () => {
  let calls = 0;
  let fails = true;
  const answer = () => {
    calls += 1;
    if (fails) throw new Error("not now");
    return "1";
  };
  const first = await Session.create(config("custom"), options({ answer }));
  first.run().catch(() => {});
  await until(() => first.status.state === "halted", "halt");
  await first.close();
  equal(calls, 1);
  fails = false;
  const session = await Session.open(first.id, { now: () => NOW, answer });
  equal([session.status.state, session.status.halt.because], ["halted", "call_failed"]);
  session.resume();
  session.limit({ maxCalls: 5000 });
  await wait(30);
  equal(calls, 1, "nothing is put before the run");
  await session.run();
  equal(calls, 1 + session.entries().filter(({ what }) => what.type === "answered" && what.ask.includes("Ana")).length);
  asked_nothing_twice(session);
  await session.close();
};

inMemory["results have figures"] = async () => {
  const experiment = await Session.create(config("scripted", { wording: "class" }), memory());
  await experiment.run();
  const of = (role) => experiment.view(role, 0).figures;
  equal(of("owner").worlds.map(({ rule }) => rule), [1, 2, 3, 4]);
  equal(of("owner").fates.map(({ seat }) => seat), ["Ana", "Ben"]);
  equal(of("seat:Ana").fates.map(({ seat }) => seat), ["Ana"]);
  const { of: own, ...counts } = of("seat:Ana").minds;
  equal(own.map(({ seat }) => seat), ["Ana"]);
  equal(counts.ranked, 2, "how many ranked the rules twice");
  const poll = await Session.create({ protocol: "delphi", question: "How many?", minimum: 0, maximum: 50, true_value: 31, true_value_source: "Atlas", agents: config().agents, seed: 3 }, memory());
  ok(!JSON.stringify(poll.view("seat:Ana", 0)).includes("Atlas"), "the true value is known before the end");
  equal((await poll.run()).truth, { value: 31, source: "Atlas" });
  ok(JSON.stringify(poll.view("seat:Ana", 0).results).includes("Atlas"), "the true value is not known after the end");
};

inMemory["a program answers with text or promise or pieces"] = async () => {
  const asks = [];
  const pieces = [];
  const ways = [
    () => "My answer is 1.",
    async () => "My answer is 1.",
    async function* () {
      for (const piece of ["My ", "answer ", "is ", "1."]) yield piece;
    },
    () => new Promise((resolve) => setTimeout(resolve, 1, "My answer is 1.")),
  ];
  const answer = (ask) => {
    asks.push(ask);
    return ways[asks.length % ways.length](ask);
  };
  const onEvent = (event) => event.type === "piece" && pieces.push(event);
  const session = await Session.create(config("custom"), memory({ answer, onEvent }));
  await session.run();
  const ask = asks[0];
  equal(
    [ask.session, ask.seat, ask.protocol, ask.kind, ask.phase, ask.round, ask.attempt, ask.language, ask.stop],
    [session.id, "Ana", "justice", "initial_ranking", 1, null, 1, "en", []],
  );
  ok(ask.signal instanceof AbortSignal && ask.maxTokens > 0 && ask.system.length > 20 && ask.messages.length > 0);
  equal(ask.facts.participants, ["Ana", "Ben"]);
  ok(KINDS.every((kind) => asks.some((one) => one.kind === kind)));
  const replies = session.entries().filter(({ what }) => what.type === "answered" && what.ask.includes("Ana")).map(({ what }) => what);
  equal(replies.length, asks.length);
  ok(replies.every(({ reply }) => reply.text === "My answer is 1." && reply.sent_at === NOW));
  const texts = {};
  for (const { ask, text, seat } of pieces) {
    equal(seat, "Ana");
    texts[ask] = (texts[ask] ?? "") + text;
  }
  equal(Object.values(texts).length, asks.filter((_, index) => (index + 1) % ways.length === 2).length);
  ok(Object.values(texts).every((text) => text === "My answer is 1."));
};

inMemory["a program that fails halts the run"] = async () => {
  const wrong = [
    () => {
      throw new Error(`no ${CANARY}`);
    },
    async () => {
      throw "a text";
    },
    () => Promise.reject(),
    () => undefined,
    () => 7,
    () => ["pieces", "of", "an array"],
    async function* () {
      yield "a";
      throw new TypeError("broke off");
    },
    async function* () {
      yield 1;
    },
    () => ({ [Symbol.asyncIterator]: () => ({ next: () => 1 }) }),
    () => ({ [Symbol.asyncIterator]: () => ({}) }),
    () => ({ [Symbol.asyncIterator]: () => null }),
    () => ({
      get then() {
        throw new Error("getter");
      },
    }),
  ];
  let index = 0;
  const answer = () => (wrong[index] ? wrong[index]() : "1");
  const session = await Session.create(config("custom"), memory({ answer }));
  const run = session.run({ attended: true });
  const told = [];
  for (; index < wrong.length; index += 1) {
    await until(() => session.status.state === "halted", `halt ${index}`);
    const { halt } = session.status;
    equal([halt.because, halt.failure.kind], ["call_failed", "callback"], String(index));
    told.push(halt.failure.message);
    if (index + 1 < wrong.length) {
      const halted = count(session, "halted");
      index += 1;
      session.resume();
      await until(() => count(session, "halted") === halted + 1, `halt again ${index}`);
      index -= 1;
    }
  }
  ok(told.every((message) => message.startsWith("The answer callback failed for Ana: ")), told.join("\n"));
  ok(!told.join().includes("sk-canary"), told[0]);
  equal(told[1], "The answer callback failed for Ana: a text");
  equal(told[2], "The answer callback failed for Ana: no reason given");
  equal(told[3], "The answer callback failed for Ana: it returned neither a text nor an iterable of texts");
  equal(told[6], "The answer callback failed for Ana: broke off");
  session.resume();
  await run;
  equal(count(session, "failed"), wrong.length);
  // Without a callback nobody answers.
  const alone = await Session.create(config("custom"), memory());
  alone.run().catch(() => {});
  await until(() => alone.status.state === "halted");
  equal(alone.status.halt.failure.kind, "unavailable");
  alone.stop();
};

inMemory["people fill in forms"] = async () => {
  const session = await Session.create(config("human"), options({}));
  const running = session.run();
  await until(() => session.status.open.length > 0);
  const [ask] = session.status.open;
  const order = ask.form.fields.find(({ input }) => input === "order");
  const values = Object.fromEntries(order.places.map((place, at) => [place, order.options[at].value]));
  const fault = ((given) => {
    try {
      session.answer(ask.id, given);
    } catch (error) {
      return [error.code, error.detail.field];
    }
  });
  equal(fault(values), ["form", "certainty"]);
  equal(fault({ ...values, first: values.second, certainty: "sure" }), ["form", "order"]);
  ok(session.answer(ask.id, { ...values, certainty: "sure" }), "is open");
  await until(() => session.entries().some(({ what }) => what.type === "read" && what.ask === ask.id));
  const entries = session.entries();
  const { reply } = entries.find(({ what }) => what.type === "answered" && what.ask === ask.id).what;
  equal([reply.answered_as, reply.values], ["form", { ...values, certainty: "sure" }]);
  const { reading } = entries.find(({ what }) => what.type === "read" && what.ask === ask.id).what;
  equal([reading.how, reading.value.order], ["form", order.options.map(({ value }) => value)]);
  session.look("Ana");
  const commanded = () => session.entries().map(({ what }) => what).filter(({ type }) => type === "commanded");
  await until(() => commanded().length > 0, "the owner's look");
  equal(commanded(), [{ type: "commanded", command: { do: "look", seat: "Ana" } }]);
  session.stop();
  await session.close();
  await running.catch(() => {});
};

inMemory["people answer"] = async () => {
  let session;
  const events = [];
  const onEvent = (event) => {
    events.push(event);
    if (event.type !== "status") return;
    for (const ask of event.status.open) {
      if (ask.seatKind !== "human" || ask.since === null) continue;
      ok(session.answer(ask.id, "My answer: 1, 2, 3, 4. Very sure."), "is open");
      equal(session.answer(ask.id, "twice"), false, "the second answer");
    }
  };
  session = await Session.create(config("human"), options({ onEvent }));
  equal(session.answer("phase9", "?"), false);
  await session.run();
  asked_nothing_twice(session);
  const human = session.entries().filter(({ what }) => what.type === "answered" && what.ask.includes("Ana"));
  ok(human.length > 10 && human.every(({ what }) => what.reply.text.startsWith("My answer")));
  const told = events.filter(({ type }) => type === "entries").flatMap(({ entries }) => entries);
  // What was stored when the session was made is not told again.
  equal(told, session.entries(told[0].seq));
  equal(events.at(-1).status, { state: "ended", open: [] });
  ok(session.usage.calls > 0 && session.usage.estimated);
  await session.close();
};

inMemory["all entries in memory are reported"] = async () => {
  const told = [];
  const onEvent = ({ type, entries }) => type === "entries" && told.push(...entries);
  const session = await Session.create(config(), memory({ onEvent }));
  await session.run();
  const entries = session.entries();
  equal(entries.map(({ seq }) => seq), entries.map((_, at) => at));
  equal(entries.length, (await text(session)).trim().split("\n").length);
  equal(told, session.entries(told[0].seq));
  equal(entries.at(-1).what.type, "ended");
};

inMemory["caps halt the run"] = async () => {
  const session = await Session.create(config(), memory());
  session.limit({ maxCalls: 7 });
  const run = session.run({ attended: true });
  const alone = await session.run().then(() => null, (error) => error);
  equal([alone.code, alone.message], ["waiting", "the run is suspended (max_calls): limit() raises the cap, then resume() goes on"]);
  await until(() => session.status.state === "halted", "halt");
  equal([session.status.halt, session.usage.calls], [{ because: "max_calls", limit: 7 }, 7]);
  session.limit({ maxCalls: 9 });
  session.resume();
  await until(() => session.usage.calls === 9 && session.status.state === "halted", "second halt");
  session.limit({ maxTokens: 1 });
  session.resume();
  await until(() => session.status.halt?.because === "max_tokens", "halt by tokens");
  for (const [caps, message] of [
    [{ maxCalls: -1 }, "Session.limit: caps.maxCalls must be a number from 0 up, got -1"], [{ maxTokens: NaN }, "Session.limit: caps.maxTokens must be a number from 0 up, got NaN"],
    [{ max_calls: 5 }, 'Session.limit: caps has no "max_calls"; there are maxCalls, maxTokens, maxCost'],
  ]) equal((await rejected((async () => session.limit(caps))(), "input")).message, message);
  equal(session.status.halt?.because, "max_tokens");
  session.limit({});
  session.resume();
  await run;
  equal((await session.verify()).verified, true);
};

inMemory["forks"] = async () => {
  const session = await Session.create(config(), options());
  await session.run();
  const entries = session.entries();
  const place = entries.findIndex(({ what }) => what.type === "answered" && what.ask.includes("statement"));
  ok(place > 0);
  const answers = (from) => from.filter(({ what }) => what.type === "answered").map(({ what }) => what.reply.text);
  const changed = await session.fork(place, { answer: "I want the vote now, and principle 2." }, options());
  equal(changed.entries(0)[0].what.forked_from, { session: session.id, seq: place });
  const before = answers(entries.slice(0, place));
  equal(answers(changed.entries()), [...before, "I want the vote now, and principle 2."]);
  await changed.run();
  equal((await changed.verify()).verified, true);
  equal(changed.entries().slice(1, place).map(({ what }) => what), entries.slice(1, place).map(({ what }) => what));
  // Another configuration: what was said stays, as far as it fits.
  const other = await session.fork(place, { config: { phase2_rounds: 1, title: "Shorter" } }, memory());
  equal([other.config.phase2_rounds, other.config.title, other.config.seed], [1, "Shorter", 11]);
  await other.run();
  ok(other.entries().at(-1).what.result.rounds_completed <= 1);
  // A fork of a fork, by a copy that changes nothing: it ends as the first did.
  const same = await session.fork(place, undefined, memory());
  await same.run();
  equal(answers(same.entries()), answers(entries));
  equal(same.entries().at(-1).what.result.payoffs, entries.at(-1).what.result.payoffs);
  const whole = await session.fork(1e9, {}, memory());
  equal(whole.entries()[0].what.forked_from.seq, entries.length);
  await whole.run();
  equal(answers(whole.entries()), answers(entries));
  await rejected(session.fork(-5, {}, memory()), "input");
  const none = await session.fork(0, {}, memory());
  equal(answers(none.entries()), []);
  await rejected(session.fork(place - 1, { answer: "x" }, memory()), "input");
  await rejected(session.fork(place, { config: { phase2_rounds: "many" } }, memory()), "config");
  for (const one of [session, changed]) await one.close();
};

/** Lines with the hashes that fit them, as whoever alters a record with care would write them. */
async function resealed(lines) {
  const sealed = [];
  let chain = new Uint8Array(32);
  for (const line of lines) {
    const body = line.replace(/,"hash":"[0-9a-f]{8}"\}$/, "");
    chain = new Uint8Array(await crypto.subtle.digest("SHA-256", new Uint8Array([...chain, ...new TextEncoder().encode(body)])));
    const hex = [...chain.subarray(0, 4)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    sealed.push(`${body},"hash":"${hex}"}`);
  }
  return sealed;
}

onIndexedDb["verification"] = async () => {
  const session = await Session.create(config(), options());
  await session.run();
  const { hash, ...verified } = await session.verify();
  equal(verified, { verified: true, intact: true, entries: session.entries().length, signature: null });
  ok(/^[0-9a-f]{64}$/.test(hash) && hash.startsWith(session.entries().at(-1).hash), hash);
  const told = await text(session);
  const lines = told.trimEnd().split("\n");
  equal(await resealed(lines), lines);
  // Somebody makes another answer of the stored one.
  const { seq, what } = session.entries().find(({ what }) => what.type === "answered" && !what.reply.text.includes("\n"));
  const own = JSON.stringify(what.reply.text).slice(1, -1);
  await tamper(session.id, (stored) => stored.replaceAll(own, "I have no opinion at all."));
  const report = await session.verify();
  equal([report.verified, report.intact, report.seq], [false, false, seq]);
  ok(report.message.includes(`entry ${seq} `), report.message);
  await session.close();
  equal((await rejected(Session.open(session.id), "altered")).detail, seq);
  // It can still be looked at and taken away, as it stands.
  equal((await Library.entries(session.id)).length, session.entries().length);
  const { text: altered } = await Library.export(session.id, "jsonl");
  ok(altered.includes("I have no opinion at all."));
  await rejected(Session.import(altered, memory()), "import");
  await rejected(Library.export(session.id, "json"), "altered");
  await Library.delete(session.id);
  // From a file, with another payoff and with entries left out; and with hashes that fit.
  const importing = (lines) => Session.import(lines.join("\n"), memory());
  const richer = lines.map((line) => line.replace(/"bank":([0-9.]+)/, '"bank":9999'));
  await rejected(importing(richer), "import");
  await rejected(importing(lines.slice(1)), "import");
  await rejected(importing([...lines.slice(0, 40), ...lines.slice(41)]), "import");
  await rejected(importing(await resealed(richer)), "differs");
  const whole = await importing(lines);
  equal({ ...(await whole.verify()) }, { ...verified, hash });
};

onIndexedDb["a record is signed where there is a key"] = async () => {
  const opened = async () => {
    const request = indexedDB.open("quorate");
    return new Promise((resolve) => (request.onsuccess = () => resolve(request.result)));
  };
  const signing = async (mode, act) => {
    const database = await opened();
    const transaction = database.transaction("signing", mode);
    const request = act(transaction.objectStore("signing"));
    await new Promise((resolve) => (transaction.oncomplete = resolve));
    database.close();
    return request.result;
  };
  const signatureOf = (text) => JSON.parse(text.trimEnd().split("\n").at(-1)).signature;
  // No key: no signature, and none is made for it.
  const plain = await Session.create(config(), options());
  await plain.run();
  equal([signatureOf(await text(plain)), JSON.parse((await plain.export("json")).text).signature], [undefined, undefined]);
  equal(await signing("readonly", (store) => store.count()), 0);
  await plain.close();
  const pair = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, false, ["sign", "verify"]);
  const { crv, kty, x, y } = await crypto.subtle.exportKey("jwk", pair.publicKey);
  const key = { algorithm: "ES256", private: pair.privateKey, public: { crv, kty, x, y } };
  await signing("readwrite", (store) => store.add(key, "key"));
  try {
    const session = await Session.create(config(), options());
    await session.run();
    await until(async () => (await session.verify()).signature !== null, "the signature");
    const { verified, signature, entries } = await session.verify();
    equal([verified, signature.valid, signature.entries], [true, true, entries]);
    const lines = (await text(session)).trimEnd().split("\n");
    equal(signatureOf(lines.at(-1)).public_key, key.public);
    const importing = (lines) => Session.import(lines.join("\n"), memory());
    await importing(lines);
    await rejected(importing([...lines, lines.at(-1)]), "import");
    // The session's id follows from nothing: with hashes that fit, the signature alone tells that it is another.
    const other = await resealed(lines.slice(0, -1).map((line) => line.replace(session.id, `${session.id}0`)));
    await importing(other);
    await rejected(importing([...other, lines.at(-1)]), "import");
    await session.close();
  } finally {
    await signing("readwrite", (store) => store.clear());
  }
};

onIndexedDb["a record of another engine is shown and not run"] = async () => {
  const session = await Session.create(config(), options());
  await session.run();
  const lines = (await text(session)).trimEnd().split("\n");
  const shown = session.view("owner");
  await session.close();
  await Library.delete(session.id);
  const engine = "quorate 0.0.1";
  const of_another = (lines) => resealed(lines.map((line) => line.replace(/"engine":"[^"]+"/, `"engine":"${engine}"`)));
  for (const [count, state] of [[lines.length, "ended"], [100, "stopped"]]) {
    const record = await of_another(lines.slice(0, count));
    const taken = await Session.import(record.join("\n"), options());
    await taken.close();
    const again = await Session.open(taken.id, options());
    equal([again.onlyFor, again.status.state, again.entries().length], [engine, state, count]);
    const report = await again.verify();
    equal([report.verified, report.intact, report.seq, report.entries], [false, true, 0, count]);
    ok(report.message.includes(engine), report.message);
    again.resume();
    if (state === "ended") equal(again.view("owner").items.length, shown.items.length);
    else await rejected(again.run(), "engine");
    equal((await text(again)).trimEnd().split("\n"), record);
    ok((await again.export("md")).text.length > 500);
    await again.close();
    await Library.delete(again.id);
  }
};

onIndexedDb["out and in again"] = async () => {
  const session = await Session.create(config(), options());
  await session.run();
  const formats = ["json", "jsonl", "runs", "seats", "decisions", "utterances", "asks", "md", "published"];
  const files = {};
  for (const format of formats) {
    const file = await session.export(format);
    equal(Object.keys(file).sort(), ["name", "text", "type"]);
    ok(file.text.length > 500 && /^[^/\\:*?"<>|]+$/.test(file.name), file.name);
    files[format] = file.text;
  }
  await rejected(session.export("xlsx"), "export");
  // Tables for spreadsheets, with the texts of the questions, and of any size.
  const table = async (format, more) => (await session.export(format, more)).text;
  equal(await table("asks", { spreadsheet: true }), `\ufeff${files.asks}`);
  equal([files.asks.includes(",prompt,"), (await table("asks", { prompts: true })).includes(",prompt,")], [false, true]);
  const [plain] = files.seats.split("\r\n");
  ok((await table("seats", { spreadsheet: "es-ES" })).startsWith(`\ufeff${plain.replaceAll(",", ";")}\r\n`));
  ok((await table("seats", { spreadsheet: "en-US" })).startsWith(`\ufeff${plain}\r\n`));
  await rejected(session.export("seats", { spreadsheet: "no such locale!" }), "export");
  const { blob } = await session.export("decisions", { blob: true });
  equal(await blob.text(), files.decisions);
  ok((await session.export("zip", { blob: true })).blob.size > 1000);
  await session.close();
  await rejected(Session.import(files.json), "exists");
  await Library.delete(session.id);
  for (const format of ["json", "jsonl"]) {
    const again = await Session.import(files[format], { now: () => NOW });
    equal([again.id, again.status.state, await text(again)], [session.id, "ended", files.jsonl]);
    await again.close();
    for (const format of formats) equal((await Library.export(session.id, format)).text, files[format], format);
    await Library.delete(session.id);
  }
  // A record that is not at its end yet goes on.
  const half = files.jsonl.split("\n").slice(0, 30).join("\n");
  const going = await Session.import(half, memory());
  await going.run();
  equal(await text(going), files.jsonl);
  for (const wrong of ["", "{", "[]", "{}", "null", '{"seq":0}', "\ud800", "a\n".repeat(9)]) {
    await rejected(Session.import(wrong, memory()), "import");
  }
};

onIndexedDb["the library"] = async () => {
  const ids = [fresh(), fresh(), fresh()];
  for (const [index, id] of ids.entries()) {
    const session = await Session.create(config("human", { title: `N ${index}` }), { id, now: () => NOW + index });
    await session.close();
  }
  const mine = async () => (await Library.list()).filter(({ id }) => ids.includes(id));
  equal((await mine()).map(({ id }) => id), [...ids].reverse(), "the newest first");
  const [, , summary] = await mine();
  equal(
    [summary.title, summary.state, summary.created, summary.updated, summary.language, summary.protocol],
    ["N 0", "unfinished", NOW, NOW, "en", "justice"],
  );
  equal(summary.seats, [{ name: "Ana", kind: "human" }, { name: "Ben", kind: "scripted" }]);
  await Library.rename(ids[0], 'Another "title" 选');
  await Library.rename(fresh(), "nobody");
  equal((await mine())[2].title, 'Another "title" 选');
  equal((await Library.list()).filter(({ title }) => title === "nobody"), []);
  await Library.delete(ids[1]);
  await Library.delete(ids[1]);
  equal((await mine()).map(({ id }) => id), [ids[2], ids[0]]);
  equal(await Library.entries(ids[1]), []);
  // Firefox asks the person, and nobody answers here.
  ok([true, false, "asked"].includes(await Promise.race([Library.persist(), wait(500).then(() => "asked")])));
  const { usage, quota } = await Library.estimate();
  ok([usage, quota].every((bytes) => bytes === null || bytes >= 0));
};

onIndexedDb["drafts"] = async () => {
  const id = fresh();
  equal(await Library.draft(id, "a"), null);
  await Library.saveDraft(id, "a", "Once upon\na time 🙂");
  await Library.saveDraft(id, "b", "other");
  equal([await Library.draft(id, "a"), await Library.draft(id, "b")], ["Once upon\na time 🙂", "other"]);
  await Library.saveDraft(id, "a", "");
  equal(await Library.draft(id, "a"), null);
  await Library.delete(id);
  equal(await Library.draft(id, "b"), null);
};

onIndexedDb["nothing is lost without room"] = async () => {
  const id = fresh();
  const expected = await whole(id);
  const { add, put } = IDBObjectStore.prototype;
  const problems = [];
  let session;
  let full = true;
  const onEvent = (event) => {
    if (event.type === "storage") problems.push(event.error);
    // Told means stored: while there is no room, nothing is told.
    if (event.type === "entries") ok(!full || problems.length === 0, "told without being stored");
  };
  session = await Session.create(config(), { id, now: () => NOW, onEvent });
  const fails = () => {
    throw new DOMException("no room", "QuotaExceededError");
  };
  let puts = 0;
  try {
    IDBObjectStore.prototype.put = fails;
    IDBObjectStore.prototype.add = function (...args) {
      return (puts += 1) > 12 ? fails() : add.apply(this, args);
    };
    const run = session.run();
    await until(() => problems.length === 1, "the first trouble");
    equal([problems[0].code, session.status.state, session.status.storage.state], ["quota", "running", "full"]);
    ok(problems[0] instanceof LabError && problems[0].message.includes("no room"), problems[0].message);
    const kept = session.entries().length;
    ok(kept > 5 && (await text(session)).split("\n").length === kept + 1, "export");
    equal((await Library.entries(id)).length < kept, true);
    session.storeAgain();
    await until(() => problems.length === 2, "still no room");
    full = false;
    Object.assign(IDBObjectStore.prototype, { add, put });
    // Nobody has to do anything: it is tried again by itself.
    await run;
    equal(session.status.storage, undefined);
  } finally {
    Object.assign(IDBObjectStore.prototype, { add, put });
  }
  const rest = (text) => text.split("\n").map((line) => line.replace(/^\{"seq":\d+,/, "").replace(/,"hash":"[0-9a-f]{8}"\}$/, "")).filter((line) => !line.includes('"commanded"')).join("\n");
  equal(rest(await text(session)), rest(expected));
  equal(commands(session), []);
  asked_nothing_twice(session);
  const record = await text(session);
  equal((await Library.export(id, "jsonl")).text, record, "all is stored");
  await session.close();
  // No room from the start: there is no session.
  try {
    IDBObjectStore.prototype.put = fails;
    await rejected(Session.create(config(), options()), "quota");
  } finally {
    IDBObjectStore.prototype.put = put;
  }
};

onIndexedDb["a browser that stores nothing for a while is reported"] = async () => {
  const session = await Session.create(config(), options({}));
  const request = indexedDB.open("quorate");
  const opened = await new Promise((resolve) => (request.onsuccess = () => resolve(request.result)));
  // A transaction over everything that does not end keeps all others waiting.
  const names = [...opened.objectStoreNames];
  const transaction = opened.transaction(names, "readwrite");
  let is_busy = true;
  const ask = () => is_busy && (transaction.objectStore(names[0]).get("nobody").onsuccess = ask);
  ask();
  const run = session.run();
  await wait(5000);
  await until(() => session.status.storage, "a word about it");
  equal([session.status.state, session.status.storage.state], ["running", "silent"]);
  is_busy = false;
  await run;
  equal(session.status.storage, undefined);
  opened.close();
  await session.close();
  equal((await Library.export(session.id, "jsonl")).text, await text(session));
};

onIndexedDb["nothing is lost with the database"] = async () => {
  let session;
  const problems = [];
  let stored = 0;
  const onEvent = (event) => {
    if (event.type === "storage") problems.push(event.error.message);
    // What is told was stored before.
    if (event.type === "entries") stored = event.entries.at(-1).seq + 1;
  };
  session = await Session.create(config("human"), options({ onEvent }));
  const run = session.run();
  const open = () => session.status.open.find(({ seatKind, since }) => seatKind === "human" && since !== null);
  await until(open);
  const written = () => until(() => stored === session.entries().length, "what was said is stored");
  const removeDatabase = () => {
    const request = indexedDB.deleteDatabase("quorate");
    return new Promise((resolve, reject) => Object.assign(request, { onsuccess: resolve, onerror: () => reject(request.error) }));
  };
  for (let turn = 0; turn < 3; turn += 1) {
    await written();
    await removeDatabase();
    const { verified, entries } = await session.verify();
    equal([verified, entries], [true, session.entries().length]);
    const { id } = open();
    ok(session.answer(id, "1"));
    await until(() => open() && open().id !== id, "the next question");
  }
  await written();
  equal(problems, []);
  await at_rest(session);
  equal((await Library.list()).map(({ id }) => id), [session.id]);
  // What is missing at its end is put back; something else in its place is not written over.
  await tamper(session.id, (lines, isLast) => (isLast ? null : lines));
  const { id } = open();
  session.answer(id, "1");
  await until(() => open() && open().id !== id, "the next question");
  await at_rest(session);
  equal(problems, []);
  await tamper(session.id, (lines, isLast) => (isLast ? null : lines.replace('"at":', '"at":1')));
  session.answer(open().id, "1");
  await until(() => problems.length > 0, "trouble");
  ok((await text(session)).includes('"started"'));
  session.stop();
  await session.close();
  await run.catch(() => {});
  await Library.delete(session.id);
};

onIndexedDb["a title outlives appends"] = async () => {
  let session;
  let renamed;
  const onEvent = (event) => {
    if (event.type === "entries" && !renamed) renamed = Library.rename(session.id, "Mine");
  };
  session = await Session.create(config(), options({ onEvent }));
  await session.run();
  await renamed;
  const [summary] = (await Library.list()).filter(({ id }) => id === session.id);
  equal([summary.title, summary.state, summary.entries], ["Mine", "ended", session.entries().length]);
  ok(typeof summary.outcome.consensus_reached === "boolean");
  equal(session.config.title, "Two");
  await session.close();
};

onIndexedDb["lists catch up with a run that waits"] = async () => {
  const session = await Session.create(config("human"), options());
  session.run().catch(() => {});
  const open = () => session.status.open.find(({ seatKind, since }) => seatKind === "human" && since !== null);
  const listed = async () => (await Library.list()).find(({ id }) => id === session.id).entries;
  for (let turn = 0; turn < 3; turn += 1) {
    await until(open);
    const { id } = open();
    session.answer(id, "1");
    await until(() => open() && open().id !== id, "the next question");
  }
  await at_rest(session);
  await until(async () => (await listed()) === session.entries().length, "the list tells of all entries");
  session.answer(open().id, "1");
  await session.close();
  equal(await listed(), session.entries().length, "closed");
  await Library.delete(session.id);
  await wait(1200);
  equal((await Library.list()).filter(({ id }) => id === session.id), [], "nothing comes after the end");
};

onIndexedDb["faults of a configuration"] = async () => {
  const wrong = config("scripted", { seed: -1, phase2_rounds: "ten", colour: "red" });
  wrong.agents[1].temperature = 9;
  const before = (await Library.list()).length;
  const error = await rejected(Session.create(wrong, options()), "config");
  const paths = error.detail.map(({ path }) => path);
  for (const path of ["seed", "phase2_rounds", "colour"]) ok(paths.includes(path), `${path} in ${paths}`);
  ok(paths.some((path) => path.includes("temperature") && path.includes("1")), paths.join());
  ok(error.detail.every(({ message }) => message.length > 5));
  equal((await Library.list()).length, before);
  for (const odd of [null, 5, "text", [], {}]) await rejected(Session.create(odd, options()), "config");
};

inMemory["odd input is refused"] = async () => {
  const round = config();
  round.self = round;
  await rejected(Session.create(round, options()), "input");
  for (const odd of [undefined, () => {}, Symbol("s"), 10n]) await rejected(Session.create(odd, options()), "input");
  let deep = [];
  for (let level = 0; level < 5000; level += 1) deep = [deep];
  await rejected(Session.create(deep, options()), "input");
  await rejected(Session.create(config(), { store: "disk" }), "input");
  // What is not there counts as not given.
  for (const [odd, message] of [
    [{ pace: "fast" }, 'Session.create: options.pace must be a number from 0 up, got "fast"'], [{ pace: NaN }, "Session.create: options.pace must be a number from 0 up, got NaN"],
    [{ answer: 5 }, "Session.create: options.answer must be a function, got 5"], [{ keys: "no" }, "Session.create: options.keys must be an object: origins with keys as texts, or null"],
    [{ onevent() {} }, 'Session.create: options has no "onevent"; there are onEvent, answer, keys, store, pace, recorded, callLimits, id, now'],
  ]) equal((await rejected(Session.create(config(), memory(odd)), "input")).message, message);
  const session = await Session.create(config("scripted", { title: undefined }), memory({ pace: undefined, onEvent: null, answer: undefined, keys: null }));
  session.limit();
  session.setKeys(null);
  for (const act of [() => session.setPace(-1), () => session.entries(-3)]) await rejected(Promise.resolve().then(act), "input");
  equal(session.entries(1e9), []);
  await session.run(null);
  // Pages without a clock that makes sense run too.
  for (const now of [() => NaN, () => "soon", () => -1, () => { throw new Error("no clock"); }]) {
    const odd = await Session.create(config(), memory({ now }));
    await odd.run();
  }
};

onIndexedDb["no key anywhere"] = async () => {
  const events = [];
  const origin = `https://${caseName}.example`;
  const wrong = () => {
    throw new Error(`Authorization: Bearer ${CANARY} and other-canary-key-1 were refused`);
  };
  const real = globalThis.fetch;
  const sent = [];
  globalThis.fetch = async (request, ...rest) => {
    if (!request.url?.startsWith(origin)) return real(request, ...rest);
    sent.push([request.url, request.headers.get("authorization")]);
    return new Response(JSON.stringify({ error: { message: `Incorrect API key provided: ${CANARY}` } }), { status: 401 });
  };
  try {
    const agents = [
      { name: "Ana", personality: "p", kind: "custom" },
      { name: "Ben", personality: "p", kind: "model", model: "m", base_url: `${origin}/v1` },
    ];
    const session = await Session.create(
      { ...config(), agents },
      options({ answer: wrong, keys: { [`${origin.toUpperCase()}/v1/`]: CANARY, "https://other.example": "other-canary-key-1" }, onEvent: (event) => events.push(event) }),
    );
    session.run().catch(() => {});
    await until(() => count(session, "failed") === 2 && session.status.state === "halted", "both failures");
    equal(sent, [[`${origin}/v1/chat/completions`, `Bearer ${CANARY}`]]);
    session.setKeys({ [origin]: `${CANARY}-2` });
    session.resume();
    await until(() => count(session, "failed") === 4, "both again");
    equal(sent[1][1], `Bearer ${CANARY}-2`);
    const texts = [await dump(), JSON.stringify(events), JSON.stringify(session.entries()), JSON.stringify(session.status)];
    for (const format of ["json", "jsonl", "runs", "seats", "decisions", "utterances", "asks", "md", "published"]) {
      texts.push(await session.export(format).then(({ text }) => text, ({ message }) => message));
    }
    ok(texts[0].includes(session.id) && texts[0].includes("failed"), "the dump holds the record");
    for (const text of texts) ok(!/canary-(0123|key)/.test(text), text.slice(Math.max(0, text.search(/canary-(0123|key)/) - 200)).slice(0, 300));
    session.stop();
    await session.close();
    await Library.delete(session.id);
  } finally {
    globalThis.fetch = real;
  }
};

inMemory["the run is started twice"] = async () => {
  const session = await Session.create(config(), options());
  const runs = [session.run(), session.run()];
  await wait(5);
  runs.push(session.run());
  const results = await Promise.all(runs);
  results.push(await session.run());
  equal(results.slice(1), results.slice(0, -1));
  asked_nothing_twice(session);
  equal(await text(session), await whole(session.id));
  await session.close();
};

inMemory["signals"] = async () => {
  const before = await Session.create(config(), memory());
  await rejected(before.run({ signal: AbortSignal.abort() }), "stopped");
  equal(before.status.state, "stopped");
  equal(count(before, "answered"), 0);
  before.resume();
  await before.run();
  asked_nothing_twice(before);
  let session;
  const during = new AbortController();
  const onEvent = ({ type, entries }) => {
    if (type === "entries" && entries.at(-1).seq > 40) during.abort();
  };
  session = await Session.create(config(), options({ onEvent }));
  await rejected(session.run({ signal: during.signal }), "stopped");
  const over = new AbortController();
  session.resume();
  await session.run({ signal: over.signal });
  over.abort();
  await wait(5);
  equal(session.status.state, "ended");
  equal(commands(session), ["stop", "resume"]);
  asked_nothing_twice(session);
  await session.close();
};

onIndexedDb["close during a call"] = async () => {
  let signal;
  let resolve;
  const answer = (ask) => {
    ({ signal } = ask);
    signal.onabort = () => session.close();
    return new Promise((done) => (resolve = done));
  };
  const events = [];
  const session = await Session.create(config("custom"), options({ answer, onEvent: (event) => events.push(event) }));
  const run = session.run();
  await until(() => signal);
  // Ben goes through phase 1 alone; then only Ana's answer is waited for.
  await until(() => session.status.open.length === 1);
  await Promise.all([session.close(), session.close()]);
  await rejected(run, "closed");
  equal(signal.aborted, true);
  const told = events.length;
  resolve("too late");
  session.resume();
  session.pause();
  await rejected(session.run(), "closed");
  await wait(20);
  equal([events.length, count(session, "late"), commands(session)], [told, 0, []]);
  equal((await Library.export(session.id, "jsonl")).text, await text(session));
  // The other one answers there: nothing that was answered is asked again.
  const again = await Session.open(session.id, { now: () => NOW, answer: () => "1" });
  await again.run();
  asked_nothing_twice(again);
  await again.close();
};

inMemory["after the end"] = async () => {
  const session = await Session.create(config(), memory());
  const result = await session.run();
  const length = session.entries().length;
  const { ask } = session.entries().find(({ what }) => what.type === "answered").what;
  equal(session.answer(ask, "again"), false);
  for (const command of ["pause", "resume", "step", "stop"]) session[command]();
  session.limit({ maxCalls: 1 });
  equal(await session.run(), result);
  equal([session.entries().length, session.status.state], [length, "ended"]);
};

inMemory["events that throw and events that act"] = async () => {
  const { error } = console;
  const told = [];
  console.error = (...args) => told.push(args);
  try {
    const session = await Session.create(config(), memory({ onEvent: () => { throw new Error("from the page"); } }));
    await session.run();
    equal(await text(session), await whole(session.id));
    ok(told.length > 10 && told[0][0].message === "from the page");
  } finally {
    console.error = error;
  }
  // From within an event everything may be done.
  let session;
  let turns = 0;
  const onEvent = ({ type }) => {
    turns += 1;
    ok(session.status.state && session.usage && session.config && session.entries().length > 0);
    if (type === "entries" && turns % 5 === 0) {
      session.pause();
      session.step();
      session.limit({});
      setTimeout(() => session.resume(), 1);
    }
    if (type === "piece") session.setPace(0);
  };
  const now = () => {
    session?.status;
    return NOW;
  };
  session = await Session.create(config(), memory({ onEvent, now, pace: 5 }));
  await session.run();
  asked_nothing_twice(session);
  ok(commands(session).includes("pause") && commands(session).includes("resume"));
  equal((await session.verify()).verified, true);
  // Stop within a piece: the seat falls silent.
  let pieces = 0;
  const quiet = await Session.create(config(), memory({
    pace: 200,
    onEvent: ({ type }) => type === "piece" && (pieces += 1) === 2 && quiet.stop(),
  }));
  await rejected(quiet.run(), "stopped");
  await wait(150);
  equal(pieces, 2);
};

async function runManyAtOnce(store) {
  const ids = Array.from({ length: 10 }, fresh);
  const sessions = await Promise.all(ids.map((id, index) => Session.create(config("scripted", { seed: index }), { id, store, now: () => NOW })));
  await Promise.all(sessions.map((session) => session.run()));
  for (const [index, session] of sessions.entries()) {
    equal(await text(session), await whole(ids[index], config("scripted", { seed: index })), `${index}`);
    asked_nothing_twice(session);
    await session.close();
  }
  return ids;
}
inMemory["many at once in memory"] = () => runManyAtOnce("memory");
onIndexedDb["many at once"] = async () => {
  for (const id of await runManyAtOnce("indexeddb")) await Library.delete(id);
};

/** Lets models at a made-up origin answer while `use` runs: each request's text and how often it came make the answer. */
async function with_models(use) {
  const origin = `https://${caseName}.example`;
  const real = globalThis.fetch;
  const sent = [];
  globalThis.fetch = async (request, ...rest) => {
    if (!request.url?.startsWith(origin)) return real(request, ...rest);
    const body = await request.text();
    sent.push({ url: request.url, body, key: request.headers.get("authorization") });
    const times = sent.filter((one) => one.body === body).length;
    const content = `I think so. 1, 2, 3, 4. (${(await sha256(body)).slice(0, 6)}, ${times})`;
    const choices = [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }];
    const answer = { id: "x", object: "chat.completion", model: "m", choices, usage: { prompt_tokens: 7, completion_tokens: 3 } };
    return new Response(JSON.stringify(answer), { headers: { "content-type": "application/json" } });
  };
  try {
    await use(origin, sent);
  } finally {
    globalThis.fetch = real;
  }
}
const talk = (origin, more = {}) => ({
  protocol: "discussion", language: "English", topic: "Tea", rounds: 2, start: "at_once",
  agents: ["Ana", "Ben"].map((name) => ({ name, personality: "p", kind: "model", model: "m", base_url: `${origin}/v1`, ...more })),
});
const keyed = (origin, more = {}) => options({ keys: { [origin]: "key" }, ...more });
const replies = (session) => session.entries().filter(({ what }) => what.type === "answered").map(({ seq, what }) => ({ seq, ask: what.ask, ...what.reply }));
const said = (session) => replies(session).map(({ ask, text }) => [ask, text]);
async function ran(config, options) {
  const session = await Session.create(config, options);
  await session.run();
  return session;
}

onIndexedDb["a run repeated with recorded calls sends no request"] = () => with_models(async (origin, sent) => {
  const first = await ran(talk(origin), keyed(origin));
  const calls = sent.length;
  ok(calls >= 4 && calls === replies(first).length, `${calls} calls`);
  equal(first.usage.calls, calls);
  const again = await ran(talk(origin), keyed(origin, { recorded: "use" }));
  equal(sent.length, calls, "requests");
  equal(said(again), said(first));
  equal(replies(again).map(({ recorded }) => recorded), replies(first).map(({ seq }) => ({ session: first.id, seq })));
  equal([again.usage.calls, again.usage.inputTokens, again.usage.outputTokens], [0, 0, 0]);
  equal((await again.verify()).verified, true);
  // In memory too, and opened again; a session's own answers and answers that were recorded themselves do not count.
  const inMemory = await ran(talk(origin), memory({ recorded: "only" }));
  equal(said(inMemory), said(first));
  await again.close();
  const opened = await Session.open(again.id, { now: () => NOW });
  equal(said(opened), said(first));
  // A branch costs nothing up to where it differs.
  const seq = replies(first)[1].seq;
  const branch = await first.fork(seq, {}, keyed(origin, { recorded: "use" }));
  await branch.run();
  equal([said(branch), sent.length], [said(first), calls]);
  const other = await first.fork(seq, { answer: "Something else." }, keyed(origin, { recorded: "use" }));
  await other.run();
  ok(sent.length > calls && said(other)[1][1] === "Something else.");
  for (const session of [opened, branch, other]) {
    await session.close();
    await Library.delete(session.id);
  }
  // Gone with the session.
  await first.close();
  await Library.delete(first.id);
  const only = await Session.create(talk(origin), memory({ recorded: "only" }));
  only.run().catch(() => {});
  await until(() => only.status.state === "halted", "the halt");
  equal([only.status.halt.failure.kind, sent.length > 0], ["unavailable", true]);
  ok(only.status.halt.failure.message.includes(only.status.halt.ask));
});

onIndexedDb["equal requests of a run get one answer each"] = () => with_models(async (origin, sent) => {
  // Debaters without anything of their own ask the same at once.
  const debate = {
    protocol: "debate", language: "English", question: "Tea?", agents: ["Ana", "Ben", "Cleo"].map((name) => ({
      name, kind: "model", model: "m", base_url: `${origin}/v1`, personality: "p",
    })),
  };
  const first = await Session.create(debate, keyed(origin));
  first.run().catch(() => {});
  await until(() => replies(first).length >= 6, "answers");
  first.stop();
  await at_rest(first);
  const calls = sent.length;
  const again = await Session.create(debate, keyed(origin, { recorded: "use" }));
  again.run().catch(() => {});
  await until(() => replies(again).filter(({ recorded }) => recorded).length >= 6, "recorded answers");
  again.stop();
  const of = new Map(said(first));
  const same = replies(again).filter(({ recorded }) => recorded);
  ok(same.length >= 6 && sent.length >= calls);
  for (const { ask, text } of same) equal(text, of.get(ask), ask);
  equal(new Set(same.map(({ recorded }) => recorded.seq)).size, same.length, "each once");
  await first.close();
  await again.close();
  await Library.delete(first.id);
  await Library.delete(again.id);
});

onIndexedDb["an old library is indexed when recorded calls are wanted"] = () => with_models(async (origin, sent) => {
  const first = await ran(talk(origin), keyed(origin));
  await first.close();
  const calls = sent.length;
  // As it was stored before there was an index.
  const database = await new Promise((resolve) => {
    const request = indexedDB.open("quorate");
    request.onsuccess = () => resolve(request.result);
  });
  const change = database.transaction("calls", "readwrite");
  change.objectStore("calls").clear();
  await new Promise((resolve) => (change.oncomplete = resolve));
  database.close();
  const again = await ran(talk(origin), keyed(origin, { recorded: "use" }));
  equal([sent.length, said(again)], [calls, said(first)]);
  for (const session of [first, again]) {
    await session.close();
    await Library.delete(session.id);
  }
});

onIndexedDb["a seat plays back a saved session"] = () => with_models(async (origin, sent) => {
  const first = await ran(talk(origin), keyed(origin));
  const calls = sent.length;
  const plays = { session: first.id };
  const played = talk(origin);
  played.agents = played.agents.map(({ name, personality }) => ({ name, personality, kind: "recorded", plays }));
  const again = await ran(played, options());
  equal([sent.length, said(again)], [calls, said(first)]);
  equal(replies(again).map(({ recorded }) => recorded.seq), replies(first).map(({ seq }) => seq));
  equal((await again.verify()).verified, true);
  equal([again.usage.calls, (await Library.list()).find(({ id }) => id === again.id).seats[0].kind], [0, "recorded"]);
  ok((await again.export("md")).text.includes("| Ana | saved session "));
  // Under another name.
  const renamed = structuredClone(played);
  renamed.agents[0] = { ...renamed.agents[0], name: "Zoe", plays: { session: first.id, seat: "Ana" } };
  const zoe = await ran(renamed, memory());
  equal(said(zoe).map(([, text]) => text), said(first).map(([, text]) => text));
  // What was not said there is not made up.
  const longer = await Session.create({ ...played, rounds: 3 }, memory());
  longer.run().catch(() => {});
  await until(() => longer.status.state === "halted", "the halt");
  const { failure, ask } = longer.status.halt;
  equal([failure.kind, replies(longer).length], ["unavailable", calls]);
  ok(failure.message.includes(ask) && failure.message.includes(first.id));
  ok(longer.answer(ask, "I say it myself.") === false, "nobody is asked while it is held");
  longer.stop();
  const nowhere = structuredClone(played);
  for (const agent of nowhere.agents) agent.plays = { session: "no-such-session" };
  const none = await Session.create(nowhere, memory());
  none.run().catch(() => {});
  await until(() => none.status.state === "halted", "the halt");
  ok(none.status.halt.failure.message.includes("no-such-session"));
  none.stop();
  for (const session of [first, again]) {
    await session.close();
    await Library.delete(session.id);
  }
});
