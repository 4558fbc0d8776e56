//! Round 0: what there is to know.

use super::Debate;
use crate::protocol::debate::event::Event;

impl Debate {
    pub(super) fn gather_context(&self) {
        let sources = self.arena.settings.context.iter();
        self.arena.tell(&Event::Gathered {
            sources: sources.map(|source| source.title.clone()).collect(),
        });
    }
}
