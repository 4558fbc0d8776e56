//! A scripted participant's material on a prepared topic: its side, its share of the reasons and facts, and
//! others' statements on them.

use crate::language::Language;
use crate::procedures::discussion::context::DiscussionContext;
use crate::procedures::scripted::chance::Chance;
use crate::procedures::scripted::speech::Texts;
use crate::procedures::topics::{self, Side};

/// Place and side of a participant.
pub(super) struct ScriptedSeat<'f> {
    /// `manager`, `leader`, `specialist` or `user`.
    pub(super) role: &'f str,
    /// Whether it leads the discussion and takes no side.
    pub(super) is_leader: bool,
    /// Index among the participants with a side.
    pub(super) number: usize,
    /// Number of participants with a side.
    others: usize,
    /// Index within its role, and the size of that group.
    pub(super) of_role: (usize, usize),
    pub(super) side: Side,
    /// Number derived from the seed.
    pub(super) seed: usize,
}

impl<'f> ScriptedSeat<'f> {
    pub(super) fn of(facts: &'f DiscussionContext, seed: u32) -> Self {
        let turn = facts.turn as usize;
        let role = |at: usize| {
            facts
                .participants
                .get(at)
                .map_or("specialist", |one| one.role.as_str())
        };
        let is_leader = |at: &usize| role(*at) == "manager";
        let number = (0..turn).filter(|at| !is_leader(at)).count();
        let others = (0..facts.participants.len()).filter(|at| !is_leader(at)).count();
        let seed = Chance::new(seed, "", "discussion").below(10_000);
        Self {
            role: role(turn),
            is_leader: is_leader(&turn),
            number,
            others: others.max(1),
            of_role: (
                (0..turn).filter(|at| role(*at) == role(turn)).count(),
                (0..facts.participants.len().max(1))
                    .filter(|at| role(*at) == role(turn))
                    .count(),
            ),
            side: Side::ALL[(number + seed) % Side::ALL.len()],
            seed,
        }
    }

    /// Returns the index of the wording to use: different from that of earlier speakers and of its own
    /// previous turn.
    pub(super) fn turn(&self, round: usize) -> usize {
        self.seed + round * (self.others + 1 + self.others % 2) + self.number
    }

    /// Returns the index within its side, and the size of that group.
    fn of_side(&self) -> (usize, usize) {
        let sides = Side::ALL.len();
        let allies = (self.others + sides - 1 - self.number % sides) / sides;
        (self.number / sides, allies.max(1))
    }
}

/// A participant's statement on the topic.
#[derive(Clone, Copy, Default)]
pub(super) struct KnownPoint<'f> {
    pub(super) speaker: &'f str,
    pub(super) gist: &'static str,
    round: u32,
    side: Option<Side>,
}

/// A known sentence found in a text.
#[derive(Clone, Copy)]
pub(super) struct MatchedSentence {
    pub(super) side: Option<Side>,
    pub(super) gist: Option<&'static str>,
    /// Whether it concedes something.
    pub(super) is_open: bool,
}

/// A known sentence on the topic.
#[derive(Clone, Copy)]
pub(super) struct Point {
    /// Its subject in a few words.
    pub(super) gist: Option<&'static str>,
    pub(super) text: &'static str,
}

/// The known sentences on a topic in one language.
pub(super) struct Points {
    topic: &'static str,
    texts: Option<&'static Texts>,
    seed: usize,
}

impl Points {
    pub(super) fn new(language: Language, topic: &'static str, seed: usize) -> Self {
        Self {
            topic,
            texts: topics::texts(language, topic),
            seed,
        }
    }

    fn points_of(&self, key: &str) -> impl ExactSizeIterator<Item = Point> + use<> {
        let texts = self.texts.and_then(|texts| texts.get(key));
        texts.map_or(&[][..], Vec::as_slice).iter().map(|text| {
            let (gist, text) = topics::spoken(text);
            Point { gist, text }
        })
    }

    fn of_side(&self, key: &str, side: Side) -> Vec<Point> {
        self.points_of(&format!("{key}_{}", side.name())).collect()
    }

    /// Returns a participant's sentences in order: its claim, then its share of its side's reasons and of the
    /// facts.
    pub(super) fn own(&self, place: &ScriptedSeat) -> Vec<Point> {
        let mut reasons = self.of_side("reason", place.side);
        let turn = self.seed % reasons.len().max(1);
        reasons.rotate_left(turn);
        let (number, allies) = place.of_side();
        let claims = self.of_side("claim", place.side);
        let mut own: Vec<Point> = claims.get(number).copied().into_iter().collect();
        let mut side = Vec::new();
        for (at, key) in ["example", "caveat"].into_iter().enumerate() {
            let until = (2 * at + 2).min(reasons.len());
            side.extend(reasons.get(2 * at..until).unwrap_or_default());
            side.extend(self.of_side(key, place.side));
        }
        let mut side = side.into_iter().skip(number).step_by(allies);
        let facts = self.points_of("open").enumerate();
        let facts = facts.filter(|(at, _)| Side::of_fact(*at) == place.side);
        let facts = facts.skip(number).step_by(allies).map(|(_, fact)| fact);
        let unknown = self.points_of("unknown").skip(place.number).step_by(place.others);
        let mut shared = facts.chain(unknown);
        loop {
            let before = own.len();
            own.extend(side.next());
            own.extend(shared.next());
            own.extend(side.next());
            if own.len() == before {
                // The only participant of a side also gets the second claim.
                own.extend(claims.get(1).filter(|_| allies == 1));
                return own;
            }
        }
    }

    /// Returns the action it proposes in its last contribution.
    pub(super) fn action(&self, place: &ScriptedSeat) -> Option<&'static str> {
        let (number, _) = place.of_side();
        self.of_side("action", place.side)
            .get(number)
            .map(|point| point.text)
    }

    /// Returns the known sentences in a text, in any language, in order.
    pub(super) fn find_sentences(&self, text: &str) -> Vec<MatchedSentence> {
        let mut found: Vec<(usize, &String, usize)> = Vec::new();
        for language in Language::ALL {
            let Some(texts) = topics::texts(language, self.topic) else {
                continue;
            };
            for (key, wordings) in texts.iter() {
                for (at, wording) in wordings.iter().enumerate() {
                    let (_, spoken) = topics::spoken(wording);
                    let place = text.find(spoken).filter(|_| key != "name" && key != "questions");
                    found.extend(place.map(|place| (place, key, at)));
                }
            }
        }
        found.sort();
        let of = |(_, key, at): (usize, &String, usize)| MatchedSentence {
            side: Side::of_key(key),
            gist: self.points_of(key).nth(at).and_then(|point| point.gist),
            is_open: key == "unknown" || key.starts_with("caveat"),
        };
        found.into_iter().map(of).collect()
    }

    /// Returns the statements on the topic so far, in order.
    pub(super) fn statements<'f>(&self, facts: &'f DiscussionContext) -> Vec<KnownPoint<'f>> {
        let mut statements = Vec::new();
        for heard in facts.heard.iter() {
            statements.extend(self.find_sentences(&heard.text).into_iter().filter_map(|found| {
                Some(KnownPoint {
                    speaker: &heard.speaker,
                    gist: found.gist?,
                    round: heard.round,
                    side: found.side,
                })
            }));
        }
        statements
    }

    /// Returns the side and subject of a question to `name` in the last sentence of a text.
    pub(super) fn find_question(&self, name: &str, text: &str) -> Option<(Option<Side>, &'static str)> {
        let ends = ['.', '?', '。', '？'];
        let text = text.strip_suffix(['?', '？'])?;
        let last = text.rsplit(ends).next().filter(|last| last.contains(name))?;
        self.find_term(last)
    }

    /// Returns the side and subject of the first term of the topic in a text.
    pub(super) fn find_term(&self, text: &str) -> Option<(Option<Side>, &'static str)> {
        let keys = self.texts.into_iter().flat_map(|texts| texts.iter());
        for (key, _) in keys {
            for gist in self.points_of(key).filter_map(|point| point.gist) {
                if text.contains(gist) {
                    return Some((Side::of_key(key), gist));
                }
            }
        }
        None
    }
}

/// Returns two statements of different sides: new since the last round if possible, else in turn.
pub(super) fn of_table<'f>(
    statements: &[KnownPoint<'f>],
    round: u32,
    at: usize,
) -> Option<[KnownPoint<'f>; 2]> {
    let mut sided = statements.to_vec();
    sided.retain(|point| point.side.is_some());
    if sided.last().is_some_and(|last| last.round + 1 < round) {
        let turn = at % sided.len();
        sided.rotate_left(turn);
    }
    let other = sided.last().copied()?;
    let differs = |one: &&KnownPoint| one.side != other.side && one.speaker != other.speaker;
    let one = sided.iter().rfind(differs)?;
    Some([*one, other])
}

/// Returns a statement for the own side and another participant's for a different one.
pub(super) fn pair<'f>(
    statements: &[KnownPoint<'f>],
    name: &str,
    place: &ScriptedSeat,
    at: usize,
) -> Option<[KnownPoint<'f>; 2]> {
    let pick = |is_match: &dyn Fn(&KnownPoint) -> bool, at: usize| {
        let found: Vec<_> = statements.iter().filter(|point| is_match(point)).collect();
        found.get(at % found.len().max(1)).map(|point| **point)
    };
    let own = pick(&|point| point.side == Some(place.side), at)?;
    let other = pick(
        &|point| point.speaker != name && point.side.is_some_and(|side| side != place.side),
        at + at / 2,
    )?;
    Some([own, other])
}

/// Returns the most convincing statement of another side.
pub(super) fn strongest<'f>(
    statements: &[KnownPoint<'f>],
    name: &str,
    place: &ScriptedSeat,
) -> Option<KnownPoint<'f>> {
    let mut statements = statements.to_vec();
    statements.retain(|point| point.speaker != name && point.side != Some(place.side));
    let is_argued = statements.iter().any(|point| point.side.is_some());
    statements.retain(|point| point.side.is_some() == is_argued);
    statements
        .get((place.number + place.seed) % statements.len().max(1))
        .copied()
}
