//! Which model is asked: the request of an ask as it stands, where a seat has fallback models. For
//! whoever reads a record: exports, costs, the index of recorded calls. The engine itself keeps it
//! with its asks.

use super::ask::Request;
use super::record::{Command, EntryKind};
use crate::seat::Fallback;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The open asks of a record, as far as its entries were taken in.
#[derive(Debug, Clone, Default)]
pub struct Requests {
    open: BTreeMap<String, OpenRequest>,
}

#[derive(Debug, Clone)]
struct OpenRequest {
    first: Rc<Request>,
    current: Rc<Request>,
    /// The last try failed, and nothing follows unless the run is resumed.
    has_failed: bool,
}

impl Requests {
    /// The request of an open ask, with the model that is asked now.
    #[must_use]
    pub fn of(&self, ask: &str) -> Option<&Rc<Request>> {
        self.open.get(ask).map(|open| &open.current)
    }

    /// Takes in the next entry. One that settles an ask ends what is known of it: look before.
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

/// The same question to another model.
#[must_use]
pub fn with_model(request: &Request, to: &Fallback) -> Request {
    Request {
        model: Some(to.model.clone()),
        base_url: Some(to.base_url.clone()),
        provider: to.provider,
        ..request.clone()
    }
}
