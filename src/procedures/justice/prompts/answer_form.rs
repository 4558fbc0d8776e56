//! What the answer to a question has to look like, for models and programs that answer in free text.

use super::parts::certainties;
use super::phase1::choice_examples;
use crate::language::words::Words;
use crate::procedures::justice::asks;

/// How the form of an answer is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerForm {
    /// A last line that begins with a label.
    Line,
    /// In the wordings that the readers of the published program understand (profile `compat`).
    Published,
}

/// Returns the instruction for a question of this kind; `None` if it asks for a text. From the third `attempt` on, the line
/// alone is asked for.
#[must_use]
pub fn answer_form(words: &Words, kind: &'static str, form: AnswerForm, attempt: u32) -> Option<String> {
    let (value, has_no_opinion) = match kind {
        asks::INITIAL_RANKING
        | asks::POST_EXPLANATION_RANKING
        | asks::FINAL_RANKING
        | asks::RESULTS_RANKING => ("ranking", true),
        asks::APPLICATION => ("choice", false),
        asks::CONSTRAINT_RETRY | asks::BALLOT_AMOUNT => ("amount", false),
        asks::BALLOT_PRINCIPLE => ("principle", false),
        asks::VOTE_INITIATION | asks::VOTE_CONFIRMATION => ("yes_no", false),
        _ => return None,
    };
    let certainties = certainties(words, has_no_opinion);
    if form == AnswerForm::Published {
        let key = format!("justice.answer.published.{value}");
        let examples = choice_examples(words);
        return Some(words.text(&key, &[("certainties", &certainties), ("examples", &examples)]));
    }
    let line = words.text(
        &format!("justice.answer.line.{value}"),
        &[("certainties", &certainties)],
    );
    let key = match attempt {
        1 | 2 => "justice.answer.line",
        _ => "justice.answer.line_alone",
    };
    let label = words.language().word("answer");
    Some(words.text(key, &[("label", &label), ("line", &line)]))
}
