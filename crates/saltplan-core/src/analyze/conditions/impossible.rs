//! Conditions that Hive would check row by row although they are false for all values that the other conditions leave. A plan with
//! such a condition would read its ranges and return no row.

use std::cell::Cell;
use std::collections::BTreeMap;

use super::truth::constant_truth;
use crate::analyze::bind::{Bound, BoundColumn, BoundNode, ColumnPlace, Operator};
use crate::analyze::clock::FieldForm;
use crate::analyze::constant::{Constant, Decimal, typed};
use crate::analyze::{Constraint, ValueSet};
use crate::key::Value;
use crate::key::field::{CalendarField, CalendarType, FieldId, FieldKind, TextField};
use crate::schema::model::Schema;
use saltplan_sql::ast::{Expr, Type};
use saltplan_sql::value::{NumberType, Typed};

/// The maximum number of values of a field for which a condition is evaluated.
const MAX_VALUES: usize = 400;

/// The maximum number of rows for which the conditions of one conjunction are evaluated.
const MAX_ROWS: usize = 20_000;

/// The values that a conjunction leaves for fields, if there are only a few.
pub(super) struct KnownValues<'a> {
    schema: &'a Schema,
    rows_left: Cell<usize>,
    fields: BTreeMap<FieldId, Vec<Value>>,
}

impl<'a> KnownValues<'a> {
    pub fn new(schema: &'a Schema, conjuncts: &[Constraint]) -> Self {
        let mut sets: BTreeMap<FieldId, ValueSet> = BTreeMap::new();
        collect(conjuncts, &mut sets);
        let points = |(id, set): (FieldId, ValueSet)| {
            let kind = &schema.key.fields[id].kind;
            let is_usable =
                !matches!(kind, FieldKind::Text(TextField { reverse: true, .. }) | FieldKind::Epoch(_));
            is_usable.then(|| set.points(kind, MAX_VALUES)).flatten().map(|points| (id, points))
        };
        let fields = sets.into_iter().filter_map(points).filter(|(_, points)| !points.is_empty());
        KnownValues { schema, rows_left: Cell::new(MAX_ROWS), fields: fields.collect() }
    }

    /// Whether a condition is false or NULL for all of the values.
    pub fn exclude(&self, condition: &BoundNode) -> bool {
        let condition = condition.uncast();
        match operator(condition) {
            Some(Operator::And) => condition.operands().iter().any(|arm| self.exclude(arm)),
            Some(Operator::Or) => condition.operands().iter().all(|arm| self.exclude(arm)),
            Some(Operator::Not) => condition.operands().iter().all(|negated| match operator(negated) {
                Some(Operator::And | Operator::Or | Operator::Not) => false,
                _ => self.is_never(negated, true),
            }),
            _ => self.is_never(condition, false),
        }
    }

    fn is_never(&self, condition: &BoundNode, negated: bool) -> bool {
        let mut fields: Vec<FieldId> = Vec::new();
        let mut is_known = true;
        condition.walk(&mut |part| match &part.what {
            Bound::Column(BoundColumn { place: ColumnPlace::Field(id), .. })
                if self.fields.contains_key(id) =>
            {
                fields.push(*id);
            }
            Bound::Column(_)
            | Bound::Runtime(_)
            | Bound::Unread { .. }
            | Bound::Member { .. }
            | Bound::Operation { operator: Operator::Element, .. } => is_known = false,
            Bound::Call(call) => is_known &= !call.is_opaque(),
            _ => {}
        });
        fields.sort_unstable();
        fields.dedup();
        let rows: usize = fields.iter().map(|id| self.fields[id].len()).product();
        if !is_known || fields.is_empty() || rows > MAX_VALUES.min(self.rows_left.get()) {
            return false;
        }
        self.rows_left.set(self.rows_left.get() - rows);
        (0..rows).all(|row| {
            let mut rest = row;
            let mut values: BTreeMap<FieldId, &Value> = BTreeMap::new();
            for id in &fields {
                let points = &self.fields[id];
                values.insert(*id, &points[rest % points.len()]);
                rest /= points.len();
            }
            let mut of_row = condition.clone();
            put(self.schema, &values, &mut of_row).is_some()
                && constant_truth(&of_row).is_some_and(|truth| truth != Some(!negated))
        })
    }
}

/// Puts the values of a row in the place of its fields; `None` if one of them has no value that Hive compares.
fn put(schema: &Schema, values: &BTreeMap<FieldId, &Value>, node: &mut BoundNode) -> Option<()> {
    if let Bound::Column(BoundColumn { place: ColumnPlace::Field(id), form, .. }) = &node.what {
        *node = BoundNode::value(value_for_hive(&schema.key.fields[*id].kind, values[id], *form)?);
        return Some(());
    }
    let mut all = Some(());
    node.for_each_part_mut(&mut |part| all = all.and_then(|()| put(schema, values, part)));
    all
}

fn operator(node: &BoundNode) -> Option<Operator> {
    match &node.uncast().what {
        Bound::Operation { operator, .. } => Some(*operator),
        _ => None,
    }
}

fn collect(conjuncts: &[Constraint], sets: &mut BTreeMap<FieldId, ValueSet>) {
    for conjunct in conjuncts {
        match conjunct {
            Constraint::All(arms) => collect(arms, sets),
            Constraint::Condition(condition) => {
                for (field, values) in condition.field_sets() {
                    let both = sets.get(&field).map_or_else(|| values.clone(), |set| set.intersect(values));
                    sets.insert(field, both);
                }
            }
            Constraint::Any(_) => {}
        }
    }
}

/// A value of a field as Hive has it.
fn value_for_hive(kind: &FieldKind, value: &Value, form: FieldForm) -> Option<Typed> {
    match (kind, value) {
        (FieldKind::Text(declared), Value::Text(value)) if declared.nullable && value.is_empty() => {
            Some(Typed::plain(Constant::Null))
        }
        (FieldKind::Text(_), Value::Text(value)) => Some(Typed::plain(Constant::Text(value.clone()))),
        (FieldKind::Integer(declared), Value::Number(number)) => {
            Typed::number(Decimal::integer((*number).into()), NumberType::Whole(declared.size))
        }
        (FieldKind::Calendar(calendar), Value::Number(ordinal)) => calendar_value(calendar, *ordinal, form),
        _ => None,
    }
}

fn calendar_value(calendar: &CalendarField, ordinal: i64, form: FieldForm) -> Option<Typed> {
    let stored = calendar.format.format(ordinal)?;
    let at = calendar.format.granularity().start_of(ordinal)?;
    let date = |data_type: Type| {
        let pattern = if data_type == Type::Date { "%Y-%m-%d" } else { "%Y-%m-%d %H:%M:%S%.f" };
        typed(&Expr::TypedText { data_type, text: at.format(pattern).to_string() })
    };
    let number = |of: NumberType| Typed::number(Decimal::parse(&stored)?, of);
    match (form, calendar.hive_type) {
        (FieldForm::Date, _) => date(if calendar.time_of_day { Type::Timestamp } else { Type::Date }),
        (FieldForm::Value, CalendarType::Int) => number(NumberType::INT),
        (FieldForm::Value, CalendarType::Bigint) => number(NumberType::BIGINT),
        (FieldForm::Value, CalendarType::Date) => date(Type::Date),
        (FieldForm::Value, CalendarType::Timestamp) => date(Type::Timestamp),
        (FieldForm::Stored, _) | (FieldForm::Value, CalendarType::String) => {
            Some(Typed::plain(Constant::Text(stored)))
        }
    }
}
