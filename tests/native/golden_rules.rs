//! The rules against the golden answers of the justice experiment, in both profiles where they
//! differ. Looks in `QUORATE_GOLDEN`, by default `../shared/golden`; without the folder it says so
//! and passes. Rows that are debatable are left out.

use crate::support;
use quorate::core::random::{Random, participant_seed};
use quorate::language::{Language, format};
use quorate::principle::{Principle, Ranking};
use quorate::procedures::justice::apply::{Assignment, apply, payoff};
use quorate::procedures::justice::consensus::{ConsensusRule, Vote, detect_consensus};
use quorate::procedures::justice::counterfactual::{
    Alternative, constraint_sweep, fixed_class, random_by_distribution, random_by_principle,
};
use quorate::procedures::justice::distribution::{Distribution, DistributionSet, IncomeClass, Probabilities};
use quorate::procedures::justice::event::VoteStatus;
use quorate::procedures::justice::history::{
    HistoryEntry, sanitize_memory, strip_emphasis, trim_history, trim_tail, truncate, truncate_with_suffix,
    validate_statement,
};
use quorate::procedures::justice::order::{keep_from_opening, speaking_order};
use quorate::procedures::justice::popularity::least_popular;
use quorate::procedures::justice::settings::OrderRule;
use serde_json::{Value, json};

/// One row, with the answers that the two profiles should give.
struct Row {
    id: String,
    function: String,
    language: Option<Language>,
    input: Value,
    /// What the published program answers.
    expected: Value,
    /// What the default profile should answer.
    recommended: Value,
    wrong: bool,
}

/// What a check says about a row.
type Checked = Result<(), String>;

fn rows(file: &str) -> Option<Vec<Row>> {
    let rows = support::golden(file);
    if rows.is_empty() {
        return None;
    }
    let rows = rows.into_iter().map(|mut row| Row {
        id: row["id"].as_str().unwrap().to_owned(),
        function: row["fn"].as_str().unwrap().to_owned(),
        language: row["lang"].as_str().and_then(Language::from_name),
        wrong: row["verdict"] == "upstream_wrong",
        recommended: row.get("recommended").unwrap_or(&row["expected"]).clone(),
        input: row["input"].take(),
        expected: row["expected"].take(),
    });
    Some(rows.collect())
}

/// Runs a check over the rows of some functions, prints the counts, and fails with every miss.
/// `check` gives `None` for a row that our types cannot express.
fn run(file: &str, functions: &[&str], check: impl Fn(&Row) -> Option<Checked>) {
    let Some(rows) = rows(file) else { return };
    let mut misses = Vec::new();
    for function in functions {
        let (mut right, mut all, mut left_out) = (0, 0, 0);
        for row in rows.iter().filter(|row| row.function == *function) {
            match check(row) {
                None => left_out += 1,
                Some(Ok(())) => (right, all) = (right + 1, all + 1),
                Some(Err(miss)) => {
                    all += 1;
                    misses.push(format!("{} {function}: {miss}", row.id));
                }
            }
        }
        eprintln!("{function}: {right} of {all}, {left_out} left out");
        assert!(all > 0, "no rows of {function}");
    }
    assert!(misses.is_empty(), "{}", misses.join("\n"));
}

fn same(got: Value, expected: &Value) -> Option<Checked> {
    // 1 and 1.0 are the same number here.
    fn plain(value: &Value) -> Value {
        match value {
            Value::Number(number) => json!(number.as_f64()),
            Value::Array(list) => list.iter().map(plain).collect(),
            Value::Object(map) => map.iter().map(|(k, v)| (k.clone(), plain(v))).collect(),
            other => other.clone(),
        }
    }
    // Our numbers take the same way through text as the expected ones, because `serde_json` without
    // its `float_roundtrip` feature reads some numbers off by one in the last binary place.
    let got: Value = serde_json::from_str(&got.to_string()).unwrap();
    let equal = plain(&got) == plain(expected);
    Some(if equal {
        Ok(())
    } else {
        Err(format!("{got} instead of {expected}"))
    })
}

fn read<T: serde::de::DeserializeOwned>(value: &Value) -> T {
    serde_json::from_value(value.clone()).unwrap()
}

fn number(value: &Value) -> usize {
    value.as_u64().unwrap() as usize
}

fn distributions(row: &Row) -> Vec<Distribution> {
    read(&row.input["distributions"])
}

fn probabilities(row: &Row) -> Option<Probabilities> {
    read(&row.input["probabilities"])
}

fn seeded(row: &Row) -> Random {
    Random::new(number(&row.input["seed"]) as u32)
}

#[test]
fn principle_application() {
    let file = "justice-principle_application.jsonl";
    run(file, &["apply_principle"], |row| {
        let amount = row.input["constraint"].as_i64();
        if amount.is_some_and(|amount| amount < 0) {
            return None;
        }
        let list = distributions(row);
        let odds = probabilities(row);
        let principle = read(&row.input["principle"]);
        let applied = apply(
            &list,
            principle,
            amount.map(|amount| amount as u32),
            odds.as_ref(),
        );
        let got = match applied {
            Err(error) => json!({"error": format!("{error:?}")}),
            Ok(applied) => {
                let picked = &list[applied.index];
                let payoffs = IncomeClass::ALL.map(|c| (c.id().to_owned(), json!(payoff(picked.income(c)))));
                json!({
                    "distribution": applied.index + 1,
                    "payoffs": Value::Object(payoffs.into_iter().collect()),
                    // The golden averages are rounded to six decimals.
                    "average": (picked.mean(odds.as_ref()) * 1e6).round() / 1e6,
                    "constraint_met": applied.constraint_met,
                })
            }
        };
        same(got, &row.recommended)
    });
    run(file, &["payoff_from_income"], |row| {
        same(json!(payoff(number(&row.input["income"]) as u32)), &row.expected)
    });
    run(file, &["counterfactual_fixed_class"], |row| {
        let lines = fixed_class(
            &distributions(row),
            read(&row.input["class"]),
            probabilities(row).as_ref(),
            None,
        );
        let pairs = lines
            .iter()
            .map(|line| (line.principle.id().to_owned(), json!(line.payoff)));
        same(Value::Object(pairs.collect()), &row.expected)
    });
    run(file, &["constraint_sweep"], |row| {
        let class = read(&row.input["class"]);
        let lines = constraint_sweep(&distributions(row), class, probabilities(row).as_ref(), None);
        let line = |l: &Alternative| json!([l.principle, l.amount, l.distribution + 1, l.income, l.payoff]);
        same(lines.iter().map(line).collect(), &row.expected)
    });
}

#[test]
fn consensus() {
    let votes = |row: &Row| -> Vec<Vote> {
        let pairs: Vec<(u8, Option<u32>)> = read(&row.input);
        let vote = |(number, amount)| Vote {
            status: VoteStatus::Valid,
            principle: Principle::from_number(number),
            amount,
        };
        pairs.into_iter().map(vote).collect()
    };
    let file = "justice-consensus.jsonl";
    run(file, &["detect_consensus"], |row| {
        let outcome = detect_consensus(&votes(row), ConsensusRule::Strict);
        let counts = outcome
            .counts
            .iter()
            .map(|count| (count.key(), json!(count.votes)));
        let got = json!({
            "consensus": outcome.agreed.is_some(),
            "principle": outcome.agreed.map(|agreed| agreed.principle),
            "constraint": outcome.agreed.and_then(|agreed| agreed.amount),
            "counts": Value::Object(counts.collect()),
            "disagreement": outcome.disagreement.map(|disagreement| disagreement.summary()),
        });
        same(got, &row.recommended)
    });
    run(file, &["check_ballot_consensus"], |row| {
        let agreed = detect_consensus(&votes(row), ConsensusRule::Strict).agreed;
        let got = json!([agreed.is_some(), agreed.and_then(|agreed| agreed.amount)]);
        same(
            got,
            &json!([row.expected["consensus"], row.expected["constraint"]]),
        )
    });
}

/// A text of the golden files: a string, or a character repeated.
fn text(value: &Value) -> String {
    match value.as_str() {
        Some(text) => text.to_owned(),
        None => value["repeat"].as_str().unwrap().repeat(number(&value["n"])),
    }
}

#[test]
fn truncation() {
    let file = "justice-truncation.jsonl";
    run(file, &["truncate_with_suffix"], |row| {
        let suffix = row.input["suffix"].as_str().unwrap();
        let got = truncate_with_suffix(&text(&row.input["content"]), number(&row.input["target"]), suffix);
        same(json!(got), &row.expected)
    });
    run(
        file,
        &["truncate_statement_seed", "truncate_reasoning_seed"],
        |row| {
            let content = text(&row.input["content"]);
            let max = number(&row.input["max"]);
            let got = truncate(&content, max);
            let cut = got != content;
            // The algorithm behind these rows gives three characters too many. One row of that kind
            // (0043: 303 in, 303 out, so that nothing seems cut) is not marked as wrong.
            let limited = json!({"length": max, "ellipsis": true});
            let over = number(&row.recommended["length"]) > max;
            same(
                json!({"length": got.chars().count(), "ellipsis": cut && got.ends_with("...")}),
                if over { &limited } else { &row.recommended },
            )
        },
    );
    run(file, &["truncate_history"], |row| {
        let letters = ('a'..='z').cycle().take(number(&row.input["chars"]));
        let content: String = letters.collect();
        let limit = number(&row.input["limit"]);
        let marker = row.expected["prefix"].as_str().unwrap_or("unused");
        let got = trim_tail(&content, limit, marker);
        let kept = got
            .strip_prefix(marker)
            .map_or(got.as_str(), |rest| rest.trim_start_matches('\n'));
        let truncated = got != content;
        same(
            json!({
                "length": got.chars().count(),
                "truncated": truncated,
                "prefix": truncated.then_some(marker),
                "kept": kept.chars().count(),
                "last10": &got[got.len() - 10..],
            }),
            &row.expected,
        )
    });
    run(file, &["truncate_history_fifo_seed"], |row| {
        let lengths: Vec<usize> = read(&row.input["statement_lengths"]);
        let mut history: Vec<HistoryEntry> = lengths
            .iter()
            .map(|&n| HistoryEntry::statement(1, "A", &"x".repeat(n)))
            .collect();
        trim_history(&mut history, number(&row.input["max"]));
        same(
            history.iter().map(|entry| json!(entry.character_count)).collect(),
            &row.expected,
        )
    });
    run(file, &["strip_emphasis"], |row| {
        same(json!(strip_emphasis(&text(&row.input))), &row.expected)
    });
    run(file, &["sanitize_memory"], |row| {
        same(
            json!(sanitize_memory(row.input.as_str().unwrap_or_default())),
            &row.expected,
        )
    });
    // The minimum is a setting; what is checked is the measuring. `recommended` knows the shorter
    // minimum for Mandarin, `expected` is the published program's.
    for answer in [
        |row: &Row| row.recommended.clone(),
        |row: &Row| row.expected.clone(),
    ] {
        run(file, &["validate_statement"], |row| {
            let minimum = number(&answer(row)["min"]);
            let valid = validate_statement(&text(&row.input["statement"]), minimum).is_ok();
            same(json!(valid), &answer(row)["valid"])
        });
    }
    run(file, &["validate_statement_seed"], |row| {
        let valid = validate_statement(&text(&row.input["statement"]), number(&row.input["min"])).is_ok();
        same(json!(valid), &row.expected["valid_raw_length"])
    });
}

#[test]
fn draws() {
    let file = "justice-rng_and_distributions.jsonl";
    run(
        file,
        &["mt_random", "mt_uniform", "mt_choice4", "mt_choices_weighted"],
        |row| {
            let mut random = seeded(row);
            let draw = |_| match row.function.as_str() {
                "mt_random" => json!(random.random()),
                "mt_uniform" => {
                    json!(random.uniform(read(&row.input["lo"]), read(&row.input["hi"])))
                }
                "mt_choice4" => json!(random.choice(4)),
                _ => json!(random.weighted(&read::<Vec<f64>>(&row.input["weights"]))),
            };
            same((0..number(&row.input["n"])).map(draw).collect(), &row.expected)
        },
    );
    run(file, &["mt_shuffle"], |row| {
        let mut random = seeded(row);
        let shuffled = |_| {
            let mut items: Vec<usize> = (0..number(&row.input["n"])).collect();
            random.shuffle(&mut items);
            json!(items)
        };
        same(
            (0..number(&row.input["times"])).map(shuffled).collect(),
            &row.expected,
        )
    });
    run(file, &["participant_seeds"], |row| {
        let seed = number(&row.input["seed"]) as u32;
        same(
            (0..number(&row.input["n"]))
                .map(|i| json!(participant_seed(seed, i)))
                .collect(),
            &row.expected,
        )
    });
    run(file, &["dynamic_distribution"], |row| {
        let (lo, hi): (f64, f64) = read(&row.input["range"]);
        same(
            serde_json::to_value(DistributionSet::drawn(lo, hi, &mut seeded(row))).unwrap(),
            &row.expected,
        )
    });
    run(file, &["assign_class"], |row| {
        let (mut random, odds) = (seeded(row), probabilities(row));
        let distribution: Distribution = read(&row.input["distribution"]);
        let draw = |_| {
            let got = Assignment::drawn(&distribution, odds.as_ref(), &mut random);
            json!([got.class, got.payoff])
        };
        same((0..number(&row.input["n"])).map(draw).collect(), &row.expected)
    });
    run(file, &["alternatives_by_distribution"], |row| {
        let payoffs =
            random_by_distribution(&distributions(row), probabilities(row).as_ref(), &mut seeded(row));
        let named = payoffs
            .iter()
            .enumerate()
            .map(|(i, p)| (format!("distribution_{}", i + 1), json!(p)));
        same(Value::Object(named.collect()), &row.expected)
    });
    run(file, &["alternatives_by_principle"], |row| {
        let amount = read(&row.input["constraint"]);
        let payoffs = random_by_principle(
            &distributions(row),
            amount,
            probabilities(row).as_ref(),
            &mut seeded(row),
        );
        let named = Principle::ALL
            .iter()
            .zip(payoffs)
            .map(|(p, payoff)| (p.id().to_owned(), json!(payoff)));
        same(Value::Object(named.collect()), &row.expected)
    });
}

#[test]
fn speaking_orders() {
    let file = "justice-rng_and_distributions.jsonl";
    let orders = |row: &Row, rule: OrderRule| {
        let mut random = seeded(row);
        let mut orders: Vec<Vec<usize>> = Vec::new();
        for round in 1..=number(&row.input["rounds"]) as u32 {
            let previous = orders.last().map(Vec::as_slice);
            orders.push(speaking_order(
                round,
                number(&row.input["n"]),
                &rule,
                previous,
                &mut random,
            ));
        }
        orders
    };
    run(file, &["speaking_order"], |row| {
        let strategy = row.input["strategy"].as_str().unwrap();
        let rule = match strategy {
            "random" if row.input["randomize"] == true => OrderRule::CompatRandom,
            "conversational" if row.input["randomize"] == true => OrderRule::CompatConversational,
            _ => OrderRule::CompatFixed,
        };
        same(json!(orders(row, rule)), &row.expected)
    });
    // The default has no golden orders of its own; it must keep its rule from the same seeds, also
    // where the published program breaks its own.
    run(file, &["speaking_order"], |row| {
        let orders = orders(row, OrderRule::FinisherNotLast);
        let kept = orders
            .windows(2)
            .all(|pair| pair[0].len() < 2 || pair[0].last() != pair[1].last());
        same(json!(kept), &json!(true))
    });
    run(file, &["finisher_restriction"], |row| {
        let mut order: Vec<usize> = read(&row.input["order"]);
        keep_from_opening(&mut order, number(&row.input["last"]));
        same(json!(order), &row.expected)
    });
}

#[test]
fn popularity() {
    // Default: places by rank. Compat: places as listed, so that the wrong rows come out as recorded.
    let answer = |row: &Row, by_rank: bool| -> Option<Value> {
        let mut rankings = Vec::new();
        for ranking in row.input["rankings"].as_array().unwrap() {
            if ranking["agent"] != row.input["manipulator"] {
                let order: Vec<Principle> = read(&ranking["order"]);
                let ranks: Vec<u8> = read(&ranking["ranks"]);
                let mut places: Vec<_> = ranks.into_iter().zip(order).collect();
                if by_rank {
                    places.sort_unstable();
                }
                let order: Vec<Principle> = places.into_iter().map(|(_, principle)| principle).collect();
                rankings.push(Ranking {
                    order: order.try_into().unwrap(),
                    certainty: None,
                });
            }
        }
        // An id that is no principle cannot get this far: it is an error of the configuration.
        let ids: Vec<String> = read(&row.input["tiebreak_order"]);
        let order: Option<Vec<Principle>> = ids.iter().map(|id| Principle::from_id(id)).collect();
        let got = least_popular(&rankings, &order?).ok()?;
        let mut tied = got.tied.clone();
        tied.sort_by_key(|principle| principle.id());
        let scores = got
            .scores
            .map(|score| (score.principle.id().to_owned(), json!(score.points)));
        Some(json!({
            "principle_scores": Value::Object(scores.into_iter().collect()),
            "least_popular_principle": got.least_popular,
            "tiebreak_applied": !got.tied.is_empty(),
            "tied_principles": tied,
        }))
    };
    let expected = |row: &Row| {
        let mut expected = row.expected.clone();
        if let Some(tied) = expected["tied_principles"].as_array_mut() {
            tied.sort_by_key(Value::to_string);
        }
        expected
    };
    let file = "justice-aggregation.jsonl";
    for by_rank in [false, true] {
        run(file, &["borda_least_popular"], |row| {
            match answer(row, by_rank) {
                None => same(json!("ValueError"), &row.expected["error"]),
                Some(got) if by_rank && row.wrong => {
                    // The one row listed against its ranks: both participants place principle 4 last.
                    same(
                        json!([got["least_popular_principle"], got["tiebreak_applied"]]),
                        &json!(["maximizing_average_range_constraint", false]),
                    )
                }
                Some(got) => same(got, &expected(row)),
            }
        });
    }
}

#[test]
fn formatting() {
    let file = "justice-formatting.jsonl";
    run(file, &["participant_list"], |row| {
        let names: Vec<String> = read(&row.input);
        same(
            json!(format::participant_list(row.language?, &names)),
            &row.expected,
        )
    });
    run(file, &["money2"], |row| {
        same(json!(format::money(read(&row.input))), &row.expected)
    });
    run(file, &["percent0"], |row| {
        same(json!(format::percent(read(&row.input))), &row.expected)
    });
    run(file, &["avg0", "avg_round_int"], |row| {
        same(json!(format::average(read(&row.input))), &row.expected)
    });
    run(file, &["format_alternatives"], |row| {
        let payoffs = row.input.as_object().unwrap();
        let pairs = payoffs
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_f64().unwrap()));
        same(json!(format::named_money(pairs)), &row.expected)
    });
}

#[test]
fn amounts() {
    let file = "justice-amount_format.jsonl";
    run(file, &["format_amount"], |row| {
        let value = u32::try_from(row.input["amount"].as_i64()?).ok()?;
        let plain = row.input["currency"] == false;
        let got = if plain {
            format::grouped(value.into())
        } else {
            format::amount(value)
        };
        same(json!(got), &row.expected)
    });
    run(file, &["format_range"], |row| {
        let (min, max) = (read(&row.input["min"]), read(&row.input["max"]));
        same(
            json!(format::amount_range(row.language?, min, max)),
            &row.expected,
        )
    });
    run(file, &["format_min", "format_max"], |row| {
        let of = if row.function == "format_min" {
            format::at_least
        } else {
            format::at_most
        };
        same(
            json!(of(row.language?, read(&row.input["amount"]))),
            &row.expected,
        )
    });
}
