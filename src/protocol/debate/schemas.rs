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
