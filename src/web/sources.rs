//! Sources of a debate: earlier debates in this browser, feeds, the surrounding program, and embeddings. A
//! source always answers, at least with the reason why it is unavailable, so it cannot stop a run. Content
//! from others is passed on as data; the protocol decides on its use.

use super::driver::Driver;
use super::fetch::{self, NoText};
use super::memory::outbox::is_address;
use super::memory::rows_for_sources;
use super::options::Secret;
use super::{origin, queue};
use crate::core::ask::{Call, Reply};
use crate::feed::{FeedError, Topic, best, topics};
use crate::memory::gather::{Limits, SourceItem, gather};
use crate::memory::{Row, RowKind, words_about};
use crate::procedures::debate::rules::similarity::cosine;
use crate::procedures::spec::KEY_HERE;
use crate::providers::embeddings;
use crate::providers::failure::Endpoint;
use crate::providers::scrub::without;
use js_sys::Reflect;
use serde::Deserialize;
use serde_json::{Value, json};
use std::rc::Rc;
use web_sys::{AbortController, AbortSignal};

/// Maximum size of a feed in bytes.
const MAX_BYTES: usize = 1_048_576;
/// Default numbers of feed topics, and of items from other sources.
const TOPICS: usize = 3;
const ITEMS: usize = 10;

/// A request to a source.
#[derive(Deserialize)]
struct SourceRequest {
    source: Source,
    #[serde(default)]
    question: String,
    #[serde(default)]
    texts: Vec<String>,
}

#[derive(Deserialize)]
struct Source {
    kind: String,
    url: Option<String>,
    limit: Option<usize>,
}

impl Driver {
    /// Answers a request to a source.
    pub(super) async fn ask_source(self: &Rc<Self>, call: &Call, abort: &AbortController) -> Reply {
        let signal = &abort.signal();
        let asked = call.request.messages.last().map(|message| message.content.get());
        let request: Option<SourceRequest> = asked.and_then(|asked| serde_json::from_str(&asked).ok());
        let given = match &request {
            None => Err("The question to this source cannot be read.".to_owned()),
            Some(request) => match request.source.kind.as_str() {
                "knowledge" | "debates" => gather_known(request, self.now()).await,
                "feed" => self.fetch_feed(request, signal).await,
                "program" => {
                    let given = self.ask_program(call, abort, |_: &str| {}).await;
                    given
                        .map(|reply| parse_program_reply(reply.text))
                        .map_err(|failure| failure.message)
                }
                "embeddings" => self.measure_likeness(call, &request.texts, signal).await,
                other => Err(format!("There is no source of the kind {other:?} here.")),
            },
        };
        let text = match given {
            Ok(answer) => answer.to_string(),
            Err(why) => json!({ "unavailable": why }).to_string(),
        };
        Reply {
            text,
            ..Reply::default()
        }
    }
}

impl Driver {
    /// Computes the pairwise similarity of texts, by the embeddings of the model in the call.
    async fn measure_likeness(
        self: &Rc<Self>,
        call: &Call,
        texts: &[String],
        signal: &AbortSignal,
    ) -> Result<Value, String> {
        let request = &call.request;
        let base_url = request.base_url.as_deref().unwrap_or_default();
        let url =
            embeddings::url(base_url).map_err(|error| format!("The model cannot be called: {error}."))?;
        let body = embeddings::body(request.model.as_deref().unwrap_or_default(), texts);
        let key = self
            .key_for(base_url, &call.ask.seat)
            .map_err(|failure| failure.message)?;
        let place = Endpoint::new(None, base_url);
        let turn = queue::turn(self, call, base_url, 0, signal).await;
        let _turn = turn.ok_or("The call was cancelled.")?;
        let response = fetch::post(&url, &place, key.as_deref(), &body, signal).await;
        let response = response.map_err(|failure| failure.message)?;
        let host = origin(base_url);
        let vectors = embeddings::read(&response, texts.len())
            .ok_or_else(|| format!("What {host} sent is no list of vectors, one for each text."))?;
        let mut likeness = Vec::new();
        for (place, one) in vectors.iter().enumerate() {
            for other in vectors.iter().skip(place + 1) {
                let value = cosine(one, other);
                likeness.push(value.ok_or_else(|| format!("Vectors from {host} have no direction."))?);
            }
        }
        Ok(json!({ "likeness": likeness }))
    }
}

/// Gathers items from earlier debates.
async fn gather_known(request: &SourceRequest, now: u64) -> Result<Value, String> {
    let rows = rows_for_sources().await.map_err(|error| {
        let why = Reflect::get(&error, &"message".into())
            .ok()
            .and_then(|why| why.as_string());
        why.unwrap_or_else(|| "What earlier debates left cannot be read.".to_owned())
    })?;
    let limit = request.source.limit.unwrap_or(ITEMS);
    let default = Limits::default();
    let limits = if request.source.kind == "knowledge" {
        Limits {
            knowledge: limit,
            debates: 0,
            receipts: 0,
            ..default
        }
    } else {
        Limits {
            knowledge: 0,
            debates: limit,
            receipts: default.receipts.min(limit),
            ..default
        }
    };
    let mut items = gather(&request.question, &rows, &limits, now);
    items.truncate(limit);
    let items: Vec<Value> = items.iter().map(|item| describe_item(item, &rows)).collect();
    Ok(json!({ "items": items }))
}

fn describe_item(item: &SourceItem, rows: &[Row]) -> Value {
    let row = rows
        .iter()
        .find(|row| row.kind == item.source && row.id == item.id);
    let field = |name: &str| row.map(|row| row.value[name].clone()).unwrap_or_default();
    let (origin, at) = match item.source {
        RowKind::Knowledge if field("source") == "debate" => (field("source_id"), field("updated_at")),
        RowKind::Knowledge => (field("source"), field("updated_at")),
        RowKind::Receipt => (field("debate_id"), Value::Null),
        _ => (item.id.as_str().into(), field("ended_at")),
    };
    json!({
        "id": item.id, "title": item.title, "text": item.text, "origin": origin, "at": at,
        "confidence": item.confidence,
    })
}

/// Reads a program's reply: its items, or else its text as one item.
fn parse_program_reply(text: String) -> Value {
    match serde_json::from_str(&text) {
        Ok(Value::Object(reply)) if reply.contains_key("items") || reply.contains_key("unavailable") => {
            Value::Object(reply)
        }
        _ if text.trim().is_empty() => json!({ "items": [] }),
        _ => json!({ "items": [{ "title": "", "text": text }] }),
    }
}

impl Driver {
    /// Fetches the topics of a feed that match the question.
    async fn fetch_feed(&self, request: &SourceRequest, signal: &AbortSignal) -> Result<Value, String> {
        let url = request.source.url.as_deref().unwrap_or_default().trim();
        let host = origin(url);
        if !is_address(url) {
            return Err("The address of a feed must begin with https://.".to_owned());
        }
        let key = self
            .keys
            .borrow()
            .get(&host)
            .map(|key| Secret::reveal(key).to_owned());
        let target = match &key {
            Some(key) => url.replace(KEY_HERE, key),
            None if url.contains(KEY_HERE) => return Err(format!("No key for {host} has been entered.")),
            None => url.to_owned(),
        };
        if origin(&target) != host {
            return Err(format!("With the key for {host} in it this is no address there."));
        }
        let text = fetch::text(&target, MAX_BYTES, signal).await.map_err(|why| match why {
            NoText::Address => format!("{url} is not an address that can be fetched."),
            NoText::Cancelled => format!("The feed at {host} took too long."),
            NoText::Blocked => format!(
                "This page may not fetch from {host}: its Content-Security-Policy lists the hosts that it may connect to. Where you host the page yourself, add {host} to connect-src in its index.html (and to the header that your server sends, if it sends one)."
            ),
            NoText::Status(status) => format!("{host} answered with status {status} instead of a feed."),
            NoText::TooLarge => format!("The feed at {host} is larger than 1 MB."),
            NoText::Unreachable => format!(
                "The feed at {host} cannot be reached from this page: the host is down, there is no network, or it does not let pages of other origins read it (CORS)."
            ),
        })?;
        let found = topics(&without(&text, key.as_deref())).map_err(|why| match why {
            FeedError::Empty => format!("What {host} sent is empty."),
            FeedError::Page => format!(
                "What {host} sent is a web page, not a feed: look there for the address of its RSS or Atom feed."
            ),
            FeedError::Unknown => format!("What {host} sent is neither RSS nor Atom nor a JSON Feed."),
        })?;
        let most = request.source.limit.unwrap_or(TOPICS);
        let count = found.len();
        let about =
            |topic: &Topic| words_about(&request.question, &format!("{}\n{}", topic.title, topic.text));
        let found = best(found, most, about);
        if found.is_empty() && count > 0 {
            return Err(format!(
                "None of the {count} items of the feed at {host} shares a word with the question."
            ));
        }
        let items: Vec<Value> = found
            .into_iter()
            .map(|topic| {
                let origin = if topic.link.is_empty() {
                    host.clone()
                } else {
                    topic.link
                };
                let text = if topic.text.is_empty() {
                    topic.title.clone()
                } else {
                    topic.text
                };
                json!({ "id": origin, "title": topic.title, "text": text, "origin": origin, "at": topic.at })
            })
            .collect();
        Ok(json!({ "items": items }))
    }
}
