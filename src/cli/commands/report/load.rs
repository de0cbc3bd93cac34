//! How rows are spread over the regions of a table, now and over time.

use super::ReportArgs;
use crate::cli::commands::grow::{self, Rows};
use crate::cli::commands::simulate::{CountArgs, RowArgs, SliceBy, made_rows, workload};
use crate::cli::{Failure, Reporter};
use saltplan_core::Table;
use saltplan_document::diag::Diagnostic;
use saltplan_report::Simulated;
use saltplan_simulate::grow::report;
use saltplan_simulate::summary;

/// The default number of keys that represent the rows of a growing table, as in `grow`.
const DEFAULT_KEYS: u64 = 1_000_000;

/// The number of equal parts of the rows, if no unit of time is given.
const PARTS: u32 = 12;

/// The number of regions above which the parts are not recorded.
const MANY_REGIONS: usize = 20_000;

/// Rows per region, if the arguments request them.
pub fn simulated(
    table: &Table,
    args: &ReportArgs,
    reporter: &Reporter,
) -> Result<Option<Simulated>, Failure> {
    if args.keys.is_none() {
        return Ok(None);
    }
    let (report, warnings) = warned(reporter, || made_rows(table, &count_args(table, args), reporter))?;
    let picture = summary::picture(&table.schema().hbase.full_name(), &report);
    Ok(Some(Simulated { picture, is_partial: report.partial, warnings }))
}

/// Bytes per region over time, if the arguments request them.
pub fn growth_of(
    table: &Table,
    args: &ReportArgs,
    reporter: &Reporter,
) -> Result<Option<Simulated>, Failure> {
    let Some(seconds) = args.grow else { return Ok(None) };
    let count = count_args(table, args);
    let rows = Rows { made: &count.rows, sample: None };
    let grown = || grow::grown(table, rows, &args.growth, seconds, reporter);
    let ((growing, growth), warnings) = warned(reporter, grown)?;
    let picture = report::picture(&table.schema().hbase.full_name(), &growing, &growth);
    Ok(Some(Simulated { picture, is_partial: growth.partial, warnings }))
}

/// A result, and the warnings on the way to it: they are also on the page.
fn warned<T>(
    reporter: &Reporter,
    work: impl FnOnce() -> Result<T, Failure>,
) -> Result<(T, Vec<Diagnostic>), Failure> {
    let before = reporter.warnings().len();
    let found = work()?;
    Ok((found, reporter.warnings()[before..].to_vec()))
}

/// A row key as an example for the layout. It is generated, because a page must not show rows of a sample.
pub fn example(table: &Table, args: &ReportArgs) -> Option<Vec<u8>> {
    workload::first_key(table, &count_args(table, args).rows)
}

fn count_args(table: &Table, args: &ReportArgs) -> CountArgs {
    let regions = table.split_keys().ok().flatten().map_or(1, |keys| keys.len() + 1);
    let parts = (regions < MANY_REGIONS).then_some(SliceBy::Parts(PARTS));
    CountArgs {
        rows: RowArgs {
            keys: args.keys.unwrap_or(DEFAULT_KEYS),
            seed: args.seed,
            workload: args.workload.clone(),
        },
        by: args.by.or(parts),
        ..CountArgs::default()
    }
}
