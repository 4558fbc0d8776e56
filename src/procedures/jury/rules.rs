//! Arithmetic of a jury: counts of votes, the majority that a verdict needs, and changes of mind. Pure functions.

use crate::procedures::spec::declare::choices;
use serde::{Deserialize, Serialize};

choices! {
    /// A juror's opinion of the charge.
    pub enum Opinion {
        Guilty = "guilty",
        NotGuilty = "not_guilty",
        /// In straw votes only.
        Undecided = "undecided",
    }
}

choices! {
    /// The share of the jurors that a verdict needs.
    pub enum Majority {
        Unanimous = "unanimous",
        /// At least ten twelfths, whatever their number.
        TenOfTwelve = "ten_of_twelve",
    }
}

impl Majority {
    /// Returns the number of votes that a verdict needs.
    #[must_use]
    pub fn votes(self, jurors: usize) -> usize {
        match self {
            Self::Unanimous => jurors,
            Self::TenOfTwelve => (jurors * 10).div_ceil(12),
        }
    }
}

/// How many jurors voted what.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    pub guilty: usize,
    pub not_guilty: usize,
    pub undecided: usize,
    /// Without a readable answer.
    pub missing: usize,
}

impl Counts {
    #[must_use]
    pub fn of(votes: impl IntoIterator<Item = Option<Opinion>>) -> Self {
        let mut counts = Self::default();
        for vote in votes {
            *match vote {
                Some(Opinion::Guilty) => &mut counts.guilty,
                Some(Opinion::NotGuilty) => &mut counts.not_guilty,
                Some(Opinion::Undecided) => &mut counts.undecided,
                None => &mut counts.missing,
            } += 1;
        }
        counts
    }

    #[must_use]
    pub fn total(&self) -> usize {
        self.guilty + self.not_guilty + self.undecided + self.missing
    }

    /// Returns the verdict if one side has the votes that it needs.
    #[must_use]
    pub fn verdict(&self, needed: usize) -> Option<Opinion> {
        let sides = [
            (self.guilty, Opinion::Guilty),
            (self.not_guilty, Opinion::NotGuilty),
        ];
        let winner = sides.into_iter().find(|(votes, _)| *votes >= needed);
        winner.map(|(_, side)| side)
    }
}

/// Returns whether a juror was on both sides at some time. Having been undecided is no change of mind.
#[must_use]
pub fn has_changed(votes: &[Option<Opinion>]) -> bool {
    [Opinion::Guilty, Opinion::NotGuilty]
        .iter()
        .all(|side| votes.contains(&Some(*side)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use Opinion::{Guilty, NotGuilty, Undecided};
    use proptest::prelude::*;

    #[test]
    fn a_verdict_is_counted_over_all_jurors() {
        let votes = |guilty, missing| Counts::of([vec![Some(Guilty); guilty], vec![None; missing]].concat());
        for (jurors, needed) in [(3, 3), (5, 5), (6, 5), (7, 6), (11, 10), (12, 10)] {
            assert_eq!(Majority::TenOfTwelve.votes(jurors), needed, "{jurors}");
            assert_eq!(Majority::Unanimous.votes(jurors), jurors);
            assert_eq!(votes(needed, jurors - needed).verdict(needed), Some(Guilty));
            assert_eq!(votes(needed - 1, jurors - needed + 1).verdict(needed), None);
        }
    }

    #[test]
    fn who_was_on_both_sides_has_changed() {
        assert!(has_changed(&[
            Some(Guilty),
            None,
            Some(Undecided),
            Some(NotGuilty),
            Some(Guilty)
        ]));
        assert!(!has_changed(&[
            Some(Undecided),
            Some(Guilty),
            None,
            Some(Undecided)
        ]));
        assert!(!has_changed(&[]));
    }

    proptest! {
        #[test]
        fn at_most_one_side_wins_and_nobody_is_lost(votes in prop::collection::vec(0..4usize, 3..13)) {
            let jurors = votes.len();
            let counts = Counts::of(votes.into_iter().map(|at| Opinion::ALL.get(at).map(|(_, vote)| *vote)));
            prop_assert_eq!(counts.total(), jurors);
            let needed = Majority::TenOfTwelve.votes(jurors);
            prop_assert!(needed * 12 >= jurors * 10 && (needed - 1) * 12 < jurors * 10);
            prop_assert!(counts.guilty < needed || counts.not_guilty < needed);
        }
    }
}
