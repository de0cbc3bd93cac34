//! Every statement that the plan cases print is parsed and compiled by the real Hive (EXPLAIN).
//!
//! For every change, each of the two Hives on MapReduce compiles every sixteenth case, not the same ones; with `tests/engines/run --all`, or if
//! a trial is requested by name, all of them by each Hive.
//!
//! All mapping tables use one HBase table, which stays empty: statements are compiled, not run. On Hive 4,
//! they are native tables. Of branches that differ only in their range, two are compiled.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, ensure};
use libtest_mimic::Trial;
use saltplan_core::analyze::analyze;
use saltplan_core::ddl;
use saltplan_core::hive;
use saltplan_core::hive::query::QueryOptions;
use saltplan_core::plan::{DEFAULT_MAX_BRANCHES, Options, Plan, ResidualId, plan};
use saltplan_core::render::RenderError;
use saltplan_core::render::templates::Templates;
use saltplan_core::schema::model::{self, HiveTableName, Schema};
use saltplan_core::schema::{Loaded, load, read_file};
use saltplan_document::diag::Source;
use saltplan_law::expect::schema_file;
use saltplan_sql::{Parameters, parse};

use crate::engine::{Engine, Engines, trials_on};

/// The HBase table below all mapping tables.
const TABLE: &str = "saltplan_statements";
/// The number of branches per residual that are compiled.
const ALIKE: usize = 2;
/// The maximum number of failures that are shown.
const SHOWN: usize = 12;
/// For every change, a Hive compiles one of this many cases.
const IN_TURNS: usize = 16;

/// Comparisons of a bigint that `hive.strict.checks.type.safety` always refuses: with a text.
const UNSAFE: [&str; 4] =
    ["id < '1e400'", "ts + 1000 > '2020-04-06'", "n = c AND c = '7'", "card <= 9007199254740992"];
/// With a double, on Hive 2 and Hive 4.
const UNSAFE_DOUBLES: [&str; 6] = [
    "id >= 1e17",
    "id = 10 / 4",
    "coalesce(id, 1e0) = 9007199254740993",
    "nvl(id, 0e0) = 9007199254740993",
    "if(status = 'x', id, 0e0) = 9007199254740993",
    "CASE WHEN status = 'x' THEN id ELSE 0.5e0 END = 9007199254740993",
];
/// With a decimal, and a text with a decimal, on Hive 4.
const UNSAFE_DECIMALS: [&str; 3] =
    ["card = 99999999999999999998", "card > (99999999999999999999 - 1)", "card >= 5.9999999999999999"];

/// Statements that a Hive refuses before it reads a row: the start of the predicate, and words of what Hive says.
///
/// A function that only Hive 4 has, there an aggregate, may be one of the user's own elsewhere.
const REFUSED: [(&str, &str); 3] = [
    ("a = 'x' AND approx_distinct(a)", "Invalid function"),
    ("a = 'x' AND approx_distinct(a)", "UDAF"),
    ("id IN (cast('5' as varchar(3))", "should be the same type"),
];

pub fn trials(root: &Path, engines: &Engines, is_whole: bool) -> Vec<Trial> {
    let check = if is_whole { check_all } else { check_in_turns };
    let name = |engine| format!("statements::{engine}");
    let mut trials = trials_on(Engine::ALL, root, engines, name, check);
    trials.extend(trials_on([Engine::Hive4], root, engines, name, check));
    trials
}

fn check_all(root: &Path, engines: &Engines, engine: Engine) -> Result<()> {
    check(engines, engine, &cases(root)?)
}

fn check_in_turns(root: &Path, engines: &Engines, engine: Engine) -> Result<()> {
    let first = if engine == Engine::Mr2 { IN_TURNS / 2 } else { 0 };
    let cases: Vec<Case> = cases(root)?.into_iter().skip(first).step_by(IN_TURNS).collect();
    println!("statements::{engine}: {} cases, every {IN_TURNS}th one; all with --all", cases.len());
    check(engines, engine, &cases)
}

fn check(engines: &Engines, engine: Engine, cases: &[Case]) -> Result<()> {
    let mut schemas = BTreeMap::new();
    for name in cases.iter().map(|case| &case.schema).collect::<BTreeSet<_>>() {
        schemas.insert(name.as_str(), schema(name).with_context(|| name.clone())?);
    }
    create(engines, engine, &schemas)?;
    let (mut compiled, mut failures) = (0, Vec::new());
    for case in cases {
        let schema = &schemas.get(case.schema.as_str()).context("a schema that was not read")?.schema;
        for (kind, sql) in statements(schema, case, engine) {
            compiled += 1;
            let predicate = case.predicate.as_str();
            let is_unsafe = UNSAFE.contains(&predicate)
                || matches!(engine, Engine::Mr2 | Engine::Hive4) && UNSAFE_DOUBLES.contains(&predicate)
                || engine == Engine::Hive4 && UNSAFE_DECIMALS.contains(&predicate);
            match engines.script(engine, &explained(&sql)) {
                Ok(_) if is_unsafe => failures.push(format!("Hive takes {predicate}")),
                Err(error) if is_unsafe && format!("{error:#}").contains("Unsafe compares") => {}
                Err(error)
                    if REFUSED.iter().any(|(start, says)| {
                        predicate.starts_with(start) && format!("{error:#}").contains(says)
                    }) => {}
                Ok(_) => {}
                Err(error) => {
                    failures.push(format!("{predicate} of {}, {kind}: {error:#}", case.schema));
                }
            }
        }
    }
    let count = failures.len();
    failures.truncate(SHOWN);
    ensure!(
        failures.is_empty(),
        "{count} of {compiled} statements do not compile, such as\n{}",
        failures.join("\n")
    );
    ensure!(compiled > cases.len() / 2, "of {} cases only {compiled} statements are printed", cases.len());
    Ok(())
}

/// A case of `tests/testdata/plan`.
struct Case {
    schema: String,
    max_branches: usize,
    predicate: String,
}

fn cases(root: &Path) -> Result<Vec<Case>> {
    let folder = root.join("tests/testdata/plan");
    let mut files: Vec<PathBuf> =
        folder.read_dir()?.map(|entry| Ok(entry?.path())).collect::<Result<_, std::io::Error>>()?;
    files.sort();
    let mut cases = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file)?;
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            let Some(settings) = line.strip_prefix("plan ") else { continue };
            let setting = |name: &str| {
                settings.split_whitespace().find_map(|setting| setting.strip_prefix(name)?.strip_prefix('='))
            };
            let predicate: Vec<&str> = lines.by_ref().take_while(|line| *line != "----").collect();
            cases.push(Case {
                schema: setting("schema").unwrap_or("plain_concat").to_owned(),
                max_branches: setting("max_branches").map_or(Ok(DEFAULT_MAX_BRANCHES), str::parse)?,
                predicate: predicate.join("\n"),
            });
        }
    }
    ensure!(!cases.is_empty(), "no cases in {}", folder.display());
    Ok(cases)
}

/// A schema with separate tables; one without Hive tables gets a mapping table.
fn schema(name: &str) -> Result<Loaded> {
    let path = schema_file(name).context("no such schema")?;
    let source = read_file(&path).map_err(|errors| anyhow!("{errors}"))?;
    let source = if source.text.contains("\nhive:") {
        source
    } else {
        let hive = "hive:\n  mapping: { table: t, key_column: rowkey }\n";
        Source::new(name, format!("{}\n{hive}", source.text))
    };
    let mut loaded = load(&source).map_err(|errors| anyhow!("{errors}"))?;
    if loaded.schema.columns.is_empty() {
        // In Hive a mapping table cannot consist of the row key only.
        let family = &loaded.schema.hbase.families.first().context("no family")?.name;
        let column = format!("columns: [{{ name: other, type: string, hbase: '{family}:other' }}]\n");
        let source = Source::new(name, format!("{}\n{column}", source.text));
        loaded = load(&source).map_err(|errors| anyhow!("{errors}"))?;
    }
    let schema = &mut loaded.schema;
    schema.hbase.namespace = None;
    schema.hbase.qualifier = TABLE.into();
    let own = |suffix: &str| HiveTableName { database: None, table: format!("{TABLE}_{name}{suffix}") };
    if let Some(hive) = &mut schema.hive {
        if let Some(mapping) = &mut hive.mapping {
            mapping.table = own("");
            mapping.external = true;
        }
        if let Some(target) = &mut hive.target {
            target.table = own("_target");
        }
    }
    Ok(loaded)
}

fn create(engines: &Engines, engine: Engine, schemas: &BTreeMap<&str, Loaded>) -> Result<()> {
    let mut families: Vec<_> = schemas.values().flat_map(|loaded| &loaded.schema.hbase.families).collect();
    families.sort_by(|a, b| a.name.cmp(&b.name));
    families.dedup_by(|a, b| a.name == b.name);
    engines.client("drop", TABLE)?;
    let families: Vec<String> =
        families.iter().map(|family| format!("{{NAME => '{}'}}", family.name)).collect();
    engines.shell(&format!("create '{TABLE}', {}\n", families.join(", ")))?;
    let templates = Templates::new(None);
    let mut script = String::new();
    for Loaded { schema, places, .. } in schemas.values() {
        let hive = schema.hive.as_ref().context("no Hive tables")?;
        let mut table = |name: &HiveTableName, ddl: &str| {
            script += &format!("DROP TABLE IF EXISTS {};\n{ddl}\n", name.table);
        };
        let mapping = hive.mapping.as_ref().context("no mapping table")?;
        let ddl = ddl::mapping(schema, places, &templates)?;
        match engine {
            Engine::Hive4 => table(&mapping.table, &native(&ddl)?),
            _ => table(&mapping.table, &ddl),
        }
        if let Some(target) = &hive.target {
            table(&target.table, &ddl::target(schema, &templates)?);
        }
    }
    engines.begin(engine)?;
    engines.script(engine, &script)?;
    Ok(())
}

/// The table of a mapping table's DDL without a storage handler.
pub(crate) fn native(ddl: &str) -> Result<String> {
    let (columns, _) = ddl.split_once("\nSTORED BY").context("no storage handler")?;
    Ok(format!("{} STORED AS ORC;", columns.replacen("CREATE EXTERNAL TABLE", "CREATE TABLE", 1)))
}

/// The printed statements of a case: the query, the INSERT, and one INSERT per branch. Empty if the predicate
/// or the plan is refused.
fn statements(schema: &Schema, case: &Case, engine: Engine) -> Vec<(&'static str, String)> {
    let Some(plan) = planned(schema, case) else { return Vec::new() };
    let options = |select_only, shape| {
        let mut options = QueryOptions::default();
        options.engine = match engine {
            Engine::Tez | Engine::Hive4 => model::Engine::Tez,
            Engine::Mr | Engine::Mr2 => model::Engine::MapReduce,
        };
        options.shape = shape;
        options.max_bytes = 64 << 20;
        options.select_only = select_only;
        options.allow_partial = true;
        options
    };
    let into = || {
        let mut options = options(false, None);
        options.into = true;
        options
    };
    let kinds = [("query", options(true, None)), ("insert", options(false, None)), ("insert into", into())];
    let templates = Templates::new(None);
    let printed = kinds.into_iter().filter_map(|(kind, options)| {
        match hive::query::render(schema, &plan, &options, &templates) {
            Ok(query) => Some((kind, query.sql)),
            Err(RenderError::Refused(_)) => None,
            Err(error) => Some((kind, format!("{error}"))),
        }
    });
    printed.collect()
}

fn planned(schema: &Schema, case: &Case) -> Option<Plan> {
    let parsed = parse(&Source::new("predicate", case.predicate.as_str()), &Parameters::new()).ok()?;
    let analysis = analyze(schema, &parsed).ok()?;
    let options = Options { max_branches: case.max_branches, ..Options::default() };
    let mut plan = plan(schema, &analysis, options);
    let mut residuals: BTreeMap<Option<String>, usize> = BTreeMap::new();
    let ids: BTreeSet<ResidualId> = plan.branches.iter().filter_map(|branch| branch.residual).collect();
    let texts: BTreeMap<ResidualId, String> =
        ids.into_iter().map(|id| (id, plan.residual(id).expr.to_string())).collect();
    plan.branches.retain(|branch| {
        let residual = branch.residual.map(|id| texts[&id].clone());
        let count = residuals.entry(residual).or_default();
        *count += 1;
        *count <= ALIKE
    });
    Some(plan)
}

/// A script with EXPLAIN before each of its queries.
fn explained(sql: &str) -> String {
    let mut begins = true;
    let mut script = String::new();
    for line in sql.lines() {
        if begins && !line.starts_with("SET ") {
            script.push_str("EXPLAIN ");
            begins = false;
        }
        script.push_str(line);
        script.push('\n');
        begins |= line.ends_with(';');
    }
    script
}
