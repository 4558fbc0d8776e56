use super::*;
use crate::core::schema::complaints;
use crate::procedures::answers::QuestionKind;
use crate::procedures::justice::asks::{
    AgreementQuestion, AmountQuestion, ApplicationQuestion, BallotQuestion, RankingQuestion,
    StatementQuestion, TextQuestion,
};
use serde_json::{Value, json};
use std::rc::Rc;

fn settings() -> Settings {
    let seat = |name: &str| json!({ "name": name, "personality": "-" });
    let config = json!({ "agents": [seat("Ana"), seat("Bo")], "seed": 1 });
    super::super::settings::check(&config).unwrap().settings
}

fn of(kind: impl QuestionKind<Context = QuestionContext>, language: Language) -> Form {
    let words = Words::new(&super::super::TEXTS, language, &BTreeMap::new());
    let facts = JusticeContext {
        distributions: super::super::distribution::BASE.map(|one| one.0).to_vec(),
        round: 2,
        rounds: 4,
        applications: vec![Experience {
            round: 1,
            principle: Some(Principle::FloorConstraint),
            amount: Some(13_000),
            income: Some(24_000),
        }],
        target: Some(Principle::Average),
        ..JusticeContext::default()
    };
    let context = QuestionContext {
        words: Rc::new(words),
        settings: Rc::new(settings()),
        index: 0,
        facts: Rc::new(facts),
    };
    kind.form(&context).unwrap()
}

#[test]
fn every_structured_question_has_a_schema_for_all_providers() {
    let ranking = ["reason", "first", "second", "third", "fourth", "certainty"];
    for language in Language::ALL {
        let formed: [(Form, &[&str]); 11] = [
            (of(RankingQuestion(Moment::Initial), language), &ranking),
            (of(RankingQuestion(Moment::PostExplanation), language), &ranking),
            (of(RankingQuestion(Moment::AfterApplications), language), &ranking),
            (of(RankingQuestion(Moment::AfterResults), language), &ranking),
            (
                of(ApplicationQuestion, language),
                &["reason", "principle", "amount", "certainty"],
            ),
            (of(AmountQuestion::Missing, language), &["amount"]),
            (of(AmountQuestion::Ballot, language), &["amount"]),
            (of(AgreementQuestion::Initiation, language), &["answer"]),
            (of(AgreementQuestion::Confirmation, language), &["answer"]),
            (of(BallotQuestion, language), &["principle"]),
            (
                of(StatementQuestion, language),
                &["text", "favored_principle", "favored_amount"],
            ),
        ];
        for (form, fields) in formed {
            let schema = form.schema().unwrap();
            assert_eq!(complaints(&schema), [""; 0], "{schema}");
            assert_eq!(schema["required"], json!(fields));
        }
        for kind in [
            TextQuestion::Explanation,
            TextQuestion::Reasoning,
            TextQuestion::Memory,
        ] {
            assert_eq!(of(kind, language).schema(), None, "{kind:?}");
        }
    }
}

#[test]
fn people_are_asked_for_a_statement_alone_and_may_be_answered_for_with_a_principle() {
    let form = of(StatementQuestion, Language::English);
    let shown = serde_json::to_value(&form).unwrap();
    assert_eq!(shown["fields"].as_array().unwrap().len(), 1);
    let text = "x".repeat(60);
    let reply = form.reply(&json!({ "text": text })).unwrap();
    assert_eq!((&reply.text, reply.values), (&text, None));
    let values = json!({ "text": text, "favored_principle": "maximizing_floor" });
    let reply = form.reply(&values).unwrap();
    assert_eq!((&reply.text, reply.values), (&text, Some(values)));
    let wrong = form.reply(&json!({ "text": text, "favored_principle": "none" }));
    assert_eq!(wrong.unwrap_err().field, "favored_principle");
    let open = json!({ "anyOf": [{ "type": "integer" }, { "type": "null" }] });
    let schema = form.schema().unwrap();
    assert_eq!(schema["properties"]["favored_amount"], open);
    assert_eq!(
        schema["properties"]["favored_principle"]["anyOf"][0]["enum"][2],
        "maximizing_average_floor_constraint"
    );
}

#[test]
fn a_choice_has_no_certainty_without_opinion() {
    fn schema(kind: impl QuestionKind<Context = QuestionContext>) -> Value {
        of(kind, Language::English).schema().unwrap()
    }
    let application = schema(ApplicationQuestion);
    let certainty = &application["properties"]["certainty"]["enum"];
    assert_eq!(certainty, &json!(["very_unsure", "unsure", "sure", "very_sure"]));
    let amount = json!({ "anyOf": [{ "type": "integer" }, { "type": "null" }] });
    assert_eq!(application["properties"]["amount"], amount);
    let ranking = schema(RankingQuestion(Moment::AfterApplications));
    assert_eq!(ranking["properties"]["certainty"]["enum"][2], json!("no_opinion"));
    for certainty in ranking["properties"]["certainty"]["enum"].as_array().unwrap() {
        let read: Certainty = serde_json::from_value(certainty.clone()).unwrap();
        assert_eq!(read.id(), certainty);
    }
}

#[test]
fn the_table_has_four_columns_of_short_numbers_and_the_examples_name_what_is_chosen() {
    let form = of(TextQuestion::Explanation, Language::English);
    let MaterialContent::Table { columns, rows, .. } = &form.material[0].shown else {
        panic!("{:?}", form.material)
    };
    assert_eq!(columns, &["Class", "1", "2", "3", "4"]);
    assert_eq!(rows[0], ["High", "32,000", "28,000", "31,000", "21,000"]);
    assert_eq!(rows.len(), 6);
    let MaterialContent::Terms { terms } = &form.material[1].shown else {
        panic!("{:?}", form.material)
    };
    assert_eq!(terms.len(), EXAMPLES.len());
    assert_eq!(terms[0].name, "floor");
    assert_eq!(terms[0].text, "Distribution 4");
}
