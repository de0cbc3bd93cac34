//! Plans per second, and how the time grows with the number of branches.
//!
//! Each benchmark does what a call does after the schema is read: parse, analyze, plan. Those with `as_sql`
//! also print the query.

#![expect(clippy::expect_used, reason = "a benchmark fails by panicking")]

use std::path::Path;
use std::sync::Arc;

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use saltplan_core::analyze::{Analysis, analyze};
use saltplan_core::hive;
use saltplan_core::hive::query::QueryOptions;
use saltplan_core::plan::{Options, Plan, plan};
use saltplan_core::render::templates::Templates;
use saltplan_core::schema::model::Engine;
use saltplan_core::schema::model::Schema;
use saltplan_document::diag::Source;
use saltplan_sql::{Parameters, parse};

fn main() {
    divan::main();
}

fn example(name: &str) -> Schema {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("schemas/examples").join(name);
    let source = saltplan_core::schema::read_file(&path).expect("an example");
    saltplan_core::schema::load(&source).expect("a valid example").schema
}

fn analysis(schema: &Schema, predicate: &Arc<Source>) -> Analysis {
    let parsed = parse(predicate, &Parameters::new()).expect("a predicate");
    analyze(schema, &parsed).expect("known names")
}

fn planned(schema: &Schema, predicate: &Arc<Source>, max_branches: usize) -> Plan {
    plan(schema, &analysis(schema, predicate), Options { max_branches, ..Options::default() })
}

fn bench(bencher: Bencher<'_, '_>, schema: &str, predicate: String, max_branches: usize) {
    let schema = example(schema);
    let predicate = Source::new("predicate", predicate);
    let branches = planned(&schema, &predicate, max_branches).branches.len();
    bencher
        .counter(ItemsCount::new(branches))
        .bench(|| planned(black_box(&schema), black_box(&predicate), max_branches));
}

/// The most common call: one day, sixteen salts.
#[divan::bench]
fn one_day(bencher: Bencher<'_, '_>) {
    bench(bencher, "md5_nibble_day.yaml", "opera_day = 20200406".into(), 256);
}

/// Days in a list: items are branches, sixteen per day.
#[divan::bench(args = [1, 4, 16, 64, 256])]
fn days_in_a_list(bencher: Bencher<'_, '_>, count: usize) {
    // Every second day, so that no two of them are merged.
    let days: Vec<String> = (0..count)
        .map(|index| format!("{}{:02}{:02}", 2000 + index / 168, index / 14 % 12 + 1, index % 14 * 2 + 1))
        .collect();
    bench(bencher, "md5_nibble_day.yaml", format!("opera_day IN ({})", days.join(", ")), 65_536);
}

/// Telephone numbers in a list, with the salt computed for each: items are branches.
#[divan::bench(args = [10, 100, 1_000, 4_000])]
fn numbers_in_a_list(bencher: Bencher<'_, '_>, count: usize) {
    let numbers: Vec<String> = (0..count).map(|index| format!("'{}'", 13_800_000_000 + index * 7)).collect();
    let predicate = format!("tel IN ({}) AND call_time = '20200406101500'", numbers.join(", "));
    bench(bencher, "region_number.yaml", predicate, 65_536);
}

/// One number in a year of months, the salt computed for each month.
#[divan::bench(args = [1, 12, 120])]
fn months(bencher: Bencher<'_, '_>, months: usize) {
    let year = 2020 + months / 12;
    let end = format!("{year}{:02}01000000", months % 12 + 1);
    let predicate = format!("tel = '13800001234' AND call_time >= '20200101000000' AND call_time < '{end}'");
    bench(bencher, "region_number.yaml", predicate, 65_536);
}

/// Functions of days that keep their order: the days of a comparison are found by bisection.
#[divan::bench(args = ["last_day(opera_day) = '2020-04-30'", "add_months(opera_day, 13) = '2021-05-06'"])]
fn moved_days(bencher: Bencher<'_, '_>, condition: &str) {
    bench(bencher, "md5_nibble_day.yaml", condition.into(), 256);
}

/// Operands of an OR up to the limit of 64 KiB, each with its own condition.
#[divan::bench(args = [10, 100, 900])]
fn arms_of_an_or(bencher: Bencher<'_, '_>, count: usize) {
    let arms: Vec<String> = (0..count)
        .map(|index| {
            let day = format!("{}{:02}{:02}", 2000 + index / 336, index / 28 % 12 + 1, index % 28 + 1);
            format!("(opera_day = {day} AND phone_number = '{}')", 13_800_000_000u64 + index as u64)
        })
        .collect();
    bench(bencher, "md5_nibble_day.yaml", arms.join(" OR "), 65_536);
}

/// Rows of two values in a list: items are branches.
#[divan::bench(args = [250, 500, 1_000, 2_000])]
fn tuples(bencher: Bencher<'_, '_>, count: usize) {
    let rows: Vec<String> = (0..count).map(|n| format!("('{:010}', 'u{n}')", n * 7)).collect();
    bench(bencher, "md5_prefix.yaml", format!("(customer_id, contract_id) IN ({})", rows.join(", ")), 65_536);
}

/// The same rows in an OR.
#[divan::bench(args = [250, 500, 1_000])]
fn tuples_in_an_or(bencher: Bencher<'_, '_>, count: usize) {
    let arms: Vec<String> =
        (0..count).map(|n| format!("(customer_id, contract_id) = ('{:010}', 'u{n}')", n * 7)).collect();
    bench(bencher, "md5_prefix.yaml", arms.join(" OR "), 65_536);
}

/// Prefixes of texts in an OR.
#[divan::bench(args = [250, 500, 1_000, 2_000])]
fn likes(bencher: Bencher<'_, '_>, count: usize) {
    let likes: Vec<String> = (0..count).map(|n| format!("row_id LIKE 'k{:05}%'", n * 7)).collect();
    bench(
        bencher,
        "md5_nibble_day.yaml",
        format!("opera_day = 20200406 AND ({})", likes.join(" OR ")),
        65_536,
    );
}

/// Three lists whose product exceeds every limit: the result is a widened plan.
#[divan::bench(args = [10, 100])]
fn product_past_the_limit(bencher: Bencher<'_, '_>, count: usize) {
    let list = (0..count).map(|n| format!("'{n:010}'")).collect::<Vec<_>>().join(", ");
    let predicate = format!("customer_id IN ({list}) AND contract_id IN ({list}) AND amount IN ({list})");
    bench(bencher, "md5_prefix.yaml", predicate, 256);
}

/// An AND of ORs, up to the limit of 64 KiB: a product that must not be multiplied out.
#[divan::bench(args = [50, 100, 200, 400, 1_000])]
fn and_of_ors(bencher: Bencher<'_, '_>, count: usize) {
    let or = |n: usize| format!("(row_id = '{n}' OR phone_number = '{n}')");
    let ors: Vec<String> = (0..count).map(or).collect();
    bench(bencher, "md5_nibble_day.yaml", format!("opera_day = 20200406 AND {}", ors.join(" AND ")), 256);
}

/// One value of a field that lists this many.
#[divan::bench(args = [1_000, 10_000, 100_000])]
fn listed_values(bencher: Bencher<'_, '_>, count: usize) {
    let values: Vec<String> = (0..count).map(|n| format!("'{n:06}'")).collect();
    let yaml = format!(
        "saltplan: 1\nhbase: {{ table: t, families: {{ f: {{}} }} }}\nkey:\n  separator: '_'\n  fields:\n  \
         - {{ name: code, type: string, values: [{}] }}\n  - {{ name: id, type: string }}\n",
        values.join(", ")
    );
    let schema = saltplan_core::schema::load(&Source::new("listed.yaml", yaml)).expect("a schema").schema;
    let predicate = Source::new("predicate", "code >= '000100' AND code < '000200' AND id = 'x'");
    bencher.bench(|| planned(black_box(&schema), black_box(&predicate), 256));
}

/// A list up to the limit of 64 KiB after sixteen salts: more values than ranges, each range with its own
/// values.
#[divan::bench(args = [10, 100, 1_000, 6_000])]
fn in_list(bencher: Bencher<'_, '_>, count: usize) {
    let days: Vec<String> = (0..count)
        .map(|index| format!("{}{:02}{:02}", 1700 + index / 168, index / 14 % 12 + 1, index % 14 * 2 + 1))
        .collect();
    bench(bencher, "md5_nibble_day.yaml", format!("opera_day IN ({})", days.join(", ")), 256);
}

/// A list on a non-key column, checked in the ranges of sixteen days: beyond the limit ranges are merged.
#[divan::bench(args = [10, 100, 1_000, 5_000])]
fn residual_repeats(bencher: Bencher<'_, '_>, count: usize) {
    let numbers: Vec<String> = (0..count).map(|n| format!("'{n:06}'")).collect();
    let days: Vec<String> = (0..16).map(|n| format!("202004{:02}", 1 + n / 2 * 3 + n % 2)).collect();
    let predicate =
        format!("opera_day IN ({}) AND phone_number IN ({})", days.join(", "), numbers.join(", "));
    bench(bencher, "md5_nibble_day.yaml", predicate, 256);
}

#[divan::bench]
fn one_day_as_sql(bencher: Bencher<'_, '_>) {
    as_sql(bencher, "opera_day = 20200406".into());
}

fn as_sql(bencher: Bencher<'_, '_>, predicate: String) {
    let schema = example("md5_nibble_day.yaml");
    let predicate = Source::new("predicate", predicate);
    let templates = Templates::new(None);
    let mut options = QueryOptions::default();
    options.engine = Engine::Tez;
    options.select_only = true;
    bencher.bench(|| {
        let plan = planned(black_box(&schema), &predicate, 256);
        hive::query::render(&schema, &plan, &options, &templates).map(|query| query.sql)
    });
}

/// Years of one month, as a statement: ten thousand ranges, 256 of which are written.
#[divan::bench(args = [10, 100, 1_000, 9_998])]
fn month_of_years_as_sql(bencher: Bencher<'_, '_>, years: usize) {
    let predicate = format!("opera_day < '{:04}0101' AND month(opera_day) = 2", years + 1);
    as_sql(bencher, predicate);
}

/// Conditions on days of the month up to the limit of 64 KiB: beyond a number they are checked row by row.
#[divan::bench(args = [1, 10, 100, 1_000])]
fn days_of_the_month(bencher: Bencher<'_, '_>, count: usize) {
    let day = |n: usize| format!("(day(opera_day) = {} AND phone_number = '{n}')", n % 31 + 1);
    let arms: Vec<String> = (0..count).map(day).collect();
    bench(bencher, "md5_nibble_day.yaml", arms.join(" OR "), 256);
}
