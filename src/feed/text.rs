//! Markup to plain text: tags out, entities read, white space closed up. Not a sanitiser for pages: what
//! comes out is shown as text and never as markup.

/// Names of characters that feeds use beside those of XML.
const NAMED: [(&str, char); 52] = [
    ("aacute", 'á'),
    ("acirc", 'â'),
    ("agrave", 'à'),
    ("amp", '&'),
    ("apos", '\''),
    ("auml", 'ä'),
    ("bull", '•'),
    ("ccedil", 'ç'),
    ("copy", '©'),
    ("deg", '°'),
    ("eacute", 'é'),
    ("ecirc", 'ê'),
    ("egrave", 'è'),
    ("euml", 'ë'),
    ("euro", '€'),
    ("frac12", '½'),
    ("gt", '>'),
    ("hellip", '…'),
    ("iacute", 'í'),
    ("iexcl", '¡'),
    ("iquest", '¿'),
    ("laquo", '«'),
    ("ldquo", '“'),
    ("lsquo", '‘'),
    ("lt", '<'),
    ("mdash", '—'),
    ("middot", '·'),
    ("nbsp", ' '),
    ("ndash", '–'),
    ("ntilde", 'ñ'),
    ("oacute", 'ó'),
    ("ocirc", 'ô'),
    ("ordf", 'ª'),
    ("ordm", 'º'),
    ("ouml", 'ö'),
    ("pound", '£'),
    ("quot", '"'),
    ("raquo", '»'),
    ("rdquo", '”'),
    ("reg", '®'),
    ("rsquo", '’'),
    ("sect", '§'),
    ("shy", '\u{ad}'),
    ("szlig", 'ß'),
    ("times", '×'),
    ("trade", '™'),
    ("uacute", 'ú'),
    ("uuml", 'ü'),
    ("Aacute", 'Á'),
    ("Eacute", 'É'),
    ("Ntilde", 'Ñ'),
    ("Uuml", 'Ü'),
];

/// Elements that part no words.
const INLINE: [&str; 14] = [
    "a", "abbr", "b", "code", "em", "font", "i", "mark", "small", "span", "strong", "sub", "sup", "u",
];
/// Elements whose content nobody reads.
const HIDDEN: [&str; 6] = ["script", "style", "svg", "template", "iframe", "noscript"];
/// Characters of a tag; in longer ones quotes count for nothing.
const LONGEST_TAG: usize = 2000;
/// Bytes of markup that are read for one text.
const LONGEST: usize = 20_000;

/// The character of a name, `#160` or `#xA0` among them.
pub(super) fn entity(name: &str) -> Option<char> {
    if let Some(number) = name.strip_prefix('#') {
        let code = match number.strip_prefix(['x', 'X']) {
            Some(hex) => u32::from_str_radix(hex, 16),
            None => number.parse(),
        };
        return char::from_u32(code.ok()?).filter(|c| *c != '\0');
    }
    NAMED.iter().find(|(known, _)| *known == name).map(|(_, c)| *c)
}

/// The text of a piece of markup, of at most so many characters.
pub(super) fn plain(markup: &str, most: usize) -> String {
    let markup = &markup[..markup.floor_char_boundary(LONGEST)];
    shortened(&closed_up(&decoded(&untagged(markup))), most)
}

/// The first characters, with "…" where some are left out.
pub(super) fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
    }
}

/// Without tags, comments, and what stands in scripts and styles.
fn untagged(markup: &str) -> String {
    let mut text = String::with_capacity(markup.len());
    let mut rest = markup;
    while let Some(at) = rest.find('<') {
        text.push_str(&rest[..at]);
        rest = &rest[at..];
        let next = rest[1..].chars().next();
        if !next.is_some_and(|c| c.is_ascii_alphabetic() || "/!?".contains(c)) {
            text.push('<');
            rest = &rest[1..];
            continue;
        }
        let name: String = rest[1..]
            .trim_start_matches('/')
            .chars()
            .take_while(char::is_ascii_alphanumeric)
            .take(12)
            .map(|c| c.to_ascii_lowercase())
            .collect();
        let opens = !rest.starts_with("</");
        rest = if rest.starts_with("<!--") {
            after(rest, "-->")
        } else {
            after_tag(rest)
        };
        if opens && HIDDEN.contains(&name.as_str()) {
            rest = after_end_of(rest, &name);
        }
        if !INLINE.contains(&name.as_str()) {
            text.push(' ');
        }
    }
    text.push_str(rest);
    text
}

fn after<'a>(text: &'a str, end: &str) -> &'a str {
    text.find(end).map_or("", |at| &text[at + end.len()..])
}

/// What follows a tag; a `>` in a quoted value does not end it. Where it never ends, nothing follows.
fn after_tag(text: &str) -> &str {
    let mut quote = None;
    for (at, c) in text.char_indices().take(LONGEST_TAG) {
        match (quote, c) {
            (None, '>') => return &text[at + 1..],
            (None, '"' | '\'') => quote = Some(c),
            (Some(open), c) if open == c => quote = None,
            _ => {}
        }
    }
    // A stray quote: the first `>` will have to do.
    after(text, ">")
}

fn after_end_of<'a>(text: &'a str, name: &str) -> &'a str {
    let is_end = |at: &usize| {
        let tag = text.get(at + 2..at + 2 + name.len());
        tag.is_some_and(|tag| tag.eq_ignore_ascii_case(name))
    };
    let end = text.match_indices("</").map(|(at, _)| at).find(is_end);
    end.map_or("", |at| after_tag(&text[at..]))
}

fn decoded(text: &str) -> String {
    let mut read = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        read.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let end = rest.bytes().take(12).position(|byte| byte == b';');
        match end.and_then(|end| Some((end, entity(&rest[..end])?))) {
            Some((end, c)) => {
                read.push(c);
                rest = &rest[end + 1..];
            }
            None => read.push('&'),
        }
    }
    read.push_str(rest);
    read
}

/// Without control and invisible characters; one space where there were several.
fn closed_up(text: &str) -> String {
    let mut closed = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_whitespace() || c.is_control() {
            if !closed.is_empty() && !closed.ends_with(' ') {
                closed.push(' ');
            }
        } else if !matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
        {
            closed.push(c);
        }
    }
    closed.truncate(closed.trim_end().len());
    closed
}
