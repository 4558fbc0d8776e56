//! Debates to begin with; all of them run without a key. They stand in `presets.json`.

use crate::procedures::Preset;

/// All presets, the plainest first.
#[must_use]
pub fn all() -> Vec<Preset> {
    serde_json::from_str(include_str!("presets.json")).unwrap_or_default()
}
