//! Files that people write: descriptions of formats, text parsed into nodes, and nodes read as values.
//!
//! `format` has the types with which formats are described, `mapping!` declares a mapping with its keys, `yaml` parses and writes text, `reader` reads
//! values from nodes by their description, `names` resolves references within a file, `tables` documents a
//! format, and `json` reads JSON objects. The formats themselves are defined in other modules.

mod collect;
pub mod format;
pub mod json;
mod mapping;
pub mod names;
pub mod reader;
pub mod tables;
pub mod wording;
pub mod yaml;
