//! Finds orders of the four principles in a text by their places: numbered lines, tables, numbers or
//! ordinals within a line. Decides nothing between several orders; sequences are found elsewhere.

use super::labels::{digit, label};
use super::ranking::distinct;
use super::tokens::fold;
use crate::principle::Principle;
use crate::sorted::sort_few;

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
            places.push(Place {
                at,
                rank,
                rest,
                loose,
            });
        } else if let Some((rank, rest)) = place_after(line) {
            places.push(Place {
                at,
                rank,
                rest,
                loose: false,
            });
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
            if rank_column.is_none()
                && let Some(column) = cells.iter().position(|cell| is_rank_head(cell))
            {
                rank_column = Some(column);
            } else {
                let lone: Vec<usize> = (0..cells.len())
                    .filter(|index| cells.get(*index).is_some_and(|cell| lone_rank(cell).is_some()))
                    .collect();
                let column = match (rank_column, lone.as_slice()) {
                    (Some(column), _) => Some(column),
                    (None, [only]) => Some(*only),
                    _ => None,
                };
                if let Some(column) = column
                    && let Some(rank) = cells.get(column).and_then(|cell| lone_rank(cell))
                {
                    first.get_or_insert(at);
                    let others = cells
                        .iter()
                        .enumerate()
                        .filter(|(index, _)| *index != column)
                        .map(|(_, cell)| *cell);
                    rows.push((rank, others.collect()));
                }
            }
        }
        at += line.len() + 1;
    }
    sort_few(&mut rows, |a, b| a.0 < b.0);
    if !rows.iter().map(|row| row.0).eq(1..=4) {
        return Vec::new();
    }
    let order: Option<Vec<Principle>> = rows
        .iter()
        .map(|(_, cells)| cells.iter().find_map(|cell| label(cell, false)))
        .collect();
    let order = order.as_deref().and_then(distinct);
    order
        .map(|order| Order {
            at: first.unwrap_or(0),
            order,
        })
        .into_iter()
        .collect()
}

fn is_rank_head(cell: &str) -> bool {
    let cell = fold(cell);
    [
        "rank", "place", "position", "#", "puesto", "lugar", "posicion", "orden", "order", "rango", "排名",
        "排序", "名次", "顺序",
    ]
    .iter()
    .any(|word| {
        cell == *word
            || cell.starts_with(&format!("{word} "))
            || (!word.is_ascii() && cell.contains(word))
            || cell == format!("my {word}")
    })
}

fn lone_rank(cell: &str) -> Option<u8> {
    let cell = fold(cell);
    let (rank, rest) = digit(&cell)?;
    matches!(
        rest.trim(),
        "" | "." | "st" | "nd" | "rd" | "th" | "o" | "º" | "°"
    )
    .then_some(rank)
}

/// Words for places, in the order of the ranks.
const ORDINALS: [&[&str]; 4] = [
    &[
        "first choice",
        "first place",
        "first",
        "1st",
        "most preferred",
        "best",
        "primer lugar",
        "primera opcion",
        "primero",
        "primera",
        "primer",
        "第一",
        "首选",
        "一",
    ],
    &[
        "second choice",
        "second place",
        "second",
        "2nd",
        "segundo lugar",
        "segunda opcion",
        "segundo",
        "segunda",
        "第二",
        "其次",
        "二",
    ],
    &[
        "third choice",
        "third place",
        "third",
        "3rd",
        "tercer lugar",
        "tercera opcion",
        "tercero",
        "tercera",
        "tercer",
        "第三",
        "再次",
        "三",
    ],
    &[
        "fourth choice",
        "fourth place",
        "fourth",
        "4th",
        "last",
        "least preferred",
        "worst",
        "cuarto lugar",
        "cuarta opcion",
        "cuarto",
        "cuarta",
        "por ultimo",
        "第四",
        "最后",
        "四",
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
    let rest = [
        "st", "nd", "rd", "th", "º", "°", "ª", "er", "名", "位", "选择", "是", "选",
    ]
    .iter()
    .fold(rest, |rest, suffix| rest.strip_prefix(suffix).unwrap_or(rest));
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
    let word = if word_end <= 10 {
        fold(line.get(..word_end).unwrap_or_default())
    } else {
        String::new()
    };
    if matches!(
        word.as_str(),
        "rank"
            | "place"
            | "position"
            | "puesto"
            | "lugar"
            | "posicion"
            | "top"
            | "number"
            | "numero"
            | "排名"
            | "no"
    ) {
        let rest = line.get(word_end..).unwrap_or_default();
        return digit(rest.trim_start_matches([' ', '.', '#', ':', '-']));
    }
    let start: String = fold(&line.chars().take(20).collect::<String>());
    let first = start.chars().next()?;
    let (rank, ordinal) = (1..).zip(ORDINALS).find_map(|(rank, words)| {
        let mut words = words.iter().filter(|ordinal| ordinal.starts_with(first));
        words
            .find(|ordinal| start.starts_with(**ordinal))
            .map(|ordinal| (rank, *ordinal))
    })?;
    // Folding changes no count of characters before the end of an ordinal.
    let length = line
        .char_indices()
        .nth(ordinal.chars().count())
        .map_or(line.len(), |(at, _)| at);
    let rest = line.get(length..)?;
    let ends = if ordinal.is_ascii() {
        !rest.starts_with(char::is_alphanumeric)
    } else {
        ordinal.chars().count() > 1 || rest.starts_with(['、', '.', '，', ',', ':', '：', ')'])
    };
    ends.then_some((rank, rest))
}

/// A principle with its rank behind: "Floor: 1", "Principle 3 - rank 2".
fn place_after(line: &str) -> Option<(u8, &str)> {
    let line = line
        .trim_start_matches([' ', '#', '>', '•', '·', '-', '–'])
        .trim_end_matches(['.', ' ', ')', '。']);
    let (label, rank) = line
        .rsplit_once([':', '=', '–', '—', '→', '('])
        .or_else(|| line.rsplit_once(" - "))?;
    let rank = fold(rank.trim());
    let rank = ["rank", "#", "place", "puesto", "rango", "lugar", "第", "排名"]
        .iter()
        .fold(rank.as_str(), |rest, word| {
            rest.strip_prefix(word).unwrap_or(rest)
        });
    let (rank, rest) = digit(rank.trim())?;
    let suffix = matches!(
        rest.trim(),
        "" | "st"
            | "nd"
            | "rd"
            | "th"
            | "o"
            | "º"
            | "°"
            | "名"
            | "位"
            | "st place"
            | "nd place"
            | "rd place"
            | "th place"
    );
    (suffix && label.split_whitespace().count() <= 14).then_some((rank, label))
}

/// Every run of four places 1 to 4, in any order, that names four different principles.
fn windows(places: &[Place]) -> Vec<Order> {
    let mut found = Vec::new();
    let mut rest = places;
    while let [a, b, c, d, after @ ..] = rest {
        let ranks = [a.rank, b.rank, c.rank, d.rank];
        let mut sorted = [a, b, c, d];
        sort_few(&mut sorted, |a, b| a.rank < b.rank);
        let order = is_permutation(ranks).then(|| identify(sorted)).flatten();
        if let Some(order) = order {
            found.push(Order { at: a.at, order });
        }
        // A list in order is one list; nothing of it belongs to the next.
        rest = if order.is_some() || ranks == [1, 2, 3, 4] {
            after
        } else {
            rest.get(1..).unwrap_or_default()
        };
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
    let numbers = places
        .iter()
        .all(|place| digit(place.rest).is_some_and(|(_, rest)| rest.trim_matches(['.', ' ']).is_empty()));
    let inverse = || {
        (1_u8..).zip(order).all(|(rank, principle)| {
            order
                .get(usize::from(principle.number()) - 1)
                .is_some_and(|back| back.number() == rank)
        })
    };
    (!(numbers && places.iter().any(|place| place.loose)) || inverse()).then_some(order)
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
        if word_start
            && let Some((rank, after)) = digit(rest)
            && !before.is_ascii_digit()
            && after.starts_with([')', '.', ':', '、', '='])
        {
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
        let word = words
            .iter()
            .filter(|word| word.chars().count() > 1)
            .find(|word| rest.starts_with(**word))?;
        let ends = !word.is_ascii()
            || !rest
                .get(word.len()..)
                .is_some_and(|after| after.starts_with(char::is_alphanumeric));
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
            Some(Place {
                at,
                rank,
                rest: rest.trim_end_matches([' ', ',', ';', '(']),
                loose: text
                    .get(..from)
                    .is_some_and(|before| before.ends_with([':', '='])),
            })
        })
        .collect()
}
