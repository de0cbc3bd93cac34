//! Why a plan or a statement is refused, and the remedy.

use saltplan_document::diag::{counted, grouped};
use thiserror::Error;

const DECODE_ELSEWHERE: &str =
    "read such keys with `saltplan key decode`, or store the field in a column, too";
const LONG_PROPERTY: &str = "write `planned: false` under `hive.mapping`, so that `plan` and `rewrite` name the ranges, or shorten names and values of `key`";
const NO_COLUMNS: &str = "add one, such as `columns: [{ name: …, type: string, hbase: 'family:qualifier' }]`";
const NO_TARGET_COLUMNS: &str = "leave a key field out of `hive.target.partition`, or list columns there, such as `columns: [{ name: …, from: key.… }]`";

/// What is not planned or printed because it would be wrong, or is probably an expensive mistake.
///
/// Its text is the reason. [`Refusal::help`] says what to do instead, [`Refusal::code`] is for programs.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Refusal {
    /// The plan reads the whole table. `branches` is the number that would be enough, if the limit is the
    /// reason; `seeks` is the number of ranges that a `FuzzyRowFilter` of `scan` covers, if there is one.
    #[error("the plan reads the whole table: {}", .reasons.join("; "))]
    FullScan { reasons: Vec<String>, branches: Option<usize>, seeks: Option<u128> },
    /// The plan reads nothing; an INSERT OVERWRITE would empty a partition.
    #[error("the predicate is never true{}{}", emptied(*.overwrites), because(.reasons))]
    Empty { reasons: Vec<String>, overwrites: bool },
    /// A value that the declaration of its field rejects, although it could be parsed.
    #[error("{reason}")]
    RejectedValue { reason: String },

    /// Merged ranges contain far more values than requested.
    #[error("ranges were merged, and the plan {reads}{}", .least.map(|_| the_limit(u128::from(*.limit))).unwrap_or_default())]
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
    #[error("the statement would need {}{}", counted(*.scans as u128, "scan", "scans"), the_limit(*.limit as u128))]
    TooManyScans { scans: usize, limit: usize },
    /// The statement needs more jobs than allowed; `tez` if one job would be enough on Tez.
    #[error("the statement would need {} on {engine}{}", counted(*.jobs as u128, "job", "jobs"), the_limit(*.limit as u128))]
    TooManyJobs { jobs: usize, engine: &'static str, limit: usize, tez: bool },

    /// A value that is known only at run time is needed when the statement is printed.
    #[error("{parameters} must be known when the statement is printed: {reason}")]
    NeedsValue { parameters: String, reason: String },

    /// The schema has no mapping table.
    #[error("the schema has no `hive.mapping`")]
    NoMapping,
    /// The schema has no target table to write to.
    #[error("the schema has no `hive.target`")]
    NoTarget,
    /// The target table is the mapping table, so the rows would be written to HBase.
    #[error(
        "the target table is the mapping table: the statement would write to the HBase table that it reads"
    )]
    TargetIsMapping,
    /// The schema does not have the requested part, `hive.mapping` or `hive.target`.
    #[error("the schema has no `{part}`")]
    NoPart { part: &'static str },
    /// The schema is too long for a property of the mapping table.
    #[error("the schema has {} characters as a property of the mapping table, and not every metastore of Hive holds {}", grouped(*.chars as u128), grouped(*.limit as u128))]
    LongSchemaProperty { chars: usize, limit: usize },
    /// Apache Phoenix would read the row keys differently.
    #[error("the layout is not Phoenix's: {reason}")]
    NotPhoenix { reason: String },
    /// A mapping table in Hive needs a column besides the row key, and a row in HBase needs a cell.
    #[error("the schema has no `columns`, and Hive refuses a mapping table that has only the row key")]
    NoColumns,
    /// A Hive table cannot consist of partition columns only.
    #[error("the target has no columns besides its partitions, and Hive refuses such a table")]
    NoTargetColumns,
    /// The type of a target column is not known.
    #[error("the type of the target column `{column}` is not known")]
    UnknownType { column: String },
    /// A bound would contain bytes of a binary part of the key.
    #[error("{part}, which a Hive literal cannot contain")]
    BinaryBound { part: BinaryPart },
    /// Hive would have to build or check a key with binary bytes.
    #[error("{part}, and the key column of a mapping table is text: Hive cannot build or check such a key")]
    BinaryKey { part: BinaryPart },
    /// The salt is computed from a field that HiveQL cannot build.
    #[error("`{field}` is a binary input of the salt, which HiveQL cannot build")]
    BinarySaltInput { field: String },
    /// HiveQL cannot compute the salt.
    #[error("Hive cannot compute the salt: {reason}")]
    SaltNotComputed { reason: String },
    /// HiveQL cannot decode the fields of a row key.
    #[error("Hive cannot decode the row key: {reason}")]
    KeyNotCut { reason: String },
    /// There are too many random salts to list.
    #[error("the table has too many random salts to list them")]
    TooManyRandomSalts,
    /// HiveQL cannot check the residual.
    #[error("the rows of a range must be filtered, and Hive cannot do that: {reason}")]
    ResidualNotWritten { reason: String },
    /// Hive would evaluate a condition differently.
    #[error("Hive would evaluate a condition differently: {reason}")]
    ConditionUnclear { reason: String, help: String },
    /// Rows of values are compared inside a condition.
    #[error("Hive cannot compare rows of values: `{condition}`")]
    RowsCompared { condition: String },
    /// HiveQL cannot decode the value of a target column.
    #[error("{reason}")]
    ColumnNotWritten { reason: String },
    /// HiveQL cannot decode a key field of the logical table.
    #[error("{reason}")]
    FieldNotDecoded { reason: String },
    /// A type cannot represent the values of a field.
    #[error("{reason}")]
    TypeMismatch { reason: String, help: String },
    /// HiveQL cannot compute the local time of a field.
    #[error("{reason}")]
    ClockNotWritten { reason: String },

    /// The predicate does not bind a partition column, so it is not clear what an overwrite would replace.
    #[error(
        "the predicate does not bind the partition column `{column}`: INSERT OVERWRITE would not know what to replace"
    )]
    UnboundPartition {
        column: String,
        /// The operand of a condition on it: the key field, or its day.
        operand: String,
    },
    /// The predicate does not bind a partition column, so it is not clear what would be compared.
    #[error(
        "the predicate does not bind the partition column `{column}`: `check` would not know which partitions to compare"
    )]
    UnboundCompared { column: String, operand: String },
    /// The predicate is always false, and does not name a partition that could be emptied.
    #[error(
        "the predicate is always false, and it names no value of the partition column `{column}` that could be emptied"
    )]
    NothingToEmpty { column: String, operand: String },
    /// The rows are only a part of what an INSERT OVERWRITE would replace by them.
    #[error("{part}")]
    Partial { part: Part },
    /// The rows are only a part of those of the partitions that they are compared with.
    #[error("{}, and `check` compares whole partitions", .part.selection())]
    PartCompared { part: Part },
    /// HBase would count rows that are not of the plan.
    #[error("HBase counts all rows of the ranges, and some of them may not match the predicate")]
    RowsNotCounted,
    /// A column by which rows are counted, whose values are arrays, maps or structs.
    #[error("rows cannot be counted by `{name}`, whose values are of several parts")]
    NestedGroup { name: String, known: Vec<String> },
    /// A field or column by which rows are counted, which the target does not have.
    #[error("the target has no column with `{name}`")]
    NotInTarget { name: String, known: Vec<String> },
    /// A value, as a literal, that cannot be the name of a partition; without one it is NULL.
    #[error(
        "`{field} {}` is not the name of a partition: Hive stores such rows in `__HIVE_DEFAULT_PARTITION__`, together with others",
        .value.as_ref().map_or("IS NULL".into(), |value| format!("= {value}"))
    )]
    NoPartitionName { field: String, value: Option<String> },
    /// The type of a partition column cannot represent a value.
    #[error("{reason}")]
    PartitionType { reason: String },
    /// HiveQL cannot compute the partition of a row from its key.
    #[error("{reason}")]
    PartitionNotDecoded { reason: String },
    /// One statement would write too many partitions.
    #[error("the statement would write more than {} partitions", grouped(*.limit as u128))]
    TooManyPartitions { limit: usize },
    /// Too many partitions would be compared.
    #[error("the predicate selects more than {} partitions, which are too many to compare at once", grouped(*.limit as u128))]
    TooManyCompared { limit: usize },

    /// The text is longer than the limit, in bytes.
    #[error("the result would have about {} bytes{}", grouped(*.bytes as u128), the_limit(*.limit as u128))]
    TooLong { bytes: usize, limit: usize },
    /// A table of one region has no split keys.
    #[error("a table of one region has no split keys")]
    OneRegion,
    /// There are too many regions for a query that counts by region.
    #[error("{regions} regions are too many for one query, which compares each key with the start rows")]
    TooManyRegions { regions: usize },
}

/// Which part of the rows that an INSERT OVERWRITE would replace a predicate selects.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
#[error("{}", self.message("the predicate"))]
pub enum Part {
    /// The target has no partitions, and the predicate does not select every row.
    OfTable,
    /// There is a condition on something that is not a partition; with its name if it is a single column or field.
    OfPartition { on: Option<String>, several: bool },
    /// The predicate selects a part of a partition's time.
    OfUnit { unit: &'static str, field: String },
}

impl Part {
    /// What the predicate selects instead of whole partitions.
    fn selection(&self) -> String {
        match self {
            Part::OfTable => "the target table has no partitions, and the predicate has a condition".into(),
            Part::OfPartition { on: Some(on), .. } => {
                format!(
                    "the predicate has a condition on `{on}`, which is not a partition column of key fields"
                )
            }
            Part::OfPartition { on: None, .. } => {
                "the predicate has a condition besides those on the partition".into()
            }
            Part::OfUnit { unit, field } => {
                format!("the predicate selects only a part of one {unit} of `{field}`")
            }
        }
    }

    /// The message about a predicate, or about a query with these conditions.
    #[doc(hidden)]
    pub fn message(&self, predicate: &str) -> String {
        match self {
            Part::OfTable => format!(
                "the target table has no partitions: INSERT OVERWRITE would replace all of its rows by those of {predicate}"
            ),
            Part::OfPartition { on, several } => {
                let what = match on {
                    Some(on) => format!("on `{on}`, which is not a partition column"),
                    None => "besides those on the partition".to_string(),
                };
                let replaced = if *several { "the partitions" } else { "the partition" };
                format!(
                    "{predicate} has a condition {what}: INSERT OVERWRITE would replace all rows of {replaced} by a part of them"
                )
            }
            Part::OfUnit { unit, field } => format!(
                "{predicate} selects only a part of one {unit} of `{field}`: INSERT OVERWRITE would replace the whole partition by it"
            ),
        }
    }
}

/// A part of the row key that is stored as binary.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BinaryPart {
    #[error("the salt is stored as binary")]
    Salt,
    #[error("`{0}` is stored as binary")]
    Field(String),
    #[error("a separator is not text")]
    Separator,
}

/// What a help text recommends. Every caller has its own names for these: flags and commands, or functions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Remedy {
    AcceptFullScan,
    AcceptEmpty,
    AcceptPartial,
    AcceptOverlap,
    /// An INSERT INTO instead of an INSERT OVERWRITE.
    Into,
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
    /// The value of a variable of Hive.
    Hivevar,
    /// The value of a setting of Hive.
    Hiveconf,
    /// The time at which a query runs.
    Now,
}

impl Remedy {
    /// The name in this library.
    #[must_use]
    pub fn name(self) -> String {
        let name = match self {
            Remedy::AcceptFullScan => "`PlanOptions::allow_full_scan`",
            Remedy::AcceptEmpty => "`allow_empty`",
            Remedy::AcceptPartial => "`QueryOptions::allow_partial`",
            Remedy::AcceptOverlap => "`allow_overlap`",
            Remedy::Into => "`QueryOptions::into`",
            Remedy::MaxBranches => "`PlanOptions::max_branches`",
            Remedy::Branches(count) => return format!("`PlanOptions::max_branches` of {count}"),
            Remedy::MaxWidening(limit) => {
                let limit = limit.map_or("Any".into(), |limit| format!("Times({limit})"));
                return format!("`PlanOptions::max_widening` of `MaxWidening::{limit}`");
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
            Remedy::Hivevar => "`Variables::hivevar`",
            Remedy::Hiveconf => "`Variables::hiveconf`",
            Remedy::Now => "`Options::now`",
        };
        name.to_string()
    }
}

/// The remedy for a partition column that is not bound.
fn bind(operand: &str) -> String {
    format!("add a condition such as `{operand} = …` or `{operand} BETWEEN … AND …`")
}

impl Refusal {
    /// The same where the partitions are compared, not written.
    pub(crate) fn of_compared_partitions(self) -> Refusal {
        match self {
            Refusal::UnboundPartition { column, operand } | Refusal::NothingToEmpty { column, operand } => {
                Refusal::UnboundCompared { column, operand }
            }
            Refusal::TooManyPartitions { limit } => Refusal::TooManyCompared { limit },
            other => other,
        }
    }

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
            Refusal::TargetIsMapping => "target_is_mapping",
            Refusal::NoPart { .. } => "no_part",
            Refusal::LongSchemaProperty { .. } => "long_schema_property",
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
            Refusal::ColumnNotWritten { .. } | Refusal::FieldNotDecoded { .. } => "column_not_written",
            Refusal::TypeMismatch { .. } => "type_mismatch",
            Refusal::ClockNotWritten { .. } => "clock_not_written",
            Refusal::UnboundPartition { .. } | Refusal::UnboundCompared { .. } => "unbound_partition",
            Refusal::NothingToEmpty { .. } => "nothing_to_empty",
            Refusal::Partial { .. } => "partial",
            Refusal::PartCompared { .. } => "part_compared",
            Refusal::RowsNotCounted => "rows_not_counted",
            Refusal::NotInTarget { .. } | Refusal::NestedGroup { .. } => "not_in_target",
            Refusal::NoPartitionName { .. } => "no_partition_name",
            Refusal::PartitionType { .. } => "partition_type",
            Refusal::PartitionNotDecoded { .. } => "partition_not_decoded",
            Refusal::TooManyPartitions { .. } | Refusal::TooManyCompared { .. } => "too_many_partitions",
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
            Refusal::RejectedValue { .. } => "write the value in the form that `key encode` accepts".into(),
            Refusal::NoMapping => {
                "add the mapping table: `hive: { mapping: { table: db.name, key_column: rowkey } }`".into()
            }
            Refusal::NoTarget => format!("add the target table, {}", bare()),
            Refusal::TargetIsMapping => format!("give the target table another name, {}", bare()),
            Refusal::NoPart { .. } => {
                format!("add it, or print the other parts with {}", name(Remedy::Parts))
            }
            Refusal::LongSchemaProperty { .. } => LONG_PROPERTY.into(),
            Refusal::NotPhoenix { .. } => "read the table with Hive: `ddl --only mapping`".into(),
            Refusal::NoColumns => NO_COLUMNS.into(),
            Refusal::NoTargetColumns => NO_TARGET_COLUMNS.into(),
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
            Refusal::ColumnNotWritten { .. } => {
                "list the columns of the target without it, such as `columns: [a, b]` under `hive.target`, or give an `expr`"
                    .into()
            }
            Refusal::FieldNotDecoded { .. } => DECODE_ELSEWHERE.into(),
            Refusal::ConditionUnclear { help, .. } | Refusal::TypeMismatch { help, .. } => help.clone(),
            Refusal::ClockNotWritten { .. } => "give the column the type `bigint`".into(),
            Refusal::UnboundPartition { operand, .. } => format!("{}, {}", bind(operand), bare()),
            Refusal::UnboundCompared { operand, .. } => bind(operand),
            Refusal::NothingToEmpty { operand, .. } => {
                format!("add a condition such as `{operand} = …`, {}", bare())
            }
            Refusal::Partial { part } => {
                let whole = match part {
                    Part::OfTable => "remove the conditions",
                    Part::OfPartition { .. } => "remove that condition",
                    Part::OfUnit { .. } => "select whole partitions",
                };
                format!(
                    "{whole}, add the rows to the others with {}, print only the query with {}, or accept the loss with {}",
                    name(Remedy::Into),
                    name(Remedy::BareQuery),
                    name(Remedy::AcceptPartial)
                )
            }
            Refusal::PartCompared { .. } => format!(
                "select whole partitions, or say with {} that the target has no other rows in them",
                name(Remedy::AcceptPartial)
            ),
            Refusal::RowsNotCounted => "compare the rows in Hive: `check` without `--count`".into(),
            Refusal::NotInTarget { known, .. } | Refusal::NestedGroup { known, .. } => {
                format!("write one of {}", known.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "))
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
            Refusal::TooManyCompared { .. } => "compare fewer partitions at a time".into(),
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
                let more =
                    branches.map(|count| format!("allow more ranges with {}, ", more_ranges(count, name)));
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
                    Some(count) => format!("avoid merging with {}", more_ranges(*count, name)),
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
}

/// A UNION ALL of more ranges than this is longer than people read, and slow.
const MOST_OF_A_UNION: usize = 512;

/// The limit that allows so many ranges, and what reads many of them well.
fn more_ranges(count: usize, name: &dyn Fn(Remedy) -> String) -> String {
    let limit = name(Remedy::Branches(count));
    if count <= MOST_OF_A_UNION {
        return limit;
    }
    format!(
        "{limit} and read them in one scan ({}), with {} or with a program of `saltplan generate reader`, since a UNION ALL of so many is slow",
        name(Remedy::OneScan),
        name(Remedy::Scan)
    )
}

fn emptied(overwrites: bool) -> &'static str {
    if overwrites { ", and an INSERT OVERWRITE without rows empties the partition" } else { "" }
}

fn because(reasons: &[String]) -> String {
    if reasons.is_empty() { String::new() } else { format!(": {}", reasons.join("; ")) }
}

fn the_limit(limit: u128) -> String {
    format!("; the limit is {}", grouped(limit))
}
