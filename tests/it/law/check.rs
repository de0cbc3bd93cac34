//! One case of the law: a table, a predicate, the rows of a small universe.

use std::fmt;

use saltplan::diag::Source;
use saltplan::key::Value;
use saltplan::plan::{Branch, Kind as PlanKind, Options, Plan, plan};
use saltplan::predicate::{Meaning, Parameters, Predicate, lower, parse};
use saltplan::schema::{load, model::Schema};
use sqlparser::ast::Expr;

use super::calendar;
use super::predicate::{Shape, Writer};
use super::sql::{self, Row, V, holds};
use super::table::{Cell, Kind, Scheme, Table, pool};

/// Values of one field in a universe, and rows in all, at most.
const MAX_POOL: usize = 9;
const MAX_ROWS: usize = 250;

/// Shown as what is needed to repeat it by hand.
pub struct Case {
    pub table: Table,
    pub text: String,
    pub max_branches: usize,
    rows: Vec<FullRow>,
}

/// A row with its columns, and what SQL sees of it.
struct FullRow {
    cells: Vec<Cell>,
    values: Vec<(String, V)>,
}

impl fmt::Debug for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "max_branches={}\n{}\n  {}\n", self.max_branches, self.table.yaml(), self.text)
    }
}

/// Small numbers that look random and are the same every time.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }
}

impl Case {
    pub fn new(table: Table, shape: &Shape, seed: u64, max_branches: usize) -> Self {
        let mut random = Random(seed);
        let pools: Vec<Vec<Cell>> =
            table.fields.iter().map(|field| few(pool(&field.kind, &table), &mut random)).collect();
        let text = Writer { table: &table, pools: &pools }.write(shape);
        let rows = rows(&table, &pools, &text, &mut random);
        Case { table, text, max_branches, rows }
    }

    pub fn with_text(&self, text: String) -> Self {
        let rows =
            self.rows.iter().map(|row| FullRow { cells: row.cells.clone(), values: row.values.clone() });
        Case { table: self.table.clone(), text, max_branches: self.max_branches, rows: rows.collect() }
    }

    pub fn schema(&self) -> Schema {
        let yaml = self.table.yaml();
        load(&Source::new("schema", yaml.clone())).unwrap_or_else(|errors| panic!("{errors}\n{yaml}")).schema
    }

    pub fn plan(&self, schema: &Schema) -> Plan {
        let source = Source::new("predicate", self.text.clone());
        let parsed = parse(&source, &Parameters::new()).unwrap_or_else(|e| panic!("{e}"));
        let lowered = lower(schema, &parsed).unwrap_or_else(|e| panic!("{e}"));
        plan(schema, &lowered, Options { max_branches: self.max_branches, split_keys: None })
    }

    pub fn check_law(&self) -> Result<(), String> {
        let plan = self.plan(&self.schema());
        self.check_shape(&plan)?;
        let residuals = self.residuals(&plan);
        let expr = sql::parse(&self.text);
        for row in &self.rows {
            let wanted = holds(&expr, &row.sql(&self.table));
            for (salt, key) in self.table.keys(&row.cells) {
                self.check_row(&plan, &residuals, row, &key, wanted).map_err(|what| {
                    format!(
                        "{what}\nrow {:?}\nsalt {salt:?} key {:?}\n{}",
                        row.values,
                        shown(&key),
                        outline(&plan)
                    )
                })?;
            }
        }
        Ok(())
    }

    fn check_row(
        &self,
        plan: &Plan,
        residuals: &[Option<Expr>],
        row: &FullRow,
        key: &[u8],
        wanted: bool,
    ) -> Result<(), String> {
        let mut inside = 0;
        let mut yielded = 0;
        for (branch, residual) in plan.branches.iter().zip(residuals) {
            if !contains(branch, key) {
                continue;
            }
            inside += 1;
            let by_text = residual.as_ref().is_none_or(|expr| holds(expr, &row.sql(&self.table)));
            if let Some(residual) = &branch.residual {
                let by_form = self.accepts(&residual.predicate, row);
                if by_form != by_text {
                    return Err(format!("the residual's form says {by_form}, its text {by_text}"));
                }
            }
            yielded += usize::from(by_text);
        }
        match (wanted, yielded) {
            _ if inside > 1 => Err(format!("not disjoint: {inside} branches hold the key")),
            (true, 0) if inside == 0 => Err("not complete: no branch holds the key".into()),
            (true, 0) => Err("not complete: the residual drops the row".into()),
            (false, 1) => {
                Err("not sound: the branch yields a row for which the predicate is not true".into())
            }
            _ => Ok(()),
        }
    }

    fn residuals(&self, plan: &Plan) -> Vec<Option<Expr>> {
        plan.branches.iter().map(|b| b.residual.as_ref().map(|r| sql::parse(&r.text.to_string()))).collect()
    }

    /// What can be said of a plan without rows.
    fn check_shape(&self, plan: &Plan) -> Result<(), String> {
        let fail = |what: &str| Err(format!("{what}\n{}", outline(plan)));
        if plan.branches.len() > self.max_branches {
            return fail(&format!("{} branches, {} allowed", plan.branches.len(), self.max_branches));
        }
        let ordered = plan
            .branches
            .windows(2)
            .all(|pair| pair[0].range.stop.as_ref().is_some_and(|stop| *stop <= pair[1].range.start));
        if !ordered || plan.branches.iter().any(|branch| branch.range.is_empty()) {
            return fail("branches are empty, out of order or overlap");
        }
        let mut salts: Vec<_> = plan.branches.iter().map(|branch| &branch.salt).collect();
        salts.dedup();
        let expected = match plan.branches.as_slice() {
            [] => PlanKind::Empty,
            [only] if only.range.start.is_empty() && only.range.stop.is_none() => PlanKind::FullScan,
            _ if salts.len() > 1 => PlanKind::FanOut,
            [only] if is_point(only) => PlanKind::Point,
            _ => PlanKind::Range,
        };
        if plan.kind != expected {
            return fail(&format!("kind {expected:?} expected"));
        }
        if plan.salts.is_some() != self.table.salt.is_some() {
            return fail("a share of salts is for tables with a salt");
        }
        let full = plan.kind == PlanKind::FullScan;
        if plan.salts.is_some_and(|share| !full && share.part != salts.len() as u128) {
            return fail("the salts are miscounted");
        }
        Ok(())
    }

    fn accepts(&self, predicate: &Predicate, row: &FullRow) -> bool {
        match predicate {
            Predicate::All(arms) => arms.iter().all(|arm| self.accepts(arm, row)),
            Predicate::Any(arms) => arms.iter().any(|arm| self.accepts(arm, row)),
            Predicate::Condition(condition) => match &condition.meaning {
                Meaning::Field { field, values } => {
                    let kind = &self.schema_kind(*field);
                    values.contains(kind, &planner_value(&self.table.fields[*field].kind, &row.cells[*field]))
                }
                Meaning::SaltInput { input, values } => {
                    let of = match &self.table.salt.as_ref().expect("a salt").scheme {
                        Scheme::Md5 { of: Some(of), .. } | Scheme::JavaHash { of, .. } => of,
                        other => panic!("{other:?} has no inputs to give hints on"),
                    };
                    values.contains(&self.table.input(&of[*input], &row.cells))
                }
                Meaning::Opaque { .. } => {
                    holds(&sql::parse(&condition.text.to_string()), &row.sql(&self.table))
                }
            },
        }
    }

    fn schema_kind(&self, field: usize) -> saltplan::schema::model::FieldKind {
        self.schema().key.fields.swap_remove(field).kind
    }
}

impl FullRow {
    fn sql<'a>(&'a self, table: &Table) -> Row<'a> {
        Row { values: &self.values, zone: table.tz() }
    }
}

fn contains(branch: &Branch, key: &[u8]) -> bool {
    branch.range.start.as_slice() <= key
        && branch.range.stop.as_ref().is_none_or(|stop| key < stop.as_slice())
}

fn is_point(branch: &Branch) -> bool {
    branch.range.stop.as_ref().is_some_and(|stop| *stop == [branch.range.start.as_slice(), &[0]].concat())
}

fn planner_value(kind: &Kind, cell: &Cell) -> Value {
    match (kind, cell) {
        (_, Cell::Text(text)) => Value::Text(text.clone()),
        (_, Cell::Number(number)) => Value::Number(*number),
        (Kind::Calendar { pattern }, Cell::At(at)) => Value::Number(calendar::ordinal(pattern, *at)),
        other => panic!("{other:?}"),
    }
}

/// A run of neighbours from the pool, and its ends.
fn few(pool: Vec<Cell>, random: &mut Random) -> Vec<Cell> {
    if pool.len() <= MAX_POOL {
        return pool;
    }
    let start = random.below(pool.len());
    let step = 1 + random.below(3);
    let mut some: Vec<Cell> =
        (0..MAX_POOL - 2).map(|i| pool[(start + i * step) % pool.len()].clone()).collect();
    some.extend([pool[0].clone(), pool[pool.len() - 1].clone()]);
    some
}

fn rows(table: &Table, pools: &[Vec<Cell>], text: &str, random: &mut Random) -> Vec<FullRow> {
    let all: usize = pools.iter().map(Vec::len).product();
    let mut rows = Vec::new();
    for number in 0..all.min(MAX_ROWS) {
        let mut rest = number;
        let cells: Vec<Cell> = pools
            .iter()
            .map(|pool| {
                let at = if all <= MAX_ROWS { rest % pool.len() } else { random.below(pool.len()) };
                rest /= pool.len();
                pool[at].clone()
            })
            .collect();
        let status = [V::Text("ok".into()), V::Null, V::Text("bad".into())][random.below(3)].clone();
        let amount = [V::integer(3), V::Null, V::integer(1), V::integer(7)][random.below(4)].clone();
        let mut values: Vec<(String, V)> = table
            .fields
            .iter()
            .zip(&cells)
            .map(|(field, cell)| (field.name.to_string(), field.kind.value(cell)))
            .collect();
        values.extend([("status".to_string(), status), ("amount".to_string(), amount)]);
        rows.push(FullRow { cells, values });
    }
    if prints_instants(text) {
        rows.retain(|row| row.values.iter().all(|(_, value)| is_printable(value, table)));
    }
    rows
}

fn prints_instants(text: &str) -> bool {
    ["date_format(", "year(", "month(", "day(", "from_unixtime(", "to_date(", "as date"]
        .iter()
        .any(|f| text.contains(f))
}

/// Whether the calendar can show the value: SQL engines do not agree on what lies outside.
fn is_printable(value: &V, table: &Table) -> bool {
    match (value, table.tz()) {
        (V::Instant(number, unit), Some(zone)) => {
            let at = number.checked_mul(*unit).and_then(|ms| calendar::local(zone, ms));
            at.is_some_and(|at| (1..=9999).contains(&chrono::Datelike::year(&at)))
        }
        _ => true,
    }
}

fn outline(plan: &Plan) -> String {
    let mut lines = vec![format!("{:?} {:?}", plan.kind, plan.salts)];
    lines.extend(plan.branches.iter().take(20).map(|branch| {
        let stop = branch.range.stop.as_deref().map_or("end".to_string(), shown);
        let residual = branch.residual.as_ref().map_or(String::new(), |residual| residual.text.to_string());
        format!("[{}, {stop}) {residual}", shown(&branch.range.start))
    }));
    lines.extend(plan.notes.iter().map(|note| format!("{}: {}", note.code, note.message)));
    lines.join("\n")
}

fn shown(key: &[u8]) -> String {
    key.iter()
        .map(
            |byte| {
                if byte.is_ascii_graphic() { char::from(*byte).to_string() } else { format!("\\x{byte:02x}") }
            },
        )
        .collect()
}
