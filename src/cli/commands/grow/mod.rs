//! `grow`: emulates how the files and the regions of a table grow.

mod args;
mod arrivals;
mod table;

pub use args::{GrowArgs, GrowthArgs, parse_time};

use crate::cli::args::TextOrJson;
use crate::cli::commands::simulate::RowArgs;
use crate::cli::key_lines;
use crate::cli::output::write_file;
use crate::cli::progress;
use crate::cli::{Failure, Outcome, Reporter};
use saltplan_core::Table;
use saltplan_document::diag::Diagnostic;
use saltplan_document::diag::json::pretty;
use saltplan_simulate::grow::{GrowingTable, Growth, grow, report};
use saltplan_simulate::keys::KeyList;
use saltplan_simulate::picture;

const DAY: f64 = 86_400.0;

/// Prints the growth of a table. If it was interrupted, the exit code is 1.
pub fn run(args: &GrowArgs, reporter: &Reporter) -> Result<Outcome, Failure> {
    let described = args.schema.load(reporter)?;
    let sample = match &args.from_keys {
        Some(path) => {
            let keys = key_lines::read_all(path, args.key_form, &reporter.inputs)?;
            if keys.is_empty() {
                return Err(Diagnostic::error(format!("there are no row keys in {}", path.display())).into());
            }
            Some(keys.iter().collect())
        }
        None => None,
    };
    let rows = Rows { made: &args.rows, sample };
    let (table, growth) = grown(&described, rows, &args.growth, args.time, reporter)?;
    let name = described.schema().hbase.full_name();
    if let Some(path) = &args.svg {
        write_file(path, &picture::svg(&report::picture(&name, &table, &growth)), reporter)?;
    }
    let text = match args.output_format {
        TextOrJson::Text => report::to_text(&name, &table, &growth),
        TextOrJson::Json => pretty(&report::to_json(&name, &table, &growth)),
    };
    let outcome = args.output.deliver(&text, reporter)?;
    Ok(if growth.partial { Outcome::Findings } else { outcome })
}

/// The rows that a growing table gets.
pub struct Rows<'a> {
    pub made: &'a RowArgs,
    /// Real row keys instead of generated ones.
    pub sample: Option<KeyList>,
}

/// The growth of a table over a number of seconds, and the table itself.
pub fn grown(
    described: &Table,
    rows: Rows<'_>,
    growth: &GrowthArgs,
    seconds: f64,
    reporter: &Reporter,
) -> Result<(GrowingTable, Growth), Failure> {
    let table = table::table(described, growth, reporter)?;
    let puts = (growth.rows_per_day.unwrap_or(0) as f64 * seconds / DAY).round() as u64;
    let arrivals = arrivals::arrivals(described, rows, (seconds, puts), reporter)?;
    arrivals::warn_of_few_keys(&table, &arrivals, reporter);
    let keys = Some(arrivals.count() as u64);
    let growth = progress::breakable(keys, "keys", reporter, |watch| grow(&table, &arrivals, watch));
    Ok((table, growth))
}
