//! The debate's rules against the measured answers of the program that the debate comes from. Rows with
//! `quirk` record its mistakes; of them only what our rules say instead is checked, in the modules' own
//! tests. Rows that the rules decide otherwise on purpose are left out here, each with its reason.

use crate::support;

use quorate::language::Language::English;
use quorate::memory::receipt::receipt_verdict;
use quorate::procedures::canonical::sha256_hex;
use quorate::procedures::debate::rules::breaker::{Breaker, Circuit};
use quorate::procedures::debate::rules::byzantine::{self, Byzantine, Stage};
use quorate::procedures::debate::rules::calibration::{self, Bias, Bucket, Calibration};
use quorate::procedures::debate::rules::consensus::{self, Mode, Rules, Ties, decide};
use quorate::procedures::debate::rules::elo::{self, Match, Ratings, Settings};
use quorate::procedures::debate::rules::judging::{self, PanelRule, PanelVote};
use quorate::procedures::debate::rules::stopping;
use quorate::procedures::debate::rules::tally::{self, Ballot, Cast, Counting, UserVote, Votes};
use quorate::procedures::debate::rules::team::{self, Candidate, TeamRules};
use quorate::procedures::debate::rules::topology::{self, Topology};
use quorate::procedures::debate::rules::weight::{self, EvidenceQuality, Factors};
use quorate::reading::alias::{Alias, alias, alias_by_text};
use quorate::reading::critique::{Prose, critique_with};
use quorate::reading::vote::assent;
use quorate::reading::{Reading, signals, vote};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// What a check finds: the answer to compare, or why a row is left out.
enum Checked {
    Got(Value),
    /// The answer, and what to compare it with instead of the row's own.
    Against(Value, Value),
    LeftOut(&'static str),
}
use Checked::{Against, Got, LeftOut};

fn same(got: &Value, wanted: &Value) -> bool {
    match (got, wanted) {
        (Value::Number(a), Value::Number(b)) => (a.as_f64().unwrap() - b.as_f64().unwrap()).abs() < 1e-9,
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| same(a, b)))
        }
        _ => got == wanted,
    }
}

/// From a row's input and expected answer.
type Check<'a> = &'a dyn Fn(&Value, &Value) -> Checked;

/// Runs the checks over a file; every row of the named functions has to hold, be a quirk or be left out.
fn run(file: &str, checks: &[(&str, Check<'_>)]) {
    let rows = support::golden(file);
    let mut misses = Vec::new();
    for (function, check) in checks {
        let (mut right, mut quirks, mut left_out) = (0, 0, Vec::new());
        let own = rows.iter().filter(|row| row["fn"] == *function);
        for row in own {
            if row.get("quirk").is_some() {
                quirks += 1;
                continue;
            }
            let (got, wanted) = match check(&row["input"], &row["expected"]) {
                LeftOut(why) => {
                    left_out.push(format!("{} ({why})", row["id"].as_str().unwrap()));
                    continue;
                }
                Got(got) => (got, row["expected"].clone()),
                Against(got, wanted) => (got, wanted),
            };
            if same(&got, &wanted) {
                right += 1;
            } else {
                misses.push(format!(
                    "{} {function}: got {got}, wanted {wanted}; {}",
                    row["id"], row["input"]
                ));
            }
        }
        println!(
            "{function}: {right} right, {quirks} quirks, left out: {}",
            left_out.join(", ")
        );
        assert!(
            rows.is_empty() || right + left_out.len() > 0,
            "no rows of {function}"
        );
    }
    assert!(misses.is_empty(), "{}", misses.join("\n"));
}

fn text<'a>(input: &'a Value, key: &str) -> &'a str {
    input[key].as_str().unwrap_or_default()
}
fn float(input: &Value, key: &str) -> f64 {
    input[key].as_f64().unwrap_or_default()
}
fn count(input: &Value, key: &str) -> usize {
    input[key].as_u64().unwrap_or_default() as usize
}
fn texts(list: &Value) -> Vec<String> {
    let items = list.as_array().map(Vec::as_slice).unwrap_or_default();
    items
        .iter()
        .map(|item| item.as_str().unwrap().to_owned())
        .collect()
}
fn numbers(object: &Value) -> BTreeMap<String, f64> {
    let fields = object.as_object().into_iter().flatten();
    fields
        .map(|(key, value)| (key.clone(), value.as_f64().unwrap()))
        .collect()
}
fn refs(names: &[String]) -> Vec<&str> {
    names.iter().map(String::as_str).collect()
}

#[test]
fn readers() {
    run(
        "debate-parse.jsonl",
        &[
            ("parse_vote", &|input, wanted| {
                // What was not said is `None` with us; the program had 0.5, true and "".
                let choice = text(wanted, "choice");
                let read = vote(text(input, "text"), English, &[choice]);
                let said = read.value();
                Got(json!({
                    "choice": said.and_then(|vote| vote.choice.clone()).unwrap_or_default(),
                    "confidence": said.and_then(|vote| vote.confidence).unwrap_or(0.5),
                    "continue": said.and_then(|vote| vote.go_on).unwrap_or(true),
                    "reasoning": said.map(|vote| vote.reasoning.clone()).unwrap_or_default(),
                }))
            }),
            ("parse_critique", &|input, wanted| {
                let read = critique_with(text(input, "text"), English, Prose::Halves);
                let Some(said) = read.value() else {
                    return LeftOut("an empty answer is unread, not an issue of its own");
                };
                // The text that the critique is of is not the reader's.
                let mut wanted = wanted.clone();
                wanted.as_object_mut().unwrap().remove("target_content_len");
                let got = json!({
                    "issues": said.issues,
                    "suggestions": said.suggestions,
                    "severity": said.severity.unwrap_or(5.0),
                    "reasoning_len": said.reasoning.chars().count(),
                });
                Against(got, wanted)
            }),
            ("empty_critique", &|input, _| {
                let said = quorate::reading::critique::Critique {
                    issues: texts(&input["issues"]),
                    suggestions: texts(&input["suggestions"]),
                    severity: None,
                    reasoning: String::new(),
                };
                if said.issues == ["Agent response was empty"] && said.suggestions.is_empty() {
                    return LeftOut("no placeholder ever stands for an answer here");
                }
                Got(json!(said.is_empty()))
            }),
            ("ready_signal", &|input, wanted| {
                let read = signals::ready(text(input, "text"));
                // A phrase has no confidence with us; the program gave it 0.7 and words of its own.
                let by_phrase = matches!(&read, Reading::Read { value, .. } if value.confidence.is_none());
                let said = read.value();
                let confidence = said.and_then(|said| said.confidence);
                let ready = said.is_some_and(|said| said.ready);
                let reasoning = said.map(|said| said.reasoning.clone()).unwrap_or_default();
                Got(json!({
                    "confidence": confidence.unwrap_or(if by_phrase { 0.7 } else { 0.5 }),
                    "ready": ready,
                    "reasoning": if by_phrase { text(wanted, "reasoning").to_owned() } else { reasoning },
                    "terminates": stopping::counts(ready, confidence),
                }))
            }),
            ("early_stop_poll", &|input, _| {
                let replies = texts(&input["replies"]);
                let answers: Vec<bool> = replies
                    .iter()
                    .filter_map(|text| signals::poll(text).value().copied())
                    .collect();
                let late = count(input, "round") >= count(input, "min_rounds");
                Got(json!({"continue": !(late && stopping::poll_stops(&answers, float(input, "threshold")))}))
            }),
            ("judge_termination_text", &|input, _| {
                let read = signals::settled(text(input, "text"), English);
                let settled = read.value().filter(|said| said.conclusive);
                let reason = settled.map(|said| said.reason.clone()).unwrap_or_default();
                Got(json!({"continue": settled.is_none(), "reason": reason}))
            }),
            ("judge_termination_json", &|input, wanted| {
                let read = signals::settled(text(input, "text"), English);
                let said = read.value().unwrap();
                let stop = stopping::counts(said.conclusive, said.confidence);
                // The words and names for why it goes on are ours.
                let wanted = json!({"stop": wanted["stop"], "confidence": wanted["confidence"]});
                Against(
                    json!({"stop": stop, "confidence": said.confidence.unwrap_or(0.5)}),
                    wanted,
                )
            }),
            ("ready_quorum", &|input, _| {
                let signals = input["signals"].as_array().unwrap();
                let ready = signals
                    .iter()
                    .filter(|sign| stopping::counts(sign[1] == true, sign[0].as_f64()));
                Got(json!(stopping::ready_quorum(ready.count(), signals.len())))
            }),
            ("phase_timeout", &|input, _| {
                Got(json!(stopping::phase_timeout(
                    count(input, "agents"),
                    float(input, "agent_timeout"),
                    count(input, "max_concurrent")
                )))
            }),
            ("judge_panel", &|input, _| {
                let votes: Vec<PanelVote> = input["votes"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|vote| PanelVote {
                        approves: (vote[0] != "abstain").then(|| vote[0] == "approve"),
                        confidence: vote[1].as_f64().unwrap(),
                        weight: vote[2].as_f64().unwrap(),
                    })
                    .collect();
                let rule: PanelRule = serde_json::from_value(input["strategy"].clone()).unwrap();
                Got(json!(judging::panel(&votes, rule)))
            }),
            ("judge_composite", &|input, _| {
                let score = calibration::score(
                    count(input, "calibration_total") as u32,
                    float(input, "brier_sum"),
                );
                let composite = judging::composite(float(input, "elo"), score);
                Got(json!({"composite": composite, "calibration_weight": 0.5 + score}))
            }),
        ],
    );
}

fn cast(choice: &str) -> Cast {
    match choice {
        "__ERR__" => Cast::Failed,
        name => Cast::For(name.to_owned()),
    }
}

/// Ballots of `[voter, choice, confidence?]`.
fn ballots(votes: &Value) -> Vec<Ballot> {
    let votes = votes.as_array().unwrap().iter();
    let ballots = votes.map(|vote| Ballot {
        voter: vote[0].as_str().unwrap().to_owned(),
        cast: cast(vote[1].as_str().unwrap()),
        confidence: vote[2].as_f64(),
    });
    ballots.collect()
}

fn mode(name: &str) -> Mode {
    serde_json::from_value(json!(name)).unwrap_or(Mode::None)
}

/// A decision beside what a row says of it.
fn decided(input: &Value, wanted: &Value) -> Checked {
    let agents = texts(&input["agents"]);
    let proposers: Vec<String> = agents
        .iter()
        .filter(|name| input["proposals"].get(name).is_some())
        .cloned()
        .collect();
    let users: Vec<UserVote> = input["user_votes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|vote| UserVote {
            choice: text(vote, "choice").to_owned(),
            intensity: vote["intensity"].as_f64().unwrap_or(5.0),
        })
        .collect();
    let mode = mode(text(input, "mode"));
    let ballots = ballots(&input["votes"]);
    let votes = Votes {
        voters: &agents,
        proposers: &proposers,
        ballots: &ballots,
        weights: numbers(&input["weights"]),
        user_votes: &users,
        bonuses: BTreeMap::new(),
    };
    let rules = Rules {
        mode,
        threshold: float(input, "threshold"),
        ..Rules::default()
    };
    let decision = decide(&votes, &rules, &Ties::default(), None);
    let proposal = |name: &String| text(&input["proposals"], name).to_owned();
    let is_one_text =
        decision.winner.is_some() || decision.status == consensus::DecisionStatus::InsufficientParticipation;
    let answer = decision.answer(&proposers).map(&proposal);
    let dissents: Vec<String> = decision
        .others
        .iter()
        .map(|name| format!("[{name}]: {}", proposal(name)))
        .collect();
    let rows: BTreeMap<String, f64> = decision
        .tally
        .rows
        .iter()
        .map(|row| (row.choice.clone(), row.weight))
        .collect();
    // In unanimity and without a decision the program joined all proposals in words of its own, and gave
    // no variance; its strength is that of A30's mistake 7; a mode without a decision counted nothing.
    let variance = if mode == Mode::Unanimous {
        0.0
    } else {
        decision.variance
    };
    let tally = if mode == Mode::None {
        json!({})
    } else {
        json!(rows)
    };
    let got = json!({
        "reached": decision.reached(),
        "confidence": decision.confidence,
        "winner": decision.winner,
        "final_answer": if is_one_text { json!(answer) } else { Value::Null },
        "variance": if mode == Mode::None { 0.0 } else { variance },
        "tally": tally,
        "dissenting": dissents,
        "is_short": decision.status == consensus::DecisionStatus::InsufficientParticipation,
    });
    let short = wanted["status"] == "insufficient_participation";
    let wanted = json!({
        "reached": wanted["reached"],
        "confidence": wanted["confidence"],
        "winner": wanted["winner"],
        "final_answer": if is_one_text { wanted["final_answer"].clone() } else { Value::Null },
        "variance": wanted["variance"],
        "tally": wanted["tally"],
        "dissenting": wanted["dissenting"],
        "is_short": short,
    });
    Against(got, wanted)
}

fn jaccard(one: &str, other: &str) -> f64 {
    let words = |text: &str| {
        text.to_lowercase()
            .split_whitespace()
            .map(str::to_owned)
            .collect::<std::collections::BTreeSet<_>>()
    };
    let (one, other) = (words(one), words(other));
    one.intersection(&other).count() as f64 / one.union(&other).count().max(1) as f64
}

/// What a name means among agents; the name itself where it means nothing.
fn resolved(input: &Value, proposals: &Value) -> Checked {
    let agents = texts(&input["agents"]);
    let said = text(input, "choice");
    let found = match alias(said, &refs(&agents)) {
        Alias::Unknown if proposals.is_object() => {
            let of = |name: &String| text(proposals, name).to_owned();
            let texts: Vec<String> = agents.iter().map(of).collect();
            alias_by_text(said, &refs(&texts))
        }
        found => found,
    };
    match found {
        Alias::One(at) => Got(json!(agents[at])),
        Alias::Unknown | Alias::Several | Alias::Abstains => Got(json!(said)),
    }
}

#[test]
fn votes() {
    run(
        "debate-consensus.jsonl",
        &[
            ("consensus", &decided),
            ("user_vote_multiplier", &|input, _| {
                Got(json!(weight::user_multiplier(float(input, "intensity"))))
            }),
            ("required_participation", &|input, _| {
                Got(json!(tally::required_participation(
                    count(input, "agents"),
                    float(input, "min_ratio"),
                    count(input, "min_count")
                )))
            }),
            ("normalize_choice", &|input, _| match text(input, "choice") {
                "g" => LeftOut("a prefix has three characters at least"),
                "gptx" => LeftOut("it could be two of them"),
                "Proposal from ann" => LeftOut("it is ann's, as the other reader of the program has it"),
                _ => resolved(input, &Value::Null),
            }),
            ("normalize_choice_alt", &|input, _| {
                resolved(input, &input["proposals"])
            }),
            ("vote_groups", &|input, _| {
                let choices = texts(&input["choices"]);
                Got(json!(tally::groups(
                    &refs(&choices),
                    float(input, "threshold"),
                    jaccard,
                    |_, _| false
                )))
            }),
            ("consensus_strength", &|input, wanted| {
                // The variance is a figure here, and no measure of strength.
                let counts: Vec<f64> = numbers(&input["counts"]).into_values().collect();
                Against(json!(tally::variance(&counts)), wanted["variance"].clone())
            }),
            ("simple_winner", &|input, _| {
                let ballots = ballots(&input["votes"]);
                let voters: Vec<String> = ballots.iter().map(|ballot| ballot.voter.clone()).collect();
                let proposers = vec!["x".to_owned(), "y".to_owned()];
                let votes = Votes {
                    voters: &voters,
                    proposers: &proposers,
                    ballots: &ballots,
                    ..Votes::default()
                };
                let rules = Rules {
                    mode: Mode::Majority,
                    ..Rules::default()
                };
                let decision = decide(&votes, &rules, &Ties::default(), None);
                Got(json!(decision.winner.clone().filter(|_| decision.reached())))
            }),
            ("engine_weight", &|input, _| {
                let factors = [
                    ("reputation", 1.0),
                    ("reliability", 1.0),
                    ("consistency", 0.5),
                    ("calibration", 1.0),
                ];
                let factors = factors.map(|(name, part)| (input[name].as_f64().unwrap_or(1.0), part));
                Got(json!(weight::product(
                    factors,
                    (float(input, "min"), float(input, "max"))
                )))
            }),
            ("phase_weight", &|input, _| {
                let total = count(input, "calibration_total") as u32;
                if total < weight::LEAST_PREDICTIONS {
                    return LeftOut("who is new weighs no less than who has no rating (A30, 15)");
                }
                let score = calibration::score(total, float(input, "brier_sum"));
                let factors = Factors {
                    reputation: input["reputation"].as_f64().unwrap_or(1.0),
                    reliability: input["reliability"].as_f64().unwrap_or(1.0),
                    consistency: input["consistency"].as_f64().map_or(1.0, weight::consistency),
                    calibration: weight::calibration(score, total),
                    elo_skill: weight::elo_skill(float(input, "elo")),
                    ..Factors::default()
                };
                Got(json!({"weight": factors.weight(), "factors": {
                    "reputation": factors.reputation,
                    "reliability": factors.reliability,
                    "consistency": factors.consistency,
                    "calibration": factors.calibration,
                    "elo_skill": factors.elo_skill,
                }}))
            }),
            ("is_self_vote", &|input, _| {
                Got(json!(weight::is_self_vote(
                    text(input, "agent"),
                    text(input, "choice")
                )))
            }),
            ("verbosity_factor", &|input, _| {
                Got(json!(weight::verbosity(count(input, "length"), 1000)))
            }),
            ("clear_majority_early_stop", &|input, _| {
                // Ours stops where nothing can change any more; these rows agree.
                let choices = texts(&input["choices_so_far"]);
                let choices = refs(&choices);
                let leader = stopping::settled_leader(&choices, count(input, "agents"), 0.6);
                Got(json!({"stop": leader.is_some(), "leader": leader}))
            }),
            ("adaptive_threshold", &|input, _| {
                let briers: Vec<f64> = input["briers"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .filter_map(Value::as_f64)
                    .collect();
                Got(json!(consensus::adaptive_threshold(
                    &briers,
                    float(input, "base")
                )))
            }),
            ("byzantine_quorum", &|input, _| {
                let (f, quorum) = byzantine::quorum(count(input, "n"));
                Got(json!({"f": f, "quorum": quorum}))
            }),
            ("byzantine_agreement", &|input, _| {
                // What cannot be read is no agreement.
                Got(json!(
                    assent(text(input, "text"), English)
                        .value()
                        .copied()
                        .unwrap_or(false)
                ))
            }),
            ("byzantine_run", &|input, _| {
                let mut run =
                    Byzantine::begin(vec!["a".to_owned(), "b".to_owned()], count(input, "n"), 3).unwrap();
                while matches!(run.stage, Stage::Prepare | Stage::Commit) {
                    run.answer(count(input, "yes"));
                }
                let verdict = run.verdict();
                Got(json!({
                    "success": verdict.is_some(),
                    "confidence": verdict.map_or(0.0, |verdict| verdict.confidence),
                    "commits": run.commits,
                    "view": run.view,
                }))
            }),
            ("evidence_citation_bonus", &|input, _| {
                let known = texts(&input["evidence"]);
                let cited = weight::cited(text(input, "reasoning"), &refs(&known));
                let qualities = vec![EvidenceQuality::default(); cited.len()];
                let bonus = weight::citation_bonus(&qualities, float(input, "bonus"));
                Got(json!(float(input, "count_before") + bonus))
            }),
            ("epistemic_hygiene", &|input, wanted| {
                // What a text lacks is found elsewhere; the price of it is checked.
                let missing = wanted["missing"].as_array().unwrap().len();
                let penalty = weight::hygiene_penalty(missing, 4, float(input, "penalty"));
                Against(json!(penalty), wanted["penalty"].clone())
            }),
            ("standalone_confidence_weighted", &|input, wanted| {
                let agents: Vec<String> = ["a", "b", "c"].map(str::to_owned).to_vec();
                let ballots = ballots(&input["votes"]);
                let votes = Votes {
                    voters: &agents,
                    proposers: &agents,
                    ballots: &ballots,
                    ..Votes::default()
                };
                let rules = Rules {
                    mode: mode(text(input, "method")),
                    threshold: float(input, "threshold"),
                    counting: Counting {
                        by_confidence: true,
                        ..Counting::default()
                    },
                    ..Rules::default()
                };
                let decision = decide(&votes, &rules, &Ties::default(), None);
                // There, the sides are those of voters.
                let winner = decision.winner.clone().unwrap_or_default();
                let for_it = |name: &&String| {
                    ballots
                        .iter()
                        .any(|ballot| ballot.voter == **name && ballot.cast == cast(&winner))
                };
                let supporting: Vec<&String> = agents.iter().filter(for_it).collect();
                let dissenting: Vec<&String> = agents.iter().filter(|name| !for_it(name)).collect();
                Against(
                    json!({"reached": decision.reached(), "confidence": decision.confidence, "supporting": supporting, "dissenting": dissenting}),
                    wanted.clone(),
                )
            }),
        ],
    );
}

fn a_match(input: &Value, names: &[String]) -> Match {
    Match {
        debate: text(input, "debate_id").to_owned(),
        scores: names
            .iter()
            .map(|name| (name.clone(), float(&input["scores"], name)))
            .collect(),
        domain: input["domain"].as_str().map(str::to_owned),
        confidence_weight: float(input, "confidence_weight"),
        k_multipliers: numbers(&input["k_multipliers"]),
    }
}

/// The program did not divide by the number of opponents.
const AS_MEASURED: Settings = Settings {
    k: elo::K,
    normalise_multiway: false,
};

#[test]
fn ratings() {
    run(
        "debate-elo.jsonl",
        &[
            ("expected_score", &|input, _| {
                Got(json!(elo::expected_score(float(input, "a"), float(input, "b"))))
            }),
            ("new_elo", &|input, _| {
                let (rating, k) = (float(input, "elo"), float(input, "k"));
                Got(json!(elo::new_rating(
                    rating,
                    float(input, "expected"),
                    float(input, "actual"),
                    k
                )))
            }),
            ("elo_diff_for_probability", &|input, _| {
                Got(json!(elo::difference_for(float(input, "p"))))
            }),
            ("pairwise_changes", &|input, _| {
                let names = texts(&input["participants"]);
                let settings = Settings {
                    k: float(input, "k"),
                    ..AS_MEASURED
                };
                let rating = |name: &str| float(&input["ratings"], name);
                Got(json!(elo::changes(&a_match(input, &names), rating, &settings)))
            }),
            ("record_matches", &|input, wanted| {
                let mut ratings = Ratings::default();
                let mut changes = Vec::new();
                for game in input["matches"].as_array().unwrap() {
                    let names = texts(&game["participants"]);
                    changes.push(ratings.record(&a_match(game, &names), &AS_MEASURED));
                }
                let names = wanted["ratings"].as_object().unwrap().keys();
                let players: BTreeMap<String, Value> = names
                    .map(|name| {
                        let player = ratings.player(name);
                        let row = json!({"elo": player.elo, "domains": player.domains, "w": player.wins, "l": player.losses,
                            "d": player.draws, "n": player.games()});
                        (name.clone(), row)
                    })
                    .collect();
                Got(json!({"changes": changes, "ratings": players}))
            }),
            ("match_winner", &|input, _| {
                let scores: Vec<(String, f64)> = numbers(&input["scores"]).into_iter().collect();
                Got(json!(elo::winner(&scores)))
            }),
            ("calibration_k_multiplier", &|input, _| {
                Got(json!(calibration::k_multiplier(
                    input["ece"].as_f64(),
                    input["brier"].as_f64()
                )))
            }),
            ("rating_calibration_score", &|input, _| {
                let (total, sum) = (count(input, "total") as u32, float(input, "brier_sum"));
                let brier = if total == 0 { 1.0 } else { sum / f64::from(total) };
                Got(json!({"score": calibration::score(total, sum), "brier": brier}))
            }),
            ("verification_change", &|input, _| {
                let counts = (count(input, "verified") as u32, count(input, "disproven") as u32);
                Got(json!(elo::verification_change(counts.0, counts.1)))
            }),
            ("learning", &|input, _| {
                let history: Vec<f64> = input["history"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .filter_map(Value::as_f64)
                    .collect();
                let found = elo::learning(&history);
                Got(json!({"gain": found.gain, "consistency": found.consistency, "category": found.pace}))
            }),
            ("voting_accuracy_sequence", &|input, _| {
                let (mut with, mut all, mut rating) = (0, 0, elo::START);
                let mut changes = Vec::new();
                for vote in input["votes_with_consensus"].as_array().unwrap() {
                    all += 1;
                    with += u32::from(*vote == true);
                    let change = elo::voting_change(*vote == true, with, all, float(input, "k"));
                    rating += change;
                    changes.push(change);
                }
                Got(json!({"changes": changes, "domain_elo": rating, "elo": elo::START}))
            }),
            ("calibration_bucket", &|input, _| {
                let at = calibration::bucket(float(input, "confidence"));
                Got(json!(format!(
                    "{:.1}-{:.1}",
                    at as f64 / 10.0,
                    (at + 1) as f64 / 10.0
                )))
            }),
            ("temperature_scale", &|input, _| {
                Got(json!(calibration::temperature_scaled(
                    float(input, "confidence"),
                    float(input, "temperature")
                )))
            }),
            ("adjust_confidence", &|input, _| {
                let mut record = Calibration::default();
                for bucket in input["buckets"].as_array().unwrap() {
                    let at = calibration::bucket(bucket[0].as_f64().unwrap() + 0.05);
                    let count = |at: usize| bucket[at].as_u64().unwrap() as u32;
                    record.buckets[at] = Bucket {
                        total: count(2),
                        right: count(3),
                    };
                }
                let bias: Bias = record.bias();
                let total = count(input, "total") as u32;
                let adjusted = calibration::adjusted(float(input, "raw"), total, float(input, "ece"), bias);
                Got(json!({"adjusted": adjusted, "bias": bias}))
            }),
        ],
    );
}

#[test]
fn the_rest() {
    run(
        "debate-misc.jsonl",
        &[
            ("topology_critics", &|input, _| {
                let topology =
                    serde_json::from_value(input["topology"].clone()).unwrap_or(Topology::AllToAll);
                let hub = input["hub_agent"].as_str();
                Got(json!(topology::critics(
                    topology,
                    &texts(&input["agents"]),
                    text(input, "target"),
                    0.5,
                    hub
                )))
            }),
            ("topology_sparse_count", &|input, _| {
                Got(json!(topology::sparse_count(
                    count(input, "agents") - 1,
                    float(input, "sparsity")
                )))
            }),
            ("role_rotation", &|input, _| {
                let (agents, rounds) = (count(input, "agents"), count(input, "rounds"));
                let of = |round| {
                    (0..agents).map(move |at| (format!("a{at}"), topology::rotated(at, round, rounds)))
                };
                let rows: Vec<BTreeMap<_, _>> = (0..rounds).map(|round| of(round).collect()).collect();
                Got(json!(rows))
            }),
            ("receipt_hash", &|_, _| {
                LeftOut("its hash misses answer and votes (A30, 18); receipt v1 has its own form")
            }),
            ("receipt_from_debate", &|input, wanted| {
                // The verdicts have other names in receipt v1; the hashes of both texts are compared.
                let answer = sha256_hex(text(input, "answer").as_bytes());
                Against(
                    json!([sha256_hex(text(input, "task").as_bytes()), answer[..16]]),
                    json!([wanted["input_hash"], wanted["evidence_hash"]]),
                )
            }),
            ("standalone_verdict", &|input, _| {
                let reached = input["reached"] == true;
                Got(json!(receipt_verdict(
                    reached,
                    float(input, "confidence"),
                    count(input, "dissents")
                )))
            }),
            ("stability_scipy", &|input, wanted| {
                if input["rounds"][0]["a"] == 3 {
                    return LeftOut("its test does not see whom the votes are for");
                }
                stable(input, wanted)
            }),
            ("stability_cdf_fallback", &stable),
            ("team_selection_core", &|input, _| {
                let names = ["llama", "yi"];
                let candidates = names.map(|name| Candidate {
                    name: name.to_owned(),
                    provider: name.to_owned(),
                    elo: float(&input["elos"], name),
                    brier: input["briers"][name].as_f64(),
                    debates: 0,
                    available: true,
                });
                let rules = TeamRules {
                    elo_weight: float(input, "elo_weight"),
                    elo_baseline: float(input, "elo_baseline"),
                    calibration_weight: float(input, "calibration_weight"),
                    domain_weight: float(input, "domain_weight"),
                    exploration_weight: 0.0,
                    patterns: Vec::new(),
                };
                let domain = text(input, "domain");
                let order: Vec<&str> = team::select(&candidates, domain, 2, &rules)
                    .iter()
                    .map(|at| names[*at])
                    .collect();
                let totals: BTreeMap<String, f64> = candidates
                    .iter()
                    .map(|candidate| (candidate.name.clone(), team::score(candidate, domain, 0, &rules)))
                    .collect();
                Got(json!({"order": order, "totals": totals}))
            }),
            ("circuit_breaker", &|input, _| {
                let seconds = |key| input[key].as_u64().unwrap() * 1000;
                let mut breaker = Breaker::new(
                    count(input, "threshold") as u32,
                    seconds("cooldown"),
                    count(input, "half_open_successes") as u32,
                );
                let mut now = 0;
                let mut found = Vec::new();
                for op in input["ops"].as_array().unwrap() {
                    found.push(match op.as_str() {
                        Some("f") => json!(breaker.failed(now)),
                        Some("s") => {
                            breaker.succeeded(now);
                            json!(breaker.circuit(now))
                        }
                        Some(_) => json!([breaker.circuit(now) != Circuit::Open, breaker.circuit(now)]),
                        None => {
                            now += op.as_u64().unwrap() * 1000;
                            Value::Null
                        }
                    });
                }
                Got(json!(found))
            }),
        ],
    );
}

fn stable(input: &Value, _: &Value) -> Checked {
    let rounds: Vec<BTreeMap<String, f64>> =
        input["rounds"].as_array().unwrap().iter().map(numbers).collect();
    let found = stopping::stability(&rounds, 0.85, 0.1);
    let rows: Vec<Value> = found
        .iter()
        .map(|round| {
            let advice = if round.stable { "stop" } else { "continue" };
            json!({"stable": round.stable, "score": round.score, "ks": round.distance, "rec": advice})
        })
        .collect();
    Got(json!(rows))
}
