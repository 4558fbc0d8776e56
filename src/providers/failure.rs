//! What is wrong when a call brings no answer, as one sentence that says what to do next. Error bodies
//! are read by their shape, never by vendor. Decides nothing about trying again.

use super::address;
use super::cause::{self, Cause};
use super::error_body::ErrorBody;
use super::scrub::{scrub, shorten};
use super::wire;
use crate::core::ask::{Failure, FailureKind, Millis};
use crate::seat::provider::Provider;
use std::fmt;

/// Characters of a body that are kept.
const BODY_LIMIT: usize = 500;
/// Characters of the provider's own words within the sentence.
const WORDS_LIMIT: usize = 200;
/// What a sentence about the model's name says.
const NO_MODEL: &str = "does not offer this model";
/// Waits beyond a day are taken for a mistake.
const LONGEST_WAIT: Millis = 24 * 60 * 60 * 1000;

/// An HTTP answer that is not the one hoped for.
#[derive(Debug, Clone, Copy)]
pub struct Answer<'a> {
    /// HTTP status.
    pub status: u16,
    /// Header `retry-after-ms`, where the page may read it.
    pub retry_after_ms: Option<&'a str>,
    /// Header `retry-after` in seconds, where the page may read it; dates are for the caller to turn
    /// into `retry_after_ms`, there is no clock here.
    pub retry_after: Option<&'a str>,
    /// Body as text.
    pub body: &'a str,
    /// What was called.
    pub place: &'a Endpoint,
    /// Key that was sent. It is removed from everything that is kept.
    pub key: Option<&'a str>,
}

/// What is called, as sentences name it: the provider and its origin; nothing of a path or query that may
/// hold secrets.
#[derive(Debug, Clone)]
pub struct Endpoint {
    provider: Provider,
    origin: Option<String>,
}

impl Endpoint {
    /// `named`: the provider that the seat names; else the address tells it.
    #[must_use]
    pub fn new(named: Option<Provider>, url: &str) -> Self {
        Self {
            provider: wire::provider(named, url),
            origin: address::origin(url).ok(),
        }
    }

    /// Whose format is spoken there.
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

/// What the page knows when a call got no answer at all.
#[derive(Debug, Clone, Copy, Default)]
pub struct NetworkContext {
    /// What the browser says about being connected.
    pub online: Option<bool>,
    /// Whether the page itself came by https.
    pub secure_page: bool,
    /// Whether a key was sent.
    pub key_given: bool,
}

/// The failure that an HTTP answer means.
#[must_use]
pub fn from_status(answer: &Answer<'_>) -> Failure {
    let said = ErrorBody::in_body(answer.body);
    let delay = header_delay(answer).or_else(|| delay_in(answer.body));
    let cause = cause::of(answer.status, &said, delay);
    let kind = cause::kind(answer.status, cause);
    let key_given = answer.key.is_some();
    let message = sentence(kind, cause, Some(answer.status), answer.place, key_given, delay);
    Failure {
        kind,
        message: with_words(message, &said, answer.key),
        status: Some(answer.status),
        retry_after_ms: delay,
        body: kept(answer.body, answer.key),
        usage: None,
    }
}

/// The failure that an error object in the middle of a stream, or in a body with status 200, means.
#[must_use]
pub fn in_band(body: &str, place: &Endpoint) -> Failure {
    let said = ErrorBody::in_body(body);
    let delay = delay_in(body);
    let status = cause::status(&said);
    let cause = cause::of(status, &said, delay);
    let kind = cause::kind(status, cause);
    Failure {
        kind,
        message: with_words(sentence(kind, cause, None, place, true, delay), &said, None),
        status: None,
        retry_after_ms: delay,
        body: kept(body, None),
        usage: None,
    }
}

/// No answer at all. Browsers tell pages nothing about the reason, so the sentence lists what it can be.
#[must_use]
pub fn unreachable(place: &Endpoint, surroundings: NetworkContext) -> Failure {
    let message = if place.is_local() {
        let server = allowing(place.provider);
        let secure = if surroundings.secure_page {
            " A page that came by https also needs the browser's permission for the local network (Safari refuses); \
             opening this page from http://localhost avoids that."
        } else {
            ""
        };
        format!(
            "No answer from {place}. Check that the server runs at this address and port, and that it allows calls \
             from web pages (CORS).{server}{secure}"
        )
    } else if surroundings.online == Some(false) {
        format!("This device is offline, so {place} cannot be reached. Connect and go on.")
    } else {
        let key = if surroundings.key_given {
            " or, at some providers, a wrong key"
        } else {
            " or a missing key"
        };
        format!(
            "No answer from {place}, and the browser does not tell why: no connection, a wrong address, a provider that \
             does not allow calls from web pages (CORS), an address that this page's security policy does not list,{key}. \
             Check these and go on."
        )
    };
    plain(FailureKind::Unreachable, message, None)
}

/// A web page where JSON or a stream was expected.
pub(super) fn web_page(body: &str, place: &Endpoint) -> Failure {
    let message = format!(
        "{place} answered with a web page, so the address is probably wrong. Check the base URL; {}.",
        usual(place)
    );
    plain(FailureKind::Format, message, kept(body, None))
}

/// Something that is not what the format says.
pub(super) fn format(what: &str, body: &str, place: &Endpoint) -> Failure {
    let message = format!(
        "{place} {what}. Try again; if it stays so, check the base URL and which provider's format it speaks."
    );
    plain(FailureKind::Format, message, kept(body, None))
}

/// The connection ended in the middle of the answer.
pub(super) fn cut(place: &Endpoint) -> Failure {
    let message = format!("The connection to {place} broke off before the answer was complete. Try again.");
    plain(FailureKind::Cut, message, None)
}

/// The model refused or its answer was blocked.
pub(super) fn refused(why: &str, place: &Endpoint) -> Failure {
    let message = format!(
        "The model at {place} refused, or its answer was blocked by a content filter. Reword the prompt or choose another model."
    );
    plain(FailureKind::Refused, message, kept(why, None))
}

fn plain(kind: FailureKind, message: String, body: Option<String>) -> Failure {
    Failure {
        body,
        ..Failure::new(kind, message)
    }
}

/// How servers on this machine are told to allow calls from web pages.
pub(super) fn allowing(provider: Provider) -> &'static str {
    match provider {
        Provider::Ollama => " For Ollama, set OLLAMA_ORIGINS to this page's address and start it again.",
        Provider::LmStudio => " In LM Studio, enable CORS in the server settings.",
        Provider::LlamaCpp => " The llama.cpp server allows them unless its --cors options say otherwise.",
        Provider::Vllm => " vLLM is told by --allowed-origins.",
        _ => "",
    }
}

fn kept(body: &str, key: Option<&str>) -> Option<String> {
    let body = body.trim();
    (!body.is_empty()).then(|| shorten(&scrub(body, key), BODY_LIMIT))
}

fn sentence(
    kind: FailureKind,
    cause: Option<Cause>,
    status: Option<u16>,
    place: &Endpoint,
    key_given: bool,
    delay: Option<Millis>,
) -> String {
    match (kind, status) {
        (FailureKind::Key, _) if cause == Some(Cause::Cors) => format!(
            "{place} does not let pages of this organisation call it. Allow browser requests in the organisation's \
             settings there, or use a key of another organisation."
        ),
        (FailureKind::Key, _) if !key_given => {
            format!(
                "{place} wants an API key and none was given. Enter a key for this address{} and go on.",
                made_at(place)
            )
        }
        (FailureKind::Key, status) if cause == Some(Cause::Account) || status == Some(403) => format!(
            "{place} does not allow this with the API key. Check what the key may do, and whether the model is open \
             to your account and region."
        ),
        (FailureKind::Key, _) => format!(
            "{place} did not accept the API key. Check that it is complete, was made for this address and is not revoked{}, \
             and enter it again.",
            made_at(place)
        ),
        (FailureKind::Quota, _) => {
            format!(
                "The account at {place} has no credit or quota left. Add credit, or use another key or model; waiting does not help."
            )
        }
        (FailureKind::RateLimit, _) => {
            let wait = delay.map_or_else(
                || "Wait a little".to_owned(),
                |ms| format!("Wait {} s", ms.div_ceil(1000)),
            );
            format!("{place} gets too many calls at once. {wait}, or allow fewer calls at once, and go on.")
        }
        (FailureKind::Refused, _) => {
            format!(
                "{place} blocked the question or the answer by a content filter. Reword the prompt or choose another model."
            )
        }
        (FailureKind::Server, Some(408)) => format!("{place} took too long (408). Try again."),
        (FailureKind::Server, _) if cause == Some(Cause::Loading) => {
            format!("The server at {place} is still loading its model. Wait until it is ready and go on.")
        }
        (FailureKind::Server, _) if cause == Some(Cause::Overloaded) => {
            format!("{place} is overloaded. Wait a little and go on.")
        }
        (FailureKind::Server, Some(status)) => {
            format!("The server at {place} is in trouble (status {status}). Wait a little and go on.")
        }
        (FailureKind::Server, None) => {
            format!("{place} reported an error while answering. Try again.")
        }
        (FailureKind::Request, Some(300..=399)) => format!(
            "{place} passes the call on to another address, and a key is not sent after it. Enter the final address as \
             base URL."
        ),
        (FailureKind::Request, _) if cause == Some(Cause::TooLong) => format!(
            "The question is longer than the model at {place} can take. Choose a model with a larger context or shorten the memory limit."
        ),
        (FailureKind::Request, _) if cause == Some(Cause::Model) => {
            let pull = if place.provider == Provider::Ollama {
                " A model that is not there yet is fetched by `ollama pull`."
            } else {
                ""
            };
            format!("{place} {NO_MODEL}. Check the model's name.{pull}")
        }
        (FailureKind::Request, Some(status @ (404 | 405 | 410))) => {
            format!(
                "There is no chat endpoint at this address of {place} (status {status}). Check the base URL; {}.",
                usual(place)
            )
        }
        (FailureKind::Request, Some(status)) => {
            format!(
                "{place} rejected the request (status {status}). Check the model's name and the settings of the seat."
            )
        }
        (FailureKind::Request, None) => {
            format!("{place} rejected the request. Check the model's name and the settings of the seat.")
        }
        _ if cause == Some(Cause::Garbled) => {
            format!(
                "The model at {place} gave an answer that the provider itself rejects. Try again, or choose another model."
            )
        }
        _ => format!(
            "{place} answered in a way that is not understood. Check the base URL and which provider's format it speaks."
        ),
    }
}

pub(super) fn made_at(place: &Endpoint) -> String {
    match place.provider.key_page() {
        "" => String::new(),
        page => format!(" (keys are made at {page})"),
    }
}

fn usual(place: &Endpoint) -> String {
    match place.provider.base_url() {
        "" => "it often ends in /v1".to_owned(),
        url => format!("usually it is {url}"),
    }
}

/// Whether a failure is about the model's name.
#[must_use]
pub fn is_about_model(failure: &Failure) -> bool {
    failure.kind == FailureKind::Request && failure.message.contains(NO_MODEL)
}

fn with_words(sentence: String, said: &ErrorBody, key: Option<&str>) -> String {
    let words = said
        .message
        .as_deref()
        .map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "));
    match words.filter(|words| !words.is_empty()) {
        Some(words) => format!(
            "{sentence} It says: “{}”",
            shorten(&scrub(&words, key), WORDS_LIMIT)
        ),
        None => sentence,
    }
}

fn header_delay(answer: &Answer<'_>) -> Option<Millis> {
    let number = |text: Option<&str>| text.and_then(|text| text.trim().parse::<f64>().ok());
    number(answer.retry_after_ms)
        .or_else(|| number(answer.retry_after).map(|seconds| seconds * 1000.0))
        .and_then(millis)
}

fn millis(value: f64) -> Option<Millis> {
    let usable = value.is_finite() && value >= 0.0 && value <= LONGEST_WAIT as f64;
    usable.then(|| value.ceil() as Millis)
}

/// A delay that an error body tells in words (`try again in 1.2s`) or as a field
/// (`"retryDelay": "34s"`, `"retry_after": 20`).
#[must_use]
pub fn delay_in(body: &str) -> Option<Millis> {
    // The unit of a number without one, in milliseconds.
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
    MARKERS.iter().find_map(|(marker, bare)| {
        body.match_indices(marker).find_map(|(at, found)| {
            let rest = body.get(at + found.len()..)?;
            duration(
                rest.trim_start_matches([' ', '"', '\'', '\\', ':', '=', '`', '*', '\n']),
                *bare,
            )
        })
    })
}

/// `1.2s`, `6m0s`, `350ms`, `20 seconds`, `7`.
pub(super) fn duration(mut text: &str, bare: f64) -> Option<Millis> {
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
            _ if total.is_none() => return millis(number * bare),
            _ => break,
        };
        total = Some(total.unwrap_or(0.0) + number * factor);
        text = rest;
    }
    total.and_then(millis)
}

#[cfg(test)]
mod tests;
