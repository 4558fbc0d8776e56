//! What the results show: payoffs, rankings and votes as tables and charts, from the items that the role may see.

use super::items::{Application, Ballot, DistributionItem, ParticipantData, PayoffItem, Private, Vote};
use super::wording::{POINTS, class, payoff, principle, principles};
use crate::core::block::{Block, Chart, Line, Shape, Table};
use crate::core::view::{Person, Transcript, TypedData};
use crate::language::format::amount;
use crate::language::words::Words;
use crate::principle::{Principle, Ranking};
use crate::procedures::justice::event::{AppliedRound, Payout, VoteStatus};
use crate::procedures::justice::prompts::parts;
use crate::procedures::justice::settings::Wording;

pub(super) struct Results<'a> {
    pub(super) transcript: &'a Transcript,
    pub(super) words: &'a Words,
    pub(super) wording: Wording,
    /// Moments at which rankings are asked for.
    pub(super) moments: &'a [&'static str],
}

fn section(title: String, blocks: Vec<Block>) -> Option<Block> {
    (!blocks.is_empty()).then_some(Block::Section { title, blocks })
}

impl Results<'_> {
    pub(super) fn blocks(&self) -> Vec<Block> {
        let payoffs = self.payoffs();
        let drawn = self.all::<DistributionItem>().next();
        let drawn = drawn.map_or_else(Vec::new, |item| {
            let factor = (item.drawn.multiplier * 10_000.0).round() / 10_000.0;
            let multiplier = self.words.text("view.multiplier", &[("factor", &factor)]);
            vec![Block::text(multiplier), item.drawn.table(self.words)]
        });
        let charts = [
            self.payoff_chart(&payoffs),
            self.ranking_chart(),
            self.vote_chart(),
        ];
        let sections = [
            section(self.label("view.payoffs"), self.payoff_table(&payoffs)),
            section(self.label("view.distributions.title"), drawn),
            section(self.label("view.terms"), vec![principles(self.words)]),
            section(self.label("view.rankings"), self.ranking_table()),
            section(self.label("view.phase1"), self.applications()),
        ];
        let [paid, rest @ ..] = sections;
        let charts = charts.into_iter().flatten();
        paid.into_iter()
            .chain(charts)
            .chain(rest.into_iter().flatten())
            .collect()
    }

    fn label(&self, key: &str) -> String {
        self.words.text(key, &[])
    }

    fn labels(&self, keys: &[&str]) -> Vec<String> {
        keys.iter().map(|key| self.label(key)).collect()
    }

    fn all<T: TypedData>(&self) -> impl Iterator<Item = &T> {
        self.transcript.items().iter().filter_map(|item| item.get())
    }

    fn payoffs(&self) -> Vec<&Payout> {
        self.all::<PayoffItem>()
            .filter_map(|item| item.paid.as_ref())
            .collect()
    }

    fn payoff_table(&self, payoffs: &[&Payout]) -> Vec<Block> {
        if payoffs.is_empty() {
            return Vec::new();
        }
        let row = |paid: &&Payout| {
            vec![
                paid.seat.clone(),
                payoff(paid.bank, self.words),
                class(&paid.class, self.words),
                amount(paid.income),
                payoff(paid.bank - paid.payoff, self.words),
                payoff(paid.payoff, self.words),
            ]
        };
        let columns = [
            "view.participant",
            "view.total",
            "justice.table.class",
            "view.income",
            "view.phase1.earned",
            "view.phase2.earned",
        ];
        let table = Table {
            columns: self.labels(&columns),
            rows: payoffs.iter().map(row).collect(),
            has_seats: true,
            ..Table::default()
        };
        vec![Block::text(self.label("view.payoffs.text")), Block::Table(table)]
    }

    fn line(&self, one: Principle, values: Vec<Option<f64>>) -> Line {
        Line {
            label: format!("{} {}", one.number(), parts::principle_short(self.words, one)),
            number: Some(one.number().into()),
            values,
            ..Line::default()
        }
    }

    /// What was paid, and what each principle would have paid in the same class.
    fn payoff_chart(&self, payoffs: &[&Payout]) -> Option<Block> {
        if payoffs.is_empty() {
            return None;
        }
        let scale = match self.wording {
            Wording::Study => 1.0,
            Wording::Class => POINTS,
        };
        let paid = Line {
            label: self.label("view.paid"),
            strong: true,
            values: payoffs.iter().map(|paid| Some(paid.payoff * scale)).collect(),
            ..Line::default()
        };
        let would_be = Principle::ALL.map(|one| {
            let value = |paid: &&Payout| Some(paid.counterfactuals.get(one.id())? * scale);
            self.line(one, payoffs.iter().map(value).collect())
        });
        Some(Block::Chart(Box::new(Chart {
            shape: Shape::Bars,
            title: self.label("view.chart.payoffs"),
            text: self.label("view.chart.payoffs.text"),
            unit: self.label("view.dollars"),
            x: payoffs.iter().map(|paid| paid.seat.clone()).collect(),
            lines: std::iter::once(paid).chain(would_be).collect(),
            ..Chart::default()
        })))
    }

    fn private(&self) -> impl Iterator<Item = (&Person, &Private)> {
        let people = self.transcript.people.iter();
        people.filter_map(|person| Some((person, person.get::<ParticipantData>()?.private.as_ref()?)))
    }

    fn moment_labels(&self) -> Vec<String> {
        let label = |moment: &&str| self.label(&format!("view.moment.{moment}"));
        self.moments.iter().map(label).collect()
    }

    /// The mean place of each principle over time.
    fn ranking_chart(&self) -> Option<Block> {
        self.private().next()?;
        let place = |one: Principle, moment: &str| {
            let places: Vec<f64> = self
                .private()
                .filter_map(|(_, own)| own.rankings.get(moment)?.as_ref())
                .filter_map(|ranking| ranking.order.iter().position(|other| *other == one))
                .map(|place| place as f64 + 1.0)
                .collect();
            (!places.is_empty()).then(|| places.iter().sum::<f64>() / places.len() as f64)
        };
        let line = |one| {
            self.line(
                one,
                self.moments.iter().map(|moment| place(one, moment)).collect(),
            )
        };
        Some(Block::Chart(Box::new(Chart {
            shape: Shape::Places,
            title: self.label("view.chart.rankings"),
            text: self.label("view.chart.rankings.text"),
            unit: self.label("view.place"),
            x: self.moment_labels(),
            range: Some([1.0, 4.0]),
            lines: Principle::ALL.map(line).to_vec(),
            ..Chart::default()
        })))
    }

    fn ranking_table(&self) -> Vec<Block> {
        let cell = |ranking: &Option<Ranking>| {
            ranking.as_ref().map_or_else(
                || self.label("view.ranking.missing"),
                |ranking| {
                    let numbers = ranking.order.map(|one| one.number().to_string()).join(", ");
                    let certainty = parts::certainty_name(self.words, ranking.certainty);
                    format!("{numbers} ({certainty})")
                },
            )
        };
        let row = |(person, own): (&Person, &Private)| {
            let cells = self
                .moments
                .iter()
                .map(|moment| own.rankings.get(*moment).map_or_else(String::new, cell));
            std::iter::once(person.name.clone()).chain(cells).collect()
        };
        let rows: Vec<Vec<String>> = self.private().map(row).collect();
        if rows.is_empty() {
            return Vec::new();
        }
        let columns = std::iter::once(self.label("view.participant")).chain(self.moment_labels());
        vec![Block::Table(Table {
            title: self.label("view.rankings.text"),
            columns: columns.collect(),
            rows,
            has_seats: true,
            ..Table::default()
        })]
    }

    /// The votes of each ballot by principle. A participant does not see those of others.
    fn vote_chart(&self) -> Option<Block> {
        if !self.transcript.is_owner() {
            return None;
        }
        let ballots: Vec<_> = self
            .all::<Vote>()
            .filter_map(|vote| vote.ballot.as_ref())
            .collect();
        if ballots.is_empty() {
            return Some(Block::text(self.label("view.chart.votes.none")));
        }
        let counts = |chosen: Option<Principle>| {
            let count = |ballot: &&Ballot| {
                let kept = ballot.votes.iter().filter(|vote| match chosen {
                    Some(one) => vote.status == VoteStatus::Valid && vote.principle == Some(one),
                    None => vote.status != VoteStatus::Valid,
                });
                Some(kept.count() as f64)
            };
            ballots.iter().map(count).collect::<Vec<_>>()
        };
        let invalid = Line {
            label: self.label("view.invalid"),
            values: counts(None),
            ..Line::default()
        };
        let by_principle = Principle::ALL.map(|one| self.line(one, counts(Some(one))));
        let round = |ballot: &&Ballot| self.words.text("view.round", &[("round", &ballot.round)]);
        Some(Block::Chart(Box::new(Chart {
            shape: Shape::Stacked,
            title: self.label("view.chart.votes"),
            text: self.label("view.chart.votes.text"),
            unit: self.label("view.votes"),
            x: ballots.iter().map(round).collect(),
            lines: by_principle.into_iter().chain([invalid]).collect(),
            ..Chart::default()
        })))
    }

    /// The rounds of phase 1: choices, what they paid and what each principle would have paid.
    fn applications(&self) -> Vec<Block> {
        let row = |applied: &AppliedRound| {
            let round = match &applied.situation {
                Some(situation) => format!("{} ({situation})", applied.round),
                None => applied.round.to_string(),
            };
            let choice = applied.principle.map_or_else(
                || self.label("view.application.none"),
                |chosen| principle(chosen, applied.amount, self.words).name,
            );
            let certainty = applied
                .certainty
                .map(|sure| parts::certainty_name(self.words, Some(sure)));
            let class = applied.class.as_deref().map(|id| class(id, self.words));
            let mut row = vec![applied.seat.clone(), round, choice];
            let cells = [
                certainty,
                applied.distribution.map(|number| number.to_string()),
                class,
                applied.income.map(amount),
                Some(payoff(applied.payoff, self.words)),
                Some(payoff(applied.bank, self.words)),
            ];
            let would_be =
                Principle::ALL.map(|one| Some(payoff(*applied.same_class.get(one.id())?, self.words)));
            row.extend(
                cells
                    .into_iter()
                    .chain(would_be)
                    .map(|cell| cell.unwrap_or_else(|| "–".to_owned())),
            );
            row
        };
        let mut rounds: Vec<_> = self
            .all::<Application>()
            .filter_map(|item| item.applied.as_ref())
            .collect();
        let place = |name: &str| self.transcript.find_person(name).map(|person| person.index);
        rounds.sort_by_key(|applied| (place(&applied.seat), applied.round));
        if rounds.is_empty() {
            return Vec::new();
        }
        let columns = [
            "view.participant",
            "view.application.round",
            "view.choice",
            "view.certainty",
            "view.distribution",
            "justice.table.class",
            "view.income",
            "view.payoff",
            "view.bank.title",
        ];
        let short = Principle::ALL.map(|one| parts::principle_short(self.words, one));
        let table = Table {
            title: self.label("view.same_class"),
            columns: self.labels(&columns).into_iter().chain(short).collect(),
            rows: rounds.into_iter().map(row).collect(),
            has_seats: true,
            ..Table::default()
        };
        vec![Block::Fold {
            title: self.label("view.phase1.all"),
            blocks: vec![Block::Table(table)],
        }]
    }
}
