//! What a run has cost, as a section of its report: by seat and all together. Only where models sit at
//! the table; what nobody knows is said to be unknown.

use super::escape::inline;
use super::markdown::Report;
use crate::core::prices::TOLD_IN;
use crate::core::record::Entry;
use crate::costs::tally::{TokenSum, tally};
use crate::seat::SeatKind;
use serde_json::{Value, json};
use std::rc::Rc;

pub(super) fn write(report: &mut Report, record: &[Rc<Entry>]) {
    let costs = tally(record);
    let is_model = |name: &str| {
        let mut calls = costs.calls.iter();
        calls.any(|call| call.seat == name && call.seat_kind == SeatKind::Model)
    };
    let models: Vec<_> = costs.seats.iter().filter(|seat| is_model(&seat.seat)).collect();
    if models.is_empty() {
        return;
    }
    let heading = report.say("costs", &[]);
    report.heading(2, &heading);
    let currency = costs.currency.as_deref().unwrap_or(TOLD_IN);
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
            price(report, sum, currency),
        ]
    };
    let mut rows: Vec<Vec<String>> = models
        .iter()
        .map(|seat| row(report, inline(&seat.seat), &seat.sum))
        .collect();
    let mut all = TokenSum::default();
    models.iter().for_each(|seat| all.add(&seat.sum));
    let total = report.say("total", &[]);
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
        let said = report.say("costs.dated", &[("date", date)]);
        report.block(&said);
    }
    if all.untold > 0 {
        let said = report.say("costs.untold", &[("count", &all.untold)]);
        report.block(&said);
    }
}

/// The same as data; `None` where no models sit at the table.
pub(super) fn brief(record: &[Rc<Entry>]) -> Option<Value> {
    let costs = tally(record);
    let mut calls = costs.calls.iter();
    calls.find(|call| call.seat_kind == SeatKind::Model)?;
    let currency = costs.currency.as_deref().unwrap_or(TOLD_IN);
    Some(json!({ "currency": currency, "date": costs.date, "seats": costs.seats, "run": costs.run }))
}

fn price(report: &Report, sum: &TokenSum, currency: &str) -> String {
    let known = format!("{} {}", digits(sum.money.all().units()), inline(currency));
    let nothing = sum.money.all() == Default::default();
    if sum.unknown == 0 {
        known
    } else if nothing {
        report.say("costs.unknown", &[])
    } else {
        report.say("costs.partly", &[("known", &known), ("count", &sum.unknown)])
    }
}

/// Up to six decimals, without zeros at the end.
fn digits(units: f64) -> String {
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
    use crate::procedures::justice;
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
        let mut report = Report::new([&justice::TEXTS, &justice::REPORT], language, &BTreeMap::new());
        write(&mut report, &record);
        report.done()
    }

    #[test]
    fn known_and_unknown_are_told_apart() {
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
    fn as_data_only_where_models_sit_at_the_table() {
        let told = brief(&samples::record()).unwrap();
        assert_eq!(
            (&told["run"]["unknown"], &told["date"]),
            (&json!(1), &json!(null))
        );
        assert_eq!(brief(&samples::saying("a")), None);
    }

    #[test]
    fn amounts_are_short() {
        assert_eq!(
            [0.0, 0.5, 1.25, 0.000_123_4, 12.0].map(digits),
            ["0", "0.5", "1.25", "0.000123", "12"]
        );
    }
}
