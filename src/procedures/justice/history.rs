//! Rules for the length and form of texts: truncating statements, trimming the public history and memories,
//! cleaning them, and validating the length of statements. Lengths are counted in Unicode scalar values; a
//! cut never splits one. The full record is never cut.
//!
//! Source: "discussion round sequence" of the justice experiment (history management, validation, memory
//! update); `trim_tail` is the rule of its published program.

use crate::language::blank::is_blank;
use serde::{Deserialize, Serialize};

/// Returns the first `count` scalar values.
fn head(text: &str, count: usize) -> &str {
    text.char_indices().nth(count).map_or(text, |(at, _)| &text[..at])
}

/// Returns the text without its first `count` scalar values.
fn tail(text: &str, count: usize) -> &str {
    text.char_indices().nth(count).map_or("", |(at, _)| &text[at..])
}

/// Returns the text itself if it has at most `limit` scalar values; otherwise its beginning and `...`,
/// together exactly `limit` long (only dots for a limit below 4).
#[must_use]
pub fn truncate(text: &str, limit: usize) -> String {
    if text.chars().nth(limit).is_none() {
        text.to_owned()
    } else {
        truncate_with_suffix(text, limit, "...")
    }
}

/// Cuts the text to leave room for `suffix` within `target` scalar values and appends the suffix, even if the
/// text would fit. If the suffix alone is too long, returns its beginning.
#[must_use]
pub fn truncate_with_suffix(text: &str, target: usize, suffix: &str) -> String {
    match target.checked_sub(suffix.chars().count()) {
        Some(room) => format!("{}{suffix}", head(text, room)),
        None => head(suffix, target).to_owned(),
    }
}

/// Kind of a line in the public history.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HistoryKind {
    Statement,
    /// A notice, such as the countdown.
    System,
    /// A line about voting.
    Vote,
}

/// A line of the public history.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HistoryEntry {
    /// From 1.
    pub round: u32,
    pub kind: HistoryKind,
    /// `None` for notices.
    pub speaker: Option<String>,
    /// Without emphasis marks.
    pub statement: String,
    /// Unicode scalar values in `statement`.
    pub character_count: usize,
}

impl HistoryEntry {
    /// Creates a statement without emphasis marks.
    #[must_use]
    pub fn statement(round: u32, speaker: &str, text: &str) -> Self {
        Self::new(
            round,
            HistoryKind::Statement,
            Some(speaker.to_owned()),
            strip_emphasis(text),
        )
    }

    /// Creates a notice or a line about voting.
    #[must_use]
    pub fn notice(round: u32, kind: HistoryKind, text: &str) -> Self {
        Self::new(round, kind, None, text.to_owned())
    }

    fn new(round: u32, kind: HistoryKind, speaker: Option<String>, statement: String) -> Self {
        let character_count = statement.chars().count();
        Self {
            round,
            kind,
            speaker,
            statement,
            character_count,
        }
    }
}

/// Drops the oldest statements until the rest has at most `limit` scalar values in total. The newest
/// statement always stays, truncated to `limit` if necessary. Other lines do not count; they are dropped with
/// the last statement of their round. Returns the number of dropped entries.
pub fn trim_history(history: &mut Vec<HistoryEntry>, limit: usize) -> usize {
    let before = history.len();
    let lengths = history
        .iter()
        .enumerate()
        .filter(|(_, entry)| entry.kind == HistoryKind::Statement);
    let mut total = 0_usize;
    let mut first_kept = None;
    let mut dropped = false;
    for (index, entry) in lengths.rev() {
        total = total.saturating_add(entry.character_count);
        if total > limit && first_kept.is_some() {
            dropped = true;
            break;
        }
        first_kept = Some(index);
    }
    let Some(first_kept) = first_kept else {
        return 0;
    };
    let newest = &mut history[first_kept];
    if newest.character_count > limit {
        newest.statement = truncate(&newest.statement, limit);
        newest.character_count = newest.statement.chars().count();
    }
    if dropped {
        let round = newest.round;
        let mut index = 0;
        history.retain(|entry| {
            let keep = index >= first_kept || (entry.kind != HistoryKind::Statement && entry.round >= round);
            index += 1;
            keep
        });
    }
    before - history.len()
}

/// Trims a text by the published program's rule: a text over `limit` scalar values keeps its last `limit * 3
/// / 4` scalar values, cut at any position, after `marker` and a line break. Runs before the next line is
/// appended.
#[must_use]
pub fn trim_tail(text: &str, limit: usize, marker: &str) -> String {
    let length = text.chars().count();
    if length <= limit {
        return text.to_owned();
    }
    let keep = (limit as u128 * 3 / 4) as usize;
    format!("{marker}\n{}", tail(text, length - keep))
}

/// Removes pairs of `**` and of `__` around at least one character, within or across lines.
#[must_use]
pub fn strip_emphasis(text: &str) -> String {
    unpair(&unpair(text, "**"), "__")
}

fn unpair(text: &str, mark: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(mark) {
        let inner_from = after.chars().next().map_or(0, char::len_utf8);
        let Some(close) = after[inner_from..].find(mark) else {
            break;
        };
        let inner = &after[..inner_from + close];
        out.push_str(before);
        out.push_str(inner);
        rest = &after[inner.len() + mark.len()..];
    }
    out.push_str(rest);
    out
}

/// Removes control characters below U+0020 except line feed, carriage return and tab. Never truncates.
#[must_use]
pub fn sanitize_memory(memory: &str) -> String {
    memory
        .chars()
        .filter(|&c| c >= ' ' || matches!(c, '\n' | '\r' | '\t'))
        .collect()
}

/// Drops the oldest half of a memory: returns the text after the first line break at or after the middle, or
/// the second half itself if nothing would be left.
#[must_use]
pub fn halve_memory(memory: &str) -> &str {
    let half = tail(memory, memory.chars().count().div_ceil(2));
    match half.split_once('\n') {
        Some((_, rest)) if !rest.trim().is_empty() => rest,
        _ => half,
    }
}

/// Returns the newest part of a memory that has at most `limit` scalar values, halving as often as needed
/// (see [`halve_memory`]).
#[must_use]
pub fn fit_memory(memory: &str, limit: usize) -> &str {
    let mut memory = memory;
    while memory.chars().nth(limit).is_some() {
        memory = halve_memory(memory);
    }
    memory
}

/// Reason why a statement is invalid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StatementFault {
    /// Fewer than three characters.
    EmptyResponse,
    /// Shorter than the minimum.
    TooShort,
}

/// Checks that the trimmed length of a statement is at least `minimum` scalar values.
///
/// # Errors
/// Returns a [`StatementFault`] if the statement is too short.
pub fn validate_statement(statement: &str, minimum: usize) -> Result<(), StatementFault> {
    match statement.trim().chars().count() {
        _ if is_blank(statement) => Err(StatementFault::EmptyResponse),
        length if length >= minimum && length > 0 => Ok(()),
        0..3 => Err(StatementFault::EmptyResponse),
        _ => Err(StatementFault::TooShort),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn truncation_counts_scalar_values() {
        assert_eq!(truncate("abcdef", 6), "abcdef");
        assert_eq!(truncate("abcdefg", 6), "abc...");
        assert_eq!(truncate("界界界界界", 4), "界...");
        assert_eq!(truncate("é😀é😀é", 4), "é...");
        assert_eq!(
            (truncate("abcd", 3), truncate("abcd", 1), truncate("abcd", 0)),
            ("...".into(), ".".into(), "".into())
        );
    }

    #[test]
    fn a_suffix_is_always_added() {
        assert_eq!(truncate_with_suffix("ab", 9, " [cut]"), "ab [cut]");
        assert_eq!(truncate_with_suffix("abcdefgh", 8, " [cut]"), "ab [cut]");
        assert_eq!(truncate_with_suffix("abcdefgh", 2, " [cut]"), " [");
    }

    fn history(list: &[(u32, &str)]) -> Vec<HistoryEntry> {
        let entry = |&(round, text): &(u32, &str)| match text {
            "vote" => HistoryEntry::notice(round, HistoryKind::Vote, text),
            "note" => HistoryEntry::notice(round, HistoryKind::System, text),
            _ => HistoryEntry::statement(round, "Ada", text),
        };
        list.iter().map(entry).collect()
    }

    fn trimmed(list: &[(u32, &str)], limit: usize) -> Vec<(u32, String)> {
        let mut entries = history(list);
        let dropped = trim_history(&mut entries, limit);
        assert_eq!(dropped + entries.len(), list.len());
        entries
            .into_iter()
            .map(|entry| (entry.round, entry.statement))
            .collect()
    }

    fn owned(list: &[(u32, &str)]) -> Vec<(u32, String)> {
        list.iter()
            .map(|&(round, text)| (round, text.to_owned()))
            .collect()
    }

    #[test]
    fn the_oldest_statements_go_first() {
        let list = [(1, "aaaa"), (1, "bbb"), (2, "cc"), (2, "界")];
        assert_eq!(trimmed(&list, 10), owned(&list));
        assert_eq!(trimmed(&list, 9), owned(&list[1..]));
        assert_eq!(trimmed(&list, 5), owned(&list[2..]));
        assert_eq!(trimmed(&list, 1), owned(&list[3..]));
        assert_eq!(trimmed(&[], 0), []);
    }

    #[test]
    fn the_newest_statement_is_cut_rather_than_dropped() {
        assert_eq!(
            trimmed(&[(1, "aaaa"), (2, "界界界界界界")], 5),
            owned(&[(2, "界界...")])
        );
        let mut entries = history(&[(1, "abcdefgh")]);
        trim_history(&mut entries, 5);
        assert_eq!(entries[0].character_count, 5);
    }

    #[test]
    fn other_lines_are_not_counted_and_go_with_their_round() {
        let list = [
            (1, "note"),
            (1, "aaaa"),
            (1, "vote"),
            (2, "note"),
            (2, "bbbb"),
            (2, "cccc"),
            (2, "vote"),
        ];
        assert_eq!(trimmed(&list, 12), owned(&list));
        assert_eq!(trimmed(&list, 8), owned(&list[3..]));
        assert_eq!(trimmed(&list, 4), owned(&[(2, "note"), (2, "cccc"), (2, "vote")]));
        let notes = [(1, "note"), (1, "vote")];
        assert_eq!(trimmed(&notes, 0), owned(&notes));
    }

    #[test]
    fn the_tail_is_three_quarters_of_the_limit() {
        assert_eq!(trim_tail("abcdefgh", 8, "[…]"), "abcdefgh");
        assert_eq!(trim_tail("abcdefghi", 8, "[…]"), "[…]\ndefghi");
        assert_eq!(trim_tail("界界界é", 3, "-"), "-\n界é");
        assert_eq!(trim_tail("a", 0, "-"), "-\n");
    }

    #[test]
    fn emphasis_marks_go_and_single_ones_stay() {
        for (text, plain) in [
            ("a **b** __c__", "a b c"),
            ("**one\ntwo**", "one\ntwo"),
            ("**a __b__ c**", "a b c"),
            ("*a* _b_ 2 ** 3", "*a* _b_ 2 ** 3"),
            ("****", "****"),
            ("*****", "*"),
            ("**a** ** b", "a ** b"),
            ("**a__", "**a__"),
            ("", ""),
        ] {
            assert_eq!(strip_emphasis(text), plain, "{text}");
        }
    }

    #[test]
    fn memories_lose_control_characters_only() {
        assert_eq!(sanitize_memory("   "), "   ");
        assert_eq!(
            sanitize_memory("a\0b\u{1b}c\n\r\td\u{7f}é\u{85}"),
            "abc\n\r\td\u{7f}é\u{85}"
        );
    }

    #[test]
    fn halving_cuts_after_a_line_break() {
        assert_eq!(halve_memory("first\nsecond\nthird\n"), "third\n");
        assert_eq!(halve_memory("aaaabbbb"), "bbbb");
        assert_eq!(halve_memory("aaaabbb\n"), "bbb\n");
        assert_eq!(halve_memory("界界\n界界"), "界界");
        assert_eq!(halve_memory("a"), "");
        assert_eq!(fit_memory("aa\nbb\ncc\ndd\nee\nff", 5), "ee\nff");
        assert_eq!(fit_memory("abc", 0), "");
    }

    #[test]
    fn statements_are_measured_trimmed() {
        assert_eq!(validate_statement(&format!("  {}\n", "x".repeat(50)), 50), Ok(()));
        assert_eq!(
            validate_statement(&format!(" {} ", "界".repeat(49)), 50),
            Err(StatementFault::TooShort)
        );
        assert_eq!(
            validate_statement(&" ".repeat(60), 50),
            Err(StatementFault::EmptyResponse)
        );
        assert_eq!(validate_statement("ok", 50), Err(StatementFault::EmptyResponse));
        assert_eq!(validate_statement("ok", 2), Ok(()));
        assert_eq!(validate_statement(" ", 0), Err(StatementFault::EmptyResponse));
    }

    proptest! {
        #[test]
        fn truncation_keeps_the_limit_and_the_beginning(text in "[a界é😀\n]{0,60}", limit in 0_usize..70) {
            let cut = truncate(&text, limit);
            let length = text.chars().count();
            prop_assert_eq!(cut.chars().count(), length.min(limit));
            if length <= limit {
                prop_assert_eq!(&cut, &text);
            } else if limit >= 3 {
                let kept = cut.strip_suffix("...").unwrap();
                prop_assert!(text.starts_with(kept));
                prop_assert_eq!(kept.chars().count(), limit - 3);
            }
        }

        #[test]
        fn memories_end_within_the_limit_with_their_newest_part(text in "[a界\n]{0,80}", limit in 0_usize..90) {
            let fit = fit_memory(&text, limit);
            prop_assert!(fit.chars().count() <= limit);
            prop_assert!(text.ends_with(fit));
        }

        #[test]
        fn a_history_fits_and_keeps_its_newest(
            texts in prop::collection::vec("[a界]{0,9}", 1..12), limit in 0_usize..60,
        ) {
            let list: Vec<(u32, &str)> = texts.iter().enumerate().map(|(i, t)| (i as u32 / 3, t.as_str())).collect();
            let got = trimmed(&list, limit);
            prop_assert!(got.iter().map(|(_, text)| text.chars().count()).sum::<usize>() <= limit);
            prop_assert_eq!(&got.last().unwrap().1, &truncate(texts.last().unwrap(), limit));
            if got.len() > 1 {
                prop_assert_eq!(&got[..], &owned(&list)[list.len() - got.len()..]);
            }
        }
    }
}
