//! Presets from `presets.json`, which run without an API key.

use crate::procedures::Preset;

/// Returns all presets, the simplest first.
#[must_use]
pub fn all() -> Vec<Preset> {
    serde_json::from_str(include_str!("presets.json")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::procedures::discussion::settings::{Start, check};
    use crate::seat::SeatKind;

    #[test]
    fn presets_are_valid_without_warnings_and_need_no_key() {
        let presets = all();
        let ids: Vec<_> = presets.iter().map(|preset| preset.id.as_str()).collect();
        assert_eq!(
            ids,
            ["round-table", "round-table-with-me", "mesa-redonda", "yuanzhuo"]
        );
        for preset in presets {
            let checked = check(&preset.config).unwrap_or_else(|error| panic!("{}: {error}", preset.id));
            assert_eq!(checked.warnings, [], "{}", preset.id);
            let table = checked.settings.seating;
            let kinds = |kind| table.seats.iter().filter(|seat| seat.kind == kind).count();
            let people = usize::from(preset.id == "round-table-with-me");
            assert_eq!(
                (kinds(SeatKind::Human), kinds(SeatKind::Scripted)),
                (people, 3),
                "{}",
                preset.id
            );
            assert_eq!(checked.settings.start == Start::AtOnce, people == 0);
            assert!(!checked.settings.title.is_empty() && !checked.settings.topic.is_empty());
        }
    }
}
