//! Files that people write: their format as data, their text as nodes, and nodes as values.
//!
//! `format` has the words that a format is described in, `yaml` parses and writes text, `reader` takes values from nodes by
//! their description, `names` resolves what one part of a file calls another, `tables` shows a format to people, `json` reads
//! objects of JSON. Which formats there are, other rooms say.

mod collect;
pub mod format;
pub mod json;
pub mod names;
pub mod reader;
pub mod tables;
pub mod wording;
pub mod yaml;
