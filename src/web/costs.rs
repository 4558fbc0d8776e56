//! Prices, costs and forecasts as functions for JS.

use super::input::{input, read, read_if_given};
use super::{from_js, to_js};
use crate::core::ask_log::AskLogs;
use crate::core::prices::Prices;
use crate::core::record::Entry;
use crate::costs::{forecast, prices, tally};
use crate::providers::catalogue::{self, ModelInfo};
use crate::seat::provider::{Effort, Provider};
use serde_json::{Value, json};
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// Returns the built-in table of prices.
#[wasm_bindgen(js_name = priceTable)]
#[must_use]
pub fn price_table() -> JsValue {
    to_js(&prices::written_down())
}

/// Returns the catalogue of a provider, or one model of it: `{ source, first, models }`.
#[wasm_bindgen(js_name = catalogueOf)]
pub fn catalogue_of(provider: &str, model: Option<String>) -> Result<JsValue, JsValue> {
    let found = Provider::ALL.into_iter().find(|(id, _)| *id == provider);
    let (_, provider) = found.ok_or_else(|| input(&format!("{provider:?} is not a provider")))?;
    let describe = |known: ModelInfo| {
        let efforts: Vec<&str> = known.thinking.levels().into_iter().map(Effort::name).collect();
        let mut described = json!(known);
        described["efforts"] = json!(efforts);
        described
    };
    let models: Vec<Value> = match model {
        Some(model) => catalogue::find(provider, &model)
            .map(describe)
            .into_iter()
            .collect(),
        None => catalogue::of(provider).map(describe).collect(),
    };
    let first: Vec<&str> = catalogue::first(provider).collect();
    Ok(to_js(
        &json!({ "source": catalogue::source(), "first": first, "models": models }),
    ))
}

/// Adds the prices of its models to a configuration.
#[wasm_bindgen(js_name = pricedConfig)]
pub fn priced_config(config: &JsValue, table: &JsValue) -> Result<JsValue, JsValue> {
    let table: Option<Prices> = read_if_given("priced: table", table)?;
    let table = table.unwrap_or_else(prices::table);
    Ok(to_js(&prices::priced(&from_js(config)?, &table)?))
}

/// Estimates the cost of a run.
#[wasm_bindgen(js_name = forecastOf)]
pub fn forecast_of(config: &JsValue) -> Result<JsValue, JsValue> {
    Ok(to_js(&json!(forecast::forecast(&from_js(config)?)?)))
}

/// Returns the cost of a record.
#[wasm_bindgen(js_name = costsOf)]
pub fn costs_of(entries: &JsValue) -> Result<JsValue, JsValue> {
    let record: Vec<Rc<Entry>> = read("costsOf: entries", entries)?;
    Ok(to_js(&json!(tally::tally(&record, &AskLogs::of(&record)))))
}
