//! What a participant knows when it is asked, as data. The prompt says the same in words; programs that take
//! a seat (scripted participants, `custom` callbacks) need not read prose. Never more than the prompt tells.
//! What there is to know is for the procedures to say; in JSON the facts stand as they are.

use serde::Serialize;
use serde_json::Value;
use std::any::Any;
use std::fmt::{self, Debug};
use std::rc::Rc;

/// What the asked participant knows: a value of the procedure's own, which its scripted seats get back as such.
#[derive(Clone)]
pub struct AskContext(Rc<dyn ContextData>);

trait ContextData {
    fn as_any(&self) -> &dyn Any;
    fn json(&self) -> Value;
}

impl<T: Any + Serialize> ContextData for T {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn json(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }
}

impl AskContext {
    /// Facts of a procedure.
    pub fn new(facts: impl Any + Serialize) -> Self {
        Self(Rc::new(facts))
    }

    /// Nothing is known.
    #[must_use]
    pub fn none() -> Self {
        Self::new(())
    }

    /// The facts as the procedure made them, if it is that one.
    #[must_use]
    pub fn of<T: Any>(&self) -> Option<&T> {
        self.0.as_any().downcast_ref()
    }

    /// The facts for programs outside; null where there are none.
    #[must_use]
    pub fn json(&self) -> Value {
        self.0.json()
    }
}

impl Debug for AskContext {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.json(), formatter)
    }
}

impl PartialEq for AskContext {
    fn eq(&self, other: &Self) -> bool {
        self.json() == other.json()
    }
}
