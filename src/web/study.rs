//! Studies as functions for JS.

use super::error::detailed;
use super::readers::language;
use super::{data_error, from_js, json_text, to_js};
use crate::costs::efforts::efforts;
use crate::study::forecast::forecast_study;
use crate::study::plan::{Study, StudyError, StudyFault, StudyFile};
use serde_json::{Value, json};
use wasm_bindgen::prelude::*;

impl From<StudyError> for JsValue {
    fn from(error: StudyError) -> Self {
        detailed("config", &error.to_string(), to_js(&json!(error.0)))
    }
}

fn read(file: &JsValue) -> Result<StudyFile, JsValue> {
    StudyFile::parse(&json_text(file)?).map_err(|fault| data_error(&fault.to_string()))
}

/// Returns the faults and warnings of a study, in a language.
#[wasm_bindgen(js_name = checkStudy)]
pub fn check_study(file: &JsValue, of: Option<String>) -> Result<JsValue, JsValue> {
    let language = language(of)?;
    let (faults, warnings) = match Study::checked(&read(file)?) {
        Ok(study) => {
            let mut warnings = study.warnings;
            for cell in &study.cells {
                warnings.extend(efforts(&cell.config).into_iter().map(|fault| StudyFault {
                    cell: Some(cell.name.clone()),
                    fault,
                }));
            }
            (Vec::new(), warnings)
        }
        Err(error) => (error.0, Vec::new()),
    };
    let describe = |faults: Vec<StudyFault>| -> Value {
        faults.iter().map(|fault| fault.message_in(language)).collect()
    };
    Ok(to_js(
        &json!({ "faults": describe(faults), "warnings": describe(warnings) }),
    ))
}

/// Returns all runs of a study.
#[wasm_bindgen(js_name = planStudy)]
pub fn plan_study(file: &JsValue) -> Result<JsValue, JsValue> {
    Ok(to_js(&Study::checked(&read(file)?)?.plan()))
}

/// Returns the configuration of a table of people, given its id and the participants in the head of its record; null if the
/// plan has no such table.
#[wasm_bindgen(js_name = tableOfStudy)]
pub fn table_of_study(file: &JsValue, id: &str, agents: &JsValue) -> Result<JsValue, JsValue> {
    let table = Study::checked(&read(file)?)?.table(id, &from_js(agents)?);
    Ok(to_js(&json!(table)))
}

/// Estimates the cost of a study.
#[wasm_bindgen(js_name = forecastStudy)]
pub fn forecast_of(file: &JsValue) -> Result<JsValue, JsValue> {
    let study = Study::checked(&read(file)?)?;
    Ok(to_js(&forecast_study(&study)?))
}
