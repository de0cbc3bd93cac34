//! How rows are spread over the regions of a table, now and over time.

use super::ReportArgs;
use crate::cli::commands::grow::{self, Rows};
use crate::cli::commands::simulate::{CountArgs, RowArgs, SliceBy, made_rows, workload};
use crate::cli::{Failure, Reporter};
use saltplan_core::Table;
use saltplan_simulate::grow::Growth;
use saltplan_simulate::report::PutReport;

/// The default number of keys that represent the rows of a growing table, as in `grow`.
const DEFAULT_KEYS: u64 = 1_000_000;

/// The number of equal parts of the rows, if no unit of time is given.
const PARTS: u32 = 12;

/// The number of regions above which the parts are not recorded.
const MANY_REGIONS: usize = 20_000;

/// Rows per region, if the arguments request them.
pub fn of(table: &Table, args: &ReportArgs, reporter: &Reporter) -> Result<Option<PutReport>, Failure> {
    args.keys.map(|_| made_rows(table, &count_args(table, args), reporter)).transpose()
}

/// Bytes per region over time, if the arguments request them.
pub fn growth_of(table: &Table, args: &ReportArgs, reporter: &Reporter) -> Result<Option<Growth>, Failure> {
    let Some(seconds) = args.grow else { return Ok(None) };
    let count = count_args(table, args);
    let rows = Rows { made: &count.rows, sample: None };
    Ok(Some(grow::grown(table, rows, &args.growth, seconds, reporter)?.1))
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
