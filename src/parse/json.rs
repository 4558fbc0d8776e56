//! Finds the answer in a JSON object that an answer contains. Which values mean something is the
//! reader's business.

use serde_json::Value;

/// A value under a key that names an answer.
#[derive(Debug, Clone, Copy)]
pub(super) enum Scalar<'a> {
    /// A whole number.
    Number(i64),
    /// A text.
    Text(&'a str),
    /// True or false.
    Flag(bool),
}

/// What an object says.
#[derive(Debug)]
pub(super) enum Answer<T> {
    /// There is no object, or nothing in it that the reader understands.
    None,
    /// One value; beside it the text around the object.
    One(T, String),
    /// Different values.
    Several,
}

/// Parts of keys that name an answer.
const ANSWER_KEYS: &[&str] = &[
    "vote",
    "voto",
    "ballot",
    "choice",
    "choose",
    "chosen",
    "elec",
    "eleg",
    "elij",
    "respuesta",
    "answer",
    "response",
    "principle",
    "principio",
    "option",
    "opcion",
    "opción",
    "decision",
    "decisión",
    "select",
    "selec",
    "agree",
    "acuerdo",
    "confirm",
    "start",
    "initiat",
    "inici",
    "选",
    "投票",
    "答案",
    "原则",
    "决定",
    "回答",
    "同意",
];

/// Parts of keys whose values are beside the point.
const OTHER_KEYS: &[&str] = &[
    "reason",
    "justif",
    "razon",
    "explan",
    "explic",
    "thought",
    "thinking",
    "amount",
    "cantidad",
    "monto",
    "constraint",
    "restric",
    "confid",
    "certain",
    "round",
    "ronda",
    "agent",
    "name",
    "previous",
    "other",
    "second",
    "alternative",
    "comment",
    "理由",
    "原因",
    "金额",
    "约束",
    "解释",
    "说明",
    "信心",
];

/// The one value that the object in a text gives, as `read` understands values.
pub(super) fn answer<T: PartialEq>(text: &str, read: impl Fn(&Scalar<'_>) -> Option<T>) -> Answer<T> {
    let (Some(start), Some(end)) = (text.find('{'), text.rfind('}')) else {
        return Answer::None;
    };
    let Some(object) = text.get(start..=end) else {
        return Answer::None;
    };
    let Ok(Value::Object(fields)) = serde_json::from_str(object) else {
        return Answer::None;
    };
    let mut found = Vec::new();
    collect(&fields, &read, &mut found);
    let around = || {
        format!(
            "{}\n{}",
            text.get(..start).unwrap_or_default(),
            text.get(end + 1..).unwrap_or_default()
        )
    };
    let mut found = found.into_iter();
    match found.next() {
        None => Answer::None,
        Some(first) if found.all(|other| other == first) => Answer::One(first, around()),
        Some(_) => Answer::Several,
    }
}

fn collect<T>(
    fields: &serde_json::Map<String, Value>,
    read: &impl Fn(&Scalar<'_>) -> Option<T>,
    found: &mut Vec<T>,
) {
    for (key, value) in fields {
        let key = key.to_lowercase();
        let beside = OTHER_KEYS.iter().any(|part| key.contains(part));
        let names = ANSWER_KEYS.iter().any(|part| key.contains(part));
        if beside {
            continue;
        }
        if let Value::Object(inner) = value {
            collect(inner, read, found);
            continue;
        }
        let scalar = match value {
            Value::Number(number) => number.as_i64().map(Scalar::Number),
            Value::String(text) => Some(Scalar::Text(text)),
            Value::Bool(flag) => Some(Scalar::Flag(*flag)),
            _ => None,
        };
        let only = fields.len() == 1;
        if let Some(value) = scalar.filter(|_| names || only).and_then(|scalar| read(&scalar)) {
            found.push(value);
        }
    }
}
