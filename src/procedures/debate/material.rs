//! Material as shown in questions: each kind of source within its share of the tokens, cuts marked, numbered,
//! and scanned for instruction-like text.
//!
//! Source: A4 of the debate's design, context sections and token budgets.

use super::event::GatheredSource;
use super::rules::taint;
use super::settings::Settings;
use crate::procedures::debate::context::SourceItem;
use crate::reading::context::{self, cut};

/// Source name and kind of typed material.
pub(super) const TYPED: &str = "typed";
const CHARACTERS_PER_TOKEN: usize = 4;
/// Token budget that the shares refer to; typed material gets the remainder.
const TOTAL_TOKENS: usize = 4_500;
const SHARES: [(&str, usize); 4] = [
    ("knowledge", 500),
    ("debates", 800),
    ("feed", 200),
    ("program", 600),
];
/// Minimum useful length of an item, in characters.
const MIN_LENGTH: usize = 80;
/// Maximum length shown, in characters.
const MAX_TITLE: usize = 120;
const MAX_ORIGIN: usize = 200;

/// Returns the typed material as a source.
pub(super) fn typed_material(settings: &Settings) -> GatheredSource {
    let items = settings.context.iter().map(|one| context::Item {
        title: one.title.clone(),
        text: one.text.clone(),
        origin: one.origin.clone(),
        ..context::Item::default()
    });
    source_material(TYPED, TYPED, items.collect())
}

/// Material from a source, before it is laid out.
pub(super) fn source_material(name: &str, kind: &str, items: Vec<context::Item>) -> GatheredSource {
    let of = |item: context::Item| SourceItem {
        kind: kind.to_owned(),
        source: name.to_owned(),
        id: item.id,
        title: item.title,
        text: item.text,
        origin: item.origin,
        at: item.at,
        confidence: item.confidence,
        ..SourceItem::default()
    };
    GatheredSource {
        name: name.to_owned(),
        kind: kind.to_owned(),
        items: items.into_iter().map(of).collect(),
        ..GatheredSource::default()
    }
}

/// Cuts the material to `tokens` in total, then numbers and scans it. Empty typed material is dropped.
pub(super) fn lay_out(mut all: Vec<GatheredSource>, tokens: u32) -> Vec<GatheredSource> {
    let whole = tokens as usize * CHARACTERS_PER_TOKEN;
    let mut used = 0;
    for (kind, share) in SHARES {
        used += fit(&mut all, kind, whole * share / TOTAL_TOKENS);
    }
    fit(&mut all, TYPED, whole.saturating_sub(used));
    all.retain(|source| source.kind != TYPED || !source.items.is_empty() || source.left_out > 0);
    let mut number = 0;
    for item in all.iter_mut().flat_map(|source| &mut source.items) {
        number += 1;
        item.evidence = u32::to_string(&number);
        item.title = cut(&item.title, MAX_TITLE);
        item.origin = item.origin.as_deref().map(|origin| cut(origin, MAX_ORIGIN));
        let origin = item.origin.as_deref().unwrap_or_default();
        let all = format!("{} {origin} {}", item.title, item.text);
        item.tainted = taint::taints(&all)
            .into_iter()
            .map(|taint| taint.name().to_owned())
            .collect();
    }
    all
}

/// Returns the items in the order of their numbers.
pub(super) fn evidence(all: &[GatheredSource]) -> Vec<SourceItem> {
    all.iter().flat_map(|source| &source.items).cloned().collect()
}

/// Cuts the texts of a kind to `most` characters in total, the longest first. Returns the resulting total.
fn fit(all: &mut [GatheredSource], kind: &str, most: usize) -> usize {
    let mut room = most / MIN_LENGTH;
    let of_kind = |source: &&mut GatheredSource| source.kind == kind;
    for source in all.iter_mut().filter(of_kind) {
        let count = source.items.len().min(room.max(1));
        source.left_out += source.items.len() - count;
        source.items.truncate(count);
        room = room.saturating_sub(count);
    }
    let items = || {
        all.iter()
            .filter(|source| source.kind == kind)
            .flat_map(|source| &source.items)
    };
    let longest = level(items().map(|item| item.text.chars().count()).collect(), most);
    let mut used = 0;
    for source in all.iter_mut().filter(of_kind) {
        for item in &mut source.items {
            item.text = cut(&item.text, longest);
            used += item.text.chars().count();
        }
    }
    used
}

/// Returns the length to cut each text to, for at most `most` characters in total.
fn level(mut lengths: Vec<usize>, most: usize) -> usize {
    lengths.sort();
    let mut left = most;
    for (place, length) in lengths.iter().enumerate() {
        let share = left / (lengths.len() - place);
        if *length > share {
            return share;
        }
        left -= length;
    }
    usize::MAX
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn source(kind: &str, lengths: &[usize]) -> GatheredSource {
        let item = |length: &usize| context::Item {
            text: "x".repeat(*length),
            ..context::Item::default()
        };
        source_material(kind, kind, lengths.iter().map(item).collect())
    }

    fn lengths(all: &[GatheredSource]) -> Vec<usize> {
        evidence(all)
            .iter()
            .map(|item| item.text.chars().count())
            .collect()
    }

    #[test]
    fn each_kind_has_its_share_and_typed_material_the_rest() {
        let all = vec![
            source(TYPED, &[50_000]),
            source("knowledge", &[100, 5_000, 5_000]),
            source("feed", &[700]),
        ];
        let all = lay_out(all, 4_500);
        assert_eq!(lengths(&all), [18_000 - 2_000 - 700, 100, 950, 950, 700]);
        assert!(all[0].items[0].text.ends_with(" […]"));
        let numbers: Vec<String> = evidence(&all).into_iter().map(|item| item.evidence).collect();
        assert_eq!(numbers, ["1", "2", "3", "4", "5"]);
    }

    #[test]
    fn two_sources_of_a_kind_share_and_too_many_items_are_counted() {
        let all = lay_out(
            vec![source("feed", &[900, 10]), source("feed", &[900; 12])],
            4_500,
        );
        assert_eq!(
            (all[0].items.len(), all[1].items.len(), all[1].left_out),
            (2, 8, 4)
        );
        assert!(lengths(&all).iter().sum::<usize>() <= 800, "{:?}", lengths(&all));
        assert_eq!(lay_out(vec![source(TYPED, &[])], 4_500), []);
    }

    proptest! {
        #[test]
        fn lengths_stay_within_the_limit(lengths in proptest::collection::vec(0usize..300, 0..12), most in 0usize..900) {
            let longest = level(lengths.clone(), most);
            prop_assert!(lengths.iter().map(|length| (*length).min(longest)).sum::<usize>() <= most);
        }
    }
}
