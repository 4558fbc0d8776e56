//! One call to a chat endpoint by the browser's fetch. Knows nothing of sessions, retries or time
//! limits: the signal ends it. A key goes to the endpoint's own origin only and is kept nowhere.

use crate::model::address;
use crate::model::failure::{self, Answer, Surroundings};
use crate::model::reply::Decoder;
use crate::model::request;
use crate::session::ask::{Failure, FailureKind, Reply, Request};
use gloo_net::http::{Request as HttpRequest, Response};
use js_sys::{Date, Promise, Reflect, Uint8Array};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{AbortSignal, ReadableStreamDefaultReader, ReferrerPolicy, RequestCache, RequestCredentials};
use web_sys::{RequestRedirect, ResponseType};

/// Bytes of an error body that are read; no more is needed to tell what is wrong.
const ERROR_BODY: usize = 64 << 10;

#[wasm_bindgen]
extern "C" {
    // Not gloo-net's own `send`: that traps where a fetch is rejected with something that is no Error.
    #[wasm_bindgen(catch)]
    fn fetch(request: &web_sys::Request) -> Result<Promise, JsValue>;
}

/// Puts the question and gives the reply; `on_piece` gets the text as it comes. A call is over when
/// `signal` is aborted, then as a `Cut`.
///
/// # Errors
/// Whatever went wrong, as a sentence that says what to do. Never panics, whatever the endpoint, the
/// browser or the signal's reason do.
pub async fn call(
    request: &Request,
    key: Option<&str>,
    signal: &AbortSignal,
    on_piece: impl FnMut(&str),
) -> Result<Reply, Failure> {
    let url = address::chat_url(request.base_url.as_deref().unwrap_or_default())?;
    let key = key.map(str::trim).filter(|key| !key.is_empty());
    if key.is_some_and(|key| !key.bytes().all(|byte| byte.is_ascii_graphic())) {
        return Err(own(
            FailureKind::Key,
            "The API key contains a character that no key has (a space, an accent). Enter it again.",
        ));
    }
    let prepared = prepare(&url, request, key, signal);
    let Some(response) = send(prepared).await else {
        return Err(if signal.aborted() {
            cancelled()
        } else {
            failure::unreachable(&url, surroundings(key))
        });
    };
    if response.type_() == ResponseType::Opaqueredirect {
        return Err(Failure {
            status: None,
            ..from_response(&response, 300, "", &url, key)
        });
    }
    if !response.ok() {
        let body = error_body(&response).await;
        return Err(from_response(&response, response.status(), &body, &url, key));
    }
    let mut decoder = Decoder::new(&url);
    read(&response, &mut decoder, on_piece).await;
    if signal.aborted() && !decoder.is_done() {
        return Err(cancelled());
    }
    decoder.finish()
}

/// `None` where the browser will not make such a request.
fn prepare(
    url: &str,
    request: &Request,
    key: Option<&str>,
    signal: &AbortSignal,
) -> Option<web_sys::Request> {
    let mut builder = HttpRequest::post(url)
        .header("Content-Type", "application/json")
        .credentials(RequestCredentials::Omit)
        .referrer_policy(ReferrerPolicy::NoReferrer)
        .cache(RequestCache::NoStore)
        // Following one would take the key to an address that it was not entered for.
        .redirect(RequestRedirect::Manual)
        .abort_signal(Some(signal));
    if let Some(key) = key {
        builder = builder.header("Authorization", &format!("Bearer {key}"));
    }
    builder.body(request::body(request)).ok().map(Into::into)
}

async fn send(request: Option<web_sys::Request>) -> Option<Response> {
    let promise = fetch(&request?).ok()?;
    let response = JsFuture::from(promise).await.ok()?;
    response.dyn_into::<web_sys::Response>().ok().map(Response::from)
}

/// Feeds the decoder until the body ends, breaks off or says that it is over.
async fn read(response: &Response, decoder: &mut Decoder, mut on_piece: impl FnMut(&str)) {
    let Some(reader) = Reader::new(response) else {
        return;
    };
    while let Some(bytes) = reader.next().await {
        for piece in decoder.push(&bytes) {
            on_piece(&piece.0);
        }
        if decoder.is_done() {
            return;
        }
    }
}

async fn error_body(response: &Response) -> String {
    let mut body = Vec::new();
    if let Some(reader) = Reader::new(response) {
        while let Some(bytes) = reader.next().await {
            body.extend_from_slice(&bytes);
            if body.len() > ERROR_BODY {
                break;
            }
        }
    }
    String::from_utf8_lossy(&body).into_owned()
}

/// The chunks of a body. What is left when it is dropped is cancelled.
struct Reader(ReadableStreamDefaultReader);

impl Reader {
    fn new(response: &Response) -> Option<Self> {
        ReadableStreamDefaultReader::new(&response.body()?).ok().map(Self)
    }

    /// `None` at the end, whether good or bad.
    async fn next(&self) -> Option<Vec<u8>> {
        let result = JsFuture::from(self.0.read()).await.ok()?;
        let value = Reflect::get(&result, &JsValue::from_str("value")).ok()?;
        value.dyn_into::<Uint8Array>().ok().map(|bytes| bytes.to_vec())
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        let cancelled = self.0.cancel();
        // Awaited, so that a rejection does not count as unhandled.
        spawn_local(async move {
            let _ = JsFuture::from(cancelled).await;
        });
    }
}

fn from_response(response: &Response, status: u16, body: &str, url: &str, key: Option<&str>) -> Failure {
    let header = |name: &str| response.headers().get(name);
    let retry_after = header("retry-after");
    let until = retry_after
        .as_deref()
        .filter(|text| text.contains(':'))
        .map(|date| Date::parse(date) - Date::now());
    let retry_after_ms = header("retry-after-ms").or_else(|| until.map(|ms| ms.to_string()));
    failure::from_status(&Answer {
        status,
        retry_after_ms: retry_after_ms.as_deref(),
        retry_after: retry_after.as_deref(),
        body,
        url,
        key,
    })
}

fn surroundings(key: Option<&str>) -> Surroundings {
    let global = js_sys::global();
    let field =
        |object: &JsValue, name: &str| Reflect::get(object, &JsValue::from_str(name)).unwrap_or_default();
    let online = field(&field(&global, "navigator"), "onLine").as_bool();
    let scheme = field(&field(&global, "location"), "protocol").as_string();
    Surroundings {
        online,
        secure_page: scheme.as_deref() == Some("https:"),
        key_given: key.is_some(),
    }
}

fn cancelled() -> Failure {
    own(FailureKind::Cut, "The call was cancelled.")
}

fn own(kind: FailureKind, message: &str) -> Failure {
    Failure {
        kind,
        message: message.to_owned(),
        status: None,
        retry_after_ms: None,
        body: None,
    }
}
