//! What runs cost: a dated table of prices to begin with ([`prices`]), what a record has cost so far
//! ([`tally`]), and what a configuration may cost before it is run ([`forecast`]). Views only: caps are
//! kept by the session, and nothing here is ever taken for an answer.

pub mod forecast;
pub mod prices;
pub mod tally;
