//! Cleans an answer before anything is read in it: one form per character, no mark-up, no thinking
//! aloud. Shared by all readers. It decides nothing about meaning, and numbers stay as they are.

use super::one_form::one_form;

/// Elements whose content is thought, not answer.
const THOUGHT: [&str; 7] = [
    "think",
    "thinking",
    "thought",
    "thoughts",
    "reasoning",
    "reflection",
    "scratchpad",
];

/// The answer in one form per character (NFKC, as far as the three languages go), without `*`, `_` and backtick markers, code fences, tags, zero-width
/// characters and blocks of thinking; line ends are `\n`, the ends are trimmed.
///
/// An underscore inside a word becomes a space. A block of thinking that never ends takes the rest
/// of the text with it. Applying it twice changes nothing more.
pub(crate) fn normalize(text: &str) -> String {
    let unmarked = if text.is_ascii() {
        without_markers(text)
    } else if text.contains(['º', '№']) {
        // One form alone would turn the number sign "nº" into the word "no".
        let spelt = text
            .replace("n.º", "no.")
            .replace("nº", "no.")
            .replace("Nº", "No.")
            .replace('№', "No.");
        without_markers(&one_form(&spelt))
    } else {
        without_markers(&one_form(text))
    };
    let spoken = if unmarked.contains(['<', '[']) {
        without_tags(&unmarked, false)
    } else {
        unmarked
    };
    let spoken = spoken.trim();
    if spoken.is_ascii() {
        spoken.to_owned()
    } else {
        one_form(spoken).trim().to_owned()
    }
}

/// The answer as it was written, without blocks of thinking and control tokens. For readers that keep
/// what was said word for word.
pub(crate) fn without_thought(text: &str) -> String {
    without_tags(text, true)
}

/// One pass: fences, emphasis, invisible characters and line ends.
fn without_markers(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    let mut line_start = true;
    let mut before = None;
    while let Some(character) = rest.next() {
        let was = before.replace(character);
        match character {
            '`' => {
                let mut run = 1;
                while rest.next_if_eq(&'`').is_some() {
                    run += 1;
                }
                if run >= 3 && line_start {
                    while rest
                        .next_if(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '_'))
                        .is_some()
                    {}
                }
            }
            '*' => {}
            '_' => {
                let joins = was.is_some_and(char::is_alphanumeric)
                    && rest.peek().is_some_and(|c| c.is_alphanumeric());
                if joins {
                    out.push(' ');
                }
            }
            '\r' => {
                rest.next_if_eq(&'\n');
                out.push('\n');
                line_start = true;
            }
            '\n' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}' => {
                out.push('\n');
                line_start = true;
            }
            '\t' => out.push(' '),
            '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}' => {}
            '\u{20e3}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' => {}
            _ if character.is_control() => {}
            _ => {
                out.push(character);
                line_start &= character.is_whitespace();
            }
        }
    }
    out
}

/// Drops tags, and with those of thought what stands between them. Tags of other names can be kept.
fn without_tags(text: &str, keep_others: bool) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['<', '[']) {
        let (plain, from) = rest.split_at(at);
        out.push_str(plain);
        let Some(tag) = Tag::at(from) else {
            let (sign, after) = from.split_at(1);
            out.push_str(sign);
            rest = after;
            continue;
        };
        rest = from.get(tag.length..).unwrap_or_default();
        let is_thought = THOUGHT.iter().any(|name| name.eq_ignore_ascii_case(tag.name));
        if keep_others && !is_thought && tag.kind != Kind::Token {
            out.push_str(from.get(..tag.length).unwrap_or_default());
            continue;
        }
        match (tag.kind, is_thought) {
            // What stands before a closing tag without an opening one was thought as well.
            (Kind::Close, true) => out.clear(),
            (Kind::Open, true) => rest = after_thought(rest, tag.name),
            (Kind::Token, _) if tag.name.eq_ignore_ascii_case("channel") => out.clear(),
            _ => {}
        }
        out.push('\n');
    }
    out.push_str(rest);
    out
}

/// What follows the closing tag of that name; nothing when there is none.
fn after_thought<'a>(text: &'a str, name: &str) -> &'a str {
    let mut rest = text;
    while let Some(at) = rest.find(['<', '[']) {
        let from = rest.get(at..).unwrap_or_default();
        match Tag::at(from) {
            Some(tag) if tag.kind == Kind::Close && tag.name.eq_ignore_ascii_case(name) => {
                return from.get(tag.length..).unwrap_or_default();
            }
            _ => rest = from.get(1..).unwrap_or_default(),
        }
    }
    ""
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Open,
    Close,
    /// `<|name|>`, a control token of a chat template.
    Token,
}

struct Tag<'a> {
    kind: Kind,
    name: &'a str,
    length: usize,
}

impl<'a> Tag<'a> {
    /// The tag that the text begins with: `<name>`, `</name>`, `<|name|>`, and `[name]`, `[/name]`
    /// for the names of thought.
    fn at(text: &'a str) -> Option<Self> {
        let square = text.starts_with('[');
        let inside = text.get(1..)?;
        let (kind, inside) = if let Some(closing) = inside.strip_prefix('/') {
            (Kind::Close, closing)
        } else if let Some(token) = inside.strip_prefix('|') {
            (Kind::Token, token)
        } else {
            (Kind::Open, inside)
        };
        let end = inside
            .find(|c: char| !(c.is_ascii_alphanumeric() || c == '-' || (c == ' ' && kind == Kind::Token)))?;
        let (name, after) = inside.split_at(end);
        let closed = match (square, kind) {
            (true, Kind::Token) => return None,
            (true, _) => "]",
            (false, Kind::Token) => "|>",
            (false, _) => ">",
        };
        let known = !square || THOUGHT.iter().any(|thought| thought.eq_ignore_ascii_case(name));
        let valid = name.starts_with(|c: char| c.is_ascii_alphabetic()) && after.starts_with(closed) && known;
        let length = text.len() - after.len() + closed.len();
        valid.then_some(Self { kind, name, length })
    }
}

#[cfg(test)]
mod tests {
    use super::{normalize, without_thought};
    use proptest::prelude::*;

    #[test]
    fn removes_markup() {
        assert_eq!(normalize("  **3** "), "3");
        assert_eq!(normalize("`3`"), "3");
        assert_eq!(normalize("```json\n{\"vote\": 3}\n```"), "{\"vote\": 3}");
        assert_eq!(normalize("__my_vote__: 3"), "my vote: 3");
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
    fn drops_thinking() {
        assert_eq!(normalize("<think>1 or 2?\nHm.</think>\n\n3"), "3");
        assert_eq!(normalize("<Thinking>1</Thinking>2"), "2");
        assert_eq!(normalize("[THINK]1[/THINK]2"), "2");
        assert_eq!(normalize("the prompt opened it: 1</think>2"), "2");
        assert_eq!(normalize("<think>cut off, perhaps 4"), "");
        assert_eq!(normalize("<think><b>1</b> <think>2</think> 3"), "3");
        assert_eq!(
            normalize("<|channel|>analysis<|message|>1 or 2<|end|><|channel|>final<|message|>4"),
            "final\n4"
        );
    }

    #[test]
    fn keeps_the_words_around_thinking() {
        assert_eq!(
            without_thought("<think>1 or 2?</think>**snake_case** in `<b>`"),
            "\n**snake_case** in `<b>`"
        );
        assert_eq!(without_thought("a [3] <-> b"), "a [3] <-> b");
    }

    proptest! {
        #[test]
        fn twice_is_once(text in "\\PC*|([<>/`*_ 1-4\n\r\u{301}\u{338}e＊\\[\\]|]|think|</think>|<think>|```|channel){0,24}") {
            let once = normalize(&text);
            prop_assert_eq!(normalize(&once), once);
        }
    }
}
