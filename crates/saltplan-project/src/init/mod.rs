//! A first schema file: from short declarations of each field, or guessed from real row keys, with what a
//! cluster shows about the table.
//!
//! All ways produce a [`draft::Draft`], which `write` turns into commented YAML. `check` marks the audit's
//! findings in the file.

mod check;
pub mod draft;
pub mod flags;
mod guess;
mod import;
pub mod live;
mod search;
mod segment;
mod write;

pub use check::{Checked, check};
pub use guess::{Guess, GuessError, MIN_KEYS, guess, read_all};
pub use write::yaml;

use draft::Draft;
use live::Scanned;
use saltplan_document::diag::{Diagnostic, Diagnostics};

/// A first schema of a table, guessed from its row keys: commented YAML, with the audit's findings marked.
///
/// # Errors
/// No layout decodes every key, or there are too few keys to see a pattern.
pub fn schema_of_keys(table: &str, keys: &[Vec<u8>]) -> Result<String, Diagnostics> {
    let base = Draft { table: table.to_string(), ..Draft::default() };
    let sample = Scanned { keys: keys.to_vec(), ..Scanned::default() };
    let mut draft = guess(&sample, &base, None).map_err(|fault| Diagnostic::error(fault.to_string()))?.draft;
    draft.take_regions_of_salt();
    Ok(check(table, &yaml(&draft), "guessed from row keys")?.yaml)
}
