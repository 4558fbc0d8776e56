//! Queries to an endpoint without a session: its models, and a connection test. Keys are not stored.

use super::error::{detailed, lab_error};
use super::input::read_options;
use super::{fetch, to_js};
use crate::core::ask::{Failure, FailureKind, Message, Request, Role};
use crate::core::text::Text;
use crate::language::Language;
use crate::providers::connection::{self, Probe};
use crate::providers::failure::Endpoint;
use crate::providers::{address, models};
use crate::seat::provider::Provider;
use serde::Deserialize;
use serde_json::json;
use wasm_bindgen::prelude::*;
use web_sys::AbortSignal;

/// Timeout of a test in milliseconds.
const PATIENCE: u32 = 30_000;

/// An endpoint in JS.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct EndpointOptions {
    provider: Option<String>,
    base_url: Option<String>,
    key: Option<String>,
    model: Option<String>,
}

struct Connection {
    provider: Option<Provider>,
    base_url: String,
    key: Option<String>,
    model: Option<String>,
    place: Endpoint,
}

impl Connection {
    /// `name`: for messages, e.g. `listModels`.
    fn read(name: &str, options: &JsValue) -> Result<Self, JsValue> {
        let given: EndpointOptions = read_options(&format!("{name}: endpoint"), options)?;
        let text = |text: Option<String>| Some(text?.trim().to_owned()).filter(|text| !text.is_empty());
        let named = text(given.provider);
        let provider = named.as_deref().map(|name| {
            let known = Provider::ALL.into_iter().find(|(id, _)| *id == name);
            known
                .map(|(_, provider)| provider)
                .ok_or_else(|| lab_error("input", &format!("{name:?} is not a provider")))
        });
        let provider = provider.transpose()?;
        let default = provider.map_or("", Provider::base_url);
        let base_url = text(given.base_url).unwrap_or_else(|| default.to_owned());
        Ok(Self {
            place: Endpoint::new(provider, &base_url),
            provider,
            base_url,
            key: text(given.key),
            model: text(given.model),
        })
    }

    async fn models(&self) -> Result<Vec<models::Model>, Failure> {
        let signal = AbortSignal::timeout_with_u32(PATIENCE);
        let url = models::url(self.place.provider(), &self.base_url)?;
        let body = fetch::get(&url, &self.place, self.key.as_deref(), Some(&signal)).await?;
        models::read(&body).ok_or_else(|| Failure::new(FailureKind::Format, format!(
                "{} answered with something that is no list of models. Check the base URL, or type the model's name.",
                self.place
            )))
    }

    /// Tests a call: a word from the model, or the list of models.
    async fn test(&self) -> Result<String, Failure> {
        let Some(model) = &self.model else {
            if let Some(url) = models::key_url(self.place.provider(), &self.base_url) {
                let signal = AbortSignal::timeout_with_u32(PATIENCE);
                fetch::get(&url, &self.place, self.key.as_deref(), Some(&signal)).await?;
            }
            let count = self.models().await?.len();
            return Ok(format!("{} answers and offers {count} models.", self.place));
        };
        let request = Request {
            system: Text::default(),
            messages: vec![Message {
                role: Role::User,
                content: "Answer with the one word OK.".into(),
            }],
            stop: Vec::new(),
            max_tokens: 16,
            temperature: None,
            top_p: None,
            model: Some(model.clone()),
            base_url: Some(self.base_url.clone()),
            provider: self.provider,
            seed: None,
            reasoning_effort: None,
            schema: None,
        };
        let signal = AbortSignal::timeout_with_u32(PATIENCE);
        match fetch::call(&request, Language::English, self.key.as_deref(), &signal, |_| ()).await {
            Err(_) if signal.aborted() => Err(Failure::new(
                FailureKind::Cut,
                format!(
                    "{} did not answer within {} s. A model that is being loaded may need longer: try again.",
                    self.place,
                    PATIENCE / 1000
                ),
            )),
            other => other.map(|_| format!("{model} of {} answers.", self.place)),
        }
    }
}

/// Returns the models of an endpoint, `[{ id, name?, context? }]`.
///
/// # Errors
/// Returns a `LabError`: `input` for an unknown provider, `provider` with the failure as its detail.
#[wasm_bindgen(js_name = listModels)]
pub async fn list_models(options: JsValue) -> Result<JsValue, JsValue> {
    let endpoint = Connection::read("listModels", &options)?;
    match endpoint.models().await {
        Ok(models) => Ok(to_js(&json!(models))),
        Err(failure) => Err(detailed("provider", &failure.message, to_js(&json!(failure)))),
    }
}

/// Tests whether a model can be reached: `{ ok, problem?, message }`.
///
/// # Errors
/// Returns a `LabError` with code `input` for an unknown provider.
#[wasm_bindgen(js_name = testConnection)]
pub async fn test_connection(options: JsValue) -> Result<JsValue, JsValue> {
    let endpoint = Connection::read("testConnection", &options)?;
    let origin = match address::origin(&endpoint.base_url) {
        Ok(origin) => origin,
        Err(error) => {
            let message = Failure::from(error).message;
            return Ok(to_js(
                &json!({ "ok": false, "problem": "address", "message": message }),
            ));
        }
    };
    let mut answer = endpoint.test().await;
    let mut probe = None;
    if matches!(&answer, Err(failure) if failure.kind == FailureKind::Unreachable) {
        let probed = fetch::probe(&origin, address::is_local(&origin)).await;
        // A CORS failure repeats itself; a broken connection may work now.
        if probed == Probe::Answers {
            answer = endpoint.test().await;
        }
        probe = Some(probed);
    }
    let (problem, message) = match (probe, answer) {
        (_, Ok(message)) => return Ok(to_js(&json!({ "ok": true, "message": message }))),
        (Some(probe), Err(failure)) if failure.kind == FailureKind::Unreachable => {
            connection::unanswered(&endpoint.place, probe, endpoint.key.is_some())
        }
        (_, Err(failure)) => (connection::problem(&failure), failure.message),
    };
    Ok(to_js(
        &json!({ "ok": false, "problem": problem, "message": message }),
    ))
}
