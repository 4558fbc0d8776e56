//! Answers in the form that was asked for.

use proptest::prelude::*;
use quorate::language::Language::{self, English, Mandarin, Spanish};
use quorate::principle::Certainty::{self, NoOpinion, Sure, VerySure};
use quorate::principle::Principle::{self, Average, Floor, FloorConstraint, RangeConstraint};
use quorate::principle::{Choice, Ranking};
use quorate::reading::critique::Critique;
use quorate::reading::structured::*;
use quorate::reading::vote::Vote;
use quorate::reading::{self, AmountBounds, How, Reading, Reason, signals, vote as free_vote};
use serde_json::{Value, json};

const BOUNDS: AmountBounds = AmountBounds {
    min: 1_000,
    max: 1_000_000,
};

/// The object alone, in a fence, and after a sentence of each language.
fn dressed(object: &Value) -> Vec<String> {
    vec![
        object.to_string(),
        format!("```json\n{object:#}\n```"),
        format!("<think>{{\"answer\": \"?\"}}</think>Here is my answer:\n{object}\n"),
        format!("Aquí está:\n```\n{object}\n```\nGracias."),
        format!("以下是 JSON：{object}"),
        format!("{object}\n{object}"),
    ]
}

#[track_caller]
fn all<T: PartialEq + std::fmt::Debug>(
    object: &Value,
    wanted: &Reading<T>,
    read: impl Fn(&str, Language) -> Option<Reading<T>>,
) {
    for text in dressed(object) {
        for language in Language::ALL {
            assert_eq!(read(&text, language).as_ref(), Some(wanted), "{text}");
        }
    }
}

fn is<T>(value: T) -> Reading<T> {
    Reading::read(value, How::Schema)
}

fn ranked(places: [&str; 4], certainty: Value) -> Value {
    let [first, second, third, fourth] = places;
    json!({ "reason": "Principle 1 first, or 2?", "first": first, "second": second, "third": third, "fourth": fourth, "certainty": certainty })
}

const IDS: [&str; 4] = [
    "maximizing_average_floor_constraint",
    "maximizing_floor",
    "maximizing_average",
    "maximizing_average_range_constraint",
];

#[test]
fn rankings() {
    let read = |text: &str, _| ranking(text);
    let order = [FloorConstraint, Floor, Average, RangeConstraint];
    for (said, certainty) in [
        (json!("very_sure"), Some(VerySure)),
        (json!("no_opinion"), Some(NoOpinion)),
        (json!("quite"), None),
        (Value::Null, None),
    ] {
        all(&ranked(IDS, said), &is(Ranking { order, certainty }), read);
    }
    let twice = ranked([IDS[0], IDS[1], IDS[1], IDS[3]], json!("sure"));
    all(&twice, &Reading::unread(Reason::IncompleteRanking), read);
    let other = ranked([IDS[0], IDS[1], "fairness", IDS[3]], json!("sure"));
    all(&other, &Reading::unread(Reason::IncompleteRanking), read);
    let whole = |order: &str| json!({ "reason": "3 > 2", "order": order, "certainty": "sure" });
    let certainty = Some(Sure);
    all(&whole(&IDS.join(" > ")), &is(Ranking { order, certainty }), read);
    all(&whole("3>1>2>4"), &is(Ranking { order, certainty }), read);
    for twice in ["3 > 1 > 3 > 4", "3 > 1 > 2 > 5", "3 > 1 > 2 > "] {
        all(&whole(twice), &Reading::unread(Reason::IncompleteRanking), read);
    }
    for none in ["3 > 1 > 2", "3 > 1 > 2 > 4 > 1", "3, 1, 2, 4"] {
        assert_eq!(ranking(&whole(none).to_string()), None, "{none}");
    }
    let mut both = ranked(IDS, json!("sure"));
    both["order"] = json!("1 > 2 > 3 > 4");
    all(&both, &is(Ranking { order, certainty }), read);
    let two = format!(
        "{}{}",
        ranked(IDS, json!("sure")),
        ranked([IDS[1], IDS[0], IDS[2], IDS[3]], json!("sure"))
    );
    assert_eq!(ranking(&two), Some(Reading::unread(Reason::RankingUnclear)));
}

#[test]
fn choices() {
    let read = |text: &str, language| choice(text, language, BOUNDS);
    let of = |principle: &str, amount: Value, certainty: &str| json!({ "reason": "not 2, not 12000", "principle": principle, "amount": amount, "certainty": certainty });
    for (object, principle, amount, certainty) in [
        (
            of(IDS[0], json!(15_000), "sure"),
            FloorConstraint,
            Some(15_000),
            Some(Sure),
        ),
        (
            of(IDS[3], json!("$20,000"), "very_sure"),
            RangeConstraint,
            Some(20_000),
            Some(VerySure),
        ),
        (of(IDS[1], Value::Null, "no_opinion"), Floor, None, None),
        (of(IDS[2], json!(15_000), "sure"), Average, None, Some(Sure)),
        (of(IDS[0], Value::Null, "sure"), FloorConstraint, None, Some(Sure)),
        (of(IDS[0], json!(999), "sure"), FloorConstraint, None, Some(Sure)),
        (
            of(IDS[0], json!(-15_000), "sure"),
            FloorConstraint,
            None,
            Some(Sure),
        ),
        (
            of(IDS[0], json!(15_000.5), "sure"),
            FloorConstraint,
            None,
            Some(Sure),
        ),
    ] {
        let wanted = Choice {
            principle,
            amount,
            certainty,
        };
        all(&object, &is(wanted), read);
    }
    all(
        &of("fairness", json!(15_000), "sure"),
        &Reading::unread(Reason::PrincipleContentUnclear),
        read,
    );
}

#[test]
fn ballots() {
    for (said, wanted) in [
        (json!("maximizing_average"), is(Average)),
        (json!(4), is(RangeConstraint)),
        (json!(5), Reading::unread(Reason::NumberOutOfRange)),
        (json!("either"), Reading::unread(Reason::PrincipleContentUnclear)),
        (Value::Null, Reading::unread(Reason::PrincipleContentUnclear)),
    ] {
        all(&json!({ "principle": said }), &wanted, |text, _| principle(text));
    }
    let several = Some(Reading::unread(Reason::MultipleValidNumbers));
    // Words around the object are not read.
    assert_eq!(
        principle("My vote: 3. {\"principle\": \"maximizing_floor\"}"),
        Some(is(Floor))
    );
    let two = r#"{"principle": "maximizing_floor"} {"principle": "maximizing_average"}"#;
    assert_eq!(principle(two), several);
}

#[test]
fn amounts() {
    let read = |text: &str, language| amount(text, language, BOUNDS);
    for (said, wanted) in [
        (json!(15_000), is(15_000)),
        (json!(15_000.0), is(15_000)),
        (json!("15,000"), is(15_000)),
        (json!(50), Reading::unread(Reason::AmountTooLow)),
        (json!(0), Reading::unread(Reason::AmountTooLow)),
        (json!(2_000_000), Reading::unread(Reason::AmountTooHigh)),
        (json!(1e300), Reading::unread(Reason::AmountTooHigh)),
        (json!(-15_000), Reading::unread(Reason::NoAmountFound)),
        (json!(15_000.5), Reading::unread(Reason::NoAmountFound)),
        (json!("a lot"), Reading::unread(Reason::NoAmountFound)),
        (json!([15_000]), Reading::unread(Reason::NoAmountFound)),
        (Value::Null, Reading::unread(Reason::NoAmountFound)),
    ] {
        all(&json!({ "amount": said }), &wanted, read);
    }
    let other = amount("$12,000 then: {\"amount\": 15000}", English, BOUNDS);
    assert_eq!(other, Some(is(15_000)));
}

#[test]
fn yes_and_no() {
    let unclear = || Reading::unread(Reason::AgreementUnclear);
    let plain = |text: &str, language| yes_no(text, &["answer"], language);
    let reasoned = |text: &str, language| yes_no(text, &["reason", "answer"], language);
    for (said, wanted) in [
        (json!("yes"), is(true)),
        (json!("no"), is(false)),
        (json!("sí"), is(true)),
        (json!("否"), is(false)),
        (json!(true), is(true)),
        (json!(0), is(false)),
        (json!("yes and no"), unclear()),
        (json!(2), unclear()),
        (Value::Null, unclear()),
    ] {
        all(&json!({ "answer": said }), &wanted, plain);
        all(
            &json!({ "reason": "No. Not yet, yes.", "answer": said }),
            &wanted,
            reasoned,
        );
        assert_eq!(reasoned(&json!({ "answer": said }).to_string(), English), None);
    }
    assert_eq!(plain("No. {\"answer\": \"yes\"}", English), Some(is(true)));
}

#[test]
fn polls_and_settled_matters() {
    let read = |text: &str, _| poll(text);
    for (said, wanted) in [
        (json!("stop"), is(true)),
        (json!("continue"), is(false)),
        (json!("停止"), is(true)),
        (
            json!("stop or continue"),
            Reading::unread(Reason::AgreementUnclear),
        ),
        (Value::Null, Reading::unread(Reason::AgreementUnclear)),
    ] {
        all(&json!({ "answer": said }), &wanted, read);
    }
    let of = |conclusive: Value, confidence: Value| json!({ "reason": "nothing is left", "conclusive": conclusive, "confidence": confidence });
    for (object, conclusive, confidence) in [
        (of(json!(true), json!(0.9)), true, Some(0.9)),
        (of(json!(false), json!("high")), false, None),
    ] {
        let reason = "nothing is left".to_owned();
        let wanted = signals::Settled {
            conclusive,
            confidence,
            reason,
        };
        all(&object, &is(wanted), settled);
    }
    all(
        &of(json!("maybe"), json!(1)),
        &Reading::unread(Reason::NoSignalFound),
        settled,
    );
}

#[test]
fn critiques() {
    let read = |text: &str, _| critique(text);
    let of = |severity: Value| json!({ "issues": ["costs", ""], "suggestions": ["测量"], "reasoning": "Severity: 9", "severity": severity });
    for (said, severity) in [
        (json!(7), Some(7.0)),
        (json!(0.5), Some(0.5)),
        (json!(11), None),
        (json!("high"), None),
        (Value::Null, None),
    ] {
        let wanted = Critique {
            issues: vec!["costs".into()],
            suggestions: vec!["测量".into()],
            severity,
            reasoning: "Severity: 9".into(),
        };
        all(&of(said), &is(wanted), read);
    }
}

#[test]
fn votes() {
    const NAMES: [&str; 3] = ["Ana", "Bob", "小王"];
    let read = |text: &str, language| vote(text, |object| free_vote::vote(object, language, &NAMES));
    let words =
        |text: &str, language| vote(text, |object| free_vote::vote_or_words(object, language, &NAMES));
    let of = |choice: Value, confidence: Value, go_on: Value| json!({ "reasoning": "CHOICE: Bob", "choice": choice, "confidence": confidence, "continue": go_on });
    let wanted = |choice: Option<&str>, confidence, go_on, words: Option<&str>| {
        is(Vote {
            choice: choice.map(str::to_owned),
            confidence,
            go_on,
            reasoning: "CHOICE: Bob".into(),
            words: words.map(str::to_owned),
        })
    };
    all(
        &of(json!("Ana"), json!(0.8), json!(false)),
        &wanted(Some("Ana"), Some(0.8), Some(false), None),
        read,
    );
    all(
        &of(json!("小王"), json!("sure"), Value::Null),
        &wanted(Some("小王"), None, None, None),
        read,
    );
    all(
        &of(Value::Null, json!(0.8), json!(true)),
        &wanted(None, Some(0.8), Some(true), None),
        read,
    );
    all(
        &of(json!("Zoe"), json!(1), json!(true)),
        &Reading::unread(Reason::UnknownChoice),
        read,
    );
    all(
        &of(json!("Ana or Bob"), json!(1), json!(true)),
        &Reading::unread(Reason::AmbiguousChoice),
        read,
    );
    all(
        &of(json!("a mix"), json!(1), json!(true)),
        &wanted(None, Some(1.0), Some(true), Some("a mix")),
        words,
    );
}

#[test]
fn judgements() {
    const LABELS: [&str; 2] = ["Propuesta 1", "Propuesta 2"];
    let read = |text: &str, language| judge(text, language, &LABELS);
    let object = json!({
        "scores": [
            { "proposal": "Propuesta 2", "comment": "corta", "criteria": { "clarity": 9, "risk": "?" }, "score": 8 },
            { "proposal": "Propuesta 3", "comment": "", "criteria": {}, "score": 8 },
        ],
        "ranking": ["Propuesta 2", "Propuesta 1"], "synthesis": "Las dos.", "reason": "clara", "conclusive": true, "confidence": 0.7,
    });
    let found = read(&object.to_string(), Spanish).unwrap();
    all(&object, &found, read);
    let found = found.value().unwrap();
    assert_eq!((found.scores.len(), found.scores[0].score), (1, 8.0));
    assert_eq!(found.scores[0].criteria, [("clarity".to_owned(), 9.0)]);
    assert_eq!(
        (found.scores[0].comment.as_str(), found.missing.as_slice()),
        ("corta", &["Propuesta 1".to_owned()][..])
    );
    assert_eq!(found.ranking, ["Propuesta 2", "Propuesta 1"]);
    assert_eq!(
        (found.synthesis.as_str(), found.reason.as_str()),
        ("Las dos.", "clara")
    );
    assert_eq!((found.conclusive, found.confidence), (Some(true), Some(0.7)));
    let nothing = json!({ "scores": [], "ranking": [], "synthesis": "", "reason": "", "conclusive": null, "confidence": null });
    all(&nothing, &Reading::unread(Reason::NoEvaluationFound), read);
}

#[test]
fn free_text_is_left_to_others_and_what_breaks_off_is_unread() {
    for free in [
        "",
        "3",
        "My vote: {principle 2}",
        "{\"vote\": 2}",
        "[1, 2]",
        "<think>{\"principle\": 1}</think>3",
    ] {
        assert_eq!(principle(free), None, "{free}");
    }
    for broken in [
        "{\"principle\": \"maximizing_floor\"",
        "Sure:\n```json\n{\n  \"reason\": \"I choose principle 2 beca",
        "{\"reason\": \"{\", \"principle\": 1",
    ] {
        let unread = Reason::AnswerBrokenOff;
        assert_eq!(principle(broken), Some(Reading::unread(unread)), "{broken}");
        assert_eq!(ranking(broken), Some(Reading::unread(unread)), "{broken}");
        assert_eq!(
            yes_no(broken, &["answer"], English),
            Some(Reading::unread(unread))
        );
        assert_eq!(critique(broken), Some(Reading::unread(unread)));
        assert_eq!(judge(broken, English, &[]), Some(Reading::unread(unread)));
    }
}

proptest! {
    #[test]
    fn whatever_is_said(text in "\\PC*|([{}\\[\\]\",: ]|\"(first|second|third|fourth|answer|principle|amount|reason|certainty|scores)\":|null|1|\"yes\"|maximizing_floor|1e99|-0){0,40}") {
        for language in Language::ALL {
            let _ = (ranking(&text), choice(&text, language, BOUNDS), principle(&text));
            let _ = (yes_no(&text, &["answer"], language), poll(&text), critique(&text), settled(&text, language));
            let _ = (judge(&text, language, &["A"]), vote(&text, |text| free_vote::vote(text, language, &["A"])));
            if let Some(found) = amount(&text, language, BOUNDS) {
                prop_assert!(found.value().is_none_or(|amount| (1_000..=1_000_000).contains(amount)));
            }
        }
    }
}

fn said(text: &str) -> Option<(String, Option<Principle>, Option<u32>, How)> {
    match statement(text, Language::English, BOUNDS)? {
        Reading::Read { value, how, .. } => Some((value.text, value.favored, value.amount, how)),
        Reading::Unread { .. } => None,
    }
}

#[test]
fn a_statement_with_what_its_speaker_favours() {
    let third = "maximizing_average_floor_constraint";
    for (favored, amount, principle, dollars) in [
        (
            json!(third),
            json!(15_000),
            Some(Principle::FloorConstraint),
            Some(15_000),
        ),
        (json!(third), json!(null), Some(Principle::FloorConstraint), None),
        (json!(third), json!(7), Some(Principle::FloorConstraint), None),
        (
            json!("maximizing_floor"),
            json!(15_000),
            Some(Principle::Floor),
            None,
        ),
        (json!(null), json!(15_000), None, None),
        (json!("principle of hope"), json!(null), None, None),
    ] {
        let text = json!({ "text": "I am for 2.", "favored_principle": favored, "favored_amount": amount })
            .to_string();
        let expected = ("I am for 2.".to_owned(), principle, dollars, How::Schema);
        assert_eq!(said(&text), Some(expected), "{text}");
    }
    for words in [
        "I support principle 2.",
        "",
        "I like {braces}.",
        r#"{"text": 3, "favored_principle": null}"#,
    ] {
        assert_eq!(said(words), None, "{words}");
    }
    let points = json!({ "text": "t", "favored_principle": null, "favored_amount": null, "topic": " a ", "key_point": "", "theory": 3 });
    let read = statement(&points.to_string(), Language::English, BOUNDS).unwrap();
    assert_eq!(read.value().unwrap().points, ["a", "", ""]);
}

#[test]
fn of_a_statement_that_breaks_off_the_text_remains() {
    for (broken, text) in [
        (r#"{"text": "We sho"#, "We sho"),
        (
            r#"```json
{ "text" : "One \"two\" thr\u00"#,
            "One \"two\" thr",
        ),
        (r#"{"text":"Over \ud83d\ude"#, "Over "),
        (r#"{"text": "All.", "favored_principle": "maxi"#, "All."),
        (r#"{"text": "ends in \"#, "ends in "),
    ] {
        assert_eq!(
            said(broken),
            Some((text.to_owned(), None, None, How::Length)),
            "{broken}"
        );
    }
}

#[test]
fn a_last_line_decides_alone() {
    let line = |text: &str| principle(text);
    let second = Some(Reading::read(Principle::Average, How::Line));
    for text in [
        "ANSWER: principle = maximizing_average",
        "I vote for principle 1, or {\"principle\": 3}.\n\nDecision: principle=maximizing_average.\n",
        "x\n**RESPUESTA: principle = `maximizing_average`**\n```",
        "x\n回答：principle ＝ maximizing_average；",
    ] {
        assert_eq!(line(text), second, "{text}");
    }
    for text in [
        "ANSWER: 2",
        "ANSWER: principle = maximizing_average\nOr not.",
        "ANSWER: principle = maximizing_average; principle = maximizing_floor",
        "ANSWER: vote = maximizing_average",
        "ANSWER: principle = <maximizing_floor | maximizing_average>",
    ] {
        assert_eq!(line(text), None, "{text}");
    }
    let third =
        "ANSWER: principle = maximizing_average_floor_constraint; amount = $15,000; certainty = very_sure";
    let read = choice(third, Language::English, BOUNDS).unwrap();
    let expected = Choice {
        principle: Principle::FloorConstraint,
        amount: Some(15_000),
        certainty: Some(Certainty::VerySure),
    };
    assert_eq!(read, Reading::read(expected, How::Line));
    let yes = yes_no(
        "It is time.\nANSWER: answer = yes",
        &["reason", "answer"],
        Language::English,
    );
    assert_eq!(yes, Some(Reading::read(true, How::Line)));
    let order = "ANSWER: first = maximizing_floor; second = maximizing_average; third = \
                 maximizing_average_floor_constraint; fourth = maximizing_average_range_constraint; certainty = sure";
    let ranked = ranking(order).unwrap();
    assert_eq!(ranked.value().unwrap().order, Principle::ALL);
    assert!(matches!(ranked, Reading::Read { how: How::Line, .. }));
    let text = "We should not let anybody fall.\nANSWER: favored_principle = none; favored_amount = none";
    let expected = (
        "We should not let anybody fall.".to_owned(),
        None,
        None,
        How::Line,
    );
    assert_eq!(said(text), Some(expected));
}

/// The answer lines that questions ask for, in each language.
#[test]
fn answer_lines() {
    use quorate::principle::Certainty::{Sure, VerySure};
    let numbers = |ranking: &Ranking| ranking.order.map(Principle::number);
    for (language, text, certainty) in [
        (English, "Because of this.\n\nANSWER: 2 > 1 > 4 > 3, sure", Sure),
        (English, "**ANSWER:** 2 > 1 > 4 > 3, very sure", VerySure),
        (
            Spanish,
            "Por las razones dichas.\nRESPUESTA: 2 > 1 > 4 > 3, seguro",
            Sure,
        ),
        (Mandarin, "理由如上。\n回答：2 > 1 > 4 > 3，非常确定", VerySure),
    ] {
        let read = reading::ranking(text, language);
        let read = read.value().map(|ranking| (numbers(ranking), ranking.certainty));
        assert_eq!(read, Some(([2, 1, 4, 3], Some(certainty))), "{text}");
    }
    for (language, text, principle, amount, certainty) in [
        (
            English,
            "I compared 1 and 2.\nANSWER: 3, $13,000, sure",
            3,
            Some(13_000),
            Sure,
        ),
        (English, "ANSWER: 3, 13000, very sure", 3, Some(13_000), VerySure),
        (English, "ANSWER: 2, sure", 2, None, Sure),
        (
            Spanish,
            "RESPUESTA: 4, 13.000, muy seguro",
            4,
            Some(13_000),
            VerySure,
        ),
        (Spanish, "RESPUESTA: 1, seguro", 1, None, Sure),
        (Mandarin, "回答：3，13000，确定", 3, Some(13_000), Sure),
    ] {
        let read = reading::choice(text, language, AmountBounds::default());
        let read = read
            .value()
            .map(|choice| (choice.principle.number(), choice.amount, choice.certainty));
        assert_eq!(read, Some((principle, amount, Some(certainty))), "{text}");
    }
    for (language, text, principle) in [
        (English, "1 leaves out the middle.\nANSWER: 3", 3),
        (Spanish, "El 1 deja fuera a la clase media.\nRESPUESTA: 3", 3),
        (Mandarin, "原则1忽略了中间阶层。\n回答：3", 3),
    ] {
        let read = reading::principle(text, language);
        assert_eq!(read.value().map(|one| one.number()), Some(principle), "{text}");
    }
    for (language, text, yes) in [
        (English, "We have said it all, no more talk.\nANSWER: yes", true),
        (English, "Yes, they argued well.\nANSWER: no", false),
        (Spanish, "Falta una ronda.\nRESPUESTA: no", false),
        (Spanish, "RESPUESTA: sí", true),
        (Mandarin, "还有一轮。\n回答：否", false),
        (Mandarin, "回答：是", true),
    ] {
        assert_eq!(reading::agreement(text, language).value(), Some(&yes), "{text}");
    }
    for (language, text) in [
        (English, "15,000 would be more than most have.\nANSWER: 13000"),
        (Spanish, "Con 15.000 pocos llegan.\nRESPUESTA: 13.000"),
        (Mandarin, "15000太高。\n回答：13000"),
    ] {
        let read = reading::amount(text, language, AmountBounds::default());
        assert_eq!(read.value(), Some(&13_000), "{text}");
    }
}
