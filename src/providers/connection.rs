//! Diagnosis of failed connections, within the limits of a browser: a code for programs and a message for
//! people.

use super::failure::{self, Endpoint, cors_hint, key_page_hint};
use crate::core::ask::{Failure, FailureKind};
use crate::seat::provider::Provider;

/// Result of a `no-cors` request to the same host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Probe {
    /// The device is offline.
    Offline,
    /// The page's security policy forbids the address.
    Blocked,
    /// The host answers.
    Answers,
    /// The host does not answer.
    Silent,
}

/// Returns code and message for a call without response, by the result of the probe.
#[must_use]
pub fn unanswered(endpoint: &Endpoint, probe: Probe, key_given: bool) -> (&'static str, String) {
    let hides_keys = matches!(endpoint.provider(), Provider::OpenAi | Provider::OpenAiResponses);
    match probe {
        Probe::Offline => (
            "offline",
            format!("This device is offline, so {endpoint} cannot be reached. Connect and try again."),
        ),
        Probe::Blocked => (
            "blocked",
            format!(
                "The security policy of this page does not list {endpoint}, so the browser does not call it. Add its address \
                 to connect-src, or open a page that allows it."
            ),
        ),
        Probe::Answers if hides_keys && key_given => (
            "key",
            format!(
                "{endpoint} answers, but the browser may not read the response. With this provider the usual reason is a wrong \
                 key: check the key{} and enter it again.",
                key_page_hint(endpoint)
            ),
        ),
        Probe::Answers => (
            "cors",
            format!(
                "{endpoint} answers, but does not allow calls from this page (CORS).{} Allow this page's address there, or \
                 use another provider.",
                cors_hint(endpoint.provider())
            ),
        ),
        Probe::Silent if endpoint.is_local() => (
            "network",
            format!(
                "No answer from {endpoint}. Check that the server runs, that the port is right, and that the browser may \
                 use the local network."
            ),
        ),
        Probe::Silent => (
            "network",
            format!("No answer from {endpoint}. Check the address and the connection."),
        ),
    }
}

/// Returns the code of a failure.
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
    fn problems_are_distinguished() {
        let openai = Endpoint::new(None, "https://api.openai.com/v1");
        let ollama = Endpoint::new(None, "http://localhost:11434");
        let other = Endpoint::new(None, "https://h.example/v1");
        for (endpoint, probe, key, problem, part) in [
            (&other, Probe::Offline, true, "offline", "offline"),
            (&other, Probe::Blocked, true, "blocked", "connect-src"),
            (&openai, Probe::Answers, true, "key", "platform.openai.com"),
            (&openai, Probe::Answers, false, "cors", "CORS"),
            (&other, Probe::Answers, true, "cors", "https://h.example answers"),
            (&ollama, Probe::Answers, false, "cors", "OLLAMA_ORIGINS"),
            (&ollama, Probe::Silent, false, "network", "local network"),
            (&other, Probe::Silent, false, "network", "connection"),
        ] {
            let (code, message) = unanswered(endpoint, probe, key);
            assert_eq!(code, problem);
            assert!(message.contains(part), "{message}");
        }
    }

    #[test]
    fn an_unknown_model_is_recognized() {
        let endpoint = Endpoint::new(None, "https://h.example/v1");
        let code_of = |status, body| {
            problem(&failure::from_status(&failure::ErrorResponse {
                status,
                retry_after_ms: None,
                retry_after: None,
                body,
                place: &endpoint,
                key: None,
            }))
        };
        assert_eq!(code_of(404, r#"{"error":{"message":"no model x"}}"#), "model");
        assert_eq!(code_of(404, ""), "request");
        assert_eq!(code_of(401, ""), "key");
        assert_eq!(code_of(429, ""), "limit");
    }
}
