//! The procedures, each a part that is loaded when it is needed, and their configurations to begin with.

use super::discussion::advance::{Message, Refusal, advance};
use super::discussion::config::reseated;
use super::discussion::told::{Told, told, view};
use super::spec::fault::ConfigError;
use super::{Preset, Procedure};
use crate::core::record::Entry;
use crate::core::{Input, Session};
use serde_json::Value;
use std::rc::Rc;

/// Discussions, and what programs do with them by their ids.
pub struct Discussing {
    pub(super) procedure: Procedure,
    /// What a message leads to.
    pub advance: fn(&Session, Message<'_>) -> Result<Vec<Input>, Refusal>,
    /// The configuration with another table.
    pub reseated: fn(&Value, &Value) -> Result<Value, ConfigError>,
    /// What a record tells of its discussion.
    pub told: fn(&[Rc<Entry>]) -> Told,
    /// The same as JSON; null for a record of no discussion.
    pub view: fn(&[Rc<Entry>]) -> Value,
}

part!(justice: Procedure = crate::procedures::justice::PROCEDURE);
part!(discussion: Discussing = Discussing {
    procedure: crate::procedures::discussion::PROCEDURE,
    advance,
    reseated,
    told,
    view,
});
part!(debate: Procedure = crate::procedures::debate::PROCEDURE);
part!(delphi: Procedure = crate::procedures::delphi::PROCEDURE);
part!(presets: fn() -> Vec<Preset> = all_presets);

/// Those of the experiment first.
fn all_presets() -> Vec<Preset> {
    use crate::procedures::{debate, delphi, discussion, justice};
    let all = [
        justice::presets::all(),
        discussion::presets::all(),
        debate::presets::all(),
        delphi::presets(),
    ];
    all.into_iter().flatten().collect()
}
