//! One case of the property: a table, a predicate, and the rows of a small universe.

#![expect(clippy::missing_errors_doc, reason = "an error is always the broken law, told in full")]

use std::cell::OnceCell;
use std::fmt;

use saltplan_core::diag::Source;
use saltplan_core::hiveql::ast::Node;
use saltplan_core::hiveql::{Parameters, parse};
use saltplan_core::key::Value;
use saltplan_core::key::field::FieldId;
use saltplan_core::key::id::Id;
use saltplan_core::key::range::KeyRanges;
use saltplan_core::key::salt;
use saltplan_core::plan::{Branch, DEFAULT_MAX_RESIDUAL_BYTES, Options, Plan, PlanKind, plan};
use saltplan_core::predicate::{Constraint, Implied, Meaning, ValueSet, analyze};
use saltplan_core::schema::{load, model::Schema};

use crate::calendar;
use crate::predicate::PredicateWriter;
use crate::sql::{self, Row, V, holds};
use crate::table::{Cell, Cut, Field, Input, Kind, Table};

/// The maximum numbers of values of one field and of rows in a universe.
const MAX_POOL: usize = 9;
const MAX_ROWS: usize = 250;

/// Shown on failure: everything that is needed to repeat the case by hand.
pub struct Case {
    table: Table,
    /// One predicate, or several that the check relates to each other.
    texts: Vec<String>,
    max_branches: usize,
    max_residual_bytes: usize,
    rows: Vec<FullRow>,
}

/// A row with its columns, and its values for SQL.
struct FullRow {
    cells: Vec<Cell>,
    values: Vec<(String, V)>,
}

impl fmt::Debug for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "max_branches={} max_residual_bytes={}\n{}\n  {}\n",
            self.max_branches,
            self.max_residual_bytes,
            self.table.yaml(),
            self.texts.join("\n  ")
        )
    }
}

/// Small pseudo-random numbers that are always the same.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }
}

impl Case {
    pub fn new(
        table: Table,
        seed: u64,
        max_branches: usize,
        write: impl FnOnce(&PredicateWriter<'_>) -> Vec<String>,
    ) -> Self {
        let mut random = Random(seed);
        let pools: Vec<Vec<Cell>> =
            (0..table.fields.len()).map(|index| few(table.pool(index), &mut random)).collect();
        let texts = write(&PredicateWriter { table: &table, pools: &pools });
        let rows = rows(&table, &pools, &texts.concat(), &mut random);
        // Long conditions are restricted to the values of a range; with a small limit all conditions are
        // long.
        let max_residual_bytes = [DEFAULT_MAX_RESIDUAL_BYTES, 300, 0][random.below(3)];
        Case { table, texts, max_branches, max_residual_bytes, rows }
    }

    fn planned(&self, text: &str) -> Planned<'_> {
        self.planned_with(text, self.max_branches)
    }

    fn planned_with(&self, text: &str, max_branches: usize) -> Planned<'_> {
        let schema = self.schema();
        let source = Source::new("predicate", text);
        let parsed = parse(&source, &Parameters::new()).unwrap_or_else(|e| panic!("{e}"));
        let analysis = analyze(&schema, &parsed).unwrap_or_else(|e| panic!("{e}"));
        let plan = plan(
            &schema,
            &analysis,
            Options { max_branches, max_residual_bytes: self.max_residual_bytes, ..Options::default() },
        );
        let residuals = plan.branches.iter().map(|_| OnceCell::new()).collect();
        Planned { case: self, schema, plan, residuals }
    }

    fn schema(&self) -> Schema {
        let yaml = self.table.yaml();
        load(&Source::new("schema", yaml.clone())).unwrap_or_else(|errors| panic!("{errors}\n{yaml}")).schema
    }

    /// The plan of the first predicate, checked with every row of the universe.
    pub fn check_law(&self) -> Result<(), String> {
        let text = &self.texts[0];
        let planned = self.planned(text);
        let fail = |what: String| Err(format!("{what}\n{}", outline(&planned.plan)));
        if let Err(what) = self.check_shape(&planned.plan) {
            return fail(what);
        }
        let expr = sql::parse(text);
        for (row, key) in self.rows_with_keys() {
            let wanted = holds(&expr, &row.sql(&self.table));
            if let Err(what) = planned.check_row(row, &key, wanted) {
                return fail(format!("{what}\nrow {:?}\nkey {}", row.values, shown(&key)));
            }
        }
        Ok(())
    }

    /// HBase has no empty row key, so there is no such row.
    fn rows_with_keys(&self) -> impl Iterator<Item = (&FullRow, Vec<u8>)> {
        self.rows
            .iter()
            .flat_map(|row| self.table.keys(&row.cells).into_iter().map(move |key| (row, key)))
            .filter(|(_, key)| !key.is_empty())
    }

    /// Every row satisfies exactly one of the predicates.
    pub fn check_partition(&self) -> Result<(), String> {
        let planned: Vec<Planned<'_>> = self.texts.iter().map(|text| self.planned(text)).collect();
        for (row, key) in self.rows_with_keys() {
            let yielded: usize = planned.iter().map(|planned| planned.yields(row, &key)).sum();
            if yielded != 1 {
                return Err(format!("{yielded} parts hold the row {:?}\n{}", row.values, outlines(&planned)));
            }
        }
        Ok(())
    }

    /// All predicates read the same keys and give the same rows.
    pub fn check_same(&self) -> Result<(), String> {
        let planned: Vec<Planned<'_>> = self.texts.iter().map(|text| self.planned(text)).collect();
        let (first, others) = planned.split_first().expect("a predicate");
        for other in others {
            if first.is_exact() && other.is_exact() && first.keys() != other.keys() {
                return Err(format!("the ranges differ\n{}", outlines(&planned)));
            }
            for (row, key) in self.rows_with_keys() {
                if first.yields(row, &key) != other.yields(row, &key) {
                    return Err(format!("the plans differ in {:?}\n{}", row.values, outlines(&planned)));
                }
            }
        }
        Ok(())
    }

    /// The first predicate is the conjunction of the others, one for each field of the key, some of them
    /// empty.
    pub fn check_tight(&self) -> Result<(), String> {
        let planned = self.planned(&self.texts[0]);
        let is_exact = |field: &Field| !field.stored || field.kind.is_cut_with_certainty();
        if !planned.is_exact() || !self.table.fields.iter().all(is_exact) {
            return Ok(());
        }
        let sides: Vec<Option<Node>> =
            self.texts[1..].iter().map(|side| (!side.is_empty()).then(|| sql::parse(side))).collect();
        let is_single = |side: &str| side.contains(" = ") || side.contains(" IN (");
        let leading: Vec<usize> = {
            let stored = (0..sides.len()).filter(|index| self.table.fields[*index].stored);
            let mut known = true;
            let is_led = |index: &usize| {
                let was_known = known;
                known &= is_single(&self.texts[index + 1]);
                was_known && sides[*index].is_some()
            };
            stored.take_while(is_led).collect()
        };
        for (row, key) in self.rows_with_keys() {
            if !planned.reads(&key) {
                continue;
            }
            let values = row.sql(&self.table);
            let loose = leading.iter().find(|index| {
                let side = sides[**index].as_ref().expect("a condition");
                !holds(side, &values)
            });
            if let Some(loose) = loose {
                return Err(format!(
                    "loose: {} is not true for a row that is read\nrow {:?}\nkey {}\n{}",
                    self.texts[loose + 1],
                    row.values,
                    shown(&key),
                    outline(&planned.plan)
                ));
            }
        }
        Ok(())
    }

    /// The second predicate reads only rows that the first one reads. It has more conditions, and so more
    /// ranges for the same rows, so its limit is higher.
    pub fn check_narrower(&self) -> Result<(), String> {
        let [wide, narrow] = [(0, self.max_branches), (1, self.max_branches * 256)]
            .map(|(text, limit)| self.planned_with(&self.texts[text], limit));
        if wide.is_widened() || narrow.is_widened() || narrow.keys().is_subset(&wide.keys()) {
            return Ok(());
        }
        // A range after a salt that none of its rows has is useless.
        match self.rows_with_keys().find(|(_, key)| narrow.reads(key) && !wide.reads(key)) {
            Some((row, _)) => Err(format!("wider: {:?} is read\n{}", row.values, outlines(&[wide, narrow]))),
            None => Ok(()),
        }
    }

    /// Checks of a plan without rows.
    fn check_shape(&self, plan: &Plan) -> Result<(), String> {
        let fail = |what: &str| Err(what.to_string());
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
}

/// A plan with everything that is needed to check rows.
struct Planned<'a> {
    case: &'a Case,
    schema: Schema,
    plan: Plan,
    /// The residuals by branch, printed and read again when a row asks: thousands of long ones would take all memory.
    residuals: Vec<OnceCell<Option<Node>>>,
}

impl Planned<'_> {
    /// Whether ranges were merged to reduce their number.
    fn is_widened(&self) -> bool {
        self.plan.notes.iter().any(|note| note.code() == "widened" || note.code().starts_with("too_many"))
    }

    /// Whether every condition was used.
    fn is_exact(&self) -> bool {
        !self.is_widened() && self.plan.notes.iter().all(|note| note.code() != "not_used")
    }

    fn keys(&self) -> KeyRanges {
        KeyRanges::from_intervals(self.plan.branches.iter().map(|branch| branch.range.clone()).collect())
    }

    /// The number of branches that contain the row.
    fn yields(&self, row: &FullRow, key: &[u8]) -> usize {
        let row = row.sql(&self.case.table);
        let branches = self.plan.branches.iter().zip(&self.residuals);
        let printed =
            |branch| self.plan.residual_of(branch).map(|residual| sql::parse(&residual.expr.to_string()));
        let is_left = |branch, read: &OnceCell<Option<Node>>| {
            read.get_or_init(|| printed(branch)).as_ref().is_none_or(|residual| holds(residual, &row))
        };
        branches.filter(|(branch, read)| contains(branch, key) && is_left(branch, read)).count()
    }

    fn reads(&self, key: &[u8]) -> bool {
        self.plan.branches.iter().any(|branch| contains(branch, key))
    }

    fn check_row(&self, row: &FullRow, key: &[u8], wanted: bool) -> Result<(), String> {
        let inside: Vec<&Branch> = self.plan.branches.iter().filter(|branch| contains(branch, key)).collect();
        let yielded = self.yields(row, key) > 0;
        for residual in inside.iter().filter_map(|branch| self.plan.residual_of(branch)) {
            let by_form = self.accepts(&residual.constraint, row);
            if by_form != yielded {
                return Err(format!("the residual's form says {by_form}, its text {yielded}"));
            }
        }
        match (inside.len(), wanted, yielded) {
            (2.., ..) => Err(format!("not disjoint: {} branches hold the key", inside.len())),
            (0, true, _) => Err("not complete: no branch holds the key".into()),
            (_, true, false) => Err("not complete: the residual drops the row".into()),
            (_, false, true) => {
                Err("not sound: the branch yields a row for which the predicate is not true".into())
            }
            _ => Ok(()),
        }
    }

    fn accepts(&self, constraint: &Constraint, row: &FullRow) -> bool {
        match constraint {
            Constraint::All(arms) => arms.iter().all(|arm| self.accepts(arm, row)),
            Constraint::Any(arms) => arms.iter().any(|arm| self.accepts(arm, row)),
            Constraint::Condition(condition) => match &condition.meaning {
                Meaning::Tight { field, values } => self.has_value(*field, values, row),
                Meaning::Checked(checked) => {
                    checked.implied.as_ref().is_none_or(|implied| self.may_hold(implied, row))
                        && holds(&condition.expr, &row.sql(&self.case.table))
                }
            },
        }
    }

    /// Whether a row has what a condition implies.
    fn may_hold(&self, implied: &Implied, row: &FullRow) -> bool {
        match implied {
            Implied::All(parts) => parts.iter().all(|part| self.may_hold(part, row)),
            Implied::Any(parts) => parts.iter().any(|part| self.may_hold(part, row)),
            Implied::Field(field, values) => self.has_value(*field, values, row),
            Implied::SaltInput { input, values } => {
                // Bytes of the key have the inputs that the planner takes them for.
                let key = &self.schema.key;
                let inputs = key.salt.as_ref().expect("a salt").inputs(&key.fields);
                let planned = &inputs[*input];
                let cut = match &planned.cut {
                    salt::Cut::Whole => Cut::Whole,
                    salt::Cut::First(count) => Cut::First(*count),
                    salt::Cut::Last(count) => Cut::Last(*count),
                    other => panic!("no hint is on {other:?}"),
                };
                let input = Input { field: planned.field.position(), cut, lower: planned.lower };
                values.contains(&self.case.table.input(&input, &row.cells))
            }
        }
    }

    fn has_value(&self, field: FieldId, values: &ValueSet, row: &FullRow) -> bool {
        let place = field.position();
        let value = planner_value(&self.case.table.fields[place].kind, &row.cells[place]);
        values.contains(&self.schema.key.fields[field].kind, &value)
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

/// A run of neighbouring values from the pool, and its ends.
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
            .map(|(field, cell)| (field.name.to_string(), field.value(cell)))
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
    let functions = ["date_format(", "year(", "month(", "day(", "from_unixtime(", "to_date(", "as date"];
    let of_parts = ["hour(", "minute(", "second(", "quarter(", "dayofweek(", "weekofyear("];
    let counted = ["date_add(", "date_sub(", "datediff("];
    functions.iter().chain(&of_parts).chain(&counted).any(|f| text.contains(f))
}

/// Whether the value is inside the calendar: SQL engines disagree outside.
fn is_printable(value: &V, table: &Table) -> bool {
    match (value, table.tz()) {
        (V::Instant(number, unit), Some(zone)) => {
            let at = number.checked_mul(*unit).and_then(|ms| calendar::local(zone, ms));
            at.is_some_and(|at| (1..=9999).contains(&chrono::Datelike::year(&at)))
        }
        _ => true,
    }
}

fn outlines(planned: &[Planned<'_>]) -> String {
    planned.iter().map(|planned| outline(&planned.plan)).collect::<Vec<_>>().join("\n")
}

fn outline(plan: &Plan) -> String {
    let mut lines = vec![format!("{:?} {:?}", plan.kind, plan.salts)];
    lines.extend(plan.branches.iter().take(20).map(|branch| {
        let stop = branch.range.stop.as_deref().map_or("end".to_string(), shown);
        let residual = plan.residual_of(branch).map_or(String::new(), |residual| residual.expr.to_string());
        format!("[{}, {stop}) {residual}", shown(&branch.range.start))
    }));
    lines.extend(plan.notes.iter().map(|note| format!("{}: {}", note.code(), note)));
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
