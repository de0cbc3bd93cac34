//! `simulate --from-keys`: counts real row keys as they are read.

use std::path::Path;

use super::split_keys;
use crate::cli::args::KeyForm;
use crate::cli::inputs::NamedLines;
use crate::cli::key_lines::{LineOf, read_line};
use crate::cli::progress;
use crate::cli::{Failure, Reporter};
use saltplan_core::Table;
use saltplan_core::region;
use saltplan_simulate::counts::RowCounts;
use saltplan_simulate::loads;
use saltplan_simulate::report::PutReport;
use saltplan_simulate::watch::Watch;

/// Counts the keys of a file or of standard input, with memory that does not depend on their number.
pub fn count(table: &Table, path: &Path, form: KeyForm, reporter: &Reporter) -> Result<PutReport, Failure> {
    let split_keys = split_keys(table, reporter)?;
    let mut lines = reporter.inputs.lines(path)?;
    let mut counts = RowCounts::new(split_keys.len() + 1);
    let partial = progress::breakable(None, "keys", reporter, |watch| {
        each_key(&mut lines, form, watch, |key| {
            counts.add_key(region::locate(key, split_keys), key.len());
        })
    })?;
    let mut report = loads::report(table.schema(), split_keys, &counts);
    report.partial = partial;
    Ok(report)
}

/// Whether the work was interrupted.
fn each_key(
    lines: &mut NamedLines,
    form: KeyForm,
    watch: &Watch,
    mut take: impl FnMut(&[u8]),
) -> Result<bool, Failure> {
    loop {
        if watch.is_stopped() {
            return Ok(true);
        }
        let Some(line) = lines.next_line()? else { return Ok(false) };
        let number = line.0;
        let key = read_line(line, form, LineOf::RowKeys);
        let key = key.map_err(|fault| lines.fault_of_key(number, &fault))?;
        let Some(key) = key else { continue };
        take(&key);
        watch.add(1);
    }
}
