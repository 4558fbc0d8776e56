//! Role-specific views of the records of all procedures. Common parts are in [`crate::core::view`], those of
//! a procedure in its own `view`.

use super::{Procedure, seats};
use crate::core::block::Block;
use crate::core::record::{Entry, EntryKind, Started};
use crate::core::view::{View, ViewSpec};
use crate::core::visibility::{Role, RoleFilter};
use crate::language::Language;
use crate::language::words::Words;
use serde_json::Value;
use std::rc::Rc;

/// Creates an empty view for the records of any procedure.
#[must_use]
pub fn view(role: Role) -> View {
    View::new(role, view_spec, seat_kinds)
}

#[must_use]
pub fn view_of(record: &[Rc<Entry>], role: Role) -> View {
    let mut view = view(role);
    record.iter().for_each(|entry| view.take(entry));
    view
}

/// Returns the outcome of a run in a sentence, from its result or a summary of it; empty for an unknown protocol.
#[must_use]
pub fn outcome(protocol: &str, result: &Value, language: Language) -> String {
    let spec = super::get(protocol).map(|procedure| procedure.view);
    spec.map_or_else(String::new, |spec| {
        (spec.outcome)(result, &spec.words(language, &Value::Null))
    })
}

/// Returns the entries of a record that `role` may see, or `None` if this version does not know the protocol.
#[must_use]
pub fn seen(record: &[Rc<Entry>], role: Role) -> Option<Vec<Rc<Entry>>> {
    let EntryKind::Started(head) = &record.first()?.what else {
        return None;
    };
    if role != Role::Owner {
        view_spec(head)?;
    }
    let mut filter = RoleFilter::new(role);
    let mut visible = |entry| filter.filter(entry, |head| Some(view_spec(head)?.public));
    Some(record.iter().filter_map(&mut visible).collect())
}

fn view_spec(head: &Started) -> Option<ViewSpec> {
    Some(Procedure::of(head)?.view)
}

/// Returns name and kind of each seat; empty if this engine rejects the configuration.
fn seat_kinds(config: &Value) -> Vec<(String, String)> {
    let seats = seats(config).unwrap_or_default();
    let named = seats
        .into_iter()
        .map(|seat| (seat.name, seat.kind.name().to_owned()));
    named.collect()
}

/// Returns the given fields of a configuration.
pub(super) fn published(config: &Value, keys: &[&str]) -> Value {
    let fields = keys
        .iter()
        .filter_map(|key| Some(((*key).to_owned(), config.get(key)?.clone())));
    Value::Object(fields.collect())
}

/// Returns the participants of a configuration with name, kind and the given fields.
pub(super) fn agents(config: &Value, keys: &[&str]) -> Value {
    let seats = seat_kinds(config);
    let agents = config["agents"].as_array().into_iter().flatten();
    let public = agents.map(|agent| {
        let mut public = published(agent, keys);
        let kind = seats.iter().find(|(name, _)| agent["name"] == **name);
        public["name"] = agent["name"].clone();
        public["kind"] = kind.map_or(Value::Null, |(_, kind)| kind.as_str().into());
        public
    });
    public.collect()
}

/// Returns the warnings for review after the run, equal ones once.
pub(super) fn warning_section(warnings: impl Iterator<Item = String>, words: &Words) -> Option<Block> {
    let mut counts: Vec<(String, usize)> = Vec::new();
    for warning in warnings {
        match counts.iter_mut().find(|(known, _)| *known == warning) {
            Some((_, count)) => *count += 1,
            None => counts.push((warning, 1)),
        }
    }
    let line = |(warning, count)| match count {
        1 => warning,
        count => format!("{warning} × {count}"),
    };
    let (items, quoted) = (counts.into_iter().map(line).collect::<Vec<_>>(), false);
    let title = words.text("view.warnings", &[]);
    (!items.is_empty()).then(|| Block::Section {
        title,
        blocks: vec![Block::List { items, quoted }],
    })
}
