//! Material of a debate: what the owner gives, and sources of more.

use super::debaters::Debater;
use super::schedule::{Round, RoundKind};
use crate::language::blank::is_blank;
use crate::procedures::spec::config_reader::{ConfigReader, checked};
use crate::procedures::spec::declare::{SettingObject, SettingValue, choices, settings};
use crate::procedures::spec::{
    AddressContent, Literal, SettingKind, SettingTable, line, maybe_one_of, number, of, text, whole,
};
use serde_json::{Value, json};

/// A text, or a list of material with titles.
pub(super) const CONTEXT: SettingKind = SettingKind::Either {
    of: &[
        SettingKind::Text {
            most: 1_000_000,
            lines: true,
        },
        SettingKind::List {
            of: &Typed::KIND,
            most: 200,
        },
    ],
};

settings! {
    /// Material from the owner of the debate.
    pub struct Typed(one) {
        /// May be empty.
        title: String = line(1_000);
        text: String = text(1_000_000).required();
        /// Where it is from, e.g. the name of a file.
        origin: Option<String> = line(2_000);
    }
}

settings! {
    /// A source of material.
    pub struct Source(one) {
        kind: SourceKind = maybe_one_of(SourceKind::WORDS).required();
        name: Option<String> = line(60);
        /// Address of a feed.
        url: Option<String> = of(SettingKind::Address { holds: AddressContent::NoSecret })
            => one.maybe_text("url").map(str::to_owned);
        /// Maximum number of items, 1 to 20.
        limit: u32 = whole(1, 20)
            .by("kind", &[("debates", Literal::Whole(2)), ("feed", Literal::Whole(3))], Literal::Whole(10));
        /// In seconds, 1 to 60.
        timeout as "timeout_seconds": f64 = number(1.0, 60.0)
            .by("kind", &[("feed", Literal::Number(5.0))], Literal::Number(10.0))
            .counts("seconds");
    }
}

impl Source {
    /// Returns the name of the source's seat, e.g. `source:knowledge`.
    #[must_use]
    pub fn seat_name(&self) -> String {
        let kind = self.kind.name();
        match self.url.as_deref().or(self.name.as_deref()) {
            Some(which) => format!("source:{kind} {which}"),
            None => format!("source:{kind}"),
        }
    }
}

choices! {
    pub enum SourceKind {
        /// Insights from earlier debates.
        Knowledge = "knowledge",
        /// Earlier debates.
        Debates = "debates",
        /// RSS, Atom or JSON at an address.
        Feed = "feed",
        /// The embedding program.
        Program = "program",
    }
}

/// Reads `context`: a text, or objects with `title` and `text`.
pub(super) fn context(top: &ConfigReader) -> Vec<Typed> {
    let mut items: Vec<Typed> = match top.value("context") {
        Some(Value::String(text)) => vec![Typed {
            title: String::new(),
            text: text.trim().to_owned(),
            origin: None,
        }],
        _ => SettingValue::read(top, "context"),
    };
    items.retain(|one| !is_blank(&one.text));
    items
}

/// Default for a missing `sources`: the stores of this device. An empty list means no sources.
fn default_sources() -> Vec<Source> {
    let of = |kind: SourceKind| {
        let given = json!({ "kind": kind.name() });
        let source = checked(&given, SettingTable(&[Source::TABLE]), Source::read);
        Some(source.ok()?.settings)
    };
    [SourceKind::Knowledge, SourceKind::Debates]
        .into_iter()
        .filter_map(of)
        .collect()
}

/// Reads and checks `sources`.
pub(super) fn sources(top: &ConfigReader, debaters: &[Debater], schedule: &[Round]) -> Vec<Source> {
    let gathers = schedule.iter().any(|round| round.kind == RoundKind::Context);
    let is_free = |source: &Source| !debaters.iter().any(|one| one.seat.name == source.seat_name());
    if !top.has("sources") {
        let defaults = default_sources().into_iter();
        return defaults.filter(|source| gathers && is_free(source)).collect();
    }
    let mut sources: Vec<Source> = Vec::new();
    for one in top.list("sources") {
        let Some(kind) = one.maybe_one_of("kind", SourceKind::ALL) else {
            continue;
        };
        let source = Source::read(&one);
        match (kind, &source.url) {
            (SourceKind::Feed, None) => one.fault("url", "no_feed", vec![]),
            (SourceKind::Feed, Some(_)) | (_, None) => {}
            (_, Some(_)) => one.fault("url", "feeds_only", vec![]),
        }
        let name = source.seat_name();
        let name_value = || vec![("name", format!("{name:?}").into())];
        if sources.iter().any(|known| known.seat_name() == name) {
            one.fault("kind", "source_twice", name_value());
        } else if !is_free(&source) {
            one.fault("kind", "taken", name_value());
        }
        sources.push(source);
    }
    if !sources.is_empty() && !gathers {
        top.warn("sources", "no_context", vec![]);
    }
    sources
}
