//! Report for people in the language of the run: outcome, participants, choices, statements, votes, payoffs and random
//! draws. Free text is escaped. Private reasoning, memories and prompts are only in the other formats.

use super::discussion;
use super::escape::inline;
use super::run::Run;
use crate::core::record::EntryKind;
use crate::language::Language;
use crate::language::format::timestamp as iso;
use crate::language::format::{amount, money};
use crate::language::in_each_language;
use crate::language::words::{Texts, Words};
use crate::principle::{Principle, Ranking};
use crate::procedures::justice;
use crate::procedures::justice::event::{AppliedRound, Event, Moment};
use crate::procedures::justice::prompts::parts;
use crate::procedures::justice::settings::{NoConsensus, Profile};
use crate::seat::SeatKind;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Display;

pub(super) fn report(run: &Run) -> String {
    let language = run.settings.language;
    let mut report = Report::new(
        [&justice::TEXTS, &justice::REPORT],
        language,
        &run.settings.prompts,
    );
    report.write_head(run);
    report.write_participants(run);
    report.write_phase1(run);
    discussion::write(&mut report, run);
    report.write_payoffs(run);
    report.write_rankings(run);
    report.write_warnings(run);
    super::costs::write(&mut report, run.record);
    report.write_draws(run);
    report.text
}

/// Custom texts of a configuration, by language and key.
type Prompts = BTreeMap<String, BTreeMap<String, String>>;

/// Writer of a localized report.
pub(super) struct Report {
    text: String,
    words: Words,
}

/// Texts of all reports. A configuration cannot replace them, since they are not part of any prompt.
pub static TEXTS: Texts = Texts::new(in_each_language!("words"));

/// Placeholder for missing values.
const NONE: &str = "—";

impl Report {
    /// Creates an empty report with the texts of a procedure and its report, and the custom texts of a configuration.
    pub(super) fn new(texts: [&'static Texts; 2], language: Language, custom: &Prompts) -> Self {
        let none = BTreeMap::new();
        let custom = custom.get(language.code()).unwrap_or(&none);
        let [texts, report] = texts;
        let words = Words::new(texts, language, custom);
        Self {
            text: String::new(),
            words: words.and(report).and(&TEXTS),
        }
    }

    pub(super) fn finish(self) -> String {
        self.text
    }

    /// Returns a label, escaped.
    pub(super) fn label(&self, key: &str, values: &[(&str, &dyn Display)]) -> String {
        inline(&self.words.text(key, values))
    }

    /// Returns a label without variables, not escaped.
    pub(super) fn plain(&self, key: &str) -> String {
        self.words.text(key, &[])
    }

    pub(super) fn heading(&mut self, level: usize, text: &str) {
        self.block(&format!("{} {text}", "#".repeat(level)));
    }

    /// Adds a block of escaped text.
    pub(super) fn block(&mut self, text: &str) {
        self.text.push_str(text);
        self.text.push_str("\n\n");
    }

    pub(super) fn table(&mut self, columns: &[String], rows: &[Vec<String>]) {
        let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
        self.text.push_str(&line(columns));
        self.text.push_str(&line(&vec!["---".to_owned(); columns.len()]));
        for row in rows {
            self.text.push_str(&line(row));
        }
        self.text.push('\n');
    }

    pub(super) fn labels(&self, keys: &[&str]) -> Vec<String> {
        keys.iter().map(|key| self.label(key, &[])).collect()
    }

    /// Returns a principle with its amount, not escaped.
    pub(super) fn choice(&self, principle: Principle, amount: Option<u32>) -> String {
        parts::choice(&self.words, principle, amount)
    }

    pub(super) fn principle(&self, principle: Principle) -> String {
        parts::principle_name(&self.words, principle)
    }

    fn short_principles(&self) -> impl Iterator<Item = String> {
        Principle::ALL
            .into_iter()
            .map(|principle| inline(&parts::principle_short(&self.words, principle)))
    }

    fn class(&self, id: &str) -> String {
        let key = format!("justice.class.{id}");
        if justice::TEXTS.has(&key) {
            inline(&self.words.text(&key, &[]))
        } else {
            inline(id)
        }
    }

    pub(super) fn names<S: AsRef<str>>(&self, names: &[S]) -> String {
        parts::names(&self.words, names)
    }

    fn write_head(&mut self, run: &Run) {
        let title = run
            .head
            .config
            .get("title")
            .and_then(Value::as_str)
            .filter(|title| !title.trim().is_empty());
        let title = title.map_or_else(|| self.label("untitled", &[]), inline);
        self.heading(1, &title);
        let outcome = self.outcome(run);
        self.block(&outcome);
        let simulated: Vec<&str> = run
            .settings
            .participants
            .iter()
            .filter(|participant| participant.seat.kind == SeatKind::Scripted)
            .map(|participant| participant.seat.name.as_str())
            .collect();
        if !simulated.is_empty() {
            let names = self.names(&simulated);
            self.block(&format!("**{}**", self.label("simulated", &[("names", &names)])));
        }
        self.heading(2, &self.label("run", &[]));
        let settings = &run.settings;
        let profile = match settings.profile {
            Profile::Default => "profile.default",
            Profile::Compat => "profile.compat",
        };
        let mut rows = vec![
            ("session", inline(&run.head.session)),
            ("engine", inline(&run.head.engine)),
            ("seed", run.head.seed.to_string()),
            ("hash", inline(&run.head.config_hash)),
            ("profile", self.label(profile, &[])),
            ("language", self.language(settings.language)),
            ("began", iso(run.began)),
            ("ended", run.ended.map_or(NONE.to_owned(), iso)),
        ];
        if let Some(from) = &run.head.forked_from {
            rows.push((
                "branch",
                self.label("branch.value", &[("session", &from.session), ("seq", &from.seq)]),
            ));
        }
        let mut rows: Vec<_> = rows
            .into_iter()
            .map(|(key, value)| vec![self.label(key, &[]), value])
            .collect();
        rows.extend(self.forms(run.record));
        self.table(&self.labels(&["field", "value"]), &rows);
    }

    fn outcome(&self, run: &Run) -> String {
        let agreed = run.events().find_map(|event| match event {
            Event::Counted {
                agreed: Some(principle),
                amount,
                round,
                ..
            } => Some((*principle, *amount, *round)),
            _ => None,
        });
        let held_rounds = run.events().filter_map(|event| match event {
            Event::Ordered { round, .. } => Some(*round),
            _ => None,
        });
        let rounds = held_rounds.max().unwrap_or(0);
        let limit = run.settings.phase2_rounds;
        let sentence = match (agreed, run.ended) {
            (Some((principle, amount, round)), _) => {
                let choice = self.choice(principle, amount);
                self.label(
                    "outcome.agreed",
                    &[("choice", &choice), ("rounds", &round), ("limit", &limit)],
                )
            }
            (None, Some(_)) => self.label("outcome.disagreed", &[("rounds", &rounds), ("limit", &limit)]),
            (None, None) => String::new(),
        };
        let open = if run.ended.is_none() {
            self.label("outcome.open", &[])
        } else {
            String::new()
        };
        format!("{sentence} {open}").trim().to_owned()
    }

    fn language(&self, language: Language) -> String {
        self.label(&format!("language.{}", language.code()), &[])
    }

    fn write_participants(&mut self, run: &Run) {
        self.heading(2, &self.label("participants", &[]));
        let row = |participant: &crate::procedures::justice::settings::Participant| {
            let seat = &participant.seat;
            let kind = match seat.kind {
                SeatKind::Scripted => "kind.scripted",
                SeatKind::Model => "kind.model",
                SeatKind::Human => "kind.human",
                SeatKind::Recorded => "kind.recorded",
                SeatKind::Custom | SeatKind::Source => "kind.custom",
            };
            vec![
                inline(&seat.name),
                self.label(kind, &[]),
                seat.model.as_deref().map_or(NONE.to_owned(), inline),
                seat.temperature
                    .map_or(NONE.to_owned(), |temperature| temperature.to_string()),
                self.language(seat.language),
                inline(&seat.personality),
            ]
        };
        let rows: Vec<_> = run.settings.participants.iter().map(row).collect();
        let columns = [
            "participant",
            "kind",
            "model",
            "temperature",
            "language",
            "personality",
        ];
        self.table(&self.labels(&columns), &rows);
    }

    fn write_phase1(&mut self, run: &Run) {
        let mut rows = Vec::new();
        for name in names(run) {
            rows.extend(run.events().filter_map(|event| match event {
                Event::Applied(applied) if applied.seat == name => Some(self.application(applied)),
                _ => None,
            }));
        }
        if rows.is_empty() {
            return;
        }
        self.heading(2, &self.label("phase1", &[]));
        self.block(&self.label("same_class", &[]));
        let columns = [
            "participant",
            "round",
            "choice",
            "certainty",
            "distribution",
            "class",
            "income",
            "payoff",
            "bank",
        ];
        let columns: Vec<_> = self
            .labels(&columns)
            .into_iter()
            .chain(self.short_principles())
            .collect();
        self.table(&columns, &rows);
    }

    fn application(&self, applied: &AppliedRound) -> Vec<String> {
        let round = &applied.round;
        let round = match &applied.situation {
            Some(situation) => self.label("situation", &[("round", round), ("situation", situation)]),
            None => round.to_string(),
        };
        let choice = applied.principle.map_or_else(
            || self.label("no_choice", &[]),
            |principle| inline(&self.choice(principle, applied.amount)),
        );
        let class = applied.class.as_deref();
        let mut row = vec![
            inline(&applied.seat),
            round,
            choice,
            applied.certainty.map_or(NONE.to_owned(), |certainty| {
                inline(&parts::certainty_name(&self.words, Some(certainty)))
            }),
            applied
                .distribution
                .map_or(NONE.to_owned(), |number| number.to_string()),
            class.map_or(NONE.to_owned(), |class| self.class(class)),
            applied.income.map_or(NONE.to_owned(), amount),
            dollars(applied.payoff),
            dollars(applied.bank),
        ];
        row.extend(by_principle(&applied.same_class));
        row
    }

    fn write_payoffs(&mut self, run: &Run) {
        let drawn = run.events().find(|event| matches!(event, Event::Drawn { .. }));
        let Some(Event::Drawn {
            multiplier,
            distributions,
            distribution,
            no_consensus,
            ..
        }) = drawn
        else {
            return;
        };
        self.heading(2, &self.label("payoffs", &[]));
        self.block(&format!(
            "{}:",
            self.label("payoffs.incomes", &[("multiplier", multiplier)])
        ));
        let column = |(number, _): (u32, _)| {
            inline(
                &self
                    .words
                    .text("justice.table.distribution", &[("number", &number)]),
            )
        };
        let columns: Vec<_> = self
            .labels(&["class"])
            .into_iter()
            .chain((1..).zip(distributions).map(column))
            .collect();
        let classes = ["high", "medium_high", "medium", "medium_low", "low"];
        let row = |(index, class): (usize, &&str)| {
            let incomes = distributions
                .iter()
                .filter_map(|incomes| incomes.get(index).copied())
                .map(amount);
            std::iter::once(self.class(class))
                .chain(incomes)
                .collect::<Vec<_>>()
        };
        let rows: Vec<_> = classes.iter().enumerate().map(row).collect();
        self.table(&columns, &rows);
        if let Some(number) = distribution.filter(|_| no_consensus.is_none()) {
            self.block(&self.label("payoffs.agreed", &[("number", &number)]));
        }
        if let Some(rule) = no_consensus {
            let rule = match serde_json::from_value::<NoConsensus>(rule.as_str().into()) {
                Ok(_) => self.plain(&format!("rule.{rule}")),
                Err(_) => rule.clone(),
            };
            self.block(&self.label("payoffs.rule", &[("rule", &rule)]));
        }
        self.block(&self.label("same_class", &[]));
        let paid = run.events().filter_map(|event| match event {
            Event::Paid(paid) => {
                let mut row = vec![
                    inline(&paid.seat),
                    self.class(&paid.class),
                    paid.distribution.to_string(),
                    amount(paid.income),
                    dollars(paid.bank - paid.payoff),
                    dollars(paid.payoff),
                    dollars(paid.bank),
                ];
                row.extend(by_principle(&paid.counterfactuals));
                Some(row)
            }
            _ => None,
        });
        let rows: Vec<_> = paid.collect();
        let columns = [
            "participant",
            "class",
            "distribution",
            "income",
            "phase1.earned",
            "phase2.earned",
            "total",
        ];
        let columns: Vec<_> = self
            .labels(&columns)
            .into_iter()
            .chain(self.short_principles())
            .collect();
        self.table(&columns, &rows);
    }

    fn write_rankings(&mut self, run: &Run) {
        let moments = [
            Moment::Initial,
            Moment::PostExplanation,
            Moment::AfterApplications,
            Moment::AfterResults,
        ];
        let mut given: BTreeMap<(&str, usize), &Option<Ranking>> = BTreeMap::new();
        for event in run.events() {
            if let Event::Ranked {
                seat,
                moment,
                ranking,
            } = event
            {
                let index = moments
                    .iter()
                    .position(|known| known == moment)
                    .unwrap_or_default();
                given.insert((seat, index), ranking);
            }
        }
        if given.is_empty() {
            return;
        }
        self.heading(2, &self.label("rankings", &[]));
        self.block(&self.label("rankings.note", &[]));
        let format_ranking = |ranking: &Ranking| {
            let numbers: Vec<_> = ranking
                .order
                .iter()
                .map(|principle| principle.number().to_string())
                .collect();
            format!(
                "{} ({})",
                numbers.join(", "),
                inline(&parts::certainty_name(&self.words, ranking.certainty))
            )
        };
        let row = |name: &str| {
            let cells = (0..moments.len()).map(|index| match given.get(&(name, index)) {
                Some(Some(ranking)) => format_ranking(ranking),
                Some(None) => NONE.to_owned(),
                None => String::new(),
            });
            std::iter::once(inline(name)).chain(cells).collect::<Vec<_>>()
        };
        let rows: Vec<_> = names(run).map(row).collect();
        let columns = [
            "participant",
            "moment.initial",
            "moment.post_explanation",
            "moment.after_applications",
            "moment.after_results",
        ];
        self.table(&self.labels(&columns), &rows);
        let legend: Vec<_> = Principle::ALL
            .map(|principle| format!("{} = {}", principle.number(), inline(&self.principle(principle))))
            .to_vec();
        self.block(&legend.join("; "));
    }

    fn write_warnings(&mut self, run: &Run) {
        self.heading(2, &self.label("warnings", &[]));
        let mut lines: Vec<String> = run
            .events()
            .filter_map(|event| match event {
                Event::Warned {
                    code,
                    seat,
                    round,
                    message,
                } => {
                    let about = seat.iter().cloned().chain(round.map(|round| round.to_string()));
                    let about = about.map(|each| inline(&each)).collect::<Vec<_>>().join(", ");
                    let about = if about.is_empty() {
                        about
                    } else {
                        format!(" ({about})")
                    };
                    Some(format!("- {}{about}: {}", inline(code), inline(message)))
                }
                _ => None,
            })
            .collect();
        if run.unknown > 0 {
            lines.push(format!(
                "- {}",
                self.label("warnings.unknown", &[("count", &run.unknown)])
            ));
        }
        if lines.is_empty() {
            lines.push(self.label("warnings.none", &[]));
        }
        self.block(&lines.join("\n"));
    }

    fn write_draws(&mut self, run: &Run) {
        let rows: Vec<Vec<String>> = run
            .record
            .iter()
            .filter_map(|entry| match &entry.what {
                EntryKind::Drew {
                    stream,
                    purpose,
                    value,
                } => Some(vec![inline(stream), inline(purpose), inline(value.json())]),
                _ => None,
            })
            .collect();
        if !rows.is_empty() {
            self.heading(2, &self.label("draws", &[]));
            self.table(&self.labels(&["stream", "purpose", "value"]), &rows);
        }
    }
}

fn names<'a>(run: &'a Run) -> impl Iterator<Item = &'a str> {
    run.settings
        .participants
        .iter()
        .map(|participant| participant.seat.name.as_str())
}

fn dollars(value: f64) -> String {
    format!("${}", money(value))
}

fn by_principle(payoffs: &BTreeMap<String, f64>) -> impl Iterator<Item = String> {
    Principle::ALL.into_iter().map(|principle| {
        payoffs
            .get(principle.id())
            .map_or(NONE.to_owned(), |payoff| dollars(*payoff))
    })
}

#[cfg(test)]
mod tests;
