//! Traits of a scripted debater: leaning, openness, judgement. Drawn from seed and name, and adjusted by
//! stance and words of the personality.

use crate::language::files::{Files, Lists};
use crate::language::in_each_language;
use crate::procedures::debate::context::DebateContext;
use crate::procedures::scripted::chance::Chance;
use crate::procedures::scripted::traits::{Adjustment, adjust};
use crate::procedures::topics::Side;
use crate::seat::Seat;

/// Constant traits of a debater. Fractions are 0 to 1.
pub(super) struct Persona {
    pub(super) seed: u32,
    /// Index at the table.
    pub(super) index: usize,
    /// First side: the assigned one, else alternating by index.
    pub(super) first_side: Side,
    /// Number of debaters before it with the same first side, estimated from the index.
    pub(super) rank: usize,
    /// Preference for each side, in the order of [`Side::ALL`].
    pub(super) leaning: [f64; 3],
    /// Assigned side.
    pub(super) bound: Option<Side>,
    /// Readiness to adopt suggestions.
    pub(super) openness: f64,
    /// Weight of faults.
    pub(super) severity: f64,
    /// Stated confidence.
    pub(super) confidence: f64,
    /// Preference for the debater's own proposal.
    pub(super) pride: f64,
}

const ADJUSTMENTS: [Adjustment<Persona>; 5] = [
    ("bold", |p| p.leaning[0] += 0.4),
    ("cautious", |p| p.leaning[1] += 0.4),
    ("measured", |p| p.leaning[2] += 0.4),
    ("open", |p| p.openness += 0.2),
    ("stubborn", |p| {
        p.openness -= 0.25;
        p.severity += 0.2;
    }),
];

static TRAITS: Files<Lists> = in_each_language!("../words/traits");

impl Persona {
    /// Returns the debater of a seat under a seed.
    pub(super) fn of(seat: &Seat, seed: u32, facts: &DebateContext) -> Self {
        let mut chance = Chance::new(seed, &seat.name, "debater");
        // All debaters share a mood, so that some debates agree more readily.
        let mood = Chance::new(seed, "", "mood of the table").unit();
        let index = facts.participants.iter().position(|name| *name == seat.name);
        let index = index.unwrap_or_default();
        let turn = Chance::new(seed, "", "first side").below(Side::ALL.len());
        let mut persona = Self {
            seed,
            index,
            first_side: Side::ALL[(index + turn) % Side::ALL.len()],
            rank: index / Side::ALL.len(),
            leaning: [
                chance.between(0.0, 1.0),
                chance.between(0.0, 1.0),
                chance.between(0.0, 1.0),
            ],
            bound: match facts.stance.as_str() {
                "affirmative" => Some(Side::For),
                "negative" => Some(Side::Against),
                _ => None,
            },
            openness: chance.between(0.08, 0.45) + 0.7 * mood * mood,
            severity: chance.between(0.2, 0.8),
            confidence: chance.between(0.5, 0.9),
            pride: chance.between(0.0, 0.5),
        };
        adjust(&mut persona, &seat.personality, &TRAITS, &ADJUSTMENTS);
        persona.leaning[persona.first_side as usize] += 0.4;
        if let Some(side) = persona.bound {
            persona.first_side = side;
            persona.rank = index / 2;
        }
        persona.openness += 0.08 * (f64::from(facts.intensity.min(10)) - 5.0);
        if persona.bound.is_some() {
            persona.openness *= 0.5;
        }
        persona.openness = persona.openness.clamp(0.02, 1.0);
        persona
    }

    /// Returns the preference for a side.
    pub(super) fn preference(&self, side: Side) -> f64 {
        let bonus = if self.bound == Some(side) { 2.0 } else { 0.0 };
        bonus + self.leaning.get(side as usize).copied().unwrap_or(0.0)
    }
}
