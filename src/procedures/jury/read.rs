//! Parsing of votes. An answer counts only if it is a JSON object, has a labelled line such as "Vote: guilty", or
//! consists of the vote alone; a vote is one of the words of the language's data file.

use super::rules::Opinion;
use crate::language::blank::is_blank;
use crate::language::words::Words;
use crate::reading::{How, Reading, Reason};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A parsed vote.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct JurorVote {
    pub opinion: Opinion,
    /// 0 to 100.
    pub certainty: Option<u32>,
    /// The rest of the answer.
    pub reason: String,
}

/// Reads an answer in words or JSON. `allowed` are the opinions that may be chosen.
#[must_use]
pub fn read(answer: &str, words: &Words, allowed: &[Opinion]) -> Reading<JurorVote> {
    if is_blank(answer) {
        return Reading::unread(Reason::EmptyResponse);
    }
    let found = find_json(answer, words)
        .or_else(|| find_labelled(answer, words))
        .or_else(|| {
            let opinion = parse_opinion(answer, words)?;
            let (certainty, reason) = (None, String::new());
            Some((
                JurorVote {
                    opinion,
                    certainty,
                    reason,
                },
                How::Word,
            ))
        });
    match found {
        None => Reading::unread(Reason::NoChoiceFound),
        Some((vote, _)) if !allowed.contains(&vote.opinion) => Reading::unread(Reason::UnknownChoice),
        Some((vote, how)) => Reading::read(vote, how),
    }
}

/// Reads the values of a form, or an object with the same names.
#[must_use]
pub fn read_values(values: &Value, words: &Words) -> Option<JurorVote> {
    let certainty = values["certainty"].as_f64();
    let is_valid = |certainty: &f64| certainty.fract() == 0.0 && (0.0..=100.0).contains(certainty);
    Some(JurorVote {
        opinion: parse_opinion(values["opinion"].as_str()?, words)?,
        certainty: certainty.filter(is_valid).map(|certainty| certainty as u32),
        reason: values["reason"].as_str().unwrap_or_default().trim().to_owned(),
    })
}

type Found = (JurorVote, How);

fn find_json(answer: &str, words: &Words) -> Option<Found> {
    let (from, to) = (answer.find('{')?, answer.rfind('}')?);
    let object: Value = serde_json::from_str(answer.get(from..=to)?).ok()?;
    Some((read_values(&object, words)?, How::Json))
}

/// Reads labelled lines. Different votes have no reading, different certainties count as none.
fn find_labelled(answer: &str, words: &Words) -> Option<Found> {
    let [votes, certainties] = ["jury.words.vote", "jury.words.certainty"].map(|key| listed(words, key));
    let (mut opinions, mut sure, mut reasons) = (Vec::new(), Vec::new(), Vec::new());
    for line in answer.lines() {
        match split_label(line) {
            Some((label, value)) if votes.contains(&label) => opinions.push(parse_opinion(value, words)?),
            Some((label, value)) if certainties.contains(&label) => sure.push(parse_certainty(value)),
            _ => reasons.push(line),
        }
    }
    let opinion = only(&opinions)?;
    let certainty = only(&sure).flatten();
    let reason = reasons.join("\n").trim().to_owned();
    Some((
        JurorVote {
            opinion,
            certainty,
            reason,
        },
        How::Label,
    ))
}

fn split_label(line: &str) -> Option<(String, &str)> {
    let (label, value) = line.trim().split_once([':', '：'])?;
    Some((plain(label), value))
}

/// Returns the value that all items have; `None` if they differ or there are none.
fn only<T: Copy + PartialEq>(items: &[T]) -> Option<T> {
    let first = *items.first()?;
    items.iter().all(|item| *item == first).then_some(first)
}

fn parse_opinion(text: &str, words: &Words) -> Option<Opinion> {
    let text = plain(text);
    let is_named = |opinion: Opinion| {
        text == opinion.name() || listed(words, &format!("jury.words.{}", opinion.name())).contains(&text)
    };
    let all = Opinion::ALL.iter().map(|(_, opinion)| *opinion);
    all.into_iter().find(|opinion| is_named(*opinion))
}

fn parse_certainty(text: &str) -> Option<u32> {
    let number = text
        .trim_matches([' ', '*', '_', '`', '.', '。', '%', '％'])
        .parse()
        .ok()?;
    (number <= 100).then_some(number)
}

/// Returns a text in lower case without markup, quotation marks and full stop around it.
fn plain(text: &str) -> String {
    let is_around = |c: char| c.is_whitespace() || "*#_`~-.。\"“”«»".contains(c);
    text.trim_matches(is_around).to_lowercase()
}

/// Returns the words of a comma-separated list.
fn listed(words: &Words, key: &str) -> Vec<String> {
    let all = words.raw(key).split(',');
    all.map(|word| word.trim().to_lowercase()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Language;
    use Opinion::{Guilty, NotGuilty, Undecided};
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    const ALL: [Opinion; 3] = [Guilty, NotGuilty, Undecided];

    fn words(language: Language) -> Words {
        Words::new(&super::super::TEXTS, language, &BTreeMap::new())
    }

    fn vote(text: &str, language: Language) -> Option<(Opinion, Option<u32>)> {
        let reading = read(text, &words(language), &ALL);
        reading.value().map(|vote| (vote.opinion, vote.certainty))
    }

    #[test]
    fn votes_with_and_without_labels() {
        for (text, wanted) in [
            ("guilty", Some((Guilty, None))),
            ("**Not guilty.**", Some((NotGuilty, None))),
            (
                "The paws!\n**Vote:** guilty\nCertainty: 80 %",
                Some((Guilty, Some(80))),
            ),
            ("Vote: not guilty\nCertainty: 130", Some((NotGuilty, None))),
            ("Vote: guilty\nCertainty: 10\nCertainty: 20", Some((Guilty, None))),
            (
                "{\"reason\": \"paws\", \"opinion\": \"not_guilty\", \"certainty\": 55}",
                Some((NotGuilty, Some(55))),
            ),
            (
                "{\"opinion\": \"undecided\", \"certainty\": \"high\"}",
                Some((Undecided, None)),
            ),
            ("Vote: guilty\nVote: not guilty", None),
            ("Vote: not innocent", None),
            ("Vote: guilty or not guilty", None),
            ("She is guilty.", None),
            ("{\"opinion\": \"maybe\"}", None),
            ("", None),
        ] {
            assert_eq!(vote(text, Language::English), wanted, "{text:?}");
        }
        assert_eq!(
            vote("Voto: no culpable\nSeguridad: 70", Language::Spanish),
            Some((NotGuilty, Some(70)))
        );
        assert_eq!(
            vote("投票：无罪\n把握：70%", Language::Mandarin),
            Some((NotGuilty, Some(70)))
        );
    }

    #[test]
    fn a_ballot_does_not_take_undecided() {
        let reading = read("Vote: undecided", &words(Language::English), &ALL[..2]);
        assert_eq!(reading.reason(), Some(Reason::UnknownChoice));
    }

    #[test]
    fn the_reason_is_the_text_around_the_vote() {
        let reading = read(
            "Paws.\nVote: guilty\nAnd crumbs.",
            &words(Language::English),
            &ALL,
        );
        assert_eq!(reading.value().unwrap().reason, "Paws.\nAnd crumbs.");
    }

    proptest! {
        #[test]
        fn no_text_panics_or_exceeds_the_scale(text in "\\PC{0,40}", sure in any::<u32>()) {
            for text in [text, format!("Vote: guilty\nCertainty: {sure}")] {
                if let Some((_, Some(certainty))) = vote(&text, Language::English) {
                    prop_assert!(certainty <= 100);
                }
            }
        }
    }
}
