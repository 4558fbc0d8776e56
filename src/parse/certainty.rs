//! How sure somebody says to be, in three languages. Only what is said: silence is `None`.

use super::normalize::normalize;
use super::phrases::Phrases;
use super::tokens::fold;
use crate::language::Language;
use crate::principle::Certainty::{self, NoOpinion, Sure, Unsure, VerySure, VeryUnsure};
use std::sync::LazyLock;

/// The certainty that an answer states; `None` when it states none.
///
/// A line that names certainty ("Overall certainty: …") decides before any other, the longest label
/// before shorter ones in it, and the last of several. A list of the labels is an echo of the question.
/// All three languages are understood whatever `language` is: models mix them.
#[must_use]
pub fn certainty(text: &str, language: Language) -> Option<Certainty> {
    let _ = language;
    certainty_in(&fold(&normalize(text)))
}

/// The certainty that a folded text states.
pub(super) fn certainty_in(folded: &str) -> Option<Certainty> {
    let mut anywhere = None;
    let mut own = None;
    let mut named = None;
    LABEL.find(folded)?;
    for line in folded.lines() {
        let mentions = without_echo(line, labels(line));
        let Some(last) = mentions.last() else {
            continue;
        };
        if let Some(name) = NAME.find(line) {
            let after_name = mentions.iter().rev().find(|mention| mention.start >= name.end);
            named = Some(after_name.unwrap_or(last).certainty);
        }
        for mention in &mentions {
            if !opens(folded, line, mention) {
                anywhere = Some(mention.certainty);
                if is_own(line, mention) {
                    own = Some(mention.certainty);
                }
            }
        }
    }
    named.or(own).or(anywhere)
}

/// Words that say that a line is about certainty.
const NAMES: &[&str] = &[
    "certainty",
    "confidence",
    "how sure",
    "certeza",
    "seguridad",
    "confianza",
    "确定性",
    "确定程度",
    "把握程度",
    "信心",
    "确信程度",
];

/// Labels, longer ones before the shorter ones that they contain. A label without a value shields
/// words that only look like one.
const LABELS: &[(&str, Option<Certainty>)] = &[
    ("very unsure", Some(VeryUnsure)),
    ("very uncertain", Some(VeryUnsure)),
    ("very sure", Some(VerySure)),
    ("very certain", Some(VerySure)),
    ("very confident", Some(VerySure)),
    ("not very sure", None),
    ("not very certain", None),
    ("not entirely sure", Some(Unsure)),
    ("not so sure", Some(Unsure)),
    ("not sure", Some(Unsure)),
    ("not certain", Some(Unsure)),
    ("make sure", None),
    ("makes sure", None),
    ("making sure", None),
    ("made sure", None),
    ("to be sure", None),
    ("be sure", None),
    ("sure enough", None),
    ("for sure", None),
    ("sure thing", None),
    ("unsure", Some(Unsure)),
    ("uncertain", Some(Unsure)),
    ("no opinion", Some(NoOpinion)),
    ("sure", Some(Sure)),
    ("muy insegur", Some(VeryUnsure)),
    ("muy segur", Some(VerySure)),
    ("no muy segur", None),
    ("no estoy muy segur", None),
    ("no estoy segur", Some(Unsure)),
    ("no segur", Some(Unsure)),
    ("poco segur", Some(Unsure)),
    ("insegur", Some(Unsure)),
    ("seguramente", None),
    ("seguridad", None),
    ("sin opinion", Some(NoOpinion)),
    ("segur", Some(Sure)),
    ("非常不确定", Some(VeryUnsure)),
    ("很不确定", Some(VeryUnsure)),
    ("十分不确定", Some(VeryUnsure)),
    ("极不确定", Some(VeryUnsure)),
    ("不是非常确定", None),
    ("不是很确定", None),
    ("不非常确定", None),
    ("不确定性", None),
    ("不确定", Some(Unsure)),
    ("不太确定", Some(Unsure)),
    ("不够确定", Some(Unsure)),
    ("没有把握", Some(Unsure)),
    ("没把握", Some(Unsure)),
    ("非常确定", Some(VerySure)),
    ("很确定", Some(VerySure)),
    ("十分确定", Some(VerySure)),
    ("非常有把握", Some(VerySure)),
    ("很有把握", Some(VerySure)),
    ("没有意见", Some(NoOpinion)),
    ("没意见", Some(NoOpinion)),
    ("无意见", Some(NoOpinion)),
    ("没有看法", Some(NoOpinion)),
    ("没有观点", Some(NoOpinion)),
    ("有把握", Some(Sure)),
    ("确定性", None),
    ("确定程度", None),
    ("确定下来", None),
    ("确定的", Some(Sure)),
    ("确定", Some(Sure)),
];

struct Mention {
    start: usize,
    end: usize,
    certainty: Certainty,
}

static LABEL: LazyLock<Phrases> = LazyLock::new(|| Phrases::new(LABELS.iter().map(|label| label.0)));
static NAME: LazyLock<Phrases> = LazyLock::new(|| Phrases::new(NAMES.iter().copied()));

/// The labels in a text: at every place the longest.
fn labels(text: &str) -> Vec<Mention> {
    let mention = |found: super::phrases::Found| {
        let certainty = LABELS.get(found.index)?.1?;
        Some(Mention {
            start: found.start,
            end: found.end,
            certainty,
        })
    };
    LABEL.find_all(text).filter_map(mention).collect()
}

/// Without runs of three or more labels with only commas and the like between them.
fn without_echo(line: &str, mentions: Vec<Mention>) -> Vec<Mention> {
    if mentions.len() < 3 {
        return mentions;
    }
    let mut kept: Vec<Mention> = Vec::new();
    let mut run: Vec<Mention> = Vec::new();
    for mention in mentions {
        let joined = run
            .last()
            .is_some_and(|last| line.get(last.end..mention.start).is_some_and(only_separators));
        if !joined && run.len() < 3 {
            kept.append(&mut run);
        } else if !joined {
            run.clear();
        }
        run.push(mention);
    }
    if run.len() < 3 {
        kept.append(&mut run);
    }
    kept
}

fn only_separators(between: &str) -> bool {
    !between.contains([')', ':', '：', '.', '。', '?', '('])
        && between
            .split(|c: char| !c.is_alphanumeric())
            .all(|word| matches!(word, "" | "or" | "and" | "o" | "y" | "和" | "或" | "或者"))
}

/// "Sure, here it is": the word that opens an answer is no certainty when more follows.
fn opens(folded: &str, line: &str, mention: &Mention) -> bool {
    let first_line = folded.trim_start().starts_with(line.trim_start());
    let at_start = line
        .get(..mention.start)
        .is_some_and(|before| before.trim().is_empty());
    let rest = line.get(mention.end..).unwrap_or_default();
    first_line
        && at_start
        && rest.starts_with([',', '!', ':', '.', ';'])
        && folded.trim().len() > line.trim().len().min(mention.end + 1 - mention.start)
        && (rest.len() > 1 || folded.lines().count() > 1)
}

/// Whether the speaker says it of themselves.
fn is_own(line: &str, mention: &Mention) -> bool {
    let before = line.get(..mention.start).unwrap_or_default();
    let near = before
        .rsplit([',', ';', '.', '，', '；', '。'])
        .next()
        .unwrap_or_default();
    ["i am", "i'm", "i feel", "i remain", "estoy", "me siento", "我"]
        .iter()
        .any(|own| near.contains(own))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn is(text: &str, wanted: impl Into<Option<Certainty>>) {
        assert_eq!(certainty(text, Language::English), wanted.into(), "{text}");
    }

    #[test]
    fn labels_in_three_languages() {
        for (label, value) in [
            ("very unsure", VeryUnsure),
            ("unsure", Unsure),
            ("no opinion", NoOpinion),
            ("sure", Sure),
            ("very sure", VerySure),
            ("very_sure", VerySure),
            ("muy inseguro", VeryUnsure),
            ("insegura", Unsure),
            ("sin opinión", NoOpinion),
            ("seguro", Sure),
            ("muy segura", VerySure),
            ("非常不确定", VeryUnsure),
            ("不确定", Unsure),
            ("没有意见", NoOpinion),
            ("确定", Sure),
            ("非常确定", VerySure),
        ] {
            is(label, value);
            is(&format!("1. a\n2. b\n\nOverall certainty: **{label}**"), value);
            is(&format!("Certeza general: {label}."), value);
            is(&format!("总体确定程度：{label}"), value);
        }
    }

    #[test]
    fn the_line_that_names_it_decides() {
        is(
            "Certainty: unsure\nOthers were very sure, and I make sure to listen.",
            Unsure,
        );
        is("I was unsure at first. Overall certainty: sure\n", Sure);
        is("I was unsure, now I am sure.\nCertainty: very unsure", VeryUnsure);
        is(
            "Overall certainty (very unsure, unsure, no opinion, sure, very sure): sure",
            Sure,
        );
        is(
            "Certainty: sure (of: very unsure / unsure / no opinion / sure / very sure)",
            Sure,
        );
    }

    #[test]
    fn in_prose() {
        is("I am very sure about this choice.", VerySure);
        is("No estoy seguro de esta elección.", Unsure);
        is("我对这个选择不太确定。", Unsure);
        is("The others seemed unsure, but I am very sure about it.", VerySure);
        is("I am sure; Agent 2 sounded unsure.", Sure);
        is("Floor first. Sure.", Sure);
    }

    #[test]
    fn what_is_none() {
        is("", None);
        is("Sure, here is my ranking:\n1. a", None);
        is("It makes sure that nobody falls, to ensure safety.", None);
        is("Certainty matters, 确定性很重要", None);
        is("I am not very sure.", None);
        is("seguramente la seguridad", None);
    }

    proptest! {
        #[test]
        fn never_panics(text in "\\PC*|(very |un|sure|certainty|[,:.\n 不非常确定é]|segur|o|muy ){0,20}") {
            let _ = certainty(&text, Language::Spanish);
        }
    }
}
