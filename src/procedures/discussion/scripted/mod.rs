//! Scripted participants of a discussion: they take up what was said before them, add a thought that
//! fits their role and pass the word on, in whole sentences that differ by seed, seat and round. They
//! know nothing of the topic.

use crate::core::ask::Ask;
use crate::language::Language;
use crate::procedures::discussion::facts::Facts;
use crate::procedures::scripted::chance::Chance;
use crate::procedures::scripted::speech::{Places, Speech, Texts, of, parsed};
use crate::seat::Seat;
use std::sync::LazyLock;

static TEXTS: LazyLock<[Texts; 3]> = LazyLock::new(|| {
    parsed([
        include_str!("en.json"),
        include_str!("es.json"),
        include_str!("zh.json"),
    ])
});

/// Characters of a topic that is named in a sentence at most.
const TOPIC: usize = 80;
/// How often what was said before is doubted.
const DOUBT: f64 = 0.35;
/// How often the word is passed on by name.
const ASK: f64 = 0.4;

/// The texts of that language.
fn texts(language: Language) -> &'static Texts {
    of(&TEXTS, language)
}

/// The answer of the participant at that seat.
pub(in crate::procedures) fn answer(seat: &Seat, seed: u32, ask: &Ask, facts: &Facts) -> String {
    let mut speech = Speech::new(
        ask.language,
        texts(ask.language),
        Chance::new(seed, &seat.name, &ask.id),
    );
    // Wordings of a kind come in turn from a place of one's own, so that nobody repeats itself from
    // round to round.
    let say = |speech: &mut Speech, key: &str, places: &Places| {
        let first = Chance::new(seed, &seat.name, key).unit() * 60.0;
        speech.turn = Some(first as usize + facts.round as usize);
        speech.say(key, places);
    };
    let matter = speech.phrase("matter", &[]);
    let topic = facts.topic.trim().trim_end_matches(['.', '?', '。', '？']);
    let is_short = !topic.is_empty() && topic.chars().count() <= TOPIC && !topic.contains('\n');
    let topic = if is_short { topic } else { &matter };
    let role = facts
        .participants
        .get(facts.turn as usize)
        .map_or("specialist", |own| own.role.as_str());
    let before = facts.heard.iter().rev().find(|heard| heard.speaker != seat.name);
    let manages = role == "manager";
    match before {
        None => {
            let key = if manages { "open_manager" } else { "open_other" };
            say(&mut speech, key, &[("topic", topic)]);
        }
        Some(before) => {
            let doubts = speech.chance.happens(DOUBT);
            let key = if doubts { "doubt" } else { "agree" };
            say(&mut speech, key, &[("other", before.speaker.as_str())]);
        }
    }
    let is_last = facts.round >= facts.rounds && facts.rounds > 1;
    if is_last {
        let key = if manages { "close_manager" } else { "close_other" };
        say(&mut speech, key, &[]);
        return speech.done();
    }
    let point = match role {
        "manager" => "point_manager",
        "leader" => "point_leader",
        "user" => "point_user",
        _ => "point_specialist",
    };
    say(&mut speech, point, &[]);
    let next = facts.participants.get(facts.turn as usize + 1);
    if let Some(next) = next.filter(|next| next.name != seat.name)
        && speech.chance.happens(ASK)
    {
        say(&mut speech, "ask", &[("next", next.name.as_str())]);
    }
    speech.done()
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::procedures::discussion::clean::{Rules, clean};
    use crate::procedures::discussion::facts::{Heard, Participant};
    use crate::seat::SeatKind;
    use std::collections::BTreeSet;
    use std::rc::Rc;

    const ROLES: [(&str, &str); 4] = [
        ("Mara", "manager"),
        ("Leo", "leader"),
        ("Sol", "specialist"),
        ("Una", "user"),
    ];

    fn says(language: Language, seed: u32, round: u32, turn: u32, heard: &[Heard]) -> String {
        let (name, _) = ROLES[turn as usize];
        let seat = Seat {
            name: name.to_owned(),
            kind: SeatKind::Scripted,
            language,
            personality: String::new(),
            model: None,
            base_url: None,
            temperature: None,
            provider: None,
            seed: None,
            reasoning_effort: None,
            fallback: Vec::new(),
            plays: None,
        };
        let ask = Ask {
            id: format!("round/{round}/turn/{turn}/{name}#1"),
            seat: name.to_owned(),
            kind: crate::procedures::discussion::asks::TURN.into(),
            phase: 1,
            round: Some(round),
            attempt: 1,
            language,
        };
        let participant = |(name, role): &(&str, &str)| Participant {
            name: (*name).to_owned(),
            role: (*role).to_owned(),
        };
        let facts = Facts {
            topic: "the canteen".to_owned(),
            participants: ROLES.iter().map(participant).collect(),
            turn,
            round,
            rounds: 3,
            heard: Rc::new(heard.to_vec()),
            ..Facts::default()
        };
        answer(&seat, seed, &ask, &facts)
    }

    fn talk(language: Language, seed: u32) -> Vec<Heard> {
        let mut heard: Vec<Heard> = Vec::new();
        for round in 1..=3 {
            for turn in 0..4 {
                let text = says(language, seed, round, turn, &heard);
                heard.push(Heard {
                    round,
                    speaker: ROLES[turn as usize].0.to_owned(),
                    text,
                });
            }
        }
        heard
    }

    #[test]
    fn they_speak_in_whole_sentences_that_nothing_is_cut_off() {
        let stops = ["[", "\n\n", "Speaker:"].map(str::to_owned);
        for language in Language::ALL {
            for seed in 0..40 {
                for Heard { text, .. } in talk(language, seed) {
                    let rules = Rules {
                        stops: &stops,
                        own: &[],
                        others: &["Mara", "Leo", "Sol", "Una"],
                        anybody: &["Speaker", "Agent"],
                        max_lines: 3,
                    };
                    assert_eq!(clean(&text, &rules).text, text);
                    assert!(text.ends_with(['.', '?', '。', '？']), "{text}");
                    assert!(!text.contains(['{', '}']), "{text}");
                    assert!(text.chars().count() > 15, "{text}");
                    let is_ascii = text.chars().any(|c| c >= '\u{3000}');
                    assert_eq!(is_ascii, language == Language::Mandarin, "{text}");
                }
            }
        }
    }

    #[test]
    fn they_differ_by_seed_and_round_and_repeat_by_both() {
        for language in Language::ALL {
            assert_eq!(talk(language, 1), talk(language, 1));
            let openings: BTreeSet<String> =
                (0..40).map(|seed| talk(language, seed)[0].text.clone()).collect();
            assert!(openings.len() >= 15, "{}", openings.len());
            let one: Vec<String> = talk(language, 7).into_iter().map(|heard| heard.text).collect();
            assert_eq!(one.iter().collect::<BTreeSet<_>>().len(), one.len(), "{one:?}");
        }
    }

    #[test]
    fn languages_have_the_same_keys_wordings_and_places() {
        let places = |wording: &String| {
            let names = wording
                .split('{')
                .skip(1)
                .map(|tail| tail.split('}').next().unwrap());
            names.map(str::to_owned).collect::<Vec<_>>()
        };
        let [english, others @ ..] = Language::ALL.map(texts);
        for other in others {
            assert!(english.keys().eq(other.keys()));
            for (key, wordings) in english {
                let own: Vec<_> = wordings.iter().map(places).collect();
                assert_eq!(own, other[key].iter().map(places).collect::<Vec<_>>(), "{key}");
            }
        }
    }
}
