//! Reading as the published program read, faults included: for the profile `compat`, which replays
//! its runs. Nothing else may use it.

pub mod agreement;
pub mod keywords;
pub mod principle;

pub use agreement::{agreement, agreement_keywords};
pub use keywords::keyword_match;
pub use principle::principle;

mod amount;

pub use amount::{chinese_number, extract_amount};
