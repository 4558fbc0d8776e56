//! Prices, costs and forecasts as plain functions for JS.

use super::error::lab_error;
use super::session::config_error;
use super::{from_js, to_js};
use crate::core::prices::Prices;
use crate::core::record::Entry;
use crate::costs::{forecast, prices, tally};
use std::rc::Rc;
use wasm_bindgen::prelude::*;

fn input(message: &str) -> JsValue {
    lab_error("input", message, JsValue::NULL)
}

/// The table of prices to begin with.
#[wasm_bindgen(js_name = priceTable)]
#[must_use]
pub fn price_table() -> JsValue {
    to_js(&prices::written_down())
}

/// A configuration with the prices of its models.
#[wasm_bindgen(js_name = pricedConfig)]
pub fn priced_config(config: &JsValue, table: &JsValue) -> Result<JsValue, JsValue> {
    let table = if table.is_undefined() || table.is_null() {
        prices::table()
    } else {
        serde_json::from_value::<Prices>(from_js(table)?)
            .map_err(|fault| input(&format!("this is no table of prices: {fault}")))?
    };
    let priced = prices::priced(&from_js(config)?, &table);
    priced
        .map(|config| to_js(&config))
        .map_err(|error| config_error(&error))
}

/// What a run of a configuration may come to.
#[wasm_bindgen(js_name = forecastOf)]
pub fn forecast_of(config: &JsValue) -> Result<JsValue, JsValue> {
    let forecast = forecast::forecast(&from_js(config)?);
    forecast
        .map(|forecast| to_js(&forecast))
        .map_err(|error| config_error(&error))
}

/// What a record has cost.
#[wasm_bindgen(js_name = costsOf)]
pub fn costs_of(entries: &JsValue) -> Result<JsValue, JsValue> {
    let record: Vec<Rc<Entry>> = serde_json::from_value(from_js(entries)?)
        .map_err(|fault| input(&format!("these are no entries of a record: {fault}")))?;
    Ok(to_js(&tally::tally(&record)))
}
