//! What the planner reads exactly as this Hive does. Everything else becomes any value.
//!
//! The analysis reads predicates as docs/predicates.md promises: a day may be written 20200406 or `'2020-04-06'` beside a field,
//! whatever the field's type is. Hive compares what it has. So a condition is kept only where operands have one type, or are converted
//! to one here by the rule of this Hive, and where functions get arguments of the types that they take.

use saltplan_core::analyze::bind::{
    Bound, BoundCall, BoundNode, CastOrigin, ColumnPlace, Operator, Setting, TypedColumns, bind,
    comparison_type,
};
use saltplan_core::analyze::constant::{Constant, Decimal};
use saltplan_document::diag::Span;
use saltplan_sql::ast::{BinaryOperator, Expr, Literal};
use saltplan_sql::functions::{Kind, Operation, ResultType};
use saltplan_sql::hive_type::Type;
use saltplan_sql::time::format::parse_timestamp;
use saltplan_sql::version::HiveVersion;

use crate::tree::any;
use crate::zone::Clocks;

/// Decimals with more digits after the point are not compared: Hive rounds where the common type has too many digits.
const MAX_SCALE: u32 = 18;

/// Decides which parts of a filter over the row key are read.
#[derive(Debug, Clone, Copy)]
pub struct Meaning<'c> {
    pub version: HiveVersion,
    pub clocks: &'c Clocks,
}

impl Meaning<'_> {
    /// A condition with any value in the place of what is not read.
    pub fn condition(self, node: BoundNode) -> BoundNode {
        if !matches!(node.primitive(), Some(Type::Boolean | Type::Void)) {
            return any();
        }
        match node.what {
            Bound::Constant(_) => node,
            Bound::Operation { operator: Operator::In { negated }, operands } if has_null(&operands) => {
                // `x IN (1, NULL)` is `x = 1 OR NULL`.
                let values = operands.into_iter().filter(|operand| !is_null(operand)).collect();
                let listed = BoundNode::condition(Operator::In { negated: false }, values);
                let null = BoundNode { of: Some(Type::Boolean.into()), ..BoundNode::literal(Literal::Null) };
                let either = BoundNode::condition(Operator::Or, vec![self.condition(listed), null]);
                if negated { BoundNode::condition(Operator::Not, vec![either]) } else { either }
            }
            Bound::Operation { operator, operands } => match self.operation(operator, operands) {
                Some((operator, operands)) => BoundNode::condition(operator, operands),
                None => any(),
            },
            Bound::Case { .. } | Bound::Call(_) => self.value(node).unwrap_or_else(any),
            _ => any(),
        }
    }

    fn operation(self, operator: Operator, operands: Vec<BoundNode>) -> Option<(Operator, Vec<BoundNode>)> {
        let operands = match operator {
            Operator::And | Operator::Or | Operator::Not | Operator::Is { value: Some(_), .. } => {
                operands.into_iter().map(|operand| self.condition(operand)).collect()
            }
            Operator::Is { value: None, .. } => self.values(operands)?,
            Operator::Binary(op) if op.compares() => self.compared(operands, Some(op))?,
            Operator::In { .. }
                if matches!(operands.first(), Some(BoundNode { what: Bound::Row(_), .. })) =>
            {
                self.rows(operands)?
            }
            Operator::In { .. } | Operator::Between { .. } => self.compared(operands, None)?,
            Operator::Like { .. } | Operator::RLike { .. } => {
                operands.into_iter().map(|operand| self.text_argument(operand)).collect::<Option<_>>()?
            }
            _ => return None,
        };
        Some((operator, operands))
    }

    /// Operands that are compared with each other; `op` of a comparison of two.
    fn compared(self, operands: Vec<BoundNode>, op: Option<BinaryOperator>) -> Option<Vec<BoundNode>> {
        let types = operands.iter().map(BoundNode::primitive).collect::<Option<Vec<Type>>>()?;
        let all = |is_it: &dyn Fn(Type) -> bool| types.iter().all(|of| *of == Type::Void || is_it(*of));
        if all(&|of| of == Type::Boolean) {
            let is_equality =
                matches!(op?, BinaryOperator::Eq | BinaryOperator::NotEq | BinaryOperator::NullSafeEq);
            return is_equality
                .then(|| operands.into_iter().map(|operand| self.condition(operand)).collect());
        }
        let is_exact = |of: Type| match of {
            Type::Decimal { scale, .. } => scale <= MAX_SCALE,
            _ => of.is_integer(),
        };
        let are_of_one_kind = all(&|of| matches!(of, Type::String | Type::Varchar(_)))
            || all(&|of| of == Type::Date)
            || all(&|of| of == Type::Timestamp)
            || all(&|of| of == Type::Double)
            || all(&is_exact);
        if are_of_one_kind {
            let values = self.values(operands)?;
            return Some(whole_numbers(&values).unwrap_or(values));
        }
        // Two types without a cast: Hive converts both to the type that this version compares them in.
        op?;
        let [left, right] = <[BoundNode; 2]>::try_from(operands).ok()?;
        let common = comparison_type(left.primitive()?, right.primitive()?)?;
        let [left, right] = [(left, types[0]), (right, types[1])].map(|(operand, own)| match common {
            _ if own == common => Some(operand),
            Type::Double if own.is_integer() => Some(cast(operand, Type::Double)),
            Type::Double => double_of(&operand),
            Type::Date | Type::Timestamp => time_of(&operand, common),
            _ => None,
        });
        let values = self.values(vec![left?, right?])?;
        Some(whole_numbers(&values).unwrap_or(values))
    }

    /// Rows of values in a list of them, compared column by column. Of NULL in a row of a list nothing is said here.
    fn rows(self, rows: Vec<BoundNode>) -> Option<Vec<BoundNode>> {
        let rows = rows.into_iter().map(|row| match row.what {
            Bound::Row(values) => Some(values),
            _ => None,
        });
        let rows: Vec<Vec<BoundNode>> = rows.collect::<Option<_>>()?;
        let width = rows.first()?.len();
        if rows.iter().any(|row| row.len() != width || row.iter().any(is_null)) {
            return None;
        }
        let mut rows: Vec<std::vec::IntoIter<BoundNode>> = rows.into_iter().map(Vec::into_iter).collect();
        let mut compared: Vec<Vec<BoundNode>> = rows.iter().map(|_| Vec::new()).collect();
        for _ in 0..width {
            let column = rows.iter_mut().filter_map(Iterator::next).collect();
            let column = self.compared(column, None)?;
            compared.iter_mut().zip(column).for_each(|(row, value)| row.push(value));
        }
        Some(compared.into_iter().map(|row| BoundNode::new(Bound::Row(row), None, Span::default())).collect())
    }

    fn values(self, operands: Vec<BoundNode>) -> Option<Vec<BoundNode>> {
        operands.into_iter().map(|operand| self.value(operand)).collect()
    }

    /// A value, if all of it is read as Hive does.
    fn value(self, node: BoundNode) -> Option<BoundNode> {
        let of = node.primitive()?;
        // A timestamp of Hive 2 is an instant of the Java machine's zone: clocks that go forward move the ones that they skip.
        if of == Type::Timestamp && self.version == HiveVersion::Hive2 {
            return None;
        }
        if of == Type::Date && !self.clocks.has_dates() {
            return None;
        }
        let kept = |what| Some(BoundNode::new(what, Some(of.into()), Span::default()));
        match node.what {
            Bound::Constant(_) => Some(node),
            Bound::Column(ref column) => (column.place != ColumnPlace::Elsewhere).then_some(node),
            Bound::Cast { operand, .. } => self.cast(*operand, of),
            // `-9223372036854775808` is a decimal with a sign before it.
            Bound::Operation { operator: Operator::Minus, .. }
                if matches!(of, Type::Decimal { scale: 0, .. }) && node.folded().is_some() =>
            {
                Some(node)
            }
            Bound::Operation { operator: Operator::Minus, operands } => {
                let operands = self.values(operands)?;
                is_whole_sum(&operands, None, of)?;
                kept(Bound::Operation { operator: Operator::Minus, operands })
            }
            Bound::Operation { operator: Operator::Binary(op), operands } if !op.compares() => {
                let operands = self.values(operands)?;
                is_whole_sum(&operands, Some(op), of)?;
                kept(Bound::Operation { operator: Operator::Binary(op), operands })
            }
            Bound::Operation { operator: Operator::Element, operands } => self.element(operands, of),
            Bound::Operation { .. } if of == Type::Boolean => Some(self.condition(node)),
            Bound::Call(call) => self.call(call, of),
            Bound::Case { operand, arms, otherwise } => {
                let (conditions, results): (Vec<_>, Vec<_>) = arms.into_iter().unzip();
                let (operand, conditions) = match operand {
                    Some(operand) => {
                        let compared = std::iter::once(*operand).chain(conditions).collect();
                        let mut compared = self.compared(compared, None)?;
                        (Some(Box::new(compared.remove(0))), compared)
                    }
                    None => {
                        (None, conditions.into_iter().map(|condition| self.condition(condition)).collect())
                    }
                };
                let results = results.into_iter().map(|result| self.chosen(result, of));
                let results = results.collect::<Option<Vec<_>>>()?;
                let arms = conditions.into_iter().zip(results).collect();
                let otherwise = match otherwise {
                    Some(result) => Some(Box::new(self.chosen(*result, of)?)),
                    None => None,
                };
                kept(Bound::Case { operand, arms, otherwise })
            }
            _ => None,
        }
    }

    /// One of several values that an expression chooses from. All of them have its type.
    fn chosen(self, node: BoundNode, of: Type) -> Option<BoundNode> {
        let own = node.primitive()?;
        let is_alike = own == of || own == Type::Void;
        if of == Type::Boolean {
            return is_alike.then(|| self.condition(node));
        }
        self.value(node).filter(|_| is_alike)
    }

    /// `split(…)[…]`
    fn element(self, operands: Vec<BoundNode>, of: Type) -> Option<BoundNode> {
        let [array, index] = <[BoundNode; 2]>::try_from(operands).ok()?;
        let Bound::Call(call) = array.what else { return None };
        let is_text = of == Type::String && call.function?.result == ResultType::ArrayOf(Type::String);
        let own = array.of.clone();
        let arguments = call.arguments.into_iter().map(|argument| self.text_argument(argument));
        let call = BoundCall { arguments: arguments.collect::<Option<_>>()?, ..call };
        let array = BoundNode::new(Bound::Call(call), own, Span::default());
        let index = self.value(index).filter(|index| is_text && index.primitive() == Some(Type::Int))?;
        let what = Bound::Operation { operator: Operator::Element, operands: vec![array, index] };
        Some(BoundNode::new(what, Some(of.into()), Span::default()))
    }

    fn cast(self, operand: BoundNode, to: Type) -> Option<BoundNode> {
        let from = operand.primitive()?;
        let is_read = from == to
            || from.is_integer() && (to.is_integer() || matches!(to, Type::Double | Type::String))
            || from == Type::String
                && (to.is_integer() || matches!(to, Type::Double | Type::Date | Type::Timestamp))
            || from.is_time() && (to.is_time() || to == Type::String)
            // The view reads texts among bytes so: `cast(unhex(substr(hex(rowkey), 5, 20)) AS string)`.
            || from == Type::Binary && to == Type::String
            || from == Type::Double && to.is_integer() && is_quotient(&operand)
            || holds_all(to, from);
        let operand = self.value(operand).filter(|_| is_read)?;
        Some(if from == to { operand } else { cast(operand, to) })
    }

    fn call(self, call: BoundCall, of: Type) -> Option<BoundNode> {
        let function = call.function?;
        let operation = call.operation();
        if operation == Operation::ChangeZone || !self.clocks.reads(&call) {
            return None;
        }
        let is_of_type = match function.result {
            ResultType::Is(own) => own == of,
            ResultType::IsoDay => of == Type::String,
            _ => true,
        };
        if !is_of_type {
            return None;
        }
        let chosen = match operation {
            Operation::If => 1..3,
            Operation::FirstNotNull | Operation::Greatest | Operation::Least => 0..call.arguments.len(),
            Operation::NullIf => 0..2,
            _ => 0..0,
        };
        let is_by_pattern = operation == Operation::ReadSeconds && call.arguments.len() == 2;
        let mut arguments = Vec::new();
        for (index, argument) in call.arguments.into_iter().enumerate() {
            let is_one_of = |types: &dyn Fn(Type) -> bool| argument.primitive().is_some_and(types);
            arguments.push(match function.arguments.kind(index)? {
                _ if chosen.contains(&index) => self.chosen(argument, of)?,
                Kind::Text => self.text_argument(argument)?,
                Kind::Date | Kind::Time if is_by_pattern => self.text_argument(argument)?,
                Kind::Date | Kind::Time if is_one_of(&|of| of.is_time() || of == Type::String) => {
                    self.value(argument)?
                }
                Kind::Number | Kind::Whole | Kind::Count if is_one_of(&Type::is_integer) => {
                    self.value(argument)?
                }
                Kind::Number if operation == Operation::Floor && is_quotient(&argument) => {
                    self.value(argument)?
                }
                Kind::Any => self.value(argument)?,
                Kind::Boolean => self.condition(argument),
                _ => return None,
            });
        }
        let call = BoundCall { arguments, ..call };
        Some(BoundNode::new(Bound::Call(call), Some(of.into()), Span::default()))
    }

    fn text_argument(self, argument: BoundNode) -> Option<BoundNode> {
        match argument.primitive()? {
            Type::String | Type::Void => self.value(argument),
            Type::Varchar(_) if argument.constant().is_some() => Some(argument),
            // Hive makes a text of it.
            of if of.is_integer() || of.is_time() => Some(cast(self.value(argument)?, Type::String)),
            _ => None,
        }
    }
}

/// Arithmetic of whole numbers in the type that Hive computes it in.
fn is_whole_sum(operands: &[BoundNode], op: Option<BinaryOperator>, of: Type) -> Option<()> {
    let mut types = operands.iter().map(|operand| operand.primitive().filter(|of| of.is_integer()));
    let first = types.next()??;
    let greatest = |of: Type| of.whole_numbers().map(|(_, greatest)| greatest);
    let widest = types.try_fold(first, |widest, of| {
        let of = of?;
        Some(if greatest(of) > greatest(widest) { of } else { widest })
    })?;
    let result = match op {
        Some(BinaryOperator::Divide) => Type::Double,
        Some(BinaryOperator::IntegerDivide) => Type::BigInt,
        Some(BinaryOperator::Concat) => return None,
        _ => widest,
    };
    (result == of).then_some(())
}

/// Whether a decimal type has all numbers of a type of whole numbers.
fn holds_all(to: Type, from: Type) -> bool {
    let Type::Decimal { precision, scale } = to else { return false };
    let Some((least, _)) = from.whole_numbers() else { return false };
    let digits = least.unsigned_abs().checked_ilog10().map_or(1, |more| more + 1);
    scale <= MAX_SCALE && precision >= scale && precision - scale >= digits
}

fn is_null(value: &BoundNode) -> bool {
    value.folded() == Some(Constant::Null)
}

/// Whether a list has NULL among other values. Of NULL alone, and of NULL that is looked for, all is known without it.
fn has_null(operands: &[BoundNode]) -> bool {
    let is_row = matches!(operands.first(), Some(BoundNode { what: Bound::Row(_), .. }));
    let count = operands.iter().skip(1).filter(|value| is_null(value)).count();
    !is_row && count > 0 && count + 1 < operands.len() && !is_null(&operands[0])
}

/// Whether a node is a division, whose operands are whole numbers where it is read at all.
fn is_quotient(node: &BoundNode) -> bool {
    matches!(node.what, Bound::Operation { operator: Operator::Binary(BinaryOperator::Divide), .. })
}

/// A whole number that is compared, as a double or a decimal, with constants: as a number with the same constants. Doubles of less than
/// 2^53 are exact, as are decimals that hold all numbers of the type, so both are true for the same numbers.
fn whole_numbers(operands: &[BoundNode]) -> Option<Vec<BoundNode>> {
    let (mut found, mut is_double) = (0, false);
    let mut are_small = true;
    let operands = operands.iter().map(|operand| match &operand.what {
        Bound::Cast { operand: inner, .. }
            if inner.constant().is_none()
                && inner.primitive().is_some_and(Type::is_integer)
                && match (operand.primitive(), inner.primitive()) {
                    (Some(Type::Double), _) => true,
                    (Some(to), Some(from)) => holds_all(to, from),
                    _ => false,
                } =>
        {
            found += 1;
            is_double |= operand.primitive() == Some(Type::Double);
            Some((**inner).clone())
        }
        _ => match operand.folded()? {
            Constant::Number(number) => {
                are_small &= number.digits.unsigned_abs() < 1 << 53;
                Some(BoundNode::literal(Literal::Number(number.to_string())))
            }
            Constant::Null => Some(operand.clone()),
            _ => None,
        },
    });
    let operands = operands.collect::<Option<Vec<_>>>()?;
    (found == 1 && (are_small || !is_double)).then_some(operands)
}

fn cast(operand: BoundNode, to: Type) -> BoundNode {
    let origin = CastOrigin::Written(to.to_string());
    BoundNode::new(Bound::Cast { operand: Box::new(operand), origin }, Some(to.into()), Span::default())
}

/// A constant text as the double that Hive makes of it; `None` where that may be NULL.
fn double_of(node: &BoundNode) -> Option<BoundNode> {
    let Constant::Text(text) = node.folded()? else { return None };
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-' || byte == b'.');
    let number = Decimal::parse(&text).filter(|number| is_plain && number.digits.unsigned_abs() < 1 << 53)?;
    Some(BoundNode::literal(Literal::Number(format!("{number}E0"))))
}

/// A constant text as the date or the time that Hive makes of it.
fn time_of(node: &BoundNode, to: Type) -> Option<BoundNode> {
    let Constant::Text(text) = node.folded()? else { return None };
    let shape = if to == Type::Date { "%Y-%m-%d" } else { "%Y-%m-%d %H:%M:%S" };
    let text = parse_timestamp(&text).filter(|at| at.format(shape).to_string() == text).map(|_| text)?;
    let written = Expr::TypedText { data_type: to, text };
    Some(bind(&written.into(), &TypedColumns::default(), Setting::Query(None)))
}
