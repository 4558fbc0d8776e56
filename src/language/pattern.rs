//! Regular expressions of the code.

use regex::Regex;

/// Compiles a pattern of the code.
///
/// # Panics
///
/// If it is no regular expression: a bug, which the test of its user finds.
#[must_use]
pub fn pattern(text: &str) -> Regex {
    #[allow(clippy::expect_used, reason = "compiled in; tests use every one")]
    Regex::new(text).expect("every pattern is a regular expression")
}
