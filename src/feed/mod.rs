//! Topics of a feed that somebody named: RSS (0.9 to 2.0), Atom and JSON Feed, as plain text. Fetches
//! nothing and trusts nothing: what comes out is what others wrote, to be shown as theirs. A feed that
//! breaks off gives the topics before the place.

mod date;
mod relevance;
mod text;
mod xml;

pub use relevance::relevant;

use serde::Serialize;
use serde_json::Value;

/// Topics of a feed that are read; the rest is left.
pub const MOST: usize = 100;
/// Characters of a title and of a text at most.
const TITLE: usize = 200;
const TEXT: usize = 600;

/// One entry of a feed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Topic {
    /// Its headline; the beginning of its text where it has none.
    pub title: String,
    /// Its summary as plain text; may be empty.
    pub text: String,
    /// Its address, `http` or `https`; empty where it has none.
    pub link: String,
    /// When it came out or was changed, in milliseconds since the epoch.
    pub at: Option<u64>,
}

/// Why something is no feed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoFeed {
    /// Nothing, or white space.
    Empty,
    /// A page for people.
    Page,
    /// Something else.
    Unknown,
}

/// Reads a feed; its topics in its own order, without those that have neither title nor text.
///
/// # Errors
/// Where it is none. A feed without topics is a feed.
pub fn topics(feed: &str) -> Result<Vec<Topic>, NoFeed> {
    let feed = feed.trim_start_matches('\u{feff}').trim_start();
    let found = match feed.chars().next() {
        None => return Err(NoFeed::Empty),
        Some('{') => json(feed)?,
        Some('<') => xml::entries(feed)?,
        Some(_) => return Err(NoFeed::Unknown),
    };
    Ok(found.into_iter().filter_map(Raw::into_topic).take(MOST).collect())
}

/// An entry as it was found. Texts may hold markup.
#[derive(Debug, Default)]
struct Raw {
    title: String,
    summary: String,
    content: String,
    link: String,
    date: String,
}

impl Raw {
    fn into_topic(self) -> Option<Topic> {
        let summary = text::plain(&self.summary, TEXT);
        let text = if summary.is_empty() {
            text::plain(&self.content, TEXT)
        } else {
            summary
        };
        let title = text::plain(&self.title, TITLE);
        let link = self.link.trim();
        let is_address = link.starts_with("https://") || link.starts_with("http://");
        let is_clean = !link.contains(|c: char| c.is_whitespace() || c.is_control());
        if title.is_empty() && text.is_empty() {
            return None;
        }
        Some(Topic {
            title: if title.is_empty() {
                text::shortened(&text, 80)
            } else {
                title
            },
            text,
            link: if is_address && is_clean {
                link.to_owned()
            } else {
                String::new()
            },
            at: date::read(&self.date),
        })
    }
}

/// The items of a JSON Feed.
fn json(feed: &str) -> Result<Vec<Raw>, NoFeed> {
    let feed: Value = serde_json::from_str(feed).map_err(|_| NoFeed::Unknown)?;
    let is_one = feed["version"]
        .as_str()
        .is_some_and(|version| version.contains("jsonfeed.org/version/"));
    let items = feed["items"]
        .as_array()
        .filter(|_| is_one)
        .ok_or(NoFeed::Unknown)?;
    let raw = |item: &Value| {
        let get = |name: &str| item[name].as_str().unwrap_or_default().to_owned();
        // What is told as text holds no markup: what looks like it is to stay.
        let summary = get("summary").replace('&', "&amp;").replace('<', "&lt;");
        let plain = get("content_text").replace('&', "&amp;").replace('<', "&lt;");
        let link = get("url");
        Raw {
            title: get("title").replace('&', "&amp;").replace('<', "&lt;"),
            summary,
            content: if plain.is_empty() {
                get("content_html")
            } else {
                plain
            },
            link: if link.is_empty() {
                get("external_url")
            } else {
                link
            },
            date: [get("date_published"), get("date_modified")]
                .into_iter()
                .find(|date| !date.is_empty())
                .unwrap_or_default(),
        }
    };
    Ok(items.iter().map(raw).collect())
}

#[cfg(test)]
mod tests;
