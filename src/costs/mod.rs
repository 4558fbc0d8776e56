//! What runs cost: a dated table of prices to begin with ([`prices`]), what a record has cost so far
//! ([`tally`]), and what a configuration may cost before it is run ([`forecast`]); and what the catalogue knows of its models
//! beside ([`efforts`]). Views only: caps are
//! kept by the session, and nothing here is ever taken for an answer.

pub mod efforts;
pub mod forecast;
pub mod prices;
pub mod tally;
