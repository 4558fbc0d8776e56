//! Round 0: gathers material. Stored knowledge comes first, outside sources follow; the sources of a stage
//! are asked concurrently. A failing source does not stop the debate.

use super::Debate;
use crate::core::audience::Audience;
use crate::core::data::Data;
use crate::core::table::{NoAnswer, Question};
use crate::procedures::canonical::canonical_json;
use crate::procedures::debate::arena::{Arena, at_once, source_question};
use crate::procedures::debate::asks;
use crate::procedures::debate::event::{Event, GatheredSource};
use crate::procedures::debate::material::{evidence, lay_out, source_material, typed_material};
use crate::procedures::debate::settings::material::{Source, SourceKind};
use crate::reading::{Reading, supply};
use serde_json::json;
use std::rc::Rc;

impl Debate {
    /// Round 0: asks the sources and lays out their material, once per debate.
    pub(super) async fn gather_context(&mut self, round: u32) {
        if std::mem::replace(&mut self.has_gathered, true) {
            return;
        }
        let arena = &self.arena;
        let mut all = vec![typed_material(&arena.settings)];
        let is_outside = |source: &&Source| matches!(source.kind, SourceKind::Feed | SourceKind::Program);
        for outside in [false, true] {
            let stage: Vec<_> = arena
                .settings
                .sources
                .iter()
                .filter(|source| is_outside(source) == outside)
                .map(|source| ask(arena, source, round))
                .collect();
            let count = stage.len() as u32;
            all.extend(at_once(count, stage).await);
        }
        let sources = lay_out(all, arena.settings.context_tokens);
        self.arena.evidence = Rc::new(evidence(&sources));
        self.arena.emit(Audience::Everybody, &Event::Gathered { sources });
    }
}

/// Returns the material of a source, or why there is none.
async fn ask(arena: &Arena, source: &Source, round: u32) -> GatheredSource {
    let asking = arena.table.ask(question(arena, source, round));
    let id = asking.id().to_owned();
    let mut gathered_source = source_material(&source.seat_name(), source.kind.name(), Vec::new());
    let answer = match asking.await {
        Ok(answer) => answer,
        Err(NoAnswer::TimedOut) => {
            gathered_source.note = Some("timed_out".to_owned());
            return gathered_source;
        }
        // The error message may contain addresses; it is visible to the owner only, at the ask.
        Err(NoAnswer::Failed(_)) => {
            gathered_source.note = Some("failed".to_owned());
            return gathered_source;
        }
    };
    match supply(&answer.text, source.limit as usize) {
        Reading::Read { value, how, .. } => {
            arena
                .table
                .read(&id, Data::of(&Reading::read(value.items.len(), how)));
            gathered_source.items =
                source_material(&gathered_source.name, &gathered_source.kind, value.items).items;
            gathered_source.left_out = value.left_out;
            gathered_source.note = value.unavailable.as_ref().map(|_| "unavailable".to_owned());
            gathered_source.message = value.unavailable;
        }
        Reading::Unread { reason, .. } => {
            arena.table.read(&id, Data::of(&Reading::<usize>::unread(reason)));
            gathered_source.note = Some(reason.code());
        }
    }
    gathered_source
}

fn question(arena: &Arena, source: &Source, round: u32) -> Question {
    let mut description = json!({ "kind": source.kind.name(), "limit": source.limit });
    for (key, value) in [("name", &source.name), ("url", &source.url)] {
        if let Some(value) = value {
            description[key] = json!(value);
        }
    }
    let content = canonical_json(&json!({ "source": description, "question": arena.settings.question }));
    source_question(
        arena,
        &source.seat_name(),
        asks::CONTEXT,
        round,
        content,
        source.timeout,
    )
}
