//! The form in which Hive gets a calendar field at each place of a predicate.
//!
//! A field has one Hive type (`CalendarField::hive_type`), and a condition means what Hive computes over a column of that type, with
//! two exceptions for fields whose value is their stored form: functions of dates read the field as its date, and beside a date
//! (a DATE, a TIMESTAMP, a text such as `'2020-04-06'`) it is compared as one. A comparison in which both readings are possible
//! has a conflict.

use super::tree::{Bound, BoundCall, BoundColumn, BoundNode, CastOrigin, ColumnPlace, Operator};
use super::written::written;
use crate::analyze::chain::bare_field;
use crate::analyze::clock::FieldForm;
use crate::analyze::compare::{day_fault, text_fault};
use crate::analyze::constant::Constant;
use crate::key::field::{CalendarField, CalendarType, FieldId, FieldKind};
use crate::schema::model::Schema;
use saltplan_sql::ast::{BinaryOperator, Type};
use saltplan_sql::functions::{Kind, Operation, ResultType};
use saltplan_sql::literal;
use saltplan_sql::time::format::{ISO_DAY, parse_timestamp};

/// Finds the forms of all calendar fields of an expression, and the comparisons that have no single meaning.
pub(crate) fn settle(schema: &Schema, node: &mut BoundNode) {
    if schema.key.fields.iter().any(|field| matches!(field.kind, FieldKind::Calendar(_))) {
        Forms { schema }.visit(node, Context::Value);
    }
}

/// Whether a value may be a local time: a DATE, a TIMESTAMP, or a text of one.
pub(crate) fn may_be_local_time(schema: &Schema, node: &BoundNode) -> bool {
    let mut values = Vec::new();
    values_of(schema, node, &mut values);
    values
        .iter()
        .any(|value| matches!(value, CompareValue::Day(_) | CompareValue::Date(_) | CompareValue::IsoText(_)))
}

/// What an expression is used as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Context {
    Value,
    Text,
    Date,
}

struct Forms<'a> {
    schema: &'a Schema,
}

impl Forms<'_> {
    fn visit(&self, node: &mut BoundNode, context: Context) {
        let of = node.primitive();
        match &mut node.what {
            Bound::Column(column) => self.column(column, context),
            Bound::Cast { operand, origin } => {
                let context = match (origin, of) {
                    (CastOrigin::Added, _) => context,
                    (_, Some(Type::Date | Type::Timestamp)) => Context::Date,
                    (_, Some(of)) if of.is_text() => Context::Text,
                    _ => Context::Value,
                };
                self.visit(operand, context);
            }
            Bound::Call(call) if !call.is_opaque() => self.call(call, context),
            Bound::Case { operand, arms, otherwise } => {
                match operand {
                    Some(operand) => {
                        let values = arms.iter_mut().map(|(value, _)| value);
                        let compared = std::iter::once(&mut **operand).chain(values).collect();
                        self.compared(compared, false, &mut node.conflicts);
                    }
                    None => arms.iter_mut().for_each(|(when, _)| self.visit(when, Context::Value)),
                }
                arms.iter_mut().for_each(|(_, result)| self.visit(result, context));
                otherwise.iter_mut().for_each(|result| self.visit(result, context));
            }
            Bound::Operation { operator, operands } => {
                self.operation(*operator, operands, &mut node.conflicts);
            }
            _ => node.for_each_part_mut(&mut |part| self.visit(part, Context::Value)),
        }
    }

    fn column(&self, column: &mut BoundColumn, context: Context) {
        let Some((_, calendar)) = calendar(self.schema, column) else { return };
        let is_stored_form = calendar.hive_type.is_stored_form();
        match context {
            Context::Date if is_stored_form => column.form = FieldForm::Date,
            Context::Text if is_stored_form => column.form = FieldForm::Stored,
            _ => {}
        }
    }

    fn call(&self, call: &mut BoundCall, context: Context) {
        let chosen = chosen(call);
        let is_read_by_pattern = call.operation() == Operation::ReadSeconds && call.arguments.len() == 2;
        let function = call.function;
        for (index, argument) in call.arguments.iter_mut().enumerate() {
            let of_argument = match (&chosen, function.and_then(|function| function.arguments.kind(index))) {
                (Some(chosen), _) if chosen.contains(&index) => context,
                (Some(_), _) => Context::Value,
                _ if is_read_by_pattern => Context::Text,
                (None, Some(Kind::Date | Kind::Time)) => Context::Date,
                // A calendar field is the text that the key stores, with all its digits.
                (None, Some(Kind::Text)) => Context::Text,
                _ => Context::Value,
            };
            self.visit(argument, of_argument);
        }
    }

    fn operation(&self, operator: Operator, operands: &mut [BoundNode], conflicts: &mut Vec<String>) {
        let context = match (operator, &mut *operands) {
            (Operator::Like { .. } | Operator::RLike { .. }, _) => Context::Text,
            (Operator::Between { .. } | Operator::In { .. }, _) => {
                return self.compared(operands.iter_mut().collect(), false, conflicts);
            }
            (Operator::Binary(op), [left, right]) if op.compares() => {
                let is_of_days = match op {
                    BinaryOperator::Lt | BinaryOperator::GtEq => bare_field(self.schema, left).is_some(),
                    BinaryOperator::Gt | BinaryOperator::LtEq => bare_field(self.schema, right).is_some(),
                    _ => false,
                };
                return self.compared(vec![left, right], is_of_days, conflicts);
            }
            (Operator::Binary(BinaryOperator::Concat), _) => Context::Text,
            (Operator::Binary(BinaryOperator::Plus | BinaryOperator::Minus), sides)
                if sides.iter().any(is_interval) =>
            {
                Context::Date
            }
            _ => Context::Value,
        };
        operands.iter_mut().for_each(|operand| self.visit(operand, context));
    }

    /// Expressions that are compared with each other. Of a BETWEEN or a list all are of one kind. `is_of_days` says that a time and its
    /// day compare alike with a DATE, as in `at < DATE '…'`.
    fn compared(&self, mut operands: Vec<&mut BoundNode>, is_of_days: bool, conflicts: &mut Vec<String>) {
        let width = |operand: &&mut BoundNode| match &operand.what {
            Bound::Row(items) => Some(items.len()),
            _ => None,
        };
        if let Some(widths) = operands.iter().map(width).collect::<Option<Vec<_>>>() {
            for at in 0..widths.into_iter().min().unwrap_or(0) {
                let of_column = operands.iter_mut().filter_map(|operand| match &mut operand.what {
                    Bound::Row(items) => items.get_mut(at),
                    _ => None,
                });
                self.compared(of_column.collect(), false, conflicts);
            }
            return;
        }
        let mut values = Vec::new();
        let is_calendar = |part: &BoundNode| part.column().and_then(|of| calendar(self.schema, of)).is_some();
        if operands.iter().any(|operand| operand.has(&is_calendar)) {
            operands.iter().for_each(|operand| values_of(self.schema, operand, &mut values));
        }
        let context = match self.context_of(&values, is_of_days) {
            Ok(context) => context,
            Err(reason) => {
                conflicts.push(reason);
                Context::Value
            }
        };
        operands.into_iter().for_each(|operand| self.visit(operand, context));
    }

    /// What the calendar fields among compared values are read as, or why that is not clear.
    fn context_of(&self, values: &[CompareValue<'_>], is_of_days: bool) -> Result<Context, String> {
        let mut fields = values.iter().filter_map(|value| match value {
            CompareValue::Field(id) => Some(*id),
            _ => None,
        });
        let Some(first) = fields.next() else { return Ok(Context::Value) };
        let field = &self.schema.key.fields[first];
        let FieldKind::Calendar(calendar) = &field.kind else { return Ok(Context::Value) };
        let hive_type = calendar.hive_type.name();
        if let Some(other) =
            fields.map(|id| &self.schema.key.fields[id]).find(|other| other.kind != field.kind)
        {
            return Err(format!(
                "`{}` and `{}` are stored in different forms: compare them as dates, `to_date({})`, or as texts",
                field.name, other.name, field.name
            ));
        }
        let is_stored = |value: &&CompareValue<'_>| match value {
            CompareValue::Stored(_) => true,
            CompareValue::IsoText(Some(text)) => calendar.format.parse_text(text).is_some(),
            CompareValue::IsoText(None) => calendar.format.pattern() == ISO_DAY,
            _ => false,
        };
        let is_date = |value: &&CompareValue<'_>| match value {
            CompareValue::Day(_) | CompareValue::Date(_) => true,
            CompareValue::IsoText(_) => !is_stored(value),
            _ => false,
        };
        let (stored, date) = (values.iter().find(is_stored), values.iter().find(is_date));
        let literal = if calendar.time_of_day { "TIMESTAMP '…'" } else { "DATE '…'" };
        if !calendar.hive_type.is_stored_form() {
            let constant = values.iter().find_map(|value| match value {
                CompareValue::Stored(constant) => constant.as_ref(),
                _ => None,
            });
            return match constant {
                Some(constant) => Err(format!(
                    "for Hive `{}` is a {hive_type}, and `{}` is not one: write {literal}",
                    field.name,
                    spelled(constant)
                )),
                _ => Ok(Context::Value),
            };
        }
        let mut texts = values.iter().filter_map(|value| match value {
            CompareValue::Stored(Some(Constant::Text(text))) | CompareValue::IsoText(Some(text)) => {
                Some(text)
            }
            _ => None,
        });
        if let Some(fault) = texts.find_map(|text| text_fault(field, calendar, text)) {
            return Err(fault);
        }
        if values.iter().any(|value| matches!(value, CompareValue::Day(_)))
            && !is_of_days
            && let Some(fault) = day_fault(field, calendar)
        {
            return Err(fault);
        }
        match (stored, date) {
            (Some(CompareValue::Stored(Some(Constant::Number(number)))), None)
                if calendar.hive_type == CalendarType::String
                    && i32::try_from(number.ceiling().0).is_err() =>
            {
                Err(format!("for Hive `{}` is a string: write '{number}'", field.name))
            }
            // Hive refuses to compare a bigint with a text.
            (Some(CompareValue::Stored(Some(Constant::Text(text)))), None)
                if calendar.hive_type == CalendarType::Bigint =>
            {
                Err(format!("for Hive `{}` is a bigint: write {text} without quotes", field.name))
            }
            (_, None) => Ok(Context::Value),
            (None, Some(_)) => Ok(Context::Date),
            (Some(stored), Some(date)) => Err(format!(
                "`{}` has two readings here: beside {} it is its stored form ({hive_type}), beside {} it is a date: write both in one \
                 form",
                field.name,
                stored.describe(),
                date.describe()
            )),
        }
    }
}

/// What a calendar field is compared with.
#[derive(Debug)]
enum CompareValue<'e> {
    Null,
    Field(FieldId),
    /// A DATE.
    Day(&'e BoundNode),
    /// A TIMESTAMP, or a DATE for all that is known.
    Date(&'e BoundNode),
    /// A text that Hive reads as a date; its characters where it is a constant.
    IsoText(Option<String>),
    /// Any other value. A field that is compared with it is its stored form.
    Stored(Option<Constant>),
}

impl CompareValue<'_> {
    fn describe(&self) -> String {
        match self {
            CompareValue::Day(node) | CompareValue::Date(node) => format!("`{}`", written(node).unnested()),
            CompareValue::IsoText(Some(text)) => format!("`'{text}'`"),
            CompareValue::Stored(Some(constant)) => format!("`{}`", spelled(constant)),
            _ => "the other value".into(),
        }
    }
}

fn spelled(constant: &Constant) -> String {
    match constant {
        Constant::Text(text) => literal(text),
        Constant::Number(number) => number.to_string(),
        _ => "a constant".into(),
    }
}

fn calendar<'s>(schema: &'s Schema, column: &BoundColumn) -> Option<(FieldId, &'s CalendarField)> {
    let ColumnPlace::Field(id) = column.place else { return None };
    match &schema.key.fields[id].kind {
        FieldKind::Calendar(calendar) => Some((id, calendar)),
        _ => None,
    }
}

fn is_interval(node: &BoundNode) -> bool {
    matches!(node.uncast().what, Bound::Interval { .. })
}

/// The arguments from which the function chooses its result; `None` for functions that compute a value.
fn chosen(call: &BoundCall) -> Option<std::ops::Range<usize>> {
    match call.operation() {
        Operation::If => Some(1..3),
        Operation::FirstNotNull | Operation::Greatest | Operation::Least => Some(0..call.arguments.len()),
        Operation::NullIf => Some(0..2),
        _ => None,
    }
}

/// The values that an expression may have, those of all branches of a choice.
fn values_of<'e>(schema: &Schema, node: &'e BoundNode, values: &mut Vec<CompareValue<'e>>) {
    let node = node.uncast();
    match &node.what {
        Bound::Case { arms, otherwise, .. } => {
            arms.iter().for_each(|(_, result)| values_of(schema, result, values));
            return otherwise.iter().for_each(|result| values_of(schema, result, values));
        }
        Bound::Call(call) if !call.is_opaque() => {
            if let Some(chosen) = chosen(call) {
                let chosen = call.arguments.get(chosen).unwrap_or_default();
                return chosen.iter().for_each(|value| values_of(schema, value, values));
            }
        }
        _ => {}
    }
    values.push(value_of(schema, node));
}

fn value_of<'e>(schema: &Schema, node: &'e BoundNode) -> CompareValue<'e> {
    if let Some((id, _)) = node.column().and_then(|column| calendar(schema, column)) {
        return CompareValue::Field(id);
    }
    match node.folded() {
        Some(Constant::Null) => CompareValue::Null,
        Some(Constant::Date(_)) => CompareValue::Day(node),
        Some(Constant::Timestamp(_)) => CompareValue::Date(node),
        Some(Constant::Text(text)) if parse_timestamp(&text).is_some() => CompareValue::IsoText(Some(text)),
        Some(constant @ (Constant::Text(_) | Constant::Number(_))) => CompareValue::Stored(Some(constant)),
        _ => by_type(node),
    }
}

/// What is known of a value without calendar fields by its type.
fn by_type(node: &BoundNode) -> CompareValue<'_> {
    let iso_text = CompareValue::IsoText(None);
    let other = CompareValue::Stored(None);
    let node = node.uncast();
    let by_its_own = || match node.primitive() {
        Some(Type::Date) => CompareValue::Day(node),
        Some(Type::Timestamp) => CompareValue::Date(node),
        _ => CompareValue::Stored(None),
    };
    match &node.what {
        Bound::Cast { operand, .. } if node.primitive().is_some_and(Type::is_text) => {
            match by_type(operand) {
                CompareValue::Stored(_) => other,
                _ => iso_text,
            }
        }
        Bound::Cast { .. } => by_its_own(),
        Bound::Column(BoundColumn { place: ColumnPlace::Column(_), .. }) => by_its_own(),
        Bound::Operation {
            operator: Operator::Binary(BinaryOperator::Plus | BinaryOperator::Minus),
            operands,
        } if operands.iter().any(is_interval) => CompareValue::Date(node),
        Bound::Call(call) if call.is_opaque() => other,
        Bound::Call(call) => match (call.function.map(|function| function.result), call.operation()) {
            (Some(ResultType::Is(Type::Date)), _) => CompareValue::Day(node),
            (Some(ResultType::Is(Type::Timestamp)), _) => CompareValue::Date(node),
            (Some(ResultType::IsoDay), _) => iso_text,
            (_, Operation::Print | Operation::ShowSeconds) => {
                match call.arguments.get(1).map(BoundNode::folded) {
                    None => iso_text,
                    Some(Some(Constant::Text(pattern))) if pattern.starts_with("yyyy-MM-dd") => iso_text,
                    Some(_) => other,
                }
            }
            _ => other,
        },
        _ => other,
    }
}
