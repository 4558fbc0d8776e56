//! Failures of calls, each with a message that names the next step. Error bodies are parsed by their shape,
//! never by vendor. Retries are decided elsewhere.

use super::address;
use super::cause::{self, Cause};
use super::error_body::ErrorBody;
use super::scrub::{scrub, shorten};
use super::wire;
use crate::core::ask::{Failure, FailureKind, Millis};
use crate::seat::provider::Provider;
use std::fmt;

/// Characters of a body that are stored.
const BODY_LIMIT: usize = 500;
/// Characters of the provider's message that are quoted.
const QUOTE_LIMIT: usize = 200;
/// Part of every message about an unknown model; see [`is_about_model`].
const NO_MODEL: &str = "does not offer this model";
/// Longer delays are ignored as mistakes.
const LONGEST_WAIT: Millis = 24 * 60 * 60 * 1000;

/// An HTTP error response.
#[derive(Debug, Clone, Copy)]
pub struct ErrorResponse<'a> {
    pub status: u16,
    /// Header `retry-after-ms`, if the page may read it.
    pub retry_after_ms: Option<&'a str>,
    /// Header `retry-after` in seconds, if the page may read it. The caller converts dates to
    /// `retry_after_ms`: there is no clock here.
    pub retry_after: Option<&'a str>,
    pub body: &'a str,
    pub place: &'a Endpoint,
    /// The key that was sent. It is removed from everything that is stored.
    pub key: Option<&'a str>,
}

/// An endpoint as messages name it: provider and origin, without path and query, which may contain secrets.
#[derive(Debug, Clone)]
pub struct Endpoint {
    provider: Provider,
    origin: Option<String>,
}

impl Endpoint {
    /// Creates an endpoint. Without `named`, the provider follows from the URL.
    #[must_use]
    pub fn new(named: Option<Provider>, url: &str) -> Self {
        Self {
            provider: wire::provider(named, url),
            origin: address::origin(url).ok(),
        }
    }

    #[must_use]
    pub fn provider(&self) -> Provider {
        self.provider
    }

    pub(super) fn is_local(&self) -> bool {
        self.origin.as_deref().is_some_and(address::is_local)
    }
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.provider.name(), &self.origin) {
            ("", None) => f.write_str("the endpoint"),
            ("", Some(origin)) => f.write_str(origin),
            (name, None) => f.write_str(name),
            (name, Some(origin)) => write!(f, "{name} ({origin})"),
        }
    }
}

/// What the page knows when a call got no response.
#[derive(Debug, Clone, Copy, Default)]
pub struct NetworkContext {
    /// `navigator.onLine`, if known.
    pub online: Option<bool>,
    /// The page was loaded over https.
    pub secure_page: bool,
    /// A key was sent.
    pub key_given: bool,
}

/// Classifies an HTTP error response.
#[must_use]
pub fn from_status(answer: &ErrorResponse<'_>) -> Failure {
    let error = ErrorBody::parse(answer.body);
    let delay = delay_in_headers(answer).or_else(|| delay_in(answer.body));
    let cause = cause::of(answer.status, &error, delay);
    let kind = cause::kind(answer.status, cause);
    let key_given = answer.key.is_some();
    let message = message(kind, cause, Some(answer.status), answer.place, key_given, delay);
    Failure {
        kind,
        message: with_quote(message, &error, answer.key),
        status: Some(answer.status),
        retry_after_ms: delay,
        body: stored_body(answer.body, answer.key),
        usage: None,
    }
}

/// Classifies an error object within a stream or in a body with status 200.
#[must_use]
pub fn in_band(body: &str, endpoint: &Endpoint) -> Failure {
    let error = ErrorBody::parse(body);
    let delay = delay_in(body);
    let status = cause::status(&error);
    let cause = cause::of(status, &error, delay);
    let kind = cause::kind(status, cause);
    Failure {
        kind,
        message: with_quote(message(kind, cause, None, endpoint, true, delay), &error, None),
        status: None,
        retry_after_ms: delay,
        body: stored_body(body, None),
        usage: None,
    }
}

/// Creates the failure of a call without response. Browsers hide the reason from pages, so the message lists
/// the possible ones.
#[must_use]
pub fn unreachable(endpoint: &Endpoint, network: NetworkContext) -> Failure {
    let message = if endpoint.is_local() {
        let server = cors_hint(endpoint.provider);
        let secure = if network.secure_page {
            " A page that came by https also needs the browser's permission for the local network (Safari refuses); \
             opening this page from http://localhost avoids that."
        } else {
            ""
        };
        format!(
            "No answer from {endpoint}. Check that the server runs at this address and port, and that it allows calls \
             from web pages (CORS).{server}{secure}"
        )
    } else if network.online == Some(false) {
        format!("This device is offline, so {endpoint} cannot be reached. Connect and go on.")
    } else {
        let key = if network.key_given {
            " or, at some providers, a wrong key"
        } else {
            " or a missing key"
        };
        format!(
            "No answer from {endpoint}, and the browser does not report the reason: no connection, a wrong address, a provider that \
             does not allow calls from web pages (CORS), an address that this page's security policy does not list,{key}. \
             Check these and go on."
        )
    };
    without_status(FailureKind::Unreachable, message, None)
}

/// Creates the failure of an HTML response where JSON or a stream was expected.
pub(super) fn web_page(body: &str, endpoint: &Endpoint) -> Failure {
    let message = format!(
        "{endpoint} answered with a web page, so the address is probably wrong. Check the base URL; {}.",
        base_url_hint(endpoint)
    );
    without_status(FailureKind::Format, message, stored_body(body, None))
}

/// Creates the failure of a response that violates the format. `problem` completes the sentence
/// "<endpoint> …".
pub(super) fn format(problem: &str, body: &str, endpoint: &Endpoint) -> Failure {
    let message = format!(
        "{endpoint} {problem}. Try again; if it stays so, check the base URL and which provider's format it speaks."
    );
    without_status(FailureKind::Format, message, stored_body(body, None))
}

/// Creates the failure of a connection that closed before the response was complete.
pub(super) fn cut(endpoint: &Endpoint) -> Failure {
    let message =
        format!("The connection to {endpoint} broke off before the answer was complete. Try again.");
    without_status(FailureKind::Cut, message, None)
}

/// Creates the failure of a refusal by the model or a content filter.
pub(super) fn refused(why: &str, endpoint: &Endpoint) -> Failure {
    let message = format!(
        "The model at {endpoint} refused, or its answer was blocked by a content filter. Reword the prompt or choose another model."
    );
    without_status(FailureKind::Refused, message, stored_body(why, None))
}

fn without_status(kind: FailureKind, message: String, body: Option<String>) -> Failure {
    Failure {
        body,
        ..Failure::new(kind, message)
    }
}

/// Returns how to allow calls from web pages on a local server; empty if unknown.
pub(super) fn cors_hint(provider: Provider) -> &'static str {
    match provider {
        Provider::Ollama => " For Ollama, set OLLAMA_ORIGINS to this page's address and start it again.",
        Provider::LmStudio => " In LM Studio, enable CORS in the server settings.",
        Provider::LlamaCpp => " The llama.cpp server allows them unless its --cors options say otherwise.",
        Provider::Vllm => " For vLLM, set --allowed-origins.",
        _ => "",
    }
}

fn stored_body(body: &str, key: Option<&str>) -> Option<String> {
    let body = body.trim();
    (!body.is_empty()).then(|| shorten(&scrub(body, key), BODY_LIMIT))
}

fn message(
    kind: FailureKind,
    cause: Option<Cause>,
    status: Option<u16>,
    endpoint: &Endpoint,
    key_given: bool,
    delay: Option<Millis>,
) -> String {
    match (kind, status) {
        (FailureKind::Key, _) if cause == Some(Cause::Cors) => format!(
            "{endpoint} does not let pages of this organisation call it. Allow browser requests in the organisation's \
             settings there, or use a key of another organisation."
        ),
        (FailureKind::Key, _) if !key_given => {
            format!(
                "{endpoint} wants an API key and none was given. Enter a key for this address{} and go on.",
                key_page_hint(endpoint)
            )
        }
        (FailureKind::Key, status) if cause == Some(Cause::Account) || status == Some(403) => format!(
            "{endpoint} does not allow this with the API key. Check what the key may do, and whether the model is open \
             to your account and region."
        ),
        (FailureKind::Key, _) => format!(
            "{endpoint} did not accept the API key. Check that it is complete, was made for this address and is not revoked{}, \
             and enter it again.",
            key_page_hint(endpoint)
        ),
        (FailureKind::Quota, _) => {
            format!(
                "The account at {endpoint} has no credit or quota left. Add credit, or use another key or model; waiting does not help."
            )
        }
        (FailureKind::RateLimit, _) => {
            let wait = delay.map_or_else(
                || "Wait a little".to_owned(),
                |ms| format!("Wait {} s", ms.div_ceil(1000)),
            );
            format!(
                "{endpoint} gets too many calls at once. {wait}, or allow fewer calls at once, and go on."
            )
        }
        (FailureKind::Refused, _) => {
            format!(
                "{endpoint} blocked the question or the answer by a content filter. Reword the prompt or choose another model."
            )
        }
        (FailureKind::Server, Some(408)) => format!("{endpoint} took too long (408). Try again."),
        (FailureKind::Server, _) if cause == Some(Cause::Loading) => {
            format!("The server at {endpoint} is still loading its model. Wait until it is ready and go on.")
        }
        (FailureKind::Server, _) if cause == Some(Cause::Overloaded) => {
            format!("{endpoint} is overloaded. Wait a little and go on.")
        }
        (FailureKind::Server, Some(status)) => {
            format!("The server at {endpoint} is in trouble (status {status}). Wait a little and go on.")
        }
        (FailureKind::Server, None) => {
            format!("{endpoint} reported an error while answering. Try again.")
        }
        (FailureKind::Request, Some(300..=399)) => format!(
            "{endpoint} passes the call on to another address, and a key is not sent after it. Enter the final address as \
             base URL."
        ),
        (FailureKind::Request, _) if cause == Some(Cause::TooLong) => format!(
            "The question is longer than the model at {endpoint} can take. Choose a model with a larger context or shorten the memory limit."
        ),
        (FailureKind::Request, _) if cause == Some(Cause::AnswerLength) => format!(
            "The answer may be longer than the model at {endpoint} can write. Set `limits.max_answer_tokens` to a smaller number, or \
             choose another model."
        ),
        (FailureKind::Request, _) if cause == Some(Cause::OtherApi) => {
            let other = match endpoint.provider {
                Provider::OpenAiResponses => "Chat Completions (provider `openai`)",
                _ => "the Responses API (provider `openai_responses`)",
            };
            format!(
                "{endpoint} does not offer this model by the interface that was called. Choose {other} for this seat, or \
                 another model."
            )
        }
        (FailureKind::Request, _) if cause == Some(Cause::Model) => {
            let pull = if endpoint.provider == Provider::Ollama {
                " A model that is not there yet is fetched by `ollama pull`."
            } else {
                ""
            };
            format!("{endpoint} {NO_MODEL}. Check the model's name.{pull}")
        }
        (FailureKind::Request, Some(status @ (404 | 405 | 410))) => {
            format!(
                "There is no chat endpoint at this address of {endpoint} (status {status}). Check the base URL; {}.",
                base_url_hint(endpoint)
            )
        }
        (FailureKind::Request, Some(status)) => {
            format!(
                "{endpoint} rejected the request (status {status}). Check the model's name and the settings of the seat."
            )
        }
        (FailureKind::Request, None) => {
            format!("{endpoint} rejected the request. Check the model's name and the settings of the seat.")
        }
        _ if cause == Some(Cause::Garbled) => {
            format!(
                "The model at {endpoint} gave an answer that the provider itself rejects. Try again, or choose another model."
            )
        }
        _ => format!(
            "{endpoint} answered in a way that is not understood. Check the base URL and which provider's format it speaks."
        ),
    }
}

pub(super) fn key_page_hint(endpoint: &Endpoint) -> String {
    match endpoint.provider.key_page() {
        "" => String::new(),
        page => format!(" (keys are made at {page})"),
    }
}

fn base_url_hint(endpoint: &Endpoint) -> String {
    match endpoint.provider.base_url() {
        "" => "it often ends in /v1".to_owned(),
        url => format!("usually it is {url}"),
    }
}

/// Returns whether a failure is about an unknown model.
#[must_use]
pub fn is_about_model(failure: &Failure) -> bool {
    failure.kind == FailureKind::Request && failure.message.contains(NO_MODEL)
}

fn with_quote(message: String, error: &ErrorBody, key: Option<&str>) -> String {
    let quote = error
        .message
        .as_deref()
        .map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "));
    match quote.filter(|quote| !quote.is_empty()) {
        Some(quote) => format!(
            "{message} It says: “{}”",
            shorten(&scrub(&quote, key), QUOTE_LIMIT)
        ),
        None => message,
    }
}

fn delay_in_headers(answer: &ErrorResponse<'_>) -> Option<Millis> {
    let number = |text: Option<&str>| text.and_then(|text| text.trim().parse::<f64>().ok());
    number(answer.retry_after_ms)
        .or_else(|| number(answer.retry_after).map(|seconds| seconds * 1000.0))
        .and_then(millis)
}

fn millis(value: f64) -> Option<Millis> {
    let usable = value.is_finite() && value >= 0.0 && value <= LONGEST_WAIT as f64;
    usable.then(|| value.ceil() as Millis)
}

/// Returns the delay that an error body names in text (`try again in 1.2s`) or as a field
/// (`"retryDelay": "34s"`, `"retry_after": 20`), in milliseconds.
#[must_use]
pub fn delay_in(body: &str) -> Option<Millis> {
    // The factor to milliseconds of a number without a unit.
    const MARKERS: [(&str, f64); 8] = [
        ("try again in", 1000.0),
        ("retry in", 1000.0),
        ("retrydelay", 1000.0),
        ("retry_after_ms", 1.0),
        ("retry-after-ms", 1.0),
        ("retry after", 1000.0),
        ("retry_after", 1000.0),
        ("retry-after", 1000.0),
    ];
    let body = body.to_ascii_lowercase();
    MARKERS.iter().find_map(|(marker, factor)| {
        body.match_indices(marker).find_map(|(at, found)| {
            let rest = body.get(at + found.len()..)?;
            duration(
                rest.trim_start_matches([' ', '"', '\'', '\\', ':', '=', '`', '*', '\n']),
                *factor,
            )
        })
    })
}

/// Parses `1.2s`, `6m0s`, `350ms`, `20 seconds` or `7` to milliseconds. `default_factor` applies to a number
/// without a unit.
pub(super) fn duration(mut text: &str, default_factor: f64) -> Option<Millis> {
    let mut total = None;
    loop {
        let (number, rest) = text.split_at(
            text.find(|c: char| !c.is_ascii_digit() && c != '.')
                .unwrap_or(text.len()),
        );
        let Some(number) = number.trim_end_matches('.').parse::<f64>().ok() else {
            break;
        };
        let rest = rest.trim_start_matches(' ');
        let (unit, rest) = rest.split_at(
            rest.find(|c: char| !c.is_ascii_alphabetic())
                .unwrap_or(rest.len()),
        );
        let factor = match unit {
            "ms" | "millis" | "millisecond" | "milliseconds" => 1.0,
            "s" | "sec" | "secs" | "second" | "seconds" => 1000.0,
            "m" | "min" | "mins" | "minute" | "minutes" => 60_000.0,
            "h" | "hour" | "hours" => 3_600_000.0,
            _ if total.is_none() => return millis(number * default_factor),
            _ => break,
        };
        total = Some(total.unwrap_or(0.0) + number * factor);
        text = rest;
    }
    total.and_then(millis)
}

#[cfg(test)]
mod tests;
