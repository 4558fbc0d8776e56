//! The rules for the result of a debate, given under `after`. What they mean is in [`super::super::rules::after`].

use crate::procedures::debate::rules::after::{After, Target};
use crate::procedures::spec::config_reader::{ConfigReader, is_http};
use crate::procedures::spec::declare::choices;
use crate::procedures::spec::{
    AddressContent, Literal, SettingKind, SettingTable, maybe_one_of, number, object, of,
};

/// Addresses that may use `http:`, since nothing leaves this machine.
const LOCAL_ADDRESSES: [&str; 3] = ["http://localhost", "http://127.0.0.1", "http://[::1]"];

choices! {
    /// Actions, see [`Target`].
    pub enum Action {
        Opener = "opener",
        Embed = "embed",
        Broadcast = "broadcast",
        Webhook = "webhook",
        Download = "download",
        Notify = "notify",
    }
}

const ADDRESS: SettingKind = SettingKind::Address {
    holds: AddressContent::NoSecret,
};

pub(super) const AFTER: SettingKind = SettingKind::Object {
    settings: SettingTable(&[&[
        maybe_one_of("do", Action::WORDS).required(),
        of("origin", ADDRESS),
        of("url", ADDRESS),
        object(
            "when",
            SettingTable(&[&[
                of("consensus", SettingKind::Flag),
                number("min_confidence", 0.0, 1.0).default(Literal::Number(0.0)),
            ]]),
        ),
    ]]),
    free: false,
};

/// Reads the rules of `after`.
pub(super) fn after(top: &ConfigReader) -> Vec<After> {
    let mut rules = Vec::new();
    for rule in top.list("after") {
        let when = rule.object("when");
        if let Some(target) = target(&rule) {
            rules.push(After {
                target,
                consensus: when.maybe_flag("consensus"),
                min_confidence: when.number("min_confidence"),
            });
        }
    }
    rules
}

fn target(rule: &ConfigReader) -> Option<Target> {
    Some(match rule.maybe_one_of("do", Action::ALL)? {
        Action::Opener => Target::Opener {
            origin: origin(rule)?,
        },
        Action::Embed => Target::Embed {
            origin: origin(rule)?,
        },
        Action::Broadcast => Target::Broadcast,
        Action::Webhook => Target::Webhook {
            url: address(rule, "url")?,
        },
        Action::Download => Target::Download,
        Action::Notify => Target::Notify,
    })
}

/// Reads scheme, host and port; a path is a fault.
fn origin(rule: &ConfigReader) -> Option<String> {
    let origin = address(rule, "origin")?;
    let host = origin.split_once("://").map_or("", |(_, host)| host);
    if host.contains('/') {
        rule.fault("origin", "origin", vec![]);
        return None;
    }
    Some(origin)
}

fn address(rule: &ConfigReader, key: &'static str) -> Option<String> {
    let Some(address) = rule.given_text(key) else {
        if !rule.has(key) {
            rule.fault(key, "missing", vec![]);
        }
        return None;
    };
    let is_local = |prefix: &str| {
        let rest = address.strip_prefix(prefix);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([':', '/']))
    };
    if !(address.starts_with("https://") || LOCAL_ADDRESSES.into_iter().any(is_local)) {
        if is_http(&address) {
            rule.fault(key, "https", vec![]);
        }
        return None;
    }
    Some(address)
}

#[cfg(test)]
mod tests {
    use super::super::check;
    use super::*;
    use serde_json::{Value, json};

    fn config(after: &Value) -> Value {
        json!({ "question": "Which?", "agents": [{"name": "A"}, {"name": "B"}], "after": after })
    }

    #[test]
    fn rules_are_read_with_their_conditions() {
        let config = config(&json!([
            { "do": "embed", "origin": "https://school.example:8443" },
            { "do": "webhook", "url": "https://x.example/in?a=1", "when": { "consensus": true, "min_confidence": 0.8 } },
        ]));
        let settings = check(&config).unwrap().settings;
        assert_eq!(
            settings.after,
            [
                After {
                    target: Target::Embed {
                        origin: "https://school.example:8443".into()
                    },
                    consensus: None,
                    min_confidence: 0.0,
                },
                After {
                    target: Target::Webhook {
                        url: "https://x.example/in?a=1".into()
                    },
                    consensus: Some(true),
                    min_confidence: 0.8,
                },
            ]
        );
    }

    #[test]
    fn each_fault_has_its_path() {
        let config = config(&json!([
            {},
            { "do": "shout" },
            { "do": "opener", "origin": "https://a.example/path" },
            { "do": "webhook", "url": "javascript:alert(1)" },
            { "do": "webhook", "url": "http://localhost.example/" },
            { "do": "webhook", "url": "http://localhost:8080/in" },
            { "do": "download", "when": { "min_confidence": 2 } },
        ]));
        let faults = check(&config).unwrap_err().0;
        let paths: Vec<&str> = faults.iter().map(|fault| fault.path.as_str()).collect();
        assert_eq!(
            paths,
            [
                "after[0].do",
                "after[1].do",
                "after[3].url",
                "after[6].when.min_confidence",
                "after[2].origin",
                "after[4].url",
            ]
        );
    }
}
