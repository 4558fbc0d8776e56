//! Reads the topics of a feed as plain text: RSS (0.9 to 2.0), Atom and JSON Feed. It fetches nothing.
//! Topics are untrusted text by others and must be shown as such. A feed that breaks off gives the topics
//! before the break.

mod date;
mod encoding;
mod text;
mod xml;

pub use encoding::encoding;

use serde::Serialize;
use serde_json::Value;

/// Maximum topics read from a feed.
pub const MOST: usize = 100;
/// Maximum characters of a title.
const TITLE: usize = 200;
/// Maximum characters of a text.
const TEXT: usize = 600;

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Topic {
    /// Headline; without one, the beginning of the text.
    pub title: String,
    /// Summary as plain text; may be empty.
    pub text: String,
    /// `http` or `https` address; may be empty.
    pub link: String,
    /// Time of publication or change, in milliseconds since the epoch.
    pub at: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FeedError {
    /// Empty, or white space.
    Empty,
    /// An HTML page.
    Page,
    /// Another format.
    Unknown,
}

/// Reads a feed. Returns its topics in order, without those that have neither title nor text.
///
/// # Errors
/// Returns an error if the text is not a feed. A feed without topics is valid.
pub fn topics(feed: &str) -> Result<Vec<Topic>, FeedError> {
    let feed = feed.trim_start_matches('\u{feff}').trim_start();
    let found = match feed.chars().next() {
        None => return Err(FeedError::Empty),
        Some('{') => json(feed)?,
        Some('<') => xml::entries(feed)?,
        Some(_) => return Err(FeedError::Unknown),
    };
    Ok(found.into_iter().filter_map(Raw::into_topic).take(MOST).collect())
}

/// Returns at most `most` topics with a score above 0, best first; of equal ones, in the order of the feed.
#[must_use]
pub fn best(topics: Vec<Topic>, most: usize, score: impl Fn(&Topic) -> usize) -> Vec<Topic> {
    let mut rated: Vec<(usize, Topic)> = topics.into_iter().map(|topic| (score(&topic), topic)).collect();
    rated.retain(|(score, _)| *score > 0);
    rated.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    rated.truncate(most);
    rated.into_iter().map(|(_, topic)| topic).collect()
}

/// An entry as found in the feed. Texts may contain markup.
#[derive(Debug, Default)]
struct Raw {
    title: String,
    summary: String,
    content: String,
    link: String,
    date: String,
    /// Date of the last change, used if `date` cannot be read.
    updated: String,
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
            at: date::read(&self.date).or_else(|| date::read(&self.updated)),
        })
    }
}

/// Reads the items of a JSON Feed.
fn json(feed: &str) -> Result<Vec<Raw>, FeedError> {
    let feed: Value = serde_json::from_str(feed).map_err(|_| FeedError::Unknown)?;
    let is_json_feed = feed["version"]
        .as_str()
        .is_some_and(|version| version.contains("jsonfeed.org/version/"));
    let items = feed["items"]
        .as_array()
        .filter(|_| is_json_feed)
        .ok_or(FeedError::Unknown)?;
    let raw = |item: &Value| {
        let get = |name: &str| item[name].as_str().unwrap_or_default().to_owned();
        // Plain-text fields contain no markup, so they are escaped.
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
            date: get("date_published"),
            updated: get("date_modified"),
        }
    };
    Ok(items.iter().map(raw).collect())
}

#[cfg(test)]
mod tests;
