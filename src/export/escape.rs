//! Markdown escaping of participants' text: it is displayed literally and cannot create headings, links, tables or HTML
//! elements, nor end the element that contains it.

/// Characters with a meaning in Markdown at every position.
const SPECIAL: &str = "\\`*_[]|~";

/// Escapes text for one line. Line breaks become spaces.
pub(super) fn inline(text: &str) -> String {
    let words: Vec<&str> = text
        .split(['\r', '\n'])
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    escape_line(&words.join(" "))
}

/// Escapes text as a blockquote with its line breaks. Indentation is removed, since it means code in Markdown.
pub(super) fn quote(text: &str) -> String {
    let text = text.replace("\r\n", "\n");
    let lines: Vec<String> = text
        .trim_matches(['\r', '\n', ' ', '\t'])
        .split(['\r', '\n'])
        .map(|text| escape_line(text.trim()))
        .collect();
    let mut quote = String::new();
    for (index, line) in lines.iter().enumerate() {
        let continues = !line.is_empty() && lines.get(index + 1).is_some_and(|next| !next.is_empty());
        quote.push('>');
        if !line.is_empty() {
            quote.push(' ');
            quote.push_str(line);
        }
        quote.push_str(if continues { "\\\n" } else { "\n" });
    }
    quote
}

/// Escapes HTML with entities and Markdown with backslashes. Control characters are replaced, as CommonMark requires for
/// NUL.
fn escape_line(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + text.len() / 8);
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '\t' => escaped.push(' '),
            // Overrides of the writing direction could disguise later text.
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => escaped.push('\u{fffd}'),
            control if control.is_control() => escaped.push('\u{fffd}'),
            special if SPECIAL.contains(special) => escaped.extend(['\\', special]),
            other => escaped.push(other),
        }
    }
    escape_line_start(escaped)
}

/// Escapes list markers and heading underlines at the start of a line.
fn escape_line_start(line: String) -> String {
    if line.starts_with(['-', '+', '=', '#']) {
        return format!("\\{line}");
    }
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    match line.as_bytes().get(digits) {
        Some(b'.' | b')') if digits > 0 => format!("{}\\{}", &line[..digits], &line[digits..]),
        _ => line,
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::HOSTILE;
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn text_is_displayed_literally() {
        assert_eq!(
            inline("<b>A & B</b>\n| `x` *y* __z__"),
            "&lt;b&gt;A &amp; B&lt;/b&gt; \\| \\`x\\` \\*y\\* \\_\\_z\\_\\_"
        );
        assert_eq!(inline("# no heading"), "\\# no heading");
        assert_eq!(inline("12. no list"), "12\\. no list");
        assert_eq!(inline("- no list"), "\\- no list");
        assert_eq!(inline("3.5 and 我"), "3\\.5 and 我");
        assert_eq!(inline("[a]: x ![i](y)"), "\\[a\\]: x !\\[i\\](y)");
        assert_eq!(inline("\0\u{202e}"), "\u{fffd}\u{fffd}");
    }

    #[test]
    fn quotes_keep_line_breaks() {
        assert_eq!(quote("one\ntwo\r\n\n    three\n"), "> one\\\n> two\n>\n> three\n");
        assert_eq!(quote(""), ">\n");
    }

    /// Resolves the escapes as CommonMark does.
    fn unescape(escaped: &str) -> String {
        let mut text = String::new();
        let mut characters = escaped.chars();
        while let Some(character) = characters.next() {
            text.extend(if character == '\\' {
                characters.next()
            } else {
                Some(character)
            });
        }
        text.replace("&lt;", "<")
            .replace("&gt;", ">")
            .replace("&amp;", "&")
    }

    fn is_harmless(line: &str) -> bool {
        let mut escaped = false;
        !line.trim_start().starts_with(['#', '-', '+', '='])
            && line.chars().all(|character| {
                let is_unescaped = !escaped;
                escaped = is_unescaped && character == '\\';
                !(is_unescaped && "<>`*_[]|~".contains(character)) && character != '\n' && character != '\0'
            })
    }

    #[test]
    fn hostile_texts_are_harmless() {
        for text in HOSTILE {
            assert!(is_harmless(&inline(text)), "{text:?}");
            assert!(
                quote(text)
                    .lines()
                    .all(|line| line.strip_prefix('>').is_some_and(is_harmless)),
                "{text:?}"
            );
        }
    }

    proptest! {
        #[test]
        fn any_text_is_harmless(text in "[\\PC\n\r\t<>`*_|#&;=+.)0-9-]*") {
            let escaped = inline(&text);
            prop_assert!(is_harmless(&escaped));
            let expected: Vec<&str> = text.split(['\r', '\n']).map(str::trim).filter(|line| !line.is_empty()).collect();
            let visible = |text: &str| text.replace(['\t'], " ");
            let direction = |c: char| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
            prop_assert_eq!(unescape(&escaped), visible(&expected.join(" ")).replace(direction, "\u{fffd}"));
            for line in quote(&text).lines() {
                prop_assert!(line.starts_with('>') && is_harmless(&line[1..]));
            }
        }
    }
}
