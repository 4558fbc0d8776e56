//! The default price table. It can be edited: a run uses the rows under `prices` in its configuration, so that its costs
//! can always be computed from the record.

use crate::core::limits::is_local;
use crate::core::prices::{Prices, key, provider};
use crate::procedures::{self, spec::fault::ConfigError};
use crate::providers::catalogue;
use crate::seat::Seat;
use crate::seat::provider::Provider;
use serde_json::{Value, json};

/// Returns the price table as JSON, with a `note` about its source and limits.
#[must_use]
pub fn written_down() -> Value {
    let mut table = json!(table());
    table["note"] = format!(
        "From {} Without tiers, discounts and taxes; check them with the provider.",
        catalogue::source()
    )
    .into();
    table
}

/// Returns the price table of the catalogue.
#[must_use]
pub fn table() -> Prices {
    catalogue::prices()
}

/// Returns the configuration with its `prices` replaced by the rows of the table for its models. Models without a price
/// get no row.
///
/// # Errors
/// Returns all faults of the configuration.
pub fn priced(config: &Value, table: &Prices) -> Result<Value, ConfigError> {
    let mut config = config.clone();
    if let Some(object) = config.as_object_mut() {
        object.remove("prices");
    }
    let mut rows = Prices {
        currency: table.currency.clone(),
        date: table.date.clone(),
        ..Prices::default()
    };
    let seats = procedures::seats(&without_caps(&config))?;
    for (provider, model) in seats.iter().flat_map(paid_models) {
        if let Some((_, price)) = table.find(provider, model) {
            rows.models.insert(key(provider, model), price);
        }
    }
    if seats.iter().any(|seat| !paid_models(seat).is_empty())
        && let Some(object) = config.as_object_mut()
    {
        object.insert("prices".to_owned(), json!(rows));
    }
    Ok(config)
}

/// Returns the paid models of a seat, including its fallbacks. Local models are free.
fn paid_models(seat: &Seat) -> Vec<(Provider, &str)> {
    seat.models()
        .filter(|(_, base_url, _)| !is_local(base_url))
        .map(|(named, base_url, model)| (provider(named, base_url), model))
        .collect()
}

/// Returns the configuration without caps on the run.
pub(super) fn without_caps(config: &Value) -> Value {
    let mut config = config.clone();
    if let Some(limits) = config.get_mut("limits").and_then(Value::as_object_mut) {
        for cap in ["max_calls", "max_tokens", "max_cost"] {
            limits.remove(cap);
        }
    }
    config
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::prices::Price;
    use crate::language::Language;

    #[test]
    fn a_configuration_gets_the_prices_of_its_models() {
        let config = json!({ "agents": [
            { "name": "Ana", "personality": "p", "model": "gpt-4o-mini" },
            { "name": "Ben", "personality": "p", "provider": "anthropic", "model": "nobody-knows-it" },
            { "name": "Cleo", "personality": "p", "provider": "ollama", "model": "gpt-4o" },
            { "name": "Dora", "personality": "p" },
        ], "limits": { "max_cost": 1 } });
        let priced = priced(&config, &table()).unwrap();
        let rows = json!({ "openai/gpt-4o-mini": { "input": 0.15, "output": 0.6, "cached": 0.075 } });
        assert_eq!(
            priced["prices"],
            json!({ "currency": "USD", "date": table().date, "models": rows })
        );
        assert_eq!(priced["limits"], config["limits"]);
        let own = Prices {
            models: [(
                "nobody-knows-it".to_owned(),
                Price {
                    input: 1.0,
                    output: 2.0,
                    cached: None,
                },
            )]
            .into(),
            ..table()
        };
        let priced = super::priced(&priced, &own).unwrap();
        let rows = json!({ "anthropic/nobody-knows-it": { "input": 1.0, "output": 2.0 } });
        assert_eq!(priced["prices"]["models"], rows);
        let scripted =
            json!({ "agents": [{ "name": "A", "personality": "p" }, { "name": "B", "personality": "p" }] });
        assert_eq!(super::priced(&scripted, &table()).unwrap(), scripted);
        assert!(super::priced(&json!({}), &table()).is_err());
    }

    #[test]
    fn a_cost_cap_requires_a_price_for_every_model() {
        let mut config = json!({ "agents": [
            { "name": "Ana", "personality": "p", "model": "gpt-4o-mini" },
            { "name": "Ben", "personality": "p", "provider": "ollama", "model": "m" },
        ], "limits": { "max_cost": 0.5 } });
        let faults = procedures::check(&config).unwrap_err().0;
        assert_eq!((faults.len(), faults[0].path.as_str()), (1, "limits.max_cost"));
        assert!(
            faults[0]
                .message(Language::English)
                .contains("\"openai/gpt-4o-mini\""),
            "{}",
            faults[0].message(Language::English)
        );
        config = super::priced(&config, &table()).unwrap();
        assert_eq!(procedures::check(&config), Ok(Vec::new()));
        for (key, value, path) in [
            ("currency", json!("dollars"), "prices.currency"),
            ("date", json!("22.11.2026"), "prices.date"),
            ("date", json!("2026-13-01"), "prices.date"),
            (
                "models",
                json!({ "gpt-4o-mini": { "input": -1, "output": 1 } }),
                "prices.models.gpt-4o-mini.input",
            ),
            (
                "models",
                json!({ "gpt-4o-mini": { "input": 1 } }),
                "prices.models.gpt-4o-mini.output",
            ),
            (
                "models",
                json!({ "gpt-4o-mini": null }),
                "prices.models.gpt-4o-mini",
            ),
        ] {
            let mut wrong = config.clone();
            wrong["prices"][key] = value;
            let faults = procedures::check(&wrong).unwrap_err().0;
            assert!(faults.iter().any(|fault| fault.path == path), "{faults:?}");
        }
        config["limits"]["max_cost"] = json!(0);
        assert_eq!(
            procedures::check(&config).unwrap_err().0[0].path,
            "limits.max_cost"
        );
    }
}
