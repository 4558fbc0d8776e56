//! A judge's evaluation: points for each proposal, their ranking, a synthesis, and whether the matter is settled. A
//! proposal without points is listed as missing and gets none here.
//!
//! Source: A14.3 and A9.2 of the debate's design.

use super::alias::{Alias, alias};
use super::fields::{label, named, text_of};
use super::figure::{points, share};
use super::json::{Json, objects};
use super::vote::truth;
use super::{How, Reading, Reason};
use crate::language::Language;
use crate::thought;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Points for one proposal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Score {
    /// The proposal's label, as the judge saw it.
    pub label: String,
    /// 0 to 10.
    pub score: f64,
    /// Points by criterion, 0 to 10, as far as they were given.
    pub criteria: Vec<(String, f64)>,
    /// The judge's words about it; may be empty.
    pub comment: String,
}

/// A judge's evaluation.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Evaluation {
    /// In the order of the labels.
    pub scores: Vec<Score>,
    /// Labels without points, or with two different ones.
    pub missing: Vec<String>,
    /// Labels from best to worst, each once; may be empty.
    pub ranking: Vec<String>,
    /// The answer that the judge drew from the proposals; may be empty.
    pub synthesis: String,
    /// Whether the matter is settled, if given.
    pub conclusive: Option<bool>,
    /// 0 to 1, if given.
    pub confidence: Option<f64>,
    /// Why it is settled or not; may be empty.
    pub reason: String,
}

const FIELDS: [&str; 9] = [
    "scores",
    "name",
    "ranking",
    "synthesis",
    "conclusive",
    "confidence",
    "reason",
    "comment",
    "criteria",
];

/// Reads an evaluation. `labels` are those of the proposals in the order shown ("Proposal 1", …).
///
/// Unread: an empty answer, and one without any part of an evaluation.
#[must_use]
pub fn judge(text: &str, language: Language, labels: &[&str]) -> Reading<Evaluation> {
    let text = thought::split(text).answer;
    if text.trim().is_empty() {
        return Reading::unread(Reason::EmptyResponse);
    }
    let (found, how) = match objects(&text) {
        Json::CutOff => return Reading::unread(Reason::AnswerBrokenOff),
        Json::Broken => (None, How::Json),
        Json::Objects(objects, _) => (
            objects
                .iter()
                .find_map(|object| of_object(object, language, labels)),
            How::Json,
        ),
        Json::None => (of_lines(&text, language, labels), How::Label),
    };
    found.map_or_else(
        || Reading::unread(Reason::NoEvaluationFound),
        |found| Reading::read(found, how),
    )
}

/// The field that a name stands for.
pub(super) fn field<'a>(object: &'a Map<String, Value>, name: &'static str) -> Option<&'a Value> {
    object
        .iter()
        .find(|(key, _)| named(key, &[name]).is_some())
        .map(|(_, value)| value)
}

/// A score while the answer is read; `None` once two differ.
type Points = Vec<(Option<Option<f64>>, Vec<(String, f64)>, String)>;

fn add(all: &mut Points, at: usize, score: f64) {
    if let Some((points, ..)) = all.get_mut(at) {
        *points = Some(match points {
            None => Some(score),
            Some(before) => before.filter(|before| *before == score),
        });
    }
}

fn finish(all: Points, labels: &[&str], into: &mut Evaluation) {
    for (label, (points, criteria, comment)) in labels.iter().zip(all) {
        let label = (*label).to_owned();
        match points.flatten() {
            Some(score) => into.scores.push(Score {
                label,
                score,
                criteria,
                comment,
            }),
            None => into.missing.push(label),
        }
    }
}

/// Points in JSON are of ten, whatever they are.
fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => number
            .as_f64()
            .filter(|points| *points >= 0.0)
            .map(|points| points.min(10.0)),
        Value::String(text) => points(text),
        _ => None,
    }
}

fn of_object(object: &Map<String, Value>, language: Language, labels: &[&str]) -> Option<Evaluation> {
    let text = |name| field(object, name).and_then(text_of).unwrap_or_default();
    let mut all: Points = labels.iter().map(|_| Default::default()).collect();
    match field(object, "scores") {
        Some(Value::Array(list)) => {
            for item in list.iter().filter_map(Value::as_object) {
                let Alias::One(at) =
                    alias(&field(item, "name").and_then(text_of).unwrap_or_default(), labels)
                else {
                    continue;
                };
                if let Some(score) = field(item, "scores").and_then(number) {
                    add(&mut all, at, score);
                }
                if let Some(Value::Object(parts)) = field(item, "criteria") {
                    all[at].1 = parts
                        .iter()
                        .filter_map(|(name, value)| Some((name.clone(), number(value)?)))
                        .collect();
                }
                all[at].2 = field(item, "comment").and_then(text_of).unwrap_or_default();
            }
        }
        Some(Value::Object(by_name)) => {
            for (name, value) in by_name {
                if let (Alias::One(at), Some(score)) = (alias(name, labels), number(value)) {
                    add(&mut all, at, score);
                }
            }
        }
        _ => {}
    }
    let names = field(object, "ranking").and_then(Value::as_array);
    let names: Vec<String> = names.into_iter().flatten().filter_map(text_of).collect();
    let mut found = Evaluation {
        ranking: ranking(names.iter().map(String::as_str), labels),
        synthesis: text("synthesis"),
        conclusive: field(object, "conclusive")
            .and_then(text_of)
            .and_then(|said| truth(&said, language)),
        confidence: field(object, "confidence")
            .and_then(text_of)
            .and_then(|said| share(&said)),
        reason: text("reason"),
        ..Evaluation::default()
    };
    finish(all, labels, &mut found);
    found.says_something().then_some(found)
}

impl Evaluation {
    fn says_something(&self) -> bool {
        !self.scores.is_empty()
            || !self.ranking.is_empty()
            || !self.synthesis.is_empty()
            || self.conclusive.is_some()
    }
}

/// The labels that these names mean, each once; nothing, where a name means none or two of them.
fn ranking<'a>(names: impl Iterator<Item = &'a str>, labels: &[&str]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for name in names.filter(|name| name.contains(char::is_alphanumeric)) {
        let Alias::One(at) = alias(name, labels) else {
            return Vec::new();
        };
        let label = labels[at].to_owned();
        if found.contains(&label) {
            return Vec::new();
        }
        found.push(label);
    }
    found
}

fn of_lines(text: &str, language: Language, labels: &[&str]) -> Option<Evaluation> {
    let mut found = Evaluation::default();
    let mut all: Points = labels.iter().map(|_| Default::default()).collect();
    let (mut conclusive, mut confidence, mut ranked) = (Vec::new(), Vec::new(), Vec::new());
    let mut part = "";
    for line in text.lines() {
        if let Some((name, value)) = label(line, &FIELDS) {
            part = name;
            match name {
                "ranking" => ranked.extend(value.split([',', '>', ';', '，', '、'])),
                "synthesis" => found.synthesis.push_str(value),
                "conclusive" => conclusive.push(truth(value, language)),
                "confidence" => confidence.push(share(value)),
                "reason" => found.reason.push_str(value),
                _ => {}
            }
        } else if let Some((at, score)) = scored(line, labels) {
            add(&mut all, at, score);
        } else if part == "synthesis" {
            found.synthesis.push('\n');
            found.synthesis.push_str(line.trim());
        } else if part == "ranking" {
            ranked.push(line.trim_start_matches(|c: char| !c.is_alphabetic()));
        }
    }
    finish(all, labels, &mut found);
    found.ranking = ranking(ranked.into_iter(), labels);
    found.synthesis.truncate(found.synthesis.trim_end().len());
    (found.conclusive, found.confidence) = (same(conclusive), same(confidence));
    found.says_something().then_some(found)
}

/// The one value of several that are the same.
pub(super) fn same<T: PartialEq>(mut found: Vec<Option<T>>) -> Option<T> {
    found.dedup();
    if found.len() == 1 {
        found.pop().flatten()
    } else {
        None
    }
}

/// `Proposal 2 (the queue): 7/10`: which label and how many points.
fn scored(line: &str, labels: &[&str]) -> Option<(usize, f64)> {
    let line = line.trim_start_matches(|c: char| "*#>-•_` |".contains(c));
    let (name, after) = line.split_once([':', '：', '='])?;
    let Alias::One(label) = alias(name.split(['(', '（']).next().unwrap_or(name), labels) else {
        return None;
    };
    Some((label, points(after)?)).filter(|(_, points)| (0.0..=10.0).contains(points))
}
