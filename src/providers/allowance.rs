//! Rate-limit headers of a response, where the page may read them. Only an exhausted limit is evaluated.
//! There is no clock here: the caller parses dates.

use super::failure::duration;
use crate::core::ask::Millis;

/// Pairs of headers: remaining calls, and reset time.
const HEADERS: [(&str, &str); 4] = [
    ("x-ratelimit-remaining-requests", "x-ratelimit-reset-requests"),
    (
        "anthropic-ratelimit-requests-remaining",
        "anthropic-ratelimit-requests-reset",
    ),
    ("x-ratelimit-remaining", "x-ratelimit-reset"),
    ("ratelimit-remaining", "ratelimit-reset"),
];
/// A plain number from here on is seconds since the epoch; smaller ones are seconds from now.
const MIN_EPOCH_SECONDS: f64 = 1e9;
/// A plain number from here on is milliseconds since the epoch.
const MIN_EPOCH_MILLIS: f64 = 1e12;

/// Returns the milliseconds until calls are allowed again, or `None` if calls remain or the headers are
/// missing. `header` reads a header, `date` parses a date to milliseconds since the epoch, `now` is in
/// milliseconds since the epoch.
#[must_use]
pub fn used_up(
    header: impl Fn(&str) -> Option<String>,
    date: impl Fn(&str) -> Option<f64>,
    now: f64,
) -> Option<Millis> {
    let (_, reset) = HEADERS
        .iter()
        .find(|(remaining, _)| header(remaining).is_some_and(|count| count.trim() == "0"))?;
    let reset = header(reset)?;
    let reset = reset.trim();
    let until = |moment: f64| {
        let wait = moment - now;
        (wait.is_finite() && wait > 0.0).then_some(wait.ceil() as Millis)
    };
    match reset.parse::<f64>().ok() {
        Some(number) if number >= MIN_EPOCH_MILLIS => until(number),
        Some(number) if number >= MIN_EPOCH_SECONDS => until(number * 1000.0),
        None if reset.contains(':') => until(date(reset)?),
        _ => duration(reset, 1000.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reset_formats() {
        const NOW: f64 = 1_700_000_000_000.0;
        for (left, when, name, reset, wait) in [
            (0, "requests", "x-ratelimit-reset-requests", "6m0s", Some(360_000)),
            (0, "requests", "x-ratelimit-reset-requests", "120ms", Some(120)),
            (
                0,
                "requests",
                "x-ratelimit-reset-requests",
                "2m59.56s",
                Some(179_560),
            ),
            (1, "requests", "x-ratelimit-reset-requests", "6m0s", None),
            (0, "requests", "x-ratelimit-reset", "6m0s", None),
            (0, "", "x-ratelimit-reset", "1700000003000", Some(3_000)),
            (0, "", "x-ratelimit-reset", "1700000003", Some(3_000)),
            (0, "", "x-ratelimit-reset", "1600000003", None),
            (0, "", "x-ratelimit-reset", "7", Some(7_000)),
            (0, "", "x-ratelimit-reset", "soon", None),
            (0, "", "x-ratelimit-reset", "2023-11-14T22:13:25Z", Some(5_000)),
        ] {
            let remaining = if when.is_empty() {
                "x-ratelimit-remaining".to_owned()
            } else {
                format!("x-ratelimit-remaining-{when}")
            };
            let header = |requested: &str| {
                if requested == remaining {
                    return Some(left.to_string());
                }
                (requested == name).then(|| reset.to_owned())
            };
            let date = |_: &str| Some(NOW + 5_000.0);
            assert_eq!(used_up(header, date, NOW), wait, "{reset}");
        }
    }
}
