//! Which reader reads which answer, by profile: the default readers, or what the published program
//! read, under which the published runs replay. Where answers have forms, those come first. What the
//! texts mean is found out in `parse`.

use super::lab::Lab;
use crate::language::Language;
use crate::parse::{self, AmountBounds, How, Reading, structured};
use crate::principle::{Choice, Principle, Ranking};

impl Lab {
    pub(super) fn read_ranking(&self, text: &str, language: Language) -> Reading<Ranking> {
        let form = || structured::ranking(text);
        self.settings
            .answers
            .read(form, || parse::ranking(text, language))
    }

    pub(super) fn read_choice(&self, text: &str, language: Language) -> Reading<Choice> {
        let bounds = self.amount_bounds();
        let form = || structured::choice(text, language, bounds);
        self.settings
            .answers
            .read(form, || parse::choice(text, language, bounds))
    }

    pub(super) fn read_agreement(&self, text: &str, language: Language) -> Reading<bool> {
        if self.is_compat() {
            return parse::compat::agreement(text);
        }
        let form = || structured::yes_no(text, &["answer"], language);
        self.settings
            .answers
            .read(form, || parse::agreement(text, language))
    }

    pub(super) fn read_principle(&self, text: &str, language: Language, last: bool) -> Reading<Principle> {
        if self.is_compat() {
            return parse::compat::principle(text);
        }
        let form = || structured::principle(text, language);
        self.settings
            .answers
            .read(form, || parse::principle(text, language, last))
    }

    pub(super) fn read_amount(&self, text: &str, language: Language) -> Reading<u32> {
        if self.is_compat() {
            return parse::compat::extract_amount(text);
        }
        let bounds = self.amount_bounds();
        let form = || structured::amount(text, language, bounds);
        self.settings
            .answers
            .read(form, || parse::amount(text, language, bounds))
    }

    /// The principle that a statement speaks for, where it says so in so many words.
    pub(super) fn read_favored(&self, statement: &str, language: Language) -> Option<Principle> {
        match parse::principle(statement, language, false) {
            Reading::Read {
                value,
                how: How::Label | How::Noun,
            } => Some(value),
            _ => None,
        }
    }

    fn amount_bounds(&self) -> AmountBounds {
        AmountBounds {
            min: self.settings.amount_min,
            max: self.settings.amount_max,
        }
    }

    /// Least and greatest amount, as messages name them.
    pub(super) fn amount_limits(&self) -> (u32, u32) {
        (self.settings.amount_min, self.settings.amount_max)
    }
}
