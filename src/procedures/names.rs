//! Names: whether people and readers can see them and tell them apart, and whether they differ from the
//! procedure's own words. A participant's name in a configuration is never corrected: violations are faults.
//! A name that somebody gives in a room is cleaned.

use super::spec::fault::FaultValue;
use crate::language::blank::is_invisible;
use unicode_normalization::UnicodeNormalization;
use unicode_script::{Script, UnicodeScript};

/// Reserved words in all languages; after an empty line, words that are reserved when followed by a number.
const WORDS: &str = include_str!("names/words.txt");

/// Fault code and values.
pub(super) type NameFault = (&'static str, Vec<(&'static str, FaultValue)>);

/// A name as given, in lower case, and by appearance in its own and in lower case.
type Keys = [String; 4];

fn keys(name: &str) -> Keys {
    let one = spaced(&name.nfkc().collect::<String>());
    let lower = one.to_lowercase();
    [
        name.to_owned(),
        skeleton(&one).to_lowercase(),
        skeleton(&lower),
        lower,
    ]
}

/// Returns a text by appearance (UTS 39): characters that look alike become the same, invisible ones are left
/// out.
fn skeleton(text: &str) -> String {
    unicode_security::skeleton(text).collect()
}

fn spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn is_twin(one: &Keys, other: &Keys) -> bool {
    one.iter().zip(other).any(|(one, other)| one == other)
}

/// Returns whether readers may confuse `name` with `other`.
pub(super) fn is_confusable(name: &str, other: &str) -> bool {
    is_twin(&keys(name), &keys(other))
}

/// Returns a name that somebody gave in NFC, without invisible characters and surplus blanks.
pub(crate) fn clean(name: &str) -> String {
    let blank = |c: char| if c.is_whitespace() { ' ' } else { c };
    let composed: String = name.nfc().map(blank).collect();
    let visible = visibility(&composed).filter(|(_, is_hidden)| !is_hidden);
    spaced(&visible.map(|(c, _)| c).collect::<String>())
}

/// Returns the names that people gave, by seat, with the seat in brackets where another name or seat looks
/// the same. `people` are pairs of seat and name; `seats` are all seats of the table.
pub(crate) fn distinguish<'a>(people: &[(&'a str, &'a str)], seats: &[&str]) -> Vec<(&'a str, String)> {
    let names: Vec<Keys> = people.iter().map(|(_, name)| keys(name)).collect();
    let seat_names: Vec<Keys> = seats.iter().map(|seat| keys(seat)).collect();
    let shown = |(index, (seat, name)): (usize, &(&'a str, &'a str))| {
        let own = &names[index];
        let has_twin = names
            .iter()
            .enumerate()
            .any(|(other, keys)| other != index && is_twin(own, keys));
        let is_seat = |keys: &Keys| keys[0] != *seat && is_twin(own, keys);
        let is_ambiguous = has_twin || seat_names.iter().any(is_seat);
        let shown = if is_ambiguous {
            format!("{name} ({seat})")
        } else {
            (*name).to_owned()
        };
        (*seat, shown)
    };
    people.iter().enumerate().map(shown).collect()
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
        } else if is_word(&keys[3], place) {
            Err(("name_word", vec![("name", quoted_name())]))
        } else {
            Ok(())
        };
        self.taken.push(keys);
        result
    }
}

/// Returns whether a lower-case name is or looks like a reserved word: an answer, a speaker label or an option
/// of a vote. A bare number is allowed only as the number of its own seat.
fn is_word(name: &str, place: usize) -> bool {
    if let Ok(number) = name.parse::<usize>() {
        return number != place;
    }
    let (plain, numbered) = WORDS.split_once("\n\n").unwrap_or_default();
    let is_listed = |words: &str, text: &str| {
        let appearance = skeleton(text);
        words.lines().any(|word| skeleton(word) == appearance)
    };
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end();
    is_listed(plain, name) || (stem != name && is_listed(numbered, stem))
}

/// Returns the first invisible character.
fn hidden(name: &str) -> Option<char> {
    visibility(name).find_map(|(c, is_hidden)| is_hidden.then_some(c))
}

/// Returns the characters of a name, each with whether it is invisible: controls, direction marks and fillers,
/// and joiners and variation selectors where no script needs them.
fn visibility(name: &str) -> impl Iterator<Item = (char, bool)> {
    // The last character that has a script of its own, and the last one.
    let (mut base, mut before) = (' ', ' ');
    name.chars().map(move |c| {
        let is_hidden = c.is_control() || (is_invisible(c) && !is_needed(c, base, before));
        if c.script() != Script::Inherited && !is_invisible(c) {
            base = c;
        }
        before = c;
        (c, is_hidden)
    })
}

/// Returns whether an invisible character changes how the character in front of it is written (UAX 31, 2.3).
fn is_needed(c: char, base: char, before: char) -> bool {
    let script = base.script();
    let is_symbol = script == Script::Common && base >= '\u{2190}' && !base.is_whitespace();
    match c {
        '\u{200c}' | '\u{200d}' if matches!(before, '\u{200c}' | '\u{200d}') => false,
        '\u{200c}' => JOINING.contains(&script),
        '\u{200d}' => is_symbol || JOINING.contains(&script),
        // Of symbols, keycaps and ideographs.
        '\u{fe00}'..='\u{fe0f}' => {
            before == base && (is_symbol || matches!(base, '0'..='9' | '#' | '*') || script == Script::Han)
        }
        '\u{e0100}'..='\u{e01ef}' => before == base && script == Script::Han,
        '\u{180b}'..='\u{180f}' => script == Script::Mongolian,
        // Flags of regions.
        '\u{e0020}'..='\u{e007f}' => base == '\u{1f3f4}',
        _ => false,
    }
}

/// Scripts in which joiners show: cursive ones, and those with conjuncts.
const JOINING: [Script; 21] = [
    Script::Arabic,
    Script::Syriac,
    Script::Mandaic,
    Script::Nko,
    Script::Adlam,
    Script::Mongolian,
    Script::Phags_Pa,
    Script::Devanagari,
    Script::Bengali,
    Script::Gurmukhi,
    Script::Gujarati,
    Script::Oriya,
    Script::Tamil,
    Script::Telugu,
    Script::Kannada,
    Script::Malayalam,
    Script::Sinhala,
    Script::Khmer,
    Script::Myanmar,
    Script::Tibetan,
    Script::Chakma,
];

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
            "❤️‍🔥",
            "1️⃣",
            "🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
            "علی\u{200c}رضا",
            "مُ\u{200c}ها",
            "අක්\u{200d}ෂි",
            "അവന്\u{200d}",
            "র\u{200d}্যাব",
            "राज्\u{200d}य",
            "ರಾಜ್\u{200c}ಕುಮಾರ್",
            "葛\u{e0100}城",
            "辻\u{fe00}",
            "ᠮᠣᠩᠭᠣᠯ\u{180e}ᠠ",
            "Dr. No",
            "11th",
            "12",
        ];
        let mut expected = vec![""; names.len()];
        expected[names.len() - 1] = "name_word";
        for ((name, code), expected) in names.iter().zip(codes_of(&names)).zip(expected) {
            assert_eq!(code, expected, "{name:?}");
        }
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
            ("Bernd", "Bemd"),
            ("علی", "علي"),
            ("علی\u{200c}رضا", "علیرضا"),
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
                "A\u{200d}nn",
                "李\u{200d}明",
                "علی\u{200c}\u{200c}رضا",
                "1\u{fe0f}a\u{fe0f}",
                " Eva"
            ]),
            [
                "name_hidden",
                "name_hidden",
                "name_hidden",
                "name_hidden",
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
    fn given_names_lose_what_is_not_seen() {
        for (given, cleaned) in [
            ("Ana\u{200b}", "Ana"),
            ("\u{202e}anA", "anA"),
            (" Ana \u{a0} Mar\u{2028}ía\n", "Ana Mar ía"),
            ("Jose\u{301}", "Jos\u{e9}"),
            ("A\u{200d}n\u{ad}a\u{7}", "Ana"),
            ("علی\u{200c}رضا", "علی\u{200c}رضا"),
            ("\u{2067}علی\u{2069}", "علی"),
            ("葛\u{e0100}城", "葛\u{e0100}城"),
            ("👩\u{200d}💻", "👩\u{200d}💻"),
            ("\u{3164}\u{200b} \u{feff}", ""),
        ] {
            assert_eq!(clean(given), cleaned, "{given:?}");
        }
    }

    #[test]
    fn names_that_look_alike_are_shown_with_their_seats() {
        let seats = ["Dune", "Heron", "Maple", "Otto"];
        let shown = |names: [&str; 3]| {
            let people: Vec<(&str, &str)> = seats.into_iter().zip(names).collect();
            let shown = distinguish(&people, &seats).into_iter();
            shown.map(|(_, name)| name).collect::<Vec<_>>()
        };
        assert_eq!(shown(["Ana", "Ben", "نور"]), ["Ana", "Ben", "نور"]);
        assert_eq!(
            shown(["Ana", "Аnа", "ana"]),
            ["Ana (Dune)", "Аnа (Heron)", "ana (Maple)"]
        );
        // Another's pseudonym, and a simulated participant's.
        assert_eq!(
            shown(["Heron", "Ben", "0tto"]),
            ["Heron (Dune)", "Ben", "0tto (Maple)"]
        );
        assert_eq!(shown(["Dune", "Ben", "Cleo"]), ["Dune", "Ben", "Cleo"]);
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
            "Аbstain",
            "Sуstem",
            "7",
        ] {
            assert_eq!(codes_of(&["Ana", name])[1], "name_word", "{name}");
        }
    }
}
