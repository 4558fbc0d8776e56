//! What looks like a key: wherever a text could hold one by mistake, it is refused or taken out by this
//! measure. Rather takes a harmless identifier for a secret; words, numbers and names of models are none.

/// Beginnings of the keys of well-known providers.
const KEYS: [&str; 13] = [
    "sk-", "sk_", "pk-", "rk-", "gsk_", "xai-", "AIza", "pplx-", "hf_", "ghp_", "nvapi-", "AKIA", "eyJ",
];

/// Whether a word begins as the keys of a well-known provider do.
#[must_use]
pub fn begins_like_a_key(word: &str) -> bool {
    KEYS.iter().any(|start| word.starts_with(start))
}

/// Whether a word looks as if chance had made it: 20 letters and digits mixed, or 40, or many changes between
/// letters and digits or small and capital ones.
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
    word.split(['-', '_', '.', '/']).any(mixed) || word.len() >= 24 && changes(word) >= 6
}

/// How often letters and digits or small and capital letters alternate, beyond what words do.
fn changes(word: &str) -> usize {
    let class = |byte: u8| match byte {
        b'0'..=b'9' => 1,
        b'a'..=b'z' => 2,
        b'A'..=b'Z' => 3,
        _ => 0,
    };
    let odd = |(one, two): (u8, u8)| one != two && one != 0 && two != 0 && (one, two) != (3, 2);
    word.bytes()
        .zip(word.bytes().skip(1))
        .filter(|(a, b)| odd((class(*a), class(*b))))
        .count()
}
