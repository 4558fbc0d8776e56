use super::*;
use crate::core::ask::FailureKind;
use proptest::prelude::*;

const URL: &str = "http://localhost:9999/v1/chat/completions";

type Outcome = (Vec<Piece>, Result<Reply, Failure>);

fn decode(pieces: &[&[u8]]) -> Outcome {
    let mut decoder = Decoder::new(&Endpoint::new(None, URL));
    let texts = pieces.iter().flat_map(|piece| decoder.push(piece)).collect();
    (texts, decoder.finish())
}

/// Returns the outcome after checking that it is the same for every split in two and byte by byte.
fn outcome(text: &str) -> Outcome {
    let bytes = text.as_bytes();
    let whole = decode(&[bytes]);
    for at in 0..=bytes.len() {
        let (head, tail) = bytes.split_at(at);
        assert_eq!(decode(&[head, &[], tail]), whole, "split at {at}");
    }
    let singles: Vec<&[u8]> = bytes.chunks(1).collect();
    assert_eq!(decode(&singles), whole, "byte by byte");
    whole
}

fn reply(text: &str) -> Reply {
    let (pieces, result) = outcome(text);
    let reply = result.unwrap();
    let shown: String = pieces.iter().map(|piece| piece.0.as_str()).collect();
    assert!(reply.text.starts_with(&shown), "{shown}");
    reply
}

fn failure(text: &str) -> Failure {
    outcome(text).1.unwrap_err()
}

fn text(text: &str) -> Reply {
    Reply {
        text: text.into(),
        ..Reply::default()
    }
}

#[test]
fn streams_of_openai() {
    let stream = concat!(
        "data: {\"id\":\"c1\",\"object\":\"chat.completion.chunk\",\"model\":\"m-1\",\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"\",\"refusal\":null},\"finish_reason\":null}],\"usage\":null}\n\n",
        "data: {\"model\":\"m-1\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Ich wähle \"},\"finish_reason\":null}]}\n\n",
        "data: {\"model\":\"m-1\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"选 \u{1f600}\"},\"finish_reason\":null}]}\n\n",
        "data: {\"model\":\"m-1\",\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n",
        "data: {\"model\":\"m-1\",\"choices\":[],\"usage\":{\"prompt_tokens\":12,\"completion_tokens\":5,\"total_tokens\":17}}\n\n",
        "data: [DONE]\n\n",
    );
    let expected = Reply {
        text: "Ich wähle 选 \u{1f600}".into(),
        model: Some("m-1".into()),
        finish: Some("stop".into()),
        usage: Some(Usage::of(12, 5)),
        ..Reply::default()
    };
    assert_eq!(reply(stream), expected);
    assert_eq!(
        outcome(stream).0,
        [Piece("Ich wähle ".into()), Piece("选 \u{1f600}".into())]
    );
    assert_eq!(reply(&stream.replace('\n', "\r\n")), expected);
    assert_eq!(reply(&stream.replace('\n', "\r")), expected);
    assert_eq!(reply(&format!("\u{feff}: PROCESSING\n\n{stream}")), expected);
    assert_eq!(reply(stream.trim_end()), expected);
    assert_eq!(
        reply(&format!("{stream}data: {{broken\n\n")),
        expected,
        "nothing counts after the end"
    );
}

#[test]
fn leaner_streams() {
    assert_eq!(
        reply("data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\ndata: [DONE]"),
        text("a")
    );
    let finished = "data: {\"choices\":[{\"delta\":{\"content\":\"a\"},\"finish_reason\":\"stop\"}]}\n\n";
    let expected = Reply {
        finish: Some("stop".into()),
        ..text("a")
    };
    assert_eq!(reply(finished), expected);
    assert_eq!(reply(finished.trim_end()), expected, "no blank line at the end");
    assert_eq!(
        reply(&format!("{finished}data: {{\"choices\":[],\"usa")),
        expected,
        "cut after the finish"
    );
    assert_eq!(
        reply("data: {\"choices\":[{\"message\":{\"content\":\"a\"},\"finish_reason\":\"stop\"}]}\n\n"),
        expected
    );
    assert_eq!(
        reply(
            "data: {\"choices\":[{\"index\":1,\"delta\":{\"content\":\"b\"}},{\"index\":0,\"delta\":{\"content\":\"a\"}}]}\n\ndata:[DONE]\n\n"
        ),
        text("a")
    );
    assert_eq!(
        reply("data: {\"choices\":\ndata: [{\"delta\":{\"content\":\"a\"}}]}\n\ndata: [DONE]\n\n"),
        text("a")
    );
    assert_eq!(
        reply(
            "event: ping\ndata: {\"type\":\"ping\"}\n\ndata:\n\ndata: {\"choices\":[{\"delta\":{\"content\":\"a\"},\"finish_reason\":\"\"}],\"x_groq\":{\"usage\":{\"prompt_tokens\":1,\"completion_tokens\":2}}}\n\ndata: [DONE]\n\n"
        ),
        Reply {
            usage: Some(Usage::of(1, 2)),
            ..text("a")
        }
    );
    assert_eq!(
        reply("data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}],\"usage\":{\"prompt_tokens\":1}}\n\ndata: [DONE]\n\n").usage,
        None,
        "half a usage is none"
    );
}

#[test]
fn reasoning_is_separate() {
    let thought = |reply: Reply| (reply.reasoning, reply.text);
    let expected = (Some("hm".to_owned()), "a".to_owned());
    for delta in [
        r#"{"reasoning_content":"hm","content":"a"}"#,
        r#"{"reasoning":"hm","content":"a","reasoning_details":[{"type":"reasoning.text","text":"hm"}]}"#,
        r#"{"reasoning_details":[{"type":"reasoning.summary","summary":"hm"},{"type":"reasoning.encrypted","data":"x"}],"content":"a"}"#,
        r#"{"content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]},{"type":"text","text":"a"}]}"#,
        r#"{"reasoning":"","reasoning_content":"hm","content":[{"text":"a"},{"type":"image_url","image_url":{}},null,7]}"#,
    ] {
        let whole = format!("data: {{\"choices\":[{{\"delta\":{delta}}}]}}\n\ndata: [DONE]\n\n");
        assert_eq!(thought(reply(&whole)), expected, "{delta}");
    }
}

#[test]
fn null_content_is_no_text() {
    assert_eq!(
        reply(
            "data: {\"choices\":[{\"delta\":{\"content\":null,\"reasoning_content\":\"on and on\"}}]}\n\ndata: {\"choices\":[{\"delta\":{},\"finish_reason\":\"length\"}]}\n\ndata: [DONE]\n\n"
        ),
        Reply {
            reasoning: Some("on and on".into()),
            finish: Some("length".into()),
            ..text("")
        }
    );
}

#[test]
fn a_plain_json_body() {
    let body = r#" {"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"a","reasoning_content":"r"},"finish_reason":"length"}],"usage":{"prompt_tokens":3,"completion_tokens":4}} "#;
    let expected = Reply {
        reasoning: Some("r".into()),
        model: Some("m".into()),
        finish: Some("length".into()),
        usage: Some(Usage::of(3, 4)),
        ..text("a")
    };
    assert_eq!(reply(body), expected);
    assert_eq!(reply(&format!("\u{feff}{body}")), expected);
    assert_eq!(reply(r#"{"choices":[{"message":{"content":null}}]}"#), text(""));
}

#[test]
fn cuts_are_detected_at_every_position() {
    let stream = "data: {\"choices\":[{\"delta\":{\"content\":\"ab\"}}]}\n\n: x\n\n";
    for end in 5..=stream.len() {
        assert_eq!(failure(&stream[..end]).kind, FailureKind::Cut, "{end}");
    }
    for whole in ["", " \n", ": keep-alive\n\n", "{\"choices\":[{\"mess", "{"] {
        assert_eq!(failure(whole).kind, FailureKind::Cut, "{whole:?}");
    }
}

#[test]
fn other_formats_are_rejected() {
    for (body, part) in [
        ("<!doctype html><title>Sign in</title>", "web page"),
        ("\n<html>", "web page"),
        ("upstream connect error", "no chat answer"),
        ("{\"choices\":[{]}", "broken JSON"),
        ("data: {\"choices\":[{]}\n\n", "not JSON"),
        ("{\"choices\":[]}", "any choice"),
        ("{\"status\":\"ok\"}", "any choice"),
        ("[]", "any choice"),
        ("data: {\"choices\":[]}\n\ndata: [DONE]\n\n", "any choice"),
        ("data: [DONE]\n\n", "any choice"),
    ] {
        let failure = failure(body);
        assert_eq!(failure.kind, FailureKind::Format, "{body}");
        assert!(failure.message.contains(part), "{}", failure.message);
        assert!(failure.body.is_some(), "{body}");
    }
}

#[test]
fn errors_with_status_200() {
    for (body, kind) in [
        (
            "{\"error\":{\"message\":\"x\",\"code\":429}}",
            FailureKind::RateLimit,
        ),
        (
            "[{\"error\":{\"message\":\"x\",\"status\":\"RESOURCE_EXHAUSTED\"}}]",
            FailureKind::RateLimit,
        ),
        ("{\"error\":\"x\"}", FailureKind::Server),
        ("{\"detail\":\"x\"}", FailureKind::Server),
        (
            "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\ndata: {\"error\":{\"code\":502,\"message\":\"gone\"},\"choices\":[{\"finish_reason\":\"error\"}]}\n\n",
            FailureKind::Server,
        ),
        (
            "data: {\"choices\":[{\"error\":{\"code\":429,\"message\":\"gone\"}}]}\n\n",
            FailureKind::RateLimit,
        ),
        (
            "event: error\ndata: {\"object\":\"error\",\"type\":\"invalid_request_error\",\"message\":\"x\"}\n\n",
            FailureKind::Request,
        ),
    ] {
        let failure = failure(body);
        assert_eq!(failure.kind, kind, "{body}");
        assert!(failure.message.contains("It says:"), "{}", failure.message);
    }
    assert_eq!(
        reply("{\"error\":null,\"choices\":[{\"message\":{\"content\":\"a\"}}]}"),
        text("a")
    );
}

#[test]
fn refusals() {
    let refused = failure(
        "data: {\"choices\":[{\"delta\":{\"refusal\":\"I can't \"}}]}\n\ndata: {\"choices\":[{\"delta\":{\"refusal\":\"say.\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n",
    );
    assert_eq!(
        (refused.kind, refused.body.as_deref()),
        (FailureKind::Refused, Some("I can't say."))
    );
    let blocked =
        failure("{\"choices\":[{\"message\":{\"content\":\"half\"},\"finish_reason\":\"content_filter\"}]}");
    assert_eq!(
        (blocked.kind, blocked.body.as_deref()),
        (FailureKind::Refused, Some("half"))
    );
}

#[test]
fn failures_never_contain_the_key() {
    // A key without a known pattern, also at the length to which failures are cut.
    let key = "class of 2026";
    let far = "- ".repeat(245);
    for text in [
        format!("<html>{key}"),
        format!("{{\"error\":{{\"message\":\"key {key} is wrong\"}}}}"),
        format!("{{\"error\":{{\"message\":\"{far}{key}\"}}}}"),
        format!("data: {{\"error\":\"{key}\"}}\n\n"),
        format!("data: {far}{key}\n\n"),
        format!("{{\"error\":{{\"metadata\":{{\"raw\":\"{{\\\"message\\\":\\\"{key}\\\"}}\"}}}}}}"),
        format!("{{{far}{key}"),
        format!("{{\"a\":\"{key}\"}}"),
        format!("plain {key}"),
        format!("{{\"choices\":[{{\"message\":{{\"refusal\":\"{key}\"}},\"finish_reason\":\"stop\"}}]}}"),
    ] {
        let mut decoder = Decoder::new(&Endpoint::new(None, URL)).hiding(Some(key));
        decoder.push(text.as_bytes());
        assert!(!format!("{decoder:?}").contains("Key(Some"), "{text}");
        let failure = decoder.finish().unwrap_err();
        let output = format!("{} {:?}", failure.message, failure.body);
        assert!(!output.contains("class"), "{text}: {output}");
    }
}

#[test]
fn replies_never_contain_the_key() {
    let key = "class of 2026";
    let whole = format!(
        "{{\"model\":\"m {key}\",\"choices\":[{{\"message\":{{\"content\":\"a {key}\",\"reasoning_content\":\"r {key}\"}},\"finish_reason\":\"stop {key}\"}}]}}"
    );
    let streamed = format!("data: {}\n\ndata: [DONE]\n\n", whole.replace("message", "delta"));
    for body in [whole, streamed] {
        let mut decoder = Decoder::new(&Endpoint::new(None, URL)).hiding(Some(key));
        let pieces = decoder.push(body.as_bytes());
        assert!(pieces.iter().all(|piece| piece.0 == "a [removed]"), "{pieces:?}");
        let expected = Reply {
            model: Some("m [removed]".into()),
            finish: Some("stop [removed]".into()),
            reasoning: Some("r [removed]".into()),
            ..text("a [removed]")
        };
        assert_eq!(decoder.finish().unwrap(), expected);
    }
}

#[test]
fn endless_responses_are_stopped() {
    let mut decoder = Decoder::new(&Endpoint::new(None, URL));
    let chunk = vec![b':'; 1 << 20];
    let taken = (0..100)
        .take_while(|_| {
            decoder.push(&chunk);
            !decoder.is_done()
        })
        .count();
    assert_eq!(taken, 32);
    assert_eq!(decoder.finish().unwrap_err().kind, FailureKind::Format);
}

#[test]
fn a_line_of_a_megabyte() {
    let long = "é".repeat(1 << 19);
    let stream =
        format!("data: {{\"choices\":[{{\"delta\":{{\"content\":\"{long}\"}}}}]}}\n\ndata: [DONE]\n\n");
    let pieces: Vec<&[u8]> = stream.as_bytes().chunks(1021).collect();
    assert_eq!(decode(&pieces).1, Ok(text(&long)));
}

proptest! {
    #[test]
    fn any_bytes_are_decoded(bytes in proptest::collection::vec(any::<u8>(), 0..300), size in 1_usize..20) {
        let pieces: Vec<&[u8]> = bytes.chunks(size).collect();
        prop_assert_eq!(decode(&pieces), decode(&[&bytes]));
    }

    #[test]
    fn any_json_is_decoded(value in json(), size in 1_usize..20) {
        for text in [value.to_string(), format!("data: {value}\n\n"), format!("data: {{\"choices\":[{value}]}}\n\ndata: [DONE]\n\n")] {
            let pieces: Vec<&[u8]> = text.as_bytes().chunks(size).collect();
            prop_assert_eq!(decode(&pieces), decode(&[text.as_bytes()]));
        }
    }
}

/// JSON with known keys at arbitrary positions.
fn json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "[a-zé\"]{0,4}".prop_map(Value::from),
    ];
    let key = proptest::sample::select(vec![
        "choices",
        "delta",
        "message",
        "content",
        "error",
        "code",
        "usage",
        "finish_reason",
        "index",
        "type",
        "text",
        "thinking",
        "detail",
    ]);
    leaf.prop_recursive(5, 40, 4, move |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::vec((key.clone(), inner), 0..4).prop_map(|list| {
                Value::Object(
                    list.into_iter()
                        .map(|(key, value)| (key.to_owned(), value))
                        .collect(),
                )
            }),
        ]
    })
}
