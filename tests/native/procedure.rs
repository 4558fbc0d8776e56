//! The procedure of the experiment over whole runs: what follows what, who is told what, when it
//! stops, and how many calls it takes.

use crate::support::world;

use quorate::core::record::EntryKind;
use quorate::language::Language;
use quorate::language::words::Words;
use quorate::principle::Principle;
use quorate::procedures::justice::apply::apply;
use quorate::procedures::justice::asks;
use quorate::procedures::justice::counterfactual::median_constraint;
use quorate::procedures::justice::distribution::{Distribution, Probabilities};
use serde_json::{Value, json};
use world::{Call, NAMES, Reaction, Run, config, plain, run, says, votes_from, words_of};

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or("-")
}

/// An event in a few words.
fn short(event: &Value) -> String {
    let seat = text(event, "seat");
    match text(event, "type") {
        "step_began" if event["seat"].is_null() => format!("= {} {}", text(event, "step"), event["round"]),
        "step_began" => format!("{seat} = {} {}", text(event, "step"), event["round"]),
        "ranked" => format!("{seat} ranks {}", text(event, "moment")),
        "applied" => format!("{seat} applies {}", event["round"]),
        "remembered" => format!("{seat} {}", text(event, "how")),
        "ordered" => format!("order {}", event["seats"].as_array().unwrap().len()),
        "reasoned" => format!("{seat} reasons"),
        "spoke" => format!("{seat} speaks"),
        "announced" => format!("* {}", text(event, "notice")),
        "initiation" => format!("{seat} initiates {}", event["answer"]),
        "confirmed" => format!("{seat} confirms {}", event["answer"]),
        "confirmation" => format!("confirmed {}", event["confirmed"]),
        "vote_started" => format!("{} starts a vote", text(event, "initiator")),
        "voted" => format!("{} voted", text(&event["vote"], "seat")),
        "counted" => format!("agreed {}", text(event, "agreed")),
        "drawn" => format!("drawn {}", event["distribution"].is_u64()),
        "paid" => format!("{seat} paid"),
        other => format!("{other} {seat}"),
    }
}

/// Three rounds of two: nobody wants a vote; one does, the other does not confirm; consensus.
fn three_rounds(call: &Call) -> Reaction {
    match (
        call.ask.kind.name(),
        call.ask.round.unwrap_or(0),
        call.ask.seat.as_str(),
    ) {
        (asks::VOTE_INITIATION, 2, "Ben") | (asks::VOTE_INITIATION, 3, "Ana") => says("1"),
        (asks::VOTE_CONFIRMATION, 2, "Ana") => says("0"),
        _ => says(plain(call)),
    }
}

#[test]
fn steps_follow_each_other_as_the_process_flow_says() {
    for language in Language::CODES {
        let run = run(
            &config(2, &json!({ "language": language, "phase2_rounds": 3 })),
            three_rounds,
        );
        let events = run.events();
        let of_phase2 = events.iter().position(|event| event["phase"] == 2).unwrap();

        // Phase 1, each for itself.
        for seat in &NAMES[..2] {
            let mut expected = Vec::new();
            let ranking = |step: &str, moment: &str| {
                vec![
                    format!("{seat} = {step} 0"),
                    format!("{seat} ranks {moment}"),
                    format!("{seat} rewritten"),
                ]
            };
            expected.extend(ranking("initial_ranking", "initial"));
            expected.extend([format!("{seat} = explanation 0"), format!("{seat} rewritten")]);
            expected.extend(ranking("post_explanation_ranking", "post_explanation"));
            for round in 1..=4 {
                expected.push(format!("{seat} = application {round}"));
                expected.push(format!("{seat} applies {round}"));
                expected.push(format!("{seat} rewritten"));
            }
            expected.extend(ranking("final_ranking", "after_applications"));
            let own = events[..of_phase2].iter().filter(|event| event["seat"] == **seat);
            assert_eq!(own.map(short).collect::<Vec<_>>(), expected, "{language}");
        }

        // Phase 2, all of it.
        let orders = run.events_of("ordered");
        let mut expected = Vec::new();
        let mut add = |lines: &[&str]| expected.extend(lines.iter().map(|line| (*line).to_owned()));
        for round in 1..=3 {
            add(&[&format!("= discussion {round}"), "order 2"]);
            for seat in orders[round - 1]["seats"].as_array().unwrap() {
                let seat = seat.as_str().unwrap();
                add(&[&format!("{seat} reasons"), &format!("{seat} speaks")]);
            }
            add(&[
                &format!("= memory_update {round}"),
                "Ana appended",
                "Ben appended",
            ]);
            match round {
                1 => add(&[
                    "* countdown",
                    "= vote_initiation 1",
                    "Ana initiates false",
                    "Ana appended",
                    "Ben initiates false",
                    "Ben appended",
                ]),
                2 => add(&[
                    "= vote_initiation 2",
                    "Ana initiates false",
                    "Ana appended",
                    "Ben initiates true",
                    "Ben starts a vote",
                    "Ben appended",
                    "Ana appended",
                    "= vote_confirmation 2",
                    "Ana confirms false",
                    "Ben confirms true",
                    "confirmed false",
                    "* confirmations",
                    "Ana appended",
                    "Ben appended",
                ]),
                _ => add(&[
                    "= vote_initiation 3",
                    "Ana initiates true",
                    "Ana starts a vote",
                    "Ana appended",
                    "Ben appended",
                    "= vote_confirmation 3",
                    "Ana confirms true",
                    "Ben confirms true",
                    "confirmed true",
                    "* confirmations",
                    "Ana appended",
                    "Ben appended",
                    "= ballot 3",
                    "Ana appended",
                    "Ben appended",
                    "Ana voted",
                    "Ben voted",
                    "agreed maximizing_average_floor_constraint",
                    "* consensus",
                    "Ana rewritten",
                    "Ben rewritten",
                ]),
            }
        }
        add(&[
            "= results 0",
            "drawn true",
            "Ana paid",
            "Ben paid",
            "Ana rewritten",
            "Ben rewritten",
            "= results_ranking 0",
            "Ana ranks after_results",
            "Ben ranks after_results",
        ]);
        let told: Vec<String> = events[of_phase2..].iter().map(short).collect();
        assert_eq!(told, expected, "{language}");
        assert_eq!(run.warnings(), [""; 0], "{language}");
    }
}

#[test]
fn everybody_remembers_a_round_by_the_same_lines() {
    let run = run(&config(5, &json!({})), |call| says(plain(call)));
    let events = run.events();
    for round in 1..=4 {
        let from = events
            .iter()
            .position(|event| event["step"] == "memory_update" && event["round"] == round)
            .unwrap();
        let lines: Vec<&str> = events[from + 1..=from + 5]
            .iter()
            .map(|event| text(event, "text"))
            .collect();
        assert_eq!(lines[0].lines().count(), 5);
        for name in &NAMES[..5] {
            assert!(lines[0].contains(&world::statement(name, round)));
        }
        assert!(lines.iter().all(|line| *line == lines[0]));
        // And every later question shows them to its seat.
        let asked_later = run
            .calls
            .iter()
            .filter(|call| call.ask.round == Some(round) && call.ask.kind == asks::VOTE_INITIATION);
        for call in asked_later {
            for line in lines[0].lines() {
                assert!(call.request.system.contains(line), "{}: {line}", call.ask.id);
            }
        }
    }
}

/// Position in the record of the entry that `is` holds for.
fn places(run: &Run, is: impl Fn(&EntryKind) -> bool) -> Vec<usize> {
    let record = run.record();
    (0..record.len()).filter(|&at| is(&record[at].what)).collect()
}

fn group_digits(number: u64) -> String {
    let digits = number.to_string();
    let (head, tail) = digits.split_at(digits.len() - 3);
    format!("${head},{tail}")
}

#[test]
fn nobody_knows_a_class_before_it_counts() {
    let run = run(&config(4, &json!({})), votes_from(3));
    // Phase 2: classes are drawn after everything but the results has been asked and answered.
    let drawn = places(
        &run,
        |what| matches!(what, EntryKind::Drew { purpose, .. } if purpose.starts_with("class of")),
    );
    let asked = places(
        &run,
        |what| matches!(what, EntryKind::Answered { ask, .. } if ask.starts_with("phase2/round/")),
    );
    assert_eq!(drawn.len(), 4);
    assert!(asked.iter().all(|place| *place < drawn[0]));
    // Phase 1: a round's class is drawn after its choice.
    for name in &NAMES[..4] {
        for round in 1..=4 {
            let drawn = places(&run, |what| {
                matches!(what, EntryKind::Drew { stream, purpose, .. }
                    if *stream == format!("phase1/{name}") && *purpose == format!("round {round}: class"))
            });
            let chosen = places(&run, |what| {
                matches!(what, EntryKind::Answered { ask, .. }
                    if *ask == format!("phase1/round/{round}/application/{name}#1"))
            });
            assert_eq!((drawn.len(), chosen.len()), (1, 1));
            assert!(chosen[0] < drawn[0]);
        }
    }
    // No prompt of the discussion and the vote names any class; notes hold none, as they are ours.
    let words = Words::new(
        &quorate::procedures::justice::TEXTS,
        Language::English,
        &Default::default(),
    );
    let classes = ["high", "medium_high", "medium", "medium_low", "low"]
        .map(|class| words.text(&format!("justice.class.{class}"), &[]));
    let of_group = |call: &&Call| call.ask.phase == 2 && call.ask.round.is_some();
    let mut looked = 0;
    for call in run.calls.iter().filter(of_group) {
        for class in &classes {
            let text = words_of(call);
            assert!(
                !text.contains(&format!("Class drawn for you: {class}")),
                "{}",
                call.ask.id
            );
            assert!(
                !text.contains(&format!("the {class} class has")),
                "{}",
                call.ask.id
            );
        }
        looked += 1;
    }
    assert_eq!(looked, 49);
    let told = |call: &&Call| words_of(call).contains("Class drawn for you: ");
    assert_eq!(run.calls.iter().filter(told).count(), 4 * 4 + 4);
    // Nor does anybody ever see what another one drew in phase 1: tables are drawn for each, so the
    // incomes tell them apart.
    let applied = run.events_of("applied");
    for event in &applied {
        let income = event["income"].as_u64().unwrap();
        let is_of_another = |other: &&Value| {
            other["seat"] != event["seat"] && other["distributions"].to_string().contains(&income.to_string())
        };
        if applied.iter().any(|other| is_of_another(&other)) {
            continue;
        }
        for call in run.calls.iter().filter(|call| call.ask.phase == 1) {
            let is_own = call.ask.seat == text(event, "seat");
            assert!(
                is_own || !words_of(call).contains(&group_digits(income)),
                "{}",
                call.ask.id
            );
        }
    }
}

/// Ballots in principle 3 with an amount of one's own each, in odd words.
fn secret_ballots(call: &Call) -> Reaction {
    let place = NAMES.iter().position(|name| *name == call.ask.seat).unwrap();
    match call.ask.kind.name() {
        asks::VOTE_INITIATION => says("1"),
        asks::BALLOT_PRINCIPLE => says(format!("3 (zephyr {})", TREES[place])),
        asks::BALLOT_AMOUNT => says(format!("${}, quokka {}", AMOUNTS[place], TREES[place])),
        _ => says(plain(call)),
    }
}

const TREES: [&str; 4] = ["ash", "elm", "oak", "yew"];
const AMOUNTS: [u32; 4] = [11_117, 12_227, 13_337, 14_447];

#[test]
fn ballots_are_known_to_those_who_cast_them() {
    for memory in [json!({}), json!({ "selective_memory_updates": false })] {
        let run = run(&config(4, &memory), secret_ballots);
        let result = run.result();
        assert_eq!(result["consensus_reached"], false);
        assert_eq!(result["voting_records"].as_array().unwrap().len(), 4);
        let secrets = |place: usize| {
            let amount = AMOUNTS[place];
            [
                amount.to_string(),
                group_digits(amount.into()),
                format!("zephyr {}", TREES[place]),
                format!("quokka {}", TREES[place]),
            ]
        };
        let mut own = [0; 4];
        for call in &run.calls {
            let facts = call.facts.json().to_string();
            for (place, name) in NAMES[..4].iter().enumerate() {
                let told = |text: &str| secrets(place).iter().any(|secret| text.contains(secret.as_str()));
                if call.ask.seat == *name {
                    own[place] += u32::from(told(&words_of(call)));
                } else {
                    assert!(
                        !told(&words_of(call)) && !told(&facts),
                        "{} of {name}",
                        call.ask.id
                    );
                }
            }
        }
        assert!(
            own.iter().all(|count| *count > 0),
            "nobody remembers the own ballot: {own:?}"
        );
        let public = result["discussion_history"].to_string();
        let announced = json!(run.events_of("announced")).to_string();
        for place in 0..4 {
            for secret in secrets(place) {
                assert!(
                    !public.contains(&secret) && !announced.contains(&secret),
                    "{secret}"
                );
            }
        }
        assert!(public.contains("vote"));
    }
}

#[test]
fn a_consensus_ends_the_discussion_in_its_round() {
    for round in 1..=4 {
        let run = run(&config(3, &json!({})), votes_from(round));
        let result = run.result();
        assert_eq!(result["consensus_reached"], true);
        assert_eq!(result["rounds_completed"], round);
        assert_eq!(result["chosen_principle"], "maximizing_average_floor_constraint");
        assert_eq!(result["constraint_amount"], 13_000);
        assert_eq!(run.count(asks::STATEMENT), 3 * round as usize);
        assert_eq!(run.events_of("ordered").len(), round as usize);
        assert_eq!(run.events_of("counted").len(), 1);
    }
}

fn drawn(run: &Run) -> (Vec<Distribution>, Probabilities, Value) {
    let drawn = run.events_of("drawn");
    let distributions: Vec<[u32; 5]> = serde_json::from_value(drawn[0]["distributions"].clone()).unwrap();
    let probabilities: [f64; 5] = serde_json::from_value(drawn[0]["probabilities"].clone()).unwrap();
    (
        distributions.into_iter().map(Distribution).collect(),
        Probabilities::new(probabilities).unwrap(),
        drawn[0].clone(),
    )
}

#[test]
fn without_consensus_incomes_are_drawn_as_configured_and_told_so() {
    let probabilities =
        json!({ "high": 0.05, "medium_high": 0.1, "medium": 0.5, "medium_low": 0.25, "low": 0.1 });
    let words = Words::new(
        &quorate::procedures::justice::TEXTS,
        Language::English,
        &Default::default(),
    );
    let mut differing = 0;
    for seed in 0..8 {
        for mode in [
            "individual_distribution",
            "group_distribution",
            "random_principle",
        ] {
            let changes = json!({
                "phase2_rounds": 1, "seed": seed, "income_class_probabilities": probabilities,
                "phase2_settings": { "no_consensus": mode },
            });
            let run = run(&config(4, &changes), |call| says(plain(call)));
            let result = run.result();
            assert_eq!(result["consensus_reached"], false);
            assert_eq!(result["chosen_principle"], Value::Null);
            let (distributions, odds, event) = drawn(&run);
            assert_eq!(event["no_consensus"], mode);
            let mut assigned: Vec<u64> = run
                .events_of("paid")
                .iter()
                .map(|paid| paid["distribution"].as_u64().unwrap())
                .collect();
            for (paid, name) in run.events_of("paid").iter().zip(NAMES) {
                assert_eq!(paid["seat"], name);
                let class = ["high", "medium_high", "medium", "medium_low", "low"]
                    .iter()
                    .position(|class| paid["class"] == **class)
                    .unwrap();
                let income = distributions[paid["distribution"].as_u64().unwrap() as usize - 1].0[class];
                assert_eq!(paid["income"], income);
                assert_eq!(text(paid, "type"), "paid");
            }
            let first = assigned[0];
            assigned.dedup();
            match mode {
                "individual_distribution" => {
                    differing += u32::from(assigned.len() > 1);
                    assert_eq!(event["distribution"], Value::Null);
                }
                "group_distribution" => {
                    assert_eq!(assigned, [first]);
                    assert_eq!(event["distribution"], first);
                }
                _ => {
                    assert_eq!(assigned, [first]);
                    let index = places(
                        &run,
                        |what| matches!(what, EntryKind::Drew { purpose, .. } if purpose == "principle"),
                    );
                    let EntryKind::Drew { value, .. } = run.record()[index[0]].what.clone() else {
                        panic!()
                    };
                    let principle = Principle::ALL[value.value().as_u64().unwrap() as usize];
                    let amount = median_constraint(&distributions, principle);
                    let picked = apply(&distributions, principle, amount, Some(&odds)).unwrap();
                    assert_eq!(picked.index as u64 + 1, first);
                }
            }
            // The reasoning before and the notice after say the same mode, and no other.
            let about = |key: &str| {
                let text = words.raw(key).to_owned();
                text.split('{').next().unwrap().to_owned()
            };
            let notices: Vec<&Call> = run
                .calls
                .iter()
                .filter(|call| call.ask.id.contains("memory_update/results/"))
                .collect();
            assert_eq!(notices.len(), 4);
            let reasonings: Vec<&Call> = run
                .calls
                .iter()
                .filter(|call| call.ask.kind == asks::INTERNAL_REASONING)
                .collect();
            assert_eq!(reasonings.len(), 4);
            for other in [
                "individual_distribution",
                "group_distribution",
                "random_principle",
            ] {
                let before = words
                    .raw(&format!("justice.no_consensus.{other}.rule"))
                    .to_owned();
                let after = about(&format!("justice.no_consensus.{other}.result"));
                for (calls, text) in [(&reasonings, before), (&notices, after)] {
                    for call in calls {
                        assert_eq!(words_of(call).contains(&text), other == mode, "{mode}: {text}");
                    }
                }
            }
        }
    }
    assert!(differing >= 7, "everybody got the same distribution");
}

/// Counts of participants' calls by kind, against the table of call counts: `first` is the place of
/// the first yes, `amounts` how many vote for a principle that needs an amount.
#[test]
fn the_number_of_calls_is_as_the_table_says() {
    for n in [2, 3, 5, 8] {
        for first in 1..=n {
            for amounts in 0..=n {
                let run = run(&config(n, &json!({ "phase2_rounds": 1 })), |call| {
                    let place = NAMES.iter().position(|name| *name == call.ask.seat).unwrap();
                    match call.ask.kind.name() {
                        asks::VOTE_INITIATION => says(if place + 1 == first { "1" } else { "0" }),
                        asks::BALLOT_PRINCIPLE => says(if place < amounts { "3" } else { "1" }),
                        _ => says(plain(call)),
                    }
                });
                let counted =
                    |kinds: &[&'static str]| kinds.iter().map(|kind| run.count(kind)).sum::<usize>();
                let phase1 = [
                    asks::INITIAL_RANKING,
                    asks::EXPLANATION,
                    asks::POST_EXPLANATION_RANKING,
                    asks::APPLICATION,
                    asks::CONSTRAINT_RETRY,
                    asks::FINAL_RANKING,
                ];
                let of = format!("n = {n}, i = {first}, k = {amounts}");
                assert_eq!(counted(&phase1), 8 * n, "{of}");
                assert_eq!(run.count(asks::INTERNAL_REASONING), n, "{of}");
                assert_eq!(run.count(asks::STATEMENT), n, "{of}");
                assert_eq!(run.count(asks::VOTE_INITIATION), first, "{of}");
                assert_eq!(run.count(asks::VOTE_CONFIRMATION), n, "{of}");
                assert_eq!(
                    counted(&[asks::BALLOT_PRINCIPLE, asks::BALLOT_AMOUNT]),
                    n + amounts,
                    "{of}"
                );
                let attempt = first + n + n + amounts;
                assert!((2 * n + 1..=4 * n).contains(&attempt));
                assert_eq!(run.count(asks::RESULTS_RANKING), n, "{of}");
                // Memory: after each of the 8 steps of phase 1, after the ballot, after the results.
                assert_eq!(run.count(asks::MEMORY_UPDATE), 8 * n + n + n, "{of}");
                let participants = 8 * n + 2 * n + attempt + n;
                assert_eq!(run.calls.len(), participants + 10 * n, "{of}");
                assert_eq!(run.session.usage().calls as usize, run.calls.len());
            }
        }
    }
}
