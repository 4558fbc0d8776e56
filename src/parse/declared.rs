//! Finds the sentences of an answer in which the speaker declares a choice or an amount, and whether
//! the speaker took something back. Reads no value itself.

use super::phrases::Phrases;
use std::sync::LazyLock;

/// Sentences: a point between digits ends none.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    text.split(['\n', '。', '！', '？', '；', '!', '?', ';'])
        .flat_map(|line| line.split(". "))
}

/// Words with which a speaker names a principle.
const CHOOSING: &[&str] = &[
    "i choose",
    "i'll choose",
    "i will choose",
    "i would choose",
    "i'd choose",
    "i select",
    "i will select",
    "i pick",
    "i'll pick",
    "i opt",
    "i'll go with",
    "i will go with",
    "i go with",
    "i'm going with",
    "i vote",
    "i settle on",
    "i decide",
    "my choice",
    "my final",
    "final choice",
    "final answer",
    "elijo",
    "escojo",
    "selecciono",
    "opto por",
    "mi eleccion",
    "me quedo con",
    "elegire",
    "escogere",
    "me decido por",
    "decision final",
    "eleccion final",
    "我选",
    "我的选择",
    "我决定",
    "我会选",
    "我将选",
    "最终选择",
    "最终决定",
];

/// Words with which a speaker names an amount.
const AMOUNTS: &[&str] = &[
    "my constraint",
    "constraint amount",
    "my amount",
    "i specify",
    "i'll specify",
    "i will specify",
    "i set",
    "i'll set",
    "i propose",
    "i would set",
    "mi restriccion",
    "mi cantidad",
    "cantidad de la restriccion",
    "cantidad de mi restriccion",
    "especifico",
    "fijo",
    "propongo",
    "约束数额",
    "约束金额",
    "我的数额",
    "我的金额",
    "我设定",
    "我建议",
];

/// Words before it that take the declaration away: negations, conditions.
const SHIELDS: &[&str] = &[
    "no", "not", "never", "nunca", "if", "when", "before", "should", "si", "cuando", "unless", "whether",
    "what", "why", "how", "that",
];

/// The parts of a folded answer from the words of choosing to the end of their sentence.
pub(super) fn choices(folded: &str) -> Vec<String> {
    declarations(folded, &CHOICE)
}

/// The same for sentences that name an amount or make a choice.
pub(super) fn amounts(folded: &str) -> Vec<String> {
    declarations(folded, &AMOUNT)
}

static CHOICE: LazyLock<Phrases> = LazyLock::new(|| Phrases::new(CHOOSING.iter().copied()));
static AMOUNT: LazyLock<Phrases> = LazyLock::new(|| Phrases::new(CHOOSING.iter().chain(AMOUNTS).copied()));
static CORRECTION: LazyLock<Phrases> = LazyLock::new(|| Phrases::new(CORRECTIONS.iter().copied()));

fn declarations(folded: &str, words: &Phrases) -> Vec<String> {
    if words.find(folded).is_none() {
        return Vec::new();
    }
    sentences(folded)
        .filter_map(|sentence| {
            let at = words.find(sentence)?.start;
            let before = sentence.get(..at)?.trim_end();
            let last = before
                .rsplit(|c: char| !c.is_alphanumeric())
                .next()
                .unwrap_or_default();
            let shielded =
                SHIELDS.contains(&last) || before.ends_with(['不', '别']) || before.contains("如果");
            (!shielded).then(|| sentence.get(at..).unwrap_or_default().to_owned())
        })
        .collect()
}

/// Words that announce that what follows replaces what stood before.
const CORRECTIONS: &[&str] = &[
    "actually",
    "revised",
    "revise",
    "revising",
    "no wait",
    "wait",
    "on second thought",
    "on reflection",
    "correction",
    "instead",
    "corrected",
    "changed my mind",
    "change my mind",
    "reconsider",
    "i mean",
    "scratch that",
    "en realidad",
    "corrijo",
    "correccion",
    "pensandolo",
    "cambio de opinion",
    "mejor dicho",
    "espera",
    "修改",
    "更正",
    "其实",
    "不对",
    "改为",
    "改成",
    "改选",
    "等等",
    "再想想",
    "重新考虑",
];

/// Whether a folded text takes something back.
pub(super) fn has_correction(folded: &str) -> bool {
    CORRECTION.find(folded).is_some()
}

/// What stands after the last words that take something back; all of a folded text without such.
pub(super) fn after_corrections(folded: &str) -> &str {
    let end = CORRECTION.find_all(folded).last().map(|found| found.end);
    folded.get(end.unwrap_or_default()..).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::super::tokens::fold;
    use super::*;

    #[test]
    fn finds_declarations() {
        assert_eq!(
            choices(&fold("Hm, the table. So I choose the floor. It is fair.")),
            ["i choose the floor"]
        );
        assert_eq!(
            choices(&fold("Creo que elijo el piso de 12.000; es justo")),
            ["elijo el piso de 12.000"]
        );
        assert_eq!(choices(&fold("想了想，我选择原则3。因为公平。")), ["我选择原则3"]);
        assert_eq!(
            amounts(&fold("It depends. I'll specify $12,000.\nFine?")),
            ["i'll specify $12,000."]
        );
    }

    #[test]
    fn leaves_out_what_is_none() {
        for text in [
            "If I choose the floor, all is well.",
            "No elijo el piso.",
            "They asked what I choose.",
            "如果我选原则3，会怎样",
            "prefijo elijoso",
        ] {
            assert!(choices(&fold(text)).is_empty(), "{text}");
        }
    }
}
