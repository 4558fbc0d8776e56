//! Records of all procedures as a role sees them. What is common to all stands in [`crate::core::view`], what a
//! procedure shows in its own `view`.

use super::{Procedure, seats};
use crate::core::record::{Entry, Started};
use crate::core::sight::Role;
use crate::core::view::{Lens, View};
use serde_json::{Map, Value};
use std::rc::Rc;

/// A view of nothing yet, which takes in the entries of a record of any procedure.
#[must_use]
pub fn view(role: Role) -> View {
    View::new(role, lens, seated)
}

/// The view of a record.
#[must_use]
pub fn view_of(record: &[Rc<Entry>], role: Role) -> View {
    let mut view = view(role);
    record.iter().for_each(|entry| view.take(entry));
    view
}

fn lens(head: &Started) -> Option<Lens> {
    Some(Procedure::of(head)?.lens)
}

/// Who sits at the table, and what sits there: as the engine takes the configuration, or as it stands in it where
/// this engine does not take it.
fn seated(config: &Value) -> Vec<(String, String)> {
    let seats = seats(config).unwrap_or_default();
    let named = seats
        .into_iter()
        .map(|seat| (seat.name, seat.kind.name().to_owned()));
    named.collect()
}

/// Those fields of a configuration.
pub(super) fn published(config: &Value, keys: &[&str]) -> Value {
    let fields = keys
        .iter()
        .filter_map(|key| Some(((*key).to_owned(), config.get(key)?.clone())));
    Value::Object(fields.collect::<Map<_, _>>())
}

/// The participants of a configuration with their names, what sits there, and those fields.
pub(super) fn agents(config: &Value, keys: &[&str]) -> Value {
    let seats = seated(config);
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
