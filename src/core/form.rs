//! A question as data: fields to fill in, and the material to decide on. A form yields the page's question,
//! the schema of a structured answer and the validation of submitted values.
//!
//! A form is computed from settings and facts, so the record does not contain it: a replay creates it
//! again, for open and for answered questions. The record stores the values of a form answer
//! ([`Reply::values`]) and their description in words.
//!
//! Procedures define their questions (`forms`) and interpret the values (their readers).

use super::ask::{AnsweredAs, Reply};
use super::schema;
use crate::language::Language;
use crate::language::blank::{is_blank, trim_unseen};
use crate::language::format::{amount, grouped};
use crate::language::in_each_language;
use crate::language::words::{Texts, Words};
use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};
use std::cell::LazyCell;
use std::collections::BTreeMap;
use std::fmt::{self, Debug, Display};
use std::rc::Rc;

/// Maximum characters of one text of an answer.
pub const MAX_TEXT: u32 = 20_000;

type Make = Box<dyn FnOnce() -> Option<Form>>;

/// The form of a question, created on first use because most answers are plain text. Cheap to clone.
#[derive(Clone)]
pub struct Formed(Rc<LazyCell<Option<Form>, Make>>);

impl Formed {
    /// Stores the function that creates the form.
    pub fn new(make: impl FnOnce() -> Option<Form> + 'static) -> Self {
        let make: Make = Box::new(make);
        Self(Rc::new(LazyCell::new(make)))
    }

    /// Returns the form, if the question has one.
    #[must_use]
    pub fn get(&self) -> Option<&Form> {
        (**self.0).as_ref()
    }
}

impl Debug for Formed {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(formatter)
    }
}

impl PartialEq for Formed {
    fn eq(&self, other: &Self) -> bool {
        self.get() == other.get()
    }
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Form {
    pub language: Language,
    /// The question, in one or two sentences.
    pub question: String,
    /// Material to decide on, in display order.
    pub material: Vec<Material>,
    #[serde(serialize_with = "without_thoughts")]
    pub fields: Vec<Field>,
    /// Label of the button that sends the answer.
    pub send: String,
    /// Label of the button that sends no answer, if that is allowed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skip: Option<String>,
    /// Whether the answer decides about money. It is then shown for confirmation.
    pub decides: bool,
}

/// A field of a form.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Field {
    /// Name of its value.
    pub name: &'static str,
    /// Label for people.
    pub label: String,
    /// Explanation; may be empty.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub help: String,
    /// Whether it may be left empty.
    pub optional: bool,
    /// Whether a choice sends the answer at once.
    pub sends: bool,
    /// Condition on another field.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub when: Option<When>,
    #[serde(flatten)]
    pub input: Input,
    /// Whether it is for models and programs alone: a reasoning step, or a value that people express in
    /// their text.
    #[serde(skip)]
    pub thought: bool,
}

/// Condition on another field's value.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct When {
    pub field: &'static str,
    pub values: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "input", rename_all = "snake_case")]
pub enum Input {
    /// One option.
    Choice {
        options: Vec<Choice>,
        /// Label for choosing no option, whose value is null. `None`: not allowed.
        #[serde(skip_serializing_if = "Option::is_none")]
        none: Option<String>,
    },
    /// All options in order, the best first.
    Order {
        options: Vec<Choice>,
        /// Names of separate values, one per rank. If empty, the value is a list.
        places: Vec<&'static str>,
    },
    /// A level of certainty. The options start with the most certain.
    Certainty { options: Vec<Choice> },
    /// A whole number of units.
    Amount {
        /// Unit: `$`.
        unit: &'static str,
        least: u32,
        most: u32,
        /// Usual step. Any whole number is accepted.
        step: u32,
    },
    /// Yes or no. The value is `yes` or `no`, or true or false.
    YesNo {
        yes: Choice,
        no: Choice,
        /// Whether the value is true or false.
        #[serde(rename = "isFlag")]
        is_flag: bool,
    },
    /// A number on a scale.
    Scale {
        least: f64,
        most: f64,
        /// Step; 0: any number, entered as text.
        step: f64,
        /// Whether only whole numbers are accepted.
        #[serde(rename = "isWhole")]
        is_whole: bool,
        /// Labels of the two ends.
        ends: [String; 2],
    },
    /// Free text.
    Text {
        /// Minimum characters.
        least: u32,
        /// Maximum characters.
        most: u32,
        /// Usual number of lines.
        lines: u32,
    },
    /// Several short texts.
    Texts {
        /// Maximum number.
        most: u32,
    },
    /// The same fields for each option.
    Each {
        /// Name of the value that contains the option.
        of: &'static str,
        options: Vec<Choice>,
        #[serde(serialize_with = "without_thoughts")]
        fields: Vec<Field>,
    },
    /// Several fields under one name.
    Group {
        #[serde(serialize_with = "without_thoughts")]
        fields: Vec<Field>,
    },
}

/// An option.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Choice {
    pub value: String,
    pub name: String,
    /// Explanation; may be empty.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub about: String,
    /// Seats that have argued for it in public.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub by: Vec<String>,
}

impl Choice {
    /// Returns a choice without an explanation.
    pub fn new(value: impl Into<String>, name: impl Into<String>) -> Self {
        Self {
            value: value.into(),
            name: name.into(),
            about: String::new(),
            by: Vec::new(),
        }
    }
}

/// Material to decide on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Material {
    pub title: String,
    /// Whether it is collapsed at first.
    #[serde(rename = "isFolded")]
    pub is_folded: bool,
    #[serde(flatten)]
    pub shown: MaterialContent,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "material", rename_all = "snake_case")]
pub enum MaterialContent {
    /// A table of short texts.
    Table {
        /// Column heads, that of the row's name first.
        columns: Vec<String>,
        /// Rows, each with its name first.
        rows: Vec<Vec<String>>,
        /// Notes below the table.
        notes: Vec<String>,
        /// The figures of a table of income distributions.
        #[serde(skip_serializing_if = "Option::is_none")]
        incomes: Option<Incomes>,
    },
    /// Statements of others, oldest first.
    Statements {
        said: Vec<Statement>,
    },
    Text {
        text: Vec<String>,
    },
    /// Explanations of terms.
    Terms {
        terms: Vec<Term>,
    },
}

impl Material {
    pub fn new(title: impl Into<String>, shown: MaterialContent) -> Self {
        Self {
            title: title.into(),
            is_folded: false,
            shown,
        }
    }

    /// Collapses it at first.
    #[must_use]
    pub fn folded(self) -> Self {
        Self {
            is_folded: true,
            ..self
        }
    }
}

/// Income distributions as figures, for a picture.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Incomes {
    /// Share of each class in per cent, the highest class first.
    pub shares: [u8; 5],
    /// The incomes of each distribution, in the same order.
    pub of: Vec<[u32; 5]>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Statement {
    /// Name of the author.
    pub who: String,
    pub text: String,
}

/// A term and its explanation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Term {
    pub name: String,
    pub text: String,
}

/// Serializes the fields for people, without those for models alone.
fn without_thoughts<S: Serializer>(fields: &[Field], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(fields.iter().filter(|field| !field.thought))
}

/// An invalid value of an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Fault {
    /// Name of the field.
    pub field: String,
    /// A sentence in the form's language.
    pub message: String,
}

impl Field {
    /// Returns a required field.
    pub fn new(name: &'static str, label: impl Into<String>, input: Input) -> Self {
        Self {
            name,
            label: label.into(),
            help: String::new(),
            optional: false,
            sends: false,
            when: None,
            input,
            thought: false,
        }
    }

    /// Returns a text field for the reasoning of models and programs.
    #[must_use]
    pub fn thought(name: &'static str) -> Self {
        let input = Input::Text {
            least: 0,
            most: u32::MAX,
            lines: 3,
        };
        Self::apart(name, input)
    }

    /// Returns an optional field for models and programs alone.
    #[must_use]
    pub fn apart(name: &'static str, input: Input) -> Self {
        Self {
            thought: true,
            ..Self::new(name, "", input).optional()
        }
    }

    /// Adds an explanation.
    #[must_use]
    pub fn helped(self, help: impl Into<String>) -> Self {
        Self {
            help: help.into(),
            ..self
        }
    }

    /// Allows an empty value.
    #[must_use]
    pub fn optional(self) -> Self {
        Self {
            optional: true,
            ..self
        }
    }

    /// Makes a choice send the answer.
    #[must_use]
    pub fn sending(self) -> Self {
        Self { sends: true, ..self }
    }

    /// Asks for the field only if another field has one of these values.
    #[must_use]
    pub fn when<T: Into<String>>(self, field: &'static str, values: impl IntoIterator<Item = T>) -> Self {
        Self {
            when: Some(When {
                field,
                values: values.into_iter().map(Into::into).collect(),
            }),
            ..self
        }
    }
}

impl Form {
    /// Returns a form without material.
    pub fn new(language: Language, question: impl Into<String>, fields: Vec<Field>) -> Self {
        Self {
            language,
            question: question.into(),
            material: Vec::new(),
            fields,
            send: words(language).text("form.send", &[]),
            skip: None,
            decides: false,
        }
    }

    /// Returns the schema of a structured answer. Returns `None` if all fields are free text.
    #[must_use]
    pub fn schema(&self) -> Option<Value> {
        let is_words = |field: &Field| matches!(field.input, Input::Text { .. });
        if self.fields.iter().all(is_words) {
            return None;
        }
        Some(schema_of(&self.fields, Vec::new()))
    }

    /// Returns the fields that decide, which a reader model can extract from free text: all except free
    /// text. Returns `None` if there are none, or if one of them is a list or a group.
    fn decisive(&self) -> Option<Vec<Field>> {
        let is_words = |field: &&Field| matches!(field.input, Input::Text { .. });
        let is_list = |field: &Field| {
            matches!(
                field.input,
                Input::Texts { .. } | Input::Each { .. } | Input::Group { .. }
            )
        };
        let fields: Vec<Field> = self
            .fields
            .iter()
            .filter(|field| !is_words(field))
            .cloned()
            .collect();
        (!fields.is_empty() && !fields.iter().any(is_list)).then_some(fields)
    }

    /// Returns the schema for a reader model that extracts the values from an answer in words: `quote`, the
    /// deciding words; `says`, whether the answer decides; and the fields, null if the answer does not
    /// contain them. Returns `None` if the form does not support this.
    #[must_use]
    pub fn reading_schema(&self) -> Option<Value> {
        let before = vec![("quote", schema::text()), ("says", schema::flag())];
        let count = before.len();
        let mut schema = schema_of(&self.decisive()?, before);
        let required = schema["required"].as_array().cloned().unwrap_or_default();
        for name in required.iter().skip(count).filter_map(Value::as_str) {
            let value = schema["properties"][name].take();
            schema["properties"][name] = if value.get("anyOf").is_some() {
                value
            } else {
                schema::maybe(value)
            };
        }
        Some(schema)
    }

    /// Returns the extracted values without nulls. Returns `None` if a value is invalid, or if a choice
    /// that allows none is null, since null then means "not found".
    #[must_use]
    pub fn extracted(&self, given: &Value) -> Option<Value> {
        let checker = Checker {
            words: words(self.language),
        };
        let mut taken = Map::new();
        for field in &self.decisive()? {
            if !is_asked(field, &taken) {
                continue;
            }
            if let Input::Order { options, places } = &field.input
                && !places.is_empty()
            {
                let order: Vec<Value> = places.iter().map(|place| given[*place].clone()).collect();
                checker.order(field, options, &order).ok()?;
                taken.extend(places.iter().map(|place| (*place).to_owned()).zip(order));
                continue;
            }
            match given.get(field.name).filter(|value| !is_empty(value)) {
                Some(value) => {
                    taken.insert(field.name.to_owned(), checker.value(field, value).ok()?);
                }
                None if allows_none(field) => return None,
                None => {}
            }
        }
        Some(Value::Object(taken))
    }

    /// Returns the text field for people if it is the only one. Such a form can be answered by text alone.
    #[must_use]
    pub fn sole_text(&self) -> Option<&Field> {
        let mut shown = self.fields.iter().filter(|field| !field.thought);
        let first = shown.next()?;
        (matches!(first.input, Input::Text { .. }) && shown.next().is_none()).then_some(first)
    }

    /// Validates the values of an answer.
    ///
    /// # Errors
    /// Returns the first invalid value, with a sentence for people.
    pub fn reply(&self, values: &Value) -> Result<Reply, Fault> {
        let checker = Checker {
            words: words(self.language),
        };
        let Value::Object(given) = values else {
            return Err(checker.fault("", "form.fault.no_values", &[]));
        };
        // No text skips; one that shows nothing is a mistake.
        if let Some(field) = self.sole_text().filter(|_| self.skip.is_some())
            && let Some(text) = given.get(field.name).and_then(Value::as_str)
            && !text.is_empty()
            && is_blank(text)
        {
            return Err(checker.about(field, "form.fault.missing", &[]));
        }
        let values = checker.fields(&self.fields, given)?;
        let text = match self.sole_text() {
            Some(field) => values
                .get(field.name)
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_owned(),
            None => self.describe(&values),
        };
        // A sole text is the reply's text, so its value is not stored a second time.
        let is_text = self
            .sole_text()
            .is_some_and(|field| values.keys().all(|name| name == field.name));
        let values = (!is_text).then_some(Value::Object(values));
        Ok(Reply {
            text,
            values,
            answered_as: Some(AnsweredAs::Form),
            ..Reply::default()
        })
    }

    /// Describes values in words.
    fn describe(&self, values: &Map<String, Value>) -> String {
        let shown = |field: &&Field| !field.thought;
        let is_one = self.fields.iter().filter(shown).count() == 1;
        let lines = describe(&self.fields, values, &words(self.language), is_one);
        lines.join("\n")
    }
}

/// The texts of forms themselves.
pub static TEXTS: Texts = Texts::new(in_each_language!("form/words"));

fn words(language: Language) -> Words {
    Words::new(&TEXTS, language, &BTreeMap::new())
}

fn schema_of(fields: &[Field], mut before: Vec<(&'static str, Value)>) -> Value {
    for field in fields {
        // Fields with the same name are alternatives under different conditions.
        let is_new = |(name, _): &(&str, Value)| before.iter().all(|(known, _)| known != name);
        let mut new = schemas_of(field);
        new.retain(is_new);
        before.extend(new);
    }
    schema::object(before)
}

fn schemas_of(field: &Field) -> Vec<(&'static str, Value)> {
    let values = |options: &[Choice]| schema::one_of(options.iter().map(|option| option.value.as_str()));
    let one = match &field.input {
        Input::Choice { options, .. } | Input::Certainty { options } => values(options),
        Input::Order { options, places } if places.is_empty() => schema::list(values(options)),
        Input::Order { options, places } => {
            return places.iter().map(|place| (*place, values(options))).collect();
        }
        Input::Amount { .. } => schema::whole(),
        Input::YesNo { is_flag: true, .. } => schema::flag(),
        Input::YesNo { yes, no, .. } => schema::one_of([yes.value.as_str(), no.value.as_str()]),
        Input::Scale { is_whole: true, .. } => schema::whole(),
        Input::Scale { .. } => schema::number(),
        // An empty text stands for a missing one.
        Input::Text { .. } => return vec![(field.name, schema::text())],
        Input::Texts { .. } => schema::list(schema::text()),
        Input::Each { of, options, fields } => schema::list(schema_of(fields, vec![(*of, values(options))])),
        Input::Group { fields } => schema_of(fields, Vec::new()),
    };
    let is_apart = field.thought && matches!(field.input, Input::Choice { .. } | Input::Amount { .. });
    let may_miss = field.when.is_some() || is_apart;
    vec![(field.name, if may_miss { schema::maybe(one) } else { one })]
}

struct Checker {
    words: Words,
}

impl Checker {
    fn fault(&self, field: &str, key: &str, values: &[(&str, &dyn Display)]) -> Fault {
        Fault {
            field: field.to_owned(),
            message: self.words.text(key, values),
        }
    }

    /// Returns the validated values, without missing ones.
    fn fields(&self, fields: &[Field], given: &Map<String, Value>) -> Result<Map<String, Value>, Fault> {
        if let Some(name) = given
            .keys()
            .find(|name| !fields.iter().any(|field| accepts(field, name)))
        {
            return Err(self.fault(name, "form.fault.unknown", &[("name", name)]));
        }
        let mut taken = Map::new();
        for field in fields {
            if !is_asked(field, &taken) {
                continue;
            }
            if let Input::Order { options, places } = &field.input
                && !places.is_empty()
            {
                let order = places
                    .iter()
                    .map(|place| given.get(*place).cloned().unwrap_or_default());
                let order: Vec<Value> = order.collect();
                self.order(field, options, &order)?;
                let named = places.iter().map(|place| (*place).to_owned());
                taken.extend(named.zip(order));
                continue;
            }
            let is_given = |value: &&Value| !is_empty(value) || value.is_null() && allows_none(field);
            match given.get(field.name).filter(is_given) {
                Some(value) => {
                    let value = self.value(field, value)?;
                    taken.insert(field.name.to_owned(), value);
                }
                None if field.optional => {}
                None => return Err(self.about(field, "form.fault.missing", &[])),
            }
        }
        Ok(taken)
    }

    fn about(&self, field: &Field, key: &str, values: &[(&str, &dyn Display)]) -> Fault {
        let label = if field.label.is_empty() {
            field.name
        } else {
            &field.label
        };
        let mut all: Vec<(&str, &dyn Display)> = vec![("label", &label)];
        all.extend_from_slice(values);
        self.fault(field.name, key, &all)
    }

    fn value(&self, field: &Field, value: &Value) -> Result<Value, Fault> {
        match &field.input {
            Input::Choice { none: Some(_), .. } if value.is_null() => {}
            Input::Choice { options, .. } | Input::Certainty { options } => {
                self.one_of(field, options.iter(), value)?;
            }
            Input::Order { options, .. } => {
                let order = value.as_array().map_or(&[][..], Vec::as_slice);
                self.order(field, options, order)?;
            }
            Input::Amount { least, most, .. } => {
                let Some(number) = value.as_f64().filter(|number| number.fract() == 0.0) else {
                    return Err(self.about(field, "form.fault.whole", &[]));
                };
                if number < f64::from(*least) || number > f64::from(*most) {
                    let (least, most) = (grouped((*least).into()), grouped((*most).into()));
                    let ends: [(&str, &dyn Display); 2] = [("least", &least), ("most", &most)];
                    return Err(self.about(field, "form.fault.range", &ends));
                }
                return Ok(json!(number as u64));
            }
            Input::YesNo { is_flag: true, .. } => {
                if !value.is_boolean() {
                    return Err(self.about(field, "form.fault.choice", &[]));
                }
            }
            Input::YesNo { yes, no, .. } => self.one_of(field, [yes, no].into_iter(), value)?,
            Input::Scale {
                least,
                most,
                is_whole,
                ..
            } => {
                let number = value.as_f64().filter(|number| number.is_finite());
                let Some(number) = number else {
                    return Err(self.about(field, "form.fault.number", &[]));
                };
                if *is_whole && number.fract() != 0.0 {
                    return Err(self.about(field, "form.fault.whole", &[]));
                }
                if number < *least || number > *most {
                    let ends: [(&str, &dyn Display); 2] = [("least", least), ("most", most)];
                    return Err(self.about(field, "form.fault.range", &ends));
                }
                if *is_whole {
                    return Ok(json!(number as i64));
                }
            }
            Input::Text { least, most, .. } => {
                let Some(text) = value.as_str() else {
                    return Err(self.about(field, "form.fault.text", &[]));
                };
                let count = trim_unseen(text).chars().count();
                if count < *least as usize {
                    let values: [(&str, &dyn Display); 2] = [("least", least), ("count", &count)];
                    return Err(self.about(field, "form.fault.short", &values));
                }
                if count > *most as usize {
                    let values: [(&str, &dyn Display); 2] = [("most", most), ("count", &count)];
                    return Err(self.about(field, "form.fault.long", &values));
                }
            }
            Input::Texts { most } => {
                let texts = value
                    .as_array()
                    .filter(|texts| texts.len() <= *most as usize && texts.iter().all(Value::is_string));
                let Some(texts) = texts else {
                    return Err(self.about(field, "form.fault.texts", &[("most", most)]));
                };
                let counts = texts
                    .iter()
                    .filter_map(Value::as_str)
                    .map(|text| text.chars().count());
                if let Some(count) = counts.max().filter(|count| *count > MAX_TEXT as usize) {
                    let values: [(&str, &dyn Display); 2] = [("most", &MAX_TEXT), ("count", &count)];
                    return Err(self.about(field, "form.fault.long", &values));
                }
                let texts = texts.iter().filter(|text| !is_empty(text)).cloned();
                return Ok(texts.collect());
            }
            Input::Each { of, options, fields } => {
                let given = value.as_array().map_or(&[][..], Vec::as_slice);
                let mut taken = Vec::new();
                for one in given {
                    let fault = || self.about(field, "form.fault.each", &[("count", &options.len())]);
                    let mut one = one.as_object().cloned().ok_or_else(fault)?;
                    let which = one.remove(*of).unwrap_or_default();
                    self.one_of(field, options.iter(), &which)?;
                    let mut values = self.fields(fields, &one)?;
                    values.insert((*of).to_owned(), which);
                    taken.push(Value::Object(values));
                }
                let named: Vec<Value> = taken.iter().map(|one| one[*of].clone()).collect();
                if !is_order(options, &named) {
                    return Err(self.about(field, "form.fault.each", &[("count", &options.len())]));
                }
                return Ok(Value::Array(taken));
            }
            Input::Group { fields } => {
                let Some(given) = value.as_object() else {
                    return Err(self.about(field, "form.fault.missing", &[]));
                };
                return self.fields(fields, given).map(Value::Object);
            }
        }
        Ok(value.clone())
    }

    fn one_of<'a>(
        &self,
        field: &Field,
        mut options: impl Iterator<Item = &'a Choice>,
        value: &Value,
    ) -> Result<(), Fault> {
        let is_there = value
            .as_str()
            .is_some_and(|value| options.any(|option| option.value == value));
        let fault = || self.about(field, "form.fault.choice", &[]);
        is_there.then_some(()).ok_or_else(fault)
    }

    fn order(&self, field: &Field, options: &[Choice], order: &[Value]) -> Result<(), Fault> {
        let fault = || self.about(field, "form.fault.order", &[("count", &options.len())]);
        is_order(options, order).then_some(()).ok_or_else(fault)
    }
}

/// Whether these are all options, each once.
fn is_order(options: &[Choice], order: &[Value]) -> bool {
    let has = |option: &Choice| order.iter().any(|value| value.as_str() == Some(&option.value));
    order.len() == options.len() && options.iter().all(has)
}

/// Whether a field is asked for, given the values before it.
fn is_asked(field: &Field, values: &Map<String, Value>) -> bool {
    field.when.as_ref().is_none_or(|when| {
        let other = values.get(when.field).and_then(Value::as_str);
        other.is_some_and(|other| when.values.iter().any(|value| value == other))
    })
}

/// Whether null is a valid value.
fn allows_none(field: &Field) -> bool {
    matches!(field.input, Input::Choice { none: Some(_), .. })
}

/// Whether a field has a value of that name.
fn accepts(field: &Field, name: &str) -> bool {
    match &field.input {
        Input::Order { places, .. } if !places.is_empty() => places.contains(&name),
        _ => field.name == name,
    }
}

/// Whether a value is null or blank.
fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => is_blank(text),
        _ => false,
    }
}

/// Describes the values of fields, one line each. With `is_one` the label is omitted.
fn describe(fields: &[Field], values: &Map<String, Value>, words: &Words, is_one: bool) -> Vec<String> {
    let mut lines = Vec::new();
    let is_shown = |field: &&Field| !field.thought && is_asked(field, values);
    for field in fields.iter().filter(is_shown) {
        if let Input::Order { options, places } = &field.input {
            let order: Vec<&Value> = match values.get(field.name).and_then(Value::as_array) {
                Some(list) => list.iter().collect(),
                None => places.iter().filter_map(|place| values.get(*place)).collect(),
            };
            let place =
                |(place, value): (usize, &&Value)| format!("{}. {}", place + 1, named(options, value));
            lines.extend(order.iter().enumerate().map(place));
            continue;
        }
        let Some(value) = values.get(field.name) else {
            continue;
        };
        let text = match &field.input {
            Input::Choice { none: Some(none), .. } if value.is_null() => none.clone(),
            Input::Choice { options, .. } | Input::Certainty { options } => named(options, value),
            Input::YesNo { yes, no, .. } => {
                let is_yes = value == &json!(true) || value.as_str() == Some(&yes.value);
                if is_yes { yes.name.clone() } else { no.name.clone() }
            }
            Input::Amount { unit: "$", .. } => amount(value.as_u64().unwrap_or(0) as u32),
            Input::Amount { .. } => grouped(value.as_u64().unwrap_or(0)),
            Input::Text { .. } => value.as_str().unwrap_or_default().to_owned(),
            Input::Texts { .. } => {
                let texts = value.as_array().into_iter().flatten().filter_map(Value::as_str);
                texts.map(|text| format!("\n- {text}")).collect()
            }
            Input::Each { of, options, fields } => {
                let one = |one: &Value| {
                    let which = named(options, &one[*of]);
                    let inner = one
                        .as_object()
                        .map(|values| describe(fields, values, words, false));
                    format!("\n{which}: {}", inner.unwrap_or_default().join("; "))
                };
                value.as_array().into_iter().flatten().map(one).collect()
            }
            Input::Group { fields } => {
                let inner = value
                    .as_object()
                    .map(|values| describe(fields, values, words, false));
                inner.unwrap_or_default().join("; ")
            }
            Input::Scale { .. } | Input::Order { .. } => value.to_string(),
        };
        lines.push(match is_one {
            true => text,
            false => words.text("form.told", &[("label", &field.label), ("value", &text)]),
        });
    }
    lines
}

fn named(options: &[Choice], value: &Value) -> String {
    let value = value.as_str().unwrap_or_default();
    let option = options.iter().find(|option| option.value == value);
    option.map_or(value, |option| &option.name).to_owned()
}

#[cfg(test)]
mod tests;
