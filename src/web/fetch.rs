//! A single call to a model by the browser's fetch, without sessions, retries or timeouts: the signal ends
//! it. A key is sent to the endpoint's own origin only and is never stored.

use super::timer::Timer;
use super::{origin, queue};
use crate::core::ask::{Failure, FailureKind, Reply, Request};
use crate::feed::encoding;
use crate::language::Language;
use crate::providers::connection::Probe;
use crate::providers::failure::{self, Endpoint, ErrorResponse, NetworkContext};
use crate::providers::refusal::{self, Omitted, Parameter, ParameterFallback};
use crate::providers::reply::Decoder;
use crate::providers::structured;
use crate::providers::wire::{self, KeyHeader, Sent};
use crate::thought::{self, Split};
use gloo_net::http::{Request as HttpRequest, RequestBuilder, Response};
use js_sys::{Date, Promise, Reflect, Uint8Array};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{AbortSignal, EventTarget, ReadableStreamDefaultReader, ReferrerPolicy, RequestCache};
use web_sys::{RequestCredentials, RequestMode, RequestRedirect, ResponseType, SecurityPolicyViolationEvent};
use web_sys::{TextDecoder, Url};

/// Maximum bytes read of an error body.
const ERROR_BODY: usize = 64 << 10;
/// Maximum bytes read of a list of models.
const LIST: usize = 16 << 20;

thread_local! {
    /// Parameters that models have refused since the page was opened, by address and model.
    static REFUSED: RefCell<BTreeMap<(String, String), Vec<Parameter>>> = const { RefCell::new(BTreeMap::new()) };
}

#[wasm_bindgen]
extern "C" {
    // gloo-net's own `send` traps if a fetch is rejected with a value that is no Error.
    #[wasm_bindgen(catch)]
    fn fetch(request: &web_sys::Request) -> Result<Promise, JsValue>;
}

/// Sends a request and returns the reply; `on_piece` gets the text as it arrives. Parameters that the model
/// refuses are left out and the request is repeated at once. `language` is that of the question. Ends with
/// `Cut` when `signal` is aborted.
///
/// # Errors
/// Returns a failure with a message that says what to do. Never panics, whatever the endpoint, the browser
/// or the signal's reason.
pub async fn call(
    request: &Request,
    language: Language,
    key: Option<&str>,
    signal: &AbortSignal,
    mut on_piece: impl FnMut(&str),
) -> Result<Reply, Failure> {
    let key = check_key(key)?;
    let url = wire::prepare(request, language, &Omitted::default())?.url;
    let place = Endpoint::new(request.provider, &url);
    let model = (url, request.model.clone().unwrap_or_default());
    let refused = REFUSED.with_borrow(|refused| refused.get(&model).cloned());
    let mut fallback = ParameterFallback::new(refused.unwrap_or_default());
    let mut requests = 0_u32;
    loop {
        let sent = wire::prepare(request, language, fallback.adjust())?;
        if requests > 0 {
            queue::note_retry(&sent.url);
        }
        requests += 1;
        let result = send_once(&sent, &place, key, signal, &mut on_piece).await;
        let result = result.and_then(|mut reply| {
            take_out_thoughts(&mut reply);
            refusal::stopped_in_thought(reply, &sent)
        });
        let Some(result) = fallback.take(&sent, result) else {
            if signal.aborted() {
                return Err(cancelled());
            }
            continue;
        };
        let mut reply = result?;
        let refused = fallback.lasting();
        if !refused.is_empty() {
            REFUSED.with_borrow_mut(|all| all.insert(model, refused));
        }
        if sent.left_out.contains(&Parameter::Stop) {
            refusal::cut_at_stop(&mut reply.text, &request.stop);
        }
        reply.answered_as = sent
            .asked_as
            .zip(request.schema.as_ref())
            .map(|(asked, schema)| structured::answered_as(asked, &reply.text, schema));
        return Ok(reply);
    }
}

/// Moves thoughts that the model wrote into its answer to the reply's reasoning, and drops tokens of its template.
pub(super) fn take_out_thoughts(reply: &mut Reply) {
    let Split { answer, thought, .. } = thought::split(&reply.text);
    reply.text = answer;
    if !thought.is_empty() {
        let before = reply
            .reasoning
            .take()
            .map(|before| before + "\n")
            .unwrap_or_default();
        reply.reasoning = Some(before + &thought);
    }
}

/// Makes one request. The error includes the parameter that was refused, if any.
async fn send_once(
    sent: &Sent,
    place: &Endpoint,
    key: Option<&str>,
    signal: &AbortSignal,
    on_piece: &mut impl FnMut(&str),
) -> Result<Reply, (Failure, Option<Parameter>)> {
    let builder = with_key(HttpRequest::post(&sent.url), sent.headers, sent.key, key)
        .header("Content-Type", "application/json")
        .abort_signal(Some(signal));
    let prepared = builder.body(sent.body.as_str()).ok().map(Into::into);
    let Some(response) = send(prepared).await else {
        let failure = if signal.aborted() {
            cancelled()
        } else {
            failure::unreachable(place, network_context(key))
        };
        return Err((failure, None));
    };
    if let Some((failure, body)) = failure_of(&response, place, key).await {
        queue::note_response(&sent.url, &response, Some(&failure));
        let refused = refusal::named(response.status(), &body, sent);
        return Err((failure, refused));
    }
    queue::note_response(&sent.url, &response, None);
    let mut decoder = Decoder::new(place).hiding(key);
    read_stream(&response, &mut decoder, on_piece).await;
    if signal.aborted() && !decoder.is_done() {
        return Err((cancelled(), None));
    }
    decoder.finish_for(sent)
}

/// Fetches a text.
///
/// # Errors
/// As [`call`].
pub(super) async fn get(
    url: &str,
    place: &Endpoint,
    key: Option<&str>,
    signal: Option<&AbortSignal>,
) -> Result<String, Failure> {
    let key = check_key(key)?;
    let (headers, header) = wire::headers(place.provider());
    let builder = with_key(HttpRequest::get(url), headers, header, key).abort_signal(signal);
    let response = send(builder.build().ok().map(Into::into)).await;
    let Some(response) = response else {
        return Err(failure::unreachable(place, network_context(key)));
    };
    match failure_of(&response, place, key).await {
        Some((failure, _)) => Err(failure),
        None => Ok(read_body(&response, LIST).await),
    }
}

/// Posts a JSON text with the key as bearer token, and returns the response as text.
///
/// # Errors
/// As [`call`].
pub(super) async fn post(
    url: &str,
    place: &Endpoint,
    key: Option<&str>,
    text: &str,
    signal: &AbortSignal,
) -> Result<String, Failure> {
    let key = check_key(key)?;
    let builder = with_key(HttpRequest::post(url), &[], KeyHeader::Bearer, key)
        .header("Content-Type", "application/json")
        .abort_signal(Some(signal));
    let prepared = builder.body(text).ok().map(Into::into);
    let Some(response) = send(prepared).await else {
        return Err(failure::unreachable(place, network_context(key)));
    };
    let failed = failure_of(&response, place, key).await;
    queue::note_response(url, &response, failed.as_ref().map(|(failure, _)| failure));
    match failed {
        Some((failure, _)) => Err(failure),
        None => Ok(read_body(&response, LIST).await),
    }
}

/// Why a text could not be fetched.
pub(super) enum NoText {
    /// The address is invalid.
    Address,
    /// The Content-Security-Policy of this page forbids it.
    Blocked,
    Cancelled,
    Status(u16),
    TooLarge,
    Unreachable,
}

/// Fetches a text of at most `limit` bytes from another origin, without cookies or referrer.
pub(super) async fn text(url: &str, limit: usize, signal: &AbortSignal) -> Result<String, NoText> {
    let address = Url::new(url).map_err(|_| NoText::Address)?;
    let policy = PolicyWatch::new(&address.origin());
    let classify_error = async || match signal.aborted() {
        true => NoText::Cancelled,
        false if policy.has_blocked().await => NoText::Blocked,
        false => NoText::Unreachable,
    };
    let request = anonymous(HttpRequest::get(url)).abort_signal(Some(signal));
    let Some(response) = send(request.build().ok().map(Into::into)).await else {
        return Err(classify_error().await);
    };
    let reader = Reader::new(&response);
    if !response.ok() {
        return Err(NoText::Status(response.status()));
    }
    let Some(reader) = reader else {
        return Err(classify_error().await);
    };
    let mut bytes = Vec::new();
    loop {
        match reader.try_next().await {
            Ok(Some(piece)) => bytes.extend_from_slice(&piece),
            Ok(None) => break,
            Err(_) => return Err(classify_error().await),
        }
        if bytes.len() > limit {
            return Err(NoText::TooLarge);
        }
    }
    let encoding = encoding(response.headers().get("content-type").as_deref(), &bytes);
    let decoder = encoding.and_then(|encoding| TextDecoder::new_with_label(&encoding).ok());
    let text = decoder.and_then(|decoder| decoder.decode_with_u8_array(&bytes).ok());
    Ok(text.unwrap_or_else(|| String::from_utf8_lossy(&bytes).into_owned()))
}

/// Timeout of a probe in milliseconds.
const PROBE: u32 = 8_000;

/// Tests whether an origin answers at all, even if this page may not read the response. `is_local`: it is on
/// this machine.
pub(super) async fn probe(origin: &str, is_local: bool) -> Probe {
    if !is_local && network_context(None).online == Some(false) {
        return Probe::Offline;
    }
    let policy = PolicyWatch::new(origin);
    let signal = AbortSignal::timeout_with_u32(PROBE);
    let request = anonymous(HttpRequest::get(origin))
        .mode(RequestMode::NoCors)
        .abort_signal(Some(&signal));
    match send(request.build().ok().map(Into::into)).await {
        Some(_) => Probe::Answers,
        None if policy.has_blocked().await => Probe::Blocked,
        None => Probe::Silent,
    }
}

/// Watches whether the Content-Security-Policy of this page blocks requests to an origin.
struct PolicyWatch {
    is_blocked: Rc<Cell<bool>>,
    listener: Closure<dyn Fn(SecurityPolicyViolationEvent)>,
}

impl PolicyWatch {
    const EVENT: &str = "securitypolicyviolation";

    fn new(watched: &str) -> Self {
        let is_blocked = Rc::new(Cell::new(false));
        let listener = Closure::<dyn Fn(SecurityPolicyViolationEvent)>::new({
            let (is_blocked, watched) = (Rc::clone(&is_blocked), watched.to_owned());
            move |event: SecurityPolicyViolationEvent| {
                if event.effective_directive() == "connect-src" && origin(&event.blocked_uri()) == watched {
                    is_blocked.set(true);
                }
            }
        });
        // Node.js has no such events. In a page they bubble up to the window.
        let _ =
            Self::target().add_event_listener_with_callback(Self::EVENT, listener.as_ref().unchecked_ref());
        Self { is_blocked, listener }
    }

    fn target() -> EventTarget {
        js_sys::global().unchecked_into()
    }

    /// Call this once a request has failed.
    async fn has_blocked(&self) -> bool {
        // The event follows the failure.
        Timer::after(50).await;
        self.is_blocked.get()
    }
}

impl Drop for PolicyWatch {
    fn drop(&mut self) {
        let _ = Self::target()
            .remove_event_listener_with_callback(Self::EVENT, self.listener.as_ref().unchecked_ref());
    }
}

/// Trims a key.
///
/// # Errors
/// Returns a failure if the key holds characters that no key has.
fn check_key(key: Option<&str>) -> Result<Option<&str>, Failure> {
    let key = key.map(str::trim).filter(|key| !key.is_empty());
    if key.is_some_and(|key| !key.bytes().all(|byte| byte.is_ascii_graphic())) {
        return Err(Failure::new(
            FailureKind::Key,
            "The API key contains a character that no key has (a space, an accent). Enter it again.",
        ));
    }
    Ok(key)
}

fn with_key(
    builder: RequestBuilder,
    headers: &[(&str, &str)],
    header: KeyHeader,
    key: Option<&str>,
) -> RequestBuilder {
    let mut builder = anonymous(builder)
        // Following a redirect would send the key to another address.
        .redirect(RequestRedirect::Manual);
    for (name, value) in headers {
        builder = builder.header(name, value);
    }
    match (key, header) {
        (None, _) => builder,
        (Some(key), KeyHeader::Bearer) => builder.header("Authorization", &format!("Bearer {key}")),
        (Some(key), KeyHeader::Named(name)) => builder.header(name, key),
    }
}

fn anonymous(builder: RequestBuilder) -> RequestBuilder {
    builder
        .credentials(RequestCredentials::Omit)
        .referrer_policy(ReferrerPolicy::NoReferrer)
        .cache(RequestCache::NoStore)
}

/// Returns the failure of a response, with its body; `None` for a successful one.
async fn failure_of(response: &Response, place: &Endpoint, key: Option<&str>) -> Option<(Failure, String)> {
    if response.type_() == ResponseType::Opaqueredirect {
        let failure = Failure {
            status: None,
            ..from_response(response, 300, "", place, key)
        };
        return Some((failure, String::new()));
    }
    if response.ok() {
        return None;
    }
    let body = read_body(response, ERROR_BODY).await;
    Some((
        from_response(response, response.status(), &body, place, key),
        body,
    ))
}

async fn send(request: Option<web_sys::Request>) -> Option<Response> {
    let promise = fetch(&request?).ok()?;
    let response = JsFuture::from(promise).await.ok()?;
    response.dyn_into::<web_sys::Response>().ok().map(Response::from)
}

/// Feeds the decoder until the body ends, breaks off or the stream is done.
async fn read_stream(response: &Response, decoder: &mut Decoder, on_piece: &mut impl FnMut(&str)) {
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

/// Reads about the first `limit` bytes of a body.
async fn read_body(response: &Response, limit: usize) -> String {
    let mut body = Vec::new();
    if let Some(reader) = Reader::new(response) {
        while let Some(bytes) = reader.next().await {
            body.extend_from_slice(&bytes);
            if body.len() > limit {
                break;
            }
        }
    }
    String::from_utf8_lossy(&body).into_owned()
}

/// The chunks of a body. Dropping it cancels the rest.
struct Reader(ReadableStreamDefaultReader);

impl Reader {
    fn new(response: &Response) -> Option<Self> {
        ReadableStreamDefaultReader::new(&response.body()?).ok().map(Self)
    }

    /// Returns `None` at the end or on an error.
    async fn next(&self) -> Option<Vec<u8>> {
        self.try_next().await.ok()?
    }

    /// # Errors
    /// Returns an error if the body breaks off.
    async fn try_next(&self) -> Result<Option<Vec<u8>>, JsValue> {
        let result = JsFuture::from(self.0.read()).await?;
        let value = Reflect::get(&result, &JsValue::from_str("value"))?;
        Ok(value.dyn_into::<Uint8Array>().ok().map(|bytes| bytes.to_vec()))
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

/// Returns the server's time, by which its dates count; the device's time if the page may not read it.
pub(super) fn server_time(response: &Response) -> f64 {
    let date = response.headers().get("date").map(|date| Date::parse(&date));
    date.filter(|date| date.is_finite()).unwrap_or_else(Date::now)
}

fn from_response(
    response: &Response,
    status: u16,
    body: &str,
    place: &Endpoint,
    key: Option<&str>,
) -> Failure {
    let header = |name: &str| response.headers().get(name);
    let retry_after = header("retry-after");
    let until = retry_after
        .as_deref()
        .filter(|text| text.contains(':'))
        .map(|date| Date::parse(date) - server_time(response));
    let retry_after_ms = header("retry-after-ms").or_else(|| until.map(|ms| ms.to_string()));
    failure::from_status(&ErrorResponse {
        status,
        retry_after_ms: retry_after_ms.as_deref(),
        retry_after: retry_after.as_deref(),
        body,
        place,
        key,
    })
}

fn network_context(key: Option<&str>) -> NetworkContext {
    let global = js_sys::global();
    let field =
        |object: &JsValue, name: &str| Reflect::get(object, &JsValue::from_str(name)).unwrap_or_default();
    let online = field(&field(&global, "navigator"), "onLine").as_bool();
    let scheme = field(&field(&global, "location"), "protocol").as_string();
    NetworkContext {
        online,
        secure_page: scheme.as_deref() == Some("https:"),
        key_given: key.is_some(),
    }
}

pub(super) fn cancelled() -> Failure {
    Failure::new(FailureKind::Cut, "The call was cancelled.")
}
