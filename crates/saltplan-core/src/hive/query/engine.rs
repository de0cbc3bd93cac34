//! What differs between engines in a printed statement. docs/engines.md has the measurements.

use super::shape::QueryShape;
use crate::schema::model::Engine;
use saltplan_sql::statement::Setting;

impl Engine {
    /// The shape that reads only the ranges.
    pub(super) fn shape(self, branches: usize, beside_tables: bool) -> QueryShape {
        if self.loses_ranges(branches, beside_tables) { QueryShape::Isolated } else { QueryShape::UnionAll }
    }

    /// Whether the ranges are lost in a job that reads the table once for each branch, or other tables.
    pub(super) fn loses_ranges(self, branches: usize, beside_tables: bool) -> bool {
        match self {
            Engine::Tez => false,
            Engine::MapReduce => branches > 1 || beside_tables,
        }
    }

    /// Jobs of MapReduce, or graphs of vertices of Tez, that a statement runs. `tests/engines/jobs.rs` counts them.
    pub(super) fn jobs(self, shape: QueryShape, branches: usize, beside_tables: bool) -> usize {
        match (shape, self) {
            // One for each branch, and one that joins them.
            (QueryShape::Isolated, Engine::MapReduce) if branches > 1 || beside_tables => branches + 1,
            _ => 1,
        }
    }

    /// The setting that keeps Hive from merging small files of dynamic partitions. Measured on Hive 2.3.9 and 3.1.3 with MapReduce: if
    /// partition names have escaped characters, Hive moves those without files to merge to names that are escaped twice.
    pub(super) fn separate_files(self) -> Vec<Setting> {
        match self {
            Engine::Tez => vec![Setting::new("hive.merge.tezfiles", "false")],
            Engine::MapReduce => vec![
                Setting::new("hive.merge.mapfiles", "false"),
                Setting::new("hive.merge.mapredfiles", "false"),
            ],
        }
    }

    /// The settings with which an INSERT OVERWRITE removes the old rows of a partition even if there are no new ones. Measured on Hive
    /// 3.1.3: by default a task without rows writes no file, and without a file nothing is replaced.
    pub fn emptying_settings(self) -> Vec<Setting> {
        match self {
            Engine::Tez => vec![Setting::new("hive.merge.tezfiles", "true")],
            Engine::MapReduce => vec![
                Setting::new("hive.merge.mapfiles", "false"),
                Setting::new("hive.merge.mapredfiles", "false"),
            ],
        }
    }
}
