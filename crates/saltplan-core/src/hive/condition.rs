//! Predicates as HiveQL conditions over a mapping table.

use std::cell::Cell;
use std::collections::BTreeMap;

use crate::analyze::bind::{Bound, ColumnPlace, written};
use crate::analyze::clock::{FieldForm, Unclear};
use crate::analyze::conditions::resolve;
use crate::analyze::{Checked, Condition, Constraint, Meaning, ValueSet};
use crate::hive::key::KeyColumn;
use crate::hive::not_in_hive::NotInHive;
use crate::hive::text::least_text_from;
use crate::key::Value;
use crate::key::cycle::Cycle;
use crate::key::field::{FieldId, FieldKind};
use crate::key::interval::{Interval, IntervalSet};
use crate::key::range::KeyRange;
use crate::schema::model::Schema;
use saltplan_sql::ast::{BinaryOperator, Expr};
use saltplan_sql::hive_type::HiveType;
use saltplan_sql::literal;
use saltplan_sql::rewrite::reads_clock;
use saltplan_sql::time::format::TimeFormat;
use saltplan_sql::time::pattern::Granularity;

/// The minimum bytes of one interval of a set: a literal and a comma.
const MIN_INTERVAL_BYTES: usize = 4;

/// The maximum number of values in one `IN`. Larger sets are written as ranges.
const MAX_LISTED: usize = 10_000;

/// Writes conditions of a predicate for Hive: key fields decoded from the row key, literals in Hive's escapes.
#[derive(Debug)]
pub(crate) struct HiveConditions<'a> {
    pub schema: &'a Schema,
    pub key: &'a KeyColumn<'a>,
    /// Sets that contain the values of the wanted rows, by field.
    pub bound: &'a BTreeMap<FieldId, ValueSet>,
    /// Bytes that may still be written.
    pub room: Cell<usize>,
}

/// Why a condition is not written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Unwritten {
    /// Hive cannot evaluate it.
    Impossible(NotInHive),
    /// Hive would understand it differently.
    Unclear { why: Unclear, spelled: String, reads_clock: bool },
    /// It compares rows of values.
    Rows(String),
    /// It has at least this many bytes, which is more than there is room for.
    TooLong(usize),
}

impl From<NotInHive> for Unwritten {
    fn from(reason: NotInHive) -> Self {
        Unwritten::Impossible(reason)
    }
}

fn unclear(why: Unclear, expr: &Expr) -> Unwritten {
    Unwritten::Unclear { why, spelled: expr.to_string(), reads_clock: reads_clock(expr) }
}

impl HiveConditions<'_> {
    /// # Errors
    /// Hive cannot evaluate the condition, or there is no room for it.
    pub fn expr(&self, constraint: &Constraint) -> Result<Expr, Unwritten> {
        let each = |arms: &[Constraint]| arms.iter().map(|arm| self.expr(arm)).collect::<Result<Vec<_>, _>>();
        match constraint {
            Constraint::Condition(condition) => {
                let expr = self.condition(condition)?;
                let bytes = expr.to_string().len();
                self.check_room(bytes)?;
                self.room.set(self.room.get() - bytes);
                Ok(expr)
            }
            Constraint::All(arms) => {
                let arms = each(arms)?;
                Ok(if arms.len() > 1 { Expr::all(arms).bracketed() } else { Expr::all(arms) })
            }
            Constraint::Any(arms) => each(arms).map(Expr::any),
        }
    }

    fn check_room(&self, bytes: usize) -> Result<(), Unwritten> {
        if bytes <= self.room.get() { Ok(()) } else { Err(Unwritten::TooLong(bytes)) }
    }

    fn condition(&self, condition: &Condition) -> Result<Expr, Unwritten> {
        match &condition.meaning {
            Meaning::Tight { field, values } => self.values(*field, values),
            Meaning::Checked(checked) => self.evaluated(checked),
        }
    }

    /// A condition that Hive evaluates: key fields decoded, clocks read in the schema's zone.
    fn evaluated(&self, checked: &Checked) -> Result<Expr, Unwritten> {
        let Checked { bound, unclear: of_instant, .. } = checked;
        if bound.has(&|part| matches!(part.what, Bound::Row(_))) {
            return Err(Unwritten::Rows(written(bound).to_string()));
        }
        if let Some(why) = of_instant {
            return Err(unclear(why.clone(), &written(bound)));
        }
        let mut fault = None;
        let mut bytes = 0;
        let mut put = |expr: Result<Expr, Unwritten>| {
            let expr = expr.and_then(|expr| {
                bytes += expr.to_string().len();
                self.check_room(bytes).map(|()| expr)
            });
            expr.unwrap_or_else(|why| {
                fault.get_or_insert(why);
                Expr::null()
            })
        };
        let expr = resolve(self.schema, bound, &mut |part, clock| {
            put(match (clock, part.column()) {
                (Some(Ok(clock)), _) => self.reading(&clock),
                (Some(Err(why)), _) => Err(unclear(why, written(part).unnested())),
                (None, Some(column)) => match column.place {
                    ColumnPlace::Field(id) => self.field(id, column.form).map_err(Unwritten::from),
                    ColumnPlace::Column(_) => Ok(Expr::column(&column.written.name)),
                    ColumnPlace::RowKey | ColumnPlace::Elsewhere => Ok(self.key.value()),
                },
                (None, None) => Ok(written(part)),
            })
        });
        match fault {
            Some(fault) => Err(fault),
            None => Ok(expr.bracketed()),
        }
    }

    fn field(&self, id: FieldId, form: FieldForm) -> Result<Expr, NotInHive> {
        match form {
            FieldForm::Value => self.key.typed(id),
            FieldForm::Stored => self.key.stored_text(id),
            FieldForm::Date => self.key.dated(id),
        }
    }

    /// `field IN set`: compares the stored texts if they sort like the values, otherwise numbers.
    fn values(&self, field: FieldId, values: &ValueSet) -> Result<Expr, Unwritten> {
        let kind = &self.schema.key.fields[field].kind;
        if let Some(cycle) = values.cycle(kind)
            && let FieldKind::Calendar(calendar) = kind
        {
            return Ok(days_of_every_year(&self.key.stored_text(field)?, &calendar.format, &cycle));
        }
        self.check_room(values.interval_count().saturating_mul(MIN_INTERVAL_BYTES))?;
        match (values, kind) {
            (ValueSet::Text(set), _) => Ok(text_set(&self.key.stored_text(field)?, set)),
            (ValueSet::Numbers(_), FieldKind::Calendar(calendar)) if calendar.format.sorts() => {
                Ok(text_set(&self.key.stored_text(field)?, &stored_set(kind, values)))
            }
            (ValueSet::Numbers(_), FieldKind::Calendar(_)) => {
                let stored = self.key.stored_text(field)?;
                let points = values.points(kind, MAX_LISTED).ok_or(NotInHive::TooManyDates)?;
                let listed = points.iter().filter_map(|value| kind.encode(value).ok());
                Ok(stored
                    .is_one_of(listed.map(|bytes| Expr::text(String::from_utf8_lossy(&bytes))).collect()))
            }
            (ValueSet::Numbers(set), _) => Ok(number_set(&self.key.typed(field)?, set)),
        }
    }
}

/// Conditions on the months and days of months in a stored date.
fn days_of_every_year(stored: &Expr, format: &TimeFormat, cycle: &Cycle) -> Expr {
    let unit_in = |unit: Granularity, numbers: &[u32]| {
        let (start, width) = format.place_of(unit)?;
        let listed = numbers.iter().map(|number| Expr::text(format!("{number:0width$}"))).collect();
        Some(stored.substr(start + 1, width).is_one_of(listed))
    };
    let group = |(months, days): (Vec<u32>, Option<Vec<u32>>)| {
        let months = (months.len() < 12).then(|| unit_in(Granularity::Month, &months)).flatten();
        let days = days.and_then(|days| unit_in(Granularity::Day, &days));
        match (months, days) {
            (Some(months), Some(days)) => Expr::all(vec![months, days]).bracketed(),
            (months, days) => Expr::all(months.into_iter().chain(days).collect()),
        }
    };
    Expr::any(cycle.groups().into_iter().map(group).collect())
}

/// The stored texts of a set of sorted calendar values.
fn stored_set(kind: &FieldKind, values: &ValueSet) -> IntervalSet<Vec<u8>> {
    let ValueSet::Numbers(numbers) = values else { return IntervalSet::empty() };
    let pieces = kind.monotone_pieces();
    let Some(piece) = pieces.first() else { return IntervalSet::empty() };
    let ranges = numbers.intervals().iter().map(|interval| {
        let range = kind.encode_interval(piece, interval);
        match interval.stop {
            Some(stop) if stop == interval.start + 1 => KeyRange::point(range.start),
            _ => range,
        }
    });
    IntervalSet::from_intervals(ranges.collect())
}

fn text_set(operand: &Expr, set: &IntervalSet<Vec<u8>>) -> Expr {
    let (points, ranges): (Vec<_>, Vec<_>) = set.intervals().iter().partition(|range| range.is_point());
    let listed: Vec<Expr> =
        points.iter().map(|point| Expr::text(String::from_utf8_lossy(&point.start))).collect();
    let mut arms: Vec<Expr> = ranges.iter().map(|range| text_range(operand, range)).collect();
    if !listed.is_empty() {
        arms.push(operand.is_one_of(listed));
    }
    Expr::any(arms)
}

fn text_range(operand: &Expr, range: &Interval<Vec<u8>>) -> Expr {
    let mut bounds = Vec::new();
    if !range.start.is_empty() {
        match least_text_from(&range.start) {
            Some(start) => bounds.push(operand.binary(BinaryOperator::GtEq, &Expr::text(&start))),
            None => return Expr::truth(false),
        }
    }
    if let Some(stop) = range.stop.as_deref().and_then(least_text_from) {
        bounds.push(operand.binary(BinaryOperator::Lt, &Expr::text(&stop)));
    }
    Expr::all(bounds)
}

fn number_set(operand: &Expr, set: &IntervalSet<i128>) -> Expr {
    let mut listed = Vec::new();
    let mut arms = Vec::new();
    for interval in set.intervals() {
        match interval.stop {
            Some(stop) if stop == interval.start + 1 => listed.push(Expr::number(interval.start)),
            Some(stop) => arms.push(operand.between(Expr::number(interval.start), Expr::number(stop - 1))),
            None => arms.push(operand.binary(BinaryOperator::GtEq, &Expr::number(interval.start))),
        }
    }
    if !listed.is_empty() {
        arms.push(operand.is_one_of(listed));
    }
    Expr::any(arms)
}

/// A value of a type as a Hive literal: whole numbers without quotes, everything else in quotes.
pub(crate) fn literal_of_type(text: &str, hive_type: &HiveType) -> String {
    if hive_type.is_integer() { text.to_string() } else { literal(text) }
}

/// A value as Hive shows it in a column of a type: numbers without leading zeros.
pub(crate) fn value_text(kind: &FieldKind, value: &Value, hive_type: &HiveType) -> Result<String, NotInHive> {
    let text = match value {
        Value::Text(text) => text.clone(),
        Value::Number(number) if matches!(kind, FieldKind::Integer(_) | FieldKind::Epoch(_)) => {
            number.to_string()
        }
        Value::Number(_) => String::from_utf8(kind.encode(value)?).map_err(|_| NotInHive::ValueNotText)?,
    };
    shown_text(text, hive_type)
}

/// A text as Hive shows it in a column of a type: numbers without leading zeros.
pub(crate) fn shown_text(text: String, hive_type: &HiveType) -> Result<String, NotInHive> {
    if hive_type.whole_numbers().is_none() {
        return Ok(text);
    }
    let number: i64 =
        text.parse().map_err(|_| NotInHive::NoNumber { text, hive_type: hive_type.to_string() })?;
    Ok(number.to_string())
}

#[cfg(test)]
mod tests {
    use std::hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher};

    use proptest::prelude::*;

    use super::*;
    use crate::analyze::analyze;
    use crate::analyze::bind::LOOKUPS;
    use crate::plan::{Options, plan};
    use saltplan_document::diag::Source;
    use saltplan_sql::random::{AskedCondition, asked_of_hive, written};
    use saltplan_sql::rewrite::columns;
    use saltplan_sql::{Parameters, parse};

    const SCHEMA: &str = "
saltplan: 1
hbase: { table: 't', families: { f: {} } }
key:
  fields:
    - { name: a, type: string }
columns:
  - { name: status, type: string, hbase: 'f:s' }
  - { name: amount, type: int, hbase: 'f:a' }
  - { name: flag, type: boolean, hbase: 'f:b' }
  - { name: 'case', type: string, hbase: 'f:o' }
hive:
  mapping: { table: m, key_column: key }
";

    /// The residual as `explain` shows it and as Hive gets it. None if a CASE of constants is never true, so that nothing is read.
    fn residuals(predicate: &str) -> Result<Vec<String>, String> {
        let schema = crate::schema::load(&Source::new("t.yaml", SCHEMA)).map_err(|e| e.to_string())?.schema;
        let parsed =
            parse(&Source::new("predicate", predicate), &Parameters::new()).map_err(|e| e.to_string())?;
        let mut analysis = analyze(&schema, &parsed).map_err(|e| e.to_string())?;
        analysis.constraint = without_facts(&analysis.constraint);
        let plan = plan(&schema, &analysis, Options::default());
        let branch = match plan.branches.as_slice() {
            [branch] => branch,
            [] if predicate.contains("CASE") => return Ok(Vec::new()),
            branches => return Err(format!("{} branches", branches.len())),
        };
        let residual = plan.residual_of(branch).ok_or("no residual")?;
        let key = KeyColumn::new(&schema, "key");
        let conditions = HiveConditions {
            schema: &schema,
            key: &key,
            bound: &plan.bound.fields,
            room: Cell::new(1 << 20),
        };
        let for_hive = conditions.expr(&residual.constraint).map_err(|error| format!("{error:?}"))?;
        Ok(vec![residual.expr.to_string(), for_hive.to_string()])
    }

    /// Removes what is known about columns: this test decides the truth of each condition by a hash.
    fn without_facts(constraint: &Constraint) -> Constraint {
        let each = |arms: &[Constraint]| arms.iter().map(without_facts).collect();
        match constraint {
            Constraint::All(arms) => Constraint::All(each(arms)),
            Constraint::Any(arms) => Constraint::Any(each(arms)),
            Constraint::Condition(condition) => {
                let mut condition = condition.as_ref().clone();
                if let Meaning::Checked(checked) = condition.meaning {
                    condition.meaning = Meaning::Checked(Checked { fact: None, ..checked });
                }
                Constraint::Condition(condition.into())
            }
        }
    }

    /// A condition is true, false or NULL by a hash of it and `world`; the condition on the key is true in its range.
    fn of(world: u64) -> impl Fn(&str) -> Option<bool> {
        move |leaf| {
            if leaf == "A = \"k\"" || leaf.contains("`key`") {
                return Some(true);
            }
            // The form in which a boolean condition is printed.
            let leaf = leaf.strip_suffix(" <> FALSE").map_or(leaf, |condition| {
                condition
                    .strip_prefix("( ")
                    .and_then(|condition| condition.strip_suffix(" )"))
                    .unwrap_or(condition)
            });
            let hash = BuildHasherDefault::<DefaultHasher>::default().hash_one((world, leaf));
            [Some(true), Some(false), None][usize::try_from(hash % 3).unwrap_or_default()]
        }
    }

    #[test]
    fn names_are_looked_up_once() {
        for predicate in [
            "a = 'k' AND status = 'ok'",
            "a = 'k' AND (status = 'ok' OR NOT amount > 5) AND (flag OR substr(status, 1, 2) LIKE a)",
            "a = 'k' AND status IN ('x', 'y') AND amount BETWEEN 1 AND 5 AND concat(status, a) = 'xk'",
        ] {
            let parsed = parse(&Source::new("predicate", predicate), &Parameters::new()).unwrap();
            let before = LOOKUPS.get();
            residuals(predicate).unwrap();
            assert_eq!(LOOKUPS.get() - before, columns(&parsed.tree).len(), "{predicate}");
        }
    }

    proptest! {
        #[test]
        fn residuals_have_the_truth_of_the_predicate(asked in asked_of_hive(), many: bool, seed: u64) {
            let bits = AskedCondition::And(vec![asked.clone()]).bits(many);
            let predicate = format!("a = 'k' AND ({})", written(&bits, seed) + "\n");
            for residual in residuals(&predicate).map_err(TestCaseError::fail)? {
                let parsed = parse(&Source::new("residual", residual.clone()), &Parameters::new());
                let parsed = parsed.map_err(|error| TestCaseError::fail(format!("{error}\n{residual}")))?;
                let given = AskedCondition::of(&parsed, &parsed.tree);
                for world in 0..40 {
                    let wanted = asked.truth(&of(world)) == Some(true);
                    let is_given = given.truth(&of(world)) == Some(true);
                    prop_assert_eq!(wanted, is_given, "{}\n{}", predicate, residual);
                }
            }
        }
    }
}
