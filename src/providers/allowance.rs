//! What the headers of an answer say of calls that are left, where a page may read them. Only what is
//! used up counts: how long until there are more. Dates are the caller's to read, there is no clock here.

use super::failure::duration;
use crate::core::ask::Millis;

/// Header of calls left, and of when there are more.
const HEADERS: [(&str, &str); 4] = [
    ("x-ratelimit-remaining-requests", "x-ratelimit-reset-requests"),
    (
        "anthropic-ratelimit-requests-remaining",
        "anthropic-ratelimit-requests-reset",
    ),
    ("x-ratelimit-remaining", "x-ratelimit-reset"),
    ("ratelimit-remaining", "ratelimit-reset"),
];
/// From here on, a plain number is a moment since the epoch, in seconds, and from there in milliseconds.
const MOMENT: f64 = 1e9;
const MOMENT_MS: f64 = 1e12;

/// How long no call is left, in milliseconds; `None`: some are, or it is not told. `header` reads a
/// header, `date` a date as milliseconds since the epoch; `now` is that moment.
#[must_use]
pub fn used_up(
    header: impl Fn(&str) -> Option<String>,
    date: impl Fn(&str) -> Option<f64>,
    now: f64,
) -> Option<Millis> {
    let (_, reset) = HEADERS
        .iter()
        .find(|(left, _)| header(left).is_some_and(|left| left.trim() == "0"))?;
    let reset = header(reset)?;
    let reset = reset.trim();
    let until = |moment: f64| {
        let wait = moment - now;
        (wait.is_finite() && wait > 0.0).then_some(wait.ceil() as Millis)
    };
    match reset.parse::<f64>().ok() {
        Some(number) if number >= MOMENT_MS => until(number),
        Some(number) if number >= MOMENT => until(number * 1000.0),
        None if reset.contains(':') => until(date(reset)?),
        _ => duration(reset, 1000.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_to_tell_when_there_are_more() {
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
            let header = |asked: &str| {
                if asked == remaining {
                    return Some(left.to_string());
                }
                (asked == name).then(|| reset.to_owned())
            };
            let date = |_: &str| Some(NOW + 5_000.0);
            assert_eq!(used_up(header, date, NOW), wait, "{reset}");
        }
    }
}
