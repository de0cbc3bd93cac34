//! What a query runs on, and all that the printed statement owes to it.

use super::shape::Shape;

/// What Hive runs on. The shape that is right and pruned depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    Tez,
    MapReduce,
}

impl Engine {
    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Tez => "tez",
            Engine::MapReduce => "mr",
        }
    }

    /// The shape that reads only the ranges.
    pub fn shape(self, branches: usize) -> Shape {
        match self {
            Engine::MapReduce if branches > 1 => Shape::Isolated,
            Engine::MapReduce | Engine::Tez => Shape::UnionAll,
        }
    }

    /// Whether a job that reads the table several times loses their ranges.
    fn loses_ranges(self) -> bool {
        match self {
            Engine::Tez => false,
            Engine::MapReduce => true,
        }
    }

    /// What to say of a statement of several branches, or without guards.
    pub(super) fn warning(self, shape: Shape, several: bool, guards: bool) -> Option<&'static str> {
        match (shape, guards) {
            (Shape::UnionAll, false) if several && self.loses_ranges() => Some(
                "on MapReduce this query returns the whole table once per branch: Hive does not apply the ranges",
            ),
            (Shape::UnionAll, true) if several && self.loses_ranges() => {
                Some("on MapReduce this shape reads the whole table; the guards keep the rows right")
            }
            (_, false) => Some(
                "without guards a lost pushdown returns the whole table once per branch, without an error",
            ),
            (_, true) => None,
        }
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
