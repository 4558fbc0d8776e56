//! The form of each answer of the experiment that is no free speech. Principles and certainties go by
//! their ids, whatever the language; reasons come first, so that they are given before the choice.

use crate::principle::{Certainty, Principle};
use crate::procedures::justice::asks;
use crate::procedures::schema::{maybe, object, one_of, text, whole};
use serde_json::Value;

/// The schema of an answer; `None`: it is in free words.
pub(super) fn schema(kind: &'static str) -> Option<Value> {
    Some(match kind {
        asks::INITIAL_RANKING
        | asks::POST_EXPLANATION_RANKING
        | asks::FINAL_RANKING
        | asks::RESULTS_RANKING => object([
            ("reason", text()),
            ("first", principle()),
            ("second", principle()),
            ("third", principle()),
            ("fourth", principle()),
            ("certainty", certainty(|_| true)),
        ]),
        asks::APPLICATION => object([
            ("reason", text()),
            ("principle", principle()),
            ("amount", maybe(whole())),
            (
                "certainty",
                certainty(|certainty| certainty != Certainty::NoOpinion),
            ),
        ]),
        asks::CONSTRAINT_RETRY | asks::BALLOT_AMOUNT => object([("amount", whole())]),
        asks::VOTE_INITIATION | asks::VOTE_CONFIRMATION => object([("answer", one_of(&["yes", "no"]))]),
        asks::BALLOT_PRINCIPLE => object([("principle", principle())]),
        _ => return None,
    })
}

fn principle() -> Value {
    one_of(&Principle::ALL.map(Principle::id))
}

fn certainty(fits: impl Fn(Certainty) -> bool) -> Value {
    let all = [
        Certainty::VeryUnsure,
        Certainty::Unsure,
        Certainty::NoOpinion,
        Certainty::Sure,
        Certainty::VerySure,
    ];
    let ids: Vec<&str> = all
        .into_iter()
        .filter(|certainty| fits(*certainty))
        .map(Certainty::id)
        .collect();
    one_of(&ids)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::procedures::schema::complaints;
    use serde_json::json;

    #[test]
    fn every_question_with_a_form_has_a_schema_that_all_providers_take() {
        let ranking = ["reason", "first", "second", "third", "fourth", "certainty"];
        let formed: [(&'static str, &[&str]); 10] = [
            (asks::INITIAL_RANKING, &ranking),
            (asks::POST_EXPLANATION_RANKING, &ranking),
            (asks::FINAL_RANKING, &ranking),
            (asks::RESULTS_RANKING, &ranking),
            (asks::APPLICATION, &["reason", "principle", "amount", "certainty"]),
            (asks::CONSTRAINT_RETRY, &["amount"]),
            (asks::BALLOT_AMOUNT, &["amount"]),
            (asks::VOTE_INITIATION, &["answer"]),
            (asks::VOTE_CONFIRMATION, &["answer"]),
            (asks::BALLOT_PRINCIPLE, &["principle"]),
        ];
        for (kind, fields) in formed {
            let schema = schema(kind).unwrap();
            assert_eq!(complaints(&schema), [""; 0], "{schema}");
            assert_eq!(schema["required"], json!(fields), "{}", kind);
        }
        for kind in [
            asks::EXPLANATION,
            asks::INTERNAL_REASONING,
            asks::STATEMENT,
            asks::MEMORY_UPDATE,
        ] {
            assert_eq!(schema(kind), None, "{}", kind);
        }
    }

    #[test]
    fn a_choice_has_no_certainty_without_opinion() {
        let application = schema(asks::APPLICATION).unwrap();
        let certainty = &application["properties"]["certainty"]["enum"];
        assert_eq!(certainty, &json!(["very_unsure", "unsure", "sure", "very_sure"]));
        let amount = json!({ "anyOf": [{ "type": "integer" }, { "type": "null" }] });
        assert_eq!(application["properties"]["amount"], amount);
        let ranking = schema(asks::FINAL_RANKING).unwrap();
        assert_eq!(ranking["properties"]["certainty"]["enum"][2], json!("no_opinion"));
        for certainty in ranking["properties"]["certainty"]["enum"].as_array().unwrap() {
            let read: Certainty = serde_json::from_value(certainty.clone()).unwrap();
            assert_eq!(read.id(), certainty);
        }
    }
}
