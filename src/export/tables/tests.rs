//! Tables of hand-made records. `tests/native/tables.rs` tests whole runs.

use super::super::csv_reader::{column, read};
use super::super::samples;
use super::*;
use crate::core::ask::Request;

fn asks(record: &[Rc<Entry>]) -> Vec<Vec<String>> {
    let mut tables = Tables::new(Style {
        has_prompts: true,
        ..Style::default()
    });
    tables.add(record).unwrap();
    read(&tables.table(Format::Table(4)).unwrap().text)
}

#[test]
fn one_row_per_ask() {
    let rows = asks(&samples::record());
    assert!(rows.iter().all(|row| row.len() == ask_columns(true).len()));
    let cells = |name| column(&rows, name);
    assert_eq!(
        cells("kind"),
        ["initial_ranking", "statement", "statement", "ballot_amount"]
    );
    assert_eq!(cells("seat"), ["Ana", "Ana", "Bo", "Bo"]);
    assert_eq!(cells("seat_kind"), ["scripted", "scripted", "model", "model"]);
    assert_eq!(cells("round"), ["", "1", "1", "1"]);
    assert_eq!(cells("status"), ["answered", "answered", "no_answer", "open"]);
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
    // The scripted seat is free; the cost of the model's late answer is unknown.
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
fn settings_are_reported_as_sent() {
    let mut record = samples::record();
    for entry in &mut record {
        let mut changed = (**entry).clone();
        match &mut changed.what {
            EntryKind::Asked { request, .. } => {
                let temperature = Some(0.7);
                *request = Rc::new(Request {
                    temperature,
                    ..(**request).clone()
                });
            }
            EntryKind::Answered { reply, .. } => {
                reply.left_out = vec!["temperature".to_owned()];
                reply.allowed_tokens = Some(8_000);
            }
            _ => {}
        }
        *entry = Rc::new(changed);
    }
    let rows = asks(&record);
    assert_eq!(column(&rows, "temperature"), ["", "", "0.7", "0.7"]);
    assert_eq!(column(&rows, "max_tokens"), ["8000", "8000", "2000", "2000"]);
}
