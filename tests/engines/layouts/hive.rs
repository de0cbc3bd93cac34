//! The cases of a layout in Hive: the printed INSERT OVERWRITE fills the target table with the rows of the
//! predicate and the decoded key fields, and HBase returns only the rows of the ranges.

use std::time::Instant;

use ::saltplan_core::schema::model::{TargetTable, TargetValue};
use anyhow::{Context, Result, ensure};

use super::read::{Case, Kind, Layout};
use super::{Lab, Row, Table};
use crate::engine::Engine;
use crate::keys::plain;
use crate::project::Measured;
use crate::saltplan;
use saltplan_law::{calendar, sql};

impl Lab {
    pub fn check_hive(&mut self, engine: Engine, layout: &Layout, case: &Case) -> Result<Measured> {
        let table = self.table(layout)?;
        let hive = table.schema.hive.as_ref().context("the schema has no Hive tables")?;
        let target = hive.target.as_ref().context("the schema has no target table")?;
        let expected = expected(layout, case, &table, target)?;
        self.map(engine, layout)?;
        let statement = self.plan(engine, layout, case)?;
        self.engines.begin(engine)?;
        let target_name = full_name(target);
        let create = self.ddl(layout, "target")?;
        self.engines.script(engine, &format!("DROP TABLE IF EXISTS {target_name};\n{create}"))?;

        let before = self.handed_out(layout)?;
        let begin = Instant::now();
        self.engines.script(engine, &statement)?;
        let elapsed = begin.elapsed();
        let reads = self.handed_out(layout)? - before;

        let columns = target_columns(&table, target).map(|name| format!("cast(`{name}` as string)"));
        let select = format!("SELECT {} FROM {target_name}", columns.collect::<Vec<_>>().join(", "));
        let mut found = self.engines.query(engine, &select)?;
        found.sort_unstable();
        ensure!(found == expected, "Hive has\n{found:#?}\nexpected\n{expected:#?}\nafter\n{statement}");
        let allowed = case.reads.unwrap_or(case.handed.unwrap_or(case.rows) as u64);
        ensure!(
            reads <= allowed,
            "HBase handed out {reads} of {} rows, expected {allowed}",
            table.rows.len()
        );
        Ok(Measured { rows: found.len(), reads, elapsed })
    }

    /// Hive could not run the plan correctly, and saltplan refuses it for both engines.
    pub fn check_refusal(&self, layout: &Layout, case: &Case) -> Result<()> {
        for engine in [Engine::Tez, Engine::Mr] {
            let Err(error) = self.plan(engine, layout, case) else {
                anyhow::bail!("{engine}: a plan is printed");
            };
            let message = format!("{error:#}");
            ensure!(message.contains("exit status: 1") && message.contains(&case.refuses), "{message}");
        }
        Ok(())
    }

    fn plan(&self, engine: Engine, layout: &Layout, case: &Case) -> Result<String> {
        let schema = layout.schema.to_string_lossy();
        let mut arguments =
            vec!["plan", &schema, &case.predicate, "--allow-partial", "--engine", engine.option()];
        arguments.extend(case.arguments.iter().map(String::as_str));
        saltplan::run(&self.root, &arguments, "")
    }

    fn ddl(&self, layout: &Layout, part: &str) -> Result<String> {
        saltplan::run(&self.root, &["ddl", &layout.schema.to_string_lossy(), "--only", part], "")
    }

    /// The printed mapping table, created once in each metastore.
    fn map(&mut self, engine: Engine, layout: &Layout) -> Result<()> {
        if self.mapped.insert(format!("{:?} {}", engine.home(), layout.name)) {
            let mapping = self.ddl(layout, "mapping")?;
            self.engines.begin(engine)?;
            self.engines.script(engine, &mapping)?;
        }
        Ok(())
    }

    /// The number of rows that HBase returned to clients.
    pub(super) fn handed_out(&self, layout: &Layout) -> Result<u64> {
        Ok(self.engines.client("reads", &layout.table)?.parse()?)
    }
}

fn full_name(target: &TargetTable) -> String {
    let name = &target.table;
    name.database.iter().chain([&name.table]).map(String::as_str).collect::<Vec<_>>().join(".")
}

/// The compared columns: the row number and the decoded key fields.
fn target_columns<'a>(table: &'a Table, target: &'a TargetTable) -> impl Iterator<Item = &'a str> {
    let number = target.columns.iter().filter(|column| match column.value {
        TargetValue::Column(column) => Some(column) == table.number,
        _ => false,
    });
    let fields = target.columns.iter().filter(|column| matches!(column.value, TargetValue::KeyField(_)));
    number.chain(fields).map(|column| column.name.as_str())
}

/// The rows of the target in the form of the oracle, sorted.
fn expected(layout: &Layout, case: &Case, table: &Table, target: &TargetTable) -> Result<Vec<String>> {
    let predicate = sql::parse(&case.predicate);
    let mut rows = Vec::new();
    for (number, row) in table.rows.iter().enumerate() {
        if sql::holds(&predicate, &sql::Row { values: &row.values, zone: layout.zone }) {
            let mut cells = vec![number.to_string()];
            for column in &target.columns {
                if let TargetValue::KeyField(index) = column.value {
                    cells.push(decoded(
                        layout,
                        row,
                        &table.schema.key.fields[index].name,
                        column.hive_type.as_ref().map(ToString::to_string).as_deref(),
                    )?);
                }
            }
            rows.push(cells.join("\t"));
        }
    }
    rows.sort_unstable();
    ensure!(
        rows.len() == case.rows,
        "{} rows satisfy the predicate, the case says {}",
        rows.len(),
        case.rows
    );
    Ok(rows)
}

/// A key field as Hive casts it to a string.
fn decoded(layout: &Layout, row: &Row, name: &str, hive_type: Option<&str>) -> Result<String> {
    let field = layout.fields.iter().find(|field| field.name == name).context("no values")?;
    if row.json[name].is_null() {
        return Ok("\\N".into());
    }
    let text = plain(&row.json[name]);
    let Kind::Calendar(pattern) = &field.kind else { return Ok(text) };
    let shown = match hive_type {
        Some("date") => "%Y-%m-%d",
        Some("timestamp") => "%Y-%m-%d %H:%M:%S",
        // An int or a string is the stored form.
        _ => return Ok(text),
    };
    let at = calendar::parse(pattern, &text).context("no date")?;
    Ok(at.format(shown).to_string())
}
