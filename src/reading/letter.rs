//! Letters that stand for principles: "option c", "b > c > d > a", 选B. Not for letters that are words.

use super::scope::is_plain;
use super::token::{Kind, Token, class, tokens};
use crate::language::Language;

/// The text with the number of the principle in the place of each letter that names one.
pub(super) fn numbered(text: String, language: Language) -> String {
    let text = match text.split_once("no. ") {
        Some((before, after)) if after.starts_with(['1', '2', '3', '4']) => format!("{before}nr. {after}"),
        _ => text,
    };
    if !text.bytes().any(|byte| (b'a'..=b'd').contains(&byte)) {
        return text;
    }
    let all = tokens(&text, language);
    let places: Vec<usize> = (0..all.len())
        .filter(|at| letter(&text, &all, *at).is_some())
        .collect();
    let mut named: Vec<usize> = places
        .iter()
        .copied()
        .filter(|at| names(&text, &all, *at))
        .collect();
    // Four in a row.
    for four in places.windows(4) {
        let linked = four.windows(2).all(|two| links(&all, two[0], two[1]));
        let set = four.iter().fold(0, |set, at| {
            set | 1 << letter(&text, &all, *at).unwrap_or_default()
        });
        if linked && set == 0b1_1110 {
            named.extend(four);
        }
    }
    let mut bytes = text.into_bytes();
    for at in named {
        if let Some(byte @ b'a'..=b'd') = bytes.get_mut(all[at].span.0) {
            *byte = *byte - b'a' + b'1';
        }
    }
    String::from_utf8(bytes).unwrap_or_default()
}

/// The number of the letter at a place, which stands by itself.
fn letter(text: &str, all: &[Token], at: usize) -> Option<u8> {
    let token = all.get(at).filter(|token| token.kind == Kind::Word)?;
    match text.as_bytes().get(token.span.0..token.span.1)? {
        [letter @ b'a'..=b'd'] => Some(letter - b'a' + 1),
        _ => None,
    }
}

/// Whether nothing but signs and words such as "then" stand between two places, and one of them at least.
fn links(all: &[Token], from: usize, to: usize) -> bool {
    let between = all.get(from + 1..to).unwrap_or_default();
    (1..=3).contains(&between.len())
        && between.iter().all(|token| match token.sign() {
            Some(sign) => matches!(sign, '>' | '<' | ',' | '、' | '-' | '→' | ';' | '/' | ')' | '('),
            None => token.is(class::AND | class::THEN | class::FILLER),
        })
        && between.iter().any(|token| !token.is(class::FILLER))
}

/// Whether the letter at a place is the name of a principle by what stands beside it.
fn names(text: &str, all: &[Token], at: usize) -> bool {
    let sign = |at: usize| all.get(at).and_then(Token::sign);
    let opens = |at: &usize| matches!(sign(*at), Some(':' | '|' | '"' | '(' | '*' | '“' | '「'));
    let before = (0..at).rev().find(|at| !opens(at));
    let is = |at: Option<usize>, classes: u64| {
        at.and_then(|at| all.get(at))
            .is_some_and(|token| token.is(classes))
    };
    let word = |at: Option<usize>| {
        at.and_then(|at| all.get(at))
            .and_then(|token| text.get(token.span.0..token.span.1))
            .unwrap_or_default()
    };
    let next = all.get(at + 1);
    let closed = next.is_none_or(|next| {
        matches!(
            next.sign(),
            Some(',' | '.' | ';' | ':' | '!' | '?' | ')' | '|' | '"' | '”' | '\n' | '。' | '-' | '—' | '(')
        )
    });
    // "a" is an article and "d" may be short for "de": only where something ends.
    let free = text.as_bytes().get(all[at].span.0) != Some(&b'a')
        && next.is_none_or(|next| {
            next.sign().is_some() || next.classes != 0 && !next.is(class::FLOOR | class::AVG | class::CTX)
        });
    // 选B, but not B同学.
    let han = |token: Option<&Token>| {
        token.is_some_and(|token| {
            text.get(token.span.0..)
                .and_then(|text| text.chars().next())
                .is_some_and(|c| c > '\u{2e80}')
                && token.sign().is_none()
        })
    };
    let beside = at.checked_sub(1).and_then(|at| all.get(at));
    if han(beside) || han(next) {
        let other = class::OTHER | class::CTX | class::COUNTED;
        let tied = |token: Option<&Token>| {
            token.is_some_and(|token| token.is(other) && !token.is(class::NOUN | class::FILLER))
        };
        return !tied(beside)
            && !tied(next)
            && next.is_none_or(|next| next.classes != 0 || next.sign().is_some());
    }
    let alone = before.is_none() || sign(before.unwrap_or_default()) == Some('\n');
    let named = is(before, class::NOUN | class::CHOOSE | class::CORRECT | class::SO)
        && !is(before, class::CTX)
        || matches!(word(before), "la" | "el" | "letter" | "letra" | "for");
    let last = alone
        && (next.is_none()
            || all[at + 1..].iter().take(2).all(|token| token.sign().is_some()) && all.len() <= at + 3);
    named && (closed || free)
        || last
        || alone
            && free
            && next.is_none_or(|next| {
                matches!(next.sign(), Some(',' | '.' | ';' | ':'))
                    || next.is(class::JOIN | class::CERTAIN)
                    || is_plain(next)
            })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_names_where_they_stand_for_one() {
        for (text, wanted) in [
            ("option c", "option 3"),
            ("c)", "3)"),
            ("option (c).", "option (3)."),
            ("c with 12k, very sure", "3 with 12k, very sure"),
            ("c > a > b > d, sure", "3 > 1 > 2 > 4, sure"),
            ("b, then c, then d, then a.", "2, then 3, then 4, then 1."),
            (
                "i vote for d because it is fair",
                "i vote for 4 because it is fair",
            ),
            ("la opción b", "la opción 2"),
            ("la c con 13000", "la 3 con 13000"),
            ("选b", "选2"),
            ("我觉得d比较合理", "我觉得4比较合理"),
            ("my vote: a", "my vote: 1"),
            ("c, with a floor of 12k", "3, with a floor of 12k"),
            // Words, and other letters.
            (
                "i choose a principle that is fair",
                "i choose a principle that is fair",
            ),
            ("a floor for everyone", "a floor for everyone"),
            ("voto a favor d la media", "voto a favor d la media"),
            ("plan b is to wait", "plan b is to wait"),
            ("vitamin c and d", "vitamin c and d"),
            ("b同学说的有道理", "b同学说的有道理"),
            ("a, b and d are worse", "a, b and d are worse"),
        ] {
            assert_eq!(numbered(text.to_owned(), Language::English), wanted, "{text}");
        }
    }
}
