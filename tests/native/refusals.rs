//! Refusals as people posted them in public threads: what kind of failure each is, what is left out of the
//! request because of it, whether it is worth another try, and that people are told the reason in the
//! provider's words. What is expected was written from the texts alone.
//!
//! A row of `refusals.json` has the thread, the provider, the status and the body. What a client printed as a
//! dictionary stands as the JSON that it came from, a message alone as text; names of accounts and numbers of
//! requests are shortened; where a thread does not tell the status, it is the one that the provider sends.

use quorate::core::ask::{Failure, FailureKind};
use quorate::providers::failure::{self, Endpoint, ErrorResponse};
use quorate::providers::refusal::{self, Parameter};
use quorate::providers::reply::Decoder;
use quorate::providers::wire::{KeyHeader, Sent};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeSet;

#[derive(Deserialize)]
struct Row {
    source: String,
    provider: String,
    status: u16,
    /// It came within an answer with status 200.
    #[serde(default)]
    stream: bool,
    body: Value,
    expected: Expected,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    kind: FailureKind,
    /// Whether the same call may do better after a wait.
    again: bool,
    /// Name of the setting without which the question is put again at once.
    leaves_out: Option<String>,
    /// What the sentence is about, where the kind leaves it open.
    told: Option<String>,
    /// Words of the provider that the sentence has.
    says: Option<String>,
}

fn rows() -> Vec<Row> {
    serde_json::from_str(include_str!("refusals.json")).unwrap()
}

impl Row {
    fn body(&self) -> String {
        match &self.body {
            Value::String(text) => text.clone(),
            value => value.to_string(),
        }
    }

    fn place(&self) -> Endpoint {
        let named = serde_json::from_value(Value::String(self.provider.clone())).ok();
        Endpoint::new(named, "https://api.example.com/v1/chat/completions")
    }

    fn read(&self) -> (Failure, Option<Parameter>) {
        let (body, place) = (self.body(), self.place());
        if self.stream {
            return streamed(&body, &place);
        }
        let failure = failure::from_status(&ErrorResponse {
            status: self.status,
            retry_after_ms: None,
            retry_after: None,
            body: &body,
            place: &place,
            key: Some("sk-x"),
        });
        (failure, refusal::named(self.status, &body, &sent()))
    }

    /// What is read otherwise than it is meant.
    fn mistakes(&self, (failure, param): (Failure, Option<Parameter>)) -> Vec<String> {
        let expected = &self.expected;
        let message = &failure.message;
        let mut mistakes = Vec::new();
        let mut check = |right: bool, what: String| {
            if !right {
                mistakes.push(what);
            }
        };
        check(failure.kind == expected.kind, format!("kind {:?}", failure.kind));
        check(failure.kind.retryable() == expected.again, "again".to_owned());
        let param = param.map(Parameter::name);
        check(
            param == expected.leaves_out.as_deref(),
            format!("leaves out {param:?}"),
        );
        check(
            failure::is_about_model(&failure) == (expected.told.as_deref() == Some("model")),
            format!("model: {message}"),
        );
        if let Some(told) = &expected.told {
            check(message.contains(phrase(told)), format!("told {told}: {message}"));
        }
        if let Some(says) = &expected.says {
            check(message.contains(says.as_str()), format!("says {says}: {message}"));
        }
        mistakes
    }
}

fn phrase(told: &str) -> &'static str {
    match told {
        "model" => "does not offer this model",
        "length" => "longer than the model",
        "answer" => "answer may be longer",
        "account" => "does not allow this with the API key",
        "key" => "did not accept the API key",
        "content" => "content filter",
        "overloaded" => "is overloaded",
        other => panic!("{other} is no subject"),
    }
}

/// The error in the place of an answer's first words.
fn streamed(body: &str, place: &Endpoint) -> (Failure, Option<Parameter>) {
    let mut decoder = Decoder::new(place);
    let line = body.replace('\n', " ");
    drop(decoder.push(format!("data: {line}\n\n").as_bytes()));
    decoder.finish_for(&sent()).unwrap_err()
}

/// A request that has every setting.
fn sent() -> Sent {
    Sent {
        url: String::new(),
        headers: &[],
        key: KeyHeader::Bearer,
        body: String::new(),
        has: vec![
            Parameter::Temperature,
            Parameter::TopP,
            Parameter::Stop,
            Parameter::Seed,
            Parameter::Effort,
            Parameter::Schema,
            Parameter::System,
            Parameter::StreamOptions,
            Parameter::TokenField,
            Parameter::Stream,
        ],
        left_out: Vec::new(),
        asked_as: None,
        tokens: 1200,
    }
}

#[test]
fn posted_refusals_are_read_as_they_are_meant() {
    let rows = rows();
    let threads: BTreeSet<&str> = rows.iter().map(|row| row.source.as_str()).collect();
    assert!(threads.len() >= 60, "{} threads", threads.len());
    let is_thread = |source: &&&str| {
        let parts: Vec<&str> = source.split('/').collect();
        let number = |part: &&str| part.parse::<u32>().is_ok();
        matches!(parts.as_slice(), ["https:", "", "github.com", _, _, "issues" | "pull", part] if number(part))
    };
    assert_eq!(threads.iter().filter(is_thread).count(), threads.len());
    let mut wrong = Vec::new();
    for row in &rows {
        for mistake in row.mistakes(row.read()) {
            wrong.push(format!(
                "{} ({} {}): {mistake}",
                row.source, row.provider, row.status
            ));
        }
    }
    let misread: BTreeSet<&str> = wrong.iter().filter_map(|line| line.split(' ').next()).collect();
    assert!(
        wrong.is_empty(),
        "{} of {} misread:\n{}",
        misread.len(),
        rows.len(),
        wrong.join("\n")
    );
}

/// Routers answer with status 200 before they know: the same error comes in the place of the first words, by
/// its own number.
#[test]
fn refusals_within_an_answer_are_read_alike() {
    let mut wrong = Vec::new();
    let mut tried = 0;
    for row in rows() {
        let numbered = row.body.pointer("/error/code").is_some_and(Value::is_u64);
        if row.provider == "openrouter" && numbered {
            tried += 1;
            let read = streamed(&row.body(), &row.place());
            wrong.extend(
                row.mistakes(read)
                    .into_iter()
                    .map(|what| format!("{}: {what}", row.source)),
            );
        }
    }
    assert!(tried >= 9, "{tried}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What follows the first words is not taken back: nothing is left out for it.
#[test]
fn nothing_is_left_out_of_an_answer_that_has_begun() {
    let place = Endpoint::new(None, "https://openrouter.ai/api/v1/chat/completions");
    let refusal = r#"{"error":{"code":400,"message":"temperature is not supported"}}"#;
    for (first, param) in [("", Some(Parameter::Temperature)), ("Hel", None)] {
        let mut decoder = Decoder::new(&place);
        let begun = format!("data: {{\"choices\":[{{\"delta\":{{\"content\":\"{first}\"}}}}]}}\n\n");
        drop(decoder.push(format!("{begun}data: {refusal}\n\n").as_bytes()));
        let (failure, refused) = decoder.finish_for(&sent()).unwrap_err();
        assert_eq!(
            (failure.kind, refused),
            (FailureKind::Request, param),
            "{first:?}"
        );
    }
}
