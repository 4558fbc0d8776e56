//! Byzantine agreement: two yes/no rounds about one proposal, robust against a third of the voters. Asking
//! and reading answers happen elsewhere.
//!
//! Source: A13.2 of the debate's design.

use super::consensus::Verdict;
use serde::{Deserialize, Serialize};

/// Returns the number of tolerated faulty voters, and the number of agreeing voters required.
#[must_use]
pub fn quorum(voters: usize) -> (usize, usize) {
    let faulty = voters.saturating_sub(1) / 3;
    (faulty, 2 * faulty + 1)
}

/// State of Byzantine agreement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// All voters are asked whether they would accept the proposal.
    Prepare,
    /// Accepting voters are asked to commit.
    Commit,
    /// A quorum committed.
    Agreed,
    /// No proposal is left.
    Failed,
}

/// Byzantine agreement: each view puts one proposal to the voters, in order of rank.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Byzantine {
    /// Best first.
    pub order: Vec<String>,
    /// Number of voters.
    pub voters: usize,
    pub max_view_changes: usize,
    /// From 0.
    pub view: usize,
    pub stage: Stage,
    /// Number of commitments.
    pub commits: usize,
}

impl Byzantine {
    /// Starts with the first view. Returns `None` with fewer than four voters or without a proposal.
    #[must_use]
    pub fn begin(order: Vec<String>, voters: usize, max_view_changes: usize) -> Option<Self> {
        (voters >= 4 && !order.is_empty()).then_some(Self {
            order,
            voters,
            max_view_changes,
            view: 0,
            stage: Stage::Prepare,
            commits: 0,
        })
    }

    /// Returns the author of the current proposal.
    #[must_use]
    pub fn proposal(&self) -> Option<&String> {
        self.order.get(self.view.checked_rem(self.order.len())?)
    }

    /// Applies the number of yes answers in the current stage. Has no effect after the end.
    pub fn answer(&mut self, yes: usize) {
        let enough = yes >= quorum(self.voters).1;
        match self.stage {
            Stage::Prepare if enough => self.stage = Stage::Commit,
            Stage::Commit if enough => {
                self.commits = yes.min(self.voters);
                self.stage = Stage::Agreed;
            }
            Stage::Prepare | Stage::Commit => {
                self.view += 1;
                self.stage = if self.view > self.max_view_changes {
                    Stage::Failed
                } else {
                    Stage::Prepare
                };
            }
            Stage::Agreed | Stage::Failed => {}
        }
    }

    /// Returns the agreed proposal, or `None` if unfinished or failed.
    #[must_use]
    pub fn verdict(&self) -> Option<Verdict> {
        (self.stage == Stage::Agreed).then(|| Verdict {
            winner: self.proposal().cloned(),
            reached: true,
            confidence: self.commits as f64 / self.voters as f64,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn names(count: usize) -> Vec<String> {
        (0..count).map(|n| format!("s{n}")).collect()
    }

    #[test]
    fn a_change_of_view_changes_the_proposal() {
        let mut run = Byzantine::begin(names(2), 4, 3).unwrap();
        run.answer(2);
        assert_eq!(run.proposal().map(String::as_str), Some("s1"));
        run.answer(4);
        run.answer(3);
        assert_eq!(run.verdict().map(|verdict| verdict.confidence), Some(0.75));
        assert!(Byzantine::begin(names(2), 3, 3).is_none());
    }

    proptest! {
        #[test]
        fn byzantine_agreement_ends(answers in proptest::collection::vec(0..12usize, 0..40), voters in 4..12usize, views in 0..6usize) {
            let mut run = Byzantine::begin(names(3), voters, views).unwrap();
            let mut asked = 0;
            for yes in answers {
                if matches!(run.stage, Stage::Prepare | Stage::Commit) {
                    asked += 1;
                }
                run.answer(yes);
            }
            prop_assert!(asked <= 2 * (views + 1));
            prop_assert!(run.verdict().is_none_or(|verdict| verdict.confidence <= 1.0));
        }
    }
}
