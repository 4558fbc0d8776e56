//! RSS and Atom. Elements with the feed's own prefix are matched by local name. Other prefixes are other
//! vocabularies, of which two common ones are supported.

use super::text::entity;
use super::{FeedError, MOST, Raw};
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

/// Maximum nesting. Real feeds have less than a dozen levels.
const MAX_DEPTH: usize = 64;
/// Maximum bytes of an element's text; more than is shown.
const MAX_BYTES: usize = 20_000;

/// A field of an entry.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Field {
    Title,
    Summary,
    Content,
    Link,
    Date,
    Updated,
}

/// Reads entries until the end of the feed or the first syntax error.
pub(super) fn entries(feed: &str) -> Result<Vec<Raw>, FeedError> {
    let mut reader = Reader::from_str(feed);
    let config = reader.config_mut();
    config.check_end_names = false;
    config.allow_unmatched_ends = true;
    config.allow_dangling_amp = true;
    let mut parser = Parser::default();
    while parser.entries.len() < MOST {
        match reader.read_event() {
            Ok(Event::Start(start)) => parser.start(&start, false)?,
            Ok(Event::Empty(start)) => parser.start(&start, true)?,
            Ok(Event::End(end)) => parser.end(&String::from_utf8_lossy(end.name().as_ref())),
            Ok(Event::Text(text)) => parser.text(&String::from_utf8_lossy(&text)),
            Ok(Event::CData(text)) => parser.text(&String::from_utf8_lossy(&text)),
            Ok(Event::GeneralRef(name)) => {
                let name = String::from_utf8_lossy(&name).into_owned();
                match entity(&name) {
                    Some(c) => parser.text(c.encode_utf8(&mut [0; 4])),
                    None => parser.text(&format!("&{name};")),
                }
            }
            Ok(Event::Eof) | Err(_) => break,
            Ok(_) => {}
        }
        if parser.open.len() > MAX_DEPTH {
            break;
        }
    }
    if !parser.is_feed {
        return Err(FeedError::Unknown);
    }
    Ok(parser.entries)
}

#[derive(Default)]
struct Parser {
    is_feed: bool,
    /// Prefix of the feed's own elements, with its colon; empty if there is none.
    prefix: String,
    /// Names of the open elements.
    open: Vec<String>,
    entries: Vec<Raw>,
    entry: Option<Entry>,
    /// The current field, its depth and its text so far.
    field: Option<(Field, usize, String)>,
}

struct Entry {
    raw: Raw,
    depth: usize,
}

impl Parser {
    fn start(&mut self, start: &BytesStart<'_>, is_empty: bool) -> Result<(), FeedError> {
        let name = String::from_utf8_lossy(start.name().as_ref()).into_owned();
        if !self.is_feed {
            self.root(&name)?;
        } else if let Some((_, _, markup)) = &mut self.field {
            // Unescaped markup. Its content is text, and the tag separates words.
            push(markup, " ");
        } else if let Some(entry) = &mut self.entry {
            if self.open.len() == entry.depth {
                let field = field(name.strip_prefix(&self.prefix).unwrap_or(&name));
                if field == Some(Field::Link) {
                    set_link(start, &mut entry.raw.link);
                }
                self.field = field.map(|field| (field, self.open.len(), String::new()));
            }
        } else if ["item", "entry"].contains(&name.strip_prefix(&self.prefix).unwrap_or(&name)) {
            self.entry = Some(Entry {
                raw: Raw::default(),
                depth: self.open.len() + 1,
            });
        }
        self.open.push(name);
        if is_empty {
            self.close(self.open.len().saturating_sub(1));
        }
        Ok(())
    }

    fn root(&mut self, name: &str) -> Result<(), FeedError> {
        let (prefix, local) = name.rsplit_once(':').unwrap_or(("", name));
        match local {
            "rss" | "feed" => {
                self.prefix = if prefix.is_empty() {
                    String::new()
                } else {
                    format!("{prefix}:")
                };
            }
            // Its items have another prefix than the root.
            "RDF" => {}
            _ if local.eq_ignore_ascii_case("html") => return Err(FeedError::Page),
            _ => return Err(FeedError::Unknown),
        }
        self.is_feed = true;
        Ok(())
    }

    /// Closes the last open element of that name and all elements in it. An unmatched end tag has no
    /// effect.
    fn end(&mut self, name: &str) {
        if let Some(place) = self.open.iter().rposition(|open| open == name) {
            self.close(place);
        }
    }

    fn close(&mut self, place: usize) {
        self.open.truncate(place);
        if let Some((field, _, text)) = self.field.take_if(|(_, depth, _)| *depth >= place) {
            if let Some(entry) = &mut self.entry {
                entry.set(field, text);
            }
        } else if let Some((_, _, markup)) = &mut self.field {
            push(markup, " ");
        }
        if let Some(entry) = self.entry.take_if(|entry| entry.depth > place) {
            self.entries.push(entry.raw);
        }
    }

    fn text(&mut self, text: &str) {
        if let Some((_, _, read)) = &mut self.field {
            push(read, text);
        }
    }
}

impl Entry {
    /// Sets a field. The first value stays.
    fn set(&mut self, field: Field, text: String) {
        let place = match field {
            Field::Title => &mut self.raw.title,
            Field::Summary => &mut self.raw.summary,
            Field::Content => &mut self.raw.content,
            Field::Link => &mut self.raw.link,
            Field::Date => &mut self.raw.date,
            Field::Updated => &mut self.raw.updated,
        };
        if place.trim().is_empty() {
            *place = text;
        }
    }
}

fn push(text: &mut String, more: &str) {
    if text.len() < MAX_BYTES {
        text.push_str(more);
    }
}

fn field(name: &str) -> Option<Field> {
    Some(match name {
        "title" => Field::Title,
        "description" | "summary" => Field::Summary,
        "content" | "content:encoded" => Field::Content,
        "link" => Field::Link,
        "pubDate" | "pubdate" | "published" | "date" | "dc:date" | "issued" | "dcterms:created"
        | "dcterms:issued" => Field::Date,
        "updated" | "modified" | "dcterms:modified" | "atom:updated" => Field::Updated,
        _ => return None,
    })
}

/// Sets the address of an Atom link with the relation `alternate`.
fn set_link(start: &BytesStart<'_>, link: &mut String) {
    let (mut address, mut relation) = (None, String::from("alternate"));
    for attribute in start.attributes().with_checks(false).flatten().take(16) {
        let value = String::from_utf8_lossy(&attribute.value).into_owned();
        match attribute.key.as_ref() {
            b"href" => address = Some(value.replace("&amp;", "&")),
            b"rel" => relation = value,
            _ => {}
        }
    }
    if let Some(address) = address
        && relation == "alternate"
        && link.trim().is_empty()
    {
        *link = address;
    }
}
