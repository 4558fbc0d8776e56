use super::*;
use crate::core::Input;
use crate::core::record::Command;
use crate::export::samples::{self, HOSTILE};
use crate::export::{Format, export};
use crate::procedures;
use serde_json::json;

fn of(record: &[Rc<Entry>]) -> String {
    export(Format::Markdown, record).unwrap().text
}

#[test]
fn a_whole_run_as_a_report() {
    let text = of(&samples::whole_record());
    let expected = [
        "# A first run\n",
        "The group agreed on “Maximizing the average income with a floor constraint” with $13,000 in round 1.\n",
        "**Simulated: Ana. Built-in scripts answered",
        "| Seed | 42 |\n",
        "| Configuration (SHA-256) | c0ffee |\n",
        "| Began | 2026-01-01T00:00:00.000Z |\n| Ended | 2026-01-01T00:00:13.000Z |\n",
        "| Bo | language model | m-1 |\n",
        "| Ana | $3.70 | Medium low | $16,000 | $2.10 | $1.60 |\n",
        "## What each would have got under the other principles\n",
        "| paid | 1.6 | 3.1 |\n| 1 floor | 1.2 | 1.2 |\n",
        "| 3 average + floor | 1 |  |  | 1 |\n",
        "| Medium low | $13,000 | $17,000 | $16,000 | $16,000 | 20% |\n",
        "| Ana | 3, 1, 2, 4 (sure) |  |  | 3, 1, 2, 4 (sure) |\n| Bo | No ranking that could be read |  |  | No ranking that could be read |\n",
        "| Ana | 1 | Maximizing the average income with a floor constraint (lowest income ≥ $14,000) | very sure | 3 | Medium | $21,000 | $2.10 | $2.10 | $1.20 | $3.25 | $1.40 | $0.30 |\n",
        "| Bo | 1 | no valid choice: pays nothing | – | – | – | – | $0.00 | $0.00 | – | – | – | – |\n",
        "- Round 1 · Bo’s choice could not be read: the round pays nothing.\n",
        "**Ana · sure**\n\n1. Maximizing the average income with a floor constraint\n2. Maximizing the floor income\n",
        "**Ana · $2.10**\n\nMaximizing the average income with a floor constraint (lowest income ≥ $14,000)\n",
        "## Round 1\n\nSpeaking order: Bo and Ana.\n\n**Ana · 2026-01-01T00:00:08.000Z**\n\nleans to: Maximizing the average income with a floor constraint\n",
        "\n> Let us guarantee a floor of $13,000.\n\n**Bo**\n\nNo usable statement.\n\nStart a vote now?\n\n- Ana: Yes\n",
        "**Unanimous: Maximizing the average income with a floor constraint (lowest income ≥ $13,000)**\n\n- Ana: Maximizing",
        "The agreed principle picks distribution 3.",
        "**Ana · $1.60**\n\nclass Medium low, income $16,000\n\nBank: $3.70\n",
        "| phase2 | speaking order, round 1 | \\[1,0\\] |\n",
    ];
    let mut from = 0;
    for part in expected {
        let Some(at) = text[from..].find(part) else {
            panic!("{part:?} is not in\n{}", &text[from..])
        };
        from += at + part.len();
    }
}

#[test]
fn unfinished_runs_are_marked() {
    let text = of(&samples::record());
    assert!(text.contains("This run has not ended yet"), "{text}");
    assert!(
        !text.contains("## Payoffs") && !text.contains("## Rankings"),
        "{text}"
    );
}

#[test]
fn every_language_has_its_own_labels() {
    for (name, heading) in [("Spanish", "## Órdenes"), ("Mandarin", "## 排序")] {
        let mut record = samples::whole_record();
        let mut head = (*record[0]).clone();
        let EntryKind::Started(started) = &mut head.what else {
            unreachable!()
        };
        started.config["language"] = name.into();
        record[0] = Rc::new(head);
        let text = of(&record);
        assert!(text.contains(heading), "{text}");
    }
}

#[test]
fn hostile_texts_do_not_change_the_structure() {
    let plain = of(&samples::whole_record());
    let hostile = of(&samples::hostile_record());
    let shape = |text: &str| -> Vec<String> {
        let lines = text
            .lines()
            .filter(|line| !line.starts_with('>') && !line.is_empty());
        let kind = |line: &str| match line.chars().next() {
            Some('#') => line.split(' ').next().unwrap_or_default().to_owned(),
            Some('|') => format!("|{}", line.replace("\\|", "").matches('|').count()),
            Some(other) if other.is_alphabetic() => "text".to_owned(),
            other => other.map(String::from).unwrap_or_default(),
        };
        lines.map(kind).collect()
    };
    assert_eq!(shape(&hostile), shape(&plain));
    assert!(!hostile.contains('<') && !hostile.contains('\0') && !hostile.contains("```"));
    assert!(hostile.contains("我选择3"));
}

/// Returns a discussion in which all hostile texts are said out of turn.
fn record(language: &str) -> Vec<Rc<Entry>> {
    let config = json!({
        "protocol": "discussion", "language": language, "topic": "a *b* <c>", "rules": ["# no"],
        "agents": [{ "name": "Mara", "role": "manager" }, { "name": "Ana", "kind": "human" }],
    });
    let (mut session, _) = procedures::begin(&config, "s-1", 0).unwrap();
    for (text, at) in HOSTILE.iter().zip(1..) {
        let (seat, text) = ("Ana".to_owned(), (*text).to_owned());
        let request_id = None;
        let say = Command::Say {
            seat,
            text,
            request_id,
        };
        let _ = session.handle(at, Input::Command(say));
    }
    let _ = session.handle(99, Input::Command(Command::Close));
    session.record()
}

#[test]
fn reports_are_localized_and_escaped() {
    for (language, outcome) in [
        ("English", "Somebody closed it."),
        ("Spanish", "Alguien la cerró."),
        ("Mandarin", "由人关闭。"),
    ] {
        let text = of(&record(language));
        assert!(text.contains(outcome), "{text}");
        assert!(
            text.contains("a \\*b\\* &lt;c&gt;") && text.contains("- \\# no"),
            "{text}"
        );
        assert!(!text.contains('<') && !text.contains('\0') && !text.contains("```"));
    }
}
