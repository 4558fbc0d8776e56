//! Targets for the result of a debate, selected by rules of the configuration. The selection is recorded
//! here; the page with the record delivers the result.
//!
//! Source: A25 and A29 of the debate's design.

use serde::{Deserialize, Serialize};

/// Target of a result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Target {
    /// The window that opened the page, if it has this origin.
    Opener {
        /// Scheme, host and port.
        origin: String,
    },
    /// The page that frames this one, if it has this origin.
    Embed {
        /// Scheme, host and port.
        origin: String,
    },
    /// Other tabs of the page.
    Broadcast,
    /// An address that accepts POST requests.
    Webhook {
        /// `https:`, or `http:` on this machine.
        url: String,
    },
    Download,
    /// A notification on the device.
    Notify,
}

/// A target for the result, used if all conditions hold.
#[derive(Debug, Clone, PartialEq)]
pub struct After {
    pub target: Target,
    /// Required presence (`true`) or absence of a consensus.
    pub consensus: Option<bool>,
    /// Minimum confidence, 0 to 1.
    pub min_confidence: f64,
}

/// Returns the distinct targets of the rules that hold, in the order of the rules.
#[must_use]
pub fn due(rules: &[After], reached: bool, confidence: f64) -> Vec<Target> {
    let holds = |rule: &&After| {
        rule.consensus.is_none_or(|wanted| wanted == reached) && confidence >= rule.min_confidence
    };
    let mut targets: Vec<Target> = Vec::new();
    for rule in rules.iter().filter(holds) {
        if !targets.contains(&rule.target) {
            targets.push(rule.target.clone());
        }
    }
    targets
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_hold_by_consensus_and_confidence_and_each_target_is_listed_once() {
        let rule = |target, consensus, min_confidence| After {
            target,
            consensus,
            min_confidence,
        };
        let hook = Target::Webhook {
            url: "https://x.org/".into(),
        };
        let rules = [
            rule(Target::Broadcast, None, 0.0),
            rule(hook.clone(), Some(true), 0.8),
            rule(Target::Download, Some(false), 0.0),
            rule(Target::Broadcast, Some(true), 0.5),
        ];
        assert_eq!(due(&rules, true, 0.8), [Target::Broadcast, hook]);
        assert_eq!(due(&rules, true, 0.79), [Target::Broadcast]);
        assert_eq!(due(&rules, false, 0.9), [Target::Broadcast, Target::Download]);
        assert_eq!(due(&[], true, 1.0), []);
    }
}
