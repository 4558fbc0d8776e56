//! Removes everything that looks like a key from text before it is displayed or stored. Prefers removing a
//! harmless identifier to keeping a secret. Words, numbers and model names stay.

use crate::seat::secret::{begins_like_a_key, looks_secret};
use base64::Engine;
use base64::prelude::{BASE64_STANDARD_NO_PAD, BASE64_URL_SAFE_NO_PAD};

/// Replacement of removed text.
const REMOVED: &str = "[removed]";

/// Length from which a key cannot be an ordinary word.
const SURE: usize = 8;
/// Length from which a key is removed wherever it stands alone. A shorter one is a letter or two that many texts have.
const SHORT: usize = 4;
/// Length from which a part of Base64 cannot be part of a word.
const SURE_ENCODED: usize = 5;
/// What people enter where a server wants any key.
const PLACEHOLDERS: [&str; 14] = [
    "ollama", "lmstudio", "llama", "vllm", "openai", "none", "null", "empty", "test", "dummy", "fake",
    "local", "key", "nokey",
];

/// Removes everything that looks like a key, and `key` itself, see [`without`].
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

/// Removes only `key`, as it is and in Base64. A short key may be an ordinary word or number: one of fewer than eight
/// characters is removed where it stands alone; a number, a placeholder such as `none`, and one of fewer than four
/// characters only where the text says that it is a key.
#[must_use]
pub fn without(text: &str, key: Option<&str>) -> String {
    let Some(key) = key.map(str::trim).filter(|key| !key.is_empty()) else {
        return text.to_owned();
    };
    let plain = if key.len() >= SURE {
        text.replace(key, REMOVED)
    } else {
        without_short(text, key)
    };
    if key.len() >= SHORT {
        without_encoded(&plain, key)
    } else {
        plain
    }
}

fn without_short(text: &str, key: &str) -> String {
    let is_number = key.bytes().all(|byte| byte.is_ascii_digit());
    let is_ordinary =
        key.len() < SHORT || is_number || PLACEHOLDERS.iter().any(|word| word.eq_ignore_ascii_case(key));
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(key) {
        let (before, from) = rest.split_at(at);
        let after = &from[key.len()..];
        out.push_str(before);
        let is_in_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        let is_alone = !is_in_word(out.chars().next_back()) && !is_in_word(after.chars().next());
        let is_key = is_alone && (!is_ordinary || is_named_key(&out));
        out.push_str(if is_key { REMOVED } else { key });
        rest = after;
    }
    out.push_str(rest);
    out
}

/// Returns whether a text ends with words that announce a key, such as `API key: "`.
fn is_named_key(before: &str) -> bool {
    let said = before.trim_end_matches([' ', ':', '=', '"', '\'', '`', '“', '(']);
    let said = said.to_ascii_lowercase();
    said.len() < before.len()
        && ["key", "keys", "bearer", "token", "provided", "authorization"]
            .iter()
            .any(|word| said.ends_with(word))
}

/// Removes every word in which the key is encoded as Base64, alone or within a longer text.
fn without_encoded(text: &str, key: &str) -> String {
    let encoded = encodings(key);
    if !encoded.iter().any(|part| text.contains(part.as_str())) {
        return text.to_owned();
    }
    let is_encoded_char = |c: char| c.is_ascii_alphanumeric() || "+/-_=".contains(c);
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(is_encoded_char) {
        let (before, from) = rest.split_at(start);
        let (word, after) = from.split_at(from.find(|c| !is_encoded_char(c)).unwrap_or(from.len()));
        out.push_str(before);
        let has_key = encoded.iter().any(|part| word.contains(part.as_str()));
        out.push_str(if has_key { REMOVED } else { word });
        rest = after;
    }
    out.push_str(rest);
    out
}

/// Returns the characters of Base64 that depend on the key alone: where it begins at a multiple of three bytes, one after it
/// and two after it; in the usual alphabet and in the one for URLs.
fn encodings(key: &str) -> Vec<String> {
    let mut all = Vec::new();
    for offset in 0..3 {
        let bytes = [&[0; 2][..offset], key.as_bytes()].concat();
        // Six bits a character; the first and last ones may share theirs with neighbours.
        let own = (offset * 8).div_ceil(6)..bytes.len() * 8 / 6;
        for alphabet in [BASE64_STANDARD_NO_PAD, BASE64_URL_SAFE_NO_PAD] {
            all.push(alphabet.encode(&bytes)[own.clone()].to_owned());
        }
    }
    all.retain(|part| part.len() >= SURE_ENCODED);
    all
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
    fn short_keys_are_removed_where_they_stand_alone() {
        for (key, text, expected) in [
            ("s3cret", "Tea, says s3cret.", "Tea, says [removed]."),
            ("sesame", "\"sesame\" is wrong", "\"[removed]\" is wrong"),
            ("ab-1", "key=ab-1&x", "key=[removed]&x"),
            ("sesame", "sesames and Sesame stay", "sesames and Sesame stay"),
            ("1500", "I choose 1500.", "I choose 1500."),
            (
                "1500",
                "Incorrect API key provided: 1500.",
                "Incorrect API key provided: [removed].",
            ),
            ("a", "a key is a key: 'a'", "a key is a key: '[removed]'"),
            ("none", "none of us", "none of us"),
            ("none", "Bearer none", "Bearer [removed]"),
            ("", "as it is", "as it is"),
        ] {
            assert_eq!(without(text, Some(key)), expected, "{key}: {text}");
        }
    }

    #[test]
    fn keys_in_base64_are_removed() {
        // Each key alone, after one and two other bytes, and as the password of basic authentication.
        for (key, encoded) in [
            ("class-of-2026", "Y2xhc3Mtb2YtMjAyNg=="),
            ("class-of-2026", "Y2xhc3Mtb2YtMjAyNg"),
            ("class-of-2026", "OmNsYXNzLW9mLTIwMjY="),
            ("class-of-2026", "dXNlcjpjbGFzcy1vZi0yMDI2"),
            ("class-of-2026", "QmVhcmVyIGNsYXNzLW9mLTIwMjY="),
            ("s3cret", "czNjcmV0"),
            ("s3cret", "QmVhcmVyIHMzY3JldA=="),
            ("k?~>k?~>", "az9+Pms/fj4="),
            ("k?~>k?~>", "az9-Pms_fj4"),
        ] {
            assert_eq!(
                without(&format!("It is {encoded}, no?"), Some(key)),
                "It is [removed], no?",
                "{key}"
            );
        }
        assert_eq!(
            without("Y2xhc3M= is another", Some("class-of-2026")),
            "Y2xhc3M= is another"
        );
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
