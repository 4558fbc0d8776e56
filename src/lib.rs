//! Quorate: people and language models sit at one table and deliberate by a formal procedure.
//!
//! The procedure is a **protocol** (the Frohlich-Oppenheimer experiment on distributive justice,
//! [`procedures::justice`]; turn-based discussions, [`procedures::discussion`]; nine-round debates, [`procedures::debate`]); whoever answers is a
//! **seat**; what was asked, answered, drawn and decided is the **record**. This page is the
//! architecture.
//!
//! # The one idea
//!
//! A protocol is an ordinary `async` function that asks seats questions, so it reads like the sequence
//! diagram that it implements. It learns about the world in four ways only: it asks a seat, it hears
//! what people tell it unasked, it draws from a named, seeded random stream, and it has the settings
//! that it began with. All of it goes through a [`core::table::Table`].
//!
//! Around it, a [`core::Session`] does no input or output and has no clock. What happened, and when,
//! is handed in; what to store and what to do comes out:
//!
//! 1. [`procedures::begin`] checks a configuration, tells all of its faults at once or makes a
//!    [`core::Plan`] of it, and begins a session with that.
//! 2. The session polls the protocol by hand until all of it waits for answers. On the way it has noted
//!    what was asked, drawn and told.
//! 3. Out comes an [`core::Outcome`]: new entries of the record, effects (put this call to that
//!    seat; that answer is no longer wanted), the next deadline, and where the run stands.
//! 4. The driver stores the entries, *then* starts the effects, *then* sets one timer to the deadline.
//! 5. What comes of it goes back in by [`core::Session::handle`], with the time: an answer, a
//!    failure, a command, or a tick of the timer. Late or unknown input is legal.
//! 6. The session writes down the answer before the protocol sees it, then goes on with 2, until the
//!    protocol returns its result.
//!
//! A model's call that the driver was told to make may still wait for its turn at the endpoint, which all
//! sessions of a tab share ([`providers::pace`]). That leaves no trace in the record; the session is told, so that
//! the call's time does not run. Whether another model of the seat is asked is the session's word again, and
//! recorded.
//!
//! Whether a call that failed is tried again, when its time is up, how many may be on their way and
//! when the run stands still for help is decided in the session: the protocol sees an answer, or that
//! nobody answered in time. A protocol may also rest of its own accord until it is resumed or hears
//! something, and withdraw a question. That an answer cannot be read, and is asked for again, is the protocol's
//! own step, with an id of its own.
//!
//! # The record
//!
//! An append-only list of [`core::record::Entry`] and the only state there is to store. Some entries
//! say what came from outside (answers, failures, time-outs, commands); all others follow from them,
//! to the byte, on every machine. So:
//!
//! | wanted | how |
//! |---|---|
//! | go on after a reload or a crash | [`procedures::replay`] runs the record again; where it ends, questions go out |
//! | look at a run that has ended | [`procedures::ended`]: from its record alone |
//! | never pay for a call twice | an ask that has an answer in the record is never put again |
//! | verify a record | replay it: the first entry that differs comes out |
//! | branch off anywhere | [`procedures::branch`]: another configuration or answer, all that still fits is taken over |
//! | export | a view of the record ([`export`]) |
//!
//! What keeps it true: ids of asks are made from their place in the protocol
//! (`phase2/round/3/ballot_principle/Ana#2`), never from the order of arrival, so that questions that
//! are open at the same time may be answered in any order; random streams are separate by purpose; no
//! clock, no hash map and no task decides anything. What was read in an answer is recorded with how it
//! was read, and what could not be read with the reason. **Nothing is ever filled in.**
//!
//! # Who sees what
//!
//! Whatever a procedure notes says who may know of it ([`core::audience`]); questions and answers are for the asked
//! seat. Nobody downstream reads entries to show them: [`procedures::view`] makes of them what the owner, onlookers or
//! a seat sees. First [`core::sight`] lets through what that role may know, numbered anew; then [`core::view`] and the
//! procedure's own fold make items, people and steps of it, entry by entry. So what a view shows could have been made
//! without the rest of the record, and `tests/native/noninterference.rs` holds it: change what others do in private,
//! and the view is the same to the byte.
//!
//! # Layers
//!
//! Each may name those in its last column and nothing else of the crate; `tests/native/layers.rs` holds it.
//!
//! Below all of them stand `number` (how numbers are read), `lowercase` (letters in one form), [`sorted`] (lists in
//! order) and `value` (types as any JSON, and back), which name nothing.
//!
//! | part | what it is | names |
//! |---|---|---|
//! | [`principle`] | the four principles, rankings, choices: plain values | |
//! | [`language`] | all words in three languages, and how numbers and lists are written | |
//! | [`reading`] | what an answer means: text to a value or a reason | `language`, `principle` |
//! | [`seat`] | who sits there and whom models are asked at | `language`, `principle` |
//! | [`core`] | ask, record, answer; limits, streams, replay; knows no procedure and no kind of ask | `seat`, `language` |
//! | [`feed`] | topics of a feed that somebody named: RSS, Atom, JSON Feed | |
//! | [`providers`] | what model endpoints speak: requests, replies, streams, errors | `core`, `seat`, `language` |
//! | [`procedures`] | a folder each: what is asked, in which order, what follows, and who plays it without a network | `core`, `seat`, `reading`, and below |
//! | [`costs`] | prices, what a record has cost, and what a configuration may cost before it is run | `procedures`, `core`, `seat`, and below |
//! | [`export`] | the record as files for people and statistics programs | `costs`, `procedures`, `core`, and below |
//! | [`memory`] | what debates leave behind: rows to keep, and what to take from them for the next one | `procedures`, `core`, and below |
//! | [`room`] | people who join by link: who sits where, what they are told, what they answer | `procedures`, `core`, and below |
//! | `web` | the browser: API, driver, fetch, timers, storage, keys; WebAssembly only | all |
//!
//! Everything but `web` is pure: no input or output, no global state, no browser. It builds and tests
//! natively. Keys for model endpoints exist in `web` alone, so no record, export or error can hold one.
//!
//! # Where to look
//!
//! A configuration names its protocol; [`procedures::Protocol`] is the list of them, and whatever differs
//! by protocol asks it: plans, summaries, exports.
//!
//! The experiment's steps have functions named after them: `procedures/justice/phase1.rs` and
//! `phase2.rs` read like the process flow, `discussion`, `voting` and `results` like its detailed
//! sequences. Rules without a table (distributions, speaking order, consensus, history) are pure
//! functions next to them. A discussion is the state machine in `procedures/discussion/procedure.rs`; its
//! `view` is what programs see of it, its `advance` turns their messages into inputs. A debate has one
//! file a round in `procedures/debate/rounds/`, and its rules in `procedures/debate/rules`; what one leaves to the next
//! is made in `memory/settle.rs`. Whole runs in a simulated world stand in `tests/`.
#![deny(unsafe_code)]
#![deny(missing_docs)]

pub mod core;
pub mod costs;
pub mod export;
pub mod feed;
pub mod language;
mod lowercase;
pub mod memory;
mod number;
pub mod principle;
pub mod procedures;
pub mod providers;
pub mod reading;
pub mod room;
pub mod seat;
pub mod sorted;
mod value;

#[cfg(target_arch = "wasm32")]
pub mod web;

/// Small texts and lists come and go by the thousand: it keeps them in bins.
#[cfg(target_arch = "wasm32")]
#[global_allocator]
static MEMORY: talc::wasm::WasmDynamicTalc = talc::wasm::new_wasm_dynamic_allocator();
