//! Rankings: which mention has which place. The direction is understood in full or the answer is declined.

use super::decide::{LONG, sentences, weight};
use super::fields::{Fields, answer_line, text_of};
use super::free::certainty;
use super::json::{Json, objects};
use super::order_json::{distinct, of_object};
use super::tag::{Kind, Tagged};
use super::text::{LONGEST, key};
use super::{How, Reading, Reason};
use crate::language::Language;
use crate::principle::{Principle, Ranking};
use crate::thought;
use serde_json::Value;
use std::ops::Range;

const FIELDS: [&str; 4] = ["ranking", "answer", "certainty", "reason"];

/// Reads a ranking of the four principles.
#[must_use]
pub fn ranking(text: &str, language: Language) -> Reading<Ranking> {
    let text = thought::split(text).answer;
    if text.trim().is_empty() {
        return Reading::unread(Reason::EmptyResponse);
    }
    let (order, how) = match objects(&text) {
        Json::CutOff => return Reading::unread(Reason::AnswerBrokenOff),
        Json::Broken => return Reading::unread(Reason::RankingUnclear),
        Json::Objects(objects, _) => {
            let mut orders: Vec<[Principle; 4]> = objects
                .iter()
                .filter_map(|object| of_object(object, language))
                .collect();
            orders.dedup();
            match orders[..] {
                [order] => (Ok(order), How::Json),
                [] => (Err(Reason::IncompleteRanking), How::Json),
                _ => (Err(Reason::RankingUnclear), How::Json),
            }
        }
        Json::None => match Fields::of(&text, &FIELDS).ok().flatten() {
            _ if answer_line(&text).is_some_and(|line| free(line, language).is_ok()) => {
                let line = answer_line(&text).unwrap_or_default();
                let all = Tagged::of(&text, language, Kind::Principle);
                match all.words.section("ascending").is_in(&all.tokens) {
                    true => (Err(Reason::RankingUnclear), How::Line),
                    false => (free(line, language), How::Line),
                }
            }
            Some(fields) if labelled(&fields).is_some_and(|value| free(&value, language).is_ok()) => {
                let value = labelled(&fields).unwrap_or_default();
                // What stands outside may turn the order.
                let turned = Tagged::of(&fields.rest, language, Kind::Principle);
                let is_turned = ["ascending", "direction", "revoke"]
                    .iter()
                    .any(|name| turned.words.section(name).is_in(&turned.tokens));
                match is_turned {
                    true => (free(&text, language), How::Inline),
                    false => (free(&value, language), How::Label),
                }
            }
            _ => (free(&text, language), How::Inline),
        },
    };
    match order {
        Ok(order) => Reading::read(
            Ranking {
                order,
                certainty: certainty(&text, language),
            },
            how,
        ),
        Err(reason) => Reading::unread(reason),
    }
}

/// The value of the one field for a ranking, where it stands in its line.
fn labelled(fields: &Fields) -> Option<String> {
    let values: Vec<&Value> = fields
        .values("ranking")
        .into_iter()
        .chain(fields.values("answer"))
        .collect();
    match values[..] {
        [value] => text_of(value).filter(|value| {
            !value.contains('\n') && value.chars().filter(|c| c.is_alphanumeric()).count() >= 4
        }),
        _ => None,
    }
}

/// An order in free text.
pub(super) fn free(text: &str, language: Language) -> Result<[Principle; 4], Reason> {
    if text.len() > LONGEST {
        return Err(Reason::RankingUnclear);
    }
    let all = Tagged::of(text, language, Kind::Order);
    let whole = Order::of(&all);
    let items = whole.items();
    let numbers: Vec<u8> = items.iter().map(|at| all.tokens[*at].number as u8).collect();
    let mut sorted = numbers.clone();
    sorted.sort_unstable();
    if sorted != [1, 2, 3, 4] {
        return Err(match sorted.len() {
            0 => Reason::NoNumberedList,
            _ if sorted.windows(2).all(|pair| pair[0] == pair[1]) => Reason::ChoiceFormatConfusion,
            1..=4 => Reason::IncompleteRanking,
            _ => Reason::RankingUnclear,
        });
    }
    let ranks = whole.ranks(&items).ok_or(Reason::RankingUnclear)?;
    let mut ranked: Vec<(usize, u8)> = ranks.into_iter().zip(numbers).collect();
    ranked.sort_unstable();
    let order: Vec<Principle> = ranked
        .into_iter()
        .filter_map(|(_, number)| Principle::from_number(number))
        .collect();
    distinct(&order).ok_or(Reason::RankingUnclear)
}

struct Order<'a> {
    all: &'a Tagged,
    sentences: Vec<Range<usize>>,
    /// Mentions that are not of others and not of an earlier view.
    mentions: Vec<usize>,
    /// Tokens of an earlier order, of others' and of questions.
    struck: Vec<bool>,
    /// Tokens that a pattern accounts for.
    known: Vec<bool>,
}

impl<'a> Order<'a> {
    fn of(all: &'a Tagged) -> Self {
        let sentences = sentences(&all.tokens);
        let mut struck = vec![false; all.tokens.len()];
        for sentence in &sentences {
            let has = |name: &str| all.words.section(name).is_in(&all.tokens[sentence.clone()]);
            let asks = all
                .tokens
                .get(sentence.end)
                .is_some_and(|end| end.key == key::ASKS);
            let is_list = all.tokens[sentence.clone()]
                .iter()
                .filter(|token| token.key == key::MENTION)
                .count()
                == 8;
            if asks || has("others.order") || has("earlier.order") && !is_list {
                struck[sentence.clone()].fill(true);
            }
        }
        let mentions = (0..all.tokens.len())
            .filter(|at| all.tokens[*at].key == key::MENTION && !struck[*at])
            .collect();
        let mut known: Vec<bool> = all
            .tokens
            .iter()
            .map(|token| !token.is_word() && token.key != key::PERSON)
            .collect();
        let names = [
            "filler",
            "filler.order",
            "ascending",
            "descending",
            "now",
            "place.1",
            "place.2",
            "place.3",
            "place.4",
            "then",
            "certainty.sure",
            "certainty.very_sure",
            "certainty.unsure",
            "certainty.very_unsure",
            "certainty.sure.alone",
            "certainty.unsure.alone",
            "certainty.no_opinion",
        ];
        for name in names {
            for (at, one) in all.words.section(name).all(&all.tokens) {
                (at..one.end)
                    .filter(|token| one.took(token - at))
                    .for_each(|token| known[token] = true);
            }
        }
        Self {
            all,
            sentences,
            mentions,
            struck,
            known,
        }
    }

    fn key(&self, at: usize) -> u32 {
        self.all.tokens[at].key
    }

    /// The mentions that are ranked: those of the items of a list, of the only sentence with four, or all.
    fn items(&self) -> Vec<usize> {
        let places: Vec<usize> = (0..self.all.tokens.len())
            .filter(|at| self.key(*at) == key::PLACE && self.all.tokens[*at].number <= 4.0)
            .collect();
        if places.len() >= 4 {
            let first = |at: &usize| {
                let line = (*at..self.all.tokens.len())
                    .find(|at| self.key(*at) == key::LINE)
                    .unwrap_or(self.all.tokens.len());
                self.mentions
                    .iter()
                    .copied()
                    .find(|mention| (*at..line).contains(mention))
            };
            let items: Vec<usize> = places.iter().filter_map(first).collect();
            if items.len() == 4 && places.len() == 4 {
                return items;
            }
        }
        let of = |sentence: &Range<usize>| -> Vec<usize> {
            self.mentions
                .iter()
                .copied()
                .filter(|at| sentence.contains(at))
                .collect()
        };
        let full: Vec<Vec<usize>> = self
            .sentences
            .iter()
            .map(of)
            .filter(|mentions| mentions.len() == 4)
            .collect();
        match full.as_slice() {
            [one] if !self.is_changed_after(one) => one.clone(),
            _ => self.mentions.clone(),
        }
    }

    /// Whether a later sentence names principles again.
    fn is_changed_after(&self, items: &[usize]) -> bool {
        let end = items.last().copied().unwrap_or_default();
        self.mentions.iter().any(|at| *at > end)
    }

    /// The tokens of long sentences and remarks that say nothing of the order: reasons.
    fn aside(&self, items: &[usize]) -> Vec<bool> {
        let mut aside = self.struck.clone();
        let rankword = self.all.words.section("rankword");
        for sentence in &self.sentences {
            let tokens = &self.all.tokens[sentence.clone()];
            let has_item = items.iter().any(|item| sentence.contains(item));
            let leads = sentence.start < items[0]
                && (tokens.last().is_some_and(|last| last.key == key::of_mark(':'))
                    || rankword.is_in(tokens));
            if !has_item && !leads && weight(tokens) > 2 * LONG {
                aside[sentence.clone()].fill(true);
            }
            // "1. Floor - security comes first for those at the bottom"
            if let ([item], Some(dash)) = (
                &items
                    .iter()
                    .filter(|item| sentence.contains(item))
                    .collect::<Vec<_>>()[..],
                sentence.clone().find(|at| self.key(*at) == key::of_mark('-')),
            ) {
                let remark = &self.all.tokens[dash..sentence.end];
                let is_han = remark.iter().all(|token| !token.is_word() || token.number == 1.0);
                if dash > **item && weight(remark) > if is_han { 6 } else { 10 } {
                    aside[dash..sentence.end].fill(true);
                }
            }
        }
        for (at, one) in self
            .all
            .words
            .section("certainty.no_opinion")
            .all(&self.all.tokens)
        {
            aside[at..one.end].fill(true);
        }
        aside
    }

    /// The rank of each item, 1 the best; `None` where that is unclear.
    fn ranks(&self, items: &[usize]) -> Option<[usize; 4]> {
        let tokens = &self.all.tokens;
        let words = self.all.words;
        let aside = self.aside(items);
        let is_long = |at: usize| {
            let mut around = self.sentences.iter().filter(|sentence| sentence.contains(&at));
            around.any(|sentence| at < items[0] && weight(&tokens[sentence.clone()]) > 2 * LONG)
        };
        let turns = |name: &&str| {
            words
                .section(name)
                .all(tokens)
                .any(|(at, _)| !aside[at] && !is_long(at))
        };
        if ["tie", "refuse"].iter().any(turns)
            || words.section("revoke.order").is_in(tokens)
            || words.section("revoke").is_in(&tokens[items[0]..])
        {
            return None;
        }
        let is_list = items
            .windows(2)
            .all(|pair| (pair[0]..pair[1]).any(|at| self.key(at) == key::LINE));
        let said = |name: &str| words.section(name).is_in(tokens);
        let (up, down) = (said("ascending"), said("descending"));
        let places = self.places(items, &aside)?;
        let fits = |rank: fn(usize) -> usize| places.iter().all(|(item, place)| *place == rank(*item));
        let (fits_down, fits_up) = (fits(|item| item + 1), fits(|item| 4 - item));
        if up && down {
            return None;
        }
        if !self.is_accounted(items, is_list, &aside) {
            return None;
        }
        // Items without any mark of an order may be a mere list.
        if is_list && places.is_empty() && !up && !said("rankword") && !said("descending") {
            return None;
        }
        let mut said: Vec<usize> = places.iter().map(|(_, place)| *place).collect();
        said.sort_unstable();
        match (up, fits_down) {
            (false, true) => Some([1, 2, 3, 4]),
            (true, true) => Some([4, 3, 2, 1]),
            (true, false) => None,
            (false, false) if fits_up => Some([4, 3, 2, 1]),
            // Every item has a place of its own.
            _ if said == [1, 2, 3, 4] && (0..4).all(|item| places.iter().any(|(at, _)| *at == item)) => {
                let rank = |item| {
                    places
                        .iter()
                        .find(|(at, _)| *at == item)
                        .map_or(0, |(_, place)| *place)
                };
                Some([rank(0), rank(1), rank(2), rank(3)])
            }
            _ => None,
        }
    }

    /// The items with a stated place, from 0, and that place; `None` where a place belongs to no item.
    fn places(&self, items: &[usize], aside: &[bool]) -> Option<Vec<(usize, usize)>> {
        let tokens = &self.all.tokens;
        let mut found: Vec<(usize, usize, usize)> = Vec::new();
        let mut at = 0;
        while at < tokens.len() {
            let place = |nth: usize| {
                Some((
                    self.all
                        .words
                        .section(&format!("place.{nth}"))
                        .at(tokens, at)?
                        .end,
                    nth,
                ))
            };
            let direction = ["ascending", "descending"]
                .iter()
                .filter_map(|name| self.all.words.section(name).at(tokens, at))
                .map(|one| one.end)
                .max();
            let place = (1..=4).filter_map(place).max_by_key(|(end, _)| *end);
            match (place, direction) {
                (_, Some(end)) => at = end,
                (Some((end, nth)), _) => {
                    found.push((at, end, nth));
                    at = end;
                }
                _ if tokens[at].key == key::PLACE && tokens[at].number <= 4.0 => {
                    found.push((at, at + 1, tokens[at].number as usize));
                    at += 1;
                }
                _ => at += 1,
            }
        }
        let first = items[0];
        let begins = found.iter().any(|(at, end, _)| {
            *at < first
                && tokens[*end..first]
                    .iter()
                    .all(|token| !token.is_end() || token.key == key::LINE && *end == first)
        });
        let mut said = Vec::new();
        let mut lines = 0;
        let lines: Vec<usize> = tokens
            .iter()
            .map(|token| (lines, lines += usize::from(token.key == key::LINE)).0)
            .collect();
        let is_list = items.windows(2).all(|pair| lines[pair[0]] != lines[pair[1]]);
        for (at, end, place) in found.into_iter().filter(|(at, ..)| !aside[*at]) {
            // In a list, a remark on an item has its place or none. A sentence below it may name the item again.
            if begins && is_list && at > first && tokens[at].key != key::PLACE {
                let value = |one: usize| tokens[one].number;
                let sentence = self.sentences.iter().find(|sentence| sentence.contains(&at))?;
                let again = self.mentions.iter().find(|mention| sentence.contains(mention));
                let is_meant = |item: &usize| match again {
                    Some(mention) => value(*mention) == value(*item),
                    None => lines[*item] == lines[at],
                };
                if items.iter().position(is_meant)? + 1 != place {
                    return None;
                }
                continue;
            }
            let near = |range: Range<usize>| !tokens[range].iter().any(|token| token.is_end());
            let mention = match begins {
                true => self.mentions.iter().find(|mention| **mention >= end),
                false => self.mentions.iter().rev().find(|mention| **mention < at),
            };
            let mention = mention.filter(|mention| near(**mention.min(&&at)..at.max(**mention)));
            // Reasons may name an item again.
            let is_same =
                |item: &usize| mention.is_some_and(|one| tokens[*one].number == tokens[*item].number);
            let item = items.iter().position(is_same);
            // A place that no item has may turn the order.
            let item = item?;
            said.push((item, place));
        }
        said.sort_unstable();
        said.dedup();
        Some(said)
    }

    /// Whether the words around the items are known, and every word of direction is understood.
    fn is_accounted(&self, items: &[usize], is_list: bool, aside: &[bool]) -> bool {
        let tokens = &self.all.tokens;
        let words = self.all.words;
        let (first, last) = (items[0], items[3]);
        let direction = words
            .section("direction")
            .all(tokens)
            .any(|(at, one)| !aside[at] && (at..one.end).any(|at| !self.known[at]));
        if direction {
            return false;
        }
        // The sentence of the first item, and the one before it that leads to it.
        let start = self
            .sentences
            .iter()
            .position(|sentence| sentence.end > first)
            .unwrap_or(0);
        let mut from = self.sentences[start].start;
        let leads = |nth: usize, sentence: &Range<usize>| {
            let is_ranked = || {
                sentence
                    .clone()
                    .any(|at| words.section("rankword").at(tokens, at).is_some())
            };
            tokens[sentence.end - 1].key == key::of_mark(':') || nth == 0 && is_ranked()
        };
        for (nth, sentence) in self.sentences[..start].iter().rev().enumerate() {
            let has_mention = self.mentions.iter().any(|at| sentence.contains(at));
            // A sentence that introduces the order and names a principle says more than the order.
            if has_mention && tokens[sentence.end - 1].key == key::of_mark(':') {
                return false;
            }
            if leads(nth, sentence) && !has_mention {
                if nth == 0 {
                    from = sentence.start;
                }
                if sentence.clone().any(|at| !self.known[at]) {
                    return false;
                }
            }
        }
        let between = |at: usize| {
            // Behind the mention of an item of a list stands a remark.
            !is_list || {
                let item = items.iter().rev().find(|item| **item <= at);
                item.is_none_or(|item| {
                    !(*item..at).any(|at| {
                        [':', '-', '(', ',']
                            .iter()
                            .any(|mark| self.key(at) == key::of_mark(*mark))
                            || tokens[at].is_end()
                    })
                })
            }
        };
        let is_known = |at: usize| self.known[at] || at > items[0] && !between(at);
        if !(from..last).all(is_known) {
            return false;
        }
        // Within items of a list, other principles stand behind a mark.
        let chain = self
            .sentences
            .iter()
            .find(|sentence| sentence.contains(&last))
            .map_or(last, |sentence| sentence.end);
        let joined = (first..last).any(|at| words.section("or").at(tokens, at).is_some() && at < items[2]);
        let later = self.sentences.iter().filter(|sentence| sentence.start > last);
        let changes = later.into_iter().any(|sentence| {
            let names = self.mentions.iter().any(|at| sentence.contains(at));
            names
                && sentence
                    .clone()
                    .any(|at| !self.known[at] && words.section("danger").at(tokens, at).is_some())
        });
        let is_end_known = || {
            let mut words_after = (last + 1..chain).take_while(|at| tokens[*at].is_word());
            let is_danger = |at: usize| !self.known[at] && words.section("danger").at(tokens, at).is_some();
            words_after.all(|at| self.known[at]) && !(last..chain).any(is_danger)
        };
        is_list || !joined && !changes && is_end_known()
    }
}
