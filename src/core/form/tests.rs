use super::*;
use crate::core::schema::complaints;

fn options() -> Vec<Choice> {
    ["ana", "bo", "cleo"]
        .map(|value| Choice::new(value, value.to_uppercase()))
        .into()
}

/// A form with a field of every kind.
fn all(language: Language) -> Form {
    let fields = vec![
        Field::thought("reason"),
        Field::new(
            "who",
            "Who",
            Input::Choice {
                options: options(),
                none: None,
            },
        ),
        Field::new(
            "sum",
            "Sum",
            Input::Amount {
                unit: "$",
                least: 10,
                most: 20_000,
                step: 5,
            },
        )
        .when("who", ["ana"]),
        Field::new(
            "order",
            "Order",
            Input::Order {
                options: options(),
                places: vec!["one", "two", "three"],
            },
        ),
        Field::new(
            "again",
            "Again",
            Input::YesNo {
                yes: Choice::new("yes", "Yes"),
                no: Choice::new("no", "No"),
                is_flag: true,
            },
        )
        .optional(),
        Field::new(
            "grade",
            "Grade",
            Input::Scale {
                least: 0.0,
                most: 1.0,
                step: 0.1,
                is_whole: false,
                ends: Default::default(),
            },
        )
        .optional(),
        Field::new(
            "why",
            "Why",
            Input::Text {
                least: 3,
                most: 6,
                lines: 1,
            },
        ),
        Field::new("points", "Points", Input::Texts { most: 2 }).optional(),
        Field::new(
            "each",
            "Each",
            Input::Each {
                of: "of",
                options: options(),
                fields: vec![
                    Field::new(
                        "why",
                        "Why",
                        Input::Text {
                            least: 0,
                            most: 9,
                            lines: 1,
                        },
                    )
                    .optional(),
                ],
            },
        )
        .optional(),
    ];
    Form::new(language, "What?", fields)
}

fn good() -> Value {
    json!({ "who": "ana", "sum": 15_000, "one": "bo", "two": "ana", "three": "cleo", "why": "so so" })
}

fn with(changes: Value) -> Value {
    let mut values = good();
    for (name, value) in changes.as_object().unwrap() {
        values[name] = value.clone();
    }
    values
}

#[test]
fn values_are_accepted_unchanged_and_described_in_words() {
    let form = all(Language::English);
    assert!(
        !json!(form).to_string().contains("reason"),
        "thoughts are for models"
    );
    let reply = form.reply(&good()).unwrap();
    assert_eq!(reply.values, Some(good()));
    assert_eq!(reply.answered_as, Some(AnsweredAs::Form));
    assert_eq!(
        reply.text,
        "Who: ANA\nSum: $15,000\n1. BO\n2. ANA\n3. CLEO\nWhy: so so"
    );
    let more = with(
        json!({ "who": "bo", "sum": null, "again": false, "grade": 0.5, "points": ["a", " "],
        "each": [{ "of": "ana" }, { "of": "cleo", "why": "x" }, { "of": "bo", "why": "" }] }),
    );
    let reply = form.reply(&more).unwrap();
    assert_eq!(
        reply.values.unwrap(),
        json!({ "who": "bo", "one": "bo", "two": "ana", "three": "cleo", "why": "so so", "again": false, "grade": 0.5,
            "points": ["a"], "each": [{ "of": "ana" }, { "of": "cleo", "why": "x" }, { "of": "bo" }] })
    );
    assert!(reply.text.contains("Again: No\nGrade: 0.5\n"), "{}", reply.text);
}

#[test]
fn faults_name_the_field_in_a_sentence_of_the_language() {
    let faults = [
        (
            json!(3),
            "",
            "An answer to this question has a value for each of its fields.",
        ),
        (json!({}), "who", "Who: please answer this too."),
        (
            with(json!({ "who": "dora" })),
            "who",
            "Who: please choose one of the options.",
        ),
        (
            with(json!({ "sum": null })),
            "sum",
            "Sum: please answer this too.",
        ),
        (
            with(json!({ "sum": 15.5 })),
            "sum",
            "Sum: please give a whole number.",
        ),
        (
            with(json!({ "sum": "15000" })),
            "sum",
            "Sum: please give a whole number.",
        ),
        (
            with(json!({ "sum": 20_001 })),
            "sum",
            "Sum: please stay between 10 and 20,000.",
        ),
        (
            with(json!({ "two": "bo" })),
            "order",
            "Order: please put all 3 in order, each once.",
        ),
        (
            with(json!({ "three": null })),
            "order",
            "Order: please put all 3 in order, each once.",
        ),
        (
            with(json!({ "again": "yes" })),
            "again",
            "Again: please choose one of the options.",
        ),
        (
            with(json!({ "grade": 1.1 })),
            "grade",
            "Grade: please stay between 0 and 1.",
        ),
        (
            with(json!({ "why": "so" })),
            "why",
            "Why: please write at least 3 characters; there are 2.",
        ),
        (
            with(json!({ "why": "so and so" })),
            "why",
            "Why: please write at most 6 characters; there are 9.",
        ),
        (with(json!({ "why": 3 })), "why", "Why: please answer in words."),
        (
            with(json!({ "points": ["a", "b", "c"] })),
            "points",
            "Points: please give at most 2 entries, each in words.",
        ),
        (
            with(json!({ "each": [{ "of": "ana" }] })),
            "each",
            "Each: please answer for each of the 3, once.",
        ),
        (
            with(json!({ "other": 1 })),
            "other",
            "This question has no field \"other\".",
        ),
    ];
    for (values, field, message) in faults {
        let fault = all(Language::English).reply(&values).unwrap_err();
        assert_eq!(
            (fault.field.as_str(), fault.message.as_str()),
            (field, message),
            "{values}"
        );
        for language in Language::ALL {
            let fault = all(language).reply(&values).unwrap_err();
            assert_eq!(fault.field, field);
            assert!(
                !fault.message.contains("form.fault") && !fault.message.contains('{'),
                "{}",
                fault.message
            );
        }
    }
}

#[test]
fn the_schema_has_every_field_and_is_one_that_all_providers_take() {
    let schema = all(Language::English).schema().unwrap();
    assert_eq!(complaints(&schema), [""; 0], "{schema}");
    assert_eq!(
        schema["required"],
        json!([
            "reason", "who", "sum", "one", "two", "three", "again", "grade", "why", "points", "each"
        ])
    );
    assert_eq!(
        schema["properties"]["sum"],
        json!({ "anyOf": [{ "type": "integer" }, { "type": "null" }] })
    );
    assert_eq!(
        schema["properties"]["each"]["items"]["required"],
        json!(["of", "why"])
    );
}

#[test]
fn a_sole_text_is_a_text_and_has_neither_values_nor_schema() {
    let text = |least| {
        Field::new(
            "text",
            "Text",
            Input::Text {
                least,
                most: 9,
                lines: 1,
            },
        )
    };
    let form = Form::new(Language::English, "What?", vec![text(2)]);
    assert_eq!(form.schema(), None);
    let reply = form.reply(&json!({ "text": " so " })).unwrap();
    assert_eq!((reply.text.as_str(), reply.values), (" so ", None));
    assert_eq!(form.reply(&json!({ "text": "s" })).unwrap_err().field, "text");
    // A text that shows nothing is none, and its invisible ends do not count.
    for blank in [
        " \n",
        "\u{200b}",
        "\u{2800}\u{2800}",
        "\u{feff}\u{3164}\u{ad}",
        "\u{202e}\u{202c}",
    ] {
        let fault = form.reply(&json!({ "text": blank })).unwrap_err();
        assert!(
            fault.message.contains("please answer this too"),
            "{blank:?}: {fault:?}"
        );
    }
    assert!(form.reply(&json!({ "text": "\u{200b}\u{200b}s" })).is_err());
    assert_eq!(
        form.reply(&json!({ "text": "\u{feff}so" })).unwrap().text,
        "\u{feff}so"
    );
    let form = Form::new(Language::English, "What?", vec![text(0).optional()]);
    let reply = form.reply(&json!({})).unwrap();
    assert_eq!((reply.text.as_str(), reply.values), ("", None));
    // Where nothing may be said, that is said with the button for it.
    let form = Form {
        skip: Some("Skip".to_owned()),
        ..form
    };
    assert!(form.reply(&json!({ "text": "\u{200b}" })).is_err());
    assert_eq!(form.reply(&json!({})).unwrap().text, "");
    assert_eq!(form.reply(&json!({ "text": "" })).unwrap().text, "");
}

#[test]
fn a_null_choice_is_accepted_where_allowed() {
    let choice = Input::Choice {
        options: options(),
        none: Some("Nobody".to_owned()),
    };
    let form = Form::new(Language::English, "Who?", vec![Field::new("who", "Who", choice)]);
    let reply = form.reply(&json!({ "who": null })).unwrap();
    assert_eq!(
        (reply.text.as_str(), reply.values),
        ("Nobody", Some(json!({ "who": null })))
    );
    assert_eq!(form.reply(&json!({})).unwrap_err().field, "who");
    assert_eq!(
        form.schema().unwrap()["properties"]["who"]["enum"],
        json!(["ana", "bo", "cleo"])
    );
}
