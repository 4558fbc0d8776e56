//! Whether answers are read right: by a generator of answers whose meaning is known from how they were made, and by
//! the rows of the corpus and of our own. A wrong value is worse than an unread one, so those are counted apart.

use crate::support;
use crate::support::times;
use quorate::language::Language;
use quorate::reading::{self, AmountBounds, Reading};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Right, wrong and unread answers by class.
#[derive(Default)]
struct Table(BTreeMap<String, [usize; 3]>, Vec<String>);

impl Table {
    fn add(&mut self, class: &str, text: &str, got: &Value, wanted: &Value) {
        let nothing = got.is_null()
            || ["principle", "choice"]
                .iter()
                .any(|main| got.get(*main) == Some(&Value::Null));
        let column = match (got == wanted, nothing) {
            (true, _) => 0,
            (false, false) => 1,
            (false, true) => 2,
        };
        self.0.entry(class.to_owned()).or_default()[column] += 1;
        let before = self
            .1
            .iter()
            .filter(|line| line.contains(&format!(" {class}:")))
            .count();
        if column > 0 && before < 6 {
            let name = ["", "WRONG", "unread"][column];
            self.1
                .push(format!("{name} {class}: {text:?} got {got}, wanted {wanted}"));
        }
    }

    fn sum(&self) -> [usize; 3] {
        self.0.values().fold([0; 3], |sum, row| {
            [sum[0] + row[0], sum[1] + row[1], sum[2] + row[2]]
        })
    }

    fn print(&self) {
        for (class, [right, wrong, unread]) in &self.0 {
            println!("{class:34} right {right:6}  wrong {wrong:4}  unread {unread:5}");
        }
        let [right, wrong, unread] = self.sum();
        println!("{:34} right {right:6}  wrong {wrong:4}  unread {unread:5}", "all");
        self.1.iter().for_each(|line| println!("{line}"));
    }
}

fn read(kind: &str, text: &str, language: Language) -> Value {
    let bounds = AmountBounds::default();
    let numbers = |ranking: &quorate::principle::Ranking| -> Vec<u8> {
        ranking.order.iter().map(|one| one.number()).collect()
    };
    match kind {
        "principle" => json!(reading::principle(text, language).value().map(|one| one.number())),
        "favoured" => json!(reading::favoured(text, language).map(|one| one.number())),
        "yes_no" => json!(reading::agreement(text, language).value()),
        "amount" => json!(reading::amount(text, language, bounds).value()),
        "ranking" => reading::ranking(text, language).value().map_or(
            Value::Null,
            |ranking| json!({ "order": numbers(ranking), "certainty": ranking.certainty }),
        ),
        "choice" => match reading::choice(text, language, bounds) {
            Reading::Read { value, .. } => {
                json!({ "principle": value.principle.number(), "amount": value.amount, "certainty": value.certainty })
            }
            Reading::Unread { .. } => json!({ "principle": null, "amount": null, "certainty": null }),
        },
        "debate_vote" => match reading::vote(text, language, &["Ana", "Bruno", "Chen", "Deepa"]) {
            Reading::Read { value, .. } => {
                json!({ "choice": value.choice, "confidence": value.confidence, "continue": value.go_on })
            }
            Reading::Unread { .. } => json!({ "choice": null, "confidence": null, "continue": null }),
        },
        "debate_critique" => match reading::critique(text, language) {
            Reading::Read { value, .. } => {
                json!({ "issues": value.issues.len(), "suggestions": value.suggestions.len(), "severity": value.severity })
            }
            Reading::Unread { .. } => json!({ "issues": 0, "suggestions": 0, "severity": null }),
        },
        other => panic!("no such kind: {other}"),
    }
}

fn rows(rows: &[Value]) -> Table {
    let mut table = Table::default();
    for row in rows {
        let (kind, text) = (row["kind"].as_str().unwrap(), row["input"].as_str().unwrap());
        let (mut got, mut wanted) = (read(kind, text, support::language(row)), row["expected"].clone());
        if kind == "debate_vote"
            && wanted["choice"]
                .as_str()
                .is_some_and(|choice| choice.starts_with("Proposal "))
        {
            let place: usize = wanted["choice"].as_str().unwrap()[9..].parse().unwrap();
            wanted["choice"] = json!(["Ana", "Bruno", "Chen", "Deepa"][place - 1]);
        }
        for value in [&mut got, &mut wanted] {
            for part in ["severity", "confidence"] {
                if let Some(number) = value.get(part).and_then(Value::as_f64) {
                    value[part] = json!(number);
                }
            }
        }
        // Where nothing is to be read, nothing beside it counts; what is missing beside a value is unread, not wrong.
        for main in ["principle", "choice"] {
            if wanted.get(main) == Some(&Value::Null) && got[main].is_null() {
                got = wanted.clone();
            }
        }
        // Prose is passed on as reasoning.
        if got == json!({ "issues": 0, "suggestions": 0, "severity": null }) && got != wanted {
            got = Value::Null;
        }
        for part in ["amount", "certainty"] {
            if got.get(part) == Some(&Value::Null) && !wanted[part].is_null() && wanted.is_object() {
                got = Value::Null;
            }
        }
        if kind == "debate_vote" && got["choice"] == wanted["choice"] {
            let missing = ["confidence", "continue"]
                .iter()
                .any(|part| got[*part].is_null() && !wanted[*part].is_null());
            let wrong = ["confidence", "continue"]
                .iter()
                .any(|part| !got[*part].is_null() && got[*part] != wanted[*part]);
            if missing && !wrong {
                got = Value::Null;
            }
        }
        table.add(kind, text, &got, &wanted);
    }
    table
}

#[test]
fn rows_of_the_corpus() {
    let all = support::corpus("answers.jsonl");
    if all.is_empty() {
        return;
    }
    let table = rows(&all);
    table.print();
    let [right, wrong, _] = table.sum();
    assert_eq!(wrong, 0);
    assert!(right * 100 >= all.len() * 87, "{right} right of {}", all.len());
}

#[test]
fn rows_of_our_own() {
    // The second were written before the readers were looked at, a third of them hard. The last two were read wrong by an
    // earlier reader, or are near to such rows; a third of them say nothing. Most are to be declined.
    let files = [
        (include_str!("reading/own.jsonl"), 86, 4),
        (include_str!("reading/fresh.jsonl"), 75, 8),
        (include_str!("reading/rest.jsonl"), 68, 13),
        (include_str!("reading/misread.jsonl"), 66, 45),
    ];
    for (lines, share, most_wrong) in files {
        let all: Vec<Value> = lines
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        let table = rows(&all);
        table.print();
        let [right, wrong, _] = table.sum();
        assert!(wrong <= most_wrong, "{wrong} wrong");
        assert!(right * 100 >= all.len() * share, "{right} right of {}", all.len());
    }
}

/// Numbers from a seed, the same everywhere.
struct Draw(u64);

impl Draw {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % limit
    }
    fn one<'a>(&mut self, list: &'a Value) -> &'a str {
        let list = list.as_array().unwrap();
        list[self.below(list.len())].as_str().unwrap()
    }
}

/// An answer of a class, put together from a template and what fills it; the truth is the template's.
fn made(words: &Value, draw: &mut Draw) -> (String, &'static str, String, Value) {
    const KINDS: [&str; 4] = ["principle", "yes_no", "amount", "ranking"];
    let kind = KINDS[draw.below(4)];
    let classes: Vec<&String> = words[kind].as_object().unwrap().keys().collect();
    let class = classes[draw.below(classes.len())];
    let template = draw.one(&words[kind][class]).to_owned();
    let mut order = [1_u8, 2, 3, 4];
    for at in (1..4).rev() {
        order.swap(at, draw.below(at + 1));
    }
    let [chosen, other, third, fourth] = order;
    let amount = 1_000 * (8 + draw.below(20) as u32);
    let lower = amount - 1_000 * (1 + draw.below(5) as u32);
    let mut text = template;
    for (mark, number) in [("{x}", chosen), ("{y}", other), ("{z}", third), ("{w}", fourth)] {
        while text.contains(mark) {
            let named = draw.one(&words["names"][usize::from(number) - 1]).to_owned();
            text = text.replacen(mark, &named, 1);
        }
    }
    for (mark, number) in [
        ("{nx}", chosen),
        ("{ny}", other),
        ("{nz}", third),
        ("{nw}", fourth),
    ] {
        text = text.replace(mark, &number.to_string());
    }
    for (mark, value) in [("{a}", amount), ("{b}", lower)] {
        while text.contains(mark) {
            let form = draw.one(&words["amounts"]);
            let grouped = |sign: &str| format!("{}{sign}{:03}", value / 1_000, value % 1_000);
            let written = form
                .replace("{comma}", &grouped(","))
                .replace("{dot}", &grouped("."))
                .replace("{plain}", &value.to_string())
                .replace("{k}", &(value / 1_000).to_string());
            text = text.replacen(mark, &written, 1);
        }
    }
    for mark in ["{who}", "{sure}"] {
        while text.contains(mark) {
            let filling = draw.one(&words[&mark[1..mark.len() - 1]]).to_owned();
            text = text.replacen(mark, &filling, 1);
        }
    }
    let wanted = match (kind, class.rsplit(' ').next().unwrap()) {
        (_, "nothing") => Value::Null,
        ("principle", _) => json!(chosen),
        ("yes_no", word) => json!(word == "yes"),
        ("amount", _) => json!(amount),
        (_, "ascending") => json!({ "order": [fourth, third, other, chosen], "certainty": "sure" }),
        _ => json!({ "order": order, "certainty": "sure" }),
    };
    // Noise that changes nothing.
    let text = match draw.below(8) {
        0 => format!("**{}**", text.replace('\n', "**\n**")),
        1 => format!("<think>{}</think>\n{text}", draw.one(&words["thoughts"])),
        2 if kind != "ranking" => format!("{}\n\n{text}", draw.one(&words["before"])),
        3 if kind != "ranking" => format!("{text}\n\n{}", draw.one(&words["after"])),
        4 => format!("  {text} \n"),
        5 if !text.contains(['I', '\n']) => text.to_uppercase().replace("SÍ", "sí"),
        _ => text,
    };
    (text, kind, class.clone(), wanted)
}

#[test]
fn answers_whose_meaning_is_known() {
    let seed: u64 = std::env::var("QUORATE_SEED")
        .ok()
        .and_then(|seed| seed.parse().ok())
        .unwrap_or(12);
    let count = 12_000;
    println!("seed {seed}, {count} answers");
    let mut draw = Draw(seed);
    let words: Value = serde_json::from_str(include_str!("reading/made.json")).unwrap();
    let mut table = Table::default();
    for _ in 0..count {
        let language = Language::ALL[draw.below(3)];
        let (text, kind, class, wanted) = made(&words[language.code()], &mut draw);
        let got = read(kind, &text, language);
        table.add(
            &format!("{} {kind} {class}", language.code()),
            &text,
            &got,
            &wanted,
        );
    }
    table.print();
    let [right, wrong, _] = table.sum();
    assert!(wrong * 1_000 <= count, "{wrong} wrong");
    assert!(right * 100 >= count * 96, "{right} right");
}

#[test]
fn long_texts_take_no_longer_than_their_length() {
    let limit = if cfg!(debug_assertions) { 5.0 } else { 0.2 };
    const PARTS: [&str; 16] = [
        "my vote: 3 ",
        "{",
        "{\"a\":",
        "1. floor\n",
        "\"",
        "not ",
        "12,000 or ",
        "1 > 2 > ",
        "| 1 | 2 ",
        "no, ",
        "~~",
        "boxed{",
        "//",
        "从1到3",
        "<think>",
        "and 2, ",
    ];
    for part in PARTS.into_iter().step_by(times(8, 1)) {
        let text = part.repeat(1_000_000 / part.len());
        for kind in [
            "principle",
            "yes_no",
            "amount",
            "ranking",
            "choice",
            "debate_vote",
            "debate_critique",
        ] {
            let begun = support::seconds_computed();
            read(kind, &text, Language::English);
            let took = support::seconds_computed() - begun;
            println!("{kind} {part:?}: {took:?}");
            assert!(took < limit, "{kind} {part:?}: {took:?}");
        }
    }
}

#[test]
fn anything_can_be_read() {
    const PARTS: [&str; 44] = [
        "1",
        "3",
        "4",
        "12,000",
        "k",
        " ",
        ", ",
        ".",
        "\n",
        "(",
        ")",
        "?",
        ":",
        "-",
        "|",
        "\"",
        "«",
        "[x] ",
        "{",
        "}",
        "not ",
        "no ",
        "I ",
        "vote ",
        "for ",
        "principle ",
        "floor ",
        "average ",
        "because ",
        "if ",
        "or ",
        "and ",
        "second ",
        "wait ",
        "比",
        "不",
        "选",
        "万",
        "的",
        "第一",
        "sí ",
        "boxed{",
        "~~",
        "<think>",
    ];
    let mut draw = Draw(7);
    for _ in 0..times(1_000, 3_000) {
        let text: String = (0..draw.below(24))
            .map(|_| PARTS[draw.below(PARTS.len())])
            .collect();
        for kind in [
            "principle",
            "yes_no",
            "amount",
            "ranking",
            "choice",
            "debate_vote",
            "debate_critique",
        ] {
            let language = Language::ALL[draw.below(3)];
            read(kind, &text, language);
        }
    }
}
