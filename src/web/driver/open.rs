//! The sessions open in this page, by id, and the promises for their next rest.

use super::Driver;
use crate::core::Status;
use crate::procedures::discussion::advance::{Message, Refusal, advance};
use crate::seat::SeatKind;
use crate::web::error::lab_error;
use js_sys::Promise;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::{Rc, Weak};
use wasm_bindgen::prelude::*;

thread_local! {
    static OPEN: RefCell<BTreeMap<String, Weak<Driver>>> = const { RefCell::new(BTreeMap::new()) };
}

impl Driver {
    /// Registers the session by its id.
    pub(super) fn register(self: Rc<Self>) -> Rc<Self> {
        OPEN.with_borrow_mut(|open| {
            open.retain(|_, driver| driver.strong_count() > 0);
            open.insert(self.id.clone(), Rc::downgrade(&self));
        });
        self
    }

    /// Returns the session with this id, if it is open in this page.
    pub(crate) fn of(id: &str) -> Option<Rc<Self>> {
        let open = OPEN.with_borrow(|open| open.get(id).and_then(Weak::upgrade));
        open.filter(|driver| !driver.is_closed())
    }

    /// Submits a message to a discussion, after all pending inputs.
    pub(crate) fn advance(self: &Rc<Self>, message: Message<'_>) -> Result<(), Refusal> {
        self.handle_inbox();
        let inputs = advance(&self.session.borrow(), message)?;
        for input in inputs {
            self.take_in(input);
        }
        self.work();
        Ok(())
    }

    /// Resolves when the run waits for people, is suspended, over or closed. Rejects if it cannot be stored.
    pub(crate) fn settled(self: &Rc<Self>) -> Promise {
        let promise = Promise::new(&mut |resolve, reject| {
            self.settling.borrow_mut().push((resolve, reject));
        });
        self.resolve_settling();
        promise
    }

    pub(super) fn resolve_settling(&self) {
        if self.settling.borrow().is_empty() || self.is_working.get() || !self.inbox.borrow().is_empty() {
            return;
        }
        let is_stored = self.unstored.borrow().entries.is_empty();
        if is_stored && !self.is_closed() && !self.is_at_rest() {
            return;
        }
        for (resolve, reject) in self.settling.take() {
            let _ = if is_stored {
                resolve.call0(&JsValue::UNDEFINED)
            } else {
                let message = "the last entries could not be stored; they are kept in memory";
                let error = lab_error("storage", message);
                reject.call1(&JsValue::UNDEFINED, &error)
            };
        }
    }

    /// Returns `true` if only input from outside can continue the run.
    fn is_at_rest(&self) -> bool {
        let session = self.session.borrow();
        let waits_for_people = || {
            let open = session.open_asks();
            open.iter()
                .all(|open| open.seat.kind == SeatKind::Human && open.since.is_some())
        };
        session.status() != Status::Running || waits_for_people()
    }
}
