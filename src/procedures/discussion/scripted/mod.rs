//! Scripted participants of a discussion. On a topic that they are prepared for each has a side, brings
//! its reasons and facts one after the other, answers what was said before, and says in the end what
//! stayed with it; who leads holds the reasons of the others together. Of any other topic they know
//! nothing, say so, and ask. Who says what follows from seed and place, so that nobody repeats another.

mod points;

use crate::core::ask::Ask;
use crate::language::files::Files;
use crate::language::{Language, in_each_language};
use crate::procedures::discussion::facts::{Facts, Heard};
use crate::procedures::scripted::chance::Chance;
use crate::procedures::scripted::speech::{Speech, Texts};
use crate::procedures::topics;
use crate::seat::Seat;
use points::{Place, Points};

static TEXTS: Files<Texts> = in_each_language!(".");

/// Characters of a topic that is quoted at most.
const TOPIC: usize = 80;
/// The roles whose thoughts differ.
const ROLES: [&str; 4] = ["specialist", "user", "leader", "manager"];
/// How often what was said before is taken up.
const REACT: f64 = 0.75;
/// How often words without a known point are taken up.
const PLAIN: f64 = 0.3;
/// How often what nobody has a view on is doubted.
const DOUBT: f64 = 0.35;
/// How often the word is passed on by name.
const ASK: f64 = 0.3;

/// The texts of that language.
fn texts(language: Language) -> &'static Texts {
    TEXTS.of(language)
}

/// The answer of the participant at that seat.
pub(in crate::procedures) fn answer(seat: &Seat, seed: u32, ask: &Ask, facts: &Facts) -> String {
    let speech = Speech::new(
        ask.language,
        texts(ask.language),
        Chance::new(seed, &seat.name, &ask.id),
    );
    let place = Place::of(facts, seed);
    match topics::of(&facts.topic) {
        Some(topic) => prepared(speech, &seat.name, facts, &place, topic),
        None => unprepared(speech, &seat.name, facts, &place),
    }
}

/// What somebody else said last.
fn before<'f>(name: &str, facts: &'f Facts) -> Option<&'f Heard> {
    facts.heard.iter().rev().find(|heard| heard.speaker != name)
}

/// Who speaks next in the round.
fn next<'f>(name: &str, facts: &'f Facts) -> Option<&'f str> {
    let next = facts.participants.get(facts.turn as usize + 1)?;
    Some(next.name.as_str()).filter(|next| *next != name)
}

/// On a topic that scripted participants are prepared for.
fn prepared(mut speech: Speech, name: &str, facts: &Facts, place: &Place, topic: &'static str) -> String {
    let points = Points::new(speech.language, topic, place.seed);
    let about = topics::name(speech.language, topic);
    let round = facts.round.max(1) as usize;
    let at = place.seed as usize + round;
    if place.leads {
        let [gist, other] = points.of_table(facts, at);
        let places = [("topic", about), ("gist", gist), ("gist2", other)];
        let key = match () {
            () if facts.is_last() => "close_manager",
            () if facts.heard.is_empty() => "open_manager",
            () => "sum",
        };
        speech.nth_say(key, at, &places);
        if key != "close_manager" {
            ask_next(&mut speech, name, facts, at, gist);
        }
        return speech.done();
    }
    let at = at + place.number;
    if facts.is_last() {
        let gist = points.strongest(facts, name, place);
        speech.nth_say("close", at, &[("gist", gist)]);
        if let Some(action) = points.action(place) {
            speech.add(action);
        }
        return speech.done();
    }
    if let Some(before) = before(name, facts)
        && speech.chance.happens(REACT)
    {
        let found = points.found_in(&before.text);
        let other = before.speaker.as_str();
        let agrees = match found {
            Some((side, _)) => side.is_none_or(|side| side == place.side),
            None => !speech.chance.happens(DOUBT),
        };
        match found.and_then(|(_, gist)| gist) {
            Some(gist) => {
                let key = if agrees { "agree" } else { "doubt" };
                speech.nth_say(key, at, &[("other", other), ("gist", gist)]);
            }
            // To what is none of the topic's sentences, such as a person's words, there is little to say.
            None if speech.chance.happens(PLAIN) => {
                let key = if agrees { "agree_plain" } else { "doubt_plain" };
                speech.nth_say(key, at, &[("other", other)]);
            }
            None => {}
        }
    }
    let own = points.own(place);
    match own.get(round - 1) {
        Some(point) => {
            speech.add(point.text);
            if let Some(gist) = point.gist {
                ask_next(&mut speech, name, facts, at, gist);
            }
        }
        None => {
            let [gist, other] = points.pair(place, round - 1 - own.len());
            speech.nth_say("compare", at, &[("gist", gist), ("gist2", other)]);
        }
    }
    speech.done()
}

/// Hands the word on with a question, now and then.
fn ask_next(speech: &mut Speech, name: &str, facts: &Facts, at: usize, gist: &str) {
    if let Some(next) = next(name, facts)
        && speech.chance.happens(ASK)
    {
        speech.nth_say("ask", at, &[("next", next), ("gist", gist)]);
    }
}

/// On a topic that nobody is prepared for.
fn unprepared(mut speech: Speech, name: &str, facts: &Facts, place: &Place) -> String {
    let topic = facts.topic.trim().trim_end_matches(['.', '?', '。', '？']);
    let is_short = !topic.is_empty() && topic.chars().count() <= TOPIC && !topic.contains('\n');
    let matter = speech.nth("matter", 0);
    let topic = if is_short { topic } else { matter };
    let round = facts.round.max(1) as usize;
    let at = place.seed as usize + place.number + round;
    let role = match place.role {
        "manager" | "leader" | "user" => place.role,
        _ => "specialist",
    };
    if facts.is_last() {
        let key = if place.leads {
            "own_close_manager"
        } else {
            "own_close_other"
        };
        speech.nth_say(key, at, &[]);
        return speech.done();
    }
    let said = facts.heard.iter().any(|heard| heard.speaker == name);
    match before(name, facts) {
        _ if !said && round == 1 => {
            let key = if place.leads {
                "own_open_manager"
            } else {
                "own_open_other"
            };
            speech.nth_say(key, at, &[("topic", topic)]);
        }
        Some(before) if !place.leads && speech.chance.happens(REACT) => {
            let doubts = speech.chance.happens(DOUBT);
            let key = if doubts { "doubt_plain" } else { "agree_plain" };
            speech.nth_say(key, at, &[("other", before.speaker.as_str())]);
        }
        _ => {}
    }
    // Those of one role share its thoughts; when these are told, there are those of other roles.
    let (number, count) = place.of_role;
    let point = (round - 1) * count + number;
    let thoughts = |role: &str| {
        texts(speech.language)
            .get(&format!("own_point_{role}"))
            .map_or(0, Vec::len)
    };
    let (role, point) = match point.checked_sub(thoughts(role)) {
        None => (role, point),
        Some(more) => {
            let others: Vec<&str> = ROLES.into_iter().filter(|other| *other != role).collect();
            let at = more + place.number;
            (
                others.get(at % 3).copied().unwrap_or(role),
                more / 3 + 3 * place.number,
            )
        }
    };
    speech.nth_say(&format!("own_point_{role}"), place.seed as usize + point, &[]);
    if let Some(next) = next(name, facts)
        && speech.chance.happens(ASK)
    {
        speech.nth_say("own_ask", at, &[("next", next)]);
    }
    speech.done()
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::procedures::discussion::clean::{Rules, clean};
    use crate::procedures::discussion::facts::Participant;
    use crate::seat::SeatKind;
    use std::collections::BTreeSet;
    use std::rc::Rc;

    const ROLES: [(&str, &str); 4] = [
        ("Mara", "manager"),
        ("Leo", "leader"),
        ("Sol", "specialist"),
        ("Una", "user"),
    ];

    fn says(topic: &str, language: Language, seed: u32, round: u32, turn: u32, heard: &[Heard]) -> String {
        let (name, _) = ROLES[turn as usize];
        let seat = Seat::new(name, SeatKind::Scripted, language, None, None);
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
            topic: topic.to_owned(),
            participants: ROLES.iter().map(participant).collect(),
            turn,
            round,
            rounds: 3,
            heard: Rc::new(heard.to_vec()),
            ..Facts::default()
        };
        answer(&seat, seed, &ask, &facts)
    }

    const TOPICS: [&str; 2] = [
        "How can the canteen throw away less food?",
        "the tea in the canteen",
    ];

    fn talk(topic: &str, language: Language, seed: u32) -> Vec<Heard> {
        let mut heard: Vec<Heard> = Vec::new();
        for round in 1..=3 {
            for turn in 0..4 {
                let text = says(topic, language, seed, round, turn, &heard);
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
                let talks = TOPICS.map(|topic| talk(topic, language, seed));
                for Heard { text, .. } in talks.into_iter().flatten() {
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
            for topic in TOPICS {
                assert_eq!(talk(topic, language, 1), talk(topic, language, 1));
                let talks: BTreeSet<String> = (0..40)
                    .map(|seed| {
                        talk(topic, language, seed)
                            .into_iter()
                            .map(|heard| heard.text)
                            .collect()
                    })
                    .collect();
                assert_eq!(talks.len(), 40);
                let one: Vec<String> = talk(topic, language, 7)
                    .into_iter()
                    .map(|heard| heard.text)
                    .collect();
                assert_eq!(one.iter().collect::<BTreeSet<_>>().len(), one.len(), "{one:?}");
            }
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
