//! The experiment as rows for statistics: outcome, participants, decisions and statements.

use super::asks;
use super::event::{AppliedRound, BallotVote, Event, Moment, Payout, Validation, VoteStatus};
use crate::principle::{Certainty, Principle, Ranking};
use crate::procedures::report::{
    About, CONSENSUS, Cell, Column, ColumnKind, DECISION, DecisionColumns, PlacedEvent, ROLE, ROUNDS,
    ReportRows, ReportSource, Rows, UTTERANCE, UtteranceColumns, WARNINGS, YES,
};
use crate::reading::How;
use serde_json::{Value, json};
use std::collections::BTreeMap;

const PRINCIPLES: &str = "maximizing_floor maximizing_average maximizing_average_floor_constraint \
                          maximizing_average_range_constraint";
const CERTAINTIES: &str = "very_unsure unsure no_opinion sure very_sure";
const CLASSES: &str = "high medium_high medium medium_low low";

const fn principle(name: &'static str, meaning: &'static str) -> About {
    About::new(name, ColumnKind::Text, meaning).values(PRINCIPLES)
}

const fn dollars(name: &'static str, meaning: &'static str) -> About {
    About::new(name, ColumnKind::Number, meaning).unit("US dollars")
}

const fn income(name: &'static str, meaning: &'static str) -> About {
    About::new(name, ColumnKind::Integer, meaning).unit("dollars of income a year")
}

const fn count(name: &'static str, meaning: &'static str) -> About {
    About::new(name, ColumnKind::Integer, meaning)
}

/// Columns of a run.
#[derive(Default)]
struct RunColumns {
    result: Value,
    ballots: usize,
    votes_wanted: usize,
    drawn: Option<(f64, Option<u8>, Option<String>, Value)>,
    payoffs: Vec<f64>,
    warnings: usize,
}

const RUN: &[Column<RunColumns>] = &[
    CONSENSUS.from(|row| (&row.result["consensus_reached"]).into()),
    principle("chosen_principle", "principle that the group agreed on")
        .from(|row| (&row.result["chosen_principle"]).into()),
    income("chosen_amount", "constraint that the group agreed on")
        .from(|row| (&row.result["constraint_amount"]).into()),
    ROUNDS.from(|row| (&row.result["rounds_completed"]).into()),
    count("votes_wanted", "times that somebody asked for a vote").from(|row| row.votes_wanted.into()),
    count("ballots_held", "secret ballots that were counted").from(|row| row.ballots.into()),
    About::new(
        "multiplier",
        ColumnKind::Number,
        "factor of the distributions of phase 2",
    )
    .from(|row| row.drawn.as_ref().map(|drawn| drawn.0).into()),
    About::new(
        "phase2_distributions",
        ColumnKind::Json,
        "the four distributions of phase 2, incomes high to low",
    )
    .from(|row| {
        row.drawn
            .as_ref()
            .map_or(Cell::Missing, |drawn| (&drawn.3).into())
    }),
    count(
        "phase2_distribution",
        "the one that was applied to all, 1 to 4; empty where each got its own",
    )
    .from(|row| row.drawn.as_ref().and_then(|drawn| drawn.1).into()),
    About::new(
        "no_consensus_rule",
        ColumnKind::Text,
        "how incomes were assigned without agreement",
    )
    .values("individual_distribution group_distribution random_principle")
    .from(|row| row.drawn.as_ref().and_then(|drawn| drawn.2.clone()).into()),
    dollars("mean_payoff_phase2", "mean payoff of phase 2").from(|row| {
        (!row.payoffs.is_empty())
            .then(|| row.payoffs.iter().sum::<f64>() / row.payoffs.len() as f64)
            .into()
    }),
    dollars("least_payoff_phase2", "least payoff of phase 2")
        .from(|row| row.payoffs.iter().copied().reduce(f64::min).into()),
    WARNINGS.from(|row| row.warnings.into()),
];

/// Columns of a participant.
#[derive(Default)]
struct SeatColumns {
    name: String,
    target: Option<Principle>,
    is_manipulator: bool,
    rankings: [Option<Ranked>; 4],
    /// Outcomes of the application rounds, each with the reason for a missing choice.
    choices: [Option<(AppliedRound, Option<String>)>; 4],
    votes_wanted: usize,
    votes_declined: usize,
    votes_unread: usize,
    taken_part: usize,
    not_taken_part: usize,
    part_unread: usize,
    ballots: usize,
    ballots_missing: usize,
    ballot: Option<BallotVote>,
    statements: usize,
    characters: usize,
    skipped: usize,
    bank: Option<f64>,
    paid: Option<Payout>,
}

#[derive(Clone)]
struct Ranked {
    ranking: Option<Ranking>,
    missing: Option<String>,
}

impl SeatColumns {
    fn ranking(&self, moment: Moment) -> Option<&Ranking> {
        self.rankings[moment as usize].as_ref()?.ranking.as_ref()
    }

    fn counterfactuals(&self) -> Option<&BTreeMap<String, f64>> {
        Some(&self.paid.as_ref()?.counterfactuals)
    }

    fn choice(&self, round: usize) -> Option<&AppliedRound> {
        self.choices[round - 1].as_ref().map(|(choice, _)| choice)
    }
}

fn rank(ranking: Option<&Ranking>, principle: Principle) -> Cell {
    let place = ranking.and_then(|ranking| ranking.order.iter().position(|one| *one == principle));
    place.map(|place| place + 1).into()
}

fn id(principle: Option<Principle>) -> Cell {
    principle.map(Principle::id).into()
}

fn certainty_cell(certainty: Option<Certainty>) -> Cell {
    certainty.map(Certainty::id).into()
}

fn of_principle(amounts: Option<&BTreeMap<String, f64>>, principle: Principle) -> Cell {
    amounts
        .and_then(|amounts| amounts.get(principle.id()).copied())
        .into()
}

/// Builds names and descriptions of columns for a moment.
macro_rules! moment {
    ($name:literal, $when:literal, $moment:expr) => {
        [
            count(
                concat!("rank_", $name, "_floor"),
                concat!("place of maximizing_floor ", $when, ", 1 the best"),
            )
            .from(|row: &SeatColumns| rank(row.ranking($moment), Principle::Floor)),
            count(
                concat!("rank_", $name, "_average"),
                concat!("place of maximizing_average ", $when),
            )
            .from(|row: &SeatColumns| rank(row.ranking($moment), Principle::Average)),
            count(
                concat!("rank_", $name, "_floor_constraint"),
                concat!("place of maximizing_average_floor_constraint ", $when),
            )
            .from(|row: &SeatColumns| rank(row.ranking($moment), Principle::FloorConstraint)),
            count(
                concat!("rank_", $name, "_range_constraint"),
                concat!("place of maximizing_average_range_constraint ", $when),
            )
            .from(|row: &SeatColumns| rank(row.ranking($moment), Principle::RangeConstraint)),
            About::new(
                concat!("certainty_", $name),
                ColumnKind::Text,
                concat!("how sure of the ranking ", $when),
            )
            .values(CERTAINTIES)
            .from(|row: &SeatColumns| {
                certainty_cell(row.ranking($moment).and_then(|ranking| ranking.certainty))
            }),
            About::new(
                concat!("missing_", $name),
                ColumnKind::Text,
                concat!("why there is no ranking ", $when),
            )
            .from(|row: &SeatColumns| {
                let ranked = row.rankings[$moment as usize].as_ref();
                ranked.and_then(|ranked| ranked.missing.clone()).into()
            }),
        ]
    };
}

macro_rules! application {
    ($round:literal) => {
        [
            principle(
                concat!("choice_", $round, "_principle"),
                concat!("choice in application round ", $round),
            )
            .from(|row: &SeatColumns| id(row.choice($round).and_then(|choice| choice.principle))),
            income(
                concat!("choice_", $round, "_amount"),
                concat!("constraint in application round ", $round),
            )
            .from(|row: &SeatColumns| row.choice($round).and_then(|choice| choice.amount).into()),
            About::new(
                concat!("choice_", $round, "_class"),
                ColumnKind::Text,
                concat!("class in application round ", $round),
            )
            .values(CLASSES)
            .from(|row: &SeatColumns| row.choice($round).and_then(|choice| choice.class.clone()).into()),
            income(
                concat!("choice_", $round, "_income"),
                concat!("income in application round ", $round),
            )
            .from(|row: &SeatColumns| row.choice($round).and_then(|choice| choice.income).into()),
            dollars(
                concat!("choice_", $round, "_payoff"),
                concat!("payoff of application round ", $round),
            )
            .from(|row: &SeatColumns| row.choice($round).map(|choice| choice.payoff).into()),
            About::new(
                concat!("choice_", $round, "_missing"),
                ColumnKind::Text,
                concat!("why there is no choice in application round ", $round),
            )
            .from(|row: &SeatColumns| {
                let choice = row.choices[$round - 1].as_ref();
                choice.and_then(|(_, missing)| missing.clone()).into()
            }),
        ]
    };
}

macro_rules! same_class {
    ($prefix:literal, $meaning:literal, $row:ty, $amounts:expr) => {
        [
            dollars(concat!($prefix, "_floor"), concat!($meaning, " maximizing_floor"))
                .from(|row: &$row| of_principle($amounts(row), Principle::Floor)),
            dollars(
                concat!($prefix, "_average"),
                concat!($meaning, " maximizing_average"),
            )
            .from(|row: &$row| of_principle($amounts(row), Principle::Average)),
            dollars(
                concat!($prefix, "_floor_constraint"),
                concat!($meaning, " maximizing_average_floor_constraint"),
            )
            .from(|row: &$row| of_principle($amounts(row), Principle::FloorConstraint)),
            dollars(
                concat!($prefix, "_range_constraint"),
                concat!($meaning, " maximizing_average_range_constraint"),
            )
            .from(|row: &$row| of_principle($amounts(row), Principle::RangeConstraint)),
        ]
    };
}

const SEAT: &[Column<SeatColumns>] = &[
    ROLE.from(|row| {
        let role = if row.is_manipulator {
            "manipulator"
        } else {
            "participant"
        };
        role.into()
    }),
    principle("target_principle", "what a manipulator was to bring about").from(|row| id(row.target)),
];
const INITIAL_RANKING: &[Column<SeatColumns>] = &moment!("initial", "at the very start", Moment::Initial);
const POST_EXPLANATION_RANKING: &[Column<SeatColumns>] =
    &moment!("explained", "after the worked examples", Moment::PostExplanation);
const POST_APPLICATION_RANKING: &[Column<SeatColumns>] = &moment!(
    "applied",
    "after the application rounds",
    Moment::AfterApplications
);
const CHOICE_1: &[Column<SeatColumns>] = &application!(1);
const CHOICE_2: &[Column<SeatColumns>] = &application!(2);
const CHOICE_3: &[Column<SeatColumns>] = &application!(3);
const CHOICE_4: &[Column<SeatColumns>] = &application!(4);
const GROUP: &[Column<SeatColumns>] = &[
    dollars("payoff_phase1", "earned in the application rounds").from(|row| row.bank.into()),
    count("statements", "statements that were made").from(|row| row.statements.into()),
    count("statement_characters", "their length together")
        .unit("Unicode scalar values")
        .from(|row| row.characters.into()),
    count("statements_skipped", "times that nothing was said").from(|row| row.skipped.into()),
    count("votes_wanted", "times that the participant asked for a vote").from(|row| row.votes_wanted.into()),
    count("votes_declined", "times that the participant wanted none yet")
        .from(|row| row.votes_declined.into()),
    count(
        "votes_unread",
        "times that the answer to that could not be read or did not come; counted as no",
    )
    .from(|row| row.votes_unread.into()),
    count(
        "confirmations_yes",
        "times that the participant agreed to take part in a vote",
    )
    .from(|row| row.taken_part.into()),
    count("confirmations_no", "times that the participant did not").from(|row| row.not_taken_part.into()),
    count(
        "confirmations_unread",
        "times that the answer to that could not be read or did not come; counted as no",
    )
    .from(|row| row.part_unread.into()),
    count("ballots", "secret ballots that the participant was asked for").from(|row| row.ballots.into()),
    count(
        "ballots_missing",
        "those that could not be read or did not come; they are no abstentions",
    )
    .from(|row| row.ballots_missing.into()),
    principle("last_ballot_principle", "vote in the last secret ballot")
        .from(|row| id(row.ballot.as_ref().and_then(|vote| vote.principle))),
    income("last_ballot_amount", "amount in the last secret ballot")
        .from(|row| row.ballot.as_ref().and_then(|vote| vote.amount).into()),
    About::new(
        "last_ballot_status",
        ColumnKind::Text,
        "whether the last secret ballot counts",
    )
    .values("valid invalid timeout")
    .from(|row| row.ballot.as_ref().map(|vote| status(vote.status)).into()),
    count("phase2_distribution", "distribution of phase 2, 1 to 4")
        .from(|row| row.paid.as_ref().map(|paid| paid.distribution).into()),
    About::new("phase2_class", ColumnKind::Text, "class drawn in phase 2")
        .values(CLASSES)
        .from(|row| row.paid.as_ref().map(|paid| paid.class.clone()).into()),
    income("phase2_income", "income of phase 2").from(|row| row.paid.as_ref().map(|paid| paid.income).into()),
    dollars("payoff_phase2", "payoff of phase 2")
        .from(|row| row.paid.as_ref().map(|paid| paid.payoff).into()),
    dollars("payoff_total", "earned in all").from(|row| row.paid.as_ref().map(|paid| paid.bank).into()),
];
const COUNTERFACTUALS: &[Column<SeatColumns>] = &same_class!(
    "counterfactual",
    "what phase 2 would have paid in the same class by",
    SeatColumns,
    SeatColumns::counterfactuals
);
const FINAL_RANKING: &[Column<SeatColumns>] =
    &moment!("results", "after the results of the group", Moment::AfterResults);

fn status(status: VoteStatus) -> &'static str {
    match status {
        VoteStatus::Valid => "valid",
        VoteStatus::Invalid => "invalid",
        VoteStatus::Timeout => "timeout",
    }
}

/// Columns of a decision.
#[derive(Default)]
struct DecisionRow {
    moment: Option<Moment>,
    ranking: Option<Ranking>,
    choice: AppliedRound,
    yes: Option<bool>,
    status: Option<VoteStatus>,
    is_application: bool,
}

impl DecisionRow {
    fn applied(&self) -> Option<&AppliedRound> {
        Some(&self.choice).filter(|_| self.is_application)
    }

    fn paid(&self) -> Option<&BTreeMap<String, f64>> {
        Some(&self.choice.same_class)
    }
}

const DECISION_DETAILS: &[Column<DecisionRow>] = &[
    About::new("moment", ColumnKind::Text, "when a ranking was asked for")
        .values("initial explained applied results")
        .from(|row| row.moment.map(moment).into()),
    count("rank_floor", "place of maximizing_floor in a ranking, 1 the best")
        .from(|row| rank(row.ranking.as_ref(), Principle::Floor)),
    count("rank_average", "place of maximizing_average")
        .from(|row| rank(row.ranking.as_ref(), Principle::Average)),
    count(
        "rank_floor_constraint",
        "place of maximizing_average_floor_constraint",
    )
    .from(|row| rank(row.ranking.as_ref(), Principle::FloorConstraint)),
    count(
        "rank_range_constraint",
        "place of maximizing_average_range_constraint",
    )
    .from(|row| rank(row.ranking.as_ref(), Principle::RangeConstraint)),
    principle("principle", "principle chosen or voted for").from(|row| id(row.choice.principle)),
    income("amount", "its constraint").from(|row| row.choice.amount.into()),
    About::new("certainty", ColumnKind::Text, "how sure, where it was said")
        .values(CERTAINTIES)
        .from(|row| certainty_cell(row.choice.certainty)),
    YES.from(|row| row.yes.into()),
    About::new(
        "ballot_status",
        ColumnKind::Text,
        "whether a secret ballot counts",
    )
    .values("valid invalid timeout")
    .from(|row| row.status.map(status).into()),
    About::new(
        "situation",
        ColumnKind::Text,
        "original-values situation of an application round",
    )
    .values("A B C D")
    .from(|row| row.choice.situation.clone().into()),
    About::new(
        "multiplier",
        ColumnKind::Number,
        "factor of the distributions of an application round",
    )
    .from(|row| row.choice.multiplier.into()),
    About::new(
        "distributions",
        ColumnKind::Json,
        "the four distributions of an application round, incomes high to low",
    )
    .from(|row| {
        row.applied()
            .map(|choice| json!(choice.distributions).to_string())
            .into()
    }),
    About::new(
        "probabilities",
        ColumnKind::Json,
        "probabilities of the classes, high to low; empty: equal",
    )
    .from(|row| (&json!(row.choice.probabilities)).into()),
    About::new(
        "constraint_met",
        ColumnKind::Flag,
        "whether a distribution met the constraint",
    )
    .from(|row| row.choice.constraint_met.into()),
    count(
        "distribution",
        "distribution that follows from the choice, 1 to 4",
    )
    .from(|row| row.choice.distribution.into()),
    About::new("class", ColumnKind::Text, "class drawn")
        .values(CLASSES)
        .from(|row| row.choice.class.clone().into()),
    income("income", "income of the class").from(|row| row.choice.income.into()),
    dollars("payoff", "payoff; 0 without a choice")
        .from(|row| row.applied().map(|choice| choice.payoff).into()),
    dollars("bank", "earned so far, this round included")
        .from(|row| row.applied().map(|choice| choice.bank).into()),
    About::new(
        "alternatives",
        ColumnKind::Json,
        "what distributions 1 to 4 paid with a class drawn anew",
    )
    .from(|row| {
        let alternatives = &row.choice.alternatives;
        (!alternatives.is_empty())
            .then(|| json!(alternatives).to_string())
            .into()
    }),
];
const DECISION_COUNTERFACTUALS: &[Column<DecisionRow>] = &same_class!(
    "same_class",
    "what the round would have paid in the same class by",
    DecisionRow,
    DecisionRow::paid
);

fn moment(moment: Moment) -> &'static str {
    match moment {
        Moment::Initial => "initial",
        Moment::PostExplanation => "explained",
        Moment::AfterApplications => "applied",
        Moment::AfterResults => "results",
    }
}

/// Columns of a statement, beside its text.
#[derive(Default)]
struct Statement {
    validation: Option<Validation>,
    favored: Option<Principle>,
    favored_amount: Option<u32>,
    favored_how: &'static str,
    notice: String,
}

const STATEMENT: &[Column<Statement>] = &[
    About::new(
        "validation",
        ColumnKind::Text,
        "whether a statement was long enough",
    )
    .values("valid best_effort skipped")
    .from(|row| {
        row.validation
            .map(|validation| match validation {
                Validation::Valid => "valid",
                Validation::BestEffort => "best_effort",
                Validation::Skipped => "skipped",
            })
            .into()
    }),
    principle(
        "favored_principle",
        "principle that the speaker names as favoured, or that the words favour, where one can be made out",
    )
    .from(|row| id(row.favored)),
    income("favored_amount", "amount that the speaker names for it").from(|row| row.favored_amount.into()),
    About::new(
        "favored_how",
        ColumnKind::Text,
        "how it came: filled in, by the schema or the last line that were asked for, by the reading model, or read in the words",
    )
    .values("form schema line model text")
    .from(|row| row.favored_how.into()),
    About::new("notice", ColumnKind::Text, "what the lab announced")
        .values("countdown confirmations consensus no_consensus statement_unavailable")
        .from(|row| row.notice.as_str().into()),
];

pub(in crate::procedures) fn report(source: &ReportSource) -> ReportRows {
    let seated = source.seated();
    let mut sheet = Sheet {
        source,
        run: RunColumns {
            result: source.result(),
            ..RunColumns::default()
        },
        members: seated
            .iter()
            .map(|name| SeatColumns {
                name: name.clone(),
                is_manipulator: source.head.config["manipulator"]["name"] == name.as_str(),
                ..SeatColumns::default()
            })
            .collect(),
        decisions: Vec::new(),
        decision_rows: Vec::new(),
        utterances: Vec::new(),
        statements: Vec::new(),
    };
    for happened in source.events::<Event>() {
        sheet.take(&happened);
    }
    let members = &sheet.members;
    let seats = [
        INITIAL_RANKING,
        POST_EXPLANATION_RANKING,
        CHOICE_1,
        CHOICE_2,
        CHOICE_3,
        CHOICE_4,
        POST_APPLICATION_RANKING,
        GROUP,
        COUNTERFACTUALS,
        FINAL_RANKING,
    ];
    ReportRows {
        run: Rows::of(RUN, &[sheet.run]),
        seats: seats.into_iter().fold(Rows::of(SEAT, members), |rows, columns| {
            rows.beside(Rows::of(columns, members))
        }),
        seated,
        decisions: Rows::of(DECISION, &sheet.decisions)
            .beside(Rows::of(DECISION_DETAILS, &sheet.decision_rows))
            .beside(Rows::of(DECISION_COUNTERFACTUALS, &sheet.decision_rows)),
        utterances: Rows::of(UTTERANCE, &sheet.utterances).beside(Rows::of(STATEMENT, &sheet.statements)),
    }
}

struct Sheet<'a> {
    source: &'a ReportSource<'a>,
    run: RunColumns,
    members: Vec<SeatColumns>,
    decisions: Vec<DecisionColumns>,
    decision_rows: Vec<DecisionRow>,
    utterances: Vec<UtteranceColumns>,
    statements: Vec<Statement>,
}

impl Sheet<'_> {
    fn member(&mut self, name: &str) -> Option<&mut SeatColumns> {
        self.members.iter_mut().find(|member| member.name == name)
    }

    /// Adds a decision and returns the reason if it is missing.
    fn add_decision(
        &mut self,
        kind: &'static str,
        ask: &str,
        seat: &str,
        place: (u8, Option<u32>),
        at: &PlacedEvent<Event>,
        decided: Option<DecisionRow>,
    ) -> Option<String> {
        let asked = self.source.asks.last(seat, ask, place.1, at.seq);
        let decision = self
            .source
            .decision(kind, seat, place, at, asked, decided.is_some());
        let missing = decision.missing().map(str::to_owned);
        self.decisions.push(decision);
        self.decision_rows.push(decided.unwrap_or_default());
        missing
    }

    fn add_utterance(
        &mut self,
        kind: &'static str,
        ask: &str,
        seat: &str,
        round: u32,
        text: &str,
        at: &PlacedEvent<Event>,
    ) {
        let asked = self.source.asks.last(seat, ask, Some(round), at.seq);
        self.utterances.push(UtteranceColumns {
            ask: asked.map(|asked| asked.ask.id.clone()),
            missing: (text.is_empty() && !seat.is_empty())
                .then(|| asked.map_or("not_asked".to_owned(), crate::core::ask_log::AskLog::missing)),
            ..self.source.utterance(kind, seat, round, text, at)
        });
        self.statements.push(Statement::default());
    }

    fn take(&mut self, at: &PlacedEvent<Event>) {
        match &at.event {
            Event::TargetSet { seat, target, .. } => {
                let target = *target;
                if let Some(member) = self.member(seat) {
                    member.is_manipulator = true;
                    member.target = target;
                }
            }
            Event::Ranked {
                seat,
                moment,
                ranking,
            } => {
                let (phase, ask) = match moment {
                    Moment::Initial => (1, asks::INITIAL_RANKING),
                    Moment::PostExplanation => (1, asks::POST_EXPLANATION_RANKING),
                    Moment::AfterApplications => (1, asks::FINAL_RANKING),
                    Moment::AfterResults => (2, asks::RESULTS_RANKING),
                };
                let decided = DecisionRow {
                    moment: Some(*moment),
                    choice: AppliedRound {
                        certainty: ranking.as_ref().and_then(|ranking| ranking.certainty),
                        ..AppliedRound::default()
                    },
                    ranking: ranking.clone(),
                    ..DecisionRow::default()
                };
                let has = ranking.is_some();
                let missing =
                    self.add_decision("ranking", ask, seat, (phase, None), at, has.then_some(decided));
                if !has && let Some(last) = self.decision_rows.last_mut() {
                    last.moment = Some(*moment);
                }
                if let Some(member) = self.member(seat) {
                    member.rankings[*moment as usize] = Some(Ranked {
                        ranking: ranking.clone(),
                        missing,
                    });
                }
            }
            Event::Applied(applied) => self.apply(applied, at),
            Event::Initiation { round, seat, answer } => {
                self.yes(
                    "vote_initiation",
                    asks::VOTE_INITIATION,
                    seat,
                    *round,
                    at,
                    *answer,
                );
                self.run.votes_wanted += usize::from(*answer == Some(true));
                if let Some(member) = self.member(seat) {
                    match answer {
                        Some(true) => member.votes_wanted += 1,
                        Some(false) => member.votes_declined += 1,
                        None => member.votes_unread += 1,
                    }
                }
            }
            Event::Confirmed { round, seat, answer } => {
                self.yes(
                    "vote_confirmation",
                    asks::VOTE_CONFIRMATION,
                    seat,
                    *round,
                    at,
                    *answer,
                );
                if let Some(member) = self.member(seat) {
                    match answer {
                        Some(true) => member.taken_part += 1,
                        Some(false) => member.not_taken_part += 1,
                        None => member.part_unread += 1,
                    }
                }
            }
            Event::Voted { round, vote } => self.vote(vote, *round, at),
            Event::Counted { .. } => self.run.ballots += 1,
            Event::Reasoned { seat, round, text } => {
                self.add_utterance("reasoning", asks::INTERNAL_REASONING, seat, *round, text, at);
            }
            Event::Spoke {
                seat,
                round,
                text,
                validation,
                ..
            } => {
                self.add_utterance("statement", asks::STATEMENT, seat, *round, text, at);
                if let Some(last) = self.statements.last_mut() {
                    last.validation = Some(*validation);
                }
                let characters = text.chars().count();
                if let Some(member) = self.member(seat) {
                    if *validation == Validation::Skipped {
                        member.skipped += 1;
                    } else {
                        member.statements += 1;
                        member.characters += characters;
                    }
                }
            }
            Event::Favored {
                seat,
                round,
                principle,
                amount,
                how,
            } => {
                let mut utterances = self.utterances.iter_mut().zip(&mut self.statements).rev();
                if let Some((_, statement)) = utterances.find(|(utterance, _)| {
                    utterance.kind == "statement"
                        && utterance.seat == *seat
                        && utterance.round == Some(*round)
                }) {
                    statement.favored = Some(*principle);
                    statement.favored_amount = *amount;
                    statement.favored_how = how.map_or("text", How::name);
                }
            }
            Event::Announced { round, notice, text } => {
                self.add_utterance("announcement", "", "", *round, text, at);
                if let Some(last) = self.statements.last_mut() {
                    last.notice.clone_from(notice);
                }
            }
            Event::Paid(paid) => {
                self.run.payoffs.push(paid.payoff);
                if let Some(member) = self.member(&paid.seat) {
                    member.paid = Some(paid.clone());
                }
            }
            Event::Drawn {
                multiplier,
                distributions,
                distribution,
                no_consensus,
                ..
            } => {
                self.run.drawn = Some((
                    *multiplier,
                    *distribution,
                    no_consensus.clone(),
                    json!(distributions),
                ));
            }
            Event::Warned { .. } => self.run.warnings += 1,
            Event::Targeted { .. }
            | Event::VoteStarted { .. }
            | Event::Confirmation { .. }
            | Event::StepBegan { .. }
            | Event::Remembered { .. }
            | Event::Ordered { .. }
            | Event::Trimmed { .. } => {}
        }
    }

    fn yes(
        &mut self,
        kind: &'static str,
        ask: &str,
        seat: &str,
        round: u32,
        at: &PlacedEvent<Event>,
        yes: Option<bool>,
    ) {
        let decided = yes.map(|yes| DecisionRow {
            yes: Some(yes),
            ..DecisionRow::default()
        });
        self.add_decision(kind, ask, seat, (2, Some(round)), at, decided);
    }

    fn vote(&mut self, vote: &BallotVote, round: u32, at: &PlacedEvent<Event>) {
        let is_valid = vote.status == VoteStatus::Valid;
        let decided = is_valid.then(|| DecisionRow {
            choice: AppliedRound {
                principle: vote.principle,
                amount: vote.amount,
                ..AppliedRound::default()
            },
            ..DecisionRow::default()
        });
        // The unreadable answer may be the amount, which is asked for after the principle.
        let asks = self.source.asks;
        let amount = asks.last(&vote.seat, asks::BALLOT_AMOUNT, Some(round), at.seq);
        let ask = match vote.principle {
            Some(principle) if principle.needs_amount() && amount.is_some() => asks::BALLOT_AMOUNT,
            _ => asks::BALLOT_PRINCIPLE,
        };
        self.add_decision("ballot", ask, &vote.seat, (2, Some(round)), at, decided);
        if let Some(last) = self.decision_rows.last_mut() {
            last.choice.principle = vote.principle;
            last.choice.amount = vote.amount;
            last.status = Some(vote.status);
        }
        if let Some(member) = self.member(&vote.seat) {
            member.ballots += 1;
            member.ballots_missing += usize::from(!is_valid);
            member.ballot = Some(vote.clone());
        }
    }

    fn apply(&mut self, applied: &AppliedRound, at: &PlacedEvent<Event>) {
        let (seat, number) = (&applied.seat, applied.round);
        let asks = self.source.asks;
        let place = (1, Some(number));
        let of = |kind| asks.last(seat, kind, Some(number), at.seq);
        let ask = match (of(asks::APPLICATION), of(asks::CONSTRAINT_RETRY)) {
            (Some(choice), Some(amount)) if amount.seq > choice.seq => asks::CONSTRAINT_RETRY,
            _ => asks::APPLICATION,
        };
        let has = applied.principle.is_some();
        let missing = self.add_decision(
            "application",
            ask,
            seat,
            place,
            at,
            has.then(DecisionRow::default),
        );
        if let Some(last) = self.decision_rows.last_mut() {
            last.choice = applied.clone();
            last.is_application = true;
        }
        let at = usize::try_from(number).unwrap_or_default().wrapping_sub(1);
        if let Some(member) = self.member(seat) {
            member.bank = Some(applied.bank);
            if let Some(place) = member.choices.get_mut(at) {
                *place = Some((applied.clone(), missing));
            }
        }
    }
}
