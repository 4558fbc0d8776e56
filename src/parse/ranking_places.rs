//! Finds orders of the four principles in a text: numbered lines, tables, numbers or ordinals within
//! a line, and sequences (`a > b > c > d`, "a, then b, …"). Decides nothing between several orders.

use super::keywords::{Keywords, by_keywords};
use super::ranking::distinct;
use super::tokens::fold;
use crate::principle::Principle;

/// An order and where in the text it begins, in bytes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Order {
    pub(super) at: usize,
    pub(super) order: [Principle; 4],
}

/// A place in a ranking with what stands at it.
#[derive(Debug, Clone, Copy)]
struct Place<'a> {
    at: usize,
    rank: u8,
    rest: &'a str,
    /// The sign after the number may as well mean "is" (`1: 3`).
    loose: bool,
}

/// Orders in lines that begin with a place: `1.`, `2)`, `(3)`, `第四：`, "First:".
pub(super) fn in_lines(text: &str) -> Vec<Order> {
    let mut places = Vec::new();
    let mut at = 0;
    for line in text.split('\n') {
        if let Some((rank, rest, loose)) = place(line) {
            places.push(Place { at, rank, rest, loose });
        } else if let Some((rank, rest)) = place_after(line) {
            places.push(Place { at, rank, rest, loose: false });
        }
        at += line.len() + 1;
    }
    windows(&places)
}

/// Orders in a Markdown table with a column of ranks.
pub(super) fn in_table(text: &str) -> Vec<Order> {
    let mut rank_column = None;
    let mut rows: Vec<(u8, Vec<&str>)> = Vec::new();
    let mut first = None;
    let mut at = 0;
    for line in text.split('\n') {
        if line.trim_start().starts_with('|') {
            let cells: Vec<&str> = line.trim().trim_matches('|').split('|').map(str::trim).collect();
            if rank_column.is_none() && let Some(column) = cells.iter().position(|cell| is_rank_head(cell)) {
                rank_column = Some(column);
            } else {
                let lone: Vec<usize> = (0..cells.len()).filter(|index| cells.get(*index).is_some_and(|cell| lone_rank(cell).is_some())).collect();
                let column = match (rank_column, lone.as_slice()) {
                    (Some(column), _) => Some(column),
                    (None, [only]) => Some(*only),
                    _ => None,
                };
                if let Some(column) = column && let Some(rank) = cells.get(column).and_then(|cell| lone_rank(cell)) {
                    first.get_or_insert(at);
                    let others = cells.iter().enumerate().filter(|(index, _)| *index != column).map(|(_, cell)| *cell);
                    rows.push((rank, others.collect()));
                }
            }
        }
        at += line.len() + 1;
    }
    rows.sort_by_key(|row| row.0);
    if !rows.iter().map(|row| row.0).eq(1..=4) {
        return Vec::new();
    }
    let order: Option<Vec<Principle>> = rows.iter().map(|(_, cells)| cells.iter().find_map(|cell| label(cell, false))).collect();
    let order = order.as_deref().and_then(distinct);
    order.map(|order| Order { at: first.unwrap_or(0), order }).into_iter().collect()
}

fn is_rank_head(cell: &str) -> bool {
    let cell = fold(cell);
    ["rank", "place", "position", "#", "puesto", "lugar", "posicion", "orden", "order", "rango", "排名", "排序", "名次", "顺序"]
        .iter()
        .any(|word| cell == *word || cell.starts_with(&format!("{word} ")) || (!word.is_ascii() && cell.contains(word)) || cell == format!("my {word}"))
}

fn lone_rank(cell: &str) -> Option<u8> {
    let cell = fold(cell);
    let (rank, rest) = digit(&cell)?;
    matches!(rest.trim(), "" | "." | "st" | "nd" | "rd" | "th" | "o" | "º" | "°").then_some(rank)
}

/// A digit 1 to 4 that begins the text and is no part of a longer number.
fn digit(text: &str) -> Option<(u8, &str)> {
    let first = text.bytes().next()?;
    let rest = text.get(1..)?;
    let decimal = rest.starts_with(['.', ',']) && rest.get(1..).is_some_and(|after| after.starts_with(|c: char| c.is_ascii_digit()));
    (matches!(first, b'1'..=b'4') && !rest.starts_with(|c: char| c.is_ascii_digit()) && !decimal).then(|| (first - b'0', rest))
}

/// Words for places, in the order of the ranks.
const ORDINALS: [&[&str]; 4] = [
    &["first choice", "first place", "first", "1st", "most preferred", "best", "primer lugar", "primera opcion", "primero", "primera", "primer", "第一", "首选", "一"],
    &["second choice", "second place", "second", "2nd", "segundo lugar", "segunda opcion", "segundo", "segunda", "第二", "其次", "二"],
    &["third choice", "third place", "third", "3rd", "tercer lugar", "tercera opcion", "tercero", "tercera", "tercer", "第三", "再次", "三"],
    &[
        "fourth choice", "fourth place", "fourth", "4th", "last", "least preferred", "worst", "cuarto lugar", "cuarta opcion", "cuarto", "cuarta",
        "por ultimo", "第四", "最后", "四",
    ],
];

/// The place that a line begins with, what follows, and whether the sign between is loose.
fn place(line: &str) -> Option<(u8, &str, bool)> {
    let line = line.trim_start_matches([' ', '#', '>', '•', '·', '-', '–', '|', '\t', '+']);
    let bare = line.trim_start_matches(['(', '[', '第']);
    let bracket = bare.len() != line.len();
    let (rank, rest, worded) = if let Some((rank, rest)) = digit(bare) {
        (rank, rest, false)
    } else {
        let (rank, rest) = worded_rank(line)?;
        (rank, rest, true)
    };
    let rest = ["st", "nd", "rd", "th", "º", "°", "ª", "er", "名", "位", "选择", "是", "选"].iter().fold(rest, |rest, suffix| rest.strip_prefix(suffix).unwrap_or(rest));
    let trimmed = rest.trim_start();
    let rest = trimmed.trim_start_matches([')', ']', '.', ':', '-', '–', '—', '=', '、', ',', '。', '>']);
    let sign = trimmed.get(..trimmed.len() - rest.len()).unwrap_or_default();
    if sign.is_empty() && (!bracket && !worded) && !trimmed.starts_with(char::is_alphabetic) {
        return None;
    }
    let loose = sign.contains([':', '-', '–', '—', '=']) && !worded;
    // "2. 1" is a place, "2.1" a section.
    Some((rank, rest.trim(), loose))
}

/// "Rank 1", "First", "第一", "一、".
fn worded_rank(line: &str) -> Option<(u8, &str)> {
    let word_end = line.find(|c: char| !c.is_alphabetic()).unwrap_or(line.len());
    let word = fold(line.get(..word_end).unwrap_or_default());
    if matches!(word.as_str(), "rank" | "place" | "position" | "puesto" | "lugar" | "posicion" | "top" | "number" | "numero" | "排名" | "no") {
        let rest = line.get(word_end..).unwrap_or_default();
        return digit(rest.trim_start_matches([' ', '.', '#', ':', '-']));
    }
    (1..).zip(ORDINALS).find_map(|(rank, words)| {
        words.iter().find_map(|ordinal| {
            let head = line.get(..line.char_indices().nth(ordinal.chars().count()).map_or(line.len(), |(at, _)| at))?;
            let rest = line.get(head.len()..)?;
            let ends = if ordinal.is_ascii() {
                !rest.starts_with(char::is_alphanumeric)
            } else {
                ordinal.chars().count() > 1 || rest.starts_with(['、', '.', '，', ',', ':', '：', ')'])
            };
            (fold(head) == **ordinal && ends).then_some((rank, rest))
        })
    })
}

/// A principle with its rank behind: "Floor: 1", "Principle 3 - rank 2".
fn place_after(line: &str) -> Option<(u8, &str)> {
    let line = line.trim_start_matches([' ', '#', '>', '•', '·', '-', '–']).trim_end_matches(['.', ' ', ')', '。']);
    let (label, rank) = line.rsplit_once([':', '=', '–', '—', '→', '(']).or_else(|| line.rsplit_once(" - "))?;
    let rank = fold(rank.trim());
    let rank = ["rank", "#", "place", "puesto", "rango", "lugar", "第", "排名"].iter().fold(rank.as_str(), |rest, word| rest.strip_prefix(word).unwrap_or(rest));
    let (rank, rest) = digit(rank.trim())?;
    let suffix = matches!(rest.trim(), "" | "st" | "nd" | "rd" | "th" | "o" | "º" | "°" | "名" | "位" | "st place" | "nd place" | "rd place" | "th place");
    (suffix && label.split_whitespace().count() <= 14).then_some((rank, label))
}

/// Every run of four places 1 to 4, in any order, that names four different principles.
fn windows(places: &[Place]) -> Vec<Order> {
    let mut found = Vec::new();
    let mut rest = places;
    while let [a, b, c, d, after @ ..] = rest {
        let ranks = [a.rank, b.rank, c.rank, d.rank];
        let mut sorted = [a, b, c, d];
        sorted.sort_by_key(|place| place.rank);
        let order = is_permutation(ranks).then(|| identify(sorted)).flatten();
        if let Some(order) = order {
            found.push(Order { at: a.at, order });
        }
        // A list in order is one list; nothing of it belongs to the next.
        rest = if order.is_some() || ranks == [1, 2, 3, 4] { after } else { rest.get(1..).unwrap_or_default() };
    }
    found
}

fn is_permutation(ranks: [u8; 4]) -> bool {
    (1..=4).all(|rank| ranks.contains(&rank))
}

/// The principles at four places: by what stands before the explanation, else by the whole entry.
fn identify(places: [&Place; 4]) -> Option<[Principle; 4]> {
    let by = |whole: bool| {
        let order: Option<Vec<Principle>> = places.iter().map(|place| label(place.rest, whole)).collect();
        distinct(order.as_deref()?)
    };
    let order = by(false).or_else(|| by(true))?;
    // `1: 3` may say that principle 1 has rank 3: only when that comes out the same.
    let numbers = places.iter().all(|place| digit(place.rest).is_some_and(|(_, rest)| rest.trim_matches(['.', ' ']).is_empty()));
    let inverse = || (1_u8..).zip(order).all(|(rank, principle)| order.get(usize::from(principle.number()) - 1).is_some_and(|back| back.number() == rank));
    (!(numbers && places.iter().any(|place| place.loose)) || inverse()).then_some(order)
}

/// Where an entry's explanation begins.
const EXPLANATIONS: &[&str] = &[
    " - ", " – ", " — ", "—", "--", ": ", "：", " (", "(", "。", ". ", "; ", ";", "；", " because ", " since ", " which ", " porque ", " ya que ", " pues ",
    "因为", "：",
];

/// The principle of an entry: `whole` takes the explanation into account.
fn label(entry: &str, whole: bool) -> Option<Principle> {
    let folded = fold(entry.trim());
    if let Some((number, rest)) = numbered_label(&folded) {
        let words = match keywords(rest, whole) {
            Keywords::None if !whole => keywords(rest, true),
            found => found,
        };
        return match words {
            Keywords::None => Some(number),
            Keywords::One(principle) => (principle == number).then_some(number),
            // What an explanation compares does not take the number away.
            Keywords::Unclear => rest.starts_with([' ', ':', '-', '(']).then_some(number).filter(|_| keywords(rest, false) == Keywords::None),
        };
    }
    let found = if whole { by_keywords(&folded) } else { keywords(&folded, false) };
    match found {
        Keywords::One(principle) => Some(principle),
        Keywords::None => None,
        // "the floor, not the average as such": what stands before the comma.
        Keywords::Unclear => {
            let head = folded.split([',', '，']).next().filter(|head| head.len() < folded.len())?;
            match by_keywords(head) {
                Keywords::One(principle) => Some(principle),
                _ => None,
            }
        }
    }
}

/// The words of an entry; the first part that names something, unless the whole is asked for.
fn keywords(text: &str, whole: bool) -> Keywords {
    if whole {
        return by_keywords(text);
    }
    let mut rest = text;
    while !rest.trim().is_empty() {
        let cut = EXPLANATIONS.iter().filter_map(|sign| rest.find(sign).map(|at| (at, sign.len()))).min();
        let (head, after) = cut.map_or((rest, ""), |(at, length)| (rest.get(..at).unwrap_or_default(), rest.get(at + length..).unwrap_or_default()));
        if head.chars().any(char::is_alphabetic) {
            let found = by_keywords(head);
            if found != Keywords::None {
                return found;
            }
        }
        rest = after;
    }
    Keywords::None
}

/// The principle whose number or letter begins a folded label ("principle 3", "3", "option c"), and
/// the rest of the label.
pub(super) fn numbered_label(folded: &str) -> Option<(Principle, &str)> {
    let text = folded.trim_start_matches([' ', '"', '\'', '(', '[', '#']);
    let nouns = ["the ", "my ", "el ", "la ", "principle", "principio", "option", "opcion", "原则", "选项", "number", "numero", "no.", "第", " ", "#", "("];
    let mut rest = text;
    let mut named = false;
    while let Some((noun, after)) = nouns.iter().find_map(|noun| rest.strip_prefix(noun).map(|after| (noun, after))) {
        named |= noun.len() > 4 && !noun.ends_with(' ');
        rest = after;
    }
    let letter = rest.bytes().next().filter(|byte| (b'a'..=b'd').contains(byte));
    let (number, after) = match digit(rest) {
        Some(found) => found,
        None if (named || rest.get(1..).is_some_and(|after| after.is_empty() || after.starts_with(')'))) => (letter? - b'a' + 1, rest.get(1..)?),
        None => return None,
    };
    let closed = after.trim_start_matches([')', ']', '.', '"', '\'']);
    let ends = closed.is_empty() || !after.starts_with(char::is_alphanumeric) || after.starts_with(|c: char| !c.is_ascii());
    let unit = closed.trim_start().starts_with(['%', '>', '/']);
    (ends && !unit).then_some((Principle::from_number(number)?, closed))
}

/// Orders with places within a line: `1) … 2) …`, "first …, second …".
pub(super) fn in_text(text: &str) -> Vec<Order> {
    let mut numbers = Vec::new();
    let mut ordinals = Vec::new();
    let folded = fold(text);
    let mut before = ' ';
    let mut at = 0;
    while let Some(first) = folded.get(at..).and_then(|rest| rest.chars().next()) {
        let rest = folded.get(at..).unwrap_or_default();
        let word_start = !before.is_alphanumeric() || !first.is_ascii();
        if word_start && let Some((rank, after)) = digit(rest) && !before.is_ascii_digit() && after.starts_with([')', '.', ':', '、', '=']) {
            numbers.push((at, rank, at + 2.min(rest.len())));
        } else if word_start && let Some((rank, length)) = ordinal(rest) {
            ordinals.push((at, rank, at + length));
        }
        before = first;
        at += first.len_utf8();
    }
    let mut found = windows(&segments(&folded, &numbers));
    found.extend(windows(&segments(&folded, &ordinals)));
    found
}

fn ordinal(rest: &str) -> Option<(u8, usize)> {
    (1..).zip(ORDINALS).find_map(|(rank, words)| {
        let word = words.iter().filter(|word| word.chars().count() > 1).find(|word| rest.starts_with(**word))?;
        let ends = !word.is_ascii() || !rest.get(word.len()..).is_some_and(|after| after.starts_with(char::is_alphanumeric));
        ends.then_some((rank, word.len()))
    })
}

fn segments<'a>(text: &'a str, marks: &[(usize, u8, usize)]) -> Vec<Place<'a>> {
    (0..marks.len())
        .filter_map(|index| {
            let (at, rank, from) = *marks.get(index)?;
            let to = marks.get(index + 1).map_or(text.len(), |next| next.0);
            let rest = text.get(from..to)?.split('\n').next()?;
            let rest = rest.trim_start_matches([' ', ':', ',', '-', '，', '：', '是', ')', '.']);
            Some(Place { at, rank, rest: rest.trim_end_matches([' ', ',', ';', '(']), loose: text.get(..from).is_some_and(|before| before.ends_with([':', '='])) })
        })
        .collect()
}

/// Words and signs that put one thing after another.
const THENS: &[&str] = &[
    ", followed by", " followed by ", ", and then", ", then", " and then ", " then ", ", and finally", ", finally", ", and lastly", ", lastly", ", and last",
    ", seguido de", ", seguida de", " seguido de ", ", luego", " luego ", ", despues", " despues ", " y despues ", " y luego ", ", y finalmente", ", por ultimo", " y por ultimo",
    "，然后是", "，然后", "然后是", "然后", "，其次是", "，其次", "其次", "，接着", "接着", "，再", "，最后是", "，最后", "最后", "，", "、", ", and ", ", y ", ", ", "; ", "；",
];

/// Orders written as a sequence in one line.
pub(super) fn sequences(text: &str) -> Vec<Order> {
    let mut found = Vec::new();
    let mut at = 0;
    for line in text.split('\n') {
        let order = arrows(line).or_else(|| numbers_in_line(line)).or_else(|| listed_words(line));
        if let Some(order) = order {
            found.push(Order { at, order });
        }
        at += line.len() + 1;
    }
    found
}

/// `3 > 1 > 2 > 4`, `a → b → c → d`.
fn arrows(line: &str) -> Option<[Principle; 4]> {
    if !line.contains(['>', '→', '≻', '»']) {
        return None;
    }
    let parts: Vec<&str> = line.split(['>', '→', '≻', '»']).map(|part| part.trim_end_matches(['-', '=', ' '])).collect();
    let [first, second, third, last] = *parts.as_slice() else { return None };
    let first = first.rsplit([':', '：']).next()?;
    let first = if digit(first.trim()).is_some() { first } else { first.rsplit(" is ").next()? };
    four([first, second, third, last])
}

fn four(parts: [&str; 4]) -> Option<[Principle; 4]> {
    let order: Option<Vec<Principle>> = parts.iter().map(|part| short_label(part)).collect();
    distinct(order.as_deref()?)
}

/// A label in a sequence: up to the end of the sentence; a sign of equality makes it a tie.
fn short_label(part: &str) -> Option<Principle> {
    let part = part.split(['。', ';', '；', '=']).next()?;
    let part = part.split(". ").next()?.trim().trim_end_matches('.');
    label(part.trim_end_matches(|c: char| !c.is_alphanumeric() && c != ')'), false)
}

/// Four numbers 1 to 4 and nothing else after a label: `3, 1, 2, 4`, `3-1-2-4`, `3 1 2 4`.
fn numbers_in_line(line: &str) -> Option<[Principle; 4]> {
    let line = line.rsplit([':', '：']).next()?.trim().trim_end_matches(['.', '。']);
    if !line.starts_with(['1', '2', '3', '4', '[', '(']) || line.len() > 60 {
        return None;
    }
    let mut numbers = Vec::new();
    for word in line.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        match word.as_bytes() {
            [digit @ b'1'..=b'4'] => numbers.push(digit - b'0'),
            _ if matches!(word, "and" | "then" | "y" | "luego" | "finally" | "然后" | "和") => {}
            _ => return None,
        }
    }
    let spaced = line.contains([',', ' ', '-', '/', '、', ';', '<']) && !line.contains(['<', '+', '*', '=']);
    let order: Option<Vec<Principle>> = numbers.into_iter().map(Principle::from_number).collect();
    spaced.then_some(distinct(order.as_deref()?)?)
}

/// "Floor, then average, …": four parts in a row, and no other part that names a principle.
fn listed_words(line: &str) -> Option<[Principle; 4]> {
    let folded = fold(line);
    for sentence in folded.split(". ").flat_map(|part| part.split('。')) {
        let (label_before, body) = sentence.split_once([':', '：']).map_or(("", sentence), |(before, body)| (before, body));
        let then = THENS.iter().take(THENS.len() - 9).any(|word| body.contains(word));
        let named = ["rank", "order", "orden", "clasific", "排", "顺序", "prefer", "propos"].iter().any(|word| label_before.contains(word));
        if body.len() > 400 || body.matches([',', '，', '、', ';']).count() > 12 {
            continue;
        }
        let mut parts = vec![body];
        for word in THENS {
            parts = parts.into_iter().flat_map(|part| part.split(word)).collect();
        }
        let parts: Vec<&str> = parts.into_iter().filter(|part| part.chars().any(char::is_alphanumeric)).collect();
        if parts.len() < 4 || parts.len() > 6 {
            continue;
        }
        let labels: Vec<Keywords> = parts.iter().map(|part| short_label(part).map_or_else(|| by_keywords(part), Keywords::One)).collect();
        let named_parts: Vec<Principle> = labels.iter().filter_map(|found| if let Keywords::One(principle) = found { Some(*principle) } else { None }).collect();
        let clear = !labels.contains(&Keywords::Unclear);
        let plain = parts.len() == 4 && label_before.is_empty() && sentence.trim_matches(['.', ' ']).len() == folded.trim_matches(['.', ' ']).len();
        if clear && let Some(order) = distinct(&named_parts) && (then || named || (plain && order != Principle::ALL)) {
            return Some(order);
        }
    }
    None
}
