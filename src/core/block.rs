//! What people see of a run, in words: one vocabulary for all screens and reports. A procedure words each fact once, as
//! blocks in the reader's language; the page draws them, and exports write them as Markdown. Texts may come from anybody,
//! so each renderer escapes them.

use serde::Serialize;

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "block", rename_all = "snake_case")]
pub enum Block {
    /// Words of the program, without markup.
    Text {
        text: String,
        /// Whether it is the main thing of its item.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        strong: bool,
    },
    /// Words of a participant, which may contain Markdown.
    Quote {
        text: String,
    },
    List {
        items: Vec<String>,
        /// Whether the items are words of participants.
        quoted: bool,
    },
    /// A figure with its unit, shown at the side.
    Measure {
        text: String,
    },
    /// Blocks under a heading.
    Section {
        title: String,
        blocks: Vec<Block>,
    },
    /// Something to unfold.
    Fold {
        title: String,
        blocks: Vec<Block>,
    },
    Chart(Box<Chart>),
}

/// A line chart.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Chart {
    pub title: String,
    /// What it shows, in a sentence.
    pub text: String,
    /// Unit of the values; may be empty.
    pub unit: String,
    /// Labels of the points of each line.
    pub x: Vec<String>,
    /// An area between two lines.
    pub band: Option<Band>,
    pub lines: Vec<Line>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Band {
    pub lower: Line,
    pub upper: Line,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Line {
    pub label: String,
    /// The participant whose values these are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seat: Option<String>,
    /// Whether it is the main line.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub strong: bool,
    /// One per label of the chart.
    pub values: Vec<Option<f64>>,
}

impl Block {
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        let (text, strong) = (text.into(), false);
        Self::Text { text, strong }
    }

    #[must_use]
    pub fn strong(text: impl Into<String>) -> Self {
        let (text, strong) = (text.into(), true);
        Self::Text { text, strong }
    }

    /// Returns a quotation, or nothing of an empty text.
    #[must_use]
    pub fn quote(text: &str) -> Option<Self> {
        let text = text.trim();
        (!text.is_empty()).then(|| Self::Quote {
            text: text.to_owned(),
        })
    }
}
