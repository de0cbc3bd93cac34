//! The versions of Hive for which saltplan plans.

/// A version of Hive with meanings of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum HiveVersion {
    /// As 2.3.9.
    Hive2,
    /// As 3.1.3.
    Hive3,
    /// As 4.1.0.
    Hive4,
}

impl HiveVersion {
    pub const ALL: [HiveVersion; 3] = [HiveVersion::Hive2, HiveVersion::Hive3, HiveVersion::Hive4];

    /// The release that the measurements are of.
    pub fn release(self) -> &'static str {
        match self {
            HiveVersion::Hive2 => "2.3.9",
            HiveVersion::Hive3 => "3.1.3",
            HiveVersion::Hive4 => "4.1.0",
        }
    }
}
