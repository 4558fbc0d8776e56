//! The facts of a question as data, for programs in a seat (scripted participants, `custom` callbacks).
//! They contain no more than the prompt. Procedures define them; JSON contains them unchanged.

use serde::Serialize;
use serde_json::Value;
use std::any::Any;
use std::fmt::{self, Debug};
use std::rc::Rc;

/// The facts that the asked participant knows: a value of the procedure's own type, which its scripted
/// seats downcast.
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
    /// Returns the context of a question with these facts.
    #[must_use]
    pub fn new(facts: Rc<impl Any + Serialize>) -> Self {
        Self(facts)
    }

    /// Returns an empty context.
    #[must_use]
    pub fn none() -> Self {
        Self::new(Rc::new(()))
    }

    /// Returns the facts if they have type `T`.
    #[must_use]
    pub fn of<T: Any>(&self) -> Option<&T> {
        self.0.as_any().downcast_ref()
    }

    /// Returns the facts as JSON; null if there are none.
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
