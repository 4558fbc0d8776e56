use super::super::samples;
use super::*;

fn published(record: &[std::rc::Rc<crate::core::record::Entry>]) -> Value {
    serde_json::from_str(&result(&Run::of(record).unwrap()).unwrap()).unwrap()
}

#[test]
fn a_whole_run_in_the_published_format() {
    let file = published(&samples::whole_record());
    let ranking = json!({ "rankings": [
        { "principle": "maximizing_average_floor_constraint", "rank": 1 },
        { "principle": "maximizing_floor", "rank": 2 },
        { "principle": "maximizing_average", "rank": 3 },
        { "principle": "maximizing_average_range_constraint", "rank": 4 },
    ], "certainty": "sure" });
    assert_eq!(
        file["general_information"],
        json!({
            "consensus_reached": true,
            "consensus_principle": "maximizing_average_floor_constraint",
            "max_rounds_phase_2": 4,
            "rounds_conducted_phase_2": 1,
            "public_conversation_phase_2": "\nRound 1 / Speaker: Ana Statement: Let us guarantee a floor of $13,000.\nLet us guarantee a floor of $13,000.",
            "config_file_used": null,
            "seed_randomness": 42,
            "income_class_probabilities": { "high": 0.05, "medium_high": 0.1, "medium": 0.5, "medium_low": 0.25, "low": 0.1 },
            "original_values_mode_enabled": false,
            "manipulator_target_info": null,
        })
    );
    let ana = &file["agents"][0];
    assert_eq!(ana["model"], Value::Null);
    assert_eq!(file["agents"][1]["model"], "m-1");
    assert_eq!(file["agents"][1]["temperature"], 0.7);
    assert_eq!(
        ana["phase_1"]["initial_ranking"],
        json!({ "ranking_result": ranking, "memory_coming_in_this_round": "", "bank_balance": 0.0 })
    );
    assert_eq!(
        ana["phase_1"]["detailed_explanation"],
        json!({
            "response_to_demonstration": "Prompt: See how they choose.\nYour Response: I see.",
            "memory_coming_in_this_round": "I ranked.\nI wait.",
        })
    );
    assert_eq!(
        ana["phase_1"]["demonstrations"],
        json!([{
            "number_demonstration_round": 1,
            "choice_principal": "maximizing_average_floor_constraint",
            "constraint_amount": 14_000,
            "class_put_in": "medium",
            "payoff_received": 2.1,
            "payoff_if_other_principles": "distribution_1: $2.40; distribution_2: $2.00; distribution_3: $1.40; distribution_4: $1.90",
            "memory_coming_in_this_round": "I ranked.\nI wait.",
            "bank_balance_after_round": 2.1,
        }])
    );
    assert_eq!(
        ana["phase_1"]["ranking_2"],
        json!({ "ranking_result": null, "memory_coming_in_this_round": null, "bank_balance": null })
    );
    assert_eq!(
        ana["phase_2"]["rounds"],
        json!([{
            "number_discussion_round": 1,
            "speaking_order": 2,
            "bank_balance": 2.1,
            "memory_coming_in_this_round": "I ranked.\nI wait.",
            "internal_reasoning": "Let us guarantee a floor of $13,000.",
            "public_message": "Let us guarantee a floor of $13,000.",
            "initiate_vote": "Yes",
            "favored_principle": "maximizing_average_floor_constraint",
        }])
    );
    assert_eq!(file["agents"][1]["phase_2"]["rounds"][0]["initiate_vote"], "N/A");
    assert_eq!(
        ana["phase_2"]["post_group_discussion"],
        json!({
            "class_put_in": "medium_low",
            "payoff_received": 1.6,
            "final_ranking": ranking,
            "final_vote": "Maximizing Average with Floor Constraint",
            "vote_timestamp": "2026-01-01T00:00:10.000Z",
            "memory_coming_in_this_round": "I ranked.\nI wait.",
            "bank_balance": 3.7,
        })
    );
    let bo = &file["agents"][1];
    assert_eq!(
        bo["phase_2"]["post_group_discussion"]["final_ranking"],
        Value::Null
    );
    assert_eq!(
        bo["phase_1"]["demonstrations"][0]["choice_principal"],
        Value::Null
    );
    assert_eq!(
        bo["phase_1"]["demonstrations"][0]["payoff_if_other_principles"],
        Value::Null
    );
}

#[test]
fn votes_have_initiators_and_counts() {
    let file = &published(&samples::whole_record())["voting_history"];
    let vote = &file["vote_rounds"][0];
    assert_eq!(vote["trigger_participant"], "Ana");
    assert_eq!(
        vote["vote_counts"],
        json!({ "maximizing_average_floor_constraint": 2 })
    );
    assert_eq!(
        (&vote["agreed_constraint"], &vote["warnings"]),
        (&json!(13_000), &json!([]))
    );
    assert_eq!(vote["confirmation_results"], json!({ "Ana": "Yes", "Bo": "Yes" }));
    assert_eq!(
        vote["participant_votes"][1],
        json!({
            "participant_name": "Bo",
            "raw_response": "3 | $13,000",
            "assessed_choice": "Maximizing Average with Floor Constraint",
            "constraint_amount": 13_000,
            "vote_timestamp": "2026-01-01T00:00:10.000Z",
            "parsing_success": true,
        })
    );
    assert_eq!(
        file["vote_initiation_requests"],
        json!({ "1": { "Ana": "Yes", "Bo": "N/A" } })
    );
    assert_eq!(
        file["vote_statistics"],
        json!({
            "total_attempts": 1, "successful_votes": 1, "success_rate": 1.0,
            "failed_parsing_attempts": 0, "average_consensus_round": 1.0,
        })
    );
}

#[test]
fn missing_values_are_null() {
    let file = published(&samples::record());
    assert_eq!(file["general_information"]["consensus_reached"], Value::Null);
    assert_eq!(file["general_information"]["rounds_conducted_phase_2"], 0);
    assert_eq!(
        file["agents"][0]["phase_2"]["post_group_discussion"]["payoff_received"],
        Value::Null
    );
    assert_eq!(
        file["agents"][0]["phase_2"]["post_group_discussion"]["final_vote"],
        "No vote"
    );
    assert_eq!(
        file["voting_history"]["vote_statistics"]["success_rate"],
        Value::Null
    );
}

#[test]
fn keys_are_in_the_published_order() {
    let text = result(&Run::of(&samples::whole_record()).unwrap()).unwrap();
    let order = [
        "general_information",
        "consensus_reached",
        "agents",
        "phase_1",
        "phase_2",
        "voting_history",
    ];
    let places: Vec<_> = order
        .iter()
        .map(|key| text.find(&format!("\"{key}\"")).unwrap())
        .collect();
    assert!(places.is_sorted(), "{places:?}");
    assert!(text.starts_with("{\n  \"general_information\": {\n    \"consensus_reached\": true,"));
    let hostile = published(&samples::hostile_record());
    let message = hostile["agents"][0]["phase_2"]["rounds"][0]["public_message"].as_str();
    assert_eq!(message, Some(samples::HOSTILE.join("\n").as_str()));
    assert!(
        result(&Run::of(&samples::hostile_record()).unwrap())
            .unwrap()
            .contains("我选择3")
    );
}
