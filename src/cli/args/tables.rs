//! The arguments of `ddl`, `load` and `verify`.

use clap::{Args, ValueEnum};
use saltplan_core::ddl::DdlTable;

use super::{OutputArgs, SchemaArgs, SizeArgs, TemplateArgs};

#[derive(Debug, Args)]
pub struct DdlArgs {
    #[command(flatten)]
    pub schema: SchemaArgs,

    /// Parts to print, separated by commas: the HBase shell commands, the Hive table over HBase, the Hive view of the logical table, the Hive table to insert into, and, only if named here, Phoenix's view over the HBase table
    #[arg(long, value_name = "PARTS", value_delimiter = ',')]
    pub only: Vec<DdlPart>,

    /// Create the HBase table only if it does not exist, as is always done for the namespace and the Hive tables
    #[arg(long)]
    pub if_not_exists: bool,

    /// Declare the Hive table over HBase with the storage handler of `saltplan-hive.jar`, as `hive.mapping.one_scan: true` does
    #[arg(long)]
    pub with_jar: bool,

    #[command(flatten)]
    pub templates: TemplateArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum DdlPart {
    Hbase,
    Mapping,
    View,
    Target,
    Phoenix,
}

impl DdlPart {
    pub fn meaning(self) -> DdlTable {
        match self {
            DdlPart::Hbase => DdlTable::Hbase,
            DdlPart::Mapping => DdlTable::Mapping,
            DdlPart::View => DdlTable::View,
            DdlPart::Target => DdlTable::Target,
            DdlPart::Phoenix => DdlTable::Phoenix,
        }
    }
}

#[derive(Debug, Args)]
pub struct LoadArgs {
    #[command(flatten)]
    pub schema: SchemaArgs,

    /// Hive table or view with a column for every key field and every column of the schema
    #[arg(long, value_name = "TABLE")]
    pub from: String,

    /// Instead, print a query that lists up to N rows on which the statement would fail
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "100", value_parser = clap::value_parser!(u32).range(1..))]
    pub faults: Option<u32>,

    /// Omit the comment above the statement
    #[arg(long)]
    pub no_header: bool,

    #[command(flatten)]
    pub templates: TemplateArgs,
    #[command(flatten)]
    pub size: SizeArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(Debug, Args)]
pub struct VerifyArgs {
    #[command(flatten)]
    pub schema: SchemaArgs,

    /// Maximum number of wrong rows to list; 0 only counts them
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub list: u32,

    /// Omit the comment above the query
    #[arg(long)]
    pub no_header: bool,

    #[command(flatten)]
    pub templates: TemplateArgs,
    #[command(flatten)]
    pub size: SizeArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}
