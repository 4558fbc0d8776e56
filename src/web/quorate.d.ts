import type { Config } from "./config.js";

/** Loads the engine, once. In Node.js and beside its own files it needs no argument. */
export default function init(options?: { module_or_path: string | URL | Request | Response | BufferSource | WebAssembly.Module }): Promise<void>;

/** `en`, `es` or `zh`. */
export type Language = "en" | "es" | "zh";
/** The procedures, by the names that configurations use. */
export type Protocol = "justice" | "discussion" | "debate" | "delphi";
/**
 * A `source` is no participant: a debate gets material from it. A `recorded` seat plays back a seat of a session saved in
 * this browser, by the same asks: its key `plays` is `{ session, seat? }`, the seat of its own name where none is told.
 * What was not answered there fails with kind `unavailable`.
 */
export type SeatKind = "scripted" | "model" | "human" | "custom" | "recorded" | "source";
/** The four principles of justice, as records name them. */
export type PrincipleId = "maximizing_floor" | "maximizing_average"
  | "maximizing_average_floor_constraint" | "maximizing_average_range_constraint";
/** How sure somebody is of a ranking or a choice. */
export type Certainty = "very_unsure" | "unsure" | "no_opinion" | "sure" | "very_sure";
/** What an ask is about; each procedure has its own. */
export type AskKind = "initial_ranking" | "explanation" | "post_explanation_ranking" | "application"
  | "constraint_retry" | "final_ranking" | "internal_reasoning" | "statement" | "memory_update"
  | "vote_initiation" | "vote_confirmation" | "ballot_principle" | "ballot_amount" | "results_ranking"
  | "turn" | "context" | "similarity" | "proposal" | "critique" | "revision" | "refinement" | "vote" | "judgement"
  | "poll" | "termination" | "prepare" | "commit";

/** The four principles, the best first, with how sure its author is. */
export interface Ranking { order: PrincipleId[]; certainty: Certainty | null }

/** One entry of the record; `hash` is the beginning of the hash of all up to it. */
export interface Entry { seq: number; at: number; what: What; hash: string }

/** What an entry tells; `type` says which. */
export type What =
  | { type: "started"; engine: string; session: string; protocol: Protocol; seed: number; config: Config;
      config_hash: string; forked_from?: { session: string; seq: number } }
  | { type: "asked"; ask: AskPlace; request: Request; time_limits: number[] }
  | { type: "sent"; ask: string; attempt: number }
  | { type: "answered" | "late"; ask: string; attempt: number; reply: Reply }
  | { type: "failed"; ask: string; attempt: number; failure: Failure }
  | { type: "timed_out"; ask: string; attempt: number }
  | { type: "commanded"; command: Command }
  | { type: "retrying"; ask: string; attempt: number; wait: number }
  /**
   * The next model of the seat's key `fallback` is asked: the call to the one before failed for good (`failed`), or the
   * seat's first model rests for five minutes after three asks in a row at which it did (`resting`).
   */
  | { type: "fell_back"; ask: string; seat: string; model: string; provider?: ProviderId; base_url: string; because: "failed" | "resting" }
  | { type: "unanswered"; ask: string }
  /** The protocol no longer wants an answer. */
  | { type: "withdrawn"; ask: string }
  | { type: "halted"; halt: Halt }
  | { type: "read"; ask: string; reading: Reading<{}> }
  | { type: "drew"; stream: string; purpose: string; value: unknown }
  | { type: "event"; event: JusticeEvent | DiscussionEvent | DebateEvent | DelphiEvent; to?: Audience }
  | { type: "ended"; result: JusticeResult | DiscussionResult | DebateResult | DelphiResult };

/** Who is asked what, and where in the procedure. */
export interface AskPlace {
  id: string; seat: string; kind: AskKind; phase: number; round: number | null; attempt: number; language: Language;
}
/** What a participant is asked, as a model gets it. */
export interface Request {
  system: string; messages: { role: "user" | "assistant"; content: string }[]; stop?: string[];
  max_tokens: number; temperature?: number; top_p?: number; model?: string; base_url?: string;
  provider?: ProviderId; seed?: number; reasoning_effort?: ReasoningEffort;
  /** JSON Schema of the answer, where `answers` is `structured` and the question has a form; fields come in the order of `required`. */
  schema?: JsonSchema;
}
/** A JSON Schema, as data. */
export type JsonSchema = Record<string, unknown>;
/**
 * Whose format an endpoint speaks; a seat's `provider`. Without it the base URL's host tells (`compatible` where it is
 * none of these); with it a base URL is needed for `compatible` alone.
 */
export type ProviderId = "openai" | "openai_responses" | "anthropic" | "gemini" | "openrouter" | "mistral" | "groq"
  | "deepseek" | "xai" | "together" | "cerebras" | "cohere" | "fireworks" | "perplexity" | "moonshot" | "alibaba" | "zai" | "deepinfra"
  | "huggingface" | "minimax" | "azure" | "vertex" | "bedrock" | "ollama" | "lmstudio" | "llamacpp" | "vllm" | "compatible";
/** A seat's `reasoning_effort`; what a model makes of it differs, and what it refuses is left out and noted. */
export type ReasoningEffort = "none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max";
/** An answer as it came, before it is read. */
export interface Reply {
  text: string; reasoning?: string; model?: string; finish?: string; request_id?: string;
  usage?: CallUsage; sent_at?: number; first_piece_at?: number;
  /** Settings of the request that the provider does not know or the model refused: the answer came without them. */
  left_out?: ("temperature" | "top_p" | "stop" | "seed" | "reasoning_effort" | "json_schema" | "system_role")[];
  /** Tokens allowed, where an answer before it was used up by thinking and more room was given. */
  allowed_tokens?: number;
  /** Requests that it took, where more than one; `usage` is that of all of them. */
  requests?: number;
  /**
   * Where the request has a schema: it was handed over as such (`native`), asked for in words at the end of the last turn
   * (`text`), or the answer holds no such JSON object and is read as free text (`free`).
   */
  answered_as?: "native" | "text" | "free" | "form";
  /** A simulated participant gave it in the place of a person or a model. */
  stood_in?: true;
  /** The values of an answer by form (`answered_as` is `form`); `text` then says the same in words, for reading alone. */
  values?: FormValues;
  /** The entry of a saved session that it was taken from: nobody was asked, and it cost nothing, whatever `usage` tells. */
  recorded?: { session: string; seq: number };
}
/** Tokens as the provider counts them: `reasoning` is part of output, `cached` of input; `cost` is what it told, in US dollars. */
export interface CallUsage { input: number; output: number; reasoning?: number; cached?: number; cost?: number }
/** `usage`: what the try took all the same, where the provider told. */
export interface Failure { kind: FailureKind; message: string; status?: number; retry_after_ms?: number; body?: string; usage?: CallUsage }
/** Why a call brought no answer. */
export type FailureKind = "key" | "quota" | "rate_limit" | "request" | "server" | "unreachable" | "cut" | "format"
  | "refused" | "starved" | "callback" | "unavailable";
/** What somebody told a run to do; each is an entry of the record. */
export type Command = { do: "pause" | "resume" | "step" | "stop" } | { do: "limit"; max_calls?: number; max_tokens?: number; max_cost?: number }
  | { do: "say"; seat: string; text: string; request_id?: string } | { do: "reseat"; table: unknown } | { do: "close" }
  /** Whoever runs the session looked at what only that participant may see. */
  | { do: "look"; seat: string }
  /** What they read in an answer that was not read; never the answer. Null takes it back. */
  | { do: "annotate"; ask: string; values: unknown }
  | SeatingCommand;
/** Commands about the seat of a person or a model. `guest`: their number in a room. */
export type SeatingCommand =
  | { do: "guest"; seat: string; guest: number; is: "seated" | "away" | "back" | "reminded" | "left" }
  | { do: "stand_in" | "take_back"; seat: string }
  | { do: "skip"; ask: string };
/** Why a run stands still. */
export type Halt = { because: "call_failed"; ask: string; failure: Failure }
  | { because: "max_calls"; limit: number } | { because: "max_tokens"; limit: number; used: number }
  /** In the currency of the run's prices; also where a model has none. */
  | { because: "max_cost"; limit: number; used: number }
  /** The protocol stands still of its own accord; a discussion for `message`, `turn_limit`, `no_answer` or `no_speakers`. */
  | { because: "rests"; reason: string };

/** The steps of the experiment. */
export type Step = "initial_ranking" | "explanation" | "post_explanation_ranking" | "application" | "final_ranking"
  | "discussion" | "memory_update" | "vote_initiation" | "vote_confirmation" | "ballot" | "results" | "results_ranking";
/** The classes of income that participants are drawn into. */
export type IncomeClass = "high" | "medium_high" | "medium" | "medium_low" | "low";
/** A secret ballot as it was read; `raw`: the answers that it was read from. */
export interface BallotVote {
  seat: string; principle: PrincipleId | null; amount: number | null;
  status: "valid" | "invalid" | "timeout"; raw: string[];
}
/** What a seat would have got under a principle with an amount. */
export interface SweepRow { principle: PrincipleId; amount: number | null; distribution: number; income: number; payoff: number }

/** What happened in an experiment. */
export type JusticeEvent =
  | { type: "step_began"; phase: 1 | 2; step: Step; round: number; seat?: string }
  | { type: "target_set"; seat: string; target: PrincipleId | null; scores: Record<string, number>; tied: PrincipleId[]; note?: string }
  | { type: "targeted"; seat: string; target: PrincipleId; tied: PrincipleId[] }
  | { type: "ranked"; seat: string; moment: "initial" | "post_explanation" | "after_applications" | "after_results"; ranking: Ranking | null }
  | { type: "applied"; seat: string; round: number; situation?: string; multiplier?: number; distributions: number[][];
      probabilities: number[] | null; principle: PrincipleId | null; amount: number | null; certainty: Certainty | null;
      constraint_met: boolean | null; distribution: number | null; class: IncomeClass | null; income: number | null;
      payoff: number; alternatives: number[]; same_class: Record<PrincipleId, number>; bank: number }
  | { type: "remembered"; seat: string; phase: 1 | 2; how: "appended" | "rewritten" | "shortened"; text: string }
  | { type: "ordered"; round: number; seats: string[] }
  | { type: "reasoned"; seat: string; round: number; text: string }
  | { type: "spoke"; seat: string; round: number; text: string; character_count: number;
      validation: "valid" | "best_effort" | "skipped" }
  /** `how`: its speaker names it beside the words, with its `amount` where it has one; else the words were read. */
  | { type: "favored"; seat: string; round: number; principle: PrincipleId; amount?: number; how?: "form" | "schema" | "line" }
  | { type: "announced"; round: number; notice: string; text: string }
  | { type: "trimmed"; round: number; dropped: number }
  | { type: "initiation"; round: number; seat: string; answer: boolean | null }
  | { type: "vote_started"; round: number; initiator: string }
  | { type: "confirmed"; round: number; seat: string; answer: boolean | null }
  | { type: "confirmation"; round: number; initiator: string; answers: [string, boolean][]; confirmed: boolean }
  | { type: "voted"; round: number; vote: BallotVote }
  | { type: "counted"; round: number; initiator: string; agreed: PrincipleId | null; amount: number | null; disagreement: string | null }
  | { type: "drawn"; multiplier: number; distributions: number[][]; probabilities: number[] | null; distribution: number | null; no_consensus: string | null }
  | { type: "paid"; seat: string; distribution: number; class: IncomeClass; income: number; payoff: number;
      counterfactuals: Record<PrincipleId, number>; sweep: SweepRow[]; bank: number }
  | { type: "warned"; code: string; seat?: string; round?: number; message: string };

/** The seeds' Phase2Results, plus phase 1. */
export interface JusticeResult {
  consensus_reached: boolean; chosen_principle: PrincipleId | null; constraint_amount: number | null;
  rounds_completed: number;
  discussion_history: { round: number; speaker: string; statement: string; timestamp: string; character_count: number; kind: "statement" | "system" | "vote"; validation?: string }[];
  voting_records: unknown[];
  payoffs: Record<string, { class: IncomeClass; distribution: number; income: number; payoff: number; phase1: number; total: number; counterfactuals: Record<PrincipleId, number>; sweep: SweepRow[] }>;
  final_rankings: Record<string, Ranking | null>;
  phase1: Record<string, { rankings: { initial: Ranking | null; post_explanation: Ranking | null; after_applications: Ranking | null };
    applications: unknown[]; earnings: number }>;
  seed: number; warnings: { code: string; message: string; seat?: string; round?: number }[];
}

/** The roles in a discussion. */
export type DiscussionRole = "manager" | "leader" | "specialist" | "user";
/** A place in the speaking order. */
export interface DiscussionPlace { id: string; name: string; role: DiscussionRole; known: boolean; person: boolean; kind?: SeatKind }
/**
 * How a contribution came about; what does not apply is absent. `said` tells what all may know of it, `came` before it
 * the rest.
 */
export interface DiscussionMetadata {
  out_of_turn?: boolean; passed?: boolean; empty?: boolean; answered_as?: string; raw?: string; request_id?: string; ask?: string;
}
/** `turn` counts from 0, `round` from 1. */
export type DiscussionEvent =
  | { type: "seated"; order: DiscussionPlace[] }
  | { type: "moved"; turn: number; round: number }
  | ({ type: "came" } & DiscussionMetadata)
  | { type: "said"; speaker: string; role: DiscussionRole; person: boolean; turn: number; round: number; content: string; metadata: DiscussionMetadata }
  | { type: "noted"; code: "unknown_agent" | "empty_message" | "table_refused"; turn: number; round: number; about: string }
  | { type: "completed"; by: "rounds" | "last_word" | "closed" };
/** What a discussion came to. */
export interface DiscussionResult { completed_by: "rounds" | "last_word" | "closed"; rounds: number; contributions: number }

/** A discussion as the seed documents' clients know it. */
export interface Discussion {
  status: "success";
  project: { id: string; name: string; type: "discussion"; status: "active" | "paused" | "completed"; metadata: { topic: string | null; rules: string[] | null } };
  entries: DiscussionLogEntry[];
  /** Contributions by role. */
  counts: { [role in DiscussionRole]?: number };
  speakerOrder: DiscussionRole[];
  nextSpeaker: DiscussionRole | null;
  nextSpeakerId: string | null;
  nextSpeakerName: string | null;
  /** `pending`: agents wait to be let go on (`continueDiscussion`). */
  state: { status: "active" | "paused" | "completed"; turn: number; round: number; maxRounds: number | null; pending: boolean;
    reason?: string; error?: { agent: string; message: string } };
}
/** A contribution, or a note between contributions. */
export interface DiscussionLogEntry {
  id: string; type: "discussion_turn" | "discussion_note"; speakerKey: DiscussionRole | null; speakerName: string | null;
  speakerRole: "manager" | "expert" | "user" | null; content: string; createdAt: string; agentTemplateId: string | null;
  level: null; keywords: string[]; turn: number; round: number; metadata: DiscussionMetadata | { code: string; skipped: boolean };
}
/** The discussion of a session, open here or stored; changes nothing. */
export function getDiscussion(id: string): Promise<Discussion>;
/**
 * Takes in a person's message and resolves when people are waited for again. `userId` is the name of a seat, or any id
 * for the one person at the table. The same `requestId` is taken once. Throws `LabError` with code `input` (no text, no
 * sender or from a seat where no person sits, more than 20,000 characters), `conflict` (the discussion is over), `unknown`, `locked` (another tab has it).
 */
export function advanceDiscussion(id: string, message: { message: string; userId: string; organizationId?: string; requestId?: string }, options?: SessionOptions): Promise<Discussion>;
/** Lets agents go on who have spoken as often in a row as they may. */
export function continueDiscussion(id: string, options?: SessionOptions): Promise<Discussion>;
/** Has nobody speak any more until the discussion is resumed. */
export function pauseDiscussion(id: string): Promise<Discussion>;
/** Goes on after a pause or a failure. */
export function resumeDiscussion(id: string, options?: SessionOptions): Promise<Discussion>;
/** Begins anew under the same id; what was said is kept as a branch with an id of its own. A `Session` of it in this page is closed first. Throws `LabError` code `locked` while another tab has it. */
export function resetDiscussion(id: string, options?: SessionOptions): Promise<Discussion>;

/** The estimates of a round: quartiles of type 7, as R and pandas give them. */
export interface Spread { count: number; minimum: number; lower: number; median: number; upper: number; maximum: number }
/** `estimated` is for its seat; `reported` is what all are told, reasons without names in an order drawn by lot. */
export type DelphiEvent =
  | { type: "round_began"; round: number }
  | { type: "estimated"; round: number; seat: string; estimate: number | null; reason: string }
  | { type: "reported"; round: number; asked: number; spread: Spread | null; reasons: string[] };
/** What a Delphi poll came to. */
export interface DelphiResult { ended_by: "close_enough" | "rounds"; rounds: number; unit: string; spread: Spread | null }

/** What is done in a round of a debate. */
export type DebateRound = "context" | "propose" | "critique" | "revise" | "refine" | "vote" | "judge";
/** By what a debate decides. */
export type ConsensusMode = "judge" | "majority" | "supermajority" | "unanimous" | "weighted" | "any" | "none" | "byzantine";
/** How far those who voted agree. */
export type ConsensusStrength = "unanimous" | "strong" | "medium" | "weak" | "none";
/** Patterns of speech. */
export type Pattern = "concession" | "rebuttal" | "synthesis" | "appeal_to_authority" | "appeal_to_evidence"
  | "technical_depth" | "rhetorical_question" | "analogy" | "qualification";
/** Severity from 0 to 10. */
export interface Critique { issues: string[]; suggestions: string[]; severity: number | null; reasoning: string }
/** How alike proposals are after a round; all values from 0 to 1, `measure` says what made them. */
export interface ConvergenceCheck {
  round: number; status: "converged" | "refining" | "diverging"; score: number; measure: "embedding" | "tfidf" | "jaccard";
  inter_agent: { texts: number; values: number[]; min: number; mean: number };
  self_stability: { per_seat: [string, number][]; min: number; mean: number } | null; stable: number;
}
/** What the trickster holds against an agreement; `blocks`: it holds it up. */
export interface Challenge {
  kind: "challenge_prompt" | "quality_role" | "extended_round" | "breakpoint" | "novelty_challenge" | "evidence_gap" | "echo_chamber";
  round: number; targets: string[]; priority: number; blocks: boolean;
  lacks: [string, ("citations" | "specificity" | "reasoning" | "evidence_diversity")[]][];
  gaps: { claim: string; seats: string[]; severity: number }[];
}
/** What a judge said; labels are those under which the proposals were shown ("Proposal 1", …). */
export interface Evaluation {
  scores: { label: string; score: number; criteria: [string, number][]; comment: string }[];
  missing: string[]; ranking: string[]; synthesis: string; conclusive: boolean | null; confidence: number | null; reason: string;
}
/** A judge's points for a proposal, 0 to 10; `given` is false for the mean of the others. */
export interface ProposalPoints { proposer: string; score: number; given: boolean }
/** Votes as they were counted. */
export interface Tally {
  rows: { choice: string; weight: number; votes: number; confidence: number }[];
  total: number; took_part: number; abstained: string[]; failed: string[]; users: number; required: number;
  /** What each vote for a proposal counted, by voter; what was added to proposers besides votes. Absent in older records. */
  weights?: [string, number][]; bonuses?: [string, number][]; self_votes?: string[];
}
/** What a count came to. */
export interface Decision {
  status: "consensus_reached" | "no_consensus" | "insufficient_participation"; decided_by: ConsensusMode; confidence: number;
  winner: string | null; tied: string[]; strength: ConsensusStrength; variance: number; margin: number; others: string[]; tally: Tally;
  /** Why something else decided than the mode that was asked for. */
  note?: "too_few_for_byzantine" | "no_byzantine_agreement";
}
/** What a seat said to a question of yes and no; null where nothing could be read. */
export interface YesNo { seat: string; yes: boolean | null }
/** A step of byzantine agreement: `view` counts proposals put from 0, `quorum` is how many have to say yes. */
export interface ByzantineView { round: number; view: number; leader: string; answers: YesNo[]; quorum: number }
/** A question of a debate that brought nothing that could be used. */
export interface SeatFailure { round: number; seat: string; kind: string; reason: string; about?: string }

/** Where material of a debate comes from. */
export type SourceKind = "knowledge" | "debates" | "feed" | "program";
/** What of a text looks like instructions to a model. */
export type Taint = "ignore_instructions" | "reveal_secrets" | "run_command" | "disable_safety" | "contact_server";
/** A piece of material as questions show it; `evidence` is the number that it is cited by, as in `[EVID-1]`. */
export interface ContextItem {
  evidence: string; kind: "typed" | SourceKind; source: string; id: string | null; title: string; text: string; origin: string | null;
  at: number | null; confidence: number | null; tainted: Taint[];
}
/** `note`: why there is nothing (`timed_out`, `failed`, `unavailable`, or why the answer could not be read). */
export interface GatheredSource {
  name: string; kind: "typed" | SourceKind; items: ContextItem[]; left_out: number; note: string | null; message: string | null;
}
/** What a seat of kind `source` is asked, as JSON in its one message; and what it answers, as JSON. */
export interface SourceQuestion { source: { kind: SourceKind; limit: number; name?: string; url?: string }; question: string }
/** What a source answers: pieces of material, or why there are none. */
export type SourceAnswer = { unavailable: string } | { items: {
  id?: string | number | null; title?: string | null; text: string; origin?: string | null; at?: number | null; confidence?: number | null;
}[] };

/** What happened in a debate. */
export type DebateEvent =
  | { type: "round_began"; round: number; kind: DebateRound }
  | { type: "team_selected"; seats: string[]; scores: [string, number][] }
  | { type: "gathered"; sources: GatheredSource[] }
  | { type: "proposed"; round: number; seat: string; version: number; text: string }
  | { type: "criticised"; round: number; seat: string; target: string; critique: Critique }
  | ({ type: "compared" } & ConvergenceCheck)
  | ({ type: "challenged" } & Challenge)
  | { type: "observed"; round: number; seat: string; patterns: Pattern[] }
  | { type: "judge_selected"; seat: string; order: string[] }
  | { type: "judged"; round: number; seat: string; evaluation: Evaluation; points: ProposalPoints[]; conclusive: boolean }
  | { type: "voted"; round: number; ballots: DebateResult["votes"] }
  | { type: "laid"; round: number; proposals: [seat: string, version: number, text: string][] }
  | { type: "counted"; round: number; decision: Decision }
  | { type: "novel"; round: number; novelty: { per_seat: { seat: string; novelty: number; nearest: string | null }[]; mean: number; min: number; max: number; low: string[] } }
  | { type: "ready"; round: number; seats: [string, number | null][]; count: number; of: number; ends: boolean }
  | { type: "polled"; round: number; answers: YesNo[]; ends: boolean }
  | { type: "settled"; round: number; seat: string; said: { conclusive: boolean; confidence: number | null; reason: string }; ends: boolean }
  | { type: "stable"; round: number; stability: { distance: number; score: number; stable: boolean }; ends: boolean }
  | { type: "grouped"; round: number; groups: { canonical: string; voters: string[]; choice: string | null }[] }
  | ({ type: "prepared" } & ByzantineView)
  | ({ type: "committed" } & ByzantineView)
  | { type: "circuit"; round: number; seat: string; state: "open" | "half-open" | "closed" }
  | ({ type: "seat_failed" } & SeatFailure)
  | { type: "ended_early"; round: number; reason: "converged" | "no_proposals" | "one_proposal" };

/** What a debate came to. */
export interface DebateResult {
  question: string;
  status: "consensus_reached" | "no_consensus" | "insufficient_participation" | "converged" | "failed";
  /** Whether the votes agree on the winner, or the proposals became one; a judge's decision is nobody's agreement. */
  consensus_reached: boolean; confidence: number; consensus_strength: ConsensusStrength;
  decided_by: ConsensusMode | "convergence"; winner: string | null; final_answer: string | null; rounds_used: number;
  participants: string[]; judge: string | null; proposals: { seat: string; version: number; text: string }[];
  dissenting: string[];
  votes: { voter: string; cast: { for: string } | "abstained" | "failed"; confidence: number | null }[];
  decision: Decision | null; evaluation: Evaluation | null; points: ProposalPoints[];
  convergence: ConvergenceCheck[]; challenges: Challenge[];
  rhetoric: { total: number; counts: [Pattern, number][]; seats: { seat: string; dominant: Pattern; style: string; diversity: number }[];
    dominant: Pattern | null; character: string } | null;
  disagreement: { agreement: number; with_winner: [string, boolean][]; unanimous: string[];
    splits: { majority_choice: string; majority: string[]; minority_choice: string; minority: string[] }[];
    risks: ({ kind: "low_confidence"; seat: string; choice: string; confidence: number } | { kind: "severe_critique"; critic: string; issue: string | null; severity: number })[] };
  match_scores: [string, number][];
  /** Where it is to go, by the rules `after` of the configuration. */
  deliver?: Target[]; agent_failures: SeatFailure[];
  /** How arguments, sources and stances came together; null with fewer than two proposals. */
  metrics: { stability: number; diversity: MetricShare; shared_sources: MetricShare; volatility: MetricShare | null; overall: number } | null;
  predictions: { voter: string; choice: string; confidence: number | null; came_true: boolean }[];
  domain: string | null; team: string[]; gathered: { evidence: string; source: string; id: string }[];
  context_taint: { evidence: string; source: string; title: string; tainted: Taint[] }[];
}
/** A part of a whole and their ratio, 0 to 1. */
export interface MetricShare { part: number; whole: number; score: number }

/** The types of configurations. */
export type * from "./config.js";
/** A group of settings, as forms show them. */
export interface SettingGroup { id: string; open: boolean }
/** What a setting may be. A whole number up to 4294967295, or a number from or up to null, has no bound worth telling. */
export type SettingKind =
  | { type: "flag" | "lines" | "pair" | "free" }
  | { type: "whole"; min: number; max: number } | { type: "number"; min: number | null; max: number | null }
  | { type: "text"; most: number; lines: boolean } | { type: "address"; keyless: boolean }
  | { type: "one_of"; words: string[] } | { type: "object"; settings: Setting[]; free: boolean }
  | { type: "list"; of: SettingKind; most: number } | { type: "map"; of: SettingKind } | { type: "either"; of: SettingKind[] };
/** A value that a setting can have. */
export type SettingValue = boolean | number | string | number[] | string[];
/** Something that can be set in a configuration. */
export interface Setting {
  name: string; kind: SettingKind; since: string;
  /** Other names that are taken. */
  also?: string[];
  /** What holds where nothing is given: a value, or one that goes by what another setting is. */
  usual?: { is: SettingValue } | { by: { setting: string; when: [string, SettingValue][]; otherwise: SettingValue } };
  required?: true; words?: string; group?: string; more?: true; unit?: string;
  /** `false`: it is taken and changes nothing. */
  effect?: false;
  /** When it counts: settings beside it or at the top, and what each of them has to be one of. */
  when?: [string, string[]][];
}
/** What can be set in a configuration of a protocol: from this the check, the form and the schema are made. */
export function spec(protocol: Protocol): { groups: SettingGroup[]; settings: Setting[] };
/** The protocols, the one first that a configuration means which names none. */
export function protocols(): Protocol[];

/**
 * What a reader found: a value and how, or null and why. `span`: where in the answer the words stand that decided, as
 * `text.slice(...span)` takes them; only of answers in words.
 */
export type Reading<T> = { value: T; how: string; span?: [number, number] } | { value: null; reason: string };

/** What a program in a seat is asked (`options.answer`). */
export interface CustomAsk {
  id: string; session: string; seat: string; protocol: Protocol; kind: AskKind; phase: 1 | 2; round: number | null;
  attempt: number; language: Language; system: string; messages: Request["messages"]; stop: string[];
  maxTokens: number; schema?: JsonSchema; facts: Record<string, unknown>; form: Form | null; signal: AbortSignal;
  /** `program/model` of the seat, where its configuration names a `program`. */
  model: string | null; temperature: number | null; topP: number | null;
}
/** A text, or a text with what is known about it; or the values of the question's form. */
export type CustomAnswer = string | { values: FormValues } | { text: string; model?: string; finish?: string; reasoning?: string; usage?: { input: number; output: number } };

/** A question as data: material to decide on, fields to be filled in. Texts are in its language. */
export interface Form {
  language: Language; question: string; material: FormMaterial[]; fields: FormField[];
  /** What the button says that sends the answer, and the one that sends nothing, where one may have nothing to say. */
  send: string; skip?: string;
  /** It decides over money: the answer is shown back before it counts. */
  decides: boolean;
}
/** Something to choose. */
export interface FormChoice { value: string; name: string; about?: string }
/** `when`: asked only where another field has one of these values; `sends`: choosing here sends the answer. */
export type FormField = { name: string; label: string; help?: string; optional: boolean; sends: boolean; when?: { field: string; values: string[] } } & FormInput;
/** The value of `order` is a list, or each of its `places` is a value; of `yes_no` one of the two values, or true or false. */
export type FormInput = { input: "choice"; options: FormChoice[]; none?: string } | { input: "certainty"; options: FormChoice[] }
  | { input: "order"; options: FormChoice[]; places: string[] }
  | { input: "amount"; unit: string; least: number; most: number; step: number }
  | { input: "yes_no"; yes: FormChoice; no: FormChoice; isFlag: boolean }
  /** `step` 0: any number, which is typed. */
  | { input: "scale"; least: number; most: number; step: number; isWhole: boolean; ends: [string, string] }
  | { input: "text"; least: number; most: number; lines: number } | { input: "texts"; most: number }
  | { input: "each"; of: string; options: FormChoice[]; fields: FormField[] } | { input: "group"; fields: FormField[] };
/** Something to decide on: a table, what was said, a text, or terms with their meaning. */
export type FormMaterial = { title: string; isFolded: boolean } & (
  | { material: "table"; columns: string[]; rows: string[][]; notes: string[] }
  | { material: "statements"; said: { who: string; text: string }[] }
  | { material: "text"; text: string[] } | { material: "terms"; terms: { name: string; text: string }[] });
/** By names of fields. */
export type FormValues = Record<string, unknown>;

/** How a run stands, and what it waits for. */
export type Status = { open: OpenAsk[]; storage?: StorageTrouble } & ({ state: "running" | "paused" | "stopped" | "ended" } | { state: "halted"; halt: Halt });
/**
 * Why what came in last is not stored yet; absent where all is. It waits in memory and is tried again by itself: there is no
 * room (`full`), another tab keeps an older version open (`blocked`), the connection is closed (`closed`), what is stored is
 * not what was written (`damaged`), the browser does not answer (`silent`), or something else is wrong (`trouble`).
 */
export interface StorageTrouble { state: "full" | "blocked" | "closed" | "damaged" | "silent" | "trouble"; message: string }
/**
 * Why a model call waits in the queue of its endpoint: others are on their way (`limit`), there were enough in this minute
 * (`minute`), the endpoint asked to wait or the call is made again (`retry`).
 */
export type WaitingFor = "limit" | "minute" | "retry";
/**
 * An ask without an answer yet. `since`: when it was sent, null while it waits for its turn. `waiting`: how it waits in
 * the queue of its endpoint, `until`: not before that moment, where one is known. Its time does not run meanwhile. `trouble`: calls
 * have failed since then, and the next try comes at `until`; null: it takes somebody's help (`resume()`, `setKeys()`, `seating()`), and
 * the others go on meanwhile.
 */
export interface OpenAsk { id: string; seat: string; seatKind: SeatKind; kind: AskKind; phase: 1 | 2; round: number | null; attempt: number; since: number | null; deadline: number | null;
  /** What a person fills in; null for other seats. */
  form: Form | null;
  waiting: { until: number | null; ahead: number; why: WaitingFor } | null;
  trouble: { since: number; until: number | null; failure: Failure } | null }

/** What a run has used so far; `estimated`: some of it is not counted by providers. */
export interface Usage { calls: number; inputTokens: number; outputTokens: number; estimated: boolean }

/** What a million tokens of a model cost; `cached`: of questions out of the provider's cache. */
export interface Price { input: number; output: number; cached?: number }
/** Prices by `provider/model`, or by the model's name alone; also the configuration key `prices`. */
export interface Prices { currency: string; date: string; note?: string; models: Record<string, Price> }

/** Tokens: `reasoning` is part of `output`, `cached` of `input`. */
export interface CostTokens { input: number; output: number; reasoning: number; cached: number }
/**
 * Tokens that providers counted (`reported`) and that are an estimate; money told by providers, worked out from counted
 * tokens and from estimated ones, and all three together (`cost`). `unknown`: answers that cost nobody knows what, so
 * that `cost` is not all; `own`: answers of programs of the page; `untold`: failed tries of which nobody told what they took.
 */
export interface CostSum {
  tries: number; reported: CostTokens; estimated: CostTokens;
  cost: number; cost_told: number; cost_computed: number; cost_estimated: number;
  unknown: number; own: number; untold: number;
}
/** What a call has cost, with all its tries. */
export interface CallCost extends CostSum {
  ask: string; seat: string; seat_kind: SeatKind; kind: AskKind; phase: number; round: number | null;
  provider: ProviderId | null; model_asked: string | null; model_returned: string | null;
}
/** What a record has cost. `currency` is null where its configuration has no prices: then only what providers told counts, in US dollars. */
export interface Costs {
  currency: string | null; date: string | null; calls: CallCost[]; seats: (CostSum & { seat: string })[];
  rounds: (CostSum & { phase: number; round: number | null })[]; run: CostSum;
}

/** From what to what. */
export interface ForecastRange { low: number; high: number }
/** `most`: of the same calls with every answer as long as it may be. */
export interface ForecastMost extends ForecastRange { most: number }
/** How fast models are taken to be: seconds to the first word, tokens a second. */
export interface Speed { latency: number; read_per_second: number | null; tokens_per_second: number }
/**
 * What a run may come to, by rehearsals with scripted participants. People's time and sources are not in it. `cost` is
 * null where a model has no price (`unknown`); what programs of the page cost is not in it.
 */
export interface Forecast {
  calls: ForecastRange; input: ForecastRange; output: ForecastMost; cost: ForecastMost | null; currency: string; date: string;
  unknown: string[]; minutes: ForecastRange; complete: boolean; rehearsals: number;
  seats: { seat: string; kind: SeatKind; model?: string; calls: ForecastRange; input: ForecastRange; output: ForecastMost; cost: ForecastMost | null }[];
  assumptions: { cloud: Speed; local: Speed; typical_answers: [AskKind, number][]; peoples_time: false; sources: false };
}

/** The table of prices to begin with, as it was written down; to be checked and edited. */
export function prices(): Prices & { note: string };
/** A model that the catalogue knows. `sampled`: it takes `temperature` and `top_p`; `schema`: a JSON Schema of the answer. */
export interface KnownModel { model: string; price: Price; context?: number; efforts: ReasoningEffort[]; schema: boolean; sampled: boolean }
/**
 * What is known of a provider's models by name, from public data packages (`source` says which, and of when); `first`: those for a
 * first try, the one to be preferred first. With `model`, only that one, by its name or as a dated version of another (`gpt-5-2025-08-07` of `gpt-5`).
 * A model that is not in it may be as good. Throws `LabError` code `input` where there is no such provider.
 */
export function catalogue(provider: ProviderId, model?: string): { source: string; first: string[]; models: KnownModel[] };
/** The configuration with the rows of the table (default: `prices()`) for its models as its key `prices`. Throws `LabError` code `config`. */
export function priced(config: Config, table?: Prices): Config;
/** What a run of the configuration may come to. Throws `LabError` code `config`. */
export function forecast(config: Config): Forecast;
/** What a record has cost, e.g. of `Library.entries`. */
export function costsOf(entries: Entry[]): Costs;

/** What `onEvent` is told. */
export type SessionEvent =
  | { type: "entries"; entries: Entry[] }
  /** A piece of an answer that streams in: to be shown, not kept. */
  | { type: "piece"; ask: string; seat: string; kind: AskKind; text: string }
  | { type: "status"; status: Status; usage: Usage }
  /**
   * A model call waits in the queue of its endpoint, which all sessions of the tab share, or does so otherwise than before:
   * not before `until`, after `ahead` others. `why` is null once it no longer waits.
   */
  | { type: "waiting"; ask: string; seat: string; origin: string; until?: number; ahead: number; why: WaitingFor | null }
  /**
   * Storage trouble. The run stands still, nothing is lost, export still works; whatever comes next (an answer,
   * resume()) tries to store again what could not be stored, then goes on.
   */
  | { type: "storage"; error: LabError };

/** How a session is run; none of it is part of the record. */
export interface SessionOptions {
  /** Called with what happened, after it was stored. */
  onEvent?: (event: SessionEvent) => void;
  /**
   * Answers seats of kind `custom`, and the sources of kind `program` of a debate (`kind` is `context`): a JSON text
   * `{"items":[{"id","title","text","origin","at","confidence"}]}` or `{"unavailable":"why"}`, or any text, which is one item.
   * Pieces of an answer that are given one by one are shown as they come; the last thing given may be the whole answer.
   */
  answer?: (ask: CustomAsk) => CustomAnswer | Promise<CustomAnswer> | AsyncIterable<CustomAnswer>;
  /**
   * API keys by origin of the endpoint, e.g. `{ "https://api.openai.com": "sk-…" }`; by `origin#seat` that of one seat,
   * which goes before. Kept in memory only.
   */
  keys?: Record<string, string>;
  /** Where the record is kept; default `indexeddb` where there is one, else `memory`. */
  store?: "indexeddb" | "memory";
  /** Milliseconds that scripted participants take per answer, to be watched; default 0. */
  pace?: number;
  /**
   * Recorded calls: `use` takes the answer to a request that was put before from the sessions saved in this browser, the
   * n-th of equal requests of a run getting the n-th answer, and asks the model where there is none; `only` never asks, a
   * call then fails with kind `unavailable`. A reply tells where it is from (`recorded`). Default `off`.
   */
  recorded?: "off" | "use" | "only";
  /** For tests and embedding: the session's id; default a random one. */
  id?: string;
  /** For tests: the clock, milliseconds since the epoch. */
  now?: () => number;
}

/** Who looks: whoever runs the session, onlookers, or a participant. */
export type Role = "owner" | "audience" | `seat:${string}` | { seat: string };
/** Who may know of an event besides the owner; absent: nobody. */
export type Audience = "everybody" | { seats: string[] } | { others: string[] };
/** What all items have; `version` grows with every change, `seq` is the entry that tells of it, as the role counts. */
export interface ItemFace { key: string; section: string; version: number; seq: number | null; done: boolean; asks: string[] }
/** A stretch of a run, such as a round, with its items in order. */
export interface SectionView { key: string; place: number; phase: number | null; step: string; round: number; kinds: string[]; items: string[]; version: number }
/** A step of the procedure, and whether it is behind, here, to come or passed over. */
export interface StepView {
  step: string; phase: number | null; round: number; state: "done" | "current" | "coming" | "skipped"; key: string;
  finished?: number; of?: number; kinds?: string[]; extended?: boolean;
}
/** Who sits at the table. */
export interface PersonView { name: string; index: number; kind: SeatKind; model: string | null; personality: string; language: string | null; version: number }
/** What became of an ask. */
export type AskState = "waiting" | "sent" | "answered" | "failed" | "timed_out" | "retrying" | "unanswered" | "withdrawn";
/** An ask and what became of it. Sealed: what was answered is not shown yet. An open ask to a person has its `question`. */
export interface AskView extends AskPlace {
  seq: number; at: number; timeLimits: number[];
  tries: { attempt: number; sentAt: number | null; endedAt: number | null; outcome: "answered" | "failed" | "timed_out" | null; failure: Failure | null }[];
  reply: Reply | null; repliedSeq: number | null; repliedAt: number | null; reading: Reading<unknown> | null;
  fellBack: { seat: string; model: string; before: string; because: "failed" | "resting"; after: number }[];
  state: AskState; wait: number | null; item: string | null; sealed: boolean; structured: boolean; version: number; question?: Request;
}
/** An item that says that a seat stays with another of its models; owner only. */
export interface FellBackItem extends ItemFace { type: "fellback"; seat: string; model: string; before: string; because: "failed" | "resting"; after: number }

/**
 * A run as a role sees it. With `since`, lists hold only what changed after that number, everything else is told as it
 * stands; `whole` says that all of it is here. `head` comes with a whole view, `result` when it is new.
 */
export interface RunView<Item = ItemFace & { type: string }, Person = PersonView> {
  role: string; number: number; whole: boolean; head?: Extract<What, { type: "started" }>; startedAt: number | null; lastAt: number | null;
  run: "running" | "paused" | "halted" | "stopped" | "ended"; halt: Halt | null; result?: unknown;
  people: Person[]; sections: SectionView[]; items: Item[]; asks: AskView[];
  /** Whose turn it is and who comes after; what each is doing, in a word. */
  next: string[]; doing: Record<string, string>; steps: StepView[];
  /** How much of the steps is behind it, 0 to 1. */
  progress: number;
  calls?: number; settled?: number; tokens?: { input: number; output: number };
  /** The caps that hold now; owner only. */
  caps?: { max_calls: number | null; max_tokens: number | null; max_cost: number | null };
}

type JusticeTold<Type> = Extract<JusticeEvent, { type: Type }>;
/** What somebody did in a vote. No `answer`: not known; null: none that could be read. `voting` where the role may know it. */
export interface VoterView { seat: string; answer?: boolean | null; done: boolean; asks: string[]; ballots: string[]; voting: "open" | "cast" | null }
/** An item of the view of an experiment. */
export type JusticeItem = FellBackItem | (ItemFace & (
  | { type: "ranking"; seat: string; moment: JusticeTold<"ranked">["moment"]; ranking: Ranking | null }
  | { type: "explanation"; seat: string; shown: { distributions: number[][]; probabilities: number[] | null;
      examples: { principle: PrincipleId; amount: number | null; distribution: number; constraint_met: boolean }[] } }
  | { type: "application"; seat: string; round: number; applied: JusticeTold<"applied"> | null }
  | { type: "statement"; seat: string; round: number; reasoning: string | null; text: string; characters: number;
      validation: JusticeTold<"spoke">["validation"] | null; favored: PrincipleId | null }
  | { type: "order"; round: number; seats: string[] }
  | { type: "notice"; round: number; notice: string; text: string }
  | { type: "trimmed"; dropped: number }
  | { type: "target"; seat: string; target: PrincipleId | null; tied: PrincipleId[]; note: string | null }
  | { type: "initiation"; round: number; members: VoterView[] }
  | { type: "vote"; round: number; initiator: string | null; confirmed: boolean | null; balloting: boolean; members: VoterView[];
      /** Once it is counted; `votes` are those that the role may know. */
      ballot: { round: number; agreed: PrincipleId | null; amount: number | null; disagreement: string | null; votes: BallotVote[] } | null }
  | { type: "drawn"; drawn: JusticeTold<"drawn"> }
  | { type: "paid"; seat: string; paid: JusticeTold<"paid"> }));
/** A participant. Money, memory and rankings where the role may know them. */
export interface ParticipantView extends PersonView {
  bank?: number; memory?: string; memoryAsk?: string | null; memoryChanges?: number; rankings?: Record<string, Ranking | null>;
  favored: PrincipleId | null; manipulator: boolean; target: PrincipleId | null;
}
/** An experiment as a role sees it. */
export interface JusticeView extends RunView<JusticeItem, ParticipantView> {
  roundStep: Step | null; round: number;
  warnings: { code: string; seat: string | null; round: number | null; message: string; seq: number }[];
}

/** An item of the view of a discussion. */
export type DiscussionItem = FellBackItem | (ItemFace & (
  | { type: "message"; seat: string; role: DiscussionRole | null; round: number; text: string; isPerson: boolean; metadata: DiscussionMetadata;
      guest?: { name: string; index: number; kind: SeatKind } }
  | { type: "noted"; code: string; about: string }
  | { type: "completed"; by: string }));
/** Somebody in a discussion, and how often they spoke and passed. */
export interface SpeakerView extends PersonView { role: DiscussionRole | null; said: number; passed: number; isPerson: boolean; known: boolean; seated: boolean }
/** A discussion as a role sees it. */
export interface DiscussionView extends RunView<DiscussionItem, SpeakerView> {
  order: DiscussionPlace[]; turn: number; round: number; rounds: number; turnsPerCall: number; topic: string; rules: string[];
  completedBy: string | null; warnings: { code: string; seat: string | null; round: number; message: string; seq: number }[];
}

/** A proposal as it stood after a round. */
export interface ProposalVersion { round: number; version: number; text: string }
/** A vote as it is shown; `words`: the proposal that it named, where that is none of the choices. */
export interface VoteRow { seat: string; choice: string | null; confidence: number | null; reasoning: string; words: string | null; state: "cast" | "abstained" | "failed" }
/** Why something brought nothing. */
export interface FailureNote { seat: string; kind: string; reason: string }
/** An item of the view of a debate. */
export type DebateItem = FellBackItem | (ItemFace & (
  | { type: "context"; sources: GatheredSource[] }
  | { type: "card"; round: number; seat: string; step: "critique" | "propose" | "revise" | "refine"; edition: number | null; text: string;
      before: ProposalVersion | null; standing: ProposalVersion | null; challenged: boolean; patterns: Pattern[]; failures: FailureNote[]; over: boolean;
      members: { seat: string; asks: string[]; critique: Critique | null; failed: string | null; done: boolean }[] }
  | { type: "check"; check: ConvergenceCheck | null; novelty: Extract<DebateEvent, { type: "novel" }>["novelty"] | null }
  | { type: "laid"; round: number; proposals: { seat: string; version: number; text: string }[] }
  | { type: "challenge"; challenge: Challenge }
  | { type: "vote"; round: number; members: { seat: string; asks: string[]; ballots: string[]; voting: "open" | "cast" }[];
      groups: Extract<DebateEvent, { type: "grouped" }>["groups"]; votes: VoteRow[]; decision: Decision | null; failures: FailureNote[] }
  | { type: "moment"; round: number; kind: AskKind | null; event: DebateEvent | null; failures: FailureNote[] }
  | { type: "judge"; round: number; seat: string; order: string[] | null; decision: Decision | null; failures: FailureNote[];
      judged: Omit<Extract<DebateEvent, { type: "judged" }>, "type"> | null }
  | { type: "early"; round: number; reason: string }
  | ({ type: "failed" } & FailureNote)));
/** Somebody in a debate, with the versions of their proposal. */
export interface DebaterView extends PersonView { role: "proposer" | "synthesizer" | "critic" | "judge"; stance: string; edition: number; versions: ProposalVersion[] }
/** A debate as a role sees it. */
export interface DebateView extends RunView<DebateItem, DebaterView> {
  question: string; schedule: { number: number; kind: DebateRound }[]; round: number | null; roundKind: DebateRound | null;
  convergenceAt: number; divergenceAt: number; judge: string | null; early: { round: number; reason: string } | null;
}
/** A record as a role saw it after any of its entries, whether this engine can run it or not. */
export class Viewer {
  constructor(entries: Entry[], role?: Role);
  /** After so many entries, or all: what changed since an earlier view's `number`, or all of it. */
  at<View extends RunView = RunView>(count?: number, since?: number): View;
  /** An ask with its exact question, if it was put by then and the role may know it. */
  asked(ask: string): (AskView & { request: Request }) | null;
  free(): void;
}

/** Who vouches for a record: `valid` is null where this browser cannot tell, `key` the name of the key (RFC 7638). */
export interface RecordSignature { valid: boolean | null; key: string | null; entries: number }

/** A record that comes out the same when run again. `hash` is that of all its entries. */
export interface Verified { verified: true; intact: true; entries: number; hash: string; signature: RecordSignature | null }

/**
 * A record that does not: from entry `seq` on it is not what follows from the entries before it, or (`intact` is false) not
 * what was written; or the signature is not one of it; or only another engine can run it.
 */
export interface NotVerified {
  verified: false; intact: boolean; seq: number; recorded: Entry | null; replayed: Entry | null; message: string;
  entries?: number; hash?: string; signature: RecordSignature | null;
}

/** A run with its record: made, opened, imported or branched off; it runs, waits, is looked at, exported and closed. */
export class Session {
  /** Checks the configuration (throws `LabError` with code `config` listing every fault) and stores the head of the record. */
  static create(config: Config, options?: SessionOptions): Promise<Session>;
  /** Opens a stored session: one that has ended as it is stored (`verify()` runs it again), any other to go on by `run()`
   * where it stopped. Throws `LabError` code `locked` if another tab has it, or this page
   * (a component that is mounted twice opens twice): the message says which; `close()` gives it back. */
  static open(id: string, options?: SessionOptions): Promise<Session>;
  /** Takes in a record that was exported as JSON or JSONL. */
  static import(text: string, options?: SessionOptions): Promise<Session>;
  readonly id: string;
  /**
   * The engine that wrote the record, where that is another one: its record can be read, verified as far as its hashes go, exported and
   * branched off here, and not run. `run()` rejects with `LabError` code `engine`.
   */
  readonly onlyFor?: string;
  readonly status: Status;
  /** For whom or what the run waits, in a sentence; null while something is under way, and where it is over. */
  readonly waitsFor: string | null;
  readonly usage: Usage;
  readonly config: Config;
  /** The record so far. */
  entries(fromSeq?: number): Entry[];
  /**
   * Runs until the end; resolves with the result. Rejects with `LabError` code `waiting` where the run stands still until
   * somebody helps (a call that failed for good, a cap; `message` says at whom, at which step and why, `detail` is the status;
   * resume() and run() go on), `stopped` where it is or gets stopped, `closed` on close() and free(). `attended`: somebody
   * looks after the run, so it stays pending while it stands still. While it is paused, and while people are asked, it stays
   * pending either way (`waitsFor` says for whom); in Node.js it rejects then, too, when the program would end.
   */
  run<Result extends JusticeResult | DiscussionResult | DebateResult | DelphiResult = JusticeResult>(options?: { signal?: AbortSignal; attended?: boolean }): Promise<Result>;
  pause(): void;
  resume(): void;
  /** Tries at once to store what could not be stored (`status.storage`); it is tried by itself now and then as well. */
  storeAgain(): void;
  step(): void;
  stop(): void;
  /** Changes the caps; one that is left out is none. A cap on money throws `LabError` code `config` where a model has no price. */
  limit(caps: { maxCalls?: number; maxTokens?: number; maxCost?: number }): void;
  /** What it has cost so far. */
  costs(): Costs;
  /** The run as a role sees it (the owner, where none is named): all of it, or what changed since an earlier view's `number`. */
  view<View extends RunView = RunView>(role?: Role, since?: number): View;
  /** An ask with its exact question, if that role may know it. */
  asked(ask: string, role?: Role): (AskView & { request: Request }) | null;
  /**
   * Answers an ask of a human seat (or any open ask: a call on its way is ended), by the values of its form, or by a text.
   * Returns false if it was not open. Throws `LabError` code `form` (`detail`: the field and the sentence) where values do
   * not fit the form.
   */
  answer(askId: string, given: string | FormValues, requestId?: string): boolean;
  /**
   * Who answers in the seat of a person or a model: a simulated participant from now on (`stand_in`; its replies are marked
   * `stood_in`), the person or model again (`take_back`); `skip` leaves an open question without an answer; `guest` notes how it
   * stands with somebody. All of it is recorded. A configuration's `limits.on_failure` does the same by itself.
   */
  seating(command: SeatingCommand): void;
  /** What that answer would say in words, undefined where the ask is not open; throws as `answer` does. Nothing happens. */
  told(askId: string, values: FormValues): string | undefined;
  /** Notes in the record that whoever runs the session looked at what only that participant may see. */
  look(seat: string): void;
  /**
   * Notes in the record, also of a run that has ended, what whoever runs the session reads in an answer that was not read.
   * It is never the answer: nothing follows from it, and exports tell it apart. Null takes it back. Returns false where
   * there is no such answer.
   */
  annotate(askId: string, values: unknown): boolean;
  /**
   * Somebody says something in a discussion: the answer to the turn of that seat where a person's is open, else out of
   * turn. What stands still goes on. The same `requestId` is taken once. Throws `LabError` as `advanceDiscussion` does.
   */
  say(seat: string, text: string, requestId?: string): void;
  /** Others sit at the table of a discussion from now on: its keys `agents` and `participants`. Throws `LabError` code `config`. */
  reseat(table: { agents: Record<string, unknown>[]; participants?: Record<string, unknown>[] }): void;
  /** Brings a discussion to its end. */
  closeDiscussion(): void;
  /** Adds or replaces keys while the tab lives; `null` forgets one. */
  setKeys(keys: Record<string, string | null>): void;
  /**
   * Milliseconds that scripted participants take per answer, 0 to 60000. Until the moment `heldUntil` no new call is made,
   * of whatever kind of seat, so that what was said can be read first; without it, calls that were held are made.
   */
  setPace(milliseconds: number, heldUntil?: number): void;
  /** Reads the record as it is stored, runs it again in memory and compares; and looks at the signature beside it. */
  verify(): Promise<Verified | NotVerified>;
  /** A new session with this record up to (not including) `seq`; `changes` replaces top-level configuration keys, `answer` replaces the answer recorded at `seq`. */
  fork(seq: number, changes?: { answer?: string; config?: Partial<Config> }, options?: SessionOptions): Promise<Session>;
  /** The record as a file; `view` is what a role sees of it, the only form there is for others than the owner. */
  export(format: "zip", options?: ExportOptions): Promise<ExportArchive>;
  export(format: Exclude<ExportFormat, "zip">, options?: ExportOptions): Promise<ExportFile>;
  export(format: ExportFormat, options?: ExportOptions): Promise<ExportFile | ExportArchive>;
  /**
   * Ends what is on its way, stores what has come in, then releases the lock: resolved when that is done. The record
   * stays; opening the session again in this page waits by itself.
   */
  close(): Promise<void>;
  /**
   * Closes it, where that was not done, and gives its memory in the module back at once, in place of when the garbage collector
   * finds it. Any call after this throws.
   */
  free(): void;
  free(): void;
}

/** The tables for statistics: a row a run, a participant, a decision, something said, a question with its answer. */
export type TableName = "runs" | "seats" | "decisions" | "utterances" | "asks";
/** `zip` holds all tables with a codebook and programs that load them. */
export type ExportFormat = "json" | "jsonl" | "md" | "published" | "zip" | "view" | TableName;
/** A zip archive has `bytes`, all else `text`. */
export interface ExportFile { name: string; type: string; text: string; bytes?: undefined }
/** A file of bytes. */
export interface ExportArchive { name: string; type: string; bytes: Uint8Array; text?: undefined }
/**
 * In tables, text that a spreadsheet would take for a formula gets an apostrophe in front, unless `formulas` is true. For
 * whom the file is: a participant's holds what that participant may know, as `view` or tables; the owner's all.
 */
export interface ExportOptions { formulas?: boolean; role?: Role }

/** The sessions that are stored in this browser. */
export class Library {
  /** Stored sessions, the newest first. */
  static list(): Promise<SessionSummary[]>;
  /** Deletes a session with its record and drafts. Throws `LabError` code `locked` while it is open anywhere. */
  static delete(id: string): Promise<void>;
  /** The record of a session, whether this engine can run it or not. */
  static entries(id: string): Promise<Entry[]>;
  /** The record of a session as a file, whether this engine can run it or not. */
  static export(id: string, format: Exclude<ExportFormat, "zip">, options?: ExportOptions): Promise<ExportFile>;
  /** Several sessions, of any procedures, in one set of tables. */
  static export(ids: string | string[], format: "zip", options?: ExportOptions): Promise<ExportArchive>;
  static export(ids: string[], format: TableName, options?: ExportOptions): Promise<ExportFile>;
  static export(ids: string | string[], format: ExportFormat, options?: ExportOptions): Promise<ExportFile | ExportArchive>;
  static rename(id: string, title: string): Promise<void>;
  /** Drafts of human answers survive a reload. */
  static saveDraft(session: string, ask: string, text: string): Promise<void>;
  static draft(session: string, ask: string): Promise<string | null>;
  /** Asks the browser to keep the data; false where it will not or cannot say. */
  static persist(): Promise<boolean>;
  static estimate(): Promise<{ usage: number | null; quota: number | null }>;
}
/** A stored session in a line. */
export interface SessionSummary {
  id: string; title: string; condition: string; protocol: Protocol; created: number; updated: number; entries: number;
  state: "unfinished" | "ended"; seats: { name: string; kind: SeatKind }[]; language: Language;
  /** That of the configuration without seed and title: repetitions have the same. */
  config_hash: string; seed: number;
  /** The version that wrote it: another one can show it and not go on with it. */
  engine: string;
  /** Of an ended run, what its result says first, by procedure: justice, discussion, debate, Delphi. */
  outcome?: Pick<JusticeResult, "consensus_reached" | "chosen_principle" | "constraint_amount" | "rounds_completed"> | DiscussionResult
    | Pick<DebateResult, "consensus_reached" | "winner" | "confidence" | "status" | "decided_by"> | DelphiResult;
}

/** What a row is. */
export type MemoryKind = "memory" | "consensus" | "knowledge" | "debate" | "match" | "receipt" | "outbox" | "journal";
/** Something that is kept. What a value holds depends on its kind. */
export interface MemoryRow<Value = Record<string, unknown>> { kind: MemoryKind; id: string; value: Value }
/** What was written of a debate, kind by kind; `reason` says why there is nothing. */
export interface MemoryReport {
  debate: string; settledAt: number;
  parts: { store: MemoryKind; status: "success" | "skipped" | "rolled_back"; reason?: "no_scores" | "no_consensus" | "not_sure_enough" | (string & {}); rows: number }[];
}
/** Calibration of somebody's votes as predictions; `score` is 0 before ten of them. */
export interface Calibrated {
  predictions: number; brier: number | null; ece: number | null; bias: "overconfident" | "underconfident" | "well_calibrated"; score: number;
}
/** How somebody stands; in a table of one field, `elo`, `debates` and `calibration` are those there. */
export interface Standing {
  name: string; elo: number; games: number; wins: number; losses: number; draws: number; debates: number;
  calibration: Calibrated;
  /** Who answered last under this name. */
  player: { name: string; kind: string; model?: string; provider?: string } | null;
  /** The rating after each match. */
  history: { debate: string; at: number; elo: number }[];
  domains: Record<string, { elo: number; games: number; calibration: Calibrated }>;
}
/** A person's or a debate's knowledge. */
export interface Knowledge {
  title: string; text: string; source: string; source_id: string; confidence: number;
  level: "unverified" | "low" | "medium" | "high" | "verified"; domain: string | null; created_at: number; updated_at: number;
  reinforced: number; weakened: number;
  references: { relation: string; kind: MemoryKind; id: string }[];
  /** Of a debate's decision: who won and by what, `votes` of so many for it, and the `evidence` that was cited, as [EVID-1]. */
  about?: Record<string, unknown>;
}
/** Something that is known about a question. */
export interface MemoryHit {
  source: "knowledge" | "debate" | "receipt"; id: string; title: string; text: string; confidence: number; trust: "local" | "untrusted";
}
/** The account of a debate, `quorate.receipt/1`. `content_hash` is of all but itself and the signature. */
export interface Receipt {
  schema: string; receipt_id: string; debate_id: string; issued_at: string; engine: string; question: string; answer: string;
  reached: boolean; confidence: number; method: string; participants: string[]; supporting: string[]; dissenting: string[];
  dissents: { agent: string; view: string }[];
  ballots: { voter: string; cast: { for: string } | "abstained" | "failed"; confidence: number | null }[];
  verdict: "approved" | "approved_with_conditions" | "needs_review" | "rejected";
  messages_root: string; messages: number; config_hash: string; question_hash: string; answer_hash: string;
  prev_hash: string | null; content_hash: string;
  /** By the key of the browser profile where it was issued; missing where that browser could not sign. */
  signature?: { algorithm: "Ed25519" | "ES256"; public_key: JsonWebKey; value: string };
}
/** `signed`: the signature is one of this content; by which key, `key` tells (its RFC 7638 thumbprint). */
export interface ReceiptCheck {
  valid: boolean; signed: boolean; key: string | null;
  problems: {
    code: "unknown_schema" | "content_hash" | "text_hash" | "verdict" | "chain" | "no_outcome" | "other_debate" | "config"
      | "outcome" | "votes" | "views" | "messages_root" | "signature" | "signature_unchecked" | (string & {});
    message: string;
  }[];
}
/** Where the result of a debate is to go; further keys are kept for whoever delivers. */
export type Target = (
  | { kind: "opener" | "embed"; origin: string } | { kind: "webhook"; url: string } | { kind: "broadcast" | "download" | "notify" | "share" }
) & Record<string, unknown>;
/** `attempts` counts those that were begun. Under `id` the other side can tell that it had a result before. */
export interface Delivery {
  id: string; debate_id: string; target: Target; status: "pending" | "sending" | "delivered" | "failed"; attempts: number;
  created: number; next_at: number; expires: number; delivered_at?: number; error?: string;
}

/** What debates leave behind in this browser. All functions but `verifyReceipt` need IndexedDB. */
export class Memory {
  /**
   * Keeps what a debate that is over leaves behind, once, all of it or nothing; resolves with what was kept, now or
   * before, or with null where there is nothing (it is not over, or no debate). `targets`: where the result is to go
   * (an empty list for a debate that was held elsewhere); unless told, where the debate's own rules say (`after`).
   */
  static remember(session: Session | string, options?: { targets?: Target[] }): Promise<MemoryReport | null>;
  /** The same for every stored debate that is over and was not remembered yet. */
  static rememberAll(): Promise<{ remembered: MemoryReport[]; failed: { session: string; message: string | null }[] }>;
  /** How everybody stands, over all or in one field; the best first. */
  static ratings(domain?: string): Promise<Standing[]>;
  /**
   * Ratings made anew from all stored records, and whether they are the same. `withoutRecord`: debates whose records were
   * deleted; `notRemembered`: debates that were not counted; `unreadable`: records that cannot be read.
   */
  static recomputed(): Promise<{ same: boolean; ratings: Standing[]; withoutRecord: string[]; notRemembered: string[]; unreadable: string[] }>;
  /** All receipts, the newest first. */
  static receipts(): Promise<Receipt[]>;
  /** The receipt of a debate. */
  static receipt(session: string): Promise<Receipt | null>;
  /**
   * Checks a receipt from anywhere, an object or its JSON; with `record`, the entries of a session or an export of it
   * (JSON or JSONL), also that it is the account of that debate. Needs no storage and no network.
   */
  static verifyReceipt(receipt: Receipt | string | Record<string, unknown>, record?: Entry[] | string): Promise<ReceiptCheck>;
  /** A receipt as a file; `md` and `html`, a page without scripts, are for people. */
  static receiptFile(receipt: Receipt | Record<string, unknown>, format: "json" | "md" | "html", language?: Language): ExportFile;
  /** What is known about a question, what fits best first; of all kinds unless told. */
  static search(query: string, options?: { limit?: number; kinds?: ("knowledge" | "debate" | "receipt")[] }): Promise<MemoryHit[]>;
  static items(kind: "knowledge"): Promise<MemoryRow<Knowledge>[]>;
  static items(kind: MemoryKind): Promise<MemoryRow[]>;
  /** Takes in something that a person knows (confidence .8 unless told); the same title and text are kept once. */
  static add(item: { title?: string; text: string; confidence?: number; tags?: string[]; domain?: string }): Promise<MemoryRow<Knowledge>>;
  /** Removes a row, of any kind but `journal`. */
  static remove(kind: MemoryKind, id: string): Promise<void>;
  /** All rows as a file, one a line, but what waits to be delivered. */
  static export(): Promise<ExportFile>;
  /** Takes in rows of such a file, all or none; what is there already stays (`kept`). Throws `LabError` code `import`. */
  static import(text: string): Promise<{ added: number; kept: number }>;
  /** A copy of a debate's configuration with the ratings of those who sit there, where it has none. */
  static prepare(config: Config): Promise<Config>;
  /** What is still to be delivered, the most urgent first; due are those whose `next_at` is not in the future. */
  static outbox(): Promise<Delivery[]>;
  /** Notes that a debate's result is to go somewhere; the same target is noted once. Tried for a day. */
  static queue(session: string, target: Target): Promise<Delivery>;
  /**
   * The right to deliver it now; null where it is not due, is delivered or too old, or somebody else is at it. Whoever has
   * it says `done` or `failed`; where the browser ends before that, it can be taken again.
   */
  static take(id: string): Promise<Delivery | null>;
  static done(id: string): Promise<void>;
  /** It is tried again after half a minute, two minutes, eight, … */
  static failed(id: string, why?: string): Promise<void>;
}

/** Codes of errors. */
export type LabErrorCode = "config" | "form" | "input" | "conflict" | "locked" | "exists" | "unknown" | "differs" | "altered" | "engine" | "stopped" | "waiting" | "closed"
  | "storage" | "quota" | "import" | "export" | "missing_constraint" | "provider" | "init"
  /** The engine failed: message and place of the failure. It stays out of use until the page is loaded anew. */
  | "internal";
/** The one error class. */
export class LabError extends Error {
  constructor(code: LabErrorCode, message: string, detail?: unknown);
  readonly code: LabErrorCode;
  readonly detail: unknown;
  /** Whether the same may succeed later. */
  readonly retryable: boolean;
}
/** `detail` of a `LabError` with code `config`. */
export type ConfigFault = { path: string; code: string; message: string };

/** Readers of answers in words: what is asserted and nothing that is guessed. */
export const parse: {
  principle(text: string, language?: Language): Reading<1 | 2 | 3 | 4>;
  agreement(text: string, language?: Language): Reading<boolean>;
  amount(text: string, language?: Language): Reading<number>;
  ranking(text: string, language?: Language): Reading<{ order: number[]; certainty: Certainty | null }>;
  choice(text: string, language?: Language): Reading<{ principle: number; amount: number | null; certainty: Certainty | null }>;
  /** A vote for one of `choices`, which are names; `choice` is null where somebody abstains. */
  vote(text: string, language: Language, choices: string[]): Reading<{ choice: string | null; confidence: number | null; continue: boolean | null; reasoning: string }>;
  /** A critique: five issues and suggestions at most, severity from 0 to 10. */
  critique(text: string, language?: Language): Reading<Critique>;
};
/** Rules of the experiment, for programs. */
export const justice: {
  /** Which distribution (0-based) a principle picks. Throws `LabError` code `missing_constraint`. */
  apply(choice: { principle: number; amount?: number | null }, distributions: number[][], probabilities?: number[] | null): { index: number; constraint_met: boolean };
};
/** Measures of debates, for programs. */
export const debate: {
  /** How alike two texts are, 0 to 1, by the words they share: as proposals are compared. */
  similarity(a: string, b: string): { value: number; measure: "tfidf" | "jaccard" };
  /** The patterns of speech in a text, each at most once, with the first sentence that shows it. */
  rhetoric(text: string, language?: Language): { pattern: Pattern; confidence: number; excerpt: string }[];
};
/** Checks a configuration of any protocol: every fault with its path, and warnings for keys without effect, in a language. */
export function check(config: unknown, language?: Language): { faults: ConfigFault[]; warnings: ConfigFault[] };
/** The configuration as often as it is to be repeated: the first keeps its seed, those of the others follow from it. */
export function repetitions(config: Config, times: number): Config[];
/** Configurations to begin with, of all protocols, each ready to run without a key. */
export function presets(): { id: string; config: Config }[];
/** Prompt keys with their variables and the built-in wording. */
export function prompts(language: Language): { key: string; variables: string[]; text: string }[];
/** Where models are and how to reach them; at least one of `provider` and `baseUrl`. The key goes to that address only. */
export interface Endpoint { provider?: ProviderId; baseUrl?: string; key?: string }
/** A model that can be asked, with its context length in tokens where the provider tells. */
export interface Model { id: string; name?: string; context?: number }
/** The models that a provider offers. Throws `LabError` with code `provider` (`detail` is a `Failure`), or `input`. */
export function listModels(endpoint: Endpoint): Promise<Model[]>;
/** Whether an endpoint can be used. */
export interface ConnectionTest {
  ok: boolean;
  /**
   * What is wrong: `address` (not one), `offline`, `blocked` (by this page's security policy), `network` (nobody answers),
   * `cors` (somebody answers and refuses this page), `key`, `quota`, `limit` (too many calls), `model`, `timeout`,
   * `server`, `format` (something else answers), `refused`, `request`.
   */
  problem?: "address" | "offline" | "blocked" | "network" | "cors" | "key" | "quota" | "limit" | "model" | "timeout"
    | "server" | "format" | "refused" | "request";
  /** One sentence for people, with the next step. */
  message: string;
}
/** Asks for a word of the model, or, where none is named, for the list of models. Never throws for what a provider does. */
export function testConnection(endpoint: Endpoint & { model?: string }): Promise<ConnectionTest>;
/** The package's name and version. */
export function version(): string;
