//! Views of the experiment: rankings, explanations, application rounds, statements, votes and payoffs, with
//! each participant's earnings and memory. A participant's rankings, choices, money and memory are visible to
//! that participant; the public history is visible to all. Ballots are hidden until all are counted, then
//! visible to their voters.

mod figures;
mod items;
mod results;
#[cfg(test)]
mod tests;
mod wording;

use super::CLASS_TEXTS;
use super::asks;
use super::distribution::{IncomeClass, Probabilities};
use super::event::{Event, MemoryChange, Moment, Step as At};
use super::phase1::examples;
use super::prompts::parts;
use super::settings::{self, Rankings, SPEC, Wording};
use crate::core::ask::{Ask, Millis};
use crate::core::block::Block;
use crate::core::data::Data;
use crate::core::record::Entry;
use crate::core::view::{ItemData, ItemMeta, Reducer, Section, Step, Transcript, ViewSpec};
use crate::core::visibility::{Publication, Role};
use crate::language::format::amount;
use crate::language::in_each_language;
use crate::language::words::{Texts, Words};
use crate::principle::{Principle, Ranking};
use crate::procedures::spec::config_reader::ConfigReader;
use crate::procedures::view::{agents, published, warning_section};
use figures::{Figures, Minds};
use items::{
    Application, Ballot, DistributionItem, Drawn, Example, Examples, Explanation, Initiation, MOMENTS,
    Notice, Order, ParticipantData, PayoffItem, Private, Ranked, Statement, Target, Trimmed, Vote, Voter,
};
use results::Results;
use serde::Serialize;
use serde_json::{Value, json};
use std::fmt::Display;
use std::rc::Rc;

static TEXTS: Texts = Texts::new(in_each_language!("words/view"));

/// View specification of the experiment.
pub(super) const VIEW: ViewSpec = ViewSpec {
    public: Publication {
        config: |config, seat| {
            let settings = PublicSettings::of(config);
            let mut public = published(config, &["title", "protocol", "language", "wording", "rankings"]);
            public["phase2_rounds"] = json!(settings.rounds);
            public["original_values_mode"] = json!({ "enabled": settings.varying });
            public["income_class_probabilities"] =
                settings.probabilities.map_or(Value::Null, |probabilities| {
                    let classes = IncomeClass::ALL.iter().zip(probabilities.values());
                    Value::Object(
                        classes
                            .map(|(class, share)| (class.id().to_owned(), json!(share)))
                            .collect(),
                    )
                });
            if let Some(most) = settings.within {
                public["phase2_settings"] = json!({ "strict": false, "amount_tolerance": most });
            }
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
        result: |result, config, seat| {
            let mut public = published(
                result,
                &[
                    "consensus_reached",
                    "chosen_principle",
                    "constraint_amount",
                    "rounds_completed",
                ],
            );
            let minds = Minds::of(result, |name| seat == Some(name));
            // How others ranked stays private in studies, even in numbers.
            public["minds"] = json!(match PublicSettings::of(config).wording {
                Wording::Study => minds.map(Minds::without_counts),
                Wording::Class => minds,
            });
            for key in ["payoffs", "final_rankings", "phase1"] {
                public[key] = seat.map_or_else(|| json!({}), |seat| published(&result[key], &[seat]));
            }
            public
        },
    },
    texts: &[&TEXTS, &super::TEXTS],
    wording: |config| match PublicSettings::of(config).wording {
        Wording::Study => None,
        Wording::Class => Some(&CLASS_TEXTS),
    },
    reducer: |config| Box::new(Experiment::of(config)),
    outcome,
};

fn outcome(result: &Value, words: &Words) -> String {
    let principle: Option<Principle> =
        serde_json::from_value(result["chosen_principle"].clone()).unwrap_or_default();
    let rounds = result["rounds_completed"].as_u64().unwrap_or_default();
    let Some(principle) = principle.filter(|_| result["consensus_reached"] == true) else {
        let form = if rounds == 1 { "one" } else { "other" };
        return words.text(&format!("outcome.none.{form}"), &[("rounds", &rounds)]);
    };
    let name = parts::principle_name(words, principle);
    let constraint = result["constraint_amount"]
        .as_u64()
        .map(|dollars| amount(dollars as u32));
    let values: &[(&str, &dyn Display)] = &[
        ("principle", &name),
        ("round", &rounds),
        ("amount", &constraint.as_deref().unwrap_or_default()),
    ];
    let key = match &constraint {
        Some(_) => "outcome.agreed.amount",
        None => "outcome.agreed",
    };
    words.text(key, values)
}

struct Warning {
    code: String,
    seat: Option<String>,
    round: Option<u32>,
    message: String,
}

impl Warning {
    /// Returns it in a sentence; one of another version in the record's words.
    fn text(&self, words: &Words) -> String {
        let Self {
            code,
            seat,
            round,
            message,
        } = self;
        let key = format!("view.warning.{code}");
        let name = seat.as_deref().unwrap_or_default();
        let text = match TEXTS.has(&key) {
            true => words.text(&key, &[("name", &name)]),
            false => format!("{name} {message}").trim_start().to_owned(),
        };
        match round {
            Some(round) => format!("{} · {text}", words.text("view.round", &[("round", round)])),
            None => text,
        }
    }
}

/// State of the experiment.
#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct Experiment {
    /// Current step of the current round of phase 2.
    round_step: Option<&'static str>,
    round: u32,
    #[serde(skip)]
    warnings: Vec<Warning>,
    #[serde(skip)]
    rounds: u32,
    #[serde(skip)]
    shown: Examples,
    #[serde(skip)]
    manipulator: Value,
    /// Time at which the open talk ends, in milliseconds since the epoch; `None` in turns.
    until: Option<Millis>,
    /// Key of the last message of an open talk.
    #[serde(skip)]
    last_message: String,
    /// Seats that have not spoken yet in this round.
    #[serde(skip)]
    pending_speakers: Vec<String>,
    #[serde(skip)]
    has_results: bool,
    #[serde(skip)]
    wording: Wording,
    #[serde(skip)]
    rankings: Rankings,
    /// Difference up to which amounts count as the same, in income dollars.
    #[serde(skip)]
    within: Option<u32>,
    /// What the group agreed on.
    #[serde(skip)]
    agreed: Option<(Principle, Option<u32>)>,
    /// From the draw of phase 2 on.
    figures: Option<Figures>,
}

/// Public settings, read from a full or a published configuration.
struct PublicSettings {
    rounds: u32,
    varying: bool,
    probabilities: Option<Probabilities>,
    wording: Wording,
    rankings: Rankings,
    within: Option<u32>,
}

impl PublicSettings {
    fn of(config: &Value) -> Self {
        if let Ok(checked) = settings::check(config) {
            let settings = checked.settings;
            return Self {
                rounds: settings.phase2_rounds,
                varying: settings.original_values_mode,
                probabilities: settings
                    .income_class_probabilities
                    .and_then(|values| Probabilities::new(values).ok()),
                wording: settings.wording,
                rankings: settings.rankings,
                within: settings.phase2.amount_tolerance,
            };
        }
        let top = ConfigReader::unchecked(config, SPEC.settings);
        let share = |class: &IncomeClass| config["income_class_probabilities"][class.id()].as_f64();
        let shares: Vec<f64> = IncomeClass::ALL.iter().filter_map(share).collect();
        Self {
            rounds: top.whole("phase2_rounds"),
            varying: config["original_values_mode"]["enabled"] == true,
            probabilities: <[f64; 5]>::try_from(shares)
                .ok()
                .and_then(|values| Probabilities::new(values).ok()),
            wording: top.one_of("wording", Wording::ALL),
            rankings: top.one_of("rankings", Rankings::ALL),
            within: top.object("phase2_settings").maybe_whole("amount_tolerance"),
        }
    }
}

/// The steps of phase 1, in order.
const PHASE1_STEPS: [At; 5] = [
    At::InitialRanking,
    At::Explanation,
    At::PostExplanationRanking,
    At::Application,
    At::FinalRanking,
];

const APPLICATION_ROUNDS: u32 = 4;

fn step_name(step: At) -> &'static str {
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

fn ranking_step(moment: Moment) -> At {
    match moment {
        Moment::Initial => At::InitialRanking,
        Moment::PostExplanation => At::PostExplanationRanking,
        Moment::AfterApplications => At::FinalRanking,
        Moment::AfterResults => At::ResultsRanking,
    }
}

/// Creates the section of a step if it is missing; returns its key.
fn section(transcript: &mut Transcript, step: At, round: u32) -> String {
    let (key, place, shown, phase) = match PHASE1_STEPS.iter().position(|own| *own == step) {
        Some(at) => {
            let of = if step == At::Application { round } else { 0 };
            let key = match of {
                0 => format!("1/{}", step_name(step)),
                round => format!("1/application/{round}"),
            };
            (key, at as u64 * 100 + u64::from(of), step_name(step), 1)
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
    transcript.section(&key, place, shown, round).phase = Some(phase);
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

fn change_vote(transcript: &mut Transcript, round: u32, change: impl FnOnce(&mut ItemMeta, &mut Vote)) {
    let section_key = section(transcript, At::Ballot, round);
    transcript.show(&section_key, &format!("vote/{round}"), |meta, vote: &mut Vote| {
        vote.round = round;
        change(meta, vote);
    });
}

fn change_initiation(
    transcript: &mut Transcript,
    round: u32,
    change: impl FnOnce(&mut ItemMeta, &mut Initiation),
) {
    let section_key = section(transcript, At::VoteInitiation, round);
    transcript.show(
        &section_key,
        &format!("init/{round}"),
        |meta, initiation: &mut Initiation| {
            initiation.round = round;
            change(meta, initiation);
        },
    );
}

/// Returns the key of a statement of a round in turns.
fn statement_key(seat: &str, round: u32) -> String {
    format!("say/{round}/{seat}")
}

fn change_statement(
    transcript: &mut Transcript,
    key: &str,
    seat: &str,
    round: u32,
    change: impl FnOnce(&mut ItemMeta, &mut Statement),
) {
    let section_key = section(transcript, At::Discussion, round);
    transcript.show(&section_key, key, |meta, statement: &mut Statement| {
        (statement.seat, statement.round) = (seat.to_owned(), round);
        change(meta, statement);
    });
}

/// Changes the private data of a participant, created at the first event that the role may see.
fn change_private<R>(
    transcript: &mut Transcript,
    seat: &str,
    change: impl FnOnce(&mut Private) -> R,
) -> Option<R> {
    let member = transcript.person_as::<ParticipantData>(seat)?;
    Some(change(member.private.get_or_insert_default()))
}

impl Experiment {
    fn of(config: &Value) -> Self {
        let settings = PublicSettings::of(config);
        let (set, probabilities, picks) = examples(settings.varying, settings.probabilities);
        let picks = picks.iter().map(|pick| Example {
            principle: pick.principle,
            amount: pick.amount,
            distribution: pick.distribution + 1,
            constraint_met: pick.constraint_met,
        });
        Self {
            rounds: settings.rounds,
            shown: Examples {
                distributions: set.iter().map(|distribution| distribution.0).collect(),
                probabilities: probabilities.map(|probabilities| *probabilities.values()),
                examples: picks.collect(),
            },
            manipulator: config["manipulator"]["name"].clone(),
            wording: settings.wording,
            rankings: settings.rankings,
            within: settings.within,
            ..Self::default()
        }
    }

    fn begin_step(&mut self, transcript: &mut Transcript, step: At, round: u32, seat: Option<String>) {
        if let Some(seat) = seat {
            change_private(transcript, &seat, |_| ());
        } else {
            self.round = self.round.max(round);
            self.round_step = Some(step_name(step));
            self.until = None;
            self.has_results |= matches!(step, At::Results | At::ResultsRanking);
            section(transcript, step, round);
            if step == At::Ballot {
                change_vote(transcript, round, |_, vote| vote.balloting = true);
            }
        }
    }

    fn add_ranking(
        transcript: &mut Transcript,
        seat: String,
        moment: Moment,
        ranking: Option<Ranking>,
        entry: &Entry,
    ) {
        change_private(transcript, &seat, |own| {
            own.rankings
                .insert(crate::core::data::variant_name(&moment), ranking.clone());
        });
        let section_key = section(transcript, ranking_step(moment), 0);
        let key = format!("rank/{}/{seat}", crate::core::data::variant_name(&moment));
        transcript.show(&section_key, &key, |meta, shown: &mut Ranked| {
            meta.complete(entry);
            *shown = Ranked {
                seat,
                moment: Some(moment),
                is_given: true,
                ranking,
            };
        });
    }

    fn update_memory(transcript: &mut Transcript, seat: &str, how: MemoryChange, text: &str) {
        change_private(transcript, seat, |own| {
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
    fn is_balloting(&self, transcript: &Transcript) -> bool {
        let vote = transcript.item(&format!("vote/{}", self.round));
        let vote = vote.and_then(|item| item.get::<Vote>());
        vote.is_some_and(|vote| vote.balloting && vote.ballot.is_none()) && !transcript.has_ended()
    }

    fn count_done(transcript: &Transcript, key: &str) -> usize {
        let section = transcript.sections.iter().find(|section| section.key == key);
        let items = section.map_or(&[][..], |section| &section.items);
        let is_done = |key: &&String| transcript.item(key).is_some_and(|item| item.face.done);
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

    fn event(&mut self, transcript: &mut Transcript, event: &Data, entry: &Entry) {
        let Ok(justice_event) = event.read() else {
            return;
        };
        match justice_event {
            Event::StepBegan {
                step, round, seat, ..
            } => self.begin_step(transcript, step, round, seat),
            Event::TargetSet {
                seat,
                target,
                tied,
                note,
                ..
            } => target_set(transcript, seat, target, tied, note, entry),
            Event::Targeted { seat, target, tied } => {
                target_set(transcript, seat, Some(target), tied, None, entry)
            }
            Event::Ranked {
                seat,
                moment,
                ranking,
            } => Self::add_ranking(transcript, seat, moment, ranking, entry),
            Event::Applied(applied) => {
                let (seat, round, bank) = (applied.seat.clone(), applied.round, applied.bank);
                change_private(transcript, &seat, |own| own.bank = bank);
                let section_key = section(transcript, At::Application, round);
                transcript.show(
                    &section_key,
                    &format!("apply/{round}/{seat}"),
                    |meta, shown: &mut Application| {
                        meta.complete(entry);
                        *shown = Application {
                            seat,
                            round,
                            applied: Some(applied),
                        };
                    },
                );
            }
            Event::Remembered { seat, how, text, .. } => Self::update_memory(transcript, &seat, how, &text),
            Event::Ordered { round, seats } => {
                self.pending_speakers.clone_from(&seats);
                let section_key = section(transcript, At::Discussion, round);
                transcript.show(
                    &section_key,
                    &format!("order/{round}"),
                    |meta, shown: &mut Order| {
                        meta.complete(entry);
                        *shown = Order { round, seats };
                    },
                );
            }
            Event::Opened { until, .. } => self.until = Some(until),
            Event::Reasoned { seat, round, text } => {
                let key = statement_key(&seat, round);
                change_statement(transcript, &key, &seat, round, |_, statement| {
                    statement.reasoning = Some(text)
                });
            }
            Event::Spoke {
                seat,
                round,
                text,
                character_count,
                validation,
            } => {
                self.pending_speakers.retain(|name| *name != seat);
                let key = match self.until {
                    Some(_) => format!("said/{}", entry.seq),
                    None => statement_key(&seat, round),
                };
                self.last_message.clone_from(&key);
                change_statement(transcript, &key, &seat, round, |meta, statement| {
                    meta.complete(entry);
                    (statement.text, statement.characters) = (text, character_count);
                    statement.validation = Some(validation);
                });
            }
            Event::Favored {
                seat,
                round,
                principle,
                ..
            } => {
                let key = match self.until {
                    Some(_) => self.last_message.clone(),
                    None => statement_key(&seat, round),
                };
                change_statement(transcript, &key, &seat, round, |_, statement| {
                    statement.favored = Some(principle)
                });
                if let Some(member) = transcript.person_as::<ParticipantData>(&seat) {
                    member.favored = Some(principle);
                }
            }
            Event::Announced { round, notice, text } => {
                let section_key = section(transcript, At::Discussion, round);
                transcript.show(
                    &section_key,
                    &format!("notice/{}", entry.seq),
                    |meta, shown: &mut Notice| {
                        meta.complete(entry);
                        *shown = Notice { round, notice, text };
                    },
                );
            }
            Event::Trimmed { round, dropped } => {
                let section_key = section(transcript, At::Discussion, round);
                transcript.show(
                    &section_key,
                    &format!("trimmed/{}", entry.seq),
                    |meta, shown: &mut Trimmed| {
                        meta.complete(entry);
                        shown.dropped = dropped;
                    },
                );
            }
            Event::Initiation { round, seat, answer } => {
                change_initiation(transcript, round, |meta, initiation| {
                    meta.seq = Some(entry.seq);
                    let member = voter(&mut initiation.members, &seat);
                    (member.answer, member.done) = (Some(answer), true);
                })
            }
            Event::VoteStarted { round, initiator } => {
                change_initiation(transcript, round, |_, initiation| {
                    let member = voter(&mut initiation.members, &initiator);
                    (member.answer, member.done) = (Some(Some(true)), true);
                });
                change_vote(transcript, round, |_, vote| vote.initiator = Some(initiator));
            }
            Event::Confirmed { round, seat, answer } => change_vote(transcript, round, |_, vote| {
                let member = voter(&mut vote.members, &seat);
                (member.answer, member.done) = (Some(answer), true);
            }),
            Event::Confirmation {
                round,
                answers,
                confirmed,
                ..
            } => change_vote(transcript, round, |meta, vote| {
                meta.seq = Some(entry.seq);
                vote.confirmed = Some(confirmed);
                for (seat, answer) in answers {
                    let member = voter(&mut vote.members, &seat);
                    member.answer.get_or_insert(Some(answer));
                    member.done = true;
                }
            }),
            Event::Voted { round, vote: cast } => {
                change_vote(transcript, round, |_, vote| vote.votes.push(cast))
            }
            Event::Counted {
                round,
                agreed,
                amount,
                disagreement,
                tally,
                ..
            } => {
                self.agreed = agreed.map(|agreed| (agreed, amount));
                change_vote(transcript, round, |meta, vote| {
                    meta.complete(entry);
                    vote.ballot = Some(Ballot {
                        round,
                        agreed,
                        amount,
                        disagreement,
                        votes: std::mem::take(&mut vote.votes),
                        tally,
                        within: self.within,
                    });
                });
                transcript.unseal(&format!("vote/{round}"));
            }
            Event::Drawn {
                multiplier,
                distributions,
                probabilities,
                distribution,
                no_consensus,
            } => {
                self.figures = Some(Figures::of(
                    multiplier,
                    &distributions,
                    probabilities,
                    self.agreed,
                ));
                let section_key = section(transcript, At::Results, 0);
                transcript.show(&section_key, "drawn", |meta, shown: &mut DistributionItem| {
                    meta.complete(entry);
                    shown.drawn = Drawn {
                        multiplier,
                        distributions,
                        probabilities,
                        distribution,
                        no_consensus,
                    };
                });
            }
            Event::Paid(paid) => {
                let seat = paid.seat.clone();
                change_private(transcript, &seat, |own| own.bank = paid.bank);
                if let Some(figures) = &mut self.figures {
                    figures.add(&paid);
                }
                let section_key = section(transcript, At::Results, 0);
                transcript.show(
                    &section_key,
                    &format!("paid/{seat}"),
                    |meta, shown: &mut PayoffItem| {
                        meta.complete(entry);
                        (shown.seat, shown.paid) = (seat, Some(paid));
                    },
                );
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
            }),
        }
    }

    /// Memory asks have no item; all attempts of a step share one.
    fn ask_opened(&mut self, transcript: &mut Transcript, ask: &Rc<Ask>) {
        let (seat, id) = (&ask.seat, &ask.id);
        let round = ask.round.unwrap_or(self.round);
        let key = match ask.kind.name() {
            asks::INITIAL_RANKING => place_ranking(transcript, ask, Moment::Initial),
            asks::POST_EXPLANATION_RANKING => place_ranking(transcript, ask, Moment::PostExplanation),
            asks::FINAL_RANKING => place_ranking(transcript, ask, Moment::AfterApplications),
            asks::RESULTS_RANKING => place_ranking(transcript, ask, Moment::AfterResults),
            asks::EXPLANATION => {
                let section_key = section(transcript, At::Explanation, 0);
                let key = format!("explain/{seat}");
                transcript.show(&section_key, &key, |meta, shown: &mut Explanation| {
                    meta.asks.push(id.clone());
                    (shown.seat, shown.shown) = (seat.clone(), self.shown.clone());
                });
                key
            }
            asks::APPLICATION | asks::CONSTRAINT_RETRY => {
                let section_key = section(transcript, At::Application, round);
                let key = format!("apply/{round}/{seat}");
                transcript.show(&section_key, &key, |meta, shown: &mut Application| {
                    meta.asks.push(id.clone());
                    (shown.seat, shown.round) = (seat.clone(), round);
                });
                key
            }
            asks::INTERNAL_REASONING | asks::STATEMENT => {
                let key = statement_key(seat, round);
                change_statement(transcript, &key, seat, round, |meta, _| {
                    meta.asks.push(id.clone())
                });
                key
            }
            asks::VOTE_INITIATION => {
                change_initiation(transcript, round, |_, initiation| {
                    let voter = voter(&mut initiation.members, seat);
                    voter.asks.push(id.clone());
                    voter.has_answered = false;
                });
                format!("init/{round}")
            }
            asks::VOTE_CONFIRMATION => {
                change_vote(transcript, round, |_, vote| {
                    let voter = voter(&mut vote.members, seat);
                    voter.asks.push(id.clone());
                    voter.has_answered = false;
                });
                format!("vote/{round}")
            }
            asks::BALLOT_PRINCIPLE | asks::BALLOT_AMOUNT => {
                change_vote(transcript, round, |_, vote| {
                    let member = voter(&mut vote.members, seat);
                    member.ballots.push(id.clone());
                    member.voting.get_or_insert("open");
                });
                format!("vote/{round}")
            }
            asks::MEMORY_UPDATE => {
                change_private(transcript, seat, |own| own.rewritten_by = Some(id.clone()));
                return;
            }
            _ => return,
        };
        let is_ballot = matches!(ask.kind.name(), asks::BALLOT_PRINCIPLE | asks::BALLOT_AMOUNT);
        transcript.place(id, &key, is_ballot);
    }

    fn ask_settled(&mut self, transcript: &mut Transcript, ask: &Rc<Ask>) {
        let round = ask.round.unwrap_or(self.round);
        match ask.kind.name() {
            // A participant that is asked for an amount has already voted.
            asks::BALLOT_PRINCIPLE => {
                transcript.change(&format!("vote/{round}"), |_, vote: &mut Vote| {
                    voter(&mut vote.members, &ask.seat).voting = Some("cast");
                });
            }
            asks::VOTE_INITIATION => {
                transcript.change(&format!("init/{round}"), |_, initiation: &mut Initiation| {
                    voter(&mut initiation.members, &ask.seat).has_answered = true;
                });
            }
            asks::VOTE_CONFIRMATION => {
                transcript.change(&format!("vote/{round}"), |_, vote: &mut Vote| {
                    voter(&mut vote.members, &ask.seat).has_answered = true;
                });
            }
            asks::EXPLANATION => {
                let asked = transcript.ask(&ask.id);
                let reply = asked.and_then(|asked| Some(asked.log.reply()?.0.text.clone()));
                transcript.change(
                    &format!("explain/{}", ask.seat),
                    |meta, explanation: &mut Explanation| {
                        meta.done = true;
                        explanation.reply = reply.unwrap_or_default();
                    },
                );
            }
            _ => {}
        }
    }

    /// Returns `speaking`, `thinking`, `remembering`, `voting`, `queued` or `failed`.
    fn activity(&self, transcript: &Transcript, name: &str) -> Option<&'static str> {
        // An ask for an amount reveals a vote for a constraint: until the count, all participants look alike.
        if self.is_balloting(transcript) {
            return Some("voting");
        }
        let person = transcript.find_person(name)?;
        let mut activity = None;
        for open_ask in person.open.iter().filter_map(|id| transcript.ask(id)) {
            activity = Some(match (open_ask.log.state, open_ask.log.ask.kind.name()) {
                // In an open talk everybody has a question all the time.
                (_, asks::MESSAGE) => continue,
                ("failed" | "timed_out", _) => return Some("failed"),
                ("waiting", _) => activity.unwrap_or("queued"),
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
        let is_own = transcript.is_owner() || transcript.role.seat() == Some(name);
        if is_own || transcript.has_ended() {
            return activity;
        }
        // For other participants, the step of the round determines the activity.
        match self.round_step {
            Some("discussion") if self.pending_speakers.first().is_some_and(|first| first == name) => {
                Some("speaking")
            }
            Some("vote_confirmation") => Some("voting"),
            _ => None,
        }
    }

    fn steps(&self, transcript: &Transcript) -> Vec<Step> {
        let seats = match transcript.role {
            Role::Owner => transcript.people.len().max(1),
            Role::Seat(_) => 1,
            Role::Audience => 0,
        };
        let is_past = self.round > 0 || self.has_results;
        let mut steps = Vec::new();
        let is_asked = |step: &At| {
            self.rankings == Rankings::All || !matches!(step, At::PostExplanationRanking | At::FinalRanking)
        };
        for own in PHASE1_STEPS.into_iter().filter(is_asked) {
            let rounds = if own == At::Application {
                APPLICATION_ROUNDS
            } else {
                1
            };
            let key = |round: u32| match own {
                At::Application => format!("1/application/{round}"),
                _ => format!("1/{}", step_name(own)),
            };
            let counts: Vec<usize> = (1..=rounds)
                .map(|round| Self::count_done(transcript, &key(round)))
                .collect();
            let round = counts.iter().filter(|count| **count >= seats).count() as u32 + 1;
            let (finished, of) = (counts.iter().sum(), seats * rounds as usize);
            let is_done = is_past || (of > 0 && finished >= of);
            steps.push(Step {
                step: step_name(own),
                phase: Some(1),
                round: if own == At::Application {
                    round.min(APPLICATION_ROUNDS)
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
        let over = self.has_results || transcript.has_ended();
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
            state: match (transcript.has_ended(), self.has_results) {
                (true, _) => "done",
                (false, true) => "current",
                (false, false) => "coming",
            },
            key: "2/results".to_owned(),
            ..Step::default()
        });
        if !transcript.has_ended()
            && steps.iter().all(|step| step.state != "current")
            && let Some(open) = steps.iter_mut().find(|step| step.state == "coming")
        {
            open.state = "current";
        }
        steps
    }

    fn next_speakers(&self, _transcript: &Transcript) -> Vec<String> {
        self.pending_speakers.clone()
    }

    fn section_title(&self, section: &Section, words: &Words) -> String {
        match section.step {
            "round" => words.text("view.round", &[("round", &section.round)]),
            "application" => words.text("step.application.round", &[("round", &section.round)]),
            step => words.text(&format!("step.{step}"), &[]),
        }
    }

    fn results(&self, transcript: &Transcript, words: &Words) -> Vec<Block> {
        let [first, .., last] = MOMENTS;
        let results = Results {
            transcript,
            words,
            wording: self.wording,
            moments: match self.rankings {
                Rankings::All => &MOMENTS,
                Rankings::FirstAndLast => &[first, last],
            },
        };
        let mut blocks = results.blocks();
        let warnings = self.warnings.iter().map(|warning| warning.text(words));
        blocks.extend(warning_section(warnings, words));
        blocks
    }

    fn details(&self, transcript: &Transcript) -> Value {
        let mut details = json!(self);
        if let (Some(result), true) = (&transcript.result, self.figures.is_some()) {
            details["figures"]["minds"] = match &result["minds"] {
                Value::Null => json!(Minds::of(result, |_| true)),
                published => published.clone(),
            };
        }
        details
    }
}

fn place_ranking(transcript: &mut Transcript, ask: &Ask, moment: Moment) -> String {
    let section_key = section(transcript, ranking_step(moment), 0);
    let key = format!("rank/{}/{}", crate::core::data::variant_name(&moment), ask.seat);
    transcript.show(&section_key, &key, |meta, shown: &mut Ranked| {
        meta.asks.push(ask.id.clone());
        (shown.seat, shown.moment) = (ask.seat.clone(), Some(moment));
    });
    key
}

fn target_set(
    transcript: &mut Transcript,
    seat: String,
    target: Option<Principle>,
    tied: Vec<Principle>,
    note: Option<String>,
    entry: &Entry,
) {
    if let Some(member) = transcript.person_as::<ParticipantData>(&seat) {
        (member.manipulator, member.target) = (true, target);
    }
    let section_key = section(transcript, At::Discussion, 1);
    let key = format!("target/{seat}");
    transcript.show(&section_key, &key, |meta, shown: &mut Target| {
        meta.complete(entry);
        *shown = Target {
            seat,
            target,
            tied,
            note,
        };
    });
}
