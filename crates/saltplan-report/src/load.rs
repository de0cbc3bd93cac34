//! Rows and bytes per region, at one time or over time.
//!
//! `steps` are points in time, each with one value per bar. A bar is a region; if there are very many
//! regions, it is the fullest of several neighbours.

use serde_json::{Value as Json, json};

use super::data::pack_keys;
use super::pack::{Lists, runs};
use saltplan_core::Table;
use saltplan_simulate::grow::{Growth, GrowthCounts, Sample};
use saltplan_simulate::report::PutReport;

/// The maximum number of bars.
const MAX_BARS: usize = 2_000;

/// The maximum number of values of all bars at all times.
const MAX_CELLS: usize = 40_000;

const DAY: f64 = 86_400_000.0;

/// Puts per region; also by time if they were counted by time.
pub fn puts(report: &PutReport, lists: &mut Lists) -> Json {
    let all: Vec<f64> = report.regions.iter().map(|region| region.puts as f64).collect();
    let starts: Vec<&[u8]> = report.regions.iter().map(|region| region.start.as_slice()).collect();
    let mut steps = Vec::new();
    if let Some(slices) = &report.slices {
        for index in chosen(slices.labels.len(), all.len()) {
            let values: Vec<f64> = slices.puts[index].iter().map(|puts| *puts as f64).collect();
            steps.push(step(&format!("{} {}", slices.unit, slices.labels[index]), &values));
        }
    }
    steps.push(step("all", &all));
    let each = group(all.len());
    let shown: Vec<&[u8]> = starts.iter().step_by(each).copied().collect();
    json!({
        "what": "puts",
        "partial": report.partial,
        "each": each,
        "starts": pack_keys(&shown, lists),
        "steps": steps,
        "total": report.total,
        "duplicates": report.duplicates,
        "key_bytes": report.key_length.map(|length| json!([length.min, round(length.mean), length.max])),
    })
}

/// Bytes of files per region over time.
pub fn growth(growth: &Growth, table: &Table, lists: &mut Lists) -> Json {
    let split_keys = table.split_keys().ok().flatten().unwrap_or_default();
    let kept: Vec<&Sample> = growth.samples.iter().filter(|sample| !sample.by_region.is_empty()).collect();
    let starts: Vec<&[u8]> = growth.regions.iter().map(|region| region.start.as_slice()).collect();
    let each = group(starts.len());
    let chosen: Vec<&Sample> =
        chosen(kept.len(), starts.len()).into_iter().map(|index| kept[index]).collect();
    let mut steps: Vec<Json> =
        chosen.iter().map(|sample| step(&time(sample.at), &sample.by_region)).collect();
    let values: Vec<f64> = growth.regions.iter().map(|region| region.stored).collect();
    steps.push(step(&time(growth.end), &values));
    let counts = growth.last().map(|sample| &sample.counts);
    let mut json = json!({
        "what": "bytes",
        "partial": growth.partial,
        "each": each,
        "steps": steps,
        "rows": counts.map(|counts| round(counts.rows)),
        "splits": growth.splits.len(),
        "first_split": growth.splits.first().map(|split| time(split.at)),
        "flushes": counts.map(|counts| counts.flushes),
        "compactions": counts.map(|counts| counts.compactions),
        "write_amplification": counts.and_then(GrowthCounts::write_amplification).map(round),
        "curve": growth.samples.iter().map(|sample| json!([round(sample.stored), sample.regions])).collect::<Vec<_>>(),
    });
    // Bars of several regions have no start rows, because every split changes which regions share a bar.
    if each == 1 {
        json["starts"] = pack_keys(&starts, lists);
        json["born"] = runs(born(growth, &chosen, split_keys, &starts).into_iter());
    }
    json
}

/// The point in time at which each start row first exists; no region ever disappears.
fn born(growth: &Growth, steps: &[&Sample], split_keys: &[Vec<u8>], starts: &[&[u8]]) -> Vec<usize> {
    let mut born = vec![steps.len(); starts.len()];
    for (index, sample) in steps.iter().enumerate().rev() {
        for start in growth.starts(sample, split_keys) {
            if let Ok(at) = starts.binary_search(&start) {
                born[at] = index;
            }
        }
    }
    born
}

/// A point in time.
fn step(label: &str, values: &[f64]) -> Json {
    let each = group(values.len());
    let most = |group: &[f64]| round(group.iter().copied().fold(0.0, f64::max));
    let mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
    json!({
        "label": label,
        "values": values.chunks(each).map(most).collect::<Vec<_>>(),
        "regions": values.len(),
        "mean": round(mean),
        "empty": values.iter().filter(|value| **value <= 0.0).count(),
    })
}

/// The number of regions that share a bar.
fn group(regions: usize) -> usize {
    regions.div_ceil(MAX_BARS).max(1)
}

/// Some of the points in time, evenly chosen, to limit the number of values.
fn chosen(steps: usize, regions: usize) -> Vec<usize> {
    let most = (MAX_CELLS / regions.clamp(1, MAX_BARS)).max(2);
    (0..steps).step_by(steps.div_ceil(most).max(1)).collect()
}

/// Five digits are enough for bars. Whole numbers have no decimal point.
fn round(value: f64) -> Json {
    if value == 0.0 || !value.is_finite() {
        return 0.into();
    }
    let unit = 10f64.powi(value.abs().log10().floor() as i32 - 4);
    let rounded = (value / unit).round() * unit;
    if rounded.fract() == 0.0 || unit >= 1.0 { (rounded.round() as i64).into() } else { rounded.into() }
}

fn time(milliseconds: u64) -> String {
    let days = milliseconds as f64 / DAY;
    let (count, unit) = if days >= 3.0 || days == 0.0 {
        (days, "days")
    } else if days * 24.0 >= 3.0 {
        (days * 24.0, "hours")
    } else {
        (days * 1440.0, "minutes")
    };
    format!("{} {unit}", (count * 10.0).round() / 10.0)
}
