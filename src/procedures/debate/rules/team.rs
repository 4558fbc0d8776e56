//! Selection of a team by rating, calibration and further criteria.
//!
//! Source: A17 of the debate's design.

use super::exact::ln;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    pub name: String,
    /// A team needs two different providers.
    pub provider: String,
    pub elo: f64,
    /// Brier score in the field of the question, 0 to 1.
    pub brier: Option<f64>,
    /// Number of earlier debates.
    pub debates: u32,
    /// Whether the candidate can be asked now.
    pub available: bool,
}

/// Name patterns of a field, best first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DomainPatterns {
    /// The field.
    pub domain: String,
    /// Substrings of names, case-insensitive.
    pub patterns: Vec<String>,
}

/// Weights of the criteria; 0 disables one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TeamRules {
    pub elo_weight: f64,
    /// Rating with a contribution of 0.
    pub elo_baseline: f64,
    pub calibration_weight: f64,
    /// Weight of the fit to the field.
    pub domain_weight: f64,
    /// Weight of a bonus for candidates with few debates.
    pub exploration_weight: f64,
    /// Configurable.
    pub patterns: Vec<DomainPatterns>,
}

impl Default for TeamRules {
    fn default() -> Self {
        Self {
            elo_weight: 0.3,
            elo_baseline: 1000.0,
            calibration_weight: 0.2,
            domain_weight: 0.25,
            exploration_weight: 0.15,
            patterns: Vec::new(),
        }
    }
}

/// Returns a candidate's score for a question in this field. `all_debates` is the total over all candidates.
#[must_use]
pub fn score(candidate: &Candidate, domain: &str, all_debates: u32, rules: &TeamRules) -> f64 {
    let name = candidate.name.to_lowercase();
    let patterns = rules.patterns.iter().find(|entry| entry.domain == domain);
    let place = patterns.and_then(|entry| {
        entry
            .patterns
            .iter()
            .position(|part| name.contains(&part.to_lowercase()))
    });
    let fit = place.map_or(0.0, |place| (1.0 - 0.15 * place as f64).max(0.0));
    1.0 + rules.elo_weight * (candidate.elo - rules.elo_baseline) / 1000.0
        + rules.calibration_weight * candidate.brier.map_or(0.0, |brier| 1.0 - brier)
        + rules.domain_weight * fit
        + rules.exploration_weight * exploration(candidate.debates, all_debates)
}

/// Returns the exploration bonus by number of debates, 0 to 1.
#[must_use]
pub fn exploration(debates: u32, all_debates: u32) -> f64 {
    if debates == 0 {
        return 1.0;
    }
    let all = f64::from(all_debates).max(3.0 * f64::from(debates)).max(50.0);
    (ln(all) / f64::from(debates)).sqrt().min(1.0)
}

/// Returns the indices of the `size` best available candidates, best first; ties keep their order. If two
/// providers are available, the team has both: the last place goes to the best candidate of another provider.
#[must_use]
pub fn select(candidates: &[Candidate], domain: &str, size: usize, rules: &TeamRules) -> Vec<usize> {
    let all_debates = candidates.iter().map(|candidate| candidate.debates).sum();
    let mut ranked: Vec<(usize, f64, &Candidate)> = candidates
        .iter()
        .enumerate()
        .filter(|(_, candidate)| candidate.available)
        .map(|(at, candidate)| (at, score(candidate, domain, all_debates, rules), candidate))
        .collect();
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1));
    let rest = ranked.split_off(size.min(ranked.len()));
    let is_one_provider = ranked
        .windows(2)
        .all(|pair| pair[0].2.provider == pair[1].2.provider);
    if let Some((_, _, last)) = ranked.last()
        && ranked.len() > 1
        && is_one_provider
        && let Some(other) = rest
            .into_iter()
            .find(|(_, _, candidate)| candidate.provider != last.provider)
    {
        ranked.pop();
        ranked.push(other);
    }
    ranked.into_iter().map(|(at, _, _)| at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn candidate(name: &str, provider: &str, elo: f64) -> Candidate {
        Candidate {
            name: name.to_owned(),
            provider: provider.to_owned(),
            elo,
            brier: None,
            debates: 1000,
            available: true,
        }
    }

    #[test]
    fn a_team_has_two_providers() {
        let mut all = [
            candidate("a", "x", 1900.0),
            candidate("b", "x", 1800.0),
            candidate("c", "y", 1200.0),
            candidate("d", "y", 1300.0),
        ];
        let rules = TeamRules::default();
        assert_eq!(select(&all, "law", 2, &rules), [0, 3]);
        assert_eq!(select(&all, "law", 1, &rules), [0]);
        assert_eq!(select(&all, "law", 9, &rules), [0, 1, 3, 2]);
        all[3].available = false;
        assert_eq!(select(&all, "law", 2, &rules), [0, 2]);
    }

    #[test]
    fn patterns_are_the_users() {
        let rules = TeamRules {
            patterns: vec![DomainPatterns {
                domain: "code".to_owned(),
                patterns: vec!["CODER".to_owned(), "gpt".to_owned()],
            }],
            exploration_weight: 0.0,
            ..TeamRules::default()
        };
        let fit = |name, domain| score(&candidate(name, "x", 1000.0), domain, 0, &rules);
        assert!((fit("big-coder", "code") - 1.25).abs() < 1e-12);
        assert!((fit("gpt", "code") - 1.2125).abs() < 1e-12);
        assert_eq!(fit("gpt", "law"), 1.0);
        assert_eq!(exploration(0, 9), 1.0);
    }

    proptest! {
        #[test]
        fn a_team_is_of_the_available(seats in proptest::collection::vec((0..3u8, 0.0..3000.0f64, any::<bool>(), 0..99u32), 0..9), size in 0..10usize) {
            let all: Vec<Candidate> = seats
                .iter()
                .map(|(provider, elo, available, debates)| Candidate {
                    available: *available,
                    debates: *debates,
                    ..candidate("n", &provider.to_string(), *elo)
                })
                .collect();
            let team = select(&all, "law", size, &TeamRules::default());
            let available = all.iter().filter(|candidate| candidate.available).count();
            prop_assert_eq!(team.len(), size.min(available));
            prop_assert!(team.iter().all(|at| all[*at].available));
        }
    }
}
