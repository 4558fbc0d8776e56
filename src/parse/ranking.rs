//! Reads a ranking of the four principles: a numbered list, a table, a line such as `3 > 1 > 2 > 4`,
//! an order in words, JSON. All four must be named once each; a place is never filled in by elimination.

use super::certainty::certainty_in;
use super::declared::has_correction;
use super::json_objects::{field, objects};
use super::keywords::{Keywords, by_keywords};
use super::normalize::normalize;
use super::ranking_failure::ranking_failure;
use super::ranking_places::{Order, in_lines, in_table, in_text};
use super::ranking_sequences::sequences;
use super::tokens::fold;
use super::{How, Reading, Reason};
use crate::language::Language;
use crate::principle::{Certainty, Principle, Ranking};
use crate::sorted::sort_few;
use serde_json::Value;

/// The ranking that an answer gives, best first, with the certainty if one is stated.
///
/// An answer with two different rankings is unread, unless the first is the list of the question
/// (the principles in the order of their numbers) or the last is announced as a correction.
#[must_use]
pub fn ranking(text: &str, _language: Language) -> Reading<Ranking> {
    let clean = normalize(text);
    if clean.is_empty() {
        return Reading::unread(Reason::EmptyResponse);
    }
    if clean.contains('{') {
        match in_json(&objects(&clean)) {
            Json::Ranking(ranking) => return Reading::read(ranking, How::Json),
            Json::Broken => return Reading::unread(Reason::RankingUnclear),
            Json::None => {}
        }
    }
    match order(&clean) {
        Some((order, how)) => Reading::read(
            Ranking {
                order,
                certainty: certainty_in(&fold(&clean)),
            },
            how,
        ),
        None => Reading::unread(ranking_failure(text).unwrap_or(Reason::RankingUnclear)),
    }
}

type Four = [Principle; 4];

/// The one order that the text gives.
fn order(clean: &str) -> Option<(Four, How)> {
    let mut listed = in_lines(clean);
    listed.extend(in_table(clean));
    // Beside a list, words in a row are its explanation, unless the list is that of the question.
    let words = listed.iter().all(|listed| listed.order == Principle::ALL);
    let mut inline = sequences(clean, words);
    if listed.is_empty() && inline.is_empty() {
        inline = in_text(clean);
    }
    let listed_one = settle(clean, listed)?;
    let inline_one = settle(clean, inline)?;
    match (listed_one, inline_one) {
        (Some(list), Some(line))
            if list.order == line.order || list.order == Principle::ALL && list.at < line.at =>
        {
            Some((line.order, How::Inline)).map(|found| {
                if list.order == line.order {
                    (list.order, How::List)
                } else {
                    found
                }
            })
        }
        (Some(_), Some(_)) | (None, None) => None,
        (Some(list), None) => Some((list.order, How::List)),
        (None, Some(line)) => Some((line.order, How::Inline)),
    }
}

/// The order that counts among several; outer `None` when they contradict each other.
#[allow(
    clippy::option_option,
    reason = "nothing there and no way to decide are two things"
)]
fn settle(clean: &str, mut orders: Vec<Order>) -> Option<Option<Order>> {
    sort_few(&mut orders, |a, b| a.at < b.at);
    let mut settled: Option<Order> = None;
    for order in orders {
        settled = match settled {
            None => Some(order),
            Some(before) if before.order == order.order => Some(before),
            Some(before) if before.order == Principle::ALL || corrects(clean, before.at, order.at) => {
                Some(order)
            }
            Some(_) => return None,
        };
    }
    Some(settled)
}

fn corrects(clean: &str, from: usize, to: usize) -> bool {
    let between = fold(clean.get(from..to).unwrap_or_default());
    between.contains("final") || between.contains("最终") || has_correction(&between)
}

enum Json {
    /// No object has a ranking.
    None,
    /// One that is no order of four, or several that differ.
    Broken,
    /// A ranking.
    Ranking(Ranking),
}

const RANKINGS: &[&str] = &[
    "rankings",
    "ranking",
    "order",
    "ranked",
    "ranks",
    "clasificacion",
    "clasificación",
    "orden",
    "排序",
    "排名",
    "顺序",
];
const PRINCIPLES: &[&str] = &["principle", "principio", "原则", "name", "option", "id"];
const RANKS: &[&str] = &[
    "rank",
    "place",
    "position",
    "puesto",
    "rango",
    "posicion",
    "posición",
    "lugar",
    "排名",
    "名次",
];
pub(super) const CERTAINTIES: &[&str] = &[
    "certainty",
    "overallcertainty",
    "confidence",
    "certeza",
    "seguridad",
    "确定性",
    "确定程度",
];

fn in_json(objects: &[Value]) -> Json {
    let mut found: Option<Ranking> = None;
    for object in objects {
        let order = match field(object, RANKINGS) {
            Some(value) => json_order(value),
            // {"1": "floor", "2": …}
            None if object.get("1").is_some() && object.get("4").is_some() => json_order(object),
            None => continue,
        };
        let Some(order) = order else {
            return Json::Broken;
        };
        if found.as_ref().is_some_and(|before| before.order != order) {
            return Json::Broken;
        }
        let certainty = field(object, CERTAINTIES).and_then(json_certainty);
        found = Some(Ranking { order, certainty });
    }
    found.map_or(Json::None, Json::Ranking)
}

/// The certainty that a JSON value states.
pub(super) fn json_certainty(value: &Value) -> Option<Certainty> {
    value
        .as_str()
        .and_then(|text| certainty_in(&fold(&normalize(text))))
}

fn json_order(value: &Value) -> Option<Four> {
    let mut ranked: Vec<(i64, Principle)> = Vec::new();
    match value {
        Value::Array(items) => {
            for (place, item) in (1_i64..).zip(items) {
                let principle = if item.is_object() {
                    field(item, PRINCIPLES)?
                } else {
                    item
                };
                let rank = match field(item, RANKS) {
                    Some(rank) => whole(rank)?,
                    None => place,
                };
                ranked.push((rank, json_principle(principle)?));
            }
        }
        Value::Object(entries) => {
            for (key, entry) in entries {
                match key.trim().parse::<i64>() {
                    Ok(rank) if !entry.is_number() => ranked.push((rank, json_principle(entry)?)),
                    // Two numbers leave open which is the rank.
                    Ok(_) => return None,
                    Err(_) => ranked.push((whole(entry)?, json_principle(&Value::String(key.clone()))?)),
                }
            }
        }
        _ => return None,
    }
    sort_few(&mut ranked, |a, b| a.0 < b.0);
    if !ranked.iter().map(|entry| entry.0).eq(1..=4) {
        return None;
    }
    distinct(&ranked.iter().map(|entry| entry.1).collect::<Vec<_>>())
}

fn whole(value: &Value) -> Option<i64> {
    value.as_i64().or_else(|| value.as_str()?.trim().parse().ok())
}

/// The principle that a JSON value names: a number, an identifier or words.
pub(super) fn json_principle(value: &Value) -> Option<Principle> {
    match value {
        Value::Number(number) => Principle::from_number(u8::try_from(number.as_u64()?).ok()?),
        // A lone letter may be anything's.
        Value::String(text)
            if text.trim().chars().all(|c| c.is_ascii_alphabetic()) && text.trim().len() == 1 =>
        {
            None
        }
        Value::String(text) => Principle::from_id(text.trim()).or_else(|| principle_of_label(text)),
        _ => None,
    }
}

/// The principle of a short label: its number, or its words.
pub(super) fn principle_of_label(text: &str) -> Option<Principle> {
    match super::labels::numbered_label(&fold(&normalize(text))) {
        Some((number, rest)) => match by_keywords(rest) {
            Keywords::One(principle) => (principle == number).then_some(principle),
            Keywords::None => Some(number),
            Keywords::Unclear => None,
        },
        None => match by_keywords(text) {
            Keywords::One(principle) => Some(principle),
            Keywords::None | Keywords::Unclear => None,
        },
    }
}

/// Four principles, if they are four different ones.
pub(super) fn distinct(principles: &[Principle]) -> Option<Four> {
    let four: Four = principles.try_into().ok()?;
    Principle::ALL
        .iter()
        .all(|principle| four.contains(principle))
        .then_some(four)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Language::{English, Mandarin, Spanish};
    use crate::principle::Certainty::{NoOpinion, Sure, Unsure, VerySure};
    use crate::principle::Principle::{Average, Floor, FloorConstraint, RangeConstraint};
    use proptest::prelude::*;

    fn numbers(text: &str, language: Language) -> Option<[u8; 4]> {
        ranking(text, language)
            .value()
            .map(|ranking| ranking.order.map(Principle::number))
    }

    #[track_caller]
    fn is(language: Language, text: &str, order: [u8; 4], certainty: impl Into<Option<Certainty>>) {
        let read = ranking(text, language);
        assert_eq!(numbers(text, language), Some(order), "{text}: {read:?}");
        assert_eq!(
            read.value().and_then(|ranking| ranking.certainty),
            certainty.into(),
            "{text}"
        );
    }

    #[track_caller]
    fn unread(text: &str, reason: Reason) {
        assert_eq!(
            ranking(text, English).reason(),
            Some(reason),
            "{text}: {:?}",
            ranking(text, English)
        );
    }

    #[test]
    fn numbered_lists() {
        is(
            English,
            "1. Floor with an average\n2. Floor\n3. Range\n4. Average\n\nCertainty: sure",
            [3, 1, 4, 2],
            Sure,
        );
        is(
            English,
            "Here it is:\n\n1) **Average with range constraint** – less distance than a mere floor\n2) **Maximizing the floor** (safer than the average)\n3) **Average with floor constraint**: both\n4) **Average** - no safety\n\n*I am unsure.*",
            [4, 1, 3, 2],
            Unsure,
        );
        is(
            English,
            "1. Principle 3: average with a floor constraint\n2. Principle 1\n3. Principle 4 - range\n4. Principle 2, the average",
            [3, 1, 4, 2],
            None,
        );
        is(English, "1. 3\n2. 1\n3. 4\n4. 2", [3, 1, 4, 2], None);
        is(
            English,
            "### Rank 1: Floor\nIt protects.\n### Rank 2: Floor constraint\nIt mixes.\n### Rank 3: Range constraint\n### Rank 4: Average",
            [1, 3, 4, 2],
            None,
        );
        is(
            English,
            "4. Average\n3. Range constraint\n2. Floor\n1. Average with a floor constraint",
            [3, 1, 4, 2],
            None,
        );
        is(
            English,
            "1st: Floor\n2nd: Floor constraint\n3rd: Range constraint\n4th: Average\nno opinion",
            [1, 3, 4, 2],
            NoOpinion,
        );
        is(
            English,
            "1. maximizing_average_floor_constraint\n2. maximizing_floor\n3. maximizing_average_range_constraint\n4. maximizing_average",
            [3, 1, 4, 2],
            None,
        );
        is(
            English,
            "1. Average (floor constraint)\n2. Floor\n3. Average (range constraint)\n4. Average",
            [3, 1, 4, 2],
            None,
        );
        is(
            English,
            "Floor: 2\nAverage: 4\nFloor constraint: 1\nRange constraint: 3",
            [3, 1, 4, 2],
            None,
        );
    }

    #[test]
    fn tables_and_json() {
        is(
            English,
            "| Rank | Principle | Why |\n|---|---|---|\n| 1 | Maximizing the floor | safe |\n| 2 | Average with floor constraint | mix |\n| 3 | Average with range constraint | close |\n| 4 | Maximizing the average | risky |\n\nOverall certainty: **very sure**",
            [1, 3, 4, 2],
            VerySure,
        );
        is(
            English,
            "| Principle | Rank |\n|---|---|\n| 1 | 2 |\n| 2 | 4 |\n| 3 | 1 |\n| 4 | 3 |",
            [3, 1, 4, 2],
            None,
        );
        is(
            English,
            "```json\n{\"ranking\": [3, 1, 4, 2], \"certainty\": \"sure\"}\n```",
            [3, 1, 4, 2],
            Sure,
        );
        is(
            English,
            "{\"ranking\": {\"1\": \"floor\", \"2\": \"floor constraint\", \"3\": \"range constraint\", \"4\": \"average\"}}",
            [1, 3, 4, 2],
            None,
        );
        is(
            English,
            "{\"rankings\": {\"maximizing_floor\": 2, \"maximizing_average\": 4, \"floor constraint\": 1, \"range constraint\": 3}}",
            [3, 1, 4, 2],
            None,
        );
        unread("{\"ranking\": [3, 1, 4]}", Reason::RankingUnclear);
        unread(
            "{\"ranking\": {\"1\": 3, \"2\": 1, \"3\": 4, \"4\": 2}}",
            Reason::RankingUnclear,
        );
    }

    #[test]
    fn within_a_line() {
        is(English, "3 > 1 > 2 > 4", [3, 1, 2, 4], None);
        is(English, "My ranking is: 3 > 1 > 2 > 4. Sure.", [3, 1, 2, 4], Sure);
        is(
            English,
            "floor > floor constraint > range constraint > average",
            [1, 3, 4, 2],
            None,
        );
        is(English, "3, 1, 4, 2", [3, 1, 4, 2], None);
        is(English, "Ranking: 3-1-4-2", [3, 1, 4, 2], None);
        is(
            English,
            "1) floor 2) floor constraint 3) range constraint 4) average",
            [1, 3, 4, 2],
            None,
        );
        is(
            English,
            "My first choice is the floor constraint, second the floor, third the range constraint and last the average.",
            [3, 1, 4, 2],
            None,
        );
        is(
            English,
            "The floor, then the floor constraint, then the range constraint, and finally the average. I am unsure.",
            [1, 3, 4, 2],
            Unsure,
        );
    }

    #[test]
    fn spanish() {
        is(
            Spanish,
            "1. Maximizar el ingreso promedio con restricción de ingreso mínimo\n2. Maximizar el ingreso mínimo\n3. Maximizar el ingreso promedio con restricción de rango\n4. Maximizar el ingreso promedio\n\nCerteza general: muy seguro",
            [3, 1, 4, 2],
            VerySure,
        );
        is(
            Spanish,
            "Primero: el piso\nSegundo: promedio con mínimo garantizado\nTercero: promedio con restricción de rango\nCuarto: el promedio",
            [1, 3, 4, 2],
            None,
        );
        is(
            Spanish,
            "Primero el ingreso mínimo, luego el promedio con restricción de mínimo, luego el promedio con restricción de rango y por último el promedio.",
            [1, 3, 4, 2],
            None,
        );
    }

    #[test]
    fn mandarin() {
        is(
            Mandarin,
            "1. 在最低收入约束条件下最大化平均收入\n2. 最大化最低收入\n3. 在范围约束条件下最大化平均收入\n4. 最大化平均收入\n\n整体确定性：非常确定",
            [3, 1, 4, 2],
            VerySure,
        );
        is(
            Mandarin,
            "一、最低收入最大化\n二、最低收入约束下的平均收入\n三、范围约束下的平均收入\n四、平均收入最大化\n总的来说，我对这个排序不确定。",
            [1, 3, 4, 2],
            Unsure,
        );
        is(
            Mandarin,
            "第一：原则3\n第二：原则1\n第三：原则4\n第四：原则2",
            [3, 1, 4, 2],
            None,
        );
        is(
            Mandarin,
            "第1名：最低收入最大化\n第2名：最低收入约束\n第3名：范围约束\n第4名：平均收入",
            [1, 3, 4, 2],
            None,
        );
        is(
            Mandarin,
            "我的排序：原则3 > 原则1 > 原则4 > 原则2",
            [3, 1, 4, 2],
            None,
        );
        is(
            Mandarin,
            "首先最低收入约束，其次最低收入，然后范围约束，最后平均收入。确定",
            [3, 1, 4, 2],
            Sure,
        );
    }

    #[test]
    fn the_question_quoted_back_and_second_thoughts() {
        let echo = "You gave me these:\n1. Maximizing the floor income\n2. Maximizing the average income\n3. Average with a floor constraint\n4. Average with a range constraint\n\n";
        is(
            English,
            &format!("{echo}My order: 3 > 1 > 4 > 2"),
            [3, 1, 4, 2],
            None,
        );
        is(
            English,
            &format!(
                "{echo}My order:\n1. Average with a floor constraint\n2. Floor\n3. Average with a range constraint\n4. Average"
            ),
            [3, 1, 4, 2],
            None,
        );
        is(
            English,
            "1. Floor\n2. Floor constraint\n3. Range constraint\n4. Average\n\nActually, on reflection:\n1. Floor constraint\n2. Floor\n3. Range constraint\n4. Average",
            [3, 1, 4, 2],
            None,
        );
        unread(
            "1. Floor\n2. Floor constraint\n3. Range constraint\n4. Average\n\n1. Floor constraint\n2. Floor\n3. Range constraint\n4. Average",
            Reason::RankingUnclear,
        );
    }

    #[test]
    fn what_is_no_ranking() {
        unread("", Reason::EmptyResponse);
        unread("\n \n", Reason::EmptyResponse);
        unread(
            "I choose principle 3 with $13,000.",
            Reason::ChoiceFormatConfusion,
        );
        unread(
            "It depends; I like principles 1 and 3 about equally.",
            Reason::NoNumberedList,
        );
        unread(
            "1. Floor\n2. Average\n3. Range constraint",
            Reason::IncompleteRanking,
        );
        unread(
            "1. Floor\n2. Floor\n3. Range constraint\n4. Average",
            Reason::RankingUnclear,
        );
        unread(
            "1. Floor\n2. Whatever\n3. Range constraint\n4. Average",
            Reason::RankingUnclear,
        );
        unread("1 = 3 > 2 > 4 in my view", Reason::NoNumberedList);
        unread("1: 3\n2: 1\n3: 4\n4: 2", Reason::RankingUnclear);
        unread(
            "- Floor\n- Average\n- Floor constraint\n- Range constraint",
            Reason::NoNumberedList,
        );
    }

    const NAMES: [[&str; 4]; 3] = [
        [
            "Maximizing the floor income",
            "Maximizing the average income",
            "Maximizing the average income with a floor constraint",
            "Maximizing the average income with a range constraint",
        ],
        [
            "Maximizar el ingreso mínimo",
            "Maximizar el ingreso promedio",
            "Maximizar el ingreso promedio con restricción de ingreso mínimo",
            "Maximizar el ingreso promedio con restricción de rango",
        ],
        [
            "最大化最低收入",
            "最大化平均收入",
            "在最低收入约束条件下最大化平均收入",
            "在范围约束条件下最大化平均收入",
        ],
    ];

    proptest! {
        #[test]
        fn never_panics(text in "\\PC*|([1-4.)>:,| \n#一第、]|floor|average|range|constraint|first|then |sure){0,40}") {
            let _ = ranking(&text, English);
        }

        #[test]
        fn what_was_ranked_is_read(order in Just([Floor, Average, FloorConstraint, RangeConstraint]).prop_shuffle(), language in 0_usize..3, sign in 0_usize..5) {
            let line = |(rank, principle): (usize, &Principle)| {
                let name = NAMES[language][*principle as usize];
                match sign {
                    0 => format!("{rank}. {name}"),
                    1 => format!("{rank}) **{name}**"),
                    2 => format!("({rank}) {name}"),
                    3 => format!("{rank}: {name}"),
                    _ => format!("{rank} - {name}"),
                }
            };
            let text = (1..).zip(&order).map(line).collect::<Vec<_>>().join("\n");
            let wanted: Vec<u8> = order.iter().map(|principle| principle.number()).collect();
            prop_assert_eq!(numbers(&text, Language::ALL[language]).map(Vec::from), Some(wanted), "{}", text);
        }
    }
}
