//! Records as a role sees them, for JS: of a session that is open, and of entries from anywhere.

use super::driver::Driver;
use super::input::{input, read};
use super::to_js;
use crate::core::record::Entry;
use crate::core::view::View;
use crate::core::visibility::Role;
use crate::procedures::view::view;
use js_sys::Reflect;
use serde_json::json;
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// `owner`, `audience`, `seat:` with a name, or `{ seat }`; the owner where nothing is said.
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
        .ok_or_else(|| input("a role is \"owner\", \"audience\" or { seat: name }"))
}

fn number(number: Option<f64>) -> Option<u64> {
    number.map(|number| number.max(0.0) as u64)
}

impl Driver {
    /// What `look` sees of the record as that role sees it. One fold a role, which goes on where it was.
    pub(super) fn look<T>(&self, role: Role, look: impl FnOnce(&View) -> T) -> T {
        let mut views = self.views.borrow_mut();
        let at = views
            .iter()
            .position(|view| view.board().role == role)
            .unwrap_or_else(|| {
                views.push(view(role));
                views.len() - 1
            });
        let view = &mut views[at];
        let entries = self.session.borrow().entries_from(view.taken());
        entries.iter().for_each(|entry| view.take(entry));
        look(view)
    }

    pub(super) fn view(&self, as_role: &JsValue, since: Option<f64>) -> Result<JsValue, JsValue> {
        Ok(self.look(role(as_role)?, |view| to_js(&view.json(number(since)))))
    }

    pub(super) fn asked(&self, ask: &str, as_role: &JsValue) -> Result<JsValue, JsValue> {
        Ok(self.look(role(as_role)?, |view| to_js(&json!(view.ask(ask)))))
    }
}

/// The entries of a record as a role saw them, at any of them.
#[wasm_bindgen]
pub struct Viewer {
    record: Vec<Rc<Entry>>,
    role: Role,
    view: View,
}

#[wasm_bindgen]
impl Viewer {
    /// Of entries, whether this engine can run them or not.
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

    /// The view after so many entries, or after all: what changed since an earlier one's `number`, or all of it.
    pub fn at(&mut self, count: Option<f64>, since: Option<f64>) -> JsValue {
        let count = number(count).unwrap_or(u64::MAX).min(self.record.len() as u64);
        if count < self.view.taken() {
            self.view = view(self.role.clone());
        }
        let from = self.view.taken();
        let new = self.record.get(from as usize..count as usize).unwrap_or_default();
        new.iter().for_each(|entry| self.view.take(entry));
        to_js(&self.view.json(number(since)))
    }

    /// An ask with its exact question, if it was put by then and the role may know it.
    pub fn asked(&self, ask: &str) -> JsValue {
        to_js(&json!(self.view.ask(ask)))
    }
}
