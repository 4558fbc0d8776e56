//! The fields of an answer: of its JSON object, or lines such as `VOTE: 3`. Which of them decides, not what it means.

use super::json::{Json, objects};
use super::text::{plain, tokens};
use super::words::Words;
use super::{How, Reason};
use crate::language::Language;
use serde_json::{Map, Value};

/// Characters of a label at most.
const LONGEST_LABEL: usize = 60;

/// The fields of an answer.
#[derive(Debug, Default)]
pub(super) struct Fields {
    /// Names and values, in order.
    pub(super) all: Vec<(String, Value)>,
    /// Lines that belong to no field.
    pub(super) rest: String,
    pub(super) is_json: bool,
}

impl Fields {
    /// Finds the fields whose names are keys of `names` in any language. `Err`: the form is there and cannot be read.
    pub(super) fn of(text: &str, names: &[&'static str]) -> Result<Option<Self>, Reason> {
        let found = match objects(text) {
            Json::CutOff => return Err(Reason::AnswerBrokenOff),
            Json::Broken => return Err(Reason::NoSignalFound),
            Json::Objects(objects, rest) => {
                let mut fields = Self {
                    rest,
                    is_json: true,
                    ..Self::default()
                };
                objects.iter().for_each(|object| fields.add_object(object, names));
                return Ok(Some(fields));
            }
            Json::None => Self::of_lines(text, names),
        };
        Ok(Some(found).filter(|found| !found.all.is_empty()))
    }

    /// An object's fields; those of an object within it are its own.
    fn add_object(&mut self, object: &Map<String, Value>, names: &[&'static str]) {
        for (key, value) in object {
            match value {
                Value::Object(inner) if named(key, names).is_none() || inner.len() == 1 => {
                    self.add_object(inner, names)
                }
                _ => self.all.push((
                    named(key, names).map_or_else(|| key.clone(), str::to_owned),
                    value.clone(),
                )),
            }
        }
    }

    fn of_lines(text: &str, names: &[&'static str]) -> Self {
        let mut fields = Self::default();
        // A field whose value is yet to come, or that runs on.
        let mut open = false;
        let mut lines = text.lines().peekable();
        while let Some(line) = lines.next() {
            let is_heading = lines
                .peek()
                .is_some_and(|next| next.trim_start().replace([' ', ':'], "").starts_with("|-"));
            if let Some((name, value)) = label(line, names).filter(|_| !is_heading) {
                open = value.is_empty() || matches!(name, "reason" | "issues" | "suggestions" | "synthesis");
                fields.all.push((name.to_owned(), Value::from(value)));
                continue;
            }
            match fields.all.last_mut() {
                Some((name, Value::String(value)))
                    if open && (!line.trim().is_empty() || !value.is_empty()) =>
                {
                    if !value.is_empty() {
                        value.push('\n');
                    }
                    value.push_str(line.trim());
                    open = matches!(name.as_str(), "reason" | "issues" | "suggestions" | "synthesis");
                }
                _ => {
                    fields.rest.push_str(line);
                    fields.rest.push('\n');
                }
            }
        }
        // A heading that is also a label.
        let is_empty = |value: &Value| value.as_str().is_some_and(str::is_empty);
        let given: Vec<String> = fields
            .all
            .iter()
            .filter(|(_, value)| !is_empty(value))
            .map(|(name, _)| name.clone())
            .collect();
        fields
            .all
            .retain(|(name, value)| !is_empty(value) || !given.contains(name));
        // A label without a value is a sentence.
        if fields.all.iter().all(|(_, value)| is_empty(value)) {
            return Self::default();
        }
        fields
    }

    /// The values of a name. Labels: the last of its name, unless an earlier one differs.
    pub(super) fn values(&self, name: &str) -> Vec<&Value> {
        self.all
            .iter()
            .filter(|(key, _)| key == name)
            .map(|(_, value)| value)
            .collect()
    }

    /// The text of a name, empty if there is none.
    pub(super) fn text(&self, name: &str) -> String {
        self.values(name)
            .first()
            .and_then(|value| text_of(value))
            .unwrap_or_default()
    }

    pub(super) fn how(&self) -> How {
        if self.is_json { How::Json } else { How::Label }
    }

    /// The one value of a name as `read` understands it; without the name, that of the only field that it understands.
    /// `Ok(None)`: no field has one.
    pub(super) fn one<T: PartialEq>(
        &self,
        name: &str,
        read: impl Fn(&Value) -> Option<T>,
    ) -> Result<Option<T>, ()> {
        let named = self.values(name);
        let mut found: Vec<Option<T>> = named.into_iter().map(&read).collect();
        if found.is_empty() && self.is_json {
            let others = self
                .all
                .iter()
                .filter(|(key, _)| !matches!(key.as_str(), "reason" | "certainty" | "confidence"));
            found = others
                .map(|(_, value)| read(value))
                .filter(Option::is_some)
                .collect();
        }
        // Words under another key that say another value.
        let contradicts = |(key, value): &(String, Value)| {
            let is_apart = matches!(key.as_str(), "certainty" | "confidence") || key == name;
            !is_apart
                && value.is_string()
                && read(value).is_some_and(|other| found.iter().flatten().any(|one| *one != other))
        };
        if self.is_json && self.all.iter().any(contradicts) {
            return Err(());
        }
        let last = found.pop();
        match last {
            None => Ok(None),
            Some(last) if last.is_some() && found.iter().all(|one| *one == last) => Ok(last),
            Some(_) => Err(()),
        }
    }
}

/// The value of the answer line: the last line, if its label is "answer" and no earlier one of that label differs.
pub(super) fn answer_line(text: &str) -> Option<&str> {
    let mut lines = text
        .lines()
        .filter(|line| !line.trim().trim_matches('`').is_empty())
        .rev();
    let answer = |line| label(line, &["answer"]).map(|(_, value)| value);
    let last = answer(lines.next()?)?;
    lines
        .filter_map(answer)
        .all(|other| other == last)
        .then_some(last)
}

/// A JSON value as text.
pub(super) fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.trim().to_owned()),
        Value::Number(_) | Value::Bool(_) => Some(value.to_string()),
        _ => None,
    }
}

/// The name that a key or label stands for.
pub(super) fn named(label: &str, names: &[&'static str]) -> Option<&'static str> {
    if label.chars().count() > LONGEST_LABEL {
        return None;
    }
    let label = plain(&label.replace(['_', '-'], " "));
    let of = |language: &Language| {
        let words = Words::labels(*language);
        let mut tokens = tokens(&label, words);
        tokens.retain(|token| token.is_word() || token.key == super::text::key::NUMBER);
        names
            .iter()
            .find(|name| words.section(&format!("key.{name}")).is_whole(&tokens))
            .copied()
    };
    Language::ALL.iter().find_map(of)
}

/// The label of a line and its value: `Vote: 3`, `- **Vote** — 3`, `| Vote | 3 |`.
pub(super) fn label<'t>(line: &'t str, names: &[&'static str]) -> Option<(&'static str, &'t str)> {
    let bare = line.trim().trim_start_matches(|c: char| "*#>-•_`~ ".contains(c));
    let cells: Vec<&str> = bare.trim_matches('|').split('|').collect();
    let (label, value) = match *cells.as_slice() {
        [label, value] if bare.starts_with('|') => (label, value),
        _ => {
            let at = bare
                .char_indices()
                .take(LONGEST_LABEL)
                .find(|(_, c)| matches!(c, ':' | '：' | '=' | '？' | '?'));
            match at {
                Some((at, mark)) => (&bare[..at], &bare[at + mark.len_utf8()..]),
                // A heading, and the value below.
                None if line.trim_start().starts_with(['#', '*']) => (bare, ""),
                None => return None,
            }
        }
    };
    let value = value.trim().trim_matches(['*', '_', '`']).trim();
    Some((named(label, names)?, value))
}
