//! What debates leave behind: rows of a kind, by id. A change of many rows is one transaction, and may
//! be made on the condition that a row is not there yet, so that nothing is kept twice whatever other
//! tabs do. What a row says is nobody's business here.

use super::changes::{Change, Condition, Step};
use super::requests::key;
use super::schema::{KEPT, SIGNING};
use super::{Durability, Store, StoreError};
use crate::web::signing;
use js_sys::Array;
use wasm_bindgen::{JsCast, JsValue};

/// The key of the key pair.
const PAIR: &str = "key";

/// A row as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredRow {
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
    pub async fn kept(&self, kind: Option<&str>) -> Result<Vec<StoredRow>, StoreError> {
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

    /// The value of a row, if there is one.
    ///
    /// # Errors
    /// Where the store cannot be read.
    pub async fn kept_at(&self, kind: &str, id: &str) -> Result<Option<String>, StoreError> {
        self.text_at(KEPT, &key(kind, id)).await
    }

    /// Sets rows and removes others, all of it or nothing. With `unless`, a kind and an id, only where
    /// there is no such row; `false`: there is one, and nothing was changed.
    ///
    /// # Errors
    /// `Quota` where there is no room.
    pub async fn keep(
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

    /// Signs a text with the key of this browser profile, which is made when it is first needed: a block
    /// of `algorithm`, `public_key` and `value`; null where this browser cannot sign.
    ///
    /// # Errors
    /// Where the connection is lost.
    pub async fn sign(&self, text: &str) -> Result<JsValue, StoreError> {
        let mut pair = self.key_pair().await?;
        if pair.is_undefined() {
            let made = signing::make_key().await;
            if made.is_object() {
                // This fails where another tab was first, or keys cannot be stored here.
                let add = vec![Step::add(SIGNING, PAIR.into(), made)];
                let _ = self.change(Durability::Strict, add).await;
                pair = self.key_pair().await?;
            }
        }
        Ok(signing::sign(&pair, text).await)
    }

    /// As [`Self::sign`], with the key that there is; null where there is none.
    ///
    /// # Errors
    /// Where the connection is lost.
    pub async fn sign_if_able(&self, text: &str) -> Result<JsValue, StoreError> {
        Ok(signing::sign(&self.key_pair().await?, text).await)
    }

    /// The stored key pair; undefined where there is none, or it cannot be read.
    async fn key_pair(&self) -> Result<JsValue, StoreError> {
        self.connection()?;
        Ok(self.value_at(SIGNING, &PAIR.into()).await.unwrap_or_default())
    }
}
