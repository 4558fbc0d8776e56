//! Reading a configuration: typed access to a JSON object that collects every fault with its path
//! instead of stopping at the first, and notices keys that nobody read. Knows no protocol.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::rc::Rc;

/// Something wrong with a configuration, or worth knowing about it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// Where, e.g. `agents[1].temperature`.
    pub path: String,
    /// What is wrong and what is allowed.
    pub message: String,
}

/// All faults of a configuration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConfigError(pub Vec<Fault>);

impl Display for ConfigError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "the configuration has {} fault(s):", self.0.len())?;
        self.0
            .iter()
            .try_for_each(|fault| write!(formatter, "\n{}: {}", fault.path, fault.message))
    }
}

impl std::error::Error for ConfigError {}

/// What was found while reading, shared by all readers of one configuration.
#[derive(Debug, Default)]
pub struct Findings {
    /// What makes it unusable.
    pub faults: Vec<Fault>,
    /// What has no effect.
    pub warnings: Vec<Fault>,
}

/// Checked settings, and what has no effect.
#[derive(Debug, Clone, PartialEq)]
pub struct Checked<S> {
    /// The settings.
    pub settings: S,
    /// Keys without effect, and values taken with a grain of salt.
    pub warnings: Vec<Fault>,
}

/// Settings by `read` from a whole configuration, of which it has to read every key that it knows.
pub(super) fn checked<S>(config: &Value, read: impl FnOnce(&Reader) -> S) -> Result<Checked<S>, ConfigError> {
    let findings = Rc::new(RefCell::new(Findings::default()));
    let reader = Reader::new(config, Rc::clone(&findings));
    let settings = read(&reader);
    reader.finish();
    let Findings { faults, warnings } = findings.take();
    if faults.is_empty() {
        Ok(Checked { settings, warnings })
    } else {
        Err(ConfigError(faults))
    }
}

/// Reads one object of a configuration.
pub struct Reader<'a> {
    object: Option<&'a Map<String, Value>>,
    path: String,
    known: RefCell<BTreeSet<&'static str>>,
    findings: Rc<RefCell<Findings>>,
}

impl<'a> Reader<'a> {
    /// A reader of the whole configuration.
    #[must_use]
    pub fn new(config: &'a Value, findings: Rc<RefCell<Findings>>) -> Self {
        Self::at(config, String::new(), findings)
    }

    fn at(value: &'a Value, path: String, findings: Rc<RefCell<Findings>>) -> Self {
        let object = value.as_object();
        let reader = Self {
            object,
            path,
            known: RefCell::default(),
            findings,
        };
        if object.is_none() && !value.is_null() {
            reader.fault_here(format!(
                "is {}, must be an object of keys and values",
                kind_of(value)
            ));
        }
        reader
    }

    /// Records a fault of a key.
    pub fn fault(&self, key: &str, message: impl Display) {
        let fault = Fault {
            path: self.path_of(key),
            message: message.to_string(),
        };
        self.findings.borrow_mut().faults.push(fault);
    }

    /// Records a warning about a key.
    pub fn warn(&self, key: &str, message: impl Display) {
        let warning = Fault {
            path: self.path_of(key),
            message: message.to_string(),
        };
        self.findings.borrow_mut().warnings.push(warning);
    }

    fn fault_here(&self, message: String) {
        let path = if self.path.is_empty() {
            "(whole)".to_owned()
        } else {
            self.path.clone()
        };
        self.findings.borrow_mut().faults.push(Fault { path, message });
    }

    fn path_of(&self, key: &str) -> String {
        if self.path.is_empty() {
            key.to_owned()
        } else {
            format!("{}.{key}", self.path)
        }
    }

    /// The value of a key; null counts as absent.
    pub fn value(&self, key: &'static str) -> Option<&'a Value> {
        self.known.borrow_mut().insert(key);
        self.object?.get(key).filter(|value| !value.is_null())
    }

    /// The first of several names of a setting that is given; two of them at once is a fault.
    fn named(&self, names: &[&'static str]) -> Option<(&'static str, &'a Value)> {
        let given: Vec<_> = names
            .iter()
            .filter_map(|name| self.value(name).map(|value| (*name, value)))
            .collect();
        if let [(first, _), (second, _), ..] = given[..] {
            self.fault(second, format!("says the same as {first}: give one of the two"));
        }
        given.first().copied()
    }

    fn read<T>(
        &self,
        names: &[&'static str],
        wanted: &str,
        read: impl Fn(&'a Value) -> Option<T>,
    ) -> Option<T> {
        let (name, value) = self.named(names)?;
        let found = read(value);
        if found.is_none() {
            self.fault(name, format!("is {}, must be {wanted}", shown(value)));
        }
        found
    }

    /// True or false; also as the words yes, no, on, off.
    pub fn flag(&self, names: &[&'static str], default: bool) -> bool {
        let read = |value: &Value| match value {
            Value::Bool(flag) => Some(*flag),
            Value::String(word) => match word.to_ascii_lowercase().as_str() {
                "yes" | "true" | "on" | "y" | "t" | "1" => Some(true),
                "no" | "false" | "off" | "n" | "f" | "0" => Some(false),
                _ => None,
            },
            Value::Number(number) => match number.as_f64() {
                Some(0.0) => Some(false),
                Some(1.0) => Some(true),
                _ => None,
            },
            _ => None,
        };
        self.read(names, "true or false", read).unwrap_or(default)
    }

    /// A whole number in a range, if given.
    pub fn maybe_whole(&self, names: &[&'static str], range: RangeInclusive<u32>) -> Option<u32> {
        let wanted = if *range.end() == u32::MAX {
            format!("a whole number of at least {}", range.start())
        } else {
            format!("a whole number from {} to {}", range.start(), range.end())
        };
        self.read(names, &wanted, |value| {
            let number = value.as_u64().or_else(|| {
                value
                    .as_f64()
                    .filter(|float| float.fract() == 0.0 && *float >= 0.0)
                    .map(|float| float as u64)
            })?;
            u32::try_from(number).ok().filter(|number| range.contains(number))
        })
    }

    /// A whole number in a range.
    pub fn whole(&self, names: &[&'static str], default: u32, range: RangeInclusive<u32>) -> u32 {
        self.maybe_whole(names, range).unwrap_or(default)
    }

    /// A number in a range, if given.
    pub fn maybe_number(&self, names: &[&'static str], range: RangeInclusive<f64>) -> Option<f64> {
        let wanted = if range.end().is_finite() {
            format!("a number from {} to {}", range.start(), range.end())
        } else {
            format!("a number of at least {}", range.start())
        };
        self.read(names, &wanted, |value| {
            value.as_f64().filter(|number| range.contains(number))
        })
    }

    /// A number in a range.
    pub fn number(&self, names: &[&'static str], default: f64, range: RangeInclusive<f64>) -> f64 {
        self.maybe_number(names, range).unwrap_or(default)
    }

    /// A text, if given.
    pub fn maybe_text(&self, key: &'static str) -> Option<&'a str> {
        self.read(&[key], "a text", Value::as_str)
    }

    /// A text that has to be there and not be blank.
    pub fn text(&self, key: &'static str) -> &'a str {
        if self.object.is_some() && self.value(key).is_none() {
            self.fault(key, "is missing");
        }
        let text = self.maybe_text(key).unwrap_or("");
        if self.value(key).is_some_and(Value::is_string) && text.trim().is_empty() {
            self.fault(key, "is empty");
        }
        text
    }

    /// One of a few words, spelt like that, with what it stands for; if given.
    pub fn maybe_one_of<T: Copy>(&self, key: &'static str, words: &[(&str, T)]) -> Option<T> {
        let wanted = words.iter().map(|(word, _)| *word).collect::<Vec<_>>().join(", ");
        self.read(&[key], &format!("one of: {wanted}"), |value| {
            let word = value.as_str()?;
            words
                .iter()
                .find(|(name, _)| *name == word)
                .map(|(_, meaning)| *meaning)
        })
    }

    /// One of a few words, spelt like that, with what it stands for.
    pub fn one_of<T: Copy>(&self, key: &'static str, words: &[(&str, T)], default: T) -> T {
        self.maybe_one_of(key, words).unwrap_or(default)
    }

    /// A pair of numbers above 0, the first the smaller.
    pub fn range(&self, key: &'static str, default: (f64, f64)) -> (f64, f64) {
        let wanted = "two numbers above 0, the smaller first, such as [0.5, 2.0]";
        self.read(&[key], wanted, |value| match value.as_array()?.as_slice() {
            [low, high] => {
                let (low, high) = (low.as_f64()?, high.as_f64()?);
                (low > 0.0 && low < high && high.is_finite()).then_some((low, high))
            }
            _ => None,
        })
        .unwrap_or(default)
    }

    /// The object of a key; reads as empty where there is none.
    #[must_use]
    pub fn object(&self, key: &'static str) -> Reader<'a> {
        let value = self.value(key).unwrap_or(&Value::Null);
        Reader::at(value, self.path_of(key), Rc::clone(&self.findings))
    }

    /// The object of a key that the configuration chose itself.
    #[must_use]
    pub fn entry(&self, key: &str) -> Reader<'a> {
        let value = self.object.and_then(|object| object.get(key));
        Reader::at(
            value.unwrap_or(&Value::Null),
            self.path_of(key),
            Rc::clone(&self.findings),
        )
    }

    /// Whether this object is given at all.
    #[must_use]
    pub fn is_given(&self) -> bool {
        self.object.is_some()
    }

    /// The objects of a list, if it is one.
    pub fn list(&self, key: &'static str) -> Option<Vec<Reader<'a>>> {
        let items = self.read(&[key], "a list", Value::as_array)?;
        let reader = |(index, value)| {
            Reader::at(
                value,
                format!("{}[{index}]", self.path_of(key)),
                Rc::clone(&self.findings),
            )
        };
        Some(items.iter().enumerate().map(reader).collect())
    }

    /// Keys and values as they are, all of them allowed.
    #[must_use]
    pub fn free(&self) -> Option<&'a Map<String, Value>> {
        self.object
    }

    /// Faults the keys that nobody asked for.
    pub fn finish(self) {
        let known = self.known.borrow();
        for key in self
            .object
            .into_iter()
            .flat_map(Map::keys)
            .filter(|key| !known.contains(key.as_str()))
        {
            let likely = known.iter().find(|name| is_close(name, key));
            let hint = likely.map_or(String::new(), |name| format!("; is {name} meant?"));
            self.fault(key, format!("is not a setting{hint}"));
        }
    }
}

/// Whether two keys differ by case, separators or a swapped, missing or doubled letter or two.
fn is_close(name: &str, key: &str) -> bool {
    let plain = |text: &str| {
        text.chars()
            .filter(char::is_ascii_alphanumeric)
            .collect::<String>()
            .to_lowercase()
    };
    let (name, key) = (plain(name), plain(key));
    if name == key {
        return true;
    }
    let common = name.chars().zip(key.chars()).take_while(|(a, b)| a == b).count();
    let rest = |text: &str| text.chars().skip(common).collect::<Vec<_>>();
    let (name, key) = (rest(&name), rest(&key));
    let tail = name
        .iter()
        .rev()
        .zip(key.iter().rev())
        .take_while(|(a, b)| a == b)
        .count();
    common + tail >= 4 && name.len() - tail.min(name.len()) <= 2 && key.len() - tail.min(key.len()) <= 2
}

fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "empty",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// A value as it can be shown in a sentence: short ones as they are.
fn shown(value: &Value) -> String {
    match value {
        Value::Bool(_) | Value::Number(_) => value.to_string(),
        Value::String(text) if text.chars().count() <= 40 => value.to_string(),
        other => kind_of(other).to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_fault_is_told_with_its_path() {
        let config = json!({"a": 3, "b": "x", "list": [{"n": 1}, 7], "phase2_round": 1, "aa": 1, "bb": 2});
        let findings = Rc::new(RefCell::new(Findings::default()));
        let reader = Reader::new(&config, Rc::clone(&findings));
        assert_eq!(reader.whole(&["a"], 1, 5..=9), 1);
        assert!(!reader.flag(&["b"], false));
        assert_eq!(reader.whole(&["aa", "bb"], 0, 0..=9), 1);
        reader.whole(&["phase2_rounds"], 10, 1..=u32::MAX);
        for item in reader.list("list").unwrap() {
            assert_eq!(item.text("n"), "");
            item.finish();
        }
        reader.finish();
        let faults: Vec<_> = findings
            .borrow()
            .faults
            .iter()
            .map(|fault| format!("{}: {}", fault.path, fault.message))
            .collect();
        assert_eq!(
            faults,
            [
                "a: is 3, must be a whole number from 5 to 9",
                "b: is \"x\", must be true or false",
                "bb: says the same as aa: give one of the two",
                "list[1]: is a number, must be an object of keys and values",
                "list[0].n: is 1, must be a text",
                "phase2_round: is not a setting; is phase2_rounds meant?",
            ]
        );
    }
}
