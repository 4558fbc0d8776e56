//! Detection of keys, for refusing or removing them wherever a text may contain one by mistake. Prefers
//! false positives on harmless identifiers. Words, numbers and model names do not match.

/// Prefixes of well-known providers' keys.
const KEYS: [&str; 13] = [
    "sk-", "sk_", "pk-", "rk-", "gsk_", "xai-", "AIza", "pplx-", "hf_", "ghp_", "nvapi-", "AKIA", "eyJ",
];

/// Whether a word has the prefix of a well-known provider's keys.
#[must_use]
pub fn begins_like_a_key(word: &str) -> bool {
    KEYS.iter().any(|start| word.starts_with(start))
}

/// Whether a word looks random: a part of 20 characters with letters and digits, a part of 40, or many
/// alternations between letters and digits or lower and upper case.
#[must_use]
pub fn looks_secret(word: &str) -> bool {
    if word.len() < 20 {
        return false;
    }
    let mixed = |part: &str| {
        part.len() >= 40
            || part.len() >= 20
                && part.contains(|c: char| c.is_ascii_alphabetic())
                && part.contains(|c: char| c.is_ascii_digit())
    };
    word.split(['-', '_', '.', '/']).any(mixed) || word.len() >= 24 && alternations(word) >= 6
}

/// Counts alternations between letters and digits or lower and upper case, except those of capitalized
/// words.
fn alternations(word: &str) -> usize {
    let class = |byte: u8| match byte {
        b'0'..=b'9' => 1,
        b'a'..=b'z' => 2,
        b'A'..=b'Z' => 3,
        _ => 0,
    };
    let is_alternation = |(one, two): (u8, u8)| one != two && one != 0 && two != 0 && (one, two) != (3, 2);
    word.bytes()
        .zip(word.bytes().skip(1))
        .filter(|(a, b)| is_alternation((class(*a), class(*b))))
        .count()
}
