//! Cleaning of an agent's answer: cuts at stop texts, strips speaker labels, lines in the name of others and
//! extra blank lines. People's messages are not cleaned.

/// Maximum length of a label in brackets, in characters.
const MAX_LABEL: usize = 60;

/// What to cut from an answer.
#[derive(Debug, Clone, Copy)]
pub struct Rules<'a> {
    /// Texts that end a contribution; empty ones are ignored.
    pub stops: &'a [String],
    /// Names of the speaker: name and role.
    pub own: &'a [&'a str],
    /// Names and roles of the others.
    pub others: &'a [&'a str],
    /// Generic labels, such as `Speaker`.
    pub anybody: &'a [&'a str],
    /// Maximum number of non-blank lines; 0: no limit.
    pub max_lines: usize,
}

/// Result of cleaning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cleaned {
    /// May be empty.
    pub text: String,
    /// The other participant in whose name the answer began.
    pub answered_as: Option<String>,
}

/// Extracts the contribution from an answer. The result has no label at its beginning, no stop text after its
/// first character and no line that starts with another's label.
#[must_use]
pub fn clean(answer: &str, rules: &Rules<'_>) -> Cleaned {
    // Trailing blanks on lines would hide a stop text made of line breaks.
    let lines: Vec<&str> = answer.lines().map(str::trim_end).collect();
    let answer = lines.join("\n");
    let mut text = answer.trim();
    let mut answered_as = None;
    while let Some((label, rest)) = leading_label(text, rules) {
        let is = |names: &[&str]| names.iter().any(|name| is_same_name(name, label));
        if answered_as.is_none() && is(rules.others) && !is(rules.own) {
            answered_as = Some(label.to_owned());
        }
        text = rest.trim_start();
    }
    text = before_stops(text, rules.stops);
    text = before_others(text, rules);
    Cleaned {
        text: tidy(text, rules.max_lines),
        answered_as,
    }
}

/// Returns the text before the first stop text, ignoring one at the very beginning.
fn before_stops<'a>(text: &'a str, stops: &[String]) -> &'a str {
    let Some(first) = text.chars().next() else {
        return text;
    };
    let rest = text.get(first.len_utf8()..).unwrap_or_default();
    let stops = stops.iter().filter(|stop| !stop.is_empty());
    match stops.filter_map(|stop| rest.find(stop.as_str())).min() {
        Some(at) => text.get(..first.len_utf8() + at).unwrap_or(text),
        None => text,
    }
}

/// Returns the text before the first later line that starts with another's label.
fn before_others<'a>(text: &'a str, rules: &Rules<'_>) -> &'a str {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if at > 0 {
            let label = leading_label(line.trim_start(), rules).map(|(label, _)| label);
            let is =
                |names: &[&str]| label.is_some_and(|label| names.iter().any(|name| is_label_of(name, label)));
            if is(rules.others) || is(rules.anybody) {
                return text.get(..at).unwrap_or(text);
            }
        }
        at += line.len();
    }
    text
}

/// Splits off the label at the beginning of a text.
fn leading_label<'a>(text: &'a str, rules: &Rules<'_>) -> Option<(&'a str, &'a str)> {
    let text = text.trim_start_matches(['*', '_', ' ', '\t']);
    let (label, rest, has_colon) = if let Some(inside) = text.strip_prefix('[') {
        let (label, rest) = inside.split_once(']')?;
        if label.is_empty() || label.contains('\n') || label.chars().count() > MAX_LABEL {
            return None;
        }
        let rest = rest.trim_start_matches(['*', '_']);
        match after_colon(rest) {
            Some(rest) => (label, rest, true),
            None => (label, rest, false),
        }
    } else {
        let end = text.find([':', '：'])?;
        let (label, rest) = text.split_at(end);
        let label = label.trim_end_matches(['*', '_', ' ', '\t']);
        if label.contains('\n') {
            return None;
        }
        let is_known = all_names(rules).any(|name| is_label_of(name, label));
        (label, after_colon(rest).filter(|_| is_known)?, true)
    };
    let label = label.trim();
    let is_known = || all_names(rules).any(|name| is_label_of(name, label));
    if !has_colon && !is_known() {
        return None;
    }
    let rest = rest
        .trim_start_matches(['*', '_'])
        .trim_start_matches([' ', '\t']);
    let rest = rest
        .strip_prefix(['-', '–'])
        .map_or(rest, |rest| rest.trim_start_matches(' '));
    Some((label, rest))
}

fn all_names<'a>(rules: &Rules<'a>) -> impl Iterator<Item = &'a str> {
    let Rules {
        own, others, anybody, ..
    } = *rules;
    own.iter().chain(others).chain(anybody).copied()
}

fn after_colon(text: &str) -> Option<&str> {
    let text = text.trim_start_matches([' ', '\t']);
    text.strip_prefix([':', '：'])
}

/// Returns whether a label equals a name, with or without a trailing number.
fn is_label_of(name: &str, label: &str) -> bool {
    let bare = label.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end();
    is_same_name(name, label) || is_same_name(name, bare)
}

fn is_same_name(name: &str, label: &str) -> bool {
    !name.is_empty() && name.trim().to_lowercase() == label.to_lowercase()
}

/// Trims the text, collapses blank lines and limits the number of lines.
fn tidy(text: &str, max_lines: usize) -> String {
    let mut lines: Vec<&str> = Vec::new();
    let mut count = 0;
    for line in text.trim().lines().map(str::trim_end) {
        let is_blank = line.trim().is_empty();
        if max_lines > 0 && count == max_lines && !is_blank {
            break;
        }
        if !is_blank || lines.last().is_some_and(|last| !last.is_empty()) {
            lines.push(if is_blank { "" } else { line });
        }
        count += usize::from(!is_blank);
    }
    lines.join("\n").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rules<'a>(stops: &'a [String], max_lines: usize) -> Rules<'a> {
        Rules {
            stops,
            own: &["Mara", "manager"],
            others: &["Ben", "Cleo O'Hara", "specialist", "用户"],
            anybody: &["Speaker", "Agent"],
            max_lines,
        }
    }

    fn text(answer: &str, stops: &[&str]) -> String {
        let stops: Vec<String> = stops.iter().map(|stop| (*stop).to_owned()).collect();
        clean(answer, &rules(&stops, 0)).text
    }

    #[test]
    fn a_stop_text_after_the_first_character_ends_the_contribution() {
        let stops = ["[", "\n\n", "Speaker:"];
        for (answer, expected) in [
            ("One thing.\n\nAnother.", "One thing."),
            ("One thing. [Ben]: no", "One thing."),
            ("\n\nOne thing.", "One thing."),
            ("[1] stays", "[1] stays"),
            ("One Speaker: two", "One"),
            ("Both [a] and\n\nb", "Both"),
            ("说完了。[用户]：好", "说完了。"),
        ] {
            assert_eq!(text(answer, &stops), expected, "{answer:?}");
        }
        assert_eq!(text("One. Two END three", &["", "END"]), "One. Two");
    }

    #[test]
    fn leading_labels_are_removed() {
        for (answer, expected) in [
            ("[Mara]: Let us start.", "Let us start."),
            ("[Mara] Let us start.", "Let us start."),
            ("Mara: Let us start.", "Let us start."),
            ("**Mara:** Let us start.", "Let us start."),
            ("**Mara**: Let us start.", "Let us start."),
            ("[Chair of the day]: - Let us start.", "Let us start."),
            ("Speaker 3: [Mara]: – Let us start.", "Let us start."),
            ("Manager : Let us start.", "Let us start."),
            ("[Mara]：开始。", "开始。"),
            ("Note: let us start.", "Note: let us start."),
            ("[Sources] are missing.", "[Sources] are missing."),
            ("Mara is my name.", "Mara is my name."),
            ("[Mara]:", ""),
        ] {
            assert_eq!(text(answer, &[]), expected, "{answer:?}");
        }
    }

    #[test]
    fn an_answer_in_the_name_of_another_is_detected() {
        let cleaned = |answer| clean(answer, &rules(&[], 0));
        assert_eq!(cleaned("Ben: I agree.").answered_as.as_deref(), Some("Ben"));
        assert_eq!(
            cleaned("[Cleo O'Hara] I agree.").answered_as.as_deref(),
            Some("Cleo O'Hara")
        );
        assert_eq!(cleaned("[Cleo O'Hara] I agree.").text, "I agree.");
        assert_eq!(cleaned("Mara: I agree.").answered_as, None);
    }

    #[test]
    fn lines_in_the_name_of_others_are_cut() {
        for (answer, expected) in [
            ("I begin.\nBen: I agree.\nMara: Good.", "I begin."),
            ("I begin.\n  [Ben] I agree.", "I begin."),
            ("I begin.\n**Speaker 2:** I agree.", "I begin."),
            ("我开始。\n用户：好。", "我开始。"),
            ("I begin.\nMara: and go on.", "I begin.\nMara: and go on."),
            ("I begin.\nBenefits: many.", "I begin.\nBenefits: many."),
            ("I begin.\nAsk Ben: he knows.", "I begin.\nAsk Ben: he knows."),
        ] {
            assert_eq!(text(answer, &[]), expected, "{answer:?}");
        }
    }

    #[test]
    fn extra_blank_lines_and_lines_are_removed() {
        assert_eq!(text(" a \n\n\n\n b\r\nc ", &[]), "a\n\n b\nc");
        let lines = |max| clean("a\n\nb\nc\nd", &rules(&[], max)).text;
        assert_eq!([lines(0), lines(1), lines(3)], ["a\n\nb\nc\nd", "a", "a\n\nb\nc"]);
    }

    proptest! {
        #[test]
        fn no_label_or_stop_text_is_left(answer in "(\\[|\\]|:|：|\\*|\n|-| |Ben|Mara|Speaker|END|a|好|7){0,24}") {
            let stops = ["END".to_owned(), "\n\n".to_owned()];
            let rules = rules(&stops, 3);
            let cleaned = clean(&answer, &rules).text;
            prop_assert_eq!(cleaned.trim(), &cleaned);
            let rest: String = cleaned.chars().skip(1).collect();
            prop_assert!(!rest.contains("END") && !rest.contains("\n\n"), "{:?}", cleaned);
            for line in cleaned.lines() {
                let label = leading_label(line, &rules).map(|(label, _)| label);
                prop_assert!(!label.is_some_and(|label| is_label_of("Ben", label)), "{:?}", cleaned);
            }
        }

        #[test]
        fn cleaning_terminates_for_any_text(answer in any::<String>()) {
            let stops = [String::new(), "[".to_owned()];
            let cleaned = clean(&answer, &rules(&stops, 0)).text;
            prop_assert!(cleaned.len() <= answer.len());
        }
    }
}
