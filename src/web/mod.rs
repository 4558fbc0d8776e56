//! The browser: fetch, timers, locks and IndexedDB behind Rust functions. Nothing of the procedure
//! itself lives here.

pub mod fetch;
pub mod lock;
pub mod store;
pub mod timer;
