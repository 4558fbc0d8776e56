//! Sanitizing of participants' text before it is quoted in a prompt.

/// Returns a text on one line: whitespace and control characters become single spaces, and direction marks
/// are removed.
#[must_use]
pub fn inline(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split(|c: char| c.is_whitespace() || c.is_control()) {
        let before = out.len();
        if word.is_ascii() {
            out.push_str(word);
        } else {
            out.extend(word.chars().filter(|&c| !is_direction_mark(c)));
        }
        if out.len() > before && before > 0 {
            out.insert(before, ' ');
        }
    }
    out
}

/// Returns a multi-line text without control characters (line breaks and tabs stay) and direction marks.
#[must_use]
pub fn cleaned(text: &str) -> String {
    let is_allowed = |c: char| c == '\n' || c == '\t' || !(c.is_control() || is_direction_mark(c));
    let is_break = |c: char| matches!(c, '\r' | '\u{2028}' | '\u{2029}');
    let text = text.trim();
    // Fast path: every character to be removed starts with one of these bytes.
    let is_suspect = |byte: u8| matches!(byte, 0..0x09 | 0x0b..0x20 | 0x7f | 0xc2 | 0xe2);
    let is_plain = |part: &[u8]| !part.iter().fold(false, |found, byte| found | is_suspect(*byte));
    if text.as_bytes().chunks(256).all(is_plain) || text.chars().all(|c| is_allowed(c) && !is_break(c)) {
        return text.to_owned();
    }
    let text = text.replace("\r\n", "\n").replace(is_break, "\n");
    text.chars().filter(|&c| is_allowed(c)).collect()
}

/// Returns the [`cleaned`] text with `> ` before each line, so that no line can pass for the lab's own.
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

fn is_direction_mark(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}
