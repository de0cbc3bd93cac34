//! The picture of a report: its regions as bars, its slices of time as shades.

use super::{Bar, HeatMap, Picture};
use crate::key::range::to_string_binary;
use crate::simulate::report::{Report, Slices};

/// Salts named one by one in a label; more are shown as the first and the last.
const NAMED_SALTS: usize = 3;

/// The regions of a report as bars.
pub fn bars(report: &Report) -> Vec<Bar> {
    let bar = |region: &crate::simulate::report::RegionLoad| Bar {
        start: to_string_binary(&region.start),
        value: region.puts,
        salts: salts(&region.salts),
    };
    report.regions.iter().map(bar).collect()
}

/// The picture of a report. `remarks` stand below the title, such as the figures of the report in words.
pub fn picture(title: &str, remarks: Vec<String>, report: &Report) -> Picture {
    Picture {
        title: title.into(),
        remarks,
        unit: "puts".into(),
        bars: bars(report),
        heat_map: report.slices.as_ref().map(heat_map),
        curves: None,
    }
}

fn heat_map(slices: &Slices) -> HeatMap {
    HeatMap { slice_name: slices.unit.clone(), slices: slices.labels.clone(), values: slices.puts.clone() }
}

/// `003`, `001, 002`, or `000–015` for many.
fn salts(salts: &[Vec<u8>]) -> String {
    let texts = || salts.iter().map(|salt| to_string_binary(salt));
    match (salts.first(), salts.last()) {
        (Some(first), Some(last)) if salts.len() > NAMED_SALTS => {
            format!("{}–{}", to_string_binary(first), to_string_binary(last))
        }
        _ => texts().collect::<Vec<_>>().join(", "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulate::report::RegionLoad;

    #[test]
    fn salts_in_a_label() {
        let of = |list: &[&str]| salts(&list.iter().map(|salt| salt.as_bytes().to_vec()).collect::<Vec<_>>());
        assert_eq!([of(&[]), of(&["1"]), of(&["1", "2"])], ["", "1", "1, 2"]);
        assert_eq!(of(&["0", "1", "2", "\u{1}"]), "0–\\x01");
    }

    #[test]
    fn a_report_becomes_a_picture() {
        let region = |start: &str, puts| RegionLoad {
            start: start.as_bytes().to_vec(),
            stop: None,
            puts,
            salts: vec![start.as_bytes().to_vec()],
        };
        let report = Report {
            regions: vec![region("", 2), region("5", 4)],
            total: 6,
            slices: Some(Slices {
                unit: "day".into(),
                field: "d".into(),
                labels: vec!["2020-04-06".into()],
                puts: vec![vec![2, 4]],
            }),
            key_length: None,
            duplicates: None,
            reads: None,
            partial: false,
        };
        let svg = super::super::svg(&picture("t", vec!["6 puts".into()], &report));
        assert!(svg.contains("puts per region, 2 regions") && svg.contains("puts per region and day"));
        assert!(svg.contains("2020-04-06") && svg.contains("<title>5: 4, salt 5</title>"));
    }
}
