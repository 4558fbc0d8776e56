//! Costs of runs: the default price table ([`prices`]), the costs of a record so far ([`tally`]), a forecast for a
//! configuration ([`forecast`]), and warnings about reasoning effort ([`efforts`]). All of these are views: the session
//! enforces the caps.

pub mod efforts;
pub mod forecast;
pub mod prices;
pub mod tally;
