//! Short answers of a scripted participant: rankings, choices, votes and amounts in varying forms, sometimes
//! with Markdown or a thought in front. Always clear to a person, except for `vague`.

use super::stance::Stance;
use crate::core::ask::Ask;
use crate::principle::{Certainty, Choice, Principle, Ranking};
use crate::procedures::justice::asks;
use crate::procedures::scripted::speech::Speech;
use serde_json::json;

/// Share of answers that begin with a thought.
const ALOUD: f64 = 0.15;

fn certainty_key(certainty: Certainty) -> &'static str {
    match certainty {
        Certainty::VeryUnsure => "very_unsure",
        Certainty::Unsure => "unsure",
        Certainty::NoOpinion => "no_opinion",
        Certainty::Sure => "sure",
        Certainty::VerySure => "very_sure",
    }
}

/// Writes a numbered list and a line on certainty.
pub(super) fn ranking(mut speech: Speech, ranking: &Ranking, ask: &Ask) -> String {
    if speech.chance.happens(ALOUD) {
        speech.say("rank_aloud", &[]).push("\n\n");
    } else if ask.kind == asks::FINAL_RANKING && speech.chance.happens(0.3) {
        speech.say("rank_changed", &[]).push("\n\n");
    }
    if speech.chance.happens(0.75) {
        speech.say("rank_intro", &[]).push("\n");
        if speech.chance.happens(0.4) {
            speech.push("\n");
        }
    }
    let long = speech.chance.happens(0.6);
    let bold = speech.chance.happens(0.2);
    let why = speech.chance.happens(0.25);
    let mark = if speech.chance.happens(0.85) { "." } else { ")" };
    for (principle, place) in ranking.order.into_iter().zip(1..) {
        let number = principle.number();
        let key = if long { "name_long" } else { "name_short" };
        let name = speech.phrase(&format!("{key}_{number}"), &[]);
        let stars = if bold { "**" } else { "" };
        speech.push(&format!("{place}{mark} {stars}{name}{stars}"));
        if why {
            let why = speech.phrase(&format!("why_{number}"), &[]);
            speech.push(" - ").push(&why);
        }
        speech.push("\n");
    }
    let mut value = ranking.order.map(|one| one.number().to_string()).join(" > ");
    if let Some(certainty) = ranking.certainty {
        let certainty_word = speech.nth(certainty_key(certainty), 0);
        value = format!("{value}, {certainty_word}");
        let line = if certainty == Certainty::NoOpinion {
            // "I am no opinion" is not a sentence, so a labelled line is used.
            speech
                .nth("rank_certainty", 0)
                .replace("{certainty}", certainty_word)
        } else {
            speech.phrase("rank_certainty", &[("certainty", certainty_word)])
        };
        speech.push("\n").push(&line);
    }
    with_line(speech, &value)
}

/// Ends with the line that questions in free text ask for.
fn with_line(mut speech: Speech, value: &str) -> String {
    let label = speech.language.word("answer");
    speech.push(&format!("\n\n{label}: {value}"));
    speech.done()
}

/// Begins some answers with a thought.
fn think_aloud(speech: &mut Speech, key: &str) {
    if speech.chance.happens(ALOUD) {
        speech.say(key, &[]).push("\n\n");
    }
}

/// Writes a sentence, or labelled lines, with principle, amount and certainty.
pub(super) fn choice(mut speech: Speech, choice: &Choice) -> String {
    let number = choice.principle.number().to_string();
    let amount = choice.amount.map(|amount| speech.money(amount));
    let amount = amount.unwrap_or_default();
    let certainty = choice
        .certainty
        .map_or("", |certainty| speech.nth(certainty_key(certainty), 0));
    think_aloud(&mut speech, "choose_aloud");
    if speech.chance.happens(0.2) {
        let bold = speech.chance.happens(0.5);
        let line = |speech: &mut Speech, key: &str, place: (&str, &str)| {
            let text = speech.phrase(key, &[place]);
            let stars = if bold { "**" } else { "" };
            speech.push(&format!("{stars}{text}{stars}\n"));
        };
        line(&mut speech, "field_principle", ("n", &number));
        if choice.amount.is_some() {
            line(&mut speech, "field_amount", ("amount", &amount));
        }
        line(&mut speech, "field_certainty", ("certainty", certainty));
        return speech.done().trim_end().to_string();
    }
    speech.say(&format!("choose_{number}"), &[("amount", &amount)]);
    if speech.chance.happens(0.4) {
        speech.say(&format!("arg_{number}"), &[]);
    }
    speech.say("choose_certainty", &[("certainty", certainty)]);
    let parts = [number.as_str(), amount.as_str(), certainty];
    let value: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    with_line(speech, &value.join(", "))
}

/// Writes an amount, alone or in a sentence.
pub(super) fn amount(mut speech: Speech, amount: u32) -> String {
    let written = speech.money(amount);
    think_aloud(&mut speech, "amount_aloud");
    speech.say(
        "amount_plain",
        &[("amount", &written), ("bare", &amount.to_string())],
    );
    speech.done()
}

/// Writes 1 for yes or 0 for no.
pub(super) fn agreement(mut speech: Speech, yes: bool) -> String {
    let (word, aloud) = if yes {
        ("yes", "yes_aloud")
    } else {
        ("no", "no_aloud")
    };
    think_aloud(&mut speech, aloud);
    speech.say(word, &[]);
    speech.done()
}

/// Writes a vote for a principle.
pub(super) fn ballot(mut speech: Speech, principle: Principle) -> String {
    let number = principle.number().to_string();
    let label = speech.phrase(&format!("label_{number}"), &[]);
    think_aloud(&mut speech, "ballot_aloud");
    speech.say("ballot", &[("n", &number), ("label", &label)]);
    speech.done()
}

/// Writes a statement as JSON, with its stance, topic, key point and theory.
pub(super) fn pointed(mut speech: Speech, text: &str, stance: Stance) -> String {
    let number = stance.principle.number();
    let mut point = |key: &str| speech.phrase(&format!("{key}_{number}"), &[]);
    json!({
        "text": text, "favored_principle": stance.principle.id(), "favored_amount": stance.amount,
        "topic": point("name_short"), "key_point": point("why"), "theory": point("theory"),
    })
    .to_string()
}

/// Writes an answer whose meaning is open.
pub(super) fn vague(mut speech: Speech, kind: &str) -> String {
    let key = match kind {
        asks::STATEMENT | asks::MESSAGE => "vague_statement",
        asks::APPLICATION => "vague_choice",
        asks::BALLOT_PRINCIPLE => "vague_principle",
        asks::BALLOT_AMOUNT | asks::CONSTRAINT_RETRY => "vague_amount",
        asks::VOTE_INITIATION | asks::VOTE_CONFIRMATION => "vague_yes_no",
        _ => "vague_ranking",
    };
    speech.say(key, &[]);
    speech.done()
}
