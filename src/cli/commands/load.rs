//! `load`: prints the statement that writes a Hive table's rows to HBase.

use super::hive_table;
use crate::cli::args::LoadArgs;
use crate::cli::failure::{Failure, Outcome};
use crate::cli::input::load_table;
use crate::cli::output::deliver;
use crate::cli::settings;
use crate::cli::statements;
use crate::cli::talk::Talk;
use saltplan_core::hive;
use saltplan_core::hive::load::LoadOptions;
use saltplan_core::render::size::limited;

pub fn load(args: &LoadArgs, talk: &Talk) -> Result<Outcome, Failure> {
    let table = load_table(&args.schema, talk)?;
    let mut options =
        LoadOptions { from: hive_table(&args.from)?, list_faults: args.faults, header: Vec::new() };
    if !args.no_header {
        options.header = hive::load::header(&table.file_name(), &options);
    }
    if let Some(warning) = hive::load::warning(table.schema(), &options) {
        talk.remarks(&[(&warning).into()]);
    }
    let templates = settings::templates(&args.templates, &settings::of_schema(&args.schema)?, talk);
    let sql = hive::load::render(table.schema(), &options, &templates)?;
    statements::check(&templates, talk);
    deliver(&limited(sql, args.size.max_bytes)?, &args.output, talk)
}
