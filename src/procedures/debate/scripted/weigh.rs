//! What scripted debaters say of others' proposals: critiques, votes, a judge's evaluation. Of a text
//! that is not of the bank they know no more than its words.

use super::bank::{Bank, Place, Point};
use super::draft::{Draft, preferred};
use super::persona::Persona;
use super::write::quoted;
use crate::procedures::debate::facts::{Facts, Proposal};
use crate::procedures::scripted::chance::Chance;
use crate::procedures::scripted::speech::Speech;
use crate::sorted::sort;
use crate::value::json;
use serde_json::{Map, Value};

/// Issues in a critique at most.
const ISSUES: usize = 4;

/// How sure a judge is at least that nothing is left to say: the proposals were revised often enough.
const SURE: f64 = 0.72;

/// A critique in the asked form.
pub(super) fn critique(
    mut speech: Speech,
    bank: &Bank,
    persona: &Persona,
    facts: &Facts,
    mut chance: Chance,
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
            let own = preferred(bank, persona);
            let theirs = draft.side(bank);
            let lost = |side| bank.merit_of_side(side) + 0.35 * persona.likes(side);
            let side = if lost(own) > lost(theirs) + 0.1 {
                own
            } else {
                theirs
            };
            apart = if side == theirs { 0.1 } else { 0.6 };
            for (point, better) in weak_points(bank, &draft, side, &mut chance) {
                let quote = quoted(bank.text(point));
                let key = format!("issue_{}", point.place.name());
                issues.push(speech.phrase(&key, &[("quote", &quote)]));
                suggestions.push(speech.phrase("suggest", &[("new", bank.text(better))]));
            }
            if issues.is_empty() {
                apart = 0.0;
                let kept = draft.at(Place::Action);
                let quote = quoted(kept.first().map_or("", |point| bank.text(*point)));
                issues.push(speech.phrase("issue_small", &[("quote", &quote)]));
                suggestions.push(speech.phrase("suggest_free", &[("a", topic)]));
            }
        }
        None => {
            let mut sentences: Vec<&str> = text.split(['.', '。', '\n', '?', '？', '!']).collect();
            sentences.retain(|sentence| sentence.trim().chars().count() > 3);
            for _ in 0..2 {
                let quote = quoted(chance.pick(&sentences).copied().unwrap_or("…"));
                issues.push(speech.phrase("issue_foreign", &[("quote", &quote)]));
                suggestions.push(speech.phrase("suggest_free", &[("a", topic)]));
            }
        }
    }
    let severity = 10.0 * (0.35 * persona.severity + 0.5 * apart) + 0.5 * issues.len() as f64;
    let severity = (severity.round() as u32).clamp(1, 9);
    let mut lines = vec![heading(&mut speech, "issues")];
    lines.extend(issues.iter().map(|issue| format!("- {issue}")));
    lines.push(heading(&mut speech, "suggestions"));
    lines.extend(suggestions.iter().map(|suggestion| format!("- {suggestion}")));
    lines.push(format!("{}{severity}", heading(&mut speech, "severity")));
    let why = match severity {
        0..=3 => "why_light",
        4..=5 => "why_fair",
        _ => "why_heavy",
    };
    let why = speech.phrase(why, &[("a", topic)]);
    lines.push(format!("{}{why}", heading(&mut speech, "reasoning")));
    lines.join("\n")
}

/// What is wanting in a proposal, seen from a side, and what would be better there: where the sides
/// differ, the claim before all else.
fn weak_points(
    bank: &Bank,
    draft: &Draft,
    side: super::bank::Side,
    chance: &mut Chance,
) -> Vec<(Point, Point)> {
    let mut found: Vec<(f64, Point, Point)> = Vec::new();
    for place in Place::ALL.into_iter().filter(|place| *place != Place::Open) {
        let mut better = bank.best(place, side);
        better.retain(|point| !draft.points.contains(point));
        let mut own = draft.at(place);
        sort(&mut own, |one, other| bank.merit(*one) < bank.merit(*other));
        for (point, better) in own.into_iter().zip(better) {
            let is_other = point.side.is_some_and(|own| own != side);
            let gain = bank.merit(better) - bank.merit(point);
            let first = if is_other && place == Place::Claim {
                2.0
            } else {
                0.0
            };
            if is_other || gain > 0.05 {
                found.push((gain + first + 0.2 * chance.unit(), point, better));
            }
        }
    }
    sort(&mut found, |one, other| one.0 > other.0);
    let found = found.into_iter().take(ISSUES);
    found.map(|(_, point, better)| (point, better)).collect()
}

/// How good a proposal looks, about 0 to 2, with what is seen in it.
pub(super) fn worth(bank: &Bank, proposal: &Proposal) -> (f64, Option<Draft>) {
    match Draft::of(bank, &proposal.text) {
        Some(draft) => {
            let side = draft.side(bank);
            (draft.quality(bank) + 0.5 * bank.merit_of_side(side), Some(draft))
        }
        // Of other texts only the length is seen, and that it is none of extremes.
        None => {
            let length = proposal.text.chars().count() as f64;
            (0.4 + 0.5 * (length / 800.0).min(1.0), None)
        }
    }
}

/// A vote in four lines.
pub(super) fn vote(
    mut speech: Speech,
    bank: &Bank,
    persona: &Persona,
    facts: &Facts,
    name: &str,
    mut chance: Chance,
) -> String {
    let mut ranked: Vec<(f64, &str)> = facts
        .proposals
        .iter()
        .map(|proposal| {
            let (worth, draft) = worth(bank, proposal);
            let liked = draft.map_or(0.5, |draft| persona.likes(draft.side(bank)));
            let own = if proposal.label == name {
                0.6 * persona.pride
            } else {
                0.0
            };
            let value = worth + 0.4 * liked + own + 0.25 * chance.unit();
            (value, proposal.label.as_str())
        })
        .collect();
    sort(&mut ranked, |one, other| one.0 > other.0);
    let Some((best, choice)) = ranked.first().copied() else {
        return String::new();
    };
    let margin = ranked.get(1).map_or(0.5, |(second, _)| best - second);
    let confidence = (persona.confidence + 0.5 * margin - 0.1).clamp(0.3, 0.98);
    let confidence = (confidence * 100.0).round() as u32;
    let goes_on = margin < 0.12;
    let topic = bank.topic();
    let key = if choice == name { "vote_own" } else { "vote_other" };
    let mut reason = speech.phrase(key, &[("choice", choice), ("a", topic)]);
    let chosen = facts.proposals.iter().find(|proposal| proposal.label == choice);
    if let Some(source) = chosen.and_then(|proposal| bank.source_in(&proposal.text)) {
        reason.push(' ');
        reason.push_str(&speech.phrase("vote_source", &[("n", bank.number_of(source))]));
    }
    let go_on = speech.phrase(if goes_on { "yes" } else { "no" }, &[]);
    [
        format!("{}{choice}", heading(&mut speech, "choice")),
        format!("{}0.{confidence:02}", heading(&mut speech, "confidence")),
        format!("{}{go_on}", heading(&mut speech, "continue")),
        format!("{}{reason}", heading(&mut speech, "reasoning")),
    ]
    .join("\n")
}

/// A judge's evaluation as a JSON object; whose proposals they are is not known and not asked.
pub(super) fn judgement(
    mut speech: Speech,
    bank: &Bank,
    persona: &Persona,
    facts: &Facts,
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
    for (points, proposal, _) in &rows {
        let mut criteria = Map::new();
        for at in 0..5 {
            let off = (chance.unit() * 2.0).round() as u32;
            let points = (points / 10 + off).saturating_sub(1).clamp(0, 10);
            criteria.insert(speech.nth("criteria", at).to_owned(), json!(points));
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
        row.insert(key(4), json!(speech.phrase(comment, &[])));
        scores.push(Value::Object(row));
    }
    sort(&mut rows, |one, other| one.0 > other.0);
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

/// The best proposal in short, with a doubt of the next one.
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
    let gap = match speech.language {
        crate::language::Language::Mandarin => "",
        _ => " ",
    };
    parts.join(gap)
}

/// The label of a line with its colon.
pub(super) fn heading(speech: &mut Speech, key: &str) -> String {
    let label = speech.nth(key, 0);
    match speech.language {
        crate::language::Language::Mandarin => format!("{label}："),
        _ => format!("{label}: "),
    }
}
