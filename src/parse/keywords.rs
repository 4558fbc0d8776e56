//! Which principle a text names by what it is about (floor, average, range, constraint), not by a
//! number. Used for ballots, rankings, choices and statements.

use super::clause::{Kept, Strength, own_marks};
use super::lexer::{Kind, Lexed};
use super::normalize::normalize;
use crate::principle::Principle;

/// What the words of a text say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keywords {
    /// No principle is named.
    None,
    /// One principle is named.
    One(Principle),
    /// More than one, or one of several.
    Unclear,
}

/// The principle that a text names by its words, negated mentions left out; any text, not yet
/// normalised.
pub(crate) fn by_keywords(text: &str) -> Keywords {
    let lexed = Lexed::new(&normalize(text));
    among(&lexed, &own_marks(&lexed))
}

/// The same on marks that were kept already.
pub(super) fn among(lexed: &Lexed, kept: &[Kept]) -> Keywords {
    let words: Vec<Kept> = kept
        .iter()
        .copied()
        .filter(|kept| is_family(kept.kind) || matches!(kept.kind, Kind::Or | Kind::Joiner))
        .collect();
    let labelled: Vec<Kept> = words
        .iter()
        .copied()
        .filter(|kept| kept.strength == Strength::Own)
        .collect();
    match decide(lexed, &labelled) {
        Keywords::None => decide(lexed, &words),
        found => found,
    }
}

fn is_family(kind: Kind) -> bool {
    matches!(kind, Kind::Floor | Kind::Average | Kind::Range | Kind::Constraint)
}

/// The whole must name one principle, and no sentence or alternative in it another one.
fn decide(lexed: &Lexed, words: &[Kept]) -> Keywords {
    let whole = families(lexed, words).principle();
    let mut parts: Vec<Keywords> = words
        .chunk_by(|a, b| a.sentence == b.sentence)
        .flat_map(|sentence| sentence.split(|kept| kept.kind == Kind::Or))
        .map(|part| families(lexed, part).principle())
        .filter(|part| *part != Keywords::None)
        .collect();
    parts.dedup();
    match (whole, parts.as_slice()) {
        (Keywords::One(_), []) => whole,
        (Keywords::One(_), [part]) if *part == whole => whole,
        (Keywords::None, []) => Keywords::None,
        _ => Keywords::Unclear,
    }
}

#[derive(Default)]
struct Families {
    floor: bool,
    average: bool,
    range: bool,
    constraint: bool,
    joined: bool,
}

fn families(lexed: &Lexed, words: &[Kept]) -> Families {
    let mut found = Families::default();
    for kept in words {
        match kept.kind {
            // "the lowest gap" is about the gap.
            Kind::Floor if beside_range(lexed, kept.mark) => {}
            Kind::Floor => found.floor = true,
            Kind::Average => found.average = true,
            Kind::Range => found.range = true,
            Kind::Constraint => found.constraint = true,
            Kind::Joiner => found.joined |= found.floor || found.average,
            _ => {}
        }
    }
    // "First the floor, then the average": what joins stands between the two, in either order.
    found
}

fn beside_range(lexed: &Lexed, mark: usize) -> bool {
    let after = lexed.kind(mark + 1) == Some(Kind::Range) && lexed.gap(mark).is_empty();
    let before = mark > 0 && lexed.kind(mark - 1) == Some(Kind::Range) && lexed.gap(mark - 1).is_empty();
    after || before
}

impl Families {
    fn principle(&self) -> Keywords {
        match (self.floor, self.average, self.range, self.constraint) {
            (false, _, true, _) => Keywords::One(Principle::RangeConstraint),
            (true, _, false, true) => Keywords::One(Principle::FloorConstraint),
            (true, true, false, false) if self.joined => Keywords::One(Principle::FloorConstraint),
            (false, true, false, false) => Keywords::One(Principle::Average),
            (true, false, false, false) => Keywords::One(Principle::Floor),
            (false, false, false, false) => Keywords::None,
            _ => Keywords::Unclear,
        }
    }
}
