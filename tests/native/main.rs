//! All native tests in one program, since linking is what takes the time. One file a subject; what they share
//! stands in `support`.
#![cfg(not(target_arch = "wasm32"))]
#![allow(dead_code, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod corpus_answers;
mod corpus_ballots;
mod corpus_replays;
mod debate;
mod debate_long_texts;
mod debate_scripted;
mod debate_sources;
mod debate_team;
mod debate_votes;
mod delphi;
mod determinism;
mod discussion;
mod exports;
mod fallback;
mod forms;
mod golden_amount;
mod golden_config;
mod golden_debate_measures;
mod golden_debate_memory;
mod golden_debate_rules;
mod golden_discussion;
mod golden_kinds;
mod golden_manipulator;
mod golden_principle;
mod golden_ranking;
mod golden_recorded_runs;
mod golden_rules;
mod jury;
mod justice_views;
mod languages;
mod layers;
mod memory;
mod noninterference;
mod procedure;
mod reader;
mod reading;
mod record_size;
mod recorded_sessions;
mod refusals;
mod rooms;
mod same_record;
mod scripted_variety;
mod settled_answers;
mod spec;
mod structured;
mod structured_answers;
mod support;
mod tables;
mod texts;
mod trouble;
mod unattended;
mod views;
