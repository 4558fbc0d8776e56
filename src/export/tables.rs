//! Five tables of any number of records for statistics, with a codebook: `runs` (one row per run), `seats` (one row per
//! participant), `decisions`, `utterances` and `asks`. This module has the columns of all runs and the asks with their
//! costs; the other columns come from the reports of the procedures.

use super::csv::{Block, CsvFormat, Layout, Table};
use super::{ExportError, File, Format, for_role, safe_name};
use crate::core::ask::{AnsweredAs, Millis};
use crate::core::ask_log::{AskLog, AskLogs, CallOutcome};
use crate::core::prices::{Money, REPORTED_CURRENCY};
use crate::core::record::{Entry, EntryKind, Started};
use crate::core::visibility::Role;
use crate::costs::tally::{CallCost, Costs, TokenSum, Tokens, tally};
use crate::language::Language;
use crate::procedures::report::{
    About, Cell, Column, ColumnKind, PHASE, ROUND, Rows, SEAT, SEQ, SESSION, report,
};
use crate::procedures::summary::seats;
use crate::seat::Seat;
use serde_json::Value;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The tables in order, each with the meaning of a row.
pub const TABLES: [(&str, &str); 5] = [
    ("runs", "a run"),
    ("seats", "a participant of a run"),
    ("decisions", "a decision"),
    ("utterances", "a statement"),
    ("asks", "a question to a participant, with its answer"),
];

const README: &str = include_str!("tables/README.md");
const R_SCRIPT: &str = include_str!("tables/load.R");
const PYTHON_SCRIPT: &str = include_str!("tables/load.py");

/// What the tables hold, and how they are written.
#[derive(Debug, Clone)]
pub struct Style {
    pub format: CsvFormat,
    /// Whose data: that which this role may see.
    pub role: Role,
    /// Whether `asks` has the texts of the questions, which are most of all bytes.
    pub has_prompts: bool,
}

impl Default for Style {
    fn default() -> Self {
        Self {
            format: CsvFormat::default(),
            role: Role::Owner,
            has_prompts: false,
        }
    }
}

/// Columns of `asks` that hold the texts of the questions.
const PROMPTS: [&str; 2] = ["system", "prompt"];

/// The tables of several records.
#[derive(Debug, Clone)]
pub struct Tables {
    tables: [Table; 5],
    style: Style,
    /// Id of the first record.
    first: String,
}

impl Tables {
    /// Creates empty tables.
    #[must_use]
    pub fn new(style: Style) -> Self {
        Self {
            tables: std::array::from_fn(|_| Table::new(style.format)),
            style,
            first: String::new(),
        }
    }

    /// Adds a record, whether ended or not.
    ///
    /// # Errors
    /// Returns an error if the record lacks its first entry, or if its protocol is unknown, so that it cannot be filtered.
    pub fn add(&mut self, record: &[Rc<Entry>]) -> Result<(), ExportError> {
        let record = &for_role(record, &self.style.role)?;
        let Some(EntryKind::Started(head)) = record.first().map(|entry| &entry.what) else {
            return Err(ExportError::NoHead);
        };
        if self.first.is_empty() {
            self.first.clone_from(&head.session);
        }
        let asks = AskLogs::of(record);
        let costs = tally(record, &asks);
        let report = report(head, record, &asks);
        let run = RunColumns::of(head, record, &asks, &costs);
        let mut seats = SeatColumns::of(head, &report.seated, &asks, &costs);
        let mut of_seats = report.seats;
        let role = &self.style.role;
        if *role != Role::Owner {
            // Hidden values of other seats would look like zero.
            let is_own = |seat: &SeatColumns| role.seat() == Some(&seat.name);
            let mut own = seats.iter().map(is_own);
            of_seats.cells.retain(|_| own.next().unwrap_or_default());
            seats.retain(is_own);
        }
        let of_report = [
            Rows::of(RUN, &[run]).beside(report.run),
            Rows::of(SEATS, &seats).beside(of_seats),
            report.decisions,
            report.utterances,
            self.asks(&AskRow::all(head, asks, &costs)),
        ];
        for (table, rows) in self.tables.iter_mut().zip(&of_report) {
            table.add(rows);
        }
        Ok(())
    }

    fn asks(&self, rows: &[AskRow]) -> Rows {
        if self.style.has_prompts {
            return Rows::of(ASKS, rows);
        }
        Rows::of_some(ASKS, rows, |about| !PROMPTS.contains(&about.name))
    }

    /// Removes the rows of tables with more than so many bytes, each with the table's number, so that they can be stored
    /// elsewhere until [`Self::filled`].
    pub fn take_blocks(&mut self, most: usize) -> Vec<(usize, Block)> {
        let large = self
            .tables
            .iter_mut()
            .enumerate()
            .filter(|(_, table)| table.size() > most);
        let blocks =
            |(at, table): (usize, &mut Table)| table.take_blocks().into_iter().map(move |block| (at, block));
        large.flat_map(blocks).collect()
    }

    /// Returns the rest of a table: its header, the rows that were not taken, and the number of columns.
    #[must_use]
    pub fn rest(&self, at: usize) -> Option<(String, String, usize)> {
        let table = self.tables.get(at)?;
        Some((table.header(), table.rows(), table.columns.len()))
    }

    /// Returns rows taken before, with empty cells for the columns that were added since.
    #[must_use]
    pub fn filled(&self, at: usize, cells: usize, rows: &str) -> String {
        self.tables
            .get(at)
            .map_or_else(String::new, |table| table.filled(cells, rows))
    }

    /// Returns a file name with this suffix: with the id of a single record, or the number of records.
    #[must_use]
    pub fn name(&self, suffix: &str) -> String {
        match self.tables[0].len() {
            0 | 1 => format!("quorate-{}{suffix}", safe_name(&self.first)),
            several => format!("quorate-{several}-runs{suffix}"),
        }
    }

    /// Returns the table of a format, or `None` if the format is no table.
    #[must_use]
    pub fn table(&self, format: Format) -> Option<File> {
        let (at, name) = match format {
            Format::Table(at) => (at, TABLES.get(at)?.0),
            _ => return None,
        };
        Some(File {
            name: self.name(&format!("-{name}.csv")),
            media_type: CSV,
            text: self.tables.get(at)?.csv(),
        })
    }

    /// Returns all tables with the files beside them.
    #[must_use]
    pub fn files(&self) -> Vec<File> {
        let mut files = self.files_beside();
        let table = |((name, _), table): (&(&str, &str), &Table)| csv_file(name, table.csv());
        files.extend(TABLES.iter().zip(&self.tables).map(table));
        files
    }

    /// Returns a readme, the codebook and, for statistics programs, scripts for loading.
    #[must_use]
    pub fn files_beside(&self) -> Vec<File> {
        let file = |name: &str, media_type, text| File {
            name: name.to_owned(),
            media_type,
            text,
        };
        let script = "text/plain;charset=utf-8";
        let mut files = vec![
            file("README.md", "text/markdown;charset=utf-8", self.readme()),
            csv_file("codebook", self.codebook()),
        ];
        if self.style.format.layout == Layout::Plain {
            files.push(file("load.R", script, R_SCRIPT.to_owned()));
            files.push(file("load.py", script, PYTHON_SCRIPT.to_owned()));
        }
        files
    }

    fn codebook(&self) -> String {
        let mut codebook = Table::new(self.style.format);
        for ((name, _), table) in TABLES.iter().zip(&self.tables) {
            let rows: Vec<CodebookRow> = table
                .columns
                .iter()
                .map(|about| CodebookRow(name, about))
                .collect();
            codebook.add(&Rows::of(CODEBOOK, &rows));
        }
        codebook.csv()
    }

    fn readme(&self) -> String {
        let mut rows = String::new();
        for ((name, what), table) in TABLES.iter().zip(&self.tables) {
            rows += &format!(
                "| {name}.csv | {what} | {} | {} |\n",
                table.len(),
                table.columns.len()
            );
        }
        // A spreadsheet needs no loaders.
        let end = (self.style.format.layout != Layout::Plain).then(|| README.find("Python, with"));
        let text = end.flatten().and_then(|end| README.get(..end)).unwrap_or(README);
        text.replace("{tables}", rows.trim_end())
    }
}

pub const CSV: &str = "text/csv;charset=utf-8;header=present";

fn csv_file(name: &str, text: String) -> File {
    File {
        name: format!("{name}.csv"),
        media_type: CSV,
        text,
    }
}

/// A row of the codebook.
struct CodebookRow(&'static str, &'static About);

const CODEBOOK: &[Column<CodebookRow>] = &[
    About::new("table", ColumnKind::Text, "name of the table").from(|line| line.0.into()),
    About::new("column", ColumnKind::Text, "name of the column").from(|line| line.1.name.into()),
    About::new("type", ColumnKind::Text, "data type").from(|line| line.1.kind.name().into()),
    About::new("unit", ColumnKind::Text, "unit").from(|line| line.1.unit.into()),
    About::new("values", ColumnKind::Text, "possible values, if there are few")
        .from(|line| line.1.values.into()),
    About::new("meaning", ColumnKind::Text, "meaning").from(|line| line.1.meaning.into()),
];

const fn text(name: &'static str, meaning: &'static str) -> About {
    About::new(name, ColumnKind::Text, meaning)
}

const fn count(name: &'static str, meaning: &'static str) -> About {
    About::new(name, ColumnKind::Integer, meaning)
}

const fn time(name: &'static str, meaning: &'static str) -> About {
    About::new(name, ColumnKind::Time, meaning)
}

const fn number(name: &'static str, meaning: &'static str) -> About {
    About::new(name, ColumnKind::Number, meaning)
}

const KINDS: &str = "scripted model human custom recorded";
const COST: About = number(
    "cost",
    "cost of all attempts; empty if unknown, 0 for local models",
);
const CURRENCY: About = text("currency", "currency of the cost");
const CALLS: About = count("calls", "number of calls sent, without those to people");
const TOKENS_IN: About = count("tokens_in", "input tokens, as counted by providers").unit("tokens");
const TOKENS_OUT: About = count("tokens_out", "output tokens, as counted by providers").unit("tokens");
const TOKENS_IN_ESTIMATED: About = count(
    "tokens_in_estimated",
    "estimated input tokens of calls without a count",
)
.unit("tokens");
const TOKENS_OUT_ESTIMATED: About = count(
    "tokens_out_estimated",
    "estimated output tokens of calls without a count",
)
.unit("tokens");

/// Columns of all runs.
struct RunColumns {
    head: Started,
    began: Millis,
    ended: Option<Millis>,
    entries: usize,
    kinds: Vec<String>,
    asks: usize,
    answered: usize,
    sum: TokenSum,
    currency: Option<String>,
    models: String,
}

impl RunColumns {
    fn of(head: &Started, record: &[Rc<Entry>], asks: &AskLogs, costs: &Costs) -> Self {
        let ended = |entry: &Rc<Entry>| matches!(entry.what, EntryKind::Ended { .. }).then_some(entry.at);
        let mut models: Vec<&str> = Vec::new();
        for model in asks.all.iter().filter_map(|asked| asked.request.model.as_deref()) {
            if !models.contains(&model) {
                models.push(model);
            }
        }
        Self {
            head: head.clone(),
            began: record.first().map_or(0, |entry| entry.at),
            ended: record.iter().rev().find_map(ended),
            entries: record.len(),
            kinds: seats(head).into_iter().map(|(_, kind)| kind.to_owned()).collect(),
            asks: asks.all.len(),
            answered: asks.all.iter().filter(|asked| asked.reply().is_some()).count(),
            sum: costs.run,
            currency: costs.currency.clone(),
            models: models.join(" "),
        }
    }

    fn count_seats(&self, kind: &str) -> Cell {
        self.kinds.iter().filter(|one| *one == kind).count().into()
    }

    /// Returns a value that only the owner's record has; other roles' records have no configuration hash.
    fn owner_only(&self, cell: Cell) -> Cell {
        if self.head.config_hash.is_empty() {
            Cell::Missing
        } else {
            cell
        }
    }

    fn setting(&self, key: &str) -> Cell {
        self.head.config.get(key).and_then(Value::as_str).into()
    }
}

const RUN: &[Column<RunColumns>] = &[
    SESSION.from(|run| run.head.session.as_str().into()),
    text("title", "title of the run").from(|run| run.setting("title")),
    text("condition", "condition of the study, by the configuration").from(|run| run.setting("condition")),
    text("protocol", "name of the procedure").from(|run| run.head.protocol.as_str().into()),
    text("language", "language of the run")
        .values(Language::CODES_IN_LINE)
        .from(|run| {
            let named = run.head.config.get("language").and_then(Value::as_str);
            named
                .and_then(Language::from_name)
                .unwrap_or_default()
                .code()
                .into()
        }),
    text(
        "config_hash",
        "SHA-256 of the configuration without seed and title: repetitions have the same",
    )
    .from(|run| run.head.config_hash.as_str().into()),
    count("seed", "seed of the run's random streams").from(|run| run.owner_only(run.head.seed.into())),
    text("state", "whether the run ended")
        .values("ended unfinished")
        .from(|run| {
            if run.ended.is_some() {
                "ended"
            } else {
                "unfinished"
            }
            .into()
        }),
    time("began", "start of the run").from(|run| Cell::Time(run.began)),
    time("ended", "end of the run; empty if unfinished")
        .from(|run| run.ended.map_or(Cell::Missing, Cell::Time)),
    number("seconds", "duration of the run")
        .unit("seconds")
        .from(|run| seconds(run.ended, Some(run.began))),
    count("seats", "number of participants").from(|run| run.kinds.len().into()),
    count("seats_model", "number of models").from(|run| run.count_seats("model")),
    count("seats_human", "number of people").from(|run| run.count_seats("human")),
    count("seats_scripted", "number of simulated participants").from(|run| run.count_seats("scripted")),
    text("models", "models that were called").from(|run| run.models.as_str().into()),
    count("asks", "number of questions").from(|run| run.owner_only(run.asks.into())),
    count("asks_answered", "number of answered questions").from(|run| run.owner_only(run.answered.into())),
    CALLS.from(|run| run.owner_only(run.sum.tries.into())),
    TOKENS_IN.from(|run| run.owner_only(run.sum.reported.input.into())),
    TOKENS_OUT.from(|run| run.owner_only(run.sum.reported.output.into())),
    TOKENS_IN_ESTIMATED.from(|run| run.owner_only(run.sum.estimated.input.into())),
    TOKENS_OUT_ESTIMATED.from(|run| run.owner_only(run.sum.estimated.output.into())),
    COST.from(|run| run.owner_only(if_known(&run.sum).map(|sum| sum.money.all().units()).into())),
    CURRENCY.from(|run| run.owner_only(currency(&run.sum, run.currency.as_deref()))),
    count("entries", "number of entries in the record").from(|run| run.owner_only(run.entries.into())),
    text("engine", "version that wrote the record").from(|run| run.head.engine.as_str().into()),
    text("branched_from", "id of the run from which this one was branched").from(|run| {
        let from = run.head.forked_from.as_ref();
        from.map(|from| from.session.as_str()).into()
    }),
    count("branched_at", "first entry of that run that was not copied")
        .from(|run| run.head.forked_from.as_ref().map(|from| from.seq).into()),
    About::new("config", ColumnKind::Json, "the whole configuration").from(|run| (&run.head.config).into()),
];

fn seconds(until: Option<Millis>, since: Option<Millis>) -> Cell {
    let millis = until.and_then(|until| until.checked_sub(since?));
    millis.map(|millis| millis as f64 / 1000.0).into()
}

/// Returns the sum if calls were sent and all their costs are known.
fn if_known(sum: &TokenSum) -> Option<&TokenSum> {
    let has_usage = sum.reported != Tokens::default() || sum.estimated != Tokens::default();
    Some(sum).filter(|sum| sum.unknown + sum.own == 0 && has_usage)
}

fn currency(sum: &TokenSum, currency: Option<&str>) -> Cell {
    let paid = if_known(sum).filter(|sum| sum.money.all() != Money::default());
    paid.map(|_| currency.unwrap_or(REPORTED_CURRENCY)).into()
}

/// Columns of all participants.
struct SeatColumns {
    session: String,
    name: String,
    place: usize,
    kind: Option<String>,
    seat: Option<Seat>,
    asks: usize,
    answered: usize,
    sum: Option<TokenSum>,
    currency: Option<String>,
}

impl SeatColumns {
    fn of(head: &Started, names: &[String], asks: &AskLogs, costs: &Costs) -> Vec<Self> {
        let kinds = seats(head);
        let seats = crate::procedures::seats(&head.config).unwrap_or_default();
        let row = |(index, name): (usize, &String)| {
            let own = || asks.all.iter().filter(|asked| asked.ask.seat == *name);
            let kind = kinds.iter().find(|(seat, _)| seat == name);
            Self {
                session: head.session.clone(),
                name: name.clone(),
                place: index + 1,
                kind: kind.map(|(_, kind)| (*kind).to_owned()),
                seat: seats.iter().find(|seat| seat.name == *name).cloned(),
                asks: own().count(),
                answered: own().filter(|asked| asked.reply().is_some()).count(),
                sum: costs
                    .seats
                    .iter()
                    .find(|seat| seat.seat == *name)
                    .map(|seat| seat.sum),
                currency: costs.currency.clone(),
            }
        };
        names.iter().enumerate().map(row).collect()
    }

    fn seat(&self) -> Option<&Seat> {
        self.seat.as_ref()
    }
}

const SEATS: &[Column<SeatColumns>] = &[
    SESSION.from(|row| row.session.as_str().into()),
    SEAT.from(|row| row.name.as_str().into()),
    count("place", "position in the configuration, from 1").from(|row| row.place.into()),
    text("kind", "kind of participant; scripted ones are simulated")
        .values(KINDS)
        .from(|row| row.kind.clone().into()),
    text("seat_language", "language of the participant")
        .values(Language::CODES_IN_LINE)
        .from(|row| row.seat().map(|seat| seat.language.code()).into()),
    text("model", "model in the configuration")
        .from(|row| row.seat().and_then(|seat| seat.model.clone()).into()),
    text("base_url", "endpoint of the model")
        .from(|row| row.seat().and_then(|seat| seat.base_url.clone()).into()),
    number("temperature", "sampling temperature, if one is sent").from(|row| {
        row.seat()
            .filter(|seat| seat.model.is_some())
            .and_then(|seat| seat.temperature)
            .into()
    }),
    text("personality", "description of the participant in its prompt")
        .from(|row| row.seat().map(|seat| seat.personality.as_str()).into()),
    count("asks", "number of questions to the participant").from(|row| row.asks.into()),
    count("asks_answered", "number of answered questions").from(|row| row.answered.into()),
    CALLS.from(|row| row.sum.map(|sum| sum.tries).into()),
    TOKENS_IN.from(|row| row.sum.map(|sum| sum.reported.input).into()),
    TOKENS_OUT.from(|row| row.sum.map(|sum| sum.reported.output).into()),
    TOKENS_IN_ESTIMATED.from(|row| row.sum.map(|sum| sum.estimated.input).into()),
    TOKENS_OUT_ESTIMATED.from(|row| row.sum.map(|sum| sum.estimated.output).into()),
    COST.from(|row| {
        row.sum
            .as_ref()
            .and_then(if_known)
            .map(|sum| sum.money.all().units())
            .into()
    }),
    CURRENCY.from(|row| {
        row.sum
            .as_ref()
            .map_or(Cell::Missing, |sum| currency(sum, row.currency.as_deref()))
    }),
];

/// An ask with its costs.
struct AskRow {
    session: String,
    kind: Option<String>,
    asked: AskLog,
    call: Option<CallCost>,
    currency: Option<String>,
    date: Option<String>,
}

impl AskRow {
    fn all(head: &Started, asks: AskLogs, costs: &Costs) -> Vec<Self> {
        let kinds: BTreeMap<String, &str> = seats(head).into_iter().collect();
        let calls: BTreeMap<&str, &CallCost> =
            costs.calls.iter().map(|call| (call.ask.as_str(), call)).collect();
        let row = |asked: AskLog| Self {
            session: head.session.clone(),
            kind: kinds.get(&asked.ask.seat).map(|kind| (*kind).to_owned()),
            call: calls.get(asked.ask.id.as_str()).map(|call| (*call).clone()),
            currency: costs.currency.clone(),
            date: costs.date.clone(),
            asked,
        };
        asks.all.into_iter().map(row).collect()
    }

    fn reply(&self) -> Option<&crate::core::ask::Reply> {
        self.asked.reply().map(|(reply, _)| reply)
    }

    fn usage(&self) -> Option<crate::core::ask::Usage> {
        self.reply()?.usage
    }

    /// Returns when the answered call was sent, or else the last one.
    fn sent_at(&self) -> Option<Millis> {
        let attempt = self.asked.reply().map(|(_, attempt)| attempt);
        let attempt = attempt.or(self.asked.sent.keys().last().copied());
        let sent_at = self.reply().and_then(|reply| reply.sent_at);
        sent_at.or_else(|| self.asked.sent.get(&attempt?).copied())
    }

    fn sum(&self) -> Option<&TokenSum> {
        self.call.as_ref().map(|call| &call.sum)
    }

    fn token_source(&self) -> Option<&'static str> {
        self.sum()?;
        self.reply()?;
        Some(if self.usage().is_some() {
            "reported"
        } else {
            "estimated"
        })
    }

    fn estimated(&self) -> Option<Tokens> {
        let sum = self.sum().filter(|_| self.token_source() == Some("estimated"));
        sum.map(|sum| sum.estimated)
    }

    fn is_priced(&self) -> bool {
        let zero = Money::default();
        self.sum()
            .and_then(if_known)
            .is_some_and(|sum| sum.money.computed.plus(sum.money.estimated) != zero)
    }
}

const ASKS: &[Column<AskRow>] = &[
    SESSION.from(|row| row.session.as_str().into()),
    SEQ.from(|row| row.asked.seq.into()),
    text("ask", "stable id of the question").from(|row| row.asked.ask.id.as_str().into()),
    SEAT.from(|row| row.asked.ask.seat.as_str().into()),
    text("seat_kind", "kind of participant")
        .values(KINDS)
        .from(|row| row.kind.clone().into()),
    text("kind", "kind of question, e.g. statement").from(|row| row.asked.ask.kind.name().into()),
    PHASE.from(|row| row.asked.ask.phase.into()),
    ROUND.from(|row| row.asked.ask.round.into()),
    count(
        "attempt",
        "1, or more if the question was repeated after an unusable answer",
    )
    .from(|row| row.asked.ask.attempt.into()),
    text("language", "language of question and answer")
        .values(Language::CODES_IN_LINE)
        .from(|row| row.asked.ask.language.code().into()),
    text("status", "result of the question")
        .values("answered no_answer withdrawn open")
        .from(|row| row.asked.status().into()),
    count("tries", "number of calls sent").from(|row| row.asked.tries.into()),
    count("failures", "number of failed calls").from(|row| {
        row.asked
            .count(|end| matches!(end, CallOutcome::Failed(_)))
            .into()
    }),
    count("timeouts", "number of calls that timed out")
        .from(|row| row.asked.count(|end| matches!(end, CallOutcome::TimedOut)).into()),
    count("late", "number of answers that arrived too late to count")
        .from(|row| row.asked.count(|end| matches!(end, CallOutcome::Late(_))).into()),
    text("last_failure", "kind of the last failure, e.g. rate_limit")
        .from(|row| row.asked.last_failure().into()),
    text("provider", "provider of the model")
        .from(|row| row.call.as_ref().and_then(|call| call.provider.clone()).into()),
    text(
        "model_asked",
        "requested model; the last one if there were several",
    )
    .from(|row| row.asked.request.model.as_deref().into()),
    text("model_answered", "model that answered, as the provider names it")
        .from(|row| row.reply().and_then(|reply| reply.model.as_deref()).into()),
    text("base_url", "endpoint").from(|row| row.asked.request.base_url.as_deref().into()),
    count("fallbacks", "number of fallbacks to another model of the seat")
        .from(|row| row.asked.fallbacks.into()),
    number("temperature", "sampling temperature as sent").from(|row| {
        let is_left_out = row
            .reply()
            .is_some_and(|reply| reply.left_out.iter().any(|one| one == "temperature"));
        row.asked.request.temperature.filter(|_| !is_left_out).into()
    }),
    count("max_tokens", "token limit of the answer as sent")
        .unit("tokens")
        .from(|row| {
            let allowed = row.reply().and_then(|reply| reply.allowed_tokens);
            allowed.unwrap_or(row.asked.request.max_tokens).into()
        }),
    count("tokens_in", "input tokens, as counted by the provider")
        .unit("tokens")
        .from(|row| row.usage().map(|usage| usage.input).into()),
    count("tokens_out", "output tokens, as counted by the provider")
        .unit("tokens")
        .from(|row| row.usage().map(|usage| usage.output).into()),
    count("tokens_reasoning", "tokens_out used for reasoning, if reported")
        .unit("tokens")
        .from(|row| row.usage().and_then(|usage| usage.reasoning).into()),
    count("tokens_cached", "tokens_in read from a cache, if reported")
        .unit("tokens")
        .from(|row| row.usage().and_then(|usage| usage.cached).into()),
    text("tokens_counted", "source of the token counts; empty for people")
        .values("reported estimated")
        .from(|row| row.token_source().into()),
    TOKENS_IN_ESTIMATED.from(|row| row.estimated().map(|tokens| tokens.input).into()),
    TOKENS_OUT_ESTIMATED.from(|row| row.estimated().map(|tokens| tokens.output).into()),
    COST.from(|row| {
        row.sum()
            .and_then(if_known)
            .map(|sum| sum.money.all().units())
            .into()
    }),
    text(
        "cost_source",
        "reported by the provider, computed from reported tokens, or estimated from estimated ones",
    )
    .values("reported computed estimated")
    .from(|row| {
        let zero = Money::default();
        match row.sum().and_then(if_known).map(|sum| sum.money) {
            Some(money) if money.estimated != zero => "estimated".into(),
            Some(money) if money.computed != zero => "computed".into(),
            Some(money) if money.reported != zero => "reported".into(),
            _ => Cell::Missing,
        }
    }),
    CURRENCY.from(|row| {
        row.sum()
            .map_or(Cell::Missing, |sum| currency(sum, row.currency.as_deref()))
    }),
    text("price_date", "date of the prices used for the cost")
        .from(|row| row.date.clone().filter(|_| row.is_priced()).into()),
    text("finish", "why the answer ended, as the provider names it")
        .from(|row| row.reply().and_then(|reply| reply.finish.as_deref()).into()),
    text(
        "answered_as",
        "form of the answer; empty if no structured answer was requested",
    )
    .values("native text free form")
    .from(|row| {
        row.reply()
            .and_then(|reply| reply.answered_as)
            .map(AnsweredAs::name)
            .into()
    }),
    time("queued_at", "when the protocol asked the question").from(|row| Cell::Time(row.asked.queued_at)),
    time("sent_at", "when the answered call was sent, or else the last one")
        .from(|row| row.sent_at().map_or(Cell::Missing, Cell::Time)),
    time("first_piece_at", "when the first piece of the answer arrived").from(|row| {
        let first = row.reply().and_then(|reply| reply.first_piece_at);
        first.map_or(Cell::Missing, Cell::Time)
    }),
    time("done_at", "when the answer was complete or abandoned")
        .from(|row| row.asked.done_at.map_or(Cell::Missing, Cell::Time)),
    number("seconds", "from sending to the whole answer")
        .unit("seconds")
        .from(|row| {
            let done = row.asked.done_at.filter(|_| row.reply().is_some());
            seconds(done, row.sent_at())
        }),
    text(
        "read_value",
        "value read from the answer: text, number, true, false or JSON",
    )
    .from(|row| row.asked.value().map_or(Cell::Missing, Into::into)),
    text("read_how", "which rule read it").from(|row| row.asked.how().into()),
    text("read_reason", "why it could not be read").from(|row| row.asked.reason().into()),
    text(
        "annotation",
        "the host's reading of an unreadable answer, as JSON; never counted as the answer",
    )
    .from(|row| row.asked.annotation.as_ref().map(ToString::to_string).into()),
    count("answer_characters", "length of the answer")
        .unit("Unicode scalar values")
        .from(|row| row.reply().map(|reply| reply.text.chars().count()).into()),
    text("answer", "raw text of the answer").from(|row| row.reply().map(|reply| reply.text.as_str()).into()),
    text("reasoning", "reasoning that the provider returned separately")
        .from(|row| row.reply().and_then(|reply| reply.reasoning.as_deref()).into()),
    text("system", "system message").from(|row| row.asked.request.system.get().as_ref().into()),
    text("prompt", "prompt; JSON if it has several turns").from(|row| {
        match row.asked.request.messages.as_slice() {
            [only] => only.content.get().as_ref().into(),
            several => serde_json::to_string(several).unwrap_or_default().into(),
        }
    }),
    text(
        "recorded_session",
        "id of the saved run that provided the answer, at no cost",
    )
    .from(|row| {
        row.reply()
            .and_then(|reply| reply.recorded.as_ref())
            .map(|from| from.session.as_str())
            .into()
    }),
    count("recorded_seq", "entry of the answer in that run").from(|row| {
        row.reply()
            .and_then(|reply| reply.recorded.as_ref())
            .map(|from| from.seq)
            .into()
    }),
];

#[cfg(test)]
mod tests;
