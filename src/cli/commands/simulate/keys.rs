//! `simulate --keys-from`: real row keys, counted as they come.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use anyhow::Context;

use super::split_keys;
use crate::cli::args::KeyForm;
use crate::cli::commands::read_key_line;
use crate::cli::failure::Failure;
use crate::cli::input::LoadedSchema;
use crate::cli::progress;
use crate::cli::talk::Talk;
use saltplan_core::diag::Diagnostic;
use saltplan_core::region;
use saltplan_simulate::counts::Counts;
use saltplan_simulate::engine::Watch;
use saltplan_simulate::loads;
use saltplan_simulate::report::Report;

/// HBase refuses row keys longer than a Java short can count.
const MAX_KEY: usize = 32_767;
/// Bytes of a line: every byte of the key as `\xNN`, and the end of the line.
const MAX_LINE: u64 = 4 * MAX_KEY as u64 + 2;

/// Counts the keys of a file or of standard input, in memory that does not depend on their number.
pub fn count(schema: &LoadedSchema, path: &Path, form: KeyForm, talk: &Talk) -> Result<Report, Failure> {
    let split_keys = split_keys(schema, talk)?;
    let name = if path.as_os_str() == "-" { "<stdin>".into() } else { path.display().to_string() };
    let mut input: Box<dyn BufRead> = if path.as_os_str() == "-" {
        Box::new(std::io::stdin().lock())
    } else {
        let file = std::fs::File::open(path).with_context(|| format!("cannot read {name}"))?;
        Box::new(BufReader::with_capacity(1 << 20, file))
    };
    let watch = Arc::new(Watch::default());
    progress::stop_on_interrupt(&watch);
    let mut counts = Counts::new(split_keys.len() + 1);
    let partial = progress::shown(&watch, None, talk, || {
        each_key(&mut input, &name, form, &watch, |key| {
            counts.add_key(region::locate(key, &split_keys), key.len());
        })
    })?;
    let mut report = loads::report(&schema.schema, &split_keys, &counts);
    report.partial = partial;
    Ok(report)
}

/// Whether the work was broken off.
fn each_key(
    input: &mut dyn BufRead,
    name: &str,
    form: KeyForm,
    watch: &Watch,
    mut take: impl FnMut(&[u8]),
) -> Result<bool, Failure> {
    let mut line = Vec::new();
    for number in 1u64.. {
        if watch.stop.load(Ordering::Relaxed) {
            return Ok(true);
        }
        line.clear();
        let read = input.take(MAX_LINE).read_until(b'\n', &mut line);
        if read.with_context(|| format!("cannot read {name}"))? == 0 {
            break;
        }
        let key = read_key_line(&line, form).and_then(|key| match key {
            Some(key) if key.len() > MAX_KEY => Err("longer than a row key can be".into()),
            key => Ok(key),
        });
        let Some(key) = key.map_err(|reason| Diagnostic::error(format!("{name}:{number}: {reason}")))? else {
            continue;
        };
        take(&key);
        watch.done.fetch_add(1, Ordering::Relaxed);
    }
    Ok(false)
}
