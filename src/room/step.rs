//! What a room reads from the record of a table: who has answered in the current step (all questions of one kind in one
//! round), and who has left.

use crate::core::ask::AskKind;
use crate::core::record::{Entry, EntryKind};
use std::collections::BTreeSet;

/// The current step, kept up to date with the entries of a record.
#[derive(Default)]
pub struct Step {
    key: Option<(AskKind, u8, Option<u32>)>,
    /// Id and seat of each question, and whether the person has answered it.
    asked: Vec<(String, String, bool)>,
    /// Guests who left for good.
    left: BTreeSet<u32>,
}

impl Step {
    pub fn take(&mut self, entry: &Entry) {
        self.left.extend(entry.leaver());
        match &entry.what {
            EntryKind::Asked { ask, .. } => {
                let key = Some((ask.kind.clone(), ask.phase, ask.round));
                if self.key != key {
                    self.key = key;
                    self.asked.clear();
                }
                // One that is asked again has not answered yet.
                self.asked.retain(|(_, seat, _)| *seat != ask.seat);
                self.asked.push((ask.id.clone(), ask.seat.clone(), false));
            }
            EntryKind::Answered { ask, reply, .. } if !reply.stood_in => {
                let asked = self.asked.iter_mut().filter(|(id, ..)| id == ask);
                asked.for_each(|(.., is_done)| *is_done = true);
            }
            _ => {}
        }
    }

    /// Returns how many guests left for good.
    #[must_use]
    pub fn left(&self) -> u32 {
        self.left.len() as u32
    }

    /// Returns the seats that were asked, each with whether it has answered.
    #[must_use]
    pub fn seats(&self) -> Vec<(String, bool)> {
        let seats = self
            .asked
            .iter()
            .map(|(_, seat, is_done)| (seat.clone(), *is_done));
        seats.collect()
    }
}
