//! JSON in an answer: where it stands, and which of its fields decides. Linear in the text. Not for forms that were
//! asked for (`structured`).

use super::token::{class, tokens};
use crate::language::Language;
use serde_json::Value;

/// What the objects of an answer say.
pub(super) enum Found<T> {
    /// Nothing that decides.
    None,
    /// One value.
    One(T),
    /// Different ones.
    Several,
}

/// No answer holds more objects than this for a reason, nor more that look like one and are none.
const MOST: usize = 32;

/// The top-level JSON objects in a text, in order. What is no valid JSON is passed over.
pub(super) fn objects(text: &str) -> Vec<Value> {
    placed(text).into_iter().map(|(value, ..)| value).collect()
}

/// The same with where they begin and end.
pub(super) fn placed(text: &str) -> Vec<(Value, usize, usize)> {
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    let (mut in_string, mut escaped) = (false, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' if !open.is_empty() => in_string = !in_string,
            b'{' if !in_string => open.push(at),
            b'}' if !in_string => pairs.extend(open.pop().map(|from| (from, at + 1))),
            _ => {}
        }
    }
    pairs.sort();
    let (mut found, mut after, mut failed) = (Vec::new(), 0, 0);
    for (from, to) in pairs {
        if from < after {
            continue;
        }
        let value = text
            .get(from..to)
            .and_then(|object| serde_json::from_str::<Value>(object).ok());
        match value {
            Some(value) => {
                found.push((value, from, to));
                after = to;
            }
            None => failed += 1,
        }
        if found.len() >= MOST || failed >= MOST {
            break;
        }
    }
    found
}

/// The text without comments, which some models write into JSON.
pub(super) fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let (mut in_string, mut rest) = (false, text);
    while let Some(c) = rest.chars().next() {
        if !in_string && rest.starts_with("//") {
            rest = rest
                .find('\n')
                .and_then(|end| rest.get(end..))
                .unwrap_or_default();
            continue;
        }
        if !in_string && rest.starts_with("/*") {
            rest = rest.split_once("*/").map_or("", |(_, after)| after);
            continue;
        }
        in_string ^= c == '"';
        out.push(c);
        rest = rest.get(c.len_utf8()..).unwrap_or_default();
    }
    out
}

/// Keys whose values are beside the point.
const BESIDE: u64 = class::BECAUSE
    | class::SECOND
    | class::PAST
    | class::CERTAINTY
    | class::RATHER
    | class::CTX
    | class::REJECT
    | class::OTHER
    | class::MAYBE
    | class::FLOOR
    | class::CAP
    | class::RANGE;

/// The one value under a key that names an answer, as `read` understands values.
pub(super) fn decides<T: PartialEq>(
    text: &str,
    language: Language,
    also: u64,
    read: impl Fn(&Value) -> Option<T>,
) -> Found<T> {
    walk(
        text,
        language,
        &|classes, is_only| {
            classes & BESIDE & !also == 0 && (classes & (class::CHOOSE | class::NOUN | also) != 0 || is_only)
        },
        &read,
    )
}

/// The one amount under a key that names one.
pub(super) fn amount<T: PartialEq>(
    text: &str,
    language: Language,
    read: impl Fn(&Value) -> Option<T>,
) -> Found<T> {
    let names = class::CAP | class::FLOOR | class::RANGE | class::MONEY | class::FILLER;
    walk(
        text,
        language,
        &|classes, is_only| {
            classes & (class::BECAUSE | class::CERTAINTY | class::NOUN) == 0
                && (classes & names != 0 || is_only)
        },
        &read,
    )
}

fn walk<T: PartialEq>(
    text: &str,
    language: Language,
    names: &impl Fn(u64, bool) -> bool,
    read: &impl Fn(&Value) -> Option<T>,
) -> Found<T> {
    if !text.contains('{') {
        return Found::None;
    }
    let mut values = objects(text);
    if values.is_empty() {
        values = objects(&without_comments(text));
    }
    let mut found = Vec::new();
    for value in &values {
        collect(value, language, names, read, &mut found);
    }
    let mut found = found.into_iter();
    match found.next() {
        None => Found::None,
        Some(first) if found.all(|other| other == first) => Found::One(first),
        Some(_) => Found::Several,
    }
}

fn collect<T>(
    value: &Value,
    language: Language,
    names: &impl Fn(u64, bool) -> bool,
    read: &impl Fn(&Value) -> Option<T>,
    found: &mut Vec<T>,
) {
    let Value::Object(fields) = value else { return };
    for (key, value) in fields {
        if value.is_object() {
            collect(value, language, names, read, found);
            continue;
        }
        let classes = classes(key, language);
        if names(classes, fields.len() == 1)
            && let Some(value) = read(value)
        {
            found.push(value);
        }
    }
}

/// What the words of a key may be.
pub(super) fn classes(key: &str, language: Language) -> u64 {
    let key = key.replace(['_', '-'], " ").to_lowercase();
    tokens(&key, language)
        .iter()
        .fold(0, |all, token| all | token.classes)
}
