//! Regular expressions of the code.

use regex::{Regex, RegexSet};

/// Compiles a pattern of the code or of the data compiled in.
///
/// # Panics
///
/// If it is no regular expression: a bug, which the test of its user finds.
#[must_use]
pub fn pattern(text: &str) -> Regex {
    #[allow(clippy::expect_used, reason = "compiled in; tests use every one")]
    Regex::new(text).expect("every pattern is a regular expression")
}

/// Compiles patterns that are looked for together; see [`pattern`].
///
/// # Panics
///
/// As [`pattern`].
#[must_use]
pub fn patterns(texts: impl IntoIterator<Item: AsRef<str>>) -> RegexSet {
    #[allow(clippy::expect_used, reason = "compiled in; tests use every one")]
    RegexSet::new(texts).expect("every pattern is a regular expression")
}
