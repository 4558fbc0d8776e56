//! Parts of the module: what a build with the feature `split` loads when it is needed, and what is always there
//! in any other. Loading is all that is known here; what belongs to a part is said where the part stands.

/// A part could not be loaded: its file did not come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Missing;

#[cfg(feature = "split")]
impl From<wasm_split_helpers::SplitLoaderError> for Missing {
    fn from(_: wasm_split_helpers::SplitLoaderError) -> Self {
        Self
    }
}

/// Declares a part as a module with `get` (it, if it is there) and `load` (sees to it that it is). All ways into
/// the part go through its table, which nothing else may name: what is named elsewhere belongs to no part.
macro_rules! part {
    ($name:ident: $kind:ty = $table:expr) => {
        #[allow(
            unsafe_code,
            unused_imports,
            improper_ctypes,
            improper_ctypes_definitions,
            unreachable_pub,
            missing_docs
        )]
        pub(crate) mod $name {
            use super::*;

            #[cfg(not(feature = "split"))]
            pub(crate) fn get() -> Option<&'static $kind> {
                static TABLE: $kind = $table;
                Some(&TABLE)
            }

            #[cfg(not(feature = "split"))]
            #[allow(clippy::unused_async)]
            pub(crate) async fn load() -> Result<(), crate::part::Missing> {
                Ok(())
            }

            #[cfg(feature = "split")]
            static LOADED: std::sync::OnceLock<&'static $kind> = std::sync::OnceLock::new();

            #[cfg(feature = "split")]
            #[wasm_split_helpers::wasm_split($name, fallible)]
            fn table() -> Result<&'static $kind, crate::part::Missing> {
                static TABLE: $kind = $table;
                Ok(&TABLE)
            }

            #[cfg(feature = "split")]
            pub(crate) fn get() -> Option<&'static $kind> {
                LOADED.get().copied()
            }

            #[cfg(feature = "split")]
            pub(crate) async fn load() -> Result<(), crate::part::Missing> {
                if get().is_none() {
                    let _ = LOADED.set(table().await?);
                }
                Ok(())
            }
        }
    };
}
