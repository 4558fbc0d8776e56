use super::*;
use crate::core::schema::complaints;
use serde_json::json;

fn of(kind: &'static str, labels: &[&str], language: Language) -> Option<Form> {
    let proposal = |label: &&str| Proposal {
        label: (*label).to_owned(),
        text: "Text".to_owned(),
    };
    let facts = DebateContext {
        proposals: labels.iter().map(proposal).collect(),
        ..DebateContext::default()
    };
    form(kind, language, &facts)
}

#[test]
fn each_question_with_a_decision_has_a_schema_for_all_providers() {
    let judgement = [
        "scores",
        "ranking",
        "synthesis",
        "reason",
        "conclusive",
        "confidence",
    ];
    let formed: [(&'static str, &[&str]); 7] = [
        (
            asks::CRITIQUE,
            &["issues", "suggestions", "reasoning", "severity"],
        ),
        (asks::VOTE, &["reasoning", "choice", "confidence", "continue"]),
        (asks::JUDGEMENT, &judgement),
        (asks::POLL, &["answer"]),
        (asks::TERMINATION, &["reason", "conclusive", "confidence"]),
        (asks::PREPARE, &["reason", "answer"]),
        (asks::COMMIT, &["reason", "answer"]),
    ];
    for language in Language::ALL {
        for (kind, fields) in formed {
            let schema = of(kind, &["Ana", "提案 1"], language).unwrap().schema().unwrap();
            assert_eq!(complaints(&schema), [""; 0], "{schema}");
            assert_eq!(schema["required"], json!(fields), "{}", kind);
        }
        for kind in [asks::PROPOSAL, asks::REVISION, asks::REFINEMENT] {
            assert_eq!(of(kind, &["Ana"], language).unwrap().schema(), None, "{}", kind);
        }
    }
    for kind in [asks::CONTEXT, asks::SIMILARITY] {
        assert_eq!(of(kind, &["Ana"], Language::English), None, "{}", kind);
    }
}

#[test]
fn only_shown_proposals_can_be_chosen() {
    let schema = |kind| {
        of(kind, &["Ana", "Bo"], Language::English)
            .unwrap()
            .schema()
            .unwrap()
    };
    let names = json!({ "type": "string", "enum": ["Ana", "Bo"] });
    assert_eq!(schema(asks::VOTE)["properties"]["choice"], names);
    let judgement = schema(asks::JUDGEMENT);
    assert_eq!(judgement["properties"]["ranking"]["items"], names);
    let score = &judgement["properties"]["scores"]["items"];
    assert_eq!(score["properties"]["proposal"], names);
    assert_eq!(
        score["properties"]["criteria"]["required"],
        json!(["correctness", "evidence", "completeness", "clarity", "risk"])
    );
    assert_eq!(of(asks::VOTE, &[], Language::English), None);
    assert_eq!(of(asks::JUDGEMENT, &[], Language::English), None);
}
