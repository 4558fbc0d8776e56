//! Scripted participants of a discussion. On a prepared topic each takes a side, presents its reasons and
//! facts in turn, responds to earlier contributions and closes with what convinced it; leaders summarize the
//! reasons of the others. Statements are attributed only to participants who made them. On other topics they
//! state that they know nothing, and ask. Seed and place determine the wording, so that participants do not
//! repeat each other.

mod points;

use crate::core::ask::Ask;
use crate::language::files::Files;
use crate::language::in_each_language;
use crate::procedures::discussion::context::{Contribution, DiscussionContext};
use crate::procedures::scripted::chance::Chance;
use crate::procedures::scripted::speech::{Speech, Texts};
use crate::procedures::topics;
use crate::seat::Seat;
use points::{KnownPoint, Points, ScriptedSeat};

static TEXTS: Files<Texts> = in_each_language!(".");

/// Maximum length of a quoted topic, in characters.
const MAX_TOPIC: usize = 80;
/// Roles with distinct thoughts.
const ROLES: [&str; 4] = ["specialist", "user", "leader", "manager"];
/// Probability of responding to an earlier contribution.
const RESPONSE: f64 = 0.75;
/// Probability of responding to words without a known point.
const PLAIN_RESPONSE: f64 = 0.35;
/// Maximum number of rounds of a short discussion.
const SHORT_ROUNDS: u32 = 5;
/// Probability that a summary ends with a question to all.
const SUMMARY_QUESTION: f64 = 0.6;
/// Probability of addressing the next speaker by name.
const NAMED_QUESTION: f64 = 0.3;

pub(in crate::procedures) fn answer(seat: &Seat, seed: u32, ask: &Ask, facts: &DiscussionContext) -> String {
    let speech = Speech::new(
        ask.language,
        TEXTS.of(ask.language),
        Chance::new(seed, &seat.name, &ask.id),
    );
    let place = ScriptedSeat::of(facts, seed);
    match topics::of(&facts.topic) {
        Some(topic) => prepared(speech, &seat.name, facts, &place, topic),
        None => unprepared(speech, &seat.name, facts, &place),
    }
}

/// Returns the last contribution of another participant.
fn last_of_others<'f>(name: &str, facts: &'f DiscussionContext) -> Option<&'f Contribution> {
    facts.heard.iter().rev().find(|heard| heard.speaker != name)
}

/// Returns the next speaker of the round.
fn next_speaker<'f>(name: &str, facts: &'f DiscussionContext) -> Option<&'f str> {
    let next = facts
        .participants
        .get(facts.turn as usize + 1)
        .filter(|_| !facts.open)?;
    Some(next.name.as_str()).filter(|next| *next != name)
}

/// Returns whether a participant leads.
fn is_leader(name: &str, facts: &DiscussionContext) -> bool {
    let mut all = facts.participants.iter();
    all.any(|one| one.name == name && one.role == "manager")
}

/// Returns whether this is the last turn of the discussion.
fn is_end(facts: &DiscussionContext) -> bool {
    facts.is_last() && facts.turn as usize + 1 >= facts.participants.len()
}

/// Builds a contribution on a prepared topic.
fn prepared(
    mut speech: Speech,
    name: &str,
    facts: &DiscussionContext,
    place: &ScriptedSeat,
    topic: &'static str,
) -> String {
    let points = Points::new(speech.language, topic, place.seed);
    let statements = points.statements(facts);
    let round = facts.round.max(1) as usize;
    let at = place.seed + round;
    if place.is_leader {
        let about = topics::name(speech.language, topic);
        add_summary(&mut speech, name, facts, (&statements, at), about);
        return speech.done();
    }
    let at = place.turn(round);
    if facts.is_last() {
        if let Some(KnownPoint { speaker, gist, .. }) = points::strongest(&statements, name, place) {
            speech.say_nth("close", at, &[("other", speaker), ("gist", gist)]);
        }
        if let Some(action) = points.action(place) {
            speech.add(action);
        }
        return speech.done();
    }
    if let Some(before) = last_of_others(name, facts) {
        let other = before.speaker.as_str();
        match points.find_question(name, &before.text) {
            Some((side, gist)) => {
                let key = match side {
                    None => "answer_fact",
                    Some(side) if side == place.side => "answer_own",
                    Some(_) => "answer_other",
                };
                speech.say_nth(key, at, &[("other", other), ("gist", gist)]);
            }
            None if speech.chance.happens(RESPONSE) => {
                add_response(&mut speech, name, facts, (&points, place, at))
            }
            None => {}
        }
    }
    let own = points.own(place);
    // In a short discussion each contribution holds more; messages are short.
    let count = if facts.rounds <= SHORT_ROUNDS && !facts.open {
        2
    } else {
        1
    };
    let mut last = None;
    for point in own.iter().skip((round - 1) * count).take(count) {
        speech.add(point.text);
        last = point.gist.or(last);
    }
    match last {
        Some(gist) => {
            ask_next(&mut speech, name, facts, at, gist);
        }
        None if own.len() <= (round - 1) * count => match points::pair(&statements, name, place, at) {
            Some([own, other]) => {
                let places = [
                    ("gist", own.gist),
                    ("gist2", other.gist),
                    ("other", other.speaker),
                ];
                speech.say_nth("compare", at, &places);
            }
            None => {
                let at = place.seed + 2 * round + place.number % 2;
                speech.say_nth(&format!("own_point_{}", place.role), at, &[]);
            }
        },
        None => {}
    }
    speech.done()
}

/// Responds to the last contribution of a participant with a side.
fn add_response(
    speech: &mut Speech,
    name: &str,
    facts: &DiscussionContext,
    (points, place, at): (&Points, &ScriptedSeat, usize),
) {
    let others = facts.heard.iter().rev().filter(|heard| heard.speaker != name);
    for heard in others.take(facts.participants.len()) {
        let other = heard.speaker.as_str();
        let found = points.find_sentences(&heard.text);
        let Some(last) = found.iter().rfind(|found| found.gist.is_some()).or(found.last()) else {
            // A person's own words without a known point get no response.
            if is_leader(other, facts) || points.find_term(&heard.text).is_some() {
                continue;
            }
            speech.say_nth("own_react", at, &[("other", other)]);
            return;
        };
        let agrees = last.side.is_none_or(|side| side == place.side);
        if last.gist.is_none() && !speech.chance.happens(PLAIN_RESPONSE) {
            return;
        }
        let key = match (last.gist.is_some(), last.is_open) {
            (true, true) => "granted",
            (true, false) if agrees => "agree",
            (true, false) => "doubt",
            (false, _) if agrees => "agree_plain",
            (false, _) => "doubt_plain",
        };
        speech.say_nth(
            key,
            at,
            &[("other", other), ("gist", last.gist.unwrap_or_default())],
        );
        return;
    }
}

/// Builds a leader's contribution: a summary of earlier ones, and nothing else.
fn add_summary(
    speech: &mut Speech,
    name: &str,
    facts: &DiscussionContext,
    (statements, at): (&[KnownPoint], usize),
    about: &str,
) {
    let pair = points::of_table(statements, facts.round, at);
    let [one, other] = pair.unwrap_or_default();
    let places = [
        ("topic", about),
        ("one", one.speaker),
        ("gist", one.gist),
        ("other", other.speaker),
        ("gist2", other.gist),
    ];
    let key = match pair {
        _ if facts.round <= 1 => "open_manager",
        Some(_) if is_end(facts) => "close_manager",
        None if is_end(facts) => "own_close_manager",
        Some(_) if facts.is_last() => "last",
        None if facts.is_last() => "last_plain",
        Some(_) => "sum",
        None if facts.round > 2 => "own_point_manager",
        None => "sum_plain",
    };
    speech.say_nth(key, at, &places);
    if let Some(next) = next_speaker(name, facts).filter(|_| key == "open_manager") {
        speech.say_nth("ask_first", at, &[("next", next)]);
    }
    if key == "sum" {
        let asked = if next_speaker(name, facts) == Some(other.speaker) {
            one
        } else {
            other
        };
        if !ask_next(speech, name, facts, at, asked.gist) && speech.chance.happens(SUMMARY_QUESTION) {
            speech.say_nth("sum_end", at, &[]);
        }
    }
}

/// Occasionally appends a question to the next speaker; returns whether it did.
fn ask_next(speech: &mut Speech, name: &str, facts: &DiscussionContext, at: usize, gist: &str) -> bool {
    let asked = next_speaker(name, facts).filter(|_| speech.chance.happens(NAMED_QUESTION));
    if let Some(next) = asked {
        speech.say_nth("ask", at, &[("next", next), ("gist", gist)]);
    }
    asked.is_some()
}

/// Builds a contribution on an unprepared topic.
fn unprepared(mut speech: Speech, name: &str, facts: &DiscussionContext, place: &ScriptedSeat) -> String {
    let topic = facts.topic.trim().trim_end_matches(['.', '。']);
    let is_short = !topic.is_empty() && topic.chars().count() <= MAX_TOPIC && !topic.contains('\n');
    let matter = speech.nth("matter", 0);
    let topic = if is_short { topic } else { matter };
    let round = facts.round.max(1) as usize;
    let at = place.turn(round);
    let role = match place.role {
        "manager" | "leader" | "user" => place.role,
        _ => "specialist",
    };
    if facts.is_last() {
        let key = match place.is_leader {
            true if is_end(facts) => "own_close_manager",
            true => "last_plain",
            false => "own_close_other",
        };
        speech.say_nth(key, at, &[]);
        return speech.done();
    }
    let has_spoken = facts.heard.iter().any(|heard| heard.speaker == name);
    match last_of_others(name, facts) {
        _ if !has_spoken && round == 1 => {
            let key = if place.is_leader {
                "own_open_manager"
            } else {
                "own_open_other"
            };
            speech.say_nth(key, at, &[("topic", topic)]);
        }
        Some(Contribution { speaker, .. })
            if !place.is_leader && !is_leader(speaker, facts) && speech.chance.happens(PLAIN_RESPONSE) =>
        {
            speech.say_nth("own_react", at, &[("other", speaker)]);
        }
        _ => {}
    }
    // Participants of one role share its thoughts, then use those of other roles.
    let (number, count) = place.of_role;
    let point = (round - 1) * count + number;
    let thoughts = speech.wordings(&format!("own_point_{role}")).len();
    let (role, point) = match point.checked_sub(thoughts) {
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
    speech.say_nth(&format!("own_point_{role}"), place.seed + point, &[]);
    if let Some(next) = next_speaker(name, facts)
        && speech.chance.happens(NAMED_QUESTION)
    {
        speech.say_nth("own_ask", at, &[("next", next)]);
    }
    speech.done()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Language;

    use crate::procedures::discussion::clean::{Rules, clean};
    use crate::procedures::discussion::context::Participant;
    use crate::seat::SeatKind;
    use std::collections::BTreeSet;
    use std::rc::Rc;

    const ROLES: [(&str, &str); 4] = [
        ("Mara", "manager"),
        ("Leo", "leader"),
        ("Sol", "specialist"),
        ("Una", "user"),
    ];

    type Roles = [(&'static str, &'static str); 4];

    fn speak(
        (roles, topic): (&Roles, &str),
        language: Language,
        seed: u32,
        round: u32,
        turn: u32,
        heard: &[Contribution],
    ) -> String {
        let (name, _) = roles[turn as usize];
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
        let facts = DiscussionContext {
            topic: topic.to_owned(),
            participants: roles.iter().map(participant).collect(),
            turn,
            round,
            rounds: 3,
            heard: Rc::new(heard.to_vec()),
            ..DiscussionContext::default()
        };
        answer(&seat, seed, &ask, &facts)
    }

    const TOPICS: [&str; 2] = [
        "How can the canteen throw away less food?",
        "the tea in the canteen",
    ];

    fn talk(topic: &str, language: Language, seed: u32) -> Vec<Contribution> {
        talk_of(&ROLES, topic, language, seed)
    }

    fn talk_of(roles: &Roles, topic: &str, language: Language, seed: u32) -> Vec<Contribution> {
        let mut heard: Vec<Contribution> = Vec::new();
        for round in 1..=3 {
            for turn in 0..4 {
                let text = speak((roles, topic), language, seed, round, turn, &heard);
                heard.push(Contribution {
                    round,
                    speaker: roles[turn as usize].0.to_owned(),
                    text,
                });
            }
        }
        heard
    }

    #[test]
    fn contributions_are_whole_sentences_and_need_no_cleaning() {
        let stops = ["[", "\n\n", "Speaker:"].map(str::to_owned);
        for language in Language::ALL {
            for seed in 0..40 {
                let talks = TOPICS.map(|topic| talk(topic, language, seed));
                for Contribution { text, .. } in talks.into_iter().flatten() {
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

    /// Returns the terms of the topic in a text outside of its known sentences, with their positions.
    fn find_terms(language: Language, topic: &'static str, text: &str) -> Vec<(usize, &'static str)> {
        let texts = topics::texts(language, topic).unwrap();
        let all = texts.values().flatten();
        let all: Vec<_> = all.map(|text| topics::spoken(text)).collect();
        let mut bare = text.to_owned();
        for (_, spoken) in all.iter().filter(|(_, spoken)| spoken.chars().count() > 8) {
            bare = bare.replace(spoken, &"-".repeat(spoken.len()));
        }
        let gists = all.into_iter().filter_map(|(gist, _)| gist);
        gists.filter_map(|gist| Some((bare.find(gist)?, gist))).collect()
    }

    #[test]
    fn attributed_statements_were_made_and_questions_are_answered() {
        let mut asks = 0;
        for (language, seed) in Language::ALL
            .into_iter()
            .flat_map(|one| (0..40).map(move |seed| (one, seed)))
        {
            for question in topics::prepared(language) {
                let topic = question.id;
                let points = Points::new(language, topic, seed as usize);
                let mut statements: Vec<(String, &str)> = Vec::new();
                let mut asked: Option<&str> = None;
                for Contribution { speaker, text, .. } in talk(question.open_question, language, seed) {
                    let own = points
                        .find_sentences(&text)
                        .into_iter()
                        .filter_map(|found| found.gist);
                    let names = find_terms(language, topic, &text);
                    let is_answered = asked.is_none_or(|gist| names.iter().any(|(_, named)| *named == gist));
                    assert!(is_answered, "{asked:?} {text}");
                    let ends = text.trim_end_matches(['?', '？']);
                    let last = ends
                        .rfind(['.', '?', '。', '？'])
                        .filter(|_| ends != text)
                        .unwrap_or(text.len());
                    for (at, gist) in &names {
                        let before = text.get(..*at).unwrap();
                        let name = ROLES
                            .iter()
                            .filter_map(|(name, _)| Some((before.rfind(name)?, *name)))
                            .max();
                        let is_quoted = statements.iter().any(|(by, known)| {
                            known == gist
                                && (speaker != "Mara"
                                    || *at > last
                                    || Some(by.as_str()) == name.map(|(_, name)| name))
                        });
                        let is_own = own.clone().any(|own| own == *gist);
                        assert!(is_quoted || is_own && *at > last, "{speaker}: {gist} {text}");
                    }
                    asked = names
                        .iter()
                        .find(|(at, _)| *at > last && speaker != "Una")
                        .map(|(_, gist)| *gist);
                    asks += u32::from(asked.is_some());
                    statements.extend(own.map(|gist| (speaker.clone(), gist)));
                }
            }
        }
        assert!(asks > 500, "{asks}");
    }

    #[test]
    fn a_leader_closes_only_in_the_last_turn() {
        let mut last = ROLES;
        last.rotate_left(1);
        for language in Language::ALL {
            let closing = ["close_manager", "own_close_manager"].map(|key| &TEXTS.of(language)[key]);
            let closes = |text: &str| {
                let is_start = |wording: &&String| text.starts_with(wording.split('{').next().unwrap());
                closing.into_iter().flatten().any(|wording| is_start(&wording))
            };
            for (seed, topic) in (0..40).flat_map(|seed| TOPICS.map(|topic| (seed, topic))) {
                for heard in talk(topic, language, seed) {
                    assert!(!closes(&heard.text), "{}", heard.text);
                }
                let talk = talk_of(&last, topic, language, seed);
                let closed: Vec<_> = talk.iter().map(|heard| closes(&heard.text)).collect();
                assert_eq!(closed.iter().position(|closes| *closes), Some(11));
            }
        }
    }

    #[test]
    fn contributions_are_determined_by_seed_and_round() {
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
        crate::procedures::scripted::speech::assert_same_structure(&TEXTS);
    }
}
