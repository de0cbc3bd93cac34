//! What predicates mean: from the syntax tree to constraints on the row key.
//!
//! [`parse`](saltplan_sql::parse) makes the syntax tree, and [`analyze`](conditions::analyze()) the [`Constraint`] of it: for each
//! condition what it implies of the key, and whether Hive still has to check it row by row.

pub mod bind;
mod chain;
pub(crate) mod clock;
pub(crate) mod compare;
pub mod conditions;
mod constraint;
pub(crate) mod evaluate;
pub(crate) mod like;
mod recurring;
mod regex;
pub mod runtime;
pub(crate) mod values;
pub(crate) mod words;

pub use conditions::{Analysis, analyze, analyze_bound};
pub use constraint::{Checked, Condition, Constraint, Fact, FieldOrColumn, Implied, Meaning};
pub use recurring::Recurring;
pub use saltplan_sql::constant;
pub(crate) use values::MAX_LISTED_BYTES;
pub use values::ValueSet;
