//! Judgements of scripted debaters about proposals: critiques, votes, evaluations. Texts without sentences of
//! the bank are judged by their words only.

use super::bank::{Bank, Place, Point};
use super::draft::Draft;
use super::persona::Persona;
use super::write::quoted;
use crate::procedures::debate::context::{DebateContext, Proposal};
use crate::procedures::scripted::chance::Chance;
use crate::procedures::scripted::speech::{Places, Speech};
use crate::procedures::topics::Side;
use crate::reading::critique::sentences;
use serde_json::{Map, Value, json};

/// Minimum confidence of a judge that the matter is settled, since proposals have been revised.
const SURE: f64 = 0.72;

/// Writes a critique in the requested format.
pub(super) fn critique(
    mut speech: Speech,
    bank: &Bank,
    persona: &Persona,
    facts: &DebateContext,
    chance: &mut Chance,
) -> String {
    let text = facts
        .proposals
        .first()
        .map_or("", |proposal| proposal.text.as_str());
    let topic = bank.topic();
    let mut issues: Vec<String> = Vec::new();
    let mut suggestions: Vec<String> = Vec::new();
    let mut apart = 0.5;
    match Draft::of(bank, text) {
        Some(draft) => {
            let theirs = draft.side(bank);
            let lost = |side| bank.merit_of_side(side) + 0.35 * persona.preference(side);
            // After round 2, a critique argues for the side that the debater now finds best.
            let mut own = persona.first_side;
            if facts.round > 2 && persona.bound.is_none() {
                for side in Side::ALL {
                    own = if lost(side) > lost(own) { side } else { own };
                }
            }
            let side = if persona.bound.is_some() || lost(own) > lost(theirs) + 0.1 {
                own
            } else {
                theirs
            };
            apart = if side == theirs { 0.1 } else { 0.6 };
            let number = number(persona, facts);
            let found = weak_points(bank, &draft, side, number);
            for (nth, (point, better)) in found.into_iter().enumerate() {
                let quote = quoted(bank.text(point));
                let place = point.place.name();
                let phrase = |key: &str, places: &Places| speech.phrase_nth(key, number + nth, places);
                issues.push(phrase(&format!("issue_{place}"), &[("quote", &quote)]));
                suggestions.push(match better {
                    Some(better) => phrase("suggest", &[("new", bank.text(better))]),
                    None => phrase(&format!("repair_{place}"), &[]),
                });
            }
        }
        None => {
            let mut sentences = sentences(text);
            sentences.retain(|sentence| sentence.trim().chars().count() > 3);
            for _ in 0..2 {
                let quote = quoted(chance.pick(&sentences).copied().unwrap_or("…"));
                issues.push(speech.phrase("issue_foreign", &[("quote", &quote)]));
            }
            suggestions.push(speech.phrase("suggest_free", &[("a", topic)]));
        }
    }
    let severity = 10.0 * (0.35 * persona.severity + 0.5 * apart) + 0.5 * issues.len() as f64;
    let severity = (severity.round() as u32).clamp(1, 9);
    let mut lines = vec![speech.labelled("issues", "")];
    lines.extend(issues.iter().map(|issue| format!("- {issue}")));
    lines.push(speech.labelled("suggestions", ""));
    lines.extend(suggestions.iter().map(|suggestion| format!("- {suggestion}")));
    lines.push(speech.labelled("severity", severity));
    let why = match severity {
        0..=3 => "why_light",
        4..=5 => "why_fair",
        _ => "why_heavy",
    };
    let why = speech.phrase(why, &[("a", topic)]);
    lines.push(speech.labelled("reasoning", why));
    lines.join("\n")
}

/// Returns a distinct number for each critique of a round, by critic and author.
fn number(persona: &Persona, facts: &DebateContext) -> usize {
    let label = facts.proposals.first().map(|proposal| &proposal.label);
    let target = facts.participants.iter().position(|name| Some(name) == label);
    let target = target.unwrap_or_default();
    2 * persona.index + target - usize::from(target > persona.index) + 5 * facts.round as usize
}

/// Returns the weak points of a proposal from the view of a side, with better sentences: if the sides differ,
/// the claim first. The last point has no replacement, only a repair.
fn weak_points(bank: &Bank, draft: &Draft, side: Side, number: usize) -> Vec<(Point, Option<Point>)> {
    let mut found = Vec::new();
    let is_other = draft.side(bank) != side;
    for place in Place::ALL {
        let is_argued = matches!(place, Place::Claim | Place::Reason | Place::Action);
        let is_turn = place != Place::Unknown || number.is_multiple_of(2);
        if place == Place::Open || !is_turn || is_other && !is_argued {
            continue;
        }
        let mut better = bank.best(place, side);
        better.retain(|point| !draft.points.contains(point) && (is_other || draft.gain(bank, *point) > 0.05));
        let mut own = draft.at(place);
        own.sort_by(|one, other| bank.merit(*one).total_cmp(&bank.merit(*other)));
        let better = better.get(number % better.len().max(1)).copied();
        if let Some((point, better)) = own.first().copied().zip(better) {
            found.push((point, Some(better)));
        }
    }
    // The difference of sides comes first, then one point in rotation.
    let first = usize::from(is_other && !found.is_empty());
    if found.len() > first + 1 {
        let turn = number % (found.len() - first);
        found[first..].rotate_left(turn);
        found.truncate(first + 1);
    }
    let mut rest = draft.points.clone();
    rest.retain(|point| point.place != Place::Open && found.iter().all(|(known, _)| known != point));
    found.extend(rest.get(number % rest.len().max(1)).map(|point| (*point, None)));
    found
}

/// Estimates the value of a proposal, about 0 to 2, and returns the recognised draft.
pub(super) fn worth(bank: &Bank, proposal: &Proposal) -> (f64, Option<Draft>) {
    match Draft::of(bank, &proposal.text) {
        Some(draft) => {
            let side = draft.side(bank);
            (draft.quality(bank) + 0.5 * bank.merit_of_side(side), Some(draft))
        }
        // Other texts are judged by their length, within narrow bounds.
        None => {
            let length = proposal.text.chars().count() as f64;
            (0.4 + 0.5 * (length / 800.0).min(1.0), None)
        }
    }
}

/// Writes a vote in four lines.
pub(super) fn vote(
    mut speech: Speech,
    bank: &Bank,
    persona: &Persona,
    facts: &DebateContext,
    name: &str,
    mut chance: Chance,
) -> String {
    let mut ranked: Vec<(f64, &str)> = facts
        .proposals
        .iter()
        .map(|proposal| {
            let (worth, draft) = worth(bank, proposal);
            // A debater argues for its assigned side, but votes by its own leaning.
            let liked = draft.map_or(0.5, |draft| persona.leaning[draft.side(bank) as usize]);
            let own = if proposal.label == name {
                0.6 * persona.pride
            } else {
                0.0
            };
            let value = worth + 0.4 * liked + own + 0.25 * chance.unit();
            (value, proposal.label.as_str())
        })
        .collect();
    ranked.sort_by(|one, other| other.0.total_cmp(&one.0));
    let Some((best, choice)) = ranked.first().copied() else {
        return String::new();
    };
    let margin = ranked.get(1).map_or(0.5, |(second, _)| best - second);
    let confidence = (persona.confidence + 0.5 * margin - 0.1).clamp(0.3, 0.98);
    let confidence = (confidence * 100.0).round() as u32;
    let goes_on = margin < 0.12;
    let topic = bank.topic();
    let text = |label: &str| {
        let shown = facts.proposals.iter().find(|proposal| proposal.label == label);
        shown.map(|proposal| &proposal.text)
    };
    let key = match choice {
        choice if choice == name => "vote_own",
        choice if text(choice) == text(name) => "vote_same",
        _ => "vote_other",
    };
    let mut reason = speech.phrase_nth(key, persona.index, &[("choice", choice), ("a", topic)]);
    let chosen = facts.proposals.iter().find(|proposal| proposal.label == choice);
    if let Some(source) = chosen.and_then(|proposal| bank.source_in(&proposal.text)) {
        reason.push(' ');
        reason.push_str(&speech.phrase("vote_source", &[("n", bank.number_of(source))]));
    }
    let go_on = speech.phrase(if goes_on { "yes" } else { "no" }, &[]);
    [
        speech.labelled("choice", choice),
        speech.labelled("confidence", format!("0.{confidence:02}")),
        speech.labelled("continue", go_on),
        speech.labelled("reasoning", reason),
    ]
    .join("\n")
}

/// Writes an evaluation as a JSON object, without regard to the authors.
pub(super) fn judgement(
    mut speech: Speech,
    bank: &Bank,
    persona: &Persona,
    facts: &DebateContext,
    mut chance: Chance,
) -> String {
    let keys: Vec<&'static str> = (0..10).map(|at| speech.nth("key_judge", at)).collect();
    let key = |at: usize| keys.get(at).copied().unwrap_or("").to_owned();
    let mut rows: Vec<(u32, &Proposal, Option<Draft>)> = Vec::new();
    for proposal in &facts.proposals {
        let (worth, draft) = worth(bank, proposal);
        let strict = 0.6 * persona.severity;
        let points = 4.5 + 3.2 * worth - strict + 0.8 * chance.unit();
        rows.push(((points.clamp(0.0, 10.0) * 10.0).round() as u32, proposal, draft));
    }
    let mut scores = Vec::new();
    for (at, (points, proposal, _)) in rows.iter().enumerate() {
        let mut criteria = Map::new();
        for nth in 0..5 {
            let off = (chance.unit() * 2.0).round() as u32;
            let points = (points / 10 + off).saturating_sub(1).clamp(0, 10);
            criteria.insert(speech.nth("criteria", nth).to_owned(), json!(points));
        }
        let comment = match points {
            75.. => "comment_good",
            60..75 => "comment_fair",
            _ => "comment_poor",
        };
        let mut row = Map::new();
        row.insert(key(1), json!(proposal.label));
        row.insert(key(2), json!(f64::from(*points) / 10.0));
        row.insert(key(3), Value::Object(criteria));
        row.insert(key(4), json!(speech.phrase_nth(comment, at, &[])));
        scores.push(Value::Object(row));
    }
    rows.sort_by_key(|row| std::cmp::Reverse(row.0));
    let margin = match rows.as_slice() {
        [first, second, ..] => f64::from(first.0 - second.0) / 10.0,
        _ => 2.0,
    };
    let sides: Vec<_> = rows
        .iter()
        .map(|(_, _, draft)| draft.as_ref().map(|draft| draft.side(bank)))
        .collect();
    let is_one = sides.iter().all(|side| side.is_some() && *side == sides[0]);
    let sure = SURE + 0.2 * margin + if is_one { 0.2 } else { 0.0 } + 0.1 * persona.confidence;
    let conclusive = chance.happens(sure);
    let confidence = ((sure * 100.0).round() as u32).clamp(40, 97);
    let mut object = Map::new();
    object.insert(key(0), Value::Array(scores));
    let ranking: Vec<&str> = rows
        .iter()
        .map(|(_, proposal, _)| proposal.label.as_str())
        .collect();
    object.insert(key(5), json!(ranking));
    object.insert(key(6), json!(synthesis(&mut speech, bank, &rows)));
    object.insert(key(7), json!(conclusive));
    object.insert(key(8), json!(f64::from(confidence) / 100.0));
    let reason = if conclusive { "judge_settled" } else { "judge_open" };
    object.insert(key(9), json!(speech.phrase(reason, &[])));
    let text = serde_json::to_string_pretty(&Value::Object(object)).unwrap_or_default();
    if chance.happens(0.3) {
        return format!("```json\n{text}\n```");
    }
    text
}

/// Summarises the best proposal, with a concern from the next one on its side.
fn synthesis(speech: &mut Speech, bank: &Bank, rows: &[(u32, &Proposal, Option<Draft>)]) -> String {
    let mut parts = vec![speech.phrase("synthesis_lead", &[])];
    let Some((_, best, draft)) = rows.first() else {
        return String::new();
    };
    match draft {
        Some(draft) => {
            let next = rows
                .get(1)
                .and_then(|(_, _, draft)| draft.as_ref())
                .filter(|next| next.side(bank) == draft.side(bank))
                .unwrap_or(draft);
            let first = |draft: &Draft, place: Place| draft.at(place).into_iter().next();
            let points = [
                first(draft, Place::Claim),
                first(draft, Place::Reason),
                first(next, Place::Caveat),
                first(draft, Place::Action),
            ];
            parts.extend(
                points
                    .into_iter()
                    .flatten()
                    .map(|point| bank.text(point).to_owned()),
            );
        }
        None => parts.push(best.text.trim().to_owned()),
    }
    speech.join(&parts)
}
