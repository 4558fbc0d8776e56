//! Letters in lower case. Here and not by `str::to_lowercase`, whose table is 5 kB of the module: the same from 187
//! runs of letters, with one Unicode version whatever the compiler's. Not for showing: a last ς becomes σ as within a
//! word, and the dot of İ goes, so that what is compared has one form.

use std::sync::LazyLock;

/// A run a line: its first and last capital, and the small form of the first; in order. Where that form is the next
/// character, capitals and small letters take turns. Source: Unicode 17.
const LINES: &str = include_str!("lowercase.txt");

static RUNS: LazyLock<Vec<[char; 3]>> = LazyLock::new(|| {
    let run = |line: &str| {
        let mut chars = line.chars();
        Some([chars.next()?, chars.next()?, chars.next()?])
    };
    LINES.lines().filter_map(run).collect()
});

/// The text in lower case.
pub(crate) fn lowercase(text: &str) -> String {
    text.chars().map(letter).collect()
}

/// A character in lower case.
pub(crate) fn letter(c: char) -> char {
    match c {
        '\0'..='\u{7f}' => c.to_ascii_lowercase(),
        // No capitals: Latin letters with accents, Chinese.
        'ß'..='ÿ' | '\u{2d00}'..='\u{a63f}' => c,
        'ς' => 'σ',
        _ => small(c).unwrap_or(c),
    }
}

fn small(c: char) -> Option<char> {
    let after = RUNS.partition_point(|[first, ..]| *first <= c);
    let [first, last, small] = *RUNS.get(after.checked_sub(1)?)?;
    let distance = (small as u32).wrapping_sub(first as u32);
    let is_small = distance == 1 && !(c as u32 - first as u32).is_multiple_of(2);
    if c > last || is_small {
        return None;
    }
    char::from_u32((c as u32).wrapping_add(distance))
}

#[cfg(test)]
mod tests {
    use super::{letter, lowercase};

    #[test]
    fn is_that_of_the_compiler_where_it_has_the_same_version_of_unicode() {
        let differs = |c: &char| *c != 'ς' && Some(letter(*c)) != c.to_lowercase().next();
        // Letters of a later version are not in the table.
        let known = |c: &char| char::UNICODE_VERSION <= (17, 0, 0) || letter(*c) != *c;
        let differing: String = ('\0'..=char::MAX).filter(differs).filter(known).collect();
        assert_eq!(differing, "");
    }

    #[test]
    fn texts_of_several_scripts() {
        assert_eq!(lowercase("¿ÁÉÍÓÚ Ñ? ÀÇÜ ß"), "¿áéíóú ñ? àçü ß");
        assert_eq!(lowercase("原则 3 ＡＢＣ"), "原则 3 ａｂｃ");
        assert_eq!(lowercase("ДЕРЕВО Ѐ ΟΔΌΣ οδός İ"), "дерево ѐ οδόσ οδόσ i");
        assert_eq!(lowercase("ĀāŻŹźŸƎǅ𐐀"), "āāżźźÿǝǆ𐐨");
    }
}
