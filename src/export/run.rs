//! A parsed record for the published file: its head with the settings, and its events with their times.

use super::ExportError;
use crate::core::ask::Millis;
use crate::core::record::{Entry, EntryKind, Started};
use crate::principle::Principle;
use crate::procedures::justice::event::{BallotVote, Event};
use crate::procedures::justice::settings::{self, Settings};
use std::rc::Rc;

pub(super) struct Run<'a> {
    pub(super) record: &'a [Rc<Entry>],
    pub(super) head: &'a Started,
    /// End of the protocol; `None` while it is running.
    pub(super) ended: Option<Millis>,
    pub(super) settings: Settings,
    pub(super) events: Vec<LoggedEvent>,
    /// Number of events that this version cannot read.
    pub(super) unknown: usize,
}

pub(super) struct LoggedEvent {
    /// Sequence number of the entry.
    pub(super) seq: u64,
    pub(super) at: Millis,
    pub(super) event: Event,
}

impl<'a> Run<'a> {
    pub(super) fn of(record: &'a [Rc<Entry>]) -> Result<Self, ExportError> {
        let first = record.first().ok_or(ExportError::NoHead)?;
        let EntryKind::Started(head) = &first.what else {
            return Err(ExportError::NoHead);
        };
        let checked =
            settings::check(&head.config).map_err(|error| ExportError::Config(error.to_string()))?;
        let mut run = Self {
            record,
            head,
            ended: None,
            settings: checked.settings,
            events: Vec::new(),
            unknown: 0,
        };
        for entry in record {
            match &entry.what {
                EntryKind::Event { event, .. } => match event.read() {
                    Ok(event) => run.events.push(LoggedEvent {
                        seq: entry.seq,
                        at: entry.at,
                        event,
                    }),
                    Err(_) => run.unknown += 1,
                },
                EntryKind::Ended { .. } => run.ended = Some(entry.at),
                _ => {}
            }
        }
        Ok(run)
    }

    pub(super) fn events(&self) -> impl Iterator<Item = &Event> {
        self.events.iter().map(|logged| &logged.event)
    }

    /// Returns the principle that a seat's statement favours, if one was detected.
    pub(super) fn favored(&self, name: &str, number: u32) -> Option<Principle> {
        self.events().find_map(|event| match event {
            Event::Favored {
                seat,
                round,
                principle,
                ..
            } if seat == name && *round == number => Some(*principle),
            _ => None,
        })
    }

    /// Returns the ballots of a round, in configuration order.
    pub(super) fn votes(&self, number: u32) -> Vec<&BallotVote> {
        let of = |event| match event {
            &Event::Voted { round, ref vote } if round == number => Some(vote),
            _ => None,
        };
        self.events().filter_map(of).collect()
    }
}
