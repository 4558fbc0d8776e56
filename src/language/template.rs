//! Templates of prompts: text with variables and optional parts.
//!
//! - `{name}` is replaced by the variable's value. A value is never searched for variables.
//! - `{?name}` at the beginning of a paragraph keeps the paragraph only if the variable has a value, `{?!name}` only
//!   if it has none. On a later line of a paragraph it governs that line alone. Several conditions in a row must
//!   all hold.
//!
//! Paragraphs are separated by a blank line. A brace that no letter, `?` or `!` follows is plain text.

use std::borrow::Cow;

/// Returns the template with its variables replaced; `value` returns an empty text for a variable without a value.
pub fn fill<'a>(template: &str, value: impl Fn(&str) -> Cow<'a, str>) -> String {
    let mut out = String::with_capacity(template.len() * 2);
    let mut between = "";
    for paragraph in template.split("\n\n") {
        let mut separator = between;
        for (number, line) in paragraph.split('\n').enumerate() {
            let (conditions, text) = conditions(line);
            let holds = |&(name, is_wanted): &(&str, bool)| value(name).is_empty() != is_wanted;
            if !conditions.iter().all(holds) {
                match number {
                    0 => break,
                    _ => continue,
                }
            }
            out.push_str(separator);
            (separator, between) = ("\n", "\n\n");
            for piece in Pieces(text) {
                match piece {
                    Piece::Variable(name) => out.push_str(&value(name)),
                    Piece::Text(text) | Piece::Fault(text) => out.push_str(text),
                }
            }
        }
    }
    out
}

/// Returns the variables of a template, each once, in the order of first use.
#[must_use]
pub fn variables(template: &str) -> Vec<&str> {
    let mut names = Vec::new();
    for line in template.split('\n') {
        for piece in pieces(line) {
            match piece {
                Piece::Variable(name) if !names.contains(&name) => names.push(name),
                _ => {}
            }
        }
    }
    names
}

/// A fault of a template, in a line counted from 1.
#[derive(Debug, PartialEq, Eq)]
pub struct TemplateFault<'a> {
    pub line: usize,
    pub kind: FaultKind,
    /// The text at fault; the name of an unknown variable.
    pub found: &'a str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultKind {
    UnknownVariable,
    /// A variable or condition without its closing brace, or a condition that does not begin a line.
    Malformed,
}

/// Returns all faults of a template whose variables are `known`.
#[must_use]
pub fn faults<'a>(template: &'a str, known: &[&str]) -> Vec<TemplateFault<'a>> {
    let mut faults = Vec::new();
    for (number, line) in template.split('\n').enumerate() {
        for piece in pieces(line) {
            let (kind, found) = match piece {
                Piece::Variable(name) if !known.contains(&name) => (FaultKind::UnknownVariable, name),
                Piece::Fault(text) => (FaultKind::Malformed, text),
                _ => continue,
            };
            faults.push(TemplateFault {
                line: number + 1,
                kind,
                found,
            });
        }
    }
    faults
}

/// Splits the conditions from the beginning of a line: name, and whether it must have a value.
fn conditions(mut line: &str) -> (Vec<(&str, bool)>, &str) {
    let mut found = Vec::new();
    while let Some((inside, rest)) = line.strip_prefix("{?").and_then(|rest| rest.split_once('}')) {
        let name = inside.strip_prefix('!').unwrap_or(inside);
        if !is_name(name) {
            break;
        }
        found.push((name, name == inside));
        line = rest;
    }
    (found, line)
}

/// Returns the parts of a line, with the names of its conditions as variables.
fn pieces(line: &str) -> impl Iterator<Item = Piece<'_>> {
    let (conditions, text) = conditions(line);
    let names = conditions.into_iter().map(|(name, _)| Piece::Variable(name));
    names.chain(Pieces(text))
}

enum Piece<'a> {
    Text(&'a str),
    Variable(&'a str),
    /// What begins like a variable or condition and is none here.
    Fault(&'a str),
}

/// Iterates over the parts of a line after its conditions.
struct Pieces<'a>(&'a str);

impl<'a> Iterator for Pieces<'a> {
    type Item = Piece<'a>;

    fn next(&mut self) -> Option<Piece<'a>> {
        let begins = |at: &usize| {
            let next = self.0[at + 1..].chars().next();
            next.is_some_and(|next| next.is_alphabetic() || matches!(next, '_' | '?' | '!'))
        };
        let start = self.0.match_indices('{').map(|(at, _)| at).find(begins);
        let (end, piece): (_, fn(&'a str) -> Piece<'a>) = match start {
            None if self.0.is_empty() => return None,
            None => (self.0.len(), Piece::Text),
            Some(0) => match self.0.find('}') {
                Some(end) if is_name(&self.0[1..end]) => {
                    (end + 1, |text| Piece::Variable(&text[1..text.len() - 1]))
                }
                end => (end.map_or(self.0.len(), |end| end + 1), Piece::Fault),
            },
            Some(start) => (start, Piece::Text),
        };
        let (taken, rest) = self.0.split_at(end);
        self.0 = rest;
        Some(piece(taken))
    }
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(template: &str) -> String {
        fill(template, |name| match name {
            "name" => "{bank} Ann".into(),
            "bank" => "7".into(),
            _ => "".into(),
        })
    }

    #[test]
    fn values_are_filled_in_once_and_plain_braces_stay() {
        assert_eq!(
            filled("{name}, {bank} and {name}: {} {\"a\": 1} { b"),
            "{bank} Ann, 7 and {bank} Ann: {} {\"a\": 1} { b"
        );
        assert_eq!(filled("{bank"), "{bank");
    }

    #[test]
    fn conditions_keep_paragraphs_and_lines() {
        assert_eq!(
            filled("{?none}a\nb\n\n{?!none}c\n{?none}d\n{?bank}e {bank}"),
            "c\ne 7"
        );
        assert_eq!(
            filled("a\n\n{?bank}{?none}b\n\n{?bank}{?!none}c\n\n{?none}d"),
            "a\n\nc"
        );
    }

    #[test]
    fn all_faults_are_found_with_their_lines() {
        let found: Vec<_> = faults(
            "{?own}{nam}\n{name} {name\n\n{?name}{Name} a {?name} {a b}.",
            &["name"],
        )
        .into_iter()
        .map(|fault| (fault.line, fault.kind == FaultKind::UnknownVariable, fault.found))
        .collect();
        assert_eq!(
            found,
            [
                (1, true, "own"),
                (1, true, "nam"),
                (2, false, "{name"),
                (4, true, "Name"),
                (4, false, "{?name}"),
                (4, false, "{a b}")
            ]
        );
        assert_eq!(variables("{?own}{nam}\n{name} {name"), ["own", "nam", "name"]);
        assert_eq!(faults("{?!name}{} {name} {\"a\"}", &["name"]), []);
    }
}
