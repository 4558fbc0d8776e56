//! A critique of a proposal: what is wrong, what would help, how bad it is. A JSON object, or headings with lists. Prose
//! is kept as the reasoning, and nothing is made of it.
//!
//! Source: A5 of the debate's design.

use super::fields::{named, text_of};
use super::figure::points;
use super::json::{Json, objects};
use super::text::{Token, plain, tokens};
use super::words::Words;
use super::{How, Reading, Reason};
use crate::language::Language;
use crate::thought;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A critique as its critic gave it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Critique {
    /// What is wrong; the first 5.
    pub issues: Vec<String>,
    /// What would help; the first 5.
    pub suggestions: Vec<String>,
    /// 0 to 2 cosmetic, 3 to 5 moderate, 6 to 8 significant, 9 to 10 critical; if given.
    pub severity: Option<f64>,
    /// The reasons under their label, else the answer; 500 characters at most. All of it if the answer names
    /// neither issues nor suggestions.
    pub reasoning: String,
}

impl Critique {
    /// Whether it names neither issues nor suggestions.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.issues.is_empty() && self.suggestions.is_empty()
    }
}

/// What is made of an answer without headings and lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Prose {
    /// Its text is the reasoning.
    #[default]
    Kept,
    /// The first half of its sentences are issues, the others suggestions, as in the published program.
    Halves,
}

const MOST: usize = 5;
const MOST_REASONING: usize = 500;
const PARTS: [&str; 5] = ["issues", "suggestions", "merits", "severity", "reason"];

/// Reads a critique. Labels of all three languages are understood in each.
///
/// Unread: an empty answer, and JSON that cannot be read.
#[must_use]
pub fn critique(text: &str, language: Language) -> Reading<Critique> {
    critique_with(text, language, Prose::Kept)
}

/// Reads a critique, with a choice of what becomes of prose.
#[must_use]
pub fn critique_with(text: &str, _language: Language, prose: Prose) -> Reading<Critique> {
    let spoken = thought::split(text).answer;
    let spoken = spoken.trim();
    if spoken.is_empty() {
        return Reading::unread(Reason::EmptyResponse);
    }
    match objects(spoken) {
        Json::CutOff => return Reading::unread(Reason::AnswerBrokenOff),
        Json::Broken => return Reading::unread(Reason::NoItemsFound),
        Json::Objects(objects, _) => {
            let mut found: Vec<Critique> = objects
                .iter()
                .filter_map(|object| of_object(object, ""))
                .collect();
            found.dedup();
            return match (found.pop(), found.is_empty()) {
                (Some(mut one), true) => {
                    if one.reasoning.is_empty() && !one.is_empty() {
                        one.reasoning = cut(spoken);
                    }
                    Reading::read(one, How::Json)
                }
                _ => Reading::unread(Reason::NoItemsFound),
            };
        }
        Json::None => {}
    }
    if let Some(found) = of_lines(spoken) {
        return Reading::read(found, How::List);
    }
    let mut found = Critique {
        reasoning: match prose {
            Prose::Kept => spoken.to_owned(),
            Prose::Halves => cut(spoken),
        },
        ..Critique::default()
    };
    if prose == Prose::Halves {
        let sentences: Vec<&str> = spoken
            .split(['.', '。'])
            .map(str::trim)
            .filter(|sentence| !sentence.is_empty())
            .collect();
        let (first, second) = sentences.split_at(sentences.len() / 2);
        found.issues = first.iter().take(MOST).map(|one| (*one).to_owned()).collect();
        found.suggestions = second.iter().take(MOST).map(|one| (*one).to_owned()).collect();
    }
    Reading::read(found, How::Word)
}

pub(super) fn of_object(object: &Map<String, Value>, whole: &str) -> Option<Critique> {
    let field = |name| {
        object
            .iter()
            .find(|(key, _)| named(key, &PARTS) == Some(name))
            .map(|(_, value)| value)
    };
    let (issues, suggestions, severity) = (field("issues"), field("suggestions"), field("severity"));
    if issues.is_none() && suggestions.is_none() && severity.is_none() {
        let inner: Vec<&Map<String, Value>> = object.values().filter_map(Value::as_object).collect();
        return match inner[..] {
            [one] => of_object(one, whole),
            _ => None,
        };
    }
    let mut reasoning = field("reason")
        .and_then(text_of)
        .unwrap_or_else(|| whole.to_owned());
    Some(Critique {
        issues: issues
            .map(|list| listed(list, &mut reasoning))
            .unwrap_or_default(),
        suggestions: suggestions
            .map(|list| listed(list, &mut reasoning))
            .unwrap_or_default(),
        severity: severity.and_then(text_of).and_then(|said| points(&said)),
        reasoning: cut(&reasoning),
    })
}

/// The texts of a list, of a single text, or of objects with one text. What is no item goes to `aside`.
fn listed(value: &Value, aside: &mut String) -> Vec<String> {
    let list = match value {
        Value::Array(list) => list.as_slice(),
        one => std::slice::from_ref(one),
    };
    let mut found = Vec::new();
    for item in list {
        let text = text_of(item).or_else(|| item.as_object()?.values().find_map(text_of));
        text.into_iter().for_each(|text| add(&mut found, aside, &text));
    }
    found
}

/// Adds an item, unless it says that there is none. What only begins so goes to `aside`, the reasoning.
fn add(items: &mut Vec<String>, aside: &mut String, text: &str) {
    let text = text.trim().trim_matches(['*', '_']).trim();
    let plain = plain(text);
    let said = Language::ALL.map(|language| {
        let words = Words::of(language);
        (words, tokens(&plain, words))
    });
    let is_none = said.iter().any(|(words, tokens)| {
        let words_alone: Vec<Token> = tokens.iter().copied().filter(|token| token.is_word()).collect();
        words.section("none").is_whole(&words_alone)
    });
    if text.is_empty() || is_none {
        return;
    }
    let begins =
        |(words, tokens): &(&Words, Vec<Token>)| words.section("none.begins").at(tokens, 0).is_some();
    if said.iter().any(begins) {
        *aside = format!("{aside}\n{text}").trim().to_owned();
    } else if items.len() < MOST {
        items.push(text.to_owned());
    }
}

/// Headings with lists, or a list alone, whose items are issues; `None` for any other text.
fn of_lines(text: &str) -> Option<Critique> {
    let mut found = Critique::default();
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let (mut part, mut is_structured) = ("", lines.all(|line| item(line).is_some()));
    let mut depth = None;
    for line in text.lines() {
        if let Some((name, value)) = heading(line) {
            (part, depth) = (name, None);
            is_structured |= matches!(name, "issues" | "suggestions" | "severity");
            put(&mut found, part, value);
            continue;
        }
        let indent = line.len() - line.trim_start().len();
        match (item(line), part) {
            (Some(text), "") => put(&mut found, "issues", text),
            (_, "" | "merits") => {}
            (_, "reason") => found.reasoning.push_str(&format!("\n{}", line.trim())),
            // An item within an item is a part of it.
            (Some(_), "issues" | "suggestions") if depth.is_some_and(|depth| indent > depth) => {
                let items = if part == "issues" {
                    &mut found.issues
                } else {
                    &mut found.suggestions
                };
                if let Some(last) = items.last_mut() {
                    last.push(' ');
                    last.push_str(line.trim());
                }
            }
            (Some(text), _) => {
                depth = depth.or(Some(indent));
                put(&mut found, part, text);
            }
            (None, _) if !line.trim().is_empty() => put(&mut found, part, line.trim()),
            _ => {}
        }
    }
    if found.reasoning.trim().is_empty() {
        found.reasoning = text.to_owned();
    }
    found.reasoning = cut(found.reasoning.trim());
    is_structured.then_some(found)
}

/// Puts the value of a part where it belongs: several items may stand in one line.
fn put(found: &mut Critique, part: &str, value: &str) {
    let items = match part {
        "issues" => &mut found.issues,
        "suggestions" => &mut found.suggestions,
        "severity" => {
            found.severity = found.severity.or_else(|| points(value));
            return;
        }
        "reason" => {
            found.reasoning.push_str(value);
            return;
        }
        _ => return,
    };
    let marks: Vec<usize> = value
        .char_indices()
        .map(|(at, _)| at)
        .filter(|at| {
            (*at == 0 || value[..*at].ends_with([' ', ';', '.'])) && numbered(&value[*at..]).is_some()
        })
        .collect();
    if marks.len() < 2 {
        add(items, &mut found.reasoning, value);
        return;
    }
    let ends = marks.iter().skip(1).copied().chain([value.len()]);
    for (from, to) in marks.iter().zip(ends) {
        let text = value.get(*from..to).unwrap_or_default();
        add(
            items,
            &mut found.reasoning,
            numbered(text).unwrap_or(text).trim_end_matches(';'),
        );
    }
}

/// The part that a line begins, and the rest of the line.
fn heading(line: &str) -> Option<(&'static str, &str)> {
    let bare = line.trim().trim_start_matches(|c: char| "*#>_` ".contains(c));
    let bare = numbered(bare).unwrap_or(bare).trim_start_matches(['*', ' ']);
    let end = bare.find([':', '：']);
    let (label, value) = end.map_or((bare, ""), |end| {
        (&bare[..end], bare[end..].trim_start_matches([':', '：']))
    });
    let value = value.trim().trim_matches(['*', '_', '`']).trim();
    Some((named(label.trim_matches(['*', '_', ' ']), &PARTS)?, value))
}

/// The text of an item of a list.
fn item(line: &str) -> Option<&str> {
    let line = line.trim_start();
    line.strip_prefix(['-', '*', '•', '·', '–'])
        .filter(|rest| rest.starts_with(' '))
        .or_else(|| numbered(line))
        .map(str::trim)
}

/// The text behind a number: `1. `, `2) `, `三、`.
fn numbered(text: &str) -> Option<&str> {
    let text = text.trim_start_matches(['(', '（']);
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit() || "一二三四五六七八九十".contains(c));
    let closed = rest.strip_prefix(['.', ')', '）', '、', '．'])?;
    let is_number = rest.len() < text.len() && text.len() - rest.len() <= 6;
    (is_number && (closed.starts_with(' ') || closed.starts_with(|c: char| !c.is_ascii_alphanumeric())))
        .then_some(closed.trim_start())
}

fn cut(text: &str) -> String {
    text.trim().chars().take(MOST_REASONING).collect()
}

/// Sentences, each with the sign that ends it.
pub(crate) fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut from = 0;
    for (at, sign) in text.char_indices() {
        let end = at + sign.len_utf8();
        let next = text.get(end..).and_then(|rest| rest.chars().next());
        let ends = matches!(sign, '。' | '！' | '？' | '\n')
            || matches!(sign, '.' | '!' | '?') && next.is_none_or(char::is_whitespace);
        if ends {
            found.extend(text.get(from..end));
            from = end;
        }
    }
    found.extend(text.get(from..));
    found.retain(|sentence| !sentence.trim().is_empty());
    found
}
