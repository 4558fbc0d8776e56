//! Forms of a debate's questions. Proposals are listed under the labels shown to the participant. Schemas for
//! models put reasons before the decision.

use super::asks;
use super::context::{DebateContext, Objection, Proposal};
use crate::core::form::{Choice, Field, Form, Input, MAX_TEXT, Material, MaterialContent, Statement};
use crate::language::Language;
use crate::language::in_each_language;
use crate::language::words::{Texts, Words};
use crate::reading::critique::Critique;
use crate::reading::judge::{Evaluation, Score};
use crate::reading::signals::Settled;
use crate::reading::vote::Vote;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Display;

pub(super) static TEXTS: Texts = Texts::new(in_each_language!("words/form"));

/// Maximum number of points in a critique.
const MAX_POINTS: u32 = 5;
const CRITERIA: [&str; 5] = ["correctness", "evidence", "completeness", "clarity", "risk"];

/// Returns the form of a question, or `None` if there is nothing to decide on.
pub(super) fn form(kind: &'static str, language: Language, facts: &DebateContext) -> Option<Form> {
    let asked = FormQuestion {
        words: Words::new(&TEXTS, language, &BTreeMap::new()),
        kind,
        facts,
    };
    let needs_labels = matches!(kind, asks::VOTE | asks::JUDGEMENT);
    if needs_labels && facts.proposals.is_empty() {
        return None;
    }
    let fields = match kind {
        asks::PROPOSAL | asks::REVISION | asks::REFINEMENT => vec![asked.text("label", 9, 1)],
        asks::CRITIQUE => asked.critique(),
        asks::VOTE => asked.vote(),
        asks::JUDGEMENT => asked.judgement(),
        asks::POLL => asked.poll(),
        asks::TERMINATION => vec![
            asked.text("reason", 2, 0).optional(),
            asked.flag("conclusive"),
            asked.confidence(),
        ],
        asks::PREPARE | asks::COMMIT => asked.assent(),
        _ => return None,
    };
    let mut form = Form::new(language, asked.of_kind("question", &[]), fields);
    form.material = asked.material();
    if kind == asks::VOTE {
        form.send = asked.of_kind("send", &[]);
    }
    Some(form)
}

struct FormQuestion<'a> {
    words: Words,
    kind: &'static str,
    facts: &'a DebateContext,
}

impl FormQuestion<'_> {
    fn say(&self, key: &str, values: &[(&str, &dyn Display)]) -> String {
        self.words.text(&format!("debate.form.{key}"), values)
    }

    fn of_kind(&self, part: &str, values: &[(&str, &dyn Display)]) -> String {
        self.say(&format!("{}.{part}", self.kind), values)
    }

    fn text(&self, name: &'static str, lines: u32, least: u32) -> Field {
        let input = Input::Text {
            least,
            most: MAX_TEXT,
            lines,
        };
        let label = self.of_kind(name, &[]);
        Field::new(if name == "label" { "text" } else { name }, label, input)
    }

    fn flag(&self, name: &'static str) -> Field {
        let input = Input::YesNo {
            yes: Choice::new("yes", self.say("yes", &[])),
            no: Choice::new("no", self.say("no", &[])),
            is_flag: true,
        };
        Field::new(name, self.of_kind(name, &[]), input)
    }

    fn confidence(&self) -> Field {
        let ends = ["confidence.least", "confidence.most"].map(|key| self.say(key, &[]));
        let input = scale(1.0, 0.1, ends);
        Field::new("confidence", self.say("confidence", &[]), input).optional()
    }

    fn labels(&self) -> Vec<Choice> {
        let choice = |shown: &Proposal| Choice::new(shown.label.as_str(), shown.label.as_str());
        self.facts.proposals.iter().map(choice).collect()
    }

    fn critique(&self) -> Vec<Field> {
        let points =
            |name| Field::new(name, self.of_kind(name, &[]), Input::Texts { most: MAX_POINTS }).optional();
        let ends = ["least", "most"].map(|key| self.of_kind(key, &[]));
        let severity = Input::Scale {
            least: 0.0,
            most: 10.0,
            step: 1.0,
            is_whole: true,
            ends,
        };
        vec![
            points("issues"),
            points("suggestions"),
            self.text("reasoning", 2, 0).optional(),
            Field::new("severity", self.of_kind("severity", &[]), severity).optional(),
        ]
    }

    fn vote(&self) -> Vec<Field> {
        let choice = Input::Choice {
            options: self.labels(),
            none: Some(self.of_kind("abstain", &[])),
        };
        vec![
            self.text("reasoning", 2, 0).optional(),
            Field::new("choice", self.of_kind("choice", &[]), choice),
            self.confidence(),
            self.flag("continue").optional(),
        ]
    }

    fn judgement(&self) -> Vec<Field> {
        let ends = || ["least", "most"].map(|key| self.of_kind(key, &[]));
        let points = |name| Field::new(name, "", scale(10.0, 0.5, ends()));
        let criteria = Input::Group {
            fields: CRITERIA.map(points).into(),
        };
        let criteria = Field {
            thought: true,
            ..Field::new("criteria", "", criteria).optional()
        };
        let score = Field::new("score", self.of_kind("score", &[]), scale(10.0, 0.5, ends()));
        let each = Input::Each {
            of: "proposal",
            options: self.labels(),
            fields: vec![self.text("comment", 1, 0).optional(), criteria, score],
        };
        let order = Input::Order {
            options: self.labels(),
            places: Vec::new(),
        };
        vec![
            Field::new("scores", self.of_kind("scores", &[]), each),
            Field::new("ranking", self.of_kind("ranking", &[]), order)
                .helped(self.of_kind("ranking.help", &[]))
                .optional(),
            self.text("synthesis", 4, 0).optional(),
            self.text("reason", 2, 0).optional(),
            self.flag("conclusive").optional(),
            self.confidence(),
        ]
    }

    fn poll(&self) -> Vec<Field> {
        let side = |value: &str| Choice::new(value, self.of_kind(value, &[]));
        let input = Input::YesNo {
            yes: side("continue"),
            no: side("stop"),
            is_flag: false,
        };
        vec![Field::new("answer", self.of_kind("label", &[]), input).sending()]
    }

    fn assent(&self) -> Vec<Field> {
        let input = Input::YesNo {
            yes: Choice::new("yes", self.say("yes", &[])),
            no: Choice::new("no", self.say("no", &[])),
            is_flag: false,
        };
        let reason = Field {
            label: self.say("assent.reason", &[]),
            ..Field::thought("reason")
        };
        vec![
            reason,
            Field::new("answer", self.of_kind("label", &[]), input).sending(),
        ]
    }

    fn material(&self) -> Vec<Material> {
        let facts = self.facts;
        let text = |title: String, text: &str| {
            let text = text.split("\n\n").map(str::to_owned).collect();
            Material::new(title, MaterialContent::Text { text })
        };
        let said = |title: &str, said: Vec<Statement>| {
            (!said.is_empty())
                .then(|| Material::new(self.say(title, &[]), MaterialContent::Statements { said }))
        };
        let mut all = vec![text(self.say("question", &[]), &facts.question)];
        let evidence = facts.context.iter().map(|item| Statement {
            who: format!("{} · {}", item.evidence, item.source),
            text: format!("{}\n{}", item.title, item.text).trim().to_owned(),
        });
        all.extend(said("evidence", evidence.collect()).map(Material::folded));
        if let Some(own) = &facts.own {
            all.push(text(self.say("own", &[]), own).folded());
        }
        all.extend(
            facts
                .challenge
                .as_deref()
                .map(|challenge| text(self.say("challenge", &[]), challenge)),
        );
        // A single proposal is shown in full, several are folded.
        let is_one = facts.proposals.len() == 1;
        all.extend(facts.proposals.iter().map(|shown| {
            let title = self.say("proposal_of", &[("label", &shown.label)]);
            let shown = text(title, &shown.text);
            if is_one { shown } else { shown.folded() }
        }));
        all.extend(facts.critiques.iter().map(|one| self.objection(one)));
        all
    }

    fn objection(&self, one: &Objection) -> Material {
        let title = match one.severity {
            Some(severity) => self.say(
                "critique_with",
                &[("critic", &one.critic), ("severity", &severity)],
            ),
            None => self.say("critique_of", &[("critic", &one.critic)]),
        };
        let point = |key: &'static str| move |text: &String| self.say(key, &[("text", text)]);
        let wrong = one.issues.iter().map(point("wrong"));
        let better = one.suggestions.iter().map(point("better"));
        let words = one.reasoning.split("\n\n").filter(|part| !part.is_empty());
        let text = wrong.chain(better).chain(words.map(str::to_owned)).collect();
        Material::new(title, MaterialContent::Text { text })
    }
}

fn scale(most: f64, step: f64, ends: [String; 2]) -> Input {
    Input::Scale {
        least: 0.0,
        most,
        step,
        is_whole: false,
        ends,
    }
}

/// Reads a completed critique form.
pub(super) fn read_critique(values: &Value) -> Option<Critique> {
    values.as_object()?;
    Some(Critique {
        issues: texts(values, "issues"),
        suggestions: texts(values, "suggestions"),
        severity: number(values, "severity"),
        reasoning: text(values, "reasoning"),
    })
}

/// Reads a completed vote form.
pub(super) fn read_vote(values: &Value) -> Option<Vote> {
    let choice = values.get("choice")?.as_str().map(str::to_owned);
    Some(Vote {
        choice,
        confidence: number(values, "confidence"),
        go_on: flag(values, "continue"),
        reasoning: text(values, "reasoning"),
        words: None,
    })
}

/// Reads a completed evaluation form; `labels` are those of the proposals shown.
pub(super) fn read_judgement(values: &Value, labels: &[&str]) -> Option<Evaluation> {
    let given = values.get("scores")?.as_array()?;
    let scores = labels.iter().filter_map(|label| {
        let one = given.iter().find(|one| one["proposal"].as_str() == Some(label))?;
        let criterion = |name: &&str| Some(((*name).to_owned(), number(&one["criteria"], name)?));
        Some(Score {
            label: (*label).to_owned(),
            score: number(one, "score")?,
            criteria: CRITERIA.iter().filter_map(criterion).collect(),
            comment: text(one, "comment"),
        })
    });
    let scores: Vec<Score> = scores.collect();
    let is_missing = |label: &&&str| scores.iter().all(|score| score.label != **label);
    Some(Evaluation {
        missing: labels
            .iter()
            .filter(is_missing)
            .map(|label| (*label).to_owned())
            .collect(),
        ranking: texts(values, "ranking"),
        synthesis: text(values, "synthesis"),
        conclusive: flag(values, "conclusive"),
        confidence: number(values, "confidence"),
        reason: text(values, "reason"),
        scores,
    })
}

/// Reads whether the matter is settled.
pub(super) fn read_settled(values: &Value) -> Option<Settled> {
    Some(Settled {
        conclusive: flag(values, "conclusive")?,
        confidence: number(values, "confidence"),
        reason: text(values, "reason"),
    })
}

/// Reads whether to stop.
pub(super) fn read_stop(values: &Value) -> Option<bool> {
    Some(values.get("answer")?.as_str()? == "stop")
}

/// Reads a yes/no answer.
pub(super) fn read_yes_no(values: &Value) -> Option<bool> {
    Some(values.get("answer")?.as_str()? == "yes")
}

fn text(values: &Value, name: &str) -> String {
    values[name].as_str().unwrap_or_default().to_owned()
}

fn texts(values: &Value, name: &str) -> Vec<String> {
    let texts = values[name].as_array().into_iter().flatten();
    texts.filter_map(Value::as_str).map(str::to_owned).collect()
}

fn number(values: &Value, name: &str) -> Option<f64> {
    values[name].as_f64()
}

fn flag(values: &Value, name: &str) -> Option<bool> {
    values[name].as_bool()
}

#[cfg(test)]
mod tests;
