//! The task of a manipulator against the golden answers: how many lines the role gets, and that the
//! old role ends it. Wording and length are our own. Looks in `QUORATE_GOLDEN`, by default
//! `../shared/golden`; without the folder it says so and passes.

use crate::support;
use quorate::language::{Language, words::Words};
use quorate::principle::Principle;
use quorate::procedures::justice::prompts::system::{manipulated_role, manipulator_task};
use std::collections::BTreeMap;

#[test]
fn tasks_have_the_golden_layout() {
    for row in support::golden_of("justice-aggregation.jsonl", "inject_target") {
        let language = row["lang"].as_str().and_then(Language::from_name).unwrap();
        let words = Words::new(&quorate::procedures::justice::TEXTS, language, &BTreeMap::new());
        let target = row["input"]["target"]
            .as_str()
            .and_then(Principle::from_id)
            .unwrap();
        let tied: &[Principle] = match row["input"]["tiebreak"] == true {
            true => &[Principle::Average, Principle::RangeConstraint],
            false => &[],
        };
        let task = manipulator_task(&words, target, tied, &[target, Principle::RangeConstraint]);
        let role = manipulated_role(&task, "You are a calm person.");
        assert_eq!(row["expected"]["lines"], role.lines().count(), "{}", row["id"]);
        assert_eq!(
            row["expected"]["ends_with_old_role"],
            role.ends_with("\n\nYou are a calm person."),
            "{}",
            row["id"]
        );
        assert!(task.contains(target.id()), "{}", row["id"]);
    }
}
