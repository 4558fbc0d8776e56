//! Checks of participant names. A name must be visible and distinguishable for people and readers, and must
//! differ from the procedure's own words. Violations are configuration faults; names are never corrected.
//! Names that people choose in a room do not pass through here.

use super::spec::fault::FaultValue;
use crate::reading::one_form;

/// Reserved words in all languages; after an empty line, words that are reserved when followed by a number.
const WORDS: &str = include_str!("names/words.txt");

/// One Latin letter a line, followed by its Greek and Cyrillic look-alikes. Source: confusables of Unicode
/// UTS 39.
const ALIKE: &str = include_str!("names/alike.txt");

/// Fault code and values.
pub(super) type NameFault = (&'static str, Vec<(&'static str, FaultValue)>);

/// A name as given, in lower case, and by appearance.
type Keys = [String; 3];

fn keys(name: &str) -> Keys {
    let one = one_form(name);
    [name.to_owned(), latin(&one).to_lowercase(), appearance(&one)]
}

fn is_twin(one: &Keys, other: &Keys) -> bool {
    one.iter().zip(other).any(|(one, other)| one == other)
}

/// Returns whether readers may confuse `name` with `other`.
pub(super) fn is_confusable(name: &str, other: &str) -> bool {
    let visible = name.replace(|c| hidden(&String::from(c)).is_some(), "");
    is_twin(&keys(&visible), &keys(other))
}

/// Names taken so far at a table.
#[derive(Default)]
pub(super) struct Names {
    taken: Vec<Keys>,
}

impl Names {
    /// Adds the name of the next participant.
    ///
    /// # Errors
    ///
    /// Returns the fault if the name is taken, confusable, invisible in part or reserved.
    pub(super) fn take(&mut self, name: &str) -> Result<(), NameFault> {
        let quoted_name = || format!("{name:?}").into();
        let place = self.taken.len() + 1;
        let keys = keys(name);
        let twin = self.taken.iter().find(|taken| is_twin(taken, &keys));
        let result = if let Some([twin, ..]) = twin {
            Err(if twin == name {
                ("taken", vec![("name", quoted_name())])
            } else {
                (
                    "name_twin",
                    vec![("name", quoted_name()), ("other", format!("{twin:?}").into())],
                )
            })
        } else if let Some(hidden) = hidden(name) {
            let code = format!("U+{:04X}", u32::from(hidden));
            Err(("name_hidden", vec![("code", code.into())]))
        } else if name.trim() != name {
            Err(("name_ends", vec![("name", quoted_name())]))
        } else if is_word(&keys[1], place) {
            Err(("name_word", vec![("name", quoted_name())]))
        } else {
            Ok(())
        };
        self.taken.push(keys);
        result
    }
}

/// Returns whether a lower-case name is reserved: an answer, a speaker label or an option of a vote. A bare
/// number is allowed only as the number of its own seat.
fn is_word(name: &str, place: usize) -> bool {
    if let Ok(number) = name.parse::<usize>() {
        return number != place;
    }
    let (plain, numbered) = WORDS.split_once("\n\n").unwrap_or_default();
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end();
    plain.lines().any(|word| word == name) || (stem != name && numbered.lines().any(|word| word == stem))
}

/// Returns the first invisible character: controls, direction marks, joiners and fillers. Joiners inside an
/// emoji sequence are allowed.
fn hidden(name: &str) -> Option<char> {
    let mut before = ' ';
    name.chars().find(|&c| {
        let joins = matches!(c, '\u{200d}' | '\u{fe0f}') && before as u32 >= 0x2190;
        before = c;
        let is_hidden = matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}');
        c.is_control() || (is_hidden && !joins)
    })
}

/// Replaces look-alike letters by their Latin counterparts.
fn latin(text: &str) -> String {
    let plain = |c: char| {
        let line = ALIKE
            .lines()
            .find(|line| line.chars().skip(1).any(|alike| alike == c));
        line.and_then(|line| line.chars().next()).unwrap_or(c)
    };
    let mut spaced = String::with_capacity(text.len());
    for part in text.split_whitespace() {
        if !spaced.is_empty() {
            spaced.push(' ');
        }
        spaced.extend(part.chars().map(plain));
    }
    spaced
}

/// Returns the name by appearance: characters that look alike become the same.
fn appearance(text: &str) -> String {
    let same = |c: char| match c {
        'I' | '1' | '|' => 'l',
        '0' => 'O',
        c => c,
    };
    latin(text).chars().map(same).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes_of(names: &[&str]) -> Vec<&'static str> {
        let mut table = Names::default();
        names
            .iter()
            .map(|name| table.take(name).err().map_or("", |(code, _)| code))
            .collect()
    }

    #[test]
    fn look_alike_names_are_confusable() {
        for name in [
            "Bot",
            "bot",
            " Bot ",
            "B\u{200b}ot",
            "\u{202e}Bot",
            "\u{ff22}ot",
            "B\u{43e}t",
            "BOT",
        ] {
            assert!(is_confusable(name, "Bot"), "{name:?}");
        }
        for name in ["Bott", "Bo", "", "u-1", "\u{673a}\u{5668}"] {
            assert!(!is_confusable(name, "Bot"), "{name:?}");
        }
    }

    #[test]
    fn names_of_all_languages_are_accepted() {
        let names = [
            "Ana",
            "Anna",
            "Ben",
            "José",
            "Jo",
            "李明",
            "李",
            "Олена",
            "Ελένη",
            "محمد",
            "Anne-Marie",
            "O’Neill",
            "Agent_1",
            "Agent 2",
            "Seat 5",
            "Systema",
            "Allan",
            "👩‍💻",
            "❤️",
            "Dr. No",
            "11th",
            "12",
        ];
        let mut expected = vec![""; names.len()];
        expected[names.len() - 1] = "name_word";
        assert_eq!(codes_of(&names), expected);
        assert_eq!(codes_of(&["1", "2", "3"]), ["", "", ""]);
    }

    #[test]
    fn twins_are_rejected() {
        for (one, other) in [
            ("Ana", "ana"),
            ("Ana", "ＡＮＡ"),
            ("Ana", "Аna"),
            ("Ana", "Ana "),
            ("Ana", "A\u{200b}na"),
            ("José", "Jose\u{301}"),
            ("Al", "AI"),
            ("Bot 1", "Bot l"),
            ("Bot O", "Bot 0"),
            ("Anne Marie", "Anne  Marie"),
            ("Nina", "Νina"),
            ("Pavo", "раvo"),
        ] {
            let codes = codes_of(&[one, other]);
            assert!(
                codes[0].is_empty() && !codes[1].is_empty(),
                "{one:?} {other:?}: {codes:?}"
            );
        }
        assert_eq!(codes_of(&["Ana", "Ana"]), ["", "taken"]);
        assert_eq!(codes_of(&["Ana", "ANA"]), ["", "name_twin"]);
    }

    #[test]
    fn invisible_characters_are_rejected() {
        assert_eq!(
            codes_of(&[
                "A\u{202e}na",
                "\u{2066}Ben",
                "Cl\u{ad}eo",
                "\u{3164}",
                "D\u{fe0f}an",
                " Eva"
            ]),
            [
                "name_hidden",
                "name_hidden",
                "name_hidden",
                "name_hidden",
                "name_hidden",
                "name_ends"
            ]
        );
    }

    #[test]
    fn reserved_words_are_rejected() {
        for name in [
            "SYSTEM",
            "Abstain",
            "abstención",
            "弃权",
            "nobody",
            "Proposal 1",
            "propuesta 12",
            "提案1",
            "Ｐroposal 3",
            "7",
        ] {
            assert_eq!(codes_of(&["Ana", name])[1], "name_word", "{name}");
        }
    }
}
