//! The states of a driver.

/// Where a driver stands between opening and closing its session.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    /// Not started: inputs are handled and stored, and no call is made.
    Opened,
    /// Started: calls are made.
    Running,
    /// Started, and waiting calls are parked, because the run is paused or halted.
    Suspended,
    /// Pending entries are still stored; nothing else happens.
    Closed,
}

/// What changes a state.
#[derive(Clone, Copy)]
pub(super) enum Change {
    Start,
    Suspend,
    Continue,
    Close,
}

impl State {
    /// Returns the state after a change; the same state if the change does not apply to it.
    pub(super) fn after(self, change: Change) -> Self {
        match (self, change) {
            (Self::Opened, Change::Start) | (Self::Suspended, Change::Continue) => Self::Running,
            (Self::Running, Change::Suspend) => Self::Suspended,
            (_, Change::Close) => Self::Closed,
            (unchanged, _) => unchanged,
        }
    }

    /// Returns `true` between start and close.
    pub(super) fn is_started(self) -> bool {
        matches!(self, Self::Running | Self::Suspended)
    }
}
