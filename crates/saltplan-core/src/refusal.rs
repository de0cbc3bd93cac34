//! Why a plan or a statement is refused, and the remedy.

use std::fmt;

use saltplan_document::diag::{counted, grouped};

/// What is not planned or printed because it would be wrong, or is probably an expensive mistake.
///
/// Its text is the reason. [`Refusal::help`] says what to do instead, [`Refusal::code`] is for programs.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refusal {
    /// The plan reads the whole table. `branches` is the number that would be enough, if the limit is the
    /// reason; `seeks` is the number of ranges that a `FuzzyRowFilter` of `scan` covers, if there is one.
    FullScan { reasons: Vec<String>, branches: Option<usize>, seeks: Option<u128> },
    /// The plan reads nothing; an INSERT OVERWRITE would empty a partition.
    Empty { reasons: Vec<String>, overwrites: bool },
    /// A value that the declaration of its field rejects, although it could be parsed.
    RejectedValue { reason: String },

    /// Merged ranges contain far more values than requested.
    TooWide {
        /// How many more, as in [`Widening`](crate::plan::Widening).
        reads: String,
        limit: u64,
        /// The smallest limit that allows it; `None` if only `any` does.
        least: Option<u64>,
        /// The number of branches that would keep the ranges apart, if a statement can have that many.
        branches: Option<usize>,
    },
    /// The statement needs more scans than allowed.
    TooManyScans { scans: usize, limit: usize },
    /// The statement needs more jobs than allowed; `tez` if one job would be enough on Tez.
    TooManyJobs { jobs: usize, engine: &'static str, limit: usize, tez: bool },

    /// A value that is known only at run time is needed when the statement is printed.
    NeedsValue { parameters: String, reason: String },

    /// The schema has no mapping table.
    NoMapping,
    /// The schema has no target table to write to.
    NoTarget,
    /// The schema does not have the requested part, `hive.mapping` or `hive.target`.
    NoPart { part: &'static str },
    /// Apache Phoenix would read the row keys differently.
    NotPhoenix { reason: String },
    /// A mapping table in Hive needs a column besides the row key, and a row in HBase needs a cell.
    NoColumns,
    /// A Hive table cannot consist of partition columns only.
    NoTargetColumns,
    /// The type of a target column is not known.
    UnknownType { column: String },
    /// A bound would contain bytes of a binary part of the key.
    BinaryBound { part: BinaryPart },
    /// Hive would have to build or check a key with binary bytes.
    BinaryKey { part: BinaryPart },
    /// The salt is computed from a field that HiveQL cannot build.
    BinarySaltInput { field: String },
    /// HiveQL cannot compute the salt.
    SaltNotComputed { reason: String },
    /// HiveQL cannot decode the fields of a row key.
    KeyNotCut { reason: String },
    /// There are too many random salts to list.
    TooManyRandomSalts,
    /// HiveQL cannot check the residual.
    ResidualNotWritten { reason: String },
    /// Hive would evaluate a condition differently.
    ConditionUnclear { reason: String },
    /// Rows of values are compared inside a condition.
    RowsCompared { condition: String },
    /// HiveQL cannot decode the value of a target column.
    ColumnNotWritten { reason: String },
    /// A type cannot represent the values of a field.
    TypeMismatch { reason: String, help: String },
    /// HiveQL cannot compute the local time of a field.
    ClockNotWritten { reason: String },

    /// The predicate does not bind a partition column, so it is not clear what an overwrite would replace.
    UnboundPartition {
        column: String,
        /// The operand of a condition on it: the key field, or its day.
        operand: String,
    },
    /// The predicate is always false, and does not name a partition that could be emptied.
    NothingToEmpty { column: String, operand: String },
    /// A value, as a literal, that cannot be the name of a partition; without one it is NULL.
    NoPartitionName { field: String, value: Option<String> },
    /// The type of a partition column cannot represent a value.
    PartitionType { reason: String },
    /// HiveQL cannot compute the partition of a row from its key.
    PartitionNotDecoded { reason: String },
    /// One statement would write too many partitions.
    TooManyPartitions { limit: usize },
    /// The shape `statements` cannot overwrite several partitions.
    StatementsOfPartitions,
    /// The shape `statements` is not a single query.
    StatementsWithoutInsert,

    /// The text is longer than the limit, in bytes.
    TooLong { bytes: usize, limit: usize },
    /// A table of one region has no split keys.
    OneRegion,
    /// There are too many regions for a query that counts by region.
    TooManyRegions { regions: usize },
}

/// A part of the row key that is stored as binary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BinaryPart {
    Salt,
    Field(String),
    Separator,
}

impl fmt::Display for BinaryPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BinaryPart::Salt => f.write_str("the salt is stored as binary"),
            BinaryPart::Field(name) => write!(f, "`{name}` is stored as binary"),
            BinaryPart::Separator => f.write_str("a separator is not text"),
        }
    }
}

/// What a help text recommends. Every caller has its own names for these: flags and commands, or functions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Remedy {
    AcceptFullScan,
    AcceptEmpty,
    MaxBranches,
    /// A limit of branches.
    Branches(usize),
    /// A limit of widening; `None` means any.
    MaxWidening(Option<u64>),
    MaxScans(usize),
    MaxJobs(usize),
    /// The engine Tez.
    Tez,
    /// One scan of all ranges.
    OneScan,
    MaxBytes,
    /// The query without the INSERT.
    BareQuery,
    /// Printing parts of the DDL separately.
    Parts,
    /// The number of regions.
    Regions,
    /// Commands of the HBase shell.
    Scan,
    Encode,
    Decode,
    /// Counting keys by region.
    CountKeys,
}

impl Remedy {
    /// The name in this library.
    #[must_use]
    pub fn name(self) -> String {
        let name = match self {
            Remedy::AcceptFullScan => "`Accept::full_scan`",
            Remedy::AcceptEmpty => "`Accept::empty`",
            Remedy::MaxBranches => "`PlanOptions::max_branches`",
            Remedy::Branches(count) => return format!("`PlanOptions::with_max_branches({count})`"),
            Remedy::MaxWidening(limit) => {
                let limit = limit.map_or("Any".into(), |limit| format!("Times({limit})"));
                return format!("`PlanOptions::with_max_widening(MaxWidening::{limit})`");
            }
            Remedy::MaxScans(count) => return format!("`Budget::max_scans` of {count}"),
            Remedy::MaxJobs(count) => return format!("`Budget::max_jobs` of {count}"),
            Remedy::Tez => "`Engine::Tez`",
            Remedy::OneScan => "`QueryShape::OneScan`",
            Remedy::MaxBytes => "`max_bytes`",
            Remedy::BareQuery => "`QueryOptions::select_only`",
            Remedy::Parts => "the functions of `ddl`",
            Remedy::Regions => "`SplitQuery::regions`",
            Remedy::Scan => "`Planned::hbase_shell`",
            Remedy::Encode => "`Table::encode`",
            Remedy::Decode => "`Table::decode`",
            Remedy::CountKeys => "`region::locate`",
        };
        name.to_string()
    }
}

impl Refusal {
    /// A stable code for programs.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Refusal::FullScan { .. } => "full_scan",
            Refusal::Empty { .. } => "empty",
            Refusal::RejectedValue { .. } => "rejected_value",
            Refusal::TooWide { .. } => "too_wide",
            Refusal::TooManyScans { .. } => "too_many_scans",
            Refusal::TooManyJobs { .. } => "too_many_jobs",
            Refusal::NeedsValue { .. } => "needs_value",
            Refusal::NoMapping => "no_mapping",
            Refusal::NoTarget => "no_target",
            Refusal::NoPart { .. } => "no_part",
            Refusal::NotPhoenix { .. } => "not_phoenix",
            Refusal::NoColumns => "no_columns",
            Refusal::NoTargetColumns => "no_target_columns",
            Refusal::UnknownType { .. } => "unknown_type",
            Refusal::BinaryBound { .. } => "binary_bound",
            Refusal::BinaryKey { .. } => "binary_key",
            Refusal::BinarySaltInput { .. } => "binary_salt_input",
            Refusal::SaltNotComputed { .. } => "salt_not_computed",
            Refusal::KeyNotCut { .. } => "key_not_cut",
            Refusal::TooManyRandomSalts => "too_many_random_salts",
            Refusal::ResidualNotWritten { .. } => "residual_not_written",
            Refusal::ConditionUnclear { .. } => "condition_unclear",
            Refusal::RowsCompared { .. } => "rows_compared",
            Refusal::ColumnNotWritten { .. } => "column_not_written",
            Refusal::TypeMismatch { .. } => "type_mismatch",
            Refusal::ClockNotWritten { .. } => "clock_not_written",
            Refusal::UnboundPartition { .. } => "unbound_partition",
            Refusal::NothingToEmpty { .. } => "nothing_to_empty",
            Refusal::NoPartitionName { .. } => "no_partition_name",
            Refusal::PartitionType { .. } => "partition_type",
            Refusal::PartitionNotDecoded { .. } => "partition_not_decoded",
            Refusal::TooManyPartitions { .. } => "too_many_partitions",
            Refusal::StatementsOfPartitions => "statements_of_partitions",
            Refusal::StatementsWithoutInsert => "statements_without_insert",
            Refusal::TooLong { .. } => "too_long",
            Refusal::OneRegion => "one_region",
            Refusal::TooManyRegions { .. } => "too_many_regions",
        }
    }

    /// What to do instead, with the names of this library.
    #[must_use]
    pub fn help(&self) -> String {
        self.help_with(Remedy::name)
    }

    /// What to do instead, with the caller's names, which include their quotes.
    #[must_use]
    pub fn help_with(&self, name: impl Fn(Remedy) -> String) -> String {
        let bare = || format!("or print only the query with {}", name(Remedy::BareQuery));
        match self {
            Refusal::FullScan { .. }
            | Refusal::TooWide { .. }
            | Refusal::TooManyScans { .. }
            | Refusal::TooManyJobs { .. } => self.way_within_limits(&name),
            Refusal::Empty { .. } => {
                format!("correct the predicate, or accept this with {}", name(Remedy::AcceptEmpty))
            }
            Refusal::RejectedValue { .. } => {
                "write the value in the form that `key encode` accepts".into()
            }
            Refusal::NoMapping => {
                "add the mapping table: `hive: { mapping: { table: db.name, key_column: rowkey } }`".into()
            }
            Refusal::NoTarget => format!("add the target table, {}", bare()),
            Refusal::NoPart { .. } => format!("add it, or print the other parts with {}", name(Remedy::Parts)),
            Refusal::NotPhoenix { .. } => "read the table with Hive: `ddl --only mapping`".into(),
            Refusal::NoColumns => {
                "add one, such as `columns: [{ name: …, type: string, hbase: 'family:qualifier' }]`".into()
            }
            Refusal::NoTargetColumns => {
                "list its columns under `hive.target`, such as `columns: [{ name: …, from: key.… }]`"
                    .into()
            }
            Refusal::UnknownType { column } => {
                format!("add it: `{{ name: {column}, expr: …, type: string }}`")
            }
            Refusal::BinaryBound { .. } => format!(
                "use {}, which writes bytes, or install saltplan's jar in Hive and write `one_scan: true` under `hive.mapping`",
                name(Remedy::Scan)
            ),
            Refusal::BinaryKey { .. } => {
                format!("use {} and {}, which work on bytes", name(Remedy::Encode), name(Remedy::Decode))
            }
            Refusal::BinarySaltInput { .. } => format!("use {}", name(Remedy::Encode)),
            Refusal::SaltNotComputed { .. } => {
                format!("use {} and {}", name(Remedy::Encode), name(Remedy::Decode))
            }
            Refusal::KeyNotCut { .. } => format!("use {}, which checks every salt", name(Remedy::Decode)),
            Refusal::TooManyRandomSalts => format!("use {}", name(Remedy::Decode)),
            Refusal::ResidualNotWritten { .. } => format!(
                "declare where the field ends (with `width`, or with `chars` that do not include the separator, such as `chars: alnum`), or use {}",
                name(Remedy::Scan)
            ),
            Refusal::NeedsValue { .. } => {
                "pass the value with `--param`, such as `--param day=20200406`, when it is known".into()
            }
            Refusal::RowsCompared { .. } => "compare the values one by one, such as `a = b AND c = 1`".into(),
            Refusal::ConditionUnclear { .. } => {
                "add a line such as `time_zone: Asia/Shanghai` to the schema, or compare the number that the key stores".into()
            }
            Refusal::ColumnNotWritten { .. } => {
                "take the value from a column instead, or give an `expr`".into()
            }
            Refusal::TypeMismatch { help, .. } => help.clone(),
            Refusal::ClockNotWritten { .. } => "give the column the type `bigint`".into(),
            Refusal::UnboundPartition { operand, .. } => {
                format!("add a condition such as `{operand} = …` or `{operand} BETWEEN … AND …`, {}", bare())
            }
            Refusal::NothingToEmpty { operand, .. } => {
                format!("add a condition such as `{operand} = …`, {}", bare())
            }
            Refusal::NoPartitionName { field, value } => {
                let others = value.as_ref().map_or("IS NOT NULL".into(), |value| format!("<> {value}"));
                format!("add `AND {field} {others}`, {}", bare())
            }
            Refusal::PartitionType { .. } => "give the partition column another `type`".into(),
            Refusal::PartitionNotDecoded { .. } => {
                "write one partition at a time: a static partition needs no decoding".into()
            }
            Refusal::TooManyPartitions { .. } => format!("plan fewer partitions at a time, {}", bare()),
            Refusal::StatementsOfPartitions => "plan one partition at a time, or choose another shape".into(),
            Refusal::StatementsWithoutInsert => {
                format!("omit {} or choose another shape", name(Remedy::BareQuery))
            }
            Refusal::TooLong { .. } => format!(
                "shorten long lists, join ranges with a lower {}, or raise the limit with {}",
                name(Remedy::MaxBranches),
                name(Remedy::MaxBytes)
            ),
            Refusal::OneRegion => format!("choose a larger number of regions with {}", name(Remedy::Regions)),
            Refusal::TooManyRegions { .. } => {
                format!("count the keys of an export with {}", name(Remedy::CountKeys))
            }
        }
    }

    /// The remedy if a limit is the reason.
    fn way_within_limits(&self, name: &dyn Fn(Remedy) -> String) -> String {
        match self {
            Refusal::FullScan { branches, seeks, .. } => {
                let more = branches
                    .map(|count| format!("allow more ranges with {}, ", name(Remedy::Branches(count))));
                let seeks = seeks.map(|ranges| {
                    let ranges = grouped(ranges);
                    format!(": `saltplan scan` then uses a FuzzyRowFilter that covers {ranges} ranges")
                });
                format!(
                    "add a condition on the leading key fields, {}or accept it with {}{}",
                    more.unwrap_or_default(),
                    name(Remedy::AcceptFullScan),
                    seeks.unwrap_or_default()
                )
            }
            Refusal::TooWide { least, branches, .. } => {
                let apart = match branches {
                    Some(count) => format!("avoid merging with {}", name(Remedy::Branches(*count))),
                    None => "request fewer values at a time".into(),
                };
                format!("{apart}, or accept this with {}", name(Remedy::MaxWidening(*least)))
            }
            Refusal::TooManyScans { scans, .. } => format!(
                "install saltplan-hive.jar and use {}, or allow them with {}",
                name(Remedy::OneScan),
                name(Remedy::MaxScans(*scans))
            ),
            Refusal::TooManyJobs { jobs, tez, .. } => {
                let tez = tez.then(|| format!("run it with {}, ", name(Remedy::Tez)));
                format!(
                    "install saltplan-hive.jar and use {}, {}or allow them with {}",
                    name(Remedy::OneScan),
                    tez.unwrap_or_default(),
                    name(Remedy::MaxJobs(*jobs))
                )
            }
            _ => String::new(),
        }
    }

    fn fmt_limit(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::TooWide { reads, limit, least, .. } => {
                write!(f, "ranges were merged, and the plan {reads}")?;
                match least {
                    Some(_) => write!(f, "; the limit is {}", grouped(u128::from(*limit))),
                    None => Ok(()),
                }
            }
            Refusal::TooManyScans { scans, limit } => {
                let scans = counted(*scans as u128, "scan", "scans");
                write!(f, "the statement would need {scans}; the limit is {}", grouped(*limit as u128))
            }
            Refusal::TooManyJobs { jobs, engine, limit, .. } => {
                let jobs = counted(*jobs as u128, "job", "jobs");
                write!(
                    f,
                    "the statement would need {jobs} on {engine}; the limit is {}",
                    grouped(*limit as u128)
                )
            }
            _ => Ok(()),
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::FullScan { reasons, .. } => {
                write!(f, "the plan reads the whole table: {}", reasons.join("; "))
            }
            Refusal::Empty { reasons, overwrites } => {
                f.write_str("the predicate is never true")?;
                if *overwrites {
                    f.write_str(", and an INSERT OVERWRITE without rows empties the partition")?;
                }
                if reasons.is_empty() { Ok(()) } else { write!(f, ": {}", reasons.join("; ")) }
            }
            Refusal::TooWide { .. } | Refusal::TooManyScans { .. } | Refusal::TooManyJobs { .. } => {
                self.fmt_limit(f)
            }
            Refusal::NoMapping => f.write_str("the schema has no `hive.mapping`"),
            Refusal::NoTarget => f.write_str("the schema has no `hive.target`"),
            Refusal::NoPart { part } => write!(f, "the schema has no `{part}`"),
            Refusal::NotPhoenix { reason } => write!(f, "the layout is not Phoenix's: {reason}"),
            Refusal::NoColumns => {
                f.write_str("the schema has no `columns`, and Hive refuses a mapping table that has only the row key")
            }
            Refusal::NoTargetColumns => f.write_str(
                "the target has no columns besides its partitions, and Hive refuses such a table",
            ),
            Refusal::UnknownType { column } => {
                write!(f, "the type of the target column `{column}` is not known")
            }
            Refusal::BinaryBound { part } => write!(f, "{part}, which a Hive literal cannot contain"),
            Refusal::BinaryKey { part } => write!(
                f,
                "{part}, and the key column of a mapping table is text: Hive cannot build or check such a key"
            ),
            Refusal::NeedsValue { parameters, reason } => {
                write!(f, "{parameters} must be known when the statement is printed: {reason}")
            }
            Refusal::BinarySaltInput { field } => {
                write!(f, "`{field}` is a binary input of the salt, which HiveQL cannot build")
            }
            Refusal::SaltNotComputed { reason } => write!(f, "Hive cannot compute the salt: {reason}"),
            Refusal::KeyNotCut { reason } => write!(f, "Hive cannot decode the row key: {reason}"),
            Refusal::TooManyRandomSalts => {
                f.write_str("the table has too many random salts to list them")
            }
            Refusal::ResidualNotWritten { reason } => {
                write!(f, "the rows of a range must be filtered, and Hive cannot do that: {reason}")
            }
            Refusal::RowsCompared { condition } => {
                write!(f, "Hive cannot compare rows of values: `{condition}`")
            }
            Refusal::ConditionUnclear { reason } => {
                write!(f, "Hive would evaluate a condition differently: {reason}")
            }
            Refusal::RejectedValue { reason }
            | Refusal::ColumnNotWritten { reason }
            | Refusal::TypeMismatch { reason, .. }
            | Refusal::ClockNotWritten { reason }
            | Refusal::PartitionType { reason }
            | Refusal::PartitionNotDecoded { reason } => f.write_str(reason),
            Refusal::UnboundPartition { column, .. } => write!(
                f,
                "the predicate does not bind the partition column `{column}`: INSERT OVERWRITE would not know what to \
                 replace"
            ),
            Refusal::NothingToEmpty { column, .. } => write!(
                f,
                "the predicate is always false, and it names no value of the partition column `{column}` that could be emptied"
            ),
            Refusal::NoPartitionName { field, value } => write!(
                f,
                "`{field} {}` is not the name of a partition: Hive stores such rows in `__HIVE_DEFAULT_PARTITION__`, together with others",
                value.as_ref().map_or("IS NULL".into(), |value| format!("= {value}"))
            ),
            Refusal::TooManyPartitions { limit } => {
                write!(f, "the statement would write more than {} partitions", grouped(*limit as u128))
            }
            Refusal::StatementsOfPartitions => f.write_str(
                "the shape `statements` cannot overwrite several partitions: a partition that receives no rows from the first branch would keep its old rows",
            ),
            Refusal::StatementsWithoutInsert => {
                f.write_str("the shape `statements` is several statements, so there is no single query to print")
            }
            Refusal::TooLong { bytes, limit } => write!(
                f,
                "the result would have about {} bytes; the limit is {}",
                grouped(*bytes as u128),
                grouped(*limit as u128)
            ),
            Refusal::OneRegion => f.write_str("a table of one region has no split keys"),
            Refusal::TooManyRegions { regions } => {
                write!(f, "{regions} regions are too many for one query, which compares each key with the start rows")
            }
        }
    }
}

impl std::error::Error for Refusal {}
