//! Small hand-made records for tests.

use crate::core::ask::{AnsweredAs, Ask, Failure, FailureKind, Message, Millis, Reply, Request, Role, Usage};
use crate::core::audience::Audience;
use crate::core::data::Data;
use crate::core::record::{Entry, EntryKind, Started};
use crate::language::Language;
use crate::principle::{Certainty, Principle, Ranking};
use crate::procedures::justice::asks;
use crate::procedures::justice::event::{
    AppliedRound, BallotVote, Event, MemoryChange, Moment, Payout, Step, SweepRow, Validation, VoteStatus,
};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::rc::Rc;

/// 2026-01-01T00:00:00.000Z.
pub(crate) const BEGAN: Millis = 1_767_225_600_000;

/// Texts that break careless writers.
pub(crate) const HOSTILE: &[&str] = &[
    "",
    " ",
    "\n",
    "a\r\nb\rc\nd",
    "\"quoted\", with 'both'; and\ttab",
    "=HYPERLINK(\"http://x.invalid\",\"y\")",
    "'=1+1",
    "-1",
    "+cmd|' /C calc'!A0",
    "@SUM(A1)",
    "\t=1",
    "＝1",
    "<script>alert(1)</script>",
    "</blockquote></td><img src=x onerror=alert(1)>",
    "| a | b |\n|---|---|\n| c | d |",
    "```\ncode that never ends",
    "# heading\n\n---\n\n> quote\n\n1. one\n- two\n\n    indented",
    "[Ana]: http://x.invalid\n[click](javascript:alert(1)) ![i](http://x.invalid/i.png)",
    "我选择3，下限是 ¥13,000。",
    "👩‍👩‍👧 🙂 é e\u{301} \u{202e}drawkcab",
    "\0 NUL \u{1b}[31m",
    "\u{feff}BOM",
    "&lt;b&gt; &amp; \\*stars\\* __under__ ~~gone~~",
];

struct Writer(Vec<Rc<Entry>>);

impl Writer {
    fn new(config: Value) -> Self {
        let mut writer = Self(Vec::new());
        let started = Started {
            engine: "quorate 0.1.0".to_owned(),
            session: "s-1".to_owned(),
            protocol: "justice".to_owned(),
            seed: 42,
            config,
            config_hash: "c0ffee".to_owned(),
            forked_from: None,
        };
        writer.add(0, EntryKind::Started(started));
        writer
    }

    fn add(&mut self, after: Millis, what: EntryKind) {
        let seq = self.0.len() as u64;
        self.0.push(Rc::new(Entry {
            seq,
            at: BEGAN + after,
            what,
        }));
    }

    fn event(&mut self, after: Millis, event: Event) {
        self.add(
            after,
            EntryKind::Event {
                event: Data::of(&event),
                to: Audience::Everybody,
            },
        );
    }

    fn ask(
        &mut self,
        after: Millis,
        seat: &str,
        kind: &'static str,
        round: Option<u32>,
        prompts: &[&str],
    ) -> String {
        let phase = if matches!(
            kind,
            asks::INITIAL_RANKING | asks::EXPLANATION | asks::APPLICATION
        ) {
            1
        } else {
            2
        };
        let is_model = seat == "Bo";
        let path = round.map_or(String::new(), |round| format!("/round/{round}"));
        let id = format!("phase{phase}{path}/{}/{seat}#1", kind);
        let roles = [Role::User, Role::Assistant];
        let message = |(index, content): (usize, &&str)| Message {
            role: roles[index % 2],
            content: (*content).into(),
        };
        let what = EntryKind::Asked {
            ask: Rc::new(Ask {
                id: id.clone(),
                seat: seat.to_owned(),
                kind: kind.into(),
                phase,
                round,
                attempt: 1,
                language: Language::English,
            }),
            request: Rc::new(Request {
                system: format!("You are {seat}.").into(),
                messages: prompts.iter().enumerate().map(message).collect(),
                stop: Vec::new(),
                max_tokens: 2000,
                temperature: is_model.then_some(0.7),
                top_p: None,
                model: is_model.then(|| "m-1".to_owned()),
                base_url: is_model.then(|| "https://llm.example/v1".to_owned()),
                provider: None,
                seed: None,
                reasoning_effort: None,
                schema: None,
            }),
            time_limits: vec![30_000, 45_000],
        };
        self.add(after, what);
        id
    }

    fn sent(&mut self, after: Millis, ask: &str, attempt: u32) {
        self.add(
            after,
            EntryKind::Sent {
                ask: ask.to_owned(),
                attempt,
            },
        );
    }

    fn answered(&mut self, after: Millis, ask: &str, reply: Reply) {
        self.add(
            after,
            EntryKind::Answered {
                ask: ask.to_owned(),
                attempt: 1,
                reply,
            },
        );
    }
}

fn config() -> Value {
    json!({
        "title": "A first run",
        "language": "English",
        "phase2_rounds": 4,
        "seed": 42,
        "income_class_probabilities": { "high": 0.05, "medium_high": 0.1, "medium": 0.5, "medium_low": 0.25, "low": 0.1 },
        "agents": [
            { "name": "Ana", "personality": "A careful nurse." },
            { "name": "Bo", "personality": "A bold founder.", "kind": "model", "model": "m-1",
              "base_url": "https://llm.example/v1" },
        ],
    })
}

fn reply_with(text: &str) -> Reply {
    Reply {
        text: text.to_owned(),
        ..Reply::default()
    }
}

/// An unfinished run: an answer that was read, an answer with full provider data, an unanswered ask and an open one.
pub(crate) fn record() -> Vec<Rc<Entry>> {
    let mut writer = Writer::new(config());
    let id = writer.ask(1_000, "Ana", asks::INITIAL_RANKING, None, &["Rank them."]);
    writer.sent(1_000, &id, 1);
    writer.answered(2_000, &id, reply_with("1. Maximizing the floor income"));
    let reading = Data::of(
        &json!({ "value": { "order": ["maximizing_floor"], "certainty": "sure" }, "how": "numbered_list" }),
    );
    writer.add(2_000, EntryKind::Read { ask: id, reading });
    let id = writer.ask(10_000, "Ana", asks::STATEMENT, Some(1), &["Speak."]);
    writer.sent(10_100, &id, 1);
    let reply = Reply {
        request_id: None,
        text: "We should,\n\"all\" of us, think of the worst off.".to_owned(),
        model: Some("m-1-2026".to_owned()),
        finish: Some("stop".to_owned()),
        usage: Some(Usage::of(120, 14)),
        sent_at: Some(BEGAN + 10_250),
        first_piece_at: Some(BEGAN + 10_500),
        reasoning: None,
        answered_as: Some(AnsweredAs::Native),
        ..Reply::default()
    };
    writer.answered(12_000, &id, reply);
    let id = writer.ask(13_000, "Bo", asks::STATEMENT, Some(1), &["Speak."]);
    writer.sent(13_000, &id, 1);
    let failure = Failure {
        kind: FailureKind::RateLimit,
        message: "Too many calls.".to_owned(),
        status: Some(429),
        retry_after_ms: Some(1_000),
        body: None,
        usage: None,
    };
    writer.add(
        13_500,
        EntryKind::Failed {
            ask: id.clone(),
            attempt: 1,
            failure,
        },
    );
    writer.add(
        13_500,
        EntryKind::Retrying {
            ask: id.clone(),
            attempt: 2,
            wait: 1_000,
        },
    );
    writer.sent(14_500, &id, 2);
    writer.add(
        44_500,
        EntryKind::TimedOut {
            ask: id.clone(),
            attempt: 2,
        },
    );
    writer.add(44_500, EntryKind::Unanswered { ask: id.clone() });
    writer.add(
        50_000,
        EntryKind::Late {
            ask: id,
            attempt: 2,
            reply: reply_with("Too late."),
        },
    );
    writer.ask(
        51_000,
        "Bo",
        asks::BALLOT_AMOUNT,
        Some(1),
        &["How much?", "Much.", "In dollars, please."],
    );
    writer.0
}

/// A run with one ask and its answer.
pub(crate) fn saying(text: &str) -> Vec<Rc<Entry>> {
    let mut writer = Writer::new(config());
    let id = writer.ask(1_000, "Ana", asks::STATEMENT, Some(1), &["Speak."]);
    writer.sent(1_000, &id, 1);
    writer.answered(2_000, &id, reply_with(text));
    writer.0
}

/// A short finished run: two seats, one application round, one discussion round with agreement.
pub(crate) fn whole_record() -> Vec<Rc<Entry>> {
    whole(config(), "Let us guarantee a floor of $13,000.")
}

/// A finished run in which every free text contains all hostile texts.
pub(crate) fn hostile_record() -> Vec<Rc<Entry>> {
    let hostile = HOSTILE.join("\n");
    let mut config = config();
    config["title"] = hostile.clone().into();
    config["agents"][0]["personality"] = hostile.clone().into();
    whole(config, &hostile)
}

fn ranking() -> Ranking {
    use Principle::{Average, Floor, FloorConstraint, RangeConstraint};
    Ranking {
        order: [FloorConstraint, Floor, Average, RangeConstraint],
        certainty: Some(Certainty::Sure),
    }
}

fn whole(config: Value, statement: &str) -> Vec<Rc<Entry>> {
    let names = ["Ana", "Bo"];
    let by_principle = || -> BTreeMap<String, f64> {
        let payoffs = [1.2, 3.25, 1.4, 0.3];
        Principle::ALL
            .into_iter()
            .map(|principle| principle.id().to_owned())
            .zip(payoffs)
            .collect()
    };
    let mut writer = Writer::new(config);
    let w = &mut writer;
    let began = |phase, step, round| Event::StepBegan {
        phase,
        step,
        round,
        seat: None,
    };
    w.event(0, began(1, Step::InitialRanking, 0));
    for name in names {
        let id = w.ask(1_000, name, asks::INITIAL_RANKING, None, &["Rank them."]);
        w.sent(1_000, &id, 1);
        w.answered(2_000, &id, reply_with(statement));
        let ranking = (name == "Ana").then(ranking);
        w.event(
            2_000,
            Event::Ranked {
                seat: name.to_owned(),
                moment: Moment::Initial,
                ranking,
            },
        );
        let remembered = |how, text: &str| Event::Remembered {
            seat: name.to_owned(),
            phase: 1,
            how,
            text: text.to_owned(),
        };
        w.event(2_000, remembered(MemoryChange::Rewritten, "I ranked."));
        w.event(2_000, remembered(MemoryChange::Appended, "I wait."));
        let id = w.ask(3_000, name, asks::EXPLANATION, None, &["See how they choose."]);
        w.sent(3_000, &id, 1);
        w.answered(4_000, &id, reply_with("I see."));
        w.ask(5_000, name, asks::APPLICATION, Some(1), &["Choose."]);
    }
    let warned = Event::Warned {
        code: "choice_unreadable".to_owned(),
        seat: Some("Bo".to_owned()),
        round: Some(1),
        message: "The choice could not be read.".to_owned(),
    };
    w.event(6_000, warned);
    let distributions = vec![
        [32_000, 27_000, 24_000, 13_000, 12_000],
        [28_000, 22_000, 20_000, 17_000, 13_000],
        [31_000, 24_000, 21_000, 16_000, 14_000],
        [21_000, 20_000, 19_000, 16_000, 15_000],
    ];
    for (name, valid) in [("Ana", true), ("Bo", false)] {
        w.event(
            6_000,
            Event::Applied(AppliedRound {
                seat: name.to_owned(),
                round: 1,
                situation: None,
                multiplier: Some(1.0),
                distributions: distributions.clone(),
                probabilities: None,
                principle: valid.then_some(Principle::FloorConstraint),
                amount: valid.then_some(14_000),
                certainty: valid.then_some(Certainty::VerySure),
                constraint_met: valid.then_some(true),
                distribution: valid.then_some(3),
                class: valid.then(|| "medium".to_owned()),
                income: valid.then_some(21_000),
                payoff: if valid { 2.1 } else { 0.0 },
                alternatives: if valid {
                    vec![2.4, 2.0, 1.4, 1.9]
                } else {
                    Vec::new()
                },
                same_class: if valid { by_principle() } else { BTreeMap::new() },
                bank: if valid { 2.1 } else { 0.0 },
            }),
        );
    }
    w.add(
        6_500,
        EntryKind::Drew {
            stream: "phase2".to_owned(),
            purpose: "speaking order, round 1".to_owned(),
            value: Data::of(&[1, 0]),
        },
    );
    w.event(7_000, began(2, Step::Discussion, 1));
    w.event(
        7_000,
        Event::Ordered {
            round: 1,
            seats: vec!["Bo".to_owned(), "Ana".to_owned()],
        },
    );
    w.event(
        7_500,
        Event::Reasoned {
            seat: "Ana".to_owned(),
            round: 1,
            text: statement.to_owned(),
        },
    );
    for (name, text, validation) in [
        ("Bo", "", Validation::Skipped),
        ("Ana", statement, Validation::Valid),
    ] {
        w.ask(8_000, name, asks::STATEMENT, Some(1), &["Speak."]);
        w.event(
            8_000,
            Event::Spoke {
                seat: name.to_owned(),
                round: 1,
                text: text.to_owned(),
                character_count: text.chars().count() as u32,
                validation,
            },
        );
    }
    w.event(
        8_000,
        Event::Favored {
            seat: "Ana".to_owned(),
            round: 1,
            principle: Principle::FloorConstraint,
            amount: None,
            how: None,
        },
    );
    w.event(
        9_000,
        Event::Initiation {
            round: 1,
            seat: "Ana".to_owned(),
            answer: Some(true),
        },
    );
    for name in names {
        let seat = name.to_owned();
        w.event(
            9_500,
            Event::Confirmed {
                round: 1,
                seat,
                answer: Some(true),
            },
        );
    }
    w.event(
        9_500,
        Event::Confirmation {
            round: 1,
            initiator: "Ana".to_owned(),
            answers: names.map(|name| (name.to_owned(), true)).to_vec(),
            confirmed: true,
        },
    );
    let vote = |name: &str| BallotVote {
        seat: name.to_owned(),
        principle: Some(Principle::FloorConstraint),
        amount: Some(13_000),
        status: VoteStatus::Valid,
        raw: vec!["3".to_owned(), "$13,000".to_owned()],
    };
    for vote in names.map(vote) {
        w.event(10_000, Event::Voted { round: 1, vote });
    }
    w.event(
        10_000,
        Event::Counted {
            round: 1,
            initiator: "Ana".to_owned(),
            agreed: Some(Principle::FloorConstraint),
            amount: Some(13_000),
            disagreement: None,
            tally: Vec::new(),
        },
    );
    w.event(
        10_000,
        Event::Announced {
            round: 1,
            notice: "countdown".to_owned(),
            text: statement.to_owned(),
        },
    );
    w.event(
        11_000,
        Event::Drawn {
            multiplier: 1.0,
            distributions,
            probabilities: None,
            distribution: Some(3),
            no_consensus: None,
        },
    );
    for (name, income, payoff, bank) in [("Ana", 16_000, 1.6, 3.7), ("Bo", 31_000, 3.1, 3.1)] {
        w.event(
            11_000,
            Event::Paid(Payout {
                seat: name.to_owned(),
                distribution: 3,
                class: if name == "Ana" { "medium_low" } else { "high" }.to_owned(),
                income,
                payoff,
                counterfactuals: by_principle(),
                sweep: vec![SweepRow {
                    principle: Principle::Floor,
                    amount: None,
                    distribution: 4,
                    income: 16_000,
                    payoff: 1.6,
                }],
                bank,
            }),
        );
        w.ask(11_500, name, asks::RESULTS_RANKING, None, &["Rank them again."]);
        let ranking = (name == "Ana").then(ranking);
        w.event(
            12_000,
            Event::Ranked {
                seat: name.to_owned(),
                moment: Moment::AfterResults,
                ranking,
            },
        );
    }
    let result = json!({
        "consensus_reached": true,
        "chosen_principle": "maximizing_average_floor_constraint",
        "constraint_amount": 13_000,
        "rounds_completed": 1,
        "seed": 42,
    });
    w.add(13_000, EntryKind::Ended { result });
    writer.0
}
