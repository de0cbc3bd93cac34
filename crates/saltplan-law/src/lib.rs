//! The property of the planner, tested by brute force: small universes of rows, with keys encoded and
//! conditions evaluated by code that shares only the syntax tree with the planner. [`readers`] compares how
//! texts become trees: by saltplan, by Hive's own parsers and by sqlparser.
//!
//! [`sql`] is the oracle: it evaluates a condition for a row as Hive does, and the engine suite compares it
//! with the real Hive. [`table`] and [`predicate`] generate tables and predicates, and [`check`] states the
//! property. Predicates are drawn as trees, printed for the planner, and evaluated as trees. It is a separate package, so that a long optimised run compiles little more than the planner.

#![expect(
    clippy::expect_used,
    clippy::missing_panics_doc,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test that cannot go on fails"
)]

pub mod build;
pub mod calendar;
pub mod check;
mod digest;
pub mod expect;
pub mod like;
pub mod pieces;
pub mod predicate;
pub mod pushdown;
pub mod readers;
pub mod regex;
pub mod sample;
pub mod sql;
pub mod table;
