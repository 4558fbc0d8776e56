//! Text readers and protocol rules as functions for JS.

use super::error::lab_error;
use super::input::{input, read};
use super::{from_js, to_js};
use crate::costs::efforts::efforts;
use crate::language::Language;
use crate::language::words::Listed;
use crate::principle::{Certainty, Principle};
use crate::procedures;
use crate::procedures::debate::rules::rhetoric::observe;
use crate::procedures::debate::rules::similarity::lexical;
use crate::procedures::justice::apply::apply;
use crate::procedures::justice::distribution::{Distribution, Probabilities};
use crate::procedures::spec::fault::Fault;
use crate::reading::{self, AmountBounds, Reading};
use serde::Serialize;
use serde_json::{Value, json};
use wasm_bindgen::prelude::*;

pub(super) fn language(name: Option<String>) -> Result<Language, JsValue> {
    let name = name.unwrap_or_else(|| "en".to_owned());
    Language::from_name(&name).ok_or_else(|| {
        let codes = Language::CODES.join(", ");
        lab_error(
            "input",
            &format!("{name:?} is not a language: it must be one of {codes}"),
        )
    })
}

/// Converts a reading for JS, its value mapped by `change`.
fn reading<T, U: Serialize>(reading: Reading<T>, change: impl FnOnce(T) -> U) -> JsValue {
    match reading {
        Reading::Read { value, how, span } => to_js(&json!(Reading::read(change(value), how).by(span))),
        Reading::Unread { reason, .. } => to_js(&json!(Reading::<()>::unread(reason))),
    }
}

/// Reads a principle's number.
#[wasm_bindgen(js_name = readPrinciple)]
pub fn read_principle(text: &str, of: Option<String>) -> Result<JsValue, JsValue> {
    Ok(reading(
        reading::principle(text, language(of)?),
        Principle::number,
    ))
}

/// Reads yes or no.
#[wasm_bindgen(js_name = readAgreement)]
pub fn read_agreement(text: &str, of: Option<String>) -> Result<JsValue, JsValue> {
    Ok(reading(reading::agreement(text, language(of)?), |agrees| agrees))
}

/// Reads an amount in whole dollars.
#[wasm_bindgen(js_name = readAmount)]
pub fn read_amount(text: &str, of: Option<String>) -> Result<JsValue, JsValue> {
    Ok(reading(
        reading::amount(text, language(of)?, AmountBounds::default()),
        |amount| amount,
    ))
}

#[derive(Serialize)]
struct RankingByNumber {
    order: Vec<u8>,
    certainty: Option<Certainty>,
}

/// Reads a ranking.
#[wasm_bindgen(js_name = readRanking)]
pub fn read_ranking(text: &str, of: Option<String>) -> Result<JsValue, JsValue> {
    Ok(reading(reading::ranking(text, language(of)?), |ranking| {
        RankingByNumber {
            order: ranking.order.iter().map(|principle| principle.number()).collect(),
            certainty: ranking.certainty,
        }
    }))
}

#[derive(Serialize)]
struct ChoiceByNumber {
    principle: u8,
    amount: Option<u32>,
    certainty: Option<Certainty>,
}

/// Reads a choice.
#[wasm_bindgen(js_name = readChoice)]
pub fn read_choice(text: &str, of: Option<String>) -> Result<JsValue, JsValue> {
    Ok(reading(
        reading::choice(text, language(of)?, AmountBounds::default()),
        |choice| ChoiceByNumber {
            principle: choice.principle.number(),
            amount: choice.amount,
            certainty: choice.certainty,
        },
    ))
}

/// Reads a vote for one of the choices.
#[wasm_bindgen(js_name = readVote)]
pub fn read_vote(text: &str, of: Option<String>, choices: &JsValue) -> Result<JsValue, JsValue> {
    let choices: Vec<String> = read("parse.vote: choices", choices)?;
    let choices: Vec<&str> = choices.iter().map(String::as_str).collect();
    Ok(reading(reading::vote(text, language(of)?, &choices), |vote| vote))
}

/// Reads a critique.
#[wasm_bindgen(js_name = readCritique)]
pub fn read_critique(text: &str, of: Option<String>) -> Result<JsValue, JsValue> {
    Ok(reading(reading::critique(text, language(of)?), |critique| {
        critique
    }))
}

/// Reads a non-negative whole number, without conversion.
fn whole(value: &JsValue) -> Option<u32> {
    let number = value.as_f64()?;
    (number.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&number)).then_some(number as u32)
}

#[derive(Serialize)]
struct AppliedTo {
    index: usize,
    constraint_met: bool,
}

/// Returns the distribution that a principle picks.
#[wasm_bindgen(js_name = applyPrinciple)]
pub fn apply_principle(
    principle: &JsValue,
    amount: &JsValue,
    distributions: &JsValue,
    probabilities: &JsValue,
) -> Result<JsValue, JsValue> {
    let principle = whole(principle)
        .and_then(|number| Principle::from_number(number.try_into().ok()?))
        .ok_or_else(|| input("the principle must be 1, 2, 3 or 4"))?;
    let amount = if amount.is_null() || amount.is_undefined() {
        None
    } else {
        Some(whole(amount).ok_or_else(|| input("the amount must be whole income dollars, or null"))?)
    };
    let distributions: Vec<[u32; 5]> = read("justice.apply: distributions", distributions)?;
    if distributions.is_empty() {
        return Err(input("there must be at least one distribution"));
    }
    let distributions: Vec<Distribution> = distributions.into_iter().map(Distribution).collect();
    let probabilities: Option<[f64; 5]> = read("justice.apply: probabilities", probabilities)?;
    let probabilities = probabilities
        .map(Probabilities::new)
        .transpose()
        .map_err(|fault| input(&format!("probabilities: {fault}")))?;
    let applied = apply(&distributions, principle, amount, probabilities.as_ref()).map_err(|_| {
        let message = "principles 3 and 4 need an amount: give it in whole income dollars";
        lab_error("missing_constraint", message)
    })?;
    Ok(to_js(&json!(AppliedTo {
        index: applied.index,
        constraint_met: applied.constraint_met,
    })))
}

/// Measures the similarity of two texts.
#[wasm_bindgen(js_name = measureSimilarity)]
#[must_use]
pub fn measure_similarity(a: &str, b: &str) -> JsValue {
    to_js(&json!(lexical(a, b)))
}

/// Finds patterns of rhetoric in a text.
#[wasm_bindgen(js_name = observeRhetoric)]
pub fn observe_rhetoric(text: &str, of: Option<String>) -> Result<JsValue, JsValue> {
    Ok(to_js(&json!(observe(text, language(of)?))))
}

/// Returns the faults and warnings of a configuration, in a language.
#[wasm_bindgen(js_name = checkConfig)]
pub fn check_config(config: &JsValue, of: Option<String>) -> Result<JsValue, JsValue> {
    let language = language(of)?;
    let config = from_js(config)?;
    let (faults, mut warnings) = match procedures::check(&config) {
        Ok(warnings) => (Vec::new(), warnings),
        Err(error) => (error.0, Vec::new()),
    };
    warnings.extend(efforts(&config));
    let describe =
        |faults: Vec<Fault>| -> Value { faults.iter().map(|fault| fault.message_in(language)).collect() };
    Ok(to_js(
        &serde_json::json!({ "faults": describe(faults), "warnings": describe(warnings) }),
    ))
}

/// Returns the names of the protocols.
#[wasm_bindgen(js_name = protocolNames)]
#[must_use]
pub fn protocol_names() -> Vec<String> {
    procedures::names().map(str::to_owned).to_vec()
}

/// Returns the settings of a protocol.
#[wasm_bindgen(js_name = specOf)]
pub fn spec_of(protocol: &str) -> Result<JsValue, JsValue> {
    match procedures::get(protocol) {
        Some(procedure) => Ok(to_js(&json!(procedure.spec))),
        None => Err(lab_error("input", &format!("{protocol:?} is not a protocol"))),
    }
}

#[wasm_bindgen(js_name = presetConfigs)]
#[must_use]
pub fn preset_configs() -> JsValue {
    let mut all = procedures::presets();
    all.extend(procedures::class_presets());
    to_js(&json!(all))
}

/// A replaceable text and its procedure.
#[derive(Serialize)]
struct PromptText {
    protocol: &'static str,
    #[serde(flatten)]
    listed: Listed,
}

/// Returns every prompt and text of the procedures with its variables and built-in wording.
#[wasm_bindgen(js_name = promptTexts)]
pub fn prompt_texts(of: Option<String>) -> Result<JsValue, JsValue> {
    let language = language(of)?;
    let mut all = Vec::new();
    for procedure in procedures::ALL {
        let prompts = procedure.prompts.listed(language);
        let texts = procedure.texts.listed(language);
        all.extend(prompts.into_iter().chain(texts).map(|listed| PromptText {
            protocol: procedure.name,
            listed,
        }));
    }
    Ok(to_js(&json!(all)))
}
