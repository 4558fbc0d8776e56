//! What is wrong with a connection, told apart as far as a browser lets it: a word for programs and a
//! sentence for people.

use super::failure::{self, Endpoint, allowing, made_at};
use crate::core::ask::{Failure, FailureKind};
use crate::seat::provider::Provider;

/// What came of a request to the same host that wants no permission and tells nothing else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Probe {
    /// The device is offline.
    Offline,
    /// The page's own security policy forbids the address.
    Blocked,
    /// Somebody answers.
    Answers,
    /// Nobody does.
    Silent,
}

/// A call that got no answer, by what the probe found.
#[must_use]
pub fn unanswered(place: &Endpoint, probe: Probe, key_given: bool) -> (&'static str, String) {
    let hides_keys = matches!(place.provider(), Provider::OpenAi | Provider::OpenAiResponses);
    match probe {
        Probe::Offline => (
            "offline",
            format!("This device is offline, so {place} cannot be reached. Connect and try again."),
        ),
        Probe::Blocked => (
            "blocked",
            format!(
                "The security policy of this page does not list {place}, so the browser does not call it. Add its address \
                 to connect-src, or open a page that allows it."
            ),
        ),
        Probe::Answers if hides_keys && key_given => (
            "key",
            format!(
                "{place} answers, but the browser may not read what it says. With this provider that is what a wrong key \
                 looks like: check the key{} and enter it again.",
                made_at(place)
            ),
        ),
        Probe::Answers => (
            "cors",
            format!(
                "{place} answers, but does not allow calls from this page (CORS).{} Allow this page's address there, or \
                 use another provider.",
                allowing(place.provider())
            ),
        ),
        Probe::Silent if place.is_local() => (
            "network",
            format!(
                "Nobody answers at {place}. Check that the server runs, that the port is right, and that the browser may \
                 use the local network."
            ),
        ),
        Probe::Silent => (
            "network",
            format!("Nobody answers at {place}. Check the address and the connection."),
        ),
    }
}

/// The word for a failure.
#[must_use]
pub fn problem(failure: &Failure) -> &'static str {
    match failure.kind {
        FailureKind::Key => "key",
        FailureKind::Quota => "quota",
        FailureKind::RateLimit => "limit",
        FailureKind::Request if failure::is_about_model(failure) => "model",
        FailureKind::Request => "request",
        FailureKind::Server => "server",
        FailureKind::Unreachable => "network",
        FailureKind::Cut => "timeout",
        FailureKind::Refused => "refused",
        FailureKind::Starved => "request",
        FailureKind::Format | FailureKind::Callback | FailureKind::Unavailable => "format",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn troubles_are_told_apart() {
        let openai = Endpoint::new(None, "https://api.openai.com/v1");
        let ollama = Endpoint::new(None, "http://localhost:11434");
        let other = Endpoint::new(None, "https://h.example/v1");
        for (place, probe, key, problem, part) in [
            (&other, Probe::Offline, true, "offline", "offline"),
            (&other, Probe::Blocked, true, "blocked", "connect-src"),
            (&openai, Probe::Answers, true, "key", "platform.openai.com"),
            (&openai, Probe::Answers, false, "cors", "CORS"),
            (&other, Probe::Answers, true, "cors", "https://h.example answers"),
            (&ollama, Probe::Answers, false, "cors", "OLLAMA_ORIGINS"),
            (&ollama, Probe::Silent, false, "network", "local network"),
            (&other, Probe::Silent, false, "network", "connection"),
        ] {
            let (word, message) = unanswered(place, probe, key);
            assert_eq!(word, problem);
            assert!(message.contains(part), "{message}");
        }
    }

    #[test]
    fn a_model_that_is_not_there() {
        let place = Endpoint::new(None, "https://h.example/v1");
        let of = |status, body| {
            problem(&failure::from_status(&failure::Answer {
                status,
                retry_after_ms: None,
                retry_after: None,
                body,
                place: &place,
                key: None,
            }))
        };
        assert_eq!(of(404, r#"{"error":{"message":"no model x"}}"#), "model");
        assert_eq!(of(404, ""), "request");
        assert_eq!(of(401, ""), "key");
        assert_eq!(of(429, ""), "limit");
    }
}
