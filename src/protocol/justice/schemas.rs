//! The form of each answer of the experiment that is no free speech. Principles and certainties go by
//! their ids, whatever the language; reasons come first, so that they are given before the choice.

use crate::principle::{Certainty, Principle};
use crate::protocol::schema::{maybe, object, one_of, text, whole};
use crate::session::ask::AskKind;
use serde_json::Value;

/// The schema of an answer; `None`: it is in free words.
pub(super) fn schema(kind: AskKind) -> Option<Value> {
    use AskKind::{
        Application, BallotAmount, BallotPrinciple, ConstraintRetry, FinalRanking, InitialRanking,
        PostExplanationRanking, ResultsRanking, VoteConfirmation, VoteInitiation,
    };
    Some(match kind {
        InitialRanking | PostExplanationRanking | FinalRanking | ResultsRanking => object([
            ("reason", text()),
            ("first", principle()),
            ("second", principle()),
            ("third", principle()),
            ("fourth", principle()),
            ("certainty", certainty(|_| true)),
        ]),
        Application => object([
            ("reason", text()),
            ("principle", principle()),
            ("amount", maybe(whole())),
            (
                "certainty",
                certainty(|certainty| certainty != Certainty::NoOpinion),
            ),
        ]),
        ConstraintRetry | BallotAmount => object([("amount", whole())]),
        VoteInitiation | VoteConfirmation => object([("answer", one_of(&["yes", "no"]))]),
        BallotPrinciple => object([("principle", principle())]),
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
    use crate::protocol::schema::complaints;
    use serde_json::json;

    #[test]
    fn every_question_with_a_form_has_a_schema_that_all_providers_take() {
        use AskKind::{
            Application, BallotAmount, BallotPrinciple, ConstraintRetry, Explanation, FinalRanking,
            InitialRanking, InternalReasoning, MemoryUpdate, PostExplanationRanking, ResultsRanking,
            Statement, VoteConfirmation, VoteInitiation,
        };
        let ranking = ["reason", "first", "second", "third", "fourth", "certainty"];
        let formed: [(AskKind, &[&str]); 10] = [
            (InitialRanking, &ranking),
            (PostExplanationRanking, &ranking),
            (FinalRanking, &ranking),
            (ResultsRanking, &ranking),
            (Application, &["reason", "principle", "amount", "certainty"]),
            (ConstraintRetry, &["amount"]),
            (BallotAmount, &["amount"]),
            (VoteInitiation, &["answer"]),
            (VoteConfirmation, &["answer"]),
            (BallotPrinciple, &["principle"]),
        ];
        for (kind, fields) in formed {
            let schema = schema(kind).unwrap();
            assert_eq!(complaints(&schema), [""; 0], "{schema}");
            assert_eq!(schema["required"], json!(fields), "{}", kind.name());
        }
        for kind in [Explanation, InternalReasoning, Statement, MemoryUpdate] {
            assert_eq!(schema(kind), None, "{}", kind.name());
        }
    }

    #[test]
    fn a_choice_has_no_certainty_without_opinion() {
        let application = schema(AskKind::Application).unwrap();
        let certainty = &application["properties"]["certainty"]["enum"];
        assert_eq!(certainty, &json!(["very_unsure", "unsure", "sure", "very_sure"]));
        let amount = json!({ "anyOf": [{ "type": "integer" }, { "type": "null" }] });
        assert_eq!(application["properties"]["amount"], amount);
        let ranking = schema(AskKind::FinalRanking).unwrap();
        assert_eq!(ranking["properties"]["certainty"]["enum"][2], json!("no_opinion"));
        for certainty in ranking["properties"]["certainty"]["enum"].as_array().unwrap() {
            let read: Certainty = serde_json::from_value(certainty.clone()).unwrap();
            assert_eq!(read.id(), certainty);
        }
    }
}
