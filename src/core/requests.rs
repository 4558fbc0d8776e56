//! The current request of each ask, where a seat has fallback models. For readers of a record: exports,
//! costs, the index of recorded calls. The engine keeps its own copy with the asks.

use super::ask::Request;
use super::record::{Command, EntryKind};
use crate::seat::Fallback;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The open asks of a record, by the entries applied so far.
#[derive(Debug, Clone, Default)]
pub struct Requests {
    open: BTreeMap<String, OpenRequest>,
}

#[derive(Debug, Clone)]
struct OpenRequest {
    first: Rc<Request>,
    current: Rc<Request>,
    /// The last attempt failed, and no retry follows unless the run is resumed.
    has_failed: bool,
}

impl Requests {
    /// Returns the request of an open ask, with its current model.
    #[must_use]
    pub fn of(&self, ask: &str) -> Option<&Rc<Request>> {
        self.open.get(ask).map(|open| &open.current)
    }

    /// Applies the next entry. An entry that settles an ask removes it, so read the request first.
    pub fn take(&mut self, what: &EntryKind) {
        match what {
            EntryKind::Asked { ask, request, .. } => {
                let open = OpenRequest {
                    first: Rc::clone(request),
                    current: Rc::clone(request),
                    has_failed: false,
                };
                self.open.insert(ask.id.clone(), open);
            }
            EntryKind::Failed { ask, .. } => self.has_failed(ask, true),
            EntryKind::Retrying { ask, .. } => self.has_failed(ask, false),
            EntryKind::FellBack {
                ask,
                model,
                provider,
                base_url,
                ..
            } => {
                let to = Fallback {
                    model: model.clone(),
                    base_url: base_url.clone(),
                    provider: *provider,
                };
                if let Some(open) = self.open.get_mut(ask) {
                    open.current = Rc::new(with_model(&open.first, &to));
                    open.has_failed = false;
                }
            }
            EntryKind::Commanded {
                command: Command::Resume | Command::Step,
            } => {
                for open in self.open.values_mut().filter(|open| open.has_failed) {
                    open.current = Rc::clone(&open.first);
                    open.has_failed = false;
                }
            }
            EntryKind::Answered { ask, .. }
            | EntryKind::Unanswered { ask }
            | EntryKind::Withdrawn { ask } => {
                self.open.remove(ask);
            }
            _ => {}
        }
    }

    fn has_failed(&mut self, ask: &str, has_failed: bool) {
        if let Some(open) = self.open.get_mut(ask) {
            open.has_failed = has_failed;
        }
    }
}

/// Returns the same question for another model.
#[must_use]
pub fn with_model(request: &Request, to: &Fallback) -> Request {
    Request {
        model: Some(to.model.clone()),
        base_url: Some(to.base_url.clone()),
        provider: to.provider,
        ..request.clone()
    }
}
