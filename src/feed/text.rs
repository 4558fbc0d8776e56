//! Markup to plain text: removes tags, decodes entities, collapses white space. Not a sanitizer: the result
//! must be shown as text, not as markup.

/// Entities common in feeds, besides those of XML.
const ENTITIES: [(&str, char); 52] = [
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

/// Elements that do not separate words.
const INLINE: [&str; 14] = [
    "a", "abbr", "b", "code", "em", "font", "i", "mark", "small", "span", "strong", "sub", "sup", "u",
];
/// Elements whose content is not text.
const HIDDEN: [&str; 6] = ["script", "style", "svg", "template", "iframe", "noscript"];
/// Maximum characters of a tag with quoted values. In longer tags quotes are ignored.
const MAX_TAG: usize = 2000;
/// Maximum bytes of markup per text.
const MAX_BYTES: usize = 20_000;

/// Decodes an entity by name or number, such as `#160` or `#xA0`.
pub(super) fn entity(name: &str) -> Option<char> {
    if let Some(number) = name.strip_prefix('#') {
        let code = match number.strip_prefix(['x', 'X']) {
            Some(hex) => u32::from_str_radix(hex, 16),
            None => number.parse(),
        };
        return char::from_u32(code.ok()?).filter(|c| *c != '\0');
    }
    ENTITIES.iter().find(|(known, _)| *known == name).map(|(_, c)| *c)
}

/// Returns the plain text of markup, shortened to `most` characters.
pub(super) fn plain(markup: &str, most: usize) -> String {
    let markup = &markup[..markup.floor_char_boundary(MAX_BYTES)];
    shortened(&collapsed(&decoded(&without_tags(markup))), most)
}

/// Returns the first `most` characters, with "…" if some are cut off.
pub(super) fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
    }
}

/// Removes tags, comments, scripts and styles.
fn without_tags(markup: &str) -> String {
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
        let is_start = !rest.starts_with("</");
        rest = if rest.starts_with("<!--") {
            after(rest, "-->")
        } else {
            after_tag(rest)
        };
        if is_start && HIDDEN.contains(&name.as_str()) {
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

/// Returns the text after a tag. A `>` in a quoted value does not end it. Returns an empty text if the tag
/// does not end.
fn after_tag(text: &str) -> &str {
    let mut quote = None;
    for (at, c) in text.char_indices().take(MAX_TAG) {
        match (quote, c) {
            (None, '>') => return &text[at + 1..],
            (None, '"' | '\'') => quote = Some(c),
            (Some(open), c) if open == c => quote = None,
            _ => {}
        }
    }
    // A stray quote: ends at the first `>`.
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

/// Removes control and invisible characters, and collapses white space.
fn collapsed(text: &str) -> String {
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
