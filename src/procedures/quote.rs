//! What others wrote as part of a prompt: made harmless, so that it can pass for data only. What is
//! quoted where stands with the prompts of each protocol.

/// A text of a participant on one line: control characters and line breaks become blanks, and
/// characters that turn the writing direction are dropped.
#[must_use]
pub fn inline(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split(|c: char| c.is_whitespace() || c.is_control()) {
        let before = out.len();
        if word.is_ascii() {
            out.push_str(word);
        } else {
            out.extend(word.chars().filter(|&c| !turns_direction(c)));
        }
        if out.len() > before && before > 0 {
            out.insert(before, ' ');
        }
    }
    out
}

/// A text of a participant over several lines, without control characters (line breaks and tabs
/// stay) and characters that turn the writing direction.
#[must_use]
pub fn cleaned(text: &str) -> String {
    let fits = |c: char| c == '\n' || c == '\t' || !(c.is_control() || turns_direction(c));
    let is_break = |c: char| matches!(c, '\r' | '\u{2028}' | '\u{2029}');
    let text = text.trim();
    // Most texts are clean: what is not plain begins with one of these bytes.
    let is_suspect = |byte: u8| matches!(byte, 0..0x09 | 0x0b..0x20 | 0x7f | 0xc2 | 0xe2);
    let is_plain = |part: &[u8]| !part.iter().fold(false, |found, byte| found | is_suspect(*byte));
    if text.as_bytes().chunks(256).all(is_plain) || text.chars().all(|c| fits(c) && !is_break(c)) {
        return text.to_owned();
    }
    let text = text.replace("\r\n", "\n").replace(is_break, "\n");
    text.chars().filter(|&c| fits(c)).collect()
}

/// A text of a participant as a quotation: [`cleaned`], and each line after `> `, so that no line of
/// it can pass for one of the lab.
#[must_use]
pub fn quoted(text: &str) -> String {
    let text = cleaned(text);
    let mut out = String::with_capacity(text.len() + 8);
    for (number, line) in text.split('\n').enumerate() {
        out.push_str(if number == 0 { "> " } else { "\n> " });
        out.push_str(line);
    }
    out
}

fn turns_direction(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}
