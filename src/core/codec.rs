//! How entries are stored: a line of JSON each, from which the record is read again without loss. A line is a whole to
//! whoever has read those before it:
//!
//! - In a text's place stands the text, the list of its pieces, or the number of a text or piece that stood there before.
//!   Numbers count every text and every list from 0, a list after its pieces. An answer has its pieces and no numbers,
//!   so its line can be read alone.
//! - A procedure's own values are as they are, but `{"=":n}` is the text of that number, `{"=":[…]}` one of such and new
//!   pieces, and names that begin with `=`
//!   have another one before it.
//! - `like` names an earlier entry whose request had the same settings: all but the texts.
//! - `hash` is the beginning of the SHA-256 of the whole hash before it and the line up to it. So every line vouches for all
//!   before it, and the last one's whole hash for the record.

use super::ask::{Message, Reply, Request};
use super::data::Data;
use super::record::{Entry, What};
use super::text::{Form, Text, Texts, in_pieces};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fmt::{self, Display, Write};
use std::rc::Rc;

/// Writes the entries of a record, from its first on.
#[derive(Default)]
pub struct Writer {
    texts: Texts,
    /// Numbers of texts by their places, and the next one.
    numbers: Vec<Option<u32>>,
    next: u32,
    /// Settings of requests, and the entries that had them first.
    settings: BTreeMap<String, u64>,
    chain: [u8; 32],
}

impl Writer {
    /// The next entry as a line, without its end.
    pub fn line(&mut self, entry: &Entry) -> String {
        let Entry { seq, at, what } = entry;
        let mut out = format!("{{\"seq\":{seq},\"at\":{at},\"what\":");
        let like = self.what(&mut out, *seq, what);
        if let Some(like) = like {
            let _ = write!(out, ",\"like\":{like}");
        }
        self.chain = Sha256::new()
            .chain_update(self.chain)
            .chain_update(&out)
            .finalize()
            .into();
        out.push_str(",\"hash\":\"");
        push_hex(&mut out, self.chain.get(..4).unwrap_or_default());
        out.push_str("\"}");
        out
    }

    /// The hash of all entries written, in hex.
    #[must_use]
    pub fn hash(&self) -> String {
        let mut hex = String::with_capacity(64);
        push_hex(&mut hex, &self.chain);
        hex
    }

    fn what(&mut self, out: &mut String, seq: u64, what: &What) -> Option<u64> {
        match what {
            What::Asked {
                ask,
                request,
                time_limits,
            } => return self.asked(out, seq, (&**ask, request, time_limits)),
            What::Answered { ask, attempt, reply } => self.answered(out, "answered", (ask, *attempt, reply)),
            What::Late { ask, attempt, reply } => self.answered(out, "late", (ask, *attempt, reply)),
            What::Read { ask, reading } => {
                self.value(
                    out,
                    &format!("{{\"type\":\"read\",\"ask\":{},\"reading\":", json(ask)),
                    reading,
                );
            }
            What::Drew {
                stream,
                purpose,
                value,
            } => {
                let (stream, purpose) = (json(stream), json(purpose));
                let begin =
                    format!("{{\"type\":\"drew\",\"stream\":{stream},\"purpose\":{purpose},\"value\":");
                self.value(out, &begin, value);
            }
            What::Event { event, to } => {
                let to = if to.is_owner() {
                    String::new()
                } else {
                    format!("\"to\":{},", json(to))
                };
                self.value(out, &format!("{{\"type\":\"event\",{to}\"event\":"), event);
            }
            What::Ended { result } => {
                self.value(out, "{\"type\":\"ended\",\"result\":", &Data::of(result));
            }
            What::Started(_)
            | What::Sent { .. }
            | What::Failed { .. }
            | What::TimedOut { .. }
            | What::Commanded { .. }
            | What::Retrying { .. }
            | What::FellBack { .. }
            | What::Unanswered { .. }
            | What::Withdrawn { .. }
            | What::Halted { .. } => out.push_str(&json(what)),
        }
        None
    }

    fn asked(
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
        self.text(out, &request.system, false);
        out.push_str(",\"messages\":[");
        for (index, Message { role, content }) in request.messages.iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            let _ = write!(out, "{comma}{{\"role\":{},\"content\":", json(role));
            self.text(out, content, false);
            out.push('}');
        }
        out.push(']');
        let settings = settings_of(request);
        let like = self.settings.get(&settings).copied();
        if like.is_none() {
            out.push_str(&settings);
            self.settings.insert(settings, seq);
        }
        let _ = write!(out, "}},\"time_limits\":{}}}", json(time_limits));
        like
    }

    fn answered(&mut self, out: &mut String, kind: &str, (ask, attempt, reply): (&str, u32, &Reply)) {
        let ask = json(ask);
        let _ = write!(
            out,
            "{{\"type\":\"{kind}\",\"ask\":{ask},\"attempt\":{attempt},\"reply\":{{\"text\":"
        );
        self.text(out, &reply.text.as_str().into(), true);
        let bare = Reply {
            text: String::new(),
            ..reply.clone()
        };
        out.push_str(json(&bare).strip_prefix("{\"text\":\"\"").unwrap_or("}"));
        out.push('}');
    }

    fn value(&mut self, out: &mut String, begin: &str, value: &Data) {
        out.push_str(begin);
        value.write(out, |text| self.pieces(text));
        out.push('}');
    }

    /// A text of which half at least stood in the record before: the number of the whole, or what is new in its place
    /// among the numbers of the rest.
    fn pieces(&self, text: &str) -> Option<String> {
        let text = in_pieces(text);
        let mut pieces = Vec::new();
        let fresh = self.known_pieces(&text, &mut pieces);
        let pieces: Vec<String> = pieces
            .chunk_by(|one, two| one.is_err() && two.is_err())
            .map(|run| match run {
                [Ok(number)] => number.to_string(),
                texts => json(&texts.iter().filter_map(|text| text.err()).collect::<String>()),
            })
            .collect();
        match pieces.as_slice() {
            _ if fresh > text.len() / 2 => None,
            [number] => Some(number.clone()),
            several => Some(format!("[{}]", several.join(","))),
        }
    }

    /// Tells how many bytes of the text are not known.
    fn known_pieces<'a>(&self, text: &'a Text, pieces: &mut Vec<Result<u32, &'a str>>) -> usize {
        let place = self.texts.place(text);
        let number = place.and_then(|place| self.numbers.get(place as usize).copied().flatten());
        match (number, text.form()) {
            (Some(number), _) => {
                pieces.push(Ok(number));
                0
            }
            (None, Form::Leaf(text)) => {
                pieces.push(Err(text));
                text.len()
            }
            (None, Form::Join(parts)) => parts.iter().map(|part| self.known_pieces(part, pieces)).sum(),
            (None, Form::Number(_)) => 0,
        }
    }

    /// Writes a text; with `whole`, without the numbers of those before it.
    fn text(&mut self, out: &mut String, text: &Text, whole: bool) {
        let place = self.texts.keep(text);
        self.at(out, place, whole);
    }

    fn at(&mut self, out: &mut String, place: u32, whole: bool) {
        let known = self.numbers.get(place as usize).copied().flatten();
        if let Some(number) = known.filter(|_| !whole) {
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
                    self.at(out, place, whole);
                }
                out.push(']');
            }
            Form::Number(_) => return,
        }
        let place = place as usize;
        if self.numbers.len() <= place {
            self.numbers.resize(place + 1, None);
        }
        if let Some(number) = self.numbers.get_mut(place) {
            *number = Some(self.next);
        }
        self.next += 1;
    }
}

/// What of a request is not texts, as it stands behind them.
fn settings_of(request: &Request) -> String {
    let bare = Request {
        system: Text::default(),
        messages: Vec::new(),
        ..request.clone()
    };
    let written = json(&bare);
    let settings = written.strip_prefix("{\"system\":\"\",\"messages\":[]");
    settings
        .and_then(|rest| rest.strip_suffix('}'))
        .unwrap_or_default()
        .to_owned()
}

fn json(value: &(impl Serialize + ?Sized)) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

fn push_hex(out: &mut String, bytes: &[u8]) {
    for byte in bytes {
        let _ = write!(out, "{byte:02x}");
    }
}

/// Reads the entries of a record, from its first on.
#[derive(Default)]
pub struct Reader {
    texts: Vec<Text>,
    asked: BTreeMap<u64, Rc<Request>>,
    writer: Writer,
}

/// Why a line is not the next entry of a record.
#[derive(Debug)]
pub enum Fault {
    /// It is no JSON, or not that of an entry.
    Json(serde_json::Error),
    /// It names something that does not stand before it.
    Missing,
    /// It is not what was written there: it or what stands before it was altered.
    Altered,
}

impl Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Json(error) => error.fmt(formatter),
            Self::Missing => formatter.write_str("it names a text or an entry that does not stand before it"),
            Self::Altered => {
                formatter.write_str("its hash does not fit: it was altered, or what stands before it")
            }
        }
    }
}

#[derive(Deserialize)]
struct Line {
    seq: u64,
    at: u64,
    what: What,
    #[serde(default)]
    like: Option<u64>,
    #[serde(default)]
    hash: Option<String>,
}

impl Reader {
    /// The next entry.
    ///
    /// # Errors
    /// Where the line is not what [`Writer`] wrote as the next one.
    pub fn entry(&mut self, line: &str) -> Result<Entry, Fault> {
        let Line {
            seq,
            at,
            what,
            like,
            hash,
        } = serde_json::from_str(line).map_err(Fault::Json)?;
        let what = self.resolved(seq, what, like).ok_or(Fault::Missing)?;
        let entry = Entry { seq, at, what };
        let again = self.writer.line(&entry);
        let end = hash.map(|hash| format!(",\"hash\":\"{hash}\"}}"));
        if end.is_some_and(|end| again.ends_with(&end)) {
            Ok(entry)
        } else {
            Err(Fault::Altered)
        }
    }

    /// What writes the entries that follow.
    #[must_use]
    pub fn into_writer(self) -> Writer {
        self.writer
    }

    /// The hash of all entries read, in hex.
    #[must_use]
    pub fn hash(&self) -> String {
        self.writer.hash()
    }

    fn resolved(&mut self, seq: u64, mut what: What, like: Option<u64>) -> Option<What> {
        match &mut what {
            What::Asked { request, .. } => {
                let texts = Rc::unwrap_or_clone(std::mem::take(request));
                let system = self.text(&texts.system)?;
                let message = |Message { role, content }| {
                    let content = self.text(&content)?;
                    Some(Message { role, content })
                };
                let messages = texts
                    .messages
                    .clone()
                    .into_iter()
                    .map(message)
                    .collect::<Option<_>>()?;
                let settings = match like {
                    Some(like) => (**self.asked.get(&like)?).clone(),
                    None => texts,
                };
                *request = Rc::new(Request {
                    system,
                    messages,
                    ..settings
                });
                if like.is_none() {
                    self.asked.insert(seq, Rc::clone(request));
                }
            }
            What::Answered { reply, .. } | What::Late { reply, .. } => {
                self.text(&in_pieces(&reply.text))?;
            }
            What::Read { reading: value, .. }
            | What::Drew { value, .. }
            | What::Event { event: value, .. } => *value = self.value(value)?,
            What::Ended { result } => *result = self.value(&Data::of(result))?.value(),
            _ => {}
        }
        Some(what)
    }

    fn value(&self, value: &Data) -> Option<Data> {
        value.resolved(|number| self.texts.get(number as usize).cloned())
    }

    fn text(&mut self, text: &Text) -> Option<Text> {
        let text = match text.form() {
            Form::Number(number) => return self.texts.get(*number as usize).cloned(),
            Form::Leaf(_) => text.clone(),
            Form::Join(parts) => {
                let parts = parts
                    .iter()
                    .map(|part| self.text(part))
                    .collect::<Option<Vec<_>>>()?;
                Text::join(parts)?
            }
        };
        self.texts.push(text.clone());
        Some(text)
    }
}

/// The hash of a record, in hex: the last line's, whole.
#[must_use]
pub fn hash(record: &[Rc<Entry>]) -> String {
    let mut writer = Writer::default();
    for entry in record {
        writer.line(entry);
    }
    writer.hash()
}

/// A record as lines.
pub fn lines(record: &[Rc<Entry>]) -> impl Iterator<Item = String> {
    let mut writer = Writer::default();
    record.iter().map(move |entry| writer.line(entry))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A text that is not random: sentences that come back.
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

    fn told(seq: u64, event: &serde_json::Value) -> Rc<Entry> {
        let what = What::Event {
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
    fn what_was_said_before_is_a_number() {
        let said = "I say: the floor comes first, and everybody agrees on that much.";
        let record = [
            asked(0, "You are Ana.", "Speak now, please."),
            answered(1, said),
            told(2, &serde_json::json!({ "type": "said", "=text": said })),
            asked(3, "You are Ana.", said),
        ];
        let lines: Vec<String> = lines(&record).collect();
        assert!(lines[0].contains(r#""system":"You are Ana.","messages":[{"role":"user","content":"Speak now, please."}],"max_tokens":600"#));
        assert!(lines[1].contains(said));
        assert!(
            lines[2].contains(r#""event":{"==text":{"=":2},"type":"said"}"#),
            "{}",
            lines[2]
        );
        assert!(
            lines[3].contains(r#""request":{"system":0,"messages":[{"role":"user","content":2}]},"time_limits":[]},"like":0"#),
            "{}",
            lines[3]
        );
        assert_eq!(back(&lines).unwrap(), record);
    }

    #[test]
    fn questions_that_grow_cost_what_is_new() {
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
    fn bombs_are_no_texts() {
        let mut lines: Vec<String> = Vec::new();
        let line = |seq: usize, text: &str| {
            format!(
                r#"{{"seq":{seq},"at":0,"what":{{"type":"asked","ask":{{"id":"a","seat":"A","kind":"k","phase":1,"round":null,"attempt":1,"language":"en"}},"request":{{"system":{text},"messages":[]}},"time_limits":[]}},"hash":"00000000"}}"#
            )
        };
        lines.push(line(0, "\"0123456789\""));
        for seq in 1..200 {
            lines.push(line(seq, &format!("[{0},{0}]", seq - 1)));
        }
        let mut reader = Reader::default();
        let faults: Vec<_> = lines.iter().map(|line| reader.entry(line).unwrap_err()).collect();
        assert!(matches!(faults[10], Fault::Altered));
        assert!(matches!(faults[199], Fault::Missing));
    }

    proptest! {
        #[test]
        fn all_texts_come_back(texts in proptest::collection::vec("(.|\\n|a{200}|[a-z ]{300}|é{500}){0,9}", 1..9)) {
            let mut record = Vec::new();
            for text in &texts {
                let seq = record.len() as u64;
                record.push(asked(seq, &texts.concat(), text));
                record.push(answered(seq + 1, text));
                record.push(told(seq + 2, &serde_json::json!({ text: text, "=": [text], "x": 1.0, "y": 0.1 })));
            }
            let lines: Vec<String> = lines(&record).collect();
            let read = back(&lines).unwrap();
            prop_assert_eq!(&read, &record);
            prop_assert_eq!(super::lines(&read).collect::<Vec<_>>(), lines);
        }

        #[test]
        fn no_byte_can_be_another(place in 0_usize..4000, byte in any::<u8>()) {
            let said = "I say: the floor comes first.\nAnd the second line is here to be cut.\n".repeat(9);
            let record = [asked(0, &said, "Speak."), answered(1, &said), told(2, &serde_json::json!({ "n": 0.5, "t": [said] }))];
            let lines = lines(&record).collect::<Vec<_>>().join("\n");
            let mut bytes = lines.clone().into_bytes();
            let place = place % bytes.len();
            bytes[place] = byte;
            if let Ok(altered) = String::from_utf8(bytes)
                && altered != lines
            {
                let altered: Vec<String> = altered.split('\n').map(str::to_owned).collect();
                // Whoever reads them reads what was written, or that it was altered.
                if let Ok(read) = back(&altered) {
                    prop_assert_eq!(read, record);
                }
            }
        }
    }
}
