//! The question of a Delphi poll: its name in records, its form, and how its answers are read.

use super::context::DelphiContext;
use super::prompts;
use super::read::{Estimate, Scale, read, read_values};
use crate::core::form::{Field, Form, Input, MAX_TEXT, Material, MaterialContent};
use crate::language::words::Words;
use crate::procedures::answers::QuestionKind;
use crate::procedures::quote::inline;
use crate::reading::Reading;
use serde_json::Value;
use std::rc::Rc;

/// A number with reasons.
pub const ESTIMATE: &str = "estimate";

/// Default bounds of a person's number: ± this value.
const MAX_NUMBER: f64 = 1e30;

/// The question for a number with reasons.
#[derive(Debug, Clone, Copy)]
pub(super) struct EstimateQuestion;

#[derive(Clone)]
pub(super) struct EstimateContext {
    pub(super) words: Rc<Words>,
    pub(super) is_person: bool,
    pub(super) facts: Rc<DelphiContext>,
}

impl QuestionKind for EstimateQuestion {
    type Context = EstimateContext;
    type Answer = Estimate;

    fn name(self) -> &'static str {
        ESTIMATE
    }

    fn form(self, context: &EstimateContext) -> Option<Form> {
        Some(match context.is_person {
            true => person_form(&context.words, &context.facts),
            false => model_form(&context.words),
        })
    }

    fn read_values(self, values: &Value, _: &EstimateContext) -> Option<Estimate> {
        read_values(values)
    }

    fn read_text(self, text: &str, context: &EstimateContext) -> Reading<Estimate> {
        let labels = prompts::labels(&context.words);
        let scale = Scale {
            unit: &context.facts.unit,
            minimum: context.facts.minimum,
            maximum: context.facts.maximum,
            labels: &labels.iter().map(String::as_str).collect::<Vec<_>>(),
            language: context.words.language(),
        };
        read(text, &scale)
    }
}

/// Returns the form for a person: number and reasons, below the question as models get it.
fn person_form(words: &Words, facts: &DelphiContext) -> Form {
    let mut blocks: Vec<String> = prompts::estimate(words, facts)
        .split("\n\n")
        .map(str::to_owned)
        .collect();
    let now = blocks.pop().unwrap_or_default();
    let label = match facts.unit.trim() {
        "" => words.text("delphi.form.estimate", &[]),
        unit => words.text("delphi.form.estimate_in", &[("unit", &inline(unit))]),
    };
    let ends = (
        facts.minimum.unwrap_or(-MAX_NUMBER),
        facts.maximum.unwrap_or(MAX_NUMBER),
    );
    let fields = vec![
        Field::new("estimate", label, scale_input(ends)),
        Field::new("reason", words.text("delphi.form.reason", &[]), text_input()).optional(),
    ];
    let mut form = Form::new(words.language(), now, fields);
    form.material
        .push(Material::new("", MaterialContent::Text { text: blocks }));
    form
}

/// Returns the form whose schema models and programs get: reasons before the number.
fn model_form(words: &Words) -> Form {
    let fields = vec![
        Field::new("reason", "", text_input()),
        Field::new("estimate", "", scale_input((f64::MIN, f64::MAX))),
    ];
    Form::new(words.language(), "", fields)
}

fn scale_input((least, most): (f64, f64)) -> Input {
    Input::Scale {
        least,
        most,
        step: 0.0,
        is_whole: false,
        ends: [String::new(), String::new()],
    }
}

fn text_input() -> Input {
    Input::Text {
        least: 0,
        most: MAX_TEXT,
        lines: 4,
    }
}
