//! Events of a trial, as stored in records. Straw votes are numbered from 1: the first follows the opening statements,
//! each further one an item of evidence.

use super::rules::{Counts, Opinion};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Event {
    CaseOpened {
        charge: String,
        prosecution: String,
        defence: String,
        /// Number of items of evidence to come.
        evidence: u32,
    },
    EvidenceShown {
        /// From 1.
        number: u32,
        /// May be empty.
        title: String,
        text: String,
    },
    /// A straw vote, visible to that seat and the owner. Emitted once all are in.
    StrawVoted {
        round: u32,
        seat: String,
        /// `None`: unreadable or no answer.
        opinion: Option<Opinion>,
        /// 0 to 100.
        certainty: Option<u32>,
        /// Free text; may be empty.
        reason: String,
    },
    /// The counts of a straw vote, visible to all if the configuration says so, else to the owner.
    StrawCounted { round: u32, counts: Counts },
    /// A round of deliberation starts.
    DeliberationBegan { round: u32 },
    /// A juror's speech to all.
    Argued {
        round: u32,
        seat: String,
        /// `None`: no answer.
        text: Option<String>,
    },
    BallotBegan {
        /// Number of the ballot, from 1.
        round: u32,
    },
    /// A juror's vote in a ballot, visible to all if ballots are open, else to that seat and the owner. Emitted once all
    /// are in.
    Balloted {
        round: u32,
        seat: String,
        /// `None`: unreadable or no answer.
        opinion: Option<Opinion>,
    },
    /// The counts of a ballot.
    BallotCounted { round: u32, counts: Counts },
}
