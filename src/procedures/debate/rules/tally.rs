//! Counts votes. Names are resolved before (see [`crate::reading::alias`]), so a choice is a proposer or
//! nothing; the decision is made in [`super::consensus`].
//!
//! The order of ballots has no effect: sums follow roster order.
//!
//! Source: A10 and A12 of the debate's design.

use super::weight::user_multiplier;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// Maximum difference of equal sums.
pub const EPSILON: f64 = 1e-9;

/// Compares sums rounded to [`EPSILON`]; a total order for sorting.
pub(super) fn compare(a: f64, b: f64) -> Ordering {
    // Adding zero turns negative zero into positive zero.
    let rounded = |sum: f64| (sum / EPSILON).round() + 0.0;
    rounded(a).total_cmp(&rounded(b))
}

/// Result of asking a voter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cast {
    /// A vote for a proposer's proposal.
    For(String),
    /// A vote without a choice: stated, or naming no proposal.
    Abstained,
    /// No readable answer.
    Failed,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ballot {
    pub voter: String,
    pub cast: Cast,
    /// 0 to 1.
    pub confidence: Option<f64>,
}

/// Vote of a spectator.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct UserVote {
    /// A proposer.
    pub choice: String,
    /// 1 to 10.
    pub intensity: f64,
}

/// Input of a count.
#[derive(Debug, Clone, Default)]
pub struct Votes<'a> {
    /// All eligible voters, in roster order.
    pub voters: &'a [String],
    /// All authors of proposals, in roster order.
    pub proposers: &'a [String],
    /// In any order. Contradictory ballots of a voter count as failed.
    pub ballots: &'a [Ballot],
    /// By voter; 1 if missing.
    pub weights: BTreeMap<String, f64>,
    pub user_votes: &'a [UserVote],
    /// Additions by proposer, e.g. for evidence and verified claims; may be negative.
    pub bonuses: BTreeMap<String, f64>,
}

/// Method of counting.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Counting {
    /// All votes, including those of spectators, have weight 1.
    pub one_each: bool,
    /// Confidence multiplies the weight; a missing confidence counts as the mean of the others.
    pub by_confidence: bool,
    /// Weight of a spectator's vote, before its intensity.
    pub user_weight: f64,
    /// Minimum share of the voters for a quorum, 0 to 1.
    pub min_ratio: f64,
    /// Minimum number of voters for a quorum.
    pub min_count: usize,
}

impl Default for Counting {
    fn default() -> Self {
        Self {
            one_each: false,
            by_confidence: false,
            user_weight: 0.5,
            min_ratio: 0.5,
            min_count: 2,
        }
    }
}

/// Result of a proposer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TallyRow {
    pub choice: String,
    /// Total weight; not negative.
    pub weight: f64,
    /// Number of voters without spectators.
    pub votes: u32,
    /// Sum of the stated confidences.
    pub confidence: f64,
}

/// Result of a count.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Tally {
    /// Proposers with votes or a positive weight, in roster order.
    pub rows: Vec<TallyRow>,
    /// Total weight including bonuses.
    pub total: f64,
    /// Number of voters who took part.
    pub took_part: usize,
    /// In roster order.
    pub abstained: Vec<String>,
    /// Voters without a readable answer, in roster order.
    pub failed: Vec<String>,
    /// Number of spectators whose votes count.
    pub users: usize,
    /// Number of votes required for a quorum.
    pub required: usize,
    /// Weight of each vote for a proposal, by voter in roster order.
    #[serde(default)]
    pub weights: Vec<(String, f64)>,
    /// Non-zero bonuses by proposer, in roster order.
    #[serde(default)]
    pub bonuses: Vec<(String, f64)>,
    /// Voters for their own proposal, in roster order.
    #[serde(default)]
    pub self_votes: Vec<String>,
}

impl TallyRow {
    /// Returns whether the proposal has support besides its author's.
    #[must_use]
    pub fn is_shared(&self) -> bool {
        self.votes > 1
    }
}

impl Tally {
    /// Returns whether enough voters chose a proposal; abstentions do not count.
    #[must_use]
    pub fn has_quorum(&self) -> bool {
        let cast: usize = self.rows.iter().map(|row| row.votes as usize).sum();
        cast >= self.required && cast > 0
    }

    /// Returns a row's share of the total weight, 0 to 1.
    #[must_use]
    pub fn share(&self, row: &TallyRow) -> f64 {
        if self.total > 0.0 {
            (row.weight / self.total).clamp(0.0, 1.0)
        } else {
            0.0
        }
    }

    /// Returns the population variance of the weights.
    #[must_use]
    pub fn variance(&self) -> f64 {
        let weights: Vec<f64> = self.rows.iter().map(|row| row.weight).collect();
        variance(&weights)
    }
}

/// Returns the population variance; 0 without values.
#[must_use]
pub fn variance(values: &[f64]) -> f64 {
    if values.is_empty() {
        return 0.0;
    }
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    values
        .iter()
        .map(|value| (value - mean) * (value - mean))
        .sum::<f64>()
        / count
}

/// Returns the number of votes required for a quorum.
#[must_use]
pub fn required_participation(voters: usize, min_ratio: f64, min_count: usize) -> usize {
    let by_ratio = (min_ratio.clamp(0.0, 1.0) * voters as f64).ceil() as usize;
    by_ratio.max(min_count).min(voters)
}

/// Merges the ballots of a voter.
fn merge_ballots<'a>(voter: &str, ballots: &'a [Ballot]) -> (&'a Cast, Option<f64>) {
    let mut own = ballots.iter().filter(|ballot| ballot.voter == voter);
    let Some(first) = own.next() else {
        return (&Cast::Failed, None);
    };
    if own.any(|other| other != first) {
        return (&Cast::Failed, None);
    }
    (&first.cast, first.confidence.map(|value| value.clamp(0.0, 1.0)))
}

/// Counts the votes.
#[must_use]
pub fn count(votes: &Votes<'_>, how: &Counting) -> Tally {
    let mut rows: Vec<TallyRow> = Vec::new();
    for choice in votes.proposers {
        if !rows.iter().any(|row| row.choice == *choice) {
            rows.push(TallyRow {
                choice: choice.clone(),
                weight: 0.0,
                votes: 0,
                confidence: 0.0,
            });
        }
    }
    let results: Vec<(&String, &Cast, Option<f64>)> = votes
        .voters
        .iter()
        .map(|voter| {
            let (cast, confidence) = merge_ballots(voter, votes.ballots);
            (voter, cast, confidence)
        })
        .collect();
    let stated: Vec<f64> = results
        .iter()
        .filter_map(|(_, _, confidence)| *confidence)
        .collect();
    let mean = match stated.len() {
        0 => 1.0,
        count => stated.iter().sum::<f64>() / count as f64,
    };
    let mut tally = Tally {
        rows: Vec::new(),
        total: 0.0,
        took_part: 0,
        abstained: Vec::new(),
        failed: Vec::new(),
        users: 0,
        required: required_participation(votes.voters.len(), how.min_ratio, how.min_count),
        weights: Vec::new(),
        bonuses: Vec::new(),
        self_votes: Vec::new(),
    };
    for (voter, cast, confidence) in results {
        let choice = match cast {
            Cast::Failed => {
                tally.failed.push(voter.clone());
                continue;
            }
            Cast::Abstained => None,
            Cast::For(choice) => rows.iter_mut().find(|row| row.choice == *choice),
        };
        tally.took_part += 1;
        let Some(row) = choice else {
            tally.abstained.push(voter.clone());
            continue;
        };
        let weight = votes.weights.get(voter).copied().unwrap_or(1.0).max(0.0);
        let weight = if how.one_each { 1.0 } else { weight };
        let by_confidence = if how.by_confidence {
            confidence.unwrap_or(mean)
        } else {
            1.0
        };
        row.weight += weight * by_confidence;
        tally.weights.push((voter.clone(), weight * by_confidence));
        if row.choice == *voter {
            tally.self_votes.push(voter.clone());
        }
        row.votes += 1;
        row.confidence += confidence.unwrap_or(0.0);
    }
    for row in &mut rows {
        // Ascending, so that the sum does not depend on the order of votes.
        let mut intensities: Vec<f64> = votes
            .user_votes
            .iter()
            .filter(|vote| vote.choice == row.choice)
            .map(|vote| vote.intensity)
            .collect();
        tally.users += intensities.len();
        intensities.sort_by(f64::total_cmp);
        for intensity in intensities {
            row.weight += if how.one_each {
                1.0
            } else {
                how.user_weight * user_multiplier(intensity)
            };
        }
        if !how.one_each {
            let bonus = votes.bonuses.get(&row.choice).copied().unwrap_or(0.0);
            row.weight = (row.weight + bonus).max(0.0);
            if bonus != 0.0 {
                tally.bonuses.push((row.choice.clone(), bonus));
            }
        }
    }
    rows.retain(|row| row.votes > 0 || row.weight > 0.0);
    tally.total = rows.iter().map(|row| row.weight).sum();
    tally.rows = rows;
    tally
}

/// Groups equivalent choices: each joins the first group whose first member is similar enough and does not
/// contradict it, or starts a group. Groups of one are dropped. A group is represented by its first member,
/// in the order of `choices`.
pub fn groups(
    choices: &[&str],
    threshold: f64,
    similarity: impl Fn(&str, &str) -> f64,
    contradict: impl Fn(&str, &str) -> bool,
) -> Vec<Vec<String>> {
    let mut groups: Vec<Vec<String>> = Vec::new();
    for (at, choice) in choices.iter().enumerate() {
        if choices.get(..at).is_some_and(|before| before.contains(choice)) {
            continue;
        }
        let fits = |group: &&mut Vec<String>| {
            let opener = group.first().map_or("", String::as_str);
            similarity(opener, choice) >= threshold && !contradict(opener, choice)
        };
        match groups.iter_mut().find(fits) {
            Some(group) => group.push((*choice).to_owned()),
            None => groups.push(vec![(*choice).to_owned()]),
        }
    }
    groups.retain(|group| group.len() > 1);
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    fn ballot(voter: &str, choice: &str, confidence: Option<f64>) -> Ballot {
        Ballot {
            voter: voter.to_owned(),
            cast: Cast::For(choice.to_owned()),
            confidence,
        }
    }

    #[test]
    fn counts_who_took_part() {
        let all = names(&["a", "b", "c", "d"]);
        let ballots = [
            ballot("b", "nobody", None),
            ballot("a", "a", None),
            ballot("c", "a", None),
            ballot("c", "b", None),
        ];
        let votes = Votes {
            voters: &all,
            proposers: &all,
            ballots: &ballots,
            ..Votes::default()
        };
        let tally = count(&votes, &Counting::default());
        assert_eq!(
            (tally.took_part, tally.required, tally.has_quorum()),
            (2, 2, false)
        );
        assert_eq!(tally.abstained, ["b"]);
        assert_eq!(tally.failed, ["c", "d"]);
        assert_eq!(tally.rows.len(), 1);
        assert_eq!(tally.total, 1.0);
    }

    #[test]
    fn confidence_and_bonuses() {
        let all = names(&["a", "b", "c"]);
        let ballots = [
            ballot("a", "a", Some(0.9)),
            ballot("b", "b", Some(0.3)),
            ballot("c", "b", None),
        ];
        let votes = Votes {
            voters: &all,
            proposers: &all,
            ballots: &ballots,
            bonuses: BTreeMap::from([("a".to_owned(), 0.1)]),
            ..Votes::default()
        };
        let how = Counting {
            by_confidence: true,
            ..Counting::default()
        };
        let tally = count(&votes, &how);
        assert!((tally.rows[0].weight - 1.0).abs() < EPSILON);
        assert!((tally.rows[1].weight - 0.9).abs() < EPSILON);
        assert!((tally.total - 1.9).abs() < EPSILON);
    }

    #[test]
    fn groups_never_take_opposites() {
        let found = groups(
            &["use it", "Use it", "do not use it"],
            0.5,
            |_, _| 1.0,
            |_, b| b.contains("not"),
        );
        assert_eq!(found, [["use it", "Use it"]]);
    }

    proptest! {
        #[test]
        fn the_order_of_votes_changes_nothing(
            casts in proptest::collection::vec((0..6usize, 0..7usize, proptest::option::of(0.0..1.0f64)), 0..12),
            users in proptest::collection::vec((0..6usize, 0.0..12.0f64), 0..5),
            rotate in 0..12usize,
            by_confidence: bool,
        ) {
            let all: Vec<String> = (0..5).map(|n| format!("s{n}")).collect();
            let mut ballots: Vec<Ballot> = casts
                .iter()
                .map(|(voter, choice, confidence)| ballot(&format!("s{voter}"), &format!("s{choice}"), *confidence))
                .collect();
            let mut user_votes: Vec<UserVote> = users
                .iter()
                .map(|(choice, intensity)| UserVote { choice: format!("s{choice}"), intensity: *intensity })
                .collect();
            let how = Counting { by_confidence, ..Counting::default() };
            let read = |ballots: &[Ballot], user_votes: &[UserVote]| {
                count(&Votes { voters: &all, proposers: &all, ballots, user_votes, ..Votes::default() }, &how)
            };
            let first = read(&ballots, &user_votes);
            if !ballots.is_empty() {
                let by = rotate % ballots.len();
                ballots.rotate_left(by);
            }
            ballots.reverse();
            user_votes.reverse();
            prop_assert_eq!(&first, &read(&ballots, &user_votes));
            for row in &first.rows {
                prop_assert!((0.0..=1.0).contains(&first.share(row)));
            }
            prop_assert_eq!(first.took_part + first.failed.len(), all.len());
        }
    }
}
