//! Forecasts against runs.

use super::*;
use crate::core::Session;

/// Runs a configuration with scripted seats and returns the number of calls.
fn calls(config: &Value) -> u64 {
    let (mut session, mut outcome) = procedures::begin(config, "real", 5).unwrap();
    let seed = match &session.record()[0].what {
        EntryKind::Started(started) => started.seed,
        _ => panic!(),
    };
    let mut open: Vec<(Call, std::rc::Rc<Seat>)> = Vec::new();
    let mut resumes = 0;
    while outcome.status != Status::Ended {
        for effect in std::mem::take(&mut outcome.effects) {
            match effect {
                Effect::Ask { call, seat, .. } => open.push((call, seat)),
                Effect::Cancel { ask, .. } => open.retain(|(call, _)| call.ask.id != ask),
            }
        }
        let input = if open.is_empty() {
            resumes += 1;
            if resumes > MAX_RESUMES {
                break;
            }
            Input::Command(Command::Resume)
        } else {
            resumes = 0;
            let (call, seat) = open.remove(0);
            let text = procedures::scripted_answer(&seat, seed, &call);
            call_result(&call, &seat, (seat.kind != SeatKind::Source).then_some(text))
        };
        outcome = session.handle(6, input);
    }
    session.usage().calls
}

fn scripted(config: &Value) -> Value {
    let mut config = config.clone();
    for agent in config["agents"].as_array_mut().unwrap() {
        let agent = agent.as_object_mut().unwrap();
        for key in [
            "model",
            "base_url",
            "provider",
            "ai_model_config",
            "kind",
            "temperature",
        ] {
            agent.remove(key);
        }
        agent.insert("kind".to_owned(), json!("scripted"));
    }
    config["seed"] = json!(11);
    config
}

#[test]
fn forecasts_match_the_runs_of_all_presets() {
    for preset in procedures::presets() {
        let preset = serde_json::to_value(&preset).unwrap();
        let config = scripted(&preset["config"]);
        let forecast = forecast(&config).unwrap();
        let actual = calls(&config);
        assert!(
            forecast.calls.low <= actual && actual <= forecast.calls.high,
            "{}: {actual} of {:?}",
            preset["id"],
            forecast.calls
        );
        if forecast.rehearsals == 1 {
            assert_eq!(forecast.calls.low, actual);
        }
        assert_eq!(
            forecast.minutes,
            Range { low: 0.0, high: 0.0 },
            "{}",
            preset["id"]
        );
        assert_eq!(forecast.cost, Some(UpperBound::default()));
        // The first simulation is that run.
        let mut table: Vec<Seat> = procedures::seats(&config).unwrap();
        table.retain(|seat| is_counted(seat.kind));
        let run = simulate(&config, 11, &Prices::default(), &table).unwrap();
        assert_eq!(
            run.seats.iter().map(|usage| usage.calls).sum::<u64>(),
            actual,
            "{}",
            preset["id"]
        );
        assert_eq!(run.complete, forecast.complete);
    }
}

fn experiment(changes: &Value) -> Value {
    let mut config = json!({ "seed": 3, "phase2_rounds": 2, "agents": [
        { "name": "Ana", "personality": "p", "model": "gpt-4o-mini" },
        { "name": "Ben", "personality": "p", "provider": "ollama", "model": "m" },
        { "name": "Cleo", "personality": "p" },
    ], "prices": { "currency": "USD", "date": "2026-11-22", "models": { "gpt-4o-mini": { "input": 1, "output": 2 } } } });
    for (key, value) in changes.as_object().unwrap() {
        config[key] = value.clone();
    }
    config
}

#[test]
fn costs_time_and_tokens_follow_from_the_calls() {
    let expected = forecast(&experiment(&json!({}))).unwrap();
    assert_eq!(
        (expected.rehearsals, expected.complete, expected.seats.len()),
        (3, true, 3)
    );
    let [ana, ben, cleo] = &expected.seats[..] else {
        panic!()
    };
    assert!(ana.cost.unwrap().low > 0.0 && ana.cost.unwrap().high < ana.cost.unwrap().most);
    assert_eq!(
        (ben.cost, cleo.cost),
        (Some(UpperBound::default()), Some(UpperBound::default()))
    );
    assert_eq!(expected.cost, ana.cost);
    // Every answer at its token limit.
    assert_eq!(ana.output.most, ana.calls.high * 2_000);
    assert!(expected.minutes.low > 0.5, "{:?}", expected.minutes);
    assert_eq!(expected, forecast(&experiment(&json!({}))).unwrap());
    // Forecasts ignore caps and name models without a price.
    let capped = experiment(&json!({ "limits": { "max_calls": 1, "max_tokens": 5, "max_cost": 0.000_001 } }));
    assert_eq!(forecast(&capped).unwrap(), expected);
    let expected = forecast(&experiment(&json!({ "prices": null }))).unwrap();
    assert_eq!(
        (expected.cost, expected.unknown),
        (None, vec!["gpt-4o-mini".to_owned()])
    );
    assert!(forecast(&json!({})).is_err());
}

#[test]
fn fewer_concurrent_calls_take_longer() {
    let debate = |at_once: u32| {
        let agents: Vec<Value> = (0..4)
            .map(|place| json!({ "name": format!("S{place}"), "personality": "p", "base_url": "https://h.example/v1", "model": "m" }))
            .collect();
        let config = json!({ "protocol": "debate", "question": "Which way?", "seed": 1, "agents": agents,
            "limits": { "calls_at_once": { "https://h.example": at_once } } });
        forecast(&config).unwrap()
    };
    let (one, four) = (debate(1), debate(4));
    assert_eq!(one.calls, four.calls);
    assert!(
        one.minutes.low > four.minutes.low * 1.5,
        "{:?} {:?}",
        one.minutes,
        four.minutes
    );
}

#[test]
fn simulations_leave_no_state() {
    let config = experiment(&json!({}));
    let before = |config: &Value| -> (Session, String) {
        let (session, _) = procedures::begin(config, "s", 1).unwrap();
        let text = serde_json::to_string(&session.record()).unwrap();
        (session, text)
    };
    let (_, one) = before(&config);
    let _ = forecast(&config).unwrap();
    assert_eq!(before(&config).1, one);
}
