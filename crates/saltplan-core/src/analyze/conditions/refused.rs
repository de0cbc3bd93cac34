//! Conditions that Hive does not compile.

use std::sync::Arc;

use crate::analyze::bind::{Bound, BoundColumn, BoundNode, ColumnPlace, Operator, written};
use crate::analyze::constant::Constant;
use crate::schema::model::Schema;
use saltplan_document::diag::{Diagnostic, PredicateFault, Source};
use saltplan_sql::ast::Type;
use saltplan_sql::functions::Kind;

/// A value where a condition is expected. Hive does not compile it together with other conditions.
pub(super) fn refused_value(schema: &Schema, source: &Arc<Source>, leaf: &BoundNode) -> Option<Diagnostic> {
    let (what, help) = match leaf.column() {
        Some(BoundColumn { place: ColumnPlace::Field(field), .. }) => {
            let name = &schema.key.fields[*field].name;
            (format!("`{name}` is a value"), format!("compare it, such as `{name} = …`"))
        }
        Some(BoundColumn { place: ColumnPlace::Column(id), .. }) => {
            let column = &schema.columns[*id];
            let (name, of) = (&column.name, &column.hive_type);
            if *of == Type::Boolean {
                return None;
            }
            (format!("`{name}` is {of}"), format!("compare it, such as `{name} = …`"))
        }
        Some(_) => return None,
        None => match leaf.folded()? {
            Constant::Text(_) => ("a text is a value".to_string(), "compare it with a column".to_string()),
            // Hive 3.1.3 returns all rows for 1 and no row for 2.
            Constant::Number(number) => (
                format!("`{number}` is a number"),
                "compare it with a column, or write TRUE or FALSE".to_string(),
            ),
            Constant::Date(_) | Constant::Timestamp(_) => {
                ("a time is a value".to_string(), "compare it with a column".to_string())
            }
            Constant::Null | Constant::Bool(_) => return None,
        },
    };
    let error = Diagnostic::error(format!("{what}, and Hive takes only conditions here"))
        .at(source, leaf.span, "not a condition")
        .with_help(help)
        .with_fault(PredicateFault::NoCondition);
    Some(error)
}

/// A value that is no int where Hive counts days or months. Measured on Hive 2.3.9, 3.1.3 and 4.1.0: each refuses every other type.
pub(super) fn refused_count(source: &Arc<Source>, leaf: &BoundNode) -> Option<Diagnostic> {
    let mut found = None;
    leaf.walk(&mut |part| {
        let Bound::Call(call) = &part.what else { return };
        let [_, count] = call.arguments.as_slice() else { return };
        let counts = call.function.is_some_and(|function| function.arguments.kind(1) == Some(Kind::Count));
        if counts && !call.is_opaque() {
            let is_refused = count
                .primitive()
                .filter(|of| of.is_number() && !matches!(of, Type::TinyInt | Type::SmallInt | Type::Int));
            found = is_refused.map(|of| (&call.name, count, of)).or(found.take());
        }
    });
    let (name, count, of) = found?;
    let written = written(count);
    let written = written.unnested();
    let error = Diagnostic::error(format!("`{name}` counts by an int, and `{written}` is a {of}"))
        .at(source, leaf.span, "Hive does not compile this")
        .with_help(match count.folded() {
            Some(_) => "write a number from -2147483648 to 2147483647".to_string(),
            None => format!("write `cast({written} AS int)`"),
        })
        .with_fault(PredicateFault::Argument);
    Some(error)
}

/// Hive cannot compare rows of values, so a comparison that `RowSplitter` did not take apart is refused.
pub(super) fn refused_row(source: &Arc<Source>, leaf: &BoundNode) -> Option<Diagnostic> {
    let Bound::Operation { operator: Operator::Binary(_) | Operator::Between { .. }, operands } = &leaf.what
    else {
        return None;
    };
    let has_row = operands.iter().any(|operand| matches!(operand.what, Bound::Row(_)));
    let error = || {
        Diagnostic::error("a row is compared with something other than a row of as many values")
            .at(source, leaf.span, "in this condition")
            .with_help("compare the values one by one, such as `a = b AND c = 1`")
            .with_fault(PredicateFault::RowsCompared)
    };
    has_row.then(error)
}
