//! From the bytes of an answer to the reply: pieces of text while they come, at the end the whole or
//! what was wrong. Takes a stream and a plain JSON body alike; what a chunk says is its format's to know.
//! Nothing that is missing is filled in.

use super::failure::{self, Endpoint};
use super::refusal::{self, Parameter};
use super::scrub;
use super::stream::{Event, SseDecoder};
use super::wire::{self, Sent, present, text_at};
use crate::core::ask::{Failure, Reply, Usage};
use serde_json::Value;
use std::fmt;

/// Bytes of an answer at most; beyond that something else is wrong than the answer's length.
const LIMIT: usize = 32 << 20;
/// Bytes kept of what could not be understood.
const HEAD: usize = 2048;

/// A piece of the answer's text, as it came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece(pub String);

/// Takes the bytes of one answer (status 200), in any pieces.
#[derive(Debug)]
pub struct Decoder {
    place: Endpoint,
    key: Key,
    shape: Shape,
    /// The first bytes, for the failure's body.
    head: Vec<u8>,
    seen: usize,
    gathered: PartialReply,
    /// `[DONE]` came.
    ended: bool,
    failure: Option<Failure>,
    /// The error object that came in the answer's place.
    refusal: Option<String>,
}

/// The key that was sent, to keep it out of what is told. It cannot be printed.
#[derive(Default)]
struct Key(Option<String>);

impl Key {
    fn hidden_in(&self, text: &str) -> String {
        scrub::without(text, self.0.as_deref())
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key")
    }
}

/// What the first byte that is not white space tells.
#[derive(Debug)]
enum Shape {
    /// Nothing but white space yet.
    Unknown(Vec<u8>),
    /// `{` or `[`: one JSON body, read at the end.
    Json(Vec<u8>),
    /// `<`: a web page.
    Html,
    /// A JSON value a line: the line so far, and whether there was one.
    Lines(Vec<u8>, bool),
    /// Anything else: server-sent events.
    Stream(SseDecoder),
}

/// What the chunks have said so far.
#[derive(Debug, Default)]
pub(super) struct PartialReply {
    /// There was a choice, candidate or message.
    pub(super) any: bool,
    pub(super) text: String,
    pub(super) reasoning: String,
    pub(super) refusal: String,
    /// A filter or the model itself stopped the answer.
    pub(super) blocked: bool,
    pub(super) model: Option<String>,
    pub(super) finish: Option<String>,
    /// Tokens of the question.
    pub(super) input: Option<u64>,
    /// Tokens of the answer, thoughts and all.
    pub(super) output: Option<u64>,
    /// Those of the answer that were thoughts.
    pub(super) thought: Option<u64>,
    /// Those of the question that came out of a cache.
    pub(super) cached: Option<u64>,
    /// Money, in US dollars.
    pub(super) cost: Option<f64>,
    /// Nothing more is to come.
    pub(super) ended: bool,
}

impl PartialReply {
    /// Tokens and money, where both counts of tokens were told.
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
    /// `place`: whose format it is, and for sentences about it.
    #[must_use]
    pub fn new(place: &Endpoint) -> Self {
        Self {
            place: place.clone(),
            key: Key::default(),
            shape: Shape::Unknown(Vec::new()),
            head: Vec::new(),
            seen: 0,
            gathered: PartialReply::default(),
            ended: false,
            failure: None,
            refusal: None,
        }
    }

    /// With the key that is sent, to be removed from the answer and from whatever is told of a failure.
    #[must_use]
    pub fn hiding(self, key: Option<&str>) -> Self {
        Self {
            key: Key(key.map(str::to_owned)),
            ..self
        }
    }

    /// Takes the next bytes and gives the pieces of text in them.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<Piece> {
        if self.is_done() {
            return Vec::new();
        }
        self.seen = self.seen.saturating_add(bytes.len());
        if self.seen > LIMIT {
            self.failure = Some(failure::format("sent an answer that has no end", "", &self.place));
            return Vec::new();
        }
        let room = HEAD.saturating_sub(self.head.len()).min(bytes.len());
        self.head.extend_from_slice(&bytes[..room]);
        match &mut self.shape {
            Shape::Unknown(begin) => {
                begin.extend_from_slice(bytes);
                let begin = std::mem::take(begin);
                self.begin(begin)
            }
            Shape::Json(body) => {
                body.extend_from_slice(bytes);
                Vec::new()
            }
            Shape::Html => Vec::new(),
            Shape::Lines(..) => self.lines(bytes),
            Shape::Stream(decoder) => {
                let events = decoder.push(bytes);
                self.events(events)
            }
        }
    }

    /// Whether all is known already, so that nothing more needs to be read.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.ended || self.failure.is_some()
    }

    /// The bytes are over, or the connection broke: the reply, or why there is none.
    ///
    /// # Errors
    /// `Cut` where the end is missing; `Format` for what is no chat answer; `Refused`; and whatever
    /// an error object within the answer says.
    pub fn finish(mut self) -> Result<Reply, Failure> {
        self.close();
        self.outcome()
    }

    /// As [`Decoder::finish`], with the setting of the request that was refused, where that is why there is
    /// no answer. Routers send such refusals with status 200, in the place of the first words.
    ///
    /// # Errors
    /// As [`Decoder::finish`].
    pub fn finish_for(mut self, sent: &Sent) -> Result<Reply, (Failure, Option<Parameter>)> {
        self.close();
        let begun = !self.gathered.text.is_empty() || !self.gathered.reasoning.is_empty();
        let error = self.refusal.take().filter(|_| !begun);
        let refused = error.and_then(|error| refusal::named_within(&error, sent));
        self.outcome().map_err(|failure| (failure, refused))
    }

    /// Takes what is left.
    fn close(&mut self) {
        match &mut self.shape {
            Shape::Stream(decoder) => {
                let last = decoder.finish();
                self.events(last);
            }
            Shape::Json(body) => {
                let body = std::mem::take(body);
                self.json(&body);
            }
            Shape::Lines(line, _) => {
                let line = std::mem::take(line);
                self.last_line(&line);
            }
            Shape::Html => self.fail_with(failure::web_page),
            Shape::Unknown(_) => {}
        }
    }

    fn outcome(self) -> Result<Reply, Failure> {
        // What was told of a broken answer counts too.
        let usage = self.gathered.usage();
        let counted = |failure| Failure { usage, ..failure };
        if let Some(failure) = self.failure {
            return Err(counted(failure));
        }
        let gathered = self.gathered;
        if gathered.blocked || !gathered.refusal.is_empty() {
            let why = if gathered.refusal.is_empty() {
                &gathered.text
            } else {
                &gathered.refusal
            };
            let why = self.key.hidden_in(why);
            return Err(counted(failure::refused(&why, &self.place)));
        }
        if !self.ended && gathered.finish.is_none() {
            let head = self.key.hidden_in(&String::from_utf8_lossy(&self.head));
            let is_lines = matches!(self.shape, Shape::Lines(..));
            let alien = !gathered.any && self.seen > 0 && !is_lines && !looks_like_events(&head);
            return Err(if alien {
                failure::format(
                    "answered with something that is no chat answer",
                    &head,
                    &self.place,
                )
            } else {
                counted(failure::cut(&self.place))
            });
        }
        if !gathered.any {
            let head = self.key.hidden_in(&String::from_utf8_lossy(&self.head));
            return Err(counted(failure::format(
                "sent an answer without any choice in it",
                &head,
                &self.place,
            )));
        }
        // An endpoint may send back what it was sent.
        let hidden = |text: Option<String>| text.map(|text| self.key.hidden_in(&text));
        Ok(Reply {
            text: self.key.hidden_in(&gathered.text),
            reasoning: hidden(Some(gathered.reasoning).filter(|text| !text.is_empty())),
            model: hidden(gathered.model),
            finish: hidden(gathered.finish),
            usage,
            ..Reply::default()
        })
    }

    fn begin(&mut self, begin: Vec<u8>) -> Vec<Piece> {
        const MARK: &[u8] = b"\xef\xbb\xbf";
        let content = begin.strip_prefix(MARK).unwrap_or(&begin);
        let first = content.iter().find(|byte| !byte.is_ascii_whitespace());
        let part_of_mark = begin.len() < MARK.len() && MARK.starts_with(&begin);
        match first {
            None => self.shape = Shape::Unknown(begin),
            Some(_) if part_of_mark => self.shape = Shape::Unknown(begin),
            Some(b'{') if wire::is_lines(self.place.provider()) => {
                let content = content.to_vec();
                self.shape = Shape::Lines(Vec::new(), false);
                return self.lines(&content);
            }
            Some(b'{' | b'[') => self.shape = Shape::Json(content.to_vec()),
            Some(b'<') => self.shape = Shape::Html,
            Some(_) => {
                let mut decoder = SseDecoder::default();
                let events = decoder.push(&begin);
                self.shape = Shape::Stream(decoder);
                return self.events(events);
            }
        }
        Vec::new()
    }

    fn events(&mut self, events: impl IntoIterator<Item = Event>) -> Vec<Piece> {
        let mut pieces = Vec::new();
        for event in events {
            if self.is_done() {
                break;
            }
            let data = event.data.trim();
            if data == "[DONE]" {
                self.ended = true;
                break;
            }
            match serde_json::from_str::<Value>(data) {
                Ok(value) => pieces.extend(self.chunk(&value, data)),
                // Half an event at the very end is a connection that broke off, not a wrong format.
                Err(_) if data.is_empty() || !event.complete => {}
                Err(_) => self.not_json(data),
            }
        }
        pieces
    }

    fn lines(&mut self, mut bytes: &[u8]) -> Vec<Piece> {
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
                Ok(value) => pieces.extend(self.chunk(&value, &text)),
                // One value over several lines.
                Err(error) if error.is_eof() && !any => {
                    self.shape = Shape::Json([&line, rest].concat());
                    return pieces;
                }
                Err(_) => self.not_json(&text),
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

    /// What stands behind the last line break: half a value means that the connection broke off.
    fn last_line(&mut self, line: &[u8]) {
        let text = String::from_utf8_lossy(line);
        if self.is_done() || text.trim().is_empty() {
            return;
        }
        match serde_json::from_str::<Value>(&text) {
            Ok(value) => drop(self.chunk(&value, &text)),
            Err(error) if error.is_eof() => {}
            Err(_) => self.not_json(&text),
        }
    }

    fn not_json(&mut self, what: &str) {
        let failure = failure::format(
            "sent something within the answer that is not JSON",
            &self.key.hidden_in(what),
            &self.place,
        );
        self.failure = Some(failure);
    }

    fn json(&mut self, body: &[u8]) {
        let text = String::from_utf8_lossy(body);
        match serde_json::from_str::<Value>(&text) {
            Ok(value) => {
                self.chunk(value.get(0).unwrap_or(&value), &text);
                self.ended = true;
            }
            Err(error) if error.is_eof() => self.failure = Some(failure::cut(&self.place)),
            Err(_) => self.fail_with(|head, place| failure::format("sent broken JSON", head, place)),
        }
    }

    fn fail_with(&mut self, failure: impl Fn(&str, &Endpoint) -> Failure) {
        let head = self.key.hidden_in(&String::from_utf8_lossy(&self.head));
        self.failure = Some(failure(&head, &self.place));
    }

    fn chunk(&mut self, value: &Value, raw: &str) -> Option<Piece> {
        let before = self.gathered.text.len();
        let taken = if is_error(value) {
            Err(raw.to_owned())
        } else {
            wire::take(self.place.provider(), &mut self.gathered, value).map_err(|error| error.to_string())
        };
        if let Err(error) = taken {
            let error = self.key.hidden_in(&error);
            let failure = failure::in_band(&error, &self.place);
            // A body within a body may have hidden it from the first look.
            let message = self.key.hidden_in(&failure.message);
            self.failure = Some(Failure { message, ..failure });
            self.refusal = Some(error);
            return None;
        }
        self.ended |= self.gathered.ended;
        let new = self.gathered.text.get(before..)?;
        (!new.is_empty()).then(|| Piece(self.key.hidden_in(new)))
    }
}

fn is_error(value: &Value) -> bool {
    let named = |key: &str| text_at(value, key) == Some("error");
    let other = || value.get("choices").is_none() && present(value.get("detail")).is_some();
    present(value.get("error")).is_some() || named("object") || named("type") || other()
}

/// Whether a text has at least one line of the event stream format; an empty one counts.
fn looks_like_events(head: &str) -> bool {
    let field = |line: &str| {
        let line = line.trim_start_matches('\u{feff}');
        ["data", "event", "id", "retry", ""]
            .iter()
            .any(|name| line.strip_prefix(name).is_some_and(|rest| rest.starts_with(':')))
    };
    head.trim().is_empty() || head.split(['\n', '\r']).any(field)
}

#[cfg(test)]
mod tests;
