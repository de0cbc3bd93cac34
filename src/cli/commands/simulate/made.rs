//! `simulate` with generated rows.

use std::ops::Range;

use super::split_keys;
use super::workload::{unusable, workload};
use super::{CountArgs, SliceBy};
use crate::cli::args::{ParameterArgs, PredicateArgs, RuntimeArgs};
use crate::cli::commands::splits;
use crate::cli::input::load_predicate;
use crate::cli::progress;
use crate::cli::{Failure, Reporter};
use saltplan_core::analyze::Analysis;
use saltplan_core::plan::{self, DEFAULT_MAX_BRANCHES, Options, Plan};
use saltplan_core::region::{self, SplitError};
use saltplan_core::warning::Warning;
use saltplan_core::{PlanOptions, Table};
use saltplan_document::diag::Diagnostic;
use saltplan_simulate::counts::RowCounts;
use saltplan_simulate::engine::{self, CountingEngine, RowEngine, RunCounts};
use saltplan_simulate::generator::Generator;
use saltplan_simulate::keys::{KeyList, Keys};
use saltplan_simulate::lanes::{LaneEngine, Program};
use saltplan_simulate::reads::RangeReader;
use saltplan_simulate::report::{PutReport, Reads, Slices};
use saltplan_simulate::slices::{self, MAX_CELLS, SliceRows};
use saltplan_simulate::workload::Workload;
use saltplan_simulate::{duplicates, loads, strata};

/// The maximum number of keys in a sample, which are kept in memory.
const MAX_SAMPLE: u64 = 5_000_000;

pub fn made_rows(table: &Table, args: &CountArgs, reporter: &Reporter) -> Result<PutReport, Failure> {
    let predicate = args.predicate.as_ref().map(|text| analysis(table, text, args, reporter)).transpose()?;
    // The plan of `--predicate` does not depend on the regions, which may be those of a sample of these rows.
    let asked = predicate.as_ref().map(|analysis| planned(table, analysis, None).0.bound);
    let workload = workload(table, &args.rows, asked.as_ref(), reporter)?;
    let generator = Generator::new(table.schema(), &workload).map_err(unusable)?;
    let keys = Keys::new(&generator, &workload);
    let split_keys = match args.sample {
        Some(size) => sampled(table, &keys, &workload, size, args.regions)?,
        None => split_keys(table, reporter)?.to_vec(),
    };
    let cut = cut(&generator, &workload, args.by, split_keys.len() + 1)?;
    let asked = predicate.as_ref().map(|analysis| planned(table, analysis, Some(&split_keys)));
    if let Some(note) = asked.as_ref().and_then(|(plan, _)| plan.merging()) {
        reporter.remarks(&[(&Warning::Widened { note: note.to_string() }).into()]);
    }
    let all = 0..workload.rows;
    let rows = cut.as_ref().map_or(std::slice::from_ref(&all), |cut| &cut.rows);
    let program = match &asked {
        None => Program::compile(table.schema(), &workload, &split_keys),
        Some(_) => None,
    };
    let counted = match program {
        Some(program) => watched(&LaneEngine::new(program), &split_keys, rows, args, reporter),
        None => {
            let reader = asked.as_ref().map(|(plan, _)| RangeReader::new(table.schema(), plan));
            let engine = RowEngine { generator: &generator, split_keys: &split_keys, reader };
            watched(&engine, &split_keys, rows, args, reporter)
        }
    }?;
    let mut report =
        loads::report(table.schema(), &split_keys, &total(&counted.slices, split_keys.len() + 1));
    report.partial = counted.partial;
    report.duplicates =
        if counted.partial { None } else { duplicates::count(&generator, &keys).map_err(unusable)? };
    report.reads = asked.map(|(plan, text)| reads(&plan, text, &counted, &split_keys, cut.is_some()));
    let reads_none = report
        .reads
        .as_ref()
        .is_some_and(|reads| reads.ranges > 0 && reads.read.iter().all(|read| *read == 0));
    if reads_none && !report.partial {
        reporter.note("none of the generated rows lies in the ranges; describe the values with `--workload`");
    }
    report.slices = cut.map(|cut| with_puts(cut, &counted));
    Ok(report)
}

/// Quantiles of the keys of a representative sample of rows.
fn sampled(
    table: &Table,
    keys: &Keys<'_>,
    workload: &Workload,
    size: u64,
    regions: Option<u32>,
) -> Result<Vec<Vec<u8>>, Failure> {
    if size > MAX_SAMPLE {
        return Err(Diagnostic::error(format!("a sample has at most {MAX_SAMPLE} keys")).into());
    }
    let regions = splits::regions(regions, Some(table))?;
    let mut sample = KeyList::default();
    let rows = strata::rows(workload.rows, size, workload.seed);
    keys.each(rows, |_, key| sample.push(key)).map_err(unusable)?;
    if sample.is_empty() {
        return Err(Diagnostic::error(SplitError::NoSample.to_string()).into());
    }
    Ok(region::quantiles(sample.len(), |index| sample.key(index), regions))
}

fn cut(
    generator: &Generator<'_>,
    workload: &Workload,
    by: Option<SliceBy>,
    regions: usize,
) -> Result<Option<SliceRows>, Failure> {
    let most = MAX_CELLS / regions.max(1);
    match by {
        None => Ok(None),
        Some(SliceBy::Parts(parts)) if parts as usize > most => {
            Err(Diagnostic::error(format!("{parts} parts of {regions} regions are too many"))
                .with_help(format!("use at most {most} parts"))
                .into())
        }
        Some(SliceBy::Parts(parts)) => Ok(Some(slices::parts(workload.rows, parts))),
        Some(SliceBy::Unit(unit)) => {
            slices::by_unit(generator, workload, unit, most).map(Some).map_err(|reason| {
                Diagnostic::error(format!("puts cannot be counted by time: {reason}"))
                    .with_help(
                        "give a date or timestamp of the key a period, such as `--workload 'day=period(2025-01-01, 2025-02-01)'`, or use equal parts, such as `--by 10`",
                    )
                    .into()
            })
        }
    }
}

fn analysis(table: &Table, text: &str, args: &CountArgs, reporter: &Reporter) -> Result<Analysis, Failure> {
    let predicate = PredicateArgs {
        predicate: text.to_string(),
        parameters: ParameterArgs { params: args.params.clone(), ..ParameterArgs::default() },
        max_branches: DEFAULT_MAX_BRANCHES,
    };
    let analysis = load_predicate(&predicate, &RuntimeArgs::default(), table, reporter)?;
    // A value that `plan` refuses would be counted as if nothing were asked of its field.
    let mut options = PlanOptions::accepting_all();
    options.allow_rejected_value = false;
    table.plan_analysis(&analysis, &options)?;
    Ok(analysis)
}

/// The plan of a predicate, and the predicate on one line.
fn planned(table: &Table, analysis: &Analysis, split_keys: Option<&[Vec<u8>]>) -> (Plan, String) {
    let options = Options { split_keys, salt_domain: table.salt_domain(), ..Options::default() };
    (plan::plan(table.schema(), analysis, options), analysis.expr.to_string())
}

fn watched(
    engine: &impl CountingEngine,
    split_keys: &[Vec<u8>],
    rows: &[Range<u64>],
    args: &CountArgs,
    reporter: &Reporter,
) -> Result<RunCounts, Failure> {
    let regions = split_keys.len() + 1;
    let threads = args.threads.map_or_else(
        || std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
        |threads| threads as usize,
    );
    progress::breakable(Some(args.rows.keys), "keys", reporter, |watch| {
        engine::run(engine, regions, rows, threads, watch)
    })
    .map_err(unusable)
}

fn total(slices: &[RowCounts], regions: usize) -> RowCounts {
    let mut total = RowCounts::new(regions);
    slices.iter().for_each(|counts| total.merge(counts));
    total
}

fn with_puts(cut: SliceRows, counted: &RunCounts) -> Slices {
    let puts = counted.slices.iter().map(|counts| counts.puts.clone()).collect();
    Slices { unit: cut.unit, field: cut.field, labels: cut.labels, puts }
}

fn reads(plan: &Plan, text: String, counted: &RunCounts, split_keys: &[Vec<u8>], sliced: bool) -> Reads {
    let regions = split_keys.len() + 1;
    let all = total(&counted.slices, regions);
    let in_all =
        |read: &[u64]| (0..regions).map(|at| read.get(at).copied().unwrap_or(0)).collect::<Vec<u64>>();
    let mut touched = vec![false; regions];
    for branch in &plan.branches {
        for at in region::touched(&branch.range.start, branch.range.stop.as_deref(), split_keys) {
            if let Some(one) = touched.get_mut(at) {
                *one = true;
            }
        }
    }
    Reads {
        predicate: text,
        ranges: plan.branches.len(),
        regions: touched.iter().filter(|one| **one).count(),
        read: in_all(&all.read),
        wanted: (all.unknown == 0).then_some(all.wanted),
        by_slice: sliced.then(|| counted.slices.iter().map(|counts| in_all(&counts.read)).collect()),
    }
}
