use super::*;
use crate::core::ask::{FailureKind, Usage};
use crate::providers::wire::KeyHeader;
use proptest::prelude::*;

fn sent() -> Sent {
    Sent {
        url: String::new(),
        headers: &[],
        key: KeyHeader::Bearer,
        body: String::new(),
        has: ALL.to_vec(),
        left_out: vec![Parameter::Seed],
        asked_as: None,
        tokens: 1200,
    }
}

#[test]
fn rejected_settings_by_name() {
    for (status, body, param) in [
        (
            400,
            r#"{"error":{"message":"Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.","type":"invalid_request_error","param":"temperature","code":"unsupported_value"}}"#,
            Some(Parameter::Temperature),
        ),
        (
            400,
            r#"{"error":{"message":"Unsupported parameter: 'stop' is not supported with this model.","param":"stop","code":"unsupported_parameter"}}"#,
            Some(Parameter::Stop),
        ),
        (
            400,
            r#"{"error":{"message":"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.","param":"max_tokens","code":"unsupported_parameter"}}"#,
            Some(Parameter::TokenField),
        ),
        (
            400,
            r#"{"error":{"message":"max_tokens is too large: 300000","param":"max_tokens","code":"invalid_value"}}"#,
            None,
        ),
        (
            400,
            r#"{"error":{"message":"Unsupported value: 'messages[0].role' does not support 'system' with this model.","param":"messages[0].role"}}"#,
            Some(Parameter::System),
        ),
        (
            400,
            r#"{"error":{"message":"Invalid value: 'low'. Supported values are: 'none'.","param":"reasoning.effort"}}"#,
            Some(Parameter::Effort),
        ),
        (
            400,
            r#"{"type":"error","error":{"type":"invalid_request_error","message":"`temperature` is deprecated for this model."}}"#,
            Some(Parameter::Temperature),
        ),
        (
            400,
            r#"{"type":"error","error":{"type":"invalid_request_error","message":"`temperature` and `top_p` cannot both be specified for this model."}}"#,
            Some(Parameter::TopP),
        ),
        (
            400,
            r#"{"type":"error","error":{"type":"invalid_request_error","message":"adaptive thinking is not supported on this model"}}"#,
            Some(Parameter::Effort),
        ),
        (
            400,
            r#"{"error":{"code":400,"message":"Invalid JSON payload received. Unknown name \"seed\" at 'generation_config': Cannot find field.","status":"INVALID_ARGUMENT"}}"#,
            Some(Parameter::Seed),
        ),
        (
            400,
            r#"[{"error":{"code":400,"message":"Developer instruction is not enabled for models/x","status":"INVALID_ARGUMENT"}}]"#,
            Some(Parameter::System),
        ),
        (
            422,
            r#"{"detail":[{"type":"extra_forbidden","loc":["body","stream_options"],"msg":"Extra inputs are not permitted"}]}"#,
            Some(Parameter::StreamOptions),
        ),
        (
            400,
            r#"{"error":"\"m\" does not support thinking"}"#,
            Some(Parameter::Effort),
        ),
        (
            500,
            r#"{"error":{"code":500,"message":"Jinja Exception: System role not supported"}}"#,
            Some(Parameter::System),
        ),
        (
            400,
            r#"{"error":"invalid format: \"{}\"; expected \"json\" or a valid JSON Schema"}"#,
            Some(Parameter::Schema),
        ),
        (
            400,
            r#"{"type":"error","error":{"type":"invalid_request_error","message":"output_config.format: Extra inputs are not permitted"}}"#,
            Some(Parameter::Schema),
        ),
        (
            400,
            r#"{"error":{"message":"This model does not support structured outputs."}}"#,
            Some(Parameter::Schema),
        ),
        (
            400,
            r#"{"error":{"message":"'response_format' of type json_schema is not supported"}}"#,
            Some(Parameter::Schema),
        ),
        // Errors about something else than an omittable setting.
        (
            400,
            r#"{"error":{"message":"This model's maximum context length is 8192 tokens. However, your messages and max_tokens came to 9000."}}"#,
            None,
        ),
        (
            400,
            r#"{"error":{"message":"The prompt speaks of temperature"}}"#,
            None,
        ),
        (
            400,
            r#"{"error":{"message":"Unsupported: bestop, topped, seedless"}}"#,
            None,
        ),
        (400, r#"{"error":{"message":"invalid model"}}"#, None),
        (
            404,
            r#"{"error":{"message":"This model is only supported in v1/responses and not in v1/chat/completions.","param":"model"}}"#,
            None,
        ),
        (500, r#"{"error":{"message":"temperature not supported"}}"#, None),
        (
            401,
            r#"{"error":{"message":"temperature not supported","param":"temperature"}}"#,
            None,
        ),
        (429, r#"{"error":{"message":"invalid seed"}}"#, None),
        (400, "", None),
        (400, "<html>not supported", None),
    ] {
        assert_eq!(named(status, body, &sent()), param, "{body}");
    }
}

#[test]
fn streams_are_refused_in_many_words() {
    for (status, body) in [
        (
            400,
            r#"{"error":{"message":"Your organization must be verified to stream this model.","param":"stream","code":"unsupported_value"}}"#,
        ),
        (
            403,
            r#"{"error":{"message":"Your organization must be verified to stream this model."}}"#,
        ),
        (
            400,
            r#"{"error":{"message":"Unsupported value: 'stream' does not support true with this model.","param":"stream"}}"#,
        ),
        (400, r#"{"error":"Streaming is not supported for this model"}"#),
        (
            422,
            r#"{"detail":[{"loc":["body","stream"],"msg":"Input should be false"}]}"#,
        ),
        (400, r#"{"message":"The model is unsupported for streaming."}"#),
        (501, r#"{"error":{"message":"stream=true is not implemented"}}"#),
        (
            404,
            r#"{"error":{"message":"This model does not support streaming."}}"#,
        ),
        (
            400,
            r#"{"error":{"message":"Only non-streaming requests, please"}}"#,
        ),
    ] {
        assert_eq!(named(status, body, &sent()), Some(Parameter::Stream), "{body}");
    }
    let whole = Sent {
        has: vec![],
        ..sent()
    };
    assert_eq!(
        named(400, r#"{"error":"Streaming is not supported"}"#, &whole),
        None
    );
}

#[test]
fn schemas_are_refused_in_many_words() {
    for (status, body) in [
        (400, r#"{"error":"Error: failed to parse grammar"}"#),
        (
            500,
            r#"{"error":{"code":500,"message":"Failed to initialize samplers: failed to parse grammar"}}"#,
        ),
        (
            400,
            r#"{"error":{"message":"'response_format.type' must be 'json_schema' or 'text'"}}"#,
        ),
        (
            400,
            r#"{"error":{"code":400,"message":"Invalid JSON payload received. Unknown name \"$schema\" at 'generation_config.response_schema': Cannot find field.","status":"INVALID_ARGUMENT"}}"#,
        ),
        (
            400,
            r#"{"error":{"code":400,"message":"Invalid JSON payload received. Unknown name \"additionalProperties\" at 'generation_config.response_schema.properties[0].value': Cannot find field.","status":"INVALID_ARGUMENT"}}"#,
        ),
        (
            400,
            r#"{"error":{"code":400,"message":"The specified schema produces a constraint that has too many states for serving."}}"#,
        ),
        (
            400,
            r#"{"error":{"code":400,"message":"A schema in GenerationConfig in the request exceeds the maximum allowed nesting depth."}}"#,
        ),
        (
            404,
            r#"{"error":{"message":"No endpoints found that support structured outputs","code":404}}"#,
        ),
        (
            404,
            r#"{"error":{"message":"No endpoints found that can handle the requested parameters.","code":404}}"#,
        ),
        (
            400,
            r#"{"error":{"message":"Provider returned error","code":400,"metadata":{"raw":"{\"message\":\"model features structured outputs not support\"}"}}}"#,
        ),
        (
            400,
            r#"{"error":{"message":"The provided JSON schema contains features not supported by xgrammar."}}"#,
        ),
        (
            400,
            r#"{"error":{"message":"Json mode is not supported for this model."}}"#,
        ),
        (
            400,
            r#"{"error":{"message":"Invalid schema for response_format 'answer': In context=(), 'additionalProperties' is required to be supplied and to be false."}}"#,
        ),
        (
            400,
            r#"{"error":{"message":"Response format is not available here"}}"#,
        ),
        // Nothing is named, and this is what most models lack.
        (
            400,
            r#"{"error":{"message":"Provider returned error","code":400}}"#,
        ),
    ] {
        assert_eq!(named(status, body, &sent()), Some(Parameter::Schema), "{body}");
    }
}

#[test]
fn a_shorter_answer_is_requested_where_a_limit_is_named() {
    let body = r#"{"error":{"message":"max_tokens is too large: 1200. This model supports at most 1024 completion tokens.","param":"max_tokens","code":"invalid_value"}}"#;
    let limit = |most, is_lasting| Parameter::Tokens(TokenLimit { most, is_lasting });
    assert_eq!(named(400, body, &sent()), Some(limit(1024, true)));
    let body = r#"{"error":{"message":"This model's maximum context length is 1000 tokens. However, you requested 1700 tokens (500 in the messages, 1200 in the completion)."}}"#;
    assert_eq!(named(400, body, &sent()), Some(limit(500, false)));
    let body = r#"{"error":{"code":402,"message":"This request requires more credits, or fewer max_tokens. You requested up to 1200 tokens, but can only afford 900."}}"#;
    assert_eq!(named(402, body, &sent()), Some(limit(900, false)));

    let mut fallback = ParameterFallback::default();
    let shorter = |tokens| Sent { tokens, ..sent() };
    assert_eq!(
        fallback.take(&sent(), Err((rejection(), Some(limit(1024, true))))),
        None
    );
    assert_eq!(
        fallback.take(&shorter(1024), Err((rejection(), Some(limit(500, false))))),
        None
    );
    // A limit that is not lower does not help.
    assert_eq!(
        fallback.take(&shorter(500), Err((rejection(), Some(limit(500, true))))),
        Some(Err(rejection()))
    );
    let reply = fallback
        .take(&shorter(500), Ok(reply_of("a", "stop", None)))
        .unwrap()
        .unwrap();
    assert_eq!(reply.allowed_tokens, Some(500));
    // Room that one question leaves says nothing about the next.
    assert_eq!(fallback.lasting(), [limit(1024, true)]);
}

#[test]
fn an_answer_stopped_within_a_thought_is_requested_without_stop_sequences() {
    let thought = |finish: &str| Reply {
        reasoning: Some("Hm.".into()),
        ..reply_of("", finish, Some((3, 4)))
    };
    let (failure, param) = stopped_in_thought(thought("stop"), &sent()).unwrap_err();
    assert_eq!(param, Some(Parameter::Stop));
    let mut fallback = ParameterFallback::default();
    assert_eq!(fallback.take(&sent(), Err((failure, param))), None);
    let reply = fallback
        .take(&sent(), Ok(reply_of("a", "stop", Some((3, 9)))))
        .unwrap()
        .unwrap();
    assert_eq!((reply.requests, reply.usage), (Some(2), Some(Usage::of(6, 13))));
    let without = Sent {
        has: vec![],
        ..sent()
    };
    for (reply, sent) in [
        (thought("stop"), without),
        (thought("length"), sent()),
        (reply_of("a", "stop", None), sent()),
        (reply_of("", "stop", None), sent()),
    ] {
        assert_eq!(stopped_in_thought(reply.clone(), &sent), Ok(reply));
    }
}

#[test]
fn only_sent_settings_are_rejected() {
    let bare = Sent {
        has: vec![Parameter::TopP],
        ..sent()
    };
    let body = r#"{"error":{"message":"temperature is not supported","param":"temperature"}}"#;
    assert_eq!(named(400, body, &bare), None);
}

fn reply_of(text: &str, finish: &str, usage: Option<(u64, u64)>) -> Reply {
    Reply {
        text: text.into(),
        finish: Some(finish.into()),
        usage: usage.map(|(input, output)| Usage::of(input, output)),
        ..Reply::default()
    }
}

fn rejection() -> Failure {
    Failure {
        kind: FailureKind::Request,
        message: "no".into(),
        status: Some(400),
        retry_after_ms: None,
        body: None,
        usage: None,
    }
}

#[test]
fn settings_are_omitted_one_by_one() {
    let mut fallback = ParameterFallback::new(vec![Parameter::Seed]);
    assert_eq!(
        fallback.take(&sent(), Err((rejection(), Some(Parameter::Temperature)))),
        None
    );
    assert_eq!(
        fallback.take(&sent(), Err((rejection(), Some(Parameter::Stop)))),
        None
    );
    assert_eq!(
        fallback.lasting(),
        [Parameter::Seed, Parameter::Temperature, Parameter::Stop]
    );
    let reply = fallback
        .take(&sent(), Ok(reply_of("a", "stop", Some((3, 4)))))
        .unwrap()
        .unwrap();
    assert_eq!((reply.requests, reply.allowed_tokens), (Some(3), None));
    assert_eq!(reply.left_out, ["seed"]);
    assert_eq!(reply.usage, Some(Usage::of(3, 4)));
}

#[test]
fn a_repeated_rejection_is_a_failure() {
    let mut fallback = ParameterFallback::new(Vec::new());
    assert_eq!(
        fallback.take(&sent(), Err((rejection(), Some(Parameter::Stop)))),
        None
    );
    assert_eq!(
        fallback.take(&sent(), Err((rejection(), Some(Parameter::Stop)))),
        Some(Err(rejection()))
    );
    assert_eq!(
        ParameterFallback::default().take(&sent(), Err((rejection(), None))),
        Some(Err(rejection()))
    );
}

fn call(max_tokens: u32, used_up: Option<Failure>) -> Call {
    let ask = crate::core::ask::Ask {
        id: "a#1".to_owned(),
        seat: "Ana".to_owned(),
        kind: crate::procedures::discussion::asks::TURN.into(),
        phase: 1,
        round: None,
        attempt: 1,
        language: crate::language::Language::English,
    };
    let request =
        serde_json::from_value(serde_json::json!({ "system": "", "messages": [], "max_tokens": 300 }));
    Call {
        ask: ask.into(),
        attempt: 1,
        request: std::rc::Rc::new(request.unwrap()),
        facts: crate::core::context::AskContext::none(),
        form: None,
        time_limit: None,
        question_tokens: 3,
        max_tokens,
        used_up: used_up.map(Into::into),
    }
}

#[test]
fn an_answer_used_up_by_reasoning_is_a_failure_once() {
    let empty = |finish| reply_of(" \n", finish, Some((3, 4)));
    for finish in ["length", "max_tokens", "MAX_TOKENS", "max_output_tokens"] {
        let failure = starved(&call(300, None), Ok(empty(finish))).unwrap_err();
        assert_eq!(failure.kind, FailureKind::Starved);
        assert_eq!(
            (failure.usage, failure.body.as_deref()),
            (Some(Usage::of(3, 4)), Some(finish))
        );
        assert!(failure.message.contains("300 tokens"), "{}", failure.message);

        // The second answer counts.
        let wide = call(1_200, Some(failure));
        let reply = starved(&wide, Ok(empty(finish))).unwrap();
        assert_eq!((reply.text.as_str(), reply.allowed_tokens), (" \n", Some(1_200)));
        let reply = starved(&wide, Ok(reply_of("a", "stop", None))).unwrap();
        assert_eq!((reply.text.as_str(), reply.allowed_tokens), ("a", Some(1_200)));

        // The larger limit is rejected: the empty answer counts.
        let refused = Failure {
            kind: FailureKind::Request,
            ..rejection()
        };
        let reply = starved(&wide, Err(refused)).unwrap();
        assert_eq!((reply.text.as_str(), reply.finish.as_deref()), ("", Some(finish)));
        assert_eq!((reply.allowed_tokens, reply.usage), (None, None));
        // A transient error remains an error.
        let busy = Failure {
            kind: FailureKind::Server,
            ..rejection()
        };
        assert_eq!(starved(&wide, Err(busy.clone())), Err(busy));
    }
    for whole in [reply_of("a", "length", None), reply_of("", "stop", None)] {
        assert_eq!(starved(&call(300, None), Ok(whole.clone())), Ok(whole));
    }
}

#[test]
fn texts_are_cut_at_stop_sequences() {
    let stops = ["\n\n".to_owned(), "END".to_owned(), String::new()];
    for (text, expected) in [
        ("a END b\n\nc", "a "),
        ("a", "a"),
        ("", ""),
        ("\n\nab", "\n\nab"),
        ("\n\nabEND", "\n\nab"),
        ("END a", "END a"),
        ("é选END", "é选"),
    ] {
        let mut cut = text.to_owned();
        cut_at_stop(&mut cut, &stops);
        assert_eq!(cut, expected, "{text:?}");
    }
}

proptest! {
    #[test]
    fn any_body_is_parsed(status in prop_oneof![Just(400_u16), Just(422), any::<u16>()], body in ".{0,80}", text in ".{0,30}") {
        let _ = named(status, &body, &sent());
        let error = serde_json::json!({ "error": { "message": format!("not supported {text}"), "param": body } });
        let _ = named(status, &error.to_string(), &sent());
        let mut cut = text;
        cut_at_stop(&mut cut, &[body]);
    }
}
