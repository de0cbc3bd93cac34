//! The law of the planner, tested by brute force: small universes of rows, keys encoded and conditions evaluated by
//! code that shares nothing with the planner but the SQL parser.
//!
//! [`sql`] is what Hive says of a condition and a row, and the engine suite holds it against the real Hive; [`table`] and
//! [`predicate`] draw what is asked, [`check`] is the law. A package of its own, so that a long run in release builds the planner
//! and little else.

#![expect(
    clippy::expect_used,
    clippy::missing_panics_doc,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test that cannot go on fails"
)]

pub mod calendar;
pub mod check;
pub mod like;
pub mod predicate;
pub mod regex;
pub mod sql;
pub mod table;
