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
        #[serde(skip_serializing_if = "Tone::is_plain")]
        tone: Tone,
    },
    /// Words of a participant, which may contain Markdown.
    Quote {
        text: String,
        /// The participant, if it is not that of the item.
        #[serde(skip_serializing_if = "Option::is_none")]
        seat: Option<String>,
        /// What the participant is called, if not by the name of the seat.
        #[serde(skip_serializing_if = "Option::is_none")]
        called: Option<String>,
        /// An earlier version, to compare.
        #[serde(skip_serializing_if = "Option::is_none")]
        before: Option<String>,
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
    /// What somebody chose; several are a ranking, best first.
    Choices {
        #[serde(skip_serializing_if = "String::is_empty")]
        label: String,
        items: Vec<Choice>,
    },
    /// What each participant chose.
    Votes {
        votes: Vec<Vote>,
    },
    Table(Table),
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

/// How a text stands among others.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Tone {
    #[default]
    Plain,
    /// The main thing of its item.
    Strong,
    /// Something beside the main thing.
    Quiet,
    /// A word or two beside the name of the item's participant.
    Tag,
    /// Something to be aware of.
    Note,
    /// Seen by few.
    Private,
    /// Something that was reached.
    Good,
    /// Something that was missed.
    Bad,
}

impl Tone {
    fn is_plain(&self) -> bool {
        *self == Self::Plain
    }
}

#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Choice {
    pub name: String,
    /// A short name for little room.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub short: Option<String>,
    /// What it means.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
    /// Its number among the options, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<usize>,
    /// Whether the name says why there is no choice.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_missing: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Vote {
    pub seat: String,
    /// What the participant is called, if not by the name of the seat.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub called: Option<String>,
    pub choice: Choice,
    /// Kind of the question that it answers.
    #[serde(skip)]
    pub asked: Option<&'static str>,
}

/// The first cell of a row is its head.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Table {
    pub title: String,
    pub columns: Vec<String>,
    pub rows: Vec<Vec<String>>,
    /// Whether the heads of rows are participants.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub has_seats: bool,
    /// What the participants of the rows are called, if not by the names of their seats.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub called: Vec<String>,
    /// A column that stands out, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<usize>,
    /// A row that stands out, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub row: Option<usize>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Chart {
    pub shape: Shape,
    pub title: String,
    /// What it shows, in a sentence.
    pub text: String,
    /// Unit of the values; may be empty.
    pub unit: String,
    /// Labels of the points of each line.
    pub x: Vec<String>,
    /// The lowest and the highest value of the axis.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<[f64; 2]>,
    /// An area between two lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub band: Option<Band>,
    pub lines: Vec<Line>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Shape {
    #[default]
    Lines,
    /// Lines of places: the first is at the top.
    Places,
    /// A bar for each line at each label.
    Bars,
    /// Bars on top of each other.
    Stacked,
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
    /// The number of the option that it is about, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<usize>,
    /// Whether it is the main line.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub strong: bool,
    /// One per label of the chart.
    pub values: Vec<Option<f64>>,
}

impl Block {
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self::toned(Tone::Plain, text)
    }

    #[must_use]
    pub fn toned(tone: Tone, text: impl Into<String>) -> Self {
        let text = text.into();
        Self::Text { text, tone }
    }

    /// Returns a quotation of the item's participant, or nothing of an empty text.
    #[must_use]
    pub fn quote(text: &str) -> Option<Self> {
        let text = text.trim();
        (!text.is_empty()).then(|| Self::Quote {
            text: text.to_owned(),
            seat: None,
            called: None,
            before: None,
        })
    }

    #[must_use]
    pub fn choice(label: impl Into<String>, choice: Choice) -> Self {
        let (label, items) = (label.into(), vec![choice]);
        Self::Choices { label, items }
    }
}

impl Vote {
    #[must_use]
    pub fn new(seat: &str, choice: Choice) -> Self {
        Self {
            seat: seat.to_owned(),
            called: None,
            choice,
            asked: None,
        }
    }

    /// Names the kind of the question that it answers, so that it is called by who answered that question.
    #[must_use]
    pub fn to(self, kind: &'static str) -> Self {
        Self {
            asked: Some(kind),
            ..self
        }
    }
}

impl Choice {
    #[must_use]
    pub fn named(name: String) -> Self {
        Self {
            name,
            ..Self::default()
        }
    }
}
