//! Readers for each kind of answer, by profile: the default readers, or those of the published program, under
//! which the published runs replay. Form values are read first. The parsers are in `reading`.

use super::forms;
use super::lab::Lab;
use super::settings::GuidanceStyle;
use crate::core::table::Answer;
use crate::language::Language;
use crate::principle::{Choice, Principle, Ranking};
use crate::procedures::answers::Answers;
use crate::reading::structured::{self, Stated};
use crate::reading::{self, AmountBounds, How, Reading};
use serde_json::Value;

impl Lab {
    pub(super) fn read_ranking(&self, answer: &Answer, language: Language) -> Reading<Ranking> {
        let free = |text: &str| reading::ranking(text, language);
        let answers = self.settings.answers;
        answers.read(answer, forms::read_ranking, structured::ranking, free)
    }

    pub(super) fn read_choice(&self, answer: &Answer, language: Language) -> Reading<Choice> {
        let bounds = self.amount_bounds();
        let form = |text: &str| structured::choice(text, language, bounds);
        let free = |text: &str| reading::choice(text, language, bounds);
        self.settings.answers.read(answer, forms::read_choice, form, free)
    }

    pub(super) fn read_agreement(&self, answer: &Answer, language: Language) -> Reading<bool> {
        let form = |text: &str| structured::yes_no(text, &["answer"], language);
        let free = |text: &str| match self.is_compat() {
            true => reading::compat::agreement(text),
            false => reading::agreement(text, language),
        };
        self.ballots().read(answer, forms::read_agreement, form, free)
    }

    pub(super) fn read_principle(&self, answer: &Answer, language: Language) -> Reading<Principle> {
        let free = |text: &str| match self.is_compat() {
            true => reading::compat::principle(text),
            false => reading::principle(text, language),
        };
        self.ballots()
            .read(answer, forms::read_principle, structured::principle, free)
    }

    pub(super) fn read_amount(&self, answer: &Answer, language: Language) -> Reading<u32> {
        let text = |text: &str| self.amount_in(text, language);
        Answers::Free.read(answer, forms::read_amount, |_| None, text)
    }

    /// Reads the amount in a text.
    pub(super) fn amount_in(&self, text: &str, language: Language) -> Reading<u32> {
        let bounds = self.amount_bounds();
        let form = |text: &str| structured::amount(text, language, bounds);
        let free = |text: &str| match self.is_compat() {
            true => reading::compat::extract_amount(text),
            false => reading::amount(text, language, bounds),
        };
        self.ballots().read_text(text, form, free)
    }

    /// Whether memories include topic, key point and theory of statements, as given by their speakers.
    pub(super) fn has_statement_points(&self) -> bool {
        self.settings.phase2.memory.guidance_style == GuidanceStyle::Structured
            && self.ballots() != Answers::Free
    }

    /// Returns the answer format of ballots: the published program has no structured ones.
    fn ballots(&self) -> Answers {
        match self.is_compat() {
            true => Answers::Free,
            false => self.settings.answers,
        }
    }

    /// Reads the statement to the group and its speaker's additional fields; plain text has none.
    pub(super) fn read_statement(&self, answer: &Answer, language: Language) -> (Stated, How) {
        let bounds = self.amount_bounds();
        let values = |values: &Value| structured::stated(values, language, bounds);
        let form = |text: &str| structured::statement(text, language, bounds);
        let free = |text: &str| {
            let stated = Stated {
                text: text.to_owned(),
                ..Stated::default()
            };
            Reading::read(stated, How::Length)
        };
        match self.ballots().read(answer, values, form, free) {
            Reading::Read { value, how, .. } => (value, how),
            Reading::Unread { .. } => (Stated::default(), How::Form),
        }
    }

    /// Returns a statement with the principle and the amount that the reading model found in it.
    pub(super) fn stated_with(&self, text: &str, mut values: Value, language: Language) -> Option<Stated> {
        values["text"] = text.into();
        structured::stated(&values, language, self.amount_bounds())
    }

    /// Reads the principle that a statement explicitly supports.
    pub(super) fn read_favored(&self, statement: &str, language: Language) -> Option<Principle> {
        reading::favoured(statement, language)
    }

    fn amount_bounds(&self) -> AmountBounds {
        AmountBounds {
            min: self.settings.phase2.amount_min,
            max: self.settings.phase2.amount_max,
        }
    }

    /// Returns the least and greatest amount, as messages name them.
    pub(super) fn amount_limits(&self) -> (u32, u32) {
        (self.settings.phase2.amount_min, self.settings.phase2.amount_max)
    }
}
