//! What is shown: the items of the transcript and the participants, in words.

use super::wording::{class, distributions, missing, payoff, principle, principles, ranking};
use crate::core::block::{Block, Choice, Table, Tone, Vote as VoteLine};
use crate::core::view::TypedData;
use crate::language::format::{amount, participant_list};
use crate::language::words::Words;
use crate::principle::{Principle, Ranking};
use crate::procedures::justice::asks;
use crate::procedures::justice::event::{
    AppliedRound, BallotVote, Moment, Payout, RuleCount, Validation, VoteStatus,
};
use crate::procedures::justice::prompts::parts;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Display;

fn toned(tone: Tone, key: &str, values: &[(&str, &dyn Display)], words: &Words) -> Block {
    Block::toned(tone, words.text(key, values))
}

fn fold(key: &str, blocks: Vec<Block>, words: &Words) -> Block {
    let title = words.text(key, &[]);
    Block::Fold { title, blocks }
}

/// A ranking, given or pending.
#[derive(Debug, Default, Serialize)]
pub(super) struct Ranked {
    pub(super) seat: String,
    pub(super) moment: Option<Moment>,
    #[serde(skip)]
    pub(super) is_given: bool,
    pub(super) ranking: Option<Ranking>,
}

impl TypedData for Ranked {
    const TYPE: &'static str = "ranking";

    fn seat(&self) -> Option<&str> {
        Some(&self.seat)
    }

    fn is_projected(&self) -> bool {
        true
    }

    fn blocks(&self, words: &Words, _: &Value) -> Vec<Block> {
        if !self.is_given {
            return Vec::new();
        }
        let certainty = self.ranking.as_ref().and_then(|ranking| ranking.certainty);
        let certainty = certainty.map(|certainty| parts::certainty_name(words, Some(certainty)));
        let tag = certainty.map(|certainty| Block::toned(Tone::Tag, certainty));
        let ranking = ranking(self.ranking.as_ref(), words);
        tag.into_iter().chain([ranking]).collect()
    }
}

/// The worked examples and a participant's reply to them.
#[derive(Debug, Default, Serialize)]
pub(super) struct Explanation {
    pub(super) seat: String,
    pub(super) shown: Examples,
    #[serde(skip)]
    pub(super) reply: String,
}

#[derive(Debug, Clone, Default, Serialize)]
pub(super) struct Examples {
    pub(super) distributions: Vec<[u32; 5]>,
    pub(super) probabilities: Option<[f64; 5]>,
    pub(super) examples: Vec<Example>,
}

#[derive(Debug, Clone, Serialize)]
pub(super) struct Example {
    pub(super) principle: Principle,
    pub(super) amount: Option<u32>,
    /// From 1.
    pub(super) distribution: usize,
    pub(super) constraint_met: bool,
}

impl TypedData for Explanation {
    const TYPE: &'static str = "explanation";

    fn seat(&self) -> Option<&str> {
        Some(&self.seat)
    }

    fn blocks(&self, words: &Words, _: &Value) -> Vec<Block> {
        let shown = &self.shown;
        let row = |example: &Example| {
            let key = if example.constraint_met {
                "view.example.picks"
            } else {
                "view.example.unmet"
            };
            vec![
                principle(example.principle, example.amount, words).name,
                words.text(key, &[("number", &example.distribution)]),
            ]
        };
        let examples = Block::Table(Table {
            title: words.text("view.examples", &[]),
            columns: ["view.principle", "view.example"]
                .map(|key| words.text(key, &[]))
                .to_vec(),
            rows: shown.examples.iter().map(row).collect(),
            ..Table::default()
        });
        let distributions = distributions(&shown.distributions, shown.probabilities, None, None, words);
        let explained = fold(
            "view.explained",
            vec![principles(words), distributions, examples],
            words,
        );
        Block::quote(&self.reply).into_iter().chain([explained]).collect()
    }
}

/// An application round of one participant.
#[derive(Debug, Default, Serialize)]
pub(super) struct Application {
    pub(super) seat: String,
    pub(super) round: u32,
    /// The outcome, once the round is over.
    pub(super) applied: Option<AppliedRound>,
}

impl TypedData for Application {
    const TYPE: &'static str = "application";

    fn seat(&self) -> Option<&str> {
        Some(&self.seat)
    }

    fn is_projected(&self) -> bool {
        true
    }

    fn blocks(&self, words: &Words, _: &Value) -> Vec<Block> {
        let Some(applied) = &self.applied else {
            return Vec::new();
        };
        let mut blocks = Vec::new();
        match applied.principle {
            Some(chosen) => blocks.push(Block::choice("", principle(chosen, applied.amount, words))),
            None => blocks.push(Block::choice("", missing("view.application.none", words))),
        }
        if let (Some(id), Some(income)) = (&applied.class, applied.income) {
            blocks.push(Block::toned(Tone::Quiet, earned(id, income, words)));
        }
        if applied.constraint_met == Some(false) {
            blocks.push(toned(Tone::Note, "view.application.unmet", &[], words));
        }
        let drawn = applied.class.as_deref();
        let table = distributions(
            &applied.distributions,
            applied.probabilities,
            applied.distribution,
            drawn,
            words,
        );
        blocks.push(fold("view.application.distributions", vec![table], words));
        let text = payoff(applied.payoff, words);
        blocks.push(Block::Measure { text });
        blocks
    }
}

fn earned(id: &str, income: u32, words: &Words) -> String {
    let (class, income) = (class(id, words), amount(income));
    words.text("view.earned", &[("class", &class), ("income", &income)])
}

/// A statement and the private reasoning before it.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Statement {
    pub(super) seat: String,
    pub(super) round: u32,
    pub(super) reasoning: Option<String>,
    pub(super) text: String,
    pub(super) characters: u32,
    pub(super) validation: Option<Validation>,
    pub(super) favored: Option<Principle>,
}

impl TypedData for Statement {
    const TYPE: &'static str = "statement";

    fn seat(&self) -> Option<&str> {
        Some(&self.seat)
    }

    fn is_speech(&self) -> bool {
        self.validation != Some(Validation::Skipped)
    }

    fn blocks(&self, words: &Words, _: &Value) -> Vec<Block> {
        let mut blocks = Vec::new();
        blocks.extend(self.favored.map(|favored| favors(favored, words)));
        if let Some(reasoning) = self.reasoning.as_deref().and_then(Block::quote) {
            blocks.push(fold("view.reasoning", vec![reasoning], words));
        }
        match self.validation {
            None => {}
            Some(Validation::Skipped) => {
                blocks.push(toned(Tone::Quiet, "view.statement.skipped", &[], words))
            }
            Some(validation) => {
                blocks.extend(Block::quote(&self.text));
                if validation == Validation::BestEffort {
                    blocks.push(toned(Tone::Note, "view.statement.best_effort", &[], words));
                }
            }
        }
        blocks
    }
}

fn favors(favored: Principle, words: &Words) -> Block {
    Block::choice(words.text("view.favors", &[]), principle(favored, None, words))
}

/// The speaking order of a round.
#[derive(Debug, Default, Serialize)]
pub(super) struct Order {
    pub(super) round: u32,
    pub(super) seats: Vec<String>,
}

impl TypedData for Order {
    const TYPE: &'static str = "order";

    fn blocks(&self, words: &Words, _: &Value) -> Vec<Block> {
        let names = participant_list(words.language(), &self.seats);
        vec![toned(Tone::Quiet, "view.order", &[("names", &names)], words)]
    }
}

/// A notice of the lab in the public history.
#[derive(Debug, Default, Serialize)]
pub(super) struct Notice {
    pub(super) round: u32,
    pub(super) notice: String,
    pub(super) text: String,
}

/// Notices that repeat what the item of the vote or of the statement shows.
const REPEATED: [&str; 4] = [
    "confirmations",
    "consensus",
    "no_consensus",
    "statement_unavailable",
];

impl TypedData for Notice {
    const TYPE: &'static str = "notice";

    fn blocks(&self, _: &Words, _: &Value) -> Vec<Block> {
        let is_repeated = REPEATED.contains(&self.notice.as_str());
        let tone = if is_repeated { Tone::Quiet } else { Tone::Plain };
        vec![Block::toned(tone, self.text.clone())]
    }
}

/// Statements that are no longer in prompts.
#[derive(Debug, Default, Serialize)]
pub(super) struct Trimmed {
    pub(super) dropped: u32,
}

impl TypedData for Trimmed {
    const TYPE: &'static str = "trimmed";

    fn blocks(&self, words: &Words, _: &Value) -> Vec<Block> {
        let text = words.counted("view.trimmed", self.dropped.into(), &[]);
        vec![Block::toned(Tone::Quiet, text)]
    }
}

/// The task of a manipulator.
#[derive(Debug, Default, Serialize)]
pub(super) struct Target {
    pub(super) seat: String,
    pub(super) target: Option<Principle>,
    pub(super) tied: Vec<Principle>,
    pub(super) note: Option<String>,
}

impl TypedData for Target {
    const TYPE: &'static str = "target";

    fn seat(&self) -> Option<&str> {
        Some(&self.seat)
    }

    fn blocks(&self, words: &Words, _: &Value) -> Vec<Block> {
        vec![target(self.target, words)]
    }
}

fn target(target: Option<Principle>, words: &Words) -> Block {
    match target {
        Some(target) => {
            let name = parts::principle_name(words, target);
            toned(Tone::Private, "view.target", &[("principle", &name)], words)
        }
        None => toned(Tone::Private, "view.target.none", &[], words),
    }
}

/// A participant's part in a vote.
#[derive(Debug, Default, Serialize)]
pub(super) struct Voter {
    pub(super) seat: String,
    /// Answer to a request for a vote or to its confirmation. Null: unreadable; absent: unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) answer: Option<Option<bool>>,
    pub(super) done: bool,
    pub(super) asks: Vec<String>,
    /// Whether the last of the asks is answered.
    #[serde(skip)]
    pub(super) has_answered: bool,
    pub(super) ballots: Vec<String>,
    /// `open` or `cast`, if visible to the role.
    pub(super) voting: Option<&'static str>,
}

impl Voter {
    /// `kind`: of the question that it answers.
    fn answer(&self, kind: &'static str, words: &Words) -> VoteLine {
        let text = |key| words.text(key, &[]);
        let choice = match self.answer {
            Some(Some(true)) => Choice::named(text("view.answer.yes")),
            Some(Some(false)) => Choice::named(text("view.answer.no")),
            Some(None) => missing("view.answer.unreadable", words),
            None if self.has_answered => Choice::named(text("view.answer.given")),
            None => Choice::named(text("view.answer.asked")),
        };
        VoteLine::new(&self.seat, choice).to(kind)
    }

    fn ballot(&self, words: &Words) -> VoteLine {
        let state = match self.voting {
            Some("cast") => words.text("view.ballot.cast", &[]),
            Some(_) => words.text("view.ballot.waits", &[]),
            None => String::new(),
        };
        VoteLine::new(&self.seat, Choice::named(state)).to(asks::BALLOT_PRINCIPLE)
    }
}

/// Answers to the question whether to start a vote.
#[derive(Debug, Default, Serialize)]
pub(super) struct Initiation {
    pub(super) round: u32,
    pub(super) members: Vec<Voter>,
}

impl TypedData for Initiation {
    const TYPE: &'static str = "initiation";

    fn blocks(&self, words: &Words, _: &Value) -> Vec<Block> {
        let answer = |voter: &Voter| voter.answer(asks::VOTE_INITIATION, words);
        let votes = self.members.iter().map(answer).collect();
        let question = toned(Tone::Plain, "view.initiation", &[], words);
        vec![question, Block::Votes { votes }]
    }
}

/// A vote: its participants and its outcome.
#[derive(Debug, Default, Serialize)]
pub(super) struct Vote {
    pub(super) round: u32,
    pub(super) initiator: Option<String>,
    pub(super) confirmed: Option<bool>,
    /// Whether the secret ballot is held.
    pub(super) balloting: bool,
    pub(super) members: Vec<Voter>,
    pub(super) ballot: Option<Ballot>,
    /// Ballots visible to the role, before the count.
    #[serde(skip)]
    pub(super) votes: Vec<BallotVote>,
}

impl TypedData for Vote {
    const TYPE: &'static str = "vote";

    fn blocks(&self, words: &Words, _: &Value) -> Vec<Block> {
        let mut blocks = vec![toned(Tone::Strong, "view.vote", &[], words)];
        if let Some(name) = &self.initiator {
            let called = Choice::named(words.text("view.vote.called", &[]));
            let votes = vec![VoteLine::new(name, called).to(asks::VOTE_INITIATION)];
            blocks.push(Block::Votes { votes });
        }
        let asked = |voter: &&Voter| !voter.asks.is_empty() || voter.done;
        let votes: Vec<_> = self
            .members
            .iter()
            .filter(asked)
            .map(|voter| voter.answer(asks::VOTE_CONFIRMATION, words))
            .collect();
        if !votes.is_empty() || self.confirmed.is_some() {
            blocks.push(match self.confirmed {
                None => toned(Tone::Plain, "view.confirmation", &[], words),
                Some(true) => toned(Tone::Plain, "view.confirmation.yes", &[], words),
                Some(false) => toned(Tone::Bad, "view.confirmation.no", &[], words),
            });
        }
        if !votes.is_empty() {
            blocks.push(Block::Votes { votes });
        }
        if let Some(ballot) = &self.ballot {
            blocks.extend(ballot.blocks(words));
        } else if self.balloting && !self.members.is_empty() {
            blocks.push(toned(Tone::Private, "view.ballot.secret", &[], words));
            let votes = self.members.iter().map(|voter| voter.ballot(words)).collect();
            blocks.push(Block::Votes { votes });
        }
        blocks
    }
}

/// A counted ballot.
#[derive(Debug, Default, Serialize)]
pub(super) struct Ballot {
    pub(super) round: u32,
    pub(super) agreed: Option<Principle>,
    pub(super) amount: Option<u32>,
    pub(super) disagreement: Option<String>,
    pub(super) votes: Vec<BallotVote>,
    /// Votes by rule, without names, if they are public.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) tally: Vec<RuleCount>,
    /// Difference up to which amounts count as the same, in income dollars.
    #[serde(skip)]
    pub(super) within: Option<u32>,
}

impl Ballot {
    fn blocks(&self, words: &Words) -> Vec<Block> {
        let outcome = match (self.agreed, self.disagreement.as_deref()) {
            (Some(agreed), _) => {
                let choice = principle(agreed, self.amount, words).name;
                toned(Tone::Good, "view.ballot.agreed", &[("choice", &choice)], words)
            }
            (None, Some(kind @ ("principle_disagreement" | "constraint_disagreement" | "voting_failed"))) => {
                toned(Tone::Bad, &format!("view.ballot.{kind}"), &[], words)
            }
            (None, _) => toned(Tone::Bad, "view.ballot.disagreed", &[], words),
        };
        let vote = |vote: &BallotVote| {
            let choice = match (vote.status, vote.principle) {
                (VoteStatus::Valid, Some(chosen)) => principle(chosen, vote.amount, words),
                (VoteStatus::Timeout, _) => missing("view.ballot.timeout", words),
                _ => missing("view.ballot.invalid", words),
            };
            VoteLine::new(&vote.seat, choice).to(asks::BALLOT_PRINCIPLE)
        };
        let votes: Vec<_> = self.votes.iter().map(vote).collect();
        let votes = (!votes.is_empty()).then_some(Block::Votes { votes });
        let depends_on_amounts =
            self.amount.is_some() || self.disagreement.as_deref() == Some("constraint_disagreement");
        let within = self.within.filter(|_| depends_on_amounts).map(amount);
        let within =
            within.map(|amount| toned(Tone::Quiet, "view.ballot.within", &[("amount", &amount)], words));
        std::iter::once(outcome)
            .chain(within)
            .chain(self.tally(words))
            .chain(votes)
            .collect()
    }

    fn tally(&self, words: &Words) -> Option<Block> {
        let row = |count: &RuleCount| {
            vec![
                parts::principle_name(words, count.principle),
                count.votes.to_string(),
                count
                    .amounts
                    .iter()
                    .copied()
                    .map(amount)
                    .collect::<Vec<_>>()
                    .join(" · "),
            ]
        };
        (!self.tally.is_empty()).then(|| {
            Block::Table(Table {
                columns: ["view.principle", "view.votes", "view.amounts"]
                    .map(|key| words.text(key, &[]))
                    .to_vec(),
                rows: self.tally.iter().map(row).collect(),
                ..Table::default()
            })
        })
    }
}

/// The distributions of phase 2.
#[derive(Debug, Default, Serialize)]
pub(super) struct DistributionItem {
    pub(super) drawn: Drawn,
}

#[derive(Debug, Default, Serialize)]
pub(super) struct Drawn {
    pub(super) multiplier: f64,
    pub(super) distributions: Vec<[u32; 5]>,
    pub(super) probabilities: Option<[f64; 5]>,
    /// From 1.
    pub(super) distribution: Option<u8>,
    pub(super) no_consensus: Option<String>,
}

impl TypedData for DistributionItem {
    const TYPE: &'static str = "drawn";

    fn blocks(&self, words: &Words, _: &Value) -> Vec<Block> {
        let drawn = &self.drawn;
        let mut blocks = vec![match drawn.distribution {
            Some(number) => toned(Tone::Plain, "view.drawn.agreed", &[("number", &number)], words),
            None => toned(Tone::Plain, "view.drawn.chance", &[], words),
        }];
        if let Some(rule) = &drawn.no_consensus {
            blocks.push(toned(
                Tone::Plain,
                &format!("view.no_consensus.{rule}"),
                &[],
                words,
            ));
        }
        blocks.push(drawn.table(words));
        blocks
    }
}

impl Drawn {
    pub(super) fn table(&self, words: &Words) -> Block {
        distributions(
            &self.distributions,
            self.probabilities,
            self.distribution,
            None,
            words,
        )
    }
}

/// Pay of a participant in phase 2.
#[derive(Debug, Default, Serialize)]
pub(super) struct PayoffItem {
    pub(super) seat: String,
    pub(super) paid: Option<Payout>,
}

impl TypedData for PayoffItem {
    const TYPE: &'static str = "paid";

    fn seat(&self) -> Option<&str> {
        Some(&self.seat)
    }

    fn is_projected(&self) -> bool {
        true
    }

    fn blocks(&self, words: &Words, _: &Value) -> Vec<Block> {
        let Some(paid) = &self.paid else {
            return Vec::new();
        };
        vec![
            Block::toned(Tone::Quiet, earned(&paid.class, paid.income, words)),
            bank(paid.bank, words),
            Block::Measure {
                text: payoff(paid.payoff, words),
            },
        ]
    }
}

fn bank(value: f64, words: &Words) -> Block {
    toned(
        Tone::Quiet,
        "view.bank",
        &[("amount", &payoff(value, words))],
        words,
    )
}

/// Data of a participant.
#[derive(Debug, Default, Serialize)]
pub(super) struct ParticipantData {
    /// Present if visible to the role.
    #[serde(flatten)]
    pub(super) private: Option<Private>,
    pub(super) favored: Option<Principle>,
    pub(super) manipulator: bool,
    pub(super) target: Option<Principle>,
}

/// Private data of a participant.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Private {
    pub(super) memory: String,
    /// Id of the ask that last rewrote the memory.
    pub(super) memory_ask: Option<String>,
    pub(super) memory_changes: u32,
    /// Id of the ask that is to rewrite the memory.
    #[serde(skip)]
    pub(super) rewritten_by: Option<String>,
    pub(super) bank: f64,
    pub(super) rankings: BTreeMap<String, Option<Ranking>>,
}

/// The moments of rankings, in order.
pub(super) const MOMENTS: [&str; 4] = [
    "initial",
    "post_explanation",
    "after_applications",
    "after_results",
];

impl TypedData for ParticipantData {
    const TYPE: &'static str = "participant";

    fn blocks(&self, words: &Words, _: &Value) -> Vec<Block> {
        let mut blocks = Vec::new();
        if let Some(own) = &self.private {
            blocks.push(bank(own.bank, words));
        }
        blocks.extend(self.favored.map(|favored| favors(favored, words)));
        if self.manipulator {
            blocks.push(match self.target {
                Some(_) => target(self.target, words),
                None => toned(Tone::Private, "view.manipulator", &[], words),
            });
        }
        if let Some(own) = &self.private {
            let rankings = MOMENTS.iter().filter_map(|moment| {
                let given = own.rankings.get(*moment)?;
                let title = toned(Tone::Quiet, &format!("view.moment.{moment}"), &[], words);
                Some([title, ranking(given.as_ref(), words)])
            });
            blocks.push(Block::Section {
                title: words.text("view.rankings", &[]),
                blocks: rankings.flatten().collect(),
            });
        }
        blocks
    }
}
