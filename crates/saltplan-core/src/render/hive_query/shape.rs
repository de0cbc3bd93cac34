//! How the branches of a plan are put together for an engine.

/// How the branches are put together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum QueryShape {
    /// One query, the branches joined by UNION ALL.
    UnionAll,
    /// The same with every branch in a job of its own, since MapReduce drops the ranges of a table that stands in
    /// one job several times.
    Isolated,
    /// One INSERT per branch. Not atomic.
    Statements,
    /// One scan with the ranges joined by OR. A table declared with the storage handler of `hive/` reads the ranges alone;
    /// every other gives the same rows from a scan of the whole table.
    OneScan,
}

impl QueryShape {
    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            QueryShape::UnionAll => "union_all",
            QueryShape::Isolated => "isolated",
            QueryShape::Statements => "statements",
            QueryShape::OneScan => "one_scan",
        }
    }

    pub(super) fn template(self) -> &'static str {
        match self {
            // With the one branch of a single scan there is nothing to join.
            QueryShape::UnionAll | QueryShape::OneScan => "hive/union_all.sql",
            QueryShape::Isolated => "hive/isolated.sql",
            QueryShape::Statements => "hive/statements.sql",
        }
    }
}
