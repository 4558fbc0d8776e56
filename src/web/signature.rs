//! Who vouches for a record: a signature over the hash of its entries, by the key of the browser profile. It stands beside
//! the record, in storage and in exports, and is no part of it: the same run has the same record everywhere.

use super::signing::{is_signed, thumbprint};
use super::store::Store;
use super::timer::yield_to_event_loop;
use super::{from_js, to_js};
use crate::core::codec::Writer;
use crate::core::record::Entry;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::rc::Rc;

/// A signature.
#[derive(Serialize, Deserialize)]
pub(crate) struct Signature {
    /// How many entries it is over.
    #[serde(default)]
    entries: usize,
    algorithm: String,
    public_key: Value,
    value: String,
}

/// What was found of a signature.
#[derive(Serialize)]
pub(crate) struct SignatureCheck {
    /// Whether it is one of this record by the key in it; `None`: this browser cannot tell.
    valid: Option<bool>,
    /// Name of the key (RFC 7638).
    key: Option<String>,
    entries: usize,
}

impl SignatureCheck {
    /// Whether the record is not what was signed.
    pub(crate) fn is_wrong(&self) -> bool {
        self.valid == Some(false)
    }
}

fn text(entries: usize, hash: &str) -> String {
    format!("quorate record\n{entries}\n{hash}")
}

/// The hash of a record, in hex: the last line's, whole. Others have their turn meanwhile.
pub(super) async fn hash_of(record: &[Rc<Entry>]) -> String {
    let mut writer = Writer::default();
    for entry in record {
        yield_to_event_loop().await;
        writer.line(entry);
    }
    writer.hash()
}

/// Signs a record of so many entries; `None` where this browser cannot, or has no key: one is made for receipts only.
pub(crate) async fn sign(store: &Store, entries: usize, hash: &str) -> Option<Signature> {
    let signed = store.sign_if_able(&text(entries, hash)).await.ok()?;
    let signature: Signature = serde_json::from_value(from_js(&signed).ok()?).ok()?;
    Some(Signature { entries, ..signature })
}

/// Looks whether a signature is one of a record.
pub(crate) async fn check(signature: &str, record: &[Rc<Entry>]) -> SignatureCheck {
    let mut checked = SignatureCheck {
        valid: Some(false),
        key: None,
        entries: 0,
    };
    let Ok(signature) = serde_json::from_str::<Signature>(signature) else {
        return checked;
    };
    checked.entries = signature.entries;
    let Some(signed) = record.get(..signature.entries) else {
        return checked;
    };
    let key = to_js(&signature.public_key);
    checked.valid = is_signed(
        &text(signature.entries, &hash_of(signed).await),
        &signature.algorithm,
        &key,
        &signature.value,
    )
    .await;
    if checked.valid == Some(true) {
        checked.key = thumbprint(&key).await;
    }
    checked
}
