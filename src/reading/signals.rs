//! Short signals in a debate: a proposal is ready, the debate may stop, the matter is settled.
//!
//! Source: A9 of the debate's design.

use super::fields::{Fields, text_of};
use super::figure::share;
use super::json::{Json, objects};
use super::judge::{field, same};
use super::text::{plain, tokens};
use super::vote::truth;
use super::words::Words;
use super::{How, Reading, Reason};
use crate::language::Language;
use crate::language::pattern::pattern;
use crate::thought;
use regex::Regex;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::LazyLock;

/// Whether a proposal is final.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ready {
    pub ready: bool,
    /// 0 to 1, if given.
    pub confidence: Option<f64>,
    /// In the author's words; may be empty.
    pub reasoning: String,
}

/// Whether words of each section stand in a text, in any language.
fn has_words<const SECTIONS: usize>(text: &str, sections: [&str; SECTIONS]) -> [bool; SECTIONS] {
    let plain = plain(text);
    let texts = Language::ALL.map(|language| {
        let words = Words::of(language);
        (words, tokens(&plain, words))
    });
    let of = |section| {
        texts
            .iter()
            .any(|(words, tokens)| words.section(section).is_in(tokens))
    };
    sections.map(of)
}

/// Reads the signal that a proposal is ready: `<!-- READY_SIGNAL: {json} -->`, a fenced block `ready_signal`,
/// `[READY: confidence=0.9, ready=true, reasoning="…"]`, else a phrase such as "this is my final position".
#[must_use]
pub fn ready(text: &str) -> Reading<Ready> {
    let text = thought::split(text).answer;
    if text.trim().is_empty() {
        return Reading::unread(Reason::EmptyResponse);
    }
    let lower = text.to_ascii_lowercase();
    let object = |at: usize| match objects(text.get(at..)?) {
        Json::Objects(mut objects, _) => Some(objects.remove(0)),
        _ => None,
    };
    if let Some(object) = lower.find("ready_signal").and_then(object)
        && let Some(Value::Bool(ready)) = object.get("ready")
    {
        return Reading::read(of_object(&object, *ready), How::Json);
    }
    if let Some(found) = lower
        .find("[ready:")
        .and_then(|at| in_brackets(text.get(at + 7..)?))
    {
        return Reading::read(found, How::Label);
    }
    if has_words(&text, ["ready", "ready.not"]) == [true, false] {
        let found = Ready {
            ready: true,
            confidence: None,
            reasoning: String::new(),
        };
        return Reading::read(found, How::Word);
    }
    Reading::unread(Reason::NoSignalFound)
}

fn of_object(object: &Map<String, Value>, ready: bool) -> Ready {
    Ready {
        ready,
        confidence: field(object, "confidence")
            .and_then(text_of)
            .and_then(|said| share(&said)),
        reasoning: field(object, "reason").and_then(text_of).unwrap_or_default(),
    }
}

/// `confidence=0.9, ready=true, reasoning="…"]`.
fn in_brackets(text: &str) -> Option<Ready> {
    static SETTING: LazyLock<Regex> =
        LazyLock::new(|| pattern(r#"(?i)(confidence|ready|reasoning)\s*=\s*(?:"([^"]*)"|([^\s,\]"]+))|\]"#));
    let settings = SETTING.captures_iter(text).take_while(|found| &found[0] != "]");
    let mut found = BTreeMap::new();
    for setting in settings {
        let value = setting
            .get(2)
            .or(setting.get(3))
            .map_or("", |value| value.as_str());
        found.insert(setting[1].to_lowercase(), value.trim());
    }
    Some(Ready {
        ready: truth(found.get("ready")?, Language::English)?,
        confidence: found.get("confidence").and_then(|said| share(said)),
        reasoning: found.get("reasoning").copied().unwrap_or_default().to_owned(),
    })
}

/// The text without signals that it is ready: comments, fenced blocks and brackets as [`ready`] reads them.
#[must_use]
pub fn without_ready(text: &str) -> String {
    let mut kept = text.to_owned();
    // What is left on both sides of a signal may make up another one.
    while let Some(signal) = first_signal(&kept) {
        kept.replace_range(signal, "");
    }
    kept.trim().to_owned()
}

fn first_signal(text: &str) -> Option<Range<usize>> {
    const BLOCKS: [(&str, &str); 3] = [
        ("<!-- ready_signal", "-->"),
        ("<!--ready_signal", "-->"),
        ("```ready_signal", "```"),
    ];
    let lower = text.to_ascii_lowercase();
    let block = |(open, close): (&str, &str)| {
        let at = lower.find(open)?;
        let after = at + open.len();
        let end = text.get(after..)?.find(close);
        Some(at..end.map_or(text.len(), |end| after + end + close.len()))
    };
    let bracket = lower.find("[ready:").and_then(|at| {
        let mut quoted = false;
        let mut signs = text.get(at..)?.char_indices();
        let end = signs.find(|(_, sign)| {
            quoted ^= *sign == '"';
            *sign == '\n' || (*sign == ']' && !quoted)
        });
        Some(at..end.map_or(text.len(), |(end, sign)| at + end + usize::from(sign == ']')))
    });
    BLOCKS
        .into_iter()
        .filter_map(block)
        .chain(bracket)
        .min_by_key(|signal| signal.start)
}

/// Reads the answer to "stop or continue?": true is stop. Both words, neither, or one with a denial are unread.
#[must_use]
pub fn poll(text: &str) -> Reading<bool> {
    let text = thought::split(text).answer;
    if !text.contains(char::is_alphanumeric) {
        return Reading::unread(Reason::EmptyResponse);
    }
    match has_words(&text, ["stop", "go_on", "not"]) {
        [true, false, false] => Reading::read(true, How::Word),
        [false, true, false] => Reading::read(false, How::Word),
        _ => Reading::unread(Reason::AgreementUnclear),
    }
}

/// Whether a judge holds the debate for settled.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Settled {
    pub conclusive: bool,
    /// 0 to 1, if given.
    pub confidence: Option<f64>,
    /// In the judge's words; may be empty.
    #[serde(default)]
    pub reason: String,
}

/// Reads a judge's answer to "is it settled?": a JSON object, or lines such as `CONCLUSIVE: yes`.
#[must_use]
pub fn settled(text: &str, language: Language) -> Reading<Settled> {
    let text = thought::split(text).answer;
    if text.trim().is_empty() {
        return Reading::unread(Reason::EmptyResponse);
    }
    let fields = match Fields::of(&text, &["conclusive", "confidence", "reason"]) {
        Err(Reason::AnswerBrokenOff) => return Reading::unread(Reason::AnswerBrokenOff),
        found => found.ok().flatten().unwrap_or_default(),
    };
    let values =
        |name: &str| -> Vec<String> { fields.values(name).into_iter().filter_map(text_of).collect() };
    let conclusive = same(
        values("conclusive")
            .iter()
            .map(|said| truth(said, language))
            .collect(),
    );
    match conclusive {
        Some(conclusive) => Reading::read(
            Settled {
                conclusive,
                confidence: same(values("confidence").iter().map(|said| share(said)).collect()),
                reason: fields.text("reason"),
            },
            fields.how(),
        ),
        None => Reading::unread(Reason::NoSignalFound),
    }
}
