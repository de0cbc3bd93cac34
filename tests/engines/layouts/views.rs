//! The predicates of the layouts as plain queries on views, which Hive plans itself: each returns the rows of a native copy, and reads as
//! many rows of HBase as the statement that `plan` prints for the predicate. `views.txt` lists the others, each with its reason.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::sync::{Arc, PoisonError};

use anyhow::{Context, Result, ensure};
use chrono_tz::Tz;
use libtest_mimic::{Failed, Trial};

use super::read::Layout;
use super::{Lab, NUMBER, Shared};
use crate::cases;
use crate::engine::{Engine, Home, has_planner};
use crate::saltplan;

/// Of the predicates that `plan` narrows, this many of a hundred read the same rows.
const LEAST_PERCENT: usize = 95;
/// One in this many predicates is asked at every change.
const SAMPLE: usize = 16;
/// A session in another zone than that of the Java machine, in a Hive that has it.
const OTHER_ZONE: &str = "set hive.local.time.zone=Asia/Shanghai;\n";

/// For the copies that views are compared with: vectorised execution has had faults of its own.
const ROW_BY_ROW: &str = "set hive.vectorized.execution.enabled=false;\n";

/// For each engine a trial with all predicates, one with a few, and one in other time zones than those of the schemas.
pub fn trials(shared: &Shared, root: &Path, layouts: &[Arc<Layout>]) -> Vec<Trial> {
    let mut trials = Vec::new();
    // Sessions in the zone of a schema are others, so these layouts come last.
    let mut layouts = layouts.to_vec();
    layouts.sort_by_key(|layout| layout.zone.map(Tz::name));
    for engine in Engine::ALL.into_iter().chain([Engine::Hive4]) {
        let checks: [(&str, Check); 3] = [
            ("predicates", |lab, engine, layouts| lab.ask_views(engine, layouts, 1)),
            ("few_predicates", |lab, engine, layouts| lab.ask_views(engine, layouts, SAMPLE)),
            ("other_zones", Lab::ask_in_other_zones),
        ];
        for (name, check) in checks {
            let (shared, layouts) = (shared.clone(), layouts.clone());
            let trial = Trial::test(format!("planned::{engine}::{name}"), move || {
                let mut lab = shared.lab.lock().unwrap_or_else(PoisonError::into_inner);
                let asked = check(&mut lab, engine, &layouts);
                lab.engines.set_zone(None);
                asked.map_err(|error| Failed::from(format!("{error:#}")))
            });
            trials.push(trial.with_ignored_flag(!has_planner(root)));
        }
    }
    trials
}

type Check = fn(&mut Lab, Engine, &[Arc<Layout>]) -> Result<()>;

/// What is known of a predicate that is not as the others.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Difference {
    /// The view reads more rows than the statement of `plan`.
    Reads,
    /// Hive's own tables have other rows for it than `plan` promises.
    Meaning,
    /// Hive does not take it.
    Refused,
    /// The view cannot show a field.
    NoView,
}

const WORDS: [(&str, Difference); 4] = [
    ("reads", Difference::Reads),
    ("meaning", Difference::Meaning),
    ("refused", Difference::Refused),
    ("no_view", Difference::NoView),
];

/// The differences that `views.txt` lists for an engine, by the names of predicates.
fn listed(text: &str, engine: Engine) -> Result<BTreeSet<(String, Difference)>> {
    let mut listed = BTreeSet::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (head, reason) = line.split_once(": ").with_context(|| format!("`{line}` gives no reason"))?;
        ensure!(!reason.trim().is_empty(), "`{line}` gives no reason");
        let mut words = head.split_whitespace();
        let (word, name) = words.next().zip(words.next()).context("`DIFFERENCE NAME ENGINES: REASON`")?;
        let (_, difference) =
            WORDS.iter().find(|(known, _)| *known == word).with_context(|| format!("`{word}`"))?;
        let engines: Vec<&str> = words.collect();
        if engines.is_empty() || engines.contains(&engine.to_string().as_str()) {
            listed.insert((name.to_string(), *difference));
        }
    }
    Ok(listed)
}

/// A predicate that is asked.
struct Asked {
    name: String,
    predicate: String,
    /// The number of rows, if that is known.
    rows: Option<usize>,
}

/// A view of a layout.
struct View {
    name: String,
    /// The name of its native copy.
    native: String,
    /// The path of its schema.
    schema: String,
}

/// What was found.
#[derive(Default)]
struct Found {
    planned: usize,
    same: usize,
    asked: usize,
    differences: BTreeMap<(String, Difference), String>,
    faults: String,
}

impl Lab {
    fn ask_views(&mut self, engine: Engine, layouts: &[Arc<Layout>], step: usize) -> Result<()> {
        let path = self.root.join("tests/engines/views.txt");
        let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        let mut listed = listed(&text, engine)?;
        let more = cases::read_all(&self.root.join("tests/engines/cases"))?;
        let mut found = Found::default();
        let mut names = Vec::new();
        let mut count = 0_usize;
        for layout in layouts {
            let own = layout.cases.iter().map(|case| Asked {
                name: format!("{}::{}", layout.name, case.name),
                predicate: case.predicate.clone(),
                rows: Some(case.rows),
            });
            let others = more.iter().filter(|file| file.schema == layout.schema);
            let others = others.flat_map(|file| {
                file.cases.iter().map(|case| Asked {
                    name: format!("{}::case::{}", file.name, case.name),
                    predicate: case.predicate.clone(),
                    rows: None,
                })
            });
            let mut asked: Vec<Asked> = own.chain(others).collect();
            asked.retain(|_| {
                count += 1;
                (count - 1).is_multiple_of(step)
            });
            if asked.is_empty() {
                continue;
            }
            names.extend(asked.iter().map(|asked| asked.name.clone()));
            names.push(layout.name.clone());
            self.engines.set_zone(layout.zone.map(Tz::name));
            if let Err(error) = self.ask_view(engine, layout, &asked, &mut found) {
                let _ = writeln!(found.faults, "{}: {error:#}", layout.name);
            }
        }
        listed.retain(|(name, _)| names.contains(name));
        for ((name, difference), what) in &found.differences {
            if !listed.remove(&(name.clone(), *difference)) {
                let _ = writeln!(found.faults, "not listed: {difference:?} {name}: {what}");
            }
        }
        for (name, difference) in &listed {
            let _ = writeln!(found.faults, "listed, but not so: {difference:?} {name}");
        }
        let Found { planned, same, asked, differences, faults } = found;
        println!(
            "planned::{engine}: {asked} predicates, {planned} of them narrowed by `plan`, {same} read the same rows on the view; \
             {} differences",
            differences.len()
        );
        ensure!(faults.is_empty(), "{faults}");
        ensure!(same * 100 >= planned * LEAST_PERCENT, "{same} of {planned} read the same rows");
        Ok(())
    }

    fn ask_view(
        &mut self,
        engine: Engine,
        layout: &Layout,
        asked: &[Asked],
        found: &mut Found,
    ) -> Result<()> {
        let view = match self.view(engine, layout)? {
            Ok(view) => view,
            Err(why) => {
                found.differences.insert((layout.name.clone(), Difference::NoView), why);
                return Ok(());
            }
        };
        self.engines.begin(engine)?;
        // The statements of `plan` name their ranges themselves.
        self.engines.script(engine, "set saltplan.plan=false;\n")?;
        let planned = asked.iter().map(|asked| self.planned_reads(engine, layout, &view.schema, asked));
        let planned = planned.collect::<Result<Vec<_>>>()?;
        self.engines.script(engine, "set saltplan.plan=true;\nset hive.fetch.task.conversion=none;\n")?;
        for (asked, planned) in asked.iter().zip(planned) {
            found.asked += 1;
            let ask = |table: &str| {
                self.sorted(engine, &format!("SELECT * FROM {table} WHERE {}", asked.predicate))
            };
            let mut differs = |difference, what| {
                found.differences.insert((asked.name.clone(), difference), what);
            };
            let expected = match ask(&view.native) {
                Ok(rows) => rows,
                Err(error) => {
                    let message = format!("{error:#}");
                    differs(Difference::Refused, message.lines().last().unwrap_or_default().to_string());
                    continue;
                }
            };
            let before = self.handed_out(layout)?;
            let rows = ask(&view.name).with_context(|| asked.name.clone())?;
            let reads = self.handed_out(layout)? - before;
            if rows != expected {
                let _ = writeln!(
                    found.faults,
                    "{}: {} rows of {}: {rows:?}, expected {expected:?}",
                    asked.name,
                    rows.len(),
                    expected.len()
                );
                continue;
            }
            // Of another meaning other keys are read.
            if asked.rows.is_some_and(|rows| rows != expected.len()) {
                differs(Difference::Meaning, format!("{} rows in Hive", expected.len()));
                continue;
            }
            let Some(planned) = planned else { continue };
            found.planned += 1;
            if reads == planned {
                found.same += 1;
            } else {
                differs(Difference::Reads, format!("{reads}, `plan` {planned}"));
            }
        }
        Ok(())
    }

    /// Whatever the zones of the session and of the Java machine are, the rows are those of a native copy: of the layouts whose schema
    /// has a zone.
    fn ask_in_other_zones(&mut self, engine: Engine, layouts: &[Arc<Layout>]) -> Result<()> {
        let (mut faults, mut compared) = (String::new(), 0);
        for layout in layouts.iter().filter(|layout| layout.zone.is_some()) {
            self.engines.set_zone(None);
            let Ok(view) = self.view(engine, layout)? else { continue };
            let session = if engine.home() == Home::Hive2 { "" } else { OTHER_ZONE };
            for (zone, sets) in [(None, ""), (None, session), (Some("America/New_York"), session)] {
                self.engines.set_zone(zone);
                self.engines.begin(engine)?;
                self.engines.script(engine, sets)?;
                for case in &layout.cases {
                    let ask = |table: &str| {
                        self.sorted(engine, &format!("SELECT * FROM {table} WHERE {}", case.predicate))
                    };
                    let (found, expected) = (ask(&view.name), ask(&view.native));
                    let is_same = match (&found, &expected) {
                        (Ok(found), Ok(expected)) => {
                            compared += 1;
                            found == expected
                        }
                        // What Hive does not take of one table it does not take of the other.
                        (found, expected) => found.is_err() && expected.is_err(),
                    };
                    if !is_same {
                        let _ = writeln!(
                            faults,
                            "{}::{} in {zone:?} {sets:?}: {found:?}, expected {expected:?}",
                            layout.name, case.name
                        );
                    }
                }
            }
        }
        println!("planned::{engine}: {compared} answers compared in other zones");
        ensure!(faults.is_empty(), "{faults}");
        ensure!(compared > 30, "only {compared} answers compared");
        Ok(())
    }

    /// A view of a layout, with its mapping table and a native copy; or why `ddl` cannot print it.
    fn view(&mut self, engine: Engine, layout: &Layout) -> Result<Result<View, String>> {
        self.table(layout)?;
        let name = format!("view_{}", layout.name);
        let native = format!("{name}_native");
        let schema = self.schema_with_view(layout, &name)?;
        let printed = saltplan::run(&self.root, &["ddl", &schema, "--only", "mapping,view"], "");
        let tables = match printed {
            Ok(tables) => tables,
            Err(error) => return Ok(Err(format!("{error:#}"))),
        };
        if self.mapped.insert(format!("{:?} {name}", engine.home())) {
            let tables = match engine.home() {
                Home::Hive4 => tables.replace("io.saltplan.hive.RangesStorageHandler", "Bridge$Ranges"),
                _ => tables,
            };
            let maker = if engine == Engine::Tez { Engine::Mr } else { engine };
            self.engines.begin(maker)?;
            let script = format!(
                "DROP VIEW IF EXISTS {name};\nDROP TABLE IF EXISTS {name}_map;\n{tables}set saltplan.plan=false;\n{ROW_BY_ROW}\
                 DROP TABLE IF EXISTS {native};\nCREATE TABLE {native} STORED AS ORC AS SELECT * FROM {name};\n"
            );
            self.engines.script(maker, &script)?;
        }
        Ok(Ok(View { name, native, schema }))
    }

    /// The rows that HBase returns for the statement of `plan`; `None` if it prints none.
    fn planned_reads(
        &self,
        engine: Engine,
        layout: &Layout,
        schema: &str,
        asked: &Asked,
    ) -> Result<Option<u64>> {
        let arguments =
            ["plan", schema, &asked.predicate, "--select", "--no-header", "--quiet", "--engine", "mr"];
        let Ok(sql) = saltplan::run(&self.root, &arguments, "") else { return Ok(None) };
        let select = sql.find("SELECT").context("no SELECT")?;
        let before = self.handed_out(layout)?;
        self.sorted(engine, sql[select..].trim_end().trim_end_matches(';'))
            .with_context(|| asked.name.clone())?;
        Ok(Some(self.handed_out(layout)? - before))
    }

    fn sorted(&self, engine: Engine, sql: &str) -> Result<Vec<String>> {
        let mut rows = self.engines.query(engine, sql)?;
        rows.sort_unstable();
        Ok(rows)
    }

    /// The schema of a layout with a view in the place of its Hive tables, and with the number of the row as a column: Hive does not see
    /// a row of HBase that has no cell of any column.
    fn schema_with_view(&mut self, layout: &Layout, view: &str) -> Result<String> {
        let number = match self.table(layout)?.number {
            Some(_) => String::new(),
            None => format!("{{ name: row_number, type: string, hbase: '{}:{NUMBER}' }}", layout.family),
        };
        let path = self.root.join(&layout.schema);
        let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        let mut changed = String::new();
        let mut is_hive = false;
        for line in text.lines() {
            if !line.starts_with([' ', '#']) && !line.is_empty() {
                is_hive = line.starts_with("hive:");
            }
            if !is_hive {
                let _ = match line.strip_prefix("columns:") {
                    Some("") if !number.is_empty() => writeln!(changed, "columns:\n  - {number}"),
                    Some(rest) if !number.is_empty() => {
                        let others = rest.trim_start().strip_prefix('[').context("columns in brackets")?;
                        writeln!(changed, "columns: [ {number}, {others}")
                    }
                    _ => writeln!(changed, "{line}"),
                };
            }
        }
        let _ = writeln!(
            changed,
            "hive:\n  mapping: {{ table: {view}_map, key_column: rowkey, planned: true }}\n  view: {view}"
        );
        let file = saltplan::folder()?.join(format!("{view}.yaml"));
        fs::write(&file, changed)?;
        Ok(file.to_string_lossy().into_owned())
    }
}
