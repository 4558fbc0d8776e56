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
use crate::procedures::debate::material::{evidence, gathered, laid_out, typed};
use crate::procedures::debate::settings::{Source, SourceKind};
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
        let mut all = vec![typed(&arena.settings)];
        let is_of_now = |source: &&Source| matches!(source.kind, SourceKind::Feed | SourceKind::Program);
        for now in [false, true] {
            let stage: Vec<_> = arena
                .settings
                .sources
                .iter()
                .filter(|source| is_of_now(source) == now)
                .map(|source| ask(arena, source, round))
                .collect();
            let most = stage.len() as u32;
            all.extend(at_once(most, stage).await);
        }
        let sources = laid_out(all, arena.settings.context_tokens);
        self.arena.evidence = Rc::new(evidence(&sources));
        self.arena.tell(Audience::Everybody, &Event::Gathered { sources });
    }
}

/// Returns the material of a source, or why there is none.
async fn ask(arena: &Arena, source: &Source, round: u32) -> GatheredSource {
    let asking = arena.table.ask(question(arena, source, round));
    let id = asking.id().to_owned();
    let mut given = gathered(&source.seat_name(), source.kind.name(), Vec::new());
    let answer = match asking.await {
        Ok(answer) => answer,
        Err(NoAnswer::TimedOut) => {
            given.note = Some("timed_out".to_owned());
            return given;
        }
        // The error message may contain addresses; it is visible to the owner only, at the ask.
        Err(NoAnswer::Failed(_)) => {
            given.note = Some("failed".to_owned());
            return given;
        }
    };
    match supply(answer.text(), source.limit as usize) {
        Reading::Read { value, how, .. } => {
            arena
                .table
                .read(&id, Data::of(&Reading::read(value.items.len(), how)));
            given.items = gathered(&given.name, &given.kind, value.items).items;
            given.left_out = value.left_out;
            given.note = value.unavailable.as_ref().map(|_| "unavailable".to_owned());
            given.message = value.unavailable;
        }
        Reading::Unread { reason, .. } => {
            arena.table.read(&id, Data::of(&Reading::<usize>::unread(reason)));
            given.note = Some(reason.code());
        }
    }
    given
}

fn question(arena: &Arena, source: &Source, round: u32) -> Question {
    let mut what = json!({ "kind": source.kind.name(), "limit": source.limit });
    for (key, value) in [("name", &source.name), ("url", &source.url)] {
        if let Some(value) = value {
            what[key] = json!(value);
        }
    }
    let content = canonical_json(&json!({ "source": what, "question": arena.settings.question }));
    source_question(
        arena,
        &source.seat_name(),
        asks::CONTEXT,
        round,
        content,
        source.timeout,
    )
}
