//! From the bytes of an answer to the reply: pieces of text while they come, at the end the whole or
//! what was wrong. Takes a stream and a plain JSON body alike. Nothing that is missing is filled in.

use super::failure;
use super::stream::{Event, SseDecoder};
use crate::session::ask::{Failure, Reply, Usage};
use serde_json::Value;

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
    url: String,
    shape: Shape,
    /// The first bytes, for the failure's body.
    head: Vec<u8>,
    seen: usize,
    gathered: Gathered,
    /// `[DONE]` came.
    ended: bool,
    failure: Option<Failure>,
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
    /// Anything else: server-sent events.
    Stream(SseDecoder),
}

#[derive(Debug, Default)]
struct Gathered {
    /// There was a choice.
    any: bool,
    text: String,
    reasoning: String,
    refusal: String,
    model: Option<String>,
    finish: Option<String>,
    usage: Option<Usage>,
}

impl Decoder {
    /// `url`: the address that was called, for sentences about it.
    #[must_use]
    pub fn new(url: &str) -> Self {
        Self {
            url: url.to_owned(),
            shape: Shape::Unknown(Vec::new()),
            head: Vec::new(),
            seen: 0,
            gathered: Gathered::default(),
            ended: false,
            failure: None,
        }
    }

    /// Takes the next bytes and gives the pieces of text in them.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<Piece> {
        if self.is_done() {
            return Vec::new();
        }
        self.seen = self.seen.saturating_add(bytes.len());
        if self.seen > LIMIT {
            self.failure = Some(failure::format("sent an answer that has no end", "", &self.url));
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
        match &mut self.shape {
            Shape::Stream(decoder) => {
                let last = decoder.finish();
                self.events(last);
            }
            Shape::Json(body) => {
                let body = std::mem::take(body);
                self.json(&body);
            }
            Shape::Html => self.fail_with(failure::web_page),
            Shape::Unknown(_) => {}
        }
        if let Some(failure) = self.failure {
            return Err(failure);
        }
        let gathered = self.gathered;
        let blocked = gathered.finish.as_deref() == Some("content_filter");
        if blocked || !gathered.refusal.is_empty() {
            let why = if gathered.refusal.is_empty() {
                &gathered.text
            } else {
                &gathered.refusal
            };
            return Err(failure::refused(why, &self.url));
        }
        if !self.ended && gathered.finish.is_none() {
            let head = String::from_utf8_lossy(&self.head);
            let alien = !gathered.any && self.seen > 0 && !looks_like_events(&head);
            return Err(if alien {
                failure::format("answered with something that is no chat answer", &head, &self.url)
            } else {
                failure::cut(&self.url)
            });
        }
        if !gathered.any {
            let head = String::from_utf8_lossy(&self.head);
            return Err(failure::format(
                "sent an answer without any choice in it",
                &head,
                &self.url,
            ));
        }
        Ok(Reply {
            text: gathered.text,
            reasoning: Some(gathered.reasoning).filter(|text| !text.is_empty()),
            model: gathered.model,
            finish: gathered.finish,
            usage: gathered.usage,
            first_piece_at: None,
            request_id: None,
            sent_at: None,
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
                Err(_) => {
                    self.failure = Some(failure::format(
                        "sent something within the answer that is not JSON",
                        data,
                        &self.url,
                    ));
                }
            }
        }
        pieces
    }

    fn json(&mut self, body: &[u8]) {
        let text = String::from_utf8_lossy(body);
        match serde_json::from_str::<Value>(&text) {
            Ok(value) => {
                self.chunk(value.get(0).unwrap_or(&value), &text);
                self.ended = true;
            }
            Err(error) if error.is_eof() => self.failure = Some(failure::cut(&self.url)),
            Err(_) => self.fail_with(|head, url| failure::format("sent broken JSON", head, url)),
        }
    }

    fn fail_with(&mut self, failure: impl Fn(&str, &str) -> Failure) {
        let head = String::from_utf8_lossy(&self.head);
        self.failure = Some(failure(&head, &self.url));
    }

    fn chunk(&mut self, value: &Value, raw: &str) -> Option<Piece> {
        let choice = value
            .get("choices")
            .and_then(Value::as_array)
            .and_then(|choices| {
                choices
                    .iter()
                    .find(|choice| choice.get("index").and_then(Value::as_u64).unwrap_or(0) == 0)
            });
        if is_error(value) || choice.is_some_and(|choice| present(choice.get("error")).is_some()) {
            // The error of a choice is told like one of the whole.
            let inner = choice.filter(|_| !is_error(value)).map(Value::to_string);
            self.failure = Some(failure::in_band(inner.as_deref().unwrap_or(raw), &self.url));
            return None;
        }
        self.gathered.take(value, choice)
    }
}

impl Gathered {
    fn take(&mut self, value: &Value, choice: Option<&Value>) -> Option<Piece> {
        if let Some(model) = text_at(value, "model") {
            self.model = Some(model.to_owned());
        }
        let usage =
            present(value.get("usage")).or_else(|| value.get("x_groq").and_then(|groq| groq.get("usage")));
        if let Some(usage) = usage.and_then(read_usage) {
            self.usage = Some(usage);
        }
        let choice = choice?;
        self.any = true;
        if let Some(finish) = text_at(choice, "finish_reason") {
            self.finish = Some(finish.to_owned());
        }
        let said = present(choice.get("delta")).or_else(|| choice.get("message"))?;
        let reasoning = ["reasoning_content", "reasoning"]
            .iter()
            .find_map(|key| text_at(said, key));
        match reasoning {
            Some(text) => self.reasoning.push_str(text),
            None => add_parts(
                said.get("reasoning_details"),
                &mut String::new(),
                &mut self.reasoning,
            ),
        }
        if let Some(refusal) = text_at(said, "refusal") {
            self.refusal.push_str(refusal);
        }
        let before = self.text.len();
        match said.get("content") {
            Some(Value::String(text)) => self.text.push_str(text),
            parts => add_parts(parts, &mut self.text, &mut self.reasoning),
        }
        self.text
            .get(before..)
            .filter(|new| !new.is_empty())
            .map(|new| Piece(new.to_owned()))
    }
}

/// Content as a list of parts: `text` parts to the text, `thinking` and `reasoning` parts aside,
/// all others (pictures, calls) left out.
fn add_parts(parts: Option<&Value>, text: &mut String, reasoning: &mut String) {
    for part in parts.and_then(Value::as_array).into_iter().flatten() {
        let kind = text_at(part, "type").unwrap_or("text");
        if kind.starts_with("thinking") || kind.starts_with("reasoning") {
            match ["thinking", "text", "summary"]
                .iter()
                .find_map(|key| present(part.get(*key)))
            {
                Some(Value::String(thought)) => reasoning.push_str(thought),
                inner => {
                    let mut thoughts = String::new();
                    add_parts(inner, &mut thoughts, &mut String::new());
                    reasoning.push_str(&thoughts);
                }
            }
        } else if matches!(kind, "text" | "output_text") {
            text.push_str(text_at(part, "text").unwrap_or_default());
        }
    }
}

fn read_usage(usage: &Value) -> Option<Usage> {
    let tokens = |key: &str| usage.get(key).and_then(Value::as_u64);
    Some(Usage {
        input: tokens("prompt_tokens")?,
        output: tokens("completion_tokens")?,
    })
}

fn is_error(value: &Value) -> bool {
    let named = |key: &str| text_at(value, key) == Some("error");
    let other = || value.get("choices").is_none() && present(value.get("detail")).is_some();
    present(value.get("error")).is_some() || named("object") || named("type") || other()
}

fn present(value: Option<&Value>) -> Option<&Value> {
    value.filter(|value| !value.is_null())
}

fn text_at<'a>(value: &'a Value, key: &str) -> Option<&'a str> {
    value
        .get(key)
        .and_then(Value::as_str)
        .filter(|text| !text.is_empty())
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
