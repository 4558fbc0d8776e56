//! Scripted participants of a Delphi poll. Each has a fixed bias, high or low, and moves towards the median
//! in proportion to its openness. On prepared questions they have reasons and guess near the known figure; on
//! others they state that they know little.

use super::context::DelphiContext;
use super::prompts::format_number;
use crate::core::ask::Ask;
use crate::language::files::Files;
use crate::language::in_each_language;
use crate::procedures::scripted::chance::Chance;
use crate::procedures::scripted::speech::{Speech, Texts};
use crate::seat::Seat;

static TEXTS: Files<Texts> = in_each_language!("words/scripted");

/// Known figures of prepared questions by the beginning of their keys: FAO, Global Forest Resources
/// Assessment 2020; ITU, Facts and Figures 2024.
const KNOWN: [(&str, f64); 2] = [("forest", 31.0), ("internet", 68.0)];
/// Width of the estimates as a share of the range, with and without a known figure.
const WIDTH: (f64, f64) = (0.4, 0.8);
/// Rounding of estimates: a range has between 40 and 400 steps.
const STEPS: f64 = 40.0;

pub(in crate::procedures) fn answer(seat: &Seat, seed: u32, ask: &Ask, facts: &DelphiContext) -> String {
    let texts = TEXTS.of(ask.language);
    let mut persona = Chance::new(seed, &seat.name, "persona");
    let (bias, openness) = (persona.unit(), 0.2 + 0.6 * persona.unit());
    let question = prepared(texts, &facts.question);
    let about = KNOWN.iter().find(|(known, _)| question == Some(known));
    let estimate = estimate(facts, bias, openness, about.map(|(_, figure)| *figure));
    let mut speech = Speech::new(ask.language, texts, Chance::new(seed, &seat.name, &ask.id));
    // Wordings are taken in turn from an own start, so that a participant does not repeat itself across
    // rounds.
    let first = Chance::new(seed, "", "wordings").below(60);
    speech.turn = Some(first + name_order(&seat.name) + facts.round as usize);
    if facts.report.is_some() {
        let key = if facts.own.is_some_and(|own| own != estimate) {
            "moved"
        } else {
            "kept"
        };
        speech.say(key, &[]);
    }
    match question {
        Some(question) => {
            let side = if bias > 0.5 { "high" } else { "low" };
            speech.say(&format!("{question}.{side}"), &[]);
        }
        None => {
            let is_bounded = facts.minimum.is_some() && facts.maximum.is_some();
            speech.say(if is_bounded { "unknown.bounded" } else { "unknown" }, &[]);
        }
    }
    let line = speech.labelled("label", format_number(estimate, ask.language));
    speech.push("\n").push(&line);
    speech.done()
}

/// Returns the beginning of the keys of a question for which there are reasons.
fn prepared(texts: &'static Texts, question: &str) -> Option<&'static str> {
    texts.iter().find_map(|(key, wordings)| {
        key.strip_suffix(".question")
            .filter(|_| wordings.iter().any(|wording| wording == question))
    })
}

/// Returns a number that follows the order of names: their final number, else their first letter.
/// Participants do not know each other, so this keeps their wordings apart.
fn name_order(name: &str) -> usize {
    let bare = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let number = name.get(bare.len()..).and_then(|digits| digits.parse().ok());
    let letter = name.chars().next().map_or(0, |c| c as usize % 1_000);
    number.unwrap_or(letter) % 1_000
}

/// Returns an estimate within the bounds, on a step. Without bounds it lies between 0 and 100, shifted to the
/// one bound if there is one. It is near the known figure, else anywhere except at the ends.
fn estimate(facts: &DelphiContext, bias: f64, openness: f64, about: Option<f64>) -> f64 {
    let least = facts
        .minimum
        .unwrap_or_else(|| facts.maximum.map_or(0.0, |most| (most - 100.0).min(0.0)));
    let most = facts.maximum.unwrap_or(least + 100.0);
    let mut step = 1.0;
    while step * STEPS > most - least {
        step /= 10.0;
    }
    while step * STEPS * 10.0 < most - least {
        step *= 10.0;
    }
    let range = most - least;
    let first = match about {
        Some(figure) => figure + range * WIDTH.0 * (bias - 0.5),
        None => least + range * (0.5 + WIDTH.1 * (bias - 0.5)),
    };
    let own = facts.own.unwrap_or(first);
    let spread = facts.report.as_ref().and_then(|report| report.spread);
    let target = spread.map_or(own, |spread| own + openness * (spread.median - own));
    ((target / step).round() * step).clamp(least, most)
}

/// Returns whether there are reasons for a question, in any language.
#[cfg(test)]
pub(in crate::procedures) fn is_prepared(question: &str) -> bool {
    crate::language::Language::ALL
        .into_iter()
        .any(|language| prepared(TEXTS.of(language), question).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Language;
    use proptest::prelude::*;

    #[test]
    fn languages_have_the_same_keys_wordings_and_places() {
        crate::procedures::scripted::speech::assert_same_structure(&TEXTS);
    }

    #[test]
    fn prepared_questions_have_reasons_on_both_sides_in_every_language() {
        for language in Language::ALL {
            let texts = TEXTS.of(language);
            let questions: Vec<&str> = texts
                .keys()
                .filter_map(|key| key.strip_suffix(".question"))
                .collect();
            assert!(questions.len() >= 2, "{language:?}");
            for question in questions {
                for side in ["high", "low"] {
                    assert!(
                        texts[&format!("{question}.{side}")].len() >= 4,
                        "{question}.{side} {language:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn reasons_differ_within_a_round_and_are_never_repeated() {
        let reason = |name: &str, seed, round, language, question: &str| {
            let seat = Seat::new(name, crate::seat::SeatKind::Scripted, language, None, None);
            let ask = Ask {
                id: format!("round/{round}/estimate/{name}#1"),
                seat: name.into(),
                kind: "estimate".into(),
                phase: 1,
                round: Some(round),
                attempt: 1,
                language,
            };
            let facts = DelphiContext {
                question: question.into(),
                unit: String::new(),
                minimum: Some(0.0),
                maximum: Some(100.0),
                round,
                rounds: 3,
                own: None,
                report: None,
                complaint: None,
            };
            let text = answer(&seat, seed, &ask, &facts);
            text.lines().next().unwrap_or_default().to_owned()
        };
        let tables = [
            ["Ana", "Ben", "Cleo", "Dora", "Emil"],
            ["Seat 1", "Seat 2", "Seat 3", "Seat 4", "Seat 5"],
        ];
        for (language, table) in Language::ALL
            .into_iter()
            .flat_map(|one| tables.map(|table| (one, table)))
        {
            let texts = TEXTS.of(language);
            let key = |key: &&String| key.ends_with(".question");
            for question in texts.keys().filter(key).map(|key| texts[key][0].as_str()) {
                // The smaller bank has that many reasons.
                let bank = if question == texts["forest.question"][0] {
                    5
                } else {
                    4
                };
                for seed in 0..20 {
                    let mut own = std::collections::BTreeSet::new();
                    for round in 1..=3 {
                        let reasons = table.map(|name| reason(name, seed, round, language, question));
                        let different: std::collections::BTreeSet<_> = reasons[..bank].iter().collect();
                        assert_eq!(different.len(), bank, "{reasons:?}");
                        let new = table.iter().zip(reasons).all(|reasons| own.insert(reasons));
                        assert!(new, "{question} {seed} {round}");
                    }
                }
            }
        }
    }

    proptest! {
        #[test]
        fn estimates_stay_within_bounds(least in -1e6..1e6f64, range in 1e-3..1e6f64, bias in 0.0..1.0f64) {
            let facts = DelphiContext {
                question: String::new(), unit: String::new(), minimum: Some(least), maximum: Some(least + range),
                round: 1, rounds: 3, own: None, report: None, complaint: None,
            };
            let estimate = estimate(&facts, bias, 0.5, Some(50.0));
            prop_assert!((least..=least + range).contains(&estimate));
        }
    }
}
