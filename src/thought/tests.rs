use super::*;
use proptest::prelude::*;

const ANSWER: &str = "Bread should be free, since it costs little.";
const SECRET: &str = "SECRET I should pretend to agree.";

fn assert_split(text: &str) {
    let text = text.replace("{S}", SECRET).replace("{A}", ANSWER);
    let found = split(&text);
    assert_eq!(found.answer, ANSWER, "{text}");
    if text.contains(SECRET) {
        assert!(found.thought.contains(SECRET), "{text}: {found:?}");
    }
    // While it streams, a thought is never shown, unless only its end tells that it is one.
    let mut streamed = StreamedAnswer::default();
    let mut shown = String::new();
    for piece in text.chars().map(|c| c.to_string()) {
        if let Some(addition) = streamed.push(&piece) {
            if addition.starts_over {
                shown.clear();
            }
            shown.push_str(&addition.text);
        }
        assert!(
            found.begins_in_thought || !shown.contains("SECRET"),
            "{text}: {shown}"
        );
    }
    assert!(
        shown.trim().is_empty() || ANSWER.starts_with(shown.trim()) || shown.trim() == ANSWER,
        "{text}: {shown}"
    );
}

#[test]
fn thoughts_are_taken_out() {
    for name in [
        "think",
        "thinking",
        "thought",
        "reasoning",
        "reflection",
        "scratchpad",
        "analysis",
        "THINK",
        "Thinking",
        "seed:think",
        "mm:think",
        "longcat_think",
        "antthinking",
        "inner_monologue",
        "internal-reasoning",
        "thought process",
        "chain_of_thought",
        "reasoning_content",
    ] {
        assert_split(&format!("<{name}>{{S}}</{name}>{{A}}"));
        assert_split(&format!("\n<{name}>\n{{S}}\n\nMore.\n</{name}>\n\n{{A}}"));
        assert_split(&format!("{{S}}\n</{name}>\n\n{{A}}"));
        assert_split(&format!("{{A}}\n\n<{name}>{{S}}"));
    }
    for text in [
        "<think>{S}</think>{A}",
        "<think>{S} </thinking> {A}",
        "<think></think>\n\n{A}",
        "<think/>{A}",
        "< think >{S}< /think >{A}",
        "<think type=\"hidden\">{S}</think>{A}",
        "&lt;think&gt;{S}&lt;/think&gt;\n{A}",
        "＜think＞{S}＜/think＞{A}",
        "◁think▷{S}◁/think▷{A}",
        "[THINK]{S}[/THINK]{A}",
        "[thinking]{S}[/thinking]\n{A}",
        "[THINK]{S}\n[/THINK]\n\n{A}</s>",
        "<think>One.</think><think>{S}</think>{A}",
        "<think>Nested <think>{S}</think> more</think>{A}",
        "<think>It says `</think>` here. {S}</think>{A}",
        "<think>{S} I use ` once.</think>{A}",
        "<thinking>A <reflection>{S}</reflection> b</thinking>\n<output>{A}</output>",
        "<think>{S}</think><answer>{A}</answer>",
        "<|begin_of_thought|>{S}<|end_of_thought|><|begin_of_solution|>{A}<|end_of_solution|>",
        "<|START_THINKING|>{S}<|END_THINKING|><|START_RESPONSE|>{A}<|END_RESPONSE|>",
        "<|think|>{S}<|end|><|begin|>assistant<|content|>{A}<|end|>",
        "<|inner_prefix|>{S}<|inner_suffix|>{A}",
        "<unused94>thought\n{S}<unused95>{A}",
        "```thinking\n{S}\n```\n{A}",
        "<details type=\"reasoning\" done=\"true\"><summary>Thought for 3 seconds</summary>\n> {S}\n</details>\n{A}",
        "Thinking...\n{S}\n...done thinking.\n\n{A}",
        "Here is my thought process: {S}\nHere is my response: {A}",
        "{S}</think>{A}",
        "{S}\n</think>\n\n{A}",
        "{S} </think> {A}",
        "{S}\n[/THINK]\n{A}",
        "{S}◁/think▷{A}",
        "I think.</think> No, {S}</think>\n{A}",
        "{A}\n<think>{S}",
        "{A}<think>{S}</think>",
        "{A} <think>{S}</think>",
        "{A}\n</think>\n<|im_end|>".trim_end_matches("\n</think>\n<|im_end|>"),
    ] {
        assert_split(text);
    }
}

#[test]
fn channels_and_turns_are_taken_apart() {
    for text in [
        "<|channel|>analysis<|message|>{S}<|end|><|start|>assistant<|channel|>final<|message|>{A}",
        "<|channel|>analysis<|message|>{S}<|end|><|start|>assistant<|channel|>final<|message|>{A}<|return|>",
        "<|start|>assistant<|channel|>analysis<|message|>{S}<|end|><|start|>assistant<|channel|>commentary<|message|>Hm.<|end|><|start|>assistant<|channel|>final <|constrain|>json<|message|>{A}",
        "assistant<|channel|>final<|message|>{A}",
        "<|channel|>analysis {S}<|end|>{A}",
        "<|channel>thought\n{S}<channel|>{A}<turn|>",
        "analysisWe know: {S}assistantfinal{A}",
        "assistantanalysis{S}assistantfinal{A}",
        "{A}<|im_end|>",
        "{A}<|im_end|>\n<|im_start|>user\nWhat else?<|im_end|>",
        "<|im_start|>assistant\n{A}<|im_end|>",
        "<|im_start|>assistant\n<think>\n{S}\n</think>\n\n{A}<|im_end|>",
        "<think>{S}<|im_end|><|im_start|>assistant\n{A}",
        "{A}<|eot_id|>",
        "{A}<|eot_id|><|start_header_id|>user<|end_header_id|>\n\nGo on.",
        "<|start_header_id|>assistant<|end_header_id|>\n\n{A}<|eot_id|>",
        "<start_of_turn>model\n{A}<end_of_turn>",
        "{A}<end_of_turn>\n",
        "<s> {A}</s>",
        "[INST] Hello [/INST] {A}</s>",
        "{A}<｜end▁of▁sentence｜>",
        "<｜Assistant｜>{A}<｜end▁of▁sentence｜><｜User｜>And?",
        "[|assistant|]{A}[|endofturn|]",
        "{A}<|END_OF_TURN_TOKEN|>",
        "{A}<|endoftext|>Human: more",
        "{A}<eos>",
        "{A}<|im_en",
        "{A}</think>".trim_end_matches("</think>"),
        "assistant\n\n{A}",
        "Assistant:\n{A}",
        "assistant: {A}",
        "assistant\nassistant\n\n{A}",
        "model\n{A}",
    ] {
        assert_split(text);
    }
    assert_eq!(
        split("Free it is.assistant\n\nAnother one.").answer,
        "Free it is."
    );
    for text in [
        "assistant",
        "<think>SECRET, cut",
        "<|channel|>analysis<|message|>SECRET",
        "SECRET.\n</think>",
        "SECRET. </thin",
        "analysisSECRET",
    ] {
        assert_eq!(split(text).answer, "", "{text}");
    }
}

#[test]
fn texts_about_tags_keep_them() {
    for text in [
        "Models write <think> before they speak, and that is no secret.",
        "Models write <think> and </think> around it, don't they?",
        "Models write <think> before they speak, and `</think>` after it.",
        "Models end a thought with </think> and then speak.",
        "The tag </think>, by the way, ends it.",
        "The token <|im_end|> ends a turn.",
        "Write `<think>` first.\n\nThen the answer, and `</think>`.",
        "He wrote “<think>we should lie to them</think>” in his answer.",
        "She wrote \"<think>we should lie to them all</think>\" there.",
        "他们用 <think> 标签思考。",
        "Use this:\n```html\n<think>some words of it are here</think>\n```\nThat is all.",
        "Bread is <s>dear</s> free.",
        "[thinking] Well, I agree.",
        "<thinking about it> I agree.",
        "a < b and [3] <-> c, <3",
        "analysis of the data shows it",
        "Assistants should be paid.",
        "My assistant agrees.",
        "  Leading and trailing blanks stay  \n",
        "",
        r#"{"reason": "The tag <think> is old", "amount": 3}"#,
    ] {
        assert_eq!(
            split(text),
            Split {
                answer: text.to_owned(),
                ..Split::default()
            }
        );
    }
}

#[test]
fn values_of_json_are_split() {
    for (text, reason) in [
        (
            r#"{"reason":"<think>SECRET</think>Because","amount":3}"#,
            "Because",
        ),
        (r#"{"amount": 3, "reason": "SECRET.</think>Because"}"#, "Because"),
        (
            r#"<think>SECRET</think>{"reason":"<think>SECRET</think>Because","amount":3}"#,
            "Because",
        ),
    ] {
        let found = split(text);
        let value: Value = serde_json::from_str(&found.answer).unwrap();
        assert_eq!(value, serde_json::json!({ "reason": reason, "amount": 3 }));
        assert!(found.thought.contains("SECRET"));
    }
}

#[test]
fn a_stream_starts_over_after_an_end_tag_alone() {
    let mut streamed = StreamedAnswer::default();
    let add = |text: &str, starts_over| {
        Some(Addition {
            text: text.to_owned(),
            starts_over,
        })
    };
    assert_eq!(
        streamed.push("I should pretend."),
        add("I should pretend.", false)
    );
    assert_eq!(streamed.push("\n</th"), add("\n", false));
    assert_eq!(streamed.push("ink>\n\nBread"), add("Bread", true));
    assert_eq!(streamed.push(" is free"), add(" is free", false));
    assert!(streamed.begins_in_thought());
    let mut careful = StreamedAnswer::new(true);
    assert_eq!(careful.push("I should pretend."), None);
    assert_eq!(careful.push("</think>Bread"), add("Bread", false));
}

proptest! {
    #[test]
    fn any_text_is_split(parts in prop::collection::vec(prop_oneof![
        "\\PC{0,6}",
        prop::sample::select(vec!["<think>", "</think>", "<|im_end|>", "<|channel|>", "<|message|>", "final", "\n", "`", "\"", "<", "[THINK]",
            "<|start|>", "assistant", "<|end|>", "</s>", "{\"a\":\"", "\"}", "◁think▷", "<details type=\"reasoning\">", " a b c d ", "。"])
            .prop_map(str::to_owned),
    ], 0..16)) {
        let text = parts.concat();
        let found = split(&text);
        prop_assert!(found.answer.len() + found.thought.len() <= text.len() * 2 + 20);
        let mut streamed = StreamedAnswer::default();
        for part in &parts {
            streamed.push(part);
        }
    }
}
