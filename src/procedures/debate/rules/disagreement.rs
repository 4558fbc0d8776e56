//! Disagreement in a debate: voters against the winner, objections shared by all critics, camps, and risks of
//! the result. Texts are compared literally; choices should be normalised before.

use serde::{Deserialize, Serialize};

/// A vote, as needed here.
#[derive(Debug, Clone, Copy)]
pub struct VoteCast<'a> {
    /// Of several votes of one seat the last counts.
    pub seat: &'a str,
    pub choice: &'a str,
    /// 0 to 1.
    pub confidence: Option<f64>,
}

/// A critique, as needed here.
#[derive(Debug, Clone, Copy)]
pub struct CritiqueMade<'a> {
    pub critic: &'a str,
    /// Author of the criticised proposal.
    pub target: &'a str,
    pub issues: &'a [&'a str],
    /// 0 to 10.
    pub severity: Option<f64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Split {
    pub majority_choice: String,
    /// Voters of the majority.
    pub majority: Vec<String>,
    pub minority_choice: String,
    /// Voters of the minority.
    pub minority: Vec<String>,
}

/// A risk of the result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Risk {
    /// A vote with low confidence.
    LowConfidence {
        seat: String,
        choice: String,
        confidence: f64,
    },
    /// A severe critique of the winner's proposal.
    SevereCritique {
        critic: String,
        /// The first issue, if there is one.
        issue: Option<String>,
        /// 0 to 10.
        severity: f64,
    },
}

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Disagreement {
    /// Share of the most frequent choice among all voters; 0 for fewer than two voters.
    pub agreement: f64,
    /// Voters in the order of their votes, and whether each voted for the winner; empty without a winner.
    pub with_winner: Vec<(String, bool)>,
    /// Objections shared by all critics (at least two), in the wording of the first.
    pub unanimous: Vec<String>,
    /// The largest camp against each other one, largest first.
    pub splits: Vec<Split>,
    /// At most five votes with low confidence, then at most three severe critiques of the winner.
    pub risks: Vec<Risk>,
}

/// Confidence below which a vote has low confidence.
pub const LOW_CONFIDENCE: f64 = 0.6;

/// Severity from which a critique is severe, of 10.
pub const GRAVE: f64 = 7.0;

/// Analyses the votes and critiques of a debate.
#[must_use]
pub fn disagreement(votes: &[VoteCast], critiques: &[CritiqueMade], winner: Option<&str>) -> Disagreement {
    let mut cast: Vec<VoteCast> = Vec::new();
    for vote in votes {
        match cast.iter_mut().find(|known| known.seat == vote.seat) {
            Some(known) => *known = *vote,
            None => cast.push(*vote),
        }
    }
    let camps = camps(&cast);
    let most = camps.first().map_or(0, |(_, seats)| seats.len());
    Disagreement {
        agreement: if cast.len() > 1 {
            most as f64 / cast.len() as f64
        } else {
            0.0
        },
        with_winner: winner.map_or_else(Vec::new, |winner| {
            let with = |vote: &VoteCast| (vote.seat.to_owned(), vote.choice == winner);
            cast.iter().map(with).collect()
        }),
        unanimous: unanimous(critiques),
        splits: splits(&camps),
        risks: risks(&cast, critiques, winner),
    }
}

/// Groups voters by choice, largest group first; equal groups in the order of the votes.
fn camps<'a>(votes: &[VoteCast<'a>]) -> Vec<(&'a str, Vec<String>)> {
    let mut camps: Vec<(&str, Vec<String>)> = Vec::new();
    for vote in votes {
        let seat = vote.seat.to_owned();
        match camps.iter_mut().find(|(choice, _)| *choice == vote.choice) {
            Some((_, seats)) => seats.push(seat),
            None => camps.push((vote.choice, vec![seat])),
        }
    }
    camps.sort_by_key(|(_, seats)| std::cmp::Reverse(seats.len()));
    camps
}

fn splits(camps: &[(&str, Vec<String>)]) -> Vec<Split> {
    let Some(((most, majority), others)) = camps.split_first() else {
        return Vec::new();
    };
    let against = |(choice, minority): &(&str, Vec<String>)| Split {
        majority_choice: (*most).to_owned(),
        majority: majority.clone(),
        minority_choice: (*choice).to_owned(),
        minority: minority.clone(),
    };
    others.iter().map(against).collect()
}

/// Key for the comparison of objections: the first hundred characters in lower case.
fn key(issue: &str) -> String {
    issue.trim().to_lowercase().chars().take(100).collect()
}

fn unanimous(critiques: &[CritiqueMade]) -> Vec<String> {
    let mut critics: Vec<&str> = Vec::new();
    // By key: the first wording, and the critics.
    let mut raised: Vec<(String, &str, Vec<&str>)> = Vec::new();
    for critique in critiques {
        if !critics.contains(&critique.critic) {
            critics.push(critique.critic);
        }
        for issue in critique.issues {
            let form = key(issue);
            let at = raised.iter().position(|(known, ..)| *known == form);
            let at = at.unwrap_or_else(|| {
                raised.push((form, issue, Vec::new()));
                raised.len() - 1
            });
            if let Some((_, _, by)) = raised.get_mut(at)
                && !by.contains(&critique.critic)
            {
                by.push(critique.critic);
            }
        }
    }
    if critics.len() < 2 {
        return Vec::new();
    }
    raised.retain(|(form, _, by)| !form.is_empty() && by.len() == critics.len());
    raised.into_iter().map(|(_, issue, _)| issue.to_owned()).collect()
}

fn risks(votes: &[VoteCast], critiques: &[CritiqueMade], winner: Option<&str>) -> Vec<Risk> {
    let unsure = votes.iter().filter_map(|vote| {
        let confidence = vote.confidence.filter(|sure| *sure < LOW_CONFIDENCE)?;
        let (seat, choice) = (vote.seat.to_owned(), vote.choice.to_owned());
        Some(Risk::LowConfidence {
            seat,
            choice,
            confidence,
        })
    });
    let grave = critiques.iter().filter_map(|critique| {
        let severity = critique
            .severity
            .filter(|severity| *severity >= GRAVE && Some(critique.target) == winner)?;
        let issue = critique.issues.first().map(|issue| (*issue).to_owned());
        Some(Risk::SevereCritique {
            critic: critique.critic.to_owned(),
            issue,
            severity,
        })
    });
    unsure.take(5).chain(grave.take(3)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vote<'a>(seat: &'a str, choice: &'a str, confidence: f64) -> VoteCast<'a> {
        VoteCast {
            seat,
            choice,
            confidence: Some(confidence),
        }
    }

    #[test]
    fn votes_without_a_confidence_and_critiques_without_a_severity_count() {
        let unsaid = |seat| VoteCast {
            seat,
            choice: "x",
            confidence: None,
        };
        let critique = |critic| CritiqueMade {
            critic,
            target: "x",
            issues: &["slow"],
            severity: None,
        };
        let found = disagreement(
            &[unsaid("a"), unsaid("b"), vote("c", "y", 0.9)],
            &[critique("a"), critique("b")],
            Some("x"),
        );
        assert_eq!(found.splits[0].majority, ["a", "b"]);
        assert_eq!(
            (found.unanimous, found.risks),
            (vec!["slow".to_owned()], Vec::new())
        );
    }

    #[test]
    fn camps_risks_and_shared_objections() {
        let votes = [
            vote("a", "x", 0.9),
            vote("b", "y", 0.5),
            vote("c", "y", 0.6),
            vote("a", "z", 0.2),
        ];
        let critique = |critic, target, issues, severity| CritiqueMade {
            critic,
            target,
            issues,
            severity: Some(severity),
        };
        let critiques = [
            critique("a", "y", &["Too slow", "dear"][..], 7.0),
            critique("b", "y", &[" too SLOW"][..], 6.9),
            critique("b", "x", &[][..], 9.0),
        ];
        let found = disagreement(&votes, &critiques, Some("y"));
        assert_eq!(found.agreement, 2.0 / 3.0);
        assert_eq!(found.unanimous, ["Too slow"]);
        assert_eq!(found.splits.len(), 1);
        assert_eq!(found.splits[0].majority, ["b", "c"]);
        assert_eq!(found.splits[0].minority_choice, "z");
        let with = [("a", false), ("b", true), ("c", true)].map(|(seat, with)| (seat.to_owned(), with));
        assert_eq!(found.with_winner, with);
        assert_eq!(found.risks.len(), 3);
        let grave = Risk::SevereCritique {
            critic: "a".to_owned(),
            issue: Some("Too slow".to_owned()),
            severity: 7.0,
        };
        assert_eq!(found.risks[2], grave);
    }

    #[test]
    fn one_voter_or_one_critic_is_no_agreement() {
        let issues = ["slow"];
        let alone = CritiqueMade {
            critic: "a",
            target: "b",
            issues: &issues,
            severity: Some(1.0),
        };
        let found = disagreement(&[vote("a", "x", 1.0)], &[alone, alone], None);
        assert_eq!(found, Disagreement::default());
        assert_eq!(disagreement(&[], &[], Some("x")), Disagreement::default());
    }
}
