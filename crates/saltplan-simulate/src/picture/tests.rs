//! Complete pictures: well-formed, all texts inside the page, no overlapping texts.

use super::*;

fn bars(values: &[u64], start: impl Fn(usize) -> String, salt: impl Fn(usize) -> String) -> Vec<Bar> {
    let bar = |(index, value): (usize, &u64)| Bar {
        start: if index == 0 { String::new() } else { start(index) },
        value: *value,
        salts: salt(index),
    };
    values.iter().enumerate().map(bar).collect()
}

fn uneven(count: usize) -> Vec<u64> {
    (0..count as u64).map(|i| 10_000_000 + (i * 7919 % 101) * 1000).collect()
}

/// Bytes between one and four GiB.
fn sizes(count: usize) -> Vec<u64> {
    (0..count as u64).map(|i| (1 << 30) + (i * 7919 % 101) * (30 << 20)).collect()
}

fn hot_spot(regions: usize, days: usize) -> HeatMap {
    let day = |day: usize| {
        (0..regions).map(|region| if region == day * regions / days { 1_000_000 } else { 0 }).collect()
    };
    HeatMap {
        slice_name: "day".into(),
        slices: (0..days).map(|day| format!("2020-{:02}-{:02}", 1 + day / 28, 1 + day % 28)).collect(),
        values: (0..days).map(day).collect(),
    }
}

fn even(regions: usize, days: usize) -> HeatMap {
    let values =
        (0..days).map(|day| (0..regions).map(|r| (100_000 + (r * 31 + day * 17) % 5000) as u64).collect());
    HeatMap { values: values.collect(), ..hot_spot(regions, days) }
}

/// The second half of the regions gets one and a half times as much as the first.
fn busy_half(regions: usize) -> Vec<u64> {
    (0..regions).map(|region| if region < regions / 2 { 1_000_000 } else { 1_500_000 }).collect()
}

/// Loads that increase from day to day, and one region that is busy for a week.
fn uneven_days(regions: usize, days: usize) -> HeatMap {
    let busy = |day: usize, region: usize| region == 20 && (30..37).contains(&day);
    let day = |day: usize| {
        (0..regions).map(|region| 10_000 * (day as u64 + 1) * if busy(day, region) { 8 } else { 1 }).collect()
    };
    HeatMap { values: (0..days).map(day).collect(), ..hot_spot(regions, days) }
}

fn growth() -> Curves {
    let times: Vec<f64> = (1..=240).map(|i| f64::from(i) * 365.0 / 240.0).collect();
    let panel = |title: &str, value: &dyn Fn(f64) -> f64, whole: bool| Curve {
        title: title.into(),
        values: times.iter().map(|time| value(*time)).collect(),
        whole,
        steps: whole,
    };
    Curves {
        time_unit: "days".into(),
        panels: vec![
            panel("Regions", &|time| (time / 7.0).floor() + 10.0, true),
            panel("Stored, TiB", &|time| time / 100.0, false),
            panel("HFiles", &|time| (time.sin() * 20.0 + time).floor().max(0.0), true),
            panel("Write amplification", &|time| 3.0 + time / 365.0, false),
        ],
        marks: vec![(46.0, "first split, day 46".into())],
        times,
    }
}

fn picture(title: &str, bars: Vec<Bar>) -> Picture {
    Picture {
        title: title.into(),
        remarks: vec![
            "100,000,000 keys, seed 1".into(),
            "largest / smallest 1.0105, coefficient of variation 0.3 %".into(),
        ],
        measure: Measure::Count("puts".into()),
        bars,
        ..Picture::default()
    }
}

fn pictures() -> Vec<(&'static str, Picture)> {
    let none = |_| String::new();
    let decimal = |i: usize| format!("{i:03}");
    let two = |i: usize| format!("{:02x}", i / 4);
    let hex = |i: usize| format!("{:08x}", i << 24);
    let mut spiky = uneven(20);
    spiky[7] = 90_000_000;
    spiky[3] = 0;
    spiky[4] = 0;
    let odd = |i: usize| format!("\\x00<\"&'>漢😀{}", "\\xFF".repeat(i * 9));
    vec![
        (
            "ten",
            picture(
                "md5_sampled: puts per region",
                bars(&uneven(10), |i| format!("\\x{:02X}\\x99", i * 25), none),
            ),
        ),
        (
            "twenty",
            picture(
                "modulo_partition",
                bars(&[5_000_000; 20], |i| format!("\\x00\\x00\\x{i:02X}"), |i| format!("{i}")),
            ),
        ),
        ("empties", picture("one hot region, two empty ones", bars(&spiky, decimal, decimal))),
        ("many", picture("256 regions", bars(&uneven(256), hex, two))),
        ("most", picture("3,000 regions", bars(&uneven(3000), |i| format!("{i:05}"), none))),
        ("one", picture("one region", bars(&[12], none, none))),
        ("zero", picture("nothing came", bars(&[0, 0, 0], decimal, none))),
        ("odd", picture("odd <start> rows & \"salts\"", bars(&uneven(12), odd, odd))),
        (
            "hot",
            Picture {
                heat_map: Some(hot_spot(16, 30)),
                ..picture("monotonic key", bars(&uneven(16), decimal, none))
            },
        ),
        (
            "year",
            Picture { heat_map: Some(even(256, 365)), ..picture("a year", bars(&uneven(256), hex, two)) },
        ),
        (
            "hot256",
            Picture {
                heat_map: Some(hot_spot(256, 1000)),
                ..picture("monotonic key", bars(&uneven(256), hex, none))
            },
        ),
        (
            "slice",
            Picture { heat_map: Some(even(3, 1)), ..picture("one day", bars(&uneven(3), decimal, none)) },
        ),
        (
            "grow",
            Picture {
                curves: Some(growth()),
                measure: Measure::Bytes("stored in files".into()),
                ..picture("Growth over a year", bars(&sizes(24), decimal, none))
            },
        ),
        (
            "salts",
            Picture {
                heat_map: Some(even(12, 40)),
                ..picture("three regions a salt", bars(&uneven(12), decimal, |i| format!("{:02}", i / 3)))
            },
        ),
        (
            "regions84",
            Picture {
                heat_map: Some(even(84, 60)),
                ..picture(
                    "84 regions",
                    bars(&uneven(84), |i| format!("{i:02}\\x00_2020"), |i| format!("{i:02}")),
                )
            },
        ),
        (
            "halves",
            Picture {
                heat_map: Some(uneven_days(84, 60)),
                ..picture("a busy half", bars(&busy_half(84), decimal, |i| format!("{:02}", i / 3)))
            },
        ),
        ("empty", Picture::default()),
    ]
}

#[test]
fn pictures_are_well_formed() {
    for (name, picture) in pictures() {
        let svg = svg(&picture);
        if let Err(error) = roxmltree::Document::parse(&svg) {
            panic!("{name}: {error}");
        }
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{name}");
        // To look at the pictures: SALTPLAN_PICTURES=/tmp/pictures cargo test --lib picture
        if let Some(folder) = std::env::var_os("SALTPLAN_PICTURES") {
            std::fs::write(std::path::Path::new(&folder).join(format!("{name}.svg")), svg).unwrap();
        }
    }
}

#[test]
fn no_text_lies_over_another_or_leaves_the_page() {
    for (name, picture) in pictures() {
        let canvas = paint(&picture);
        let texts = canvas.texts();
        for (index, (text, room)) in texts.iter().enumerate() {
            assert!(
                room.left >= 0.0 && room.right <= canvas.width() && room.top >= 0.0,
                "{name}: `{text}` {room:?}"
            );
            for (other, other_room) in &texts[..index] {
                assert!(!room.overlaps(other_room), "{name}: `{text}` {room:?} and `{other}` {other_room:?}");
            }
        }
    }
}

#[test]
fn an_even_load_is_calm_and_only_more_than_a_share_is_warm() {
    let warm = |picture: &Picture| {
        let svg = svg(picture);
        let fills = svg.split("fill=\"#").skip(1).filter_map(|rest| rest.get(..6));
        let is_warm = |color: &str| {
            let part = |at: usize| u8::from_str_radix(&color[at..at + 2], 16).unwrap_or(0);
            u16::from(part(0)) > u16::from(part(4)) + 60
        };
        fills.filter(|color| is_warm(color)).count()
    };
    let all = pictures();
    let named = |name: &str| &all.iter().find(|(other, _)| *other == name).expect("a picture").1;
    for name in ["ten", "twenty", "many", "most", "year", "slice", "salts", "regions84"] {
        assert_eq!(warm(named(name)), 0, "{name}");
    }
    for name in ["empties", "hot", "hot256", "halves"] {
        assert!(warm(named(name)) > 0, "{name}");
    }
}

#[test]
fn every_region_has_a_bar_with_its_figures() {
    let svg = svg(&picture("t", bars(&uneven(256), |i| format!("{i:03}"), |_| String::new())));
    assert_eq!(svg.matches("<title>").count(), 257);
    let last = grouped(uneven(256)[255]);
    assert!(svg.contains(&format!("<title>255: {last}</title>")));
}
