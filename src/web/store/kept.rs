//! The memory of debates: rows by kind and id. A change of many rows is one transaction, optionally on the
//! condition that a row does not exist, so that other tabs cannot store anything twice. The contents of rows
//! are opaque here.

use super::changes::{Change, Condition, Step};
use super::requests::key;
use super::schema::{KEPT, SIGNING};
use super::{Database, Durability, StoreError};
use crate::web::signing;
use js_sys::Array;
use wasm_bindgen::{JsCast, JsValue};

/// Key of the signing key pair.
const PAIR: &str = "key";

/// A stored row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredRow {
    pub kind: String,
    pub id: String,
    /// JSON.
    pub value: String,
}

impl Database {
    /// Returns all rows of a kind, or of all kinds, ordered by kind and id.
    ///
    /// # Errors
    /// Returns an error if the store cannot be read.
    pub async fn list_rows(&self, kind: Option<&str>) -> Result<Vec<StoredRow>, StoreError> {
        let found = self.all(KEPT, kind).await?;
        let row = |(key, value): (JsValue, JsValue)| {
            let key = key.dyn_into::<Array>().ok()?;
            Some(StoredRow {
                kind: key.get(0).as_string()?,
                id: key.get(1).as_string()?,
                value: value.as_string()?,
            })
        };
        Ok(found.into_iter().filter_map(row).collect())
    }

    /// Returns the value of a row, if it exists.
    ///
    /// # Errors
    /// Returns an error if the store cannot be read.
    pub async fn kept_at(&self, kind: &str, id: &str) -> Result<Option<String>, StoreError> {
        self.text_at(KEPT, &key(kind, id)).await
    }

    /// Sets and removes rows in one transaction. With `unless`, a kind and an id, only if that row does not
    /// exist; returns `false` if it does.
    ///
    /// # Errors
    /// Returns `Quota` if there is no space.
    pub async fn put_rows(
        &self,
        rows: &[StoredRow],
        removed: &[(&str, &str)],
        unless: Option<(&str, &str)>,
    ) -> Result<bool, StoreError> {
        let remove = |(kind, id): &(&str, &str)| Step::delete(KEPT, key(kind, *id));
        let put = |row: &StoredRow| Step::put(KEPT, key(&row.kind, row.id.as_str()), row.value.as_str());
        let steps = removed.iter().map(remove).chain(rows.iter().map(put)).collect();
        let condition = unless.map(|(kind, id)| Condition {
            store: KEPT,
            key: key(kind, id),
            exists: false,
        });
        let change = Change {
            condition,
            ..Change::of(Durability::Strict, steps)
        };
        self.store(change).await
    }

    /// Signs a text with the key of this browser profile, which is created on first use. Returns
    /// `algorithm`, `public_key` and `value`; null if this browser cannot sign.
    ///
    /// # Errors
    /// Returns an error if the connection is lost.
    pub async fn sign(&self, text: &str) -> Result<JsValue, StoreError> {
        let mut pair = self.key_pair().await?;
        if pair.is_undefined() {
            let made = signing::make_key().await;
            if made.is_object() {
                // Fails if another tab was first, or if keys cannot be stored.
                let add = vec![Step::add(SIGNING, PAIR.into(), made)];
                let _ = self.change(Durability::Strict, add).await;
                pair = self.key_pair().await?;
            }
        }
        Ok(signing::sign(&pair, text).await)
    }

    /// Like [`Self::sign`], with an existing key; null if there is none.
    ///
    /// # Errors
    /// Returns an error if the connection is lost.
    pub async fn sign_if_able(&self, text: &str) -> Result<JsValue, StoreError> {
        Ok(signing::sign(&self.key_pair().await?, text).await)
    }

    /// Returns the stored key pair; undefined if it is missing or unreadable.
    async fn key_pair(&self) -> Result<JsValue, StoreError> {
        self.connection()?;
        Ok(self.value_at(SIGNING, &PAIR.into()).await.unwrap_or_default())
    }
}
