//! The section of a report about costs, by seat and in total, for runs with models. Unknown costs are marked as unknown.

use super::escape::inline;
use super::markdown::Report;
use crate::core::ask_log::AskLogs;
use crate::core::prices::REPORTED_CURRENCY;
use crate::core::record::Entry;
use crate::costs::tally::{TokenSum, tally};
use crate::seat::SeatKind;
use serde_json::{Value, json};
use std::rc::Rc;

pub(super) fn write(report: &mut Report, record: &[Rc<Entry>]) {
    let costs = tally(record, &AskLogs::of(record));
    let is_model = |name: &str| {
        let mut calls = costs.calls.iter();
        calls.any(|call| call.seat == name && call.seat_kind == SeatKind::Model)
    };
    let models: Vec<_> = costs.seats.iter().filter(|seat| is_model(&seat.seat)).collect();
    if models.is_empty() {
        return;
    }
    let heading = report.label("costs", &[]);
    report.heading(2, &heading);
    let currency = costs.currency.as_deref().unwrap_or(REPORTED_CURRENCY);
    let row = |report: &Report, name: String, sum: &TokenSum| {
        vec![
            name,
            sum.tries.to_string(),
            sum.reported.input.to_string(),
            sum.reported.output.to_string(),
            sum.estimated
                .input
                .saturating_add(sum.estimated.output)
                .to_string(),
            format_cost(report, sum, currency),
        ]
    };
    let mut rows: Vec<Vec<String>> = models
        .iter()
        .map(|seat| row(report, inline(&seat.seat), &seat.sum))
        .collect();
    let mut all = TokenSum::default();
    models.iter().for_each(|seat| all.add(&seat.sum));
    let total = report.label("total", &[]);
    rows.push(row(report, total, &all));
    let columns = [
        "participant",
        "costs.tries",
        "costs.in",
        "costs.out",
        "costs.estimated",
        "costs.money",
    ];
    let columns = report.labels(&columns);
    report.table(&columns, &rows);
    if let Some(date) = &costs.date {
        let note = report.label("costs.dated", &[("date", date)]);
        report.block(&note);
    }
    if all.untold > 0 {
        let note = report.label("costs.untold", &[("count", &all.untold)]);
        report.block(&note);
    }
}

/// Returns the costs as JSON, or `None` for runs without models.
pub(super) fn to_json(record: &[Rc<Entry>], asks: &AskLogs) -> Option<Value> {
    let costs = tally(record, asks);
    let mut calls = costs.calls.iter();
    calls.find(|call| call.seat_kind == SeatKind::Model)?;
    let currency = costs.currency.as_deref().unwrap_or(REPORTED_CURRENCY);
    Some(json!({ "currency": currency, "date": costs.date, "seats": costs.seats, "run": costs.run }))
}

fn format_cost(report: &Report, sum: &TokenSum, currency: &str) -> String {
    let known = format!("{} {}", format_amount(sum.money.all().units()), inline(currency));
    let is_zero = sum.money.all() == Default::default();
    if sum.unknown == 0 {
        known
    } else if is_zero {
        report.label("costs.unknown", &[])
    } else {
        report.label("costs.partly", &[("known", &known), ("count", &sum.unknown)])
    }
}

/// Formats an amount with up to six decimals, without trailing zeros.
fn format_amount(units: f64) -> String {
    let text = format!("{units:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::ask::Usage;
    use crate::core::record::EntryKind;
    use crate::export::samples;
    use crate::language::Language;
    use crate::language::words::Words;
    use std::collections::BTreeMap;

    fn section(prices: bool, language: Language) -> String {
        let mut record = samples::record();
        for entry in &mut record {
            let mut changed = (**entry).clone();
            match &mut changed.what {
                EntryKind::Started(head) if prices => {
                    head.config["prices"] = json!({ "currency": "EUR", "date": "2026-11-22",
                        "models": { "m-1": { "input": 2, "output": 4 } } });
                }
                EntryKind::Failed { failure, .. } => failure.usage = Some(Usage::of(1_000, 5)),
                _ => {}
            }
            *entry = Rc::new(changed);
        }
        let mut report = Report::new(Words::new(&crate::export::TEXTS, language, &BTreeMap::new()));
        write(&mut report, &record);
        report.finish()
    }

    #[test]
    fn known_and_unknown_costs_are_distinguished() {
        let known = section(true, Language::English);
        assert!(known.contains("| Bo | 2 | 1000 | 5 |"), "{known}");
        assert!(
            known.contains("EUR") && known.contains("2026-11-22") && !known.contains("unknown"),
            "{known}"
        );
        let unknown = section(false, Language::English);
        assert!(
            unknown.contains("unknown") && !unknown.contains("USD"),
            "{unknown}"
        );
        for language in Language::ALL {
            assert!(section(true, language).starts_with("## "));
        }
    }

    #[test]
    fn json_only_for_runs_with_models() {
        let to_json = |record: Vec<Rc<Entry>>| to_json(&record, &AskLogs::of(&record));
        let costs = to_json(samples::record()).unwrap();
        assert_eq!(
            (&costs["run"]["unknown"], &costs["date"]),
            (&json!(1), &json!(null))
        );
        assert_eq!(to_json(samples::saying("a")), None);
    }

    #[test]
    fn amounts_are_short() {
        assert_eq!(
            [0.0, 0.5, 1.25, 0.000_123_4, 12.0].map(format_amount),
            ["0", "0.5", "1.25", "0.000123", "12"]
        );
    }
}
