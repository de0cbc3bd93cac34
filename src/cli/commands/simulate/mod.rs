//! `simulate`: how the rows of a schema spread over its regions.

mod args;
mod keys;
mod made;
mod sql;
pub mod workload;

pub use args::{CountArgs, RowArgs, SimulateArgs, SliceBy, parse_count, parse_slices, scaled};
pub use made::made_rows;

use crate::cli::args::TextOrJson;
use crate::cli::output::write_file;
use crate::cli::{Failure, Outcome, Reporter};
use saltplan_core::Table;
use saltplan_core::schema::model::Schema;
use saltplan_document::diag::Diagnostic;
use saltplan_document::diag::json::pretty;
use saltplan_simulate::picture;
use saltplan_simulate::report::PutReport;
use saltplan_simulate::summary;

pub fn run(args: &SimulateArgs, reporter: &Reporter) -> Result<Outcome, Failure> {
    let table = args.schema.load(reporter)?;
    if args.count.emit_sql {
        return sql::emit(&table, args, reporter);
    }
    let report = match (&args.count.from_keys, &args.count.from_counts) {
        (Some(path), _) => keys::count(&table, path, args.count.key_form, reporter)?,
        (_, Some(path)) => sql::read_back(&table, path, reporter)?,
        _ => made_rows(&table, &args.count, reporter)?,
    };
    show(table.schema(), &report, args, reporter)
}

/// Prints a report. If it was interrupted, the exit code is 1.
fn show(
    schema: &Schema,
    report: &PutReport,
    args: &SimulateArgs,
    reporter: &Reporter,
) -> Result<Outcome, Failure> {
    if let Some(path) = &args.svg {
        write_file(path, &picture::svg(&summary::picture(&schema.hbase.full_name(), report)), reporter)?;
    }
    let text = match (args.output_format, args.chart) {
        (TextOrJson::Text, false) => summary::to_text(report),
        (TextOrJson::Text, true) => {
            let terminal = if args.output.output.is_some() { reporter.page() } else { reporter.terminal() };
            let bars = summary::picture(&schema.hbase.full_name(), report).bars;
            summary::below(&picture::chart(&bars, &summary::puts(), terminal), report)
        }
        (TextOrJson::Json, false) => pretty(&summary::to_json(report)),
        (TextOrJson::Json, true) => {
            return Err(Diagnostic::error("a chart is text, not JSON")
                .with_help("omit `--chart` or `--output-format json`")
                .into());
        }
    };
    let outcome = args.output.deliver(&text, reporter)?;
    Ok(if report.partial { Outcome::Findings } else { outcome })
}

/// The split keys for counting keys; without `regions` the table has one region.
pub fn split_keys<'t>(table: &'t Table, reporter: &Reporter) -> Result<&'t [Vec<u8>], Failure> {
    let keys = table.split_keys()?;
    if keys.is_none() {
        reporter
            .warning("the schema does not say how the table is split, so everything counts as one region");
    }
    Ok(keys.unwrap_or_default())
}
