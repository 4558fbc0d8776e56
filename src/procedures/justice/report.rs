//! The experiment as rows for statistics: outcome, participants, decisions and statements. A decision or statement is the
//! event that recorded it.

use super::asks;
use super::event::{AppliedRound, BallotVote, Event, Moment, Payout, Validation, VoteStatus};
use crate::core::data::variant_name;
use crate::principle::{Certainty, Principle, Ranking};
use crate::procedures::report::{
    self, About, CHARACTERS, CONSENSUS, Cell, Column, PlacedEvent, ROLE, ROUNDS, ReportRows, ReportSource,
    Rows, WARNINGS, YES, columns, count, decisions, flag, mean, number, text, utterances,
};
use crate::reading::How;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;

type Decision<'a> = report::Decision<'a, &'a Event>;
type Utterance<'a> = report::Utterance<'a, Words<'a>>;

const PRINCIPLES: &str = "maximizing_floor maximizing_average maximizing_average_floor_constraint \
                          maximizing_average_range_constraint";
const CERTAINTIES: &str = "very_unsure unsure no_opinion sure very_sure";
const CLASSES: &str = "high medium_high medium medium_low low";
const BALLOTS: &str = "valid invalid timeout";

const fn principle(name: &'static str, meaning: &'static str) -> About {
    text(name, meaning).values(PRINCIPLES)
}

const fn dollars(name: &'static str, meaning: &'static str) -> About {
    number(name, meaning).unit("US dollars")
}

const fn income(name: &'static str, meaning: &'static str) -> About {
    count(name, meaning).unit("dollars of income a year")
}

/// Lists a column for each principle: a description made of a start of its name and the words around the principle in its
/// meaning (those after the first principle may differ), and the cell of the principle.
macro_rules! by_principle {
    ($row:ident: $type:ty, $about:ident, $name:expr, $before:expr, $first:expr, $after:expr, |$principle:ident| $cell:expr) => {
        columns!($row: $type,
            $about(concat!($name, "_floor"), concat!($before, "maximizing_floor", $first))
                => { let $principle = Principle::Floor; $cell },
            $about(concat!($name, "_average"), concat!($before, "maximizing_average", $after))
                => { let $principle = Principle::Average; $cell },
            $about(concat!($name, "_floor_constraint"), concat!($before, "maximizing_average_floor_constraint", $after))
                => { let $principle = Principle::FloorConstraint; $cell },
            $about(concat!($name, "_range_constraint"), concat!($before, "maximizing_average_range_constraint", $after))
                => { let $principle = Principle::RangeConstraint; $cell },
        )
    };
}

/// Lists the columns of a ranking of a participant.
macro_rules! ranking {
    ($name:literal, $when:literal, $moment:expr) => {
        by_principle!(row: Seat, count, concat!("rank_", $name), "place of ", concat!(" ", $when, ", 1 the best"), concat!(" ", $when),
            |principle| rank(row.ranking($moment), principle))
        .into_iter()
        .chain(columns!(row: Seat,
            text(concat!("certainty_", $name), concat!("how sure of the ranking ", $when)).values(CERTAINTIES)
                => row.ranking($moment).and_then(|ranking| ranking.certainty),
            text(concat!("missing_", $name), concat!("why there is no ranking ", $when))
                => row.ranked($moment).and_then(|ranked| ranked.missing()),
        ))
        .collect()
    };
}

/// Lists the columns of an application round of a participant.
macro_rules! application {
    ($round:literal) => {
        columns!(row: Seat,
            principle(concat!("choice_", $round, "_principle"), concat!("choice in application round ", $round))
                => row.choice($round).and_then(|choice| choice.principle),
            income(concat!("choice_", $round, "_amount"), concat!("constraint in application round ", $round))
                => row.choice($round).and_then(|choice| choice.amount),
            text(concat!("choice_", $round, "_class"), concat!("class in application round ", $round)).values(CLASSES)
                => row.choice($round).and_then(|choice| choice.class.as_deref()),
            income(concat!("choice_", $round, "_income"), concat!("income in application round ", $round))
                => row.choice($round).and_then(|choice| choice.income),
            dollars(concat!("choice_", $round, "_payoff"), concat!("payoff of application round ", $round))
                => row.choice($round).map(|choice| choice.payoff),
            text(concat!("choice_", $round, "_missing"), concat!("why there is no choice in application round ", $round))
                => row.applied($round).and_then(|applied| applied.missing()),
        )
    };
}

struct Run<'a> {
    result: Value,
    events: &'a [PlacedEvent<'a, Event>],
}

impl<'a> Run<'a> {
    fn events(&self) -> impl DoubleEndedIterator<Item = &'a Event> {
        self.events.iter().map(|at| &at.event)
    }

    fn count(&self, is_counted: impl Fn(&Event) -> bool) -> usize {
        self.events().filter(|event| is_counted(event)).count()
    }

    fn payoffs(&self) -> Vec<f64> {
        self.events().filter_map(paid).map(|paid| paid.payoff).collect()
    }

    /// Takes a value from the distributions of phase 2.
    fn drawn<T>(&self, field: impl Fn(&'a Event) -> Option<T>) -> Option<T> {
        let drawn = self.events().rfind(|event| matches!(event, Event::Drawn { .. }));
        drawn.and_then(field)
    }
}

fn run_columns<'a>() -> Vec<Column<Run<'a>>> {
    columns!(row: Run,
        CONSENSUS => &row.result["consensus_reached"],
        principle("chosen_principle", "principle that the group agreed on") => &row.result["chosen_principle"],
        income("chosen_amount", "constraint that the group agreed on") => &row.result["constraint_amount"],
        ROUNDS => &row.result["rounds_completed"],
        count("votes_wanted", "times that somebody asked for a vote") => row.count(|event| matches!(event, Event::Initiation { answer: Some(true), .. })),
        count("ballots_held", "secret ballots that were counted") => row.count(|event| matches!(event, Event::Counted { .. })),
        number("multiplier", "factor of the distributions of phase 2")
            => row.drawn(|event| match event { Event::Drawn { multiplier, .. } => Some(*multiplier), _ => None }),
        report::json("phase2_distributions", "the four distributions of phase 2, incomes high to low")
            => row.drawn(|event| match event { Event::Drawn { distributions, .. } => Some(json_text(distributions)), _ => None }),
        count("phase2_distribution", "the one that was applied to all, 1 to 4; empty where each got its own")
            => row.drawn(|event| match event { Event::Drawn { distribution, .. } => *distribution, _ => None }),
        text("no_consensus_rule", "how incomes were assigned without agreement").values("individual_distribution group_distribution random_principle")
            => row.drawn(|event| match event { Event::Drawn { no_consensus, .. } => no_consensus.as_deref(), _ => None }),
        dollars("mean_payoff_phase2", "mean payoff of phase 2") => mean(&row.payoffs()),
        dollars("least_payoff_phase2", "least payoff of phase 2") => row.payoffs().into_iter().reduce(f64::min),
        WARNINGS => row.count(|event| matches!(event, Event::Warned { .. })),
    )
}

/// A participant with its decisions and statements.
struct Seat<'a> {
    is_manipulator: bool,
    target: Option<Principle>,
    decisions: Vec<&'a Decision<'a>>,
    statements: Vec<&'a Utterance<'a>>,
    paid: Option<&'a Payout>,
}

impl<'a> Seat<'a> {
    fn count(&self, is_counted: impl Fn(&Decision) -> bool) -> usize {
        self.decisions.iter().filter(|row| is_counted(row)).count()
    }

    /// Counts the answers to a question of yes or no.
    fn answers(&self, kind: &str, answer: Option<bool>) -> usize {
        self.count(|row| row.kind == kind && yes(row.value) == answer)
    }

    fn ranked(&self, at: Moment) -> Option<&'a Decision<'a>> {
        let is_then = |row: &&&Decision| matches!(row.value, Event::Ranked { moment, .. } if *moment == at);
        self.decisions.iter().rfind(is_then).copied()
    }

    fn ranking(&self, at: Moment) -> Option<&'a Ranking> {
        ranking(self.ranked(at)?.value)
    }

    fn applied(&self, round: u32) -> Option<&'a Decision<'a>> {
        let is_then = |row: &&&Decision| applied(row.value).is_some_and(|applied| applied.round == round);
        self.decisions.iter().rfind(is_then).copied()
    }

    fn choice(&self, round: u32) -> Option<&'a AppliedRound> {
        applied(self.applied(round)?.value)
    }

    fn last_ballot(&self) -> Option<&'a BallotVote> {
        self.decisions.iter().rev().find_map(|row| ballot(row.value))
    }

    /// Statements that were made, or skipped.
    fn statements(&self, are_made: bool) -> impl Iterator<Item = &&'a Utterance<'a>> {
        self.statements
            .iter()
            .filter(move |row| is_skipped(row) != are_made)
    }
}

fn seat_columns<'a>() -> Vec<Column<Seat<'a>>> {
    let parts: [Vec<Column<Seat>>; 11] = [
        columns!(row: Seat,
            ROLE => if row.is_manipulator { "manipulator" } else { "participant" },
            principle("target_principle", "what a manipulator was to bring about") => row.target,
        ),
        ranking!("initial", "at the very start", Moment::Initial),
        ranking!("explained", "after the worked examples", Moment::PostExplanation),
        application!(1),
        application!(2),
        application!(3),
        application!(4),
        ranking!(
            "applied",
            "after the application rounds",
            Moment::AfterApplications
        ),
        columns!(row: Seat,
            dollars("payoff_phase1", "earned in the application rounds") => row.decisions.iter().rev().find_map(|row| applied(row.value)).map(|applied| applied.bank),
            count("statements", "statements that were made") => row.statements(true).count(),
            count("statement_characters", "their length together").unit(CHARACTERS) => row.statements(true).map(|row| row.text.chars().count()).sum::<usize>(),
            count("statements_skipped", "times that nothing was said") => row.statements(false).count(),
            count("votes_wanted", "times that the participant asked for a vote") => row.answers("vote_initiation", Some(true)),
            count("votes_declined", "times that the participant wanted none yet") => row.answers("vote_initiation", Some(false)),
            count("votes_unread", "times that the answer to that could not be read or did not come; counted as no") => row.answers("vote_initiation", None),
            count("confirmations_yes", "times that the participant agreed to take part in a vote") => row.answers("vote_confirmation", Some(true)),
            count("confirmations_no", "times that the participant did not") => row.answers("vote_confirmation", Some(false)),
            count("confirmations_unread", "times that the answer to that could not be read or did not come; counted as no") => row.answers("vote_confirmation", None),
            count("ballots", "secret ballots that the participant was asked for") => row.count(|row| row.kind == "ballot"),
            count("ballots_missing", "those that could not be read or did not come; they are no abstentions") => row.count(|row| row.kind == "ballot" && !row.is_made),
            principle("last_ballot_principle", "vote in the last secret ballot") => row.last_ballot().and_then(|vote| vote.principle),
            income("last_ballot_amount", "amount in the last secret ballot") => row.last_ballot().and_then(|vote| vote.amount),
            text("last_ballot_status", "whether the last secret ballot counts").values(BALLOTS) => row.last_ballot().map(|vote| variant_name(&vote.status)),
            count("phase2_distribution", "distribution of phase 2, 1 to 4") => row.paid.map(|paid| paid.distribution),
            text("phase2_class", "class drawn in phase 2").values(CLASSES) => row.paid.map(|paid| paid.class.as_str()),
            income("phase2_income", "income of phase 2") => row.paid.map(|paid| paid.income),
            dollars("payoff_phase2", "payoff of phase 2") => row.paid.map(|paid| paid.payoff),
            dollars("payoff_total", "earned in all") => row.paid.map(|paid| paid.bank),
        ),
        by_principle!(row: Seat, dollars, "counterfactual", "what phase 2 would have paid in the same class by ", "", "",
            |principle| row.paid.and_then(|paid| amount_of(&paid.counterfactuals, principle))),
        ranking!("results", "after the results of the group", Moment::AfterResults),
    ];
    parts.into_iter().flatten().collect()
}

fn decision_columns<'a>() -> Vec<Column<Decision<'a>>> {
    let parts: [Vec<Column<Decision>>; 4] = [
        columns!(row: Decision, text("moment", "when a ranking was asked for").values("initial explained applied results") => moment(row.value)),
        by_principle!(row: Decision, count, "rank", "place of ", " in a ranking, 1 the best", "", |principle| rank(ranking(row.value), principle)),
        columns!(row: Decision,
            principle("principle", "principle chosen or voted for") => applied(row.value).map_or_else(|| ballot(row.value)?.principle, |choice| choice.principle),
            income("amount", "its constraint") => applied(row.value).map_or_else(|| ballot(row.value)?.amount, |choice| choice.amount),
            text("certainty", "how sure, where it was said").values(CERTAINTIES) => applied(row.value).map_or_else(|| ranking(row.value)?.certainty, |choice| choice.certainty),
            YES => yes(row.value),
            text("ballot_status", "whether a secret ballot counts").values(BALLOTS) => ballot(row.value).map(|vote| variant_name(&vote.status)),
            text("situation", "original-values situation of an application round").values("A B C D") => applied(row.value).and_then(|choice| choice.situation.as_deref()),
            number("multiplier", "factor of the distributions of an application round") => applied(row.value).and_then(|choice| choice.multiplier),
            report::json("distributions", "the four distributions of an application round, incomes high to low") => applied(row.value).map(|choice| json_text(&choice.distributions)),
            report::json("probabilities", "probabilities of the classes, high to low; empty: equal") => applied(row.value).and_then(|choice| choice.probabilities.as_ref().map(json_text)),
            flag("constraint_met", "whether a distribution met the constraint") => applied(row.value).and_then(|choice| choice.constraint_met),
            count("distribution", "distribution that follows from the choice, 1 to 4") => applied(row.value).and_then(|choice| choice.distribution),
            text("class", "class drawn").values(CLASSES) => applied(row.value).and_then(|choice| choice.class.as_deref()),
            income("income", "income of the class") => applied(row.value).and_then(|choice| choice.income),
            dollars("payoff", "payoff; 0 without a choice") => applied(row.value).map(|choice| choice.payoff),
            dollars("bank", "earned so far, this round included") => applied(row.value).map(|choice| choice.bank),
            report::json("alternatives", "what distributions 1 to 4 paid with a class drawn anew")
                => applied(row.value).map(|choice| &choice.alternatives).filter(|paid| !paid.is_empty()).map(json_text),
        ),
        by_principle!(row: Decision, dollars, "same_class", "what the round would have paid in the same class by ", "", "",
            |principle| applied(row.value).and_then(|choice| amount_of(&choice.same_class, principle))),
    ];
    parts.into_iter().flatten().collect()
}

/// A statement or announcement, and what the statement favours.
struct Words<'a> {
    event: &'a Event,
    favored: Option<(Principle, Option<u32>, Option<How>)>,
}

fn utterance_columns<'a>() -> Vec<Column<Utterance<'a>>> {
    columns!(row: Utterance,
        text("validation", "whether a statement was long enough").values("valid best_effort skipped")
            => match row.value.event { Event::Spoke { validation, .. } => Some(variant_name(validation)), _ => None },
        principle("favored_principle", "principle that the speaker names as favoured, or that the words favour, where one can be made out")
            => row.value.favored.map(|(principle, ..)| principle),
        income("favored_amount", "amount that the speaker names for it") => row.value.favored.and_then(|(_, amount, _)| amount),
        text("favored_how", "how it came: filled in, by the schema or the last line that were asked for, by the reading model, or read in the words")
            .values("form schema line model text") => row.value.favored.map(|(.., how)| how.map_or("text", How::name)),
        text("notice", "what the lab announced").values("countdown confirmations consensus no_consensus statement_unavailable")
            => match row.value.event { Event::Announced { notice, .. } => Some(notice.as_str()), _ => None },
    )
}

pub(in crate::procedures) fn report(source: &ReportSource) -> ReportRows {
    let events = source.events::<Event>();
    let decided: Vec<Decision> = events.iter().filter_map(|at| decision(source, at)).collect();
    let mut rows: Vec<Utterance> = Vec::new();
    for at in &events {
        if let Event::Favored {
            seat,
            round,
            principle,
            amount,
            how,
        } = &at.event
        {
            let is_it = |row: &&mut Utterance| {
                row.kind == "statement" && row.seat == seat && row.round == Some(*round)
            };
            if let Some(statement) = rows.iter_mut().rfind(is_it) {
                statement.value.favored = Some((*principle, *amount, *how));
            }
        }
        rows.extend(utterance(source, at));
    }
    let run = Run {
        result: source.result(),
        events: &events,
    };
    let seated = source.seated();
    let seat = |name: &String| {
        let target = run.events().rev().find_map(|event| match event {
            Event::TargetSet { seat, target, .. } if seat == name => Some(*target),
            _ => None,
        });
        Seat {
            is_manipulator: target.is_some() || source.head.config["manipulator"]["name"] == name.as_str(),
            target: target.flatten(),
            decisions: decided.iter().filter(|row| row.seat == name).collect(),
            statements: rows
                .iter()
                .filter(|row| row.kind == "statement" && row.seat == name)
                .collect(),
            paid: run.events().filter_map(paid).rfind(|paid| paid.seat == *name),
        }
    };
    let seats: Vec<Seat> = seated.iter().map(seat).collect();
    ReportRows {
        run: Rows::of(&run_columns(), &[run]),
        seats: Rows::of(&seat_columns(), &seats),
        seated,
        decisions: decisions(&decided, decision_columns()),
        utterances: utterances(&rows, utterance_columns()),
    }
}

fn decision<'a>(source: &ReportSource<'a>, at: &'a PlacedEvent<Event>) -> Option<Decision<'a>> {
    let (kind, seat, phase, round, ask, is_made) = match &at.event {
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
            ("ranking", seat, phase, None, ask, ranking.is_some())
        }
        Event::Applied(applied) => {
            let of = |kind| source.asked(&applied.seat, kind, Some(applied.round), at.place);
            let ask = match (of(asks::APPLICATION), of(asks::CONSTRAINT_RETRY)) {
                (Some(choice), Some(amount)) if amount.seq > choice.seq => asks::CONSTRAINT_RETRY,
                _ => asks::APPLICATION,
            };
            (
                "application",
                &applied.seat,
                1,
                Some(applied.round),
                ask,
                applied.principle.is_some(),
            )
        }
        Event::Initiation { round, seat, answer } => (
            "vote_initiation",
            seat,
            2,
            Some(*round),
            asks::VOTE_INITIATION,
            answer.is_some(),
        ),
        Event::Confirmed { round, seat, answer } => (
            "vote_confirmation",
            seat,
            2,
            Some(*round),
            asks::VOTE_CONFIRMATION,
            answer.is_some(),
        ),
        Event::Voted { round, vote } => {
            // The unreadable answer may be the amount, which is asked for after the principle.
            let amount = source.asked(&vote.seat, asks::BALLOT_AMOUNT, Some(*round), at.place);
            let ask = match vote.principle {
                Some(principle) if principle.needs_amount() && amount.is_some() => asks::BALLOT_AMOUNT,
                _ => asks::BALLOT_PRINCIPLE,
            };
            (
                "ballot",
                &vote.seat,
                2,
                Some(*round),
                ask,
                vote.status == VoteStatus::Valid,
            )
        }
        _ => return None,
    };
    let answer = source.answer(at.place, seat, ask, phase, round);
    Some(answer.decision(kind, is_made, &at.event))
}

fn utterance<'a>(source: &ReportSource<'a>, at: &'a PlacedEvent<Event>) -> Option<Utterance<'a>> {
    let (kind, seat, round, text, ask) = match &at.event {
        Event::Reasoned { seat, round, text } => {
            ("reasoning", seat.as_str(), round, text, asks::INTERNAL_REASONING)
        }
        Event::Spoke {
            seat, round, text, ..
        } => {
            let is_message = source
                .asked(seat, asks::MESSAGE, Some(*round), at.place)
                .is_some();
            let ask = if is_message {
                asks::MESSAGE
            } else {
                asks::STATEMENT
            };
            ("statement", seat.as_str(), round, text, ask)
        }
        Event::Announced { round, text, .. } => ("announcement", "", round, text, ""),
        _ => return None,
    };
    let answer = source.answer(at.place, seat, ask, 2, Some(*round));
    let words = Words {
        event: &at.event,
        favored: None,
    };
    Some(Utterance {
        missing: (text.is_empty() && !seat.is_empty()).then(|| answer.missing()),
        ..answer.utterance(kind, text, words)
    })
}

fn moment(event: &Event) -> Option<&'static str> {
    let Event::Ranked { moment, .. } = event else {
        return None;
    };
    Some(match moment {
        Moment::Initial => "initial",
        Moment::PostExplanation => "explained",
        Moment::AfterApplications => "applied",
        Moment::AfterResults => "results",
    })
}

fn ranking(event: &Event) -> Option<&Ranking> {
    match event {
        Event::Ranked { ranking, .. } => ranking.as_ref(),
        _ => None,
    }
}

fn applied(event: &Event) -> Option<&AppliedRound> {
    match event {
        Event::Applied(applied) => Some(applied),
        _ => None,
    }
}

fn ballot(event: &Event) -> Option<&BallotVote> {
    match event {
        Event::Voted { vote, .. } => Some(vote),
        _ => None,
    }
}

fn paid(event: &Event) -> Option<&Payout> {
    match event {
        Event::Paid(paid) => Some(paid),
        _ => None,
    }
}

fn yes(event: &Event) -> Option<bool> {
    match event {
        Event::Initiation { answer, .. } | Event::Confirmed { answer, .. } => *answer,
        _ => None,
    }
}

fn is_skipped(row: &Utterance) -> bool {
    matches!(
        row.value.event,
        Event::Spoke {
            validation: Validation::Skipped,
            ..
        }
    )
}

fn rank(ranking: Option<&Ranking>, principle: Principle) -> Option<usize> {
    let place = ranking?.order.iter().position(|one| *one == principle)?;
    Some(place + 1)
}

fn amount_of(amounts: &BTreeMap<String, f64>, principle: Principle) -> Option<f64> {
    amounts.get(principle.id()).copied()
}

fn json_text(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

impl From<Principle> for Cell {
    fn from(principle: Principle) -> Self {
        principle.id().into()
    }
}

impl From<Certainty> for Cell {
    fn from(certainty: Certainty) -> Self {
        certainty.id().into()
    }
}
