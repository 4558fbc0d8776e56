//! Cleans an answer before anything is read in it: one form per character (NFKC), no mark-up, no thoughts, nothing
//! invisible. It decides nothing about meaning, and numbers stay as they are.

use crate::language::blank::is_invisible;
use crate::language::pattern::pattern;
use crate::thought;
use regex::Regex;
use std::sync::LazyLock;
use unicode_normalization::UnicodeNormalization;

/// Tags such as `<answer>` and `<|end|>`.
static TAG: LazyLock<Regex> = LazyLock::new(|| pattern(r"</?[A-Za-z][A-Za-z0-9-]*>|<\|[^<>|\n]{1,40}\|>"));
static FENCE: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?m)^[^\S\n]*```[\w+-]*"));

/// The answer in one form: NFKC; tags are line ends, `_` is a blank; `*`, backticks and code fences are gone; line ends
/// are `\n`, the ends are trimmed.
pub(crate) fn normalize(text: &str) -> String {
    let mut text = thought::split(text).answer;
    if text.contains(['º', '№']) {
        // NFKC turns the number sign "nº" into the word "no".
        for (sign, spelt) in [("n.º", "no."), ("nº", "no."), ("Nº", "No."), ("№", "No.")] {
            text = text.replace(sign, spelt);
        }
    }
    let text: String = match text.is_ascii() {
        true => text,
        false => text.nfkc().collect(),
    };
    let text = text.replace("\r\n", "\n");
    let text = TAG.replace_all(&text, "\n");
    let text = FENCE.replace_all(&text, "");
    let one = |c: char| match c {
        '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}' => Some('\n'),
        '\t' | '_' => Some(' '),
        '*' | '`' | '\u{20e3}' => None,
        '\n' => Some(c),
        c if c.is_control() || is_invisible(c) => None,
        c => Some(c),
    };
    text.chars().filter_map(one).collect::<String>().trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::normalize;

    #[test]
    fn removes_markup() {
        assert_eq!(normalize("  **3** "), "3");
        assert_eq!(normalize("`3`"), "3");
        assert_eq!(normalize("```json\n{\"vote\": 3}\n```"), "{\"vote\": 3}");
        assert_eq!(normalize("__my_vote__"), "my vote");
        assert_eq!(normalize("<answer>3</answer>"), "3");
        assert_eq!(normalize("3<|im_end|>"), "3");
        assert_eq!(normalize("a\r\nb\rc\u{2028}d"), "a\nb\nc\nd");
    }

    #[test]
    fn keeps_what_only_looks_like_markup() {
        assert_eq!(normalize("floor < 15 and [3]"), "floor < 15 and [3]");
        assert_eq!(normalize("15_000"), "15 000");
        assert_eq!(normalize("range <= 3"), "range <= 3");
        assert_eq!(normalize("<3"), "<3");
    }

    #[test]
    fn one_form_per_character() {
        assert_eq!(normalize("３。（２）"), "3。(2)");
        assert_eq!(normalize("3\u{fe0f}\u{20e3}"), "3");
        assert_eq!(normalize("mi\u{301}nimo\u{200b}"), "mínimo");
        assert_eq!(normalize("①"), "1");
        assert_eq!(normalize("nº 3, № 2"), "no. 3, No. 2");
    }

    #[test]
    fn drops_thoughts() {
        assert_eq!(normalize("<think>1 or 2?\nHm.</think>\n\n3"), "3");
        assert_eq!(normalize("the prompt opened it: 1</think>2"), "2");
        assert_eq!(normalize("<think>cut off, perhaps 4"), "");
    }
}
