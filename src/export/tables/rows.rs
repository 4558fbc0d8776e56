//! The columns of all runs and their participants, and the questions with their costs.

use crate::core::ask::{AnsweredAs, Millis, Recorded, Reply, Usage};
use crate::core::ask_log::{AskLog, AskLogs, CallOutcome};
use crate::core::prices::{Money, REPORTED_CURRENCY};
use crate::core::record::{Entry, EntryKind, Started};
use crate::costs::tally::{CallCost, Costs, Spend, TokenSum, Tokens};
use crate::language::Language;
use crate::procedures::report::{
    About, CHARACTERS, Cell, Column, PHASE, ROUND, Rows, SEAT, SEQ, SESSION, columns, count, flag, json,
    number, text, time,
};
use crate::procedures::summary::seats;
use crate::seat::Seat;
use serde_json::Value;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

const KINDS: &str = "scripted model human custom recorded";
const LANGUAGES: &str = Language::CODES_IN_LINE;
const COST: About = number(
    "cost",
    "cost of all attempts; empty if unknown, 0 for local models",
);
const CURRENCY: About = text("currency", "currency of the cost");
const CALLS: About = count("calls", "number of calls sent, without those to people");
const TOKENS_IN: About = tokens("tokens_in", "input tokens, as counted by providers");
const TOKENS_OUT: About = tokens("tokens_out", "output tokens, as counted by providers");
const TOKENS_IN_ESTIMATED: About = tokens(
    "tokens_in_estimated",
    "estimated input tokens of calls without a count",
);
const TOKENS_OUT_ESTIMATED: About = tokens(
    "tokens_out_estimated",
    "estimated output tokens of calls without a count",
);

const fn tokens(name: &'static str, meaning: &'static str) -> About {
    count(name, meaning).unit("tokens")
}

/// A run.
pub(super) struct RunRow<'a> {
    pub(super) head: &'a Started,
    pub(super) record: &'a [Rc<Entry>],
    pub(super) asks: &'a AskLogs,
    pub(super) costs: &'a Costs,
}

impl<'a> RunRow<'a> {
    pub(super) fn seats(&self, names: &'a [String]) -> Vec<SeatRow<'a>> {
        let (kinds, configured) = (seats(self.head), crate::procedures::seats(&self.head.config));
        let configured = configured.unwrap_or_default();
        let row = |(name, place): (&'a String, usize)| SeatRow {
            head: self.head,
            name,
            place,
            kind: kinds
                .iter()
                .find(|(seat, _)| seat == name)
                .map(|(_, kind)| (*kind).to_owned()),
            seat: configured.iter().find(|seat| seat.name == *name).cloned(),
            asks: self
                .asks
                .all
                .iter()
                .filter(|asked| asked.ask.seat == *name)
                .collect(),
            costs: self.costs,
        };
        names.iter().zip(1..).map(row).collect()
    }

    pub(super) fn asks(&self) -> Vec<AskRow<'a>> {
        let kinds: BTreeMap<String, &str> = seats(self.head).into_iter().collect();
        let calls = self.costs.calls.iter();
        let calls: BTreeMap<&str, &CallCost> = calls.map(|call| (call.ask.as_str(), call)).collect();
        let row = |asked: &'a AskLog| AskRow {
            head: self.head,
            kind: kinds.get(&asked.ask.seat).map(|kind| (*kind).to_owned()),
            call: calls.get(asked.id()).copied(),
            costs: self.costs,
            asked,
        };
        self.asks.all.iter().map(row).collect()
    }

    fn began(&self) -> Option<Millis> {
        self.record.first().map(|entry| entry.at)
    }

    fn ended(&self) -> Option<Millis> {
        let ended = |entry: &Rc<Entry>| matches!(entry.what, EntryKind::Ended { .. }).then_some(entry.at);
        self.record.iter().rev().find_map(ended)
    }

    fn count_seats(&self, wanted: &str) -> usize {
        seats(self.head)
            .iter()
            .filter(|(_, kind)| *kind == wanted)
            .count()
    }

    fn models(&self) -> String {
        let mut models: Vec<&str> = Vec::new();
        for model in self
            .asks
            .all
            .iter()
            .filter_map(|asked| asked.request.model.as_deref())
        {
            if !models.contains(&model) {
                models.push(model);
            }
        }
        models.join(" ")
    }

    /// Returns a value that only the owner's record has; other roles' records have no configuration hash.
    fn owner_only<T>(&self, value: T) -> Option<T> {
        (!self.head.config_hash.is_empty()).then_some(value)
    }

    fn sum(&self) -> Option<&TokenSum> {
        self.owner_only(&self.costs.run)
    }

    fn setting(&self, key: &str) -> Option<&str> {
        self.head.config.get(key).and_then(Value::as_str)
    }
}

pub(super) fn run_columns<'a>() -> Vec<Column<RunRow<'a>>> {
    columns!(run: RunRow,
        SESSION => run.head.session.as_str(),
        text("title", "title of the run") => run.setting("title"),
        text("condition", "condition of the study, by the configuration") => run.setting("condition"),
        text("protocol", "name of the procedure") => run.head.protocol.as_str(),
        text("language", "language of the run").values(LANGUAGES) => run.setting("language").and_then(Language::from_name).unwrap_or_default().code(),
        text("config_hash", "SHA-256 of the configuration without seed, title and study: repetitions have the same") => run.head.config_hash.as_str(),
        count("seed", "seed of the run's random streams") => run.owner_only(run.head.seed),
        text("state", "whether the run ended").values("ended unfinished") => run.ended().map_or("unfinished", |_| "ended"),
        time("began", "start of the run") => run.began().map(Cell::Time),
        time("ended", "end of the run; empty if unfinished") => run.ended().map(Cell::Time),
        number("seconds", "duration of the run").unit("seconds") => seconds(run.ended(), run.began()),
        count("seats", "number of participants") => seats(run.head).len(),
        count("seats_model", "number of models") => run.count_seats("model"),
        count("seats_human", "number of people") => run.count_seats("human"),
        count("seats_scripted", "number of simulated participants") => run.count_seats("scripted"),
        text("models", "models that were called") => run.models(),
        count("asks", "number of questions") => run.owner_only(run.asks.all.len()),
        count("asks_answered", "number of answered questions") => run.owner_only(answered(&run.asks.all)),
        CALLS => run.sum().map(|sum| sum.tries),
        TOKENS_IN => run.sum().map(|sum| sum.reported.input),
        TOKENS_OUT => run.sum().map(|sum| sum.reported.output),
        TOKENS_IN_ESTIMATED => run.sum().map(|sum| sum.estimated.input),
        TOKENS_OUT_ESTIMATED => run.sum().map(|sum| sum.estimated.output),
        COST => cost(run.sum()),
        CURRENCY => currency(run.sum(), run.costs),
        count("entries", "number of entries in the record") => run.owner_only(run.record.len()),
        text("engine", "version that wrote the record") => run.head.engine.as_str(),
        text("branched_from", "id of the run from which this one was branched") => run.head.forked_from.as_ref().map(|from| from.session.as_str()),
        count("branched_at", "first entry of that run that was not copied") => run.head.forked_from.as_ref().map(|from| from.seq),
        json("config", "the whole configuration") => &run.head.config,
    )
}

/// Returns the run's place in a study, without columns if it has none.
pub(super) fn study_row(head: &Started, record: &[Rc<Entry>]) -> Rows {
    let study = &head.config["study"];
    let Some(id) = study["id"].as_str() else {
        return Rows::default();
    };
    let mut row = vec![
        (text("study", "name of the study"), Cell::from(id)),
        (
            count("repetition", "number of the run in its cell, from 1"),
            study["repetition"].as_i64().map_or(Cell::Missing, Cell::Integer),
        ),
    ];
    // A record from elsewhere may have any names; those of a study need no quotes in a header.
    let is_name = |name: &str| {
        name.bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte))
    };
    let levels = study["cell"].as_object().into_iter().flatten();
    for (factor, level) in levels.filter(|(factor, _)| is_name(factor)) {
        let mut about = text("", "level of a factor of the study");
        about.name = format!("factor_{factor}").into();
        row.push((about, level.as_str().into()));
    }
    if let Some(leavers) = study["leavers"].as_u64() {
        let left: BTreeSet<u32> = record.iter().filter_map(|entry| entry.leaver()).collect();
        let about = flag(
            "void",
            "whether more guests left this table than the study allows, so that another one was held in its place",
        );
        row.push((about, Cell::Flag(left.len() as u64 > leavers)));
    }
    let (columns, cells) = row.into_iter().unzip();
    Rows {
        columns,
        cells: vec![cells],
    }
}

fn seconds(until: Option<Millis>, since: Option<Millis>) -> Option<f64> {
    let millis = until?.checked_sub(since?)?;
    Some(millis as f64 / 1000.0)
}

fn answered<'a>(asks: impl IntoIterator<Item = &'a AskLog>) -> usize {
    let answered = |asked: &&AskLog| asked.reply().is_some();
    asks.into_iter().filter(answered).count()
}

/// Returns what the calls cost, if calls were sent and all their costs are known.
fn spend(sum: Option<&TokenSum>) -> Option<Spend> {
    let has_usage = |sum: &TokenSum| sum.reported != Tokens::default() || sum.estimated != Tokens::default();
    let known = sum.filter(|sum| sum.unknown + sum.own == 0 && has_usage(sum))?;
    Some(known.money)
}

fn cost(sum: Option<&TokenSum>) -> Option<f64> {
    Some(spend(sum)?.all().units())
}

fn currency<'a>(sum: Option<&TokenSum>, costs: &'a Costs) -> Option<&'a str> {
    spend(sum).filter(|spend| spend.all() != Money::default())?;
    Some(costs.currency.as_deref().unwrap_or(REPORTED_CURRENCY))
}

/// A participant of a run.
pub(super) struct SeatRow<'a> {
    head: &'a Started,
    pub(super) name: &'a str,
    /// From 1.
    place: usize,
    kind: Option<String>,
    seat: Option<Seat>,
    asks: Vec<&'a AskLog>,
    costs: &'a Costs,
}

impl SeatRow<'_> {
    fn seat(&self) -> Option<&Seat> {
        self.seat.as_ref()
    }

    fn sum(&self) -> Option<&TokenSum> {
        let seat = self.costs.seats.iter().find(|seat| seat.seat == self.name)?;
        Some(&seat.sum)
    }
}

pub(super) fn seat_columns<'a>() -> Vec<Column<SeatRow<'a>>> {
    columns!(row: SeatRow,
        SESSION => row.head.session.as_str(),
        SEAT => row.name,
        count("place", "position in the configuration, from 1") => row.place,
        text("kind", "kind of participant; scripted ones are simulated").values(KINDS) => row.kind.as_deref(),
        text("seat_language", "language of the participant").values(LANGUAGES) => row.seat().map(|seat| seat.language.code()),
        text("model", "model in the configuration") => row.seat().and_then(|seat| seat.model.as_deref()),
        text("base_url", "endpoint of the model") => row.seat().and_then(|seat| seat.base_url.as_deref()),
        number("temperature", "sampling temperature, if one is sent") => row.seat().filter(|seat| seat.model.is_some()).and_then(|seat| seat.temperature),
        text("personality", "description of the participant in its prompt") => row.seat().map(|seat| seat.personality.as_str()),
        count("asks", "number of questions to the participant") => row.asks.len(),
        count("asks_answered", "number of answered questions") => answered(row.asks.iter().copied()),
        CALLS => row.sum().map(|sum| sum.tries),
        TOKENS_IN => row.sum().map(|sum| sum.reported.input),
        TOKENS_OUT => row.sum().map(|sum| sum.reported.output),
        TOKENS_IN_ESTIMATED => row.sum().map(|sum| sum.estimated.input),
        TOKENS_OUT_ESTIMATED => row.sum().map(|sum| sum.estimated.output),
        COST => cost(row.sum()),
        CURRENCY => currency(row.sum(), row.costs),
    )
}

/// A question with its costs.
pub(super) struct AskRow<'a> {
    head: &'a Started,
    kind: Option<String>,
    asked: &'a AskLog,
    /// `None` if not sent, and for people.
    call: Option<&'a CallCost>,
    costs: &'a Costs,
}

impl<'a> AskRow<'a> {
    fn reply(&self) -> Option<&'a Reply> {
        self.asked.reply().map(|(reply, _)| reply)
    }

    fn usage(&self) -> Option<Usage> {
        self.reply()?.usage
    }

    /// Returns when the answered call was sent, or else the last one.
    fn sent_at(&self) -> Option<Millis> {
        let attempt = self.asked.reply().map(|(_, attempt)| attempt);
        let attempt = attempt.or(self.asked.sent.keys().last().copied());
        let sent_at = self.reply().and_then(|reply| reply.sent_at);
        sent_at.or_else(|| self.asked.sent.get(&attempt?).copied())
    }

    fn count(&self, is_counted: impl Fn(CallOutcome) -> bool) -> usize {
        self.asked.count(is_counted)
    }

    fn temperature(&self) -> Option<f64> {
        let left_out = self.reply().map_or(&[][..], |reply| &reply.left_out);
        let is_sent = !left_out.iter().any(|one| one == "temperature");
        self.asked.request.temperature.filter(|_| is_sent)
    }

    fn sum(&self) -> Option<&'a TokenSum> {
        self.call.map(|call| &call.sum)
    }

    fn token_source(&self) -> Option<&'static str> {
        self.sum()?;
        self.reply()?;
        Some(self.usage().map_or("estimated", |_| "reported"))
    }

    fn estimated(&self) -> Option<Tokens> {
        let sum = self.sum().filter(|_| self.token_source() == Some("estimated"))?;
        Some(sum.estimated)
    }

    fn cost_source(&self) -> Option<&'static str> {
        let (spend, zero) = (spend(self.sum())?, Money::default());
        let sources = [
            ("estimated", spend.estimated),
            ("computed", spend.computed),
            ("reported", spend.reported),
        ];
        sources
            .into_iter()
            .find(|(_, money)| *money != zero)
            .map(|(name, _)| name)
    }

    fn price_date(&self) -> Option<&'a str> {
        let spend = spend(self.sum())?;
        let is_priced = spend.computed.plus(spend.estimated) != Money::default();
        self.costs.date.as_deref().filter(|_| is_priced)
    }

    fn prompt(&self) -> Cow<'a, str> {
        match self.asked.request.messages.as_slice() {
            [only] => only.content.get(),
            several => serde_json::to_string(several).unwrap_or_default().into(),
        }
    }

    fn recorded(&self) -> Option<&'a Recorded> {
        self.reply()?.recorded.as_ref()
    }
}

/// `has_prompts`: with the texts of the questions.
pub(super) fn ask_columns<'a>(has_prompts: bool) -> Vec<Column<AskRow<'a>>> {
    let mut columns = columns!(row: AskRow,
        SESSION => row.head.session.as_str(),
        SEQ => row.asked.seq,
        text("ask", "stable id of the question") => row.asked.id(),
        SEAT => row.asked.ask.seat.as_str(),
        text("seat_kind", "kind of participant").values(KINDS) => row.kind.as_deref(),
        text("kind", "kind of question, e.g. statement") => row.asked.ask.kind.name(),
        PHASE => row.asked.ask.phase,
        ROUND => row.asked.ask.round,
        count("attempt", "1, or more if the question was repeated after an unusable answer") => row.asked.ask.attempt,
        text("language", "language of question and answer").values(LANGUAGES) => row.asked.ask.language.code(),
        text("status", "result of the question").values("answered no_answer withdrawn open") => row.asked.status(),
        count("tries", "number of calls sent") => row.asked.tries,
        count("failures", "number of failed calls") => row.count(|end| matches!(end, CallOutcome::Failed(_))),
        count("timeouts", "number of calls that timed out") => row.count(|end| matches!(end, CallOutcome::TimedOut)),
        count("late", "number of answers that arrived too late to count") => row.count(|end| matches!(end, CallOutcome::Late(_))),
        text("last_failure", "kind of the last failure, e.g. rate_limit") => row.asked.last_failure(),
        text("provider", "provider of the model") => row.call.and_then(|call| call.provider.as_deref()),
        text("model_asked", "requested model; the last one if there were several") => row.asked.request.model.as_deref(),
        text("model_answered", "model that answered, as the provider names it") => row.reply().and_then(|reply| reply.model.as_deref()),
        text("base_url", "endpoint") => row.asked.request.base_url.as_deref(),
        count("fallbacks", "number of fallbacks to another model of the seat") => row.asked.fallbacks,
        number("temperature", "sampling temperature as sent") => row.temperature(),
        tokens("max_tokens", "token limit of the answer as sent") => row.reply().and_then(|reply| reply.allowed_tokens).unwrap_or(row.asked.request.max_tokens),
        tokens("tokens_in", "input tokens, as counted by the provider") => row.usage().map(|usage| usage.input),
        tokens("tokens_out", "output tokens, as counted by the provider") => row.usage().map(|usage| usage.output),
        tokens("tokens_reasoning", "tokens_out used for reasoning, if reported") => row.usage().and_then(|usage| usage.reasoning),
        tokens("tokens_cached", "tokens_in read from a cache, if reported") => row.usage().and_then(|usage| usage.cached),
        text("tokens_counted", "source of the token counts; empty for people").values("reported estimated") => row.token_source(),
        TOKENS_IN_ESTIMATED => row.estimated().map(|tokens| tokens.input),
        TOKENS_OUT_ESTIMATED => row.estimated().map(|tokens| tokens.output),
        COST => cost(row.sum()),
        text("cost_source", "reported by the provider, computed from reported tokens, or estimated from estimated ones")
            .values("reported computed estimated") => row.cost_source(),
        CURRENCY => currency(row.sum(), row.costs),
        text("price_date", "date of the prices used for the cost") => row.price_date(),
        text("finish", "why the answer ended, as the provider names it") => row.reply().and_then(|reply| reply.finish.as_deref()),
        text("answered_as", "form of the answer; empty if no structured answer was requested").values("native text free form")
            => row.reply().and_then(|reply| reply.answered_as).map(AnsweredAs::name),
        time("queued_at", "when the protocol asked the question") => Cell::Time(row.asked.queued_at),
        time("sent_at", "when the answered call was sent, or else the last one") => row.sent_at().map(Cell::Time),
        time("first_piece_at", "when the first piece of the answer arrived") => row.reply().and_then(|reply| reply.first_piece_at).map(Cell::Time),
        time("done_at", "when the answer was complete or abandoned") => row.asked.done_at.map(Cell::Time),
        number("seconds", "from sending to the whole answer").unit("seconds") => seconds(row.asked.done_at.filter(|_| row.reply().is_some()), row.sent_at()),
        text("read_value", "value read from the answer: text, number, true, false or JSON") => row.asked.value(),
        text("read_how", "which rule read it") => row.asked.how(),
        text("read_reason", "why it could not be read") => row.asked.reason(),
        text("annotation", "the host's reading of an unreadable answer, as JSON; never counted as the answer")
            => row.asked.annotation.as_ref().map(Value::to_string),
        count("answer_characters", "length of the answer").unit(CHARACTERS) => row.reply().map(|reply| reply.text.chars().count()),
        text("answer", "raw text of the answer") => row.reply().map(|reply| reply.text.as_str()),
        text("reasoning", "reasoning that the provider returned separately") => row.reply().and_then(|reply| reply.reasoning.as_deref()),
        text("system", "system message") => row.asked.request.system.get().as_ref(),
        text("prompt", "prompt; JSON if it has several turns") => row.prompt().as_ref(),
        text("recorded_session", "id of the saved run that provided the answer, at no cost") => row.recorded().map(|from| from.session.as_str()),
        count("recorded_seq", "entry of the answer in that run") => row.recorded().map(|from| from.seq),
    );
    columns.retain(|column| has_prompts || !["system", "prompt"].contains(&&*column.about.name));
    columns
}
