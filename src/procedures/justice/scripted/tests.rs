use super::persona::tests::seat;
use super::*;
use crate::language::Language;
use crate::procedures::justice::asks;
use crate::procedures::justice::context::{BallotNews, Experience, PublicStatement};
use std::collections::BTreeSet;

const NAMES: [&str; 5] = ["Alice", "Bruno", "Chen", "Dana", "Emil"];
const BASE: [[u32; 5]; 4] = [
    [32_000, 27_000, 24_000, 13_000, 12_000],
    [28_000, 22_000, 20_000, 17_000, 13_000],
    [31_000, 24_000, 21_000, 16_000, 14_000],
    [21_000, 20_000, 19_000, 16_000, 15_000],
];

const KINDS: [&str; 14] = [
    asks::INITIAL_RANKING,
    asks::EXPLANATION,
    asks::POST_EXPLANATION_RANKING,
    asks::APPLICATION,
    asks::CONSTRAINT_RETRY,
    asks::FINAL_RANKING,
    asks::INTERNAL_REASONING,
    asks::STATEMENT,
    asks::MEMORY_UPDATE,
    asks::VOTE_INITIATION,
    asks::VOTE_CONFIRMATION,
    asks::BALLOT_PRINCIPLE,
    asks::BALLOT_AMOUNT,
    asks::RESULTS_RANKING,
];

/// A question with its answer and intended content.
pub(super) struct ScriptedQuestion {
    pub(super) seed: u32,
    pub(super) ask: Ask,
    pub(super) facts: JusticeContext,
    pub(super) text: String,
    pub(super) meant: Option<Intention>,
}

/// A simulated experiment with scripted seats.
pub(super) struct Table {
    seed: u32,
    seats: Vec<Seat>,
    facts: Vec<JusticeContext>,
    pub(super) questions: Vec<ScriptedQuestion>,
    keep: bool,
}

fn ask(kind: &'static str, phase: u8, round: u32, name: &str, attempt: u32, language: Language) -> Ask {
    Ask {
        id: format!("phase{phase}/round/{round}/{}/{name}#{attempt}", kind),
        seat: name.into(),
        kind: kind.into(),
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
            JusticeContext {
                participants,
                ..JusticeContext::default()
            };
            seats.len()
        ];
        Self {
            seed,
            seats,
            facts,
            questions: Vec::new(),
            keep,
        }
    }

    /// Asks until the answer is not vague; returns the last text and its intention.
    fn ask(&mut self, at: usize, kind: &'static str, phase: u8, round: u32) -> (String, Intention) {
        let (seat, facts) = (&self.seats[at], &self.facts[at]);
        for attempt in 1.. {
            let ask = ask(kind, phase, round, &seat.name, attempt, seat.language);
            let text = answer(seat, self.seed, &ask, facts);
            let meant = intention(seat, self.seed, &ask, facts);
            if self.keep {
                let facts = facts.clone();
                let (text, meant) = (text.clone(), meant.clone());
                let seed = self.seed;
                self.questions.push(ScriptedQuestion {
                    seed,
                    ask,
                    facts,
                    text,
                    meant,
                });
            }
            if let Some(meant) = meant {
                return (text, meant);
            }
            assert!(attempt < 2, "vague on attempt 2");
        }
        unreachable!()
    }

    fn remember(&mut self, at: usize, phase: u8, round: u32) {
        self.facts[at].memory = self.ask(at, asks::MEMORY_UPDATE, phase, round).0;
    }

    fn phase1(&mut self) {
        for (at, name) in NAMES.into_iter().enumerate() {
            let mut luck = Chance::new(self.seed, name, "test phase 1");
            for kind in [
                asks::INITIAL_RANKING,
                asks::EXPLANATION,
                asks::POST_EXPLANATION_RANKING,
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
                let (_, Intention::Choice(choice)) = self.ask(at, asks::APPLICATION, 1, round) else {
                    unreachable!()
                };
                self.facts[at].principle = Some(choice.principle);
                if choice.amount.is_some() {
                    self.ask(at, asks::CONSTRAINT_RETRY, 1, round);
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
            if let Intention::Ranking(ranking) = self.ask(at, asks::FINAL_RANKING, 1, 5).1 {
                self.facts[at].rankings.push(ranking);
            }
        }
    }

    /// Returns the round of the agreement and the agreed stance.
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
                self.ask(at, asks::INTERNAL_REASONING, 2, round);
                let text = self.ask(at, asks::STATEMENT, 2, round).0;
                let speaker = NAMES[at].to_string();
                for facts in &mut self.facts {
                    let (speaker, text) = (speaker.clone(), text.clone());
                    std::rc::Rc::make_mut(&mut facts.heard).push(PublicStatement { round, speaker, text });
                }
            }
            let yes = |(_, meant)| meant == Intention::Agreement(true);
            let mut all = table.iter();
            if !all.any(|at| yes(self.ask(*at, asks::VOTE_INITIATION, 2, round))) {
                continue;
            }
            let joined = table
                .iter()
                .filter(|at| yes(self.ask(**at, asks::VOTE_CONFIRMATION, 2, round)))
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
        let Intention::Principle(principle) = self.ask(at, asks::BALLOT_PRINCIPLE, 2, round).1 else {
            unreachable!()
        };
        self.facts[at].principle = Some(principle);
        let amount = principle
            .needs_amount()
            .then(|| match self.ask(at, asks::BALLOT_AMOUNT, 2, round).1 {
                Intention::Amount(amount) => amount,
                _ => unreachable!(),
            });
        self.facts[at].principle = None;
        Stance { principle, amount }
    }

    fn end(&mut self) {
        for at in 0..self.seats.len() {
            self.remember(at, 2, 11);
            self.ask(at, asks::RESULTS_RANKING, 2, 11);
        }
    }
}

/// Runs an experiment and returns every answer.
pub(super) fn run(seed: u32, language: Language) -> Vec<ScriptedQuestion> {
    let mut table = Table::new(seed, language, true);
    table.phase1();
    table.phase2(10);
    table.end();
    table.questions
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
    // 76 % agree, after 4.1 rounds in the mean.
    assert_eq!((rounds.len(), rounds.iter().sum::<u32>()), (152, 626));
    assert!(by_round.iter().all(|count| *count < 40), "{by_round:?}");
    assert!(agreed.iter().all(|count| *count > 0), "{agreed:?}");
    assert!(amounts.len() >= 5, "{amounts:?}");
}

/// Runs in all three languages under the seeds.
fn runs(seeds: std::ops::Range<u32>) -> impl Iterator<Item = ScriptedQuestion> {
    seeds.flat_map(|seed| {
        Language::ALL
            .into_iter()
            .flat_map(move |language| run(seed, language))
    })
}

fn least(language: Language) -> usize {
    if language == Language::Mandarin { 25 } else { 50 }
}

#[test]
fn the_same_question_gets_the_same_answer_and_seeds_differ() {
    let texts = |seed| -> Vec<String> {
        run(seed, Language::English)
            .into_iter()
            .map(|question| question.text)
            .collect()
    };
    assert_eq!(texts(1), texts(1));
    assert_ne!(texts(1), texts(2));
}

#[test]
fn statements_match_the_vote() {
    for question in runs(0..10) {
        let Some(Intention::Stance(stance)) = question.meant else {
            continue;
        };
        assert_eq!(
            stance::detect_stance(&question.text),
            Some(stance),
            "{}",
            question.text
        );
        let (seat, facts) = (
            seat(&question.ask.seat, question.ask.language, ""),
            &question.facts,
        );
        let seed = question.seed;
        let vote = |kind, facts: &JusticeContext| {
            let ask = Ask {
                kind,
                attempt: 2,
                ..question.ask.clone()
            };
            intention(&seat, seed, &ask, facts).unwrap()
        };
        assert_eq!(
            vote(asks::BALLOT_PRINCIPLE.into(), facts),
            Intention::Principle(stance.principle)
        );
        if let Some(amount) = stance.amount {
            let facts = JusticeContext {
                principle: Some(stance.principle),
                ..facts.clone()
            };
            assert_eq!(
                vote(asks::BALLOT_AMOUNT.into(), &facts),
                Intention::Amount(amount)
            );
        }
    }
}

#[test]
fn brief_statements_have_at_most_forty_words_and_match_the_vote() {
    for question in runs(0..10) {
        let Some(Intention::Stance(stance)) = question.meant else {
            continue;
        };
        let facts = JusticeContext {
            is_brief: true,
            ..question.facts.clone()
        };
        let seat = seat(&question.ask.seat, question.ask.language, "");
        let text = answer(&seat, question.seed, &question.ask, &facts);
        assert_eq!(stance::detect_stance(&text), Some(stance), "{text}");
        assert!(text.split_whitespace().count() <= 40, "{text}");
        assert!(text.chars().count() <= 240, "{text}");
    }
}

#[test]
fn a_participant_that_yields_names_one_with_that_stance() {
    let signs = ["convinced me", "having listened to", "gave have moved me"];
    let mut seen = 0;
    for seed in 0..15 {
        for question in run(seed, Language::English) {
            let (Some(Intention::Stance(stance)), Some(sentence)) = (
                &question.meant,
                question
                    .text
                    .split_inclusive(". ")
                    .find(|s| signs.iter().any(|sign| s.contains(sign))),
            ) else {
                continue;
            };
            let named = NAMES.into_iter().find(|name| sentence.contains(name)).unwrap();
            let statement = question
                .facts
                .heard
                .iter()
                .rfind(|statement| statement.speaker == named)
                .unwrap();
            let theirs = stance::detect_stance(&statement.text).unwrap();
            assert_eq!(theirs.principle, stance.principle, "{sentence}");
            seen += 1;
        }
    }
    assert!(seen > 5, "{seen}");
}

#[test]
fn statements_have_a_length_and_rarely_repeat_what_was_said() {
    let (mut repeats, mut again, mut sentences) = (0, 0, 0);
    for seed in 0..10 {
        for language in Language::ALL {
            let statements: Vec<ScriptedQuestion> = run(seed, language)
                .into_iter()
                .filter(|question| question.ask.kind == asks::STATEMENT && question.meant.is_some())
                .collect();
            let (mut different, mut seen) = (BTreeSet::new(), BTreeSet::new());
            for question in &statements {
                let (words, characters) = (
                    question.text.split_whitespace().count(),
                    question.text.chars().count(),
                );
                let is_first = question.facts.round == 1;
                if language == Language::Mandarin {
                    let least = if is_first { 70 } else { 30 };
                    assert!(
                        (least..=290).contains(&characters),
                        "{characters} {}",
                        question.text
                    );
                } else {
                    let least = if is_first { 45 } else { 20 };
                    assert!((least..=215).contains(&words), "{words} {}", question.text);
                }
                different.insert(question.text.as_str());
                for sentence in question
                    .text
                    .split_inclusive(['.', '。', '?', '？'])
                    .map(str::trim)
                {
                    sentences += 1;
                    again += usize::from(!seen.insert(sentence));
                }
            }
            repeats += statements.len() - different.len();
        }
    }
    assert!(repeats <= 3, "{repeats}");
    assert!(again * 7 <= sentences, "{again} of {sentences} were said before");
}

#[test]
fn vague_answers_are_rare_and_short_and_come_first_only() {
    let (mut vague, mut all) = (0_u32, 0_u32);
    for question in runs(0..10) {
        if !matches!(question.meant, None | Some(Intention::Stance(_))) {
            continue;
        }
        if question.ask.kind != asks::STATEMENT {
            assert_eq!(question.ask.attempt, 1);
            continue;
        }
        all += 1;
        let short = question.text.chars().count() < least(question.ask.language);
        assert_eq!(short, question.meant.is_none(), "{}", question.text);
        assert!(!short || question.ask.attempt == 1);
        vague += u32::from(short);
    }
    assert!(vague * 1_000 < all * 20, "{vague} of {all}");
}

#[test]
fn texts_state_facts_only() {
    let numbers = |text: &str| -> BTreeSet<String> {
        let plain: String = text.chars().filter(|c| !matches!(c, ',' | '.')).collect();
        plain
            .split(|c: char| !c.is_ascii_digit())
            .filter(|digits| digits.len() >= 4)
            .map(String::from)
            .collect()
    };
    for question in runs(0..10) {
        assert!(!question.text.contains(['{', '}']), "{}", question.text);
        assert!(!question.text.trim().is_empty());
        let facts = &question.facts;
        let mut known: BTreeSet<String> = numbers(&format!("{:?}", facts.distributions));
        for round in &facts.applications {
            known.extend(round.income.iter().chain(&round.amount).map(u32::to_string));
        }
        for statement in facts.heard.iter() {
            known.extend(
                stance::detect_stance(&statement.text)
                    .and_then(|s| s.amount)
                    .map(|a| a.to_string()),
            );
        }
        known.extend(
            facts
                .principle
                .iter()
                .flat_map(|_| question.amount().map(|a| a.to_string())),
        );
        known.extend(question.amount().map(|amount| amount.to_string()));
        for number in numbers(&question.text) {
            assert!(
                known.contains(&number),
                "{number} in {}: {}",
                question.ask.id,
                question.text
            );
        }
        if question.ask.kind == asks::STATEMENT {
            for (at, _) in question.text.match_indices([',', '\u{ff0c}']) {
                let name = question.text[..at].rsplit([' ', '\u{3002}']).next().unwrap();
                if question.text[..at].ends_with(&format!(". {name}")) && NAMES.contains(&name) {
                    assert!(facts.heard.iter().any(|statement| statement.speaker == name));
                }
            }
        }
    }
}

impl ScriptedQuestion {
    /// Returns its own amount with these facts, whatever the question.
    fn amount(&self) -> Option<u32> {
        let seat = seat(&self.ask.seat, self.ask.language, "");
        match &self.meant {
            Some(Intention::Amount(amount)) => Some(*amount),
            Some(Intention::Choice(choice)) => choice.amount,
            _ => {
                let persona = Persona::of(&seat, self.seed);
                Opinion::form(&persona, &seat.name, &self.facts).stance.amount
            }
        }
    }
}

#[test]
fn memory_stays_short() {
    let table: Vec<String> = (0..30).map(|at| format!("{at} {}", "name ".repeat(40))).collect();
    for language in Language::ALL {
        let seat = seat(&table[0], language, "");
        let public_statement = |(round, speaker): (u32, &String)| PublicStatement {
            round,
            speaker: speaker.clone(),
            text: "I support principle 3 with a floor of $1,000,000. ".repeat(50),
        };
        let round = |round| Experience {
            round,
            principle: Some(Principle::RangeConstraint),
            amount: Some(u32::MAX),
            income: Some(u32::MAX - round),
        };
        let ballot = |round| BallotNews {
            round: u32::MAX - round,
            outcome: "x".repeat(900),
        };
        let mut facts = JusticeContext {
            participants: table.clone(),
            heard: std::rc::Rc::new((1..).zip(&table).map(public_statement).collect()),
            applications: (1..50).map(round).collect(),
            ballots: (1..50).map(ballot).collect(),
            memory: "Somebody else wrote {this}. ".repeat(2_000),
            news: "news ".repeat(20_000),
            round: 10,
            rounds: 10,
            ..JusticeContext::default()
        };
        let ask = ask(asks::MEMORY_UPDATE, 2, 10, &seat.name, 1, language);
        let first = answer(&seat, 1, &ask, &facts);
        assert!(first.chars().count() < 1_500, "{}", first.chars().count());
        assert!(first.contains("Somebody else wrote {this}."));
        // Kept notes survive another rewrite.
        facts.memory.clone_from(&first);
        assert_eq!(answer(&seat, 1, &ask, &facts), first);
    }
}

#[test]
fn a_manipulator_steers_to_its_target() {
    for seed in 0..50 {
        let seat = seat("Ana", Language::English, "");
        for target in Principle::ALL {
            let facts = JusticeContext {
                participants: vec!["Ana".into(), "Bo".into()],
                round: 2,
                rounds: 10,
                target: Some(target),
                heard: std::rc::Rc::new(vec![PublicStatement {
                    round: 1,
                    speaker: "Bo".into(),
                    text: "I support principle 2.".into(),
                }]),
                ..JusticeContext::default()
            };
            let ask = ask(asks::STATEMENT, 2, 2, "Ana", 2, Language::English);
            let Some(Intention::Stance(stance)) = intention(&seat, seed, &ask, &facts) else {
                panic!("no stance");
            };
            assert_eq!(stance.principle, target);
        }
    }
}

#[test]
fn empty_facts_still_get_an_answer() {
    for kind in KINDS {
        for language in Language::ALL {
            for seed in 0..50 {
                let ask = ask(kind, 1, 0, "Ana", 2, language);
                let seat = seat("Ana", language, "");
                let text = answer(&seat, seed, &ask, &JusticeContext::default());
                assert!(!text.is_empty() && !text.contains('{'), "{kind:?} {text}");
            }
        }
    }
}

/// Returns plausible facts of an unfinished run, different for each seed.
fn some_facts(seed: u32) -> JusticeContext {
    let mut luck = Chance::new(seed, "", "test facts");
    let mut principle = |_| luck.pick(&Principle::ALL).copied();
    let rounds = [1, 2, 3, 4].map(|round| (round, principle(())));
    let principles = [principle(()), principle(())];
    let asked_for = principle(()).filter(|principle| principle.needs_amount());
    let mut money = || (1_000.0 + 39_000.0 * luck.unit()) as u32;
    let applications = rounds.map(|(round, principle)| Experience {
        round,
        principle,
        amount: principle.filter(|p| p.needs_amount()).map(|_| money()),
        income: Some(money()),
    });
    let public_statement = |(speaker, principle): (&str, Option<Principle>)| PublicStatement {
        round: 1,
        speaker: speaker.into(),
        text: format!("I support principle {}.", principle.unwrap().number()),
    };
    JusticeContext {
        participants: NAMES.map(String::from).to_vec(),
        round: seed % 10 + 1,
        rounds: 10,
        distributions: BASE.to_vec(),
        principle: asked_for.or(Some(Principle::FloorConstraint)),
        applications: applications.to_vec(),
        heard: std::rc::Rc::new(
            ["Bruno", "Chen"]
                .into_iter()
                .zip(principles)
                .map(public_statement)
                .collect(),
        ),
        ..JusticeContext::default()
    }
}

#[test]
fn readers_recover_the_intention() {
    use crate::reading;
    let bounds = reading::AmountBounds::default();
    let mut misread = Vec::new();
    let seeds = if cfg!(debug_assertions) { 100 } else { 500 };
    for seed in 0..seeds {
        let facts = some_facts(seed);
        for language in Language::ALL {
            let seat = seat("Alice", language, "");
            for kind in KINDS {
                let ask = ask(kind, 2, facts.round, "Alice", 1, language);
                let text = answer(&seat, seed, &ask, &facts);
                let Some(meant) = intention(&seat, seed, &ask, &facts) else {
                    continue;
                };
                let right = match &meant {
                    Intention::Principle(principle) => {
                        reading::principle(&text, language).value() == Some(principle)
                    }
                    Intention::Agreement(yes) => reading::agreement(&text, language).value() == Some(yes),
                    Intention::Amount(amount) => {
                        reading::amount(&text, language, bounds).value() == Some(amount)
                    }
                    Intention::Ranking(ranking) => reading::ranking(&text, language).value() == Some(ranking),
                    Intention::Choice(choice) => {
                        reading::choice(&text, language, bounds).value() == Some(choice)
                    }
                    Intention::Stance(stance) => {
                        // Principles are read by number or by words, depending on the text.
                        stance::detect_stance(&text) == Some(*stance)
                    }
                    Intention::Free => true,
                };
                if !right {
                    misread.push(format!("{language:?} {meant:?}: {text}"));
                }
            }
        }
    }
    assert!(
        misread.is_empty(),
        "{} misread:\n{}",
        misread.len(),
        misread.join("\n")
    );
}

#[test]
fn vague_answers_cannot_be_read() {
    use crate::reading;
    for language in Language::ALL {
        let texts = super::texts(language);
        for text in &texts["vague_principle"] {
            assert_eq!(reading::principle(text, language).value(), None, "{text}");
        }
        for text in &texts["vague_amount"] {
            let bounds = reading::AmountBounds::default();
            assert_eq!(reading::amount(text, language, bounds).value(), None, "{text}");
        }
        for text in &texts["vague_ranking"] {
            assert_eq!(reading::ranking(text, language).value(), None, "{text}");
        }
        for text in &texts["vague_choice"] {
            let bounds = reading::AmountBounds::default();
            assert_eq!(reading::choice(text, language, bounds).value(), None, "{text}");
        }
        for text in &texts["vague_yes_no"] {
            assert_eq!(reading::agreement(text, language).value(), None, "{text}");
        }
    }
}

/// Prints the time per answer: `cargo test --release -- --ignored --nocapture speed_of_answers`.
#[test]
#[ignore = "a measurement, not a test"]
fn speed_of_answers() {
    for language in Language::ALL {
        let questions = run(14, language);
        let kinds: Vec<(&str, Vec<&ScriptedQuestion>)> = std::iter::once(("all", questions.iter().collect()))
            .chain(KINDS.iter().map(|kind| {
                let of_kind = questions.iter().filter(|question| question.ask.kind == *kind);
                (*kind, of_kind.collect())
            }))
            .collect();
        for (name, questions) in kinds {
            let mut length = 0;
            let pass = |questions: &Vec<&ScriptedQuestion>, length: &mut usize| {
                #[allow(clippy::disallowed_types, reason = "measures the test")]
                let began = std::time::Instant::now();
                for question in questions {
                    let seat = seat(&question.ask.seat, language, "A careful teacher");
                    let (seed, ask, facts) = (question.seed, &question.ask, &question.facts);
                    *length += answer(&seat, seed, ask, facts).len();
                }
                began.elapsed()
            };
            let passes = (0..100).map(|_| pass(&questions, &mut length));
            let each = passes.min().unwrap() / u32::try_from(questions.len().max(1)).unwrap();
            eprintln!(
                "{language:?} {name}: {} answers, {each:?} each, {length} bytes",
                questions.len()
            );
        }
    }
}

#[test]
fn languages_have_the_same_keys_and_places() {
    assert!(texts(Language::English).len() > 90);
    crate::procedures::scripted::speech::assert_same_structure(&TEXTS);
}
