//! Partitions by parts of a time, checked with rows at local times: every row of a predicate is in one of the
//! partitions that its INSERT names, and without a warning the predicate selects all rows of these
//! partitions.

use std::collections::BTreeSet;

use chrono::{DateTime, NaiveDateTime};
use chrono_tz::Tz;
use proptest::prelude::*;

use saltplan_core::hive::query::QueryOptions;
use saltplan_core::table::Table;
use saltplan_sql::Parameters;

/// Zones, and instants near their clock changes, including one that skips the hour after midnight.
const CLOCKS: [(&str, i64); 5] = [
    ("America/New_York", 1_604_210_400),
    ("America/New_York", 1_583_650_800),
    ("America/St_Johns", 1_289_097_060),
    ("Asia/Shanghai", 1_586_131_200),
    ("Australia/Lord_Howe", 1_585_994_400),
];

/// Partitions as written in a schema, and chrono formats for their names.
const PARTITIONS: [(&str, &str); 5] = [
    ("{ name: dt, of: ts, format: yyyyMMdd }", "dt=%Y%m%d"),
    ("{ name: dt, of: ts, format: yyyy-MM-dd }, { name: hh, of: ts, format: HH }", "dt=%Y-%m-%d/hh=%H"),
    ("{ name: m, of: ts, format: MM }, { name: y, of: ts, format: yyyy }", "m=%m/y=%Y"),
    (
        "{ name: t, of: ts, format: yyyyMMddHH }, { name: d, of: ts, format: dd, type: int }",
        "t=%Y%m%d%H/d=%-d",
    ),
    ("{ name: y, of: ts, format: \"'y'yyyy\" }, { name: md, of: ts, format: MMdd }", "y=y%Y/md=%m%d"),
];

/// A quarter of an hour.
const STEP: i64 = 900;
/// The number of steps on either side of a clock change.
const STEPS: i64 = 300;
const KINDS: [&str; 2] = ["a", "b"];

/// Times from one step up to another, written in several ways.
#[derive(Debug, Clone)]
struct Alternative {
    from: i64,
    until: i64,
    kinds: Option<&'static str>,
}

fn alternative() -> impl Strategy<Value = Alternative> {
    // Days are the most common: 96 steps, or 92 and 100 at a clock change.
    let steps = || prop_oneof![-STEPS..STEPS, (-3i64..4).prop_map(|day| day * 96 - 8)];
    (steps(), steps(), prop::option::weighted(0.4, prop::sample::select(&KINDS[..]))).prop_map(
        |(one, other, kinds)| Alternative { from: one.min(other), until: one.max(other) + 1, kinds },
    )
}

/// Steps at which a local day starts are also bounds.
fn aligned(alternatives: Vec<Alternative>, middle: i64, zone: Tz, unit: &str) -> Vec<Alternative> {
    let shown = |step: i64| local(zone, middle + step * STEP).format(unit).to_string();
    let start = |step: i64| (step - 110..=step).rev().find(|at| shown(*at) != shown(*at - 1)).unwrap_or(step);
    let each = |one: Alternative| Alternative { from: start(one.from), until: start(one.until + 110), ..one };
    alternatives.into_iter().map(each).collect()
}

fn local(zone: Tz, second: i64) -> NaiveDateTime {
    DateTime::from_timestamp(second, 0).expect("an instant").with_timezone(&zone).naive_local()
}

fn check(clock: usize, partition: usize, epoch: &str, by_kind: bool, given: Vec<Alternative>, align: bool) {
    let (zone_name, middle) = CLOCKS[clock];
    let zone: Tz = zone_name.parse().expect("a zone");
    let middle = middle - middle.rem_euclid(STEP);
    let (columns, names) = PARTITIONS[partition];
    let kind = if by_kind { "kind, " } else { "" };
    let table = Table::from_yaml(&format!(
        "saltplan: 1
hbase: {{ table: t, families: {{ f: {{}} }} }}
key:
  fields:
    - {{ name: ts, type: timestamp, {epoch} }}
    - {{ name: kind, type: string, values: [a, b] }}
columns: [{{ name: v, type: string, hbase: 'f:v' }}]
time_zone: {zone_name}
hive:
  mapping: {{ table: m, key_column: k }}
  target: {{ table: t, partition: [{kind}{columns}] }}
"
    ))
    .expect("a schema");
    let alternatives = if align { aligned(given, middle, zone, "%d") } else { given };
    let factor = if epoch.contains("ms") { 1_000 } else { 1 };
    let text = |step: i64| {
        let second = middle + step * STEP;
        if epoch.contains("format") {
            format!("'{}'", local(zone, second).format("%Y-%m-%d %H:%M:%S"))
        } else {
            (second * factor).to_string()
        }
    };
    let arms = alternatives.iter().map(|one| {
        let kind = match one.kinds {
            Some(kind) => format!(" AND kind = '{kind}'"),
            None if by_kind => " AND kind IN ('a', 'b')".into(),
            None => String::new(),
        };
        format!("(ts >= {} AND ts < {}{kind})", text(one.from), text(one.until))
    });
    let predicate = arms.collect::<Vec<_>>().join(" OR ");
    // Local times that occur twice are one row in a key of local times: the rows are those of the text.
    let is_asked = |step: i64, kind: &str| {
        alternatives.iter().any(|one| {
            let within = if epoch.contains("format") {
                (text(one.from)..text(one.until)).contains(&text(step))
            } else {
                (one.from..one.until).contains(&step)
            };
            within && one.kinds.is_none_or(|asked| asked == kind)
        })
    };
    let name = |step: i64, kind: &str| {
        let kind = if by_kind { format!("kind={kind}/") } else { String::new() };
        format!("{kind}{}", local(zone, middle + step * STEP).format(names))
    };
    let planned = table.plan(&predicate, &Parameters::new());
    let mut options = QueryOptions::default();
    options.allow_partial = true;
    let query = match planned.map(|planned| planned.hive_sql(&options)) {
        Ok(Ok(query)) => query,
        // If clocks go back, some bounds of local times are empty.
        _ if !rows().any(|(step, kind)| is_asked(step, kind)) => return,
        other => panic!("{predicate}: {other:?}"),
    };
    let named: BTreeSet<String> = query.target.expect("a target").partitions.into_iter().collect();
    let mut touched = BTreeSet::new();
    for (step, kind) in rows().filter(|(step, kind)| is_asked(*step, kind)) {
        let name = name(step, kind);
        assert!(named.contains(&name), "{name} is none of {named:?}: {predicate}");
        touched.insert(name);
    }
    let warns = query.warnings.iter().any(|warning| warning.code() == "part_of_partition");
    let cut = rows().find(|(step, kind)| touched.contains(&name(*step, kind)) && !is_asked(*step, kind));
    assert!(cut.is_none() || warns, "no word of {cut:?}: {predicate}\n{:?}", query.warnings);
    // A kind that is not a partition gives a warning without checking rows, and so do months, whose ends are
    // outside the rows.
    let is_seen = by_kind && partition != 2 && partition != 3 && alternatives.len() == 1;
    assert!(cut.is_some() || !warns || !is_seen, "{:?} without need: {predicate}", query.warnings);
}

/// Two days more than predicates select.
fn rows() -> impl Iterator<Item = (i64, &'static str)> {
    (-STEPS - 400..STEPS + 400).flat_map(|step| KINDS.map(|kind| (step, kind)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases / 2))]

    #[test]
    fn rows_are_in_the_named_partitions(
        clock in 0..CLOCKS.len(),
        partition in 0..PARTITIONS.len(),
        epoch in prop::sample::select(&[
            "epoch: s, encoding: decimal, width: 10",
            "epoch: ms, encoding: decimal, width: 13",
            "format: yyyyMMddHHmmss",
        ][..]),
        by_kind: bool,
        alternatives in prop::collection::vec(alternative(), 1..4),
        align: bool,
    ) {
        check(clock, partition, epoch, by_kind, alternatives, align);
    }
}
