//! A proposal as a scripted debater has it in mind: which sentences of the bank it holds. A first one
//! from the debater's leaning, later ones from what others say. What was said to others is not kept.

use super::bank::{Bank, Place, Point, Side};
use super::persona::Persona;
use crate::procedures::debate::facts::Objection;
use crate::procedures::scripted::chance::Chance;

/// Reasons in a proposal.
const REASONS: usize = 2;

/// Claims that are called no more than likely, at most.
const HEDGED: usize = 2;

/// The sentences of a proposal, in the order in which they are spoken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Draft {
    pub(super) points: Vec<Point>,
    /// Those that are only called likely, after somebody asked what supports them.
    pub(super) hedged: Vec<Point>,
    /// Which piece of the material it names, counted from 0.
    pub(super) source: Option<usize>,
}

/// What a revision did with the critiques.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Change {
    /// Whose view made it change sides.
    pub(super) moved_by: Option<String>,
    /// Whose suggestions were taken up.
    pub(super) took_from: Vec<String>,
    /// Whose suggestion was not, and what stays in its place.
    pub(super) kept: Option<(String, Point)>,
}

impl Change {
    /// Whether nothing came of the critiques, not even a doubt.
    pub(super) fn is_none(&self) -> bool {
        self.moved_by.is_none() && self.took_from.is_empty() && self.kept.is_none()
    }
}

impl Draft {
    /// The first proposal.
    pub(super) fn first(bank: &Bank, persona: &Persona, chance: &mut Chance) -> Self {
        let side = preferred(bank, persona);
        let mut points = Vec::new();
        for place in Place::ALL {
            let mut choices = bank.best(place, side);
            let count = if place == Place::Reason { REASONS } else { 1 };
            for _ in 0..count {
                if let Some(point) = chance.pick(&choices).copied() {
                    choices.retain(|other| *other != point);
                    points.push(point);
                }
            }
        }
        Self {
            points,
            hedged: Vec::new(),
            source: None,
        }
    }

    /// What a text says of it; `None` where it is not of the bank.
    pub(super) fn of(bank: &Bank, text: &str) -> Option<Self> {
        let points = bank.found_in(text);
        bank.side_of(&points).is_some().then(|| Self {
            hedged: bank.hedged_in(text),
            source: bank.source_in(text),
            points,
        })
    }

    pub(super) fn side(&self, bank: &Bank) -> Side {
        bank.side_of(&self.points).unwrap_or(Side::Middle)
    }

    fn has(&self, point: Point) -> bool {
        self.points.contains(&point)
    }

    pub(super) fn at(&self, place: Place) -> Vec<Point> {
        let fits = |point: &&Point| point.place == place;
        self.points.iter().filter(fits).copied().collect()
    }

    /// Puts a sentence where the weakest of its place stands.
    fn put(&mut self, bank: &Bank, point: Point) {
        let mut weakest: Option<usize> = None;
        for (at, known) in self.points.iter().enumerate() {
            let is_weaker = |than: usize| {
                let than = self.points.get(than).map_or(1.0, |point| bank.merit(*point));
                bank.merit(*known) < than
            };
            if known.place == point.place && weakest.is_none_or(is_weaker) {
                weakest = Some(at);
            }
        }
        match weakest.and_then(|at| self.points.get_mut(at)) {
            Some(place) => *place = point,
            None => self.points.push(point),
        }
        crate::sorted::sort(&mut self.points, |one, other| one < other);
    }

    /// Goes over to a side: every sentence that takes another gives way to the best of the new one.
    fn go_over(&mut self, bank: &Bank, side: Side) {
        self.points
            .retain(|point| point.side.is_none_or(|own| own == side));
        for place in Place::ALL {
            let count = if place == Place::Reason { REASONS } else { 1 };
            for point in bank.best(place, side) {
                if self.at(place).len() >= count {
                    break;
                }
                if !self.has(point) {
                    self.points.push(point);
                }
            }
        }
        crate::sorted::sort(&mut self.points, |one, other| one < other);
    }

    /// Takes up critiques as far as the debater is open to them: the side first, then sentence by
    /// sentence. `patience` grows the longer the debate takes.
    pub(super) fn revise(
        &mut self,
        bank: &Bank,
        persona: &Persona,
        critiques: &[Objection],
        patience: f64,
        chance: &mut Chance,
    ) -> Change {
        let mut change = Change {
            moved_by: None,
            took_from: Vec::new(),
            kept: None,
        };
        let suggested: Vec<(&str, Point)> = critiques
            .iter()
            .flat_map(|critique| {
                let points = critique.suggestions.iter().flat_map(|text| bank.found_in(text));
                points.map(|point| (critique.critic.as_str(), point))
            })
            .collect();
        let backers = |side: Side| {
            let fits = |(_, point): &&(&str, Point)| point.place == Place::Claim && point.side == Some(side);
            suggested.iter().filter(fits).count()
        };
        let own = self.side(bank);
        for side in Side::ALL {
            let gain = bank.merit_of_side(side) - bank.merit_of_side(own);
            let pull =
                0.35 * backers(side) as f64 + 0.8 * gain - 0.3 * (persona.likes(own) - persona.likes(side));
            if side != own
                && backers(side) > 0
                && chance.happens((persona.openness * patience * (0.3 + pull)).min(0.97))
            {
                self.go_over(bank, side);
                let by = suggested.iter().find(|(_, point)| point.side == Some(side));
                change.moved_by = by.map(|(critic, _)| (*critic).to_owned());
                break;
            }
        }
        let own = self.side(bank);
        for (critic, point) in suggested {
            let fits = point.side.is_none_or(|side| side == own);
            if self.has(point) || !fits || point.place == Place::Open {
                continue;
            }
            let weakest = self.at(point.place).into_iter().map(|own| bank.merit(own));
            let gain = bank.merit(point) - weakest.fold(1.0, f64::min);
            if gain > 0.0 && chance.happens((persona.openness * patience * (0.25 + 1.3 * gain)).min(0.99)) {
                self.put(bank, point);
                if !change.took_from.iter().any(|known| known == critic) {
                    change.took_from.push(critic.to_owned());
                }
            } else if gain > 0.0 && change.kept.is_none() {
                let own = self.at(point.place).into_iter().next();
                change.kept = own.map(|own| (critic.to_owned(), own));
            }
        }
        // What nobody wants otherwise any more needs no introduction.
        if change.is_none() {
            self.points.retain(|point| point.place != Place::Open);
        }
        change
    }

    /// Meets a challenge: names a piece of the material where there is one, and calls the first of the
    /// claims that were asked about no more than likely.
    pub(super) fn answer(&mut self, bank: &Bank, challenge: &str) {
        if self.source.is_none() {
            self.source = bank.best_source();
        }
        let asked = bank.found_in(challenge);
        let own = asked.into_iter().filter(|point| self.points.contains(point));
        for point in own.take(HEDGED) {
            if !self.hedged.contains(&point) && self.hedged.len() < HEDGED {
                self.hedged.push(point);
            }
        }
    }

    /// Takes over what others on the same side say better; comes out with whose it was.
    pub(super) fn merge(
        &mut self,
        bank: &Bank,
        persona: &Persona,
        others: &[(&str, Draft)],
        chance: &mut Chance,
    ) -> Option<String> {
        let own = self.side(bank);
        let count = |side: Side| {
            others
                .iter()
                .filter(|(_, other)| other.side(bank) == side)
                .count()
        };
        for side in Side::ALL {
            let most = count(side) > others.len() / 2 && side != own && count(own) == 0;
            if most && persona.bound.is_none() && chance.happens(0.5 * persona.openness) {
                self.go_over(bank, side);
            }
        }
        let own = self.side(bank);
        let mut from = None;
        for (name, other) in others {
            for point in &other.points {
                let fits = point.side.is_none_or(|side| side == own) && point.place != Place::Open;
                let weakest = self.at(point.place).into_iter().map(|own| bank.merit(own));
                let is_better = bank.merit(*point) > weakest.fold(1.0, f64::min);
                if fits && is_better && !self.has(*point) && chance.happens(0.3 + 0.7 * persona.openness) {
                    self.put(bank, *point);
                    from = Some((*name).to_owned());
                }
            }
        }
        from
    }

    /// How good it is, 0 to 1, apart from the side that it takes.
    pub(super) fn quality(&self, bank: &Bank) -> f64 {
        let merits: f64 = self.points.iter().map(|point| bank.merit(*point)).sum();
        merits / self.points.len().max(1) as f64
    }
}

/// The side that the debater holds best.
pub(super) fn preferred(bank: &Bank, persona: &Persona) -> Side {
    let value = |side: Side| persona.likes(side) + 0.45 * bank.merit_of_side(side);
    let mut best = Side::Middle;
    for side in Side::ALL {
        if value(side) > value(best) {
            best = side;
        }
    }
    best
}
