//! A discussion round: the speaking order, each speaker's private reasoning and statement, the public
//! history, and the memory updates (discussion round sequence).

use super::asks::{MessageQuestion, QuestionContext, StatementQuestion, TextQuestion};
use super::event::Moment;
use super::event::{Event, Step, Validation};
use super::history::{
    HistoryEntry, HistoryKind, StatementFault, trim_history, trim_tail, truncate, validate_statement,
};
use super::lab::Lab;
use super::member::{Member, QuestionPlace};
use super::memory::MemoryStatement;
use super::order::speaking_order;
use super::prompts::discussion::{self as prompts, OwnResults, Reasoning, StatementRetry, Turn};
use super::settings::{MemoryMode, MemoryTiming, Wording};
use crate::core::ask::{Millis, Reply};
use crate::core::audience::Audience;
use crate::core::data::Data;
use crate::core::record::Command;
use crate::core::table::{Question, Table};
use crate::language::Language;
use crate::language::blank::is_blank;
use crate::language::words::Words;
use crate::principle::Principle;
use crate::procedures::answers::QuestionKind;
use crate::procedures::justice::context::{BallotNews, JusticeContext, PublicStatement};
use crate::procedures::open_talk::{self, Place, Talk, Turns};
use crate::procedures::reader::{self, ReaderQuestion};
use crate::reading::structured::Stated;
use crate::reading::{self, How, Reading, Reason};
use crate::seat::SeatKind;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Public discussion, in full and as prompts show it.
pub(super) struct Public {
    /// The full transcript; it is never trimmed.
    pub(super) transcript: Vec<Utterance>,
    /// The last speaking order.
    order: Vec<usize>,
    pub(super) failed_votes: Vec<BallotNews>,
    statements: Rc<Vec<PublicStatement>>,
    /// Histories as prompts show them, trimmed to the limit. One per language, since notices differ.
    shown: BTreeMap<&'static str, ShownHistory>,
}

/// An entry of the transcript.
#[derive(Debug, Clone)]
pub(super) struct Utterance {
    pub(super) at: Millis,
    pub(super) entry: HistoryEntry,
    pub(super) validation: Option<Validation>,
    /// As named by the speaker or the reading model.
    pub(super) favored: Option<Principle>,
    pub(super) amount: Option<u32>,
    /// Topic, key point and theory, where the speaker gave them.
    pub(super) points: [String; 3],
}

/// A statement with the result of its validation.
struct SpokenStatement {
    stated: Stated,
    how: How,
    validation: Validation,
}

#[derive(Default)]
struct ShownHistory {
    words: Option<Words>,
    entries: Vec<HistoryEntry>,
    /// Profile `compat`: the history as one text.
    tail: String,
    /// Cache of rendered entries, each with the limit that it was cut to.
    rendered: RefCell<Vec<(usize, String)>>,
    text: RefCell<Option<Rc<str>>>,
}

impl Public {
    pub(super) fn new(members: &[Member]) -> Self {
        let mut shown: BTreeMap<&'static str, ShownHistory> = BTreeMap::new();
        for member in members {
            shown.entry(member.words.language().code()).or_default().words = Some((*member.words).clone());
        }
        Self {
            transcript: Vec::new(),
            order: Vec::new(),
            failed_votes: Vec::new(),
            statements: Rc::default(),
            shown,
        }
    }

    /// Returns the history as the prompts of a participant show it.
    pub(super) fn text(&self, lab: &Lab, words: &Words) -> Rc<str> {
        let Some(shown) = self.shown.get(words.language().code()) else {
            return Rc::from("");
        };
        let mut text = shown.text.borrow_mut();
        Rc::clone(text.get_or_insert_with(|| shown.render(lab, words)))
    }

    /// Adds a notice of the lab to the history.
    pub(super) fn announce(
        &mut self,
        lab: &Lab,
        members: &[Member],
        round: u32,
        kind: HistoryKind,
        notice: &str,
        line: impl Fn(&Words) -> String,
    ) {
        let language = lab.settings.language;
        let words = members
            .iter()
            .map(|member| &*member.words)
            .find(|words| words.language() == language);
        let own = words
            .cloned()
            .unwrap_or_else(|| super::words(lab.settings.wording, language, &BTreeMap::new()));
        let text = line(&own);
        let at = lab.emit(
            Audience::Everybody,
            Event::Announced {
                round,
                notice: notice.to_owned(),
                text: text.clone(),
            },
        );
        let entry = HistoryEntry::notice(round, kind, &text);
        self.transcript.push(Utterance {
            at,
            entry,
            validation: None,
            favored: None,
            amount: None,
            points: <[String; 3]>::default(),
        });
        for shown in self.shown.values_mut() {
            let Some(words) = shown.words.clone() else {
                continue;
            };
            shown.push(lab, &words, HistoryEntry::notice(round, kind, &line(&words)));
        }
    }

    fn add_statement(&mut self, lab: &Lab, round: u32, speaker: &str, spoken: SpokenStatement) {
        let SpokenStatement {
            stated,
            how,
            validation,
        } = spoken;
        let entry = HistoryEntry::statement(round, speaker, &stated.text);
        let how = Some(how).filter(|how| *how != How::Length);
        // An inference from free text is for the owner alone: memories hold what the speaker named.
        let favored = match how {
            Some(_) => stated.favored,
            None => reading::favoured(&entry.statement, lab.settings.language),
        };
        let at = lab.emit(
            Audience::Everybody,
            Event::Spoke {
                seat: speaker.to_owned(),
                round,
                text: entry.statement.clone(),
                character_count: entry.character_count as u32,
                validation,
            },
        );
        if let Some(principle) = favored {
            lab.emit(
                Audience::Owner,
                Event::Favored {
                    seat: speaker.to_owned(),
                    round,
                    principle,
                    amount: stated.amount,
                    how,
                },
            );
        }
        Rc::make_mut(&mut self.statements).push(PublicStatement {
            round,
            speaker: speaker.to_owned(),
            text: entry.statement.clone(),
        });
        for shown in self.shown.values_mut() {
            let Some(words) = shown.words.clone() else {
                continue;
            };
            shown.push(lab, &words, entry.clone());
        }
        self.transcript.push(Utterance {
            at,
            entry,
            validation: Some(validation),
            favored: stated.favored,
            amount: stated.amount,
            points: stated.points,
        });
    }

    /// Drops the oldest statements from the history in prompts until it fits the limit.
    fn trim(&mut self, lab: &Lab, round: u32) {
        if lab.is_compat() {
            return;
        }
        let limit = lab.settings.phase2.public_history_max_length as usize;
        let mut dropped = 0;
        for shown in self.shown.values_mut() {
            dropped = trim_history(&mut shown.entries, limit);
            shown.rendered.borrow_mut().clear();
            *shown.text.borrow_mut() = None;
        }
        if dropped > 0 {
            lab.emit(
                Audience::Owner,
                Event::Trimmed {
                    round,
                    dropped: dropped as u32,
                },
            );
        }
    }

    /// Returns the facts that a participant knows in the discussion.
    pub(super) fn facts(&self, member: &Member, round: u32) -> JusticeContext {
        JusticeContext {
            heard: Rc::clone(&self.statements),
            ballots: self.failed_votes.clone(),
            ..member.facts(2, round)
        }
    }

    /// Returns the statement of a speaker in a round.
    pub(super) fn statement_of(&self, round: u32, speaker: &str) -> Option<&str> {
        let of_round = self
            .statements
            .iter()
            .rev()
            .take_while(|statement| statement.round == round);
        of_round
            .into_iter()
            .find(|statement| statement.speaker == speaker)
            .map(|statement| statement.text.as_str())
    }

    /// Returns the last speaking order, as indices of participants.
    pub(super) fn order(&self) -> &[usize] {
        &self.order
    }
}

impl ShownHistory {
    fn push(&mut self, lab: &Lab, words: &Words, entry: HistoryEntry) {
        *self.text.borrow_mut() = None;
        if lab.is_compat() {
            // The published program cuts the text before it appends, at any position.
            let limit = lab.settings.phase2.public_history_max_length as usize;
            let marker = words.text("justice.history.trimmed", &[]);
            let rendered = render_entry(words, &entry, 0);
            self.tail = trim_tail(&self.tail, limit, &marker);
            if !self.tail.is_empty() {
                self.tail.push_str("\n\n");
            }
            self.tail.push_str(&rendered);
        }
        self.entries.push(entry);
    }

    fn render(&self, lab: &Lab, words: &Words) -> Rc<str> {
        if lab.is_compat() && !self.tail.is_empty() {
            return Rc::from(self.tail.as_str());
        }
        let settings = &lab.settings;
        let last = self.entries.last().map_or(0, |entry| entry.round);
        let limit = |entry: &HistoryEntry| {
            let is_whole = settings.phase2.history_full_last_round && entry.round == last;
            if is_whole {
                0
            } else {
                settings.phase2.history_statement_max_chars as usize
            }
        };
        let mut rendered = self.rendered.borrow_mut();
        for (place, entry) in self.entries.iter().enumerate() {
            let limit = limit(entry);
            match rendered.get_mut(place) {
                Some((cut_to, _)) if *cut_to == limit => {}
                Some(other) => *other = (limit, render_entry(words, entry, limit)),
                None => rendered.push((limit, render_entry(words, entry, limit))),
            }
        }
        let entries: Vec<&str> = rendered.iter().map(|(_, text)| text.as_str()).collect();
        Rc::from(prompts::history(words, &entries))
    }
}

/// Renders an entry for prompts. Statements of more than `limit` characters are cut; 0 means no limit.
fn render_entry(words: &Words, entry: &HistoryEntry, limit: usize) -> String {
    match &entry.speaker {
        Some(speaker) if limit > 0 => {
            prompts::history_statement(words, entry.round, speaker, &truncate(&entry.statement, limit))
        }
        Some(speaker) => prompts::history_statement(words, entry.round, speaker, &entry.statement),
        None => prompts::history_notice(words, entry.round, &entry.statement),
    }
}

/// Runs one round of discussion.
pub(super) async fn discuss(lab: &Lab, members: &mut [Member], public: &mut Public, round: u32) {
    lab.emit(
        Audience::Everybody,
        Event::StepBegan {
            phase: 2,
            step: Step::Discussion,
            round,
            seat: None,
        },
    );
    let is_open = lab.settings.phase2.turns == Turns::Open;
    if is_open {
        talk_openly(lab, members, public, round).await;
    } else {
        speak_in_turn(lab, members, public, round).await;
    }
    public.trim(lab, round);
    if is_open || lab.settings.phase2.memory_update_timing == MemoryTiming::PerRound {
        lab.emit(
            Audience::Everybody,
            Event::StepBegan {
                phase: 2,
                step: Step::MemoryUpdate,
                round,
                seat: None,
            },
        );
        for member in members.iter_mut() {
            member.update_discussion_memory(lab, public, round, false).await;
        }
    }
}

/// Lets everybody write when they like, until the time is up.
async fn talk_openly(lab: &Lab, members: &mut [Member], public: &mut Public, round: u32) {
    public.order = (0..members.len()).collect();
    // Those that came before are not for this talk.
    lab.table.drop_commands();
    let asked = vec![0; members.len()];
    let mut talk = GroupTalk {
        lab,
        members,
        public,
        round,
        asked,
    };
    open_talk::hold(&mut talk, lab.settings.phase2.minutes).await;
}

/// Place of a question for what somebody says to the group.
fn place_in_talk(lab: &Lab, round: u32) -> QuestionPlace {
    QuestionPlace {
        phase: 2,
        step: Step::Discussion,
        round,
        about: "",
        seconds: lab.settings.phase2.statement_timeout,
    }
}

/// The open talk of a round.
struct GroupTalk<'t> {
    lab: &'t Lab,
    members: &'t [Member],
    public: &'t mut Public,
    round: u32,
    /// Number of questions to each participant, so that their ids are unique.
    asked: Vec<u32>,
}

impl GroupTalk<'_> {
    fn member(&self, name: &str) -> Option<&Member> {
        self.members.iter().find(|member| member.name() == name)
    }

    fn context(&self, member: &Member) -> QuestionContext {
        member.context(JusticeContext {
            points: self.lab.has_statement_points(),
            is_brief: true,
            ..self.public.facts(member, self.round)
        })
    }
}

impl Talk for GroupTalk<'_> {
    const MOST_MESSAGES: u32 = 3;

    fn table(&self) -> &Table {
        &self.lab.table
    }

    fn places(&self) -> Vec<Place> {
        let place = |member: &Member| Place {
            id: member.name().to_owned(),
            seat: member.name().to_owned(),
            is_person: member.participant.seat.kind == SeatKind::Human,
        };
        self.members.iter().map(place).collect()
    }

    fn question(&mut self, name: &str, _number: u32) -> Option<Question> {
        let (lab, public, round) = (self.lab, &*self.public, self.round);
        let member = self.member(name)?;
        let history = public.text(lab, &member.words);
        let prompt = member.statement_prompt(lab, public, round, &history);
        let place = place_in_talk(lab, round);
        let context = self.context(member);
        let index = member.index;
        let attempt = self.asked[index] + 1;
        let question = member.question(MessageQuestion, place, attempt, prompt, None, &context);
        self.asked[index] = attempt;
        Some(question)
    }

    /// A message in plain text is not put to the reading model, which would hold up the talk.
    fn take(&mut self, name: &str, ask: String, reply: Reply) -> bool {
        let Some(member) = self.member(name) else {
            return false;
        };
        let reading = MessageQuestion.read(self.lab.settings.answers, &reply, &self.context(member));
        let Reading::Read {
            value: stated, how, ..
        } = reading
        else {
            return false;
        };
        if is_blank(&stated.text) {
            let unread = Reading::<String>::unread(Reason::EmptyResponse);
            self.lab.table.read(&ask, Data::of(&unread));
            return false;
        }
        let length = stated.text.trim().chars().count();
        self.lab.table.read(&ask, Data::of(&Reading::read(length, how)));
        let validation = Validation::Valid;
        let spoken = SpokenStatement {
            stated,
            how,
            validation,
        };
        self.public.add_statement(self.lab, self.round, name, spoken);
        true
    }

    fn handle(&mut self, _command: Command) -> bool {
        false
    }

    fn is_closed(&self) -> bool {
        false
    }

    fn set_end(&mut self, until: Millis) {
        let round = self.round;
        self.lab.emit(Audience::Everybody, Event::Opened { round, until });
    }
}

/// Lets everybody make a statement, one after the other.
async fn speak_in_turn(lab: &Lab, members: &mut [Member], public: &mut Public, round: u32) {
    let speakers = determine_speaking_order(lab, public, round);
    for &speaker in &speakers {
        let Some(member) = members.get_mut(speaker) else {
            continue;
        };
        let spoken = member.speak(lab, public, round).await;
        let name = member.name().to_owned();
        match spoken {
            Some(spoken) => public.add_statement(lab, round, &name, spoken),
            None => {
                lab.emit(
                    Audience::Everybody,
                    Event::Spoke {
                        seat: name.clone(),
                        round,
                        text: String::new(),
                        character_count: 0,
                        validation: Validation::Skipped,
                    },
                );
                let line = |words: &Words| prompts::statement_unavailable(words, &name);
                public.announce(
                    lab,
                    members,
                    round,
                    HistoryKind::System,
                    "statement_unavailable",
                    line,
                );
                let message = "no statement was given: the speaker is passed over".to_owned();
                lab.warn("statement_skipped", Some(&name), Some(round), message);
            }
        }
        if lab.settings.phase2.memory_update_timing == MemoryTiming::PerSpeaker
            && let Some(member) = members.get_mut(speaker)
        {
            member.update_discussion_memory(lab, public, round, true).await;
        }
    }
}

fn determine_speaking_order(lab: &Lab, public: &mut Public, round: u32) -> Vec<usize> {
    let previous = (round > 1).then(|| public.order.clone());
    let order = lab.draw(&format!("round {round}: speaking order"), |random| {
        speaking_order(
            round,
            lab.names.len(),
            &lab.settings.order,
            previous.as_deref(),
            random,
        )
    });
    let seats = order
        .iter()
        .filter_map(|index| lab.names.get(*index).cloned())
        .collect();
    lab.emit(Audience::Everybody, Event::Ordered { round, seats });
    public.order.clone_from(&order);
    order
}

impl Member {
    /// Asks for private reasoning, then for a statement; `None` without a statement.
    async fn speak(&mut self, lab: &Lab, public: &Public, round: u32) -> Option<SpokenStatement> {
        let attempts =
            (lab.settings.phase2.statement_validation_retries + u32::from(!lab.is_compat())).max(1);
        let minimum = match self.participant.seat.language {
            Language::Mandarin => lab.settings.phase2.statement_min_length_cjk,
            _ => lab.settings.phase2.statement_min_length,
        };
        let history = public.text(lab, &self.words);
        let facts = public.facts(self, round);
        let mut best = None;
        let mut complaint: Option<(String, usize)> = None;
        for attempt in 1..=attempts {
            if attempt == 1 || lab.is_compat() {
                self.reason(lab, round, attempt, &history, &facts).await;
            }
            let prompt = self.statement_prompt(lab, public, round, &history);
            let prompt = match &complaint {
                None => prompt,
                Some((reason, length)) => prompts::statement_retry(
                    &self.words,
                    &StatementRetry {
                        attempt: attempt - 1,
                        attempts,
                        reason,
                        length: *length,
                        minimum,
                        prompt: &prompt,
                    },
                ),
            };
            let reason = complaint.as_ref().map(|(reason, _)| reason.clone());
            let facts = JusticeContext {
                points: lab.has_statement_points(),
                is_brief: lab.settings.wording == Wording::Class,
                complaint: reason,
                ..facts.clone()
            };
            let place = place_in_talk(lab, round);
            let shown = Some(&*history).filter(|_| lab.is_compat());
            let kind = StatementQuestion;
            let context = self.context(facts);
            let question = self.question(kind, place, attempt, prompt, shown, &context);
            let reader_question = ReaderQuestion::of(lab.settings.reader.as_ref(), &question);
            let pending = lab.table.ask(question);
            let id = pending.id().to_owned();
            let Ok(reply) = pending.await else { break };
            let (stated, how) = match kind.read(lab.settings.answers, &reply, &context) {
                Reading::Read { value, how, .. } => (value, how),
                Reading::Unread { .. } => (Stated::default(), How::Form),
            };
            let length = stated.text.trim().chars().count();
            match validate_statement(&stated.text, minimum as usize) {
                Ok(()) => {
                    lab.table.read(&id, Data::of(&Reading::read(length, how)));
                    let (stated, how) = match how {
                        How::Length => find_favored(lab, reader_question, &context, stated).await,
                        _ => (stated, how),
                    };
                    return Some(SpokenStatement {
                        stated,
                        how,
                        validation: Validation::Valid,
                    });
                }
                Err(fault) => {
                    let reason = match fault {
                        StatementFault::EmptyResponse => "empty_response",
                        StatementFault::TooShort => "too_short",
                    };
                    lab.table
                        .read(&id, Data::of(&json!({ "value": null, "reason": reason })));
                    complaint = Some((reason.to_owned(), length));
                    if length > 0 {
                        best = Some(SpokenStatement {
                            stated,
                            how,
                            validation: Validation::BestEffort,
                        });
                    }
                }
            }
        }
        if best.is_some() {
            let message = format!("the statement stayed below {minimum} characters and was taken as it is");
            lab.warn("statement_too_short", Some(self.name()), Some(round), message);
        }
        best
    }

    fn statement_prompt(&self, lab: &Lab, public: &Public, round: u32, history: &str) -> String {
        let rounds = lab.settings.phase2_rounds;
        let is_open = lab.settings.phase2.turns == Turns::Open;
        if lab.is_compat() && !is_open {
            return prompts::statement_prompt_compat(&self.words, self.name(), round, rounds);
        }
        let last_vote = public
            .failed_votes
            .last()
            .map(|vote| (vote.round, vote.outcome.as_str()));
        prompts::statement_prompt(
            &self.words,
            &Turn {
                name: self.name(),
                round,
                rounds,
                participants: &lab.names,
                own: OwnResults {
                    initial: self.ranking(Moment::Initial),
                    post_explanation: self.ranking(Moment::PostExplanation),
                    after_applications: self.ranking(Moment::AfterApplications),
                    applications: &self.applications,
                    earnings: Some(self.bank),
                },
                history,
                last_vote,
                is_open,
            },
        )
    }

    /// Asks once for private reasoning; without an answer, the reasoning is empty.
    async fn reason(&mut self, lab: &Lab, round: u32, attempt: u32, history: &str, facts: &JusticeContext) {
        if !self.participant.reasoning_enabled || !self.participant.writes_memory {
            return;
        }
        let prompt = prompts::reasoning_prompt(
            &self.words,
            &Reasoning {
                name: self.name(),
                round,
                rounds: lab.settings.phase2_rounds,
                no_consensus: lab.settings.phase2.no_consensus,
                target: self.target,
                agreement: lab.settings.phase2.consensus_rule(),
            },
        );
        let place = QuestionPlace {
            phase: 2,
            step: Step::Discussion,
            round,
            about: "",
            seconds: lab.settings.phase2.reasoning_timeout,
        };
        let (kind, facts) = (TextQuestion::Reasoning, facts.clone());
        let text = self.ask_for_text(kind, place, attempt, prompt, Some(history), facts);
        self.reasoning = text.await.unwrap_or_default();
        lab.emit(
            self.audience(),
            Event::Reasoned {
                seat: self.name().to_owned(),
                round,
                text: self.reasoning.clone(),
            },
        );
    }

    /// Updates the memory with the round: the same lines for all, or a rewrite by the participant.
    /// `own_only`: right after speaking, with the participant's own statement alone.
    async fn update_discussion_memory(&mut self, lab: &Lab, public: &Public, round: u32, own_only: bool) {
        let name = self.name().to_owned();
        let statements: Vec<MemoryStatement<'_>> = public
            .transcript
            .iter()
            .filter(|utterance| utterance.entry.round == round)
            .filter_map(|utterance| {
                let speaker = utterance.entry.speaker.as_deref()?;
                Some(MemoryStatement {
                    round,
                    speaker,
                    text: &utterance.entry.statement,
                    favored: utterance.favored,
                    amount: utterance.amount,
                    points: &utterance.points,
                })
            })
            .filter(|statement| !own_only || statement.speaker == name)
            .collect();
        let own_reasoning = lab
            .settings
            .include_internal_reasoning_in_memory
            .then(|| self.reasoning.clone());
        let by_call = lab.settings.phase2.discussion_memory_mode == MemoryMode::Rewrite
            || !lab.settings.selective_memory_updates;
        if by_call && self.participant.writes_memory {
            let mut news = public.text(lab, &self.words).to_string();
            if let Some(reasoning) = &own_reasoning {
                news.push_str("\n\n");
                news.push_str(reasoning);
            }
            let line =
                super::prompts::discussion::history(&self.words, &statement_lines(&self.words, &statements));
            self.rewrite_memory(2, round, "discussion", &news, &line).await;
        } else {
            self.remember_statements(&statements, round, own_reasoning.as_deref());
        }
    }
}

/// Asks the reading model, if there is one, what a statement in plain text favors.
async fn find_favored(
    lab: &Lab,
    question: Option<ReaderQuestion<'_>>,
    context: &QuestionContext,
    stated: Stated,
) -> (Stated, How) {
    let form = StatementQuestion.form(context);
    let found = reader::extract(&lab.table, question, form, &stated.text).await;
    let with_text = |mut values: Value| {
        values["text"] = stated.text.as_str().into();
        StatementQuestion.read_values(&values, context)
    };
    match found.and_then(with_text) {
        Some(found) => (found, How::Model),
        None => (stated, How::Length),
    }
}

fn statement_lines(words: &Words, statements: &[MemoryStatement<'_>]) -> Vec<String> {
    statements
        .iter()
        .map(|statement| {
            prompts::history_statement(words, statement.round, statement.speaker, statement.text)
        })
        .collect()
}
