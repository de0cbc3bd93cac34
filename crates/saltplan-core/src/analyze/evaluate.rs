//! The value of a bound expression for one row.
//!
//! Nothing is guessed: the value is `None` as soon as it needs something that has no evaluation here. NULL is a value.

use std::cmp::Ordering;

use chrono::{DateTime, Utc};

use super::bind::{Bound, BoundCall, BoundColumn, BoundNode, ConstantValue, Operator};
use super::like;
use saltplan_sql::ast::{BinaryOperator, CallForm, Type};
use saltplan_sql::constant::{arithmetic, cast, size_of};
use saltplan_sql::functions::{CONCAT, Operation};
use saltplan_sql::time::zone::Zone;
use saltplan_sql::value::{Constant, Decimal, NumberType, Typed};

/// Whole numbers up to this one are the same as floats of four bytes.
const MAX_EXACT_FLOAT: i128 = 1 << 24;

/// The columns of a row.
pub trait RowValues {
    /// The value; `None` if it is not known.
    fn value(&self, column: &BoundColumn) -> Option<Typed>;
}

/// The clock that a statement reads.
#[derive(Debug, Clone, Copy, Default)]
pub struct Clock {
    pub zone: Option<Zone>,
    pub now: Option<DateTime<Utc>>,
}

/// Whether a condition is true, false or NULL (`Some(None)`); `None` if that is not known.
pub fn truth(node: &BoundNode, row: &dyn RowValues, clock: &Clock) -> Option<Option<bool>> {
    Evaluation { row, clock }.truth(node)
}

/// A value that is no number in the type of a column or a constant; a number in the type in which Hive computes it.
pub fn typed(constant: Constant, of: Type) -> Option<Typed> {
    let Constant::Number(number) = constant else { return Some(Typed::plain(constant)) };
    let is_exact_float = number.reduced().scale == 0 && number.digits.abs() <= MAX_EXACT_FLOAT;
    let of = match of {
        Type::Decimal { .. } => NumberType::Decimal,
        Type::Double => NumberType::Double,
        Type::Float if is_exact_float => NumberType::Double,
        whole => NumberType::Whole(size_of(whole)?),
    };
    Typed::number(number, of)
}

struct Evaluation<'e> {
    row: &'e dyn RowValues,
    clock: &'e Clock,
}

impl Evaluation<'_> {
    fn value(&self, node: &BoundNode) -> Option<Typed> {
        if node.open.is_some() {
            return None;
        }
        match &node.what {
            Bound::Column(column) => self.row.value(column),
            Bound::Constant(constant) => match constant.value.as_ref()? {
                ConstantValue::Plain(Constant::Null) => Some(null()),
                ConstantValue::Plain(value) => typed(value.clone(), node.primitive()?),
                ConstantValue::Double(_) => None,
            },
            Bound::Cast { operand, .. } => cast(self.value(operand)?, node.primitive()?),
            Bound::Operation { operator, operands } => self.operation(*operator, operands),
            Bound::Call(call) => self.call(node, call),
            Bound::Case { operand, arms, otherwise } => {
                self.case(operand.as_deref(), arms, otherwise.as_deref())
            }
            Bound::Runtime(_)
            | Bound::Member { .. }
            | Bound::Row(_)
            | Bound::Interval { .. }
            | Bound::Unread { .. } => None,
        }
    }

    fn truth(&self, node: &BoundNode) -> Option<Option<bool>> {
        match self.value(node)?.constant {
            Constant::Bool(value) => Some(Some(value)),
            Constant::Null => Some(None),
            _ => None,
        }
    }

    fn operation(&self, operator: Operator, operands: &[BoundNode]) -> Option<Typed> {
        let truths = |parts: &[BoundNode]| parts.iter().map(|part| self.truth(part)).collect::<Vec<_>>();
        match (operator, operands) {
            (Operator::And, _) => Some(of_truth(all(&truths(operands))?)),
            (Operator::Or, _) => Some(of_truth(any(&truths(operands))?)),
            (Operator::Not, [operand]) => Some(of_truth(self.truth(operand)?.map(|value| !value))),
            (Operator::Plus, [operand]) => self.value(operand),
            (Operator::Minus, [operand]) => negated(self.value(operand)?),
            (Operator::Binary(BinaryOperator::Concat), [left, right]) => {
                (CONCAT.evaluate?)(&[self.value(left)?, self.value(right)?])
            }
            (Operator::Binary(op), [left, right]) if op.compares() => {
                compared(op, &self.value(left)?, &self.value(right)?)
            }
            (Operator::Binary(op), [left, right]) => arithmetic(op, self.value(left)?, self.value(right)?),
            (Operator::Is { value, negated }, [operand]) => {
                let found = self.value(operand)?.constant;
                let is_it = match (value, found) {
                    (None, found) => found == Constant::Null,
                    (Some(value), Constant::Bool(found)) => found == value,
                    (Some(_), Constant::Null) => false,
                    (Some(_), _) => return None,
                };
                Some(of_truth(Some(is_it != negated)))
            }
            (Operator::In { negated }, [operand, list @ ..]) => {
                let operand = self.value(operand)?;
                let is_equal = |item: &BoundNode| equals(&operand, &self.value(item)?);
                let found = any(&list.iter().map(is_equal).collect::<Vec<_>>())?;
                Some(of_truth(found.map(|found| found != negated)))
            }
            (Operator::Between { negated }, [operand, low, high]) => {
                let [operand, low, high] = [self.value(operand)?, self.value(low)?, self.value(high)?];
                let above = order(&operand, &low)?.map(Ordering::is_ge);
                let below = order(&operand, &high)?.map(Ordering::is_le);
                // Hive does not look at the second bound if the first one is NULL.
                let between = match (above, below) {
                    (Some(above), Some(below)) => Some(above && below),
                    (None, None) => None,
                    _ => return None,
                };
                Some(of_truth(between.map(|between| between != negated)))
            }
            (Operator::Like { negated }, [operand, pattern]) => {
                let (operand, pattern) = (self.value(operand)?.constant, self.value(pattern)?.constant);
                let matches = match (operand, pattern) {
                    (Constant::Text(text), Constant::Text(pattern)) => Some(like::matches(&text, &pattern)?),
                    (Constant::Null, Constant::Text(_) | Constant::Null)
                    | (Constant::Text(_), Constant::Null) => None,
                    _ => return None,
                };
                Some(of_truth(matches.map(|matches| matches != negated)))
            }
            _ => None,
        }
    }

    fn call(&self, node: &BoundNode, call: &BoundCall) -> Option<Typed> {
        if call.is_clock() {
            return self.clock.read(node.primitive()?);
        }
        let function = call.function.filter(|_| call.form == CallForm::Plain)?;
        if let (Operation::If, [condition, yes, no]) = (function.operation, call.arguments.as_slice()) {
            let is_true = self.truth(condition)? == Some(true);
            return self.value(if is_true { yes } else { no });
        }
        let evaluate = function.evaluate?;
        let arguments = call.arguments.iter().map(|argument| self.value(argument));
        evaluate(&arguments.collect::<Option<Vec<_>>>()?)
    }

    fn case(
        &self,
        operand: Option<&BoundNode>,
        arms: &[(BoundNode, BoundNode)],
        otherwise: Option<&BoundNode>,
    ) -> Option<Typed> {
        let operand = match operand {
            Some(operand) => Some(self.value(operand)?),
            None => None,
        };
        for (condition, result) in arms {
            let is_taken = match &operand {
                Some(operand) => equals(operand, &self.value(condition)?)?,
                None => self.truth(condition)?,
            };
            if is_taken == Some(true) {
                return self.value(result);
            }
        }
        otherwise.map_or_else(|| Some(null()), |result| self.value(result))
    }
}

impl Clock {
    /// The current date, timestamp or number of seconds, by the type that a function of the clock returns.
    fn read(&self, of: Type) -> Option<Typed> {
        let now = self.now?;
        let local = self.zone?.local_time_of(now)?;
        match of {
            Type::Date => Some(Typed::plain(Constant::Date(local.date()))),
            Type::Timestamp => Some(Typed::plain(Constant::Timestamp(local))),
            Type::BigInt => Typed::number(Decimal::integer(now.timestamp().into()), NumberType::BIGINT),
            _ => None,
        }
    }
}

fn null() -> Typed {
    Typed::plain(Constant::Null)
}

fn of_truth(value: Option<bool>) -> Typed {
    Typed::plain(value.map_or(Constant::Null, Constant::Bool))
}

/// AND: false if one is false, whatever the others are.
fn all(truths: &[Option<Option<bool>>]) -> Option<Option<bool>> {
    if truths.contains(&Some(Some(false))) {
        return Some(Some(false));
    }
    let known: Option<Vec<Option<bool>>> = truths.iter().copied().collect();
    Some(known?.into_iter().all(|truth| truth == Some(true)).then_some(true))
}

/// OR: true if one is true, whatever the others are.
fn any(truths: &[Option<Option<bool>>]) -> Option<Option<bool>> {
    if truths.contains(&Some(Some(true))) {
        return Some(Some(true));
    }
    let known: Option<Vec<Option<bool>>> = truths.iter().copied().collect();
    Some(known?.into_iter().all(|truth| truth == Some(false)).then_some(false))
}

fn negated(value: Typed) -> Option<Typed> {
    match value.constant {
        Constant::Null => Some(null()),
        Constant::Number(number) => Typed::number(number.negated()?, value.of),
        _ => None,
    }
}

fn equals(left: &Typed, right: &Typed) -> Option<Option<bool>> {
    Some(order(left, right)?.map(Ordering::is_eq))
}

fn compared(op: BinaryOperator, left: &Typed, right: &Typed) -> Option<Typed> {
    let order = order(left, right)?;
    let holds = |holds: fn(Ordering) -> bool| of_truth(order.map(holds));
    Some(match op {
        BinaryOperator::Eq => holds(Ordering::is_eq),
        BinaryOperator::NotEq => holds(Ordering::is_ne),
        BinaryOperator::Lt => holds(Ordering::is_lt),
        BinaryOperator::LtEq => holds(Ordering::is_le),
        BinaryOperator::Gt => holds(Ordering::is_gt),
        BinaryOperator::GtEq => holds(Ordering::is_ge),
        BinaryOperator::NullSafeEq => {
            let are_null = left.constant == Constant::Null && right.constant == Constant::Null;
            of_truth(Some(are_null || order.is_some_and(Ordering::is_eq)))
        }
        _ => return None,
    })
}

/// The order of two values, `Some(None)` if one is NULL; `None` of values that Hive would convert first.
fn order(left: &Typed, right: &Typed) -> Option<Option<Ordering>> {
    let order = match (&left.constant, &right.constant) {
        (Constant::Null, _) | (_, Constant::Null) => return Some(None),
        (Constant::Number(a), Constant::Number(b)) => {
            let as_doubles = [left.of, right.of].contains(&NumberType::Double);
            let is_exact = [a, b].iter().all(|number| number.is_exact_as_double());
            if as_doubles && !is_exact {
                return None;
            }
            a.order(*b)
        }
        (Constant::Text(a), Constant::Text(b)) => a.as_bytes().cmp(b.as_bytes()),
        (Constant::Bool(a), Constant::Bool(b)) => a.cmp(b),
        (Constant::Date(a), Constant::Date(b)) => a.cmp(b),
        (Constant::Timestamp(a), Constant::Timestamp(b)) => a.cmp(b),
        _ => return None,
    };
    Some(Some(order))
}
