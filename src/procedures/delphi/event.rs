//! What happens in a Delphi poll, as records keep it. No behaviour.

use super::rules::Spread;
use serde::{Deserialize, Serialize};

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Event {
    /// A round begins: everybody is asked at once.
    RoundBegan {
        /// From 1.
        round: u32,
    },
    /// What one seat answered; for itself and the owner alone.
    Estimated {
        /// From 1.
        round: u32,
        /// Who.
        seat: String,
        /// The number, in the unit of the question; `None`: none could be read, or nobody answered.
        estimate: Option<f64>,
        /// The reasons, as given; may be empty.
        reason: String,
    },
    /// What everybody is told after a round.
    Reported {
        /// From 1.
        round: u32,
        /// How many were asked.
        asked: usize,
        /// The estimates; `None` where nobody gave one.
        spread: Option<Spread>,
        /// The reasons in an order that was drawn, so that none tells whose it is.
        reasons: Vec<String>,
    },
}
