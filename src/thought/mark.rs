//! Tags of thought and tokens of chat templates: how they are written and what each does.

use crate::language::pattern::pattern;
use regex::{Captures, Regex};
use std::sync::LazyLock;

/// Characters that marks begin with.
pub(super) const MARK_STARTS: [char; 7] = ['<', '[', '◁', '＜', '&', '\\', '`'];

/// Names of elements that hold thoughts.
const NAME: &str = r"(?:[a-z]{1,12}:)?(?:think|thinking|thoughts?|reasoning|reflection|scratchpad|analysis|monologue|cot|antthinking|[a-z]{1,12}_think|(?:inner|internal)[_\ -]?(?:monologue|thoughts?|thinking|reasoning|dialogue)|(?:thought|thinking|reasoning)[_\ -](?:process|content|trace)|chain[_\ -]of[_\ -]thought|cot_budget_reflect)";

/// Everything that can be a tag of thought or a token of a chat template.
pub(super) static MARK: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&format!(
        r"(?imx)
        (?: \\?< | &lt; | ＜ | ◁ ) \s? (?P<close>/?) \s? (?P<name>{NAME}) (?:\s+[A-Za-z0-9_-]+\s?=[^<>\n]{{0,80}}?)? \s? (?P<empty>/?) (?: \\?> | &gt; | ＞ | ▷ )
        | \[ (?P<close_square>/?) (?P<square> think | thinking | thoughts? | reasoning ) \]
        | ^ ``` (?P<fence> think | thinking | thoughts? | reasoning ) [\ \t]* \n
        | (?P<details> <details [^<>\n]* (?:reasoning|think|thought) [^<>\n]* > (?: \s* <summary> [^<]* </summary> )?
          | <details> \s* <summary> [^<\n]{{0,20}} (?:thought|think|reason) [^<]* </summary> )
        | (?: < [|｜] | \[ \| ) \s? (?P<token> /? [A-Za-z0-9_▁] [A-Za-z0-9_▁\ .:/-]{{0,39}}? ) \s? (?P<bar>[|｜]?) [>\]]
        | < (?P<ended> [a-z_]{{1,20}} ) [|｜] >
        | (?P<plain> </?s> | <(?:eos|bos|pad|unk|eot|eod|eop|sop)> | <(?:start|end)_of_(?:turn|text|utterance)> | <endoftext>
          | <seed:[be]os> | \[/?INST\] | \[gMASK\] | <</?SYS>> | <(?:unused|extra_id_|special_)\d+> | \[(?:EOS|BOS)\] )"
    ))
});

/// Marks as they begin, for a text that ends within one.
const SPELLINGS: [&str; 44] = [
    "<think>",
    "</think>",
    "<thinking>",
    "</thinking>",
    "<thought>",
    "</thought>",
    "<thoughts>",
    "</thoughts>",
    "<reasoning>",
    "</reasoning>",
    "<reflection>",
    "</reflection>",
    "<scratchpad>",
    "</scratchpad>",
    "<analysis>",
    "</analysis>",
    "<seed:think>",
    "</seed:think>",
    "◁think▷",
    "◁/think▷",
    "[think]",
    "[/think]",
    "<|im_end|>",
    "<|im_start|>",
    "<|endoftext|>",
    "<|eot_id|>",
    "<|end_of_text|>",
    "<|start_header_id|>",
    "<|channel|>",
    "<|message|>",
    "<|end|>",
    "<|start|>",
    "<|return|>",
    "<|assistant|>",
    "<|user|>",
    "<|start_thinking|>",
    "<|end_thinking|>",
    "<|begin_of_thought|>",
    "<|end_of_thought|>",
    "<end_of_turn>",
    "<start_of_turn>",
    "<｜end▁of▁sentence｜>",
    "<channel|>",
    "</s>",
];

/// What may become a mark when more text follows.
static FRAGMENT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?:[<＜◁\[\\][<\\/|｜]{0,2}\s?(?:[A-Za-z0-9_▁][A-Za-z0-9_▁ :./-]{0,28})?[|｜]?|<details[^<>]{0,80}|&(?:l(?:t(?:;/?[A-Za-z0-9_:]{0,24})?)?)?|\n?```[a-z]{0,9})$",
    )
});

/// What a mark does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Mark {
    Open(String),
    Close(String),
    /// The end of a turn or message.
    End,
    /// The beginning of a turn: its role follows.
    Role,
    /// The role is the model's own.
    Own,
    /// The role is somebody else's.
    Other,
    /// The name of a channel follows.
    Channel,
    /// The end of a role or channel name.
    Content,
    /// A token without a meaning here.
    Nothing,
}

/// Returns what a match of [`MARK`] does.
pub(super) fn mark_of(found: &Captures<'_>) -> Mark {
    let group = |name: &str| found.name(name).map(|group| group.as_str().to_lowercase());
    let last_part = |name: String| name.rsplit(':').next().unwrap_or_default().to_owned();
    if let Some(name) = group("name") {
        let is_empty = group("empty").is_some_and(|slash| !slash.is_empty());
        return match group("close").as_deref() {
            _ if is_empty => Mark::Nothing,
            Some("/") => Mark::Close(last_part(name)),
            _ => Mark::Open(last_part(name)),
        };
    }
    if let Some(name) = group("square") {
        let is_close = group("close_square").as_deref() == Some("/");
        return if is_close {
            Mark::Close(name)
        } else {
            Mark::Open(name)
        };
    }
    if group("fence").is_some() {
        return Mark::Open("```".to_owned());
    }
    if group("details").is_some() {
        return Mark::Open("details".to_owned());
    }
    if let Some(name) = group("ended") {
        return match name.as_str() {
            "turn" => Mark::End,
            "channel" => Mark::Close(name),
            _ => Mark::Nothing,
        };
    }
    if let Some(name) = group("plain") {
        return plain_mark(&name);
    }
    let name = group("token").unwrap_or_default();
    let is_whole = group("bar").is_some_and(|bar| !bar.is_empty());
    token_mark(&name.replace(['▁', ' ', '-'], "_"), is_whole)
}

fn plain_mark(name: &str) -> Mark {
    match name {
        "<unused94>" => Mark::Open("unused".to_owned()),
        "<unused95>" => Mark::Close("unused".to_owned()),
        "<start_of_turn>" => Mark::Role,
        "[inst]" | "<<sys>>" => Mark::Other,
        "[/inst]" => Mark::Own,
        "</s>" | "<eos>" | "<eot>" | "<eod>" | "<eop>" | "[eos]" | "<seed:eos>" | "<endoftext>" => Mark::End,
        _ if name.starts_with("<end_of_") => Mark::End,
        _ => Mark::Nothing,
    }
}

fn token_mark(name: &str, is_whole: bool) -> Mark {
    let name = name.strip_suffix("_token").unwrap_or(name);
    let is_thought = ["think", "thought", "reason", "inner_"]
        .iter()
        .any(|part| name.contains(part));
    if is_thought {
        let is_close = name.starts_with('/') || name.contains("end") || name.contains("suffix");
        // Solar ends this one by the end of the message.
        return if is_close {
            Mark::Close(TOKEN.to_owned())
        } else {
            Mark::Open(TOKEN.to_owned())
        };
    }
    match name {
        "channel" => Mark::Channel,
        "turn" if !is_whole => Mark::Role,
        "message" | "content" | "end_header_id" | "header_end" | "end_of_role" | "im_middle" | "im_sep" => {
            Mark::Content
        }
        "im_end" | "endoftext" | "eot_id" | "eot" | "eom_id" | "eom" | "end_of_text" | "end_of_turn"
        | "endofturn" | "end_of_sentence" | "end" | "return" | "call" | "end_of_message" => Mark::End,
        "im_start" | "start" | "begin" | "start_header_id" | "header_start" | "start_of_role"
        | "start_of_turn" => Mark::Role,
        "assistant" | "im_assistant" | "chatbot" | "bot" | "model" => Mark::Own,
        "user" | "im_user" | "human" | "system" | "im_system" | "observation" | "tool" | "developer" => {
            Mark::Other
        }
        _ => Mark::Nothing,
    }
}

/// Name of the thoughts between tokens.
pub(super) const TOKEN: &str = "|";

/// Completes a mark that the text ends within, or drops what may be one. While more text follows, it is dropped.
pub(super) fn complete(text: &str, is_open: bool) -> String {
    if is_open {
        let end = FRAGMENT.find(text).map_or(text.len(), |found| found.start());
        return text[..end].to_owned();
    }
    let Some(at) = text.rfind(['<', '[', '◁']) else {
        return text.to_owned();
    };
    let (before, fragment) = text.split_at(at);
    let lower = fragment.to_lowercase();
    let Some(spelling) = SPELLINGS
        .iter()
        .find(|whole| whole.starts_with(&lower) && whole.len() > lower.len())
    else {
        return text.to_owned();
    };
    match lower.chars().count() {
        4.. => format!("{before}{spelling}"),
        2.. if !lower.starts_with('[') => before.to_owned(),
        _ => text.to_owned(),
    }
}
