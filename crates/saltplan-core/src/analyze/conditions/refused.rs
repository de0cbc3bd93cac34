//! Conditions that Hive does not compile.

use crate::analyze::bind::{BoundColumn, ColumnPlace, SchemaScope, Setting, bind, written};
use crate::analyze::constant::{Constant, fold};
use crate::schema::model::Schema;
use saltplan_document::diag::{Diagnostic, PredicateFault};
use saltplan_sql::Parsed;
use saltplan_sql::ast::{Expr, Node, Type};
use saltplan_sql::functions::Kind;
use saltplan_sql::rewrite::walk;

/// A value where a condition is expected. Hive does not compile it together with other conditions.
pub(super) fn refused_value(schema: &Schema, parsed: &Parsed, leaf: &Node) -> Option<Diagnostic> {
    // What compares is a condition, and may be long.
    if !matches!(leaf.expr, Expr::Column(_)) && fold(&leaf.expr).is_none() {
        return None;
    }
    let bound = bind(leaf, &SchemaScope(schema), Setting::Predicate);
    let (what, help) = match (bound.column(), fold(&leaf.expr)) {
        (Some(BoundColumn { place: ColumnPlace::Field(field), .. }), _) => {
            let name = &schema.key.fields[*field].name;
            (format!("`{name}` is a value"), format!("compare it, such as `{name} = …`"))
        }
        (Some(BoundColumn { place: ColumnPlace::Column(id), .. }), _) => {
            let column = &schema.columns[*id];
            let (name, of) = (&column.name, &column.hive_type);
            if *of == Type::Boolean {
                return None;
            }
            (format!("`{name}` is {of}"), format!("compare it, such as `{name} = …`"))
        }
        (_, Some(Constant::Text(_))) => {
            ("a text is a value".to_string(), "compare it with a column".to_string())
        }
        // Hive 3.1.3 returns all rows for 1 and no row for 2.
        (_, Some(Constant::Number(number))) => (
            format!("`{number}` is a number"),
            "compare it with a column, or write TRUE or FALSE".to_string(),
        ),
        (_, Some(Constant::Date(_) | Constant::Timestamp(_))) => {
            ("a time is a value".to_string(), "compare it with a column".to_string())
        }
        _ => return None,
    };
    let error = Diagnostic::error(format!("{what}, and Hive takes only conditions here"))
        .at(&parsed.source, leaf.span, "not a condition")
        .with_help(help)
        .with_fault(PredicateFault::NoCondition);
    Some(error)
}

/// A value that is no int where Hive counts days or months. Measured on Hive 2.3.9, 3.1.3 and 4.1.0: each refuses every other type.
pub(super) fn refused_count(schema: &Schema, parsed: &Parsed, leaf: &Node) -> Option<Diagnostic> {
    let mut found = None;
    walk(&leaf.expr, &mut |part| {
        let Expr::Call(call) = part else { return };
        let [_, count] = call.arguments.as_slice() else { return };
        if call.function.is_some_and(|function| function.arguments.kind(1) == Some(Kind::Count)) {
            let bound = bind(count, &SchemaScope(schema), Setting::Predicate);
            let is_refused = bound
                .primitive()
                .filter(|of| of.is_number() && !matches!(of, Type::TinyInt | Type::SmallInt | Type::Int));
            found = is_refused.map(|of| (&call.name, bound, of)).or(found.take());
        }
    });
    let (name, count, of) = found?;
    let written = written(&count);
    let error = Diagnostic::error(format!("`{name}` counts by an int, and `{written}` is a {of}"))
        .at(&parsed.source, leaf.span, "Hive does not compile this")
        .with_help(match fold(&written) {
            Some(_) => "write a number from -2147483648 to 2147483647".to_string(),
            None => format!("write `cast({written} AS int)`"),
        })
        .with_fault(PredicateFault::Argument);
    Some(error)
}

/// Hive cannot compare rows of values, so a comparison that `RowSplitter` did not take apart is refused.
pub(super) fn refused_row(parsed: &Parsed, leaf: &Node) -> Option<Diagnostic> {
    let is_row = |expr: &Expr| matches!(expr, Expr::Tuple(_));
    let has_row = match &leaf.expr {
        Expr::BinaryOp { left, right, .. } => is_row(left) || is_row(right),
        Expr::Between { expr, low, high, .. } => is_row(expr) || is_row(low) || is_row(high),
        _ => false,
    };
    let error = || {
        Diagnostic::error("a row is compared with something other than a row of as many values")
            .at(&parsed.source, leaf.span, "in this condition")
            .with_help("compare the values one by one, such as `a = b AND c = 1`")
            .with_fault(PredicateFault::RowsCompared)
    };
    has_row.then(error)
}
