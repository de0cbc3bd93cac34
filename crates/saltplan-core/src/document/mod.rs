//! Files that people write: their format as data, their text as nodes, and nodes as values.
//!
//! `format` has the words that a format is described in, `yaml` parses and writes text, `reader` takes values from nodes by
//! their description, `names` resolves what one part of a file calls another, `tables` shows a format to people, `json` reads
//! objects of JSON. Which formats there are, other rooms say.

mod collect;
pub(crate) mod format;
pub(crate) mod json;
pub(crate) mod names;
pub(crate) mod reader;
pub(crate) mod tables;
pub(crate) mod wording;
pub mod yaml;
