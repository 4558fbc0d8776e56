use super::persona::tests::seat;
use super::*;
use crate::language::Language;
use crate::seat::facts::{BallotNews, Experience, Heard};
use std::collections::BTreeSet;

const NAMES: [&str; 5] = ["Alice", "Bruno", "Chen", "Dana", "Emil"];
const BASE: [[u32; 5]; 4] = [
    [32_000, 27_000, 24_000, 13_000, 12_000],
    [28_000, 22_000, 20_000, 17_000, 13_000],
    [31_000, 24_000, 21_000, 16_000, 14_000],
    [21_000, 20_000, 19_000, 16_000, 15_000],
];

/// A question, what was answered and what was meant.
pub(super) struct Asked {
    pub(super) ask: Ask,
    pub(super) facts: Facts,
    pub(super) text: String,
    pub(super) meant: Option<Intention>,
}

/// A table that imitates the experiment with scripted seats.
pub(super) struct Table {
    seed: u32,
    seats: Vec<Seat>,
    facts: Vec<Facts>,
    pub(super) asked: Vec<Asked>,
    keep: bool,
}

fn request() -> Request {
    Request {
        system: String::new(),
        messages: Vec::new(),
        stop: Vec::new(),
        max_tokens: 800,
        temperature: None,
        model: None,
        base_url: None,
    }
}

fn ask(kind: AskKind, phase: u8, round: u32, name: &str, attempt: u32, language: Language) -> Ask {
    Ask {
        id: format!("phase{phase}/round/{round}/{}/{name}#{attempt}", kind.name()),
        seat: name.into(),
        kind,
        phase,
        round: Some(round),
        attempt,
        language,
    }
}

impl Table {
    fn new(seed: u32, language: Language, keep: bool) -> Self {
        let seats: Vec<Seat> = NAMES.map(|name| seat(name, language, "")).into();
        let participants = NAMES.map(String::from).to_vec();
        let facts = vec![
            Facts {
                participants,
                ..Facts::default()
            };
            seats.len()
        ];
        Self {
            seed,
            seats,
            facts,
            asked: Vec::new(),
            keep,
        }
    }

    /// Asks until the answer is not vague; gives the last text and what it meant.
    fn ask(&mut self, at: usize, kind: AskKind, phase: u8, round: u32) -> (String, Intention) {
        let (seat, facts) = (&self.seats[at], &self.facts[at]);
        for attempt in 1.. {
            let ask = ask(kind, phase, round, &seat.name, attempt, seat.language);
            let text = answer(seat, self.seed, &ask, &request(), facts);
            let meant = intention(seat, self.seed, &ask, facts);
            if self.keep {
                let facts = facts.clone();
                let (text, meant) = (text.clone(), meant.clone());
                self.asked.push(Asked { ask, facts, text, meant });
            }
            if let Some(meant) = meant {
                return (text, meant);
            }
            assert!(attempt < 2, "vague on attempt 2");
        }
        unreachable!()
    }

    fn remember(&mut self, at: usize, phase: u8, round: u32) {
        self.facts[at].memory = self.ask(at, AskKind::MemoryUpdate, phase, round).0;
    }

    fn phase1(&mut self) {
        for at in 0..self.seats.len() {
            let mut luck = Chance::new(self.seed, NAMES[at], "test phase 1");
            for kind in [
                AskKind::InitialRanking,
                AskKind::Explanation,
                AskKind::PostExplanationRanking,
            ] {
                self.facts[at].distributions = BASE.to_vec();
                if let Intention::Ranking(ranking) = self.ask(at, kind, 1, 0).1 {
                    self.facts[at].rankings.push(ranking);
                }
                self.remember(at, 1, 0);
            }
            for round in 1..=4 {
                let factor = 0.5 + 1.5 * luck.unit();
                let scaled = |income: u32| ((f64::from(income) * factor) as u32).max(1);
                self.facts[at].round = round;
                self.facts[at].rounds = 4;
                self.facts[at].distributions = BASE.map(|row| row.map(scaled)).to_vec();
                let (_, Intention::Choice(choice)) = self.ask(at, AskKind::Application, 1, round)
                else {
                    unreachable!()
                };
                self.facts[at].principle = Some(choice.principle);
                if choice.amount.is_some() {
                    self.ask(at, AskKind::ConstraintRetry, 1, round);
                }
                let row = luck.pick(&BASE).copied().unwrap();
                let income = luck.pick(&row).copied().map(scaled);
                self.facts[at].applications.push(Experience {
                    round,
                    principle: Some(choice.principle),
                    amount: choice.amount,
                    income,
                });
                self.remember(at, 1, round);
            }
            self.facts[at].round = 0;
            self.facts[at].distributions.clear();
            self.facts[at].principle = None;
            if let Intention::Ranking(ranking) = self.ask(at, AskKind::FinalRanking, 1, 5).1 {
                self.facts[at].rankings.push(ranking);
            }
        }
    }

    /// The round of the agreement and what was agreed on.
    fn phase2(&mut self, rounds: u32) -> Option<(u32, Stance)> {
        let mut order = Chance::new(self.seed, "", "test order");
        let table: Vec<usize> = (0..self.seats.len()).collect();
        for round in 1..=rounds {
            for facts in &mut self.facts {
                facts.round = round;
                facts.rounds = rounds;
            }
            let mut waiting = table.clone();
            while let Some(at) = order.pick(&waiting).copied() {
                waiting.retain(|other| *other != at);
                self.ask(at, AskKind::InternalReasoning, 2, round);
                let text = self.ask(at, AskKind::Statement, 2, round).0;
                let speaker = NAMES[at].to_string();
                for facts in &mut self.facts {
                    let (speaker, text) = (speaker.clone(), text.clone());
                    facts.heard.push(Heard { round, speaker, text });
                }
            }
            let yes = |(_, meant)| meant == Intention::Agreement(true);
            let mut all = table.iter();
            if !all.any(|at| yes(self.ask(*at, AskKind::VoteInitiation, 2, round))) {
                continue;
            }
            let joined = table
                .iter()
                .filter(|at| yes(self.ask(**at, AskKind::VoteConfirmation, 2, round)))
                .count();
            let outcome = if joined < table.len() {
                "not_confirmed"
            } else {
                let votes: BTreeSet<Stance> = table.iter().map(|at| self.vote(*at, round)).collect();
                if votes.len() == 1 {
                    return votes.first().map(|vote| (round, *vote));
                }
                "principle_disagreement"
            };
            for facts in &mut self.facts {
                let outcome = outcome.to_string();
                facts.ballots.push(BallotNews { round, outcome });
            }
        }
        None
    }

    fn vote(&mut self, at: usize, round: u32) -> Stance {
        let Intention::Principle(principle) = self.ask(at, AskKind::BallotPrinciple, 2, round).1
        else {
            unreachable!()
        };
        self.facts[at].principle = Some(principle);
        let amount = principle.needs_amount().then(|| {
            match self.ask(at, AskKind::BallotAmount, 2, round).1 {
                Intention::Amount(amount) => amount,
                _ => unreachable!(),
            }
        });
        self.facts[at].principle = None;
        Stance { principle, amount }
    }

    fn end(&mut self) {
        for at in 0..self.seats.len() {
            self.remember(at, 2, 11);
            self.ask(at, AskKind::ResultsRanking, 2, 11);
        }
    }
}

/// A whole run with every answer kept.
pub(super) fn run(seed: u32, language: Language) -> Vec<Asked> {
    let mut table = Table::new(seed, language, true);
    table.phase1();
    table.phase2(10);
    table.end();
    table.asked
}

#[test]
fn runs_agree_often_but_not_always() {
    let mut rounds = Vec::new();
    let mut agreed = [0_u32; 4];
    let mut amounts = BTreeSet::new();
    let mut by_round = [0_u32; 11];
    for seed in 0..200 {
        let mut table = Table::new(seed, Language::English, false);
        table.phase1();
        if let Some((round, stance)) = table.phase2(10) {
            rounds.push(round);
            by_round[round as usize] += 1;
            agreed[usize::from(stance.principle.number()) - 1] += 1;
            amounts.extend(stance.amount);
        }
    }
    let count = u32::try_from(rounds.len()).unwrap();
    let mean = f64::from(rounds.iter().sum::<u32>()) / f64::from(count);
    eprintln!("agreed {count} of 200, mean round {mean:.2}, {by_round:?} principles {agreed:?}, {} amounts", amounts.len());
    assert!((130..=180).contains(&count), "{count}");
    assert!((3.0..=6.0).contains(&mean), "{mean}");
    assert!(agreed.iter().all(|count| *count > 0), "{agreed:?}");
    assert!(amounts.len() >= 5, "{amounts:?}");
}

#[test]
fn show() {
    if std::env::var("SHOW").is_err() { return; }
    for language in Language::ALL {
        for asked in run(std::env::var("SHOW").unwrap().parse().unwrap(), language) {
            if asked.ask.seat == "Alice" || asked.ask.kind == AskKind::Statement { println!("--- {} {:?}\n{}", asked.ask.id, asked.meant, asked.text); }
        }
    }
}
