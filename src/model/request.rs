//! The body of a chat request. The same question always gives the same bytes; what differs between
//! providers is a short table here. No key and no header passes through.

use super::address;
use crate::session::ask::{Message, Request, Role};
use serde::Serialize;

/// See [`address::chat_url`] and [`address::origin`].
pub use super::address::{chat_url, origin};

#[derive(Serialize)]
struct Body<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<&'a str>,
    messages: Vec<Turn<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_completion_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    top_p: Option<f64>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    stop: &'a [String],
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream_options: Option<StreamOptions>,
}

#[derive(Serialize)]
struct Turn<'a> {
    role: &'static str,
    content: &'a str,
}

#[derive(Serialize)]
struct StreamOptions {
    include_usage: bool,
}

/// The JSON body for a request: streamed, with usage, the system text first. A system text that is
/// empty is left out, and so is a temperature that is not a number.
///
/// OpenAI's own host gets `max_completion_tokens` (its newer models reject `max_tokens`, its older
/// ones take both); Mistral's gets no `stream_options` (it reports usage without).
#[must_use]
pub fn body(request: &Request) -> String {
    let origin = request
        .base_url
        .as_deref()
        .and_then(|url| address::origin(url).ok());
    let openai = origin.as_deref() == Some("https://api.openai.com");
    let mistral = origin.as_deref() == Some("https://api.mistral.ai");
    let system = Some(Turn {
        role: "system",
        content: &request.system,
    })
    .filter(|turn| !turn.content.is_empty());
    let body = Body {
        model: request.model.as_deref(),
        messages: system
            .into_iter()
            .chain(request.messages.iter().map(turn))
            .collect(),
        max_tokens: (!openai).then_some(request.max_tokens),
        max_completion_tokens: openai.then_some(request.max_tokens),
        temperature: request.temperature.filter(|value| value.is_finite()),
        top_p: request.top_p.filter(|value| value.is_finite()),
        stop: &request.stop,
        stream: true,
        stream_options: (!mistral).then_some(StreamOptions { include_usage: true }),
    };
    // Strings and finite numbers always serialise; were that ever to change, the endpoint would say so.
    serde_json::to_string(&body).unwrap_or_default()
}

fn turn(message: &Message) -> Turn<'_> {
    let role = match message.role {
        Role::User => "user",
        Role::Assistant => "assistant",
    };
    Turn {
        role,
        content: &message.content,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request() -> Request {
        Request {
            system: "You are \"Alice\".".into(),
            messages: vec![
                Message {
                    role: Role::User,
                    content: "Choose.\n选择".into(),
                },
                Message {
                    role: Role::Assistant,
                    content: "1".into(),
                },
                Message {
                    role: Role::User,
                    content: "Sure?".into(),
                },
            ],
            stop: vec![],
            max_tokens: 300,
            temperature: None,
            top_p: None,
            model: None,
            base_url: None,
        }
    }

    #[test]
    fn the_least_that_is_sent() {
        assert_eq!(
            body(&request()),
            r#"{"messages":[{"role":"system","content":"You are \"Alice\"."},{"role":"user","content":"Choose.\n选择"},{"role":"assistant","content":"1"},{"role":"user","content":"Sure?"}],"max_tokens":300,"stream":true,"stream_options":{"include_usage":true}}"#
        );
    }

    #[test]
    fn everything_that_can_be_sent() {
        let full = Request {
            system: String::new(),
            messages: vec![Message {
                role: Role::User,
                content: "x".into(),
            }],
            stop: vec!["\n\n".into(), "END".into()],
            temperature: Some(0.5),
            model: Some("m".into()),
            base_url: Some("http://localhost:8080/v1".into()),
            ..request()
        };
        assert_eq!(
            body(&full),
            r#"{"model":"m","messages":[{"role":"user","content":"x"}],"max_tokens":300,"temperature":0.5,"stop":["\n\n","END"],"stream":true,"stream_options":{"include_usage":true}}"#
        );
    }

    #[test]
    fn hosts_that_want_it_otherwise() {
        let at = |base: &str| {
            let text = body(&Request {
                base_url: Some(base.into()),
                temperature: Some(f64::NAN),
                ..request()
            });
            serde_json::from_str::<serde_json::Value>(&text).unwrap()
        };
        let openai = at("https://api.openai.com:443/v1/");
        assert_eq!(openai["max_completion_tokens"], 300);
        assert_eq!(openai.get("max_tokens"), None);
        assert_eq!(openai.get("temperature"), None);
        let mistral = at("https://api.mistral.ai/v1");
        assert_eq!(mistral.get("stream_options"), None);
        assert_eq!(mistral["max_tokens"], 300);
    }
}
