//! Opinion of a scripted participant at a moment: its preferences, the pressure of the others' last
//! statements and the remaining time, weighed into one stance. All texts and votes of that moment follow from
//! it, so that they agree.

use super::persona::{Persona, round_500};
use super::stance::{Stance, detect_stance};
use crate::principle::{Certainty, Choice, Principle, Ranking};
use crate::procedures::justice::context::JusticeContext;
use crate::procedures::scripted::chance::Chance;

/// A participant's view of the discussion.
#[derive(Debug)]
pub(super) struct Opinion<'f> {
    /// Current stance.
    pub(super) stance: Stance,
    /// Its last stated stance; `None` if it has not spoken.
    pub(super) before: Option<Stance>,
    /// The others' last stated stances, the latest speaker first.
    pub(super) others: Vec<(&'f str, Stance)>,
    /// Number of others with the same principle.
    pub(super) allies: usize,
    /// Number of others with the same principle and amount.
    pub(super) agreeing: usize,
    /// Number of others at the table.
    pub(super) table: usize,
    /// Discussion rounds left after this one.
    pub(super) left: u32,
    /// Elapsed share of the discussion, 0 to 1.
    pub(super) time: f64,
}

/// Weight of the others' pressure in the first round, and its increase up to the last round.
const PRESSURE: (f64, f64) = (0.5, 1.0);
/// Weight of the participant's own last statement.
const INERTIA: f64 = 0.06;

impl<'f> Opinion<'f> {
    /// Forms the opinion of a participant from its facts.
    pub(super) fn form(persona: &Persona, name: &str, facts: &'f JusticeContext) -> Self {
        let (before, others) = latest_stances(name, facts);
        let table = facts
            .participants
            .iter()
            .filter(|other| *other != name)
            .count()
            .max(others.len());
        let left = facts.rounds.saturating_sub(facts.round);
        let time = match facts.rounds.saturating_sub(1) {
            0 => 1.0,
            last => f64::from(facts.round.saturating_sub(1).min(last)) / f64::from(last),
        };
        let mut opinion = Self {
            stance: Stance {
                principle: Principle::FloorConstraint,
                amount: None,
            },
            before,
            others,
            allies: 0,
            agreeing: 0,
            table,
            left,
            time,
        };
        let principle = opinion.principle(persona, facts);
        let amount = principle
            .needs_amount()
            .then(|| opinion.amount(persona, principle, facts));
        opinion.stance = Stance { principle, amount };
        opinion.allies = opinion.supporters(principle);
        opinion.agreeing = count(opinion.others.iter().filter(|(_, s)| *s == opinion.stance));
        opinion
    }

    fn supporters(&self, principle: Principle) -> usize {
        count(self.others.iter().filter(|(_, s)| s.principle == principle))
    }

    fn principle(&self, persona: &Persona, facts: &JusticeContext) -> Principle {
        let mut scores = persona.utilities(&facts.applications);
        let mut open = 1.0 - persona.stubbornness;
        if persona.stubbornness >= 0.9 {
            open = 0.0;
        }
        if let Some(target) = facts.target {
            scores[index(target)] += 2.5;
            open *= 0.2;
        }
        let weight = open * (PRESSURE.0 + PRESSURE.1 * self.time) / ratio(self.table.max(1), 1);
        for principle in Principle::ALL {
            let score = &mut scores[index(principle)];
            *score += weight * ratio(self.supporters(principle), 1);
            if self.before.is_some_and(|stance| stance.principle == principle) {
                *score += INERTIA;
            }
        }
        order(&scores)[0]
    }

    /// Returns the amount that it currently names for a principle.
    pub(super) fn amount(&self, persona: &Persona, principle: Principle, facts: &JusticeContext) -> u32 {
        let named_amount = |stance: &Stance| (stance.principle == principle).then_some(stance.amount)?;
        let own = self.before.as_ref().and_then(named_amount);
        let mut named: Vec<u32> = self
            .others
            .iter()
            .filter_map(|(_, stance)| named_amount(stance))
            .collect();
        let favourite = || persona.amount(principle, &facts.applications);
        if named.is_empty() {
            return own.unwrap_or_else(favourite);
        }
        let held = own.unwrap_or_else(favourite);
        named.push(held);
        named.sort();
        let most = named
            .chunk_by(|a, b| a == b)
            .max_by_key(|same| same.len())
            .and_then(|same| Some((*same.first()?, same.len())));
        if let Some((amount, votes)) = most
            && votes * 2 > named.len()
            && (persona.stubbornness < 0.9 || self.time > 0.4)
        {
            return amount;
        }
        let median = named.get((named.len() - 1) / 2).copied().map_or(held, round_500);
        if persona.haggles && self.time < 0.6 {
            round_500(held.midpoint(median))
        } else {
            median
        }
    }

    /// Whether all others have stated the same stance.
    pub(super) fn is_united(&self) -> bool {
        self.table > 0 && self.agreeing == self.table
    }

    /// Whether it starts a vote in this round.
    pub(super) fn calls_vote(&self, persona: &Persona, facts: &JusticeContext, chance: &mut Chance) -> bool {
        let mood = chance.unit();
        let just_failed = facts
            .ballots
            .last()
            .is_some_and(|ballot| ballot.round + 1 >= facts.round);
        if self.is_united() {
            mood < 0.55 + 0.5 * persona.impatience
        } else if self.left == 0 {
            self.allies * 2 >= self.table || mood < 0.5
        } else if just_failed {
            false
        } else if self.agreeing + 1 == self.table && self.table > 2 {
            mood < 0.3 * persona.impatience * (0.4 + self.time)
        } else {
            self.left == 1 && self.agreeing * 2 >= self.table && mood < 0.4
        }
    }

    /// Whether it takes part in a vote.
    pub(super) fn joins_vote(&self, persona: &Persona, chance: &mut Chance) -> bool {
        let mood = chance.unit();
        if self.is_united() || self.left == 0 {
            return true;
        }
        let alone = self.allies * 2 < self.table;
        !(alone && mood < persona.stubbornness * 0.5) && mood < 0.97
    }
}

/// Returns its own last stance and the last stance of each other participant.
fn latest_stances<'f>(name: &str, facts: &'f JusticeContext) -> (Option<Stance>, Vec<(&'f str, Stance)>) {
    let mut seen: Vec<&str> = Vec::with_capacity(facts.participants.len());
    let mut before = None;
    let mut others = Vec::with_capacity(facts.participants.len());
    for statement in facts.heard.iter().rev() {
        let speaker = statement.speaker.as_str();
        if seen.contains(&speaker) {
            continue;
        }
        let Some(stance) = detect_stance(&statement.text) else {
            continue;
        };
        seen.push(speaker);
        if speaker == name {
            before = Some(stance);
        } else {
            others.push((speaker, stance));
        }
        if seen.len() >= facts.participants.len() && !facts.participants.is_empty() {
            break;
        }
    }
    (before, others)
}

/// Basis of a ranking: preferences with a first impression that wears off, or preferences shifted by the
/// group's result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Moment {
    /// Before the explanation.
    First,
    /// After the examples.
    Explained,
    /// After the application rounds.
    Lived,
    /// After the results.
    Over,
}

/// Returns the ranking at a moment.
pub(super) fn ranking(
    persona: &Persona,
    seed: u32,
    name: &str,
    facts: &JusticeContext,
    moment: Moment,
) -> Ranking {
    let mut scores = persona.utilities(&facts.applications);
    let mut impression = Chance::new(seed, name, "first impression");
    let strength = match moment {
        Moment::First => 0.4,
        Moment::Explained => 0.2,
        Moment::Lived | Moment::Over => 0.0,
    };
    for score in &mut scores {
        *score += strength * (impression.unit() - 0.5);
    }
    if moment == Moment::Over {
        let opinion = Opinion::form(persona, name, facts);
        scores[index(opinion.stance.principle)] += 0.08;
        if opinion.is_united() {
            let content = impression.happens(0.8) && persona.stubbornness < 0.9;
            scores[index(opinion.stance.principle)] += if content { 0.12 } else { -0.12 };
        }
    }
    let order = order(&scores);
    let lead = scores[index(order[0])] - scores[index(order[1])];
    let sure = persona.confidence + 0.6 * lead + if moment == Moment::First { -0.2 } else { 0.0 };
    let certainty = match sure {
        _ if sure < 0.12 => Certainty::VeryUnsure,
        _ if sure < 0.35 => Certainty::Unsure,
        _ if sure < 0.42 => Certainty::NoOpinion,
        _ if sure < 0.85 => Certainty::Sure,
        _ => Certainty::VerySure,
    };
    Ranking {
        order,
        certainty: Some(certainty),
    }
}

/// Returns the choice of an application round: mostly the preferred principle, sometimes another one to try
/// out.
pub(super) fn choice(persona: &Persona, facts: &JusticeContext, chance: &mut Chance) -> Choice {
    let mut scores = persona.utilities(&facts.applications);
    for score in &mut scores {
        *score += 0.5 * (chance.unit() - 0.5);
    }
    let principle = order(&scores)[0];
    let certainty = match persona.confidence + 0.4 * (chance.unit() - 0.5) {
        sure if sure < 0.25 => Certainty::VeryUnsure,
        sure if sure < 0.45 => Certainty::Unsure,
        sure if sure < 0.85 => Certainty::Sure,
        _ => Certainty::VerySure,
    };
    Choice {
        principle,
        amount: principle
            .needs_amount()
            .then(|| table_amount(persona, principle, facts)),
        certainty: Some(certainty),
    }
}

/// Returns the amount for a principle, given the distributions on the table.
pub(super) fn table_amount(persona: &Persona, principle: Principle, facts: &JusticeContext) -> u32 {
    let range = principle == Principle::RangeConstraint;
    let mut marks: Vec<u32> = facts
        .distributions
        .iter()
        .map(
            |[high, .., low]| {
                if range { high.saturating_sub(*low) } else { *low }
            },
        )
        .collect();
    marks.sort();
    // Demanding participants ask for a high floor or a narrow range.
    let demand = if range {
        1.0 - persona.inequality
    } else {
        0.5 * (persona.worst + persona.caution)
    };
    let place = [0.35, 0.6, 0.85].iter().filter(|mark| demand > **mark).count();
    match marks.get(place.min(marks.len().saturating_sub(1))) {
        Some(mark) if range => round_500(mark.saturating_add(249)),
        Some(mark) => (mark / 500 * 500).max(1_000),
        None => persona.amount(principle, &facts.applications),
    }
}

/// Returns the principles by descending score; ties go to the lower number.
pub(super) fn order(scores: &[f64; 4]) -> [Principle; 4] {
    let mut order = Principle::ALL;
    order.sort_by(|a, b| scores[index(*b)].total_cmp(&scores[index(*a)]));
    order
}

fn index(principle: Principle) -> usize {
    usize::from(principle.number()) - 1
}

fn count<T>(items: impl Iterator<Item = T>) -> usize {
    items.fold(0, |sum, _| sum + 1)
}

fn ratio(part: usize, whole: u32) -> f64 {
    f64::from(u32::try_from(part).unwrap_or(u32::MAX)) / f64::from(whole)
}
