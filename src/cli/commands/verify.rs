//! `verify`: prints the query that counts stored rows with a wrong key.

use crate::cli::args::VerifyArgs;
use crate::cli::failure::{Failure, Outcome};
use crate::cli::input::load_table;
use crate::cli::output::deliver;
use crate::cli::settings;
use crate::cli::statements;
use crate::cli::talk::Talk;
use saltplan_core::hive;
use saltplan_core::hive::verify::VerifyOptions;
use saltplan_core::render::size::limited;

pub fn verify(args: &VerifyArgs, talk: &Talk) -> Result<Outcome, Failure> {
    let table = load_table(&args.schema, talk)?;
    let header = if args.no_header { Vec::new() } else { hive::verify::header(&table.file_name()) };
    let options = VerifyOptions { list: args.list, header };
    let templates = settings::templates(&args.templates, &settings::of_schema(&args.schema)?, talk);
    let sql = hive::verify::render(table.schema(), &options, &templates)?;
    statements::check(&templates, talk);
    deliver(&limited(sql, args.size.max_bytes)?, &args.output, talk)
}
