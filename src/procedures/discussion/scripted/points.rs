//! What a scripted participant brings to a topic that it is prepared for: its side, its share of the
//! reasons and facts, and what others said of them.

use crate::language::Language;
use crate::procedures::discussion::facts::Facts;
use crate::procedures::scripted::chance::Chance;
use crate::procedures::scripted::speech::Texts;
use crate::procedures::topics;

/// The sides that one can take, as the topics name them.
const SIDES: [&str; 3] = ["for", "against", "middle"];

/// Where a participant sits and stands.
pub(super) struct Place<'f> {
    /// `manager`, `leader`, `specialist` or `user`.
    pub(super) role: &'f str,
    /// Whether it leads the discussion, and so takes no side.
    pub(super) leads: bool,
    /// Its number among those who take sides.
    pub(super) number: usize,
    /// How many take sides.
    others: usize,
    /// Its number among those of its role, and how many these are.
    pub(super) of_role: (usize, usize),
    /// Its side.
    pub(super) side: usize,
    /// A number that follows from the seed.
    pub(super) seed: u32,
}

impl<'f> Place<'f> {
    pub(super) fn of(facts: &'f Facts, seed: u32) -> Self {
        let turn = facts.turn as usize;
        let role = |at: usize| {
            facts
                .participants
                .get(at)
                .map_or("specialist", |one| one.role.as_str())
        };
        let leads = |at: &usize| role(*at) == "manager";
        let number = (0..turn).filter(|at| !leads(at)).count();
        let others = (0..facts.participants.len()).filter(|at| !leads(at)).count();
        let seed = (Chance::new(seed, "", "discussion").unit() * 10_000.0) as u32;
        Self {
            role: role(turn),
            leads: leads(&turn),
            number,
            others: others.max(1),
            of_role: (
                (0..turn).filter(|at| role(*at) == role(turn)).count(),
                (0..facts.participants.len().max(1))
                    .filter(|at| role(*at) == role(turn))
                    .count(),
            ),
            side: (number + seed as usize) % SIDES.len(),
            seed,
        }
    }

    /// Its number among those of its side, and how many these are.
    fn of_side(&self) -> (usize, usize) {
        let first = self.number % SIDES.len();
        let allies = (self.others + SIDES.len() - 1 - first) / SIDES.len();
        (self.number / SIDES.len(), allies.max(1))
    }
}

/// A sentence on the topic.
#[derive(Clone, Copy)]
pub(super) struct Point {
    /// What it is about, in a few words.
    pub(super) gist: Option<&'static str>,
    /// The sentence.
    pub(super) text: &'static str,
}

/// The sentences on a topic in one language.
pub(super) struct Points {
    topic: &'static str,
    texts: Option<&'static Texts>,
    seed: usize,
}

impl Points {
    pub(super) fn new(language: Language, topic: &'static str, seed: u32) -> Self {
        Self {
            topic,
            texts: topics::texts(language, topic),
            seed: seed as usize,
        }
    }

    fn all(&self, key: &str) -> impl ExactSizeIterator<Item = Point> + use<> {
        let texts = self.texts.and_then(|texts| texts.get(key));
        texts.map_or(&[][..], Vec::as_slice).iter().map(|text| {
            let (gist, text) = topics::spoken(text);
            Point { gist, text }
        })
    }

    fn of_side(&self, key: &str, side: usize) -> Vec<Point> {
        self.all(&format!("{key}_{}", SIDES[side % SIDES.len()]))
            .collect()
    }

    /// What a participant says, round by round: its share of its side's sentences, and of the facts.
    pub(super) fn own(&self, place: &Place) -> Vec<Point> {
        let mut reasons = self.of_side("reason", place.side);
        let turn = self.seed % reasons.len().max(1);
        reasons.rotate_left(turn);
        let mut side = self.of_side("claim", place.side);
        for (at, key) in ["example", "caveat"].into_iter().enumerate() {
            let until = (2 * at + 2).min(reasons.len());
            side.extend(reasons.get(2 * at..until).unwrap_or_default());
            side.extend(self.of_side(key, place.side));
        }
        let (number, allies) = place.of_side();
        let mut side = side.into_iter().skip(number).step_by(allies);
        let shared = self.all("open").chain(self.all("unknown"));
        let mut shared = shared.skip(place.number).step_by(place.others);
        let mut own = Vec::new();
        loop {
            let before = own.len();
            own.extend(side.next());
            own.extend(shared.next());
            own.extend(side.next());
            if own.len() == before {
                return own;
            }
        }
    }

    /// What it would do, for its last word.
    pub(super) fn action(&self, place: &Place) -> Option<&'static str> {
        let (number, _) = place.of_side();
        self.of_side("action", place.side)
            .get(number)
            .map(|point| point.text)
    }

    /// What the sentences of a side are about.
    fn gists(&self, side: usize) -> Vec<&'static str> {
        let reasons = self.of_side("reason", side);
        let all = reasons.into_iter().chain(self.of_side("caveat", side));
        all.filter_map(|point| point.gist).collect()
    }

    /// One thing of its own side and one of another, the nth such pair.
    pub(super) fn pair(&self, place: &Place, nth: usize) -> [&'static str; 2] {
        let own = self.gists(place.side);
        let other = self.gists(place.side + 1 + nth % 2);
        let pick = |of: &[&'static str], at: usize| of.get(at % of.len().max(1)).copied().unwrap_or("");
        [
            pick(&own, nth + place.number),
            pick(&other, nth / 2 + self.seed + place.number),
        ]
    }

    /// The sentence of the topic that a text holds last, in any language: its side, and what it is about.
    pub(super) fn found_in(&self, text: &str) -> Option<(Option<usize>, Option<&'static str>)> {
        let mut found: Option<(usize, &String, usize)> = None;
        for language in Language::ALL {
            let Some(texts) = topics::texts(language, self.topic) else {
                continue;
            };
            for (key, wordings) in texts.iter() {
                for (at, wording) in wordings.iter().enumerate() {
                    let (_, spoken) = topics::spoken(wording);
                    let place = text.rfind(spoken).filter(|_| key != "name" && key != "questions");
                    if let Some(place) = place
                        && found.is_none_or(|(known, ..)| known < place)
                    {
                        found = Some((place, key, at));
                    }
                }
            }
        }
        let (_, key, at) = found?;
        let side = SIDES.iter().position(|side| key.ends_with(side));
        Some((side, self.all(key).nth(at).and_then(|point| point.gist)))
    }

    /// The two things of different sides that were said last; where there are none, two that could be.
    pub(super) fn of_table(&self, facts: &Facts, at: usize) -> [&'static str; 2] {
        let mut said: Vec<(Option<usize>, &'static str)> = Vec::new();
        for heard in facts.heard.iter().rev() {
            if let Some((side, Some(gist))) = self.found_in(&heard.text)
                && said.iter().all(|(known, other)| *known != side && *other != gist)
            {
                said.push((side, gist));
            }
        }
        let spare = |side: usize| {
            let all = self.gists(side);
            all.get(at % all.len().max(1)).copied().unwrap_or("")
        };
        match said.as_slice() {
            [(_, one), (_, other), ..] => [one, other],
            _ => [spare(at), spare(at + 1)],
        }
    }

    /// What somebody of another side said that stays in mind.
    pub(super) fn strongest(&self, facts: &Facts, name: &str, place: &Place) -> &'static str {
        let others = facts.heard.iter().filter(|heard| heard.speaker != name);
        let said: Vec<_> = others
            .filter_map(|heard| self.found_in(&heard.text))
            .filter(|(side, _)| *side != Some(place.side))
            .filter_map(|(_, gist)| gist)
            .collect();
        let at = place.number + self.seed;
        match said.get(at % said.len().max(1)) {
            Some(gist) => gist,
            None => self.pair(place, at)[1],
        }
    }
}
