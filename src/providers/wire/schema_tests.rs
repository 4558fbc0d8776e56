//! Schemas in each provider's format, and the instructions that replace them.

use super::*;
use crate::core::ask::Message;

const SCHEMA: &str = r#"{"additionalProperties":false,"properties":{"reason":{"type":"string"},"amount":{"type":"integer"}},"required":["reason","amount"],"type":"object"}"#;

fn asked(provider: Provider, roles: &[Role]) -> Request {
    let turn = |role: &Role| Message {
        role: *role,
        content: "x".into(),
    };
    Request {
        system: "s".into(),
        messages: roles.iter().map(turn).collect(),
        stop: Vec::new(),
        max_tokens: 30,
        temperature: None,
        top_p: None,
        model: Some("m".into()),
        base_url: Some("https://h.example/v1".into()),
        provider: Some(provider),
        seed: None,
        reasoning_effort: None,
        schema: serde_json::from_str(SCHEMA).ok(),
    }
}

fn sent(request: &Request, language: Language, without: &[Parameter]) -> Sent {
    let adjust = Omitted {
        without: without.to_vec(),
    };
    prepare(request, language, &adjust).unwrap()
}

/// Returns the last turn of a body with the schema in it.
fn in_words(language: Language) -> String {
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    let text = format!("x\n\n{}", structured::in_words(&schema, language));
    Value::from(text).to_string()
}

/// Returns the last turn of a body with the instruction for a last line.
fn in_line(language: Language) -> String {
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    let text = format!("x\n\n{}", structured::in_line(&schema, language).unwrap());
    Value::from(text).to_string()
}

#[test]
fn whole_bodies() {
    const NATIVE: &str = r#""response_format":{"json_schema":{"name":"answer","schema":SCHEMA,"strict":true},"type":"json_schema"}"#;
    let messages = r#""messages":[{"content":"s","role":"system"},{"content":LAST,"role":"user"}]"#;
    let chat = |tokens: &str, format: &str| {
        let ends = r#""stream":true,"stream_options":{"include_usage":true}}"#;
        match tokens {
            "max_tokens" => format!(r#"{{"max_tokens":30,{messages},"model":"m",{format}{ends}"#),
            _ => format!(r#"{{"max_completion_tokens":30,{messages},"model":"m",{format}{ends}"#),
        }
    };
    let native = format!("{NATIVE},");
    let usual = chat("max_tokens", &native);
    let mistral = usual.replace(r#","stream_options":{"include_usage":true}"#, "");
    for (provider, body, shown) in [
        (Provider::OpenAi, chat("max_completion_tokens", &native), false),
        (Provider::OpenRouter, usual.clone(), false),
        (Provider::Mistral, mistral, false),
        (Provider::Groq, usual.clone(), false),
        (Provider::Xai, usual.clone(), false),
        (Provider::Together, usual.clone(), false),
        (Provider::Compatible, usual.clone(), false),
        (Provider::LmStudio, usual.clone(), true),
        (Provider::LlamaCpp, usual.clone(), true),
        (Provider::Vllm, usual, true),
        (
            Provider::DeepSeek,
            chat("max_tokens", r#""response_format":{"type":"json_object"},"#),
            true,
        ),
        (
            Provider::OpenAiResponses,
            r#"{"input":[{"content":[{"text":LAST,"type":"input_text"}],"role":"user"}],"instructions":"s","max_output_tokens":30,"model":"m","store":false,"stream":true,"text":{"format":{"name":"answer","schema":SCHEMA,"strict":true,"type":"json_schema"}}}"#.into(),
            false,
        ),
        (
            Provider::Anthropic,
            r#"{"max_tokens":30,"messages":[{"content":LAST,"role":"user"}],"model":"m","output_config":{"format":{"schema":SCHEMA,"type":"json_schema"}},"stream":true,"system":"s"}"#.into(),
            false,
        ),
        (
            Provider::Gemini,
            r#"{"contents":[{"parts":[{"text":LAST}],"role":"user"}],"generationConfig":{"maxOutputTokens":30,"responseJsonSchema":SCHEMA,"responseMimeType":"application/json"},"systemInstruction":{"parts":[{"text":"s"}]}}"#.into(),
            false,
        ),
        (
            Provider::Ollama,
            r#"{"format":SCHEMA,"messages":[{"content":"s","role":"system"},{"content":LAST,"role":"user"}],"model":"m","options":{"num_ctx":8192,"num_predict":30},"stream":true}"#.into(),
            true,
        ),
    ] {
        for language in Language::ALL {
            let last = if shown { in_words(language) } else { "\"x\"".to_owned() };
            let expected = body.replace("SCHEMA", SCHEMA).replace("LAST", &last);
            let got = sent(&asked(provider, &[Role::User]), language, &[]);
            assert_eq!(got.body, expected, "{}", provider.id());
            let (form, left_out): (_, &[Parameter]) = match provider {
                Provider::DeepSeek => (AnsweredAs::Text, &[Parameter::Schema]),
                _ => (AnsweredAs::Native, &[]),
            };
            assert_eq!((got.asked_as, got.left_out.as_slice()), (Some(form), left_out), "{}", provider.id());
            assert!(got.has.contains(&Parameter::Schema), "{}", provider.id());
        }
    }
}

#[test]
fn ranks_are_one_field_in_schemas_only() {
    let rank = || json!({ "type": "string", "enum": ["a", "b", "c"] });
    let schema = json!({
        "type": "object", "required": ["first", "second", "third"], "additionalProperties": false,
        "properties": { "first": rank(), "second": rank(), "third": rank() },
    });
    for (_, provider) in Provider::ALL {
        let mut request = asked(provider, &[Role::User]);
        request.schema = Some(schema.clone());
        let native = sent(&request, Language::English, &[]);
        let is_native = native.asked_as == Some(AnsweredAs::Native);
        assert_eq!(native.body.contains("b > a > c"), is_native, "{}", native.body);
        assert_eq!(native.body.contains("first"), !is_native, "{}", native.body);
        let refused = sent(&request, Language::English, &[Parameter::Schema]);
        assert!(
            refused.body.contains("ANSWER: first = <a | b | c>; second = "),
            "{}",
            refused.body
        );
    }
}

#[test]
fn a_rejected_schema_is_described_in_the_last_turn() {
    for (_, provider) in Provider::ALL {
        let got = sent(
            &asked(provider, &[Role::User]),
            Language::Spanish,
            &[Parameter::Schema],
        );
        assert_eq!(got.asked_as, Some(AnsweredAs::Text), "{}", provider.id());
        assert_eq!(got.left_out, [Parameter::Schema], "{}", provider.id());
        assert!(!got.has.contains(&Parameter::Schema));
        let words = in_line(Language::Spanish);
        assert!(got.body.contains(&words), "{}", got.body);
        for field in [
            "response_format",
            "output_config",
            "responseMimeType",
            "\"format\"",
        ] {
            assert!(!got.body.contains(field), "{}", got.body);
        }
    }
}

#[test]
fn instructions_are_in_a_user_turn() {
    let request = asked(Provider::Compatible, &[Role::User, Role::Assistant]);
    let body = sent(
        &request,
        Language::English,
        &[Parameter::Schema, Parameter::System],
    )
    .body;
    let words = in_line(Language::English).replace("\"x\\n\\n", "\"");
    let turns = r#"[{"content":"s\n\nx","role":"user"},{"content":"x","role":"assistant"},{"content":WORDS,"role":"user"}]"#;
    assert!(body.contains(&turns.replace("WORDS", &words)), "{body}");
}

#[test]
fn free_answers_have_no_instruction() {
    for (_, provider) in Provider::ALL {
        let plain = Request {
            schema: None,
            ..asked(provider, &[Role::User])
        };
        let got = sent(&plain, Language::Mandarin, &[Parameter::Schema]);
        assert_eq!(
            (got.asked_as, got.left_out),
            (None, Vec::new()),
            "{}",
            provider.id()
        );
        assert!(!got.body.contains("JSON"), "{}", got.body);
    }
}
