//! The rows that arrive in a growing table: keys of a file, or of some generated rows.

use std::ops::Range;

use super::Rows;
use crate::cli::commands::simulate::workload::{unusable, workload};
use crate::cli::progress;
use crate::cli::{Failure, Reporter};
use saltplan_core::Table;
use saltplan_core::key::range::to_string_binary;
use saltplan_document::diag::Diagnostic;
use saltplan_simulate::generator::Generator;
use saltplan_simulate::grow::{Arrivals, GrowingTable, Slice};
use saltplan_simulate::keys::Keys;
use saltplan_simulate::likeness::{Histogram, Unlike};
use saltplan_simulate::picture;
use saltplan_simulate::strata;
use saltplan_simulate::workload::Workload;

/// With fewer keys per flush, the sizes of files become too coarse.
const KEYS_PER_FLUSH: f64 = 4.0;
/// All keys are kept in memory.
const MOST_KEYS: u64 = 10_000_000;
/// The maximum number of rows with which a sample is compared.
const MOST_OTHERS: u64 = 1 << 17;

/// The rows that arrive in a number of seconds.
pub fn arrivals(
    table: &Table,
    rows: Rows<'_>,
    (seconds, puts): (f64, u64),
    reporter: &Reporter,
) -> Result<Arrivals, Failure> {
    if let Some(keys) = rows.sample {
        return Ok(Arrivals::new([Slice { seconds, puts, keys }]));
    }
    let made = rows.made;
    if made.keys > MOST_KEYS {
        let most = picture::grouped(MOST_KEYS);
        return Err(Diagnostic::error(format!("a growing table takes at most {most} keys"))
            .with_help("each key represents as many rows as necessary; omit `--keys`")
            .into());
    }
    let workload = Workload { rows: puts, ..workload(table, made, None, reporter)? };
    let generator = Generator::new(table.schema(), &workload).map_err(unusable)?;
    let keys = Keys::new(&generator, &workload);
    let count = made.keys.min(puts);
    let arrivals = progress::with_progress(Some(count), "keys", reporter, |watch| {
        let rows = strata::rows(puts, count, workload.seed).inspect(|_| watch.add(1));
        Ok(Arrivals::new([Slice { seconds, puts, keys: keys.in_order(rows)? }]))
    });
    let arrivals = arrivals.map_err(unusable)?;
    if count < puts {
        warn_of_odd_sample(table, &arrivals, &keys, &workload, reporter)?;
    }
    Ok(arrivals)
}

/// Compares the regions and the salts of a sample with those of other rows. A sample that misses some of them
/// would describe a different table.
fn warn_of_odd_sample(
    table: &Table,
    arrivals: &Arrivals,
    keys: &Keys<'_>,
    workload: &Workload,
    reporter: &Reporter,
) -> Result<(), Failure> {
    let bounds = bounds(table)?;
    let mut sample = Histogram::new(&bounds);
    (0..arrivals.count() as u32).for_each(|rank| sample.add(arrivals.key(rank)));
    let mut others = Histogram::new(&bounds);
    let count = (arrivals.count() as u64).min(MOST_OTHERS);
    let rows = strata::rows(workload.rows, count, !workload.seed);
    keys.each(rows, |_, key| others.add(key)).map_err(unusable)?;
    if let Some(unlike) = sample.compare(&others) {
        reporter.remarks(&[odd_sample(&unlike)]);
    }
    Ok(())
}

/// Split keys, and the start of the rows of each salt.
fn bounds(table: &Table) -> Result<Vec<Vec<u8>>, Failure> {
    let mut bounds = table.split_keys()?.unwrap_or_default().to_vec();
    bounds.extend_from_slice(table.salts());
    bounds.sort_unstable();
    bounds.dedup();
    Ok(bounds)
}

fn odd_sample(unlike: &Unlike) -> Diagnostic {
    let name = |key: &[u8]| format!("`{}`", to_string_binary(key));
    let Range { start, end } = &unlike.keys;
    let keys = match (start, end) {
        (None, None) => "the keys".into(),
        (Some(start), None) => format!("the keys from {}", name(start)),
        (None, Some(end)) => format!("the keys below {}", name(end)),
        (Some(start), Some(end)) => format!("the keys from {} to {}", name(start), name(end)),
    };
    Diagnostic::warning(format!(
        "the sample is not representative: {keys} are {:.2} % of it, but {:.2} % of other rows",
        unlike.share * 100.0,
        unlike.others * 100.0,
    ))
    .with_help("try another `--seed`, or more `--keys`")
}

/// The number of keys for showing single flushes: a few for each memstore that fills up, and for each that
/// becomes too old.
fn keys_needed(table: &GrowingTable, arrivals: &Arrivals) -> f64 {
    let rows = arrivals.grain() * arrivals.count() as f64;
    let key = arrivals.key(0).len() as u64;
    let heap: u64 = table.families.iter().map(|family| family.row_bytes().heap(key)).sum();
    let full = rows * heap as f64 / table.settings.flush_size as f64;
    let interval = table.settings.flush_interval;
    let old = if interval > 0 { arrivals.end() as f64 / interval as f64 } else { 0.0 };
    let regions = table.split_keys.len() as f64 + 1.0;
    (KEYS_PER_FLUSH * full.max(old * regions)).min(rows)
}

pub fn warn_of_few_keys(table: &GrowingTable, arrivals: &Arrivals, reporter: &Reporter) {
    let needed = keys_needed(table, arrivals);
    if (arrivals.count() as f64) < needed {
        reporter.remarks(&[Diagnostic::warning(format!(
            "{} keys are few for this load: each represents {} rows, so flushes and compactions are coarse",
            picture::grouped(arrivals.count() as u64),
            picture::compact(arrivals.grain()),
        ))
        .with_help(format!("use at least {} keys, or a shorter time", picture::compact(needed)))]);
    }
}
