//! Rows for statistics about a debate: outcome, participants, critiques, votes, points and utterances.

use super::asks;
use super::event::{Answered, Event, Group, View};
use super::settings;
use super::settings::debaters::Debater;
use crate::core::ask_log::AskLog;
use crate::procedures::report::{
    About, CONSENSUS, Cell, Column, ColumnKind, DECISION, DecisionColumns, PlacedEvent, ROLE, ROUNDS,
    ReportRows, ReportSource, Rows, TARGET, UTTERANCE, UtteranceColumns, WARNINGS, YES,
};
use crate::reading::critique::Critique;
use crate::reading::vote::Vote;
use serde_json::Value;

const fn text(name: &'static str, meaning: &'static str) -> About {
    About::new(name, ColumnKind::Text, meaning)
}

const fn count(name: &'static str, meaning: &'static str) -> About {
    About::new(name, ColumnKind::Integer, meaning)
}

const fn share(name: &'static str, meaning: &'static str) -> About {
    About::new(name, ColumnKind::Number, meaning).unit("0 to 1")
}

const fn points(name: &'static str, meaning: &'static str) -> About {
    About::new(name, ColumnKind::Number, meaning).unit("0 to 10")
}

struct RunColumns {
    result: Value,
    question: Value,
    likeness: Option<f64>,
    votes: [usize; 3],
    failures: usize,
}

const RUN: &[Column<RunColumns>] = &[
    text("question", "what was to be answered").from(|row| (&row.question).into()),
    text("status", "what the debate came to")
        .values("consensus_reached no_consensus insufficient_participation converged failed")
        .from(|row| (&row.result["status"]).into()),
    CONSENSUS.from(|row| (&row.result["consensus_reached"]).into()),
    share(
        "confidence",
        "confidence in the outcome; by convergence, the mean likeness of the proposals",
    )
    .from(|row| (&row.result["confidence"]).into()),
    text("consensus_strength", "how strong the consensus is")
        .values("unanimous strong medium weak none")
        .from(|row| (&row.result["consensus_strength"]).into()),
    text("decided_by", "mode of consensus that decided, or convergence")
        .from(|row| (&row.result["decided_by"]).into()),
    text("winner", "whose proposal won, or leads").from(|row| (&row.result["winner"]).into()),
    text("judge", "who judged").from(|row| (&row.result["judge"]).into()),
    ROUNDS.from(|row| (&row.result["rounds_used"]).into()),
    count("votes_cast", "votes for a proposal, of the last round of votes").from(|row| row.votes[0].into()),
    count("votes_abstained", "abstentions in it").from(|row| row.votes[1].into()),
    count(
        "votes_missing",
        "votes in it that could not be read or did not come; they are no abstentions",
    )
    .from(|row| row.votes[2].into()),
    share(
        "likeness",
        "how alike the proposals were at the last check, mean of all pairs",
    )
    .from(|row| row.likeness.into()),
    text("final_answer", "the answer").from(|row| (&row.result["final_answer"]).into()),
    WARNINGS.from(|row| row.failures.into()),
];

#[derive(Default)]
struct SeatColumns {
    name: String,
    debater: Option<Debater>,
    proposals: u32,
    characters: Option<usize>,
    made: Vec<Option<f64>>,
    received: Vec<Option<f64>>,
    vote: Option<Cast>,
    vote_missing: Option<String>,
    votes_received: Option<u32>,
    points: Option<f64>,
    failures: usize,
    result: Value,
}

#[derive(Clone)]
struct Cast {
    choice: Option<String>,
    confidence: Option<f64>,
    words: Option<String>,
}

impl Cast {
    fn kind(&self) -> &'static str {
        match (&self.choice, &self.words) {
            (Some(_), _) => "for",
            (None, Some(_)) => "other_words",
            (None, None) => "abstained",
        }
    }
}

fn mean(severities: &[Option<f64>]) -> Cell {
    let known: Vec<f64> = severities.iter().flatten().copied().collect();
    (!known.is_empty())
        .then(|| known.iter().sum::<f64>() / known.len() as f64)
        .into()
}

const VOTED: About = text(
    "vote",
    "what was voted; empty: see the reason. other_words: words that name none of the proposals",
)
.values("for abstained other_words");

const SEATS: &[Column<SeatColumns>] = &[
    ROLE.from(|row| row.debater.as_ref().map(|debater| debater.role.name()).into()),
    text("stance", "where the participant was told to stand")
        .values("affirmative negative neutral")
        .from(|row| row.debater.as_ref().map(|debater| debater.stance.name()).into()),
    count("proposals", "versions of the own proposal").from(|row| row.proposals.into()),
    count("proposal_characters", "length of the last version")
        .unit("Unicode scalar values")
        .from(|row| row.characters.into()),
    count("critiques_made", "critiques of others' proposals").from(|row| row.made.len().into()),
    points("severity_made", "their mean severity, of those that name one").from(|row| mean(&row.made)),
    count("critiques_received", "critiques of the own proposal").from(|row| row.received.len().into()),
    points("severity_received", "their mean severity, of those that name one")
        .from(|row| mean(&row.received)),
    VOTED.from(|row| row.vote.as_ref().map(Cast::kind).into()),
    text("vote_choice", "whose proposal")
        .from(|row| row.vote.as_ref().and_then(|vote| vote.choice.clone()).into()),
    share("vote_confidence", "how sure, where it was said")
        .from(|row| row.vote.as_ref().and_then(|vote| vote.confidence).into()),
    text("vote_missing", "why there is no vote, of those who were to vote")
        .from(|row| row.vote_missing.clone().into()),
    count("votes_received", "votes for the own proposal").from(|row| row.votes_received.into()),
    points("points", "points of the judge").from(|row| row.points.into()),
    About::new("won", ColumnKind::Flag, "whether the own proposal won or leads").from(|row| {
        let has_ended = !row.result.is_null();
        has_ended
            .then(|| row.result["winner"] == row.name.as_str())
            .into()
    }),
    count("failures", "questions that brought nothing that could be used").from(|row| row.failures.into()),
];

#[derive(Default)]
struct DecisionRow {
    target: Option<String>,
    severity: Option<f64>,
    issues: Option<usize>,
    suggestions: Option<usize>,
    vote: Option<Cast>,
    yes: Option<bool>,
    confidence: Option<f64>,
    points: Option<f64>,
}

const DECIDED: &[Column<DecisionRow>] = &[
    TARGET.from(|row| row.target.clone().into()),
    points("severity", "severity of a critique, where it was said").from(|row| row.severity.into()),
    count("issues", "issues that a critique names, 5 at most").from(|row| row.issues.into()),
    count("suggestions", "suggestions that it makes, 5 at most").from(|row| row.suggestions.into()),
    VOTED.from(|row| row.vote.as_ref().map(Cast::kind).into()),
    text("vote_words", "words that name none of the proposals")
        .from(|row| row.vote.as_ref().and_then(|vote| vote.words.clone()).into()),
    YES.from(|row| row.yes.into()),
    share("confidence", "how sure, where it was said").from(|row| row.confidence.into()),
    points("points", "points of the judge for the target's proposal").from(|row| row.points.into()),
];

/// Metadata of an utterance.
#[derive(Default)]
struct UtteranceRow {
    target: Option<String>,
    version: Option<u32>,
    issues: String,
    suggestions: String,
}

const WORDS: &[Column<UtteranceRow>] = &[
    TARGET.from(|row| row.target.clone().into()),
    count("version", "which version of a proposal, from 1").from(|row| row.version.into()),
    text("issues", "what is wrong, by a critique, one a line").from(|row| row.issues.as_str().into()),
    text("suggestions", "what would help, by a critique, one a line")
        .from(|row| row.suggestions.as_str().into()),
];

pub(in crate::procedures) fn report(source: &ReportSource) -> ReportRows {
    let seated = source.seated();
    let checked = settings::check(&source.head.config).ok();
    let debater = |name: &str| {
        let debaters = &checked.as_ref()?.settings.debaters;
        debaters.iter().find(|debater| debater.seat.name == name).cloned()
    };
    let result = source.result();
    let member = |name: &String| SeatColumns {
        name: name.clone(),
        debater: debater(name),
        result: result.clone(),
        ..SeatColumns::default()
    };
    let mut sheet = Sheet {
        source,
        run: RunColumns {
            result: result.clone(),
            question: source.head.config["question"].clone(),
            likeness: None,
            votes: [0; 3],
            failures: 0,
        },
        members: seated.iter().map(member).collect(),
        order: Vec::new(),
        grouped: Vec::new(),
        counted: Vec::new(),
        decisions: Vec::new(),
        decided: Vec::new(),
        utterances: Vec::new(),
        words: Vec::new(),
    };
    for event in source.events::<Event>() {
        sheet.apply(&event);
    }
    sheet.add_unanswered();
    ReportRows {
        run: Rows::of(RUN, &[sheet.run]),
        seats: Rows::of(SEATS, &sheet.members),
        seated,
        decisions: Rows::of(DECISION, &sheet.decisions).beside(Rows::of(DECIDED, &sheet.decided)),
        utterances: Rows::of(UTTERANCE, &sheet.utterances).beside(Rows::of(WORDS, &sheet.words)),
    }
}

struct Sheet<'a> {
    source: &'a ReportSource<'a>,
    run: RunColumns,
    members: Vec<SeatColumns>,
    /// Authors in the order of the judge's labels.
    order: Vec<String>,
    /// Groups of free-text choices since the last count.
    grouped: Vec<Group>,
    /// Rounds with recorded votes.
    counted: Vec<u32>,
    decisions: Vec<DecisionColumns>,
    decided: Vec<DecisionRow>,
    utterances: Vec<UtteranceColumns>,
    words: Vec<UtteranceRow>,
}

impl Sheet<'_> {
    fn member(&mut self, name: &str) -> Option<&mut SeatColumns> {
        self.members.iter_mut().find(|member| member.name == name)
    }

    fn find_ask(&self, seat: &str, kind: &str, round: u32, at: &PlacedEvent<Event>) -> Option<&AskLog> {
        self.source.asks.last(seat, kind, Some(round), at.seq)
    }

    fn add_decision(
        &mut self,
        kind: &'static str,
        ask: &str,
        seat: &str,
        round: u32,
        at: &PlacedEvent<Event>,
        decided: Option<DecisionRow>,
    ) {
        let asked = self.find_ask(seat, ask, round, at);
        let made = self
            .source
            .decision(kind, seat, (1, Some(round)), at, asked, decided.is_some());
        self.decisions.push(made);
        self.decided.push(decided.unwrap_or_default());
    }

    #[expect(clippy::too_many_arguments, reason = "one per column of an utterance")]
    fn add_utterance(
        &mut self,
        kind: &'static str,
        ask: &str,
        seat: &str,
        round: u32,
        text: &str,
        at: &PlacedEvent<Event>,
        words: UtteranceRow,
    ) {
        if text.is_empty() && words.issues.is_empty() && words.suggestions.is_empty() {
            return;
        }
        let ask = self
            .find_ask(seat, ask, round, at)
            .map(|asked| asked.ask.id.clone());
        self.utterances.push(UtteranceColumns {
            ask,
            ..self.source.utterance(kind, seat, round, text, at)
        });
        self.words.push(words);
    }

    #[allow(clippy::too_many_lines, reason = "one arm per event")]
    fn apply(&mut self, at: &PlacedEvent<Event>) {
        match &at.event {
            Event::Proposed {
                round,
                seat,
                version,
                text,
            } => {
                let kinds = [asks::PROPOSAL, asks::REVISION, asks::REFINEMENT];
                let ask = kinds
                    .into_iter()
                    .find(|kind| self.find_ask(seat, kind, *round, at).is_some());
                let words = UtteranceRow {
                    version: Some(*version),
                    ..UtteranceRow::default()
                };
                self.add_utterance(
                    "proposal",
                    ask.unwrap_or(asks::PROPOSAL),
                    seat,
                    *round,
                    text,
                    at,
                    words,
                );
                if let Some(member) = self.member(seat) {
                    member.proposals = *version;
                    member.characters = Some(text.chars().count());
                }
            }
            Event::Criticised {
                round,
                seat,
                target,
                critique,
            } => self.add_critique(seat, target, *round, critique, at),
            Event::Compared(check) => self.run.likeness = Some(check.inter_agent.mean),
            Event::JudgeSelected { order, .. } => self.order.clone_from(order),
            Event::Judged {
                round,
                seat,
                evaluation,
                points,
                conclusive,
            } => {
                for given in points {
                    let decided = given.given.then(|| DecisionRow {
                        points: Some(given.score),
                        yes: Some(*conclusive),
                        confidence: evaluation.confidence,
                        ..DecisionRow::default()
                    });
                    self.add_decision("judgement", asks::JUDGEMENT, seat, *round, at, decided);
                    if let Some(last) = self.decided.last_mut() {
                        last.target = Some(given.proposer.clone());
                    }
                    if let Some(member) = self.member(&given.proposer).filter(|_| given.given) {
                        member.points = Some(given.score);
                    }
                }
                for score in &evaluation.scores {
                    let target = self.proposer(&score.label);
                    let words = UtteranceRow {
                        target,
                        ..UtteranceRow::default()
                    };
                    self.add_utterance(
                        "comment",
                        asks::JUDGEMENT,
                        seat,
                        *round,
                        &score.comment,
                        at,
                        words,
                    );
                }
                let words = UtteranceRow::default();
                self.add_utterance(
                    "synthesis",
                    asks::JUDGEMENT,
                    seat,
                    *round,
                    &evaluation.synthesis,
                    at,
                    words,
                );
            }
            Event::Grouped { groups, .. } => self.grouped.clone_from(groups),
            Event::Counted { round, decision }
                if !self.counted.contains(round) && self.add_votes(*round, &decision.tally.failed, at) =>
            {
                self.counted.push(*round);
                for row in &decision.tally.rows {
                    if let Some(member) = self.member(&row.choice) {
                        member.votes_received = Some(row.votes);
                    }
                }
            }
            Event::Ready { round, seats, .. } => {
                for (seat, confidence) in seats {
                    let decided = DecisionRow {
                        yes: Some(true),
                        confidence: *confidence,
                        ..DecisionRow::default()
                    };
                    self.add_decision("readiness", asks::REVISION, seat, *round, at, Some(decided));
                }
            }
            Event::Polled { round, answers, .. } => {
                self.add_answers("poll", asks::POLL, *round, answers, None, at)
            }
            Event::Settled {
                round, seat, said, ..
            } => {
                let decided = DecisionRow {
                    yes: Some(said.conclusive),
                    confidence: said.confidence,
                    ..DecisionRow::default()
                };
                self.add_decision("termination", asks::TERMINATION, seat, *round, at, Some(decided));
            }
            Event::Prepared(view) => self.add_view("prepare", asks::PREPARE, view, at),
            Event::Committed(view) => self.add_view("commit", asks::COMMIT, view, at),
            Event::SeatFailed { seat, .. } => {
                self.run.failures += 1;
                if let Some(member) = self.member(seat) {
                    member.failures += 1;
                }
            }
            _ => {}
        }
    }

    fn add_critique(
        &mut self,
        seat: &str,
        target: &str,
        round: u32,
        critique: &Critique,
        at: &PlacedEvent<Event>,
    ) {
        let decided = DecisionRow {
            severity: critique.severity,
            issues: Some(critique.issues.len()),
            suggestions: Some(critique.suggestions.len()),
            ..DecisionRow::default()
        };
        // A critic answers one question per proposal and round; the id contains the author.
        let about = format!("/{target}/{seat}#");
        let of_target = |asked: &&AskLog| {
            asked.ask.kind.name() == asks::CRITIQUE
                && asked.seq < at.seq
                && asked.ask.round == Some(round)
                && asked.ask.id.contains(&about)
        };
        let asked = self.source.asks.all.iter().rev().find(of_target);
        let made = self
            .source
            .decision("critique", seat, (1, Some(round)), at, asked, true);
        let ask = asked.map(|asked| asked.ask.id.clone());
        self.decisions.push(made);
        self.decided.push(DecisionRow {
            target: Some(target.to_owned()),
            ..decided
        });
        let words = UtteranceRow {
            target: Some(target.to_owned()),
            version: None,
            issues: critique.issues.join("\n"),
            suggestions: critique.suggestions.join("\n"),
        };
        self.add_utterance(
            "critique",
            asks::CRITIQUE,
            seat,
            round,
            &critique.reasoning,
            at,
            words,
        );
        if let Some(last) = self.utterances.last_mut().filter(|last| last.seq == at.seq) {
            last.ask = ask;
        }
        let severity = critique.severity;
        if let Some(member) = self.member(seat) {
            member.made.push(severity);
        }
        if let Some(member) = self.member(target) {
            member.received.push(severity);
        }
    }

    /// Records the votes of a round, including unreadable and missing ones. Returns `false` if there are
    /// none.
    fn add_votes(&mut self, round: u32, failed: &[String], at: &PlacedEvent<Event>) -> bool {
        let asks = self.source.asks;
        let was_asked = |name: &str| asks.last(name, asks::VOTE, Some(round), at.seq).is_some();
        let names: Vec<String> = self.members.iter().map(|member| member.name.clone()).collect();
        if !names.iter().any(|name| was_asked(name)) {
            return false;
        }
        self.run.votes = [0; 3];
        let grouped = std::mem::take(&mut self.grouped);
        for name in names
            .iter()
            .filter(|name| was_asked(name) || failed.contains(name))
        {
            let asked = asks.last(name, asks::VOTE, Some(round), at.seq);
            let read = asked.and_then(|asked| serde_json::from_value::<Vote>(asked.value()?.clone()).ok());
            let group = grouped.iter().find(|group| group.voters.contains(name));
            let cast = read.as_ref().map(|vote| Cast {
                choice: vote.choice.clone().or_else(|| group?.choice.clone()),
                confidence: vote.confidence,
                words: vote.words.clone(),
            });
            let decided = cast.clone().map(|cast| DecisionRow {
                target: cast.choice.clone(),
                confidence: cast.confidence,
                vote: Some(cast),
                ..DecisionRow::default()
            });
            self.add_decision("vote", asks::VOTE, name, round, at, decided);
            let missing = self
                .decisions
                .last()
                .and_then(DecisionColumns::missing)
                .map(str::to_owned);
            self.run.votes[match &cast {
                Some(cast) if cast.choice.is_some() => 0,
                Some(_) => 1,
                None => 2,
            }] += 1;
            if let Some(vote) = read {
                let words = UtteranceRow {
                    target: cast.as_ref().and_then(|cast| cast.choice.clone()),
                    ..UtteranceRow::default()
                };
                self.add_utterance("vote_reason", asks::VOTE, name, round, &vote.reasoning, at, words);
            }
            if let Some(member) = self.member(name) {
                member.vote = cast;
                member.vote_missing = missing;
            }
        }
        true
    }

    fn add_view(&mut self, kind: &'static str, ask: &str, view: &View, at: &PlacedEvent<Event>) {
        self.add_answers(kind, ask, view.round, &view.answers, Some(&view.leader), at);
    }

    fn add_answers(
        &mut self,
        kind: &'static str,
        ask: &str,
        round: u32,
        answers: &[Answered],
        target: Option<&String>,
        at: &PlacedEvent<Event>,
    ) {
        for answer in answers {
            let decided = answer.yes.map(|yes| DecisionRow {
                yes: Some(yes),
                ..DecisionRow::default()
            });
            self.add_decision(kind, ask, &answer.seat, round, at, decided);
            if let Some(last) = self.decided.last_mut() {
                last.target = target.cloned();
            }
        }
    }

    /// Adds rows for critiques, judgements and termination checks without a usable answer.
    fn add_unanswered(&mut self) {
        let place = |id: &str| {
            id.rsplit_once('#')
                .map_or(String::new(), |(place, _)| place.to_owned())
        };
        let mut known: Vec<String> = self
            .decisions
            .iter()
            .filter_map(|made| Some(place(made.ask()?)))
            .collect();
        for asked in self.source.asks.all.iter().rev() {
            let ask = &asked.ask;
            let kind = match ask.kind.name() {
                asks::CRITIQUE => "critique",
                asks::JUDGEMENT => "judgement",
                asks::TERMINATION => "termination",
                _ => continue,
            };
            let Some(at) = asked.done_at.filter(|_| !known.contains(&place(&ask.id))) else {
                continue;
            };
            known.push(place(&ask.id));
            let happened = PlacedEvent {
                seq: asked.seq,
                at,
                event: (),
            };
            let made = self
                .source
                .decision(kind, &ask.seat, (1, ask.round), &happened, Some(asked), false);
            let about = ask.id.split('/').nth(3).filter(|_| kind == "critique");
            self.decisions.push(made);
            self.decided.push(DecisionRow {
                target: about.map(str::to_owned),
                ..DecisionRow::default()
            });
        }
    }

    /// Returns the author behind a label shown to the judge, which ends with a number.
    fn proposer(&self, label: &str) -> Option<String> {
        let digits = label.trim_end_matches(|c: char| !c.is_ascii_digit());
        let number = digits.rsplit(|c: char| !c.is_ascii_digit()).next()?;
        self.order
            .get(number.parse::<usize>().ok()?.checked_sub(1)?)
            .cloned()
    }
}
