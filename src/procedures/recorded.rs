//! Recorded calls: the hash of the request under which a model's answer is found again, and its position
//! among equal requests of a run.

use super::canonical::{canonical_json, sha256_hex};
use crate::core::ask::{Ask, Millis, Request};
use crate::core::ask_log::AskLogs;
use crate::core::record::{Command, Entry, EntryKind};
use crate::procedures::debate::asks;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Index row of a recorded answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedCall {
    /// SHA-256 of the request as canonical JSON, in hex.
    pub hash: String,
    pub at: Millis,
    /// Sequence number of the `asked` entry.
    pub asked: u64,
    /// Id of the ask.
    pub ask: String,
    /// Sequence number of the `answered` entry.
    pub seq: u64,
}

/// The model calls among the entries of a record taken in so far.
#[derive(Debug, Clone, Default)]
pub struct Calls {
    next: u64,
    /// Last entry taken over from another session.
    taken_over: Option<u64>,
    asks: AskLogs,
    open: BTreeMap<String, OpenCall>,
    /// Ids of the asks by request hash, in order.
    asks_by_request: BTreeMap<String, Vec<String>>,
}

#[derive(Debug, Clone)]
struct OpenCall {
    request: Rc<Request>,
    first: SentCall,
    current: SentCall,
    tries: u32,
}

#[derive(Debug, Clone)]
struct SentCall {
    hash: String,
    at: Millis,
    seq: u64,
    /// Last attempt before a switch to another model.
    after: u32,
}

impl Calls {
    /// Returns the sequence number of the next entry to take in.
    #[must_use]
    pub fn next(&self) -> u64 {
        self.next
    }

    /// Takes in the next entry. Returns a row if it is a model's answer to a request of this record; recorded
    /// answers and those taken over from another session have none.
    pub fn take(&mut self, entry: &Rc<Entry>) -> Option<RecordedCall> {
        self.next = entry.seq + 1;
        let row = self.row(entry);
        self.asks.take(entry);
        match &entry.what {
            EntryKind::Started(started) => {
                self.taken_over = started.forked_from.as_ref().map(|from| from.seq);
            }
            EntryKind::Asked { ask, request, .. } if is_model_call(ask, request) => {
                let first = self.add_request(&ask.id, request, entry, 0);
                let open = OpenCall {
                    request: Rc::clone(request),
                    current: first.clone(),
                    first,
                    tries: 0,
                };
                self.open.insert(ask.id.clone(), open);
            }
            EntryKind::Sent { ask, attempt } => {
                if let Some(open) = self.open.get_mut(ask) {
                    open.tries = *attempt;
                }
            }
            EntryKind::FellBack { ask, .. } => {
                let request = self.asks.open_request(ask).map(Rc::clone)?;
                let tries = self.open.get(ask)?.tries;
                let call = self.add_request(ask, &request, entry, tries);
                self.open.get_mut(ask)?.current = call;
            }
            EntryKind::Commanded {
                command: Command::Resume | Command::Step,
            } => {
                for (ask, open) in self.open.iter_mut() {
                    let is_first = |now: &Rc<Request>| Rc::ptr_eq(now, &open.request);
                    if open.current.seq != open.first.seq && self.asks.open_request(ask).is_some_and(is_first)
                    {
                        open.first.after = open.tries;
                        open.current = open.first.clone();
                    }
                }
            }
            EntryKind::Answered { ask, .. }
            | EntryKind::Unanswered { ask }
            | EntryKind::Withdrawn { ask } => {
                self.open.remove(ask);
            }
            _ => {}
        }
        row
    }

    /// Returns the hash of an open ask's current request, and the number of earlier asks of this record with
    /// the same one.
    #[must_use]
    pub fn place(&self, ask: &str) -> Option<(&str, usize)> {
        let hash = &self.open.get(ask)?.current.hash;
        let place = self
            .asks_by_request
            .get(hash)?
            .iter()
            .position(|one| one == ask)?;
        Some((hash, place))
    }

    fn row(&self, entry: &Entry) -> Option<RecordedCall> {
        let EntryKind::Answered { ask, attempt, reply } = &entry.what else {
            return None;
        };
        let is_own = self.taken_over.is_none_or(|last| entry.seq > last) && reply.recorded.is_none();
        let call = self.open.get(ask).map(|open| &open.current)?;
        (is_own && *attempt > call.after).then(|| RecordedCall {
            hash: call.hash.clone(),
            at: call.at,
            asked: call.seq,
            ask: ask.clone(),
            seq: entry.seq,
        })
    }

    fn add_request(&mut self, ask: &str, request: &Request, entry: &Entry, after: u32) -> SentCall {
        let hash = hash_of(request);
        let asks = self.asks_by_request.entry(hash.clone()).or_default();
        if !asks.iter().any(|one| one == ask) {
            asks.push(ask.to_owned());
        }
        SentCall {
            hash,
            at: entry.at,
            seq: entry.seq,
            after,
        }
    }
}

/// Returns the SHA-256 digest of a request as canonical JSON: model, endpoint, settings and texts.
#[must_use]
pub fn hash_of(request: &Request) -> String {
    let request = serde_json::to_value(request).unwrap_or_default();
    sha256_hex(canonical_json(&request).as_bytes())
}

/// Chooses among rows of one hash, grouped by session and in order of asking, the answer at position `place`.
/// Skips the session itself and counts an answer once if its session was copied.
#[must_use]
pub fn choose(
    mut rows: Vec<(String, RecordedCall)>,
    session: &str,
    place: usize,
) -> Option<(String, RecordedCall)> {
    rows.retain(|(of, _)| of != session);
    let key = |(session, row): &(String, RecordedCall)| (row.at, row.ask.clone(), session.clone());
    rows.sort_by_key(key);
    rows.dedup_by(|later, earlier| later.1.at == earlier.1.at && later.1.ask == earlier.1.ask);
    let order = |(session, row): &(String, RecordedCall)| (row.at, session.clone(), row.asked);
    rows.sort_by_key(order);
    rows.into_iter().nth(place)
}

/// Returns the id of the corresponding ask of another seat: `phase2/round/1/statement/Ana#1` for Ben is
/// `phase2/round/1/statement/Ben#1`.
#[must_use]
pub fn same_ask_of(ask: &Ask, seat: &str) -> Option<String> {
    let (place, attempt) = ask.id.rsplit_once('#')?;
    let before = place.strip_suffix(ask.seat.as_str())?;
    Some(format!("{before}{seat}#{attempt}"))
}

/// Returns whether the ask is a participant's turn; sources use models too, for other tasks.
fn is_model_call(ask: &Ask, request: &Request) -> bool {
    request.model.is_some() && !matches!(ask.kind.name(), asks::CONTEXT | asks::SIMILARITY)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn entry(seq: u64, what: serde_json::Value) -> Rc<Entry> {
        Rc::new(serde_json::from_value(json!({ "seq": seq, "at": 100 + seq, "what": what })).unwrap())
    }

    fn started(forked_from: serde_json::Value) -> Rc<Entry> {
        entry(
            0,
            json!({ "type": "started", "engine": "e", "session": "s", "protocol": "p", "seed": 1, "config": {},
                    "config_hash": "", "forked_from": forked_from }),
        )
    }

    fn asked(seq: u64, id: &str, model: Option<&str>, text: &str) -> Rc<Entry> {
        let seat = id.split(['/', '#']).nth(1).unwrap();
        entry(
            seq,
            json!({ "type": "asked", "time_limits": [],
                    "ask": { "id": id, "seat": seat, "kind": "statement", "phase": 1, "round": 1, "attempt": 1, "language": "en" },
                    "request": { "system": text, "messages": [], "max_tokens": 5, "model": model, "base_url": "https://a.b" } }),
        )
    }

    fn answered(seq: u64, ask: &str, attempt: u32, recorded: serde_json::Value) -> Rc<Entry> {
        let reply = json!({ "text": "yes", "recorded": recorded });
        entry(
            seq,
            json!({ "type": "answered", "ask": ask, "attempt": attempt, "reply": reply }),
        )
    }

    fn sent(seq: u64, ask: &str, attempt: u32) -> Rc<Entry> {
        entry(seq, json!({ "type": "sent", "ask": ask, "attempt": attempt }))
    }

    #[test]
    fn equal_requests_have_distinct_places_and_answers_are_found_by_hash() {
        let mut calls = Calls::default();
        let null = serde_json::Value::Null;
        assert_eq!(calls.take(&started(null.clone())), None);
        for (seq, id, model, text) in [
            (1, "r/Ana#1", Some("m"), "same"),
            (2, "r/Ben#1", Some("m"), "same"),
            (3, "r/Cleo#1", Some("m"), "other"),
            (4, "r/Dora#1", None, "same"),
        ] {
            assert_eq!(calls.take(&asked(seq, id, model, text)), None);
        }
        let places = ["r/Ana#1", "r/Ben#1", "r/Cleo#1"].map(|ask| calls.place(ask).unwrap().1);
        assert_eq!(places, [0, 1, 0]);
        assert_eq!(calls.place("r/Dora#1"), None, "no model");
        let hash = calls.place("r/Ana#1").unwrap().0.to_owned();
        assert_eq!(calls.place("r/Ben#1").unwrap().0, hash);
        let row = calls.take(&answered(5, "r/Ben#1", 1, null.clone())).unwrap();
        assert_eq!((row.hash, row.at, row.asked, row.seq), (hash, 102, 2, 5));
        let from = json!({ "session": "x", "seq": 9 });
        assert_eq!(calls.take(&answered(6, "r/Ana#1", 1, from)), None, "was recorded");
        assert_eq!(calls.take(&answered(7, "r/Dora#1", 1, null)), None);
        assert_eq!(calls.next(), 8);
    }

    #[test]
    fn a_fallback_answer_is_found_by_its_own_request() {
        let mut calls = Calls::default();
        let id = "r/Ana#1";
        calls.take(&started(serde_json::Value::Null));
        calls.take(&asked(1, id, Some("m"), "text"));
        let first = calls.place(id).unwrap().0.to_owned();
        let failed = |seq, attempt| {
            let failure = json!({ "kind": "key", "message": "" });
            entry(
                seq,
                json!({ "type": "failed", "ask": id, "attempt": attempt, "failure": failure }),
            )
        };
        let fell_back = json!({ "type": "fell_back", "ask": id, "seat": "Ana", "model": "n", "base_url": "https://c.d", "because": "failed" });
        for entry in [sent(2, id, 1), failed(3, 1), entry(4, fell_back), sent(5, id, 2)] {
            assert_eq!(calls.take(&entry), None);
        }
        let second = calls.place(id).unwrap().0.to_owned();
        assert_ne!(first, second);
        let early = answered(6, id, 1, serde_json::Value::Null);
        assert_eq!(calls.clone().take(&early), None, "the first model's answer");
        let row = calls
            .clone()
            .take(&answered(6, id, 2, serde_json::Value::Null))
            .unwrap();
        assert_eq!((row.hash, row.asked), (second, 4));
        // After a resume, the first model is used again.
        let resumed = json!({ "type": "commanded", "command": { "do": "resume" } });
        for entry in [failed(6, 2), entry(7, resumed), sent(8, id, 3)] {
            calls.take(&entry);
        }
        let row = calls.take(&answered(9, id, 3, serde_json::Value::Null)).unwrap();
        assert_eq!((row.hash, row.asked), (first, 1));
    }

    #[test]
    fn a_branch_has_rows_for_its_own_answers_only() {
        let mut calls = Calls::default();
        calls.take(&started(json!({ "session": "x", "seq": 3 })));
        calls.take(&asked(1, "r/Ana#1", Some("m"), "a"));
        calls.take(&asked(2, "r/Ben#1", Some("m"), "b"));
        assert_eq!(
            calls.take(&answered(3, "r/Ana#1", 1, serde_json::Value::Null)),
            None
        );
        assert!(
            calls
                .take(&answered(4, "r/Ben#1", 1, serde_json::Value::Null))
                .is_some()
        );
    }

    #[test]
    fn the_nth_equal_request_gets_the_nth_answer_and_a_copy_counts_once() {
        let row = |session: &str, at, ask: &str| {
            let row = RecordedCall {
                hash: String::new(),
                at,
                asked: at,
                ask: ask.to_owned(),
                seq: at,
            };
            (session.to_owned(), row)
        };
        let rows = vec![
            row("b", 3, "z"),
            row("a", 1, "x"),
            row("c", 1, "x"),
            row("a", 2, "y"),
            row("own", 0, "w"),
        ];
        let chosen = |place| choose(rows.clone(), "own", place).map(|(session, row)| (session, row.at));
        assert_eq!(chosen(0), Some(("a".to_owned(), 1)));
        assert_eq!(chosen(1), Some(("a".to_owned(), 2)));
        assert_eq!(chosen(2), Some(("b".to_owned(), 3)));
        assert_eq!(chosen(3), None);
    }

    #[test]
    fn ids_of_corresponding_asks_follow_the_seat() {
        let EntryKind::Asked { ask, .. } = &asked(1, "phase1/Ana#2", None, "").what else {
            unreachable!()
        };
        assert_eq!(same_ask_of(ask, "Ben").unwrap(), "phase1/Ben#2");
    }
}
