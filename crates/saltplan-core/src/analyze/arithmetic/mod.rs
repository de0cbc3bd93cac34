//! Arithmetic of one number of the key with constants: for which numbers the result is less than a constant, equal or greater.
//!
//! Every step keeps or reverses the order, so a comparison is one cut. Bisection finds it with the results of Hive: whole numbers that
//! wrap around on overflow, and doubles. Hive checks the numbers for which it has two answers (an `int` that overflows in vectorized
//! or row-by-row execution, a narrowing cast).

mod step;

use std::cmp::Ordering;

use super::compare::{Compared, NotUsed, Truth};
use super::constant::{Constant, Decimal, decimal, size_of, whole};
use super::sargable::{Function, Sargable};
use super::values::ValueSet;
use crate::key::field::{EpochField, FieldId, FieldKind};
use crate::key::interval::{Interval, IntervalSet};
use crate::key::number::IntegerSize;
use crate::schema::model::Schema;
use saltplan_sql::ast::{BinaryOperator, Expr, Node, Type, UnaryOperator};
use saltplan_sql::functions::Operation;
use saltplan_sql::time::bisect::first_where;
use step::{Bound, DigitCounts, MAX_DIGITS, Overflow, Step, StepNumber};

/// The maximum number of digits that a double represents exactly.
const EXACT_DIGITS: usize = 15;

/// The maximum number of digits before the point that are rounded.
const MAX_ROUNDED: u32 = 18;

/// A number field and the steps that are applied to it.
#[derive(Debug, Clone)]
pub(super) struct Formula {
    pub field: FieldId,
    width: IntegerSize,
    /// For a decimal.
    digits: Option<DigitCounts>,
    steps: Vec<Step>,
}

/// Numbers of a field by how the formula compares with a constant.
type Runs = Vec<(Ordering, Interval<i128>)>;

impl Formula {
    /// Reads an expression; `None` for every other one.
    pub(super) fn of(schema: &Schema, expr: &Expr) -> Option<Formula> {
        if let Some(sargable) = Sargable::of(schema, expr).filter(|_| is_plain(expr)) {
            let (FieldKind::Integer(number) | FieldKind::Epoch(EpochField { number, .. })) =
                &schema.key.fields[sargable.field].kind
            else {
                return None;
            };
            let width = number.size;
            let is_whole = sargable.function == Function::Identity;
            return is_whole.then(|| Formula {
                field: sargable.field,
                width,
                digits: None,
                steps: Vec::new(),
            });
        }
        match expr {
            Expr::Nested(inner) | Expr::UnaryOp { op: UnaryOperator::Plus, expr: inner } => {
                Formula::of(schema, inner)
            }
            Expr::UnaryOp { op: UnaryOperator::Minus, expr } => Formula::of(schema, expr)?.negative(),
            Expr::BinaryOp { left, op, right } => match (operand(left), operand(right)) {
                (None, Some(by)) => Formula::of(schema, left)?.with(*op, by),
                (Some(by), None) => Formula::of(schema, right)?.with_left(by, *op),
                _ => None,
            },
            Expr::Cast { expr, data_type, .. } => Formula::of(schema, expr)?.cast(*data_type),
            Expr::Call(call) => match (call.operation(), call.arguments.as_slice()) {
                (Operation::Floor, [expr]) => {
                    Some(Formula::of(schema, expr)?.no_decimal()?.then(Step::Floor, IntegerSize::Bigint))
                }
                (Operation::Ceiling, [expr]) => {
                    Some(Formula::of(schema, expr)?.no_decimal()?.then(Step::Ceiling, IntegerSize::Bigint))
                }
                (Operation::Negate, [expr]) => Formula::of(schema, expr)?.negative(),
                (Operation::Keep, [expr]) => Formula::of(schema, expr),
                (Operation::Sign, [expr]) => {
                    Some(Formula::of(schema, expr)?.no_decimal()?.then(Step::Sign, IntegerSize::Bigint))
                }
                (Operation::Round, [expr]) => Formula::of(schema, expr)?.round(0),
                (Operation::Round, [expr, digits]) => Formula::of(schema, expr)?.round(whole(digits)?.number),
                (Operation::Greatest, [expr, others @ ..]) if !others.is_empty() => {
                    Formula::of(schema, expr)?.bounded(others, true)
                }
                (Operation::Least, [expr, others @ ..]) if !others.is_empty() => {
                    Formula::of(schema, expr)?.bounded(others, false)
                }
                (Operation::Absolute, [expr]) => {
                    let formula = Formula::of(schema, expr)?;
                    let width = formula.width;
                    Some(formula.then(Step::Size(width), width))
                }
                // A number of the key is never NULL.
                (Operation::FirstNotNull, [expr, others @ ..]) => {
                    let formula = Formula::of(schema, expr)?.no_decimal()?;
                    let mut width = formula.width;
                    for other in others {
                        width = width.max(whole(other)?.size());
                    }
                    Some(Formula { width, ..formula })
                }
                _ => None,
            },
            _ => None,
        }
    }

    fn then(mut self, step: Step, width: IntegerSize) -> Self {
        self.steps.push(step);
        Formula { width, ..self }
    }

    fn is_double(&self) -> bool {
        let keeps = |step: &Step| matches!(step, Step::Linear { .. } | Step::Size(_) | Step::Round { .. });
        let last = self.steps.iter().rev().find(|step| !keeps(step));
        matches!(last, Some(Step::Divide(_) | Step::ToDouble | Step::Sign))
    }

    /// `round(x, digits)`.
    fn round(self, digits: i128) -> Option<Self> {
        let formula = self.no_decimal()?;
        let (is_double, width) = (formula.is_double(), formula.width);
        let unit = match digits {
            0 => 1,
            1.. => return (!is_double).then_some(formula),
            _ if is_double => return None,
            _ => 10_i128.checked_pow(u32::try_from(-digits).ok().filter(|digits| *digits <= MAX_ROUNDED)?)?,
        };
        Some(formula.then(Step::Round { unit, width }, width))
    }

    /// The greatest or the least of it and some constants.
    fn bounded(self, constants: &[Node], is_greatest: bool) -> Option<Self> {
        let mut formula = self.no_decimal()?;
        if formula.is_double() {
            return None;
        }
        for constant in constants {
            let constant = whole(constant)?;
            let width = formula.width.max(constant.size());
            let step =
                if is_greatest { Step::AtLeast(constant.number) } else { Step::AtMost(constant.number) };
            formula = formula.then(step, width);
        }
        Some(formula)
    }

    /// `x * factor + plus`, where the factor is 1 or -1, or `plus` is 0, and both are computed in a `width`, or are decimals.
    fn linear(self, factor: Decimal, plus: Decimal, width: Option<IntegerSize>) -> Option<Self> {
        match width.filter(|_| self.digits.is_none()) {
            Some(width) if factor.digits != 0 => {
                let width = self.width.max(width);
                Some(self.then(Step::Linear { factor, plus, width: Some(width) }, width))
            }
            Some(_) => None,
            None => self.scaled(factor, plus),
        }
    }

    fn no_decimal(self) -> Option<Self> {
        self.digits.is_none().then_some(self)
    }

    /// `x * factor + plus` as a decimal, where the factor is 1 or -1, or `plus` is 0.
    fn scaled(self, factor: Decimal, plus: Decimal) -> Option<Self> {
        if self.is_double() || factor.digits == 0 {
            return None;
        }
        let before = self.digits.unwrap_or(DigitCounts::of_width(self.width));
        let after = if matches!(factor, Decimal { digits: 1 | -1, scale: 0 }) {
            before.sum(DigitCounts::of(plus))
        } else {
            before.product(DigitCounts::of(factor))
        };
        let formula = self.then(Step::Linear { factor, plus, width: None }, IntegerSize::Bigint);
        (after.whole + after.fraction <= MAX_DIGITS).then_some(Formula { digits: Some(after), ..formula })
    }

    /// `x op by`.
    fn with(self, op: BinaryOperator, (by, width): Operand) -> Option<Self> {
        match op {
            BinaryOperator::Plus => self.linear(ONE, by, width),
            BinaryOperator::Minus => self.linear(ONE, by.negated()?, width),
            BinaryOperator::Multiply => self.linear(by, ZERO, width),
            _ if width.is_none() || self.digits.is_some() || by == ZERO => None,
            BinaryOperator::Divide => Some(self.then(Step::Divide(by.digits), IntegerSize::Bigint)),
            BinaryOperator::IntegerDivide if !self.is_double() => {
                Some(self.then(Step::DivideWhole(by.digits), IntegerSize::Bigint))
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

    fn cast(self, data_type: Type) -> Option<Self> {
        let formula = self.no_decimal()?;
        match data_type {
            Type::Double => Some(formula.then(Step::ToDouble, IntegerSize::Bigint)),
            Type::Decimal { precision, scale } if !formula.is_double() => {
                formula.cast_to_decimal(precision, scale)
            }
            _ => {
                let width = size_of(data_type)?;
                Some(formula.then(Step::ToWhole(width), width))
            }
        }
    }

    /// A whole number as a decimal; `None` if it is too large, so that Hive checks the condition.
    fn cast_to_decimal(self, precision: u32, fraction: u32) -> Option<Self> {
        let whole = precision.checked_sub(fraction).filter(|_| precision <= MAX_DIGITS)?;
        let limit = 10_i128.checked_pow(whole)?;
        let formula = self.then(Step::ToDecimal { limit }, IntegerSize::Bigint);
        Some(Formula { digits: Some(DigitCounts { whole, fraction }), ..formula })
    }

    /// The result for a number of the field, or on which side of its numbers Hive's results are left to it.
    fn at(&self, number: i128) -> Result<StepNumber, Overflow> {
        let mut result = StepNumber::Whole(number);
        let mut is_falling = false;
        for step in &self.steps {
            is_falling ^= step.is_falling();
            result = step.apply(result).map_err(|overflow| match (overflow, is_falling) {
                (overflow, false) => overflow,
                (Overflow::Above, true) => Overflow::Below,
                (Overflow::Below, true) => Overflow::Above,
            })?;
        }
        Ok(result)
    }

    /// The truth of a comparison with a constant, and the numbers for which it is left to Hive.
    ///
    /// # Errors
    /// The constant is not compared as a number.
    pub(super) fn compare(
        &self,
        kind: &FieldKind,
        (comparison, constant): Compared<'_>,
    ) -> Result<(Truth, ValueSet), NotUsed> {
        let (number, domain) = match (constant, kind.domain()) {
            (Constant::Null, _) => return Ok((Truth::unknown(kind), ValueSet::none(kind))),
            (Constant::Number(number), Some(Interval { start, stop: Some(stop) })) => (number, start..stop),
            _ => return not_a_number(),
        };
        let Some(bound) = self.bound(*number) else { return not_a_number() };
        let mut runs = Runs::new();
        self.compare_run(domain.start, domain.end, bound, &mut runs);
        let that_are = |wanted: &dyn Fn(Ordering) -> bool| {
            let runs = runs.iter().filter(|(order, _)| wanted(*order)).map(|(_, run)| run.clone());
            ValueSet::Numbers(IntervalSet::from_intervals(runs.collect()))
        };
        let truth = Truth {
            when_true: that_are(&|order| comparison.holds(order)),
            when_false: that_are(&|order| !comparison.holds(order)),
        };
        Ok((truth, that_are(&|_| true).complement(kind)))
    }

    /// The numbers of a run, up to one that is not in it.
    fn compare_run(&self, first: i128, stop: i128, bound: Bound, runs: &mut Runs) {
        if let Some(place) = self.steps.iter().position(|step| matches!(step, Step::Size(_))) {
            for (formula, first, stop) in self.sides(place, first, stop) {
                formula.compare_run(first, stop, bound, runs);
            }
            return;
        }
        let overflow = |x: i128| self.at(x).err();
        let from = first_where(first..stop, |x| overflow(x) != Some(Overflow::Below));
        let to = first_where(from..stop, |x| overflow(x) == Some(Overflow::Above));
        let order = |x: i128| self.at(x).map_or(Ordering::Equal, |number| bound.order(number));
        self.cut(from, to, order, runs);
        // A sum of bigints wraps around, and each side of the others is a run of its own.
        if let [Step::Linear { factor, plus, width: Some(IntegerSize::Bigint) }] = *self.steps.as_slice()
            && factor.digits.abs() == 1
        {
            #[expect(clippy::cast_possible_truncation, reason = "that is the wrapping around")]
            let order = |x: i128| {
                bound.order(StepNumber::Whole(i128::from((x * factor.digits + plus.digits) as i64)))
            };
            self.cut(first, from, order, runs);
            self.cut(to, stop, order, runs);
        }
    }

    /// Splits a run at the zero of an `Abs`: each side with the formula that has no `Abs` there.
    fn sides(&self, place: usize, first: i128, stop: i128) -> [(Formula, i128, i128); 2] {
        let before = Formula { steps: self.steps[..place].to_vec(), ..self.clone() };
        let is_falling = before.is_falling();
        let is_second = |x: i128| match before.at(x) {
            Ok(number) => number.is_negative() == is_falling,
            Err(overflow) => overflow == Overflow::Above,
        };
        let middle = first_where(first..stop, is_second);
        let with = |is_negative: bool| {
            let mut formula = self.clone();
            let factor = Decimal::integer(if is_negative { -1 } else { 1 });
            if let Step::Size(width) = self.steps[place] {
                formula.steps[place] = Step::Linear { factor, plus: ZERO, width: Some(width) };
            }
            formula
        };
        [(with(!is_falling), first, middle), (with(is_falling), middle, stop)]
    }

    fn is_falling(&self) -> bool {
        self.steps.iter().filter(|step| step.is_falling()).count() % 2 == 1
    }

    fn bound(&self, number: Decimal) -> Option<Bound> {
        if let Some(digits) = self.digits {
            // A double and a decimal are compared as doubles, which represent this many digits exactly.
            let DigitCounts { whole, .. } = DigitCounts::of(number);
            let count = whole + number.scale.max(digits.fraction);
            return (count as usize <= EXACT_DIGITS).then_some(Bound::Exact(number));
        }
        if !self.is_double() {
            return Some(Bound::Exact(number));
        }
        let text = number.to_string();
        let is_exact = text.bytes().filter(u8::is_ascii_digit).count() <= EXACT_DIGITS;
        if is_exact { text.parse().ok().map(Bound::Double) } else { None }
    }

    /// Cuts a run of numbers whose results rise, or fall.
    fn cut(&self, start: i128, stop: i128, order: impl Fn(i128) -> Ordering, runs: &mut Runs) {
        let is_falling = self.is_falling();
        let order = |x: i128| if is_falling { order(x).reverse() } else { order(x) };
        let equal = first_where(start..stop, |x| order(x) != Ordering::Less);
        let above = first_where(equal..stop, |x| order(x) == Ordering::Greater);
        let (low, high) = if is_falling {
            (Ordering::Greater, Ordering::Less)
        } else {
            (Ordering::Less, Ordering::Greater)
        };
        for (order, start, stop) in
            [(low, start, equal), (Ordering::Equal, equal, above), (high, above, stop)]
        {
            runs.push((order, Interval::new(start, Some(stop))));
        }
    }
}

fn not_a_number<T>() -> Result<T, NotUsed> {
    Err(NotUsed("compare the result with a number".into()))
}

/// A constant that is computed with: the size in which Hive computes with a whole number, `None` for a decimal.
type Operand = (Decimal, Option<IntegerSize>);

const ZERO: Decimal = Decimal { digits: 0, scale: 0 };
const ONE: Decimal = Decimal { digits: 1, scale: 0 };

fn operand(expr: &Expr) -> Option<Operand> {
    let whole = whole(expr).map(|whole| (Decimal::integer(whole.number), Some(whole.size())));
    whole.or_else(|| decimal(expr).map(|decimal| (decimal, None)))
}

/// A field, possibly cast to its own type.
fn is_plain(expr: &Expr) -> bool {
    match expr {
        Expr::Column(_) => true,
        Expr::Nested(inner) | Expr::Cast { expr: inner, data_type: Type::BigInt, .. } => is_plain(inner),
        _ => false,
    }
}
