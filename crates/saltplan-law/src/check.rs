//! One case of the property: a table, a predicate, and the rows of a small universe.

#![expect(clippy::missing_errors_doc, reason = "an error is always the broken law, told in full")]

use std::cell::Cell as Counter;
use std::fmt;

use saltplan_core::analyze::{Constraint, Implied, Meaning, ValueSet, analyze};
use saltplan_core::key::Value;
use saltplan_core::key::field::FieldId;
use saltplan_core::key::id::Id;
use saltplan_core::key::range::KeyRanges;
use saltplan_core::key::salt;
use saltplan_core::plan::{
    Branch, DEFAULT_MAX_RESIDUAL_BYTES, Note, Options, Plan, PlanKind, RowCheck, Session, Truth, plan,
};
use saltplan_core::row::RowCodec;
use saltplan_core::schema::{load, model::Schema};
use saltplan_document::diag::Source;
use saltplan_sql::ast::{BinaryOperator, Call, Expr, Literal, Node, Type};
use saltplan_sql::rewrite::has;
use saltplan_sql::version::HiveVersion;
use saltplan_sql::{Parameters, parse};
use serde_json::Value as Json;

use crate::build::{Sql, number, truth};
use crate::calendar;
use crate::predicate::Conditions;
use crate::sql::{Row, V, holds};
use crate::table::{Cell, Cut, Field, Input, Kind, Table};

/// The maximum numbers of values of one field and of rows in a universe.
const MAX_POOL: usize = 9;
const MAX_ROWS: usize = 250;

/// Shown on failure: everything that is needed to repeat the case by hand.
pub struct Case {
    pub(crate) table: Table,
    /// One predicate, or several that the check relates to each other.
    pub(crate) predicates: Vec<Expr>,
    max_branches: usize,
    max_residual_bytes: usize,
    rows: Vec<FullRow>,
}

/// A row with its columns, and its values for SQL.
pub(crate) struct FullRow {
    pub(crate) cells: Vec<Cell>,
    pub(crate) values: Vec<(String, V)>,
}

impl fmt::Debug for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (branches, bytes) = (self.max_branches, self.max_residual_bytes);
        writeln!(f, "max_branches={branches} max_residual_bytes={bytes}\n{}", self.table.yaml())?;
        self.predicates.iter().try_for_each(|predicate| writeln!(f, "  {predicate}"))
    }
}

/// Small pseudo-random numbers that are always the same.
#[derive(Debug)]
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }
}

impl Case {
    pub fn new(
        table: Table,
        seed: u64,
        max_branches: usize,
        draw: impl FnOnce(&Conditions<'_>) -> Vec<Sql>,
    ) -> Self {
        let mut random = Random(seed);
        let pools: Vec<Vec<Cell>> =
            (0..table.fields.len()).map(|index| few(table.pool(index), &mut random)).collect();
        let drawn = draw(&Conditions { table: &table, pools: &pools });
        let predicates: Vec<Expr> = drawn.into_iter().map(|sql| sql.0).collect();
        let only_printable = predicates.iter().any(prints_instants);
        let rows = rows(&table, &pools, only_printable, &mut random);
        // Long conditions are restricted to the values of a range; with a small limit all conditions are
        // long.
        let max_residual_bytes = [DEFAULT_MAX_RESIDUAL_BYTES, 300, 0][random.below(3)];
        Case { table, predicates, max_branches, max_residual_bytes, rows }
    }

    fn planned(&self, predicate: &Expr) -> Planned<'_> {
        self.planned_with(predicate, self.max_branches)
    }

    fn planned_with(&self, predicate: &Expr, max_branches: usize) -> Planned<'_> {
        let schema = self.schema();
        let source = Source::new("predicate", predicate.to_string());
        let parsed = parse(&source, &Parameters::new()).unwrap_or_else(|e| panic!("{e}"));
        let analysis = analyze(&schema, &parsed).unwrap_or_else(|e| panic!("{e}"));
        let plan = plan(
            &schema,
            &analysis,
            Options { max_branches, max_residual_bytes: self.max_residual_bytes, ..Options::default() },
        );
        Planned { case: self, schema, plan }
    }

    pub(crate) fn schema(&self) -> Schema {
        let yaml = self.table.yaml();
        load(&Source::new("schema", yaml.clone())).unwrap_or_else(|errors| panic!("{errors}\n{yaml}")).schema
    }

    /// The plan of the first predicate, checked with every row of the universe.
    pub fn check_law(&self) -> Result<(), String> {
        let predicate = &self.predicates[0];
        same_when_read(predicate)?;
        let planned = self.planned(predicate);
        let fail = |what: String| Err(format!("{what}\n{}", outline(&planned.plan)));
        if let Err(what) = self.check_shape(&planned.plan) {
            return fail(what);
        }
        // Branches share residuals.
        planned.plan.residuals.iter().try_for_each(|residual| same_when_read(&residual.expr))?;
        for (row, key) in self.rows_with_keys() {
            let wanted = holds(predicate, &row.sql(&self.table));
            if let Err(what) = planned.check_row(row, &key, wanted) {
                return fail(format!("{what}\nrow {:?}\nkey {}", row.values, key_text(&key)));
            }
        }
        Ok(())
    }

    /// HBase has no empty row key, so there is no such row.
    pub(crate) fn rows_with_keys(&self) -> impl Iterator<Item = (&FullRow, Vec<u8>)> {
        self.rows
            .iter()
            .flat_map(|row| self.table.keys(&row.cells).into_iter().map(move |key| (row, key)))
            .filter(|(_, key)| !key.is_empty())
    }

    /// What a residual says of a row, where its evaluation says something, is what the oracle says. Counts how often it does, and does
    /// not.
    pub fn check_residuals(&self, known: &Counter<[usize; 2]>) -> Result<(), String> {
        let planned = self.planned(&self.predicates[0]);
        let codec = RowCodec::new(&planned.schema);
        for (residual, version) in planned
            .plan
            .residuals
            .iter()
            .flat_map(|residual| HiveVersion::ALL.map(|version| (residual, version)))
        {
            let check = RowCheck::new(&planned.schema, residual, &Session::new(version));
            for (row, key) in self.rows_with_keys() {
                let sql = row.sql(&self.table);
                let mut json = codec.decode(&key).map(|key| codec.to_json(&key)).unwrap_or_default();
                for (name, value) in &row.values {
                    if let (None, Some(value)) = (json.get(name), json_of(value)) {
                        json.insert(name.clone(), value);
                    }
                }
                let says = check.check(&json);
                let [said, unsaid] = known.get();
                known.set(if says == Truth::Unknown { [said, unsaid + 1] } else { [said + 1, unsaid] });
                let wanted = if holds(&residual.expr, &sql) { Truth::True } else { Truth::NotTrue };
                if says != Truth::Unknown && says != wanted {
                    return Err(format!(
                        "{version:?}: {} is {says:?} for {json:?}, and {wanted:?} to the oracle\n{}",
                        residual.expr,
                        outline(&planned.plan)
                    ));
                }
            }
        }
        Ok(())
    }

    /// Every row satisfies exactly one of the predicates.
    pub fn check_partition(&self) -> Result<(), String> {
        let planned: Vec<Planned<'_>> =
            self.predicates.iter().map(|predicate| self.planned(predicate)).collect();
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
        let planned: Vec<Planned<'_>> =
            self.predicates.iter().map(|predicate| self.planned(predicate)).collect();
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
    /// `TRUE`.
    pub fn check_tight(&self) -> Result<(), String> {
        let (whole, sides) = self.predicates.split_first().expect("a predicate");
        let planned = self.planned(whole);
        let is_exact = |field: &Field| !field.stored || field.kind.is_cut_with_certainty();
        if !planned.is_exact() || !self.table.fields.iter().all(is_exact) {
            return Ok(());
        }
        let is_single =
            |side: &Expr| matches!(side, Expr::BinaryOp { op: BinaryOperator::Eq, .. } | Expr::InList { .. });
        let leading: Vec<&Expr> = {
            let stored = sides.iter().zip(&self.table.fields).filter(|(_, field)| field.stored);
            let mut known = true;
            let is_led = |side: &&Expr| {
                let was_known = known;
                known &= is_single(side);
                was_known && **side != truth(true).0
            };
            stored.map(|(side, _)| side).take_while(is_led).collect()
        };
        for (row, key) in self.rows_with_keys() {
            if !planned.reads(&key) {
                continue;
            }
            let values = row.sql(&self.table);
            if let Some(side) = leading.iter().find(|side| !holds(side, &values)) {
                return Err(format!(
                    "loose: {side} is not true for a row that is read\nrow {:?}\nkey {}\n{}",
                    row.values,
                    key_text(&key),
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
            .map(|(at, limit)| self.planned_with(&self.predicates[at], limit));
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

/// A value of a column, or of a field that is a text or a whole number.
fn json_of(value: &V) -> Option<Json> {
    match value {
        V::Null => Some(Json::Null),
        V::Text(text) => Some(text.as_str().into()),
        V::Number(_) => value.whole().map(Json::from),
        _ => None,
    }
}

/// A plan with everything that is needed to check rows.
struct Planned<'a> {
    case: &'a Case,
    schema: Schema,
    plan: Plan,
}

impl Planned<'_> {
    /// Whether ranges were merged to reduce their number.
    fn is_widened(&self) -> bool {
        let is_limit = |note: &Note| matches!(note, Note::TooManySalts { .. } | Note::TooManyBranches { .. });
        self.plan.notes.iter().any(|note| note.is_of_merging() || is_limit(note))
    }

    /// Whether every condition was used.
    fn is_exact(&self) -> bool {
        !self.is_widened() && !self.plan.notes.iter().any(Note::is_of_unused)
    }

    fn keys(&self) -> KeyRanges {
        KeyRanges::from_intervals(self.plan.branches.iter().map(|branch| branch.range.clone()).collect())
    }

    /// The number of branches that contain the row.
    fn yields(&self, row: &FullRow, key: &[u8]) -> usize {
        let row = row.sql(&self.case.table);
        let is_left =
            |branch| self.plan.residual_of(branch).is_none_or(|residual| holds(&residual.expr, &row));
        self.plan.branches.iter().filter(|branch| contains(branch, key) && is_left(branch)).count()
    }

    fn reads(&self, key: &[u8]) -> bool {
        self.plan.branches.iter().any(|branch| contains(branch, key))
    }

    fn check_row(&self, row: &FullRow, key: &[u8], wanted: bool) -> Result<(), String> {
        // Such a plan is always refused.
        if self.plan.notes.iter().any(|note| matches!(note, Note::RejectedValue { .. })) {
            return Ok(());
        }
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

fn rows(table: &Table, pools: &[Vec<Cell>], only_printable: bool, random: &mut Random) -> Vec<FullRow> {
    let all: usize = pools.iter().map(Vec::len).product();
    let mut rows = Vec::new();
    for number in 0..all.min(MAX_ROWS) {
        let mut rest = number;
        let mut cells: Vec<Cell> = pools
            .iter()
            .map(|pool| {
                let at = if all <= MAX_ROWS { rest % pool.len() } else { random.below(pool.len()) };
                rest /= pool.len();
                pool[at].clone()
            })
            .collect();
        table.complete(&mut cells);
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
    if only_printable {
        rows.retain(|row| row.values.iter().all(|(_, value)| is_printable(value, table)));
    }
    rows
}

/// Whether a condition computes days or times.
fn prints_instants(condition: &Expr) -> bool {
    const FUNCTIONS: [&str; 19] = [
        "add_months",
        "date_add",
        "date_format",
        "date_sub",
        "datediff",
        "day",
        "dayofweek",
        "from_unixtime",
        "hour",
        "last_day",
        "minute",
        "month",
        "next_day",
        "quarter",
        "second",
        "to_date",
        "trunc",
        "weekofyear",
        "year",
    ];
    has(condition, |part| match part {
        Expr::Call(Call { name, .. }) => FUNCTIONS.contains(&name.as_str()),
        Expr::Cast { data_type, .. } => *data_type == Type::Date,
        _ => false,
    })
}

/// Checks that the printed condition is read as the same tree.
fn same_when_read(condition: &Expr) -> Result<(), String> {
    let text = condition.to_string();
    let read = parse(&Source::new("predicate", text.clone()), &Parameters::new());
    let read = read.map_err(|errors| format!("what is printed cannot be read: {errors}\n{text}"))?.tree;
    match (normalized(condition.clone().into()), normalized(read)) {
        (drawn, read) if drawn == read => Ok(()),
        (drawn, read) => Err(format!("read otherwise than printed:\n{text}\n{drawn:?}\n{read:?}")),
    }
}

/// Without brackets, and with the sign before a negative number.
fn normalized(mut node: Node) -> Node {
    while let Expr::Nested(inner) = node.expr {
        node = *inner;
    }
    if let Expr::Literal(Literal::Number(digits)) = &node.expr {
        node.expr = number(digits).0;
    }
    node.expr.for_each_part_mut(&mut |part| {
        *part = normalized(std::mem::replace(part, Expr::null().into()));
    });
    node
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
        let stop = branch.range.stop.as_deref().map_or("end".to_string(), key_text);
        let residual = plan.residual_of(branch).map_or(String::new(), |residual| residual.expr.to_string());
        format!("[{}, {stop}) {residual}", key_text(&branch.range.start))
    }));
    lines.extend(plan.notes.iter().map(|note| format!("{}: {}", note.code(), note)));
    lines.join("\n")
}

pub(crate) fn key_text(key: &[u8]) -> String {
    key.iter()
        .map(
            |byte| {
                if byte.is_ascii_graphic() { char::from(*byte).to_string() } else { format!("\\x{byte:02x}") }
            },
        )
        .collect()
}
