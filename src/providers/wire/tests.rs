use super::*;
use crate::core::ask::{Failure, FailureKind, Message, Reply, Usage};
use crate::core::text::Text;
use crate::providers::failure::Endpoint;
use crate::providers::reply::Decoder;
use crate::providers::token_limit::TokenLimit;
use proptest::prelude::*;

// --- requests ---

fn request(provider: Option<Provider>, base_url: &str) -> Request {
    let turn = |role, content: &str| Message {
        role,
        content: content.into(),
    };
    Request {
        system: "You are \"Alice\".".into(),
        messages: vec![
            turn(Role::User, "Choose.\n选择"),
            turn(Role::Assistant, "1"),
            turn(Role::User, "Sure?"),
        ],
        stop: vec![],
        max_tokens: 300,
        temperature: None,
        top_p: None,
        model: Some("m".into()),
        base_url: Some(base_url.into()),
        provider,
        seed: None,
        reasoning_effort: None,
        schema: None,
    }
}

/// Returns a request with all settings.
fn full(provider: Provider, model: &str) -> Request {
    Request {
        messages: vec![Message {
            role: Role::User,
            content: "x".into(),
        }],
        system: "s".into(),
        stop: vec!["\n\n".into(), "END".into()],
        temperature: Some(0.5),
        top_p: Some(0.9),
        model: Some(model.into()),
        seed: Some(7),
        reasoning_effort: Some(Effort::Low),
        ..request(Some(provider), provider.base_url())
    }
}

fn sent(request: &Request) -> Sent {
    prepare(request, Language::English, &Omitted::default()).unwrap()
}

fn sent_without(request: &Request, without: &[Parameter]) -> Sent {
    let adjust = Omitted {
        without: without.to_vec(),
    };
    prepare(request, Language::English, &adjust).unwrap()
}

#[test]
fn requests_without_a_stream_and_with_a_shorter_answer() {
    let limit = Parameter::Tokens(TokenLimit {
        most: 100,
        is_lasting: true,
    });
    for provider in Provider::ALL.map(|(_, provider)| provider) {
        let mut asked = full(provider, "m");
        asked.base_url = Some("https://h.example/v1".into());
        let usual = sent(&asked);
        assert!(usual.has.contains(&Parameter::Stream), "{provider:?}");
        let whole = sent_without(&asked, &[Parameter::Stream, limit]);
        assert!(!whole.has.contains(&Parameter::Stream), "{provider:?}");
        assert_eq!(whole.tokens, 100, "{provider:?}");
        let body: Value = serde_json::from_str(&whole.body).unwrap();
        assert!(body.get("stream_options").is_none(), "{provider:?}");
        if provider == Provider::Gemini {
            assert_eq!(whole.url, "https://h.example/v1/models/m:generateContent");
        } else {
            assert_eq!(
                (body["stream"].as_bool(), &whole.url),
                (Some(false), &usual.url),
                "{provider:?}"
            );
        }
        assert!(
            whole.body.contains(":100,") || whole.body.contains(":100}"),
            "{}",
            whole.body
        );
    }
}

#[test]
fn minimal_requests() {
    let chat = sent(&Request {
        model: None,
        ..request(None, "http://h.example/v1")
    });
    assert_eq!(chat.url, "http://h.example/v1/chat/completions");
    assert_eq!((chat.headers, chat.key), (&[][..], KeyHeader::Bearer));
    assert_eq!(
        chat.body,
        r#"{"max_tokens":300,"messages":[{"content":"You are \"Alice\".","role":"system"},{"content":"Choose.\n选择","role":"user"},{"content":"1","role":"assistant"},{"content":"Sure?","role":"user"}],"stream":true,"stream_options":{"include_usage":true}}"#
    );
    let responses = sent(&request(
        Some(Provider::OpenAiResponses),
        "https://api.openai.com/v1",
    ));
    assert_eq!(responses.url, "https://api.openai.com/v1/responses");
    assert_eq!((responses.headers, responses.key), (&[][..], KeyHeader::Bearer));
    assert_eq!(
        responses.body,
        r#"{"input":[{"content":[{"text":"Choose.\n选择","type":"input_text"}],"role":"user"},{"content":[{"text":"1","type":"output_text"}],"role":"assistant"},{"content":[{"text":"Sure?","type":"input_text"}],"role":"user"}],"instructions":"You are \"Alice\".","max_output_tokens":300,"model":"m","store":false,"stream":true}"#
    );
    let messages = sent(&request(None, "https://api.anthropic.com"));
    assert_eq!(messages.url, "https://api.anthropic.com/v1/messages");
    assert_eq!(messages.key, KeyHeader::Named("x-api-key"));
    assert_eq!(
        messages.headers,
        [
            ("anthropic-version", "2023-06-01"),
            ("anthropic-dangerous-direct-browser-access", "true")
        ]
    );
    assert_eq!(
        messages.body,
        r#"{"max_tokens":300,"messages":[{"content":"Choose.\n选择","role":"user"},{"content":"1","role":"assistant"},{"content":"Sure?","role":"user"}],"model":"m","stream":true,"system":"You are \"Alice\"."}"#
    );
    let generate = sent(&request(
        None,
        "https://generativelanguage.googleapis.com/v1beta/openai/",
    ));
    assert_eq!(
        generate.url,
        "https://generativelanguage.googleapis.com/v1beta/models/m:streamGenerateContent?alt=sse"
    );
    assert_eq!(
        (generate.headers, generate.key),
        (&[][..], KeyHeader::Named("x-goog-api-key"))
    );
    assert_eq!(
        generate.body,
        r#"{"contents":[{"parts":[{"text":"Choose.\n选择"}],"role":"user"},{"parts":[{"text":"1"}],"role":"model"},{"parts":[{"text":"Sure?"}],"role":"user"}],"generationConfig":{"maxOutputTokens":300},"systemInstruction":{"parts":[{"text":"You are \"Alice\"."}]}}"#
    );
    let ollama = sent(&request(None, "http://localhost:11434/v1"));
    assert_eq!(ollama.url, "http://localhost:11434/api/chat");
    assert_eq!((ollama.headers, ollama.key), (&[][..], KeyHeader::Bearer));
    assert_eq!(
        ollama.body,
        r#"{"messages":[{"content":"You are \"Alice\".","role":"system"},{"content":"Choose.\n选择","role":"user"},{"content":"1","role":"assistant"},{"content":"Sure?","role":"user"}],"model":"m","options":{"num_ctx":8192,"num_predict":300},"stream":true}"#
    );
}

#[test]
fn full_requests() {
    const TURN: &str = r#""messages":[{"content":"s","role":"system"},{"content":"x","role":"user"}]"#;
    let usual = format!(
        r#"{{"max_tokens":300,{TURN},"model":"m","reasoning_effort":"low","seed":7,"stop":["\n\n","END"],"stream":true,"stream_options":{{"include_usage":true}},"temperature":0.5,"top_p":0.9}}"#
    );
    let streamed = r#""stream_options":{"include_usage":true},"#;
    let effort = r#""reasoning_effort":"low","#;
    for (provider, expected, left_out) in [
        (Provider::Compatible, usual.clone(), &[][..]),
        (
            Provider::OpenAi,
            usual.replace("max_tokens", "max_completion_tokens"),
            &[],
        ),
        (
            Provider::Mistral,
            usual
                .replace(r#""seed":7,"#, "")
                .replace(effort, &format!("\"random_seed\":7,{effort}"))
                .replace(streamed, ""),
            &[],
        ),
        (Provider::Groq, usual.clone(), &[]),
        (
            Provider::OpenRouter,
            usual.replace(effort, r#""reasoning":{"effort":"low"},"#),
            &[],
        ),
        (
            Provider::DeepSeek,
            usual.replace(r#""seed":7,"#, "").replace(
                r#""top_p":0.9"#,
                r#""thinking":{"type":"enabled"},"top_p":0.9"#,
            ),
            &["seed"],
        ),
        (
            Provider::LlamaCpp,
            usual.replace(effort, "").replace(
                r#"{"max_tokens""#,
                r#"{"chat_template_kwargs":{"enable_thinking":true,"reasoning_effort":"low"},"max_tokens""#,
            ),
            &[],
        ),
        (
            Provider::OpenAiResponses,
            r#"{"input":[{"content":[{"text":"x","type":"input_text"}],"role":"user"}],"instructions":"s","max_output_tokens":300,"model":"m","reasoning":{"effort":"low"},"store":false,"stream":true,"temperature":0.5,"top_p":0.9}"#.into(),
            &["stop", "seed"],
        ),
        (
            Provider::Anthropic,
            r#"{"max_tokens":300,"messages":[{"content":"x","role":"user"}],"model":"m","output_config":{"effort":"low"},"stop_sequences":["\n\n","END"],"stream":true,"system":"s","temperature":0.5,"thinking":{"type":"adaptive"}}"#.into(),
            &["seed", "top_p"],
        ),
        (
            Provider::Gemini,
            r#"{"contents":[{"parts":[{"text":"x"}],"role":"user"}],"generationConfig":{"maxOutputTokens":300,"seed":7,"stopSequences":["\n\n","END"],"temperature":0.5,"thinkingConfig":{"includeThoughts":true,"thinkingLevel":"low"},"topP":0.9},"systemInstruction":{"parts":[{"text":"s"}]}}"#.into(),
            &[],
        ),
        (
            Provider::Ollama,
            format!(
                r#"{{{TURN},"model":"m","options":{{"num_ctx":8192,"num_predict":300,"seed":7,"stop":["\n\n","END"],"temperature":0.5,"top_p":0.9}},"stream":true,"think":true}}"#
            ),
            &[],
        ),
    ] {
        let sent = sent(&Request {
            base_url: Some("https://x.example".into()),
            ..full(provider, "m")
        });
        assert_eq!(sent.body, expected, "{}", provider.id());
        let names: Vec<&str> = sent.left_out.iter().map(|param| param.name()).collect();
        assert_eq!(names, left_out, "{}", provider.id());
    }
}

#[test]
fn schemas_are_placed_by_format() {
    let schema = json!({ "type": "object" });
    for (provider, part) in [
        (
            Provider::Groq,
            r#""response_format":{"json_schema":{"name":"answer","schema":{"type":"object"},"strict":true},"type":"json_schema"}"#,
        ),
        (
            Provider::OpenAiResponses,
            r#""text":{"format":{"name":"answer","schema":{"type":"object"},"strict":true,"type":"json_schema"}}"#,
        ),
        (
            Provider::Anthropic,
            r#""output_config":{"format":{"schema":{"type":"object"},"type":"json_schema"}}"#,
        ),
        (
            Provider::Gemini,
            r#""responseJsonSchema":{"type":"object"},"responseMimeType":"application/json""#,
        ),
        (Provider::Ollama, r#""format":{"type":"object"}"#),
    ] {
        let request = Request {
            schema: Some(schema.clone()),
            ..request(Some(provider), provider.base_url())
        };
        let body = sent(&request).body;
        assert!(body.contains(part), "{body}");
    }
}

#[test]
fn omitted_settings_are_recorded() {
    let all = [
        Parameter::Temperature,
        Parameter::TopP,
        Parameter::Stop,
        Parameter::Seed,
        Parameter::Effort,
        Parameter::Schema,
        Parameter::System,
        Parameter::StreamOptions,
        Parameter::TokenField,
        Parameter::Stream,
    ];
    for (_, provider) in Provider::ALL {
        let base_url = Some("https://x.example/v1".to_owned());
        let bare = sent_without(
            &Request {
                base_url: base_url.clone(),
                ..full(provider, "m")
            },
            &all,
        );
        assert_eq!(
            bare.left_out,
            [
                Parameter::Temperature,
                Parameter::TopP,
                Parameter::Stop,
                Parameter::Seed,
                Parameter::Effort,
                Parameter::System
            ],
            "{}",
            provider.id()
        );
        assert!(bare.has.is_empty(), "{:?}", bare.has);
        assert!(bare.body.contains(r#""s\n\nx""#), "{}", bare.body);
        let plain = sent_without(
            &Request {
                base_url,
                ..request(Some(provider), "")
            },
            &all,
        );
        assert_eq!(plain.left_out, [Parameter::System]);
    }
    let other = sent_without(
        &request(None, "https://api.openai.com/v1"),
        &[Parameter::TokenField],
    )
    .body;
    assert!(other.contains("\"max_tokens\":300"), "{other}");
    let other = sent_without(&request(None, "https://x.example"), &[Parameter::TokenField]).body;
    assert!(other.contains("\"max_completion_tokens\":300"), "{other}");
}

#[test]
fn odd_settings() {
    let anthropic = sent(&Request {
        temperature: Some(1.5),
        ..full(Provider::Anthropic, "m")
    });
    assert!(anthropic.body.contains("\"top_p\":0.9") && !anthropic.body.contains("temperature"));
    let tokens = |max_tokens, effort| {
        let known = full(Provider::Anthropic, "claude-haiku-4-5-20251001");
        sent(&Request {
            max_tokens,
            reasoning_effort: Some(effort),
            ..known
        })
    };
    let thinks = tokens(4_000, Effort::High);
    assert!(
        thinks
            .body
            .contains(r#""thinking":{"budget_tokens":3000,"type":"enabled"}"#),
        "{}",
        thinks.body
    );
    assert_eq!(
        thinks.left_out,
        [Parameter::Seed, Parameter::Temperature, Parameter::TopP]
    );
    assert!(!thinks.body.contains("effort"));
    let short = tokens(1_200, Effort::High);
    assert!(
        !short.body.contains("thinking") && short.body.contains("temperature"),
        "{}",
        short.body
    );
    assert!(short.left_out.contains(&Parameter::Effort));
    let newer = sent(&full(Provider::Anthropic, "claude-opus-4-8"));
    assert!(newer.body.contains(r#""thinking":{"type":"adaptive"}"#) && !newer.body.contains("temperature"));
    let azure = sent(&Request {
        base_url: Some("https://x.example/openai/v1".into()),
        ..full(Provider::Azure, "m")
    });
    assert_eq!(azure.key, KeyHeader::Named("api-key"));
    let deepseek = sent(&full(Provider::DeepSeek, "deepseek-reasoner"));
    assert_eq!(
        deepseek.left_out,
        [Parameter::Seed, Parameter::Temperature, Parameter::TopP]
    );
    let off = sent(&Request {
        reasoning_effort: Some(Effort::None),
        ..full(Provider::DeepSeek, "deepseek-v4")
    });
    assert!(off.body.contains(r#""thinking":{"type":"disabled"}"#) && off.body.contains("temperature"));
    assert!(!off.body.contains("reasoning_effort"));
    let old = sent(&full(Provider::Gemini, "models/gemini-2.5-pro"));
    assert!(
        old.url.contains("/v1beta/models/gemini-2.5-pro:stream"),
        "{}",
        old.url
    );
    assert!(old.body.contains(r#""thinkingBudget":1024"#));
    let odd = sent(&full(Provider::Gemini, "a b?x=1&é"));
    assert!(
        odd.url
            .ends_with("/models/a%20b%3Fx%3D1%26%C3%A9:streamGenerateContent?alt=sse"),
        "{}",
        odd.url
    );
    let levels = sent(&full(Provider::Ollama, "gpt-oss:20b"));
    assert!(levels.body.contains(r#""think":"low""#));
    let long = sent(&Request {
        system: "word ".repeat(20_000).into(),
        ..full(Provider::Ollama, "m")
    });
    assert!(long.body.contains(r#""num_ctx":32768"#));
    let nan = sent(&Request {
        temperature: Some(f64::NAN),
        system: Text::default(),
        ..request(None, "https://x.example")
    });
    assert!(!nan.body.contains("temperature") && !nan.body.contains("system") && nan.left_out.is_empty());
    let room = sent(&Request {
        max_tokens: 1_200,
        ..request(None, "https://x.example")
    });
    assert!(room.body.contains("\"max_tokens\":1200"));
    assert_eq!(
        prepare(&request(None, "x"), Language::English, &Omitted::default()),
        Err(AddressError::Scheme)
    );
}

// --- responses ---

type Outcome = (String, Result<Reply, Failure>);

fn decode(provider: Provider, pieces: &[&[u8]]) -> Outcome {
    let mut decoder = Decoder::new(&Endpoint::new(Some(provider), "http://localhost:9999"));
    let shown = pieces
        .iter()
        .flat_map(|piece| decoder.push(piece))
        .map(|piece| piece.0)
        .collect();
    (shown, decoder.finish())
}

/// Returns the outcome after checking that it is the same for every split in two and byte by byte.
fn outcome(provider: Provider, text: &str) -> Outcome {
    let bytes = text.as_bytes();
    let whole = decode(provider, &[bytes]);
    for at in 0..=bytes.len() {
        let (head, tail) = bytes.split_at(at);
        assert_eq!(decode(provider, &[head, &[], tail]), whole, "split at {at}");
    }
    let singles: Vec<&[u8]> = bytes.chunks(1).collect();
    assert_eq!(decode(provider, &singles), whole, "byte by byte");
    whole
}

fn reply(provider: Provider, text: &str) -> Reply {
    let (shown, result) = outcome(provider, text);
    let reply = result.unwrap();
    assert!(reply.text.starts_with(&shown), "{shown}");
    reply
}

fn failure(provider: Provider, text: &str) -> Failure {
    outcome(provider, text).1.unwrap_err()
}

/// `Ich wähle 选 😀` after a reasoning text, in every format: as a stream and as a whole body.
const STREAMS: [(Provider, &str, &str); 4] = [
    (
        Provider::OpenAiResponses,
        concat!(
            "event: response.created\ndata: {\"type\":\"response.created\",\"sequence_number\":0,\"response\":{\"id\":\"r1\",\"status\":\"in_progress\",\"error\":null,\"output\":[]}}\n\n",
            "event: response.output_item.added\ndata: {\"type\":\"response.output_item.added\",\"output_index\":0,\"item\":{\"type\":\"reasoning\",\"summary\":[]}}\n\n",
            "event: response.reasoning_summary_text.delta\ndata: {\"type\":\"response.reasoning_summary_text.delta\",\"delta\":\"hm\"}\n\n",
            "event: response.output_text.delta\ndata: {\"type\":\"response.output_text.delta\",\"delta\":\"Ich wähle \"}\n\n",
            "event: response.output_text.delta\ndata: {\"type\":\"response.output_text.delta\",\"delta\":\"选 \u{1f600}\"}\n\n",
            "event: response.output_text.done\ndata: {\"type\":\"response.output_text.done\",\"text\":\"Ich wähle 选 \u{1f600}\"}\n\n",
            "event: response.something_new\ndata: {\"type\":\"response.something_new\",\"delta\":\"no\"}\n\n",
            "event: response.completed\ndata: {\"type\":\"response.completed\",\"response\":{\"id\":\"r1\",\"status\":\"completed\",\"model\":\"m-1\",\"error\":null,\"incomplete_details\":null,\"output\":[{\"type\":\"reasoning\",\"summary\":[{\"type\":\"summary_text\",\"text\":\"hm\"}]},{\"type\":\"message\",\"content\":[{\"type\":\"output_text\",\"text\":\"Ich wähle 选 \u{1f600}\"}]}],\"usage\":{\"input_tokens\":12,\"output_tokens\":5,\"total_tokens\":17}}}\n\n",
        ),
        r#"{"id":"r1","object":"response","status":"completed","error":null,"model":"m-1","output":[{"type":"reasoning","summary":[{"type":"summary_text","text":"hm"}]},{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Ich wähle 选 😀","annotations":[]}]}],"usage":{"input_tokens":12,"output_tokens":5}}"#,
    ),
    (
        Provider::Anthropic,
        concat!(
            "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"id\":\"a1\",\"type\":\"message\",\"role\":\"assistant\",\"model\":\"m-1\",\"content\":[],\"stop_reason\":null,\"usage\":{\"input_tokens\":2,\"cache_read_input_tokens\":10,\"cache_creation_input_tokens\":0,\"output_tokens\":1}}}\n\n",
            "event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"thinking\",\"thinking\":\"\"}}\n\n",
            "event: ping\ndata: {\"type\":\"ping\"}\n\n",
            "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"thinking_delta\",\"thinking\":\"hm\"}}\n\n",
            "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"signature_delta\",\"signature\":\"xyz\"}}\n\n",
            "event: content_block_stop\ndata: {\"type\":\"content_block_stop\",\"index\":0}\n\n",
            "event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":1,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\n",
            "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":1,\"delta\":{\"type\":\"text_delta\",\"text\":\"Ich wähle \"}}\n\n",
            "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":1,\"delta\":{\"type\":\"text_delta\",\"text\":\"选 \u{1f600}\"}}\n\n",
            "event: content_block_stop\ndata: {\"type\":\"content_block_stop\",\"index\":1}\n\n",
            "event: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\",\"stop_sequence\":null},\"usage\":{\"output_tokens\":5}}\n\n",
            "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n",
        ),
        r#"{"id":"a1","type":"message","role":"assistant","model":"m-1","content":[{"type":"thinking","thinking":"hm","signature":"xyz"},{"type":"text","text":"Ich wähle 选 😀"}],"stop_reason":"end_turn","usage":{"input_tokens":2,"cache_read_input_tokens":10,"output_tokens":5}}"#,
    ),
    (
        Provider::Gemini,
        concat!(
            "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"hm\",\"thought\":true}],\"role\":\"model\"},\"index\":0}],\"usageMetadata\":{\"promptTokenCount\":12},\"modelVersion\":\"m-1\"}\r\n\r\n",
            "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"Ich wähle \"}],\"role\":\"model\"}}],\"usageMetadata\":{\"promptTokenCount\":12,\"thoughtsTokenCount\":2,\"candidatesTokenCount\":1},\"modelVersion\":\"m-1\"}\r\n\r\n",
            "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"选 \"},{\"text\":\"\u{1f600}\"}],\"role\":\"model\"},\"finishReason\":\"STOP\"}],\"usageMetadata\":{\"promptTokenCount\":12,\"thoughtsTokenCount\":2,\"candidatesTokenCount\":3},\"modelVersion\":\"m-1\"}\r\n\r\n",
        ),
        r#"[{"candidates":[{"content":{"parts":[{"text":"hm","thought":true},{"text":"Ich wähle 选 😀"}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":12,"candidatesTokenCount":3,"thoughtsTokenCount":2},"modelVersion":"m-1"}]"#,
    ),
    (
        Provider::Ollama,
        concat!(
            "{\"model\":\"m-1\",\"message\":{\"role\":\"assistant\",\"content\":\"\",\"thinking\":\"hm\"},\"done\":false}\n",
            "{\"model\":\"m-1\",\"message\":{\"role\":\"assistant\",\"content\":\"Ich wähle \"},\"done\":false}\n",
            "{\"model\":\"m-1\",\"message\":{\"role\":\"assistant\",\"content\":\"选 \u{1f600}\"},\"done\":false}\n",
            "{\"model\":\"m-1\",\"message\":{\"role\":\"assistant\",\"content\":\"\"},\"done\":true,\"done_reason\":\"stop\",\"prompt_eval_count\":12,\"eval_count\":5}\n",
        ),
        "{\n \"model\":\"m-1\",\n \"message\":{\"content\":\"Ich wähle 选 \u{1f600}\",\"thinking\":\"hm\"},\n \"done\":true,\"done_reason\":\"stop\",\"prompt_eval_count\":12,\"eval_count\":5\n}\n",
    ),
];

fn expected(provider: Provider) -> Reply {
    let finish = match provider {
        Provider::OpenAiResponses => "completed",
        Provider::Anthropic => "end_turn",
        Provider::Gemini => "STOP",
        _ => "stop",
    };
    Reply {
        text: "Ich wähle 选 \u{1f600}".into(),
        reasoning: Some("hm".into()),
        model: Some("m-1".into()),
        finish: Some(finish.into()),
        usage: Some(match provider {
            Provider::Anthropic => Usage {
                cached: Some(10),
                ..Usage::of(12, 5)
            },
            Provider::Gemini => Usage {
                reasoning: Some(2),
                ..Usage::of(12, 5)
            },
            _ => Usage::of(12, 5),
        }),
        ..Reply::default()
    }
}

#[test]
fn usage_is_read_in_every_format() {
    let whole = Usage {
        reasoning: Some(7),
        cached: Some(9),
        ..Usage::of(12, 11)
    };
    let chat =
        r#""prompt_tokens":12,"completion_tokens":11,"completion_tokens_details":{"reasoning_tokens":7}"#;
    let cost = Usage {
        cost: Some(0.000_123),
        ..whole
    };
    for (provider, usage, expected) in [
        (
            Provider::OpenAi,
            format!(r#"{{{chat},"prompt_tokens_details":{{"cached_tokens":9}}}}"#),
            whole,
        ),
        (
            Provider::DeepSeek,
            format!(r#"{{{chat},"prompt_cache_hit_tokens":9,"prompt_cache_miss_tokens":3}}"#),
            whole,
        ),
        (
            Provider::OpenRouter,
            format!(r#"{{{chat},"prompt_tokens_details":{{"cached_tokens":9}},"cost":0.000123}}"#),
            cost,
        ),
        (
            Provider::OpenRouter,
            r#"{"prompt_tokens":12,"completion_tokens":11,"cost":-1}"#.to_owned(),
            Usage::of(12, 11),
        ),
    ] {
        let body = format!(
            r#"{{"choices":[{{"message":{{"content":"a"}},"finish_reason":"stop"}}],"usage":{usage}}}"#
        );
        assert_eq!(reply(provider, &body).usage, Some(expected), "{usage}");
    }
    let responses = r#"{"status":"completed","output":[{"type":"message","content":[{"type":"output_text","text":"a"}]}],"usage":{"input_tokens":12,"output_tokens":11,"output_tokens_details":{"reasoning_tokens":7},"input_tokens_details":{"cached_tokens":9}}}"#;
    assert_eq!(reply(Provider::OpenAiResponses, responses).usage, Some(whole));
    let gemini = r#"{"candidates":[{"content":{"parts":[{"text":"a"}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":12,"candidatesTokenCount":4,"thoughtsTokenCount":7,"cachedContentTokenCount":9}}"#;
    assert_eq!(reply(Provider::Gemini, gemini).usage, Some(whole));
}

#[test]
fn failures_have_usage() {
    let (_, anthropic, _) = STREAMS[1];
    let cut = &anthropic[..anthropic.find("event: message_delta").unwrap()];
    let failure = failure(Provider::Anthropic, cut);
    let usage = Usage {
        cached: Some(10),
        ..Usage::of(12, 1)
    };
    assert_eq!((failure.kind, failure.usage), (FailureKind::Cut, Some(usage)));
    let refused = r#"{"type":"message","content":[],"stop_reason":"refusal","usage":{"input_tokens":3,"output_tokens":2}}"#;
    let failure = self::failure(Provider::Anthropic, refused);
    assert_eq!(
        (failure.kind, failure.usage),
        (FailureKind::Refused, Some(Usage::of(3, 2)))
    );
    let failure = self::failure(
        Provider::OpenAi,
        "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n",
    );
    assert_eq!((failure.kind, failure.usage), (FailureKind::Cut, None));
}

#[test]
fn streams_and_whole_answers_of_every_format() {
    for (provider, stream, whole) in STREAMS {
        assert_eq!(reply(provider, stream), expected(provider), "{}", provider.id());
        assert_eq!(
            reply(provider, &format!("\u{feff}{stream}")),
            expected(provider),
            "a mark first"
        );
        assert_eq!(
            reply(provider, stream.trim_end()),
            expected(provider),
            "{}",
            provider.id()
        );
        assert_eq!(reply(provider, whole), expected(provider), "{}", provider.id());
        assert_eq!(reply(provider, &format!(" \n{whole}")), expected(provider));
    }
}

#[test]
fn cuts_are_detected_at_every_position() {
    for (provider, stream, whole) in STREAMS {
        // After the end of the text, the answer is complete in some formats and cut in others.
        let end = stream.find('\u{1f600}').unwrap();
        for at in (0..end).filter(|at| stream.is_char_boundary(*at)) {
            let (_, result) = decode(provider, &[&stream.as_bytes()[..at]]);
            // The first letters of a line are no event.
            let kind = result.unwrap_err().kind;
            let early = at < 6 && kind == FailureKind::Format;
            assert!(
                kind == FailureKind::Cut || early,
                "{} {at} {kind:?}",
                provider.id()
            );
        }
        for at in (1..whole.trim_end().len()).filter(|at| whole.is_char_boundary(*at)) {
            let (_, result) = decode(provider, &[&whole.as_bytes()[..at]]);
            assert_eq!(
                result.unwrap_err().kind,
                FailureKind::Cut,
                "{} {at}",
                provider.id()
            );
        }
    }
    // Only counts follow the stop reason.
    let (_, anthropic, _) = STREAMS[1];
    let stop = anthropic.find("event: message_stop").unwrap();
    assert_eq!(
        reply(Provider::Anthropic, &anthropic[..stop]),
        expected(Provider::Anthropic)
    );
}

#[test]
fn errors_within_an_answer() {
    let begun = |provider: Provider, cut: &str| {
        let (_, stream, _) = STREAMS.iter().find(|(other, _, _)| *other == provider).unwrap();
        stream[..stream.find(cut).unwrap()].to_owned()
    };
    for (provider, body, kind, words) in [
        (
            Provider::OpenAiResponses,
            begun(Provider::OpenAiResponses, "event: response.output_text.done")
                + "event: error\ndata: {\"type\":\"error\",\"code\":\"rate_limit_exceeded\",\"message\":\"slow down\",\"param\":null}\n\n",
            FailureKind::RateLimit,
            "slow down",
        ),
        (
            Provider::OpenAiResponses,
            "data: {\"type\":\"response.failed\",\"response\":{\"status\":\"failed\",\"instructions\":\"You are Ana.\",\"error\":{\"code\":\"server_error\",\"message\":\"gone\"}}}\n\n".into(),
            FailureKind::Server,
            "gone",
        ),
        (
            Provider::Anthropic,
            begun(Provider::Anthropic, "event: message_delta")
                + "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}\n\n",
            FailureKind::Server,
            "Overloaded",
        ),
        (
            Provider::Gemini,
            "data: {\"error\":{\"code\":429,\"message\":\"later\",\"status\":\"RESOURCE_EXHAUSTED\",\"details\":[{\"retryDelay\":\"3s\"}]}}\n\n".into(),
            FailureKind::RateLimit,
            "later",
        ),
        (
            Provider::Ollama,
            begun(Provider::Ollama, "{\"model\":\"m-1\",\"message\":{\"role\":\"assistant\",\"content\":\"选")
                + "{\"error\":\"the runner has gone\"}\n",
            FailureKind::Server,
            "the runner has gone",
        ),
        (
            Provider::Ollama,
            "{\"model\":\"m-1\",\"message\":{\"content\":\"a\"}}\noops\n".into(),
            FailureKind::Format,
            "not JSON",
        ),
        (
            Provider::OpenRouter,
            "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\ndata: {\"choices\":[{\"delta\":{},\"finish_reason\":\"error\"}]}\n\ndata: [DONE]\n\n".into(),
            FailureKind::Server,
            "while answering",
        ),
    ] {
        let failure = failure(provider, &body);
        assert_eq!(failure.kind, kind, "{body}");
        assert!(failure.message.contains(words), "{}", failure.message);
        assert!(!format!("{failure:?}").contains("You are Ana"), "{failure:?}");
    }
}

#[test]
fn refusals_of_every_format() {
    for (provider, body, why) in [
        (
            Provider::OpenAiResponses,
            "data: {\"type\":\"response.refusal.delta\",\"delta\":\"I can't.\"}\n\ndata: {\"type\":\"response.completed\",\"response\":{\"status\":\"completed\",\"output\":[{\"type\":\"message\",\"content\":[{\"type\":\"refusal\",\"refusal\":\"I can't.\"}]}]}}\n\n",
            Some("I can't."),
        ),
        (
            Provider::OpenAiResponses,
            r#"{"status":"incomplete","incomplete_details":{"reason":"content_filter"},"output":[]}"#,
            None,
        ),
        (
            Provider::Anthropic,
            r#"{"type":"message","content":[{"type":"text","text":"half"}],"stop_reason":"refusal"}"#,
            Some("half"),
        ),
        (
            Provider::Gemini,
            "data: {\"promptFeedback\":{\"blockReason\":\"SAFETY\"}}\n\n",
            None,
        ),
        (
            Provider::Gemini,
            "data: {\"candidates\":[{\"finishReason\":\"RECITATION\"}]}\n\n",
            None,
        ),
    ] {
        let failure = failure(provider, body);
        assert_eq!(
            (failure.kind, failure.body.as_deref()),
            (FailureKind::Refused, why),
            "{body}"
        );
    }
}

#[test]
fn answers_used_up_by_reasoning() {
    for (provider, body, finish) in [
        (
            Provider::OpenAiResponses,
            r#"{"status":"incomplete","incomplete_details":{"reason":"max_output_tokens"},"output":[]}"#,
            "max_output_tokens",
        ),
        (
            Provider::Anthropic,
            r#"{"type":"message","content":[],"stop_reason":"max_tokens"}"#,
            "max_tokens",
        ),
        (
            Provider::Gemini,
            r#"{"candidates":[{"content":{},"finishReason":"MAX_TOKENS"}]}"#,
            "MAX_TOKENS",
        ),
        (
            Provider::Ollama,
            r#"{"message":{"content":""},"done":true,"done_reason":"length"}"#,
            "length",
        ),
    ] {
        let reply = reply(provider, body);
        assert_eq!((reply.text.as_str(), reply.finish.as_deref()), ("", Some(finish)));
    }
}

#[test]
fn other_formats_are_rejected() {
    for (_, provider) in Provider::ALL {
        for body in [
            "<!doctype html>",
            "upstream connect error",
            "{\"status\":]",
            "data: {]\n\n",
        ] {
            let failure = failure(provider, body);
            assert_eq!(failure.kind, FailureKind::Format, "{} {body}", provider.id());
        }
        for body in ["{}", "[]"] {
            let kind = failure(provider, body).kind;
            assert!(
                matches!(kind, FailureKind::Format | FailureKind::Cut),
                "{} {body}",
                provider.id()
            );
        }
        for body in ["", "\n\n"] {
            assert_eq!(
                failure(provider, body).kind,
                FailureKind::Cut,
                "{} {body}",
                provider.id()
            );
        }
    }
}

#[test]
fn reasoning_tokens_counted_separately() {
    let usage = |usage: &str| {
        let body = format!(r#"{{"choices":[{{"message":{{"content":"a"}}}}],"usage":{usage}}}"#);
        reply(Provider::Xai, &body).usage.unwrap().output
    };
    let details = r#""completion_tokens_details":{"reasoning_tokens":7}"#;
    assert_eq!(
        usage(&format!(
            r#"{{"prompt_tokens":3,"completion_tokens":4,"total_tokens":14,{details}}}"#
        )),
        11
    );
    assert_eq!(
        usage(&format!(
            r#"{{"prompt_tokens":3,"completion_tokens":9,"total_tokens":12,{details}}}"#
        )),
        9
    );
}

proptest! {
    #[test]
    fn any_bytes_are_decoded(bytes in proptest::collection::vec(any::<u8>(), 0..200), size in 1_usize..20) {
        for (provider, _, _) in STREAMS {
            let pieces: Vec<&[u8]> = bytes.chunks(size).collect();
            prop_assert_eq!(decode(provider, &pieces), decode(provider, &[&bytes]));
        }
    }

    #[test]
    fn corrupted_streams_are_decoded(at in 0_usize..2000, byte in any::<u8>(), size in 1_usize..60) {
        for (provider, stream, whole) in STREAMS {
            for text in [stream, whole] {
                let mut bytes = text.as_bytes().to_vec();
                let at = at % bytes.len();
                bytes[at] = byte;
                let pieces: Vec<&[u8]> = bytes.chunks(size).collect();
                prop_assert_eq!(decode(provider, &pieces), decode(provider, &[&bytes]));
            }
        }
    }

    #[test]
    fn any_request_is_encoded(system in ".{0,9}", text in ".{0,9}", model in ".{0,9}", base in ".{0,9}", tokens in any::<u32>()) {
        for (_, provider) in Provider::ALL {
            let request = Request {
                system: system.clone().into(),
                messages: vec![Message { role: Role::Assistant, content: text.clone().into() }],
                model: Some(model.clone()),
                max_tokens: tokens,
                ..request(Some(provider), &format!("https://h.example/{base}"))
            };
            if let Ok(sent) = prepare(&request, Language::English, &Omitted::default()) {
                prop_assert!(serde_json::from_str::<Value>(&sent.body).is_ok());
                prop_assert!(sent.url.starts_with("https://h.example/"));
            }
        }
    }
}
