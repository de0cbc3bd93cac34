//! How the branches of a plan are put together for an engine.

/// How the branches are put together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Shape {
    /// One query, the branches joined by UNION ALL.
    UnionAll,
    /// The same with every branch in a job of its own, since MapReduce drops the ranges of a table that stands in
    /// one job several times.
    Isolated,
    /// One INSERT per branch. Not atomic.
    Statements,
}

impl Shape {
    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Shape::UnionAll => "union_all",
            Shape::Isolated => "isolated",
            Shape::Statements => "statements",
        }
    }

    pub(super) fn template(self) -> &'static str {
        match self {
            Shape::UnionAll => "hive/union_all.sql",
            Shape::Isolated => "hive/isolated.sql",
            Shape::Statements => "hive/statements.sql",
        }
    }
}
