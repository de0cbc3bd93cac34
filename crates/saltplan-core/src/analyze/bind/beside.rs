//! Constants beside a column, in comparisons and in lists: Hive converts them to its type.

use super::Binder;
use super::constants::{self, Beside, beside_column};
use super::tree::{Bound, BoundNode, Open, Operator};
use crate::analyze::constant::Constant;
use saltplan_document::diag::Span;
use saltplan_sql::ast::{Expr, Node, UnaryOperator};
use saltplan_sql::hive_type::{HiveType, Type};
use saltplan_sql::version::HiveVersion;

impl Binder<'_> {
    /// What becomes of a constant beside a column.
    fn conversion(&self, version: HiveVersion, column: &BoundNode, beside: &BoundNode) -> Beside {
        // For Hive 2 and 3 a negative number is no constant but a function of one.
        let is_function = version != HiveVersion::Hive4 && negations(beside) > 0;
        if is_function || self.promises && column.has_field() {
            return Beside::Same;
        }
        let (Some(target), Some(constant), Some(of)) = (&column.of, beside.constant(), &beside.of) else {
            return Beside::Same;
        };
        match beside_column(version, target, constant, of) {
            Beside::Converted(value, to) if constant.value.as_ref() == Some(&value) && to == *of => {
                Beside::Same
            }
            found => found,
        }
    }

    /// Converts a constant to the type of a column beside it.
    pub(super) fn convert(&self, column: &BoundNode, beside: &mut BoundNode) -> Beside {
        let found = self.by_version(|version| self.conversion(version, column, beside));
        put_converted(&found, beside);
        found
    }

    /// Converts a constant where only Hive 4 does.
    pub(super) fn convert_in_hive4(&self, column: &BoundNode, beside: &mut BoundNode) -> Beside {
        let found = self.conversion(HiveVersion::Hive4, column, beside);
        if found == Beside::Same || !self.in_hive4(true) {
            return Beside::Same;
        }
        put_converted(&found, beside);
        found
    }

    pub(super) fn in_list(&self, expr: &Node, list: &[Node], negated: bool, span: Span) -> BoundNode {
        let operand = self.node(expr);
        let mut items: Vec<_> = list.iter().map(|item| self.node(item)).collect();
        // The others compare the values as they are.
        items.iter_mut().for_each(|item| self.fit(&operand, item));
        let operands = std::iter::once(operand).chain(items).collect();
        BoundNode::new(
            Bound::Operation { operator: Operator::In { negated }, operands },
            Some(HiveType::from(Type::Boolean)),
            span,
        )
    }

    /// A value of a list of Hive 4, which makes it a value of the operand's type if it is one.
    fn fit(&self, operand: &BoundNode, item: &mut BoundNode) {
        if let (Bound::Row(columns), Bound::Row(values)) = (&operand.what, &mut item.what)
            && columns.len() == values.len()
        {
            let mut members = Vec::new();
            for (at, (column, value)) in columns.iter().zip(values).enumerate() {
                let found = column_of(column).map(|column| self.convert_in_hive4(column, value));
                if let (Some(Beside::NoValue), Bound::Constant(constant)) = (found, &mut value.what) {
                    constant.value = Some(constants::plain(Constant::Null));
                    value.of.clone_from(&column.of);
                }
                members.push(value.of.clone().map(|of| (format!("col{}", at + 1), of)));
            }
            item.of = members.into_iter().collect::<Option<_>>().map(HiveType::Struct);
        } else if let Some(column) = column_of(operand)
            && self.convert_in_hive4(column, item) == Beside::NoValue
        {
            item.of = None;
            item.open = Some(Open::NoMatch);
        }
    }
}

/// The column that an expression is. Hive leaves out casts of a column to its own type.
pub(super) fn column_of(node: &BoundNode) -> Option<&BoundNode> {
    match &node.what {
        Bound::Column(_) => Some(node),
        Bound::Cast { operand, .. } => {
            let is_sized =
                matches!(node.primitive(), Some(Type::Decimal { .. } | Type::Varchar(_) | Type::Char(_)));
            Some(&**operand).filter(|operand| operand.of == node.of && !is_sized).and_then(column_of)
        }
        _ => None,
    }
}

fn put_converted(found: &Beside, constant: &mut BoundNode) {
    if let (Beside::Converted(value, of), Bound::Constant(own)) = (found, &mut constant.what) {
        own.value = Some(value.clone());
        constant.of = Some(of.clone());
    }
}

/// The number of minus signs in front of a constant.
pub(super) fn negations(node: &BoundNode) -> usize {
    let written = node.constant().and_then(|constant| constant.written.as_deref());
    let mut count = 0;
    let mut rest = written.map(Expr::unnested);
    while let Some(Expr::UnaryOp { op: UnaryOperator::Minus, expr }) = rest {
        count += 1;
        rest = Some(expr.unnested());
    }
    count
}
