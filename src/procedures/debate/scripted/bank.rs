//! Sentences of scripted debaters. Each has a place in a proposal and a side, is filled with the question,
//! and has an equivalent in each language, so that it can be recognised in a text. Proposals are read from
//! these sentences alone.

use crate::language::Language;
use crate::procedures::debate::context::SourceItem;
use crate::procedures::scripted::chance::Chance;
use crate::procedures::scripted::speech::filled;
use crate::procedures::topics::{self, Side};

/// Places in a proposal, in the order of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place {
    Open,
    Claim,
    Reason,
    Example,
    Caveat,
    Unknown,
    Action,
}

impl Place {
    pub(super) const ALL: [Self; 7] = [
        Self::Open,
        Self::Claim,
        Self::Reason,
        Self::Example,
        Self::Caveat,
        Self::Unknown,
        Self::Action,
    ];

    /// Returns the name used in text keys.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Claim => "claim",
            Self::Reason => "reason",
            Self::Example => "example",
            Self::Caveat => "caveat",
            Self::Unknown => "unknown",
            Self::Action => "action",
        }
    }

    /// Returns whether sentences at this place take a side.
    fn has_side(self) -> bool {
        !matches!(self, Self::Open | Self::Unknown)
    }
}

/// A sentence, independent of language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Point {
    pub(super) place: Place,
    pub(super) side: Option<Side>,
    at: usize,
}

struct Sentence {
    point: Point,
    /// In the order of [`Language::ALL`].
    texts: Vec<String>,
    /// Quality for this question under this seed, 0 to 1, the same for all debaters.
    merit: f64,
}

/// All sentences, filled with one question.
pub(super) struct Bank {
    pub(super) language: Language,
    sentences: Vec<Sentence>,
    sides: [f64; 3],
    /// Topic of the question.
    matter: &'static str,
    /// Material that sentences can refer to, in the order handed in.
    sources: Vec<Named>,
}

/// An item of the material.
struct Named {
    /// Citation number.
    number: String,
    title: String,
    text: String,
    merit: f64,
}

/// Maximum characters quoted of a title and of a text.
const MAX_QUOTED: (usize, usize) = (60, 90);

impl Bank {
    pub(super) fn new(language: Language, seed: u32, question: &str) -> Self {
        let topic = topics::of(question);
        let asked = quotable(question);
        let number = (2 + Chance::new(seed, question, "number").below(7)) * 10;
        let number = number.to_string();
        let mut sentences = Vec::new();
        for place in Place::ALL {
            let sides: Vec<Option<Side>> = if place.has_side() {
                Side::ALL.into_iter().map(Some).collect()
            } else {
                vec![None]
            };
            for side in sides {
                let key = match side {
                    Some(side) => format!("{}_{}", place.name(), side.name()),
                    None => place.name().to_owned(),
                };
                let known = |language| {
                    let prepared = topic.and_then(|id| topics::texts(language, id));
                    prepared.unwrap_or_else(|| super::texts(language)).get(&key)
                };
                for at in 0..known(Language::default()).map_or(0, Vec::len) {
                    let texts = Language::ALL.into_iter().map(|language| {
                        let wording = known(language).and_then(|all| all.get(at));
                        let (_, wording) = topics::spoken(wording.map_or("", String::as_str));
                        filled(wording, &[("q", asked.as_str()), ("n", &number)])
                    });
                    let purpose = format!("merit/{key}/{at}");
                    let is_fact = place == Place::Open && topic.is_some();
                    let side = if is_fact { Some(Side::of_fact(at)) } else { side };
                    sentences.push(Sentence {
                        point: Point { place, side, at },
                        texts: texts.collect(),
                        merit: Chance::new(seed, question, &purpose).unit(),
                    });
                }
            }
        }
        let mut chance = Chance::new(seed, question, "sides");
        let mut sides = [0.0; 3].map(|_: f64| chance.unit());
        sides[Side::Middle as usize] += 0.15;
        Self {
            language,
            sentences,
            sides,
            matter: match topic {
                Some(id) => topics::name(language, id),
                None => wording(language, "topic", 0),
            },
            sources: Vec::new(),
        }
    }

    /// Adds the material. Answers from earlier debates are included only for the same question.
    pub(super) fn with_sources(mut self, seed: u32, question: &str, sources: &[SourceItem]) -> Self {
        let named = |(at, source): (usize, &SourceItem)| {
            let is_past = source.kind == "debates" || source.kind == "knowledge";
            let asked = source.title.trim_end_matches('…').trim();
            if is_past && (asked.is_empty() || !question.starts_with(asked)) {
                return None;
            }
            // Answers of debates are preceded by lines about date, result and findings.
            let text = match source.text.rsplit_once("\n- ") {
                Some((_, after)) if is_past => after.split_once('\n').map_or(after, |(_, answer)| answer),
                None if source.kind == "debates" => {
                    source.text.split_once('\n').map_or("", |(_, answer)| answer)
                }
                _ => &source.text,
            };
            let text = short(text, MAX_QUOTED.1);
            let title = short(&source.title, MAX_QUOTED.0);
            let figure = if text.contains(|c: char| c.is_ascii_digit()) {
                1.0
            } else {
                0.0
            };
            Some(Named {
                number: source.evidence.clone(),
                title: if title.is_empty() {
                    format!("{}", at + 1)
                } else {
                    title
                },
                text,
                merit: figure + Chance::new(seed, question, &format!("source/{at}")).unit(),
            })
        };
        self.sources = sources.iter().enumerate().filter_map(named).collect();
        self
    }

    /// Returns the most relevant item, preferably one with a figure.
    pub(super) fn best_source(&self) -> Option<usize> {
        let mut best: Option<(usize, f64)> = None;
        for (at, source) in self.sources.iter().enumerate() {
            if best.is_none_or(|(_, merit)| source.merit > merit) {
                best = Some((at, source.merit));
            }
        }
        best.map(|(at, _)| at)
    }

    /// Returns a sentence about an item, in the seat's language.
    pub(super) fn cite_source(&self, source: usize) -> String {
        let Some(named) = self.sources.get(source) else {
            return String::new();
        };
        let places = [
            ("title", named.title.as_str()),
            ("text", &named.text),
            ("n", &named.number),
        ];
        filled(wording(self.language, "source", 0), &places)
    }

    /// Returns the index of the item that a text cites.
    pub(super) fn source_in(&self, text: &str) -> Option<usize> {
        let number = text.split("EVID-").nth(1)?;
        let digits = number.chars().take_while(char::is_ascii_digit).count();
        let number = number.get(..digits)?;
        self.sources.iter().position(|source| source.number == number)
    }

    /// Returns the citation number of an item.
    pub(super) fn number_of(&self, source: usize) -> &str {
        self.sources.get(source).map_or("", |named| named.number.as_str())
    }

    /// Returns the qualifier that follows a hedged sentence.
    pub(super) fn hedge(language: Language, point: Point) -> &'static str {
        let at = if point.place == Place::Claim {
            2
        } else {
            point.at % 2
        };
        wording(language, "hedge", at)
    }

    /// Returns the hedged sentences of a text.
    pub(super) fn hedged_in(&self, text: &str) -> Vec<Point> {
        let is_hedged = |sentence: &&Sentence| {
            let mut texts = Language::ALL.into_iter().zip(&sentence.texts);
            texts.any(|(language, own)| {
                let hedge = Self::hedge(language, sentence.point);
                let hedged = [format!("{own} {hedge}"), format!("{own}{hedge}")];
                !own.is_empty() && hedged.iter().any(|hedged| text.contains(hedged))
            })
        };
        let found = self.sentences.iter().filter(is_hedged);
        found.map(|sentence| sentence.point).collect()
    }

    /// Returns the quality of a side for the question, the same for all debaters.
    pub(super) fn merit_of_side(&self, side: Side) -> f64 {
        self.sides.get(side as usize).copied().unwrap_or(0.0)
    }

    /// Returns the topic in a form for the middle of a sentence.
    pub(super) fn topic(&self) -> &'static str {
        self.matter
    }

    pub(super) fn merit(&self, point: Point) -> f64 {
        let own = self.sentences.iter().find(|sentence| sentence.point == point);
        own.map_or(0.0, |sentence| sentence.merit)
    }

    /// Returns the sentence in the seat's language.
    pub(super) fn text(&self, point: Point) -> &str {
        let own = self.sentences.iter().find(|sentence| sentence.point == point);
        own.and_then(|sentence| sentence.texts.get(index(self.language)))
            .map_or("", String::as_str)
    }

    /// Returns the sentences for a place and a side, best first.
    pub(super) fn best(&self, place: Place, side: Side) -> Vec<Point> {
        let fits = |point: Point| point.place == place && point.side.is_none_or(|own| own == side);
        let fitting = self.sentences.iter().filter(|sentence| fits(sentence.point));
        let mut fitting: Vec<&Sentence> = fitting.collect();
        fitting.sort_by(|one, other| other.merit.total_cmp(&one.merit));
        fitting.into_iter().map(|sentence| sentence.point).collect()
    }

    /// Returns the sentences found in a text in any language, by place.
    pub(super) fn found_in(&self, text: &str) -> Vec<Point> {
        let is_in_text = |sentence: &&Sentence| {
            let mut texts = sentence.texts.iter().filter(|own| !own.is_empty());
            texts.any(|own| text.contains(own.as_str()))
        };
        let found = self.sentences.iter().filter(is_in_text);
        found.map(|sentence| sentence.point).collect()
    }

    /// Returns the side of a proposal with these sentences.
    pub(super) fn side_of(&self, points: &[Point]) -> Option<Side> {
        let claim = points.iter().find(|point| point.place == Place::Claim);
        claim.and_then(|point| point.side)
    }
}

/// Returns the beginning of a text on one line, without quotation marks and final punctuation.
fn short(text: &str, most: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let line: String = line
        .chars()
        .map(|c| match c {
            '“' | '”' | '«' | '»' | '"' | '《' | '》' => '\'',
            '.' | '!' | '?' | '。' | '！' | '？' => ',',
            c => c,
        })
        .collect();
    match cut(&line, most, &[' ', '，', ',']) {
        Some(short) => format!("{short}…"),
        None => line.trim().trim_end_matches(',').to_owned(),
    }
}

fn index(language: Language) -> usize {
    Language::ALL
        .iter()
        .position(|known| *known == language)
        .unwrap_or(0)
}

fn wording(language: Language, key: &str, at: usize) -> &'static str {
    let wording = super::texts(language).get(key).and_then(|all| all.get(at));
    wording.map_or("", String::as_str)
}

/// Maximum characters quoted of a question.
const MAX_QUESTION: usize = 140;

/// Returns the question on one line, shortened and without quotation marks.
fn quotable(question: &str) -> String {
    let spoken = question.split_whitespace().collect::<Vec<_>>().join(" ");
    let bare: String = spoken
        .chars()
        .map(|c| match c {
            '“' | '”' | '«' | '»' | '"' => '\'',
            c if c.is_control() => ' ',
            c => c,
        })
        .collect();
    cut(&bare, MAX_QUESTION, &[' ']).map_or_else(|| bare.clone(), |short| format!("{short}…"))
}

/// Returns the first `most` characters of a longer text, up to the last of the breaks among them.
pub(super) fn cut<'t>(text: &'t str, most: usize, breaks: &[char]) -> Option<&'t str> {
    let (end, _) = text.char_indices().nth(most)?;
    let short = text.get(..end)?;
    short.get(..short.rfind(breaks).unwrap_or(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_question_is_shortened_and_bears_no_quotes() {
        let asked = quotable(&"Is “this” so?\n ".repeat(50));
        assert!(asked.starts_with("Is 'this' so? Is"));
        assert!(asked.chars().count() <= MAX_QUESTION + 1);
    }
}
