//! Forms of the experiment's questions, built from settings and facts. Values of principles and certainties
//! are their ids in every language. A reason field comes first, so that models give reasons before they
//! decide.

use super::CLASS_TEXTS;
use super::apply::apply;
use super::asks::QuestionContext;
use super::context::{Experience, JusticeContext};
use super::distribution::{Distribution, IncomeClass, Probabilities};
use super::event::Moment;
use super::phase1::EXAMPLES;
use super::prompts::parts;
use super::prompts::voting::rule;
use super::settings::{GuidanceStyle, NoConsensus, Settings, Wording};
use crate::core::form::{
    Choice, Field, Form, Incomes, Input, MAX_TEXT, Material, MaterialContent, Statement, Term,
};
use crate::language::Language;
use crate::language::format::{amount as dollars, grouped};
use crate::language::in_each_language;
use crate::language::words::{Texts, Words};
use crate::principle::{Certainty, Principle};
use crate::procedures::open_talk::MAX_MESSAGE;
use crate::reading;
use crate::seat::{Seat, SeatKind};
use std::collections::BTreeMap;
use std::fmt::Display;

/// Texts of the forms.
static TEXTS: Texts = Texts::new(in_each_language!("words/form"));

/// Usual step between amounts, in income dollars.
const AMOUNT_STEP: u32 = 500;

/// Returns the principle that a statement supports, by its name for classes or for studies.
fn favoured(statement: &str, language: Language) -> Option<Principle> {
    let none = BTreeMap::new();
    let class = Words::new(&CLASS_TEXTS, language, &none);
    let study = Words::new(&super::TEXTS, language, &none);
    let mut text = statement.to_lowercase();
    for principle in Principle::ALL {
        let name = |words| parts::principle_name(words, principle);
        text = text.replace(&name(&class).to_lowercase(), &name(&study));
    }
    reading::favoured(&text, language)
}

/// A question that needs a form.
pub(super) struct FormQuestion<'a> {
    kind: &'static str,
    words: &'a Words,
    settings: &'a Settings,
    facts: &'a JusticeContext,
    seat: &'a str,
    is_person: bool,
}

impl<'a> FormQuestion<'a> {
    pub(super) fn new(kind: &'static str, context: &'a QuestionContext) -> Self {
        let seat = &context.participant().seat;
        Self {
            kind,
            words: &context.words,
            settings: &context.settings,
            facts: &context.facts,
            seat: &seat.name,
            is_person: seat.kind == SeatKind::Human,
        }
    }

    fn form_text(&self, key: &str, values: &[(&str, &dyn Display)]) -> String {
        let (language, none) = (self.words.language(), BTreeMap::new());
        let words = match self.settings.wording {
            Wording::Study => Words::new(&TEXTS, language, &none),
            Wording::Class => Words::new(&CLASS_TEXTS, language, &none).and(&TEXTS),
        };
        words.text(&format!("justice.form.{key}"), values)
    }

    /// Returns a text for this kind of question.
    fn kind_text(&self, part: &str, values: &[(&str, &dyn Display)]) -> String {
        self.form_text(&format!("{}.{part}", self.kind), values)
    }

    fn form(&self, values: &[(&str, &dyn Display)], fields: Vec<Field>) -> Form {
        Form::new(self.words.language(), self.kind_text("question", values), fields)
    }

    /// Builds the form of a question that names its round and the number of rounds.
    fn round_form(&self, fields: Vec<Field>) -> Form {
        let JusticeContext { round, rounds, .. } = self.facts;
        self.form(&[("round", round), ("rounds", rounds)], fields)
    }

    pub(super) fn ranking(&self, moment: Moment) -> Form {
        let order = Input::Order {
            options: self.principles(),
            places: vec!["first", "second", "third", "fourth"],
        };
        let fields = vec![
            Field::thought("reason"),
            Field::new("order", self.form_text("order.label", &[]), order)
                .helped(self.form_text("order.help", &[])),
            self.certainty(|_| true).sending(),
        ];
        let mut form = self.form(&[], fields);
        if moment == Moment::Initial {
            let text = ["about.1", "about.2", "about.3"].map(|key| self.form_text(key, &[]));
            form.material.push(self.text("about.title", text.into()).folded());
        } else {
            form.material.extend(self.own_results());
        }
        self.with_task(form)
    }

    pub(super) fn explanation(&self) -> Form {
        let text = Input::Text {
            least: 0,
            most: MAX_TEXT,
            lines: 1,
        };
        let field = Field::new("text", self.kind_text("label", &[]), text).optional();
        let mut form = self.form(&[], vec![field]);
        form.material.extend(self.table());
        let terms = self.example_picks();
        let picks = Material::new(self.kind_text("picks", &[]), MaterialContent::Terms { terms });
        form.material.push(picks);
        form.send = self.kind_text("send", &[]);
        self.with_task(form)
    }

    pub(super) fn application(&self) -> Form {
        let mut fields = vec![Field::thought("reason"), self.principle()];
        fields.extend(self.amount_fields());
        let certainty = self.certainty(|certainty| certainty != Certainty::NoOpinion);
        // People in a class are asked less.
        let is_class = self.settings.wording == Wording::Class;
        fields.push(Field {
            thought: is_class,
            optional: is_class,
            ..certainty.sending()
        });
        let mut form = self.round_form(fields);
        form.material.extend(self.table());
        form.material.extend(self.own_results());
        form.send = self.form_text("choice.send", &[]);
        form.decides = true;
        self.with_task(form)
    }

    pub(super) fn missing_amount(&self) -> Form {
        let mut form = self.amount();
        form.material.extend(self.table());
        form.send = self.form_text("choice.send", &[]);
        self.with_task(form)
    }

    pub(super) fn ballot_amount(&self) -> Form {
        let mut form = self.amount();
        form.material.push(self.agreement());
        form.send = self.form_text("ballot.send", &[]);
        self.with_task(form)
    }

    fn amount(&self) -> Form {
        let principle = self.facts.principle.unwrap_or(Principle::FloorConstraint);
        let name = parts::principle_name(self.words, principle);
        let mut form = self.form(&[("principle", &name)], vec![self.amount_field(principle)]);
        form.decides = true;
        form
    }

    pub(super) fn initiation(&self) -> Form {
        self.vote(self.round_form(vec![self.vote_field()]))
    }

    pub(super) fn confirmation(&self) -> Form {
        let fields = vec![self.vote_field()];
        self.vote(match &self.facts.initiator {
            Some(initiator) => self.form(&[("initiator", initiator)], fields),
            None => Form::new(
                self.words.language(),
                self.kind_text("question_open", &[]),
                fields,
            ),
        })
    }

    fn vote_field(&self) -> Field {
        let side = |value: &str| Choice::new(value, self.kind_text(value, &[]));
        let answer = Input::YesNo {
            yes: side("yes"),
            no: side("no"),
            is_flag: false,
        };
        Field::new("answer", self.kind_text("label", &[]), answer).sending()
    }

    fn vote(&self, mut form: Form) -> Form {
        let rule = rule(self.words, self.settings.phase2.consensus_rule());
        let how = vec![self.form_text("vote.1", &[]), rule];
        form.material.push(self.text("vote.title", how).folded());
        self.with_task(form)
    }

    pub(super) fn ballot(&self) -> Form {
        let mut principle = self.principle();
        if self.settings.wording == Wording::Class
            && let Input::Choice { options, .. } = &mut principle.input
        {
            self.add_advocates(options);
            if options.iter().any(|option| !option.by.is_empty()) {
                principle.help = self.form_text("ballot.faces", &[]);
            }
        }
        let mut form = self.form(&[], vec![principle]);
        if self.is_person {
            form.fields.extend(self.amount_fields());
        }
        form.material.push(self.agreement());
        form.material.extend(self.own_results());
        form.send = self.form_text("ballot.send", &[]);
        form.decides = true;
        self.with_task(form)
    }

    pub(super) fn statement(&self) -> Form {
        let least = match self.words.language() {
            Language::Mandarin => self.settings.phase2.statement_min_length_cjk,
            _ => self.settings.phase2.statement_min_length,
        };
        let mut form = self.speech(Input::Text {
            least: least.max(1),
            most: MAX_TEXT,
            lines: 6,
        });
        let statements = &self.facts.heard;
        let own = statements
            .iter()
            .rposition(|statement| statement.speaker == self.seat);
        let since = statements.iter().skip(own.map_or(0, |own| own + 1));
        let recent: Vec<Statement> = since
            .map(|statement| Statement {
                who: statement.speaker.clone(),
                text: statement.text.clone(),
            })
            .collect();
        if !recent.is_empty() {
            let title = if own.is_some() { "since" } else { "first" };
            let shown = MaterialContent::Statements { said: recent };
            form.material
                .insert(0, Material::new(self.kind_text(title, &[]), shown).folded());
        }
        self.with_task(form)
    }

    pub(super) fn message(&self) -> Form {
        let form = self.speech(Input::Text {
            least: 1,
            most: MAX_MESSAGE,
            lines: 2,
        });
        self.with_task(form)
    }

    /// Builds the form of something said to the group.
    fn speech(&self, text: Input) -> Form {
        let favored = Input::Choice {
            options: self.principles(),
            none: None,
        };
        let mut fields = vec![
            Field::new("text", self.kind_text("label", &[]), text),
            Field::apart("favored_principle", favored),
            Field::apart("favored_amount", self.amount_input()),
        ];
        if self.settings.phase2.memory.guidance_style == GuidanceStyle::Structured {
            fields.extend(["topic", "key_point", "theory"].map(Field::thought));
        }
        let mut form = self.round_form(fields);
        let rule = match self.settings.phase2.no_consensus {
            NoConsensus::IndividualDistribution => "justice.no_consensus.individual_distribution.rule",
            NoConsensus::GroupDistribution => "justice.no_consensus.group_distribution.rule",
            NoConsensus::RandomPrinciple => "justice.no_consensus.random_principle.rule",
        };
        let none = vec![self.words.text(rule, &[])];
        form.material.push(self.text("statement.none", none).folded());
        form.material.extend(self.own_results());
        form.send = self.kind_text("send", &[]);
        form
    }

    pub(super) fn private_text(&self) -> Form {
        let text = Input::Text {
            least: 1,
            most: MAX_TEXT,
            lines: 6,
        };
        let mut form = self.form(&[], vec![Field::new("text", self.kind_text("label", &[]), text)]);
        if !self.facts.news.is_empty() {
            let news = self.facts.news.lines().map(str::to_owned).collect();
            form.material.push(self.text("memory_update.news", news));
        }
        self.with_task(form)
    }

    fn text(&self, title: &str, text: Vec<String>) -> Material {
        Material::new(self.form_text(title, &[]), MaterialContent::Text { text })
    }

    fn principle(&self) -> Field {
        let options = self.principles();
        Field::new(
            "principle",
            self.form_text("principle.label", &[]),
            Input::Choice { options, none: None },
        )
    }

    fn principles(&self) -> Vec<Choice> {
        let choice = |principle| Choice {
            about: parts::principle_description(self.words, principle),
            ..Choice::new(principle.id(), parts::principle_name(self.words, principle))
        };
        Principle::ALL.into_iter().map(choice).collect()
    }

    /// Adds to each principle who last argued for it in the discussion.
    fn add_advocates(&self, options: &mut [Choice]) {
        for participant in &self.settings.participants {
            let Seat { name, language, .. } = &participant.seat;
            let own = self.facts.heard.iter().rev();
            let own = own.filter(|statement| statement.speaker == *name);
            let favoured = own
                .filter_map(|statement| favoured(&statement.text, *language))
                .next();
            let is_it = |option: &&mut Choice| Some(option.value.as_str()) == favoured.map(Principle::id);
            let option = options.iter_mut().find(is_it);
            option.into_iter().for_each(|option| option.by.push(name.clone()));
        }
    }

    fn certainty(&self, fits: impl Fn(Certainty) -> bool) -> Field {
        let all = [
            Certainty::VeryUnsure,
            Certainty::Unsure,
            Certainty::NoOpinion,
            Certainty::Sure,
            Certainty::VerySure,
        ];
        let choice = |certainty: Certainty| {
            let name = parts::certainty_name(self.words, Some(certainty));
            Choice::new(certainty.id(), name)
        };
        let fitting = all.into_iter().filter(|certainty| fits(*certainty));
        let options = fitting.map(choice).collect();
        let label = self.form_text("certainty.label", &[]);
        Field::new("certainty", label, Input::Certainty { options })
    }

    /// Returns the amount fields of the two principles that need one.
    fn amount_fields(&self) -> [Field; 2] {
        [Principle::FloorConstraint, Principle::RangeConstraint]
            .map(|principle| self.amount_field(principle).when("principle", [principle.id()]))
    }

    fn amount_field(&self, principle: Principle) -> Field {
        let label = match principle {
            Principle::RangeConstraint => "amount.range",
            _ => "amount.floor",
        };
        Field::new("amount", self.form_text(label, &[]), self.amount_input())
            .helped(self.form_text("amount.help", &[]))
    }

    fn amount_input(&self) -> Input {
        Input::Amount {
            unit: "$",
            least: self.settings.phase2.amount_min,
            most: self.settings.phase2.amount_max,
            step: AMOUNT_STEP,
        }
    }

    fn agreement(&self) -> Material {
        let rule = rule(self.words, self.settings.phase2.consensus_rule());
        self.text("consensus.title", vec![rule]).folded()
    }

    fn distributions(&self) -> (Vec<Distribution>, Option<Probabilities>) {
        let all = self
            .facts
            .distributions
            .iter()
            .map(|incomes| Distribution(*incomes));
        let probabilities = self
            .facts
            .probabilities
            .and_then(|values| Probabilities::new(values).ok());
        (all.collect(), probabilities)
    }

    /// Returns a table of the distributions: a row for each class and one for the means.
    fn table(&self) -> Option<Material> {
        let (distributions, probabilities) = self.distributions();
        if distributions.is_empty() {
            return None;
        }
        let numbers = (1..=distributions.len()).map(|number| number.to_string());
        let columns = std::iter::once(self.form_text("table.class", &[]))
            .chain(numbers)
            .collect();
        let row = |name: String, of: &dyn Fn(&Distribution) -> String| {
            std::iter::once(name)
                .chain(distributions.iter().map(of))
                .collect()
        };
        let class = |class| {
            let income = |one: &Distribution| grouped(one.income(class).into());
            row(parts::class_name(self.words, class), &income)
        };
        let mut rows: Vec<Vec<String>> = IncomeClass::ALL.into_iter().map(class).collect();
        let mean = |one: &Distribution| grouped(one.mean(probabilities.as_ref()).round() as u64);
        rows.push(row(self.words.text("justice.table.average", &[]), &mean));
        let shown = MaterialContent::Table {
            columns,
            rows,
            notes: vec![parts::shares(self.words, probabilities.as_ref())],
            incomes: Some(Incomes {
                shares: probabilities
                    .map_or([0.2; 5], |shares| *shares.values())
                    .map(|share| (share * 100.0).round() as u8),
                of: distributions.iter().map(|one| one.0).collect(),
            }),
        };
        Some(Material::new(self.form_text("table.title", &[]), shown))
    }

    /// Returns the pick of each principle in the worked examples.
    fn example_picks(&self) -> Vec<Term> {
        let (distributions, probabilities) = self.distributions();
        let Ok(set) = <[Distribution; 4]>::try_from(distributions) else {
            return Vec::new();
        };
        let pick = |(principle, amount)| {
            let applied = apply(&set, principle, amount, probabilities.as_ref()).ok()?;
            let key = match applied.constraint_met {
                true => "explanation.pick",
                false => "explanation.pick_unmet",
            };
            Some(Term {
                name: self.short_choice(principle, amount),
                text: self.form_text(key, &[("number", &(applied.index + 1))]),
            })
        };
        EXAMPLES.into_iter().filter_map(pick).collect()
    }

    /// Returns a short name of a principle, with its amount.
    fn short_choice(&self, principle: Principle, amount: Option<u32>) -> String {
        let short = parts::principle_short(self.words, principle);
        let amount = amount.map(|amount| format!(" · {}", dollars(amount)));
        short + &amount.unwrap_or_default()
    }

    /// Returns the participant's own application rounds.
    fn own_results(&self) -> Option<Material> {
        if self.facts.applications.is_empty() {
            return None;
        }
        let none = || self.form_text("own.none", &[]);
        let row = |one: &Experience| {
            let choice = |principle| self.short_choice(principle, one.amount);
            let chosen = one.principle.map_or_else(none, choice);
            vec![
                one.round.to_string(),
                chosen,
                one.income.map_or_else(none, dollars),
            ]
        };
        let head = ["own.round", "own.choice", "own.income"];
        let shown = MaterialContent::Table {
            columns: head.map(|key| self.form_text(key, &[])).into(),
            rows: self.facts.applications.iter().map(row).collect(),
            notes: Vec::new(),
            incomes: None,
        };
        Some(Material::new(self.form_text("own.title", &[]), shown).folded())
    }

    /// Adds the task of a manipulator.
    fn with_task(&self, mut form: Form) -> Form {
        form.material.extend(self.task());
        form
    }

    fn task(&self) -> Option<Material> {
        let principle = parts::principle_name(self.words, self.facts.target?);
        let target = self
            .words
            .text("justice.manipulator.target", &[("id", &principle)]);
        let text = vec![target, self.words.text("justice.manipulator.instruction", &[])];
        Some(self.text("task.title", text).folded())
    }
}

#[cfg(test)]
mod tests;
