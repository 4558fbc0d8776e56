//! Views of a record by role, for JS: of open sessions, and of any entries.

use super::driver::Driver;
use super::input::{input, read};
use super::readers::language;
use super::to_js;
use crate::core::record::Entry;
use crate::core::view::View;
use crate::core::visibility::Role;
use crate::procedures::view::{outcome, view};
use js_sys::Reflect;
use serde_json::json;
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// Parses `owner`, `audience`, `seat:NAME` or `{ seat }`; the default is the owner.
pub(super) fn role(role: &JsValue) -> Result<Role, JsValue> {
    if role.is_undefined() || role.is_null() {
        return Ok(Role::Owner);
    }
    let seat = Reflect::get(role, &"seat".into())
        .ok()
        .and_then(|seat| seat.as_string());
    let named = || role.as_string().and_then(|role| Role::named(&role));
    seat.map(Role::Seat)
        .or_else(named)
        .ok_or_else(|| input("role must be \"owner\", \"audience\", \"seat:NAME\" or { seat: name }"))
}

fn number(number: Option<f64>) -> Option<u64> {
    number.map(|number| number.max(0.0) as u64)
}

impl Driver {
    /// Applies `look` to the view of a role. There is one view per role, which is continued.
    pub(super) fn look<T>(&self, role: Role, look: impl FnOnce(&mut View) -> T) -> T {
        let mut views = self.views.borrow_mut();
        let at = views
            .iter()
            .position(|view| view.transcript().role == role)
            .unwrap_or_else(|| {
                views.push(view(role));
                views.len() - 1
            });
        let view = &mut views[at];
        view.set_names(&self.names.borrow());
        let entries = self.session.borrow().entries_from(view.taken());
        entries.iter().for_each(|entry| view.take(entry));
        look(view)
    }

    pub(super) fn view(
        &self,
        as_role: &JsValue,
        since: Option<f64>,
        shown_in: Option<String>,
    ) -> Result<JsValue, JsValue> {
        let shown_in = shown_in.map(|name| language(Some(name))).transpose()?;
        Ok(self.look(role(as_role)?, |view| {
            view.language = shown_in;
            to_js(&view.json(number(since)))
        }))
    }

    pub(super) fn asked(&self, ask: &str, as_role: &JsValue) -> Result<JsValue, JsValue> {
        Ok(self.look(role(as_role)?, |view| to_js(&json!(view.ask(ask)))))
    }
}

/// Views of a record by one role, at any entry.
#[wasm_bindgen]
pub struct Viewer {
    record: Vec<Rc<Entry>>,
    role: Role,
    view: View,
}

#[wasm_bindgen]
impl Viewer {
    /// Takes any entries, even of another engine.
    #[wasm_bindgen(constructor)]
    pub fn new(entries: &JsValue, as_role: &JsValue) -> Result<Viewer, JsValue> {
        let record = read("Viewer: entries", entries)?;
        let role = role(as_role)?;
        Ok(Self {
            record,
            view: view(role.clone()),
            role,
        })
    }

    /// Returns the view after `count` entries, or all: the changes since an earlier view's `number`, or all
    /// of it.
    pub fn at(
        &mut self,
        count: Option<f64>,
        since: Option<f64>,
        shown_in: Option<String>,
    ) -> Result<JsValue, JsValue> {
        let shown_in = shown_in.map(|name| language(Some(name))).transpose()?;
        let count = number(count).unwrap_or(u64::MAX).min(self.record.len() as u64);
        if count < self.view.taken() {
            self.view = view(self.role.clone());
        }
        let from = self.view.taken();
        let new = self.record.get(from as usize..count as usize).unwrap_or_default();
        new.iter().for_each(|entry| self.view.take(entry));
        self.view.language = shown_in;
        Ok(to_js(&self.view.json(number(since))))
    }

    /// Returns an ask with its exact question, if it was asked by then and is visible to the role.
    pub fn asked(&self, ask: &str) -> JsValue {
        to_js(&json!(self.view.ask(ask)))
    }
}

/// Returns the outcome of a run in a sentence, from its result or the `outcome` of its summary; empty for an unknown
/// protocol.
#[wasm_bindgen(js_name = outcomeText)]
pub fn outcome_text(protocol: &str, result: &JsValue, shown_in: Option<String>) -> Result<String, JsValue> {
    let result = read("outcomeText: result", result)?;
    Ok(outcome(protocol, &result, language(shown_in)?))
}
