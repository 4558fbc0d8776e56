//! Paths to settings, as factors name them: `phase2_settings.strict`; `agents.model` in every entry of a list;
//! `agents[Ana].model` in the entry of that name.

use serde_json::{Map, Value};

/// A key, and the name of an entry if the value is a list and one is selected.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Part {
    key: String,
    entry: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Path(Vec<Part>);

/// A place in a configuration, from the top.
pub(super) type Place = Vec<Step>;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Step {
    Key(String),
    Index(usize),
}

impl Path {
    /// Parses a path; `None` if it is malformed or ends with an entry.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let mut parts = Vec::new();
        let mut rest = text;
        loop {
            let end = rest.find(['.', '[', ']']).unwrap_or(rest.len());
            let (key, after) = rest.split_at(end);
            if key.trim() != key || key.is_empty() {
                return None;
            }
            let key = key.to_owned();
            if after.is_empty() {
                parts.push(Part { key, entry: None });
                return Some(Self(parts));
            }
            let (entry, after) = match after.strip_prefix('[') {
                // A name may hold points and brackets.
                Some(after) => {
                    let (name, after) = after.split_once("].")?;
                    (Some(name.to_owned()), after)
                }
                None => (None, after.strip_prefix('.')?),
            };
            parts.push(Part { key, entry });
            rest = after;
        }
    }

    /// Returns whether two paths name a common setting, or one names a part of the other.
    pub(super) fn overlaps(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).all(|(own, other)| {
            let is_apart = own.entry.is_some() && other.entry.is_some() && own.entry != other.entry;
            own.key == other.key && !is_apart
        })
    }

    /// Returns the first key.
    pub(super) fn top(&self) -> &str {
        self.0.first().map_or("", |part| &part.key)
    }

    /// Returns the places that the path names in a configuration. `None` if it leads through a missing entry, an empty
    /// list, or a value that is neither object nor list; missing objects are allowed.
    pub(super) fn places(&self, config: &Value) -> Option<Vec<Place>> {
        let mut found = Vec::new();
        collect(&self.0, Some(config), &Vec::new(), &mut found).then_some(found)
    }
}

fn collect(parts: &[Part], within: Option<&Value>, place: &Place, found: &mut Vec<Place>) -> bool {
    let Some((part, rest)) = parts.split_first() else {
        found.push(place.clone());
        return true;
    };
    let within = within.filter(|value| !value.is_null());
    if within.is_some_and(|value| !value.is_object()) {
        return false;
    }
    let below = |place: &Place, step: Step| [place.as_slice(), &[step]].concat();
    let value = within.and_then(|within| within.get(&part.key));
    let place = below(place, Step::Key(part.key.clone()));
    let mut go = |index: usize, entry: &Value| {
        entry.is_object() && collect(rest, Some(entry), &below(&place, Step::Index(index)), found)
    };
    match (value, &part.entry) {
        (Some(Value::Array(entries)), Some(name)) => {
            let named = |entry: &Value| entry["name"].as_str() == Some(name);
            let index = entries.iter().position(named);
            index.is_some_and(|index| go(index, &entries[index]))
        }
        (_, Some(_)) => false,
        (Some(Value::Array(entries)), None) if !rest.is_empty() => {
            let mut entries_in_order = entries.iter().enumerate();
            !entries.is_empty() && entries_in_order.all(|(index, entry)| go(index, entry))
        }
        _ => collect(rest, value, &place, found),
    }
}

/// Puts a value into a place; missing objects are created.
pub(super) fn set(config: &mut Value, place: &[Step], value: Value) {
    let Some((step, rest)) = place.split_first() else {
        *config = value;
        return;
    };
    if config.is_null() {
        *config = Value::Object(Map::new());
    }
    let within = match (step, config) {
        (Step::Key(key), Value::Object(object)) => Some(object.entry(key.as_str()).or_insert(Value::Null)),
        (Step::Index(index), Value::Array(entries)) => entries.get_mut(*index),
        _ => None,
    };
    if let Some(within) = within {
        set(within, rest, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn path(text: &str) -> Path {
        Path::parse(text).unwrap()
    }

    #[test]
    fn malformed_paths_are_refused() {
        for text in [
            "", ".", "a.", ".a", "a..b", "a[b", "a[b]", "a[b]c", "[b].a", "a]", "a .b", " a",
        ] {
            assert_eq!(Path::parse(text), None, "{text}");
        }
        for text in [
            "a",
            "a.b",
            "agents[Ana].model",
            "agents[A. B. [c]].model",
            "$schema",
        ] {
            assert!(Path::parse(text).is_some(), "{text}");
        }
    }

    #[test]
    fn paths_to_a_common_setting_overlap() {
        for (one, other, does) in [
            ("a", "a", true),
            ("a", "b", false),
            ("a", "a.b", true),
            ("a.b", "a.c", false),
            ("agents.model", "agents[Ana].model", true),
            ("agents[Ben].model", "agents[Ana].model", false),
            ("agents[Ana].model", "agents[Ana].temperature", false),
            ("agents", "agents[Ana].model", true),
            ("agents.model", "agents.temperature", false),
            ("model", "models", false),
        ] {
            assert_eq!(path(one).overlaps(&path(other)), does, "{one} {other}");
            assert_eq!(path(other).overlaps(&path(one)), does, "{other} {one}");
        }
    }

    #[test]
    fn values_are_put_where_paths_lead() {
        let config = json!({ "rounds": 4, "agents": [{ "name": "Ana" }, { "name": "B. o", "model": "x" }], "none": [] });
        let with = |text: &str| {
            let mut config = config.clone();
            for place in path(text).places(&config)? {
                set(&mut config, &place, json!(1));
            }
            Some(config)
        };
        assert_eq!(with("rounds").unwrap()["rounds"], 1);
        assert_eq!(with("new.setting").unwrap()["new"], json!({ "setting": 1 }));
        assert_eq!(
            with("agents.model").unwrap()["agents"],
            json!([{ "name": "Ana", "model": 1 }, { "name": "B. o", "model": 1 }])
        );
        assert_eq!(
            with("agents[B. o].model").unwrap()["agents"],
            json!([{ "name": "Ana" }, { "name": "B. o", "model": 1 }])
        );
        assert_eq!(with("agents").unwrap()["agents"], 1);
        assert_eq!(
            with("agents.limits.most").unwrap()["agents"][0]["limits"],
            json!({ "most": 1 })
        );
        for lost in [
            "rounds.of",
            "agents[Cy].model",
            "none.model",
            "rounds[Ana].model",
            "agents.model.name",
            "other[Ana].model",
        ] {
            assert_eq!(with(lost), None, "{lost}");
        }
    }
}
