//! Finds orders of the four principles written as a sequence in one line: `3 > 1 > 2 > 4`,
//! `3, 1, 2, 4`, "the floor, then the average, …". Decides nothing between several orders.

use super::keywords::{Keywords, by_keywords};
use super::labels::{digit, label};
use super::ranking::distinct;
use super::ranking_places::Order;
use super::tokens::fold;
use crate::principle::Principle;

/// Words and signs that put one thing after another.
const THENS: &[&str] = &[
    ", followed by",
    " followed by ",
    ", and then",
    ", then",
    " and then ",
    " then ",
    ", and finally",
    ", finally",
    ", and lastly",
    ", lastly",
    ", and last",
    ", seguido de",
    ", seguida de",
    " seguido de ",
    ", luego",
    " luego ",
    ", despues",
    " despues ",
    " y despues ",
    " y luego ",
    ", y finalmente",
    ", por ultimo",
    " y por ultimo",
    "，然后是",
    "，然后",
    "然后是",
    "然后",
    "，其次是",
    "，其次",
    "其次",
    "，接着",
    "接着",
    "，再",
    "，最后是",
    "，最后",
    "最后",
    "，",
    "、",
    ", and ",
    ", y ",
    ", ",
    "; ",
    "；",
];

/// Orders written as a sequence in one line; in words only on demand.
pub(super) fn sequences(text: &str, words: bool) -> Vec<Order> {
    let mut found = Vec::new();
    let mut at = 0;
    for line in text.split('\n') {
        let order = arrows(line)
            .or_else(|| numbers_in_line(line))
            .or_else(|| if words { listed_words(line) } else { None });
        if let Some(order) = order {
            found.push(Order { at, order });
        }
        at += line.len() + 1;
    }
    found
}

/// `3 > 1 > 2 > 4`, `a → b → c → d`.
fn arrows(line: &str) -> Option<[Principle; 4]> {
    if !line.contains(['>', '→', '≻', '»']) {
        return None;
    }
    let parts: Vec<&str> = line
        .split(['>', '→', '≻', '»'])
        .map(|part| part.trim_end_matches(['-', '=', ' ']))
        .collect();
    let [first, second, third, last] = *parts.as_slice() else {
        return None;
    };
    let first = first.rsplit([':', '：']).next()?;
    let first = if digit(first.trim()).is_some() {
        first
    } else {
        first.rsplit(" is ").next()?
    };
    four([first, second, third, last])
}

fn four(parts: [&str; 4]) -> Option<[Principle; 4]> {
    let order: Option<Vec<Principle>> = parts.iter().map(|part| short_label(part)).collect();
    distinct(order.as_deref()?)
}

/// A label in a sequence: up to the end of the sentence; a sign of equality makes it a tie.
fn short_label(part: &str) -> Option<Principle> {
    let part = part.split(['。', ';', '；', '=']).next()?;
    let part = part.split(". ").next()?.trim().trim_end_matches('.');
    label(
        part.trim_end_matches(|c: char| !c.is_alphanumeric() && c != ')'),
        false,
    )
}

/// Four numbers 1 to 4 and nothing else after a label: `3, 1, 2, 4`, `3-1-2-4`, `3 1 2 4`.
fn numbers_in_line(line: &str) -> Option<[Principle; 4]> {
    let line = line
        .rsplit([':', '：'])
        .next()?
        .trim()
        .trim_end_matches(['.', '。']);
    if !line.starts_with(['1', '2', '3', '4', '[', '(']) || line.len() > 60 {
        return None;
    }
    let mut numbers = Vec::new();
    for word in line
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
    {
        match word.as_bytes() {
            [digit @ b'1'..=b'4'] => numbers.push(digit - b'0'),
            _ if matches!(word, "and" | "then" | "y" | "luego" | "finally" | "然后" | "和") => {}
            _ => return None,
        }
    }
    let spaced = line.contains([',', ' ', '-', '/', '、', ';', '<']) && !line.contains(['<', '+', '*', '=']);
    let order: Option<Vec<Principle>> = numbers.into_iter().map(Principle::from_number).collect();
    spaced.then_some(distinct(order.as_deref()?)?)
}

/// "Floor, then average, …": four parts in a row, and no other part that names a principle.
fn listed_words(line: &str) -> Option<[Principle; 4]> {
    let folded = fold(line);
    for sentence in folded.split(". ").flat_map(|part| part.split('。')) {
        let (label_before, body) = sentence
            .split_once([':', '：'])
            .map_or(("", sentence), |(before, body)| (before, body));
        let then = THENS.iter().take(THENS.len() - 9).any(|word| body.contains(word));
        let named = [
            "rank", "order", "orden", "clasific", "排", "顺序", "prefer", "propos",
        ]
        .iter()
        .any(|word| label_before.contains(word));
        if body.len() > 400 || body.matches([',', '，', '、', ';']).count() > 12 {
            continue;
        }
        let mut parts = vec![body];
        for word in THENS {
            parts = parts.into_iter().flat_map(|part| part.split(word)).collect();
        }
        let parts: Vec<&str> = parts
            .into_iter()
            .filter(|part| part.chars().any(char::is_alphanumeric))
            .collect();
        if parts.len() < 4 || parts.len() > 6 {
            continue;
        }
        let labels: Vec<Keywords> = parts
            .iter()
            .map(|part| short_label(part).map_or_else(|| by_keywords(part), Keywords::One))
            .collect();
        let named_parts: Vec<Principle> = labels
            .iter()
            .filter_map(|found| {
                if let Keywords::One(principle) = found {
                    Some(*principle)
                } else {
                    None
                }
            })
            .collect();
        let clear = !labels.contains(&Keywords::Unclear);
        let plain = parts.len() == 4
            && label_before.is_empty()
            && sentence.trim_matches(['.', ' ']).len() == folded.trim_matches(['.', ' ']).len();
        if clear
            && let Some(order) = distinct(&named_parts)
            && (then || named || (plain && order != Principle::ALL))
        {
            return Some(order);
        }
    }
    None
}
