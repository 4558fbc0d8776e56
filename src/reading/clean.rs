//! An answer made ready to be read: one form of characters, thinking taken out, and of marks on paper what they
//! mean: ticked boxes, lines struck through, quoted lines. Not for words.

use super::labelled::holds;
use super::normalize::normalize;
use super::token::class;
use std::cmp::Ordering;

/// The answer in lower case as the readers take it.
pub(super) fn clean(text: &str) -> String {
    let text = if text.is_ascii() {
        text.to_owned()
    } else {
        one_form(text)
    };
    let text = if text.contains('，') { spaced(&text) } else { text };
    let text = if text.is_ascii() { text } else { parted(&text) };
    // Escapes of a formula or a shell; within JSON they are its own.
    let text = if text.contains('{') && !text.contains("boxed") {
        text
    } else {
        text.replace('\\', " ")
    };
    let text = normalize(&text);
    let text = if text.is_ascii() {
        text
    } else {
        text.chars().map(|c| simplified(digit(c))).collect()
    };
    let text = if text.contains("~~") { struck(&text) } else { text };
    let text = unboxed(&text);
    let text = if text.contains('|') { untabled(&text) } else { text };
    let text = lines(&text).to_lowercase();
    // Nobody answers at the length of a book; a text that long is not looked into.
    if text.len() > LONGEST {
        "?".to_owned()
    } else {
        text
    }
}

/// Characters of the words that the readers know which are written otherwise in Taiwan and Hong Kong, in the order of their
/// codes; and below them how those words are written.
const TRADITIONAL: &str = include_str!("traditional.txt");

/// Signs that are written in several ways, in one.
fn one_form(text: &str) -> String {
    let mut formed = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '’' | '‘' => formed.push('\''),
            '№' | '＃' => formed.push('#'),
            '👎' | '❌' | '🚫' => formed.push_str(" not "),
            '👍' | '👌' => formed.push_str(" ok "),
            '①'..='④' if formed.trim_end_matches(' ').ends_with('\n') || formed.is_empty() => {
                formed.push(char::from(b'1' + (c as u32 - '①' as u32) as u8));
                formed.push_str(". ");
            }
            '🥇' => formed.push_str("1. "),
            '🥈' => formed.push_str("2. "),
            '🥉' => formed.push_str("3. "),
            '🏅' if text.contains('🥉') => formed.push_str("4. "),
            'º' => {
                let number = ["n.", "n", "N"].into_iter().find(|sign| formed.ends_with(sign));
                formed.truncate(formed.len() - number.map_or(0, str::len));
                formed.push(if number.is_some() { '#' } else { c });
            }
            c => formed.push(c),
        }
    }
    formed
}

/// Bytes of an answer at most.
pub(super) const LONGEST: usize = 64 * 1024;

/// A wide comma groups wide digits only; elsewhere it parts words.
fn spaced(text: &str) -> String {
    let wide = |c: Option<char>| c.is_some_and(|c| ('０'..='９').contains(&c));
    let mut out = String::with_capacity(text.len() + 16);
    let (mut before, mut rest) = (None, text.chars().peekable());
    while let Some(c) = rest.next() {
        out.push(c);
        if c == '，' && !(wide(before) && wide(rest.peek().copied())) {
            out.push(' ');
        }
        before = Some(c);
    }
    out
}

/// In Chinese a blank between clauses stands for a comma: where three characters or digits stand on both sides.
fn parted(text: &str) -> String {
    let is_han = |c: &char| ('\u{4e00}'..='\u{9fff}').contains(c);
    let holds = |part: &mut dyn Iterator<Item = char>| {
        let (mut all, mut han) = (0, 0);
        part.take(3).for_each(|c| {
            all += usize::from(is_han(&c) || c.is_ascii_digit());
            han += usize::from(is_han(&c));
        });
        all == 3 && han > 0
    };
    let mut out = String::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        let (before, after) = text.split_at(at);
        let clauses = c == ' ' && holds(&mut before.chars().rev()) && holds(&mut after.chars().skip(1));
        out.push_str(if clauses { ", " } else { "" });
        if !clauses {
            out.push(c);
        }
    }
    out
}

/// A character as the words that the readers know are written.
pub(super) fn simplified(c: char) -> char {
    if !('\u{4e00}'..='\u{9fff}').contains(&c) {
        return c;
    }
    let Some((traditional, simplified)) = TRADITIONAL.split_once('\n') else {
        return c;
    };
    // Each takes three bytes.
    let at = |text: &str, place: usize| text.get(place * 3..).and_then(|rest| rest.chars().next());
    let (mut from, mut to) = (0, traditional.len() / 3);
    while from < to {
        let middle = (from + to) / 2;
        match at(traditional, middle).map_or(Ordering::Greater, |known| known.cmp(&c)) {
            Ordering::Equal => return at(simplified, middle).unwrap_or(c),
            Ordering::Less => from = middle + 1,
            Ordering::Greater => to = middle,
        }
    }
    c
}

/// Digits of other scripts as Arabic ones.
fn digit(c: char) -> char {
    let zero = match c {
        '\u{660}'..='\u{669}' => 0x660,
        '\u{6f0}'..='\u{6f9}' => 0x6f0,
        '\u{966}'..='\u{96f}' => 0x966,
        _ => return c,
    };
    char::from_digit(c as u32 - zero, 10).unwrap_or(c)
}

pub(super) fn struck(text: &str) -> String {
    let parts = text.split("~~").enumerate();
    parts
        .filter(|(at, _)| at % 2 == 0)
        .map(|(_, part)| part)
        .collect()
}

/// What stands in `boxed{…}` is a line of its own.
fn unboxed(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("boxed{") {
        let Some((inside, behind)) = after.split_once('}') else {
            break;
        };
        out.push_str(before.trim_end_matches(['$', ' ']));
        out.push('\n');
        out.push_str(inside.trim_start_matches("text{"));
        out.push('\n');
        rest = behind.trim_start_matches(['}', '$']);
    }
    out.push_str(rest);
    out.trim().to_owned()
}

/// Tables of two columns as lines with labels, where the first column holds no places and no principles by number; and
/// those with a mark in one row as a form with that row ticked.
fn untabled(text: &str) -> String {
    let cells = |line: &str| -> Option<Vec<String>> {
        let row = line.trim().strip_prefix('|')?;
        let row = row.strip_suffix('|').unwrap_or(row);
        Some(row.split('|').map(|cell| cell.trim().to_owned()).collect())
    };
    let is_rule = |row: &[String]| row.iter().all(|cell| cell.contains("--") || cell.contains(":-"));
    let is_mark = |cell: &String| {
        matches!(
            cell.trim_matches('*'),
            "x" | "X" | "✓" | "✔" | "✅" | "☑" | "[x]" | "[X]"
        )
    };
    let mut out: Vec<String> = Vec::new();
    let mut rows: Vec<(&str, Vec<String>)> = Vec::new();
    for line in text.lines().map(Some).chain([None]) {
        if let Some((line, row)) = line.and_then(|line| Some((line, cells(line)?))) {
            rows.push((line, row));
            continue;
        }
        let head = usize::from(rows.get(1).is_some_and(|row| is_rule(&row.1))) * 2;
        let body = rows.get(head..).unwrap_or_default();
        let marked = body.iter().filter(|row| row.1.iter().any(is_mark)).count();
        let digits = |cell: &str| cell.contains(|c: char| c.is_ascii_digit());
        let plain = |cell: &String| !digits(cell) && !cell.is_empty() && !holds(cell, class::NUM);
        let by_label = body.iter().all(|row| row.1.len() == 2 && plain(&row.1[0]))
            && body.iter().filter(|row| row.1[1].len() == 1).count() < 2;
        for (line, row) in body {
            if marked == 1 {
                let ticked = row.iter().any(is_mark);
                let words: Vec<&str> = row
                    .iter()
                    .filter(|cell| !is_mark(cell))
                    .map(String::as_str)
                    .collect();
                out.push(format!(
                    "{} {}",
                    if ticked { "[x]" } else { "[ ]" },
                    words.join(" ").trim()
                ));
            } else if by_label {
                out.push(format!("{}: {}", row[0], row[1]));
            } else {
                out.push((*line).to_owned());
            }
        }
        let from = out.len() - body.len();
        match rows.first().filter(|_| head > 0 && marked != 1) {
            Some((line, row)) if !by_label => out.insert(from, (*line).to_owned()),
            Some((_, row)) if row.len() == 2 && !plain(&row[1]) => out.insert(from, row.join(": ")),
            _ => {}
        }
        rows.clear();
        out.extend(line.map(str::to_owned));
    }
    out.join("\n")
}

/// A heading of up to three words, which labels what stands below it.
fn is_label(heading: &str) -> bool {
    let says = |c: char| c.is_alphabetic() || c == ' ';
    heading.split(' ').count() <= 3 && heading.chars().all(says)
}

/// Bytes of a line that may be the answer to a label, at most.
const ANSWER: usize = 160;

/// Whether a line goes on with the text, and begins no list, table or part.
fn is_said(line: &str) -> bool {
    let line = line.trim_start();
    let listed = line
        .trim_start_matches(|c: char| c.is_ascii_digit())
        .starts_with(['.', ')', '、']);
    !listed && !line.starts_with(['#', '|', '-', '+', '•', '>', '[']) && !line.starts_with("* ")
}

fn lines(text: &str) -> String {
    const TICKED: [&str; 9] = ["[x]", "[X]", "[✓]", "[✔]", "☑", "☒", "(x)", "✓", "✔"];
    const OPEN: [&str; 4] = ["[ ]", "☐", "[]", "□"];
    let begins = |line: &str, marks: &[&str]| {
        let line = line.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '-' | '*' | '+' | '•'));
        marks
            .iter()
            .find_map(|mark| line.strip_prefix(mark))
            .map(str::to_owned)
    };
    let is_form = text.lines().any(|line| begins(line, &TICKED).is_some());
    let all_quoted = text
        .lines()
        .all(|line| line.starts_with('>') || line.trim().is_empty());
    let letter = |line: &str| {
        let line = line.trim_start_matches(['(', '*', '-', ' ']);
        let mut of = line.chars();
        let place = "abcd".find(of.next()?.to_ascii_lowercase())?;
        let named = matches!(of.next(), Some(')' | '.'))
            && of.as_str().chars().filter(|c| c.is_alphabetic()).count() > 2;
        named.then(|| (place, of.as_str().to_owned()))
    };
    // A list by letters is one by numbers, unless they may stand for what is listed: "a) 3".
    let places = text.lines().filter_map(|line| Some(letter(line)?.0));
    let is_lettered = places.eq(0..4);
    let mut out = String::with_capacity(text.len());
    let (mut under_heading, mut labels, mut joins) = (false, false, false);
    let mut rest = text.lines();
    while let Some(line) = rest.next() {
        if labels && line.trim().is_empty() {
            continue;
        }
        // "> Vote: 2" at the end is no quotation.
        let ends = line.contains(':') && rest.clone().all(|next| next.trim().is_empty());
        let quoted = line.starts_with("> ") && !under_heading && !ends;
        if !line.trim().is_empty() {
            under_heading = line.starts_with('#') || line.starts_with("**") && line.ends_with("**");
        }
        let numbered = letter(line).filter(|_| is_lettered);
        let numbered = numbered.map(|(place, rest)| format!("{}.{rest}", place + 1));
        let line = numbered.as_deref().unwrap_or(line).trim();
        let ticked = begins(line, &TICKED);
        if ticked.is_none() && ((is_form && begins(line, &OPEN).is_some()) || (quoted && !all_quoted)) {
            continue;
        }
        let plain = line.trim_start_matches([
            '#', '>', '•', '–', '—', '·', '=', '✅', '→', '➡', '👉', '-', '+', ' ',
        ]);
        // A minus belongs to its number.
        let minus = plain.starts_with(|c: char| c.is_ascii_digit() || c == '$') && line.starts_with('-');
        let number = plain.starts_with(|c: char| c.is_ascii_digit()) && line.starts_with('#');
        labels = false;
        if !out.is_empty() && !std::mem::take(&mut joins) {
            out.push('\n');
        }
        // A label on a line of its own: a short answer goes on behind it, a list stays below, a long text is no answer.
        let name = plain.trim_matches('*').trim_end_matches([':', '：']);
        if (under_heading || plain.ends_with([':', '：'])) && is_label(name) {
            let next = rest.clone().find(|next| !next.trim().is_empty());
            let is_long = next.is_some_and(|next| next.len() > ANSWER);
            (labels, joins) = (true, !is_long && next.is_some_and(is_said));
            out.push_str(if is_long { plain } else { name });
            out.push_str(match (is_long, joins) {
                (true, _) => "",
                (_, true) => ": ",
                _ => ":",
            });
            continue;
        }
        out.push_str(match &ticked {
            Some(ticked) => ticked.trim(),
            None if minus || number => line,
            None => plain,
        });
    }
    out
}
