//! The storage format: one JSON line per entry, without loss. A line depends on the lines before it:
//!
//! - A text with lines of earlier texts is stored as a list of new text (a string) and of `[first, count]`: so many
//!   lines, copied from all lines of all texts before, counted from 0. Any other text is a string. A text that is one
//!   copy is not counted itself. An answer is always a string, so that its line can be read alone.
//! - A procedure's own values are stored unchanged, except for two escapes. A text with copies in them is
//!   `{"=":…}`, with the list as its value. Names that begin with `=` or a digit get a `=` in front.
//! - `like` is the number of an earlier entry whose request had the same settings and time limits:
//!   everything except the texts.
//! - A missing `at` is that of the line before. An answer has its own.
//! - `hash` is the beginning of the SHA-256 of the full hash before it and the line up to it. Each line
//!   thus verifies all lines before it, and the full hash of the last line verifies the record. It covers
//!   every byte of a line. Data outside the lines (a session's title in the library, drafts, the index of
//!   answers) is not part of the record and not verified.

use super::ask::{Ask, Message, Millis, Request, Role};
use super::audience::Audience;
use super::data::Data;
use super::record::{Entry, EntryKind};
use super::text::{Stored, Text, Texts};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
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
        let mut line = format!("{{\"seq\":{seq}");
        let is_answer = matches!(what, EntryKind::Answered { .. } | EntryKind::Late { .. });
        if self.last.replace(*at) != Some(*at) || is_answer {
            let _ = write!(line, ",\"at\":{at}");
        }
        let (stored, like) = self.stored(*seq, what);
        let _ = write!(line, ",\"what\":{stored}");
        if let Some(like) = like {
            let _ = write!(line, ",\"like\":{like}");
        }
        self.seal(&mut line);
        line
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

    /// Returns an entry's content as JSON, and `like`.
    fn stored(&mut self, seq: u64, what: &EntryKind) -> (String, Option<u64>) {
        let texts = &mut self.texts;
        let stored = match what {
            EntryKind::Asked {
                ask,
                request,
                time_limits,
            } => return self.stored_ask(seq, ask, request, time_limits),
            EntryKind::Read { ask, reading } => StoredKind::Read {
                ask: ask.clone(),
                reading: reading.store(texts),
            },
            EntryKind::Drew {
                stream,
                purpose,
                value,
            } => StoredKind::Drew {
                stream: stream.clone(),
                purpose: purpose.clone(),
                value: value.store(texts),
            },
            EntryKind::Event { event, to } => StoredKind::Event {
                to: to.clone(),
                event: event.store(texts),
            },
            EntryKind::Ended { result } => StoredKind::Ended {
                result: Data::of(result).store(texts),
            },
            EntryKind::Answered { reply, .. } | EntryKind::Late { reply, .. } => {
                texts.share(&reply.text.as_str().into());
                return (json(what), None);
            }
            _ => return (json(what), None),
        };
        (json(&stored), None)
    }

    fn stored_ask(
        &mut self,
        seq: u64,
        ask: &Rc<Ask>,
        request: &Request,
        time_limits: &[Millis],
    ) -> (String, Option<u64>) {
        let system = self.texts.store(&request.system);
        let message = |message: &Message| StoredMessage {
            role: message.role,
            content: self.texts.store(&message.content),
        };
        let messages = request.messages.iter().map(message).collect();
        let settings = settings_of(request);
        let like = self.like(seq, &settings, time_limits);
        let (settings, time_limits) = match like {
            Some(_) => Default::default(),
            None => (settings, time_limits.to_vec()),
        };
        let stored = StoredKind::Asked {
            ask: Rc::clone(ask),
            request: StoredRequest {
                system,
                messages,
                settings,
            },
            time_limits,
        };
        (json(&stored), like)
    }

    /// Returns the first entry with these settings, unless it is this one.
    fn like(&mut self, seq: u64, settings: &Map<String, Value>, time_limits: &[Millis]) -> Option<u64> {
        let first = *self.settings.entry(json(&(settings, time_limits))).or_insert(seq);
        (first != seq).then_some(first)
    }
}

/// The content of an entry with texts, as it is stored. The content of any other entry is stored unchanged.
#[derive(Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum StoredKind {
    Asked {
        ask: Rc<Ask>,
        request: StoredRequest,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        time_limits: Vec<Millis>,
    },
    Read {
        ask: String,
        reading: Value,
    },
    Drew {
        stream: String,
        purpose: String,
        value: Value,
    },
    Event {
        #[serde(default, skip_serializing_if = "Audience::is_owner")]
        to: Audience,
        event: Value,
    },
    Ended {
        result: Value,
    },
}

#[derive(Serialize, Deserialize)]
struct StoredRequest {
    system: Stored,
    messages: Vec<StoredMessage>,
    #[serde(flatten)]
    settings: Map<String, Value>,
}

#[derive(Serialize, Deserialize)]
struct StoredMessage {
    role: Role,
    content: Stored,
}

/// Returns a request without its texts.
fn settings_of(request: &Request) -> Map<String, Value> {
    let bare = Request {
        system: Text::default(),
        messages: Vec::new(),
        ..request.clone()
    };
    match serde_json::to_value(&bare) {
        Ok(Value::Object(mut settings)) => {
            settings.retain(|name, _| !["system", "messages"].contains(&name.as_str()));
            settings
        }
        _ => Map::new(),
    }
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
    /// Settings of requests, without their texts, and time limits that later entries refer to.
    asked: BTreeMap<u64, (Rc<Request>, Vec<Millis>)>,
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
        let what = match what.get().split('"').nth(3) {
            Some("asked" | "read" | "drew" | "event" | "ended") => {
                let stored = serde_json::from_str(what.get()).map_err(Fault::Json)?;
                self.loaded(seq, stored, like)?
            }
            _ => serde_json::from_str(what.get()).map_err(Fault::Json)?,
        };
        if let EntryKind::Answered { reply, .. } | EntryKind::Late { reply, .. } = &what {
            self.writer.texts.share(&reply.text.as_str().into());
        }
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

    fn loaded(&mut self, seq: u64, stored: StoredKind, like: Option<u64>) -> Result<EntryKind, Fault> {
        let texts = &mut self.writer.texts;
        let mut data = |value| Data::load(value, texts).ok_or(Fault::Missing);
        Ok(match stored {
            StoredKind::Asked {
                ask,
                request,
                time_limits,
            } => {
                let (request, time_limits) = self.loaded_request(seq, request, time_limits, like)?;
                EntryKind::Asked {
                    ask,
                    request,
                    time_limits,
                }
            }
            StoredKind::Read { ask, reading } => EntryKind::Read {
                ask,
                reading: data(reading)?,
            },
            StoredKind::Drew {
                stream,
                purpose,
                value,
            } => EntryKind::Drew {
                stream,
                purpose,
                value: data(value)?,
            },
            StoredKind::Event { to, event } => EntryKind::Event {
                event: data(event)?,
                to,
            },
            StoredKind::Ended { result } => EntryKind::Ended {
                result: data(result)?.value(),
            },
        })
    }

    fn loaded_request(
        &mut self,
        seq: u64,
        stored: StoredRequest,
        time_limits: Vec<Millis>,
        like: Option<u64>,
    ) -> Result<(Rc<Request>, Vec<Millis>), Fault> {
        let StoredRequest {
            system,
            messages,
            mut settings,
        } = stored;
        let mut text = |stored: &Stored| self.writer.texts.load(stored).ok_or(Fault::Missing);
        let system = text(&system)?;
        let message = |StoredMessage { role, content }: &StoredMessage| {
            let content = text(content)?;
            Ok(Message { role: *role, content })
        };
        let messages = messages.iter().map(message).collect::<Result<_, _>>()?;
        let (known, time_limits) = match like {
            Some(like) => self.asked.get(&like).cloned().ok_or(Fault::Missing)?,
            None => {
                self.writer.like(seq, &settings, &time_limits);
                settings.insert("system".to_owned(), "".into());
                settings.insert("messages".to_owned(), Value::Array(Vec::new()));
                let settings = serde_json::from_value(Value::Object(settings)).map_err(Fault::Json)?;
                let settings = Rc::new(settings);
                self.asked
                    .insert(seq, (Rc::clone(&settings), time_limits.clone()));
                (settings, time_limits)
            }
        };
        let request = Request {
            system,
            messages,
            ..(*known).clone()
        };
        Ok((Rc::new(request), time_limits))
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
            r#""event":{"=10":"b","=9":"a","==text":{"=":[[2,1]]},"type":"said"}"#,
        );
        has(
            3,
            r#"{"seq":3,"at":5,"what":{"type":"asked","ask":{"id":"a3","seat":"Ana","kind":"statement","phase":2,"round":1,"attempt":1,"language":"en"},"request":{"system":"You are Ana.","messages":[{"role":"user","content":[[2,1]]}]}},"like":0"#,
        );
        has(4, r#"{"text":"Round 1: a line that first stands in an event.\n"#);
        has(5, r#""system":[[4,2]],"#);
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
        let mut reader = Reader::default();
        let mut read = |what: String| {
            let mut line = format!(r#"{{"seq":0,"at":0,"what":{what}"#);
            let chain = reader.writer.chain;
            reader.writer.seal(&mut line);
            reader.writer.chain = chain;
            reader.entry(&line)
        };
        let asked = |text: String| {
            format!(
                r#"{{"type":"asked","ask":{{"id":"a","seat":"A","kind":"k","phase":1,"round":null,"attempt":1,"language":"en"}},"request":{{"system":{text},"messages":[]}},"time_limits":[]}}"#
            )
        };
        assert!(read(asked("\"0123456789\"".to_owned())).is_ok());
        // The text before has 2ⁿ lines and begins at line 2ⁿ − 1.
        let doubled = |n: u32| format!("[[{0},{1}],[{0},{1}]]", (1 << n) - 1, 1 << n);
        let first = (0..200).find(|n| read(asked(doubled(*n))).is_err());
        // Ten bytes doubled 21 times exceed the maximum.
        assert_eq!(first, Some(20));
        let large = format!("[[0,{}]]", 1 << 20);
        assert!(read(asked(large.clone())).is_ok());
        let event = |value: &str| format!(r#"{{"type":"event","event":{value}}}"#);
        assert!(read(event(&format!(r#"{{"a":{{"=":{large}}}}}"#))).is_ok());
        let two = event(&format!(r#"{{"a":{{"=":{large}}},"b":{{"=":{large}}}}}"#));
        assert!(matches!(read(two), Err(Fault::Missing)));
        for missing in ["[[9999999,1]]", "[[0,9999999]]", "[[1,18446744073709551615]]"] {
            assert!(
                matches!(read(asked(missing.to_owned())), Err(Fault::Missing)),
                "{missing}"
            );
        }
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
