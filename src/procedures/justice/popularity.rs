//! Least popular principle of a group by Borda count: the target of a manipulating participant.
//!
//! Source: the manipulation condition of the justice-experiment program; ranking by places after de Borda, 3
//! points for the first place down to 0 for the last.

use serde::{Deserialize, Serialize};

use crate::principle::{Principle, Ranking};

/// Points of one principle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct BordaScore {
    pub principle: Principle,
    /// 3 per first place, 2 per second, 1 per third.
    pub points: u32,
}

/// Borda scores and the least popular principle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Popularity {
    /// One per principle, in the order of [`Principle::ALL`].
    pub scores: [BordaScore; 4],
    /// The principle with the fewest points, after the tie-break.
    pub least_popular: Principle,
    /// Principles that share the fewest points, by number; empty without a tie.
    pub tied: Vec<Principle>,
}

/// Reason why there is no least popular principle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PopularityError {
    /// No other participant has a ranking.
    NoRankings,
    /// The tie-break order names none of the tied principles.
    TieNotBroken,
}

impl std::fmt::Display for PopularityError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::NoRankings => "there are no rankings to count",
            Self::TieNotBroken => "the tie-break order names none of the tied principles",
        })
    }
}

impl std::error::Error for PopularityError {}

/// Finds the least popular principle in `rankings`, which must exclude the manipulator's own. A tie goes to
/// the first tied principle in `tiebreak_order`; with an empty order, to the alphabetically first id.
///
/// # Errors
/// Returns an error if there are no rankings or if the order does not break a tie.
pub fn least_popular<'a>(
    rankings: impl IntoIterator<Item = &'a Ranking>,
    tiebreak_order: &[Principle],
) -> Result<Popularity, PopularityError> {
    let mut scores = Principle::ALL.map(|principle| BordaScore { principle, points: 0 });
    let mut rankings = rankings.into_iter().peekable();
    if rankings.peek().is_none() {
        return Err(PopularityError::NoRankings);
    }
    for ranking in rankings {
        for (points, principle) in (0..4).rev().zip(ranking.order) {
            scores[principle as usize].points += points;
        }
    }
    let fewest = scores.iter().map(|score| score.points).min();
    let last: Vec<Principle> = scores
        .iter()
        .filter(|score| Some(score.points) == fewest)
        .map(|score| score.principle)
        .collect();
    if let [only] = last[..] {
        return Ok(Popularity {
            scores,
            least_popular: only,
            tied: Vec::new(),
        });
    }
    let chosen = if tiebreak_order.is_empty() {
        last.iter().copied().min_by_key(|principle| principle.id())
    } else {
        tiebreak_order
            .iter()
            .copied()
            .find(|principle| last.contains(principle))
    };
    let least_popular = chosen.ok_or(PopularityError::TieNotBroken)?;
    Ok(Popularity {
        scores,
        least_popular,
        tied: last,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use Principle::{Average, Floor, FloorConstraint, RangeConstraint};

    fn ranking(numbers: [u8; 4]) -> Ranking {
        Ranking {
            order: numbers.map(|number| Principle::from_number(number).unwrap()),
            certainty: None,
        }
    }

    #[test]
    fn points_are_3_2_1_0() {
        let got = least_popular(&[ranking([3, 1, 2, 4]), ranking([3, 2, 1, 4])], &[]).unwrap();
        assert_eq!(got.scores.map(|score| score.points), [3, 3, 6, 0]);
        assert_eq!((got.least_popular, got.tied), (RangeConstraint, vec![]));
    }

    #[test]
    fn ties_follow_the_order_then_the_alphabet() {
        let opposed = [ranking([1, 2, 3, 4]), ranking([4, 3, 2, 1])];
        let pick = |order: &[Principle]| least_popular(&opposed, order).map(|got| got.least_popular);
        assert_eq!(pick(&[FloorConstraint, Floor]), Ok(FloorConstraint));
        assert_eq!(pick(&[]), Ok(Average));
        assert_eq!(least_popular(&opposed, &[]).unwrap().tied, Principle::ALL);

        let two = [ranking([1, 2, 3, 4]), ranking([1, 2, 4, 3])];
        let pick = |order: &[Principle]| least_popular(&two, order).map(|got| got.least_popular);
        assert_eq!(
            pick(&[Floor, Average, RangeConstraint, FloorConstraint]),
            Ok(RangeConstraint)
        );
        assert_eq!(pick(&[]), Ok(FloorConstraint));
        assert_eq!(pick(&[Floor]), Err(PopularityError::TieNotBroken));
    }

    #[test]
    fn an_order_is_not_needed_without_a_tie() {
        assert_eq!(
            least_popular(&[ranking([4, 3, 2, 1])], &[Average])
                .unwrap()
                .least_popular,
            Floor
        );
        assert_eq!(least_popular(&[], &[Average]), Err(PopularityError::NoRankings));
    }
}
