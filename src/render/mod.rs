//! From finished plans and schemas to text for the engines.
//!
//! Templates lay the text out; everything that decides whether it is right (bounds, guards, quoting, the choice of
//! the shape) is computed here and handed to them as finished tokens.

pub mod ddl;
pub mod fuzzy;
pub mod hbase_shell;
mod hive_condition;
mod hive_key;
pub mod hive_query;
pub mod hive_text;
pub mod templates;

use std::fmt;

/// Why something is not printed, and what to do instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    pub reason: String,
    pub help: String,
}

impl Refusal {
    fn new(reason: impl Into<String>, help: impl Into<String>) -> Self {
        Refusal { reason: reason.into(), help: help.into() }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.reason, self.help)
    }
}

impl std::error::Error for Refusal {}

/// What can go wrong while text is made.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error(transparent)]
    Template(#[from] templates::TemplateError),
}
