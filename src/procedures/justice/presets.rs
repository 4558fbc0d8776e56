//! Preset configurations, stored in `presets.json`. All run without a key: their seats are scripted, and one
//! preset has a seat for a person.

use crate::procedures::Preset;

/// Returns all presets, the simplest first.
#[must_use]
pub fn all() -> Vec<Preset> {
    serde_json::from_str(include_str!("presets.json")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Language;
    use crate::procedures::justice::settings::check;
    use crate::procedures::justice::settings::{Profile, Settings};
    use crate::seat::SeatKind;

    fn settings(id: &str) -> Settings {
        let preset = all().into_iter().find(|preset| preset.id == id).unwrap();
        check(&preset.config).unwrap().settings
    }

    #[test]
    fn each_passes_the_check_without_warnings_and_needs_no_key() {
        let presets = all();
        let ids: Vec<_> = presets.iter().map(|preset| preset.id.as_str()).collect();
        assert_eq!(
            ids,
            [
                "five",
                "quick",
                "original-values",
                "manipulator",
                "mixed-languages",
                "with-me",
                "compat",
                "cinco",
                "wu"
            ]
        );
        for preset in presets {
            let checked = check(&preset.config).unwrap_or_else(|error| panic!("{}: {error}", preset.id));
            assert_eq!(checked.warnings, [], "{}", preset.id);
            assert!(
                !preset.config["title"].as_str().unwrap().is_empty(),
                "{}",
                preset.id
            );
            let people = checked
                .settings
                .participants
                .iter()
                .filter(|each| each.seat.kind == SeatKind::Human)
                .count();
            assert_eq!(people, usize::from(preset.id == "with-me"), "{}", preset.id);
            let others = checked
                .settings
                .participants
                .iter()
                .filter(|each| each.seat.kind == SeatKind::Scripted)
                .count();
            assert_eq!(
                people + others,
                checked.settings.participants.len(),
                "{}",
                preset.id
            );
        }
    }

    #[test]
    fn each_shows_what_its_name_says() {
        let five = settings("five");
        assert_eq!(
            (
                five.participants.len(),
                five.phase2_rounds,
                five.phase2.history_full_last_round
            ),
            (5, 10, true)
        );
        let quick = settings("quick");
        assert_eq!((quick.participants.len(), quick.phase2_rounds), (3, 4));
        let original = settings("original-values");
        assert!(original.original_values_mode);
        assert_eq!(original.distribution_range_phase2, (2.0, 6.0));
        assert_eq!(
            original.income_class_probabilities,
            Some([0.05, 0.1, 0.5, 0.25, 0.1])
        );
        assert_eq!(settings("manipulator").manipulator.unwrap().name, "Vera");
        let languages: Vec<_> = settings("mixed-languages")
            .participants
            .iter()
            .map(|each| each.seat.language)
            .collect();
        assert_eq!(
            languages,
            [Language::English, Language::Spanish, Language::Mandarin]
        );
        let compat = settings("compat");
        assert_eq!((compat.profile, compat.participants.len()), (Profile::Compat, 5));
        assert!(
            compat
                .participants
                .iter()
                .all(|each| each.memory_character_limit == 25_000)
        );
        assert_eq!(
            (settings("cinco").language, settings("wu").language),
            (Language::Spanish, Language::Mandarin)
        );
    }
}
