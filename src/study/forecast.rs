//! Forecast of a study: of a run of each cell, times its runs, summed.

use super::plan::Study;
use crate::core::prices::Prices;
use crate::costs::forecast::{Forecast, Range, UpperBound, forecast};
use crate::costs::prices::{priced, table};
use crate::procedures::spec::fault::ConfigError;
use serde::Serialize;
use serde_json::Value;

/// A forecast of all runs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StudyForecast {
    pub runs: u64,
    /// Calls to all seats except people.
    pub calls: Range<u64>,
    /// Input tokens.
    pub input: Range<u64>,
    /// Output tokens.
    pub output: UpperBound<u64>,
    /// `None` if a model has no price, or if cells have prices in several currencies.
    pub cost: Option<UpperBound<f64>>,
    /// Empty without prices.
    pub currency: String,
    /// Models without a price.
    pub unknown: Vec<String>,
    /// Minutes of calls if runs follow each other.
    pub minutes: Range<f64>,
    /// Every simulation reached the end of the protocol.
    pub complete: bool,
    pub cells: Vec<CellForecast>,
}

/// The forecast of a cell.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CellForecast {
    pub name: String,
    pub runs: u32,
    /// Of one run.
    pub forecast: Forecast,
}

/// Forecasts a study. A cell without prices gets those of the built-in table.
///
/// # Errors
/// Returns the faults of a configuration.
pub fn forecast_study(study: &Study) -> Result<StudyForecast, ConfigError> {
    let table = table();
    let runs = study.repetitions();
    let mut cells = Vec::new();
    for cell in &study.cells {
        cells.push(CellForecast {
            name: cell.name.clone(),
            runs,
            forecast: forecast(&with_prices(&cell.config, &table)?)?,
        });
    }
    Ok(summed(cells))
}

fn with_prices(config: &Value, table: &Prices) -> Result<Value, ConfigError> {
    match config.get("prices").is_some_and(Value::is_object) {
        true => Ok(config.clone()),
        false => priced(config, table),
    }
}

fn summed(cells: Vec<CellForecast>) -> StudyForecast {
    let mut sum = StudyForecast {
        runs: 0,
        calls: Range::default(),
        input: Range::default(),
        output: UpperBound::default(),
        cost: Some(UpperBound::default()),
        currency: String::new(),
        unknown: Vec::new(),
        minutes: Range::default(),
        complete: true,
        cells: Vec::new(),
    };
    for CellForecast { runs, forecast, .. } in &cells {
        let times = u64::from(*runs);
        let add = |sum: &mut Range<u64>, range: Range<u64>| {
            sum.low += times * range.low;
            sum.high += times * range.high;
        };
        sum.runs += times;
        add(&mut sum.calls, forecast.calls);
        add(&mut sum.input, forecast.input);
        sum.output.low += times * forecast.output.low;
        sum.output.high += times * forecast.output.high;
        sum.output.most += times * forecast.output.most;
        let is_other =
            !sum.currency.is_empty() && !forecast.currency.is_empty() && sum.currency != forecast.currency;
        sum.cost = match (sum.cost, forecast.cost) {
            (Some(cost), Some(more)) if !is_other => Some(UpperBound {
                low: cost.low + f64::from(*runs) * more.low,
                high: cost.high + f64::from(*runs) * more.high,
                most: cost.most + f64::from(*runs) * more.most,
            }),
            _ => None,
        };
        if sum.currency.is_empty() {
            sum.currency.clone_from(&forecast.currency);
        }
        for model in &forecast.unknown {
            if !sum.unknown.contains(model) {
                sum.unknown.push(model.clone());
            }
        }
        sum.minutes.low += f64::from(*runs) * forecast.minutes.low;
        sum.minutes.high += f64::from(*runs) * forecast.minutes.high;
        sum.complete &= forecast.complete;
    }
    sum.cells = cells;
    sum
}
