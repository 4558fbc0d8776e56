//! Proposal of a scripted debater as a set of sentences from the bank. The first follows the debater's
//! leaning, later ones the critiques of others. Statements to others are dropped.

use super::bank::{Bank, Place, Point};
use super::persona::Persona;
use crate::procedures::debate::context::Objection;
use crate::procedures::scripted::chance::Chance;
use crate::procedures::topics::Side;

/// Number of reasons in a proposal.
const REASONS: usize = 2;

/// Maximum number of hedged claims.
const HEDGED: usize = 2;

/// The sentences of a proposal, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Draft {
    pub(super) points: Vec<Point>,
    /// Sentences hedged after a request for evidence.
    pub(super) hedged: Vec<Point>,
    /// Index of the cited item, from 0.
    pub(super) source: Option<usize>,
}

impl Draft {
    /// Builds the first proposal. Debaters with the same side avoid each other's sentences.
    pub(super) fn first(bank: &Bank, persona: &Persona) -> Self {
        let mut points = Vec::new();
        for place in Place::ALL {
            let mut choices = bank.best(place, persona.first_side);
            let first = Chance::new(persona.seed, "", place.name()).below(choices.len());
            choices.rotate_left(first);
            let has_side = choices.iter().any(|point| point.side.is_some());
            let turn = if has_side { persona.rank } else { persona.index };
            let count = if place == Place::Reason { REASONS } else { 1 };
            let own = choices.iter().skip(turn * count).take(count);
            let before = points.len();
            points.extend(own.copied());
            if points.len() == before && choices.len() > 1 {
                points.extend(choices.get(turn % choices.len()).copied());
            }
        }
        points.sort();
        Self {
            points,
            hedged: Vec::new(),
            source: None,
        }
    }

    /// Recognises the sentences in a text; `None` if it has none of the bank.
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

    /// Replaces the weakest sentence of the same place.
    fn replace_weakest(&mut self, bank: &Bank, point: Point) {
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
        self.points.sort();
    }

    /// Changes the side: sentences of other sides are replaced by the best of the new one.
    fn change_side(&mut self, bank: &Bank, side: Side) {
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
        self.points.sort();
    }

    /// Returns how much a sentence would improve the draft.
    pub(super) fn gain(&self, bank: &Bank, point: Point) -> f64 {
        let own = self.at(point.place).into_iter().map(|own| bank.merit(own));
        let weakest = own.fold(1.0, f64::min);
        bank.merit(point)
            - if self.at(point.place).is_empty() {
                0.0
            } else {
                weakest
            }
    }

    /// Applies critiques as far as the debater is open to them: the side first, then single sentences.
    /// `patience` grows with the length of the debate. Returns whether no suggestion would have improved the
    /// draft.
    pub(super) fn revise(
        &mut self,
        bank: &Bank,
        persona: &Persona,
        critiques: &[Objection],
        patience: f64,
        chance: &mut Chance,
    ) -> bool {
        let mut is_settled = true;
        let texts = critiques.iter().flat_map(|critique| &critique.suggestions);
        let suggested: Vec<Point> = texts.flat_map(|text| bank.found_in(text)).collect();
        let backers = |side: Side| {
            let fits = |point: &&Point| point.place == Place::Claim && point.side == Some(side);
            suggested.iter().filter(fits).count()
        };
        let own = self.side(bank);
        for side in Side::ALL {
            let gain = bank.merit_of_side(side) - bank.merit_of_side(own);
            let pull = 0.35 * backers(side) as f64 + 0.8 * gain
                - 0.3 * (persona.preference(own) - persona.preference(side));
            // Only improvements, so that two debaters do not swap places.
            if gain > 0.0
                && persona.bound.is_none()
                && backers(side) > 0
                && chance.happens((persona.openness * patience * (0.3 + pull)).min(0.97))
            {
                self.change_side(bank, side);
                is_settled = false;
                break;
            }
        }
        let own = self.side(bank);
        for point in suggested {
            let fits = point.side.is_none_or(|side| side == own);
            let gain = self.gain(bank, point);
            if self.has(point) || !fits || point.place == Place::Open || gain <= 0.0 {
                continue;
            }
            is_settled = false;
            if chance.happens((persona.openness * patience * (0.25 + 1.3 * gain)).min(0.99)) {
                self.replace_weakest(bank, point);
            }
        }
        // A settled proposal needs no opening.
        if is_settled {
            self.points.retain(|point| point.place != Place::Open);
        }
        is_settled
    }

    /// Answers a challenge: cites an item of the material, if there is one, and hedges the first claims in
    /// question.
    pub(super) fn answer_challenge(&mut self, bank: &Bank, challenge: &str) {
        if self.source.is_none() {
            self.source = bank.best_source();
        }
        let challenged = bank.found_in(challenge);
        let is_own = |point: &Point| {
            matches!(point.place, Place::Claim | Place::Reason) && self.points.contains(point)
        };
        let own: Vec<Point> = challenged.into_iter().filter(is_own).collect();
        for point in own.into_iter().take(HEDGED) {
            if !self.hedged.contains(&point) && self.hedged.len() < HEDGED {
                self.hedged.push(point);
            }
        }
    }

    /// Adopts better sentences from others on the same side.
    pub(super) fn merge(&mut self, bank: &Bank, persona: &Persona, others: &[Draft], chance: &mut Chance) {
        let own = self.side(bank);
        let count = |side: Side| others.iter().filter(|other| other.side(bank) == side).count();
        for side in Side::ALL {
            let is_majority = count(side) > others.len() / 2 && side != own && count(own) == 0;
            if is_majority && persona.bound.is_none() && chance.happens(0.5 * persona.openness) {
                self.change_side(bank, side);
            }
        }
        let own = self.side(bank);
        for point in others.iter().flat_map(|other| &other.points) {
            let fits = point.side.is_none_or(|side| side == own) && point.place != Place::Open;
            let is_better = self.gain(bank, *point) > 0.0;
            if fits && is_better && !self.has(*point) && chance.happens(0.3 + 0.7 * persona.openness) {
                self.replace_weakest(bank, *point);
            }
        }
    }

    /// Returns the quality apart from the side, 0 to 1.
    pub(super) fn quality(&self, bank: &Bank) -> f64 {
        let merits: f64 = self.points.iter().map(|point| bank.merit(*point)).sum();
        merits / self.points.len().max(1) as f64
    }
}
