use super::*;
use proptest::prelude::*;

const URL: &str = "https://api.example.com/v1/chat/completions";
fn endpoint(url: &str) -> Endpoint {
    Endpoint::new(None, url)
}

const KEY: &str = "sk-canary-0123456789";

fn answer(status: u16, body: &str) -> Failure {
    from_status(&ErrorResponse {
        status,
        retry_after_ms: None,
        retry_after: None,
        body,
        place: &endpoint(URL),
        key: Some(KEY),
    })
}

#[test]
fn every_status_has_its_kind() {
    use FailureKind::*;
    for status in 100..=599_u16 {
        let kind = match status {
            401 | 403 => Key,
            402 => Quota,
            429 => RateLimit,
            408 | 409 | 425 | 500.. => Server,
            300.. => Request,
            _ => Format,
        };
        for body in [
            "",
            "{}",
            "oops",
            "<!doctype html><title>x</title>",
            "{\"error\":{\"message\":\"x\"}}",
        ] {
            let failure = answer(status, body);
            assert_eq!(failure.kind, kind, "{status} {body}");
            assert_eq!(failure.status, Some(status));
            assert!(
                failure.message.contains("https://api.example.com"),
                "{}",
                failure.message
            );
            assert!(!failure.message.contains("/chat/"), "{}", failure.message);
        }
    }
}

#[test]
fn the_way_round_is_named() {
    let only_there = "This model is only supported in v1/responses and not in v1/chat/completions.";
    for (status, said, way) in [
        (404, only_there, "provider `openai_responses`"),
        (400, only_there, "provider `openai_responses`"),
        (
            400,
            "Please use the Responses API for this model",
            "provider `openai_responses`",
        ),
        (
            404,
            "This is not a chat model. Did you mean to use v1/completions?",
            "provider `openai_responses`",
        ),
        (
            400,
            "max_tokens is too large: 99999",
            "`limits.max_answer_tokens`",
        ),
        (
            422,
            "max_completion_tokens must be less than or equal to the maximum",
            "`limits.max_answer_tokens`",
        ),
    ] {
        let body = serde_json::json!({ "error": { "message": said } }).to_string();
        let message = answer(status, &body).message;
        let own = message.split(" It says").next().unwrap_or_default();
        assert!(own.contains(way), "{said}: {message}");
    }
}

#[test]
fn bodies_refine_statuses() {
    use FailureKind::*;
    for (status, body, kind) in [
        (
            429,
            r#"{"error":{"message":"You exceeded your current quota","type":"insufficient_quota","code":"insufficient_quota"}}"#,
            Quota,
        ),
        (
            429,
            r#"{"error":{"message":"You exceeded your current quota, please check your plan and billing details.","code":429,"status":"RESOURCE_EXHAUSTED","details":[{"retryDelay":"34s"}]}}"#,
            RateLimit,
        ),
        (
            429,
            r#"{"error":{"message":"Rate limit reached. Please try again in 1.2s","code":"rate_limit_exceeded"}}"#,
            RateLimit,
        ),
        (
            400,
            r#"[{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT"}}]"#,
            Key,
        ),
        (
            400,
            r#"{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low"}}"#,
            Quota,
        ),
        (
            400,
            r#"{"error":{"code":"content_filter","message":"blocked"}}"#,
            Refused,
        ),
        (
            403,
            r#"{"error":{"code":403,"message":"Your input was flagged","metadata":{}}}"#,
            Refused,
        ),
    ] {
        assert_eq!(answer(status, body).kind, kind, "{body}");
    }
}

#[test]
fn messages_name_the_next_step() {
    let no_key = from_status(&ErrorResponse {
        status: 401,
        retry_after_ms: None,
        retry_after: None,
        body: "",
        place: &endpoint(URL),
        key: None,
    });
    assert_eq!(
        no_key.message,
        "https://api.example.com wants an API key and none was given. Enter a key for this address and go on."
    );
    for (status, body, part) in [
        (401, "", "did not accept the API key"),
        (403, "", "what the key may do"),
        (
            404,
            r#"{"error":{"message":"The model `gpt-9` does not exist","code":"model_not_found"}}"#,
            "Check the model's name. It says: “The model `gpt-9` does not exist”",
        ),
        (
            404,
            r#"{"error":"model 'x' not found, try pulling it first"}"#,
            "Check the model's name.",
        ),
        (404, "<html>the model</html>", "often ends in /v1"),
        (404, "", "often ends in /v1"),
        (
            400,
            r#"{"error":{"code":"context_length_exceeded","message":"This model's maximum context length is 8192"}}"#,
            "longer than the model",
        ),
        (413, "", "longer than the model"),
        (
            422,
            r#"{"detail":[{"loc":["body","x"],"msg":"field\n required","type":"t"}]}"#,
            "It says: “field required (x)”",
        ),
        (
            400,
            r#"{"object":"error","message":"bad temperature","type":"t","code":1}"#,
            "It says: “bad temperature”",
        ),
        (301, "", "final address"),
        (
            503,
            r#"{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}"#,
            "still loading its model",
        ),
        (
            529,
            r#"{"error":{"type":"overloaded_error","message":"Overloaded"}}"#,
            "is overloaded",
        ),
        (500, "<html>", "(status 500)"),
        (429, "try again in 1.2s", "Wait 2 s"),
    ] {
        let message = answer(status, body).message;
        assert!(message.contains(part), "{message}");
    }
}

#[test]
fn keys_are_removed() {
    let body =
        format!(r#"{{"error":{{"message":"Incorrect API key provided: {KEY}. Also my secret word"}}}}"#);
    let failure = answer(401, &body);
    assert!(!format!("{failure:?}").contains("canary"));
    let home = endpoint(URL);
    let secret = ErrorResponse {
        status: 401,
        retry_after_ms: None,
        retry_after: None,
        body: "my secret word",
        place: &home,
        key: Some("secret word"),
    };
    assert_eq!(from_status(&secret).body.as_deref(), Some("my [removed]"));
    let url = "https://api.example.com/v1/chat/completions?key=canary";
    assert!(
        !unreachable(&endpoint(url), NetworkContext::default())
            .message
            .contains("canary")
    );
}

#[test]
fn stored_bodies_are_short() {
    let failure = answer(500, &"é ".repeat(1000));
    assert_eq!(failure.body.map(|body| body.chars().count()), Some(500));
    assert_eq!(answer(500, " \n ").body, None);
}

#[test]
fn delays() {
    for (body, expected) in [
        ("Please try again in 1.2s.", Some(1200)),
        ("Please try again in 350ms", Some(350)),
        ("Try again in 6m0s", Some(360_000)),
        ("try again in 1h2m3.5s", Some(3_723_500)),
        ("retry after 20 seconds", Some(20_000)),
        ("Please retry in 34.074824224s.", Some(34_075)),
        (r#""retryDelay": "34s""#, Some(34_000)),
        (r#"{"retry_after": 7}"#, Some(7000)),
        (r#"{"retry_after_ms": 7}"#, Some(7)),
        ("try again in 20.", Some(20_000)),
        ("try again in a while; retry after 2 minutes", Some(120_000)),
        ("try again in 99999h", None),
        ("try again in -3s", None),
        ("try again later", None),
        ("", None),
    ] {
        assert_eq!(delay_in(body), expected, "{body}");
    }
}

#[test]
fn headers_override_the_body() {
    let at = |retry_after_ms, retry_after| {
        from_status(&ErrorResponse {
            status: 429,
            retry_after_ms,
            retry_after,
            body: "try again in 9s",
            place: &endpoint(URL),
            key: None,
        })
        .retry_after_ms
    };
    assert_eq!(at(Some("1500"), Some("3")), Some(1500));
    assert_eq!(at(None, Some("3")), Some(3000));
    assert_eq!(at(None, Some("0.5")), Some(500));
    assert_eq!(at(None, Some("-1")), Some(9000));
    assert_eq!(at(None, Some("NaN")), Some(9000));
    assert_eq!(at(None, Some("Wed, 21 Oct 2026 07:28:00 GMT")), Some(9000));
}

#[test]
fn errors_within_a_stream() {
    use FailureKind::*;
    for (body, kind) in [
        (
            r#"{"error":{"message":"Provider disconnected","code":502}}"#,
            Server,
        ),
        (r#"{"error":{"message":"slow down","code":429}}"#, RateLimit),
        (r#"{"error":{"message":"no","code":"429"}}"#, RateLimit),
        (
            r#"{"error":{"message":"no","type":"rate_limit_error"}}"#,
            RateLimit,
        ),
        (r#"{"error":{"message":"no","code":"insufficient_quota"}}"#, Quota),
        (r#"{"error":{"message":"no","type":"authentication_error"}}"#, Key),
        (
            r#"{"error":{"message":"no","type":"invalid_request_error"}}"#,
            Request,
        ),
        (
            r#"{"type":"error","error":{"type":"overloaded_error","message":"x"}}"#,
            Server,
        ),
        (r#"{"error":"x"}"#, Server),
        (r#"{"error":{"code":7}}"#, Server),
    ] {
        let failure = in_band(body, &endpoint(URL));
        assert_eq!((failure.kind, failure.status), (kind, None), "{body}");
    }
}

#[test]
fn calls_without_response() {
    let message = |url, online, secure_page, key_given| {
        let failure = unreachable(
            &endpoint(url),
            NetworkContext {
                online,
                secure_page,
                key_given,
            },
        );
        assert_eq!(failure.kind, FailureKind::Unreachable);
        failure.message
    };
    assert!(message(URL, Some(false), true, true).contains("offline"));
    assert!(message(URL, Some(true), true, true).contains("a wrong key"));
    assert!(message(URL, None, true, false).contains("a missing key"));
    let ollama = "http://localhost:11434/v1/chat/completions";
    assert!(message(ollama, Some(false), false, false).contains("OLLAMA_ORIGINS"));
    assert!(!message(ollama, Some(false), false, false).contains("Safari"));
    assert!(message("http://127.0.0.1:8080/v1", None, true, false).contains("Safari"));
    assert!(message("http://127.0.0.1:1234/v1", None, false, false).contains("LM Studio"));
}

proptest! {
    #[test]
    fn any_answer_can_be_read(status in any::<u16>(), body in ".{0,200}", header in ".{0,12}", url in ".{0,40}") {
        let failure = from_status(&ErrorResponse {
            status, retry_after_ms: None, retry_after: Some(&header), body: &body, place: &endpoint(&url), key: Some(&header),
        });
        prop_assert!(failure.body.is_none_or(|body| body.chars().count() <= 500));
        let _ = in_band(&body, &endpoint(&url));
        let _ = delay_in(&format!("retry after {body}"));
    }
}
