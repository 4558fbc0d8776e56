//! Reads answers: pure functions from text to a value or the reason why there is none. A wrong value costs a study and a
//! missing one costs a call, so what is not understood in full is not read.
//!
//! 1. **Form**: a JSON object (`json`) or lines with labels (`fields`). Forms that were asked for come first
//!    (`structured`).
//! 2. **Free text**: `text` normalises the answer and cuts it into tokens, `tag` turns every mention of a value into one
//!    token, and `decide` matches frames around the mentions and decides. Rankings (`order`) read the same tokens.
//! 3. Every word around a decision is accounted for by a pattern of the language's file in `words`, or the answer is
//!    declined.
//!
//! What follows from an answer is decided elsewhere. See docs/reading.md.

mod account;
pub mod alias;
pub mod compat;
pub mod context;
pub mod critique;
mod decide;
mod fields;
mod figure;
mod free;
mod json;
pub mod judge;
pub(crate) mod normalize;
mod order;
mod order_json;
pub mod signals;
mod span;
pub mod structured;
mod tag;
mod text;
pub mod vote;
mod words;
pub use context::supply;
pub use critique::critique;
pub use free::{AmountBounds, agreement, amount, choice, favoured, principle};
pub use judge::judge;
pub use order::ranking;
use serde::{Deserialize, Serialize};
pub use span::{Span, place};
pub use vote::vote;
/// What was read in an answer: a value with how it was found, or the reason why there is none.
/// Serialised as `{ "value": v, "how": "digit", "span": [0, 11] }` or `{ "value": null, "reason": "empty_response" }`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Reading<T> {
    /// A value was read.
    Read {
        /// The value.
        value: T,
        /// How it was found.
        how: How,
        /// The words that decided, where it was read in words.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        span: Option<Span>,
    },
    /// Nothing certain could be read.
    Unread {
        /// Always null in data.
        value: (),
        /// Why.
        reason: Reason,
    },
}

impl<T> Reading<T> {
    /// A value that was read.
    pub fn read(value: T, how: How) -> Self {
        Self::Read {
            value,
            how,
            span: None,
        }
    }
    /// The same with the words that decided.
    #[must_use]
    pub fn by(mut self, words: Option<Span>) -> Self {
        if let Self::Read { span, .. } = &mut self {
            *span = words;
        }
        self
    }
    /// No value, and why.
    #[must_use]
    pub fn unread(reason: Reason) -> Self {
        Self::Unread { value: (), reason }
    }
    /// The value, if there is one.
    pub fn value(&self) -> Option<&T> {
        match self {
            Self::Read { value, .. } => Some(value),
            Self::Unread { .. } => None,
        }
    }
    /// Returns the value, if there is one.
    pub fn into_value(self) -> Option<T> {
        match self {
            Self::Read { value, .. } => Some(value),
            Self::Unread { .. } => None,
        }
    }
    /// Why there is no value.
    pub fn reason(&self) -> Option<Reason> {
        match self {
            Self::Read { .. } => None,
            Self::Unread { reason, .. } => Some(*reason),
        }
    }
}

/// How a value was found in an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum How {
    /// The whole answer is the number.
    Digit,
    /// After a label such as "my vote:".
    Label,
    /// In words, by patterns.
    Word,
    /// In a JSON object.
    Json,
    /// In the fields that were asked for, as JSON.
    Schema,
    /// In a last line that was asked for.
    Line,
    /// Filled in: a value, not words.
    Form,
    /// In a numbered list.
    List,
    /// In one line such as "3 > 1 > 2 > 4".
    Inline,
    /// Taken as it is; the value is its length in characters.
    Length,
    /// As the published program read it (profile `compat`).
    Compat,
    /// By the reading model, from words that stand in the answer.
    Model,
}

impl How {
    /// The stored name of a way in which answers come that are not free words, e.g. `schema`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Form => "form",
            Self::Schema => "schema",
            Self::Line => "line",
            Self::Model => "model",
            _ => "text",
        }
    }
}

impl Reason {
    /// The stored name, e.g. `empty_response`.
    #[must_use]
    pub fn code(self) -> String {
        serde_json::json!(self).as_str().unwrap_or_default().to_owned()
    }
}

/// Why an answer could not be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Reason {
    /// The answer is empty.
    EmptyResponse,
    /// It breaks off within the form that was asked for.
    AnswerBrokenOff,
    /// Unclear between yes and no.
    AgreementUnclear,
    /// No principle can be made out.
    PrincipleContentUnclear,
    /// Two or more different numbers 1 to 4.
    MultipleValidNumbers,
    /// A number outside 1 to 4.
    NumberOutOfRange,
    /// A choice where a ranking was asked for.
    ChoiceFormatConfusion,
    /// No numbered list where a ranking was asked for.
    NoNumberedList,
    /// A ranking with fewer than four places.
    IncompleteRanking,
    /// Four places or more, but not each of the four principles at one of them, or two rankings.
    RankingUnclear,
    /// The answer to a question for an amount is empty (profile `compat`).
    EmptyAmountResponse,
    /// No amount is named.
    NoAmountFound,
    /// Two or more different amounts.
    MultipleDifferentAmountsFound,
    /// The amount is below the least allowed.
    AmountTooLow,
    /// The amount is above the most allowed.
    AmountTooHigh,
    /// The answer is 0 (profile `compat`).
    ZeroNotValid,
    /// A number word instead of a digit (profile `compat`).
    UseDigitsNotWords,
    /// More than 100 characters (profile `compat`).
    ResponseTooLong,
    /// A letter a to d, which the published program took for a choice by letter (profile `compat`).
    NoLetterChoices,
    /// Nothing that the published program knew (profile `compat`).
    InvalidFormatGeneral,
    /// No vote for any proposal.
    NoChoiceFound,
    /// A vote for what is none of the proposals.
    UnknownChoice,
    /// A vote for two proposals, or for a name that could be two.
    AmbiguousChoice,
    /// Nothing of a judge's evaluation.
    NoEvaluationFound,
    /// Neither a list of items nor that there is none to be had.
    NoItemsFound,
    /// No sign that something is ready or settled.
    NoSignalFound,
}
