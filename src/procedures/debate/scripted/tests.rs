use super::bank::Place;
use super::*;
use crate::procedures::debate::asks;
use crate::procedures::debate::context::{Objection, Proposal};
use crate::procedures::topics::Side;
use crate::reading::{critique, judge, vote};
use crate::seat::SeatKind;
use proptest::prelude::*;

const QUESTION: &str = "Should schools stop giving marks before the age of fourteen?";

fn seat(name: &str, language: Language) -> Seat {
    Seat::new(name, SeatKind::Scripted, language, None, None)
}

fn facts(question: &str) -> DebateContext {
    DebateContext {
        question: question.to_owned(),
        intensity: 5,
        ..DebateContext::default()
    }
}

fn answer_as(name: &str, language: Language, seed: u32, kind: &'static str, facts: &DebateContext) -> String {
    let ask = Ask {
        id: format!("round/1/{}/{name}#1", kind),
        seat: name.to_owned(),
        kind: kind.into(),
        phase: 1,
        round: Some(1),
        attempt: 1,
        language,
    };
    answer(&seat(name, language), seed, &ask, facts)
}

fn shown(label: &str, text: &str) -> Proposal {
    Proposal {
        label: label.to_owned(),
        text: text.to_owned(),
    }
}

#[test]
fn languages_have_the_same_texts() {
    crate::procedures::scripted::speech::assert_same_structure(&TEXTS);
}

#[test]
fn written_proposals_are_recognised() {
    for language in Language::ALL {
        let bank = Bank::new(language, 4, QUESTION);
        let persona = Persona::of(&seat("Ana", language), 4, &facts(QUESTION));
        let first = Draft::first(&bank, &persona);
        assert_eq!(first.points.len(), 8);
        let text = write::proposal(
            Speech::new(language, texts(language), Chance::new(4, "Ana", "words")),
            &first,
            &bank,
        );
        // In any reader's language.
        for reader in Language::ALL {
            let mut read = Draft::of(&Bank::new(reader, 4, QUESTION), &text).unwrap();
            let mut expected = first.clone();
            read.points.sort();
            expected.points.sort();
            assert_eq!(read, expected);
        }
    }
}

#[test]
fn assigned_stances_are_kept() {
    for (stance, side) in [("affirmative", Side::For), ("negative", Side::Against)] {
        for seed in 0..20 {
            let facts = DebateContext {
                stance: stance.to_owned(),
                ..facts(QUESTION)
            };
            let text = answer_as("Ana", Language::English, seed, asks::PROPOSAL, &facts);
            let bank = Bank::new(Language::English, seed, QUESTION);
            assert_eq!(Draft::of(&bank, &text).unwrap().side(&bank), side);
            let against = [Side::For, Side::Against, Side::Middle].map(|side| {
                let claim = bank.text(bank.best(Place::Claim, side)[0]).to_owned();
                Objection {
                    critic: "Ben".to_owned(),
                    severity: None,
                    issues: vec![],
                    suggestions: vec![claim],
                    reasoning: String::new(),
                }
            });
            let facts = DebateContext {
                own: Some(text),
                critiques: against.to_vec(),
                intensity: 10,
                ..facts
            };
            let text = answer_as("Ana", Language::English, seed, asks::REVISION, &facts);
            assert_eq!(Draft::of(&bank, &text).unwrap().side(&bank), side);
        }
    }
}

#[test]
fn open_debaters_adopt_suggestions_without_addressing_critics() {
    let mut taken = 0;
    for seed in 0..40 {
        let mut facts = facts(QUESTION);
        facts.intensity = 10;
        let own = answer_as("Ana", Language::English, seed, asks::PROPOSAL, &facts);
        let bank = Bank::new(Language::English, seed, QUESTION);
        let side = Draft::of(&bank, &own).unwrap().side(&bank);
        let new = bank.text(bank.best(Place::Action, side)[0]).to_owned();
        facts.own = Some(own.clone());
        facts.critiques = vec![Objection {
            critic: "Ben".to_owned(),
            severity: Some(4.0),
            issues: vec!["Who does it?".to_owned()],
            suggestions: vec![format!("Put “{new}” in its place.")],
            reasoning: String::new(),
        }];
        let revised = answer_as("Ana", Language::English, seed, asks::REVISION, &facts);
        if !own.contains(&new) && revised.contains(&new) {
            taken += 1;
        }
        assert!(!revised.contains("Ben"), "{revised}");
    }
    assert!((5..35).contains(&taken), "{taken}");
}

#[test]
fn critiques_quote_what_they_object_to() {
    for language in Language::ALL {
        for seed in 0..20 {
            let mut facts = facts(QUESTION);
            let text = answer_as("Ana", language, seed, asks::PROPOSAL, &facts);
            facts.proposals = vec![shown("Ana", &text)];
            let reply = answer_as("Ben", language, seed, asks::CRITIQUE, &facts);
            let read = critique::critique(&reply, language).value().cloned().unwrap();
            for issue in &read.issues {
                let (open, close) = match language {
                    Language::Spanish => ('«', '»'),
                    _ => ('“', '”'),
                };
                let quote = issue.split(open).nth(1).and_then(|rest| rest.split(close).next());
                let quote = quote.unwrap().trim_end_matches('…');
                let plain = |text: &str| {
                    let marks = ['“', '”', '\''];
                    text.replace([':', '：', ','], "").replace(marks, "")
                };
                assert!(plain(&text).contains(&plain(quote)), "{issue}\n{text}");
            }
        }
    }
}

proptest! {
    #[test]
    fn any_texts_are_answered_and_the_answers_read(
        question in "\\PC{0,80}",
        texts in proptest::collection::vec("\\PC{0,200}", 1..4),
        seed in 0..1000u32,
    ) {
        for language in Language::ALL {
            let mut facts = facts(&question);
            let labels: Vec<String> = (1..=texts.len()).map(|number| format!("Proposal {number}")).collect();
            let known: Vec<&str> = labels.iter().map(String::as_str).collect();
            facts.proposals = labels.iter().zip(&texts).map(|(label, text)| shown(label, text)).collect();
            facts.own = texts.first().cloned();
            for kind in [asks::PROPOSAL, asks::REVISION, asks::REFINEMENT] {
                prop_assert!(!answer_as("Ana", language, seed, kind, &facts).trim().is_empty());
            }
            let reply = answer_as("Ana", language, seed, asks::CRITIQUE, &facts);
            let read = critique::critique(&reply, language).value().cloned().unwrap();
            prop_assert!(!read.is_empty() && read.severity.is_some(), "{}", reply);
            let reply = answer_as("Ana", language, seed, asks::VOTE, &facts);
            let read = vote::vote(&reply, language, &known).value().cloned().unwrap();
            prop_assert!(read.choice.is_some() && read.confidence.is_some() && read.go_on.is_some(), "{}", reply);
            let reply = answer_as("Ana", language, seed, asks::JUDGEMENT, &facts);
            let read = judge::judge(&reply, language, &known).value().cloned().unwrap();
            prop_assert!(read.missing.is_empty() && read.ranking.len() == known.len(), "{}", reply);
            prop_assert!(read.conclusive.is_some() && read.confidence.is_some(), "{}", reply);
        }
    }
}
