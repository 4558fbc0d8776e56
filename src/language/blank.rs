//! Characters that show nothing: blanks, controls, joiners and fillers. A text of nothing else is empty.

/// Returns whether a character is invisible: what Unicode calls default ignorable, line and paragraph separators, and
/// the anchors of annotations.
#[must_use]
pub fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}')
}

/// Returns whether a character alone shows nothing: white space, controls, invisible characters and the empty Braille
/// pattern.
#[must_use]
pub fn is_unseen(c: char) -> bool {
    c.is_whitespace() || c.is_control() || is_invisible(c) || c == '\u{2800}'
}

/// Returns whether a text shows nothing.
#[must_use]
pub fn is_blank(text: &str) -> bool {
    text.chars().all(is_unseen)
}

/// Returns the text without blank ends.
#[must_use]
pub fn trim_unseen(text: &str) -> &str {
    text.trim_matches(is_unseen)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_shows_nothing_is_blank() {
        for text in [
            "",
            " \n\t",
            "\u{200b}",
            "\u{2800}\u{2800}",
            "\u{feff}",
            "\u{3164}",
            "\u{ad}",
            "\u{200d}\u{200c}",
            "\u{2060}\u{180e}",
            "\u{fe0f}",
            "\u{e0020}",
            "\u{3000}",
            "\u{0}",
            "\u{202e}\u{202c}",
        ] {
            assert!(is_blank(text), "{text:?}");
        }
        for text in [
            "a",
            "\u{200b}.",
            "·",
            "—",
            "👍\u{fe0f}",
            "نعم",
            "\u{301}",
            "\u{28ff}",
        ] {
            assert!(!is_blank(text), "{text:?}");
        }
        assert_eq!(trim_unseen("\u{feff} a\u{200b}b \u{2800}"), "a\u{200b}b");
    }
}
