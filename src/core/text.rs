//! Texts as lines. Earlier statements come back in every later question (histories, memories), so whole questions
//! would let a record grow with the square of its length. [`Texts`] holds each line once, in memory and in a
//! record, and a text that repeats lines of earlier ones refers to them.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::{self, Debug, Display};
use std::ops::Range;
use std::rc::Rc;

/// Minimum bytes of a reference to earlier lines; what is shorter is written out.
const MIN_COPY: usize = 16;
/// Maximum bytes that a text copies from earlier ones. A longer text is written out.
pub(super) const MAX_COPIED: usize = 1 << 24;

/// A text, whole or as lines that it shares with other texts.
#[derive(Clone, Default)]
pub struct Text(Vec<Rc<str>>);

impl Text {
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.iter().map(|line| line.len()).sum()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the whole text. Allocates if it has several lines.
    #[must_use]
    pub fn get(&self) -> Cow<'_, str> {
        match self.0.as_slice() {
            [only] => Cow::Borrowed(only),
            lines => Cow::Owned(lines.concat()),
        }
    }

    #[must_use]
    pub fn contains(&self, text: &str) -> bool {
        self.get().contains(text)
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Self(vec![text.into()])
    }
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        Self(vec![text.into()])
    }
}

impl Display for Text {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|line| formatter.write_str(line))
    }
}

impl Debug for Text {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        Debug::fmt(&self.get(), formatter)
    }
}

impl Eq for Text {}

impl PartialEq for Text {
    /// Compares the contents, however they are divided.
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0 || self.get() == other.get()
    }
}

impl PartialEq<&str> for Text {
    fn eq(&self, other: &&str) -> bool {
        self.get() == *other
    }
}

impl Serialize for Text {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.get())
    }
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Self::from)
    }
}

/// A text in a record.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum Stored {
    Whole(String),
    Pieces(Vec<Piece>),
}

/// A part of a text in a record.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum Piece {
    New(String),
    /// A copy of lines of earlier texts: index of the first, and how many.
    Old(usize, usize),
}

/// The lines of texts.
#[derive(Default)]
pub(super) struct Texts {
    /// The different lines.
    lines: Vec<KnownLine>,
    /// The index of each in `lines`.
    index: BTreeMap<Rc<str>, u32>,
    /// The texts one after another, each line as its index in `lines`. A text that is one copy is left out.
    all: Vec<u32>,
}

struct KnownLine {
    text: Rc<str>,
    /// Index in `all` where it stands last.
    last: usize,
}

/// A line that is added: alone or shared.
trait Line: AsRef<str> + Into<Rc<str>> + Clone {}

impl Line for &str {}

impl Line for Rc<str> {}

impl Texts {
    /// Adds a text. Returns it as it is stored.
    pub(super) fn store(&mut self, text: &Text) -> Stored {
        let (pieces, _) = self.add(text);
        if text.len() <= MAX_COPIED && pieces.iter().any(|piece| matches!(piece, Piece::Old(..))) {
            Stored::Pieces(pieces)
        } else {
            Stored::Whole(text.to_string())
        }
    }

    /// Adds a text. Returns the same text, in shared lines.
    pub(super) fn share(&mut self, text: &Text) -> Text {
        let (_, place) = self.add(text);
        self.text_at(place)
    }

    /// Adds a stored text. Returns `None` if it refers to missing lines, or to more than [`MAX_COPIED`] bytes.
    pub(super) fn load(&mut self, stored: &Stored) -> Option<Text> {
        let pieces = match stored {
            Stored::Whole(text) => return Some(self.share(&text.as_str().into())),
            Stored::Pieces(pieces) => pieces,
        };
        let (begin, mut copied) = (self.all.len(), 0);
        for piece in pieces {
            match piece {
                Piece::New(new) => new.split_inclusive('\n').for_each(|line| self.add_line(line)),
                Piece::Old(at, count) => {
                    let old = *at..at.checked_add(*count)?;
                    copied += self.bytes_at(self.all.get(old.clone())?);
                    if copied > MAX_COPIED {
                        return None;
                    }
                    if pieces.len() == 1 {
                        return Some(self.text_at(old));
                    }
                    self.copy(old);
                }
            }
        }
        Some(self.text_at(begin..self.all.len()))
    }

    /// Adds a text, unless it is one copy. Returns its pieces, and the place of its lines in `all`.
    fn add(&mut self, text: &Text) -> (Vec<Piece>, Range<usize>) {
        match text.0.as_slice() {
            [whole] => self.add_lines(&whole.split_inclusive('\n').collect::<Vec<_>>()),
            lines => self.add_lines(lines),
        }
    }

    fn add_lines<L: Line>(&mut self, lines: &[L]) -> (Vec<Piece>, Range<usize>) {
        let begin = self.all.len();
        let mut pieces = Vec::new();
        let mut rest = lines;
        while let [line, after @ ..] = rest {
            let old = self.find(rest);
            if old.is_empty() {
                match pieces.last_mut() {
                    Some(Piece::New(new)) => new.push_str(line.as_ref()),
                    _ => pieces.push(Piece::New(line.as_ref().to_owned())),
                }
                self.add_line(line.clone());
                rest = after;
                continue;
            }
            pieces.push(Piece::Old(old.start, old.len()));
            if old.len() == lines.len() {
                return (pieces, old);
            }
            rest = &rest[old.len()..];
            self.copy(old);
        }
        (pieces, begin..self.all.len())
    }

    /// Returns where as many of these lines as possible stand, beginning where the first one stands last.
    fn find<L: Line>(&self, lines: &[L]) -> Range<usize> {
        let Some(first) = lines.first().and_then(|first| self.index.get(first.as_ref())) else {
            return 0..0;
        };
        let at = self.lines[*first as usize].last;
        let known = self.all[at..]
            .iter()
            .map(|known| &*self.lines[*known as usize].text);
        let equal = known
            .zip(lines.iter().map(L::as_ref))
            .take_while(|(known, line)| std::ptr::eq(*known, *line) || known == line);
        let (count, bytes) = equal.fold((0, 0), |(count, bytes), (_, line)| {
            (count + 1, bytes + line.len())
        });
        if bytes < MIN_COPY { 0..0 } else { at..at + count }
    }

    fn add_line(&mut self, line: impl Line) {
        let number = self.index.get(line.as_ref()).copied().unwrap_or_else(|| {
            let (text, number): (Rc<str>, _) = (line.into(), self.lines.len() as u32);
            self.index.insert(Rc::clone(&text), number);
            self.lines.push(KnownLine { text, last: 0 });
            number
        });
        self.push(number);
    }

    fn copy(&mut self, old: Range<usize>) {
        old.for_each(|at| self.push(self.all[at]));
    }

    fn push(&mut self, number: u32) {
        self.lines[number as usize].last = self.all.len();
        self.all.push(number);
    }

    fn bytes_at(&self, numbers: &[u32]) -> usize {
        numbers
            .iter()
            .map(|number| self.lines[*number as usize].text.len())
            .sum()
    }

    fn text_at(&self, place: Range<usize>) -> Text {
        let line = |number: &u32| Rc::clone(&self.lines[*number as usize].text);
        Text(self.all[place].iter().map(line).collect())
    }
}
