//! Decoder of responses: text pieces while streaming, and the reply or failure at the end. Accepts streams and plain
//! JSON bodies; chunks are decoded by their wire format. Missing data stays missing.

use super::failure::{self, Endpoint};
use super::refusal::{self, Parameter};
use super::scrub;
use super::stream::{Event, SseDecoder};
use super::wire::{self, Sent, present, text_at};
use crate::core::ask::{Failure, Reply, Usage};
use serde_json::Value;
use std::fmt;

/// Maximum bytes of a response.
const MAX_BYTES: usize = 32 << 20;
/// Number of first bytes stored for failures.
const HEAD: usize = 2048;

/// A streamed piece of the answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece(pub String);

/// Incremental decoder of one response with status 200.
#[derive(Debug)]
pub struct Decoder {
    endpoint: Endpoint,
    key: Key,
    shape: Shape,
    /// The first bytes, for the failure's body.
    head: Vec<u8>,
    seen: usize,
    partial: PartialReply,
    /// The end of the answer was received, e.g. `[DONE]`.
    has_ended: bool,
    failure: Option<Failure>,
    /// The error object in the response.
    error: Option<String>,
}

/// The key that was sent, removed from replies and failures. `Debug` hides it.
#[derive(Default)]
struct Key(Option<String>);

impl Key {
    fn remove_from(&self, text: &str) -> String {
        scrub::without(text, self.0.as_deref())
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key")
    }
}

/// The format of the response, by its first byte that is not white space.
#[derive(Debug)]
enum Shape {
    /// Only white space so far.
    Unknown(Vec<u8>),
    /// `{` or `[`: one JSON body, parsed at the end.
    Json(Vec<u8>),
    /// `<`: a web page.
    Html,
    /// One JSON value per line: the current line, and whether there was one before.
    Lines(Vec<u8>, bool),
    /// Anything else: server-sent events.
    Stream(SseDecoder),
}

/// The content of the chunks received so far.
#[derive(Debug, Default)]
pub(super) struct PartialReply {
    /// A choice, candidate or message was received.
    pub(super) has_content: bool,
    pub(super) text: String,
    pub(super) reasoning: String,
    pub(super) refusal: String,
    /// The answer was stopped by a filter or by the model.
    pub(super) is_blocked: bool,
    pub(super) model: Option<String>,
    pub(super) finish: Option<String>,
    /// Input tokens.
    pub(super) input: Option<u64>,
    /// Output tokens, including reasoning.
    pub(super) output: Option<u64>,
    /// Output tokens used for reasoning.
    pub(super) thought: Option<u64>,
    /// Input tokens read from a cache.
    pub(super) cached: Option<u64>,
    /// US dollars.
    pub(super) cost: Option<f64>,
    pub(super) has_ended: bool,
}

impl PartialReply {
    /// Returns the usage if both token counts were received.
    fn usage(&self) -> Option<Usage> {
        let (input, output) = self.input.zip(self.output)?;
        Some(Usage {
            input,
            output,
            reasoning: self.thought,
            cached: self.cached,
            cost: self.cost.filter(|cost| *cost >= 0.0 && cost.is_finite()),
        })
    }
}

impl Decoder {
    #[must_use]
    pub fn new(endpoint: &Endpoint) -> Self {
        Self {
            endpoint: endpoint.clone(),
            key: Key::default(),
            shape: Shape::Unknown(Vec::new()),
            head: Vec::new(),
            seen: 0,
            partial: PartialReply::default(),
            has_ended: false,
            failure: None,
            error: None,
        }
    }

    /// Sets the key to be removed from replies and failures.
    #[must_use]
    pub fn hiding(self, key: Option<&str>) -> Self {
        Self {
            key: Key(key.map(str::to_owned)),
            ..self
        }
    }

    /// Decodes the next bytes and returns the pieces of text in them.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<Piece> {
        if self.is_done() {
            return Vec::new();
        }
        self.seen = self.seen.saturating_add(bytes.len());
        if self.seen > MAX_BYTES {
            self.failure = Some(failure::format(
                "sent an answer that has no end",
                "",
                &self.endpoint,
            ));
            return Vec::new();
        }
        let room = HEAD.saturating_sub(self.head.len()).min(bytes.len());
        self.head.extend_from_slice(&bytes[..room]);
        match &mut self.shape {
            Shape::Unknown(begin) => {
                begin.extend_from_slice(bytes);
                let begin = std::mem::take(begin);
                self.detect_shape(begin)
            }
            Shape::Json(body) => {
                body.extend_from_slice(bytes);
                Vec::new()
            }
            Shape::Html => Vec::new(),
            Shape::Lines(..) => self.push_lines(bytes),
            Shape::Stream(decoder) => {
                let events = decoder.push(bytes);
                self.push_events(events)
            }
        }
    }

    /// Returns whether the result is known, so that reading can stop.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.has_ended || self.failure.is_some()
    }

    /// Ends the response and returns the reply.
    ///
    /// # Errors
    /// Returns `Cut` if the end is missing, `Format` if this is no chat response, `Refused` if the answer is a refusal,
    /// or the failure of an error object in the response.
    pub fn finish(mut self) -> Result<Reply, Failure> {
        self.flush();
        self.into_result()
    }

    /// As [`Decoder::finish`], with the setting that was rejected if that is the reason of the failure. Routers send such
    /// errors with status 200, instead of an answer.
    ///
    /// # Errors
    /// As [`Decoder::finish`].
    pub fn finish_for(mut self, sent: &Sent) -> Result<Reply, (Failure, Option<Parameter>)> {
        self.flush();
        let has_begun = !self.partial.text.is_empty() || !self.partial.reasoning.is_empty();
        let error = self.error.take().filter(|_| !has_begun);
        let rejected = error.and_then(|error| refusal::named_within(&error, sent));
        self.into_result().map_err(|failure| (failure, rejected))
    }

    /// Decodes the buffered bytes.
    fn flush(&mut self) {
        match &mut self.shape {
            Shape::Stream(decoder) => {
                let last = decoder.finish();
                self.push_events(last);
            }
            Shape::Json(body) => {
                let body = std::mem::take(body);
                self.read_json(&body);
            }
            Shape::Lines(line, _) => {
                let line = std::mem::take(line);
                self.read_last_line(&line);
            }
            Shape::Html => self.fail_with(failure::web_page),
            Shape::Unknown(_) => {}
        }
    }

    fn into_result(self) -> Result<Reply, Failure> {
        // Usage is known for some failed calls too.
        let usage = self.partial.usage();
        let with_usage = |failure| Failure { usage, ..failure };
        if let Some(failure) = self.failure {
            return Err(with_usage(failure));
        }
        let partial = self.partial;
        if partial.is_blocked || !partial.refusal.is_empty() {
            let why = if partial.refusal.is_empty() {
                &partial.text
            } else {
                &partial.refusal
            };
            let why = self.key.remove_from(why);
            return Err(with_usage(failure::refused(&why, &self.endpoint)));
        }
        if !self.has_ended && partial.finish.is_none() {
            let head = self.key.remove_from(&String::from_utf8_lossy(&self.head));
            let is_lines = matches!(self.shape, Shape::Lines(..));
            let is_foreign = !partial.has_content && self.seen > 0 && !is_lines && !looks_like_events(&head);
            return Err(if is_foreign {
                failure::format("sent a response that is no chat answer", &head, &self.endpoint)
            } else {
                with_usage(failure::cut(&self.endpoint))
            });
        }
        if !partial.has_content {
            let head = self.key.remove_from(&String::from_utf8_lossy(&self.head));
            return Err(with_usage(failure::format(
                "sent an answer without any choice in it",
                &head,
                &self.endpoint,
            )));
        }
        // An endpoint may echo the key.
        let without_key = |text: Option<String>| text.map(|text| self.key.remove_from(&text));
        Ok(Reply {
            text: self.key.remove_from(&partial.text),
            reasoning: without_key(Some(partial.reasoning).filter(|text| !text.is_empty())),
            model: without_key(partial.model),
            finish: without_key(partial.finish),
            usage,
            ..Reply::default()
        })
    }

    fn detect_shape(&mut self, begin: Vec<u8>) -> Vec<Piece> {
        const MARK: &[u8] = b"\xef\xbb\xbf";
        let content = begin.strip_prefix(MARK).unwrap_or(&begin);
        let first = content.iter().find(|byte| !byte.is_ascii_whitespace());
        let part_of_mark = begin.len() < MARK.len() && MARK.starts_with(&begin);
        match first {
            None => self.shape = Shape::Unknown(begin),
            Some(_) if part_of_mark => self.shape = Shape::Unknown(begin),
            Some(b'{') if wire::is_json_lines(self.endpoint.provider()) => {
                let content = content.to_vec();
                self.shape = Shape::Lines(Vec::new(), false);
                return self.push_lines(&content);
            }
            Some(b'{' | b'[') => self.shape = Shape::Json(content.to_vec()),
            Some(b'<') => self.shape = Shape::Html,
            Some(_) => {
                let mut decoder = SseDecoder::default();
                let events = decoder.push(&begin);
                self.shape = Shape::Stream(decoder);
                return self.push_events(events);
            }
        }
        Vec::new()
    }

    fn push_events(&mut self, events: impl IntoIterator<Item = Event>) -> Vec<Piece> {
        let mut pieces = Vec::new();
        for event in events {
            if self.is_done() {
                break;
            }
            let data = event.data.trim();
            if data == "[DONE]" {
                self.has_ended = true;
                break;
            }
            match serde_json::from_str::<Value>(data) {
                Ok(value) => pieces.extend(self.read_chunk(&value, data)),
                // An incomplete last event means a closed connection, not a wrong format.
                Err(_) if data.is_empty() || !event.complete => {}
                Err(_) => self.fail_not_json(data),
            }
        }
        pieces
    }

    fn push_lines(&mut self, mut bytes: &[u8]) -> Vec<Piece> {
        let mut pieces = Vec::new();
        while let Some(end) = bytes.iter().position(|byte| *byte == b'\n') {
            let (head, rest) = bytes.split_at(end + 1);
            let Shape::Lines(line, any) = &mut self.shape else {
                break;
            };
            line.extend_from_slice(head);
            let line = std::mem::take(line);
            let text = String::from_utf8_lossy(&line);
            let any = std::mem::replace(any, *any || !text.trim().is_empty());
            match serde_json::from_str::<Value>(&text) {
                _ if text.trim().is_empty() => {}
                Ok(value) => pieces.extend(self.read_chunk(&value, &text)),
                // One value over several lines.
                Err(error) if error.is_eof() && !any => {
                    self.shape = Shape::Json([&line, rest].concat());
                    return pieces;
                }
                Err(_) => self.fail_not_json(&text),
            }
            if self.is_done() {
                return pieces;
            }
            bytes = rest;
        }
        if let Shape::Lines(line, _) = &mut self.shape {
            line.extend_from_slice(bytes);
        }
        pieces
    }

    /// Reads the text after the last line break. An incomplete value means a closed connection.
    fn read_last_line(&mut self, line: &[u8]) {
        let text = String::from_utf8_lossy(line);
        if self.is_done() || text.trim().is_empty() {
            return;
        }
        match serde_json::from_str::<Value>(&text) {
            Ok(value) => drop(self.read_chunk(&value, &text)),
            Err(error) if error.is_eof() => {}
            Err(_) => self.fail_not_json(&text),
        }
    }

    fn fail_not_json(&mut self, text: &str) {
        let failure = failure::format(
            "sent something within the answer that is not JSON",
            &self.key.remove_from(text),
            &self.endpoint,
        );
        self.failure = Some(failure);
    }

    fn read_json(&mut self, body: &[u8]) {
        let text = String::from_utf8_lossy(body);
        match serde_json::from_str::<Value>(&text) {
            Ok(value) => {
                self.read_chunk(value.get(0).unwrap_or(&value), &text);
                self.has_ended = true;
            }
            Err(error) if error.is_eof() => self.failure = Some(failure::cut(&self.endpoint)),
            Err(_) => self.fail_with(|head, endpoint| failure::format("sent broken JSON", head, endpoint)),
        }
    }

    fn fail_with(&mut self, failure: impl Fn(&str, &Endpoint) -> Failure) {
        let head = self.key.remove_from(&String::from_utf8_lossy(&self.head));
        self.failure = Some(failure(&head, &self.endpoint));
    }

    fn read_chunk(&mut self, value: &Value, raw: &str) -> Option<Piece> {
        let before = self.partial.text.len();
        let result = if is_error(value) {
            Err(raw.to_owned())
        } else {
            wire::decode(self.endpoint.provider(), &mut self.partial, value)
                .map_err(|error| error.to_string())
        };
        if let Err(error) = result {
            let error = self.key.remove_from(&error);
            let failure = failure::in_band(&error, &self.endpoint);
            // A nested body may contain the key in an escaped form.
            let message = self.key.remove_from(&failure.message);
            self.failure = Some(Failure { message, ..failure });
            self.error = Some(error);
            return None;
        }
        self.has_ended |= self.partial.has_ended;
        let new = self.partial.text.get(before..)?;
        (!new.is_empty()).then(|| Piece(self.key.remove_from(new)))
    }
}

fn is_error(value: &Value) -> bool {
    let is_typed = |key: &str| text_at(value, key) == Some("error");
    let has_detail = || value.get("choices").is_none() && present(value.get("detail")).is_some();
    present(value.get("error")).is_some() || is_typed("object") || is_typed("type") || has_detail()
}

/// Returns whether a text is empty or has at least one line of the event stream format.
fn looks_like_events(head: &str) -> bool {
    let is_field = |line: &str| {
        let line = line.trim_start_matches('\u{feff}');
        ["data", "event", "id", "retry", ""]
            .iter()
            .any(|name| line.strip_prefix(name).is_some_and(|rest| rest.starts_with(':')))
    };
    head.trim().is_empty() || head.split(['\n', '\r']).any(is_field)
}

#[cfg(test)]
mod tests;
