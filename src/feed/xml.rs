//! RSS and Atom. Names are taken by what stands behind the prefix where the prefix is that of the feed
//! itself; other prefixes are other vocabularies, of which the two that many feeds need are known.

use super::text::entity;
use super::{MOST, NoFeed, Raw};
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

/// Elements in one another at most; no feed has a dozen.
const DEEPEST: usize = 64;
/// Bytes of one element's text that are read; far more than is shown.
const LONGEST: usize = 20_000;

/// A place of an entry that something is read for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Field {
    Title,
    Summary,
    Content,
    Link,
    Date,
    /// Of less weight: used where there is no `Date`.
    Updated,
}

/// Reads entries until the end of the feed, or the place where it breaks.
pub(super) fn entries(feed: &str) -> Result<Vec<Raw>, NoFeed> {
    let mut reader = Reader::from_str(feed);
    let config = reader.config_mut();
    config.check_end_names = false;
    config.allow_unmatched_ends = true;
    config.allow_dangling_amp = true;
    let mut reading = Reading::default();
    while reading.entries.len() < MOST {
        match reader.read_event() {
            Ok(Event::Start(start)) => reading.start(&start, false)?,
            Ok(Event::Empty(start)) => reading.start(&start, true)?,
            Ok(Event::End(end)) => reading.end(&String::from_utf8_lossy(end.name().as_ref())),
            Ok(Event::Text(text)) => reading.text(&String::from_utf8_lossy(&text)),
            Ok(Event::CData(text)) => reading.text(&String::from_utf8_lossy(&text)),
            Ok(Event::GeneralRef(name)) => {
                let name = String::from_utf8_lossy(&name).into_owned();
                match entity(&name) {
                    Some(c) => reading.text(c.encode_utf8(&mut [0; 4])),
                    None => reading.text(&format!("&{name};")),
                }
            }
            Ok(Event::Eof) | Err(_) => break,
            Ok(_) => {}
        }
        if reading.open.len() > DEEPEST {
            break;
        }
    }
    if !reading.is_feed {
        return Err(NoFeed::Unknown);
    }
    Ok(reading.entries)
}

#[derive(Default)]
struct Reading {
    is_feed: bool,
    /// The prefix of the feed's own elements, with its colon; empty where they have none.
    prefix: String,
    /// Names of the elements that are open.
    open: Vec<String>,
    entries: Vec<Raw>,
    entry: Option<Entry>,
    /// What is read, from which depth on, and how far.
    field: Option<(Field, usize, String)>,
}

struct Entry {
    raw: Raw,
    updated: String,
    depth: usize,
}

impl Reading {
    fn start(&mut self, start: &BytesStart<'_>, is_empty: bool) -> Result<(), NoFeed> {
        let name = String::from_utf8_lossy(start.name().as_ref()).into_owned();
        if !self.is_feed {
            self.root(&name)?;
        } else if let Some((_, _, markup)) = &mut self.field {
            // Markup that was not escaped: what it holds is text, it parts words.
            push(markup, " ");
        } else if let Some(entry) = &mut self.entry {
            if self.open.len() == entry.depth {
                let field = field(name.strip_prefix(&self.prefix).unwrap_or(&name));
                if field == Some(Field::Link) {
                    link_of(start, &mut entry.raw.link);
                }
                self.field = field.map(|field| (field, self.open.len(), String::new()));
            }
        } else if ["item", "entry"].contains(&name.strip_prefix(&self.prefix).unwrap_or(&name)) {
            self.entry = Some(Entry {
                raw: Raw::default(),
                updated: String::new(),
                depth: self.open.len() + 1,
            });
        }
        self.open.push(name);
        if is_empty {
            self.close(self.open.len().saturating_sub(1));
        }
        Ok(())
    }

    fn root(&mut self, name: &str) -> Result<(), NoFeed> {
        let (prefix, local) = name.rsplit_once(':').unwrap_or(("", name));
        match local {
            "rss" | "feed" => {
                self.prefix = if prefix.is_empty() {
                    String::new()
                } else {
                    format!("{prefix}:")
                };
            }
            // Its items are of another vocabulary than itself.
            "RDF" => {}
            _ if local.eq_ignore_ascii_case("html") => return Err(NoFeed::Page),
            _ => return Err(NoFeed::Unknown),
        }
        self.is_feed = true;
        Ok(())
    }

    /// An end closes the last element of its name and all in it; without one it closes nothing.
    fn end(&mut self, name: &str) {
        if let Some(place) = self.open.iter().rposition(|open| open == name) {
            self.close(place);
        }
    }

    fn close(&mut self, place: usize) {
        self.open.truncate(place);
        if let Some((field, _, text)) = self.field.take_if(|(_, depth, _)| *depth >= place) {
            if let Some(entry) = &mut self.entry {
                entry.take(field, text);
            }
        } else if let Some((_, _, markup)) = &mut self.field {
            push(markup, " ");
        }
        if let Some(mut entry) = self.entry.take_if(|entry| entry.depth > place) {
            if entry.raw.date.is_empty() {
                entry.raw.date = entry.updated;
            }
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
    /// What came first stays.
    fn take(&mut self, field: Field, text: String) {
        let place = match field {
            Field::Title => &mut self.raw.title,
            Field::Summary => &mut self.raw.summary,
            Field::Content => &mut self.raw.content,
            Field::Link => &mut self.raw.link,
            Field::Date => &mut self.raw.date,
            Field::Updated => &mut self.updated,
        };
        if place.trim().is_empty() {
            *place = text;
        }
    }
}

fn push(text: &mut String, more: &str) {
    if text.len() < LONGEST {
        text.push_str(more);
    }
}

fn field(name: &str) -> Option<Field> {
    Some(match name {
        "title" => Field::Title,
        "description" | "summary" => Field::Summary,
        "content" | "content:encoded" => Field::Content,
        "link" => Field::Link,
        "pubDate" | "published" | "dc:date" | "issued" => Field::Date,
        "updated" | "modified" => Field::Updated,
        _ => return None,
    })
}

/// The address of an Atom link that leads to the entry itself.
fn link_of(start: &BytesStart<'_>, link: &mut String) {
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
