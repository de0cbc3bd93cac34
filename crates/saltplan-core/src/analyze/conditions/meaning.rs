//! The form in which Hive gets a calendar field at each place of a residual.
//!
//! A field has one Hive type (`CalendarField::hive_type`), and a condition means what Hive computes over a column of that type, with
//! two exceptions for fields whose value is their stored form: functions of dates read the field as its date, and beside a date
//! (a DATE, a TIMESTAMP, a text such as `'2020-04-06'`) it is compared as one. A comparison in which both readings are possible
//! is refused.

use std::collections::BTreeMap;

use super::names::column_type;
use crate::analyze::clock::FieldForm;
use crate::analyze::compare::{day_fault, text_fault};
use crate::analyze::constant::{Constant, fold};
use crate::analyze::sargable::bare_field;
use crate::key::field::{CalendarField, CalendarType, Field, FieldId, FieldKind};
use crate::schema::model::Schema;
use saltplan_sql::ast::{BinaryOperator, Call, Column, Expr, Node, Type};
use saltplan_sql::functions::{Kind, Operation, ResultType};
use saltplan_sql::literal;
use saltplan_sql::rewrite::operands;
use saltplan_sql::time::format::{ISO_DAY, parse_timestamp};

/// The form in which a condition uses its calendar fields, by the place where each begins. Fields that are used as their value are
/// not in it.
pub(crate) type FieldForms = BTreeMap<usize, FieldForm>;

/// The forms of all calendar fields of a condition.
pub(crate) fn field_forms(schema: &Schema, condition: &Node) -> FieldForms {
    let mut walk = Walk::new(schema);
    let is_calendar = |field: &Field| matches!(field.kind, FieldKind::Calendar(_));
    if schema.key.fields.iter().any(is_calendar) {
        walk.visit(condition, Context::Value);
    }
    walk.forms
}

/// Why comparisons in a condition have no single meaning.
pub(super) fn unclear_comparisons(schema: &Schema, condition: &Node) -> Vec<String> {
    let mut walk = Walk::new(schema);
    walk.visit(condition, Context::Value);
    walk.rejected
}

/// What an expression is used as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Context {
    Value,
    Text,
    Date,
}

struct Walk<'a> {
    schema: &'a Schema,
    forms: FieldForms,
    rejected: Vec<String>,
}

impl<'a> Walk<'a> {
    fn new(schema: &'a Schema) -> Self {
        Walk { schema, forms: FieldForms::new(), rejected: Vec::new() }
    }

    fn visit(&mut self, node: &Node, context: Context) {
        match &node.expr {
            Expr::Column(column) => self.column(column, node.span.start, context),
            Expr::Nested(inner) => self.visit(inner, context),
            Expr::Cast { expr, data_type, .. } => {
                let context = match data_type {
                    Type::Date | Type::Timestamp => Context::Date,
                    Type::String | Type::Varchar(_) | Type::Char(_) => Context::Text,
                    _ => Context::Value,
                };
                self.visit(expr, context);
            }
            Expr::Call(call) => self.call(call, context),
            Expr::Case { operand, conditions, else_result } => {
                if let Some(operand) = operand {
                    let values = conditions.iter().map(|when| &when.condition);
                    self.compared(
                        &std::iter::once(operand.as_ref()).chain(values).collect::<Vec<_>>(),
                        false,
                    );
                } else {
                    conditions.iter().for_each(|when| self.visit(&when.condition, Context::Value));
                }
                conditions.iter().for_each(|when| self.visit(&when.result, context));
                else_result.iter().for_each(|result| self.visit(result, context));
            }
            Expr::Like { .. } | Expr::RLike { .. } => {
                node.for_each_part(&mut |part| self.visit(part, Context::Text));
            }
            Expr::Between { .. } | Expr::InList { .. } => self.compared(&operands(node), false),
            Expr::BinaryOp { left, op, right } => self.operation(left, *op, right),
            _ => node.for_each_part(&mut |part| self.visit(part, Context::Value)),
        }
    }

    fn column(&mut self, column: &Column, start: usize, context: Context) {
        let Some((_, calendar)) = calendar(self.schema, &column.name) else { return };
        let is_stored_form = calendar.hive_type.is_stored_form();
        let form = match context {
            Context::Date if is_stored_form => FieldForm::Date,
            Context::Text if is_stored_form => FieldForm::Stored,
            _ => return,
        };
        self.forms.insert(start, form);
    }

    fn call(&mut self, call: &Call, context: Context) {
        if let Some(chosen) = chosen(call) {
            for (index, argument) in call.arguments.iter().enumerate() {
                self.visit(argument, if chosen.contains(&index) { context } else { Context::Value });
            }
            return;
        }
        let is_read_by_pattern = call.operation() == Operation::ReadSeconds && call.arguments.len() == 2;
        for (index, argument) in call.arguments.iter().enumerate() {
            let context = match call.function.and_then(|function| function.arguments.kind(index)) {
                _ if is_read_by_pattern => Context::Text,
                Some(Kind::Date | Kind::Time) => Context::Date,
                // A calendar field is the text that the key stores, with all its digits.
                Some(Kind::Text) => Context::Text,
                _ => Context::Value,
            };
            self.visit(argument, context);
        }
    }

    fn operation(&mut self, left: &Node, op: BinaryOperator, right: &Node) {
        if op.compares() {
            let is_field = |side: &Node| bare_field(self.schema, side).is_some();
            let is_of_days = match op {
                BinaryOperator::Lt | BinaryOperator::GtEq => is_field(left),
                BinaryOperator::Gt | BinaryOperator::LtEq => is_field(right),
                _ => false,
            };
            return self.compared(&[left, right], is_of_days);
        }
        let is_interval = |side: &Expr| matches!(side.unnested(), Expr::Interval { .. });
        let context = match op {
            BinaryOperator::Concat => Context::Text,
            BinaryOperator::Plus | BinaryOperator::Minus if is_interval(left) || is_interval(right) => {
                Context::Date
            }
            _ => Context::Value,
        };
        self.visit(left, context);
        self.visit(right, context);
    }

    /// Expressions that are compared with each other. Of a BETWEEN or a list all are of one kind. `is_of_days` says that a time and its
    /// day compare alike with a DATE, as in `at < DATE '…'`.
    fn compared(&mut self, operands: &[&Node], is_of_days: bool) {
        if let Some(rows) = operands.iter().map(|operand| row(operand)).collect::<Option<Vec<_>>>() {
            let width = rows.iter().map(|row| row.len()).min().unwrap_or(0);
            (0..width)
                .for_each(|at| self.compared(&rows.iter().map(|row| &row[at]).collect::<Vec<_>>(), false));
            return;
        }
        let mut values = Vec::new();
        operands.iter().for_each(|operand| values_of(self.schema, operand, &mut values));
        let context = match self.context_of(&values, is_of_days) {
            Ok(context) => context,
            Err(reason) => {
                self.rejected.extend((!self.rejected.contains(&reason)).then_some(reason));
                Context::Value
            }
        };
        operands.iter().for_each(|operand| self.visit(operand, context));
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
    Day(&'e Expr),
    /// A TIMESTAMP, or a DATE for all that is known.
    Date(&'e Expr),
    /// A text that Hive reads as a date; its characters where it is a constant.
    IsoText(Option<String>),
    /// Any other value. A field that is compared with it is its stored form.
    Stored(Option<Constant>),
}

impl CompareValue<'_> {
    fn describe(&self) -> String {
        match self {
            CompareValue::Day(expr) | CompareValue::Date(expr) => format!("`{expr}`"),
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

fn calendar<'s>(schema: &'s Schema, name: &str) -> Option<(FieldId, &'s CalendarField)> {
    let id = schema.field(name)?;
    match &schema.key.fields[id].kind {
        FieldKind::Calendar(calendar) => Some((id, calendar)),
        _ => None,
    }
}

fn row(expr: &Expr) -> Option<&[Node]> {
    match expr.unnested() {
        Expr::Tuple(items) => Some(items),
        _ => None,
    }
}

/// The arguments from which the function chooses its result; `None` for functions that compute a value.
fn chosen(call: &Call) -> Option<std::ops::Range<usize>> {
    match call.operation() {
        Operation::If => Some(1..3),
        Operation::FirstNotNull | Operation::Greatest | Operation::Least => Some(0..call.arguments.len()),
        Operation::NullIf => Some(0..2),
        _ => None,
    }
}

/// The values that an expression may have, those of all branches of a choice.
fn values_of<'e>(schema: &Schema, expr: &'e Expr, values: &mut Vec<CompareValue<'e>>) {
    let expr = expr.unnested();
    match expr {
        Expr::Case { conditions, else_result, .. } => {
            conditions.iter().for_each(|when| values_of(schema, &when.result, values));
            return else_result.iter().for_each(|result| values_of(schema, result, values));
        }
        Expr::Call(call) => {
            if let Some(chosen) = chosen(call) {
                let chosen = call.arguments.get(chosen).unwrap_or_default();
                return chosen.iter().for_each(|value| values_of(schema, value, values));
            }
        }
        _ => {}
    }
    values.push(value_of(schema, expr));
}

fn value_of<'e>(schema: &Schema, expr: &'e Expr) -> CompareValue<'e> {
    if let Expr::Column(column) = expr
        && let Some((id, _)) = calendar(schema, &column.name)
    {
        return CompareValue::Field(id);
    }
    let constant = fold(expr);
    match constant {
        Some(Constant::Null) => CompareValue::Null,
        Some(Constant::Date(_)) => CompareValue::Day(expr),
        Some(Constant::Timestamp(_)) => CompareValue::Date(expr),
        Some(Constant::Text(text)) if parse_timestamp(&text).is_some() => CompareValue::IsoText(Some(text)),
        Some(constant @ (Constant::Text(_) | Constant::Number(_))) => CompareValue::Stored(Some(constant)),
        _ => by_type(schema, expr),
    }
}

/// What is known of a value without calendar fields by its type.
fn by_type<'e>(schema: &Schema, expr: &'e Expr) -> CompareValue<'e> {
    let iso_text = CompareValue::IsoText(None);
    let other = CompareValue::Stored(None);
    match expr.unnested() {
        Expr::Cast { data_type: Type::Date, .. } => CompareValue::Day(expr),
        Expr::Cast { data_type: Type::Timestamp, .. } => CompareValue::Date(expr),
        Expr::Cast { expr, data_type: Type::String | Type::Varchar(_) | Type::Char(_), .. } => {
            match by_type(schema, expr) {
                CompareValue::Stored(_) => other,
                _ => iso_text,
            }
        }
        Expr::Column(_) => match column_type(schema, expr).and_then(|(_, of)| of.primitive()) {
            Some(Type::Date) => CompareValue::Day(expr),
            Some(Type::Timestamp) => CompareValue::Date(expr),
            _ => other,
        },
        Expr::BinaryOp { left, op: BinaryOperator::Plus | BinaryOperator::Minus, right }
            if matches!(left.unnested(), Expr::Interval { .. })
                || matches!(right.unnested(), Expr::Interval { .. }) =>
        {
            CompareValue::Date(expr)
        }
        Expr::Call(call) => match (call.function.map(|function| function.result), call.operation()) {
            (Some(ResultType::Is(Type::Date)), _) => CompareValue::Day(expr),
            (Some(ResultType::Is(Type::Timestamp)), _) => CompareValue::Date(expr),
            (Some(ResultType::IsoDay), _) => iso_text,
            (_, Operation::Print | Operation::ShowSeconds) => {
                match call.arguments.get(1).map(|pattern| fold(pattern)) {
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

/// Whether a value may be a local time: a DATE, a TIMESTAMP, or a text of one.
pub(super) fn may_be_local_time(schema: &Schema, expr: &Expr) -> bool {
    let mut values = Vec::new();
    values_of(schema, expr, &mut values);
    values
        .iter()
        .any(|value| matches!(value, CompareValue::Day(_) | CompareValue::Date(_) | CompareValue::IsoText(_)))
}
