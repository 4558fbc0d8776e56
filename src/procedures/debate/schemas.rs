//! The form of each answer of a debate that is no free text. Proposals go by the labels under which
//! they are shown; reasons come first, so that they are given before the decision.

use crate::procedures::debate::asks;
use crate::procedures::schema::{flag, list, number, object, one_of, text, whole};
use serde_json::Value;

/// The schema of an answer; `labels` are those of the proposals shown. `None`: it is in free words.
pub(super) fn schema(kind: &'static str, labels: &[&str]) -> Option<Value> {
    let needs_labels = matches!(kind, asks::VOTE | asks::JUDGEMENT);
    if needs_labels && labels.is_empty() {
        return None;
    }
    Some(match kind {
        asks::CRITIQUE => object([
            ("issues", list(text())),
            ("suggestions", list(text())),
            ("reasoning", text()),
            ("severity", whole()),
        ]),
        asks::VOTE => object([
            ("reasoning", text()),
            ("choice", one_of(labels)),
            ("confidence", number()),
            ("continue", flag()),
        ]),
        asks::JUDGEMENT => object([
            ("scores", list(score(labels))),
            ("ranking", list(one_of(labels))),
            ("synthesis", text()),
            ("reason", text()),
            ("conclusive", flag()),
            ("confidence", number()),
        ]),
        asks::POLL => object([("answer", one_of(&["continue", "stop"]))]),
        asks::TERMINATION => object([
            ("reason", text()),
            ("conclusive", flag()),
            ("confidence", number()),
        ]),
        asks::PREPARE | asks::COMMIT => object([("reason", text()), ("answer", one_of(&["yes", "no"]))]),
        _ => return None,
    })
}

fn score(labels: &[&str]) -> Value {
    let criteria = object([
        ("correctness", number()),
        ("evidence", number()),
        ("completeness", number()),
        ("clarity", number()),
        ("risk", number()),
    ]);
    object([
        ("proposal", one_of(labels)),
        ("comment", text()),
        ("criteria", criteria),
        ("score", number()),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::procedures::schema::complaints;
    use serde_json::json;

    #[test]
    fn every_question_with_a_form_has_a_schema_that_all_providers_take() {
        let formed: [(&'static str, &[&str]); 7] = [
            (
                asks::CRITIQUE,
                &["issues", "suggestions", "reasoning", "severity"],
            ),
            (asks::VOTE, &["reasoning", "choice", "confidence", "continue"]),
            (
                asks::JUDGEMENT,
                &[
                    "scores",
                    "ranking",
                    "synthesis",
                    "reason",
                    "conclusive",
                    "confidence",
                ],
            ),
            (asks::POLL, &["answer"]),
            (asks::TERMINATION, &["reason", "conclusive", "confidence"]),
            (asks::PREPARE, &["reason", "answer"]),
            (asks::COMMIT, &["reason", "answer"]),
        ];
        for (kind, fields) in formed {
            let schema = schema(kind, &["Ana", "提案 1"]).unwrap();
            assert_eq!(complaints(&schema), [""; 0], "{schema}");
            assert_eq!(schema["required"], json!(fields), "{}", kind);
        }
        for kind in [
            asks::PROPOSAL,
            asks::REVISION,
            asks::REFINEMENT,
            asks::CONTEXT,
            asks::SIMILARITY,
        ] {
            assert_eq!(schema(kind, &["Ana"]), None, "{}", kind);
        }
    }

    #[test]
    fn only_what_is_shown_can_be_chosen() {
        let names = json!({ "type": "string", "enum": ["Ana", "Bo"] });
        let vote = schema(asks::VOTE, &["Ana", "Bo"]).unwrap();
        assert_eq!(vote["properties"]["choice"], names);
        let judgement = schema(asks::JUDGEMENT, &["Ana", "Bo"]).unwrap();
        assert_eq!(judgement["properties"]["ranking"]["items"], names);
        assert_eq!(
            judgement["properties"]["scores"]["items"]["properties"]["proposal"],
            names
        );
        assert_eq!(schema(asks::VOTE, &[]), None);
        assert_eq!(schema(asks::JUDGEMENT, &[]), None);
    }
}
