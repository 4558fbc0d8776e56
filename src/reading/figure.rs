//! Shares and points in digits: `0.8`, `80%`, `7/10`.

use super::text::plain;
use super::words::Words;
use crate::language::Language;

/// What a figure is a part of.
#[derive(Clone, Copy)]
enum Scale {
    Plain,
    Percent,
    Of(f64),
}

/// The only figure of a text. Words before it, or another figure, leave none.
fn figure(text: &str) -> Option<(f64, Scale)> {
    let text = plain(text);
    let start = text.find(|c: char| c.is_ascii_digit() || c == '.')?;
    let (before, from) = text.split_at(start);
    // "High (8/10)"
    let is_aside = before.trim_end().ends_with('(') && from.contains('/');
    if !is_aside && !is_filling(before.trim_end_matches(['~', '≈', '(', '[', ':', ' '])) {
        return None;
    }
    let (value, rest) = leading(from)?;
    let rest = rest.trim_start();
    let after = |marks: &[&str]| {
        marks
            .iter()
            .find_map(|mark| rest.strip_prefix(mark))
            .map(str::trim_start)
    };
    let (scale, rest) = if let Some(rest) = after(&["%", "percent", "per cent", "por ciento"]) {
        (Scale::Percent, rest)
    } else if let Some((whole, rest)) = after(&["/", "out of ", "sobre ", "de "]).and_then(leading) {
        (Scale::Of(whole), rest)
    } else {
        (Scale::Plain, rest)
    };
    let aside = rest.split(['(', '（']).next().unwrap_or(rest);
    let is_clear = !aside.contains(|c: char| c.is_ascii_digit()) && !rest.starts_with(['-', '+']);
    (is_clear && !matches!(scale, Scale::Of(whole) if whole <= 0.0)).then_some((value, scale))
}

fn is_filling(before: &str) -> bool {
    let of = |language: &Language| {
        let words = Words::of(*language);
        let tokens = super::text::tokens(before, words);
        words.section("figure").is_whole(&tokens)
    };
    before.trim().is_empty() || Language::ALL.iter().any(of)
}

/// The number that a text begins with, and what follows it.
fn leading(text: &str) -> Option<(f64, &str)> {
    let is_part = |(at, c): (usize, char)| {
        !(c.is_ascii_digit()
            || matches!(c, '.' | ',') && text[at + 1..].starts_with(|c: char| c.is_ascii_digit()))
    };
    let end = text
        .char_indices()
        .find(|one| is_part(*one))
        .map_or(text.len(), |(end, _)| end);
    let (number, rest) = text.split_at(end);
    Some((number.replace(',', ".").parse().ok()?, rest))
}

/// A confidence 0 to 1: `0.8`, `80%`, `8/10`, and `85`, which can only be of a hundred. A little above 1 counts as 1; from
/// 2 to 10 could be of ten or of a hundred, and is none.
pub(super) fn share(text: &str) -> Option<f64> {
    let share = match figure(text)? {
        (value, Scale::Plain) if value < 2.0 => value,
        (value, Scale::Plain | Scale::Percent) if value > 10.0 && value <= 100.0 => value / 100.0,
        (_, Scale::Plain) => return None,
        (value, Scale::Percent) => value / 100.0,
        (value, Scale::Of(whole)) => value / whole,
    };
    Some(share.clamp(0.0, 1.0))
}

/// Points 0 to 10: `7`, `7.5/10`, `70%`, `0.7`. Above 10 counts as 10.
pub(super) fn points(text: &str) -> Option<f64> {
    let points = match figure(text)? {
        (value, Scale::Plain) if value > 0.0 && value < 1.0 => value * 10.0,
        (value, Scale::Plain) => value,
        (value, Scale::Percent) => value / 10.0,
        (value, Scale::Of(whole)) => value / whole * 10.0,
    };
    Some(points.clamp(0.0, 10.0))
}
