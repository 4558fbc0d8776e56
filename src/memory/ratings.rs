//! Ratings and calibration of participants, overall and by domain. They are not stored: every debate leaves
//! one match, and the standings are computed from all matches in chronological order, whatever the order of
//! the rows. Recomputing them from the records gives the same result.
//!
//! Source: A16 of the debate's design.

use super::finished_debate::FinishedDebate;
use super::{Row, RowKind, sorted_indices};
use crate::core::ask::Millis;
use crate::core::record::Entry;
use crate::procedures::debate::rules::calibration::{Bias, Calibration};
use crate::procedures::debate::rules::elo::{self, Ratings, Settings};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::rc::Rc;

/// A debate's results for its participants.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Match {
    /// The debate; counted once.
    pub debate: String,
    pub ended_at: Millis,
    /// The subject area, if the configuration names one.
    #[serde(default)]
    pub domain: Option<String>,
    /// Points by name: the judge's, else vote shares. The judge is excluded.
    pub scores: Vec<(String, f64)>,
    pub predictions: Vec<Prediction>,
    #[serde(default)]
    pub players: Vec<Player>,
}

/// A vote, taken as a prediction of the winner.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Prediction {
    pub name: String,
    /// 0 to 1.
    pub confidence: f64,
    /// Whether the proposal voted for won.
    pub came_true: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Player {
    /// Name at the table.
    pub name: String,
    /// Kind of seat: `model`, `human`, `scripted` or `custom`.
    pub kind: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Host of the endpoint, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider: Option<String>,
}

impl Match {
    #[must_use]
    pub fn row(&self) -> Row {
        Row::of(RowKind::Match, self.debate.clone(), self)
    }

    pub(super) fn from_debate(debate: &FinishedDebate<'_>) -> Self {
        let scores = debate
            .outcome
            .match_scores
            .iter()
            .filter(|(_, points)| *points >= 0.0);
        let predictions = debate.predictions().into_iter();
        let agents = super::list(&debate.head.config, "agents");
        Self {
            debate: debate.id().to_owned(),
            ended_at: debate.at,
            domain: debate.domain(),
            scores: scores.cloned().collect(),
            predictions: predictions
                .map(|(name, confidence, came_true)| Prediction {
                    name: name.to_owned(),
                    confidence,
                    came_true,
                })
                .collect(),
            players: agents.iter().filter_map(parse_player).collect(),
        }
    }

    /// Returns `true` if the match has scores or predictions to count.
    #[must_use]
    pub fn has_results(&self) -> bool {
        self.scores.len() > 1 || !self.predictions.is_empty()
    }
}

fn parse_player(agent: &Value) -> Option<Player> {
    let text = |name: &str| agent.get(name).and_then(Value::as_str).map(str::to_owned);
    let host = |url: String| {
        let rest = url.split_once("://").map_or(url.as_str(), |(_, rest)| rest);
        let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
        let host = rest[..end].rsplit('@').next().unwrap_or_default();
        (!host.is_empty()).then(|| host.to_owned())
    };
    Some(Player {
        name: text("name")?.trim().to_owned(),
        kind: text("kind").unwrap_or_default(),
        model: text("model"),
        provider: text("base_url").and_then(host),
    })
}

/// Returns the match of a finished debate; `None` if the record holds none or it has nothing to count.
#[must_use]
pub fn match_of(record: &[Rc<Entry>]) -> Option<Row> {
    let found = Match::from_debate(&FinishedDebate::read(record)?);
    found.has_results().then(|| found.row())
}

/// Calibration of a participant's predictions.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Calibrated {
    pub predictions: u32,
    /// Mean squared error, 0 to 1; `None` without predictions.
    pub brier: Option<f64>,
    /// Expected calibration error, 0 to 1; `None` without predictions.
    pub ece: Option<f64>,
    /// Over- or under-confidence.
    pub bias: Bias,
    /// Trustworthiness, 0 to 1; 0 before ten predictions.
    pub score: f64,
}

impl Calibrated {
    fn of(record: &Calibration) -> Self {
        Self {
            predictions: record.total(),
            brier: record.brier(),
            ece: record.ece(),
            bias: record.bias(),
            score: record.score(),
        }
    }
}

/// Standing in one domain.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct InDomain {
    pub elo: f64,
    pub games: u32,
    pub calibration: Calibrated,
}

/// A point in the history of a rating.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Point {
    pub debate: String,
    pub at: Millis,
    pub elo: f64,
}

/// Standing of a participant.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RatingSummary {
    /// 1500 before the first match.
    pub elo: f64,
    pub games: u32,
    pub wins: u32,
    pub losses: u32,
    pub draws: u32,
    /// Debates with a match or a prediction of this participant.
    pub debates: u32,
    pub calibration: Calibrated,
    /// Latest player under this name.
    pub player: Option<Player>,
    /// The rating after each match.
    pub history: Vec<Point>,
    pub domains: BTreeMap<String, InDomain>,
}

#[derive(Default)]
struct Tally {
    calibration: Calibration,
    by_domain: BTreeMap<String, (u32, Calibration)>,
    player: Option<Player>,
    history: Vec<Point>,
    debates: u32,
}

/// Computes the standings from all match rows, by name. A duplicate debate counts once, by the earlier row.
#[must_use]
pub fn standings(rows: &[Row]) -> BTreeMap<String, RatingSummary> {
    let matches: Vec<Match> = super::read_all(rows, RowKind::Match);
    let order = sorted_indices(matches.iter().map(|found| (found.ended_at, found.debate.clone())));
    let mut ratings = Ratings::default();
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    let mut counted: BTreeMap<&str, ()> = BTreeMap::new();
    for game in order.into_iter().map(|at| &matches[at]) {
        if counted.insert(&game.debate, ()).is_none() {
            count_match(game, &mut ratings, &mut tallies);
        }
    }
    tallies
        .into_iter()
        .map(|(name, tally)| {
            let rating = ratings.player(&name);
            let standing = summarize(&rating, tally);
            (name, standing)
        })
        .collect()
}

fn count_match(game: &Match, ratings: &mut Ratings, tallies: &mut BTreeMap<String, Tally>) {
    let scores = game.scores.iter();
    let changes = ratings.record(
        &elo::Match {
            debate: game.debate.clone(),
            scores: scores.filter(|(_, points)| points.is_finite()).cloned().collect(),
            domain: game.domain.clone(),
            confidence_weight: 1.0,
            k_multipliers: BTreeMap::new(),
        },
        &Settings::default(),
    );
    let mut names: Vec<&String> = changes.keys().collect();
    names.extend(game.predictions.iter().map(|prediction| &prediction.name));
    names.sort();
    names.dedup();
    for name in names {
        let tally = tallies.entry(name.clone()).or_default();
        tally.debates += 1;
        if changes.contains_key(name) {
            tally.history.push(Point {
                debate: game.debate.clone(),
                at: game.ended_at,
                elo: ratings.player(name).elo,
            });
        }
        let player = game.players.iter().find(|player| player.name == *name);
        tally.player = player.cloned().or_else(|| tally.player.take());
        let domain = game.domain.as_ref();
        if let Some(domain) = domain {
            tally.by_domain.entry(domain.clone()).or_default().0 += 1;
        }
        let own = game
            .predictions
            .iter()
            .filter(|prediction| prediction.name == *name && prediction.confidence.is_finite());
        for prediction in own {
            tally.calibration.add(prediction.confidence, prediction.came_true);
            if let Some((_, record)) = domain.and_then(|domain| tally.by_domain.get_mut(domain)) {
                record.add(prediction.confidence, prediction.came_true);
            }
        }
    }
}

fn summarize(rating: &elo::Rating, tally: Tally) -> RatingSummary {
    let domains = tally.by_domain.into_iter().map(|(domain, (games, record))| {
        let found = InDomain {
            elo: rating.domains.get(&domain).copied().unwrap_or(elo::START),
            games,
            calibration: Calibrated::of(&record),
        };
        (domain, found)
    });
    RatingSummary {
        elo: rating.elo,
        games: rating.games(),
        wins: rating.wins,
        losses: rating.losses,
        draws: rating.draws,
        debates: tally.debates,
        calibration: Calibrated::of(&tally.calibration),
        player: tally.player,
        history: tally.history,
        domains: domains.collect(),
    }
}

/// Rating data of a participant in a configuration.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Rated {
    /// Rating in the domain, else overall.
    pub elo: f64,
    /// Brier score in the domain, else overall, 0 to 1; `None` without predictions.
    pub brier: Option<f64>,
    /// Number of predictions behind `brier`.
    pub predictions: u32,
    /// Debates in all domains.
    pub debates: u32,
}

/// Returns the ratings of those in `names` who have taken part in a debate.
#[must_use]
pub fn ratings_for(names: &[&str], domain: Option<&str>, matches: &[Row]) -> BTreeMap<String, Rated> {
    let standings = standings(matches);
    let known = names
        .iter()
        .filter_map(|name| Some((*name, standings.get(*name)?)));
    known
        .map(|(name, standing)| {
            let field = domain.and_then(|domain| standing.domains.get(domain));
            let own = field.map(|field| &field.calibration);
            let calibration = own
                .filter(|own| own.predictions > 0)
                .unwrap_or(&standing.calibration);
            let rated = Rated {
                elo: field.map_or(standing.elo, |field| field.elo),
                brier: calibration.brier,
                predictions: calibration.predictions,
                debates: standing.debates,
            };
            (name.to_owned(), rated)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn game(debate: &str, at: Millis, domain: Option<&str>, scores: &[(&str, f64)]) -> Match {
        let named = |(name, points): &(&str, f64)| ((*name).to_owned(), *points);
        Match {
            debate: debate.to_owned(),
            ended_at: at,
            domain: domain.map(str::to_owned),
            scores: scores.iter().map(named).collect(),
            predictions: Vec::new(),
            players: Vec::new(),
        }
    }

    #[test]
    fn a_match_moves_ratings_and_counts_once() {
        let first = game("d", 1, Some("tea"), &[("Ann", 9.0), ("Bob", 0.0)]);
        let again = game("d", 2, None, &[("Ann", 0.0), ("Bob", 9.0)]);
        let found = standings(&[again.row(), first.row()]);
        let ann = &found["Ann"];
        assert_eq!((ann.elo, ann.games, ann.wins), (1516.0, 1, 1));
        assert_eq!(ann.domains["tea"].elo, 1516.0);
        assert_eq!(ann.history.len(), 1);
        assert_eq!((found["Bob"].elo, found["Bob"].losses), (1484.0, 1));
    }

    #[test]
    fn votes_are_predictions() {
        let mut one = game("d", 1, Some("tea"), &[]);
        one.predictions = vec![Prediction {
            name: "Ann".to_owned(),
            confidence: 0.8,
            came_true: true,
        }];
        one.players = vec![Player {
            name: "Ann".to_owned(),
            kind: "model".to_owned(),
            model: Some("m".to_owned()),
            provider: None,
        }];
        let mut other = game("e", 2, None, &[]);
        other.predictions = vec![Prediction {
            name: "Ann".to_owned(),
            confidence: 1.0,
            came_true: false,
        }];
        let rows = [one.row(), other.row()];
        let found = standings(&rows);
        let ann = &found["Ann"];
        assert_eq!((ann.calibration.predictions, ann.games, ann.debates), (2, 0, 2));
        assert_eq!(ann.player.as_ref().unwrap().model.as_deref(), Some("m"));
        let tea = ratings_for(&["Ann", "Zoe"], Some("tea"), &rows);
        assert_eq!(tea.len(), 1);
        assert!((tea["Ann"].brier.unwrap() - 0.04).abs() < 1e-12);
        assert_eq!(tea["Ann"].predictions, 1);
        let all = ratings_for(&["Ann"], None, &rows);
        assert!((all["Ann"].brier.unwrap() - 0.52).abs() < 1e-12);
    }

    #[test]
    fn hosts_are_read_without_credentials() {
        let found = parse_player(&serde_json::json!({
            "name": "Ann", "kind": "model", "model": "m", "base_url": "https://user:pass@api.example.org/v1"
        }));
        assert_eq!(found.unwrap().provider.as_deref(), Some("api.example.org"));
    }

    proptest! {
        #[test]
        fn the_order_of_rows_changes_nothing(
            games in proptest::collection::vec((0..12u64, 0..6usize, proptest::collection::vec((0..4usize, 0.0..10.0f64), 0..4)), 0..8),
            turn in 0..8usize,
        ) {
            let names = ["Ann", "Bob", "Cy", "Dee"];
            let mut rows: Vec<Row> = games.iter().enumerate().map(|(n, (at, _, scores))| {
                let mut scores: Vec<(&str, f64)> = scores.iter().map(|(who, points)| (names[*who], *points)).collect();
                scores.sort_by_key(|(name, _)| *name);
                scores.dedup_by_key(|(name, _)| *name);
                game(&n.to_string(), *at, None, &scores).row()
            }).collect();
            let found = standings(&rows);
            let turn = turn % rows.len().max(1);
            rows.rotate_left(turn);
            prop_assert_eq!(&standings(&rows), &found);
            rows.reverse();
            let twice = [rows.clone(), rows].concat();
            prop_assert_eq!(&standings(&twice), &found);
            let sum: f64 = found.values().map(|standing| standing.elo - elo::START).sum();
            prop_assert!(sum.abs() < 1e-6);
        }
    }
}
