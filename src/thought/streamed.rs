//! An answer that is shown while it streams, without the thoughts in it.

use super::mark::MARK_STARTS;
use super::split_text;

/// Longest text that is split while it streams: each piece costs a pass over all of it.
const MAX_STREAMED: usize = 32 << 10;
/// Length from which the beginning of a text is known to be no role.
const LONGEST_BEGINNING: usize = 64;

/// The answer as far as it can be shown while it streams.
#[derive(Debug, Default)]
pub struct StreamedAnswer {
    text: String,
    shown: String,
    /// The text has a character that a mark may begin with.
    may_have_marks: bool,
    waits_for_end_of_thought: bool,
}

/// What a piece adds to the answer.
#[derive(Debug, PartialEq, Eq)]
pub struct Addition {
    pub text: String,
    /// What was shown before was a thought.
    pub starts_over: bool,
}

impl Addition {
    /// Continues what was shown.
    #[must_use]
    pub fn next(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            starts_over: false,
        }
    }
}

impl StreamedAnswer {
    /// With `begins_in_thought` nothing is shown before the end of a thought.
    #[must_use]
    pub fn new(begins_in_thought: bool) -> Self {
        Self {
            waits_for_end_of_thought: begins_in_thought,
            ..Self::default()
        }
    }

    /// Adds a piece. Returns what can be shown in addition.
    pub fn push(&mut self, piece: &str) -> Option<Addition> {
        let is_all_shown = self.shown.len() == self.text.len();
        self.text.push_str(piece);
        self.may_have_marks |= piece.contains(MARK_STARTS);
        if !self.may_have_marks && is_all_shown && self.text.len() > LONGEST_BEGINNING {
            self.shown.push_str(piece);
            return Some(Addition::next(piece));
        }
        if self.text.len() > MAX_STREAMED {
            return None;
        }
        let split = split_text(&self.text, true);
        if self.waits_for_end_of_thought && split.thought.is_empty() {
            return None;
        }
        let (answer, shown) = (split.answer.trim_start(), self.shown.trim_start());
        let addition = match answer.strip_prefix(shown) {
            Some("") => return None,
            // White space at the beginning is shown once it is known to belong to the answer.
            Some(_) if shown.is_empty() => Addition::next(&split.answer),
            Some(new) => Addition::next(new),
            // A trailing fragment turned out to be none, or is one now: nothing that was shown is wrong.
            None if shown.starts_with(answer) && !split.begins_in_thought => return None,
            None => Addition {
                text: answer.to_owned(),
                starts_over: true,
            },
        };
        self.shown.clone_from(&split.answer);
        Some(addition)
    }

    /// Returns whether the text so far began within a thought.
    #[must_use]
    pub fn begins_in_thought(&self) -> bool {
        self.may_have_marks
            && self.text.len() <= MAX_STREAMED
            && split_text(&self.text, true).begins_in_thought
    }
}
