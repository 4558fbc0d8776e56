//! What debates leave behind: rows of a kind, by id. A change of many rows is one transaction, and may
//! be made on the condition that a row is not there yet, so that nothing is kept twice whatever other
//! tabs do. What a row says is nobody's business here.

use super::schema::{KEPT, SIGNING};
use super::{Durability, Store, StoreError, all, key, names, step};
use js_sys::{Array, Promise};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::IdbDatabase;

#[wasm_bindgen(module = "/src/web/browser.js")]
extern "C" {
    fn sign(database: &IdbDatabase, store: &str, text: &str, makes: bool) -> Promise;
}

/// A row as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// What it is.
    pub kind: String,
    /// Unique within its kind.
    pub id: String,
    /// JSON.
    pub value: String,
}

impl Store {
    /// All rows of a kind, or of all kinds, ordered by kind and id.
    ///
    /// # Errors
    /// Where the store cannot be read.
    pub async fn kept(&self, kind: Option<&str>) -> Result<Vec<Kept>, StoreError> {
        let found = self.settle(all(self.database()?, &names(&[KEPT]), kind)).await?;
        let found: Array = found.unchecked_into();
        let (keys, values): (Array, Array) = (found.get(0).unchecked_into(), found.get(1).unchecked_into());
        let row = |(key, value): (JsValue, JsValue)| {
            let key = key.dyn_into::<Array>().ok()?;
            Some(Kept {
                kind: key.get(0).as_string()?,
                id: key.get(1).as_string()?,
                value: value.as_string()?,
            })
        };
        Ok(keys.iter().zip(values.iter()).filter_map(row).collect())
    }

    /// The value of a row, if there is one.
    ///
    /// # Errors
    /// Where the store cannot be read.
    pub async fn kept_at(&self, kind: &str, id: &str) -> Result<Option<String>, StoreError> {
        self.text_at(KEPT, &key(kind, &id.into())).await
    }

    /// Sets rows and removes others, all of it or nothing. With `unless`, a kind and an id, only where
    /// there is no such row; `false`: there is one, and nothing was changed.
    ///
    /// # Errors
    /// `Quota` where there is no room.
    pub async fn keep(
        &self,
        rows: &[Kept],
        removed: &[(&str, &str)],
        unless: Option<(&str, &str)>,
    ) -> Result<bool, StoreError> {
        let after = unless.map(|(kind, id)| (KEPT, key(kind, &id.into()), false));
        let remove = |(kind, id): &(&str, &str)| step(KEPT, "delete", &[key(kind, &(*id).into())]);
        let put = |row: &Kept| {
            let place = key(&row.kind, &row.id.as_str().into());
            step(KEPT, "put", &[row.value.as_str().into(), place])
        };
        let steps = removed.iter().map(remove).chain(rows.iter().map(put)).collect();
        self.change_after(&[KEPT], Durability::Strict, after, steps, None)
            .await
    }

    /// Signs a text with the key of this browser profile, which is made when it is first needed: a block
    /// of `algorithm`, `public_key` and `value`; null where this browser cannot sign.
    ///
    /// # Errors
    /// Where the connection is lost.
    pub async fn sign(&self, text: &str) -> Result<JsValue, StoreError> {
        let signed = sign(self.database()?, SIGNING, text, true);
        self.settle(signed).await
    }

    /// As [`Self::sign`], with the key that there is; null where there is none.
    ///
    /// # Errors
    /// Where the connection is lost.
    pub async fn sign_if_able(&self, text: &str) -> Result<JsValue, StoreError> {
        let signed = sign(self.database()?, SIGNING, text, false);
        self.settle(signed).await
    }
}
