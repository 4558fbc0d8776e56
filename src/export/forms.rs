//! The number of answers by form, for reports. JSON and CSV have the form of each answer.

use super::markdown::Report;
use crate::core::ask::AnsweredAs;
use crate::core::record::{Entry, EntryKind};
use std::rc::Rc;

impl Report {
    /// Returns label and counts, or `None` if no structured answer was requested.
    pub(super) fn forms(&self, record: &[Rc<Entry>]) -> Option<Vec<String>> {
        let mut counts = [0_usize; 3];
        for entry in record {
            if let EntryKind::Answered { reply, .. } = &entry.what
                && let Some(form) = reply.answered_as
            {
                let at = match form {
                    AnsweredAs::Native => 0,
                    AnsweredAs::Text => 1,
                    AnsweredAs::Free => 2,
                    AnsweredAs::Form => continue,
                };
                counts[at] += 1;
            }
        }
        let [native, text, free] = counts;
        (native + text + free > 0).then(|| {
            let values: [(&str, &dyn std::fmt::Display); 3] =
                [("native", &native), ("text", &text), ("free", &free)];
            vec![self.label("forms", &[]), self.label("forms.value", &values)]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::{Format, export, samples};
    use crate::language::Language;
    use crate::language::words::Words;
    use std::collections::BTreeMap;

    fn with(forms: &[AnsweredAs]) -> Vec<Rc<Entry>> {
        let mut forms = forms.iter().copied();
        let mut record = samples::record();
        for entry in &mut record {
            if let EntryKind::Answered { reply, .. } = &mut Rc::make_mut(entry).what {
                reply.answered_as = forms.next();
            }
        }
        record
    }

    #[test]
    fn answers_are_counted_by_their_form() {
        let report = |record: &[Rc<Entry>]| export(Format::Markdown, record).unwrap().text;
        assert!(!report(&with(&[])).contains("Form of answers"));
        let record = with(&[AnsweredAs::Text, AnsweredAs::Free]);
        let row = "| Form of answers | 0 by a schema, 1 by a schema in words, 1 in free text |";
        assert!(report(&record).contains(row), "{}", report(&record));
        for language in Language::ALL {
            let row = Report::new(Words::new(&crate::export::TEXTS, language, &BTreeMap::new()))
                .forms(&record)
                .unwrap();
            assert!(!row[0].contains("forms") && row[1].contains('1'), "{row:?}");
        }
    }
}
