//! Names of participants: each has to be one for whoever reads it, person or program, and no word of the procedure, or
//! what is said to one would count for another. Faults in a configuration; nothing is corrected silently. Not for the
//! names that people in a room give themselves, which never reach the table.

use super::spec::fault::FaultValue;
use crate::reading::one_form;

/// Words that no participant can be called, in all languages, and after an empty line those that with a number are one of
/// the things that are voted on.
const WORDS: &str = include_str!("names/words.txt");

/// A letter a line, then those of other scripts that look like it. Source: confusables of Unicode's UTS 39, for Greek and
/// Cyrillic.
const ALIKE: &str = include_str!("names/alike.txt");

/// Why a name cannot be: a fault's words with their values.
pub(super) type Why = (&'static str, Vec<(&'static str, FaultValue)>);

/// A name as it was given, without upper case, and as it looks.
type Keys = [String; 3];

fn keys(name: &str) -> Keys {
    let one = one_form(name);
    [name.to_owned(), latin(&one).to_lowercase(), look(&one)]
}

fn is_twin(one: &Keys, other: &Keys) -> bool {
    one.iter().zip(other).any(|(one, other)| one == other)
}

/// Whether a reader may take a name for another one.
pub(super) fn passes_for(name: &str, other: &str) -> bool {
    let seen = name.replace(|c| hidden(&String::from(c)).is_some(), "");
    is_twin(&keys(&seen), &keys(other))
}

/// The names of a table so far.
#[derive(Default)]
pub(super) struct Names {
    taken: Vec<Keys>,
}

impl Names {
    /// Takes the name of the next participant; why it cannot be.
    pub(super) fn take(&mut self, name: &str) -> Result<(), Why> {
        let shown = || format!("{name:?}").into();
        let place = self.taken.len() + 1;
        let keys = keys(name);
        let twin = self.taken.iter().find(|taken| is_twin(taken, &keys));
        let result = if let Some([twin, ..]) = twin {
            Err(if twin == name {
                ("taken", vec![("name", shown())])
            } else {
                (
                    "name_twin",
                    vec![("name", shown()), ("other", format!("{twin:?}").into())],
                )
            })
        } else if let Some(hidden) = hidden(name) {
            let code = format!("U+{:04X}", u32::from(hidden));
            Err(("name_hidden", vec![("code", code.into())]))
        } else if name.trim() != name {
            Err(("name_ends", vec![("name", shown())]))
        } else if is_word(&keys[1], place) {
            Err(("name_word", vec![("name", shown())]))
        } else {
            Ok(())
        };
        self.taken.push(keys);
        result
    }
}

/// Whether a name, in lower case, is a word of the procedure: an answer, whoever speaks for it, or what is voted on; a
/// number alone is that of a seat.
fn is_word(name: &str, place: usize) -> bool {
    if let Ok(number) = name.parse::<usize>() {
        return number != place;
    }
    let (plain, numbered) = WORDS.split_once("\n\n").unwrap_or_default();
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end();
    plain.lines().any(|word| word == name) || (stem != name && numbered.lines().any(|word| word == stem))
}

/// The first character that nobody sees: control characters, marks of direction, joiners and fillers. Those that make one
/// picture of several stand behind a picture.
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

/// With Latin letters in place of those that look like them.
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

/// As it looks: what a quick eye takes for the same is the same.
fn look(text: &str) -> String {
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

    fn told(names: &[&str]) -> Vec<&'static str> {
        let mut table = Names::default();
        names
            .iter()
            .map(|name| table.take(name).err().map_or("", |(code, _)| code))
            .collect()
    }

    #[test]
    fn a_name_passes_for_another_that_it_looks_like() {
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
            assert!(passes_for(name, "Bot"), "{name:?}");
        }
        for name in ["Bott", "Bo", "", "u-1", "\u{673a}\u{5668}"] {
            assert!(!passes_for(name, "Bot"), "{name:?}");
        }
    }

    #[test]
    fn people_of_all_languages_have_their_names() {
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
        assert_eq!(told(&names), expected);
        assert_eq!(told(&["1", "2", "3"]), ["", "", ""]);
    }

    #[test]
    fn twins_are_told() {
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
            let codes = told(&[one, other]);
            assert!(
                codes[0].is_empty() && !codes[1].is_empty(),
                "{one:?} {other:?}: {codes:?}"
            );
        }
        assert_eq!(told(&["Ana", "Ana"]), ["", "taken"]);
        assert_eq!(told(&["Ana", "ANA"]), ["", "name_twin"]);
    }

    #[test]
    fn what_nobody_sees_is_told() {
        assert_eq!(
            told(&[
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
    fn words_of_the_procedure_are_told() {
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
            assert_eq!(told(&["Ana", name])[1], "name_word", "{name}");
        }
    }
}
