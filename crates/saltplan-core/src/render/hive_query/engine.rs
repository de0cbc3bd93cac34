//! What a query runs on, and all that the printed statement owes to it: docs/engines.md has the measurements.

use super::shape::QueryShape;
use crate::schema::model::Engine;

impl Engine {
    /// The shape that reads only the ranges.
    pub(super) fn shape(self, branches: usize, beside_tables: bool) -> QueryShape {
        if self.loses_ranges(branches, beside_tables) { QueryShape::Isolated } else { QueryShape::UnionAll }
    }

    /// Whether a job that reads the table once a branch, and perhaps other tables, loses the ranges.
    pub(super) fn loses_ranges(self, branches: usize, beside_tables: bool) -> bool {
        match self {
            Engine::Tez => false,
            Engine::MapReduce => branches > 1 || beside_tables,
        }
    }

    /// Jobs of MapReduce, or graphs of vertices of Tez, that a statement runs. `tests/engines/jobs.rs` counts them.
    pub(super) fn jobs(self, shape: QueryShape, branches: usize, beside_tables: bool) -> usize {
        match (shape, self) {
            (QueryShape::Statements, _) => branches,
            // One for each branch, and one that puts them together.
            (QueryShape::Isolated, Engine::MapReduce) if branches > 1 || beside_tables => branches + 1,
            _ => 1,
        }
    }

    /// What keeps Hive from joining small files of dynamic partitions. Measured on Hive 2.3.9 and 3.1.3 with MapReduce: of some
    /// partitions whose names have escaped signs, those that it has nothing to join of are moved to names that are escaped twice.
    pub(super) fn separate_files(self) -> Vec<String> {
        let settings: &[&str] = match self {
            Engine::Tez => &["hive.merge.tezfiles=false"],
            Engine::MapReduce => &["hive.merge.mapfiles=false", "hive.merge.mapredfiles=false"],
        };
        settings.iter().map(ToString::to_string).collect()
    }

    /// What makes an INSERT OVERWRITE of a partition remove its old rows even when there is no new one. Measured on Hive
    /// 3.1.3: with the default of these settings a task without rows leaves no file, and with no file nothing is replaced.
    pub(super) fn emptying_settings(self) -> Vec<String> {
        let settings: &[&str] = match self {
            Engine::Tez => &["hive.merge.tezfiles=true"],
            Engine::MapReduce => &["hive.merge.mapfiles=false", "hive.merge.mapredfiles=false"],
        };
        settings.iter().map(ToString::to_string).collect()
    }
}
