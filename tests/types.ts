// What the package's types promise, as code: compiled by tests/package/types.test.mjs, never run.
import init, {
  LabError, Library, Memory, Session, TableStream, advanceDiscussion, check, continueDiscussion, debate, getDiscussion, justice, parse, pauseDiscussion,
  costsOf, forecast, listModels, presets, priced, prices, prompts, protocols, resetDiscussion, resumeDiscussion, spec, study, testConnection, version,
} from "quorate";
import type {
  CallCost, CallUsage, Costs, CostSum, Forecast, Price, Prices,
  ConnectionTest, Endpoint, Model, ProviderId, ReasoningEffort,
  AskKind, AskPlace, SettingKind, BallotVote, ByzantineView, Certainty, Challenge, Command, Config, ConfigFault, ContextItem, ConvergenceCheck, Critique,
  CustomAsk, DelphiEvent, JuryCounts, JuryEvent, Opinion, DebateEvent, DebateResult, DebateRound, Decision, Discussion, DiscussionEvent, DiscussionResult,
  DiscussionRole, Entry, Evaluation, ExportFile, ExportFormat,
  Failure, FailureKind, Halt, IncomeClass, JusticeEvent, JusticeResult, LabErrorCode, Language, OpenAsk, PrincipleId,
  Ranking, Reading, Reply, Request, SeatFailure, SeatKind, SessionEvent, SessionOptions, SessionSummary, SourceAnswer, SourceQuestion, Spread, Status, Step, SweepRow,
  Taint, Usage, What,
  StudyCell, StudyFault, StudyFile, StudyForecast, StudyPlan, StudyRun,
  Calibrated, Delivery, Knowledge, MemoryHit, MemoryKind, MemoryReport, MemoryRow, Receipt, ReceiptCheck, Standing, Target,
} from "quorate";

/** That two types are the same. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : never;
const same = <A, B>(_: Same<A, B>): void => undefined;

// Loading.
same<ReturnType<typeof init>, Promise<void>>(true);
await init();
await init({ module_or_path: new URL("https://example.org/engine_bg.wasm") });
await init({ module_or_path: new Uint8Array() });
// @ts-expect-error: the address stands in an object
await init("engine_bg.wasm");
const engine: string = version();
// @ts-expect-error: it takes no argument
version(1);

// Sessions.
const config: Config = { language: "English", agents: [{ name: "Ana", personality: "", kind: "custom" }], seed: 5 };
// @ts-expect-error: nobody at the table
const nobody: Config = { language: "English" };
// @ts-expect-error: no such setting
({ protocol: "debate", question: "?", agents: [{ name: "A" }], convergence_treshold: 0.9 }) satisfies Config;
// @ts-expect-error: no such word
({ agents: [{ name: "A", personality: "" }], phase2_settings: { no_consensus: "war" } }) satisfies Config;
// @ts-expect-error: a number is no text
({ agents: [{ name: "A", personality: "" }], phase2_rounds: "five" }) satisfies Config;
({ protocol: "discussion", participants: [{ role: "user" }], max_discussion_rounds: 4 }) satisfies Config;
const bounds: SettingKind | undefined = spec("debate").settings.find(({ name }) => name === "context_tokens")?.kind;
protocols() satisfies string[];
const experiment: StudyFile = {
  study: 1, id: "s", base: { agents: [{ name: "Ana", personality: "" }] }, n: 4, factors: { rounds: { few: { phase2_rounds: 2 } } },
};
// @ts-expect-error: how many runs a cell has is left open
({ study: 1, id: "s", base: {} }) satisfies StudyFile;
const planned: StudyPlan = study.plan(experiment);
planned.runs.map(({ id, cell, repetition, config: of }: StudyRun) => [id satisfies string, cell satisfies string, repetition satisfies number, of satisfies Config]);
planned.cells.map(({ levels }: StudyCell) => levels.rounds satisfies string | undefined);
study.check(experiment, "es").faults.map(({ cell, path, code, message }: StudyFault) => [cell satisfies string | undefined, path, code, message]);
(study.forecast(experiment) satisfies StudyForecast).cost?.most.toFixed(2);
void bounds;
const options: SessionOptions = {
  onEvent: (event: SessionEvent) => {
    switch (event.type) {
      case "entries":
        return event.entries.forEach((entry: Entry) => void entry.what.type);
      case "piece":
        return void [event.ask, event.seat, event.kind satisfies AskKind, event.text];
      case "status":
        return void [event.status satisfies Status, event.usage satisfies Usage];
      case "waiting":
        return void [event.why satisfies "limit" | "minute" | "retry" | null, event.until ?? event.ahead, event.origin];
      case "storage":
        return void (event.error satisfies LabError);
      default:
        event satisfies never;
    }
  },
  answer: (ask) => ask.messages[0]?.content ?? "",
  keys: { "https://api.example.org": "sk-" },
  store: "indexeddb",
  pace: 10,
  id: "one",
  now: () => Date.now(),
};
const promised: SessionOptions = { answer: async (ask: CustomAsk) => `${ask.seat} ${ask.signal.aborted}`, store: "memory" };
const pieces: SessionOptions = {
  async *answer(ask) {
    yield ask.kind;
    yield String(ask.round ?? ask.attempt);
  },
};
// @ts-expect-error: a seat answers with text
const numbers: SessionOptions = { answer: () => 5 };
// @ts-expect-error: no such place
const disk: SessionOptions = { store: "disk" };

// Costs.
const table: Prices = prices();
const price: Price | undefined = table.models["openai/gpt-4o"];
const withPrices: Config = priced(config, { ...table, models: { m: { input: 1, output: 2 } } });
const expected: Forecast = forecast(priced(withPrices));
const highest: number | undefined = expected.cost?.most;
// @ts-expect-error: it may be unknown
const certain: number = expected.cost.high;
const spent: Costs = costsOf([]);
const calls: CallCost[] = spent.calls;
const sums: CostSum[] = [...spent.seats, ...spent.rounds, spent.run];
const counted: CallUsage = { input: 1, output: 2, reasoning: 1, cached: 0, cost: 0.1 };
void [price, highest, certain, calls, sums, counted];

const session: Session = await Session.create(config, options);
session.limit({ maxCost: 0.5 });
same<ReturnType<typeof session.costs>, Costs>(true);
const opened: Session = await Session.open("one");
const taken: Session = await Session.import("", promised);
// @ts-expect-error: sessions are made by create, open and import
await Session.create();
// @ts-expect-error: by its id
await Session.open(5);
const ran: JusticeResult | DiscussionResult = await session.run();
if ("completed_by" in ran) throw new Error(`${ran.completed_by} ${ran.contributions + ran.rounds}`);
const result: JusticeResult = ran;
await session.run({ signal: new AbortController().signal });
// @ts-expect-error: the signal, not the controller
await session.run({ signal: new AbortController() });
session.pause();
session.resume();
session.step();
session.stop();
session.limit({ maxCalls: 5, maxTokens: 10 });
// @ts-expect-error: no such cap
session.limit({ max_calls: 5 });
session.setKeys({ "https://api.example.org": "sk-", "https://api.example.org#Ada": null });
session.setPace(100);
session.setPace(100, Date.now() + 2_000);
same<ReturnType<typeof session.answer>, boolean>(true);
session.answer("phase1/initial_ranking/Ana#1", "1, 2, 3, 4");
// @ts-expect-error: it says what
session.answer("phase1/initial_ranking/Ana#1");
same<typeof session.id, string>(true);
same<typeof session.config, Config>(true);
// @ts-expect-error: it is told, not set
session.id = "two";
const entries: Entry[] = session.entries();
session.entries(5);
const report = await session.verify();
if (report.verified) report.entries satisfies number;
else [report.seq satisfies number, report.recorded satisfies Entry | null, report.replayed satisfies Entry | null, report.message satisfies string];
// @ts-expect-error: a record that is true has no difference
if (report.verified) report.seq;
const fork: Session = await session.fork(5, { answer: "yes", config: { seed: 6 } }, pieces);
await session.fork(5);
const formats: ExportFormat[] = ["json", "jsonl", "md", "published", "zip", "runs", "seats", "decisions", "utterances", "asks"];
const file: ExportFile = await session.export("md");
[file.name, file.type, file.text] satisfies string[];
// @ts-expect-error: no such format
await session.export("xlsx");
same<ReturnType<typeof session.close>, Promise<void>>(true);
await session.close();

// Status.
const status: Status = session.status;
const open: OpenAsk | undefined = status.open[0];
if (open) {
  [open.id, open.seat] satisfies string[];
  open.seatKind satisfies SeatKind;
  open.kind satisfies AskKind;
  open.phase satisfies 1 | 2;
  [open.round, open.since, open.deadline] satisfies (number | null)[];
  open.attempt satisfies number;
}
if (status.state === "halted") {
  const halt: Halt = status.halt;
  if (halt.because === "call_failed") halt.failure.kind satisfies FailureKind;
  else if (halt.because === "rests") halt.reason satisfies string;
  else halt.limit satisfies number;
}
// @ts-expect-error: only what is halted says why
if (status.state === "running") status.halt;
// @ts-expect-error: no such state
status.state === "over";
const usage: Usage = session.usage;
[usage.calls, usage.inputTokens, usage.outputTokens] satisfies number[];
usage.estimated satisfies boolean;

// The record.
function read(what: What): string | number {
  switch (what.type) {
    case "started":
      return what.forked_from?.session ?? `${what.engine} ${what.seed} ${what.config_hash} ${what.config.agents?.length}`;
    case "asked":
      return (what.ask satisfies AskPlace).id + (what.request satisfies Request).system + what.time_limits.length;
    case "sent":
    case "timed_out":
      return what.attempt;
    case "answered":
    case "late":
      return (what.reply satisfies Reply).text + (what.reply.usage?.input ?? 0);
    case "failed":
      return (what.failure satisfies Failure).message + (what.failure.status ?? "");
    case "commanded":
      return (what.command satisfies Command).do;
    case "retrying":
      return what.wait;
    case "fell_back":
      return what.model + what.base_url + (what.because === "resting" ? "" : what.ask);
    case "unanswered":
    case "withdrawn":
      return what.ask;
    case "halted":
      return what.halt.because;
    case "read":
      return what.reading.value === null ? what.reading.reason : what.reading.how;
    case "drew":
      return what.stream + what.purpose;
    case "event":
      return happened(what.event);
    case "ended":
      if ("verdict" in what.result) return what.result.ballots.length;
      if ("completed_by" in what.result || "ended_by" in what.result) return what.result.rounds;
      return "rounds_used" in what.result ? what.result.rounds_used : what.result.rounds_completed;
    default:
      return what satisfies never;
  }
}
function happened(event: JusticeEvent | DiscussionEvent | DebateEvent | DelphiEvent | JuryEvent): string | number {
  switch (event.type) {
    case "round_began":
      return "kind" in event ? (event.kind satisfies DebateRound) : event.round;
    case "team_selected":
      return event.seats.length + (event.scores[0]?.[1] ?? 0);
    case "gathered":
      return event.sources.flatMap(({ items }) => items satisfies ContextItem[]).length;
    case "proposed":
      return event.text + event.version;
    case "criticised":
      return (event.critique satisfies Critique).severity ?? event.target;
    case "compared":
      return (event satisfies ConvergenceCheck).inter_agent.mean + (event.self_stability?.min ?? 0);
    case "challenged":
      return (event satisfies Challenge).targets.length;
    case "observed":
      return event.patterns.join();
    case "judge_selected":
      return event.order.indexOf(event.seat);
    case "judged":
      return (event.evaluation satisfies Evaluation).synthesis;
    case "counted":
      if (!("decision" in event)) return event.agreed ?? event.disagreement ?? "";
      return (event.decision satisfies Decision).tally.rows[0]?.weight ?? event.decision.strength;
    case "novel":
      return event.novelty.low.join() + event.novelty.min;
    case "ready":
      return event.ends ? event.count : event.seats.length;
    case "polled":
      return event.answers.length;
    case "settled":
      return event.said.reason;
    case "stable":
      return event.stability.score;
    case "grouped":
      return event.groups[0]?.choice ?? event.round;
    case "prepared":
    case "committed":
      return (event satisfies ByzantineView).leader;
    case "circuit":
      return event.state;
    case "seat_failed":
      return (event satisfies SeatFailure).reason;
    case "ended_early":
      return event.reason;
    case "step_began":
      return event.step satisfies Step;
    case "target_set":
      return event.target ?? event.tied.length;
    case "targeted":
    case "favored":
      return "target" in event ? event.target : event.principle;
    case "ranked":
      return event.ranking?.order[0] ?? event.moment;
    case "applied":
      return (event.class satisfies IncomeClass | null) ?? event.same_class.maximizing_floor;
    case "remembered":
      return event.how;
    case "ordered":
      return event.seats.length;
    case "reasoned":
    case "announced":
      return event.text;
    case "spoke":
      return event.validation;
    case "trimmed":
      return event.dropped;
    case "vote_started":
      return event.initiator;
    case "initiation":
    case "confirmed":
      return String(event.answer satisfies boolean | null);
    case "confirmation":
      return event.answers.length;
    case "voted":
      return "vote" in event ? (event.vote satisfies BallotVote).status : event.ballots.length;
    case "drawn":
      return event.no_consensus ?? event.multiplier;
    case "paid":
      return event.sweep.map((row: SweepRow) => row.payoff).length;
    case "warned":
      return event.message;
    case "seated":
      return event.order.map(({ id, name, role }) => `${id} ${name} ${role satisfies DiscussionRole}`).join();
    case "moved":
      return event.turn + event.round;
    case "said":
      return event.metadata.out_of_turn ? event.speaker : event.content;
    case "case_opened":
      return event.charge + event.evidence;
    case "evidence_shown":
      return event.title + event.number;
    case "straw_voted":
    case "balloted":
      return (event.opinion satisfies Opinion | null) ?? event.round;
    case "straw_counted":
    case "ballot_counted":
      return (event.counts satisfies JuryCounts).missing;
    case "argued":
      return event.text ?? event.seat;
    case "deliberation_began":
    case "ballot_began":
      return event.round;
    case "noted":
      return event.code + event.about;
    case "completed":
      return event.by;
    case "opened":
      return event.until;
    case "laid":
      return event.proposals.length;
    case "came":
      return event.raw ?? "";
    case "estimated":
      return event.estimate ?? event.reason;
    case "reported":
      return event.spread?.median ?? event.reasons.length;
    default:
      return event satisfies never;
  }
}

// The result.
const debated = await session.run<DebateResult>();
debated.winner satisfies string | null;
debated.predictions.filter(({ came_true }) => came_true).map(({ confidence }) => confidence ?? 0) satisfies number[];
debated.context_taint.flatMap(({ tainted }) => tainted satisfies Taint[]);
const asked: SourceQuestion = JSON.parse("{}");
const supplied: SourceAnswer = asked.source.kind === "feed" ? { items: [{ text: "News." }] } : { unavailable: "Nothing." };
debated.votes.map(({ cast }) => (typeof cast === "string" ? cast : cast.for)) satisfies string[];
debated.disagreement.risks.map((risk) => (risk.kind === "low_confidence" ? risk.seat : risk.critic)) satisfies string[];
// @ts-expect-error: there may be no vote
debated.decision.winner;
const principle: PrincipleId | null = result.chosen_principle;
const ranking: Ranking | null | undefined = result.final_rankings["Ana"];
const certainty: Certainty | null | undefined = ranking?.certainty;
result.payoffs["Ana"]?.counterfactuals.maximizing_average satisfies number | undefined;
result.phase1["Ana"]?.rankings.initial satisfies Ranking | null | undefined;
// @ts-expect-error: nobody may sit there
result.payoffs["Ana"].total;
// @ts-expect-error: four principles
const fifth: PrincipleId = "maximizing_envy";

// The library.
const list: SessionSummary[] = await Library.list();
list[0]?.seats.map(({ name, kind }) => `${name} ${kind satisfies SeatKind}`);
const outcome = list[0]?.outcome;
if (outcome && "consensus_reached" in outcome) outcome.consensus_reached satisfies boolean;
else if (outcome && "contributions" in outcome) outcome.contributions satisfies number;
else if (outcome && "verdict" in outcome) outcome.verdict satisfies "guilty" | "not_guilty" | "hung";
else outcome?.spread satisfies Spread | null | undefined;
await Library.rename("one", "title");
await Library.delete("one");
same<Awaited<ReturnType<typeof Library.entries>>, Entry[]>(true);
(await Library.export("one", "asks")) satisfies ExportFile;
(await Library.export(["one", "two"], "zip", { formulas: true })).bytes satisfies Uint8Array;
(await Library.export(["one", "two"], "asks", { blob: true, prompts: true, spreadsheet: "es-ES" })).blob satisfies Blob;
const stream = new TableStream({ prompts: true });
stream.add("lines").map(({ table, columns, rows }) => stream.filled(table, columns, rows) satisfies string);
stream.headers().runs.header satisfies string;
stream.filesBeside() satisfies ExportFile[];
await Library.saveDraft("one", "ask", "text");
same<Awaited<ReturnType<typeof Library.draft>>, string | null>(true);
same<Awaited<ReturnType<typeof Library.persist>>, boolean>(true);
(await Library.estimate()).quota satisfies number | null;
// @ts-expect-error: with a title
await Library.rename("one");

// Discussions.
session.say("Ana", "text");
session.say("Ana", "text", "id");
session.reseat({ agents: [{ name: "Ana" }] });
session.closeDiscussion();
// @ts-expect-error: somebody says it
session.say("text");
const told: Discussion = await getDiscussion("one");
told.counts.manager satisfies number | undefined;
[told.nextSpeakerName, told.state.reason ?? null, told.state.error?.agent ?? null] satisfies (string | null)[];
told.entries.map(({ speakerName, content, turn, round }) => `${speakerName} ${content} ${turn + round}`);
same<Awaited<ReturnType<typeof advanceDiscussion>>, Discussion>(true);
await advanceDiscussion("one", { message: "text", userId: "u", requestId: "id" }, { keys: {} });
(await continueDiscussion("one")).state.pending satisfies boolean;
(await pauseDiscussion("one")).project.status satisfies "active" | "paused" | "completed";
[await resumeDiscussion("one"), await resetDiscussion("one")] satisfies Discussion[];
// @ts-expect-error: from whom
await advanceDiscussion("one", { message: "text" });

// What debates leave behind.
const remembered: MemoryReport | null = await Memory.remember("one", { targets: [{ kind: "webhook", url: "https://example.org", header: "x" }] });
remembered?.parts.map(({ store, status, rows }) => `${store satisfies MemoryKind} ${status} ${rows}`);
(await Memory.rememberAll()).remembered satisfies MemoryReport[];
const standings: Standing[] = await Memory.ratings("cities");
standings.map(({ calibration }) => calibration satisfies Calibrated);
(await Memory.recomputed()).same satisfies boolean;
const receipt: Receipt | null = await Memory.receipt("one");
if (receipt !== null) {
  const told: ReceiptCheck = await Memory.verifyReceipt(receipt, await Library.entries("one"));
  told.problems.map(({ code, message }) => `${code} ${message}`);
  receipt.signature?.public_key satisfies JsonWebKey | undefined;
}
await Memory.verifyReceipt("{}", "{}");
(await Memory.receipts()) satisfies Receipt[];
Memory.receiptFile({ schema: "quorate.receipt/1" }, "html", "es").text satisfies string;
// @ts-expect-error: no such format
Memory.receiptFile({}, "csv");
(await Memory.search("tea", { limit: 3, kinds: ["knowledge"] })) satisfies MemoryHit[];
// @ts-expect-error: not searched
await Memory.search("tea", { kinds: ["outbox"] });
(await Memory.items("knowledge"))[0]?.value satisfies Knowledge | undefined;
(await Memory.items("match"))[0] satisfies MemoryRow | undefined;
(await Memory.add({ text: "Tea" })).value.level satisfies string;
// @ts-expect-error: without a text
await Memory.add({ title: "Tea" });
await Memory.remove("knowledge", "x");
(await Memory.export()).text satisfies string;
(await Memory.import("")).added satisfies number;
(await Memory.prepare(config)) satisfies Config;
const target: Target = { kind: "opener", origin: "https://example.org" };
// @ts-expect-error: an opener has an origin
const nowhere: Target = { kind: "opener" };
const delivery: Delivery = await Memory.queue("one", target);
(await Memory.take(delivery.id)) satisfies Delivery | null;
await Memory.done(delivery.id);
await Memory.failed(delivery.id, "why");
(await Memory.outbox()).map(({ next_at }) => next_at) satisfies number[];

// Errors.
try {
  await Session.open("none");
} catch (error) {
  if (error instanceof LabError) {
    const code: LabErrorCode = error.code;
    const faults = error.code === "config" ? (error.detail as ConfigFault[]) : [];
    faults.map(({ path, message }) => `${path}: ${message}`);
    [code, error.message, String(error.retryable)] satisfies string[];
    // @ts-expect-error: no such code
    error.code === "oops";
  }
}
new LabError("input", "message", { any: "detail" });

// Readers and rules.
const language: Language = "zh";
const number: Reading<1 | 2 | 3 | 4> = parse.principle("3", language);
if (number.value === null) number.reason satisfies string;
else number.value satisfies 1 | 2 | 3 | 4;
same<typeof parse.agreement, (text: string, language?: Language) => Reading<boolean>>(true);
const agreement = parse.agreement("yes");
const amount: Reading<number> = parse.amount("$12,000");
const order = parse.ranking("1, 2, 3, 4");
if (order.value !== null) order.value.order satisfies number[];
const choice = parse.choice("1");
if (choice.value !== null) choice.value.amount satisfies number | null;
// @ts-expect-error: it may not have been read
choice.value.principle;
// @ts-expect-error: no such language
parse.amount("1", "xx");
justice.apply({ principle: 3, amount: 12_000 }, [[5, 4, 3, 2, 1]]).index satisfies number;
justice.apply({ principle: 1 }, [[5, 4, 3, 2, 1]], [0.1, 0.2, 0.3, 0.3, 0.1]).constraint_met satisfies boolean;
// @ts-expect-error: several distributions
justice.apply({ principle: 1 }, [5, 4, 3, 2, 1]);
check({}).faults satisfies ConfigFault[];
check({}).warnings satisfies ConfigFault[];
await Session.create(presets()[0]?.config ?? config);
prompts("en").map(({ key, variables, text }) => `${key} ${variables.join()} ${text}`);
// @ts-expect-error: whose prompts
prompts();

export { agreement, amount, certainty, nowhere, disk, engine, entries, fifth, fork, formats, nobody, numbers, opened, principle, read, taken };

// Providers.
const endpoint: Endpoint = { provider: "anthropic", key: "k" };
same<ReturnType<typeof listModels>, Promise<Model[]>>(true);
const models: Model[] = await listModels(endpoint);
void [models[0]?.id satisfies string | undefined, models[0]?.context satisfies number | undefined];
const tested: ConnectionTest = await testConnection({ ...endpoint, baseUrl: "http://localhost:11434", model: "m" });
void (tested.ok ? tested.message : tested.problem satisfies "cors" | "key" | string | undefined);
// @ts-expect-error: no such provider
await listModels({ provider: "nobody" });
const effort: ReasoningEffort = "low";
const wanted: Request["provider"] | undefined = "gemini" satisfies ProviderId;
void [effort, wanted];
