//! Recorded runs of the published program, replayed from their seeds: speaking orders, classes and
//! alternatives of phase 1, and the multiplier, classes and payoffs of phase 2 must all come out.
//! Looks in `QUORATE_GOLDEN`, by default `../shared/golden`; without the folder it says so and passes.

use crate::support;
use quorate::core::random::{Random, participant_seed};
use quorate::principle::Principle;
use quorate::procedures::justice::apply::{Assignment, apply};
use quorate::procedures::justice::counterfactual::random_alternatives;
use quorate::procedures::justice::distribution::{DistributionSet, IncomeClass, Probabilities, Situation};
use quorate::procedures::justice::order::speaking_order;
use quorate::procedures::justice::settings::OrderRule;
use serde::Deserialize;

#[derive(Deserialize)]
struct Row {
    id: String,
    input: Input,
    expected: Outcome,
}

#[derive(Deserialize)]
struct Input {
    seed: u32,
    agents: usize,
    rounds: u32,
    strategy: String,
    range_phase1: (f64, f64),
    range_phase2: (f64, f64),
    probabilities: Option<Probabilities>,
    original_values: bool,
    consensus: bool,
    principle: Option<Principle>,
    constraint: Option<u32>,
}

#[derive(Debug, PartialEq, Deserialize)]
struct Outcome {
    orders: Vec<Vec<usize>>,
    phase1_classes: Vec<[IncomeClass; 4]>,
    phase1_alternatives: Vec<[Vec<f64>; 4]>,
    multiplier: f64,
    assigned: Vec<Assigned>,
}

#[derive(Debug, PartialEq, Deserialize)]
struct Assigned {
    class: IncomeClass,
    payoff: f64,
    distribution: usize,
}

/// Phase 1 of one participant, from its own stream. A round's draws: the multiplier, unless the
/// original tables are used; the class; four classes by principle; four by distribution.
fn phase1(input: &Input, index: usize) -> ([IncomeClass; 4], [Vec<f64>; 4]) {
    let mut random = Random::new(participant_seed(input.seed, index));
    let mut classes = [IncomeClass::High; 4];
    let mut alternatives = [const { Vec::new() }; 4];
    for round in 0..4 {
        let (set, odds) = if input.original_values {
            let situation = Situation::of_round(round as u32 + 1).unwrap();
            (situation.set(), Some(situation.probabilities()))
        } else {
            let (lo, hi) = input.range_phase1;
            (DistributionSet::drawn(lo, hi, &mut random), input.probabilities)
        };
        // What was chosen decides the income, not the class, and no draw.
        classes[round] = Assignment::drawn(&set.distributions[0], odds.as_ref(), &mut random).class;
        let drawn = random_alternatives(&set.distributions, None, odds.as_ref(), &mut random);
        alternatives[round] = drawn.by_distribution;
    }
    (classes, alternatives)
}

/// The whole run, from its seed and what the participants decided.
fn replay(input: &Input) -> Outcome {
    let (phase1_classes, phase1_alternatives) = (0..input.agents).map(|index| phase1(input, index)).unzip();
    assert_eq!(input.strategy, "random");
    let mut random = Random::new(input.seed);
    let mut orders: Vec<Vec<usize>> = Vec::new();
    for round in 1..=input.rounds {
        let previous = orders.last().map(Vec::as_slice);
        orders.push(speaking_order(
            round,
            input.agents,
            &OrderRule::CompatRandom,
            previous,
            &mut random,
        ));
    }
    let (lo, hi) = input.range_phase2;
    let set = DistributionSet::drawn(lo, hi, &mut random);
    let odds = input.probabilities.as_ref();
    let assign = |_| {
        let index = if input.consensus {
            apply(
                &set.distributions,
                input.principle.unwrap(),
                input.constraint,
                odds,
            )
            .unwrap()
            .index
        } else {
            random.choice(4)
        };
        let got = Assignment::drawn(&set.distributions[index], odds, &mut random);
        Assigned {
            class: got.class,
            payoff: got.payoff,
            distribution: index + 1,
        }
    };
    let assigned = (0..input.agents).map(assign).collect();
    Outcome {
        orders,
        phase1_classes,
        phase1_alternatives,
        multiplier: set.multiplier,
        assigned,
    }
}

/// One line. The multiplier is read by the standard library, because `serde_json` without its
/// `float_roundtrip` feature is off by one in the last binary place for some numbers.
fn row(line: &str) -> Row {
    let mut row: Row = serde_json::from_str(line).unwrap();
    let (_, rest) = line.split_once("\"multiplier\": ").unwrap();
    let (digits, _) = rest.split_once([',', '}']).unwrap();
    row.expected.multiplier = digits.parse().unwrap();
    row
}

#[test]
fn every_recorded_run_comes_out_of_its_seed() {
    let Some(lines) = support::golden_lines("justice-recorded_runs.jsonl") else {
        return;
    };
    let rows: Vec<Row> = lines.iter().map(|line| row(line)).collect();
    assert!(!rows.is_empty());
    let differing: Vec<&str> = rows
        .iter()
        .filter(|row| replay(&row.input) != row.expected)
        .map(|row| row.id.as_str())
        .collect();
    eprintln!(
        "replay_run: {} of {} exactly",
        rows.len() - differing.len(),
        rows.len()
    );
    assert!(differing.is_empty(), "differ: {}", differing.join(", "));
}
