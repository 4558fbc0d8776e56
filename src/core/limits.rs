//! Limits of a run and the retry schedule: pure functions of the seed, the ask and the number of attempts.
//! Waits are durations.

use super::ask::{Failure, Millis, Request};
use super::prices::Prices;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng, SeedableRng};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Attempts in a row at short intervals. Afterwards a fallback model is asked, or retries continue up to
/// [`Limits::retry_for`].
pub const TRIES: u32 = 4;
/// Pause after a timeout (voting detail, timeout and retry strategy).
pub const PAUSE_AFTER_TIMEOUT: Millis = 1_000;
/// Longest wait that a provider may request before a fallback model is asked.
pub const LONGEST_WAIT: Millis = 60_000;
/// Longest wait between two attempts without a provider's request.
pub const LONGEST_PAUSE: Millis = 30_000;
/// Factor by which the maximum answer length grows after reasoning used it up.
pub const ANSWER_GROWTH: u32 = 4;

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Limits {
    /// Maximum calls, excluding people's.
    pub max_calls: Option<u64>,
    /// Maximum tokens of questions and answers together.
    pub max_tokens: Option<u64>,
    /// Maximum cost in the currency of `prices`.
    #[serde(default)]
    pub max_cost: Option<f64>,
    /// Prices of the run's models.
    #[serde(default)]
    pub prices: Prices,
    /// Maximum parallel calls by host, origin or base URL of the endpoint. Default: 1 on this machine, otherwise 4.
    pub calls_at_once: BTreeMap<String, u32>,
    /// Maximum calls per minute by host, origin or base URL of the endpoint. Default: no limit.
    pub calls_per_minute: BTreeMap<String, u32>,
    /// How long transient failures are retried.
    #[serde(default)]
    pub retry_for: Millis,
    #[serde(default)]
    pub on_failure: OnFailure,
}

/// What to do when a seat's calls fail permanently.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OnFailure {
    /// The seat waits for a person. Others continue if the procedure allows it.
    #[default]
    Wait,
    /// The question is left without an answer.
    Skip,
    /// A simulated participant answers in the seat from then on. Its answers are marked.
    StandIn,
    /// The run is stopped.
    End,
}

impl Limits {
    /// Returns the maximum parallel calls to the endpoint.
    #[must_use]
    pub fn at_once(&self, base_url: &str) -> u32 {
        if let Some(limit) = limit_of(&self.calls_at_once, base_url) {
            return limit;
        }
        let origin = origin(base_url);
        let host = origin.split("://").nth(1).unwrap_or(origin);
        let local = ["localhost", "127.", "[::1]", "0.0.0.0"]
            .iter()
            .any(|start| host.starts_with(start));
        if local { 1 } else { 4 }
    }
}

impl Limits {
    /// Returns the maximum calls per minute to the endpoint, if there is a limit.
    #[must_use]
    pub fn per_minute(&self, base_url: &str) -> Option<u32> {
        limit_of(&self.calls_per_minute, base_url)
    }
}

/// Limits of calls that a program sets for its sessions, in place of those of their configurations. They are not recorded.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct CallLimits {
    /// Maximum parallel calls by host, origin or base URL of the endpoint.
    at_once: BTreeMap<String, u32>,
    /// Maximum calls per minute by host, origin or base URL of the endpoint.
    per_minute: BTreeMap<String, u32>,
}

impl CallLimits {
    /// Returns the maximum parallel calls to the endpoint, if it is named.
    #[must_use]
    pub fn at_once(&self, base_url: &str) -> Option<u32> {
        limit_of(&self.at_once, base_url)
    }

    /// Returns the maximum calls per minute to the endpoint, if it is named.
    #[must_use]
    pub fn per_minute(&self, base_url: &str) -> Option<u32> {
        limit_of(&self.per_minute, base_url)
    }
}

/// Returns the limit of the closest place that a URL is at.
fn limit_of(limits: &BTreeMap<String, u32>, base_url: &str) -> Option<u32> {
    let at = limits
        .iter()
        .filter_map(|(place, limit)| Some((closeness(place, base_url)?, *limit)));
    // The lower limit of two that are equally close.
    at.max_by_key(|(closeness, limit)| (*closeness, std::cmp::Reverse(*limit)))
        .map(|(_, limit)| limit)
}

/// Returns whether a URL is at a place: a host, a host with its port, an origin or a base URL.
#[must_use]
pub fn is_at(place: &str, url: &str) -> bool {
    closeness(place, url).is_some()
}

/// Returns how much of the URL's origin a place names, or `None` if the URL is not there.
fn closeness(place: &str, url: &str) -> Option<usize> {
    let (own_scheme, own_name, own_port) = parts(place.trim());
    let (scheme, name, port) = parts(url);
    let usual = |scheme: &str| match scheme {
        "http" => "80".to_owned(),
        _ => "443".to_owned(),
    };
    let port = port.unwrap_or_else(|| usual(&scheme));
    let is_scheme = own_scheme.is_empty() || own_scheme == scheme;
    let own_port = match own_port {
        None if !own_scheme.is_empty() => Some(usual(&own_scheme)),
        given => given,
    };
    let is_port = own_port.as_ref().is_none_or(|own| *own == port);
    let is_there = is_scheme && is_port && !own_name.is_empty() && own_name == name;
    is_there.then(|| usize::from(own_port.is_some()) + usize::from(!own_scheme.is_empty()))
}

/// Splits a URL, or one without its scheme, into scheme, host and port, in lower case; what is missing is empty.
fn parts(url: &str) -> (String, String, Option<String>) {
    let place = origin(url).to_ascii_lowercase();
    let (scheme, host) = place.split_once("://").unwrap_or(("", &place));
    let host = host.rsplit('@').next().unwrap_or_default();
    // The colons of an IPv6 address stand in brackets.
    let (name, port) = match host.rsplit_once(':') {
        Some((name, port)) if !port.contains(']') => (name, Some(port)),
        _ => (host, None),
    };
    let port = port.filter(|port| !port.is_empty()).map(str::to_owned);
    (scheme.to_owned(), name.trim_end_matches('.').to_owned(), port)
}

/// Returns the scheme and host of a URL.
#[must_use]
pub fn origin(url: &str) -> &str {
    let start = url.find("://").map_or(0, |at| at + 3);
    let end = url[start..]
        .find(['/', '?', '#'])
        .map_or(url.len(), |at| start + at);
    &url[..end]
}

/// Whether a URL is on this machine, where models cost nothing.
#[must_use]
pub fn is_local(url: &str) -> bool {
    let origin = origin(url).to_ascii_lowercase();
    let host = origin.split_once("://").map_or(origin.as_str(), |(_, host)| host);
    let name = match host.strip_prefix('[') {
        Some(v6) => v6.split(']').next().unwrap_or(v6),
        None => host.split(':').next().unwrap_or(host),
    };
    let numbers = name.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    matches!(name, "localhost" | "::1" | "0.0.0.0")
        || name.ends_with(".localhost")
        || name.starts_with("127.") && numbers
}

/// Returns the wait in milliseconds before attempt `failures + 1`: the provider's requested wait, or an
/// exponential pause. Returns `None` if the failure is not retryable or the wait is too long.
#[must_use]
pub fn short_retry_wait(
    failure: &Failure,
    failures: u32,
    seed: u32,
    ask: &str,
    attempt: u32,
) -> Option<Millis> {
    if !failure.kind.retryable() || failures >= TRIES {
        return None;
    }
    match failure.retry_after_ms {
        Some(wait) if wait > LONGEST_WAIT => None,
        Some(wait) => Some(wait),
        None => Some(pause(failures, seed, ask, attempt)),
    }
}

/// Returns the wait in milliseconds after the short-interval attempts. Transient failures are retried if
/// the next attempt comes within `patience`; `since` is the time since the first failure. Returns `None` if
/// a person has to act.
#[must_use]
pub fn long_retry_wait(
    failure: &Failure,
    failures: u32,
    (since, patience): (Millis, Millis),
    seed: u32,
    ask: &str,
    attempt: u32,
) -> Option<Millis> {
    let wait = failure
        .retry_after_ms
        .unwrap_or_else(|| pause(failures, seed, ask, attempt));
    let passes = failure.kind.passes() && since.saturating_add(wait) <= patience;
    passes.then_some(wait)
}

/// min(0.5 s · 2ⁿ, 30 s), minus up to a quarter of jitter.
fn pause(failures: u32, seed: u32, ask: &str, attempt: u32) -> Millis {
    let base = (500_u64 << failures.saturating_sub(1).min(6)).min(LONGEST_PAUSE);
    base - jitter(seed, ask, attempt, base / 4)
}

/// Returns a number in 0..=`most` that depends on the arguments alone.
fn jitter(seed: u32, ask: &str, attempt: u32, most: u64) -> u64 {
    let hash = ask.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let mut random = Xoshiro256PlusPlus::seed_from_u64(hash ^ (u64::from(seed) << 32) ^ u64::from(attempt));
    random.next_u64() % (most + 1)
}

/// Returns the time limits of the attempts in milliseconds: each is `factor` times the one before
/// (30/45/67.5 s and 45/67.5/101.25 s by default).
#[must_use]
pub fn time_limits(base_seconds: f64, factor: f64, tries: u32) -> Vec<Millis> {
    let mut limit = base_seconds * 1_000.0;
    let mut limits = Vec::new();
    for _ in 0..tries {
        limits.push(limit as Millis);
        limit *= factor;
    }
    limits
}

/// Estimates the tokens of a text: a quarter of its bytes, and 1.1 for each Chinese character.
#[must_use]
pub fn estimated_tokens(text: &str) -> u64 {
    // Characters from U+3000 on have this first byte or a higher one. Most of a prompt is ASCII and is
    // skipped in chunks.
    let wide_in = |part: &[u8]| part.iter().filter(|byte| **byte >= 0xe3).count() as u64;
    let parts = text.as_bytes().chunks(64).filter(|part| !part.is_ascii());
    let wide: u64 = parts.map(wide_in).sum();
    let other = (text.len() as u64).saturating_sub(wide * 3);
    other.div_ceil(4) + (wide * 11).div_ceil(10)
}

/// Estimates the tokens of a question.
#[must_use]
pub fn estimated_question(request: &Request) -> u64 {
    estimated_tokens(&request.system.get())
        + request
            .messages
            .iter()
            .map(|message| estimated_tokens(&message.content.get()) + 4)
            .sum::<u64>()
        + request
            .schema
            .as_ref()
            .map_or(0, |schema| estimated_tokens(&schema.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::ask::FailureKind;

    fn failure(kind: FailureKind, retry_after_ms: Option<Millis>) -> Failure {
        Failure {
            kind,
            message: String::new(),
            status: None,
            retry_after_ms,
            body: None,
            usage: None,
        }
    }

    #[test]
    fn time_limits_follow_the_seeds_schedule() {
        assert_eq!(time_limits(30.0, 1.5, 3), [30_000, 45_000, 67_500]);
        assert_eq!(time_limits(45.0, 1.5, 3), [45_000, 67_500, 101_250]);
    }

    #[test]
    fn waits_grow_stay_within_jitter_and_end() {
        let server = failure(FailureKind::Server, None);
        for (failures, base) in [(1, 500), (2, 1_000), (3, 2_000)] {
            let wait = short_retry_wait(&server, failures, 7, "a#1", failures).unwrap();
            assert!(wait <= base && wait >= base * 3 / 4, "{failures}: {wait}");
        }
        assert_eq!(short_retry_wait(&server, TRIES, 7, "a#1", 4), None);
        assert_eq!(
            short_retry_wait(&failure(FailureKind::Key, None), 1, 7, "a#1", 1),
            None
        );
        assert_eq!(
            short_retry_wait(&failure(FailureKind::RateLimit, Some(3_000)), 1, 7, "a#1", 1),
            Some(3_000)
        );
        assert_eq!(
            short_retry_wait(&failure(FailureKind::RateLimit, Some(90_000)), 1, 7, "a#1", 1),
            None
        );
    }

    #[test]
    fn origins_and_calls_at_once() {
        assert_eq!(
            origin("https://api.example.org:8443/v1/x?y"),
            "https://api.example.org:8443"
        );
        let limits = Limits {
            calls_at_once: [("https://a.b".to_owned(), 9)].into(),
            ..Limits::default()
        };
        assert_eq!(limits.at_once("https://a.b/v1"), 9);
        assert_eq!(limits.at_once("http://127.0.0.1:8092/v1"), 1);
        assert_eq!(limits.at_once("https://c.d/v1"), 4);
    }

    #[test]
    fn places_are_hosts_origins_and_base_urls() {
        let url = "https://api.example.org/v1";
        for place in [
            "api.example.org",
            "API.example.org",
            " api.example.org ",
            "api.example.org.",
            "api.example.org:443",
            "api.example.org/v1",
            "https://api.example.org",
            "https://api.example.org/",
            "https://api.example.org:443/v1/",
            "https://api.example.org/v1/chat/completions",
        ] {
            assert!(is_at(place, url), "{place}");
        }
        for place in [
            "example.org",
            "http://api.example.org",
            "api.example.org:8443",
            "https://api.example.org:8443",
            "openai",
            "https://",
            "",
        ] {
            assert!(!is_at(place, url), "{place}");
        }
        for (place, url, expected) in [
            ("localhost", "http://localhost:11434/v1", true),
            ("localhost:11434", "http://localhost:11434/v1", true),
            ("localhost:1234", "http://localhost:11434/v1", false),
            ("http://localhost", "http://localhost:11434/v1", false),
            ("[::1]", "http://[::1]:8080/v1", true),
            ("[::1]:8080", "http://[::1]:8080/v1", true),
            ("http://127.0.0.1:80", "http://127.0.0.1/v1", true),
        ] {
            assert_eq!(is_at(place, url), expected, "{place}");
        }
        let limits = Limits {
            calls_at_once: [("a.b".to_owned(), 9), ("a.b:8443".to_owned(), 2)].into(),
            calls_per_minute: [("https://a.b/v1".to_owned(), 7), ("a.b".to_owned(), 8)].into(),
            ..Limits::default()
        };
        assert_eq!(limits.at_once("https://a.b/v1"), 9);
        assert_eq!(limits.at_once("https://a.b:8443/v1"), 2);
        assert_eq!(limits.per_minute("https://a.b/v1"), Some(7));
        assert_eq!(limits.per_minute("https://a.b:8443/v1"), Some(8));
        assert_eq!(limits.per_minute("https://c.d"), None);
    }

    #[test]
    fn tokens_are_estimated_by_script() {
        assert_eq!(estimated_tokens("abcdefgh"), 2);
        assert_eq!(estimated_tokens("最低收入最大化平均收入"), 13);
    }
}
