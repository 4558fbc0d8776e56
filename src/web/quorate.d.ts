import type { Config, StudyFile } from "./config.js";

/** Loads the engine once. Later calls wait for the first; after a failure it can be called again. Needs no argument in Node.js, or if the module lies beside the package's files. */
export default function init(options?: { module_or_path: string | URL | Request | Response | BufferSource | WebAssembly.Module }): Promise<void>;

/** `en`, `es` or `zh`. */
export type Language = "en" | "es" | "zh";
/** The procedures, by the names that configurations use. */
export type Protocol = "justice" | "discussion" | "debate" | "delphi" | "jury";
/**
 * Kinds of seats. A `source` supplies material to a debate and does not take part. A `recorded` seat plays back a seat of a session
 * saved in this browser, matched by ask: its key `plays` is `{ session, seat? }`; `seat` defaults to the seat's own name. An
 * ask without an answer there fails with kind `unavailable`.
 */
export type SeatKind = "scripted" | "model" | "human" | "custom" | "recorded" | "source";
/** The four principles of justice, as records name them. */
export type PrincipleId = "maximizing_floor" | "maximizing_average"
  | "maximizing_average_floor_constraint" | "maximizing_average_range_constraint";
/** Certainty of a ranking or a choice. */
export type Certainty = "very_unsure" | "unsure" | "no_opinion" | "sure" | "very_sure";
/** Kinds of asks; each procedure has its own. */
export type AskKind = "initial_ranking" | "explanation" | "post_explanation_ranking" | "application"
  | "constraint_retry" | "final_ranking" | "internal_reasoning" | "statement" | "memory_update"
  | "vote_initiation" | "vote_confirmation" | "ballot_principle" | "ballot_amount" | "results_ranking"
  | "turn" | "message" | "context" | "similarity" | "proposal" | "critique" | "revision" | "refinement" | "vote" | "judgement"
  | "poll" | "termination" | "prepare" | "commit" | "estimate" | "straw_vote" | "speech" | "ballot";

/** The four principles, best first, with the author's certainty. */
export interface Ranking { order: PrincipleId[]; certainty: Certainty | null }

/** One entry of the record. `hash` is the beginning of the hash over all entries up to this one. */
export interface Entry { seq: number; at: number; what: What; hash: string }

/** The content of an entry, by `type`. */
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
   * The next model of the seat's `fallback` list is used: the previous model failed permanently (`failed`), or the seat's first model
   * pauses for five minutes after three permanent failures in a row (`resting`).
   */
  | { type: "fell_back"; ask: string; seat: string; model: string; provider?: ProviderId; base_url: string; because: "failed" | "resting" }
  | { type: "unanswered"; ask: string }
  /** The procedure withdrew the question. */
  | { type: "withdrawn"; ask: string }
  | { type: "halted"; halt: Halt }
  | { type: "read"; ask: string; reading: Reading<{}> }
  | { type: "drew"; stream: string; purpose: string; value: unknown }
  | { type: "event"; event: JusticeEvent | DiscussionEvent | DebateEvent | DelphiEvent | JuryEvent; to?: Audience }
  | { type: "ended"; result: JusticeResult | DiscussionResult | DebateResult | DelphiResult | JuryResult };

/** The seat, kind and place of a question in the procedure. */
export interface AskPlace {
  id: string; seat: string; kind: AskKind; phase: number; round: number | null; attempt: number; language: Language;
}
/** A question as a model receives it. */
export interface Request {
  system: string; messages: { role: "user" | "assistant"; content: string }[]; stop?: string[];
  max_tokens: number; temperature?: number; top_p?: number; model?: string; base_url?: string;
  provider?: ProviderId; seed?: number; reasoning_effort?: ReasoningEffort;
  /** JSON Schema of the answer, if `answers` is `structured` and the question has a form. Fields are in the order of `required`. */
  schema?: JsonSchema;
}
/** A JSON Schema, as data. */
export type JsonSchema = Record<string, unknown>;
/**
 * A seat's `provider`: the wire format of its endpoint. Without it the host of `base_url` decides (`compatible` if unknown). With
 * it, `base_url` is required only for `compatible` and for providers without a fixed address (`azure`, `vertex`, `bedrock`).
 */
export type ProviderId = "openai" | "openai_responses" | "anthropic" | "gemini" | "openrouter" | "mistral" | "groq"
  | "deepseek" | "xai" | "together" | "cerebras" | "cohere" | "fireworks" | "perplexity" | "moonshot" | "alibaba" | "zai" | "deepinfra"
  | "huggingface" | "minimax" | "azure" | "vertex" | "bedrock" | "ollama" | "lmstudio" | "llamacpp" | "vllm" | "compatible";
/** A seat's `reasoning_effort`. Models interpret it differently; a level that the model refuses is omitted and recorded. */
export type ReasoningEffort = "none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max";
/** An answer as received, before it is read. */
export interface Reply {
  text: string; reasoning?: string; model?: string; finish?: string; request_id?: string;
  usage?: CallUsage; sent_at?: number; first_piece_at?: number;
  /** Parameters omitted from the request because the provider or the model does not accept them. */
  left_out?: ("temperature" | "top_p" | "stop" | "seed" | "reasoning_effort" | "json_schema" | "system_role")[];
  /** Token limit of this request, if reasoning used up the one asked for, or the model allows less. */
  allowed_tokens?: number;
  /** Number of requests, if more than one; `usage` is their sum. */
  requests?: number;
  /**
   * How a form was answered: by a schema sent to the provider (`native`), by a description at the end of the last turn (`text`), by
   * values (`form`), or without matching JSON, so that the answer is read as free text (`free`).
   */
  answered_as?: "native" | "text" | "free" | "form";
  /** A simulated participant answered for a person or a model. */
  stood_in?: true;
  /** The values of an answer by form (`answered_as` is `form`). `text` then has the same in words, for display. */
  values?: FormValues;
  /** The entry of a saved session that this answer was taken from. No call was made and it cost nothing, whatever `usage` says. */
  recorded?: { session: string; seq: number };
}
/** Tokens as counted by the provider. `reasoning` is part of `output`, `cached` part of `input`. `cost`, if reported, is in US dollars. */
export interface CallUsage { input: number; output: number; reasoning?: number; cached?: number; cost?: number }
/** A failed call. `usage`: tokens it consumed anyway, if the provider reported them. */
export interface Failure { kind: FailureKind; message: string; status?: number; retry_after_ms?: number; body?: string; usage?: CallUsage }
/** Why a call failed. */
export type FailureKind = "key" | "quota" | "rate_limit" | "request" | "server" | "unreachable" | "cut" | "format"
  | "refused" | "starved" | "callback" | "unavailable";
/** A command to a run. Each is an entry of the record. */
export type Command = { do: "pause" | "resume" | "step" | "stop" } | { do: "limit"; max_calls?: number; max_tokens?: number; max_cost?: number }
  | { do: "say"; seat: string; text: string; request_id?: string } | { do: "reseat"; table: unknown } | { do: "close" } | { do: "extend"; seconds: number }
  /** The owner looked at a participant's private view. */
  | { do: "look"; seat: string }
  /** The owner's reading of an unreadable answer. It never becomes the answer. Null removes it. */
  | { do: "annotate"; ask: string; values: unknown }
  | SeatingCommand;
/** Commands about the seat of a person or a model. `guest`: the person's number in a room. */
export type SeatingCommand =
  | { do: "guest"; seat: string; guest: number; is: "seated" | "away" | "back" | "reminded" | "left" }
  | { do: "stand_in" | "take_back"; seat: string }
  | { do: "skip"; ask: string };
/** Why a run is halted. */
export type Halt = { because: "call_failed"; ask: string; failure: Failure }
  | { because: "max_calls"; limit: number } | { because: "max_tokens"; limit: number; used: number }
  /** In the currency of the run's prices. Also if a model has no price. */
  | { because: "max_cost"; limit: number; used: number }
  /** The procedure suspended itself. Reasons of a discussion: `message`, `turn_limit`, `no_answer`, `no_speakers`. */
  | { because: "rests"; reason: string };

/** The steps of the experiment. */
export type Step = "initial_ranking" | "explanation" | "post_explanation_ranking" | "application" | "final_ranking"
  | "discussion" | "memory_update" | "vote_initiation" | "vote_confirmation" | "ballot" | "results" | "results_ranking";
/** Income classes. */
export type IncomeClass = "high" | "medium_high" | "medium" | "medium_low" | "low";
/** A secret ballot as read. `raw`: the answers it was read from. */
export interface BallotVote {
  seat: string; principle: PrincipleId | null; amount: number | null;
  status: "valid" | "invalid" | "timeout"; raw: string[];
}
/** Votes for a rule after a failed ballot of a class, without names; amounts are lowest first. */
export interface RuleCount { principle: PrincipleId; votes: number; amounts: number[] }
/** A seat's payoff under another principle and amount. */
export interface SweepRow { principle: PrincipleId; amount: number | null; distribution: number; income: number; payoff: number }

/** Events of the justice experiment. */
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
  /** `how`: the speaker named the principle (and `amount`) in a form; absent: it was read from the statement. */
  | { type: "favored"; seat: string; round: number; principle: PrincipleId; amount?: number; how?: "form" | "schema" | "line" | "model" }
  | { type: "announced"; round: number; notice: string; text: string }
  | { type: "trimmed"; round: number; dropped: number }
  | { type: "initiation"; round: number; seat: string; answer: boolean | null }
  | { type: "vote_started"; round: number; initiator: string }
  | { type: "confirmed"; round: number; seat: string; answer: boolean | null }
  | { type: "confirmation"; round: number; initiator: string; answers: [string, boolean][]; confirmed: boolean }
  | { type: "voted"; round: number; vote: BallotVote }
  | { type: "counted"; round: number; initiator: string; agreed: PrincipleId | null; amount: number | null; disagreement: string | null; tally?: RuleCount[] }
  | { type: "drawn"; multiplier: number; distributions: number[][]; probabilities: number[] | null; distribution: number | null; no_consensus: string | null }
  | { type: "paid"; seat: string; distribution: number; class: IncomeClass; income: number; payoff: number;
      counterfactuals: Record<PrincipleId, number>; sweep: SweepRow[]; bank: number }
  | { type: "warned"; code: string; seat?: string; round?: number; message: string };

/** Result of the experiment: phase 2 as in the published program's `Phase2Results`, plus phase 1. */
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
 * Origin of a contribution; fields that do not apply are absent. The event `said` has the public ones, `came` before it
 * the others.
 */
export interface DiscussionMetadata {
  out_of_turn?: boolean; passed?: boolean; empty?: boolean; answered_as?: string; raw?: string; request_id?: string; ask?: string;
}
/** `turn` counts from 0, `round` from 1. `until`: the time at which an open discussion ends. */
export type DiscussionEvent =
  | { type: "seated"; order: DiscussionPlace[] }
  | { type: "moved"; turn: number; round: number }
  | { type: "opened"; until: number }
  | ({ type: "came" } & DiscussionMetadata)
  | { type: "said"; speaker: string; role: DiscussionRole; person: boolean; turn: number; round: number; content: string; metadata: DiscussionMetadata }
  | { type: "noted"; code: "unknown_agent" | "empty_message" | "table_refused"; turn: number; round: number; about: string }
  | { type: "completed"; by: "rounds" | "last_word" | "closed" | "time" };
/** Result of a discussion. `rounds` is 0 if all could write at any time. */
export interface DiscussionResult { completed_by: "rounds" | "last_word" | "closed" | "time"; rounds: number; contributions: number }

/** A discussion in the shape of the HTTP interface that it replaces. */
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
  /** `pending`: agents wait for `continueDiscussion`. */
  state: { status: "active" | "paused" | "completed"; turn: number; round: number; maxRounds: number | null; pending: boolean;
    reason?: string; error?: { agent: string; message: string } };
}
/** A contribution, or a note between contributions. */
export interface DiscussionLogEntry {
  id: string; type: "discussion_turn" | "discussion_note"; speakerKey: DiscussionRole | null; speakerName: string | null;
  speakerRole: "manager" | "expert" | "user" | null; content: string; createdAt: string; agentTemplateId: string | null;
  level: null; keywords: string[]; turn: number; round: number; metadata: DiscussionMetadata | { code: string; skipped: boolean };
}
/** Returns the discussion of an open or stored session. Changes nothing. */
export function getDiscussion(id: string): Promise<Discussion>;
/**
 * Adds a person's message and resolves when it is a person's turn again. `userId` is the name of a seat, or any id if only one person
 * sits at the table. A repeated `requestId` is ignored. Throws `LabError` with code `input` (no text, no sender, sender's seat is not a person's,
 * more than 20,000 characters), `conflict` (the discussion is over), `unknown`, or `locked` (open in another tab).
 */
export function advanceDiscussion(id: string, message: { message: string; userId: string; organizationId?: string; requestId?: string }, options?: SessionOptions): Promise<Discussion>;
/** Continues after agents have reached the limit of turns in a row. */
export function continueDiscussion(id: string, options?: SessionOptions): Promise<Discussion>;
/** Pauses the discussion. */
export function pauseDiscussion(id: string): Promise<Discussion>;
/** Resumes after a pause or a failure. */
export function resumeDiscussion(id: string, options?: SessionOptions): Promise<Discussion>;
/** Starts again under the same id; the previous contributions are stored as a branch with its own id. Closes a `Session` of it in this page first. Throws `LabError` code `locked` while another tab has it open. */
export function resetDiscussion(id: string, options?: SessionOptions): Promise<Discussion>;

/** Statistics of a round's estimates. Quartiles are of type 7, the default of R and pandas. */
export interface Spread { count: number; minimum: number; lower: number; median: number; upper: number; maximum: number }
/** Events of a Delphi poll. `estimated` is private to its seat; `reported` is for all, with anonymous reasons in random order. */
export type DelphiEvent =
  | { type: "round_began"; round: number }
  | { type: "estimated"; round: number; seat: string; estimate: number | null; reason: string }
  | { type: "reported"; round: number; asked: number; spread: Spread | null; reasons: string[] };
/** Result of a Delphi poll. */
export interface DelphiResult {
  ended_by: "close_enough" | "rounds"; rounds: number; unit: string; spread: Spread | null;
  /** The true value, if one is configured. */
  truth?: { value: number; source: string };
}

/** A juror's opinion; `undecided` in straw votes only. */
export type Opinion = "guilty" | "not_guilty" | "undecided";
/** How many jurors voted what. */
export interface JuryCounts { guilty: number; not_guilty: number; undecided: number; missing: number }
/** A ballot of a jury. `votes`: who voted what, null if the ballot is secret. */
export interface JuryBallot extends JuryCounts { votes: [seat: string, opinion: Opinion | null][] | null }
/**
 * Events of a trial. `straw_voted` is private to its seat, `straw_counted` for all or for the owner, `balloted` for all or private to its seat, as the
 * configuration says. Straw votes are numbered from 1: the first follows the opening statements, each further one an item of evidence.
 */
export type JuryEvent =
  | { type: "case_opened"; charge: string; prosecution: string; defence: string; evidence: number }
  | { type: "evidence_shown"; number: number; title: string; text: string }
  | { type: "straw_voted"; round: number; seat: string; opinion: Opinion | null; certainty: number | null; reason: string }
  | { type: "straw_counted"; round: number; counts: JuryCounts }
  | { type: "deliberation_began"; round: number }
  | { type: "argued"; round: number; seat: string; text: string | null }
  | { type: "ballot_began"; round: number }
  | { type: "balloted"; round: number; seat: string; opinion: Opinion | null }
  | { type: "ballot_counted"; round: number; counts: JuryCounts };
/** Result of a trial. `changed`: jurors who were on both sides at some time. It and `straw_votes` are null for jurors who are not shown counts. */
export interface JuryResult {
  verdict: "guilty" | "not_guilty" | "hung"; jurors: number; needed: number; ballots: JuryBallot[];
  counts_shown: boolean; straw_votes: JuryCounts[] | null; changed: number | null;
}

/** Steps of a debate's round. */
export type DebateRound = "context" | "propose" | "critique" | "revise" | "refine" | "vote" | "judge";
/** How a debate decides. */
export type ConsensusMode = "judge" | "majority" | "supermajority" | "unanimous" | "weighted" | "any" | "none" | "byzantine";
/** Degree of agreement among the votes. */
export type ConsensusStrength = "unanimous" | "strong" | "medium" | "weak" | "none";
/** Rhetorical patterns. */
export type Pattern = "concession" | "rebuttal" | "synthesis" | "appeal_to_authority" | "appeal_to_evidence"
  | "technical_depth" | "rhetorical_question" | "analogy" | "qualification";
/** A critique; `severity` is 0 to 10. */
export interface Critique { issues: string[]; suggestions: string[]; severity: number | null; reasoning: string }
/** Similarity of the proposals after a round. All values are 0 to 1; `measure` names the method. */
export interface ConvergenceCheck {
  round: number; status: "converged" | "refining" | "diverging"; score: number; measure: "embedding" | "tfidf" | "jaccard";
  inter_agent: { texts: number; values: number[]; min: number; mean: number };
  self_stability: { per_seat: [string, number][]; min: number; mean: number } | null; stable: number;
}
/** The trickster's objection to an agreement. `blocks`: the agreement must hold for another round. */
export interface Challenge {
  kind: "challenge_prompt" | "quality_role" | "extended_round" | "breakpoint" | "novelty_challenge" | "evidence_gap" | "echo_chamber";
  round: number; targets: string[]; priority: number; blocks: boolean;
  lacks: [string, ("citations" | "specificity" | "reasoning" | "evidence_diversity")[]][];
  gaps: { claim: string; seats: string[]; severity: number }[];
}
/** A judge's evaluation. Labels are those under which proposals were shown ("Proposal 1", …). */
export interface Evaluation {
  scores: { label: string; score: number; criteria: [string, number][]; comment: string }[];
  missing: string[]; ranking: string[]; synthesis: string; conclusive: boolean | null; confidence: number | null; reason: string;
}
/** A judge's points for a proposal, 0 to 10. `given` is false if the judge gave none and the mean of the others stands in. */
export interface ProposalPoints { proposer: string; score: number; given: boolean }
/** A count of votes. */
export interface Tally {
  rows: { choice: string; weight: number; votes: number; confidence: number }[];
  total: number; took_part: number; abstained: string[]; failed: string[]; users: number; required: number;
  /** Weight of each vote by voter, and bonuses of proposers. Absent in older records. */
  weights?: [string, number][]; bonuses?: [string, number][]; self_votes?: string[];
}
/** Result of a count. */
export interface Decision {
  status: "consensus_reached" | "no_consensus" | "insufficient_participation"; decided_by: ConsensusMode; confidence: number;
  winner: string | null; tied: string[]; strength: ConsensusStrength; variance: number; margin: number; others: string[]; tally: Tally;
  /** Why another mode decided than the configured one. */
  note?: "too_few_for_byzantine" | "no_byzantine_agreement";
}
/** A seat's answer to a yes/no question; null if unreadable. */
export interface YesNo { seat: string; yes: boolean | null }
/** A step of byzantine agreement. `view` counts the proposals from 0; `quorum` is the number of yes answers needed. */
export interface ByzantineView { round: number; view: number; leader: string; answers: YesNo[]; quorum: number }
/** A question of a debate without a usable answer. */
export interface SeatFailure { round: number; seat: string; kind: string; reason: string; about?: string }

/** Sources of a debate's material. */
export type SourceKind = "knowledge" | "debates" | "feed" | "program";
/** Kinds of suspected instructions to a model in a text. */
export type Taint = "ignore_instructions" | "reveal_secrets" | "run_command" | "disable_safety" | "contact_server";
/** A piece of material. `evidence` is its number in citations, as in `[EVID-1]`. */
export interface ContextItem {
  evidence: string; kind: "typed" | SourceKind; source: string; id: string | null; title: string; text: string; origin: string | null;
  at: number | null; confidence: number | null; tainted: Taint[];
}
/** Material of a source. `note`: why it is empty (`timed_out`, `failed`, `unavailable`, or why the answer is unreadable). */
export interface GatheredSource {
  name: string; kind: "typed" | SourceKind; items: ContextItem[]; left_out: number; note: string | null; message: string | null;
}
/** The question to a seat of kind `source`, as JSON in its only message. The answer is JSON too: `SourceAnswer`. */
export interface SourceQuestion { source: { kind: SourceKind; limit: number; name?: string; url?: string }; question: string }
/** A source's answer: material, or the reason for none. */
export type SourceAnswer = { unavailable: string } | { items: {
  id?: string | number | null; title?: string | null; text: string; origin?: string | null; at?: number | null; confidence?: number | null;
}[] };

/** Events of a debate. */
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

/** Result of a debate. */
export interface DebateResult {
  question: string;
  status: "consensus_reached" | "no_consensus" | "insufficient_participation" | "converged" | "failed";
  /** Whether the votes agree on the winner or the proposals converged. A judge's decision alone is not a consensus. */
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
  /** Where the result is delivered, by `after` of the configuration. */
  deliver?: Target[]; agent_failures: SeatFailure[];
  /** Convergence of arguments, sources and stances; null with fewer than two proposals. */
  metrics: { stability: number; diversity: MetricShare; shared_sources: MetricShare; volatility: MetricShare | null; overall: number } | null;
  predictions: { voter: string; choice: string; confidence: number | null; came_true: boolean }[];
  domain: string | null; team: string[]; gathered: { evidence: string; source: string; id: string }[];
  context_taint: { evidence: string; source: string; title: string; tainted: Taint[] }[];
}
/** A part of a whole, and their ratio, 0 to 1. */
export interface MetricShare { part: number; whole: number; score: number }

/** The types of configurations. */
export type * from "./config.js";
/** A group of settings, as forms show them. */
export interface SettingGroup { id: string; open: boolean }
/** Allowed values of a setting. A `max` of 4294967295, or a null `min` or `max`, means unbounded. */
export type SettingKind =
  | { type: "flag" | "lines" | "pair" | "free" }
  | { type: "whole"; min: number; max: number } | { type: "number"; min: number | null; max: number | null }
  | { type: "text"; most: number; lines: boolean } | { type: "address"; keyless: boolean }
  | { type: "one_of"; words: string[] } | { type: "object"; settings: Setting[]; free: boolean }
  | { type: "list"; of: SettingKind; most: number } | { type: "map"; of: SettingKind } | { type: "either"; of: SettingKind[] };
/** A value that a setting can have. */
export type SettingValue = boolean | number | string | number[] | string[];
/** A setting of a configuration. */
export interface Setting {
  name: string; kind: SettingKind; since: string;
  /** Accepted aliases. */
  also?: string[];
  /** Default: a value, or one that depends on another setting. */
  usual?: { is: SettingValue } | { by: { setting: string; when: [string, SettingValue][]; otherwise: SettingValue } };
  required?: true; words?: string; group?: string; more?: true; unit?: string;
  /** `false`: accepted without effect. */
  effect?: false;
  /** When it applies: other settings (beside it or at the top) with the values they must have. */
  when?: [string, string[]][];
}
/** Returns the settings of a procedure. The check, the form and the schema are made from them. */
export function spec(protocol: Protocol): { groups: SettingGroup[]; settings: Setting[] };
/** Returns the procedures. The first is the default. */
export function protocols(): Protocol[];

/**
 * Result of reading an answer: a value and how it was read, or null and the reason. `span`: the decisive words, for
 * `text.slice(...span)`; only for answers in words.
 */
export type Reading<T> = { value: T; how: string; span?: [number, number] } | { value: null; reason: string };

/** The question to a program in a seat (`options.answer`). */
export interface CustomAsk {
  id: string; session: string; seat: string; protocol: Protocol; kind: AskKind; phase: 1 | 2; round: number | null;
  attempt: number; language: Language; system: string; messages: Request["messages"]; stop: string[];
  maxTokens: number; schema?: JsonSchema; facts: Record<string, unknown>; form: Form | null; signal: AbortSignal;
  /** `program/model` of the seat, if its configuration names a `program`. */
  model: string | null; temperature: number | null; topP: number | null;
}
/** A text, a text with details, or the values of the question's form. */
export type CustomAnswer = string | { values: FormValues } | { text: string; model?: string; finish?: string; reasoning?: string; usage?: { input: number; output: number } };

/** A question as data: material and input fields. Texts are in the form's language. */
export interface Form {
  language: Language; question: string; material: FormMaterial[]; fields: FormField[];
  /** Labels of the button that sends the answer and, if the question may be skipped, of the one that skips it. */
  send: string; skip?: string;
  /** The answer decides about money: ask for confirmation before sending. */
  decides: boolean;
}
/** An option. `by`: seats that have argued for it in public, where that is shown. */
export interface FormChoice { value: string; name: string; about?: string; by?: string[] }
/** An input field. `when`: shown only if another field has one of these values. `sends`: choosing sends the answer. */
export type FormField = { name: string; label: string; help?: string; optional: boolean; sends: boolean; when?: { field: string; values: string[] } } & FormInput;
/** Kinds of input. The value of `order` is a list, or one value per name in `places`; of `yes_no` one of the two values, or a boolean. */
export type FormInput = { input: "choice"; options: FormChoice[]; none?: string } | { input: "certainty"; options: FormChoice[] }
  | { input: "order"; options: FormChoice[]; places: string[] }
  | { input: "amount"; unit: string; least: number; most: number; step: number }
  | { input: "yes_no"; yes: FormChoice; no: FormChoice; isFlag: boolean }
  /** `step` 0: any number, typed in. */
  | { input: "scale"; least: number; most: number; step: number; isWhole: boolean; ends: [string, string] }
  | { input: "text"; least: number; most: number; lines: number } | { input: "texts"; most: number }
  | { input: "each"; of: string; options: FormChoice[]; fields: FormField[] } | { input: "group"; fields: FormField[] };
/** Material for a decision: a table, statements, a text, or terms with definitions. */
export type FormMaterial = { title: string; isFolded: boolean } & (
  /** `incomes`: the figures of a table of distributions; share of each class in per cent, and the incomes of each, the highest class first. */
  | { material: "table"; columns: string[]; rows: string[][]; notes: string[]; incomes?: { shares: number[]; of: number[][] } }
  | { material: "statements"; said: { who: string; text: string }[] }
  | { material: "text"; text: string[] } | { material: "terms"; terms: { name: string; text: string }[] });
/** Values by field name. */
export type FormValues = Record<string, unknown>;

/** State of a run and its open questions. */
export type Status = { open: OpenAsk[]; storage?: StorageTrouble } & ({ state: "running" | "paused" | "stopped" | "ended" } | { state: "halted"; halt: Halt });
/**
 * Why the latest entries are not stored yet; absent if all are. They wait in memory and are retried: the disk is full (`full`), another tab
 * has an older version open (`blocked`), the database connection closed (`closed`), stored data differs from what was written (`damaged`), the browser does
 * not respond (`silent`), or another error (`trouble`).
 */
export interface StorageTrouble { state: "full" | "blocked" | "closed" | "damaged" | "elsewhere" | "silent" | "trouble"; message: string }
/**
 * Why a model call waits in its endpoint's queue: the limit of simultaneous calls (`limit`), of calls per minute (`minute`), or a
 * pause before a retry (`retry`).
 */
export type WaitingFor = "limit" | "minute" | "retry";
/**
 * An open ask. `since`: when it was sent; null while it is queued. `waiting`: its place in the endpoint's queue, and the earliest start
 * `until`, if known; its time limit does not run meanwhile. `trouble`: calls have failed since then; the next try is at `until`. If that is null, the seat needs
 * help (`resume()`, `setKeys()`, `seating()`); other seats continue.
 */
export interface OpenAsk { id: string; seat: string; seatKind: SeatKind; kind: AskKind; phase: 1 | 2; round: number | null; attempt: number; since: number | null; deadline: number | null;
  /** Form for a person; null for other seats. */
  form: Form | null;
  waiting: { until: number | null; ahead: number; why: WaitingFor } | null;
  trouble: { since: number; until: number | null; failure: Failure } | null }

/** Usage of a run so far. `estimated`: providers did not count all of it. */
export interface Usage { calls: number; inputTokens: number; outputTokens: number; estimated: boolean }

/** Price of a million tokens. `cached`: for input read from the provider's cache. */
export interface Price { input: number; output: number; cached?: number }
/** Prices by `provider/model`, or by the model's name alone; also the configuration key `prices`. */
export interface Prices { currency: string; date: string; note?: string; models: Record<string, Price> }

/** Tokens: `reasoning` is part of `output`, `cached` of `input`. */
export interface CostTokens { input: number; output: number; reasoning: number; cached: number }
/**
 * Tokens counted by providers (`reported`) and estimated; money reported by providers (`cost_told`), computed from counted tokens
 * (`cost_computed`) and from estimated ones (`cost_estimated`), and their sum (`cost`). `unknown`: answers without a known cost, not part of `cost`; `own`: answers of
 * programs of the page; `untold`: failed tries without reported usage.
 */
export interface CostSum {
  tries: number; reported: CostTokens; estimated: CostTokens;
  cost: number; cost_told: number; cost_computed: number; cost_estimated: number;
  unknown: number; own: number; untold: number;
}
/** Cost of a call with all its tries. */
export interface CallCost extends CostSum {
  ask: string; seat: string; seat_kind: SeatKind; kind: AskKind; phase: number; round: number | null;
  provider: ProviderId | null; model_asked: string | null; model_returned: string | null;
}
/** Costs of a record. `currency` is null if its configuration has no prices: then only costs reported by providers count, in US dollars. */
export interface Costs {
  currency: string | null; date: string | null; calls: CallCost[]; seats: (CostSum & { seat: string })[];
  rounds: (CostSum & { phase: number; round: number | null })[]; run: CostSum;
}

/** A range. */
export interface ForecastRange { low: number; high: number }
/** A range. `most`: the maximum if every answer has its full allowed length. */
export interface ForecastMost extends ForecastRange { most: number }
/** Assumed speed of models: seconds to the first token, tokens per second. */
export interface Speed { latency: number; read_per_second: number | null; tokens_per_second: number }
/**
 * Forecast of a run, by rehearsals with scripted participants. It excludes people's time, sources and the cost of programs of the page. `cost` is
 * null if a model has no price (`unknown`).
 */
export interface Forecast {
  calls: ForecastRange; input: ForecastRange; output: ForecastMost; cost: ForecastMost | null; currency: string; date: string;
  unknown: string[]; minutes: ForecastRange; complete: boolean; rehearsals: number;
  seats: { seat: string; kind: SeatKind; model?: string; calls: ForecastRange; input: ForecastRange; output: ForecastMost; cost: ForecastMost | null }[];
  assumptions: { cloud: Speed; local: Speed; typical_answers: [AskKind, number][]; peoples_time: false; sources: false };
}

/** Returns the built-in price table. Check and edit it. */
export function prices(): Prices & { note: string };
/** A model of the catalogue. `sampled`: it accepts `temperature` and `top_p`; `schema`: it accepts a JSON Schema of the answer. */
export interface KnownModel { model: string; price: Price; context?: number; efforts: ReasoningEffort[]; schema: boolean; sampled: boolean }
/**
 * Returns the known models of a provider, from public data packages (`source` names them with versions). `first`: suggestions for a
 * first try, best first. With `model`, only that model, by its name or as a dated version of another (`gpt-5-2025-08-07` of `gpt-5`).
 * The catalogue is not complete. Throws `LabError` code `input` for an unknown provider.
 */
export function catalogue(provider: ProviderId, model?: string): { source: string; first: string[]; models: KnownModel[] };
/** Returns the configuration with the prices of its models, from the table (default: `prices()`), as its key `prices`. Throws `LabError` code `config`. */
export function priced(config: Config, table?: Prices): Config;
/** Returns a forecast for a configuration. Throws `LabError` code `config`. */
export function forecast(config: Config): Forecast;
/** Returns the costs of a record, e.g. from `Library.entries`. */
export function costsOf(entries: Entry[]): Costs;

/** Events for `onEvent`. */
export type SessionEvent =
  | { type: "entries"; entries: Entry[] }
  /**
   * A piece of a streaming answer, for display only, without the model's thoughts. `startsOver`: what came before was a thought after all,
   * and the answer begins here.
   */
  | { type: "piece"; ask: string; seat: string; kind: AskKind; text: string; startsOver: boolean }
  | { type: "status"; status: Status; usage: Usage }
  /**
   * A model call waits in its endpoint's queue, which all sessions of the tab share, or its waiting changed: it starts after `ahead` others
   * and not before `until`. `why` is null when the wait is over.
   */
  | { type: "waiting"; ask: string; seat: string; origin: string; until?: number; ahead: number; why: WaitingFor | null }
  /**
   * Storage failed. The run halts, nothing is lost, export still works. The next input (an answer, resume()) retries storing and
   * then continues.
   */
  | { type: "storage"; error: LabError };

/** Options of a session. None of them is part of the record. */
export interface SessionOptions {
  /** Called with events after they are stored. */
  onEvent?: (event: SessionEvent) => void;
  /**
   * Answers seats of kind `custom`, and sources of kind `program` of a debate (`kind` is `context`) by a JSON text
   * `{"items":[{"id","title","text","origin","at","confidence"}]}` or `{"unavailable":"why"}`; any other text is one item.
   * An async iterable streams pieces for display; its last value may be the whole answer. Thoughts in an answer (`<think>…</think>` and its
   * relatives) become the reply's `reasoning`.
   */
  answer?: (ask: CustomAsk) => CustomAnswer | Promise<CustomAnswer> | AsyncIterable<CustomAnswer>;
  /**
   * API keys by origin of the endpoint, e.g. `{ "https://api.openai.com": "sk-…" }`. `origin#seat` is the key of one seat and takes
   * precedence. Kept in memory only.
   */
  keys?: Record<string, string>;
  /** Where the record is stored; default `indexeddb` if available, else `memory`. In Node.js `folder("DIR")` stores it as a file. */
  store?: "indexeddb" | "memory" | Folder;
  /** Milliseconds per answer of scripted participants, for watching; default 0. */
  pace?: number;
  /**
   * Recorded calls. `use` answers a repeated request from the sessions saved in this browser (the n-th of equal requests of a run gets the n-th
   * answer) and calls the model otherwise. `only` never calls; without a recorded answer the call fails with kind `unavailable`. A reply names its
   * source (`recorded`). Default `off`.
   */
  recorded?: "off" | "use" | "only";
  /** Limits of calls by host, such as `api.openai.com`, for all sessions of this program; in place of those of the configuration. Not recorded. */
  callLimits?: { atOnce?: Record<string, number>; perMinute?: Record<string, number> };
  /** For tests and embedding: the session's id; default a random one. */
  id?: string;
  /** For tests: the clock, milliseconds since the epoch. */
  now?: () => number;
}

/** A viewer: the owner of the session, the public, or a participant. */
export type Role = "owner" | "audience" | `seat:${string}` | { seat: string };
/** Audience of an event besides the owner; absent: the owner only. */
export type Audience = "everybody" | { seats: string[] } | { others: string[] };
/** How a text stands among others; `tag` beside the name of the item's participant. */
export type Tone = "plain" | "strong" | "quiet" | "tag" | "note" | "private" | "good" | "bad";
/** What somebody chose. `short`: a name for little room; `about`: what it means; `number`: its number among the options; `isMissing`: the name says why there is none. */
export interface Choice { name: string; short?: string; about?: string; number?: number; isMissing?: boolean }
/**
 * What a reader is shown, in the reader's language. `quote` and a `quoted` list are Markdown of participants, other texts are plain;
 * `before` is an earlier version of the quotation, to compare. Several `choices` are a ranking, best first. A `measure` is a figure
 * that stands at the side of a participant's row. In a `table`, the first cell is the row's head, with `hasSeats` a participant;
 * `column` and `row` stand out. `called`: what participants are called, if not by the names of their seats; in a table by row. A `strong` line of a `chart` is the one to look at, a `number` that of the option that it is about.
 */
export type Block =
  | { block: "text"; text: string; tone?: Tone }
  | { block: "quote"; text: string; seat?: string; called?: string; before?: string }
  | { block: "list"; items: string[]; quoted?: boolean }
  | { block: "measure"; text: string }
  | { block: "choices"; label?: string; items: Choice[] }
  | { block: "votes"; votes: { seat: string; called?: string; choice: Choice }[] }
  | { block: "table"; title: string; columns: string[]; rows: string[][]; hasSeats?: boolean; called?: string[]; column?: number; row?: number }
  | { block: "section"; title: string; blocks: Block[] }
  | { block: "fold"; title: string; blocks: Block[] }
  | { block: "chart"; shape: "lines" | "places" | "bars" | "stacked"; title: string; text: string; unit: string; x: string[];
      range?: [number, number]; band?: { lower: ChartLine; upper: ChartLine };
      lines: (ChartLine & { seat?: string; number?: number; strong?: boolean })[] };
/** A line of a chart, with a value for each `x`. */
export interface ChartLine { label: string; values: (number | null)[] }
/**
 * An item of a view: of a participant, if it has a `seat`; `isSpeech`: it is said to the table; `isProjected`: a projector shows it to
 * the room. `version` grows with every change; `seq` is the item's entry in the role's numbering; `blocks` are what is shown.
 * `called`: what the participant is called in a room; `standsIn`: a program that stood in for a person said it, or is going to.
 */
export interface ItemView {
  key: string; section: string; type: string; version: number; seq: number | null; done: boolean; asks: string[];
  seat: string | null; called?: string; standsIn?: true; isSpeech: boolean; isProjected: boolean; blocks: Block[];
}
/** A stretch of a run, such as a round, with its items in order. */
export interface SectionView { key: string; title: string; place: number; phase: number | null; step: string; round: number; kinds: string[]; items: string[]; version: number }
/** A step of the procedure and its state. */
export interface StepView {
  step: string; phase: number | null; round: number; state: "done" | "current" | "coming" | "skipped"; key: string;
  finished?: number; of?: number; kinds?: string[]; extended?: boolean;
}
/** A participant. */
export interface PersonView { name: string; blocks: Block[]; index: number; kind: SeatKind; model: string | null; personality: string; language: string | null; version: number }
/** State of an ask. */
export type AskState = "waiting" | "sent" | "answered" | "failed" | "timed_out" | "retrying" | "unanswered" | "withdrawn";
/** An ask with its tries and reply. `sealed`: the answer is not shown yet. An open ask to a person has its `question`. */
export interface AskView extends AskPlace {
  seq: number; at: number; timeLimits: number[];
  tries: { attempt: number; sentAt: number | null; endedAt: number | null; outcome: "answered" | "failed" | "timed_out" | null; failure: Failure | null }[];
  reply: Reply | null; repliedSeq: number | null; repliedAt: number | null; reading: Reading<unknown> | null;
  fellBack: { seat: string; model: string; before: string; because: "failed" | "resting"; after: number; text: string }[];
  state: AskState; wait: number | null; item: string | null; sealed: boolean; structured: boolean; version: number; question?: Request;
}
/** A seat switched to another of its models; owner only. */
export interface FellBackItem extends ItemView { type: "fellback"; seat: string; model: string; before: string; because: "failed" | "resting"; after: number }

/**
 * A run as a role sees it. With `since`, lists hold only what changed after that number; other fields are current. `whole`: the
 * view is complete. `head` comes with a complete view, `result` when it is new.
 */
export interface RunView<Item = ItemView, Person = PersonView> {
  role: string; number: number; whole: boolean; head?: Extract<What, { type: "started" }>; startedAt: number | null; lastAt: number | null;
  run: "running" | "paused" | "halted" | "stopped" | "ended"; halt: Halt | null; result?: unknown;
  /** With the result: the outcome in a sentence, and what the results show below it. */
  outcome?: string; results?: Block[];
  people: Person[]; sections: SectionView[]; items: Item[]; asks: AskView[];
  /** Seats whose turn it is and the ones after; the activity of each, in a word. */
  next: string[]; doing: Record<string, string>; steps: StepView[];
  /** Share of completed steps, 0 to 1. */
  progress: number;
  calls?: number; settled?: number; tokens?: { input: number; output: number };
  /** Current caps; owner only. */
  caps?: { max_calls: number | null; max_tokens: number | null; max_cost: number | null };
}

type JusticeTold<Type> = Extract<JusticeEvent, { type: Type }>;
/** A voter's state. No `answer`: unknown; null: unreadable. `voting` is null if the role may not know it. */
export interface VoterView { seat: string; answer?: boolean | null; done: boolean; asks: string[]; ballots: string[]; voting: "open" | "cast" | null }
/** An item of the view of an experiment. */
export type JusticeItem = FellBackItem | (ItemView & (
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
      /** Set after the count; `votes` are those that the role may know. */
      ballot: { round: number; agreed: PrincipleId | null; amount: number | null; disagreement: string | null; votes: BallotVote[]; tally?: RuleCount[] } | null }
  | { type: "drawn"; drawn: JusticeTold<"drawn"> }
  | { type: "paid"; seat: string; paid: JusticeTold<"paid"> }));
/** A participant of the experiment. Money, memory and rankings only if the role may know them. */
export interface ParticipantView extends PersonView {
  bank?: number; memory?: string; memoryAsk?: string | null; memoryChanges?: number; rankings?: Record<string, Ranking | null>;
  favored: PrincipleId | null; manipulator: boolean; target: PrincipleId | null;
}
/** An experiment as a role sees it. */
export interface JusticeView extends RunView<JusticeItem, ParticipantView> {
  roundStep: Step | null; round: number;
  /** From the draw of phase 2 on. */
  figures?: JusticeFigures | null;
}
/** The incomes under a rule from 1 to 4, lowest first. `isMet`: the incomes keep to the amount. */
export interface World { rule: number; amount: number | null; isMet: boolean; incomes: number[]; average: number }
/**
 * What an experiment came to. `shares` of the classes are lowest first. `worlds`: one for each rule, that of the group (`chosen`) with its own
 * amount, others with the median one. `fates` of the participants whose payoffs the role may see: `at` is the class from 0, the lowest, `incomes`
 * those of the distribution that applied. `minds`, after the end: how many of those who ranked the rules more than once put another one first at
 * the end (in studies for the owner alone); `of`: those whose rankings the role may see.
 */
export interface JusticeFigures {
  multiplier: number; shares: number[]; worlds: World[]; chosen: number | null;
  fates: { seat: string; at: number; income: number; incomes: number[] }[];
  minds?: { changed?: number; ranked?: number; of: { seat: string; from: number; to: number }[] };
}

/** An item of the view of a discussion. */
export type DiscussionItem = FellBackItem | (ItemView & (
  | { type: "message"; seat: string; role: DiscussionRole | null; round: number; text: string; isPerson: boolean; metadata: DiscussionMetadata;
      guest?: { name: string; index: number; kind: SeatKind } }
  | { type: "noted"; code: string; about: string }
  | { type: "completed"; by: string }));
/** A participant of a discussion, with counts of contributions and passes. */
export interface SpeakerView extends PersonView { role: DiscussionRole | null; said: number; passed: number; isPerson: boolean; known: boolean; seated: boolean }
/** A discussion as a role sees it. */
export interface DiscussionView extends RunView<DiscussionItem, SpeakerView> {
  order: DiscussionPlace[]; turn: number; round: number; rounds: number; turnsPerCall: number; topic: string; rules: string[];
  completedBy: string | null; isOpen: boolean;
  /** Time at which an open discussion ends. */
  until: number | null;
}

/** A proposal after a round. */
export interface ProposalVersion { round: number; version: number; text: string }
/** A vote. `words`: the named proposal, if it is none of the choices. */
export interface VoteRow { seat: string; choice: string | null; confidence: number | null; reasoning: string; words: string | null; state: "cast" | "abstained" | "failed" }
/** A failed question of a seat. */
export interface FailureNote { seat: string; kind: string; reason: string }
/** An item of the view of a debate. */
export type DebateItem = FellBackItem | (ItemView & (
  | { type: "context"; sources: GatheredSource[] }
  | { type: "card"; round: number; seat: string; step: "critique" | "propose" | "revise" | "refine"; edition: number | null; text: string;
      before: ProposalVersion | null; standing: ProposalVersion | null; challenged: boolean; patterns: Pattern[]; failures: FailureNote[]; over: boolean }
  | { type: "critique"; round: number; seat: string; target: string; critique: Critique | null; failed: string | null }
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
/** A participant of a debate, with the versions of the proposal. */
export interface DebaterView extends PersonView { role: "proposer" | "synthesizer" | "critic" | "judge"; stance: string; edition: number; versions: ProposalVersion[] }
/** A debate as a role sees it. */
export interface DebateView extends RunView<DebateItem, DebaterView> {
  question: string; schedule: { number: number; kind: DebateRound }[]; round: number | null; roundKind: DebateRound | null;
  convergenceAt: number; divergenceAt: number; judge: string | null; early: { round: number; reason: string } | null;
}
/** Shows a record to a role after any of its entries, also records of other versions. */
export class Viewer {
  constructor(entries: Entry[], role?: Role);
  /** Returns the view after `count` entries (default: all), or only what changed since an earlier view's `number`. */
  at<View extends RunView = RunView>(count?: number, since?: number, language?: string): View;
  /** Returns an ask with its exact question, or null if it was not sent by then or the role may not know it. */
  asked(ask: string): (AskView & { request: Request }) | null;
  free(): void;
}

/** Signature of a record. `valid` is null if this browser cannot check it; `key` is the key's thumbprint (RFC 7638). */
export interface RecordSignature { valid: boolean | null; key: string | null; entries: number }

/** A verified record: running it again gives the same entries. `hash` covers all of them. */
export interface Verified { verified: true; intact: true; entries: number; hash: string; signature: RecordSignature | null }

/**
 * A record that did not verify. From entry `seq` on it does not follow from the entries before it, or (`intact` is false) it was
 * changed; or the signature does not match; or only another version can run it.
 */
export interface NotVerified {
  verified: false; intact: boolean; seq: number; recorded: Entry | null; replayed: Entry | null; message: string;
  entries?: number; hash?: string; signature: RecordSignature | null;
}

/** A run and its record. */
export class Session {
  /** Checks the configuration and stores the first entry. Throws `LabError` code `config` with all faults. */
  static create(config: Config, options?: SessionOptions): Promise<Session>;
  /** Opens a stored session. A finished one is read as stored (`verify()` runs it again); `run()` continues any other where it stopped.
   * Throws `LabError` code `locked` if it is open in another tab or in this page (a component that is mounted twice opens it
   * twice); the message says which. `close()` releases it. */
  static open(id: string, options?: SessionOptions): Promise<Session>;
  /** Imports a record exported as JSON or JSONL. */
  static import(text: string, options?: SessionOptions): Promise<Session>;
  readonly id: string;
  /**
   * The version that wrote the record, if it is another one. Such a record can be read, checked by its hashes, exported and branched, but
   * not run: `run()` rejects with `LabError` code `engine`.
   */
  readonly onlyFor?: string;
  readonly status: Status;
  /** What the run waits for, in a sentence; null while it proceeds and after its end. */
  readonly waitsFor: string | null;
  readonly usage: Usage;
  readonly config: Config;
  /** Returns the record so far. */
  entries(fromSeq?: number): Entry[];
  /**
   * Runs to the end and resolves with the result. Rejects with `LabError` code `waiting` if the run needs help (a permanent failure, a cap):
   * `message` names the seat, step and reason, `detail` is the status; resume() and run() continue. Rejects with `stopped` if it is or gets stopped, with
   * `closed` on close() and free(). `attended`: an operator watches the run, so it stays pending while halted. It also stays pending while paused
   * and while people are asked (`waitsFor` says whom); Node.js rejects then when the process would exit.
   */
  run<Result extends JusticeResult | DiscussionResult | DebateResult | DelphiResult | JuryResult = JusticeResult>(options?: { signal?: AbortSignal; attended?: boolean }): Promise<Result>;
  pause(): void;
  resume(): void;
  /** Retries storing (`status.storage`) at once; it is also retried automatically. */
  storeAgain(): void;
  step(): void;
  stop(): void;
  /** Replaces the caps; an omitted cap is removed. A cap on money throws `LabError` code `config` if a model has no price. */
  limit(caps: { maxCalls?: number; maxTokens?: number; maxCost?: number }): void;
  /** Returns the costs so far. */
  costs(): Costs;
  /**
   * Returns the run as a role (default: the owner) sees it: complete, or what changed since an earlier view's `number`.
   * `language`: of its blocks, titles and outcome; default: the seat's, or else the run's.
   */
  view<View extends RunView = RunView>(role?: Role, since?: number, language?: string): View;
  /** Returns an ask with its exact question, or null if the role may not know it. */
  asked(ask: string, role?: Role): (AskView & { request: Request }) | null;
  /**
   * Submits an answer to an open ask, by the values of its form or as a text. Meant for human seats; for others it cancels the running
   * call. Returns false if the ask is not open. Throws `LabError` code `form` (`detail`: field and message) if values do not fit
   * the form.
   */
  answer(askId: string, given: string | FormValues, requestId?: string): boolean;
  /**
   * Sets who answers for a person's or model's seat: a simulated participant (`stand_in`; its replies are marked `stood_in`) or the person or model
   * again (`take_back`). `skip` leaves an open question without an answer; `guest` records a guest's presence. All of it is recorded.
   * `limits.on_failure` of a configuration does this automatically.
   */
  seating(command: SeatingCommand): void;
  /** Returns the answer in words without submitting it; undefined if the ask is not open. Throws as `answer` does. */
  previewAnswer(askId: string, values: FormValues): string | undefined;
  /** Records that the owner looked at a participant's private view. */
  look(seat: string): void;
  /**
   * Records the owner's reading of an unreadable answer, also after the end. It never becomes the answer: the run ignores it, and exports
   * list it separately. Null removes it. Returns false if there is no such answer.
   */
  annotate(askId: string, values: unknown): boolean;
  /**
   * Adds a contribution to a discussion: it answers the seat's open turn, else it counts as out of turn. A suspended discussion
   * continues. A repeated `requestId` is ignored. Throws `LabError` as `advanceDiscussion` does.
   */
  say(seat: string, text: string, requestId?: string): void;
  /** Replaces the table of a discussion: its keys `agents` and `participants`. Throws `LabError` code `config`. */
  reseat(table: { agents: Record<string, unknown>[]; participants?: Record<string, unknown>[] }): void;
  /** Ends a discussion. */
  closeDiscussion(): void;
  /** Adds or replaces keys in memory; `null` removes one. */
  setKeys(keys: Record<string, string | null>): void;
  /**
   * Sets the milliseconds per answer of scripted participants, 0 to 60000. No new call starts before the time `heldUntil`, for any kind of seat,
   * so that there is time to read; without it, held calls start.
   */
  /** Returns the time by the session's clock, which the times in its record and status follow. It never goes back: if the date is set back, it is ahead until the date catches up. */
  now(): number;
  setPace(milliseconds: number, heldUntil?: number): void;
  /** Reads the stored record, runs it again in memory and compares; also checks the signature. */
  verify(): Promise<Verified | NotVerified>;
  /** Creates a session with this record up to (not including) `seq`. `changes.config` replaces top-level keys of the configuration, `changes.answer` the answer recorded at `seq`. */
  fork(seq: number, changes?: { answer?: string; config?: Partial<Config> }, options?: SessionOptions): Promise<Session>;
  /** Returns the record as a file. For roles other than the owner: `view`, or tables. */
  export(format: "zip" | TableName, options: ExportOptions & { blob: true }): Promise<ExportBlob>;
  export(format: "zip", options?: ExportOptions): Promise<ExportArchive>;
  export(format: Exclude<ExportFormat, "zip">, options?: ExportOptions): Promise<ExportFile>;
  export(format: ExportFormat, options?: ExportOptions): Promise<ExportFile | ExportArchive>;
  /**
   * Cancels running calls, stores pending entries and releases the lock; resolves when done. The record stays. Opening the session again in this
   * page waits for it.
   */
  close(): Promise<void>;
  /**
   * Closes the session if needed and frees its memory at once instead of on garbage collection. Later calls throw.
   */
  free(): void;
  free(): void;
}

/** Tables for statistics: one row per run, participant, decision, utterance, or question with its answer. */
export type TableName = "runs" | "seats" | "decisions" | "utterances" | "asks";
/** `zip` contains all tables, a codebook, and loaders for R and pandas. */
export type ExportFormat = "json" | "jsonl" | "md" | "published" | "zip" | "view" | TableName;
/** A text file; archives have `bytes` instead. */
export interface ExportFile { name: string; type: string; text: string; bytes?: undefined; blob?: undefined }
/** A binary file. */
export interface ExportArchive { name: string; type: string; bytes: Uint8Array; text?: undefined; blob?: undefined }
/** A table or archive of any size, asked for with `blob: true`. */
export interface ExportBlob { name: string; type: string; blob: Blob; text?: undefined; bytes?: undefined }
/**
 * Options of exports. In tables, text that a spreadsheet would run as a formula gets an apostrophe in front unless `formulas` is true.
 * `spreadsheet`: tables for Excel and its kind, with a byte order mark; with a locale such as `es-ES` also with that locale's separator and decimal sign.
 * `prompts`: `asks` also holds the texts of the questions, which are most of all bytes.
 * `blob`: tables and archives as a `Blob`, of any size. A table of more than 400 MB is no text.
 * `role`: whom the file is for. A participant's file (`view` or tables) holds what that participant may know; the owner's holds everything.
 */
export interface ExportOptions { formulas?: boolean; spreadsheet?: boolean | string; prompts?: boolean; blob?: boolean; role?: Role }

/**
 * Runs as files: `ID.jsonl` holds the lines of a record, and lines are appended and on the disk before an answer counts. Made by
 * `folder` in Node.js; any object with these functions is one. It keeps no drafts, edited titles or signatures. An error's `code` is
 * `input` for an id that cannot be the name of a file, and `altered` if the file is not as long as it was.
 */
export interface Folder {
  /** Returns the whole lines of a record, each with its end; empty if there is none. A last line without its end was torn. */
  read(id: string): Promise<string>;
  /** Appends whole lines at byte `at`, where the record ends, and cuts off a torn line there. Resolves when they are on the disk. */
  append(id: string, lines: string, at: number): Promise<void>;
  /** Returns what the first and last lines of all records say: `head` is the first line, `updated` milliseconds since 1970. */
  summaries(): Promise<{ id: string; head: string; entries: number; ended: boolean; updated: number }[]>;
  remove(id: string): Promise<void>;
  /** Takes the lock of a run: returns the function that releases it, at once or after a promise; or a message that names who holds it. */
  lock(id: string): Promise<((after?: Promise<unknown>) => Promise<unknown>) | string>;
}
/** Where sessions are stored; default `indexeddb`. */
export interface LibraryOptions { store?: "indexeddb" | Folder }

/** Sessions stored in this browser, or in a folder. */
export class Library {
  /** Lists stored sessions, newest first. Those of a folder are listed without `outcome`. */
  static list(options?: LibraryOptions): Promise<SessionSummary[]>;
  /** Deletes a session with its record and drafts. Throws `LabError` code `locked` while it is open anywhere. */
  static delete(id: string, options?: LibraryOptions): Promise<void>;
  /** Returns the record of a session, also of other versions. */
  static entries(id: string, options?: LibraryOptions): Promise<Entry[]>;
  /** Returns tables as a file of any size. */
  static export(ids: string | string[], format: "zip" | TableName, options: ExportOptions & LibraryOptions & { blob: true }): Promise<ExportBlob>;
  /** Returns the record of a session as a file, also of other versions. */
  static export(id: string, format: Exclude<ExportFormat, "zip">, options?: ExportOptions & LibraryOptions): Promise<ExportFile>;
  /** Returns several sessions, of any procedures, as one set of tables. */
  static export(ids: string | string[], format: "zip", options?: ExportOptions & LibraryOptions): Promise<ExportArchive>;
  static export(ids: string[], format: TableName, options?: ExportOptions & LibraryOptions): Promise<ExportFile>;
  static export(ids: string | string[], format: ExportFormat, options?: ExportOptions & LibraryOptions): Promise<ExportFile | ExportArchive>;
  static rename(id: string, title: string): Promise<void>;
  /** Drafts of human answers survive a reload. */
  static saveDraft(session: string, ask: string, text: string): Promise<void>;
  static draft(session: string, ask: string): Promise<string | null>;
  /** Asks the browser for persistent storage; false if refused or unknown. */
  static persist(): Promise<boolean>;
  static estimate(): Promise<{ usage: number | null; quota: number | null }>;
}
/**
 * Tables of any number of runs, record by record: rows are handed out as records are added, and only the columns are kept. A record
 * may add columns; rows before it then need `filled`. `headers` and `filesBeside` (codebook, readme and loaders) are of all records so far.
 */
export class TableStream {
  constructor(options?: Omit<ExportOptions, "blob">);
  /** Adds the lines of a record, as `Folder.read` returns them. Throws `LabError` code `export` for one that cannot be read. */
  add(lines: string): { table: TableName; columns: number; rows: string }[];
  headers(): Record<TableName, { columns: number; header: string }>;
  /** Returns rows that had this number of columns with an empty cell for each column that there is now. */
  filled(table: TableName, columns: number, rows: string): string;
  filesBeside(): ExportFile[];
  free(): void;
}
/** Summary of a stored session. */
export interface SessionSummary {
  id: string; title: string; condition: string; protocol: Protocol; created: number; updated: number; entries: number;
  state: "unfinished" | "ended"; seats: { name: string; kind: SeatKind }[]; language: Language;
  /** Hash of the configuration without seed, title and study; equal for all runs of a configuration. */
  config_hash: string; seed: number;
  /** The version that wrote it. Other versions can show it, but not continue it. */
  engine: string;
  /** Main fields of the result of a finished run, by procedure: justice, discussion, debate, Delphi, jury. */
  outcome?: Pick<JusticeResult, "consensus_reached" | "chosen_principle" | "constraint_amount" | "rounds_completed"> | DiscussionResult
    | Pick<DebateResult, "consensus_reached" | "winner" | "confidence" | "status" | "decided_by"> | DelphiResult
    | Pick<JuryResult, "verdict" | "ballots">;
}

/** Kinds of memory rows. */
export type MemoryKind = "memory" | "consensus" | "knowledge" | "debate" | "match" | "receipt" | "outbox" | "journal";
/** A memory row. The content of `value` depends on `kind`. */
export interface MemoryRow<Value = Record<string, unknown>> { kind: MemoryKind; id: string; value: Value }
/** Rows written for a debate, by kind. `reason`: why there are none. */
export interface MemoryReport {
  debate: string; settledAt: number;
  parts: { store: MemoryKind; status: "success" | "skipped" | "rolled_back"; reason?: "no_scores" | "no_consensus" | "not_sure_enough" | (string & {}); rows: number }[];
}
/** Calibration of votes taken as predictions. `score` is 0 for fewer than ten predictions. */
export interface Calibrated {
  predictions: number; brier: number | null; ece: number | null; bias: "overconfident" | "underconfident" | "well_calibrated"; score: number;
}
/** A participant's standing. In the table of one field, `elo`, `debates` and `calibration` refer to that field. */
export interface Standing {
  name: string; elo: number; games: number; wins: number; losses: number; draws: number; debates: number;
  calibration: Calibrated;
  /** The last participant with this name. */
  player: { name: string; kind: string; model?: string; provider?: string } | null;
  /** The rating after each match. */
  history: { debate: string; at: number; elo: number }[];
  domains: Record<string, { elo: number; games: number; calibration: Calibrated }>;
}
/** A piece of knowledge from a person or a debate. */
export interface Knowledge {
  title: string; text: string; source: string; source_id: string; confidence: number;
  level: "unverified" | "low" | "medium" | "high" | "verified"; domain: string | null; created_at: number; updated_at: number;
  reinforced: number; weakened: number;
  references: { relation: string; kind: MemoryKind; id: string }[];
  /** Details of a debate's decision: winner, mode, `votes`, and cited `evidence` as [EVID-1]. */
  about?: Record<string, unknown>;
}
/** A search result about a question. */
export interface MemoryHit {
  source: "knowledge" | "debate" | "receipt"; id: string; title: string; text: string; confidence: number; trust: "local" | "untrusted";
}
/** Receipt of a debate, `quorate.receipt/1`. `content_hash` covers everything but itself and the signature. */
export interface Receipt {
  schema: string; receipt_id: string; debate_id: string; issued_at: string; engine: string; question: string; answer: string;
  reached: boolean; confidence: number; method: string; participants: string[]; supporting: string[]; dissenting: string[];
  dissents: { agent: string; view: string }[];
  ballots: { voter: string; cast: { for: string } | "abstained" | "failed"; confidence: number | null }[];
  verdict: "approved" | "approved_with_conditions" | "needs_review" | "rejected";
  messages_root: string; messages: number; config_hash: string; question_hash: string; answer_hash: string;
  prev_hash: string | null; content_hash: string;
  /** By the key of the issuing browser profile; absent if that browser could not sign. */
  signature?: { algorithm: "Ed25519" | "ES256"; public_key: JsonWebKey; value: string };
}
/** Result of checking a receipt. `signed`: the signature matches the content; `key` is the key's RFC 7638 thumbprint. */
export interface ReceiptCheck {
  valid: boolean; signed: boolean; key: string | null;
  problems: {
    code: "unknown_schema" | "content_hash" | "text_hash" | "verdict" | "chain" | "no_outcome" | "other_debate" | "config"
      | "outcome" | "votes" | "views" | "messages_root" | "signature" | "signature_unchecked" | (string & {});
    message: string;
  }[];
}
/** Destination of a debate's result. Further keys are stored for the delivering program. */
export type Target = (
  | { kind: "opener" | "embed"; origin: string } | { kind: "webhook"; url: string } | { kind: "broadcast" | "download" | "notify" | "share" }
) & Record<string, unknown>;
/** A delivery. `attempts` counts started attempts. `id` lets the receiver detect duplicates. */
export interface Delivery {
  id: string; debate_id: string; target: Target; status: "pending" | "sending" | "delivered" | "failed"; attempts: number;
  created: number; next_at: number; expires: number; delivered_at?: number; error?: string;
}

/** Ratings, knowledge and receipts of debates in this browser. All functions but `verifyReceipt` need IndexedDB. */
export class Memory {
  /**
   * Stores the results of a finished debate, once and in one transaction. Resolves with the report, also if it was stored before, or with null if
   * the session is unfinished or not a debate. `targets`: where to deliver the result (an empty list for a debate held elsewhere); default: the
   * debate's own rules (`after`).
   */
  static remember(session: Session | string, options?: { targets?: Target[] }): Promise<MemoryReport | null>;
  /** Does the same for every stored, finished debate that was not remembered yet. */
  static rememberAll(): Promise<{ remembered: MemoryReport[]; failed: { session: string; message: string | null }[] }>;
  /** Returns standings, over all fields or in one, best first. */
  static ratings(domain?: string): Promise<Standing[]>;
  /**
   * Computes the ratings again from all stored records and compares. `withoutRecord`: debates whose records were deleted;
   * `notRemembered`: debates not counted yet; `unreadable`: records that cannot be read.
   */
  static recomputed(): Promise<{ same: boolean; ratings: Standing[]; withoutRecord: string[]; notRemembered: string[]; unreadable: string[] }>;
  /** Returns all receipts, newest first. */
  static receipts(): Promise<Receipt[]>;
  /** Returns the receipt of a debate. */
  static receipt(session: string): Promise<Receipt | null>;
  /**
   * Checks a receipt, an object or its JSON. With `record` (the entries of a session, or its export as JSON or JSONL) it also checks that the
   * receipt belongs to that debate. Needs no storage and no network.
   */
  static verifyReceipt(receipt: Receipt | string | Record<string, unknown>, record?: Entry[] | string): Promise<ReceiptCheck>;
  /** Returns a receipt as a file. `md` and `html` (without scripts) are for reading. */
  static receiptFile(receipt: Receipt | Record<string, unknown>, format: "json" | "md" | "html", language?: Language): ExportFile;
  /** Searches what is known about a question, best match first; default: all kinds. */
  static search(query: string, options?: { limit?: number; kinds?: ("knowledge" | "debate" | "receipt")[] }): Promise<MemoryHit[]>;
  static items(kind: "knowledge"): Promise<MemoryRow<Knowledge>[]>;
  static items(kind: MemoryKind): Promise<MemoryRow[]>;
  /** Adds a person's knowledge (default confidence 0.8). Equal title and text are stored once. */
  static add(item: { title?: string; text: string; confidence?: number; tags?: string[]; domain?: string }): Promise<MemoryRow<Knowledge>>;
  /** Removes a row, of any kind but `journal`. */
  static remove(kind: MemoryKind, id: string): Promise<void>;
  /** Returns all rows as a file, one per line, without pending deliveries. */
  static export(): Promise<ExportFile>;
  /** Imports rows of such a file in one transaction. Existing rows stay (`kept`). Throws `LabError` code `import`. */
  static import(text: string): Promise<{ added: number; kept: number }>;
  /** Returns a copy of a debate's configuration with its participants' ratings, unless it has ratings. */
  static prepare(config: Config): Promise<Config>;
  /** Returns pending deliveries, most urgent first. A delivery is due if `next_at` is not in the future. */
  static outbox(): Promise<Delivery[]>;
  /** Queues the delivery of a debate's result; each target once. It is retried for a day. */
  static queue(session: string, target: Target): Promise<Delivery>;
  /**
   * Claims a delivery. Returns null if it is not due, delivered, expired, or claimed elsewhere. Report the result by `done` or `failed`; without
   * a report, for example after a crash, it can be claimed again.
   */
  static take(id: string): Promise<Delivery | null>;
  static done(id: string): Promise<void>;
  /** Reports a failure. Retried after 30 s, 2 min, 8 min, … */
  static failed(id: string, why?: string): Promise<void>;
}

/** Error codes. */
export type LabErrorCode = "config" | "form" | "input" | "conflict" | "locked" | "exists" | "unknown" | "differs" | "altered" | "engine" | "stopped" | "waiting" | "closed"
  | "storage" | "quota" | "import" | "export" | "missing_constraint" | "provider" | "init"
  /** The engine failed: message and place of the failure. It stays out of use until the page is loaded anew. */
  | "internal";
/** The one error class. */
export class LabError extends Error {
  constructor(code: LabErrorCode, message: string, detail?: unknown);
  readonly code: LabErrorCode;
  readonly detail: unknown;
  /** Whether a retry may succeed. */
  readonly retryable: boolean;
}
/** `detail` of a `LabError` with code `config`. */
export type ConfigFault = { path: string; code: string; message: string };

/** Readers of answers in words. They return what is asserted and never guess. */
export const parse: {
  principle(text: string, language?: Language): Reading<1 | 2 | 3 | 4>;
  agreement(text: string, language?: Language): Reading<boolean>;
  amount(text: string, language?: Language): Reading<number>;
  ranking(text: string, language?: Language): Reading<{ order: number[]; certainty: Certainty | null }>;
  choice(text: string, language?: Language): Reading<{ principle: number; amount: number | null; certainty: Certainty | null }>;
  /** A vote for one of `choices` (names); `choice` is null for an abstention. */
  vote(text: string, language: Language, choices: string[]): Reading<{ choice: string | null; confidence: number | null; continue: boolean | null; reasoning: string }>;
  /** A critique: at most five issues and suggestions, severity 0 to 10. */
  critique(text: string, language?: Language): Reading<Critique>;
};
/** Rules of the experiment, for programs. */
export const justice: {
  /** Returns the index (0-based) of the distribution that a principle picks. Throws `LabError` code `missing_constraint`. */
  apply(choice: { principle: number; amount?: number | null }, distributions: number[][], probabilities?: number[] | null): { index: number; constraint_met: boolean };
};
/** Measures of debates, for programs. */
export const debate: {
  /** Returns the similarity of two texts, 0 to 1, by shared words, as proposals are compared. */
  similarity(a: string, b: string): { value: number; measure: "tfidf" | "jaccard" };
  /** Returns the rhetorical patterns in a text, each at most once, with the first matching sentence. */
  rhetoric(text: string, language?: Language): { pattern: Pattern; confidence: number; excerpt: string }[];
};
/** Checks a configuration of any procedure. Returns all faults with their paths and warnings for keys without effect, in a language. */
export function check(config: unknown, language?: Language): { faults: ConfigFault[]; warnings: ConfigFault[] };
/** Returns the outcome of a run in a sentence, from its result or the `outcome` of its summary. Default language: English. */
export function outcomeText(protocol: string, result: unknown, language?: string): string;
/** A fault of a study. With `cell` its path is one of the configuration of that cell, else one of the study file. */
export type StudyFault = ConfigFault & { cell?: string };
/** A cell of a study: a combination of levels, named in the order of the factors, and the configuration of its runs without seed. */
export interface StudyCell { name: string; levels: Record<string, string>; config: Config }
/** A run of a study. */
export interface StudyRun { id: string; cell: string; repetition: number; config: Config }
/** All runs of a study in their order. `id`: registration id, of all that decides runs but their number. */
export interface StudyPlan { id: string; cells: StudyCell[]; runs: StudyRun[] }
/** Forecast of a study: sums over all runs, and the forecast of one run of each cell. `minutes`: if runs follow each other. */
export interface StudyForecast extends Omit<Forecast, "date" | "rehearsals" | "seats" | "assumptions"> {
  runs: number; cells: { name: string; runs: number; forecast: Forecast }[];
}
/** Studies: all runs of an experiment from one file, given as an object (read YAML with a library). */
export const study: {
  /** Returns all faults and warnings of a study and of the configuration of each cell, in a language. */
  check(file: unknown, language?: Language): { faults: StudyFault[]; warnings: StudyFault[] };
  /** Returns the plan, the same for the same file everywhere. Throws `LabError` code `config` (`detail` is `StudyFault[]`). */
  plan(file: StudyFile): StudyPlan;
  /** Returns the configuration of a table of people, by its id and the `agents` of the configuration in its record; null if the plan has no such
   * table. A second table of a run, held after a void one, has `.2` behind the id. */
  table(file: StudyFile, id: string, agents: unknown): Config | null;
  /** Returns a forecast. Cells without prices get those of `prices()`. Throws `LabError` code `config` (`detail` is `StudyFault[]`). */
  forecast(file: StudyFile): StudyForecast;
};
/** Returns ready-made configurations of all procedures. Each runs without a key. */
/** `class`: for a class; its seats are people's, and it fits a lesson. */
export function presets(): { id: string; class?: true; config: Config }[];
/** Returns all prompts and texts of the procedures that a configuration can replace, with their variables and built-in wordings. */
export function prompts(language: Language): { protocol: Protocol; key: string; variables: string[]; text: string }[];
/** An endpoint: at least one of `provider` and `baseUrl`. The key is sent to that address only. */
export interface Endpoint { provider?: ProviderId; baseUrl?: string; key?: string }
/** A model of a provider. `context` is its context length in tokens, if reported. */
export interface Model { id: string; name?: string; context?: number }
/** Lists the models of a provider. Throws `LabError` code `provider` (`detail` is a `Failure`) or `input`. */
export function listModels(endpoint: Endpoint): Promise<Model[]>;
/** Result of a connection test. */
export interface ConnectionTest {
  ok: boolean;
  /**
   * The problem: `address` (invalid), `offline`, `blocked` (by this page's security policy), `network` (no response), `cors` (the server
   * refuses this page), `key`, `quota`, `limit` (too many calls), `model`, `timeout`, `server`, `format` (not a model endpoint), `refused`,
   * `request`.
   */
  problem?: "address" | "offline" | "blocked" | "network" | "cors" | "key" | "quota" | "limit" | "model" | "timeout"
    | "server" | "format" | "refused" | "request";
  /** One sentence for users, with the next step. */
  message: string;
}
/** Tests an endpoint by a short request to the model or, without a model, by listing models. Never throws because of a provider. */
export function testConnection(endpoint: Endpoint & { model?: string }): Promise<ConnectionTest>;
/** Returns the package's name and version. */
export function version(): string;
