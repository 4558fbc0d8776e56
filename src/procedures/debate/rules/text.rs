//! Characters, lengths and pieces of texts in languages with and without spaces between words.

/// Returns whether a character is Chinese (including Japanese kanji).
pub(super) fn is_han(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{323af}')
}

/// Returns whether a character is Japanese kana.
pub(super) fn is_kana(c: char) -> bool {
    matches!(c, '\u{3041}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}')
}

/// Returns whether a character is a letter, a digit or an underscore.
pub(super) fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

pub(super) fn is_stop(c: char) -> bool {
    matches!(c, '.' | '!' | '?') || is_wide_stop(c)
}

pub(super) fn is_wide_stop(c: char) -> bool {
    matches!(c, '。' | '！' | '？')
}

/// Returns a length that is comparable between scripts: a Chinese character counts as three letters.
pub(super) fn width(text: &str) -> usize {
    text.chars().map(|c| if is_han(c) { 3 } else { 1 }).sum()
}

/// Estimates the number of words: words between spaces, and one per two Chinese characters.
pub(super) fn word_count(text: &str) -> usize {
    let han = text.chars().filter(|c| is_han(*c)).count();
    let words = text.split(|c: char| c.is_whitespace() || is_han(c));
    words.filter(|word| !word.is_empty()).count() + han.div_ceil(2)
}

/// Splits at `.`, `!`, `?` and their Chinese forms, and trims the pieces. Decimal points split, too.
pub(super) fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let pieces = text.split(is_stop).filter(|piece| !piece.is_empty());
    pieces.map(str::trim)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_pieces() {
        let text = "It is 3.5 s. Why?  好。不好！ x";
        assert_eq!(
            pieces(text).collect::<Vec<_>>(),
            ["It is 3", "5 s", "Why", "好", "不好", "x"]
        );
        assert_eq!(word_count(text), 4 + 2 + 4);
        assert_eq!(width("好 x"), 5);
    }
}
