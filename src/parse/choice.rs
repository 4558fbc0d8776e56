//! Reads a choice of an application round: the principle, the amount where it needs one, the
//! certainty. An amount that could not be read is missing, never filled in.

use super::amount::{AmountBounds, amount, in_folded, multiplies};
use super::certainty::certainty_in;
use super::declared::{after_corrections, choices};
use super::json_objects::{field, objects};
use super::keywords::Keywords;
use super::labels::{numbered_label, plain};
use super::normalize::normalize;
use super::ranking::{CERTAINTIES, json_certainty, json_principle};
use super::tokens::fold;
use super::{How, Reading, Reason, principle};
use crate::language::Language;
use crate::principle::{Certainty, Choice, Principle};
use serde_json::Value;

/// The choice that an answer makes.
///
/// The amount is `None` for principles 1 and 2, when none is named, when it is out of bounds and when
/// two different ones are named. "No opinion" is no certainty of a choice.
#[must_use]
pub fn choice(text: &str, language: Language, bounds: AmountBounds) -> Reading<Choice> {
    let clean = normalize(text);
    if clean.is_empty() {
        return Reading::unread(Reason::EmptyResponse);
    }
    if clean.contains('{') {
        match in_json(&objects(&clean), language, bounds) {
            Json::Choice(choice) => return Reading::read(choice, How::Json),
            Json::Several => return Reading::unread(Reason::MultipleValidNumbers),
            Json::None => {}
        }
    }
    let folded = fold(&clean);
    let (principle, how) = match principle_of(&clean, &folded, language) {
        Reading::Read { value, how } => (value, how),
        Reading::Unread { reason, .. } => match lettered(&clean) {
            Some(principle) => (principle, How::Noun),
            None => return Reading::unread(reason),
        },
    };
    let certainty = certainty_in(&folded).filter(|certainty| *certainty != Certainty::NoOpinion);
    let amount = if principle.needs_amount() {
        in_folded(&folded, multiplies(text), language, bounds)
            .value()
            .copied()
    } else {
        None
    };
    Reading::read(
        Choice {
            principle,
            amount,
            certainty,
        },
        how,
    )
}

/// The principle in the sentences that make the choice, after the last that took one back; without
/// such, in the whole answer.
fn principle_of(clean: &str, folded: &str, language: Language) -> Reading<Principle> {
    let mut settled: Option<(Principle, How)> = None;
    for part in choices(after_corrections(folded)) {
        let read = match plain(&part) {
            Some(Keywords::One(value)) => Reading::read(value, How::Keyword),
            _ => principle(&part, language, false),
        };
        match read {
            Reading::Read { value, how } => match settled {
                Some((before, _)) if before != value => {
                    return Reading::unread(Reason::MultipleValidNumbers);
                }
                Some(_) => {}
                None => settled = Some((value, how)),
            },
            Reading::Unread { reason, .. } => {
                if matches!(reason, Reason::MultipleValidNumbers) {
                    return Reading::unread(reason);
                }
            }
        }
    }
    match settled {
        Some((value, how)) => Reading::read(value, how),
        None => principle(clean, language, false),
    }
}

/// "option c", "(a)".
fn lettered(clean: &str) -> Option<Principle> {
    let folded = fold(clean);
    let mut found: Option<Principle> = None;
    let starts = ["option", "opcion", "选项", "principle", "principio", "原则"]
        .iter()
        .flat_map(|noun| folded.match_indices(noun).map(|(at, _)| at));
    let lone = (folded.chars().count() <= 4).then_some(0);
    for at in starts.chain(lone) {
        let label = folded.get(at..).unwrap_or_default();
        let Some((principle, rest)) = numbered_label(label) else {
            continue;
        };
        // Numbers are the business of the reader of principles.
        if label
            .get(..label.len() - rest.len())
            .is_some_and(|label| label.bytes().any(|byte| byte.is_ascii_digit()))
        {
            return None;
        }
        // "opción a favor": a letter that goes on as a sentence is none, unless it is closed.
        let closed = label.get(..label.len() - rest.len()).is_some_and(|label| {
            label.ends_with([')', '.', '"', '\''])
                || rest.is_empty()
                || rest.starts_with([',', ':', ';', '，', '。', '：', '\n'])
        });
        let goes_on = [" at ", " with ", " con ", " is ", " for "]
            .iter()
            .any(|word| rest.starts_with(word));
        if !closed && !goes_on {
            continue;
        }
        if found.is_some_and(|before| before != principle) {
            return None;
        }
        found = Some(principle);
    }
    found
}

enum Json {
    /// No object makes a choice.
    None,
    /// Several make different ones.
    Several,
    /// A choice.
    Choice(Choice),
}

const PRINCIPLES: &[&str] = &[
    "principle",
    "chosenprinciple",
    "principlechoice",
    "choice",
    "vote",
    "option",
    "selection",
    "answer",
    "principio",
    "eleccion",
    "elección",
    "opcion",
    "opción",
    "原则",
    "选择",
];
const AMOUNTS: &[&str] = &[
    "constraintamount",
    "amount",
    "constraint",
    "constraintvalue",
    "value",
    "floor",
    "range",
    "cantidad",
    "restriccion",
    "restricción",
    "monto",
    "金额",
    "数额",
    "约束",
    "约束金额",
    "约束数额",
];

fn in_json(objects: &[Value], language: Language, bounds: AmountBounds) -> Json {
    let mut found: Option<Choice> = None;
    for object in objects {
        let Some(principle) = field(object, PRINCIPLES).and_then(json_principle) else {
            continue;
        };
        let amount = match field(object, AMOUNTS) {
            Some(value) if principle.needs_amount() => json_amount(value, language, bounds),
            _ => None,
        };
        let certainty = field(object, CERTAINTIES)
            .and_then(json_certainty)
            .filter(|certainty| *certainty != Certainty::NoOpinion);
        let choice = Choice {
            principle,
            amount,
            certainty,
        };
        if found.as_ref().is_some_and(|before| *before != choice) {
            return Json::Several;
        }
        found = Some(choice);
    }
    found.map_or(Json::None, Json::Choice)
}

fn json_amount(value: &Value, language: Language, bounds: AmountBounds) -> Option<u32> {
    match value {
        Value::Number(number) => amount(&number.to_string(), language, bounds).value().copied(),
        Value::String(text) => amount(text, language, bounds).value().copied(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Language::{English, Mandarin, Spanish};
    use crate::principle::Certainty::{Sure, Unsure, VerySure};
    use crate::principle::Principle::{Average, Floor, FloorConstraint, RangeConstraint};
    use proptest::prelude::*;

    #[track_caller]
    fn is(
        language: Language,
        text: &str,
        principle: Principle,
        amount: impl Into<Option<u32>>,
        certainty: impl Into<Option<Certainty>>,
    ) {
        let read = choice(text, language, AmountBounds::default());
        let wanted = Choice {
            principle,
            amount: amount.into(),
            certainty: certainty.into(),
        };
        assert_eq!(read.value(), Some(&wanted), "{text}: {read:?}");
    }

    #[track_caller]
    fn unread(language: Language, text: &str) {
        let read = choice(text, language, AmountBounds::default());
        assert_eq!(read.value(), None, "{text}");
    }

    #[test]
    fn english() {
        is(
            English,
            "I choose maximizing the floor income. I am sure about this choice.",
            Floor,
            None,
            Sure,
        );
        is(
            English,
            "I choose **maximizing average with a range constraint of $16,000**. I am very sure.",
            RangeConstraint,
            16_000,
            VerySure,
        );
        is(
            English,
            "Principle: 3\nConstraint amount: 12,500\nCertainty: unsure",
            FloorConstraint,
            12_500,
            Unsure,
        );
        is(English, "3, $12,500", FloorConstraint, 12_500, None);
        is(English, "2", Average, None, None);
        is(English, "floor", Floor, None, None);
        is(English, "option (d) with 15k", RangeConstraint, 15_000, None);
        is(English, "(b)", Average, None, None);
        is(
            English,
            "```json\n{\"principle\": 4, \"constraint_amount\": \"$15,000\", \"certainty\": \"very sure\"}\n```",
            RangeConstraint,
            15_000,
            VerySure,
        );
        is(
            English,
            "{\"principle\": \"maximizing_floor\", \"constraint_amount\": 12000}",
            Floor,
            None,
            None,
        );
    }

    #[test]
    fn an_amount_is_never_made_up() {
        is(
            English,
            "I choose the average with a floor constraint.",
            FloorConstraint,
            None,
            None,
        );
        is(
            English,
            "I choose principle 3 with 12,000 or 13,000.",
            FloorConstraint,
            None,
            None,
        );
        is(
            English,
            "I choose principle 3 with $50.",
            FloorConstraint,
            None,
            None,
        );
        is(
            English,
            "I choose principle 1, since nobody then has less than 12,000.",
            Floor,
            None,
            None,
        );
        is(
            English,
            "I choose principle 1. I have no opinion on certainty.",
            Floor,
            None,
            None,
        );
    }

    #[test]
    fn thinking_aloud_and_changing_ones_mind() {
        is(
            English,
            "Let me see. The average would pay most, the floor is safest.\nI choose the average with a floor constraint of $13,000. \
             I am sure. Distribution 2 has a floor of $12,000 and an average of $22,350.",
            FloorConstraint,
            13_000,
            Sure,
        );
        is(
            English,
            "I choose principle 3 with 14,000. Actually, that is too much: I choose principle 3 with 13,000.",
            FloorConstraint,
            13_000,
            None,
        );
        is(
            English,
            "You ask me to choose between maximizing the floor income, the average, or a constraint.\n\nI choose the average.",
            Average,
            None,
            None,
        );
        is(
            English,
            "If I choose the floor I lose. I choose the average.",
            Average,
            None,
            None,
        );
        unread(English, "I choose the floor. I choose the average.");
        unread(English, "Either principle 1 or principle 3.");
        unread(English, "nothing here");
        unread(English, "");
    }

    #[test]
    fn spanish() {
        is(
            Spanish,
            "Elijo maximizar el ingreso mínimo. Estoy seguro.",
            Floor,
            None,
            Sure,
        );
        is(
            Spanish,
            "Elijo maximizar el promedio con restricción de ingreso mínimo de 13.000 dólares. Certeza: muy seguro",
            FloorConstraint,
            13_000,
            VerySure,
        );
        is(
            Spanish,
            "Mi elección es el principio 4 con quince mil. Estoy inseguro.",
            RangeConstraint,
            15_000,
            Unsure,
        );
        is(Spanish, "opción b", Average, None, None);
        is(
            Spanish,
            "Me quedo con el promedio, sin restricción.",
            Average,
            None,
            None,
        );
        unread(Spanish, "O el 1 o el 3.");
    }

    #[test]
    fn mandarin() {
        is(
            Mandarin,
            "我选择最大化最低收入。我非常确定。",
            Floor,
            None,
            VerySure,
        );
        is(
            Mandarin,
            "我选择原则3，约束数额是一万三。确定程度：不确定",
            FloorConstraint,
            13_000,
            Unsure,
        );
        is(
            Mandarin,
            "我的选择是在范围约束条件下最大化平均收入，约束为15,000美元。",
            RangeConstraint,
            15_000,
            None,
        );
        is(Mandarin, "原则2", Average, None, None);
        unread(Mandarin, "原则1或者原则3都可以。");
    }

    proptest! {
        #[test]
        fn never_panics(text in "\\PC*|([1-4$k{}\":., \n不我选原则]|i choose |principle|floor|average|range|12,000|actually ){0,24}") {
            for language in Language::ALL {
                let _ = choice(&text, language, AmountBounds::default());
            }
        }
    }
}
