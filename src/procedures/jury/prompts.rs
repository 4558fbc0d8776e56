//! Prompts of a trial: `prompts/*.txt` with these variables. Speeches of jurors appear only as data, each line after `>`.

use super::context::{Ballot, JuryContext};
use super::rules::{Counts, Opinion};
use crate::language::prompts::prompts;
use crate::language::words::Words;
use crate::procedures::quote::{cleaned, inline, quoted};

prompts! {
    pub(crate) static PROMPTS in "prompts";

    struct System {
        /// Name of the juror.
        name: String,
        /// The juror's personality, if it has one.
        personality: String,
        /// Number of jurors.
        jurors: usize,
        /// Number of votes that a verdict needs.
        needed: usize,
    }
    /// System text: who the juror is, and how the trial works.
    fn system;

    struct Case {
        /// The question of the trial.
        charge: String,
        /// Opening statement of the prosecution.
        prosecution: String,
        /// Opening statement of the defence.
        defence: String,
        /// The evidence so far, if there is any.
        evidence: String,
        /// Counts of the last straw vote, if they are shown.
        counts: Option<String>,
        /// Speeches so far, quoted, if there are any.
        speeches: String,
        /// Counts of the last ballot, and who voted what if it was open; empty before the first.
        ballot: Option<String>,
        /// The juror's own last vote, if it gave one.
        own: Option<String>,
    }
    /// The case so far. Part of each question, as `case`.
    fn case;

    struct Question {
        /// The case so far: the prompt `case`.
        case: String,
        /// Number of the straw vote, round of deliberation or ballot, from 1.
        round: u32,
        /// Has a value if the last answer could not be read.
        again: bool,
    }
    /// Question for a straw vote.
    fn straw_vote;
    /// Request for a speech.
    fn speech;
    /// Question for a vote in a ballot.
    fn ballot;
}

pub(super) fn system(words: &Words, name: &str, personality: &str, facts: &JuryContext) -> String {
    let prompt = System {
        name: inline(name),
        personality: cleaned(personality),
        jurors: facts.jurors,
        needed: facts.needed,
    };
    prompt.system(words)
}

pub(super) fn straw_vote(words: &Words, facts: &JuryContext) -> String {
    question(words, facts).straw_vote(words)
}

pub(super) fn speech(words: &Words, facts: &JuryContext) -> String {
    question(words, facts).speech(words)
}

pub(super) fn ballot(words: &Words, facts: &JuryContext) -> String {
    question(words, facts).ballot(words)
}

fn question(words: &Words, facts: &JuryContext) -> Question {
    let evidence = (1..).zip(&facts.evidence).map(|(number, one)| {
        let title = evidence_title(words, number, &inline(&one.title));
        format!("{title}\n{}", quoted(&one.text))
    });
    let speeches = facts.speeches.iter();
    let speeches = speeches.map(|one| format!("{}:\n{}", inline(&one.seat), quoted(&one.text)));
    let case = Case {
        charge: inline(&facts.charge),
        prosecution: quoted(&facts.prosecution),
        defence: quoted(&facts.defence),
        evidence: evidence.collect::<Vec<_>>().join("\n\n"),
        counts: facts.counts.as_ref().map(|counts| self::counts(words, counts)),
        speeches: speeches.collect::<Vec<_>>().join("\n\n"),
        ballot: facts.ballot.as_ref().map(|ballot| ballot_result(words, ballot)),
        own: facts.own.map(|own| opinion(words, own)),
    };
    Question {
        case: case.case(words),
        round: facts.round,
        again: facts.complaint.is_some(),
    }
}

pub(super) fn opinion(words: &Words, opinion: Opinion) -> String {
    words.text(&format!("jury.opinion.{}", opinion.name()), &[])
}

/// Returns the opinion, or that there is none.
pub(super) fn opinion_or_none(words: &Words, vote: Option<Opinion>) -> String {
    vote.map_or_else(
        || words.text("jury.opinion.missing", &[]),
        |vote| opinion(words, vote),
    )
}

/// Returns the number of an item of evidence, with its title if it has one.
pub(super) fn evidence_title(words: &Words, number: usize, title: &str) -> String {
    let key = if title.is_empty() {
        "jury.evidence"
    } else {
        "jury.evidence.titled"
    };
    words.text(key, &[("number", &number), ("title", &title)])
}

/// Returns the counts of a vote, without those that are zero.
pub(super) fn counts(words: &Words, counts: &Counts) -> String {
    let Counts {
        guilty,
        not_guilty,
        undecided,
        missing,
    } = *counts;
    let optional = |count: usize, key| (count > 0).then(|| words.text(key, &[("count", &count)]));
    let sides = words.text("jury.counts", &[("guilty", &guilty), ("not_guilty", &not_guilty)]);
    [
        Some(sides),
        optional(undecided, "jury.counts.undecided"),
        optional(missing, "jury.counts.missing"),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Returns the counts of a ballot and, if it was open, who voted what.
pub(super) fn ballot_result(words: &Words, ballot: &Ballot) -> String {
    let votes = ballot.votes.iter().flatten();
    let lines = votes.map(|(seat, vote)| {
        let (seat, vote) = (inline(seat), opinion_or_none(words, *vote));
        words.text("jury.ballot.vote", &[("seat", &seat), ("vote", &vote)])
    });
    std::iter::once(counts(words, &ballot.counts))
        .chain(lines)
        .collect::<Vec<_>>()
        .join("\n")
}
