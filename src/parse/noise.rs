//! Digits that stand for themselves yet answer nothing: rounds and people, counts, option lists,
//! list numbers. Amounts are the lexer's.

use super::lexer::{Kind, Mark, is_latin};

/// Turns such digits into `Kind::Amount`.
pub(super) fn drop(text: &str, marks: &mut [Mark]) {
    drop_counts(text, marks);
    drop_option_lists(text, marks);
    drop_list_numbers(text, marks);
}

/// Numbers of rounds and people, counts of things and "of 4" are no choices.
fn drop_counts(text: &str, marks: &mut [Mark]) {
    for i in 0..marks.len() {
        let kind = marks[i].kind;
        if !matches!(kind, Kind::Digit(_) | Kind::Cardinal(_) | Kind::Ordinal(_)) {
            continue;
        }
        let between = |a: usize, b: usize| match (marks.get(a), marks.get(b)) {
            (Some(a), Some(b)) => text.get(a.end..b.start).unwrap_or_default(),
            _ => "",
        };
        let next = marks.get(i + 1).map(|mark| mark.kind);
        let touches_next = between(i, i + 1).trim().is_empty();
        let before = text.get(..marks[i].start).unwrap_or_default();
        let previous = i.checked_sub(1).map(|p| (marks[p].kind, between(p, i).trim()));
        let digit = matches!(kind, Kind::Digit(_));
        let ranked = before.ends_with('第') || matches!(kind, Kind::Ordinal(_));
        let of_round = matches!(next, Some(Kind::Round | Kind::Occasion)) && touches_next;
        let count = !ranked
            && touches_next
            && (next == Some(Kind::Plural)
                || text
                    .get(marks[i].end..)
                    .is_some_and(|after| after.trim_start().starts_with("votes") || after.starts_with('个')));
        let after_round = !matches!(kind, Kind::Ordinal(_))
            && (matches!(previous, Some((Kind::Round, "")))
                || (matches!(previous, Some((Kind::Noun, "")))
                    && i >= 2
                    && marks[i - 2].kind == Kind::Round));
        let listed = i >= 2
            && digit
            && marks[i - 2].kind == Kind::Amount
            && text
                .get(..marks[i - 2].start)
                .is_some_and(|left| left.trim_end().ends_with(is_latin))
            && i >= 3
            && marks[i - 3].kind == Kind::Round
            && matches!(marks[i - 1].kind, Kind::And);
        let of_four = kind == Kind::Digit(4) && of_all(before);
        let share = digit
            && matches!(next, Some(Kind::Or))
            && matches!(marks.get(i + 2).map(|mark| mark.kind), Some(Kind::Digit(5..=9)))
            && between(i, i + 1).is_empty()
            && between(i + 1, i + 2).is_empty();
        if share || of_round || count || after_round || listed || of_four {
            marks[i].kind = Kind::Amount;
        }
    }
}

/// Whether what stands before a 4 makes it the number of principles: "3 of 4", "1/4".
fn of_all(before: &str) -> bool {
    if let Some(left) = before.strip_suffix('/') {
        return left.ends_with(|c: char| c.is_ascii_digit());
    }
    let left = ["of ", "of the ", " de ", " de los ", " de las "]
        .iter()
        .find_map(|of| before.strip_suffix(of));
    let left = left.unwrap_or_default().trim_end();
    !left.is_empty()
        && !["favor", "favour", "choice", "support", "eleccion", "voto"]
            .iter()
            .any(|word| left.ends_with(word))
}

/// "1, 2, 3 or 4", "1-4", "1 to 4": the question, not an answer. And "1 or 0" after words or brackets.
fn drop_option_lists(text: &str, marks: &mut [Mark]) {
    let digits: Vec<usize> = (0..marks.len())
        .filter(|&i| matches!(marks[i].kind, Kind::Digit(_)))
        .collect();
    let value = |marks: &[Mark], at: usize| match marks[at].kind {
        Kind::Digit(n) => n,
        _ => 0,
    };
    let gap = |marks: &[Mark], a: usize, b: usize| {
        text.get(marks[a].end..marks[b].start).unwrap_or_default().trim()
    };
    for window in digits.windows(4) {
        let [a, b, c, d] = *window else { continue };
        let counted = [a, b, c, d].iter().zip(1..).all(|(&at, n)| value(marks, at) == n);
        let joined = [(a, b), (b, c), (c, d)].iter().all(|&(x, y)| {
            let between = gap(marks, x, y);
            let words = between.trim_matches([',', '/', '、', ' ', '|', '"']);
            ["", "or", "and", "o", "y", "或", "和", "或者"].contains(&words)
        });
        if counted && joined {
            for at in [a, b, c, d] {
                marks[at].kind = Kind::Amount;
            }
        }
    }
    for window in digits.windows(2) {
        let [a, b] = *window else { continue };
        if marks[a].kind == Kind::Digit(1) && marks[b].kind == Kind::Digit(4) {
            let between = gap(marks, a, b);
            let ranged = ["-", "—", "to", "a", "al", "through", "到", "至", "~"].contains(&between);
            let before = text.get(..marks[a].start).unwrap_or_default().trim_end();
            let bounded =
                ["and", "y"].contains(&between) && (before.ends_with("between") || before.ends_with("entre"));
            if ranged || bounded {
                marks[a].kind = Kind::Amount;
                marks[b].kind = Kind::Amount;
            }
        }
    }
}

/// List numbers at line starts, when more than one line has one or the first line has none.
fn drop_list_numbers(text: &str, marks: &mut [Mark]) {
    let numbered: Vec<usize> = (0..marks.len())
        .filter(|&i| {
            let before = text.get(..marks[i].start).unwrap_or_default();
            let after = text.get(marks[i].end..).unwrap_or_default();
            let starts = before
                .trim_end_matches([' ', '-', '#', '>'])
                .chars()
                .next_back()
                .is_none_or(|c| c == '\n');
            let signed = after
                .strip_prefix(['.', ')', '、'])
                .or_else(|| after.strip_prefix(':'));
            let item = signed.is_some_and(|item| {
                item.starts_with(|c: char| c != '\n') && !item.trim_start().starts_with('\n')
            });
            matches!(marks[i].kind, Kind::Digit(_)) && starts && item
        })
        .collect();
    let only_first = numbered.len() == 1
        && numbered
            .first()
            .is_some_and(|&i| !text.get(..marks[i].start).unwrap_or_default().contains('\n'));
    if !only_first {
        for i in numbered {
            marks[i].kind = Kind::Amount;
        }
    }
}
