//! Scripted debaters.
