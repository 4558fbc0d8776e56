// guide-llm.md: the 14 items of GUIDE-LLM (https://llm-checklist.com), a checklist for reporting on language models in behavioural
// research, as far as records answer them. Memory grows with the number of models and settings, not of runs.
import { Session } from "quorate";

/** Kinds of participants that may be language models. */
const MODELS = ["model", "custom"];
/** Kinds of questions that go to no participant. */
const SOURCES = ["context", "similarity"];
const SETTINGS = ["temperature", "top_p", "max_tokens", "stop", "seed", "reasoning_effort"];
/** What people can do in a run besides answering. */
const DEEDS = { say: "messages", annotate: "readings of answers by hand, which have no effect on runs", skip: "questions skipped", reseat: "changes of seats",
  stand_in: "seats of people handed to scripted participants", take_back: "seats taken back by people", close: "discussions closed", extend: "extensions of time" };
const OPEN = "**To be filled by the authors.**";

/** Text of files and models as Markdown that shows it as it is, in one line. */
export const literal = (text) => String(text).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, " ").replaceAll("&", "&amp;").replaceAll("<", "&lt;").replace(/[\\`*_{}[\]>|~#!$]/g, "\\$&");
const table = (header, rows) => [header, header.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");
const plural = (count, one, more = `${one}s`) => `${count} ${count === 1 ? one : more}`;

/** Numbers by name. */
class Tally {
  #counts = new Map();

  add(name, number = 1) {
    this.#counts.set(name, this.of(name) + number);
  }

  of(name) {
    return this.#counts.get(name) ?? 0;
  }

  /** Names with numbers, by name. */
  get all() {
    return [...this.#counts].sort(([one], [other]) => (one < other ? -1 : 1));
  }

  /** `name (number), …` */
  toString() {
    return this.all.map(([name, count]) => `${literal(name)} (${count})`).join(", ") || "none";
  }
}

/** What one model, at one address, was asked and answered. */
class Model {
  asked = 0;
  returned = new Tally();
  first = "";
  last = "";
  settings = new Map(SETTINGS.map((name) => [name, new Tally()]));
  leftOut = new Tally();
  allowed = new Tally();
  forms = new Tally();
  withSystem = 0;
  tokens = new Tally();

  constructor([provider, name, address]) {
    Object.assign(this, { provider, name, address });
  }

  addQuestion(request) {
    this.asked += 1;
    if (request.system) this.withSystem += 1;
    for (const [name, values] of this.settings) values.add(request[name] === undefined ? "not sent" : JSON.stringify(request[name]));
  }

  addAnswer(at, reply) {
    this.returned.add(reply.model ?? "not named");
    if (!reply.recorded) this.#addDay(new Date(at).toISOString().slice(0, 10));
    for (const name of reply.left_out ?? []) this.leftOut.add(name);
    if (reply.allowed_tokens) this.allowed.add(reply.allowed_tokens);
    if (reply.answered_as) this.forms.add(reply.answered_as);
  }

  #addDay(day) {
    if (!this.first || day < this.first) this.first = day;
    if (day > this.last) this.last = day;
  }
}

class Counts {
  runs = 0;
  ended = 0;
  /** By kind of participant. */
  questions = new Tally();
  answers = new Tally();
  /** Kinds of questions to models. */
  kinds = new Tally();
  models = new Map();
  readings = new Tally();
  missing = new Tally();
  failures = new Tally();
  deeds = new Tally();
  costs = new Tally();
  unpriced = 0;
  standIns = 0;
  /** Answers of models that were taken from saved runs. */
  reused = 0;
  recalled = 0;

  addRun(session) {
    this.runs += 1;
    if (session.status.state === "ended") this.ended += 1;
    const { calls, currency } = session.costs();
    const kinds = new Map(calls.map((call) => [call.ask, call.seat_kind]));
    const seats = new Map(session.view().people.map(({ name, kind }) => [name, kind]));
    const kindOf = ({ id, seat, kind }) => kinds.get(id) ?? (SOURCES.includes(kind) ? "source" : seats.get(seat) ?? "human");
    const models = this.#addEntries(session.entries(0), kindOf);
    for (const call of calls) if (models.has(call.ask)) this.#addCost(models.get(call.ask), call, currency ?? "USD");
  }

  /** Returns the model of each question to one. */
  #addEntries(entries, kindOf) {
    const asks = new Map();
    for (const { at, what } of entries) {
      const asked = asks.get(what.ask);
      if (what.type === "asked") asks.set(what.ask.id, { ask: what.ask, request: what.request, kind: kindOf(what.ask) });
      else if (what.type === "commanded") this.#addDeed(what.command);
      else if (!asked) continue;
      else if (what.type === "sent") this.#addCall(asked);
      else if (what.type === "answered") this.#addAnswer(at, asked, what.reply);
      else if (what.type === "read") this.#addReading(asked, what.reading);
      else if (what.type === "fell_back") asked.request = { ...asked.request, provider: what.provider, model: what.model, base_url: what.base_url };
      else if (asked.model) this.#addFailure(what);
    }
    return new Map([...asks.values()].filter(({ model }) => model).map(({ ask, model }) => [ask.id, model]));
  }

  #addCall(asked) {
    const { ask, request, kind, isSent, model: before } = asked;
    const isModel = MODELS.includes(kind) || (kind === "source" && request.model !== undefined);
    if (!isSent) this.questions.add(kind);
    if (!isSent && isModel) this.kinds.add(ask.kind);
    asked.isSent = true;
    if (!isModel) return;
    asked.model = this.#modelOf(request);
    if (asked.model !== before) asked.model.addQuestion(request);
  }

  #modelOf({ provider, model, base_url: address }) {
    const key = [provider ?? "", model ?? "", address ?? ""];
    const name = JSON.stringify(key);
    if (!this.models.has(name)) this.models.set(name, new Model(key));
    return this.models.get(name);
  }

  #addAnswer(at, { kind, model }, reply) {
    this.answers.add(reply.stood_in ? "scripted" : kind);
    if (reply.stood_in) this.standIns += 1;
    if (model && reply.recorded) this.reused += 1;
    model?.addAnswer(at, reply);
  }

  #addReading({ model, ask }, { how, reason, value }) {
    if (ask.kind === "context" && value > 0) this.recalled += 1;
    if (!model) return;
    if (how === undefined) this.missing.add(`not readable: ${reason}`);
    else this.readings.add(how);
  }

  #addFailure({ type, failure }) {
    if (type === "failed") this.failures.add(failure.kind);
    else if (type === "timed_out") this.failures.add("timed out");
    else if (type === "unanswered") this.missing.add("no answer came");
    else if (type === "withdrawn") this.missing.add("the procedure withdrew the question");
  }

  #addDeed({ do: does }) {
    if (does in DEEDS) this.deeds.add(does);
  }

  #addCost({ tokens }, { reported, estimated, cost, unknown }, currency) {
    for (const [name, count] of Object.entries(reported)) tokens.add(name, count);
    tokens.add("estimated input", estimated.input);
    tokens.add("estimated output", estimated.output);
    this.costs.add(currency, cost);
    this.unpriced += unknown;
  }
}

/** Answers the checklist from the records of runs `[{ id, read() }]`, one after the other. */
export async function guideOf(file, plan, runs) {
  const counts = new Counts();
  for (const { read } of runs) {
    const session = await Session.import(await read(), { store: "memory" });
    counts.addRun(session);
    session.free();
  }
  return report(file, plan, counts);
}

const KINDS = {
  model: "language models", custom: "programs that the host brought, which may be language models", human: "people",
  scripted: "scripted participants: programs with fixed rules, no language model", recorded: "answers played back from saved runs",
  source: "sources, such as memories of earlier runs",
};

/** A section for each item: its number, what it is about and what the records say. */
function report(file, { cells }, counts) {
  // A name in the report for each model.
  const models = [...counts.models].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, model], at) => [`M${at + 1}`, model]);
  const ifModels = (text) => (models.length ? text(models, counts) : "No language model was called.");
  const scripted = counts.answers.of("scripted");
  const notes = [
    !models.length && "**No language model was called in these runs.**",
    scripted && `**${plural(scripted, "answer is", "answers are")} of scripted participants. These are not answers of a language model and must not be reported as such.**`,
    table(["Who answers", "Questions", "Answers"], Object.keys(KINDS).map((kind) => [KINDS[kind], counts.questions.of(kind), counts.answers.of(kind)])
      .filter(([, asked, answered]) => asked + answered)),
  ];
  const runs = `Runs: ${plural(cells.length, "cell")} with ${file.n} planned each; ${counts.runs} made, ${counts.ended} of them ended. Their seeds are in \`plan.csv\`.`;
  const items = [
    ["A.1", "Purpose", OPEN],
    ["A.2", "Automation", automation(counts)],
    ["B.1", "Models", ifModels(identity)],
    ["B.2", "Access", ifModels(access)],
    ["B.3", "Settings", `${ifModels(settings)}\n\n${runs}`],
    ["B.4", "Customization", ifModels(customization)],
    ["B.5", "Memory", `${ifModels(() => "No request referred to an earlier one: what a participant knew of earlier questions stood in the request, as the records show.")} ${recall(counts)}`],
    ["C.1", "Prompts", ifModels(prompts)],
    ["C.2", "System texts", ifModels(systemTexts)],
    ["D.1", "Personal data", OPEN],
    ["E.1", "Validation by people", OPEN],
    ["E.2", "Processing of answers", ifModels(processing)],
    ["F.1", "Code and materials", "Shared in this bundle: study, plan, version of the engine, tables, scripts that load them, and the records, except those that "
      + "`records/withheld.csv` lists. `quorate verify` replays the records and makes plan and tables again."],
    ["G.1", "Interests", OPEN],
    ["Optional:", "computation", ifModels(computation)],
  ];
  return `# GUIDE-LLM: ${literal(file.title ?? file.id)}

The 14 items of the checklist [GUIDE-LLM](https://llm-checklist.com) for language models in behavioural research, as far as the records of ${plural(counts.runs, "run")} answer them.
What they do not say is left to the authors.

${notes.filter(Boolean).join("\n\n")}

${items.map(([item, about, text]) => `## ${item} ${about}\n\n${text}`).join("\n\n")}
`;
}

function automation({ deeds, questions, standIns }) {
  const people = questions.of("human");
  const done = deeds.all.map(([deed, count]) => `${DEEDS[deed]}: ${count}`);
  if (standIns) done.push(`answers of scripted participants in seats of people: ${standIns}`);
  return `${people ? `People answered within the runs: ${plural(people, "question")} went to them.` : "Runs were made without people: programs asked, read and counted all answers."} `
    + `Acts of people beside answers: ${done.join("; ") || "none"}. Whether people looked at answers afterwards: see E.1.`;
}

function identity(models, { reused }) {
  const days = ({ first, last }) => (first === last ? first || "none" : `${first} to ${last}`);
  const rows = models.map(([name, model]) => [name, ...[model.provider, model.name, model.address].map((text) => literal(text || "not given")), model.returned, days(model)]);
  return `${table(["", "Provider", "Asked for", "Address", "Named in answers (number)", "Days of answers (UTC)"], rows)}
${reused ? `\n${plural(reused, "answer")} came from saved runs, whose days are not among these.\n` : ""}
Sizes and sources of models are in no record. ${OPEN}`;
}

function access(_, { questions }) {
  return `By requests of a program to the addresses in B.1. ${questions.of("custom") ? "Models without an address were called by a program of the host, and how is in no record. " : ""}`
    + "Each question was a request of its own that held all of its context; no conversation was kept open at a provider. "
    + `Whether an address is one of a local installation, and the version of its interface: ${OPEN}`;
}

function settings(models) {
  const columns = ["", ...SETTINGS, "left out, since the model does not take it (answers)", "other limit of tokens (answers)"];
  return `Settings as requested, with the number of questions. Providers use their own values for what was not sent.

${table(columns, models.map(([name, model]) => [name, ...model.settings.values(), model.leftOut, model.allowed]))}`;
}

function customization(models) {
  const forms = new Tally();
  for (const [, model] of models) for (const [form, count] of model.forms.all) forms.add(form, count);
  return `Requests held no tools and no web search. ${forms.all.length ? `A JSON Schema was given for the form of answers (answers by how it was met: ${forms}).` : "No JSON Schema was given for the form of answers."} `
    + `Fine-tuning, and whatever providers add: ${OPEN}`;
}

const recall = ({ recalled }) =>
  (recalled ? `${plural(recalled, "question")} for memories of earlier runs brought some, which requests then held.` : "Nothing came from memories of earlier runs.");

const prompts = (_, { kinds }) =>
  "All requests are in `records/`, whole and in their order, as entries of type `asked`; `quorate tables --prompts` makes a table of them. "
  + `Runs in \`records/withheld.csv\`, if there is one, are left out. By kind of question: ${kinds}.`;

const systemTexts = (models) =>
  `They are in the same entries, as \`system\`. Questions with one: ${models.map(([name, { withSystem, asked }]) => `${name} ${withSystem} of ${asked}`).join(", ")}. `
  + "Where B.3 lists `system` as left out, it stood before the first message.";

function processing(_, { readings, missing, failures }) {
  return `Answers were read by fixed rules, without a model and without people; the table \`asks\` has text, value and rule of each.

- Read, by rule: ${readings}
- Missing, by reason: ${missing}
- Failed calls, by reason; they were made again where that could help: ${failures}

A question that is asked again, since its answer could not be read, counts each time. A question without a rule takes its answer as it is.`;
}

function computation(models, { costs, unpriced }) {
  const money = costs.all.map(([currency, cost]) => `${Number(cost.toPrecision(6))} ${literal(currency)}`).join(", ") || "none";
  const columns = ["input", "output", "reasoning", "cached", "estimated input", "estimated output"];
  return `Tokens as providers counted them; estimated ones are of calls without a count. Reasoning is part of output, cached of input.

${table(["", ...columns], models.map(([name, { tokens }]) => [name, ...columns.map((column) => tokens.of(column))]))}

Cost where it is known, 0 for local models: ${money}. Calls without a known cost: ${unpriced}. Energy and hardware are in no record.`;
}
