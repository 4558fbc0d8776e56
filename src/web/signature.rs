//! Signatures of records, over the hash of the entries, by the key of the browser profile. A signature is
//! stored and exported beside the record, not in it: the same run has the same record everywhere.

use super::signing::{is_signed, thumbprint};
use super::store::Store;
use super::timer::yield_to_event_loop;
use super::{from_js, to_js};
use crate::core::codec::Writer;
use crate::core::record::Entry;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::rc::Rc;

/// A record's signature.
#[derive(Serialize, Deserialize)]
pub(crate) struct Signature {
    /// Number of signed entries.
    #[serde(default)]
    entries: usize,
    algorithm: String,
    public_key: Value,
    value: String,
}

/// Result of verifying a signature.
#[derive(Serialize)]
pub(crate) struct SignatureCheck {
    /// Whether the key in it signed this record; `None` if this browser cannot verify it.
    valid: Option<bool>,
    /// Thumbprint of the key (RFC 7638).
    key: Option<String>,
    entries: usize,
}

impl SignatureCheck {
    /// Returns `true` if the record differs from what was signed.
    pub(crate) fn is_wrong(&self) -> bool {
        self.valid == Some(false)
    }
}

fn text(entries: usize, hash: &str) -> String {
    format!("quorate record\n{entries}\n{hash}")
}

/// Returns the hash of a record in hex, yielding between entries.
pub(super) async fn hash_of(record: &[Rc<Entry>]) -> String {
    let mut writer = Writer::default();
    for entry in record {
        yield_to_event_loop().await;
        writer.line(entry);
    }
    writer.hash()
}

/// Signs a record of this many entries; `None` if this browser cannot or has no key. Keys are created for
/// receipts only.
pub(crate) async fn sign(store: &Store, entries: usize, hash: &str) -> Option<Signature> {
    let signed = store.sign_if_able(&text(entries, hash)).await.ok()?;
    let signature: Signature = serde_json::from_value(from_js(&signed).ok()?).ok()?;
    Some(Signature { entries, ..signature })
}

/// Verifies a signature of a record.
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
