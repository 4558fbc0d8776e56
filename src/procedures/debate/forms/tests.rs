use crate::core::form::Form;
use crate::core::schema::complaints;
use crate::language::Language;
use crate::procedures::answers::QuestionKind;
use crate::procedures::debate::asks::{
    AssentQuestion, CritiqueQuestion, JudgementQuestion, PollQuestion, ProposalQuestion, QuestionContext,
    TerminationQuestion, VoteQuestion,
};
use crate::procedures::debate::context::{DebateContext, Proposal};
use serde_json::{Value, json};
use std::rc::Rc;

fn of(
    kind: impl QuestionKind<Context = QuestionContext>,
    labels: &[&str],
    language: Language,
) -> Option<Form> {
    let proposal = |label: &&str| Proposal {
        label: (*label).to_owned(),
        text: "Text".to_owned(),
    };
    let facts = DebateContext {
        proposals: labels.iter().map(proposal).collect(),
        ..DebateContext::default()
    };
    kind.form(&QuestionContext {
        language,
        facts: Rc::new(facts),
    })
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
    for language in Language::ALL {
        let labels = ["Ana", "提案 1"];
        let formed: [(Option<Form>, &[&str]); 7] = [
            (
                of(CritiqueQuestion, &labels, language),
                &["issues", "suggestions", "reasoning", "severity"],
            ),
            (
                of(VoteQuestion, &labels, language),
                &["reasoning", "choice", "confidence", "continue"],
            ),
            (of(JudgementQuestion, &labels, language), &judgement),
            (of(PollQuestion, &labels, language), &["answer"]),
            (
                of(TerminationQuestion, &labels, language),
                &["reason", "conclusive", "confidence"],
            ),
            (
                of(AssentQuestion::Prepare, &labels, language),
                &["reason", "answer"],
            ),
            (
                of(AssentQuestion::Commit, &labels, language),
                &["reason", "answer"],
            ),
        ];
        for (form, fields) in formed {
            let schema = form.unwrap().schema().unwrap();
            assert_eq!(complaints(&schema), [""; 0], "{schema}");
            assert_eq!(schema["required"], json!(fields));
        }
        let revision = ProposalQuestion::Revision { may_be_ready: true };
        for kind in [ProposalQuestion::First, revision, ProposalQuestion::Refinement] {
            assert_eq!(of(kind, &["Ana"], language).unwrap().schema(), None, "{kind:?}");
        }
    }
}

#[test]
fn only_shown_proposals_can_be_chosen() {
    fn schema(kind: impl QuestionKind<Context = QuestionContext>) -> Value {
        let form = of(kind, &["Ana", "Bo"], Language::English).unwrap();
        form.schema().unwrap()
    }
    let names = json!({ "type": "string", "enum": ["Ana", "Bo"] });
    assert_eq!(schema(VoteQuestion)["properties"]["choice"], names);
    let judgement = schema(JudgementQuestion);
    assert_eq!(judgement["properties"]["ranking"]["items"], names);
    let score = &judgement["properties"]["scores"]["items"];
    assert_eq!(score["properties"]["proposal"], names);
    assert_eq!(
        score["properties"]["criteria"]["required"],
        json!(["correctness", "evidence", "completeness", "clarity", "risk"])
    );
    assert_eq!(of(VoteQuestion, &[], Language::English), None);
    assert_eq!(of(JudgementQuestion, &[], Language::English), None);
}
