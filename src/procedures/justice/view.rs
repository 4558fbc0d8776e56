//! Views of the experiment: rankings, explanations, application rounds, statements, votes and payoffs, with
//! each participant's earnings and memory. A participant's rankings, choices, money and memory are visible to
//! that participant; the public history is visible to all. Ballots are hidden until all are counted, then
//! visible to their voters.

use super::asks;
use super::config;
use super::distribution::{IncomeClass, Probabilities};
use super::event::{AppliedRound, BallotVote, Event, MemoryChange, Moment, Payout, Step as At, Validation};
use super::phase1::examples;
use crate::core::ask::Ask;
use crate::core::data::Data;
use crate::core::record::Entry;
use crate::core::view::{ItemData, ItemMeta, Reducer, Step, Transcript, TypedData, ViewSpec};
use crate::core::visibility::{Publication, Role};
use crate::principle::{Principle, Ranking};
use crate::procedures::view::{agents, published};
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::rc::Rc;

/// View specification of the experiment.
pub(super) const LENS: ViewSpec = ViewSpec {
    public: Publication {
        config: |config, seat| {
            let known = PublicSettings::of(config);
            let mut public = published(config, &["title", "protocol", "language"]);
            public["phase2_rounds"] = json!(known.rounds);
            public["original_values_mode"] = json!({ "enabled": known.varying });
            public["income_class_probabilities"] = known.probabilities.map_or(Value::Null, |probabilities| {
                let classes = IncomeClass::ALL.iter().zip(probabilities.values());
                Value::Object(
                    classes
                        .map(|(class, share)| (class.id().to_owned(), json!(share)))
                        .collect(),
                )
            });
            public["agents"] = agents(config, &["language"]);
            // A seat's own personality, as stated in the configuration.
            let own = |agent: &&Value| seat.is_some_and(|seat| agent["name"] == *seat);
            let personality = config["agents"].as_array().into_iter().flatten().find(own);
            let all = public["agents"].as_array_mut().into_iter().flatten();
            for agent in all.filter(|agent| own(&&**agent)) {
                agent["personality"] = personality.map_or(Value::Null, |own| own["personality"].clone());
            }
            public
        },
        result: |result, seat| {
            let mut public = published(
                result,
                &[
                    "consensus_reached",
                    "chosen_principle",
                    "constraint_amount",
                    "rounds_completed",
                ],
            );
            for key in ["payoffs", "final_rankings", "phase1"] {
                public[key] = seat.map_or_else(|| json!({}), |seat| published(&result[key], &[seat]));
            }
            public
        },
    },
    fold: |config| Box::new(Experiment::of(config)),
};

/// A ranking, given or pending.
#[derive(Debug, Default, Serialize)]
struct Ranked {
    seat: String,
    moment: Option<Moment>,
    ranking: Option<Ranking>,
}

/// The worked examples and a participant's reply to them.
#[derive(Debug, Default, Serialize)]
struct Explanation {
    seat: String,
    /// Distributions of the examples, their probabilities and the pick of each example.
    shown: Value,
}

/// An application round of one participant.
#[derive(Debug, Default, Serialize)]
struct Application {
    seat: String,
    round: u32,
    /// The event, once the round is over.
    applied: Option<Value>,
}

/// A statement and the private reasoning before it.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct Statement {
    seat: String,
    round: u32,
    reasoning: Option<String>,
    text: String,
    characters: u32,
    validation: Option<Validation>,
    favored: Option<Principle>,
}

/// The speaking order of a round.
#[derive(Debug, Default, Serialize)]
struct Order {
    round: u32,
    seats: Vec<String>,
}

/// A notice of the lab in the public history.
#[derive(Debug, Default, Serialize)]
struct Notice {
    round: u32,
    notice: String,
    text: String,
}

/// Statements that are no longer in prompts.
#[derive(Debug, Default, Serialize)]
struct Trimmed {
    dropped: u32,
}

/// The task of a manipulator.
#[derive(Debug, Default, Serialize)]
struct Target {
    seat: String,
    target: Option<Principle>,
    tied: Vec<Principle>,
    note: Option<String>,
}

/// A participant's part in a vote.
#[derive(Debug, Default, Serialize)]
struct Voter {
    seat: String,
    /// Answer to a request for a vote or to its confirmation. Null: unreadable; absent: unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<Option<bool>>,
    done: bool,
    asks: Vec<String>,
    ballots: Vec<String>,
    /// `open` or `cast`, if visible to the role.
    voting: Option<&'static str>,
}

/// Answers to the question whether to start a vote.
#[derive(Debug, Default, Serialize)]
struct Initiation {
    round: u32,
    members: Vec<Voter>,
}

/// A vote: its participants and its outcome.
#[derive(Debug, Default, Serialize)]
struct Vote {
    round: u32,
    initiator: Option<String>,
    confirmed: Option<bool>,
    /// Whether the secret ballot is held.
    balloting: bool,
    members: Vec<Voter>,
    ballot: Option<Ballot>,
    /// Ballots visible to the role, before the count.
    #[serde(skip)]
    votes: Vec<BallotVote>,
}

/// A counted ballot.
#[derive(Debug, Default, Serialize)]
struct Ballot {
    round: u32,
    agreed: Option<Principle>,
    amount: Option<u32>,
    disagreement: Option<String>,
    votes: Vec<BallotVote>,
}

/// The distributions of phase 2.
#[derive(Debug, Default, Serialize)]
struct DistributionItem {
    drawn: Value,
}

/// Pay of a participant in phase 2.
#[derive(Debug, Default, Serialize)]
struct PayoffItem {
    seat: String,
    paid: Value,
}

/// Data of a participant.
#[derive(Debug, Default, Serialize)]
struct ParticipantData {
    /// Present if visible to the role.
    #[serde(flatten)]
    private: Option<Private>,
    favored: Option<Principle>,
    manipulator: bool,
    target: Option<Principle>,
}

/// Private data of a participant.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct Private {
    memory: String,
    /// Id of the ask that last rewrote the memory.
    memory_ask: Option<String>,
    memory_changes: u32,
    /// Id of the ask that is to rewrite the memory.
    #[serde(skip)]
    rewritten_by: Option<String>,
    bank: f64,
    rankings: BTreeMap<String, Option<Ranking>>,
}

macro_rules! kinds {
    ($($kind:ty: $name:literal),*) => {
        $(impl TypedData for $kind {
            const TYPE: &'static str = $name;
        })*
    };
}
kinds!(
    Ranked: "ranking", Explanation: "explanation", Application: "application", Statement: "statement",
    Order: "order", Notice: "notice", Trimmed: "trimmed", Target: "target", Initiation: "initiation",
    Vote: "vote", DistributionItem: "drawn", PayoffItem: "paid", ParticipantData: "participant"
);

#[derive(Debug, Serialize)]
struct Warning {
    code: String,
    seat: Option<String>,
    round: Option<u32>,
    message: String,
    seq: u64,
}

/// State of the experiment.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct Experiment {
    /// Current step of the current round of phase 2.
    round_step: Option<&'static str>,
    round: u32,
    warnings: Vec<Warning>,
    #[serde(skip)]
    rounds: u32,
    #[serde(skip)]
    shown: Value,
    #[serde(skip)]
    manipulator: Value,
    /// Seats that have not spoken yet in this round.
    #[serde(skip)]
    floor: Vec<String>,
    #[serde(skip)]
    has_results: bool,
}

/// Public settings, read from a full or a published configuration.
struct PublicSettings {
    rounds: u32,
    varying: bool,
    probabilities: Option<Probabilities>,
}

impl PublicSettings {
    fn of(config: &Value) -> Self {
        if let Ok(checked) = config::check(config) {
            let settings = checked.settings;
            return Self {
                rounds: settings.phase2_rounds,
                varying: settings.original_values_mode,
                probabilities: settings
                    .income_class_probabilities
                    .and_then(|values| Probabilities::new(values).ok()),
            };
        }
        let share = |class: &IncomeClass| config["income_class_probabilities"][class.id()].as_f64();
        let shares: Vec<f64> = IncomeClass::ALL.iter().filter_map(share).collect();
        Self {
            rounds: config["phase2_rounds"].as_u64().unwrap_or(10) as u32,
            varying: config["original_values_mode"]["enabled"] == true,
            probabilities: <[f64; 5]>::try_from(shares)
                .ok()
                .and_then(|values| Probabilities::new(values).ok()),
        }
    }
}

/// The steps of phase 1, in order.
const PHASE1: [At; 5] = [
    At::InitialRanking,
    At::Explanation,
    At::PostExplanationRanking,
    At::Application,
    At::FinalRanking,
];

const APPLICATIONS: u32 = 4;

fn name(step: At) -> &'static str {
    match step {
        At::InitialRanking => "initial_ranking",
        At::Explanation => "explanation",
        At::PostExplanationRanking => "post_explanation_ranking",
        At::Application => "application",
        At::FinalRanking => "final_ranking",
        At::Discussion => "discussion",
        At::MemoryUpdate => "memory_update",
        At::VoteInitiation => "vote_initiation",
        At::VoteConfirmation => "vote_confirmation",
        At::Ballot => "ballot",
        At::Results => "results",
        At::ResultsRanking => "results_ranking",
    }
}

fn home(moment: Moment) -> At {
    match moment {
        Moment::Initial => At::InitialRanking,
        Moment::PostExplanation => At::PostExplanationRanking,
        Moment::AfterApplications => At::FinalRanking,
        Moment::AfterResults => At::ResultsRanking,
    }
}

/// Creates the section of a step if it is missing; returns its key.
fn section(board: &mut Transcript, step: At, round: u32) -> String {
    let (key, place, shown, phase) = match PHASE1.iter().position(|own| *own == step) {
        Some(at) => {
            let of = if step == At::Application { round } else { 0 };
            let key = match of {
                0 => format!("1/{}", name(step)),
                round => format!("1/application/{round}"),
            };
            (key, at as u64 * 100 + u64::from(of), name(step), 1)
        }
        None if matches!(step, At::Results | At::ResultsRanking) => {
            ("2/results".to_owned(), u64::from(u32::MAX) + 2_000, "results", 2)
        }
        None => (format!("2/round/{round}"), 1_000 + u64::from(round), "round", 2),
    };
    let round = if shown == "round" || shown == "application" {
        round
    } else {
        0
    };
    board.section(&key, place, shown, round).phase = Some(phase);
    key
}

/// Returns the vote data of a seat, created if missing.
fn voter<'a>(members: &'a mut Vec<Voter>, seat: &str) -> &'a mut Voter {
    let at = match members.iter().position(|voter| voter.seat == seat) {
        Some(at) => at,
        None => {
            members.push(Voter {
                seat: seat.to_owned(),
                ..Voter::default()
            });
            members.len() - 1
        }
    };
    &mut members[at]
}

fn vote(board: &mut Transcript, round: u32, change: impl FnOnce(&mut ItemMeta, &mut Vote)) {
    let home = section(board, At::Ballot, round);
    board.show(&home, &format!("vote/{round}"), |face, vote: &mut Vote| {
        vote.round = round;
        change(face, vote);
    });
}

fn initiation(board: &mut Transcript, round: u32, change: impl FnOnce(&mut ItemMeta, &mut Initiation)) {
    let home = section(board, At::VoteInitiation, round);
    board.show(&home, &format!("init/{round}"), |face, asked: &mut Initiation| {
        asked.round = round;
        change(face, asked);
    });
}

fn statement(
    board: &mut Transcript,
    seat: &str,
    round: u32,
    change: impl FnOnce(&mut ItemMeta, &mut Statement),
) {
    let home = section(board, At::Discussion, round);
    board.show(
        &home,
        &format!("say/{round}/{seat}"),
        |face, said: &mut Statement| {
            (said.seat, said.round) = (seat.to_owned(), round);
            change(face, said);
        },
    );
}

/// Changes the private data of a participant if the role may see it.
fn private<R>(board: &mut Transcript, seat: &str, change: impl FnOnce(&mut Private) -> R) -> Option<R> {
    let member = board.person_as::<ParticipantData>(seat)?;
    Some(change(member.private.get_or_insert_default()))
}

impl Experiment {
    fn of(config: &Value) -> Self {
        let known = PublicSettings::of(config);
        let (set, probabilities, picks) = examples(known.varying, known.probabilities);
        let picks = picks.iter().map(|pick| {
            json!({
                "principle": pick.principle,
                "amount": pick.amount,
                "distribution": pick.distribution + 1,
                "constraint_met": pick.constraint_met,
            })
        });
        Self {
            rounds: known.rounds,
            shown: json!({
                "distributions": set.iter().map(|distribution| distribution.0).collect::<Vec<_>>(),
                "probabilities": probabilities.map(|probabilities| *probabilities.values()),
                "examples": picks.collect::<Vec<_>>(),
            }),
            manipulator: config["manipulator"]["name"].clone(),
            ..Self::default()
        }
    }

    fn begins(&mut self, board: &mut Transcript, step: At, round: u32, seat: Option<String>) {
        if let Some(seat) = seat {
            private(board, &seat, |_| ());
        } else {
            self.round = self.round.max(round);
            self.round_step = Some(name(step));
            self.has_results |= matches!(step, At::Results | At::ResultsRanking);
            section(board, step, round);
            if step == At::Ballot {
                vote(board, round, |_, vote| vote.balloting = true);
            }
        }
    }

    fn ranked(board: &mut Transcript, seat: String, moment: Moment, ranking: Option<Ranking>, entry: &Entry) {
        private(board, &seat, |own| {
            own.rankings
                .insert(crate::core::data::variant_name(&moment), ranking.clone());
        });
        let home = section(board, home(moment), 0);
        let key = format!("rank/{}/{seat}", crate::core::data::variant_name(&moment));
        board.show(&home, &key, |face, shown: &mut Ranked| {
            face.told(entry);
            *shown = Ranked {
                seat,
                moment: Some(moment),
                ranking,
            };
        });
    }

    fn remembered(board: &mut Transcript, seat: &str, how: MemoryChange, text: &str) {
        private(board, seat, |own| {
            own.memory_changes += 1;
            if how != MemoryChange::Appended {
                own.memory.clear();
            } else if !own.memory.is_empty() {
                own.memory.push('\n');
            }
            own.memory.push_str(text);
            own.memory_ask.clone_from(&own.rewritten_by);
        });
    }

    /// Whether the current secret ballot is not counted yet.
    fn is_balloting(&self, board: &Transcript) -> bool {
        let vote = board.shown(&format!("vote/{}", self.round));
        let vote = vote.and_then(|item| item.get::<Vote>());
        vote.is_some_and(|vote| vote.balloting && vote.ballot.is_none()) && !board.has_ended()
    }

    fn finished(board: &Transcript, key: &str) -> usize {
        let section = board.sections.iter().find(|section| section.key == key);
        let items = section.map_or(&[][..], |section| &section.items);
        let is_done = |key: &&String| board.shown(key).is_some_and(|item| item.face.done);
        items.iter().filter(is_done).count()
    }
}

impl Reducer for Experiment {
    fn person(&self, agent: &Value) -> Box<dyn ItemData> {
        Box::new(ParticipantData {
            manipulator: !self.manipulator.is_null() && self.manipulator == agent["name"],
            ..ParticipantData::default()
        })
    }

    #[allow(clippy::too_many_lines)] // an arm an event
    fn event(&mut self, board: &mut Transcript, event: &Data, entry: &Entry) {
        let Ok(told) = event.read() else {
            return;
        };
        match told {
            Event::StepBegan {
                step, round, seat, ..
            } => self.begins(board, step, round, seat),
            Event::TargetSet {
                seat,
                target,
                tied,
                note,
                ..
            } => target_set(board, seat, target, tied, note, entry),
            Event::Targeted { seat, target, tied } => {
                target_set(board, seat, Some(target), tied, None, entry)
            }
            Event::Ranked {
                seat,
                moment,
                ranking,
            } => Self::ranked(board, seat, moment, ranking, entry),
            Event::Applied(AppliedRound {
                seat, round, bank, ..
            }) => {
                private(board, &seat, |own| own.bank = bank);
                let home = section(board, At::Application, round);
                board.show(
                    &home,
                    &format!("apply/{round}/{seat}"),
                    |face, shown: &mut Application| {
                        face.told(entry);
                        *shown = Application {
                            seat,
                            round,
                            applied: Some(event.value()),
                        };
                    },
                );
            }
            Event::Remembered { seat, how, text, .. } => Self::remembered(board, &seat, how, &text),
            Event::Ordered { round, seats } => {
                self.floor.clone_from(&seats);
                let home = section(board, At::Discussion, round);
                board.show(&home, &format!("order/{round}"), |face, shown: &mut Order| {
                    face.told(entry);
                    *shown = Order { round, seats };
                });
            }
            Event::Reasoned { seat, round, text } => {
                statement(board, &seat, round, |_, said| said.reasoning = Some(text));
            }
            Event::Spoke {
                seat,
                round,
                text,
                character_count,
                validation,
            } => {
                self.floor.retain(|name| *name != seat);
                statement(board, &seat, round, |face, said| {
                    face.told(entry);
                    (said.text, said.characters) = (text, character_count);
                    said.validation = Some(validation);
                });
            }
            Event::Favored {
                seat,
                round,
                principle,
                ..
            } => {
                statement(board, &seat, round, |_, said| said.favored = Some(principle));
                if let Some(member) = board.person_as::<ParticipantData>(&seat) {
                    member.favored = Some(principle);
                }
            }
            Event::Announced { round, notice, text } => {
                let home = section(board, At::Discussion, round);
                board.show(
                    &home,
                    &format!("notice/{}", entry.seq),
                    |face, shown: &mut Notice| {
                        face.told(entry);
                        *shown = Notice { round, notice, text };
                    },
                );
            }
            Event::Trimmed { round, dropped } => {
                let home = section(board, At::Discussion, round);
                board.show(
                    &home,
                    &format!("trimmed/{}", entry.seq),
                    |face, shown: &mut Trimmed| {
                        face.told(entry);
                        shown.dropped = dropped;
                    },
                );
            }
            Event::Initiation { round, seat, answer } => initiation(board, round, |face, asked| {
                face.seq = Some(entry.seq);
                let member = voter(&mut asked.members, &seat);
                (member.answer, member.done) = (Some(answer), true);
            }),
            Event::VoteStarted { round, initiator } => {
                initiation(board, round, |_, asked| {
                    let member = voter(&mut asked.members, &initiator);
                    (member.answer, member.done) = (Some(Some(true)), true);
                });
                vote(board, round, |_, vote| vote.initiator = Some(initiator));
            }
            Event::Confirmed { round, seat, answer } => vote(board, round, |_, vote| {
                let member = voter(&mut vote.members, &seat);
                (member.answer, member.done) = (Some(answer), true);
            }),
            Event::Confirmation {
                round,
                answers,
                confirmed,
                ..
            } => vote(board, round, |face, vote| {
                face.seq = Some(entry.seq);
                vote.confirmed = Some(confirmed);
                for (seat, answer) in answers {
                    let member = voter(&mut vote.members, &seat);
                    member.answer.get_or_insert(Some(answer));
                    member.done = true;
                }
            }),
            Event::Voted { round, vote: cast } => vote(board, round, |_, vote| vote.votes.push(cast)),
            Event::Counted {
                round,
                agreed,
                amount,
                disagreement,
                ..
            } => {
                vote(board, round, |face, vote| {
                    face.told(entry);
                    vote.ballot = Some(Ballot {
                        round,
                        agreed,
                        amount,
                        disagreement,
                        votes: std::mem::take(&mut vote.votes),
                    });
                });
                board.unseal(&format!("vote/{round}"));
            }
            Event::Drawn { .. } => {
                let home = section(board, At::Results, 0);
                board.show(&home, "drawn", |face, shown: &mut DistributionItem| {
                    face.told(entry);
                    shown.drawn = event.value();
                });
            }
            Event::Paid(Payout { seat, bank, .. }) => {
                private(board, &seat, |own| own.bank = bank);
                let home = section(board, At::Results, 0);
                board.show(&home, &format!("paid/{seat}"), |face, shown: &mut PayoffItem| {
                    face.told(entry);
                    (shown.seat, shown.paid) = (seat, event.value());
                });
            }
            Event::Warned {
                code,
                seat,
                round,
                message,
            } => self.warnings.push(Warning {
                code,
                seat,
                round,
                message,
                seq: entry.seq,
            }),
        }
    }

    /// Memory asks have no item; all attempts of a step share one.
    fn asked(&mut self, board: &mut Transcript, ask: &Rc<Ask>) {
        let (seat, id) = (&ask.seat, &ask.id);
        let round = ask.round.unwrap_or(self.round);
        let key = match ask.kind.name() {
            asks::INITIAL_RANKING => ranks(board, ask, Moment::Initial),
            asks::POST_EXPLANATION_RANKING => ranks(board, ask, Moment::PostExplanation),
            asks::FINAL_RANKING => ranks(board, ask, Moment::AfterApplications),
            asks::RESULTS_RANKING => ranks(board, ask, Moment::AfterResults),
            asks::EXPLANATION => {
                let home = section(board, At::Explanation, 0);
                let key = format!("explain/{seat}");
                board.show(&home, &key, |face, shown: &mut Explanation| {
                    face.asks.push(id.clone());
                    (shown.seat, shown.shown) = (seat.clone(), self.shown.clone());
                });
                key
            }
            asks::APPLICATION | asks::CONSTRAINT_RETRY => {
                let home = section(board, At::Application, round);
                let key = format!("apply/{round}/{seat}");
                board.show(&home, &key, |face, shown: &mut Application| {
                    face.asks.push(id.clone());
                    (shown.seat, shown.round) = (seat.clone(), round);
                });
                key
            }
            asks::INTERNAL_REASONING | asks::STATEMENT => {
                statement(board, seat, round, |face, _| face.asks.push(id.clone()));
                format!("say/{round}/{seat}")
            }
            asks::VOTE_INITIATION => {
                initiation(board, round, |_, asked| {
                    voter(&mut asked.members, seat).asks.push(id.clone())
                });
                format!("init/{round}")
            }
            asks::VOTE_CONFIRMATION => {
                vote(board, round, |_, vote| {
                    voter(&mut vote.members, seat).asks.push(id.clone())
                });
                format!("vote/{round}")
            }
            asks::BALLOT_PRINCIPLE | asks::BALLOT_AMOUNT => {
                vote(board, round, |_, vote| {
                    let member = voter(&mut vote.members, seat);
                    member.ballots.push(id.clone());
                    member.voting.get_or_insert("open");
                });
                format!("vote/{round}")
            }
            asks::MEMORY_UPDATE => {
                private(board, seat, |own| own.rewritten_by = Some(id.clone()));
                return;
            }
            _ => return,
        };
        let is_ballot = matches!(ask.kind.name(), asks::BALLOT_PRINCIPLE | asks::BALLOT_AMOUNT);
        board.place(id, &key, is_ballot);
    }

    fn settled(&mut self, board: &mut Transcript, ask: &Rc<Ask>) {
        let round = ask.round.unwrap_or(self.round);
        match ask.kind.name() {
            // A participant that is asked for an amount has already voted.
            asks::BALLOT_PRINCIPLE => {
                board.change(&format!("vote/{round}"), |_, vote: &mut Vote| {
                    voter(&mut vote.members, &ask.seat).voting = Some("cast");
                });
            }
            asks::EXPLANATION => {
                board.change(&format!("explain/{}", ask.seat), |face, _: &mut Explanation| {
                    face.done = true;
                });
            }
            _ => {}
        }
    }

    /// Returns `speaking`, `thinking`, `remembering`, `voting`, `queued` or `failed`.
    fn doing(&self, board: &Transcript, name: &str) -> Option<&'static str> {
        // An ask for an amount reveals a vote for a constraint: until the count, all participants look alike.
        if self.is_balloting(board) {
            return Some("voting");
        }
        let person = board.known(name)?;
        let mut found = None;
        for asked in person.open.iter().filter_map(|id| board.ask(id)) {
            found = Some(match (asked.state, asked.ask.kind.name()) {
                ("failed" | "timed_out", _) => return Some("failed"),
                ("waiting", _) => found.unwrap_or("queued"),
                (_, asks::STATEMENT) => return Some("speaking"),
                (_, asks::MEMORY_UPDATE) => "remembering",
                (
                    _,
                    asks::VOTE_INITIATION
                    | asks::VOTE_CONFIRMATION
                    | asks::BALLOT_PRINCIPLE
                    | asks::BALLOT_AMOUNT,
                ) => "voting",
                _ => "thinking",
            });
        }
        let is_own = board.sees_all() || board.role.seat() == Some(name);
        if is_own || board.has_ended() {
            return found;
        }
        // For other participants, the step of the round determines the activity.
        match self.round_step {
            Some("discussion") if self.floor.first().is_some_and(|first| first == name) => Some("speaking"),
            Some("vote_confirmation") => Some("voting"),
            _ => None,
        }
    }

    fn steps(&self, board: &Transcript) -> Vec<Step> {
        let seats = match board.role {
            Role::Owner => board.people.len().max(1),
            Role::Seat(_) => 1,
            Role::Audience => 0,
        };
        let is_past = self.round > 0 || self.has_results;
        let mut steps = Vec::new();
        for own in PHASE1 {
            let rounds = if own == At::Application { APPLICATIONS } else { 1 };
            let key = |round: u32| match own {
                At::Application => format!("1/application/{round}"),
                _ => format!("1/{}", name(own)),
            };
            let counts: Vec<usize> = (1..=rounds)
                .map(|round| Self::finished(board, &key(round)))
                .collect();
            let round = counts.iter().filter(|count| **count >= seats).count() as u32 + 1;
            let (finished, of) = (counts.iter().sum(), seats * rounds as usize);
            let is_done = is_past || (of > 0 && finished >= of);
            steps.push(Step {
                step: name(own),
                phase: Some(1),
                round: if own == At::Application {
                    round.min(APPLICATIONS)
                } else {
                    0
                },
                state: if is_done { "done" } else { "coming" },
                key: key(round.min(rounds)),
                finished: Some(finished).filter(|_| of > 0),
                of: Some(of).filter(|of| *of > 0),
                ..Step::default()
            });
        }
        let over = self.has_results || board.has_ended();
        for round in 1..=self.rounds {
            steps.push(Step {
                step: "round",
                phase: Some(2),
                round,
                state: match () {
                    () if round < self.round || (round == self.round && over) => "done",
                    () if round == self.round => "current",
                    () if over => "skipped",
                    () => "coming",
                },
                key: format!("2/round/{round}"),
                ..Step::default()
            });
        }
        steps.push(Step {
            step: "results",
            phase: Some(2),
            state: match (board.has_ended(), self.has_results) {
                (true, _) => "done",
                (false, true) => "current",
                (false, false) => "coming",
            },
            key: "2/results".to_owned(),
            ..Step::default()
        });
        if !board.has_ended()
            && steps.iter().all(|step| step.state != "current")
            && let Some(open) = steps.iter_mut().find(|step| step.state == "coming")
        {
            open.state = "current";
        }
        steps
    }

    fn next(&self, _board: &Transcript) -> Vec<String> {
        self.floor.clone()
    }

    fn rest(&self, _board: &Transcript) -> Value {
        json!(self)
    }
}

fn ranks(board: &mut Transcript, ask: &Ask, moment: Moment) -> String {
    let home = section(board, home(moment), 0);
    let key = format!("rank/{}/{}", crate::core::data::variant_name(&moment), ask.seat);
    board.show(&home, &key, |face, shown: &mut Ranked| {
        face.asks.push(ask.id.clone());
        (shown.seat, shown.moment) = (ask.seat.clone(), Some(moment));
    });
    key
}

fn target_set(
    board: &mut Transcript,
    seat: String,
    target: Option<Principle>,
    tied: Vec<Principle>,
    note: Option<String>,
    entry: &Entry,
) {
    if let Some(member) = board.person_as::<ParticipantData>(&seat) {
        (member.manipulator, member.target) = (true, target);
    }
    let home = section(board, At::Discussion, 1);
    let key = format!("target/{seat}");
    board.show(&home, &key, |face, shown: &mut Target| {
        face.told(entry);
        *shown = Target {
            seat,
            target,
            tied,
            note,
        };
    });
}
