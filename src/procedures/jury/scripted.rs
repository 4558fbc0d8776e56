//! Scripted jurors. Each starts with a slight bias, weighs each item of evidence in its own way, and moves towards the
//! majority that it knows of in proportion to its openness. What an item points to comes from the configuration; without
//! that each juror guesses.

use super::asks;
use super::context::{Exhibit, JuryContext};
use super::rules::{Counts, Opinion};
use crate::core::ask::Ask;
use crate::language::files::Files;
use crate::language::in_each_language;
use crate::procedures::scripted::chance::Chance;
use crate::procedures::scripted::speech::{Speech, Texts};
use crate::seat::Seat;

static TEXTS: Files<Texts> = in_each_language!("words/scripted");

/// A juror whose leaning is nearer to 0 is undecided.
const UNDECIDED: f64 = 0.15;

pub(in crate::procedures) fn answer(seat: &Seat, seed: u32, ask: &Ask, facts: &JuryContext) -> String {
    let juror = Juror::new(seat, seed, facts);
    let leaning = juror.leaning(facts);
    let mut speech = Speech::new(
        ask.language,
        TEXTS.of(ask.language),
        Chance::new(seed, &seat.name, &ask.id),
    );
    // Wordings are taken in turn from an own start, so that jurors do not repeat themselves.
    speech.turn = Some(Chance::new(seed, &seat.name, "wordings").below(60) + facts.round as usize);
    match ask.kind.name() {
        asks::SPEECH => {
            speech.remember(facts.speeches.iter().map(|speech| speech.text.as_str()));
            juror.speak(&mut speech, facts, side(leaning));
        }
        asks::BALLOT => {
            let vote = speech.labelled("label.vote", speech.nth(&word_key(side(leaning)), 0));
            speech.push(&vote);
        }
        _ => {
            let opinion = opinion(leaning);
            juror.give_reason(&mut speech, facts, opinion);
            let vote = speech.labelled("label.vote", speech.nth(&word_key(opinion), 0));
            let certainty = speech.labelled("label.certainty", certainty(leaning));
            speech.push("\n").push(&vote).push("\n").push(&certainty);
        }
    }
    speech.done()
}

fn word_key(opinion: Opinion) -> String {
    format!("word.{}", opinion.name())
}

fn opinion(leaning: f64) -> Opinion {
    if leaning.abs() < UNDECIDED {
        Opinion::Undecided
    } else {
        side(leaning)
    }
}

fn side(leaning: f64) -> Opinion {
    if leaning > 0.0 {
        Opinion::Guilty
    } else {
        Opinion::NotGuilty
    }
}

/// Returns a certainty from 0 to 100, in steps of 5.
fn certainty(leaning: f64) -> u32 {
    let steps = (10.0 + 10.0 * leaning.abs()).min(19.0).round();
    steps as u32 * 5
}

struct Juror {
    /// Before any evidence, negative for "not guilty".
    bias: f64,
    openness: f64,
    /// The effect of each item of evidence so far.
    effects: Vec<f64>,
}

impl Juror {
    fn new(seat: &Seat, seed: u32, facts: &JuryContext) -> Self {
        let mut persona = Chance::new(seed, &seat.name, "persona");
        let effect = |(number, exhibit): (usize, &Exhibit)| {
            let mut chance = Chance::new(seed, &seat.name, &format!("evidence/{number}"));
            let weight = chance.between(0.3, 1.3);
            weight * exhibit.leans.unwrap_or_else(|| chance.between(-0.6, 0.6))
        };
        Self {
            bias: persona.between(-0.3, 0.3),
            openness: persona.between(0.2, 0.8),
            effects: facts.evidence.iter().enumerate().map(effect).collect(),
        }
    }

    /// Returns where the juror stands, negative for "not guilty".
    fn leaning(&self, facts: &JuryContext) -> f64 {
        let own = self.bias + self.effects.iter().sum::<f64>();
        let others = match &facts.ballot {
            Some(ballot) => 2.0 * majority(&ballot.counts),
            None => facts.counts.as_ref().map_or(0.0, majority) * 0.5,
        };
        own + self.openness * others
    }

    fn give_reason(&self, speech: &mut Speech, facts: &JuryContext, opinion: Opinion) {
        if let (Some(exhibit), Some(effect)) = (facts.evidence.last(), self.effects.last()) {
            let key = if *effect > 0.0 {
                "evidence.guilty"
            } else {
                "evidence.not_guilty"
            };
            let title = title(speech, facts.evidence.len(), exhibit);
            speech.say(key, &[("title", &title)]);
        }
        let has_moved = facts.own.is_some_and(|own| own != opinion);
        let about = if has_moved { "moved" } else { "stays" };
        speech.say(&format!("{about}.{}", opinion.name()), &[]);
    }

    /// Argues with the item that speaks most for the juror's side, and with the one that speaks most against it.
    fn speak(&self, speech: &mut Speech, facts: &JuryContext, side: Opinion) {
        let sign = if side == Opinion::Guilty { 1.0 } else { -1.0 };
        let by_effect = |(_, one): &(usize, &f64), (_, other): &(usize, &f64)| {
            (sign * **one).total_cmp(&(sign * **other))
        };
        let effects = || self.effects.iter().enumerate();
        let named = |speech: &Speech, at: usize| facts.evidence.get(at).map(|one| title(speech, at + 1, one));
        speech.say_rather_new(&format!("side.{}", side.name()), &[]);
        if let Some(title) = effects().max_by(by_effect).and_then(|(at, _)| named(speech, at)) {
            speech.say_rather_new(&format!("for.{}", side.name()), &[("title", &title)]);
        }
        let against = effects()
            .min_by(by_effect)
            .filter(|(_, effect)| sign * **effect < 0.0);
        if let Some(title) = against.and_then(|(at, _)| named(speech, at)) {
            speech.say_rather_new("against", &[("title", &title)]);
        }
        if facts.speeches.iter().any(|speech| speech.round < facts.round) {
            speech.say_rather_new(
                if facts.ballot.is_some() {
                    "after_ballot"
                } else {
                    "later"
                },
                &[],
            );
        }
    }
}

/// Returns an item's title, or its number where it has none.
fn title(speech: &Speech, number: usize, exhibit: &Exhibit) -> String {
    let number = number.to_string();
    match exhibit.title.trim() {
        "" => speech.phrase_nth("untitled", 0, &[("number", &number)]),
        title => speech.phrase_nth("titled", 0, &[("title", title)]),
    }
}

/// Returns the lead of one side as a share of the jurors, negative for "not guilty".
fn majority(counts: &Counts) -> f64 {
    (counts.guilty as f64 - counts.not_guilty as f64) / counts.total().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn languages_have_the_same_keys_wordings_and_places() {
        crate::procedures::scripted::speech::assert_same_structure(&TEXTS);
    }

    fn leaning(name: &str, leans: &[f64]) -> f64 {
        let seat = Seat::new(
            name,
            crate::seat::SeatKind::Scripted,
            Default::default(),
            None,
            None,
        );
        let exhibit = |leans: &f64| Exhibit {
            title: String::new(),
            text: String::new(),
            leans: Some(*leans),
        };
        let facts = JuryContext {
            evidence: leans.iter().map(exhibit).collect(),
            ..JuryContext::default()
        };
        Juror::new(&seat, 7, &facts).leaning(&facts)
    }

    proptest! {
        #[test]
        fn an_opinion_moves_where_the_evidence_points(name in "[A-Z][a-z]{1,6}", leans in 0.1..1.0f64) {
            let before = leaning(&name, &[]);
            prop_assert!(leaning(&name, &[leans]) > before);
            prop_assert!(leaning(&name, &[-leans]) < before);
            prop_assert!((50..=95).contains(&certainty(before)));
        }
    }
}
