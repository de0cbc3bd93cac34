//! A report as text, as JSON and as a picture.

use serde_json::{Value as Json, json};

use super::picture::{Bar, HeatMap, Measure, Picture};
use super::report::{PutReport, Reads, Slices};
use saltplan_core::key::range::{to_hex, to_string_binary};
use saltplan_document::diag::{counted, grouped, visible};

/// The version of the JSON form.
pub const FORMAT_VERSION: u32 = 1;

/// Every region as `[start row : puts : ratio to the smallest]`, followed by the summary.
pub fn to_text(report: &PutReport) -> String {
    below(&regions(report), report)
}

/// What is counted.
pub fn puts() -> Measure {
    Measure::Count("puts".into())
}

/// The regions as bars, and as shades over time if the puts were counted by time. `name` is that of the table.
pub fn picture(name: &str, report: &PutReport) -> Picture {
    let bars = report.regions.iter().map(|load| Bar {
        start: to_string_binary(&load.start),
        value: load.puts,
        salts: match load.salts.as_slice() {
            [] => String::new(),
            [only] => to_string_binary(only),
            [first, .., last] => format!("{}–{}", to_string_binary(first), to_string_binary(last)),
        },
    });
    let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    Picture {
        title: format!("Puts per region of {name}"),
        remarks: figures(report).lines().take(4).map(words).collect(),
        measure: puts(),
        bars: bars.collect(),
        heat_map: report.slices.as_ref().map(|slices| HeatMap {
            slice_name: slices.unit.clone(),
            slices: slices.labels.clone(),
            values: slices.puts.clone(),
        }),
        ..Picture::default()
    }
}

/// The summary below something that shows the regions.
pub fn below(regions: &str, report: &PutReport) -> String {
    let mut text = format!("{regions}\n");
    text.push_str(&figures(report));
    if let Some(slices) = &report.slices {
        text.push('\n');
        text.push_str(&by_slice(report, slices));
    }
    if let Some(reads) = &report.reads {
        text.push('\n');
        text.push_str(&what_is_read(report, reads));
    }
    text
}

fn start_text(report: &PutReport, region: usize) -> String {
    report.regions.get(region).map(|load| to_string_binary(&load.start)).unwrap_or_default()
}

fn count(number: u64) -> String {
    grouped(number.into())
}

/// `62,500.0`
fn tenths(number: f64) -> String {
    let tenths = (number * 10.0).round() as u128;
    format!("{}.{}", grouped(tenths / 10), tenths % 10)
}

/// A region in a sentence.
fn name_of(report: &PutReport, region: usize) -> String {
    match start_text(report, region).as_str() {
        "" => "the first region".into(),
        start => format!("from `{start}`"),
    }
}

fn regions(report: &PutReport) -> String {
    let starts: Vec<String> = (0..report.regions.len()).map(|region| start_text(report, region)).collect();
    let width = starts.iter().map(|start| start.chars().count()).max().unwrap_or(0);
    let puts = count(report.largest()).len();
    let lines = starts.iter().zip(&report.regions).zip(report.ratios()).map(|((start, load), ratio)| {
        format!("[{start:width$} : {:>puts$} : {ratio:.4}]\n", count(load.puts))
    });
    lines.collect()
}

/// The lines of the summary below the regions.
pub fn figures(report: &PutReport) -> String {
    let partial = if report.partial { " (partial: interrupted before all rows were counted)" } else { "" };
    let mut lines = vec![
        ("total", format!("{}{partial}", counted(report.total.into(), "put", "puts"))),
        ("regions", grouped(report.regions.len() as u128)),
        ("largest", count(report.largest())),
        ("smallest", count(report.smallest())),
        ("mean", tenths(report.mean())),
        ("coefficient of variation", format!("{:.4}", report.coefficient_of_variation())),
    ];
    if let Some((region, share)) = report.hottest() {
        lines.push((
            "hottest region",
            format!("{:.2} % of all puts, {}", share * 100.0, name_of(report, region)),
        ));
    }
    lines.push(("empty regions", grouped(report.empty_regions() as u128)));
    if let Some(length) = report.key_length {
        let text = format!("{} / {:.1} / {} bytes (min / mean / max)", length.min, length.mean, length.max);
        lines.push(("key length", text));
    }
    lines.push(("duplicates", report.duplicates.map_or("not counted".into(), count)));
    let width = lines.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    lines.iter().map(|(name, value)| format!("{name:width$}  {value}\n")).collect()
}

fn by_slice(report: &PutReport, slices: &Slices) -> String {
    let mut rows =
        vec![[slices.unit.clone(), "puts".into(), "busy regions".into(), "hottest".into(), "share".into()]];
    for (index, label) in slices.labels.iter().enumerate() {
        let puts: u64 = slices.puts.get(index).map_or(0, |puts| puts.iter().sum());
        let (hottest, share) =
            slices.hottest(index).map_or((String::new(), String::new()), |(region, share)| {
                (name_of(report, region), format!("{:.2} %", share * 100.0))
            });
        rows.push([label.clone(), count(puts), grouped(slices.busy(index) as u128), hottest, share]);
    }
    table(&rows, &[0, 3])
}

/// Rows of text as aligned columns: texts, and numbers to the right.
pub(crate) fn table<const N: usize>(rows: &[[String; N]], texts: &[usize]) -> String {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..N).map(width).collect();
    let line = |row: &[String; N]| {
        let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, width))| {
            if texts.contains(&column) { format!("{cell:width$}") } else { format!("{cell:>width$}") }
        });
        format!("{}\n", cells.collect::<Vec<_>>().join("  ").trim_end())
    };
    rows.iter().map(line).collect()
}

fn what_is_read(report: &PutReport, reads: &Reads) -> String {
    let read: u64 = reads.read.iter().sum();
    let share = if report.total > 0 { 100.0 * read as f64 / report.total as f64 } else { 0.0 };
    let wanted = match reads.wanted {
        Some(wanted) => format!("{} of them match", count(wanted)),
        None => "the number of matching rows depends on columns that are not simulated".into(),
    };
    let mut text = format!(
        "where {}\n  reads {} ({share:.2} %) in {} of {} of {}; {wanted}\n",
        visible::line(&reads.predicate),
        counted(read.into(), "row", "rows"),
        counted(reads.ranges as u128, "key range", "key ranges"),
        counted(reads.regions as u128, "region", "regions"),
        grouped(report.regions.len() as u128),
    );
    if let (Some(by_slice), Some(slices)) = (&reads.by_slice, &report.slices) {
        let mut rows = vec![[slices.unit.clone(), "rows read".into(), "regions".into()]];
        rows.extend(slices.labels.iter().zip(by_slice).filter(|(_, read)| read.iter().any(|n| *n > 0)).map(
            |(label, read)| {
                let regions = read.iter().filter(|count| **count > 0).count();
                [label.clone(), count(read.iter().sum()), grouped(regions as u128)]
            },
        ));
        text.push_str(&table(&rows, &[0]));
    }
    text
}

/// The stable, versioned JSON form.
pub fn to_json(report: &PutReport) -> Json {
    let bound = |bytes: &[u8]| json!({ "text": to_string_binary(bytes), "hex": to_hex(bytes) });
    let regions = report.regions.iter().zip(report.ratios()).map(|(load, ratio)| {
        json!({
            "start": bound(&load.start),
            "stop": load.stop.as_deref().map(bound),
            "puts": load.puts,
            "ratio": ratio,
            "salts": load.salts.iter().map(|salt| to_string_binary(salt)).collect::<Vec<_>>(),
        })
    });
    json!({
        "format_version": FORMAT_VERSION,
        "partial": report.partial,
        "total": report.total,
        "largest": report.largest(),
        "smallest": report.smallest(),
        "mean": report.mean(),
        "coefficient_of_variation": report.coefficient_of_variation(),
        "hottest_share": report.hottest().map(|(_, share)| share),
        "empty_regions": report.empty_regions(),
        "key_length": report.key_length,
        "duplicates": report.duplicates,
        "regions": regions.collect::<Vec<_>>(),
        "slices": report.slices,
        "reads": report.reads,
    })
}
