//! Arithmetic of one number of the key with constants, as a chain whose steps keep or turn the order.

use crate::analyze::bind::BoundNode;
use crate::analyze::chain::numbers::MAX_DIGITS;
use crate::analyze::chain::{Chain, DigitCounts, NumberStep, Shape, Step};
use crate::analyze::constant::{Decimal, Term, Tree as _, decimal, size_of, whole};
use crate::key::field::{EpochField, FieldKind};
use crate::key::number::IntegerSize;
use crate::schema::model::Schema;
use saltplan_sql::ast::{BinaryOperator, Type, UnaryOperator};
use saltplan_sql::functions::Operation;

/// The maximum number of digits before the point that are rounded.
const MAX_ROUNDED: u32 = 18;

/// A constant that is computed with: the size in which Hive computes with a whole number, `None` for a decimal.
type Operand = (Decimal, Option<IntegerSize>);

const ZERO: Decimal = Decimal { digits: 0, scale: 0 };
const ONE: Decimal = Decimal { digits: 1, scale: 0 };
const BIGINT: Shape = Shape::Whole(IntegerSize::Bigint);

impl Chain {
    /// Arithmetic of a number; `None` for every other expression.
    pub(in crate::analyze) fn of_numbers(schema: &Schema, node: &BoundNode) -> Option<Chain> {
        if let Some(plain) = Chain::of(schema, node).filter(|_| is_plain(node)) {
            let (FieldKind::Integer(number) | FieldKind::Epoch(EpochField { number, .. })) =
                &schema.key.fields[plain.field].kind
            else {
                return None;
            };
            return plain.is_bare().then_some(Chain { shape: Shape::Whole(number.size), ..plain });
        }
        let of = |node: &BoundNode| Chain::of_numbers(schema, node);
        match node.term() {
            Term::Sign(UnaryOperator::Plus, operand) => of(operand),
            Term::Sign(UnaryOperator::Minus, operand) => of(operand)?.negative(),
            Term::Binary(left, op, right) => match (constant(left), constant(right)) {
                (None, Some(by)) => of(left)?.with(op, by),
                (Some(by), None) => of(right)?.with_left(by, op),
                _ => None,
            },
            Term::Cast(operand, to) => of(operand)?.cast_number(to),
            Term::Call(call) => match (call.operation(), call.arguments) {
                (Operation::Floor, [operand]) => {
                    Some(of(operand)?.no_decimal()?.number(NumberStep::Floor, BIGINT))
                }
                (Operation::Ceiling, [operand]) => {
                    Some(of(operand)?.no_decimal()?.number(NumberStep::Ceiling, BIGINT))
                }
                (Operation::Negate, [operand]) => of(operand)?.negative(),
                (Operation::Keep, [operand]) => of(operand),
                (Operation::Sign, [operand]) => {
                    Some(of(operand)?.no_decimal()?.number(NumberStep::Sign, Shape::Double))
                }
                (Operation::Round, [operand]) => of(operand)?.round(0),
                (Operation::Round, [operand, digits]) => of(operand)?.round(whole(digits)?.number),
                (Operation::Greatest, [operand, others @ ..]) if !others.is_empty() => {
                    of(operand)?.bounded(others, NumberStep::AtLeast)
                }
                (Operation::Least, [operand, others @ ..]) if !others.is_empty() => {
                    of(operand)?.bounded(others, NumberStep::AtMost)
                }
                (Operation::Absolute, [operand]) => {
                    let chain = of(operand)?;
                    let (size, shape) = (chain.size(), chain.shape);
                    Some(chain.number(NumberStep::Absolute(size), shape))
                }
                // A number of the key is never NULL.
                (Operation::FirstNotNull, [operand, others @ ..]) => {
                    let chain = of(operand)?.no_decimal()?;
                    let mut size = chain.size();
                    for other in others {
                        size = size.max(whole(other)?.size);
                    }
                    let shape = if chain.is_double() { Shape::Double } else { Shape::Whole(size) };
                    Some(Chain { shape, ..chain })
                }
                _ => None,
            },
            _ => None,
        }
    }

    fn number(mut self, step: NumberStep, shape: Shape) -> Self {
        self.steps.push(Step::Number(step));
        Chain { shape, ..self }
    }

    /// The size in which Hive computes with a whole number.
    fn size(&self) -> IntegerSize {
        match self.shape {
            Shape::Whole(size) => size,
            _ => IntegerSize::Bigint,
        }
    }

    fn is_double(&self) -> bool {
        self.shape == Shape::Double
    }

    fn no_decimal(self) -> Option<Self> {
        (!matches!(self.shape, Shape::Decimal(_))).then_some(self)
    }

    /// `round(x, digits)`.
    fn round(self, digits: i128) -> Option<Self> {
        let chain = self.no_decimal()?;
        let unit = match digits {
            0 => 1,
            1.. => return (!chain.is_double()).then_some(chain),
            _ if chain.is_double() => return None,
            _ => 10_i128.checked_pow(u32::try_from(-digits).ok().filter(|digits| *digits <= MAX_ROUNDED)?)?,
        };
        let (size, shape) = (chain.size(), chain.shape);
        Some(chain.number(NumberStep::Round { unit, size }, shape))
    }

    /// The greatest or the least of it and some constants.
    fn bounded(self, constants: &[BoundNode], bound: fn(i128) -> NumberStep) -> Option<Self> {
        let mut chain = self.no_decimal().filter(|chain| !chain.is_double())?;
        for constant in constants {
            let constant = whole(constant)?;
            let size = chain.size().max(constant.size);
            chain = chain.number(bound(constant.number), Shape::Whole(size));
        }
        Some(chain)
    }

    /// `x * factor + plus`, where the factor is 1 or -1, or `plus` is 0, and both are computed in a size, or are decimals.
    fn linear(self, factor: Decimal, plus: Decimal, size: Option<IntegerSize>) -> Option<Self> {
        match (self.shape, size) {
            (Shape::Decimal(_), _) | (_, None) => self.scaled(factor, plus),
            (_, Some(_)) if factor.digits == 0 => None,
            (shape, Some(size)) => {
                let size = self.size().max(size);
                let shape = if shape == Shape::Double { shape } else { Shape::Whole(size) };
                Some(self.number(NumberStep::Linear { factor, plus, size: Some(size) }, shape))
            }
        }
    }

    /// `x * factor + plus` as a decimal, where the factor is 1 or -1, or `plus` is 0.
    fn scaled(self, factor: Decimal, plus: Decimal) -> Option<Self> {
        let before = match self.shape {
            Shape::Decimal(digits) => digits,
            Shape::Whole(size) => DigitCounts::of_size(size),
            _ => return None,
        };
        if factor.digits == 0 {
            return None;
        }
        let after = if matches!(factor, Decimal { digits: 1 | -1, scale: 0 }) {
            before.sum(DigitCounts::of(plus))
        } else {
            before.product(DigitCounts::of(factor))
        };
        let has_room = after.whole + after.fraction <= MAX_DIGITS;
        let step = NumberStep::Linear { factor, plus, size: None };
        has_room.then(|| self.number(step, Shape::Decimal(after)))
    }

    /// `x op by`.
    fn with(self, op: BinaryOperator, (by, size): Operand) -> Option<Self> {
        match op {
            BinaryOperator::Plus => self.linear(ONE, by, size),
            BinaryOperator::Minus => self.linear(ONE, by.negated()?, size),
            BinaryOperator::Multiply => self.linear(by, ZERO, size),
            _ if size.is_none() || by == ZERO => None,
            BinaryOperator::Divide => {
                Some(self.no_decimal()?.number(NumberStep::Divide(by.digits), Shape::Double))
            }
            BinaryOperator::IntegerDivide if !self.is_double() => {
                Some(self.no_decimal()?.number(NumberStep::DivideWhole(by.digits), BIGINT))
            }
            _ => None,
        }
    }

    /// `by op x`.
    fn with_left(self, by: Operand, op: BinaryOperator) -> Option<Self> {
        match op {
            BinaryOperator::Plus | BinaryOperator::Multiply => self.with(op, by),
            BinaryOperator::Minus => self.linear(ONE.negated()?, by.0, by.1),
            _ => None,
        }
    }

    fn negative(self) -> Option<Self> {
        self.linear(ONE.negated()?, ZERO, Some(IntegerSize::Tinyint))
    }

    fn cast_number(self, data_type: Type) -> Option<Self> {
        let chain = self.no_decimal()?;
        match data_type {
            Type::Double => Some(chain.number(NumberStep::ToDouble, Shape::Double)),
            Type::Decimal { precision, scale } if !chain.is_double() => {
                chain.cast_to_decimal(precision, scale)
            }
            _ => {
                let size = size_of(data_type)?;
                Some(chain.number(NumberStep::ToWhole(size), Shape::Whole(size)))
            }
        }
    }

    /// A whole number as a decimal; `None` if it is too large, so that Hive checks the condition.
    fn cast_to_decimal(self, precision: u32, fraction: u32) -> Option<Self> {
        let whole = precision.checked_sub(fraction).filter(|_| precision <= MAX_DIGITS)?;
        let limit = 10_i128.checked_pow(whole)?;
        let shape = Shape::Decimal(DigitCounts { whole, fraction });
        Some(self.number(NumberStep::ToDecimal { limit }, shape))
    }
}

fn constant(node: &BoundNode) -> Option<Operand> {
    let whole = whole(node).map(|whole| (Decimal::integer(whole.number), Some(whole.size)));
    whole.or_else(|| decimal(node).map(|decimal| (decimal, None)))
}

/// A field, possibly cast to its own type.
fn is_plain(node: &BoundNode) -> bool {
    match node.term() {
        Term::Cast(operand, Type::BigInt) => is_plain(operand),
        _ => node.field().is_some(),
    }
}
