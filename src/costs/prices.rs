//! The table of prices to begin with. It can be edited: what counts for a run is the rows that its
//! configuration has under `prices`, so that what it cost can be told from the record for ever.

use crate::core::limits::is_local;
use crate::core::prices::{Prices, key, provider};
use crate::procedures::{self, spec::fault::ConfigError};
use crate::providers::catalogue;
use crate::seat::Seat;
use crate::seat::provider::Provider;
use serde_json::{Value, json};

/// The table of the catalogue, with a `note` on how far to trust it.
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

/// The same as values.
#[must_use]
pub fn table() -> Prices {
    catalogue::prices()
}

/// The configuration with the rows of the table for its models under `prices`, in place of what stood
/// there. A model that the table does not know has none.
///
/// # Errors
/// All faults of the configuration.
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
    for (provider, model) in seats.iter().flat_map(paid) {
        if let Some((_, price)) = table.find(provider, model) {
            rows.models.insert(key(provider, model), price);
        }
    }
    if seats.iter().any(|seat| !paid(seat).is_empty())
        && let Some(object) = config.as_object_mut()
    {
        object.insert("prices".to_owned(), json!(rows));
    }
    Ok(config)
}

/// Providers and models of a seat that somebody is paid for: its own and those that it may fall back on.
fn paid(seat: &Seat) -> Vec<(Provider, &str)> {
    seat.models()
        .filter(|(_, base_url, _)| !is_local(base_url))
        .map(|(named, base_url, model)| (provider(named, base_url), model))
        .collect()
}

/// The configuration without caps on the run.
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
    fn a_configuration_gets_the_rows_of_its_models_only() {
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
    fn a_cap_on_money_wants_a_price_for_every_model() {
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
