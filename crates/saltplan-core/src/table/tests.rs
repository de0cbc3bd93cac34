use super::*;
use crate::hive::query::QueryOptions;
use crate::key::ValueError;
use crate::plan::{MaxWidening, PlanKind};
use crate::refusal::{Refusal, Remedy};
use crate::render::RenderError;
use crate::render::templates::Templates;
use crate::row::RowError;
use crate::schema::model::Engine;
use saltplan_sql::{Parameter, Parameters};
use serde_json::json;

const SAMPLED: &str = "
saltplan: 1
hbase: { table: t, families: { f: {} } }
key:
  salt: { modulo: { of: id, by: 4, write: decimal } }
  fields: [{ name: id, type: int, encoding: decimal, min: 0 }]
regions: { sampled: { keys: keys.txt, regions: 3 } }
";

fn sampled(path: &str, files: impl Files + 'static) -> Result<Table, Diagnostics> {
    Table::read(&Source::new("t.yaml", SAMPLED.replace("keys.txt", path)), files)
}

#[test]
fn split_keys_of_a_sample_in_memory() {
    let table = sampled("keys.txt", Memory::default().with("keys.txt", "1\n2\n3\n")).expect("a table");
    assert_eq!(table.sample_path(), Some(Path::new("keys.txt")));
    assert_eq!(table.split_keys().expect("keys"), Some(&[b"2".to_vec(), b"3".to_vec()][..]));
    assert_eq!(table.salts(), ["0", "1", "2", "3"].map(|salt| salt.as_bytes().to_vec()));
}

#[test]
fn a_sample_that_is_not_there_is_an_error_when_it_is_needed() {
    let table = sampled("keys.txt", Memory::default()).expect("a table");
    assert_eq!(table.salt_domain().map(SaltDomain::count), Some(4));
    let error = table.split_keys().expect_err("no sample").to_string();
    assert!(error.starts_with("t.yaml:7:29: error: no sample keys: there is no such file"), "{error}");
}

#[test]
fn a_schema_may_not_name_every_file() {
    let folder = tempfile::tempdir().expect("a folder");
    for path in ["/etc/passwd", "../keys.txt", ".keys.txt"] {
        let refused = |files: Result<Table, Diagnostics>| files.expect_err(path).to_string();
        let in_memory = refused(sampled(path, Memory::default().with(path, "1")));
        assert!(in_memory.starts_with("t.yaml:7:29: error: no sample keys: "), "{in_memory}");
        assert_eq!(refused(sampled(path, Folder::new(folder.path()))), in_memory);
    }
}

#[test]
fn a_table_in_a_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("t.yaml");
    std::fs::write(&path, SAMPLED).expect("a schema");
    let table = Table::load(&path).expect("a table");
    std::fs::write(folder.path().join("keys.txt"), "1\n2\n").expect("keys");
    assert_eq!(table.split_keys().expect("keys").map(<[_]>::len), Some(1));
    assert_eq!(table.file_name(), "t.yaml");
}

const VISITS: &str = "
saltplan: 1
hbase: { table: visits, families: { f: {} } }
key:
  salt: { md5: { of: key, first_hex_digits: 1, write: hex } }
  fields:
    - { name: day, type: date, format: yyyyMMdd }
    - { name: id, type: string, chars: alnum }
columns:
  - { name: status, type: string, hbase: 'f:status' }
hive:
  mapping: { table: db.visits_map, key_column: rowkey }
  target: { table: db.visits, partition: [day] }
";

fn planned(table: &Table, predicate: &str, options: &PlanOptions) -> Result<Planned, PlanFault> {
    let analysis = table.analyze(&Source::new("predicate", predicate), &Parameters::new())?;
    table.plan_analysis(&analysis, options)
}

/// The code of the refusal of a plan or of its statement; `printed` if it is not refused.
fn outcome(yaml: &str, predicate: &str, accept: &PlanOptions, options: &QueryOptions) -> &'static str {
    let table = Table::from_yaml(yaml).expect("a schema");
    let refusal = match planned(&table, predicate, accept) {
        Err(PlanFault::Refused(refusal)) => refusal,
        Err(error) => panic!("{predicate}: {error}"),
        Ok(plan) => match plan.query(options, &Templates::new(None)) {
            Err(RenderError::Refused(refusal)) => refusal,
            Err(error) => panic!("{predicate}: {error}"),
            Ok(_) => return "printed",
        },
    };
    assert!(!refusal.to_string().is_empty() && !refusal.help().contains("--"), "{refusal:?}");
    refusal.code()
}

#[test]
fn mistakes_are_refused_unless_they_are_accepted() {
    let none = &PlanOptions::default();
    let full_scan = &PlanOptions { allow_full_scan: true, ..PlanOptions::default() };
    let empty = &PlanOptions { allow_empty: true, ..PlanOptions::default() };
    let insert = QueryOptions::default();
    let partial = QueryOptions { allow_partial: true, ..QueryOptions::default() };
    let into = QueryOptions { into: true, ..QueryOptions::default() };
    let bare = QueryOptions { select_only: true, ..QueryOptions::default() };
    let listed = VISITS.replace("type: date, format: yyyyMMdd", "type: string, values: [a, b, c]");
    let short = QueryOptions { max_bytes: 100, ..QueryOptions::default() };
    let unmapped = VISITS.split("hive:").next().expect("the schema before");
    let without_target = VISITS.replace("  target: { table: db.visits, partition: [day] }\n", "");
    let unpartitioned = VISITS.replace(", partition: [day]", "");
    let by_month = VISITS.replace("[day]", "[{ name: month, of: day, format: yyyyMM }]");
    let by_status =
        VISITS.replace("[day]", "[day, { name: kind, of: status }], columns: [{ name: id, from: key.id }]");
    let onto_itself = VISITS.replace("db.visits,", "DB.Visits_map,");
    let decimal = VISITS.replace("write: hex", "write: be16");
    for (yaml, predicate, accept, options, expected) in [
        (VISITS, "day = 20200406", none, &insert, "printed"),
        (VISITS, "status = 'ok'", none, &insert, "full_scan"),
        (VISITS, "status = 'ok'", full_scan, &insert, "unbound_partition"),
        (VISITS, "status = 'ok'", full_scan, &bare, "printed"),
        (VISITS, "day = 20200406 AND day = 20200407", none, &insert, "empty"),
        (VISITS, "day = 20200406 AND day = 20200407", empty, &insert, "nothing_to_empty"),
        (VISITS, "day = 20200406 AND id = NULL", empty, &insert, "printed"),
        (VISITS, "day = 20200406 AND status = 'ok'", none, &insert, "partial"),
        (VISITS, "day = 20200406 AND status = 'ok'", none, &partial, "printed"),
        (VISITS, "day = 20200406 AND status = 'ok'", none, &into, "printed"),
        (VISITS, "day = 20200406 AND status = 'ok'", none, &bare, "printed"),
        (VISITS, "day = 20200406 AND id = 'x'", none, &insert, "partial"),
        (VISITS, "day = 20200406 OR day = 20200407 AND id = 'x'", none, &insert, "partial"),
        (VISITS, "day BETWEEN 20200406 AND 20200409 AND day % 2 = 0", none, &insert, "printed"),
        (&unpartitioned, "day = 20200406", none, &insert, "partial"),
        (&unpartitioned, "day = 20200406", none, &partial, "printed"),
        (&unpartitioned, "TRUE", full_scan, &insert, "printed"),
        (&by_month, "day = 20200406", none, &insert, "partial"),
        (&by_month, "day BETWEEN 20200401 AND 20200430", none, &insert, "printed"),
        (&by_month, "day BETWEEN 20200401 AND 20200430 AND day % 2 = 0", none, &insert, "partial"),
        (&by_status, "day = 20200406 AND status IN ('a', 'b')", none, &insert, "printed"),
        (&onto_itself, "day = 20200406", none, &insert, "target_is_mapping"),
        (VISITS, "status = 'ok'", full_scan, &into, "printed"),
        (VISITS, "day >= 20200406", none, &insert, "unbound_partition"),
        (VISITS, "day BETWEEN 20200101 AND 20211231", none, &insert, "printed"),
        (VISITS, "day = 20200406", none, &short, "too_long"),
        (&listed, "day IN ('a', 'c')", none, &bare, "printed"),
        (&listed, "day IN ('a', 'b', 'c')", none, &bare, "full_scan"),
        (&listed, "day IN ('a', 'b', 'c')", full_scan, &bare, "printed"),
        (unmapped, "day = 20200406", none, &bare, "no_mapping"),
        (&without_target, "day = 20200406", none, &insert, "no_target"),
        (&without_target, "day = 20200406", none, &bare, "printed"),
        (&decimal, "day = 20200406", none, &bare, "binary_bound"),
    ] {
        assert_eq!(outcome(yaml, predicate, accept, options), expected, "{predicate} {accept:?} {options:?}");
    }
}

#[test]
fn the_way_out_is_named_as_the_caller_calls_it() {
    let refusal = Refusal::FullScan { reasons: vec!["no pruning".into()], branches: None, seeks: None };
    assert_eq!(refusal.to_string(), "the plan reads the whole table: no pruning");
    let help =
        refusal.help_with(|way| if way == Remedy::AcceptFullScan { "`--yes`".into() } else { way.name() });
    assert_eq!(help, "add a condition on the leading key fields, or accept it with `--yes`");
}

#[test]
fn both_ways_out_of_a_wide_merge_work() {
    let hours = VISITS.replace("type: date, format: yyyyMMdd", "type: timestamp, format: yyyyMMddHH");
    let numbers =
        VISITS.replace("type: date, format: yyyyMMdd", "type: bigint, encoding: decimal, width: 12");
    for (yaml, predicate, max_branches) in [
        (VISITS, "day IN (20200101, 20201231)", 16),
        (VISITS, "day IN (20200101, 20201231, 20210101)", 20),
        (VISITS, "day = 20200101 AND status = 'a' OR day = 20201231", 16),
        (VISITS, "day = 20200101 AND id > 'a' OR day IN (20201231, 20210405) AND id LIKE 'b%'", 31),
        (VISITS, "month(day) = 2", 16),
        (VISITS, "day = 20200101 AND (id LIKE 'a%' OR id < '5' AND status = 'a' OR id IN ('x', 'y'))", 16),
        (VISITS, "day IN (20200101, 20200301) AND id = 'a' OR day = 20200901 AND id > 'x'", 17),
        (&hours, "day IN ('2020010100', '2020010123')", 16),
        (&numbers, "day IN (0, 99999999999)", 16),
        (&numbers, "day IN (5, 6, 700) AND (id = 'a' OR id > 'f')", 16),
    ] {
        let table = Table::from_yaml(yaml).expect("a schema");
        let analysis =
            table.analyze(&Source::new("predicate", predicate), &Parameters::new()).expect(predicate);
        let options = PlanOptions { max_branches, ..PlanOptions::default() };
        let refused = table.plan_analysis(&analysis, &options).expect_err(predicate);
        let PlanFault::Refused(Refusal::TooWide { least, branches, .. }) = refused else {
            panic!("{predicate}: {refused}")
        };
        let max_widening = least.map_or(MaxWidening::Any, MaxWidening::Times);
        let wide = PlanOptions { max_widening, ..options.clone() };
        table.plan_analysis(&analysis, &wide).expect(predicate);
        let Some(max_branches) = branches else {
            assert_eq!(predicate, "month(day) = 2", "only ten thousand ranges are too many to keep apart");
            continue;
        };
        table.plan_analysis(&analysis, &PlanOptions { max_branches, ..options }).expect(predicate);
    }
}

#[test]
fn a_full_scan_for_want_of_branches_names_the_number_that_would_do() {
    let unordered = VISITS.replace("type: date, format: yyyyMMdd", "type: bigint, encoding: decimal");
    for (yaml, predicate, expected) in [
        (VISITS, "day = 20200101", Some(16)),
        (VISITS, "status = 'a'", None),
        (&unordered, "day IN (1, 99)", Some(32)),
        (&unordered, "day < 99", None),
    ] {
        let table = Table::from_yaml(yaml).expect("a schema");
        let analysis =
            table.analyze(&Source::new("predicate", predicate), &Parameters::new()).expect(predicate);
        let options = PlanOptions { max_branches: 15, ..PlanOptions::default() };
        let refused = table.plan_analysis(&analysis, &options).expect_err(predicate);
        let PlanFault::Refused(Refusal::FullScan { branches, .. }) = refused else {
            panic!("{predicate}: {refused}")
        };
        assert_eq!(branches, expected, "{predicate}");
        if let Some(max_branches) = branches {
            table.plan_analysis(&analysis, &PlanOptions { max_branches, ..options }).expect(predicate);
        }
    }
}

#[test]
fn a_plan_in_all_forms() {
    let table = Table::from_yaml(VISITS).expect("a schema");
    let plan = table.plan("day = :day AND id = 'x'", &[("day".into(), "20200406".into())].into());
    let plan = plan.expect("a plan");
    assert_eq!(plan.summary(), "1 of 16 salts, 1 point read, no residual");
    assert!(plan.hbase_shell().expect("commands").contains("20200406x"));
    assert_eq!(plan.to_json()["branches"][0]["residual"], Json::Null);
    assert!(plan.to_text(80).starts_with("1 of 16 salts, 1 point read"));
    let header = plan.header(Engine::Tez).iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(header[0], "saltplan plan schema (engine tez)");
    assert_eq!(header[2], plan.summary());
    let options =
        QueryOptions { allow_partial: true, header: plan.header(Engine::Tez), ..QueryOptions::default() };
    let sql = plan.hive_sql(&options).expect("a query").sql;
    assert!(sql.starts_with("-- saltplan plan schema (engine tez)\n-- predicate: "), "{sql}");
}

#[test]
fn what_is_looked_at_is_never_refused() {
    let table = Table::from_yaml(VISITS).expect("a schema");
    for (predicate, kind) in [("status = 'ok'", PlanKind::FullScan), ("id = NULL", PlanKind::Empty)] {
        assert_eq!(
            planned(&table, predicate, &PlanOptions::accepting_all()).expect("a plan").plan().kind,
            kind
        );
    }
}

#[test]
fn rows_and_keys() {
    let table = Table::from_yaml(VISITS).expect("a schema");
    let row = |json: Json| json.as_object().expect("a row").clone();
    let key = table.encode(&row(json!({ "day": "20200406", "id": "x" }))).expect("a key");
    assert!(key.ends_with(b"20200406x") && key.len() == 10);
    assert_eq!(table.decode(&key).expect("a row").expected_salt, None);
    for (row, expected) in [
        (row(json!({ "day": "20200406" })), RowError::Missing { field: "id".into() }),
        (
            row(json!({ "dya": "20200406" })),
            RowError::UnknownMember { name: "dya".into(), meant: Some("day".into()) },
        ),
        (
            row(json!({ "day": null, "id": "x" })),
            RowError::Value { field: "day".into(), error: ValueError::Null },
        ),
    ] {
        assert_eq!(table.row_codec().encode(&row), Err(expected));
    }
    assert_eq!(table.row_codec().decode(b"x"), Err(RowError::NoSaltInKey));
}

#[test]
fn errors_have_codes_and_remedies_for_programs() {
    let table = Table::from_yaml(VISITS).expect("a schema");
    let error = |predicate: &str| table.plan(predicate, &Parameters::new()).expect_err(predicate);
    let refused = error("status = 'a'");
    assert_eq!(refused.code(), "full_scan");
    assert!(refused.help().is_some_and(|help| !help.is_empty()) && refused.diagnostics().is_empty());
    let invalid = error("dya = 20200406");
    assert_eq!((invalid.code(), invalid.help()), ("unknown_column", None));
    let [first] = invalid.diagnostics() else { panic!("one error: {invalid}") };
    assert_eq!(first.text(first.labels[0].span), Some("dya"));
    let error = table.decode(b"x").expect_err("no key");
    assert_eq!((error.to_string(), error.code()), (RowError::NoSaltInKey.to_string(), "row_key"));
}

/// A whole digest has more salts than can be counted together with anything else.
#[test]
fn hours_of_days_after_a_whole_digest() {
    let yaml = "
saltplan: 1
hbase: { table: t, families: { f: {} } }
key:
  salt: { md5: { of: [{ field: at }], joined_by: '', first_hex_digits: 32, write: hex } }
  fields: [{ name: at, type: timestamp, format: yyyyMMddHHmmss, stored: false }]
time_zone: UTC
";
    let table = Table::from_yaml(yaml).expect("a schema");
    let hours = "to_date(at) BETWEEN '2020-03-29' AND '2020-03-31' AND date_format(at, 'HH') IN ('01', '03')";
    let planned = planned(&table, hours, &PlanOptions::accepting_all()).expect("a plan");
    assert_ne!(planned.plan().kind, PlanKind::Empty);
}

/// Brackets around a part of a conjunction change nothing.
#[test]
fn runtime_values_in_brackets() {
    let table = Table::from_yaml(VISITS).expect("a schema");
    let mut parameters = Parameters::new();
    for name in ["from", "until"] {
        parameters.insert(name, Parameter::runtime("{{ ds_nodash }}", None).expect("a text"));
    }
    let plan = |predicate: &str| {
        let planned =
            table.plan(predicate, &parameters).unwrap_or_else(|error| panic!("{predicate}: {error}"));
        planned.plan().runtime.clone()
    };
    let plain = plan("day >= :from AND day < :until AND id = 'x'");
    assert!(plain.is_some());
    assert_eq!(plan("(day >= :from AND day < :until) AND id = 'x'"), plain);
    assert!(table.plan("NOT (day >= :from AND day < :until)", &parameters).is_err());
}
