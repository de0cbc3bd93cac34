//! Files that people write, read with the place of each value, and messages that show the places.
//!
//! [`files`] says which files are read, and how much of them. [`yaml`] parses a text into nodes with spans.
//! [`mod@format`] describes what a file may contain, [`mapping!`] declares a struct together with its keys, and
//! [`reader`] reads values from nodes by their description. [`names`] resolves references within a file,
//! [`tables`] documents a format, and [`json`] reads JSON objects. [`diag`] has the messages, and [`program`] is the frame of
//! programs that answer one request.
//!
//! The formats of saltplan itself are in other crates: schema files in `saltplan-core`, jobs files and
//! `saltplan.toml` in `saltplan-project`.

mod collect;
pub mod diag;
pub mod files;
pub mod format;
pub mod json;
mod mapping;
pub mod names;
pub mod program;
pub mod reader;
pub mod tables;
pub mod wording;
pub mod yaml;
