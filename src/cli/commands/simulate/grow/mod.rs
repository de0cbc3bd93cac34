//! `simulate --grow`: emulates how the files and the regions of a table grow.

mod arrivals;
mod table;

use crate::cli::args::TextOrJson;
use crate::cli::commands::simulate::{CountArgs, GrowArgs, SimulateArgs};
use crate::cli::output::write_file;
use crate::cli::progress;
use crate::cli::{Failure, Outcome, Reporter};
use saltplan_core::Table;
use saltplan_core::key::range::to_string_binary;
use saltplan_document::diag::json::pretty;
use saltplan_simulate::grow::{GrowingTable, Growth, grow, report};
use saltplan_simulate::picture::{self, Bar, Measure, Picture};

const DAY: f64 = 86_400.0;

/// Prints the growth of a table. If it was interrupted, the exit code is 1.
pub fn grow_table(args: &SimulateArgs, seconds: f64, reporter: &Reporter) -> Result<Outcome, Failure> {
    let described = args.schema.load(reporter)?;
    let (table, growth) = grown(&described, (&args.count, &args.grow), seconds, reporter)?;
    let name = described.schema().hbase.full_name();
    if let Some(path) = &args.svg {
        write_file(path, &picture::svg(&drawing(&name, &table, &growth)), reporter)?;
    }
    let text = match args.output_format {
        TextOrJson::Text => report::to_text(&name, &table, &growth),
        TextOrJson::Json => pretty(&report::to_json(&name, &table, &growth)),
    };
    let outcome = args.output.deliver(&text, reporter)?;
    Ok(if growth.partial { Outcome::Findings } else { outcome })
}

/// The growth of a table, and the table itself.
pub fn grown(
    described: &Table,
    (count, growth): (&CountArgs, &GrowArgs),
    seconds: f64,
    reporter: &Reporter,
) -> Result<(GrowingTable, Growth), Failure> {
    let table = table::table(described, growth, reporter)?;
    let puts = (growth.rows_per_day.unwrap_or(0) as f64 * seconds / DAY).round() as u64;
    let arrivals = arrivals::arrivals(described, count, (seconds, puts), reporter)?;
    arrivals::warn_of_few_keys(&table, &arrivals, reporter);
    let keys = Some(arrivals.count() as u64);
    let growth = progress::breakable(keys, "keys", reporter, |watch| grow(&table, &arrivals, watch));
    Ok((table, growth))
}

fn drawing(name: &str, table: &GrowingTable, growth: &Growth) -> Picture {
    let text = report::to_text(name, table, growth);
    let mut lines = text.lines();
    let title = lines.next().unwrap_or_default().to_string();
    let regions = growth.regions.iter().map(|region| Bar {
        start: to_string_binary(&region.start),
        value: region.stored.round() as u64,
        salts: String::new(),
    });
    Picture {
        title,
        remarks: lines.take_while(|line| !line.is_empty()).map(str::to_string).collect(),
        measure: Measure::Bytes("stored in files".into()),
        bars: regions.collect(),
        curves: Some(report::curves(growth)),
        ..Picture::default()
    }
}
