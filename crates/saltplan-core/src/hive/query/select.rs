//! The select list of a query, and the columns from which it is computed.

use serde::Serialize;

use super::asked::Asked;
use super::shape::QueryShape;
use crate::analyze::ValueSet;
use crate::hive::instant::Clock;
use crate::hive::load::alias;
use crate::hive::logical;
use crate::hive::not_in_hive::NotInHive;
use crate::key::field::FieldId;
use crate::refusal::Refusal;
use crate::schema::conversion::{Mismatch, TypeUse, conversion, default_type};
use crate::schema::model::{ColumnId, TargetColumn, TargetValue};
use saltplan_sql::Expression;
use saltplan_sql::ast::Expr;
use saltplan_sql::statement::{Identifier, Item};

/// An item of the select list.
#[derive(Debug, Serialize)]
pub(super) struct ColumnContext {
    pub expression: Expr,
    pub name: Identifier,
    /// Whether the expression is just the column's name.
    pub is_plain: bool,
}

impl ColumnContext {
    pub fn new(expression: Expr, name: &str) -> Self {
        let is_plain = matches!(
            &expression,
            Expr::Column(column) if column.quoted && column.qualifier.is_empty() && column.name == name
        );
        ColumnContext { expression, name: Identifier::new(name), is_plain }
    }

    pub fn item(&self) -> Item {
        let name = (!self.is_plain).then(|| self.name.clone());
        Item::Value { value: self.expression.clone(), name }
    }
}

/// Columns between the branches and the select list: an instant, and the reading of a clock as a number.
#[derive(Debug, Serialize)]
pub(super) struct ClockContext {
    pub instant: Expr,
    pub instant_name: Identifier,
    pub elapsed: Expr,
    pub elapsed_name: Identifier,
}

/// The select list; if there are no columns, the row key.
pub(super) fn select_list(asked: &Asked<'_>) -> Result<Vec<ColumnContext>, Refusal> {
    let own = asked.schema.columns.entries();
    if asked.options.logical {
        let columns = logical::columns(asked.schema, asked.key)?.into_iter();
        return Ok(columns.map(|(name, value)| ColumnContext::new(value, name)).collect());
    }
    let key = || ColumnContext::new(asked.key.bare().clone(), &asked.mapping.key_column);
    if asked.options.of_mapping {
        let columns = own.map(|(id, column)| ColumnContext::new(asked.key.column(id), &column.name));
        // In jobs of their own, a query that needs no column, such as count(*), would take all columns from the UNION ALL once its
        // conditions on the key are pushed into the branches, and Hive 2.3.9 and 3.1.3 fail on a UNION ALL without columns. Conditions
        // on the value of an expression stay outside.
        let key = match asked.shape {
            QueryShape::Isolated => ColumnContext::new(asked.key.value(), &asked.mapping.key_column),
            _ => key(),
        };
        return Ok([key].into_iter().chain(columns).collect());
    }
    let columns: Vec<ColumnContext> = match &asked.hive.target {
        Some(target) => {
            target.columns.iter().map(|column| target_column(asked, column)).collect::<Result<_, _>>()?
        }
        None => own.map(|(id, column)| ColumnContext::new(asked.key.column(id), &column.name)).collect(),
    };
    Ok(if columns.is_empty() { vec![key()] } else { columns })
}

fn target_column(asked: &Asked<'_>, target: &TargetColumn) -> Result<ColumnContext, Refusal> {
    let expression = match &target.value {
        TargetValue::Column(id) => column(asked, *id, target),
        TargetValue::KeyField(field) => decoded(asked, *field, target)?,
        TargetValue::Expression(expression) => as_declared(expression, target),
    };
    Ok(ColumnContext::new(expression, &target.name))
}

/// A column as the type that the target declares. Hive would convert it silently; the cast makes that visible.
fn column(asked: &Asked<'_>, id: ColumnId, target: &TargetColumn) -> Expr {
    let value = asked.key.column(id);
    match &target.hive_type {
        Some(given) if *given != asked.schema.columns[id].hive_type => value.cast_as(given),
        _ => value,
    }
}

/// An expression of the schema as the type that the target declares, if Hive has a cast to it.
fn as_declared(expression: &Expression, target: &TargetColumn) -> Expr {
    let value = expression.expr().clone();
    match &target.hive_type {
        Some(given) if expression.cast_type() != given.primitive() => value.cast_as(given),
        _ => value,
    }
}

/// A key field, decoded from the row key.
fn decoded(asked: &Asked<'_>, field: FieldId, target: &TargetColumn) -> Result<Expr, Refusal> {
    let declared = &asked.schema.key.fields[field];
    let default = || default_type(&declared.kind, TypeUse::Column).into();
    let hive_type = &target.hive_type.clone().unwrap_or_else(default);
    let name = &target.name;
    let refusal = |reason: NotInHive| Refusal::ColumnNotWritten {
        reason: format!("column `{name}` of the target: {reason}"),
    };
    let form = conversion(declared, hive_type, TypeUse::Column)
        .map_err(|Mismatch { reason, help }| Refusal::TypeMismatch { reason: reason.to_string(), help })?;
    let clock = form.is_clock().then(|| clock(asked, field)).transpose().map_err(refusal)?;
    asked.key.converted(field, hive_type, TypeUse::Column, clock.as_ref()).map_err(refusal)
}

/// The clock of a field. Its instant and a long offset get their own columns, since they would be repeated for every change of the
/// clock and for every part of a time.
pub(super) fn clock(asked: &Asked<'_>, field: FieldId) -> Result<Clock, NotInHive> {
    let clock = long_clock(asked, field, &asked.key.instant(field)?)?;
    if clock.elapsed().is_none() {
        return Ok(clock);
    }
    let [instant, elapsed] = clock_columns(asked, field).map(Expr::column);
    Ok(long_clock(asked, field, &instant)?.with_elapsed(elapsed))
}

fn long_clock(asked: &Asked<'_>, field: FieldId, instant: &Expr) -> Result<Clock, NotInHive> {
    asked.key.clock(field, instant, asked.plan.bound.fields.get(&field).and_then(ValueSet::hull))
}

/// The column names of an instant and of its clock, without quotes.
fn clock_columns(asked: &Asked<'_>, field: FieldId) -> [String; 2] {
    let name = &asked.schema.key.fields[field].name;
    [format!("instant_{name}"), format!("clock_{name}")].map(|name| alias(asked.schema, &name))
}

/// The columns that expressions of [`clock`] use.
pub(super) fn clocks(asked: &Asked<'_>, columns: &[ColumnContext]) -> Result<Vec<ClockContext>, Refusal> {
    let refusal = |reason: NotInHive| Refusal::ClockNotWritten { reason: reason.into() };
    let mut clocks = Vec::new();
    for field in asked.schema.key.fields.ids() {
        let [instant_name, elapsed_name] = clock_columns(asked, field);
        let is_used = |expr: &Expr| expr.uses(&instant_name) || expr.uses(&elapsed_name);
        if !columns.iter().any(|column| is_used(&column.expression)) {
            continue;
        }
        let clock = long_clock(asked, field, &Expr::column(&instant_name)).map_err(refusal)?;
        let instant = asked.key.instant(field).map_err(refusal)?;
        clocks.extend(clock.elapsed().cloned().map(|elapsed| ClockContext {
            instant,
            instant_name: Identifier::new(&instant_name),
            elapsed,
            elapsed_name: Identifier::new(&elapsed_name),
        }));
    }
    Ok(clocks)
}
