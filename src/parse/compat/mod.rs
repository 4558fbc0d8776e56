//! What the published program read in answers, for the profile `compat` only.

mod amount;

pub use amount::{chinese_number, extract_amount};
