//! Persona of a scripted participant: values, character and habits, drawn once from seed and name and
//! adjusted by recognized words of its personality.

use crate::language::files::{Files, Lists};
use crate::language::in_each_language;
use crate::principle::Principle;
use crate::procedures::justice::context::Experience;
use crate::procedures::scripted::chance::Chance;
use crate::procedures::scripted::traits::{Adjustment, adjust};
use crate::seat::Seat;

/// Style of speech.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    /// Few words.
    Terse,
    /// Kind words.
    Warm,
    /// Structure first.
    Analytic,
    /// No ornament.
    Blunt,
}

impl Style {
    /// Returns the name of the style in the texts.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Terse => "terse",
            Self::Warm => "warm",
            Self::Analytic => "analytic",
            Self::Blunt => "blunt",
        }
    }
}

/// Lasting traits. Shares run from 0 to 1.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Persona {
    /// Concern for the worst off.
    pub(super) worst: f64,
    /// Concern for the mean.
    pub(super) average: f64,
    /// Aversion to inequality.
    pub(super) inequality: f64,
    /// Aversion to risk.
    pub(super) caution: f64,
    /// Share of the others' pressure that it withstands; from 0.9 it never yields.
    pub(super) stubbornness: f64,
    /// Length of its statements.
    pub(super) talk: f64,
    /// Readiness to call itself sure.
    pub(super) confidence: f64,
    /// Readiness to ask for a vote.
    pub(super) impatience: f64,
    /// Whether it moves its amount only halfway until time is short.
    pub(super) haggles: bool,
    pub(super) style: Style,
    /// Default floor constraint, in income dollars.
    pub(super) floor: u32,
    /// Default range constraint, in income dollars.
    pub(super) range: u32,
}

const FLOORS: [u32; 8] = [10_000, 11_000, 12_000, 12_000, 13_000, 13_000, 14_000, 15_000];
const RANGES: [u32; 6] = [12_000, 15_000, 16_000, 17_000, 18_000, 20_000];
/// Share of participants that never yield.
const ADAMANT: f64 = 0.07;

impl Persona {
    /// Creates the persona of a seat under a seed.
    pub(super) fn of(seat: &Seat, seed: u32) -> Self {
        let mut chance = Chance::new(seed, &seat.name, "persona");
        let mut persona = Self {
            worst: chance.between(0.15, 1.0),
            average: chance.between(0.15, 1.0),
            inequality: chance.between(0.0, 1.0),
            caution: chance.between(0.0, 1.0),
            stubbornness: chance.between(0.1, 0.75),
            talk: chance.between(0.0, 1.0),
            confidence: chance.between(0.2, 1.0),
            impatience: chance.between(0.0, 1.0),
            haggles: false,
            style: Style::Warm,
            floor: 12_000,
            range: 16_000,
        };
        persona.haggles = chance.happens(0.3);
        if chance.happens(ADAMANT) {
            persona.stubbornness = 0.97;
        }
        let styles = [Style::Terse, Style::Warm, Style::Analytic, Style::Blunt];
        persona.style = chance.pick(&styles).copied().unwrap_or(Style::Warm);
        persona.floor = chance.pick(&FLOORS).copied().unwrap_or(12_000);
        persona.range = chance.pick(&RANGES).copied().unwrap_or(16_000);
        adjust(&mut persona, &seat.personality, &TRAITS, &ADJUSTMENTS);
        persona
    }

    /// Returns the utility of each principle, by number, given its own application rounds; differences of 0.1
    /// are slight, of 0.5 large.
    pub(super) fn utilities(&self, applications: &[Experience]) -> [f64; 4] {
        let mut utilities = [
            0.80 * self.worst + 0.30 * self.caution - 0.30 * self.average,
            0.95 * self.average - 0.25 * self.caution - 0.20 * self.worst + 0.04,
            0.42 * self.worst + 0.42 * self.average + 0.20 * self.caution,
            0.60 * self.inequality + 0.30 * self.average - 0.08,
        ];
        let lived = || {
            applications
                .iter()
                .filter_map(|round| Some((round.principle?, f64::from(round.income?))))
        };
        let count = lived().fold(0.0, |sum, _| sum + 1.0);
        let mean = lived().fold(0.0, |sum, (_, income)| sum + income) / count;
        if mean > 0.0 {
            for (principle, income) in lived() {
                let surprise = ((income - mean) / mean).clamp(-0.5, 0.5);
                utilities[usize::from(principle.number()) - 1] +=
                    surprise * 0.3 * (1.0 - 0.5 * self.stubbornness);
            }
        }
        utilities
    }

    /// Returns its own amount for a principle, between its default and the last one used, in whole 500s of
    /// income dollars.
    pub(super) fn amount(&self, principle: Principle, applications: &[Experience]) -> u32 {
        let favourite = match principle {
            Principle::RangeConstraint => self.range,
            _ => self.floor,
        };
        let used = applications
            .iter()
            .rev()
            .filter(|round| round.principle == Some(principle))
            .find_map(|round| round.amount);
        used.map_or(favourite, |used| round_500(favourite.midpoint(used.min(100_000))))
    }
}

const ADJUSTMENTS: [Adjustment<Persona>; 11] = [
    ("efficient", |p| p.average = up(p.average)),
    ("compassionate", |p| p.worst = up(p.worst)),
    ("egalitarian", |p| p.inequality = up(p.inequality)),
    ("cautious", |p| p.caution = up(p.caution)),
    ("daring", |p| p.caution *= 0.3),
    ("stubborn", |p| p.stubbornness = up(p.stubbornness)),
    ("agreeable", |p| p.stubbornness *= 0.4),
    ("terse", |p| {
        p.style = Style::Terse;
        p.talk *= 0.3;
    }),
    ("warm", |p| p.style = Style::Warm),
    ("analytic", |p| p.style = Style::Analytic),
    ("blunt", |p| p.style = Style::Blunt),
];

static TRAITS: Files<Lists> = in_each_language!("../words/traits");

/// Moves a share most of the way to 1.
fn up(share: f64) -> f64 {
    share + (1.0 - share) * 0.7
}

/// Rounds to the nearest 500, at least 1,000.
pub(super) fn round_500(amount: u32) -> u32 {
    (amount.saturating_add(250) / 500 * 500).max(1_000)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::language::Language;
    use crate::seat::SeatKind;

    pub(crate) fn seat(name: &str, language: Language, personality: &str) -> Seat {
        Seat {
            personality: personality.into(),
            ..Seat::new(name, SeatKind::Scripted, language, None, None)
        }
    }

    #[test]
    fn seed_and_name_make_the_persona() {
        let ana = seat("Ana", Language::English, "");
        let bo = seat("Bo", Language::English, "");
        assert_eq!(Persona::of(&ana, 1), Persona::of(&ana, 1));
        assert_ne!(Persona::of(&ana, 1), Persona::of(&ana, 2));
        assert_ne!(Persona::of(&ana, 1), Persona::of(&bo, 1));
    }

    #[test]
    fn personality_adjusts_traits() {
        for words in [
            "A stubborn economist",
            "Economista: eficiente, terca",
            "固执的企业家",
        ] {
            let plain = Persona::of(&seat("Ana", Language::English, ""), 5);
            let bent = Persona::of(&seat("Ana", Language::English, words), 5);
            assert!(bent.stubbornness > plain.stubbornness, "{words}");
            assert!(bent.average > plain.average, "{words}");
        }
    }

    #[test]
    fn every_principle_is_the_favourite_of_some_persona() {
        let mut firsts = [0_u32; 4];
        for seed in 0..1000 {
            let persona = Persona::of(&seat("Ana", Language::English, ""), seed);
            let best = super::super::opinion::order(&persona.utilities(&[]))[0];
            firsts[usize::from(best.number()) - 1] += 1;
        }
        assert!(firsts.iter().all(|count| *count >= 60), "{firsts:?}");
        assert!(firsts[2] >= 300, "{firsts:?}");
    }

    #[test]
    fn a_good_income_speaks_for_a_principle() {
        let persona = Persona::of(&seat("Ana", Language::English, ""), 5);
        let round = |round, principle, income| Experience {
            round,
            principle: Some(principle),
            amount: None,
            income: Some(income),
        };
        let good = persona.utilities(&[
            round(1, Principle::Average, 30_000),
            round(2, Principle::Floor, 10_000),
        ]);
        let plain = persona.utilities(&[]);
        assert!(good[1] > plain[1] && good[0] < plain[0]);
        assert_eq!((good[2], good[3]), (plain[2], plain[3]));
    }

    #[test]
    fn amounts_are_whole_500s() {
        assert_eq!(
            [0, 1_249, 1_250, 13_260].map(round_500),
            [1_000, 1_000, 1_500, 13_500]
        );
        let persona = Persona::of(&seat("Ana", Language::English, ""), 5);
        let used = [Experience {
            round: 1,
            principle: Some(Principle::FloorConstraint),
            amount: Some(persona.floor + 2_200),
            income: Some(1),
        }];
        assert_eq!(
            persona.amount(Principle::FloorConstraint, &used),
            persona.floor + 1_000
        );
        assert_eq!(persona.amount(Principle::RangeConstraint, &used), persona.range);
    }
}
