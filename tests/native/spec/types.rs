//! TypeScript types of configurations and of what a room may hold, made from the tables.

use super::{page_words, reference, words_of};
use quorate::procedures::ALL;
use quorate::procedures::spec::{Setting, SettingKind, SettingTable};
use quorate::room::plan;
use quorate::study;
use serde_json::Value;
use std::fmt::Write;

/// What is said of the setting at a path.
type Words<'w> = &'w dyn Fn(&str, &Setting) -> String;

/// The declarations.
pub(super) fn text() -> String {
    let page = page_words("en");
    let words = |path: &str, setting: &Setting| {
        let key = words_of(path, setting);
        let word = |key: &str| page.get(key).and_then(Value::as_str);
        let help = word(&format!("{key}.help")).map_or(String::new(), |help| format!(": {help}"));
        format!("{}{help}", word(&key).unwrap_or_default())
    };
    let mut text =
        "// Generated from the tables of settings (src/procedures/*/settings.rs, src/people.rs, src/room/plan.rs, src/study/plan.rs); do not edit.\n"
            .to_owned();
    let mut names = Vec::new();
    for procedure in ALL {
        let name = format!(
            "{}{}Config",
            procedure.name[..1].to_uppercase(),
            &procedure.name[1..]
        );
        write!(
            text,
            "\n/** Settings with `protocol: {}`. */\nexport interface {name} {}\n",
            procedure.name,
            object(procedure.spec.settings, false, "", 0, &words)
        )
        .unwrap();
        names.push(name);
    }
    write!(
        text,
        "\n/** A configuration of any procedure. */\nexport type Config = {};\n",
        names.join(" | ")
    )
    .unwrap();
    let room = reference::room_words();
    let words = |path: &str, setting: &Setting| {
        let unit = setting.unit.map_or(String::new(), |unit| format!(" In {unit}."));
        format!("{}{unit}", room(path))
    };
    write!(
        text,
        "\n/** Settings of a room. */\nexport interface RoomPlan {}\n",
        object(plan::SPEC.settings, false, "", 0, &words)
    )
    .unwrap();
    let study = reference::study_words();
    let words = |path: &str, _: &Setting| study(path).to_owned();
    write!(
        text,
        "\n/** A study file. */\nexport interface StudyFile {}\n",
        object(study::plan::SPEC.settings, false, "", 0, &words)
    )
    .unwrap();
    text
}

fn object(settings: SettingTable, free: bool, path: &str, depth: usize, words: Words) -> String {
    let indent = "  ".repeat(depth + 1);
    let mut text = "{\n".to_owned();
    for setting in settings.iter() {
        let own = if path.is_empty() {
            setting.name.to_owned()
        } else {
            format!("{path}.{}", setting.name)
        };
        let kind = of(&setting.kind, &own, depth + 1, words);
        let said = words(&own, setting).replace("*/", "* /");
        writeln!(text, "{indent}/** {said} */").unwrap();
        // Who names none means the first procedure.
        let names_another = own == "protocol"
            && !matches!(setting.kind, SettingKind::OneOf { words: [word], .. } if *word == ALL[0].name);
        let (mark, or_null) = if setting.required || names_another {
            ("", "")
        } else {
            ("?", " | null")
        };
        let name = if setting.name.starts_with('$') {
            format!("{:?}", setting.name)
        } else {
            setting.name.to_owned()
        };
        writeln!(text, "{indent}{name}{mark}: {kind}{or_null};").unwrap();
        for other in setting.also {
            writeln!(
                text,
                "{indent}/** Alias of `{}`. */\n{indent}{other}?: {kind} | null;",
                setting.name
            )
            .unwrap();
        }
    }
    if free {
        writeln!(text, "{indent}[key: string]: unknown;").unwrap();
    }
    text + &"  ".repeat(depth) + "}"
}

fn of(kind: &SettingKind, path: &str, depth: usize, words: Words) -> String {
    let list = |inner: String| {
        if inner.contains(" | ") && !inner.starts_with('{') {
            format!("({inner})[]")
        } else {
            format!("{inner}[]")
        }
    };
    match *kind {
        SettingKind::Flag => "boolean".to_owned(),
        SettingKind::Whole { .. } | SettingKind::Number { .. } => "number".to_owned(),
        SettingKind::Text { .. } | SettingKind::Address { .. } => "string".to_owned(),
        // Other capitals are taken too, and no type can say so.
        SettingKind::OneOf {
            words,
            any_case: true,
            ..
        } => {
            words
                .iter()
                .map(|word| format!("{word:?} | "))
                .collect::<String>()
                + "(string & {})"
        }
        SettingKind::OneOf { words, also, .. } => {
            let all = words.iter().chain(also.iter().map(|(word, _)| word));
            all.map(|word| format!("{word:?}"))
                .collect::<Vec<_>>()
                .join(" | ")
        }
        SettingKind::Lines => "string | string[]".to_owned(),
        SettingKind::Pair => "[number, number]".to_owned(),
        SettingKind::Object { settings, free } => object(settings, free, path, depth, words),
        SettingKind::List { of: inner, .. } => list(of(inner, path, depth, words)),
        SettingKind::Map { of: inner } => format!("Record<string, {}>", of(inner, path, depth, words)),
        SettingKind::Either { of: any } => any
            .iter()
            .map(|kind| of(kind, path, depth, words))
            .collect::<Vec<_>>()
            .join(" | "),
        // A room's.
        SettingKind::Free if path == "session" => "Config".to_owned(),
        SettingKind::Free if path == "study" => "StudyFile".to_owned(),
        SettingKind::Free => "unknown".to_owned(),
    }
}
