//! One row per ask, for statistics programs: RFC 4180, UTF-8 without a byte order mark, CRLF between
//! rows. [`COLUMNS`] says what stands in them. An empty cell means: does not apply, was not told, has
//! not come yet; nothing is filled in.
//!
//! Text is kept as it is, line breaks, commas and NUL included, with one change that can be undone: a
//! spreadsheet takes a cell that begins with `=`, `+`, `-` or `@` for a formula, and a model may well
//! answer with one. So text cells that begin like that (after any apostrophes) get an apostrophe in
//! front; take one away from cells that match `^'+[=+@\t\r\n＝＋－＠-]` to have the exact text, or write
//! with [`Formulas::AsTheyAre`]. Numbers and times are never changed.
//!
//! Own code and not the crate `csv`: writing needs a dozen lines, and the crate would add some 25 kB
//! to a module that every visitor downloads. The tests read the output back with a reader of theirs.

use crate::core::ask::{AnsweredAs, Ask, Millis, Reply, Request};
use crate::core::prices::{Money, TOLD_IN};
use crate::core::record::{Entry, Started, What};
use crate::core::requests::Requests;
use crate::costs::tally::{CallCost, Costs, Sum, Tokens, tally};
use crate::language::format::timestamp as iso;
use crate::procedures::summary::seats;
use crate::sorted::SortedMap;
use serde_json::Value;
use std::rc::Rc;

/// The columns in their order, each with what stands in it.
pub const COLUMNS: [(&str, &str); 54] = [
    ("session", "id of the run"),
    ("config_hash", "SHA-256 of the configuration, hex"),
    ("seed", "seed of the run's random streams"),
    ("seq", "place of the question in the record, from 0"),
    ("ask", "stable id of the question"),
    ("seat", "name of the participant"),
    (
        "seat_kind",
        "scripted (simulated), model, human, custom or recorded",
    ),
    ("kind", "what was wanted, e.g. statement"),
    ("phase", "1 or 2"),
    ("round", "round within the phase; empty outside rounds"),
    (
        "attempt",
        "1; 2 and more where an answer could not be used and it was asked again",
    ),
    ("language", "en, es or zh"),
    (
        "status",
        "answered, unanswered (no answer in time, or no longer wanted) or open",
    ),
    ("tries", "times that the call was sent"),
    ("failures", "calls that failed"),
    ("timeouts", "calls whose time was up"),
    ("late", "answers that came when it was too late to count them"),
    ("last_failure", "kind of the last failure, e.g. rate_limit"),
    ("model_asked", "model that was asked for"),
    ("model_answered", "model that answered, as the provider names it"),
    ("base_url", "endpoint"),
    ("temperature", "sampling temperature as sent"),
    ("max_tokens", "limit of the answer's length as sent, tokens"),
    ("tokens_in", "tokens of the question as the provider counts them"),
    ("tokens_out", "tokens of the answer as the provider counts them"),
    ("finish", "why the answer ended, as the provider names it"),
    (
        "answered_as",
        "how the answer came to the form that was asked for: native, text or free; empty where none was",
    ),
    ("queued_at", "when the protocol asked, ISO 8601 UTC"),
    (
        "sent_at",
        "when the call that was answered was sent, else the last one",
    ),
    ("first_piece_at", "when the first piece of the answer came"),
    ("done_at", "when the answer was there, or when it was given up"),
    ("seconds", "from sending to the whole answer"),
    (
        "read_value",
        "what the answer was read as: text, number, true, false or JSON",
    ),
    ("read_how", "which rule read it"),
    ("read_reason", "why it could not be read"),
    ("answer_characters", "Unicode scalar values of the answer"),
    ("answer", "the answer as it came"),
    (
        "reasoning",
        "reasoning that the provider gave apart from the answer",
    ),
    ("system", "system text of the question"),
    ("prompt", "the question; JSON where it has several turns"),
    ("engine", "version that wrote the record"),
    ("provider", "whose model was asked"),
    (
        "tokens_reasoning",
        "those of tokens_out that were thoughts, where the provider told",
    ),
    (
        "tokens_cached",
        "those of tokens_in out of the provider's cache, where it told",
    ),
    (
        "tokens_counted",
        "reported (by the provider) or estimated, of the answer; empty for people",
    ),
    (
        "tokens_in_estimated",
        "tokens of the question where nobody counted them",
    ),
    (
        "tokens_out_estimated",
        "tokens of the answer where nobody counted them",
    ),
    (
        "cost",
        "money of all tries; empty where it is unknown, 0 on this machine",
    ),
    (
        "cost_source",
        "reported (by the provider), computed (from tokens reported) or estimated (from tokens estimated)",
    ),
    ("currency", "of the cost"),
    ("price_date", "day of the prices that it was worked out with"),
    (
        "fallbacks",
        "times that the call went on to another model of the seat; model_asked and base_url name the last",
    ),
    (
        "recorded_session",
        "id of the saved session that the answer was taken from, at no cost",
    ),
    ("recorded_seq", "its entry there"),
];

/// What is done with text that a spreadsheet would take for a formula.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Formulas {
    /// It gets an apostrophe in front.
    Guarded,
    /// It stays: for programs that take cells as data.
    AsTheyAre,
}

/// The asks of a record as CSV with a header; only the header for a record without its head.
#[must_use]
pub fn asks(record: &[Rc<Entry>], formulas: Formulas) -> String {
    let mut table = Table::new(formulas);
    for (name, _) in COLUMNS {
        table.text(name);
    }
    table.end_row();
    let Some(What::Started(head)) = record.first().map(|entry| &entry.what) else {
        return table.text;
    };
    let kinds: SortedMap<String, &str> = seats(head).into_iter().collect();
    let costs = tally(record);
    let calls: SortedMap<&str, &CallCost> =
        costs.calls.iter().map(|call| (call.ask.as_str(), call)).collect();
    for row in rows(record) {
        write(&mut table, head, kinds.get(&row.ask.seat).copied(), &row);
        write_costs(&mut table, &costs, calls.get(row.ask.id.as_str()).copied(), &row);
        write_stand_in(&mut table, &row);
        table.end_row();
    }
    table.text
}

/// What the record tells of an ask.
struct Row<'a> {
    seq: u64,
    queued_at: Millis,
    ask: &'a Ask,
    request: Rc<Request>,
    fallbacks: u32,
    tries: u32,
    failures: u32,
    timeouts: u32,
    late: u32,
    last_failure: Option<Value>,
    /// When each try was sent.
    sent: SortedMap<u32, Millis>,
    reply: Option<(&'a Reply, u32)>,
    done_at: Option<Millis>,
    reading: Option<&'a Value>,
}

fn rows(record: &[Rc<Entry>]) -> Vec<Row<'_>> {
    let mut rows: Vec<Row> = Vec::new();
    let mut places: SortedMap<&str, usize> = SortedMap::new();
    let mut requests = Requests::default();
    for entry in record {
        requests.take(&entry.what);
        let id = match &entry.what {
            What::Asked { ask, request, .. } => {
                places.insert(&ask.id, rows.len());
                rows.push(Row {
                    seq: entry.seq,
                    queued_at: entry.at,
                    ask,
                    request: Rc::clone(request),
                    fallbacks: 0,
                    tries: 0,
                    failures: 0,
                    timeouts: 0,
                    late: 0,
                    last_failure: None,
                    sent: SortedMap::new(),
                    reply: None,
                    done_at: None,
                    reading: None,
                });
                continue;
            }
            What::Sent { ask, .. }
            | What::Answered { ask, .. }
            | What::Failed { ask, .. }
            | What::TimedOut { ask, .. }
            | What::Late { ask, .. }
            | What::Unanswered { ask }
            | What::Withdrawn { ask }
            | What::FellBack { ask, .. }
            | What::Read { ask, .. } => ask,
            _ => continue,
        };
        let Some(row) = places.get(id.as_str()).and_then(|place| rows.get_mut(*place)) else {
            continue;
        };
        match &entry.what {
            What::FellBack { .. } => row.fallbacks += 1,
            What::Sent { attempt, .. } => {
                if let Some(request) = requests.of(id) {
                    row.request = Rc::clone(request);
                }
                row.tries += 1;
                row.sent.insert(*attempt, entry.at);
            }
            What::Answered { reply, attempt, .. } => {
                row.reply = Some((reply, *attempt));
                row.done_at = Some(entry.at);
            }
            What::Failed { failure, .. } => {
                row.failures += 1;
                row.last_failure = serde_json::to_value(failure.kind).ok();
            }
            What::TimedOut { .. } => row.timeouts += 1,
            What::Late { .. } => row.late += 1,
            What::Unanswered { .. } | What::Withdrawn { .. } => row.done_at = Some(entry.at),
            What::Read { reading, .. } => row.reading = Some(reading),
            _ => {}
        }
    }
    rows
}

fn write(table: &mut Table, head: &Started, seat_kind: Option<&str>, row: &Row) {
    let (ask, request) = (row.ask, &row.request);
    let reply = row.reply.map(|(reply, _)| reply);
    let tried = row
        .reply
        .map(|(_, attempt)| attempt)
        .or(row.sent.keys().last().copied());
    let sent_at = reply
        .and_then(|reply| reply.sent_at)
        .or_else(|| row.sent.get(&tried?).copied());
    let answered_at = row.done_at.filter(|_| reply.is_some());
    let usage = reply.and_then(|reply| reply.usage);
    let status = match (reply, row.done_at) {
        (Some(_), _) => "answered",
        (None, Some(_)) => "unanswered",
        (None, None) => "open",
    };
    let value = row.reading.and_then(|reading| reading.get("value"));
    let of_reading = |key| {
        row.reading
            .and_then(|reading| reading.get(key))
            .and_then(Value::as_str)
    };

    table.text(&head.session);
    table.text(&head.config_hash);
    table.plain(head.seed);
    table.plain(row.seq);
    table.text(&ask.id);
    table.text(&ask.seat);
    table.maybe_text(seat_kind);
    table.text(ask.kind.name());
    table.plain(ask.phase);
    table.maybe(ask.round);
    table.plain(ask.attempt);
    table.text(ask.language.code());
    table.text(status);
    table.plain(row.tries);
    table.plain(row.failures);
    table.plain(row.timeouts);
    table.plain(row.late);
    table.maybe_text(row.last_failure.as_ref().and_then(Value::as_str));
    table.maybe_text(request.model.as_deref());
    table.maybe_text(reply.and_then(|reply| reply.model.as_deref()));
    table.maybe_text(request.base_url.as_deref());
    let is_left_out = |name: &str| reply.is_some_and(|reply| reply.left_out.iter().any(|one| one == name));
    table.maybe(request.temperature.filter(|_| !is_left_out("temperature")));
    let allowed = reply.and_then(|reply| reply.allowed_tokens);
    table.plain(allowed.unwrap_or(request.max_tokens));
    table.maybe(usage.map(|usage| usage.input));
    table.maybe(usage.map(|usage| usage.output));
    table.maybe_text(reply.and_then(|reply| reply.finish.as_deref()));
    table.maybe_text(reply.and_then(|reply| reply.answered_as).map(AnsweredAs::name));
    table.plain(iso(row.queued_at));
    table.maybe(sent_at.map(iso));
    table.maybe(reply.and_then(|reply| reply.first_piece_at).map(iso));
    table.maybe(row.done_at.map(iso));
    table.maybe(
        answered_at
            .and_then(|done| done.checked_sub(sent_at?))
            .map(|millis| millis as f64 / 1000.0),
    );
    match value {
        None | Some(Value::Null) => table.plain(""),
        Some(Value::String(text)) => table.text(text),
        Some(Value::Number(number)) => table.plain(number),
        Some(other) => table.text(&other.to_string()),
    }
    table.maybe_text(of_reading("how"));
    table.maybe_text(of_reading("reason"));
    table.maybe(reply.map(|reply| reply.text.chars().count()));
    table.maybe_text(reply.map(|reply| reply.text.as_str()));
    table.maybe_text(reply.and_then(|reply| reply.reasoning.as_deref()));
    table.text(&request.system);
    match request.messages.as_slice() {
        [only] => table.text(&only.content),
        several => table.text(&serde_json::to_string(several).unwrap_or_default()),
    }
    table.text(&head.engine);
}

fn write_costs(table: &mut Table, costs: &Costs, call: Option<&CallCost>, row: &Row) {
    let usage = row.reply.and_then(|(reply, _)| reply.usage);
    let sum = call.map(|call| call.sum);
    table.maybe_text(call.and_then(|call| call.provider.as_deref()));
    table.maybe(usage.and_then(|usage| usage.reasoning));
    table.maybe(usage.and_then(|usage| usage.cached));
    let counted = match (sum, row.reply, usage) {
        (Some(_), Some(_), Some(_)) => "reported",
        (Some(_), Some(_), None) => "estimated",
        _ => "",
    };
    table.plain(counted);
    let estimated = sum.map(|sum| sum.estimated).filter(|_| counted == "estimated");
    table.maybe(estimated.map(|tokens| tokens.input));
    table.maybe(estimated.map(|tokens| tokens.output));
    let took = |sum: &Sum| sum.reported != Tokens::default() || sum.estimated != Tokens::default();
    let known = sum.filter(|sum| sum.unknown + sum.own == 0 && took(sum));
    table.maybe(known.map(|sum| sum.money.all().units()));
    let nothing = Money::default();
    table.plain(match known.map(|sum| sum.money) {
        Some(money) if money.estimated != nothing => "estimated",
        Some(money) if money.computed != nothing => "computed",
        Some(money) if money.told != nothing => "reported",
        _ => "",
    });
    let paid = known.filter(|sum| sum.money.all() != nothing);
    table.maybe_text(paid.map(|_| costs.currency.as_deref().unwrap_or(TOLD_IN)));
    let by_price = paid.filter(|sum| sum.money.computed.plus(sum.money.estimated) != nothing);
    table.maybe_text(by_price.and(costs.date.as_deref()));
}

/// Where the answer came from, where that was not the seat's own first model.
fn write_stand_in(table: &mut Table, row: &Row) {
    table.plain(row.fallbacks);
    let recorded = row.reply.and_then(|(reply, _)| reply.recorded.as_ref());
    table.maybe_text(recorded.map(|from| from.session.as_str()));
    table.maybe(recorded.map(|from| from.seq));
}

/// The writer: cells from left to right.
pub(super) struct Table {
    text: String,
    formulas: Formulas,
    at_start: bool,
}

impl Table {
    pub(super) fn new(formulas: Formulas) -> Self {
        Self {
            text: String::new(),
            formulas,
            at_start: true,
        }
    }

    pub(super) fn done(self) -> String {
        self.text
    }

    fn separate(&mut self) {
        if !self.at_start {
            self.text.push(',');
        }
        self.at_start = false;
    }

    pub(super) fn end_row(&mut self) {
        self.text.push_str("\r\n");
        self.at_start = true;
    }

    /// A number or a time: nothing that needs quotes.
    pub(super) fn plain(&mut self, value: impl std::fmt::Display) {
        self.separate();
        self.text.push_str(&value.to_string());
    }

    fn maybe<T: std::fmt::Display>(&mut self, value: Option<T>) {
        match value {
            Some(value) => self.plain(value),
            None => self.plain(""),
        }
    }

    pub(super) fn text(&mut self, text: &str) {
        self.separate();
        let guard = self.formulas == Formulas::Guarded && looks_like_formula(text);
        let quoted = text.contains([',', '"', '\r', '\n']) || text.starts_with(' ') || text.ends_with(' ');
        if quoted {
            self.text.push('"');
        }
        if guard {
            self.text.push('\'');
        }
        if quoted {
            self.text.push_str(&text.replace('"', "\"\""));
            self.text.push('"');
        } else {
            self.text.push_str(text);
        }
    }

    pub(super) fn maybe_text(&mut self, text: Option<&str>) {
        match text {
            Some(text) => self.text(text),
            None => self.plain(""),
        }
    }
}

/// Apostrophes count as not there, so that the guard can be taken off again.
fn looks_like_formula(text: &str) -> bool {
    text.trim_start_matches('\'')
        .starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'])
}

#[cfg(test)]
pub(crate) mod tests {
    use super::super::samples;
    use super::*;
    use proptest::prelude::*;

    /// A reader by RFC 4180 that takes nothing else.
    pub(crate) fn read(text: &str) -> Vec<Vec<String>> {
        let (mut rows, mut row, mut cell) = (Vec::new(), Vec::new(), String::new());
        let mut characters = text.chars().peekable();
        while let Some(character) = characters.next() {
            match character {
                '"' => {
                    assert!(cell.is_empty(), "a quote inside a plain cell");
                    loop {
                        match characters.next().expect("the quotes are closed") {
                            '"' if characters.peek() == Some(&'"') => cell.extend(characters.next()),
                            '"' => break,
                            other => cell.push(other),
                        }
                    }
                    assert!(
                        matches!(characters.peek(), Some(',' | '\r')),
                        "text after the closing quote"
                    );
                }
                ',' => row.push(std::mem::take(&mut cell)),
                '\r' => {
                    assert_eq!(characters.next(), Some('\n'));
                    row.push(std::mem::take(&mut cell));
                    rows.push(std::mem::take(&mut row));
                }
                '\n' => panic!("a bare line feed"),
                other => cell.push(other),
            }
        }
        assert!(row.is_empty() && cell.is_empty(), "the last row is not ended");
        rows
    }

    pub(crate) fn column(rows: &[Vec<String>], name: &str) -> Vec<String> {
        let at = rows[0].iter().position(|cell| cell == name).unwrap();
        rows[1..].iter().map(|row| row[at].clone()).collect()
    }

    fn unguarded(cell: &str) -> &str {
        if looks_like_formula(cell) {
            cell.strip_prefix('\'').expect("a guard")
        } else {
            cell
        }
    }

    #[test]
    fn a_row_per_ask_with_everything_known() {
        let rows = read(&asks(&samples::record(), Formulas::Guarded));
        assert!(rows.iter().all(|row| row.len() == COLUMNS.len()));
        let cells = |name| column(&rows, name);
        assert_eq!(
            cells("kind"),
            ["initial_ranking", "statement", "statement", "ballot_amount"]
        );
        assert_eq!(cells("seat"), ["Ana", "Ana", "Bo", "Bo"]);
        assert_eq!(cells("seat_kind"), ["scripted", "scripted", "model", "model"]);
        assert_eq!(cells("round"), ["", "1", "1", "1"]);
        assert_eq!(cells("status"), ["answered", "answered", "unanswered", "open"]);
        assert_eq!(cells("tries"), ["1", "1", "2", "0"]);
        assert_eq!(cells("failures"), ["0", "0", "1", "0"]);
        assert_eq!(cells("timeouts"), ["0", "0", "1", "0"]);
        assert_eq!(cells("late"), ["0", "0", "1", "0"]);
        assert_eq!(cells("last_failure"), ["", "", "rate_limit", ""]);
        assert_eq!(cells("model_asked"), ["", "", "m-1", "m-1"]);
        assert_eq!(cells("model_answered"), ["", "m-1-2026", "", ""]);
        assert_eq!(cells("tokens_in"), ["", "120", "", ""]);
        assert_eq!(cells("tokens_counted"), ["estimated", "reported", "", ""]);
        assert_eq!(cells("tokens_out_estimated")[1..], ["", "", ""]);
        // The scripted seat costs nothing; nobody knows what the model's late answer cost.
        assert_eq!(cells("cost"), ["0", "0", "", ""]);
        assert_eq!(cells("cost_source"), ["", "", "", ""]);
        assert_eq!(cells("temperature"), ["", "", "0.7", "0.7"]);
        assert_eq!(cells("answered_as"), ["", "native", "", ""]);
        assert_eq!(cells("queued_at")[0], "2026-01-01T00:00:01.000Z");
        assert_eq!(cells("sent_at")[1], "2026-01-01T00:00:10.250Z");
        assert_eq!(cells("first_piece_at")[1], "2026-01-01T00:00:10.500Z");
        assert_eq!(cells("done_at")[1], "2026-01-01T00:00:12.000Z");
        assert_eq!(cells("seconds"), ["1", "1.75", "", ""]);
        assert_eq!(
            cells("read_value")[0],
            r#"{"certainty":"sure","order":["maximizing_floor"]}"#
        );
        assert_eq!(cells("read_how")[0], "numbered_list");
        assert_eq!(
            cells("answer")[1],
            "We should,\n\"all\" of us, think of the worst off."
        );
        assert_eq!(cells("answer_characters")[1], "47");
        assert_eq!(cells("prompt")[0], "Rank them.");
        assert!(cells("prompt")[3].starts_with(r#"[{"role":"user","content":"How much?"}"#));
    }

    #[test]
    fn settings_are_told_as_they_were_sent() {
        let mut record = samples::record();
        for entry in &mut record {
            let mut changed = (**entry).clone();
            match &mut changed.what {
                What::Asked { request, .. } => {
                    let temperature = Some(0.7);
                    *request = Rc::new(Request {
                        temperature,
                        ..(**request).clone()
                    });
                }
                What::Answered { reply, .. } => {
                    reply.left_out = vec!["temperature".to_owned()];
                    reply.allowed_tokens = Some(8_000);
                }
                _ => {}
            }
            *entry = Rc::new(changed);
        }
        let rows = read(&asks(&record, Formulas::Guarded));
        assert_eq!(column(&rows, "temperature"), ["", "", "0.7", "0.7"]);
        assert_eq!(column(&rows, "max_tokens"), ["8000", "8000", "2000", "2000"]);
    }

    #[test]
    fn hostile_text_stays_in_its_cell() {
        for text in samples::HOSTILE {
            let record = samples::saying(text);
            for formulas in [Formulas::Guarded, Formulas::AsTheyAre] {
                let rows = read(&asks(&record, formulas));
                let cell = &column(&rows, "answer")[0];
                let exact = if formulas == Formulas::Guarded {
                    unguarded(cell)
                } else {
                    cell
                };
                assert_eq!(exact, *text);
                assert!(formulas == Formulas::AsTheyAre || !cell.starts_with(['=', '+', '-', '@']));
            }
        }
    }

    #[test]
    fn only_text_is_guarded() {
        let mut table = Table {
            text: String::new(),
            formulas: Formulas::Guarded,
            at_start: true,
        };
        table.plain(-5);
        table.text("-5");
        table.text("'=1");
        table.text("it's");
        table.text("=1,2");
        assert_eq!(table.text, "-5,'-5,''=1,it's,\"'=1,2\"");
    }

    proptest! {
        #[test]
        fn any_text_comes_back(text in any::<String>()) {
            let record = samples::saying(&text);
            let exact = read(&asks(&record, Formulas::AsTheyAre));
            prop_assert_eq!(&column(&exact, "answer")[0], &text);
            let guarded = read(&asks(&record, Formulas::Guarded));
            let guarded = column(&guarded, "answer");
            prop_assert_eq!(unguarded(&guarded[0]), &text);
        }
    }
}
