//! How the branches of a plan are combined for an engine.

/// How the branches are combined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum QueryShape {
    /// One query, the branches joined by UNION ALL.
    UnionAll,
    /// The same with a job for every branch, since MapReduce ignores the ranges of a table that one job reads several times.
    Isolated,
    /// One scan with the ranges joined by OR. A table with the storage handler of `storage-handler/` reads only the ranges; any other table is
    /// read as a whole, with the same result.
    OneScan,
}

impl QueryShape {
    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            QueryShape::UnionAll => "union_all",
            QueryShape::Isolated => "isolated",
            QueryShape::OneScan => "one_scan",
        }
    }

    pub(super) fn template(self) -> &'static str {
        match self {
            // A single scan has one branch.
            QueryShape::UnionAll | QueryShape::OneScan => "hive/union_all.sql",
            QueryShape::Isolated => "hive/isolated.sql",
        }
    }
}
