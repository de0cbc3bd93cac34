//! Partition columns of the target in a predicate. The rows of the HBase table do not have them yet, but each is a function of the
//! key, a column or a constant, which is put in its place: `hr = '08'` is `date_format(ts, 'HH') = '08'`.

use crate::key::field::{CalendarType, FieldKind};
use crate::schema::model::{PartitionColumn, PartitionValue, Schema};
use saltplan_document::diag::Span;
use saltplan_sql::ast::{BinaryOperator, Call, Column, Expr, Literal, Node, Type};
use saltplan_sql::functions::{DATE_FORMAT, Function, Operation, TO_DATE};
use saltplan_sql::rewrite::{columns, replace};

/// The predicate in terms of key fields and columns; `None` if it names no partition column.
pub(super) fn without_partition_columns(schema: &Schema, tree: &Node) -> Option<Node> {
    let is_one = |(name, _): &(&str, Span)| partition_column(schema, name).is_some();
    if !columns(tree).iter().any(is_one) {
        return None;
    }
    let mut tree = tree.clone();
    put(schema, &mut tree);
    Some(tree)
}

/// A partition column that is not a key field or a column of the same name.
pub(super) fn partition_column<'s>(schema: &'s Schema, name: &str) -> Option<&'s PartitionColumn> {
    if schema.field(name).is_some() || schema.column(name).is_some() || schema.is_key_column(name) {
        return None;
    }
    schema.target()?.partition.iter().find(|column| column.name.eq_ignore_ascii_case(name))
}

fn put(schema: &Schema, node: &mut Node) {
    replace(node, &mut |part| match &part.expr {
        Expr::Column(column) => Some(typed(schema, partition_column(schema, &column.name)?, part.span)),
        // `concat(dt, hr)` is about the texts in the names of the partitions.
        Expr::Call(call) if call.operation() == Operation::Concatenate => {
            let arguments = call.arguments.iter().map(|part| with_partition_values(schema, part)).collect();
            Some(Expr::Call(Call { arguments, ..call.clone() }))
        }
        Expr::BinaryOp { left, op: op @ BinaryOperator::Concat, right } => {
            let [left, right] = [left, right].map(|part| Box::new(with_partition_values(schema, part)));
            Some(Expr::BinaryOp { left, op: *op, right })
        }
        _ => None,
    });
}

fn with_partition_values(schema: &Schema, part: &Node) -> Node {
    let mut node = part.clone();
    let column = match &part.expr {
        Expr::Column(column) => partition_column(schema, &column.name),
        _ => None,
    };
    match column {
        Some(column) => node.expr = value(schema, column, part.span),
        None => put(schema, &mut node),
    }
    node
}

/// The value of a partition column as its type.
fn typed(schema: &Schema, column: &PartitionColumn, span: Span) -> Expr {
    let value = value(schema, column, span);
    let (PartitionValue::Part { .. } | PartitionValue::Constant(_), true) =
        (&column.value, column.hive_type.whole_numbers().is_some())
    else {
        return value;
    };
    if let (PartitionValue::Constant(_), Expr::Literal(Literal::Text(digits))) = (&column.value, &value) {
        return Expr::Literal(Literal::Number(digits.clone()));
    }
    let data_type = if column.hive_type == Type::BigInt { Type::BigInt } else { Type::Int };
    let written = data_type.to_string();
    Expr::Cast { expr: Node::new(value, span).into(), data_type, written }
}

/// The value of a partition column as text, or as the key field or the column has it.
fn value(schema: &Schema, column: &PartitionColumn, span: Span) -> Expr {
    let named = |name: &str| Expr::Column(Column::new(name));
    let call = |function: &'static Function, arguments: Vec<Expr>| {
        Expr::Call(Call::of(function, arguments.into_iter().map(|part| Node::new(part, span)).collect()))
    };
    match &column.value {
        PartitionValue::Constant(text) => Expr::text(text),
        PartitionValue::Column(id) => named(&schema.columns[*id].name),
        PartitionValue::Part { field, pattern } => {
            let time = named(&schema.key.fields[*field].name);
            call(&DATE_FORMAT, vec![time, Expr::text(pattern.text())])
        }
        PartitionValue::Field(id) => {
            let field = &schema.key.fields[*id];
            let is_other = matches!(&field.kind, FieldKind::Calendar(calendar) if calendar.hive_type != CalendarType::Date);
            match column.hive_type.primitive() {
                Some(Type::Date) if is_other => call(&TO_DATE, vec![named(&field.name)]),
                _ => named(&field.name),
            }
        }
    }
}
