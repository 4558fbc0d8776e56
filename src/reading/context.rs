//! What a source of material answered: a JSON object with a list of items, or with a sentence why there
//! are none. The content of the material is not judged here.
//!
//! Source: A3.2 of the debate's design, round 0.

use super::{How, Reading, Reason};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Characters of a text at most; what is beyond is cut and marked.
const LONGEST_TEXT: usize = 20_000;
/// Characters of a title, an origin, an id or a sentence at most.
const LONGEST_LINE: usize = 500;

/// A piece of material.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Item {
    /// What its source knows it by.
    pub id: Option<String>,
    /// May be empty.
    pub title: String,
    /// Never empty.
    pub text: String,
    /// Where the source has it from, such as an address.
    pub origin: Option<String>,
    /// When it was made, milliseconds since the epoch.
    pub at: Option<u64>,
    /// How far the source trusts it, 0 to 1.
    pub confidence: Option<f64>,
}

/// What a source gave.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Supply {
    /// As many as were wanted at most, in the source's order.
    pub items: Vec<Item>,
    /// Items without a text, and those that were too many.
    pub left_out: usize,
    /// Why there is nothing, where the source says so.
    pub unavailable: Option<String>,
}

/// Reads the answer of a source, of which `most` items were wanted.
///
/// Unread: an empty answer, one that is not a JSON object, and an object with neither `items` (a list)
/// nor `unavailable` (a text).
#[must_use]
pub fn supply(text: &str, most: usize) -> Reading<Supply> {
    let text = text.trim();
    if text.is_empty() {
        return Reading::unread(Reason::EmptyResponse);
    }
    let Ok(Value::Object(object)) = serde_json::from_str(text) else {
        return Reading::unread(Reason::NoItemsFound);
    };
    if let Some(given) = object.get("items").and_then(Value::as_array) {
        let mut items: Vec<Item> = given.iter().filter_map(item).take(most).collect();
        items.shrink_to_fit();
        let left_out = given.len() - items.len();
        let supply = Supply {
            items,
            left_out,
            unavailable: None,
        };
        return Reading::read(supply, How::Json);
    }
    match object.get("unavailable").and_then(Value::as_str).map(str::trim) {
        Some(sentence) if !sentence.is_empty() => {
            let supply = Supply {
                unavailable: Some(cut(sentence, LONGEST_LINE)),
                ..Supply::default()
            };
            Reading::read(supply, How::Json)
        }
        _ => Reading::unread(Reason::NoItemsFound),
    }
}

fn item(value: &Value) -> Option<Item> {
    let line = |key: &str| {
        let text = match value.get(key)? {
            Value::String(text) => cut(text.trim(), LONGEST_LINE),
            Value::Number(number) => number.to_string(),
            _ => return None,
        };
        Some(text).filter(|text| !text.is_empty())
    };
    let text = value.get("text").and_then(Value::as_str)?.trim();
    if text.is_empty() {
        return None;
    }
    let confidence = value.get("confidence").and_then(Value::as_f64);
    Some(Item {
        // A part of an id is none.
        id: line("id").filter(|id| !id.ends_with(CUT)),
        title: line("title").unwrap_or_default(),
        text: cut(text, LONGEST_TEXT),
        origin: line("origin"),
        at: value.get("at").and_then(Value::as_u64),
        confidence: confidence.filter(|share| (0.0..=1.0).contains(share)),
    })
}

/// A text of `most` characters at most; one that was longer ends with a mark that says so. A character
/// stays with the marks that belong to it.
#[must_use]
pub fn cut(text: &str, most: usize) -> String {
    if text.char_indices().nth(most).is_none() {
        return text.to_owned();
    }
    let kept = most.saturating_sub(CUT.chars().count());
    let (mut before, mut after): (String, _) = (text.chars().take(kept).collect(), text.chars().nth(kept));
    while before.ends_with('\u{200d}') || after.is_some_and(belongs_to_the_one_before) {
        after = before.pop();
    }
    format!("{}{CUT}", before.trim_end())
}

fn belongs_to_the_one_before(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{200d}' | '\u{20d0}'..='\u{20ff}' | '\u{fe00}'..='\u{fe0f}'
        | '\u{1f3fb}'..='\u{1f3ff}' | '\u{e0020}'..='\u{e007f}')
}

/// What stands where a text was cut.
pub const CUT: &str = " […]";

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(text: &str, most: usize) -> Supply {
        supply(text, most).value().cloned().unwrap()
    }

    #[test]
    fn items_as_far_as_they_say_something() {
        let text = r#"{"items":[
            {"id":7,"title":" Tea ","text":"Leaves.","origin":"https://a.example","at":1700000000000,"confidence":0.8},
            {"id":"x","text":"  "}, "text", {"title":"no text"},
            {"text":"Beans.","title":"","confidence":7,"at":"yesterday"},
            {"text":"one too many"}]}"#;
        let got = read(text, 2);
        assert_eq!(got.left_out, 4);
        assert_eq!(
            got.items[0],
            Item {
                id: Some("7".to_owned()),
                title: "Tea".to_owned(),
                text: "Leaves.".to_owned(),
                origin: Some("https://a.example".to_owned()),
                at: Some(1_700_000_000_000),
                confidence: Some(0.8),
            }
        );
        assert_eq!(
            got.items[1],
            Item {
                text: "Beans.".to_owned(),
                ..Item::default()
            }
        );
        assert_eq!(read(r#"{"items":[]}"#, 3), Supply::default());
    }

    #[test]
    fn there_is_nothing_or_it_cannot_be_read() {
        let got = read(r#"{"unavailable":" The feed is down. "}"#, 3);
        assert_eq!(got.unavailable.as_deref(), Some("The feed is down."));
        assert_eq!(supply(" ", 3).reason(), Some(Reason::EmptyResponse));
        for text in [
            "<html>",
            "Here: {\"items\":[]}",
            "[]",
            "{}",
            "{\"items\":3}",
            "{\"unavailable\":\"\"}",
            "null",
        ] {
            assert_eq!(supply(text, 3).reason(), Some(Reason::NoItemsFound), "{text}");
        }
    }

    #[test]
    fn cuts_are_marked_and_split_no_character() {
        assert_eq!(cut("abcdef", 6), "abcdef");
        assert_eq!(cut("abcdefg", 6), "ab […]");
        assert_eq!(cut("茶叶好喝吗真的", 6), "茶叶 […]");
        // The second letter has its accent apart; a family is one sign.
        assert_eq!(cut("ae\u{301}xxxxxxx", 6), "a […]");
        assert_eq!(cut("a👨\u{200d}👩\u{200d}👧 and so on", 7), "a […]");
    }

    proptest! {
        #[test]
        fn a_cut_text_is_a_beginning(text in "\\PC{0,40}", most in 0usize..50) {
            let short = cut(&text, most);
            prop_assert!(short.chars().count() <= most.max(CUT.chars().count()));
            let kept = short.strip_suffix(CUT).unwrap_or(&short);
            prop_assert!(text.starts_with(kept));
        }

        #[test]
        fn anything_can_be_read(text in "\\PC{0,80}", most in 0usize..5) {
            let _ = supply(&text, most);
        }
    }
}
