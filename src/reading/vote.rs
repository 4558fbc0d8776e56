//! A vote between proposals: which one, how sure, whether to go on, and why. A JSON object first, then
//! lines with labels, then an answer that is a name or says "I vote for". What was not said is not
//! filled in; how a missing confidence counts is for the tally.
//!
//! Source: A10 of the debate's design.

use super::alias::{Alias, PROPOSAL, alias};
use super::clean::{LONGEST, clean, struck};
use super::critique::sentences;
use super::json::objects;
use super::labelled::{
    Line, Once, field, figure, holds, key, listed, plain_text, share, truth, unmarked, unquoted, untagged,
};
use super::normalize::without_thought;
use super::option::conditional;
use super::scope::Scoped;
use super::scope::flag::{ASKED, BEST, CHOSEN, IF, MAYBE, NEGATED, OTHERS, PAST, QUOTED, REASON, STRUCK};
use super::token::{Kind, Token, begins_so, class, contains_one, heads, is_one, tokens};
use super::{How, Reading, Reason, rest};
use crate::language::Language;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::ops::Range;

/// What a voter said.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Vote {
    /// One of the choices, as the list has it; `None` where the voter abstains in so many words.
    pub choice: Option<String>,
    /// 0 to 1, if it was said and could be read.
    pub confidence: Option<f64>,
    /// Whether the debate should go on, if it was said.
    #[serde(rename = "continue")]
    pub go_on: Option<bool>,
    /// In the voter's words; may be empty.
    pub reasoning: String,
    /// What stands in the place of a choice and names none, or two; only from [`vote_or_words`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words: Option<String>,
}

pub(super) const CHOICE: &str = "\
    winner|overall winner|selected|ganador|ganadora|elegida|elegido|elijo|选定|所投对象|投票对象|最终回答|最终选择|choice|my choice|final choice|vote|my vote|final vote|vote for|chosen|pick|selection|eleccion|\
    mi eleccion|voto|mi voto|opcion|seleccion|选择|我的选择|投票|我的投票|选项";
pub(super) const CONFIDENCE: &str = "\
    how sure|how confident|confidence|confidence level|confidence score|my confidence|certainty|confianza|\
    nivel de confianza|certeza|seguridad|信心|置信度|信心度|信心水平|把握|确信度";
const CONTINUE: &str = "\
    continue|continue debate|continue the debate|continue debating|keep debating|go on|\
    should continue|continuar|seguir|continuar el debate|seguir debatiendo|seguir el debate|another round|one more round|more rounds|more debate|otra ronda|una ronda mas|mas rondas|mas debate|继续|再来一轮|再一轮|\
    继续辩论|继续讨论|是否继续|是否继续辩论|是否继续讨论";
pub(super) const REASONING: &str = "\
    reasoning|reason|reasons|rationale|justification|explanation|why|because|razonamiento|razon|\
    razones|justificacion|explicacion|motivo|motivos|argumentacion|por que|理由|原因|推理|解释|说明|\
    论证|为什么";

/// Reads a vote. `choices` are the names that can be voted for, in the order in which the voter saw
/// the proposals ("Proposal 2" is the second). Labels of all three languages are understood; the
/// language decides only whether `si` is yes.
///
/// Unread: an answer without a choice, with a name that is none of the choices, or with two.
#[must_use]
pub fn vote(text: &str, language: Language, choices: &[&str]) -> Reading<Vote> {
    read(text, language, choices, false)
}

/// The same, but a choice that names none of the choices, or two, comes out as [`Vote::words`]: for
/// whoever has been asked twice. What the words mean is not decided here.
#[must_use]
pub fn vote_or_words(text: &str, language: Language, choices: &[&str]) -> Reading<Vote> {
    read(text, language, choices, true)
}

fn read(text: &str, language: Language, choices: &[&str], words: bool) -> Reading<Vote> {
    let text = without_thought(text);
    let text = untagged(&struck(&text)).into_owned();
    if text.trim().is_empty() {
        return Reading::unread(Reason::EmptyResponse);
    }
    if text.len() > LONGEST {
        return Reading::unread(Reason::NoChoiceFound);
    }
    let mut said = Said::default();
    for object in objects(&text) {
        said.add_object(&object, language, choices);
    }
    if said.found.any() {
        return said.reading(How::Json, choices, words);
    }
    let mut said = Said::default();
    said.add_lines(&text, language, choices);
    if said.found.any() {
        // Another name behind a correction, or a vote: "Sorry, I mixed them up: my vote is for the one with the buses."
        let takes_back = |text: &str, is_reason: bool| {
            let (all, places) = named(text, language, choices);
            let other = |(at, _): &&(usize, usize)| !said.found.named.contains(&Alias::One(*at));
            all.own_corrections().any(|turn| {
                // "I mixed up the names" is said of what was named, wherever it stands.
                let behind = places.iter().filter(other).any(|(_, place)| *place > turn);
                behind && (!is_reason || all.value(turn) > 1)
                    || (turn..all.sentence_of(turn).end)
                        .any(|at| all.is(at, class::CHOOSE) && all.is(at, class::NOUN))
            })
        };
        let unclear = takes_back(&said.beside, false) || takes_back(&said.reasoning, true);
        said.found.named.extend(unclear.then_some(Alias::Several));
        let beside = format!("{}\n{}", said.values, said.beside);
        said.add_talk(&beside, language);
        return said.reading(How::Label, choices, words);
    }
    said.add_sentences(&text, language, choices);
    said.add_talk(&text, language);
    said.reading(How::Word, choices, words)
}

/// Which choices were named.
#[derive(Default)]
struct Found {
    named: Vec<Alias>,
    /// The first choice in the voter's words.
    words: Option<String>,
}

impl Found {
    fn any(&self) -> bool {
        !self.named.is_empty()
    }
    /// The one that was named. A name that is none of the choices (a template repeated, say) does not
    /// stand against one that is.
    fn only(&self) -> Alias {
        let mut known = self.named.iter().filter(|alias| **alias != Alias::Unknown);
        match known.next() {
            None => Alias::Unknown,
            Some(first) if known.all(|other| other == first) => *first,
            Some(_) => Alias::Several,
        }
    }
}

struct Said {
    found: Found,
    confidence: Once<f64>,
    go_on: Once<bool>,
    reasoning: String,
    /// Lines without a label that are no reasons.
    beside: String,
    /// What stands behind the labels of the choice and the confidence.
    values: String,
}

impl Default for Said {
    fn default() -> Self {
        Self {
            found: Found::default(),
            confidence: Once::Never,
            go_on: Once::Never,
            reasoning: String::new(),
            beside: String::new(),
            values: String::new(),
        }
    }
}

impl Said {
    fn add_object(&mut self, object: &Value, language: Language, choices: &[&str]) {
        let Some(choice) = field(object, CHOICE) else {
            return;
        };
        if choice.is_object() {
            self.add_object(choice, language, choices);
        } else if let Some(name) = plain_text(choice) {
            self.add_choice(&name, language, choices);
        } else if choice.is_null() {
            self.found.named.push(Alias::Abstains);
        }
        if let Some(said) = field(object, CONFIDENCE).and_then(plain_text) {
            share(&said)
                .into_iter()
                .for_each(|share| self.confidence.add(share));
        }
        if let Some(said) = field(object, CONTINUE).and_then(plain_text) {
            truth(&said, language)
                .into_iter()
                .for_each(|go_on| self.go_on.add(go_on));
        }
        if let Some(why) = field(object, REASONING).and_then(plain_text)
            && self.reasoning.is_empty()
        {
            self.reasoning = why;
        }
    }

    fn add_choice(&mut self, name: &str, language: Language, choices: &[&str]) {
        if !key(name).is_empty() {
            let place = key(name)
                .parse::<usize>()
                .ok()
                .and_then(|number| number.checked_sub(1));
            let found = match alias(name, choices) {
                // The number that its proposal was shown under.
                Alias::Unknown if place.is_some_and(|place| place < choices.len()) => {
                    place.map_or(Alias::Unknown, Alias::One)
                }
                Alias::One(at) if turns_from(name, at, language, choices) => {
                    turned_to(name, language, choices).unwrap_or(Alias::Several)
                }
                Alias::Several => turned_to(name, language, choices).unwrap_or(Alias::Several),
                found => found,
            };
            self.found.named.push(found);
            self.found.words.get_or_insert_with(|| unquoted(name).to_owned());
        }
    }

    fn add_lines(&mut self, text: &str, language: Language, choices: &[&str]) {
        let (mut in_reasons, mut after_blank) = (false, false);
        let mut in_choice = false;
        let mut awaited = String::new();
        for line in text.lines().flat_map(parts) {
            let bare = Line::of(line);
            let labelled = of_two_words(bare.text).or_else(|| bare.label());
            let heading = key(bare.text);
            let (label, value) = match &labelled {
                Some((label, value)) => (label.as_str(), *value),
                // "### Continue", and the value below.
                None if [CONFIDENCE, CONTINUE].iter().any(|table| listed(table, &heading)) => {
                    (heading.as_str(), "")
                }
                None if !awaited.is_empty() => (awaited.as_str(), bare.text),
                None => ("", bare.text),
            };
            let (label, value) = (label.to_owned(), value);
            let label = label.as_str();
            let is_choice = listed(CHOICE, label);
            let waits = value.is_empty() && (listed(CONFIDENCE, label) || listed(CONTINUE, label));
            if waits || !bare.text.is_empty() {
                awaited = if waits { label.to_owned() } else { String::new() };
            }
            if is_choice {
                // "Scratch that", and another form.
                let before = key(&format!("{} {}", self.reasoning, self.beside));
                if contains_one(&before, "withdrawn else") {
                    *self = Self::default();
                }
                self.add_choice(value, language, choices);
                add_line(&mut self.values, value);
            } else if listed(CONFIDENCE, label) {
                add_line(&mut self.values, value);
                // "It was 0.9; now 0.7."
                let was = clean(value).split(' ').take(3).any(|word| is_one(word, "was"));
                share(value)
                    .filter(|_| !was)
                    .or_else(|| in_words(value, language))
                    .filter(|_| !compares(value, language))
                    .into_iter()
                    .for_each(|share| self.confidence.add(share));
            } else if listed(CONTINUE, label) && !quotes(value) {
                let first = value
                    .split([',', '.', ';', '(', '，', '。', '–', '—'])
                    .next()
                    .and_then(|first| first.split(" - ").next())
                    .unwrap_or(value);
                let words = tokens(&clean(value), language);
                let mut after = words.iter().skip_while(|token| !token.is(class::BUT));
                // "Yes… well, no, all is said."
                let yes = truth(first, language).filter(|_| !value.contains(['?', '？']));
                let other = |part| truth(part, language).is_some_and(|said| yes == Some(!said));
                // "Yes, sure, until midnight. Enough is enough."
                let closes = |token: &Token| token.is(class::ASSENT) && token.value == 1;
                let turned = yes == Some(true) && words.iter().any(closes)
                    || value.split([',', '.', ';', '，', '。', '…']).any(other)
                    || words.iter().any(|token| token.is(class::CORRECT))
                    || after.any(|token| token.is(class::NEG));
                // "No doubt about it: another round."
                let talked = talk(&Scoped::of("", &format!("debate {}", clean(value)), language));
                let plain = concluded(value, language).or(yes);
                plain
                    .or_else(|| goes_on(first, language))
                    .filter(|_| !turned)
                    .or(talked)
                    .filter(|go_on| plain.is_some() || talked.is_none_or(|talked| talked == *go_on))
                    .into_iter()
                    .for_each(|go_on| self.go_on.add(go_on));
            } else if listed(REASONING, label) {
                in_reasons = true;
                add_line(&mut self.reasoning, value);
            } else if in_choice && !bare.text.is_empty() {
                // The label stood on a line of its own.
                self.add_choice(bare.text, language, choices);
            } else if in_reasons {
                add_line(&mut self.reasoning, line.trim());
                if after_blank {
                    add_line(&mut self.beside, line.trim());
                }
            } else {
                add_line(&mut self.beside, line.trim());
            }
            let is_other = is_choice || listed(CONFIDENCE, label) || listed(CONTINUE, label);
            after_blank = in_reasons && (after_blank || bare.text.is_empty());
            in_reasons &= !is_other;
            in_choice = (is_choice && key(value).is_empty()) || (in_choice && bare.text.is_empty());
        }
        let length = self.reasoning.trim_end().len();
        self.reasoning.truncate(length);
        // Reasons that begin with a vote are a vote.
        let (all, places) = named(&self.reasoning, language, choices);
        let voted = |place: usize| {
            place < 4
                && all.any(0..place, class::CHOOSE)
                && all.has(place, CHOSEN)
                && !all.has(place, STRUCK | MAYBE)
        };
        let votes = places.into_iter().filter(|(_, place)| voted(*place));
        self.found.named.extend(votes.map(|(at, _)| Alias::One(at)));
    }

    /// The whole answer is a name, or a sentence votes for one.
    fn add_sentences(&mut self, text: &str, language: Language, choices: &[&str]) {
        let whole = key(text);
        let line = text.trim_end_matches(|c: char| !c.is_alphanumeric());
        if whole.split(' ').count() <= 6 && !line.trim().contains([',', '，', '。', '\n']) {
            match alias(unmarked(text), choices) {
                Alias::Unknown => {}
                found => self.found.named.push(found),
            }
        }
        let is_name = self.found.any();
        if !is_name {
            self.add_own_questions(text, language, choices);
        }
        let mut declared = match self.found.any() {
            true => Vec::new(),
            false => declared(text, language, choices),
        };
        if declared.is_empty() && !self.found.any() {
            declared.extend(leading_name(text, language, choices));
        }
        for at in declared {
            self.found.named.push(Alias::One(at));
            self.found.words.get_or_insert_with(|| {
                choices
                    .get(at)
                    .map_or_else(String::new, |name| (*name).to_owned())
            });
        }
        if self.found.any() && matches!(self.confidence, Once::Never) {
            confidence(&Scoped::of("", &clean(text), language))
                .into_iter()
                .for_each(|share| self.confidence.add(share));
        }
        if self.found.any() && !is_name && self.reasoning.is_empty() {
            self.reasoning = text.trim().to_owned();
        }
    }

    /// Questions that the voter answers: "Who gets my vote? Ana. Go on? No."
    fn add_own_questions(&mut self, text: &str, language: Language, choices: &[&str]) {
        let mut all = sentences(text).into_iter().peekable();
        while let Some(question) = all.next() {
            let Some(said) = all.peek().filter(|_| question.trim_end().ends_with(['?', '？'])) else {
                continue;
            };
            let said = said.trim();
            let said = heads("answer marks")
                .find_map(|mark| said.strip_prefix(mark))
                .unwrap_or(said);
            let lower = question.to_lowercase();
            let words = tokens(&lower, language);
            let asks = |classes| words.iter().any(|token| token.is(classes));
            let on = words
                .iter()
                .any(|token| token.is(class::DISSENT) && token.value > 0);
            if asks(class::CERTAINTY | class::CERTAIN) {
                in_words(said, language)
                    .into_iter()
                    .for_each(|share| self.confidence.add(share));
            } else if on || after_any(question, CONTINUE).is_some() {
                concluded(said, language)
                    .or_else(|| goes_on(said, language))
                    .into_iter()
                    .for_each(|go_on| self.go_on.add(go_on));
            } else if asks(class::CHOOSE) {
                let (all, places) = named(said, language, choices);
                let one = places.first().filter(|(at, place)| {
                    all.tokens.len() <= 6
                        && places.iter().all(|other| other.0 == *at)
                        && !all.has(*place, STRUCK | MAYBE)
                });
                self.found.named.extend(one.map(|(at, _)| Alias::One(*at)));
            }
        }
    }

    /// Whether to go on, where no label says so: "no need for another round".
    fn add_talk(&mut self, text: &str, language: Language) {
        if !matches!(self.go_on, Once::Never) {
            return;
        }
        for sentence in sentences(text) {
            let said = of_two_words(sentence.trim_end_matches(['.', '。']));
            said.filter(|(label, _)| listed(CONTINUE, label))
                .and_then(|(_, value)| goes_on(value, language))
                .into_iter()
                .for_each(|go_on| self.go_on.add(go_on));
        }
        if matches!(self.go_on, Once::Never) {
            talk(&Scoped::of("", &clean(text), language))
                .into_iter()
                .for_each(|go_on| self.go_on.add(go_on));
        }
    }

    fn reading(self, how: How, choices: &[&str], words: bool) -> Reading<Vote> {
        let (choice, words) = match self.found.only() {
            _ if !self.found.any() => return Reading::unread(Reason::NoChoiceFound),
            Alias::Unknown | Alias::Several if words && self.found.words.is_some() => {
                (None, self.found.words)
            }
            Alias::Unknown => return Reading::unread(Reason::UnknownChoice),
            Alias::Several => return Reading::unread(Reason::AmbiguousChoice),
            Alias::Abstains => (None, None),
            Alias::One(at) => (choices.get(at).map(|choice| (*choice).to_owned()), None),
        };
        let vote = Vote {
            choice,
            confidence: self.confidence.value(),
            go_on: self.go_on.value(),
            reasoning: self.reasoning,
            words,
        };
        Reading::read(vote, how)
    }
}

/// A line cut where another of its labels begins: "My vote: Ana. Confidence: 60%. Continue: no."
fn parts(line: &str) -> Vec<&str> {
    // A label ends with a sign, or where its figure begins.
    let known = |part: &str| {
        let end = part.find(|c: char| matches!(c, ':' | '：' | '=' | '-' | '—' | '–') || c.is_ascii_digit());
        let (label, rest) = part.split_at(end.unwrap_or(part.len()));
        let tables = [CHOICE, CONFIDENCE, CONTINUE, REASONING];
        let listed = tables.iter().any(|table| listed(table, &key(label)));
        listed.then(|| !rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    let is_form = known(line).is_some();
    let mut found = Vec::new();
    let mut from = 0;
    for (at, sign) in line.match_indices(['.', ';', ',', '。', '；', '，', '—', '–', '/']) {
        let end = at + sign.len();
        let apart = |rest: &str| rest.starts_with(|c: char| c == ' ' || !c.is_ascii());
        let parted = !sign.is_ascii() || line.get(end..).is_some_and(apart);
        if parted
            && line
                .get(end..)
                .and_then(known)
                .is_some_and(|by_sign| by_sign || is_form)
        {
            found.extend(line.get(from..at));
            from = end;
        }
    }
    found.extend(line.get(from..));
    found
}

/// How sure somebody says to be, in figures or in words: in a sentence that speaks of it, or where a sentence is nothing
/// else. `None` also where two such figures stand.
fn confidence(all: &Scoped) -> Option<f64> {
    let mut said = Once::Never;
    for (at, token) in all.tokens.iter().enumerate() {
        let sentence = all.sentence_of(at);
        let clause = all.clause_of(at);
        // "My confidence is 80% and I don't want another round."
        let and = (at..clause.end).find(|near| all.is(*near, class::AND));
        let before = |and| all.any(clause.start..and, class::NEG | class::REJECT);
        let denied = all.has(at, NEGATED) && and.is_none_or(before);
        if !token.is_number() || denied || all.has(at, OTHERS | QUOTED | PAST | IF | MAYBE) {
            continue;
        }
        let before = at.saturating_sub(1);
        // "0.7 (it was 0.4)", "70%, up from 50%", "proposal 1".
        if (clause.start..at).any(|near| is_one(all.word(near), "was"))
            || all.is(before, class::FROM)
            || listed(PROPOSAL, &key(all.word(before)))
        {
            continue;
        }
        let speaks = all.any(sentence, class::CERTAINTY | class::CERTAIN);
        let alone = all.holds_only(
            clause,
            class::FILLER | class::FIRST | class::PERCENT,
            &(at..at + 1),
        );
        let part = |place: usize| {
            (all.is(place, class::PART) || all.sign(place) == Some('/'))
                .then(|| all.token(place + 1).filter(|whole| whole.is_number()))
                .flatten()
        };
        let whole = at > 1 && all.is_number(at - 2);
        let of_more = whole && (all.is(at - 1, class::PART) || all.sign(at - 1) == Some('/'));
        let ranges = |place: usize| all.is(place, class::TO | class::BETWEEN);
        let scale =
            of_more || ranges(at + 1) || whole && ranges(at - 1) || at > 0 && all.is(at - 1, class::BETWEEN);
        // 七成, seven tenths.
        let tenths = all.is(at + 1, class::PERCENT) && !all.word(at + 1).is_ascii();
        let share = if let Some(whole) = part(at + 1) {
            // 百分之七十
            let turned = usize::from(!all.word(at + 1).is_ascii());
            [token.number, whole.number][turned] / [whole.number, token.number][turned]
        } else if tenths && (all.is_unknown(at + 2) || at > 0 && all.is_number(at - 1)) {
            continue;
        } else if is_one(all.word(before), "decimal point") && token.number < 10.0 {
            // "Point eight", 零点八.
            token.number / 10.0
        } else if tenths {
            // 六成五.
            let more = all
                .token(at + 2)
                .filter(|more| more.is_number() && more.number < 10.0);
            (token.number + more.map_or(0.0, |more| more.number / 10.0)) / 10.0
        } else if all.is(at + 1, class::PERCENT) {
            token.number / 100.0
        } else if token.number <= 1.0 && token.kind == Kind::Digits {
            token.number
        } else if token.number > 10.0 && speaks {
            token.number / 100.0
        } else {
            continue;
        };
        let plain = all.is(at + 1, class::PERCENT) || token.number.fract() != 0.0 || tenths;
        if (speaks || alone && plain) && !scale && (0.0..=1.0).contains(&share) {
            said.add(share);
        }
    }
    said.value()
}

/// Whether a value begins with what is quoted of another: "“Yes!” shouts Bruno."
fn quotes(value: &str) -> bool {
    let close = ['"', '”', '»', '」'];
    value.starts_with(['"', '“', '«', '「']) && !value.trim_end_matches(['.', ',', '。']).ends_with(close)
}

/// Whether a figure is told of another, and something of who speaks behind it: "Ana claims 0.9; I have no number".
pub(super) fn attributes(all: &[Token]) -> bool {
    let Some(first) = all.iter().position(Token::is_number) else {
        return false;
    };
    let (before, after) = all.split_at(first);
    let own = |token: &Token| token.is(class::FIRST);
    before.iter().any(Token::is_unknown) && !before.iter().any(own) && after.iter().any(own)
}

/// Whether a figure is only what another is compared with: "higher than Bruno's 0.6", "half of my 0.8".
fn compares(said: &str, language: Language) -> bool {
    let clean = clean(said);
    let all = Scoped::of("", &clean, language);
    let first = all.tokens.iter().position(Token::is_number).unwrap_or_default();
    all.any(0..first, class::BEATS | class::MORE)
        || attributes(&all.tokens)
        || all.any(first..all.tokens.len(), class::REFUSE)
        || said.contains("..")
        || (0..all.tokens.len()).any(|at| is_one(all.word(at), "relative"))
}

/// The figure of an answer to how sure somebody is: "seven out of ten", 八成.
fn in_words(said: &str, language: Language) -> Option<f64> {
    confidence(&Scoped::of("", &format!("confidence {}", clean(said)), language))
}

/// The choice that an answer begins with, before a sign that ends it, where nothing after it is about another or takes it
/// back: "Ana. 0.7. No more rounds."
fn leading_name(text: &str, language: Language, choices: &[&str]) -> Option<usize> {
    const TURNS: u64 = class::REJECT
        | class::REFUSE
        | class::BUT
        | class::CORRECT
        | class::IF
        | class::MIGHT
        | class::MAYBE
        | class::OR;
    let first = unmarked(text.split(['.', '。', ',', '，', ';', '；', '\n', '(']).next()?);
    let Alias::One(at) = alias(first, choices) else {
        return None;
    };
    let (all, places) = named(text, language, choices);
    // "Ana, 0.7", but not "Ana, I cannot follow you."
    let comma = all.tokens.iter().position(|token| token.sign() == Some(','));
    let figures = class::CERTAINTY | class::CERTAIN | class::PERCENT | class::FILLER | class::NUM;
    let speaks = comma.is_some_and(|comma| {
        all.clause[comma] <= 1 && !all.holds_only(all.clause_of(comma + 1), figures, &(0..0))
    });
    let sure = !speaks
        && !all
            .tokens
            .iter()
            .any(|token| token.is(TURNS) && !token.is(class::FILLER));
    (sure && places.iter().all(|(other, _)| *other == at)).then_some(at)
}

/// Whether the words want more debate or have had enough; `None` where they say neither, or both.
fn talk(all: &Scoped) -> Option<bool> {
    const ASIDE: u16 = OTHERS | QUOTED | PAST | IF | ASKED | MAYBE;
    let mut said = all.tokens.iter().enumerate().filter_map(|(at, token)| {
        if all.has(at, ASIDE) {
            return None;
        }
        let clause = all.clause_of(at);
        // "I do not think further debate would help", "let us close the discussion".
        let has = |range: Range<usize>, key| {
            range.into_iter().any(|near| {
                let said = all.tokens.get(near).map_or("", |token| all.text_at(token));
                let words = all.word(near).split(' ');
                heads(key)
                    .any(|stem| said.starts_with(stem) || words.clone().any(|word| word.starts_with(stem)))
            })
        };
        let before = at.saturating_sub(5).max(clause.start)..at;
        // "I'd like us to continue."
        let known = |near: usize| near == at || !all.is_unknown(near);
        let ends = all.token(at + 1).is_none_or(|next| next.sign().is_some());
        let alone = ends && has(at..at + 1, "continues") && clause.clone().all(known);
        let of_it = || has(at..clause.end.min(at + 6), "debates") || has(before.clone(), "debate") || alone;
        let known = token.value > 0 && token.is(class::ASSENT | class::DISSENT | class::SHIELD);
        let on = if known {
            token.is(class::DISSENT)
        } else {
            has(at..at + 1, "goes on")
        };
        if !known && !(of_it() && (on || has(at..at + 1, "ends"))) {
            return None;
        }
        // Reasons for it deny something else.
        let because = (at..clause.end).find(|near| all.is(*near, class::BECAUSE));
        let clause = clause.start..because.unwrap_or(clause.end);
        let outside = |classes| {
            let aside = |near| near == at || all.has(near, REASON) && !all.has(at, REASON);
            clause.clone().any(|near| all.is(near, classes) && !aside(near))
        };
        // "As for another round, forget it."
        let next = all.clause_of(clause.end);
        let strange = |near| all.is_unknown(near) || all.is(near, class::NEG | class::NAY);
        let length = next.len() + usize::from(all.any(next.clone(), class::NAY));
        let wants = outside(class::FIRST) || has(clause.start..at, "wished");
        let short = known && !wants && length <= 4 && all.same_sentence(at, next.start);
        let dismissed = short && next.clone().any(strange) && !has(next, "goes on");
        let denied = outside(class::NEG | class::WITHOUT) || (on || !known) && has(clause.clone(), "useless");
        let unclear = outside(class::DOUBLE | class::REFUSE | class::REJECT | class::RATHER | class::NAY)
            || on && (dismissed || all.is(at.wrapping_sub(1), class::CORRECT))
            || !on && outside(class::DISSENT);
        let wished = known || denied || !on || has(clause, "wished");
        (!unclear && wished && (on || !denied)).then_some(on && !denied)
    });
    let first = said.next()?;
    said.all(|wants| wants == first).then_some(first)
}

/// "confidence 0.7", 信心90%: a label of one word and a figure or a value of one, without a colon.
fn of_two_words(line: &str) -> Option<(String, &str)> {
    let line = line.trim();
    let (label, value) = line.split_at(line.find(|c: char| c == ' ' || c.is_ascii_digit())?);
    let (label, value) = (key(label), value.trim_start());
    let known = [CHOICE, CONFIDENCE, CONTINUE]
        .iter()
        .any(|table| listed(table, &label));
    let short = !value.contains(' ') || value.starts_with(|c: char| c.is_ascii_digit());
    (known && short).then_some((label, value))
}

/// The choices that sentences vote for: named after a word that chooses, and neither negated, said by others nor
/// anything else that strikes a name out.
fn declared(text: &str, language: Language, choices: &[&str]) -> Vec<usize> {
    let (mut found, mut best, mut weak) = (Vec::new(), Vec::new(), true);
    let (all, places) = named(text, language, choices);
    for &(at, place) in &places {
        let refused = all.any(
            all.clause_of(place).start..place,
            class::REJECT | class::DISSENT | class::REFUSE,
        );
        let clause = all.clause_of(place);
        // "Ana gets my vote."
        let wins_by = |key| wins(&all, &clause, key);
        let wins = wins_by("wins") && !all.any(clause.clone(), class::MORE | class::PAST);
        let said = (all.has(place, CHOSEN) && rest::after_known_words(&all, place) || wins) && !refused;
        // "Deepa's is the strongest."
        let known = clause.clone().all(|near| near == place || !all.is_unknown(near));
        if known && !said && !refused && all.has(place, BEST) && !all.has(place, STRUCK | MAYBE) {
            best.push(at);
        }
        // "My vote for Ana or Bruno? I have not decided."
        // "The vote of Ana", but not "my choice of Ana".
        let voter = |at: usize| all.is(at + 1, class::CHOOSE) && !all.is(at, class::FIRST);
        let owns = all.is(place.wrapping_sub(1), class::PART) && place > 2 && voter(place - 3);
        let open = owns || all.is(place + 1, class::OR) && places.iter().any(|(_, next)| *next == place + 2);
        if said && !open && !all.has(place, STRUCK | MAYBE) && !conditional(&all, place) {
            found.push(at);
            weak &= wins && wins_by("won over");
        }
    }
    // "Chen wins the prize for eloquence. My vote, however, belongs to Deepa." "Proposal 3 … sorry, Bruno."
    let own = |at: usize| all.is(at, class::NOUN) || begins_so(all.word(at), "own first");
    let votes = |at: usize| all.is(at, class::CHOOSE) && own(at) && !all.has(at, STRUCK);
    let turned = |place: usize| {
        let turns = |turn: usize| turn < place && all.same_sentence(turn, place);
        all.own_corrections().any(turns)
    };
    let is_best = found.is_empty() && best.windows(2).all(|two| two[0] == two[1]);
    if is_best {
        found = best;
    }
    // "I came for Chen. Bruno's is safer, so he has my vote.", "I always vote for Ana. This time Bruno is right."
    let later = |place: usize| {
        let turns = class::NOW | if is_best { class::FIRST | class::BUT } else { 0 };
        let before = |near: usize| near < place && !all.same_sentence(near, place);
        places
            .iter()
            .all(|(at, near)| !found.contains(at) || before(*near))
            && (all.any(all.sentence_of(place), turns) || pronoun(&all).is_some_and(|at| at > place))
    };
    let other = places.iter().find(|(at, place)| {
        let second = all.any(all.clause_of(*place), class::RANK | class::SECOND);
        let named = weak && !is_best && !second
            || all.sentence_of(*place).any(votes)
            || turned(*place)
            || later(*place);
        named && !found.contains(at) && !all.has(*place, if weak { STRUCK & !IF } else { STRUCK })
    });
    if !found.is_empty() {
        found.extend(other.map(|(at, _)| *at));
    }
    if found.is_empty() {
        found.extend(by_pronoun(&all, &places));
    }
    found
}

/// The first pronoun that is voted for: "so he gets my vote".
fn pronoun(all: &Scoped) -> Option<usize> {
    let votes = |at: usize| {
        let clause = all.clause_of(at);
        let verb = (clause.start..at)
            .rev()
            .find(|at| all.is(*at, class::CHOOSE | class::CORRECT));
        let own = |verb: usize| {
            let lead = class::FILLER | class::SO | class::NOW | class::BUT | class::AND;
            all.any(clause.start..verb, class::FIRST) || all.holds_only(clause.start..verb, lead, &(0..0))
        };
        let chosen = all.has(at, CHOSEN) && verb.is_some_and(|verb| own(verb) && !all.has(verb, OTHERS));
        is_one(all.word(at), "pronouns")
            && !all.has(at, STRUCK & !OTHERS | MAYBE)
            && (chosen || wins(all, &(at..clause.end), "wins"))
    };
    (0..all.tokens.len()).find(|at| votes(*at))
}

/// The one choice that a pronoun votes for, named before it in the sentence or in the one before: "Chen has answered
/// that, so I vote for him", "Deepa convinced me; she has my vote".
fn by_pronoun(all: &Scoped, places: &[(usize, usize)]) -> Option<usize> {
    let at = pronoun(all)?;
    let named = |from: usize| {
        let mut named = places
            .iter()
            .filter(|(_, place)| (from..at).contains(place) && !all.has(*place, PAST));
        let (first, place) = named.next()?;
        (named.all(|(other, _)| other == first) && !all.has(*place, STRUCK)).then_some(*first)
    };
    let sentence = all.sentence_of(at).start;
    if places.iter().any(|(_, place)| (sentence..at).contains(place)) {
        return named(sentence);
    }
    // Behind it no other is named.
    let before = all.sentence_of(sentence.checked_sub(2)?).start;
    named(before).filter(|one| places.iter().all(|(other, place)| *place < at || other == one))
}

/// Whether the words say that somebody gets the vote, or with a narrower key only that they convince.
pub(super) fn wins(all: &Scoped, range: &Range<usize>, key: &str) -> bool {
    let said = |near| all.is(near, class::BEST) && contains_one(all.word(near), key);
    range.clone().any(said)
}

/// Whether a value goes on to another choice with a correction: "Bruno … no wait, I mean Chen's".
fn turns_from(value: &str, first: usize, language: Language, choices: &[&str]) -> bool {
    let (all, places) = named(value, language, choices);
    let other = |turn: &usize| places.iter().any(|(at, place)| *at != first && place > turn);
    all.corrections.iter().any(other)
}

/// The one choice that is left of a value such as "not Bruno but Deepa", "Bruno, I mean Deepa", "first Bruno, now Deepa".
fn turned_to(value: &str, language: Language, choices: &[&str]) -> Option<Alias> {
    const DOUBTS: u64 = class::REFUSE | class::IF | class::MAYBE | class::MIGHT;
    let (all, places) = named(value, language, choices);
    let or = |at: usize| {
        let clause = all.clause_of(at);
        all.is(at, class::OR) && places.iter().any(|(_, place)| (clause.start..at).contains(place))
    };
    // "Bruno. Sorry, Ana" is said to Ana.
    let spoken = |turn: usize| {
        all.value(turn) == 1 && (2..turn).all(|at| all.sign(at) != Some('.') || all.sign(at - 1) != Some('.'))
    };
    let concedes = |at: usize| at > 0 && all.is(at, class::BUT) && all.value(at) > 0;
    let turn = all.last_correction().filter(|turn| !(0..*turn).any(concedes));
    if (0..all.tokens.len()).any(|at| all.is(at, DOUBTS) || or(at)) || turn.is_some_and(spoken) {
        return None;
    }
    let is_out = |place: usize| {
        all.has(place, NEGATED | PAST) || turn.is_some_and(|turn| place < turn) || (0..place).any(concedes)
    };
    let (out, left): (Vec<_>, Vec<_>) = places.into_iter().partition(|(_, place)| is_out(*place));
    let first = left.first()?.0;
    let one = left
        .iter()
        .all(|(at, place)| *at == first && !all.has(*place, STRUCK | MAYBE));
    // "Ana… no, wait, it was Chen who had the ferry."
    let known = |place: usize| turn.is_none() || rest::in_known_words(&all, &(place..place + 1));
    (one && known(left.first()?.1) && !out.is_empty()).then_some(Alias::One(first))
}

/// Where the choices are named.
fn named(text: &str, language: Language, choices: &[&str]) -> (Scoped<'static>, Vec<(usize, usize)>) {
    let text = clean(text);
    let all = Scoped::of("", &text, language);
    let mut places = Vec::new();
    let is_letter = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() && c.is_ascii());
    for (at, choice) in choices.iter().enumerate() {
        let name = clean(choice);
        if name.is_empty() {
            continue;
        }
        // "Proposal 2", "the second proposal".
        let is_proposal = |place: usize| listed(PROPOSAL, &key(all.word(place)));
        let by_place = all.tokens.iter().enumerate().filter(|(number, token)| {
            (token.is_number() || token.is(class::ORD)) && token.number == (at + 1) as f64 && {
                let beside = |word: usize| all.is(word, class::NOUN | class::FILLER);
                *number > 0 && is_proposal(number - 1)
                    || *number > 1 && is_proposal(number - 2) && beside(number - 1)
                    || is_proposal(number + 1)
                    || is_proposal(number + 2) && beside(number + 1)
            }
        });
        places.extend(by_place.map(|(number, _)| (at, number)));
        for (start, _) in text.match_indices(name.as_str()).take(64) {
            let inside = is_letter(text.get(..start).and_then(|before| before.chars().next_back()))
                || is_letter(
                    text.get(start + name.len()..)
                        .and_then(|after| after.chars().next()),
                );
            if !inside {
                places.push((at, all.tokens.partition_point(|token| token.span.0 < start)));
            }
        }
    }
    (all, places)
}

/// What follows the first of the words of a table.
pub(super) fn after_any<'a>(text: &'a str, table: &str) -> Option<(usize, &'a str)> {
    let lower = text.to_lowercase();
    let first = table
        .split('|')
        .filter_map(|word| Some((lower.find(word)?, word.len())))
        .min()?;
    let after = text.get(first.0 + first.1..)?;
    (lower.len() == text.len()).then_some((first.0, after))
}

/// Yes or no as a conclusion: "I would not say that we are done, so yes".
fn concluded(said: &str, language: Language) -> Option<bool> {
    let last = said.rsplit([',', ';', '，', '；']).next()?.to_lowercase();
    if holds(said, class::IF | class::MAYBE) {
        return None;
    }
    let so = tokens(&last, language)
        .into_iter()
        .next()
        .filter(|so| so.is(class::SO))?;
    truth(last.get(so.span.1..)?, language)
}

/// Yes or no, by itself or before words: "no further rounds needed".
fn goes_on(said: &str, language: Language) -> Option<bool> {
    const NO: [char; 3] = ['不', '没', '无'];
    let key = key(said);
    if let Some(plain) = truth(said, language) {
        return Some(plain);
    }
    // "no reason to stop", "not sure", 不确定, "yes/no".
    let unsaid = class::CERTAIN | class::REFUSE | class::MAYBE | class::IF | class::OR;
    let says = |yes| key.split(' ').any(|word| truth(word, language) == Some(yes));
    // "No reason not to", 不能不继续.
    let all = tokens(&key, language);
    let denials = all
        .iter()
        .filter(|token| token.is(class::NEG | class::WITHOUT))
        .count();
    let agrees = |token: &Token| token.is(class::DOUBLE | class::YES | class::ASSENT) && token.value == 0;
    if denials.max(key.matches(NO).count()) > 1
        || says(false) && all.first().is_some_and(agrees)
        || heads("ends").any(|end| key.contains(end))
        || all.iter().any(|token| token.is(unsaid))
        || says(true) && says(false)
    {
        return None;
    }
    let lead = key.split(' ').next().unwrap_or_default();
    truth(lead, language)
        .or_else(|| key.starts_with(NO).then_some(false))
        .or_else(|| key.starts_with("not ").then_some(false))
        .or_else(|| {
            let denies = all.first().is_some_and(|token| token.is(class::NAY));
            (denies && all.len() == 1).then_some(false)
        })
}

fn add_line(to: &mut String, line: &str) {
    if !to.is_empty() {
        to.push('\n');
    }
    to.push_str(line);
}

/// Whether the answer to "do you agree to this proposal?" is yes: a line `PREPARE: YES` or
/// `COMMIT: NO` first, then what [`super::agreement`] reads. Two lines that differ are unread.
#[must_use]
pub fn assent(text: &str, language: Language) -> Reading<bool> {
    const LABELS: &str = "\
        prepare|commit|agree|answer|vote|preparar|confirmar|acuerdo|respuesta|voto|准备|提交|同意";
    let text = without_thought(text);
    let mut said = Once::Never;
    for line in text.lines() {
        if let Some((label, value)) = Line::of(line).label()
            && listed(LABELS, label.as_str())
        {
            let first = value
                .split([' ', ',', '.', ';', '，', '。'])
                .next()
                .unwrap_or(value);
            truth(first, language).into_iter().for_each(|yes| said.add(yes));
        }
    }
    match said {
        Once::Said(yes) => Reading::read(yes, How::Label),
        Once::Several => Reading::unread(Reason::AgreementUnclear),
        Once::Never if figure(&text).is_none() || text.len() < 400 => super::agreement(&text, language),
        Once::Never => Reading::unread(Reason::AgreementUnclear),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const NAMES: [&str; 3] = ["Ana", "claude-opus", "小王"];

    fn read(text: &str) -> Vote {
        vote(text, Language::Spanish, &NAMES).value().cloned().unwrap()
    }

    fn why(text: &str) -> Option<Reason> {
        vote(text, Language::English, &NAMES).reason()
    }

    fn the_vote(choice: &str, confidence: Option<f64>, go_on: Option<bool>, reasoning: &str) -> Vote {
        Vote {
            choice: Some(choice.to_owned()),
            confidence,
            go_on,
            reasoning: reasoning.to_owned(),
            words: None,
        }
    }

    #[test]
    fn lines_in_three_languages() {
        assert_eq!(
            read(
                "- **Choice:** Claude\n- **Confidence**: 85%\n- Continue: no, enough.\n- Reasoning: safest\nand cheapest"
            ),
            the_vote("claude-opus", Some(0.85), Some(false), "safest\nand cheapest")
        );
        assert_eq!(
            read("ELECCIÓN: «Ana»\nCONFIANZA: 0,7\nCONTINUAR: sí\nRAZONAMIENTO: es clara"),
            the_vote("Ana", Some(0.7), Some(true), "es clara")
        );
        assert_eq!(
            read("选择：小王\n信心：90%\n继续：否\n理由：更稳妥"),
            the_vote("小王", Some(0.9), Some(false), "更稳妥")
        );
        assert_eq!(
            read("**CHOICE**:\nProposal 2\nconfidence: high"),
            the_vote("claude-opus", None, None, "")
        );
    }

    #[test]
    fn json_comes_first() {
        assert_eq!(
            read(
                "Sure:\n```json\n{\"choice\": \"ana\", \"confidence\": 0.9, \"continue\": false, \"reasoning\": \"snake_case\"}\n```\nCHOICE: 小王"
            ),
            the_vote("Ana", Some(0.9), Some(false), "snake_case")
        );
        assert_eq!(
            read("{\"vote\": {\"choice\": \"opus\"}}"),
            the_vote("claude-opus", None, None, "")
        );
    }

    #[test]
    fn names_and_sentences() {
        assert_eq!(read("Claude").choice.as_deref(), Some("claude-opus"));
        assert_eq!(
            read("I vote for Ana because it is short. Good night.")
                .choice
                .as_deref(),
            Some("Ana")
        );
        assert_eq!(read("我投票给小王，因为稳妥").choice.as_deref(), Some("小王"));
        assert_eq!(read("CHOICE: abstain").choice, None);
    }

    #[test]
    fn votes_in_many_layouts() {
        for text in [
            "My vote: Ana. Confidence 60%. Continue: no.",
            "<choice>Ana</choice><confidence>0.6</confidence><continue>no</continue>",
            "Ana. 0.6. No more rounds.",
            "Ana gets my vote (confidence: 0.6). No more rounds.",
            "I vote for Proposal 1. My confidence is six out of ten, and we can stop here.",
            "我投Ana一票，把握大约六成，不用再讨论了。",
        ] {
            let said = read(text);
            let told = (said.choice.as_deref(), said.confidence, said.go_on);
            assert_eq!(told, (Some("Ana"), Some(0.6), Some(false)), "{text}");
        }
        // About another, or not firmly.
        for text in [
            "Ana. Or claude-opus.",
            "Ana, I cannot follow you.",
            "CHOICE: Ana\n(Sorry, wrong name: I mean 小王.)",
        ] {
            assert_ne!(
                vote(text, Language::English, &NAMES)
                    .value()
                    .and_then(|vote| vote.choice.as_deref()),
                Some("Ana"),
                "{text}"
            );
        }
    }

    #[test]
    fn nothing_is_filled_in() {
        assert_eq!(why(" \n"), Some(Reason::EmptyResponse));
        assert_eq!(why("Both plans have merit."), Some(Reason::NoChoiceFound));
        assert_eq!(why("CHOICE: zed"), Some(Reason::UnknownChoice));
        assert_eq!(why("CHOICE: Ana\nCHOICE: 小王"), Some(Reason::AmbiguousChoice));
        assert_eq!(why("CHOICE: Ana or claude-opus"), Some(Reason::AmbiguousChoice));
        assert_eq!(why("<think>CHOICE: Ana</think>"), Some(Reason::EmptyResponse));
        assert_eq!(read("CHOICE: [name]\nCHOICE: Ana").choice.as_deref(), Some("Ana"));
        assert_eq!(
            read("CHOICE: Ana\nCONFIDENCE: 0.2\nCONFIDENCE: 0.9").confidence,
            None
        );
    }

    #[test]
    fn assent_by_line_or_word() {
        let assent = |text| super::assent(text, Language::English).value().copied();
        assert_eq!(assent("PREPARE: YES\nREASONING: no risk that I see"), Some(true));
        assert_eq!(assent("**Commit:** no"), Some(false));
        assert_eq!(assent("I agree."), Some(true));
        assert_eq!(assent("PREPARE: YES\nCOMMIT: NO"), None);
    }

    proptest! {
        #[test]
        fn whatever_is_said(text in "\\PC*|((CHOICE|choice|信心|CONFIDENCE|continue)?[:：=*\n {}\"]|Ana|claude|1.7|80%|no|sí){0,30}") {
            if let Some(vote) = vote(&text, Language::Spanish, &NAMES).value() {
                prop_assert!(vote.confidence.is_none_or(|share| (0.0..=1.0).contains(&share)));
                prop_assert!(vote.choice.as_deref().is_none_or(|choice| NAMES.contains(&choice)));
            }
            let _ = assent(&text, Language::Spanish);
        }
    }
}
