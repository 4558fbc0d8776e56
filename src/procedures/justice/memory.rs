//! Memory updates: appended lines or rewrites by the participant, and shortening of long memories. The steps
//! decide when to update.

use super::asks::TextQuestion;
use super::event::{Event, MemoryChange, Step};
use super::history::{fit_memory, truncate};
use super::member::{Member, QuestionPlace};
use super::prompts::memory::{self as prompts, StatementFacts, Update};
use super::prompts::system::Explanation;
use crate::language::blank::is_blank;
use crate::principle::Principle;
use crate::procedures::justice::context::JusticeContext;

/// Maximum characters of a topic, key point or theory.
const MAX_POINT_LENGTH: u32 = 200;

/// A statement for memories.
pub(super) struct MemoryStatement<'a> {
    pub(super) round: u32,
    pub(super) speaker: &'a str,
    pub(super) text: &'a str,
    pub(super) favored: Option<Principle>,
    pub(super) amount: Option<u32>,
    pub(super) points: &'a [String; 3],
}

impl Member {
    /// Appends text to the memory.
    pub(super) fn remember(&mut self, phase: u8, text: &str) {
        let text = text.trim();
        if is_blank(text) {
            return;
        }
        if !self.memory.is_empty() {
            self.memory.push('\n');
        }
        self.memory.push_str(text);
        self.emit_memory(phase, MemoryChange::Appended, text.to_owned());
        self.fit(phase, self.participant.memory_character_limit);
    }

    /// Asks the participant to rewrite its memory with the news. For people, and without an answer, `line` is
    /// appended instead, so that nothing is lost.
    pub(super) async fn rewrite_memory(
        &mut self,
        phase: u8,
        round: u32,
        about: &'static str,
        news: &str,
        line: &str,
    ) {
        if !self.participant.writes_memory {
            self.remember(phase, line);
            return;
        }
        let limit = self.participant.memory_character_limit;
        if self.memory.chars().count() as u64 * 10 > u64::from(limit) * 8 {
            self.compress(phase, round, about).await;
        }
        let is_first = phase == 2 && !self.has_group_memory;
        let settings = &self.lab.settings;
        let prompt = prompts::update_prompt(
            &self.words,
            &Update {
                style: settings.phase2.memory.guidance_style,
                first_in_phase2: is_first,
                quiet: false,
                explanation: match (settings.include_experiment_explanation, self.memory.is_empty()) {
                    (false, _) => Explanation::None,
                    (true, true) => Explanation::Long,
                    (true, false) => Explanation::Short,
                },
                memory: &self.memory,
                news,
                limit,
            },
        );
        self.has_group_memory |= phase == 2;
        let facts = JusticeContext {
            news: news.to_owned(),
            ..self.facts(phase, round)
        };
        for attempt in 1..=2 {
            let place = self.memory_place(phase, round, about);
            let (prompt, facts) = (prompt.clone(), facts.clone());
            let text = self.ask_for_text(TextQuestion::Memory, place, attempt, prompt, None, facts);
            let Some(text) = text.await else { break };
            if is_blank(&text) {
                continue;
            }
            self.memory = text;
            let text = self.memory.clone();
            self.emit_memory(phase, MemoryChange::Rewritten, text);
            self.fit(phase, limit + limit / 100 * 15);
            return;
        }
        let message = "the memory was not rewritten; the news were appended to it as a line".to_owned();
        self.lab.warn(
            "memory_not_rewritten",
            Some(self.name()),
            Some(round).filter(|round| *round > 0),
            message,
        );
        self.remember(phase, line);
    }

    /// Asks for a shorter memory and accepts it only if it is shorter.
    async fn compress(&mut self, phase: u8, round: u32, about: &'static str) {
        let limit = self.participant.memory_character_limit;
        let prompt = prompts::compress_prompt(&self.words, &self.memory, limit / 10 * 6);
        let place = QuestionPlace {
            step: Step::MemoryUpdate,
            ..self.memory_place(phase, round, about)
        };
        // Attempt 0 precedes the update itself, which begins with 1.
        let facts = self.facts(phase, round);
        let text = self.ask_for_text(TextQuestion::Memory, place, 0, prompt, None, facts);
        let Some(text) = text.await else { return };
        if !text.is_empty() && text.chars().count() < self.memory.chars().count() {
            self.memory = text.clone();
            self.emit_memory(phase, MemoryChange::Rewritten, text);
            return;
        }
        let message = "the shorter memory that was asked for is no shorter and was not taken".to_owned();
        let round = Some(round).filter(|round| *round > 0);
        self.lab
            .warn("memory_not_compressed", Some(self.name()), round, message);
    }

    /// Appends statements as lines in the configured style. Long statements are cut.
    pub(super) fn remember_statements(
        &mut self,
        statements: &[MemoryStatement<'_>],
        round: u32,
        own_reasoning: Option<&str>,
    ) {
        let settings = &self.lab.settings;
        let cut = |text: &str, limit: u32| {
            if settings.phase2.memory.enable_truncation {
                truncate(text, limit as usize)
            } else {
                text.to_owned()
            }
        };
        let mut lines: Vec<String> = statements
            .iter()
            .map(|statement| {
                let points = statement
                    .points
                    .each_ref()
                    .map(|point| cut(point, MAX_POINT_LENGTH));
                let facts = StatementFacts {
                    round: statement.round,
                    speaker: statement.speaker,
                    favored: statement.favored,
                    amount: statement.amount,
                    points: &points,
                    text: &cut(statement.text, settings.phase2.memory.statement_max_length),
                };
                prompts::statement_line(&self.words, settings.phase2.memory.guidance_style, &facts)
            })
            .collect();
        if let Some(reasoning) = own_reasoning.filter(|text| !text.trim().is_empty()) {
            let reasoning = cut(reasoning, settings.phase2.memory.reasoning_max_length);
            lines.push(prompts::reasoning_line(&self.words, round, &reasoning));
        }
        self.remember(2, &lines.join("\n"));
    }

    /// Drops the oldest half of a memory that is too long, as often as needed.
    fn fit(&mut self, phase: u8, limit: u32) {
        let fitted = fit_memory(&self.memory, limit as usize);
        if fitted.len() < self.memory.len() {
            self.memory = fitted.to_owned();
            let text = self.memory.clone();
            self.emit_memory(phase, MemoryChange::Shortened, text);
            let message = format!("the memory was over {limit} characters and lost its oldest part");
            self.lab
                .warn("memory_shortened", Some(self.name()), None, message);
        }
    }

    fn emit_memory(&self, phase: u8, how: MemoryChange, text: String) {
        self.lab.emit(
            self.audience(),
            Event::Remembered {
                seat: self.name().to_owned(),
                phase,
                how,
                text,
            },
        );
    }

    fn memory_place(&self, phase: u8, round: u32, about: &'static str) -> QuestionPlace {
        QuestionPlace {
            phase,
            step: Step::MemoryUpdate,
            round,
            about,
            seconds: self.lab.settings.phase2.statement_timeout,
        }
    }
}
