//! The storage format: one JSON line per entry, without loss. A line depends on the lines before it:
//!
//! - A text is stored as a string, as a list of pieces, or as the number of an earlier text or piece.
//!   Numbers count every string and every list from 0, a list after its pieces. An answer contains its
//!   pieces and no numbers, so that its line can be read alone.
//! - A procedure's own values are stored unchanged, except for two escapes. A longer text in them is
//!   `{"=":…}`, with a stored text as its value. Names that begin with `=` or a digit get a `=` in front.
//! - `like` is the number of an earlier entry whose request had the same settings and time limits:
//!   everything except the texts.
//! - A missing `at` is that of the line before. An answer has its own.
//! - `hash` is the beginning of the SHA-256 of the full hash before it and the line up to it. Each line
//!   thus verifies all lines before it, and the full hash of the last line verifies the record. It covers
//!   every byte of a line. Data outside the lines (a session's title in the library, drafts, the index of
//!   answers) is not part of the record and not verified.

use super::ask::{Message, Reply, Request};
use super::audience::Audience;
use super::data::Data;
use super::record::{Entry, EntryKind};
use super::text::{Form, Text, Texts};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fmt::{self, Display, Write};
use std::rc::Rc;

/// Bytes of `,"hash":"…"}`.
const SEAL: usize = 19;

/// Writes the entries of a record, starting with its first.
#[derive(Default)]
pub struct Writer {
    texts: Texts,
    /// Text indices by number, and numbers by text index.
    places: Vec<u32>,
    numbers: Vec<Option<u32>>,
    /// Request settings with time limits, and the first entry that had them.
    settings: BTreeMap<String, u64>,
    /// Time of the last entry.
    last: Option<u64>,
    chain: [u8; 32],
}

impl Writer {
    /// Returns the next entry as a line, without the line end.
    pub fn line(&mut self, entry: &Entry) -> String {
        let Entry { seq, at, what } = entry;
        let mut out = format!("{{\"seq\":{seq}");
        let is_answer = matches!(what, EntryKind::Answered { .. } | EntryKind::Late { .. });
        if self.last.replace(*at) != Some(*at) || is_answer {
            let _ = write!(out, ",\"at\":{at}");
        }
        out.push_str(",\"what\":");
        let like = self.write_kind(&mut out, *seq, what);
        if let Some(like) = like {
            let _ = write!(out, ",\"like\":{like}");
        }
        self.seal(&mut out);
        out
    }

    fn seal(&mut self, line: &mut String) {
        self.chain = Sha256::new()
            .chain_update(self.chain)
            .chain_update(&line)
            .finalize()
            .into();
        line.push_str(",\"hash\":\"");
        line.push_str(&hex(self.chain.get(..4).unwrap_or_default()));
        line.push_str("\"}");
    }

    /// Returns the hash of all entries written, in hex.
    #[must_use]
    pub fn hash(&self) -> String {
        hex(&self.chain)
    }

    fn write_kind(&mut self, out: &mut String, seq: u64, what: &EntryKind) -> Option<u64> {
        match what {
            EntryKind::Asked {
                ask,
                request,
                time_limits,
            } => return self.write_asked(out, seq, (&**ask, request, time_limits)),
            EntryKind::Answered { ask, attempt, reply } => {
                self.write_answered(out, "answered", (ask, *attempt, reply))
            }
            EntryKind::Late { ask, attempt, reply } => {
                self.write_answered(out, "late", (ask, *attempt, reply))
            }
            EntryKind::Read { ask, reading } => {
                self.write_value(
                    out,
                    &format!("{{\"type\":\"read\",\"ask\":{},\"reading\":", json(ask)),
                    reading,
                );
            }
            EntryKind::Drew {
                stream,
                purpose,
                value,
            } => {
                let (stream, purpose) = (json(stream), json(purpose));
                let begin =
                    format!("{{\"type\":\"drew\",\"stream\":{stream},\"purpose\":{purpose},\"value\":");
                self.write_value(out, &begin, value);
            }
            EntryKind::Event { event, to } => {
                let to = if to.is_owner() {
                    String::new()
                } else {
                    format!("\"to\":{},", json(to))
                };
                self.write_value(out, &format!("{{\"type\":\"event\",{to}\"event\":"), event);
            }
            EntryKind::Ended { result } => {
                self.write_value(out, "{\"type\":\"ended\",\"result\":", &Data::of(result));
            }
            EntryKind::Started(_)
            | EntryKind::Sent { .. }
            | EntryKind::Failed { .. }
            | EntryKind::TimedOut { .. }
            | EntryKind::Commanded { .. }
            | EntryKind::Retrying { .. }
            | EntryKind::FellBack { .. }
            | EntryKind::Unanswered { .. }
            | EntryKind::Withdrawn { .. }
            | EntryKind::Halted { .. } => out.push_str(&json(what)),
        }
        None
    }

    fn write_asked(
        &mut self,
        out: &mut String,
        seq: u64,
        (ask, request, time_limits): (&impl Serialize, &Request, &Vec<u64>),
    ) -> Option<u64> {
        let _ = write!(
            out,
            "{{\"type\":\"asked\",\"ask\":{},\"request\":{{\"system\":",
            json(ask)
        );
        self.write_shared_text(out, &request.system);
        out.push_str(",\"messages\":[");
        for (index, Message { role, content }) in request.messages.iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            let _ = write!(out, "{comma}{{\"role\":{},\"content\":", json(role));
            self.write_shared_text(out, content);
            out.push('}');
        }
        out.push(']');
        let settings = settings_of(request, time_limits);
        let like = self.settings.get(&settings).copied();
        if like.is_none() {
            out.push_str(&settings);
            self.settings.insert(settings, seq);
        } else {
            out.push('}');
        }
        out.push('}');
        like
    }

    fn write_answered(&mut self, out: &mut String, kind: &str, (ask, attempt, reply): (&str, u32, &Reply)) {
        let ask = json(ask);
        let _ = write!(
            out,
            "{{\"type\":\"{kind}\",\"ask\":{ask},\"attempt\":{attempt},\"reply\":{{\"text\":"
        );
        self.write_text(out, &reply.text, true);
        let bare = Reply {
            text: String::new(),
            ..reply.clone()
        };
        out.push_str(json(&bare).strip_prefix("{\"text\":\"\"").unwrap_or("}"));
        out.push('}');
    }

    fn write_value(&mut self, out: &mut String, begin: &str, value: &Data) {
        out.push_str(begin);
        value.write(out, |out, text| self.write_text(out, text, false));
        out.push('}');
    }

    /// Writes a text. With `is_whole`, writes no numbers of earlier texts.
    fn write_text(&mut self, out: &mut String, text: &str, is_whole: bool) {
        let place = self.texts.cut(text);
        self.write_at(out, place, is_whole);
    }

    fn write_shared_text(&mut self, out: &mut String, text: &Text) {
        let place = self.texts.intern(text);
        self.write_at(out, place, false);
    }

    fn write_at(&mut self, out: &mut String, place: u32, is_whole: bool) {
        let known = self.numbers.get(place as usize).copied().flatten();
        if let Some(number) = known.filter(|_| !is_whole) {
            let _ = write!(out, "{number}");
            return;
        }
        let Some(text) = self.texts.at(place).cloned() else {
            return;
        };
        match text.form() {
            Form::Leaf(text) => out.push_str(&json(text)),
            Form::Join(parts) => {
                for (index, part) in parts.iter().enumerate() {
                    out.push(if index == 0 { '[' } else { ',' });
                    let place = self.texts.place(part).unwrap_or_default();
                    self.write_at(out, place, is_whole);
                }
                out.push(']');
            }
            Form::Number(_) => return,
        }
        self.assign_number(place);
    }

    /// Assigns the next number to the text at an index.
    fn assign_number(&mut self, place: u32) {
        let number = self.places.len() as u32;
        self.places.push(place);
        let place = place as usize;
        if self.numbers.len() <= place {
            self.numbers.resize(place + 1, None);
        }
        if let Some(known) = self.numbers.get_mut(place) {
            *known = Some(number);
        }
    }

    fn text_by_number(&self, number: u32) -> Option<Text> {
        let place = self.places.get(number as usize)?;
        self.texts.at(*place).cloned()
    }

    /// Adds a text that was read, pieces first.
    fn learn(&mut self, form: &Text) -> Option<Text> {
        let text = match form.form() {
            Form::Number(number) => return self.text_by_number(*number),
            Form::Leaf(_) => form.clone(),
            Form::Join(parts) => {
                let parts = parts
                    .iter()
                    .map(|part| self.learn(part))
                    .collect::<Option<Vec<_>>>();
                Text::join(parts?)?
            }
        };
        let place = self.texts.add(&text);
        self.assign_number(place);
        self.texts.at(place).cloned()
    }
}

/// Returns the request's settings without its texts, followed by the time limits, as in a line.
fn settings_of(request: &Request, time_limits: &[u64]) -> String {
    let bare = Request {
        system: Text::default(),
        messages: Vec::new(),
        ..request.clone()
    };
    let written = json(&bare);
    let settings = written.strip_prefix("{\"system\":\"\",\"messages\":[]");
    let time_limits = json(time_limits);
    format!("{},\"time_limits\":{time_limits}", settings.unwrap_or("}"))
}

fn json(value: &(impl Serialize + ?Sized)) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    const DIGITS: [char; 16] = [
        '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f',
    ];
    let digit = |part: u8| DIGITS[usize::from(part & 15)];
    bytes
        .iter()
        .flat_map(|byte| [digit(byte >> 4), digit(*byte)])
        .collect()
}

/// Reads the entries of a record, starting with its first.
#[derive(Default)]
pub struct Reader {
    /// Requests whose settings later entries refer to, with their time limits.
    asked: BTreeMap<u64, (Rc<Request>, Vec<u64>)>,
    writer: Writer,
    is_unchecked: bool,
}

/// Why a line is not the next entry of a record.
#[derive(Debug)]
pub enum Fault {
    /// Invalid JSON, or not an entry.
    Json(serde_json::Error),
    /// A reference to a missing text or entry.
    Missing,
    /// Altered: the hash does not match.
    Altered,
}

impl Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Json(error) => error.fmt(formatter),
            Self::Missing => {
                formatter.write_str("it refers to a text or an entry that the lines before it do not contain")
            }
            Self::Altered => {
                formatter.write_str("its hash does not fit: it was altered, or what stands before it")
            }
        }
    }
}

#[derive(Deserialize)]
struct Line<'a> {
    seq: u64,
    at: Option<u64>,
    #[serde(borrow)]
    what: &'a RawValue,
    like: Option<u64>,
}

#[derive(Deserialize)]
struct Own<'a> {
    ask: Option<String>,
    stream: Option<String>,
    purpose: Option<String>,
    #[serde(default)]
    to: Audience,
    #[serde(borrow, alias = "reading", alias = "event", alias = "result")]
    value: &'a RawValue,
}

impl Reader {
    /// Returns a reader that ignores hashes, to show an altered record.
    #[must_use]
    pub fn unchecked() -> Self {
        Self {
            is_unchecked: true,
            ..Self::default()
        }
    }

    /// Reads the next entry.
    ///
    /// # Errors
    /// Returns an error if the line is not an entry. Unless unchecked, also returns one if the line differs
    /// in any byte from what [`Writer`] writes as the next line.
    pub fn entry(&mut self, line: &str) -> Result<Entry, Fault> {
        let Line { seq, at, what, like } = serde_json::from_str(line).map_err(Fault::Json)?;
        let mut sealed = line
            .get(..line.len().saturating_sub(SEAL))
            .unwrap_or_default()
            .to_owned();
        self.writer.seal(&mut sealed);
        if sealed != line && !self.is_unchecked {
            return Err(Fault::Altered);
        }
        let at = at.or(self.writer.last).ok_or(Fault::Missing)?;
        self.writer.last = Some(at);
        let what = self.read_kind(seq, what.get(), like)?;
        Ok(Entry { seq, at, what })
    }

    /// Returns a writer for the following entries.
    #[must_use]
    pub fn into_writer(self) -> Writer {
        self.writer
    }

    /// Returns the hash of all entries read, in hex.
    #[must_use]
    pub fn hash(&self) -> String {
        self.writer.hash()
    }

    fn read_kind(&mut self, seq: u64, json: &str, like: Option<u64>) -> Result<EntryKind, Fault> {
        let kind = json.split('"').nth(3).unwrap_or_default();
        if matches!(kind, "read" | "drew" | "event" | "ended") {
            let own = serde_json::from_str(json).map_err(Fault::Json)?;
            return self.read_own(kind, own).ok_or(Fault::Missing);
        }
        let mut what = serde_json::from_str(json).map_err(Fault::Json)?;
        match &mut what {
            EntryKind::Asked {
                request, time_limits, ..
            } => {
                let stored = (&**request, &**time_limits);
                (*request, *time_limits) = self.read_request(seq, stored, like).ok_or(Fault::Missing)?;
            }
            EntryKind::Answered { reply, .. } | EntryKind::Late { reply, .. } => {
                self.writer.write_text(&mut String::new(), &reply.text, true);
            }
            _ => {}
        }
        Ok(what)
    }

    fn read_own(&mut self, kind: &str, own: Own) -> Option<EntryKind> {
        let read = |form: &str| self.writer.learn(&serde_json::from_str(form).ok()?);
        let value = Data::read_from(own.value.get(), read)?;
        Some(match kind {
            "read" => EntryKind::Read {
                ask: own.ask?,
                reading: value,
            },
            "drew" => EntryKind::Drew {
                stream: own.stream?,
                purpose: own.purpose?,
                value,
            },
            "event" => EntryKind::Event {
                event: value,
                to: own.to,
            },
            _ => EntryKind::Ended {
                result: value.value(),
            },
        })
    }

    fn read_request(
        &mut self,
        seq: u64,
        (stored, limits): (&Request, &[u64]),
        like: Option<u64>,
    ) -> Option<(Rc<Request>, Vec<u64>)> {
        let system = self.writer.learn(&stored.system)?;
        let message = |Message { role, content }: &Message| {
            let content = self.writer.learn(content)?;
            Some(Message { role: *role, content })
        };
        let messages = stored.messages.iter().map(message).collect::<Option<_>>()?;
        let (settings, limits) = match like {
            Some(like) => {
                let (request, known) = self.asked.get(&like)?;
                // Earlier versions store time limits beside `like`.
                (&**request, if limits.is_empty() { &**known } else { limits })
            }
            None => (stored, limits),
        };
        let limits = limits.to_vec();
        let request = Rc::new(Request {
            system,
            messages,
            ..settings.clone()
        });
        if like.is_none() {
            let settings = settings_of(&request, &limits);
            self.writer.settings.insert(settings, seq);
            self.asked.insert(seq, (Rc::clone(&request), limits.clone()));
        }
        Some((request, limits))
    }
}

/// Returns the hash at the end of a line.
#[must_use]
pub fn hash_of(line: &str) -> &str {
    let start = line
        .len()
        .saturating_sub(SEAL)
        .saturating_add(",\"hash\":\"".len());
    line.get(start..line.len().saturating_sub(2)).unwrap_or_default()
}

/// Returns a record as lines.
pub fn lines(record: &[Rc<Entry>]) -> impl Iterator<Item = String> {
    let mut writer = Writer::default();
    record.iter().map(move |entry| writer.line(entry))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Returns a text of repeated sentences.
    fn history(rounds: usize) -> String {
        (0..rounds)
            .map(|round| {
                format!("Ana (round {round}): I say for the {round}th time that it is just.\n\nBen: No.\n")
            })
            .collect()
    }

    fn asked(seq: u64, system: &str, content: &str) -> Rc<Entry> {
        let what = serde_json::json!({
            "type": "asked",
            "ask": { "id": format!("a{seq}"), "seat": "Ana", "kind": "statement", "phase": 2, "round": 1, "attempt": 1, "language": "en" },
            "request": { "system": system, "messages": [{ "role": "user", "content": content }], "max_tokens": 600, "temperature": 0.5 },
            "time_limits": [],
        });
        Rc::new(Entry {
            seq,
            at: 5,
            what: serde_json::from_value(what).unwrap(),
        })
    }

    fn answered(seq: u64, text: &str) -> Rc<Entry> {
        let what =
            serde_json::json!({ "type": "answered", "ask": "a", "attempt": 1, "reply": { "text": text } });
        Rc::new(Entry {
            seq,
            at: 6,
            what: serde_json::from_value(what).unwrap(),
        })
    }

    fn event(seq: u64, event: &serde_json::Value) -> Rc<Entry> {
        let what = EntryKind::Event {
            event: Data::of(event),
            to: Default::default(),
        };
        Rc::new(Entry { seq, at: 7, what })
    }

    fn back(lines: &[String]) -> Result<Vec<Rc<Entry>>, Fault> {
        let mut reader = Reader::default();
        lines.iter().map(|line| reader.entry(line).map(Rc::new)).collect()
    }

    #[test]
    fn repeated_texts_become_numbers() {
        let said = "I say: the floor comes first, and everybody agrees on that much.";
        let noted = "Round 1: a line that first stands in an event.\nAnd one more line after that one.\n";
        let record = [
            asked(0, "You are Ana.", "Speak now, please."),
            answered(1, said),
            event(
                2,
                &serde_json::json!({ "type": "said", "=text": said, "10": "b", "9": "a" }),
            ),
            asked(3, "You are Ana.", said),
            event(4, &serde_json::json!({ "text": noted })),
            asked(5, noted, "Speak now, please."),
        ];
        let lines: Vec<String> = lines(&record).collect();
        let has = |index: usize, part: &str| assert!(lines[index].contains(part), "{}", lines[index]);
        has(
            0,
            r#""system":"You are Ana.","messages":[{"role":"user","content":"Speak now, please."}],"max_tokens":600"#,
        );
        has(1, said);
        has(
            2,
            r#""event":{"=10":"b","=9":"a","==text":{"=":2},"type":"said"}"#,
        );
        has(
            3,
            r#"{"seq":3,"at":5,"what":{"type":"asked","ask":{"id":"a3","seat":"Ana","kind":"statement","phase":2,"round":1,"attempt":1,"language":"en"},"request":{"system":0,"messages":[{"role":"user","content":2}]}},"like":0"#,
        );
        has(
            4,
            r#"{"text":{"=":["Round 1: a line that first stands in an event.\n","#,
        );
        has(5, r#""system":5,"#);
        // Earlier versions store a time and time limits of their own.
        let (first, third) = (lines[0].clone(), lines[3].clone());
        let third = third.replace("]}},\"like\"", "]},\"time_limits\":[7]},\"like\"");
        let mut reader = Reader::default();
        reader.entry(&first).unwrap();
        lines[1..3]
            .iter()
            .for_each(|line| drop(reader.entry(line).unwrap()));
        let mut sealed = third[..third.len() - SEAL].to_owned();
        let chain = reader.writer.chain;
        reader.writer.seal(&mut sealed);
        reader.writer.chain = chain;
        let EntryKind::Asked { time_limits, .. } = reader.entry(&sealed).unwrap().what else {
            panic!("{sealed}")
        };
        assert_eq!(time_limits, [7]);
        // A time is stored if it differs from the one before, and with every answer.
        let again = [
            answered(0, said),
            answered(1, said),
            event(2, &serde_json::Value::Null),
        ];
        let again = again.into_iter().chain([event(3, &serde_json::Value::Null)]);
        let again: Vec<String> = super::lines(&again.collect::<Vec<_>>()).collect();
        let times = [
            r#"{"seq":0,"at":6,"#,
            r#"{"seq":1,"at":6,"#,
            r#"{"seq":2,"at":7,"#,
            r#"{"seq":3,"what""#,
        ];
        for (line, begin) in again.iter().zip(times) {
            assert!(line.starts_with(begin), "{line}");
        }
        assert_eq!(back(&lines).unwrap(), record);
    }

    #[test]
    fn growing_questions_store_only_new_pieces() {
        let record = |rounds: usize| -> Vec<Rc<Entry>> {
            (0..rounds)
                .map(|round| {
                    asked(
                        round as u64,
                        &format!("Bank: {round}\n{}\nThe end of it.", history(round)),
                        "Speak.",
                    )
                })
                .collect()
        };
        let size = |rounds| lines(&record(rounds)).map(|line| line.len()).sum::<usize>();
        let sizes = [100, 200, 400].map(size);
        assert!(sizes[2] - sizes[1] < (sizes[1] - sizes[0]) * 23 / 10, "{sizes:?}");
        assert!(sizes[2] < 400 * 500, "{sizes:?}");
    }

    #[test]
    fn exponential_texts_are_rejected() {
        let mut sealing = Writer::default();
        let mut line = |seq: usize, text: &str| {
            let mut line = format!(
                r#"{{"seq":{seq},"at":0,"what":{{"type":"asked","ask":{{"id":"a","seat":"A","kind":"k","phase":1,"round":null,"attempt":1,"language":"en"}},"request":{{"system":{text},"messages":[]}},"time_limits":[]}}"#
            );
            sealing.seal(&mut line);
            line
        };
        let mut reader = Reader::default();
        assert!(reader.entry(&line(0, "\"0123456789\"")).is_ok());
        let doubled = (1..200).map(|seq| line(seq, &format!("[{0},{0}]", seq - 1)));
        let first = doubled
            .map(|line| reader.entry(&line))
            .position(|read| read.is_err());
        // Ten bytes doubled 22 times exceed the maximum length.
        assert_eq!(first, Some(22));
        let many = format!("[{}]", ["22"; 9].join(","));
        assert!(matches!(reader.entry(&line(200, &many)), Err(Fault::Missing)));
    }

    #[test]
    fn a_reader_continues_as_the_writer() {
        let said = "I say: the floor comes first.\nAnd the second line is here to be cut.\n".repeat(3);
        let record: Vec<_> = (0..40)
            .map(|seq| match seq % 3 {
                0 => asked(seq, &history(seq as usize), "Speak."),
                1 => answered(seq, &format!("{said}{seq}")),
                _ => event(seq, &serde_json::json!({ "text": history(seq as usize + 2) })),
            })
            .collect();
        let lines: Vec<String> = lines(&record).collect();
        for cut in 0..record.len() {
            let mut reader = Reader::default();
            for line in &lines[..cut] {
                reader.entry(line).unwrap();
            }
            let mut writer = reader.into_writer();
            let rest: Vec<_> = record[cut..].iter().map(|entry| writer.line(entry)).collect();
            assert_eq!(rest, lines[cut..]);
        }
    }

    proptest! {
        #[test]
        fn all_texts_round_trip(texts in proptest::collection::vec("(.|\\n|a{200}|[a-z ]{300}|é{500}){0,9}", 1..9)) {
            let mut record = Vec::new();
            for text in &texts {
                let seq = record.len() as u64;
                record.push(asked(seq, &texts.concat(), text));
                record.push(answered(seq + 1, text));
                record.push(event(seq + 2, &serde_json::json!({ text: text, "=": [text], "x": 1.0, "y": 0.1 })));
            }
            let lines: Vec<String> = lines(&record).collect();
            let read = back(&lines).unwrap();
            prop_assert_eq!(&read, &record);
            prop_assert_eq!(super::lines(&read).collect::<Vec<_>>(), lines);
        }

    }

    /// Sets every stored byte to every other value.
    #[test]
    fn every_altered_byte_is_detected() {
        let said = "I say: the floor comes first.\nAnd the second line is here to be cut.\n".repeat(2);
        let read = EntryKind::Read {
            ask: "a".to_owned(),
            reading: Data::of(&serde_json::json!({ "value": 1.0 })),
        };
        let record = [
            asked(0, &said, "Speak."),
            answered(1, &said),
            Rc::new(Entry {
                seq: 2,
                at: 6,
                what: read,
            }),
            event(3, &serde_json::json!({ "n": 0.5, "t": [said, "é"] })),
            asked(4, &said, "Speak again."),
        ];
        let stored = lines(&record).collect::<Vec<_>>().join("\n");
        for place in 0..stored.len() {
            for byte in 0..=u8::MAX {
                let mut bytes = stored.clone().into_bytes();
                if std::mem::replace(&mut bytes[place], byte) == byte {
                    continue;
                }
                let Ok(altered) = String::from_utf8(bytes) else {
                    continue;
                };
                let mut reader = Reader::default();
                assert!(
                    altered.split('\n').any(|line| reader.entry(line).is_err()),
                    "{place}: {byte}"
                );
            }
        }
    }
}
