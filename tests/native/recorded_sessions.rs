//! Recorded runs of the published program, held as whole sessions under the profile `compat` with
//! answers made to fit: from the seed alone must come the same speaking orders, classes, alternatives,
//! multiplier and payoffs, so nothing in a session draws more, less or in another order.
//! (`golden_recorded_runs` holds the rules themselves to the same rows.)

use crate::support;
use crate::support::world;

use quorate::principle::Principle;
use quorate::procedures::justice::asks;
use serde_json::{Value, json};
use world::{NAMES, Run, plain, run, says};

fn session(input: &Value) -> Run {
    let number = |key: &str| input[key].as_u64().unwrap() as u32;
    let (rounds, agents) = (number("rounds"), number("agents") as usize);
    let consensus = input["consensus"] == true;
    let classes = ["high", "medium_high", "medium", "medium_low", "low"];
    let probabilities: serde_json::Map<String, Value> = classes
        .iter()
        .zip(input["probabilities"].as_array().unwrap())
        .map(|(class, probability)| ((*class).to_owned(), probability.clone()))
        .collect();
    let changes = json!({
        "profile": "compat",
        "seed": input["seed"],
        "phase2_rounds": rounds + u32::from(consensus && rounds < 10),
        "speaking_order_strategy": input["strategy"],
        "distribution_range_phase1": input["range_phase1"],
        "distribution_range_phase2": input["range_phase2"],
        "income_class_probabilities": probabilities,
        "original_values_mode": { "enabled": input["original_values"] },
        "include_experiment_explanation": false,
    });
    let mut config = world::config(agents, &changes);
    for agent in config["agents"].as_array_mut().unwrap() {
        agent["reasoning_enabled"] = json!(false);
    }
    let principle = input["principle"].as_str().and_then(Principle::from_id);
    run(&config, |call| match call.ask.kind.name() {
        asks::MEMORY_UPDATE => says("Noted."),
        asks::VOTE_INITIATION if consensus && call.ask.round == Some(rounds) => says("1"),
        asks::BALLOT_PRINCIPLE => says(principle.unwrap().number().to_string()),
        asks::BALLOT_AMOUNT => says(input["constraint"].to_string()),
        _ => says(plain(call)),
    })
}

/// What came out, in the form of the rows.
fn outcome(run: &Run, agents: usize) -> Value {
    let place = |name: &Value| NAMES.iter().position(|known| name == known).unwrap();
    let order = |event: &Value| {
        event["seats"]
            .as_array()
            .unwrap()
            .iter()
            .map(place)
            .collect::<Vec<_>>()
    };
    let applied = run.events_of("applied");
    let of_seats = |key: &str| -> Vec<Vec<Value>> {
        let of = |name: &&str| {
            let own = applied.iter().filter(|event| event["seat"] == **name);
            own.map(|event| event[key].clone()).collect()
        };
        NAMES[..agents].iter().map(of).collect()
    };
    let paid = |event: &Value| json!({ "class": event["class"], "payoff": event["payoff"], "distribution": event["distribution"] });
    json!({
        "orders": run.events_of("ordered").iter().map(order).collect::<Vec<_>>(),
        "phase1_classes": of_seats("class"),
        "phase1_alternatives": of_seats("alternatives"),
        "multiplier": run.events_of("drawn")[0]["multiplier"],
        "assigned": run.events_of("paid").iter().map(paid).collect::<Vec<_>>(),
    })
}

#[test]
fn sessions_draw_what_the_published_program_drew() {
    let rows = support::golden("justice-recorded_runs.jsonl");
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for core in 0..cores {
            let rows = rows.iter().skip(core).step_by(cores);
            scope.spawn(move || {
                for row in rows {
                    let run = session(&row["input"]);
                    let agents = row["input"]["agents"].as_u64().unwrap() as usize;
                    assert_eq!(outcome(&run, agents), row["expected"], "{}", row["id"]);
                    let result = run.result();
                    assert_eq!(result["consensus_reached"], row["input"]["consensus"]);
                    assert_eq!(result["rounds_completed"], row["input"]["rounds"]);
                    assert_eq!(result["chosen_principle"], row["input"]["principle"]);
                }
            });
        }
    });
    println!("recorded runs as sessions: {}", rows.len());
}
