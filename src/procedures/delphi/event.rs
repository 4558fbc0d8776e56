//! Events of a Delphi poll, as stored in records.

use super::rules::Spread;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Event {
    /// A round starts; all participants are asked at once.
    RoundBegan {
        /// From 1.
        round: u32,
    },
    /// A participant's answer, visible to that seat and the owner.
    Estimated {
        /// From 1.
        round: u32,
        seat: String,
        /// In the unit of the question; `None`: unreadable or no answer.
        estimate: Option<f64>,
        /// Free text; may be empty.
        reason: String,
    },
    /// The public report after a round.
    Reported {
        /// From 1.
        round: u32,
        /// Number of participants asked.
        asked: usize,
        /// Statistics of the estimates; `None` if there were none.
        spread: Option<Spread>,
        /// Anonymous reasons in a random order.
        reasons: Vec<String>,
    },
}
