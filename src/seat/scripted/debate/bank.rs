//! The sentences that scripted debaters speak in: each has a place in a proposal and a side, is filled
//! with the words of the question, and is the same one in all three languages, so that it can be found
//! again in a text. What a proposal says is read back from these alone.

use super::topic::Topic;
use crate::language::Language;
use crate::seat::scripted::chance::Chance;
use crate::seat::scripted::speech::filled;
use crate::sorted::sort_few;

/// Where one can stand on a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Side {
    /// Go ahead.
    For,
    /// Hold back.
    Against,
    /// Try it first.
    Middle,
}

impl Side {
    pub(super) const ALL: [Self; 3] = [Self::For, Self::Against, Self::Middle];

    fn name(self) -> &'static str {
        match self {
            Self::For => "for",
            Self::Against => "against",
            Self::Middle => "middle",
        }
    }
}

/// A place in a proposal, in the order in which they are spoken.
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

    /// As the texts name it.
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

    /// Whether what stands there takes a side.
    pub(super) fn has_side(self) -> bool {
        !matches!(self, Self::Open | Self::Unknown)
    }
}

/// A sentence, whatever its language.
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
    /// How good it is for this question under this seed, 0 to 1; for all alike.
    merit: f64,
}

/// All sentences, filled for one question.
pub(super) struct Bank {
    language: Language,
    sentences: Vec<Sentence>,
    sides: [f64; 3],
    /// Up to three words of the question in each language's own way.
    words: Vec<[String; 3]>,
}

impl Bank {
    pub(super) fn new(language: Language, seed: u32, question: &str) -> Self {
        let topic = Topic::of(question);
        let words: Vec<[String; 3]> = Language::ALL
            .into_iter()
            .map(|language| words_in(language, &topic))
            .collect();
        let number = (2 + (Chance::new(seed, question, "number").unit() * 7.0) as u32) * 10;
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
                let wordings = super::texts(Language::English).get(&key).map_or(0, Vec::len);
                for at in 0..wordings {
                    let texts = Language::ALL
                        .into_iter()
                        .zip(&words)
                        .map(|(language, [a, b, c])| {
                            let wording = super::texts(language).get(&key).and_then(|all| all.get(at));
                            let places = [
                                ("q", topic.question.as_str()),
                                ("a", a.as_str()),
                                ("b", b),
                                ("c", c),
                                ("n", &number),
                            ];
                            filled(wording.map_or("", String::as_str), &places)
                        });
                    let purpose = format!("merit/{key}/{at}");
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
            words,
        }
    }

    /// How well a side answers the question, for all alike.
    pub(super) fn merit_of_side(&self, side: Side) -> f64 {
        self.sides.get(side as usize).copied().unwrap_or(0.0)
    }

    /// The word of the question that stands out first.
    pub(super) fn topic(&self) -> &str {
        let [first, ..] = match self.words.get(index(self.language)) {
            Some(words) => words,
            None => return "",
        };
        first
    }

    pub(super) fn merit(&self, point: Point) -> f64 {
        let own = self.sentences.iter().find(|sentence| sentence.point == point);
        own.map_or(0.0, |sentence| sentence.merit)
    }

    /// The sentence in the seat's own language.
    pub(super) fn text(&self, point: Point) -> &str {
        let own = self.sentences.iter().find(|sentence| sentence.point == point);
        own.and_then(|sentence| sentence.texts.get(index(self.language)))
            .map_or("", String::as_str)
    }

    /// What could stand at a place on a side, the best first.
    pub(super) fn best(&self, place: Place, side: Side) -> Vec<Point> {
        let side = place.has_side().then_some(side);
        let fitting = self
            .sentences
            .iter()
            .filter(|sentence| sentence.point.place == place && sentence.point.side == side);
        let mut fitting: Vec<&Sentence> = fitting.collect();
        sort_few(&mut fitting, |one, other| one.merit > other.merit);
        fitting.into_iter().map(|sentence| sentence.point).collect()
    }

    /// The sentences that a text holds, in any of the languages, by their places.
    pub(super) fn found_in(&self, text: &str) -> Vec<Point> {
        let holds = |sentence: &&Sentence| {
            let mut texts = sentence.texts.iter().filter(|own| !own.is_empty());
            texts.any(|own| text.contains(own.as_str()))
        };
        let found = self.sentences.iter().filter(holds);
        found.map(|sentence| sentence.point).collect()
    }

    /// The side that a proposal of these sentences takes.
    pub(super) fn side_of(&self, points: &[Point]) -> Option<Side> {
        let claim = points.iter().find(|point| point.place == Place::Claim);
        claim.and_then(|point| point.side)
    }
}

fn index(language: Language) -> usize {
    Language::ALL
        .iter()
        .position(|known| *known == language)
        .unwrap_or(0)
}

/// The question's words, and the language's own stopgaps where there are too few.
fn words_in(language: Language, topic: &Topic) -> [String; 3] {
    let spare = super::texts(language).get("topic");
    [0, 1, 2].map(|at| {
        let word = topic.words.get(at).or_else(|| spare?.get(at));
        let word = word.cloned().unwrap_or_default();
        match (topic.words.get(at), language) {
            (Some(_), Language::English) => format!("‘{word}’"),
            (Some(_), Language::Spanish) => format!("“{word}”"),
            (Some(_), Language::Mandarin) => format!("「{word}」"),
            (None, _) => word,
        }
    })
}
