//! Removes everything that looks like a key from text before it is displayed or stored. Prefers removing a
//! harmless identifier to keeping a secret. Words, numbers and model names stay.

use crate::seat::secret::{begins_like_a_key, looks_secret};

/// Replacement of removed text.
const REMOVED: &str = "[removed]";

/// Removes everything that looks like a key, and `key` itself if it has at least eight characters (shorter ones
/// are placeholders that occur as words).
#[must_use]
pub fn scrub(text: &str, key: Option<&str>) -> String {
    let text = without(text, key);
    let mut out = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(start) = rest.find(is_token_char) {
        let (before, from) = rest.split_at(start);
        let (token, after) = from.split_at(from.find(|c| !is_token_char(c)).unwrap_or(from.len()));
        out.push_str(before);
        let is_bearer = ends_with_bearer(&out);
        out.push_str(if is_secret(token, is_bearer) {
            REMOVED
        } else {
            token
        });
        rest = after;
    }
    out.push_str(rest);
    out
}

/// Removes only `key`, if it has at least eight characters.
#[must_use]
pub fn without(text: &str, key: Option<&str>) -> String {
    let known = key.map(str::trim).filter(|key| key.len() >= 8);
    known.map_or_else(|| text.to_owned(), |key| text.replace(key, REMOVED))
}

/// Shortens text to `limit` characters, at least one; the last is `…` if text was cut.
#[must_use]
pub fn shorten(text: &str, limit: usize) -> String {
    if text.chars().nth(limit).is_none() {
        return text.to_owned();
    }
    text.chars().take(limit.saturating_sub(1)).chain(['…']).collect()
}

fn is_token_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/' | '+' | '*')
}

fn ends_with_bearer(text: &str) -> bool {
    let trimmed = text.trim_end_matches([' ', ':', '"', '\'']);
    let tail = trimmed.len().checked_sub(6).and_then(|at| trimmed.get(at..));
    trimmed.len() < text.len() && tail.is_some_and(|tail| tail.eq_ignore_ascii_case("bearer"))
}

fn is_secret(token: &str, is_bearer: bool) -> bool {
    let token = token.trim_matches('.');
    if is_bearer && token.len() >= 8 && !matches!(token, "authentication" | "authorization") {
        return true;
    }
    if token.len() >= 8 && token.split('/').any(begins_like_a_key) {
        return true;
    }
    looks_secret(token)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn keys_are_removed() {
        for (text, expected) in [
            (
                "Incorrect API key provided: sk-ab12****wxyz.",
                "Incorrect API key provided: [removed]",
            ),
            ("key sk-proj-abcdefgh is wrong", "key [removed] is wrong"),
            (
                "Authorization: Bearer abcdefghijkl",
                "Authorization: Bearer [removed]",
            ),
            (
                "authorization: bearer  x1y2z3w4",
                "authorization: bearer  [removed]",
            ),
            ("?key=AIzaSyA-1234567890_abcdefghijklmnopqrs", "?key=[removed]"),
            ("(Zk3vQ9pLx7Tn2bWc8RfYh4JmA6dGsE1u)", "([removed])"),
            ("0123456789abcdef0123456789abcdef", "[removed]"),
            ("aB3dE-fG4hI_jK5lM-nO6pQ_rS7tU", "[removed]"),
            ("gsk_12345678", "[removed]"),
        ] {
            assert_eq!(scrub(text, None), expected, "{text}");
        }
    }

    #[test]
    fn words_are_kept() {
        for text in [
            "The model `meta-llama/Llama-3.3-70B-Instruct-Turbo` does not exist",
            "DeepSeek-R1-Distill-Qwen-32B-Q4_K_M.gguf",
            "https://api.openai.com/v1/chat/completions",
            "context_length_exceeded, invalid_request_error, 2026-11-22T10:00:00",
            "You must provide a Bearer token by Bearer authentication",
            "no key sk- given; task-force, disk-error",
            "选择 1 é",
        ] {
            assert_eq!(scrub(text, None), text);
        }
    }

    #[test]
    fn the_known_key_is_removed() {
        assert_eq!(
            scrub("not correct horse!", Some("correct horse")),
            "not [removed]!"
        );
        assert_eq!(scrub("ollama says no", Some("ollama")), "ollama says no");
    }

    #[test]
    fn shortens_by_characters() {
        assert_eq!(shorten("选择选择", 4), "选择选择");
        assert_eq!(shorten("选择选择选", 4), "选择选…");
        assert_eq!(shorten("", 0), "");
        assert_eq!(shorten("a", 0), "…");
    }

    proptest! {
        #[test]
        fn random_keys_are_removed(before in ".{0,20} ", key in "[A-Za-z][A-Za-z0-9]{15}[0-9][A-Za-z0-9]{15}") {
            let text = format!("{before}{key} x");
            prop_assert!(!scrub(&text, None).contains(&key));
        }

        #[test]
        fn any_text_is_scrubbed(text in ".{0,200}", limit in 1_usize..50) {
            prop_assert!(shorten(&scrub(&text, Some("abcdefgh")), limit).chars().count() <= limit);
        }
    }
}
