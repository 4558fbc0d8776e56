//! Storage errors: a code for programs and a message for people.

use js_sys::Reflect;
use std::fmt;
use wasm_bindgen::JsValue;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StoreCode {
    /// Another tab keeps an old version of the database open.
    Blocked,
    /// Stored data, or data to be stored, is inconsistent.
    Corrupt,
    /// Another tab continued the session.
    Elsewhere,
    /// The id of a session cannot be the name of a file.
    Name,
    Other,
    /// No space left.
    Quota,
    /// The browser does not answer.
    Silent,
    /// IndexedDB is missing or no longer available.
    Unavailable,
}

impl StoreCode {
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Blocked => "blocked",
            Self::Corrupt => "corrupt",
            Self::Elsewhere => "elsewhere",
            Self::Name => "name",
            Self::Other => "other",
            Self::Quota => "quota",
            Self::Silent => "silent",
            Self::Unavailable => "unavailable",
        }
    }

    /// Returns the storage state of a session with this error.
    #[must_use]
    pub fn state(self) -> &'static str {
        match self {
            Self::Blocked => "blocked",
            Self::Corrupt => "damaged",
            Self::Elsewhere => "elsewhere",
            Self::Name | Self::Other => "trouble",
            Self::Quota => "full",
            Self::Silent => "silent",
            Self::Unavailable => "closed",
        }
    }
}

/// A storage error. Nothing of the failed change was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoreError {
    pub code: StoreCode,
    /// The problem and what to do.
    pub message: String,
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for StoreError {}

impl StoreError {
    /// Converts an exception of IndexedDB.
    #[must_use]
    pub fn from_js(error: &JsValue) -> Self {
        let field = |name: &str| {
            Reflect::get(error, &JsValue::from_str(name))
                .ok()
                .and_then(|value| value.as_string())
        };
        let name = field("name").unwrap_or_default();
        let (code, sentence) = match name.as_str() {
            "QuotaExceededError" => (
                StoreCode::Quota,
                "There is no room left for this page's data. Delete sessions that are no longer needed, or free space on the disk; what was stored is still there and can be exported.",
            ),
            "VersionError" => (
                StoreCode::Unavailable,
                "The data was written by a newer version of this page. Reload the page.",
            ),
            "InvalidStateError" | "SecurityError" | "NotAllowedError" => (
                StoreCode::Unavailable,
                "The browser does not let this page store data now (private window, blocked site data, or data removed meanwhile). Export what is to be kept.",
            ),
            "NotReadableError" | "DataCloneError" | "ConstraintError" => {
                (StoreCode::Corrupt, "What is stored does not fit together.")
            }
            _ => (StoreCode::Other, "The browser could not store or read the data."),
        };
        let detail = field("message")
            .filter(|text| !text.is_empty())
            .or_else(|| error.as_string());
        let detail = match (name.is_empty(), detail) {
            (true, None) => String::new(),
            (true, Some(detail)) => format!(" ({detail})"),
            (false, None) => format!(" ({name})"),
            (false, Some(detail)) => format!(" ({name}: {detail})"),
        };
        Self {
            code,
            message: format!("{sentence}{detail}"),
        }
    }

    /// Converts an error of a folder.
    #[must_use]
    pub(in crate::web) fn of_file(error: &JsValue) -> Self {
        let field = |name: &str| Reflect::get(error, &name.into()).ok()?.as_string();
        let code = match field("code").unwrap_or_default().as_str() {
            "input" => StoreCode::Name,
            "ENOSPC" | "EDQUOT" => StoreCode::Quota,
            // The file was removed or changed.
            "ENOENT" | "altered" => StoreCode::Corrupt,
            _ => StoreCode::Other,
        };
        let message = field("message").unwrap_or_default();
        match code {
            StoreCode::Name => Self::new(code, &message),
            _ => Self::new(
                code,
                &format!("The record could not be read from its file or written to it: {message}"),
            ),
        }
    }

    pub(super) fn corrupt(session: &str, what: &str) -> Self {
        Self::new(
            StoreCode::Corrupt,
            &format!("The record of session {session} is damaged: {what}."),
        )
    }

    pub(in crate::web) fn foreign(session: &str) -> Self {
        Self::new(
            StoreCode::Elsewhere,
            &format!(
                "Session {session} was continued in another tab, window or program: its stored entries are not those of this tab and are not written over. Export the run here, or close it and open it again to see what is stored."
            ),
        )
    }

    pub(in crate::web) fn lost() -> Self {
        Self::new(
            StoreCode::Unavailable,
            "The connection to the stored data was closed: another tab has a newer version, the data was removed, or the disk is full.",
        )
    }

    pub(in crate::web) fn silent() -> Self {
        Self::new(
            StoreCode::Silent,
            "The browser has been storing the last answers for a while and has not said whether it has. They are kept in this tab; leave it open.",
        )
    }

    pub(super) fn blocked() -> Self {
        Self::new(
            StoreCode::Blocked,
            "Another tab has an older version of this page open. Close or reload it, then reload this one.",
        )
    }

    pub(super) fn unopened() -> Self {
        Self::new(
            StoreCode::Silent,
            "The browser does not answer when it is asked for the stored sessions. Close other tabs of this page or start the browser anew, then try again.",
        )
    }

    pub(super) fn missing() -> Self {
        Self::new(
            StoreCode::Unavailable,
            "There is no IndexedDB here, so nothing can be stored. Sessions can still be run and exported.",
        )
    }

    pub(super) fn undone() -> Self {
        Self::new(
            StoreCode::Other,
            "The browser undid the change and gave no reason.",
        )
    }

    fn new(code: StoreCode, message: &str) -> Self {
        Self {
            code,
            message: message.to_owned(),
        }
    }
}

/// Converts an exception of IndexedDB; null or undefined if a transaction was aborted without a reason.
impl From<JsValue> for StoreError {
    fn from(reason: JsValue) -> Self {
        if reason.is_null() || reason.is_undefined() {
            Self::undone()
        } else {
            Self::from_js(&reason)
        }
    }
}
