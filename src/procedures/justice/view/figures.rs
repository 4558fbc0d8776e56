//! What an experiment came to, in figures: the incomes under each rule, the class of each participant that the role may
//! know, and who changed their mind.

use crate::principle::{Principle, Ranking};
use crate::procedures::justice::counterfactual::fixed_class;
use crate::procedures::justice::distribution::{Distribution, IncomeClass, Probabilities};
use crate::procedures::justice::event::Payout;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Figures {
    /// Factor of the incomes.
    multiplier: f64,
    /// Shares of the classes, lowest first.
    shares: [f64; 5],
    /// One for each rule; that of the group with its own amount, others with the median one.
    worlds: Vec<World>,
    /// Rule that the group agreed on, 1 to 4.
    chosen: Option<u8>,
    fates: Vec<Fate>,
    #[serde(skip)]
    distributions: Vec<[u32; 5]>,
}

/// The incomes under a rule.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct World {
    /// From 1 to 4.
    rule: u8,
    /// The floor or the range of rules 3 and 4.
    amount: Option<u32>,
    /// Whether the incomes keep to the amount.
    is_met: bool,
    /// Lowest first.
    incomes: [u32; 5],
    average: f64,
}

/// What was drawn for a participant.
#[derive(Debug, Serialize)]
struct Fate {
    seat: String,
    /// Its class, from 0, the lowest.
    at: usize,
    income: u32,
    /// Incomes of the distribution that applied to it, lowest first.
    incomes: [u32; 5],
}

/// The incomes of a distribution, lowest first.
fn ascending(distribution: &[u32; 5]) -> [u32; 5] {
    let mut incomes = *distribution;
    incomes.reverse();
    incomes
}

impl Figures {
    pub(super) fn of(
        multiplier: f64,
        distributions: &[[u32; 5]],
        probabilities: Option<[f64; 5]>,
        agreed: Option<(Principle, Option<u32>)>,
    ) -> Self {
        let all: Vec<Distribution> = distributions.iter().copied().map(Distribution).collect();
        let probabilities = probabilities.and_then(|values| Probabilities::new(values).ok());
        let lines = fixed_class(&all, IncomeClass::Low, probabilities.as_ref(), agreed);
        let worlds = lines.iter().map(|line| World {
            rule: line.principle.number(),
            amount: line.amount,
            is_met: line.constraint_met,
            incomes: ascending(&all[line.distribution].0),
            average: all[line.distribution].mean(probabilities.as_ref()),
        });
        let mut shares = probabilities.map_or([0.2; 5], |probabilities| *probabilities.values());
        shares.reverse();
        Self {
            multiplier,
            shares,
            worlds: worlds.collect(),
            chosen: agreed.map(|(principle, _)| principle.number()),
            fates: Vec::new(),
            distributions: distributions.to_vec(),
        }
    }

    pub(super) fn add(&mut self, paid: &Payout) {
        let distribution = usize::from(paid.distribution).checked_sub(1);
        let class = IncomeClass::ALL
            .iter()
            .rev()
            .position(|class| class.id() == paid.class);
        if let (Some(at), Some(incomes)) = (class, distribution.and_then(|at| self.distributions.get(at))) {
            self.fates.push(Fate {
                seat: paid.seat.clone(),
                at,
                income: paid.income,
                incomes: ascending(incomes),
            });
        }
    }
}

/// Who found another rule the fairest at the end than at the beginning, of those who ranked the rules more than once.
#[derive(Debug, Serialize)]
pub(super) struct Minds {
    #[serde(skip_serializing_if = "Option::is_none")]
    changed: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ranked: Option<usize>,
    /// Those whose rankings the role may see.
    of: Vec<Mind>,
}

/// The best rules of a participant's first and last ranking, 1 to 4.
#[derive(Debug, Serialize)]
struct Mind {
    seat: String,
    from: u8,
    to: u8,
}

/// The rankings in a result.
#[derive(Deserialize)]
struct Ranked {
    phase1: BTreeMap<String, Early>,
    final_rankings: BTreeMap<String, Option<Ranking>>,
}

#[derive(Deserialize)]
struct Early {
    rankings: BTreeMap<String, Option<Ranking>>,
}

impl Minds {
    /// Reads a whole result. `is_visible`: whether the role may see the rankings of a seat.
    pub(super) fn of(result: &Value, is_visible: impl Fn(&str) -> bool) -> Option<Self> {
        let ranked = Ranked::deserialize(result).ok()?;
        let mind = |(seat, last): (&String, &Option<Ranking>)| {
            let early = ranked.phase1.get(seat);
            let early = ["initial", "post_explanation", "after_applications"]
                .iter()
                .filter_map(|moment| early?.rankings.get(*moment)?.as_ref());
            let tops: Vec<u8> = early
                .chain(last)
                .map(|ranking| ranking.order[0].number())
                .collect();
            match tops[..] {
                [from, .., to] => Some(Mind {
                    seat: seat.clone(),
                    from,
                    to,
                }),
                _ => None,
            }
        };
        let all: Vec<Mind> = ranked.final_rankings.iter().filter_map(mind).collect();
        Some(Self {
            changed: Some(all.iter().filter(|mind| mind.from != mind.to).count()),
            ranked: Some(all.len()),
            of: all.into_iter().filter(|mind| is_visible(&mind.seat)).collect(),
        })
    }

    pub(super) fn without_counts(self) -> Self {
        Self {
            changed: None,
            ranked: None,
            ..self
        }
    }
}
