//! Reading as the published program read, faults included: for the profile `compat`, which replays
//! its runs. Nothing else may use it.

pub mod agreement;
mod amount;
pub mod keywords;
pub mod principle;

pub use agreement::{agreement, agreement_keywords};
pub use amount::{chinese_number, extract_amount};
pub use keywords::keyword_match;
pub use principle::principle;
