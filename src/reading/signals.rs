//! Short signs in a debate: that a proposal is ready, that the debate may stop, that it is settled.
//! What follows from them is not decided here.
//!
//! Source: A9 of the debate's design.

use super::json::objects;
use super::labelled::{Line, Once, field, key, listed, plain_text, share, truth, unquoted};
use super::normalize::without_thought;
use super::token::entries;
use super::vote::{CONFIDENCE, REASONING};
use super::{How, Reading, Reason};
use crate::language::Language;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::ops::Range;

/// That a proposal is final, or not yet.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ready {
    /// Whether it is.
    pub ready: bool,
    /// 0 to 1, if it was said.
    pub confidence: Option<f64>,
    /// In the author's words; may be empty.
    pub reasoning: String,
}

/// Phrases that say so without figures.
const FINAL: &str = "\
    final position|fully refined|no further changes needed|no further changes required|\
    no further changes necessary|no further refinement needed|no further refinement required|\
    no further refinement necessary|no further revision needed|no further revision required|\
    no further revision necessary|ready to conclude|position is complete|posicion final|\
    no hacen falta mas cambios|no se necesitan mas cambios|listo para concluir|lista para concluir|\
    最终立场|最终方案|无需进一步修改|不需要进一步修改|无需再修改|可以结束";

/// Reads the sign that a proposal is ready: `<!-- READY_SIGNAL: {json} -->`, a fenced block
/// `ready_signal`, `[READY: confidence=0.9, ready=true, reasoning="…"]`, else a phrase such as "this is
/// my final position" (ready, without a confidence). Unread where there is none.
#[must_use]
pub fn ready(text: &str) -> Reading<Ready> {
    let text = without_thought(text);
    if text.trim().is_empty() {
        return Reading::unread(Reason::EmptyResponse);
    }
    let lower = text.to_ascii_lowercase();
    if let Some(at) = lower.find("ready_signal")
        && let Some(object) = text.get(at..).and_then(|from| objects(from).into_iter().next())
        && let Some(Value::Bool(ready)) = field(&object, "ready")
    {
        let found = Ready {
            ready: *ready,
            confidence: field(&object, CONFIDENCE)
                .and_then(plain_text)
                .and_then(|said| share(&said)),
            reasoning: field(&object, REASONING).and_then(plain_text).unwrap_or_default(),
        };
        return Reading::read(found, How::Json);
    }
    if let Some(found) = lower
        .find("[ready:")
        .and_then(|at| in_brackets(text.get(at + 7..)?))
    {
        return Reading::read(found, How::Label);
    }
    let plain = format!(" {} ", key(&text));
    let says = |phrase: &str| {
        let whole = format!(" {phrase} ");
        plain.contains(&whole) || (!phrase.is_ascii() && plain.contains(phrase))
    };
    let denied =
        plain.contains(" not my final ") || plain.contains(" not ready ") || plain.contains(" not fully ");
    if entries(FINAL).any(says) && !denied {
        let found = Ready {
            ready: true,
            confidence: None,
            reasoning: String::new(),
        };
        return Reading::read(found, How::Keyword);
    }
    Reading::unread(Reason::NoSignalFound)
}

/// `confidence=0.9, ready=true, reasoning="…"]`.
fn in_brackets(text: &str) -> Option<Ready> {
    let lower = text.to_ascii_lowercase();
    let after = |name: &str| {
        let from = text.get(lower.find(name)? + name.len()..)?;
        from.trim_start().strip_prefix('=').map(str::trim_start)
    };
    let word = |from: &str| from.split([',', ' ', ']', '\n']).next().map(str::to_owned);
    let reasoning = after("reasoning").and_then(|from| from.strip_prefix('"')?.split('"').next());
    // Words of the reasons are no settings.
    let head = lower
        .find("reasoning")
        .and_then(|end| text.get(..end))
        .unwrap_or(text);
    let close = head.find(']').unwrap_or(head.len());
    let has_ready = head.get(..close)?.to_ascii_lowercase().contains("ready");
    let ready = truth(&word(after("ready").filter(|_| has_ready)?)?, Language::English)?;
    Some(Ready {
        ready,
        confidence: after("confidence").and_then(word).and_then(|said| share(&said)),
        reasoning: reasoning.unwrap_or_default().trim().to_owned(),
    })
}

/// The text without signs that it is ready: comments, fenced blocks and brackets as [`ready`] reads them.
/// Phrases stay, being part of what is said.
#[must_use]
pub fn without_ready(text: &str) -> String {
    let mut kept = text.to_owned();
    // What is left on both sides of a sign may make up another one.
    while let Some(sign) = first_sign(&kept) {
        kept.replace_range(sign, "");
    }
    kept.trim().to_owned()
}

/// Where the first sign that a text is ready stands.
fn first_sign(text: &str) -> Option<Range<usize>> {
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
        .min_by_key(|sign| sign.start)
}

/// Reads the answer to "stop or continue?": true is stop. Both words, or neither, are unread.
#[must_use]
pub fn poll(text: &str) -> Reading<bool> {
    const STOP: &str = "stop|parar|detener|terminar|paremos|停止|结束|停|terminemos|deten";
    const CONTINUE: &str = "continue|continuar|seguir|sigamos|continuemos|继续|go on|keep going|continua";
    const NOT: &str = "not|dont|no|never|shouldnt|nunca|不要|不|别|cannot";
    let text = key(&without_thought(text));
    if text.is_empty() {
        return Reading::unread(Reason::EmptyResponse);
    }
    let spaced = format!(" {text} ");
    let says = |table: &str| {
        entries(table).any(|word| {
            let is_latin = word.is_ascii();
            (is_latin && spaced.contains(&format!(" {word} "))) || (!is_latin && text.contains(word))
        })
    };
    match (says(STOP), says(CONTINUE)) {
        (true, false) if !says(NOT) => Reading::read(true, How::Word),
        (false, true) if !says(NOT) => Reading::read(false, How::Word),
        _ => Reading::unread(Reason::AgreementUnclear),
    }
}

/// Whether a judge holds the debate for settled.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Settled {
    /// Whether it is.
    pub conclusive: bool,
    /// 0 to 1, if it was said.
    pub confidence: Option<f64>,
    /// In the judge's words; may be empty.
    pub reason: String,
}

/// Reads a judge's answer to "is it settled?": a JSON object, else lines `CONCLUSIVE: yes`, where the
/// value is yes or no and nothing else.
#[must_use]
pub fn settled(text: &str, language: Language) -> Reading<Settled> {
    const CONCLUSIVE: &str = "conclusive|is conclusive|concluyente|es concluyente|定论|是否定论|有定论";
    let text = without_thought(text);
    if text.trim().is_empty() {
        return Reading::unread(Reason::EmptyResponse);
    }
    for object in objects(&text) {
        let said = field(&object, CONCLUSIVE).and_then(|value| match value {
            Value::Bool(flag) => Some(*flag),
            other => truth(&plain_text(other)?, language),
        });
        if let Some(conclusive) = said {
            let found = Settled {
                conclusive,
                confidence: field(&object, CONFIDENCE)
                    .and_then(plain_text)
                    .and_then(|said| share(&said)),
                reason: field(&object, REASONING).and_then(plain_text).unwrap_or_default(),
            };
            return Reading::read(found, How::Json);
        }
    }
    let (mut conclusive, mut confidence, mut reason) = (Once::Never, Once::Never, String::new());
    for line in text.lines() {
        let Some((label, value)) = Line::of(line).label() else {
            continue;
        };
        if listed(CONCLUSIVE, &label) {
            truth(unquoted(value), language)
                .into_iter()
                .for_each(|said| conclusive.add(said));
        } else if listed(CONFIDENCE, &label) {
            share(value).into_iter().for_each(|said| confidence.add(said));
        } else if listed(REASONING, &label) && reason.is_empty() {
            reason.push_str(value);
        }
    }
    match conclusive {
        Once::Said(conclusive) => Reading::read(
            Settled {
                conclusive,
                confidence: confidence.value(),
                reason,
            },
            How::Label,
        ),
        Once::Never | Once::Several => Reading::unread(Reason::NoSignalFound),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn signs_are_taken_out_and_the_text_stays() {
        for sign in [
            "<!-- READY_SIGNAL: {\"ready\": true, \"confidence\": 0.9} -->",
            "```ready_signal\n{\"ready\": true}\n```",
            "[Ready: confidence=0.9, ready=true, reasoning=\"a ] b\"]",
        ] {
            assert!(ready(sign).value().is_some_and(|ready| ready.ready), "{sign}");
            assert_eq!(without_ready(&format!("One. {sign}\nTwo. {sign}")), "One. \nTwo.");
        }
        assert_eq!(without_ready("[READY: no end\nmore"), "more");
        assert_eq!(
            without_ready("We are ready to conclude. 好"),
            "We are ready to conclude. 好"
        );
    }

    proptest! {
        #[test]
        fn taking_signs_out_ends_and_leaves_none(text in "(\\[READY:|]|\"|```|ready_signal|<!-- READY_SIGNAL|-->|\\n|ß|好| )*") {
            let kept = without_ready(&text);
            prop_assert!(!kept.contains("[READY:") && !kept.contains("```ready_signal"));
        }
    }

    #[test]
    fn ready_signs() {
        let read = |text| ready(text).value().cloned();
        let is = |ready, confidence, reasoning: &str| {
            Some(Ready {
                ready,
                confidence,
                reasoning: reasoning.to_owned(),
            })
        };
        assert_eq!(
            read(
                "Plan.\n<!-- ready_signal: {\"confidence\": 0.9, \"ready\": true, \"reasoning\": \"done\"} -->"
            ),
            is(true, Some(0.9), "done")
        );
        assert_eq!(
            read("```ready_signal\n{\"ready\": false}\n```"),
            is(false, None, "")
        );
        assert_eq!(
            read("x [Ready: confidence=0.7, ready=false, reasoning=\"not ready=true yet\"]"),
            is(false, Some(0.7), "not ready=true yet")
        );
        assert_eq!(read("Esta es mi posición final."), is(true, None, ""));
        assert_eq!(read("这是我的最终方案。"), is(true, None, ""));
        assert_eq!(read("This is not my final position."), None);
        assert_eq!(read("[READY: soon]"), None);
    }

    #[test]
    fn stop_or_continue() {
        let stops = |text| poll(text).value().copied();
        assert_eq!(stops("**STOP**"), Some(true));
        assert_eq!(stops("Continuar."), Some(false));
        assert_eq!(stops("停止"), Some(true));
        for unclear in ["stop or continue?", "don't stop", "unstoppable", "", "不要停止"] {
            assert_eq!(stops(unclear), None, "{unclear}");
        }
    }

    #[test]
    fn settled_or_not() {
        let read = |text| settled(text, Language::Spanish).value().cloned();
        let found = read("**Concluyente:** sí\nConfianza: 90%\nMotivo: nada queda").unwrap();
        assert_eq!((found.conclusive, found.confidence), (true, Some(0.9)));
        assert_eq!(found.reason, "nada queda");
        assert_eq!(read("CONCLUSIVE: yes, mostly"), None);
        assert_eq!(read("CONCLUSIVE: yes\nCONCLUSIVE: no"), None);
    }

    proptest! {
        #[test]
        fn whatever_is_said(text in "\\PC*|(\\[ready:|ready|=|true|[ ,\"\\]{}]|reasoning|confidence|0.9|stop|不){0,20}") {
            let _ = (ready(&text), poll(&text), settled(&text, Language::English));
        }
    }
}
