//! People who answer by form: values drawn among all that the fields take, and runs in which they are given.

use quorate::core::ask::{Call, Reply};
use quorate::core::form::{Choice, Field, Input};
use quorate::core::record::Command;
use quorate::core::{Effect, Input as Happened, Session, Status};
use quorate::procedures;
use serde_json::{Map, Value, json};

/// Numbers from a seed, and texts that people write.
pub(crate) struct Draw {
    state: u64,
    texts: &'static [&'static str],
}

impl Draw {
    pub(crate) fn new(seed: u64, texts: &'static [&'static str]) -> Self {
        Self { state: seed, texts }
    }

    pub(crate) fn below(&mut self, most: usize) -> usize {
        self.state = self
            .state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.state >> 33) as usize % most.max(1)
    }

    fn text(&mut self) -> &'static str {
        let at = self.below(self.texts.len());
        self.texts[at]
    }

    fn one<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }

    fn order(&mut self, options: &[Choice]) -> Vec<String> {
        let mut left: Vec<String> = options.iter().map(|option| option.value.clone()).collect();
        (0..left.len())
            .map(|_| left.remove(self.below(left.len())))
            .collect()
    }
}

/// Values that the fields take.
pub(crate) fn fill(fields: &[Field], draw: &mut Draw) -> Map<String, Value> {
    let mut values = Map::new();
    for field in fields {
        if let Some(when) = &field.when {
            let other = values.get(when.field).and_then(Value::as_str).unwrap_or_default();
            if !when.values.iter().any(|value| value == other) {
                continue;
            }
        }
        if field.optional && draw.below(3) == 0 {
            continue;
        }
        if let Input::Order { options, places } = &field.input
            && !places.is_empty()
        {
            let order = draw.order(options).into_iter().map(Value::from);
            values.extend(places.iter().map(|place| (*place).to_owned()).zip(order));
            continue;
        }
        let value = value(&field.input, draw);
        values.insert(field.name.to_owned(), value);
    }
    values
}

pub(crate) fn value(input: &Input, draw: &mut Draw) -> Value {
    match input {
        Input::Choice { none: Some(_), .. } if draw.below(5) == 0 => Value::Null,
        Input::Choice { options, .. } | Input::Certainty { options } => json!(draw.one(options).value),
        Input::Order { options, .. } => json!(draw.order(options)),
        Input::Amount { least, most, .. } => {
            json!(u64::from(*least) + draw.below((most - least + 1) as usize) as u64)
        }
        Input::YesNo { is_flag: true, .. } => json!(draw.below(2) == 0),
        Input::YesNo { yes, no, .. } => json!(draw.one(&[yes, no]).value),
        Input::Scale {
            least,
            most,
            is_whole,
            ..
        } => {
            let share = draw.below(11) as f64 / 10.0;
            let number = least + (most - least) * share;
            if *is_whole {
                json!(number as i64)
            } else {
                json!(number)
            }
        }
        Input::Text { .. } => json!(draw.text()),
        Input::Texts { most } => (0..draw.below(*most as usize + 1))
            .map(|_| json!(draw.text()))
            .collect(),
        Input::Each { of, options, fields } => {
            let one = |option: String| {
                let mut values = fill(fields, draw);
                values.insert((*of).to_owned(), json!(option));
                Value::Object(values)
            };
            let order: Vec<String> = options.iter().map(|option| option.value.clone()).collect();
            order.into_iter().map(one).collect()
        }
        Input::Group { fields } => Value::Object(fill(fields, draw)),
    }
}

/// A run to its end. `answer` takes one of the open calls out and answers it.
pub(crate) fn run(config: &Value, mut answer: impl FnMut(&mut Vec<Call>) -> (Call, Reply)) -> Session {
    let (mut session, mut outcome) =
        procedures::begin(config, "1", 1_000).unwrap_or_else(|faults| panic!("{faults}"));
    let mut open: Vec<Call> = Vec::new();
    for step in 0.. {
        assert!(step < 5_000, "the run does not end");
        for effect in std::mem::take(&mut outcome.effects) {
            match effect {
                Effect::Ask { call, .. } => open.push(call),
                Effect::Cancel { ask, .. } => open.retain(|call| call.ask.id != ask),
            }
        }
        let input = match &outcome.status {
            Status::Ended => break,
            Status::Halted(_) if open.is_empty() => Happened::Command(Command::Close),
            status => {
                assert!(!open.is_empty(), "nobody is asked: {status:?}");
                let (call, reply) = answer(&mut open);
                let (ask, attempt) = (call.ask.id.clone(), call.attempt);
                Happened::Answered { ask, attempt, reply }
            }
        };
        outcome = session.handle(2_000, input);
    }
    session
}
