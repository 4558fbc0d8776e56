//! Calls in a real browser, against a fetch that is replaced. Providers with their faults over HTTP:
//! `tests/package/all/providers.test.mjs`.
#![cfg(target_arch = "wasm32")]
#![allow(clippy::unwrap_used, clippy::panic)]

use js_sys::{Array, eval};
use quorate::core::ask::{Failure, FailureKind, Message, Reply, Request, Role};
use quorate::language::Language;
use quorate::seat::provider::Provider;
use quorate::web::fetch::call;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use web_sys::AbortController;

wasm_bindgen_test_configure!(run_in_browser);

fn request(base_url: &str, model: &str) -> Request {
    Request {
        system: "You are Ana.".into(),
        messages: vec![Message {
            role: Role::User,
            content: "Choose.".into(),
        }],
        stop: vec![],
        max_tokens: 50,
        temperature: None,
        top_p: None,
        model: Some(model.into()),
        base_url: Some(base_url.into()),
        provider: None,
        seed: None,
        reasoning_effort: None,
        schema: None,
    }
}

/// A call while `fetch` is the given JavaScript function; every test has its own host.
async fn with_fetch(host: &str, function: &str, key: Option<&str>) -> (Result<Reply, Failure>, Vec<String>) {
    eval(
        "globalThis.fakes ??= {};
         globalThis.realFetch ??= fetch;
         globalThis.fetch = (request) => (fakes[new URL(request.url ?? request, location).host] ?? realFetch)(request);
         globalThis.stream = (...parts) => new ReadableStream({ start(to) {
           for (const part of parts) to.enqueue(typeof part === 'string' ? new TextEncoder().encode(part) : part);
           to.close();
         } });",
    )
    .unwrap();
    eval(&format!("fakes['{host}'] = {function}")).unwrap();
    let mut pieces = Vec::new();
    let signal = AbortController::new().unwrap().signal();
    let request = request(&format!("https://{host}/v1"), "m");
    let result = call(&request, Language::English, key, &signal, |piece| {
        pieces.push(piece.to_owned())
    })
    .await;
    (result, pieces)
}

/// Lists of texts that a fake has left in a global.
fn texts(name: &str) -> Vec<String> {
    let list = eval(name).unwrap().unchecked_into::<Array>();
    list.iter().filter_map(|item| item.as_string()).collect()
}

#[wasm_bindgen_test]
async fn nothing_is_sent_beyond_the_necessary() {
    let fake = "async (request) => { globalThis.sent = [
        request.method, request.url, [...request.headers].flat().join('|'), request.credentials, request.referrerPolicy,
        request.cache, request.redirect, await request.text() ];
        return new Response('data: {\"choices\":[{\"delta\":{\"content\":\"a\"},\"finish_reason\":\"stop\"}]}\\n\\n') }";
    let (result, _) = with_fetch("sent.example", fake, Some(" sk-1 ")).await;
    assert_eq!(result.unwrap().text, "a");
    assert_eq!(
        texts("sent"),
        [
            "POST",
            "https://sent.example/v1/chat/completions",
            "authorization|Bearer sk-1|content-type|application/json",
            "omit",
            "no-referrer",
            "no-store",
            "manual",
            "{\"max_tokens\":50,\"messages\":[{\"content\":\"You are Ana.\",\"role\":\"system\"},{\"content\":\"Choose.\",\"role\":\"user\"}],\"model\":\"m\",\"stream\":true,\"stream_options\":{\"include_usage\":true}}",
        ]
    );
    let (_, _) = with_fetch("sent.example", fake, Some("  ")).await;
    assert_eq!(
        eval("sent[2]").unwrap().as_string().as_deref(),
        Some("content-type|application/json")
    );
}

#[wasm_bindgen_test]
async fn every_provider_gets_its_headers_and_no_other() {
    let fake = "async (request) => { globalThis.sent = [request.url, [...request.headers].flat().join('|')]; return new Response('x') }";
    with_fetch("headers.example", fake, None).await.0.unwrap_err();
    let signal = AbortController::new().unwrap().signal();
    for (_, provider) in Provider::ALL {
        let request = Request {
            provider: Some(provider),
            ..request("https://headers.example/v1", "m")
        };
        call(&request, Language::English, Some("k"), &signal, |_| ())
            .await
            .unwrap_err();
        let (tail, headers) = match provider {
            Provider::Anthropic => (
                "/v1/messages",
                "anthropic-dangerous-direct-browser-access|true|anthropic-version|2023-06-01|content-type|application/json|x-api-key|k",
            ),
            Provider::Gemini => (
                "/v1/models/m:streamGenerateContent?alt=sse",
                "content-type|application/json|x-goog-api-key|k",
            ),
            Provider::OpenAiResponses => (
                "/v1/responses",
                "authorization|Bearer k|content-type|application/json",
            ),
            Provider::Azure => ("/v1/chat/completions", "api-key|k|content-type|application/json"),
            Provider::Ollama => (
                "/api/chat",
                "authorization|Bearer k|content-type|application/json",
            ),
            _ => (
                "/v1/chat/completions",
                "authorization|Bearer k|content-type|application/json",
            ),
        };
        assert_eq!(
            texts("sent"),
            [&format!("https://headers.example{tail}"), headers],
            "{}",
            provider.id()
        );
    }
}

#[wasm_bindgen_test]
async fn what_a_model_refuses_is_left_out_from_then_on() {
    let fake = "async (request) => { (globalThis.bodies ??= []).push(await request.text());
        const body = JSON.parse(bodies.at(-1));
        const refused = ['temperature', 'stop'].find((name) => name in body);
        return refused === undefined
          ? new Response('data: {\"choices\":[{\"delta\":{\"content\":\"a STOP b\"},\"finish_reason\":\"stop\"}]}\\n\\n')
          : new Response(JSON.stringify({ error: { message: `Unsupported parameter: '${refused}'`, param: refused } }), { status: 400 }) }";
    with_fetch("refusing.example", fake, None).await.0.unwrap();
    let signal = AbortController::new().unwrap().signal();
    let full = Request {
        temperature: Some(0.5),
        stop: vec!["STOP".into()],
        ..request("https://refusing.example/v1", "m")
    };
    for requests in [Some(3), None] {
        let reply = call(&full, Language::English, None, &signal, |_| ())
            .await
            .unwrap();
        assert_eq!((reply.text.as_str(), reply.requests), ("a ", requests));
        assert_eq!(reply.left_out, ["temperature", "stop"]);
    }
    assert_eq!(texts("bodies").len(), 5);
    // What another model refuses is its own affair.
    let other = Request {
        model: Some("other".into()),
        ..full
    };
    assert_eq!(
        call(&other, Language::English, None, &signal, |_| ())
            .await
            .unwrap()
            .requests,
        Some(3)
    );
}

#[wasm_bindgen_test]
async fn pieces_come_as_they_are_sent() {
    let fake = "() => { const text = new TextEncoder().encode('data: {\"choices\":[{\"delta\":{\"content\":\"é选\"}}]}\\n\\n');
        return Promise.resolve(new Response(stream(text.slice(0, 37), text.slice(37, 39), text.slice(39),
          'data: {\"choices\":[{\"delta\":{\"content\":\"b\"},\"finish_reason\":\"stop\"}],\"model\":\"x\"}\\n\\n', 'data: [DONE]\\n\\n', 'ignored')));
      }";
    let (result, pieces) = with_fetch("pieces.example", fake, None).await;
    let expected = Reply {
        text: "é选b".into(),
        model: Some("x".into()),
        finish: Some("stop".into()),
        ..Reply::default()
    };
    assert_eq!(result, Ok(expected));
    assert_eq!(pieces, ["é选", "b"]);
}

#[wasm_bindgen_test]
async fn odd_rejections_do_no_harm() {
    for (fake, kind) in [
        ("() => Promise.reject('stop')", FailureKind::Unreachable),
        ("() => Promise.reject()", FailureKind::Unreachable),
        ("() => Promise.reject(null)", FailureKind::Unreachable),
        ("() => Promise.reject({})", FailureKind::Unreachable),
        (
            "() => Promise.reject(new TypeError('Failed to fetch'))",
            FailureKind::Unreachable,
        ),
        (
            "() => Promise.reject(new DOMException('x', 'AbortError'))",
            FailureKind::Unreachable,
        ),
        ("() => { throw 'x' }", FailureKind::Unreachable),
        ("() => Promise.resolve(7)", FailureKind::Unreachable),
        ("() => Promise.resolve(new Response(null))", FailureKind::Cut),
        ("() => Promise.resolve(new Response(''))", FailureKind::Cut),
        (
            "() => Promise.resolve(new Response(new ReadableStream({ start(to) { to.error('x') } })))",
            FailureKind::Cut,
        ),
        (
            "() => Promise.resolve(new Response(new ReadableStream({ start(to) { to.enqueue('text'); to.close() } })))",
            FailureKind::Cut,
        ),
        ("() => Promise.resolve(Response.error())", FailureKind::Format),
    ] {
        let (result, _) = with_fetch("odd.example", fake, None).await;
        assert_eq!(result.unwrap_err().kind, kind, "{fake}");
    }
}

#[wasm_bindgen_test]
async fn statuses_and_headers_are_read() {
    let fake = "() => Promise.resolve(new Response('{\"error\":{\"message\":\"slow down\"}}', { status: 429, headers: { 'retry-after': '3' } }))";
    let failure = with_fetch("status.example", fake, None).await.0.unwrap_err();
    assert_eq!(
        (failure.kind, failure.status, failure.retry_after_ms),
        (FailureKind::RateLimit, Some(429), Some(3000))
    );
    let fake = "() => Promise.resolve(new Response('', { status: 503, headers: { 'retry-after': new Date(Date.now() + 20000).toUTCString() } }))";
    let failure = with_fetch("status.example", fake, None).await.0.unwrap_err();
    assert_eq!(failure.kind, FailureKind::Server);
    assert!(
        failure
            .retry_after_ms
            .is_some_and(|ms| (18_000..=20_000).contains(&ms)),
        "{failure:?}"
    );
    let fake = "() => Promise.resolve(new Response('Bearer sk-canary-12345678', { status: 401 }))";
    let failure = with_fetch("status.example", fake, Some("sk-canary-12345678"))
        .await
        .0
        .unwrap_err();
    assert_eq!(failure.kind, FailureKind::Key);
    assert!(!format!("{failure:?}").contains("canary"));
}

#[wasm_bindgen_test]
async fn what_cannot_be_sent_is_told() {
    let signal = AbortController::new().unwrap().signal();
    let none = Request {
        base_url: None,
        ..request("", "m")
    };
    assert_eq!(
        call(&none, Language::English, None, &signal, |_| ())
            .await
            .unwrap_err()
            .kind,
        FailureKind::Request
    );
    for key in ["sk-1\n2", "schlüssel", "two words"] {
        let failure = call(
            &request("https://key.example", "m"),
            Language::English,
            Some(key),
            &signal,
            |_| (),
        )
        .await
        .unwrap_err();
        assert_eq!(failure.kind, FailureKind::Key);
        assert!(!failure.message.contains(key));
    }
}

#[wasm_bindgen_test]
async fn a_call_can_be_cancelled_with_any_reason() {
    for reason in [
        JsValue::UNDEFINED,
        JsValue::NULL,
        "stop".into(),
        7.into(),
        js_sys::Error::new("x").into(),
    ] {
        let controller = AbortController::new().unwrap();
        controller.abort_with_reason(&reason);
        let request = request("http://127.0.0.1:9/v1", "m");
        let result = call(&request, Language::English, None, &controller.signal(), |_| ()).await;
        assert_eq!(result.unwrap_err().kind, FailureKind::Cut);
    }
}

#[wasm_bindgen_test]
async fn nobody_there() {
    let signal = AbortController::new().unwrap().signal();
    let failure = call(
        &request("http://127.0.0.1:9/v1", "m"),
        Language::English,
        None,
        &signal,
        |_| (),
    )
    .await
    .unwrap_err();
    assert_eq!(failure.kind, FailureKind::Unreachable);
    assert!(
        failure.message.contains("Check that the server runs"),
        "{}",
        failure.message
    );
}
