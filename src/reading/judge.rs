//! A judge's evaluation: points for each proposal, their ranking, a synthesis, and whether the matter is
//! settled. A JSON object first, then lines. A proposal without points is named as missing and gets
//! none here.
//!
//! Source: A14.3 and A9.2 of the debate's design.

use super::alias::{Alias, alias};
use super::json::objects;
use super::labelled::{Line, Once, field, figure, key, listed, plain_text, points, share, truth};
use super::normalize::without_thought;
use super::vote::{CONFIDENCE, REASONING};
use super::{How, Reading, Reason};
use crate::language::Language;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Points for one proposal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Score {
    /// The proposal's label, as the judge was shown it.
    pub label: String,
    /// 0 to 10.
    pub score: f64,
    /// Points by criterion, 0 to 10, as far as they were given.
    pub criteria: Vec<(String, f64)>,
    /// The judge's words about it; may be empty.
    pub comment: String,
}

/// What a judge said.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Evaluation {
    /// In the order of the labels.
    pub scores: Vec<Score>,
    /// Labels without points, or with two different ones.
    pub missing: Vec<String>,
    /// Labels from best to worst as the judge ranked them, each once; may be empty.
    pub ranking: Vec<String>,
    /// The answer that the judge drew from the proposals; may be empty.
    pub synthesis: String,
    /// Whether the matter is settled, if it was said.
    pub conclusive: Option<bool>,
    /// 0 to 1, if it was said.
    pub confidence: Option<f64>,
    /// Why it is settled or not; may be empty.
    pub reason: String,
}

const SCORES: &str = "scores|score|evaluations|evaluation|points|puntuaciones|puntuacion|puntos|评分|得分";
const NAME: &str = "proposal|label|name|id|propuesta|etiqueta|提案|方案";
const RANKING: &str = "ranking|rank|final ranking|clasificacion|orden|排名|排序";
const SYNTHESIS: &str = "synthesis|final answer|answer|sintesis|respuesta final|综合|综合结论|结论";
const CONCLUSIVE: &str = "conclusive|is conclusive|concluyente|es concluyente|定论|是否定论|有定论|结论性";
const COMMENT: &str = "comment|comments|feedback|comentario|评论|评语";
const CRITERIA: &str = "criteria|criterios|标准|各项";

/// Reads an evaluation. `labels` are those of the proposals in the order shown ("Proposal 1", …).
///
/// Unread: an empty answer, or one in which nothing of an evaluation is found.
#[must_use]
pub fn judge(text: &str, language: Language, labels: &[&str]) -> Reading<Evaluation> {
    let text = without_thought(text);
    if text.trim().is_empty() {
        return Reading::unread(Reason::EmptyResponse);
    }
    let found = objects(&text)
        .iter()
        .find_map(|object| of_object(object, language, labels));
    if let Some(found) = found {
        return Reading::read(found, How::Json);
    }
    match of_lines(&text, language, labels) {
        Some(found) => Reading::read(found, How::Label),
        None => Reading::unread(Reason::NoEvaluationFound),
    }
}

/// What is known of each label while the answer is read.
struct Points {
    of: Vec<Once<f64>>,
    beside: Vec<(Vec<(String, f64)>, String)>,
}

impl Points {
    fn new(labels: &[&str]) -> Self {
        Self {
            of: labels.iter().map(|_| Once::Never).collect(),
            beside: labels.iter().map(|_| Default::default()).collect(),
        }
    }

    fn add(&mut self, at: usize, points: f64) {
        self.of.get_mut(at).into_iter().for_each(|of| of.add(points));
    }

    fn put(self, labels: &[&str], into: &mut Evaluation) {
        for ((label, points), (criteria, comment)) in labels.iter().zip(self.of).zip(self.beside) {
            let label = (*label).to_owned();
            match points.value() {
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
}

/// Points in JSON are of ten, whatever they are.
fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => number
            .as_f64()
            .filter(|points| *points >= 0.0)
            .map(|points| points.min(10.0)),
        Value::String(text) => figure(text).and_then(|_| points(text)),
        _ => None,
    }
}

fn of_object(object: &Value, language: Language, labels: &[&str]) -> Option<Evaluation> {
    let mut found = Evaluation::default();
    let mut points = Points::new(labels);
    let scores = field(object, SCORES);
    match scores {
        Some(Value::Array(list)) => {
            for item in list {
                let name = field(item, NAME).and_then(plain_text).unwrap_or_default();
                let Alias::One(at) = alias(&name, labels) else {
                    continue;
                };
                field(item, SCORES)
                    .and_then(number)
                    .into_iter()
                    .for_each(|score| points.add(at, score));
                if let Some((criteria, comment)) = points.beside.get_mut(at) {
                    if let Some(Value::Object(parts)) = field(item, CRITERIA) {
                        let parts = parts.iter();
                        *criteria = parts
                            .filter_map(|(name, value)| Some((name.clone(), number(value)?)))
                            .collect();
                    }
                    *comment = field(item, COMMENT).and_then(plain_text).unwrap_or_default();
                }
            }
        }
        Some(Value::Object(by_name)) => {
            for (name, value) in by_name {
                if let (Alias::One(at), Some(score)) = (alias(name, labels), number(value)) {
                    points.add(at, score);
                }
            }
        }
        _ => {}
    }
    points.put(labels, &mut found);
    if let Some(Value::Array(list)) = field(object, RANKING) {
        let names: Vec<String> = list.iter().filter_map(plain_text).collect();
        found.ranking = ranking(names.iter().map(String::as_str), labels);
    }
    found.synthesis = field(object, SYNTHESIS).and_then(plain_text).unwrap_or_default();
    found.conclusive = field(object, CONCLUSIVE).and_then(|value| match value {
        Value::Bool(flag) => Some(*flag),
        other => truth(&plain_text(other)?, language),
    });
    found.confidence = field(object, CONFIDENCE)
        .and_then(plain_text)
        .and_then(|said| share(&said));
    found.reason = field(object, REASONING).and_then(plain_text).unwrap_or_default();
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
    for name in names.filter(|name| !key(name).is_empty()) {
        let Alias::One(at) = alias(name, labels) else {
            return Vec::new();
        };
        let label = labels
            .get(at)
            .map(|label| (*label).to_owned())
            .unwrap_or_default();
        if found.contains(&label) {
            return Vec::new();
        }
        found.push(label);
    }
    found
}

fn of_lines(text: &str, language: Language, labels: &[&str]) -> Option<Evaluation> {
    let mut found = Evaluation::default();
    let mut points_of = Points::new(labels);
    let mut conclusive = Once::Never;
    let mut confidence = Once::Never;
    let mut in_synthesis = false;
    let mut in_ranking = false;
    let mut ranked: Vec<&str> = Vec::new();
    for line in text.lines() {
        let bare = Line::of(line);
        let labelled = bare.label();
        let (label, value) = match &labelled {
            Some((label, value)) => (label.as_str(), *value),
            None => ("", bare.text),
        };
        let is_known = [RANKING, SYNTHESIS, CONCLUSIVE, CONFIDENCE, REASONING, SCORES]
            .iter()
            .any(|table| listed(table, label));
        in_synthesis &= !is_known;
        in_ranking &= !is_known;
        if listed(RANKING, label) {
            in_ranking = value.is_empty();
            ranked.extend(value.split([',', '>', ';', '，', '、']));
        } else if listed(SYNTHESIS, label) {
            in_synthesis = true;
            found.synthesis.push_str(value);
        } else if listed(CONCLUSIVE, label) {
            truth(value, language)
                .into_iter()
                .for_each(|said| conclusive.add(said));
        } else if listed(CONFIDENCE, label) {
            share(value).into_iter().for_each(|said| confidence.add(said));
        } else if listed(REASONING, label) {
            found.reason.push_str(value);
        } else if in_synthesis {
            found.synthesis.push('\n');
            found.synthesis.push_str(line.trim());
        } else if in_ranking {
            ranked.push(bare.text);
        } else if let Some((at, score)) = scored(bare.text, labels) {
            points_of.add(at, score);
        }
    }
    points_of.put(labels, &mut found);
    found.ranking = ranking(ranked.into_iter(), labels);
    found.synthesis.truncate(found.synthesis.trim_end().len());
    found.conclusive = conclusive.value();
    found.confidence = confidence.value();
    found.says_something().then_some(found)
}

/// `Proposal 2 (the queue): 7/10`: which label and how many points.
fn scored(line: &str, labels: &[&str]) -> Option<(usize, f64)> {
    let at = line.find([':', '：', '='])?;
    let (before, after) = line.split_at(at);
    let name = before.split('(').next().unwrap_or(before);
    let Alias::One(label) = alias(name, labels) else {
        return None;
    };
    let after = after.trim_start_matches([':', '：', '=', ' ', '*']);
    // Points stand at the start; a figure in a sentence is something else.
    let first = after.chars().next()?;
    let lead = after.split_once(' ').map_or(after, |(lead, _)| lead);
    let is_labelled = listed(SCORES, &key(lead));
    if !first.is_ascii_digit() && !('０'..='９').contains(&first) && !is_labelled {
        return None;
    }
    let (value, scale) = figure(after)?;
    let points = match scale {
        super::labelled::Scale::Plain => value,
        _ => points(after)?,
    };
    (0.0..=10.0).contains(&points).then_some((label, points))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const LABELS: [&str; 3] = ["Proposal 1", "Proposal 2", "Proposal 3"];

    fn read(text: &str) -> Evaluation {
        judge(text, Language::English, &LABELS).value().cloned().unwrap()
    }

    fn points(evaluation: &Evaluation) -> Vec<(&str, f64)> {
        evaluation
            .scores
            .iter()
            .map(|score| (score.label.as_str(), score.score))
            .collect()
    }

    #[test]
    fn json() {
        let found = read(
            r#"{"scores": [{"proposal": "Proposal 2", "score": 8.5, "criteria": {"clarity": 9}, "comment": "short"},
            {"proposal": "proposal 1", "score": 0.5}], "ranking": ["Proposal 2", "Proposal 1", "Proposal 3"],
            "synthesis": "Do both.", "conclusive": true, "confidence": 0.9, "reason": "settled"}"#,
        );
        assert_eq!(points(&found), [("Proposal 1", 0.5), ("Proposal 2", 8.5)]);
        assert_eq!(found.missing, ["Proposal 3"]);
        assert_eq!(found.scores[1].criteria, [("clarity".to_owned(), 9.0)]);
        assert_eq!(found.ranking, ["Proposal 2", "Proposal 1", "Proposal 3"]);
        assert_eq!((found.conclusive, found.confidence), (Some(true), Some(0.9)));
        assert_eq!(
            (found.synthesis.as_str(), found.reason.as_str()),
            ("Do both.", "settled")
        );
    }

    #[test]
    fn lines() {
        let found = read(
            "**Proposal 1** (queue): 7/10\n- Proposal 2: Score 4\nProposal 3: it costs 5 days\nRanking: Proposal 1 > Proposal 2\nConclusive: no\nConfidence: 60%\nSynthesis: first\nsecond\nReason: open cost",
        );
        assert_eq!(points(&found), [("Proposal 1", 7.0), ("Proposal 2", 4.0)]);
        assert_eq!(found.missing, ["Proposal 3"]);
        assert_eq!(found.ranking, ["Proposal 1", "Proposal 2"]);
        assert_eq!((found.conclusive, found.confidence), (Some(false), Some(0.6)));
        assert_eq!(found.synthesis, "first\nsecond");
    }

    #[test]
    fn two_different_points_are_none() {
        let found = read("Proposal 1: 7\nProposal 1: 8\nProposal 2: 5\nRanking: Proposal 1, Proposal 1");
        assert_eq!(points(&found), [("Proposal 2", 5.0)]);
        assert!(found.ranking.is_empty());
        let none = judge("They are all fine.", Language::English, &LABELS);
        assert_eq!(none.reason(), Some(Reason::NoEvaluationFound));
    }

    proptest! {
        #[test]
        fn whatever_is_said(text in "\\PC*|(Proposal [1-4]|[:/ \n0-9.]|ranking|conclusive|synthesis|[{}\"\\[\\]]){0,30}") {
            if let Some(found) = judge(&text, Language::English, &LABELS).value() {
                prop_assert_eq!(found.scores.len() + found.missing.len(), LABELS.len());
                prop_assert!(found.scores.iter().all(|score| (0.0..=10.0).contains(&score.score)));
                prop_assert!(found.confidence.is_none_or(|share| (0.0..=1.0).contains(&share)));
            }
        }
    }
}
