//! The growth of a table as text, as JSON and as a picture.

use serde_json::{Value as Json, json};

use super::growth::{Growth, Sample, SplitEvent};
use super::rules::GrowingTable;
use crate::picture::{Bar, Curve, Curves, Measure, Picture, bytes, compact, grouped};
use crate::summary::table;
use saltplan_core::key::range::{to_hex, to_string_binary};
use saltplan_document::diag::counted;

/// The number of lines in the text table.
const LINES: usize = 12;
const DAY: f64 = 86_400_000.0;

/// A unit of time in milliseconds.
#[derive(Debug, Clone, Copy)]
struct Unit {
    name: &'static str,
    length: f64,
}

impl Unit {
    /// The unit for a table of times up to `end`.
    fn of(end: u64) -> Unit {
        Unit::at_least(end, [4.0, 10.0, 10.0])
    }

    /// The unit for one length of time.
    fn of_one(length: u64) -> Unit {
        Unit::at_least(length, [1.0; 3])
    }

    /// The largest of days, hours and minutes in which the time has at least the given count; otherwise
    /// seconds.
    fn at_least(length: u64, counts: [f64; 3]) -> Unit {
        let units = [("day", DAY), ("hour", DAY / 24.0), ("minute", DAY / 1440.0)];
        let fits = units.into_iter().zip(counts).find(|((_, unit), count)| length as f64 >= count * unit);
        let (name, length) = fits.map_or(("second", 1000.0), |(unit, _)| unit);
        Unit { name, length }
    }

    fn count(self, at: u64) -> f64 {
        at as f64 / self.length
    }

    fn text(self, at: u64) -> String {
        let count = compact(self.count(at));
        let plural = if count == "1" { "" } else { "s" };
        format!("{count} {}{plural}", self.name)
    }
}

/// The name of the region with a start row, for a sentence.
fn start_text(start: &[u8]) -> String {
    if start.is_empty() {
        "the first region".into()
    } else {
        format!("the region of `{}`", to_string_binary(start))
    }
}

/// The whole report, for people.
pub fn to_text(name: &str, table: &GrowingTable, growth: &Growth) -> String {
    let mut text = heading(name, table, growth);
    text.push('\n');
    text += &first_split(growth);
    text.push('\n');
    text += &lines(growth);
    let notes = notes(table, growth);
    if !notes.is_empty() {
        text.push('\n');
        text.extend(notes.iter().map(|note| format!("{note}\n")));
    }
    text
}

fn heading(name: &str, table: &GrowingTable, growth: &Growth) -> String {
    let counts = growth.last().map(|last| last.counts.clone()).unwrap_or_default();
    let unit = Unit::of_one(growth.end);
    let servers = table.servers.max(1);
    let settings = &table.settings;
    let row = if counts.rows > 0.0 { counts.data / counts.rows } else { 0.0 };
    let partial = if growth.partial { " (partial: interrupted at that time)" } else { "" };
    format!(
        "Growth of {name} over {}{partial}\n{} rows of {} in {}, from {} {} on {servers} {}\n{}, flush at {}, files up to {}\n",
        unit.text(growth.end),
        compact(counts.rows),
        bytes(row),
        counted(table.families.len() as u128, "family", "families"),
        growth.first_regions,
        if growth.first_regions == 1 { "region" } else { "regions" },
        if servers == 1 { "server" } else { "servers" },
        settings.policy.name(),
        bytes(settings.flush_size as f64),
        bytes(settings.max_file_size as f64),
    )
}

fn first_split(growth: &Growth) -> String {
    let Some(split) = growth.splits.first() else { return "no region splits\n".into() };
    let unit = Unit::of_one(split.at);
    format!(
        "first split after {}: {} with {}, at `{}`\n",
        unit.text(split.at),
        start_text(&split.start),
        bytes(split.stored),
        to_string_binary(&split.row)
    )
}

/// The table over time, with values as columns.
fn lines(growth: &Growth) -> String {
    let unit = Unit::of(growth.end);
    let first = growth.samples.first();
    let head = first.map(|sample| cells(growth, sample, unit).map(|(name, _)| name.to_string()));
    let rows =
        evenly_spaced(&growth.samples).map(|sample| cells(growth, sample, unit).map(|(_, value)| value));
    table(&head.into_iter().chain(rows).collect::<Vec<_>>(), &[])
}

/// Evenly spaced samples, including the last one.
fn evenly_spaced(samples: &[Sample]) -> impl Iterator<Item = &Sample> {
    let step = samples.len().div_ceil(LINES).max(1);
    let last = samples.len().saturating_sub(1);
    samples
        .iter()
        .enumerate()
        .filter(move |(index, _)| (last - index).is_multiple_of(step))
        .map(|(_, sample)| sample)
}

/// The names and the values of the columns.
fn cells(growth: &Growth, sample: &Sample, unit: Unit) -> [(&'static str, String); 10] {
    let counts = &sample.counts;
    let amplification = counts.write_amplification().map_or("-".into(), |factor| format!("{factor:.2}"));
    let time = format!("{:.1}", unit.count(sample.at));
    [
        (unit.name, time.trim_end_matches(".0").to_string()),
        ("rows", compact(counts.rows)),
        ("stored", bytes(sample.stored)),
        ("regions", grouped(sample.regions)),
        ("HFiles", grouped(sample.files)),
        ("flushes", grouped(counts.flushes)),
        ("compactions", grouped(counts.compactions)),
        ("major", grouped(counts.major_compactions)),
        ("splits", grouped(growth.splits_before(sample.at))),
        ("write amp.", amplification),
    ]
}

fn notes(table: &GrowingTable, growth: &Growth) -> Vec<String> {
    let mut notes = Vec::new();
    let Some(last) = growth.last() else { return notes };
    let counts = &last.counts;
    if let Some(largest) = growth.regions.iter().max_by(|left, right| left.stored.total_cmp(&right.stored)) {
        let share = if last.stored > 0.0 { largest.stored / last.stored * 100.0 } else { 0.0 };
        notes.push(format!(
            "largest at the end: {} with {}, {share:.1} % of the table",
            start_text(&largest.start),
            bytes(largest.stored)
        ));
    }
    if counts.forced_flushes > 0 {
        notes.push(format!(
            "{} of the flushes came early because the memstores of a server filled {:.0} % of its heap",
            grouped(counts.forced_flushes),
            table.settings.global_memstore * 100.0
        ));
    }
    if counts.blocked > 0 {
        notes.push(format!(
            "{} left a store with {} files or more, at which HBase delays writes",
            counted(counts.blocked.into(), "flush", "flushes"),
            table.settings.blocking_files
        ));
    }
    if growth.grain > 1.0 {
        notes.push(format!("each sampled key represents {} rows", compact(growth.grain)));
    }
    notes
}

/// The whole report, for programs. Times are seconds, sizes bytes.
pub fn to_json(name: &str, table: &GrowingTable, growth: &Growth) -> Json {
    let samples = growth.samples.iter().map(|sample| sample_json(growth, sample));
    let regions = growth.regions.iter().map(|region| {
        json!({
            "start": to_string_binary(&region.start),
            "start_hex": to_hex(&region.start),
            "server": region.server,
            "stored": region.stored.round(),
            "hfiles": region.files,
        })
    });
    json!({
        "table": name,
        "partial": growth.partial,
        "seconds": growth.end as f64 / 1000.0,
        "servers": table.servers.max(1),
        "split_policy": table.settings.policy.name(),
        "flush_size": table.settings.flush_size,
        "max_file_size": table.settings.max_file_size,
        "rows_per_sampled_key": growth.grain,
        "regions_at_first": growth.first_regions,
        "first_split": growth.splits.first().map(split_json),
        "samples": samples.collect::<Vec<_>>(),
        "splits": growth.splits.iter().map(split_json).collect::<Vec<_>>(),
        "regions": regions.collect::<Vec<_>>(),
    })
}

fn sample_json(growth: &Growth, sample: &Sample) -> Json {
    let counts = &sample.counts;
    json!({
        "seconds": sample.at as f64 / 1000.0,
        "rows": counts.rows.round(),
        "stored": sample.stored.round(),
        "memstore_heap": sample.in_memory.round(),
        "regions": sample.regions,
        "hfiles": sample.files,
        "flushes": counts.flushes,
        "forced_flushes": counts.forced_flushes,
        "compactions": counts.compactions,
        "major_compactions": counts.major_compactions,
        "splits": growth.splits_before(sample.at),
        "moves": counts.moves,
        "flushed": counts.flushed.round(),
        "compacted": counts.compacted.round(),
        "write_amplification": counts.write_amplification(),
    })
}

fn split_json(split: &SplitEvent) -> Json {
    json!({
        "seconds": split.at as f64 / 1000.0,
        "start": to_string_binary(&split.start),
        "split_key": to_string_binary(&split.row),
        "split_key_hex": to_hex(&split.row),
        "stored": split.stored.round(),
    })
}

/// The regions at the end as bars, and curves of their growth. `name` is that of the table.
pub fn picture(name: &str, table: &GrowingTable, growth: &Growth) -> Picture {
    let text = to_text(name, table, growth);
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
        curves: Some(curves(growth)),
        ..Picture::default()
    }
}

/// Regions, bytes, files and write amplification over time.
fn curves(growth: &Growth) -> Curves {
    let unit = Unit::of(growth.end);
    let stored = growth.samples.iter().map(|sample| sample.stored).fold(0.0, f64::max);
    let (size, size_unit) = crate::picture::byte_unit(stored);
    let panel = |title: &str, whole: bool, value: &dyn Fn(&Sample) -> f64| Curve {
        title: title.into(),
        values: growth.samples.iter().map(value).collect(),
        whole,
        steps: whole,
    };
    let first = growth.splits.first().map(|split| {
        (unit.count(split.at), format!("first split, after {}", Unit::of_one(split.at).text(split.at)))
    });
    Curves {
        times: growth.samples.iter().map(|sample| unit.count(sample.at)).collect(),
        time_unit: format!("{}s", unit.name),
        panels: vec![
            panel("Regions", true, &|sample| sample.regions as f64),
            panel(&format!("Stored in files, {size_unit}"), false, &|sample| sample.stored / size),
            panel("HFiles", true, &|sample| sample.files as f64),
            panel("Write amplification: bytes written to files for one byte flushed", false, &|sample| {
                sample.counts.write_amplification().unwrap_or(0.0)
            }),
        ],
        marks: first.into_iter().collect(),
    }
}
