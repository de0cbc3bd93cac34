//! `load`: the statement that writes a Hive table's rows to HBase.

use super::hive_table;
use crate::cli::args::LoadArgs;
use crate::cli::failure::{Failure, Outcome};
use crate::cli::input::{load_table, templates};
use crate::cli::output::deliver;
use crate::cli::talk::Talk;
use saltplan_core::internals::render::CommentLine;
use saltplan_core::internals::render::hive_load::{self, LoadOptions};
use saltplan_core::internals::render::size::limited;

pub fn load(args: &LoadArgs, talk: &Talk) -> Result<Outcome, Failure> {
    let table = load_table(&args.schema, talk)?;
    let mut header =
        vec![CommentLine::new(&format!("saltplan load {} (from {})", table.file_name(), args.from))];
    if args.faults.is_none() {
        header.push(CommentLine::new(
            "a row that breaks the declaration of the key fails the statement: HBase row key cannot be NULL",
        ));
    }
    if args.faults.is_none() && table.schema().key.salt.as_ref().is_some_and(|salt| !salt.is_computable()) {
        talk.warning(
            "the salt is random: a task that runs again writes its rows a second time, under other keys \
             (switch retries and speculative execution off for this statement)",
        );
    }
    let options = LoadOptions {
        from: hive_table(&args.from)?,
        list_faults: args.faults,
        header: if args.no_header { Vec::new() } else { header },
    };
    let templates = templates(&args.templates, talk);
    let sql = hive_load::render(table.schema(), &options, &templates)?;
    deliver(&limited(sql, args.size.max_bytes)?, &args.output, talk)
}
