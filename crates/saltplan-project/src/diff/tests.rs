use std::collections::BTreeSet;
use std::path::Path;

use super::accept::AcceptList;
use super::{Class, SchemaDiff, facts, tables};
use saltplan_core::schema::FILE;
use saltplan_core::table::Table;
use saltplan_document::diag::Source;
use saltplan_document::format::ValueType;

fn schema(columns: &[(&str, &str)], target: &str) -> String {
    let columns: Vec<String> = columns
        .iter()
        .map(|(name, hive_type)| format!("  - {{ name: {name}, type: {hive_type}, hbase: 'f:{name}' }}\n"))
        .collect();
    format!(
        "saltplan: 1
hbase: {{ table: t, families: {{ f: {{}} }} }}
key: {{ fields: [{{ name: id, type: string }}] }}
columns:
{}hive:
  mapping: {{ table: db.t_map, key_column: rowkey }}
  target: {{ table: db.t{target} }}
",
        columns.concat()
    )
}

fn compared(old: &str, new: &str) -> SchemaDiff {
    let [old, new] = [old, new].map(|text| Table::from_yaml(text).expect("a schema"));
    tables(&old, &new).expect("split keys")
}

/// The entries as they are shown: class, headline or path and values, target.
fn told(comparison: &SchemaDiff) -> Vec<String> {
    let entries = comparison.entries.iter().map(|entry| {
        let change = &comparison.changes[entry.changes[0]];
        let headline =
            entry.headline.text().unwrap_or_else(|| format!("{}: {}", change.path, change.values()));
        let target = entry.target.as_ref().map(|target| format!("; target: {target}")).unwrap_or_default();
        format!("{} {headline}{target}", entry.class.name())
    });
    entries.collect()
}

const TWO: [(&str, &str); 2] = [("a", "string"), ("b", "int")];
const THREE: [(&str, &str); 3] = [("a", "string"), ("b", "int"), ("c", "double")];

#[test]
fn two_spellings_of_a_type_are_one_type() {
    let old = schema(&[("a", "INTEGER"), ("b", "'decimal( 18 , 2 )'"), ("c", "decimal")], "");
    let new = schema(&[("a", "int"), ("b", "'decimal(18,2)'"), ("c", "'numeric(10)'")], "");
    assert_eq!(told(&compared(&old, &new)), ["cosmetic columns: the same -> written otherwise"]);
    let wider = schema(&[("a", "bigint"), ("b", "'decimal(18,2)'"), ("c", "decimal")], "");
    let told = told(&compared(&old, &wider));
    assert!(told.iter().any(|entry| entry.contains("column.a.type")), "{told:?}");
}

#[test]
fn a_column_more_or_less_is_one_entry() {
    let (two, three) = (schema(&TWO, ""), schema(&THREE, ""));
    let added = compared(&two, &three);
    assert_eq!(told(&added), ["mapping + column c (double, f:c); target: + c"]);
    let dropped = compared(&three, &two);
    assert_eq!(told(&dropped), ["mapping - column c (double, f:c); target: - c"]);
    assert_eq!(dropped.changes.len(), 7, "{:#?}", dropped.changes);
    assert!(dropped.changes.iter().all(|change| change.part_of == ["column.c"]), "{:#?}", dropped.changes);
}

#[test]
fn a_target_that_names_its_columns_stays_when_it_does_not_name_the_new_one() {
    let listed = ", columns: [a, { name: again, from: b }]";
    let added = compared(&schema(&TWO, listed), &schema(&THREE, listed));
    assert_eq!(told(&added), ["mapping + column c (double, f:c)"]);
    let renamed = compared(&schema(&TWO, listed), &schema(&TWO, ", columns: [a, { name: other, from: b }]"));
    assert_eq!(told(&renamed), ["mapping - target column again (b)", "mapping + target column other (b)"]);
    // Without `columns` a target has the fields of the key.
    let columns_alone = schema(&TWO, ", columns: [a, b]");
    assert_eq!(told(&compared(&columns_alone, &schema(&TWO, ""))), ["mapping + target column id (key.id)"]);
    assert_eq!(told(&compared(&schema(&TWO, ""), &columns_alone)), ["mapping - target column id (key.id)"]);
}

#[test]
fn another_order_is_told_apart() {
    let turned = [("b", "int"), ("a", "string"), ("c", "double")];
    let comparison = compared(&schema(&TWO, ""), &schema(&turned, ""));
    assert_eq!(
        told(&comparison),
        [
            "mapping columns: a, b -> b, a, c",
            "mapping hive.target.columns: id, a, b -> id, b, a, c",
            "mapping + column c (double, f:c); target: + c",
        ]
    );
}

#[test]
fn the_type_of_a_column_goes_with_that_of_the_target() {
    let wider = [("a", "string"), ("b", "bigint")];
    assert_eq!(
        told(&compared(&schema(&TWO, ""), &schema(&wider, ""))),
        ["mapping column.b.type: int -> bigint; target: b likewise"]
    );
    let fixed = ", columns: [a, { name: b, from: b, type: string }]";
    assert_eq!(
        told(&compared(&schema(&TWO, fixed), &schema(&wider, fixed))),
        ["mapping column.b.type: int -> bigint"]
    );
}

#[test]
fn a_part_that_is_gone_is_told_by_its_path() {
    let with = schema(&TWO, "");
    let without = with.replace("  target: { table: db.t }\n", "");
    assert_eq!(told(&compared(&with, &without)), ["mapping - hive.target"]);
}

#[test]
fn every_change_is_in_an_entry_of_its_class_or_a_worse_one() {
    let comparison =
        compared(&schema(&TWO, ""), &schema(&THREE, ", columns: [b, { name: x, expr: 'upper(a)' }]"));
    for (at, change) in comparison.changes.iter().enumerate() {
        let holders: Vec<_> = comparison.entries.iter().filter(|entry| entry.changes.contains(&at)).collect();
        assert_eq!(holders.len(), 1, "{change:?}");
        assert!(holders[0].class >= change.class && holders[0].class < Class::Region, "{change:?}");
    }
}

#[test]
fn an_entry_is_accepted_by_what_is_printed_or_by_its_path() {
    let comparison = compared(&schema(&THREE, ""), &schema(&[("a", "string")], ""));
    let accepted = |list: &str| {
        let (accepted, unused) = AcceptList::parse(&Source::new("accept", list)).apply(&comparison);
        (accepted.iter().filter(|accepted| **accepted).count(), unused.len())
    };
    let all = comparison.changes.len();
    assert_eq!(all, 12);
    assert_eq!(accepted("- column b (int, f:b)\ncolumn.c\n"), (all, 0));
    // The lists belong to both columns: accepting one column is not enough.
    assert_eq!(accepted("column.c"), (5, 0));
    assert_eq!(accepted("column.c\ncolumns\nhive.target.columns\n"), (7, 0));
    // Single changes are identified by the paths in the JSON form.
    assert_eq!(accepted("column.c.type: double -> none\n"), (1, 0));
    assert_eq!(accepted("- column c (float, f:c)\ncolumn.d\ncolumn.c: gone"), (0, 3));
}

#[test]
fn another_window_is_one_entry_about_queries() {
    let with = |window: &str| {
        format!(
            "saltplan: 1
hbase: {{ table: t, families: {{ f: {{}} }} }}
key: {{ fields: [{{ name: day, type: date, format: yyyyMMdd{window} }}] }}
"
        )
    };
    let told = |old: &str, new: &str| told(&compared(&with(old), &with(new)));
    assert_eq!(told("", ", min: 2015-01-01"), ["query key.fields.day.window: any -> from 20150101 on"]);
    assert_eq!(
        told(", min: 2015-01-01, max: 20351231", ", max: 2040-12-31"),
        ["query key.fields.day.window: 20150101 to 20351231 -> up to 20401231"]
    );
    assert!(told(", min: 2015-01-01", ", min: 20150101").iter().all(|entry| entry.starts_with("cosmetic")));
}

#[test]
fn values_are_compared_not_how_they_are_told() {
    let with = |field: &str| {
        format!(
            "saltplan: 1
hbase: {{ table: t, families: {{ f: {{}} }} }}
key: {{ fields: [{{ name: x, {field} }}] }}
"
        )
    };
    let told = |old: &str, new: &str| told(&compared(&with(old), &with(new)));
    // A window is a time, regardless of how it is stored.
    assert_eq!(
        told(
            "type: date, format: yyyyMMdd, hive_type: string, min: 2015-01-01",
            "type: date, format: yyyy-MM-dd, min: 2015-01-01"
        ),
        ["key key.fields.x.encoding: date text yyyyMMdd -> date text yyyy-MM-dd"]
    );
    let cosmetic = ["cosmetic key: the same -> written otherwise"];
    assert_eq!(told("type: date, format: yyyy-MM-dd", "type: date, format: \"yyyy'-'MM'-'dd\""), cosmetic);
    assert_eq!(told("type: string, chars: '[a-c]'", "type: string, chars: '[abc]'"), cosmetic);
    assert_eq!(told("type: string, values: [a, b]", "type: string, values: [b, a]"), cosmetic);
    // The digits are the same for numbers of any size.
    assert_eq!(
        told("type: int, encoding: decimal, width: 10", "type: bigint, encoding: decimal, width: 10"),
        ["query key.fields.x.type: int -> bigint"]
    );
    assert_eq!(
        told("type: int, encoding: be", "type: bigint, encoding: be"),
        [
            "key key.fields.x.encoding: 4 bytes two's complement -> 8 bytes two's complement",
            "query key.fields.x.type: int -> bigint",
        ]
    );
}

/// Families of two versions, and the class of the change between them.
const FAMILIES: &str = "
{ ttl: 604800 } | { ttl: 86400 } | data_loss hbase.families.f.ttl: 604800 -> 86400
{ ttl: 86400 } | { ttl: 604800 } | mapping hbase.families.f.ttl: 86400 -> 604800
{ ttl: 86400 } | { ttl: '1 DAY' } |
{} | { ttl: '1 DAY' } | data_loss hbase.families.f.ttl: FOREVER -> 1 DAY
{ ttl: 60 } | {} | mapping hbase.families.f.ttl: 60 -> FOREVER
{ ttl: FOREVER } | {} |
{ versions: 3 } | { versions: 1 } | data_loss hbase.families.f.versions: 3 -> 1
{ versions: 3 } | {} | data_loss hbase.families.f.versions: 3 -> 1
{} | { VERSIONS: 3 } | mapping hbase.families.f.versions: 1 -> 3
{} | { versions: 1 } |
{ ttl: 60, versions: 3, min_versions: 2 } | { ttl: 60, versions: 3 } | data_loss hbase.families.f.min_versions: 2 -> 0
{ versions: 3, min_versions: 2 } | { versions: 3 } | mapping hbase.families.f.min_versions: 2 -> 0
{ ttl: 60, versions: 3 } | { ttl: 60, versions: 3, min_versions: 2 } | mapping hbase.families.f.min_versions: 0 -> 2
{ keep_deleted_cells: true } | { keep_deleted_cells: false } | data_loss hbase.families.f.keep_deleted_cells: true -> false
{ keep_deleted_cells: 'TRUE' } | { keep_deleted_cells: TTL } | data_loss hbase.families.f.keep_deleted_cells: TRUE -> TTL
{ keep_deleted_cells: TTL } | {} | data_loss hbase.families.f.keep_deleted_cells: TTL -> FALSE
{} | { keep_deleted_cells: true } | mapping hbase.families.f.keep_deleted_cells: FALSE -> true
{} | { new_version_behavior: true } | data_loss hbase.families.f.new_version_behavior: false -> true
{ new_version_behavior: true } | {} | data_loss hbase.families.f.new_version_behavior: true -> false
{ is_mob: true } | {} | key hbase.families.f.is_mob: true -> false
{} | { is_mob: true } | mapping hbase.families.f.is_mob: false -> true
{ compression: GZ } | { compression: none } | mapping hbase.families.f.compression: GZ -> none
{ bloom_filter: ROW } | { bloomfilter: row } |
{ hbase.hstore.engine.class: a } | {} | mapping hbase.families.f.hbase.hstore.engine.class: a -> none
{ replication_scope: 1 } | { replication_scope: 0 } | mapping hbase.families.f.replication_scope: 1 -> 0
";

/// Attributes and metadata of two tables, and the expected entry.
const TABLES: &str = "
attributes: { max_file_size: 10737418240 } | attributes: { MAX_FILESIZE: '10737418240' } |
attributes: { durability: SKIP_WAL } | attributes: {} | mapping hbase.attributes.durability: SKIP_WAL -> none
attributes: {} | attributes: { readonly: true } | mapping hbase.attributes.readonly: none -> true
attributes: { hbase.hregion.majorcompaction: 0 } | attributes: { hbase.hregion.majorcompaction: 1 } | mapping hbase.attributes.hbase.hregion.majorcompaction: 0 -> 1
metadata: { owner: a } | metadata: { owner: b } | mapping hbase.metadata.owner: a -> b
";

/// Checks lines of an old declaration, a new one and the entries of their comparison but for the cosmetic ones; `table` makes a schema of
/// a declaration.
fn check_lines(lines: &str, table: impl Fn(&str) -> String) {
    for line in lines.trim().lines() {
        let [old, new, expected] = line.splitn(3, '|').map(str::trim).collect::<Vec<_>>()[..] else {
            panic!("three parts: {line}")
        };
        let entries = told(&compared(&table(old), &table(new)));
        let entries: Vec<&str> =
            entries.iter().map(String::as_str).filter(|entry| !entry.starts_with("cosmetic")).collect();
        assert_eq!(entries.join("; "), expected, "{line}");
    }
}

#[test]
fn attributes_of_a_table_are_compared() {
    let table = |attributes: &str| {
        format!(
            "saltplan: 1
hbase: {{ table: t, {attributes}, families: {{ f: {{}} }} }}
key: {{ fields: [{{ name: id, type: string }}] }}
"
        )
    };
    check_lines(TABLES, table);
}

#[test]
fn a_family_is_ranked_by_what_hbase_does_with_its_cells() {
    let table = |family: &str| {
        format!(
            "saltplan: 1
hbase: {{ table: t, families: {{ f: {family} }} }}
key: {{ fields: [{{ name: id, type: string }}] }}
"
        )
    };
    check_lines(FAMILIES, table);
}

#[test]
fn a_family_that_is_gone_takes_its_cells_with_it() {
    let table = |families: &str| {
        format!(
            "saltplan: 1\nhbase: {{ table: t, families: {{ {families} }} }}\nkey: {{ fields: [{{ name: id, type: string }}] }}\n"
        )
    };
    let (one, two) = (table("f: {}"), table("f: {}, g: { versions: 3 }"));
    assert_eq!(told(&compared(&two, &one)), ["data_loss - hbase.families.g"]);
    assert_eq!(told(&compared(&one, &two)), ["mapping + hbase.families.g"]);
    let renamed = compared(&one, &table("h: {}"));
    assert_eq!(told(&renamed), ["data_loss - hbase.families.f", "mapping + hbase.families.h"]);
    let gone = renamed.changes[0].consequence.expect("a consequence");
    assert!(gone.source.contains("ModifyTableProcedure"), "{gone:?}");
    assert!(renamed.changes[1].consequence.is_none());
}

#[test]
fn another_time_zone_moves_local_times() {
    let table = |zone: &str, salt: &str| {
        format!(
            "saltplan: 1
hbase: {{ table: t, families: {{ f: {{}} }} }}
key: {{ separator: _, {salt}fields: [{{ name: ts, type: timestamp, epoch: ms, encoding: decimal, min: '2020-01-01' }}, {{ name: id, type: string }}] }}
hive:
  mapping: {{ table: a.b, key_column: k }}
  target:
    table: a.c
    partition: [{{ name: dt, of: ts, format: yyyyMMdd }}]
    columns: [{{ name: at, from: key.ts, type: timestamp }}, {{ name: n, from: key.ts }}]
time_zone: {zone}
"
        )
    };
    let (utc, berlin) = (table("UTC", ""), table("Europe/Berlin", ""));
    let other = compared(&utc, &berlin);
    assert_eq!(
        told(&other),
        [
            "mapping hive.target.partition: dt int of key.ts as yyyyMMdd in UTC -> dt int of key.ts as yyyyMMdd in Europe/Berlin",
            "query key.fields.ts.window: from 2020-01-01 00:00:00 on -> from 2020-01-01 00:00:00 on (others)",
            "query hive.target.column.at.value: key.ts in UTC -> key.ts in Europe/Berlin",
            "query time_zone: UTC -> Europe/Berlin",
            "query key.fields.ts.local_times: UTC -> Europe/Berlin",
        ]
    );
    let local = other.changes.iter().find(|change| change.path.ends_with("local_times")).unwrap();
    assert!(local.consequence.is_some_and(|found| found.text.contains("get other keys")));
    let salted = |zone| {
        table(
            zone,
            "salt: { java_hash: { of: [{ field: ts, format: yyyyMMdd }], modulo: 4, abs: after, write: { decimal: 1 } } }, ",
        )
    };
    assert_eq!(
        told(&compared(&salted("UTC"), &salted("Europe/Berlin")))[0],
        "key key.salt.time_zone: UTC -> Europe/Berlin"
    );
}

#[test]
fn a_mapping_that_hive_owns_lets_it_drop_the_table() {
    let of =
        |external: bool| schema(&TWO, "").replace("rowkey }", &format!("rowkey, external: {external} }}"));
    let entry = |old, new| told(&compared(&of(old), &of(new)));
    assert_eq!(entry(true, false), ["data_loss hive.mapping.external: true -> false"]);
    assert_eq!(entry(false, true), ["mapping hive.mapping.external: false -> true"]);
}

/// Keys without a fact of their own, with all keys below them, and what compares them instead.
const COMPARED_OTHERWISE: &[(&str, &str)] = &[
    (".columns.*.name", "the list of columns"),
    (".hive.target.columns.*", "the value and the type of the column"),
    (".hive.target.partition.*", "the list of partition columns"),
    (".key.fields.*.descending", "`encoding`, how the field is stored"),
    (".key.fields.*.epoch", "`encoding`"),
    (".key.fields.*.max", "`numbers` and `window`"),
    (".key.fields.*.may_hold", "`chars`"),
    (".key.fields.*.pad", "`encoding`"),
    (".key.fields.*.hash.abs", "`number`"),
    (".key.fields.*.hash.charset", "`charset`, where it is given"),
    (".key.fields.*.hash.combine", "`joined_by`"),
    (".key.fields.*.hash.function", "`number`"),
    (".key.fields.*.hash.mask", "`number`"),
    (".key.fields.*.hash.of", "the list of inputs"),
    (".key.fields.*.hash.seed", "`number`"),
    (".key.fields.*.hash.write", "`write` as a whole"),
    (".key.salt.*.abs", "`number`"),
    (".key.salt.*.case", "`of`"),
    (".key.salt.*.chars", "`write`"),
    (".key.salt.*.combine", "`joined_by`"),
    (".key.salt.*.first", "`of`"),
    (".key.salt.*.function", "`number`"),
    (".key.salt.*.hash", "`number`"),
    (".key.salt.*.last", "`of`"),
    (".key.salt.*.of", "the list of inputs"),
    (".key.salt.*.plus", "`plus` as a whole"),
    (".key.salt.*.seed", "the encoded rows"),
    (".key.salt.*.then", "`key.salt.then`"),
    (".key.salt.*.width", "the encoded rows"),
    (".key.salt.*.write", "`write` as a whole"),
    (".key.separator", "`then` of the salt and of the fields"),
    (".regions", "the split keys"),
    (".saltplan", "nothing: it has one value"),
    (".workload", "nothing: it is for simulated rows only"),
];

const WITH_ALL_TABLES: &str = "
saltplan: 1
hbase: { table: t, attributes: { durability: ASYNC_WAL }, metadata: { owner: a }, families: { f: {} } }
key: { fields: [{ name: id, type: string }] }
hive:
  engine: mr
  mapping: { table: db.t_map, key_column: rowkey }
  view: db.t_view
  target: { table: db.t }
";

/// The paths of all keys below a value; `*` is an item of a list, or the scheme of a salt.
fn declared(form: &ValueType, path: &str, paths: &mut BTreeSet<String>) {
    for form in form.alternatives() {
        let keys = match form {
            ValueType::Map(map) => map.keys.to_vec(),
            ValueType::Forms(forms) => forms.keys(),
            ValueType::List(list) => {
                declared(&list.item, &format!("{path}.*"), paths);
                continue;
            }
            _ => continue,
        };
        for key in keys {
            let path =
                if path == ".key.salt" { ".key.salt.*".into() } else { format!("{path}.{}", key.name) };
            declared(&key.value, &path, paths);
            paths.insert(path);
        }
    }
}

/// The paths of the keys that facts compare, in all examples.
fn compared_paths() -> BTreeSet<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folders = ["schemas/examples", "tests/testdata/schemas", "tests/engines/salts"];
    let files = folders.iter().flat_map(|folder| std::fs::read_dir(root.join(folder)).expect("a folder"));
    let tables = files.filter_map(|file| Table::load(&file.expect("a file").path()).ok());
    let mut paths = BTreeSet::new();
    for table in tables.chain([Table::from_yaml(WITH_ALL_TABLES).expect("a schema")]) {
        let Ok(facts) = facts::of(&table, &[]) else { continue };
        for fact in facts {
            let is_scheme = |at: usize| at == 2 && fact.node[..2] == ["key", "salt"];
            let steps =
                fact.node.iter().enumerate().map(|(at, step)| {
                    if is_scheme(at) || step.parse::<usize>().is_ok() { "*" } else { step }
                });
            paths.insert(steps.fold(String::new(), |path, step| format!("{path}.{step}")));
        }
    }
    paths
}

fn is_below(path: &str, above: &str) -> bool {
    path.strip_prefix(above).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// A new key is compared, or the list says why it is not.
#[test]
fn every_key_is_compared() {
    let mut paths = BTreeSet::new();
    declared(&ValueType::Map(FILE.map), "", &mut paths);
    let compared = compared_paths();
    let others: Vec<&String> =
        paths.iter().filter(|path| !compared.iter().any(|fact| is_below(fact, path))).collect();
    let listed = |path: &str| COMPARED_OTHERWISE.iter().any(|(above, _)| is_below(path, above));
    let missing: Vec<_> = others.iter().filter(|path| !listed(path)).collect();
    assert!(missing.is_empty(), "neither compared nor listed: {missing:?}");
    let is_needed = |above: &str| others.iter().any(|path| is_below(path, above));
    let needless: Vec<_> = COMPARED_OTHERWISE.iter().filter(|(above, _)| !is_needed(above)).collect();
    assert!(needless.is_empty(), "listed, but compared: {needless:?}");
}

#[test]
fn another_engine_changes_what_is_printed() {
    let comparison = compared(WITH_ALL_TABLES, &WITH_ALL_TABLES.replace("engine: mr", "engine: tez"));
    assert_eq!(told(&comparison), ["query hive.engine: mr -> tez"]);
    let comparison = compared(&WITH_ALL_TABLES.replace("  engine: mr\n", ""), WITH_ALL_TABLES);
    assert_eq!(told(&comparison), ["query hive.engine: none -> mr"]);
}
