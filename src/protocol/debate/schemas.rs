//! The form of each answer of a debate that is no free text. Proposals go by the labels under which
//! they are shown; reasons come first, so that they are given before the decision.

use crate::protocol::schema::{flag, list, number, object, one_of, text, whole};
use crate::session::ask::AskKind;
use serde_json::Value;

/// The schema of an answer; `labels` are those of the proposals shown. `None`: it is in free words.
pub(super) fn schema(kind: AskKind, labels: &[&str]) -> Option<Value> {
    let needs_labels = matches!(kind, AskKind::Vote | AskKind::Judgement);
    if needs_labels && labels.is_empty() {
        return None;
    }
    Some(match kind {
        AskKind::Critique => object([
            ("issues", list(text())),
            ("suggestions", list(text())),
            ("reasoning", text()),
            ("severity", whole()),
        ]),
        AskKind::Vote => object([
            ("reasoning", text()),
            ("choice", one_of(labels)),
            ("confidence", number()),
            ("continue", flag()),
        ]),
        AskKind::Judgement => object([
            ("scores", list(score(labels))),
            ("ranking", list(one_of(labels))),
            ("synthesis", text()),
            ("reason", text()),
            ("conclusive", flag()),
            ("confidence", number()),
        ]),
        AskKind::Poll => object([("answer", one_of(&["continue", "stop"]))]),
        AskKind::Termination => object([
            ("reason", text()),
            ("conclusive", flag()),
            ("confidence", number()),
        ]),
        AskKind::Prepare | AskKind::Commit => {
            object([("reason", text()), ("answer", one_of(&["yes", "no"]))])
        }
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
    use crate::protocol::schema::complaints;
    use serde_json::json;

    #[test]
    fn every_question_with_a_form_has_a_schema_that_all_providers_take() {
        use AskKind::{
            Commit, Context, Critique, Judgement, Poll, Prepare, Proposal, Refinement, Revision, Similarity,
            Termination, Vote,
        };
        let formed: [(AskKind, &[&str]); 7] = [
            (Critique, &["issues", "suggestions", "reasoning", "severity"]),
            (Vote, &["reasoning", "choice", "confidence", "continue"]),
            (
                Judgement,
                &[
                    "scores",
                    "ranking",
                    "synthesis",
                    "reason",
                    "conclusive",
                    "confidence",
                ],
            ),
            (Poll, &["answer"]),
            (Termination, &["reason", "conclusive", "confidence"]),
            (Prepare, &["reason", "answer"]),
            (Commit, &["reason", "answer"]),
        ];
        for (kind, fields) in formed {
            let schema = schema(kind, &["Ana", "提案 1"]).unwrap();
            assert_eq!(complaints(&schema), [""; 0], "{schema}");
            assert_eq!(schema["required"], json!(fields), "{}", kind.name());
        }
        for kind in [Proposal, Revision, Refinement, Context, Similarity] {
            assert_eq!(schema(kind, &["Ana"]), None, "{}", kind.name());
        }
    }

    #[test]
    fn only_what_is_shown_can_be_chosen() {
        let names = json!({ "type": "string", "enum": ["Ana", "Bo"] });
        let vote = schema(AskKind::Vote, &["Ana", "Bo"]).unwrap();
        assert_eq!(vote["properties"]["choice"], names);
        let judgement = schema(AskKind::Judgement, &["Ana", "Bo"]).unwrap();
        assert_eq!(judgement["properties"]["ranking"]["items"], names);
        assert_eq!(
            judgement["properties"]["scores"]["items"]["properties"]["proposal"],
            names
        );
        assert_eq!(schema(AskKind::Vote, &[]), None);
        assert_eq!(schema(AskKind::Judgement, &[]), None);
    }
}
