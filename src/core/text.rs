//! Texts that share their pieces. Earlier statements come back in every later question (histories,
//! memories), so a record with whole questions would grow with the square of its length. A text here is a
//! leaf or a join of earlier texts, in memory and in the record, and each is stored once.
//!
//! Callers pass plain texts. A text is cut by its content: after each line, and within long lines at a
//! rolling hash. Leaves are combined into groups, and groups into larger groups, which end at a hash of
//! their last piece. Texts with a common passage therefore share its leaves and groups at any position, and
//! a change adds one leaf and one group per level. Cutting and hashing are part of the record format: the
//! same text has the same pieces on every machine.

use serde::de::{self, Deserializer, SeqAccess, Visitor};
use serde::{Deserialize, Serialize, Serializer};
use std::borrow::Cow;
use std::fmt::{self, Debug, Display};
use std::rc::Rc;

/// Minimum bytes of a leaf, if the text is that long.
const MIN_LEAF: usize = 16;
/// Range of bytes within which a long line is cut.
const LONG_LINE: std::ops::Range<usize> = 256..2048;
/// Maximum pieces of a text without groups. A group has two to sixteen times as many at most.
const MAX_PIECES: usize = 8;
/// Maximum pieces of a group.
const MAX_GROUP: usize = 128;
/// Maximum levels of joins. Bounds the stack of recursive functions.
const MAX_DEPTH: u8 = 64;
/// Maximum bytes of a joined text.
pub(super) const MAX_TEXT: usize = 1 << 26;

#[derive(Clone)]
pub struct Text(Rc<Node>);

struct Node {
    /// Hash of the content by its pieces.
    hash: u64,
    len: usize,
    depth: u8,
    form: Form,
}

pub(super) enum Form {
    Leaf(Box<str>),
    Join(Box<[Text]>),
    /// Number of a text in the record. Occurs only while a line is read, until it is resolved.
    Number(u32),
}

impl Text {
    fn leaf(text: impl Into<Box<str>>) -> Self {
        let text = text.into();
        Self(Rc::new(Node {
            hash: hash_of(text.as_bytes()),
            len: text.len(),
            depth: 0,
            form: Form::Leaf(text),
        }))
    }

    /// Joins texts. Returns `None` above [`MAX_TEXT`] bytes or [`MAX_DEPTH`] levels.
    pub(super) fn join(parts: impl Into<Box<[Self]>>) -> Option<Self> {
        let parts = parts.into();
        let len = parts
            .iter()
            .try_fold(0_usize, |len, part| len.checked_add(part.0.len))?;
        let depth = parts.iter().map(|part| part.0.depth).max().unwrap_or_default() + 1;
        (len <= MAX_TEXT && depth <= MAX_DEPTH).then(|| {
            Self(Rc::new(Node {
                hash: hash_parts(parts.iter()),
                len,
                depth,
                form: Form::Join(parts),
            }))
        })
    }

    pub(super) fn form(&self) -> &Form {
        &self.0.form
    }

    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.len == 0
    }

    /// Returns the whole text. Allocates if it has pieces.
    #[must_use]
    pub fn get(&self) -> Cow<'_, str> {
        match &self.0.form {
            Form::Leaf(text) => Cow::Borrowed(text),
            _ => {
                let mut whole = String::with_capacity(self.0.len);
                self.push_to(&mut whole);
                Cow::Owned(whole)
            }
        }
    }

    #[must_use]
    pub fn contains(&self, text: &str) -> bool {
        self.get().contains(text)
    }

    fn push_to(&self, whole: &mut String) {
        match &self.0.form {
            Form::Leaf(text) => whole.push_str(text),
            Form::Join(parts) => parts.iter().for_each(|part| part.push_to(whole)),
            Form::Number(_) => {}
        }
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Self::leaf(text)
    }
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        Self::leaf(text)
    }
}

impl Default for Text {
    fn default() -> Self {
        Self::leaf("")
    }
}

impl Display for Text {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0.form {
            Form::Leaf(text) => formatter.write_str(text),
            Form::Join(parts) => parts.iter().try_for_each(|part| Display::fmt(part, formatter)),
            Form::Number(_) => Ok(()),
        }
    }
}

impl Debug for Text {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        Debug::fmt(&self.get(), formatter)
    }
}

impl Eq for Text {}

impl PartialEq for Text {
    /// Compares the contents, independently of their pieces.
    fn eq(&self, other: &Self) -> bool {
        if Rc::ptr_eq(&self.0, &other.0) {
            return true;
        }
        if self.0.len != other.0.len {
            return false;
        }
        match (&self.0.form, &other.0.form) {
            (Form::Leaf(one), Form::Leaf(two)) => one == two,
            (Form::Join(one), Form::Join(two)) if one == two => true,
            _ => self.get() == other.get(),
        }
    }
}

impl PartialEq<&str> for Text {
    fn eq(&self, other: &&str) -> bool {
        self.get() == *other
    }
}

/// Serializes as one string. [`super::codec`] writes the pieces.
impl Serialize for Text {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.get())
    }
}

/// A string, or, in a record, a list of pieces and numbers.
impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Read;

        impl<'de> Visitor<'de> for Read {
            type Value = Text;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a text or its pieces")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Text, E> {
                Ok(Text::leaf(text))
            }

            fn visit_u64<E: de::Error>(self, number: u64) -> Result<Text, E> {
                let number = u32::try_from(number).map_err(E::custom)?;
                Ok(Text(Rc::new(Node {
                    hash: 0,
                    len: 0,
                    depth: 0,
                    form: Form::Number(number),
                })))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut pieces: A) -> Result<Text, A::Error> {
                let mut parts = Vec::new();
                while let Some(part) = pieces.next_element()? {
                    parts.push(part);
                }
                Text::join(parts).ok_or_else(|| de::Error::custom("text exceeds the maximum length or depth"))
            }
        }

        deserializer.deserialize_any(Read)
    }
}

/// Deserializes a text without numbers, whole or in pieces.
pub(super) fn whole<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let text = Text::deserialize(deserializer)?;
    if has_numbers(&text) {
        return Err(de::Error::custom(
            "a text number is not allowed here: expected a string or its pieces",
        ));
    }
    Ok(text.get().into_owned())
}

fn has_numbers(text: &Text) -> bool {
    match &text.0.form {
        Form::Leaf(_) => false,
        Form::Join(parts) => parts.iter().any(has_numbers),
        Form::Number(_) => true,
    }
}

/// An interner: texts, each stored once, by index.
#[derive(Default)]
pub(super) struct Texts {
    all: Vec<Text>,
    /// A hash table with open addressing. Holds index + 1; 0 is empty. Its length is a power of two, and it
    /// is at most half full.
    places: Vec<u32>,
}

impl Texts {
    /// Adds a text and all its pieces. Returns its index.
    pub(super) fn intern(&mut self, text: &Text) -> u32 {
        match &text.0.form {
            Form::Join(parts) => {
                if self.place(text).is_none() {
                    for part in parts {
                        self.intern(part);
                    }
                }
                self.add(text)
            }
            Form::Leaf(text) => self.cut(text),
            Form::Number(_) => 0,
        }
    }

    /// Adds a text whose pieces are present. Returns its index.
    pub(super) fn add(&mut self, text: &Text) -> u32 {
        self.place_or_add(text.0.hash, |known| known == text, || text.clone())
    }

    /// Returns the text at an index.
    pub(super) fn at(&self, place: u32) -> Option<&Text> {
        self.all.get(place as usize)
    }

    /// Returns the index of a text.
    pub(super) fn place(&self, text: &Text) -> Option<u32> {
        self.look_up(text.0.hash, |known| known == text)
    }

    fn look_up(&self, hash: u64, is_it: impl Fn(&Text) -> bool) -> Option<u32> {
        let mut at = hash;
        loop {
            let slot = (at % self.places.len().max(1) as u64) as usize;
            let place = self.places.get(slot)?.checked_sub(1)?;
            if self.at(place).is_some_and(&is_it) {
                return Some(place);
            }
            at = at.wrapping_add(1);
        }
    }

    fn push(&mut self, text: Text) -> u32 {
        self.all.push(text);
        if self.all.len() * 2 > self.places.len() {
            self.places = vec![0; (self.places.len() * 2).max(64)];
            (0..self.all.len()).for_each(|place| self.settle(place));
        } else {
            self.settle(self.all.len() - 1);
        }
        self.all.len() as u32 - 1
    }

    /// Inserts an index into the hash table.
    fn settle(&mut self, place: usize) {
        let mut slot = self.all[place].0.hash as usize;
        let last = self.places.len() - 1;
        while self.places[slot & last] != 0 {
            slot = slot.wrapping_add(1);
        }
        self.places[slot & last] = place as u32 + 1;
    }

    fn place_or_add(&mut self, hash: u64, is_it: impl Fn(&Text) -> bool, make: impl FnOnce() -> Text) -> u32 {
        self.look_up(hash, is_it).unwrap_or_else(|| self.push(make()))
    }
}

impl Texts {
    /// Cuts a text and adds its pieces. Returns its index.
    pub(super) fn cut(&mut self, text: &str) -> u32 {
        let mut pieces = Vec::new();
        let mut rest = text;
        while !rest.is_empty() {
            let (leaf, after) = rest.split_at(end_of_leaf(rest));
            pieces.push(self.leaf(leaf));
            rest = after;
        }
        while pieces.len() > MAX_PIECES {
            let mut groups = Vec::with_capacity(pieces.len() / 2);
            let mut begin = 0;
            for (index, piece) in pieces.iter().enumerate() {
                let group = pieces.get(begin..=index).unwrap_or_default();
                let ends = self.hash_at(*piece).is_multiple_of(MAX_PIECES as u64) || group.len() == MAX_GROUP;
                if index + 1 == pieces.len() || ends && group.len() > 1 {
                    groups.push(self.joined(group));
                    begin = index + 1;
                }
            }
            pieces = groups;
        }
        match pieces.as_slice() {
            [] => self.leaf(""),
            parts => self.joined(parts),
        }
    }

    fn leaf(&mut self, text: &str) -> u32 {
        let is_it = |known: &Text| matches!(&known.0.form, Form::Leaf(known) if **known == *text);
        self.place_or_add(hash_of(text.as_bytes()), is_it, || Text::leaf(text))
    }

    fn joined(&mut self, places: &[u32]) -> u32 {
        if let [place] = places {
            return *place;
        }
        let parts = || places.iter().filter_map(|place| self.at(*place));
        let is_it = |known: &Text| matches!(&known.0.form, Form::Join(known) if known.iter().eq(parts()));
        if let Some(place) = self.look_up(hash_parts(parts()), is_it) {
            return place;
        }
        let parts: Vec<Text> = parts().cloned().collect();
        self.push(Text::join(parts).unwrap_or_default())
    }

    fn hash_at(&self, place: u32) -> u64 {
        self.at(place).map_or(0, |text| text.0.hash)
    }
}

/// Returns the end of the first leaf, which depends on the leaf's content alone.
fn end_of_leaf(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut end = 0;
    while end < bytes.len() && end < MIN_LEAF {
        end = text
            .get(end..)
            .and_then(|rest| rest.find('\n'))
            .map_or(bytes.len(), |at| end + at + 1);
        end += bytes.iter().skip(end).take_while(|byte| **byte == b'\n').count();
    }
    if end < LONG_LINE.end {
        return end;
    }
    let mut rolling = 0_u32;
    for (index, byte) in bytes
        .iter()
        .enumerate()
        .take(LONG_LINE.end)
        .skip(LONG_LINE.start - 32)
    {
        rolling = (rolling << 1).wrapping_add((u32::from(*byte) + 1).wrapping_mul(0x9e37_79b1));
        if index >= LONG_LINE.start && rolling >> 24 == 0 && text.is_char_boundary(index) {
            return index;
        }
    }
    (LONG_LINE.start..LONG_LINE.end)
        .rev()
        .find(|end| text.is_char_boundary(*end))
        .unwrap_or(end)
}

const ODD: u64 = 0x9e37_79b9_7f4a_7c15;

/// A 64-bit hash, the same on every machine.
pub(crate) fn hash_of(bytes: &[u8]) -> u64 {
    let mut hash = bytes.len() as u64;
    let (words, rest) = bytes.as_chunks::<8>();
    for word in words {
        hash = mix(hash, u64::from_le_bytes(*word));
    }
    let rest = rest.iter().fold(0, |rest, byte| rest << 8 | u64::from(*byte));
    finish(mix(hash, rest))
}

fn hash_parts<'a>(parts: impl Iterator<Item = &'a Text>) -> u64 {
    finish(parts.fold(ODD, |hash, part| mix(hash, part.0.hash)))
}

fn mix(hash: u64, word: u64) -> u64 {
    (hash.rotate_left(5) ^ word).wrapping_mul(ODD)
}

fn finish(hash: u64) -> u64 {
    let hash = (hash ^ hash >> 32).wrapping_mul(ODD);
    hash ^ hash >> 29
}
