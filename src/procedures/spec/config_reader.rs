//! Typed access to a configuration, checked against a setting table. The check reports all faults with their
//! paths instead of stopping at the first. Values are then available by name, with defaults in place of
//! missing or faulty ones.

use super::fault::{ConfigError, Fault, FaultValue};
use super::{AddressContent, DefaultValue, KEY_HERE, Literal, Setting, SettingKind, SettingTable};
use crate::language::blank::is_blank;
use crate::seat::secret::{begins_like_a_key, looks_secret};
use serde_json::{Map, Value};
use std::cell::RefCell;
use std::rc::Rc;

/// Maximum number of reported faults.
const MAX_FAULTS: usize = 100;

#[derive(Debug, Default)]
struct Findings {
    faults: Vec<Fault>,
    /// Number of faults of single values, which come first.
    of_values: usize,
    warnings: Vec<Fault>,
}

/// Checked settings and warnings.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckedSettings<S> {
    pub settings: S,
    /// Settings without effect and questionable values.
    pub warnings: Vec<Fault>,
}

/// Checks a whole configuration against `table` and reads the settings with `read`.
///
/// # Errors
///
/// Returns all faults with their paths if the configuration is invalid.
pub fn checked<S>(
    config: &Value,
    table: SettingTable,
    read: impl FnOnce(&ConfigReader) -> S,
) -> Result<CheckedSettings<S>, ConfigError> {
    let reader = ConfigReader::unchecked(config, table);
    let whole = SettingKind::Object {
        settings: table,
        free: false,
    };
    {
        let mut findings = reader.top.findings.borrow_mut();
        check_value(&whole, config, "", &mut findings);
        findings.of_values = findings.faults.len();
    }
    let settings = read(&reader);
    let Findings { faults, warnings, .. } = reader.top.findings.take();
    if faults.is_empty() {
        Ok(CheckedSettings { settings, warnings })
    } else {
        Err(ConfigError(faults))
    }
}

impl Findings {
    fn fault(&mut self, path: &str, code: &'static str, values: Vec<(&'static str, FaultValue)>) {
        if self.faults.len() < MAX_FAULTS {
            self.faults.push(Fault {
                path: path.to_owned(),
                code,
                values,
            });
        }
    }
}

fn child_path(path: &str, key: &str) -> String {
    if path.is_empty() {
        key.to_owned()
    } else {
        format!("{path}.{key}")
    }
}

/// Checks a value and everything in it.
fn check_value(kind: &SettingKind, value: &Value, path: &str, findings: &mut Findings) {
    match (kind, value) {
        (SettingKind::Object { settings, free }, Value::Object(object)) => {
            check_object(*settings, *free, object, path, findings);
        }
        (SettingKind::List { of, most }, Value::Array(items)) => {
            if items.len() > *most as usize {
                let counts = vec![("count", items.len().into()), ("most", (*most).into())];
                return findings.fault(path, "many", counts);
            }
            for (index, item) in items.iter().enumerate() {
                check_value(of, item, &format!("{path}[{index}]"), findings);
            }
        }
        (SettingKind::Map { of }, Value::Object(object)) => {
            for (key, value) in object {
                check_value(of, value, &child_path(path, key), findings);
            }
        }
        (SettingKind::Either { of }, value) => {
            if let Some(kind) = of.iter().find(|kind| has_type(kind, value)) {
                return check_value(kind, value, path, findings);
            }
            let wanted = FaultValue::Any(of.iter().map(expected).collect());
            findings.fault(path, "must", vec![("found", describe(value)), ("wanted", wanted)]);
        }
        (SettingKind::Free, _) => {}
        _ => {
            if let Err((code, values)) = check_scalar(kind, value) {
                findings.fault(path, code, values);
            }
        }
    }
}

fn check_object(
    settings: SettingTable,
    free: bool,
    object: &Map<String, Value>,
    path: &str,
    findings: &mut Findings,
) {
    for setting in settings.iter() {
        let mut given = setting
            .names()
            .filter(|name| object.get(*name).is_some_and(|value| !value.is_null()));
        let Some(name) = given.next() else {
            if setting.required {
                findings.fault(&child_path(path, setting.name), "missing", Vec::new());
            }
            continue;
        };
        if let Some(second) = given.next() {
            findings.fault(&child_path(path, second), "same", vec![("first", name.into())]);
        }
        let own = child_path(path, name);
        let value = &object[name];
        check_value(&setting.kind, value, &own, findings);
        if setting.required && value.as_str().is_some_and(is_blank) {
            findings.fault(&own, "empty", Vec::new());
        }
        if !setting.effect {
            findings.warnings.push(Fault {
                path: own,
                code: "without_effect",
                values: Vec::new(),
            });
        }
    }
    if free {
        return;
    }
    for key in object.keys().filter(|key| settings.find(key).is_none()) {
        let names = settings.iter().flat_map(Setting::names);
        let nearest = names
            .map(|name| (distance(name, key), name))
            .min_by_key(|(distance, _)| *distance);
        match nearest {
            Some((distance, name)) if distance <= 2 && distance * 2 < name.len() => {
                findings.fault(
                    &child_path(path, key),
                    "unknown_near",
                    vec![("name", name.into())],
                );
            }
            _ => findings.fault(&child_path(path, key), "unknown", Vec::new()),
        }
    }
}

/// Returns the edit distance of two keys, ignoring case and separators.
fn distance(name: &str, key: &str) -> usize {
    let plain = |text: &str| -> Vec<char> {
        let letters = text.chars().filter(|letter| letter.is_alphanumeric());
        letters.flat_map(char::to_lowercase).take(64).collect()
    };
    let (name, key) = (plain(name), plain(key));
    let mut row: Vec<usize> = (0..=key.len()).collect();
    for (at, letter) in name.iter().enumerate() {
        let mut corner = at;
        row[0] = at + 1;
        for (to, other) in key.iter().enumerate() {
            let exchanged = corner + usize::from(letter != other);
            corner = row[to + 1];
            row[to + 1] = exchanged.min(corner + 1).min(row[to] + 1);
        }
    }
    row.last().copied().unwrap_or_default()
}

/// Returns whether a value has the type of `kind`, to choose among alternatives.
fn has_type(kind: &SettingKind, value: &Value) -> bool {
    match kind {
        SettingKind::Flag => value.is_boolean(),
        SettingKind::Whole { .. } | SettingKind::Number { .. } => value.is_number(),
        SettingKind::Text { .. } | SettingKind::Address { .. } | SettingKind::OneOf { .. } => {
            value.is_string()
        }
        SettingKind::Pair | SettingKind::List { .. } => value.is_array(),
        SettingKind::Lines => value.is_string() || value.is_array(),
        SettingKind::Object { .. } | SettingKind::Map { .. } => value.is_object(),
        SettingKind::Either { of } => of.iter().any(|kind| has_type(kind, value)),
        SettingKind::Free => true,
    }
}

/// Returns the key of the words for an expected kind among alternatives.
fn expected(kind: &SettingKind) -> &'static str {
    match kind {
        SettingKind::Flag => "a_flag",
        SettingKind::Whole { .. } | SettingKind::Number { .. } => "a_number",
        SettingKind::Pair | SettingKind::List { .. } => "a_list",
        SettingKind::Object { .. } | SettingKind::Map { .. } => "an_object",
        _ => "a_text",
    }
}

type Violation = (&'static str, Vec<(&'static str, FaultValue)>);

/// Checks a scalar value.
fn check_scalar(kind: &SettingKind, value: &Value) -> Result<(), Violation> {
    let violation = |code, more: Vec<(&'static str, FaultValue)>| {
        let mut values = vec![("found", describe(value))];
        values.extend(more);
        Err((code, values))
    };
    match *kind {
        SettingKind::Flag if flag(value).is_none() => violation("flag", vec![]),
        SettingKind::Whole { min, max }
            if whole(value).is_none_or(|number| !(min..=max).contains(&number)) =>
        {
            if max == u32::MAX {
                violation("whole_from", vec![("min", min.into())])
            } else {
                violation("whole", vec![("min", min.into()), ("max", max.into())])
            }
        }
        SettingKind::Number { min, max }
            if number(value).is_none_or(|number| !(min..=max).contains(&number)) =>
        {
            if min.is_infinite() {
                violation("must", vec![("wanted", FaultValue::Word("a_number"))])
            } else if max.is_infinite() {
                violation("number_from", vec![("min", min.into())])
            } else {
                violation("number", vec![("min", min.into()), ("max", max.into())])
            }
        }
        SettingKind::Text { most, lines } => {
            let Some(text) = value.as_str() else {
                return violation("text", vec![]);
            };
            if text.chars().count() > most as usize {
                return Err(("long", vec![("most", most.into())]));
            }
            if !lines && text.chars().any(char::is_control) {
                return Err(("one_line", vec![]));
            }
            // The value is left out: a fault must not repeat a key.
            if is_key(text.trim()) {
                return Err(("key_here", vec![]));
            }
            Ok(())
        }
        SettingKind::Address { holds } => match value.as_str() {
            None => violation("text", vec![]),
            // The value is left out: a fault must not repeat a key.
            Some(url) if holds == AddressContent::NoKey && holds_key(url) => Err(("address_secret", vec![])),
            Some(url) if holds == AddressContent::NoSecret && holds_secret(url) => {
                Err(("address_key", vec![("key", KEY_HERE.into())]))
            }
            Some(url) if !is_http(url) || url.len() > 2_000 => violation("address", vec![]),
            Some(_) => Ok(()),
        },
        SettingKind::OneOf {
            words,
            also,
            any_case,
        } if word(words, also, any_case, value).is_none() => {
            violation("one_of", vec![("words", words.join(", ").into())])
        }
        SettingKind::Lines if !has_type(kind, value) => violation("lines", vec![]),
        SettingKind::Pair if pair(value).is_none() => violation("pair", vec![]),
        SettingKind::Object { .. } | SettingKind::Map { .. } => violation("object", vec![]),
        SettingKind::List { .. } => violation("list", vec![]),
        _ => Ok(()),
    }
}

fn flag(value: &Value) -> Option<bool> {
    match value {
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
    }
}

fn whole(value: &Value) -> Option<u32> {
    let float = || {
        value
            .as_f64()
            .filter(|float| float.fract() == 0.0 && *float >= 0.0)
    };
    let number = value.as_u64().or_else(|| float().map(|float| float as u64))?;
    u32::try_from(number).ok()
}

fn number(value: &Value) -> Option<f64> {
    value.as_f64()
}

fn pair(value: &Value) -> Option<(f64, f64)> {
    match value.as_array()?.as_slice() {
        [low, high] => {
            let (low, high) = (low.as_f64()?, high.as_f64()?);
            (low > 0.0 && low < high && high.is_finite()).then_some((low, high))
        }
        _ => None,
    }
}

fn word(
    words: &[&'static str],
    also: &[(&'static str, &'static str)],
    any_case: bool,
    value: &Value,
) -> Option<&'static str> {
    let given = value.as_str()?;
    let is_match = |word: &str| given == word || (any_case && given.eq_ignore_ascii_case(word));
    let own = words.iter().copied().find(|word| is_match(word));
    own.or_else(|| {
        also.iter()
            .find(|(other, _)| is_match(other))
            .map(|(_, word)| *word)
    })
}

/// Returns whether a word is a key of a well-known provider.
fn is_key(word: &str) -> bool {
    word.len() >= 20 && begins_like_a_key(word) && !word.contains(char::is_whitespace)
}

/// Returns whether a URL holds a key or a password.
fn holds_key(url: &str) -> bool {
    let lower = url.to_lowercase();
    let is_given = |rest: &str| !rest.is_empty() && !rest.starts_with('&');
    lower.contains('@')
        || ["key=", "token=", "secret=", "sig="]
            .iter()
            .any(|name| lower.split(name).skip(1).any(is_given))
        || url.split(['/', '?', '=', '&']).any(is_key)
}

/// Returns whether a URL is a credential in itself: by [`holds_key`], or by a random token in its path or
/// query.
fn holds_secret(url: &str) -> bool {
    let url = url.replace(KEY_HERE, "");
    let behind_host = url.splitn(4, '/').nth(3).unwrap_or_default();
    holds_key(&url) || behind_host.split(['/', '?', '=', '&', ':']).any(looks_secret)
}

/// Returns whether a text is an HTTP URL with a host.
#[must_use]
pub fn is_http(url: &str) -> bool {
    ["http://", "https://"].iter().any(|scheme| {
        url.strip_prefix(scheme)
            .is_some_and(|rest| !rest.is_empty() && !rest.starts_with('/'))
    }) && !url.contains(|character: char| character.is_whitespace() || character == '@')
}

/// Formats a value for a sentence; long ones are replaced.
fn describe(value: &Value) -> FaultValue {
    match value {
        Value::Bool(_) | Value::Number(_) => FaultValue::Text(value.to_string()),
        Value::String(text) if text.chars().count() <= 40 => FaultValue::Text(value.to_string()),
        Value::String(_) => FaultValue::Word("a_text"),
        Value::Array(_) => FaultValue::Word("a_list"),
        Value::Object(_) => FaultValue::Word("an_object"),
        Value::Null => FaultValue::Word("nothing"),
    }
}

struct Top<'a> {
    table: SettingTable,
    object: Option<&'a Map<String, Value>>,
    findings: RefCell<Findings>,
}

/// Reader of one checked object of a configuration.
pub struct ConfigReader<'a> {
    table: SettingTable,
    object: Option<&'a Map<String, Value>>,
    path: String,
    top: Rc<Top<'a>>,
}

impl<'a> ConfigReader<'a> {
    /// Creates a reader of a whole configuration without a check, such as that of a record of another version. A
    /// faulty value reads as its default.
    #[must_use]
    pub fn unchecked(config: &'a Value, table: SettingTable) -> Self {
        let object = config.as_object();
        Self {
            table,
            object,
            path: String::new(),
            top: Rc::new(Top {
                table,
                object,
                findings: RefCell::default(),
            }),
        }
    }

    /// Reports a fault of a key, unless its value is known to be faulty: one mistake is one fault.
    pub fn fault(&self, key: &str, code: &'static str, values: Vec<(&'static str, FaultValue)>) {
        let path = child_path(&self.path, key);
        let mut findings = self.top.findings.borrow_mut();
        let of_values = findings.faults.get(..findings.of_values).unwrap_or_default();
        if !of_values.iter().any(|fault| fault.path == path) {
            findings.fault(&path, code, values);
        }
    }

    /// Reports a key without effect, or with another effect than its name suggests.
    pub fn warn(&self, key: &str, code: &'static str, values: Vec<(&'static str, FaultValue)>) {
        self.top.findings.borrow_mut().warnings.push(Fault {
            path: child_path(&self.path, key),
            code,
            values,
        });
    }

    /// Returns whether this object is present.
    #[must_use]
    pub fn is_given(&self) -> bool {
        self.object.is_some()
    }

    /// Returns whether a setting is present, valid or not.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.value(name).is_some()
    }

    /// Returns the value of a setting under any of its names.
    #[must_use]
    pub fn value(&self, name: &str) -> Option<&'a Value> {
        self.value_of(self.setting(name)?)
    }

    /// Returns the value under this exact key.
    #[must_use]
    pub fn under(&self, key: &str) -> Option<&'a Value> {
        self.object?.get(key).filter(|value| !value.is_null())
    }

    fn value_of(&self, setting: &Setting) -> Option<&'a Value> {
        setting.names().find_map(|name| self.under(name))
    }

    /// Looks up a setting. A name missing from the table is a programming error.
    fn setting(&self, name: &str) -> Option<&'static Setting> {
        let found = self.table.iter().find(|setting| setting.name == name);
        debug_assert!(found.is_some(), "no setting {name} in {:?}", self.path);
        found
    }

    fn valid(&self, setting: &Setting) -> Option<&'a Value> {
        self.value_of(setting)
            .filter(|value| check_scalar(&setting.kind, value).is_ok())
    }

    /// Returns the default of a setting.
    fn default_of(&self, setting: &Setting) -> Option<Literal> {
        match setting.usual {
            DefaultValue::Nothing => None,
            DefaultValue::Is(plain) => Some(plain),
            DefaultValue::By {
                setting,
                when,
                otherwise,
            } => {
                let word = self.word_of(setting);
                let fitting = when.iter().find(|(value, _)| Some(*value) == word);
                Some(fitting.map_or(otherwise, |(_, plain)| *plain))
            }
        }
    }

    /// Returns the text value of a setting in this object or at the top level.
    fn word_of(&self, name: &str) -> Option<&'a str> {
        if self.table.find(name).is_some() {
            return self.maybe_word(name);
        }
        let top = Self {
            table: self.top.table,
            object: self.top.object,
            path: String::new(),
            top: Rc::clone(&self.top),
        };
        top.maybe_word(name)
    }

    /// Returns the word of a `OneOf` setting, or the text of an alternative that allows one.
    #[must_use]
    pub fn maybe_word(&self, name: &str) -> Option<&'a str> {
        let setting = self.setting(name)?;
        let given = self.value_of(setting).and_then(|value| match setting.kind {
            SettingKind::OneOf {
                words,
                also,
                any_case,
            } => word(words, also, any_case, value),
            _ => value.as_str(),
        });
        given.or_else(|| match self.default_of(setting) {
            Some(Literal::Text(text)) => Some(text),
            _ => None,
        })
    }

    /// Returns the meaning of the given or default word.
    #[must_use]
    pub fn maybe_one_of<T: Copy>(&self, name: &str, all: &[(&str, T)]) -> Option<T> {
        let word = self.maybe_word(name)?;
        let found = all.iter().find(|(own, _)| *own == word);
        found.map(|(_, meaning)| *meaning)
    }

    /// Returns the meaning of the given or default word, or else the first one.
    #[must_use]
    pub fn one_of<T: Copy>(&self, name: &str, all: &[(&str, T)]) -> T {
        self.maybe_one_of(name, all).unwrap_or(all[0].1)
    }

    #[must_use]
    pub fn maybe_flag(&self, name: &str) -> Option<bool> {
        flag(self.valid(self.setting(name)?)?)
    }

    #[must_use]
    pub fn flag(&self, name: &str) -> bool {
        let usual = || matches!(self.default_of(self.setting(name)?)?, Literal::Flag(true)).then_some(true);
        self.maybe_flag(name).or_else(usual).unwrap_or(false)
    }

    #[must_use]
    pub fn maybe_whole(&self, name: &str) -> Option<u32> {
        let setting = self.setting(name)?;
        let given = self.valid(setting).and_then(whole);
        given.or_else(|| match self.default_of(setting) {
            Some(Literal::Whole(number)) => Some(number),
            _ => None,
        })
    }

    #[must_use]
    pub fn whole(&self, name: &str) -> u32 {
        self.maybe_whole(name).unwrap_or_default()
    }

    #[must_use]
    pub fn maybe_number(&self, name: &str) -> Option<f64> {
        let setting = self.setting(name)?;
        let given = self.valid(setting).and_then(number);
        given.or_else(|| match self.default_of(setting) {
            Some(Literal::Number(number)) => Some(number),
            _ => None,
        })
    }

    #[must_use]
    pub fn number(&self, name: &str) -> f64 {
        self.maybe_number(name).unwrap_or_default()
    }

    #[must_use]
    pub fn pair(&self, name: &str) -> (f64, f64) {
        let Some(setting) = self.setting(name) else {
            return (1.0, 1.0);
        };
        let given = self.valid(setting).and_then(pair);
        given.unwrap_or(match self.default_of(setting) {
            Some(Literal::Pair(low, high)) => (low, high),
            _ => (1.0, 1.0),
        })
    }

    #[must_use]
    pub fn maybe_text(&self, name: &str) -> Option<&'a str> {
        self.value(name)?.as_str()
    }

    #[must_use]
    pub fn text(&self, name: &str) -> &'a str {
        self.maybe_text(name).unwrap_or_default()
    }

    /// Returns the trimmed text if it is not blank.
    #[must_use]
    pub fn given_text(&self, name: &str) -> Option<String> {
        let text = self.maybe_text(name)?.trim();
        (!text.is_empty()).then(|| text.to_owned())
    }

    /// Returns the trimmed lines that are not blank.
    #[must_use]
    pub fn lines(&self, name: &str) -> Vec<String> {
        let lines: Vec<&str> = match self.value(name) {
            Some(Value::String(text)) => text.lines().collect(),
            Some(Value::Array(items)) => items.iter().filter_map(Value::as_str).collect(),
            _ => Vec::new(),
        };
        let lines = lines.into_iter().map(str::trim).filter(|line| !line.is_empty());
        lines.map(str::to_owned).collect()
    }

    /// Returns the object of a setting; an empty one if absent.
    #[must_use]
    pub fn object(&self, name: &str) -> Self {
        let table = self.setting(name).and_then(|setting| table_in(&setting.kind));
        let path = child_path(&self.path, name);
        self.inside(table, self.value(name), path)
    }

    /// Returns the objects of a list; none if it is no list or too long.
    #[must_use]
    pub fn list(&self, name: &str) -> Vec<Self> {
        let Some(setting) = self.setting(name) else {
            return Vec::new();
        };
        let items = self.value(name).and_then(Value::as_array).map(Vec::as_slice);
        let items = items.unwrap_or_default();
        if items.len() > most_in(&setting.kind) {
            return Vec::new();
        }
        let table = table_in(&setting.kind);
        let path = child_path(&self.path, name);
        let entry = |(index, value)| self.inside(table, Some(value), format!("{path}[{index}]"));
        items.iter().enumerate().map(entry).collect()
    }

    /// Returns the entries of a map setting: key, value, and the value as an object.
    #[must_use]
    pub fn entries(&self, name: &str) -> Vec<(&'a str, &'a Value, Self)> {
        let table = self.setting(name).and_then(|setting| table_in(&setting.kind));
        let path = child_path(&self.path, name);
        let object = self.value(name).and_then(Value::as_object);
        let entry = |(key, value): (&'a String, &'a Value)| {
            let inside = self.inside(table, Some(value), child_path(&path, key));
            (key.as_str(), value, inside)
        };
        object.into_iter().flatten().map(entry).collect()
    }

    fn inside(&self, table: Option<SettingTable>, value: Option<&'a Value>, path: String) -> Self {
        Self {
            table: table.unwrap_or(SettingTable(&[])),
            object: value.and_then(Value::as_object),
            path,
            top: Rc::clone(&self.top),
        }
    }
}

/// Returns the table of the objects within a kind.
fn table_in(kind: &SettingKind) -> Option<SettingTable> {
    match kind {
        SettingKind::Object { settings, .. } => Some(*settings),
        SettingKind::List { of, .. } | SettingKind::Map { of } => table_in(of),
        SettingKind::Either { of } => of.iter().find_map(table_in),
        _ => None,
    }
}

fn most_in(kind: &SettingKind) -> usize {
    match kind {
        SettingKind::List { most, .. } => *most as usize,
        SettingKind::Either { of } => of.iter().map(most_in).max().unwrap_or_default(),
        _ => 0,
    }
}
