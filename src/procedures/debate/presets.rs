//! Presets of debates, from `presets.json`. All run without a key.

use crate::procedures::Preset;

/// Returns all presets, the simplest first.
#[must_use]
pub fn all() -> Vec<Preset> {
    serde_json::from_str(include_str!("presets.json")).unwrap_or_default()
}
