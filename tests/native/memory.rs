//! What whole debates leave behind: rows, receipts, ratings, and what the next debate gets to know.

use crate::support::hall;

use hall::{Hall, config, plain};
use proptest::prelude::*;
use quorate::core::ask::Millis;
use quorate::core::data::Data;
use quorate::core::record::{Entry, EntryKind};
use quorate::memory::gather::{Limits, gather};
use quorate::memory::ratings::{match_of, ratings_for, standings};
use quorate::memory::receipt::{Problem, content_hash, follows, last, verify, verify_chain};
use quorate::memory::settle::{Settlement, SettlementStatus, StoredRows, settle};
use quorate::memory::tiers::HOUR;
use quorate::memory::{Row, RowKind};
use quorate::procedures;
use quorate::procedures::debate::asks;
use serde_json::{Value, json};
use std::rc::Rc;

const START: Millis = 500_000 * HOUR;

/// The record of a debate under an id, that ended then.
fn record(id: &str, at: Millis, changes: Value, answer: hall::Answer<'_>) -> Vec<Rc<Entry>> {
    let hall = Hall::hold(&config(&["Ann", "Bob", "Cy"], changes), answer);
    let moved = |entry: &Rc<Entry>| {
        let mut entry = Entry::clone(entry);
        entry.at = at;
        if let EntryKind::Started(head) = &mut entry.what {
            head.session = id.to_owned();
        }
        Rc::new(entry)
    };
    hall.session.record().iter().map(moved).collect()
}

/// All vote for Ann, and votes decide.
fn held(id: &str, at: Millis) -> Vec<Rc<Entry>> {
    record(id, at, json!({ "consensus": "majority" }), &plain("Ann"))
}

/// The record with its result, or another of its values, changed.
fn changed(record: &[Rc<Entry>], change: impl Fn(&mut EntryKind)) -> Vec<Rc<Entry>> {
    let change = |entry: &Rc<Entry>| {
        let mut entry = Entry::clone(entry);
        change(&mut entry.what);
        Rc::new(entry)
    };
    record.iter().map(change).collect()
}

/// What is stored; grows as a browser's store does.
#[derive(Default, Clone)]
struct Store(Vec<Row>);

impl Store {
    fn put(&mut self, rows: Vec<Row>) {
        for row in rows {
            self.0.retain(|known| known.key() != row.key());
            self.0.push(row);
        }
    }

    fn settle(&mut self, record: &[Rc<Entry>], at: Millis) -> Option<Settlement> {
        let known = StoredRows {
            rows: &self.0,
            last_receipt: last(&self.0),
        };
        let settlement = settle(record, &known, at)?;
        let mut rows = settlement.rows.clone();
        rows.push(Settlement::receipt_row(settlement.receipt.clone()));
        rows.push(settlement.journal(&rows));
        self.put(rows);
        Some(settlement)
    }

    fn of(&self, kind: RowKind) -> Vec<&Row> {
        self.0.iter().filter(|row| row.kind == kind).collect()
    }

    fn memory(&self, id: &str) -> &Value {
        let row = self
            .0
            .iter()
            .find(|row| row.kind == RowKind::Memory && row.id == id);
        &row.unwrap_or_else(|| panic!("no {id}")).value
    }
}

#[test]
fn a_decision_is_kept_with_its_votes_and_the_evidence_that_was_cited() {
    let cites = |call: &quorate::core::ask::Call| match (call.ask.kind.name(), call.ask.seat.as_str()) {
        (asks::VOTE, "Bob") => Some("CHOICE: Ann\nCONFIDENCE: 0.9\nREASONING: see [EVID-2]".to_owned()),
        (asks::VOTE, _) => Some("CHOICE: Ann\nCONFIDENCE: 0.9\nREASONING: so".to_owned()),
        _ => plain("Ann")(call),
    };
    let context = json!([{ "title": "a", "text": "One." }, { "title": "b", "text": "Two." }]);
    let mut store = Store::default();
    store.settle(
        &record("d1", START, json!({ "context": context }), &cites),
        START + 5,
    );
    let row = store.of(RowKind::Knowledge)[0];
    let about = &row.value["about"];
    assert_eq!(
        (&row.value["confidence"], &about["winner"], &about["votes"]),
        (&json!(0.9), &json!("Ann"), &json!({ "for": 3, "cast": 3 }))
    );
    assert_eq!(
        about["evidence"],
        json!([{ "evidence": "2", "kind": "typed", "id": null, "title": "b" }])
    );
}

#[test]
fn a_debate_leaves_its_rows_once() {
    let record = held("d1", START);
    let mut store = Store::default();
    let settlement = store.settle(&record, START + 5).unwrap();
    let kinds: Vec<(&str, usize)> = RowKind::ALL
        .into_iter()
        .map(|(name, kind)| (name, store.of(kind).len()))
        .filter(|(_, count)| *count > 0)
        .collect();
    assert_eq!(
        kinds,
        [
            ("memory", 3),
            ("consensus", 1),
            ("knowledge", 1),
            ("debate", 1),
            ("match", 1),
            ("receipt", 1),
            ("journal", 1)
        ]
    );
    for (id, tier) in [
        ("outcome/d1", "medium"),
        ("transcript/d1", "fast"),
        ("decision/d1", "slow"),
    ] {
        assert_eq!(store.memory(id)["tier"], tier);
    }
    let decision = store.memory("decision/d1");
    assert_eq!(
        decision["receipt"]["content_hash"],
        settlement.receipt["content_hash"]
    );
    let parts = &settlement.report.parts;
    assert!(parts.iter().all(|part| part.status == SettlementStatus::Success));
    assert_eq!(parts.iter().map(|part| part.rows).sum::<usize>(), 8);
    assert_eq!(
        parts[0].store,
        RowKind::Match,
        "ratings first, as the seed has it"
    );
    // The same again gives the same; what is settled is not settled again.
    let again = settle(&record, &StoredRows::default(), START + 5).unwrap();
    assert_eq!(again, settlement);
    let before = store.0.clone();
    assert_eq!(store.settle(&record, START + 9), None);
    assert_eq!(store.0, before);
    let journal: Vec<Row> = store.of(RowKind::Journal).into_iter().cloned().collect();
    let known = StoredRows {
        rows: &journal,
        last_receipt: None,
    };
    assert_eq!(settle(&record, &known, START + 9), None);
}

#[test]
fn the_journal_is_over_all_rows_in_any_order() {
    let settlement = settle(&held("d1", START), &StoredRows::default(), START).unwrap();
    let mut rows = settlement.rows.clone();
    let journal = settlement.journal(&rows);
    assert_eq!((journal.kind, journal.id.as_str()), (RowKind::Journal, "d1"));
    rows.reverse();
    assert_eq!(settlement.journal(&rows), journal);
    rows[0].value["added"] = json!(1);
    assert_ne!(settlement.journal(&rows).value["digest"], journal.value["digest"]);
    rows.pop();
    assert_eq!(
        settlement.journal(&rows).value["rows"].as_array().unwrap().len() + 1,
        journal.value["rows"].as_array().unwrap().len()
    );
}

#[test]
fn only_debates_that_are_over_and_have_a_proposal_leave_anything() {
    let whole = held("d1", START);
    let known = StoredRows::default();
    assert_eq!(settle(&whole[..whole.len() - 1], &known, START), None);
    assert_eq!(settle(&[], &known, START), None);
    let failed = record("d2", START, json!({}), &|call| match call.ask.kind.name() {
        quorate::procedures::debate::asks::PROPOSAL => Some(String::new()),
        _ => plain("Ann")(call),
    });
    assert!(matches!(failed.last().unwrap().what, EntryKind::Ended { .. }));
    assert_eq!(settle(&failed, &known, START), None);
    let other = changed(&whole, |what| {
        if let EntryKind::Started(head) = what {
            head.protocol = "justice".to_owned();
        }
    });
    assert_eq!(settle(&other, &known, START), None);
}

#[test]
fn a_receipt_is_checked_against_the_record() {
    let record = held("d1", START);
    let receipt = settle(&record, &StoredRows::default(), START).unwrap().receipt;
    assert_eq!(verify(&receipt, Some(&record)), []);
    assert!(follows(&receipt, None));
    assert_eq!(receipt["verdict"], "approved");
    assert_eq!(receipt["supporting"], json!(["Ann", "Bob", "Cy"]), "{receipt}");
    // As text and back, as a file would bring it.
    let back: Value = serde_json::from_str(&receipt.to_string()).unwrap();
    assert_eq!(verify(&back, Some(&record)), []);
    let against = |change: &dyn Fn(&mut EntryKind)| verify(&receipt, Some(&changed(&record, change)));
    let found = against(&|what| {
        if let EntryKind::Answered { ask, reply, .. } = what
            && ask.contains("critique")
        {
            reply.text.push('!');
        }
    });
    assert_eq!(found, [Problem::MessagesRoot]);
    let found = against(&|what| {
        if let EntryKind::Ended { result } = what {
            result["final_answer"] = json!("Water.");
        }
    });
    assert!(found.contains(&Problem::Outcome), "{found:?}");
    let found = against(&|what| {
        if let EntryKind::Ended { result } = what {
            result["votes"][0]["cast"] = json!({ "for": "Bob" });
        }
    });
    assert!(
        found.contains(&Problem::Votes) && found.contains(&Problem::Views),
        "{found:?}"
    );
    let found = verify(&receipt, Some(&held("d2", START)));
    assert_eq!(found, [Problem::OtherDebate]);
    // Who changes the receipt and its hash is seen through by the record.
    let mut forged = receipt.clone();
    forged["confidence"] = json!(0.9);
    assert!(verify(&forged, None).contains(&Problem::ContentHash));
    forged["content_hash"] = json!(content_hash(&forged));
    assert_eq!(verify(&forged, None), []);
    assert_eq!(verify(&forged, Some(&record)), [Problem::Outcome]);
}

#[test]
fn what_several_debates_find_becomes_a_pattern_that_lasts() {
    let mut store = Store::default();
    for n in 1..=4_u64 {
        let at = START + n * HOUR;
        store.settle(&held(&format!("d{n}"), at), at).unwrap();
    }
    let pattern = store.of(RowKind::Memory);
    let pattern: Vec<&&Row> = pattern
        .iter()
        .filter(|row| row.id.starts_with("pattern/"))
        .collect();
    assert_eq!(pattern.len(), 1);
    assert_eq!(pattern[0].value["tier"], "glacial");
    assert_eq!(pattern[0].value["debates"], json!(["d1", "d2", "d3", "d4"]));
    // The first debate's memories were confirmed by the others; its transcript is laid aside.
    assert_eq!(store.memory("decision/d1")["successes"], 3);
    let newest = store.of(RowKind::Knowledge).pop().unwrap();
    assert_eq!(newest.value["references"].as_array().unwrap().len(), 3);
    assert_eq!(newest.value["references"][0]["relation"], "supports");
    let receipts: Vec<Value> = (1..=4)
        .map(|n| {
            let all = store.of(RowKind::Receipt);
            let own = all
                .iter()
                .find(|row| row.value["debate_id"] == format!("d{n}").as_str());
            own.unwrap().value.clone()
        })
        .collect();
    assert_eq!(verify_chain(&receipts), []);
    assert!(follows(&receipts[0], None));
    assert_eq!(last(&store.0), Some(&receipts[3]));
}

#[test]
fn the_next_debate_knows_and_what_it_used_is_weighed() {
    let mut store = Store::default();
    store.settle(&held("d1", START), START).unwrap();
    let items = gather(
        "Is tea or coffee better?",
        &store.0,
        &Limits::default(),
        START + HOUR,
    );
    let [item] = items.as_slice() else {
        panic!("{items:?}")
    };
    assert_eq!(
        (item.source, item.id.as_str()),
        (RowKind::Knowledge, "conclusion/d1")
    );
    assert_eq!(item.title, "Tea or coffee?");
    assert!(item.text.starts_with("ideaann0 "));
    let sure = 0.8;
    store.0.iter_mut().for_each(|row| {
        if row.id == "conclusion/d1" {
            row.value["confidence"] = json!(sure);
        }
    });
    let told = |record: &[Rc<Entry>], kind: &str| {
        changed(record, |what| {
            if let EntryKind::Event { event, .. } = what
                && event.value()["type"] == "gathered"
            {
                let mut gathered = event.value();
                gathered["sources"] = json!([{ "name": "Any", "kind": kind, "items": items, "left_out": 0 }]);
                *event = Data::of(&gathered);
            }
        })
    };
    let confidence = |store: &Store| -> f64 {
        let all = store.of(RowKind::Knowledge);
        let own = all.iter().find(|row| row.id == "conclusion/d1");
        own.unwrap().value["confidence"].as_f64().unwrap()
    };
    let mut good = store.clone();
    good.settle(&told(&held("d2", START + HOUR), "knowledge"), START + HOUR)
        .unwrap();
    assert!((confidence(&good) - (sure + 0.1 * (1.0 - sure))).abs() < 1e-12);
    // An id that a feed gives is none of ours.
    let mut same = store.clone();
    let feed = told(&held("d2", START + HOUR), "feed");
    same.settle(&feed, START + HOUR).unwrap();
    assert!((confidence(&same) - sure).abs() < 1e-12);
    let open = record(
        "d3",
        START + HOUR,
        json!({ "consensus": "unanimous" }),
        &|call| match (call.ask.kind.name(), call.ask.seat.as_str()) {
            (quorate::procedures::debate::asks::VOTE, "Bob") => {
                Some("CHOICE: Bob\nCONFIDENCE: 0.9\nCONTINUE: no\nREASONING: mine".to_owned())
            }
            _ => plain("Ann")(call),
        },
    );
    let mut bad = store.clone();
    let settlement = bad.settle(&told(&open, "knowledge"), START + HOUR).unwrap();
    assert!((confidence(&bad) - sure * 0.9).abs() < 1e-12);
    assert_eq!(bad.memory("decision/d1")["failures"], 1);
    let knowledge = settlement
        .report
        .parts
        .iter()
        .find(|part| part.store == RowKind::Knowledge)
        .unwrap();
    assert_eq!(
        (knowledge.status, knowledge.rows),
        (SettlementStatus::Success, 1),
        "weighed, but nothing new"
    );
    let consensus = bad.of(RowKind::Consensus);
    let own = &consensus.iter().find(|row| row.id == "d3").unwrap().value;
    assert_eq!(own["strength"], "split");
    // Nothing prevailed: every view is one of several.
    assert_eq!(own["agreeing"], json!([]));
    let dissents = own["dissents"].as_array().unwrap();
    assert_eq!(dissents.len(), 3);
    assert!(
        dissents
            .iter()
            .all(|dissent| dissent["kind"] == "alternative_approach")
    );
    // Nothing used, no consensus: nothing to write.
    let alone = settle(&open, &StoredRows::default(), START).unwrap();
    let knowledge = alone
        .report
        .parts
        .iter()
        .find(|part| part.store == RowKind::Knowledge)
        .unwrap();
    assert_eq!(
        (knowledge.status, knowledge.reason.as_deref()),
        (SettlementStatus::Skipped, Some("no_consensus"))
    );
}

#[test]
fn ratings_follow_from_the_records() {
    let mut store = Store::default();
    let mut rows = Vec::new();
    for (n, favourite) in ["Ann", "Bob", "Ann", "Cy"].into_iter().enumerate() {
        let at = START + n as u64 * HOUR;
        let changes = json!({ "consensus": "majority", "schedule": [
            { "kind": "propose" }, { "kind": "vote" },
        ] });
        let record = record(&format!("d{n}"), at, changes, &plain(favourite));
        store.settle(&record, at).unwrap();
        rows.extend(match_of(&record));
    }
    let found = standings(&store.0);
    rows.reverse();
    assert_eq!(standings(&rows), found);
    assert_eq!(found.len(), 3);
    assert_eq!((found["Ann"].games, found["Ann"].wins), (4, 2));
    assert_eq!(found["Ann"].calibration.predictions, 4);
    assert!((found["Ann"].calibration.brier.unwrap() - 0.04).abs() < 1e-12);
    assert!(found["Ann"].elo > found["Bob"].elo);
    let rated = ratings_for(&["Ann", "Nobody"], None, &store.0);
    assert_eq!(rated.len(), 1);
    assert_eq!(rated["Ann"].debates, 4);
    assert_eq!(rated["Ann"].elo, found["Ann"].elo);
}

#[test]
fn records_of_the_world_are_settled_without_a_fault() {
    // A whole debate in each language, and what it leaves can be found again.
    for (language, question) in [
        ("English", "Should a city close its centre to private cars?"),
        ("Spanish", "¿Debería una ciudad cerrar su centro a los coches?"),
        ("Mandarin", "城市应该禁止私家车进入市中心吗？"),
    ] {
        let mut config = config(&["Ann", "Bob", "Cy"], json!({ "language": language }));
        config["question"] = json!(question);
        procedures::check(&config).unwrap();
        let hall = Hall::hold(&config, &plain("Ann"));
        let record = hall.session.record();
        let mut store = Store::default();
        store.settle(&record, START).unwrap();
        let items = gather(question, &store.0, &Limits::default(), START);
        assert_eq!(items[0].title, question);
    }
}

/// A value in place of another.
fn junk() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "\\PC{0,12}".prop_map(Value::from),
        Just(json!([])),
        Just(json!({})),
        Just(json!([1, {"seat": "Ann"}, ["Ann", -1], {"voter": "x", "cast": "failed", "confidence": 7}])),
    ]
}

proptest! {
    #[test]
    fn whatever_the_result_says_it_ends(place in any::<prop::sample::Index>(), junk in junk(), at in any::<u64>()) {
        thread_local! {
            static RECORD: Vec<Rc<Entry>> = held("d1", START);
        }
        let record = RECORD.with(Clone::clone);
        let forged = changed(&record, |what| {
            if let EntryKind::Ended { result } = what {
                let fields = result.as_object_mut().unwrap();
                let at = place.index(fields.len());
                if let Some(value) = fields.values_mut().nth(at) {
                    *value = junk.clone();
                }
            }
        });
        let mut store = Store::default();
        store.settle(&record, START).unwrap();
        let forged = changed(&forged, |what| if let EntryKind::Started(head) = what { head.session = "d2".to_owned() });
        if let Some(settlement) = store.settle(&forged, at) {
            prop_assert_eq!(verify(&settlement.receipt, Some(&forged)), []);
            prop_assert!(store.settle(&forged, at).is_none());
        }
        let _ = (standings(&store.0), gather("Tea or coffee?", &store.0, &Limits::default(), at));
    }
}
