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
